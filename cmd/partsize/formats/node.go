package formats

import (
	"iter"

	"go.yaml.in/yaml/v3"
)

// target is what a node stands for: itself, or what an alias names.
func target(n *yaml.Node) *yaml.Node {
	if n != nil && n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// pairs are the keys and values of a map, in their order, with those that it merges from others (<<: *anchor) first; none where n
// is none.
func pairs(n *yaml.Node) iter.Seq2[*yaml.Node, *yaml.Node] {
	return func(yield func(key, value *yaml.Node) bool) {
		n := target(n)
		if n == nil || n.Kind != yaml.MappingNode {
			return
		}
		for _, m := range merged(n) {
			for i := 0; i+1 < len(m.Content); i += 2 {
				if key := m.Content[i]; key.Tag != mergeTag && !has(n, key.Value) && !yield(key, m.Content[i+1]) {
					return
				}
			}
		}
		for i := 0; i+1 < len(n.Content); i += 2 {
			if n.Content[i].Tag != mergeTag && !yield(n.Content[i], n.Content[i+1]) {
				return
			}
		}
	}
}

const mergeTag = "!!merge"

// merged are the maps that a map merges, one level deep.
func merged(n *yaml.Node) (all []*yaml.Node) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Tag != mergeTag {
			continue
		}
		from := target(n.Content[i+1])
		switch from.Kind {
		case yaml.MappingNode:
			all = append(all, from)
		case yaml.SequenceNode:
			for _, m := range from.Content {
				if m = target(m); m.Kind == yaml.MappingNode {
					all = append(all, m)
				}
			}
		}
	}
	return all
}

// has reports whether a map has a key of its own.
func has(n *yaml.Node, key string) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return true
		}
	}
	return false
}

// items are the elements of a sequence; none where n is none.
func items(n *yaml.Node) []*yaml.Node {
	if n = target(n); n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}

// child is the value under keys, one within the other; nil: there is none.
func child(n *yaml.Node, keys ...string) *yaml.Node {
	for _, want := range keys {
		var found *yaml.Node
		for key, value := range pairs(n) {
			if key.Value == want {
				found = target(value)
			}
		}
		n = found
	}
	return n
}

// text is a scalar as it stands in the file, without quotes; "" for anything else, and for null.
func text(n *yaml.Node) string {
	if n = target(n); n == nil || n.Kind != yaml.ScalarNode || n.Tag == "!!null" {
		return ""
	}
	return n.Value
}

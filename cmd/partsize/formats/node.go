package formats

import (
	"fmt"
	"iter"

	"go.yaml.in/yaml/v3"
)

// maxValues is the most values of a document. Aliases let a short text stand for endlessly many.
const maxValues = 2_000_000

// measure counts the values that documents stand for, aliases followed.
type measure struct {
	of map[*yaml.Node]int // 0: is being counted
}

// check refuses a document that stands for too many values, or contains itself. What reads it may then call itself for what is
// within, and takes no more steps than there are values.
func (m *measure) check(root *yaml.Node) error {
	m.of = map[*yaml.Node]int{}
	n, ok := m.count(root)
	switch {
	case !ok:
		return fmt.Errorf("line %d: an anchor stands for something that contains itself; write out what it stands for", root.Line)
	case n > maxValues:
		return fmt.Errorf("line %d: with its aliases the document stands for more than %d values; keep the part that matters", root.Line, maxValues)
	}
	return nil
}

// count is how many values a node stands for, at most one more than are allowed; not ok: it contains itself.
func (m *measure) count(n *yaml.Node) (all int, ok bool) {
	if n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if all, known := m.of[n]; known {
		return all, all > 0
	}
	if n.Anchor != "" {
		m.of[n] = 0 // others are met once
	}
	all = 1
	for _, within := range n.Content {
		more, ok := m.count(within)
		if !ok {
			return 0, false
		}
		all = min(all+more, maxValues+1)
	}
	if n.Anchor != "" {
		m.of[n] = all
	}
	return all, true
}

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
		if from := merged(n); from != nil {
			own := keys(n)
			for _, m := range from {
				for i := 0; i+1 < len(m.Content); i += 2 {
					if key := m.Content[i]; key.Tag != mergeTag && !own[key.Value] && !yield(key, m.Content[i+1]) {
						return
					}
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

// keys are those that a map has of its own.
func keys(n *yaml.Node) map[string]bool {
	own := make(map[string]bool, len(n.Content)/2)
	for i := 0; i+1 < len(n.Content); i += 2 {
		own[n.Content[i].Value] = true
	}
	return own
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

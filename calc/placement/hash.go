package placement

import (
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/partsize/partsize/calc/internal/order"
)

// javaHash is Java's String.hashCode, over UTF-16 units.
func javaHash(text string) uint32 {
	var h uint32
	for _, r := range text {
		if r > 0xffff {
			high, low := utf16.EncodeRune(r)
			h = 31*(31*h+uint32(high)) + uint32(low)
			continue
		}
		h = 31*h + uint32(r)
	}
	return h
}

// compareUTF16 orders as Java's String.compareTo does.
func compareUTF16(a, b string) int {
	for a != "" && b != "" {
		x, n := utf8.DecodeRuneInString(a)
		y, m := utf8.DecodeRuneInString(b)
		if x == y {
			a, b = a[n:], b[m:]
			continue
		}
		// A surrogate pair comes before the units from U+E000 on.
		if (x > 0xffff) != (y > 0xffff) && min(x, y) >= 0xe000 {
			return int(y) - int(x)
		}
		return int(x) - int(y)
	}
	return len(a) - len(b)
}

// scalaHash is what a Scala 2.13 immutable HashMap makes of a key's hash code.
//
// Scala: collection.Hashing.improve.
func scalaHash(text string) uint32 {
	h := javaHash(text)
	h += ^(h << 9)
	h ^= h >> 14
	h += h << 4
	return h ^ h>>10
}

// hashOrder is the order in which a Scala 2.13 immutable HashMap of more than four keys gives them: depth first through a
// trie of 32 branches, of each node first the keys in it, then the nodes below. The order in which keys were put in has no
// influence, except among keys of equal hash code; those come in the order of among, which may leave them out.
//
// Scala: collection.immutable.BitmapIndexedMapNode.
func hashOrder(paths, among []string) []string {
	return trieOrder(make([]string, 0, len(paths)), paths, 0, among)
}

func trieOrder(out, paths []string, shift uint, among []string) []string {
	if shift > 31 {
		place := func(path string) int {
			if i := slices.Index(among, path); i >= 0 {
				return i
			}
			return len(among)
		}
		paths = slices.Clone(paths)
		order.Sort(paths, func(a, b *string) int { return place(*a) - place(*b) })
		return append(out, paths...)
	}
	var groups [32][]string
	for _, path := range paths {
		g := scalaHash(path) >> shift & 31
		groups[g] = append(groups[g], path)
	}
	for _, group := range groups {
		if len(group) == 1 {
			out = append(out, group[0])
		}
	}
	for _, group := range groups {
		if len(group) > 1 {
			out = trieOrder(out, group, shift+5, among)
		}
	}
	return out
}

// javaMap is the keys of a java.util.HashMap of JDK 17, in its order. A key is put in once.
type javaMap[K any] struct {
	hash      func(K) uint32
	table     [][]javaEntry[K]
	size      int
	threshold int // above so many the table doubles; before there is a table, the length it will have
}

type javaEntry[K any] struct {
	hash uint32
	key  K
}

// What a HashMap begins with, and when a bucket makes the table double (a larger table would make a tree of it instead).
const (
	javaTable    = 16
	javaBucket   = 8
	javaTreeFrom = 64
)

func newJavaMap[K any](hash func(K) uint32) *javaMap[K] { return &javaMap[K]{hash: hash} }

func (m *javaMap[K]) resize() {
	length := 2 * len(m.table)
	if length == 0 {
		length = max(m.threshold, 1)
		if m.threshold == 0 {
			length = javaTable
		}
	}
	old := m.table
	m.table = make([][]javaEntry[K], length)
	m.threshold = length * 3 / 4
	for _, bucket := range old {
		for _, e := range bucket {
			i := e.hash & uint32(length-1)
			m.table[i] = append(m.table[i], e)
		}
	}
}

// put adds a key that is not there yet.
func (m *javaMap[K]) put(key K) {
	if m.table == nil {
		m.resize()
	}
	h := m.hash(key)
	h ^= h >> 16
	i := h & uint32(len(m.table)-1)
	m.table[i] = append(m.table[i], javaEntry[K]{h, key})
	m.size++
	if len(m.table[i]) > javaBucket && len(m.table) < javaTreeFrom {
		m.resize()
	}
	if m.size > m.threshold {
		m.resize()
	}
}

// putAll is HashMap.putAll: a map without a table gets one that is large enough at once.
func (m *javaMap[K]) putAll(keys []K) {
	if len(keys) == 0 {
		return
	}
	if m.table == nil {
		if least := len(keys)*4/3 + 1; least > m.threshold {
			m.threshold = 1
			for m.threshold < least {
				m.threshold *= 2
			}
		}
	} else {
		for len(keys) > m.threshold {
			m.resize()
		}
	}
	for _, key := range keys {
		m.put(key)
	}
}

// keys is the keys in the map's order.
func (m *javaMap[K]) keys() []K {
	keys := make([]K, 0, m.size)
	for _, bucket := range m.table {
		for _, e := range bucket {
			keys = append(keys, e.key)
		}
	}
	return keys
}

// cleanPath is what java.io.File makes of a path: no doubled slashes and none at the end.
func cleanPath(path string) string {
	for strings.Contains(path, "//") {
		path = strings.ReplaceAll(path, "//", "/")
	}
	if len(path) > 1 {
		path = strings.TrimSuffix(path, "/")
	}
	return path
}

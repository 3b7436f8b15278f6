package app

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// What is copied is right HTML, whatever is in the scenario, and what a frame reads from it is what was chosen.
func TestCopiedTextsMeanWhatWasChosen(t *testing.T) {
	const site = "https://h.example/x/"
	s := newState()
	for _, key := range []string{"retention.ms", `"><script>`, "a&b", "\u202e"} {
		s.set(key, `1'd"<&>`+"\n\u2067")
	}
	for _, c := range []sharing{
		{parts: defaultParts, theme: "auto"},
		{parts: allParts, theme: "dark", locked: []string{"retention.ms", "produce"}},
		{parts: []string{partFilm}, theme: "light", locked: []string{"retention.ms"}},
	} {
		p := s.placed(c, site)
		read := func(text, tag string) map[string]string {
			nodes, err := html.ParseFragment(strings.NewReader(text), nil)
			require.NoError(t, err)
			for _, root := range nodes {
				for n := range root.Descendants() {
					if n.Data == tag {
						all := map[string]string{}
						for _, a := range n.Attr {
							all[a.Key] = a.Val
						}
						return all
					}
				}
			}
			require.Fail(t, "no "+tag, text)
			return nil
		}
		assert.Equal(t, site+"#"+s.fragment(), p.link())
		frame := read(p.frame(), "iframe")
		fragment, ok := strings.CutPrefix(frame["src"], site+"embed/")
		require.True(t, ok)
		e, scenario := readEmbedded(fragment)
		assert.Equal(t, s.fragment(), scenario)
		assert.Equal(t, c.parts, e.parts)
		assert.Empty(t, e.problems)
		if c.theme != "auto" {
			assert.Contains(t, fragment, "theme="+c.theme)
			assert.Contains(t, frame["style"], "color-scheme:"+c.theme)
		}
		// A lock is of use only where there is a form.
		if strings.Contains(strings.Join(c.parts, " "), partForm) {
			assert.Equal(t, c.locked, e.locked)
		} else {
			assert.Empty(t, e.locked)
		}
		element := read(p.element(), "partsize-embed")
		assert.Equal(t, s.fragment(), element["scenario"])
		assert.Equal(t, p.link(), read(p.element(), "a")["href"])
		assert.Equal(t, site+"web/embed.js", read(p.element(), "script")["src"])
	}
}

func TestToggled(t *testing.T) {
	assert.Equal(t, []string{"a", "b"}, toggled([]string{"b"}, "a", []string{"a", "b", "c"}))
	assert.Equal(t, []string{"b"}, toggled([]string{"a", "b"}, "a", []string{"a", "b", "c"}))
	assert.Empty(t, toggled([]string{"a"}, "a", []string{"a"}))
}

// The settings of the scenario come first, each once, and a broker's as the topic's.
func TestLockable(t *testing.T) {
	s := newState()
	s.set("log.retention.hours", "5")
	s.set("segment.ms", "1d")
	keys := s.lockable()
	assert.Equal(t, []string{"retention.ms", "segment.ms", "produce"}, keys[:3])
	seen := map[string]bool{}
	for _, key := range keys {
		assert.False(t, seen[key], key)
		seen[key] = true
	}
}

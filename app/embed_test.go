package app

import (
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestFramesFragment(t *testing.T) {
	for fragment, want := range map[string]struct {
		parts, locked, rest, own string
		problems                 int
	}{
		"":                          {"answer chart", "", "", "", 0},
		"#v=1&retention.ms=1d":      {"answer chart", "", "v=1&retention.ms=1d", "", 0},
		"view=film&v=1&produce=1/s": {"film", "", "v=1&produce=1/s", "view=film", 0},
		"v=1&view=table%2Canswer&theme=dark&lock=retention.ms,log.roll.hours&a=b": {
			"table answer", "retention.ms segment.ms", "v=1&a=b", "view=table%2Canswer&theme=dark&lock=retention.ms,log.roll.hours", 0},
		"view=":                               {"answer chart", "", "", "view=", 1},
		"view=a,chart,b":                      {"chart", "", "", "view=a,chart,b", 2},
		"lock=x,segment.ms":                   {"answer chart", "segment.ms", "", "lock=x,segment.ms", 1},
		"v=1&view=lanes,metadata&produce=1/s": {"lanes metadata", "", "v=1&produce=1/s", "view=lanes,metadata", 0},
		"view=%":                              {"answer chart", "", "", "view=%", 1},
	} {
		e, rest := readEmbedded(fragment)
		assert.Equal(t, want.parts, strings.Join(e.parts, " "), fragment)
		assert.Equal(t, want.locked, strings.Join(e.locked, " "), fragment)
		assert.Equal(t, want.rest, rest, fragment)
		assert.Equal(t, want.own, e.own, fragment)
		assert.Len(t, e.problems, want.problems, fragment)

		// What is written is read as the same.
		again, scenario := readEmbedded(e.fragment(rest))
		assert.Equal(t, e, again, fragment)
		assert.Equal(t, rest, scenario, fragment)
	}
}

// following is a frame that follows a link.
func following(t *testing.T, link string) *Root {
	t.Helper()
	r := newEmbedded().(*Root)
	engine := app.NewTestEngine()
	require.NoError(t, engine.Load(r))
	engine.ConsumeAll()
	r.follow(link)
	return r
}

// Parts of the Tiered view bring that view with them; the frame's own address does not say it, and the link to the whole does.
func TestFramesOfTheTieredView(t *testing.T) {
	r := following(t, "#v=1&remote.storage.enable=true&produce=100KiB/s&retention.ms=1d&view=metadata")
	s := r.state
	assert.True(t, s.isTiered())
	page := app.HTMLString(r.Render())
	assert.Contains(t, page, `data-part="metadata"`)
	assert.Contains(t, page, `id="meta"`)
	assert.NotContains(t, page, `data-part="lanes"`)
	assert.Contains(t, page, `id="help"`, "for the panel's fields")
	assert.NotContains(t, page, `data-part="answer"`)
	assert.Contains(t, page, `href="./#v=1&view=tiered&produce=100KiB/s`)
	own := r.embedded.fragment(s.fragment())
	assert.NotContains(t, own, "tiered")
	again, rest := readEmbedded(own)
	assert.Equal(t, []string{partMetadata}, again.parts)
	assert.NotContains(t, rest, "view=")
	assert.True(t, partOfTiered("#v=1&view=answer%2Cmetadata"), "the smaller program leaves it to the larger")
	assert.False(t, partOfTiered("#v=1&view=answer,chart&topic.name=metadata"))

	// They are offered where that view is shared.
	s = tieredState(t, "remote.storage.enable=true&produce=100KiB/s")
	s.checkNow()
	p := s.placed(sharing{tiered: partMetadata, theme: "auto"}, "https://host/")
	assert.Equal(t, "https://host/embed/#v=1&produce=100KiB/s&remote.storage.enable=true&view=metadata", p.address())
	assert.Equal(t, "https://host/#v=1&view=tiered&produce=100KiB/s&remote.storage.enable=true", p.link())
	assert.Contains(t, p.element(), "Metadata: Unbounded growth.")
	p = s.placed(sharing{theme: "auto"}, "https://host/")
	assert.Contains(t, p.address(), "view=tiered")
}

// Nothing that a frame offers changes a locked setting: not a field, not a reset, not a finding's way out, not a broker's key.
func TestLockedSettingsStay(t *testing.T) {
	r := following(t, "#v=1&retention.ms=1d&produce=5MiB/s&lock=retention.ms,segment.bytes")
	s := r.state
	for _, key := range []string{"retention.ms", "log.retention.ms", "log.retention.hours", "segment.bytes"} {
		s.set(key, "1")
		s.reset(key)
	}
	assert.Equal(t, "1d", s.input.Get("retention.ms"))
	assert.Equal(t, "1GiB", s.input.Get("segment.bytes"))
	s.set("produce", "1KiB/s")
	s.clear()
	assert.Equal(t, "v=1&produce=5MiB/s&retention.ms=1d", s.fragment())
	assert.True(t, s.fieldOf("retention.ms").Locked)

	r.follow("#v=1&retention.ms=2d")
	assert.False(t, s.fieldOf("retention.ms").Locked)
	s.set("retention.ms", "3d")
	assert.Equal(t, "3d", s.input.Get("retention.ms"))
}

// Every part is drawn in every state, alone and with the others.
func TestFramesOfEveryState(t *testing.T) {
	tiered := strings.Join(append(allParts, tieredParts...), ",")
	for _, view := range []string{partAnswer, partChart, partFilm, partTable, partForm, partLanes, partMetadata, strings.Join(allParts, ","), tiered, "none"} {
		for _, scenario := range []string{"", "produce=0/s", "retention.ms=x", "steps=1h%20delete-topic", "max.message.bytes=0", "horizon=10y&produce=1TiB/s", "x=y"} {
			page := app.HTMLString(following(t, "#"+scenario+"&view="+view).Render())
			if view != "none" {
				for part := range strings.SplitSeq(view, ",") {
					if part != partFilm {
						assert.Contains(t, page, `data-part="`+part+`"`)
					}
				}
			}
			assert.NotContains(t, page, " style=")
			assert.Contains(t, page, `id="notices"`)
		}
	}
}

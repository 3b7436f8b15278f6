package e2e

import (
	"testing"
	"time"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// Who works with the keyboard never stands nowhere: when a button goes with what it changes, what is beside it has the focus.
func TestFocusStaysWithTheKeyboard(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&produce=100kB/s&retention.bytes=50MB&retention.ms=1h")
	p.ready()
	on := func(css string) {
		t.Helper()
		p.waitFor(`document.querySelector(` + quote(css) + `)`)
		eval[bool](p, `document.querySelector(`+quote(css)+`).focus(), true`)
	}
	has := func(id string) {
		t.Helper()
		p.waitFor(`document.activeElement.id === ` + quote(id))
	}
	on(`#findings [data-act="set"]`)
	p.press(kb.Enter)
	p.waitFor(`location.hash.includes("segment.bytes=")`)
	has("h-find") // the next finding stands where this one was

	on("#undo")
	p.press(kb.Enter)
	has("redo")
	p.press(kb.Enter)
	has("undo")

	on("#sensitive summary")
	p.press(kb.Enter)
	on(`#sensitive [data-act="set"]`)
	p.press(kb.Enter)
	has("sensitive-open")

	on(`.settings .cap [data-act="reset"]`)
	p.press(kb.Enter)
	has("presets")

	// An arrow opens the list of presets, and takes none by itself.
	p.waitFor(`location.hash === ""`) // the address follows the reset a moment later
	p.press(kb.ArrowDown)
	p.press(kb.Escape)
	time.Sleep(300 * time.Millisecond) // in which it would be taken
	assert.Empty(t, eval[string](p, `location.hash`))

	// The help of a setting takes the focus, leads to its link, and gives the focus back.
	on("#f-retention-ms-field .help")
	p.press(kb.Enter)
	has("help")
	p.press(kb.Tab)
	p.waitFor(`document.activeElement.closest("#help") && document.activeElement.tagName === "A"`)
	p.press(kb.Escape)
	p.waitFor(`document.activeElement.matches("#f-retention-ms-field .help") && !document.querySelector("#help").matches(":popover-open")`)

	p.goTo(p.address() + "?again#v=9&retention.ms=1d")
	p.ready()
	on(`#notices [data-act="forget"]`)
	p.press(kb.Enter)
	has("answer")
}

// A figure is told with what it is the figure of.
func TestFiguresHaveNames(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	names := eval[[]string](p, `[...document.querySelectorAll(".fig")].map((b) => b.getAttribute("aria-label").startsWith(b.textContent) ? b.getAttribute("aria-label") : "not as it is seen: " + b.textContent)`)
	for i, what := range []string{"Steady band", "Steady band", "Oldest record", "Oldest record", "replica", "Worst case", "Segments", "Segments", "Segments", "Indexes", "Indexes"} {
		assert.Contains(t, names[i], ", ", names[i])
		assert.Contains(t, names[i], what)
	}
}

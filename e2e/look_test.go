package e2e

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// The page fits every width in both themes, and the picture of each is kept
// for a person to look at.
func TestNoSidewaysScroll(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	for _, theme := range []string{"light", "dark"} {
		p.media("prefers-color-scheme", theme)
		for _, width := range []int64{320, 360, 1024, 1440} {
			p.size(width, 900)
			assert.LessOrEqual(t, eval[int](p, `document.documentElement.scrollWidth`), int(width), "%d px, %s", width, theme)
			p.screenshot(fmt.Sprintf("page-%d-%s", width, theme))
		}
	}
}

// While the program loads, the rendered page is there to read: the loader covers
// no part of it that matters, and takes no clicks.
func TestLoaderDoesNotCoverThePage(t *testing.T) {
	s := serve(t, "/x/")
	s.hold("app.wasm")
	p := open(t, "")
	p.goTo(s.url)
	for _, width := range []int64{320, 1440} {
		p.size(width, 900)
		assert.True(t, eval[bool](p, `(() => {
			const h1 = document.querySelector("h1").getBoundingClientRect();
			const loader = document.getElementById("app-wasm-loader").getBoundingClientRect();
			return loader.height < 60 && loader.bottom <= innerHeight && loader.top > h1.bottom &&
				getComputedStyle(document.getElementById("app-wasm-loader")).pointerEvents === "none";
		})()`), "%d px", width)
	}
	s.open()
	p.ready()
}

// A phone is about four times slower than this machine. The time is only
// written down here; the budgets are for a page that has something to do.
func TestStartsOnASlowProcessor(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, "")
	p.slow(4)
	start := time.Now()
	p.goTo(s.direct)
	p.ready()
	t.Logf("usable after %v", time.Since(start).Round(time.Millisecond))
}

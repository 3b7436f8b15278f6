package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// programs is how often each program was asked for.
func (s *site) programs() map[string]int {
	times := map[string]int{}
	for _, r := range s.take() {
		if r.path == "web/app.wasm" || r.path == "web/all.wasm" {
			times[r.path]++
		}
	}
	return times
}

// The program with all views is fetched when one of them is opened, once; the scenario comes along, and the way back leads
// to the partition without another load.
func TestOtherViewsBringTheirProgram(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+"#v=1&retention.ms=3d")
	p.ready()
	p.installed()
	assert.Equal(t, map[string]int{"web/app.wasm": 1}, s.programs())

	p.click(`nav.views a[href*="view=service"]`)
	p.waitFor(`document.querySelector('nav.views a[href*="view=service"][aria-current]')`)
	p.ready()
	assert.Equal(t, map[string]int{"web/all.wasm": 1}, s.programs())
	assert.Contains(t, eval[string](p, `location.hash`), "retention.ms=3d")
	assert.Equal(t, 1, eval[int](p, `document.querySelectorAll("h1").length`))

	eval[any](p, `window.same = true, history.back()`)
	p.waitFor(`document.querySelector("nav.views a[aria-current]").textContent === "Partition"`)
	assert.Contains(t, p.value("#f-retention-ms"), "3")
	p.click(`nav.views a[href*="view=tiered"]`)
	p.waitFor(`document.querySelector('nav.views a[href*="view=tiered"][aria-current]')`)
	assert.True(t, eval[bool](p, `window.same === true`), "the program with all views stays")
	assert.Empty(t, s.programs())
}

// A view has a page of its own, which can be read before the program runs. From there the whole
// page goes on, with the scenario that the link has.
func TestViewsAreRendered(t *testing.T) {
	for view, has := range map[string]string{"tiered": "not tiered", "service": "IBM Event Streams", "cluster": "even share"} {
		t.Run(view, func(t *testing.T) {
			s := serve(t, "/x/")
			p := open(t, s.url+view+".html"+withoutProgram)
			p.expect(unusedPreload)
			assert.Contains(t, p.text("main"), has)
			s.take()
			p.goTo(s.url + view + ".html#v=1&retention.ms=3d")
			p.ready()
			p.waitFor(`document.querySelector('nav.views a[href*="view=` + view + `"][aria-current]')`)
			assert.Equal(t, "/x/#v=1&retention.ms=3d&view="+view, eval[string](p, `location.pathname + location.hash`))
			assert.Equal(t, 1, s.programs()["web/all.wasm"], "the service worker takes the smaller one for itself")
		})
	}
}

// A link to another view loads its program alone. It is kept once it was loaded: the view works offline, then.
func TestOtherViewsOffline(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	p.installed()
	s.take()
	p.goTo(s.url + "?again#v=1&view=service")
	p.ready()
	p.waitFor(`document.querySelector('nav.views a[href*="view=service"][aria-current]')`)
	assert.Equal(t, map[string]int{"web/all.wasm": 1}, s.programs())
	p.waitFor(`window.kept || (caches.match("web/all.wasm").then((has) => { window.kept = !!has; }), false)`)
	s.offline()
	p.reload()
	p.ready()
	p.waitFor(`document.querySelector('nav.views a[href*="view=service"][aria-current]')`)
}

// Offline, a view that was never opened is not there: the page says so and shows the partition.
func TestViewThatWasNeverOpenedOffline(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	p.installed()
	s.offline()
	p.goTo(s.url + "?again#v=1&view=service&retention.ms=3d")
	p.ready()
	p.waitFor(`document.querySelector("main").textContent.includes("needs the network once")`)
	assert.Contains(t, p.value("#f-retention-ms"), "3")
	assert.Contains(t, eval[string](p, `location.hash`), "view=service", "the link stays")
}

// What was done before the page went over to the other program can be undone there, and leads back to where it was done.
// Nothing of it stays in the browser.
func TestUndoGoesOverToTheOtherProgram(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.fill("retention.ms", "2d")
	p.waitFor(`location.hash.includes("retention.ms=2d")`)
	p.fill("partitions", "12")
	p.waitFor(`location.hash.includes("partitions=12")`)
	p.click(`nav.views a[href*="view=tiered"]`)
	p.waitFor(`!!document.querySelector('nav.views a[href*="view=tiered"][aria-current]') && !document.getElementById("app-wasm-loader")`)
	p.ready()
	p.click("#undo") // the way here
	p.waitFor(`!!document.querySelector('nav.views a[aria-current]:not([href*="view="])') && document.querySelector("#f-partitions").value === "12"`)
	p.click("#undo")
	p.waitFor(`document.querySelector("#f-partitions").value === "1" && document.querySelector("#f-retention-ms").value === "2d"`)
	p.click("#undo")
	p.waitFor(`document.querySelector("#f-retention-ms").value === "7d" && document.querySelector("#undo").disabled`)
	p.click("#redo")
	p.waitFor(`document.querySelector("#f-retention-ms").value === "2d"`)
	assert.Zero(t, eval[int](p, `sessionStorage.length`))
	p.reload()
	p.ready()
	assert.True(t, eval[bool](p, `document.querySelector("#undo").disabled`), "handed on once")
}

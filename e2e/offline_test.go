package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Pitfall 1: after one visit the page needs no network, whatever the query, and
// in a new tab too.
func TestOfflineAfterTheFirstVisit(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	p.installed()
	p.goTo(s.url + "embed/")
	p.ready()
	s.offline()

	p.goTo(s.url)
	p.ready()
	p.goTo(s.url + "?embed=1#retention.ms=3600000")
	p.ready()
	assert.Contains(t, eval[string](p, `location.hash`), "retention.ms")

	// A frame's page is kept once it has been asked for, though a frame installs nothing.
	p.goTo(s.url + "embed/#" + sized)
	p.ready()
	assert.Contains(t, p.text("#peak"), "52.")

	q := p.another(s.url + "some/old/address")
	q.expect(anything) // its files are looked for in another directory; only the page itself is promised
	q.waitFor(`document.title.includes("Partsize")`)
}

// Pitfall 2: the sites of one host share their caches.
func TestOtherCachesOfTheHostSurvive(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+withoutProgram)
	p.expect(unusedPreload)
	eval[any](p, `(async () => {
		const put = async (name) => (await caches.open(name)).put("web/style.css", new Response("theirs"));
		await put("app-1234");             // another go-app site
		await put("partsize http://localhost/other/ 1"); // another Partsize
		await put("partsize " + location.origin + "/x/ old"); // our own, of an old version
		// A service worker that was quicker than this has nothing to activate any more.
		for (const one of await navigator.serviceWorker.getRegistrations()) await one.unregister();
	})()`)
	p.reload()
	p.installed()
	// install does not wait for what activate deletes, so this one may take a moment.
	p.waitFor(`window.gone || (caches.has("partsize " + location.origin + "/x/ old").then((has) => { window.gone = !has; }), false)`)
	names := eval[[]string](p, `caches.keys()`)
	assert.Contains(t, names, "app-1234")
	assert.Contains(t, names, "partsize http://localhost/other/ 1")

	p.goTo(s.url)
	p.ready()
	assert.NotEqual(t, "theirs", eval[string](p, `(async () => (await fetch("web/style.css")).text())()`),
		"a file of another site's cache is served as ours")
}

// Pitfall 4: the service worker answers for what it has and for nothing else.
func TestServiceWorkerLeavesOthersAlone(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	p.installed()
	s.take()

	p.expect("405") // the host takes only GET
	assert.Equal(t, 405, eval[int](p, `(async () => (await fetch("./", {method: "POST", body: "x"})).status)()`))
	assert.Equal(t, 206, eval[int](p, `(async () => (await fetch("web/icon-192.png", {headers: {range: "bytes=0-9"}})).status)()`))
	p.expect("404")
	assert.Equal(t, 404, eval[int](p, `(async () => (await fetch("../elsewhere")).status)()`))
	assert.Equal(t, 404, eval[int](p, `(async () => (await fetch("missing")).status)()`))
	assert.Len(t, s.take(), 4, "all four reach the host")

	eval[any](p, `(async () => (await fetch("web/style.css")).text())()`)
	assert.Empty(t, s.take(), "what it has it answers")
}

// firstVisit is the most that a first visit may download, in bytes as gzip.
const firstVisit = 1_700_000

// A first visit downloads each file once: the service worker takes over what
// the page has just loaded.
func TestFirstVisitDownloadsEachFileOnce(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	p.installed()

	var total int64
	times := map[string]int{}
	for _, r := range s.take() {
		times[r.path]++
		total += r.bytes
		t.Logf("%8d B %3d %-10s %s", r.bytes, r.status, r.by, r.path)
	}
	for path, n := range times {
		if path != "app-worker.js" { // asked again to see whether it has changed
			assert.Equal(t, 1, n, path)
		}
	}
	t.Logf("%8d B in all", total)
	assert.LessOrEqual(t, total, int64(firstVisit))
}

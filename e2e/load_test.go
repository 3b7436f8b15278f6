package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Pitfall 5: the same files run at any depth; nothing leaves the directory.
func TestLoadsUnderAnyPrefix(t *testing.T) {
	for _, prefix := range []string{"/", "/x/", "/other/deep/calc/"} {
		t.Run(prefix, func(t *testing.T) {
			s := serve(t, prefix)
			p := open(t, s.url)
			p.ready()
			p.installed()
			for _, r := range s.take() {
				assert.NotEqual(t, 404, r.status, r.path)
			}
			assert.Equal(t, []string{}, eval[[]string](p, `
				[...document.querySelectorAll("a, link, script, img")]
					.map((e) => e.href || e.src)
					.filter((to) => to && !to.startsWith(location.href.split("#")[0]))`))
		})
	}
}

// The slim build has its own resolver of web/ locations (goappstub).
func TestPictureOfWebLoads(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.waitFor(`[...document.images].every((i) => i.complete && i.naturalWidth > 0)`)
}

// What cmd/site renders is what the program draws, to the last space: nothing
// moves when it starts, and the page without script is the same page.
func TestRenderedPageIsWhatTheProgramDraws(t *testing.T) {
	const tree = `(() => {
		const show = (n) => n.nodeType === Node.TEXT_NODE ? JSON.stringify(n.data) :
			n.nodeName + JSON.stringify([...n.attributes].map((a) => a.name + "=" + a.value).sort()) +
			[...n.childNodes].filter((c) => c.nodeType !== Node.TEXT_NODE || c.data).map(show).join("");
		return show(document.body.firstElementChild);
	})()`
	s := serve(t, "/x/")
	before := open(t, s.url+"?wasm=false")
	before.waitFor(`!document.getElementById("app-wasm-loader")`)
	after := open(t, s.url)
	after.ready()
	assert.Equal(t, eval[string](before, tree), eval[string](after, tree))
}

// Progress runs to 100 %, though the file comes compressed.
func TestProgressEndsAtHundred(t *testing.T) {
	s := serve(t, "/x/")
	s.hold("app.wasm")
	p := open(t, "")
	p.goTo(s.url)
	eval[bool](p, `(() => {
		window.shown = [];
		const label = document.getElementById("app-wasm-loader-label");
		new MutationObserver(() => shown.push(parseInt(label.textContent.match(/\d+/)))).observe(label, {childList: true});
		return true;
	})()`)
	s.open()
	p.ready()
	shown := eval[[]int](p, `shown`)
	require.NotEmpty(t, shown)
	assert.Equal(t, 100, shown[len(shown)-1])
	for _, n := range shown {
		assert.LessOrEqual(t, n, 100)
	}
}

// The page does not flash: the theme stands before the first paint.
func TestThemeIsSetBeforeTheFirstPaint(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+"?theme=dark&wasm=false")
	assert.Equal(t, "dark", eval[string](p, `document.documentElement.dataset.theme`))
	assert.Nil(t, eval[*string](p, `localStorage.getItem("partsize.theme")`), "the query is not the reader's choice")

	eval[any](p, `localStorage.setItem("partsize.theme", "light")`)
	p.goTo(s.url + "?wasm=false")
	assert.Equal(t, "light", eval[string](p, `document.documentElement.dataset.theme`))
	assert.Equal(t, "rgb(251, 251, 249)", eval[string](p, `getComputedStyle(document.documentElement).backgroundColor`))
}

// The same program runs in a worker, from the module that the page compiled.
func TestWorkerRunsTheSameProgram(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	p.installed()
	s.take()
	assert.Equal(t, "hello", eval[string](p, `(async () => {
		const worker = await partsize.worker();
		const answer = new Promise((resolve) => { worker.onmessage = (e) => resolve(e.data); });
		worker.postMessage("hello");
		return answer;
	})()`))
	for _, r := range s.take() {
		assert.NotContains(t, r.path, ".wasm", "the worker downloads the program again")
	}
}

package e2e

import (
	"strings"
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
			// A reader's link may lead to another site, never to another place of this one.
			assert.Equal(t, []string{}, eval[[]string](p, `
				[...document.querySelectorAll("a, link, script, img")]
					.filter((e) => e.localName !== "a" || new URL(e.href).origin === location.origin)
					.map((e) => e.href || e.src)
					.filter((to) => to && !to.startsWith(location.href.split("#")[0]))`))
		})
	}
}

// The slim build has its own resolver of web/ locations (cmd/wasm/goapp).
func TestPictureOfWebLoads(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.waitFor(`[...document.images].every((i) => i.complete && i.naturalWidth > 0)`)
}

// What cmd/site renders is what the program draws, to the last space: nothing
// moves when it starts, and the page without script is the same page.
func TestRenderedPageIsWhatTheProgramDraws(t *testing.T) {
	// A line a node, so that a difference can be shown.
	const tree = `(() => {
		const lines = [];
		const walk = (n, indent) => {
			if (n.nodeType === Node.TEXT_NODE) {
				if (n.data) lines.push(indent + JSON.stringify(n.data));
				return;
			}
			lines.push(indent + n.nodeName + " " + [...n.attributes].map((a) => a.name + "=" + JSON.stringify(a.value)).sort().join(" "));
			if (n.matches(".why")) return; // a receipt is made when it is opened; in the file it is there for readers without script
			n.normalize();
			for (const c of n.childNodes) walk(c, indent + "  ");
		};
		walk(document.body.firstElementChild, "");
		return lines;
	})()`
	s := serve(t, "/x/")
	before := open(t, s.url+withoutProgram)
	before.expect(unusedPreload)
	before.waitFor(`!document.getElementById("app-wasm-loader")`)
	after := open(t, s.url)
	after.ready()
	file, drawn := eval[[]string](before, tree), eval[[]string](after, tree)
	for i := range max(len(file), len(drawn)) {
		if i >= len(file) || i >= len(drawn) || file[i] != drawn[i] {
			around := func(lines []string) string {
				return strings.Join(lines[min(max(0, i-5), len(lines)):min(i+3, len(lines))], "\n")
			}
			t.Fatalf("node %d\nin the file:\n%s\ndrawn:\n%s", i, around(file), around(drawn))
		}
	}
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
	p := open(t, s.url+withoutProgram+"&theme=dark")
	p.expect(unusedPreload)
	assert.Equal(t, "dark", eval[string](p, `document.documentElement.dataset.theme`))
	assert.Nil(t, eval[*string](p, `localStorage.getItem("partsize.theme")`), "the query is not the reader's choice")

	eval[any](p, `localStorage.setItem("partsize.theme", "light")`)
	p.goTo(s.url + withoutProgram)
	assert.Equal(t, "light", eval[string](p, `document.documentElement.dataset.theme`))
	assert.Equal(t, "rgb(251, 251, 249)", eval[string](p, `getComputedStyle(document.documentElement).backgroundColor`))
}

// The same program runs in a worker, from the module that the page compiled.
func TestWorkerRunsTheSameProgram(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+"#v=1&view=cluster")
	p.ready()
	p.installed()
	s.take()
	assert.Equal(t, 7, eval[int](p, `(async () => {
		const worker = await partsize.worker();
		const answer = new Promise((resolve) => { worker.onmessage = (e) => resolve(e.data.turn); });
		worker.postMessage({turn: 7, do: "look", where: "", policy: "", at: "0", from: 0});
		return answer;
	})()`))
	for _, r := range s.take() {
		assert.NotContains(t, r.path, ".wasm", "the worker downloads the program again")
	}
}

package e2e

import (
	"fmt"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// tenYears is a scenario that takes a browser seconds: 4.7 million segments, by a rate that changes every six hours.
const tenYears = "#v=1&produce=4MiB/s&produce.daily=50,100,150,100&segment.bytes=256MiB&horizon=3650d"

// before runs in every page of the tab, before its own scripts.
func (p *tab) before(script string) *tab {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: script})
	require.NoError(p.t, err)
	return p
}

// countWorkers notes how many workers the page starts.
const countWorkers = `
	window.workers = 0;
	if (window.Worker) window.Worker = class extends Worker {
		constructor(...all) {
			super(...all);
			window.workers++;
		}
	};`

const (
	simulating = `document.querySelector("#notices").textContent.includes("Simulating")`
	allDrawn   = `!document.querySelector("main").textContent.includes("Working") && ` +
		`document.querySelector("#film-table tbody tr") && document.querySelector("#chart-table tbody tr")`
)

// drawn waits until a long scenario is there with all its details, and gives what the page says.
func (p *tab) drawn() string {
	p.t.Helper()
	p.waitFor(`!` + simulating + ` && document.querySelector("#sentence").textContent.includes("TiB")`)
	p.waitFor(allDrawn)
	return eval[string](p, `["#sentence", "#chart-table", "#film-table", "#over"].map((css) => document.querySelector(css).textContent).join("\n")`)
}

// A scenario that takes seconds is played in a worker: nothing that the reader does meanwhile is held up, it can be stopped,
// what was there stays until there is more, and the program is not downloaded again.
func TestLongScenarioHasAWorker(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, "").watched().before(countWorkers)
	p.goTo(s.url)
	p.ready()
	p.installed()
	short := p.text("#peak")
	s.take()
	eval[any](p, fmt.Sprintf(`location.hash = %q`, tenYears))
	p.waitFor(simulating)
	p.waitFor(`workers === 1`)

	// Typing goes on, and each letter begins anew. What the page's thread does for one is counted in processor time.
	busy := p.threadTime()
	letters := make([]float64, 15)
	for i := range letters {
		before := busy()
		eval[bool](p, fmt.Sprintf(`new Promise((done) => {
			const field = document.querySelector("#f-retention-ms");
			field.value = "%dh";
			field.dispatchEvent(new Event("input", {bubbles: true}));
			setTimeout(() => done(true), 60);
		})`, 100+i))
		letters[i] = busy() - before
	}
	slices.Sort(letters)
	t.Logf("processor time of a letter while it is played: median %.1f ms, worst %.1f ms", letters[len(letters)/2], letters[len(letters)-1])
	assert.LessOrEqual(t, letters[len(letters)/2], 50.0)
	assert.True(t, eval[bool](p, simulating), "it takes longer than this test typed")
	assert.Equal(t, short, p.text("#peak"), "the last answer stays")

	// It can be stopped, and begun again.
	p.click("#notices [data-act=stop]")
	p.waitFor(`!` + simulating)
	assert.Equal(t, short, p.text("#peak"))
	assert.Equal(t, "Stopped. What is shown is the answer at Kafka's defaults.Simulate", eval[string](p, `document.querySelector("#notices").textContent.trim()`))
	p.click("#notices [data-act=again]")
	p.waitFor(simulating)
	p.fill("retention.ms", "100h")
	p.waitFor(simulating)
	eval[any](p, `seen.longest = 0`)
	p.drawn()
	t.Logf("longest task when the answer comes: %.0f ms", eval[float64](p, `seen.longest`)/p.haste())
	assert.NotEqual(t, short, p.text("#peak"))
	assert.Equal(t, 1, eval[int](p, `workers`), "one worker does it all")
	for _, r := range s.take() {
		assert.NotContains(t, r.path, ".wasm", "the worker downloads the program again")
	}

	// Offline too.
	s.offline()
	p.goTo(s.url + "?" + tenYears)
	p.waitFor(`workers === 1`)
	p.drawn()
}

// What the worker made is what the page makes itself where there can be no worker: the sentence, the tables, the moment.
func TestLongScenarioWithoutAWorker(t *testing.T) {
	const scenario = "#v=1&produce=4MiB/s&produce.daily=50,100,150,100&segment.bytes=256MiB&horizon=1000d&disk=30TiB"
	s := serve(t, "/x/")
	says := func(script string, workers int) string {
		p := open(t, "").before(script)
		p.expect("no/such/file.js")
		p.goTo(s.url + scenario)
		p.ready()
		says := p.drawn()
		assert.Equal(t, workers, eval[int](p, `window.workers ?? 0`))
		return says
	}
	with := says(countWorkers, 1)
	assert.Equal(t, with, says(`window.Worker = undefined`, 0), "without workers")
	assert.Equal(t, with, says(countWorkers+`{
		const post = Worker.prototype.postMessage;
		window.Worker.prototype.postMessage = function (m) {
			if ("module" in m) return post.call(this, {wasmExec: "no/such/file.js"});
			post.call(this, m);
		};
	}`, 1), "with a worker that does not start")
}

// In a frame of another page, in a sandbox too, a long scenario has a worker as well.
func TestLongScenarioInAFrame(t *testing.T) {
	for name, attributes := range map[string]string{"cross-origin": "", "sandboxed": `sandbox="allow-scripts"`} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, "/x/")
			_, f := embedded(t, s, tenYears+"&view=answer,form", attributes)
			f.waitFor(`!` + simulating + ` && document.querySelector("#peak").textContent.includes("TiB")`)
			assert.NotEmpty(t, requests(s.take(), "web/worker.js"))
		})
	}
}

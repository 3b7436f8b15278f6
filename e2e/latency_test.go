package e2e

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
)

// From an input event to the updated chart, for 30 days of 1 MiB/s at the
// defaults. The numbers of the issue are a median of 16 ms and 25 ms at the
// 95th percentile, on a machine that does nothing else; the test allows for one
// that does.
func TestLatency(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	samples := eval[[]float64](p, `(async () => {
		const field = document.querySelector("#f-retention-ms");
		const chart = document.querySelector("figure");
		const pause = (ms) => new Promise((done) => setTimeout(done, ms));
		const once = (value) => new Promise((done) => {
			const start = performance.now();
			new MutationObserver((_, observer) => {
				observer.disconnect();
				done(performance.now() - start);
			}).observe(chart, {subtree: true, childList: true, attributes: true});
			field.value = value;
			field.dispatchEvent(new Event("input", {bubbles: true}));
		});
		const all = [];
		for (let i = 0; i < 60; i++) {
			all.push(await once((6 * 24 * 60 + i) + "min"));
			await pause(40);
		}
		return all.slice(10);
	})()`)
	slices.Sort(samples)
	median, p95 := samples[len(samples)/2], samples[len(samples)*95/100]
	t.Logf("input to chart: median %.1f ms, 95th percentile %.1f ms, worst %.1f ms", median, p95, samples[len(samples)-1])
	assert.Less(t, median, 32.0)
	assert.Less(t, p95, 60.0)
}

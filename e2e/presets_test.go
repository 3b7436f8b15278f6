package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// take chooses one of the presets, or of the links that were copied.
func (p *tab) take(name string) {
	p.t.Helper()
	eval[bool](p, `(() => {
		const presets = document.querySelector("#presets");
		presets.value = `+quote(name)+`;
		presets.dispatchEvent(new Event("input", {bubbles: true}));
		return true;
	})()`)
}

// The scenarios that people know are there, and each is about what its name
// says. The figures are reckoned by hand.
func TestPresets(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&produce=7MiB/s")
	p.ready()
	for _, c := range []struct {
		name, binds string
		low, high   float64 // of the peak, in bytes
		finding     string
	}{
		// 7 d of 1 MiB/s, at most a segment and 6 min more, half a percent of indexes.
		{"Kafka's defaults", "time", 604800 * 1048576, (604800*1048576 + 1<<30 + 360*1048576) * 1.005, ""},
		// A segment of 1 GiB has to be full first: two and a half days.
		{"Low traffic, kept for an hour", "time", 1 << 30, (1<<30 + 2*3600*5120) * 1.01, "Records outlive retention.ms by far"},
		{"Bound by size", "size", 50 << 30, (50<<30 + 1<<30 + 360*5<<20) * 1.005, ""},
		// 6 h of 100 MiB/s.
		{"Firehose", "time", 21600 * 100 << 20, (21600*100<<20 + 1<<30 + 360*100<<20) * 1.005, ""},
		// 1 TiB comes faster than it goes, and is past retention: some minutes of 50 MiB/s at a time, beside 7 d of 1 MiB/s.
		{"Backfill of 30 days", "time", 7 * 86400 * 1 << 20, (7*86400*1<<20 + 8<<30 + 700*50<<20) * 1.01, "Records are past retention when they arrive"},
		// 10 B/s for a day and the time a segment is open: nothing, but two indexes each.
		{"Many tiny partitions", "time", 0, 100 << 20, "Most of the apparent size is index files set aside"},
	} {
		before := eval[string](p, `location.hash`)
		p.take(c.name)
		p.waitFor(`location.hash !== ` + quote(before))
		p.waitFor(`!document.querySelector("#notices").textContent.includes("Simulating")`)
		p.waitFor(`document.querySelector("#binds").textContent.startsWith(` + quote(c.binds) + `)`)
		p.waitFor(`document.querySelector("#receipt tfoot")`)
		peak := p.receiptOfPeak().exactly
		assert.GreaterOrEqual(t, peak, c.low, c.name)
		assert.LessOrEqual(t, peak, c.high, c.name)
		if c.finding != "" {
			p.finding(c.finding)
		}
	}
	p.take("Many tiny partitions")
	assert.Contains(t, p.sentence(), "5000 partitions × 3 replicas")
}

// A link to a scenario that takes long to think about opens as others do.
func TestLinkToMuch(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&produce=7MiB/s")
	p.ready()
	p.waitFor(`document.querySelector("#why .chain li")`)
	assert.Contains(t, p.sentence(), "TiB")
}

// One field is reset, or all.
func TestReset(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&produce=5MiB/s&log.retention.hours=24&segment.bytes=100MiB")
	p.ready()
	assert.Equal(t, "1d", p.value("#f-retention-ms"))
	p.click("#f-segment-bytes-field [data-act=reset]")
	p.waitFor(`document.querySelector("#f-segment-bytes").value === "1GiB" && location.hash === "#v=1&produce=5MiB/s&log.retention.hours=24"`)
	assert.Equal(t, "f-segment-bytes", eval[string](p, `document.activeElement.id`))
	p.click("#f-retention-ms-field [data-act=reset]") // what it took from the broker's setting, too
	p.waitFor(`document.querySelector("#f-retention-ms").value === "7d" && location.hash === "#v=1&produce=5MiB/s"`)
	p.click(".settings .cap [data-act=reset]")
	p.waitFor(`document.querySelector("#f-produce").value === "1MiB/s" && location.hash === ""`)
	p.click("#undo")
	p.waitFor(`document.querySelector("#f-produce").value === "5MiB/s"`)
}

// Links that were copied are offered again, in this browser, after a reload.
func TestRecentScenarios(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&produce=5MiB/s&retention.ms=2d")
	p.ready()
	assert.Zero(t, eval[int](p, `document.querySelectorAll("#presets optgroup").length`)-1)
	p.click("#share")
	p.waitFor(`document.querySelector("#sharing").open`)
	eval[bool](p, `[...document.querySelectorAll("#sharing button")].find((b) => b.closest(":has(#share-link)") && /copy/i.test(b.textContent)).click(), true`)
	p.waitFor(`document.querySelectorAll("#presets optgroup").length === 2`)
	p.reload()
	p.ready()
	name := eval[string](p, `document.querySelectorAll("#presets optgroup")[1].querySelector("option").value`)
	assert.Equal(t, "produce=5MiB/s, retention.ms=2d", name)
	p.take("Kafka's defaults")
	p.waitFor(`location.hash === ""`)
	p.take(name)
	p.waitFor(`document.querySelector("#f-retention-ms").value === "2d" && location.hash === "#v=1&produce=5MiB/s&retention.ms=2d"`)
}

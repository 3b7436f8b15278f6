package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sentence is the answer as it is read: the words, and the numbers among them
// that can be changed. The value after the key of a limit is for the hand only.
const sentenceJS = `[...document.querySelector("#sentence").children]
	.map((e) => (e.querySelector("input[data-key^=partitions],input[data-key^=replication]")?.value ?? "") + e.textContent).join("")`

func (p *tab) sentence() string {
	p.t.Helper()
	return strings.ReplaceAll(eval[string](p, sentenceJS), "\u00a0", " ")
}

// plainly is a text without its spaces.
func plainly(text string) string { return strings.Join(strings.Fields(text), "") }

// Every figure opens its receipt, by the browser's own means, before the
// program runs and while it does; and what stands in it comes to the figure.
func TestFiguresOpenTheirReceipts(t *testing.T) {
	s := serve(t, "/x/")
	for name, address := range map[string]string{
		"without the program": s.url + withoutProgram,
		"with it":             s.url,
		"by size":             s.url + "#v=1&produce=5MiB/s&retention.bytes=50GiB&horizon=4h&partitions=12&replication.factor=3",
		"a trickle":           s.url + "#v=1&produce=5KiB/s&retention.ms=1h",
		"empty":               s.url + "#v=1&produce=0/s",
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, address)
			if strings.HasSuffix(address, withoutProgram) {
				p.expect(unusedPreload)
				p.waitFor(`document.readyState === "complete"`)
			} else {
				p.ready()
			}
			ids := eval[[]string](p, `[...document.querySelectorAll(".fig")].map((b) => b.getAttribute("popovertarget"))`)
			require.GreaterOrEqual(t, len(ids), 8)
			for _, id := range ids {
				p.press(kb.Escape)
				eval[bool](p, fmt.Sprintf(`document.querySelector("[popovertarget=%s]").focus(), true`, id))
				p.press(kb.Enter)
				p.waitFor(fmt.Sprintf(`document.querySelector("#%s").matches(":popover-open") && document.querySelector("#%[1]s h2")`, id))
				// Sizes are shown in thousandths, of which very small parts show none.
				wrong := eval[string](p, fmt.Sprintf(`(() => {
					const box = document.querySelector("#%s");
					const n = (cell) => parseFloat(cell.textContent.replace(/[^\d.]/g, ""));
					const cells = [...box.querySelectorAll("tbody td")];
					const total = box.querySelector("tfoot td");
					if (!total) return box.querySelector("p") ? "" : "neither a sum nor a reason";
					if (total.textContent.match(/ms|min|h|d/)) return ""; // a time: see the engine's tests
					let sum = 0;
					for (const c of cells) {
						if (c.textContent.startsWith("×")) sum *= n(c); else if (!c.textContent.startsWith("<")) sum += n(c);
					}
					const factor = cells.some((c) => c.textContent.startsWith("×")) ? 0.03 : 0.0015;
					return Math.abs(sum - n(total)) <= factor * Math.max(1, cells.length) ? "" : sum + " is not " + n(total);
				})()`, id))
				assert.Empty(t, wrong, id)
			}
		})
	}
}

// Each step names its setting, a press of which leads to the field; each names
// the rule of Kafka that it follows, with the source.
func TestReceiptLeadsToSettingAndSource(t *testing.T) {
	s := serve(t, "/x/")
	for name, address := range map[string]string{"without the program": s.url + withoutProgram, "with it": s.url} {
		t.Run(name, func(t *testing.T) {
			p := open(t, address)
			if name == "with it" {
				p.ready()
			} else {
				p.expect(unusedPreload)
				p.waitFor(`document.readyState === "complete"`)
			}
			p.click("[popovertarget=why-oldest]")
			p.waitFor(`document.querySelector("#why-oldest tfoot")`)
			assert.Equal(t, []string{"retention.ms = 7d", "log.retention.check.interval.ms = 5min"},
				eval[[]string](p, `[...document.querySelectorAll("#why-oldest [data-act=go]")].slice(1).map((b) => b.textContent)`))
			links := eval[[]string](p, `[...document.querySelectorAll("#why-oldest .rule a")].map((a) => a.textContent + " " + a.href)`)
			require.Len(t, links, 3)
			assert.Equal(t, "UnifiedLog#deleteRetentionMsBreachedSegments https://github.com/apache/kafka/blob/4.3.1/storage/src/main/java/org/apache/kafka/storage/internals/log/UnifiedLog.java", links[1])
			p.click("#why-oldest [data-key=\"log.retention.check.interval.ms\"]")
			p.waitFor(`document.activeElement.id === "f-log-retention-check-interval-ms" && !document.querySelector("#why-oldest").matches(":popover-open")`)
		})
	}
}

// mouse sends a mouse event.
func (p *tab) mouse(kind input.DispatchMouseEventType, x, y float64, buttons int64) {
	p.t.Helper()
	e := input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Buttons: buttons}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		e.Button, e.ClickCount = input.MouseButtonLeft, 1
	} else if buttons != 0 {
		e.Button = input.MouseButtonLeft // else the browser takes the pointer back from what captured it
	}
	_, err := chromedp.Call(p.ctx, input.DispatchMouseEvent, e)
	require.NoError(p.t, err)
}

// middle is where an element is in the window.
func (p *tab) middle(css string) (x, y float64) {
	p.t.Helper()
	at := eval[[]float64](p, fmt.Sprintf(`(() => {
		const e = document.querySelector(%q);
		e.scrollIntoView({block: "center"});
		const b = e.getBoundingClientRect();
		return [b.x + b.width / 2, b.y + b.height / 2];
	})()`, css))
	return at[0], at[1]
}

// The numbers of the sentence that are settings are dragged, stepped and typed
// over in place; a drag is one step for undo.
func TestNumbersOfTheSentence(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&produce=5MiB/s&retention.bytes=50GiB&horizon=4h&partitions=12&replication.factor=3")
	p.ready()
	assert.Contains(t, p.sentence(), "52.7 GiB")
	assert.Contains(t, p.sentence(), "12 partitions × 3 replicas need 1.85 TiB.")
	assert.Equal(t, "50GiB", p.value("#s-retention-bytes"))

	x, y := p.middle("#s-partitions")
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y, 1)
	for by := 4.0; by <= 24; by += 4 {
		p.mouse(input.DispatchMouseEventTypeMouseMoved, x+by, y, 1)
	}
	p.waitFor(`document.querySelector("#s-partitions").value === "15"`)
	p.waitFor(`document.querySelector("#all").textContent.startsWith("2.32")`) // 15 × 3 × 52.7 GiB
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x+8, y, 1)
	p.waitFor(`document.querySelector("#s-partitions").value === "13"`)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x+16, y, 1)
	p.waitFor(`document.querySelector("#s-partitions").value === "14"`)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x+16, y, 0)
	p.waitFor(`location.hash.includes("partitions=14")`)
	assert.Equal(t, "14", p.value("#f-partitions"))

	// A second drag is a step of its own.
	x, y = p.middle("#s-partitions")
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y, 1)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x-20, y, 1)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x-20, y, 0)
	p.waitFor(`document.querySelector("#s-partitions").value === "12"`)
	p.click("#undo")
	p.waitFor(`document.querySelector("#s-partitions").value === "14"`)
	p.click("#undo")
	p.waitFor(`document.querySelector("#s-partitions").value === "12" && document.querySelector("#undo").disabled`)

	// A press without a drag is to type; what is typed is what holds.
	p.click("#s-retention-bytes")
	p.waitFor(`document.activeElement.id === "s-retention-bytes" && getSelection().toString() === "50GiB"`)
	p.press("40 GB")
	p.waitFor(`document.querySelector("#f-retention-bytes").value === "40 GB" && location.hash.includes("retention.bytes=40%20GB")`)
	assert.Equal(t, "40 GB", p.value("#s-retention-bytes"))

	// The keys step.
	eval[bool](p, `document.querySelector("#s-replication-factor").focus(), true`)
	p.press(kb.ArrowDown)
	p.waitFor(`document.querySelector("#s-replication-factor").value === "2"`)
	p.press(kb.PageUp)
	p.waitFor(`document.querySelector("#s-replication-factor").value === "7"`)

	// What cannot be is said, beside the field and here; the number stays as typed.
	p.press(kb.End + "x")
	p.waitFor(`document.querySelector("#s-replication-factor").getAttribute("aria-invalid") === "true"`)
	assert.Equal(t, "7x", p.value("#s-replication-factor"))
	assert.Contains(t, p.text("#notices"), "replication.factor")
}

// A number that the sentence has no more place for while it is dragged comes
// back when it is dragged back.
func TestDragBeyondWhatBinds(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&produce=5MiB/s&retention.ms=3h&retention.bytes=50GiB&horizon=12h")
	p.ready()
	p.waitFor(`!document.querySelector("#s-retention-bytes").hidden`)
	assert.Contains(t, p.text("#binds"), "size")
	x, y := p.middle("#s-retention-bytes")
	p.mouse(input.DispatchMouseEventTypeMousePressed, x, y, 1)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x+24, y, 1)
	p.waitFor(`document.querySelector("#binds").textContent.startsWith("time")`)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y, 1)
	p.waitFor(`document.querySelector("#binds").textContent.startsWith("size") && document.querySelector("#s-retention-bytes").value === "50GiB"`)
	p.mouse(input.DispatchMouseEventTypeMouseMoved, x+24, y, 1)
	p.waitFor(`document.querySelector("#binds").textContent.startsWith("time")`)
	p.mouse(input.DispatchMouseEventTypeMouseReleased, x+24, y, 0)
	p.waitFor(`document.querySelector("#s-retention-bytes").hidden`)
}

// A finger drags, too, and scrolls the page as before.
func TestNumbersByTouch(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.size(360, 740)
	p.ready()
	x, y := p.middle("#s-partitions")
	touch := func(kind input.DispatchTouchEventType, points ...*input.TouchPoint) {
		_, err := chromedp.Call(p.ctx, input.DispatchTouchEvent, input.DispatchTouchEventParams{Type: kind, TouchPoints: points})
		require.NoError(t, err)
	}
	touch(input.DispatchTouchEventTypeTouchStart, &input.TouchPoint{X: x, Y: y})
	for by := 10.0; by <= 80; by += 10 {
		touch(input.DispatchTouchEventTypeTouchMove, &input.TouchPoint{X: x + by, Y: y})
	}
	p.waitFor(`document.querySelector("#s-partitions").value === "11"`)
	touch(input.DispatchTouchEventTypeTouchEnd)
	p.waitFor(`location.hash.includes("partitions=11")`)
}

// A disk's runway is said for the traffic as it is, and for twice as much; without a disk there is neither.
func TestRunwayAtTwiceTheTraffic(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&disk=100GiB")
	p.ready()
	p.waitFor(`document.querySelector("#notices").textContent.includes("With twice the traffic a disk of 100\u00a0GiB is full after 14\u00a0h")`)
	p.fill("disk", "unlimited")
	p.waitFor(`!document.querySelector("#notices").textContent.includes("twice")`)
}

// On a phone the chart follows the number and the sentence; what the number is made of is asked for. Where there is room
// it is there without that.
func TestPhoneHasTheChartFirst(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	shown := `document.querySelector("#steady").checkVisibility({contentVisibilityAuto: true})`
	p.size(360, 740)
	p.waitFor("!" + shown)
	assert.Less(t, eval[float64](p, `document.querySelector("#h-time, figure").getBoundingClientRect().top`), 740.0, "in the first screen")
	p.click(".reckoned summary")
	p.waitFor(shown)
	p.click(".reckoned summary")
	p.size(1280, 900)
	p.waitFor(shown)
	assert.False(t, eval[bool](p, `document.querySelector(".reckoned summary").checkVisibility()`))
}

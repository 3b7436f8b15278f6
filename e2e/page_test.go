package e2e

import (
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// A change of retention.ms changes the answer and the address; the link shows
// it again, and so does going back to another.
func TestRetentionChangesTheAnswerAndTheLink(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	before := p.text("#sentence")
	p.fill("retention.ms", "1d")
	p.waitFor(`document.querySelector("#sentence").textContent !== ` + quote(before))
	assert.Contains(t, p.text("#peak"), "86.")
	p.waitFor(`location.hash === "#v=1&retention.ms=1d"`)
	after := p.text("#sentence")

	again := open(t, eval[string](p, "location.href"))
	again.ready()
	assert.Equal(t, after, again.text("#sentence"))
	assert.Equal(t, "1d", again.value("#f-retention-ms"))

	eval[bool](again, `location.hash = "v=1&retention.ms=2d", true`)
	again.waitFor(`document.querySelector("#f-retention-ms").value === "2d"`)
	eval[bool](again, `history.back(), true`)
	again.waitFor(`document.querySelector("#f-retention-ms").value === "1d"`)
	assert.Equal(t, after, again.text("#sentence"))

	// The link goes back to what the reader typed over, too.
	again.fill("retention.ms", "3d")
	again.waitFor(`location.hash === "#v=1&retention.ms=3d"`)
	eval[bool](again, `location.hash = "v=1&retention.ms=1d", true`)
	again.waitFor(`document.querySelector("#f-retention-ms").value === "1d"`)
}

// Every link that people can end up with shows something, and says what is
// wrong with it.
func TestBadLinks(t *testing.T) {
	s := serve(t, "/x/")
	for name, c := range map[string]struct{ fragment, says string }{
		"of 100 kB":            {"v=1&steps=" + strings.Repeat("1d+restart;", 10_000), "bytes"},
		"cut within a value":   {"v=1&retention.ms=7d&log.dirs=%D", "breaks off"},
		"cut within a key":     {"v=1&retention.ms=1d&segment.by", "segment.by"},
		"of a newer version":   {"v=7&retention.ms=1d", "newer"},
		"with unknown keys":    {"v=1&retention.mss=1d", "retention.mss"},
		"with a wrong value":   {"v=1&retention.ms=soon", "retention.ms"},
		"with markup":          {"v=1&%3Cscript%3Ealert(1)%3C/script%3E=%22%3Cb%3E", "<script>"},
		"with no sense at all": {"v=1&&&===%00&=&%E2%28%A1=1", ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, s.url+"#"+c.fragment)
			p.ready()
			assert.NotEmpty(t, p.text("#sentence"))
			assert.Contains(t, p.text("#notices"), c.says)
			assert.False(t, eval[bool](p, `!!document.querySelector("#notices script, #notices b")`))
			p.fill("retention.ms", "2d")
			p.waitFor(`location.hash.includes("retention.ms=2d")`)
		})
	}
}

// garbage is what ends up in fields, from the list of bad input.
var garbage = []string{
	"", "-1", "-2", "-5", "9223372036854775807", "9223372036854775808", "99999999999999999999999999", "1.5", "0.0001", "1e9", "1,000,000",
	"1.000.000", "1 000", "١٢٣", "１２", "7 dogs", "7D", "5Mb", "1GB/s", "0", "00", "+5", "--", "null", "NaN", "true", "\u202e7d", "<script>alert(1)</script>", `"'>&`,
	"7d\n8d", strings.Repeat("9", 5000), "0x10", "∞", "-0", " ", "5 MiB/s/s", "1:2:3", "100%", "1d retention.ms=", "{}", "4.3.1.1",
}

// Garbage in every field leaves the page alive and says what is wrong, beside
// the field, and what was typed stays.
func TestGarbageInEveryField(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	keys := eval[[]string](p, `[...document.querySelectorAll(".settings [name]")].map((f) => f.name)`)
	assert.Greater(t, len(keys), 50)
	start := time.Now()
	for i, key := range keys {
		p.fill(key, garbage[i%len(garbage)])
		p.fill(key, "zzz")
	}
	p.waitFor(`document.querySelectorAll(".field.error").length > 40`)
	t.Logf("%d fields in %v", len(keys), time.Since(start).Round(time.Millisecond))
	assert.Equal(t, "zzz", p.value(fieldCSS("retention.ms")))
	assert.Contains(t, p.text(fieldCSS("retention.ms")+"-err"), "zzz")
	assert.NotEmpty(t, p.text("#sentence"))

	// All of it fits into a link, and can be taken back.
	p.waitFor(`location.hash.includes("retention.ms=zzz")`)
	eval[bool](p, `[...document.querySelectorAll(".settings [data-act=reset]")].find((b) => !b.dataset.key).click(), true`)
	p.waitFor(`document.querySelectorAll(".field.error").length === 0`)
	assert.Equal(t, "7d", p.value(fieldCSS("retention.ms")))

	// Each piece of garbage in one field after the other.
	for _, value := range garbage {
		p.fill("retention.ms", value)
		p.fill("produce", value)
		p.fill("steps", value)
	}
	p.fill("retention.ms", "7d")
	p.fill("produce", "1MiB/s")
	p.fill("steps", "")
	p.waitFor(`document.querySelectorAll(".field.error").length === 0`)
}

// An error names the nearest value that would do, and a press takes it.
func TestNearestValueIsAButton(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.fill("segment.bytes", "1KiB")
	p.waitFor(`!!document.querySelector("#f-segment-bytes-err button")`)
	assert.Contains(t, p.text("#f-segment-bytes-err"), "1MiB")
	assert.Contains(t, p.text("#notices"), "segment.bytes")
	p.click("#f-segment-bytes-err button")
	p.waitFor(`document.querySelector("#f-segment-bytes").value === "1MiB" && !document.querySelector("#f-segment-bytes-err")`)
}

// What is pasted fills the form; what was not understood is said.
func TestPasteFillsTheForm(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.pasteText("log.retention.hours=24\nlog.segment.bytes=104857600\nlog.retention.byts=5\nlog.roll.hours=x\n")
	p.waitFor(`!!document.querySelector("#paste-read")`)
	assert.Contains(t, p.text("#paste-read"), "log.retention.hours")
	assert.Contains(t, p.text("#paste-look"), "log.retention.byts")
	assert.Equal(t, "1d", p.value("#f-retention-ms"))
	assert.Equal(t, "100MiB", p.value("#f-segment-bytes"))
	assert.Contains(t, p.text("#f-retention-ms-says"), "log.retention.hours")
	p.waitFor(`location.hash.includes("log.retention.hours=24")`)

	p.pasteText("Dynamic configs for topic orders are:\n  retention.ms=3600000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=3600000}\n")
	p.waitFor(`document.querySelector("#f-retention-ms").value.match(/^(3600000|1h)$/)`)

	p.pasteText("time,bytes/s\n0,1000000\n3600,2000000\n7200,500000\n")
	p.waitFor(`document.querySelector("#paste-read")?.textContent.includes("3 rows")`)

	p.pasteText("apiVersion: v1\nkind: Pod\n")
	p.waitFor(`!!document.querySelector("#paste-wrong")`)
	assert.Contains(t, p.text("#paste-wrong"), "YAML")
}

// A paste of 50 MB is answered within a second.
func TestHugePaste(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.click("#paste-open")
	took := eval[float64](p, `(async () => {
		const data = new DataTransfer();
		data.setData("text", "retention.ms=1\n".repeat(50e6 / 15));
		const start = performance.now();
		const shown = new Promise((done) => new MutationObserver((_, o) => {
			if (document.querySelector("#paste-wrong")) { o.disconnect(); done(); }
		}).observe(document.querySelector("#paste"), {subtree: true, childList: true}));
		document.querySelector("#paste-text").dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
		await shown;
		return performance.now() - start;
	})()`)
	t.Logf("answered after %.0f ms", took)
	assert.Less(t, took, 1000.0)
	assert.Contains(t, p.text("#paste-wrong"), "at most")
	assert.Equal(t, "", p.value("#paste-text"))
}

// All of it works with the keyboard alone.
func TestKeyboardOnly(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.press(kb.Tab)
	assert.Equal(t, "skip", eval[string](p, `document.activeElement.className`))
	p.press(kb.Enter)
	p.waitFor(`document.activeElement.id === "answer"`)
	assert.Equal(t, "", eval[string](p, `location.hash`))

	// Every control is reached, and its focus can be seen.
	seen := map[string]bool{}
	unseen := []string{}
	for range 120 {
		p.press(kb.Tab)
		at := eval[[]string](p, `(() => {
			const e = document.activeElement, s = getComputedStyle(e);
			if (e === document.body) return ["body", "yes"];
			return [e.id || e.textContent.slice(0, 30) || e.tagName, s.outlineStyle === "none" || s.outlineWidth === "0px" ? "no" : "yes"];
		})()`)
		if seen[at[0]] = true; at[1] == "no" {
			unseen = append(unseen, at[0])
		}
	}
	for _, id := range []string{"theme", "share", "at", "f-retention-ms", "paste-open"} {
		assert.True(t, seen[id], "%s is not reached", id)
	}
	assert.Empty(t, unseen, "no focus to be seen")

	// The moment moves by arrows, a setting too.
	eval[bool](p, `document.querySelector("#at").focus(), true`)
	before := p.text("#clock")
	p.press(kb.ArrowLeft)
	p.waitFor(`document.querySelector("#clock").textContent !== ` + quote(before))
	eval[bool](p, `document.querySelector("#f-retention-ms").focus(), true`)
	p.press(kb.ArrowUp)
	p.waitFor(`document.querySelector("#f-retention-ms").value === "14d"`)

	// Help opens and closes, and the focus comes back.
	eval[bool](p, `document.querySelector("#f-retention-ms-field .help").focus(), true`)
	p.press(kb.Enter)
	p.waitFor(`document.querySelector("#help").matches(":popover-open") && document.querySelector("#help").textContent.includes("retention.ms")`)
	p.press(kb.Escape)
	p.waitFor(`!document.querySelector("#help").matches(":popover-open")`)

	// So does the dialog.
	eval[bool](p, `document.querySelector("#paste-open").focus(), true`)
	p.press(kb.Enter)
	p.waitFor(`document.querySelector("#paste").open && document.activeElement.id === "paste-text"`)
	p.press(kb.Escape)
	p.waitFor(`!document.querySelector("#paste").open`)
	assert.Equal(t, "paste-open", eval[string](p, `document.activeElement.id`))
}

// A changed answer is announced once there is quiet.
func TestChangeIsAnnounced(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	assert.Equal(t, "", p.text("#spoken"))
	p.fill("retention.ms", "1d")
	p.waitFor(`document.querySelector("#spoken").textContent.includes("86.")`)
	assert.Equal(t, plainly(p.sentence()), plainly(p.text("#spoken")))
}

// A scenario that takes long says so, leaves the page usable, and ends.
func TestLongScenario(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.fill("horizon", "365d")
	p.fill("produce", "100MiB/s")
	p.waitFor(`document.querySelector("#notices").textContent.includes("Simulating")`)
	p.fill("retention.ms", "1d")
	p.waitFor(`!document.querySelector("#notices").textContent.includes("Simulating")`)
	assert.Contains(t, p.text("#peak"), "TiB")
}

// pasteText opens the dialog and gives it a text.
func (p *tab) pasteText(content string) {
	p.t.Helper()
	if !eval[bool](p, `document.querySelector("#paste").open`) {
		p.click("#paste-open")
	} else {
		p.press(kb.Escape)
		p.waitFor(`!document.querySelector("#paste").open`)
		p.click("#paste-open")
	}
	p.waitFor(`document.querySelector("#paste").open`)
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#paste-text").value = ` + quote(content)))
	p.click("#paste-fill")
}

// A preset fills the form; undo takes it back, redo brings it again.
func TestPresetUndoRedo(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	before := p.text("#sentence")
	eval[bool](p, `(() => {
		const presets = document.querySelector("#presets");
		presets.value = "Bound by size";
		presets.dispatchEvent(new Event("input", {bubbles: true}));
		return true;
	})()`)
	p.waitFor(`document.querySelector("#f-retention-bytes").value === "50GiB" && location.hash.includes("retention.bytes=50GiB")`)
	after := p.text("#sentence")
	p.click("#undo")
	p.waitFor(`document.querySelector("#sentence").textContent === ` + quote(before))
	p.waitFor(`location.hash === ""`)
	p.click("#redo")
	p.waitFor(`document.querySelector("#sentence").textContent === ` + quote(after))
	assert.True(t, eval[bool](p, `document.querySelector("#redo").disabled`))
}

// What would change the peak most is worked out while it is open, and a press
// takes a value.
func TestSensitivity(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	p.click("#sensitive summary")
	p.waitFor(`document.querySelectorAll("#sensitive tbody tr").length > 5`)
	p.click("#sensitive tbody tr button")
	p.waitFor(`location.hash.length > 5`)
	p.waitFor(`document.querySelectorAll("#sensitive tbody tr").length > 5`)
}

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
)

// enter gives a field a text and leaves it.
func (p *tab) enter(css, content string) {
	p.t.Helper()
	p.do(chromedp.Evaluate[chromedp.Void](`(() => {
		const field = document.querySelector(` + quote(css) + `);
		field.value = ` + quote(content) + `;
		field.dispatchEvent(new Event("change", {bubbles: true}));
	})()`))
}

// A record is picked by its offset, by when it was written, by its age, or as the newest of the moment; the page says until
// when it can be read and when its bytes come back, and the link keeps it.
func TestARecordIsPicked(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&retention.ms=1h&horizon=6h")
	p.ready()
	p.enter("#record", "0")
	p.waitFor(`document.querySelector("#stay-says").textContent.startsWith("Record 0")`)
	// 1 GiB at 1 MiB/s takes 17 min, an hour later the check of 1 h 20 min 30 s deletes it, a minute later its files go.
	assert.Contains(t, p.text("#stay-says"), "since 1\u00a0h\u00a020\u00a0min\u00a030\u00a0s")
	assert.Contains(t, p.text("#stay-says"), "1\u00a0h\u00a021\u00a0min\u00a030\u00a0s")
	p.waitFor(`location.hash.includes("record=0")`)

	p.enter("#record", "10 min ago")
	p.waitFor(`document.querySelector("#stay-says").textContent.includes("can be read until")`)
	assert.Equal(t, 2, eval[int](p, `document.querySelectorAll("#phases thead th").length`), "unreadable, and its bytes back")
	p.waitFor(`location.hash.includes("record=10")`)
	says := p.text("#stay-says")
	again := open(t, eval[string](p, "location.href"))
	again.ready()
	again.waitFor(`document.querySelector("#stay-says").textContent === ` + quote(says))
	assert.Equal(t, "10 min ago", again.value("#record"))

	p.enter("#record", "soon")
	p.waitFor(`document.querySelector("#record-bad").textContent.includes("offset")`)
	assert.Equal(t, "soon", p.value("#record"))
	p.enter("#record", "99999999999")
	p.waitFor(`document.querySelector("#record-bad").textContent.includes("the log ends at")`)
	p.click("#why .pick button")
	p.waitFor(`document.querySelector("#record-bad").textContent === "" && document.querySelector("#stay-says").textContent.startsWith("Record")`)
}

// A change of retention at the moment says what goes, when, in which steps; it is in the link, and can be kept as a step.
func TestAChangeIsTried(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&horizon=2d&at=1d&change=retention.ms%3D1h")
	p.ready()
	// At a day 84 segments are closed; those of the last hour stay. The check comes 30 s later.
	p.waitFor(`!!document.querySelector("#change-says")`)
	assert.Contains(t, p.text("#change-says"), "80\u00a0segments")
	assert.Contains(t, p.text("#change-says"), "1\u00a0min\u00a030\u00a0s")
	assert.Equal(t, "1h", p.value("#change-ms"))
	assert.Equal(t, "1\u00a0d\u00a00\u00a0h\u00a000\u00a0min\u00a000\u00a0s", p.text("#clock"))

	p.enter("#change-bytes", "lots")
	p.waitFor(`document.querySelector("#change-bad").textContent !== "" && !document.querySelector("#change-says")`)
	assert.Equal(t, "lots", p.value("#change-bytes"))
	p.enter("#change-bytes", "10GiB")
	p.enter("#change-ms", "")
	p.waitFor(`document.querySelector("#change-says")?.textContent.includes("74\u00a0segments")`)
	p.waitFor(`location.hash.includes("change=retention.bytes%3D10GiB") && location.hash.includes("at=1d")`)

	p.click("#change .row button")
	p.waitFor(`document.querySelector("#f-steps").value === "1d retention.bytes=10GiB" && !document.querySelector("#change-says")`)
	p.waitFor(`location.hash.includes("steps=1d") && !location.hash.includes("change=")`)
}

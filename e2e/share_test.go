package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

// pick presses a choice of the dialog.
func (p *tab) pick(name, value string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`document.querySelector('[name=%q][value=%q]').click(), true`, name, value))
}

// Each text that the dialog offers does in a page of another site what was chosen: link, frame and element, the frame in a
// sandbox without an origin, too.
func TestCopiedTextsWork(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+"#"+sized)
	p.ready()
	p.click("#share")
	p.waitFor(`document.querySelector("#sharing").open && document.querySelector("#share-link").value`)
	for _, part := range []string{"chart", "film", "form"} { // the chart goes, the others come
		p.pick("share-part", part)
	}
	p.waitFor(`document.querySelector("[name=share-lock][value='retention.bytes']")`)
	p.pick("share-lock", "retention.bytes")
	p.pick("share-theme", "dark")
	p.waitFor(`document.querySelector("#share-frame").value.includes("theme=dark")`)

	link := p.value("#share-link")
	assert.Equal(t, s.url+"#"+sized, link)
	q := open(t, link)
	q.ready()
	assert.Equal(t, p.text("#sentence"), q.text("#sentence"))

	asChosen := func(t *testing.T, p *tab) {
		t.Helper()
		f := p.frame("/embed/")
		f.ready()
		assert.Equal(t, []string{"answer", "film", "form"}, eval[[]string](f, partsShown))
		assert.Contains(t, f.text("#peak"), "52.")
		assert.True(t, eval[bool](f, `document.querySelector("#f-retention-bytes").readOnly && !document.querySelector("#f-produce").readOnly`))
		assert.Equal(t, "dark", eval[string](f, `document.documentElement.dataset.theme`))
		assert.Equal(t, "rgba(0, 0, 0, 0)", eval[string](f, `getComputedStyle(document.documentElement).backgroundColor`))
		f.fill("produce", "1MiB/s")
		f.waitFor(`document.querySelector("#peak").textContent.includes("51.")`)
	}
	frame := p.value("#share-frame")
	for name, code := range map[string]string{"frame": frame, "sandboxed": strings.Replace(frame, "<iframe", `<iframe sandbox="allow-scripts"`, 1)} {
		t.Run(name, func(t *testing.T) {
			q := open(t, "")
			q.goTo(host(t, "<main><h1>Host</h1>"+code+"</main>"))
			asChosen(t, q)
		})
	}
	t.Run("element", func(t *testing.T) {
		q := open(t, "")
		q.goTo(host(t, "<main><h1>Host</h1>"+p.value("#share-element")+"</main>"))
		assert.Contains(t, eval[string](q, `document.querySelector("partsize-embed a").textContent`), "peaks at 52.8\u00a0GiB on disk")
		assert.Equal(t, link, eval[string](q, `document.querySelector("partsize-embed a").href`))
		asChosen(t, q)
		q.waitFor(inElement(0, `frame.checkVisibility({visibilityProperty: true})`))
	})
}

// The height of the frame that is offered is enough for what does not scroll by itself, in the width of a text column.
func TestCopiedFrameIsHighEnough(t *testing.T) {
	s := serve(t, "/x/")
	for _, scenario := range []string{"", sized} {
		p := open(t, s.url+"#"+scenario)
		p.ready()
		p.click("#share")
		p.waitFor(`document.querySelector("#sharing").open && document.querySelector("#share-link").value`)
		for _, parts := range []string{"", "film", "chart", "answer chart"} {
			for part := range strings.FieldsSeq(parts) {
				p.pick("share-part", part)
			}
			p.do(chromedp.Evaluate[chromedp.Void](`new Promise((done) => setTimeout(done, 50))`, chromedp.EvalAwaitPromise))
			code := p.value("#share-frame")
			t.Run(code, func(t *testing.T) {
				q := open(t, "")
				q.goTo(host(t, `<main style="width:640px">`+code+"</main>"))
				f := q.frame("/embed/")
				f.ready()
				left := eval[float64](f, `innerHeight - document.querySelector("main").getBoundingClientRect().height`)
				assert.GreaterOrEqual(t, left, 0.0)
				assert.Less(t, left, 90.0, "and not much more")
			})
		}
	}
}

// The dialog works with the keyboard alone, keeps the focus, and copies.
func TestShareDialog(t *testing.T) {
	source := axeSource(t)
	s := serve(t, "/x/")
	p := open(t, s.url+"#"+sized)
	p.ready()
	// The clipboard of a test's browser cannot be read.
	eval[bool](p, `(navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }, true)`)
	eval[bool](p, `document.querySelector("#share").focus(), true`)
	p.press(kb.Enter)
	p.waitFor(`document.querySelector("#sharing").matches(":modal") && document.activeElement.dataset.key === "share-link"`)
	p.press(kb.Enter)
	p.waitFor(`document.querySelector("#share-said").textContent.includes("copied")`)
	assert.Equal(t, s.url+"#"+sized, eval[string](p, `copied`))

	// Nothing outside is reached; everything inside is.
	reached := map[string]bool{}
	for range 30 {
		p.press(kb.Tab)
		at := eval[string](p, `(() => {
			const e = document.activeElement;
			return e === document.body ? "" : (document.querySelector("#sharing").contains(e) ? "" : "OUTSIDE ") + (e.id || e.dataset.key || e.name);
		})()`)
		assert.NotContains(t, at, "OUTSIDE")
		reached[at] = true
	}
	for _, id := range []string{"share-link", "share-frame", "share-element", "share-part", "share-theme"} {
		assert.True(t, reached[id], "%s is not reached", id)
	}

	// What shows nothing is not offered.
	p.pick("share-part", "answer")
	p.waitFor(`document.querySelector("#share-frame").value.includes("view=chart")`)
	p.pick("share-part", "chart")
	p.waitFor(`document.querySelector("[name=share-part][value=chart]").checked`)
	p.pick("share-part", "form")
	p.waitFor(`document.querySelector("[name=share-lock]")`)

	for _, theme := range []string{"light", "dark"} {
		p.media("prefers-color-scheme", theme, "prefers-reduced-motion", "reduce")
		for _, width := range []int64{320, 1440} {
			p.size(width, 900)
			assert.Empty(t, p.axe(source), "%s, %d px", theme, width)
			assert.LessOrEqual(t, eval[int](p, `document.documentElement.scrollWidth`), int(width))
			assert.LessOrEqual(t, eval[int](p, `document.querySelector("#sharing").scrollWidth - document.querySelector("#sharing").clientWidth`), 0)
			p.screenshot(fmt.Sprintf("share-%d-%s", width, theme))
		}
	}
	p.press(kb.Escape)
	p.waitFor(`!document.querySelector("#sharing").open && document.activeElement.id === "share"`)

	// Where the page may not copy, the text is selected.
	eval[bool](p, `(navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed")), true)`)
	p.click("#share")
	p.waitFor(`document.querySelector("#sharing").open && document.querySelector("#share-element").value`)
	p.click("[data-key=share-element]")
	p.waitFor(`document.querySelector("#share-said").textContent.includes("Ctrl+C")`)
	assert.True(t, eval[bool](p, `(() => {
		const e = document.activeElement;
		return e.id === "share-element" && e.selectionStart === 0 && e.selectionEnd === e.value.length;
	})()`))
}

package e2e

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// element is a <partsize-embed> as people write it.
func element(attributes, inside string) string {
	return "<partsize-embed " + strings.ReplaceAll(attributes, "&", "&amp;") + ">" + inside + "</partsize-embed>"
}

// scripted is a page of another site with our script, under a policy that allows what the script needs and nothing else.
func scripted(t *testing.T, s *site, body string) string {
	t.Helper()
	at, err := url.Parse(s.url)
	require.NoError(t, err)
	origin := at.Scheme + "://" + at.Host
	return host(t, fmt.Sprintf(`<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src %s; frame-src %s">
		<script async src="%sweb/embed.js"></script><main><h1>Host</h1>%s</main>`, origin, origin, s.url, body))
}

// inElement is an expression about the frame in the nth element.
func inElement(n int, about string) string {
	return fmt.Sprintf(`((frame) => %s)(document.querySelectorAll("partsize-embed")[%d].shadowRoot?.querySelector("iframe"))`, about, n)
}

// The element shows what stands in it until its frame is ready, and then the frame, as high as that is. A change is no entry
// in the reader's history.
func TestElement(t *testing.T) {
	s := serve(t, "/x/")
	s.hold("app.wasm")
	p := open(t, "")
	p.goTo(scripted(t, s, element(`scenario="`+sized+`" view="answer,form" label="A partition of 50 GiB"`, `<a id="inside" href="x">The answer</a>`)))
	f := p.frame("/embed/")
	f.waitFor(`document.readyState === "complete"`)
	assert.True(t, eval[bool](p, `document.querySelector("#inside").checkVisibility({visibilityProperty: true})`))
	assert.False(t, eval[bool](p, inElement(0, `frame.checkVisibility({visibilityProperty: true})`)))

	s.open()
	f.ready()
	p.waitFor(inElement(0, `frame.checkVisibility({visibilityProperty: true})`))
	assert.False(t, eval[bool](p, `document.querySelector("#inside").checkVisibility({visibilityProperty: true})`))
	assert.Equal(t, "A partition of 50 GiB", eval[string](p, inElement(0, `frame.title`)))
	assert.Contains(t, f.text("#peak"), "52.")
	fits := func() {
		t.Helper()
		f.waitFor(`document.documentElement.scrollHeight === innerHeight && document.documentElement.getBoundingClientRect().height > innerHeight - 1`)
	}
	fits()
	f.fill("retention.ms", "wrong") // a line more
	fits()

	before := eval[int](p, `history.length`)
	eval[bool](p, `document.querySelector("partsize-embed").setAttribute("scenario", "v=1&retention.bytes=10GiB"), true`)
	f.waitFor(`document.querySelector("#peak").textContent.includes("11.")`)
	eval[bool](p, `document.querySelector("partsize-embed").setAttribute("view", "chart"), true`)
	f.waitFor(`document.querySelectorAll("[data-part]").length === 1 && document.querySelector("[data-part=chart]")`)
	fits()
	assert.Equal(t, before, eval[int](p, `history.length`))
	assert.Equal(t, 1, len(requests(s.take(), "embed/")), "the frame is not loaded again")

	// Taken out and put back it begins anew.
	eval[bool](p, `(() => { const e = document.querySelector("partsize-embed"); const at = e.parentNode; e.remove(); at.append(e); return true; })()`)
	p.waitFor(inElement(0, `frame?.checkVisibility({visibilityProperty: true})`))
}

// requests are those for a path.
func requests(all []request, path string) (of []request) {
	for _, r := range all {
		if r.path == path {
			of = append(of, r)
		}
	}
	return of
}

// Where the program cannot be loaded, and where there is no script, what stands in the element stays.
func TestElementFallsBack(t *testing.T) {
	s := serve(t, "/x/")
	page := scripted(t, s, element(`scenario="`+sized+`"`, `<a id="inside" href="x">The answer</a>`))
	const visible = `document.querySelector("#inside").checkVisibility({visibilityProperty: true})`

	p := open(t, "")
	_, err := chromedp.Call(p.ctx, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	require.NoError(t, err)
	p.goTo(page)
	assert.True(t, eval[bool](p, visible))
	assert.Equal(t, 0, len(requests(s.take(), "embed/")))

	s.hold("app.wasm")
	p = open(t, "")
	p.goTo(page)
	f := p.frame("/embed/")
	f.expect(anything) // the failed request
	f.waitFor(`document.readyState === "complete"`)
	s.offline()
	s.release("app.wasm")
	f.waitFor(`document.querySelector("#crash")`)
	assert.True(t, eval[bool](p, visible))
	assert.False(t, eval[bool](p, inElement(0, `frame.checkVisibility({visibilityProperty: true})`)))
}

// Ten on a page start when they are seen, and share one download.
func TestTenElements(t *testing.T) {
	s := serve(t, "/x/")
	var body strings.Builder
	for i := range 10 {
		body.WriteString(element(fmt.Sprintf(`scenario="v=1&retention.bytes=%dGiB" view="answer"`, 10+i), "Answer") +
			`<svg width="10" height="1500"></svg>`) // tall enough that the next is far away
	}
	p := open(t, "")
	p.goTo(scripted(t, s, body.String()))
	p.frame("retention.bytes=10GiB").ready()
	p.waitFor(inElement(0, `frame.checkVisibility({visibilityProperty: true})`))
	assert.Equal(t, 1, eval[int](p, `[...document.querySelectorAll("partsize-embed")].filter((e) => e.shadowRoot.querySelector("iframe")).length`))
	for i := range 10 {
		eval[bool](p, fmt.Sprintf(`document.querySelectorAll("partsize-embed")[%d].scrollIntoView(), true`, i))
		p.waitFor(inElement(i, `frame?.checkVisibility({visibilityProperty: true})`))
	}
	assert.Contains(t, p.frame("retention.bytes=19GiB").text("#peak"), "20.")
	once(t, s.take())
}

// once fails if anything was sent more than once.
func once(t *testing.T, all []request) {
	t.Helper()
	sent := map[string]int{}
	var total int64
	for _, r := range all {
		if r.bytes > 0 {
			sent[r.path]++
			total += r.bytes
		}
	}
	for path, n := range sent {
		assert.Equal(t, 1, n, path)
	}
	assert.Equal(t, 1, sent["web/app.wasm"])
	t.Logf("%d requests, %d files, %d B in all", len(all), len(sent), total)
}

// Ten at once, as where all of them are in view, share it too: plain frames and elements.
func TestTenAtOnce(t *testing.T) {
	for name, of := range map[string]func(s *site, i int) string{
		"frames": func(s *site, i int) string {
			return iframe(fmt.Sprintf("%sembed/#v=1&retention.bytes=%dGiB&view=answer", s.url, 10+i), "")
		},
		"sandboxed": func(s *site, i int) string {
			return iframe(fmt.Sprintf("%sembed/#v=1&retention.bytes=%dGiB&view=answer", s.url, 10+i), `sandbox="allow-scripts"`)
		},
		"elements": func(s *site, i int) string {
			return element(fmt.Sprintf(`scenario="v=1&retention.bytes=%dGiB" view="answer"`, 10+i), "")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, "/x/")
			var body strings.Builder
			for i := range 10 {
				body.WriteString(of(s, i))
			}
			p := open(t, "")
			p.goTo(scripted(t, s, body.String()))
			for i := range 10 {
				f := p.frame(fmt.Sprintf("retention.bytes=%dGiB", 10+i))
				f.ready()
				assert.Contains(t, f.text("#peak"), fmt.Sprintf("%d.", 11+i))
			}
			if name != "sandboxed" { // there each frame is a site of its own to Chromium, which shares nothing between sites
				once(t, s.take())
			}
		})
	}
}

// The element believes nobody but its own frame, and takes nothing but a height.
func TestElementIgnoresJunk(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, "")
	p.goTo(scripted(t, s, element(`view="answer"`, "Answer")+element(`view="answer" scenario="v=1&retention.ms=1d"`, "Answer")))
	f, other := p.frame("/embed/#view"), p.frame("retention.ms")
	for i, frame := range []*tab{f, other} {
		frame.ready()
		p.waitFor(inElement(i, `frame.checkVisibility({visibilityProperty: true})`))
	}
	height := func() float64 { return eval[float64](p, inElement(0, `frame.getBoundingClientRect().height`)) }
	before := height()
	const junk = `for (const data of [
		{"datawrapper-height": {partsize: 7}}, JSON.stringify({src: "%[1]s", context: "iframe.resize", height: 7}), 7, null, "", {}, [],
		{"datawrapper-height": null}, {height: 7}, "<script>alert(1)</script>",
	]) %[2]s.postMessage(data, "*");`
	// From the host itself, and from the other frame, which is ours too.
	eval[any](p, "(() => {"+fmt.Sprintf(junk, s.url, "window")+"})()")
	eval[any](other, "(() => {"+fmt.Sprintf(junk, s.url, "parent")+"})()")
	// From its own frame, what is no height.
	eval[any](f, `(() => { for (const n of [-1, 0, 1.5, NaN, Infinity, 1e9, "7", [7], {}, null]) parent.postMessage({"datawrapper-height": {partsize: n}}, "*"); })()`)
	eval[any](p, `new Promise((done) => setTimeout(done, 200))`)
	assert.Equal(t, before, height())

	// The frame listens to nobody at all.
	said := f.text("main")
	eval[any](p, `(() => {
		for (const data of ["take over", "ready", {goapp: {type: "notification", path: "#retention.ms=1"}}, {module: 1}, "#retention.ms=1", {scenario: "retention.ms=1"}, null])
			document.querySelector("partsize-embed").shadowRoot.querySelector("iframe").contentWindow.postMessage(data, "*");
	})()`)
	eval[any](f, `new Promise((done) => setTimeout(done, 200))`)
	assert.Equal(t, said, f.text("main"))

	// Its page is asked for a height no longer when the frame shows another.
	eval[any](p, inElement(0, `frame.src = "about:blank"`))
	eval[any](p, `new Promise((done) => setTimeout(done, 200))`)
	assert.Equal(t, before, height())
}

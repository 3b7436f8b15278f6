package e2e

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sized is a scenario that is not the default, in a link.
const sized = "v=1&horizon=1d&produce=5MiB/s&retention.bytes=50GiB"

// iframe is a frame as people write it.
func iframe(address, attributes string) string {
	return fmt.Sprintf(`<iframe src="%s" width="640" height="600" title="Partsize" %s></iframe>`, strings.ReplaceAll(address, "&", "&amp;"), attributes)
}

// embedded is a page of another site with one frame of ours in it, and the frame.
func embedded(t *testing.T, s *site, fragment, attributes string) (p, f *tab) {
	t.Helper()
	p = open(t, "")
	p.goTo(host(t, "<main><h1>Host</h1>"+iframe(s.url+"embed/"+fragment, attributes)+"</main>"))
	f = p.frame("/embed/")
	f.ready()
	return p, f
}

const partsShown = `[...document.querySelectorAll("[data-part]")].map((e) => e.dataset.part)`

// A frame shows the parts that are asked for, of the scenario that is asked for, and nothing around them; a link leads to
// the whole.
func TestEmbedShowsWhatIsAsked(t *testing.T) {
	s := serve(t, "/x/")
	for view, parts := range map[string][]string{
		"":                               {"answer", "chart"},
		"view=answer":                    {"answer"},
		"view=chart":                     {"chart"},
		"view=film":                      {"film"},
		"view=table":                     {"table"},
		"view=form":                      {"form"},
		"view=answer,chart,film":         {"answer", "chart"}, // the film lies below the chart, on its axis
		"view=form%2Ctable,answer,chart": {"answer", "chart", "table", "form"},
	} {
		t.Run(view, func(t *testing.T) {
			p, f := embedded(t, s, "#"+sized+"&"+view, "")
			assert.Equal(t, parts, eval[[]string](f, partsShown))
			assert.Equal(t, 1, eval[int](f, `document.querySelectorAll("main").length`))
			assert.Equal(t, 0, eval[int](f, `document.querySelectorAll("header, footer, nav, #paste-open, #presets, #share").length`))
			if slices.Contains(parts, "answer") {
				assert.Contains(t, f.text("#peak"), "52.")
				assert.Equal(t, "", f.text("#notices"))
			}
			link := eval[string](f, `document.querySelector(".whole a").href`)
			assert.True(t, strings.HasPrefix(link, s.url+"#v=1&"), link)
			assert.Contains(t, link, "retention.bytes=50GiB")
			assert.NotContains(t, link, "view=")
			whole := open(t, link)
			whole.ready()
			assert.Contains(t, whole.text("#peak"), "52.")
			for _, width := range []int{640, 320} {
				eval[bool](p, fmt.Sprintf(`document.querySelector("iframe").width = %d, true`, width))
				f.waitFor(fmt.Sprintf(`innerWidth === %d`, width))
				assert.LessOrEqual(t, eval[int](f, `document.documentElement.scrollWidth`), width)
			}
		})
	}
}

// A view of the page can be shown whole, with the larger program, and a step to it from a part is followed.
func TestEmbedShowsViews(t *testing.T) {
	s := serve(t, "/x/")
	for _, view := range []string{"tiered", "service", "cluster"} {
		t.Run(view, func(t *testing.T) {
			_, f := embedded(t, s, "#v=1&view="+view, "")
			assert.Equal(t, 0, eval[int](f, `document.querySelectorAll("header, footer, nav.views, #paste-open, #presets, #share").length`))
			assert.Contains(t, eval[string](f, `document.querySelector(".whole a").hash`), "view="+view)
			assert.Equal(t, 1, eval[int](f, `document.querySelectorAll("main").length`))
			assert.Equal(t, 1, eval[int](f, `document.querySelectorAll("h1").length`))
		})
	}
	f := open(t, s.url+"embed/#view=answer")
	f.ready()
	eval[bool](f, `(window.before = true, location.hash = "v=1&view=service", true)`)
	f.waitFor(`!window.before && document.readyState === "complete" && !document.getElementById("app-wasm-loader")`)
	assert.NotContains(t, eval[[]string](f, partsShown), "answer")
}

// Parts of the Tiered view are shown alone, with the larger program; the panel's fields change what is checked.
func TestEmbedShowsTheMetadataCheck(t *testing.T) {
	s := serve(t, "/x/")
	link := "#v=1&remote.storage.enable=true&produce=100KiB/s&retention.ms=5d&segment.bytes=64MiB&horizon=20d&log.roll.ms=1h&rlmm.config.remote.log.metadata.topic.retention.ms=1d"
	_, f := embedded(t, s, link+"&view=metadata", "")
	f.waitFor(`!document.querySelector("#checking") && document.querySelector("#meta .verdict")?.textContent.startsWith("At risk from")`)
	assert.Equal(t, 0, eval[int](f, `document.querySelectorAll("#lanes, #answer, #sentence, header, .settings").length`))
	assert.Contains(t, eval[string](f, `document.querySelector(".whole a").hash`), "view=tiered")
	f.click("#meta .card [data-act=set]")
	f.waitFor(`!document.querySelector("#checking") && document.querySelector("#meta .verdict")?.textContent === "Safe"`)
	f.waitFor(`location.hash.endsWith("view=metadata") && !location.hash.includes("view=tiered")`)

	_, f = embedded(t, s, link+"&view=lanes", "")
	f.waitFor(`!!document.querySelector("#lanes .plots") && !document.querySelector("#meta")`)
}

// What is asked for and cannot be shown is said.
func TestEmbedSaysWhatItCannotShow(t *testing.T) {
	_, f := embedded(t, serve(t, "/x/"), "#v=1&view=chart,dance&lock=segment.byte&retention.mss=1", "")
	says := f.text("#notices")
	for _, part := range []string{"dance", "segment.byte", "retention.mss"} {
		assert.Contains(t, says, part)
	}
}

// In a sandbox, without an origin, a storage or a service worker, a frame of fixed height is as alive as anywhere. What the
// reader does in it is no entry in the reader's history, and leaves nothing behind.
func TestEmbedAlive(t *testing.T) {
	for name, attributes := range map[string]string{"cross-origin": "", "sandboxed": `sandbox="allow-scripts"`} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, "/x/")
			p, f := embedded(t, s, "#"+sized+"&view=answer,chart,form", attributes)
			assert.True(t, eval[bool](f, `"value" in Object.getOwnPropertyDescriptor(window, "localStorage")`),
				"this browser does not block the storage, so the test proves nothing")
			before := eval[int](p, `history.length`)
			assert.Contains(t, f.text("#peak"), "52.")
			f.fill("retention.bytes", "10GiB")
			f.waitFor(`document.querySelector("#peak").textContent.includes("12.")`)
			f.waitFor(`location.hash.includes("retention.bytes=10GiB") && location.hash.includes("view=answer,chart,form")`)
			assert.Contains(t, eval[string](f, `document.querySelector(".whole a").hash`), "retention.bytes=10GiB")
			assert.Equal(t, before, eval[int](p, `history.length`))
			assert.Equal(t, "", eval[string](f, `"serviceWorker" in navigator ? "a service worker" : ""`))
			for _, r := range s.take() {
				assert.NotEqual(t, "app-worker.js", r.path, "a frame installs nothing")
				assert.Less(t, r.status, 400, r.path)
			}
		})
	}
}

// A setting that is locked is shown and can be read, and nothing that the reader does changes it.
func TestEmbedLocks(t *testing.T) {
	s := serve(t, "/x/")
	_, f := embedded(t, s, "#"+sized+"&view=answer,form&lock=retention.bytes,log.segment.bytes,cleanup.policy", "")
	for key, value := range map[string]string{"retention.bytes": "50GiB", "segment.bytes": "1GiB", "cleanup.policy": "delete"} {
		field := fieldCSS(key)
		assert.Equal(t, value, f.value(field))
		assert.True(t, eval[bool](f, fmt.Sprintf(`document.querySelector(%q).readOnly && !document.querySelector(%q).disabled`, field, field)), key)
		assert.Contains(t, f.text(field+"-says"), "fixed")
		assert.False(t, eval[bool](f, fmt.Sprintf(`!!document.querySelector("%s-field [data-act=reset]")`, field)))
		f.fill(key, "2GiB") // as a script would
		f.do(chromedp.Focus(chromedp.CSS(field)))
		f.press("\ue013") // arrow up
	}
	f.fill("produce", "1MiB/s")
	f.waitFor(`location.hash.includes("produce=1MiB")|| !location.hash.includes("produce=")`)
	assert.Contains(t, eval[string](f, `location.hash`), "retention.bytes=50GiB")
	assert.NotContains(t, eval[string](f, `location.hash`), "2GiB")

	// All is taken back to what the page's author gave, not to Kafka's defaults.
	eval[bool](f, `[...document.querySelectorAll("[data-act=reset]")].find((b) => !b.dataset.key).click(), true`)
	f.waitFor(`document.querySelector("#f-produce").value === "5MiB/s"`)
	assert.Contains(t, f.text("#peak"), "52.")
}

// pixels is what the host's page shows of a frame.
func pixels(p *tab) image.Image {
	p.t.Helper()
	shot, err := chromedp.Run(p.ctx, chromedp.Screenshot(chromedp.CSS("iframe")))
	require.NoError(p.t, err)
	picture, err := png.Decode(bytes.NewReader(shot))
	require.NoError(p.t, err)
	return picture
}

// luminance is that of WCAG, of a colour from 0 to 65535.
func luminance(r, g, b uint32) float64 {
	linear := func(c uint32) float64 {
		if f := float64(c) / 65535; f > 0.04045 {
			return math.Pow((f+0.055)/1.055, 2.4)
		} else {
			return f / 12.92
		}
	}
	return 0.2126*linear(r) + 0.7152*linear(g) + 0.0722*linear(b)
}

// Text in a frame can be read whatever the reader's system and the host's page are: the ground is the frame's own, unless the
// host says which theme its page has.
func TestEmbedThemes(t *testing.T) {
	s := serve(t, "/x/")
	for _, c := range []struct{ system, host, theme string }{
		{"dark", "light", "auto"}, {"dark", "light", "light"}, {"dark", "light", ""}, {"light", "dark", "dark"},
		{"light", "light", "auto"}, {"dark", "dark", "auto"}, {"light", "dark", "auto"},
	} {
		t.Run(fmt.Sprintf("system %s, host %s, theme %s", c.system, c.host, c.theme), func(t *testing.T) {
			ground := map[string]string{"light": "#ffe", "dark": "#123"}[c.host]
			p := open(t, "")
			p.media("prefers-color-scheme", c.system)
			p.goTo(host(t, "<style>:root{color-scheme:"+c.host+"}body{background:"+ground+"}iframe{border:0}</style><main>"+
				iframe(s.url+"embed/#v=1&view=answer&theme="+c.theme, "")+"</main>"))
			f := p.frame("/embed/")
			f.media("prefers-color-scheme", c.system)
			f.ready()
			var ink [3]uint32
			for i, n := range eval[[]uint32](f, `getComputedStyle(document.querySelector("#sentence")).color.match(/\d+/g).map(Number)`)[:3] {
				ink[i] = n * 257
			}
			picture := pixels(p)
			r, g, b, _ := picture.At(picture.Bounds().Dx()-4, picture.Bounds().Dy()-4).RGBA()
			text, under := luminance(ink[0], ink[1], ink[2]), luminance(r, g, b)
			contrast := (max(text, under) + 0.05) / (min(text, under) + 0.05)
			assert.Greater(t, contrast, 7.0, "ink %v on %d %d %d", ink, r>>8, g>>8, b>>8)
			if c.theme == c.host {
				want := map[string][3]uint32{"light": {0xff, 0xff, 0xee}, "dark": {0x11, 0x22, 0x33}}[c.host]
				assert.Equal(t, want, [3]uint32{r >> 8, g >> 8, b >> 8}, "the host's ground shows through")
			}
		})
	}
}

// The frame's own page is the answer to the defaults without any script, and the program draws the same.
func TestEmbedIsRendered(t *testing.T) {
	s := serve(t, "/x/")
	before := open(t, s.url+"embed/"+withoutProgram)
	before.expect(unusedPreload)
	before.waitFor(`!document.getElementById("app-wasm-loader")`)
	assert.Contains(t, before.text("#sentence"), "594")
	after := open(t, s.url+"embed/")
	after.ready()
	// The order of attributes differs; a receipt is made when it is opened.
	const drawn = `(() => {
		const main = document.querySelector("main").cloneNode(true);
		for (const why of main.querySelectorAll(".why")) why.replaceChildren();
		return main.outerHTML.replace(/\S+="[^"]*"/g, "");
	})()`
	assert.Equal(t, eval[string](before, drawn), eval[string](after, drawn))
}

// While the program loads, a frame of another scenario does not show the answer to the defaults as if it were its own.
func TestEmbedShowsNoOtherScenario(t *testing.T) {
	s := serve(t, "/x/")
	s.hold("app.wasm")
	for fragment, visible := range map[string]string{"": "visible", "#view=answer&theme=dark": "visible", "#v=1&retention.ms=1d": "hidden"} {
		p := open(t, "")
		p.goTo(s.url + "embed/" + fragment)
		assert.Equal(t, visible, eval[string](p, `getComputedStyle(document.querySelector("#sentence")).visibility`), fragment)
	}
	s.open()
}

// A frame tells how high it is, in the two forms that hosts know, and nothing that the reader typed.
func TestEmbedTellsItsHeight(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, "")
	address := s.url + "embed/#" + sized + "&view=answer,form"
	p.goTo(host(t, `<main><script>
		window.heard = [];
		addEventListener("message", (e) => heard.push(e.data));
	</script>`+iframe(address, "")+"</main>"))
	f := p.frame("/embed/")
	f.ready()
	f.waitFor(`document.querySelector("#peak")`)
	height := func() int { return eval[int](f, `Math.ceil(document.documentElement.getBoundingClientRect().height)`) }
	p.waitFor(fmt.Sprintf(`heard.some((m) => m["datawrapper-height"]?.partsize === %d)`, height()))
	said := eval[string](p, `heard.find((m) => typeof m === "string")`)
	assert.JSONEq(t, fmt.Sprintf(`{"src": %q, "context": "iframe.resize", "height": %d}`, address, height()), said)

	before := height()
	f.fill("retention.bytes", "secret")
	eval[bool](f, `document.querySelector("details").open = true`)
	f.waitFor(fmt.Sprintf(`document.documentElement.getBoundingClientRect().height > %d`, before))
	p.waitFor(fmt.Sprintf(`heard.at(-1)["datawrapper-height"]?.partsize > %d`, before))
	eval[bool](f, `document.querySelector("details").open = false, true`)
	f.fill("retention.bytes", "50GiB")
	f.waitFor(`!document.querySelector(".field.error")`)
	p.waitFor(fmt.Sprintf(`heard.at(-1)["datawrapper-height"]?.partsize === %d`, height()))
	assert.NotContains(t, eval[string](p, `JSON.stringify(heard)`), "secret")
}

// Nothing is wrong with a frame by WCAG, and its picture is kept for a person to look at.
func TestEmbedLooks(t *testing.T) {
	source := axeSource(t)
	s := serve(t, "/x/")
	for _, view := range []string{"answer", "chart", "answer,chart,film", "film", "table", "form"} {
		f := open(t, s.url+"embed/#"+sized+"&lock=retention.ms&view="+view)
		f.ready()
		for _, theme := range []string{"light", "dark"} {
			f.media("prefers-color-scheme", theme, "prefers-reduced-motion", "reduce")
			for _, width := range []int64{320, 640} {
				f.size(width, 400)
				assert.Empty(t, f.axe(source), "%s, %s, %d px", view, theme, width)
				f.screenshot(fmt.Sprintf("embed-%s-%d-%s", strings.ReplaceAll(view, ",", "-"), width, theme))
			}
		}
	}
}

package main

import (
	"path/filepath"
	"strings"
	"testing"

	goapp "github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// rendered puts an element into a page.
func rendered(ui goapp.UI) []byte {
	return []byte(`<!doctype html><html><head><title>t</title></head><body>` + goapp.HTMLString(ui) + `</body></html>`)
}

// Pitfall 8: attributes come out of a map; the page must not depend on it.
func TestPageIsTheSameEachTime(t *testing.T) {
	page := func() string {
		fixed, err := fixPage(rendered(goapp.Input().
			ID("i").Class("text").Type("text").Value("7 d").Title("how long").Aria("label", "Retention").DataSet("key", "retention.ms")))
		require.NoError(t, err)
		return string(fixed)
	}
	want := page()
	for range 50 {
		assert.Equal(t, want, page())
	}
	assert.Contains(t, want, `<input aria-label="Retention" class="text" data-key="retention.ms" id="i" title="how long" type="text" value="7 d"/>`)
}

// The policy refuses inline style and script, so a page with them would be
// broken where it is served; it is refused here, with the element's name.
func TestPageThatThePolicyBreaksIsRefused(t *testing.T) {
	for name, ui := range map[string]goapp.UI{
		"style":    goapp.P().Style("width", "3px"),
		"onclick":  goapp.Elem("button").Attr("onclick", "go()"),
		"script":   goapp.Script().Text("go()"),
		"<style>":  goapp.Elem("style").Text("p{}"),
		"/rooted":  goapp.A().Href("/rooted").Text("leaves the directory"),
		"http://x": goapp.Img().Src("http://x/y.png"),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := fixPage(rendered(ui))
			require.Error(t, err)
			assert.Contains(t, err.Error(), name)
		})
	}
	_, err := fixPage(rendered(goapp.A().Href("https://kafka.apache.org").Text("elsewhere")))
	assert.NoError(t, err, "a link may go elsewhere")
}

// Pitfall 17: a site that does not know its address gives no absolute one.
// Pitfall 16 and the storage of frames: host.js stands where it can wrap both.
func TestHead(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, generate(dir, map[string][]byte{appWasm: make([]byte, 12345), allWasm: nil}))
	index := read(t, dir, "index.html")
	assert.NotContains(t, index, "og:image")
	assert.NotContains(t, index, "og:url")
	assert.NotContains(t, withoutSources(index), "://")

	last := 0
	for _, part := range []string{
		"charset", "Content-Security-Policy", "<title>", "web/program.js", "web/theme.js", "web/style.css",
		`src="wasm_exec.js"`, `src="web/host.js"`, `src="app.js"`, "</head>",
	} {
		at := strings.Index(index, part)
		require.Greater(t, at, last, "%s comes too early, or not at all", part)
		last = at
	}
	assert.Contains(t, read(t, dir, "app.js"), `"web/app.wasm": 12345}[document.documentElement.dataset.program]`)
}

// withoutSources is a page without its links to Kafka's source, which a reader may follow.
func withoutSources(page string) string {
	return strings.ReplaceAll(page, `href="https://github.com/apache/kafka/`, "")
}

// The page for frames is told apart, is not installed and not found by itself, and may have no other base than its own host's.
func TestHeadOfFrames(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, generate(dir, map[string][]byte{appWasm: make([]byte, 12345), allWasm: nil}))
	page := read(t, dir, "embed/index.html")
	assert.NoFileExists(t, filepath.Join(dir, "embed.html"))
	for _, part := range []string{`<html lang="en" class="embed">`, `content="noindex"`, "base-uri &#39;self&#39;", `<base href="../"/>`, "web/frame.js"} {
		assert.Contains(t, page, part)
	}
	for _, part := range []string{"manifest\"", "apple-touch-icon", "web/theme.js"} {
		assert.NotContains(t, page, part)
	}
	assert.NotContains(t, withoutSources(page), "://")
	assert.Less(t, strings.Index(page, "Content-Security-Policy"), strings.Index(page, "<base"))
	assert.Less(t, strings.Index(page, "<base"), strings.Index(page, "src="))
	assert.Contains(t, read(t, dir, "index.html"), "base-uri &#39;none&#39;")
}

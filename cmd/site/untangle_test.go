package main

import (
	"testing"

	goapp "github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/stretchr/testify/assert"
)

// Each case is what a component renders, and the HTML that it must become. One
// attribute an element, because go-app writes them in any order.
func TestUntangle(t *testing.T) {
	const nbsp = "\u00a0"
	for name, c := range map[string]struct {
		ui   goapp.UI
		want string
	}{
		"pitfall 6: off is no attribute": {
			goapp.Select().Body(
				goapp.Option().Selected(false).Text("a"),
				goapp.Option().Selected(true).Text("b")),
			`<select><option>a</option><option selected>b</option></select>`},
		"pitfall 6: checked": {
			goapp.Input().Checked(false),
			`<input>`},
		"pitfall 7: a quote": {
			goapp.P().Title(`the "active" segment`),
			`<p title="the &#34;active&#34; segment"></p>`},
		"pitfall 7: a no-break space, a line break, a backslash": {
			goapp.P().Title("3" + nbsp + "h\nC:\\kafka"),
			"<p title=\"3" + nbsp + "h\nC:\\kafka\"></p>"},
		"pitfall 7: aria": {
			goapp.P().Aria("hidden", true),
			`<p aria-hidden="true"></p>`},
		"pitfall 7: aria that is off stays": {
			goapp.Button().Aria("pressed", false).Text("All"),
			`<button aria-pressed="false">All</button>`},
		"what looks like markup stays text": {
			goapp.P().Title(`<b> & &lt;`).Text(`<script>alert("1")</script> & &lt;`),
			`<p title="&lt;b&gt; &amp; &amp;lt;">&lt;script&gt;alert(&#34;1&#34;)&lt;/script&gt; &amp; &amp;lt;</p>`},
		"no space between a number and its unit": {
			goapp.P().Body(goapp.B().Text("51.4"), goapp.Span().Text("GiB")),
			`<p><b>51.4</b><span>GiB</span></p>`},
		"the spaces of a text stay": {
			goapp.P().Body(goapp.Text("peaks at "), goapp.B().Text("51.4 GiB"), goapp.Text(" on disk")),
			`<p>peaks at <b>51.4 GiB</b> on disk</p>`},
		"texts side by side": {
			goapp.P().Body(goapp.Text("a"), goapp.Text("b")),
			`<p>ab</p>`},
		"an empty text": {
			goapp.P().Body(goapp.Text(""), goapp.Text("b")),
			`<p>b</p>`},
		"deep": {
			goapp.Div().Body(goapp.Div().Body(goapp.P().Body(goapp.I().Text("x"), goapp.Text(" y")))),
			`<div><div><p><i>x</i> y</p></div></div>`},
		"a listing keeps its lines": {
			goapp.Pre().Text("a\n  b\n\nc\n"),
			"<pre>a\n  b\n\nc\n</pre>"},
		"a listing of parts keeps its lines": {
			goapp.Pre().Body(goapp.Text("a\n"), goapp.B().Text("b\n c"), goapp.Text("\nd\n")),
			"<pre>a\n<b>b\n c</b>\nd\n</pre>"},
		"a picture given as markup": {
			goapp.Div().Body(goapp.Raw(`<svg viewBox="0 0 1 1"><path d='M0 0' class=a /><path d="M1 1"/></svg>`)),
			`<div><svg viewBox="0 0 1 1"><path d='M0 0' class=a /><path d="M1 1"/></svg></div>`},
	} {
		t.Run(name, func(t *testing.T) {
			assert.Equal(t, c.want, string(untangle([]byte(goapp.HTMLString(c.ui)))))
		})
	}
}

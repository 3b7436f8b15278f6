package e2e

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
)

// What is typed before the program runs is kept, announced to it, and the
// cursor stays where it was.
func TestEarlyTypingIsKept(t *testing.T) {
	const field = "#f-retention-ms"
	s := serve(t, "/x/")
	s.hold("app.wasm")
	p := open(t, "")
	p.goTo(s.url)
	eval[any](p, `document.querySelector("`+field+`").value = ""`)
	p.typeInto(field, "7 days")
	p.do(chromedp.Evaluate[chromedp.Void](`document.querySelector("` + field + `").setSelectionRange(1, 3)`))
	eval[any](p, `(() => {
		window.heard = [];
		window.old = document.querySelector("`+field+`");
		for (const type of ["input", "change"])
			document.addEventListener(type, (e) => e.target === old || heard.push(type + " " + e.target.value));
	})()`)
	s.open()
	p.ready()
	p.waitFor(`document.querySelector("` + field + `") !== window.old`)
	assert.Equal(t, "7 days", p.value(field))
	assert.Equal(t, []string{"input 7 days", "change 7 days"}, eval[[]string](p, `heard`))
	assert.Equal(t, []int{1, 3}, eval[[]int](p, `[document.activeElement.selectionStart, document.activeElement.selectionEnd]`))
	p.press("x")
	assert.Equal(t, "7xays", p.value(field))
}

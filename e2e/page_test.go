package e2e

import (
	"testing"

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
}

package e2e

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// endProgram makes the Go program panic: go-app's goappNav takes an address and
// gets none.
const endProgram = `void goappNav()`

// Pitfall 16: when the Go program ends, the page says so, and reloading brings
// it back with the scenario that is in the address.
func TestCrashBanner(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+"#retention.ms=3600000")
	p.expect(anything) // Go prints its stack to the console, line by line
	p.ready()
	scenario := eval[string](p, `location.hash`)
	assert.Contains(t, scenario, "retention.ms")
	eval[any](p, endProgram)
	p.waitFor(`document.querySelector("#crash[role=alert]")`)
	assert.Contains(t, p.text("#crash"), "stopped working")
	p.screenshot("crash")

	eval[any](p, `window.before = true`)
	p.click("#crash button:nth-of-type(1)")
	p.waitFor(`!window.before`)
	p.ready()
	assert.Equal(t, scenario, eval[string](p, `location.hash`))

	eval[any](p, endProgram)
	p.waitFor(`document.querySelector("#crash")`)
	eval[any](p, `window.before = true`)
	p.click("#crash button:nth-of-type(2)")
	p.waitFor(`!window.before`)
	p.ready()
	assert.NotContains(t, eval[string](p, `location.hash`), "retention.ms", "without the scenario, if that is what ends it")
}

// A program that cannot be loaded leaves the rendered page, and says so.
func TestProgramThatDoesNotLoad(t *testing.T) {
	s := serve(t, "/x/")
	s.hold("app.wasm")
	p := open(t, "")
	p.expect(anything) // the failed request, and go-app's word on it
	p.goTo(s.url)
	s.offline()
	s.release("app.wasm")
	p.waitFor(`document.querySelector("#crash")`)
	assert.Contains(t, p.text("#crash"), "could not be loaded")
	assert.True(t, eval[bool](p, `!!document.querySelector("h1")`))
}

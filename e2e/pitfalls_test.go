package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// These try in the real page what docs/decisions/0004 says of go-app, by the number of the pitfall.

// Pitfall 10: attributes are set in random order, and a range refuses a value above 100 as long as it has no maximum. One in
// five was wrong; the slider is made forty times here.
func TestRangeHasItsValue(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"embed/#view=chart")
	p.ready()
	at := eval[float64](p, `Number(document.querySelector("#at").value)`)
	assert.Greater(t, at, 1e9, "the peak is after days")
	assert.Equal(t, []float64{}, eval[[]float64](p, `(async () => {
		const wrong = [];
		const until = async (there) => { while (!!document.querySelector("#at") !== there) await new Promise(requestAnimationFrame); };
		for (let i = 0; i < 40; i++) {
			location.hash = "view=answer";
			await until(false);
			location.hash = "view=chart";
			await until(true);
			await new Promise(requestAnimationFrame);
			const value = Number(document.querySelector("#at").value);
			if (value !== `+fmt.Sprint(int64(at))+`) wrong.push(value);
		}
		return wrong;
	})()`))
}

// Pitfall 11: where the drawn value is the one from before, go-app leaves what was typed over it.
func TestTextThatIsTakenBackLeavesItsField(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	for range 2 { // the second time nothing has changed for go-app
		for _, value := range []string{"soon", "", "-5", "1d"} {
			p.fill("retention.ms", value)
			p.waitFor(`!!document.querySelector("#f-retention-ms-field [data-act=reset]")`)
			p.click("#f-retention-ms-field [data-act=reset]")
			p.waitFor(`document.querySelector("#f-retention-ms").value === "7d"`)
		}
	}
	// Undo does it too, and so does a preset that is taken twice.
	p.fill("retention.ms", "soon")
	p.waitFor(`!!document.querySelector("#f-retention-ms-err")`)
	p.click("#undo")
	p.waitFor(`document.querySelector("#f-retention-ms").value === "7d"`)
	for range 2 {
		eval[bool](p, `(() => {
			const presets = document.querySelector("#presets");
			presets.value = "Bound by size";
			presets.dispatchEvent(new Event("input", {bubbles: true}));
			return true;
		})()`)
		p.waitFor(`document.querySelector("#f-retention-bytes").value === "50GiB" && document.querySelector("#presets").value === ""`)
		p.fill("retention.bytes", "1GiB")
		p.waitFor(`location.hash.includes("retention.bytes=1GiB")`)
	}
	// A choice goes back as well as a text.
	eval[bool](p, `(() => {
		const field = document.querySelector("#f-kafka-version");
		for (let box = field.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
		return true;
	})()`)
	before := p.value("#f-kafka-version")
	p.fill("kafka.version", "2.8")
	p.waitFor(`!!document.querySelector("#f-kafka-version-field [data-act=reset]")`)
	p.click("#f-kafka-version-field [data-act=reset]")
	p.waitFor(`document.querySelector("#f-kafka-version").value === ` + quote(before))
}

// Pitfall 13: children are compared by their position. When one of a list goes, the buttons of the others still mean their own.
func TestListsKeepTheirButtons(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&a.one=1&b.two=2&c.three=3&d.four=4")
	p.ready()
	left := func() string { return eval[string](p, `document.querySelector("#notices").textContent`) }
	drop := func(key string) {
		t.Helper()
		eval[bool](p, fmt.Sprintf(`[...document.querySelectorAll("#notices .notice")].find((n) => n.textContent.includes(%q)).querySelector("[data-act=reset]").click(), true`, key))
		p.waitFor(fmt.Sprintf(`!document.querySelector("#notices").textContent.includes(%q)`, key))
	}
	drop("b.two")
	for _, key := range []string{"a.one", "c.three", "d.four"} {
		assert.Contains(t, left(), key)
	}
	drop("a.one")
	drop("d.four")
	assert.Contains(t, left(), "c.three")
	p.waitFor(`location.hash === "#v=1&c.three=3"`)

	// A field that is being typed in stays the same one, with its focus and its cursor, while lines come and go around it.
	eval[bool](p, `(window.field = document.querySelector("#f-retention-ms"), field.focus(), true)`)
	for _, value := range []string{"1", "1x", "1xd", "1d", "1", "10d"} {
		eval[bool](p, `(field.value = `+quote(value)+`, field.setSelectionRange(1, 1), field.dispatchEvent(new Event("input", {bubbles: true})), true)`)
		p.waitFor(fmt.Sprintf(`!!document.querySelector("#f-retention-ms-err") === %t`, strings.Contains(value, "x")))
		assert.True(t, eval[bool](p, `document.activeElement === field && field.isConnected && field.selectionStart === 1`), value)
		assert.Equal(t, value, p.value("#f-retention-ms"))
	}
}

// Pitfall 15: the queue of what is to be drawn has 4096 places, and who fills it from within waits for ever. No flood of
// events stops the page, and progress is told seldom enough.
func TestFloodDoesNotStopThePage(t *testing.T) {
	p := open(t, serve(t, "/x/").url)
	p.ready()
	eval[bool](p, `(() => {
		const field = document.querySelector("#f-retention-ms"), slider = document.querySelector("#at"), over = document.querySelector(".over");
		for (let i = 1; i <= 10000; i++) {
			dispatchEvent(new HashChangeEvent("hashchange"));
			if (i % 2 === 0) over.dispatchEvent(new PointerEvent("pointermove", {buttons: 1, clientX: i % 500, bubbles: true}));
			if (i % 20 === 0) {
				slider.value = slider.max * i / 10000;
				slider.dispatchEvent(new Event("input", {bubbles: true}));
			}
			if (i % 500 === 0) { // each is simulated, one after the other
				field.value = i + "h";
				field.dispatchEvent(new Event("input", {bubbles: true}));
			}
		}
		return true;
	})()`)
	p.waitFor(`location.hash.includes("retention.ms=10000h")`)

	eval[bool](p, `(() => {
		window.told = [];
		new MutationObserver(() => told.push(performance.now())).observe(document.querySelector("#notices"), {subtree: true, childList: true, characterData: true});
		return true;
	})()`)
	p.fill("horizon", "10y")
	p.fill("produce", "20MiB/s")
	p.waitFor(`document.querySelector("#notices").textContent.includes("Simulating") && told.length > 5`)
	p.fill("produce", "1KiB/s")
	p.fill("horizon", "30d")
	p.waitFor(`location.hash.includes("produce=1KiB/s") && !document.querySelector("#notices").textContent.includes("Simulating")`)
	rate := eval[[]float64](p, `[told.length, (told.at(-1) - told[0]) / 1000]`)
	t.Logf("%.0f changes of the notices in %.1f s", rate[0], rate[1])
	assert.Less(t, rate[0], 20+rate[1]*12, "progress is told some eight times a second")
	assert.False(t, eval[bool](p, `!!document.getElementById("crash")`))
}

package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
)

const ibmLink = "#v=1&view=service&service=ibm-event-streams&storage=2TB&retention.bytes=50GiB&segment.bytes=1GiB&partitions=36"

// A reader picks a service, sees a refusal with its way out, presses it, and it is gone; the link has all of it.
func TestServiceIsPickedAndAWayOutIsPressed(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	p.click(`.views a[href*="view=service"]`)
	p.waitFor(`!!document.querySelector("#service")`)
	assert.Contains(t, p.text("#sentence"), "Apache Kafka")
	p.choose("#service", "ibm-event-streams")
	p.waitFor(`location.hash.includes("service=ibm-event-streams")`)
	p.fill("retention.bytes", "50GiB")
	p.fill("segment.bytes", "1GiB")
	p.fill("partitions", "36")
	p.typeInto("#of-storage", "2TB")
	p.waitFor(`document.querySelector("#sentence").textContent.includes("refused")`)
	assert.Contains(t, p.text("#findings"), "PolicyViolation")
	p.click(`#findings [data-act="set"][data-key="partitions"]`)
	p.waitFor(`document.querySelector("#sentence").textContent.includes("accepted")`)
	assert.Equal(t, "32", p.value("#f-partitions"))
	p.waitFor(`location.hash.includes("partitions=32") && location.hash.includes("storage=2TB")`)

	again := open(t, eval[string](p, "location.href"))
	again.ready()
	again.waitFor(`!!document.querySelector("#sentence") && document.querySelector("#sentence").textContent.includes("accepted")`)
	assert.Equal(t, "2TB", again.value("#of-storage"))
	assert.Equal(t, "ibm-event-streams", again.value("#service"))
	again.waitFor(`document.querySelectorAll("#services tbody tr").length > 25`)
	assert.Equal(t, 0, eval[int](again, `[...document.querySelectorAll("#services tbody tr")].filter((tr) => !tr.cells[1].textContent.trim()).length`))

	// A service's row picks it.
	again.click(`#services [data-act="pick"][data-key="aiven"]`)
	again.waitFor(`document.querySelector("#service").value === "aiven"`)
	again.click("#undo")
	again.waitFor(`document.querySelector("#service").value === "ibm-event-streams"`)
}

// The questions to the service, with the keyboard alone.
func TestServiceIsAskedWithTheKeyboard(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+ibmLink)
	p.ready()
	p.waitFor(`!!document.querySelector("#ask-create")`)
	eval[bool](p, `document.querySelector("#ask-create").focus(), true`)
	p.press("audit 3 retention.bytes=5GiB")
	p.waitFor(`document.querySelector("#ask").textContent.includes("Creating topic audit with 3 partitions is refused")`)
	assert.Equal(t, "audit 3 retention.bytes=5GiB", p.value("#ask-create"), "what is typed stays")
	// The way out that the answer offers comes next, then the next question.
	p.press(kb.Tab)
	assert.Equal(t, "storage", eval[string](p, `document.activeElement.dataset.key`))
	p.press(kb.Enter)
	p.waitFor(`document.querySelector("#of-storage").value !== "2TB"`)
}

// The topic that is asked about is chosen, and this page's again, which has no name.
func TestServiceTopicIsChosen(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+ibmLink+"&topics=audit!3")
	p.ready()
	p.waitFor(`!!document.querySelector("#ask-topic")`)
	chosen := `document.querySelector("#ask-topic").selectedOptions[0]?.textContent`
	assert.Equal(t, "this topic", eval[string](p, chosen))
	p.choose("#ask-topic", "audit")
	p.waitFor(`document.querySelector("#ask").textContent.includes("Adding one partition to topic audit")`)
	p.waitFor(`location.hash.includes("ask.topic=audit")`)
	eval[bool](p, `(() => { const s = document.querySelector("#ask-topic"); s.selectedIndex = 0; s.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
	p.waitFor(`document.querySelector("#ask").textContent.includes("Adding one partition to the topic")`)
	p.waitFor(`!location.hash.includes("ask.topic")`)
	assert.Equal(t, "this topic", eval[string](p, chosen))
}

// The disk of an instance is drawn with its thresholds; the list of topics is kept in the link.
func TestServiceDiskIsPlayed(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url+"#v=1&view=service&service=apsaramq&disk=300GB&produce=1MB/s&horizon=10d")
	p.ready()
	p.waitFor(`!!document.querySelector("#disk svg[role=img]")`)
	assert.Contains(t, p.text("#disk"), "forced")
	eval[bool](p, `(() => { const f = document.querySelector("#topics"); f.focus(); f.value = "orders 3 produce=1MB/s\naudit"; f.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
	p.waitFor(`location.hash.includes("topics=orders!3!produce:1MB/s;audit")`)
	assert.Contains(t, p.text("#disk"), "2 topics beside this one")
	assert.Equal(t, "orders 3 produce=1MB/s\naudit", p.value("#topics"))
}

// Nothing is wrong with the view for axe-core, in both themes, and nothing is wider than the screen.
func TestServiceAccessibility(t *testing.T) {
	source := axeSource(t)
	s := serve(t, "/x/")
	for name, link := range map[string]string{
		"plain":   "#v=1&view=service",
		"ibm":     ibmLink + "&topics=orders!12!retention.bytes:10GiB;x!y&ask.set=nonsense&ask.create=a!3&daily.volume=200MB&keep=5d",
		"apsara":  "#v=1&view=service&service=apsaramq&disk=300GB&produce=1MB/s&horizon=10d",
		"msk":     "#v=1&view=service&service=amazon-msk&disk=1000GiB&produce=10MB/s&auto.scaling.target=60&partitions=6",
		"unknown": "#v=1&view=service&service=ibm&storage=0&plan=gold",
		"tiered":  "#v=1&view=service&service=aiven&disk=1TiB&remote.storage.enable=true&local.retention.ms=1d",
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, s.url+link)
			p.ready()
			p.waitFor(`document.querySelectorAll("#services tbody tr").length > 25`)
			eval[bool](p, `document.querySelectorAll("main details").forEach((d) => { d.open = true; }), true`)
			for _, theme := range []string{"light", "dark"} {
				p.media("prefers-color-scheme", theme, "prefers-reduced-motion", "reduce")
				for _, width := range []int64{320, 1440} {
					p.size(width, 900)
					assert.Empty(t, p.axe(source), "%s, %d px", theme, width)
					assert.LessOrEqual(t, eval[int](p, `document.documentElement.scrollWidth`), int(width), "%s, %d px", theme, width)
				}
			}
			p.size(360, 900)
			p.screenshot("service-" + name + "-360-dark")
		})
	}
	t.Run("rules", func(t *testing.T) {
		p := open(t, s.url+"services.html")
		for _, width := range []int64{320, 1440} {
			p.size(width, 900)
			assert.Empty(t, p.axe(source), "%d px", width)
			assert.LessOrEqual(t, eval[int](p, `document.documentElement.scrollWidth`), int(width))
		}
		assert.Contains(t, p.text("main"), "Event Streams")
	})
}

// Once they were opened, the page of all rules is there without a network, and so is the view.
func TestServiceOffline(t *testing.T) {
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	p.installed()
	p.goTo(s.url + "services.html")
	p.goTo(s.url + "#v=1&view=service")
	p.ready()
	s.offline()
	p.goTo(s.url + "services.html")
	assert.Contains(t, p.text("h1"), "managed services")
	p.goTo(s.url + ibmLink)
	p.ready()
	p.waitFor(`!!document.querySelector("#sentence") && document.querySelector("#sentence").textContent.includes("refused")`)
}

// choose chooses an option of a select, as a reader does.
func (p *tab) choose(css, value string) {
	p.t.Helper()
	eval[bool](p, `(() => { const s = document.querySelector(`+quote(css)+`); s.focus(); s.value = `+quote(value)+`; s.dispatchEvent(new Event("input", {bubbles: true})); return true; })()`)
}

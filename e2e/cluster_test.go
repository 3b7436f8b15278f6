package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// clusterAt opens the cluster's view and waits until the worker has answered.
func clusterAt(t *testing.T, s *site, fragment string) *tab {
	t.Helper()
	p := open(t, s.url+"#v=1&view=cluster"+fragment)
	p.ready()
	p.clusterDone()
	return p
}

// address is where the page is, without its fragment.
func (p *tab) address() string { return eval[string](p, `location.href.split("#")[0]`) }

func (p *tab) clusterDone() {
	p.t.Helper()
	p.waitFor(`document.querySelectorAll("#dirs .dir").length > 0 && !document.querySelector("[data-act=stop-cluster]")`)
}

// tabTo presses Tab until an element that matches has the focus.
func (p *tab) tabTo(css string) {
	p.t.Helper()
	for range 120 {
		if eval[bool](p, fmt.Sprintf(`document.activeElement.matches(%q)`, css)) {
			return
		}
		p.press(kb.Tab)
	}
	p.t.Fatalf("Tab does not reach %s", css)
}

// From the cluster to a broker's directory, to a replica, to its segments, and back again, with the keyboard alone.
func TestClusterByKeyboard(t *testing.T) {
	p := clusterAt(t, serve(t, "/x/"), "")
	require.Contains(t, p.text("#sentence"), "The first directory to fill is")
	p.screenshot("cluster")

	p.tabTo("#dirs a")
	dir := eval[string](p, `document.activeElement.textContent`)
	p.press(kb.Enter)
	p.waitFor(`document.querySelector("#cluster-title").textContent.startsWith("Broker 1, ") && document.activeElement.id === "cluster-title"`)
	assert.Contains(t, p.text("#cluster-title"), dir)
	p.waitFor(`location.hash.includes("c-where=1")`)

	p.waitFor(`document.querySelector(".cluster-tables h2")?.textContent === "Replicas"`)
	p.tabTo(".cluster-tables th a")
	replica := eval[string](p, `document.activeElement.textContent`)
	assert.Regexp(t, `^[a-z]+-\d+$`, replica)
	p.press(kb.Enter)
	p.waitFor(`!!document.querySelector("figure .film svg, .film svg")`)
	assert.Contains(t, p.text(".crumbs"), replica)
	assert.Contains(t, p.text(".crumbs"), dir)

	p.tabTo(".crumbs a[href*=\"c-where=1%3A\"], .crumbs a[href*=\"c-where=1:\"]")
	p.press(kb.Enter)
	p.waitFor(`document.querySelector("#cluster-title")?.textContent.startsWith("Broker 1, ")`)
	p.tabTo(".crumbs a")
	p.press(kb.Enter)
	p.waitFor(`document.querySelector("#cluster-title")?.textContent.startsWith("Directories")`)
	for range 3 { // and by the browser's own way back
		eval[bool](p, `history.back(), true`)
	}
	p.waitFor(`document.querySelector("#cluster-title")?.textContent.startsWith("Broker 1, ")`)
}

// What is typed is worked out, is in the link, and the link brings it back.
func TestClusterLink(t *testing.T) {
	s := serve(t, "/x/")
	p := clusterAt(t, s, "")
	before := p.text("#sentence")
	p.typeCluster("c-topics-0-3", "20MiB/s")
	p.waitFor(`location.hash.includes("20MiB")`)
	p.waitFor(fmt.Sprintf(`document.querySelector("#sentence").textContent !== %q`, before))
	p.clusterDone()
	sentence := p.text("#sentence")
	p.pressed("[data-act=place][data-value=least-bytes]")
	p.waitFor(`location.hash.includes("c-by=least-bytes")`)
	p.pressed("#cluster-add-c-if")
	p.waitFor(`location.hash.includes("c-if=lose,10,2")`)
	p.clusterDone()
	p.waitFor(`[...document.querySelectorAll(".cluster-tables h2")].some((h) => h.textContent === "What is copied")`)
	p.typeCluster("c-if-0-0", "set")
	p.waitFor(`document.querySelector("#c-if-0-2").value === "retention.ms=1d"`)
	p.waitFor(`[...document.querySelectorAll(".cluster-tables h2")].some((h) => h.textContent === "When space returns")`)
	p.typeCluster("c-if-0-0", "lose")
	p.waitFor(`location.hash.includes("c-if=lose,10,2")`)
	p.clusterDone()

	q := open(t, eval[string](p, `location.href`))
	q.ready()
	q.clusterDone()
	assert.Equal(t, "20MiB/s", q.value("#c-topics-0-3"))
	assert.Equal(t, "lose", q.value("#c-if-0-0"))
	assert.Equal(t, "true", eval[string](q, `document.querySelector("[data-value=least-bytes]").getAttribute("aria-pressed")`))
	q.pressed("[data-act=remove][data-key=c-if]")
	q.pressed("[data-act=place]")
	q.waitFor(`!location.hash.includes("c-if") && !location.hash.includes("c-by")`)
	q.clusterDone()
	q.waitFor(fmt.Sprintf(`document.querySelector("#sentence").textContent === %q`, sentence))
}

// pressed presses a button that may be out of sight.
func (p *tab) pressed(css string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`document.querySelector(%q).click(), true`, css))
}

// typeCluster types into a field of the cluster's form.
func (p *tab) typeCluster(id, value string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		const field = document.getElementById(%q);
		field.value = %q;
		field.dispatchEvent(new Event("input", {bubbles: true}));
		return true;
	})()`, id, value))
}

// What is typed stays, however soon after something else: each time a little later, so that it comes at any point of the
// drawing of what was typed before.
func TestClusterTypedFast(t *testing.T) {
	p := clusterAt(t, serve(t, "/x/"), "")
	for i := range 40 {
		brokers, size := fmt.Sprint(5+i), fmt.Sprint(700+i, "GiB")
		eval[bool](p, fmt.Sprintf(`(async () => {
			const type = (id, value) => {
				const field = document.getElementById(id);
				field.focus();
				field.value = value;
				field.dispatchEvent(new Event("input", {bubbles: true}));
			};
			type("c-size", %q);
			for (const end = performance.now() + %d; performance.now() < end;) await new Promise((done) => setTimeout(done));
			type("c-brokers", %q);
			return true;
		})()`, size, i, brokers))
		p.waitFor(fmt.Sprintf(`location.hash.includes("c-brokers=%s") && location.hash.includes("c-size=%s")`, brokers, size))
		assert.Equal(t, brokers, p.value("#c-brokers"))
		assert.Equal(t, size, p.value("#c-size"))
	}
	p.pressed("[data-act=example]")
	p.waitFor(`document.getElementById("c-brokers").value === "4" && document.getElementById("c-size").value === "600GiB"`)
}

// Bad input is named under its field or under the answer, and the last cluster stays.
func TestClusterMistakes(t *testing.T) {
	p := clusterAt(t, serve(t, "/x/"), "")
	before := p.text("#sentence")
	p.typeCluster("c-brokers", "many")
	p.waitFor(`document.querySelector("#c-brokers-err")?.textContent.includes("“many” is not a whole number")`)
	assert.Equal(t, before, p.text("#sentence"))
	p.typeCluster("c-brokers", "2")
	p.waitFor(`document.querySelector("#notices").textContent.includes("replication factor of 3 cannot be reached because only 2 broker(s)")`)
	assert.Equal(t, before, p.text("#sentence"))
	p.waitFor(`document.querySelector("#c-topics-0-2-err")?.textContent.includes("replication factor of 3 cannot be reached")`)
	assert.Contains(t, p.text("#notices"), "Shown is the last cluster that could be worked out.")
	p.typeCluster("c-brokers", "2000")
	p.typeCluster("c-dirs", "100")
	p.waitFor(`document.querySelector("#notices").textContent.includes("at most 10000 are taken")`)
	p.typeCluster("c-brokers", "3")
	p.typeCluster("c-dirs", "3")
	p.waitFor(`!document.querySelector("#notices").textContent.includes("taken")`)
	p.pressed("#cluster-add-c-if")
	p.waitFor(`!!document.querySelector("#c-if-0-0")`)
	p.typeCluster("c-if-0-0", "reassign")
	p.waitFor(`document.querySelector("#c-if-0-2").value.startsWith("orders-0 2,3,4")`) // what a new one says
	p.typeCluster("c-if-0-2", "orders-0 2,3,77")
	p.waitFor(`document.querySelector("#c-if-0-2-err")?.textContent.includes("there is no broker 77; there are 1 to 3")`)
	p.typeCluster("c-if-0-2", "orders-0 2,3 50MiB/s")
	p.waitFor(`!document.querySelector("#c-if-0-2-err")`)
	p.pressed("[data-act=remove][data-key=c-if]")
	p.paste("{\"format\":\"partsize-cluster/1\",\n\"brokers\":[{\"log.dirs\":\"/a\"}],\n\"topics\":[{\"name\":\"t\",\"produce\":\"fast\"},\n{\"name\":\"t\",\"replication.factor\":2}]}")
	for _, problem := range []string{"pasted 1: topics[0].produce: fast: ", "(line 3)", "pasted 1: topics[1].name: topic \"t\" is given twice; it was in line 3 (line 4)"} {
		p.waitFor(fmt.Sprintf(`document.querySelector("#notices").textContent.includes(%q)`, problem))
	}
	p.pressed("#cluster-files [data-act=drop]")
	p.waitFor(`!document.querySelector("#notices").textContent.includes("given twice")`)
	p.paste("Topic: t\tPartitionCount: x")
	p.waitFor(`document.querySelector("#notices").textContent.includes("pasted 1")`)
}

// paste takes a text as the output of Kafka's tools.
func (p *tab) paste(content string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(() => {
		document.querySelector("#cluster-paste").open = true;
		document.querySelector("#cluster-text").value = %q;
		document.querySelector("#cluster-use").click();
		return true;
	})()`, content))
}

// What Kafka's tools print is a cluster; it is not in the link.
func TestClusterPaste(t *testing.T) {
	p := clusterAt(t, serve(t, "/x/"), "")
	p.paste(`{"version":1,"brokers":[{"broker":1,"logDirs":[{"logDir":"/one","error":null,"partitions":[{"partition":"<b>evil-0","size":1000000000,"offsetLag":0,"isFuture":false},{"partition":"t-1","size":500000000,"offsetLag":0,"isFuture":false}]},{"logDir":"/two","error":null,"partitions":[]}]}]}`)
	p.waitFor(`document.querySelector("#dirs").textContent.includes("/two")`)
	p.clusterDone()
	assert.NotContains(t, eval[string](p, `location.hash`), "one")
	assert.Contains(t, p.text("#notices"), "not in the link")
	p.waitFor(`!!document.querySelector("#c-feed")`)
	p.typeCluster("c-feed", "5MiB/s")
	p.clusterDone()
	p.waitFor(`!document.querySelector("#dirs .dir .r").textContent.includes("never full")`)
	assert.False(t, eval[bool](p, `!!document.querySelector("#dirs b, .cluster-tables b")`))
	p.pressed("#cluster-files [data-act=drop]")
	p.waitFor(`document.querySelector("#dirs").textContent.includes("/data/a")`)
}

// Files that are chosen are read as what is pasted; one that has gone since is named.
func TestClusterFiles(t *testing.T) {
	p := clusterAt(t, serve(t, "/x/"), "")
	choose := func(name, content string) {
		eval[bool](p, fmt.Sprintf(`(() => {
			document.querySelector("#cluster-paste").open = true;
			const input = document.querySelector("#cluster-file"), chosen = new DataTransfer();
			chosen.items.add(new File([%q], %q));
			input.files = chosen.files;
			input.dispatchEvent(new Event("change", {bubbles: true}));
			return true;
		})()`, content, name))
	}
	choose("dirs.txt", `{"version":1,"brokers":[{"broker":7,"logDirs":[{"logDir":"/one","error":null,"partitions":[{"partition":"t-0","size":1000,"offsetLag":0,"isFuture":false}]}]}]}`)
	p.waitFor(`document.querySelector("#cluster-files").textContent.includes("dirs.txt") && document.querySelector("#dirs").textContent.includes("/one")`)
	eval[bool](p, `Blob.prototype.text = () => Promise.reject(new DOMException("", "NotReadableError")), true`)
	choose("gone.txt", "x")
	p.waitFor(`document.querySelector("#notices").textContent.includes("gone.txt cannot be read.")`)
	assert.NotContains(t, p.text("#cluster-files"), "gone.txt")
}

// fleetOf is a description of a large cluster.
func fleetOf(brokers, topics int) string {
	var all []string
	for i := range topics {
		all = append(all, fmt.Sprintf(`{"name":"topic-%d","partitions":67,"replication.factor":3,"produce":"%dKiB/s"}`, i, 256*(i+1)))
	}
	return fmt.Sprintf(`{"format":"partsize-cluster/1","brokers":[{"count":%d,"racks":["a","b","c"],"log.dirs":"/data0,/data1,/data2,/data3","size":"4TiB"}],"topics":[%s]}`,
		brokers, strings.Join(all, ","))
}

// A hundred thousand replicas are worked out beside the page: nothing holds up input meanwhile, it can be stopped, and the
// last cluster stays on the screen.
func TestLargeCluster(t *testing.T) {
	p := clusterAt(t, serve(t, "/x/"), "")
	eval[bool](p, `(() => {
		window.longest = 0;
		let last = performance.now();
		const tick = () => { const now = performance.now(); window.longest = Math.max(window.longest, now - last); last = now; setTimeout(tick); };
		tick();
		window.tasks = [];
		new PerformanceObserver((list) => { for (const e of list.getEntries()) window.tasks.push(e.duration); }).observe({type: "longtask"});
		return true;
	})()`)
	sentence := p.text("#sentence")
	p.paste(fleetOf(100, 500))
	p.waitFor(`!!document.querySelector("[data-act=stop-cluster]")`)
	assert.Equal(t, sentence, p.text("#sentence"), "the last result is kept")
	p.pressed("[data-act=stop-cluster]")
	p.waitFor(`document.querySelector("#notices").textContent.includes("Stopped")`)
	p.pressed("#cluster-files [data-act=drop]")
	p.waitFor(`!document.querySelector("#notices").textContent.includes("Stopped")`)
	p.clusterDone()

	eval[bool](p, `window.begun = performance.now(), window.tasks.length = 0, true`)
	p.paste(fleetOf(100, 500))
	p.waitFor(`!!document.querySelector("#skyline svg")`)
	took := eval[float64](p, `performance.now() - window.begun`)
	tasks := eval[[]float64](p, `window.tasks`)
	t.Logf("100,500 replicas in %.0f ms; tasks of the page above 50 ms: %v", took, tasks)
	p.clusterDone()
	assert.Less(t, eval[int](p, `document.querySelectorAll("main *").length`), 2500, "few nodes")
	p.screenshot("cluster-large")
	worst := slices.Max(p.framesWhileMoving("#cluster-at", 40))
	t.Logf("scrubbing: worst frame %.0f ms", worst)
	assert.Less(t, worst, 1500.0, "a machine that does other things")
}

// The worker runs without the network, from what was installed; and no program is downloaded twice.
func TestClusterOffline(t *testing.T) {
	s := serve(t, "/x/")
	p := clusterAt(t, s, "")
	p.installed()
	p.reload() // the larger program is kept once the service worker has answered for it
	p.ready()
	p.clusterDone()
	s.offline()
	p.reload()
	p.ready()
	p.clusterDone()
}

// Nothing is cut off or scrolls sideways at 320 px.
func TestClusterNarrow(t *testing.T) {
	p := clusterAt(t, serve(t, "/x/"), "")
	p.size(320, 800)
	p.waitFor(`document.documentElement.scrollWidth <= 320`)
	p.size(360, 800)
	p.media("prefers-color-scheme", "dark")
	p.screenshot("cluster-360-dark")
	p.goTo(p.address() + "#v=1&view=cluster&c-where=2:/data/c")
	p.waitFor(`document.querySelector("#cluster-title")?.textContent === "Broker 2, /data/c"`)
	p.size(1440, 900)
	p.screenshot("cluster-dir-dark")
}

// Where there can be no worker, the page does the work itself, in slices.
func TestClusterWithoutWorker(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&view=service")
	p.ready()
	eval[bool](p, `window.Worker = undefined, location.hash = "#v=1&view=cluster", true`)
	p.clusterDone()
	assert.Contains(t, p.text("#sentence"), "The first directory to fill is")
	p.typeCluster("c-topics-0-3", "1MiB/s")
	p.waitFor(`document.querySelector("#sentence").textContent.includes("no directory gets full")`)
}

// A worker that ends is told of; what was shown stays, and the next change has another worker.
func TestClusterWorkerLost(t *testing.T) {
	p := open(t, serve(t, "/x/").url+"#v=1&view=service")
	p.ready()
	eval[bool](p, `(() => {
		const native = Worker;
		window.Worker = class extends native { constructor(...all) { super(...all); window.made = this; } };
		location.hash = "#v=1&view=cluster";
		return true;
	})()`)
	p.clusterDone()
	eval[bool](p, `made.terminate(), made.dispatchEvent(new ErrorEvent("error", {message: "out of memory", cancelable: true})), true`)
	p.waitFor(`document.querySelector("#notices").textContent.includes("What works it out has ended")`)
	assert.Contains(t, p.text("#sentence"), "The first directory to fill is")
	p.typeCluster("c-topics-0-3", "1MiB/s")
	p.waitFor(`document.querySelector("#sentence").textContent.includes("no directory gets full")`)
	assert.NotContains(t, p.text("#notices"), "has ended")
}

// A million lines are answered: what is wrong is named, the last cluster stays, and nothing hangs.
func TestClusterMillionLines(t *testing.T) {
	p := clusterAt(t, serve(t, "/x/"), "")
	before := p.text("#sentence")
	eval[bool](p, `(() => {
		const data = new DataTransfer();
		data.setData("text", "Topic: t\tPartition: 0\tLeader: 1\n".repeat(1e6));
		document.querySelector("#cluster-paste").open = true;
		document.querySelector("#cluster-text").dispatchEvent(new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true}));
		return true;
	})()`)
	p.waitFor(`document.querySelector("#notices").textContent.includes("pasted 1") && !document.querySelector("[data-act=stop-cluster]")`)
	assert.Equal(t, before, p.text("#sentence"))
	p.typeCluster("c-size", "1TiB")
	p.pressed("#cluster-files [data-act=drop]")
	p.waitFor(`document.querySelector("#sentence").textContent.includes("no directory gets full")`)
}

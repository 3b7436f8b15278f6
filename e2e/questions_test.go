package e2e

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The 25 questions that people ask about Kafka's disk use, those about one
// partition: each test case goes to the page, does what the asker would do, and
// looks for the answer. What it should be comes from the report that the
// question is from, or is reckoned by hand in the comment beside it; never from
// this program.
//
// Asked about brokers and clusters, and answered by other views: 14, 15, 16 (log
// directories, skew, rebalancing), 23 (the topic of remote metadata).
func TestQuestions(t *testing.T) {
	s := serve(t, "/x/")
	for _, q := range []struct {
		n    int
		asks string
		link string
		look func(t *testing.T, p *tab)
	}{
		{1, "records older than retention are still there", // a broker's log: deleted 19 to 24 min old, with retention of 10 min
			"kafka.version=3.9&produce=30B/s&record.value=80&batch.records=1&segment.bytes=16384&retention.ms=10min&horizon=1d", func(t *testing.T, p *tab) {
				// 109 records of 150 B fit into 16384 B, one every 5 s: 9 min; 10 min of retention; up to 5 min to the check.
				most := seconds(t, p.receipt("oldest").total)
				assert.InDelta(t, 545+600+150, most, 150+5)
				assert.GreaterOrEqual(t, most, 1140.0)
				lines := p.receipt("oldest").lines
				require.Len(t, lines, 3)
				assert.InDelta(t, 540, seconds(t, lines[0]), 10)
				assert.InDelta(t, 600, seconds(t, lines[1]), 0)
				assert.LessOrEqual(t, seconds(t, lines[2]), 300.0)
				p.finding("Records outlive retention.ms by far")
			}},
		{2, "a quiet topic with an hour's retention fills the disk in a week", "produce=1000B/s&retention.ms=1h", func(t *testing.T, p *tab) {
			// segment.ms = 7 d of 1000 B/s, and an hour: 608.7 MB where 3.6 MB were expected.
			assert.InEpsilon(t, 608_700_000, p.receiptOfPeak().exactly, 0.01) // indexes are half a percent
			assert.Contains(t, p.text("#segments"), "2")
			p.finding("Records outlive retention.ms by far")
			p.click(`#findings [data-key="segment.ms"]`) // less than a tenth of it
			p.waitFor(`document.querySelector("#f-segment-ms").value === "5min"`)
			p.waitFor(`document.querySelector("#peak").textContent.includes("MiB")`)
			assert.Less(t, p.receiptOfPeak().exactly, 6_000_000.0)
			// An idle topic is another thing: the open segment goes, too.
			p.fill("segment.ms", "7d")
			p.fill("produce.stop", "1d")
			p.waitFor(`location.hash.includes("produce.stop=1d")`)
			p.moment("2d")
			assert.Zero(t, p.tool("kafka-log-dirs"))
		}},
		{3, "retention.bytes is for each partition", "produce=1MiB/s&retention.bytes=25GiB&horizon=2d&partitions=10&replication.factor=3", func(t *testing.T, p *tab) {
			// 26843545600 and a segment: 27917287424, and what comes meanwhile.
			bound := p.receipt("bound")
			assert.Equal(t, []string{"25.000", "1.000"}, bound.lines[:2])
			all := p.receipt("all")
			assert.Equal(t, []string{"× 10", "× 3"}, all.lines[1:])
			assert.Equal(t, all.exactly, 30*p.receiptOfPeak().exactly)
		}},
		{4, "the partition is larger than retention.bytes", "produce=1MiB/s&retention.bytes=12GB&horizon=2d", func(t *testing.T, p *tab) {
			// 12 GB at least; at most a segment more, what comes in 6 min at 1 MiB/s, and half a percent of indexes.
			low, high := p.receipt("low").exactly, p.receipt("high").exactly
			assert.GreaterOrEqual(t, low, 12e9)
			assert.LessOrEqual(t, high, (13_073_741_824+360*1048576)*1.005)
			assert.Greater(t, high-low, 1e9)
			assert.Contains(t, p.sentence(), "above retention.bytes")
		}},
		{5, "a volume of 1 Gi with retention of 1 GiB", "produce=1MiB/s&retention.bytes=1GiB&horizon=1d&disk=1GiB", func(t *testing.T, p *tab) {
			// 1 GiB comes in 1024 s, indexes in half a percent of them; nothing goes before there are two.
			assert.Contains(t, p.sentence(), "A disk of 1 GiB is full after 17 min, before anything is deleted.")
			p.finding("The disk is full before anything is deleted")
			assert.Equal(t, []string{"1.000", "1.000"}, p.receipt("bound").lines[:2], "a segment on top")
			assert.Contains(t, p.finding("The disk needs more than retention.bytes"), "A volume of 1 GiB would fill up")
		}},
		{6, "segment.bytes above retention.bytes is taken without a word", "produce=100kB/s&retention.bytes=50MB&retention.ms=1h", func(t *testing.T, p *tab) {
			// 50 MB and a segment of 1 GiB, and what comes in 6 min.
			peak := p.receiptOfPeak().exactly
			assert.GreaterOrEqual(t, peak, 1_123_741_824.0)
			assert.LessOrEqual(t, peak, (1_123_741_824.0+360*100e3)*1.01) // indexes
			p.finding("segment.bytes is larger than retention.bytes")
		}},
		{7, "the index of an empty topic has 10 MB", "produce=0/s", func(t *testing.T, p *tab) {
			files := p.text(".files")
			assert.Contains(t, plainly(files), "10485760")
			assert.Contains(t, plainly(files), "10485756") // whole entries of 12 B
			assert.Contains(t, p.finding("Most of the apparent size is index files set aside"), "10 MiB")
		}},
		{8, "do index files count, and which tool counts them", "produce=0/s", func(t *testing.T, p *tab) {
			assert.Zero(t, p.tool("kafka-log-dirs"))
			// Two indexes, partition.metadata of 43 B, leader-epoch-checkpoint of 8 B.
			assert.InDelta(t, 10485760+10485756+43+8, p.tool("du --apparent-size"), 8)
			assert.LessOrEqual(t, p.tool("du"), 4*4096.0)
			lengths := p.receipt("lengths")
			assert.Equal(t, p.tool("du --apparent-size"), lengths.exactly)
		}},
		{9, "thousands of empty partitions", "produce=0/s&partitions=1000", func(t *testing.T, p *tab) {
			assert.Contains(t, p.sentence(), "seem to take 19.5 GiB") // 1000 × 20 MiB
		}},
		{10, "retention was made shorter and the disk is not freed", "steps=8d%20retention.ms=1h&horizon=9d", func(t *testing.T, p *tab) {
			// The next check comes within 5 min, files go a minute later.
			p.moment("8d")
			next := seconds(t, eval[string](p, `[...document.querySelectorAll(".events li")].find((l) => l.textContent.includes("delete")).querySelector(".at").textContent`))
			assert.LessOrEqual(t, next, 300.0)
			gone := eval[string](p, `[...document.querySelectorAll(".events li")].find((l) => l.textContent.includes("file.delete.delay.ms")).querySelector(".at").textContent`)
			assert.InDelta(t, next+60, seconds(t, gone), 0)
			before := p.tool("kafka-log-dirs")
			p.moment("192h7min")
			assert.Less(t, p.tool("kafka-log-dirs"), before/100)
		}},
		{11, "hours, minutes, ms, and the topic's own: which one holds", "", func(t *testing.T, p *tab) {
			p.pasteText("log.retention.hours=168\nlog.retention.minutes=60\n")
			p.waitFor(`document.querySelector("#f-retention-ms").value === "1h"`)
			assert.Contains(t, p.text("#f-retention-ms-says"), "log.retention.minutes")
			p.pasteText("log.retention.hours=168\nlog.retention.minutes=60\nlog.retention.ms=7200000\n")
			p.waitFor(`document.querySelector("#f-retention-ms").value === "2h"`)
			p.pasteText("Dynamic configs for topic orders are:\n  retention.ms=3600000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=3600000}\n")
			p.waitFor(`/^(3600000|1h)$/.test(document.querySelector("#f-retention-ms").value)`)
		}},
		{12, "the disk is full although retention is set", "produce=1MB/s&retention.bytes=112197632&retention.ms=-1&horizon=1d&disk=1GiB", func(t *testing.T, p *tab) {
			// Nothing goes before 112197632 and 1 GiB are there: 1185939456, more than the volume of 1 Gi.
			assert.GreaterOrEqual(t, p.receiptOfPeak().exactly, 1_185_939_456.0)
			p.finding("segment.bytes is larger than retention.bytes")
			assert.Contains(t, p.finding("The disk is full before anything is deleted"), "takes the log directory offline")
		}},
		{13, "how long until it is full", "produce=1MiB/s&retention.ms=-1&horizon=3d", func(t *testing.T, p *tab) {
			assert.Contains(t, p.sentence(), "84.4 GiB a day") // 86400 MiB
			p.fill("produce", "2MiB/s")
			p.waitFor(`document.querySelector("#sentence").textContent.includes("169\u00a0GiB a day")`)
			// A volume of 1 Gi that is full after three and a half days: 3551 B/s.
			p.fill("produce", "3551B/s")
			p.fill("retention.ms", "7d")
			p.fill("horizon", "14d")
			p.fill("disk", "1GiB")
			p.waitFor(`document.querySelector("#sentence").textContent.includes("is full after")`)
			full := seconds(t, regexp.MustCompile(`full after ([^,.]*)`).FindStringSubmatch(p.sentence())[1])
			assert.InEpsilon(t, 3.5*86400, full, 0.015)
		}},
		{17, "the volume is full and the broker does not start", "produce=1MiB/s&disk=10GiB&retention.bytes=20GiB&horizon=2d", func(t *testing.T, p *tab) {
			says := p.finding("The disk is full before anything is deleted")
			assert.Contains(t, says, "a broker without another one stops")
			assert.Contains(t, says, "It may not start again before there is room")
			assert.Contains(t, says, "a broker that is stopped deletes nothing")
			assert.Contains(t, says, "Keep 1 GiB in reserve") // a tenth; two indexes of 10 MiB are less
			// The reserve is a line of the chart.
			line := `[...document.querySelectorAll("figure svg text")].some((l) => l.textContent.startsWith(%q))`
			p.click(`[data-focus="2"]`)
			p.waitFor(fmt.Sprintf(line, "disk 10 GiB"))
			p.waitFor(fmt.Sprintf(line, "reserve from 9 GiB"))
			// What the finding offers leaves a reserve.
			p.click(`#findings [data-key="retention.bytes"]`)
			p.waitFor(`document.querySelector("#sentence").textContent.includes("to spare")`)
			assert.LessOrEqual(t, p.receiptOfPeak().exactly, float64(9<<30))
		}},
		{18, "__consumer_offsets is huge", "cleanup.policy=compact&produce=1MiB/s&segment.bytes=100MiB&record.key=50&record.value=24&batch.records=1&horizon=1d", func(t *testing.T, p *tab) {
			// Its cleaner stands still: all of a day is there. How much should be there depends on the keys.
			assert.Contains(t, p.sentence(), "Never cleaned, each partition grows to 84.")
			says := p.finding("A compacted topic ignores retention")
			assert.Contains(t, says, "as it does after an error until the broker is restarted")
			assert.Contains(t, says, "how many different keys there are is not given")
			assert.Contains(t, p.text("#worst"), "none")
			p.click(`#findings [data-act="go"][data-key="record.keys"]`)
			p.waitFor(`document.activeElement.id === "f-record-keys"`)
			p.fill("record.keys", "1000000")
			p.waitFor(`document.querySelector("#sentence").textContent.includes("While its cleaner keeps up")`)
			// A million keys of 61 + 2 + 3 + 51 + 25 + 1 B. As much is dirty, at a ratio of 0.5, and as much is the cleaned copy; two
			// segments; what comes in 15 s and a minute.
			const live, mib = 1e6 * (61 + 2 + 3 + 51 + 25 + 1), 1048576.0
			bound := p.receipt("bound")
			assert.InEpsilon(t, 3*live+200*mib+75*mib, bound.exactly, 0.01)
			assert.Len(t, bound.lines, 5)
			assert.Contains(t, bound.notes, "cleans nothing until the broker is restarted")
			assert.Contains(t, p.text("#binds"), "the keys")
			// With a cleaner that is off there is no limit.
			p.fill("log.cleaner.enable", "false")
			p.waitFor(`document.querySelector("#worst").textContent.includes("none")`)
			assert.Contains(t, p.receipt("bound").notes, "log.cleaner.enable is false")
		}},
		{19, "a compacted topic ignores retention", "cleanup.policy=compact&retention.bytes=1536MiB&segment.bytes=256MiB&horizon=2d", func(t *testing.T, p *tab) {
			p.finding("A compacted topic ignores retention")
			assert.Contains(t, p.text("#f-retention-bytes-says"), "no effect: cleanup.policy is compact")
			assert.Contains(t, p.text("#f-retention-ms-says"), "no effect: cleanup.policy is compact")
			assert.Contains(t, p.text("#worst"), "none")
			assert.Contains(t, p.receipt("bound").notes, "record.keys")
			assert.Greater(t, p.tool("kafka-log-dirs"), 2*86400*1048576*0.99, "nothing goes")
		}},
		{20, "timestamps from the future pin segments", "produce=1MiB/s&retention.ms=1d&timestamp.shift=30min&horizon=4d", func(t *testing.T, p *tab) {
			p.finding("Timestamps from the future hold segments back")
			assert.GreaterOrEqual(t, seconds(t, p.receipt("oldest").total), 86400+1800.0)
			p.fill("timestamp.shift", "2h") // Kafka 4 refuses more than an hour, 3.9 does not
			p.waitFor(`document.querySelector("#f-timestamp-shift-err")?.textContent.includes("message.timestamp.after.max.ms")`)
			p.fill("kafka.version", "3.9")
			p.waitFor(`!document.querySelector("#f-timestamp-shift-err")`)
			// Receipts follow the answer a moment later.
			assert.Eventually(t, func() bool { return seconds(t, p.receipt("oldest").total) >= 86400+7200.0 }, patience, 100*time.Millisecond)
		}},
		{21, "old timestamps: the data is gone at once", "timestamp.shift=-17000d&horizon=1d", func(t *testing.T, p *tab) {
			// Seconds taken for milliseconds: at the next check, 5 min at most, and a minute for the files.
			p.finding("Records are past retention when they arrive")
			assert.LessOrEqual(t, seconds(t, p.text("#oldest")), 300.0)
		}},
		{22, "the remote store is down and local segments stay",
			"produce=1MiB/s&remote.storage.enable=true&local.retention.bytes=1GiB&steps=10h%20remote-down%205h&horizon=1d", func(t *testing.T, p *tab) {
				// What comes in 5 h stays; at most what local.retention.bytes keeps, a segment, and 6 min more.
				const rate, gib = 1048576.0, 1073741824.0
				assert.GreaterOrEqual(t, p.receiptOfPeak().exactly, 5*3600*rate)
				assert.LessOrEqual(t, p.receiptOfPeak().exactly, (5*3600*rate+2*gib+360*rate)*1.01)
			}},
		{24, "too many open files and memory maps", "produce=500MB/s&segment.bytes=2147483647&retention.bytes=10TB&horizon=12h&partitions=20", func(t *testing.T, p *tab) {
			// 10 TB in segments of 2 GiB: 4657 of them, and what comes in 6 min: 84.
			n := number(t, p.receipt("segments").total)
			assert.InDelta(t, 4657+42, n, 45)
			files, maps := number(t, p.receipt("files").total), number(t, p.receipt("maps").total)
			assert.GreaterOrEqual(t, files, n)
			assert.Equal(t, 2*files, maps)
			p.finding("More memory maps than Linux allows by default")
		}},
		{25, "du, kafka-log-dirs and the screen say different sizes", "produce=5MiB/s&retention.bytes=50GiB&horizon=4h&replication.factor=3", func(t *testing.T, p *tab) {
			log, du, apparent := p.tool("kafka-log-dirs"), p.tool("du"), p.tool("du --apparent-size")
			assert.Less(t, log, du)
			assert.Less(t, du, apparent)
			// What du counts more is what the receipt lists: files that wait, and what is beside the records.
			r := p.receiptOfPeak()
			assert.Equal(t, du, r.exactly)
			all := p.receipt("all")
			assert.Equal(t, 3*du, all.exactly)
			assert.Contains(t, all.notes, "the leaders alone")
		}},
	} {
		t.Run(fmt.Sprintf("%d %s", q.n, q.asks), func(t *testing.T) {
			p := open(t, s.url+"#v=1&"+q.link)
			p.ready()
			p.waitFor(`!document.querySelector("#notices").textContent.includes("Simulating")`)
			assert.Zero(t, eval[int](p, `document.querySelectorAll("#notices .err-line").length`), "the link is as meant")
			q.look(t, p)
		})
	}
}

// aReceipt is what stands in a figure's receipt.
type aReceipt struct {
	lines        []string // amounts
	total, notes string
	exactly      float64 // bytes
}

// receipt opens a figure's receipt and reads it.
func (p *tab) receipt(of string) aReceipt {
	p.t.Helper()
	id := "why-" + of
	eval[bool](p, fmt.Sprintf(`document.querySelector("#%s").showPopover(), true`, id))
	p.waitFor(fmt.Sprintf(`document.querySelector("#%s h2")`, id))
	defer eval[bool](p, fmt.Sprintf(`document.querySelector("#%s").hidePopover(), true`, id))
	return p.readReceipt("#" + id)
}

// receiptOfPeak reads how the peak adds up.
func (p *tab) receiptOfPeak() aReceipt {
	p.t.Helper()
	return p.readReceipt("#receipt")
}

func (p *tab) readReceipt(css string) (r aReceipt) {
	p.t.Helper()
	p.settle()
	texts := eval[[][]string](p, fmt.Sprintf(`(() => {
		const box = document.querySelector(%q), texts = (css) => [...box.querySelectorAll(css)].map((e) => e.textContent.replaceAll("\u00a0", " "));
		return [texts("tbody td"), texts("tfoot td"), texts("tfoot th span"), texts("p")];
	})()`, css))
	r.lines, r.total, r.notes = texts[0], strings.Join(texts[1], ""), strings.Join(texts[3], " ")
	if exact := strings.Join(texts[2], ""); strings.Contains(exact, "exactly") {
		r.exactly = number(p.t, exact)
	}
	return r
}

// settle waits until nothing on the page changed for a fifth of a second: details follow the answer within a tenth.
func (p *tab) settle() {
	p.t.Helper()
	eval[bool](p, `new Promise((done) => {
		const end = () => (seen.disconnect(), done(true));
		let quiet = setTimeout(end, 200);
		const seen = new MutationObserver(() => { clearTimeout(quiet); quiet = setTimeout(end, 200); });
		seen.observe(document.body, {subtree: true, childList: true, characterData: true, attributes: true});
		setTimeout(end, 5000);
	})`)
}

// tool is what a tool reports at the time shown, to the byte.
func (p *tab) tool(name string) float64 {
	p.t.Helper()
	return number(p.t, eval[string](p, fmt.Sprintf(`[...document.querySelectorAll(".tools tr")].find((r) => r.querySelector("th").textContent === %q).querySelectorAll("td")[1].textContent`, name)))
}

// finding is what a finding says.
func (p *tab) finding(title string) string {
	p.t.Helper()
	p.waitFor(fmt.Sprintf(`[...document.querySelectorAll(".find h3")].some((h) => h.textContent === %q)`, title))
	return strings.ReplaceAll(eval[string](p, fmt.Sprintf(`[...document.querySelectorAll(".find")].find((f) => f.querySelector("h3").textContent === %q).textContent`, title)), "\u00a0", " ")
}

// moment looks at a time, in the chart of everything.
func (p *tab) moment(at string) {
	p.t.Helper()
	eval[bool](p, `document.querySelector("[data-focus=\"2\"]").click(), true`)
	p.waitFor(`document.querySelector("[data-focus=\"2\"]").getAttribute("aria-pressed") === "true"`)
	p.waitFor(`document.querySelector("#at").min === "0"`)
	before := p.text("#clock")
	ms := seconds(p.t, at) * 1000
	eval[bool](p, fmt.Sprintf(`(() => {
		const slider = document.querySelector("#at");
		slider.step = 1;
		slider.value = %.0f;
		slider.dispatchEvent(new Event("input", {bubbles: true}));
		return true;
	})()`, ms))
	p.waitFor(`document.querySelector("#clock").textContent !== ` + quote(before))
}

var notDigits = regexp.MustCompile(`[^\d.]`)

// number is the number in a text.
func number(t *testing.T, text string) float64 {
	t.Helper()
	n, err := strconv.ParseFloat(notDigits.ReplaceAllString(text, ""), 64)
	require.NoError(t, err, text)
	return n
}

var spans = regexp.MustCompile(`(\d+)\s*(d|h|min|ms|s)`)

// seconds is a time as the page writes it: 7 d 0 h 22 min.
func seconds(t *testing.T, text string) (sum float64) {
	t.Helper()
	parts := spans.FindAllStringSubmatch(strings.ReplaceAll(text, "\u00a0", " "), -1)
	require.NotEmpty(t, parts, text)
	for _, m := range parts {
		n, _ := strconv.ParseFloat(m[1], 64)
		sum += n * map[string]float64{"d": 86400, "h": 3600, "min": 60, "s": 1, "ms": .001}[m[2]]
	}
	return sum
}

package calc

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// naive plays tiered partitions and one partition of the metadata topic together, millisecond by millisecond, with what the
// brokers remember. It knows nothing of the engine: it is what the check of the metadata topic is compared with.
type naive struct {
	segmentBytes, retentionBytes, metaSegmentBytes, metaRetentionBytes Bytes
	segmentMs, retentionMs, metaSegmentMs, metaRetentionMs             Millis
	delay, check, beat, upload, deletion                               Millis // upload ≥ 1, of which the last is for the bytes
	downStep, downTo                                                   Millis // the store goes down after the tasks of downStep
	batch                                                              Bytes
	started, update                                                    Bytes // sizes of events
	num, den                                                           int64 // milliseconds between records
	stop                                                               Millis

	now        Millis
	partitions []naivePartition
	meta       []naiveMeta
	cache      map[int]bool // attempts that the brokers know
	attempts   int
}

type naivePartition struct {
	calls    int64
	local    []naiveSegment // the last is active
	end      int64
	copied   int64
	logStart int64
	remote   []naiveObject // by base; failed attempts too

	copyBeat, copyDue, expireBeat, expireDue Millis // due: −1 when idle
	copying                                  naiveObject
	limit                                    int64
	broken                                   bool
	copyFrom                                 Millis
	deleting                                 []int // attempts
}

type naiveSegment struct {
	base        int64
	bytes       Bytes
	first, last Millis
}

type naiveObject struct {
	attempt   int
	base, end int64
	bytes     Bytes
	last      Millis
	finished  bool
	deleted   bool // DELETE_SEGMENT_STARTED
	failed    bool
}

type naiveMeta struct {
	first, last Millis
	bytes       Bytes
	started     []int // attempts whose first event it has
	events      int
}

func (n *naive) clone() *naive {
	c := *n
	c.partitions = slices.Clone(n.partitions)
	for i := range c.partitions {
		p := &c.partitions[i]
		p.local, p.remote, p.deleting = slices.Clone(p.local), slices.Clone(p.remote), slices.Clone(p.deleting)
	}
	c.meta = slices.Clone(n.meta)
	for i := range c.meta {
		c.meta[i].started = slices.Clone(c.meta[i].started)
	}
	c.cache = maps.Clone(n.cache)
	return &c
}

func newNaive(n naive, partitions int) *naive {
	n.meta = []naiveMeta{{}}
	n.cache = map[int]bool{}
	for range partitions {
		n.partitions = append(n.partitions, naivePartition{local: []naiveSegment{{}}, copied: -1, copyDue: -1, expireDue: -1})
	}
	return &n
}

func (n *naive) down() bool { return n.downStep < n.now && n.now < n.downTo }

// event writes an event about an attempt.
func (n *naive) event(o *naiveObject, first bool) {
	size := n.update
	if first {
		size = n.started
	}
	g := &n.meta[len(n.meta)-1]
	if g.events > 0 && (g.bytes+size > n.metaSegmentBytes || n.now-g.first > n.metaSegmentMs) {
		n.meta = append(n.meta, naiveMeta{})
		g = &n.meta[len(n.meta)-1]
	}
	if g.events == 0 {
		g.first = n.now
	}
	g.events++
	g.last = n.now
	g.bytes += size
	if first {
		g.started = append(g.started, o.attempt)
		n.cache[o.attempt] = true
	}
}

// tick plays the present millisecond.
func (n *naive) tick() {
	if n.now >= n.delay && (n.now-n.delay)%n.check == 0 {
		n.retainMeta()
		for i := range n.partitions {
			n.retainLocal(&n.partitions[i])
		}
	}
	for i := range n.partitions {
		p := &n.partitions[i]
		n.copyTask(p)
		n.expireTask(p)
	}
	for i := range n.partitions {
		n.produce(&n.partitions[i])
	}
}

func (n *naive) retainMeta() {
	total := Bytes(0)
	for _, g := range n.meta {
		total += g.bytes
	}
	for _, bySize := range []bool{true, false} {
		excess := total - n.metaRetentionBytes
		for len(n.meta) > 0 && n.meta[0].events > 0 {
			g := n.meta[0]
			if bySize {
				if n.metaRetentionBytes < 0 || excess < g.bytes {
					break
				}
				excess -= g.bytes
			} else if n.metaRetentionMs < 0 || n.now-g.last <= n.metaRetentionMs {
				break
			}
			total -= g.bytes
			n.meta = n.meta[1:]
		}
		if len(n.meta) == 0 {
			n.meta = []naiveMeta{{}}
		}
	}
}

// retainLocal is local retention with local.retention.* = −2.
func (n *naive) retainLocal(p *naivePartition) {
	for len(p.local) > 1 && p.local[1].base <= p.logStart {
		p.local = p.local[1:]
	}
	total := Bytes(0)
	for _, g := range p.local {
		total += g.bytes
	}
	for _, bySize := range []bool{true, false} {
		excess := total - n.retentionBytes
		for len(p.local) > 0 {
			g, last := p.local[0], len(p.local) == 1
			if bySize && (n.retentionBytes < 0 || excess < g.bytes) || !bySize && (n.retentionMs < 0 || n.now-g.last <= n.retentionMs) {
				break
			}
			if last && g.bytes == 0 {
				break
			}
			excess -= g.bytes
			if last {
				p.local = append(p.local, naiveSegment{base: p.end, last: n.now})
			}
			if next := p.local[1].base; next-1 > p.copied && p.logStart < next {
				break
			}
			total -= g.bytes
			p.local = p.local[1:]
			if last {
				break
			}
		}
	}
}

func (n *naive) copyTask(p *naivePartition) {
	if p.copyDue == n.now {
		n.copied(p)
	}
	if p.copyDue < 0 && p.copyBeat == n.now {
		p.limit = p.local[len(p.local)-1].base
		n.copyNext(p)
	}
}

func (n *naive) copyNext(p *naivePartition) {
	for {
		p.copyDue = -1
		from := max(p.copied+1, p.logStart)
		i := 0
		for i+1 < len(p.local) && p.local[i+1].base <= from {
			i++
		}
		if i+1 >= len(p.local) || p.local[i+1].base > p.limit {
			p.copyBeat = n.now + n.beat
			return
		}
		g := p.local[i]
		p.copying = naiveObject{attempt: n.attempts, base: g.base, end: p.local[i+1].base - 1, bytes: g.bytes, last: g.last}
		n.attempts++
		n.event(&p.copying, true)
		p.broken, p.copyFrom = n.down(), n.now
		took := n.upload
		if p.broken {
			took-- // without the bytes
		}
		p.copyDue = n.now + took
		if took > 0 {
			return
		}
		if !n.finishCopy(p) {
			return
		}
	}
}

func (n *naive) copied(p *naivePartition) {
	if n.finishCopy(p) {
		n.copyNext(p)
	}
}

// finishCopy reports whether the copy succeeded.
func (n *naive) finishCopy(p *naivePartition) bool {
	o := p.copying
	p.copyDue = -1
	if n.down() || p.broken || p.copyFrom <= n.downStep && n.downStep < n.now {
		o.failed, o.deleted = true, true
		n.event(&o, false)
		if n.down() {
			p.remote = append(p.remote, o)
		} else {
			n.event(&o, false)
		}
		p.copyBeat = n.now + n.beat
		return false
	}
	o.finished = true
	n.event(&o, false)
	at := len(p.remote)
	for at > 0 && p.remote[at-1].base == o.base {
		at--
	}
	p.remote = slices.Insert(p.remote, at, o)
	p.copied = o.end
	return true
}

func (n *naive) expireTask(p *naivePartition) {
	if p.expireDue == n.now {
		if n.down() {
			p.expireDue, p.deleting, p.expireBeat = -1, nil, n.now+n.beat
			return
		}
		n.finishDelete(p)
		n.deleteNext(p)
	}
	if p.expireDue < 0 && p.expireBeat == n.now {
		n.chooseExpired(p)
		n.deleteNext(p)
	}
}

// chooseExpired is what the expiration task deletes: of what the brokers know.
func (n *naive) chooseExpired(p *naivePartition) {
	total := Bytes(0)
	for _, g := range p.local {
		if g.base > p.copied {
			total += g.bytes
		}
	}
	for _, o := range p.remote {
		if o.finished && !o.deleted && n.cache[o.attempt] {
			total += o.bytes
		}
	}
	breach := Bytes(0)
	if n.retentionBytes >= 0 {
		breach = max(0, total-n.retentionBytes)
	}
	start := p.logStart
	for _, o := range p.remote {
		if !n.cache[o.attempt] {
			continue
		}
		switch {
		case o.deleted, o.end < p.logStart:
		case n.retentionMs >= 0 && n.now-o.last > n.retentionMs:
			breach = max(0, breach-o.bytes)
			start = max(start, o.end+1)
		case breach > 0 && breach >= o.bytes:
			breach -= o.bytes
			start = max(start, o.end+1)
		default:
			p.logStart = start
			return
		}
		p.deleting = append(p.deleting, o.attempt)
	}
	p.logStart = start
}

func (n *naive) deleteNext(p *naivePartition) {
	for {
		p.expireDue = -1
		if len(p.deleting) == 0 {
			p.expireBeat = n.now + n.beat
			return
		}
		o := n.object(p, p.deleting[0])
		o.deleted = true
		n.event(o, false)
		p.expireDue = n.now + n.deletion
		if n.deletion > 0 {
			return
		}
		if n.down() {
			p.expireDue, p.deleting, p.expireBeat = -1, nil, n.now+n.beat
			return
		}
		n.finishDelete(p)
	}
}

func (n *naive) object(p *naivePartition, attempt int) *naiveObject {
	return &p.remote[slices.IndexFunc(p.remote, func(o naiveObject) bool { return o.attempt == attempt })]
}

func (n *naive) finishDelete(p *naivePartition) {
	a := p.deleting[0]
	n.event(n.object(p, a), false)
	p.deleting = p.deleting[1:]
	p.remote = slices.DeleteFunc(p.remote, func(o naiveObject) bool { return o.attempt == a })
	delete(n.cache, a)
}

func (n *naive) produce(p *naivePartition) {
	for n.num > 0 && p.calls*n.num/n.den == int64(n.now) && n.now < n.stop {
		g := &p.local[len(p.local)-1]
		if g.bytes+n.batch > n.segmentBytes || g.bytes > 0 && n.now-g.first > n.segmentMs {
			p.local = append(p.local, naiveSegment{base: p.end})
			g = &p.local[len(p.local)-1]
		}
		if g.bytes == 0 {
			g.first = n.now
		}
		g.bytes += n.batch
		g.last = n.now
		p.end++
		p.calls++
	}
}

// restart restarts all brokers: what they know is read from the metadata topic again, and what was under way is not
// finished.
func (n *naive) restart() {
	n.cache = map[int]bool{}
	for _, g := range n.meta {
		for _, a := range g.started {
			n.cache[a] = true
		}
	}
	for i := range n.partitions {
		p := &n.partitions[i]
		if p.copyDue >= 0 {
			o := p.copying
			// An attempt that the outage will end leaves nothing that counts.
			o.failed = p.broken || p.copyFrom <= n.downStep && n.downStep < p.copyDue
			at := len(p.remote)
			p.remote = slices.Insert(p.remote, at, o)
			p.copyDue, p.copyBeat = -1, n.now+1
		}
		if p.expireDue >= 0 {
			p.expireDue, p.deleting, p.expireBeat = -1, nil, n.now+1
		}
	}
}

// dangling is how many objects are in the store, finished or not, that nobody knows.
func (n *naive) dangling() (count int64) {
	for i := range n.partitions {
		for _, o := range n.partitions[i].remote {
			if !n.cache[o.attempt] && !o.failed {
				count++
			}
		}
	}
	return count
}

// wouldDangle is what dangling would be after a restart now.
func (n *naive) wouldDangle() int64 {
	c := n.clone()
	c.restart()
	return c.dangling()
}

// anyCheck draws a small scenario, as a check and as the naive model has it.
func anyCheck(t *rapid.T, restart Millis) (MetadataCheck, *naive) {
	one := func(label string, from ...int) int64 { return int64(rapid.SampledFrom(from).Draw(t, label)) }
	horizon := Millis(400)
	n := naive{
		batch: RecordShape{Key: Null, Value: 230}.BatchBytes(1, 0), num: one("interval", 3, 7, 10, 25), den: 1,
		segmentMs: Millis(one("segment.ms", 15, 40, 100_000)), retentionMs: Millis(one("retention.ms", -1, 10, 40, 80, 120)),
		retentionBytes: -1, metaRetentionMs: Millis(one("metadata retention", -1, 5, 20, 40, 60, 90, 130, 200)), metaRetentionBytes: -1,
		metaSegmentMs: Millis(one("metadata segment.ms", 3, 10, 50, 100_000)), metaSegmentBytes: Bytes(one("metadata segment.bytes", 300, 700, 2000, 1<<30)),
		delay: Millis(one("delay", 0, 5, 30)), check: Millis(one("check", 1, 4, 10, 25)), beat: Millis(one("beat", 1, 5, 10, 30)),
		upload: Millis(one("upload", 0, 1, 4, 12)), deletion: Millis(one("deletion", 0, 1, 4, 12)), stop: Millis(one("stop", 100, 250, 1000)),
		downStep: Never, downTo: Never,
	}
	n.segmentBytes = n.batch * Bytes(one("batches in a segment", 1, 2, 5))
	if rapid.Bool().Draw(t, "size") {
		n.retentionBytes = n.batch * Bytes(one("retention.bytes", 1, 3, 8, 20))
	}
	if one("metadata size", 0, 0, 0, 1) == 1 {
		n.metaRetentionBytes = Bytes(one("metadata retention.bytes", 1, 500, 1500, 4000))
	}
	partitions := int(one("partitions", 1, 1, 2))
	shape := EventShape{Topic: 5, Epochs: 1, TxnTag: true}
	n.started, n.update = shape.Batch(CopySegmentStarted), shape.Batch(CopySegmentFinished)

	var in Input
	set := func(key string, value any) {
		if err := in.Set(key, fmt.Sprint(value)); err != nil {
			t.Fatal(err)
		}
	}
	set("kafka.version", "4.4")
	set("topic.name", "topic")
	set("horizon", int64(horizon))
	set("partitions", partitions)
	set("produce", fmt.Sprintf("1 records/%dms", n.num))
	set("produce.stop", int64(n.stop))
	set("record.value", 230)
	set("batch.records", 1)
	set("internal.segment.bytes", int64(n.segmentBytes))
	set("segment.ms", int64(n.segmentMs))
	set("retention.ms", int64(n.retentionMs))
	set("retention.bytes", int64(n.retentionBytes))
	set("remote.storage.enable", true)
	set("remote.log.manager.task.interval.ms", int64(n.beat))
	set("remote.upload.rate", "1TiB/s")
	set("remote.upload.latency", int64(max(0, n.upload-1))) // its few bytes take a millisecond
	if n.upload == 0 {
		n.upload = 1
	}
	set("remote.delete.latency", int64(n.deletion))
	set("log.initial.task.delay.ms", int64(n.delay))
	set("message.timestamp.after.max.ms", 0) // an hour, as by default, would hide every other term of the least retention
	set("clock.skew", 0)
	set("log.retention.check.interval.ms", int64(n.check))
	set(metadataPartitions, 1)
	set(metadataRetention, int64(n.metaRetentionMs))
	if restart != Never {
		set("restart.all", int64(restart))
	}
	own := []Pair{{"segment.ms", fmt.Sprint(int64(n.metaSegmentMs))}, {"internal.segment.bytes", fmt.Sprint(int64(n.metaSegmentBytes))},
		{"retention.bytes", fmt.Sprint(int64(n.metaRetentionBytes))}}
	if one("outage", 0, 0, 1) == 1 {
		from := Millis(one("down", 20, 60, 101))
		time := Millis(one("for", 1, 17, 60))
		n.downStep, n.downTo = from, from+time
		set("steps", fmt.Sprintf("%d remote-down %d", int64(from), int64(time)))
	}
	c, err := NewMetadataCheck([]TopicInput{{Input: in}}, own)
	if err != nil {
		t.Fatal(err)
	}
	return c, newNaive(n, partitions)
}

// The check says at risk from T, and safe, exactly as a restart at each instant finds it: in both directions, with the
// number of segments at a time, and for each topic.
func TestCheckIsARestartAtEveryInstant(t *testing.T) {
	verdicts := map[Verdict]int{}
	draws := func(t *rapid.T) {
		chosen := Millis(rapid.IntRange(0, 400).Draw(t, "restart"))
		c, n := anyCheck(t, chosen)
		f, err := c.Run(nil)
		if err != nil {
			t.Fatal(err)
		}
		verdicts[f.Verdict]++
		from, at := Never, int64(0)
		for ; n.now <= c.horizon; n.now++ {
			n.tick()
			d := n.wouldDangle()
			if d > 0 && from == Never {
				from = n.now
			}
			if n.now == chosen {
				at = d
			}
		}
		if from != f.From || (f.Verdict == VerdictAtRisk) != (from != Never) {
			t.Fatalf("check: %v from %d; a restart at every instant: from %d", f.Verdict, int64(f.From), int64(from))
		}
		if at != f.Restart.Segments {
			t.Fatalf("restart at %d: check %d segments, restart %d", int64(chosen), f.Restart.Segments, at)
		}
		if f.Covered && from != Never {
			t.Fatalf("covered, and at risk from %d", int64(from))
		}
	}
	drawn(t, 3000, draws)
	if len(verdicts) < 3 && !testing.Short() {
		t.Errorf("only %v", verdicts)
	}
}

// A tiered partition has the same local and remote segments as the naive model after each millisecond.
func TestTieredPartitionIsNaive(t *testing.T) {
	drawn(t, 3000, func(t *rapid.T) {
		c, n := anyCheck(t, Never)
		n.partitions = n.partitions[:1]
		sim := NewSimulation(c.topics[0].Scenario.Plan())
		for ; n.now <= c.horizon; n.now++ {
			n.tick()
			for {
				if at, ok := sim.Next(); !ok || at > n.now {
					break
				}
				sim.StepBefore(n.now+1, false)
			}
			p := &n.partitions[0]
			var got, want []string
			for _, f := range sim.Directory().Segments {
				if f.Log >= 0 {
					got = append(got, fmt.Sprint(f.Base, f.Log))
				}
			}
			for _, g := range p.local {
				want = append(want, fmt.Sprint(Offset(g.base), g.bytes))
			}
			remote := sim.RemoteSegments()
			if p.copyDue >= 0 {
				want = append(want, fmt.Sprint("copying ", p.copying.base))
			}
			for _, o := range p.remote {
				want = append(want, fmt.Sprint("remote ", o.base, o.end, o.deleted, o.failed))
			}
			if k := len(remote) - 1; k >= 0 && remote[k].State == CopySegmentStarted {
				got = append(got, fmt.Sprint("copying ", int64(remote[k].Base)))
				remote = remote[:k]
			}
			for _, g := range remote {
				got = append(got, fmt.Sprint("remote ", int64(g.Base), int64(g.End), g.State == DeleteSegmentStarted, g.Failed))
			}
			if !slices.Equal(got, want) {
				t.Fatalf("at %d:\nengine %v\nnaive  %v", int64(n.now), got, want)
			}
			start, _, _, _ := sim.Offsets()
			if int64(start) != p.logStart {
				t.Fatalf("at %d: log start %d, naive %d", int64(n.now), start, p.logStart)
			}
		}
	})
}

// What dangles after a restart stays for ever; all else is deleted in time.
func TestDanglingIsForEver(t *testing.T) {
	drawn(t, 60, func(t *rapid.T) {
		_, n := anyCheck(t, Never)
		if n.retentionMs < 0 {
			return
		}
		for ; n.now <= 300; n.now++ {
			n.tick()
			if n.now%3 > 0 {
				continue
			}
			after := n.clone()
			after.restart()
			lost := after.dangling()
			after.stop = after.now
			for range 1500 {
				after.now++
				after.tick()
			}
			left := int64(0)
			for _, p := range after.partitions {
				for _, o := range p.remote {
					if !o.failed {
						left++
					}
				}
			}
			if left != lost {
				t.Fatalf("restart at %d: %d dangle, %d are left in the end", int64(n.now), lost, left)
			}
		}
	})
}

// The least retention is safe whatever comes.
func TestLeastIsSafe(t *testing.T) {
	drawn(t, 1000, func(t *rapid.T) {
		c, _ := anyCheck(t, Never)
		topics, err := c.play(nil)
		if err != nil {
			t.Fatal(err)
		}
		least := c.least(topics)
		if !least.OK {
			return
		}
		c.config.Log.RetentionMs, c.config.Log.RetentionBytes = least.Time, Unlimited
		if f, _ := c.Run(nil); f.Verdict != VerdictSafe || !f.Covered {
			t.Fatalf("%v from %v with %v", f.Verdict, f.From, least)
		}
	})
}

// drawn checks a property n times, a twentieth with -short, or as often as -rapid.checks says.
func drawn(t *testing.T, n int, property func(t *rapid.T)) {
	t.Helper()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if testing.Short() {
			n /= 20
		}
		count := flag.Lookup("rapid.checks").Value
		defer count.Set(count.String())
		count.Set(strconv.Itoa(n))
	}
	rapid.Check(t, property)
}

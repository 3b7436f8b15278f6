package provider

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/partsize/partsize/calc"
)

// Limits of [PlayDisk].
const (
	maxDiskSteps = 200_000
	maxMarks     = 20_000
	diskBuckets  = 1024
)

// Cleaning is why something was deleted from an instance's disk, or what happened to it.
type Cleaning uint8

// The kinds.
const (
	Daily     Cleaning = iota + 1 // expired messages, once a day
	Periodic                      // expired messages, while the disk is above the first threshold
	Expired                       // expired messages, as soon as they are
	Forced                        // the oldest messages, whatever their age
	Purge                         // up to a tenth of each partition, whatever its age
	Protected                     // from here on nothing can be written
	Released                      // from here on it can again
)

var cleaningNames = [...]string{Daily: "daily", Periodic: "periodic", Expired: "expired", Forced: "forced", Purge: "purge",
	Protected: "write-protected", Released: "writable again"}

// String is a word for the kind.
func (c Cleaning) String() string { return cleaningNames[c] }

// Mark is one cleaning of the disk.
type Mark struct {
	At       calc.Millis
	Kind     Cleaning
	Segments int64 // deleted, of all partitions
	Freed    calc.Bytes
	// FreedMost is the most that the source allows to be freed, where it leaves that open: of a [Purge]; else as Freed.
	FreedMost calc.Bytes
	Used      calc.Bytes // after it, with Freed gone
}

// Span is a part of the time, and the least and the most that was in use in it.
type Span struct {
	From, To calc.Millis
	Used     calc.Range[calc.Bytes]
}

// Line is a threshold.
type Line struct {
	Percent int64
	Bytes   calc.Bytes
	Effect  Effect
	Action  string
}

// Kept is what readers of a topic get of its retention.
type Kept struct {
	Topic      string
	Configured calc.Millis // negative: no limit by time
	// Least is the youngest that a record was when it was deleted, Most the oldest that one got. Without a deletion Least
	// is [calc.Never] and Most the age of the oldest record at the end.
	Least, Most calc.Millis
	Forced      int64 // segments that were deleted before their time, of all partitions
}

// Disk is an instance's disk over time.
type Disk struct {
	Size    calc.Bytes // 0: the service has no thresholds, as Serverless
	Lines   []Line     // from low to high
	Spans   []Span     // the envelope
	Marks   []Mark     // the first 20,000
	Counts  [Released + 1]int64
	Kept    []Kept // in the request's order
	Peak    calc.Moment
	Until   calc.Millis
	Cut     bool // the play was stopped after 200,000 steps
	Assumed []string

	topics   []diskTopic
	anywhere bool // the time zone of the daily cleaning is assumed
}

// diskTopic is a topic on the disk. All its partitions are alike; deleted counts segments of all of them, the oldest of
// one after the other.
type diskTopic struct {
	written
	name      string
	parts     int64
	copies    int64
	segment   int64
	retention calc.Millis // negative: no limit
	deleted   int64
	history   []deletion
	kept      Kept
}

type deletion struct {
	at      calc.Millis
	deleted int64
	kind    Cleaning
}

// closed is how many segments of all partitions have been closed, deleted ones too.
func (t *diskTopic) closed(at calc.Millis) int64 { return t.by(at) / t.segment * t.parts }

// expired is how many segments of all partitions are closed and hold only messages that are older than the retention,
// deleted ones too.
func (t *diskTopic) expired(at calc.Millis) int64 {
	if t.retention < 0 {
		return 0
	}
	return t.by(at-t.retention) / t.segment * t.parts
}

// next is the number, in its partition, of the oldest segment that is left of some partition.
func (t *diskTopic) next() int64 { return t.deleted / t.parts }

// newest is when the newest message of the oldest segment that is left came.
func (t *diskTopic) newest() calc.Millis { return t.when((t.next() + 1) * t.segment) }

// player plays the disk.
type player struct {
	d         *Disk
	size      int64
	plan      string
	zone      calc.Millis
	period    calc.Millis
	now       calc.Millis
	beat      calc.Millis // next periodic cleaning; Never: none
	protected bool
	span      int
	goOn      func() bool

	// total is what all topics were given together, with their copies: the sum of lines is a line, so that what is in use
	// at a time costs no more with a thousand topics. It is right to within a byte for each topic and copy.
	total written
	gone  int64 // bytes deleted, with their copies
	// heads are the oldest segments that are left, a row for each topic, for what is forced; nil: to be made again.
	heads heads
}

// PeakPercent is the most that was on the disk as a percentage of its size, with one digit, rounded down.
func (d *Disk) PeakPercent() string { return percent(int64(d.Peak.Bytes), int64(d.Size)) }

// PlayDisk plays an instance's disk with all its topics by ApsaraMQ's rules, from time 0, which is [calc.Epoch], to the
// horizon: segments close when they are full, only closed ones are deleted, and the share of the disk in use decides when.
//
// Within one instant: the daily cleaning, then the periodic one, then what is forced, then the protection. Below 75 %
// expired messages go at 04:00 in the zone of time.zone. From 75 % on they go each cleanup.period, the oldest first, until
// less is in use. From 85 % on the oldest closed segments go at once until less is in use. From 90 % on nothing is written.
// Topics on local storage: expired messages go at each cleanup.period; from 83 to 88 % each period takes up to a tenth of
// every partition in whole segments; from 88 % on nothing is written. Serverless: expired messages go at each period.
//
// The error is a [*calc.FieldError]: the disk is not known, a topic's traffic is not, or the service does not clean so.
//
// Source: the two pages named in the rules of apsaramq; what they leave open is in [Disk.Assumed].
func PlayDisk(r Request, horizon calc.Millis) (*Disk, error) {
	d := &Disk{Until: max(horizon, 1)}
	p := player{d: d, plan: r.Plan().ID, beat: calc.Never}
	if !r.service().Cleans {
		return nil, &calc.FieldError{Key: "service", Value: r.service().ID, Problem: "does not delete by disk use in a way that is known here", Nearest: apsaraMQ.ID}
	}
	disk, known := r.option("disk")
	if p.plan != "serverless" {
		if !known {
			return nil, &calc.FieldError{Key: "disk", Problem: "is not given, and the disk in use decides what is deleted", Hint: "give disk=900GB, of the whole instance"}
		}
		d.Size, p.size = calc.Bytes(disk), disk
	}
	zone, _ := r.option("time.zone")
	period, _ := r.option("cleanup.period")
	p.zone, p.period = calc.Millis(zone), calc.Millis(period)
	copies, _ := r.option("copies")
	stored, _ := r.option("stored")
	for i := range r.Topics {
		t := &r.Topics[i]
		if t.Traffic == nil {
			return nil, &calc.FieldError{Key: "produce", Problem: "is not given" + ofTopic(t) + ", and traffic fills the disk", Hint: "give it, as in produce=5MiB/s"}
		}
		segment, _ := r.number(t, "segment.bytes")
		retention, _ := r.number(t, "retention.ms")
		d.topics = append(d.topics, diskTopic{
			written: newWritten(t.Traffic, stored), name: t.Name, parts: t.partitions(), copies: copies, segment: max(segment, 1),
			retention: calc.Millis(retention), kept: Kept{Topic: t.Name, Configured: calc.Millis(retention), Least: calc.Never},
		})
	}
	d.lines(r.service(), p.plan)
	if p.goOn = r.goOn; !p.play() {
		return nil, errStopped
	}
	d.assume(&r, p.plan)
	return d, nil
}

// errStopped is that [Request.Yield] said to end.
const errStopped = stopped("the play was stopped")

// stopped is an error that is a constant. A variable that a call makes would be made at the start of every program, and all
// rules of all services with it: what is copied after a call is copied by code, and linked into the page that needs none.
type stopped string

func (s stopped) Error() string { return string(s) }

// assume lists what the pages leave open.
func (d *Disk) assume(r *Request, plan string) {
	for _, key := range []string{"copies", "time.zone", "cleanup.period"} {
		if plan == "serverless" && key == "time.zone" || plan == "local-storage" && key == "time.zone" {
			continue
		}
		if o, _ := OptionOf(key); r.text(key) == "" {
			d.Assumed = append(d.Assumed, fmt.Sprintf("%s=%s: %s", key, o.Default, o.Assumed))
			d.anywhere = d.anywhere || key == "time.zone"
		}
	}
	for i := range r.Topics {
		if _, given := r.Topics[i].Config.Given("segment.bytes"); !given {
			d.Assumed = append(d.Assumed, "segment.bytes=1GiB: the source says 1 GB, which may be 10⁹ bytes; segment.bytes=1GB has it so")
			break
		}
	}
	switch plan {
	case "cloud-storage":
		d.Assumed = append(d.Assumed, "from 85 % on segments go one by one until less is in use: the source does not say how much is deleted")
	case "local-storage":
		says := "up to 10 % of a partition is taken in whole segments, rounded down, each cleanup.period: the source does not say how it rounds, nor how often"
		if i := slices.IndexFunc(d.Marks, func(m Mark) bool { return m.Kind == Purge }); i >= 0 && d.Marks[i].FreedMost > d.Marks[i].Freed {
			m := &d.Marks[i]
			says += fmt.Sprintf("; the first time this frees %s, a tenth would be %s, so that %s to %s stay in use",
				size(m.Freed), size(m.FreedMost), size(m.Used-(m.FreedMost-m.Freed)), size(m.Used))
		}
		d.Assumed = append(d.Assumed, says)
	}
}

func (d *Disk) lines(s *Service, plan string) {
	for i := range s.Rules {
		rule := &s.Rules[i]
		if rule.Ladder == nil || !rule.holdsFor(plan) {
			continue
		}
		for _, g := range rule.Ladder.Rungs {
			d.Lines = append(d.Lines, Line{g.Percent, calc.Bytes(ratio(int64(d.Size), g.Percent, 100)), g.Effect, g.Action})
		}
	}
}

// used is what is in use at a time at which nothing has happened yet since now.
func (p *player) used(at calc.Millis) int64 { return p.total.by(at) - p.gone }

// mostPoints is how many points the sum of all courses has at most; of more, every other one is left out, and so on.
const mostPoints = 4096

// sum makes the total of all topics; false: it was stopped.
func (p *player) sum() bool {
	var instants []calc.Millis
	for i := range p.d.topics {
		for _, a := range p.d.topics[i].source.points {
			instants = append(instants, a.At)
		}
		if i%100 == 99 { // a thousand topics have the same hours
			slices.Sort(instants)
			instants = slices.Compact(instants)
		}
	}
	slices.Sort(instants)
	instants = slices.Compact(instants)
	for len(instants) > mostPoints {
		n := 0
		for i := 0; i < len(instants); i += 2 {
			instants[n] = instants[i]
			n++
		}
		instants = instants[:n]
	}
	points := make([]Arrived, len(instants))
	start := int64(0)
	for i := range p.d.topics {
		t := &p.d.topics[i]
		weight := times(t.parts, t.copies)
		if !p.goOn() {
			return false
		}
		for j, at := range instants {
			points[j].At = at
			points[j].Bytes = calc.Bytes(plus(int64(points[j].Bytes), times(weight, t.source.by(at))))
		}
		p.total.source.rate = plus(p.total.source.rate, times(weight, t.source.rate))
		start = plus(start, times(weight, t.by(0)))
	}
	p.total.source.points = points
	p.total.played.points = []Arrived{{Bytes: calc.Bytes(start)}}
	return true
}

// threshold is a share of the disk in bytes; no use reaches it on a service without thresholds.
func (p *player) threshold(percent int64) int64 {
	if p.size == 0 {
		return math.MaxInt64
	}
	return ratio(p.size, percent, 100)
}

func (p *player) thresholds() (soft, hard, stop int64) {
	if p.plan == "local-storage" {
		return p.threshold(83), p.threshold(83), p.threshold(88)
	}
	return p.threshold(75), p.threshold(85), p.threshold(90)
}

// at0400 is the first 04:00 after a time.
func (p *player) at0400(after calc.Millis) calc.Millis {
	clock := (int64(calc.Epoch) + int64(p.zone) + int64(after)) % int64(calc.Day)
	wait := int64(4*calc.Hour) - clock
	if wait <= 0 {
		wait += int64(calc.Day)
	}
	return after + calc.Millis(wait)
}

// stepsBetween is how many steps are taken before others may go first.
const stepsBetween = 32

// play plays all of the time; false: it was stopped.
func (p *player) play() bool {
	d := p.d
	width := max((d.Until+diskBuckets-1)/diskBuckets, 1)
	for from := calc.Millis(0); from < d.Until; from += width {
		d.Spans = append(d.Spans, Span{From: from, To: min(from+width, d.Until), Used: calc.Range[calc.Bytes]{Low: math.MaxInt64, High: math.MinInt64}})
	}
	if !p.sum() {
		return false
	}
	p.note()
	p.clean(false)
	steps := 0
	for p.now < d.Until {
		if steps%stepsBetween == 0 && !p.goOn() {
			return false
		}
		if steps++; steps > maxDiskSteps {
			d.Cut, d.Until = true, p.now
			break
		}
		at, daily := p.next()
		p.advance(at)
		if p.now >= d.Until {
			break
		}
		p.clean(daily)
	}
	d.finish()
	return true
}

// next is when something can happen, and whether it is the daily cleaning.
func (p *player) next() (at calc.Millis, daily bool) {
	at = p.d.Until
	if p.plan == "cloud-storage" {
		if day := p.at0400(p.now); day <= at {
			at, daily = day, true
		}
	} else if t := p.nextExpiry(); t < at {
		at = t
	}
	if p.beat < at {
		at, daily = p.beat, false
	} else if p.beat == at {
		daily = daily || p.plan == "cloud-storage" && p.at0400(at-1) == at
	}
	soft, hard, stop := p.thresholds()
	used := p.used(p.now)
	if !p.protected && used >= hard && p.plan == "cloud-storage" {
		// Nothing closed was left to delete: what closes next is.
		if p.order(); len(p.heads) > 0 && p.heads[0].newest > p.now && p.heads[0].newest < at {
			at, daily = p.heads[0].newest, false
		}
	}
	then := p.used(at)
	for _, line := range [...]int64{soft, hard, stop} {
		if used < line && !p.protected && then >= line {
			low, high := p.now+1, at
			for low < high {
				mid := low + (high-low)/2
				if p.used(mid) >= line {
					high = mid
				} else {
					low = mid + 1
				}
			}
			if high < at {
				at, daily, then = high, false, p.used(high)
			}
		}
	}
	return max(at, p.now+1), daily
}

// nextExpiry is the first periodic look at which a closed segment has expired.
func (p *player) nextExpiry() calc.Millis {
	first := calc.Millis(math.MaxInt64)
	for i := range p.d.topics {
		t := &p.d.topics[i]
		if t.retention < 0 {
			continue
		}
		if closes := t.newest(); closes < math.MaxInt64-t.retention {
			first = min(first, closes+t.retention)
		}
	}
	return up(max(first, p.now+1), p.period)
}

// advance goes to a time at which nothing has happened yet.
func (p *player) advance(at calc.Millis) {
	d := p.d
	for p.span < len(d.Spans)-1 && d.Spans[p.span].To <= at {
		border := d.Spans[p.span].To
		used := calc.Bytes(p.used(border))
		d.Spans[p.span].include(used)
		p.span++
		d.Spans[p.span].include(used)
	}
	p.now = at
	p.note()
}

func (s *Span) include(b calc.Bytes) {
	s.Used.Low, s.Used.High = min(s.Used.Low, b), max(s.Used.High, b)
}

// note takes what is in use now into the envelope and the peak.
func (p *player) note() {
	used := calc.Bytes(p.used(p.now))
	if p.span < len(p.d.Spans) {
		p.d.Spans[p.span].include(used)
	}
	if used > p.d.Peak.Bytes {
		p.d.Peak = calc.Moment{At: p.now, Bytes: used}
	}
}

// clean does what is due now.
func (p *player) clean(daily bool) {
	soft, hard, stop := p.thresholds()
	switch p.plan {
	case "cloud-storage":
		if daily && p.used(p.now) < soft {
			p.expire(Daily, -1)
		}
		p.periodic(soft, func() { p.expire(Periodic, soft) })
		if p.used(p.now) >= hard {
			p.force(hard)
		}
	case "local-storage":
		p.expire(Expired, -1)
		p.periodic(hard, func() {
			if p.used(p.now) < stop {
				p.purge()
			}
		})
	default:
		p.expire(Expired, -1)
	}
	p.protect(stop)
	p.note()
}

// periodic does what is done at each period while so much is in use; the first time is when that is reached.
func (p *player) periodic(from int64, do func()) {
	switch {
	case p.used(p.now) < from:
		p.beat = calc.Never
	case p.beat == calc.Never || p.beat <= p.now:
		do()
		p.beat = p.now + p.period
		if p.used(p.now) < from {
			p.beat = calc.Never
		}
	}
}

// mark notes a cleaning.
func (p *player) mark(kind Cleaning, segments int64, freed int64) {
	p.d.Counts[kind]++
	if len(p.d.Marks) < maxMarks {
		p.d.Marks = append(p.d.Marks, Mark{p.now, kind, segments, calc.Bytes(freed), calc.Bytes(freed), calc.Bytes(p.used(p.now))})
	}
}

// drop deletes segments of a topic up to a number, and notes what its readers got.
func (p *player) drop(t *diskTopic, to int64, kind Cleaning) (segments, freed int64) {
	if to <= t.deleted {
		return 0, 0
	}
	oldest := t.when(t.next()*t.segment + 1)
	t.kept.Most = max(t.kept.Most, p.now-oldest)
	segments = to - t.deleted
	if before := t.expired(p.now); to > before {
		t.kept.Forced += to - max(before, t.deleted)
	}
	t.deleted = to
	newest := t.when((to + t.parts - 1) / t.parts * t.segment)
	t.kept.Least = min(t.kept.Least, p.now-newest)
	t.history = append(t.history, deletion{p.now, to, kind})
	freed = times(segments*t.segment, t.copies)
	p.gone += freed
	return segments, freed
}

// expire deletes expired segments: all, or the oldest first until less than below is in use.
func (p *player) expire(kind Cleaning, below int64) {
	segments, freed := int64(0), int64(0)
	if below < 0 {
		for i := range p.d.topics {
			t := &p.d.topics[i]
			n, b := p.drop(t, t.expired(p.now), kind)
			segments, freed = segments+n, freed+b
		}
	} else if p.used(p.now) >= below {
		var order heads
		for i := range p.d.topics {
			t := &p.d.topics[i]
			if n := t.expired(p.now); t.deleted < n {
				order = append(order, head{t.newest(), i, n})
			}
		}
		slices.SortFunc(order, head.compare)
		segments, freed, _ = p.oldest(order, kind, below)
	}
	if segments > 0 {
		p.heads = nil
		p.mark(kind, segments, freed)
	}
}

// order makes the heads of all topics, where they are not there. What closes later is among them, behind what is closed.
func (p *player) order() {
	if p.heads != nil {
		return
	}
	p.heads = make(heads, 0, len(p.d.topics))
	for i := range p.d.topics {
		p.heads = append(p.heads, head{p.d.topics[i].newest(), i, math.MaxInt64})
	}
	slices.SortFunc(p.heads, head.compare)
}

// force deletes the oldest closed segments until less than below is in use.
func (p *player) force(below int64) {
	p.order()
	segments, freed, left := p.oldest(p.heads, Forced, below)
	if p.heads = left; segments > 0 {
		p.mark(Forced, segments, freed)
	}
}

// oldest deletes segments in an order until less than below is in use, or no closed one is left that may go. It returns
// what is left of the order.
func (p *player) oldest(order heads, kind Cleaning, below int64) (segments, freed int64, left heads) {
	for p.used(p.now) >= below && len(order) > 0 && order[0].newest <= p.now {
		h := &order[0]
		t := &p.d.topics[h.topic]
		// As many as are needed, but not beyond this row of the topic's partitions: then another topic's may be older.
		one := max(times(t.segment, t.copies), 1)
		n := min((p.used(p.now)-below)/one+1, (t.next()+1)*t.parts-t.deleted, h.may-t.deleted)
		s, b := p.drop(t, t.deleted+n, kind)
		segments, freed = segments+s, freed+b
		if t.deleted >= h.may {
			order = order[1:]
			continue
		}
		h.newest = t.newest()
		order.sift()
	}
	return segments, freed, order
}

// head is the oldest segment of a topic of those that may go.
type head struct {
	newest calc.Millis
	topic  int
	may    int64 // go: segments of the topic, deleted ones too
}

func (h head) compare(o head) int {
	return cmp.Or(cmp.Compare(h.newest, o.newest), cmp.Compare(h.topic, o.topic))
}

// heads are in order, the oldest first.
type heads []head

// sift brings the first one, which has become younger, to its place.
func (h heads) sift() {
	first := h[0]
	i, _ := slices.BinarySearchFunc(h[1:], first, head.compare)
	copy(h, h[1:i+1])
	h[i] = first
}

// purge deletes up to a tenth of what each partition holds, in whole segments, the oldest first.
func (p *player) purge() {
	segments, freed, most := int64(0), int64(0), int64(0)
	for i := range p.d.topics {
		t := &p.d.topics[i]
		held := t.by(p.now) - t.next()*t.segment
		most = plus(most, times(held/10, times(t.parts, t.copies)))
		n := held / 10 / t.segment * t.parts
		s, b := p.drop(t, min(t.deleted+n, t.closed(p.now)), Purge)
		segments, freed = segments+s, freed+b
	}
	if segments > 0 {
		p.heads = nil
		p.mark(Purge, segments, freed)
		if n := len(p.d.Marks); n > 0 && p.d.Marks[n-1].At == p.now {
			p.d.Marks[n-1].FreedMost = calc.Bytes(max(most, freed))
		}
	}
}

// protect stops and allows writes.
func (p *player) protect(stop int64) {
	protected := p.used(p.now) >= stop
	if protected == p.protected {
		return
	}
	p.protected, p.heads = protected, nil
	p.total.pause(p.now, protected)
	for i := range p.d.topics {
		p.d.topics[i].pause(p.now, protected)
	}
	if protected {
		p.mark(Protected, 0, 0)
	} else {
		p.mark(Released, 0, 0)
	}
}

func (d *Disk) finish() {
	for i := range d.topics {
		t := &d.topics[i]
		if oldest := t.when(t.next()*t.segment + 1); oldest < d.Until {
			t.kept.Most = max(t.kept.Most, d.Until-oldest)
		}
		d.Kept = append(d.Kept, t.kept)
	}
	d.Spans = slices.DeleteFunc(d.Spans, func(s Span) bool { return s.Used.Empty() })
}

package calc

import (
	"iter"
	"math"
)

// buckets is how many equal spans of time the envelope of a [Timeline] has at most.
const buckets = 1024

// checkpoints are at most so many, and hold at most so many segments together, so that memory does not grow with the
// horizon.
const (
	maxCheckpoints        = 16
	maxCheckpointSegments = 50_000
	maxAnchorSegments     = 3 * maxCheckpointSegments // with those of [Timeline.Anchor]
	minCheckpointEvents   = 2_000                     // fewer are played again in a millisecond; with more a drawing of the page, which plays from one, takes long
	stepEvents            = 8                         // a step takes as long as gliding over so many events
)

// Timeline is what became of a log from its start to the plan's end. It keeps the extremes, an envelope of fixed size and
// a few checkpoints from which any moment can be played again; not the events.
type Timeline struct {
	plan        Plan
	checkpoints []*Simulation
	spacing     Millis // between checkpoints; Never: there is only the first
	end         *Simulation

	peak     Peak
	most     Usage // at the peak of Allocated
	band     *Band
	ages     Ages
	counts   Counts
	envelope []Bucket
	width    Millis // of a bucket
	err      error
}

// Moment is a number of bytes and when it was seen first, looking after each step. Appends between two steps only add, so that
// a total that grows with each of them was not reached earlier; one that grows by blocks may have been, within a block.
type Moment struct {
	At    Millis
	Bytes Bytes
}

// Peak is the most that was on disk at any instant, for each way of counting; see [Usage].
type Peak struct{ Log, Apparent, Allocated, Remote Moment }

// Range is the least and the most of a quantity.
type Range[T ~int64] struct{ Low, High T }

func (r *Range[T]) include(v T) { r.Low, r.High = min(r.Low, v), max(r.High, v) }

func noRange[T ~int64]() Range[T] { return Range[T]{math.MaxInt64, math.MinInt64} }

// Empty reports whether nothing was included.
func (r Range[T]) Empty() bool { return r.Low > r.High }

// Band is the steady state: what the log swings between once every record in it was written in regular traffic and
// retention deletes.
type Band struct {
	Since                    Millis
	Log, Apparent, Allocated Range[Bytes]
	LeastAt, MostAt          Millis // when Allocated was first at its least and at its most
	deletions                int
}

func (b *Band) include(now Millis, u *Usage) {
	if u.Allocated < b.Allocated.Low {
		b.LeastAt = now
	}
	if u.Allocated > b.Allocated.High {
		b.MostAt = now
	}
	b.Log.include(u.Log)
	b.Apparent.include(u.Apparent)
	b.Allocated.include(u.Allocated)
}

// Ages are how old records get, counted from when they were appended. Readable is the oldest record that a consumer can
// read, OnDisk the oldest in any file, those that wait for removal too. They are taken over the steady state; without one
// from the first deletion on; without a deletion over the whole time. AtDeletion is how old a segment's first record is
// when retention deletes the segment, AtRemoval when its files are gone.
type Ages struct {
	Readable, OnDisk      Range[Millis]
	AtDeletion, AtRemoval Range[Millis]
	LeastAt, MostAt       Millis // when Readable was first at its least and at its most
	Since                 Millis
}

func (a *Ages) read(now, age Millis) {
	least, most := a.LeastAt, a.MostAt
	if age < a.Readable.Low {
		least = now
	}
	if age > a.Readable.High {
		most = now
	}
	a.LeastAt, a.MostAt = least, most // as it is, it needs no jump
	a.Readable.include(age)
}

// join widens the ages by those of a time after.
func (a *Ages) join(b *Ages) {
	if b.Readable.Low < a.Readable.Low {
		a.LeastAt = b.LeastAt
	}
	if b.Readable.High > a.Readable.High {
		a.MostAt = b.MostAt
	}
	for _, r := range [...]struct{ into, from *Range[Millis] }{
		{&a.Readable, &b.Readable}, {&a.OnDisk, &b.OnDisk}, {&a.AtDeletion, &b.AtDeletion}, {&a.AtRemoval, &b.AtRemoval},
	} {
		r.into.Low, r.into.High = min(r.into.Low, r.from.Low), max(r.into.High, r.from.High)
	}
}

// Counts are numbers over the whole time: events, and the most segments, open files and memory maps at any instant.
type Counts struct {
	Rolls, Deletions, Removals, Rejected int64
	Copied, RemoteDeletions              int64 // segments that came into the remote store, and that left it
	Events                               int64
	Segments, OpenFiles, MemoryMaps      int64
	SegmentsAt, OpenFilesAt              Millis // when there were first so many
	RollsBy                              Tally
	DeletionsBy                          Tally
	FirstDeletion                        Millis // Never if there was none
}

// Tally counts events by reason, in the order in which the reasons first came.
type Tally []ReasonCount

// ReasonCount is how many events had a reason.
type ReasonCount struct {
	Reason Reason
	Count  int64
}

func (t *Tally) add(r Reason, n int64) {
	if n == 0 {
		return
	}
	for i := range *t {
		if (*t)[i].Reason == r {
			(*t)[i].Count += n
			return
		}
	}
	*t = append(*t, ReasonCount{r, n})
}

// Of is how many events had a reason.
func (t Tally) Of(r Reason) int64 {
	for _, c := range t {
		if c.Reason == r {
			return c.Count
		}
	}
	return 0
}

// Bucket is a span of time in the envelope: the extremes of what was on disk in it.
type Bucket struct {
	From, To                                    Millis
	Log, Indexes, Awaiting, Apparent, Allocated Range[Bytes]
	Remote                                      Range[Bytes] // batches in the remote store
}

// RunPlan plays a plan to its end. regular says from when on the plan's traffic repeats and with which period; ok is
// false where it does not, and then there is no steady band. progress, which may be nil, is told how far the clock is and
// stops the run when it returns false.
func RunPlan(p Plan, regular Regular, progress func(at Millis) bool) *Timeline {
	r := runner{t: &Timeline{plan: p}, sim: NewSimulation(p), regular: regular, progress: progress}
	r.run()
	return r.t
}

// Survey plays a plan to its end for its extremes and its envelope. It keeps the state at the start alone, so that
// looking at a moment afterwards plays from there; a steady band is not looked for. The envelope of spent, a timeline that
// nobody needs any more, gives its memory; it may be nil.
func Survey(p Plan, spent *Timeline) *Timeline {
	r := runner{t: &Timeline{plan: p, spacing: Never}, sim: NewSimulation(p)}
	if spent != nil {
		r.t.envelope = spent.envelope[:0]
	}
	r.run()
	return r.t
}

// Regular is from when on traffic repeats itself, and after which time it does.
type Regular struct {
	From, Period Millis
	OK           bool
}

// runner makes a Timeline.
type runner struct {
	t        *Timeline
	sim      *Simulation
	regular  Regular
	progress func(Millis) bool

	early     Ages // from before what may be the steady state
	flow      flow
	usage     Usage
	front     Millis // when the oldest record of the local log was appended; Never without one
	readable  Millis // the same of the oldest that can be read, in the remote store too
	expired   bool   // remote retention has deleted something
	onDisk    Millis // the same for the oldest in any file
	cancelled bool
	walk      bool // never glide, for tests

	mark   Millis // when the next checkpoint may be made
	steps  int64  // made one by one
	played int64  // steps and events up to the last checkpoint
}

func (r *runner) run() {
	t := r.t
	t.width = max(1, (t.plan.Until+buckets)/buckets)
	if t.spacing == 0 {
		t.spacing = max(1, t.plan.Until/maxCheckpoints)
	}
	t.counts = Counts{FirstDeletion: Never}
	if n := int(t.plan.Until/t.width) + 1; cap(t.envelope) < n {
		t.envelope = make([]Bucket, 0, n)
	}
	r.resetAges(0)
	r.look()
	r.sim.use(&r.usage)
	r.open(0)
	r.observe()
	t.checkpoints = append(t.checkpoints, r.sim.Clone())
	r.mark = t.spacing
	for !r.cancelled {
		at, ok := r.sim.Next()
		if !ok {
			break
		}
		bucket := &t.envelope[len(t.envelope)-1]
		if at >= bucket.To {
			r.open(bucket.To)
			continue
		}
		if at >= r.mark {
			r.checkpoint()
			r.mark = (at/t.spacing + 1) * t.spacing
		}
		if !r.walk && r.glide(Never, false) {
			continue
		}
		r.step(bucket.To)
		r.steps++
	}
	for {
		bucket := &t.envelope[len(t.envelope)-1]
		if bucket.To > t.plan.Until {
			break
		}
		r.open(bucket.To)
	}
	r.finish()
}

// open begins the next bucket.
func (r *runner) open(from Millis) {
	t, u := r.t, &r.usage
	n := len(t.envelope)
	if n == cap(t.envelope) {
		t.envelope = append(t.envelope, Bucket{})
	}
	// Written in its place, which is quicker in WebAssembly than a copy.
	t.envelope = t.envelope[:n+1]
	b := &t.envelope[n]
	b.From, b.To = from, from+t.width
	b.Log.Low, b.Log.High = u.Log, u.Log
	b.Indexes.Low, b.Indexes.High = u.Indexes, u.Indexes
	b.Awaiting.Low, b.Awaiting.High = u.Awaiting, u.Awaiting
	b.Apparent.Low, b.Apparent.High = u.Apparent, u.Apparent
	b.Allocated.Low, b.Allocated.High = u.Allocated, u.Allocated
	b.Remote.Low, b.Remote.High = u.Remote, u.Remote
	if r.progress != nil && !r.progress(from) {
		r.cancelled = true
	}
}

// step makes the simulation's next step and notes what it changed.
func (r *runner) step(limit Millis) {
	events := r.sim.StepBefore(limit, false)
	deleted, removed, expired := false, false, false
	for i := range events {
		e := &events[i]
		r.t.counts.Events++
		switch e.Kind {
		case Roll, Replace:
			r.t.counts.Rolls++
			r.t.counts.RollsBy.add(e.Reason, 1)
		case Delete:
			r.t.counts.Deletions++
			r.t.counts.DeletionsBy.add(e.Reason, 1)
			deleted = true
		case Remove:
			r.t.counts.Removals++
			removed = true
		case Reject:
			r.t.counts.Rejected++
		case CopyFinished:
			r.t.counts.Copied++
		case RemoteDeleteStarted:
			expired = expired || e.Reason != CopyFails
		case RemoteDeleteFinished:
			r.t.counts.RemoteDeletions++
		case TopicGone:
			if r.front != Never {
				r.t.ages.read(r.sim.Now(), r.age(r.front))
			}
		case DirGone:
			if r.onDisk != Never {
				r.t.ages.OnDisk.include(r.age(r.onDisk))
			}
		}
	}
	now := r.sim.Now()
	if deleted {
		r.deletion(now)
	}
	if expired {
		r.expire(now)
	}
	if removed && r.onDisk != Never {
		r.t.ages.AtRemoval.include(now - r.onDisk)
		r.t.ages.OnDisk.include(now - r.onDisk)
	}
	r.look()
	if deleted || expired {
		r.t.ages.read(now, r.age(r.readable))
	}
	if removed {
		r.t.ages.OnDisk.include(r.age(r.onDisk))
	}
	r.observe()
}

// age is how old what was appended at a time is now; nothing is not old.
func (r *runner) age(at Millis) Millis {
	if at == Never {
		return 0
	}
	return r.sim.Now() - at
}

// look finds the oldest records.
func (r *runner) look() {
	l := r.sim.log
	r.front, r.onDisk = Never, Never
	if l.segments.len() > 0 {
		if s := l.segments.at(0); !s.empty() {
			r.front = s.firstAt
		}
	}
	r.readable, r.onDisk = r.front, r.front
	if remote := r.sim.remote; remote != nil {
		r.readable = min(r.readable, remote.oldest(l.logStart))
	}
	if l.deleted.len() > 0 {
		r.onDisk = min(r.onDisk, l.deleted.at(0).firstAt)
	}
}

// deletion notes the age of the oldest record just before it was deleted, and begins the steady state when that is
// reached.
func (r *runner) deletion(now Millis) {
	t := r.t
	if t.counts.FirstDeletion == Never {
		t.counts.FirstDeletion = now
		r.resetAges(now)
	} else if r.readable != Never {
		t.ages.read(now, now-r.readable)
	}
	if r.front != Never {
		t.ages.AtDeletion.include(now - r.front)
	}
	if t.band != nil {
		t.band.deletions++
		return
	}
	oldest := now
	if s := r.sim.log.segments.at(0); !s.empty() {
		oldest = s.firstAt
	}
	if r.regular.OK && oldest >= r.regular.From && now >= r.regular.From {
		t.band = &Band{Since: now, Log: noRange[Bytes](), Apparent: noRange[Bytes](), Allocated: noRange[Bytes]()}
		r.early = t.ages
		r.resetAges(now)
	}
}

// expire notes the age of the oldest record that can be read just before remote retention deleted it. Before the first time
// the remote store was still filling.
func (r *runner) expire(now Millis) {
	if !r.expired {
		r.expired = true
		r.t.ages.Readable = noRange[Millis]()
	}
	if r.readable != Never {
		r.t.ages.read(now, now-r.readable)
	}
}

func (r *runner) resetAges(since Millis) {
	r.t.ages = Ages{
		Readable: noRange[Millis](), OnDisk: noRange[Millis](), AtDeletion: noRange[Millis](), AtRemoval: noRange[Millis](),
		Since: since,
	}
}

// observe notes what is on disk now. Between two observations nothing but appends happened, which only add.
func (r *runner) observe() {
	t, u, now := r.t, &r.usage, r.sim.log.now
	r.sim.log.use(u)
	if r.sim.remote != nil {
		r.sim.use(u)
	}
	t.peak.Log.reach(now, u.Log)
	t.peak.Apparent.reach(now, u.Apparent)
	if u.Allocated > t.peak.Allocated.Bytes {
		t.peak.Allocated, t.most = Moment{now, u.Allocated}, *u
	}
	t.peak.Remote.reach(now, u.Remote)
	// Their number grows when the active segment is made.
	if u.Segments > t.counts.Segments {
		t.counts.Segments, t.counts.SegmentsAt = u.Segments, r.sim.log.active().created
	}
	if u.OpenFiles > t.counts.OpenFiles {
		t.counts.OpenFiles, t.counts.OpenFilesAt = u.OpenFiles, r.sim.log.active().created
	}
	t.counts.MemoryMaps = max(t.counts.MemoryMaps, u.MemoryMaps)
	b := &t.envelope[len(t.envelope)-1]
	b.Log.include(u.Log)
	b.Indexes.include(u.Indexes)
	b.Awaiting.include(u.Awaiting)
	b.Apparent.include(u.Apparent)
	b.Allocated.include(u.Allocated)
	b.Remote.include(u.Remote)
	if t.band != nil {
		t.band.include(now, u)
	}
}

func (m *Moment) reach(at Millis, b Bytes) {
	when := m.At
	if b > m.Bytes {
		when = at
	}
	m.At, m.Bytes = when, max(m.Bytes, b)
}

// checkpoint keeps the state from time to time, less often when it is large, and not before enough happened since the last.
func (r *runner) checkpoint() {
	t := r.t
	if !r.playedEnough(0) {
		return
	}
	r.played = stepEvents*r.steps + t.counts.Events
	size := r.sim.kept()
	for _, c := range t.checkpoints {
		size += c.kept()
	}
	full := len(t.checkpoints)+1 >= 2*maxCheckpoints || size > maxCheckpointSegments
	if !full || len(t.checkpoints)%2 == 0 {
		t.checkpoints = append(t.checkpoints, r.sim.Clone()) // or else it would go at once
	}
	if !full {
		return
	}
	left := t.checkpoints[:0]
	for i, c := range t.checkpoints {
		if i%2 == 0 {
			left = append(left, c)
		}
	}
	clear(t.checkpoints[len(left):])
	t.checkpoints, t.spacing = left, t.spacing*2
}

// playedEnough reports whether a checkpoint is worth a copy after so many events that are not counted yet.
func (r *runner) playedEnough(more int64) bool {
	return stepEvents*r.steps+r.t.counts.Events+more-r.played >= minCheckpointEvents
}

// passMark passes over a mark at which a [flow] halts, if no checkpoint would be made there, and is where the flow halts then.
//
//go:noinline
func (r *runner) passMark(now, halt, stop Millis) Millis {
	w := &r.flow
	if halt != r.mark || r.playedEnough(w.made-w.was.made+w.tally.bySize+w.tally.byTime+w.gone-w.was.gone) {
		return halt
	}
	r.mark = (now/r.t.spacing + 1) * r.t.spacing
	return min(w.halt, stop, r.mark)
}

// kept is how many segments the simulation remembers: in the log, waiting for removal, and in the remote store.
func (s *Simulation) kept() int {
	n := s.log.segments.len() + s.log.deleted.len()
	if s.remote != nil {
		n += s.remote.segments.len()
	}
	return n
}

// finish closes the books at the plan's end.
func (r *runner) finish() {
	t := r.t
	t.err = r.sim.Err()
	t.end = r.sim
	until := t.plan.Until
	if t.counts.FirstDeletion == Never {
		t.ages.read(0, 0)
	}
	if r.readable != Never {
		t.ages.read(until, until-r.readable)
	}
	if r.onDisk != Never {
		t.ages.OnDisk.include(until - r.onDisk)
	}
	// One swing is not yet a steady state.
	if t.band != nil && (t.band.deletions < 2 || until-t.band.Since < r.regular.Period) {
		t.band = nil
		r.early.join(&t.ages)
		t.ages = r.early
	}
}

// Peak is the most that was on disk.
func (t *Timeline) Peak() Peak { return t.peak }

// AtPeak is what was on disk when Allocated was first at its most.
func (t *Timeline) AtPeak() Usage { return t.most }

// Band is the steady state, once there is one.
func (t *Timeline) Band() (band Band, ok bool) {
	if t.band == nil {
		return Band{}, false
	}
	return *t.band, true
}

// Ages are how old records get.
func (t *Timeline) Ages() Ages { return t.ages }

// Counts are the numbers of events, and the most segments and files.
func (t *Timeline) Counts() Counts { return t.counts }

// Envelope is what was on disk over time, in at most 1025 spans of equal length.
func (t *Timeline) Envelope() []Bucket { return t.envelope }

// Until is the end of the plan.
func (t *Timeline) Until() Millis { return t.plan.Until }

// Err is a failure of Kafka itself that ended the run early, or nil.
func (t *Timeline) Err() error { return t.err }

// At is the state of the log just after everything of that millisecond happened, as a simulation that goes on from there.
func (t *Timeline) At(at Millis) *Simulation {
	sim := t.from(at)
	t.play(sim, at)
	return sim
}

// PlayOn plays a simulation of the timeline on, from just after one time to just after another. It is at the time that is
// returned; sooner when yield, which is called now and then and may be nil, returned false.
func (t *Timeline) PlayOn(sim *Simulation, from, to Millis, yield func() bool) (at Millis) {
	for at = from; at < to; {
		at = min(to, add(at, 1+t.width/4))
		if t.play(sim, at); yield != nil && at < to && !yield() {
			break
		}
	}
	return at
}

func (t *Timeline) play(sim *Simulation, at Millis) {
	// Books that nobody reads.
	r := runner{t: &Timeline{plan: t.plan, envelope: []Bucket{{To: Never}}}, sim: sim}
	for {
		next, ok := sim.Next()
		if !ok || next > at {
			return
		}
		if !r.glide(add(at, 1), true) {
			sim.StepBefore(add(at, 1), false)
		}
	}
}

// from is a simulation at the last checkpoint at or before a time.
func (t *Timeline) from(at Millis) *Simulation {
	best := t.checkpoints[0]
	for _, c := range t.checkpoints {
		if c.Now() <= at {
			best = c
		}
	}
	return best.Clone()
}

// Events are the events from one time to another, both included.
func (t *Timeline) Events(from, to Millis) iter.Seq[Event] {
	return func(yield func(Event) bool) {
		// A checkpoint's own millisecond may be half played.
		sim := t.from(from - 1)
		for {
			next, ok := sim.Next()
			if !ok || next > to {
				return
			}
			for _, e := range sim.StepBefore(add(to, 1), false) {
				if e.At >= from && e.At <= to && !yield(e) {
					return
				}
			}
		}
	}
}

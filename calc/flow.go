package calc

import "math"

// flow is a log in its usual state, told by counts. One even run (see [evenRun]) fills segments that are all equal, so that
// each is known by its number: segment k of the run begins with call first + k·full. What is on disk then follows from how
// many calls came and three numbers, whatever was rolled, deleted and removed between: that of the active segment, of the
// oldest that is not deleted, and of the oldest that has files. Only what is there when a flow begins and when it ends is in
// the lists of the [log].
type flow struct {
	sim *Simulation
	log *log
	run *feed

	at       Millis // of call 0
	stamped  Millis // the timestamp of call 0
	num, den uint64 // call i comes floor(i·num/den) after call 0
	size     Bytes  // of a call
	first    int64  // call that begins segment 0
	full     int64  // calls in a segment
	gap      int64  // calls from one entry of the offset index to the next
	last     int64  // calls that come before the stop
	base     Offset // of segment 0
	span     Offset // offsets in a segment
	alive    int64  // producers of the run that are known once a segment is full
	snapshot Bytes  // of a segment that is made here
	held     Bytes  // snapshot of the segment that was active at the beginning
	prealloc Bytes  // of the active segment
	times    int64  // entries in the time index of a closed segment, unless these are uneven
	uneven   bool   // closed segments differ in them, and are looked at one by one
	unit     sums   // what a closed segment has

	done int64 // calls made
	made int64 // number of the active segment
	kept int64 // number of the oldest that is not deleted
	gone int64 // number of the oldest that has files
	was  struct{ done, made, kept, gone int64 }

	// What the counts do not tell: closed is of l.closedSum what is not of segments kept to made − 1, wait is of l.waitSum
	// what is not of gone to kept − 1, other is the files that are there once, and the active segment's but for its batches
	// and the blocks of its indexes.
	closed, wait, other sums
	indexes, apparent   Bytes // sums of these
	allocated           Bytes
	odd                 int64 // living segments that are not equal to the others, or not of the run; they are the oldest
	segments            int64 // living ones are so many more than made − kept
	files               int64 // open ones are so many more than made − gone

	groups deque[group] // files that wait for removal
	latest Millis       // when the last files that waited at the beginning are due
	front  Millis       // when the oldest segment's first batch was appended
	onDisk Millis       // the same for the oldest that has files
	newest Millis       // largest timestamp of the oldest segment
	now    Millis       // of the last task
	tally  deletions

	// Of uneven segments: the instant and the numbers up to which they were looked at; all of them if they are not uneven.
	filled           Millis
	dropped, removed int64
	lacking          int64 // entries that the time index of the active one has fewer than its offset index

	// What is to be noted has to be below low or above high; so many more segments, and open files, than made − kept or − gone.
	low, high               sums
	mostSegments, mostFiles int64
	// The same of how old the oldest segment is before a deletion, and the oldest on disk before a removal.
	earliest, eldest  Millis
	shortest, longest Millis

	// The rules, as far as they do not change.
	halt      Millis // the flow ends before this time
	shift     Millis // a check deletes what is older than the time that it is by shift
	sizeLimit Bytes
	delay     Millis
	ahead     Millis // up to here checks may be passed over
	oddSize   Bytes  // of the first odd one: when it is to go, the flow ends
	oddNewest Millis // largest timestamp of it
	ceiling   int64  // no segment is deleted from this number on
	limit     int64  // segments below this number may be deleted here
	bare      int64  // nothing may be deleted while this one is active; −1: none
}

// group is files that wait for removal since one check.
type group struct {
	due   Millis
	upTo  int64  // number of the oldest segment that has files after that
	front Millis // when the first batch of that segment was appended
}

// deletions are how many segments went in a [flow], and why.
type deletions struct {
	checks         int64
	bySize, byTime int64
	lead           int64 // how many of the first check's went by size
}

func (d *deletions) note(bySize, all int64) {
	if d.checks == 0 {
		d.lead = bySize
	}
	d.checks++
	d.bySize += bySize
	d.byTime += all - bySize
}

// usual reports whether the log is in the state that a [flow] knows.
func (s *Simulation) usual() bool {
	l := s.log
	if s.stopped || l.gone || s.remote != nil || len(s.feeds) != 1 || l.held || len(l.replaced) > 0 || len(l.producers.strays) > 0 ||
		!l.hasEpoch || l.logEnd < l.epochStart || l.version < V3_0 || l.segments.len() < 2 {
		return false
	}
	c, p, f, g := &l.config, &l.producers, &s.feeds[0], l.segments.last()
	if c.RetentionMs < 0 && c.RetentionBytes < 0 || !c.Delete || c.Compact || c.RemoteStorage {
		return false
	}
	if f.Producer >= 0 && len(p.lastTs) > 0 && f.done < p.began+p.of {
		return false // producers of the run are among those that are listed
	}
	return f.even.full > 0 && f.done < f.Count && g.base == f.even.base && g.size == f.bytes*Bytes(f.done-f.even.from) &&
		(g.prealloc == c.SegmentBytes || !c.Preallocate) && l.logEnd > p.lastSnap && l.segments.at(1).base > l.logStart
}

// enter begins a flow up to a time. It reports whether the log's state and the size of the numbers allow it.
func (w *flow) enter(r *runner, stop Millis) bool {
	s := r.sim
	if r.front == Never || !s.usual() {
		return false
	}
	l, f := s.log, &s.feeds[0]
	e, c, p := &f.even, &l.config, &l.producers
	*w = flow{
		sim: s, log: l, run: f, at: f.at, stamped: f.at + f.clock, num: uint64(f.IntervalNum), den: uint64(f.IntervalDen),
		size: f.bytes, full: e.full, gap: e.gap, span: Offset(e.full * f.Records), done: f.done, groups: w.groups,
		front: r.front, onDisk: r.onDisk, now: l.now, halt: s.tasks.copying.at,
		shift: l.epoch - min(c.RetentionMs, Never/2), sizeLimit: c.RetentionBytes, delay: c.FileDeleteDelayMs, bare: -1,
	}
	if c.RetentionMs < 0 {
		w.shift = math.MinInt64 / 2
	}
	if c.RetentionBytes < 0 {
		w.sizeLimit = math.MaxInt64 / 2
	}
	period, reach := s.tasks.retention.period, max(stop-f.at, stop+w.shift-w.stamped)
	if period <= 0 || period > Never-stop || w.delay > Never-stop || !fits(int64(reach), f.IntervalDen) {
		return false
	}
	w.last = min(f.Count, int64((uint64(stop-f.at)*w.den+w.num-1)/w.num))
	if !fits(w.last+2*w.full, f.IntervalNum) {
		return false
	}
	w.alive = p.alive
	if f.Producer >= 0 {
		w.alive = f.Producers
	}
	if p.alive+e.from+w.full-f.done < w.alive {
		return false // the next snapshot does not have all of them yet
	}
	w.snapshot = snapshotHeader + snapshotEntry*Bytes(int64(len(p.lastTs))+w.alive)
	w.number(l.segments.last())
	w.measure(l.segments.last())
	w.queue()
	w.rules(r)
	w.total()
	w.look(r)
	w.lookAges(r)
	if w.uneven {
		w.filled, w.dropped, w.removed = -1, w.kept, w.gone
	}
	w.was.done, w.was.made, w.was.kept, w.was.gone = w.done, w.made, w.kept, w.gone
	return true
}

// number gives the segments their numbers. g is the active one.
func (w *flow) number(g *segment) {
	l, e := w.log, &w.run.even
	n := int64(l.segments.len())
	w.first, w.base = e.from, e.base
	equal := int64(0) // segments equal to those that come, the active one too
	if e.snapshot == w.snapshot && g.snapshot == w.snapshot {
		w.made = int64((e.base - e.since) / w.span)
		w.first, w.base = e.from-w.made*w.full, e.since
		equal = min(n, w.made+1)
	}
	w.kept = w.made + 1 - equal
	w.odd = n - equal
	w.segments = n - (w.made - w.kept)
	oldest := l.segments.at(0)
	w.newest = oldest.maxTs
	w.ceiling, w.oddSize, w.oddNewest = math.MaxInt64, math.MaxInt64, Never
	if w.odd > 0 {
		w.ceiling, w.oddSize, w.oddNewest = w.kept, oldest.size, oldest.maxTs
	}
	if oldest.maxTs < 0 {
		w.oddNewest = math.MinInt64 // it goes by the time of its file
	}
}

// measure notes what there is. g is the active segment.
func (w *flow) measure(g *segment) {
	l, e, c := w.log, &w.run.even, &w.log.config
	tail := w.full - 1 - e.entries*e.gap // calls after the one that gave the offset index its last entry
	w.times = e.entries
	if e.entries == 0 || tail > 0 {
		w.times++ // when the segment is closed
	}
	w.filled, w.dropped, w.removed = Never, math.MaxInt64, math.MaxInt64
	if e.entries > 0 && (!e.stepped || tail > 0 && uint64(tail)*w.num < w.den) {
		w.uneven, w.times = true, 0
	}
	log, index, stamps := w.size*Bytes(w.full), indexSlot*Bytes(e.entries), timeSlot*Bytes(w.times)
	w.unit = sums{
		log: log, index: index + stamps, apparent: log + index + stamps + w.snapshot,
		allocated: blocks(log) + blocks(index) + blocks(stamps) + blocks(w.snapshot),
	}
	w.prealloc = g.prealloc
	w.held = max(g.snapshot, 0)
	files := c.SegmentIndexBytes/indexSlot*indexSlot + c.SegmentIndexBytes/timeSlot*timeSlot
	w.other = sums{
		apparent: files + w.held + l.epochFile + metadataFile, allocated: blocks(w.held) + 4096 + 4096, index: files,
	}
	w.closed = l.closedSum
	w.closed.plus(&w.unit, w.kept-w.made)
}

// queue notes the files that wait for removal: those of equal segments by check. Others have to go first, each at its time.
func (w *flow) queue() {
	l := w.log
	all := l.deleted.all()
	if w.groups.items == nil {
		w.groups.items = make([]group, 0, 64)
	}
	w.groups.clear()
	w.groups.push(group{due: Never})
	w.gone, w.wait = w.kept, l.waitSum
	n := int64(len(all))
	w.files = w.segments + n - int64(l.alone)
	if n == 0 {
		return
	}
	w.latest = all[n-1].due
	from := w.kept - n
	for i := range all {
		d := &all[i]
		if from < 0 || w.odd > 0 || d.base != w.base+w.span*Offset(from+int64(i)) || d.log == noFile || d.snapDue > d.due ||
			d.snap != w.snapshot {
			w.halt = min(w.halt, all[0].due)
			w.groups.clear()
			w.groups.push(group{due: Never})
			return
		}
		if i+1 < len(all) && all[i+1].due == d.due {
			continue
		}
		front := w.front
		if i+1 < len(all) {
			front = all[i+1].firstAt
		}
		*w.groups.last() = group{d.due, from + int64(i) + 1, front}
		w.groups.push(group{due: Never})
	}
	w.gone = from
	w.files -= n
	w.wait.plus(&w.unit, -n)
}

// rules notes what may happen here.
func (w *flow) rules(r *runner) {
	s, t, l := w.sim, r.t, w.log
	w.ahead = Never
	if s.more {
		w.ahead = s.ahead.At
	}
	tasks := &s.tasks
	if l.config.RetentionBytes >= 0 || tasks.retention.period == tasks.expiry.period || tasks.retention.period == tasks.copying.period {
		w.ahead = 0 // no check is passed over
	}
	if r.regular.OK && t.band == nil || t.counts.FirstDeletion == Never {
		return // the next deletion is one of a kind
	}
	w.limit = math.MaxInt64
	if n := int(l.epochFile - 7); n < len(powers) {
		w.limit = int64((powers[n] - w.base + w.span - 1) / w.span) // leader-epoch-checkpoint is longer from there on
	}
	if l.segments.last().snapshot == noFile {
		w.bare = w.made
	}
}

// plus adds n times u.
func (s *sums) plus(u *sums, n int64) {
	s.log += u.log * Bytes(n)
	s.apparent += u.apparent * Bytes(n)
	s.allocated += u.allocated * Bytes(n)
	s.index += u.index * Bytes(n)
}

// mayDelete reports whether the segments below a number may be deleted here: not the active one, the first deletion of all, or
// one that makes leader-epoch-checkpoint longer.
func (w *flow) mayDelete(keep int64, now Millis) bool {
	return keep < min(w.made, w.limit) && w.made != w.bare && now+w.delay > w.latest
}

// call is when a call comes.
func (w *flow) call(i int64) Millis { return w.at + Millis(uint64(i)*w.num/w.den) }

// begins is when the first call of a segment comes.
func (w *flow) begins(k int64) Millis { return w.call(w.first + k*w.full) }

// passExpiry passes over expiries of producers that find none, and is when the next is due, which may be the one that comes now.
//
//go:noinline
func (w *flow) passExpiry(now Millis) Millis {
	l, p, t := w.log, &w.log.producers, &w.sim.tasks
	oldest := p.oldest
	if w.run.Producer >= 0 {
		// Going step by step looks at it last when the active segment is begun.
		_, made, _ := w.before(now)
		calls := max(w.done, w.first+made*w.full)
		oldest = min(oldest, w.call(calls-min(w.alive, p.alive+calls-w.run.done))+w.run.clock)
	} else if p.alive > 0 {
		oldest = min(oldest, p.stamp(p.until-p.alive))
	}
	quiet := Never
	if oldest != Never {
		quiet = add(oldest, l.broker.ProducerExpiration) - l.epoch
	}
	if w.sim.more {
		quiet = min(quiet, w.sim.ahead.At)
	}
	t.skip(&t.expiry, quiet)
	return t.expiry.at
}

// before is how many calls come before a time, the number of the segment that is active then, and how many of the calls are in it.
func (w *flow) before(now Millis) (done, made, n int64) {
	done = max(w.done, min(w.last, int64((uint64(now-w.at)*w.den+w.num-1)/w.num)))
	made = (done - 1 - w.first) / w.full
	return done, made, done - w.first - made*w.full
}

// tell tells the run and its producers how many calls were made.
func (w *flow) tell() {
	f, p := w.run, &w.log.producers
	if f.Producer >= 0 {
		p.alive = min(w.alive, p.alive+w.done-f.done)
		p.until = w.done
	}
	f.skipTo(w.done)
}

// timesOf is how many entries the time index of a closed segment has, which has one for each entry of the offset index and one
// for the last call, where these have timestamps of their own.
func (w *flow) timesOf(k int64) int64 {
	e, from := &w.run.even, w.first+k*w.full
	n := w.indexed(from, e.entries)
	if e.entries == 0 || w.call(from+e.entries*e.gap) < w.call(from+w.full-1) {
		n++
	}
	return n
}

// indexed is how many entries the time index has after so many of the offset index of a segment that begins with a call: one
// for each, or one for every millisecond from the first to the last.
func (w *flow) indexed(from, entries int64) int64 {
	if w.run.even.stepped || entries == 0 {
		return entries
	}
	return int64(w.call(from+entries*w.gap)-w.call(from+w.gap)) + 1
}

// total adds up what the counts do not tell.
func (w *flow) total() {
	w.indexes = w.closed.index + w.other.index
	w.apparent = w.closed.apparent + w.wait.apparent + w.other.apparent
	w.allocated = w.closed.allocated + w.wait.allocated + w.other.allocated
}

// more is what uneven segments from one number to another have more than so many times the unit: their time indexes.
func (w *flow) more(from, to int64) (all sums) {
	for k := from; k < to; k++ {
		stamps := timeSlot * Bytes(w.timesOf(k))
		all.index += stamps
		all.apparent += stamps
		all.allocated += blocks(stamps)
	}
	return all
}

// fill notes the uneven segments that are closed before a time, and how many entries fewer than the offset index the time index
// of the active one has.
//
//go:noinline
func (w *flow) fill(now Millis) {
	_, made, n := w.before(now)
	more := w.more(w.made, made)
	w.closed.plus(&more, 1)
	entries := (n - 1) / w.gap
	w.lacking = entries - w.indexed(w.first+made*w.full, entries)
	w.made, w.filled = made, now
	w.total()
}

// drop makes room for a group that waits, and notes that uneven segments up to a number are deleted.
//
//go:noinline
func (w *flow) drop(keep int64) {
	if len(w.groups.items) == cap(w.groups.items) {
		w.groups.room(1)
	}
	if w.uneven {
		more := w.more(w.kept, keep)
		w.closed.plus(&more, -1)
		w.wait.plus(&more, 1)
		w.dropped = keep
		w.total()
	}
}

// remove notes that the files of uneven segments up to a number are removed.
//
//go:noinline
func (w *flow) remove(upTo int64) {
	more := w.more(w.gone, upTo)
	w.wait.plus(&more, -1)
	w.removed = upTo
	w.total()
}

// most notes what the log grew to, where that is the most yet.
//
//go:noinline
func (w *flow) most(r *runner, log, apparent, allocated Bytes) {
	t, band := r.t, r.t.band
	now := max(w.now, w.call(w.done-1))
	t.peak.Log.reach(now, log)
	t.peak.Apparent.reach(now, apparent)
	if allocated > t.peak.Allocated.Bytes {
		t.peak.Allocated.reach(now, allocated)
		w.use(&t.most, log, apparent, allocated)
	}
	if band != nil {
		band.Log.High = max(band.Log.High, log)
		band.Apparent.High = max(band.Apparent.High, apparent)
		if allocated > band.Allocated.High {
			band.Allocated.High, band.MostAt = allocated, now
		}
	}
	created := w.log.active().created
	if w.made > w.was.made {
		created = w.begins(w.made)
	}
	if n := w.segments + w.made - w.kept; n > t.counts.Segments {
		t.counts.Segments, t.counts.SegmentsAt = n, created
	}
	if n := w.files + w.made - w.gone; n > t.counts.OpenFiles {
		t.counts.OpenFiles, t.counts.OpenFilesAt = n, created
	}
	w.look(r)
}

// least notes what the log came down to, where that is the least of the steady state.
//
//go:noinline
func (w *flow) least(r *runner, log, apparent, allocated Bytes) {
	band := r.t.band
	band.Log.Low = min(band.Log.Low, log)
	band.Apparent.Low = min(band.Apparent.Low, apparent)
	if allocated < band.Allocated.Low {
		band.Allocated.Low, band.LeastAt = allocated, w.now
	}
	w.look(r)
}

// age notes how old the oldest segment is when others go up to one whose first batch was appended at a time.
//
//go:noinline
func (w *flow) age(r *runner, now, front Millis) {
	ages := &r.t.ages
	ages.read(now, now-w.front)
	ages.AtDeletion.include(now - w.front)
	ages.read(now, now-front)
	w.lookAges(r)
}

// ageOnDisk notes how old the oldest files are when they are removed up to those whose first batch was appended at a time.
//
//go:noinline
func (w *flow) ageOnDisk(r *runner, now, front Millis) {
	ages := &r.t.ages
	ages.AtRemoval.include(now - w.onDisk)
	ages.OnDisk.include(now - w.onDisk)
	ages.OnDisk.include(now - front)
	w.lookAges(r)
}

// lookAges finds what an age has to be above or below of so that it is noted.
func (w *flow) lookAges(r *runner) {
	ages := &r.t.ages
	w.earliest, w.eldest = ages.AtDeletion.Low, min(ages.AtDeletion.High, ages.Readable.High)
	w.shortest, w.longest = ages.AtRemoval.Low, min(ages.AtRemoval.High, ages.OnDisk.High)
}

// grew notes what the log grew to, for the bucket and for [runner.open].
//
//go:noinline
func (w *flow) grew(r *runner, b *Bucket, log, index, apparent, allocated Bytes) {
	u := &r.usage
	u.Log, u.Indexes, u.Apparent, u.Allocated = log, index, apparent, allocated
	u.Awaiting = w.wait.apparent + w.unit.apparent*Bytes(w.kept-w.gone)
	b.grow(log, index, apparent, allocated)
}

func (b *Bucket) grow(log, index, apparent, allocated Bytes) {
	b.Log.High = max(b.Log.High, log)
	b.Indexes.High = max(b.Indexes.High, index)
	b.Apparent.High = max(b.Apparent.High, apparent)
	b.Allocated.High = max(b.Allocated.High, allocated)
}

// look finds what there has to be more or less of so that it is noted.
func (w *flow) look(r *runner) {
	t, band := r.t, r.t.band
	w.low = sums{math.MinInt64, math.MinInt64, math.MinInt64, 0}
	w.high = sums{log: t.peak.Log.Bytes, apparent: t.peak.Apparent.Bytes, allocated: t.peak.Allocated.Bytes}
	if band != nil {
		w.low = sums{log: band.Log.Low, apparent: band.Apparent.Low, allocated: band.Allocated.Low}
		w.high = sums{log: band.Log.High, apparent: band.Apparent.High, allocated: band.Allocated.High}
	}
	w.mostSegments, w.mostFiles = t.counts.Segments-w.segments, t.counts.OpenFiles-w.files
}

// use is [log.use] in a flow.
func (w *flow) use(u *Usage, log, apparent, allocated Bytes) {
	wait := w.wait
	wait.plus(&w.unit, w.kept-w.gone)
	*u = Usage{
		Log: log, Apparent: apparent, Allocated: allocated, Indexes: w.closed.index + w.unit.index*Bytes(w.made-w.kept) + w.other.index,
		Awaiting: wait.apparent, AwaitingLog: wait.log, AwaitingAllocated: wait.allocated,
		Segments: w.segments + w.made - w.kept, OpenFiles: w.files + w.made - w.gone,
	}
	u.MemoryMaps = 2 * u.OpenFiles
}

// leave writes what came of the flow to the log and to the books.
func (w *flow) leave(r *runner) {
	l, f, t := w.log, w.run, r.t
	if w.done != w.was.done {
		w.tell()
		w.now = max(w.now, w.call(w.done-1))
	}
	l.now = w.now
	w.listDeleted()
	w.listSegments()
	l.closedSum, l.waitSum = w.closed, w.wait
	l.closedSum.plus(&w.unit, w.made-w.kept)
	l.waitSum.plus(&w.unit, w.kept-w.gone)
	if w.made > w.was.made {
		// The segment that was active then was taken as one of the others.
		l.closedSum.apparent += w.held - w.snapshot
		l.closedSum.allocated += blocks(w.held) - blocks(w.snapshot)
	}
	g := l.active()
	l.logEnd = g.base + Offset((w.done-w.first-w.made*w.full)*f.Records)
	l.highWatermark, l.producers.mapEnd = l.logEnd, max(l.logEnd, l.producers.mapEnd)
	if w.kept > w.was.kept {
		l.logStart = l.segments.at(0).base
		l.localStart, l.epochStart = max(l.localStart, l.logStart), max(l.epochStart, l.logStart)
	}
	if w.kept > w.was.kept || w.made > w.was.made {
		l.producers.lastSnap = g.base
	}
	r.front, r.readable, r.onDisk = w.front, w.front, w.onDisk
	t.counts.count(w.made-w.was.made, w.gone-w.was.gone, &w.tally)
	if t.band != nil {
		t.band.deletions += int(w.tally.checks)
	}
	w.sim.known = false
	if f.done == f.Count {
		w.sim.dropFinished()
	}
	l.use(&r.usage)
	// A check leaves it to the removal that follows, and the other way round, to note all that grew.
	u := &r.usage
	t.envelope[len(t.envelope)-1].grow(u.Log, u.Indexes, u.Apparent, u.Allocated)
}

// count adds what happened in a [flow].
func (c *Counts) count(rolls, removals int64, d *deletions) {
	c.MemoryMaps = max(c.MemoryMaps, 2*c.OpenFiles)
	c.Rolls += rolls
	c.Deletions += d.bySize + d.byTime
	c.Removals += removals
	c.Events += rolls + d.bySize + d.byTime + removals
	c.RollsBy.add(rollReasons[fullSegment], rolls)
	if d.lead == 0 {
		c.DeletionsBy.add(ByTime, d.byTime)
		c.DeletionsBy.add(BySize, d.bySize)
		return
	}
	c.DeletionsBy.add(BySize, d.bySize)
	c.DeletionsBy.add(ByTime, d.byTime)
}

// listDeleted brings the list of files that wait up to date.
func (w *flow) listDeleted() {
	l := w.log
	l.deleted.popFront(int(min(w.gone, w.was.kept) - w.was.gone))
	k := max(w.gone, w.was.kept)
	for _, group := range w.groups.all() {
		for ; k < group.upTo; k++ {
			d := l.deleted.extend()
			*d = deletedFiles{
				base: w.base + w.span*Offset(k), size: w.unit.log, log: w.unit.log, index: indexSlot * Bytes(w.run.even.entries),
				times: timeSlot * Bytes(w.times), txn: noFile, snap: w.snapshot, snapBlocks: blocks(w.snapshot),
				due: group.due, snapDue: group.due, made: group.due - w.delay, firstAt: w.begins(k),
			}
			if w.uneven {
				d.times = timeSlot * Bytes(w.timesOf(k))
			}
			d.blocks = blocks(d.log) + blocks(d.index) + blocks(d.times)
		}
	}
}

// listSegments brings the list of segments up to date.
func (w *flow) listSegments() {
	l, e := w.log, &w.run.even
	k := w.was.made
	deleted := int(w.kept - w.was.kept)
	if deleted < l.segments.len() {
		l.segments.popFront(deleted)
		w.write(l.segments.last(), k)
		k++
	} else {
		l.segments.clear()
		l.skipJitter(w.kept - k - 1)
		k = w.kept
	}
	w.append(k)
	if w.made == w.was.made {
		return
	}
	if e.snapshot != w.snapshot || e.since > w.base {
		e.since, e.snapshot = w.base+w.span*Offset(w.was.made+1), w.snapshot
	}
	e.base, e.from = w.base+w.span*Offset(w.made), w.first+w.made*w.full
}

// append adds the segments from a number on to the list. It is a loop without calls, because a checkpoint lists all of them.
func (w *flow) append(k int64) {
	l, f, c := w.log, w.run, &w.log.config
	n := int(w.made - k + 1)
	if n <= 0 {
		return
	}
	l.segments.room(n)
	at := len(l.segments.items)
	l.segments.items = l.segments.items[:at+n]
	jitters := min(c.SegmentJitterMs, c.SegmentMs) > 0
	entries, from, num, den := f.even.entries, w.first+k*w.full, w.num, w.den
	acc := w.size * Bytes(w.full-entries*w.gap)
	begins := w.call(from)
	for i := range l.segments.items[at:] {
		g := &l.segments.items[at+i]
		g.base, g.created, g.firstAt, g.firstTs, g.batchTs = w.base+w.span*Offset(k), begins, begins, begins+f.clock, begins+f.clock
		g.interval, g.capacity, g.txn, g.snapshot = c.IndexIntervalBytes, c.SegmentIndexBytes, noFile, w.snapshot
		g.hasIndex, g.hasTimes, g.closed = true, true, true
		g.jitter, g.prealloc = 0, 0
		g.size, g.entries, g.times, g.acc = w.unit.log, entries, w.times, acc
		last := w.at + Millis(uint64(from+w.full-1)*num/den)
		from += w.full
		begins = w.at + Millis(uint64(from)*num/den)
		g.mtime, g.maxTs, g.lastTime = last, last+f.clock, last+f.clock
		if w.prealloc > g.size {
			g.mtime = begins
		}
		if jitters {
			g.jitter = l.drawJitter()
		}
		if w.uneven {
			g.times = w.timesOf(k)
		}
		k++
	}
	g := l.segments.last()
	g.closed, g.prealloc, g.lastTime = false, w.prealloc, NoTimestamp
	w.write(g, w.made)
}

// write gives a segment what its calls brought, and closes it if it is not the active one.
func (w *flow) write(g *segment, k int64) {
	f := w.run
	from := w.first + k*w.full
	n := min(w.done-from, w.full)
	entries := int64(uint64(n-1) / uint64(w.gap))
	g.size, g.entries, g.acc = w.size*Bytes(n), entries, w.size*Bytes(n-entries*w.gap)
	g.mtime = w.call(from + n - 1)
	g.maxTs = g.mtime + f.clock
	if k == w.made {
		g.times = w.indexed(from, entries)
		if entries > 0 {
			g.lastTime = w.call(from+entries*w.gap) + f.clock
		}
		return
	}
	g.times, g.lastTime, g.closed = w.times, g.maxTs, true
	if w.uneven {
		g.times = w.timesOf(k)
	}
	if g.prealloc > g.size {
		g.mtime = w.begins(k + 1)
	}
	g.prealloc = 0
}

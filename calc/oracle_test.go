package calc

import (
	"cmp"
	"maps"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// oracle is a second model of the log, slow and plain: one append call at a time, one file at a time, every total added
// up anew when it is asked for, no formula for more than one batch. It is written from Kafka's rules, whose numbers its
// comments give, and calls nothing of the engine but the draw of jitter; what they share are the words of a [Plan] and of
// what is reported. TestOracleReplaysGolden shows that it does what Kafka was recorded to do.
//
// Not played: the remote half of a tiered log (Plan.Remote), and compaction, which the engine leaves out too.
type oracle struct {
	plan  Plan
	steps []Step
	done  []int64  // of each step: calls made, or 1
	due   []Millis // of each step: when its next call is due, or Never
	now   Millis

	config   LogConfig
	segments []*oracleSegment        // oldest first; the last is the active one
	deleted  map[Offset]*oracleFiles // that end in .deleted, by base offset

	logStart, localStart, logEnd Offset
	highWatermark                Offset
	held                         bool
	copied                       Offset

	epoch      bool // leader-epoch-checkpoint has an entry
	epochStart Offset

	producers map[int64]Millis            // what each producer's last batch is stamped
	snapshots map[Offset]map[int64]Millis // .snapshot files by offset: the producers they hold
	mapEnd    Offset                      // what producers covers
	lastSnap  Offset                      // where the last snapshot was taken
	tasks     []*oracleTask               // scheduled
	order     int64                       // tasks scheduled so far
	copying   *oracleTask                 // copy_every
	started   Millis                      // when the broker last started
	down      Millis                      // calls before this time do not happen
	gone      bool                        // the topic is deleted
	empty     bool                        // its directory too
	failed    bool                        // Kafka itself fails
	accepted  Bytes                       // bytes appended
	count     int                         // steps made
	random    uint64                      // state of the draw of jitter
	turn      Turn                        // what this step did
	events    []Event                     // of this step
	removed   []Offset                    // base offsets whose deleted files went in this group
	grouped   int                         // those of them that are in order
	peak      Peak
}

type oracleSegment struct {
	base Offset
	size Bytes

	clock   Millis // what segment.ms is counted from, −1: created
	first   Millis // largest timestamp of the first batch
	newest  Millis // largest timestamp of all
	created Millis
	written Millis // modification time of the .log
	jitter  Millis

	interval, capacity Bytes // index.interval.bytes and segment.index.bytes as they were when it was opened
	since              Bytes // bytes since the last index entry
	entries, times     int64 // of the two indexes
	lastTime           Millis

	length           Bytes // of a preallocated .log
	txn              Bytes // of the .txnindex; −1: none
	index, timeIndex bool  // the file exists
	trimmed          bool
}

// oracleFiles are the files of one base offset.
type oracleFiles [5]oracleFile

const (
	dotLog = iota
	dotIndex
	dotTimeIndex
	dotTxnIndex
	dotSnapshot
)

// oracleFile is a file, if it is there, by its length and what of it was written.
type oracleFile struct {
	there           bool
	length, written Bytes
}

type oracleTask struct {
	at, period Millis
	order      int64
	run        func()
}

func newOracle(p Plan) *oracle {
	if p.Remote != nil {
		panic("the oracle does not play the remote half of a tiered log")
	}
	o := &oracle{
		plan: p, config: p.Log, copied: -1, epoch: true, random: p.Seed, deleted: map[Offset]*oracleFiles{},
		producers: map[int64]Millis{}, snapshots: map[Offset]map[int64]Millis{},
	}
	source := p.Steps.Clone()
	for step, ok := source.Next(); ok; step, ok = source.Next() {
		o.steps = append(o.steps, step)
		o.done = append(o.done, 0)
		o.due = append(o.due, step.At)
	}
	// The broker schedules its retention check, then makes the log.
	o.every(p.Broker.InitialTaskDelay, p.Broker.RetentionCheckInterval, o.check)
	o.every(p.Broker.ProducerExpirationCheck, p.Broker.ProducerExpirationCheck, o.expire)
	s := o.open(0)
	s.index, s.timeIndex = true, true // 3.3: a log that is made has both at once
	o.watch()
	return o
}

// Time.

// plus is a+b without going round.
func plus(a, b Millis) Millis {
	if b > 0 && a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

func (o *oracle) at(t Millis, run func()) *oracleTask {
	task := &oracleTask{at: t, order: o.order, run: run}
	o.order++
	o.tasks = append(o.tasks, task)
	return task
}

func (o *oracle) every(first, period Millis, run func()) *oracleTask {
	task := o.at(plus(o.now, first), run)
	task.period = period
	return task
}

// nextTask is the first scheduled of the tasks that are due first, or nil.
func (o *oracle) nextTask() *oracleTask {
	if len(o.tasks) == 0 {
		return nil
	}
	return slices.MinFunc(o.tasks, func(a, b *oracleTask) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order))
	})
}

// nextStep is the step, the first of those with the same time, that happens next.
func (o *oracle) nextStep() (i int, at Millis) {
	i, at = -1, Never
	for j, due := range o.due {
		if due < at {
			i, at = j, due
		}
	}
	return i, at
}

// next is when something happens next.
func (o *oracle) next() (Millis, bool) {
	_, at := o.nextStep()
	if task := o.nextTask(); task != nil {
		at = min(at, task.at)
	}
	return at, at <= o.plan.Until && !o.failed
}

// step does what happens next: all tasks that are due, or one step or call.
func (o *oracle) step() []Event {
	o.count++
	o.events, o.grouped = nil, 0
	i, at := o.nextStep()
	if task := o.nextTask(); task != nil && task.at <= at {
		o.turn = TaskTurn
		o.now = max(o.now, task.at)
		o.runTasks()
	} else {
		o.doStep(i, at)
	}
	o.group()
	o.watch()
	return o.events
}

func (o *oracle) runTasks() {
	for {
		task := o.nextTask()
		if task == nil || task.at > o.now {
			return
		}
		o.tasks = slices.DeleteFunc(o.tasks, func(t *oracleTask) bool { return t == task })
		task.run()
		if task.period > 0 && !o.gone {
			task.at = plus(task.at, task.period)
			task.order = o.order
			o.order++
			o.tasks = append(o.tasks, task)
		}
	}
}

func (o *oracle) doStep(i int, at Millis) {
	step := o.steps[i]
	o.done[i]++
	o.due[i] = Never
	o.turn = OtherTurn
	a, appends := step.Do.(Append)
	if appends {
		o.turn = CallTurn
	}
	if appends && o.done[i] < a.Count {
		o.due[i] = plus(step.At, callDelay(o.done[i], a))
	}
	if o.gone || at < o.down {
		return
	}
	o.now = max(o.now, at)
	switch do := step.Do.(type) {
	case Append:
		o.append(do, o.done[i]-1)
	case Configure:
		o.config = do.Log
	case DeleteRecords:
		if do.Before > o.highWatermark { // 18.12
			o.note(Reject, do.Before, OffsetOutOfRange)
		} else {
			o.raiseStart(do.Before)
		}
	case Restart:
		o.stop(do.Down)
		return // what is due now is part of the start
	case HighWatermark:
		o.held = do.Offset != -1
		switch {
		case do.Offset == -1:
			o.highWatermark = o.logEnd
		case do.Offset >= 0:
			o.highWatermark = min(max(do.Offset, o.highWatermark), o.logEnd)
		}
	case CopiedTo:
		o.copyTo(do.Offset)
	case CopyEvery:
		o.tasks = slices.DeleteFunc(o.tasks, func(t *oracleTask) bool { return t == o.copying })
		o.copying = nil
		if do.Period > 0 {
			o.copying = o.every(do.Period, do.Period, o.copyClosed)
		}
	case DeleteTopic:
		o.deleteTopic()
		return
	}
	o.runTasks() // those that are due at once
}

// callDelay is how long after its step call i of a run comes.
func callDelay(i int64, a Append) Millis {
	hi, lo := bits.Mul64(uint64(i), uint64(a.IntervalNum))
	if hi >= uint64(a.IntervalDen) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(a.IntervalDen))
	return Millis(min(q, math.MaxInt64))
}

func (o *oracle) note(kind EventKind, base Offset, why Reason) {
	o.events = append(o.events, Event{o.now, kind, base, why})
}

// group puts the events of one group in order: rolls, deletions and removals, each by base.
func (o *oracle) group() {
	slices.Sort(o.removed)
	for _, base := range slices.Compact(o.removed) {
		if o.deleted[base] == nil { // a group is seen as a whole: others of these names may have come
			o.note(Remove, base, "")
		}
	}
	o.removed = nil
	rank := map[EventKind]int{Roll: 1, Replace: 1, Delete: 2, Remove: 3}
	slices.SortStableFunc(o.events[o.grouped:], func(a, b Event) int {
		if rank[a.Kind] == 0 || rank[a.Kind] != rank[b.Kind] {
			return rank[a.Kind] - rank[b.Kind]
		}
		return cmp.Compare(a.Base, b.Base)
	})
	o.grouped = len(o.events)
}

// Appends. Sections 1, 2 and 3.4.

func (o *oracle) active() *oracleSegment { return o.segments[len(o.segments)-1] }

// open makes a segment. Its index files come with their first use (3.3).
func (o *oracle) open(base Offset) *oracleSegment {
	draw := log{config: o.config, random: o.random}
	s := &oracleSegment{
		base: base, clock: -1, first: -1, newest: -1, lastTime: -1, created: o.now, written: o.now,
		jitter: draw.drawJitter(), interval: o.config.IndexIntervalBytes, capacity: o.config.SegmentIndexBytes, txn: -1,
	}
	o.random = draw.random
	if o.config.Preallocate {
		s.length = o.config.SegmentBytes // 3.1
	}
	o.segments = append(o.segments, s)
	return s
}

// batchOf is batch n of a run: its size, and the timestamps of its first and last record.
func (o *oracle) batchOf(a Append, n int64) (size Bytes, first, last Millis) {
	size = a.Batch
	if len(a.Cycle) > 0 {
		size = a.Cycle[n%int64(len(a.Cycle))]
	}
	wall := o.plan.Epoch + o.now
	switch a.Timestamp.Kind {
	case AppendTimestamp:
		first = wall + a.Timestamp.Shift
	case CycledTimestamp:
		first = wall + a.Timestamp.Shifts[n%int64(len(a.Timestamp.Shifts))]
	case FixedTimestamp:
		first = o.plan.Epoch + a.Timestamp.From + a.Timestamp.Step*Millis(n)
	case AbsentTimestamp:
		return size, -1, -1
	}
	return size, first, first + a.Spread*Millis(a.Records-1)
}

// refused is the exception with which Kafka refuses a call (1.8, 4.5, 18.11).
func (o *oracle) refused(a Append, call int64) Reason {
	var bytes Bytes
	wall := o.plan.Epoch + o.now
	for b := range a.Batches {
		size, first, last := o.batchOf(a, call*a.Batches+b)
		bytes += size
		if a.Follower {
			continue
		}
		if size > o.config.MaxMessageBytes {
			return RecordTooLarge
		}
		if first >= 0 && !o.config.LogAppendTime {
			for _, t := range [2]Millis{first, last} {
				if wall-t > o.config.TimestampBeforeMax || t-wall > o.config.TimestampAfterMax {
					return InvalidTimestamp
				}
			}
		}
	}
	if bytes > o.config.SegmentBytes {
		return RecordBatchTooLarge
	}
	return ""
}

// perCall is whether an index gets an entry for a call instead of a batch (3.4, 2.1).
func (o *oracle) perCall() bool { return o.plan.Version <= 30900 || o.plan.Version == 40000 }

func (o *oracle) append(a Append, call int64) {
	offset := o.logEnd
	if call == 0 {
		offset = max(offset, a.Offset)
	}
	why := o.refused(a, call)
	if (!o.epoch || offset < o.epochStart) && (why == "" || why == RecordBatchTooLarge) { // 18.2, LeaderEpochFileCache.assign
		o.epoch, o.epochStart = true, offset
	}
	if why != "" {
		o.note(Reject, o.logEnd, why)
		return
	}
	type batch struct {
		size   Bytes
		newest Millis
	}
	var batches []batch
	var bytes Bytes
	newest := Millis(-1)
	for b := range a.Batches {
		size, _, last := o.batchOf(a, call*a.Batches+b)
		if o.config.LogAppendTime && !a.Follower { // 1.9
			last = o.plan.Epoch + o.now
		}
		batches = append(batches, batch{size, last})
		bytes += size
		newest = max(newest, last)
	}
	end := offset + Offset(a.Batches*a.Records)

	o.useIndexes()
	if why := o.mustRoll(bytes, newest, end-1); why != "" {
		o.roll(offset, Reason(why))
		o.useIndexes()
	}
	s := o.active()
	if o.perCall() {
		if s.size == 0 {
			s.clock, s.first = newest, batches[0].newest
		}
		o.write(s, bytes, newest)
	} else {
		if s.size == 0 {
			s.clock, s.first = batches[0].newest, batches[0].newest
		}
		for _, b := range batches {
			o.write(s, b.size, b.newest)
		}
	}
	s.written = o.now
	for i, b := range batches {
		n := call*a.Batches + int64(i)
		if a.Producer >= 0 {
			o.producers[a.Producer+n%a.Producers] = b.newest
		}
		if a.Aborts {
			s.txn = max(s.txn, 0) + 34 // 3.5
		}
	}
	o.accepted += bytes
	o.logEnd, o.mapEnd = end, end
	if !o.held {
		o.highWatermark = end
	}
}

// write puts a batch, or a call of them, into the segment and the indexes (3.4).
func (o *oracle) write(s *oracleSegment, bytes Bytes, newest Millis) {
	s.newest = max(s.newest, newest)
	if s.since > s.interval {
		if s.entries >= int64(s.capacity/8) || s.times >= int64(s.capacity/12)-1 { // 18.10
			o.failed = true
			return
		}
		s.entries++
		if s.newest > s.lastTime {
			s.times, s.lastTime = s.times+1, s.newest
		}
		s.since = 0
	}
	s.since += bytes
	s.size += bytes
}

// useIndexes makes the active segment's index files.
func (o *oracle) useIndexes() { o.active().index, o.active().timeIndex = true, true }

// mustRoll is why the log rolls before an append, in Kafka's order of the conditions (section 2).
func (o *oracle) mustRoll(bytes Bytes, newest Millis, last Offset) string {
	s := o.active()
	limit := o.config.SegmentMs
	if o.config.Compact {
		limit = min(limit, o.config.MaxCompactionLagMs) // 2.2
	}
	waited := o.now - s.created // 2.1
	if s.clock >= 0 {
		waited = newest - s.clock
	}
	var why []string
	if s.size+bytes > o.config.SegmentBytes {
		why = append(why, "segment.bytes")
	}
	if s.size > 0 && waited > limit-s.jitter {
		why = append(why, "segment.ms")
	}
	if s.entries >= int64(s.capacity/8) {
		why = append(why, "segment.index.bytes (offset)")
	}
	if s.times >= int64(s.capacity/12)-1 {
		why = append(why, "segment.index.bytes (time)")
	}
	if last-s.base > math.MaxInt32 {
		why = append(why, "offset overflow")
	}
	return strings.Join(why, " + ")
}

// roll closes the active segment and makes the next (2.6), or makes an empty one again (2.7, 18.9).
func (o *oracle) roll(base Offset, why Reason) {
	s := o.active()
	if s.size == 0 && s.base == base {
		o.segments = o.segments[:len(o.segments)-1]
		o.rename(s)
		o.open(base)
		o.note(Replace, base, why)
	} else {
		o.trim(s)
		o.open(base)
		o.note(Roll, base, why)
	}
	o.mapEnd = base
	o.snapshot()
}

// trim cuts a segment's files to what is used, after a last entry in the time index.
func (o *oracle) trim(s *oracleSegment) {
	s.index, s.timeIndex = true, true
	if s.newest > s.lastTime {
		s.times, s.lastTime = s.times+1, s.newest
	}
	if s.length > s.size {
		s.written = o.now // 18.8
	}
	s.length, s.trimmed = 0, true
}

// snapshot saves the producers, unless the last snapshot covers as much (3.6).
func (o *oracle) snapshot() {
	if o.mapEnd > o.lastSnap {
		o.snapshots[o.mapEnd] = maps.Clone(o.producers)
		o.lastSnap = o.mapEnd
	}
}

// expire forgets producers by the timestamp of their last batch (18.4, 18.5).
func (o *oracle) expire() {
	maps.DeleteFunc(o.producers, func(_ int64, stamp Millis) bool {
		return o.plan.Epoch+o.now-stamp >= o.plan.Broker.ProducerExpiration
	})
}

// Retention and removal. Sections 4, 5 and 7.3, 7.4.

func (o *oracle) tiered() bool { return o.config.RemoteStorage && !o.config.RemoteCopyDisable }

// check is the broker's retention check of the log.
func (o *oracle) check() {
	byStart := func() {
		start := o.logStart
		if o.config.RemoteStorage {
			start = o.localStart // 18.14
		}
		o.deleteWhile(ByLogStart, ByLogStart, func(_ *oracleSegment, next *oracleSegment) bool {
			return next != nil && next.base <= start
		})
	}
	bySize := func() {
		limit, why := o.config.RetentionBytes, BySize
		if o.tiered() {
			why = ByLocalSize
			if o.config.LocalRetentionBytes != -2 {
				limit = o.config.LocalRetentionBytes
			}
		}
		var size Bytes
		for _, s := range o.segments {
			size += s.size
		}
		if limit < 0 || size < limit {
			return
		}
		excess := size - limit
		o.deleteWhile(why, why, func(s, _ *oracleSegment) bool {
			if excess-s.size < 0 {
				return false
			}
			excess -= s.size
			return true
		})
	}
	byTime := func() {
		limit, why, mtime := o.config.RetentionMs, ByTime, ByMtime
		if o.tiered() {
			why, mtime = ByLocalTime, ByLocalMtime
			if o.config.LocalRetentionMs != -2 {
				limit = o.config.LocalRetentionMs
			}
		}
		if limit < 0 {
			return
		}
		o.deleteWhile(why, mtime, func(s, _ *oracleSegment) bool {
			s.timeIndex = true // 18.15: reading the largest timestamp opens the time index
			if s.newest >= 0 {
				return o.plan.Epoch+o.now-s.newest > limit
			}
			return o.now-s.written > limit
		})
	}
	switch {
	case o.config.Compact: // left to the cleaner, which is not played
	case !o.config.Delete && !o.tiered(): // 6.9
		byStart()
	case o.plan.Version < 30000: // 4.2
		byTime()
		bySize()
		byStart()
	default:
		byStart()
		bySize()
		byTime()
	}
}

// deleteWhile deletes segments from the oldest on, as long as the predicate gives them up (4.3, 4.4).
func (o *oracle) deleteWhile(why, mtime Reason, predicate func(s, next *oracleSegment) bool) {
	var goes []*oracleSegment
	roll := false
	for i, s := range o.segments {
		var next *oracleSegment
		upper := o.logEnd
		if i+1 < len(o.segments) {
			next = o.segments[i+1]
			upper = next.base
		}
		if o.highWatermark < upper || !predicate(s, next) || next == nil && s.size == 0 {
			break
		}
		if next == nil && o.config.RemoteStorage && o.plan.Version >= 30700 { // 7.4
			roll = true
		}
		if o.tiered() && !(upper > 0 && upper-1 <= o.copied || next != nil && next.base <= o.logStart) { // 7.3
			break
		}
		goes = append(goes, s)
	}
	if roll || len(goes) == len(o.segments) {
		o.roll(o.logEnd, ByRetention)
	}
	if len(goes) == 0 {
		return
	}
	o.segments = o.segments[len(goes):]
	start := o.segments[0].base
	if o.tiered() {
		o.localStart = max(o.localStart, start)
	} else {
		o.raiseStart(start)
	}
	for _, s := range goes {
		if s.newest < 0 {
			o.note(Delete, s.base, mtime)
		} else {
			o.note(Delete, s.base, why)
		}
		o.rename(s)
		if producers, ok := o.snapshots[s.base]; ok {
			delete(o.snapshots, s.base)
			o.wait(s.base, oracleFiles{dotSnapshot: snapshotFile(producers)}, dotSnapshot)
		}
	}
}

// rename gives a segment's files the suffix .deleted (section 5).
func (o *oracle) rename(s *oracleSegment) {
	o.wait(s.base, s.files(), dotLog, dotIndex, dotTimeIndex, dotTxnIndex)
}

// wait lets files wait for file.delete.delay.ms, in the place of those of the same name that wait already. The task then
// removes what has these names (18.13).
func (o *oracle) wait(base Offset, files oracleFiles, names ...int) {
	if o.deleted[base] == nil {
		o.deleted[base] = new(oracleFiles)
	}
	for _, i := range names {
		if files[i].there {
			o.deleted[base][i] = files[i]
		}
	}
	o.at(plus(o.now, o.config.FileDeleteDelayMs), func() {
		left := o.deleted[base]
		if left == nil {
			return
		}
		for _, i := range names {
			left[i] = oracleFile{}
		}
		if *left == (oracleFiles{}) {
			delete(o.deleted, base)
			o.removed = append(o.removed, base)
		}
	})
}

// raiseStart raises the log start offset (18.1, 4.4).
func (o *oracle) raiseStart(to Offset) {
	if to <= o.logStart {
		return
	}
	o.logStart, o.localStart = to, max(o.localStart, to)
	o.epochStart = max(o.epochStart, to)
	// Kafka: ProducerStateManager.onLogStartOffsetIncremented.
	o.mapEnd, o.lastSnap = max(o.mapEnd, to), to
	if len(o.snapshots) > 0 {
		o.lastSnap = slices.Max(slices.Collect(maps.Keys(o.snapshots)))
	}
}

func (o *oracle) copyTo(offset Offset) {
	o.copied = max(o.copied, offset)
	o.note(Copied, offset, "")
}

// copyClosed copies everything below the newest segment that begins at or below the high watermark.
func (o *oracle) copyClosed() {
	below := Offset(0)
	for _, s := range o.segments {
		if s.base <= o.highWatermark {
			below = s.base
		}
	}
	if below-1 > o.copied {
		o.copyTo(below - 1)
	}
}

// deleteTopic renames the directory, which goes log.segment.delete.delay.ms later, or at the first run of the task that
// removes directories (section 5).
func (o *oracle) deleteTopic() {
	o.gone, o.tasks = true, nil
	o.note(TopicGone, -1, "")
	gone := plus(o.now, o.plan.Broker.SegmentDeleteDelay)
	o.at(max(gone, plus(o.started, o.plan.Broker.InitialTaskDelay)), func() {
		o.empty = true
		o.note(DirGone, -1, ByTopic)
	})
}

// Restart. Section 14 and 18.2, 18.3, 18.6, 18.7.

func (o *oracle) stop(down Millis) {
	o.snapshot()
	o.trim(o.active())
	o.turn = StopTurn
	o.note(Stop, -1, Clean)
	o.tasks = nil
	o.down = plus(o.now, down)
	o.at(o.down, o.start)
}

func (o *oracle) start() {
	o.turn, o.started = StartTurn, o.now
	o.note(Start, -1, Clean)
	for _, base := range slices.Sorted(maps.Keys(o.deleted)) {
		o.note(Remove, base, ByStart)
	}
	clear(o.deleted)
	o.grouped = len(o.events)
	for _, s := range o.segments {
		draw := log{config: o.config, random: o.random}
		s.jitter, s.created, s.clock = draw.drawJitter(), o.now, s.first
		o.random = draw.random
	}
	s := o.active()
	s.trimmed, s.since = false, 0
	s.interval, s.capacity = o.config.IndexIntervalBytes, o.config.SegmentIndexBytes
	if s.entries > int64(s.capacity/8) || s.times > int64(s.capacity/12) { // 18.3
		o.failed = true
		return
	}
	if o.epochStart >= o.logEnd { // 18.2
		o.epoch = false
	}
	o.loadProducers()
	if !o.held {
		o.highWatermark = o.logEnd
	}
	// The log is loaded first, then the broker schedules its checks.
	o.every(o.plan.Broker.ProducerExpirationCheck, o.plan.Broker.ProducerExpirationCheck, o.expire)
	o.every(o.plan.Broker.InitialTaskDelay, o.plan.Broker.RetentionCheckInterval, o.check)
	if o.copying != nil {
		o.copying = o.every(o.copying.period, o.copying.period, o.copyClosed)
	}
}

// loadProducers reads the producers from the newest snapshot. The stray ones but the newest go first (3.6).
func (o *oracle) loadProducers() {
	last := o.active().base
	isBase := func(at Offset) bool {
		return slices.ContainsFunc(o.segments, func(s *oracleSegment) bool { return s.base == at })
	}
	stray := Offset(-1)
	for _, at := range slices.Sorted(maps.Keys(o.snapshots)) {
		if !isBase(at) {
			delete(o.snapshots, stray)
			stray = at
		}
	}
	if stray < last {
		delete(o.snapshots, stray)
	}
	o.lastSnap, o.mapEnd = 0, 0
	o.producers = map[int64]Millis{}
	if len(o.snapshots) == 0 { // 18.7
		at := []Offset{last, o.logEnd}
		if n := len(o.segments); n > 1 {
			at = append([]Offset{o.segments[n-2].base}, at...)
		}
		for _, o.mapEnd = range at {
			o.snapshot()
		}
		return
	}
	maps.DeleteFunc(o.snapshots, func(at Offset, _ map[int64]Millis) bool { return at <= o.logStart || at > o.logEnd })
	if o.logEnd > 0 {
		o.mapEnd, o.lastSnap = o.logStart, o.logStart
		if all := slices.Sorted(maps.Keys(o.snapshots)); len(all) > 0 {
			newest := all[len(all)-1]
			o.mapEnd, o.lastSnap = newest, newest
			o.producers = maps.Clone(o.snapshots[newest])
			o.expire()
		}
	}
	if o.logEnd > o.mapEnd {
		panic("a clean stop left no snapshot at the log's end")
	}
	o.mapEnd = o.logEnd
	o.snapshot()
}

// What is on disk. Sections 3 and 18.

// files are the files of a segment, but for the snapshot.
func (s *oracleSegment) files() (files oracleFiles) {
	index := func(there bool, slot Bytes, entries int64) oracleFile {
		used, length := slot*Bytes(entries), s.capacity/slot*slot
		if s.trimmed {
			length = used
		}
		return oracleFile{there, length, used}
	}
	files[dotLog] = oracleFile{true, max(s.size, s.length), s.size}
	files[dotIndex] = index(s.index, 8, s.entries)
	files[dotTimeIndex] = index(s.timeIndex, 12, s.times)
	files[dotTxnIndex] = oracleFile{s.txn >= 0, s.txn, s.txn}
	return files
}

func snapshotFile(producers map[int64]Millis) oracleFile {
	size := 10 + 46*Bytes(len(producers))
	return oracleFile{true, size, size}
}

// row is the lengths of files as a [Directory] lists them.
func (f *oracleFiles) row(base Offset) Files {
	var lengths [5]Bytes
	for i, file := range f {
		lengths[i] = -1
		if file.there {
			lengths[i] = file.length
		}
	}
	return Files{base, lengths[0], lengths[1], lengths[2], lengths[3], lengths[4]}
}

// live is the files without the suffix .deleted.
func (o *oracle) live() map[Offset]*oracleFiles {
	live := make(map[Offset]*oracleFiles, len(o.segments))
	for _, s := range o.segments {
		files := s.files()
		live[s.base] = &files
	}
	for at, producers := range o.snapshots {
		if live[at] == nil {
			live[at] = new(oracleFiles)
		}
		live[at][dotSnapshot] = snapshotFile(producers)
	}
	return live
}

func (o *oracle) epochFile() Bytes {
	if !o.epoch {
		return 4 // "0\n0\n"
	}
	digits := Bytes(1)
	for x := o.epochStart; x > 9; x /= 10 {
		digits++
	}
	return 7 + digits // "0\n1\n0 <start>\n"
}

func (o *oracle) directory() Directory {
	if o.empty {
		return Directory{Gone: true}
	}
	list := func(all map[Offset]*oracleFiles) (rows []Files) {
		for _, base := range slices.Sorted(maps.Keys(all)) {
			rows = append(rows, all[base].row(base))
		}
		return rows
	}
	return Directory{list(o.live()), list(o.deleted), o.epochFile(), 43, false}
}

func (o *oracle) usage() (u Usage) {
	if o.empty {
		return u
	}
	blocks := func(n Bytes) Bytes { return (n + 4095) / 4096 * 4096 }
	count := func(f *oracleFiles) {
		for _, file := range f {
			if file.there {
				u.Apparent += file.length
				u.Allocated += blocks(file.written)
			}
		}
		if f[dotLog].there {
			u.OpenFiles++
		}
	}
	for _, files := range o.deleted {
		count(files)
		u.AwaitingLog += files[dotLog].written
	}
	u.Awaiting, u.AwaitingAllocated = u.Apparent, u.Allocated
	for _, s := range o.segments {
		files := s.files()
		count(&files)
		u.Log += s.size
		u.Segments++
		for _, index := range files[dotIndex : dotTxnIndex+1] {
			if index.there {
				u.Indexes += index.length
			}
		}
	}
	for _, producers := range o.snapshots {
		count(&oracleFiles{dotSnapshot: snapshotFile(producers)})
	}
	u.MemoryMaps = 2 * u.OpenFiles
	u.Apparent += o.epochFile() + 43
	u.Allocated += 4096 + 4096
	return u
}

// watch notes the most that was on disk.
func (o *oracle) watch() {
	u := o.usage()
	reach := func(m *Moment, bytes Bytes) {
		if bytes > m.Bytes {
			*m = Moment{o.now, bytes}
		}
	}
	reach(&o.peak.Log, u.Log)
	reach(&o.peak.Apparent, u.Apparent)
	reach(&o.peak.Allocated, u.Allocated)
}

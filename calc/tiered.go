package calc

import (
	"math"
	"slices"
)

// The remote half of a tiered partition, as its leader plays it: the copy task, the expiration task, and what is in the
// remote store. It is played where a [Plan] has a [RemoteConfig]; without one the steps [CopiedTo] and [CopyEvery] say what
// is copied, as in the recorded traces.
//
// Not modelled: changes of the leader, the cache of remote indexes, a store that fails only now and then, and a store whose
// failures are said to be worth a retry (RetriableRemoteStorageException: Kafka then leaves COPY_SEGMENT_STARTED without a
// deletion). A remote store that is down fails each attempt at once.
//
// Kafka: RemoteLogManager.RLMCopyTask, RLMExpirationTask; rules 7.

// RemoteConfig is what the remote half needs beyond the settings of the log.
type RemoteConfig struct {
	TaskInterval  Millis // remote.log.manager.task.interval.ms, from the end of a run to the next; ≥ 1
	Upload        Rate   // bytes that the store takes from one partition in a time; the zero Rate: at once
	UploadLatency Millis // what copying a segment takes besides; ≥ 0
	DeleteLatency Millis // what deleting a segment takes; ≥ 0
	CopyQuota     Bytes  // remote.log.manager.copy.max.bytes.per.second; ≥ 1, math.MaxInt64 is none
}

// RemoteState is the state of a remote segment, as the events in __remote_log_metadata give it.
//
// Kafka: RemoteLogSegmentState.
type RemoteState uint8

// The states of a remote segment, in their order.
const (
	CopySegmentStarted RemoteState = iota
	CopySegmentFinished
	DeleteSegmentStarted
	DeleteSegmentFinished
)

var stateNames = [...]string{
	"COPY_SEGMENT_STARTED", "COPY_SEGMENT_FINISHED", "DELETE_SEGMENT_STARTED", "DELETE_SEGMENT_FINISHED",
}

// String is Kafka's name of the state.
func (s RemoteState) String() string { return stateNames[s] }

// RemoteSegment is a segment that the remote store holds, or that is on its way there or away.
type RemoteSegment struct {
	Base, End Offset // of its first and last record
	Log       Bytes  // of its batches: what retention.bytes counts
	Stored    Bytes  // of all its objects: .log, indexes, producer snapshot, leader epochs; 0 when the copy failed
	Newest    Millis // its largest timestamp; of a segment without one, when its file was last written
	State     RemoteState
	Failed    bool // the copy failed: there is nothing to read, and Kafka copies the segment again under another id

	Started  Millis // when COPY_SEGMENT_STARTED was written
	Finished Millis // when COPY_SEGMENT_FINISHED was; [Never] before
	Deleted  Millis // when DELETE_SEGMENT_FINISHED was; [Never] before

	id      int    // of the attempt to copy, from 0
	firstAt Millis // when its first record was appended
	why     Reason // for which it is deleted
}

// remote is the state of the remote half.
type remote struct {
	config   RemoteConfig
	segments deque[RemoteSegment] // in order of Base; of one base the copy first, then failed attempts
	finished Bytes                // Log of the segments in COPY_SEGMENT_FINISHED
	log      Bytes                // Log of all that the store holds
	stored   Bytes                // Stored of the same

	copier, expirer worker
	current         RemoteSegment // that is being copied, when the copier is busy and not waiting
	until           Offset        // the copier's run ends with the segment that ends before it
	waiting         bool          // the copier waits for the quota
	doomed          []int         // attempts that the expirer's run has still to delete, the one at hand first
	doomedTo        int           // after them all failed attempts before this one; 0: none
	failures        int           // how many of segments, at their end, are failed attempts in DELETE_SEGMENT_STARTED
	recorded        []quotaRecord // of the last seconds

	after     Millis // beats up to it have passed
	downUntil Millis // the store is down before it; 0: it is there
	broken    bool   // the store went down while the segment at hand was copied
	held      bool   // the last stable offset is held
	stable    Offset // there
	attempts  int

	closedAfter onlyLocal
	course      *remoteCourse // takes down what happens, for the check of the metadata topic; may be nil
}

// worker is a task that is due every interval, counted from the end of its last run.
type worker struct {
	beat Millis // the next beat, or one before it at the same pace
	busy bool
	due  Millis // when what it is busy with is done
}

// quotaRecord is a segment that the copy quota has counted.
type quotaRecord struct {
	at    Millis
	bytes Bytes
}

// onlyLocal remembers the bytes of closed segments from an index on, and for which state of the log that is.
type onlyLocal struct {
	copied Offset
	active Offset // base of the active segment: all before it is as it was, but for what is deleted at the front
	count  int
	bytes  Bytes
}

func newRemote(c *RemoteConfig) *remote {
	if c == nil {
		return nil
	}
	r := &remote{config: *c, after: -1}
	r.closedAfter.count = -1
	return r
}

func (r *remote) clone() *remote {
	if r == nil {
		return nil
	}
	c := *r
	c.segments = r.segments.clone()
	c.recorded = slices.Clone(r.recorded)
	c.doomed = slices.Clone(r.doomed)
	return &c
}

// lastStable is the last stable offset: the high watermark, or where a transaction hangs.
func (r *remote) lastStable(l *log) Offset {
	if r.held {
		return min(r.stable, l.highWatermark)
	}
	return l.highWatermark
}

// down reports whether the store is down.
func (r *remote) down(now Millis) bool { return now < r.downUntil }

// emit notes an event about a remote segment.
func (r *remote) emit(l *log, kind EventKind, g *RemoteSegment, reason Reason) {
	l.event(kind, g.Base, reason)
	if r.course != nil {
		r.course.note(l.now, kind, g, g == &r.current)
	}
}

// nextBeat is the first beat of an idle worker that has not passed and is not before ready.
func (r *remote) nextBeat(w *worker, ready Millis) Millis {
	if ready == Never {
		return Never
	}
	ready = max(ready, r.after+1)
	if w.beat >= ready {
		return w.beat
	}
	period := r.config.TaskInterval
	n := (ready - w.beat - 1) / period
	if n >= (Never-w.beat)/period {
		return Never
	}
	return w.beat + (n+1)*period
}

// nextRemote is when the remote half does something next. Beats at which a task would find nothing to do are passed over.
func (s *Simulation) nextRemote() Millis {
	r, l := s.remote, s.log
	next := Never
	if r.copier.busy {
		next = r.copier.due
	} else {
		next = r.nextBeat(&r.copier, s.copyReady())
	}
	if r.expirer.busy {
		next = min(next, r.expirer.due)
	} else {
		next = min(next, r.nextBeat(&r.expirer, s.expireReady()))
	}
	if r.downUntil > l.now && r.downUntil != Never {
		next = min(next, r.downUntil)
	}
	return next
}

// runRemote does what is due of the remote half; after the other tasks of the millisecond, the copy task first.
func (s *Simulation) runRemote() {
	r, l := s.remote, s.log
	r.after = max(r.after, l.now-1)
	if r.downUntil == l.now && r.downUntil > 0 {
		r.downUntil = 0
		l.event(RemoteUp, -1, "")
	}
	for r.copier.busy && r.copier.due <= l.now {
		s.copyDone()
	}
	if !r.copier.busy && r.nextBeat(&r.copier, s.copyReady()) <= l.now {
		s.beginCopying()
		for r.copier.busy && r.copier.due <= l.now {
			s.copyDone()
		}
	}
	for r.expirer.busy && r.expirer.due <= l.now {
		s.deleteDone()
	}
	if !r.expirer.busy && r.nextBeat(&r.expirer, s.expireReady()) <= l.now {
		s.beginExpiring()
		for r.expirer.busy && r.expirer.due <= l.now {
			s.deleteDone()
		}
	}
	r.after = l.now
}

// rest ends a worker's run.
func (r *remote) rest(w *worker, now Millis) {
	w.busy = false
	w.beat = add(now, r.config.TaskInterval)
}

// candidate is the segment that is to be copied next, with the one after it; none when it is the active one.
//
// Kafka: RLMCopyTask.copyLogSegmentsToRemote, candidateLogSegments.
func (l *log) candidate() (i int, ok bool) {
	from := max(l.copied+1, l.logStart)
	all := l.segments.all()
	if last := len(all) - 1; all[last].base <= from {
		return last, false
	} else if last > 0 && all[last-1].base <= from {
		return last - 1, true
	}
	i, found := slices.BinarySearchFunc(all, from, func(g segment, o Offset) int { return int(min(max(g.base-o, -1), 1)) })
	if !found {
		i--
	}
	if i < 0 {
		i = 0
	}
	return i, i+1 < len(all)
}

// copyReady is a time before which the copy task finds nothing to copy: [Never] when something else must happen first.
func (s *Simulation) copyReady() Millis {
	r, l := s.remote, s.log
	if !l.config.tieredCopy() || l.gone {
		return Never
	}
	i, ok := l.candidate()
	stable := r.lastStable(l)
	if !ok || stable <= 0 || l.copied >= stable || l.segments.at(i+1).base > stable {
		return Never
	}
	ms, bytes := l.config.copyLag()
	if ms == 0 || bytes == 0 {
		return 0
	}
	ready := Never
	g := l.segments.at(i)
	if ms > 0 {
		age := l.epoch + l.now - l.newest(g)
		if age < 0 || age >= ms {
			return 0
		}
		ready = add(l.newest(g)-l.epoch, ms)
	}
	if bytes > 0 {
		behind := l.bytesFrom(i + 1)
		if behind >= bytes {
			return 0
		}
		ready = min(ready, s.bytesCome(bytes-behind))
	}
	return ready
}

// copyLag is how long, and how much, the copying of closed segments lags behind on purpose. 0: not at all; negative: that
// limit is off.
//
// Kafka: LogConfig.remoteCopyLagMs, remoteCopyLagBytes of 4.4; RLMCopyTask.isEligibleForUpload.
func (c *LogConfig) copyLag() (ms Millis, bytes Bytes) {
	ms, bytes = c.CopyLagMs, c.CopyLagBytes
	localMs, localBytes := c.localRetention()
	if ms < 0 {
		ms = localMs
	}
	if bytes < 0 && c.CopyLagMs != 0 { // with 0 everything is copied at once anyhow
		bytes = localBytes
	}
	return ms, bytes
}

// newest is the largest timestamp of a segment, or the wall clock when its file was last written.
//
// Kafka: LogSegment.largestTimestamp.
func (l *log) newest(g *segment) Millis {
	if g.maxTs >= 0 {
		return g.maxTs
	}
	return l.epoch + g.mtime
}

// bytesFrom is the bytes of batches from segment i on.
func (l *log) bytesFrom(i int) (b Bytes) {
	for ; i < l.segments.len(); i++ {
		b += l.segments.at(i).size
	}
	return b
}

// bytesCome is a time at or before which no more than so many bytes are appended, unless a step says so.
func (s *Simulation) bytesCome(b Bytes) Millis {
	until := Never
	if s.more {
		until = s.ahead.At
	}
	switch len(s.feeds) {
	case 0:
		return until
	case 1:
		f := &s.feeds[0]
		if !f.plain {
			return min(until, f.due)
		}
		i := f.done + mulDivUp(int64(b), 1, int64(f.bytes)) - 1
		if i >= f.Count {
			return until
		}
		return min(until, f.arrival(i)+1) // a beat of that millisecond comes before the call
	}
	return min(until, s.nextStep())
}

// beginCopying begins a run of the copy task: all that is eligible now is copied, one segment after the other.
func (s *Simulation) beginCopying() {
	r, l := s.remote, s.log
	i, _ := l.candidate()
	stable := r.lastStable(l)
	r.until = -1
	if ms, bytes := l.config.copyLag(); ms == 0 || bytes == 0 {
		last := l.segments.len() - 1
		for last > i && l.segments.at(last).base > stable {
			last--
		}
		if last > i {
			r.until = l.segments.at(last).base
		}
	} else {
		r.until = s.pastLag(i, stable, ms, bytes)
	}
	r.copier.busy = true
	s.copyNext()
}

// pastLag is where the segments from i on end that are eligible with a lag; −1 for none. While the store is down the first
// of them is enough, which ends the run.
func (s *Simulation) pastLag(i int, stable Offset, ms Millis, bytes Bytes) (until Offset) {
	r, l := s.remote, s.log
	behind := Bytes(0)
	if bytes > 0 {
		behind = l.bytesFrom(i)
	}
	until = -1
	for ; i+1 < l.segments.len() && l.segments.at(i+1).base <= stable; i++ {
		g := l.segments.at(i)
		behind -= g.size
		age := l.epoch + l.now - l.newest(g)
		if !(ms > 0 && (age < 0 || age >= ms)) && !(bytes > 0 && behind >= bytes) {
			break
		}
		until = l.segments.at(i + 1).base
		if r.down(l.now) && r.config.CopyQuota == math.MaxInt64 {
			break
		}
	}
	return until
}

// copyNext goes on with the run of the copy task, or ends it.
func (s *Simulation) copyNext() {
	r, l := s.remote, s.log
	i, ok := l.candidate()
	if !ok || l.segments.at(i+1).base > r.until || !l.config.tieredCopy() {
		r.rest(&r.copier, l.now)
		return
	}
	g, next := l.segments.at(i), l.segments.at(i+1)
	if r.overQuota(l.now) {
		r.waiting, r.copier.due = true, l.now+quotaPoll
		return
	}
	r.waiting = false
	if r.config.CopyQuota != math.MaxInt64 {
		r.recorded = append(r.recorded, quotaRecord{l.now, g.size})
	}
	r.current = RemoteSegment{
		Base: g.base, End: next.base - 1, Log: g.size, Newest: l.newest(g), Started: l.now, Finished: Never, Deleted: Never,
		Stored: g.size + max(g.indexFile(), 0) + max(g.timesFile(), 0) + max(g.txn, 0) + max(next.snapshot, 0) + l.epochFile,
		id:     r.attempts, firstAt: g.firstAt,
	}
	r.attempts++
	r.broken = r.down(l.now)
	r.emit(l, CopyStarted, &r.current, "")
	took := r.config.UploadLatency
	if amount, per := r.config.Upload.Ratio(); amount > 0 && !r.broken {
		took = add(took, Millis(mulDivUp(int64(r.current.Stored), int64(per), amount)))
	}
	r.copier.due = add(l.now, took)
}

// The quota is the mean over 11 windows of a second, of which the last is under way; a copy that must wait looks again
// every second. A segment larger than ten seconds' worth is therefore copied all the same, and the quota exceeded.
//
// Kafka: RLMQuotaManager, RemoteLogManager.quotaTimeout, Rate.windowSize.
const (
	quotaWindow = 11 * Second
	quotaPoll   = Second
)

// overQuota reports whether a copy must wait.
func (r *remote) overQuota(now Millis) bool {
	if r.config.CopyQuota == math.MaxInt64 {
		return false
	}
	old := 0
	for old < len(r.recorded) && r.recorded[old].at <= now-quotaWindow {
		old++
	}
	r.recorded = slices.Delete(r.recorded, 0, old)
	sum := Bytes(0)
	for _, q := range r.recorded {
		sum = add(sum, q.bytes)
	}
	return sum > 0 && int64(sum) > mulDiv(int64(r.config.CopyQuota), 10, 1)
}

// copyDone is the end of a copy, or of a wait for the quota.
func (s *Simulation) copyDone() {
	r, l := s.remote, s.log
	if r.waiting {
		s.copyNext()
		return
	}
	g := &r.current
	if r.broken || r.down(l.now) {
		// What there may be of it is deleted, or will be once all older segments go.
		g.Failed, g.Stored, g.State, g.why = true, 0, DeleteSegmentStarted, CopyFails
		r.emit(l, RemoteDeleteStarted, g, CopyFails)
		if r.down(l.now) {
			r.segments.push(*g)
			r.failures++
		} else {
			g.State, g.Deleted = DeleteSegmentFinished, l.now
			r.emit(l, RemoteDeleteFinished, g, CopyFails)
		}
		r.rest(&r.copier, l.now)
		return
	}
	g.State, g.Finished = CopySegmentFinished, l.now
	r.emit(l, CopyFinished, g, "")
	r.finished += g.Log
	r.log += g.Log
	r.stored += g.Stored
	r.segments.push(*g)
	after := 0
	for i := r.segments.len() - 1; i > 0 && r.segments.at(i-1).Base == g.Base; i-- {
		*r.segments.at(i), *r.segments.at(i - 1) = *r.segments.at(i - 1), *r.segments.at(i)
		after++
	}
	r.failures = min(r.failures, after)
	l.copied = max(l.copied, g.End)
	s.copyNext()
}

// onlyLocal is the bytes that are in the local log and not in the remote store.
//
// Kafka: UnifiedLog.onlyLocalLogSegmentsSize; up to 4.3 a segment of one record that is copied counts, too.
func (s *Simulation) onlyLocal() Bytes {
	r, l := s.remote, s.log
	c := &r.closedAfter
	if c.copied != l.copied || c.active != l.active().base || c.count != l.segments.len() {
		*c = onlyLocal{copied: l.copied, active: l.active().base, count: l.segments.len()}
		least := l.copied
		if l.version >= V4_4 {
			least++
		}
		for i := c.count - 2; i >= 0 && l.segments.at(i).base >= least; i-- {
			c.bytes += l.segments.at(i).size
		}
	}
	return c.bytes + l.active().size
}

// expireReady is a time before which the expiration task finds nothing to delete.
func (s *Simulation) expireReady() Millis {
	r, l := s.remote, s.log
	if r.segments.len() == 0 || !l.config.RemoteStorage || l.gone {
		return Never
	}
	g := r.segments.at(0)
	if g.State == DeleteSegmentStarted || g.End < l.logStart {
		return 0
	}
	ready := Never
	if ms := l.config.RetentionMs; ms >= 0 {
		ready = max(0, add(g.Newest-l.epoch+1, ms))
	}
	if limit := l.config.RetentionBytes; limit >= 0 && ready > 0 {
		missing := add(limit, max(g.Log, 1)) - s.onlyLocal() - r.finished
		if missing <= 0 {
			return 0
		}
		ready = min(ready, s.bytesCome(missing))
	}
	return ready
}

// expiresLater reports whether the log start offset cannot pass the oldest local segment by remote retention before local
// retention by time, of so many milliseconds, gives that segment up. Then a check in between finds nothing to do.
func (s *Simulation) expiresLater(ms Millis) bool {
	c := &s.log.config
	return s.remote != nil && c.tieredCopy() && c.RetentionBytes < 0 && ms >= 0 && (c.RetentionMs < 0 || c.RetentionMs >= ms)
}

// beginExpiring begins a run of the expiration task: the log start offset moves first, then the segments go one by one. In an
// outage there may be a million failed attempts at the end, which no run looks at again before it comes to them.
//
// Kafka: RLMExpirationTask.cleanupExpiredRemoteLogSegments, buildRetentionSizeData, RemoteLogRetentionHandler.
func (s *Simulation) beginExpiring() {
	r, l := s.remote, s.log
	start := l.logStart
	breach := Bytes(0)
	if limit := l.config.RetentionBytes; limit >= 0 {
		breach = max(0, s.onlyLocal()+r.finished-limit)
	}
	r.doomed, r.doomedTo = r.doomed[:0], 0
	all, i := r.segments.len()-r.failures, 0
	for ; i < all; i++ {
		g := r.segments.at(i)
		if g.State != DeleteSegmentStarted {
			if g.End < l.logStart {
				g.why = ByLogStart
			} else if ms := l.config.RetentionMs; ms >= 0 && l.epoch+l.now >= ms && g.Newest < l.epoch+l.now-ms {
				g.why, breach = ByTime, max(0, breach-g.Log)
				start = max(start, g.End+1)
			} else if breach > 0 && breach >= g.Log {
				g.why, breach = BySize, breach-g.Log
				start = max(start, g.End+1)
			} else {
				break
			}
		}
		r.doomed = append(r.doomed, g.id)
	}
	if i == all && r.failures > 0 {
		r.doomedTo = r.segments.at(all+r.failures-1).id + 1
	}
	l.startAt(start)
	r.expirer.busy = true
	s.deleteNext()
}

// deleteNext goes on with the run of the expiration task, or ends it.
func (s *Simulation) deleteNext() {
	r, l := s.remote, s.log
	i := r.nextDoomed()
	if i < 0 {
		r.rest(&r.expirer, l.now)
		return
	}
	g := r.segments.at(i)
	if g.State == CopySegmentFinished {
		r.finished -= g.Log
	}
	g.State = DeleteSegmentStarted
	r.emit(l, RemoteDeleteStarted, g, g.why)
	r.expirer.due = add(l.now, r.config.DeleteLatency)
}

// deleteDone is the end of a deletion. One that fails ends the run; the next one tries again.
func (s *Simulation) deleteDone() {
	r, l := s.remote, s.log
	if r.down(l.now) {
		r.rest(&r.expirer, l.now)
		return
	}
	r.drop(l, r.nextDoomed(), "")
	if len(r.doomed) > 0 {
		r.doomed = r.doomed[1:]
	}
	s.deleteNext()
}

// nextDoomed is where the segment is that the expirer's run deletes next, near the front; −1 at its end. A copy that was
// finished meanwhile may have come before it.
func (r *remote) nextDoomed() int {
	if len(r.doomed) > 0 {
		return slices.IndexFunc(r.segments.all(), func(g RemoteSegment) bool { return g.id == r.doomed[0] })
	}
	return slices.IndexFunc(r.segments.all(), func(g RemoteSegment) bool {
		return g.Failed && g.State == DeleteSegmentStarted && g.id < r.doomedTo
	})
}

// drop takes segment i out of the store.
func (r *remote) drop(l *log, i int, reason Reason) {
	g := r.segments.at(i)
	if !g.Failed {
		r.log -= g.Log
		r.stored -= g.Stored
	}
	if i >= r.segments.len()-r.failures {
		r.failures--
	}
	g.State, g.Deleted = DeleteSegmentFinished, l.now
	r.emit(l, RemoteDeleteFinished, g, reason)
	for ; i > 0; i-- {
		*r.segments.at(i) = *r.segments.at(i - 1)
	}
	r.segments.popFront(1)
}

// goDown lets the store be down for a time, [Never] for good.
func (r *remote) goDown(l *log, time Millis) {
	until := add(l.now, time)
	if !r.down(l.now) {
		l.event(RemoteDown, -1, "")
	}
	r.downUntil = until
	r.broken = true
}

// goUp lets the store be there again.
func (r *remote) goUp(l *log) {
	if r.down(l.now) {
		l.event(RemoteUp, -1, "")
	}
	r.downUntil = 0
}

// oldest is when the oldest record in the store that can be read was appended; [Never] without one.
func (r *remote) oldest(start Offset) Millis {
	for i := range r.segments.len() - r.failures {
		if g := r.segments.at(i); !g.Failed && g.End >= start {
			return g.firstAt
		}
	}
	return Never
}

// stop breaks off what the tasks are busy with. A copy that is broken off stays in COPY_SEGMENT_STARTED, and goes when
// retention reaches it.
func (r *remote) stop() {
	if r.copier.busy && !r.waiting {
		r.current.Failed, r.current.Stored = true, 0
		r.segments.push(r.current)
		r.failures = 0
	}
	r.copier.busy, r.expirer.busy, r.waiting = false, false, false
}

// start begins the tasks anew on a broker that has started.
func (r *remote) start(now Millis) {
	r.copier.beat, r.expirer.beat = now, now
	r.after = now - 1
}

// forget deletes all remote segments with the topic, if the store is there.
//
// Kafka: RemoteLogManager.deleteRemoteLogPartition.
func (r *remote) forget(l *log) {
	r.stop()
	if r.down(l.now) {
		return
	}
	for i := range r.segments.len() {
		g := r.segments.at(i)
		if g.State == CopySegmentFinished {
			r.finished -= g.Log
		}
		g.State = DeleteSegmentStarted
		r.emit(l, RemoteDeleteStarted, g, ByTopic)
	}
	for r.segments.len() > 0 {
		r.drop(l, 0, ByTopic)
	}
}

// RemoteSegments are what the remote store holds, oldest first, with failed attempts that still have metadata and the one
// that is being copied; nil where the plan has no remote half. A segment that is still in the local log as well is in both.
func (s *Simulation) RemoteSegments() []RemoteSegment {
	r := s.remote
	if r == nil {
		return nil
	}
	all := slices.Clone(r.segments.all())
	if r.copier.busy && !r.waiting {
		all = append(all, r.current)
	}
	return all
}

// NotCopied is the bytes of batches that are in the local log alone: of the open segment, and of the closed ones that no
// copy has reached.
func (s *Simulation) NotCopied() (b Bytes) {
	l := s.log
	for i := l.segments.len() - 1; i >= 0 && l.segments.at(i).base > l.copied; i-- {
		b += l.segments.at(i).size
	}
	return b
}

// LastStable is the last stable offset, up to which closed segments are copied.
func (s *Simulation) LastStable() Offset {
	if s.remote == nil {
		return s.log.highWatermark
	}
	return s.remote.lastStable(s.log)
}

// RemoteIsDown reports whether the remote store is down.
func (s *Simulation) RemoteIsDown() bool { return s.remote != nil && s.remote.down(s.log.now) }

// hold sets the last stable offset; −1 lets it follow, −2 freezes it.
func (r *remote) hold(l *log, o Offset) {
	switch {
	case o == -1:
		r.held = false
		return
	case o < 0:
		o = r.lastStable(l)
	}
	r.held, r.stable = true, o
}

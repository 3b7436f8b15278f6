package calc

import (
	"cmp"
	"slices"

	"github.com/partsize/partsize/calc/internal/order"
)

// Simulation plays a [Plan]: it goes from one instant at which something can happen to the next.
//
// Within one millisecond the scheduled tasks that are due come first (retention check, producer expiry, copy, removal of
// files), together; then the steps in their order, an append with all its calls of the millisecond. This is the order of
// the recorded traces; a real broker's threads may differ by one check.
type Simulation struct {
	plan  Plan
	log   *log
	tasks tasks

	steps StepSource
	ahead Step // the next step that has not begun
	more  bool // ahead is there
	feeds []feed
	err   error

	turn    Turn
	down    Millis  // the broker is down until this time
	stopped bool    // it is down now
	remote  *remote // the remote half; nil: not played
	dirGone Millis  // when the directory of the deleted topic goes; Never before
	buffer  []Event
	sorted  int // events of this step that are in order

	task, step Millis // what Due says, when known
	known      bool
}

// Turn is what a step of a [Simulation] did.
type Turn uint8

// What a step can do.
const (
	TaskTurn  Turn = iota // ran the scheduled tasks that were due
	CallTurn              // made append calls, or began a run of them
	OtherTurn             // did another step of the plan
	StopTurn              // stopped the broker
	StartTurn             // started it again
)

// NewSimulation is a simulation at time 0, before anything happened but the creation of the partition.
func NewSimulation(p Plan) *Simulation {
	s := &Simulation{plan: p, log: newLog(p), steps: p.Steps.Clone(), dirGone: Never, remote: newRemote(p.Remote)}
	s.tasks.start(0, s.log.broker, true)
	s.ahead, s.more = s.steps.Next()
	return s
}

// Clone is a simulation in the same state that goes on by itself.
func (s *Simulation) Clone() *Simulation {
	c := *s
	c.log = s.log.clone()
	c.steps = s.steps.Clone()
	c.feeds = slices.Clone(s.feeds)
	c.remote = s.remote.clone()
	c.buffer = nil
	return &c
}

// Now is the time of the last thing that happened.
func (s *Simulation) Now() Millis { return s.log.now }

// Turn is what the last step did.
func (s *Simulation) Turn() Turn { return s.turn }

// Usage is how much is on disk now.
func (s *Simulation) Usage() (u Usage) {
	s.use(&u)
	return u
}

// use is Usage in its place: structs of this size are slow to copy in WebAssembly.
func (s *Simulation) use(u *Usage) {
	s.log.use(u)
	if r := s.remote; r != nil {
		u.Remote, u.RemoteStored, u.RemoteSegments = r.log, r.stored, int64(r.segments.len())
	}
}

// Directory is what is in the partition's directory now.
func (s *Simulation) Directory() Directory { return s.log.directory() }

// Offsets are the log start offset, the local log start offset of a tiered log, the log end offset and the high
// watermark.
func (s *Simulation) Offsets() (logStart, localStart, logEnd, highWatermark Offset) {
	return s.log.logStart, s.log.localStart, s.log.logEnd, s.log.highWatermark
}

// Config is the log's configuration now.
func (s *Simulation) Config() LogConfig { return s.log.config }

// Err is a failure of Kafka itself that ended the simulation, or nil.
func (s *Simulation) Err() error { return s.err }

// Next is when something can happen next. ok is false when nothing more happens up to the end of the plan.
func (s *Simulation) Next() (at Millis, ok bool) {
	task, step := s.Due()
	at = min(task, step)
	return at, at <= s.plan.Until && s.err == nil
}

// Due is when the scheduled tasks and the plan's steps are due next; [Never] when there are none.
func (s *Simulation) Due() (task, step Millis) {
	if !s.known {
		s.task, s.step, s.known = s.nextTask(), s.nextStep(), true
	}
	return s.task, s.step
}

// Step goes to the next instant at which something can happen and returns the events of it, of which there may be none.
// Appends between one such instant and the next are made together, so that a call takes time for a segment, not for a
// batch. The slice is valid until the next call.
func (s *Simulation) Step() []Event { return s.StepBefore(Never, false) }

// StepBefore is Step, but makes no append at or after a time. alone makes it return right after an append that rolled,
// before others follow it into the new segment.
func (s *Simulation) StepBefore(limit Millis, alone bool) []Event {
	s.log.events, s.sorted = s.buffer[:0], 0
	task, step := s.Due()
	s.known = false
	if task <= step {
		s.runTasks(task)
	} else {
		s.runStep(min(task, limit, add(s.plan.Until, 1)), alone || s.remote != nil)
		if s.remote != nil {
			s.remote.after = s.log.now // a beat of this millisecond came before
		}
	}
	s.sortEvents()
	if s.err != nil {
		s.log.event(KafkaFails, -1, "")
	}
	s.buffer = s.log.events
	return s.buffer
}

// nextTask is when the next scheduled task is due that can have an effect.
func (s *Simulation) nextTask() Millis {
	switch {
	case s.stopped:
		return s.down
	case s.log.gone:
		return s.dirGone
	}
	others := s.log.nextRemoval()
	if s.remote != nil {
		others = min(others, s.nextRemote())
	}
	t := &s.tasks
	for {
		at := min(t.next(), others)
		// A check is looked at only when it comes next: what is known then holds until it comes.
		if at == t.retention.at {
			s.skipRetention()
		}
		if at == t.expiry.at {
			s.skipExpiry()
		}
		if at == min(t.next(), others) {
			return at
		}
	}
}

// skipRetention passes over retention checks that can do nothing: with time retention alone, and no segment old enough
// before a time, whatever is appended until then.
func (s *Simulation) skipRetention() {
	l := s.log
	ms, bytes := l.config.localRetention()
	if bytes >= 0 || l.config.RemoteStorage && !s.expiresLater(ms) || l.segments.len() == 0 || !l.active().hasTimes {
		return
	}
	start := l.logStart
	if l.config.RemoteStorage {
		start = l.localStart
	}
	oldest := l.segments.at(0)
	next := l.logEnd // at least, when the oldest is still to be closed
	if l.segments.len() > 1 {
		next = l.segments.at(1).base
	}
	if oldest.base < start && next <= start {
		return
	}
	quiet := Never
	switch {
	case l.segments.len() == 1 && oldest.empty():
		quiet = s.nextStep()
	case ms >= 0 && oldest.maxTs >= 0:
		quiet = add(oldest.maxTs-l.epoch+1, ms)
	case ms >= 0:
		quiet = add(oldest.mtime+1, ms)
		if l.segments.len() == 1 {
			quiet = min(quiet, s.nextStep()) // it may bring an old timestamp
		}
	}
	if s.more {
		quiet = min(quiet, s.ahead.At) // it may change the configuration
	}
	s.tasks.skip(&s.tasks.retention, quiet)
}

// skipExpiry passes over producer expiry checks that can do nothing: before the oldest producer is old enough, and the
// next step may bring an older one.
func (s *Simulation) skipExpiry() {
	l := s.log
	age := l.broker.ProducerExpiration
	quiet := l.producers.quiet(age)
	for i := range s.feeds {
		f := &s.feeds[i]
		switch {
		case f.Producer < 0 || f.due == Never:
		case !f.plain || f.stamps.absent:
			return
		default:
			quiet = min(quiet, add(f.stamp(f.done, f.due), age))
		}
	}
	if quiet != Never {
		quiet -= l.epoch
	}
	if s.more {
		quiet = min(quiet, s.ahead.At)
	}
	s.tasks.skip(&s.tasks.expiry, quiet)
}

// nextStep is when the next step or call is due.
func (s *Simulation) nextStep() Millis {
	at := Never
	if s.more {
		at = s.ahead.At
	}
	for i := range s.feeds {
		at = min(at, s.feeds[i].due)
	}
	return at
}

// runTasks runs all tasks that are due.
func (s *Simulation) runTasks(at Millis) {
	l := s.log
	l.now = max(l.now, at)
	s.turn = TaskTurn
	if s.stopped {
		s.startBroker()
		return
	}
	if l.gone {
		l.segments.clear()
		l.deleted.clear()
		l.producers.strays = nil
		s.dirGone = Never
		l.event(DirGone, -1, ByTopic)
		return
	}
	s.runDue()
}

// runDue runs the tasks that are due, the first scheduled first, and those that they make due at once.
func (s *Simulation) runDue() {
	l := s.log
	for {
		l.armed = s.tasks.retention.armed
		switch s.tasks.pop(l.now) {
		case retentionTask:
			l.retain()
		case expiryTask:
			l.producers.expire(l.epoch+l.now, l.broker.ProducerExpiration)
		case copyTask:
			l.copyClosed()
		default:
			if s.remote != nil {
				s.runRemote()
			}
			l.remove("")
			return
		}
	}
}

// copyClosed copies everything below the newest segment that begins at or below the high watermark.
func (l *log) copyClosed() {
	next := Offset(0)
	for i := l.segments.len() - 1; i >= 0; i-- {
		if base := l.segments.at(i).base; base <= l.highWatermark {
			next = base
			break
		}
	}
	if next-1 > l.copied {
		l.copiedTo(next - 1)
	}
}

func (l *log) copiedTo(o Offset) {
	l.copied = max(l.copied, o)
	l.event(Copied, o, "")
}

// runStep does the next step, or makes calls of the run whose turn it is.
func (s *Simulation) runStep(limit Millis, alone bool) {
	at, which := Never, -1
	for i := range s.feeds {
		if t := s.feeds[i].due; t < at {
			at, which = t, i
		}
	}
	if !s.more || s.ahead.At >= at {
		// A step comes after the calls of the same time that are of earlier steps, which all feeds are.
		s.runFeed(which, limit, alone)
		return
	}
	step := s.ahead
	s.ahead, s.more = s.steps.Next()
	l := s.log
	if a, ok := step.Do.(Append); ok {
		s.turn = CallTurn
		s.addFeed(step.At, a)
		return
	}
	s.turn = OtherTurn
	if l.gone || step.At < s.down {
		return
	}
	l.now = max(l.now, step.At)
	switch do := step.Do.(type) {
	case Configure:
		s.configure(do.Log)
	case DeleteRecords:
		l.deleteRecords(do.Before)
	case HighWatermark:
		s.holdHighWatermark(do.Offset)
	case CopiedTo:
		l.copiedTo(do.Offset)
	case CopyEvery:
		if s.remote == nil {
			s.tasks.copyEvery(l.now, do.Period)
		} else if do.Period > 0 {
			s.remote.config.TaskInterval = do.Period
			s.remote.start(l.now)
		}
	case RemoteStore:
		if s.remote != nil && do.Down > 0 {
			s.remote.goDown(l, do.Down)
		} else if s.remote != nil {
			s.remote.goUp(l)
		}
	case LastStable:
		if s.remote != nil {
			s.remote.hold(l, do.Offset)
		}
	case Restart:
		s.stopBroker(do.Down)
		return
	case DeleteTopic:
		l.gone = true
		if s.remote != nil {
			s.remote.forget(l)
		}
		// The task that removes directories first runs with the first retention check.
		s.dirGone = max(add(l.now, l.broker.SegmentDeleteDelay), s.tasks.began)
		l.event(TopicGone, -1, "")
	}
	if l.nextRemoval() <= l.now {
		l.remove("")
	}
}

func (s *Simulation) configure(c LogConfig) {
	s.log.config = c
	for i := range s.feeds {
		f := &s.feeds[i]
		done := f.done
		*f = s.log.newFeed(f.at, f.Append)
		f.skipTo(done)
	}
}

func (s *Simulation) holdHighWatermark(o Offset) {
	l := s.log
	l.held = o != -1
	switch {
	case o == -1:
		l.follow()
	case o >= 0:
		l.highWatermark = min(max(o, l.highWatermark), l.logEnd)
	}
}

// addFeed begins a run. Calls that fall into a time when the broker is down do not happen.
func (s *Simulation) addFeed(at Millis, a Append) {
	f := s.log.newFeed(at, a)
	if at < s.down {
		f.skipTo(f.callAt(s.down))
	}
	if f.done < f.Count {
		s.feeds = append(s.feeds, f)
	}
}

// stopBroker stops the broker for a time. Calls that fall into it do not happen.
func (s *Simulation) stopBroker(down Millis) {
	s.turn = StopTurn
	s.log.stop()
	if s.remote != nil {
		s.remote.stop()
	}
	s.stopped, s.down = true, add(s.log.now, down)
	for i := range s.feeds {
		f := &s.feeds[i]
		f.skipTo(f.callAt(s.down))
		f.even.base = -1 // the segment is opened anew
	}
	s.dropFinished()
}

func (s *Simulation) startBroker() {
	s.turn = StartTurn
	s.stopped = false
	s.err = s.log.start()
	s.tasks.start(s.log.now, s.log.broker, false)
	if s.remote != nil {
		s.remote.start(s.log.now)
	}
	if s.err == nil && s.tasks.next() <= s.log.now {
		s.sortEvents() // what the start removed comes before what a check at once deletes
		s.runDue()
	}
}

func (s *Simulation) dropFinished() {
	s.feeds = slices.DeleteFunc(s.feeds, func(f feed) bool { return f.done >= f.Count })
}

// runFeed makes calls of one run: as many as fit before the limit, the next task and the other runs' calls.
func (s *Simulation) runFeed(which int, limit Millis, alone bool) {
	s.turn = CallTurn
	l := s.log
	f := &s.feeds[which]
	if l.gone {
		f.skipTo(f.Count)
		s.dropFinished()
		return
	}
	at := f.due
	before := limit
	if s.more {
		before = min(before, add(s.ahead.At, 1))
	}
	for i := range s.feeds {
		if i < which {
			before = min(before, s.feeds[i].due)
		} else if i > which {
			// Calls of one millisecond are made run by run.
			before = min(before, add(s.feeds[i].due, 1))
		}
	}
	if f.plain && before > at {
		s.err = l.appendMany(f, before, alone)
	} else {
		l.now = at
		s.err = l.appendCall(f, false)
	}
	if l.nextRemoval() <= l.now {
		l.remove("")
	}
	if f.done >= f.Count {
		s.dropFinished()
	}
}

// sortEvents puts the events of one instant in the order of traces: as they came, but rolls by base, then deletions by
// base, then removals by base. Events before the last start stay in front of it.
func (s *Simulation) sortEvents() {
	if events := s.log.events[s.sorted:]; !inOrder(events) {
		order.Sort(events, compareEvents)
	}
	s.sorted = len(s.log.events)
}

// inOrder reports whether events are in order already, as they mostly are.
func inOrder(events []Event) bool {
	for i := 1; i < len(events); i++ {
		if compareEvents(&events[i-1], &events[i]) > 0 {
			return false
		}
	}
	return true
}

func compareEvents(a, b *Event) int {
	if a.At != b.At {
		return cmp.Compare(a.At, b.At)
	}
	ra, rb := a.Kind.rank(), b.Kind.rank()
	if ra != rb || ra == 0 {
		return cmp.Compare(ra, rb)
	}
	return cmp.Compare(a.Base, b.Base)
}

// rank is the place of a kind of event within an instant: rolls, then deletions, then removals, all others first.
func (k EventKind) rank() int {
	switch k {
	case Roll, Replace:
		return 1
	case Delete:
		return 2
	case Remove:
		return 3
	}
	return 0
}

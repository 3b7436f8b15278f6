package calc

import (
	"fmt"
	"math"
)

// feed is a run of append calls that is under way.
type feed struct {
	Append
	at    Millis // time of call 0
	done  int64  // calls made
	due   Millis // when the next call comes; Never after the last
	plain bool   // batches are equal and timestamps do not fall, so that calls can be made many at a time

	bytes  Bytes      // of a call, when plain
	stamps feedStamps // largest timestamp of call i as it is stored, when plain
	clock  Millis     // a stored timestamp less its call's time, when that is the same for all calls
	steady bool       // it is
	even   evenRun
}

// newFeed is the run a that starts at a time.
func (l *log) newFeed(at Millis, a Append) feed {
	f := feed{Append: a, at: at, due: at}
	f.bytes = a.Batch * Bytes(a.Batches)
	spread := a.Spread * Millis(a.Records-1)
	f.stamps = feedStamps{num: a.IntervalNum, den: a.IntervalDen}
	f.plain = len(a.Cycle) == 0 && a.Spread >= 0 && a.Offset < 0
	switch t := a.Timestamp; {
	case l.config.LogAppendTime && !a.Follower:
		f.stamps.from = l.epoch + at
	case t.Kind == AbsentTimestamp:
		f.stamps.absent = true
	case t.Kind == AppendTimestamp:
		f.stamps.from = l.epoch + at + t.Shift + spread
	case t.Kind == FixedTimestamp:
		f.stamps.from = l.epoch + t.From + spread
		f.stamps.num, f.stamps.den = int64(t.Step), 1
		f.plain = f.plain && t.Step >= 0 && (a.Batches == 1 || t.Step == 0)
	default:
		f.plain = false
	}
	if f.stamps.from < spread && !f.stamps.absent {
		f.plain = false
	}
	f.plain = f.plain && f.accepted(l)
	f.steady = !f.stamps.absent && f.stamps.num == a.IntervalNum && f.stamps.den == a.IntervalDen
	f.clock = f.stamps.from - at
	f.even = l.newEvenRun(&f)
	return f
}

// skipTo counts calls as made up to call i, or to the end of the run.
func (f *feed) skipTo(i int64) {
	f.done = max(f.done, min(i, f.Count))
	f.due = Never
	if f.done < f.Count {
		f.due = f.arrival(f.done)
	}
}

// stamp is the largest timestamp of call i, which comes at a time.
func (f *feed) stamp(i int64, at Millis) Millis {
	if f.steady {
		return at + f.clock
	}
	return f.stamps.at(i)
}

// accepted reports whether a leader accepts every call of the run for its size and its timestamps.
func (f *feed) accepted(l *log) bool {
	if f.bytes > l.config.SegmentBytes {
		return false
	}
	if f.Follower {
		return true
	}
	if f.Batch > l.config.MaxMessageBytes {
		return false
	}
	if f.stamps.absent || l.config.LogAppendTime {
		return true
	}
	// The distance from the clock changes evenly from the first call to the last, but for rounding where timestamps advance
	// at a rate of their own.
	rounding := Millis(0)
	if f.Timestamp.Kind == FixedTimestamp && f.Timestamp.Step != 0 {
		rounding = 1
	}
	spread := f.Spread * Millis(f.Records-1)
	for _, i := range [2]int64{0, f.Count - 1} {
		ahead := f.stamps.at(i) - l.epoch - f.arrival(i)
		if ahead > l.config.TimestampAfterMax-rounding || spread-ahead > l.config.TimestampBeforeMax-rounding {
			return false
		}
	}
	return true
}

// arrival is the time of call i.
func (f *feed) arrival(i int64) Millis {
	return add(f.at, Millis(mulDiv(i, f.IntervalNum, f.IntervalDen)))
}

// callAt is the number of the first call at or after a time.
func (f *feed) callAt(t Millis) int64 { return firstAt(int64(t-f.at), f.IntervalNum, f.IntervalDen) }

// callStamped is the number of the first call whose largest timestamp is at least t.
func (f *feed) callStamped(t Millis) int64 {
	if f.steady {
		return f.callAt(t - f.clock)
	}
	if f.stamps.absent {
		return math.MaxInt64
	}
	return firstAt(int64(t-f.stamps.from), f.stamps.num, f.stamps.den)
}

// firstAt is the least i ≥ 0 with floor(i·num/den) ≥ d, or math.MaxInt64.
func firstAt(d, num, den int64) int64 {
	switch {
	case d <= 0:
		return 0
	case num == 0:
		return math.MaxInt64
	}
	return mulDivUp(d, den, num)
}

// batch is the size and the timestamps of batch i of the run as the producer sent it: of its first and last record.
func (f *feed) batch(i int64, epoch, now Millis) (size Bytes, first, last Millis) {
	size = f.Batch
	if n := int64(len(f.Cycle)); n > 0 {
		size = f.Cycle[i%n]
	}
	switch t := f.Timestamp; t.Kind {
	case AppendTimestamp:
		first = epoch + now + t.Shift
	case CycledTimestamp:
		first = epoch + now + t.Shifts[i%int64(len(t.Shifts))]
	case FixedTimestamp:
		first = epoch + t.From + t.Step*Millis(i)
	case AbsentTimestamp:
		first = NoTimestamp
	}
	if first < 0 {
		return size, first, first
	}
	return size, first, first + f.Spread*Millis(f.Records-1)
}

// refusal is why the log refuses a call of the run, or nothing.
//
// Kafka: LogValidator.validateTimestamp, UnifiedLog.analyzeAndValidateRecords, UnifiedLog.append.
func (l *log) refusal(f *feed, call int64) Reason {
	var bytes Bytes
	for b := range f.Batches {
		size, first, last := f.batch(call*f.Batches+b, l.epoch, l.now)
		bytes += size
		if f.Follower {
			continue
		}
		if size > l.config.MaxMessageBytes {
			return RecordTooLarge
		}
		if l.config.LogAppendTime || first == NoTimestamp {
			continue
		}
		wall := l.epoch + l.now
		earliest, latest := min(first, last), max(first, last)
		if wall-earliest > l.config.TimestampBeforeMax || latest-wall > l.config.TimestampAfterMax {
			return InvalidTimestamp
		}
	}
	if bytes > l.config.SegmentBytes {
		return RecordBatchTooLarge
	}
	return ""
}

// failure is an append or a start at which Kafka itself fails with an exception of its own making. What is on disk after
// that is not known, so the simulation ends.
type failure struct{ what string }

func (f failure) Error() string { return f.what }

// appendCall makes the next call of the run, batch by batch. rolled says that the log has rolled for it already.
//
// Kafka: UnifiedLog.append, LogSegment.append.
func (l *log) appendCall(f *feed, rolled bool) error {
	i := f.done
	f.skipTo(i + 1)
	first := l.logEnd
	if i == 0 && f.Offset >= 0 {
		first = max(first, f.Offset)
	}
	refused := l.refusal(f, i)
	// An entry of a refused call may lie ahead of what comes.
	if (!l.hasEpoch || first < l.epochStart) && (refused == "" || refused == RecordBatchTooLarge) {
		l.beginEpoch(first)
	}
	if refused != "" {
		l.event(Reject, l.logEnd, refused)
		return nil
	}
	var bytes Bytes
	newest := NoTimestamp
	for b := range f.Batches {
		size, _, last := f.batch(i*f.Batches+b, l.epoch, l.now)
		bytes += size
		newest = max(newest, l.stored(f, last))
	}
	end := first + Offset(f.Batches*f.Records)
	l.openIndexes()
	if cause := l.rollCauses(bytes, newest, end-1); cause != 0 && !rolled {
		l.roll(first, rollReasons[cause])
		l.openIndexes()
	}
	s := l.active()
	if s.empty() {
		s.firstAt = l.now
	}
	byCall := l.version.indexesByCall()
	if byCall {
		if s.empty() {
			_, _, last := f.batch(i*f.Batches, l.epoch, l.now)
			s.firstTs, s.batchTs = newest, l.stored(f, last)
		}
		s.maxTs = max(s.maxTs, newest)
		if err := s.indexEntry(); err != nil {
			return err
		}
		s.acc += bytes
		s.size += bytes
	}
	for b := range f.Batches {
		n := i*f.Batches + b
		size, _, last := f.batch(n, l.epoch, l.now)
		last = l.stored(f, last)
		if !byCall {
			if s.empty() {
				s.firstTs, s.batchTs = last, last
			}
			s.maxTs = max(s.maxTs, last)
			if err := s.indexEntry(); err != nil {
				return err
			}
			s.acc += size
			s.size += size
		}
		if f.Producer >= 0 && !f.plain {
			l.producers.touch(f.Producer+n%f.Producers, last)
		}
	}
	if f.Producer >= 0 && f.plain {
		l.noteProducers(f, i, 1)
	}
	s.abort(f, 1)
	s.mtime = l.now
	l.logEnd = end
	l.producers.mapEnd = end
	l.follow()
	return nil
}

// stored is the timestamp that the log keeps for a batch's last record.
func (l *log) stored(f *feed, last Millis) Millis {
	if l.config.LogAppendTime && !f.Follower {
		return l.epoch + l.now
	}
	return last
}

// abort notes calls that are markers of aborted transactions.
//
// Kafka: TransactionIndex.append, AbortedTxn.
func (s *segment) abort(f *feed, calls int64) {
	if f.Aborts {
		s.txn = max(s.txn, 0) + abortedTxn*Bytes(calls*f.Batches)
	}
}

// openIndexes makes the index files of the active segment, which Kafka leaves to their first use.
//
// Kafka: LazyIndex.get.
func (l *log) openIndexes() {
	s := l.active()
	s.hasIndex, s.hasTimes = true, true
}

// indexEntry gives the indexes an entry for the batch that is about to be written, when enough bytes came since the
// last one.
//
// Kafka: LogSegment.append, OffsetIndex.append, TimeIndex.maybeAppend.
func (s *segment) indexEntry() error {
	if s.acc <= s.interval {
		return nil
	}
	if s.indexFull() {
		return failure{fmt.Sprintf("Kafka fails: attempt to append to a full index (%d entries) of the segment at %d: "+
			"the batches of one call need more entries than segment.index.bytes leaves", s.entries, s.base)}
	}
	if s.timesFull() {
		return failure{fmt.Sprintf("Kafka fails: attempt to append to a full time index (%d entries) of the segment at %d: "+
			"the batches of one call need more entries than segment.index.bytes leaves", s.times, s.base)}
	}
	s.entries++
	if s.maxTs > s.lastTime {
		s.times++
		s.lastTime = s.maxTs
	}
	s.acc = 0
	return nil
}

// appendMany makes as many calls of a plain run as fit in the active segment and come before a time, at least one, and
// rolls first if the first of them needs it. It stops after a call that rolled when alone is set, or when the new segment
// reserves less than the old one did, so that the least that is on disk can be seen.
func (l *log) appendMany(f *feed, before Millis, alone bool) error {
	l.now = f.due
	if !l.hasEpoch || l.logEnd < l.epochStart {
		return l.appendCall(f, false)
	}
	perCall := Offset(f.Batches * f.Records)
	newest := f.stamp(f.done, l.now)
	l.openIndexes()
	limit := int64(math.MaxInt64)
	cause := l.rollCauses(f.bytes, newest, l.logEnd+perCall-1)
	if cause != 0 {
		prealloc, capacity := l.active().prealloc, l.active().capacity
		l.roll(l.logEnd, rollReasons[cause])
		l.openIndexes()
		before = min(before, l.nextRemoval()) // of a segment that was made again
		if alone || before <= l.now || l.active().lessThan(prealloc, capacity) {
			limit = 1
		}
	}
	s := l.active()
	calls := min(limit, f.Count-f.done, l.room(s, f, newest))
	if calls > 1 && f.arrival(f.done+calls-1) >= before {
		calls = max(1, f.callAt(before)-f.done)
	}
	entries, times := s.indexGain(f, calls, l.version)
	if f.Batches > 1 && !l.version.indexesByCall() && s.overfull(entries, times) {
		// An index may become full within a call: that is left to appendCall, after the most calls that are safe.
		safe, most := int64(0), calls
		for most-safe > 1 {
			mid := safe + (most-safe)/2
			if s.overfull(s.indexGain(f, mid, l.version)) {
				most = mid
			} else {
				safe = mid
			}
		}
		if safe == 0 {
			return l.appendCall(f, cause != 0)
		}
		calls = safe
		entries, times = s.indexGain(f, calls, l.version)
	}
	if full := int64(s.capacity/timeSlot) - 1; s.times+times.count >= full {
		// The least number of calls that fills the time index.
		lo, hi := int64(1), calls
		for lo < hi {
			mid := lo + (hi-lo)/2
			if _, t := s.indexGain(f, mid, l.version); s.times+t.count >= full {
				hi = mid
			} else {
				lo = mid + 1
			}
		}
		calls = lo
		entries, times = s.indexGain(f, calls, l.version)
	}

	last := f.done + calls - 1
	if s.empty() {
		s.firstTs, s.batchTs = newest, newest
		s.firstAt = l.now
		f.even.begin(s, f, &l.config)
	}
	l.now = f.arrival(last)
	s.maxTs = max(s.maxTs, f.stamp(last, l.now))
	s.entries += entries.count
	s.acc = entries.acc
	s.times += times.count
	if times.count > 0 {
		s.lastTime = times.last
	}
	s.size += f.bytes * Bytes(calls)
	s.abort(f, calls)
	s.mtime = l.now
	l.logEnd += perCall * Offset(calls)
	l.producers.mapEnd = l.logEnd
	if f.Producer >= 0 {
		l.noteProducers(f, f.done, calls)
	}
	f.skipTo(f.done + calls)
	l.follow()
	return nil
}

// noteProducers tells the producer state of calls of a plain run, from a first one on.
func (l *log) noteProducers(f *feed, from, calls int64) {
	l.producers.touchRun(f.Producer, f.Producers, from*f.Batches, (from+calls)*f.Batches, f.Batches, f.stamps)
}

// room is how many calls of a plain run, the first stamped newest, the segment takes before it rolls by size, time,
// offset or a full offset index.
func (l *log) room(s *segment, f *feed, newest Millis) int64 {
	calls := int64((l.config.SegmentBytes - s.size) / f.bytes)
	perCall := f.Batches * f.Records
	if left := maxRelativeOffset + 1 + int64(s.base) - int64(l.logEnd); calls > math.MaxInt32 || perCall > math.MaxInt32 || calls*perCall > left {
		calls = min(calls, left/perCall)
	}

	start := s.firstTs
	if s.empty() {
		start = newest
	}
	limit := l.config.maxSegmentMs() - s.jitter
	if start >= 0 {
		calls = min(calls, f.callStamped(add(start+1, limit))-f.done)
	} else {
		calls = min(calls, f.callAt(add(s.created+1, limit))-f.done)
	}
	// Each batch gives the index one entry at the most.
	if left := int64(s.capacity/indexSlot) - s.entries; calls > math.MaxInt32 || f.Batches > math.MaxInt32 || calls*f.Batches >= left {
		unit, each := f.Batch, f.Batches
		if l.version.indexesByCall() {
			unit, each = f.bytes, 1
		}
		head, gap := s.indexGaps(unit)
		if left > 1 {
			head += (left - 1) * gap
		}
		calls = min(calls, head/each+1)
	}
	return max(calls, 1)
}

// indexGaps is the number of the batch, of those of one size that follow, that gets the next index entry, and the
// distance from one entry to the next.
func (s *segment) indexGaps(size Bytes) (head, gap int64) {
	gap = int64(s.interval/size) + 1
	if s.acc > s.interval {
		return 0, gap
	}
	return int64((s.interval-s.acc)/size) + 1, gap
}

// overfull reports whether an index may be full before the last batch of what gains so much.
func (s *segment) overfull(entries offsetGain, times timeGain) bool {
	return s.entries+entries.count > int64(s.capacity/indexSlot) || s.times+times.count >= int64(s.capacity/timeSlot)-1
}

// offsetGain is what calls add to the offset index: entries, and the bytes since the last one.
type offsetGain struct {
	count int64
	acc   Bytes
}

// timeGain is what calls add to the time index: entries, and the timestamp of the last.
type timeGain struct {
	count int64
	last  Millis
}

// indexGain is what the next calls of a plain run add to the segment's indexes, by a closed formula.
func (s *segment) indexGain(f *feed, calls int64, v Version) (offsetGain, timeGain) {
	size, each := f.Batch, f.Batches
	if v.indexesByCall() {
		size, each = f.bytes, 1
	}
	n := calls * each
	head, gap := s.indexGaps(size)
	if n <= head {
		return offsetGain{0, s.acc + Bytes(n)*size}, timeGain{}
	}
	count := 1 + (n-1-head)/gap
	tail := head + (count-1)*gap
	return offsetGain{count, Bytes(n-tail) * size}, s.timeGain(f, head, gap, count, each)
}

// timeGain counts the time index entries among count offset index entries at batches head, head+gap, … of which there are
// each in a call: an entry is added only when the segment's largest timestamp is above the last entry's.
func (s *segment) timeGain(f *feed, head, gap, count, each int64) (g timeGain) {
	call := func(j int64) int64 {
		if each == 1 {
			return f.done + head + j*gap
		}
		return f.done + (head+j*gap)/each
	}
	stamp := func(j int64) Millis { return f.stamps.at(call(j)) }
	// firstAbove is the first entry whose own timestamp is above t.
	firstAbove := func(t Millis) int64 {
		if f.stamp(f.done, f.due) > t {
			return 0 // that of the next call is, and timestamps do not fall
		}
		i := f.callStamped(t + 1)
		if i <= call(0) {
			return 0
		}
		if i > call(count-1) {
			return count
		}
		// The first j with (head+j·gap)/each ≥ i−done.
		return max(0, ((i-f.done)*each-head+gap-1)/gap)
	}
	last := s.lastTime
	from := int64(0)
	if s.maxTs > last {
		// The first entry has at least the largest timestamp so far; those that do not pass it add nothing more.
		from = firstAbove(s.maxTs)
		if from > 0 {
			g = timeGain{1, s.maxTs}
		}
	} else {
		from = firstAbove(last)
	}
	if from >= count {
		return g
	}
	g.last = stamp(count - 1)
	num, den := f.stamps.num, f.stamps.den
	least, most := gap, gap
	if each > 1 {
		least, most = gap/each, (gap+each-1)/each
	}
	switch {
	case least > 0 && (num >= den || mulDiv(least, num, den) >= 1):
		g.count += count - from // every entry has a later timestamp than the one before
	case most == 1 && num >= den:
		g.count += call(count-1) - call(from) + 1 // every call has
	case mulDivUp(most, num, den) <= 1:
		g.count += int64(g.last-stamp(from)) + 1 // every millisecond has an entry
	default:
		before := NoTimestamp
		for j := from; j < count; j++ {
			if t := stamp(j); t > before {
				g.count++
				before = t
			}
		}
	}
	return g
}

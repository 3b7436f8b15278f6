package calc

// evenRun is what a [feed] knows of the segments that it fills alone, when all of them are equal: each call brings the same
// bytes, is one batch, and stamps it later by the interval of the calls, and a segment rolls when it is full and for no
// other reason. What is in such a segment then follows from how many calls came since it was made, and a whole segment is
// written down at once. That is the usual state of a log, and where a simulation spends its time.
type evenRun struct {
	full    int64 // calls that fill a segment; 0: segments are not even
	gap     int64 // calls from one entry of the offset index to the next
	entries int64 // of the offset index of a full segment
	stepped bool  // each entry is stamped later than the one before; else every millisecond has one

	base Offset // of the segment that the run fills; −1 before there is one
	from int64  // call that began it
}

// newEvenRun is what a run knows under a configuration. That no segment rolls but by size is taken with some room to spare.
func (l *log) newEvenRun(f *feed) evenRun {
	none := evenRun{base: -1}
	if !f.plain || !f.steady || f.Batches != 1 || f.Aborts || f.IntervalNum <= 0 || f.at > Never/2 {
		return none
	}
	c := &l.config
	full := int64(c.SegmentBytes / f.bytes)
	gap := int64(c.IndexIntervalBytes/f.bytes) + 1
	entries := (full - 1) / gap
	if entries+2 >= int64(c.SegmentIndexBytes/timeSlot) || full >= maxRelativeOffset/f.Records-1 {
		return none
	}
	if limit := c.maxSegmentMs() - max(min(c.SegmentJitterMs, c.SegmentMs), 0); mulDiv(full, f.IntervalNum, f.IntervalDen) >= int64(limit) {
		return none
	}
	return evenRun{full: full, gap: gap, entries: entries, stepped: mulDiv(gap, f.IntervalNum, f.IntervalDen) > 0, base: -1}
}

// begin notes that the next call of the run is the first of the segment, if that is as the run needs it.
func (e *evenRun) begin(s *segment, call int64, c *LogConfig) {
	if e.full > 0 && s.interval == c.IndexIntervalBytes && s.capacity == c.SegmentIndexBytes && s.acc == 0 && s.entries == 0 &&
		s.times == 0 && (s.prealloc > 0) == c.Preallocate && s.prealloc <= c.SegmentBytes {
		e.base, e.from = s.base, call
	}
}

// appendEven is [log.appendMany] for a run that fills even segments, and reports whether it could do that. It goes on into
// the next segments if many is set; rolls are then counted and not told as events, so that a call takes time for a segment
// and little of it.
//
// It is one function without calls on the way, as a call is what costs most in WebAssembly; docs/performance.md has the
// numbers. The state of a segment after n calls is by the formulas of [segment.indexGain] for an index without entries.
func (l *log) appendEven(f *feed, before Millis, alone, many bool) bool {
	if f.even.full == 0 || l.gone {
		return false
	}
	s := &l.segments.items[len(l.segments.items)-1]
	full, gap, from := f.even.full, f.even.gap, f.even.from
	p := &l.producers
	if s.base != f.even.base || !l.hasEpoch || l.logEnd < l.epochStart || s.size != f.bytes*Bytes(f.done-from) || f.done-from == full && l.logEnd <= p.lastSnap ||
		f.Producer >= 0 && len(p.lastTs) > 0 && f.done < p.began+p.of || !fits(int64(before-f.at), f.IntervalDen) {
		return false
	}
	num, den, size := uint64(f.IntervalNum), uint64(f.IntervalDen), f.bytes
	// Calls below end come before the time, by firstAt.
	end := min(f.Count, int64((uint64(before-f.at)*den+num-1)/num))
	if !fits(end+full, f.IntervalNum) {
		return false
	}
	entries := f.even.entries
	lastEntry := entries * gap
	first, done := f.done, f.done
	known := int64(len(p.lastTs)) + p.alive
	due := f.due
	for {
		if done-from == full {
			// The segment is full: it is closed, and the next one made.
			s.size = size * Bytes(full)
			s.acc = size * Bytes(full-lastEntry)
			s.entries = entries
			s.mtime = f.at + Millis(uint64(done-1)*num/den)
			s.maxTs = s.mtime + f.clock
			s.times = 0
			if entries > 0 {
				s.lastTime = f.at + Millis(uint64(from+lastEntry)*num/den) + f.clock
				s.times = entries
				if !f.even.stepped {
					s.times = int64(s.lastTime-f.at-f.clock) - int64(uint64(from+gap)*num/den) + 1
				}
			}
			if s.maxTs > s.lastTime {
				s.times++
				s.lastTime = s.maxTs
			}
			if s.prealloc > s.size {
				s.mtime = due
			}
			s.prealloc = 0
			s.hasIndex, s.hasTimes, s.closed = true, true, true

			index, times, snapshot := indexSlot*Bytes(s.entries), timeSlot*Bytes(s.times), max(s.snapshot, 0)
			l.closedSum.log += s.size
			l.closedSum.apparent += s.size + index + times + snapshot
			l.closedSum.allocated += blocks(s.size) + blocks(index) + blocks(times) + blocks(snapshot)
			l.closedSum.index += index + times

			if f.Producer >= 0 {
				known = int64(len(p.lastTs)) + min(f.Producers, p.alive+done-first)
			}
			l.now = due
			base := s.base + Offset(full*f.Records)
			jitter, prealloc := Millis(0), Bytes(0)
			if l.config.SegmentJitterMs > 0 {
				jitter = l.drawJitter()
			}
			if l.config.Preallocate {
				prealloc = l.config.SegmentBytes
			}
			if n := len(l.segments.items); n < cap(l.segments.items) {
				l.segments.items = l.segments.items[:n+1]
				s = &l.segments.items[n]
			} else {
				s = l.segments.extend()
			}
			// All but what is set below.
			s.base, s.created, s.firstAt, s.jitter = base, due, due, jitter
			s.firstTs, s.batchTs, s.lastTime = due+f.clock, due+f.clock, NoTimestamp
			s.interval, s.capacity, s.prealloc = l.config.IndexIntervalBytes, l.config.SegmentIndexBytes, prealloc
			s.times, s.txn, s.snapshot, s.closed = 0, noFile, snapshotHeader+snapshotEntry*Bytes(known), false
			from, f.even.base, p.lastSnap = done, base, base
			if many {
				l.untold.rolls++
			} else {
				l.event(Roll, base, rollReasons[fullSegment])
			}
			if alone {
				end = done + 1
			}
		}
		done = min(from+full, end)
		due = f.at + Millis(uint64(done)*num/den)
		if !many || done == end {
			break
		}
	}
	n := done - from
	entries = int64(uint64(n-1) / uint64(gap)) // n ≥ 1
	s.size = size * Bytes(n)
	s.entries = entries
	s.acc = size * Bytes(n-entries*gap)
	if entries > 0 {
		s.lastTime = f.at + Millis(uint64(from+entries*gap)*num/den) + f.clock
		s.times = entries
		if !f.even.stepped {
			s.times = int64(s.lastTime-f.at-f.clock) - int64(uint64(from+gap)*num/den) + 1
		}
	}
	l.now = f.at + Millis(uint64(done-1)*num/den)
	s.mtime = l.now
	s.maxTs = l.now + f.clock
	s.hasIndex, s.hasTimes = true, true

	l.logEnd = s.base + Offset(n*f.Records)
	p.mapEnd = l.logEnd
	if f.Producer >= 0 {
		p.alive = min(f.Producers, p.alive+done-first)
		p.until = done
	}
	f.even.from, f.done, f.due = from, done, due
	if done == f.Count {
		f.due = Never
	}
	if !l.held {
		l.highWatermark = l.logEnd
	}
	return true
}

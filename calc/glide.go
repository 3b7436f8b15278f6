package calc

import "math"

// glide plays a log in its usual state from here up to a time and keeps the books: one even run, retention by time and size,
// the removal of files. It goes over rolls, checks, removals and the buckets of the envelope and calls nothing on the way. It
// stops before anything else: a step of the plan, an expiry of producers, a roll for another reason than size, the first
// deletion, a check that reaches the active segment. What it stops at is for [runner.step]. It reports whether it did
// anything. cut lets it end with appends up to the time; without it, appends that go on beyond the time are left to step.
//
// This is the one place where the rules are written a second time, in a long function, for speed: in WebAssembly a call
// costs as much as thirty additions. A jump that is taken costs there, too, so that what is rare ends with continue instead of
// coming back to what is usual, and what is small is chosen without a jump. The rules are those of
// [log.roll], [log.retain], [log.wait] and [log.remove], the state
// of a segment is by [evenRun], and TestGlidingChangesNothing holds it to going step by step. See decision 0014.
func (r *runner) glide(stop Millis, cut bool) bool {
	s, t := r.sim, r.t
	l := s.log
	if s.stopped || l.gone || s.remote != nil || len(s.feeds) != 1 || l.held || len(l.replaced) > 0 || len(l.producers.strays) > 0 ||
		!l.hasEpoch || l.logEnd < l.epochStart || l.version < V3_0 {
		return false
	}
	c, p, f, tasks := &l.config, &l.producers, &s.feeds[0], &s.tasks
	g := &l.segments.items[len(l.segments.items)-1]
	full, gap, from, done := f.even.full, f.even.gap, f.even.from, f.done
	if full == 0 || done >= f.Count || l.segments.len() < 2 || g.base != f.even.base || g.size != f.bytes*Bytes(done-from) || l.logEnd <= p.lastSnap ||
		f.Producer >= 0 && len(p.lastTs) > 0 && done < p.began+p.of || !c.Delete || c.Compact || c.RemoteStorage || r.front == Never ||
		c.RetentionMs < 0 && c.RetentionBytes < 0 {
		return false
	}
	num, den, size := uint64(f.IntervalNum), uint64(f.IntervalDen), f.bytes
	stop = min(stop, add(t.plan.Until, 1))
	if s.more {
		stop = min(stop, s.ahead.At)
	}
	if !fits(int64(stop-f.at), f.IntervalDen) {
		return false
	}
	last := min(f.Count, int64((uint64(stop-f.at)*den+num-1)/num)) // calls below it come before stop
	if !fits(last+full, f.IntervalNum) {
		return false
	}
	other := min(tasks.expiry.at, tasks.copying.at)
	period, delay := tasks.retention.period, c.FileDeleteDelayMs
	if period <= 0 || period > Never-stop || delay > Never-stop {
		return false
	}
	entries, lastEntry := f.even.entries, f.even.entries*gap
	oneStamp, uneven := Millis(0), !f.even.stepped && entries > 0
	if entries == 0 {
		oneStamp = 1 // an index without an entry gets one when the segment is closed
	}
	listed, alive, most := int64(len(p.lastTs)), p.alive, p.alive
	if f.Producer >= 0 {
		most = f.Producers
	}
	due, started := f.due, done
	files := c.SegmentIndexBytes/indexSlot*indexSlot + c.SegmentIndexBytes/timeSlot*timeSlot
	prealloc, jitters := Bytes(0), min(c.SegmentJitterMs, c.SegmentMs) > 0
	if c.Preallocate {
		prealloc = c.SegmentBytes
	}
	// A check deletes what is older than the time that it is now by shift.
	shift, ahead := l.epoch-min(c.RetentionMs, Never/2), Never
	if c.RetentionMs < 0 {
		shift = math.MinInt64 / 2
	}
	if s.more {
		ahead = s.ahead.At
	}
	if c.RetentionBytes >= 0 || period == tasks.expiry.period || period == tasks.copying.period || !g.hasTimes {
		ahead = 0 // no check is passed over
	}
	first := r.regular.OK && t.band == nil || t.counts.FirstDeletion == Never // the next deletion is one of a kind
	b := &t.envelope[len(t.envelope)-1]
	band := t.band
	if band == nil {
		band = &Band{}
	}
	peak, counts := &t.peak, &t.counts
	var rolls, bySizes, byTimes, removals, deletions int64
	log := l.closedSum.log + g.size
	moved := false // something was done
	lead := 0      // how many went by size at the first deletion
	bySize := 0    // how many go by size at the check sized
	sized := Millis(-1)
	latest := Millis(0) // when the last that waits is due
	waiting := l.nextRemoval()
	if w := len(l.deleted.items); w > l.deleted.head {
		latest = l.deleted.items[w-1].due
	}
	digit := Offset(math.MaxInt64) // the log start from which leader-epoch-checkpoint is longer
	if n := int(l.epochFile - 7); n < len(powers) {
		digit = powers[n]
	}
	check := tasks.retention
	s.skipRetention()
	task := tasks.retention.at // the next check that may find something
	if check.at > min(waiting, other) {
		tasks.retention = check // not before it comes next
	}
	halt := min(stop, other, l.leavesSnapshot())
	appends := other // calls up to this time may be made, and before stop
	if !cut {
		appends = min(other, stop-1)
	}
	for {
		// What comes next.
		next := min(task, waiting)
		if at := min(next, due); at >= min(halt, b.To) {
			if at >= halt {
				break
			}
			// The bucket ends. What is on disk is as it was.
			moved = true
			l.use(&r.usage)
			r.close(b)
			r.open(b.To)
			b = &t.envelope[len(t.envelope)-1]
			if r.cancelled {
				break
			}
			continue
		}
		if due < next {
			before := min(next, b.To)
			if before > appends {
				break
			}
			end := min(last, int64((uint64(min(before, stop)-f.at)*den+num-1)/num))
			moved = true
			begun := done
			for end-from > full {
				// The segment is filled, and the next call begins another.
				n := len(l.segments.items)
				if n == cap(l.segments.items) {
					l.segments.room(1)
					g = l.segments.last()
					continue
				}
				done = from + full
				due = f.at + Millis(uint64(done)*num/den)
				newest := f.at + Millis(uint64(done-1)*num/den)
				stamped := f.at + Millis(uint64(from+lastEntry)*num/den) - oneStamp
				mtime := newest
				if prealloc > size*Bytes(full) {
					mtime = due
				}
				g.size = size * Bytes(full)
				g.acc = size * Bytes(full-lastEntry)
				g.entries, g.times = entries, entries+int64(uint64(stamped-newest)>>63) // one more when it closes with a new time
				g.mtime, g.maxTs, g.lastTime = mtime, newest+f.clock, newest+f.clock
				g.prealloc = 0
				g.hasIndex, g.hasTimes, g.closed = true, true, true
				snapshot := max(g.snapshot, 0)
				index, stamps := indexSlot*Bytes(g.entries), timeSlot*Bytes(g.times)
				l.closedSum.log += g.size
				l.closedSum.apparent += g.size + index + stamps + snapshot
				l.closedSum.allocated += blocks(g.size) + blocks(index) + blocks(stamps) + blocks(snapshot)
				l.closedSum.index += index + stamps

				base, stamp := g.base+Offset(full*f.Records), due+f.clock
				l.segments.items = l.segments.items[:n+1]
				g = &l.segments.items[n]
				g.base, g.created, g.firstAt, g.jitter = base, due, due, 0
				g.firstTs, g.batchTs, g.lastTime = stamp, stamp, NoTimestamp
				g.interval, g.capacity, g.prealloc = c.IndexIntervalBytes, c.SegmentIndexBytes, prealloc
				g.times, g.txn, g.closed = 0, noFile, false
				g.snapshot = snapshotHeader + snapshotEntry*Bytes(listed+min(most, alive+done-begun))
				p.lastSnap = base
				rolls++
				begins := from
				from = done
				if uneven || jitters {
					r.mend(begins, due, uneven)
				}
			}
			done = end
			due = f.at + Millis(uint64(done)*num/den)
			n := done - from
			written := int64(uint64(n-1) / uint64(gap))
			g.size = size * Bytes(n)
			g.entries = written
			g.acc = size * Bytes(n-written*gap)
			lastTime, times := f.at+Millis(uint64(from+written*gap)*num/den)+f.clock, written
			if uneven {
				times = f.stampsFrom(from, written)
			}
			if written == 0 {
				lastTime = g.lastTime
			}
			if written == 0 {
				times = 0
			}
			g.lastTime, g.times = lastTime, times
			now := f.at + Millis(uint64(done-1)*num/den)
			l.now = now
			g.mtime = now
			g.maxTs = now + f.clock
			g.hasIndex, g.hasTimes = true, true
			l.logEnd = g.base + Offset(n*f.Records)
			p.mapEnd, l.highWatermark = l.logEnd, l.logEnd
			alive = min(most, alive+done-begun)
			if done == f.Count {
				due = Never
			}
			f.even.from, f.even.base, f.done, f.due = from, g.base, done, due

			// Everything grew.
			snapshot := max(g.snapshot, 0)
			log = l.closedSum.log + g.size
			apparent := l.closedSum.apparent + l.waitSum.apparent + max(g.size, g.prealloc) + files + snapshot + l.epochFile + metadataFile
			allocated := l.closedSum.allocated + l.waitSum.allocated + blocks(g.size) + blocks(snapshot) +
				blocks(indexSlot*Bytes(g.entries)) + blocks(timeSlot*Bytes(g.times)) + 8192
			segments := int64(len(l.segments.items) - l.segments.head)
			open := segments + int64(len(l.deleted.items)-l.deleted.head-l.alone)
			b.Log.High = max(b.Log.High, log)
			b.Indexes.High = max(b.Indexes.High, l.closedSum.index+files)
			b.Apparent.High = max(b.Apparent.High, apparent)
			b.Allocated.High = max(b.Allocated.High, allocated)
			band.Log.High = max(band.Log.High, log)
			band.Apparent.High = max(band.Apparent.High, apparent)
			if log > peak.Log.Bytes || apparent > peak.Apparent.Bytes || allocated > peak.Allocated.Bytes || allocated > band.Allocated.High ||
				segments > counts.Segments || open > counts.OpenFiles {
				r.most(band, log, apparent, allocated, g.created)
				continue
			}
			if next >= halt || next >= b.To {
				continue
			}
		}

		// A task is due.
		now := next
		removes := task > now
		if !removes {
			oldest := l.segments.head
			n, active := oldest, len(l.segments.items)-1
			if c.RetentionBytes >= 0 && sized != now {
				bySize, sized = l.beyond(c.RetentionBytes, log), now
				continue
			}
			n += bySize
			limit := uint64(max(now+shift, 0))
			for n < active && uint64(l.segments.items[n].maxTs) < limit {
				n++
			}
			// What this function does not know: an active segment that goes, no timestamps, the first deletion.
			if n >= active || l.segments.items[n].maxTs < 0 || l.segments.items[oldest+1].base <= l.logStart || g.snapshot == noFile {
				break
			}
			late, start := now+delay, l.segments.items[n].base
			if n > oldest && first || latest > late {
				break
			}
			if cap(l.deleted.items)-len(l.deleted.items) < n-oldest {
				l.deleted.room(n - oldest)
				continue
			}
			if start >= digit {
				l.epochFile, digit = 7+digits(start), math.MaxInt64
				if n := int(l.epochFile - 7); n < len(powers) {
					digit = powers[n]
				}
				continue
			}
			moved = true
			l.now, l.armed = now, now
			task = now + period
			tasks.retention.at, tasks.retention.armed, tasks.retention.order = task, now, tasks.scheduled
			tasks.scheduled++
			// Checks are passed over as skipRetention does when they come next.
			quiet := max(min(l.segments.items[n].maxTs-shift+1, ahead), task)
			task += Millis(uint64(quiet-task+period-1) / uint64(period) * uint64(period))
			if n == oldest {
				continue
			}
			t.ages.read(now, now-r.readable)
			t.ages.AtDeletion.include(now - r.front)
			w := len(l.deleted.items)
			l.deleted.items = l.deleted.items[:w+n-oldest]
			for i := oldest; i < n; i++ {
				g, d := &l.segments.items[i], &l.deleted.items[w]
				w++
				index, times, txn, snapshot := indexSlot*Bytes(g.entries), timeSlot*Bytes(g.times), max(g.txn, 0), max(g.snapshot, 0)
				own := blocks(g.size) + blocks(index) + blocks(times) + blocks(txn)
				all := own + blocks(snapshot)
				l.closedSum.log -= g.size
				l.waitSum.log += g.size
				l.closedSum.allocated -= all
				l.waitSum.allocated += all
				files := index + times + txn
				l.closedSum.index -= files
				l.waitSum.index += files
				files += g.size + snapshot
				l.closedSum.apparent -= files
				l.waitSum.apparent += files
				d.base, d.size, d.log, d.index, d.times, d.txn, d.snap = g.base, g.size, g.size, index, times, g.txn, g.snapshot
				d.blocks, d.snapBlocks = own, blocks(snapshot)
				d.due, d.snapDue, d.made, d.firstAt = late, late, now, g.firstAt
			}
			if deletions == 0 {
				lead = bySize
			}
			bySizes += int64(bySize)
			byTimes += int64(n - oldest - bySize)
			deletions++
			latest, waiting = late, min(waiting, late)
			l.segments.head = n
			l.logStart = start
			l.localStart = max(l.localStart, start)
			l.epochStart = max(l.epochStart, start)
			p.lastSnap = g.base
			r.front = l.segments.items[n].firstAt
			r.readable = r.front
			r.onDisk = min(r.front, l.deleted.items[l.deleted.head].firstAt)
			t.ages.read(now, now-r.readable)
			log = l.closedSum.log + g.size
			if waiting <= now {
				continue // what is removed at once is not seen
			}
		} else {
			moved = true
			at, armed := tasks.retention.at, tasks.retention.armed
			if at <= now {
				armed = task - period // it was passed over
			}
			if at <= now {
				at = task
			}
			tasks.retention.at, tasks.retention.armed = at, armed
			l.now, l.armed = now, armed
			t.ages.AtRemoval.include(now - r.onDisk)
			t.ages.OnDisk.include(now - r.onDisk)
			i := l.deleted.head
			removals -= int64(i)
			for {
				d := &l.deleted.items[i]
				index := max(d.index, 0) + max(d.times, 0) + max(d.txn, 0)
				l.waitSum.log -= d.size
				l.waitSum.apparent -= d.log + index + max(d.snap, 0)
				l.waitSum.allocated -= d.blocks + d.snapBlocks
				l.waitSum.index -= index
				i++
				if i == len(l.deleted.items) || l.deleted.items[i].due > now {
					break
				}
			}
			removals += int64(i)
			l.deleted.head = i
		}
		// Nothing grew but what awaits removal.
		snapshot := max(g.snapshot, 0)
		apparent := l.closedSum.apparent + l.waitSum.apparent + max(g.size, g.prealloc) + files + snapshot + l.epochFile + metadataFile
		allocated := l.closedSum.allocated + l.waitSum.allocated + blocks(g.size) + blocks(snapshot) +
			blocks(indexSlot*Bytes(g.entries)) + blocks(timeSlot*Bytes(g.times)) + 8192
		b.Log.Low = min(b.Log.Low, log)
		b.Indexes.Low = min(b.Indexes.Low, l.closedSum.index+files)
		b.Awaiting.Low = min(b.Awaiting.Low, l.waitSum.apparent)
		b.Awaiting.High = max(b.Awaiting.High, l.waitSum.apparent)
		b.Apparent.Low = min(b.Apparent.Low, apparent)
		b.Apparent.High = max(b.Apparent.High, apparent)
		b.Allocated.Low = min(b.Allocated.Low, allocated)
		peak.Apparent.reach(now, apparent) // leader-epoch-checkpoint may have grown by a digit
		band.Log.Low = min(band.Log.Low, log)
		band.Apparent.Low = min(band.Apparent.Low, apparent)
		band.Apparent.High = max(band.Apparent.High, apparent)
		leastAt := band.LeastAt
		if allocated < band.Allocated.Low {
			leastAt = now
		}
		band.Allocated.Low, band.LeastAt = min(band.Allocated.Low, allocated), leastAt
		if !removes {
			continue
		}
		if l.deleted.head == len(l.deleted.items) {
			l.deleted.items, l.deleted.head = l.deleted.items[:0], 0
			r.onDisk, waiting = r.front, Never
			t.ages.OnDisk.include(now - r.onDisk)
			continue
		}
		waiting = l.deleted.items[l.deleted.head].due
		r.onDisk = min(r.front, l.deleted.items[l.deleted.head].firstAt)
		t.ages.OnDisk.include(now - r.onDisk)
	}
	if f.Producer >= 0 && done != started {
		p.alive, p.until = alive, done
	}
	s.known = false
	if f.done == f.Count {
		s.dropFinished()
	}
	counts.MemoryMaps = max(counts.MemoryMaps, 2*counts.OpenFiles)
	counts.Rolls += rolls
	counts.Deletions += bySizes + byTimes
	counts.Removals += removals
	counts.Events += rolls + bySizes + byTimes + removals
	counts.RollsBy.add(rollReasons[fullSegment], rolls)
	if lead == 0 {
		counts.DeletionsBy.add(ByTime, byTimes)
		byTimes = 0
	}
	counts.DeletionsBy.add(BySize, bySizes)
	counts.DeletionsBy.add(ByTime, byTimes)
	if t.band != nil {
		t.band.deletions += int(deletions)
	}
	l.use(&r.usage)
	return moved
}

// most notes what the log grew to, where that is the most yet.
//
//go:noinline
func (r *runner) most(band *Band, log, apparent, allocated Bytes, created Millis) {
	l, t := r.sim.log, r.t
	t.peak.Log.reach(l.now, log)
	t.peak.Apparent.reach(l.now, apparent)
	if allocated > t.peak.Allocated.Bytes {
		t.peak.Allocated.reach(l.now, allocated)
		l.use(&t.most)
	}
	if allocated > band.Allocated.High {
		band.Allocated.High, band.MostAt = allocated, l.now
	}
	segments := int64(l.segments.len())
	if segments > t.counts.Segments {
		t.counts.Segments, t.counts.SegmentsAt = segments, created
	}
	if open := segments + int64(l.deleted.len()-l.alone); open > t.counts.OpenFiles {
		t.counts.OpenFiles, t.counts.OpenFilesAt = open, created
	}
}

// stampsFrom is how many entries the time index has after so many of the offset index, of which some have the same time: there is
// one for every millisecond from the first to the last.
//
//go:noinline
func (f *feed) stampsFrom(from, entries int64) int64 {
	num, den := uint64(f.IntervalNum), uint64(f.IntervalDen)
	return int64(uint64(from+entries*f.even.gap)*num/den) - int64(uint64(from+f.even.gap)*num/den) + 1
}

// mend gives the active segment its jitter and the one before, which the call begins began, the entries of its time index
// when it is not as simple as that each entry of the offset index has one.
//
//go:noinline
func (r *runner) mend(begins int64, now Millis, uneven bool) {
	l, f := r.sim.log, &r.sim.feeds[0]
	l.now = now
	l.active().jitter = l.drawJitter()
	if !uneven {
		return
	}
	g := &l.segments.items[len(l.segments.items)-2]
	before := timeSlot * Bytes(g.times)
	g.times += f.stampsFrom(begins, g.entries) - g.entries
	after := timeSlot * Bytes(g.times)
	l.closedSum.apparent += after - before
	l.closedSum.index += after - before
	l.closedSum.allocated += blocks(after) - blocks(before)
}

// leavesSnapshot is when files are due that leave a snapshot which has a time of its own; Never when there are none.
func (l *log) leavesSnapshot() Millis {
	for _, d := range l.deleted.all() {
		if d.log == noFile || d.snapDue > d.due {
			return d.due
		}
	}
	return Never
}

// beyond is how many of the oldest segments retention by size gives up; log is the size of the log.
//
//go:noinline
func (l *log) beyond(limit, log Bytes) int {
	n := 0
	segments := l.segments.all()
	for excess := log - limit; n < len(segments)-1 && excess >= segments[n].size; n++ {
		excess -= segments[n].size
	}
	return n
}

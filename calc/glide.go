package calc

// glide plays a log in its usual state from here up to a time and keeps the books: one even run, retention by time and size,
// the removal of files. It goes over rolls, checks, removals and the buckets of the envelope and calls nothing on the way. It
// stops before anything else: a step of the plan, an expiry of producers, a roll for another reason than size, the first
// deletion, a check that reaches the active segment. What it stops at is for [runner.step]. It reports whether it did
// anything. cut lets it end with appends up to the time; without it, appends that go on beyond the time are left to step.
//
// This is the one place where the rules are written a second time, in a long function, for speed: in WebAssembly a call
// costs as much as thirty additions. The rules are those of [log.roll], [log.retain], [log.wait] and [log.remove], the state
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
	entries, lastEntry := f.even.entries, f.even.entries*gap
	listed, alive, of := int64(len(p.lastTs)), p.alive, int64(0)
	if f.Producer >= 0 {
		of = f.Producers
	}
	due := f.due
	files := c.SegmentIndexBytes/indexSlot*indexSlot + c.SegmentIndexBytes/timeSlot*timeSlot
	prealloc, jitters := Bytes(0), min(c.SegmentJitterMs, c.SegmentMs) > 0
	if c.Preallocate {
		prealloc = c.SegmentBytes
	}
	b := &t.envelope[len(t.envelope)-1]
	band := t.band
	if band == nil {
		band = &Band{}
	}
	peak, counts := &t.peak, &t.counts
	var rolls, bySizes, byTimes, removals, deletions int64
	log := l.closedSum.log + g.size
	moved := false       // something was done
	looked := Millis(-1) // the check that is known to find something
	timeFirst := false   // the first deletion was by time
	for {
		// What comes next.
		task, waiting := tasks.retention.at, Never
		if l.deleted.head < len(l.deleted.items) {
			waiting = l.deleted.items[l.deleted.head].due
		}
		other := min(tasks.expiry.at, tasks.copying.at)
		at := min(task, waiting, due, other)
		if at >= stop {
			break
		}
		if at >= b.To {
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
		if task <= min(waiting, other) && task != looked {
			s.skipRetention()
			if tasks.retention.at != task {
				moved = true
				continue
			}
			looked = task
		}
		if other <= due && other <= min(task, waiting) {
			break
		}
		next := min(task, waiting)
		if due < next {
			end := last
			before := min(next, b.To)
			if before > other || before >= stop && !cut {
				break
			}
			if before < stop {
				end = min(last, int64((uint64(before-f.at)*den+num-1)/num))
			}
			moved = true
			first := done
			for {
				if done-from == full {
					g.size = size * Bytes(full)
					g.acc = size * Bytes(full-lastEntry)
					g.entries = entries
					newest := f.at + Millis(uint64(done-1)*num/den)
					g.mtime = newest
					if prealloc > g.size {
						g.mtime = due
					}
					newest += f.clock
					g.maxTs = newest
					times := entries
					lastTime := f.at + Millis(uint64(from+lastEntry)*num/den) + f.clock
					if !f.even.stepped && entries > 0 {
						times = int64(lastTime-f.at-f.clock) - int64(uint64(from+gap)*num/den) + 1
					}
					if newest > lastTime || entries == 0 {
						times++
						lastTime = newest
					}
					g.times, g.lastTime = times, lastTime
					g.prealloc = 0
					g.hasIndex, g.hasTimes, g.closed = true, true, true
					snapshot := max(g.snapshot, 0)
					index, stamps := indexSlot*Bytes(entries), timeSlot*Bytes(times)
					l.closedSum.log += g.size
					l.closedSum.apparent += g.size + index + stamps + snapshot
					l.closedSum.allocated += blocks(g.size) + blocks(index) + blocks(stamps) + blocks(snapshot)
					l.closedSum.index += index + stamps

					base := g.base + Offset(full*f.Records)
					if n := len(l.segments.items); n < cap(l.segments.items) {
						l.segments.items = l.segments.items[:n+1]
						g = &l.segments.items[n]
					} else {
						g = l.segments.extend()
					}
					jitter := Millis(0)
					if jitters {
						l.now = due
						jitter = l.drawJitter()
					}
					known := listed + alive
					if of > 0 {
						known = listed + min(of, alive+done-first)
					}
					stamp := due + f.clock
					g.base, g.created, g.firstAt, g.jitter = base, due, due, jitter
					g.firstTs, g.batchTs, g.lastTime = stamp, stamp, NoTimestamp
					g.interval, g.capacity, g.prealloc = c.IndexIntervalBytes, c.SegmentIndexBytes, prealloc
					g.times, g.txn, g.snapshot, g.closed = 0, noFile, snapshotHeader+snapshotEntry*Bytes(known), false
					from, p.lastSnap = done, base
					rolls++
				}
				done = min(from+full, end)
				due = f.at + Millis(uint64(done)*num/den)
				if done == end {
					break
				}
			}
			n := done - from
			written := int64(uint64(n-1) / uint64(gap))
			g.size = size * Bytes(n)
			g.entries = written
			g.acc = size * Bytes(n-written*gap)
			if written > 0 {
				g.lastTime = f.at + Millis(uint64(from+written*gap)*num/den) + f.clock
				g.times = written
				if !f.even.stepped {
					g.times = int64(g.lastTime-f.at-f.clock) - int64(uint64(from+gap)*num/den) + 1
				}
			}
			now := f.at + Millis(uint64(done-1)*num/den)
			l.now = now
			g.mtime = now
			g.maxTs = now + f.clock
			g.hasIndex, g.hasTimes = true, true
			l.logEnd = g.base + Offset(n*f.Records)
			p.mapEnd, l.highWatermark = l.logEnd, l.logEnd
			if of > 0 {
				alive = min(of, alive+done-first)
				p.alive, p.until = alive, done
			}
			f.even.from, f.even.base, f.done, f.due = from, g.base, done, due
			if done == f.Count {
				due, f.due = Never, Never
			}

			// Everything grew.
			snapshot := max(g.snapshot, 0)
			log = l.closedSum.log + g.size
			apparent := l.closedSum.apparent + l.waitSum.apparent + max(g.size, g.prealloc) + files + snapshot + l.epochFile + metadataFile
			allocated := l.closedSum.allocated + l.waitSum.allocated + blocks(g.size) + blocks(snapshot) +
				blocks(indexSlot*Bytes(g.entries)) + blocks(timeSlot*Bytes(g.times)) + 8192
			if log > peak.Log.Bytes {
				peak.Log.At, peak.Log.Bytes = now, log
			}
			if apparent > peak.Apparent.Bytes {
				peak.Apparent.At, peak.Apparent.Bytes = now, apparent
			}
			if allocated > peak.Allocated.Bytes {
				peak.Allocated.At, peak.Allocated.Bytes = now, allocated
				l.use(&t.most)
			}
			b.Log.High = max(b.Log.High, log)
			b.Indexes.High = max(b.Indexes.High, l.closedSum.index+files)
			b.Apparent.High = max(b.Apparent.High, apparent)
			b.Allocated.High = max(b.Allocated.High, allocated)
			band.Log.High = max(band.Log.High, log)
			band.Apparent.High = max(band.Apparent.High, apparent)
			if allocated > band.Allocated.High {
				band.Allocated.High, band.MostAt = allocated, now
			}
			segments := int64(len(l.segments.items) - l.segments.head)
			if segments > counts.Segments {
				counts.Segments, counts.SegmentsAt = segments, g.created
			}
			if open := segments + int64(len(l.deleted.items)-l.deleted.head-l.alone); open > counts.OpenFiles {
				counts.OpenFiles, counts.OpenFilesAt = open, g.created
			}
			continue
		}

		// A task is due.
		now := next
		n := 0
		alone := false
		for i := l.deleted.head; i < len(l.deleted.items) && l.deleted.items[i].due <= now; i++ {
			d := &l.deleted.items[i]
			alone = alone || d.log == noFile || d.snapDue > now
		}
		if alone {
			break // a snapshot with a time of its own
		}
		if task <= now {
			segments := l.segments.items[l.segments.head:]
			active := len(segments) - 1
			if active < 1 || segments[1].base <= l.logStart || segments[active].snapshot == noFile || tasks.retention.period <= 0 {
				break
			}
			bySize := 0
			if c.RetentionBytes >= 0 {
				excess := log - c.RetentionBytes
				for n < active && excess >= segments[n].size {
					excess -= segments[n].size
					n++
				}
				bySize = n
			}
			if c.RetentionMs >= 0 {
				oldest := l.epoch + now - c.RetentionMs
				for n < active && segments[n].maxTs >= 0 && segments[n].maxTs < oldest {
					n++
				}
			}
			// What this function does not know: an active segment that goes, no timestamps, the first deletion.
			if n == active || segments[n].maxTs < 0 || n > 0 && (r.regular.OK && t.band == nil || counts.FirstDeletion == Never) {
				break
			}
			late := add(now, c.FileDeleteDelayMs)
			if w := len(l.deleted.items); w > l.deleted.head && l.deleted.items[w-1].due > late {
				break
			}
			moved = true
			tasks.retention.at = add(task, tasks.retention.period)
			tasks.retention.armed, tasks.retention.order = now, tasks.scheduled
			tasks.scheduled++
			if n > 0 {
				t.ages.read(now, now-r.readable)
				t.ages.AtDeletion.include(now - r.front)
				for i := range segments[:n] {
					g := &segments[i]
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
					var d *deletedFiles
					if w := len(l.deleted.items); w < cap(l.deleted.items) {
						l.deleted.items = l.deleted.items[:w+1]
						d = &l.deleted.items[w]
					} else {
						d = l.deleted.extend()
					}
					d.base, d.size, d.log, d.index, d.times, d.txn, d.snap = g.base, g.size, g.size, index, times, g.txn, g.snapshot
					d.blocks, d.snapBlocks = own, blocks(snapshot)
					d.due, d.snapDue, d.made, d.firstAt = late, late, now, g.firstAt
				}
				timeFirst = timeFirst || bySizes == 0 && bySize == 0
				bySizes += int64(bySize)
				byTimes += int64(n - bySize)
				deletions++
				l.segments.head += n
				start := segments[n].base
				l.logStart = start
				l.localStart = max(l.localStart, start)
				if start > l.epochStart {
					for l.epochStart = start; l.epochFile-7 < 19 && start >= powers[l.epochFile-7]; {
						l.epochFile++
					}
				}
				p.lastSnap = segments[active].base
				r.front = segments[n].firstAt
				r.readable = r.front
				t.ages.read(now, now-r.readable)
				log = l.closedSum.log + segments[active].size
			}
		}
		l.now = now
		l.armed = tasks.retention.armed
		gone := 0
		for l.deleted.head < len(l.deleted.items) {
			d := &l.deleted.items[l.deleted.head]
			if d.due > now {
				break
			}
			index := max(d.index, 0) + max(d.times, 0) + max(d.txn, 0)
			l.waitSum.log -= d.size
			l.waitSum.apparent -= d.log + index + max(d.snap, 0)
			l.waitSum.allocated -= d.blocks + d.snapBlocks
			l.waitSum.index -= index
			l.deleted.head++
			gone++
		}
		if l.deleted.head == len(l.deleted.items) {
			l.deleted.items, l.deleted.head = l.deleted.items[:0], 0
		}
		if gone > 0 {
			moved = true
			removals += int64(gone)
			t.ages.AtRemoval.include(now - r.onDisk)
			t.ages.OnDisk.include(now - r.onDisk)
		}
		r.onDisk = r.front
		if l.deleted.head < len(l.deleted.items) {
			r.onDisk = min(r.onDisk, l.deleted.items[l.deleted.head].firstAt)
		}
		if gone > 0 {
			t.ages.OnDisk.include(now - r.onDisk)
		}
		if n+gone == 0 {
			continue
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
		if apparent > peak.Apparent.Bytes {
			peak.Apparent.At, peak.Apparent.Bytes = now, apparent // leader-epoch-checkpoint may have grown by a digit
		}
		band.Log.Low = min(band.Log.Low, log)
		band.Apparent.Low = min(band.Apparent.Low, apparent)
		band.Apparent.High = max(band.Apparent.High, apparent)
		if allocated < band.Allocated.Low {
			band.Allocated.Low, band.LeastAt = allocated, now
		}
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
	if timeFirst {
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

package calc

// untold is what happened in a step and was only counted, where events are not asked for.
type untold struct {
	rolls          int64 // of full segments
	bySize, byTime int64 // deletions for either reason
	timeFirst      bool  // the first was by time
	removals       int64
}

// runCalm runs what is due at a time if that is a retention check of a plain log, or the removal of files, or both, and
// does what [Simulation.runTasks] does. It reports false, and has done nothing, where anything else matters: a remote store,
// a held high watermark, segments without timestamps, an active segment that goes.
//
// It is one function without calls on the way, like [log.appendEven].
func (s *Simulation) runCalm(now Millis, many bool) bool {
	l, t, c := s.log, &s.tasks, &s.log.config
	if s.stopped || l.gone || s.remote != nil || t.expiry.at <= now || t.copying.at <= now || len(l.replaced) > 0 || now < l.now {
		return false
	}
	segments := l.segments.items[l.segments.head:]
	active := len(segments) - 1
	bySize, n := 0, 0 // segments that go by size, and those together with the ones that go by time
	check := t.retention.at <= now
	if check {
		if !c.Delete || c.Compact || c.RemoteStorage || l.version < V3_0 || active < 1 || segments[1].base <= l.logStart ||
			segments[active].snapshot == noFile || len(l.producers.strays) > 0 || l.highWatermark < segments[active].base ||
			add(t.retention.at, t.retention.period) <= now {
			return false
		}
		if c.RetentionBytes >= 0 {
			excess := l.closedSum.log + segments[active].size - c.RetentionBytes
			for excess >= segments[n].size {
				excess -= segments[n].size
				n++
				if n == active {
					return false
				}
			}
			bySize = n
		}
		if c.RetentionMs >= 0 {
			for oldest := l.epoch + now - c.RetentionMs; ; {
				newest := segments[n].maxTs
				if newest < 0 {
					return false
				}
				if newest >= oldest {
					break
				}
				n++
				if n == active {
					return false
				}
			}
		}
	}
	due := add(now, c.FileDeleteDelayMs)
	if w := l.deleted.items; n > 0 && len(w) > l.deleted.head && w[len(w)-1].due > due {
		return false
	}

	for i := l.deleted.head; i < len(l.deleted.items) && l.deleted.items[i].due <= now; i++ {
		if d := &l.deleted.items[i]; d.log == noFile || d.snapDue > now {
			return false // a snapshot with a time of its own
		}
	}

	l.now = now
	s.turn = TaskTurn
	if check {
		t.retention.at = add(t.retention.at, t.retention.period)
		t.retention.armed, t.retention.order = now, t.scheduled
		t.scheduled++
	}
	l.armed = t.retention.armed
	if n > 0 {
		var gone sums
		for i := range segments[:n] {
			g := &segments[i]
			index, times, txn, snapshot := indexSlot*Bytes(g.entries), timeSlot*Bytes(g.times), max(g.txn, 0), max(g.snapshot, 0)
			own := blocks(g.size) + blocks(index) + blocks(times) + blocks(txn)
			gone.log += g.size
			gone.apparent += g.size + index + times + txn + snapshot
			gone.allocated += own + blocks(snapshot)
			gone.index += index + times + txn
			var d *deletedFiles
			if w := len(l.deleted.items); w < cap(l.deleted.items) {
				l.deleted.items = l.deleted.items[:w+1]
				d = &l.deleted.items[w]
			} else {
				d = l.deleted.extend()
			}
			d.base, d.size, d.log, d.index, d.times, d.txn, d.snap = g.base, g.size, g.size, index, times, g.txn, g.snapshot
			d.blocks, d.snapBlocks = own, blocks(snapshot)
			d.due, d.snapDue, d.made, d.firstAt = due, due, now, g.firstAt
		}
		l.closedSum.log -= gone.log
		l.closedSum.apparent -= gone.apparent
		l.closedSum.allocated -= gone.allocated
		l.closedSum.index -= gone.index
		l.waitSum.log += gone.log
		l.waitSum.apparent += gone.apparent
		l.waitSum.allocated += gone.allocated
		l.waitSum.index += gone.index
		if many {
			u := &l.untold
			u.timeFirst = u.timeFirst || u.bySize == 0 && bySize == 0
			u.bySize += int64(bySize)
			u.byTime += int64(n - bySize)
		} else {
			for i := range segments[:n] {
				why := ByTime
				if i < bySize {
					why = BySize
				}
				l.event(Delete, segments[i].base, why)
			}
		}
		l.segments.head += n

		// As startAt has it: the newest snapshot is the active segment's.
		start := segments[n].base
		l.logStart = start
		l.localStart = max(l.localStart, start)
		if l.hasEpoch && start > l.epochStart {
			l.epochStart, l.epochFile = start, 7+digits(start)
		}
		l.producers.lastSnap = segments[active].base
	}
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
		if many {
			l.untold.removals++
		} else {
			l.event(Remove, d.base, "")
		}
		l.deleted.head++
	}
	if l.deleted.head == len(l.deleted.items) {
		l.deleted.items, l.deleted.head = l.deleted.items[:0], 0
	}
	return true
}

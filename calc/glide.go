package calc

// glide plays a log in its usual state from here up to a time and keeps the books: one even run, retention by time and size,
// the removal of files. It stops before anything else: a step of the plan, an expiry of producers that finds one, a roll for
// another reason than size, the first deletion, a check that reaches the active segment. What it stops at is for
// [runner.step]. It reports whether it did anything. cut lets it end with appends up to the time; without it, appends that go
// on beyond the time are left to step.
//
// A [flow] tells what is on disk by counts, so that glide goes from one instant at which something other than an append
// happens to the next, however many segments were filled between: a check, a removal, an expiry, the end of a bucket. Rolls are
// not looked at one by one: what is on disk only grows from one to the next, so that the last has the peak.
//
// This is the one place where the rules are written a second time, those of [log.roll], [log.retain], [log.wait] and
// [log.remove], in one function for speed: in WebAssembly a call costs as much as thirty additions, and a jump that is taken as
// much as a few. What is rare is a call of its own. TestGlidingChangesNothing holds it to going step by step. See
// decision 0014.
func (r *runner) glide(stop Millis, cut bool) bool {
	w, s, t := &r.flow, r.sim, r.t
	stop = min(stop, add(t.plan.Until, 1))
	if s.more {
		stop = min(stop, s.ahead.At)
	}
	if stop <= s.log.now || !w.enter(r, stop) {
		return false
	}
	end, halt := Never, min(w.halt, stop, r.mark)
	if cut {
		end, halt = stop, min(w.halt, add(stop, 1))
	}
	tasks, ages, b := &s.tasks, &t.ages, &t.envelope[len(t.envelope)-1]
	expiry, waiting := tasks.expiry.at, w.groups.at(0).due
	check := tasks.retention
	s.skipRetention()
	task, period := tasks.retention.at, check.period // the next check that may find something
	if check.at > min(waiting, expiry, w.halt) {
		tasks.retention = check // not before it comes next
	}
	at, armed := tasks.retention.at, tasks.retention.armed
	first, full, num, den, size := w.first, w.full, w.num, w.den, w.size
	acted := false // a task ran or a bucket ended
	for {
		next := min(task, waiting, expiry, b.To, end)
		if next >= halt {
			halt = r.passMark(next, halt, stop)
			if next >= halt {
				break
			}
			continue
		}
		if next == expiry {
			later := w.passExpiry(next)
			if later == expiry {
				break
			}
			expiry = later
			continue
		}
		if w.filled < next {
			w.fill(next)
			continue
		}

		// The calls before it are made.
		done := max(w.done, min(w.last, int64((uint64(next-w.at)*den+num-1)/num)))
		made := int64(uint64(done-1-first) / uint64(full))
		n := done - first - made*full
		entries := int64(uint64(n-1) / uint64(w.gap))
		w.done, w.made = done, made
		kept, gone := w.kept, w.gone
		grown := size * Bytes(n)
		log := w.closed.log + w.unit.log*Bytes(made-kept) + grown
		index := w.indexes + w.unit.index*Bytes(made-kept)
		apparent := w.apparent + w.unit.apparent*Bytes(made-gone) + max(grown, w.prealloc)
		allocated := w.allocated + w.unit.allocated*Bytes(made-gone) + blocks(grown) + blocks(indexSlot*Bytes(entries)) +
			blocks(timeSlot*Bytes(entries-w.lacking))
		if log > w.high.log || apparent > w.high.apparent || allocated > w.high.allocated ||
			made-kept > w.mostSegments || made-gone > w.mostFiles {
			w.most(r, log, apparent, allocated)
			continue
		}
		if next == end {
			break
		}
		if next == b.To {
			acted = true
			w.grew(r, b, log, index, apparent, allocated)
			r.open(next)
			b = &t.envelope[len(t.envelope)-1]
			if r.cancelled {
				break
			}
			continue
		}

		if next == task {
			// A check: it deletes by size, then by time.
			excess := log - w.sizeLimit
			if excess >= w.oddSize || next+w.shift > w.oddNewest {
				w.grew(r, b, log, index, apparent, allocated)
				break
			}
			bySize := int64(uint64(max(excess, 0)) / uint64(w.unit.log))
			expired := int64((uint64(max(next+w.shift-w.stamped, 0))*den + num - 1) / num) // calls with older timestamps
			keep := min(max(kept+bySize, int64(uint64(max(expired-first, 0))/uint64(full))), w.ceiling)
			if keep > kept && !w.mayDelete(keep, next) {
				w.grew(r, b, log, index, apparent, allocated)
				break
			}
			q := &w.groups
			last := len(q.items)
			if last == cap(q.items) || w.dropped < keep {
				w.grew(r, b, log, index, apparent, allocated)
				w.drop(keep)
				continue
			}
			if keep > kept {
				front := w.begins(keep)
				if next-w.front > w.eldest || next-w.front < w.earliest || next-front < ages.Readable.Low {
					w.age(r, next, front)
					continue
				}
				q.items = q.items[:last+1]
				q.items[last-1] = group{next + w.delay, keep, front}
				q.items[last] = group{due: Never}
				waiting = min(waiting, next+w.delay)
				w.tally.note(bySize, keep-kept)
				w.front, w.newest = front, w.call(first+(keep+1)*full-1)+w.run.clock
				kept, w.kept = keep, keep
			}
			acted = true
			w.now, s.log.armed = next, next
			at, armed = next+period, next
			tasks.retention.order = tasks.scheduled
			tasks.scheduled++
			// Checks are passed over as skipRetention does when they come next.
			quiet := max(min(w.newest-w.shift+1, w.ahead), at)
			task = at + Millis(uint64(quiet-at+period-1)/uint64(period)*uint64(period))

			// The log and its indexes are at their least now.
			awaiting := w.wait.apparent + w.unit.apparent*Bytes(kept-gone)
			if waiting <= next {
				awaiting = 0 // what is removed at once is not seen
			}
			b.Log.High = max(b.Log.High, log)
			b.Indexes.High = max(b.Indexes.High, index)
			log = w.closed.log + w.unit.log*Bytes(made-kept) + grown
			b.Log.Low = min(b.Log.Low, log)
			b.Indexes.Low = min(b.Indexes.Low, w.indexes+w.unit.index*Bytes(made-kept))
			b.Awaiting.High = max(b.Awaiting.High, awaiting)
			if log < w.low.log {
				w.least(r, log, apparent, allocated)
			}
			continue
		}

		// Files are removed, and what is on disk is at its least.
		g := w.groups.at(0)
		if w.removed < g.upTo {
			w.grew(r, b, log, index, apparent, allocated)
			w.remove(g.upTo)
			continue
		}
		if next-w.onDisk > w.longest || next-w.onDisk < w.shortest || next-g.front < ages.OnDisk.Low {
			w.ageOnDisk(r, next, g.front)
			continue
		}
		acted = true
		if at <= next {
			at, armed = task, task-period // the check was passed over
		}
		w.now, s.log.armed = next, armed
		b.Apparent.High = max(b.Apparent.High, apparent)
		b.Allocated.High = max(b.Allocated.High, allocated)
		apparent -= w.unit.apparent * Bytes(g.upTo-gone)
		allocated -= w.unit.allocated * Bytes(g.upTo-gone)
		w.gone, w.onDisk = g.upTo, g.front
		awaiting := w.wait.apparent + w.unit.apparent*Bytes(kept-g.upTo)
		w.groups.head++
		waiting = w.groups.at(0).due
		b.Awaiting.Low = min(b.Awaiting.Low, awaiting)
		b.Awaiting.High = max(b.Awaiting.High, awaiting)
		b.Apparent.Low = min(b.Apparent.Low, apparent)
		b.Allocated.Low = min(b.Allocated.Low, allocated)
		if apparent < w.low.apparent || allocated < w.low.allocated {
			w.least(r, log, apparent, allocated)
		}
	}
	if !acted && w.done == w.was.done {
		return false
	}
	tasks.retention.at, tasks.retention.armed = at, armed
	w.leave(r)
	return true
}

package calc

// Latest is the latest checkpoint for which a condition holds, as a simulation that goes on from there. The condition must
// hold at the start, and once it does not hold it must not hold again.
func (t *Timeline) Latest(holds func(*Simulation) bool) *Simulation {
	best := t.checkpoints[0]
	for _, c := range t.checkpoints[1:] {
		if !holds(c) {
			break
		}
		best = c
	}
	return best.Clone()
}

// Checkpoint is the time of the latest checkpoint that is not after a time.
func (t *Timeline) Checkpoint(at Millis) (from Millis) {
	for _, c := range t.checkpoints {
		if c.Now() <= at {
			from = c.Now()
		}
	}
	return from
}

// Anchor makes a checkpoint of the state at a time, so that looking there and a little later costs nothing, unless one is near
// already, within so many events, taken to come evenly; or unless all checkpoints together would have too many segments. yield,
// which is called now and then and may be nil, ends it by returning false.
func (t *Timeline) Anchor(at Millis, events int64, yield func() bool) bool {
	from := t.Checkpoint(at)
	if mulDivUp(t.counts.Events, int64(at-from), int64(max(t.plan.Until, 1))) <= events {
		return true
	}
	sim := t.from(at)
	if t.PlayOn(sim, from, at, yield) < at {
		return false
	}
	size, i := sim.kept(), 0
	for _, c := range t.checkpoints {
		size += c.kept()
		if c.Now() <= sim.Now() {
			i++
		}
	}
	if size > maxAnchorSegments {
		return true
	}
	t.checkpoints = append(t.checkpoints, nil)
	copy(t.checkpoints[i+1:], t.checkpoints[i:])
	t.checkpoints[i] = sim
	return true
}

// End is the state at the plan's end. It must not be stepped.
func (t *Timeline) End() *Simulation { return t.end }

// AppendedAt is when the record with an offset was appended, and the log just after everything of that millisecond. It is
// looked for from a simulation on, which stays as it is, up to a time. ok is false when it is not appended by then, when it
// is in the log already, or when yield, which is called now and then and may be nil, returns false.
func AppendedAt(s *Simulation, o Offset, until Millis, yield func() bool) (at Millis, after *Simulation, ok bool) {
	if o < s.log.logEnd {
		return Never, nil, false
	}
	low, high := Never, Never // it is appended in (low, high]
	scout := s.Clone()
	for steps := 1; high == Never; steps++ {
		next, more := scout.Next()
		if !more || next > until || steps%64 == 0 && yield != nil && !yield() {
			return Never, nil, false
		}
		if scout.StepBefore(add(until, 1), true); scout.log.logEnd > o {
			low, high = next-1, scout.Now()
		}
	}
	before := s.Played(low)
	for low+1 < high {
		middle := low + (high-low)/2
		if played := before.Played(middle); played.log.logEnd > o {
			high = middle
		} else {
			low, before = middle, played
		}
	}
	return high, before.Played(high), true
}

// Played is a clone just after everything of a millisecond happened.
func (s *Simulation) Played(at Millis) *Simulation {
	c := s.Clone()
	for {
		next, ok := c.Next()
		if !ok || next > at {
			return c
		}
		c.StepBefore(add(at, 1), false)
	}
}

// CheckAt is the offset at which the local log would begin after a retention check at a time, which is not before that of
// the simulation, if nothing else happened until then. The simulation stays as it is.
func (s *Simulation) CheckAt(at Millis) (start Offset) {
	if s.log.gone || s.log.segments.len() == 0 {
		return s.log.localStart
	}
	l := s.log.clone()
	l.now = max(l.now, at)
	l.retain()
	return l.segments.at(0).base
}

// Configure changes the log's settings at a time before anything else happens, as a [Configure] step of the plan would.
// Steps of the plan that follow change them again as they were written, without this change.
func (s *Simulation) Configure(at Millis, c LogConfig) {
	s.log.now = max(s.log.now, at)
	s.configure(c)
	s.known = false
	// Checks that had nothing to do were passed over; now they may have.
	t := &s.tasks.retention
	if n := (t.at - max(s.log.now+1, s.tasks.began)) / t.period; n > 0 && t.at != Never {
		t.at -= n * t.period
		t.armed = t.at - t.period
	}
}

package report

import (
	"github.com/partsize/partsize/calc"
)

// Record is what becomes of a record. A time that does not come within the scenario is [calc.Never].
type Record struct {
	Offset     calc.Offset
	Appended   calc.Millis
	Base       calc.Offset // of its segment
	Closed     calc.Millis // when the segment is closed
	ClosedBy   calc.Reason
	Past       calc.Millis // from when on a retention check deletes the segment
	Deleted    Phased      // when one does
	DeletedBy  calc.Reason
	Unreadable Phased     // the first instant at which consumers cannot read it
	Back       Phased     // when the files of the segment are gone
	Freed      calc.Bytes // what the disk then has more, with all that goes at the same instant
}

// Phased is an instant as it is simulated, and the earliest and the latest that it can be when the retention checks come at
// other times: nobody knows when a broker that runs for long checks, only how often. Bounds is false where that changes more
// than this instant; then there is no earliest and no latest.
type Phased struct {
	At          calc.Millis
	Early, Late calc.Millis
	Bounds      bool
}

// fixed is an instant that does not depend on checks.
func fixed(at calc.Millis) Phased { return Phased{at, at, at, true} }

// until cuts it off at an instant at which the same happens anyhow.
func (p Phased) until(at calc.Millis) Phased {
	return Phased{min(p.At, at), min(p.Early, at), min(p.Late, at), p.Bounds}
}

// later adds a time to it.
func (p Phased) later(by calc.Millis) Phased {
	return Phased{later(p.At, by), later(p.Early, by), later(p.Late, by), p.Bounds}
}

// later adds two times ≥ 0; what is too late to be told is Never.
func later(a, b calc.Millis) calc.Millis {
	if a >= calc.Never-b {
		return calc.Never
	}
	return a + b
}

// RecordOf finds what becomes of the record with an offset. ok is false when it is not written within the scenario, or when
// yield, which is called now and then and may be nil, returns false.
func RecordOf(a *calc.Answer, look *Look, o calc.Offset, yield func() bool) (r Record, ok bool) {
	t := a.Timeline
	at, sim, ok := calc.AppendedAt(look.latest(func(s *calc.Simulation) bool { return end(s) <= o }), o, t.Until(), yield)
	if !ok {
		return r, false
	}
	r = Record{Offset: o, Appended: at, Closed: calc.Never, Past: calc.Never, Deleted: fixed(calc.Never)}
	found := false
	for _, l := range sim.Lives() {
		if !l.Deleted && l.Base <= o {
			r.Base, found = l.Base, true
			if r.Closed = calc.Never; !l.Active {
				r.Closed = at
			}
		}
	}
	if !found {
		return r, false // the log of a topic that is gone
	}
	p := newPursuit(a, look, &r, yield)
	ok = p.close(sim) && p.delete(sim) && p.bound()
	return r, ok
}

// end is the log end offset.
func end(s *calc.Simulation) calc.Offset {
	_, _, end, _ := s.Offsets()
	return end
}

// pursuit follows a record.
type pursuit struct {
	a     *calc.Answer
	look  *Look
	yield func() bool
	until calc.Millis
	topic calc.Millis // when the topic is deleted
	r     *Record
	start calc.Millis // when the log start offset passes the record
	gone  calc.Millis // when the files are gone
	dir   bool        // with the topic's directory
	delay calc.Millis // file.delete.delay.ms when the segment was deleted
}

func newPursuit(a *calc.Answer, look *Look, r *Record, yield func() bool) *pursuit {
	p := &pursuit{a: a, look: look, yield: yield, until: a.Timeline.Until(), topic: calc.Never, r: r, delay: a.Scenario.Log().FileDeleteDelayMs}
	if gone, is := a.Scenario.TopicDeleted(); is {
		p.topic = gone
	}
	return p
}

// each plays on and shows what happens, until it is told to stop. It returns false when yield does.
func (p *pursuit) each(sim *calc.Simulation, happens func(before calc.Usage, events []calc.Event) (more bool)) bool {
	for steps := 1; ; steps++ {
		next, ok := sim.Next()
		if !ok || next > p.until {
			return true
		}
		if steps%64 == 0 && p.yield != nil && !p.yield() {
			return false
		}
		before := sim.Usage()
		if !happens(before, sim.StepBefore(p.until+1, true)) {
			return true
		}
	}
}

// close finds when the segment is closed.
func (p *pursuit) close(sim *calc.Simulation) bool {
	r := p.r
	if r.Closed != calc.Never {
		return true
	}
	return p.each(sim.Clone(), func(_ calc.Usage, events []calc.Event) bool {
		for _, e := range events {
			switch e.Kind {
			case calc.Roll, calc.Replace:
				if e.Base > r.Offset {
					r.Closed, r.ClosedBy = e.At, e.Reason
					return false
				}
			case calc.TopicGone:
				return false
			}
		}
		return true
	})
}

// delete finds when the record cannot be read any more, when its segment is deleted, and when its files are gone.
func (p *pursuit) delete(sim *calc.Simulation) bool {
	r := p.r
	p.start, p.gone = calc.Never, calc.Never
	there := func(s *calc.Simulation) bool {
		start, local, end, _ := s.Offsets()
		return s.Now() < p.topic && end > r.Offset && start <= r.Offset && local <= r.Offset
	}
	near := sim.Clone()
	if s := p.look.latest(func(s *calc.Simulation) bool { return s.Now() <= sim.Now() || there(s) }); s.Now() > sim.Now() {
		near = s
	}
	return p.each(near, func(before calc.Usage, events []calc.Event) bool {
		for _, e := range events {
			switch {
			case e.Kind == calc.Delete && e.Base == r.Base && r.Deleted.At == calc.Never:
				r.Deleted, r.DeletedBy = fixed(e.At), e.Reason
				p.delay = near.Config().FileDeleteDelayMs
			case e.Kind == calc.Remove && e.Base == r.Base && r.Deleted.At != calc.Never && p.gone == calc.Never, e.Kind == calc.DirGone:
				p.gone = min(p.gone, e.At)
				if p.dir = e.Kind == calc.DirGone; p.dir {
					r.Freed = before.Allocated
				} else {
					r.Freed = max(before.AwaitingAllocated-near.Usage().AwaitingAllocated, 0)
				}
			}
		}
		if start, _, _, _ := near.Offsets(); start > r.Offset {
			p.start = min(p.start, near.Now())
		}
		return p.gone == calc.Never || p.start == calc.Never && p.topic == calc.Never
	})
}

// bound finds since when a check deletes the segment, and with it the earliest and the latest over the phase of the checks.
func (p *pursuit) bound() bool {
	r := p.r
	every := p.a.Scenario.Broker().RetentionCheckInterval
	if p.a.Scenario.Log().RemoteStorage || p.a.Timeline.Counts().RollsBy.Of(calc.ByRetention) > 0 {
		// Copies come before deletions, and a check that closes segments cuts them elsewhere when it comes at another time.
		r.Deleted.Bounds = false
	} else if last := min(r.Deleted.At, p.topic, p.until); r.Closed < last {
		past, ok := p.past(max(r.Closed, r.Appended)+1, last, every)
		if !ok {
			return false
		}
		if r.Past = past; past != calc.Never {
			r.Deleted.Early, r.Deleted.Late = past, p.latest(past, every)
			r.Deleted.Bounds = p.steady(past, r.Deleted.Late)
		}
	}
	r.Back = r.Deleted.later(p.delay)
	r.Back.At = p.gone
	if p.gone < later(r.Deleted.At, p.delay) && !p.dir {
		r.Back.Bounds = false // removed by a start, or with files of the same names
	}
	if r.Back.Bounds = r.Back.Bounds && p.quiet(r.Deleted.Early, r.Back.Late); p.dir {
		r.Back = r.Back.until(p.gone)
	}
	r.Unreadable = r.Deleted
	if p.a.Scenario.Log().RemoteStorage {
		r.Unreadable = Phased{calc.Never, calc.Never, calc.Never, false}
	}
	if p.start < r.Unreadable.At {
		r.Unreadable = r.Unreadable.until(p.start) // by delete-records, or in the remote store
	}
	r.Unreadable = r.Unreadable.until(p.topic)
	return true
}

// latest is when the check comes at the latest that deletes a segment which is past retention since a time. After a restart
// checks begin anew.
func (p *pursuit) latest(past, every calc.Millis) calc.Millis {
	late := later(past, every-1)
	for _, step := range p.a.Scenario.Steps() {
		if restart, ok := step.Do.(calc.Restart); ok && step.At <= late {
			if up := later(step.At, restart.Down); up > past {
				late = max(late, later(up, every-1))
			}
		}
	}
	if at := p.r.Deleted.At; at != calc.Never {
		late = max(late, at)
	}
	return late
}

// state is the log just before a time.
func (p *pursuit) state(at calc.Millis) *calc.Simulation {
	return p.look.latest(func(s *calc.Simulation) bool { return s.Now() < at }).Played(at - 1)
}

// goes reports whether a check at a time deletes the segment, given the log just before it.
func (p *pursuit) goes(s *calc.Simulation, at calc.Millis) bool { return s.CheckAt(at) > p.r.Base }

// past is the first time in [first, last] at which a check deletes the segment, given that once it does it always does; Never
// when there is none. It looks at the times just before last first, as many as lie between two checks.
func (p *pursuit) past(first, last, every calc.Millis) (at calc.Millis, ok bool) {
	if first > last || !p.goes(p.state(last), last) {
		return calc.Never, true
	}
	back := every
	low := max(first, last-min(back, last))
	s := p.state(low)
	for p.goes(s, low) {
		if low == first {
			return first, true
		}
		last, back = low, later(back, back)
		low = max(first, last-min(back, last))
		if s = p.state(low); p.yield != nil && !p.yield() {
			return calc.Never, false
		}
	}
	for low+1 < last {
		if p.yield != nil && !p.yield() {
			return calc.Never, false
		}
		middle := low + (last-low)/2
		if m := s.Played(middle - 1); p.goes(m, middle) {
			last = middle
		} else {
			low, s = middle, m
		}
	}
	return last, true
}

// changes are the instants at which the scenario changes what a check does; more is set where it can only do more from then
// on.
func (p *pursuit) changes(yes func(at calc.Millis, more bool) bool) bool {
	for _, step := range p.a.Scenario.Steps() {
		switch do := step.Do.(type) {
		case calc.Append, calc.CopyEvery, calc.CopiedTo:
		case calc.Restart:
			if !yes(step.At, false) || !yes(later(step.At, do.Down), false) {
				return false
			}
		case calc.DeleteRecords, calc.DeleteTopic:
			if !yes(step.At, true) {
				return false
			}
		default:
			if !yes(step.At, false) {
				return false
			}
		}
	}
	return true
}

// steady reports that what a scenario changes does not matter: no check before past would have deleted the segment, and all
// from then on do.
func (p *pursuit) steady(past, late calc.Millis) bool {
	return p.changes(func(at calc.Millis, more bool) bool {
		switch {
		case at <= p.r.Closed || at > min(late, p.until):
			return true
		case at <= past:
			return !p.goes(p.state(at), at)
		}
		return more || at < p.r.Deleted.At && p.goes(p.state(at+1), at+1)
	})
}

// quiet reports that a scenario changes nothing in a time.
func (p *pursuit) quiet(from, to calc.Millis) bool {
	return p.changes(func(at calc.Millis, _ bool) bool { return at < from || at > to })
}

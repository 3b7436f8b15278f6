package report

import (
	"github.com/partsize/partsize/calc"
)

// Stay is why a segment is still on disk at an instant, and when it goes.
type Stay struct {
	Choices []Choice // the segments that one may ask about
	Base    calc.Offset
	Answer  Words // in a sentence
	Steps   []StayStep
}

// Choice is a segment to ask about.
type Choice struct {
	Base  calc.Offset
	Label string
}

// StayStep is something that keeps the segment, or that happens to it.
type StayStep struct {
	Now   bool
	Words Words
	Key   string // the setting that decides
}

// asked is how many of the oldest segments can be asked about.
const asked = 6

// StayOf explains the segment with a base offset at an instant, or the oldest one of the log if it is not there. ok is
// false when there is no segment.
func StayOf(a *calc.Answer, look *Look, at calc.Millis, base calc.Offset) (s Stay, ok bool) {
	t := a.Timeline
	at = max(0, min(at, t.Until()))
	sim := look.At(at).Clone()
	lives := sim.Lives()
	if len(lives) == 0 {
		return s, false
	}
	it := s.choose(lives, base)
	s.Base = it.Base
	u := sim.Usage()
	fate := fateOf(sim, it, t.Until())
	past := pastOf(a, at, it, fate)
	s.explain(a, at, it, u, past, sim.Config())
	s.foresee(a, at, it, fate, past)
	return s, true
}

// choose lists what one may ask about, and finds what was asked.
func (s *Stay) choose(lives []calc.Life, base calc.Offset) (it calc.Life) {
	listed, waiting, found := 0, 0, false
	for _, l := range lives {
		if l.Deleted {
			if waiting++; waiting > asked && l.Base != base {
				continue
			}
		}
		label := "closed"
		switch {
		case l.Deleted:
			label = "deleted, files wait"
		case l.Active:
			label = "active"
		case listed == 0:
			label = "closed, the oldest"
		}
		if !l.Deleted && !l.Active && listed >= asked && l.Base != base {
			continue
		}
		if !l.Deleted {
			if listed == 0 && !found {
				it = l
			}
			listed++
		}
		if l.Base == base && (!found || !l.Deleted) {
			it, found = l, true
		}
		s.Choices = append(s.Choices, Choice{l.Base, Number(int64(l.Base)) + ", " + label})
	}
	return it
}

// fate is what becomes of a segment; a time that does not come is Never.
type fate struct {
	closes, goes, leaves calc.Millis
	rollBy, goesBy       calc.Reason
	freed                calc.Bytes
}

// fateOf plays on until the segment's files are gone.
func fateOf(sim *calc.Simulation, it calc.Life, until calc.Millis) (f fate) {
	f = fate{closes: calc.Never, goes: calc.Never, leaves: calc.Never}
	if it.Deleted {
		f.goes = it.Gone
	}
	for range 3 * maxSteps {
		next, ok := sim.Next()
		if !ok || next > until {
			return f
		}
		before := sim.Usage()
		for _, e := range sim.StepBefore(until+1, true) {
			switch {
			case e.Kind == calc.Roll && f.closes == calc.Never && it.Active:
				f.closes, f.rollBy = e.At, e.Reason
			case e.Kind == calc.Delete && e.Base == it.Base && f.goes == calc.Never:
				f.goes, f.goesBy = e.At, e.Reason
			case (e.Kind == calc.Remove || e.Kind == calc.DirGone) && (e.Base == it.Base || e.Base < 0) && (f.goes != calc.Never || e.Kind == calc.DirGone):
				f.leaves = e.At
				f.freed = max(before.AwaitingAllocated-sim.Usage().AwaitingAllocated, 0)
				return f
			}
		}
	}
	return f
}

// pastOf is since when the segment is past retention, or will be; Never if that is not before it is deleted.
func pastOf(a *calc.Answer, at calc.Millis, it calc.Life, f fate) calc.Millis {
	if it.Deleted {
		return at
	}
	end := min(f.goes, a.Timeline.Until())
	lives, ok := livesIn(a, Window{at, end})
	if !ok {
		return calc.Never
	}
	for _, l := range lives {
		if l.base == it.Base && l.past <= end {
			return l.past
		}
	}
	return calc.Never
}

// explain says what keeps the segment now.
func (s *Stay) explain(a *calc.Answer, at calc.Millis, it calc.Life, u calc.Usage, past calc.Millis, c calc.LogConfig) {
	step := StayStep{Now: true}
	w := &step.Words
	switch {
	case it.Deleted:
		w.say("Now: a check deleted it " + Span(at-it.Gone) + " ago. Consumers cannot read it any more; its files stay, named .deleted.")
		step.Key = "file.delete.delay.ms"
	case it.Active && it.First == calc.Never:
		w.say("Now: it is the active segment, and empty. Kafka keeps one.")
	case it.Active:
		w.say("Now: it is the active segment, written since " + Clock(it.First, calc.Second) + ". It goes only once it is closed, or all of it is past retention.")
		step.Key = "segment.bytes"
	case past <= at:
		w.say("Now: it is past retention, since " + Span(at-past) + ". Kafka looks only now and then.")
		step.Key = "log.retention.check.interval.ms"
	default:
		s.kept(w, &step, at, it, u, c)
	}
	s.Steps = append(s.Steps, step)
}

// kept says which retention keeps a closed segment.
func (s *Stay) kept(w *Words, step *StayStep, at calc.Millis, it calc.Life, u calc.Usage, c calc.LogConfig) {
	w.say("Now: ")
	switch {
	case !c.Delete:
		w.say("nothing deletes it, since ")
		w.key("cleanup.policy")
		w.say(" has no delete.")
		step.Key = "cleanup.policy"
		return
	case c.RetentionMs < 0 && c.RetentionBytes < 0:
		w.say("neither ")
		w.key("retention.ms")
		w.say(" nor ")
		w.key("retention.bytes")
		w.say(" is set, so nothing deletes it.")
		return
	}
	if c.RetentionMs >= 0 {
		age := at - it.Newest
		switch {
		case age < 0:
			w.say("its newest record is stamped " + Span(-age) + " ahead of the clock, so it is young until then and " + Span(c.RetentionMs) + " more.")
		default:
			is, limit := Spans(age, c.RetentionMs)
			w.say("its newest record is " + is + " old, within " + limit + ". How old the others are does not count.")
		}
		step.Key = "retention.ms"
	}
	if c.RetentionBytes >= 0 {
		if c.RetentionMs >= 0 {
			w.say(" And without")
		} else {
			w.say("without")
			step.Key = "retention.bytes"
		}
		w.say(" it, and those before it, the log would be under " + SizeText(c.RetentionBytes) + ": it is " + SizeText(u.Log) + ".")
	}
}

// foresee says what happens to the segment, in order.
func (s *Stay) foresee(a *calc.Answer, at calc.Millis, it calc.Life, f fate, past calc.Millis) {
	add := func(when calc.Millis, says, key string) {
		step := StayStep{Key: key}
		step.Words.figure(Clock(when, calc.Second))
		step.Words.say(": " + says)
		s.Steps = append(s.Steps, step)
	}
	name := "Segment " + Number(int64(it.Base))
	if it.Active && f.closes != calc.Never {
		add(f.closes, "it is closed, and the next one begins.", keyOf(f.rollBy))
	}
	if past != calc.Never && past > at {
		add(past, "it is past retention.", keyOf(f.goesBy))
	}
	if !it.Deleted && f.goes != calc.Never {
		says := "the next check deletes it: consumers cannot read it any more, and its files are renamed to .deleted."
		if past != calc.Never && f.goes-past < a.Scenario.Broker().RetentionCheckInterval {
			says += " With checks at other times that would be up to " + Span(a.Scenario.Broker().RetentionCheckInterval) + " after it is past retention."
		}
		add(f.goes, says, "log.retention.check.interval.ms")
	}
	switch {
	case f.leaves != calc.Never:
		says := "its files are removed"
		if f.freed > 0 {
			says += "; with what goes at the same time the disk has " + SizeText(f.freed) + " more"
		}
		add(f.leaves, says+".", "file.delete.delay.ms")
		s.Answer.say(name + " goes in ")
		s.Answer.figure(Span(f.leaves - at))
		s.Answer.say(", at " + Clock(f.leaves, calc.Second) + ".")
	case f.goes != calc.Never:
		s.Answer.say(name + " is deleted by the end of the simulated time, and its files are still there.")
	default:
		s.Answer.say(name + " is still there at the end of the simulated time, " + Span(a.Timeline.Until()) + ".")
	}
}

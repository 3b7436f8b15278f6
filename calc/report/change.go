package report

import (
	"fmt"

	"github.com/partsize/partsize/calc"
)

// Change is what a change of retention at an instant does to what is on disk then: what is freed, when, in which steps.
type Change struct {
	At       calc.Millis
	From, To calc.LogConfig
	Segments int64       // that the first check that deletes something deletes
	Log      calc.Bytes  // their batches
	Freed    calc.Bytes  // what the disk has more when their files are gone, against no change
	Deleted  calc.Millis // when that check comes; Never: not within the scenario
	Back     calc.Millis // when the files of all of them are gone
	AtOnce   bool        // they are past the new retention when it changes; else they grow so old, or the log so large
	Before   calc.Millis // when the first check deletes something without the change
	Phases   Phased      // Back over the phase of the checks
	Answer   Words
	Steps    []ChangeStep
	then     calc.Usage // at Back
}

// ChangeStep is something that happens after a change.
type ChangeStep struct {
	At    calc.Millis
	In    string // after the change
	State State
	What  string
	Key   string // the setting that decides
}

// ChangeOf plays on from an instant with another configuration of the log. ok is false when yield, which is called now and
// then and may be nil, returns false.
func ChangeOf(a *calc.Answer, look *Look, at calc.Millis, to calc.LogConfig, yield func() bool) (c Change, ok bool) {
	at = max(0, min(at, a.Timeline.Until()))
	with, without := look.At(at).Clone(), look.At(at).Clone()
	with.Configure(at, to)
	return changeOf(a, at, with, without, yield)
}

// maxChanges is how many changes of a scenario are told.
const maxChanges = 20

// ChangesOf are the changes of retention that the scenario's own steps make.
func ChangesOf(a *calc.Answer) (all []Change) {
	look := NewLook(a.Timeline)
	from := a.Scenario.Log()
	for _, step := range a.Scenario.Steps() {
		do, ok := step.Do.(calc.Configure)
		if !ok || step.At > a.Timeline.Until() || len(all) == maxChanges {
			continue
		}
		if do.Log.RetentionMs != from.RetentionMs || do.Log.RetentionBytes != from.RetentionBytes {
			with, without := look.At(step.At).Clone(), look.At(step.At).Clone()
			without.Configure(step.At, from)
			c, _ := changeOf(a, step.At, with, without, nil)
			all = append(all, c)
		}
		from = do.Log
	}
	return all
}

// changeOf compares the log with a change and without it.
func changeOf(a *calc.Answer, at calc.Millis, with, without *calc.Simulation, yield func() bool) (c Change, ok bool) {
	c = Change{At: at, From: without.Config(), To: with.Config(), Deleted: calc.Never, Back: calc.Never, Before: calc.Never}
	c.AtOnce = with.CheckAt(at+1) > without.CheckAt(at+1)
	if !c.play(with, a.Timeline.Until(), yield) || !c.compare(without, a.Timeline.Until(), yield) {
		return c, false
	}
	c.phases(a, c.To)
	c.say()
	return c, true
}

// step notes what happens, in short.
func (c *Change) step(at calc.Millis, state State, what, key string) {
	c.Steps = append(c.Steps, ChangeStep{at, Span(at - c.At), state, what, key})
}

// play goes on until the files of the first check that deletes something are gone, and to the check after that.
func (c *Change) play(sim *calc.Simulation, until calc.Millis, yield func() bool) bool {
	left := map[calc.Offset]bool{} // deleted, with files on disk
	rolled := false
	for steps := 1; ; steps++ {
		next, ok := sim.Next()
		if !ok || next > until {
			return true
		}
		if steps%64 == 0 && yield != nil && !yield() {
			return false
		}
		before := sim.Usage()
		events := sim.StepBefore(until+1, true)
		after := sim.Usage()
		deleted, removed := int64(0), int64(0)
		var why calc.Reason
		for _, e := range events {
			switch e.Kind {
			case calc.Roll, calc.Replace:
				if c.Deleted == calc.Never && !c.AtOnce && !rolled {
					rolled = true
					c.step(e.At, Active, "The active segment closes; the next begins at "+Number(int64(e.Base)), keyOf(e.Reason))
				}
			case calc.Delete:
				if deleted++; c.Deleted == calc.Never || c.Deleted == e.At {
					left[e.Base] = true
				}
				why = e.Reason
			case calc.Remove:
				if removed++; left[e.Base] {
					delete(left, e.Base)
				}
			case calc.Stop:
				c.step(e.At, NoState, "The broker stops", "")
			case calc.Start:
				c.step(e.At, NoState, "The broker starts", "")
			case calc.TopicGone:
				c.step(e.At, NoState, "The topic is deleted", "")
				return true
			}
		}
		now := sim.Now()
		switch {
		case deleted > 0 && c.Back != calc.Never:
			c.step(now, Closed, fmt.Sprintf("From then on as ever: the next check that deletes takes %s", count(deleted, "segment")), keyOf(why))
			return true
		case deleted > 0:
			log := max(before.Log-after.Log, 0)
			if c.Deleted == calc.Never {
				c.Deleted, c.Segments, c.Log = now, deleted, log
			}
			c.step(now, Closed, fmt.Sprintf("Check deletes %s, log −%s: consumers cannot read them any more%s", count(deleted, "segment"), SizeText(log), oldest(sim)), keyOf(why))
		}
		if removed > 0 && c.Deleted != calc.Never {
			c.step(now, Deleted, fmt.Sprintf("Files of %s removed, disk −%s", count(removed, "segment"), SizeText(max(before.AwaitingAllocated-after.AwaitingAllocated, 0))), "file.delete.delay.ms")
			if len(left) == 0 && c.Back == calc.Never {
				c.Back, c.then = now, sim.Played(now).Usage()
			}
		}
	}
}

// oldest says from when the oldest record is that is left.
func oldest(sim *calc.Simulation) string {
	for _, l := range sim.Lives() {
		if !l.Deleted && l.First != calc.Never {
			return "; the oldest left is of " + Clock(l.First, calc.Second)
		}
	}
	return ""
}

// compare plays on without the change, to say what the change has freed, and when something would have been deleted.
func (c *Change) compare(without *calc.Simulation, until calc.Millis, yield func() bool) bool {
	var usage calc.Usage
	if c.Back != calc.Never {
		usage = without.Played(c.Back).Usage()
	}
	for steps := 1; c.Before == calc.Never; steps++ {
		next, ok := without.Next()
		if !ok || next > until {
			break
		}
		if steps%64 == 0 && yield != nil && !yield() {
			return false
		}
		for _, e := range without.StepBefore(until+1, true) {
			if e.Kind == calc.Delete && c.Before == calc.Never {
				c.Before = e.At
			}
		}
	}
	if c.Back != calc.Never {
		c.Freed = usage.Allocated - c.then.Allocated
	}
	return true
}

// phases is between which instants the space is back, whatever the phase of the checks: the first check comes within an
// interval of the change.
func (c *Change) phases(a *calc.Answer, to calc.LogConfig) {
	c.Phases = Phased{At: c.Back}
	if !c.AtOnce || c.Back == calc.Never || a.Scenario.Log().RemoteStorage {
		return
	}
	every := a.Scenario.Broker().RetentionCheckInterval
	c.Phases.Early, c.Phases.Late = later(c.At+1, to.FileDeleteDelayMs), later(later(c.At, every), to.FileDeleteDelayMs)
	c.Phases.Bounds = c.Back >= c.Phases.Early && c.Back <= c.Phases.Late // no restart comes between
}

// say sums it up in a sentence or two.
func (c *Change) say() {
	w := &c.Answer
	switch {
	case c.From.RetentionMs == c.To.RetentionMs && c.From.RetentionBytes == c.To.RetentionBytes:
		w.say("This is what holds already.")
	case c.Deleted == calc.Never && c.Before == calc.Never:
		w.say("Nothing is deleted until the end of the simulated time, with the change or without.")
	case c.Deleted == calc.Never:
		w.say("Nothing is deleted any more until the end of the simulated time; without the change the next segment would go at " + Clock(c.Before, calc.Second) + ".")
	case c.AtOnce:
		w.figure(count(c.Segments, "segment") + ", " + SizeText(c.Log) + ",")
		w.say(" can go at once. The check after ")
		w.figure(Span(c.Deleted - c.At))
		w.say(" deletes them")
		c.freed(w)
	case c.Deleted > c.Before:
		w.say("Nothing is freed: the next segment goes at " + Clock(c.Deleted, calc.Second) + " rather than at " + Clock(c.Before, calc.Second) + ".")
	default:
		w.say("Nothing can go at once. The first segments go after ")
		w.figure(Span(c.Deleted - c.At))
		if c.Before != c.Deleted {
			w.say(", at " + Clock(c.Deleted, calc.Second))
			if c.Before != calc.Never {
				w.say(" rather than at " + Clock(c.Before, calc.Second))
			}
		} else {
			w.say(", as without the change")
		}
		c.freed(w)
	}
}

// freed says when the disk has the space back.
func (c *Change) freed(w *Words) {
	if c.Back == calc.Never {
		w.say("; their files are still there at the end of the simulated time.")
		return
	}
	w.say(", and after ")
	w.figure(Span(c.Back - c.At))
	if c.Freed > 0 {
		w.say(" the disk has ")
		w.figure(SizeText(c.Freed))
		w.say(" more than without the change")
	} else {
		w.say(" their files are gone")
	}
	if c.Phases.Bounds {
		early, late := Spans(c.Phases.Early-c.At, c.Phases.Late-c.At)
		w.say("; with checks at other times after " + early + " to " + late)
	}
	w.say(".")
}

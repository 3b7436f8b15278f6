package report

import (
	"slices"

	"github.com/partsize/partsize/calc"
)

// anchorWithin is how many events are played at once wherever a reader looks first: a few milliseconds.
const anchorWithin = 3000

// Anchor lets a timeline keep the states from which what is shown first is played, and what figures open: around the peak and
// the other extremes. A long scenario has few others. yield, which is called now and then and may be nil, ends it by returning
// false.
func Anchor(a *calc.Answer, yield func() bool) bool {
	t := a.Timeline
	peak := t.Peak().Allocated.At
	at := []calc.Millis{peak - cycle(a)}
	for _, f := range [...]Focus{FocusPeak, FocusFirst} {
		if w, ok := WindowFor(a, f); ok {
			at = append(at, w.From)
		}
	}
	if band, ok := t.Band(); ok {
		at = append(at, band.LeastAt, band.MostAt)
	}
	ages, counts := t.Ages(), t.Counts()
	at = append(at, ages.LeastAt, ages.MostAt, counts.SegmentsAt, counts.OpenFilesAt, t.Peak().Apparent.At)
	for _, at := range at {
		if at > 1 && at < t.Until() && !t.Anchor(at-2, anchorWithin, yield) {
			return false
		}
	}
	return true
}

// Look finds the state of a log at any time, faster where it looked nearby before. The zero Look is not usable; see
// [NewLook].
type Look struct {
	t    *calc.Timeline
	kept []*looked // the last used one first

	overview *Plot // of the answer's chart, which is always the same

	steps, span calc.Millis // so many steps take so much time in the middle; no span: not known yet
}

type looked struct {
	at  calc.Millis
	sim *calc.Simulation // never stepped
}

// keptLooks is how many states are kept.
const keptLooks = 6

// NewLook looks at a timeline.
func NewLook(t *calc.Timeline) *Look { return &Look{t: t} }

// At is the state just after everything of a millisecond happened. It is good until the next call, and must not be stepped:
// clone it for both.
func (l *Look) At(at calc.Millis) *calc.Simulation {
	near := l.near(at)
	if near < 0 {
		return l.keep(at, l.t.At(at))
	}
	k := l.kept[near]
	l.kept = append([]*looked{k}, slices.Delete(l.kept, near, near+1)...)
	if k.at == at {
		return k.sim
	}
	if !l.anchored(k) {
		return l.keep(at, k.sim.Played(at))
	}
	// Another state a little before stays for the way back, so this one may go on.
	l.play(k, at, nil)
	return k.sim
}

// near is the kept state from which a time is reached soonest; −1: the timeline's own are nearer.
func (l *Look) near(at calc.Millis) int {
	near := -1
	for i, k := range l.kept {
		if k.at <= at && (near < 0 || k.at > l.kept[near].at) {
			near = i
		}
	}
	if near >= 0 && l.kept[near].at < l.t.Checkpoint(at) {
		return -1
	}
	return near
}

// anchored reports whether another state lies a little before one.
func (l *Look) anchored(k *looked) bool {
	for _, other := range l.kept {
		if other != k && other.at <= k.at && k.at-other.at <= l.t.Until()/100 {
			return true
		}
	}
	return false
}

// play plays on to a time; false when yield, which is called now and then and may be nil, returned false before. The state is
// whole in either case.
func (l *Look) play(k *looked, at calc.Millis, yield func() bool) bool {
	k.at = l.t.PlayOn(k.sim, k.at, at, yield)
	return k.at == at
}

// tooMany reports whether a window has too many events to be played again for a drawing.
func (l *Look) tooMany(w Window) bool { return l.effort(Window{w.From - 1, w.To}) > maxSteps }

// WindowCost is about how many events are to be played to draw a window.
func (l *Look) WindowCost(w Window) int64 {
	if l.tooMany(w) && l.eventsIn(w) > maxFilm {
		return 0 // neither the chart nor the film is played
	}
	return l.Cost(w.From) + l.effort(w)
}

// Cost is about how many events are to be played to look at a time.
func (l *Look) Cost(at calc.Millis) int64 {
	from := l.t.Checkpoint(at)
	if near := l.near(at); near >= 0 {
		from = l.kept[near].at
	}
	return l.effort(Window{from, at})
}

// probed is how many steps are played to know how many there are.
const probed = 128

// effort is about how many events a time has, or as many as take as long to play: an event takes two steps where all goes
// evenly, but where checks find nothing to delete, a step each, there may be hundreds between two events.
func (l *Look) effort(w Window) int64 {
	events := l.eventsIn(w)
	if events > maxSteps {
		return events
	}
	if l.span == 0 {
		l.probe()
	}
	return max(events, int64(float64(w.To-w.From)/float64(l.span)*float64(l.steps)/2))
}

// probe plays some steps in the middle of the time.
func (l *Look) probe() {
	from := l.t.Checkpoint(l.t.Until() / 2)
	sim := l.t.At(from).Clone()
	for l.steps < probed {
		if _, more := sim.Next(); !more {
			break
		}
		sim.StepBefore(l.t.Until()+1, false)
		l.steps++
	}
	l.span = max(sim.Now()-from, 1)
	if l.span < 100 || l.steps < probed { // too little to tell by
		l.steps, l.span = 0, 1
	}
}

// eventsIn is about how many events a time has, if they come evenly.
func (l *Look) eventsIn(w Window) int64 {
	return int64(float64(l.t.Counts().Events) * float64(w.To-w.From) / float64(max(l.t.Until(), 1)))
}

// Approach plays to a time, so that looking at it costs nothing; false when yield returned false before. What was played
// by then is kept.
func (l *Look) Approach(at calc.Millis, yield func() bool) bool {
	k := &looked{}
	if l.Cost(at) == 0 {
		l.At(at)
		return true
	}
	if near := l.near(at); near >= 0 {
		k.at, k.sim = l.kept[near].at, l.kept[near].sim.Clone()
	} else {
		k.at = max(l.t.Checkpoint(at)-1, 0)
		k.sim = l.t.Latest(func(s *calc.Simulation) bool { return s.Now() <= at })
	}
	done := l.play(k, at, yield)
	l.keep(k.at, k.sim)
	return done
}

func (l *Look) keep(at calc.Millis, sim *calc.Simulation) *calc.Simulation {
	l.kept = append([]*looked{{at, sim}}, l.kept[:min(len(l.kept), keptLooks-1)]...)
	return sim
}

// latest is the latest state that is at hand for which a condition holds, to be stepped. The condition must hold at the
// start, and once it does not hold it must not hold again.
func (l *Look) latest(holds func(*calc.Simulation) bool) *calc.Simulation {
	best := l.t.Latest(holds)
	for _, k := range l.kept {
		if k.sim.Now() > best.Now() && holds(k.sim) {
			best = k.sim
		}
	}
	return best.Clone()
}

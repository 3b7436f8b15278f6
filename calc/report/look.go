package report

import (
	"slices"

	"github.com/partsize/partsize/calc"
)

// Look finds the state of a log at any time, faster where it looked nearby before. The zero Look is not usable; see
// [NewLook].
type Look struct {
	t    *calc.Timeline
	kept []*looked // the last used one first
}

type looked struct {
	at  calc.Millis
	sim *calc.Simulation // never stepped
}

// keptLooks is how many states are kept.
const keptLooks = 6

// NewLook looks at a timeline.
func NewLook(t *calc.Timeline) *Look { return &Look{t: t} }

// At is the state just after everything of a millisecond happened. It must not be stepped: clone it for that.
func (l *Look) At(at calc.Millis) *calc.Simulation {
	near := -1
	for i, k := range l.kept {
		if k.at <= at && (near < 0 || k.at > l.kept[near].at) {
			near = i
		}
	}
	// The timeline's own checkpoints lie about a thirtieth of the time apart.
	if near < 0 || at-l.kept[near].at > l.t.Until()/32 {
		return l.keep(at, l.t.At(at))
	}
	k := l.kept[near]
	l.kept = append([]*looked{k}, slices.Delete(l.kept, near, near+1)...)
	if k.at == at {
		return k.sim
	}
	sim := k.sim.Clone()
	for {
		next, ok := sim.Next()
		if !ok || next > at {
			return l.keep(at, sim)
		}
		sim.StepBefore(at+1, false)
	}
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

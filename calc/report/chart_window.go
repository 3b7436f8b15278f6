package report

import (
	"github.com/partsize/partsize/calc"
)

// Window is the part of the time that is drawn large, both ends included.
type Window struct{ From, To calc.Millis }

// percent is where a time is, in percent of the width.
func (w Window) percent(at calc.Millis) float64 {
	if w.To <= w.From {
		return 0
	}
	return float64(at-w.From) / float64(w.To-w.From) * 100
}

// Focus is what a window is chosen to show.
type Focus uint8

// The focuses.
const (
	FocusPeak  Focus = iota // around the peak
	FocusFirst              // the first deletion
	FocusAll                // everything
	FocusOwn                // what the reader chose
)

// WindowFor is the window for a focus; ok is false where there is nothing to show, as without a deletion.
func WindowFor(a *calc.Answer, f Focus) (w Window, ok bool) {
	until := a.Timeline.Until()
	counts := a.Timeline.Counts()
	switch f {
	case FocusAll:
		return Window{0, until}, true
	case FocusFirst:
		if counts.FirstDeletion == calc.Never {
			return Window{0, until}, false
		}
		return around(counts.FirstDeletion, cycle(a), until), true
	}
	if counts.Deletions == 0 {
		return Window{0, until}, true // it only grows
	}
	return around(a.Timeline.Peak().Allocated.At, cycle(a), until), true
}

// cycle is a time in which a few segments come and a few go.
func cycle(a *calc.Answer) calc.Millis {
	until := a.Timeline.Until()
	counts := a.Timeline.Counts()
	span := until
	if counts.Rolls > 0 {
		span = 6 * until / calc.Millis(counts.Rolls)
	}
	if n := counts.Deletions; n > 0 {
		between := (until - counts.FirstDeletion) / calc.Millis(n)
		span = max(span, 5*between, 4*a.Scenario.Broker().RetentionCheckInterval, 5*a.Scenario.Log().FileDeleteDelayMs)
	}
	// Whole steps of the axis.
	step := timeStep(span, 4)
	return max(min((span+step-1)/step*step, until), 1)
}

// around is a window of a length about a time, two fifths before it, that begins on a step of the axis.
func around(at, span, until calc.Millis) Window {
	if span >= until {
		return Window{0, until}
	}
	step := timeStep(span, 4)
	from := (at - span*2/5) / step * step
	from = max(0, min(from, until-span))
	return Window{from, from + span}
}

// Zoom is the window made so many times as long about a time that keeps its place, within the scenario and at least a
// second long.
func (w Window) Zoom(at calc.Millis, times float64, until calc.Millis) Window {
	span := calc.Millis(float64(w.To-w.From) * times)
	span = max(min(span, until), min(calc.Second, until), 1)
	share := 0.5
	if w.To > w.From {
		share = min(max(float64(at-w.From)/float64(w.To-w.From), 0), 1)
	}
	from := at - calc.Millis(share*float64(span))
	return Window{from, from + span}.within(until)
}

// Move is the window moved by a part of its length.
func (w Window) Move(parts float64, until calc.Millis) Window {
	by := calc.Millis(parts * float64(w.To-w.From))
	return Window{w.From + by, w.To + by}.within(until)
}

// within moves and cuts the window so that it lies in the scenario.
func (w Window) within(until calc.Millis) Window {
	span := min(w.To-w.From, until)
	from := max(0, min(w.From, until-span))
	return Window{from, from + span}
}

// Middle is the time in the middle of the window.
func (w Window) Middle() calc.Millis { return w.From + (w.To-w.From)/2 }

// Around is the window moved so that a time is in its middle.
func (w Window) Around(at, until calc.Millis) Window {
	half := (w.To - w.From) / 2
	return Window{at - half, at - half + (w.To - w.From)}.within(until)
}

// At is the time at a part of the width, from 0 to 1.
func (w Window) At(part float64) calc.Millis {
	part = max(0, min(part, 1))
	return w.From + calc.Millis(part*float64(w.To-w.From)+0.5)
}

// Step is a fine step for a slider over the window: about a thousandth of it, a whole number.
func (w Window) Step() calc.Millis { return max(timeStep(w.To-w.From, 2000), 1) }

package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// runway is what is known of the disk with twice the traffic.
type runway struct {
	answer *calc.Timeline // that it is for
	busy   *calc.Timeline // that it is being worked out for
	says   report.Words
}

// runTwice works out when the disk is full with twice the traffic, of a scenario that has a disk.
func (r *Root) runTwice(ctx app.Context) {
	s, t := r.state, r.state.answer.Timeline
	if !r.client || s.answer.Disk == nil || s.place.view().name != "" || s.runway.answer == t || s.runway.busy == t {
		return
	}
	s.runway.busy = t
	in := s.shown
	ctx.Async(func() {
		says := report.WithTwice(in, r.beside(func() bool { return s.answer.Timeline == t }))
		ctx.Dispatch(func(app.Context) {
			if s.runway.busy == t {
				s.runway = runway{answer: t, says: says}
				s.views.answer = nil
			}
		})
	})
}

// beside simulates beside the page, as long as the result is wanted.
func (r *Root) beside(wanted func() bool) func(calc.Scenario) (calc.Answer, bool) {
	return func(scenario calc.Scenario) (calc.Answer, bool) {
		a, ok := r.helper.play(scenario, true, nil, wanted)
		newPause().now(nil)
		return a, ok
	}
}

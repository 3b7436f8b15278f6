package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// thought is what takes a while to find out about the moment: why something is still on disk, and what a change of retention
// would free. It is found out beside the page, in slices; what was shown before stays until it is there.
type thought struct {
	stay   *stayView
	change *changeView
}

// about is what a thought is about.
type about struct {
	answer         *calc.Timeline
	at             calc.Millis
	asked          calc.Offset
	record, change string
}

func (s *state) about() about {
	return about{s.answer.Timeline, s.at, s.asked, s.place.of(recordKey), s.place.of(changeKey)}
}

// quickEvents is up to how many events a scenario's thoughts are thought at once.
const quickEvents = 20_000

// thought is what is known about the moment.
func (r *Root) thought() *thought {
	s := r.state
	d := &s.views.details
	switch {
	case d.thought != nil:
	case !r.client || s.answer.Timeline.Counts().Events <= quickEvents:
		d.thought, _ = s.think(nil)
	default:
		r.thinkAside()
		if s.thinks == nil {
			return &thought{&stayView{Wait: true}, &changeView{}}
		}
		return s.thinks
	}
	s.thinks = d.thought
	return d.thought
}

// thinkAside finds it out beside the page.
func (r *Root) thinkAside() {
	s := r.state
	if s.thinking || !r.here {
		return // a link to much is drawn before the page is there; it is drawn again then
	}
	s.thinking = true
	what := s.about()
	r.aside(func() bool { return s.about() == what && !s.moving }, func(yield func() bool) func() {
		t, ok := s.think(yield)
		return func() {
			s.thinking = false
			if ok && s.about() == what {
				s.views.details.thought, s.thinks = t, t
			}
		}
	})
}

// aside does work beside the page, in slices: it calls yield often, which lets others go first from time to time, and
// returns false once the work is not wanted any more. What work returns is done when it is over.
func (r *Root) aside(wanted func() bool, work func(yield func() bool) (done func())) {
	ctx := r.ctx
	ctx.Async(func() {
		wait := newPause()
		done := work(func() bool {
			wait.now(nil)
			return wanted()
		})
		ctx.Dispatch(func(app.Context) { done() })
	})
}

// think finds out what is known about the moment.
func (s *state) think(yield func() bool) (t *thought, ok bool) {
	t = &thought{&stayView{Asked: s.place.of(recordKey)}, nil}
	record := calc.Offset(-1)
	if t.stay.Asked != "" {
		record, t.stay.Problem = report.Asked(&s.answer, s.looks, s.at, t.stay.Asked)
	}
	if v, ok := report.StayOf(&s.answer, s.looks, s.at, s.asked, record, yield); ok {
		t.stay.Stay = &v
	} else if yield != nil && !yield() {
		return t, false
	}
	t.change, ok = s.changed(yield)
	return t, ok
}

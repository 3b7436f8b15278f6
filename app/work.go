package app

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// slice is how long a long simulation holds the page before it lets others go first.
const slice = 12 * time.Millisecond

// proceed starts the long simulation that the session waits for, if there is one. It runs beside the page in slices, and
// ends early when another scenario takes its place.
func (r *Root) proceed(ctx app.Context) {
	w := r.session.work
	if w == nil || w.started || !r.client {
		return
	}
	w.started = true
	ctx.Async(func() {
		begun, told := time.Now(), time.Now()
		a := calc.RunWith(w.scenario, func(at calc.Millis) bool {
			if time.Since(begun) > slice {
				w.at = at
				if time.Since(told) > 10*slice {
					told = time.Now()
					ctx.Dispatch(func(app.Context) { r.session.views.answer = nil })
				}
				time.Sleep(time.Millisecond)
				begun = time.Now()
			}
			return r.session.work == w && !w.stopped
		})
		ctx.Dispatch(func(ctx app.Context) {
			switch {
			case r.session.work != w:
			case w.stopped:
				r.session.work = nil
				r.session.stale = true
				r.session.drop()
			default:
				r.session.show(w.shown, a)
				r.changed(ctx)
			}
		})
	})
}

// stop ends the long simulation; what was shown before stays.
func (s *session) stop() {
	if s.work != nil {
		s.work.stopped = true
	}
}

func (s *session) toPeak() { s.moveTo(s.answer.Timeline.Peak().Allocated.At) }

func (s *session) toggleAll() {
	s.listAll = !s.listAll
	s.look()
}

func (r *Root) zoom(times float64) { r.catchUp(); r.session.zoom(times) }
func (r *Root) shift(parts float64) {
	r.catchUp()
	r.session.own(r.session.window.Move(parts, r.session.until()))
}

// brush moves the window to a part of all the time.
func (r *Root) brush(part float64) {
	all := report.Window{To: r.session.until()}
	r.session.own(r.session.window.Around(all.At(part), r.session.until()))
}

// scrub looks at a moment.
func (r *Root) scrub(at calc.Millis) {
	r.moves()
	r.session.moveTo(at)
}

// drag looks at the moment under the pointer, at the next frame.
func (r *Root) drag(part float64) {
	r.moves()
	r.moveTo = part
}

// moves notes that the moment moves, and when it rests.
func (r *Root) moves() {
	r.session.moving = true
	r.moved++
	turn := r.moved
	r.ctx.After(restAfter, func(app.Context) {
		if r.moved == turn {
			r.session.rest()
		}
	})
}

func (s *session) until() calc.Millis { return s.answer.Timeline.Until() }

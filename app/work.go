package app

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// slice is how long all that runs beside the page holds it, together, before it goes first.
const slice = 12 * time.Millisecond

// turn is when what runs beside the page was last let on. It is one for all of them: each by itself would find the others
// ready whenever it waits, and the page would never have its turn.
var turn time.Time

// pause lets the page go first now and then.
type pause struct{ told time.Time }

func newPause() *pause { return &pause{time.Now()} }

// now waits if it is time to. tell, which may be nil, is called ten times more rarely.
func (p *pause) now(tell func()) {
	if time.Since(turn) <= slice {
		return
	}
	if tell != nil && time.Since(p.told) > 10*slice {
		p.told = time.Now()
		tell()
	}
	breathe()
}

// proceed starts the long simulation that the state waits for, if there is one. It runs beside the page, and ends early when
// another scenario takes its place.
func (r *Root) proceed(ctx app.Context) {
	for _, v := range allViews() {
		if v.begin != nil {
			v.begin(r, ctx)
		}
	}
	w := r.state.work
	if w == nil || w.started || !r.client {
		return
	}
	w.started = true
	ctx.Async(func() {
		a, _ := r.helper.play(w.scenario, false, func(at calc.Millis) {
			w.at = at
			ctx.Dispatch(func(app.Context) { r.state.views.answer = nil })
		}, func() bool { return r.state.work == w && !w.stopped })
		ctx.Dispatch(func(ctx app.Context) {
			switch {
			case r.state.work != w:
			case w.stopped:
				r.state.halt()
			default:
				r.state.show(w.shown, a)
				r.state.goToLinked()
				r.changed(ctx)
			}
		})
	})
}

// stop ends the long simulation; what was shown before stays.
func (s *state) stop() {
	if s.work != nil {
		s.work.stopped = true
	}
}

// halt is after the stop: what was shown before stays, and what was typed waits to be asked for again.
func (s *state) halt() {
	s.work, s.stale, s.stopped = nil, true, true
	s.drop()
}

func (s *state) toPeak() { s.moveTo(s.answer.Timeline.Peak().Allocated.At) }

func (s *state) toggleAll() {
	s.listAll = !s.listAll
	s.look()
}

func (r *Root) zoom(times float64) { r.catchUp(); r.state.zoom(times) }
func (r *Root) shift(parts float64) {
	r.catchUp()
	r.state.own(r.state.window.Move(parts, r.state.until()))
}

// onBrush moves the window to where the pointer is in an overview.
func (r *Root) onBrush(ctx app.Context, e app.Event) {
	if !down(e) {
		ctx.PreventUpdate()
		return
	}
	if part, ok := along(ctx.JSSrc().Call("querySelector", "[role=img]"), e); ok {
		r.brush(part)
	}
}

// brush moves the window to a part of all the time.
func (r *Root) brush(part float64) {
	all := report.Window{To: r.state.until()}
	r.state.own(r.state.window.Around(all.At(part), r.state.until()))
}

// scrub looks at a moment.
func (r *Root) scrub(at calc.Millis) {
	if own := r.state.place.view().scrub; own != nil {
		own(r, at)
		return
	}
	r.moves()
	r.state.moveTo(at)
}

// drag looks at the moment under the pointer, at the next frame.
func (r *Root) drag(part float64) {
	r.moves()
	r.moveTo = part
}

// moves notes that the moment moves, and when it rests.
func (r *Root) moves() {
	r.state.moving = true
	r.moved++
	turn := r.moved
	r.ctx.After(restAfter, func(app.Context) {
		if r.moved == turn {
			r.state.rest()
			if r.state.momentLinked() {
				r.state.edited = true
				r.writeAddress()
			}
		}
	})
}

func (s *state) until() calc.Millis { return s.answer.Timeline.Until() }

package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// filmPlayer lets the moment go on by itself: evenly, so that what is shown passes in a third of a minute; where the reader wants
// less motion from event to event.
type filmPlayer struct {
	tick  app.Func
	asked bool    // for the next frame
	last  float64 // when the last frame was, in milliseconds
	rest  float64 // part of a millisecond of the scenario that is still to pass
}

// playTime is how long the window takes to pass, and stepTime an event where there is less motion; in milliseconds.
const (
	playTime = 20_000
	stepTime = 1_000
)

func (c *Cursor) onPlay(app.Context, app.Event) { c.Page.play(!c.Page.state.playing) }

// play begins or ends it. At the end of what is shown it begins anew.
func (r *Root) play(on bool) {
	s, p := r.state, &r.film
	s.playing, s.views.cursor = on, nil
	if !on || !r.client {
		return
	}
	if s.at >= s.window.To {
		s.moveTo(s.window.From)
	}
	if p.tick == nil {
		p.tick = app.FuncOf(func(_ app.Value, args []app.Value) any {
			p.asked = false
			now := args[0].Float()
			r.ctx.Dispatch(func(app.Context) { r.pass(now) })
			return nil
		})
	}
	p.last, p.rest = 0, 0
	r.nextFrame()
}

func (r *Root) nextFrame() {
	if p := &r.film; !p.asked {
		p.asked = true
		app.Window().Call("requestAnimationFrame", p.tick)
	}
}

// pass lets time pass up to a frame.
func (r *Root) pass(now float64) {
	s, p := r.state, &r.film
	if !s.playing {
		return
	}
	defer r.nextFrame()
	if p.last == 0 {
		p.last = now
		return
	}
	if lessMotion() {
		if now-p.last >= stepTime {
			p.last = now
			next, ok := report.EventAfter(&s.answer, s.at)
			if !ok || next > s.window.To {
				r.play(false)
				return
			}
			r.moves()
			s.moveTo(next)
		}
		return
	}
	gone := p.rest + min(now-p.last, 100)/playTime*float64(s.window.To-s.window.From)
	by := calc.Millis(gone)
	p.last, p.rest = now, gone-float64(by)
	r.moves()
	s.moveTo(min(s.at+by, s.window.To))
	if s.at >= s.window.To {
		r.play(false)
	}
}

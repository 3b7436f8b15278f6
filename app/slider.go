package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Slider is a range. Its value is set by script after its bounds: go-app sets attributes in no order, and a range refuses a
// value above 100 while it has no max.
type Slider struct {
	app.Compo
	Page               *Root
	ID, Label          string
	Min, Max, Step, At string
	Says               string // the value in words
	Key                string // the setting that it moves; "": the moment that is looked at
}

// Render draws it.
func (s *Slider) Render() app.UI {
	return el("input", at{"type=range", "id=" + s.ID, "aria-label=" + s.Label, "aria-valuetext=" + s.Says,
		"min=" + s.Min, "max=" + s.Max, "step=" + s.Step, attrValue + s.At}).On("input", s.onInput).On("keydown", s.onKey)
}

// OnMount sets the value.
func (s *Slider) OnMount(app.Context) { s.sync() }

// OnUpdate follows the view.
func (s *Slider) OnUpdate(ctx app.Context) { ctx.Defer(func(app.Context) { s.sync() }) }

func (s *Slider) sync() { setValue(s.ID, s.At) }

// onKey plays with the space bar.
func (s *Slider) onKey(ctx app.Context, e app.Event) {
	if e.Get("key").String() != " " || s.ID != "at" {
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
	s.Page.play(!s.Page.state.playing)
}

func (s *Slider) onInput(ctx app.Context, _ app.Event) {
	to, ok := number(ctx.JSSrc().Get("value").String())
	switch {
	case !ok:
	case s.Key != "":
		s.Page.typed(ctx, s.Key, to.Text())
	default:
		s.Page.scrub(to)
	}
}

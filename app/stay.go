package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// Stay is why a segment is still on disk.
type Stay struct {
	app.Compo
	Page *Root
	View *stayView
}

type stayView struct{ Stay *report.Stay } // nil: there is no segment

// Render draws it.
func (s *Stay) Render() app.UI {
	v := s.View.Stay
	body := []any{el("h2", at{"id=h-why"}, text.stay)}
	if v == nil {
		return el("section", at{"class=block", "aria-labelledby=h-why"}, append(body, el("p", at{"class=small"}, text.stayNone))...)
	}
	body = append(body,
		el("label", at{"class=small", "for=which"}, text.stayWhich),
		el("select", at{"id=which"}, each(v.Choices, func(c *report.Choice) app.UI {
			selected := ""
			if c.Base == v.Base {
				selected = "SELECTED=selected"
			}
			return el("option", at{attrValue + digits(int64(c.Base)), selected}, c.Label)
		})).On("input", s.onInput),
		el("p", nil, v.Answer),
		el("ol", at{"class=chain"}, each(v.Steps, stayStep)),
	)
	return el("section", at{"class=block", "id=why", "aria-labelledby=h-why"}, body...).On("click", s.onClick)
}

func stayStep(step *report.StayStep) app.UI {
	class := ""
	if step.Now {
		class = "class=now"
	}
	var key any
	if step.Key != "" {
		key = action{Label: step.Key, Act: "go", Key: step.Key}.button("bare mono")
	}
	return el("li", at{class}, el("span", nil, step.Words, " ", key))
}

// OnMount sets the choice, as OnUpdate does: browsers do not follow the attribute once somebody chose.
func (s *Stay) OnMount(app.Context) { s.sync() }

// OnUpdate follows the view.
func (s *Stay) OnUpdate(ctx app.Context) { ctx.Defer(func(app.Context) { s.sync() }) }

func (s *Stay) sync() {
	if s.View.Stay != nil {
		setValue("which", digits(int64(s.View.Stay.Base)))
	}
}

func (s *Stay) onInput(ctx app.Context, _ app.Event) {
	if n, ok := number(ctx.JSSrc().Get("value").String()); ok {
		s.Page.state.ask(calc.Offset(n))
	}
}

func (s *Stay) onClick(ctx app.Context, e app.Event) { s.Page.act(ctx, e) }

func (s *state) stay() *stayView {
	d := &s.views.details
	if d.stay == nil {
		d.stay = &stayView{}
		if v, ok := report.StayOf(&s.answer, s.looks, s.at, s.asked, -1, nil); ok {
			d.stay.Stay = &v
		}
	}
	return d.stay
}

// ask explains another segment.
func (s *state) ask(base calc.Offset) {
	s.asked = base
	s.views.details.stay, s.views.details.film = nil, nil
}

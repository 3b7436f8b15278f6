package app

import (
	"strings"

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

type stayView struct {
	Stay    *report.Stay // nil: there is no segment
	Asked   string       // the record that was picked, as typed
	Problem string       // what is wrong with that
	Wait    bool         // it is not known yet
}

// Render draws it.
func (s *Stay) Render() app.UI {
	v := s.View.Stay
	invalid := ""
	if s.View.Problem != "" {
		invalid = "aria-invalid=true"
	}
	body := []any{el("h2", at{"id=h-why"}, text.stay),
		el("div", nil,
			el("label", at{"class=small", "for=record"}, timeText.record),
			el("div", at{"class=row pick"},
				el("input", at{"id=record", "class=text", "type=text", "autocomplete=off", "autocapitalize=off", "spellcheck=false", attrValue + s.View.Asked,
					"aria-describedby=record-hint record-bad", invalid}).On("change", s.onRecord),
				button(timeText.recordNow, s.onHere),
			),
			el("span", at{"class=cap", "id=record-hint"}, timeText.recordHint),
			el("p", at{"class=err", "id=record-bad"}, s.View.Problem),
		),
	}
	switch {
	case s.View.Wait:
		body = append(body, el("p", at{"class=small"}, timeText.working))
	case v == nil:
		body = append(body, el("p", at{"class=small"}, text.stayNone))
	default:
		body = append(body, s.body(v)...)
	}
	return el("section", at{"class=block", "id=why", "aria-labelledby=h-why"}, body...).On("click", s.onClick)
}

func (s *Stay) body(v *report.Stay) []any {
	var facts, phases any
	if len(v.Facts) > 0 {
		facts = el("p", at{"class=small"}, v.Facts)
	}
	if len(v.Phases) > 0 {
		row := func(name string, of func(p *report.PhaseRow) string) app.UI {
			return el("tr", nil, el("th", at{"scope=row"}, name), each(v.Phases, func(p *report.PhaseRow) app.UI {
				return el("td", nil, strings.Replace(of(p), "d\u00a0", "d ", 1)) // a narrow column breaks after the day
			}))
		}
		phases = el("div", at{"class=wrap", "tabindex=0", "role=region", "aria-label=" + timeText.phases}, el("table", at{"class=data", "id=phases"},
			el("caption", at{"class=cap"}, timeText.phases),
			el("thead", nil, el("tr", nil, el("td", nil), each(v.Phases, func(p *report.PhaseRow) app.UI { return el("th", at{"scope=col"}, p.Label) }))),
			el("tbody", nil,
				row(timeText.phaseEarly, func(p *report.PhaseRow) string { return p.Early }),
				row(timeText.phaseAt, func(p *report.PhaseRow) string { return p.At }),
				row(timeText.phaseLate, func(p *report.PhaseRow) string { return p.Late }),
			),
		))
	}
	return []any{
		el("div", nil,
			el("label", at{"class=small", "for=which"}, text.stayWhich),
			el("select", at{"id=which"}, each(v.Choices, func(c *report.Choice) app.UI {
				selected := ""
				if c.Base == v.Base {
					selected = "SELECTED=selected"
				}
				return el("option", at{attrValue + digits(int64(c.Base)), selected}, c.Label)
			})).On("input", s.onInput),
		),
		el("p", at{"id=stay-says"}, v.Answer),
		facts,
		phases,
		el("ol", at{"class=chain"}, each(v.Steps, stayStep)),
	}
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
	setValue("record", s.View.Asked)
	if s.View.Stay != nil {
		setValue("which", digits(int64(s.View.Stay.Base)))
	}
}

func (s *Stay) onInput(ctx app.Context, _ app.Event) {
	if n, ok := number(ctx.JSSrc().Get("value").String()); ok {
		s.Page.ask(ctx, calc.Offset(n))
	}
}

func (s *Stay) onRecord(ctx app.Context, _ app.Event) {
	s.Page.put(ctx, recordKey, strings.TrimSpace(ctx.JSSrc().Get("value").String()))
}

// onHere picks the newest record of the moment.
func (s *Stay) onHere(ctx app.Context, _ app.Event) {
	t := s.Page.state
	if o, problem := report.Asked(&t.answer, t.looks, t.at, "0s ago"); problem == "" {
		s.Page.put(ctx, recordKey, digits(int64(o)))
	}
}

func (s *Stay) onClick(ctx app.Context, e app.Event) { s.Page.act(ctx, e) }

// ask explains another segment.
func (r *Root) ask(ctx app.Context, base calc.Offset) {
	r.state.ask(base)
	if r.state.place.of(recordKey) != "" {
		r.put(ctx, recordKey, "")
	}
}

// askedBase is the segment that is explained; −1: none.
func (s *state) askedBase() calc.Offset {
	if s.thinks != nil && s.thinks.stay.Stay != nil && (s.asked >= 0 || s.thinks.stay.Stay.Record >= 0) {
		return s.thinks.stay.Stay.Base
	}
	return s.asked
}

// ask explains another segment.
func (s *state) ask(base calc.Offset) {
	s.asked = base
	s.views.details.thought, s.views.details.film = nil, nil
}

package app

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// Sensitive is what would change the peak most. It takes two simulations a setting, so it is worked out only while it is
// open, in slices.
type Sensitive struct {
	app.Compo
	Page *Root
	View *sensitiveView
}

type sensitiveView struct {
	Rows  []report.Sensitivity
	Still string // the settings that change nothing
	Wait  bool
}

// Render draws it.
func (s *Sensitive) Render() app.UI {
	var body any
	switch {
	case s.View.Wait:
		body = el("p", at{"class=cap"}, text.sensitiveWait)
	case len(s.View.Rows) > 0:
		var heads []app.UI
		for _, name := range [...]string{text.sensitiveKey, text.sensitiveHalf, text.sensitiveDouble} {
			heads = append(heads, el("th", at{"scope=col"}, name))
		}
		body = el("table", at{"class=data"},
			el("caption", at{"class=vh"}, text.sensitive),
			el("thead", nil, el("tr", nil, heads)),
			el("tbody", nil, each(s.View.Rows, sensitiveRow)),
		)
	}
	var still any
	if s.View.Still != "" && !s.View.Wait {
		still = el("p", at{"class=cap", "id=still"}, answerText.still, el("code", nil, s.View.Still))
	}
	return el("details", at{"class=twin", "id=sensitive"}, el("summary", at{"id=sensitive-open"}, text.sensitive), body, still).On("toggle", s.onToggle).On("click", s.onClick)
}

func sensitiveRow(r *report.Sensitivity) app.UI {
	cell := func(v report.Variant) app.UI {
		if v.Peak < 0 {
			return el("td", nil, "–")
		}
		return el("td", nil, action{v.Text, "set", r.Key, v.Value}.button("bare"), " ", el("span", at{"class=cap"}, v.Delta))
	}
	return el("tr", nil, el("th", at{"scope=row"}, el("code", nil, r.Key)), cell(r.Half), cell(r.Double))
}

func (s *Sensitive) onClick(ctx app.Context, e app.Event) { s.Page.act(ctx, e) }

func (s *Sensitive) onToggle(ctx app.Context, _ app.Event) {
	s.Page.state.sensitive.open = ctx.JSSrc().Get("open").Bool()
	s.Page.tryOut(ctx)
}

// sensitive is what is known of it.
type sensitive struct {
	open   bool
	answer *calc.Timeline // that the rows are for
	busy   *calc.Timeline // that is being worked on
	view   sensitiveView
}

func (s *state) sensitiveView() *sensitiveView {
	v := s.sensitive.view
	v.Wait = s.sensitive.open && s.sensitive.answer != s.answer.Timeline
	return &v
}

// tryOut works the table out for the answer that is shown, if it is wanted and not there.
func (r *Root) tryOut(ctx app.Context) {
	s := r.state
	t := s.answer.Timeline
	if !s.sensitive.open || s.sensitive.answer == t || s.sensitive.busy == t || !r.client {
		return
	}
	s.sensitive.busy = t
	in, peak := s.shown, t.Peak().Allocated.Bytes
	ctx.Async(func() {
		rows, still, ok := report.Sensitivities(in, peak, r.beside(func() bool { return s.answer.Timeline == t && s.sensitive.open }))
		ctx.Dispatch(func(ctx app.Context) {
			s.sensitive.busy = nil
			if ok {
				s.sensitive.answer, s.sensitive.view = t, sensitiveView{Rows: rows, Still: strings.Join(still, ", ")}
			} else {
				r.tryOut(ctx)
			}
		})
	})
}

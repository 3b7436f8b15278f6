package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/report"
)

// Findings is what the reader should know and did not ask.
type Findings struct {
	app.Compo
	Page *Root
	View *findingsView
}

type findingsView struct {
	Title string
	List  []findingView
}

type findingView struct {
	Warn    bool
	Title   string
	Words   report.Words
	Actions []action
	Links   []report.Link
}

var (
	iconWarn = `<svg viewBox="0 0 20 20" role="img" aria-label="` + text.warning + `"><path class="i-warn" d="M10 1 20 19H0z"></path><path class="i-line" d="M10 7v6M10 15v2"></path></svg>`
	iconNote = `<svg viewBox="0 0 20 20" role="img" aria-label="` + text.note + `"><circle class="i-info" cx="10" cy="10" r="9"></circle><path class="i-line" d="M10 9v6M10 5v2"></path></svg>`
)

// Render draws them.
func (f *Findings) Render() app.UI {
	v := f.View
	var none any
	if len(v.List) == 0 {
		none = el("p", at{"class=small"}, text.noFindings)
	}
	return el("section", at{"class=block", "id=findings", "aria-labelledby=h-find"},
		el("h2", at{"id=h-find", "tabindex=-1"}, v.Title),
		none,
		el("ul", at{"class=finds"}, each(v.List, (*findingView).draw)),
	).On("click", f.onClick)
}

func (f *Findings) onClick(ctx app.Context, e app.Event) { f.Page.act(ctx, e) }

func (n *findingView) draw() app.UI {
	icon := iconNote
	if n.Warn {
		icon = iconWarn
	}
	return el("li", at{"class=find"},
		app.Raw(icon),
		el("div", nil,
			el("h3", nil, n.Title),
			el("p", nil, n.Words),
			el("div", at{"class=row"}, actionButtons(n.Actions, "")),
			n.explained(),
		),
	)
}

// explained leads to the pages that explain it.
func (n *findingView) explained() any {
	if len(n.Links) == 0 {
		return nil
	}
	body := []any{text.explained}
	for i := range n.Links {
		if i > 0 {
			body = append(body, " · ")
		}
		body = append(body, el("a", at{"href=" + n.Links[i].URL, "target=_blank", "rel=noreferrer"}, n.Links[i].Text))
	}
	return el("p", at{"class=cap links"}, body...)
}

package app

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/report"
)

// Answer is the sentence, the figures, what is wrong, and how the peak adds up.
type Answer struct {
	app.Compo
	Page *Root
	View *answerView
}

type answerView struct {
	Sentence report.Words
	Figures  []figure
	Notices  []notice
	Receipt  report.Receipt
	Exactly  string
	Stale    bool
}

// figure is a number that matters.
type figure struct {
	Lead               bool
	Label, Value, Unit string
	Caption            report.Words
}

// notice is a line under the answer, with what can be done about it.
type notice struct {
	Class   string
	Words   report.Words
	Actions []action
}

// Render draws it.
func (a *Answer) Render() app.UI {
	v := a.View
	class := "class=answer split-2"
	if v.Stale {
		class += " old"
	}
	return el("section", at{class, "aria-label=" + text.answer},
		el("p", at{"class=sentence", "id=sentence"}, v.Sentence),
		el("dl", at{"class=figures"}, each(v.Figures, (*figure).draw)),
		el("div", at{"class=notices", "id=notices"}, each(v.Notices, (*notice).draw)),
		a.receipt(),
	).On("click", a.onClick)
}

func (a *Answer) onClick(ctx app.Context, e app.Event) { a.Page.act(ctx, e) }

func (f *figure) draw() app.UI {
	class, id := "", ""
	if f.Lead {
		class, id = "class=lead", "id=peak"
	}
	return el("div", at{class},
		el("dt", nil, f.Label),
		el("dd", at{id}, f.Value+" ", el("span", at{"class=u"}, f.Unit)),
		el("dd", at{"class=cap"}, f.Caption),
	)
}

func (n *notice) draw() app.UI {
	return el("p", at{"class=notice " + n.Class}, el("span", nil, n.Words), actionButtons(n.Actions, "bare"))
}

func (a *Answer) receipt() app.UI {
	v := &a.View.Receipt
	var short any
	if len(v.Short) > 0 {
		short = el("p", at{"class=end cap"}, v.Short)
	}
	return el("details", at{"class=receipt", "id=receipt"},
		el("summary", nil, el("b", nil, text.receipt), fmt.Sprintf(text.receiptIn, v.Unit)),
		el("table", nil,
			el("tbody", nil, each(v.Lines, receiptLine)),
			el("tfoot", nil, el("tr", nil,
				el("th", at{"scope=row"}, v.Total.What, el("span", nil, a.View.Exactly)),
				el("td", nil, v.Total.Amount),
			)),
		),
		el("p", at{"class=end cap"}, v.Bound),
		short,
	)
}

func receiptLine(l *report.ReceiptLine) app.UI {
	note := el("span", nil, l.Note)
	if l.Key != "" {
		note = el("span", nil, l.Note+" ", el("code", nil, l.Key))
	}
	return el("tr", nil, el("th", at{"scope=row"}, l.What, note), el("td", nil, l.Amount))
}

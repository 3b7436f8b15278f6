package app

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/report"
)

// Answer is the sentence, the figures, and what is wrong.
type Answer struct {
	app.Compo
	Page    *Root
	View    *answerView
	Receipt *receiptView
}

type answerView struct {
	Sentence report.Words
	Figures  []figure
	Notices  []notice
	Stale    bool
}

// receiptView is how the peak adds up. It follows the answer a moment later.
type receiptView struct {
	Receipt report.Receipt
	Exactly string
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
		&Receipt{View: a.Receipt},
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

// Receipt is how the peak adds up.
type Receipt struct {
	app.Compo
	View *receiptView
}

// Render draws it.
func (r *Receipt) Render() app.UI {
	v := &r.View.Receipt
	var short any
	if len(v.Short) > 0 {
		short = el("p", at{"class=end cap"}, v.Short)
	}
	return el("details", at{"class=receipt", "id=receipt"},
		el("summary", nil, el("b", nil, text.receipt), fmt.Sprintf(text.receiptIn, v.Unit)),
		el("table", nil,
			el("tbody", nil, each(v.Lines, receiptLine)),
			el("tfoot", nil, el("tr", nil,
				el("th", at{"scope=row"}, v.Total.What, el("span", nil, r.View.Exactly)),
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

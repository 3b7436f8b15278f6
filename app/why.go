package app

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/report"
)

// whys are the figures whose receipt opens beside them. The peak's stands on the page.
var whys = [...]string{
	report.OfLow, report.OfHigh, report.OfYoungest, report.OfOldest, report.OfAll, report.OfSegments, report.OfFiles, report.OfMaps,
	report.OfIndexes, report.OfLengths, report.OfBound,
}

// receiptView is how a figure comes about. It follows the answer a moment later.
type receiptView struct {
	Receipt report.Receipt
	Exactly string
	Values  []string // of the keys of the lines
	Fields  bool     // there are fields to go to
}

// receipt is how a figure comes about.
func (s *state) receipt(of string) *receiptView {
	d := &s.views.details
	if v := d.receipts[of]; v != nil {
		return v
	}
	v := &receiptView{Receipt: report.ReceiptOf(&s.answer, of), Fields: !s.noForm}
	if exact := v.Receipt.Exactly(); exact != "" {
		v.Exactly = fmt.Sprintf(text.exactly, exact)
	}
	for _, l := range v.Receipt.Lines {
		v.Values = append(v.Values, s.shown.Get(l.Key))
	}
	if d.receipts == nil {
		d.receipts = map[string]*receiptView{}
	}
	d.receipts[of] = v
	return v
}

// why is the receipt of a figure while it is open. In the page as cmd/site renders it all are there.
func (s *state) why(of string) *receiptView {
	if s.shut && !s.opened[of] {
		return nil
	}
	return s.receipt(of)
}

// Why is a figure's receipt, beside the figure while it is open.
type Why struct {
	app.Compo
	Page *Root
	Of   string
	View *receiptView // nil: it is not open
}

func whyID(of string) string { return "why-" + of }

// Render draws it.
func (w *Why) Render() app.UI {
	var body []any
	if w.View != nil {
		body = append([]any{el("h2", nil, w.View.title())}, w.View.draw()...)
	}
	return el("div", at{"id=" + whyID(w.Of), "class=why receipt", "popover=auto", "role=dialog", "aria-label=" + answerText.how}, body...).
		On("beforetoggle", w.onToggle).On("click", w.onClick)
}

func (w *Why) onToggle(_ app.Context, e app.Event) {
	w.Page.state.opened[w.Of] = e.Get("newState").String() == "open"
}

func (w *Why) onClick(ctx app.Context, e app.Event) {
	if act, _, _ := pressed(e); act == "go" {
		hidePopover(whyID(w.Of))
	}
	e.Call("stopPropagation") // the answer around it hears clicks, too
	w.Page.act(ctx, e)
}

// whyButton is a figure that opens its receipt, by the browser's own means: it works before the program does.
func whyButton(says, name, of string) app.UI {
	return el("button", at{"type=button", "class=fig", "popovertarget=" + whyID(of), "aria-haspopup=dialog", "aria-label=" + name}, says)
}

// Receipt is how the peak adds up.
type Receipt struct {
	app.Compo
	View *receiptView
}

// Render draws it.
func (r *Receipt) Render() app.UI {
	v := r.View
	return el("details", at{"class=receipt", "id=receipt"},
		append([]any{el("summary", nil, v.title())}, v.draw()...)...,
	)
}

func (v *receiptView) title() []app.UI {
	r := &v.Receipt
	unit := ""
	if len(r.Lines) > 0 && r.Unit != "" {
		unit = fmt.Sprintf(text.receiptIn, r.Unit)
	}
	return []app.UI{el("b", nil, r.Title), app.Text(unit)}
}

// draw is the sum, and what it does not say.
func (v *receiptView) draw() (body []any) {
	r := &v.Receipt
	if len(r.Lines) > 0 {
		rows := make([]app.UI, len(r.Lines))
		for i := range r.Lines {
			rows[i] = v.line(&r.Lines[i], v.Values[i])
		}
		body = append(body, el("table", nil,
			el("tbody", nil, rows),
			el("tfoot", nil, el("tr", nil,
				el("th", at{"scope=row"}, r.Total.What, el("span", nil, v.Exactly)),
				el("td", nil, r.Total.Amount),
			)),
		))
	}
	for _, n := range r.Notes {
		body = append(body, el("p", at{"class=end cap"}, n))
	}
	return body
}

func (v *receiptView) line(l *report.ReceiptLine, value string) app.UI {
	var key, rule any
	if l.Key != "" {
		says := l.Key + " = " + minus(shorten(value))
		if v.Fields {
			key = action{Label: says, Act: "go", Key: l.Key}.button("bare mono")
		} else {
			key = el("code", nil, says)
		}
	}
	if l.Rule != "" {
		class, method, _ := strings.Cut(string(l.Rule), ".")
		rule = el("a", at{"class=mono", "href=" + l.Rule.Source(), "target=_blank", "rel=noreferrer"}, el("span", nil, class+"#"), el("span", nil, method))
	}
	return el("tr", nil,
		el("th", at{"scope=row"}, l.What, el("span", nil, l.Note+" ", key), el("span", at{"class=rule"}, rule)),
		el("td", nil, l.Amount),
	)
}

package app

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/report"
)

// Instant is the partition's directory at the moment, what tools report, and what comes next.
type Instant struct {
	app.Compo
	Page *Root
	View *instantView
}

type instantView struct {
	Moment *report.Moment
	All    bool // the directory is listed in full
}

// Render draws it.
func (n *Instant) Render() app.UI {
	m := n.View.Moment
	var none any
	if len(m.Next) == 0 {
		none = el("p", at{"class=small"}, text.noNext)
	}
	return el("div", at{"class=pair w"},
		el("section", at{"class=block", "aria-labelledby=h-ls"},
			el("h2", at{"id=h-ls"}, fmt.Sprintf(text.filesAt, m.Clock)),
			n.files(),
			el("h3", nil, text.tools),
			el("table", at{"class=data tools"},
				el("caption", at{"class=vh"}, text.tools),
				el("tbody", nil, each(m.Tools, toolRow)),
			),
		),
		el("section", at{"class=block", "aria-labelledby=h-next"},
			el("h2", at{"id=h-next"}, text.next),
			none,
			el("ol", at{"class=events"}, each(m.Next, upcoming)),
		),
	).On("click", n.onClick)
}

func (n *Instant) onClick(ctx app.Context, e app.Event) { n.Page.act(ctx, e) }

func toolRow(t *report.Tool) app.UI {
	return el("tr", nil,
		el("th", at{"scope=row"}, el("code", nil, t.Name)),
		el("td", at{"class=n"}, t.Size),
		el("td", at{"class=n wide"}, t.Exact),
		el("td", nil, t.Note),
	)
}

func upcoming(e *report.Upcoming) app.UI {
	var key any
	if e.Key != "" {
		key = action{Label: e.Key, Act: "go", Key: e.Key}.button("bare mono")
	}
	return el("li", nil, el("span", at{"class=at"}, e.In), el("span", nil, app.Raw(swatch(e.State)), e.What+" ", key))
}

func (n *Instant) files() app.UI {
	m := n.View.Moment
	var heads []app.UI
	for _, name := range [...]string{text.colBytes, text.colFile, text.colState} {
		heads = append(heads, el("th", at{"scope=col"}, name))
	}
	var foot any
	if n.View.All {
		foot = el("tfoot", nil, el("tr", nil, el("td", at{"class=more", "colspan=3"}, n.all())))
	}
	return el("table", at{"class=files"},
		el("caption", at{"class=cap mono"}, el("span", nil, text.filesCommand), el("span", nil, fmt.Sprintf(text.filesTotal, m.Total))),
		el("thead", at{"class=vh"}, el("tr", nil, heads)),
		el("tbody", nil, each(m.Files, n.file)),
		foot,
	)
}

func (n *Instant) file(f *report.File) app.UI {
	if f.Gap {
		return el("tr", nil,
			el("td", at{"class=n"}, "…"),
			el("th", at{"scope=row", "class=more", "colspan=2"}, fmt.Sprintf(text.more, report.Number(n.View.Moment.Hidden)), n.all()),
		)
	}
	class := ""
	if f.State == report.Deleted {
		class = "class=gone"
	}
	var zeros, note any
	if f.Zeros != "" {
		zeros = el("span", at{"class=z"}, f.Zeros)
	}
	if f.Note != "" {
		note = app.Raw(swatch(f.State))
	}
	return el("tr", at{class},
		el("td", at{"class=n"}, f.Bytes),
		el("th", at{"scope=row"}, zeros, f.Name),
		el("td", at{"class=st wide"}, note, f.Note),
	)
}

// all is the button that shows or hides the rest.
func (n *Instant) all() app.UI {
	label := text.showFew
	if !n.View.All {
		label = fmt.Sprintf(text.showAll, report.Number(n.View.Moment.All))
	}
	return action{Label: label, Act: "list"}.button("bare")
}

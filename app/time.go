package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// Time is bytes over time: all of it small, a part of it large, and the moment that the reader looks at.
type Time struct {
	app.Compo
	Page   *Root
	Chart  *chartView
	Cursor *cursorView
	Film   *filmView
	Table  *tableView
}

// filmView is the segments over time. It follows the chart a moment later.
type filmView struct {
	Drawing string // "": there is none
	Height  float64
	Key     []keyView
	Says    string      // why there is none, or what it leaves out
	Base    calc.Offset // the segment that is outlined; −1: none
	Wait    bool        // it is being worked out
	Rows    []report.LifeRow
}

// tableView is the chart as a table. It follows the chart a moment later.
type tableView struct{ Rows []report.Row }

// chartView is what changes with the scenario and the window, not with the moment.
type chartView struct {
	Overview, Detail string // drawings
	Focuses          []focusView
	Key              []keyView
	Stale            bool
}

type focusView struct {
	Label   string
	Focus   report.Focus
	Pressed bool
}

type keyView struct{ Swatch, Label string }

// cursorView is the moment.
type cursorView struct {
	Min, Max, At, Step string
	X, Y, Height       float64 // of the drawings that it lies over, in pixels; Y −1: not known yet
	Clock              string
	Readout            report.Words
	Playing            bool
	Zoomed             bool // not all the time is shown
}

// Render draws it.
func (t *Time) Render() app.UI {
	return el("section", at{"class=block", "aria-labelledby=h-time"},
		el("figure", nil,
			&Chart{Page: t.Page, View: t.Chart},
			&Film{View: t.Film},
			&Cursor{Page: t.Page, View: t.Cursor},
		),
		&Legend{Chart: t.Chart, Film: t.Film},
		&ChartTable{Page: t.Page, View: t.Table},
		&FilmTable{Page: t.Page, View: t.Film},
	)
}

// Chart is the two drawings.
type Chart struct {
	app.Compo
	Page *Root
	View *chartView
}

// Render draws it.
func (c *Chart) Render() app.UI {
	v := c.View
	class := "class=drawings"
	if v.Stale {
		class += " stale"
	}
	small := func(label, sign string, h app.EventHandler) app.UI {
		return button(sign, h, "aria-label="+label, "title="+label)
	}
	return el("div", at{class},
		el("div", at{"class=row split"},
			el("h2", at{"id=h-time"}, text.time),
			el("div", at{"class=row"},
				el("div", at{"class=seg-ctl", "role=group", "aria-label=" + text.focus}, each(v.Focuses, c.focus)),
				el("div", at{"class=seg-ctl", "role=group", "aria-label=" + text.zoom},
					small(text.earlier, "◂", c.onEarlier), small(text.zoomOut, "−", c.onZoomOut),
					small(text.zoomIn, "+", c.onZoomIn), small(text.later, "▸", c.onLater),
				),
			),
		),
		el("div", at{"class=overview"}, app.Raw(v.Overview)).On("pointerdown", c.onBrush).On("pointermove", c.onBrush),
		app.Raw(v.Detail),
	)
}

func (c *Chart) focus(f *focusView) app.UI {
	return el("button", at{"type=button", "aria-pressed=" + onOff(f.Pressed), "data-focus=" + digits(int64(f.Focus))}, f.Label).
		On("click", c.onFocus)
}

func onOff(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

func (c *Chart) onFocus(ctx app.Context, _ app.Event) {
	n := ctx.JSSrc().Get("dataset").Get("focus").String()
	for _, f := range c.View.Focuses {
		if n == digits(int64(f.Focus)) {
			c.Page.look(f.Focus)
		}
	}
}

func (c *Chart) onZoomIn(app.Context, app.Event)  { c.Page.zoom(0.5) }
func (c *Chart) onZoomOut(app.Context, app.Event) { c.Page.zoom(2) }
func (c *Chart) onEarlier(app.Context, app.Event) { c.Page.shift(-0.5) }
func (c *Chart) onLater(app.Context, app.Event)   { c.Page.shift(0.5) }

// onBrush moves the window to where the pointer is in the overview.
func (c *Chart) onBrush(ctx app.Context, e app.Event) { c.Page.onBrush(ctx, e) }

// Film is the segments over time.
type Film struct {
	app.Compo
	View *filmView
}

// Render draws it.
func (f *Film) Render() app.UI {
	v := f.View
	if v.Wait && v.Height > 0 {
		return el("div", at{"class=film"}, shape("svg", at{"class=wait", "height=" + num(v.Height), "role=img", "aria-label=" + v.Says},
			shape("text", at{"x=50%", "y=24", "text-anchor=middle"}, v.Says)))
	}
	if v.Drawing == "" {
		return el("p", at{"class=cap film"}, v.Says)
	}
	return el("div", at{"class=film"}, app.Raw(v.Drawing))
}

// Cursor is the moment that the reader looks at, over the drawing and on a slider below it.
type Cursor struct {
	app.Compo
	Page *Root
	View *cursorView
}

// Render draws it.
func (c *Cursor) Render() app.UI {
	v := c.View
	x, top, bottom := percent(v.X), num(plotTop), num(v.Height-filmBottom)
	line := func(class string) app.UI {
		return shape("line", at{class, "x1=" + x, "x2=" + x, "y1=" + top, "y2=" + bottom})
	}
	var dot any
	if v.Y >= 0 {
		dot = shape("circle", at{"class=cursor-dot", "cx=" + x, "cy=" + num(plotTop+v.Y), "r=5"})
	}
	over := "class=over"
	if v.Zoomed {
		over += " zoomed"
	}
	play, sign := timeText.play, "▶"
	if v.Playing {
		play, sign = timeText.pause, "❚❚"
	}
	return el("div", at{"class=cursor-box"},
		el("div", at{over, "id=over"},
			shape("svg", at{"height=" + num(v.Height), "aria-hidden=true"},
				line("class=cursor-halo"), line("class=cursor"), dot,
			),
		).On("pointerdown", c.onDown).On("pointermove", c.onMove).On("pointerup", c.onUp).On("pointercancel", c.onCancel).On("wheel", c.onWheel),
		el("div", at{"class=scrub"},
			button(sign, c.onPlay, "id=play", "class=play", "aria-label="+play, "title="+play, "aria-pressed="+onOff(v.Playing)),
			&Slider{Page: c.Page, ID: "at", Label: text.timeShown, Min: v.Min, Max: v.Max, Step: v.Step, At: v.At, Says: v.Clock},
		),
		el("div", at{"class=row split"},
			el("p", at{"class=readout"}, el("b", at{"id=clock"}, v.Clock), " ", el("span", nil, v.Readout)),
			el("div", at{"class=row"},
				button("◂ "+text.event, c.onBack, "aria-label="+text.eventBack),
				button(text.event+" ▸", c.onNext, "aria-label="+text.eventOn),
				button(text.toPeak, c.onPeak),
			),
		),
		c.gestures(),
	)
}

// gestures says what the pointer can do; where segments cannot be asked about, the buttons say enough.
func (c *Cursor) gestures() any {
	if c.Page.state.isTiered() {
		return nil
	}
	return el("p", at{"class=cap", "id=gestures"}, timeText.gestures)
}

func (c *Cursor) onBack(app.Context, app.Event) { c.Page.state.step(false) }
func (c *Cursor) onNext(app.Context, app.Event) { c.Page.state.step(true) }
func (c *Cursor) onPeak(app.Context, app.Event) { c.Page.state.toPeak() }

// Legend says what the drawings' parts mean.
type Legend struct {
	app.Compo
	Chart *chartView
	Film  *filmView
}

// Render draws it.
func (l *Legend) Render() app.UI {
	item := func(k *keyView) app.UI { return el("li", nil, app.Raw(k.Swatch), k.Label) }
	var says any
	if l.Film.Drawing != "" && l.Film.Says != "" {
		says = el("li", nil, l.Film.Says)
	}
	return el("ul", at{"class=key", "aria-label=" + text.key}, each(l.Chart.Key, item), each(l.Film.Key, item), says)
}

// ChartTable says what the drawing shows, for those who do not see it.
type ChartTable struct {
	app.Compo
	Page *Root
	View *tableView
}

// Render draws it.
func (t *ChartTable) Render() app.UI {
	return el("details", at{"class=twin", "id=chart-table"},
		el("summary", nil, text.table),
		el("div", at{"class=wrap", "tabindex=0", "role=region", "aria-label=" + text.table},
			chartTable(t.View, true),
		),
	).On("click", t.onClick)
}

func (t *ChartTable) onClick(ctx app.Context, e app.Event) { t.Page.act(ctx, e) }

// chartTable is the table itself. With a form beside it the settings lead there.
func chartTable(v *tableView, form bool) app.UI {
	columns := []string{text.colTime, text.colLog, text.colIndexes, text.colWaiting, text.colTotal, text.colWhat}
	var heads []app.UI
	for i, name := range columns {
		class := ""
		if 0 < i && i < 5 {
			class = "class=n"
		}
		heads = append(heads, el("th", at{"scope=col", class}, name))
	}
	return el("table", at{"class=data"},
		el("caption", at{"class=vh"}, text.tableAll),
		el("thead", nil, el("tr", nil, heads)),
		el("tbody", nil, each(v.Rows, func(w *report.Row) app.UI { return chartRow(w, form) })),
	)
}

func chartRow(w *report.Row, form bool) app.UI {
	row := []app.UI{el("th", at{"scope=row"}, w.Clock)}
	for _, n := range [...]string{w.Log, w.Indexes, w.Wait, w.Total} {
		row = append(row, el("td", at{"class=n"}, n))
	}
	what := el("td", nil, w.What)
	switch {
	case w.Key != "" && form:
		what = el("td", nil, w.What+" ", action{Label: w.Key, Act: "go", Key: w.Key}.button("bare mono"))
	case w.Key != "":
		what = el("td", nil, w.What+" ", el("code", nil, w.Key))
	}
	return el("tr", nil, append(row, what))
}

// FilmTable says what the film shows, for those who do not see it.
type FilmTable struct {
	app.Compo
	Page *Root
	View *filmView
}

// Render draws it.
func (t *FilmTable) Render() app.UI {
	var body any
	if rows := t.View.Rows; len(rows) > 0 {
		var heads []app.UI
		for _, name := range [...]string{timeText.colSegment, timeText.colSize, timeText.colFirst, timeText.colClosed, timeText.colPast, timeText.colDeleted, timeText.colGone} {
			heads = append(heads, el("th", at{"scope=col"}, name))
		}
		body = el("div", at{"class=wrap", "tabindex=0", "role=region", "aria-label=" + timeText.filmTable}, el("table", at{"class=data"},
			el("caption", at{"class=vh"}, timeText.filmTable),
			el("thead", nil, el("tr", nil, heads)),
			el("tbody", nil, each(rows, func(r *report.LifeRow) app.UI {
				row := []app.UI{el("th", at{"scope=row"}, action{Label: r.Segment, Act: "why", Key: digits(int64(r.Base))}.button("bare"))}
				for _, cell := range [...]string{r.Bytes, r.Begin, r.Closed, r.Past, r.Deleted, r.Gone} {
					row = append(row, el("td", nil, cell))
				}
				return el("tr", nil, row)
			})),
		))
	} else {
		body = el("p", at{"class=cap"}, t.View.Says)
	}
	return el("details", at{"class=twin", "id=film-table"}, el("summary", nil, timeText.filmTable), body).On("click", t.onClick)
}

func (t *FilmTable) onClick(ctx app.Context, e app.Event) { t.Page.act(ctx, e) }

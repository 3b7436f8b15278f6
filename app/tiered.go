package app

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// tieredPart is a part of the Tiered view in a frame.
func (r *Root) tieredPart(part string) app.UI {
	s := r.state
	if part == partLanes {
		return r.bothPlaces()
	}
	if !r.client {
		s.checkNow()
	}
	return el("div", nil, &Checking{Says: s.checking()}, &Metadata{Page: r, View: s.metadata()})
}

// bothPlaces is what is local and remote over time, or how the topic becomes tiered.
func (r *Root) bothPlaces() app.UI {
	s := r.state
	if _, played := s.answer.Scenario.Remote(); played {
		s.lanes()
		r.playLanes()
		return &Lanes{Page: r, View: s.lanes(), Cursor: s.laneCursor(), Outage: s.outageView(), Bands: s.bands()}
	}
	return &NotTiered{Page: r, View: s.notTiered()}
}

// tiered is the view of a tiered partition: what is on the local disk and what is in the remote store, an outage of that, and
// whether the metadata outlives the data.
func (r *Root) tiered() app.UI {
	s := r.state
	if !r.client {
		s.checkNow()
	}
	return el("main", at{"class=page two", "id=answer", "tabindex=-1"},
		el("div", at{"class=main a"},
			el("h1", at{"class=vh"}, textTiered.heading),
			r.spoken(),
			&TieredAnswer{Page: r, View: s.tieredAnswer(), Meta: s.metadata()},
			r.bothPlaces(),
		),
		&Form{Page: r, View: s.form()},
		el("div", at{"class=main b"},
			&Checking{Says: s.checking()},
			&Metadata{Page: r, View: s.metadata()},
			&Topics{Page: r, View: s.topics()},
		),
	)
}

// TieredAnswer is the sentence and the figures.
type TieredAnswer struct {
	app.Compo
	Page *Root
	View *answerView
	Meta *metadataView
}

// Render draws it.
func (a *TieredAnswer) Render() app.UI {
	v, m := a.View, a.Meta
	class := "class=answer"
	if v.Stale {
		class += " old"
	}
	return el("section", at{class, "aria-label=" + text.answer},
		el("p", at{"class=sentence", "id=sentence"}, v.Sentence),
		el("dl", at{"class=figures"}, each(v.Figures, (*figure).draw), a.verdict(m)),
		el("div", at{"class=notices", "id=notices"}, each(v.Notices, (*notice).draw)),
	).On("click", a.onClick)
}

func (a *TieredAnswer) onClick(ctx app.Context, e app.Event) { a.Page.act(ctx, e) }

// verdict is the metadata check's figure.
func (a *TieredAnswer) verdict(m *metadataView) app.UI {
	if m.If {
		return nil
	}
	value := el("dd", nil, "–")
	if m.There {
		value = el("dd", nil, m.sign())
	}
	return el("div", nil, el("dt", nil, textTiered.metadata), value,
		el("dd", at{"class=cap"}, el("a", at{"href=#meta"}, textTiered.meta).On("click", a.onMeta)))
}

func (a *TieredAnswer) onMeta(_ app.Context, e app.Event) {
	e.PreventDefault()
	e.Call("stopPropagation")
	focusOn("meta")
}

// Icons of a verdict.
const (
	iconOK  = `<svg viewBox="0 0 20 20" aria-hidden="true"><circle class="i-ok" cx="10" cy="10" r="9"></circle><path class="i-line" d="M5 10l4 4 6-8"></path></svg>`
	iconBad = `<svg viewBox="0 0 20 20" aria-hidden="true"><path class="i-bad" d="M6 0h8l6 6v8l-6 6H6l-6-6V6z"></path><path class="i-line" d="M6 6l8 8M14 6l-8 8"></path></svg>`
	iconHm  = `<svg viewBox="0 0 20 20" aria-hidden="true"><path class="i-warn" d="M10 1 20 19H0z"></path><path class="i-line" d="M10 7v6M10 15v2"></path></svg>`
)

// sign is the verdict with its icon.
func (m *metadataView) sign() app.UI {
	icon := iconOK
	switch {
	case m.Bad:
		icon = iconBad
	case m.Costs:
		icon = iconHm
	}
	return el("span", at{"class=verdict"}, app.Raw(icon), m.Verdict)
}

// notTieredView is what is said where there is no remote half.
type notTieredView struct {
	Title, Says string
	Actions     []action
}

func (s *state) notTiered() *notTieredView {
	v := &notTieredView{Title: textTiered.off}
	sc := s.answer.Scenario
	switch {
	case sc.Log().RemoteStorage:
		v.Title, v.Says = textTiered.lanes, textTiered.byHand
		v.Actions = []action{{textTiered.byHandDrop, "reset", "steps", ""}}
	case sc.Version() < tieredSince:
		v.Says = fmt.Sprintf(textTiered.offOld, sc.Version())
		v.Actions = []action{{textTiered.useVersion, "set", "kafka.version", "4.3"}}
	default:
		v.Says = fmt.Sprintf(textTiered.offWhat, report.SizeText(s.answer.Timeline.Peak().Allocated.Bytes))
		v.Actions = []action{{textTiered.turnOn, "tier", "", ""}}
		if ms := sc.Log().RetentionMs; ms < 0 || ms > calc.Day {
			v.Actions = append(v.Actions, action{textTiered.turnOnKeep, "tier", "", "1d"})
		}
	}
	return v
}

// tieredSince is the release with tiered storage.
const tieredSince = calc.Version(30600)

// NotTiered says what tiered storage would be, and turns it on.
type NotTiered struct {
	app.Compo
	Page *Root
	View *notTieredView
}

// Render draws it.
func (n *NotTiered) Render() app.UI {
	return el("section", at{"class=block", "id=not-tiered", "aria-labelledby=h-off"},
		el("h2", at{"id=h-off"}, n.View.Title),
		el("p", at{"class=lede"}, n.View.Says),
		el("div", at{"class=row"}, actionButtons(n.View.Actions[:1], "solid"), actionButtons(n.View.Actions[1:], "")),
	).On("click", n.onClick)
}

func (n *NotTiered) onClick(ctx app.Context, e app.Event) {
	if act, _, local := pressed(e); act == "tier" {
		n.Page.catchUp()
		n.Page.state.turnOn(local)
		n.Page.changed(ctx)
		return
	}
	n.Page.act(ctx, e)
}

// Lanes is what is local and what is remote over time, an outage that can be dragged, and the moment.
type Lanes struct {
	app.Compo
	Page   *Root
	View   *lanesView
	Cursor *cursorView
	Outage *outageView
	Bands  *bandsView
}

// Render draws it.
func (l *Lanes) Render() app.UI {
	v := l.View
	class := "class=drawings"
	if v.Stale {
		class += " stale"
	}
	small := func(label, sign string, h app.EventHandler) app.UI {
		return button(sign, h, "aria-label="+label, "title="+label)
	}
	var outage any
	if l.Outage.There {
		outage = button(textTiered.focusOutage, l.onOutage)
	}
	item := func(k *keyView) app.UI { return el("li", nil, app.Raw(k.Swatch), k.Label) }
	return el("section", at{"class=block", "id=lanes", "aria-labelledby=h-lanes"},
		el("div", at{"class=row split"},
			el("h2", at{"id=h-lanes"}, textTiered.lanes),
			el("div", at{"class=row"},
				el("div", at{"class=seg-ctl", "role=group", "aria-label=" + text.focus},
					el("button", at{"type=button", "aria-pressed=" + onOff(v.Whole)}, v.All).On("click", l.onAll), outage,
					button(textTiered.focusPeak, l.onPeak)),
				el("div", at{"class=seg-ctl", "role=group", "aria-label=" + text.zoom},
					small(text.earlier, "◂", l.onEarlier), small(text.zoomOut, "−", l.onZoomOut),
					small(text.zoomIn, "+", l.onZoomIn), small(text.later, "▸", l.onLater)),
			),
		),
		&Outage{Page: l.Page, View: l.Outage},
		el("figure", nil,
			el("div", at{class},
				el("div", at{"class=overview"}, app.Raw(v.Overview)).On("pointerdown", l.onBrush).On("pointermove", l.onBrush),
				app.Raw(v.Drawing),
			),
			&Bands{Page: l.Page, View: l.Bands},
			&Cursor{Page: l.Page, View: l.Cursor},
		),
		el("ul", at{"class=key", "aria-label=" + text.key}, each(v.Key, item), each(v.Says, func(says *string) app.UI { return el("li", nil, *says) })),
		el("p", at{"class=cap"}, v.Film),
		&LaneTable{View: v},
	)
}

func (l *Lanes) onAll(app.Context, app.Event) { l.Page.look(report.FocusAll) }

func (l *Lanes) onPeak(app.Context, app.Event) {
	s := l.Page.state
	if w, ok := report.WindowFor(&s.answer, report.FocusPeak); ok {
		s.own(w)
		s.toPeak()
	}
}

func (l *Lanes) onOutage(app.Context, app.Event) {
	s := l.Page.state
	if e := s.outageEffect(); e != nil {
		s.own(report.WindowForOutage(&s.answer, e))
	}
}

func (l *Lanes) onZoomIn(app.Context, app.Event)  { l.Page.zoom(0.5) }
func (l *Lanes) onZoomOut(app.Context, app.Event) { l.Page.zoom(2) }
func (l *Lanes) onEarlier(app.Context, app.Event) { l.Page.shift(-0.5) }
func (l *Lanes) onLater(app.Context, app.Event)   { l.Page.shift(0.5) }

// onBrush moves the window to where the pointer is in the overview.
func (l *Lanes) onBrush(ctx app.Context, e app.Event) { l.Page.onBrush(ctx, e) }

// Bands is the outages as they can be dragged, over the drawing. For the keyboard there are fields.
type Bands struct {
	app.Compo
	Page *Root
	View *bandsView

	drag *bandDrag
}

// Render draws it.
func (b *Bands) Render() app.UI {
	v := b.View
	bottom := num(plotTop + report.UpHeight + report.LaneGap + report.DownHeight)
	var all []app.UI
	for _, band := range v.Bands {
		x, end, i := percent(band.X), percent(band.X+band.Width), "data-i="+digits(int64(band.I))
		class := "class=grip"
		if band.Chosen {
			class += " chosen"
		}
		width := "width=" + percent(max(band.Width, 0.3))
		all = append(all, shape("rect", at{class, "x=" + x, width, "y=2", "height=16"}),
			shape("rect", at{"class=grip-hit", i, "data-part=move", "x=" + x, width, "y=2", "height=16"}))
		if band.Chosen {
			for _, edge := range [...]struct{ part, x string }{{"from", x}, {"to", end}} {
				where := at{"x1=" + edge.x, "x2=" + edge.x, "y1=20", "y2=" + bottom}
				all = append(all, shape("line", append(at{"class=edge"}, where...)),
					shape("line", append(at{"class=edge-hit", i, "data-part=" + edge.part}, where...)))
			}
		}
	}
	return el("div", at{"class=bands"},
		shape("svg", at{"height=" + num(v.Height), "aria-hidden=true"}, all),
	).On("pointerdown", b.onDown).On("pointermove", b.onMove).On("pointerup", b.onUp).On("pointercancel", b.onUp)
}

func (b *Bands) onDown(ctx app.Context, e app.Event) {
	target := e.Get("target")
	data := target.Get("dataset")
	part, ok := along(ctx.JSSrc().Call("querySelector", "svg"), e)
	if !ok || !data.Get("part").Truthy() {
		return
	}
	i, _ := number(data.Get("i").String())
	s := b.Page.state
	all := s.outages()
	if int(i) >= len(all) {
		return
	}
	e.PreventDefault()
	capturePointer(target, e)
	s.tiered.outage, s.tiered.fromText, s.tiered.toText = int(i), "", ""
	b.drag = &bandDrag{part: data.Get("part").String(), i: int(i), at: part, old: all[i], steps: s.steps()}
	s.keepWindow()
}

func (b *Bands) onMove(ctx app.Context, e app.Event) {
	if b.drag == nil || !down(e) {
		ctx.PreventUpdate()
		return
	}
	if part, ok := along(ctx.JSSrc().Call("querySelector", "svg"), e); ok {
		o := b.Page.state.dragOutage(b.drag, part)
		b.Page.typed(ctx, "steps", calc.WithOutage(b.drag.steps, b.drag.i, o))
	}
}

func (b *Bands) onUp(app.Context, app.Event) { b.drag = nil }

// Outage is the fields of the outage that is looked at.
type Outage struct {
	app.Compo
	Page *Root
	View *outageView

	focus string // what gets the focus once it is drawn
}

// Render draws it.
func (o *Outage) Render() app.UI {
	v := o.View
	if !v.There {
		return el("div", at{"class=row outage-row"}, button(textTiered.add, o.onAdd, "id=outage-add"))
	}
	var which, problem, reading any
	if len(v.Names) > 0 {
		which = el("span", at{"class=row"}, el("label", at{"for=outage-which"}, textTiered.which),
			el("select", at{"id=outage-which"}, each(v.Names, func(name *string) app.UI { return option(*name, v.Names[v.I]) })).On("input", o.onWhich))
	}
	if v.Problem != "" {
		problem = el("p", at{"class=notice err-line", "id=outage-err"}, v.Problem)
	} else if v.Reading != "" {
		reading = el("output", at{"class=cap", "for=outage-from outage-to"}, v.Reading)
	}
	end := func(id, value string) app.UI {
		invalid, described := "", ""
		if v.Problem != "" {
			invalid, described = "aria-invalid=true", "aria-describedby=outage-err"
		}
		return el("input", at{"id=" + id, "class=text", "type=text", "size=8", "spellcheck=false", "autocomplete=off", "autocapitalize=off",
			invalid, described, attrValue + value}).On("input", o.onInput).On("keydown", o.onKey)
	}
	return el("div", at{"class=outage-box"},
		el("div", at{"class=row outage-row"},
			which,
			el("label", at{"for=outage-from"}, textTiered.downFrom), end("outage-from", v.From),
			el("label", at{"for=outage-to"}, textTiered.downTo), end("outage-to", v.To),
			reading,
			button(textTiered.remove, o.onRemove, "class=bare", "id=outage-remove"),
			button(textTiered.add, o.onAdd, "class=bare", "id=outage-add"),
		),
		problem,
	)
}

// OnMount and OnUpdate set what the fields hold; see [Field].
func (o *Outage) OnMount(app.Context) { o.sync() }

// OnUpdate follows the view.
func (o *Outage) OnUpdate(ctx app.Context) {
	id := o.focus
	o.focus = ""
	ctx.Defer(func(app.Context) {
		if o.sync(); id != "" {
			focusOn(id)
		}
	})
}

func (o *Outage) sync() {
	if o.View.There {
		setValue("outage-from", o.View.From)
		setValue("outage-to", o.View.To)
	}
}

func (o *Outage) typed(ctx app.Context, from, to string) {
	o.Page.catchUp()
	o.Page.state.keepWindow()
	o.Page.state.typeOutage(from, to)
	o.Page.changed(ctx)
}

func (o *Outage) onInput(ctx app.Context, _ app.Event) {
	var texts [2]string
	for i, id := range [...]string{"outage-from", "outage-to"} {
		if e, ok := element(id); ok {
			texts[i] = e.Get("value").String()
		}
	}
	o.typed(ctx, texts[0], texts[1])
}

// onKey moves an end of the outage.
func (o *Outage) onKey(ctx app.Context, e app.Event) {
	key := e.Get("key").String()
	if key != "ArrowUp" && key != "ArrowDown" {
		return
	}
	s := o.Page.state
	_, old, ok := s.chosenOutage()
	if !ok || s.outageProblem() != "" {
		return
	}
	e.PreventDefault()
	d := bandDrag{part: "from", old: old}
	if e.Get("target").Get("id").String() == "outage-to" {
		d.part = "to"
	}
	by := 0.01
	if key == "ArrowDown" {
		by = -by
	}
	to := s.dragOutage(&d, by)
	o.typed(ctx, to.From.Text(), endText(to.To))
}

// endText is the end of an outage as it is typed.
func endText(m calc.Millis) string {
	if m == calc.Never {
		return textTiered.never
	}
	return m.Text()
}

func (o *Outage) onWhich(ctx app.Context, _ app.Event) {
	s := o.Page.state
	s.tiered.fromText, s.tiered.toText = "", ""
	name := ctx.JSSrc().Get("value").String()
	for i, one := range o.View.Names {
		if one == name {
			s.tiered.outage = i
		}
	}
}

func (o *Outage) onAdd(ctx app.Context, _ app.Event) {
	o.Page.catchUp()
	o.Page.state.keepWindow()
	o.Page.state.addOutage()
	o.Page.changed(ctx)
	o.focus = "outage-from"
}

func (o *Outage) onRemove(ctx app.Context, _ app.Event) {
	o.Page.catchUp()
	s := o.Page.state
	if i, old, ok := s.chosenOutage(); ok {
		s.tiered.fromText, s.tiered.toText = "", ""
		s.putOutage(i, calc.Outage{From: old.From, To: old.From})
	}
	o.Page.changed(ctx)
	o.focus = "outage-add"
}

// LaneTable says what the lanes show, for those who do not see them.
type LaneTable struct {
	app.Compo
	View *lanesView
}

// Render draws it.
func (t *LaneTable) Render() app.UI {
	return el("details", at{"class=twin", "id=lane-table"},
		el("summary", nil, textTiered.table),
		wrapped(textTiered.table,
			el("table", at{"class=data"},
				el("caption", at{"class=vh"}, textTiered.table),
				headRow(1, textTiered.colTime, textTiered.colLocal, textTiered.colAlone, textTiered.colRemote, textTiered.colDangling, textTiered.colSegments, textTiered.colWhat),
				el("tbody", nil, each(t.View.Table, func(r *report.LaneTableRow) app.UI {
					return tableRow(r.Clock, r.Local, r.Alone, r.Remote, r.Dangling, r.Segments, r.What)
				})),
			)),
	)
}

// wrapped is a table that scrolls by itself.
func wrapped(label string, table app.UI) app.UI {
	return el("div", at{"class=wrap", "tabindex=0", "role=region", "aria-label=" + label}, table)
}

// headRow is the heads of columns; those from a place on but the last are of numbers.
func headRow(numbers int, names ...string) app.UI {
	var heads []app.UI
	for i, name := range names {
		class := ""
		if i >= numbers && i < len(names)-1 {
			class = "class=n"
		}
		heads = append(heads, el("th", at{"scope=col", class}, name))
	}
	return el("thead", nil, el("tr", nil, heads))
}

// tableRow is a row: a head, numbers, and words.
func tableRow(head string, cells ...string) app.UI {
	row := []app.UI{el("th", at{"scope=row"}, head)}
	for i, cell := range cells {
		class := ""
		if i < len(cells)-1 {
			class = "class=n"
		}
		row = append(row, el("td", at{class}, cell))
	}
	return el("tr", nil, row)
}

package app

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/report"
)

// Checking says how far the check is. It is apart from the panel, which is not drawn again for that.
type Checking struct {
	app.Compo
	Says string
}

// Render draws it.
func (c *Checking) Render() app.UI {
	if c.Says == "" {
		return el("div", nil)
	}
	return el("div", nil, el("p", at{"class=notice you", "id=checking"}, c.Says))
}

// Metadata is the check of the metadata topic.
type Metadata struct {
	app.Compo
	Page *Root
	View *metadataView
}

// Render draws it. Events of its fields are heard here.
func (m *Metadata) Render() app.UI {
	v := m.View
	var sign, would, problems any
	if v.There {
		sign = v.sign()
	}
	if v.If {
		would = el("p", at{"class=small"}, el("b", nil, textTiered.metaIf))
	}
	if len(v.Problems) > 0 {
		problems = el("div", at{"class=notice bad", "id=meta-problems"}, el("div", nil,
			el("p", nil, textTiered.noCheck),
			el("ul", at{"class=lines"}, each(v.Problems[:min(len(v.Problems), maxLines)], func(p *string) app.UI { return el("li", nil, *p) }))))
	}
	class := "class=found"
	if v.Old && v.There {
		class += " stale"
	}
	var found any
	if v.There {
		found = el("div", at{class},
			el("p", at{"class=lede"}, v.Lede),
			m.lives(),
			el("div", at{"class=pair"},
				el("div", at{"class=sub wide-gap"}, m.steps(), m.least()),
				el("div", at{"class=sub wide-gap"}, m.card(), m.restart(), m.risks(), m.traps()),
			),
		)
	}
	return el("section", at{"class=block", "id=meta", "tabindex=-1", "aria-labelledby=h-meta"},
		el("div", at{"class=row split"}, el("h2", at{"id=h-meta"}, textTiered.meta), sign),
		problems, would, found,
	).On("input", m.onInput).On("click", m.onClick).On("keydown", m.onKey)
}

func (m *Metadata) onInput(ctx app.Context, e app.Event) {
	field := e.Get("target")
	if name := field.Get("name"); name.Truthy() {
		m.Page.typed(ctx, name.String(), field.Get("value").String())
	}
}

func (m *Metadata) onClick(ctx app.Context, e app.Event) { m.Page.act(ctx, e) }

func (m *Metadata) onKey(ctx app.Context, e app.Event) { (&Form{Page: m.Page}).onKey(ctx, e) }

func (m *Metadata) lives() any {
	if m.View.Lives == "" {
		return nil
	}
	return el("figure", nil, app.Raw(m.View.Lives),
		el("ul", at{"class=key", "aria-label=" + text.key}, each(m.View.LivesKey, func(k *keyView) app.UI { return el("li", nil, app.Raw(k.Swatch), k.Label) })))
}

// steps is how the example comes to dangle, or does not.
func (m *Metadata) steps() app.UI {
	return el("ol", at{"class=chain"}, each(m.View.Steps, func(s *report.MetadataStep) app.UI {
		class := ""
		if s.Now {
			class = "class=now"
		}
		return el("li", at{class}, el("span", nil, s.Words))
	}))
}

// card is the settings, and what each retention costs.
func (m *Metadata) card() app.UI {
	v := m.View
	return el("div", at{"class=card"},
		el("h3", nil, textTiered.card),
		&Field{View: v.Fields[0]},
		&Field{View: v.Fields[3]},
		el("table", at{"class=data"},
			el("caption", at{"class=cap"}, v.DiskCaption),
			el("thead", nil, el("tr", nil, el("th", at{"scope=col"}, textTiered.colWhich), el("th", at{"scope=col"}, textTiered.colRetention),
				el("th", at{"scope=col", "class=n"}, textTiered.colBroker), el("th", at{"scope=col", "class=n wide"}, textTiered.colAll))),
			el("tbody", nil, each(v.Disks, func(d *diskRow) app.UI {
				return el("tr", nil, el("th", at{"scope=row"}, d.Name), el("td", nil, d.Kept), el("td", at{"class=n"}, d.Broker), el("td", at{"class=n wide"}, d.All))
			})),
		),
		el("div", at{"class=row"}, actionButtons(v.Actions, "")),
	)
}

// least is the sum of the least retention, and what is not in it.
func (m *Metadata) least() app.UI {
	v := m.View
	term := func(t *termRow) app.UI {
		return el("tr", nil, el("th", at{"scope=row"}, t.Name, el("span", at{"class=under"}, t.Why+" ", el("code", nil, t.Keys))), el("td", at{"class=n"}, t.Time))
	}
	var sum, none any
	if v.Sum != "" {
		sum = el("tfoot", nil, el("tr", nil, el("th", at{"scope=row"}, textTiered.leastSum, el("span", at{"class=under"}, v.Advised)),
			el("td", at{"class=n", "id=least"}, v.Sum, el("span", at{"class=under"}, v.SumExact))))
	} else {
		none = el("p", at{"class=notice warn", "id=least"}, v.LeastNone)
	}
	return el("div", at{"class=sub"},
		el("h3", nil, textTiered.least),
		none,
		el("table", at{"class=data terms"},
			el("caption", at{"class=vh"}, textTiered.least),
			el("thead", nil, el("tr", nil, el("th", at{"scope=col"}, textTiered.term), el("th", at{"scope=col", "class=n"}, textTiered.termTime))),
			el("tbody", nil, each(v.Terms, term)),
			sum,
		),
		el("details", at{"class=twin"}, el("summary", nil, textTiered.notCounted),
			el("ul", at{"class=lines"}, each(v.Without, func(t *termRow) app.UI {
				return el("li", nil, el("b", nil, t.Name+". "), t.Why+" ", el("code", nil, t.Keys))
			}))),
	)
}

// restart is what dangles after a restart.
func (m *Metadata) restart() app.UI {
	v := m.View
	var curve any
	if v.Curve != "" {
		curve = el("figure", nil,
			app.Raw(v.Curve),
			el("div", at{"class=scrub"}, el("span", nil),
				&Slider{Page: m.Page, ID: "restart-at", Key: "restart.all", Label: textTiered.restartAt, Min: "0", Max: v.Until, Step: v.Step, At: v.RestartAt, Says: v.RestartSays}),
		)
	}
	return el("div", at{"class=sub"},
		el("h3", nil, textTiered.restart),
		el("p", at{"id=restart"}, v.Restart),
		curve,
		&Field{View: v.Fields[1]},
		&Field{View: v.Fields[2]},
	)
}

// risks is the topics, where there are several.
func (m *Metadata) risks() any {
	if len(m.View.Risks) == 0 {
		return nil
	}
	return el("div", at{"class=sub"},
		el("h3", nil, textTiered.risks),
		wrapped(textTiered.risks, el("table", at{"class=data", "id=risks"},
			el("caption", at{"class=vh"}, textTiered.risks),
			headRow(1, textTiered.riskTopic, textTiered.riskParts, textTiered.riskSegments, textTiered.riskBytes, textTiered.riskFirst),
			el("tbody", nil, each(m.View.Risks, func(r *riskRow) app.UI { return tableRow(r.Topic, r.Partitions, r.Segments, r.Bytes, r.First) })),
		)))
}

// traps is what makes a retention unsafe that looks safe.
func (m *Metadata) traps() any {
	v := m.View
	title := textTiered.trap1
	switch n := len(v.Traps); {
	case n == 0:
		return nil
	case n > 1:
		title = fmt.Sprintf(textTiered.trapN, n)
	}
	return el("div", at{"class=sub", "id=traps"}, el("h3", nil, title), el("ul", at{"class=finds"}, each(v.Traps[:min(len(v.Traps), maxLines)], (*findingView).draw)))
}

// Topics is the further topics that are checked together.
type Topics struct {
	app.Compo
	Page *Root
	View *tieredTopicsView

	focus string // what gets the focus once it is drawn
}

// OnUpdate gives the focus to what was added.
func (t *Topics) OnUpdate(ctx app.Context) {
	if id := t.focus; id != "" {
		t.focus = ""
		ctx.Defer(func(app.Context) { focusOn(id) })
	}
}

// Render draws it.
func (t *Topics) Render() app.UI {
	v := t.View
	var more, many, says any
	if v.More != "" {
		more = el("p", at{"class=cap"}, v.More)
	}
	if v.Many != "" {
		many = el("p", at{"class=small", "id=topics-many"}, v.Many)
	}
	if v.Says != "" {
		says = el("p", at{"class=small", "id=topics-says"}, v.Says)
	}
	return el("section", at{"class=block", "id=topics", "aria-labelledby=h-topics"},
		el("h2", at{"id=h-topics"}, textTiered.topics),
		el("p", at{"class=cap"}, textTiered.topicsSays),
		many,
		el("div", at{"class=topic-rows"}, each(v.Rows, func(r *topicFields) app.UI { return &TopicRow{View: *r} })),
		more,
		el("div", at{"class=row"}, action{Label: textTiered.addTopic, Act: "add-topic"}.button("")),
		el("details", at{"class=twin", "id=topics-text"},
			el("summary", nil, textTiered.asText),
			el("p", at{"class=cap", "id=topics-help"}, textTiered.asTextSays),
			&TopicsText{Text: v.Text},
			el("div", at{"class=row"}, action{Label: textTiered.useText, Act: "use-text"}.button("")),
		),
		el("div", at{"role=status"}, says),
	).On("input", t.onInput).On("click", t.onClick)
}

func (t *Topics) onInput(ctx app.Context, e app.Event) {
	field := e.Get("target")
	i, ok := number(field.Get("dataset").Get("i").String())
	if !ok || !field.Get("dataset").Get("i").Truthy() {
		return
	}
	t.Page.catchUp()
	t.Page.state.putTopic(int(i), field.Get("dataset").Get("key").String(), field.Get("value").String())
	t.Page.changed(ctx)
}

func (t *Topics) onClick(ctx app.Context, e app.Event) {
	act, key, _ := pressed(e)
	s := t.Page.state
	switch act {
	case "add-topic":
		s.addTopic()
		last := len(s.topicRows()) - 1
		t.focus = topicID(last, "")
	case "drop-topic":
		if i, ok := number(key); ok {
			s.dropTopic(int(i))
		}
	case "use-text":
		if e, ok := element("topics-lines"); ok {
			s.useText(e.Get("value").String())
		}
	default:
		return
	}
	t.Page.changed(ctx)
}

// TopicsText is the topics as text. What is being typed there stays until it is used.
type TopicsText struct {
	app.Compo
	Text string
}

// Render draws it.
func (t *TopicsText) Render() app.UI {
	return el("textarea", at{"id=topics-lines", "class=text mono", "rows=6", "spellcheck=false", "autocapitalize=off",
		"aria-label=" + textTiered.asText, "aria-describedby=topics-help"}, t.Text)
}

// OnUpdate follows the topics.
func (t *TopicsText) OnUpdate(ctx app.Context) {
	ctx.Defer(func(app.Context) { setValue("topics-lines", t.Text) })
}

// TopicRow is the fields of a topic.
type TopicRow struct {
	app.Compo
	View topicFields
}

func topicID(i int, key string) string {
	if key == rawKey {
		key = "others"
	}
	return "t-" + digits(int64(i)) + "-" + key
}

// Render draws it.
func (t *TopicRow) Render() app.UI {
	v := &t.View
	i := digits(int64(v.I))
	field := func(f *topicField) app.UI {
		id := topicID(v.I, f.Key)
		hint := ""
		if f.Key != "" {
			hint = "placeholder=" + textTiered.blank
		}
		return el("span", at{"class=topic-field"},
			el("label", at{"for=" + id, "class=cap"}, f.Label),
			el("input", at{"id=" + id, "class=text", "type=text", "spellcheck=false", "autocomplete=off", "autocapitalize=off", hint,
				"data-i=" + i, "data-key=" + f.Key, "aria-describedby=" + topicID(v.I, "err"), attrValue + f.Text}))
	}
	return el("fieldset", at{"class=topic-row"},
		el("legend", at{"class=vh"}, v.Name),
		each(v.Fields, field),
		action{Label: "✕", Act: "drop-topic", Key: i}.labelled(fmt.Sprintf(textTiered.dropTopic, v.Name)),
		el("div", at{"class=err-list", "id=" + topicID(v.I, "err")}, each(v.Problems, func(p *string) app.UI { return el("p", at{"class=notice err-line"}, *p) })),
	)
}

// labelled is a button whose sign has a name.
func (a action) labelled(name string) app.UI {
	return el("button", at{"type=button", "class=icon", "aria-label=" + name, "data-act=" + a.Act, "data-key=" + a.Key}, a.Label)
}

// OnMount and OnUpdate set what the fields hold; see [Field].
func (t *TopicRow) OnMount(app.Context) { t.sync() }

// OnUpdate follows the view.
func (t *TopicRow) OnUpdate(ctx app.Context) { ctx.Defer(func(app.Context) { t.sync() }) }

func (t *TopicRow) sync() {
	for _, f := range t.View.Fields {
		setValue(topicID(t.View.I, f.Key), f.Text)
	}
}

// curveSays says what the curve shows.
func curveSays(c *report.DanglingCurve) string {
	return fmt.Sprintf(textTiered.curve, report.SizeText(c.Max))
}

package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/provider"
	"github.com/partsize/partsize/calc/report"
)

// service is the view of a managed service: the settings stay beside it.
func (r *Root) service() app.UI {
	s := r.state
	d := s.serviceDetails()
	return el("main", at{"class=page two", "id=answer", "tabindex=-1"},
		el("div", at{"class=main a"},
			el("h1", at{"class=vh"}, serviceText.heading),
			r.spoken(),
			&ServiceHead{Page: r, View: d.head, Warnings: &noticesView{s.notices()}},
			&ServiceFinds{Page: r, View: d.finds},
		),
		&Form{Page: r, View: s.form()},
		el("div", at{"class=main b"},
			&ServiceAccount{Page: r, View: d.account, Ask: d.ask, Topics: d.topics},
			&ServiceDisk{Page: r, View: d.disk, Topics: d.topics},
			&ServiceGrowth{Page: r, View: d.growth},
			&ServiceChart{View: d.chart},
			&ServiceOthers{Page: r, View: d.others},
			&ServiceTable{Page: r, View: s.servicesView()},
		),
	)
}

// serviceDetails is what the view draws.
type serviceDetails struct {
	head    *serviceHeadView
	finds   *serviceFindsView
	chart   *drawingView
	account *accountView
	ask     *askView
	topics  *topicsView // beside what is reserved, or the disk
	others  *topicsView // by themselves
	disk    *diskView
	growth  *growthView
	pinned  *pinnedView
}

func (s *state) serviceDetails() *serviceDetails {
	if d := s.views.details.service; d != nil {
		return d
	}
	a := s.atService()
	d := &serviceDetails{}
	if last := s.serving.draws; a.wait && !a.nothing && last != nil {
		*d = *last // what was there stands for what is not there yet
		d.topics, d.others = nil, nil
	} else {
		d.finds, d.chart, d.account, d.disk, d.growth = s.serviceFinds(), s.serviceChart(), s.accountView(), s.diskView(), s.growthView()
	}
	d.head, d.ask = s.serviceHead(), s.askView()
	switch {
	case d.account != nil || d.disk != nil:
		d.topics = s.topicsView()
	case !a.plain():
		d.others = s.topicsView()
	}
	d.pinned = &pinnedView{Findings: d.finds.Title}
	if !a.nothing {
		d.pinned.Peak = upper(a.decides.Effect.String())
	}
	if f := d.head.Figures; len(f) > 0 {
		d.pinned.Band = f[0].Label + " " + f[0].Value + " " + f[0].Unit
	}
	if s.views.details.service = d; !a.wait {
		s.serving.draws = d
	}
	return d
}

// put changes what the view keeps.
func (r *Root) put(ctx app.Context, key, value string) {
	r.catchUp()
	r.state.put(key, value)
	r.changed(ctx)
}

func (r *Root) pick(ctx app.Context, service, plan string) {
	r.catchUp()
	r.state.pick(service, plan)
	r.changed(ctx)
}

// actService does what a button of the view says; false: it is not one of its own.
func (r *Root) actService(ctx app.Context, act, key, value string) bool {
	switch act {
	case pickService:
		r.pick(ctx, key, value)
	case setTopic:
		name, setting, _ := strings.Cut(key, ":")
		r.catchUp()
		r.state.setOther(name, setting, value)
		r.changed(ctx)
	case deleteTopics:
		r.catchUp()
		r.state.deleteOthers(strings.Fields(key))
		r.changed(ctx)
	default:
		return false
	}
	return true
}

// heard is what was typed into a field of the view, or chosen.
func (r *Root) heard(ctx app.Context, e app.Event) {
	field := e.Get("target")
	name := field.Get("name")
	if !name.Truthy() {
		return
	}
	value := field.Get("value").String()
	switch key := name.String(); key {
	case serviceKey:
		r.pick(ctx, value, "")
	case topicsKey:
		r.catchUp()
		r.state.list(value)
		r.changed(ctx)
	case askTopicKey, whyTopicKey:
		if value == thisOne {
			value = ""
		}
		r.put(ctx, key, value)
	default:
		if !placeKey(key) {
			r.typed(ctx, key, value)
			return
		}
		if key != planKey && value == r.state.optionDefault(key) {
			value = ""
		}
		r.put(ctx, key, value)
	}
}

// optionDefault is what holds for an option when nothing is given.
func (s *state) optionDefault(key string) string {
	for _, p := range s.atService().request.Plan().Options {
		if p.Key == key {
			return p.Value
		}
	}
	if o, ok := provider.OptionOf(key); ok {
		return o.Default
	}
	return ""
}

// ServiceHead is which service, what is given about the instance, and what comes of it.
type ServiceHead struct {
	app.Compo
	Page     *Root
	View     *serviceHeadView
	Warnings *noticesView
}

type noticesView struct{ List []notice }

// Render draws it.
func (h *ServiceHead) Render() app.UI {
	v := h.View
	class := "class=answer service-head"
	if v.Stale {
		class += " old"
	}
	var plans, fields, figures any
	if len(v.Plans) > 1 {
		plans = []app.UI{el("label", at{"for=plan"}, serviceText.plan), chooser("plan", planKey, "", v.Plans, v.Plan)}
	}
	if len(v.Fields) > 0 {
		fields = el("fieldset", at{"class=options"}, el("legend", nil, serviceText.stored),
			el("div", at{"class=option-fields"}, each(v.Fields, func(f **fieldView) app.UI { return &Field{View: *f} })))
	}
	if len(v.Figures) > 0 {
		figures = el("dl", at{"class=figures"}, each(v.Figures, (*figure).draw))
	}
	return el("section", at{class, "aria-label=" + text.answer},
		el("div", at{"class=row"}, el("label", at{"for=service"}, serviceText.pick), chooser("service", serviceKey, "", v.Names, v.ID), plans),
		el("p", at{"class=sentence", "id=sentence"}, el("span", at{"class=verdict"}, app.Raw(v.Icon)), " ", v.Words),
		figures,
		el("div", at{"class=notices", "id=notices"}, each(v.Notices, (*notice).draw), each(h.Warnings.List, (*notice).draw)),
		fields,
	).On("input", h.onInput).On("click", h.onClick)
}

func (h *ServiceHead) onInput(ctx app.Context, e app.Event) { h.Page.heard(ctx, e) }
func (h *ServiceHead) onClick(ctx app.Context, e app.Event) { h.Page.act(ctx, e) }

// OnMount and OnUpdate set the choices, see [Stay.OnMount].
func (h *ServiceHead) OnMount(app.Context) { h.sync() }

// OnUpdate follows the view.
func (h *ServiceHead) OnUpdate(ctx app.Context) { ctx.Defer(func(app.Context) { h.sync() }) }

func (h *ServiceHead) sync() {
	setValue("service", h.View.ID)
	setValue("plan", h.View.Plan)
}

// chooser is a select of names.
func chooser(id, name, label string, all []idName, chosen string) app.UI {
	if label != "" {
		label = "aria-label=" + label
	}
	return el("select", at{"id=" + id, "name=" + name, label}, each(all, func(n *idName) app.UI {
		selected := ""
		if n.ID == chosen {
			selected = "SELECTED=selected"
		}
		return el("option", at{attrValue + n.ID, selected}, n.Name)
	}))
}

// Chooser is a select of names that may be many: it is drawn again only when they are others, or another one is chosen.
type Chooser struct {
	app.Compo
	ID, Name string
	All      *[]idName
	Chosen   string
}

// thisOne stands in a choice for the page's topic, which has no name: a choice without a value would have its words for one.
// It can be no topic's name.
const thisOne = "."

// Render draws it.
func (c *Chooser) Render() app.UI {
	all := slices.Clone(*c.All)
	for i := range all {
		all[i].ID = cmp.Or(all[i].ID, thisOne)
	}
	return chooser(c.ID, c.Name, "", all, cmp.Or(c.Chosen, thisOne))
}

// OnMount and OnUpdate set the choice, see [Stay.OnMount].
func (c *Chooser) OnMount(app.Context) { setValue(c.ID, cmp.Or(c.Chosen, thisOne)) }

// OnUpdate follows the choice.
func (c *Chooser) OnUpdate(ctx app.Context) {
	ctx.Defer(func(app.Context) { setValue(c.ID, cmp.Or(c.Chosen, thisOne)) })
}

// ServiceFinds is what the picked service's rules say.
type ServiceFinds struct {
	app.Compo
	Page *Root
	View *serviceFindsView
}

// Render draws them.
func (f *ServiceFinds) Render() app.UI {
	v := f.View
	return el("section", at{"class=block", "id=findings", "aria-labelledby=h-find"},
		el("div", at{"class=row split"}, el("h2", at{"id=h-find", "tabindex=-1"}, v.Title), rulesLink()),
		el("ul", at{"class=finds"}, each(v.List, (*serviceFind).draw)),
	).On("click", f.onClick)
}

func (f *ServiceFinds) onClick(ctx app.Context, e app.Event) { f.Page.act(ctx, e) }

func (f *serviceFind) draw() app.UI {
	var err, row any
	if f.Error != "" {
		err = el("p", nil, serviceText.error, el("code", nil, f.Error), ".")
	}
	if len(f.Actions) > 0 {
		row = el("div", at{"class=row"}, actionButtons(f.Actions, ""))
	}
	return el("li", at{"class=find"}, app.Raw(f.Icon),
		el("div", nil, el("h3", nil, f.Title), el("p", nil, f.Words), err, row, each(f.Ways, way), sourceOf(f.Source)),
	)
}

func way(words *string) app.UI { return el("p", nil, serviceText.waysOut+*words) }

// sourceOf is the page that says it, when it was read and how well.
func sourceOf(s *provider.Source) app.UI {
	if s == nil {
		return el("span", nil)
	}
	class := "class=cap"
	if s.Confidence == provider.Unverified {
		class = "class=cap doubt"
	}
	return el("p", at{class}, outside(s.URL, s.Title), " · "+sourceRead(s))
}

func sourceRead(s *provider.Source) string {
	says := fmt.Sprintf(serviceText.readOn, s.Read, s.Confidence)
	if s.Edition != "" {
		says = s.Edition + " · " + says
	}
	return says
}

// rulesLink leads to the page of all rules, which is none of the program's.
func rulesLink() app.UI {
	return el("a", at{"href=" + serviceText.rulesPage, "class=small", "target=_blank"}, serviceText.allRules)
}

func outside(url, title string) app.UI {
	return el("a", at{"href=" + url, "target=_blank", "rel=noreferrer"}, title)
}

// Drawing is a drawing with levels, its key and its table.
type Drawing struct {
	app.Compo
	ID   string
	View *drawingView
}

// Render draws it.
func (d *Drawing) Render() app.UI {
	v := d.View
	var levels, table any
	if len(v.Levels) > 0 {
		levels = el("ul", at{"class=levels small", "aria-label=" + serviceText.levels}, each(v.Levels, func(l *levelView) app.UI {
			return el("li", nil, app.Raw(`<span class="ic">`+l.Icon+`</span>`), el("b", nil, l.Name), " ", el("span", nil, l.Bytes), " ", el("span", nil, l.Says))
		}))
	}
	if len(v.Rows) > 0 {
		table = el("details", at{"class=twin", "id=" + d.ID + "-table"},
			el("summary", nil, serviceText.tableOf),
			el("div", at{"class=wrap", "tabindex=0", "role=region", "aria-label=" + serviceText.tableOf + " " + d.ID}, dataTable(serviceText.tableOf, v.Heads, v.Rows)),
		)
	}
	return el("div", at{"class=legend"},
		app.Raw(`<div class="drawings">`+v.Drawing+"</div>"),
		el("ul", at{"class=key", "aria-label=" + text.key}, each(v.Key, func(k *keyView) app.UI { return el("li", nil, app.Raw(k.Swatch), k.Label) })),
		levels,
		each(v.Notes, func(n *string) app.UI { return el("p", at{"class=small"}, *n) }),
		table,
	)
}

// dataTable is a table whose first column names the row.
func dataTable(caption string, heads []string, rows [][]string) app.UI {
	return el("table", at{"class=data"},
		el("caption", at{"class=vh"}, caption),
		el("thead", nil, el("tr", nil, each(heads, func(h *string) app.UI { return el("th", at{"scope=col"}, *h) }))),
		el("tbody", nil, each(rows, func(row *[]string) app.UI {
			cells := []app.UI{el("th", at{"scope=row"}, (*row)[0])}
			for _, cell := range (*row)[1:] {
				cells = append(cells, el("td", nil, cell))
			}
			return el("tr", nil, cells)
		})),
	)
}

// ServiceChart is one replica on its disk with the levels.
type ServiceChart struct {
	app.Compo
	View *drawingView
}

// Render draws it.
func (c *ServiceChart) Render() app.UI {
	if c.View == nil {
		return el("div", at{"hidden=true"})
	}
	return el("section", at{"class=block", "id=service-chart", "aria-labelledby=h-chart"},
		el("h2", at{"id=h-chart"}, serviceText.chart), &Drawing{ID: "levels", View: c.View})
}

// ServiceAccount is what is reserved, what the service would say, and the other topics.
type ServiceAccount struct {
	app.Compo
	Page   *Root
	View   *accountView
	Ask    *askView
	Topics *topicsView
}

// Render draws it.
func (a *ServiceAccount) Render() app.UI {
	v := a.View
	if v == nil {
		return el("div", at{"hidden=true"})
	}
	var daily, more, metric, assumed any
	if v.Assumed != "" {
		assumed = el("p", at{"class=cap"}, v.Assumed)
	}
	if v.Metric != "" {
		metric = el("p", at{"class=cap"}, serviceText.metric, el("code", nil, v.Metric), ".")
	}
	if v.Daily != "" {
		daily = el("div", at{"class=notice"}, el("span", nil, v.Daily), actionButtons(v.Actions, ""))
	}
	if v.More != "" {
		more = el("p", at{"class=small"}, v.More)
	}
	return el("section", at{"class=block", "id=account", "aria-labelledby=h-account"},
		el("h2", at{"id=h-account"}, serviceText.account),
		app.Raw("<div>"+v.Bars+"</div>"),
		el("ul", at{"class=key", "aria-label=" + text.key}, each(v.Key, func(k *keyView) app.UI { return el("li", nil, app.Raw(k.Swatch), k.Label) })),
		each(v.Says, func(says *string) app.UI { return el("p", nil, *says) }),
		daily,
		el("div", at{"class=pair"},
			el("div", at{"class=legend"}, a.receipt(), a.table(), assumed, more, metric),
			el("div", at{"class=legend"}, a.ask(), &ServiceTopics{Page: a.Page, View: a.Topics}),
		),
	).On("input", a.onInput).On("click", a.onClick)
}

func (a *ServiceAccount) onInput(ctx app.Context, e app.Event) { a.Page.heard(ctx, e) }
func (a *ServiceAccount) onClick(ctx app.Context, e app.Event) { a.Page.act(ctx, e) }

func (a *ServiceAccount) receipt() app.UI {
	v := a.View
	row := func(l *report.ReceiptLine) app.UI {
		return el("tr", nil, el("th", at{"scope=row"}, withKeys(l.What)), el("td", nil, l.Amount))
	}
	return el("div", at{"class=receipt"}, el("h3", nil, serviceText.adds),
		el("table", nil, el("tbody", nil, each(v.Terms, row)),
			el("tfoot", nil, el("tr", nil, el("th", at{"scope=row"}, v.Total.What, el("span", nil, v.Total.Note)), el("td", nil, v.Total.Amount)))))
}

func (a *ServiceAccount) table() app.UI {
	heads := []string{serviceText.topic, serviceText.partitions, serviceText.each2, serviceText.total, serviceText.percent, serviceText.more}
	return el("div", at{"class=wrap", "tabindex=0", "role=region", "aria-label=" + serviceText.perTopic},
		el("table", at{"class=data stacked"}, el("caption", at{"class=vh"}, serviceText.perTopic),
			el("thead", nil, el("tr", nil, each(heads, func(h *string) app.UI { return el("th", at{"scope=col"}, *h) }))),
			el("tbody", nil, each(a.View.Topics, func(t *reservedView) app.UI {
				var ignored any
				if t.Ignored != "" {
					ignored = el("div", at{"class=cap"}, t.Ignored)
				}
				cells := []app.UI{el("th", at{"scope=row"}, t.Name, ignored)}
				for i, text := range [...]string{t.Partitions, t.Each, t.Total, t.Percent, t.Fit} {
					// On a phone a topic is a block, and each of its numbers has its name beside it.
					cells = append(cells, el("td", at{"class=n"}, el("span", at{"class=lab"}, heads[i+1]+" "), text))
				}
				return el("tr", nil, cells)
			}))))
}

func (a *ServiceAccount) ask() app.UI {
	v := a.Ask
	if v == nil {
		return el("div", at{"hidden=true"})
	}
	var which any
	if len(*v.Topics) > 1 {
		which = el("div", at{"class=row"}, el("label", at{"for=ask-topic", "class=small"}, serviceText.askTopic), &Chooser{ID: "ask-topic", Name: askTopicKey, All: v.Topics, Chosen: v.Topic})
	}
	return el("div", at{"class=card", "id=ask"},
		el("h3", nil, serviceText.ask),
		question("ask-create", askCreateKey, serviceText.askCreate, serviceText.askCreateHelp, v.Create, v.Created),
		which,
		question("ask-add", askAddKey, serviceText.askAdd, "", v.Add, v.Added),
		question("ask-set", askSetKey, serviceText.askSet, serviceText.askSetHelp, v.Set, v.Answered),
	)
}

// question is a field with what the service says to it.
func question(id, name, label, help, value string, said *admissionView) app.UI {
	var answer, hint any
	invalid := ""
	if help != "" {
		hint = el("p", at{"class=cap", "id=" + id + "-hint"}, help)
	}
	if said != nil {
		switch {
		case said.Problem != "":
			invalid = "aria-invalid=true"
			answer = el("p", at{"class=err"}, said.Problem)
		default:
			answer = el("div", at{"class=legend small"},
				el("p", nil, el("span", at{"class=verdict"}, app.Raw(said.Icon), said.Title), " ", said.Words),
				each(said.Ways, way), el("div", at{"class=row"}, actionButtons(said.Actions, "")))
		}
	}
	described := ""
	if help != "" {
		described = "aria-describedby=" + id + "-hint"
	}
	return el("div", at{"class=question"},
		el("label", at{"for=" + id, "class=small"}, label),
		&Typed{ID: id, Name: name, Value: value, More: invalid, Described: described},
		hint, answer)
}

// Typed is a field whose text follows the state, where the reader has not just typed it.
type Typed struct {
	app.Compo
	ID, Name, Value, More, Described string
	Lines                            bool // it holds several
}

// Render draws it.
func (t *Typed) Render() app.UI {
	common := at{"id=" + t.ID, "name=" + t.Name, t.More, t.Described, "spellcheck=false", "autocomplete=off", "autocapitalize=off"}
	if t.Lines {
		return el("textarea", append(common, "class=text mono", "rows=6"), t.Value)
	}
	return el("input", append(common, "type=text", "class=text", attrValue+t.Value))
}

// OnMount sets what the field holds; see [Field.OnMount].
func (t *Typed) OnMount(app.Context) { setValue(t.ID, t.Value) }

// OnUpdate follows the value.
func (t *Typed) OnUpdate(ctx app.Context) {
	ctx.Defer(func(app.Context) { setValue(t.ID, t.Value) })
}

// ServiceTopics is the other topics of the instance.
type ServiceTopics struct {
	app.Compo
	Page *Root
	View *topicsView
}

// Render draws it.
func (t *ServiceTopics) Render() app.UI {
	v := t.View
	var long, internal any
	if v.Internal != "" {
		internal = el("p", at{"class=small"}, v.Internal)
	}
	if v.TooLong != "" {
		long = el("p", at{"class=notice warn"}, v.TooLong)
	}
	return el("div", at{"class=card"},
		el("label", at{"for=topics"}, el("b", at{"class=small"}, serviceText.others)),
		el("p", at{"class=cap", "id=topics-help"}, serviceText.othersHelp),
		&Typed{ID: "topics", Name: topicsKey, Value: v.Text, Lines: true, Described: "aria-describedby=topics-help"},
		el("p", at{"class=small"}, v.Says), internal,
		each(v.Problems, func(p *string) app.UI { return el("p", at{"class=err"}, *p) }),
		long)
}

// ServiceOthers is the other topics where nothing else of the view is about them.
type ServiceOthers struct {
	app.Compo
	Page *Root
	View *topicsView
}

// Render draws it.
func (o *ServiceOthers) Render() app.UI {
	if o.View == nil {
		return el("div", at{"hidden=true"})
	}
	return el("section", at{"class=block", "aria-label=" + serviceText.others}, &ServiceTopics{Page: o.Page, View: o.View}).On("input", o.onInput)
}

func (o *ServiceOthers) onInput(ctx app.Context, e app.Event) { o.Page.heard(ctx, e) }

// ServiceDisk is the disk of an instance as it is played.
type ServiceDisk struct {
	app.Compo
	Page   *Root
	View   *diskView
	Topics *topicsView
}

// Render draws it.
func (d *ServiceDisk) Render() app.UI {
	v := d.View
	if v == nil {
		return el("div", at{"hidden=true"})
	}
	body := []any{el("h2", at{"id=h-disk"}, serviceText.disk)}
	if v.Drawing == "" {
		body = append(body, el("p", at{"class=notice"}, el("span", nil, v.Needs), actionButtons(v.Missing, "")))
	} else {
		body = append(body, &Drawing{ID: "disk", View: &v.drawingView},
			el("div", at{"class=pair"},
				el("div", at{"class=legend"}, dataTable(serviceText.colKept, []string{serviceText.topic, serviceText.colKept, serviceText.colForced}, v.Kept),
					each(v.Assumed, func(a *string) app.UI { return el("p", at{"class=cap doubt"}, serviceText.assumed+*a+".") })),
				d.why(),
			))
	}
	body = append(body, &ServiceTopics{Page: d.Page, View: d.Topics})
	return el("section", at{"class=block", "id=disk", "aria-labelledby=h-disk"}, body...).On("input", d.onInput).On("click", d.onClick)
}

func (d *ServiceDisk) onInput(ctx app.Context, e app.Event) { d.Page.heard(ctx, e) }
func (d *ServiceDisk) onClick(ctx app.Context, e app.Event) { d.Page.act(ctx, e) }

func (d *ServiceDisk) why() app.UI {
	v := d.View.Why
	var which any
	if len(*v.Topics) > 1 {
		which = []app.UI{el("label", at{"for=why-topic", "class=small"}, serviceText.topic), &Chooser{ID: "why-topic", Name: whyTopicKey, All: v.Topics, Chosen: v.Topic}}
	}
	answer := el("div", nil, el("p", nil, v.Answer), el("p", at{"class=small"}, v.Segments))
	invalid := ""
	if v.Problem != "" {
		invalid, answer = "aria-invalid=true", el("p", at{"class=err"}, v.Problem)
	}
	return el("div", at{"class=card", "id=why-expired"}, el("h3", nil, serviceText.why), which,
		el("div", at{"class=row"},
			el("label", at{"for=why-record", "class=small"}, serviceText.whyRecord), &Typed{ID: "why-record", Name: whyRecordKey, Value: v.Record, More: invalid},
			el("label", at{"for=why-at", "class=small"}, serviceText.whyAt), &Typed{ID: "why-at", Name: whyAtKey, Value: v.At, More: invalid}),
		answer)
}

// ServiceGrowth is a disk that grows by steps, and what is on it.
type ServiceGrowth struct {
	app.Compo
	Page *Root
	View *growthView
}

// Render draws it.
func (g *ServiceGrowth) Render() app.UI {
	v := g.View
	if v == nil {
		return el("div", at{"hidden=true"})
	}
	body := []any{el("h2", at{"id=h-growth"}, serviceText.growth), el("p", nil, v.Says)}
	if v.Drawing == "" {
		body = append(body, el("div", at{"class=row"}, actionButtons(v.Ask, "")))
	} else {
		body = append(body, &Drawing{ID: "growth", View: &v.drawingView})
	}
	return el("section", at{"class=block", "id=growth", "aria-labelledby=h-growth"}, body...).On("click", g.onClick)
}

func (g *ServiceGrowth) onClick(ctx app.Context, e app.Event) { g.Page.act(ctx, e) }

package app

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/fleet"
	"github.com/partsize/partsize/calc/placement"
	"github.com/partsize/partsize/calc/report"
	"github.com/partsize/partsize/calc/scene"
)

// cluster is the view of a cluster.
func (r *Root) cluster() app.UI {
	s := r.state
	v := s.clusterScene()
	return el("main", at{"class=page two", "id=answer", "tabindex=-1"},
		el("div", at{"class=main a"},
			el("h1", at{"class=vh"}, clusterText.heading),
			r.spoken(),
			s.clusterAnswer(r, v),
			&ClusterDirs{Page: r, Scene: v, Link: s.fragment()},
		),
		&ClusterForm{Page: r, View: s.clusterForm()},
		el("div", at{"class=main b"}, &ClusterTables{Page: r, Tables: s.clusterTables(v), Link: s.fragment()}),
	)
}

// clusterScene is what is shown. Where the page is only rendered it is worked out at once.
func (s *state) clusterScene() *scene.Scene {
	c := &s.cluster
	if c.scene != nil || app.IsClient {
		return c.scene
	}
	var desk scene.Desk
	job := scene.Job{Form: formFile}
	files, _, ok := s.job()
	for _, f := range files {
		job.Files = append(job.Files, fleet.File{Name: f.name, Data: []byte(f.text)})
	}
	if ok {
		desk.Work(job, nil)
	}
	return desk.Look(s.clusterLook())
}

// clusterAnswer is the top of the view. It has only what it draws, so that it is not drawn again when the moment moves.
func (s *state) clusterAnswer(r *Root, v *scene.Scene) *ClusterAnswer {
	a := &ClusterAnswer{Page: r, Notices: s.clusterNotices(), Old: s.cluster.behind()}
	if v != nil {
		a.Sentence, a.Figures = v.Sentence, v.Figures
	}
	return a
}

// clusterTables are the tables, which follow the bars a moment later.
func (s *state) clusterTables(v *scene.Scene) []scene.Table {
	if app.IsClient || v == nil {
		return s.cluster.tables
	}
	return v.Tables
}

// behind reports whether what is shown is another cluster's than what is typed.
func (c *cluster) behind() bool { return c.working || c.stopped || c.wrong() }

// wrong reports whether what is typed cannot be worked out.
func (c *cluster) wrong() bool {
	return len(c.problems) > 0 || c.scene != nil && len(c.scene.Problems) > 0
}

// clusterNotices are what is wrong or under way, under the answer.
func (s *state) clusterNotices() (all []notice) {
	c := &s.cluster
	switch {
	case c.working:
		done := 0
		if c.all > 0 {
			done = c.done * 100 / c.all
		}
		says := fmt.Sprintf(clusterText.working, done)
		if c.scene != nil {
			says += " " + clusterText.old
		}
		all = append(all, notice{Class: "you", Words: plain("%s", says), Actions: []action{{Label: clusterText.stop, Act: "stop-cluster"}}})
	case c.stopped:
		all = append(all, notice{Class: "warn", Words: plain("%s", clusterText.stopped+clusterText.old)})
	}
	for _, says := range s.linkSays {
		all = append(all, notice{Class: "warn", Words: plain("%s", says), Actions: []action{{Label: text.dismiss, Act: "forget"}}})
	}
	if c.wrong() && !c.working && c.scene != nil && c.scene.Horizon > 0 {
		all = append(all, notice{Class: "err-line", Words: plain("%s", clusterText.hasProblems)})
	}
	if c.problem != "" {
		all = append(all, notice{Class: "err-line", Words: plain("%s", c.problem)})
	}
	if c.scene != nil {
		for _, p := range c.scene.Problems {
			all = append(all, notice{Class: "bad", Words: plain("%s", p.Text)})
		}
		for _, says := range c.scene.Notes {
			all = append(all, notice{Class: "warn", Words: plain("%s", says)})
		}
	}
	if len(c.files) > 0 {
		all = append(all, notice{Words: plain("%s", clusterText.pastedNot)})
	}
	return all
}

// ClusterAnswer is the sentence and the figures.
type ClusterAnswer struct {
	app.Compo
	Page     *Root
	Sentence report.Words
	Figures  []scene.Figure
	Notices  []notice
	Old      bool
}

// Render draws it.
func (a *ClusterAnswer) Render() app.UI {
	class := "class=answer"
	if a.Old {
		class += " old"
	}
	var sentence any = clusterText.waits
	var figures []app.UI
	if len(a.Sentence) > 0 {
		sentence = a.Sentence
	}
	for i, f := range a.Figures {
		lead := ""
		if i == 0 {
			lead = "class=lead"
		}
		figures = append(figures, el("div", at{lead}, el("dt", nil, f.Label),
			el("dd", nil, f.Value+" ", el("span", at{"class=u"}, f.Unit)), el("dd", at{"class=cap"}, f.Caption)))
	}
	return el("section", at{class, "aria-label=" + clusterText.answer},
		el("p", at{"class=sentence", "id=sentence"}, sentence),
		el("dl", at{"class=figures"}, figures),
		el("div", at{"class=notices", "id=notices"}, each(a.Notices, (*notice).draw)),
	).On("click", a.onClick)
}

func (a *ClusterAnswer) onClick(ctx app.Context, e app.Event) { a.Page.act(ctx, e) }

// ClusterDirs is the directories as bars, at a moment.
type ClusterDirs struct {
	app.Compo
	Page  *Root
	Scene *scene.Scene
	Link  string // of the present place; the rows lead from there
}

// Render draws them.
func (d *ClusterDirs) Render() app.UI {
	s := d.Scene
	if s == nil || s.Horizon == 0 {
		return el("section", at{"class=block", "aria-busy=true"})
	}
	var sky any
	if k := s.Skyline; k != nil {
		sky = el("figure", nil,
			el("figcaption", at{"class=cap"}, clusterText.skyHow),
			el("div", at{"id=skyline", "class=skyline"}, app.Raw(skylineSVG(k))).On("click", d.onSky),
		)
	}
	return el("section", at{"class=block", "aria-labelledby=cluster-title", "id=cluster-dirs"},
		d.crumbs(),
		el("div", at{"class=row split"},
			el("h2", at{"id=cluster-title", "tabindex=-1"}, s.Title),
			d.policies(),
		),
		sky,
		el("div", at{"class=scrub dirs-scrub"},
			el("span", at{"class=cap", "aria-hidden=true"}, "0"),
			&Slider{Page: d.Page, ID: "cluster-at", Label: clusterText.timeShown, Min: "0", Max: digits(int64(s.Horizon)),
				Step: digits(int64(s.Span)), At: digits(int64(s.At)), Says: s.Clock},
			el("span", at{"class=cap", "aria-hidden=true"}, report.Span(s.Horizon)),
		),
		el("p", at{"class=readout"}, el("b", nil, s.Clock), el("span", nil, s.Readout)),
		el("div", at{"class=dirs", "id=dirs"}, d.rows()),
		d.pages(len(s.Rows)),
		d.key(),
		el("details", at{"class=twin", "id=cluster-twin"}, el("summary", nil, clusterText.twin), tableOf(d.Page, &s.Twin)),
	).On("click", d.onClick)
}

func (d *ClusterDirs) onClick(ctx app.Context, e app.Event) { d.Page.act(ctx, e) }

func (d *ClusterDirs) crumbs() app.UI {
	var items []any
	for i, c := range d.Scene.Crumbs {
		if i == len(d.Scene.Crumbs)-1 {
			items = append(items, el("li", at{"aria-current=page"}, c.Label))
			continue
		}
		items = append(items, el("li", nil, d.Page.clusterAnchor(c.Label, c.Where, 0)))
	}
	return el("nav", at{"class=crumbs", "aria-label=" + clusterText.where}, el("ol", nil, items...))
}

// clusterAnchor is a link to a place within the cluster.
func (r *Root) clusterAnchor(label, where string, from int) app.UI {
	link := r.state.clusterLink(where, from)
	return el("a", at{"href=#" + link}, label).
		On("click", func(_ app.Context, e app.Event) { r.state.cluster.focus = true; goTo(e, link) }, app.EventScope(link))
}

// policies is the choice of how directories are chosen.
func (d *ClusterDirs) policies() app.UI {
	labels := [...]string{clusterText.kafka, clusterText.byBytes, clusterText.byLoad}
	var buttons []any
	for _, p := range placement.Policies() {
		value := p.String()
		if p == placement.FewestLogs {
			value = ""
		}
		buttons = append(buttons, el("button", at{"type=button", "aria-pressed=" + onOff(d.Scene.Policy == p.String()), "data-act=place", "data-value=" + value}, labels[p]))
	}
	return el("div", at{"class=seg-ctl", "role=group", "aria-label=" + clusterText.placement}, buttons...)
}

// rows are the bars, with a heading for each broker.
func (d *ClusterDirs) rows() (all []app.UI) {
	for i := range d.Scene.Rows {
		row := &d.Scene.Rows[i]
		if row.Group != "" {
			all = append(all, el("h3", nil, row.Group, el("span", at{"class=cap"}, " "+row.GroupCap)))
		}
		class := "class=dir"
		if row.First {
			class += " first"
		}
		name := app.UI(el("span", nil, row.Label))
		if len(d.Scene.Crumbs) < 3 {
			name = d.Page.clusterAnchor(row.Label, row.Where, 0)
		}
		all = append(all, el("div", at{class}, name, app.Raw(barSVG(row)), el("span", at{"class=r"}, row.Right, el("span", at{"class=cap"}, row.Cap))))
	}
	return all
}

// pages leads through rows of which only some are shown.
func (d *ClusterDirs) pages(shown int) any {
	s := d.Scene
	if len(s.Crumbs) == 3 {
		shown = 50 // replicas
	}
	if shown == 0 || s.All <= shown && s.From == 0 {
		return nil
	}
	where := s.Crumbs[len(s.Crumbs)-1].Where
	var back, on any
	if s.From > 0 {
		back = d.Page.clusterAnchor(clusterText.earlier, where, max(0, s.From-shown))
	}
	if s.From+shown < s.All {
		on = d.Page.clusterAnchor(clusterText.later, where, s.From+shown)
	}
	return el("p", at{"class=row small"}, el("span", nil, fmt.Sprintf(clusterText.from, s.From+1, min(s.From+shown, s.All), s.All)), back, on)
}

func (d *ClusterDirs) key() app.UI {
	var items []any
	for _, k := range d.Scene.Key {
		items = append(items, el("li", nil, app.Raw(tintSwatch(k.Tint)), k.Label))
	}
	items = append(items,
		el("li", nil, app.Raw(`<svg class="sw" aria-hidden="true"><rect class="room" x=".5" y=".5" width="11" height="11"></rect></svg>`), clusterText.keyFree),
		el("li", nil, app.Raw(`<svg class="sw" aria-hidden="true"><rect class="over" x=".5" y=".5" width="11" height="11"></rect></svg>`), clusterText.keyOver))
	if d.Scene.Skyline == nil {
		items = append(items, el("li", nil, clusterText.keyBlock))
	}
	return el("ul", at{"class=key", "aria-label=" + clusterText.key}, items...)
}

// onSky opens the directory under the pointer.
func (d *ClusterDirs) onSky(ctx app.Context, e app.Event) {
	part, ok := along(ctx.JSSrc(), e)
	wheres := d.Scene.Skyline.Wheres
	if i := int(part * float64(len(wheres))); ok && i < len(wheres) {
		setFragment(d.Page.state.clusterLink(wheres[i], 0))
	}
}

// ClusterTables is what else is to know.
type ClusterTables struct {
	app.Compo
	Page   *Root
	Tables []scene.Table
	Link   string
}

// Render draws them.
func (t *ClusterTables) Render() app.UI {
	var all []app.UI
	for i := range t.Tables {
		one := &t.Tables[i]
		var says, more any
		if one.Says != "" {
			says = el("p", at{"class=small"}, one.Says)
		}
		if one.More != "" {
			more = el("p", at{"class=cap"}, one.More)
		}
		id := fmt.Sprintf("cluster-table-%d", i)
		all = append(all, el("section", at{"class=block", "aria-labelledby=" + id}, el("h2", at{"id=" + id}, one.Name), says, tableOf(t.Page, one), more))
	}
	return el("div", at{"class=cluster-tables"}, all)
}

// tableOf is a table of a scene; what leads somewhere is a link.
func tableOf(r *Root, t *scene.Table) app.UI {
	class := func(k int) string {
		if t.Columns[k].Number {
			return "class=n"
		}
		return ""
	}
	var head []any
	for k := range t.Columns {
		head = append(head, el("th", at{"scope=col", class(k)}, t.Columns[k].Label))
	}
	var rows []any
	for _, row := range t.Rows {
		var cells []any
		for k, c := range row {
			var content any = c.Text
			switch {
			case c.Where != "":
				content = r.clusterAnchor(c.Text, c.Where, 0)
			case c.Input != "":
				content = r.replicaAnchor(c.Text, c.Input)
			}
			if k == 0 {
				cells = append(cells, el("th", at{"scope=row"}, content))
			} else {
				cells = append(cells, el("td", at{class(k), "data-label=" + t.Columns[k].Label}, content))
			}
		}
		rows = append(rows, el("tr", nil, cells...))
	}
	return el("div", at{"class=wrap", "tabindex=0", "role=region", "aria-label=" + t.Caption}, el("table", at{"class=data"},
		el("caption", at{"class=vh"}, t.Caption), el("thead", nil, el("tr", nil, head...)), el("tbody", nil, rows...)))
}

// replicaAnchor is a link to a replica's own segments, in the partition's view.
func (r *Root) replicaAnchor(name, settings string) app.UI {
	link := r.state.replicaLink(name, settings)
	return el("a", at{"href=#" + link}, name).On("click", func(_ app.Context, e app.Event) { goTo(e, link) }, app.EventScope(link))
}

// cameFrom is the way back from the partition's view to where its replica is.
func (r *Root) cameFrom() any {
	s := r.state
	name := s.place.of(keyReplica)
	if name == "" {
		return nil
	}
	where := s.place.of(keyWhere)
	items := []any{el("li", nil, r.clusterAnchor(clusterText.view, "", 0))}
	if id, path, ok := cutWhere(where); ok {
		items = append(items, el("li", nil, r.clusterAnchor(fmt.Sprintf(clusterText.broker, id), id, 0)), el("li", nil, r.clusterAnchor(path, where, 0)))
	}
	items = append(items, el("li", at{"aria-current=page"}, name))
	return el("nav", at{"class=crumbs", "aria-label=" + clusterText.cameFrom}, el("ol", nil, items...))
}

// barSVG draws a row. What stretches lies in the inner drawing; its patterns are lines along it, which stretching leaves as
// they are.
func barSVG(row *scene.Row) string {
	var s svg
	b := &row.Bar
	width := func(x int) string { return percent(float64(x) * 100 / scene.Width) }
	s.open("svg", "role", "img", "aria-label", attrText(row.Says), "height", num(scene.BarHeight+2))
	if b.Room > 0 {
		s.tag("rect", "class", "room", "x", "0", "y", ".5", "width", width(b.Room), "height", num(scene.BarHeight+1))
	}
	s.open("svg", "y", "1", "width", "100%", "height", num(scene.BarHeight), "viewBox", "0 0 "+num(scene.Width)+" "+num(scene.BarHeight*10), "preserveAspectRatio", "none")
	for _, u := range b.Runs {
		s.tag("path", "class", "tint t"+num(float64(u.Tint)), "d", u.Shape, "vector-effect", "non-scaling-stroke")
		if stripes := stripesOf(u.Tint); stripes > 0 {
			s.tag("path", "fill", "url(#stripes-"+num(float64(stripes))+")", "d", u.Shape)
		}
		if u.Lines != "" {
			s.tag("path", "class", "between b"+num(float64(u.Tint)), "d", u.Lines, "vector-effect", "non-scaling-stroke")
		}
	}
	s.close("svg")
	if b.Over > 0 {
		s.tag("rect", "class", "over", "x", width(b.Over), "y", "1", "width", width(max(b.End-b.Over, 20)), "height", num(scene.BarHeight))
	}
	for _, u := range b.Runs {
		if u.Label != "" {
			s.words(u.Label, "class", "wide run-label t"+num(float64(u.Tint)), "x", width(u.X), "dx", "6", "y", "18")
		}
	}
	s.close("svg")
	return s.b.String()
}

// attrText is a text as an attribute of a drawing may hold it: no quotes, no markup; see cmd/site.
func attrText(text string) string {
	b := make([]rune, 0, len(text))
	for _, r := range text {
		switch r {
		case '"', '\\', '<', '>', '&', '\n', '\r':
			r = ' '
		}
		b = append(b, r)
	}
	return string(b)
}

// stripesOf is how many lines run along the blocks of a tint.
func stripesOf(tint int) int { return [...]int{0, 0, 0, 1, 2, 3}[tint] }

func tintSwatch(tint int) string {
	t := num(float64(tint))
	s := `<svg class="sw" aria-hidden="true"><rect class="tint swatch t` + t + `" x=".5" y=".5" width="11" height="11"></rect>`
	if n := stripesOf(tint); n > 0 {
		s += `<rect fill="url(#stripes-small-` + num(float64(n)) + `)" x=".5" y=".5" width="11" height="11"></rect>`
	}
	return s + `</svg>`
}

// skylineSVG draws every directory as an upright bar.
func skylineSVG(k *scene.Skyline) string {
	var s svg
	height := num(scene.SkylineHeight)
	s.open("svg", "role", "img", "aria-label", attrText(k.Summary), "height", height)
	s.open("svg", "width", "100%", "height", height, "viewBox", "0 0 "+num(scene.Width)+" "+num(scene.SkylineHeight*10), "preserveAspectRatio", "none")
	for _, p := range []struct{ class, d string }{{"sky-room", k.Free}, {"tint t0", k.Used}, {"over-flat", k.Over}} {
		if p.d != "" {
			s.tag("path", "class", p.class, "d", p.d, "vector-effect", "non-scaling-stroke")
		}
	}
	s.close("svg")
	if k.Even >= 0 {
		y := num(float64(k.Even))
		s.tag("line", "class", "limit", "x1", "0", "x2", "100%", "y1", y, "y2", y)
		s.words(clusterText.even, "class", "halo strong", "x", "100%", "dx", "-4", "y", num(float64(k.Even-5)), "text-anchor", "end")
	}
	s.tag("line", "class", "axis", "x1", "0", "x2", "100%", "y1", height, "y2", height)
	s.close("svg")
	return s.b.String()
}

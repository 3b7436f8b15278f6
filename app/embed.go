package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// embedded is what the page shows in a frame of somebody else's page: parts of it, and nothing around them. The frame's
// fragment has keys of its own beside the scenario's:
//
//	view=answer,chart   parts; or one of the page's views, whole; or parts of the Tiered view
//	lock=segment.bytes  settings that the reader sees and cannot change
//	theme=light         see web/frame.js
type embedded struct {
	parts    []string
	locked   []string // keys of the table
	own      string   // those keys as they were written
	problems []string // sentences
}

// The keys of a frame's fragment that are no scenario's; the third is [viewKey].
const (
	lockKey       = "lock"
	embedThemeKey = "theme"
)

// The parts, in the order in which they are shown.
const (
	partAnswer = "answer"
	partChart  = "chart"
	partFilm   = "film"
	partTable  = "table"
	partForm   = "form"
)

var allParts = []string{partAnswer, partChart, partFilm, partTable, partForm}

// The parts of the Tiered view, which the larger program draws.
const (
	partLanes    = "lanes"
	partMetadata = "metadata"
)

var tieredParts = []string{partLanes, partMetadata}

// drawTieredPart draws one of them, where this program does.
var drawTieredPart func(r *Root, part string) app.UI

// defaultParts is what a frame shows that does not say.
var defaultParts = []string{partAnswer, partChart}

// readEmbedded reads a frame's fragment; rest is the scenario in it.
func readEmbedded(fragment string) (e *embedded, rest string) {
	e = &embedded{}
	var own, scenario []string
	for pair := range strings.SplitSeq(strings.TrimPrefix(fragment, "#"), "&") {
		key, value, _ := strings.Cut(pair, "=")
		value, _ = unescapeLink(value)
		switch key {
		case viewKey:
			if slices.ContainsFunc(allViews()[1:], func(v aView) bool { return v.name == value }) {
				scenario = append(scenario, pair) // a view of the page
				continue
			}
			e.show(value)
		case lockKey:
			e.lock(value)
		case embedThemeKey:
		default:
			scenario = append(scenario, pair)
			continue
		}
		own = append(own, pair)
	}
	if len(e.parts) == 0 {
		e.parts = defaultParts
	}
	e.own = strings.Join(own, "&")
	return e, strings.Join(scenario, "&")
}

// show takes the names of parts.
func (e *embedded) show(names string) {
	for name := range strings.SplitSeq(names, ",") {
		switch {
		case !slices.Contains(allParts, name) && !slices.Contains(tieredParts, name):
			e.problems = append(e.problems, fmt.Sprintf(embedText.noPart, shorten(name), strings.Join(append(allParts, tieredParts...), ", ")))
		case !slices.Contains(e.parts, name):
			e.parts = append(e.parts, name)
		}
	}
}

// lock takes the keys of settings. A broker's key locks the setting that it is inherited by.
func (e *embedded) lock(keys string) {
	for key := range strings.SplitSeq(keys, ",") {
		if row, _, ok := calc.SettingOf(key); ok {
			e.locked = append(e.locked, row.Key)
		} else {
			e.problems = append(e.problems, fmt.Sprintf(embedText.noLock, shorten(key)))
		}
	}
}

func (e *embedded) has(part string) bool { return slices.Contains(e.parts, part) }

// tiered reports whether parts of the Tiered view are shown, in which the page then is.
func (e *embedded) tiered() bool { return e.has(partLanes) || e.has(partMetadata) }

// fragment is the frame's own keys with a scenario.
func (e *embedded) fragment(scenario string) string {
	if e.tiered() { // the parts say so
		scenario = strings.Trim(strings.ReplaceAll("&"+scenario+"&", "&"+viewKey+"="+tieredView+"&", "&"), "&")
	}
	switch {
	case e.own == "":
		return scenario
	case scenario == "":
		return e.own
	}
	return scenario + "&" + e.own
}

// follow takes a link; in a frame it also says what is shown.
func (r *Root) follow(link string) bool {
	if r.embedded == nil {
		return r.state.follow(link)
	}
	r.embedded, link = readEmbedded(link)
	s := r.state
	s.locked, s.home = r.embedded.locked, calc.Defaults()
	s.noFilm, s.noForm = !r.embedded.has(partFilm), !r.embedded.has(partForm)
	if r.embedded.tiered() && drawTieredPart != nil {
		link = withPair(link, viewKey+"="+tieredView)
	}
	followed := s.follow(link)
	s.home = s.input
	s.linkSays = append(s.linkSays, r.embedded.problems...)
	s.views.fields = nil
	s.drop()
	return followed
}

// withPair is pairs of a fragment with one more.
func withPair(link, pair string) string {
	if link == "" {
		return pair
	}
	return link + "&" + pair
}

// isLocked reports whether the reader may not change a setting.
func (s *state) isLocked(key string) bool {
	return len(s.locked) > 0 && slices.Contains(s.locked, rowKey(key))
}

// drawEmbedded draws what a frame shows.
func (r *Root) drawEmbedded() app.UI {
	s, e := r.state, r.embedded
	if v := s.place.view(); v.name != "" && !e.tiered() {
		return el("div", at{"class=frame"}, app.Raw(defs), v.draw(r), &Help{Page: r, View: helpOf(r.help)}, r.toWhole())
	}
	body := []any{app.Raw(defs), el("h1", at{"class=vh"}, text.heading), r.spoken()}
	if e.has(partAnswer) {
		body = append(body, r.answerPart())
	} else {
		body = append(body, r.noticesPart())
	}
	if e.has(partChart) || e.has(partFilm) {
		body = append(body, r.timePart())
	}
	for _, part := range tieredParts {
		if e.has(part) && drawTieredPart != nil {
			body = append(body, el("div", at{"data-part=" + part}, drawTieredPart(r, part)))
		}
	}
	if e.has(partMetadata) && !e.has(partForm) {
		body = append(body, &Help{Page: r, View: helpOf(r.help)})
	}
	if e.has(partTable) {
		body = append(body, el("section", at{"data-part=table", "class=wrap", "tabindex=0", "aria-label=" + text.tableAll}, chartTable(s.table(), false)))
	}
	if e.has(partForm) {
		body = append(body, el("div", at{"data-part=form"}, &Form{Page: r, View: s.form()}, &Help{Page: r, View: helpOf(r.help)}))
	}
	return el("main", at{"class=frame"}, append(body, r.toWhole())...)
}

// answerPart is the sentence, the figures, and what is wrong.
func (r *Root) answerPart() app.UI {
	v := r.state.answerView()
	class := "class=answer"
	if v.Stale {
		class += " old"
	}
	return el("section", at{class, "data-part=answer", "aria-label=" + text.answer},
		r.sentence(v),
		el("dl", at{"class=figures"}, each(v.Figures[:3], (*reckoned).draw)), // peak, steady, oldest
		el("p", at{"class=small"}, answerText.binds, " ", el("span", at{"id=binds"}, v.Binds.By)),
		r.noticesPart(),
		r.whys(),
	)
}

// noticesPart is what is wrong. What leads to a field is left out where there is no form.
func (r *Root) noticesPart() app.UI {
	form := r.embedded.has(partForm)
	return &Notices{Page: r, List: r.state.answerView().Notices, Form: form}
}

// Notices is what is wrong, in a frame.
type Notices struct {
	app.Compo
	Page *Root
	List []notice
	Form bool // there are fields to go to
}

// Render draws it.
func (n *Notices) Render() app.UI {
	return el("div", at{"class=notices", "id=notices"}, each(n.List, func(one *notice) app.UI {
		said := *one
		said.Actions = nil
		for _, a := range one.Actions {
			if n.Form || a.Act == "stop" || a.Act == "again" || a.Act == "forget" {
				said.Actions = append(said.Actions, a)
			}
		}
		return said.draw()
	})).On("click", n.onClick)
}

func (n *Notices) onClick(ctx app.Context, e app.Event) { n.Page.act(ctx, e) }

// timePart is the chart, the segments below it, and the moment over both.
func (r *Root) timePart() app.UI {
	s, e := r.state, r.embedded
	chart, film := s.charts(), &filmView{}
	if e.has(partFilm) {
		film = s.film()
	}
	if !e.has(partChart) {
		return el("section", at{"data-part=film", "aria-label=" + text.time},
			el("figure", nil, &Film{View: film}, app.Raw(axisSVG(s.drawing()))),
			&Legend{Chart: &chartView{}, Film: film},
		)
	}
	var below any
	if e.has(partFilm) {
		below = &Film{View: film}
	}
	class := "class=drawings"
	if chart.Stale {
		class += " stale"
	}
	return el("section", at{"data-part=chart", "aria-label=" + text.time},
		el("figure", nil,
			el("div", at{class}, app.Raw(chart.Detail)),
			below,
			&Cursor{Page: r, View: s.cursor()},
		),
		&Legend{Chart: chart, Film: film},
	)
}

// axisSVG is the times of the chart's window, for segments without a chart above them.
func axisSVG(c *report.Chart) string {
	var s svg
	s.open("div", "class", "plot")
	s.tag("svg", "height", "20", "aria-hidden", "true")
	s.open("svg", "height", "20", "aria-hidden", "true")
	s.tag("line", "class", "axis", "x2", "100%")
	s.times(c.Detail.Times, 0, 17)
	s.close("svg")
	s.close("div")
	return s.b.String()
}

// toWhole leads to the page with the same scenario.
func (r *Root) toWhole() app.UI {
	return el("p", at{"class=cap whole"},
		el("a", at{"href=./" + fragmentOf(r.state.fragment()), "target=_blank", "rel=noopener"}, embedText.whole))
}

func fragmentOf(link string) string {
	if link == "" {
		return ""
	}
	return "#" + link
}

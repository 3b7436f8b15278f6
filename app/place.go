package app

import (
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// place is where the reader is: which view, and what that view keeps in the link beside the scenario, such as the service
// that was picked. Its keys are the page's own, not settings: the engine does not see them.
type place []calc.Pair

// viewKey is the key of the view in the link; the partition's view is the one without it.
const viewKey = "view"

// aView is a view of the page: its name in the link, its label, the keys that it keeps in the link, and what it shows in
// the place of the partition's.
type aView struct {
	name, label string
	keys        []string
	draw        func(r *Root) app.UI // its main element

	// What a view has beside it, or nil.
	help    func(key string) *helpView                                  // of an option; nil: none of its own
	act     func(r *Root, ctx app.Context, act, key, value string) bool // what its buttons do; false: not one of its own
	begin   func(r *Root, ctx app.Context)                              // begins its long work
	scrub   func(r *Root, at calc.Millis)                               // looks at a moment
	lines   func(s *state, c *report.Chart)                             // adds lines to the partition's chart
	after   func(r *Root, ctx app.Context)                              // begins what takes longer and follows a change
	says    func(s *state) string                                       // its sentence, which is read aloud after a change
	tells   func(s *state) string                                       // all that is read aloud then
	pinned  func(s *state) *pinnedView                                  // the line that stays in view
	finding func(s *state) (n findingView, ok bool)                     // what it has to say of the partition

	hides    func(s *state, key string) bool           // settings that the view asks for itself, so that the form does not
	standard func(s *state, key string) (string, bool) // what holds there for a setting that was not given, if not Kafka's default
}

// allViews is the views in the order of their tabs. The smaller of the two programs draws the partition's alone; of the
// others it has the tabs, which lead to the larger program. See docs/decisions/0012-two-programs.md.
func allViews() []aView {
	if viewList == nil {
		viewList = []aView{{label: text.view, keys: partitionKeys, draw: (*Root).partition, after: (*Root).runTwice}}
		if otherViews != nil {
			viewList = append(viewList, otherViews()...)
		} else {
			viewList = append(viewList,
				aView{name: tieredView, label: textTiered.view},
				aView{name: serviceView, label: serviceText.view},
				aView{name: clusterView, label: clusterText.view})
		}
	}
	return viewList
}

// viewList is made when it is first asked for: each field of a form asks for it.
var viewList []aView

// otherViews is the other views, where this program draws them.
var otherViews func() []aView

// AllViews lets this program draw all views, and work as the worker beside them. It is called before anything else.
func AllViews() {
	runWorker, viewList, drawTieredPart = RunWorker, nil, (*Root).tieredPart
	otherViews = func() []aView {
		return []aView{
			{
				name: tieredView, label: textTiered.view, keys: []string{tieredTopicsKey},
				draw: (*Root).tiered, after: (*Root).checkMetadata, says: (*state).tieredSpoken,
			},
			{
				name: serviceView, label: serviceText.view, keys: serviceKeys(),
				draw: (*Root).service, begin: func(r *Root, _ app.Context) { r.proceedService() }, after: (*Root).askAll, help: optionHelp, act: (*Root).actService, lines: func(s *state, c *report.Chart) { c.AddLevels(s.serviceLines()) },
				says:    func(s *state) string { return s.serviceDetails().head.Words.String() },
				pinned:  func(s *state) *pinnedView { return s.serviceDetails().pinned },
				finding: (*state).serviceFinding, standard: (*state).serviceDefault, hides: (*state).isOption,
			},
			{
				name: clusterView, label: clusterText.view, keys: clusterKeys, draw: (*Root).cluster,
				begin: (*Root).proceedCluster, act: (*Root).actCluster, scrub: (*Root).scrubCluster,
				tells:  func(s *state) string { return s.cluster.says() },
				pinned: func(s *state) *pinnedView { return s.cluster.pinned() },
			},
		}
	}
}

// placeKey reports whether a key of the link is a place's.
func placeKey(key string) bool {
	return key == viewKey || slices.ContainsFunc(allViews(), func(v aView) bool { return slices.Contains(v.keys, key) })
}

// of is the value of a key; "" if there is none.
func (p place) of(key string) string {
	if i := p.find(key); i >= 0 {
		return p[i].Value
	}
	return ""
}

func (p place) find(key string) int {
	return slices.IndexFunc(p, func(pair calc.Pair) bool { return pair.Key == key })
}

// with is the place with another value of a key; "" takes it out. The old place stays as it is.
func (p place) with(key, value string) place {
	p = slices.Clone(p)
	switch i := p.find(key); {
	case i < 0 && value != "":
		p = append(p, calc.Pair{Key: key, Value: value})
	case i >= 0 && value != "":
		p[i].Value = value
	case i >= 0:
		p = slices.Delete(p, i, i+1)
	}
	return p
}

// view is the view that is shown: the one named, or the partition's.
func (p place) view() aView {
	all, name := allViews(), p.of(viewKey)
	if i := slices.IndexFunc(all, func(v aView) bool { return v.name == name }); i >= 0 && all[i].draw != nil {
		return all[i]
	}
	return all[0]
}

// elsewhere is the label of a link's view if only the other program draws it, else "".
func elsewhere(link string) string {
	for _, v := range allViews() {
		if v.draw == nil && v.name == tieredView && partOfTiered(link) {
			return v.label
		}
		if v.draw == nil && strings.Contains("&"+strings.TrimPrefix(link, "#")+"&", "&"+viewKey+"="+v.name+"&") {
			return v.label
		}
	}
	return ""
}

// partOfTiered reports whether a frame's link shows a part of the Tiered view.
func partOfTiered(link string) bool {
	for pair := range strings.SplitSeq(strings.TrimPrefix(link, "#"), "&") {
		if names, ok := strings.CutPrefix(pair, viewKey+"="); ok && (strings.Contains(names, partLanes) || strings.Contains(names, partMetadata)) {
			return true
		}
	}
	return false
}

// put changes what a view keeps; changes of one key in a row are one for undo.
func (s *state) put(key, value string) {
	if s.place.of(key) == value {
		return
	}
	s.edited = true
	s.remember(key)
	s.place = s.place.with(key, value)
	s.drop()
}

// linkAt is the link of what was typed, seen from another place.
func (s *state) linkAt(p place) string { return linkTo(p, s.input, s.givenDefaults(p)...) }

// linkTo is the link of an input, seen from a place, with what else was given.
func linkTo(p place, in calc.Input, more ...calc.Pair) string {
	return writeLink(func(yield func(key, value string) bool) {
		for _, pair := range p {
			yield(pair.Key, pair.Value) // a link takes all
		}
		in.Changed()(yield)
		for _, pair := range more {
			yield(pair.Key, pair.Value)
		}
	})
}

// Views is the tabs of the views. They are links, so that a view opens beside this one and the way back is the browser's.
type Views struct {
	app.Compo
	Page *Root
	Link string
}

// Render draws them; a single view needs no tabs.
func (v *Views) Render() app.UI {
	all := allViews()
	if len(all) == 1 {
		return el("span", at{"class=tag"}, text.tag)
	}
	s := v.Page.state
	var links []any
	for _, one := range all {
		current := ""
		if one.name == s.place.view().name {
			current = "aria-current=page"
		}
		link := s.linkAt(s.place.with(viewKey, one.name))
		page := "./"
		if one.name != "" {
			page = one.name + ".html" // which is there without a program, too
		}
		links = append(links, el("a", at{"href=" + page + "#" + link, current}, one.label).
			On("click", func(_ app.Context, e app.Event) { goTo(e, link) }, app.EventScope(link)))
	}
	return el("nav", at{"class=views", "aria-label=" + text.views}, links...)
}

// goTo follows a link within the page with a new entry in the reader's history. A click that opens another tab is left to
// the browser.
func goTo(e app.Event, link string) {
	if e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool() || e.Get("shiftKey").Bool() {
		return
	}
	e.PreventDefault()
	e.Call("stopPropagation")
	setFragment(link)
}

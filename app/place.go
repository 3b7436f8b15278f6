package app

import (
	"slices"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
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
}

// allViews is the views in the order of their tabs.
func allViews() []aView {
	return []aView{
		{"", text.view, partitionKeys, (*Root).partition},
		{tieredView, textTiered.view, []string{tieredTopicsKey}, (*Root).tiered},
		{serviceView, serviceText.view, serviceKeys, (*Root).service},
		{clusterView, clusterText.view, clusterKeys, (*Root).cluster},
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
	if i := slices.IndexFunc(all, func(v aView) bool { return v.name == name }); i >= 0 {
		return all[i]
	}
	return all[0]
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
func (s *state) linkAt(p place) string {
	return writeLink(func(yield func(key, value string) bool) {
		for _, pair := range p {
			if !yield(pair.Key, pair.Value) {
				return
			}
		}
		s.input.Changed()(yield)
		s.givenDefaults(p, yield)
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
		links = append(links, el("a", at{"href=#" + link, current}, one.label).
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

package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// EmbedPath is the path of the page in frames of other pages, for cmd/site, which renders it. It moves that page to a
// directory of its own and marks it with [embedClass], by which the program knows it again.
const EmbedPath = "/embed"

// Pages is the pages of the other views, by the name of their view, each with its label: for cmd/site, which renders them, so
// that a view can be read before any program runs. web/program.js leads from such a page to the same view of the whole.
func Pages() map[string]string {
	pages := map[string]string{}
	for _, v := range allViews()[1:] {
		pages[v.name] = v.label
	}
	return pages
}

// embedClass is the class of <html> in frames of other pages.
const embedClass = "embed"

// Routes tells go-app which component shows which address. The page answers
// to every path, because it is served unchanged from any sub-path; what it
// shows is in the fragment.
func Routes() {
	app.Route(EmbedPath, newEmbedded)
	for _, v := range allViews()[1:] {
		app.Route("/"+v.name, func() app.Composer { return &Root{first: v.name} })
	}
	app.RouteWithRegexp(".*", func() app.Composer {
		if marked(embedClass) {
			return newEmbedded()
		}
		return &Root{}
	})
}

func newEmbedded() app.Composer {
	e, _ := readEmbedded("")
	return &Root{embedded: e}
}

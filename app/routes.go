package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// EmbedPath is the path of the page in frames of other pages, for cmd/site, which renders it. It moves that page to a
// directory of its own and marks it with [embedClass], by which the program knows it again.
const EmbedPath = "/embed"

// embedClass is the class of <html> in frames of other pages.
const embedClass = "embed"

// Routes tells go-app which component shows which address. The page answers
// to every path, because it is served unchanged from any sub-path; what it
// shows is in the fragment.
func Routes() {
	app.Route(EmbedPath, newEmbedded)
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

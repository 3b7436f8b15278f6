package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Routes tells go-app which component shows which address. The page answers
// to every path, because it is served unchanged from any sub-path; what it
// shows is in the fragment.
func Routes() {
	app.RouteWithRegexp(".*", func() app.Composer { return &Root{} })
}

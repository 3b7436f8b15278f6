// Package app is the page: go-app components over the answers of calc.
package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Root is the whole page; a placeholder until the first page is written.
type Root struct {
	app.Compo
}

// Render draws the heading, one field to keep early typing in, and one
// picture from web/, so that the ground under the page can be tested.
func (r *Root) Render() app.UI {
	return app.Main().Class("main").Body(
		app.H1().Text("Partsize"),
		app.P().Class("brand").Body(
			app.Img().Src("/web/icon.svg").Aria("hidden", true).Width(20).Height(20),
			app.Text("How many bytes a Kafka partition puts on disk, when, and why."),
		),
		app.Label().For("early").Text("Scratch"),
		app.Input().ID("early").Class("text").Type("text"),
	)
}

package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Foot is the end of the page.
type Foot struct {
	app.Compo
	View *footView
}

type footView struct{ Model string }

// Render draws it.
func (f *Foot) Render() app.UI {
	return el("footer", at{"class=foot"},
		el("p", nil, f.View.Model),
		el("p", at{"id=printed-link"}), // web/host.js writes it
		el("details", at{"class=twin", "id=departures"},
			el("summary", nil, text.departs),
			el("ul", at{"class=departures"}, each(departures, func(line *string) app.UI { return el("li", nil, *line) })),
		),
		el("p", nil, el("a", at{"href=web/licences.txt"}, text.licences)),
	)
}

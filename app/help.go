package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Help is what is to know about a setting. There is one for all, shown beside the field that asks.
type Help struct {
	app.Compo
	Page *Root
	View *helpView
}

type helpView struct {
	Label, Key, Doc string
	Facts           []fact
	Link            string
}

type fact struct{ Name, Value string }

// Render draws it.
func (h *Help) Render() app.UI {
	v := h.View
	var link any
	if v.Link != "" {
		link = el("p", nil, el("a", at{"href=" + v.Link, "target=_blank", "rel=noreferrer"}, text.kafkaDocs))
	}
	// It takes the focus, so that its link is the next that a key reaches; when it closes the browser gives the focus back.
	// While it is closed it must not: in a frame of another host browsers say on the console that they do not let it.
	focus := ""
	if v.Key != "" {
		focus = "autofocus=true"
	}
	return el("div", at{"id=help", "popover=auto", "role=region", "aria-label=" + text.help, "tabindex=-1", focus},
		el("h3", nil, v.Label),
		el("p", nil, el("code", nil, v.Key)),
		el("p", nil, v.Doc),
		el("dl", at{"class=facts"}, each(v.Facts, func(f *fact) app.UI { return el("div", nil, el("dt", nil, f.Name), el("dd", nil, f.Value)) })),
		link,
	).On("toggle", h.onToggle)
}

func (h *Help) onToggle(_ app.Context, e app.Event) {
	if e.Get("newState").String() == "closed" {
		h.Page.help = ""
	}
}

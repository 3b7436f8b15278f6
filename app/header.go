package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// Header is the top of the page.
type Header struct {
	app.Compo
	Page  *Root
	Theme string
	Link  string // of the present place; the tabs lead from there
	Undo  bool   // there is something to undo, to redo
	Redo  bool
}

// Render draws it.
func (h *Header) Render() app.UI {
	label := text.themeLight
	if h.Theme == "dark" {
		label = text.themeDark
	}
	icon := func(id, label, sign string, off bool, h app.EventHandler) app.UI {
		disabled := ""
		if off {
			disabled = "disabled=true"
		}
		return el("button", at{"type=button", "class=icon", "id=" + id, "aria-label=" + label, "title=" + label, disabled}, sign).
			On("click", h, app.EventScope(id))
	}
	return el("header", at{"class=top"},
		el("span", at{"class=brand"}, el("img", at{"src=/web/icon.svg", "aria-hidden=true", "width=20", "height=20"}), text.brand),
		&Views{Page: h.Page, Link: h.Link},
		el("div", at{"class=row"},
			icon("undo", text.undo, "↶", !h.Undo, h.onUndo),
			icon("redo", text.redo, "↷", !h.Redo, h.onRedo),
			icon("theme", label, "◐", false, h.onTheme),
			el("button", at{"type=button", "id=share", "aria-haspopup=dialog"}, text.share).On("click", h.onShare),
		),
	)
}

func (h *Header) onUndo(ctx app.Context, _ app.Event) { h.Page.undo(ctx) }
func (h *Header) onRedo(ctx app.Context, _ app.Event) { h.Page.redo(ctx) }

func (h *Header) onTheme(app.Context, app.Event) {
	to := "dark"
	if h.Page.theme == "dark" {
		to = "light"
	}
	h.Page.theme = to
	setTheme(to)
}

func (h *Header) onShare(ctx app.Context, _ app.Event) { h.Page.openShare(ctx) }

// Pinned is the answer in a line, which stays in view on a small screen.
type Pinned struct {
	app.Compo
	View *pinnedView
}

type pinnedView struct{ Peak, Of, Band, Findings string }

// Render draws it. It repeats what stands above, so it is not read aloud.
func (p *Pinned) Render() app.UI {
	return el("p", at{"class=pinned", "aria-hidden=true"},
		el("span", nil, el("b", nil, p.View.Peak), p.View.Of),
		el("span", nil, p.View.Band),
		el("span", nil, p.View.Findings),
	)
}

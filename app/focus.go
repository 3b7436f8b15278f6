package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// A button that is pressed may go with what it changes, and whoever works with the keyboard then stands nowhere. What is
// next to it takes the focus instead.

// refocus gives the focus to an element once what follows from an event is drawn, if nothing has it then.
func refocus(ctx app.Context, id string) {
	ctx.Defer(func(app.Context) {
		if nothingFocused() {
			focusOn(id)
		}
	})
}

// keepFocus does so for the buttons of a part of the page, when a key pressed one.
func (r *Root) keepFocus(ctx app.Context, e app.Event) {
	if !r.client || e.Get("detail").Int() > 0 { // the pointer did
		return
	}
	part := e.Get("target").Call("closest", "#findings,#sensitive,#notices,.settings")
	if !part.Truthy() {
		return
	}
	switch part.Get("id").String() {
	case "findings":
		// The next finding takes the place of one that goes: another press would change something else.
		if act, _, _ := pressed(e); act == "set" {
			focusOn("h-find")
		}
	case "sensitive":
		refocus(ctx, "sensitive-open")
	case "notices":
		refocus(ctx, "answer")
	default:
		refocus(ctx, "presets")
	}
}

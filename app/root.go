// Package app is the page: go-app components over the answers of calc.
//
// [Root] holds the state and tells it what the reader does; the other components draw what the state's views
// say. They do no arithmetic. What the browser must do for them is in browser.go.
package app

import (
	"fmt"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// Root is the whole page.
type Root struct {
	app.Compo

	state    *state
	first    string      // the view of a page of its own, where it is rendered
	embedded *embedded   // in a frame of another page; nil: the whole page
	ctx      app.Context // the component's own, once it is mounted
	here     bool        // it is
	client   bool

	drawn  bool        // the state was drawn since it last settled on new input
	late   []typedText // typed since, for the next frame
	turn   int         // counts changes, to notice quiet
	moved  int         // counts moves of the moment, likewise
	moveTo float64     // where it is, for the next frame; negative: nowhere
	hand   hand        // what the pointers do over the drawings
	film   filmPlayer
	helper helper

	grab      grab   // the number that is being dragged
	theme     string // "", light, dark
	announced string // what the live region says
	help      string // the key whose help is open
	share     sharing
	update    bool
	followed  string // the address's fragment that the state was last made of, or that was made of it
	fromHash  func()
}

// typedText is what was typed into a field.
type typedText struct{ key, value string }

// OnInit makes the state, so that the first drawing is complete: what cmd/site renders is the answer to the defaults.
func (r *Root) OnInit() {
	r.state, r.moveTo = newState(), -1
	if r.first != "" {
		r.state.place = place{{Key: viewKey, Value: r.first}}
	}
	if app.IsClient {
		r.client, r.state.client, r.state.shut = true, true, true
		r.followed = fragment()
		r.follow(r.followed)
		if view := elsewhere(r.followed); view != "" {
			r.state.linkSays = append(r.state.linkSays, fmt.Sprintf(placeText.away, view))
		}
		r.state.takeOver(handed()) // else it begins with this
	}
}

// OnMount begins to listen to the browser.
func (r *Root) OnMount(ctx app.Context) {
	r.ctx, r.here = ctx, true
	r.state.patient = true
	r.theme = storedTheme()
	r.state.recent = storedLinks()
	r.state.views.form = nil
	r.fromHash = listen("hashchange", func(app.Value) { ctx.Dispatch(r.OnNav) })
	r.proceed(ctx)
	r.after(ctx)
	ctx.Dispatch(func(app.Context) {}) // draws what waited for this
}

// OnDismount stops it.
func (r *Root) OnDismount() {
	if r.fromHash != nil {
		r.fromHash()
	}
}

// OnNav follows a link to another scenario, within the page or from outside.
func (r *Root) OnNav(ctx app.Context) {
	if !r.client || fragment() == r.followed {
		return
	}
	r.followed = fragment()
	if elsewhere(r.followed) != "" {
		r.catchUp()
		handOver(r.state.handOn())
		app.Window().Get("location").Call("reload") // with the program that draws it
		return
	}
	if r.follow(r.followed) {
		r.late = r.late[:0]
		r.changed(ctx)
	}
}

// OnAppUpdate offers a new version; it is never forced.
func (r *Root) OnAppUpdate(app.Context) { r.update = updatable() }

func (r *Root) onUpdate(app.Context, app.Event) { reloadPage() }

// Render draws the page.
func (r *Root) Render() app.UI {
	r.catchUp()
	if r.embedded != nil {
		return r.drawEmbedded()
	}
	s := r.state
	var update any
	if r.update {
		update = el("p", at{"class=notice you", "role=status"}, text.updated+" ", button(text.reload, r.onUpdate, "class=bare"))
	}
	return el("div", at{"class=app"},
		el("a", at{"class=skip", "href=#answer"}, text.skip).On("click", r.onSkip),
		&Header{Page: r, Theme: r.theme, Link: s.fragment(), Undo: len(s.history.past) > 0, Redo: len(s.history.future) > 0},
		update,
		app.Raw(defs),
		&Pinned{View: s.pinned()},
		s.place.view().draw(r),
		&Foot{View: s.foot()},
		&Help{Page: r, View: helpOf(r.help)},
		&Paste{Page: r, View: s.pasteView()},
		&Share{Page: r, View: r.shareView()},
	)
}

// partition is the view of one partition.
func (r *Root) partition() app.UI {
	s, know := r.state, r.thought()
	return el("main", at{"class=page two", "id=answer", "tabindex=-1"},
		el("div", at{"class=main a"},
			el("h1", at{"class=vh"}, text.heading),
			r.spoken(),
			r.cameFrom(),
			&Answer{Page: r, View: s.answerView(), Receipt: s.receipt(report.OfPeak)},
			&Time{Page: r, Chart: s.charts(), Cursor: s.cursor(), Film: s.film(), Table: s.table()},
		),
		&Form{Page: r, View: s.form()},
		el("div", at{"class=main b"},
			el("div", at{"class=pair"},
				el("div", at{"class=stack"},
					&Findings{Page: r, View: s.findings()},
					&Sensitive{Page: r, View: s.sensitiveView()},
					&WhatIf{Page: r, View: know.change},
				),
				&Stay{Page: r, View: know.stay},
			),
			&Instant{Page: r, View: s.instant()},
		),
	)
}

// spoken is what is read aloud after a change; every view has it once.
func (r *Root) spoken() app.UI {
	return el("p", at{"class=vh", "role=status", "id=spoken"}, r.announced)
}

// typed takes what was typed into a field. The first change of a frame is simulated at once, while the frame waits; what
// comes in the same frame is taken together when it is drawn.
func (r *Root) typed(ctx app.Context, key, value string) {
	if r.drawn {
		r.drawn = false
		r.state.hasty = true
		r.state.set(key, value)
		r.state.prepare()
	} else {
		r.late = append(r.late, typedText{key, value})
	}
	r.changed(ctx)
}

// catchUp takes what came since the last frame.
func (r *Root) catchUp() {
	r.drawn = true
	last := map[string]string{}
	for _, t := range r.late {
		last[t.key] = t.value
	}
	for _, t := range r.late {
		if value, ok := last[t.key]; ok {
			delete(last, t.key)
			r.state.set(t.key, value)
		}
	}
	r.late = r.late[:0]
	r.hand.catchUp(r.state)
	if r.moveTo >= 0 {
		r.state.moveTo(r.state.window.At(r.moveTo))
		r.moveTo = -1
	}
	r.approach()
}

// Delays after which a change is told: to what is read rather than seen, to the address bar, which browsers allow only so often, and to those who listen.
const (
	detailAfter   = 80 * time.Millisecond
	restAfter     = 120 * time.Millisecond
	addressAfter  = 150 * time.Millisecond
	announceAfter = 500 * time.Millisecond
)

// changed lets what follows from a change of the scenario happen.
func (r *Root) changed(ctx app.Context) {
	r.turn++
	turn := r.turn
	r.proceed(ctx)
	if !r.client {
		return
	}
	r.ctx.After(detailAfter, func(app.Context) {
		if r.turn == turn {
			r.state.detail()
			if !r.state.inCluster() {
				r.tryOut(r.ctx)
			}
			r.after(r.ctx)
		}
	})
	r.ctx.After(addressAfter, func(app.Context) {
		if r.turn == turn {
			r.writeAddress()
		}
	})
	r.ctx.After(announceAfter, func(app.Context) {
		if r.turn == turn {
			r.announced = r.state.spoken()
		}
	})
}

// writeAddress makes the address bar the scenario's link. What stands there stays until the reader changes something, so
// that a link which says a default, or could not be read, is not rewritten by looking at it.
func (r *Root) writeAddress() {
	r.catchUp()
	if !r.state.edited {
		return
	}
	r.state.edited, r.state.refused = false, false
	link := r.state.fragment()
	if r.embedded != nil {
		link = r.embedded.fragment(link)
	}
	replaceFragment(link)
	r.followed = fragment()
}

func (r *Root) set(ctx app.Context, key, value string) {
	r.catchUp()
	r.state.set(key, value)
	r.changed(ctx)
}

func (r *Root) reset(ctx app.Context, key string) {
	r.catchUp()
	if key == "" {
		r.state.clear()
	} else {
		r.state.reset(key)
	}
	r.changed(ctx)
}

func (r *Root) onSkip(_ app.Context, e app.Event) {
	e.PreventDefault()
	e.Call("stopPropagation")
	focusOn("answer")
}

// after begins what takes longer and follows a change.
func (r *Root) after(ctx app.Context) {
	for _, v := range allViews() {
		if v.after != nil {
			v.after(r, ctx)
		}
	}
}

// openHelp shows the help of a setting beside its field.
func (r *Root) openHelp(ctx app.Context, key string) {
	if r.help == key {
		r.closeHelp()
		return
	}
	r.help = key
	ctx.Defer(func(app.Context) {
		source := fieldID(key) + "-field"
		if _, here := element(source); !here {
			source = optionID(key) + "-field"
		}
		showPopover("help", source)
	})
}

func (r *Root) closeHelp() {
	r.help = ""
	hidePopover("help")
}

func (r *Root) look(f report.Focus) {
	r.catchUp()
	r.state.focusOn(f)
}

func (r *Root) undo(ctx app.Context) {
	r.catchUp()
	r.state.undo()
	r.changed(ctx)
	refocus(ctx, "redo")
}

func (r *Root) redo(ctx app.Context) {
	r.catchUp()
	r.state.redo()
	r.changed(ctx)
	refocus(ctx, "undo")
}

// take shows a preset, or a link that was copied before.
func (r *Root) take(ctx app.Context, name string) {
	r.catchUp()
	r.state.take(name)
	r.changed(ctx)
}

// keepLink notes the link that is being copied, in this browser.
func (r *Root) keepLink() {
	r.state.keep(r.state.fragment())
	storeLinks(r.state.recent)
}

// act does what a pressed button says.
func (r *Root) act(ctx app.Context, e app.Event) {
	act, key, value := pressed(e)
	r.keepFocus(ctx, e)
	if own := r.state.place.view().act; own != nil && own(r, ctx, act, key, value) {
		return
	}
	switch act {
	case "set":
		if placeKey(key) {
			r.put(ctx, key, value)
		} else {
			r.set(ctx, key, value)
		}
	case "view":
		setFragment(r.state.linkAt(r.state.place.with(viewKey, key)))
	case "reset":
		if placeKey(key) {
			r.put(ctx, key, "")
		} else {
			r.reset(ctx, key)
		}
		if key != "" {
			focusOn(fieldID(key))
		}
	case "rename":
		if old, ok := r.state.input.Given(key); ok {
			r.state.input.Reset(key)
			r.set(ctx, value, old)
		}
	case "go":
		focusOn(fieldID(key))
	case "help":
		r.openHelp(ctx, key)
	case "why":
		if n, ok := number(key); ok {
			r.ask(ctx, calc.Offset(n))
		}
	case "list":
		r.state.toggleAll()
	case "stop":
		r.state.stop()
	case "again":
		r.state.settle()
		r.changed(ctx)
	case "forget":
		r.state.linkSays = nil
		r.state.drop()
	}
}

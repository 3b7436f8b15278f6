package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// Num is a setting's value within a text: it is dragged sideways, stepped with the keys, or typed over.
type Num struct {
	app.Compo
	Page *Root
	View *numView
}

type numView struct {
	ID, Key, Text string
	Label, Says   string // what it is, and what the text was read as
	Wrong         bool
	Hidden        bool // the text has no place for it now
	Locked        bool
}

// grab is a number that is being dragged.
type grab struct {
	id, from, to string
	key          string
	x            float64
	moved        bool
	release      func()
}

// Pixels of a drag: before it is one, and for each step.
const (
	dragFrom = 4
	dragStep = 8
)

// Render draws it.
func (n *Num) Render() app.UI {
	v := n.View
	attributes := at{"type=text", "class=num", "role=spinbutton", "id=" + v.ID, "data-key=" + v.Key, "aria-label=" + v.Label, "aria-valuetext=" + v.Says,
		"title=" + v.Label, "size=" + digits(int64(max(len(v.Text), 1))), "spellcheck=false", "autocomplete=off", "autocapitalize=off",
		"aria-invalid=" + onOff(v.Wrong), attrValue + v.Text}
	if v.Hidden && n.Page.grab.id != v.ID { // what is held stays
		attributes = append(attributes, "hidden=true")
	}
	if v.Locked {
		attributes = append(attributes, "readonly=true")
	}
	return el("input", attributes).On("input", n.onInput).On("keydown", n.onKey).On("mousedown", n.onMouse).On("pointerdown", n.onDown)
}

// OnMount sets the value.
func (n *Num) OnMount(app.Context) { n.sync() }

// OnUpdate follows the view.
func (n *Num) OnUpdate(ctx app.Context) { ctx.Defer(func(app.Context) { n.sync() }) }

func (n *Num) sync() { setValue(n.View.ID, n.View.Text) }

func (n *Num) onInput(ctx app.Context, _ app.Event) {
	n.Page.typed(ctx, n.View.Key, ctx.JSSrc().Get("value").String())
}

// onKey steps the value. Escape gives up the keyboard.
func (n *Num) onKey(ctx app.Context, e app.Event) {
	steps := 0
	switch e.Get("key").String() {
	case "ArrowUp":
		steps = 1
	case "ArrowDown":
		steps = -1
	case "PageUp":
		steps = 5
	case "PageDown":
		steps = -5
	case "Enter":
		ctx.JSSrc().Call("select")
	case "Escape":
		ctx.JSSrc().Call("blur")
	}
	if steps == 0 || n.View.Locked {
		return
	}
	if to, ok := nudged(n.View.Key, ctx.JSSrc().Get("value").String(), steps); ok {
		e.PreventDefault()
		n.Page.typed(ctx, n.View.Key, to)
	}
}

// onDown takes hold of it, unless the reader types in it: then the pointer marks text. The window tells where the pointer goes,
// for it leaves the number soon.
func (n *Num) onDown(ctx app.Context, e app.Event) {
	field, page := ctx.JSSrc(), n.Page
	if e.Get("button").Int() != 0 || n.View.Locked || field.Call("matches", ":focus").Bool() || page.grab.id != "" {
		return
	}
	text := field.Get("value").String()
	page.grab = grab{id: n.View.ID, key: n.View.Key, from: text, to: text, x: e.Get("clientX").Float()}
	stopMove := listen("pointermove", func(e app.Value) {
		x := e.Get("clientX").Float()
		ctx.Dispatch(func(ctx app.Context) { page.dragTo(ctx, x) })
	})
	stopUp := listen("pointerup", func(app.Value) { ctx.Dispatch(page.letGo) })
	stopCancel := listen("pointercancel", func(app.Value) { ctx.Dispatch(page.letGo) })
	page.grab.release = func() { stopMove(); stopUp(); stopCancel() }
}

// onMouse keeps the browser from marking text while the number is held.
func (n *Num) onMouse(_ app.Context, e app.Event) {
	if n.Page.grab.id == n.View.ID {
		e.PreventDefault()
	}
}

// dragTo changes the number that is held.
func (r *Root) dragTo(ctx app.Context, x float64) {
	g := &r.grab
	by := x - g.x
	if g.id == "" || !g.moved && max(by, -by) < dragFrom {
		return
	}
	if !g.moved {
		g.moved = true
		r.state.history.last = "" // a drag is a step of its own
	}
	if to, ok := nudged(g.key, g.from, int(by/dragStep)); ok && to != g.to {
		g.to = to
		r.typed(ctx, g.key, to)
	}
}

// letGo ends a drag. A press without one is to type.
func (r *Root) letGo(app.Context) {
	g := r.grab
	if g.id == "" {
		return
	}
	r.grab = grab{}
	g.release()
	if !g.moved {
		if field, ok := element(g.id); ok {
			field.Call("focus")
			field.Call("select")
		}
		return
	}
	r.catchUp()
	r.state.history.last = ""
}

// nudged is a setting's value some small steps on.
func nudged(key, text string, steps int) (string, bool) {
	row, _, ok := calc.SettingOf(key)
	if !ok {
		return "", false
	}
	return report.Nudged(&row, text, steps)
}

package app

import (
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// What the page asks of the browser beyond what go-app does. None of it runs when cmd/site renders the page.

// fragment is the address's fragment as it stands there, with its #.
func fragment() string { return app.Window().Get("location").Get("hash").String() }

// replaceFragment changes the address without a new entry in the reader's history.
func replaceFragment(to string) {
	location := app.Window().Get("location")
	address := location.Get("pathname").String() + location.Get("search").String()
	if to != "" {
		address += "#" + to
	}
	app.Window().Get("history").Call("replaceState", app.Window().Get("history").Get("state"), "", address)
}

// marked reports whether the document has a class.
func marked(class string) bool {
	return app.IsClient && app.Window().Get("document").Get("documentElement").Get("classList").Call("contains", class).Bool()
}

// setFragment follows a link within the page; the browser keeps the way back.
func setFragment(to string) { app.Window().Get("location").Set("hash", to) }

// listen calls f for an event of the window, until stop.
func listen(event string, f func(e app.Value)) (stop func()) {
	if !app.IsClient {
		return func() {}
	}
	hear := app.FuncOf(func(_ app.Value, args []app.Value) any {
		f(args[0])
		return nil
	})
	app.Window().Call("addEventListener", event, hear)
	return func() {
		app.Window().Call("removeEventListener", event, hear)
		hear.Release()
	}
}

// breath is closed when the browser has done what waited; nil: nobody waits for that.
var breath chan struct{}

// breathe lets the browser do what waits, such as to hear what is typed, and to draw. A sleep would not: when it is over
// before others have slept, it goes on within the same task of the browser.
func breathe() {
	if !app.IsClient {
		time.Sleep(time.Millisecond)
		turn = time.Now()
		return
	}
	if breath == nil {
		mine := make(chan struct{})
		var over app.Func
		over = app.FuncOf(func(app.Value, []app.Value) any {
			over.Release()
			turn, breath = time.Now(), nil
			close(mine)
			return nil
		})
		breath = mine
		app.Window().Call("setTimeout", over, 1)
	}
	<-breath
}

const themeKey = "partsize.theme"

// storedTheme is what web/theme.js has set.
func storedTheme() string {
	dataset := app.Window().Get("document").Get("documentElement").Get("dataset")
	if t := dataset.Get("theme"); t.Truthy() {
		return t.String()
	}
	if app.Window().Call("matchMedia", "(prefers-color-scheme: dark)").Get("matches").Bool() {
		return "dark"
	}
	return "light"
}

func setTheme(to string) {
	app.Window().Get("document").Get("documentElement").Get("dataset").Set("theme", to)
	app.Window().Get("partsize").Call("store", themeKey, to)
}

const recentKey = "partsize.recent"

// storedLinks are the links that were copied before, as far as this browser keeps them.
func storedLinks() (links []string) {
	stored := app.Window().Get("localStorage").Call("getItem", recentKey)
	if !stored.Truthy() {
		return nil
	}
	for link := range strings.SplitSeq(stored.String(), "\n") {
		if link != "" && len(link) < 2000 && len(links) < maxRecent {
			links = append(links, link)
		}
	}
	return links
}

// storeLinks keeps them. A storage that is full keeps nothing.
func storeLinks(links []string) {
	app.Window().Get("partsize").Call("store", recentKey, strings.Join(links, "\n"))
}

const undoKey = "partsize.undo"

// handOver leaves a text for the program that the page loads next in this tab, and handed takes it, once. A storage that is full
// takes nothing.
func handOver(text string) {
	defer func() { _ = recover() }()
	app.Window().Get("sessionStorage").Call("setItem", undoKey, text)
}

func handed() (text string) {
	storage := app.Window().Get("sessionStorage")
	if left := storage.Call("getItem", undoKey); left.Truthy() {
		text = left.String()
		storage.Call("removeItem", undoKey)
	}
	return text
}

// updatable reports whether a new version waits.
func updatable() bool { return app.Window().Get("partsize").Get("updatable").Bool() }

// reloadPage reloads, with the new version if one waits.
func reloadPage() { app.Window().Get("partsize").Call("update") }

// sitePath is where the page is, up to the last slash of its path.
func sitePath() string {
	location := app.Window().Get("location")
	path := location.Get("pathname").String()
	return location.Get("origin").String() + path[:strings.LastIndexByte(path, '/')+1]
}

// selectText selects what stands in a field.
func selectText(id string) {
	if e, ok := element(id); ok {
		e.Call("focus")
		e.Call("select")
	}
}

// setValue makes a field hold a text, if it does not.
func setValue(id, to string) {
	if e, ok := element(id); ok && e.Get("value").String() != to {
		e.Set("value", to)
	}
}

func openDetails(id string) {
	if e, ok := element(id); ok && !e.Get("open").Bool() {
		e.Set("open", true)
	}
}

// down reports whether the pointer of an event is pressed.
func down(e app.Event) bool { return e.Get("buttons").Int()&1 != 0 }

// along is where a pointer is along an element's width, from 0 to 1.
func along(over app.Value, e app.Event) (part float64, ok bool) {
	if !over.Truthy() {
		return 0, false
	}
	box := over.Call("getBoundingClientRect")
	width := box.Get("width").Float()
	if width <= 0 {
		return 0, false
	}
	return max(0, min((e.Get("clientX").Float()-box.Get("left").Float())/width, 1)), true
}

// capturePointer lets an element hear the pointer of an event until it is let go, wherever it moves. A pointer that is gone
// already cannot be captured, which is no harm.
func capturePointer(by app.Value, e app.Event) {
	defer func() { _ = recover() }()
	by.Call("setPointerCapture", e.Get("pointerId"))
}

// lessMotion reports whether the reader wants less motion.
func lessMotion() bool {
	return app.Window().Call("matchMedia", "(prefers-reduced-motion: reduce)").Get("matches").Bool()
}

// element is an element by its id; ok is false when there is none.
func element(id string) (e app.Value, ok bool) {
	if !app.IsClient {
		return nil, false
	}
	e = app.Window().GetElementByID(id)
	return e, e.Truthy()
}

// focusOn gives an element the focus and brings it into view.
func focusOn(id string) {
	if e, ok := element(id); ok {
		if box := e.Call("closest", "details:not([open])"); box.Truthy() {
			box.Set("open", true)
		}
		e.Call("focus")
		e.Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
}

// nothingFocused reports whether no element has the focus, or one that is about to lose it.
func nothingFocused() bool {
	document := app.Window().Get("document")
	focused := document.Get("activeElement")
	return focused.Equal(document.Get("body")) || focused.Call("matches", ":disabled").Bool()
}

// showPopover opens a popover that belongs to an element, beside which it is placed.
func showPopover(id, source string) {
	p, ok := element(id)
	by, found := element(source)
	if ok && found && p.Get("showPopover").Truthy() {
		if p.Call("matches", ":popover-open").Bool() {
			p.Call("hidePopover")
		}
		p.Call("showPopover", map[string]any{"source": by})
	}
}

func hidePopover(id string) {
	if p, ok := element(id); ok && p.Call("matches", ":popover-open").Bool() {
		p.Call("hidePopover")
	}
}

func showDialog(id string) {
	if d, ok := element(id); ok && !d.Get("open").Bool() {
		d.Call("showModal")
	}
}

func closeDialog(id string) {
	if d, ok := element(id); ok && d.Get("open").Bool() {
		d.Call("close")
	}
}

// pressed is the button that an event came from, or from within, by its data-act and data-key.
func pressed(e app.Event) (act, key, value string) {
	button := e.Get("target").Call("closest", "[data-act]")
	if !button.Truthy() {
		return "", "", ""
	}
	get := func(name string) string {
		if v := button.Get("dataset").Get(name); v.Truthy() {
			return v.String()
		}
		return ""
	}
	return get("act"), get("key"), get("value")
}

// copyText puts text on the clipboard; said is called with whether that went well.
func copyText(content string, said func(ok bool)) {
	clipboard := app.Window().Get("navigator").Get("clipboard")
	if !clipboard.Truthy() {
		said(false)
		return
	}
	await(clipboard.Call("writeText", content), func(app.Value) { said(true) }, func() { said(false) })
}

// await hears how a promise ends: with a value, or not.
func await(promise app.Value, done func(app.Value), failed func()) {
	var kept, broken app.Func
	end := func() {
		kept.Release()
		broken.Release()
	}
	kept = app.FuncOf(func(_ app.Value, args []app.Value) any {
		end()
		done(args[0])
		return nil
	})
	broken = app.FuncOf(func(app.Value, []app.Value) any {
		end()
		failed()
		return nil
	})
	promise.Call("then", kept, broken)
}

// fieldID is the id of a setting's field.
func fieldID(key string) string { return "f-" + strings.ReplaceAll(key, ".", "-") }

// length is the length of a text that is not copied to be measured.
func length(text app.Value) int { return app.Window().Get("Object").Invoke(text).Get("length").Int() }

package app

import (
	"math"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/report"
)

// What pointers do over the drawings: dragging the chart moves the moment, dragging the segments moves the part of the time
// that is shown, pressing a segment asks about it, two pointers or the wheel with a key zoom. The plain wheel and a finger
// that goes up or down scroll the page.

// pointer is where a pointer is: from 0 to 1 across the drawings, and pixels from their top.
type pointer struct {
	id   int
	x, y float64
}

// hand is the pointers that are down, and what they wait to do with the next frame.
type hand struct {
	down   []pointer
	began  []pointer     // where those came down
	window report.Window // then
	pans   bool          // they move the window
	moved  bool          // more than a press does
	width  float64       // of the drawings, in pixels

	times, about float64 // zoom so many times about a place; 0: not
	pan          float64 // move the window then by so many parts
	panned       bool
}

// catchUp does what the pointers did since the last frame.
func (h *hand) catchUp(s *state) {
	switch {
	case h.panned && h.times > 0: // two pointers
		s.own(h.window.Zoom(h.window.At(h.about), h.times, s.until()).Move(h.pan, s.until()))
	case h.panned:
		s.own(h.window.Move(h.pan, s.until()))
	case h.times > 0:
		s.own(s.window.Zoom(s.window.At(h.about), h.times, s.until()))
	}
	h.times, h.pan, h.panned = 0, 0, false
}

// at is where a pointer event is over the drawings.
func (h *hand) at(ctx app.Context, e app.Event) pointer {
	box := ctx.JSSrc().Call("getBoundingClientRect")
	h.width = max(box.Get("width").Float(), 1)
	id := 0
	if n := e.Get("pointerId"); n.Truthy() { // a wheel has none
		id = n.Int()
	}
	return pointer{id, (e.Get("clientX").Float() - box.Get("left").Float()) / h.width, e.Get("clientY").Float() - box.Get("top").Float()}
}

func (h *hand) find(id int) int {
	for i := range h.down {
		if h.down[i].id == id {
			return i
		}
	}
	return -1
}

// begin notes where the pointers are, from which on what they do counts.
func (h *hand) begin(w report.Window) {
	h.began = append(h.began[:0], h.down...)
	h.window = w
}

// inChart reports whether a place is over the chart rather than the segments.
func (c *Cursor) inChart(y float64) bool {
	if c.Page.state.isTiered() {
		return y < plotTop+report.UpHeight+report.LaneGap+report.DownHeight
	}
	return y < plotTop+report.DetailHeight+plotBottom
}

func (c *Cursor) onDown(ctx app.Context, e app.Event) {
	h, s := &c.Page.hand, c.Page.state
	if e.Get("button").Int() != 0 {
		ctx.PreventUpdate()
		return
	}
	p := h.at(ctx, e)
	if e.Get("isPrimary").Bool() {
		h.down = h.down[:0]
	}
	if len(h.down) > 1 || h.find(p.id) >= 0 {
		return
	}
	capturePointer(ctx.JSSrc(), e)
	h.down = append(h.down, p)
	h.begin(s.window)
	if len(h.down) == 1 {
		h.moved, h.pans = false, !c.inChart(p.y) || e.Get("shiftKey").Bool()
		if !h.pans && e.Get("pointerType").String() != "touch" {
			c.Page.drag(max(0, min(p.x, 1)))
		}
	}
}

func (c *Cursor) onMove(ctx app.Context, e app.Event) {
	h := &c.Page.hand
	i := h.find(e.Get("pointerId").Int())
	if i < 0 {
		ctx.PreventUpdate()
		return
	}
	h.down[i] = h.at(ctx, e)
	if d := &h.down[i]; !h.moved && math.Hypot((d.x-h.began[i].x)*h.width, d.y-h.began[i].y) < 4 {
		ctx.PreventUpdate()
		return
	}
	h.moved = true
	switch {
	case len(h.down) == 2:
		apart := func(p []pointer) float64 { return max(math.Abs(p[0].x-p[1].x), 0.02) }
		middle := func(p []pointer) float64 { return (p[0].x + p[1].x) / 2 }
		h.times, h.about = apart(h.began)/apart(h.down), middle(h.began)
		h.pan, h.panned = middle(h.began)-middle(h.down), true
	case h.pans:
		h.pan, h.panned = h.began[i].x-h.down[i].x, true
	default:
		c.Page.drag(max(0, min(h.down[i].x, 1)))
	}
}

func (c *Cursor) onUp(ctx app.Context, e app.Event) {
	h := &c.Page.hand
	i := h.find(e.Get("pointerId").Int())
	if i < 0 {
		ctx.PreventUpdate()
		return
	}
	p := h.down[i]
	if len(h.down) == 1 && !h.moved {
		c.press(ctx, p)
	}
	c.lift(i)
}

func (c *Cursor) onCancel(ctx app.Context, e app.Event) {
	if i := c.Page.hand.find(e.Get("pointerId").Int()); i >= 0 {
		c.lift(i)
	}
}

// lift takes a pointer away; another that is still down goes on from where it is.
func (c *Cursor) lift(i int) {
	h := &c.Page.hand
	h.down = append(h.down[:i], h.down[i+1:]...)
	h.catchUp(c.Page.state)
	h.begin(c.Page.state.window)
}

// press asks about the segment at a place; in the chart it moves the moment, or selects the setting of an event that is
// marked there.
func (c *Cursor) press(ctx app.Context, p pointer) {
	s := c.Page.state
	if !c.inChart(p.y) {
		if s.isTiered() || s.reel == nil || !s.reel.ok {
			return
		}
		if base, ok := s.reel.Hit(p.x*100, p.y-plotTop-report.DetailHeight-plotBottom-filmTop); ok {
			c.Page.ask(ctx, base)
		}
		return
	}
	if p.y < plotTop/2 && !s.isTiered() {
		for _, m := range s.drawing().Detail.Marks {
			if math.Abs(m.X-p.x*100) < 4 && m.Key != "" {
				focusOn(fieldID(rowKey(m.Key)))
				return
			}
		}
	}
	c.Page.drag(max(0, min(p.x, 1)))
}

// onWheel zooms with Ctrl or ⌘, as trackpads do for two fingers that part; sideways it moves along. Else the page scrolls.
func (c *Cursor) onWheel(ctx app.Context, e app.Event) {
	h := &c.Page.hand
	x, y := e.Get("deltaX").Float(), e.Get("deltaY").Float()
	zooms := e.Get("ctrlKey").Bool() || e.Get("metaKey").Bool()
	if !zooms && math.Abs(x) <= math.Abs(y) {
		ctx.PreventUpdate()
		return
	}
	e.PreventDefault()
	at := h.at(ctx, e)
	if e.Get("deltaMode").Int() == 1 { // lines
		x, y = x*16, y*16
	}
	if !zooms {
		if !h.panned {
			h.window = c.Page.state.window
		}
		h.pan, h.panned = h.pan+x/h.width, true
		return
	}
	if h.times == 0 {
		h.times = 1
	}
	h.times *= math.Exp(max(-1, min(y/180, 1)))
	h.about = max(0, min(at.x, 1))
}

package app

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// helper plays scenarios that take long, in a Web Worker, so that the page has nothing to do with it. Where there can be no
// worker the page plays them itself, in slices.
type helper struct {
	opened  chan struct{} // closed when it is known whether there is a worker; nil: nobody asked yet
	worker  app.Value     // nil: there is none
	replies map[int]chan played
	last    int // job
}

// played is what the worker says of a job: how far it is, or what came of it.
type played struct {
	at     calc.Millis
	packed []byte
}

// helpWith is from how many events on the worker is asked: step by step some 50 ms in a browser.
const helpWith = 250_000

// How long the page waits for a worker to start, how often it looks whether a job is still wanted, and after how many looks
// without a word the worker is given up.
const (
	helperStarts = 5 * time.Second
	helperLook   = 100 * time.Millisecond
	helperSilent = 100
)

// play plays a scenario. tell, which may be nil, is told now and then how far that is; wanted ends it by returning false, and
// then ok is false. With lean the answer has no states to go on from. It waits, so it is called beside the page.
func (h *helper) play(s calc.Scenario, lean bool, tell func(at calc.Millis), wanted func() bool) (a calc.Answer, ok bool) {
	wait := newPause()
	if s.EventBound() > helpWith && h.open() {
		packed, ok := h.ask(s, lean, tell, wanted)
		if !ok {
			return a, false
		}
		wait = newPause()
		if a, ok := calc.Unpack(s, packed, func() { wait.now(nil) }); ok {
			return a, wanted()
		}
	}
	a = calc.RunWith(s, func(at calc.Millis) bool {
		wait.now(func() {
			if tell != nil {
				tell(at)
			}
		})
		return wanted()
	})
	if !lean && wanted() {
		report.Anchor(&a, func() bool {
			wait.now(nil)
			return wanted()
		})
	}
	return a, wanted()
}

// open reports whether there is a worker. It is started when it is asked for first, and stays.
func (h *helper) open() bool {
	if h.opened == nil {
		h.opened, h.replies = make(chan struct{}), map[int]chan played{}
		got := app.FuncOf(func(_ app.Value, args []app.Value) any {
			h.worker = args[0]
			h.worker.Set("onmessage", app.FuncOf(h.hear))
			h.worker.Set("onerror", app.FuncOf(h.lose))
			close(h.opened)
			return nil
		})
		refused := app.FuncOf(func(app.Value, []app.Value) any {
			close(h.opened)
			return nil
		})
		app.Window().Get("partsize").Call("worker", playerPart).Call("then", got, refused)
	}
	select {
	case <-h.opened:
	case <-time.After(helperStarts):
	}
	return h.worker != nil
}

// hear passes on what the worker says.
func (h *helper) hear(_ app.Value, args []app.Value) any {
	m := args[0].Get("data")
	r := played{at: calc.Millis(m.Get("at").Int())}
	if packed := m.Get("packed"); packed.Truthy() {
		r.packed = make([]byte, packed.Length())
		app.CopyBytesToGo(r.packed, packed)
	}
	select {
	case h.replies[m.Get("turn").Int()] <- r: // one that nobody waits for any more is nil
	default:
	}
	return nil
}

// lose gives the worker up: the program in it has ended.
func (h *helper) lose(app.Value, []app.Value) any {
	h.worker = nil
	for _, waits := range h.replies {
		select {
		case waits <- played{packed: []byte{}}:
		default:
		}
	}
	return nil
}

// ask gives the worker a job and waits for what comes of it: nothing where the worker is lost. ok is false when it is not
// wanted any more.
func (h *helper) ask(s calc.Scenario, lean bool, tell func(at calc.Millis), wanted func() bool) (packed []byte, ok bool) {
	h.last++
	worker := h.worker // which may be lost meanwhile
	turn, replies := h.last, make(chan played, 16)
	h.replies[turn] = replies
	defer delete(h.replies, turn)
	worker.Call("postMessage", message("turn", turn, "lean", lean, "input", writeLink(s.Input().Changed())))
	for silent := 0; silent < helperSilent && h.worker != nil; silent++ {
		select {
		case r := <-replies:
			if r.packed != nil {
				return r.packed, wanted()
			}
			silent = 0
			if tell != nil {
				tell(r.at)
			}
		case <-time.After(helperLook):
		}
		if !wanted() {
			worker.Call("postMessage", message("turn", turn, "stop", true))
			return nil, false
		}
	}
	if h.worker != nil {
		h.worker.Call("terminate")
		h.worker = nil
	}
	return nil, true
}

// message is an object of names and values, in turn.
func message(pairs ...any) app.Value {
	m := app.Window().Get("Object").New()
	for i := 0; i < len(pairs); i += 2 {
		m.Set(pairs[i].(string), pairs[i+1])
	}
	return m
}

// playerPart is what host.js tells the program in the helper's worker that it is.
const playerPart = "player"

// player is the helper's other end, in the worker.
type player struct {
	mail  chan app.Value
	queue []app.Value  // jobs that wait
	ended map[int]bool // jobs that are not wanted any more
}

// runPlayer is the program in the worker. It never returns.
func runPlayer() {
	self := app.Window()
	p := player{mail: make(chan app.Value, 64), ended: map[int]bool{}}
	self.Set("onmessage", app.FuncOf(func(_ app.Value, args []app.Value) any {
		p.mail <- args[0].Get("data")
		return nil
	}))
	self.Call("postMessage", "ready")
	for {
		if len(p.queue) == 0 {
			clear(p.ended)
			p.take(<-p.mail)
			continue
		}
		job := p.queue[0]
		p.queue = p.queue[1:]
		p.work(job)
	}
}

// take takes a message: a job, or word that one is not wanted any more.
func (p *player) take(m app.Value) {
	if m.Get("stop").Truthy() {
		p.ended[m.Get("turn").Int()] = true
	} else {
		p.queue = append(p.queue, m)
	}
}

// work does a job, and says now and then how far it is.
func (p *player) work(job app.Value) {
	self, turn := app.Window(), job.Get("turn").Int()
	var in calc.Input
	pairs, _ := new(linkRead).pairs(job.Get("input").String())
	for _, p := range pairs {
		_ = in.Set(p.Key, p.Value)
	}
	packed := []byte{} // no answer: the page plays it
	if s, err := calc.NewScenario(in); err == nil {
		begun := time.Now()
		look := func(at calc.Millis) bool {
			if time.Since(begun) < helperLook {
				return true
			}
			self.Call("postMessage", message("turn", turn, "at", int64(at)))
			time.Sleep(time.Millisecond) // mail is delivered while the program sleeps
			for len(p.mail) > 0 {
				p.take(<-p.mail)
			}
			begun = time.Now()
			return !p.ended[turn]
		}
		a := calc.RunWith(s, look)
		lean := job.Get("lean").Bool()
		if !lean && !p.ended[turn] {
			// It is not silent over this, or on a slow machine the page would give it up.
			report.Anchor(&a, func() bool { return look(s.Horizon()) })
		}
		if p.ended[turn] {
			return
		}
		packed = a.Pack(lean)
	}
	bytes := self.Get("Uint8Array").New(len(packed))
	app.CopyBytesToJS(bytes, packed)
	self.Call("postMessage", message("turn", turn, "at", 0, "packed", bytes), []any{bytes.Get("buffer")})
}

package app

import (
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/fleet"
	"github.com/partsize/partsize/calc/scene"
)

// errand is a message to the clerk: a job, a look at what the last job gave, or neither: stop.
type errand struct {
	turn int // which job of the page's; a look is at that one or the one before
	job  *scene.Job
	look *scene.Look
}

// reply is a message from it.
type reply struct {
	turn      int
	done, all int
	working   bool
	stopped   bool
	scene     string // encoded; "": the reply is about the job
}

// clerk does the cluster's long work: in a Web Worker, or, where there is none, beside the page.
type clerk struct {
	desk   scene.Desk
	mail   chan errand
	tell   func(reply)
	breath time.Duration // how long it works before it lets others go first, and looks at its mail
	next   *errand       // what ended a job
}

func newClerk(breath time.Duration, tell func(reply)) *clerk {
	return &clerk{mail: make(chan errand, 64), tell: tell, breath: breath}
}

// put hands it an errand; one that finds no room is a look that the page asks for again.
func (c *clerk) put(e errand) {
	select {
	case c.mail <- e:
	default:
	}
}

// serve never returns.
func (c *clerk) serve() {
	for {
		e := c.next
		if c.next = nil; e == nil {
			m := <-c.mail
			e = &m
		}
		switch {
		case e.job != nil:
			c.work(e.turn, *e.job)
		case e.look != nil:
			c.show(e)
		}
	}
}

// work does a job. Looks that come meanwhile are answered from the last one; another job ends it, or an errand without.
func (c *clerk) work(turn int, job scene.Job) {
	begun, stopped := time.Now(), false
	c.desk.Work(job, func(done, all int) bool {
		if time.Since(begun) < c.breath {
			return true
		}
		c.tell(reply{turn: turn, working: true, done: done, all: all})
		time.Sleep(time.Millisecond) // mail is delivered while the program sleeps
		begun = time.Now()
		for {
			select {
			case e := <-c.mail:
				if e.look != nil {
					c.show(&e)
					continue
				}
				c.next, stopped = &e, true
				return false
			default:
				return true
			}
		}
	})
	c.tell(reply{turn: turn, stopped: stopped})
}

func (c *clerk) show(e *errand) { c.tell(reply{turn: e.turn, scene: c.desk.Look(*e.look).Encode()}) }

// Breaths: a worker holds up nobody but its mail; beside the page the page waits.
const (
	workerBreath = 40 * time.Millisecond
	pageBreath   = slice
)

// RunWorker is the same program without a page: web/worker.js starts it in a Web Worker. It never returns: a worker ends when
// the page terminates it.
func RunWorker() {
	self := app.Window()
	object := self.Get("Object")
	c := newClerk(workerBreath, func(r reply) {
		m := object.New()
		m.Set("turn", r.turn)
		m.Set("done", r.done)
		m.Set("all", r.all)
		m.Set("working", r.working)
		m.Set("stopped", r.stopped)
		m.Set("scene", r.scene)
		self.Call("postMessage", m)
	})
	self.Set("onmessage", app.FuncOf(func(_ app.Value, args []app.Value) any {
		c.put(errandOf(args[0].Get("data")))
		return nil
	}))
	self.Call("postMessage", "ready")
	c.serve()
}

// errandOf reads what [workerLink] wrote.
func errandOf(m app.Value) errand {
	e := errand{turn: m.Get("turn").Int()}
	switch m.Get("do").String() {
	case "work":
		job := scene.Job{Form: formFile, Size: m.Get("size").String(), Feed: m.Get("feed").String()}
		names, texts := m.Get("names"), m.Get("texts")
		for i := range names.Length() {
			job.Files = append(job.Files, fleet.File{Name: names.Index(i).String(), Data: []byte(texts.Index(i).String())})
		}
		e.job = &job
	case "look":
		at, _ := number(m.Get("at").String())
		e.look = &scene.Look{Where: m.Get("where").String(), Policy: m.Get("policy").String(), At: at, From: m.Get("from").Int()}
	}
	return e
}

// workFile is a text that a job reads. Pasted ones stay the browser's until the worker has them.
type workFile struct {
	name string
	text string
	own  app.Value // instead of text
}

// workerLink is the page's end: it sends errands to a worker, or to a clerk beside the page.
type workerLink struct {
	worker app.Value
	local  *clerk
}

func (l *workerLink) work(turn int, files []workFile, size, feed string) {
	if l.local != nil {
		job := scene.Job{Form: formFile, Size: size, Feed: feed}
		for _, f := range files {
			if f.own != nil {
				f.text = f.own.String()
			}
			job.Files = append(job.Files, fleet.File{Name: f.name, Data: []byte(f.text)})
		}
		l.local.put(errand{turn: turn, job: &job})
		return
	}
	m := l.message("work", turn)
	names, texts := app.Window().Get("Array").New(), app.Window().Get("Array").New()
	for _, f := range files {
		names.Call("push", f.name)
		if f.own != nil {
			texts.Call("push", f.own)
		} else {
			texts.Call("push", f.text)
		}
	}
	m.Set("names", names)
	m.Set("texts", texts)
	m.Set("size", size)
	m.Set("feed", feed)
	l.worker.Call("postMessage", m)
}

func (l *workerLink) look(turn int, look scene.Look) {
	if l.local != nil {
		l.local.put(errand{turn: turn, look: &look})
		return
	}
	m := l.message("look", turn)
	m.Set("where", look.Where)
	m.Set("policy", look.Policy)
	m.Set("at", digits(int64(look.At)))
	m.Set("from", look.From)
	l.worker.Call("postMessage", m)
}

func (l *workerLink) stop(turn int) {
	if l.local != nil {
		l.local.put(errand{turn: turn})
		return
	}
	l.worker.Call("postMessage", l.message("stop", turn))
}

func (l *workerLink) message(do string, turn int) app.Value {
	m := app.Window().Get("Object").New()
	m.Set("do", do)
	m.Set("turn", turn)
	return m
}

// openWorker starts a worker; where there can be none, a clerk beside the page. opened is called once it can be sent to, tell
// for each of its replies, and lost when the program in it has ended, all as the page's own.
func openWorker(ctx app.Context, opened func(*workerLink), tell func(reply), lost func()) {
	said := func(r reply) { ctx.Dispatch(func(app.Context) { tell(r) }) }
	await(app.Window().Get("partsize").Call("worker"), func(worker app.Value) {
		worker.Set("onmessage", app.FuncOf(func(_ app.Value, args []app.Value) any {
			m := args[0].Get("data")
			said(reply{turn: m.Get("turn").Int(), done: m.Get("done").Int(), all: m.Get("all").Int(),
				working: m.Get("working").Bool(), stopped: m.Get("stopped").Bool(), scene: m.Get("scene").String()})
			return nil
		}))
		worker.Set("onerror", app.FuncOf(func(_ app.Value, args []app.Value) any {
			args[0].Call("preventDefault") // it is no error of the page
			ctx.Dispatch(func(app.Context) { lost() })
			return nil
		}))
		ctx.Dispatch(func(app.Context) { opened(&workerLink{worker: worker}) })
	}, func() {
		c := newClerk(pageBreath, said)
		go c.serve()
		ctx.Dispatch(func(app.Context) { opened(&workerLink{local: c}) })
	})
}

// lostWorker says that the cluster could not be worked out. What was shown stays, and the next change begins anew.
func (r *Root) lostWorker() {
	c := &r.state.cluster
	c.link, c.opening, c.sent = nil, false, ""
	c.working, c.asking, c.stopped = false, false, true
	c.shown, c.problem = r.state.clusterLook(), clusterText.lost
}

// later runs f after a time, if it is still the last that was to run then.
func (r *Root) later(turn *int, after time.Duration, f func()) {
	*turn++
	mine := *turn
	r.ctx.After(after, func(app.Context) {
		if *turn == mine {
			f()
		}
	})
}

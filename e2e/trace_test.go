package e2e

import (
	"encoding/json"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/tracing"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// pageTask is a task of a page's thread: how long it took by the clock, and how much of the processor, which another process
// cannot make longer but for what they share. In milliseconds.
type pageTask struct{ clock, processor float64 }

// tracePage begins to take down the tasks of the page's thread, and of no worker's; end ends it and returns them.
func (p *tab) tracePage() (end func() []pageTask) {
	p.t.Helper()
	var traced [][]byte
	complete := make(chan bool, 1)
	p.traced = func(e any) {
		switch e := e.(type) {
		case *tracing.EventDataCollected:
			for _, one := range e.Value {
				traced = append(traced, one)
			}
		case *tracing.EventTracingComplete:
			complete <- true
		}
	}
	_, err := chromedp.Call(p.ctx, tracing.Start, tracing.StartParams{TraceConfig: &tracing.TraceConfig{
		IncludedCategories: []string{"toplevel", "__metadata"},
	}})
	require.NoError(p.t, err)
	return func() (tasks []pageTask) {
		p.t.Helper()
		_, err := chromedp.Call(p.ctx, tracing.End, cdp.Empty{})
		require.NoError(p.t, err)
		select {
		case <-complete:
		case <-time.After(patience):
			p.t.Fatal("the trace does not end")
		}
		p.traced = nil
		type event struct {
			Name     string
			PID, TID int64
			Dur      float64 // µs
			TDur     float64
			Args     struct{ Name string }
		}
		var all []event
		page := map[[2]int64]bool{}
		for _, text := range traced {
			var e event
			if json.Unmarshal(text, &e) != nil {
				continue
			}
			if e.Name == "thread_name" && e.Args.Name == "CrRendererMain" {
				page[[2]int64{e.PID, e.TID}] = true
			}
			all = append(all, e)
		}
		for _, e := range all {
			if e.Name == "ThreadControllerImpl::RunTask" && page[[2]int64{e.PID, e.TID}] {
				tasks = append(tasks, pageTask{e.Dur / 1000, e.TDur / 1000})
			}
		}
		require.NotEmpty(p.t, tasks)
		return tasks
	}
}

//go:build js && wasm

package app

import "time"

// How long the program waits before it draws what was asked for: until every listener of the event at hand was told, and
// until the browser had some time to itself after the last drawing.
const (
	breath = time.Millisecond
	rest   = 8 * time.Millisecond
)

// run is the program's loop, in place of go-app's Start: RunWhenOnBrowser calls it, see the Makefile. Start draws by a timer
// of a 120th of a second, which in a browser is some ten milliseconds, more than all the work that a change is. Here what
// follows from an event is drawn as soon as it is known, unless something was drawn a moment ago; what comes meanwhile is
// drawn with it.
func (e *engineX) run() {
	drawn := time.Now()
	due := time.After(breath) // when what was asked for is drawn; nil: nothing was
	for {
		select {
		case dispatch := <-e.dispatches:
			dispatch()
			if due == nil {
				due = time.After(max(breath, rest-time.Since(drawn)))
			}
		case <-due:
			for len(e.dispatches) > 0 {
				(<-e.dispatches)()
			}
			e.processFrame()
			due, drawn = nil, time.Now()
		}
	}
}

package app

import (
	"runtime"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// runWorker is the cluster's worker, in the program that has clusters.
var runWorker func()

// Main is the program in the browser: the page, or a worker beside it, which web/worker.js tells what it is.
func Main() {
	if app.IsClient && app.Window().Get("document").Type() == app.TypeUndefined {
		switch {
		case app.Window().Get("part").String() == playerPart:
			runPlayer()
		case runWorker != nil:
			runWorker()
		}
		return
	}
	// Memory that is there and not used. Go's collector waits until as much was allocated as there is, and the page has only
	// some 4 MB: it would run every few changes of a field, and be a third of what they take. A higher percentage would do the
	// same for a page with much in it, where memory is what counts.
	slack := make([]byte, 8<<20)
	Routes()
	app.RunWhenOnBrowser() // in a browser it never returns
	runtime.KeepAlive(slack)
}

package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// runWorker is the worker, where this program has work for one.
var runWorker func()

// Main is the program in the browser: the page, or the worker beside it.
func Main() {
	if app.IsClient && app.Window().Get("document").Type() == app.TypeUndefined {
		if runWorker != nil {
			runWorker()
		}
		return
	}
	Routes()
	app.RunWhenOnBrowser()
}

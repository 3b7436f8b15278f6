package app

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// RunWorker is the same program without a page: web/worker.js starts it in a
// Web Worker, where long simulations run. A placeholder that says that it is
// ready and echoes what it is sent, until the page has work for it.
//
// It never returns: a worker ends when the page terminates it.
func RunWorker() {
	self := app.Window()
	self.Set("onmessage", app.FuncOf(func(_ app.Value, args []app.Value) any {
		self.Call("postMessage", args[0].Get("data"))
		return nil
	}))
	self.Call("postMessage", "ready")
	select {}
}

//go:build js && wasm

// The wasm program is the page in the browser, and the worker beside it.
package main

import (
	"syscall/js"

	goapp "github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/app"
)

func main() {
	if js.Global().Get("document").IsUndefined() {
		app.RunWorker()
		return
	}
	app.Routes()
	goapp.RunWhenOnBrowser()
}

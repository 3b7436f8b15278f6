//go:build js && wasm

// The larger of the two programs: all views of the page. See docs/decisions/0012-two-programs.md.
package main

import "github.com/partsize/partsize/app"

func main() {
	app.AllViews()
	app.Main()
}

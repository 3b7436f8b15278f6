//go:build js && wasm

// The program in the browser: the page with the partition's view, and the worker beside it.
package main

import "github.com/partsize/partsize/app"

func main() { app.Main() }

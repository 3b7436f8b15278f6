package main

import "strings"

// relative resolves the rooted locations of go-app to relative ones: "/" is
// "./", "/web/x" is "web/x". With it the same bytes run at any address, online
// and offline. cmd/wasm/goapp does the same in the browser.
//
// The price: one page per directory, because a relative location means
// something else one level down.
type relative struct{}

func (relative) Resolve(location string) string {
	switch {
	case location == "/":
		return "./"
	case strings.HasPrefix(location, "/") && !strings.HasPrefix(location, "//"):
		return location[1:]
	}
	return location
}

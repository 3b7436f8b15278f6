//go:build js && wasm

// Package app here is not a package of ours: the Makefile copies this file
// over go-app's http.go and resource.go in the copy that it builds for the
// browser. Those two link net/http and crypto into the page, a fifth of its
// weight, and the browser never calls them.
package app

import "strings"

// Handler is only named by GenerateStaticWebsite, which the browser never
// calls.
type Handler struct{}

// clientResourceResolver makes rooted locations relative, as the resolver of
// cmd/site does for the HTML that it writes: "/" is "./", "/web/x" is "web/x".
// It ignores the resources URL on purpose, because the page does not know
// where it is served from.
func clientResourceResolver(string) func(string) string {
	return func(location string) string {
		switch {
		case location == "/":
			return "./"
		case strings.HasPrefix(location, "/") && !strings.HasPrefix(location, "//"):
			return location[1:]
		}
		return location
	}
}

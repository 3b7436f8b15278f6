//go:build js && wasm

// Package app here is not a package of ours: the Makefile copies this file
// over go-app's http.go, resource.go, route.go, crypto.go and state.go in the
// copy that it builds for the browser. Those link net/http, crypto, regexp, the
// tables of Unicode and the texts of times into the page, and the page needs
// none of them. The directories beside this file stand in for encoding/json,
// net/url, github.com/google/uuid, and how go-app prints its errors. What it all
// weighs is in docs/decisions/0010-what-the-browser-does-not-need.md.
package app

import (
	"errors"
	"strings"
)

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

// router shows one component, whatever the path: the page is in the fragment.
type router struct{ newComponent func() Composer }

func makeRouter() router { return router{} }

func (r *router) route(_ string, newComponent func() Composer) { r.newComponent = newComponent }

func (r *router) routeWithRegexp(_ string, newComponent func() Composer) {
	r.newComponent = newComponent
}

func (r *router) createComponent(string) (Composer, bool) {
	if r.newComponent == nil {
		return nil, false
	}
	return r.newComponent(), true
}

var errLeftOut = errors.New("left out of the browser's build, see cmd/wasm/goapp")

func encrypt(string, []byte) ([]byte, error) { return nil, errLeftOut }
func decrypt(string, []byte) ([]byte, error) { return nil, errLeftOut }

// State, Observer and stateManager are go-app's states, which the page does not
// have: it keeps its own, in app/state.go.
type (
	State        struct{}
	Observer     struct{}
	stateManager struct{}
)

func (*stateManager) Observe(Context, string, any) Observer { panic(errLeftOut) }
func (*stateManager) Get(Context, string, any)              { panic(errLeftOut) }
func (*stateManager) Set(Context, string, any) State        { panic(errLeftOut) }
func (*stateManager) Delete(Context, string)                {}

// Cleanup and CleanupExpiredPersistedStates are called by go-app itself, and
// find nothing.
func (*stateManager) Cleanup()                              {}
func (*stateManager) CleanupExpiredPersistedStates(Context) {}

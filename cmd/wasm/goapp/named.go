//go:build js && wasm

package app

// Composer is named by stub.go, which compiles by itself with this. This file
// is not copied: go-app has the real one.
type Composer any

// The linter looks at what is used; go-app uses these.
var (
	_ = makeRouter
	_ = (*router).route
	_ = (*router).routeWithRegexp
	_ = (*router).createComponent
	_ = encrypt
	_ = decrypt
	_ = clientResourceResolver
)

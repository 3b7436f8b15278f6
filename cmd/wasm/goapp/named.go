//go:build js && wasm

package app

// Composer and Context are named by stub.go and pace.go, which compile by themselves with this.
// This file is not copied: go-app has the real ones.
type (
	Composer any
	Context  struct{}
)

// engineX is go-app's engine as far as pace.go knows it.
type engineX struct{ dispatches chan func() }

func (*engineX) processFrame() {}

// The linter looks at what is used; go-app uses these.
var (
	_ = makeRouter
	_ = (*engineX).run
	_ = (*router).route
	_ = (*router).routeWithRegexp
	_ = (*router).createComponent
	_ = encrypt
	_ = decrypt
	_ = clientResourceResolver
	_ = (*stateManager).Observe
	_ = (*stateManager).Get
	_ = (*stateManager).Set
	_ = (*stateManager).Delete
	_ = (*stateManager).Cleanup
	_ = (*stateManager).CleanupExpiredPersistedStates
)

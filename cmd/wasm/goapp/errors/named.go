package errors

// Encoder and Error are named by plain.go, which compiles by itself with this.
// This file is not copied: go-app has the real ones.
var Encoder func(any) ([]byte, error)

// Error is go-app's.
type Error struct {
	Line, Message string
	Tags          map[string]any
	WrappedErr    error
}

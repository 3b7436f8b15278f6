// Package json stands in for encoding/json in the copy of go-app that is built
// for the browser. go-app stores states and subscriptions with it, which the
// page does not have, and reads a list from its environment that is null.
package json

import "errors"

// RawMessage is a value as it was written.
type RawMessage []byte

var errLeftOut = errors.New("JSON is left out of the browser's build, see cmd/wasm/goapp")

// Marshal fails.
func Marshal(any) ([]byte, error) { return nil, errLeftOut }

// MarshalIndent fails.
func MarshalIndent(any, string, string) ([]byte, error) { return nil, errLeftOut }

// Unmarshal leaves a value as it is for null, and fails for all else.
func Unmarshal(data []byte, _ any) error {
	if string(data) == "null" {
		return nil
	}
	return errLeftOut
}

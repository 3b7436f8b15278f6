// Package errors here is not a package of ours: the Makefile copies this file
// beside go-app's errors.go in the copy that it builds for the browser, where
// errors are printed without encoding/json.
package errors

import "fmt"

func init() { // after that of errors.go, by the name of the file
	Encoder = func(v any) ([]byte, error) {
		e, ok := v.(Error)
		if !ok {
			return fmt.Append(nil, v), nil
		}
		b := fmt.Appendf(nil, "%s: %s %v", e.Line, e.Message, e.Tags)
		if e.WrappedErr != nil {
			b = fmt.Append(b, ": ", e.WrappedErr)
		}
		return b, nil
	}
}

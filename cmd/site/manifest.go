package main

import (
	"bytes"
	"encoding/json"
)

// fixManifest makes the installed page stay in its own directory: go-app
// writes "/" as the scope, which is the whole host.
func fixManifest(manifest []byte) ([]byte, error) {
	var fields map[string]any
	if err := json.Unmarshal(manifest, &fields); err != nil {
		return nil, err
	}
	// An id is resolved against the host, not the directory: "./" would be the
	// identity of every site there. Without one it is the start.
	delete(fields, "id")
	fields["scope"] = "./"
	fields["start_url"] = "./"

	// The manifest lies in the root, so its own relative locations are right.
	icons, _ := fields["icons"].([]any)
	for _, icon := range icons {
		icon := icon.(map[string]any)
		if icon["purpose"] == "" {
			icon["purpose"] = "any"
		}
	}

	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(fields) // sorts the keys
	return b.Bytes(), err
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// What read --json says of files as people paste them is what must be read from them, no part more and none less. Two
// things are looser. Of effective the expectations list the few keys that each file is about, now these, now those, while
// read gives every setting that a topic inherits. And a number of partitions that the file does not say is null, which the
// expectations write or leave out.
func TestReadAsExpected(t *testing.T) {
	const inputs = "../../calc/kafkaconf/testdata/inputs/"
	files, err := filepath.Glob(inputs + "*.expected.json")
	require.NoError(t, err)
	require.Len(t, files, 11)
	for _, name := range files {
		var want struct {
			File     string
			Expect   map[string]any
			Rejected map[string]string `json:"rejected_values"`
		}
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		exactly(t, data, &want)
		r, err := (&terminal{err: os.Stderr}).readOne(inputs + want.File)
		require.NoError(t, err)
		data, err = json.Marshal(r)
		require.NoError(t, err)
		var got struct {
			Read     map[string]any
			Warnings []string
			Rejected map[string]string `json:"rejected_values"`
		}
		exactly(t, data, &got)
		assert.Equal(t, want.Rejected, got.Rejected, want.File)
		assert.NotNil(t, got.Warnings, "an empty list, not null")
		if listed, ok := want.Expect["effective"].(map[string]any); ok {
			all := got.Read["effective"].(map[string]any)
			for key := range all {
				if _, ok := listed[key]; !ok {
					delete(all, key)
				}
			}
		}
		assert.Equal(t, withoutNulls(want.Expect), withoutNulls(got.Read), want.File)
	}
}

// exactly keeps numbers as they are written: 2^63−1 does not survive a float.
func exactly(t *testing.T, data []byte, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	require.NoError(t, d.Decode(into))
}

func withoutNulls(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			if v[key] = withoutNulls(value); value == nil {
				delete(v, key)
			}
		}
	case []any:
		for i := range v {
			v[i] = withoutNulls(v[i])
		}
	}
	return v
}

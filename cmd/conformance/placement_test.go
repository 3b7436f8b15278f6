package main

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc/placement/trace"
)

// Each seed draws scenarios that can be read and played, the same every time.
func TestPlacementScenarios(t *testing.T) {
	steps, moves := 0, 0
	for seed := range uint64(40) {
		for _, text := range []string{dirsScenario("d", "/data", seed), brokersScenario("b", seed), creationScenario("c", seed)} {
			s, err := trace.Decode([]byte(text))
			require.NoError(t, err, text)
			_, err = trace.Replay(s)
			require.NoError(t, err, text)
			steps += len(s.Rows)
			for _, r := range s.Rows {
				if r.Step.Kind == "finish_move" {
					moves++
				}
			}
		}
		assert.Equal(t, dirsScenario("d", "/data", seed), dirsScenario("d", "/data", seed))
		assert.Equal(t, brokersScenario("b", seed), brokersScenario("b", seed))
	}
	assert.NotEqual(t, dirsScenario("d", "/data", 1), dirsScenario("d", "/data", 2))
	assert.Greater(t, steps, 1000)
	assert.Greater(t, moves, 50, "moves that end are drawn")
}

package provider

import (
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/services.md anew")

// The page of services is the rules', no more and no less.
func TestMarkdown(t *testing.T) {
	const name = "../../docs/services.md"
	text := Markdown()
	if *update {
		require.NoError(t, os.WriteFile(name, []byte(text), 0o666))
	}
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	assert.Equal(t, text, string(data), "run go test ./calc/provider -update")
	for _, s := range Services() {
		for _, r := range s.Rules {
			assert.Contains(t, text, "| `"+r.ID+"`, ")
			assert.Contains(t, text, r.Source.URL)
			assert.NotContains(t, r.Says, "|", "it would end a cell")
		}
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "| ") {
			assert.Contains(t, []int{4, 5}, strings.Count(line, "|"), line)
		}
	}
}

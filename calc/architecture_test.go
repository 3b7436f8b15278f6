//go:build !js

package calc_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var tick = regexp.MustCompile("`([^`]+)`")

// What the table of docs/architecture.md names is there, and every file of this package is in it. In a row a name without a
// directory is in the one named before it.
func TestArchitectureTable(t *testing.T) {
	text, err := os.ReadFile("../docs/architecture.md")
	require.NoError(t, err)
	named := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		cells := strings.SplitN(line, "|", 3)
		if len(cells) < 3 {
			continue
		}
		dir := ""
		for _, m := range tick.FindAllStringSubmatch(cells[1], -1) {
			name := m[1]
			if strings.Contains(name, "/") {
				dir = path.Dir(name)
			} else {
				name = path.Join(dir, name)
			}
			found, err := filepath.Glob(filepath.Join("..", filepath.FromSlash(name)))
			require.NoError(t, err, name)
			assert.NotEmpty(t, found, "docs/architecture.md names %s", name)
			for _, f := range found {
				named[filepath.ToSlash(f)] = true
			}
		}
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, f := range files {
		if !strings.HasSuffix(f, "_test.go") && f != "doc.go" {
			assert.True(t, named["../calc/"+f], "docs/architecture.md has no row with calc/%s", f)
		}
	}
}

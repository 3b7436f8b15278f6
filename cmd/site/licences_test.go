package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Who gets the site gets the licences of all that is in it: ours, and those of what is linked into the programs. A package
// of another module that is linked into them is named here, with its licence in web/licences.txt.
func TestLicencesAreInTheSite(t *testing.T) {
	dir, _ := site(t, options{})
	text := strings.Join(strings.Fields(read(t, dir, "web/licences.txt")), " ")
	said := func(args ...string) string {
		out, err := exec.Command("go", args...).Output()
		require.NoError(t, err)
		return strings.TrimSpace(string(out))
	}
	for _, dir := range []string{"../..", said("list", "-m", "-f", "{{.Dir}}", "github.com/maxence-charriere/go-app/v10"), said("env", "GOROOT")} {
		licence, err := os.ReadFile(filepath.Join(dir, "LICENSE"))
		require.NoError(t, err)
		assert.Contains(t, text, strings.Join(strings.Fields(string(licence)), " "), dir)
	}
	list := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", "../../cmd/wasm/all")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	deps, err := list.Output()
	require.NoError(t, err)
	for path := range strings.FieldsSeq(string(deps)) {
		known := strings.HasPrefix(path, "github.com/partsize/partsize/") || strings.HasPrefix(path, "github.com/maxence-charriere/go-app/v10/") ||
			path == "github.com/google/uuid" // the Makefile replaces it by cmd/wasm/goapp/uuid
		assert.True(t, known, "%s is linked into the programs: add its licence to web/licences.txt", path)
	}
}

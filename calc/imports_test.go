//go:build !js

package calc_test

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const module = "github.com/partsize/partsize"

// pure is the part of the standard library that only computes.
const pure = "bufio bytes cmp encoding/json errors fmt io iter maps math math/bits slices sort strconv strings sync unicode " +
	"unicode/utf16 unicode/utf8"

// importRules are the packages that each package of the module may import directly, with the reason. The first row that
// matches counts. A package that is in no row fails the test: give it a row, and say why.
//
// Do not widen a row to make a build pass; see docs/architecture.md.
var importRules = []struct{ path, may, why string }{
	{"calc", pure + " calc/internal/order", "the model is a pure function: no I/O, clock, randomness; equal input, equal result, on every platform"},
	{"calc/kafkaconf", pure + " calc calc/internal/order", "reads bytes it is given; finding files is the command's"},
	{"calc/placement", pure + " calc calc/internal/order", "where replicas go: as pure as calc; its random numbers are Java's, from a seed"},
	{"calc/placement/trace", pure + " calc calc/placement calc/internal/strictjson", "reads, plays and compares traces it is given"},
	{"calc/provider", pure + " calc", "what services reserve and delete, as data; how the topics came to be known is the command's and the page's"},
	{"calc/fleet", pure + " calc calc/kafkaconf calc/placement calc/internal/strictjson calc/internal/order", "whole clusters, as pure as calc; takes what kafkaconf has read"},
	{"calc/scene", pure + " calc calc/fleet calc/placement calc/report calc/internal/order", "what is shown of a cluster: it runs in a worker, so it knows no page"},
	{"calc/report", pure + " calc calc/provider calc/internal/order", "views of an answer; the only place under calc with floats, for pixels"},
	{"calc/internal/order", pure, "sorts, knows nothing of what"},
	{"calc/internal/strictjson", pure, "reads JSON front to back, knows nothing of Kafka"},
	{"internal/seeded", "flag os testing", "begins the tests of packages; no program has it"},
	{"calc/trace", pure + " math/rand/v2 calc calc/internal/strictjson", "draws random scenarios from a seed, by a generator that is fixed by its name"},
	{"app", "html runtime time " + pure + " calc calc/fleet calc/kafkaconf calc/placement calc/provider calc/report calc/scene " +
		"github.com/maxence-charriere/go-app/v10/pkg/app", "the page: alone in knowing go-app's components"},
	{"cmd/site", "*", "writes the site: the prerendered page comes from go-app"},
	{"cmd/wasm", "*", "the program in the browser"},
	{"cmd/wasm/goapp/", "*", "stand in for parts of go-app, and of what it imports, in the program for the browser"},
	{"cmd/partsize/formats", pure + " path regexp math/big calc calc/kafkaconf calc/provider " +
		"go.yaml.in/yaml/v3 github.com/hashicorp/hcl/v2 github.com/hashicorp/hcl/v2/hclsyntax github.com/zclconf/go-cty/cty", "other formats than Kafka's own, with the libraries for them: the page does not carry those"},
	{"cmd/partsize", "* -app -github.com/maxence-charriere", "the command has no page in it"},
	{"cmd/conformance", "* -app -github.com/maxence-charriere", "runs Maven and Java"},
}

// Reference: design.md, Layout. Direct imports only: fmt itself imports os.
func TestImportRules(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", module+"/...").Output()
	require.NoError(t, err)
	packages := 0
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; packages++ {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		path := strings.TrimPrefix(p.ImportPath, module+"/")
		if strings.HasPrefix(path, "build/") {
			continue
		}
		rule := slices.IndexFunc(importRules, func(r struct{ path, may, why string }) bool {
			return r.path == path || strings.HasSuffix(r.path, "/") && strings.HasPrefix(path, r.path)
		})
		if !assert.GreaterOrEqual(t, rule, 0, "%s has no row in importRules", path) {
			continue
		}
		r := importRules[rule]
		for _, name := range p.Imports {
			assert.True(t, allowed(r.may, strings.TrimPrefix(name, module+"/")), "%s imports %s: %s", path, name, r.why)
		}
	}
	assert.GreaterOrEqual(t, packages, 6)
}

// allowed reports whether a list of names allows one: * is any, -name all but those that begin with it.
func allowed(list, name string) bool {
	may := false
	for _, word := range strings.Fields(list) {
		switch {
		case word == "*" || word == name:
			may = true
		case strings.HasPrefix(word, "-") && strings.HasPrefix(name, word[1:]):
			return false
		}
	}
	return may
}

// The core reckons in whole numbers: only calc/report has floats, for pixels.
func TestNoFloats(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasPrefix(path, "report"+string(filepath.Separator)) {
			return err
		}
		text, err := os.ReadFile(path)
		assert.NotRegexp(t, `\bfloat(32|64)\b`, string(text), path)
		return err
	})
	assert.NoError(t, err)
}

package app

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Every word of the catalogue is shown somewhere: one that no component names is downloaded, and would be translated, for
// nothing. A catalogue is a variable of an unnamed struct in a file text*.go.
func TestEveryWordIsUsed(t *testing.T) {
	catalogues, used := map[string][]string{}, map[string]bool{}
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".go") || strings.HasSuffix(e.Name(), "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), e.Name(), nil, parser.SkipObjectResolution)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if of, ok := n.X.(*ast.Ident); ok {
					used[of.Name+"."+n.Sel.Name] = true
				}
			case *ast.ValueSpec:
				if words := fieldsOf(n); len(words) > 0 && strings.HasPrefix(e.Name(), "text") {
					catalogues[n.Names[0].Name] = words
				}
			}
			return true
		})
	}
	assert.GreaterOrEqual(t, len(catalogues), 7)
	for name, words := range catalogues {
		for _, word := range words {
			assert.True(t, used[name+"."+word], "%s.%s", name, word)
		}
	}
}

// fieldsOf is the fields of a variable that is an unnamed struct with its value.
func fieldsOf(v *ast.ValueSpec) (names []string) {
	if len(v.Values) != 1 {
		return nil
	}
	value, ok := v.Values[0].(*ast.CompositeLit)
	if !ok {
		return nil
	}
	of, ok := value.Type.(*ast.StructType)
	if !ok {
		return nil
	}
	for _, field := range of.Fields.List {
		for _, name := range field.Names {
			names = append(names, name.Name)
		}
	}
	return names
}

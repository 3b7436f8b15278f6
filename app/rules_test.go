package app

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Rules for components, each from something that go-app v10 gets wrong without
// saying so. They are checked on the source, because what they prevent shows
// only now and then.
//
// Pitfall 12: handlers are compared by their code, so a closure keeps what it
// captured first: a row's button acts on another row. A handler is a method,
// or it has an EventScope that names what it captured.
//
// Pitfall 10: the attributes of an element are set in random order, and a range
// refuses a value above 100 while it has no max. A range is made in one place,
// slider.go, which sets its value last.
//
// The policy refuses inline style, and the browser says so only on its console:
// .Style and .Styles are not used; a class or an SVG attribute is.
func TestComponentRules(t *testing.T) {
	entries, err := os.ReadDir(".")
	require.NoError(t, err)
	files := token.NewFileSet()
	var parsed []*ast.File
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".go") && !strings.HasSuffix(e.Name(), "_test.go") {
			f, err := parser.ParseFile(files, e.Name(), nil, parser.SkipObjectResolution)
			require.NoError(t, err)
			parsed = append(parsed, f)
		}
	}
	assert.Empty(t, breaches(files, parsed...))
}

// breaches returns a line for each call that breaks a rule.
func breaches(files *token.FileSet, parsed ...*ast.File) (lines []string) {
	for _, f := range parsed {
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			method, ok := call.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			at := files.Position(method.Sel.Pos())
			say := func(what string) {
				lines = append(lines, fmt.Sprintf("%s:%d: .%s: %s", at.Filename, at.Line, method.Sel.Name, what))
			}
			switch name := method.Sel.Name; {
			case name == "Style" || name == "Styles":
				say("the policy refuses inline style; use a class or an SVG attribute")
			case name == "Type" && len(call.Args) == 1 && isString(call.Args[0], "range") && at.Filename != "slider.go":
				say("a range is made in slider.go, which sets its value after its bounds")
			case takesHandler(name, call) && !isMethod(call.Args[handlerAt(name)]) && !hasScope(call):
				say("a closure as handler keeps what it captured first; use a method, or add app.EventScope(what it captures)")
			}
			return true
		})
	}
	return lines
}

// takesHandler reports whether a call sets an event handler: OnClick(h),
// On("click", h).
func takesHandler(name string, call *ast.CallExpr) bool {
	rest, ok := strings.CutPrefix(name, "On")
	if !ok || len(call.Args) <= handlerAt(name) {
		return false
	}
	return rest == "" || rest[0] >= 'A' && rest[0] <= 'Z'
}

func handlerAt(name string) int {
	if name == "On" {
		return 1
	}
	return 0
}

// isMethod reports whether a handler is a method value or a function of a
// package, which capture nothing that changes.
func isMethod(handler ast.Expr) bool {
	_, ok := handler.(*ast.SelectorExpr)
	return ok
}

func hasScope(call *ast.CallExpr) bool {
	for _, arg := range call.Args {
		if option, ok := arg.(*ast.CallExpr); ok {
			if f, ok := option.Fun.(*ast.SelectorExpr); ok && f.Sel.Name == "EventScope" {
				return true
			}
		}
	}
	return false
}

func isString(e ast.Expr, want string) bool {
	lit, ok := e.(*ast.BasicLit)
	if !ok {
		return false
	}
	got, err := strconv.Unquote(lit.Value)
	return err == nil && got == want
}

func TestComponentRulesFindBreaches(t *testing.T) {
	for source, want := range map[string]string{
		`app.Button().OnClick(r.onClick)`:                                                      "",
		`app.Button().OnClick(func(ctx app.Context, e app.Event) { r.pick(i) })`:               "OnClick",
		`app.Button().OnClick(r.pick(i))`:                                                      "OnClick",
		`app.Button().OnClick(r.pick(i), app.EventScope(i))`:                                   "",
		`app.Button().On("toggle", r.onToggle)`:                                                "",
		`app.Button().On("toggle", func(app.Context, app.Event) {})`:                           "On",
		`app.Input().Type("range")`:                                                            "Type",
		`app.Input().Type("text")`:                                                             "",
		`app.Div().Style("width", "3px")`:                                                      "Style",
		`app.If(ok, func() app.UI { return app.Button().OnClick(func() {}) })`:                 "OnClick",
		`app.Range(rows).Slice(func(i int) app.UI { return app.Button().OnClick(r.onClick) })`: "",
	} {
		files := token.NewFileSet()
		f, err := parser.ParseFile(files, "x.go", "package x\nvar _ = "+source, 0)
		require.NoError(t, err)
		lines := breaches(files, f)
		if want == "" {
			assert.Empty(t, lines, source)
		} else if assert.Len(t, lines, 1, source) {
			assert.Contains(t, lines[0], "x.go:2: ."+want+":")
		}
	}
}

package app

import (
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/report"
)

// at is the attributes of an element, each as name=value. One with an empty value is left out.
type at []string

// el is an element. What is in it is text, elements, slices of elements; nil is nothing.
//
// All elements are made with it, not with go-app's function for each tag: every such function brings a type with a hundred
// methods, which together are a tenth of what a reader downloads.
func el(tag string, attributes at, body ...any) app.HTMLElem {
	e := app.Elem(tag)
	for _, a := range attributes {
		name, value, _ := strings.Cut(a, "=")
		e.Attr(name, value)
	}
	if len(body) == 0 {
		return e
	}
	var all []app.UI
	for _, b := range body {
		switch b := b.(type) {
		case nil:
		case string:
			if b != "" {
				all = append(all, app.Text(visible(b)))
			}
		case []app.UI:
			all = append(all, b...)
		case report.Words:
			all = append(all, words(b)...)
		case app.UI:
			all = append(all, b)
		}
	}
	return e.Body(all...)
}

// each makes an element of each item.
func each[T any](items []T, of func(item *T) app.UI) []app.UI {
	all := make([]app.UI, 0, len(items))
	for i := range items {
		all = append(all, of(&items[i]))
	}
	return all
}

// words are the pieces of a sentence as elements.
func words(w report.Words) []app.UI {
	all := make([]app.UI, 0, len(w))
	for _, p := range w {
		switch {
		case p.Strong:
			all = append(all, el("b", nil, p.Text))
		case p.Code:
			all = append(all, el("code", nil, p.Text))
		default:
			all = append(all, app.Text(visible(p.Text)))
		}
	}
	return all
}

// keyCode is the key of a setting, which may break after its dots rather than within a word.
func keyCode(key string) app.UI {
	return app.Raw("<code>" + strings.ReplaceAll(key, ".", ".<wbr>") + "</code>")
}

// attrValue sets the attribute value; under its own name go-app sets the property instead, and the page as rendered would
// not be the page as drawn.
const attrValue = "VALUE="

// button is a button whose press is heard by its own handler.
func button(label string, h app.EventHandler, attributes ...string) app.UI {
	return el("button", append(at{"type=button"}, attributes...), label).On("click", h, app.EventScope(label))
}

// action is a button that says what it does: to which key, with which value. The component around it hears it, and lets
// [Root.act] do it.
type action struct{ Label, Act, Key, Value string }

func (a action) button(class string) app.UI {
	return el("button", at{"type=button", "class=" + class, "data-act=" + a.Act, "data-key=" + a.Key, "data-value=" + a.Value}, a.Label)
}

func actionButtons(all []action, class string) []app.UI {
	return each(all, func(a *action) app.UI { return a.button(class) })
}

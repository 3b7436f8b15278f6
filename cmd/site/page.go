package main

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// policy is the page's content security policy. It stands in a <meta>, since
// GitHub Pages sends no headers of ours. 'wasm-unsafe-eval' lets the page
// compile its own wasm, blob: lets a sandboxed frame start its worker. What
// may be a base is the page's own matter.
func policy(base string) string {
	return "default-src 'none'; " +
		"script-src 'self' 'wasm-unsafe-eval'; " +
		"style-src 'self'; " +
		"img-src 'self' data:; " +
		"connect-src 'self'; " +
		"worker-src 'self' blob:; " +
		"manifest-src 'self'; " +
		"object-src 'none'; " +
		"base-uri " + base + "; " +
		"form-action 'none'"
}

// fixPage turns the page as go-app renders it into the page that is served:
// right HTML, one order of everything, the policy and the head as we want
// them. It refuses a page that the policy would break, or that would leave the
// directory it is served from.
func fixPage(rendered []byte) ([]byte, error) {
	return fix(rendered, func(page, head *html.Node) {
		head.AppendChild(element(atom.Meta, "http-equiv", "Content-Security-Policy", "content", policy("'none'")))
	})
}

// fixView does the same for the page of another view, which says whose it is.
func fixView(rendered []byte, view, label string) ([]byte, error) {
	return fix(rendered, func(page, head *html.Node) {
		setAttr(page, "data-of", view)
		head.AppendChild(element(atom.Meta, "http-equiv", "Content-Security-Policy", "content", policy("'none'")))
		for n := range head.Descendants() {
			if n.Type == html.TextNode && n.Parent.DataAtom == atom.Title {
				n.Data = label + ": Partsize"
			}
		}
	})
}

// fixEmbed does the same for the page in frames of other pages. It lies one
// directory down and has the files of the whole page, so all its locations
// start one level up. It is marked, for web/style.css and for the program, has
// its own script in the head, and is nothing to install or to be found by.
func fixEmbed(rendered []byte) ([]byte, error) {
	return fix(rendered, func(page, head *html.Node) {
		setAttr(page, "class", "embed")
		for n := range head.Descendants() {
			if attr(n, "src") == "web/theme.js" {
				setAttr(n, "src", "web/frame.js")
			}
		}
		head.AppendChild(element(atom.Meta, "http-equiv", "Content-Security-Policy", "content", policy("'self'")))
		head.AppendChild(element(atom.Base, "href", "../"))
		head.AppendChild(element(atom.Meta, "name", "robots", "content", "noindex"))
	}, "manifest", "apple-touch-icon")
}

// fix does what is the same for every page, and lets mark add to the head; it
// drops the links of these kinds.
func fix(rendered []byte, mark func(page, head *html.Node), drop ...string) ([]byte, error) {
	doc, err := html.Parse(bytes.NewReader(untangle(rendered)))
	if err != nil {
		return nil, err
	}
	var problems []string
	var page, head *html.Node
	for n := range doc.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		problems = append(problems, check(n)...)
		slices.SortFunc(n.Attr, func(a, b html.Attribute) int {
			return strings.Compare(a.Namespace+" "+a.Key, b.Namespace+" "+b.Key)
		})
		switch {
		case n.DataAtom == atom.Html:
			page = n
		case n.DataAtom == atom.Head:
			head = n
		case attr(n, "id") == "app-wasm-loader-icon":
			setAttr(n, "alt", "")
			setAttr(n, "src", "web/"+iconSVG) // the page has it already
		}
	}
	if len(problems) > 0 {
		return nil, fmt.Errorf("the page cannot be served:\n  %s", strings.Join(problems, "\n  "))
	}
	mark(page, head)
	fixHead(head, drop)

	var b bytes.Buffer
	if err := html.Render(&b, doc); err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	return b.Bytes(), nil
}

// check says what is wrong with an element.
func check(n *html.Node) (problems []string) {
	say := func(format string, v ...any) {
		problems = append(problems, fmt.Sprintf("<%s>: ", n.Data)+fmt.Sprintf(format, v...))
	}
	for _, a := range n.Attr {
		switch {
		case a.Key == "style":
			say("style=%q: the policy refuses inline style; use a class or an SVG attribute", a.Val)
		case strings.HasPrefix(a.Key, "on"):
			say("%s=%q: the policy refuses inline script; use a handler", a.Key, a.Val)
		case a.Key == "href" || a.Key == "src":
			if strings.HasPrefix(a.Val, "/") {
				say("%s=%q: leaves the directory that the site is served from; use a relative location", a.Key, a.Val)
			}
			if n.DataAtom != atom.A && strings.Contains(a.Val, "://") {
				say("%s=%q: the page loads nothing from other hosts; copy it to web/", a.Key, a.Val)
			}
		}
	}
	switch {
	case n.DataAtom == atom.Style:
		say("the policy refuses inline style; put it into web/style.css")
	case n.DataAtom == atom.Script && attr(n, "src") == "":
		say("the policy refuses inline script; put it into web/")
	}
	return problems
}

// fixHead drops what cannot be said at an unknown address, and puts the head in
// order.
func fixHead(head *html.Node, drop []string) {
	var kept []*html.Node
	for n := range head.ChildNodes() {
		if n.Type == html.ElementNode && !unwanted(n) && !slices.Contains(drop, attr(n, "rel")) {
			kept = append(kept, n)
		}
	}
	kept = append(kept,
		element(atom.Meta, "name", "color-scheme", "content", "light dark"),
	)
	slices.SortStableFunc(kept, func(a, b *html.Node) int { return headRank(a) - headRank(b) })

	for head.FirstChild != nil {
		head.RemoveChild(head.FirstChild)
	}
	newline := func() { head.AppendChild(&html.Node{Type: html.TextNode, Data: "\n"}) }
	newline()
	for _, n := range kept {
		head.AppendChild(n)
		newline()
	}
}

// unwanted reports whether an element of the head goes: go-app's own style,
// absolute addresses in a site that does not know its own, empty <meta>.
func unwanted(n *html.Node) bool {
	switch {
	case attr(n, "href") == "app.css":
	case attr(n, "property") == "og:url", attr(n, "property") == "og:image":
	case n.DataAtom == atom.Meta && attr(n, "charset") == "" && attr(n, "content") == "":
	default:
		return false
	}
	return true
}

// fixScript lets go-app's app.js load the program that web/program.js chose.
func fixScript(script []byte, programs map[string][]byte) ([]byte, error) {
	const chosen = "document.documentElement.dataset.program"
	var sizes []string
	for _, name := range slices.Sorted(maps.Keys(programs)) {
		sizes = append(sizes, fmt.Sprintf("%q: %d", name, len(programs[name])))
	}
	for from, to := range map[string]string{
		`fetchWithProgress("web/app.wasm"`:                                         `fetchWithProgress(` + chosen,
		fmt.Sprintf(`const goappWasmContentLength = "%d"`, len(programs[appWasm])): `const goappWasmContentLength = {` + strings.Join(sizes, ", ") + `}[` + chosen + `]`,
	} {
		if bytes.Count(script, []byte(from)) != 1 {
			return nil, fmt.Errorf("go-app did not write %s once", from)
		}
		script = bytes.Replace(script, []byte(from), []byte(to), 1)
	}
	return script, nil
}

// headRank is the order of the head. The policy comes before all that it rules.
// The theme is set before the first paint. Of the deferred scripts, host.js
// comes between the class Go that it wraps and app.js that runs it.
func headRank(n *html.Node) int {
	order := []bool{
		attr(n, "charset") != "",
		attr(n, "http-equiv") != "",
		n.DataAtom == atom.Base,
		attr(n, "name") == "viewport",
		n.DataAtom == atom.Title,
		attr(n, "src") == "web/program.js",
		attr(n, "src") == "web/theme.js" || attr(n, "src") == "web/frame.js",
		attr(n, "rel") == "stylesheet",
		attr(n, "src") == "wasm_exec.js",
		attr(n, "src") == "web/host.js",
		n.DataAtom == atom.Script,
		n.DataAtom == atom.Link,
	}
	if i := slices.Index(order, true); i >= 0 {
		return i
	}
	return len(order)
}

// element makes an element from pairs of names and values.
func element(tag atom.Atom, pairs ...string) *html.Node {
	n := &html.Node{Type: html.ElementNode, DataAtom: tag, Data: tag.String()}
	for i := 0; i < len(pairs); i += 2 {
		n.Attr = append(n.Attr, html.Attribute{Key: pairs[i], Val: pairs[i+1]})
	}
	return n
}

func attr(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}

func setAttr(n *html.Node, key, value string) {
	for i, a := range n.Attr {
		if a.Key == key {
			n.Attr[i].Val = value
			return
		}
	}
	n.Attr = append(n.Attr, html.Attribute{Key: key, Val: value})
}

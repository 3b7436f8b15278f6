package main

import (
	"bytes"
	"html"
	"strconv"
	"strings"
)

// untangle rewrites go-app's rendering as the HTML that it means, so that the
// page in the file and the page that the wasm draws are the same tree.
//
// What go-app v10 writes, and HTML reads otherwise:
//   - attribute values are Go string literals: a quote is \" and ends the
//     value, a no-break space is the six characters \u00a0;
//   - a value of "true" is left out: aria-hidden="true" becomes the empty
//     aria-hidden, which is none;
//   - a boolean attribute that is off is written ="false", which is on;
//   - each child is indented on its own line, which puts a space between a
//     number and its unit, and into every <pre>.
//
// Markup passed through app.Raw goes through here as well. It keeps its
// meaning as long as its attributes hold no backslash and no character
// reference.
func untangle(rendered []byte) []byte {
	u := untangler{in: string(rendered)}
	for u.in != "" {
		switch {
		case strings.HasPrefix(u.in, "<!"):
			u.copyThrough(">")
		case strings.HasPrefix(u.in, "</"):
			u.closeTag()
		case strings.HasPrefix(u.in, "<"):
			u.openTag()
		default:
			u.text()
		}
	}
	return u.out.Bytes()
}

type untangler struct {
	in    string // what is left to read
	out   bytes.Buffer
	open  []string // the elements around here, outermost first
	fresh bool     // the last thing read was an opening tag
}

// copyThrough copies up to and including end, or all there is.
func (u *untangler) copyThrough(end string) {
	n := strings.Index(u.in, end)
	if n < 0 {
		n = len(u.in) - len(end)
	}
	u.take(n + len(end))
}

// take copies n bytes.
func (u *untangler) take(n int) {
	u.out.WriteString(u.in[:n])
	u.in = u.in[n:]
}

func (u *untangler) closeTag() {
	name := tagName(u.in[2:])
	for i := len(u.open) - 1; i >= 0; i-- {
		if u.open[i] == name {
			u.open = u.open[:i]
			break
		}
	}
	u.fresh = false
	u.copyThrough(">")
}

func (u *untangler) openTag() {
	name := tagName(u.in[1:])
	u.take(1 + len(name))
	for u.in != "" && u.in[0] != '>' {
		u.attribute()
	}
	selfClosed := bytes.HasSuffix(u.out.Bytes(), []byte("/"))
	u.copyThrough(">")
	if !void[name] && !selfClosed {
		u.open = append(u.open, name)
		u.fresh = true
	}
}

// attribute reads one attribute, or one character between two.
func (u *untangler) attribute() {
	n := strings.IndexAny(u.in, " \t\r\n=>/\"'")
	if n <= 0 {
		u.take(1)
		return
	}
	name := u.in[:n]
	u.in = u.in[n:]

	value, quoted := "true", strings.HasPrefix(u.in, "=")
	if quoted {
		literal, err := strconv.QuotedPrefix(u.in[1:])
		if err != nil { // not from go-app: ='…', or a line break inside
			u.out.WriteString(name)
			u.copyValue()
			return
		}
		u.in = u.in[1+len(literal):]
		value, _ = strconv.Unquote(literal) // QuotedPrefix has checked it
	}

	switch {
	case boolean[name] && value == "false":
		// Off is no attribute, and no space before it.
		u.out.Truncate(len(bytes.TrimSuffix(u.out.Bytes(), []byte(" "))))
	case boolean[name] && value == "true":
		u.out.WriteString(name)
	default:
		u.out.WriteString(name + `="` + html.EscapeString(value) + `"`)
	}
}

// copyValue copies "=" and a value as it stands.
func (u *untangler) copyValue() {
	u.take(1)
	if u.in == "" {
		return
	}
	if quote := u.in[:1]; quote == `"` || quote == "'" {
		u.take(1)
		u.copyThrough(quote)
		return
	}
	if n := strings.IndexAny(u.in, " \t\r\n>"); n >= 0 {
		u.take(n)
	}
}

// text copies the text up to the next tag, without the line breaks and the
// indentation that go-app puts around each child.
//
// An element with one text in it is written on one line. Otherwise each child
// is indented by its depth, two spaces a level, and the closing tag by its own.
func (u *untangler) text() {
	n := strings.IndexByte(u.in, '<')
	if n < 0 {
		n = len(u.in)
	}
	run := u.in[:n]
	u.in = u.in[n:]

	last := strings.HasPrefix(u.in, "</")
	child := "\n" + strings.Repeat("  ", len(u.open))
	end := "\n" + strings.Repeat("  ", max(0, len(u.open)-1))
	begun := run
	for strings.HasPrefix(begun, "\n\n") { // after an empty text, which has a line too
		begun = begun[1:]
	}
	alone := u.fresh && last && !(strings.HasPrefix(begun, child) && strings.HasSuffix(run, end))
	u.fresh = false
	if !alone && strings.HasPrefix(run, "\n") {
		run = begun
		if last {
			run = strings.TrimSuffix(run, end)
		}
		run = strings.ReplaceAll(run, child, "")
	}
	u.out.WriteString(run)
}

func tagName(s string) string {
	if n := strings.IndexAny(s, " \t\r\n>/"); n >= 0 {
		return s[:n]
	}
	return s
}

// void are the elements without a closing tag.
var void = set("area base br col embed hr img input link meta source track wbr")

// boolean are the attributes that are on when they are there.
var boolean = set("allowfullscreen async autofocus autoplay checked controls " +
	"default defer disabled download formnovalidate hidden inert ismap itemscope loop " +
	"multiple muted nomodule novalidate open playsinline readonly required reversed selected")

func set(words string) map[string]bool {
	s := map[string]bool{}
	for _, w := range strings.Fields(words) {
		s[w] = true
	}
	return s
}

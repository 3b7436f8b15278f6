package app

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// What people type, paste and link is shown as text, and as nothing but its own place: a mark in it that turns the
// direction of what follows could make the page's own words, or a command beside it, read as others. Such marks are
// written out, and a text that runs from right to left is isolated from the sentence around it.

// The marks that isolate a text from its surroundings. They are the only ones that the page itself writes.
const (
	isolate    = '\u2068'
	popIsolate = '\u2069'
)

// visible is a text without marks of direction and without controls: each is written as Go writes it. What runs from right
// to left is isolated, unless it is so already; isolates that are closed where they were opened stay.
func visible(text string) string {
	if !careful(text) {
		return text
	}
	var b strings.Builder
	keep, depth := balanced(text), 0
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case keep && r == isolate:
			depth++
			b.WriteRune(r)
		case keep && r == popIsolate:
			depth--
			b.WriteRune(r)
		case unseen(r):
			b.WriteString(escaped(r))
		case depth == 0 && rightToLeft(r):
			n = run(text)
			b.WriteRune(isolate)
			b.WriteString(text[:n])
			b.WriteRune(popIsolate)
		default:
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// run is how many bytes of a text that begins from right to left do so: up to its last such letter before one that does not,
// or before a mark.
func run(text string) (n int) {
	for i, r := range text {
		switch {
		case rightToLeft(r):
			n = i + utf8.RuneLen(r)
		case unseen(r), 'a' <= r|0x20 && r|0x20 <= 'z', r == '\n':
			return n
		}
	}
	return n
}

// careful reports whether a text may hold what [visible] changes. It looks at bytes first, because every text of the page
// passes here.
func careful(text string) bool {
	for i := 0; i < len(text); i++ {
		c := text[i]
		if c < 0x80 && (c >= ' ' && c != 0x7f || c == '\n' || c == '\t') || c >= 0x80 && c < 0xc0 {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(text[i:]); unseen(r) || rightToLeft(r) {
			return true
		}
	}
	return false
}

// unseen reports whether a character is a control, or turns the direction of what follows.
func unseen(r rune) bool {
	switch {
	case r < ' ':
		return r != '\n' && r != '\t'
	case 0x7f <= r && r < 0xa0: // C1 controls
	case r == '\u061c', r == '\u200e', r == '\u200f', r == '\ufeff': // marks of direction, and of byte order
	case '\u202a' <= r && r <= '\u202e', '\u2066' <= r && r <= '\u2069': // embeddings, overrides, isolates
	case r == '\u2028', r == '\u2029': // separators of lines and of paragraphs
	default:
		return false
	}
	return true
}

// balanced reports whether every isolate of a text is closed in it, and no other.
func balanced(text string) bool {
	depth := 0
	for _, r := range text {
		switch r {
		case isolate:
			depth++
		case popIsolate:
			depth--
		}
		if depth < 0 {
			return false
		}
	}
	return depth == 0
}

// escaped is a character by its number.
func escaped(r rune) string {
	digits := strconv.FormatInt(int64(r), 16)
	return `\u` + strings.Repeat("0", max(0, 4-len(digits))) + digits
}

// alone is a text for the middle of a sentence: in one line, without marks, and isolated as a whole if any of it runs from
// right to left.
func alone(text string) string {
	var b strings.Builder
	turned := false
	for _, r := range text {
		turned = turned || rightToLeft(r)
		switch {
		case r == '\n' || r == '\t':
			b.WriteByte(' ')
		case unseen(r):
			b.WriteString(escaped(r))
		default:
			b.WriteRune(r)
		}
	}
	if turned {
		return string(isolate) + b.String() + string(popIsolate)
	}
	return b.String()
}

// rightToLeft reports whether a letter is of a script that runs from right to left.
func rightToLeft(r rune) bool {
	return 0x590 <= r && r <= 0x8ff || 0xfb1d <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfeff || 0x10800 <= r && r <= 0x10fff || 0x1e800 <= r && r <= 0x1efff
}

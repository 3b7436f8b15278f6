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

// visible is a text without marks of direction and without controls: each is written as Go writes it. Isolates that are
// closed where they were opened stay, since nothing around them is changed by them.
func visible(text string) string {
	if !hides(text) {
		return text
	}
	var b strings.Builder
	keep := balanced(text)
	for _, r := range text {
		if unseen(r) && !(keep && (r == isolate || r == popIsolate)) {
			b.WriteString(escaped(r))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hides reports whether a text may hold such a mark. It looks at bytes, because every text of the page passes here.
func hides(text string) bool {
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c < ' ' && c != '\n' && c != '\t', c == 0x7f:
			return true
		case (c == 0xe2 || c == 0xd8 || c == 0xc2 || c == 0xef) && i+1 < len(text):
			if r, _ := utf8.DecodeRuneInString(text[i:]); unseen(r) {
				return true
			}
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

// alone is a text for the middle of a sentence: without marks, and isolated if it runs from right to left.
func alone(text string) string {
	text = strings.Map(func(r rune) rune {
		if r == '\n' || r == '\t' {
			return ' '
		}
		return r
	}, text)
	if hides(text) {
		var b strings.Builder
		for _, r := range text {
			if unseen(r) {
				b.WriteString(escaped(r))
			} else {
				b.WriteRune(r)
			}
		}
		text = b.String()
	}
	if strings.ContainsFunc(text, rightToLeft) {
		return string(isolate) + text + string(popIsolate)
	}
	return text
}

// rightToLeft reports whether a letter is of a script that runs from right to left.
func rightToLeft(r rune) bool {
	return 0x590 <= r && r <= 0x8ff || 0xfb1d <= r && r <= 0xfdff || 0xfe70 <= r && r <= 0xfeff || 0x10800 <= r && r <= 0x10fff || 0x1e800 <= r && r <= 0x1efff
}

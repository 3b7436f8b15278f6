package calc

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// FieldError is one thing that is wrong with one setting, and the way out.
//
// The errors of [ParseBytes] and its like have no Key.
type FieldError struct {
	Key     string // the setting, as it was given; "" when only a text was parsed
	Value   string // what was given, whole and unchanged
	Problem string // what is wrong with it; a clause without capital and full stop
	Hint    string // what to do, as a clause; "" when writing Nearest says it all
	Nearest string // the nearest value that would do (for an unknown key: the nearest key), or ""

	more []*FieldError // what else is wrong in the same text, when it is a list
}

// shownValue is how much of a value an error message repeats, in bytes.
const shownValue = 60

// Error is "key=value: problem; way out". A long value is cut, one with control characters quoted.
func (e *FieldError) Error() string {
	var b strings.Builder
	if e.Key != "" {
		b.WriteString(shown(e.Key))
		b.WriteByte('=')
	}
	b.WriteString(shown(e.Value))
	b.WriteString(": ")
	b.WriteString(e.Problem)
	if way := e.WayOut(); way != "" {
		b.WriteString("; ")
		b.WriteString(way)
	}
	return b.String()
}

// WayOut is what to do about it: the hint, or the value to write, or "".
func (e *FieldError) WayOut() string {
	switch {
	case e.Hint != "":
		return e.Hint
	case e.Nearest != "":
		return "write " + e.Nearest
	}
	return ""
}

// shown is text as a message repeats it.
func shown(text string) string {
	cut := len(text) > shownValue
	if cut {
		n := shownValue
		for n > 0 && !utf8.RuneStart(text[n]) {
			n--
		}
		text = text[:n]
	}
	if text == "" || !utf8.ValidString(text) || strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) ||
		strings.TrimSpace(text) != text {
		text = strconv.Quote(text)
	}
	if cut {
		text += "…"
	}
	return text
}

// at is the error about the setting key, given as value.
func (e *FieldError) at(key, value string) *FieldError {
	if e == nil {
		return nil
	}
	c := *e
	c.Key, c.Value, c.more = key, value, nil
	for _, m := range e.more {
		c.more = append(c.more, m.at(key, value))
	}
	return &c
}

// nearest is the candidate with the fewest edits from word, "" when all are far: more edits than a third of its length.
// The first of equals wins.
func nearest(word string, candidates func(yield func(string) bool)) string {
	if len(word) == 0 || len(word) > longestKey { // bounds the work that a pasted text can ask for
		return ""
	}
	best, least := "", max(1, len(word)/3)+1
	for c := range candidates {
		if d := edits(word, c, least); d < least {
			best, least = c, d
		}
	}
	return best
}

// edits is the number of insertions, deletions, replacements and swaps of neighbours that turn a into b, or limit when
// there are as many or more.
func edits(a, b string, limit int) int {
	if d := len(a) - len(b); d >= limit || -d >= limit {
		return limit
	}
	var buffer [3][82]int
	before, last, row := buffer[0][:], buffer[1][:], buffer[2][:]
	if len(b) >= len(row) {
		return limit
	}
	for j := range len(b) + 1 {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least >= limit {
			return limit
		}
		before, last, row = last, row, before
	}
	return min(last[len(b)], limit)
}

package trace

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// reader reads JSON from front to back, straight into the values that are wanted: it builds no tree, so its memory is
// bounded by what it accepts. After the first problem every method returns a zero value at once, and err is set.
type reader struct {
	data []byte
	pos  int
	path []byte // the place in the document, "steps[3].append.count"
	err  *Error
}

// Error is what is wrong with a file, and where.
type Error struct {
	Place   string // as "steps[3].append.count"; "" for the whole
	Problem string
	Line    int // from 1; 0 when the problem is with no line in particular
}

func (e *Error) Error() string {
	text := e.Problem
	if e.Place != "" {
		text = e.Place + ": " + text
	}
	if e.Line > 0 {
		text += " (line " + strconv.Itoa(e.Line) + ")"
	}
	return text
}

func (r *reader) fail(format string, args ...any) {
	if r.err != nil {
		return
	}
	line := 1
	for _, b := range r.data[:min(r.pos, len(r.data))] {
		if b == '\n' {
			line++
		}
	}
	r.err = &Error{Place: string(r.path), Problem: fmt.Sprintf(format, args...), Line: line}
}

// peek is the next byte that is not white space, 0 at the end or after a problem.
func (r *reader) peek() byte {
	if r.err != nil {
		return 0
	}
	for ; r.pos < len(r.data); r.pos++ {
		switch b := r.data[r.pos]; b {
		case ' ', '\t', '\r', '\n':
		default:
			return b
		}
	}
	return 0
}

// take goes past b if that comes next.
func (r *reader) take(b byte) bool {
	if r.peek() != b || r.err != nil {
		return false
	}
	r.pos++
	return true
}

// end fails unless nothing but white space is left.
func (r *reader) end() {
	if r.peek() != 0 || r.err == nil && r.pos < len(r.data) {
		r.fail("more text after the end")
	}
}

// object reads an object; field reads the value of each key and is false for a key that has no place there.
func (r *reader) object(field func(key string) bool) {
	if !r.take('{') {
		r.fail("expected an object")
		return
	}
	if r.take('}') {
		return
	}
	var seen keySet
	for n := 0; r.err == nil; n++ {
		if n == maxFields {
			r.fail("more than %d fields", maxFields)
			return
		}
		if r.peek() != '"' {
			r.fail("expected a field name in quotes")
			return
		}
		key := r.text()
		outer := len(r.path)
		if outer > 0 {
			r.path = append(r.path, '.')
		}
		r.path = append(r.path, shorten(key)...)
		switch {
		case !seen.add(key):
			r.fail("given twice")
		case !r.take(':'):
			r.fail("expected ':' after the field name")
		case !field(key):
			r.fail("unknown field")
		}
		if r.err != nil {
			return
		}
		r.path = r.path[:outer]
		if r.take('}') {
			return
		}
		if !r.take(',') {
			r.fail("expected ',' or '}'")
		}
	}
}

// array reads an array of at most most items; item reads each.
func (r *reader) array(most int, item func(i int)) {
	if !r.take('[') {
		r.fail("expected an array")
		return
	}
	if r.take(']') {
		return
	}
	for i := 0; r.err == nil; i++ {
		if i == most {
			r.fail("more than %d of them", most)
			return
		}
		outer := len(r.path)
		r.path = append(r.path, '[')
		r.path = strconv.AppendInt(r.path, int64(i), 10)
		r.path = append(r.path, ']')
		item(i)
		if r.err != nil {
			return
		}
		r.path = r.path[:outer]
		if r.take(']') {
			return
		}
		if !r.take(',') {
			r.fail("expected ',' or ']'")
		}
	}
}

// number reads a whole number from least to most.
func (r *reader) number(least, most int64) int64 {
	text := r.digits()
	if r.err != nil {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.fail("%s does not fit in 64 bits", shorten(text))
		return 0
	}
	if n < least || n > most {
		r.fail("%d is not between %d and %d", n, least, most)
		return 0
	}
	return n
}

// numbers reads a whole number or a non-empty array of them.
func (r *reader) numbers(least, most int64) []int64 {
	if r.peek() != '[' {
		n := r.number(least, most)
		return []int64{n}
	}
	var list []int64
	r.array(maxCycle, func(int) { list = append(list, r.number(least, most)) })
	if len(list) == 0 {
		r.fail("expected at least one number")
	}
	return list
}

// digits reads the text of a whole number.
func (r *reader) digits() string {
	r.peek()
	start := r.pos
	if r.pos < len(r.data) && r.data[r.pos] == '-' {
		r.pos++
	}
	first := r.pos
	for r.pos < len(r.data) && '0' <= r.data[r.pos] && r.data[r.pos] <= '9' {
		r.pos++
	}
	fraction := r.pos < len(r.data) && (r.data[r.pos] == '.' || r.data[r.pos] == 'e' || r.data[r.pos] == 'E')
	if r.pos == first || fraction || r.data[first] == '0' && r.pos > first+1 {
		r.pos = start
		r.fail("expected a whole number")
		return ""
	}
	return string(r.data[start:r.pos])
}

// word goes past one of JSON's own words if that comes next.
func (r *reader) word(word string) bool {
	if r.peek() != word[0] || len(r.data)-r.pos < len(word) || string(r.data[r.pos:r.pos+len(word)]) != word {
		return false
	}
	r.pos += len(word)
	return true
}

// text reads a string.
func (r *reader) text() string {
	if !r.take('"') {
		r.fail("expected text in quotes")
		return ""
	}
	start := r.pos
	for r.pos < len(r.data) {
		switch b := r.data[r.pos]; {
		case b == '"':
			r.pos++
			return string(r.data[start : r.pos-1])
		case b == '\\':
			return r.escaped(r.data[start:r.pos:r.pos])
		case b < ' ':
			r.fail("a control character in text")
			return ""
		}
		r.pos++
	}
	r.fail("text without its closing quote")
	return ""
}

// escaped reads the rest of a string from its first backslash on.
func (r *reader) escaped(text []byte) string {
	for r.pos < len(r.data) {
		b := r.data[r.pos]
		r.pos++
		switch {
		case b == '"':
			return string(text)
		case b < ' ':
			r.fail("a control character in text")
			return ""
		case b != '\\':
			text = append(text, b)
		default:
			text = r.escape(text)
			if r.err != nil {
				return ""
			}
		}
	}
	r.fail("text without its closing quote")
	return ""
}

// escape reads what follows a backslash.
func (r *reader) escape(text []byte) []byte {
	if r.pos < len(r.data) {
		b := r.data[r.pos]
		r.pos++
		switch b {
		case '"', '\\', '/':
			return append(text, b)
		case 'b':
			return append(text, '\b')
		case 'f':
			return append(text, '\f')
		case 'n':
			return append(text, '\n')
		case 'r':
			return append(text, '\r')
		case 't':
			return append(text, '\t')
		case 'u':
			c := r.hex4()
			if utf16.IsSurrogate(c) && r.pos+1 < len(r.data) && r.data[r.pos] == '\\' && r.data[r.pos+1] == 'u' {
				r.pos += 2
				c = utf16.DecodeRune(c, r.hex4())
				if c != utf8.RuneError {
					return utf8.AppendRune(text, c)
				}
			} else if c >= 0 && !utf16.IsSurrogate(c) {
				return utf8.AppendRune(text, c)
			}
		}
	}
	r.fail("an escape that JSON does not have")
	return text
}

// hex4 reads four hexadecimal digits; it is -1 when they are not there.
func (r *reader) hex4() rune {
	if len(r.data)-r.pos < 4 {
		return -1
	}
	n, err := strconv.ParseUint(string(r.data[r.pos:r.pos+4]), 16, 16)
	if err != nil {
		return -1
	}
	r.pos += 4
	return rune(n)
}

// keySet holds the keys of one object. Most objects have few.
type keySet struct {
	few  []string
	many map[string]bool
}

// add is false when the key is there already.
func (s *keySet) add(key string) bool {
	if s.many != nil {
		if s.many[key] {
			return false
		}
		s.many[key] = true
		return true
	}
	for _, k := range s.few {
		if k == key {
			return false
		}
	}
	s.few = append(s.few, key)
	if len(s.few) == 24 {
		s.many = make(map[string]bool)
		for _, k := range s.few {
			s.many[k] = true
		}
	}
	return true
}

// shorten cuts text that a reader need not see in full.
func shorten(text string) string {
	if len(text) <= 60 {
		return text
	}
	return strings.ToValidUTF8(text[:28], "") + "…" + strings.ToValidUTF8(text[len(text)-28:], "")
}

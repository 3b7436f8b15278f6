// Package strictjson reads JSON that must be exactly as expected, and says where it is not.
package strictjson

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxFields is the most fields of one object.
const MaxFields = 10_000

// Reader reads JSON from front to back, straight into the values that are wanted: it builds no tree, so its memory is
// bounded by what it accepts. After a problem that ends reading every method returns a zero value at once, and Err is set.
type Reader struct {
	data []byte
	pos  int
	Path []byte // the place in the document, "steps[3].append.count"
	Err  *Error // what ended reading

	// Most is how many problems with values may come before one ends reading; what is no JSON always does. 0: the first does.
	Most  int
	Noted []*Error // those that did not end it

	counted, lines int // up to where line ends are counted, and how many there are
}

// NewReader reads data, which must be UTF-8.
func NewReader(data []byte) Reader { return Reader{data: data} }

// Error is what is wrong with a file, and where.
type Error struct {
	Place   string // as "steps[3].append.count"; "" for the whole
	Problem string
	Line    int // from 1; 0 when the problem is with no line in particular
}

// Error is the place, the problem and the line.
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

// Line is the line being read, from 1.
func (r *Reader) Line() int {
	if r.pos < r.counted {
		r.counted, r.lines = 0, 0
	}
	for ; r.counted < min(r.pos, len(r.data)); r.counted++ {
		if r.data[r.counted] == '\n' {
			r.lines++
		}
	}
	return r.lines + 1
}

// Fail notes a problem at the place being read that ends reading.
func (r *Reader) Fail(format string, args ...any) {
	if r.Err == nil {
		r.Err = &Error{Place: string(r.Path), Problem: fmt.Sprintf(format, args...), Line: r.Line()}
	}
}

// Note notes a problem with the value just read. Reading goes on unless there have been too many.
func (r *Reader) Note(format string, args ...any) {
	r.NoteAt(string(r.Path), r.Line(), format, args...)
}

// NoteAt is Note about another place.
func (r *Reader) NoteAt(place string, line int, format string, args ...any) {
	if r.Err != nil {
		return
	}
	e := &Error{Place: place, Problem: fmt.Sprintf(format, args...), Line: line}
	if len(r.Noted) >= r.Most {
		r.Err = e
		return
	}
	r.Noted = append(r.Noted, e)
}

// wanted notes that a value is of another kind than wanted, and goes past it. Where no value begins, reading ends.
func (r *Reader) wanted(what string) {
	switch b := r.Peek(); {
	case b == '{' || b == '[' || b == '"' || b == '-' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z':
		r.Note("expected %s", what)
		r.skip()
	default:
		r.Fail("expected %s", what)
	}
}

// skip goes past a value. Inside it only texts and brackets are looked at.
func (r *Reader) skip() {
	var open []byte // the brackets that are to close
	for r.Err == nil {
		switch b := r.Peek(); b {
		case '{', '[':
			open = append(open, b+2) // as ASCII has it
			r.pos++
		case '}', ']':
			if len(open) == 0 || open[len(open)-1] != b {
				r.Fail("a bracket closes that is not open")
				return
			}
			open = open[:len(open)-1]
			r.pos++
		case '"':
			r.Text()
		case 0, ',', ':':
			if len(open) == 0 || b == 0 {
				r.Fail("expected a value")
				return
			}
			r.pos++
		default:
			r.pos++
			for r.pos < len(r.data) && !strings.ContainsRune(" \t\r\n,:]}[{\"", rune(r.data[r.pos])) {
				r.pos++
			}
		}
		if len(open) == 0 {
			return
		}
	}
}

// Peek is the next byte that is not white space, 0 at the end or after a problem.
func (r *Reader) Peek() byte {
	if r.Err != nil {
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

// Take goes past b if that comes next.
func (r *Reader) Take(b byte) bool {
	if r.Peek() != b || r.Err != nil {
		return false
	}
	r.pos++
	return true
}

// End fails unless nothing but white space is left.
func (r *Reader) End() {
	if r.Peek() != 0 || r.Err == nil && r.pos < len(r.data) {
		r.Fail("more text after the end")
	}
}

// Object reads an object; field reads the value of each key and is false for a key that has no place there.
func (r *Reader) Object(field func(key string) bool) {
	if !r.Take('{') {
		r.wanted("an object")
		return
	}
	if r.Take('}') {
		return
	}
	opened := r.pos
	var seen keySet
	for n := 0; r.Err == nil; n++ {
		if n == MaxFields {
			r.Fail("more than %d fields", MaxFields)
			return
		}
		if r.Peek() != '"' {
			r.Fail("expected a field name in quotes")
			return
		}
		key := r.Text()
		outer := len(r.Path)
		if outer > 0 {
			r.Path = append(r.Path, '.')
		}
		r.Path = append(r.Path, Shorten(key)...)
		switch first := seen.add(key); {
		case !r.Take(':'):
			r.Fail("expected ':' after the field name")
		case !first:
			r.Note("given twice")
			r.skip()
		case !field(key):
			r.Note("unknown field")
			r.skip()
		}
		if r.Err != nil {
			return
		}
		r.Path = r.Path[:outer]
		if r.Take('}') {
			return
		}
		if !r.Take(',') {
			r.unclosed(opened, '}')
		}
	}
}

// Array reads an array of at most most items; item reads each.
func (r *Reader) Array(most int, item func(i int)) {
	if !r.Take('[') {
		r.wanted("an array")
		return
	}
	if r.Take(']') {
		return
	}
	opened := r.pos
	for i := 0; r.Err == nil; i++ {
		if i == most {
			r.Fail("more than %d of them", most)
			return
		}
		outer := len(r.Path)
		r.Path = append(r.Path, '[')
		r.Path = strconv.AppendInt(r.Path, int64(i), 10)
		r.Path = append(r.Path, ']')
		item(i)
		if r.Err != nil {
			return
		}
		r.Path = r.Path[:outer]
		if r.Take(']') {
			return
		}
		if !r.Take(',') {
			r.unclosed(opened, ']')
		}
	}
}

// unclosed fails where a list neither goes on nor ends; its bracket was read just before a place.
func (r *Reader) unclosed(opened int, bracket byte) {
	if r.Peek() != 0 {
		r.Fail("expected ',' or '%c'", bracket)
		return
	}
	r.Fail("expected ',' or '%c', but the text ends; what is open begins in line %d", bracket, 1+strings.Count(string(r.data[:opened]), "\n"))
}

// Number reads a whole number from least to most.
func (r *Reader) Number(least, most int64) int64 {
	text := r.Digits()
	if text == "" {
		return 0
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		r.Note("%s does not fit in 64 bits", Shorten(text))
		return 0
	}
	if n < least || n > most {
		r.Note("%d is not between %d and %d", n, least, most)
		return 0
	}
	return n
}

// Digits reads the text of a whole number; it is "" when there is none.
func (r *Reader) Digits() string {
	r.Peek()
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
		r.wanted("a whole number")
		return ""
	}
	return string(r.data[start:r.pos])
}

// Word goes past one of JSON's own words if that comes next.
func (r *Reader) Word(word string) bool {
	if r.Peek() != word[0] || len(r.data)-r.pos < len(word) || string(r.data[r.pos:r.pos+len(word)]) != word {
		return false
	}
	r.pos += len(word)
	return true
}

// Text reads a string.
func (r *Reader) Text() string {
	if !r.Take('"') {
		r.wanted("text in quotes")
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
			r.Fail("a control character in text")
			return ""
		}
		r.pos++
	}
	r.Fail("text without its closing quote")
	return ""
}

// escaped reads the rest of a string from its first backslash on.
func (r *Reader) escaped(text []byte) string {
	for r.pos < len(r.data) {
		b := r.data[r.pos]
		r.pos++
		switch {
		case b == '"':
			return string(text)
		case b < ' ':
			r.Fail("a control character in text")
			return ""
		case b != '\\':
			text = append(text, b)
		default:
			text = r.escape(text)
			if r.Err != nil {
				return ""
			}
		}
	}
	r.Fail("text without its closing quote")
	return ""
}

// escape reads what follows a backslash.
func (r *Reader) escape(text []byte) []byte {
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
	r.Fail("an escape that JSON does not have")
	return text
}

// hex4 reads four hexadecimal digits; it is -1 when they are not there.
func (r *Reader) hex4() rune {
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

// Shorten cuts text that a reader need not see in full.
func Shorten(text string) string {
	if len(text) <= 60 {
		return text
	}
	return strings.ToValidUTF8(text[:28], "") + "…" + strings.ToValidUTF8(text[len(text)-28:], "")
}

package kafkaconf

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON is read here without encoding/json, a fifteenth of the weight of the page. A test holds the two side by side.

// jsonValue is one JSON value inside a text: text[at:end], which jsonEnd has found to be JSON.
type jsonValue struct {
	text    string
	at, end int
}

// jsonError is what is wrong with a text as JSON, or with a value at its place.
type jsonError struct {
	path string // of keys; "" for the text as JSON
	what string
	at   int
}

func (e *jsonError) Error() string {
	if e.path != "" {
		return e.path + ": " + e.what
	}
	return e.what
}

// jsonDepth is how many brackets may be open at once. Kafka's tools open eight.
const jsonDepth = 200

// findJSON is the value that a text begins with at a place.
func findJSON(text string, at int) (jsonValue, error) {
	end, err := jsonEnd(text, at, 0)
	if err != nil {
		return jsonValue{}, err
	}
	return jsonValue{text, at, end}, nil
}

// jsonEnd is where a value ends that begins at a place.
func jsonEnd(text string, at, depth int) (int, *jsonError) {
	if at >= len(text) {
		return 0, cutJSON(text)
	}
	switch c := text[at]; {
	case c == '{' || c == '[':
		if depth == jsonDepth {
			return 0, &jsonError{what: fmt.Sprintf("more than %d brackets are open", jsonDepth), at: at}
		}
		return jsonListEnd(text, at, depth+1)
	case c == '"':
		return jsonStringEnd(text, at)
	case c == '-' || isDigit(c):
		return jsonNumberEnd(text, at)
	}
	for _, word := range []string{"true", "false", "null"} {
		if text[at] == word[0] {
			return jsonWordEnd(text, at, word)
		}
	}
	return 0, unexpected(text, at, "looking for beginning of value")
}

// jsonListEnd is where an object or a list ends.
func jsonListEnd(text string, at, depth int) (int, *jsonError) {
	object := text[at] == '{'
	closing, after := byte(']'), "after array element"
	if object {
		closing, after = '}', "after object key:value pair"
	}
	var err *jsonError
	for first := true; ; first = false {
		at = skipJSONSpace(text, at+1)
		if first && at < len(text) && text[at] == closing {
			return at + 1, nil
		}
		if object {
			if at < len(text) && text[at] != '"' {
				return 0, unexpected(text, at, "looking for beginning of object key string")
			}
			if at, err = jsonStringEnd(text, at); err != nil {
				return 0, err
			}
			if at = skipJSONSpace(text, at); at == len(text) || text[at] != ':' {
				return 0, unexpected(text, at, "after object key")
			}
			at = skipJSONSpace(text, at+1)
		}
		if at, err = jsonEnd(text, at, depth); err != nil {
			return 0, err
		}
		switch at = skipJSONSpace(text, at); {
		case at < len(text) && text[at] == closing:
			return at + 1, nil
		case at == len(text) || text[at] != ',':
			return 0, unexpected(text, at, after)
		}
	}
}

func jsonStringEnd(text string, at int) (int, *jsonError) {
	for at++; at < len(text); at++ {
		switch c := text[at]; {
		case c == '"':
			return at + 1, nil
		case c < ' ':
			return 0, unexpected(text, at, "in string literal")
		case c != '\\':
			continue
		}
		if at++; at == len(text) {
			break
		}
		if text[at] != 'u' {
			if strings.IndexByte(`"\/bfnrt`, text[at]) < 0 {
				return 0, unexpected(text, at, "in string escape code")
			}
			continue
		}
		for range 4 {
			if at++; at == len(text) || !isHex(text[at]) {
				return 0, unexpected(text, at, `in \u hexadecimal character escape`)
			}
		}
	}
	return 0, cutJSON(text)
}

func jsonNumberEnd(text string, at int) (int, *jsonError) {
	digits := func(where string) *jsonError {
		if at == len(text) || !isDigit(text[at]) {
			return unexpected(text, at, where)
		}
		for at < len(text) && isDigit(text[at]) {
			at++
		}
		return nil
	}
	if text[at] == '-' {
		at++
	}
	if at < len(text) && text[at] == '0' {
		at++
	} else if err := digits("in numeric literal"); err != nil {
		return 0, err
	}
	if at < len(text) && text[at] == '.' {
		at++
		if err := digits("after decimal point in numeric literal"); err != nil {
			return 0, err
		}
	}
	if at < len(text) && (text[at] == 'e' || text[at] == 'E') {
		if at++; at < len(text) && (text[at] == '+' || text[at] == '-') {
			at++
		}
		if err := digits("in exponent of numeric literal"); err != nil {
			return 0, err
		}
	}
	return at, nil
}

func jsonWordEnd(text string, at int, word string) (int, *jsonError) {
	for i := range len(word) {
		if at+i == len(text) || text[at+i] != word[i] {
			return 0, unexpected(text, at+i, fmt.Sprintf("in literal %s (expecting %s)", word, quoteByte(word[i])))
		}
	}
	return at + len(word), nil
}

func skipJSONSpace(text string, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' || text[at] == '\n') {
		at++
	}
	return at
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isHex(c byte) bool { return isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f' }

func cutJSON(text string) *jsonError {
	return &jsonError{what: "the JSON ends before its last bracket", at: len(text)}
}

// unexpected is the error of a byte that JSON does not have at this place.
func unexpected(text string, at int, where string) *jsonError {
	if at >= len(text) {
		return cutJSON(text)
	}
	return &jsonError{what: "is not JSON: invalid character " + quoteByte(text[at]) + " " + where, at: at}
}

func quoteByte(c byte) string {
	switch c {
	case '\'':
		return `'\''`
	case '"':
		return `'"'`
	}
	quoted := strconv.Quote(string(rune(c)))
	return "'" + quoted[1:len(quoted)-1] + "'"
}

func (v jsonValue) isObject() bool { return v.text[v.at] == '{' }
func (v jsonValue) isList() bool   { return v.text[v.at] == '[' }
func (v jsonValue) isNull() bool   { return v.text[v.at] == 'n' }

// each gives the values of an object with their names, or those of a list, in the order of the text, up to the first error.
func (v jsonValue) each(do func(name string, value jsonValue) error) error {
	object := v.isObject()
	at := skipJSONSpace(v.text, v.at+1)
	for at < v.end-1 {
		name := ""
		if object {
			end, _ := jsonStringEnd(v.text, at)
			name = unquoteJSON(v.text[at:end])
			at = skipJSONSpace(v.text, skipJSONSpace(v.text, end)+1)
		}
		end, _ := jsonEnd(v.text, at, 0)
		if err := do(name, jsonValue{v.text, at, end}); err != nil {
			return err
		}
		if at = skipJSONSpace(v.text, end); v.text[at] == ',' {
			at = skipJSONSpace(v.text, at+1)
		}
	}
	return nil
}

// readJSON sets what a value says, if it is not null.
func readJSON[T any](to *T, v jsonValue, read func(jsonValue) (T, error)) error {
	if v.isNull() {
		return nil
	}
	got, err := read(v)
	if err == nil {
		*to = got
	}
	return err
}

// readOptional is the same for a value that may be absent; null takes it away.
func readOptional[T any](to **T, v jsonValue, read func(jsonValue) (T, error)) error {
	*to = nil
	if v.isNull() {
		return nil
	}
	*to = new(T)
	return readJSON(*to, v, read)
}

// inJSON puts a key before the path of an error.
func inJSON(key string, err error) error {
	if in, ok := err.(*jsonError); ok {
		if in.path != "" {
			key += "."
		}
		in.path = key + in.path
	}
	return err
}

// wanted is the error of a value that is something else.
func (v jsonValue) wanted(what string) error {
	is := ""
	switch c := v.text[v.at]; c {
	case '{':
		is = "an object"
	case '[':
		is = "a list"
	case '"':
		is = "a string"
	case 't', 'f':
		is = v.text[v.at:v.end]
	default:
		is = "the number " + clip(v.text[v.at:v.end], 40)
	}
	return &jsonError{what: is + " where " + what + " belongs", at: v.at}
}

func (v jsonValue) string() (string, error) {
	if v.text[v.at] != '"' {
		return "", v.wanted("a string")
	}
	return unquoteJSON(v.text[v.at:v.end]), nil
}

func (v jsonValue) int64() (int64, error) { return v.whole(64) }

func (v jsonValue) int32() (int32, error) {
	n, err := v.whole(32)
	return int32(n), err
}

func (v jsonValue) whole(bits int) (int64, error) {
	n, err := strconv.ParseInt(v.text[v.at:v.end], 10, bits)
	if err != nil {
		return 0, v.wanted(fmt.Sprintf("a whole number of %d bits", bits))
	}
	return n, nil
}

func (v jsonValue) bool() (bool, error) {
	c := v.text[v.at]
	if c != 't' && c != 'f' {
		return false, v.wanted("true or false")
	}
	return c == 't', nil
}

// unquoteJSON is what a string says. What is no Unicode becomes U+FFFD.
func unquoteJSON(quoted string) string {
	s := quoted[1 : len(quoted)-1]
	if strings.IndexByte(s, '\\') < 0 && utf8.ValidString(s) {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		switch {
		case s[i] != '\\':
			c, size := utf8.DecodeRuneInString(s[i:])
			b = utf8.AppendRune(b, c)
			i += size
		case s[i+1] != 'u':
			c := s[i+1]
			if special := strings.IndexByte("bfnrt", c); special >= 0 {
				c = "\b\f\n\r\t"[special]
			}
			b = append(b, c)
			i += 2
		default:
			c := hexRune(s[i:])
			i += 6
			if utf16.IsSurrogate(c) {
				if c = utf16.DecodeRune(c, hexRune(s[i:])); c != utf8.RuneError {
					i += 6
				}
			}
			b = utf8.AppendRune(b, c)
		}
	}
	return string(b)
}

// hexRune is the number of an escape such as \u00e4 that a text begins with, or -1.
func hexRune(s string) rune {
	if len(s) < 6 || s[:2] != `\u` {
		return -1
	}
	n, err := strconv.ParseUint(s[2:6], 16, 16)
	if err != nil {
		return -1
	}
	return rune(n)
}

package kafkaconf

import (
	"iter"
	"strings"
	"unicode/utf16"
)

// property is a line of a .properties file as Java reads it.
type property struct {
	line       int // of its first character, from 1
	key, value string
	malformed  bool // a \u without four hexadecimal digits; Java refuses the whole file
	slipped    bool // a backslash in the value that is gone, or has become a control character, as in C:\temp
}

// properties yields the entries of a .properties file in order, repeated keys too. It reads exactly as
// java.util.Properties.load does, but for two things that the caller is told about or can see: text that is not ASCII is
// taken as it stands, not as ISO-8859-1, and a malformed \u is reported with its entry and does not end the reading.
//
// Source: Java 17, Properties.load0, LineReader.readLine and loadConvert. [TestPropertiesAsJava] compares the two.
func properties(text string) iter.Seq[property] {
	return func(yield func(property) bool) {
		lines := logicalLines{text: text, line: 1}
		for lines.next() {
			p := splitProperty(lines.logical)
			p.line = lines.start
			if !yield(p) {
				return
			}
		}
	}
}

// logicalLines joins the lines of a .properties file that end in a backslash, and leaves out comments and blank lines.
type logicalLines struct {
	text string // what is still to read
	line int    // number of the line that text begins with

	logical string // the line read last
	start   int    // the number of its first line
}

const propertyBlanks = " \t\f"

// next reads a logical line, and reports whether there was one.
func (l *logicalLines) next() bool {
	var joined []byte
	for l.text != "" {
		number := l.line
		natural, ending := l.natural()
		natural = strings.TrimLeft(natural, propertyBlanks)
		if len(joined) == 0 {
			// Also so after a line that held nothing but a backslash.
			if natural == "" || natural[0] == '#' || natural[0] == '!' {
				continue
			}
			l.start = number
		}
		if !endsInBackslash(natural) {
			l.logical = natural
			if len(joined) > 0 {
				l.logical = string(append(joined, natural...))
			}
			return true
		}
		joined = append(joined, natural[:len(natural)-1]...)
		if l.text == "" {
			// A backslash alone at the end of the file is an entry with an empty key; Java takes \r\n for another line.
			l.logical = string(joined)
			return len(joined) > 0 || len(ending) < 2
		}
	}
	return false
}

// natural takes the next line off the text, and the \n, \r or \r\n that ends it.
func (l *logicalLines) natural() (line, ending string) {
	end := 0
	for end < len(l.text) && l.text[end] != '\n' && l.text[end] != '\r' {
		end++
	}
	line, rest := l.text[:end], l.text[end:]
	switch {
	case strings.HasPrefix(rest, "\r\n"):
		ending = rest[:2]
	case rest != "":
		ending = rest[:1]
	}
	l.text = rest[len(ending):]
	l.line++
	return line, ending
}

// endsInBackslash reports whether the last character is a backslash that is not itself escaped.
func endsInBackslash(line string) bool {
	n := len(line)
	for n > 0 && line[n-1] == '\\' {
		n--
	}
	return (len(line)-n)%2 == 1
}

// splitProperty parts a logical line at the first =, : or blank that has no backslash before it.
func splitProperty(line string) property {
	end := 0
	for end < len(line) && !endsKey(line[end]) {
		if line[end] == '\\' {
			end++
		}
		end++
	}
	end = min(end, len(line))
	value := strings.TrimLeft(line[end:], propertyBlanks)
	if value != "" && (value[0] == '=' || value[0] == ':') {
		value = strings.TrimLeft(value[1:], propertyBlanks)
	}
	key, keyMalformed := unescapeProperty(line[:end])
	slipped := hasSlip(value)
	value, valueMalformed := unescapeProperty(value)
	return property{key: key, value: value, malformed: keyMalformed || valueMalformed, slipped: slipped}
}

// hasSlip reports whether there is a backslash before a character that needs none: probably part of a path.
func hasSlip(value string) bool {
	for i := strings.IndexByte(value, '\\'); i >= 0 && i+1 < len(value); i++ {
		if value[i] != '\\' {
			continue
		}
		if i++; strings.IndexByte("\\:=#! u", value[i]) < 0 {
			return true
		}
	}
	return false
}

func endsKey(c byte) bool {
	return c == '=' || c == ':' || c == ' ' || c == '\t' || c == '\f'
}

// unescapeProperty resolves \t, \r, \n, \f and \uXXXX, and takes the backslash off any other character. Text with a
// malformed \u comes back as it was.
func unescapeProperty(text string) (plain string, malformed bool) {
	if strings.IndexByte(text, '\\') < 0 {
		return text, false
	}
	out := make([]byte, 0, len(text))
	high := rune(0) // a UTF-16 high surrogate that waits for its other half
	for i := 0; i < len(text); i++ {
		c := text[i]
		unit := rune(-1)
		if c == '\\' {
			if i++; i == len(text) {
				break
			}
			switch c = text[i]; c {
			case 't':
				c = '\t'
			case 'r':
				c = '\r'
			case 'n':
				c = '\n'
			case 'f':
				c = '\f'
			case 'u':
				if unit = hexUnit(text[i+1:]); unit < 0 {
					return text, true
				}
				i += 4
			}
		}
		if high != 0 {
			if pair := utf16.DecodeRune(high, unit); pair != '\uFFFD' {
				out = append(out, string(pair)...)
				high = 0
				continue
			}
			out = append(out, "\uFFFD"...)
			high = 0
		}
		switch {
		case unit >= 0xD800 && unit < 0xDC00:
			high = unit
		case unit >= 0:
			out = append(out, string(unit)...)
		default:
			out = append(out, c)
		}
	}
	if high != 0 {
		out = append(out, "\uFFFD"...)
	}
	return string(out), false
}

// hexUnit is the number that the first four characters write in hexadecimal, or -1.
func hexUnit(text string) rune {
	if len(text) < 4 {
		return -1
	}
	unit := rune(0)
	for _, c := range []byte(text[:4]) {
		switch {
		case c >= '0' && c <= '9':
			unit = unit<<4 | rune(c-'0')
		case c >= 'a' && c <= 'f':
			unit = unit<<4 | rune(c-'a'+10)
		case c >= 'A' && c <= 'F':
			unit = unit<<4 | rune(c-'A'+10)
		default:
			return -1
		}
	}
	return unit
}

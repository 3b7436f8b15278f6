package kafkaconf

import (
	"math"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Value is the value of a setting, as Kafka understands it. It is written as JSON by its kind: whole numbers exactly,
// however large.
type Value struct {
	kind valueKind
	text string   // the value in plain words: "-1", "0.5", "true", "compact,delete"
	list []string // of a list
	line int      // in the file, from 1; 0: unknown
}

// Line is where the value stands in its file, 0 when it stands nowhere.
func (v Value) Line() int64 { return int64(v.line) }

type valueKind uint8

const (
	wordValue valueKind = iota // also several words with commas between, as in cleanup.policy
	wholeValue
	decimalValue
	flagValue
	listValue
)

// String is the value as it would stand in a .properties file.
func (v Value) String() string {
	if v.kind == listValue {
		return strings.Join(v.list, ",")
	}
	return v.text
}

// Int64 is the value of a whole number.
func (v Value) Int64() (int64, bool) {
	if v.kind != wholeValue {
		return 0, false
	}
	n, err := strconv.ParseInt(v.text, 10, 64)
	return n, err == nil
}

// MarshalJSON writes numbers and flags bare, words as strings, lists as arrays.
func (v Value) MarshalJSON() ([]byte, error) {
	switch v.kind {
	case wholeValue, decimalValue, flagValue:
		return []byte(v.text), nil
	case listValue:
		b := []byte{'['}
		for i, s := range v.list {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSONString(b, s)
		}
		return append(b, ']'), nil
	}
	return appendJSONString(nil, v.text), nil
}

// fieldType is a type of Kafka's ConfigDef.
type fieldType uint8

const (
	intType fieldType = iota
	longType
	doubleType
	boolType
	wordType  // one of the words of a row
	wordsType // any of the words of a row
	stringType
	listType
)

func (t fieldType) numeric() bool { return t <= doubleType }

// typeOf is the type that Kafka gives a setting of the table.
func typeOf(row calc.Setting, synonym *calc.Synonym) fieldType {
	most := row.Max
	if synonym != nil && synonym.Max > 0 {
		most = synonym.Max
	}
	switch row.Kind {
	case calc.KindFlag:
		return boolType
	case calc.KindWord:
		return wordType
	case calc.KindWords:
		return wordsType
	case calc.KindFraction:
		return doubleType
	case calc.KindText:
		return stringType
	}
	if most <= math.MaxInt32 {
		return intType
	}
	return longType
}

// javaTrim is String.trim: it takes off blanks and control characters, but no blank beyond ASCII.
func javaTrim(text string) string {
	return strings.TrimFunc(text, func(c rune) bool { return c <= ' ' })
}

// parseValue reads a value as ConfigDef.parseType does. The problem, if there is one, is a clause.
//
// Source: Kafka 4.3.1, ConfigDef.parseType.
func parseValue(t fieldType, words []string, text string) (v Value, problem string) {
	trimmed := javaTrim(text)
	switch t {
	case intType, longType:
		return parseWhole(t, trimmed)
	case doubleType:
		plain, ok := parseDouble(trimmed)
		if !ok {
			return v, "is not a number"
		}
		return Value{kind: decimalValue, text: plain}, ""
	case boolType:
		switch strings.ToLower(trimmed) {
		case "true", "false":
			return Value{kind: flagValue, text: strings.ToLower(trimmed)}, ""
		}
		return v, "is neither true nor false"
	case wordType:
		if word, ok := findWord(words, trimmed); ok {
			return Value{text: word}, ""
		}
		return v, "is not one of " + strings.Join(words, ", ")
	case wordsType:
		var found []string
		for _, part := range splitList(trimmed) {
			word, ok := findWord(words, part)
			if !ok {
				return v, "is not made of " + strings.Join(words, ", ")
			}
			found = append(found, word)
		}
		return Value{text: strings.Join(found, ",")}, ""
	case listType:
		return Value{kind: listValue, list: splitList(trimmed)}, ""
	}
	return Value{text: text}, ""
}

// tooLarge is what comes before the largest number in the problem of one that is larger.
const tooLarge = "does not fit: the largest number is "

// parseWhole reads a number as Integer.parseInt and Long.parseLong do: a sign and digits, nothing else.
func parseWhole(t fieldType, text string) (Value, string) {
	size, most := 64, "9223372036854775807"
	if t == intType {
		size, most = 32, "2147483647"
	}
	digits := strings.TrimPrefix(strings.TrimPrefix(text, "+"), "-")
	if digits == "" || strings.ContainsFunc(digits, func(c rune) bool { return c < '0' || c > '9' }) {
		return Value{}, "is not a number"
	}
	n, err := strconv.ParseInt(text, 10, size)
	if err != nil {
		return Value{}, tooLarge + most
	}
	if text[0] == '+' || digits[0] == '0' {
		text = strconv.FormatInt(n, 10)
	}
	return Value{kind: wholeValue, text: text}, ""
}

// parseDouble reads a decimal number as Double.parseDouble does, and writes it as JSON would.
func parseDouble(text string) (plain string, ok bool) {
	text = strings.TrimRight(strings.TrimPrefix(text, "+"), "dDfF")
	sign := ""
	if after, cut := strings.CutPrefix(text, "-"); cut {
		sign, text = "-", after
	}
	whole, rest := cutDigits(text)
	frac := ""
	if after, cut := strings.CutPrefix(rest, "."); cut {
		frac, rest = cutDigits(after)
	}
	if whole == "" && frac == "" {
		return "", false
	}
	if whole = strings.TrimLeft(whole, "0"); whole == "" {
		whole = "0"
	}
	plain = sign + whole
	if frac != "" {
		plain += "." + frac
	}
	if rest == "" {
		return plain, true
	}
	if rest[0] != 'e' && rest[0] != 'E' {
		return "", false
	}
	exponent, signed := rest[1:], ""
	if exponent != "" && (exponent[0] == '-' || exponent[0] == '+') {
		signed, exponent = exponent[:1], exponent[1:]
	}
	digits, after := cutDigits(exponent)
	if digits == "" || after != "" {
		return "", false
	}
	return plain + "E" + signed + digits, true
}

func cutDigits(text string) (digits, rest string) {
	end := 0
	for end < len(text) && text[end] >= '0' && text[end] <= '9' {
		end++
	}
	return text[:end], text[end:]
}

// splitList parts a list at its commas, as Kafka's Csv.parseCsvList does: trimmed, without empty parts.
func splitList(text string) []string {
	list := []string{}
	for part := range strings.SplitSeq(text, ",") {
		if part = javaTrim(part); part != "" {
			list = append(list, part)
		}
	}
	return list
}

func findWord(words []string, text string) (string, bool) {
	for _, w := range words {
		if strings.EqualFold(w, text) {
			return w, true
		}
	}
	return "", false
}

// appendJSONString writes a text as a JSON string.
func appendJSONString(b []byte, text string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, c := range text { // a broken byte becomes U+FFFD
		switch {
		case c == '"' || c == '\\':
			b = append(b, '\\', byte(c))
		case c < ' ' || c == 0x7f || c == 0x2028 || c == 0x2029:
			b = append(b, '\\', 'u', hex[c>>12&15], hex[c>>8&15], hex[c>>4&15], hex[c&15])
		default:
			b = append(b, string(c)...)
		}
	}
	return append(b, '"')
}

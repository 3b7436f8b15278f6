package calc

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
	"unicode"
)

// decimal is a number ≥ 0 as people write it: whole + frac/scale, scale a power of ten up to 10^18.
type decimal struct {
	whole       uint64
	frac, scale uint64
	text        string // as written
}

// negative is the problem of a number below 0.
const negative = "is negative"

// maxNumber is the most bytes that a text with numbers may have.
const maxNumber = 1 << 10

// maxWhole is the largest whole number that a setting holds.
const maxWhole = math.MaxInt64

// bad is an error about a text.
func bad(text, problem string) *FieldError { return &FieldError{Value: text, Problem: problem} }

// badNearest is an error about a text, with the nearest that would do unless that is too long to help.
func badNearest(text, problem, nearest string) *FieldError {
	if len(nearest) > shownValue {
		nearest = ""
	}
	return &FieldError{Value: text, Problem: problem, Nearest: nearest}
}

// cutNumber reads the number at the start of s, a part of text that begins with no space, and gives what follows it. It
// accepts ASCII digits with at most one point between them, and explains everything else that people write.
func cutNumber(text, s string) (d decimal, rest string, err *FieldError) {
	if err := refuseForm(text, s); err != nil {
		return d, s, err
	}
	n := 0
	for n < len(s) && (isDigit(s[n]) || s[n] == '.') {
		n++
	}
	d.text, rest = s[:n], s[n:]
	whole, frac, point := strings.Cut(d.text, ".")
	if whole == "" || point && frac == "" {
		return d, rest, badNearest(text, "has a point without a digit on each side", pointFixed(whole, frac)+rest)
	}
	d.whole, err = parseWhole(text, whole)
	if err != nil {
		return d, rest, err
	}
	frac = strings.TrimRight(frac, "0")
	if len(frac) > 18 {
		return d, rest, bad(text, "has more than 18 digits after the point")
	}
	d.scale = 1
	for i := range len(frac) {
		d.frac = d.frac*10 + uint64(frac[i]-'0')
		d.scale *= 10
	}
	return d, rest, nil
}

// pointFixed is a number with a digit on each side of its point.
func pointFixed(whole, frac string) string {
	if whole == "" && frac == "" {
		return "0"
	}
	if whole == "" {
		whole = "0"
	}
	if frac == "" {
		return whole
	}
	return whole + "." + frac
}

// parseWhole reads ASCII digits.
func parseWhole(text, digits string) (uint64, *FieldError) {
	n, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || n > maxWhole {
		return 0, tooLarge(text, err == nil, n)
	}
	return n, nil
}

// tooLarge says by how much a number is above the largest that Kafka holds; n is known only when fits is set.
func tooLarge(text string, fits bool, n uint64) *FieldError {
	problem := "is too large"
	if fits {
		problem = "is too large by " + strconv.FormatUint(n-maxWhole, 10)
	}
	return &FieldError{Value: text, Problem: problem + fmt.Sprintf(": the largest 64-bit number is %d", int64(maxWhole)),
		Nearest: strconv.FormatInt(maxWhole, 10)}
}

// refuseForm explains a number that is not written as plain digits with a point; nil when it is.
func refuseForm(text, s string) *FieldError {
	if s == "" {
		return bad(text, "has no number")
	}
	if len(text) > maxNumber {
		return bad(text, fmt.Sprintf("is %d bytes long, too long for a number", len(text)))
	}
	if strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 && unicode.IsNumber(r) }) {
		return foreignDigits(text)
	}
	if e := refuseSign(text, s); e != nil {
		return e
	}
	if !isDigit(s[0]) && s[0] != '.' {
		if word := letters(s); word != "" {
			return bad(text, fmt.Sprintf("does not begin with a number but with %s", shown(word)))
		}
		return bad(text, "does not begin with a number")
	}
	run, rest := numberRun(s)
	if e := refuseSeparators(text, run, rest); e != nil {
		return e
	}
	if len(rest) > 1 && (rest[0] == 'x' || rest[0] == 'X') && run == "0" {
		hex, _, _ := strings.Cut(rest[1:], " ")
		e := bad(text, "is hexadecimal")
		if n, err := strconv.ParseUint(hex, 16, 63); err == nil {
			e.Nearest = strconv.FormatUint(n, 10)
		}
		return e
	}
	return refuseExponent(text, run, rest)
}

// refuseSign explains a number that begins with a sign.
func refuseSign(text, s string) *FieldError {
	for _, minus := range []string{"-", "−", "–", "—", "﹣", "－"} {
		if after, ok := strings.CutPrefix(s, minus); ok {
			if strings.TrimSpace(after) == "" {
				return bad(text, "has no number")
			}
			return bad(text, negative)
		}
	}
	if after, ok := strings.CutPrefix(s, "+"); ok {
		return badNearest(text, "has a plus sign", strings.TrimSpace(after))
	}
	return nil
}

// foreignDigits explains a text with digits of another alphabet, superscripts or fractions in one character.
func foreignDigits(text string) *FieldError {
	var plain strings.Builder
	var first rune
	all := true
	for _, r := range text {
		if r < 0x80 || !unicode.IsNumber(r) {
			plain.WriteRune(r)
			continue
		}
		if first == 0 {
			first = r
		}
		d, ok := digitValue(r)
		all = all && ok
		plain.WriteByte('0' + d)
	}
	e := bad(text, fmt.Sprintf("has the character %q, which is not a digit from 0 to 9", first))
	if all && plain.Len() <= shownValue {
		e.Nearest = plain.String()
	}
	return e
}

// digitValue is the value of a decimal digit of any alphabet. Unicode encodes them in rows of ten, from zero on.
func digitValue(r rune) (value byte, ok bool) {
	for _, t := range unicode.Nd.R16 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return byte((r - rune(t.Lo)) % 10), true
		}
	}
	for _, t := range unicode.Nd.R32 {
		if rune(t.Lo) <= r && r <= rune(t.Hi) {
			return byte((r - rune(t.Lo)) % 10), true
		}
	}
	return 0, false
}

// numberRun cuts the digits, points and separators at the start of s. A separator counts only with a digit behind it.
func numberRun(s string) (run, rest string) {
	end := 0
	for i, r := range s {
		if r < 0x80 && (isDigit(byte(r)) || r == '.') {
			end = i + 1
			continue
		}
		if i > end || !isSeparator(r) {
			break
		}
		size := len(string(r))
		if i+size >= len(s) || !isDigit(s[i+size]) {
			break
		}
		end = i + size
	}
	return s[:end], s[end:]
}

// isSeparator reports whether people put r between the thousands of a number.
func isSeparator(r rune) bool {
	switch r {
	case ',', '_', '\'', '’', '٬', '·':
		return true
	}
	return unicode.IsSpace(r) || unicode.Is(unicode.Zs, r)
}

// refuseSeparators explains a number with separators, or with several points, and gives it plain.
func refuseSeparators(text, run, rest string) *FieldError {
	points := strings.Count(run, ".")
	var separator rune
	groups := 0
	for _, r := range run {
		if isSeparator(r) {
			if separator == 0 {
				separator = r
			}
			groups++
		}
	}
	if groups == 0 && points <= 1 {
		return nil
	}
	plain := strings.Map(func(r rune) rune {
		if isSeparator(r) {
			return -1
		}
		return r
	}, run)
	switch comma, point := strings.LastIndexByte(run, ','), strings.LastIndexByte(run, '.'); {
	case separator == ',' && groups == 1 && points == 0 && len(run)-comma != 4:
		return badNearest(text, "has a comma; a fraction is written with a point", strings.Replace(run, ",", ".", 1)+rest)
	case points >= 1 && groups == 1 && comma > point:
		// 1.000,5: points between thousands, a comma before the fraction
		plain = strings.Replace(strings.ReplaceAll(run, ".", ""), ",", ".", 1)
		separator = '.'
	case points > 1:
		plain = strings.ReplaceAll(plain, ".", "")
		if groups == 0 {
			separator = '.'
		}
	}
	name := fmt.Sprintf("%q", separator)
	if unicode.IsSpace(separator) {
		name = "a space"
	}
	return badNearest(text, "has thousands separators ("+name+")", plain+rest)
}

// refuseExponent explains a number like 1e9 and gives it plain when it is whole and not too large.
func refuseExponent(text, run, rest string) *FieldError {
	if len(rest) < 2 || rest[0] != 'e' && rest[0] != 'E' {
		return nil
	}
	exp := rest[1:]
	if exp[0] == '+' || exp[0] == '-' {
		exp = exp[1:]
	}
	n := 0
	for n < len(exp) && isDigit(exp[n]) {
		n++
	}
	if n == 0 {
		return nil
	}
	e := bad(text, "has an exponent")
	power, err := strconv.Atoi(exp[:n])
	if err != nil || power > 19 || rest[1] == '-' {
		return e
	}
	whole, frac, _ := strings.Cut(run, ".")
	frac = strings.TrimRight(frac, "0")
	if len(frac) > power {
		return e
	}
	digits := whole + frac + strings.Repeat("0", power-len(frac))
	if v, err := strconv.ParseUint(digits, 10, 63); err == nil {
		e.Nearest = strconv.FormatUint(v, 10) + exp[n:]
	}
	return e
}

// times is the number of units·d, rounded down, and whether that is exact. Too large is ok = false.
func (d decimal) times(unit uint64) (n uint64, exact, ok bool) {
	hi, n := bits.Mul64(d.whole, unit)
	if hi != 0 {
		return 0, false, false
	}
	hi, lo := bits.Mul64(d.frac, unit)
	part, rem := bits.Div64(hi, lo, d.scale) // hi < scale, for frac < scale and unit < 2^64
	n, carry := bits.Add64(n, part, 0)
	if carry != 0 {
		return 0, false, false
	}
	return n, rem == 0, true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// letters is the word at the start of s.
func letters(s string) string {
	for i, r := range s {
		if !unicode.IsLetter(r) {
			return s[:i]
		}
	}
	return s
}

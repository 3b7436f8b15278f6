package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/partsize/partsize/calc"
)

// space does not break a line: a number stays with its unit.
const space = "\u00a0"

// Clock is a time to a unit, rounded down: 3 h 06 min 10 s.
func Clock(m, unit calc.Millis) string { return clock(m, unit, false) }

// clock prints parts down to a unit; short leaves out those at the end that are zero.
func clock(m, unit calc.Millis, short bool) string {
	if m == calc.Never {
		return "never"
	}
	sign := ""
	if m < 0 {
		sign, m = "−", -m
	}
	parts := [...]struct {
		size calc.Millis
		name string
		wide int
	}{{calc.Day, "d", 1}, {calc.Hour, "h", 1}, {calc.Minute, "min", 2}, {calc.Second, "s", 2}, {1, "ms", 3}}
	var words []string
	last := "s"
	for _, p := range parts {
		if p.size < unit {
			break
		}
		n := m / p.size
		m %= p.size
		last = p.name
		switch {
		case len(words) == 0 && n == 0:
		case len(words) == 0:
			words = append(words, fmt.Sprintf("%d%s%s", n, space, p.name))
		default:
			words = append(words, fmt.Sprintf("%0*d%s%s", p.wide, n, space, p.name))
		}
	}
	if len(words) == 0 {
		return "0" + space + last
	}
	for short && len(words) > 1 && isZero(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return sign + strings.Join(words, space)
}

func isZero(word string) bool {
	return word[0] == '0' && strings.Trim(word[:strings.Index(word, space)], "0") == ""
}

// Span is a duration as one says it, in two parts or one, rounded to the nearest: 7 d, 2 h 51 min, 250 ms.
func Span(m calc.Millis) string {
	unit := spanUnit(m)
	if m < calc.Never-unit {
		m += unit / 2
	}
	return clock(m, unit, true)
}

func spanUnit(m calc.Millis) calc.Millis {
	switch {
	case m >= 100*calc.Day:
		return calc.Day
	case m >= calc.Day:
		return calc.Hour
	case m >= 10*calc.Minute:
		return calc.Minute
	case m >= 10*calc.Second:
		return calc.Second
	}
	return 1
}

// Spans are two durations, printed so far that they differ if they do.
func Spans(low, high calc.Millis) (string, string) {
	a, b := Span(low), Span(high)
	if low == high || a != b {
		return a, b
	}
	for unit := spanUnit(high); ; {
		if unit = finer(unit); unit == 0 {
			return a, b
		}
		if a, b = clock(low, unit, true), clock(high, unit, true); a != b {
			return a, b
		}
	}
}

func finer(unit calc.Millis) calc.Millis {
	switch unit {
	case calc.Day:
		return calc.Hour
	case calc.Hour:
		return calc.Minute
	case calc.Minute:
		return calc.Second
	case calc.Second:
		return 1
	}
	return 0
}

// sizes are the binary units.
var sizes = [...]string{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}

// unitOf is the largest binary unit that b is at least one of, as an index of sizes.
func unitOf(b calc.Bytes) (unit int) {
	for unit+1 < len(sizes) && b>>(10*(unit+1)) > 0 {
		unit++
	}
	return unit
}

// inUnit is b in a binary unit, with so many digits after the point.
func inUnit(b calc.Bytes, unit, places int) string {
	if places == 0 {
		return group(fmt.Sprintf("%.0f", float64(b)/float64(int64(1)<<(10*unit))))
	}
	return fmt.Sprintf("%.*f", places, float64(b)/float64(int64(1)<<(10*unit)))
}

// group puts thin spaces between thousands of a whole number without sign.
func group(digits string) string {
	if len(digits) <= 4 {
		return digits
	}
	var b strings.Builder
	for i, c := range []byte(digits) {
		if i > 0 && (len(digits)-i)%3 == 0 {
			b.WriteString("\u202f")
		}
		b.WriteByte(c)
	}
	return b.String()
}

// Number is a whole number in groups of three.
func Number(n int64) string {
	if n < 0 {
		return "−" + group(fmt.Sprint(-n))
	}
	return group(fmt.Sprint(n))
}

// Size is a size as a figure: number and unit apart, three significant digits.
func Size(b calc.Bytes) (number, unit string) {
	number, unit, _ = strings.Cut(b.String(), " ")
	return number, unit
}

// SizeText is a size that does not break a line.
func SizeText(b calc.Bytes) string { return strings.ReplaceAll(b.String(), " ", space) }

// SizeRange is two sizes in one unit, with three digits, or as many more as show their difference in two.
func SizeRange(low, high calc.Bytes) (numbers, unit string) {
	u := unitOf(high)
	places := 2
	switch n := high >> (10 * u); {
	case u == 0 || n >= 100:
		places = 0
	case n >= 10:
		places = 1
	}
	if low == high {
		return inUnit(high, u, places), sizes[u]
	}
	if low > 0 && low < high/50 {
		a, b := SizeText(low), inUnit(high, u, places)
		return a + space + "–" + space + b, sizes[u]
	}
	apart := float64(high-low) / float64(int64(1)<<(10*u))
	for u > 0 && places < 3 && apart*math.Pow10(places) < 10 {
		places++
	}
	a, b := inUnit(low, u, places), inUnit(high, u, places)
	if a == b {
		return b, sizes[u]
	}
	return a + "–" + b, sizes[u]
}

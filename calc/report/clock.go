package report

import (
	"fmt"
	"strings"

	"github.com/partsize/partsize/calc"
)

// space does not break a line: a number stays with its unit.
const space = "\u00a0"

// Clock is a time or a duration to a unit, a whole number of which fits into the next larger one: 3 h 06 min 10 s. It is
// rounded down; a part that would be zero at the end is left out where a larger one is there.
func Clock(m, unit calc.Millis) string {
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
	for len(words) > 2 && isZero(words[len(words)-1]) {
		words = words[:len(words)-1]
	}
	return sign + strings.Join(words, space)
}

func isZero(word string) bool {
	return word[0] == '0' && strings.Trim(word[:strings.Index(word, space)], "0") == ""
}

// Span is a duration as one says it: two parts, or three where that is a short one. It is rounded to the nearest.
func Span(m calc.Millis) string {
	unit := spanUnit(m)
	if m < calc.Never-unit {
		m += unit / 2
	}
	return Clock(m, unit)
}

func spanUnit(m calc.Millis) calc.Millis {
	switch {
	case m >= 100*calc.Day:
		return calc.Day
	case m >= calc.Day:
		return calc.Hour
	case m >= calc.Hour:
		return calc.Minute
	case m >= calc.Minute:
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
		if a, b = Clock(low, unit), Clock(high, unit); a != b {
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

// SizeRange is two sizes in one unit, printed so far that they differ if they do.
func SizeRange(low, high calc.Bytes) (numbers, unit string) {
	u := unitOf(high)
	places := 2
	switch n := high >> (10 * u); {
	case u == 0 || n >= 100:
		places = 0
	case n >= 10:
		places = 1
	}
	for {
		a, b := inUnit(low, u, places), inUnit(high, u, places)
		switch {
		case low == high:
			return b, sizes[u]
		case a != b || places == 3 && u == 0:
			return a + "–" + b, sizes[u]
		case places >= 3:
			// They differ by less than a thousandth of the unit.
			return a + "–" + b, sizes[u]
		}
		places++
	}
}

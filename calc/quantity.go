package calc

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Thin spaces of exact figures: between thousands, and before a unit. Neither breaks a line.
const (
	groupSpace = "\u202f"
	unitSpace  = "\u00a0"
)

// unitName is a unit as people write it, in small letters, and what it stands for.
type unitName struct {
	name string
	size uint64
}

// Units of time. A month has no fixed length and is not among them; a year is 365 days.
var timeUnits = []unitName{
	{"ms", 1}, {"millis", 1}, {"millisecond", 1}, {"milliseconds", 1}, {"msec", 1}, {"msecs", 1},
	{"s", 1000}, {"sec", 1000}, {"secs", 1000}, {"second", 1000}, {"seconds", 1000},
	{"m", 60_000}, {"min", 60_000}, {"mins", 60_000}, {"minute", 60_000}, {"minutes", 60_000},
	{"h", 3_600_000}, {"hr", 3_600_000}, {"hrs", 3_600_000}, {"hour", 3_600_000}, {"hours", 3_600_000},
	{"d", 86_400_000}, {"day", 86_400_000}, {"days", 86_400_000},
	{"w", 604_800_000}, {"week", 604_800_000}, {"weeks", 604_800_000},
	{"y", 31_536_000_000}, {"yr", 31_536_000_000}, {"year", 31_536_000_000}, {"years", 31_536_000_000},
}

// Units of size. The short names of Kubernetes, Ki and so on, are binary as there.
var sizeUnits = []unitName{
	{"b", 1}, {"byte", 1}, {"bytes", 1},
	{"kib", 1 << 10}, {"mib", 1 << 20}, {"gib", 1 << 30}, {"tib", 1 << 40}, {"pib", 1 << 50}, {"eib", 1 << 60},
	{"ki", 1 << 10}, {"mi", 1 << 20}, {"gi", 1 << 30}, {"ti", 1 << 40}, {"pi", 1 << 50}, {"ei", 1 << 60},
	{"kb", 1e3}, {"mb", 1e6}, {"gb", 1e9}, {"tb", 1e12}, {"pb", 1e15}, {"eb", 1e18},
}

// Units of bits, for rates only.
var bitUnits = []unitName{{"bit", 1}, {"bits", 1}, {"kbit", 1e3}, {"mbit", 1e6}, {"gbit", 1e9}, {"tbit", 1e12},
	{"kbits", 1e3}, {"mbits", 1e6}, {"gbits", 1e9}, {"tbits", 1e12}}

// Words for a record.
var recordUnits = []unitName{
	{"records", 1}, {"record", 1}, {"rec", 1}, {"recs", 1}, {"messages", 1}, {"message", 1}, {"msg", 1}, {"msgs", 1},
	{"events", 1}, {"event", 1},
}

// find is the size of the unit called name in small letters.
func find(units []unitName, name string) (uint64, bool) {
	for _, u := range units {
		if u.name == name {
			return u.size, true
		}
	}
	return 0, false
}

func names(units []unitName) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for _, u := range units {
			if !yield(u.name) {
				return
			}
		}
	}
}

// dimension is what a text with units is read as.
type dimension struct {
	what    string // a noun with its article
	units   []unitName
	smaller string // what there is no fraction of
	one     string // the unit of a number without one
}

var (
	timeDimension = dimension{"a unit of time", timeUnits, "millisecond", "milliseconds"}
	sizeDimension = dimension{"a unit of size", sizeUnits, "byte", "bytes"}
)

// ParseBytes reads a size: a plain number of bytes, or numbers with units, as in 1GiB, "1 GB" (decimal), 5Mi, 1.5GiB. It
// must be a whole number of bytes from 0 to 2^63−1. The error is a [*FieldError] without key.
func ParseBytes(text string) (Bytes, error) {
	n, err := sizeDimension.parse(text, 1)
	if err != nil {
		return 0, err
	}
	return Bytes(n), nil
}

// ParseMillis reads a duration: a plain number of milliseconds, or numbers with units from large to small, as in 7d, 168h,
// "7 days", 1d12h, 0.5s. A year is 365 days; there are no months. It must be a whole number of milliseconds from 0 to
// 2^63−1. The error is a [*FieldError] without key.
func ParseMillis(text string) (Millis, error) {
	n, err := timeDimension.parse(text, 1)
	if err != nil {
		return 0, err
	}
	return Millis(n), nil
}

// parse reads numbers with units; plain is the unit of a number without one.
func (dim dimension) parse(text string, plain uint64) (int64, *FieldError) {
	s := strings.TrimSpace(text)
	if s == "" {
		return 0, bad(text, "is empty")
	}
	var sum uint64
	last := uint64(math.MaxUint64)
	for first := true; s != ""; first = false {
		if !first && !isDigit(s[0]) {
			return 0, bad(text, fmt.Sprintf("has %q after the unit", shownRune(s)))
		}
		d, rest, err := cutNumber(text, s)
		if err != nil {
			return 0, err
		}
		before := s
		s = strings.TrimSpace(rest)
		name := letters(s)
		unit := plain
		switch {
		case name != "":
			if unit, err = dim.unit(text, name); err != nil {
				return 0, err
			}
			s = strings.TrimSpace(s[len(name):])
		case s != "":
			return 0, bad(text, fmt.Sprintf("has %q after the number", shownRune(s)))
		case !first:
			return 0, bad(text, fmt.Sprintf("has no unit after %s", shown(d.text)))
		case strings.Contains(d.text, "."):
			return 0, dim.plainFraction(text, d)
		}
		if unit >= last {
			return 0, bad(text, "has its units out of order: they go from large to small, each once")
		}
		last = unit
		n, exact, ok := d.times(unit)
		if !ok || n > maxWhole || sum+n > maxWhole {
			return 0, tooLarge(text, ok && sum+n >= n, sum+n)
		}
		if !exact {
			e := bad(text, fmt.Sprintf("is not a whole number of %ss", dim.smaller))
			if first && s == "" {
				e.Nearest = strconv.FormatUint(n, 10)
			} else {
				e.Hint = fmt.Sprintf("%s is between %d and %d %ss", strings.TrimSpace(before), n, n+1, dim.smaller)
			}
			return 0, e
		}
		sum += n
	}
	return int64(sum), nil
}

// plainFraction explains a fraction without a unit, which may also be a number with a point between thousands.
func (dim dimension) plainFraction(text string, d decimal) *FieldError {
	e := badNearest(text, fmt.Sprintf("is a fraction without a unit: there is no part of a %s", dim.smaller),
		strconv.FormatUint(d.whole, 10))
	if _, frac, _ := strings.Cut(d.text, "."); len(frac) == 3 && d.whole > 0 {
		plain := strings.ReplaceAll(d.text, ".", "")
		e.Hint = fmt.Sprintf("write %s if the point is between thousands, else a number with a unit", plain)
		e.Nearest = plain
	}
	return e
}

// unit is the size of the unit called name, or an error that names the nearest one.
func (dim dimension) unit(text, name string) (uint64, *FieldError) {
	low := strings.ToLower(name)
	size, ok := find(dim.units, low)
	isSize := len(dim.units) == len(sizeUnits)
	switch {
	case isSize && len(name) == 2 && name[1] == 'b' && strings.IndexByte("KMGTPE", name[0]) >= 0:
		e := badNearest(text, fmt.Sprintf("%s is a unit of bits", name), strings.Replace(text, name, name[:1]+"B", 1))
		e.Hint = fmt.Sprintf("write %sB for bytes", name[:1])
		return 0, e
	case !isSize && name == "M":
		return 0, badNearest(text, "M is neither minutes nor months here", strings.Replace(text, name, "min", 1))
	case ok:
		return size, nil
	case isSize && len(low) == 1 && strings.Contains("kmgtpe", low):
		up := strings.ToUpper(low)
		e := badNearest(text, fmt.Sprintf("%s may be decimal or binary", name), strings.Replace(text, name, up+"iB", 1))
		e.Hint = fmt.Sprintf("write %s for powers of 1024, or %s for powers of 1000", e.Nearest,
			strings.Replace(text, name, up+"B", 1))
		return 0, e
	case !isSize && strings.HasPrefix(low, "mo"):
		return 0, monthDays(text, name)
	case !isSize && (low == "us" || low == "µs" || low == "μs" || low == "ns" || strings.HasPrefix(low, "micro") ||
		strings.HasPrefix(low, "nano")):
		return 0, bad(text, fmt.Sprintf("%s is finer than a millisecond", name))
	}
	for _, other := range []dimension{timeDimension, sizeDimension} {
		if _, ok := find(other.units, low); ok {
			return 0, bad(text, fmt.Sprintf("%s is %s, and this takes %s", name, other.what, dim.what)).hint(dim.examples())
		}
	}
	e := bad(text, fmt.Sprintf("%s is not %s", shown(name), dim.what)).hint(dim.examples())
	if near := nearest(low, names(dim.units)); near != "" {
		e.Hint = ""
		e.Nearest = strings.Replace(text, name, dim.spelled(near), 1)
	}
	return 0, e
}

// spelled is a unit in the letters that people expect: KiB, not kib.
func (dim dimension) spelled(unit string) string {
	if dim.one != "bytes" || len(unit) > 3 {
		return unit
	}
	return strings.ToUpper(unit[:1]) + strings.ReplaceAll(unit[1:], "b", "B")
}

// examples says what units there are.
func (dim dimension) examples() string {
	if dim.one == "bytes" {
		return "the units are B, KiB, MiB, GiB, TiB and, decimal, kB, MB, GB, TB"
	}
	return "the units are ms, s, min, h, d, w and y"
}

func (e *FieldError) hint(text string) *FieldError {
	e.Hint = text
	return e
}

// near gives the nearest value that would do.
func (e *FieldError) near(text string) *FieldError {
	e.Nearest = text
	return e
}

// monthDays is the error about "3 months", which gives so many days.
func monthDays(text, unit string) *FieldError {
	e := bad(text, "a month has no fixed length")
	number, _, _ := strings.Cut(strings.TrimSpace(text), unit)
	if n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 31); err == nil {
		e.Nearest = strconv.FormatUint(n*30, 10) + "d"
		return e
	}
	return e.hint("write it in days, as in 30d")
}

// shownRune is the first character of s.
func shownRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// parseSigned reads a duration that may have a sign before it, from −(2^63−1) on.
func parseSigned(text string) (Millis, *FieldError) {
	s := strings.TrimSpace(text)
	sign := Millis(1)
	if after, ok := strings.CutPrefix(s, "+"); ok {
		s = strings.TrimSpace(after)
	} else {
		for _, minus := range []string{"-", "−"} {
			if after, ok := strings.CutPrefix(s, minus); ok {
				s, sign = strings.TrimSpace(after), -1
				break
			}
		}
	}
	n, err := timeDimension.parse(s, 1)
	if err != nil {
		if err.Nearest != "" && sign < 0 {
			err.Nearest = "-" + err.Nearest
		}
		return 0, err.at("", text)
	}
	return sign * Millis(n), nil
}

// parseCount reads a plain whole number from 0 to 2^63−1.
func parseCount(text string) (int64, *FieldError) {
	s := strings.TrimSpace(text)
	if s == "" {
		return 0, bad(text, "is empty")
	}
	d, rest, err := cutNumber(text, s)
	switch {
	case err != nil:
		return 0, err
	case rest != "":
		return 0, badNearest(text, fmt.Sprintf("has %q after the number", shown(strings.TrimSpace(rest))), d.text)
	case strings.Contains(d.text, "."):
		return 0, badNearest(text, "is not a whole number", strconv.FormatUint(d.whole, 10))
	}
	return int64(d.whole), nil
}

// parseScaled reads a number ≥ 0 with at most so many digits after the point, as a multiple of 1/scale, scale a power of
// ten. A sign % after it is allowed when percent is set.
func parseScaled(text string, scale uint64, percent bool) (int64, *FieldError) {
	s := strings.TrimSpace(text)
	if s == "" {
		return 0, bad(text, "is empty")
	}
	d, rest, err := cutNumber(text, s)
	if err != nil {
		return 0, err
	}
	if rest = strings.TrimSpace(rest); rest != "" && !(percent && rest == "%") {
		return 0, badNearest(text, fmt.Sprintf("has %q after the number", shown(rest)), d.text)
	}
	n, exact, ok := d.times(scale)
	if !ok || n > maxWhole {
		return 0, bad(text, "is too large")
	}
	if !exact {
		return 0, bad(text, fmt.Sprintf("has more than %d digits after the point", len(strconv.FormatUint(scale, 10))-1))
	}
	return int64(n), nil
}

// String is the size with its binary unit, to three significant digits: 51.4 GiB. Fewer digits are shown when they are
// exact: 1 GiB. Only 0 is shown as 0. [Unlimited] is "unlimited".
func (b Bytes) String() string {
	if b == Unlimited {
		return "unlimited"
	}
	sign, n := magnitude(int64(b))
	return sign + significant(n, 1, 1024, "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")
}

// Decimal is the size with its decimal unit, to three significant digits: 1.07 GB.
func (b Bytes) Decimal() string {
	if b == Unlimited {
		return "unlimited"
	}
	sign, n := magnitude(int64(b))
	return sign + significant(n, 1, 1000, "B", "kB", "MB", "GB", "TB", "PB", "EB")
}

// Exact is every byte, in groups of three between narrow spaces that do not break: 53 687 091 200 B.
func (b Bytes) Exact() string {
	if b == Unlimited {
		return "unlimited"
	}
	return grouped(int64(b)) + unitSpace + "B"
}

// Text is the shortest way to write the size exactly, with a binary unit where one divides it: 1GiB, 1536MiB, 1000000.
// [ParseBytes] reads it.
func (b Bytes) Text() string {
	units := [...]string{"", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"}
	n, i := int64(b), 0
	for n != 0 && n%1024 == 0 && i+1 < len(units) {
		n /= 1024
		i++
	}
	return strconv.FormatInt(n, 10) + units[i]
}

// String is the duration in its two or three largest units: 7 d 0 h, 3 h 06 min 10 s, 250 ms. Only 0 is shown as 0.
// [Never] is "never".
func (m Millis) String() string {
	if m == Never {
		return "never"
	}
	sign, n := magnitude(int64(m))
	return sign + duration(n)
}

// duration prints milliseconds: to the hour from a day on, to the second from a minute on, else exactly.
func duration(n uint64) string {
	const second, minute, hour, day = 1000, 60_000, 3_600_000, 86_400_000
	var rest string
	switch {
	case n < second:
		return fmt.Sprintf("%d ms", n)
	case n < minute-second/2:
		if n%second == 0 {
			return fmt.Sprintf("%d s", n/second)
		}
		return fmt.Sprintf("%s s", strings.TrimRight(fmt.Sprintf("%d.%03d", n/second, n%second), "0"))
	case n < day-second/2:
		s := (n + second/2) / second
		if s%60 != 0 {
			rest = fmt.Sprintf(" %02d s", s%60)
		}
		if s < 3600 {
			return fmt.Sprintf("%d min", s/60) + rest
		}
		if rest != "" || s/60%60 != 0 {
			rest = fmt.Sprintf(" %02d min", s/60%60) + rest
		}
		return fmt.Sprintf("%d h", s/3600) + rest
	}
	h := (n + hour/2) / hour
	return fmt.Sprintf("%d d %d h", h/24, h%24)
}

// Exact is every millisecond, in groups of three: 604 800 000 ms.
func (m Millis) Exact() string {
	if m == Never {
		return "never"
	}
	return grouped(int64(m)) + unitSpace + "ms"
}

// Text is the shortest way to write the duration exactly with one unit: 7d, 90min, 1500. [ParseMillis] reads it.
func (m Millis) Text() string {
	for _, u := range [...]struct {
		name string
		size Millis
	}{{"d", Day}, {"h", Hour}, {"min", Minute}, {"s", Second}} {
		if m != 0 && m%u.size == 0 {
			return strconv.FormatInt(int64(m/u.size), 10) + u.name
		}
	}
	return strconv.FormatInt(int64(m), 10)
}

// String is the rate with its binary unit, to three significant digits: 1 MiB/s.
func (r ByteRate) String() string { return Bytes(r).String() + "/s" }

// magnitude splits a number into its sign and its size.
func magnitude(n int64) (sign string, size uint64) {
	if n < 0 {
		return "-", -uint64(n)
	}
	return "", uint64(n)
}

// significant prints n/d, d > 0, in the largest unit in which it is at least 1, to three significant digits rounded to the
// nearest, or exactly when that takes fewer. A size of the first unit below the step is printed whole when it is exact.
func significant(n, d, step uint64, units ...string) string {
	if n%d == 0 && n/d < step {
		return strconv.FormatUint(n/d, 10) + " " + units[0]
	}
	unit := d
	for i, name := range units {
		text, fits := threeDigits(n, unit)
		if fits || i == len(units)-1 {
			return text + " " + name
		}
		hi, next := bits.Mul64(unit, step)
		if hi != 0 {
			return text + " " + name
		}
		unit = next
	}
	return ""
}

// threeDigits prints n/d to three significant digits, rounded half up, and reports whether that is below 1000.
func threeDigits(n, d uint64) (text string, fits bool) {
	for places, scale := 0, uint64(1); places <= 18; places, scale = places+1, scale*10 {
		hi, lo := bits.Mul64(n, scale)
		if hi >= d {
			break
		}
		q, rem := bits.Div64(hi, lo, d)
		if q < 100 && rem != 0 {
			continue // more places needed
		}
		if rem >= d-d/2 && rem != 0 {
			if q++; q == 1000 && places > 0 {
				q, places, scale = 100, places-1, scale/10 // 9.996 is 10.0
			}
		}
		text := placed(q, places)
		if rem == 0 && strings.Contains(text, ".") {
			text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
		}
		return text, q < 1000*scale
	}
	return strconv.FormatUint(n/d, 10), n/d < 1000
}

// placed prints q / 10^places.
func placed(q uint64, places int) string {
	text := strconv.FormatUint(q, 10)
	if places == 0 {
		return text
	}
	if len(text) <= places {
		text = strings.Repeat("0", places+1-len(text)) + text
	}
	return text[:len(text)-places] + "." + text[len(text)-places:]
}

// grouped prints n in groups of three digits.
func grouped(n int64) string {
	sign, size := magnitude(n)
	text := strconv.FormatUint(size, 10)
	var b strings.Builder
	b.WriteString(sign)
	for i, c := range []byte(text) {
		if i > 0 && (len(text)-i)%3 == 0 {
			b.WriteString(groupSpace)
		}
		b.WriteByte(c)
	}
	return b.String()
}

// gcd is the greatest common divisor of a, b ≥ 0, not both 0.
func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

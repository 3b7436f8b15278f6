package calc

import (
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"
)

// Rate is traffic: bytes of record batches, or records, over time. It is exact, a ratio of whole numbers in lowest terms.
// The zero Rate is nothing at all, of either kind.
type Rate struct {
	amount  int64  // bytes or records in per
	per     Millis // ≥ 1 unless amount is 0
	records bool
}

// RateOf is so many bytes of record batches in a time ≥ 1.
func RateOf(b Bytes, per Millis) Rate { return newRate(int64(b), int64(per), false) }

// RecordRateOf is so many records in a time ≥ 1.
func RecordRateOf(records int64, per Millis) Rate { return newRate(records, int64(per), true) }

func newRate(amount, per int64, records bool) Rate {
	if amount <= 0 {
		return Rate{}
	}
	g := gcd(amount, per)
	return Rate{amount / g, Millis(per / g), records}
}

// Zero reports whether it is no traffic.
func (r Rate) Zero() bool { return r.amount == 0 }

// Records reports whether it counts records; else it counts bytes.
func (r Rate) Records() bool { return r.records }

// Ratio is the amount, bytes or records, and the time in which it comes; per ≥ 1.
func (r Rate) Ratio() (amount int64, per Millis) { return r.amount, max(r.per, 1) }

// PerSecond is the amount a second, rounded up.
func (r Rate) PerSecond() int64 { return mulDivUp(r.amount, 1000, int64(max(r.per, 1))) }

// ParseRate reads traffic: a size or a number of records, and the time in which it comes, as in 5MiB/s, "10 MB/s" (decimal),
// 100Mbit/s, 100/s, "100 records/s", "10k records/min", 1TiB/d. A number without a unit is records; 0 alone is nothing. The
// error is a [*FieldError] without key.
func ParseRate(text string) (Rate, error) {
	r, err := parseRate(text)
	if err != nil {
		return Rate{}, err
	}
	return r, nil
}

func parseRate(text string) (Rate, *FieldError) {
	s := strings.TrimSpace(text)
	if s == "" {
		return Rate{}, bad(text, "is empty")
	}
	amount, per, slash := cutPer(s)
	d, rest, err := cutNumber(text, strings.TrimSpace(amount))
	if err != nil {
		if _, _, whole := cutPer(err.Nearest); err.Nearest != "" && !whole {
			err.Nearest += s[len(amount):]
		}
		return Rate{}, err
	}
	unit := strings.TrimSpace(rest)
	span := uint64(Second)
	if slash {
		if span, err = parsePer(text, per); err != nil {
			return Rate{}, err
		}
	}
	size, bits, records, perSecond, err := rateUnit(text, unit, slash)
	if err != nil {
		return Rate{}, err
	}
	if !slash && !perSecond {
		if d.whole == 0 && d.frac == 0 && unit == "" {
			return Rate{}, nil
		}
		e := badNearest(text, "does not say in what time", s+"/s")
		if unit == "" {
			e.Nearest = s + "B/s"
			e.Hint = fmt.Sprintf("write %sB/s for bytes or %s records/s", s, s)
		}
		return Rate{}, e
	}
	if bits {
		span *= 8
	}
	return rateFrom(text, d, size, span, records)
}

// rateFrom is d units of a size in a span of milliseconds.
func rateFrom(text string, d decimal, size, span uint64, records bool) (Rate, *FieldError) {
	hi, whole := bits.Mul64(d.whole, d.scale)
	whole, carry := bits.Add64(whole, d.frac, 0)
	if hi != 0 || carry != 0 {
		return Rate{}, bad(text, "has too many digits")
	}
	// amount/span = whole·size / (scale·span), in lowest terms before the products.
	num, den := [2]uint64{whole, size}, [2]uint64{d.scale, span}
	if whole == 0 {
		return Rate{}, nil
	}
	for i := range num {
		for j := range den {
			g := gcdU(num[i], den[j])
			num[i] /= g
			den[j] /= g
		}
	}
	numHi, n := bits.Mul64(num[0], num[1])
	denHi, m := bits.Mul64(den[0], den[1])
	switch {
	case numHi != 0 || n > math.MaxInt64:
		return Rate{}, bad(text, "is too large")
	case denHi != 0 || m > 1<<53:
		return Rate{}, bad(text, "has too many digits after the point")
	}
	return newRate(int64(n), int64(m), records), nil
}

func gcdU(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// cutPer cuts a rate at its slash or the word per.
func cutPer(s string) (amount, per string, ok bool) {
	if amount, per, ok = strings.Cut(s, "/"); ok {
		return amount, per, true
	}
	if i := strings.Index(strings.ToLower(s), " per "); i >= 0 && i+5 <= len(s) {
		return s[:i], s[i+5:], true
	}
	return s, "", false
}

// parsePer reads what stands after the slash: a unit of time, or a number of them.
func parsePer(text, per string) (uint64, *FieldError) {
	per = strings.TrimSpace(per)
	switch {
	case per == "":
		return 0, badNearest(text, "has no time after the slash", strings.TrimRight(strings.TrimSpace(text), "/ ")+"/s")
	case isDigit(per[0]):
		n, err := timeDimension.parse(per, 1)
		if err != nil {
			return 0, err.at("", text)
		}
		if n == 0 || n > century {
			return 0, bad(text, "has a time after the slash that is zero or above 100 years")
		}
		return uint64(n), nil
	}
	if name := letters(per); name != per {
		return 0, bad(text, fmt.Sprintf("has %s after the slash, which is not a unit of time", shown(per)))
	}
	return timeDimension.unit(text, per)
}

// rateUnit is what the unit of a rate stands for: bytes or bits or records, and how many. perSecond: the unit itself says
// so, as in MBps.
func rateUnit(text, unit string, slash bool) (size uint64, bits, records, perSecond bool, err *FieldError) {
	low := strings.ToLower(unit)
	if low == "" {
		return 1, false, true, false, nil
	}
	if size, ok := find(recordUnits, low); ok {
		return size, false, true, false, nil
	}
	if count, word, ok := strings.Cut(low, " "); ok {
		if _, ok := find(recordUnits, strings.TrimSpace(word)); ok {
			switch count {
			case "k":
				return 1e3, false, true, false, nil
			case "m":
				return 1e6, false, true, false, nil
			}
		}
	}
	if size, ok := find(bitUnits, low); ok {
		return size, true, false, false, nil
	}
	if name, ok := strings.CutSuffix(unit, "ps"); ok && !slash && name != "" {
		switch lowName := strings.ToLower(name); {
		case strings.HasSuffix(name, "b"): // Mbps is bits, MBps is bytes
			if size, ok := find(bitUnits, lowName+"it"); ok {
				return size, true, false, true, nil
			}
		case strings.HasSuffix(name, "B"):
			if size, ok := find(sizeUnits, lowName); ok {
				return size, false, false, true, nil
			}
		}
	}
	if name := letters(unit); name != unit {
		return 0, false, false, false, bad(text, fmt.Sprintf("has %s after the number", shown(unit)))
	}
	if len(low) == 1 && strings.Contains("kmgtpe", low) {
		up := strings.ToUpper(low)
		e := badNearest(text, fmt.Sprintf("%s may be bytes or records", unit), strings.Replace(text, unit, up+"iB", 1))
		e.Hint = fmt.Sprintf("write %s, or the number of records", e.Nearest)
		return 0, false, false, false, e
	}
	if _, ok := find(timeUnits, low); ok {
		e := bad(text, fmt.Sprintf("%s is a unit of time, and this takes a rate", unit)).hint("write it as in 5MiB/s or 100 records/s")
		return 0, false, false, false, e
	}
	size, err = sizeDimension.unit(text, unit)
	if err != nil {
		if near := nearest(low, names(recordUnits)); near != "" && len(low) > 4 {
			err = badNearest(text, fmt.Sprintf("%s is not a unit of a rate", shown(unit)), strings.Replace(text, unit, near, 1))
		}
		return 0, false, false, false, err
	}
	return size, false, false, false, nil
}

// String is the rate to three significant digits, with a unit of time in which it is at least 1 where there is one:
// 5 MiB/s, 100 records/s, 2 records/h.
func (r Rate) String() string { return r.print(false) }

// Decimal is the rate like String, with its decimal unit: 5.24 MB/s.
func (r Rate) Decimal() string { return r.print(true) }

func (r Rate) print(decimal bool) string {
	if r.Zero() {
		return "0/s"
	}
	size, name := uint64(Second), "/s"
	for _, u := range [...]struct {
		size uint64
		name string
	}{{uint64(Second), "/s"}, {uint64(Minute), "/min"}, {uint64(Hour), "/h"}, {uint64(Day), "/d"}} {
		size, name = u.size, u.name
		if hi, lo := bits.Mul64(uint64(r.amount), size); hi != 0 || lo >= uint64(r.per) {
			break
		}
	}
	// amount·size/per; a product beyond 64 bits is rounded to bytes or records first
	n, d := uint64(r.amount), uint64(r.per)
	if hi, lo := bits.Mul64(n, size); hi == 0 {
		n = lo
	} else {
		n, d = uint64(mulDiv(r.amount, int64(size), int64(r.per))), 1
	}
	switch {
	case r.records && n == d:
		return "1 record" + name
	case r.records:
		return significant(n, d, 1000, "records", "k records", "M records", "G records", "T records") + name
	case decimal:
		return significant(n, d, 1000, "B", "kB", "MB", "GB", "TB", "PB", "EB") + name
	}
	return significant(n, d, 1024, "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB") + name
}

// Text is an exact way to write the rate. [ParseRate] reads it.
func (r Rate) Text() string {
	if r.Zero() {
		return "0/s"
	}
	amount, per := r.amount, int64(r.per)
	name := strconv.FormatInt(per, 10) + "ms"
	for _, u := range [...]struct {
		size int64
		name string
	}{{1000, "s"}, {60_000, "min"}, {3_600_000, "h"}, {86_400_000, "d"}} {
		if u.size%per == 0 && amount <= math.MaxInt64/(u.size/per) {
			amount, name = amount*(u.size/per), u.name
			break
		}
	}
	if r.records {
		return strconv.FormatInt(amount, 10) + " records/" + name
	}
	text := Bytes(amount).Text()
	if isDigit(text[len(text)-1]) {
		text += "B"
	}
	return text + "/" + name
}

// Ratio is compressed bytes to uncompressed bytes, in lowest terms: 1:4 for records that shrink to a quarter.
type Ratio struct{ num, den int64 }

// Terms are the ratio's compressed and uncompressed bytes, both ≥ 1; 1:1 for the zero Ratio.
func (r Ratio) Terms() (compressed, uncompressed int64) {
	if r.den == 0 {
		return 1, 1
	}
	return r.num, r.den
}

// String is the ratio as a percentage to two places after the point: 25%.
func (r Ratio) String() string {
	num, den := r.Terms()
	n := mulDivUp(num, 10_000, den)
	return strings.TrimRight(strings.TrimRight(fmt.Sprintf("%d.%02d", n/100, n%100), "0"), ".") + "%"
}

// ParseRatio reads how far records compress: 0.25, 25% and 4:1 all say to a quarter. It must be above 0 and at most 1. The
// error is a [*FieldError] without key.
func ParseRatio(text string) (Ratio, error) {
	r, err := parseRatio(text)
	if err != nil {
		return Ratio{}, err
	}
	return r, nil
}

func parseRatio(text string) (Ratio, *FieldError) {
	const scale = 1_000_000_000
	s := strings.TrimSpace(text)
	if before, after, ok := strings.Cut(s, ":"); ok {
		a, err := parseScaled(before, scale, false)
		if err != nil {
			return Ratio{}, err.at("", text).hint("write it as in 4:1")
		}
		b, err := parseScaled(after, scale, false)
		if err != nil {
			return Ratio{}, err.at("", text).hint("write it as in 4:1")
		}
		switch {
		case a == 0 || b == 0:
			return Ratio{}, bad(text, "has a zero in it").hint("write it as in 4:1")
		case a < b:
			return Ratio{}, badNearest(text, "says that records grow: it is uncompressed to compressed",
				strings.TrimSpace(after)+":"+strings.TrimSpace(before))
		}
		g := gcd(a, b)
		return Ratio{b / g, a / g}, nil
	}
	number, percent := strings.CutSuffix(s, "%")
	n, err := parseScaled(number, scale, false)
	if err != nil {
		if percent && err.Nearest != "" {
			err.Nearest += "%"
		}
		return Ratio{}, err.at("", text)
	}
	one := int64(scale)
	if percent {
		one *= 100
	}
	switch {
	case n == 0:
		return Ratio{}, bad(text, "is zero: records do not compress to nothing").hint("write it as in 4:1 or 0.25")
	case n > one && percent:
		return Ratio{}, badNearest(text, "says that records grow", "100%")
	case n > one:
		return Ratio{}, badNearest(text, "says that records grow: it is compressed to uncompressed", s+":1")
	}
	g := gcd(n, one)
	return Ratio{n / g, one / g}, nil
}

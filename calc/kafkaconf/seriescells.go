package kafkaconf

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"strings"

	"github.com/partsize/partsize/calc"
)

// layout is how a traffic series is written: its columns, its times, its unit.
type layout struct {
	delimiter  byte
	timeColumn int
	rateColumn int

	unit       RateUnit
	scale      scale    // of numbers that carry no unit of their own
	clock      timeKind // decided by the first time, so that the meaning of a number does not change within a file
	milliTimes bool     // the header says that plain numbers are milliseconds
	unnamed    string   // the column of rates, when its name says no unit; the cells may
	notices    []Notice
}

// scale turns a number into millionths of records or bytes a second: by num/den. The division is left to the end, so
// that a third of a record a second is not rounded at each row.
type scale struct{ num, den int64 }

// guess reads the first lines: the header, or a row when there is none. It reports whether the line is used up.
func (l *layout) guess(line []byte, unit RateUnit) (used bool, err error) {
	if rest, ok := bytes.CutPrefix(bytes.ToLower(line), []byte("sep=")); ok && len(rest) == 1 {
		l.delimiter = rest[0]
		return true, nil
	}
	if l.delimiter == 0 {
		l.delimiter = guessDelimiter(line)
	}
	if l.unnamed != "" {
		return l.unitOfCell(line)
	}
	cells := splitCells(line, l.delimiter)
	if len(cells) < 2 {
		return false, fmt.Errorf("%q has one column; two are needed, a time and a rate, with a comma between", clip(string(line), 40))
	}
	if _, isTime := parseTime(cells[0]); isTime {
		return false, l.guessWithoutHeader(cells, unit)
	}
	return true, l.readHeader(cells, unit)
}

// unitOfCell takes the unit of the first rate, where the column's name has none: 5 MiB/s. A row without a rate is passed
// over.
func (l *layout) unitOfCell(line []byte) (used bool, err error) {
	_, cell, ok := l.cells(line)
	if !ok || isEmptyCell(cell) {
		return true, nil
	}
	if _, rest, ok := parseDecimal(cell, l.delimiter); ok && len(rest) > 0 {
		if l.unit, l.scale, ok = parseRateUnit(string(rest)); ok {
			return false, nil
		}
	}
	return false, fmt.Errorf("neither column %q nor its first value %q says what it counts; name the column records/s or bytes/s, or MiB/s, records/min and the like",
		l.unnamed, clip(string(cell), 40))
}

func (l *layout) ready() bool { return l.scale.den != 0 }

// guessWithoutHeader takes the first two columns of a file that begins with a row.
func (l *layout) guessWithoutHeader(cells [][]byte, unit RateUnit) error {
	l.timeColumn, l.rateColumn = 0, 1
	if unit != "" {
		l.unit, l.scale = unit, scale{1e6, 1}
		return nil
	}
	if _, rest, ok := parseDecimal(cells[1], l.delimiter); ok {
		if unit, scale, ok := parseRateUnit(string(rest)); ok {
			l.unit, l.scale = unit, scale
			return nil
		}
	}
	return errors.New("the file does not say what its rates count: begin it with a line such as time,bytes/s or time,records/s")
}

// readHeader finds the columns by their names.
func (l *layout) readHeader(cells [][]byte, unit RateUnit) error {
	l.timeColumn = 0
	for i, cell := range cells {
		if isTimeName(string(cell)) {
			l.timeColumn = i
			break
		}
	}
	l.milliTimes = saysMillis(string(cells[l.timeColumn]))
	best, bestScore := -1, 0
	var same []string
	for i, cell := range cells {
		if i == l.timeColumn || isTimeName(string(cell)) {
			continue
		}
		score := 1
		switch u, _, _ := parseRateUnit(string(cell)); u {
		case BytesPerSecond:
			score = 3
		case RecordsPerSecond:
			score = 2
		}
		switch {
		case score > bestScore:
			best, bestScore, same = i, score, nil
		case score == bestScore:
			same = append(same, string(cell))
		}
	}
	if best < 0 {
		return errors.New("no column of rates; name it records/s or bytes/s")
	}
	l.rateColumn = best
	name := clip(string(cells[best]), 40)
	var ok bool
	if l.unit, l.scale, ok = parseRateUnit(string(cells[best])); !ok {
		if unit == "" {
			l.unnamed = name
		} else {
			l.unit, l.scale = unit, scale{1e6, 1}
		}
	}
	if len(same) > 0 {
		l.notices = append(l.notices, Notice{Line: 1, Text: fmt.Sprintf("column %q is read; left out: %s", name, clip(strings.Join(same, ", "), 80))})
	}
	return nil
}

func guessDelimiter(line []byte) byte {
	for _, d := range []byte{'\t', ';', ',', '|'} {
		quoted := false
		for _, c := range line {
			if c == '"' {
				quoted = !quoted
			}
			if c == d && !quoted {
				return d
			}
		}
	}
	return ','
}

// cells gives the two cells of a row that matter.
func (l *layout) cells(line []byte) (timeCell, rateCell []byte, ok bool) {
	last := max(l.timeColumn, l.rateColumn)
	for column := 0; column <= last; column++ {
		cell, rest, more := nextCell(line, l.delimiter)
		switch column {
		case l.timeColumn:
			timeCell = cell
		case l.rateColumn:
			rateCell = cell
		}
		if !more && column < last {
			return nil, nil, false
		}
		line = rest
	}
	return timeCell, rateCell, true
}

func splitCells(line []byte, delimiter byte) [][]byte {
	var cells [][]byte
	for {
		cell, rest, more := nextCell(line, delimiter)
		cells = append(cells, cell)
		if !more {
			return cells
		}
		line = rest
	}
}

// nextCell takes the first cell off a line, without blanks and quotes around it. A quote that is not closed runs to the
// end of the line.
func nextCell(line []byte, delimiter byte) (cell, rest []byte, more bool) {
	if len(line) > 0 && (line[0] == '"' || line[0] == ' ') {
		if trimmed := bytes.TrimLeft(line, " "); len(trimmed) > 0 && trimmed[0] == '"' {
			return nextQuoted(trimmed[1:], delimiter)
		}
	}
	for i, c := range line { // cells are short
		if c == delimiter {
			return trimCell(line[:i]), line[i+1:], true
		}
	}
	return trimCell(line), nil, false
}

// trimCell takes blanks off a cell; most have none.
func trimCell(cell []byte) []byte {
	if n := len(cell); n > 0 && cell[0] > ' ' && cell[n-1] > ' ' && cell[0] < 0x80 && cell[n-1] < 0x80 {
		return cell
	}
	return bytes.TrimSpace(cell)
}

func nextQuoted(line []byte, delimiter byte) (cell, rest []byte, more bool) {
	for i := 0; i < len(line); i++ {
		if line[i] != '"' {
			continue
		}
		if i+1 < len(line) && line[i+1] == '"' {
			i++
			continue
		}
		cell = bytes.TrimSpace(bytes.ReplaceAll(line[:i], []byte(`""`), []byte(`"`)))
		if j := bytes.IndexByte(line[i:], delimiter); j >= 0 {
			return cell, line[i+j+1:], true
		}
		return cell, nil, false
	}
	return bytes.TrimSpace(line), nil, false
}

func isEmptyCell(cell []byte) bool {
	if len(cell) > 0 && isDigit(cell[0]) {
		return false // as nearly all are
	}
	switch strings.ToLower(string(cell)) {
	case "", "nan", "null", "none", "n/a", "na", "-", "undefined", "#n/a":
		return true
	}
	return false
}

// timeKind is how times are written.
type timeKind uint8

const (
	timeUnknown timeKind = iota
	timeDate             // ISO 8601
	timeUnix             // seconds or finer since 1970
	timeSpan             // since the file's own start, with units
	timeNumber           // a number since the file's own start
)

// instant is a time as a cell gives it, before it is known what a plain number means.
type instant struct {
	kind timeKind
	at   calc.Millis // of dates and spans; of numbers, the number in thousandths
}

func isTimeName(name string) bool {
	name = strings.ToLower(strings.Trim(name, " @\""))
	base, _, _ := strings.Cut(name, "(")
	base = strings.TrimSpace(base)
	for _, suffix := range []string{"_ms", "_s", "_utc", " utc", "_millis", "_seconds"} {
		base = strings.TrimSuffix(base, suffix)
	}
	switch base {
	case "time", "timestamp", "ts", "t", "date", "datetime", "date_time", "date time", "epoch", "unix", "unixtime", "at", "when", "hour", "zeit", "heure":
		return true
	}
	return false
}

func saysMillis(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "_ms") || strings.Contains(name, "(ms") || strings.Contains(name, "milli")
}

// absolute reports whether the file's times are dates.
func (l *layout) absolute() bool { return l.clock == timeDate || l.clock == timeUnix }

// time reads the time of a row. The first row decides how the times of a file are written.
func (l *layout) time(cell []byte) (calc.Millis, bool) {
	t, ok := parseTime(cell)
	if !ok {
		return 0, false
	}
	if t.kind == timeNumber {
		return l.numberTime(t.at)
	}
	if l.clock == timeUnknown {
		l.clock = t.kind
	}
	return t.at, l.clock == t.kind || l.clock == timeNumber && t.kind == timeSpan
}

// numberTime reads a plain number, given in thousandths: Unix time when it is large, else a time from the start.
func (l *layout) numberTime(thousandths calc.Millis) (calc.Millis, bool) {
	if l.clock == timeUnknown {
		l.clock = timeNumber
		if thousandths >= 1e8*1000 {
			l.clock = timeUnix
		}
	}
	switch {
	case l.clock == timeUnix:
		// handled below
	case l.clock == timeDate:
		return 0, false
	case l.milliTimes:
		return thousandths / 1000, true
	default:
		return thousandths, true
	}
	// By its size a Unix time is in seconds, milli-, micro- or nanoseconds: those of 1973 to 5138 do not overlap.
	for limit := calc.Millis(1e11); thousandths >= limit*1000 && thousandths > 0; {
		thousandths /= 1000
	}
	return thousandths, true
}

// parseTime reads ISO 8601, a number, or a span such as 1d12h or 90m.
func parseTime(cell []byte) (instant, bool) {
	if len(cell) >= 10 && cell[4] == '-' && cell[7] == '-' {
		at, ok := parseDate(cell)
		return instant{timeDate, at}, ok
	}
	if len(cell) == 0 || len(cell) > 40 || (cell[0] < '0' || cell[0] > '9') && cell[0] != '+' {
		return instant{}, false
	}
	number, rest, ok := parseThousandths(cell)
	if ok && len(rest) == 0 {
		return instant{timeNumber, number}, true
	}
	at, ok := parseSpan(cell)
	return instant{timeSpan, at}, ok
}

// parseThousandths reads a plain decimal number, in thousandths, rounded down.
func parseThousandths(cell []byte) (calc.Millis, []byte, bool) {
	n := int64(0)
	i := 0
	for ; i < len(cell) && cell[i] >= '0' && cell[i] <= '9'; i++ {
		if n > (math.MaxInt64-9)/10/1000 {
			// Nanoseconds since 1970 times a thousand do not fit: the last three digits are below a millisecond anyway.
			return parseNanoseconds(cell)
		}
		n = n*10 + int64(cell[i]-'0')
	}
	if i == 0 {
		return 0, cell, false
	}
	n *= 1000
	if i < len(cell) && cell[i] == '.' {
		i++
		for place := int64(100); i < len(cell) && cell[i] >= '0' && cell[i] <= '9'; i++ {
			n += int64(cell[i]-'0') * place
			place /= 10
		}
	}
	return calc.Millis(n), cell[i:], true
}

func parseNanoseconds(cell []byte) (calc.Millis, []byte, bool) {
	if len(cell) != 19 {
		return 0, cell, false
	}
	n := int64(0)
	for _, c := range cell {
		if c < '0' || c > '9' {
			return 0, cell, false
		}
	}
	for _, c := range cell[:16] { // microseconds
		n = n*10 + int64(c-'0')
	}
	return calc.Millis(n) * 1000, nil, true
}

// parseSpan reads numbers with units, such as 1d12h, 90m or 1500ms, or a clock such as 13:30 or 13:30:05.
func parseSpan(cell []byte) (calc.Millis, bool) {
	total := calc.Millis(0)
	if bytes.IndexByte(cell, ':') > 0 {
		return parseClock(cell)
	}
	for len(cell) > 0 {
		n, rest, ok := parseThousandths(cell)
		if !ok {
			return 0, false
		}
		rest = bytes.TrimLeft(rest, " ")
		end := 0
		for end < len(rest) && (rest[end] < '0' || rest[end] > '9') && rest[end] != ' ' {
			end++
		}
		unit, ok := spanUnit(string(rest[:end]))
		if !ok || n > calc.Millis(math.MaxInt64)/unit {
			return 0, false
		}
		if total += n * unit / 1000; total < 0 {
			return 0, false
		}
		cell = bytes.TrimLeft(rest[end:], " ")
	}
	return total, true
}

func spanUnit(name string) (calc.Millis, bool) {
	switch name {
	case "ms":
		return 1, true
	case "s", "sec":
		return calc.Second, true
	case "m", "min":
		return calc.Minute, true
	case "h":
		return calc.Hour, true
	case "d":
		return calc.Day, true
	case "w":
		return 7 * calc.Day, true
	}
	return 0, false
}

// parseClock reads hours, minutes and perhaps seconds from the start of a day.
func parseClock(cell []byte) (calc.Millis, bool) {
	total := calc.Millis(0)
	for i, part := range bytes.Split(cell, []byte(":")) {
		n, rest, ok := parseThousandths(part)
		if !ok || len(rest) > 0 || i > 2 || i > 0 && n >= 60000 {
			return 0, false
		}
		if i < 2 && n%1000 != 0 {
			return 0, false
		}
		if n > 1e12 {
			return 0, false
		}
		total += n / 1000 * []calc.Millis{calc.Hour, calc.Minute, 0}[i]
		if i == 2 {
			total += n
		}
	}
	return total, bytes.IndexByte(cell, ':') > 0
}

// parseDate reads ISO 8601: a date, and after T or a blank a time with parts of a second and a zone. Without a zone it is
// taken as UTC.
func parseDate(cell []byte) (calc.Millis, bool) {
	year, ok1 := digits(cell[0:4])
	month, ok2 := digits(cell[5:7])
	day, ok3 := digits(cell[8:10])
	if !ok1 || !ok2 || !ok3 || month < 1 || month > 12 || day < 1 || day > daysIn(year, month) {
		return 0, false
	}
	at := calc.Millis(daysSince1970(year, month, day)) * calc.Day
	if len(cell) == 10 {
		return at, true
	}
	if cell = cell[10:]; cell[0] != 'T' && cell[0] != 't' && cell[0] != ' ' || len(cell) < 6 || cell[3] != ':' {
		return 0, false
	}
	hour, ok1 := digits(cell[1:3])
	minute, ok2 := digits(cell[4:6])
	if !ok1 || !ok2 || hour > 24 || minute > 59 {
		return 0, false
	}
	at += calc.Millis(hour)*calc.Hour + calc.Millis(minute)*calc.Minute
	cell = cell[6:]
	if len(cell) >= 3 && cell[0] == ':' {
		second, ok := digits(cell[1:3])
		if !ok || second > 60 {
			return 0, false
		}
		at += calc.Millis(second) * calc.Second
		cell = cell[3:]
		if len(cell) > 1 && (cell[0] == '.' || cell[0] == ',') {
			place := calc.Millis(100)
			for cell = cell[1:]; len(cell) > 0 && cell[0] >= '0' && cell[0] <= '9'; cell = cell[1:] {
				at += calc.Millis(cell[0]-'0') * place
				place /= 10
			}
		}
	}
	zone, ok := parseZone(bytes.TrimSpace(cell))
	return at - zone, ok
}

// parseZone reads Z, UTC, +01:00, +0100 or +01, or nothing.
func parseZone(cell []byte) (calc.Millis, bool) {
	switch string(cell) {
	case "", "Z", "z", "UTC", "GMT":
		return 0, true
	}
	sign := calc.Millis(1)
	switch cell[0] {
	case '-':
		sign = -1
	case '+':
	default:
		return 0, false
	}
	cell = cell[1:]
	if len(cell) == 5 && cell[2] == ':' {
		cell = []byte{cell[0], cell[1], cell[3], cell[4]}
	}
	if len(cell) != 2 && len(cell) != 4 {
		return 0, false
	}
	hours, ok1 := digits(cell[:2])
	minutes, ok2 := digits(cell[2:])
	if !ok1 || !ok2 || hours > 18 || minutes > 59 {
		return 0, false
	}
	return sign * (calc.Millis(hours)*calc.Hour + calc.Millis(minutes)*calc.Minute), true
}

func digits(text []byte) (int, bool) {
	n := 0
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, true
}

func daysIn(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// daysSince1970 counts days in the Gregorian calendar.
func daysSince1970(year, month, day int) int {
	if month <= 2 { // years begin in March, so that the leap day is their last
		year--
		month += 12
	}
	return 365*year + year/4 - year/100 + year/400 + (153*(month-3)+2)/5 + day - 719469
}

// rate reads the rate of a row, in millionths of the unit times scale.den.
func (l *layout) rate(cell []byte) (int64, bool) {
	n, rest, ok := parseDecimal(cell, l.delimiter)
	if !ok {
		return 0, false
	}
	if len(rest) == 0 {
		return n.times(l.scale.num, 1)
	}
	unit, own, ok := parseRateUnit(string(rest))
	if !ok || unit != l.unit {
		return 0, false
	}
	if own.den == l.scale.den {
		return n.times(own.num, 1)
	}
	rate, ok := n.times(own.num, own.den)
	if !ok || rate > math.MaxInt64/l.scale.den {
		return 0, false
	}
	return rate * l.scale.den, true
}

// decimal is mantissa·10^exponent, never negative.
type decimal struct {
	mantissa int64
	exponent int
}

// times is the decimal times num/den, rounded down.
func (d decimal) times(num, den int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(d.mantissa), uint64(num))
	if hi == 0 && d.exponent == 0 && den == 1 {
		return int64(lo), lo <= math.MaxInt64
	}
	for ; d.exponent > 0 && hi|lo != 0; d.exponent-- {
		if hi > (math.MaxUint64-9)/10 {
			return 0, false
		}
		var carry uint64
		carry, lo = bits.Mul64(lo, 10)
		hi = hi*10 + carry
	}
	for ; d.exponent < 0 && hi|lo != 0; d.exponent++ {
		var rest uint64
		hi, rest = bits.Div64(0, hi, 10)
		lo, _ = bits.Div64(rest, lo, 10)
	}
	if hi >= uint64(den) {
		return 0, false
	}
	q, _ := bits.Div64(hi, lo, uint64(den))
	return int64(q), q <= math.MaxInt64
}

// parseDecimal reads a number such as 12, 12.5 or 1.25e6, and gives what follows it. Where the columns are not parted by
// commas, a comma is a decimal sign; where they are, a quoted 1,234 has its thousands parted. Digits beyond the
// eighteenth are dropped.
func parseDecimal(cell []byte, delimiter byte) (d decimal, rest []byte, ok bool) {
	if len(cell) > 0 && cell[0] == '+' {
		cell = cell[1:]
	}
	i, seen, point := 0, 0, false
	for ; i < len(cell); i++ {
		c := cell[i]
		if c == ',' {
			if delimiter != ',' {
				c = '.'
			} else if !point && seen > 0 && isGroup(cell[i+1:]) {
				continue
			}
		}
		if c == '.' && !point {
			point = true
			continue
		}
		if c < '0' || c > '9' {
			break
		}
		seen++
		if d.mantissa < 1e17 {
			d.mantissa = d.mantissa*10 + int64(c-'0')
			if point {
				d.exponent--
			}
		} else if !point {
			d.exponent++
		}
	}
	if seen == 0 {
		return decimal{}, cell, false
	}
	rest = cell[i:]
	if len(rest) > 1 && (rest[0] == 'e' || rest[0] == 'E') {
		exponent, after, isExponent := parseExponent(rest[1:])
		if isExponent {
			d.exponent += exponent
			rest = after
		}
	}
	return d, bytes.TrimLeft(rest, " "), true
}

// isGroup reports whether three digits come, and then no other.
func isGroup(text []byte) bool {
	if len(text) < 3 {
		return false
	}
	_, ok := digits(text[:3])
	return ok && (len(text) == 3 || text[3] < '0' || text[3] > '9')
}

func parseExponent(text []byte) (exponent int, rest []byte, ok bool) {
	sign := 1
	switch text[0] {
	case '-':
		sign, text = -1, text[1:]
	case '+':
		text = text[1:]
	}
	i := 0
	for i < len(text) && i < 3 && text[i] >= '0' && text[i] <= '9' {
		exponent = exponent*10 + int(text[i]-'0')
		i++
	}
	return sign * exponent, text[i:], i > 0
}

// parseRateUnit finds a rate's unit in a column's name or behind a number: bytes/s, MiB/s, kbit/s, records/min,
// messages per second, BytesInPerSec.
func parseRateUnit(text string) (RateUnit, scale, bool) {
	text = strings.ToLower(text)
	for _, per := range []string{"_per_", " per ", "-per-", ".per."} {
		text = strings.ReplaceAll(text, per, "/")
	}
	if what, rest, found := cutPer(text); found {
		period, ok := periodUnit(rest)
		if !ok {
			return "", scale{}, false
		}
		return amountUnit(what, period)
	}
	// Without a period: bps and the like, else a rate a second by the word alone.
	switch word := lastWord(text); word {
	case "bps", "kbps", "mbps", "gbps":
		prefix := strings.TrimSuffix(word, "bps")
		return amountUnit(prefix+"bit", calc.Second)
	case "rps", "mps", "msgps":
		return RecordsPerSecond, scale{1e6, 1}, true
	}
	switch {
	case strings.Contains(text, "byte"):
		return BytesPerSecond, scale{1e6, 1}, true
	case hasAny(text, "record", "message", "msg", "event"):
		return RecordsPerSecond, scale{1e6, 1}, true
	}
	return "", scale{}, false
}

// cutPer parts "amount / period".
func cutPer(text string) (what, period string, found bool) {
	if i := strings.LastIndexByte(text, '/'); i >= 0 {
		return text[:i], text[i+1:], true
	}
	for _, suffix := range []string{"persecond", "persec", "perminute", "permin", "perhour", "perday"} {
		if i := strings.LastIndex(text, suffix); i > 0 {
			return text[:i], text[i+len("per"):], true
		}
	}
	return "", "", false
}

func periodUnit(text string) (calc.Millis, bool) {
	switch firstWord(text) {
	case "s", "sec", "secs", "second", "seconds":
		return calc.Second, true
	case "m", "min", "mins", "minute", "minutes":
		return calc.Minute, true
	case "h", "hr", "hour", "hours":
		return calc.Hour, true
	case "d", "day", "days":
		return calc.Day, true
	}
	return 0, false
}

func amountUnit(what string, period calc.Millis) (RateUnit, scale, bool) {
	seconds := int64(period / calc.Second)
	word := lastWord(what)
	if factor, divisor, ok := byteUnit(word); ok {
		return BytesPerSecond, scale{1e6 * factor, divisor * seconds}, true
	}
	switch {
	case hasAny(word, "record", "message", "msg", "event", "row"):
		return RecordsPerSecond, scale{1e6, seconds}, true
	case strings.Contains(word, "byte"), strings.Contains(what, "byte"):
		return BytesPerSecond, scale{1e6, seconds}, true
	case hasAny(what, "record", "message", "msg", "event", "row"):
		return RecordsPerSecond, scale{1e6, seconds}, true
	}
	return "", scale{}, false
}

// byteUnit is the number of bytes in a unit, as factor/divisor.
func byteUnit(word string) (factor, divisor int64, ok bool) {
	divisor = 1
	base, isBits := word, false
	for _, suffix := range []string{"bytes", "byte", "bits", "bit", "b"} {
		if cut, found := strings.CutSuffix(word, suffix); found {
			base, isBits = cut, strings.HasPrefix(suffix, "bit")
			break
		}
	}
	if base == word {
		return 0, 0, false
	}
	if isBits {
		divisor = 8
	}
	switch strings.TrimSpace(base) {
	case "":
		return 1, divisor, true
	case "k", "kilo":
		return 1e3, divisor, true
	case "m", "mega":
		return 1e6, divisor, true
	case "g", "giga":
		return 1e9, divisor, true
	case "t", "tera":
		return 1e12, divisor, true
	case "ki", "kibi":
		return 1 << 10, divisor, true
	case "mi", "mebi":
		return 1 << 20, divisor, true
	case "gi", "gibi":
		return 1 << 30, divisor, true
	case "ti", "tebi":
		return 1 << 40, divisor, true
	}
	return 0, 0, false
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' }

// lastWord is the run of letters that the text ends with, after blanks and closing brackets.
func lastWord(text string) string {
	end := len(text)
	for end > 0 && !isLetter(text[end-1]) {
		end--
	}
	start := end
	for start > 0 && isLetter(text[start-1]) {
		start--
	}
	return text[start:end]
}

// firstWord is the first run of letters.
func firstWord(text string) string {
	start := 0
	for start < len(text) && !isLetter(text[start]) {
		start++
	}
	end := start
	for end < len(text) && isLetter(text[end]) {
		end++
	}
	return text[start:end]
}

func hasAny(text string, words ...string) bool {
	for _, w := range words {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Model is the version of the model: it changes when an answer does.
const Model = "1"

// VersionLine is a release line of Kafka: 4.3.
func VersionLine(v calc.Version) string {
	major, rest, _ := strings.Cut(v.String(), ".")
	minor, _, _ := strings.Cut(rest, ".")
	return major + "." + minor
}

// Bounds is what a setting may be: 1 MiB to 2 GiB.
func Bounds(s *calc.Setting) string {
	if len(s.Words) > 0 {
		return strings.Join(s.Words, ", ")
	}
	switch s.Kind {
	case calc.KindFlag:
		return "true, false"
	case calc.KindSize, calc.KindDuration, calc.KindCount, calc.KindLength:
	case calc.KindRate:
		return "up to " + calc.Bytes(s.Max).String() + "/s"
	case calc.KindFraction:
		return "0 to 1"
	default:
		return s.Kind.String()
	}
	least, most := edge(s, s.Min), edge(s, s.Max)
	var b strings.Builder
	switch {
	case s.Min <= -1 && s.Kind != calc.KindLength:
		b.WriteString("−1, no limit, or from 0")
		if s.Min == -2 {
			b.WriteString(", or −2")
		}
		if s.Key == "compression.gzip.level" || s.Key == "compression.zstd.level" {
			return strconv.FormatInt(s.Min, 10) + " to " + most
		}
	case s.Kind == calc.KindLength:
		b.WriteString("null, or from 0")
	default:
		b.WriteString("from " + least)
	}
	if s.Max < math.MaxInt64 && s.Max > 0 {
		b.WriteString(" to " + most)
	} else {
		b.WriteString(" on")
	}
	return b.String()
}

func edge(s *calc.Setting, n int64) string {
	switch {
	case n == math.MaxInt32:
		return "2" + "\u202f" + "147" + "\u202f" + "483" + "\u202f" + "647"
	case n <= 0 || s.Kind == calc.KindCount:
		return Number(n)
	case s.Kind == calc.KindSize || s.Kind == calc.KindLength:
		return calc.Bytes(n).String()
	}
	return longSpan(calc.Millis(n))
}

// Synonyms are the broker's settings from which a setting takes its value when it has none, the first that is given first.
func Synonyms(s *calc.Setting) string {
	var keys []string
	for _, syn := range s.Inherits {
		keys = append(keys, syn.Key)
	}
	return strings.Join(keys, ", then ")
}

// Versions says in which versions of Kafka a setting exists, or has another default.
func Versions(s *calc.Setting) string {
	var parts []string
	if s.Since > 0 {
		parts = append(parts, "from Kafka "+VersionLine(s.Since))
	}
	if s.Until > 0 {
		parts = append(parts, "before Kafka "+VersionLine(s.Until))
	}
	for _, o := range s.Older {
		if o.Default != s.Default {
			parts = append(parts, fmt.Sprintf("default %s before %s", o.Default, VersionLine(o.Before)))
		}
		if o.Min != s.Min {
			parts = append(parts, fmt.Sprintf("from %d before %s", o.Min, VersionLine(o.Before)))
		}
	}
	return strings.Join(parts, "; ")
}

// MainReason is the setting that most of the events of a tally name.
func MainReason(t calc.Tally) string {
	r, _ := mostOf(t)
	return string(r)
}

// steps are the values that the arrow keys go through, for durations and sizes.
var durationSteps = []calc.Millis{
	0, 1, 2, 5, 10, 20, 50, 100, 200, 500, calc.Second, 2 * calc.Second, 5 * calc.Second, 10 * calc.Second, 15 * calc.Second, 30 * calc.Second,
	calc.Minute, 2 * calc.Minute, 5 * calc.Minute, 10 * calc.Minute, 15 * calc.Minute, 30 * calc.Minute,
	calc.Hour, 2 * calc.Hour, 3 * calc.Hour, 6 * calc.Hour, 12 * calc.Hour,
	calc.Day, 2 * calc.Day, 3 * calc.Day, 4 * calc.Day, 5 * calc.Day, 6 * calc.Day, 7 * calc.Day, 14 * calc.Day, 21 * calc.Day, 30 * calc.Day,
	60 * calc.Day, 90 * calc.Day, 180 * calc.Day, 365 * calc.Day, 730 * calc.Day, 1825 * calc.Day, 3650 * calc.Day,
}

// Stepped is the value that an arrow key makes of a text: the next duration of a ladder, twice or half a size or rate, one
// more or less of a count. ok is false where there is none, as for a text that is wrong.
func Stepped(s *calc.Setting, text string, up bool) (to string, ok bool) {
	switch s.Kind {
	case calc.KindDuration:
		m, err := calc.ParseMillis(text)
		if err != nil || m == calc.Never {
			return "", false
		}
		return steppedDuration(s, m, up)
	case calc.KindSize, calc.KindLength:
		b, err := calc.ParseBytes(text)
		if err != nil {
			return "", false
		}
		n, ok := doubled(int64(b), up)
		return calc.Bytes(n).Text(), ok && n >= s.Min && n <= s.Max
	case calc.KindCount:
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return "", false
		}
		if up {
			n++
		} else {
			n--
		}
		return strconv.FormatInt(n, 10), n >= s.Min && n <= s.Max
	case calc.KindRate:
		r, err := calc.ParseRate(text)
		if err != nil || r.Zero() {
			return "", false
		}
		amount, per := r.Ratio()
		if up {
			if amount > math.MaxInt64/2 {
				return "", false
			}
			amount *= 2
		} else if amount%2 == 0 {
			amount /= 2
		} else {
			per *= 2
		}
		r = calc.RateOf(calc.Bytes(amount), per)
		if records, err := calc.ParseRate(text); err == nil && records.Records() {
			r = calc.RecordRateOf(amount, per)
		}
		return r.Text(), r.PerSecond() > 0 && r.PerSecond() <= s.Max
	}
	return "", false
}

func doubled(n int64, up bool) (int64, bool) {
	switch {
	case up && n == 0:
		return 1, true
	case up:
		return n * 2, n <= math.MaxInt64/2
	}
	return n / 2, n > 0
}

func steppedDuration(s *calc.Setting, m calc.Millis, up bool) (string, bool) {
	if up {
		for _, d := range durationSteps {
			if d > m {
				return d.Text(), int64(d) <= s.Max
			}
		}
		return "", false
	}
	for i := len(durationSteps) - 1; i >= 0; i-- {
		if d := durationSteps[i]; d < m {
			return d.Text(), int64(d) >= max(s.Min, 0)
		}
	}
	return "", false
}

package report

import (
	"math"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Reading is how a text was understood as a value of a setting, to be shown beside it: 7 d · 604 800 000 ms. It is "" where
// the text says it itself, and where it is wrong.
func Reading(s *calc.Setting, text string) string {
	trimmed := strings.ToLower(strings.TrimSpace(text))
	for _, n := range s.Names {
		if trimmed == n.Word && n.Value == calc.Unlimited {
			trimmed = "-1"
		}
	}
	switch s.Kind {
	case calc.KindSize, calc.KindLength:
		return sizeReading(s, trimmed, text)
	case calc.KindDuration:
		return durationReading(s, trimmed, text)
	case calc.KindRate:
		r, err := calc.ParseRate(text)
		if err != nil || r.Zero() {
			return ""
		}
		if r.Records() {
			return r.String()
		}
		return r.String() + " · " + Number(r.PerSecond()) + space + "B/s"
	case calc.KindVersion:
		v, err := calc.ParseVersion(text)
		if err != nil {
			return ""
		}
		return v.String()
	case calc.KindRatio:
		r, err := calc.ParseRatio(text)
		if err != nil {
			return ""
		}
		return r.String()
	}
	return ""
}

func sizeReading(s *calc.Setting, trimmed, text string) string {
	switch {
	case s.Kind == calc.KindLength && (trimmed == "null" || trimmed == "none"):
		return ""
	case trimmed == "-1" && s.Min < 0:
		return "no limit"
	case trimmed == "-2" && s.Min < 0:
		return "as the whole log"
	}
	b, err := calc.ParseBytes(text)
	if err != nil {
		return ""
	}
	if b == math.MaxInt64 { // what Kafka has where there is none
		return "no limit"
	}
	return both(b.String(), b.Exact())
}

func durationReading(s *calc.Setting, trimmed, text string) string {
	switch {
	case trimmed == "-1" && s.Min < 0:
		return "no limit"
	case trimmed == "-2" && s.Min < 0:
		return "as the whole log"
	}
	for _, n := range s.Names {
		if trimmed == n.Word {
			return ""
		}
	}
	m, err := calc.ParseMillis(text)
	switch {
	case err != nil:
		return ""
	case m == calc.Never:
		return "for ever"
	}
	return both(longSpan(m), m.Exact())
}

// both is the easy form and the exact one, or one of them where the other says the same.
func both(easy, exact string) string {
	if easy == exact || strings.ReplaceAll(easy, " ", space) == exact {
		return exact
	}
	return strings.ReplaceAll(easy, " ", space) + " · " + exact
}

// longSpan is a duration in words, as far as it is whole: 7 days, 1 day 12 h, 5 min.
func longSpan(m calc.Millis) string {
	if m >= calc.Day && m%calc.Day == 0 {
		if m == calc.Day {
			return "1 day"
		}
		return Number(int64(m/calc.Day)) + " days"
	}
	return clock(m, 1, true)
}

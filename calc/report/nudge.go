package report

import (
	"math/bits"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// maxNudge is the most steps that a value goes at once.
const maxNudge = 400

// Nudged is a value so many small steps up or down, for a number that is dragged: round numbers, at the most a quarter apart.
// It depends on the value and the steps alone, so that a drag back is back where it began; it stays within the setting's
// bounds. ok is false for a text that has no neighbours, as one that is wrong, or no limit.
func Nudged(s *calc.Setting, text string, steps int) (to string, ok bool) {
	steps = max(-maxNudge, min(steps, maxNudge))
	switch s.Kind {
	case calc.KindCount:
		n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil || n < 0 {
			return "", false
		}
		return strconv.FormatInt(walk(s, n, steps, decimalStep), 10), true
	case calc.KindSize, calc.KindLength:
		b, err := calc.ParseBytes(text)
		if err != nil {
			return "", false
		}
		if steps == 0 {
			return text, true
		}
		return calc.Bytes(walk(s, int64(b), steps, binaryStep)).Text(), true
	case calc.KindDuration:
		m, err := calc.ParseMillis(text)
		if err != nil || m == calc.Never {
			return "", false
		}
		if steps == 0 {
			return text, true
		}
		return calc.Millis(walk(s, int64(m), steps, timeStepOf)).Text(), true
	case calc.KindRate:
		r, err := calc.ParseRate(text)
		if err != nil {
			return "", false
		}
		if steps == 0 {
			return text, true
		}
		if r.Records() {
			return calc.RecordRateOf(walk(s, r.PerSecond(), steps, decimalStep), calc.Second).Text(), true
		}
		return calc.RateOf(calc.Bytes(walk(s, r.PerSecond(), steps, binaryStep)), calc.Second).Text(), true
	}
	return "", false
}

// walk goes from n so many steps, each to the next multiple of what one is worth there.
func walk(s *calc.Setting, n int64, steps int, worth func(int64) int64) int64 {
	for ; steps > 0; steps-- {
		w := worth(n)
		if n > s.Max-w {
			return n
		}
		n = (n/w + 1) * w
	}
	for ; steps < 0; steps++ {
		w := worth(max(n-1, 0)) // below a round number steps are the smaller ones
		if to := (n - 1) / w * w; n > 0 && to >= s.Min {
			n = to
		} else {
			return min(n, max(s.Min, 0))
		}
	}
	return n
}

// decimalStep makes 1 … 20, 25, 30 … 100, 110, 120 … 200, 250 …
func decimalStep(n int64) int64 {
	w := int64(1)
	for n/w >= 100 {
		w *= 10
	}
	if n/w >= 20 {
		return 5 * w
	}
	return w
}

// binaryStep makes four steps to twice the size: 1, 1.25, 1.5, 1.75, 2, 2.5 …
func binaryStep(n int64) int64 {
	return 1 << max(bits.Len64(uint64(n))-3, 0)
}

// timeStepOf steps by the largest unit of which there are at least two, as decimalStep does.
func timeStepOf(n int64) int64 {
	for _, unit := range [...]calc.Millis{calc.Day, calc.Hour, calc.Minute, calc.Second} {
		if n >= 2*int64(unit) {
			return decimalStep(n/int64(unit)) * int64(unit)
		}
	}
	return decimalStep(n)
}

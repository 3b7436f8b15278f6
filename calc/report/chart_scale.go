package report

import (
	"math"
	"strconv"

	"github.com/partsize/partsize/calc"
)

// Tick is a mark on an axis.
type Tick struct {
	At    float64 // percent of the width, or pixels from the top
	Label string  // "": a mark without words
	Minor bool    // the label goes first where there is little room
}

// scale maps bytes to pixels from the top.
type scale struct {
	low, high calc.Bytes // of the axis
	height    float64    // pixels
}

func (s scale) y(b calc.Bytes) float64 {
	if s.high <= s.low {
		return s.height
	}
	return s.height - float64(b-s.low)/float64(s.high-s.low)*s.height
}

// sizeScale is an axis for sizes from low to high with about so many ticks. It starts at 0 unless everything is in the
// upper part, where a saw-tooth would be flat; then broken is true.
func sizeScale(low, high calc.Bytes, height float64, ticks int) (s scale, marks []Tick, broken bool) {
	high = max(high, 1)
	broken = float64(low) > 0.7*float64(high)
	if !broken {
		low = 0
	}
	span := max(high-low, 1)
	unit := unitOf(high)
	step := niceSize(float64(span)/float64(ticks), unit)
	for unit > 0 && step < 0.01 {
		unit--
		step = niceSize(float64(span)/float64(ticks), unit)
	}
	size := math.Ldexp(1, 10*unit)
	if unit == 0 {
		step = math.Max(step, 1)
	}
	first := math.Floor(float64(low) / size / step)
	last := math.Ceil(float64(high) / size / step)
	if float64(high)/size/step > last-0.01 {
		last++ // room above the line
	}
	if broken && float64(low)/size/step < first+0.1 && first > 0 {
		first--
	}
	s = scale{low: calc.Bytes(first * step * size), high: calc.Bytes(last * step * size), height: height}
	places := 0
	for p := step; p < 0.999 && places < 6; places++ {
		p *= 10
	}
	for i := first; i <= last; i++ {
		b := calc.Bytes(i * step * size)
		label := inUnit(b, unit, places)
		if b == 0 {
			label = "0"
		}
		if i == last {
			label += space + sizes[unit]
		}
		marks = append(marks, Tick{At: s.y(b), Label: label})
	}
	return s, marks, broken
}

// niceSize is 1, 2 or 5 times a power of ten that is at least want, in a binary unit.
func niceSize(want float64, unit int) float64 {
	want /= math.Ldexp(1, 10*unit)
	power := math.Pow(10, math.Floor(math.Log10(want)))
	for _, f := range []float64{1, 2, 5} {
		if f*power >= want*0.999 {
			return f * power
		}
	}
	return 10 * power
}

// timeSteps are the distances that ticks of a time axis may have.
var timeSteps = []calc.Millis{
	1, 2, 5, 10, 20, 50, 100, 200, 500,
	calc.Second, 2 * calc.Second, 5 * calc.Second, 10 * calc.Second, 15 * calc.Second, 30 * calc.Second,
	calc.Minute, 2 * calc.Minute, 5 * calc.Minute, 10 * calc.Minute, 15 * calc.Minute, 30 * calc.Minute,
	calc.Hour, 2 * calc.Hour, 3 * calc.Hour, 6 * calc.Hour, 12 * calc.Hour,
	calc.Day, 2 * calc.Day, 5 * calc.Day, 7 * calc.Day, 14 * calc.Day, 28 * calc.Day, 56 * calc.Day, 91 * calc.Day,
	182 * calc.Day, 364 * calc.Day, 2 * 364 * calc.Day, 5 * 364 * calc.Day, 10 * 364 * calc.Day, 20 * 364 * calc.Day,
}

// timeStep is the least distance that makes at most so many parts of a span.
func timeStep(span calc.Millis, parts int64) calc.Millis {
	for _, step := range timeSteps {
		if int64(span/step) <= parts {
			return step
		}
	}
	return timeSteps[len(timeSteps)-1]
}

// timeTicks are the marks between from and to. A label says what the one before does not.
func timeTicks(w Window, parts int64) (ticks []Tick) {
	step := timeStep(w.To-w.From, parts)
	first := (w.From + step - 1) / step * step
	day := calc.Millis(-1)
	for i, at := 0, first; at <= w.To; i, at = i+1, at+step {
		t := Tick{At: w.percent(at), Minor: i%2 == 1}
		switch d := at / calc.Day; {
		case at == 0:
			t.Label, day = "0", 0
		case step >= calc.Day:
			t.Label = strconv.FormatInt(int64(d), 10) + space + "d"
		case d != day:
			day = d
			t.Label, t.Minor = axisClock(at, step), false
		default:
			t.Label = axisClock(at%calc.Day, step)
		}
		ticks = append(ticks, t)
	}
	return ticks
}

// axisClock is a time as short as an axis needs it: 3 h 05, 27 d 3 h.
func axisClock(at, step calc.Millis) string {
	if step >= calc.Hour || at%calc.Hour == 0 && at >= calc.Hour {
		return clock(at, calc.Hour, true)
	}
	if at >= calc.Hour && step >= calc.Minute {
		text := Clock(at-at%calc.Hour, calc.Hour)
		m := int64(at % calc.Hour / calc.Minute)
		if m < 10 {
			return text + space + "0" + strconv.FormatInt(m, 10)
		}
		return text + space + strconv.FormatInt(m, 10)
	}
	unit := calc.Second
	switch {
	case step < calc.Second:
		unit = 1
	case step >= calc.Minute:
		unit = calc.Minute
	}
	return clock(at, unit, true)
}

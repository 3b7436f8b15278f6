package provider

import (
	"math"
	"slices"

	"github.com/partsize/partsize/calc"
)

// course is how bytes come to a partition: a line between points, and after the last one at a steady rate.
type course struct {
	points []Arrived // at least one, in order of time, bytes never falling
	rate   int64     // bytes a second after the last point
}

// by is how many bytes have come at a time.
func (c *course) by(t calc.Millis) int64 {
	i, _ := slices.BinarySearchFunc(c.points, t, func(p Arrived, t calc.Millis) int {
		if p.At <= t {
			return -1
		}
		return 1
	})
	switch {
	case i == 0:
		return int64(c.points[0].Bytes)
	case i == len(c.points):
		last := c.points[i-1]
		return plus(int64(last.Bytes), ratioDown(c.rate, int64(t-last.At), 1000))
	}
	a, b := c.points[i-1], c.points[i]
	return int64(a.Bytes) + ratioDown(int64(b.Bytes-a.Bytes), int64(t-a.At), int64(b.At-a.At))
}

// when is the first time at which at least so many bytes have come; math.MaxInt64 if that never is.
func (c *course) when(b int64) calc.Millis {
	i, _ := slices.BinarySearchFunc(c.points, b, func(p Arrived, b int64) int {
		if int64(p.Bytes) < b {
			return -1
		}
		return 1
	})
	switch {
	case i == 0:
		return c.points[0].At
	case i == len(c.points):
		if c.rate <= 0 {
			return math.MaxInt64
		}
		last := c.points[i-1]
		return calc.Millis(plus(max(int64(last.At), 0), ratio(b-int64(last.Bytes), 1000, c.rate))) + min(last.At, 0)
	}
	p, q := c.points[i-1], c.points[i]
	return p.At + calc.Millis(ratio(b-int64(p.Bytes), int64(q.At-p.At), int64(q.Bytes-p.Bytes)))
}

// written is what a partition was given of a course, with the times in which nothing could be written left out.
type written struct {
	source course
	played course // up to the last change; its last point is where the rest goes on
	paused bool
}

// newWritten is a partition that holds stored at the start, which came evenly at the rate that the traffic has on the mean.
func newWritten(tr *Traffic, stored int64) written {
	w := written{source: course{points: tr.Course, rate: int64(tr.Mean)}}
	if len(tr.Course) == 0 {
		w.source.points = []Arrived{{}}
	}
	if stored > 0 {
		span := calc.Hour
		if tr.Mean > 0 {
			span = max(calc.Millis(ratio(stored, 1000, int64(tr.Mean))), 1)
		}
		w.played.points = append(w.played.points, Arrived{At: -span})
	}
	w.played.points = append(w.played.points, Arrived{Bytes: calc.Bytes(stored)})
	return w
}

func (w *written) last() Arrived { return w.played.points[len(w.played.points)-1] }

// by is how many bytes the partition was given up to a time.
func (w *written) by(t calc.Millis) int64 {
	last := w.last()
	if t <= last.At {
		return w.played.by(t)
	}
	if w.paused {
		return int64(last.Bytes)
	}
	return plus(int64(last.Bytes), w.source.by(t)-w.source.by(last.At))
}

// when is the first time at which the partition was, or will be, given so many bytes.
func (w *written) when(b int64) calc.Millis {
	last := w.last()
	if b <= int64(last.Bytes) {
		return w.played.when(b)
	}
	if w.paused {
		return math.MaxInt64
	}
	return w.source.when(plus(b-int64(last.Bytes), w.source.by(last.At)))
}

// pause stops the writes at a time, or lets them go on.
func (w *written) pause(at calc.Millis, paused bool) {
	if w.paused == paused {
		return
	}
	if paused {
		last := w.last()
		from := w.source.by(last.At)
		for _, p := range w.source.points {
			if p.At > last.At && p.At < at {
				w.played.points = append(w.played.points, Arrived{At: p.At, Bytes: last.Bytes + p.Bytes - calc.Bytes(from)})
			}
		}
	}
	b := w.by(at)
	if at > w.last().At {
		w.played.points = append(w.played.points, Arrived{At: at, Bytes: calc.Bytes(b)})
	}
	w.paused = paused
}

package report

import (
	"fmt"
	"slices"

	"github.com/partsize/partsize/calc"
)

// Chart is bytes over time, ready to be drawn: all of it small and from zero, and a window of it large.
type Chart struct {
	Window   Window
	Overview Plot
	Detail   Plot
	Brush    [2]float64 // the window in the overview, in percent: where it begins, how wide it is
}

// Plot is one drawing. Heights are pixels from its top; x is in percent of its width; paths have the measure of the
// package: 10,000 across, ten a pixel down.
type Plot struct {
	Height float64
	Broken bool // the axis does not start at 0
	Sizes  []Tick
	Times  []Tick
	Limits []Limit
	Marks  []EventMark
	Peak   *PeakMark
	scale  scale

	// Either the parts, one on the other, as they were at every instant …
	Log, Indexes, Awaiting string // areas
	// … or, where there is too much to draw, what the total swung between in each column.
	Least, Swing string // areas: up to the least, from there to the most
	Total        string // the line on top
	Column       calc.Millis

	Low, High calc.Bytes // of the total
	Summary   string     // what one sees, in a sentence
}

// Limit is a threshold.
type Limit struct {
	Key   string
	Bytes calc.Bytes
	Y     float64
}

// EventMark is an instant at which something was deleted.
type EventMark struct {
	X     float64
	Label string
	Count int
	Key   string // the setting
}

// PeakMark is the highest point.
type PeakMark struct {
	X, Y  float64
	Label string
	Left  bool // the label is left of it
}

// Heights of the two drawings' plots, in pixels.
const (
	overviewHeight = 40
	DetailHeight   = 200
)

// maxSteps is how many steps of the simulation are played again for a drawing; beyond that the envelope is drawn.
const maxSteps = 40_000

// columns is how many columns are drawn where there is no room for every step.
const columns = 600

// RoughChart draws an answer without playing any of it again: of a window the envelope.
func RoughChart(a *calc.Answer, look *Look, w Window) Chart {
	c := chartOf(a, look, w)
	c.Detail.envelope(a, w)
	return c
}

// ChartWith draws an answer. ok is false when yield, which is called now and then and may be nil, returns false.
func ChartWith(a *calc.Answer, look *Look, w Window, yield func() bool) (c Chart, ok bool) {
	c = chartOf(a, look, w)
	return c, c.Detail.detail(a, look, w, yield)
}

// chartOf is a chart without its detail.
func chartOf(a *calc.Answer, look *Look, w Window) Chart {
	whole := Window{0, a.Timeline.Until()}
	if look.overview == nil {
		p := overview(a)
		look.overview = &p
	}
	c := Chart{Window: w, Overview: *look.overview}
	c.Overview.Limits = slices.Clone(c.Overview.Limits) // more may be added
	c.Detail.Height, c.Detail.Times = DetailHeight, timeTicks(w, 6)
	c.Brush = [2]float64{whole.percent(w.From), whole.percent(w.To) - whole.percent(w.From)}
	return c
}

// overview draws the envelope from zero.
func overview(a *calc.Answer) (p Plot) {
	t := a.Timeline
	w := Window{0, t.Until()}
	p.Height = overviewHeight
	cols := envelopeColumns(t, w)
	p.High = highest(cols)
	s, marks, _ := sizeScale(0, p.High, p.Height, 1)
	s.high = max(p.High+p.High/20, 1)
	p.Sizes = []Tick{{At: s.y(p.High), Label: SizeText(p.High)}, {At: p.Height, Label: marks[0].Label}}
	upper := make([]point, 0, 2*len(cols))
	for _, c := range cols {
		upper = append(upper, point{px(w.percent(c.from)), py(s.y(c.high))}, point{px(w.percent(c.to)), py(s.y(c.high))})
	}
	p.Total = line(upper)
	p.Least = area(upper, floor(upper, py(p.Height)))
	p.Limits, p.scale = limits(a, s), s
	p.Times = timeTicks(w, 5)
	return p
}

// floor is the lower edge of an area that stands on the axis.
func floor(upper []point, y int) []point {
	if len(upper) == 0 {
		return nil
	}
	return []point{{upper[0].x, y}, {upper[len(upper)-1].x, y}}
}

// limits are the thresholds that lie on the axis.
func limits(a *calc.Answer, s scale) (all []Limit) {
	if n := a.Scenario.Log().RetentionBytes; n >= 0 && n >= s.low && n <= s.high {
		all = append(all, Limit{"retention.bytes", n, s.y(n)})
	}
	if u := a.Disk; u != nil {
		// The drawing is of one replica: of the disk, too, it has the share of one.
		of := ""
		if u.Replicas > 1 {
			of = " ÷" + space + Number(u.Replicas) + " ="
		}
		for _, l := range []Limit{{Key: "disk" + of, Bytes: u.Size}, {Key: "reserve from", Bytes: u.Size - reserveOf(a)}} {
			if l.Bytes /= calc.Bytes(u.Replicas); l.Bytes > 0 && l.Bytes >= s.low && l.Bytes <= s.high {
				l.Y = s.y(l.Bytes)
				all = append(all, l)
			}
		}
	}
	return all
}

// column is what was on disk in a span of time.
type column struct {
	from, to  calc.Millis
	low, high calc.Bytes // of the total
	log       calc.Bytes // least of the log
}

// envelopeColumns are the envelope's buckets within a window, joined to at most columns.
func envelopeColumns(t *calc.Timeline, w Window) (cols []column) {
	all := t.Envelope()
	for len(all) > 0 && all[0].To <= w.From {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1].From > w.To {
		all = all[:len(all)-1]
	}
	join := (len(all) + columns - 1) / columns
	cols = make([]column, 0, columns)
	for i := 0; i < len(all); i += join {
		b := &all[i]
		c := column{max(b.From, w.From), 0, b.Allocated.Low, b.Allocated.High, b.Log.Low}
		for j := i; j < min(i+join, len(all)); j++ {
			b = &all[j]
			c.to = min(b.To, w.To)
			c.low, c.high, c.log = min(c.low, b.Allocated.Low), max(c.high, b.Allocated.High), min(c.log, b.Log.Low)
		}
		cols = append(cols, c)
	}
	return cols
}

func highest(cols []column) (n calc.Bytes) {
	for _, c := range cols {
		n = max(n, c.high)
	}
	return n
}

// sample is what was on disk at an instant. Between two samples it grows evenly.
type sample struct {
	at              calc.Millis
	log, rest, wait calc.Bytes
}

func (s *sample) total() calc.Bytes { return s.log + s.rest + s.wait }

func sampleOf(at calc.Millis, u calc.Usage) sample {
	return sample{at, u.Log, max(u.Allocated-u.AwaitingAllocated-u.Log, 0), u.AwaitingAllocated}
}

// samples plays a window from its start and notes what is on disk at each step, and the instants at which segments are
// deleted.
func samples(sim *calc.Simulation, w Window, yield func() bool) (all []sample, marks []deletion, ok bool) {
	before := sim.Usage()
	all = append(all, sampleOf(w.From, before))
	push := func(s sample) {
		s.at = max(s.at, all[len(all)-1].at) // a step that does nothing does not move the clock
		if last := all[len(all)-1]; last != s {
			all = append(all, s)
		}
	}
	for steps := 1; ; steps++ {
		next, more := sim.Next()
		if !more || next > w.To {
			break
		}
		if steps%64 == 0 && yield != nil && !yield() {
			return nil, nil, false
		}
		push(sampleOf(next, before))
		gone := false
		for _, e := range sim.StepBefore(w.To+1, true) {
			switch e.Kind {
			case calc.Delete:
				gone = true
				marks = mark(marks, e)
			case calc.Remove, calc.Roll, calc.Replace, calc.DirGone:
				gone = true
			}
		}
		if gone && sim.Now() > next {
			push(sampleOf(sim.Now(), before))
		}
		before = sim.Usage()
		push(sampleOf(sim.Now(), before))
	}
	push(sampleOf(w.To, before))
	return all, marks, true
}

// deletion is an instant at which a check deleted segments.
type deletion struct {
	at     calc.Millis
	count  int
	reason calc.Reason
}

func mark(marks []deletion, e calc.Event) []deletion {
	if n := len(marks); n > 0 && marks[n-1].at == e.At {
		marks[n-1].count++
		return marks
	}
	return append(marks, deletion{e.At, 1, e.Reason})
}

// detail draws a window as large as there is room.
func (p *Plot) detail(a *calc.Answer, look *Look, w Window, yield func() bool) (ok bool) {
	if look.tooMany(w) {
		p.envelope(a, w)
		return true
	}
	if !look.Approach(w.From, yield) {
		return false
	}
	all, marks, ok := samples(look.At(w.From).Clone(), w, yield)
	switch {
	case !ok:
		return false
	case len(all) > 2*columns:
		p.swing(a, w, joined(all, w))
	default:
		p.stack(a, w, all)
		p.mark(w, marks)
	}
	return true
}

// envelope draws a window from what is known of it without playing it again.
func (p *Plot) envelope(a *calc.Answer, w Window) { p.swing(a, w, envelopeColumns(a.Timeline, w)) }

// joined are columns over many samples.
func joined(all []sample, w Window) (cols []column) {
	width := max((w.To-w.From)/columns, 1)
	for i := range all {
		s := &all[i]
		total := s.total()
		if n := len(cols); n == 0 || s.at >= cols[n-1].to {
			if n > 0 {
				// What holds at the edge holds in both.
				cols[n-1].low, cols[n-1].high = min(cols[n-1].low, total), max(cols[n-1].high, total)
			}
			from := w.From + (s.at-w.From)/width*width
			cols = append(cols, column{from, from + width, total, total, s.log})
			continue
		}
		c := &cols[len(cols)-1]
		c.low, c.high, c.log = min(c.low, total), max(c.high, total), min(c.log, s.log)
	}
	return cols
}

// swing draws what the total swung between.
func (p *Plot) swing(a *calc.Answer, w Window, cols []column) {
	p.Low, p.High = cols[0].low, highest(cols)
	for _, c := range cols {
		p.Low = min(p.Low, c.low)
	}
	p.Column = cols[0].to - cols[0].from
	s, marks, broken := sizeScale(p.Low, p.High, p.Height, 4)
	p.Sizes, p.Broken = marks, broken
	upper, lower := make([]point, 0, 2*len(cols)), make([]point, 0, 2*len(cols))
	for i := range cols {
		c := &cols[i]
		x1, x2 := px(w.percent(c.from)), px(min(w.percent(c.to), 100))
		upper = append(upper, point{x1, py(s.y(c.high))}, point{x2, py(s.y(c.high))})
		lower = append(lower, point{x1, py(s.y(c.low))}, point{x2, py(s.y(c.low))})
	}
	p.Total = line(upper)
	p.Least = area(lower, floor(lower, py(p.Height)))
	p.Swing = area(upper, lower)
	p.finish(a, w, s)
	p.Summary = fmt.Sprintf("%s to %s: each column of %s shows the least and the most on disk, %s to %s in all.",
		Clock(w.From, calc.Minute), Clock(w.To, calc.Minute), Span(p.Column), SizeText(p.Low), SizeText(p.High))
}

// stack draws the parts one on the other.
func (p *Plot) stack(a *calc.Answer, w Window, all []sample) {
	least := all[0].log
	p.Low, p.High = all[0].total(), all[0].total()
	for i := range all {
		total := all[i].total()
		p.Low, p.High, least = min(p.Low, total), max(p.High, total), min(least, all[i].log)
	}
	s, marks, broken := sizeScale(least, p.High, p.Height, 4)
	p.Sizes, p.Broken = marks, broken

	log, rest, total := make([]point, len(all)), make([]point, len(all)), make([]point, len(all))
	for i := range all {
		x := px(w.percent(all[i].at))
		log[i] = point{x, py(s.y(all[i].log))}
		rest[i] = point{x, py(s.y(all[i].log + all[i].rest))}
		total[i] = point{x, py(s.y(all[i].total()))}
	}
	p.Log = area(log, floor(log, py(p.Height)))
	p.Indexes = area(rest, log)
	p.Total = line(total)
	var waits path
	for i := 0; i < len(all); i++ {
		if all[i].wait == 0 {
			continue
		}
		end := i
		for end < len(all) && all[end].wait > 0 {
			end++
		}
		for j := i; j < end; j++ {
			waits.to(total[j].x, total[j].y)
		}
		for j := end - 1; j >= i; j-- {
			waits.to(rest[j].x, rest[j].y)
		}
		waits.close()
		i = end
	}
	p.Awaiting = waits.String()
	p.finish(a, w, s)
	p.Summary = fmt.Sprintf("%s to %s: between %s and %s on disk.",
		Clock(w.From, calc.Minute), Clock(w.To, calc.Minute), SizeText(p.Low), SizeText(p.High))
}

// finish adds what lies on the drawing.
func (p *Plot) finish(a *calc.Answer, w Window, s scale) {
	p.scale = s
	p.Limits = limits(a, s)
	peak := a.Timeline.Peak().Allocated
	if peak.At >= w.From && peak.At <= w.To && peak.Bytes > 0 {
		x := w.percent(peak.At)
		p.Peak = &PeakMark{X: x, Y: s.y(peak.Bytes), Label: "peak" + space + SizeText(peak.Bytes), Left: x > 60}
	}
}

// maxMarks is how many deletions are marked, maxLabels how many of them by words. atStart, in percent, is how near to the
// beginning words are no longer centred on what they name.
const (
	maxMarks  = 60
	maxLabels = 9
	atStart   = 4
)

func (p *Plot) mark(w Window, all []deletion) {
	if len(all) > maxMarks {
		return
	}
	last := -100.0
	for _, d := range all {
		m := EventMark{X: w.percent(d.at), Count: d.count, Key: string(d.reason)}
		if len(all) <= maxLabels && m.X-last >= 15 { // room for the words
			m.Label, last = fmt.Sprintf("deletes %d", d.count), m.X
			if m.X < atStart {
				last += 7 // its words begin at it, where others are centred
			}
		}
		p.Marks = append(p.Marks, m)
	}
}

// Floor is where the axis of sizes begins.
func (p *Plot) Floor() calc.Bytes { return p.scale.low }

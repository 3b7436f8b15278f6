package report

import (
	"fmt"
	"slices"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
	"github.com/partsize/partsize/calc/provider"
)

// LevelPlot is bytes over time from zero, with the levels at which a service does something, and lanes below it that say
// when it did.
type LevelPlot struct {
	Plot
	Levels []Level
	Above  []Level // what lies far above everything that is drawn
	Stairs string  // a line of its own: a disk that grows by steps
	Lanes  []CleanLane
	Window Window
}

// Level is a line across the plot.
type Level struct {
	Bytes  calc.Bytes
	Name   string // short, for the drawing
	Says   string // what happens there
	Breach bool   // a topic does not work as its settings say from there on
	Y      float64
	Side   int // where its name goes, so that names do not meet: 0 left, 1 right, 2 in the middle
}

// CleanLane is a row of instants, or of spans, below the plot.
type CleanLane struct {
	Name  string
	Class string
	Bars  [][2]float64 // where each begins and how wide it is, in percent; an instant has no width
	Total int64        // how many there are; those that are close are one bar
}

// Swing is what something lay between in a span of time.
type Swing struct {
	From, To  calc.Millis
	Low, High calc.Bytes
}

// LevelHeight is the height of the plot, in pixels.
const LevelHeight = 200

// farAbove is how many times the highest byte a level may be and still be drawn: beyond that all else would be flat.
const farAbove = 3

// levelPlot draws spans, and the levels that are not far above them.
func levelPlot(all []Swing, w Window, levels []Level) (p LevelPlot) {
	p.Height, p.Window, p.Times = LevelHeight, w, timeTicks(w, 6)
	p.Low = calc.Bytes(1<<63 - 1)
	for _, s := range all {
		p.Low, p.High = min(p.Low, s.Low), max(p.High, s.High)
	}
	p.Low = min(p.Low, p.High)
	high := p.High
	for _, l := range levels {
		if l.Bytes/farAbove > p.High {
			p.Above = append(p.Above, l)
			continue
		}
		high = max(high, l.Bytes)
		p.Levels = append(p.Levels, l)
	}
	s, marks, _ := sizeScale(0, high, p.Height, 4)
	p.scale, p.Sizes = s, marks
	p.nameLevels(s)
	upper, lower := make([]point, 0, 2*len(all)), make([]point, 0, 2*len(all))
	join := max((len(all)+columns-1)/columns, 1)
	for i := 0; i < len(all); i += join {
		c := all[i]
		for _, o := range all[i:min(i+join, len(all))] {
			c.To, c.Low, c.High = o.To, min(c.Low, o.Low), max(c.High, o.High)
		}
		x1, x2 := px(w.percent(c.From)), px(min(w.percent(c.To), 100))
		upper = append(upper, point{x1, py(s.y(c.High))}, point{x2, py(s.y(c.High))})
		lower = append(lower, point{x1, py(s.y(c.Low))}, point{x2, py(s.y(c.Low))})
		p.Column = c.To - c.From
	}
	p.Total = line(upper)
	p.Least = area(lower, floor(lower, py(p.Height)))
	p.Swing = area(upper, lower)
	return p
}

// nameLevels places the names of the levels, from the top down: of those that are close the next one goes to another side.
func (p *LevelPlot) nameLevels(s scale) {
	order.Sort(p.Levels, func(a, b *Level) int { return int(min(max(b.Bytes-a.Bytes, -1), 1)) })
	last := [3]float64{-100, -100, -100}
	for i := range p.Levels {
		l := &p.Levels[i]
		l.Y = s.y(l.Bytes)
		l.Side = 0
		for side := range last {
			if l.Y-last[side] >= 15 {
				l.Side = side
				break
			}
		}
		last[l.Side] = l.Y
	}
}

// PartitionLevels is one replica's log on its disk, all the time, with the levels of a service.
func PartitionLevels(a *calc.Answer, lines []provider.ChartLine) LevelPlot {
	w := Window{0, a.Timeline.Until()}
	cols := envelopeColumns(a.Timeline, w)
	all := make([]Swing, len(cols))
	for i, c := range cols {
		all[i] = Swing{c.from, c.to, c.low, c.high}
	}
	p := levelPlot(all, w, levelsOf(lines))
	p.Summary = fmt.Sprintf("One replica has between %s and %s on its disk in %s; ", SizeText(p.Low), SizeText(p.High), Span(w.To))
	switch over := p.over(); {
	case len(lines) == 0:
		p.Summary += "the service has no level there."
	case over == nil:
		p.Summary += "it stays below every level of the service."
	default:
		p.Summary += "it reaches " + over.Name + ", " + SizeText(over.Bytes) + "."
	}
	return p
}

// AddLevels draws a service's levels on a chart, as far as they lie on its axes.
func (c *Chart) AddLevels(lines []provider.ChartLine) {
	for _, p := range [...]*Plot{&c.Overview, &c.Detail} {
		for _, l := range lines {
			if l.Bytes >= p.scale.low && l.Bytes <= p.scale.high {
				p.Limits = append(p.Limits, Limit{l.Name, l.Bytes, p.scale.y(l.Bytes)})
			}
		}
	}
}

// over is the highest level that the bytes reach.
func (p *LevelPlot) over() *Level {
	for i := range p.Levels {
		if l := &p.Levels[i]; l.Bytes <= p.High {
			return l
		}
	}
	return nil
}

func levelsOf(lines []provider.ChartLine) []Level {
	all := make([]Level, len(lines))
	for i, l := range lines {
		all[i] = Level{Bytes: l.Bytes, Name: l.Name, Says: l.Label, Breach: l.Effect != 0 && l.Effect.Breach()}
	}
	return all
}

// DiskLevels is the disk of an instance as it was played: the thresholds, and below it when was cleaned.
func DiskLevels(d *provider.Disk) LevelPlot {
	w := Window{0, d.Until}
	all := make([]Swing, len(d.Spans))
	for i, s := range d.Spans {
		all[i] = Swing{s.From, s.To, s.Used.Low, s.Used.High}
	}
	var levels []Level
	for _, l := range d.Lines {
		levels = append(levels, Level{Bytes: l.Bytes, Name: fmt.Sprintf("%d%s%%", l.Percent, space), Says: l.Action, Breach: l.Effect.Breach()})
	}
	p := levelPlot(all, w, levels)
	p.Lanes = cleanLanes(d, w)
	p.Summary = fmt.Sprintf("The disk of the instance holds between %s and %s in %s", SizeText(p.Low), SizeText(p.High), Span(w.To))
	if d.Size > 0 {
		p.Summary += fmt.Sprintf(" of %s", SizeText(d.Size))
	}
	for _, lane := range p.Lanes {
		p.Summary += fmt.Sprintf("; %s: %s", lane.Name, count(lane.Total, "time"))
	}
	p.Summary += "."
	return p
}

// tooClose is how far two instants of a lane are apart, in percent of the width, when they are drawn as one.
const tooClose = 0.3

// add adds an instant, to the span before where that is close.
func (l *CleanLane) add(x float64) {
	if n := len(l.Bars); n > 0 && x-l.Bars[n-1][0]-l.Bars[n-1][1] < tooClose {
		l.Bars[n-1][1] = x - l.Bars[n-1][0]
		return
	}
	l.Bars = append(l.Bars, [2]float64{x, 0})
}

// cleanLanes are the cleanings, a row for each kind, and the times in which nothing could be written.
func cleanLanes(d *provider.Disk, w Window) (all []CleanLane) {
	lane := func(name, class string, kinds ...provider.Cleaning) {
		l := CleanLane{Name: name, Class: class}
		for _, kind := range kinds {
			l.Total += d.Counts[kind]
		}
		for _, m := range d.Marks {
			if slices.Contains(kinds, m.Kind) {
				l.add(w.percent(m.At))
			}
		}
		if l.Total > 0 {
			all = append(all, l)
		}
	}
	lane("04:00", "daily", provider.Daily)
	lane("expired", "daily", provider.Periodic, provider.Expired)
	lane("forced", "forced", provider.Forced, provider.Purge)
	none := CleanLane{Name: "no writes", Class: "outage", Total: d.Counts[provider.Protected]}
	for i, m := range d.Marks {
		if m.Kind != provider.Protected {
			continue
		}
		until := d.Until
		for _, later := range d.Marks[i+1:] {
			if later.Kind == provider.Released {
				until = later.At
				break
			}
		}
		none.Bars = append(none.Bars, [2]float64{w.percent(m.At), w.percent(until) - w.percent(m.At)})
	}
	if none.Total > 0 {
		all = append(all, none)
	}
	return all
}

// ChaseLevels is a disk that grows by steps, and what is on it.
func ChaseLevels(c *provider.Chase) LevelPlot {
	const parts = 200
	w := Window{0, max(c.Until, parts)}
	var all []Swing
	for i := calc.Millis(0); i < parts; i++ {
		from, to := w.To/parts*i, w.To/parts*(i+1)
		all = append(all, Swing{from, to, c.Use(from), c.Use(to)})
	}
	// The disk's size at the end keeps its steps in the drawing.
	p := levelPlot(all, w, []Level{{Bytes: c.Size(w.To), Name: "the disk at the end"}})
	steps := []point{{0, py(p.scale.y(c.First))}}
	for _, s := range c.Steps {
		if s.At > w.To {
			break
		}
		x := px(w.percent(s.At))
		steps = append(steps, point{x, py(p.scale.y(s.From))}, point{x, py(p.scale.y(s.To))})
	}
	p.Stairs = line(append(steps, point{pathWidth, steps[len(steps)-1].y}))
	p.Levels, p.Above = nil, nil
	end := "the growth keeps up."
	if !c.Keeps {
		end = "it is full at " + Span(c.FullAt) + "."
	}
	p.Summary = fmt.Sprintf("The disk of the fullest broker grows from %s in %s to %s, and what is on it to %s; %s",
		SizeText(c.First), count(int64(len(c.Steps)), "step"), SizeText(c.Disk), SizeText(c.Use(w.To)), end)
	return p
}

package app

import (
	"strconv"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// Sizes of the segments' rows, in pixels: a bar for each place, and a gap.
const (
	laneRow = 15
	laneBar = 6
)

// lanesSVG draws both places over time, and the lives of segments below, or room of a height for them. height is that of all
// of it, in pixels.
func lanesSVG(l *report.Lanes, room float64) (drawing string, height float64) {
	var s svg
	axis := float64(plotTop + report.UpHeight)
	store := axis + report.LaneGap
	bottom := store + report.DownHeight
	height = bottom + 8
	s.open("div", "class", "plots")
	s.open("div", "class", "plot")
	s.open("svg", "height", num(height), "aria-hidden", "true")
	for _, t := range l.Up.Sizes {
		s.words(t.Label, "x", "48", "y", num(plotTop+t.At+4), "text-anchor", "end")
	}
	for _, t := range l.Down.Sizes {
		s.words(t.Label, "x", "48", "y", num(store+t.At+4), "text-anchor", "end")
	}
	s.close("svg")
	s.open("svg", "height", num(height), "role", "img", "aria-label", l.Summary)
	for _, b := range l.Outages {
		s.tag("rect", "class", "outage", "x", percent(b.X), "width", percent(max(b.Width, 0.2)), "y", num(plotTop), "height", num(bottom-plotTop))
	}
	for _, t := range l.Up.Sizes {
		s.tag("line", "class", "grid", "x2", "100%", "y1", num(plotTop+t.At), "y2", num(plotTop+t.At))
	}
	for _, t := range l.Down.Sizes {
		s.tag("line", "class", "grid", "x2", "100%", "y1", num(store+t.At), "y2", num(store+t.At))
	}
	s.lane(&l.Up, plotTop, "a-log", "closed")
	for _, b := range l.Past {
		s.tag("rect", "class", "hatch", "x", percent(b.X), "width", percent(b.Width+0.05), "y", num(plotTop+b.Y), "height", num(b.Height))
	}
	s.lane(&l.Down, store, "a-remote", "remote")
	s.dangling(&l.Down, store)
	s.tag("line", "class", "axis", "x2", "100%", "y1", num(axis), "y2", num(axis))
	s.tag("line", "class", "axis", "x2", "100%", "y1", num(store), "y2", num(store))
	s.times(l.Times, axis, 17)
	for _, b := range l.Outages {
		x, dx, side := b.X+b.Width/2, "", "middle"
		if b.Width < 20 { // no room above it
			if x, dx, side = b.X+b.Width, "6", "start"; x > 48 {
				x, dx, side = b.X, "-6", "end"
			}
		}
		s.words(b.Label, "class", "halo strong", "x", percent(x), "dx", dx, "y", "32", "text-anchor", side)
	}
	s.words(textTiered.local, "class", "halo strong", "x", "6", "y", num(plotTop+14))
	s.words(textTiered.store, "class", "halo strong", "x", "6", "y", num(bottom-6))
	if d := l.Disk; d != nil {
		y := plotTop + d.Y
		s.tag("line", "class", "limit", "x2", "100%", "y1", num(y), "y2", num(y))
		s.words(d.Key+" "+d.Bytes.String(), "class", "halo strong", "x", "100%", "dx", "-6", "y", num(y-5), "text-anchor", "end")
	}
	if k := l.Peak; k != nil {
		s.tag("circle", "class", "a-index", "cx", percent(k.X), "cy", num(plotTop+k.Y), "r", "3")
		dx, anchor := "8", "start"
		if k.Left {
			dx, anchor = "-8", "end"
		}
		s.words(k.Label, "class", "halo strong", "x", percent(k.X), "dx", dx, "y", num(plotTop+k.Y+4), "text-anchor", anchor)
	}
	s.close("svg")
	s.close("div")
	if f := l.Lives; f != nil && len(f.Rows) > 0 {
		height += s.laneFilm(f)
	} else if room > 0 {
		height += room
		s.open("div", "class", "plot film")
		s.tag("svg", "height", num(room), "aria-hidden", "true")
		s.tag("svg", "height", num(room), "aria-hidden", "true")
		s.close("div")
	}
	s.close("div")
	return s.b.String(), height
}

// lane draws the areas of one place.
func (s *svg) lane(l *report.Lane, top float64, both, alone string) {
	s.open("svg", "y", num(top), "width", "100%", "height", num(l.Height), "viewBox", "0 0 10000 "+num(l.Height*10), "preserveAspectRatio", "none")
	for _, p := range [...]struct{ class, d string }{{both, l.Both}, {alone, l.Alone}, {"a-index", l.Rest}, {"a-wait", l.Awaiting}, {"l-total", l.Total}} {
		if p.d != "" {
			s.tag("path", "class", p.class, "d", p.d, "vector-effect", "non-scaling-stroke")
		}
	}
	s.close("svg")
}

// dangling draws the part of what is remote that dangles. Its pattern must not stretch with the plot: so it fills the whole,
// and the area is what is cut out of that.
func (s *svg) dangling(l *report.Lane, top float64) {
	if l.Dangling == "" {
		return
	}
	s.open("clipPath", "id", "dangling-area", "clipPathUnits", "objectBoundingBox")
	s.tag("path", "transform", "scale(.0001 "+strconv.FormatFloat(1/(l.Height*10), 'f', 7, 64)+")", "d", l.Dangling)
	s.close("clipPath")
	s.tag("rect", "class", "dangling-all", "y", num(top), "width", "100%", "height", num(l.Height))
	s.open("svg", "y", num(top), "width", "100%", "height", num(l.Height), "viewBox", "0 0 10000 "+num(l.Height*10), "preserveAspectRatio", "none")
	s.tag("path", "class", "l-bad", "d", l.Dangling, "vector-effect", "non-scaling-stroke")
	s.close("svg")
}

// laneClasses are the looks of a segment's states.
var laneClasses = [...]string{
	report.LaneActive: "active", report.LaneAlone: "closed", report.LaneBoth: "both", report.LaneWaiting: "waiting",
	report.LaneRemote: "remote", report.LaneDangling: "dangling",
}

// laneFilmHeight is how high the segments' rows are.
func laneFilmHeight(f *report.LaneFilm) float64 {
	if f == nil || len(f.Rows) == 0 {
		return 0
	}
	return filmTop + float64(len(f.Rows))*laneRow + filmBottom
}

// laneFilm draws the segments, a row for each, and returns its height.
func (s *svg) laneFilm(f *report.LaneFilm) float64 {
	height := laneFilmHeight(f)
	s.open("div", "class", "plot film")
	s.open("svg", "height", num(height), "aria-hidden", "true")
	s.words(text.filmOldest, "x", "48", "y", num(filmTop+10), "text-anchor", "end")
	if len(f.Rows) > 3 {
		s.words(text.filmNewest, "x", "48", "y", num(height-filmBottom-4), "text-anchor", "end")
	}
	s.close("svg")
	s.open("svg", "height", num(height), "role", "img", "aria-label", textTiered.film+". "+textTiered.filmSays)
	for i, row := range f.Rows {
		y := filmTop + float64(i)*laneRow
		for _, b := range row.Bars {
			at := y
			if b.State >= report.LaneRemote {
				at += laneBar
			}
			s.tag("rect", "class", laneClasses[b.State], "x", percent(b.X), "width", percent(max(b.Width, 0.15)), "y", num(at), "height", num(laneBar))
		}
	}
	s.close("svg")
	s.close("div")
	return height
}

// livesSVG draws the lives of a segment and of what is known of it.
func livesSVG(l *report.MetadataLives) string {
	var s svg
	const height, top, row, bar = 146, 38, 38, 20
	const axis = top + 2*row
	s.open("div", "class", "plot meta")
	s.open("svg", "height", num(height), "aria-hidden", "true")
	s.words(textTiered.segment, "x", "0", "y", num(top+14))
	s.words(textTiered.records, "x", "0", "y", num(top+14+row))
	s.close("svg")
	s.open("svg", "height", num(height), "role", "img", "aria-label", l.Summary)
	classes := [...]string{report.LifeStored: "remote", report.LifeDangling: "dangling", report.LifeOpen: "closed", report.LifeKept: "a-log"}
	for i, m := range l.Marks {
		x, class, dx, side := percent(m.X), "strong", "", anchor(m.X)
		if len(l.Marks) > 1 {
			const close = 20
			if by := m.X - l.Marks[1-i].X; by > -close && by <= 0 && (by < 0 || i == 0) { // too close for both above their lines
				dx, side = "-4", "end"
			} else if by >= 0 && by < close {
				if dx, side, class = "4", "start", "strong wide"; m.X > 80 && by >= close/2 { // no room beside it
					dx, side = "-4", "end"
				}
			}
		}
		s.tag("line", "class", "limit", "x1", x, "x2", x, "y1", "28", "y2", num(axis))
		s.words(m.What, "class", "wide", "x", x, "dx", dx, "y", "10", "text-anchor", side)
		s.words(m.Label, "class", class, "x", x, "dx", dx, "y", "24", "text-anchor", side)
	}
	for i, bars := range [...][]report.LifeBar{l.Segment, l.Records} {
		y := top + float64(i)*row
		for _, b := range bars {
			s.tag("rect", "class", classes[b.State], "x", percent(b.X), "width", percent(b.Width), "y", num(y), "height", num(bar))
			switch {
			case b.Label == "":
			case b.State == report.LifeDangling && b.X > 85:
				s.words(b.Label, "class", "halo strong wide", "x", "100%", "y", num(y+row+14), "text-anchor", "end")
			case b.State == report.LifeDangling && b.X > 60:
				s.words(b.Label, "class", "halo strong wide", "x", percent(b.X), "dx", "8", "y", num(y+row+14))
			case b.State == report.LifeDangling: // below it: the pattern is no ground for words
				s.words(b.Label, "class", "halo strong", "x", percent(b.X), "dx", "8", "y", num(y+row+14))
			default:
				s.words(b.Label, "class", "strong wide", "x", percent(b.X+b.Width/2), "y", num(y+14), "text-anchor", anchor(b.X+b.Width/2))
			}
		}
	}
	s.tag("line", "class", "axis", "x2", "100%", "y1", num(axis), "y2", num(axis))
	s.times(l.Times, axis, 17)
	s.close("svg")
	s.close("div")
	return s.b.String()
}

// livesKey says what the parts of those lives are, in their order.
func livesKey(l *report.MetadataLives) (all []keyView) {
	var there [4]bool
	for _, bars := range [...][]report.LifeBar{l.Segment, l.Records} {
		for _, b := range bars {
			there[b.State] = true
		}
	}
	for state, k := range [...]keyView{
		report.LifeStored: {box("remote"), textTiered.lifeStored}, report.LifeDangling: {box("dangling"), textTiered.lifeDangling},
		report.LifeOpen: {box("closed"), textTiered.lifeOpen}, report.LifeKept: {box("a-log"), textTiered.lifeKept},
	} {
		if there[state] {
			all = append(all, k)
		}
	}
	return all
}

// curveSVG draws what dangles by the time of the restart.
func curveSVG(c *report.DanglingCurve, at calc.Millis) string {
	var s svg
	const top = 8
	bottom := top + c.Height
	s.open("div", "class", "plot")
	s.open("svg", "height", num(bottom+24), "aria-hidden", "true")
	for _, t := range c.Sizes {
		s.words(t.Label, "x", "48", "y", num(top+t.At+4), "text-anchor", "end")
	}
	s.close("svg")
	s.open("svg", "height", num(bottom+24), "role", "img", "aria-label", curveSays(c))
	s.open("svg", "y", num(top), "width", "100%", "height", num(c.Height), "viewBox", "0 0 10000 "+num(c.Height*10), "preserveAspectRatio", "none")
	s.tag("path", "class", "a-bad", "d", c.Area)
	s.tag("path", "class", "l-bad", "d", c.Line, "vector-effect", "non-scaling-stroke")
	s.close("svg")
	s.tag("line", "class", "axis", "x2", "100%", "y1", num(bottom), "y2", num(bottom))
	x := percent(c.Window.X(at))
	s.tag("line", "class", "cursor-halo", "x1", x, "x2", x, "y1", num(top), "y2", num(bottom))
	s.tag("line", "class", "cursor", "x1", x, "x2", x, "y1", num(top), "y2", num(bottom))
	s.times(c.Times, bottom, 17)
	s.close("svg")
	s.close("div")
	return s.b.String()
}

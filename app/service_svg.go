package app

import (
	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// laneHeight is the height of a lane below a drawing, in pixels.
const laneHeight = 18

// levelsSVG draws bytes over time with levels across, and lanes below.
func levelsSVG(p *report.LevelPlot) string {
	var s svg
	const top = 20.0
	bottom := top + p.Height
	lanes := bottom + 28
	height := num(lanes + laneHeight*float64(len(p.Lanes)))
	s.open("div", "class", "plot")
	s.open("svg", "height", height, "aria-hidden", "true")
	for _, t := range p.Sizes {
		s.words(t.Label, "x", "48", "y", num(top+t.At+4), "text-anchor", "end")
	}
	for i, l := range p.Lanes {
		s.words(l.Name, "x", "52", "y", num(lanes+laneHeight*float64(i)+11), "text-anchor", "end")
	}
	s.close("svg")
	s.open("svg", "height", height, "role", "img", "aria-label", p.Summary)
	for _, t := range p.Sizes {
		s.tag("line", "class", "grid", "x2", "100%", "y1", num(top+t.At), "y2", num(top+t.At))
	}
	s.stretch(&p.Plot, top)
	if p.Stairs != "" {
		s.open("svg", "y", num(top), "width", "100%", "height", num(p.Height), "viewBox", "0 0 10000 "+num(p.Height*10), "preserveAspectRatio", "none")
		s.tag("path", "class", "l-total", "d", p.Stairs, "vector-effect", "non-scaling-stroke")
		s.close("svg")
	}
	s.tag("line", "class", "axis", "x2", "100%", "y1", num(bottom), "y2", num(bottom))
	for _, l := range p.Levels {
		class := "limit"
		if l.Breach {
			class = "limit breach"
		}
		y := num(top + l.Y)
		s.tag("line", "class", class, "x2", "100%", "y1", y, "y2", y)
		x, anchor := "1%", "start"
		switch l.Side {
		case 1:
			x, anchor = "99%", "end"
		case 2:
			x, anchor = "50%", "middle"
		}
		s.words(l.Name, "class", "halo strong", "x", x, "y", num(top+l.Y-4), "text-anchor", anchor)
	}
	s.times(p.Times, bottom, 17)
	for i, l := range p.Lanes {
		y := lanes + laneHeight*float64(i)
		s.tag("line", "class", "grid", "x2", "100%", "y1", num(y+6), "y2", num(y+6))
		for _, bar := range l.Bars {
			x := percent(bar[0])
			if bar[1] > 0 {
				s.tag("rect", "class", "lane "+l.Class, "x", x, "width", percent(max(bar[1], 0.3)), "y", num(y), "height", "12")
				continue
			}
			s.tag("line", "class", "lane "+l.Class, "x1", x, "x2", x, "y1", num(y), "y2", num(y+12))
		}
	}
	s.close("svg")
	s.close("div")
	return s.b.String()
}

// bars is storage that is reserved, against what is simulated.
type bars struct {
	reserved     []calc.Bytes // one on the other
	total        calc.Bytes
	simulated    calc.Bytes
	of           string
	limit, whole calc.Bytes
	known        bool
	high         calc.Bytes
}

func (b *bars) at(n calc.Bytes) float64 { return float64(n) / float64(b.high) * 100 }

// svg draws two bars under each other.
func (b *bars) svg() string {
	var s svg
	s.open("div", "class", "dirs")
	row := func(label, caption string, total calc.Bytes, parts []calc.Bytes, class string) {
		s.open("div", "class", "dir")
		s.b.WriteString("<span>" + label + `<span class="cap">` + caption + "</span></span>")
		s.open("svg", "role", "img", "aria-label", label+" "+both(total))
		if b.known {
			s.tag("rect", "class", "room", "x", "0", "y", ".5", "width", percent(b.at(b.whole)), "height", "27")
		}
		sum := calc.Bytes(0)
		for _, part := range parts {
			c := class
			if b.known && class != "part" && sum+part > b.limit {
				c = "part hot"
			}
			s.tag("rect", "class", c, "x", percent(b.at(sum)), "y", "1", "width", percent(b.at(part)), "height", "26")
			sum += part
		}
		if b.known {
			x := percent(b.at(b.limit))
			s.tag("line", "class", "limit", "x1", x, "x2", x, "y1", "-4", "y2", "32")
		}
		s.close("svg")
		s.b.WriteString(`<span class="r">` + report.SizeText(total) + "</span>")
		s.close("div")
	}
	row(serviceText.barReserved, serviceText.barService, b.total, b.reserved, "part b")
	if b.simulated > 0 {
		row(serviceText.barSimulated, b.of, b.simulated, []calc.Bytes{b.simulated}, "part")
	}
	s.close("div")
	return s.b.String()
}

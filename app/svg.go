package app

import (
	"fmt"
	"html"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// Drawings are written as text and handed to go-app as a whole: few nodes, long paths, and one change of the page for each.
// The outer <svg> has no viewBox: x is in percent and y in pixels, so that words keep their size at any width. Only the
// areas lie in an inner one that stretches.
//
// Attributes hold no quotes, no backslashes and no character references; see cmd/site.

// svg writes a drawing.
type svg struct{ b strings.Builder }

// num is a number as an attribute has it, to a hundredth.
func num(f float64) string {
	s := strconv.FormatFloat(f, 'f', 2, 64)
	s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	if s == "-0" {
		return "0"
	}
	return s
}

func percent(f float64) string { return num(f) + "%" }

// tag writes an element with pairs of names and values, without content.
func (s *svg) tag(name string, pairs ...string) {
	s.open(name, pairs...)
	s.b.WriteString("</" + name + ">")
}

func (s *svg) open(name string, pairs ...string) {
	s.b.WriteString("<" + name)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] == "" {
			continue
		}
		s.b.WriteString(" " + pairs[i] + `="` + pairs[i+1] + `"`)
	}
	s.b.WriteString(">")
}

func (s *svg) close(name string) { s.b.WriteString("</" + name + ">") }

// words writes a text.
func (s *svg) words(content string, pairs ...string) {
	s.open("text", pairs...)
	s.b.WriteString(html.EscapeString(visible(content)))
	s.close("text")
}

// Places of the detail drawing, in pixels from its top.
const (
	plotTop    = 36 // for the words above
	plotBottom = 24 // for the words below
)

// overviewSVG draws everything from zero.
func overviewSVG(c *report.Chart) string {
	var s svg
	p := &c.Overview
	height := num(p.Height + 20)
	s.open("div", "class", "plot")
	s.open("svg", "height", height, "aria-hidden", "true")
	s.words(p.Sizes[0].Label, "x", "48", "y", num(p.Sizes[0].At+10), "text-anchor", "end")
	s.words(p.Sizes[1].Label, "x", "48", "y", num(p.Sizes[1].At), "text-anchor", "end")
	s.close("svg")
	s.open("svg", "height", height, "role", "img", "aria-label", overviewLabel(c))
	s.stretch(p, 0)
	for _, l := range p.Limits {
		s.tag("line", "class", "limit", "x2", "100%", "y1", num(l.Y), "y2", num(l.Y))
	}
	s.tag("line", "class", "axis", "x2", "100%", "y1", num(p.Height), "y2", num(p.Height))
	s.tag("rect", "class", "brush-halo", "x", percent(c.Brush[0]), "width", percent(max(c.Brush[1], 0.4)), "y", "-2", "height", num(p.Height+4))
	s.tag("rect", "class", "brush", "x", percent(c.Brush[0]), "width", percent(max(c.Brush[1], 0.4)), "y", "-2", "height", num(p.Height+4))
	s.unseen(c)
	s.times(p.Times, p.Height, 15)
	s.close("svg")
	s.close("div")
	return s.b.String()
}

// unseen names the limits of the overview that the detail below does not reach, as far as there is room.
func (s *svg) unseen(c *report.Chart) {
	last := -100.0
	for _, l := range c.Overview.Limits {
		below := false
		for _, d := range c.Detail.Limits {
			below = below || d.Key == l.Key
		}
		if below || max(l.Y-last, last-l.Y) < 14 {
			continue
		}
		last = l.Y
		y := l.Y - 4
		if y < 8 {
			y = l.Y + 14
		}
		s.words(l.Key+" "+l.Bytes.String(), "class", "halo strong", "x", "100%", "dx", "-6", "y", num(y), "text-anchor", "end")
	}
}

// besideLine is how far below a limit's line its name stands: above the line, or below it where another is close above.
func besideLine(all []report.Limit, l report.Limit) float64 {
	for _, other := range all {
		if by := l.Y - other.Y; by > 0 && by < 18 {
			return 14
		}
	}
	return -5
}

// detailSVG draws the window.
func detailSVG(c *report.Chart) string {
	var s svg
	p := &c.Detail
	height := num(plotTop + p.Height + plotBottom)
	bottom := plotTop + p.Height
	s.open("div", "class", "plot")
	s.open("svg", "height", height, "aria-hidden", "true")
	for _, t := range p.Sizes {
		s.words(t.Label, "x", "48", "y", num(plotTop+t.At+4), "text-anchor", "end")
	}
	if p.Broken {
		s.tag("path", "class", "l-total", "d", "M46 "+num(bottom+9)+"l4 3-8 4 4 3")
	}
	s.close("svg")
	s.open("svg", "height", height, "role", "img", "aria-label", p.Summary)
	for _, t := range p.Sizes {
		s.tag("line", "class", "grid", "x2", "100%", "y1", num(plotTop+t.At), "y2", num(plotTop+t.At))
	}
	s.stretch(p, plotTop)
	s.tag("line", "class", "axis", "x2", "100%", "y1", num(bottom), "y2", num(bottom))
	for _, m := range p.Marks {
		x := percent(m.X)
		s.tag("line", "class", "check", "x1", x, "x2", x, "y1", "18", "y2", num(bottom))
		if m.Label != "" {
			class := ""
			if len(p.Marks) > 4 {
				class = "wide"
			}
			s.open("text", "class", class, "x", x, "y", "12", "text-anchor", anchor(m.X))
			s.b.WriteString(`check<tspan class="wide"> ` + html.EscapeString(m.Label) + "</tspan>")
			s.close("text")
		}
	}
	for _, l := range p.Limits {
		y := num(plotTop + l.Y)
		s.tag("line", "class", "limit", "x2", "100%", "y1", y, "y2", y)
		s.words(l.Key+" "+l.Bytes.String(), "class", "halo strong", "x", "0", "dx", "6", "y", num(plotTop+l.Y+besideLine(p.Limits, l)))
	}
	if k := p.Peak; k != nil {
		s.tag("circle", "class", "a-index", "cx", percent(k.X), "cy", num(plotTop+k.Y), "r", "3")
		if k.Left {
			s.words(k.Label, "class", "halo strong", "x", percent(k.X), "dx", "-8", "y", num(plotTop+k.Y-4), "text-anchor", "end")
		} else {
			s.words(k.Label, "class", "halo strong", "x", percent(k.X), "dx", "8", "y", num(plotTop+k.Y-4))
		}
	}
	s.times(p.Times, bottom, 17)
	s.close("svg")
	s.close("div")
	return s.b.String()
}

// Gaps of the film, in pixels.
const (
	filmTop    = 8
	filmBottom = 4
)

// filmSVG draws the segments below the detail drawing, on its axis of time. Bars with a pattern lie in the outer drawing,
// where patterns keep their shape.
func filmSVG(c *report.Chart, f *report.Film, asked calc.Offset) string {
	var s svg
	height := num(filmTop + f.Height + filmBottom)
	s.open("div", "class", "plot film")
	s.open("svg", "height", height, "aria-hidden", "true")
	s.words(text.filmOldest, "x", "48", "y", num(filmTop+9), "text-anchor", "end")
	if f.Height > 40 {
		s.words(text.filmNewest, "x", "48", "y", num(filmTop+f.Height-3), "text-anchor", "end")
	}
	s.close("svg")
	s.open("svg", "height", height, "role", "img", "aria-label", f.Summary)
	for _, m := range c.Detail.Marks {
		x := percent(m.X)
		s.tag("line", "class", "check", "x1", x, "x2", x, "y1", "0", "y2", num(filmTop+f.Height))
	}
	s.open("svg", "y", num(filmTop), "width", "100%", "height", num(max(f.Height, 1)), "viewBox", "0 0 10000 "+num(max(f.Height, 1)*10), "preserveAspectRatio", "none")
	for _, d := range []struct{ class, d string }{{"closed", f.Closed}, {"active", f.Active}, {"i-warn", f.Past}, {"wait-many", f.Waiting}} {
		if d.d != "" {
			s.tag("path", "class", d.class, "d", d.d)
		}
	}
	s.close("svg")
	for _, bars := range []struct {
		class string
		all   []report.Bar
	}{{"past", f.PastBars}, {"waiting", f.WaitingBars}} {
		for _, b := range bars.all {
			s.tag("rect", "class", bars.class, "x", percent(b.X), "y", num(filmTop+b.Y), "width", percent(b.Width), "height", num(b.Height))
		}
	}
	for _, b := range f.Bars {
		if b.Base == asked {
			for _, class := range []string{"brush-halo", "brush"} {
				s.tag("rect", "class", class, "x", percent(b.X), "y", num(filmTop+b.Y-1), "width", percent(b.Width), "height", num(b.Height+2))
			}
		}
	}
	if r := f.Still; r != nil {
		s.tag("rect", "class", "a-log", "x", "0", "y", num(filmTop+r.Y), "width", "100%", "height", num(r.Height))
		s.words(r.Label, "x", "50%", "y", num(filmTop+r.Y+11), "text-anchor", "middle")
	}
	s.close("svg")
	s.close("div")
	return s.b.String()
}

// stretch draws what stretches with the width.
func (s *svg) stretch(p *report.Plot, top float64) {
	s.open("svg", "y", num(top), "width", "100%", "height", num(p.Height), "viewBox", "0 0 10000 "+num(p.Height*10), "preserveAspectRatio", "none")
	shape := func(class, d string) {
		if d != "" {
			s.tag("path", "class", class, "d", d, "vector-effect", "non-scaling-stroke")
		}
	}
	shape("a-log", p.Log)
	shape("a-log", p.Least)
	shape("a-swing", p.Swing)
	shape("a-index", p.Indexes)
	shape("a-wait", p.Awaiting)
	shape("l-total", p.Total)
	s.close("svg")
}

// times writes the marks of a time axis.
func (s *svg) times(ticks []report.Tick, y, below float64) {
	for _, t := range ticks {
		x := percent(t.At)
		s.tag("line", "class", "axis", "x1", x, "x2", x, "y1", num(y), "y2", num(y+4))
		class := ""
		if t.Minor {
			class = "wide"
		}
		s.words(t.Label, "class", class, "x", x, "y", num(y+below), "text-anchor", anchor(t.At))
	}
}

// anchor keeps a text within the width.
func anchor(x float64) string {
	switch {
	case x < 4:
		return "start"
	case x > 96:
		return "end"
	}
	return "middle"
}

func overviewLabel(c *report.Chart) string {
	return fmt.Sprintf(text.overview, report.SizeText(c.Overview.High))
}

// defs are the patterns of all drawings, once a page.
const defs = `<svg width="0" height="0" aria-hidden="true" class="defs"><defs>` +
	`<pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="p-ground" width="6" height="6"></rect><line class="p-ink" y2="6"></line></pattern>` +
	`<pattern id="dots" width="4" height="4" patternUnits="userSpaceOnUse"><rect class="q-ground" width="4" height="4"></rect><circle class="q-ink" cx="1" cy="1" r=".7"></circle></pattern>` +
	`<pattern id="cross" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="x-ground" width="6" height="6"></rect><path class="x-ink" d="M0 0 6 6M6 0 0 6"></path></pattern>` +
	`<pattern id="slash" width="10" height="10" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><line class="s-ink" y2="10"></line></pattern>` +
	stripes +
	`</defs></svg>`

// stripes are lines along the blocks of a cluster's topics: their number tells topics apart. In a bar they have its own
// units, which stretch along but not across; in a swatch pixels.
const stripes = `<pattern id="stripes-1" width="100" height="260" patternUnits="userSpaceOnUse"><rect class="s-light" y="105" width="100" height="50"></rect></pattern>` +
	`<pattern id="stripes-2" width="100" height="260" patternUnits="userSpaceOnUse"><rect class="s-dark" y="60" width="100" height="40"></rect><rect class="s-dark" y="160" width="100" height="40"></rect></pattern>` +
	`<pattern id="stripes-3" width="100" height="260" patternUnits="userSpaceOnUse"><rect class="s-dark" y="40" width="100" height="20"></rect><rect class="s-dark" y="120" width="100" height="20"></rect><rect class="s-dark" y="200" width="100" height="20"></rect></pattern>` +
	`<pattern id="stripes-small-1" width="12" height="12" patternUnits="userSpaceOnUse"><rect class="s-light" y="5" width="12" height="2"></rect></pattern>` +
	`<pattern id="stripes-small-2" width="12" height="12" patternUnits="userSpaceOnUse"><rect class="s-dark" y="3" width="12" height="2"></rect><rect class="s-dark" y="7" width="12" height="2"></rect></pattern>` +
	`<pattern id="stripes-small-3" width="12" height="12" patternUnits="userSpaceOnUse"><rect class="s-dark" y="2" width="12" height="1"></rect><rect class="s-dark" y="5.5" width="12" height="1"></rect><rect class="s-dark" y="9" width="12" height="1"></rect></pattern>`

const svgNS = "http://www.w3.org/2000/svg"

// shape is an element of a drawing that go-app keeps.
func shape(tag string, attributes at, body ...any) app.UI {
	return el(tag, attributes, body...).XMLNS(svgNS)
}

// swatch is a small sample of a state.
func swatch(s report.State) string {
	class := map[report.State]string{report.Active: "active", report.Closed: "closed", report.Deleted: "waiting"}[s]
	if class == "" {
		class = "none"
	}
	return `<svg class="sw" aria-hidden="true"><rect class="` + class + `" x=".5" y=".5" width="11" height="11"></rect></svg>`
}

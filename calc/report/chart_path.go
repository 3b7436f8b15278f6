package report

import "strconv"

// Paths are drawn in whole numbers: the width of a plot is 10,000, a pixel of height is ten. They stretch with the plot, as
// the inner drawing of a chart does (preserveAspectRatio="none").
const (
	pathWidth  = 10_000
	pathHeight = 10 // a pixel
)

// path builds the d of an SVG path from absolute points, in relative steps, which are shorter.
type path struct {
	d      []byte
	x, y   int
	began  bool
	lx, ly int // the last step, to join steps of the same direction
	at     int // where the last step begins in d; 0: none to join
}

func px(percent float64) int { return round(percent * pathWidth / 100) }
func py(pixels float64) int  { return round(pixels * pathHeight) }

func round(f float64) int {
	if f < 0 {
		return -int(-f + 0.5)
	}
	return int(f + 0.5)
}

// move begins a new line at a point.
func (p *path) move(x, y int) {
	p.d = append(p.d, 'M')
	p.number(x)
	p.pair(y)
	p.x, p.y, p.began, p.at = x, y, true, 0
}

// to draws a line to a point.
func (p *path) to(x, y int) {
	if !p.began {
		p.move(x, y)
		return
	}
	dx, dy := x-p.x, y-p.y
	if dx == 0 && dy == 0 {
		return
	}
	// A step in the direction of the last one makes it longer.
	if p.at > 0 && dx*p.ly == dy*p.lx && (dx >= 0) == (p.lx >= 0) && (dy >= 0) == (p.ly >= 0) {
		dx, dy = dx+p.lx, dy+p.ly
		p.d = p.d[:p.at]
	}
	p.at = len(p.d)
	switch {
	case dy == 0:
		p.d = append(p.d, 'h')
		p.number(dx)
	case dx == 0:
		p.d = append(p.d, 'v')
		p.number(dy)
	default:
		p.d = append(p.d, 'l')
		p.number(dx)
		p.pair(dy)
	}
	p.lx, p.ly = dx, dy
	p.x, p.y = x, y
}

func (p *path) close() {
	if p.began {
		p.d = append(p.d, 'z')
	}
	p.began, p.at = false, 0
}

func (p *path) number(n int) { p.d = strconv.AppendInt(p.d, int64(n), 10) }

// pair is the second number of a pair; a minus parts it from the first.
func (p *path) pair(n int) {
	if n >= 0 {
		p.d = append(p.d, ' ')
	}
	p.number(n)
}

func (p *path) String() string { return string(p.d) }

// area is the closed area between a line and another one, both from left to right.
func area(upper, lower []point) string {
	if len(upper) == 0 {
		return ""
	}
	var p path
	for _, q := range upper {
		p.to(q.x, q.y)
	}
	for i := len(lower) - 1; i >= 0; i-- {
		p.to(lower[i].x, lower[i].y)
	}
	p.close()
	return p.String()
}

// line is the path through points.
func line(points []point) string {
	var p path
	for _, q := range points {
		p.to(q.x, q.y)
	}
	return p.String()
}

// point is a point of a path.
type point struct{ x, y int }

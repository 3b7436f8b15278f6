package report

import (
	"fmt"

	"github.com/partsize/partsize/calc"
)

// Film is the life of each segment over a window: a row for each, from its first record to the removal of its files, oldest
// on top. Segments to which nothing happens in the window share one row.
type Film struct {
	Height float64
	Every  int64     // a row stands for one of so many segments
	Still  *StillRow // those to which nothing happens
	// Solid bars, one path for each state; hatched and dotted ones apart, since patterns must not be stretched. With many
	// rows all are paths.
	Active, Closed, Past, Waiting string
	PastBars, WaitingBars         []Bar
	Bars                          []SegmentBar // where each row is
	Rows                          []LifeRow    // the same as a table, of so many segments at most
	Summary                       string
}

// LifeRow is a segment's life in words. A time before the window is said to be before, one that does not come in it is a dash.
type LifeRow struct {
	Base                                               calc.Offset
	Segment, Bytes, Begin, Closed, Past, Deleted, Gone string
}

// maxLives is how many segments that table has at most.
const maxLives = 60

// Hit is the segment whose row is at a place, in percent and pixels, the nearest within a few pixels; ok is false for none.
func (f *Film) Hit(x, y float64) (base calc.Offset, ok bool) {
	near := 6.0
	for i := range f.Bars {
		b := &f.Bars[i]
		away := max(b.Y-y, y-b.Y-b.Height, 0)
		if out := max(b.X-x, x-b.X-b.Width, 0); out > 1.5 {
			continue
		}
		if away < near {
			base, ok, near = b.Base, true, away
		}
	}
	return base, ok
}

// Bar is a bar of a row: x and width in percent, y and height in pixels.
type Bar struct{ X, Width, Y, Height float64 }

// StillRow stands for segments to which nothing happens.
type StillRow struct {
	Y, Height float64
	Label     string
}

// SegmentBar is the row of a segment.
type SegmentBar struct {
	Base calc.Offset
	Bar
}

// Sizes of the film, in pixels and rows.
const (
	filmRow     = 12  // a bar of 10 and a gap, where there is room
	filmHeight  = 192 // at most
	filmRows    = 384 // at most; beyond that every n-th segment is drawn
	filmPattern = 24  // rows at most for patterns to be seen

	maxFilm = 15_000 // events; more are a smear
)

// span is a segment's life within the window; a time that is not in it is Never.
type span struct {
	base                          calc.Offset
	bytes                         calc.Bytes
	begin                         calc.Millis // its first record, or the start of the window
	closed, past, deleted, ending calc.Millis
	newest                        calc.Millis
	active                        bool
}

// FilmWith plays a window once more and draws the segments. ok is false where there are too many events, and when yield,
// which is called now and then and may be nil, returns false.
func FilmWith(look *Look, w Window, yield func() bool) (f Film, ok bool) {
	if look.eventsIn(w) > maxFilm || !look.Approach(w.From, yield) {
		return f, false
	}
	lives, ok := livesIn(look.At(w.From).Clone(), w, yield)
	if !ok || len(lives) == 0 {
		return f, false
	}
	moving, first, still := partStill(lives, w)
	f.Every = max(int64((len(moving)+filmRows-1)/filmRows), 1)
	pen := newFilmPen(&f, w, (len(moving)+int(f.Every)-1)/int(f.Every))
	for i, l := range moving {
		if i == first && still > 0 {
			pen.y = f.still(pen.y, still)
		}
		if i%int(f.Every) == 0 {
			pen.life(l)
		}
	}
	if first == len(moving) && still > 0 {
		pen.y = f.still(pen.y, still)
	}
	f.Height = pen.y
	f.Active, f.Closed, f.Past, f.Waiting = pen.active.String(), pen.closed.String(), pen.past.String(), pen.waiting.String()
	f.Summary = fmt.Sprintf("The life of %s, oldest on top: written, closed, past retention, deleted and waiting for removal.",
		count(int64(len(lives)), "segment"))
	return f, true
}

// partStill parts the segments to which something happens within a window from those that only lie there: how many these
// are, and before which of the others the first of them comes.
func partStill(lives []span, w Window) (moving []*span, first int, still int64) {
	first = -1
	for i := range lives {
		l := &lives[i]
		if l.closed > w.From || l.past <= w.To || l.deleted <= w.To || l.ending <= w.To {
			moving = append(moving, l)
			continue
		}
		if still == 0 {
			first = len(moving)
		}
		still++
	}
	return moving, first, still
}

// filmPen draws the rows of a film, one below the other.
type filmPen struct {
	f       *Film
	w       Window
	pattern bool    // bars are few enough for patterns to be seen
	height  float64 // of a row, the gap below its bar included
	gap     float64
	y       float64 // of the next row

	active, closed, past, waiting path
}

func newFilmPen(f *Film, w Window, rows int) *filmPen {
	p := &filmPen{f: f, w: w, pattern: rows <= filmPattern, height: filmRow}
	if total := p.height * float64(rows+1); total > filmHeight {
		p.height = (filmHeight - filmRow) / float64(max(rows, 1))
	}
	if rows <= filmPattern*2 {
		p.gap = min(2, p.height/6)
	}
	return p
}

// life draws a segment's row. Thickness is the second sign of a state: what is written is thickest, what waits for removal
// thinnest.
func (p *filmPen) life(l *span) {
	if len(p.f.Rows) < maxLives {
		p.f.Rows = append(p.f.Rows, l.row(p.w))
	}
	p.bar(&p.active, 0, nil, l.begin, min(l.closed, l.deleted, l.ending))
	if l.closed < min(l.past, l.deleted) {
		p.bar(&p.closed, 0.1, nil, l.closed, min(l.past, l.deleted, l.ending))
	}
	if l.past < l.deleted {
		p.bar(&p.past, 0.25, &p.f.PastBars, max(l.past, l.closed), min(l.deleted, l.ending))
	}
	if l.deleted < l.ending {
		p.bar(&p.waiting, 0.35, &p.f.WaitingBars, l.deleted, l.ending)
	}
	from, to := max(l.begin, p.w.From), min(l.ending, p.w.To)
	p.f.Bars = append(p.f.Bars, SegmentBar{l.base, Bar{p.w.percent(from), p.w.percent(to) - p.w.percent(from), p.y, p.height - p.gap}})
	p.y += p.height
}

// bar draws a part of a life, as an element where it has a pattern that can be seen, else into a path that is thinner by a
// part of the bar on each side.
func (p *filmPen) bar(to *path, inset float64, patterned *[]Bar, from, until calc.Millis) {
	from, until = max(from, p.w.From), min(until, p.w.To)
	if until < from || from > p.w.To || until < p.w.From {
		return
	}
	x, width := p.w.percent(from), p.w.percent(until)-p.w.percent(from)
	if patterned != nil && p.pattern {
		*patterned = append(*patterned, Bar{x, width, p.y + 0.5, p.height - p.gap - 1})
		return
	}
	thick := p.height - p.gap
	inset *= thick
	x1, x2, y1, y2 := px(x), px(p.w.percent(until)), py(p.y+inset), py(p.y+thick-inset)
	to.move(x1, y1)
	to.to(x2, y1)
	to.to(x2, y2)
	to.to(x1, y2)
	to.close()
}

// row is a life in words.
func (s *span) row(w Window) LifeRow {
	unit := fineness(w)
	say := func(at calc.Millis) string {
		switch {
		case at > w.To:
			return "–"
		case at < w.From:
			return "before"
		}
		return Clock(at, unit)
	}
	begin := say(s.begin)
	if s.begin <= w.From && w.From > 0 {
		begin = "before"
	}
	r := LifeRow{s.base, Number(int64(s.base)), SizeText(s.bytes), begin, say(s.closed), "–", say(s.deleted), say(s.ending)}
	if s.past < s.deleted {
		r.Past = say(s.past)
	}
	if s.active {
		r.Bytes = "–"
	}
	return r
}

func (f *Film) still(y float64, n int64) float64 {
	f.Still = &StillRow{Y: y, Height: filmRow + 2, Label: count(n, "closed segment") + ", unchanged"}
	return y + filmRow + 4
}

// livesIn are the lives of all segments that are on disk at some time in a window, played from its start.
func livesIn(sim *calc.Simulation, w Window, yield func() bool) (all []span, ok bool) {
	r := retention{config: sim.Config(), at: w.From, log: sim.Usage().Log}
	for _, l := range sim.Lives() {
		s := span{base: l.Base, bytes: l.Bytes, begin: min(l.First, w.From), closed: calc.Never, past: calc.Never, deleted: calc.Never,
			ending: calc.Never, newest: l.Newest, active: l.Active}
		switch {
		case l.Deleted:
			s.closed, s.deleted, s.ending = w.From-1, w.From-1, l.Due
		case !l.Active:
			s.closed = w.From - 1
		}
		all = append(all, s)
	}
	t := track{all: all, live: make(map[calc.Offset]int, len(all)), waits: map[calc.Offset]int{}}
	for i := range all {
		if all[i].deleted == calc.Never {
			t.live[all[i].base] = i
		} else {
			t.waits[all[i].base] = i
		}
	}
	r.old(t.all, w.From)
	r.grown(t.all, w.From, r.log)
	for steps := 0; ; steps++ {
		next, more := sim.Next()
		if !more || next > w.To {
			break
		}
		if steps > 2*maxSteps || steps%64 == 63 && yield != nil && !yield() {
			return nil, false
		}
		for _, e := range sim.StepBefore(w.To+1, true) {
			t.happens(e, sim, &r)
		}
		if c := sim.Config(); c != r.config {
			r.config = c
			r.old(t.all, sim.Now())
		}
		r.grown(t.all, sim.Now(), sim.Usage().Log)
	}
	r.grown(t.all, w.To, sim.Usage().Log)
	return t.all, true
}

// track follows segments by their base offsets. Two of one base offset may be there at a time: one in the log, and one whose
// files wait.
type track struct {
	all         []span
	live, waits map[calc.Offset]int
}

func (t *track) happens(e calc.Event, sim *calc.Simulation, r *retention) {
	switch e.Kind {
	case calc.Roll:
		for i := len(t.all) - 1; i >= 0; i-- {
			if t.all[i].active {
				r.close(&t.all[i], sim, e.At)
				break
			}
		}
		t.begin(e)
	case calc.Replace:
		t.delete(e)
		t.begin(e)
	case calc.Delete:
		t.delete(e)
	case calc.Remove:
		if i, ok := t.waits[e.Base]; ok {
			t.all[i].ending = e.At
			delete(t.waits, e.Base)
		}
	case calc.DirGone:
		for i := range t.all {
			s := &t.all[i]
			s.ending, s.deleted, s.closed, s.active = min(s.ending, e.At), min(s.deleted, e.At), min(s.closed, e.At), false
		}
	}
}

func (t *track) begin(e calc.Event) {
	t.live[e.Base] = len(t.all)
	t.all = append(t.all, span{base: e.Base, begin: e.At, closed: calc.Never, past: calc.Never, deleted: calc.Never, ending: calc.Never, active: true})
}

func (t *track) delete(e calc.Event) {
	i, ok := t.live[e.Base]
	if !ok {
		return
	}
	if j, ok := t.waits[e.Base]; ok { // files of the same names: the rename replaces them
		t.all[j].ending = e.At
	}
	s := &t.all[i]
	s.deleted, s.closed, s.active = e.At, min(s.closed, e.At), false
	delete(t.live, e.Base)
	t.waits[e.Base] = i
}

// retention finds since when closed segments are past it.
type retention struct {
	config calc.LogConfig
	at     calc.Millis // of the last look
	log    calc.Bytes  // then
	front  int         // the first segment that is not deleted
}

// byTime is when a closed segment is past retention.ms.
func (r *retention) byTime(s *span) calc.Millis {
	if ms := r.config.RetentionMs; ms >= 0 && r.config.Delete && ms < calc.Never-s.newest-1 {
		return s.newest + ms + 1
	}
	return calc.Never
}

// close notes that the active segment is closed, with its size and newest record.
func (r *retention) close(s *span, sim *calc.Simulation, at calc.Millis) {
	s.closed, s.active = min(s.closed, at), false
	if l, ok := sim.LifeOf(s.base); ok {
		s.bytes, s.newest = l.Bytes, l.Newest
	}
	s.past = max(r.byTime(s), at)
}

// old finds when the closed segments are past their time, by the configuration that holds from now on.
func (r *retention) old(all []span, now calc.Millis) {
	for i := range all {
		if s := &all[i]; !s.active && s.deleted > now && s.past > now {
			s.past = max(r.byTime(s), now)
		}
	}
}

// grown finds which segments the log can do without since it has grown. Between two looks it grows evenly.
func (r *retention) grown(all []span, now calc.Millis, log calc.Bytes) {
	limit := r.config.RetentionBytes
	if limit >= 0 && r.config.Delete {
		for r.front < len(all) && all[r.front].deleted <= now {
			r.front++
		}
		rest := log
		for i := r.front; i < len(all) && !all[i].active; i++ {
			s := &all[i]
			if rest -= s.bytes; rest < limit {
				break
			}
			if s.past <= now {
				continue
			}
			since := now
			if over := rest - limit; log > r.log && now > r.at && over < log-r.log {
				since = now - calc.Millis(float64(over)/float64(log-r.log)*float64(now-r.at))
			}
			s.past = min(s.past, max(since, s.closed))
		}
	}
	r.at, r.log = now, log
}

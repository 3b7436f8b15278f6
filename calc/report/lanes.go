package report

import (
	"fmt"
	"slices"

	"github.com/partsize/partsize/calc"
)

// Lanes is a tiered partition over time on one axis: what is on the local disk upwards, what is in the remote store downwards,
// and below both the lives of single segments.
type Lanes struct {
	Window   Window
	Overview Plot
	Brush    [2]float64 // the window in the overview, in percent: where it begins, how wide it is

	Times   []Tick
	Up      Lane // its paths grow up from the axis
	Down    Lane // its paths grow down
	Outages []Band
	Peak    *PeakMark
	Disk    *Limit // how large the disk is, where it lies on the axis
	Past    []Bar  // local batches past local retention that wait for their copy; y from the top of the lane
	// Column is what a column of the drawing stands for: it shows the most in that time. 0: every step is drawn.
	Column calc.Millis

	Lives    *LaneFilm  // nil: too much happens
	High     calc.Bytes // the most on the local disk
	Stored   calc.Bytes // the most in the remote store
	Dangling calc.Bytes // the most of that which dangles
	Danger   Danger     // what is known of that
	Summary  string     // what one sees, in a sentence
}

// Lane is one half of the drawing.
type Lane struct {
	Height float64
	Sizes  []Tick // from the top of the lane
	// Both is what is in both places; Alone what is here only, beyond it; Rest and Awaiting files beside batches. All are
	// areas. Where parts are not known all is in Alone.
	Both, Alone, Rest, Awaiting string
	Dangling                    string // of the remote half: the outermost part, as an area of [Lane.Height]
	Total                       string // the line of all
	scale                       scale
}

// Band is a time in which the remote store is down: where it begins and how wide it is, in percent.
type Band struct {
	X, Width float64
	Label    string
}

// Heights of the lanes' plots in pixels, and the room between them for the axis of time.
const (
	UpHeight   = 180
	LaneGap    = 26
	DownHeight = 120
)

// laneSample is what there is at an instant. Between two samples it grows evenly.
type laneSample struct {
	sample
	alone  calc.Bytes // of the log, not yet copied
	past   calc.Bytes // of that, past local retention
	remote calc.Bytes
	// dangling is the part of remote that a restart leaves to nobody.
	dangling calc.Bytes
}

// LanePlay is a window of a tiered partition as it was played: what the drawing and the table are made of. It does not
// change.
type LanePlay struct {
	answer calc.Answer
	window Window
	all    []laneSample // nil: there is too much to play
	lives  []laneLife
	stops  []laneStop
}

// PlayLanes plays a window.
func PlayLanes(a *calc.Answer, w Window) *LanePlay {
	p, _ := PlayLanesWith(a, w, nil)
	return p
}

// PlayLanesWith plays a window and calls yield, which may be nil, now and then; ok is false when that returned false.
func PlayLanesWith(a *calc.Answer, w Window, yield func() bool) (p *LanePlay, ok bool) {
	p = &LanePlay{answer: *a, window: w}
	if LaneEvents(a, w) <= maxSteps {
		if p.all, p.lives, ok = playLanes(a, w, yield); !ok {
			return nil, false
		}
	}
	p.stops, ok = laneStops(a, w, yield)
	return p, ok
}

// SketchLanes is a window that is not played: it is drawn from the envelope, without a table.
func SketchLanes(a *calc.Answer, w Window) *LanePlay { return &LanePlay{answer: *a, window: w} }

// LaneEvents is about how many events are played for a window.
func LaneEvents(a *calc.Answer, w Window) int64 {
	share := float64(w.To-w.From+1) / float64(a.Timeline.Until()+1)
	return int64(float64(a.Timeline.Counts().Events) * share)
}

// Is reports whether it is that window of that answer.
func (p *LanePlay) Is(a *calc.Answer, w Window) bool {
	return p != nil && p.answer.Timeline == a.Timeline && p.window == w
}

// Shows reports whether it is that window of an answer over as much time, and all of it was played.
func (p *LanePlay) Shows(a *calc.Answer, w Window) bool {
	return p != nil && p.stops != nil && p.window == w && p.answer.Timeline.Until() == a.Timeline.Until()
}

// Lanes draws what was played, and of what is in the store what dangles.
func (p *LanePlay) Lanes(danger Danger) Lanes {
	a, w := &p.answer, p.window
	t := a.Timeline
	whole := Window{0, t.Until()}
	l := Lanes{Window: w, Danger: danger, Overview: overview(a), Times: timeTicks(w, 6)}
	l.Brush = [2]float64{whole.percent(w.From), whole.percent(w.To) - whole.percent(w.From)}
	l.Up.Height, l.Down.Height = UpHeight, DownHeight
	if p.all == nil {
		l.roughly(a)
	} else {
		l.draw(l.columns(danger.mark(p.all)))
		l.Lives = laneFilm(p.lives, w, &danger)
	}
	for _, o := range a.Scenario.Outages() {
		if o.From > w.To || o.To < w.From {
			continue
		}
		x := w.percent(max(o.From, w.From))
		b := Band{X: x, Width: w.percent(min(o.To, w.To)) - x, Label: "remote down"}
		if o.To != calc.Never {
			b.Label += space + Span(o.To-o.From)
		}
		l.Outages = append(l.Outages, b)
	}
	if peak := t.Peak().Allocated; peak.At >= w.From && peak.At <= w.To && peak.Bytes > 0 {
		x := w.percent(peak.At)
		l.Peak = &PeakMark{X: x, Y: l.Up.scale.y(peak.Bytes), Label: SizeText(peak.Bytes), Left: x > 60}
	}
	l.Summary = fmt.Sprintf("%s to %s: up to %s on the local disk, up to %s in the remote store.",
		Clock(w.From, calc.Minute), Clock(w.To, calc.Minute), SizeText(l.High), SizeText(l.Stored))
	if l.Dangling > 0 {
		l.Summary += " Up to " + SizeText(l.Dangling) + " there " + danger.verb() + "."
	}
	if u := a.Disk; u != nil {
		key, share := "disk", u.Size/calc.Bytes(u.Replicas)
		if u.Replicas > 1 {
			key += " ÷ " + Number(u.Replicas)
		}
		if share <= l.Up.scale.high {
			l.Disk = &Limit{Key: key, Bytes: share, Y: l.Up.scale.y(share)}
		}
	}
	return l
}

// scales chooses the axes. They differ: what is local is often a small part.
func (l *Lanes) scales(up, down calc.Bytes) {
	var ticks []Tick
	l.Up.scale, l.Up.Sizes, _ = sizeScale(0, up, l.Up.Height, 4)
	l.Down.scale, ticks, _ = sizeScale(0, down, l.Down.Height, 2)
	for _, t := range ticks[1:] {
		l.Down.Sizes = append(l.Down.Sizes, Tick{At: l.Down.Height - t.At, Label: t.Label})
	}
	l.High, l.Stored = up, down
}

// down is pixels below the axis of a lane that grows down.
func (l *Lanes) down(b calc.Bytes) float64 { return l.Down.Height - l.Down.scale.y(b) }

// roughly draws the envelope, where there is too much to play again.
func (l *Lanes) roughly(a *calc.Answer) {
	var all []laneSample
	w := l.Window
	var up, down calc.Bytes
	for _, b := range a.Timeline.Envelope() {
		if b.To <= w.From || b.From > w.To {
			continue
		}
		l.Column = b.To - b.From
		s := laneSample{sample: sample{at: max(b.From, w.From), log: b.Allocated.High}, alone: b.Allocated.High, remote: b.Remote.High}
		all = append(all, s)
		s.at = min(b.To, w.To)
		all = append(all, s)
	}
	all = l.Danger.mark(all)
	for i := range all {
		up, down = max(up, all[i].total()), max(down, all[i].remote)
	}
	l.scales(up, down)
	l.paths(all)
}

// columns joins samples to columns, of each the one with most on disk, where there are more than can be seen.
func (l *Lanes) columns(all []laneSample) []laneSample {
	if len(all) <= 2*columns {
		return all
	}
	w := l.Window
	l.Column = max((w.To-w.From)/columns, 1)
	var out []laneSample
	for i := 0; i < len(all); {
		from := w.From + (all[i].at-w.From)/l.Column*l.Column
		most := all[i]
		for i < len(all) && all[i].at < from+l.Column {
			s := &all[i]
			remote, dangling := max(most.remote, s.remote), max(most.dangling, s.dangling)
			if s.total() > most.total() {
				most = *s
			}
			most.remote, most.dangling = remote, dangling
			i++
		}
		most.at = from
		out = append(out, most)
		most.at = min(from+l.Column, w.To)
		out = append(out, most)
	}
	return out
}

// draw chooses the axes and draws the samples.
func (l *Lanes) draw(all []laneSample) {
	var up, down calc.Bytes
	for i := range all {
		up, down = max(up, all[i].total()), max(down, all[i].remote)
	}
	l.scales(up, down)
	l.paths(all)
	l.waits(all)
}

// paths draws the areas: up what is in both places, what is local alone, index files, files that wait for removal; down what is
// in both places, what is remote alone, and what dangles.
func (l *Lanes) paths(all []laneSample) {
	w, n := l.Window, len(all)
	var up [4][]point
	var down [3][]point
	for k := range up {
		up[k] = make([]point, n)
	}
	for k := range down {
		down[k] = make([]point, n)
	}
	for i := range all {
		s := &all[i]
		x := px(w.percent(s.at))
		known := s.remote - s.dangling
		both := min(s.log-s.alone, known)
		l.Dangling = max(l.Dangling, s.dangling)
		sum := s.log - s.alone
		for k, part := range [...]calc.Bytes{0, s.alone, s.rest, s.wait} {
			sum += part
			up[k][i] = point{x, py(l.Up.scale.y(sum))}
		}
		for k, part := range [...]calc.Bytes{both, known, s.remote} {
			down[k][i] = point{x, py(l.down(part))}
		}
	}
	axis := floor(up[0], py(l.Up.Height))
	l.Up.Both, l.Up.Alone = area(up[0], axis), area(up[1], up[0])
	l.Up.Rest, l.Up.Awaiting = area(up[2], up[1]), area(up[3], up[2])
	l.Up.Total = line(up[3])
	l.Down.Both, l.Down.Alone = area(down[0], floor(down[0], 0)), area(down[1], down[0])
	if l.Dangling > 0 {
		l.Down.Dangling = area(down[2], down[1])
	}
	l.Down.Total = line(down[2])
}

// mostBars is how many hatched bars are drawn at most: patterns are not stretched, so each is an element.
const mostBars = 120

// waits are the bars of what is past local retention and waits for its copy. They lie on what is in both places.
func (l *Lanes) waits(all []laneSample) {
	w := l.Window
	join := w.To/mostBars - w.From/mostBars
	for i := 0; i+1 < len(all); {
		s := all[i]
		if s.past == 0 {
			i++
			continue
		}
		end := i + 1
		for end+1 < len(all) && all[end].past > 0 && all[end].at-s.at < join {
			end++
		}
		x := w.percent(s.at)
		low, high := s.log-s.alone, s.log-s.alone+s.past
		y := l.Up.scale.y(high)
		l.Past = append(l.Past, Bar{X: x, Width: w.percent(all[end].at) - x, Y: y, Height: l.Up.scale.y(low) - y})
		i = end
	}
	if len(l.Past) > 2*mostBars {
		l.Past = nil // more gaps than bars: the key would promise what cannot be seen
	}
}

// laneLife is the life of a segment in both places. A time that does not come is Never.
type laneLife struct {
	base                   calc.Offset
	bytes                  calc.Bytes
	newest                 calc.Millis
	begin, closed          calc.Millis
	deleted, gone          calc.Millis // locally: left the log, its files are gone
	copied, expired        calc.Millis // remotely: there, and no more
	local, active, present bool        // now: in the local log, the open one, in the store
}

// laneTrack follows the segments of a partition.
type laneTrack struct {
	lives []laneLife
	place map[calc.Offset]int
	both  calc.Bytes // of the local log, copied
	doom  calc.Offset
	fails bool // the deletion under way is of a failed copy

	waiting []int // closed, not copied, oldest first
	pastTo  int   // of those, up to here past local retention by time
	past    calc.Bytes
}

// stepsBetween is how many steps are played between two calls of yield.
const stepsBetween = 64

// playLanes plays a window: what there is at each step, and every segment's life.
func playLanes(a *calc.Answer, w Window, yield func() bool) (all []laneSample, lives []laneLife, ok bool) {
	sim := a.Timeline.At(w.From)
	t := newLaneTrack(sim, w.From)
	take := func(at calc.Millis, u calc.Usage) {
		s := laneSample{sample: sampleOf(at, u), alone: max(u.Log-t.both, 0), remote: u.Remote}
		s.past = min(t.pastAt(sim, at, u.Log), s.alone)
		if n := len(all); n > 0 {
			s.at = max(s.at, all[n-1].at)
			if s == all[n-1] {
				return
			}
		}
		all = append(all, s)
	}
	before := sim.Usage()
	take(w.From, before)
	for steps := 1; ; steps++ {
		next, more := sim.Next()
		if !more || next > w.To {
			break
		}
		if steps%stepsBetween == 0 && yield != nil && !yield() {
			return nil, nil, false
		}
		take(next, before)
		for _, e := range sim.StepBefore(w.To+1, true) {
			t.happens(e, sim)
		}
		before = sim.Usage()
		take(sim.Now(), before)
	}
	take(w.To, before)
	return all, t.lives, true
}

// newLaneTrack is the segments as they are at a time.
func newLaneTrack(sim *calc.Simulation, at calc.Millis) *laneTrack {
	t := &laneTrack{place: map[calc.Offset]int{}, doom: -1}
	for _, r := range sim.RemoteSegments() {
		if r.Failed || r.Finished == calc.Never {
			continue
		}
		t.place[r.Base] = len(t.lives)
		t.lives = append(t.lives, laneLife{base: r.Base, bytes: r.Log, begin: at, closed: min(r.Finished, at), deleted: min(at-1, r.Finished),
			gone: min(at-1, r.Finished), copied: min(r.Finished, at), expired: calc.Never, present: true})
	}
	for _, g := range sim.Lives() {
		i, known := t.place[g.Base]
		if !known {
			i = len(t.lives)
			t.place[g.Base] = i
			t.lives = append(t.lives, laneLife{base: g.Base, copied: calc.Never, expired: calc.Never})
		}
		life := &t.lives[i]
		life.bytes, life.newest, life.begin = g.Bytes, g.Newest, min(g.First, at)
		life.closed, life.deleted, life.gone = at, calc.Never, calc.Never
		switch {
		case g.Deleted:
			life.deleted, life.gone = min(g.Gone, at), g.Due
		case g.Active:
			life.closed, life.active, life.local = calc.Never, true, true
		default:
			life.local = true
		}
	}
	for i := range t.lives { // by base offset: nearly in order already
		for k := i; k > 0 && t.lives[k-1].base > t.lives[k].base; k-- {
			t.lives[k-1], t.lives[k] = t.lives[k], t.lives[k-1]
		}
	}
	for i := range t.lives {
		life := &t.lives[i]
		t.place[life.base] = i
		switch {
		case !life.local || life.active:
		case life.present:
			t.both += life.bytes
		default:
			t.waiting = append(t.waiting, i)
		}
	}
	if len(sim.RemoteSegments()) == 0 { // steps may say what is copied
		t.both = max(sim.Usage().Log-sim.NotCopied(), 0)
	}
	return t
}

// happens follows an event.
func (t *laneTrack) happens(e calc.Event, sim *calc.Simulation) {
	i, known := t.place[e.Base]
	switch e.Kind {
	case calc.Roll:
		t.close(sim, e.At)
		t.begin(e)
	case calc.Replace:
		t.leave(e.Base, e.At)
		t.begin(e)
	case calc.Delete:
		t.leave(e.Base, e.At)
	case calc.Remove:
		if known && t.lives[i].deleted != calc.Never {
			t.lives[i].gone = e.At
		}
	case calc.CopyFinished:
		if known {
			life := &t.lives[i]
			life.copied, life.present = e.At, true
			if life.local {
				t.both += life.bytes
			}
			t.dequeue(i)
		}
	case calc.RemoteDeleteStarted:
		t.doom, t.fails = e.Base, e.Reason == calc.CopyFails
	case calc.RemoteDeleteFinished:
		if known && t.lives[i].present && !(t.fails && t.doom == e.Base) {
			t.lives[i].present, t.lives[i].expired = false, e.At
		}
	case calc.Copied:
		t.both = max(sim.Usage().Log-sim.NotCopied(), 0)
	case calc.TopicGone, calc.DirGone:
		for k := range t.lives {
			life := &t.lives[k]
			if e.Kind == calc.DirGone {
				life.gone = min(life.gone, e.At)
			}
			life.deleted, life.closed = min(life.deleted, e.At), min(life.closed, e.At)
			life.local, life.active = false, false
		}
		t.both, t.waiting, t.pastTo, t.past = 0, nil, 0, 0
	}
}

// close closes the open segment.
func (t *laneTrack) close(sim *calc.Simulation, at calc.Millis) {
	for i := len(t.lives) - 1; i >= 0; i-- {
		if life := &t.lives[i]; life.active {
			life.active, life.closed = false, at
			if g, ok := sim.LifeOf(life.base); ok {
				life.bytes, life.newest = g.Bytes, g.Newest
			}
			t.waiting = append(t.waiting, i)
			return
		}
	}
}

// begin begins a segment, the open one. One that was deleted may have had the same base offset.
func (t *laneTrack) begin(e calc.Event) {
	t.place[e.Base] = len(t.lives)
	t.lives = append(t.lives, laneLife{base: e.Base, begin: e.At, closed: calc.Never, deleted: calc.Never, gone: calc.Never,
		copied: calc.Never, expired: calc.Never, local: true, active: true})
}

// leave takes a segment out of the local log.
func (t *laneTrack) leave(base calc.Offset, at calc.Millis) {
	i, ok := t.place[base]
	if !ok || !t.lives[i].local {
		return
	}
	life := &t.lives[i]
	if life.present {
		t.both -= life.bytes
	}
	life.local, life.active = false, false
	life.deleted, life.closed = at, min(life.closed, at)
	t.dequeue(i)
}

// dequeue takes a segment out of those that wait for their copy: the oldest, as a rule.
func (t *laneTrack) dequeue(i int) {
	k := slices.Index(t.waiting, i)
	if k < 0 {
		return
	}
	if k < t.pastTo {
		t.pastTo--
		t.past -= t.lives[i].bytes
	}
	t.waiting = slices.Delete(t.waiting, k, k+1)
}

// pastAt is the bytes of closed segments that local retention would give up if they were copied.
func (t *laneTrack) pastAt(sim *calc.Simulation, at calc.Millis, log calc.Bytes) calc.Bytes {
	c := sim.Config()
	ms, limit := c.LocalRetention()
	for t.pastTo < len(t.waiting) {
		life := &t.lives[t.waiting[t.pastTo]]
		if ms < 0 || at-life.newest <= ms {
			break
		}
		t.past += life.bytes
		t.pastTo++
	}
	past := t.past
	if limit >= 0 {
		rest := log - t.both - past
		for _, i := range t.waiting[t.pastTo:] {
			if rest -= t.lives[i].bytes; rest < limit {
				break
			}
			past += t.lives[i].bytes
		}
	}
	return past
}

// LaneFilm is the lives of segments in both places: a row for each, the upper half what is local, the lower half what is
// remote.
type LaneFilm struct {
	Rows  []LaneRow
	Every int64 // a row stands for one of so many segments
	Of    int64 // segments in all
	// which states there are, for the key
	Active, Alone, Both, Waiting, Remote, Dangling bool
}

// LaneRow is a segment.
type LaneRow struct {
	Base calc.Offset
	Says string // its life in words
	Bars []LaneBar
}

// LaneState is what is drawn of a segment.
type LaneState uint8

// The states, local ones first.
const (
	LaneActive   LaneState = iota // being written
	LaneAlone                     // closed, local only
	LaneBoth                      // local, and in the store as well
	LaneWaiting                   // deleted locally, the files wait for removal
	LaneRemote                    // in the store
	LaneDangling                  // in the store, and lost by a restart
)

// LaneBar is a part of a row, in percent.
type LaneBar struct {
	X, Width float64
	State    LaneState
}

// mostLaneRows is how many segments are shown.
const mostLaneRows = 14

// laneFilm draws some of the lives, at equal distances.
func laneFilm(lives []laneLife, w Window, danger *Danger) *LaneFilm {
	spans := map[calc.Offset][2]calc.Millis{}
	for i := range danger.Windows {
		v := &danger.Windows[i]
		if from, to, ok := danger.span(v); ok {
			spans[v.Base] = [2]calc.Millis{from, to}
		}
	}
	lives = append(danger.left(w), lives...)
	f := &LaneFilm{Of: int64(len(lives))}
	f.Every = max((f.Of+mostLaneRows-1)/mostLaneRows, 1)
	for i := 0; i < len(lives); i += int(f.Every) {
		f.row(&lives[i], w, spans)
	}
	return f
}

func (f *LaneFilm) row(l *laneLife, w Window, dangles map[calc.Offset][2]calc.Millis) {
	r := LaneRow{Base: l.base}
	bar := func(state LaneState, there *bool, from, to calc.Millis) {
		from, to = max(from, w.From), min(to, w.To)
		if to < from || from > w.To || to < w.From {
			return
		}
		*there = true
		r.Bars = append(r.Bars, LaneBar{w.percent(from), w.percent(to) - w.percent(from), state})
	}
	local := min(l.deleted, l.gone)
	bar(LaneActive, &f.Active, l.begin, min(l.closed, local))
	if l.closed < min(l.copied, local) {
		bar(LaneAlone, &f.Alone, l.closed, min(l.copied, local))
	}
	if from := max(l.copied, l.closed); from < local {
		bar(LaneBoth, &f.Both, from, local)
	}
	if l.deleted < l.gone {
		bar(LaneWaiting, &f.Waiting, l.deleted, l.gone)
	}
	if l.copied != calc.Never {
		if d, ok := dangles[l.base]; ok {
			bar(LaneRemote, &f.Remote, l.copied, d[0])
			bar(LaneDangling, &f.Dangling, max(d[0], l.copied), d[1])
		} else {
			bar(LaneRemote, &f.Remote, l.copied, l.expired)
		}
	}
	if len(r.Bars) > 0 {
		f.Rows = append(f.Rows, r)
	}
}

// LaneCursorOf is an instant in the lanes.
func LaneCursorOf(look *Look, l *Lanes, at calc.Millis) (k Cursor) {
	sim := look.At(at)
	u := sim.Usage()
	s := sampleOf(at, u)
	k.X, k.Y = l.Window.percent(at), max(l.Up.scale.y(s.total()), 0)
	k.Clock = Clock(at, fineness(l.Window))
	dangling, stays := l.Danger.at(at)
	k.Readout.say(SizeText(s.total()) + " on the local disk, of which " + SizeText(min(sim.NotCopied(), u.Log)) + " not yet copied; " +
		SizeText(u.Remote+stays) + " in the remote store")
	if dangling > 0 {
		k.Readout.say(", of which " + SizeText(dangling) + " " + l.Danger.verb())
	}
	if sim.RemoteIsDown() {
		k.Readout.say(", which is down")
	}
	return k
}

// LaneTableRow is a line of the lanes' table.
type LaneTableRow struct{ Clock, Local, Alone, Remote, Dangling, Segments, What string }

// laneStop is a line of the table before it is told what dangles.
type laneStop struct {
	at    calc.Millis
	what  string
	usage calc.Usage
	alone calc.Bytes
}

// laneStops are at equal distances, and where the remote store goes and comes.
func laneStops(a *calc.Answer, w Window, yield func() bool) (stops []laneStop, ok bool) {
	step := timeStep(w.To-w.From, 12)
	for at := (w.From + step - 1) / step * step; at <= w.To; at += step {
		stops = append(stops, laneStop{at: at})
	}
	stops = markedStops(stops, w, a.Timeline.Peak().Allocated.At, "the local peak")
	outages := a.Scenario.Outages()
	for _, o := range outages[:min(len(outages), mostOutages)] {
		stops = markedStops(stops, w, o.From, "the remote store goes down")
		stops = markedStops(stops, w, o.To, "the remote store is back")
	}
	sim := a.Timeline.At(w.From)
	steps := 0
	for i := range stops {
		s := &stops[i]
		for {
			next, more := sim.Next()
			if !more || next > s.at {
				break
			}
			if steps++; steps%stepsBetween == 0 && yield != nil && !yield() {
				return nil, false
			}
			sim.StepBefore(s.at+1, false)
		}
		s.usage = sim.Usage()
		s.alone = min(sim.NotCopied(), s.usage.Log)
	}
	return stops, true
}

// markedStops is the stops with what happens at a time, if that is seen.
func markedStops(stops []laneStop, w Window, at calc.Millis, what string) []laneStop {
	if at < w.From || at > w.To {
		return stops
	}
	i, found := slices.BinarySearchFunc(stops, at, func(s laneStop, at calc.Millis) int { return int(min(max(s.at-at, -1), 1)) })
	if !found {
		return slices.Insert(stops, i, laneStop{at: at, what: what})
	}
	if stops[i].what == "" {
		stops[i].what = what
	}
	return stops
}

// Table is the lanes as a table.
func (p *LanePlay) Table(danger Danger) (rows []LaneTableRow) {
	unit := fineness(p.window)
	for i := range p.stops {
		s := &p.stops[i]
		local := sampleOf(s.at, s.usage)
		dangling, stays := danger.at(s.at)
		rows = append(rows, LaneTableRow{Clock(s.at, unit), SizeText(local.total()), SizeText(s.alone), SizeText(s.usage.Remote + stays),
			SizeText(dangling), Number(s.usage.Segments) + " / " + Number(s.usage.RemoteSegments), s.what})
	}
	return rows
}

// WindowForOutage is a window that shows an outage and what comes after it.
func WindowForOutage(a *calc.Answer, e *calc.OutageEffect) Window {
	until := a.Timeline.Until()
	from, to := e.From, e.To
	if to == calc.Never {
		to = until
	}
	if e.Back != calc.Never {
		to = max(to, e.Back)
	}
	to = max(to, e.Peak.At)
	room := max((to-from)/4, calc.Minute)
	return Window{max(from-room, 0), min(to+room, until)}.within(until)
}

// TieredSentence is the answer of a tiered partition as one would say it. effect is that of the outage asked about, or nil.
func TieredSentence(a *calc.Answer, effect *calc.OutageEffect) (w Words) {
	t := a.Timeline
	peak := t.Peak()
	if effect != nil {
		w.outage(t, effect)
		return w
	}
	w.say("The local disk peaks at ")
	w.figure(SizeText(peak.Allocated.Bytes))
	switch ages := t.Ages(); {
	case peak.Remote.Bytes == 0:
		w.say(", and nothing is in the remote store within " + Span(t.Until()))
	default:
		w.say("; the remote store holds up to ")
		w.figure(SizeText(peak.Remote.Bytes))
		if t.Counts().RemoteDeletions == 0 {
			w.say(" by then, and nothing there has expired yet")
		} else if !ages.Readable.Empty() {
			w.say(", and a record can be read for ")
			w.figure(Span(ages.Readable.High))
		}
	}
	w.say(".")
	return w
}

// outage says what an outage does.
func (w *Words) outage(t *calc.Timeline, e *calc.OutageEffect) {
	if e.To == calc.Never {
		w.say("With the remote store down from ")
		w.figure(Span(e.From))
		w.say(" on, the local disk grows to ")
		w.figure(SizeText(e.Peak.Bytes))
		w.say(" by the end of " + Span(t.Until()))
	} else {
		w.say("While the remote store is down for ")
		w.figure(Span(e.To - e.From))
		w.say(", the local disk grows to ")
		w.figure(SizeText(e.Peak.Bytes))
	}
	if grows := ratio(e.Peak.Bytes, e.Healthy); grows != "" {
		w.say(", ")
		w.figure(grows + " times")
		w.say(" its most before")
	} else {
		w.say(", no more than before.")
		return
	}
	switch {
	case e.To == calc.Never:
	case e.Back == calc.Never:
		w.say("; it is not back to that within " + Span(t.Until()))
	default:
		w.say(", and is back to that ")
		w.figure(Span(e.Back - e.To))
		w.say(" after the store is")
	}
	w.say(".")
}

// OutageDisk says when a disk is full, in an outage from a time on or, with stays, if that did not end.
func OutageDisk(size calc.Bytes, from, full calc.Millis, stays bool, until calc.Millis) (w Words) {
	w.say(" A disk of " + SizeText(size))
	switch {
	case full == calc.Never:
		w.say(" is not full within " + Span(until) + ", even if the store stays down.")
	case full < from:
		w.say(" is full before that, ")
		w.figure("after " + Span(full))
		w.say(".")
	case stays:
		w.say(" would be full ")
		w.figure(Span(full - from))
		w.say(" after the store went down, if it stayed down.")
	default:
		w.say(" is full ")
		w.figure(Span(full - from))
		w.say(" after the store goes down.")
	}
	return w
}

// ratio is how many times one size is another, with a digit after the point; "" where it is not more.
func ratio(b, of calc.Bytes) string {
	if of <= 0 || b <= of+of/20 {
		return ""
	}
	tenths := int64(float64(b)/float64(of)*10 + 0.5)
	if tenths >= 1000 {
		return Number(tenths / 10)
	}
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}

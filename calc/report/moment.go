package report

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Moment is the log at an instant.
type Moment struct {
	At     calc.Millis
	Clock  string
	Usage  calc.Usage
	Total  string // what ls calls the total: kibibytes in blocks
	Files  []File
	Hidden int64 // segments whose files are not in Files
	All    int64 // files in the directory
	Tools  []Tool
	Next   []Upcoming
}

// Cursor is an instant in a chart.
type Cursor struct {
	X       float64 // percent of the window
	Y       float64 // pixels from the top of the detail plot, where the total is
	Clock   string
	Readout Words
}

// CursorOf is an instant in an answer's chart.
func CursorOf(l *Look, c *Chart, at calc.Millis) (k Cursor) {
	s := sampleOf(at, l.At(at).Usage())
	k.X, k.Y = c.Window.percent(at), c.Detail.y(s.total())
	k.Clock = Clock(at, fineness(c.Window))
	k.Readout.say(SizeText(s.total()) + " on disk = log " + SizeText(s.log) + " + indexes " + SizeText(s.rest))
	if s.wait > 0 {
		k.Readout.say(" + awaiting removal " + SizeText(s.wait))
	}
	return k
}

// CursorAt is an instant in a chart whose log is not at hand: Y is −1, and there is no readout.
func CursorAt(c *Chart, at calc.Millis) Cursor {
	return Cursor{X: c.Window.percent(at), Y: -1, Clock: Clock(at, fineness(c.Window))}
}

// State is the state of a file's segment.
type State uint8

// The states.
const (
	NoState  State = iota
	Active         // being written
	Closed         // rolled and kept
	Deleted        // its files wait for removal
	Elsewise       // not a segment's file
)

// File is a line of the directory.
type File struct {
	Bytes string // in groups of three
	Zeros string // of the name, that say nothing
	Name  string // the rest
	State State
	Note  string
	Gap   bool // stands for the hidden ones
}

// Tool is what a tool reports.
type Tool struct {
	Name  string
	Size  string
	Exact string
	Note  string
}

// Upcoming is an event that comes.
type Upcoming struct {
	At    calc.Millis
	In    string // from now
	State State
	What  string
	Key   string // the setting that causes it
}

// maxListed is how many segments a directory lists in full.
const maxListed = 700

// MomentOf is the log at an instant, as one sees it in a window. With all set its directory is listed in full, up to a
// limit.
func MomentOf(l *Look, w Window, at calc.Millis, all bool) (m Moment) {
	at = max(0, min(at, l.t.Until()))
	sim := l.At(at)
	m.At, m.Usage = at, sim.Usage()
	m.Clock = Clock(at, fineness(w))
	d := sim.Directory()
	m.directory(d, m.coming(sim.Clone(), l.t.Until(), len(d.Deleted)), all)
	m.tools()
	return m
}

// fineness is the unit to which times in a window are shown.
func fineness(w Window) calc.Millis {
	switch span := w.To - w.From; {
	case span <= 10*calc.Second:
		return 1
	case span <= 4*calc.Day:
		return calc.Second
	}
	return calc.Minute
}

// y is where a size is in the plot, held inside it.
func (p *Plot) y(b calc.Bytes) float64 {
	return max(0, min(p.scale.y(b), p.Height))
}

func (m *Moment) tools() {
	u := m.Usage
	between := func(a, b calc.Bytes) string {
		if a >= b {
			return "+" + space + SizeText(a-b)
		}
		return "−" + space + SizeText(b-a)
	}
	m.Tools = []Tool{
		{"kafka-log-dirs", SizeText(u.Log), u.Log.Exact(), "log files of live segments"},
		{"du", SizeText(u.Allocated), u.Allocated.Exact(), between(u.Allocated, u.Log) + ": indexes, files awaiting removal, whole blocks"},
		{"du --apparent-size", SizeText(u.Apparent), u.Apparent.Exact(), between(u.Apparent, u.Allocated) + ": index files set aside but empty, less the rest of blocks"},
	}
}

// maxUpcoming is how many events are shown, maxAhead how many steps are played to find them.
const (
	maxUpcoming = 5
	maxAhead    = 4000
)

// coming plays on and collects the next events, those of one instant and kind together, and when each deleted file goes.
func (m *Moment) coming(sim *calc.Simulation, until calc.Millis, waiting int) (removals map[calc.Offset]calc.Millis) {
	removals = map[calc.Offset]calc.Millis{}
	for range maxAhead {
		next, ok := sim.Next()
		if !ok || next > until || len(m.Next) > maxUpcoming && waiting <= 0 {
			break
		}
		before := sim.Usage()
		events := sim.StepBefore(until+1, true)
		after := sim.Usage()
		for i, e := range events {
			if e.Kind == calc.Remove {
				removals[e.Base] = e.At
				waiting--
			}
			n := int64(1)
			if i > 0 && events[i-1].Kind == e.Kind && events[i-1].At == e.At {
				continue
			}
			for _, f := range events[i+1:] {
				if f.Kind == e.Kind && f.At == e.At {
					n++
				}
			}
			m.announce(e, n, before, after)
		}
	}
	if len(m.Next) > maxUpcoming {
		m.Next = m.Next[:maxUpcoming]
	}
	return removals
}

// announce adds an event that n segments have at once.
func (m *Moment) announce(e calc.Event, n int64, before, after calc.Usage) {
	u := Upcoming{At: e.At, In: "in" + space + Span(e.At-m.At)}
	switch e.Kind {
	case calc.Roll, calc.Replace:
		u.State, u.Key = Active, keyOf(e.Reason)
		u.What = "The active segment closes; the next begins at " + Number(int64(e.Base))
	case calc.Delete:
		u.State, u.Key = Closed, keyOf(e.Reason)
		u.What = fmt.Sprintf("Check deletes %s, log −%s", count(n, "segment"), SizeText(max(before.Log-after.Log, 0)))
	case calc.Remove:
		u.State, u.Key = Deleted, "file.delete.delay.ms"
		u.What = fmt.Sprintf("Files of %s removed, disk −%s", count(n, "deleted segment"), SizeText(max(before.AwaitingAllocated-after.AwaitingAllocated, 0)))
	case calc.Reject:
		u.What, u.Key = "Kafka refuses an append: "+string(e.Reason), ""
	case calc.Stop:
		u.What = "The broker stops"
	case calc.Start:
		u.What = "The broker starts"
	case calc.Copied:
		u.What = "Copied to the remote store up to " + Number(int64(e.Base))
	case calc.TopicGone:
		u.What = "The topic is deleted"
	case calc.DirGone:
		u.What = "The topic's directory is removed"
	case calc.KafkaFails:
		u.What = "Kafka itself fails"
	case calc.CopyStarted:
		u.What = fmt.Sprintf("The copy of %s to the remote store begins", count(n, "closed segment"))
	case calc.CopyFinished:
		u.What = fmt.Sprintf("The remote store has %s more", count(n, "segment"))
	case calc.RemoteDeleteStarted:
		u.What = fmt.Sprintf("The remote store begins to delete %s", count(n, "segment"))
		if e.Reason == calc.CopyFails {
			u.What = fmt.Sprintf("The copy of %s to the remote store fails", count(n, "segment"))
		}
	case calc.RemoteDeleteFinished:
		u.What = fmt.Sprintf("The remote store has deleted %s", count(n, "segment"))
	case calc.RemoteDown:
		u.What = "The remote store goes down"
	case calc.RemoteUp:
		u.What = "The remote store is there again"
	}
	m.Next = append(m.Next, u)
}

// keyOf is the setting that a reason names first, or "".
func keyOf(r calc.Reason) string {
	key, _, _ := strings.Cut(string(r), " ")
	if _, _, ok := calc.SettingOf(key); !ok {
		return ""
	}
	return key
}

// directory lists the files in the order of ls. Of many live segments the oldest and the newest are listed.
func (m *Moment) directory(d calc.Directory, removals map[calc.Offset]calc.Millis, all bool) {
	m.Total = Number(int64((m.Usage.Allocated + 1023) / 1024))
	if d.Gone {
		return
	}
	var live int64
	for _, f := range d.Segments {
		if f.Log >= 0 {
			live++
		}
		m.All += existing(f)
	}
	for _, f := range d.Deleted {
		m.All += existing(f)
	}
	m.All += 2
	first, last := int64(1), live-2
	if all {
		first, last = maxListed/2, live-maxListed/2
	}
	if last <= first {
		first, last = live, live
	}

	rows := slices.Clone(d.Deleted)
	for _, f := range rows {
		note := ""
		if at, ok := removals[f.Base]; ok {
			note = "gone in" + space + Span(at-m.At)
		}
		m.list(f, ".deleted", Deleted, note)
	}
	var n int64
	gap := -1
	for _, f := range d.Segments {
		if f.Log >= 0 {
			n++
		}
		if n > first && n <= last {
			if gap < 0 {
				gap = len(m.Files)
				m.Files = append(m.Files, File{Gap: true, State: Closed})
			}
			if f.Log >= 0 {
				m.Hidden++
			}
			continue
		}
		switch {
		case f.Log < 0:
			m.list(f, "", Elsewise, "")
		case n == live:
			m.list(f, "", Active, "active")
		case n == 1:
			m.list(f, "", Closed, "closed, oldest")
		default:
			m.list(f, "", Closed, "closed")
		}
	}
	m.file(leaderEpochs, "", d.LeaderEpochCheckpoint, Elsewise, "")
	m.file("partition.metadata", "", d.PartitionMetadata, Elsewise, "")
}

const leaderEpochs = "leader-epoch-checkpoint"

func existing(f calc.Files) (n int64) {
	for _, b := range [...]calc.Bytes{f.Log, f.Index, f.TimeIndex, f.TxnIndex, f.Snapshot} {
		if b >= 0 {
			n++
		}
	}
	return n
}

// list adds the files of a base offset, by name. The note stands beside the .log.
func (m *Moment) list(f calc.Files, suffix string, s State, note string) {
	base := fmt.Sprintf("%020d", f.Base)
	for _, file := range [...]struct {
		ext   string
		bytes calc.Bytes
	}{{".index", f.Index}, {".log", f.Log}, {".snapshot", f.Snapshot}, {".timeindex", f.TimeIndex}, {".txnindex", f.TxnIndex}} {
		if file.bytes < 0 {
			continue
		}
		said := ""
		if file.ext == ".log" || f.Log < 0 {
			said = note
		}
		m.file(base+file.ext+suffix, base, file.bytes, s, said)
	}
}

func (m *Moment) file(name, base string, b calc.Bytes, s State, note string) {
	if b < 0 {
		return
	}
	rest := name
	if base != "" {
		rest = strings.TrimLeft(base[:len(base)-1], "0") + name[len(base)-1:]
	}
	m.Files = append(m.Files, File{
		Bytes: Number(int64(b)), Zeros: name[:len(name)-len(rest)], Name: rest, State: s, Note: note,
	})
}

// EventBefore and EventAfter are the nearest instants with an event; ok is false where there is none.
func EventBefore(a *calc.Answer, at calc.Millis) (before calc.Millis, ok bool) {
	for back := cycle(a) / 4; ; back *= 8 {
		back = max(back, 1)
		from := max(at-back, 0)
		for e := range a.Timeline.Events(from, at-1) {
			before, ok = e.At, true
		}
		if ok || from == 0 {
			return before, ok
		}
	}
}

// EventAfter is the counterpart of [EventBefore].
func EventAfter(a *calc.Answer, at calc.Millis) (after calc.Millis, ok bool) {
	for e := range a.Timeline.Events(at+1, a.Timeline.Until()) {
		return e.At, true
	}
	return 0, false
}

// Row is a line of the table that says what the chart shows.
type Row struct {
	At                        calc.Millis
	Clock                     string
	Log, Indexes, Wait, Total string
	What                      string
	Key                       string
}

// maxRows is how many lines that table has at most.
const maxRows = 40

// Table is the chart's window as a table: a line for each event, or where there are too many what was least and most in equal
// spans.
func Table(a *calc.Answer, w Window) (rows []Row) {
	rows, _ = TableWith(a, NewLook(a.Timeline), w, nil)
	return rows
}

// TableWith is [Table] with a yield that is called now and then and may be nil; when it returns false, ok is false.
func TableWith(a *calc.Answer, look *Look, w Window, yield func() bool) (rows []Row, ok bool) {
	if look.eventsIn(w) > maxAhead {
		return spansOf(a, look, w, yield)
	}
	if !look.Approach(w.From, yield) {
		return nil, false
	}
	unit := fineness(w)
	row := func(at calc.Millis, u calc.Usage, what, key string) {
		s := sampleOf(at, u)
		rows = append(rows, Row{at, Clock(at, unit), SizeText(s.log), SizeText(s.rest), SizeText(s.wait), SizeText(s.total()), what, key})
	}
	sim := look.At(w.From).Clone()
	row(w.From, sim.Usage(), "", "")
	for steps := 0; ; steps++ {
		next, ok := sim.Next()
		if !ok || next > w.To {
			return rows, true
		}
		if steps%64 == 63 && yield != nil && !yield() {
			return nil, false
		}
		before := sim.Usage()
		events := sim.StepBefore(w.To+1, true)
		for i, e := range events {
			if i > 0 && events[i-1].Kind == e.Kind {
				continue
			}
			n := int64(0)
			for _, f := range events {
				if f.Kind == e.Kind {
					n++
				}
			}
			var m Moment
			m.announce(e, n, before, sim.Usage())
			if len(m.Next) > 0 {
				row(e.At, sim.Usage(), m.Next[0].What, m.Next[0].Key)
			}
		}
		if len(rows) > maxRows || steps > maxAhead {
			return spansOf(a, look, w, yield)
		}
	}
}

// spansOf is the table by what was least and most in equal spans of time: where the window is played, of each part; where it
// has too many events for that, of what the envelope has.
func spansOf(a *calc.Answer, look *Look, w Window, yield func() bool) (rows []Row, ok bool) {
	t := spanTable{step: timeStep(w.To-w.From, 12), unit: fineness(w), from: -1}
	if look.tooMany(w) {
		for _, b := range a.Timeline.Envelope() {
			if b.To > w.From && b.From <= w.To {
				t.add(max(b.From, w.From), [4]calc.Range[calc.Bytes]{b.Log, {}, {}, b.Allocated})
			}
		}
		t.end()
		for i := range t.rows {
			t.rows[i].Indexes, t.rows[i].Wait = "–", "–"
		}
		return t.rows, true
	}
	if !look.Approach(w.From, yield) {
		return nil, false
	}
	all, _, ok := samples(look.At(w.From).Clone(), w, yield)
	var last [4]calc.Range[calc.Bytes]
	for i := range all {
		s := &all[i]
		one := func(b calc.Bytes) calc.Range[calc.Bytes] { return calc.Range[calc.Bytes]{Low: b, High: b} }
		what := [4]calc.Range[calc.Bytes]{one(s.log), one(s.rest), one(s.wait), one(s.total())}
		if t.from >= 0 {
			t.widen(what) // on the way to it the log grows evenly, over the end of the span
		}
		t.add(s.at, what)
		if i > 0 {
			t.widen(last)
		}
		last = what
	}
	t.end()
	return t.rows, ok
}

// spanTable joins what was least and most to equal spans of time.
type spanTable struct {
	step, unit, from calc.Millis
	now              [4]calc.Range[calc.Bytes] // log, indexes, waiting, all
	rows             []Row
}

func (t *spanTable) add(at calc.Millis, what [4]calc.Range[calc.Bytes]) {
	if t.from < 0 || at/t.step != t.from/t.step {
		t.end()
		t.from, t.now = at, what
		return
	}
	t.widen(what)
}

func (t *spanTable) widen(what [4]calc.Range[calc.Bytes]) {
	for i := range what {
		t.now[i].Low, t.now[i].High = min(t.now[i].Low, what[i].Low), max(t.now[i].High, what[i].High)
	}
}

func (t *spanTable) end() {
	if t.from < 0 {
		return
	}
	var say [4]string
	for i, r := range t.now {
		numbers, unit := SizeRange(r.Low, r.High)
		say[i] = numbers + space + unit
	}
	t.rows = append(t.rows, Row{t.from, Clock(t.from, t.unit), say[0], say[1], say[2], say[3], "", ""})
}

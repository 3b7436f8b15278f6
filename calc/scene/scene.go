package scene

import (
	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// Scene is what is shown of a cluster from one place at one time.
type Scene struct {
	Problems []Problem // what is wrong with the last description; the rest is of the one before
	Notes    []string  // what is to know about what was read

	Sentence report.Words
	Figures  []Figure

	Crumbs []Crumb // the way from the cluster to here
	Title  string
	Policy string // by which directories are chosen

	At, Span, Horizon calc.Millis
	Clock             string // the moment in words
	Readout           string // what is on disk then

	Skyline *Skyline // nil where the rows show every directory
	Rows    []Row
	From    int // of all rows, the first that is shown
	All     int
	Key     []Key
	Twin    Table   // the rows as a table
	Tables  []Table // what else is to know
}

// Problem is what is wrong, and in the form's own description where.
type Problem struct{ Text, Path string }

// Figure is a number that matters.
type Figure struct{ Label, Value, Unit, Caption string }

// Crumb is a place on the way.
type Crumb struct{ Label, Where string }

// Row is a directory, or a broker with its directories.
type Row struct {
	Group, GroupCap string // the heading before it; "": none
	Where, Label    string
	Says            string // for those who do not see the bar
	Bar             Bar
	Right, Cap      string
	First           bool // it is full before all others
}

// Width is how wide the drawing of a [Bar] is in units of its own; it stretches to any width.
const Width = 10_000

// BarHeight is its height in pixels; paths have ten units for each.
const BarHeight = 26

// Bar is the drawing of a row. Runs are side by side; what is above the size is drawn over them.
type Bar struct {
	Room int // width of the size; 0: not known
	Runs []Run
	Over int // where the size ends and what does not fit begins; 0: all fits
	End  int // where the last run ends
}

// Run is the replicas of one topic, or a directory of a broker.
type Run struct {
	Tint  int
	Shape string // path of the ground
	Lines string // path of the lines between replicas
	Label string // "" where there is no room for it
	X     int    // of the label
}

// Key is what a tint stands for.
type Key struct {
	Tint  int
	Label string
}

// Skyline is every directory of a large cluster as an upright bar.
type Skyline struct {
	Free, Used, Over string // paths in a field of Width times ten times its height
	Even             int    // height of the even share, in pixels from the top; negative: none
	Wheres           []string
	Summary          string
}

// SkylineHeight is its height in pixels.
const SkylineHeight = 96

// Table is a table of text.
type Table struct {
	Name    string // "" : no heading of its own
	Says    string // a sentence before it
	Caption string
	Columns []Column
	Rows    [][]Cell
	More    string // a sentence after it
}

// Column is a column of a table.
type Column struct {
	Label  string
	Number bool
}

// Cell is a cell of a table.
type Cell struct {
	Text  string
	Where string // where a press leads; "": nowhere
	Input string // the settings of the replica that a press shows
}

// Encode writes a scene as text.
func (s *Scene) Encode() string {
	var c coder
	s.code(&c)
	return string(c.out)
}

// Decode reads it; ok is false for a text that was not written by this version.
func Decode(text string) (s *Scene, ok bool) {
	c := coder{read: true, text: text}
	s = &Scene{}
	s.code(&c)
	return s, !c.bad && c.text == ""
}

func (s *Scene) code(c *coder) {
	list(c, &s.Problems, func(p *Problem) { c.all(&p.Text, &p.Path) })
	list(c, &s.Notes, c.words)
	list(c, (*[]report.Word)(&s.Sentence), func(w *report.Word) { c.words(&w.Text); c.flag(&w.Strong); c.flag(&w.Code) })
	list(c, &s.Figures, func(f *Figure) { c.all(&f.Label, &f.Value, &f.Unit, &f.Caption) })
	list(c, &s.Crumbs, func(b *Crumb) { c.all(&b.Label, &b.Where) })
	c.all(&s.Title, &s.Policy, &s.Clock, &s.Readout)
	for _, n := range []*calc.Millis{&s.At, &s.Span, &s.Horizon} {
		c.long((*int64)(n))
	}
	there := s.Skyline != nil
	if c.flag(&there); there {
		if s.Skyline == nil {
			s.Skyline = &Skyline{}
		}
		s.Skyline.code(c)
	}
	list(c, &s.Rows, func(r *Row) { r.code(c) })
	c.number(&s.From)
	c.number(&s.All)
	list(c, &s.Key, func(k *Key) { c.number(&k.Tint); c.words(&k.Label) })
	s.Twin.code(c)
	list(c, &s.Tables, func(t *Table) { t.code(c) })
}

func (c *coder) all(texts ...*string) {
	for _, s := range texts {
		c.words(s)
	}
}

func (k *Skyline) code(c *coder) {
	c.all(&k.Free, &k.Used, &k.Over, &k.Summary)
	c.number(&k.Even)
	list(c, &k.Wheres, c.words)
}

func (r *Row) code(c *coder) {
	c.all(&r.Group, &r.GroupCap, &r.Where, &r.Label, &r.Says, &r.Right, &r.Cap)
	c.flag(&r.First)
	c.number(&r.Bar.Room)
	c.number(&r.Bar.Over)
	c.number(&r.Bar.End)
	list(c, &r.Bar.Runs, func(u *Run) {
		c.number(&u.Tint)
		c.number(&u.X)
		c.all(&u.Shape, &u.Lines, &u.Label)
	})
}

func (t *Table) code(c *coder) {
	c.all(&t.Name, &t.Says, &t.Caption, &t.More)
	list(c, &t.Columns, func(k *Column) { c.words(&k.Label); c.flag(&k.Number) })
	list(c, &t.Rows, func(row *[]Cell) { list(c, row, func(e *Cell) { c.all(&e.Text, &e.Where, &e.Input) }) })
}

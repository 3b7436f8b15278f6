package kafkaconf

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
)

// RateUnit is what the rates of a [Series] count.
type RateUnit string

// The units of a rate.
const (
	RecordsPerSecond RateUnit = "records/s"
	BytesPerSecond   RateUnit = "bytes/s"
)

// Series is a partition's traffic over time, as read from CSV: pieces one after the other, without holes.
type Series struct {
	Unit     RateUnit
	Epoch    calc.Millis // of the first piece, since 1970; 0 when the file counts from its own start
	Absolute bool        // the file has dates, so Epoch means something
	Rows     int64       // that were used
	Pieces   []Piece
	Notices  []Notice // what was odd, and what was done about it
}

// Piece is a stretch of time with its share of the traffic. Merging rows into pieces keeps every total: the amounts add
// up to what the rows say, rounded down once.
type Piece struct {
	At     calc.Millis // since the start of the series
	Length calc.Millis // > 0
	Amount int64       // records or bytes in it
}

// Notice is something that a reader of the file should know.
type Notice struct {
	Line int64 // 0: the file as a whole
	Text string
	Key  string // the setting whose value it is about; "" when it is about something else
}

func (n Notice) String() string {
	if n.Line == 0 {
		return n.Text
	}
	return fmt.Sprintf("line %d: %s", n.Line, n.Text)
}

// SeriesOptions says how [ReadSeries] reads. The zero value is useful.
type SeriesOptions struct {
	MaxPieces int               // 0: 2,000
	Unit      RateUnit          // of a file that does not say; empty: such a file is refused
	Progress  func(bytes int64) // called now and then with what has been read; nil: not called
}

const (
	defaultMaxPieces = 2000
	seriesWindow     = 1 << 20 // rows held to put them in order
	seriesLineLimit  = 64 << 10
	seriesBuffer     = 256 << 10
	noticesPerKind   = 5 // lines named for each kind of oddity; the rest are counted
)

// ErrSeries is what every error of [ReadSeries] wraps that is about the file's content, not about reading it.
var ErrSeries = errors.New("not a traffic series")

// ReadSeries reads a traffic series: a CSV file with a column of times and a column of rates. A row's rate holds from its
// time to that of the next; the last row's for as long as the usual step.
//
// Times are ISO 8601, Unix seconds or finer, or counted from the start (90m, 1d12h, 5400). The header names the unit:
// records/s, bytes/s, MiB/s and so on. Columns are parted by comma, semicolon or tab. Rows out of order are sorted as long
// as they are within about a million rows of their place. Memory does not grow with the file.
func ReadSeries(r io.Reader, options SeriesOptions) (*Series, error) {
	if options.MaxPieces <= 0 {
		options.MaxPieces = defaultMaxPieces
	}
	s := seriesReader{options: options, reducer: reducer{limit: options.MaxPieces}}
	if err := s.read(r); err != nil {
		return nil, err
	}
	return s.finish()
}

// row is a line of the file that made sense.
type row struct {
	time calc.Millis
	rate int64 // in millionths of the unit, times the scale's denominator
	line int64
}

// seriesReader holds what is known while a file is read.
type seriesReader struct {
	options SeriesOptions
	line    int64
	layout  layout
	started bool // layout is known

	window    []row // rows not yet passed on
	disorder  bool  // window is not in the order in which rows are passed on
	backwards bool  // the file has its newest row first
	usual     calc.Millis
	flushed   bool
	last      row // passed on last, when flushed

	reducer reducer
	rows    int64
	first   calc.Millis
	tallies [kinds]tally
}

// read takes the file apart into lines.
func (s *seriesReader) read(r io.Reader) error {
	lines := newLineReader(r)
	progressed := int64(0)
	for {
		line, err := lines.next()
		s.line = lines.number
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, errLongLine):
			s.note(kindLong, "")
			continue
		case err != nil:
			return err
		}
		if err := s.take(line); err != nil {
			return err
		}
		if s.options.Progress != nil && lines.read-progressed >= 4<<20 {
			progressed = lines.read
			s.options.Progress(progressed)
		}
	}
}

// take reads one line.
func (s *seriesReader) take(line []byte) error {
	if len(line) == 0 || line[0] == '#' || line[0] <= ' ' && len(bytes.TrimSpace(line)) == 0 {
		return nil
	}
	if !s.started {
		header, err := s.layout.guess(line, s.options.Unit)
		if err != nil {
			return fmt.Errorf("%w: line %d: %w", ErrSeries, s.line, err)
		}
		s.started = s.layout.ready()
		if header {
			return nil
		}
	}
	timeCell, rateCell, ok := s.layout.cells(line)
	if !ok {
		s.note(kindShort, string(line))
		return nil
	}
	at, ok := s.layout.time(timeCell)
	if !ok {
		s.note(kindTime, string(timeCell))
		return nil
	}
	if isEmptyCell(rateCell) {
		s.note(kindEmpty, "")
		return nil
	}
	rate, ok := s.layout.rate(rateCell)
	if !ok {
		s.note(kindRate, string(rateCell))
		return nil
	}
	return s.add(row{at, rate, s.line})
}

// add puts a row into the window, and passes on the older half of a full one.
func (s *seriesReader) add(r row) error {
	if n := len(s.window); n > 0 && s.before(r, s.window[n-1]) {
		s.disorder = true
		s.note(kindOrder, "")
	}
	if s.flushed && s.before(r, s.last) {
		return fmt.Errorf("%w: line %d: its time comes more than %d rows late; sort the file by time first", ErrSeries, r.line, seriesWindow/2)
	}
	s.window = append(s.window, r)
	if len(s.window) < seriesWindow {
		return nil
	}
	if !s.flushed && s.disorder && s.isDescending() {
		s.backwards, s.disorder = true, false
	}
	s.sort()
	s.measureStep()
	if err := s.pass(s.window[:seriesWindow/2]); err != nil {
		return err
	}
	s.window = append(s.window[:0], s.window[seriesWindow/2:]...)
	return nil
}

// before reports whether row a is passed on ahead of row b.
func (s *seriesReader) before(a, b row) bool {
	if s.backwards {
		return a.time > b.time
	}
	return a.time < b.time
}

func (s *seriesReader) isDescending() bool {
	return slices.IsSortedFunc(s.window, func(a, b row) int { return cmp.Compare(b.time, a.time) })
}

// sort puts the window in order; rows of one time stay as the file has them.
func (s *seriesReader) sort() {
	if !s.disorder {
		return
	}
	order.Sort(s.window, func(a, b *row) int {
		if s.backwards {
			a, b = b, a
		}
		return cmp.Compare(a.time, b.time)
	})
	s.disorder = false
}

// measureStep finds the usual time between two rows: the median of the first steps that are longer than nothing.
func (s *seriesReader) measureStep() {
	if s.usual != 0 {
		return
	}
	steps := make([]calc.Millis, 0, 1000)
	for i := 1; i < len(s.window) && len(steps) < cap(steps); i++ {
		a, b := s.window[i-1].time, s.window[i].time
		if a != b {
			steps = append(steps, max(a-b, b-a))
		}
	}
	if len(steps) > 0 {
		order.Sort(steps, func(a, b *calc.Millis) int { return cmp.Compare(*a, *b) })
		s.usual = steps[(len(steps)-1)/2]
	}
}

// pass hands sorted rows to the reducer.
func (s *seriesReader) pass(rows []row) error {
	for _, r := range rows {
		switch {
		case !s.flushed:
			s.flushed, s.first, s.rows = true, r.time, 1
			if s.backwards {
				s.reducer.add(s.usual, r.rate)
			}
			s.last = r
		case r.time == s.last.time:
			s.noteAt(r.line, kindDuplicate, "")
			if !s.backwards {
				s.last = r // the later line counts; a file that runs backwards has passed its rate on
			}
		default:
			length := r.time - s.last.time
			rate := s.last.rate
			if s.backwards {
				length, rate = -length, r.rate
			}
			if length < 0 || length > maxSeriesSpan {
				return fmt.Errorf("%w: line %d: %s after the line before it", ErrSeries, r.line, showMillis(length))
			}
			if s.usual > 0 && length/3 > s.usual {
				s.noteAt(r.line, kindGap, showMillis(length))
			}
			s.reducer.add(length, rate)
			s.last = r
			s.rows++
		}
	}
	return nil
}

const maxSeriesSpan = 1000 * 365 * calc.Day

// finish passes on what is left and makes the series.
func (s *seriesReader) finish() (*Series, error) {
	if !s.started {
		return nil, fmt.Errorf("%w: the file has no rows", ErrSeries)
	}
	s.sort()
	s.measureStep()
	if err := s.pass(s.window); err != nil {
		return nil, err
	}
	switch {
	case s.rows == 0:
		return nil, fmt.Errorf("%w: no row could be read%s", ErrSeries, s.firstProblem())
	case s.rows == 1:
		return nil, fmt.Errorf("%w: only one row could be read, and a rate holds until the next row's time%s", ErrSeries, s.firstProblem())
	}
	if !s.backwards {
		s.reducer.add(s.usual, s.last.rate)
	}
	series := &Series{Unit: s.layout.unit, Absolute: s.layout.absolute(), Rows: s.rows}
	if series.Absolute {
		series.Epoch = s.first
		if s.backwards {
			series.Epoch = s.last.time
		}
	}
	pieces, ok := s.reducer.finish(uint64(s.layout.scale.den), s.backwards)
	if !ok {
		return nil, fmt.Errorf("%w: the traffic adds up to more than 2^63 %s", ErrSeries, strings.TrimSuffix(string(series.Unit), "/s"))
	}
	series.Pieces = pieces
	series.Notices = s.notices(series)
	return series, nil
}

// reducer merges neighbouring rows until no more than limit pieces are left, keeping every total.
type reducer struct {
	limit  int
	width  calc.Millis // pieces are merged while they are no longer than this together; 0: only equal rates are merged
	pieces []rawPiece
}

// rawPiece is a piece whose amount is in thousand millionths (a millionth a second, for a millisecond), times the scale's
// denominator, as a 128-bit number.
type rawPiece struct {
	length calc.Millis
	rate   int64 // of the whole piece, or -1 when it is not one
	hi, lo uint64
}

func (p *rawPiece) join(q rawPiece) {
	if p.rate != q.rate {
		p.rate = -1
	}
	p.length += q.length
	var carry uint64
	p.lo, carry = bits.Add64(p.lo, q.lo, 0)
	p.hi += q.hi + carry
}

// add appends a stretch of one rate.
func (r *reducer) add(length calc.Millis, rate int64) {
	next := rawPiece{length: length, rate: rate}
	next.hi, next.lo = bits.Mul64(uint64(rate), uint64(length))
	if n := len(r.pieces); n > 0 {
		last := &r.pieces[n-1]
		if last.rate == rate || last.length+length <= r.width {
			last.join(next)
			return
		}
	}
	if r.pieces = append(r.pieces, next); len(r.pieces) >= 4*r.limit {
		r.shrink(2 * r.limit)
	}
}

// shrink merges pieces until at most n are left. Short pieces go first, so that a burst is not spread over a long calm.
func (r *reducer) shrink(n int) {
	for len(r.pieces) > n {
		if r.width == 0 {
			r.width = math.MaxInt64
			for i := 1; i < len(r.pieces); i++ {
				r.width = min(r.width, r.pieces[i-1].length+r.pieces[i].length)
			}
		} else {
			r.width *= 2
		}
		kept := r.pieces[:1]
		for _, p := range r.pieces[1:] {
			last := &kept[len(kept)-1]
			if last.length+p.length <= r.width {
				last.join(p)
			} else {
				kept = append(kept, p)
			}
		}
		r.pieces = kept
	}
}

// finish gives the pieces with whole amounts. What rounding takes from one piece the next gets.
func (r *reducer) finish(denominator uint64, backwards bool) (pieces []Piece, ok bool) {
	r.shrink(r.limit)
	if backwards {
		slices.Reverse(r.pieces)
	}
	divisor := 1e9 * denominator
	at := calc.Millis(0)
	rest := uint64(0)
	total := int64(0)
	for _, p := range r.pieces {
		lo, carry := bits.Add64(p.lo, rest, 0)
		hi := p.hi + carry
		if hi >= divisor {
			return nil, false
		}
		var amount uint64
		amount, rest = bits.Div64(hi, lo, divisor)
		if amount > math.MaxInt64 || total > math.MaxInt64-int64(amount) {
			return nil, false
		}
		total += int64(amount)
		pieces = append(pieces, Piece{At: at, Length: p.length, Amount: int64(amount)})
		at += p.length
	}
	return pieces, true
}

// Total is what all pieces hold together.
func (s *Series) Total() int64 {
	total := int64(0)
	for _, p := range s.Pieces {
		total += p.Amount
	}
	return total
}

// Length is the time from the first row to the end of the last.
func (s *Series) Length() calc.Millis {
	last := s.Pieces[len(s.Pieces)-1]
	return last.At + last.Length
}

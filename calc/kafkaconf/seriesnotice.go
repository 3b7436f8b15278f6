package kafkaconf

import (
	"fmt"
	"strings"

	"github.com/partsize/partsize/calc"
)

// kind is a kind of oddity in a traffic series.
type kind int

const (
	kindOrder kind = iota
	kindDuplicate
	kindGap
	kindEmpty
	kindRate
	kindTime
	kindShort
	kindLong
	kinds
)

// tally counts one kind of oddity, and keeps the first few lines that have it.
type tally struct {
	count  int64
	lines  []int64
	sample string
}

func (s *seriesReader) note(k kind, sample string) { s.noteAt(s.line, k, sample) }

func (s *seriesReader) noteAt(line int64, k kind, sample string) {
	t := &s.tallies[k]
	if t.count++; t.count == 1 {
		t.sample = clip(sample, 40)
	}
	if len(t.lines) < noticesPerKind {
		t.lines = append(t.lines, line)
	}
}

// notices says for each kind of oddity what was seen and what was done.
func (s *seriesReader) notices(series *Series) []Notice {
	var out []Notice
	say := func(k kind, format string, args ...any) {
		t := s.tallies[k]
		if t.count == 0 {
			return
		}
		text := fmt.Sprintf(format, args...)
		if t.count > 1 {
			text += fmt.Sprintf(" (%s such lines: %s)", grouped(t.count), joinLines(t))
		}
		out = append(out, Notice{Line: t.lines[0], Text: text})
	}
	sample := func(k kind) string { return s.tallies[k].sample }
	say(kindOrder, "its time comes before that of the line above; the rows were put in order")
	say(kindDuplicate, "the same time as another line; the later line counts")
	say(kindGap, "no rows for %s before it, where %s is usual; the rate before the gap was kept. Add a row with 0 if nothing came", sample(kindGap), showMillis(s.usual))
	say(kindEmpty, "no rate; the row was left out, so the rate before it goes on")
	say(kindRate, "%q is not a rate; the row was left out, so the rate before it goes on", sample(kindRate))
	say(kindTime, "%q is not a time; the row was left out", sample(kindTime))
	say(kindShort, "%q has too few columns; the row was left out", sample(kindShort))
	say(kindLong, "longer than %d bytes; the row was left out", seriesLineLimit)
	out = append(out, s.layout.notices...)
	if n := int64(len(series.Pieces)); s.reducer.width > 0 {
		out = append(out, Notice{Text: fmt.Sprintf("%s rows were merged into %s pieces of up to %s each; totals are kept, bursts shorter than that are averaged",
			grouped(s.rows), grouped(n), showMillis(s.reducer.width))})
	}
	return out
}

// firstProblem says, for an error, what was wrong with the first row that was left out.
func (s *seriesReader) firstProblem() string {
	first := Notice{}
	for _, n := range s.notices(&Series{}) {
		if n.Line > 0 && (first.Line == 0 || n.Line < first.Line) {
			first = n
		}
	}
	if first.Line == 0 {
		return ""
	}
	return "; " + first.String()
}

func joinLines(t tally) string {
	var b strings.Builder
	for i, line := range t.lines {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprint(&b, line)
	}
	if t.count > int64(len(t.lines)) {
		b.WriteString(", …")
	}
	return b.String()
}

// grouped writes a number with commas between its thousands.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for i := len(text) - 3; i > 0 && text[i-1] != '-'; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// clip shortens text that is quoted in a message.
func clip(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	return strings.ToValidUTF8(text[:limit], "") + "…"
}

// showMillis writes a duration in its largest units, such as 1d12h or 250ms.
func showMillis(m calc.Millis) string {
	if m < 0 {
		return "-" + showMillis(-m)
	}
	var b strings.Builder
	for _, u := range []struct {
		size calc.Millis
		name string
	}{{calc.Day, "d"}, {calc.Hour, "h"}, {calc.Minute, "m"}, {calc.Second, "s"}, {1, "ms"}} {
		if n := m / u.size; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, u.name)
			m %= u.size
		}
	}
	if b.Len() == 0 {
		return "0ms"
	}
	return b.String()
}

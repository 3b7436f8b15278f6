package report

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/partsize/partsize/calc"
)

// width is that of a terminal.
const width = 80

// Text is the answer for a terminal: the answer in a sentence, what was given, a table of the peak, the steady state, the
// worst case, and the first events.
func Text(a *calc.Answer, o Options) []byte {
	p := printer{}
	p.paragraph("", plainSpaces(Sentence(a).String()))
	p.given(o.Input)
	p.peak(a.Timeline)
	p.remote(a)
	p.steady(a.Timeline)
	p.figures(a.Timeline)
	p.disk(a, o.Input)
	p.worst(a)
	p.findings(a)
	p.changes(a)
	p.events(a.Timeline, o.Events)
	p.notFollowed(a.NotFollowed)
	return p.out
}

// printer writes lines of at most 80 characters.
type printer struct{ out []byte }

func (p *printer) line(format string, args ...any) {
	p.out = append(p.out, strings.TrimRight(plainSpaces(fmt.Sprintf(format, args...)), " ")...)
	p.out = append(p.out, '\n')
}

// paragraph breaks a text into lines; all but the first are indented as much as the lead is long.
func (p *printer) paragraph(lead, text string) {
	at := utf8.RuneCountInString(lead)
	indent := strings.Repeat(" ", at)
	line := lead
	used := at
	for i, word := range phrases(text) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case used+1+n > width:
			p.line("%s", line)
			line, used = indent, at
		default:
			line += " "
			used++
		}
		line += word
		used += n
	}
	p.line("%s", line)
}

// phrases parts a text at its spaces, but for those between a number and its unit.
func phrases(text string) []string {
	var out []string
	for _, word := range strings.Fields(text) {
		if n := len(out); n > 0 && isUnit(word) && out[n-1][len(out[n-1])-1] >= '0' && out[n-1][len(out[n-1])-1] <= '9' {
			out[n-1] += " " + word
			continue
		}
		out = append(out, word)
	}
	return out
}

func isUnit(word string) bool {
	switch word = strings.TrimRight(word, ".,;:)"); strings.TrimSuffix(word, "/s") {
	case "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB", "kB", "MB", "GB", "TB", "PB", "d", "h", "min", "s", "ms", "%":
		return true
	}
	return false
}

// pad fills a text up with blanks, to the left where n is negative.
func pad(text string, n int) string {
	text = plainSpaces(text)
	fill := max(0, max(n, -n)-utf8.RuneCountInString(text))
	if n < 0 {
		return strings.Repeat(" ", fill) + text
	}
	return text + strings.Repeat(" ", fill)
}

// given shows what was asked for, each figure in both its units.
func (p *printer) given(in calc.Input) {
	began := false
	for key, text := range in.Changed() {
		if !began {
			p.line("")
			p.line("given")
			began = true
		}
		shown := text
		if utf8.RuneCountInString(shown) > 24 {
			shown = string([]rune(shown)[:23]) + "…"
		}
		line := fmt.Sprintf("  %s %s ", pad(key, 34), pad(shown, 16))
		exact, rounded := inBothUnits(key, text)
		if both := exact + ", " + rounded; rounded != "" && utf8.RuneCountInString(line+both) <= width {
			exact = both
		}
		if utf8.RuneCountInString(line+exact) > width {
			exact = ""
		}
		p.line("%s%s", line, exact)
	}
}

// inBothUnits is a setting's value to the last byte or millisecond, and a size in decimal units.
func inBothUnits(key, text string) (exact, rounded string) {
	row, synonym, ok := calc.SettingOf(key)
	if !ok {
		return "", ""
	}
	if synonym != nil && synonym.Unit > 1 {
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			return "", ""
		}
		return calc.Millis(n * synonym.Unit).Exact(), ""
	}
	switch row.Kind {
	case calc.KindSize:
		if n, err := calc.ParseBytes(text); err == nil {
			if n < 1000 {
				return n.Exact(), ""
			}
			return n.Exact(), n.Decimal()
		}
	case calc.KindDuration:
		if n, err := calc.ParseMillis(text); err == nil && text == n.Text() {
			return n.Exact(), ""
		} else if err == nil {
			return n.String(), ""
		}
	}
	return "", ""
}

// peak shows the most of each way of counting.
func (p *printer) peak(t *calc.Timeline) {
	most := t.Peak()
	p.line("")
	p.line("%s%s  %s %s  %s", pad("peak, by tool", 26), pad("bytes", -18), pad("", -9), pad("", -8), "after")
	for _, row := range []struct {
		name string
		calc.Moment
	}{{"log       kafka-log-dirs", most.Log}, {"files     du --apparent", most.Apparent}, {"blocks    du", most.Allocated}, {"remote    the remote store", most.Remote}} {
		if row.Bytes == 0 && row.name[0] == 'r' {
			continue // not tiered
		}
		p.line("%s%s  %s %s  %s", pad(row.name, 26), pad(strings.TrimSuffix(row.Bytes.Exact(), "\u00a0B"), -18),
			pad(row.Bytes.String(), -9), pad(row.Bytes.Decimal(), -8), Span(row.At))
	}
}

// steady shows what the log swings between.
func (p *printer) steady(t *calc.Timeline) {
	b, ok := t.Band()
	if !ok {
		return
	}
	p.line("")
	p.line("%s%s %s  since %s", pad("then between", 26), pad("least", -18), pad("and most", -11), Span(b.Since))
	for _, row := range []struct {
		name string
		calc.Range[calc.Bytes]
	}{{"log", b.Log}, {"files", b.Apparent}, {"blocks", b.Allocated}} {
		numbers, unit := SizeRange(row.Low, row.High)
		low, high, two := strings.Cut(numbers, space+"–"+space)
		if !two { // one unit for both
			if low, high, two = strings.Cut(numbers, "–"); !two {
				high = low
			}
			low += " " + unit
		}
		p.line("%s%s %s", pad(row.name, 26), pad(low, -18), pad(high+" "+unit, -11))
	}
}

// figures shows ages, counts and files.
func (p *printer) figures(t *calc.Timeline) {
	ages, counts := t.Ages(), t.Counts()
	p.line("")
	for _, row := range []struct {
		name string
		calc.Range[calc.Millis]
	}{{"oldest record, readable", ages.Readable}, {"oldest record on disk", ages.OnDisk}} {
		if row.Empty() || t.Peak().Log.Bytes == 0 {
			continue
		}
		low, high := Spans(row.Low, row.High)
		if low != high {
			low += " to " + high
		}
		p.line("%s%s", pad(row.name, 26), low)
	}
	p.line("%s%s, %s, %s", pad("at the most", 26), count(counts.Segments, "segment"), count(counts.OpenFiles, "open file"), count(counts.MemoryMaps, "memory map"))
	p.paragraph(pad("segments rolled", 26), tally(counts.Rolls, counts.RollsBy))
	p.paragraph(pad("segments deleted", 26), tally(counts.Deletions, counts.DeletionsBy))
	if counts.Rejected > 0 {
		p.line("%s%s", pad("appends refused", 26), Number(counts.Rejected))
	}
}

// tally is a number, and by which settings it came.
func tally(n int64, by calc.Tally) string {
	var reasons []string
	for _, r := range by {
		if len(by) > 1 {
			reasons = append(reasons, Number(r.Count)+" "+string(r.Reason))
		} else {
			reasons = append(reasons, string(r.Reason))
		}
	}
	if len(reasons) == 0 {
		return Number(n)
	}
	return Number(n) + ", by " + strings.Join(reasons, ", ")
}

// worst shows the closed bound with this scenario's numbers, and the short formula beside it.
func (p *printer) worst(a *calc.Answer) {
	p.line("")
	bound, when := a.Bound, "whenever the checks fall"
	if a.Scenario.Log().Compact {
		bound, when = a.Compacted, "while the cleaner keeps up"
	}
	if bound.OK {
		p.line("%s%s of records, %s:", pad("worst case", 26), bound.OnDisk.String(), when)
		for _, t := range bound.Terms {
			p.paragraph("  "+pad(t.Bytes.String(), -10)+"  ", t.Formula)
		}
	} else {
		p.paragraph(pad("worst case", 26), "none: "+bound.Why)
	}
	if !a.Short.OK {
		return
	}
	p.paragraph(pad("by hand", 26), a.Short.Formula+" = "+a.Short.OnDisk.String())
	if a.Short.Differs {
		p.paragraph(pad("", 26), "differs from the peak by more than 10 %: "+strings.Join(a.Short.Why, "; "))
	}
}

// findings says what the reader should know and may not have asked, warnings with a mark.
func (p *printer) findings(a *calc.Answer) {
	for i, f := range Findings(a) {
		if i == 0 {
			p.line("")
			p.line("worth knowing")
		}
		lead := "  - "
		if f.Warn {
			lead = "  ! "
		}
		text := f.Title + ". " + f.Words.String()
		for i, fix := range f.Fixes {
			text += [...]string{" Try ", " or "}[min(i, 1)] + fix.Key + "=" + fix.Value
		}
		if len(f.Fixes) > 0 {
			text += "."
		}
		p.paragraph(lead, plainSpaces(text))
	}
}

// changes says what the changes of retention free, and when.
func (p *printer) changes(a *calc.Answer) {
	for i, c := range ChangesOf(a) {
		if i == 0 {
			p.line("")
			p.line("changes of retention, after")
		}
		p.paragraph("  "+pad(clock(c.At, calc.Second, true), 24), c.settings()+". "+plainSpaces(c.Answer.String()))
		for _, s := range c.Steps {
			p.paragraph("    + "+pad(s.In, 20), plainSpaces(s.What))
		}
	}
}

// settings is what a change of retention sets.
func (c *Change) settings() string {
	var sets []string
	if c.From.RetentionMs != c.To.RetentionMs {
		sets = append(sets, "retention.ms="+c.To.RetentionMs.Text())
	}
	if c.From.RetentionBytes != c.To.RetentionBytes {
		sets = append(sets, "retention.bytes="+c.To.RetentionBytes.Text())
	}
	return strings.Join(sets, " ")
}

// Outline asks [Text] for the events that say most: the first few, and those from the first deletion on.
const Outline = -1

// How many events an outline has.
const (
	outlineStart    = 3
	outlineDeletion = 5
)

// events lists events: the first so many, or an outline.
func (p *printer) events(t *calc.Timeline, limit int64) {
	counts := t.Counts()
	if limit == 0 || counts.Events == 0 {
		return
	}
	p.line("")
	p.line("%s %s %s   %s", pad("events, after", 26), pad("what", 10), pad("base offset", -20), "by")
	first := counts.FirstDeletion
	if limit > 0 || first == calc.Never || counts.Events <= outlineStart+outlineDeletion {
		if limit < 0 {
			limit = outlineStart + outlineDeletion
		}
		p.more(counts.Events - p.eventsFrom(t, 0, t.Until(), limit))
		return
	}
	if p.eventsFrom(t, 0, first-1, outlineStart) == outlineStart {
		p.line("  …")
	}
	p.eventsFrom(t, first, t.Until(), outlineDeletion)
	p.line("  … of %s", Number(counts.Events))
}

func (p *printer) more(n int64) {
	if n > 0 {
		p.line("  … %s more", Number(n))
	}
}

// eventsFrom lists so many events from one time to another, and says how many it listed.
func (p *printer) eventsFrom(t *calc.Timeline, from, to calc.Millis, limit int64) (shown int64) {
	for e := range t.Events(from, to) {
		base := ""
		if hasBase(e) {
			base = strconv.FormatInt(int64(e.Base), 10)
		}
		p.line("  %s %s %s   %s", pad(Clock(e.At, 1), 26), pad(e.Kind.String(), 10), pad(base, -20), e.Reason)
		if shown++; shown >= limit {
			break
		}
	}
	return shown
}

// notFollowed names the settings that the model does not follow.
func (p *printer) notFollowed(settings []calc.NotFollowed) {
	if len(settings) == 0 {
		return
	}
	p.line("")
	p.line("not followed")
	for _, n := range settings {
		p.paragraph("  "+n.Key+"=", clipText(n.Value, 40)+": "+n.Why)
	}
}

func clipText(text string, limit int) string {
	if r := []rune(text); len(r) > limit {
		return string(r[:limit-1]) + "…"
	}
	return text
}

// ProblemText is what is wrong with a setting, and the way out, in a line.
func ProblemText(e *calc.FieldError) string { return plainSpaces(e.Error()) }

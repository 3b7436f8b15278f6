package report

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

// Commit only what you can explain.
var update = flag.Bool("update", false, "rewrite the golden files of the page")

// drawn is the chart of an answer, as one that has all the time.
func drawn(a *calc.Answer, w Window) Chart {
	c, _ := ChartWith(a, NewLook(a.Timeline), w, nil)
	return c
}

// filmed is its film.
func filmed(a *calc.Answer, w Window) (Film, bool) {
	return FilmWith(NewLook(a.Timeline), w, nil)
}

// pages are scenarios whose page is kept as text: what is said and what is drawn.
var pages = []struct {
	name  string
	pairs []string
	focus Focus
}{
	{"defaults", nil, FocusPeak},
	{"defaults-all", nil, FocusAll},
	{"size-bound", []string{"produce", "5MiB/s", "retention.bytes", "50GiB", "horizon", "4h", "partitions", "12", "replication.factor", "3"}, FocusPeak},
	{"size-bound-first", []string{"produce", "5MiB/s", "retention.bytes", "50GiB", "horizon", "4h"}, FocusFirst},
	{"trickle", []string{"produce", "5KiB/s", "retention.ms", "1h"}, FocusPeak},
	{"empty", []string{"produce", "0/s"}, FocusPeak},
	{"unlimited", []string{"retention.ms", "-1", "horizon", "3d"}, FocusPeak},
	{"too-short", []string{"horizon", "2d"}, FocusPeak},
	{"segment-above-retention", []string{"retention.bytes", "100MiB", "horizon", "6h"}, FocusPeak},
	{"ahead", []string{"timestamp.shift", "30min", "retention.ms", "2h", "horizon", "1d"}, FocusPeak},
	{"restart", []string{"steps", "6h restart 60s; 8h retention.ms=1h", "horizon", "12h"}, FocusAll},
	{"year", []string{"produce", "10MiB/s", "horizon", "365d"}, FocusAll},
}

func TestPages(t *testing.T) {
	for _, p := range pages {
		t.Run(p.name, func(t *testing.T) {
			a := defaults(t, p.pairs...)
			got := dump(&a, p.focus)
			name := filepath.Join("testdata", "page", p.name+".txt")
			if *update {
				require.NoError(t, os.WriteFile(name, []byte(got), 0o644))
			}
			want, err := os.ReadFile(name)
			require.NoError(t, err)
			assert.Equal(t, string(want), got)
		})
	}
}

// dump is a page as text, for the eye.
func dump(a *calc.Answer, f Focus) string {
	var b strings.Builder
	say := func(format string, v ...any) { fmt.Fprintf(&b, format+"\n", v...) }
	say("%s", plainSpaces(Sentence(a).String()))
	say("\nfindings")
	for _, f := range Findings(a) {
		say("  %t %s: %s %v", f.Warn, f.Title, plainSpaces(f.Words.String()), f.Fixes)
	}
	for _, of := range receipts {
		r := ReceiptOf(a, of)
		say("\n%s %s", r.Title, r.Unit)
		for _, l := range append(r.Lines, r.Total) {
			say("  %14s  %-80s %d %s", plainSpaces(l.Amount), plainSpaces(strings.TrimSpace(l.What+", "+l.Note+" "+l.Key)), l.Value, l.Rule)
		}
		for _, n := range r.Notes {
			say("  %s", plainSpaces(n.String()))
		}
	}
	w, _ := WindowFor(a, f)
	c := drawn(a, w)
	say("\nwindow %s to %s, brush %.2f %.2f", plainSpaces(Clock(w.From, 1)), plainSpaces(Clock(w.To, 1)), c.Brush[0], c.Brush[1])
	for _, p := range []struct {
		name string
		plot *Plot
	}{{"overview", &c.Overview}, {"detail", &c.Detail}} {
		say("\n%s, broken %t", p.name, p.plot.Broken)
		for _, t := range p.plot.Sizes {
			say("  %7.2f px %s", t.At, plainSpaces(t.Label))
		}
		for _, t := range p.plot.Times {
			say("  %7.2f %%  %s %t", t.At, plainSpaces(t.Label), t.Minor)
		}
		for _, l := range p.plot.Limits {
			say("  limit %s %.2f px", l.Key, l.Y)
		}
		for _, m := range p.plot.Marks {
			say("  mark %.2f %% %s %s", m.X, m.Label, m.Key)
		}
		if k := p.plot.Peak; k != nil {
			say("  peak %.2f %% %.2f px %s", k.X, k.Y, plainSpaces(k.Label))
		}
		for _, d := range []struct{ name, d string }{
			{"log", p.plot.Log}, {"indexes", p.plot.Indexes}, {"awaiting", p.plot.Awaiting},
			{"least", p.plot.Least}, {"swing", p.plot.Swing}, {"total", p.plot.Total},
		} {
			if d.d != "" {
				say("  %s %s", d.name, d.d)
			}
		}
		if p.plot.Summary != "" {
			say("  %s", plainSpaces(p.plot.Summary))
		}
	}
	if f, ok := filmed(a, w); ok {
		if len(f.Bars) > filmPattern {
			f.Bars = nil
		}
		say("\nfilm, %.2f px, a row for %d", f.Height, f.Every)
		if f.Still != nil {
			say("  still %.2f px %s", f.Still.Y, plainSpaces(f.Still.Label))
		}
		for _, d := range []struct{ name, d string }{{"active", f.Active}, {"closed", f.Closed}, {"past", f.Past}, {"waiting", f.Waiting}} {
			if len(d.d) > 3000 {
				d.d = fmt.Sprintf("%s… %d bytes", d.d[:200], len(d.d))
			}
			if d.d != "" {
				say("  %s %s", d.name, d.d)
			}
		}
		for _, b := range f.PastBars {
			say("  past %.2f", b)
		}
		for _, b := range f.WaitingBars {
			say("  waiting %.2f", b)
		}
		for _, b := range f.Bars {
			say("  row %d %.2f", b.Base, b.Bar)
		}
		say("  %s", plainSpaces(f.Summary))
	}
	look := NewLook(a.Timeline)
	m := MomentOf(look, w, a.Timeline.Peak().Allocated.At, false)
	say("\n%s, total %s, %d files, %d segments hidden", plainSpaces(m.Clock), plainSpaces(m.Total), m.All, m.Hidden)
	for _, f := range m.Files {
		if f.Gap {
			say("  …")
			continue
		}
		say("  %16s %s|%s %s", plainSpaces(f.Bytes), f.Zeros, f.Name, plainSpaces(f.Note))
	}
	for _, t := range m.Tools {
		say("  %-18s %s, %s, %s", t.Name, plainSpaces(t.Size), plainSpaces(t.Exact), plainSpaces(t.Note))
	}
	for _, e := range m.Next {
		say("  %s: %s %s", plainSpaces(e.In), plainSpaces(e.What), e.Key)
	}
	if y, ok := StayOf(a, look, m.At, -1, -1, nil); ok {
		say("\nwhy: %s", plainSpaces(y.Answer.String()))
		say("  %s", plainSpaces(y.Facts.String()))
		for _, p := range y.Phases {
			say("  %s %s | %s | %s", p.Label, plainSpaces(p.Early), plainSpaces(p.At), plainSpaces(p.Late))
		}
		for _, c := range y.Choices {
			say("  choice %s", plainSpaces(c.Label))
		}
		for _, step := range y.Steps {
			say("  %t %s %s", step.Now, plainSpaces(step.Words.String()), step.Key)
		}
	}
	return b.String()
}

// Whatever the scenario and the window, what is drawn lies in the drawing, the marks on the axes are few and differ, and
// the directory adds up to what the tools report.
func TestDrawingsAndDirectories(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := random(t)
		until := a.Timeline.Until()
		from := calc.Millis(rapid.Int64Range(0, int64(until)).Draw(t, "from"))
		w := Window{from, calc.Millis(rapid.Int64Range(int64(from), int64(until)).Draw(t, "to"))}
		c := drawn(&a, w)
		for _, p := range []*Plot{&c.Overview, &c.Detail} {
			for _, d := range []string{p.Log, p.Indexes, p.Awaiting, p.Least, p.Swing, p.Total} {
				inside(t, d, p.Height)
			}
			require.LessOrEqual(t, len(p.Times), 14)
			labels := map[string]bool{}
			for _, s := range p.Sizes {
				require.False(t, labels[s.Label], s.Label)
				labels[s.Label] = true
				require.GreaterOrEqual(t, s.At, -0.01)
				require.LessOrEqual(t, s.At, p.Height+0.01)
			}
			require.LessOrEqual(t, len(p.Sizes), 12)
		}
		if f, ok := filmed(&a, w); ok {
			for _, d := range []string{f.Active, f.Closed, f.Past, f.Waiting} {
				inside(t, d, f.Height)
			}
			for _, b := range append(f.PastBars, f.WaitingBars...) {
				require.True(t, b.X >= 0 && b.X+b.Width <= 100.001 && b.Y >= 0 && b.Y+b.Height <= f.Height, b)
			}
			require.LessOrEqual(t, f.Height, 220.0)
		}
		at := w.At(rapid.Float64Range(0, 1).Draw(t, "at"))
		look := NewLook(a.Timeline)
		m := MomentOf(look, w, at, true)
		if m.Hidden == 0 {
			var sum int64
			for _, f := range m.Files {
				n, err := strconv.ParseInt(strings.ReplaceAll(f.Bytes, "\u202f", ""), 10, 64)
				require.NoError(t, err)
				sum += n
			}
			require.Equal(t, int64(m.Usage.Apparent), sum)
			require.Equal(t, int(m.All), len(m.Files))
		}
		if y, ok := StayOf(&a, look, at, calc.Offset(rapid.Int64Range(-1, 1000).Draw(t, "asked")), calc.Offset(rapid.Int64Range(-1, 1000).Draw(t, "record")), nil); ok {
			require.NotEmpty(t, y.Answer)
			require.True(t, slices.ContainsFunc(y.Steps, func(s StayStep) bool { return s.Now }))
			if y.Record < 0 {
				require.True(t, y.Steps[0].Now)
			}
		}
		k := CursorOf(look, &c, at)
		require.GreaterOrEqual(t, k.X, 0.0)
		require.LessOrEqual(t, k.X, 100.0)
	})
}

// Every segment's states follow each other, and add up to what the totals say at each instant.
func TestFilmAgreesWithTheTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := random(t)
		until := a.Timeline.Until()
		w := Window{calc.Millis(rapid.Int64Range(0, int64(until)).Draw(t, "from")), until}
		lives, ok := livesIn(a.Timeline.At(w.From), w, nil)
		if !ok {
			return // too much happens
		}
		for i := range lives {
			l := &lives[i]
			require.LessOrEqual(t, l.closed, l.deleted)
			require.LessOrEqual(t, l.deleted, l.ending)
			if i > 0 {
				require.LessOrEqual(t, lives[i-1].begin, max(l.begin, w.From))
			}
		}
		at := w.At(rapid.Float64Range(0, 1).Draw(t, "at"))
		var live, waiting, there, waits int
		for _, l := range a.Timeline.At(at).Lives() {
			if l.Deleted {
				waiting++
			} else {
				live++
			}
		}
		for _, l := range lives {
			switch {
			case l.begin > at || l.ending <= at:
			case l.deleted <= at:
				waits++
			default:
				there++
			}
		}
		require.Equal(t, live, there, "at %d", at)
		for e := range a.Timeline.Events(0, at) {
			if e.Kind == calc.Replace {
				return // files of one name replace each other
			}
		}
		require.Equal(t, waiting, waits, "at %d", at)
	})
}

// inside walks a path and requires each point to lie in the plot.
func inside(t *rapid.T, d string, height float64) {
	var x, y int
	for _, step := range strings.FieldsFunc(strings.NewReplacer("M", "|M", "l", "|l", "h", "|h", "v", "|v", "z", "").Replace(d), func(r rune) bool { return r == '|' }) {
		numbers := strings.Fields(strings.ReplaceAll(step[1:], "-", " -"))
		n := make([]int, len(numbers))
		for i, s := range numbers {
			v, err := strconv.Atoi(s)
			require.NoError(t, err, step)
			n[i] = v
		}
		switch step[0] {
		case 'M':
			x, y = n[0], n[1]
		case 'l':
			x, y = x+n[0], y+n[1]
		case 'h':
			x += n[0]
		case 'v':
			y += n[0]
		}
		require.True(t, -1 <= x && x <= pathWidth+1 && -1 <= y && y <= int(height*pathHeight)+1, "%d,%d of %s", x, y, step)
	}
}

// random is the answer to a random scenario of moderate size.
func random(t *rapid.T) calc.Answer {
	in := calc.Defaults()
	draw := func(key string, values ...string) {
		if v := rapid.SampledFrom(append(values, "")).Draw(t, key); v != "" {
			_ = in.Set(key, v)
		}
	}
	draw("produce", "0/s", "1B/s", "10KiB/s", "1MiB/s", "50MiB/s", "3 records/s")
	draw("horizon", "1", "1s", "90s", "7min", "6h", "3d", "30d")
	draw("retention.ms", "-1", "0", "1", "1min", "1h", "1d")
	draw("retention.bytes", "0", "1MiB", "300MiB", "10GiB")
	draw("segment.bytes", "1MiB", "7MiB", "100MiB")
	draw("segment.ms", "1s", "10min", "1d")
	draw("file.delete.delay.ms", "0", "1h")
	draw("log.retention.check.interval.ms", "1s", "1h")
	draw("segment.index.bytes", "12", "1000")
	draw("preallocate", "true")
	draw("timestamp.shift", "-1d", "30min")
	draw("steps", "1h delete-topic", "30s restart 10s", "10min delete-records 5")
	draw("partitions", "3")
	s, err := calc.NewScenario(in)
	if err == nil && s.EventBound() > 100_000 {
		_ = in.Set("horizon", "7min")
		s, err = calc.NewScenario(in)
	}
	if err != nil || s.EventBound() > 100_000 {
		s, _ = calc.NewScenario(calc.Defaults())
	}
	return calc.Run(s)
}

// Halving and doubling settings: what counts most comes first, and a limit that is off is not scaled.
func TestSensitivities(t *testing.T) {
	in := calc.Defaults()
	_ = in.Set("retention.ms", "1d")
	_ = in.Set("horizon", "7d")
	s, err := calc.NewScenario(in)
	require.NoError(t, err)
	a := calc.Run(s)
	rows, still, ok := Sensitivities(in, a.Timeline.Peak().Allocated.Bytes, func(s calc.Scenario) (calc.Answer, bool) { return calc.Run(s), true })
	require.True(t, ok)
	assert.ElementsMatch(t, []string{"produce", "retention.ms"}, []string{rows[0].Key, rows[1].Key})
	for _, r := range rows {
		assert.NotEqual(t, "retention.bytes", r.Key)
	}
	assert.Equal(t, "2MiB/s", rows[0].Double.Value)
	// Every setting that has a value to take half of is there, or among those that change nothing.
	said := map[string]bool{"horizon": false}
	for _, r := range rows {
		said[r.Key] = true
	}
	for _, key := range still {
		require.False(t, said[key], key)
		said[key] = true
	}
	for _, key := range []string{"segment.bytes", "segment.ms", "log.retention.check.interval.ms", "file.delete.delay.ms", "index.interval.bytes", "record.value",
		"batch.size", "linger.ms", "producers", "segment.index.bytes", "max.message.bytes", "message.timestamp.after.max.ms", "log.initial.task.delay.ms",
		"producer.id.expiration.ms", "horizon"} {
		assert.True(t, said[key], key)
	}
	assert.Contains(t, still, "segment.ms", "segments roll by size long before")
	_, _, ok = Sensitivities(in, 1, func(calc.Scenario) (calc.Answer, bool) { return calc.Answer{}, false })
	assert.False(t, ok)
}

// Looking in any order finds what the timeline says.
func TestLook(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := random(t)
		l := NewLook(a.Timeline)
		for range 12 {
			at := calc.Millis(rapid.Int64Range(0, int64(a.Timeline.Until())).Draw(t, "at"))
			want := a.Timeline.At(at)
			got := l.At(at)
			require.Equal(t, want.Usage(), got.Usage())
			require.Equal(t, want.Directory(), got.Directory())
		}
	})
}

func TestClock(t *testing.T) {
	for _, c := range []struct {
		m    calc.Millis
		span string
	}{
		{0, "0 ms"}, {1, "1 ms"}, {999, "999 ms"}, {1000, "1 s"}, {9999, "9 s 999 ms"}, {10_400, "10 s"}, {calc.Minute, "1 min"},
		{6*calc.Minute + 5*calc.Second, "6 min 05 s"}, {22*calc.Minute + 4*calc.Second, "22 min"}, {calc.Hour, "1 h"},
		{2*calc.Hour + 51*calc.Minute + 30*calc.Second, "2 h 52 min"}, {7 * calc.Day, "7 d"}, {7*calc.Day + 30*calc.Minute, "7 d 1 h"},
		{365 * calc.Day, "365 d"}, {calc.Never, "never"},
	} {
		assert.Equal(t, c.span, plainSpaces(Span(c.m)))
	}
	a, b := Spans(7*calc.Day, 7*calc.Day+22*calc.Minute)
	assert.Equal(t, "7 d – 7 d 0 h 22 min", plainSpaces(a+" – "+b))
	numbers, unit := SizeRange(592*calc.GiB+700*calc.MiB, 593*calc.GiB+900*calc.MiB)
	assert.Equal(t, "592.7–593.9 GiB", numbers+" "+unit)
	numbers, unit = SizeRange(0, 10)
	assert.Equal(t, "0–10 B", numbers+" "+unit)
}

// Arrow keys go through values that the setting takes, up and down again.
func TestStepped(t *testing.T) {
	for _, s := range calc.Settings() {
		text := s.Default
		for range 5 {
			to, ok := Stepped(&s, text, true)
			if !ok {
				break
			}
			in := calc.Defaults()
			assert.NoError(t, in.Set(s.Key, to), s.Key)
			assert.NotEqual(t, text, to, s.Key)
			text = to
		}
	}
	row, _, _ := calc.SettingOf("retention.ms")
	to, _ := Stepped(&row, "7d", true)
	assert.Equal(t, "14d", to)
	to, _ = Stepped(&row, "7d", false)
	assert.Equal(t, "6d", to)
	_, ok := Stepped(&row, "soon", true)
	assert.False(t, ok)
}

// Every setting says what it takes, and its default reads as it should.
func TestReadings(t *testing.T) {
	for _, s := range calc.Settings() {
		assert.NotPanics(t, func() { Bounds(&s); Versions(&s); Synonyms(&s) })
		for _, text := range []string{s.Default, "-1", "-2", "", "1.5", "7d", "1GiB", "null", "x\x00"} {
			assert.NotPanics(t, func() { Reading(&s, text) })
		}
	}
	for _, c := range []struct{ key, text, want string }{
		{"retention.ms", "7d", "7 days · 604 800 000 ms"}, {"retention.ms", "168h", "7 days · 604 800 000 ms"}, {"retention.ms", "-1", "no limit"},
		{"retention.ms", "unlimited", "no limit"}, {"retention.ms", "100", "100 ms"}, {"segment.bytes", "1GiB", "1 GiB · 1 073 741 824 B"},
		{"segment.bytes", "100", "100 B"}, {"remote.log.manager.copy.max.bytes.per.second", "9223372036854775807", "no limit"}, {"produce", "1MiB/s", "1 MiB/s · 1 048 576 B/s"}, {"retention.ms", "soon", ""},
	} {
		row, _, _ := calc.SettingOf(c.key)
		assert.Equal(t, c.want, plainSpaces(Reading(&row, c.text)), "%s=%s", c.key, c.text)
	}
}

// The table of a window with many events has the least and the most of each span: what is on disk at any instant of it lies
// between them.
func TestTableOfManyEvents(t *testing.T) {
	for name, pairs := range map[string][]string{
		"played":   {"produce", "10MiB/s", "segment.bytes", "64MiB", "retention.ms", "1h", "horizon", "5h"},
		"envelope": {"produce", "10MiB/s", "horizon", "365d"},
	} {
		a := defaults(t, pairs...)
		w := Window{a.Timeline.Until() / 10, a.Timeline.Until() / 2}
		if name == "envelope" {
			w = Window{0, a.Timeline.Until()}
		}
		rows := Table(&a, w)
		require.Greater(t, len(rows), 3, name)
		require.LessOrEqual(t, len(rows), 14, name)
		low, high := calc.Bytes(1<<62), calc.Bytes(0)
		for i, r := range rows {
			require.NotEmpty(t, r.Total, name)
			if i > 0 {
				require.Greater(t, r.At, rows[i-1].At)
			}
		}
		for at := w.From; at <= w.To; at += (w.To - w.From) / 97 {
			total := a.Timeline.At(at).Usage().Allocated
			low, high = min(low, total), max(high, total)
		}
		c := drawn(&a, w)
		require.GreaterOrEqual(t, low, c.Detail.Low, name)
		require.LessOrEqual(t, high, c.Detail.High, name)
		rough := RoughChart(&a, NewLook(a.Timeline), w)
		require.LessOrEqual(t, rough.Detail.Low, c.Detail.Low, name)
		require.GreaterOrEqual(t, rough.Detail.High, c.Detail.High, name)
	}
}

// What is played in slices and given up in between is the same in the end.
func TestSlicesChangeNothing(t *testing.T) {
	a := defaults(t, "produce", "10MiB/s", "horizon", "60d")
	w := Window{a.Timeline.Until() * 2 / 3, a.Timeline.Until()*2/3 + 3*calc.Hour}
	want := drawn(&a, w)
	film, _ := filmed(&a, w)
	look := NewLook(a.Timeline)
	for tries := 1; ; tries++ {
		left := 20
		patient := func() bool { left--; return left > 0 }
		c, ok := ChartWith(&a, look, w, patient)
		if !ok {
			require.Less(t, tries, 200, "it comes nearer each time")
			continue
		}
		require.Greater(t, tries, 1, "nothing was given up")
		require.Equal(t, want, c)
		break
	}
	got, ok := FilmWith(look, w, func() bool { return true })
	require.True(t, ok)
	require.Equal(t, film, got)
	require.Zero(t, look.Cost(w.From))
}

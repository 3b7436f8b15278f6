package report

import (
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// MetadataLives is the lives of one remote segment and of what is known of it, one above the other. x is in percent.
type MetadataLives struct {
	OK      bool
	Window  Window
	Times   []Tick
	Segment []LifeBar // in the remote store
	Records []LifeBar // in __remote_log_metadata
	Marks   []LifeMark
	Summary string
}

// LifeBar is a part of a life.
type LifeBar struct {
	X, Width float64
	State    LifeState
	Label    string // "": none, or no room
}

// LifeState is what a part of a life is.
type LifeState uint8

// The parts of lives.
const (
	LifeStored   LifeState = iota // the segment is in the store and known
	LifeDangling                  // it is there, and a restart loses it
	LifeOpen                      // the metadata segment with its first event is being written
	LifeKept                      // that is closed to new events, and kept
)

// LifeMark is an instant in both lives.
type LifeMark struct {
	X     float64
	Label string // when
	What  string // what happens then
}

// MetadataStep is a step of how a segment comes to dangle, or does not.
type MetadataStep struct {
	Words Words
	Now   bool // the one that matters
}

// LivesOf draws the lives of a finding's example.
func LivesOf(f *calc.MetadataFinding) (l MetadataLives) {
	v, ok := f.Lives()
	if !ok {
		return l
	}
	l.OK = true
	end := v.Started
	for _, at := range [...]calc.Millis{v.Deleted, v.Lost, v.MetadataNewest} {
		if at != calc.Never {
			end = max(end, at)
		}
	}
	span := max(end-v.Started, calc.Second)
	w := Window{max(v.Started-span/50, 0), end + span/12}
	l.Window, l.Times = w, timeTicks(w, 6)
	bar := func(to *[]LifeBar, state LifeState, from, until calc.Millis, label string) {
		until = min(until, w.To)
		if until <= from {
			return
		}
		b := LifeBar{X: w.percent(from), Width: w.percent(until) - w.percent(from), State: state, Label: label}
		*to = append(*to, b)
	}
	bar(&l.Segment, LifeStored, v.Started, min(v.Lost, v.Deleted), "")
	if v.Lost < v.Deleted {
		dangles := "dangles"
		if v.Deleted != calc.Never {
			dangles += " " + Span(v.Deleted-v.Lost)
		}
		bar(&l.Segment, LifeDangling, v.Lost, v.Deleted, dangles)
	}
	newest := v.MetadataNewest
	if newest == calc.Never {
		bar(&l.Records, LifeKept, v.Started, calc.Never, "kept for ever")
	} else {
		bar(&l.Records, LifeOpen, v.Started, newest, "")
		bar(&l.Records, LifeKept, newest, v.Lost, "kept "+Span(v.Lost-newest))
	}
	mark := func(at calc.Millis, what string) {
		if at != calc.Never {
			l.Marks = append(l.Marks, LifeMark{w.percent(at), Span(at), what})
		}
	}
	mark(v.Lost, "metadata lost")
	mark(v.Deleted, "segment deleted")
	l.Summary = "Segment " + strconv.FormatInt(int64(v.Base), 10) + " is in the remote store from " + Span(v.Started) + " " + until(v.Deleted) +
		". What is known of it is in the metadata topic " + until(v.Lost) + "."
	if v.Lost < v.Deleted {
		l.Summary += " In between a restart of all brokers leaves it dangling."
	}
	return l
}

func until(at calc.Millis) string {
	if at == calc.Never {
		return "to the end"
	}
	return "to " + Span(at)
}

// MetadataSteps says how the example's metadata is lost, and the segment deleted, in order of time.
func MetadataSteps(f *calc.MetadataFinding) (steps []MetadataStep) {
	v, ok := f.Lives()
	if !ok {
		return nil
	}
	atRisk := v.Lost < v.Deleted
	base := strconv.FormatInt(int64(v.Base), 10)
	step := func(at calc.Millis, now bool, says string) {
		if at != calc.Never {
			steps = append(steps, MetadataStep{marked(Clock(at, calc.Second) + ": " + says), now})
		}
	}
	step(v.Started, false, "the copy of segment "+base+" of "+v.Topic+"-"+strconv.FormatInt(v.Partition, 10)+
		" begins. `COPY_SEGMENT_STARTED` goes to partition "+strconv.FormatInt(v.MetadataPartition, 10)+" of the metadata topic.")
	newest := func() {
		if v.MetadataNewest > v.Started {
			step(v.MetadataNewest, false, "the last event comes into the same segment of the metadata topic, which goes as a whole once this one is old enough.")
		}
	}
	lost := "a check deletes that segment of the metadata topic, by `" + string(v.LostBy) + "`. "
	gone := "segment " + base + " is deleted from the remote store: its newest record was older than `retention.ms` when the expiration task ran."
	switch {
	case atRisk:
		newest()
		step(v.Lost, true, lost+"From here on a broker that starts does not know segment "+base+".")
		step(v.Deleted, false, "segment "+base+" would be deleted. After a restart nobody does.")
	case v.Deleted < v.MetadataNewest:
		step(v.Deleted, false, gone)
		newest()
		step(v.Lost, false, lost+"Nobody needs it any more.")
	default:
		newest()
		step(v.Deleted, false, gone)
		step(v.Lost, false, lost+"Nobody needs it any more.")
	}
	if v.Lost == calc.Never && !atRisk {
		steps = append(steps, MetadataStep{Words: marked("Nothing is lost of the metadata in the " + Span(f.Horizon) + " played.")})
	}
	return steps
}

// marked is a text with keys between backquotes.
func marked(text string) (w Words) {
	for i, part := range strings.Split(text, "`") {
		switch {
		case i%2 == 1:
			w.key(part)
		case part != "":
			w.say(part)
		}
	}
	return w
}

// MetadataVerdict is the verdict in a few words, and whether it is bad or only costs.
func MetadataVerdict(f *calc.MetadataFinding) (says string, bad, costs bool) {
	switch {
	case f.Verdict == calc.VerdictAtRisk:
		return "At risk from " + Span(f.From), true, false
	case f.Verdict == calc.VerdictUnbounded:
		return "Unbounded growth", false, true
	case !f.Covered:
		return "Depends on traffic", false, true
	}
	return "Safe", false, false
}

// MetadataLede says what that means.
func MetadataLede(f *calc.MetadataFinding) (w Words) {
	switch {
	case f.Verdict == calc.VerdictAtRisk:
		w.say("The metadata topic forgets segments that are still in the remote store. When all brokers have restarted after that, they can neither be read nor deleted, and are paid for without end (KAFKA-15682).")
	case f.Verdict == calc.VerdictUnbounded:
		w.say("Nothing dangles, since the metadata topic keeps everything: it grows by ")
		w.figure(SizeText(f.PerYear))
		w.say(" a year on all brokers together, " + Number(f.Events) + " events, without end.")
	case !f.Covered && f.Config.Log.RetentionBytes >= 0:
		w.say("In the " + Span(f.Horizon) + " played nothing dangles. But a partition of the metadata topic keeps only " + SizeText(f.Config.Log.RetentionBytes) +
			" and drops older events, whatever its retention: with more traffic segments dangle.")
	case !f.Covered:
		w.say("In the " + Span(f.Horizon) + " played nothing dangles. With less than the least retention below, that depends on the traffic.")
	default:
		w.say("Every segment is deleted from the remote store before the metadata topic forgets it, whatever the traffic.")
	}
	return w
}

// RestartWords says what dangles after a restart, and what it costs.
func RestartWords(f *calc.MetadataFinding) (w Words) {
	r := &f.Restart
	if f.Verdict != calc.VerdictAtRisk && r.Segments == 0 {
		w.say("No restart makes a segment dangle.")
		return w
	}
	w.say("When all brokers restart at ")
	w.figure(Span(r.At))
	if !f.Chosen {
		w.say(", the worst time played")
	}
	if r.Segments == 0 {
		w.say(", nothing dangles.")
		return w
	}
	w.say(", ")
	w.figure(count(r.Segments, "segment"))
	w.say(" with ")
	w.figure(SizeText(r.Stored))
	w.say(" dangle: ")
	w.figure(Money(r.Cost))
	w.say(" a month, for good.")
	return w
}

// Money is an amount in billionths with two digits, rounded up so that nothing costs nothing.
func Money(billionths int64) string {
	cents := billionths / 10_000_000
	if billionths%10_000_000 > 0 {
		cents++
	}
	rest := strconv.FormatInt(cents%100, 10)
	if len(rest) < 2 {
		rest = "0" + rest
	}
	return Number(cents/100) + "." + rest
}

// DanglingCurve is what dangles by the time of the restart, as an area of a plot of a height in pixels.
type DanglingCurve struct {
	Window Window
	Area   string
	Line   string
	Sizes  []Tick
	Times  []Tick
	Max    calc.Bytes
	Height float64
}

// curveHeight is that of the plot, in pixels.
const curveHeight = 56

// CurveOf draws a finding's curve; ok is false where nothing ever dangles.
func CurveOf(f *calc.MetadataFinding) (c DanglingCurve, ok bool) {
	c.Window, c.Height = Window{0, f.Horizon}, curveHeight
	for i := range f.Curve {
		c.Max = max(c.Max, f.Curve[i].Stored)
	}
	if c.Max == 0 {
		return c, false
	}
	s, marks, _ := sizeScale(0, c.Max, c.Height, 1)
	c.Sizes, c.Times = marks, timeTicks(c.Window, 6)
	var upper []point
	for i := range f.Curve {
		upper = append(upper, point{px(c.Window.percent(f.Curve[i].At)), py(s.y(f.Curve[i].Stored))})
	}
	c.Area, c.Line = area(upper, floor(upper, py(c.Height))), line(upper)
	return c, true
}

// X is where a time is, in percent.
func (w Window) X(at calc.Millis) float64 { return max(0, min(w.percent(at), 100)) }

// RetentionText is a retention of the metadata topic in words.
func RetentionText(m calc.Millis) string {
	if m < 0 {
		return "unlimited"
	}
	return longSpan(m)
}

// MetadataTraps are the traps as findings, one for each kind.
func MetadataTraps(f *calc.MetadataFinding) (all []Finding) {
	for _, t := range f.TrapGroups() {
		n := Finding{Warn: t.Kind != calc.TrapMSK, Title: upperFirst(string(t.Kind))}
		some, more := t.Where()
		for i, p := range some {
			if i > 0 {
				n.Words.say("; ")
			}
			n.Words.key(clipText(p.Key, 60))
			n.Words.say(": ")
			n.Words.key(clipText(p.Value, 60))
		}
		if more > 0 {
			n.Words.say("; and " + count(int64(more), "topic") + " more")
		}
		n.Words.say(". " + t.Why + " " + t.Way)
		all = append(all, n)
	}
	return all
}

func upperFirst(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

package report

import (
	"fmt"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Receipt is how a figure comes about, step by step with this scenario's numbers, to the last byte, millisecond or file.
type Receipt struct {
	Title string
	Unit  string // of the amounts; "" where each has its own
	Lines []ReceiptLine
	Total ReceiptLine
	Notes []Words // what the lines do not say; without lines, why there is no sum
	of    quantity
}

// ReceiptLine is a step: a part of the sum, or a factor of what stands above it.
type ReceiptLine struct {
	What   string
	Note   string // why it is there; the key follows it
	Key    string // Kafka's key that decides over it, or ""
	Rule   Rule
	Value  int64  // bytes, milliseconds, or a number
	Times  bool   // the value multiplies what stands above it
	Amount string // in the receipt's unit; the amounts of bytes add up as well
}

// quantity is what a receipt counts.
type quantity uint8

const (
	ofBytes quantity = iota
	ofMillis
	ofThings
)

// The figures that have a receipt, by name.
const (
	OfPeak     = "peak"
	OfLow      = "low"  // the least of the steady band
	OfHigh     = "high" // the most of it
	OfYoungest = "youngest"
	OfOldest   = "oldest"
	OfAll      = "all" // on all brokers together
	OfSegments = "segments"
	OfFiles    = "files"
	OfMaps     = "maps"
	OfIndexes  = "indexes"
	OfLengths  = "lengths" // what ls counts
	OfBound    = "bound"
)

// ReceiptOf is how a figure of an answer comes about.
func ReceiptOf(a *calc.Answer, of string) (r Receipt) {
	switch of {
	case OfPeak:
		r = peakReceipt(a)
	case OfLow, OfHigh:
		r = bandReceipt(a, of == OfHigh)
	case OfYoungest, OfOldest:
		r = ageReceipt(a, of == OfOldest)
	case OfAll:
		r = allReceipt(a)
	case OfSegments, OfFiles, OfMaps:
		r = filesReceipt(a, of)
	case OfIndexes:
		r = indexReceipt(a)
	case OfLengths:
		r = lengthReceipt(a)
	case OfBound:
		r = boundReceipt(a)
	}
	r.amounts()
	return r
}

func (r *Receipt) add(what, note, key string, rule Rule, value int64) {
	if value != 0 {
		r.Lines = append(r.Lines, ReceiptLine{What: what, Note: note, Key: key, Rule: rule, Value: value})
	}
}

func (r *Receipt) times(what, key string, rule Rule, by int64) {
	r.Lines = append(r.Lines, ReceiptLine{What: what, Key: key, Rule: rule, Value: by, Times: true})
}

func (r *Receipt) note(format string, v ...any) {
	var w Words
	w.say(fmt.Sprintf(format, v...))
	r.Notes = append(r.Notes, w)
}

// amounts prints the values.
func (r *Receipt) amounts() {
	if r.of == ofBytes {
		r.sizes()
	}
	for i := range r.Lines {
		if l := &r.Lines[i]; l.Times {
			l.Amount = "×" + space + Number(l.Value)
		} else if r.of != ofBytes {
			l.Amount = r.of.text(l.Value)
		}
	}
	if r.of != ofBytes {
		r.Total.Amount = r.of.text(r.Total.Value)
	}
}

func (q quantity) text(n int64) string {
	if q != ofMillis {
		return Number(n)
	}
	// A time may break between its parts, not before a unit.
	parts := strings.Split(clock(calc.Millis(n), 1, true), space)
	for i := 1; i < len(parts); i += 2 {
		parts[i/2] = parts[i-1] + space + parts[i]
	}
	return strings.Join(parts[:len(parts)/2], " ")
}

// sizes prints the parts in thousandths of the total's unit, rounded so that they add up.
func (r *Receipt) sizes() {
	unit := unitOf(calc.Bytes(r.Total.Value))
	r.Unit = sizes[unit]
	if unit == 0 {
		for i := range r.Lines {
			r.Lines[i].Amount = Number(r.Lines[i].Value)
		}
		r.Total.Amount = Number(r.Total.Value)
		return
	}
	thousandths := func(b int64) int64 {
		return int64(float64(b)/float64(int64(1)<<(10*unit))*1000 + 0.5)
	}
	var sum, shown int64
	for i := range r.Lines {
		l := &r.Lines[i]
		if l.Times {
			continue
		}
		sum += l.Value
		n := thousandths(sum) - shown
		shown += n
		l.Amount = fmt.Sprintf("%d.%03d", n/1000, n%1000)
		if n == 0 && l.Value > 0 {
			l.Amount = "<" + space + "0.001" // nothing is shown as 0 that is not
		}
	}
	n := thousandths(r.Total.Value)
	r.Total.Amount = fmt.Sprintf("%d.%03d", n/1000, n%1000)
}

// Exactly is the total to the last byte, where the amounts are rounded.
func (r *Receipt) Exactly() string {
	if r.of == ofBytes {
		return calc.Bytes(r.Total.Value).Exact()
	}
	return ""
}

func peakReceipt(a *calc.Answer) (r Receipt) {
	at, u := AtPeak(a.Timeline)
	r = diskReceipt(a, at, u)
	r.Title, r.Total.What = "How the peak adds up", "Peak, at "+Clock(at, 1)
	r.short(a)
	return r
}

// bandReceipt is the least or the most of the steady band.
func bandReceipt(a *calc.Answer, most bool) (r Receipt) {
	band, ok := a.Timeline.Band()
	if !ok {
		r.Title = "There is no steady band"
		r.note("Traffic and retention do not repeat themselves within the simulated time, so there is nothing that the log swings between.")
		return r
	}
	at, bytes, name := band.LeastAt, band.Allocated.Low, "least"
	if most {
		at, bytes, name = band.MostAt, band.Allocated.High, "most"
	}
	r = diskReceipt(a, at, usageAt(a.Timeline, at, bytes))
	r.Title, r.Total.What = "The steady band at its "+name, "First at "+Clock(at, 1)
	return r
}

// diskReceipt adds up what is on disk at an instant, as du counts it.
func diskReceipt(a *calc.Answer, at calc.Millis, u calc.Usage) (r Receipt) {
	s := sampleOf(at, u)
	c := a.Scenario.Log()
	last, ok := lastCheck(a, at)
	since := u.Log - last.log
	switch {
	case !ok || since < 0:
		r.add("Live segments", "everything that came in "+Span(at), "produce", ruleAppend, int64(s.log))
	case last.reason == calc.BySize && c.RetentionBytes >= 0 && last.log >= c.RetentionBytes:
		r.add("Kept at all times", "", "retention.bytes", ruleBySize, int64(c.RetentionBytes))
		r.add("Part of a segment above it", "only whole ones go:", "segment.bytes", ruleDeletable, int64(last.log-c.RetentionBytes))
		r.add("Came since the check", Span(at-last.at)+" after the one at "+Clock(last.at, calc.Second)+"; the next comes after", checkKey, ruleCheck, int64(since))
	default:
		r.add("Left by the last check", "at "+Clock(last.at, calc.Second)+"; whole segments, within", keyOf(last.reason), ruleOf(last.reason), int64(last.log))
		r.add("Came since that check", "in "+Span(at-last.at)+"; the next comes after", checkKey, ruleCheck, int64(since))
	}
	if n := u.OpenFiles - u.Segments; s.wait > 0 {
		r.add(count(n, "deleted segment"), "files stay for", "file.delete.delay.ms", ruleRemove, int64(s.wait))
	}
	r.add("Indexes, snapshots, blocks", "of "+count(u.Segments, "live segment")+", as du counts them;", "index.interval.bytes", ruleIndex, int64(s.rest))
	r.Total.Value = int64(s.total())
	return r
}

const checkKey = "log.retention.check.interval.ms"

// boundReceipt is the closed worst case, term by term.
func boundReceipt(a *calc.Answer) (r Receipt) {
	if a.Scenario.Log().Compact {
		return cleanedReceipt(a)
	}
	b := a.Bound
	r.Title = "The worst case, whenever the checks fall"
	if !b.OK {
		r.Title = "There is no worst case"
		r.note("There is none because %s.", b.Why)
		return r
	}
	what := [...]string{"What comes while records are kept", "The oldest segment, whole", "What comes until the next check", "What comes while deleted files wait"}
	rules := [...]Rule{ruleOf(calc.Reason(b.Limit)), ruleDeletable, ruleCheck, ruleRemove}
	if b.Limit == "retention.bytes" {
		what[0] = "Kept at all times"
	}
	for i, term := range b.Terms {
		r.Lines = append(r.Lines, ReceiptLine{What: what[i], Key: term.Keys[0], Rule: rules[i], Value: int64(term.Bytes)})
	}
	r.Total = ReceiptLine{What: "Batches on disk never pass", Value: int64(b.OnDisk)}
	if b.OnDisk == 1<<63-1 {
		r.Lines = nil
		r.note("The terms pass what can be counted.")
	}
	r.note("Those that wait for removal are counted; indexes come on top.")
	r.short(a)
	return r
}

// short says the formula by hand, and why it differs.
func (r *Receipt) short(a *calc.Answer) {
	f := a.Short
	if !f.OK {
		return
	}
	var w Words
	w.say("By hand: " + f.Formula + " = ")
	w.figure(SizeText(f.OnDisk))
	for i, why := range f.Why {
		switch {
		case !f.Differs:
		case i == 0:
			w.say(". The simulation differs by more than a tenth: " + why)
		default:
			w.say("; " + why)
		}
	}
	w.say(".")
	r.Notes = append(r.Notes, w)
}

// allReceipt is the peak on all brokers together.
func allReceipt(a *calc.Answer) (r Receipt) {
	r.Title = "All partitions and replicas"
	peak := a.Timeline.Peak().Allocated.Bytes
	p, n := a.Scenario.Partitions(), a.Scenario.ReplicationFactor()
	r.Total = ReceiptLine{What: "On all brokers together", Value: int64(Times(peak, p*n))}
	if r.Total.Value == 1<<63-1 {
		r.note("That is more than can be counted.")
		return r
	}
	r.add("One replica at its peak", "every setting is one partition's:", "retention.bytes", rulePerLog, int64(peak))
	r.times("Partitions", "partitions", rulePerLog, p)
	r.times("Replicas of each, the leader counted", "replication.factor", rulePerLog, n)
	r.note("As if all were at their peak at once. A replica takes what its leader takes; what a tool shows for a topic may be the leaders alone: %s.",
		SizeText(Times(peak, p)))
	return r
}

// AtPeak is when most was on disk, and what.
func AtPeak(t *calc.Timeline) (calc.Millis, calc.Usage) {
	return t.Peak().Allocated.At, t.AtPeak()
}

// usageAt is what was on disk when so many bytes were, within a millisecond.
func usageAt(t *calc.Timeline, at calc.Millis, bytes calc.Bytes) calc.Usage {
	return stateAt(t, at, func(u *calc.Usage) bool { return u.Allocated == bytes }).Usage()
}

// stateAt is the state within a millisecond of which something holds; else the one at its end.
func stateAt(t *calc.Timeline, at calc.Millis, holds func(*calc.Usage) bool) *calc.Simulation {
	sim := t.At(at)
	if u := sim.Usage(); holds(&u) {
		return sim
	}
	// Something came or went in the same millisecond after it.
	sim = t.At(at - 1)
	for {
		if u := sim.Usage(); holds(&u) {
			return sim
		}
		next, ok := sim.Next()
		if !ok || next > at {
			return sim
		}
		sim.StepBefore(at+1, true)
	}
}

// check is the last instant at which segments were deleted, and what that left.
type check struct {
	at     calc.Millis
	reason calc.Reason
	log    calc.Bytes
}

// lastCheck is the last deletion up to a time.
func lastCheck(a *calc.Answer, at calc.Millis) (last check, ok bool) {
	t := a.Timeline
	if first := t.Counts().FirstDeletion; first == calc.Never || first > at {
		return last, false
	}
	// Most often it is near; else look further back.
	for back := cycle(a); ; back *= 8 {
		from := max(at-back, 0)
		for e := range t.Events(from, at) {
			if e.Kind == calc.Delete {
				last, ok = check{at: e.At, reason: e.Reason}, true
			}
		}
		if ok || from == 0 {
			break
		}
	}
	if !ok {
		return last, false
	}
	last.log = afterDeletion(t, last.at)
	return last, true
}

// afterDeletion is the log just after the last deletion of a millisecond, before what else comes in it.
func afterDeletion(t *calc.Timeline, at calc.Millis) (log calc.Bytes) {
	sim := t.At(at - 1)
	for {
		next, ok := sim.Next()
		if !ok || next > at {
			return log
		}
		for _, e := range sim.StepBefore(at+1, true) {
			if e.Kind == calc.Delete {
				log = sim.Usage().Log
			}
		}
	}
}

// count is a number of things: 1 segment, 3 segments.
func count(n int64, thing string) string {
	if n == 1 {
		return "1" + space + thing
	}
	return Number(n) + space + thing + "s"
}

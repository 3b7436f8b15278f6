package report

import (
	"fmt"

	"github.com/partsize/partsize/calc"
)

// Receipt is how the peak adds up, to the last byte.
type Receipt struct {
	Unit  string
	Lines []ReceiptLine
	Total ReceiptLine
	Bound Words // the closed worst case, or why there is none
	Short Words // the formula by hand, and why it differs
}

// ReceiptLine is a part of the sum.
type ReceiptLine struct {
	What   string
	Note   string // why it is there; the key follows it
	Key    string // Kafka's key that decides over it, or ""
	Bytes  calc.Bytes
	Amount string // in the receipt's unit; the amounts add up as well
}

// ReceiptOf adds the peak up.
func ReceiptOf(a *calc.Answer) (r Receipt) {
	t := a.Timeline
	at, u := AtPeak(t)
	peak := sampleOf(at, u)
	c := a.Scenario.Log()
	last, ok := lastCheck(a, at)
	since := u.Log - last.log
	switch {
	case !ok || since < 0:
		r.add("Live segments", "everything that came in "+Span(at), "", peak.log)
	case last.reason == calc.BySize && c.RetentionBytes >= 0 && last.log >= c.RetentionBytes:
		r.add("Kept at all times", "", "retention.bytes", c.RetentionBytes)
		r.add("Part of a segment above it", "only whole ones go:", "segment.bytes", last.log-c.RetentionBytes)
		r.add("Came since the check", Span(at-last.at)+" after the check at "+Clock(last.at, calc.Second), "", since)
	default:
		r.add("Left by the last check", fmt.Sprintf("at %s; whole segments, within", Clock(last.at, calc.Second)), keyOf(last.reason), last.log)
		r.add("Came since that check", Span(at-last.at)+" until the peak", "", since)
	}
	if n := u.OpenFiles - u.Segments; peak.wait > 0 {
		r.add(count(n, "deleted segment"), "files stay for", "file.delete.delay.ms", peak.wait)
	}
	r.add("Indexes, snapshots, blocks", count(u.Segments, "live segment")+", as du counts them", "", peak.rest)
	r.Total = ReceiptLine{What: "Peak, at " + Clock(at, 1), Bytes: peak.total()}
	r.amounts()
	r.bound(a)
	r.short(a)
	return r
}

func (r *Receipt) add(what, note, key string, b calc.Bytes) {
	if b != 0 || len(r.Lines) == 0 {
		r.Lines = append(r.Lines, ReceiptLine{What: what, Note: note, Key: key, Bytes: b})
	}
}

// amounts prints the parts in thousandths of the total's unit, rounded so that they add up.
func (r *Receipt) amounts() {
	unit := unitOf(r.Total.Bytes)
	r.Unit = sizes[unit]
	if unit == 0 {
		for i := range r.Lines {
			r.Lines[i].Amount = Number(int64(r.Lines[i].Bytes))
		}
		r.Total.Amount = Number(int64(r.Total.Bytes))
		return
	}
	thousandths := func(b calc.Bytes) int64 {
		return int64(float64(b)/float64(int64(1)<<(10*unit))*1000 + 0.5)
	}
	var sum calc.Bytes
	var shown int64
	for i := range r.Lines {
		sum += r.Lines[i].Bytes
		n := thousandths(sum) - shown
		shown += n
		r.Lines[i].Amount = fmt.Sprintf("%d.%03d", n/1000, n%1000)
		if n == 0 && r.Lines[i].Bytes > 0 {
			r.Lines[i].Amount = "<" + space + "0.001" // nothing is shown as 0 that is not
		}
	}
	n := thousandths(r.Total.Bytes)
	r.Total.Amount = fmt.Sprintf("%d.%03d", n/1000, n%1000)
}

func (r *Receipt) bound(a *calc.Answer) {
	b := a.Bound
	if !b.OK {
		r.Bound.say("There is no bound: " + b.Why + ".")
		return
	}
	r.Bound.say("Batches on disk, those that wait for removal too, never pass ")
	r.Bound.figure(SizeText(b.OnDisk))
	for i, term := range b.Terms {
		if i == 0 {
			r.Bound.say(": ")
		} else {
			r.Bound.say(" + ")
		}
		r.Bound.say(SizeText(term.Bytes) + " (")
		for j, key := range term.Keys {
			if j > 0 {
				r.Bound.say(", ")
			}
			r.Bound.key(key)
		}
		r.Bound.say(")")
	}
	r.Bound.say(". Indexes come on top.")
}

func (r *Receipt) short(a *calc.Answer) {
	f := a.Short
	if !f.OK {
		return
	}
	r.Short.say("By hand: " + f.Formula + " = ")
	r.Short.figure(SizeText(f.OnDisk))
	if !f.Differs {
		r.Short.say(".")
		return
	}
	r.Short.say(". The simulation differs by more than a tenth")
	for i, why := range f.Why {
		if i == 0 {
			r.Short.say(": ")
		} else {
			r.Short.say("; ")
		}
		r.Short.say(why)
	}
	r.Short.say(".")
}

// AtPeak is when most was on disk, and what.
func AtPeak(t *calc.Timeline) (calc.Millis, calc.Usage) {
	peak := t.Peak().Allocated
	sim := t.At(peak.At)
	if u := sim.Usage(); u.Allocated == peak.Bytes {
		return peak.At, u
	}
	// Something went in the same millisecond, after the peak.
	sim = t.At(peak.At - 1)
	for {
		if u := sim.Usage(); u.Allocated == peak.Bytes {
			return peak.At, u
		}
		next, ok := sim.Next()
		if !ok || next > peak.At {
			return peak.At, sim.Usage()
		}
		sim.StepBefore(peak.At+1, true)
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

package report

import (
	"github.com/partsize/partsize/calc"
)

// ageReceipt is how old the oldest record that can be read gets, at the least or at the most.
//
// At the most it is the first record of a segment that a check is about to delete; at the least the first record of the
// segment behind one that has just been deleted. By time a segment goes at the first check at which its newest record is
// older than retention.ms; by size at the first at which retention.bytes have come after it.
func ageReceipt(a *calc.Answer, most bool) (r Receipt) {
	t := a.Timeline
	ages := t.Ages()
	r.of = ofMillis
	r.Title = "The oldest record at its youngest"
	at, age := ages.LeastAt, ages.Readable.Low
	if most {
		r.Title = "How old a record gets"
		at, age = ages.MostAt, ages.Readable.High
	}
	if ages.Readable.Empty() {
		r.Title = "There is no record"
		r.note("Nothing can be read at any time.")
		return r
	}
	r.Total = ReceiptLine{What: "At " + Clock(at, 1), Value: int64(age)}
	if age == 0 {
		r.note("At that time there is no record to read: %s.", emptyWhy(t, at))
		return r
	}
	o := aging{r: &r, t: t, at: at, first: at - age}
	if !o.find(most) || !o.explain(most) {
		r.Lines = nil
		r.add("The time", "", "", ruleNone, int64(at))
		r.add("Less the time at which it was appended", "", "", ruleNone, -int64(o.first))
		r.note("What kept it cannot be put into a sum here: %s.", o.why)
	}
	return r
}

func emptyWhy(t *calc.Timeline, at calc.Millis) string {
	if t.Counts().Deletions == 0 {
		return "nothing was written yet"
	}
	return "the check at " + Clock(at, 1) + " left none"
}

// aging is the search for what lets a record get so old.
type aging struct {
	r         *Receipt
	t         *calc.Timeline
	at, first calc.Millis
	gone      calc.Life // the segment that is deleted at that time
	next      calc.Life // the one behind it
	last      bool      // there is none
	reason    calc.Reason
	config    calc.LogConfig
	why       string // it cannot be explained
}

// find finds the segment that goes: that of the record, or the one before.
func (o *aging) find(most bool) bool {
	sim := o.t.At(o.at - 1)
	var live []calc.Life
	for _, l := range sim.Lives() {
		if !l.Deleted {
			live = append(live, l)
		}
	}
	o.config = sim.Config()
	i := 0
	for i < len(live) && live[i].First != o.first {
		i++
	}
	if !most {
		i--
	}
	if i < 0 || i >= len(live) {
		o.why = "its segment is in the remote store, or came within the same millisecond"
		return false
	}
	o.gone = live[i]
	if o.last = i+1 == len(live); !o.last {
		o.next = live[i+1]
	}
	for e := range o.t.Events(o.at, o.at) {
		if e.Kind == calc.Delete && e.Base == o.gone.Base {
			o.reason = e.Reason
		}
	}
	if o.reason == "" {
		o.why = "no check deletes it; the simulated time, or the topic, ends"
	}
	return o.reason != ""
}

// explain adds the lines.
func (o *aging) explain(most bool) bool {
	c := &o.config
	switch {
	case keyOf(o.reason) == "retention.ms" && c.RetentionMs >= 0:
		o.byTime(most, c.RetentionMs)
	case o.reason == calc.BySize && c.RetentionBytes >= 0:
		o.bySize(c.RetentionBytes)
	default:
		o.why = "its segment goes by " + string(o.reason)
		return false
	}
	return true
}

func (o *aging) byTime(most bool, limit calc.Millis) {
	newest := o.gone.Newest
	check := int64(o.at - newest - limit)
	if most {
		by, note := calc.Reason(""), "to the newest record of its segment, which was still being written"
		if !o.last {
			by, note = o.rolledBy(), "from its first record to its newest; it is full, or old enough, by"
		}
		o.r.add("Its segment is written", note, keyOf(by), ruleRoll, int64(newest-o.first))
	}
	o.r.add("Kept", "counted from the newest record of the segment", "retention.ms", ruleByTime, int64(limit))
	o.r.add("Until the check that deletes it", "a check comes every", checkKey, ruleCheck, check)
	if !most {
		o.r.add("The next segment's first record is younger", "than the newest one of the segment that goes:", "segment.bytes", ruleNewest, int64(newest-o.first))
	}
}

// rolledBy is why the segment that goes was closed.
func (o *aging) rolledBy() (by calc.Reason) {
	if o.next.First == calc.Never {
		return ""
	}
	for e := range o.t.Events(o.next.First, o.next.First) {
		if e.Kind == calc.Roll && e.Base == o.next.Base {
			by = e.Reason
		}
	}
	return by
}

func (o *aging) bySize(limit calc.Bytes) {
	full := o.filled(limit)
	o.r.add("Until "+SizeText(limit)+" have come after its segment", "with the segment itself that is more than", "retention.bytes", ruleBySize, int64(full-o.first))
	o.r.add("Until the check that deletes it", "a check comes every", checkKey, ruleCheck, int64(o.at-full))
}

// filled is when so many bytes had come after the segment that goes.
func (o *aging) filled(limit calc.Bytes) calc.Millis {
	behind := func(sim *calc.Simulation) (sum calc.Bytes) {
		for _, l := range sim.Lives() {
			if !l.Deleted && l.Base > o.gone.Base {
				sum += l.Bytes
			}
		}
		return sum
	}
	// It was not so at the check before, or else it would have gone then.
	low, high := max(o.first, o.at-2*calc.Hour), o.at
	from := o.t.At(low)
	if behind(from) >= limit {
		low = o.first
		from = o.t.At(low)
	}
	for low+1 < high {
		middle := low + (high-low)/2
		sim := from.Clone()
		for {
			next, ok := sim.Next()
			if !ok || next > middle {
				break
			}
			sim.StepBefore(middle+1, false)
		}
		if behind(sim) >= limit {
			high = middle
		} else {
			low, from = middle, sim
		}
	}
	return high
}

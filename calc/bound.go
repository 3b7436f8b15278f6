package calc

import "slices"

// Bound is the closed worst case of a scenario: no simulation of it can have more on disk, whenever the checks fall. It is
// a sum of terms, each with the settings it comes from.
type Bound struct {
	OK    bool   // false: the log grows without limit, or the worst case is not known
	Why   string // why not, when OK is false: a clause
	Limit string // retention.ms or retention.bytes: the limit that the bound comes from, the lower if both hold

	Log    Bytes // of batches in segments that are not deleted: what kafka-log-dirs prints
	OnDisk Bytes // the same, and batches in files that wait for removal
	Terms  []Term
}

// Term is a part of a sum of bytes: how it is reckoned, with this scenario's numbers, and from which settings.
type Term struct {
	Bytes   Bytes
	Formula string   // "52.4 MB produced in retention.ms + log.retention.check.interval.ms = 7 d 5 min"
	Keys    []string // Kafka's keys
	Removed bool     // counts for OnDisk only
}

// BoundOf is the worst case of a scenario.
//
// By time: a segment stays while its newest record is younger than retention.ms, and until the next check. So what is in
// the log was appended since the newest record of the oldest segment, or is in that segment. By size: after a check the
// log holds less than retention.bytes and its oldest segment together; until the next check comes what is appended.
// Deleted files wait for file.delete.delay.ms more.
//
// A record that is stamped behind the clock is as old from the start, so that it is kept so much less. Where nothing can be
// young enough at a check, each check finds all of the log too old and empties it, the open segment too, so that no oldest
// segment counts. So it is with retention.bytes=0, and where all records have one timestamp: then all go at one check.
//
// Source: kafka-rules 15, UnifiedLog.deletableSegments.
func BoundOf(s Scenario) Bound {
	w := worstOf(s)
	if w.why != "" {
		return Bound{Why: w.why}
	}
	byTime, bySize := w.byTime(), w.bySize()
	switch {
	case byTime.OK && (!bySize.OK || byTime.Log <= bySize.Log):
		return byTime
	case bySize.OK:
		return bySize
	}
	return Bound{Why: "neither retention.ms nor retention.bytes limits the log, so it grows for as long as there is traffic"}
}

// worst holds the least favourable value of each setting over the whole scenario, with the changes that its steps make.
type worst struct {
	s        Scenario
	segment  Bytes  // largest segment
	span     Millis // longest time from a segment's first to its last record; Never if unknown
	ms       Millis // retention by time; negative: none
	bytes    Bytes  // retention by size; negative: none
	delay    Millis
	lead     Millis // the most by which a timestamp is ahead of its append; negative: all are behind
	tiered   bool   // at some time, so that what is not copied stays
	check    Millis // longest time between two checks of a broker that runs
	restarts int64
	waits    Millis // of a tiered log: the longest that a closed segment waits for its copy
	why      string
}

func worstOf(s Scenario) worst {
	c := s.Log()
	w := worst{s: s, lead: s.lead(), check: max(s.Broker().RetentionCheckInterval, s.Broker().InitialTaskDelay)}
	w.ms, w.bytes = c.localRetention()
	w.span = c.maxSegmentMs()
	if !s.evenTimestamps() {
		w.span = Never
	}
	w.include(&c, true)
	for _, step := range s.steps {
		switch do := step.Do.(type) {
		case Configure:
			w.include(&do.Log, false)
		case Restart:
			w.restarts++
		case HighWatermark:
			if do.Offset != -1 {
				w.why = "the high watermark is held, and nothing above it is deleted"
			}
		}
	}
	w.segment = max(w.segment, 1)
	return w
}

// include widens the worst case to a configuration that holds for a time.
func (w *worst) include(c *LogConfig, first bool) {
	switch {
	case c.Compact:
		w.why = "cleanup.policy contains compact, which this model does not play"
	case !c.Delete:
		w.why = "cleanup.policy does not contain delete"
	case c.tieredCopy():
		w.tiered = true
		wait, ok := w.s.waitForCopy()
		if w.waits = max(w.waits, wait); !ok {
			w.why = whyNoTieredBound
		}
	}
	w.segment = max(w.segment, c.SegmentBytes)
	w.delay = max(w.delay, c.FileDeleteDelayMs)
	if first {
		return
	}
	ms, bytes := c.localRetention()
	if w.ms >= 0 {
		w.ms = max(w.ms, ms)
		if ms < 0 {
			w.ms = Unlimited
		}
	}
	if w.bytes >= 0 {
		w.bytes = max(w.bytes, bytes)
		if bytes < 0 {
			w.bytes = Unlimited
		}
	}
	w.span = max(w.span, c.maxSegmentMs())
}

// evenTimestamps reports whether all records are stamped alike, so that the record time in a segment is the time in which
// it was written. Without timestamps a start of the broker lets the time of the open segment begin anew.
func (s Scenario) evenTimestamps() bool {
	if s.work.backlog.calls > 0 || s.work.stamp.Kind == FixedTimestamp {
		return false
	}
	for _, step := range s.steps {
		switch do := step.Do.(type) {
		case Append:
			return false
		case Restart:
			if s.work.stamp.Kind == AbsentTimestamp {
				return false
			}
		case Configure:
			if do.Log.LogAppendTime != s.log.LogAppendTime {
				return false
			}
		}
	}
	return true
}

// lead is the most by which a timestamp is ahead of the time of its append; negative where all are behind it.
func (s *Scenario) lead() Millis {
	w := s.work
	lead := w.stamp.Shift + w.stamp.From // one of them is 0
	for _, step := range s.steps {
		if a, ok := step.Do.(Append); ok {
			lead = max(lead, a.Timestamp.Shift)
		}
	}
	switch {
	case lead >= 0 || w.stamp.Kind == AbsentTimestamp || s.everAppendTime():
		return s.MostAhead()
	case w.backlog.calls > 0 && Epoch+w.stamp.Shift < w.backlog.age:
		return 0 // a time before 1970 is none, and then the append counts
	case w.backlog.calls > 0:
		return min(0, lead+2) // its calls come up to two milliseconds early
	}
	return lead
}

// everAppendTime reports whether the log stamps what is appended itself, at some time.
func (s *Scenario) everAppendTime() bool {
	return !s.work.follower && (s.log.LogAppendTime || slices.ContainsFunc(s.steps, func(step Step) bool {
		c, ok := step.Do.(Configure)
		return ok && c.Log.LogAppendTime
	}))
}

// oneTimestamp reports whether all records have the same.
func (s *Scenario) oneTimestamp() bool {
	return s.work.stamp.Kind == FixedTimestamp && !s.everAppendTime() && !slices.ContainsFunc(s.steps, func(step Step) bool {
		_, ok := step.Do.(Append)
		return ok
	})
}

// oldest is the term of the oldest segment: it may be whole although only its newest record is young enough. Where all that
// a check finds goes together there is none.
func (w *worst) oldest(together bool) Term {
	if together {
		return Term{Keys: []string{"segment.bytes"}, Formula: "of the oldest segment: a check that deletes one deletes all"}
	}
	t := Term{Bytes: w.segment, Keys: []string{"segment.bytes"}}
	t.Formula = "the oldest segment, up to segment.bytes = " + w.segment.String()
	if w.span < w.s.Horizon() {
		if n := w.s.MostBytes(w.span); n < t.Bytes {
			t = Term{Bytes: n, Keys: []string{"segment.ms"}}
			t.Formula = "the oldest segment, up to what comes in segment.ms = " + w.span.String()
		}
	}
	return t
}

// sinceCheck is the most that is appended between two checks, and while files wait for removal.
func (w *worst) sinceCheck(span Millis) Bytes {
	n := w.s.MostBytes(span)
	for range w.restarts {
		n = add(n, w.s.MostBytes(w.s.Broker().InitialTaskDelay))
	}
	return n
}

// sinceCheckBefore is the most that is appended in a time until a check, and while the files that it deletes wait. A stop of the
// broker may part the two, and traffic that is not even may be at its most in both: then the check is the first after the start. No stop
// comes while files wait, since the start removes them.
func (w *worst) sinceCheckBefore(span Millis) Bytes {
	n := w.sinceCheck(add(span, w.delay))
	if w.restarts == 0 {
		return n
	}
	first := w.s.Broker().InitialTaskDelay
	parted := add(w.s.MostBytes(span), w.s.MostBytes(add(first, w.delay)))
	for range w.restarts - 1 {
		parted = add(parted, w.s.MostBytes(first))
	}
	return max(n, parted)
}

func (w *worst) byTime() Bound {
	if w.ms < 0 {
		return Bound{}
	}
	age := max(0, add(w.ms, w.lead))
	if w.waits > age {
		return w.byCopy()
	}
	kept := w.s.MostBytes(age)
	toCheck := w.sinceCheck(add(age, w.check))
	toRemoval := w.sinceCheckBefore(add(age, w.check))
	young := Term{Bytes: kept, Keys: []string{"retention.ms"}, Formula: "what comes in retention.ms = " + w.ms.String()}
	late := w.lead < -w.ms && !w.tiered
	switch {
	case late:
		young.Bytes, kept = 0, 0
		young.Formula = "young enough: timestamps are " + (-w.lead).String() + " behind, more than retention.ms = " + w.ms.String()
	case w.lead > 0:
		young.Formula += " and the " + w.lead.String() + " by which timestamps are ahead"
	case w.lead < 0:
		young.Formula += " less the " + (-w.lead).String() + " by which timestamps are behind"
	}
	if w.lead != 0 {
		young.Keys = append(young.Keys, "timestamp.shift")
	}
	oldest := w.oldest(late || w.s.oneTimestamp() && !w.tiered)
	return w.sum("retention.ms", oldest, young, toCheck-kept, toRemoval-toCheck)
}

func (w *worst) bySize() Bound {
	if w.bytes < 0 {
		return Bound{}
	}
	oldest := w.oldest(w.bytes == 0 && !w.tiered)
	toCheck := w.sinceCheck(w.check)
	toRemoval := w.sinceCheckBefore(w.check)
	kept := Term{Bytes: w.bytes, Keys: []string{"retention.bytes"}, Formula: "retention.bytes = " + w.bytes.String()}
	if waiting := w.s.MostBytes(w.waits); w.waits > 0 && waiting > w.bytes {
		kept = w.waiting()
	}
	return w.sum("retention.bytes", oldest, kept, toCheck, toRemoval-toCheck)
}

// sum is the bound that four terms make.
func (w *worst) sum(limit string, oldest, kept Term, inCheck, inDelay Bytes) Bound {
	checkKey, delayKey := "log.retention.check.interval.ms", "file.delete.delay.ms"
	check := Term{
		Bytes: inCheck, Keys: []string{checkKey},
		Formula: "what comes until the next check, " + checkKey + " = " + w.s.Broker().RetentionCheckInterval.String(),
	}
	delay := Term{
		Bytes: inDelay, Keys: []string{delayKey}, Removed: true,
		Formula: "what comes while deleted files wait, " + delayKey + " = " + w.delay.String(),
	}
	w.withinAll(limit, &kept, &oldest, &check, &delay)
	b := Bound{OK: true, Limit: limit, Terms: []Term{kept, oldest, check, delay}}
	for _, t := range b.Terms {
		b.OnDisk = add(b.OnDisk, t.Bytes)
		if !t.Removed {
			b.Log = add(b.Log, t.Bytes)
		}
	}
	return b
}

// withinAll lowers terms whose sum is above all that comes within the horizon: no more than that can be anywhere.
func (w *worst) withinAll(limit string, kept, oldest, check, delay *Term) {
	total := w.s.MostBytes(w.s.Horizon())
	within := "within horizon = " + w.s.Horizon().String()
	over := add(add(kept.Bytes, oldest.Bytes), check.Bytes) - total
	if less := min(over, oldest.Bytes); less > 0 {
		oldest.Bytes -= less
		over -= less
		oldest.Formula = "of the oldest segment, since no more comes " + within
		oldest.Keys = append(oldest.Keys, "horizon")
	}
	if less := min(over, kept.Bytes); less > 0 {
		kept.Bytes -= less
		over -= less
		kept.Formula = "of " + limit + ", since no more comes " + within
		kept.Keys = append(kept.Keys, "horizon")
	}
	check.Bytes -= max(over, 0)
	delay.Bytes = min(delay.Bytes, total-min(total, add(add(kept.Bytes, oldest.Bytes), check.Bytes)))
}

// ShortFormula is the formula that fits on one line, for a check by hand: rate × (retention + check + delay) + a segment.
// It reckons with the mean rate and knows no batches, timestamps or index files.
//
// Source: reference/peers.md, H.
type ShortFormula struct {
	OK      bool // false: there is no limit to reckon with
	OnDisk  Bytes
	Formula string
	// Differs says that the simulated peak is more than 10 % away from it, and Why gives the reasons found.
	Differs bool
	Why     []string
}

// ShortFormulaOf reckons the short formula for a scenario and compares it with the simulation of it.
func ShortFormulaOf(s Scenario, t *Timeline) ShortFormula {
	c, b := s.Log(), s.Broker()
	if c.Compact {
		return ShortFormula{} // retention does not decide over it
	}
	rate, unit, name := s.handyRate()
	ms, bytes := c.localRetention()
	in := func(span Millis) Bytes { return Bytes(mulDivUp(int64(rate), int64(span), int64(unit))) }
	segment := min(c.SegmentBytes, in(c.SegmentMs))
	var f ShortFormula
	if ms >= 0 {
		span := add(add(ms, b.RetentionCheckInterval), c.FileDeleteDelayMs)
		f = ShortFormula{OK: true, OnDisk: add(in(span), segment)}
		f.Formula = rate.String() + name + " × (" + ms.String() + " + " + b.RetentionCheckInterval.String() + " + " +
			c.FileDeleteDelayMs.String() + ") + " + segment.String()
	}
	if bytes >= 0 {
		n := add(add(bytes, c.SegmentBytes), in(add(b.RetentionCheckInterval, c.FileDeleteDelayMs)))
		if !f.OK || n < f.OnDisk {
			f = ShortFormula{OK: true, OnDisk: n}
			f.Formula = bytes.String() + " + " + c.SegmentBytes.String() + " + " + rate.String() + name + " × (" +
				b.RetentionCheckInterval.String() + " + " + c.FileDeleteDelayMs.String() + ")"
		}
	}
	if f.OK {
		f.compare(s, t)
	}
	return f
}

// compare finds why the formula and the simulated peak differ, if they do.
func (f *ShortFormula) compare(s Scenario, t *Timeline) {
	peak := t.Peak().Allocated.Bytes
	f.Differs = apart(peak, f.OnDisk)
	if !f.Differs {
		return
	}
	because := func(when bool, why string) {
		if when {
			f.Why = append(f.Why, why)
		}
	}
	c := s.Log()
	written := s.MostBytes(s.Horizon())
	because(t.Counts().FirstDeletion == Never && written < f.OnDisk,
		"the scenario ends before the log is full: in "+s.Horizon().String()+" only "+written.String()+" come")
	because(t.Counts().FirstDeletion != Never && written < f.OnDisk,
		"the formula takes traffic to go on, and only "+written.String()+" come in all")
	because(s.MostAhead() > 0, "timestamps are up to "+s.MostAhead().String()+" ahead, so segments stay longer than the formula knows")
	because(s.work.backlog.calls > 0, "the backlog comes faster than the mean rate, and its timestamps decide when it goes")
	because(s.work.stamp.Kind == FixedTimestamp || s.work.stamp.Shift < 0,
		"timestamps are behind the clock, so segments go earlier than the formula knows")
	because(s.work.stamp.Kind == AbsentTimestamp, "records carry no timestamp, so Kafka goes by the files' modification time")
	most := s.MostBytes(Hour)
	whole := most - 2*s.LargestAppend() // how many calls meet an hour is a whole number
	because(whole/11*10 > s.MeanBytes(Hour), "traffic is not even: the busiest hour brings "+most.String())
	because(len(s.steps) > 0, "the scenario changes midway")
	because(c.tieredCopy(), "the formula knows plain deletion only")
	files := t.Peak().Allocated.Bytes - t.Peak().Log.Bytes
	because((apart(peak-files, peak) || !apart(peak-files, f.OnDisk)) && peak > f.OnDisk, "index files, snapshots, files that wait and 4096-byte blocks take "+files.String())
	byTime, bySize := c.localRetention()
	because(bySize >= 0 && c.SegmentBytes > bySize/2 && peak < f.OnDisk,
		"segments are large against retention.bytes: how many fit is a whole number, and the formula takes the worst case")
	if len(f.Why) == 0 && peak < f.OnDisk {
		f.Why = append(f.Why, "the formula takes the worst case of a full oldest segment just before a check; here the rolls, every "+
			s.segmentTime().String()+", and the checks do not meet that way")
	}
	because(len(f.Why) == 0 && byTime >= 0, "the formula takes traffic as even and segments as full")
	because(len(f.Why) == 0, "the formula takes traffic as even and the oldest segment as no larger than segment.bytes")
}

// apart reports whether two amounts differ by more than a tenth of the second.
func apart(a, b Bytes) bool {
	d := a - b
	if d < 0 {
		d = -d
	}
	return d > b/10
}

// segmentTime is about how long a segment is the active one.
func (s Scenario) segmentTime() Millis {
	rate := s.MeanRate()
	c := s.Log()
	if rate == 0 {
		return c.SegmentMs
	}
	return min(c.SegmentMs, Millis(mulDiv(int64(c.SegmentBytes), 1000, int64(rate))))
}

// MeanRate is the bytes of batches that come in a second, over all the time in which there is traffic, rounded down.
func (s Scenario) MeanRate() ByteRate { return ByteRate(s.MeanBytes(Second)) }

// MeanBytes is the bytes of batches that come in a time, over all the time in which there is traffic, rounded down.
func (s Scenario) MeanBytes(span Millis) Bytes {
	from, to := s.work.start, min(s.work.stop, s.horizon)
	if s.work.backlog.calls > 0 {
		from = 0
	}
	if to <= from {
		return 0
	}
	return Bytes(mulDiv(int64(s.MostBytes(s.horizon)), int64(span), int64(to-from)))
}

// handyRate is the mean rate for a calculation by hand: of a second, or where that is little, of an hour or a day.
func (s Scenario) handyRate() (rate Bytes, unit Millis, name string) {
	const little = 100 // less has too few digits
	for _, u := range [...]struct {
		unit Millis
		name string
	}{{Second, "/s"}, {Hour, "/h"}, {Day, "/d"}} {
		if rate, unit, name = s.MeanBytes(u.unit), u.unit, u.name; rate >= little {
			return rate, unit, name
		}
	}
	if rate == 0 {
		return 0, Second, "/s"
	}
	return rate, unit, name
}

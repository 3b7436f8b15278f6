package report

import (
	"slices"

	"github.com/partsize/partsize/calc"
)

// stalled says what becomes of a compacted log whose cleaner stands still, which is what is simulated.
func (w *Words) stalled(a *calc.Answer) {
	t := a.Timeline
	w.say("Never cleaned, each partition grows to ")
	w.figure(SizeText(t.Peak().Allocated.Bytes))
	w.say(" on disk in " + Span(t.Until()) + ", " + SizeText(a.Scenario.MeanBytes(calc.Day)) + " a day")
}

// sayCleaned says what becomes of one that is cleaned.
func (w *Words) sayCleaned(a *calc.Answer) {
	if a.Compacted.OK && a.Timeline.Peak().Log.Bytes > 0 {
		w.say(" While its cleaner keeps up a partition holds at most ")
		w.figure(SizeText(a.Compacted.OnDisk))
		w.say(" of records.")
	}
}

// cleanedPart is a part of the worst case of a log that is cleaned, by the setting that it comes from: what it is, in full and
// in short, and Kafka's rule.
func cleanedPart(key string) (what, short string, rule Rule) {
	switch key {
	case "record.keys":
		return "The newest record of each key", "newest of each key", ruleCleaned
	case "min.cleanable.dirty.ratio":
		return "Dirty, before it is worth a cleaning", "dirty", ruleCleanable
	case "max.compaction.lag.ms":
		return "Dirty, before it has to be cleaned", "dirty", ruleCleanable
	case "min.compaction.lag.ms":
		return "Too young to be cleaned", "too young", ruleCleanable
	case "log.cleaner.backoff.ms":
		return "What comes until the cleaner looks, and while old files wait", "meanwhile", ruleCleaner
	case "file.delete.delay.ms":
		return "The cleaned copy, beside the old files", "the cleaned copy", ruleSwap
	}
	return "The last closed segment and the open one, whole", "two segments", ruleCleanable
}

// cleanedReceipt is the worst case of a log that is cleaned, term by term.
func cleanedReceipt(a *calc.Answer) (r Receipt) {
	b := a.Compacted
	r.Title = "The worst case, while the cleaner keeps up"
	if !b.OK {
		r.Title = "There is no worst case"
		r.note("There is none because %s.", b.Why)
		return r
	}
	for _, term := range b.Terms {
		what, _, rule := cleanedPart(term.Keys[0])
		r.Lines = append(r.Lines, ReceiptLine{What: what, Key: term.Keys[0], Rule: rule, Value: int64(term.Bytes)})
	}
	r.Total = ReceiptLine{What: "Batches on disk never pass", Value: int64(b.OnDisk)}
	if b.OnDisk == 1<<63-1 {
		r.Lines = nil
		r.note("The terms pass what can be counted.")
	}
	r.note("What comes while a cleaning runs is not counted, nor are tombstones and indexes. A cleaner that has stopped, as after an error that it met in this "+
		"partition, cleans nothing until the broker is restarted: then the log grows by %s a day.", SizeText(a.Scenario.MeanBytes(calc.Day)))
	return r
}

// compacted is a topic whose retention settings do nothing.
func (f *finder) compacted() {
	if !f.c.Compact {
		return
	}
	title := "A compacted topic ignores retention"
	says := "With `cleanup.policy` = compact neither `retention.ms` nor `retention.bytes` deletes anything: the newest record of each key stays for ever."
	if f.c.Delete {
		title = "Of a compacted topic the cleaner deletes"
		says = "With `cleanup.policy` = compact,delete retention counts, but it is the cleaner that applies it, after each of its rounds."
	}
	says += " The chart has the log as if its cleaner stood still, as it does after an error until the broker is restarted."
	b := f.a.Compacted
	switch {
	case b.OK:
		says += " While the cleaner keeps up, at most " + SizeText(b.OnDisk) + " of records are on disk."
	case f.peak.Log.Bytes > 0:
		says += " What a cleaner that runs leaves cannot be told, because " + b.Why + "."
	}
	n := f.add(true, title, says, Fix{"cleanup.policy", "delete"}).because("cleanup.policy", ruleCleanable)
	if !b.OK {
		n.Ask = "record.keys"
	}
}

// openSegments is a compacted log most of which is in segments that cannot be cleaned.
func (f *finder) openSegments() {
	b := f.a.Compacted
	i := slices.IndexFunc(b.Terms, func(t calc.Term) bool { return t.Keys[0] == "segment.bytes" })
	// Smaller ones are offered as far as the model plays that many, see [calc.MaxEvents].
	small := f.sizeFix("segment.bytes", max(f.c.SegmentBytes/8, f.peak.Log.Bytes/200_000))
	if i < 0 || b.Terms[i].Bytes < b.OnDisk/2 || small.Value == f.c.SegmentBytes.Text() {
		return
	}
	f.add(false, "Most of a compacted log is segments too new to be cleaned", "The cleaner leaves the open segment alone, and begins only when enough others are closed: "+
		SizeText(b.Terms[i].Bytes)+" of "+SizeText(b.OnDisk)+" are two segments of `segment.bytes` = "+SizeText(f.c.SegmentBytes)+".", small).
		because("segment.bytes", ruleCleanable)
}

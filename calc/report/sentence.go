package report

import (
	"strings"

	"github.com/partsize/partsize/calc"
)

// Word is a piece of a sentence: plain, a figure (strong), or a setting's key (code).
type Word struct {
	Text   string
	Strong bool
	Code   bool
}

// Words are a sentence. The pieces have their spaces in them.
type Words []Word

// String is the sentence as plain text.
func (w Words) String() string {
	var b strings.Builder
	for _, p := range w {
		b.WriteString(p.Text)
	}
	return b.String()
}

// say adds plain text, to the piece before where that is plain too.
func (w *Words) say(text string) {
	if n := len(*w); n > 0 && !(*w)[n-1].Strong && !(*w)[n-1].Code {
		(*w)[n-1].Text += text
		return
	}
	*w = append(*w, Word{Text: text})
}

func (w *Words) figure(text string) { *w = append(*w, Word{Text: text, Strong: true}) }
func (w *Words) key(text string)    { *w = append(*w, Word{Text: text, Code: true}) }

// Sentence is the answer as one would say it.
func Sentence(a *calc.Answer) (w Words) {
	t := a.Timeline
	peak := t.Peak()
	counts := t.Counts()
	c := a.Scenario.Log()
	gone, deleted := a.Scenario.TopicDeleted()
	switch {
	case t.Err() != nil:
		w.say("Kafka itself fails here: " + t.Err().Error() + ". Until then a partition peaks at ")
		w.figure(SizeText(peak.Allocated.Bytes))
		w.say(" on disk")
	case peak.Log.Bytes == 0:
		w.say("Nothing is produced. An empty partition takes ")
		w.figure(SizeText(peak.Allocated.Bytes))
		w.say(" on disk, and ")
		w.key("du --apparent-size")
		w.say(" says ")
		w.figure(SizeText(peak.Apparent.Bytes))
	case counts.Deletions == 0 && deleted:
		w.say("The topic is deleted after " + Span(gone) + ": each partition grows to ")
		w.figure(SizeText(peak.Allocated.Bytes))
		w.say(" on disk until then")
	case counts.Deletions == 0 && c.RetentionMs < 0 && c.RetentionBytes < 0:
		w.say("Nothing is ever deleted: each partition ")
		w.figure("grows without limit")
		w.say(", to ")
		w.figure(SizeText(peak.Allocated.Bytes))
		w.say(" on disk in " + Span(t.Until()) + ", " + SizeText(perDay(a.Scenario.MeanRate())) + " a day")
	case counts.Deletions == 0:
		w.say("Nothing is deleted in " + Span(t.Until()) + ": each partition grows to ")
		w.figure(SizeText(peak.Allocated.Bytes))
		w.say(" on disk by then")
	default:
		w.kept(a)
	}
	if n := a.Scenario.Partitions() * a.Scenario.ReplicationFactor(); n > 1 && t.Err() == nil {
		w.say("; ")
		w.say(Copies(a.Scenario) + " need ")
		w.figure(SizeText(Times(peak.Allocated.Bytes, n)))
		if peak.Log.Bytes == 0 {
			w.say(" and seem to take " + SizeText(Times(peak.Apparent.Bytes, n)))
		}
	}
	w.say(".")
	return w
}

// kept says the peak and how long records are kept, of a log from which something is deleted.
func (w *Words) kept(a *calc.Answer) {
	t := a.Timeline
	peak, ages, counts := t.Peak(), t.Ages(), t.Counts()
	c := a.Scenario.Log()
	w.say("Each partition peaks at ")
	w.figure(SizeText(peak.Allocated.Bytes))
	w.say(" on disk")
	size, _ := mostOf(counts.DeletionsBy)
	bySize := size == calc.BySize && c.RetentionBytes >= 0
	if bySize && peak.Allocated.Bytes > c.RetentionBytes {
		w.say(", ")
		w.figure(SizeText(peak.Allocated.Bytes-c.RetentionBytes) + " above")
		w.say(" ")
		w.key("retention.bytes")
		w.say(",")
	}
	if ages.Readable.Empty() {
		return
	}
	low, high := Spans(ages.Readable.Low, ages.Readable.High)
	w.say(" and keeps a record for ")
	w.figure(low)
	if low != high {
		w.say(" to ")
		w.figure(high)
	}
	switch over := ages.Readable.High - c.RetentionMs; {
	case bySize && c.RetentionMs >= 0 && c.RetentionMs > ages.Readable.High:
		w.say(", not the " + Span(c.RetentionMs) + " of ")
		w.key("retention.ms")
	case !bySize && c.RetentionMs >= 0 && over > 0:
		w.say(", up to ")
		w.figure(Span(over) + " longer")
		w.say(" than ")
		w.key("retention.ms")
	}
}

// mostOf is the reason of most events.
func mostOf(by []calc.ReasonCount) (calc.Reason, int64) {
	var best calc.ReasonCount
	for _, r := range by {
		if r.Count > best.Count {
			best = r
		}
	}
	return best.Reason, best.Count
}

// Copies is how many partitions with how many replicas: 12 partitions × 3 replicas.
func Copies(s calc.Scenario) string {
	p, r := Number(s.Partitions())+" partition", Number(s.ReplicationFactor())+" replica"
	if s.Partitions() != 1 {
		p += "s"
	}
	if s.ReplicationFactor() != 1 {
		r += "s"
	}
	return p + " × " + r
}

// Times is b × n, held at the most that fits.
func Times(b calc.Bytes, n int64) calc.Bytes {
	if n > 0 && b > (1<<63-1)/calc.Bytes(n) {
		return 1<<63 - 1
	}
	return b * calc.Bytes(n)
}

// perDay is what comes in a day.
func perDay(r calc.ByteRate) calc.Bytes { return Times(calc.Bytes(r), 86_400) }

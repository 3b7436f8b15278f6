package report

import (
	"math"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Word is a piece of a sentence: plain, a figure (strong), or a setting's key (code). One with a key is the value of a
// setting, or stands before one; a page may let its reader change it in place.
type Word struct {
	Text   string
	Strong bool
	Code   bool
	Key    string
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
	if n := len(*w); n > 0 && !(*w)[n-1].Strong && !(*w)[n-1].Code && (*w)[n-1].Key == "" {
		(*w)[n-1].Text += text
		return
	}
	*w = append(*w, Word{Text: text})
}

func (w *Words) figure(text string) { *w = append(*w, Word{Text: text, Strong: true}) }
func (w *Words) key(text string)    { *w = append(*w, Word{Text: text, Code: true}) }

// limit says a limit by its key, after which a page may show its value.
func (w *Words) limit(key string) { *w = append(*w, Word{Text: key, Code: true, Key: key}) }

// Sentence is the answer as one would say it.
func Sentence(a *calc.Answer) Words {
	return sentence(a, a.Scenario.Partitions()*a.Scenario.ReplicationFactor() > 1)
}

// FullSentence says of a single replica too that it is one, so that it can be made more in place.
func FullSentence(a *calc.Answer) Words { return sentence(a, true) }

func sentence(a *calc.Answer, copies bool) (w Words) {
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
	case c.Compact && !deleted:
		w.stalled(a)
	case counts.Deletions == 0 && deleted:
		w.say("The topic is deleted after " + Span(gone) + ": each partition grows to ")
		w.figure(SizeText(peak.Allocated.Bytes))
		w.say(" on disk until then")
	case counts.Deletions == 0 && c.RetentionMs < 0 && c.RetentionBytes < 0:
		w.say("Nothing is ever deleted: each partition ")
		w.figure("grows without limit")
		w.say(", to ")
		w.figure(SizeText(peak.Allocated.Bytes))
		w.say(" on disk in " + Span(t.Until()) + ", " + SizeText(a.Scenario.MeanBytes(calc.Day)) + " a day")
	case counts.Deletions == 0:
		w.say("Nothing is deleted in " + Span(t.Until()) + ": each partition grows to ")
		w.figure(SizeText(peak.Allocated.Bytes))
		w.say(" on disk by then")
	default:
		w.kept(a)
	}
	if copies && t.Err() == nil {
		w.copies(a, a.Scenario.Partitions()*a.Scenario.ReplicationFactor())
	}
	w.say(".")
	w.sayCleaned(a)
	w.sayDisk(a)
	return w
}

// copies says what all partitions and replicas need.
func (w *Words) copies(a *calc.Answer, n int64) {
	peak := a.Timeline.Peak()
	number := func(key string, n int64, thing string) {
		*w = append(*w, Word{Text: Number(n), Key: key})
		if n != 1 {
			thing += "s"
		}
		w.say(" " + thing)
	}
	w.say("; ")
	number("partitions", a.Scenario.Partitions(), "partition")
	w.say(" × ")
	number("replication.factor", a.Scenario.ReplicationFactor(), "replica")
	if n == 1 {
		w.say(" needs ")
	} else {
		w.say(" need ")
	}
	all := Times(peak.Allocated.Bytes, n)
	if all == math.MaxInt64 {
		w.say("more than ")
	}
	w.figure(SizeText(all))
	if peak.Log.Bytes == 0 {
		w.say(" and seem" + [...]string{"", "s"}[when(n == 1)] + " to take " + SizeText(Times(peak.Apparent.Bytes, n)))
	}
}

// kept says how long records are kept and the peak, of a log from which something is deleted.
func (w *Words) kept(a *calc.Answer) {
	t := a.Timeline
	peak, ages := t.Peak(), t.Ages()
	c := a.Scenario.Log()
	size, _ := mostOf(t.Counts().DeletionsBy)
	bySize := size == calc.BySize && c.RetentionBytes >= 0
	w.say("Each partition ")
	if !ages.Readable.Empty() {
		w.age(ages.Readable, c.RetentionMs, bySize)
	}
	w.say("peaks at ")
	w.figure(SizeText(peak.Allocated.Bytes))
	w.say(" on disk")
	if bySize && peak.Allocated.Bytes > c.RetentionBytes {
		w.say(", ")
		w.figure(SizeText(peak.Allocated.Bytes-c.RetentionBytes) + " above")
		w.say(" ")
		w.limit("retention.bytes")
	}
}

// age says how long records are kept, against what retention.ms says.
func (w *Words) age(kept calc.Range[calc.Millis], limit calc.Millis, bySize bool) {
	low, high := Spans(kept.Low, kept.High)
	w.say("keeps ")
	switch {
	case kept.Low == 0 && kept.High > 0:
		w.say("up to ")
		w.figure(high)
	case low != high:
		w.figure(low)
		w.say(" to ")
		w.figure(high)
	default:
		w.figure(low)
	}
	w.say(" of data")
	switch over := kept.High - limit; {
	case bySize && limit > kept.High:
		w.say(", not the " + Span(limit) + " of ")
		w.key("retention.ms")
		w.say(",")
	case !bySize && limit >= 0 && over > 0:
		w.say(", up to ")
		w.figure(Span(over) + " longer")
		w.say(" than ")
		w.limit("retention.ms")
		w.say(",")
	}
	w.say(" and ")
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

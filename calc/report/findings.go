package report

import (
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Finding is something about a scenario that its reader should know and may not have asked.
type Finding struct {
	Warn  bool // something is likely not as it was meant
	Title string
	Words Words
	Fixes []Fix
}

// Fix is a setting's value that changes what was found.
type Fix struct{ Key, Value string }

// mapLimit is vm.max_map_count as Linux has it.
const mapLimit = 65_530

// Findings are found in an answer: warnings first, and of each kind what matters most first.
func Findings(a *calc.Answer) []Finding {
	f := finder{a: a, c: a.Scenario.Log(), counts: a.Timeline.Counts(), peak: a.Timeline.Peak(), ages: a.Timeline.Ages()}
	for _, look := range []func(){
		f.refused, f.diskFull, f.compacted, f.unlimited, f.segmentAboveRetention, f.trickle, f.behind, f.ahead, f.overshoot, f.neverReached, f.fullIndexes, f.tooManyMaps,
		f.smallSegments, f.setAside, f.tooShort, f.checks,
	} {
		look()
	}
	slices.SortStableFunc(f.all, func(a, b Finding) int {
		switch {
		case a.Warn == b.Warn:
			return 0
		case a.Warn:
			return -1
		}
		return 1
	})
	return f.all
}

type finder struct {
	a      *calc.Answer
	c      calc.LogConfig
	counts calc.Counts
	peak   calc.Peak
	ages   calc.Ages
	all    []Finding
}

// add adds a finding; its words are pieces of text, and keys between backquotes.
func (f *finder) add(warn bool, title, says string, fixes ...Fix) {
	n := Finding{Warn: warn, Title: title}
	for i, part := range strings.Split(says, "`") {
		if i%2 == 1 {
			n.Words.key(part)
		} else if part != "" {
			n.Words.say(part)
		}
	}
	for _, fix := range fixes {
		if fix.Value != "" {
			n.Fixes = append(n.Fixes, fix)
		}
	}
	f.all = append(f.all, n)
}

func (f *finder) refused() {
	if f.counts.Rejected > 0 {
		f.add(true, "Kafka refuses "+count(f.counts.Rejected, "append"),
			"What is refused never gets into the log, so it takes no space: the producers see errors.")
	}
}

func (f *finder) unlimited() {
	if f.c.Delete && f.c.RetentionMs < 0 && f.c.RetentionBytes < 0 && f.peak.Log.Bytes > 0 {
		f.add(true, "Nothing limits this log", "Neither `retention.ms` nor `retention.bytes` is set: it grows by "+
			SizeText(perDay(f.a.Scenario.MeanRate()))+" a day until the disk is full.", Fix{"retention.ms", "7d"})
	}
}

// compacted is a topic whose retention settings do nothing.
func (f *finder) compacted() {
	if f.c.Compact && !f.c.Delete {
		f.add(true, "A compacted topic ignores retention", "With `cleanup.policy` = compact neither `retention.ms` nor `retention.bytes` deletes anything: "+
			"the newest record of each key stays for ever. The log cleaner is not simulated here, so this is the log as if it never ran.",
			Fix{"cleanup.policy", "delete"})
	}
}

// behind is traffic that is too old when it arrives, as from a replay, or with timestamps in seconds.
func (f *finder) behind() {
	behind := f.a.Scenario.MostBehind()
	if f.c.RetentionMs < 0 || behind <= f.c.RetentionMs || !f.c.Delete || f.c.Compact {
		return
	}
	f.add(true, "Records are past retention when they arrive",
		"Timestamps are up to "+Span(behind)+" behind, and Kafka counts `retention.ms` = "+Span(f.c.RetentionMs)+" from them: such records go at the next check, within `"+
			checkKey+"` = "+Span(f.a.Scenario.Broker().RetentionCheckInterval)+", the open segment too. `message.timestamp.before.max.ms` refuses them; "+
			"`message.timestamp.type` = LogAppendTime counts from their arrival.",
		Fix{"message.timestamp.type", "LogAppendTime"})
}

// segmentAboveRetention is the check that Kafka had for a few weeks (KAFKA-4788).
func (f *finder) segmentAboveRetention() {
	if f.c.RetentionBytes < 0 || f.c.SegmentBytes <= f.c.RetentionBytes {
		return
	}
	f.add(true, "segment.bytes is larger than retention.bytes",
		"Only whole segments go, so the log grows to "+SizeText(f.peak.Log.Bytes)+" instead of "+SizeText(f.c.RetentionBytes)+
			". Kafka takes both settings without a word.",
		f.sizeFix("segment.bytes", f.c.RetentionBytes/4))
}

// sizeFix sets a size to a power of two near a wish, within the setting's bounds.
func (f *finder) sizeFix(key string, want calc.Bytes) Fix {
	row, _, _ := calc.SettingOf(key)
	row = row.In(f.a.Scenario.Version())
	n := calc.Bytes(1)
	for n*2 <= want {
		n *= 2
	}
	n = max(n, calc.Bytes(row.Min))
	if int64(n) > row.Max {
		return Fix{}
	}
	return Fix{key, n.Text()}
}

// trickle is a topic whose segments stay open longer than its records are to be kept.
func (f *finder) trickle() {
	if f.c.RetentionMs < 0 || f.counts.Deletions == 0 || f.ages.Readable.Empty() || f.ages.Readable.High <= f.c.RetentionMs+f.c.RetentionMs/4 {
		return
	}
	says := "Records stay readable for up to " + Span(f.ages.Readable.High) + ": a segment goes only when its newest record is older than `retention.ms` = " +
		Span(f.c.RetentionMs)
	want := max(f.c.RetentionMs/4, 1)
	var fixes []Fix
	switch {
	case f.c.SegmentMs > want && f.a.Scenario.MostAhead() == 0:
		if f.c.SegmentMs > f.c.RetentionMs {
			says += ", and `segment.ms` = " + Span(f.c.SegmentMs) + " lets one be open for longer than that"
		}
		fixes = []Fix{{"segment.ms", want.Text()}, f.sizeFix("segment.bytes", calc.Bytes(f.a.Scenario.MeanRate())*calc.Bytes(want/1000))}
		if len(fixes[1].Value) > 0 && calc.Bytes(f.a.Scenario.MeanRate())*calc.Bytes(want/1000) < calc.MiB {
			fixes = fixes[:1]
		}
	}
	f.add(true, "Records outlive retention.ms by far", says+".", fixes...)
}

func (f *finder) ahead() {
	if ahead := f.a.Scenario.MostAhead(); ahead > 0 && f.c.RetentionMs >= 0 {
		f.add(true, "Timestamps from the future hold segments back",
			"Timestamps are up to "+Span(ahead)+" ahead, and Kafka counts `retention.ms` from them: each segment stays that much longer. "+
				"`message.timestamp.after.max.ms` refuses such records; `message.timestamp.type` = LogAppendTime ignores them.",
			Fix{"message.timestamp.type", "LogAppendTime"})
	}
}

func (f *finder) overshoot() {
	limit := f.c.RetentionBytes
	if limit <= 0 || f.counts.Deletions == 0 || f.c.SegmentBytes > limit {
		return
	}
	over := f.peak.Allocated.Bytes - limit
	if over <= 0 {
		return
	}
	by, _ := mostOf(f.counts.DeletionsBy)
	if by != calc.BySize {
		return
	}
	share := int64(float64(over)/float64(limit)*100 + 0.5)
	says := "The peak is " + SizeText(over) + ", " + Number(share) + " %, above `retention.bytes`: a part of a segment, what comes between two checks, " +
		"and files that wait for removal. A volume of " + SizeText(limit) + " would fill up."
	f.add(share > 20, "The disk needs more than retention.bytes", says, f.sizeFix("segment.bytes", min(f.c.SegmentBytes/2, limit/16)))
}

func (f *finder) neverReached() {
	by, _ := mostOf(f.counts.DeletionsBy)
	if by != calc.BySize || f.c.RetentionMs < 0 || f.ages.Readable.Empty() || f.ages.Readable.High >= f.c.RetentionMs {
		return
	}
	need := Times(calc.Bytes(f.a.Scenario.MeanRate()), int64(f.c.RetentionMs/1000))
	says := "`retention.bytes` deletes records after " + Span(f.ages.Readable.Low) + " to " + Span(f.ages.Readable.High) + ". To keep " +
		Span(f.c.RetentionMs) + " this partition needs about " + SizeText(need) + "."
	f.add(false, "retention.ms is never reached", says, Fix{"retention.bytes", roundUp(need).Text()})
}

// roundUp is a size with at most three binary digits more than one.
func roundUp(b calc.Bytes) calc.Bytes {
	unit := calc.Bytes(1)
	for unit < 1<<50 && b/unit >= 1024 {
		unit *= 1024
	}
	step := unit
	for b/step >= 100 {
		step *= 10
	}
	return (b + step - 1) / step * step
}

func (f *finder) fullIndexes() {
	var full int64
	for _, r := range f.counts.RollsBy {
		if strings.HasPrefix(string(r.Reason), "segment.index.bytes") {
			full += r.Count
		}
	}
	if full == 0 {
		return
	}
	f.add(true, "Segments roll because an index is full", count(full, "segment")+" of "+Number(f.counts.Rolls)+
		" rolled before `segment.bytes`, since `segment.index.bytes` = "+SizeText(f.c.SegmentIndexBytes)+" has no room for more entries.",
		f.sizeFix("segment.index.bytes", f.c.SegmentIndexBytes*4))
}

func (f *finder) tooManyMaps() {
	all := f.counts.MemoryMaps * f.a.Scenario.Partitions()
	if all <= mapLimit {
		return
	}
	f.add(true, "More memory maps than Linux allows by default",
		"A broker with "+count(f.a.Scenario.Partitions(), "partition")+" of this kind has "+Number(all)+" index files mapped; vm.max_map_count is "+
			Number(mapLimit)+" unless it was raised. Beyond it the broker stops.",
		f.sizeFix("segment.bytes", Times(f.c.SegmentBytes, 2*(all/mapLimit+1)))) // rounded down to a power of two
}

func (f *finder) smallSegments() {
	if f.counts.Segments < 2000 || f.counts.MemoryMaps*f.a.Scenario.Partitions() > mapLimit {
		return
	}
	f.add(false, "Many segments in one partition",
		"There are up to "+Number(f.counts.Segments)+" at a time, with "+Number(f.counts.OpenFiles)+" open files: a broker takes long to start with them.",
		f.sizeFix("segment.bytes", f.c.SegmentBytes*4))
}

func (f *finder) setAside() {
	aside := f.peak.Apparent.Bytes - f.peak.Log.Bytes
	if f.peak.Apparent.Bytes == 0 || aside < f.peak.Apparent.Bytes/2 || aside < calc.MiB {
		return
	}
	n := f.a.Scenario.Partitions() * f.a.Scenario.ReplicationFactor()
	says := "Each active segment has two index files of `segment.index.bytes` = " + SizeText(f.c.SegmentIndexBytes) + ", empty at first. ls and du --apparent-size count " +
		SizeText(f.peak.Apparent.Bytes) + " for a partition, the disk " + SizeText(f.peak.Allocated.Bytes) + "."
	if n > 1 {
		says += " For " + Copies(f.a.Scenario) + " that is " + SizeText(Times(f.peak.Apparent.Bytes, n)) + " against " + SizeText(Times(f.peak.Allocated.Bytes, n)) + "."
	}
	f.add(false, "Most of the apparent size is index files set aside", says, f.sizeFix("segment.index.bytes", calc.MiB))
}

// tooShort is a scenario that ends before anything is deleted.
func (f *finder) tooShort() {
	if _, deleted := f.a.Scenario.TopicDeleted(); deleted {
		return
	}
	if f.counts.Deletions > 0 || !f.c.Delete || f.peak.Log.Bytes == 0 || f.c.RetentionMs < 0 && f.c.RetentionBytes < 0 {
		return
	}
	var fixes []Fix
	if f.c.RetentionMs >= 0 && f.c.RetentionMs < 10*365*calc.Day {
		fixes = append(fixes, Fix{"horizon", (2*f.c.RetentionMs + f.c.SegmentMs).Text()})
	}
	f.add(false, "The simulated time is too short to delete anything",
		"In "+Span(f.a.Timeline.Until())+" no segment reaches its retention, so this is not yet the most that will be on disk.", fixes...)
}

// checks is a log that grows much between two checks.
func (f *finder) checks() {
	interval := f.a.Scenario.Broker().RetentionCheckInterval
	between := f.a.Scenario.MostBytes(interval)
	if f.counts.Deletions == 0 || between < f.peak.Log.Bytes/5 {
		return
	}
	f.add(false, "Much comes between two checks",
		"Up to "+SizeText(between)+" come in `log.retention.check.interval.ms` = "+Span(interval)+", against a log of "+SizeText(f.peak.Log.Bytes)+
			" at its peak: whatever retention says, that much more is on disk before Kafka looks again.",
		Fix{"log.retention.check.interval.ms", shorter(interval)})
}

func shorter(m calc.Millis) string {
	if m < 2*calc.Second {
		return ""
	}
	return (m / 5).Text()
}

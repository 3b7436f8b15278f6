package report

import (
	"strings"

	"github.com/partsize/partsize/calc"
)

// Finding is something about a scenario that its reader should know and may not have asked.
type Finding struct {
	Warn  bool // something is likely not as it was meant
	Title string
	Words Words
	Fixes []Fix
	Ask   string // the setting that would have to be given to say more, or ""
	Links []Link // where it is explained, at least one
}

// Link is a page that explains something.
type Link struct{ Text, URL string }

// Fix is a setting's value that changes what was found.
type Fix struct{ Key, Value string }

// mapLimit is vm.max_map_count as Linux has it.
const mapLimit = 65_530

// Findings are found in an answer: warnings first, and of each kind what matters most first.
func Findings(a *calc.Answer) []Finding {
	f := finder{a: a, c: a.Scenario.Log(), counts: a.Timeline.Counts(), peak: a.Timeline.Peak(), ages: a.Timeline.Ages()}
	for _, look := range []func(){
		f.refused, f.diskFull, f.compacted, f.openSegments, f.unlimited, f.segmentAboveRetention, f.trickle, f.behind, f.ahead, f.overshoot, f.neverReached, f.fullIndexes, f.tooManyMaps,
		f.smallSegments, f.setAside, f.tooShort, f.checks,
	} {
		look()
	}
	// Two rounds are less code than a sort of its own for findings.
	sorted := make([]Finding, 0, len(f.all))
	for _, warn := range [...]bool{true, false} {
		for i := range f.all {
			if f.all[i].Warn == warn {
				sorted = append(sorted, f.all[i])
			}
		}
	}
	return sorted
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
func (f *finder) add(warn bool, title, says string, fixes ...Fix) *Finding {
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
	return &f.all[len(f.all)-1]
}

// because links to what Kafka's documentation says of a setting, and to the rule in its source.
func (n *Finding) because(key string, rule Rule) *Finding {
	row, _, _ := calc.SettingOf(key)
	n.Links = append(n.Links, Link{key + " in Kafka's documentation", Documentation(&row)})
	return n.see(rule.Name(), rule.Source())
}

func (n *Finding) see(text, url string) *Finding {
	n.Links = append(n.Links, Link{text, url})
	return n
}

// The documentation of what Kafka needs of an operating system: files, maps and disks.
const (
	osText = "Kafka's documentation of the operating system"
	osPage = "https://kafka.apache.org/documentation/#os"
)

func (f *finder) refused() {
	if f.counts.Rejected > 0 {
		f.add(true, "Kafka refuses "+count(f.counts.Rejected, "append"),
			"What is refused never gets into the log, so it takes no space: the producers see errors.").because("max.message.bytes", ruleValidate)
	}
}

func (f *finder) unlimited() {
	if f.c.Delete && f.c.RetentionMs < 0 && f.c.RetentionBytes < 0 && f.peak.Log.Bytes > 0 {
		f.add(true, "Nothing limits this log", "Neither `retention.ms` nor `retention.bytes` is set: it grows by "+
			SizeText(f.a.Scenario.MeanBytes(calc.Day))+" a day until the disk is full.", Fix{"retention.ms", "7d"}).because("retention.ms", ruleDeletable)
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
		Fix{"message.timestamp.type", "LogAppendTime"}).because("message.timestamp.before.max.ms", ruleByTime)
}

// segmentAboveRetention is the check that Kafka had for a few weeks (KAFKA-4788).
func (f *finder) segmentAboveRetention() {
	if f.c.RetentionBytes < 0 || f.c.SegmentBytes <= f.c.RetentionBytes {
		return
	}
	f.add(true, "segment.bytes is larger than retention.bytes",
		"Only whole segments go, so the log grows to "+SizeText(f.peak.Log.Bytes)+" instead of "+SizeText(f.c.RetentionBytes)+
			". Kafka takes both settings without a word.",
		f.sizeFix("segment.bytes", f.c.RetentionBytes/4)).because("segment.bytes", ruleBySize).
		see("KAFKA-4788", "https://issues.apache.org/jira/browse/KAFKA-4788")
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
	limit := f.c.RetentionMs
	if limit < 0 || f.counts.Deletions == 0 || f.ages.Readable.Empty() || f.ages.Readable.High <= limit+limit/4 {
		return
	}
	says := "Records stay readable for up to " + Span(f.ages.Readable.High) + ": a segment goes only when its newest record is older than `retention.ms` = " + Span(limit)
	// A tenth for a segment and a tenth for the check are within the quarter.
	want := steadier(limit / 10)
	var fixes []Fix
	switch {
	case f.a.Scenario.MostAhead() > 0:
		fixes = []Fix{{"message.timestamp.type", "LogAppendTime"}}
	case f.c.SegmentMs > want:
		if f.c.SegmentMs > limit {
			says += ", and `segment.ms` = " + Span(f.c.SegmentMs) + " lets one be open for longer than that"
		}
		fixes = []Fix{{"segment.ms", want.Text()}}
		if size := calc.Bytes(f.a.Scenario.MeanRate()) * calc.Bytes(want/1000); size >= calc.MiB && size < f.c.SegmentBytes {
			fixes = append(fixes, f.sizeFix("segment.bytes", size))
		}
	}
	if interval := f.a.Scenario.Broker().RetentionCheckInterval; interval > want && len(fixes) == 0 {
		says += ", and Kafka looks every `log.retention.check.interval.ms` = " + Span(interval)
		fixes = []Fix{{checkKey, want.Text()}}
	}
	f.add(true, "Records outlive retention.ms by far", says+".", fixes...).because("segment.ms", ruleByTime)
}

// steadier is the largest of the values that the arrow keys go through that is no more than a time, 1 ms at least.
func steadier(m calc.Millis) calc.Millis {
	to := calc.Millis(1)
	for _, step := range durationSteps {
		if step <= m {
			to = max(to, step)
		}
	}
	return to
}

func (f *finder) ahead() {
	if ahead := f.a.Scenario.MostAhead(); ahead > 0 && f.c.RetentionMs >= 0 {
		f.add(true, "Timestamps from the future hold segments back",
			"Timestamps are up to "+Span(ahead)+" ahead, and Kafka counts `retention.ms` from them: each segment stays that much longer. "+
				"`message.timestamp.after.max.ms` refuses such records; `message.timestamp.type` = LogAppendTime ignores them.",
			Fix{"message.timestamp.type", "LogAppendTime"}).because("message.timestamp.after.max.ms", ruleNewest)
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
	var fixes []Fix
	switch all := Times(f.peak.Allocated.Bytes, f.a.Scenario.Partitions()); {
	case share > 20:
		// What is most of it comes first.
		interval := f.a.Scenario.Broker().RetentionCheckInterval
		if between := f.a.Scenario.MostBytes(interval); between > f.c.SegmentBytes {
			fixes = append(fixes, Fix{checkKey, shorter(interval)})
		} else {
			fixes = append(fixes, f.sizeFix("segment.bytes", min(f.c.SegmentBytes/2, limit/16)))
		}
	case f.a.Disk != nil:
		return // whether the volume is large enough is said of it
	case all < 1<<60:
		fixes = append(fixes, Fix{"disk", roundUp(all / 5 * 6).Text()})
	}
	f.add(share > 20, "The disk needs more than retention.bytes", says, fixes...).because("retention.bytes", ruleDeletable)
}

func (f *finder) neverReached() {
	by, _ := mostOf(f.counts.DeletionsBy)
	if by != calc.BySize || f.c.RetentionMs < 0 || f.ages.Readable.Empty() || f.ages.Readable.High >= f.c.RetentionMs {
		return
	}
	need := f.a.Scenario.MeanBytes(f.c.RetentionMs)
	after := Span(f.ages.Readable.High) + " at the latest"
	if low := f.ages.Readable.Low; low > 0 {
		after = Span(low) + " to " + Span(f.ages.Readable.High)
	}
	says := "`retention.bytes` deletes records after " + after + ". To keep " +
		Span(f.c.RetentionMs) + " this partition needs about " + SizeText(need) + "."
	more := Fix{"retention.bytes", roundUp(need).Text()}
	if u := f.a.Disk; u != nil && Times(need, u.Replicas) > u.Size {
		more = Fix{"retention.ms", steadier(f.ages.Readable.Low).Text()} // what there is room for
	}
	f.add(false, "retention.ms is never reached", says, more).because("retention.ms", ruleDeletable)
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
	// An entry of the time index has 12 bytes; there is one for each index.interval.bytes at most.
	entries := f.c.SegmentBytes/max(f.c.IndexIntervalBytes, 1) + 2
	f.add(true, "Segments roll because an index is full", count(full, "segment")+" of "+Number(f.counts.Rolls)+
		" rolled before `segment.bytes`, since `segment.index.bytes` = "+SizeText(f.c.SegmentIndexBytes)+" has no room for more entries.",
		f.sizeFix("segment.index.bytes", 2*max(f.c.SegmentIndexBytes, entries*12))).because("segment.index.bytes", ruleRoll)
}

func (f *finder) tooManyMaps() {
	all := f.counts.MemoryMaps * f.a.Scenario.Partitions()
	if all <= mapLimit {
		return
	}
	f.add(true, "More memory maps than Linux allows by default",
		"A broker with "+count(f.a.Scenario.Partitions(), "partition")+" of this kind has "+Number(all)+" index files mapped; vm.max_map_count is "+
			Number(mapLimit)+" unless it was raised. Beyond it the broker stops.",
		f.sizeFix("segment.bytes", Times(f.c.SegmentBytes, 2*(all/mapLimit+1)))). // rounded down to a power of two
		see(osText, osPage).see(ruleSetAside.Name(), ruleSetAside.Source())
}

func (f *finder) smallSegments() {
	if f.counts.Segments < 2000 || f.counts.MemoryMaps*f.a.Scenario.Partitions() > mapLimit {
		return
	}
	f.add(false, "Many segments in one partition",
		"There are up to "+Number(f.counts.Segments)+" at a time, with "+Number(f.counts.OpenFiles)+" open files: a broker takes long to start with them.",
		f.sizeFix("segment.bytes", f.c.SegmentBytes*4)).see(osText, osPage)
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
	f.add(false, "Most of the apparent size is index files set aside", says,
		f.sizeFix("segment.index.bytes", max(calc.MiB/4, 24*(f.peak.Log.Bytes/max(f.c.IndexIntervalBytes, 1))))).because("segment.index.bytes", ruleSetAside)
}

// tooShort is a scenario that ends before anything is deleted.
func (f *finder) tooShort() {
	if _, deleted := f.a.Scenario.TopicDeleted(); deleted {
		return
	}
	if f.counts.Deletions > 0 || !f.c.Delete || f.c.Compact || f.peak.Log.Bytes == 0 || f.c.RetentionMs < 0 && f.c.RetentionBytes < 0 {
		return
	}
	var fixes []Fix
	if f.c.RetentionMs >= 0 && f.c.RetentionMs < 10*365*calc.Day {
		fixes = append(fixes, Fix{"horizon", (2*f.c.RetentionMs + f.c.SegmentMs).Text()})
	}
	f.add(false, "The simulated time is too short to delete anything",
		"In "+Span(f.a.Timeline.Until())+" no segment reaches its retention, so this is not yet the most that will be on disk.", fixes...).
		because("retention.ms", ruleByTime)
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
		Fix{"log.retention.check.interval.ms", shorter(interval)}).because("log.retention.check.interval.ms", ruleCheck)
}

func shorter(m calc.Millis) string {
	if m < 2*calc.Second {
		return ""
	}
	return (m / 5).Text()
}

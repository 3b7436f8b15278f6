package report

import "github.com/partsize/partsize/calc"

// sayDisk says when the disk is full, of a scenario that has one.
func (w *Words) sayDisk(a *calc.Answer) {
	u := a.Disk
	if u == nil || a.Timeline.Err() != nil {
		return
	}
	w.say(" A disk of ")
	w.fullDisk(a)
}

// fullDisk goes on after: a disk of.
func (w *Words) fullDisk(a *calc.Answer) {
	u := a.Disk
	w.say(SizeText(u.Size))
	switch {
	case u.Full.At != calc.Never:
		w.say(" is ")
		w.figure(fullAfter(u))
		if u.Before {
			w.say(", before anything is deleted")
		}
	case a.Timeline.Counts().Deletions == 0 && a.Timeline.Peak().Log.Bytes > 0:
		w.say(" is not full by then")
	default:
		w.say(" has " + SizeText(u.Size-u.Most.Bytes) + " to spare")
	}
	w.say(".")
}

func fullAfter(u *calc.DiskUse) string {
	if u.Full.At == 0 {
		return "full from the start"
	}
	return "full after " + Span(u.Full.At)
}

// diskFull is a disk that does not hold what comes, or hardly.
func (f *finder) diskFull() {
	u := f.a.Disk
	if u == nil {
		return
	}
	offline := " Kafka then takes the log directory offline, and a broker without another one stops. It may not start again before there is room: " +
		"a start makes the two indexes of each open segment `segment.index.bytes` = " + SizeText(f.c.SegmentIndexBytes) + " long, and a broker that is stopped deletes nothing. " +
		"Keep " + SizeText(reserveOf(f.a)) + " in reserve."
	most := "At its peak " + SizeText(u.Most.Bytes) + " would be on it."
	if u.Replicas > 1 {
		most = "At the peak " + SizeText(u.Most.Bytes) + " of " + count(u.Replicas, "partition") + " would be on it."
	}
	full, first := "A disk of "+SizeText(u.Size)+" is "+fullAfter(u)+". ", f.counts.FirstDeletion
	switch {
	case u.Full.At == calc.Never && u.Most.Bytes/17 > u.Size/20:
		f.addDisk(false, "Hardly anything of the disk is left", "At the peak "+SizeText(u.Most.Bytes)+" of "+SizeText(u.Size)+
			" are taken. A start, a move of partitions, or a broker that was down and catches up, needs space for a while: keep "+SizeText(reserveOf(f.a))+
			" in reserve.", f.largerDisk())
	case u.Full.At == calc.Never:
	case u.Before && first == calc.Never:
		f.addDisk(true, "The disk is full before anything is deleted", full+"In "+Span(f.a.Timeline.Until())+" nothing is deleted at all."+offline, f.diskFixes()...)
	case u.Before:
		f.addDisk(true, "The disk is full before anything is deleted", full+"The first segment goes after "+Span(first)+". "+most+offline, f.diskFixes()...)
	default:
		f.addDisk(true, "The disk is full although retention deletes", full+"The first segment went after "+Span(first)+". "+most+offline, f.diskFixes()...)
	}
}

// addDisk adds a finding about the disk.
func (f *finder) addDisk(warn bool, title, says string, fixes ...Fix) {
	f.add(warn, title, says, fixes...).see(ruleOffline.Name(), ruleOffline.Source()).see(osText, osPage)
}

// reserveOf is what is to stay free of a disk: a tenth, and no less than what a start may write, the two indexes of the open
// segment of each replica.
//
// Kafka: LogLoader.load, AbstractIndex.resize.
func reserveOf(a *calc.Answer) calc.Bytes {
	u := a.Disk
	return min(max(u.Size/10, Times(2*a.Scenario.Log().SegmentIndexBytes, u.Replicas)), u.Size)
}

// diskFixes are what lets the log fit the disk, of which more than a seventh stays free: a limit for its size or, where segments are too
// large for any limit to help, smaller segments; or a larger disk.
func (f *finder) diskFixes() (fixes []Fix) {
	share := f.a.Disk.Size / 20 * 17 / calc.Bytes(f.a.Disk.Replicas)
	key, limit := "retention.bytes", f.c.RetentionBytes
	if f.c.RemoteStorage {
		key, limit = "local.retention.bytes", f.c.LocalRetentionBytes
	}
	broker := f.a.Scenario.Broker()
	// On top of retention.bytes come a segment, what arrives until the next check, and what waits for removal: that one and more.
	over := f.c.SegmentBytes + Times(f.a.Scenario.MostBytes(broker.RetentionCheckInterval+f.c.FileDeleteDelayMs), 2) + 4*f.c.SegmentIndexBytes
	switch wanted := roundDown(share - over); {
	case !f.c.Delete:
	case over <= share/2 && (limit < 0 || limit > wanted):
		fixes = append(fixes, Fix{key, wanted.Text()})
	default:
		if smaller := f.sizeFix("segment.bytes", share/16); smaller.Value != "" && f.c.SegmentBytes > share/16 {
			fixes = append(fixes, smaller)
		}
	}
	return append(fixes, f.largerDisk())
}

// largerDisk is a disk on which a sixth stays free at the peak, which is more than hardly anything.
func (f *finder) largerDisk() Fix {
	if f.a.Disk.Most.Bytes > 1<<60 {
		return Fix{}
	}
	return Fix{"disk", roundUp(f.a.Disk.Most.Bytes / 5 * 6).Text()}
}

// roundDown is a size in whole units of which there are at least ten.
func roundDown(b calc.Bytes) calc.Bytes {
	unit := calc.Bytes(1)
	for b/unit >= 10*1024 {
		unit *= 1024
	}
	return b / unit * unit
}

// WithTwice says how the disk fills with twice the traffic, for the page; nothing where there is no disk, or where that takes
// too long. run plays a scenario, or reports that it should stop.
func WithTwice(in calc.Input, run func(calc.Scenario) (calc.Answer, bool)) (w Words) {
	scenario, err := calc.NewScenario(in.Doubled())
	if err != nil || scenario.EventBound() > mostTried {
		return nil
	}
	a, ok := run(scenario)
	if !ok || a.Disk == nil || a.Timeline.Err() != nil {
		return nil
	}
	w.say("With twice the traffic a disk of ")
	w.fullDisk(&a)
	return w
}

// withTwice is how the disk fills with twice the traffic; ok is false where that cannot be played.
func withTwice(in calc.Input) (u *calc.DiskUse, ok bool) {
	s, err := calc.NewScenario(in.Doubled())
	if err != nil {
		return nil, false
	}
	a := calc.Run(s)
	return a.Disk, a.Disk != nil && a.Timeline.Err() == nil
}

// disk shows when the disk is full, and when with twice the traffic.
func (p *printer) disk(a *calc.Answer, in calc.Input) {
	if a.Disk == nil {
		return
	}
	p.paragraph(pad("the disk", 26), fullText(a.Disk))
	if u, ok := withTwice(in); ok {
		p.paragraph(pad("with twice the traffic", 26), fullText(u))
	}
}

func fullText(u *calc.DiskUse) string {
	if u.Full.At == calc.Never {
		return "not full: " + SizeText(u.Most.Bytes) + " of " + SizeText(u.Size) + " at the most"
	}
	text := "full at " + u.Full.Bytes.Exact() + ", after " + Clock(u.Full.At, 1) + ", "
	if u.Before {
		return text + "before the first deletion"
	}
	return text + "after the first deletion"
}

// jsonDisk is how the disk fills.
type jsonDisk struct {
	Size     calc.Bytes `json:"bytes"`
	Replicas int64      `json:"replicas"`
	jsonFull
	Doubled *jsonFull `json:"doubled,omitempty"` // with twice the traffic
}

// jsonFull is when it is full.
type jsonFull struct {
	Most   calc.Bytes   `json:"most_bytes"`
	MostAt calc.Millis  `json:"most_t_ms"`
	FullAt *calc.Millis `json:"full_t_ms"` // null: not within the horizon
	Full   *calc.Bytes  `json:"full_bytes,omitempty"`
	Before bool         `json:"before_first_deletion"`
}

func diskOf(u *calc.DiskUse, in calc.Input) *jsonDisk {
	if u == nil {
		return nil
	}
	out := &jsonDisk{Size: u.Size, Replicas: u.Replicas, jsonFull: fullOf(u)}
	if twice, ok := withTwice(in); ok {
		full := fullOf(twice)
		out.Doubled = &full
	}
	return out
}

func fullOf(u *calc.DiskUse) jsonFull {
	out := jsonFull{Most: u.Most.Bytes, MostAt: u.Most.At, Before: u.Before}
	if u.Full.At != calc.Never {
		out.FullAt, out.Full = &u.Full.At, &u.Full.Bytes
	}
	return out
}

package report

import (
	"github.com/partsize/partsize/calc"
)

// filesReceipt is the most segments, open files or memory maps of one replica.
func filesReceipt(a *calc.Answer, of string) (r Receipt) {
	t := a.Timeline
	counts := t.Counts()
	r.of = ofThings
	if of == OfSegments {
		at := counts.SegmentsAt
		u := stateAt(t, at, func(u *calc.Usage) bool { return u.Segments == counts.Segments }).Usage()
		r.Title = "Segments of one replica"
		if closed := u.Segments - 1; closed > 0 {
			by := calc.Reason(MainReason(counts.RollsBy))
			r.add("Closed", SizeText(u.Log)+" of records in segments of up to", keyOf(by), ruleRoll, closed)
		}
		r.add("Active", "one is always being written", "", ruleOpen, 1)
		r.Total = ReceiptLine{What: "Most at a time, first at " + Clock(at, 1), Value: u.Segments}
		return r
	}
	at := counts.OpenFilesAt
	u := stateAt(t, at, func(u *calc.Usage) bool { return u.OpenFiles == counts.OpenFiles }).Usage()
	r.Title = "Open files of one replica"
	r.add("Segments of the log", "a .log each; indexes are mapped, not open;", "segment.bytes", ruleOpen, u.Segments)
	r.add("Deleted segments", "open until their files go, after", "file.delete.delay.ms", ruleRemove, u.OpenFiles-u.Segments)
	r.Total = ReceiptLine{What: "Most at a time, first at " + Clock(at, 1), Value: u.OpenFiles}
	if of == OfMaps {
		r.Title = "Memory maps of one replica"
		r.times("An .index and a .timeindex each", "", ruleSetAside, 2)
		r.Total.Value = u.MemoryMaps
		r.note("Linux allows a process %s unless vm.max_map_count is raised; a broker has those of all its replicas.", Number(mapLimit))
	}
	return r
}

// indexReceipt is what is on disk at the peak beside the records: indexes, snapshots and the rest of blocks.
func indexReceipt(a *calc.Answer) (r Receipt) {
	t := a.Timeline
	peak := t.Peak().Allocated
	sim := stateAt(t, peak.At, func(u *calc.Usage) bool { return u.Allocated == peak.Bytes })
	u, p := sim.Usage(), sim.Parts()
	r.Title = "Indexes, snapshots and blocks at the peak"
	entries := func(p *calc.Part, each string) string {
		return Number(p.Entries) + " entries of " + each + " in " + count(p.Files, "file") + ", at most one for each"
	}
	r.add("Offset indexes of closed segments", entries(&p.Index, "8"+space+"B"), "index.interval.bytes", ruleOffsets, int64(p.Index.Allocated))
	r.add("Time indexes of closed segments", entries(&p.TimeIndex, "12"+space+"B"), "index.interval.bytes", ruleTimes, int64(p.TimeIndex.Allocated))
	r.add("Indexes of the active segment", SizeText(p.ActiveIndex.Apparent+p.ActiveTimes.Apparent)+" are set aside, on disk is what is written;", "segment.index.bytes",
		ruleSetAside, int64(p.ActiveIndex.Allocated+p.ActiveTimes.Allocated))
	r.add("Aborted transactions", count(p.TxnIndex.Files, "file"), "", ruleAborted, int64(p.TxnIndex.Allocated))
	r.add("Snapshots of producers", count(p.Snapshots.Files, "file")+"; a producer counts for", "producer.id.expiration.ms", ruleSnapshot, int64(p.Snapshots.Allocated))
	r.add("Checkpoint and metadata", "2 files", "", ruleCheckpoint, int64(p.Checkpoint.Allocated+p.Metadata.Allocated))
	r.add("Rest of the logs' last blocks", "files take whole blocks of 4096"+space+"B", "", ruleAppend, int64(p.Logs.Allocated-u.Log))
	r.Total = ReceiptLine{What: "Beside the records, at " + Clock(peak.At, 1), Value: int64(u.Allocated - u.AwaitingAllocated - u.Log)}
	return r
}

// lengthReceipt is the most that the lengths of all files add up to, as ls counts.
func lengthReceipt(a *calc.Answer) (r Receipt) {
	t := a.Timeline
	peak := t.Peak().Apparent
	sim := stateAt(t, peak.At, func(u *calc.Usage) bool { return u.Apparent == peak.Bytes })
	u, p := sim.Usage(), sim.Parts()
	r.Title = "As ls and du --apparent-size count"
	r.add("Records", "what kafka-log-dirs says, of the live segments", "", ruleAppend, int64(u.Log))
	r.add("Set aside for records", "", "preallocate", ruleOpen, int64(p.Logs.Apparent-u.Log))
	r.add("Indexes of closed segments", "cut to what is used; an entry at most for each", "index.interval.bytes", ruleOffsets, int64(p.Index.Apparent+p.TimeIndex.Apparent))
	r.add("Indexes of the active segment", "two files, set aside whole: ", "segment.index.bytes", ruleSetAside, int64(p.ActiveIndex.Apparent+p.ActiveTimes.Apparent))
	r.add("Aborted transactions", "", "", ruleAborted, int64(p.TxnIndex.Apparent))
	r.add("Snapshots, checkpoint, metadata", count(p.Snapshots.Files+2, "file"), "", ruleSnapshot, int64(p.Snapshots.Apparent+p.Checkpoint.Apparent+p.Metadata.Apparent))
	r.add(count(u.OpenFiles-u.Segments, "deleted segment"), "with their indexes; files stay for", "file.delete.delay.ms", ruleRemove, int64(u.Awaiting))
	r.Total = ReceiptLine{What: "Most, at " + Clock(peak.At, 1), Value: int64(u.Apparent)}
	r.note("At that time %s are on disk: what is set aside takes no blocks until it is written.", SizeText(u.Allocated))
	return r
}

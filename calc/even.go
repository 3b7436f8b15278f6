package calc

// evenRun is what a [feed] knows of the segments that it fills alone, when all of them are equal: each call brings the same
// bytes, is one batch, and stamps it later by the interval of the calls, and a segment rolls when it is full and for no
// other reason. What is in such a segment then follows from how many calls came since it was made, and a whole segment is
// written down at once. That is the usual state of a log, and where a simulation spends its time.
type evenRun struct {
	full    int64 // calls that fill a segment; 0: segments are not even
	gap     int64 // calls from one entry of the offset index to the next
	entries int64 // of the offset index of a full segment
	stepped bool  // each entry is stamped later than the one before; else every millisecond has one

	base Offset // of the segment that the run fills; −1 before there is one
	from int64  // call that began it

	// Segments from since to base follow each other, are equal, and have equal snapshots.
	since    Offset
	snapshot Bytes
}

// newEvenRun is what a run knows under a configuration. That no segment rolls but by size is taken with some room to spare.
func (l *log) newEvenRun(f *feed) evenRun {
	none := evenRun{base: -1}
	if !f.plain || !f.steady || f.Batches != 1 || f.Aborts || f.IntervalNum <= 0 || f.at > Never/2 {
		return none
	}
	c := &l.config
	full := int64(c.SegmentBytes / f.bytes)
	gap := int64(c.IndexIntervalBytes/f.bytes) + 1
	entries := (full - 1) / gap
	if entries+2 >= int64(c.SegmentIndexBytes/timeSlot) || full >= maxRelativeOffset/f.Records-1 {
		return none
	}
	if limit := c.maxSegmentMs() - max(min(c.SegmentJitterMs, c.SegmentMs), 0); mulDiv(full, f.IntervalNum, f.IntervalDen) >= int64(limit) {
		return none
	}
	return evenRun{full: full, gap: gap, entries: entries, stepped: mulDiv(gap, f.IntervalNum, f.IntervalDen) > 0, base: -1}
}

// begin notes that the next call of the run is the first of the segment, if that is as the run needs it.
func (e *evenRun) begin(s *segment, f *feed, c *LogConfig) {
	if e.full == 0 || s.interval != c.IndexIntervalBytes || s.capacity != c.SegmentIndexBytes || s.acc != 0 || s.entries != 0 ||
		s.times != 0 || (s.prealloc > 0) != c.Preallocate || s.prealloc > c.SegmentBytes {
		return
	}
	// That so many calls made so many offsets says that nothing else was written between.
	follows := e.base >= 0 && f.done == e.from+e.full && s.base == e.base+Offset(e.full*f.Records)
	if !follows || s.snapshot != e.snapshot {
		e.since, e.snapshot = s.base, s.snapshot
	}
	e.base, e.from = s.base, f.done
}

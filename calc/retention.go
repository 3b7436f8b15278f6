package calc

// expired says whether a retention rule gives up a segment; next is the segment after it, nil for the active one.
type expired func(s, next *segment) bool

// deletable is how many segments may go by a rule: the longest run from the oldest that the rule gives up, whose offsets
// are below the high watermark. breached reports that the rule reached the active segment of a tiered log.
//
// Kafka: UnifiedLog.deletableSegments, isSegmentEligibleForDeletion.
func (l *log) deletable(rule expired) (n int, breached bool) {
	count := l.segments.len()
	for n < count {
		s := l.segments.at(n)
		var next *segment
		upper := l.logEnd
		if n+1 < count {
			next = l.segments.at(n + 1)
			upper = next.base
		}
		if l.highWatermark < upper || !rule(s, next) {
			return n, breached
		}
		if next == nil && s.empty() {
			return n, breached
		}
		if l.config.RemoteStorage && next == nil && l.version.rollsBreachedActive() {
			breached = true
		}
		if l.config.tieredCopy() && !(upper > 0 && upper-1 <= l.copied) && !(next != nil && l.logStart >= next.base) {
			return n, breached
		}
		n++
	}
	return n, breached
}

// retain deletes what the retention settings give up, by log start offset, then by size, then by time; versions before 3.0
// went the other way. All delete from the oldest on, so that the same segments go, for other reasons.
//
// Without a cleanup.policy only what is copied to a remote store goes by size and time.
//
// Kafka: UnifiedLog.deleteOldSegments.
func (l *log) retain() {
	if l.config.Compact {
		// Kafka leaves compacted logs to the cleaner, which this model does not play.
		return
	}
	policy := l.config.Delete || l.config.tieredCopy()
	if policy && l.version < V3_0 {
		l.retainTime()
		l.retainSize()
		l.retainFromStart()
		return
	}
	l.retainFromStart()
	if policy {
		l.retainSize()
		l.retainTime()
	}
}

func (l *log) retainFromStart() {
	start := l.logStart
	if l.config.RemoteStorage {
		start = l.localStart
	}
	if l.segments.len() < 2 || l.segments.at(1).base > start {
		return
	}
	l.retainBy(ByLogStart, ByLogStart, func(_, next *segment) bool { return next != nil && next.base <= start })
}

// Kafka: UnifiedLog.deleteRetentionSizeBreachedSegments.
func (l *log) retainSize() {
	_, limit := l.config.localRetention()
	excess := l.size() - limit
	if limit < 0 || excess < 0 || excess < l.segments.at(0).size {
		return
	}
	reason := BySize
	if l.config.tieredCopy() {
		reason = ByLocalSize
	}
	l.retainBy(reason, reason, func(s, _ *segment) bool {
		if excess < s.size {
			return false
		}
		excess -= s.size
		return true
	})
}

// Kafka: UnifiedLog.deleteRetentionMsBreachedSegments, LogSegment.largestTimestamp.
func (l *log) retainTime() {
	limit, _ := l.config.localRetention()
	if limit < 0 {
		return
	}
	if s := l.segments.at(0); l.segments.len() > 1 && !l.overdue(s, limit) {
		return
	}
	byTime, byMtime := ByTime, ByMtime
	if l.config.tieredCopy() {
		byTime, byMtime = ByLocalTime, ByLocalMtime
	}
	l.retainBy(byTime, byMtime, func(s, _ *segment) bool {
		s.hasTimes = true // reading its largest timestamp makes Kafka open the time index
		return l.overdue(s, limit)
	})
}

// overdue reports whether the segment's newest record is older than limit; without timestamps, its file.
func (l *log) overdue(s *segment, limit Millis) bool {
	if s.maxTs >= 0 {
		return l.epoch+l.now-s.maxTs > limit
	}
	return l.now-s.mtime > limit
}

// retainBy deletes the segments that a rule gives up. Those without timestamps give the second reason.
//
// Kafka: UnifiedLog.deleteSegments.
func (l *log) retainBy(reason, withoutTime Reason, rule expired) {
	n, breached := l.deletable(rule)
	if breached || n == l.segments.len() {
		l.roll(l.logEnd, ByRetention)
	}
	if n == 0 {
		return
	}
	for i := range n {
		s := l.segments.at(i)
		why := reason
		if s.maxTs < 0 {
			why = withoutTime
		}
		l.closedSum.add(s, -1)
		l.wait(s, s.snapshot)
		l.event(Delete, s.base, why)
	}
	l.segments.popFront(n)
	start := l.segments.at(0).base
	if l.config.tieredCopy() {
		l.localStart = max(l.localStart, start)
	} else {
		l.startAt(start)
	}
}

// deleteRecords moves the log start offset to o, which may not be above the high watermark. Segments below it go at the
// next retention check.
//
// Kafka: UnifiedLog.maybeIncrementLogStartOffset.
func (l *log) deleteRecords(o Offset) {
	if o > l.highWatermark {
		l.event(Reject, o, OffsetOutOfRange)
		return
	}
	l.startAt(o)
}

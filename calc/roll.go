package calc

import (
	"math/bits"
)

// rollCause is the set of conditions that make Kafka roll, one bit each, in the order in which Kafka tests them.
type rollCause uint8

const (
	fullSegment rollCause = 1 << iota
	oldSegment
	fullIndex
	fullTimes
	farOffset
)

var rollNames = [...]Reason{
	"segment.bytes", "segment.ms", "segment.index.bytes (offset)", "segment.index.bytes (time)", "offset overflow",
}

// rollReasons holds the text of every set of causes.
var rollReasons = func() (all [32]Reason) {
	for set := range all {
		for s := set; s != 0; s &= s - 1 {
			if all[set] != "" {
				all[set] += " + "
			}
			all[set] += rollNames[bits.TrailingZeros(uint(s))]
		}
	}
	return all
}()

// waited is how long the segment has been open as segment.ms counts it: in record time from its first batch, or from its
// creation when that carries no timestamp.
//
// Kafka: LogSegment.timeWaitedForRoll.
func (s *segment) waited(now, timestamp Millis) Millis {
	if !s.empty() && s.firstTs >= 0 {
		return timestamp - s.firstTs
	}
	return now - s.created
}

// rollCauses says whether the log rolls before an append of bytes with the given largest timestamp and last offset, and
// why: zero is no roll.
//
// Kafka: LogSegment.shouldRoll.
func (l *log) rollCauses(bytes Bytes, timestamp Millis, last Offset) rollCause {
	s := l.active()
	var cause rollCause
	if s.size > l.config.SegmentBytes-bytes {
		cause |= fullSegment
	}
	if !s.empty() && s.waited(l.now, timestamp) > l.config.maxSegmentMs()-s.jitter {
		cause |= oldSegment
	}
	if s.indexFull() {
		cause |= fullIndex
	}
	if s.timesFull() {
		cause |= fullTimes
	}
	if last-s.base > maxRelativeOffset {
		cause |= farOffset
	}
	return cause
}

// roll closes the active segment and makes a new one at base. An active segment that is empty and has that base is
// deleted and made again.
//
// Kafka: LocalLog.roll, UnifiedLog.roll.
func (l *log) roll(base Offset, reason Reason) {
	s := l.active()
	if s.empty() && s.base == base {
		old := *s
		snapshot := s.snapshot
		old.snapshot = noFile
		l.segments.dropLast()
		l.wait(&old, noFile)
		next := l.addSegment(base)
		next.snapshot = snapshot
		l.replaced = append(l.replaced, base)
		l.event(Replace, base, reason)
		return
	}
	s.close(l.now)
	l.closedSum.add(s, 1)
	snapshot := l.producers.snapshotAt(base)
	l.addSegment(base).snapshot = snapshot
	l.event(Roll, base, reason)
}

package calc

import "slices"

// log is one replica's log: Kafka's UnifiedLog with the files of its directory. It holds state and does what it is
// told; when things happen is decided by [Simulation].
type log struct {
	config  LogConfig
	broker  BrokerConfig
	version Version
	epoch   Millis // wall clock at time 0
	now     Millis

	segments   deque[segment] // oldest first, the active one last; never empty
	logStart   Offset
	localStart Offset
	logEnd     Offset

	highWatermark Offset
	held          bool   // the high watermark does not follow the log end
	copied        Offset // highest offset in the remote store, or −1

	epochStart Offset // start offset of the only leader epoch entry
	hasEpoch   bool
	epochFile  Bytes // length of leader-epoch-checkpoint

	producers producerState
	deleted   deque[deletedFiles] // in order of removal
	replaced  []Offset            // base offsets of segments that were made again: files of the same names may wait
	alone     int                 // snapshots among the deleted files whose segment is gone
	armed     Millis              // when the retention check that runs was scheduled
	gone      bool                // the topic's directory is being or was deleted

	random uint64 // state of the generator of jitter
	events []Event

	closedSum sums // of all segments but the active one
	waitSum   sums // of files waiting for removal
}

// sums are bytes of a set of segments, as the three tools count them.
type sums struct{ log, apparent, allocated, index Bytes }

func (s *sums) add(g *segment, sign Bytes) {
	s.log += sign * g.size
	s.apparent += sign * g.apparent()
	s.allocated += sign * g.allocated()
	s.index += sign * (max(g.indexFile(), 0) + max(g.timesFile(), 0) + max(g.txn, 0))
}

// newLog is the log of a partition that was just created on a running broker.
func newLog(p Plan) *log {
	l := &log{
		config: p.Log, broker: p.Broker, version: p.Version, epoch: p.Epoch,
		copied: -1, random: p.Seed,
	}
	l.beginEpoch(0)
	s := l.addSegment(0)
	s.hasIndex, s.hasTimes = true, true
	l.producers.init()
	return l
}

// clone is a copy that shares nothing with l.
func (l *log) clone() *log {
	c := *l
	c.segments = l.segments.clone()
	c.deleted = l.deleted.clone()
	c.producers = l.producers.clone()
	c.replaced = slices.Clone(l.replaced)
	c.events = nil
	return &c
}

// addSegment makes a new, empty active segment with only its .log file.
//
// Kafka: LogSegment.open.
func (l *log) addSegment(base Offset) *segment {
	s := l.segments.extend()
	*s = segment{
		base: base, firstTs: NoTimestamp, batchTs: NoTimestamp, maxTs: NoTimestamp, lastTime: NoTimestamp,
		created: l.now, mtime: l.now, firstAt: l.now, jitter: l.drawJitter(),
		interval: l.config.IndexIntervalBytes, capacity: l.config.SegmentIndexBytes, txn: noFile, snapshot: noFile,
	}
	if l.config.Preallocate {
		s.prealloc = l.config.SegmentBytes
	}
	return s
}

// drawJitter is how much earlier than segment.ms the next segment rolls: evenly from 0 to segment.jitter.ms, which
// counts up to segment.ms. Kafka draws from a source that cannot be repeated, so that the model's draws are like
// Kafka's only in their distribution.
//
// Kafka: LogConfig.randomSegmentJitter.
func (l *log) drawJitter() Millis {
	limit := min(l.config.SegmentJitterMs, l.config.SegmentMs)
	if limit <= 0 {
		return 0
	}
	// splitmix64
	l.random += jitterStep
	z := l.random
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	z ^= z >> 31
	return Millis(z>>33) % limit
}

const jitterStep = 0x9e3779b97f4a7c15

// skipJitter passes over n draws.
func (l *log) skipJitter(n int64) {
	if min(l.config.SegmentJitterMs, l.config.SegmentMs) > 0 {
		l.random += jitterStep * uint64(n)
	}
}

// active is the segment that is written to.
func (l *log) active() *segment { return l.segments.last() }

// size is what Kafka counts as the size of the log: bytes of batches in segments that are not deleted.
//
// Kafka: UnifiedLog.size; kafka-log-dirs prints it.
func (l *log) size() Bytes {
	if l.segments.len() == 0 {
		return 0
	}
	return l.closedSum.log + l.active().size
}

// follow lets the high watermark be the log end, unless it is held.
func (l *log) follow() {
	if !l.held {
		l.highWatermark = l.logEnd
	}
}

// event notes what happened.
func (l *log) event(kind EventKind, base Offset, reason Reason) {
	l.events = append(l.events, Event{At: l.now, Kind: kind, Base: base, Reason: reason})
}

// beginEpoch gives leader-epoch-checkpoint its only entry, "0 <start>", or moves that. The file is a version, a count and
// the entry.
//
// Kafka: LeaderEpochCheckpointFile.
func (l *log) beginEpoch(start Offset) {
	l.hasEpoch, l.epochStart = true, start
	l.epochFile = 7 + digits(start)
}

// dropEpoch leaves the file without an entry.
func (l *log) dropEpoch() {
	l.hasEpoch, l.epochFile = false, 4
}

// digits is the number of decimal digits of o ≥ 0.
func digits(o Offset) Bytes {
	n := 1
	for n < len(powers) && o >= powers[n] {
		n++
	}
	return Bytes(n)
}

// powers are the powers of ten, from 1.
var powers = func() (all [19]Offset) {
	p := Offset(1)
	for i := range all {
		all[i] = p
		p *= 10
	}
	return all
}()

// metadataFile is the length of partition.metadata: a version and the topic id.
//
// Kafka: PartitionMetadataFile.
const metadataFile Bytes = 43

// startAt raises the log start offset, and with it the start of the leader epoch.
//
// Kafka: UnifiedLog.updateLogStartOffset, LeaderEpochFileCache.truncateFromStartAsyncFlush,
// ProducerStateManager.onLogStartOffsetIncremented.
func (l *log) startAt(o Offset) {
	if o <= l.logStart {
		return
	}
	l.logStart = o
	l.localStart = max(l.localStart, o)
	if l.hasEpoch && o > l.epochStart {
		l.beginEpoch(o)
	}
	l.producers.mapEnd = max(l.producers.mapEnd, o)
	if newest := l.newestSnapshot(); newest >= 0 {
		l.producers.lastSnap = newest
	} else {
		l.producers.lastSnap = o // a log without snapshots takes none at or below its start
	}
}

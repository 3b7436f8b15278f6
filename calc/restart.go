package calc

import "fmt"

// stop stops the broker cleanly: the active segment's files are cut to what is used, and the producers are saved.
//
// Kafka: UnifiedLog.close, ProducerStateManager.takeSnapshot.
func (l *log) stop() {
	l.producers.takeStray()
	l.active().close(l.now)
	l.event(Stop, -1, Clean)
}

// start loads the log again at the present time.
//
// Kafka: LogLoader.load, UnifiedLog.rebuildProducerState.
func (l *log) start() error {
	l.event(Start, -1, Clean)
	l.remove(ByStart)
	l.replaced = nil
	for i := range l.segments.len() {
		s := l.segments.at(i)
		s.created, s.firstTs = l.now, s.batchTs
		s.jitter = l.drawJitter()
	}
	s := l.active()
	s.closed = false
	s.hasIndex, s.hasTimes = true, true
	s.acc = 0
	s.interval, s.capacity = l.config.IndexIntervalBytes, l.config.SegmentIndexBytes
	if Bytes(s.entries)*indexSlot > s.capacity/indexSlot*indexSlot || Bytes(s.times)*timeSlot > s.capacity/timeSlot*timeSlot {
		return failure{fmt.Sprintf("Kafka does not start: segment.index.bytes %d is less than the %d and %d bytes that the "+
			"indexes of the active segment at %d already use", s.capacity, Bytes(s.entries)*indexSlot, Bytes(s.times)*timeSlot, s.base)}
	}
	if l.epochStart >= l.logEnd {
		l.dropEpoch()
	}
	l.loadProducers()
	l.follow()
	return nil
}

// loadProducers makes the producer state anew from the snapshots on disk.
//
// Kafka: ProducerStateManager.removeStraySnapshots, truncateAndReload, loadFromSnapshot; UnifiedLog.rebuildProducerState.
func (l *log) loadProducers() {
	p := &l.producers
	segments := l.segments.all()
	base := l.active().base

	// Of the snapshots that belong to no segment, only the newest stays, and only above the last segment's base.
	kept := p.strays[:0]
	if n := len(p.strays); n > 0 {
		newest := p.strays[0]
		for _, s := range p.strays[1:] {
			if s.at > newest.at {
				newest = s
			}
		}
		if newest.at >= base {
			kept = append(kept, newest)
		}
	}
	p.strays = kept

	if !l.anySnapshot() {
		// Kafka takes this for a log of a release without snapshots, and saves it a scan.
		p.forget()
		p.mapEnd, p.lastSnap = 0, 0
		if n := len(segments); n > 1 {
			l.takeAt(segments[n-2].base)
		}
		l.takeAt(base)
		l.takeAt(l.logEnd)
		return
	}
	for i := range segments {
		if s := &segments[i]; s.snapshot != noFile && (s.base <= l.logStart || s.base > l.logEnd) {
			l.resize(s, func() { s.snapshot = noFile })
		}
	}
	kept = p.strays[:0]
	for _, s := range p.strays {
		if s.at > l.logStart && s.at <= l.logEnd {
			kept = append(kept, s)
		}
	}
	p.strays = kept
	if l.logEnd != 0 {
		if newest := l.newestSnapshot(); newest >= 0 {
			// The state of a clean stop: the newest snapshot covers the log's end.
			p.lastSnap, p.mapEnd = newest, newest
			p.expire(l.epoch+l.now, l.broker.ProducerExpiration)
		} else {
			p.forget()
			p.lastSnap, p.mapEnd = l.logStart, l.logStart
		}
	}
	l.takeAt(l.logEnd)
}

// takeAt takes a snapshot at an offset, if the last one is older, and gives it to the segment that begins there.
func (l *log) takeAt(o Offset) {
	l.producers.mapEnd = o
	size := l.producers.take()
	if size == noFile {
		return
	}
	segments := l.segments.all()
	for i := range segments {
		if s := &segments[i]; s.base == o {
			l.resize(s, func() { s.snapshot = size })
			return
		}
	}
	l.producers.strays = append(l.producers.strays, snapshot{o, size})
}

// resize changes a segment's files and keeps the sums right.
func (l *log) resize(s *segment, change func()) {
	closed := s != l.active()
	if closed {
		l.closedSum.add(s, -1)
	}
	change()
	if closed {
		l.closedSum.add(s, 1)
	}
}

// anySnapshot reports whether there is a snapshot file.
func (l *log) anySnapshot() bool { return l.newestSnapshot() >= 0 }

// newestSnapshot is the offset of the newest snapshot, or −1.
func (l *log) newestSnapshot() Offset {
	newest := Offset(-1)
	for _, s := range l.producers.strays {
		newest = max(newest, s.at)
	}
	for i := l.segments.len() - 1; i >= 0; i-- {
		if s := l.segments.at(i); s.snapshot != noFile {
			return max(newest, s.base)
		}
	}
	return newest
}

package calc

import "maps"

// snapshotHeader and snapshotEntry are the sizes of a producer snapshot's parts.
//
// Kafka: ProducerStateManager.writeSnapshot.
const (
	snapshotHeader Bytes = 10
	snapshotEntry  Bytes = 46
)

// snapshot is a .snapshot file without a segment of its base offset.
type snapshot struct {
	at   Offset
	size Bytes
}

// producerState is what the log knows of idempotent producers, and the snapshots of it.
//
// Most producers are those of the run that is being appended. They are not listed one by one: batch i of the run is of
// producer first + i mod of, so that the producers still known are the owners of its last alive batches.
type producerState struct {
	lastTs map[int64]Millis // producers by id, with their last batch's timestamp; not those of the run
	oldest Millis           // no timestamp in lastTs is below it

	run   feedStamps
	per   int64 // batches of the run that have one timestamp: those of a call
	first int64 // id of the run's first producer
	of    int64 // producers of the run; 0: no run
	alive int64 // batches of the run, counted from its last, whose producers are known; at most of
	began int64 // number of the run's first batch that was noted
	until int64 // number of the batch after the run's last

	mapEnd   Offset // end of what the state covers
	lastSnap Offset // offset of the last snapshot taken
	strays   []snapshot
}

// feedStamps gives the timestamp of batch i of a run whose timestamps do not fall.
type feedStamps struct {
	from     Millis // of batch 0
	num, den int64  // batch i is floor(i·num/den) later
	absent   bool
}

func (f feedStamps) at(i int64) Millis {
	if f.absent {
		return NoTimestamp
	}
	return f.from + Millis(mulDiv(i, f.num, f.den))
}

func (p *producerState) init() { p.lastTs, p.oldest = map[int64]Millis{}, Never }

func (p *producerState) clone() producerState {
	c := *p
	c.lastTs = maps.Clone(p.lastTs)
	c.strays = append([]snapshot(nil), p.strays...)
	return c
}

// count is the number of producers known.
func (p *producerState) count() int64 { return int64(len(p.lastTs)) + p.alive }

// settle lists the producers of the run one by one, so that another may begin.
func (p *producerState) settle() {
	for i := p.until - p.alive; i < p.until; i++ {
		p.set(p.first+i%p.of, p.stamp(i))
	}
	p.of, p.alive = 0, 0
}

// stamp is the timestamp of batch i of the run.
func (p *producerState) stamp(i int64) Millis { return p.run.at(i / p.per) }

// touch notes a batch of one producer.
func (p *producerState) touch(id int64, timestamp Millis) {
	if p.of > 0 {
		p.settle()
	}
	p.set(id, timestamp)
}

func (p *producerState) set(id int64, timestamp Millis) {
	p.oldest = min(p.oldest, timestamp)
	p.lastTs[id] = timestamp
}

// touchRun notes batches from to until of a run, per of them in a call.
func (p *producerState) touchRun(first, of, from, until, per int64, stamps feedStamps) {
	if p.of != of || p.first != first || p.until != from || p.per != per || p.run != stamps {
		if p.of > 0 {
			p.settle()
		}
		p.first, p.of, p.run, p.per, p.alive, p.began = first, of, stamps, per, 0, from
	}
	if len(p.lastTs) > 0 {
		for i := from; i < min(until, p.began+of); i++ {
			delete(p.lastTs, first+i%of)
		}
	}
	p.alive = min(of, p.alive+until-from)
	p.until = until
}

// expire forgets producers whose last batch is stamped at least age before now, which is a wall clock time.
//
// Kafka: ProducerStateManager.removeExpiredProducers, isProducerExpired.
func (p *producerState) expire(now, age Millis) {
	p.oldest = Never
	for id, timestamp := range p.lastTs {
		if now-timestamp >= age {
			delete(p.lastTs, id)
		} else {
			p.oldest = min(p.oldest, timestamp)
		}
	}
	// The run's timestamps do not fall: its known batches are a range that only shrinks from the front.
	if p.alive == 0 || now-p.stamp(p.until-p.alive) < age {
		return
	}
	lo, hi := p.until-p.alive+1, p.until
	for lo < hi {
		mid := lo + (hi-lo)/2
		if now-p.stamp(mid) >= age {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	p.alive = p.until - lo
}

// quiet is a wall clock time before which no producer can expire, whatever is appended until then with timestamps that
// are not older; Never when there is none. An append with an older timestamp lowers it.
func (p *producerState) quiet(age Millis) Millis {
	oldest := p.oldest
	if p.alive > 0 {
		oldest = min(oldest, p.stamp(p.until-p.alive))
	}
	return add(oldest, age)
}

// forget drops all producers.
func (p *producerState) forget() {
	clear(p.lastTs)
	p.oldest = Never
	p.of, p.alive = 0, 0
}

// take is the size of a snapshot taken now at mapEnd, or noFile when the last one covers that already.
//
// Kafka: ProducerStateManager.takeSnapshot.
func (p *producerState) take() Bytes {
	if p.mapEnd <= p.lastSnap {
		return noFile
	}
	p.lastSnap = p.mapEnd
	return snapshotHeader + snapshotEntry*Bytes(p.count())
}

// snapshotAt takes a snapshot for a segment that begins at base, unless there is one already.
func (p *producerState) snapshotAt(base Offset) Bytes {
	p.mapEnd = base
	if size := p.take(); size != noFile {
		return size
	}
	return p.adopt(base)
}

// adopt gives the stray snapshot at an offset to the segment that begins there, or is noFile.
func (p *producerState) adopt(at Offset) Bytes {
	for i, s := range p.strays {
		if s.at == at {
			p.strays = append(p.strays[:i], p.strays[i+1:]...)
			return s.size
		}
	}
	return noFile
}

// takeStray takes a snapshot that belongs to no segment.
func (p *producerState) takeStray() {
	if size := p.take(); size != noFile {
		p.strays = append(p.strays, snapshot{p.mapEnd, size})
	}
}

package calc

import "errors"

// An answer can be packed into bytes and taken out of them by another program of the same build: a browser's worker plays a
// scenario, and the page goes on from the states that were kept, as if it had played it itself.
//
// The same functions write and read, so that the two cannot differ. A field that is added to a simulation has to be added
// here; TestPackedGoesOn finds one that is not.

// Pack is what a scenario's simulation came to. lean leaves out the states but the first, for one whose extremes alone are
// wanted: a moment of it is then played from the start.
func (a *Answer) Pack(lean bool) []byte {
	p := packer{bytes: make([]byte, 0, 64<<10)}
	p.answer(a, lean)
	return p.bytes
}

// Unpack is the answer that was packed for the same scenario. ok is false for bytes that are none. yield, which may be nil, is
// called before each state that is read: one has thousands of segments.
func Unpack(s Scenario, packed []byte, yield func()) (a Answer, ok bool) {
	p := packer{read: true, bytes: packed, yield: yield}
	a = Answer{Scenario: s, Timeline: &Timeline{plan: s.Plan()}, Bound: BoundOf(s), Compacted: CompactedOf(s), NotFollowed: s.NotFollowed()}
	p.answer(&a, false)
	if p.bad || len(p.bytes) > 0 {
		return Answer{}, false
	}
	a.Short = ShortFormulaOf(s, a.Timeline)
	return a, true
}

// packer writes values one after the other, or reads them again. A number is written less the one before it in its column,
// of which most are then a byte.
type packer struct {
	read  bool
	bytes []byte // written, or what is left to read
	bad   bool   // what is read was not written by this build
	last  []int64
	at    int // column
	yield func()
}

// all packs fields: pointers to numbers, flags and texts.
func (p *packer) all(fields ...any) {
	for _, f := range fields {
		switch f := f.(type) {
		case *Millis:
			p.number((*int64)(f))
		case *Bytes:
			p.number((*int64)(f))
		case *Offset:
			p.number((*int64)(f))
		case *int64:
			p.number(f)
		case *uint64:
			n := int64(*f)
			p.number(&n)
			*f = uint64(n)
		case *int:
			n := int64(*f)
			p.number(&n)
			*f = int(n)
		case *bool:
			p.flag(f)
		case *Turn:
			p.small((*uint8)(f))
		case *RemoteState:
			p.small((*uint8)(f))
		case *TimestampKind:
			p.small((*uint8)(f))
		case *Reason:
			p.text((*string)(f))
		case *Moment:
			p.all(&f.At, &f.Bytes)
		case *Range[Bytes]:
			p.all(&f.Low, &f.High)
		case *Range[Millis]:
			p.all(&f.Low, &f.High)
		}
	}
}

func (p *packer) number(n *int64) {
	if p.at == len(p.last) {
		p.last = append(p.last, 0)
	}
	last := &p.last[p.at]
	p.at++
	if p.read {
		*n = *last + p.varint()
	} else {
		p.put(*n - *last)
	}
	*last = *n
}

// row packs the fields of one of many equal things.
func (p *packer) row(fields ...any) {
	p.at = 0
	p.all(fields...)
}

// fresh begins a table, or what is none.
func (p *packer) fresh() { p.last, p.at = p.last[:0], 0 }

// put writes a number, near zero in a byte; it may have wrapped around.
func (p *packer) put(n int64) {
	u := uint64(n)<<1 ^ uint64(n>>63)
	for u >= 0x80 {
		p.bytes = append(p.bytes, byte(u)|0x80)
		u >>= 7
	}
	p.bytes = append(p.bytes, byte(u))
}

func (p *packer) varint() int64 {
	u, shift := uint64(0), 0
	for i, b := range p.bytes {
		u |= uint64(b&0x7f) << shift
		if b < 0x80 {
			p.bytes = p.bytes[i+1:]
			return int64(u>>1) ^ -int64(u&1)
		}
		if shift += 7; shift > 63 {
			break
		}
	}
	p.bad, p.bytes = true, nil
	return 0
}

func (p *packer) flag(b *bool) {
	n := uint8(0)
	if *b {
		n = 1
	}
	p.small(&n)
	*b = n == 1
}

func (p *packer) small(n *uint8) {
	v := int64(*n)
	p.number(&v)
	*n = uint8(v)
}

// length packs how many there are, −1 for nothing at all.
func (p *packer) length(n int, none bool) int {
	if none {
		n = -1
	}
	v := int64(n)
	if !p.read {
		p.put(v)
	} else if v = p.varint(); v > int64(len(p.bytes)) {
		p.bad, v = true, -1
	}
	return int(v)
}

func (p *packer) text(s *string) {
	n := max(p.length(len(*s), false), 0)
	if !p.read {
		p.bytes = append(p.bytes, *s...)
		return
	}
	*s, p.bytes = string(p.bytes[:n]), p.bytes[n:]
}

// list packs how many items a list has, for which room is made when they are read, and each of them.
func (p *packer) list(n int, none bool, room func(n int), each func(i int)) {
	n = p.length(n, none)
	if p.read && n >= 0 {
		room(n)
	}
	for i := range n {
		each(i)
	}
}

// table is list for a queue of equal things, row by row.
func (p *packer) table(n int, room func(n int), each func(i int)) {
	p.fresh()
	p.list(n, false, room, each)
	p.fresh()
}

// readQueue is a queue as deque.clone has it, to be filled.
func readQueue[T any](d *deque[T], n int) {
	*d = deque[T]{items: make([]T, n, n+n/16+4)}
}

func (p *packer) answer(a *Answer, lean bool) {
	p.timeline(a.Timeline, &a.Scenario, lean)
	there := a.Disk != nil
	if p.flag(&there); !there {
		return
	}
	if p.read {
		a.Disk = &DiskUse{}
	}
	d := a.Disk
	p.all(&d.Size, &d.Replicas, &d.Most, &d.Full, &d.Before)
}

func (p *packer) timeline(t *Timeline, of *Scenario, lean bool) {
	kept := t.checkpoints
	spacing := t.spacing
	if lean {
		kept, spacing = kept[:1], Never
	}
	p.all(&spacing)
	p.list(len(kept), false, func(n int) { kept = make([]*Simulation, n) }, func(i int) { p.simulation(&kept[i], of) })
	if p.read {
		t.checkpoints, t.spacing = kept, spacing
		p.bad = p.bad || len(kept) == 0
	}
	p.simulation(&t.end, of)
	p.all(&t.peak.Log, &t.peak.Apparent, &t.peak.Allocated, &t.peak.Remote)
	p.usage(&t.most)
	steady := t.band != nil
	if p.flag(&steady); steady {
		if p.read {
			t.band = &Band{}
		}
		b := t.band
		p.all(&b.Since, &b.Log, &b.Apparent, &b.Allocated, &b.LeastAt, &b.MostAt, &b.deletions)
	}
	a, c := &t.ages, &t.counts
	p.all(&a.Readable, &a.OnDisk, &a.AtDeletion, &a.AtRemoval, &a.LeastAt, &a.MostAt, &a.Since)
	p.all(&c.Rolls, &c.Deletions, &c.Removals, &c.Rejected, &c.Copied, &c.RemoteDeletions, &c.Events, &c.Segments, &c.OpenFiles,
		&c.MemoryMaps, &c.SegmentsAt, &c.OpenFilesAt, &c.FirstDeletion)
	for _, tally := range []*Tally{&c.RollsBy, &c.DeletionsBy} {
		p.list(len(*tally), *tally == nil, func(n int) { *tally = make(Tally, n) }, func(i int) { p.all(&(*tally)[i].Reason, &(*tally)[i].Count) })
	}
	p.all(&t.width)
	p.failure(&t.err)
	p.table(len(t.envelope), func(n int) { t.envelope = make([]Bucket, n) }, func(i int) {
		b := &t.envelope[i]
		p.row(&b.From, &b.To, &b.Log, &b.Indexes, &b.Awaiting, &b.Apparent, &b.Allocated, &b.Remote)
	})
}

func (p *packer) usage(u *Usage) {
	p.all(&u.Log, &u.Apparent, &u.Allocated, &u.Indexes, &u.Awaiting, &u.AwaitingLog, &u.AwaitingAllocated, &u.Segments, &u.OpenFiles,
		&u.MemoryMaps, &u.Remote, &u.RemoteStored, &u.RemoteSegments)
}

// failure packs an error by what it says.
func (p *packer) failure(err *error) {
	says := ""
	if *err != nil {
		says = (*err).Error()
	}
	if p.text(&says); p.read && says != "" {
		*err = errors.New(says)
	}
}

func (p *packer) simulation(to **Simulation, of *Scenario) {
	if p.yield != nil {
		p.yield()
	}
	if p.read {
		*to = NewSimulation(of.Plan())
	}
	s := *to
	p.fresh()
	p.all(&s.more, &s.turn, &s.down, &s.stopped, &s.dirGone, &s.sorted, &s.task, &s.step, &s.known)
	p.failure(&s.err)
	for _, t := range []*periodic{&s.tasks.retention, &s.tasks.expiry, &s.tasks.copying} {
		p.all(&t.at, &t.period, &t.armed, &t.order)
	}
	p.all(&s.tasks.scheduled, &s.tasks.began)
	p.source(s.steps.(*source), of)
	p.step(&s.ahead, s.steps.(*source), of)
	p.list(len(s.feeds), s.feeds == nil, func(n int) { s.feeds = make([]feed, n) }, func(i int) { p.feed(&s.feeds[i]) })
	p.log(s.log)
	if s.remote != nil {
		p.remote(s.remote)
	}
}

// source packs how far the steps of a scenario are taken.
func (p *packer) source(s *source, of *Scenario) {
	left := len(s.steps)
	p.all(&left, &s.pos, &s.due, &s.piled, &s.stamped, &s.turn, &s.at, &s.month, &s.grown, &s.held)
	if left < 0 || left > len(of.steps) {
		p.bad, left = true, 0
	}
	s.steps = of.steps[len(of.steps)-left:]
	p.step(&s.rest, s, of)
}

// step packs a step that was taken from a source: traffic, or the last of the scenario's own that is gone from it.
func (p *packer) step(s *Step, from *source, of *Scenario) {
	p.all(&s.At)
	a, traffic := s.Do.(Append)
	own := s.Do != nil && !traffic
	p.all(&traffic, &own)
	if traffic {
		p.append(&a)
	}
	if !p.read {
		return
	}
	s.Do = nil
	if last := len(of.steps) - len(from.steps) - 1; traffic {
		s.Do = a
	} else if own && last >= 0 {
		s.Do = of.steps[last].Do
	}
}

func (p *packer) append(a *Append) {
	p.all(&a.Count, &a.IntervalNum, &a.IntervalDen, &a.Batch, &a.Records, &a.Batches, &a.Spread, &a.Follower, &a.Offset, &a.Producer,
		&a.Producers, &a.Aborts)
	p.list(len(a.Cycle), a.Cycle == nil, func(n int) { a.Cycle = make([]Bytes, n) }, func(i int) { p.all(&a.Cycle[i]) })
	t := &a.Timestamp
	p.all(&t.Kind, &t.Shift, &t.From, &t.Step)
	p.list(len(t.Shifts), t.Shifts == nil, func(n int) { t.Shifts = make([]Millis, n) }, func(i int) { p.all(&t.Shifts[i]) })
}

func (p *packer) feed(f *feed) {
	p.append(&f.Append)
	p.all(&f.at, &f.done, &f.due, &f.plain, &f.bytes, &f.clock, &f.steady)
	p.stamps(&f.stamps)
	e := &f.even
	p.all(&e.full, &e.gap, &e.entries, &e.stepped, &e.base, &e.from, &e.since, &e.snapshot)
}

func (p *packer) stamps(s *feedStamps) { p.all(&s.from, &s.num, &s.den, &s.absent) }

func (p *packer) log(l *log) {
	p.config(&l.config)
	p.all(&l.now, &l.logStart, &l.localStart, &l.logEnd, &l.highWatermark, &l.held, &l.copied, &l.epochStart, &l.hasEpoch, &l.epochFile,
		&l.alone, &l.armed, &l.gone, &l.random)
	p.list(len(l.replaced), l.replaced == nil, func(n int) { l.replaced = make([]Offset, n) }, func(i int) { p.all(&l.replaced[i]) })
	for _, s := range []*sums{&l.closedSum, &l.waitSum} {
		p.all(&s.log, &s.apparent, &s.allocated, &s.index)
	}
	p.producers(&l.producers)
	p.table(l.segments.len(), func(n int) { readQueue(&l.segments, n) }, func(i int) {
		s := l.segments.at(i)
		p.row(&s.base, &s.size, &s.firstTs, &s.batchTs, &s.maxTs, &s.created, &s.mtime, &s.firstAt, &s.jitter, &s.interval, &s.capacity,
			&s.acc, &s.entries, &s.times, &s.lastTime, &s.prealloc, &s.snapshot, &s.txn, &s.hasIndex, &s.hasTimes, &s.closed)
	})
	p.table(l.deleted.len(), func(n int) { readQueue(&l.deleted, n) }, func(i int) {
		d := l.deleted.at(i)
		p.row(&d.base, &d.log, &d.index, &d.times, &d.txn, &d.snap, &d.size, &d.blocks, &d.snapBlocks, &d.due, &d.snapDue, &d.made, &d.firstAt)
	})
}

func (p *packer) config(c *LogConfig) {
	p.all(&c.SegmentBytes, &c.SegmentMs, &c.SegmentJitterMs, &c.SegmentIndexBytes, &c.IndexIntervalBytes, &c.RetentionBytes, &c.RetentionMs,
		&c.LocalRetentionBytes, &c.LocalRetentionMs, &c.FileDeleteDelayMs, &c.MaxMessageBytes, &c.TimestampBeforeMax, &c.TimestampAfterMax,
		&c.MaxCompactionLagMs, &c.LogAppendTime, &c.Preallocate, &c.Compact, &c.Delete, &c.RemoteStorage, &c.RemoteCopyDisable,
		&c.CopyLagMs, &c.CopyLagBytes)
}

func (p *packer) producers(s *producerState) {
	n := max(p.length(len(s.lastTs), false), 0)
	if p.read {
		s.lastTs = make(map[int64]Millis, n)
		for range n {
			var id int64
			var at Millis
			p.row(&id, &at)
			s.lastTs[id] = at
		}
	} else {
		for id, at := range s.lastTs {
			p.row(&id, &at)
		}
	}
	p.all(&s.oldest, &s.per, &s.first, &s.of, &s.alive, &s.began, &s.until, &s.mapEnd, &s.lastSnap)
	p.stamps(&s.run)
	p.list(len(s.strays), s.strays == nil, func(n int) { s.strays = make([]snapshot, n) }, func(i int) { p.all(&s.strays[i].at, &s.strays[i].size) })
}

func (p *packer) remote(r *remote) {
	p.all(&r.finished, &r.log, &r.stored, &r.until, &r.waiting, &r.after, &r.downUntil, &r.broken, &r.held, &r.stable, &r.attempts)
	for _, w := range []*worker{&r.copier, &r.expirer} {
		p.all(&w.beat, &w.busy, &w.due)
	}
	c := &r.closedAfter
	p.all(&c.copied, &c.active, &c.count, &c.bytes)
	p.list(len(r.doomed), r.doomed == nil, func(n int) { r.doomed = make([]int, n) }, func(i int) { p.all(&r.doomed[i]) })
	p.list(len(r.recorded), r.recorded == nil, func(n int) { r.recorded = make([]quotaRecord, n) }, func(i int) { p.all(&r.recorded[i].at, &r.recorded[i].bytes) })
	p.remoteSegment(&r.current)
	p.table(r.segments.len(), func(n int) { readQueue(&r.segments, n) }, func(i int) {
		p.at = 0
		p.remoteSegment(r.segments.at(i))
	})
}

func (p *packer) remoteSegment(g *RemoteSegment) {
	p.all(&g.Base, &g.End, &g.Log, &g.Stored, &g.Newest, &g.State, &g.Failed, &g.Started, &g.Finished, &g.Deleted, &g.id, &g.firstAt, &g.why)
}

package calc

// indexSlot and timeSlot are the sizes of an entry of the two indexes: offset and position, timestamp and offset.
//
// Kafka: OffsetIndex.ENTRY_SIZE, TimeIndex.ENTRY_SIZE.
const (
	indexSlot Bytes = 8
	timeSlot  Bytes = 12
)

// abortedTxn is the size of a transaction index entry.
//
// Kafka: AbortedTxn.TOTAL_SIZE.
const abortedTxn Bytes = 34

// noFile is the size of a file that does not exist.
const noFile Bytes = -1

// maxRelativeOffset is the largest distance of an offset from its segment's base offset that an index can hold.
const maxRelativeOffset = 1<<31 - 1

// segment is a segment of the log, with the state of its files.
type segment struct {
	base Offset
	size Bytes // bytes of its batches

	firstTs Millis // largest timestamp of the batch that starts its clock; NoTimestamp without one
	batchTs Millis // largest timestamp of its first batch
	maxTs   Millis // largest timestamp; NoTimestamp without one
	created Millis // when Kafka made the object: creation, or the broker's start
	mtime   Millis // when its .log was last written
	firstAt Millis // when its first batch was appended
	jitter  Millis // taken off segment.ms

	interval Bytes // index.interval.bytes when it was opened
	capacity Bytes // segment.index.bytes when it was opened
	acc      Bytes // bytes since the last index entry
	entries  int64 // offset index
	times    int64 // time index
	lastTime Millis

	prealloc Bytes // length the .log was created with
	snapshot Bytes // size of the producer snapshot with its base offset, or noFile
	txn      Bytes // size of the .txnindex, or noFile
	hasIndex bool
	hasTimes bool
	closed   bool // trimmed: it is not the active segment
}

// empty reports whether nothing was appended to the segment.
func (s *segment) empty() bool { return s.size == 0 }

// indexFull and timesFull report whether an index has no room for the next append. The time index keeps one slot for the
// entry it gets when the segment is closed.
//
// Kafka: AbstractIndex.isFull, TimeIndex.isFull.
func (s *segment) indexFull() bool { return s.entries >= int64(s.capacity/indexSlot) }
func (s *segment) timesFull() bool { return s.times >= int64(s.capacity/timeSlot)-1 }

// logFile, indexFile and timesFile are the lengths of the files, or noFile.
func (s *segment) logFile() Bytes { return max(s.size, s.prealloc) }

func (s *segment) indexFile() Bytes {
	switch {
	case !s.hasIndex:
		return noFile
	case s.closed:
		return indexSlot * Bytes(s.entries)
	}
	return s.capacity / indexSlot * indexSlot
}

func (s *segment) timesFile() Bytes {
	switch {
	case !s.hasTimes:
		return noFile
	case s.closed:
		return timeSlot * Bytes(s.times)
	}
	return s.capacity / timeSlot * timeSlot
}

// lessThan reports whether less is set aside for the segment's files than was for the one before it, so that the roll
// between them took away what more appends give back.
func (s *segment) lessThan(prealloc, capacity Bytes) bool {
	return s.prealloc < prealloc || s.capacity < capacity
}

// blocks is the space that n written bytes of a file take on a file system with 4096-byte blocks.
func blocks(n Bytes) Bytes { return (n + 4095) &^ 4095 }

// apparent is the length of the segment's files, allocated the blocks that are written.
func (s *segment) apparent() Bytes {
	return s.logFile() + max(s.indexFile(), 0) + max(s.timesFile(), 0) + max(s.txn, 0) + max(s.snapshot, 0)
}

func (s *segment) allocated() Bytes {
	n := blocks(s.size) + blocks(max(s.txn, 0)) + blocks(max(s.snapshot, 0))
	if s.hasIndex {
		n += blocks(indexSlot * Bytes(s.entries))
	}
	if s.hasTimes {
		n += blocks(timeSlot * Bytes(s.times))
	}
	return n
}

// close gives the time index its last entry and cuts the files to what is used.
//
// Kafka: LogSegment.onBecomeInactiveSegment.
func (s *segment) close(now Millis) {
	if s.closed {
		return
	}
	s.hasIndex, s.hasTimes = true, true
	if s.maxTs > s.lastTime {
		s.times++
		s.lastTime = s.maxTs
	}
	if s.prealloc > s.size {
		s.mtime = now
	}
	s.prealloc = 0
	s.closed = true
}

// deque is a queue of values in order, with both ends open.
type deque[T any] struct {
	items []T
	head  int
}

func (d *deque[T]) len() int    { return len(d.items) - d.head }
func (d *deque[T]) at(i int) *T { return &d.items[d.head+i] }
func (d *deque[T]) last() *T    { return &d.items[len(d.items)-1] }
func (d *deque[T]) all() []T    { return d.items[d.head:] }
func (d *deque[T]) clear()      { d.items, d.head = d.items[:0], 0 }
func (d *deque[T]) dropLast()   { d.items = d.items[:len(d.items)-1] }

// clone is a copy with some room, so that the first value pushed does not copy it once more.
func (d *deque[T]) clone() deque[T] {
	n := d.len()
	return deque[T]{items: append(make([]T, 0, n+n/16+4), d.all()...)}
}

// push adds v at the end.
func (d *deque[T]) push(v T) { *d.extend() = v }

// extend adds a value at the end, which is to be set. Room at the front is used again once a third of the slice is free, of a
// long one an eighth.
func (d *deque[T]) extend() *T {
	if len(d.items) == cap(d.items) {
		d.room(1)
	}
	d.items = d.items[:len(d.items)+1]
	return d.last()
}

// room makes room for n values at the end where there is not enough.
func (d *deque[T]) room(n int) {
	if d.head > 32 && (d.head*3 >= len(d.items) || len(d.items) > 1<<16 && d.head*8 >= len(d.items)) {
		left := copy(d.items, d.items[d.head:])
		d.items, d.head = d.items[:left], 0
	}
	if len(d.items)+n > cap(d.items) {
		// With half as much to spare it is hardly ever done again, where as many come as go.
		live := d.all()
		spare := (len(live) + n) / 2
		if spare > 1<<16 {
			spare /= 2
		}
		d.items, d.head = append(make([]T, 0, len(live)+spare+n), live...), 0
	}
}

// popFront drops the first n values.
func (d *deque[T]) popFront(n int) {
	d.head += n
	if d.head == len(d.items) {
		d.clear()
	}
}

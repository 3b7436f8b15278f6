package calc

import (
	"cmp"

	"github.com/partsize/partsize/calc/internal/order"
)

// Files are the files of one base offset in the partition's directory, by their lengths; −1 is a file that does not
// exist.
type Files struct {
	Base                                      Offset
	Log, Index, TimeIndex, TxnIndex, Snapshot Bytes
}

// Directory is what is in the partition's directory: as ls lists it, in order of base offset.
type Directory struct {
	Segments              []Files // a row may be for a snapshot alone
	Deleted               []Files // the files that end in .deleted
	LeaderEpochCheckpoint Bytes
	PartitionMetadata     Bytes
	Gone                  bool // the topic was deleted and its directory removed
}

// Usage is how much the log puts on disk at a time, each total named for the tool that reports it.
type Usage struct {
	Log       Bytes // batches of segments that are not deleted: kafka-log-dirs
	Apparent  Bytes // lengths of all files: ls -l, du --apparent-size
	Allocated Bytes // 4096-byte blocks of all files, without the directory itself: du

	Indexes  Bytes // part of Apparent: offset, time and transaction indexes of segments that are not deleted
	Awaiting Bytes // part of Apparent: all files that end in .deleted
	// AwaitingLog is the batches in files that end in .deleted.
	AwaitingLog Bytes
	// AwaitingAllocated is the part of Allocated that is in files that end in .deleted.
	AwaitingAllocated Bytes

	Segments   int64 // that are not deleted
	OpenFiles  int64 // one a segment, deleted ones too until they are removed
	MemoryMaps int64 // two a segment, likewise

	Remote         Bytes // batches of the segments in the remote store, which retention.bytes counts; 0 where it is not played
	RemoteStored   Bytes // the same with the objects beside them: indexes, producer snapshots, leader epochs
	RemoteSegments int64 // in the remote store, those that are being deleted and failed copies with metadata included
}

// use adds up what is on disk now. It sets all of u but what is in the remote store.
func (l *log) use(u *Usage) {
	n := len(l.segments.items) - l.segments.head
	if n == 0 {
		*u = Usage{}
		return
	}
	s := &l.segments.items[len(l.segments.items)-1]
	index := max(s.txn, 0)
	allocated := l.closedSum.allocated + l.waitSum.allocated + blocks(s.size) + blocks(index) + blocks(max(s.snapshot, 0)) + 4096 + 4096
	if s.hasIndex {
		used := indexSlot * Bytes(s.entries)
		allocated += blocks(used)
		if !s.closed {
			used = s.capacity &^ (indexSlot - 1)
		}
		index += used
	}
	if s.hasTimes {
		used := timeSlot * Bytes(s.times)
		allocated += blocks(used)
		if !s.closed {
			used = Bytes(uint64(s.capacity)/uint64(timeSlot)) * timeSlot
		}
		index += used
	}
	u.Log = l.closedSum.log + s.size
	u.Apparent = l.closedSum.apparent + max(s.size, s.prealloc) + index + max(s.snapshot, 0) + l.waitSum.apparent + l.epochFile + metadataFile
	u.Allocated = allocated
	u.Indexes = l.closedSum.index + index
	u.Awaiting = l.waitSum.apparent
	u.AwaitingLog = l.waitSum.log
	u.AwaitingAllocated = l.waitSum.allocated
	u.Segments = int64(n)
	u.OpenFiles = int64(n + len(l.deleted.items) - l.deleted.head - l.alone)
	u.MemoryMaps = 2 * u.OpenFiles
	for _, s := range l.producers.strays {
		u.Apparent += s.size
		u.Allocated += blocks(s.size)
	}
}

// Part is the files of one kind: how many, their entries, and what they take.
type Part struct {
	Files, Entries      int64
	Apparent, Allocated Bytes
}

func (p *Part) add(length, written Bytes, entries int64) {
	if length < 0 {
		return
	}
	p.Files++
	p.Entries += entries
	p.Apparent += length
	p.Allocated += blocks(written)
}

// Parts are the files of segments that are not deleted, by kind: together with the files that wait for removal they are
// the Apparent and the Allocated of [Usage].
type Parts struct {
	Logs                     Part // all segments
	Index, TimeIndex         Part // closed segments
	ActiveIndex, ActiveTimes Part // the active segment; their length is set aside at once, blocks come with the entries
	TxnIndex, Snapshots      Part
	Checkpoint, Metadata     Part // leader-epoch-checkpoint, partition.metadata
}

// All are the parts in the order in which they are declared.
func (p *Parts) All() [9]Part {
	return [...]Part{p.Logs, p.Index, p.TimeIndex, p.ActiveIndex, p.ActiveTimes, p.TxnIndex, p.Snapshots, p.Checkpoint, p.Metadata}
}

// Parts is what is on disk now, by kind of file.
func (s *Simulation) Parts() (p Parts) {
	l := s.log
	n := l.segments.len()
	if n == 0 {
		return p
	}
	for i := range n {
		g := l.segments.at(i)
		index, times := &p.Index, &p.TimeIndex
		if i == n-1 {
			index, times = &p.ActiveIndex, &p.ActiveTimes
		}
		p.Logs.add(g.logFile(), g.size, 0)
		index.add(g.indexFile(), indexSlot*Bytes(g.entries), g.entries)
		times.add(g.timesFile(), timeSlot*Bytes(g.times), g.times)
		p.TxnIndex.add(g.txn, g.txn, 0)
		p.Snapshots.add(g.snapshot, g.snapshot, 0)
	}
	for _, g := range l.producers.strays {
		p.Snapshots.add(g.size, g.size, 0)
	}
	// Both are counted as a block each, as [log.usage] does.
	p.Checkpoint = Part{Files: 1, Apparent: l.epochFile, Allocated: 4096}
	p.Metadata = Part{Files: 1, Apparent: metadataFile, Allocated: 4096}
	return p
}

// directory lists the files.
func (l *log) directory() (d Directory) {
	if l.segments.len() == 0 {
		return Directory{Gone: true}
	}
	d.LeaderEpochCheckpoint, d.PartitionMetadata = l.epochFile, metadataFile
	for _, s := range l.segments.all() {
		d.Segments = append(d.Segments, Files{s.base, s.logFile(), s.indexFile(), s.timesFile(), s.txn, s.snapshot})
	}
	for _, s := range l.producers.strays {
		d.Segments = append(d.Segments, Files{s.at, noFile, noFile, noFile, noFile, s.size})
	}
	for _, f := range l.deleted.all() {
		d.Deleted = append(d.Deleted, Files{f.base, f.log, f.index, f.times, f.txn, f.snap})
	}
	byBase := func(a, b *Files) int { return cmp.Compare(a.Base, b.Base) }
	order.Sort(d.Segments, byBase)
	order.Sort(d.Deleted, byBase)
	return d
}

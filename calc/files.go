package calc

import (
	"cmp"
	"slices"
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

// usage adds up what is on disk now.
func (l *log) usage() (u Usage) {
	if l.segments.len() == 0 {
		return u
	}
	s := l.active()
	index := max(s.indexFile(), 0) + max(s.timesFile(), 0) + max(s.txn, 0)
	u = Usage{
		Log:               l.closedSum.log + s.size,
		Apparent:          l.closedSum.apparent + s.apparent() + l.waitSum.apparent + l.epochFile + metadataFile,
		Allocated:         l.closedSum.allocated + s.allocated() + l.waitSum.allocated + 4096 + 4096,
		Indexes:           l.closedSum.index + index,
		Awaiting:          l.waitSum.apparent,
		AwaitingLog:       l.waitSum.log,
		AwaitingAllocated: l.waitSum.allocated,
		Segments:          int64(l.segments.len()),
		OpenFiles:         int64(l.segments.len() + l.deleted.len() - l.alone),
	}
	u.MemoryMaps = 2 * u.OpenFiles
	for _, s := range l.producers.strays {
		u.Apparent += s.size
		u.Allocated += blocks(s.size)
	}
	return u
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
	byBase := func(a, b Files) int { return cmp.Compare(a.Base, b.Base) }
	slices.SortStableFunc(d.Segments, byBase)
	slices.SortStableFunc(d.Deleted, byBase)
	return d
}

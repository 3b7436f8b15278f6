package calc

import "slices"

// deletedFiles are files of one base offset that were renamed to .deleted and wait to be removed.
type deletedFiles struct {
	base                         Offset
	log, index, times, txn, snap Bytes // lengths, or noFile
	size                         Bytes // of its batches
	blocks, snapBlocks           Bytes // allocated for the segment's files and for the snapshot
	due                          Millis
	snapDue                      Millis // when the snapshot goes, which has a task of its own
	made                         Millis // when they were renamed
	firstAt                      Millis // when the segment's first batch was appended
}

func (d *deletedFiles) sums() sums {
	return sums{
		log:       d.size,
		apparent:  max(d.log, 0) + max(d.index, 0) + max(d.times, 0) + max(d.txn, 0) + max(d.snap, 0),
		allocated: d.blocks + d.snapBlocks,
		index:     max(d.index, 0) + max(d.times, 0) + max(d.txn, 0),
	}
}

func (s *sums) addDeleted(d *deletedFiles, sign Bytes) {
	t := d.sums()
	s.log += sign * t.log
	s.apparent += sign * t.apparent
	s.allocated += sign * t.allocated
	s.index += sign * t.index
}

// wait renames a segment's files and lets them wait for file.delete.delay.ms, together with the snapshot of the same
// base offset when there is one.
//
// Kafka: LocalLog.deleteSegmentFiles.
func (l *log) wait(s *segment, snapshot Bytes) {
	d := deletedFiles{
		base: s.base, log: s.logFile(), index: s.indexFile(), times: s.timesFile(), txn: s.txn, snap: snapshot,
		size: s.size, snapBlocks: blocks(max(snapshot, 0)), due: add(l.now, l.config.FileDeleteDelayMs), firstAt: s.firstAt,
		made: l.now,
	}
	d.snapDue = d.due
	d.blocks = s.allocated() - blocks(max(s.snapshot, 0))
	if i := slices.Index(l.replaced, s.base); i >= 0 {
		l.replaced = slices.Delete(l.replaced, i, i+1)
		l.overwrite(&d)
	}
	l.waitSum.addDeleted(&d, 1)
	l.deleted.push(d)
	// The delay may have been made shorter meanwhile.
	for i := l.deleted.len() - 1; i > 0 && l.deleted.at(i-1).due > d.due; i-- {
		*l.deleted.at(i), *l.deleted.at(i - 1) = *l.deleted.at(i - 1), *l.deleted.at(i)
	}
}

// overwrite takes the files of a replaced segment of d's base offset that wait already into d: they have the same names,
// so the rename replaced them, and they go when the first of the two removals is due. The snapshot stays until the second.
func (l *log) overwrite(d *deletedFiles) {
	all := l.deleted.all()
	for i := range all {
		old := &all[i]
		if old.base != d.base {
			continue
		}
		l.waitSum.addDeleted(old, -1)
		if old.due > l.now || old.made >= l.armed {
			d.take(old) // or else they went just before
		}
		copy(all[i:], all[i+1:])
		l.deleted.dropLast()
		return
	}
}

// take gives d the place of old, and the files that d does not have.
func (d *deletedFiles) take(old *deletedFiles) {
	d.due = min(d.due, old.due)
	for _, f := range [...]struct{ to, from *Bytes }{{&d.index, &old.index}, {&d.times, &old.times}, {&d.txn, &old.txn}} {
		if *f.to == noFile {
			*f.to = *f.from
		}
	}
}

// nextRemoval is when the first waiting files are due.
func (l *log) nextRemoval() Millis {
	if l.deleted.len() == 0 || l.gone {
		return Never
	}
	return l.deleted.at(0).due
}

// remove removes the files that are due.
func (l *log) remove(reason Reason) {
	n := 0
	for n < l.deleted.len() && (l.deleted.at(n).due <= l.now || reason == ByStart) {
		d := l.deleted.at(n)
		l.waitSum.addDeleted(d, -1)
		if d.snap != noFile && d.snapDue > l.now && reason != ByStart {
			l.leaveSnapshot(n)
			continue
		}
		if d.log == noFile {
			l.alone--
		}
		l.event(Remove, d.base, reason)
		n++
	}
	l.deleted.popFront(n)
}

// leaveSnapshot lets only the snapshot of the deleted files i wait, to its own time.
func (l *log) leaveSnapshot(i int) {
	d := l.deleted.at(i)
	d.log, d.index, d.times, d.txn, d.size, d.blocks, d.due = noFile, noFile, noFile, noFile, 0, 0, d.snapDue
	l.waitSum.addDeleted(d, 1)
	l.alone++
	for ; i+1 < l.deleted.len() && l.deleted.at(i+1).due < l.deleted.at(i).due; i++ {
		*l.deleted.at(i), *l.deleted.at(i + 1) = *l.deleted.at(i + 1), *l.deleted.at(i)
	}
}

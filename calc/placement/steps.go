package placement

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
)

// TargetKind is what kind of directory id the controller gives with a partition.
type TargetKind uint8

const (
	NoTarget     TargetKind = iota // UNASSIGNED, LOST, MIGRATING or an id that no directory has: the broker chooses
	TargetLogDir                   // the id of the directory in Target.Dir
)

// Target is the directory id that the controller gives with a partition.
type Target struct {
	Kind TargetKind
	Dir  string
}

// Request is how a log is asked for. The zero Request is a new log without wishes.
type Request struct {
	Prefer string // noted as the partition's preference just before; "": none
	Target Target
	NotNew bool // the partition had a log on this broker before
}

// Created is where a log is.
type Created struct {
	Dir     string
	Existed bool // it was there already, and stays as it is
}

// Create gives the partition's log, and makes it when there is none.
//
// Kafka: LogManager.getOrCreateLog.
func (b *Broker) Create(p Partition, r Request) (Created, error) {
	if !b.begin() {
		return Created{}, errDown
	}
	if r.Prefer != "" {
		b.prefer(p, r.Prefer)
	}
	c, err := b.make(p, r.Target, !r.NotNew, false)
	b.handleErrors()
	return c, err
}

// begin reports whether the broker runs, and forgets what the last call did.
func (b *Broker) begin() bool {
	b.failed = nil
	return b.running
}

// make finds the log or makes it in the given directory, or else in the best one that takes it.
func (b *Broker) make(p Partition, target Target, isNew, future bool) (Created, error) {
	logs := b.current
	if future {
		logs = b.future
	}
	if dir, ok := logs[p]; ok {
		return Created{dir, true}, nil
	}
	if offline := b.offline(); !isNew && len(offline) > 0 {
		return Created{}, refuse(storageException, "Can not create log for", "Can not create log for %s because log directories %s are offline", p, strings.Join(offline, ", "))
	}
	dir, given := b.preferred[p]
	if !given && target.Kind == TargetLogDir && slices.Contains(b.live, target.Dir) {
		dir, given = target.Dir, true
	}
	if future {
		if err := b.checkFuture(p, dir, given); err != nil {
			return Created{}, err
		}
	}
	candidates := []string{dir}
	if !given {
		candidates = b.Next()
	} else if !slices.Contains(b.configured, dir) {
		return Created{}, notFound(dir)
	}
	for _, dir := range candidates {
		if slices.Contains(b.live, dir) && b.mkdir(p, dir, future) {
			on, logs := b.side(dir, future)
			on[p], logs[p] = true, dir
			b.counts[dir]++
			delete(b.preferred, p)
			return Created{Dir: dir}, nil
		}
	}
	return Created{}, refuse(storageException, "No log directories available", "No log directories available. Tried %s", strings.Join(candidates, ", "))
}

func notFound(dir string) error {
	return refuse(dirNotFound, "is not found in the config", "Log dir %s is not found in the config.", dir)
}

// checkFuture refuses a future log that has no directory to go to.
func (b *Broker) checkFuture(p Partition, dir string, given bool) error {
	at, ok := b.current[p]
	switch {
	case !given:
		return refuse(illegalState, "Can not create the future log for", "Can not create the future log for %s without having a preferred log directory", p)
	case !ok:
		return refuse(noSuchElement, "", "No value present")
	case at == dir:
		return refuse(illegalState, "Can not create the future log for", "Can not create the future log for %s in the current log directory of this partition", p)
	}
	return nil
}

// mkdir makes the log's directory. When it cannot, the whole log directory has an error.
func (b *Broker) mkdir(p Partition, dir string, future bool) bool {
	length := len(p.String())
	if future {
		length = futureLength(p)
	}
	if length <= maxName && (future || !b.blocked[blockedName{p, dir}]) {
		return true
	}
	b.failing = append(b.failing, dir)
	return false
}

// handleErrors takes the directories offline in which mkdir failed.
func (b *Broker) handleErrors() {
	for _, dir := range b.live {
		if slices.Contains(b.failing, dir) {
			b.failed = append(b.failed, dir)
		}
	}
	b.failing = nil
	for _, dir := range b.failed {
		b.fail(dir)
	}
}

// Prefer notes in which directory the partition's next log is to be made.
//
// Kafka: LogManager.maybeUpdatePreferredLogDir.
func (b *Broker) Prefer(p Partition, dir string) {
	if b.begin() {
		b.prefer(p, dir)
	}
}

func (b *Broker) prefer(p Partition, dir string) {
	for _, logs := range []map[Partition]string{b.current, b.future} {
		if at, ok := logs[p]; ok && at == dir {
			return
		}
	}
	b.preferred[p] = dir
}

// Delete marks a partition's logs for removal, as when its topic is deleted. A partition without one is left alone.
func (b *Broker) Delete(p Partition) error {
	if !b.begin() {
		return errDown
	}
	for _, future := range []bool{false, true} {
		b.mark(p, future)
	}
	return nil
}

// Move begins to move a replica to another directory, as AlterReplicaLogDirs does: a future log is made there, and counts
// at once. It gives the future log's directory, or "" when none is made, because the log is there already or there is none.
//
// Kafka: ReplicaManager.alterReplicaLogDirs.
func (b *Broker) Move(p Partition, to string) (dir string, err error) {
	if !b.begin() {
		return "", errDown
	}
	switch {
	case futureLength(p) > maxName:
		return "", refuse(invalidTopic, "The topic name is too long", "The topic name is too long: %d characters with the future log's suffix", futureLength(p))
	case !slices.Contains(b.configured, to):
		return "", notFound(to)
	case !slices.Contains(b.live, to):
		return "", refuse(storageException, "is offline", "Log directory %s is offline", to)
	case b.isCordoned(to):
		return "", refuse(invalidAssignment, "is cordoned", "Log directory %s is cordoned", to)
	}
	if at, ok := b.future[p]; ok && at != to {
		b.mark(p, true)
	}
	b.prefer(p, to)
	if at, ok := b.current[p]; !ok || at == to {
		return "", nil
	}
	return b.makeFuture(p)
}

// Future makes a future log where the partition's preference is: the LogManager's part of a move.
func (b *Broker) Future(p Partition) (dir string, err error) {
	if !b.begin() {
		return "", errDown
	}
	return b.makeFuture(p)
}

func (b *Broker) makeFuture(p Partition) (string, error) {
	c, err := b.make(p, Target{}, false, true)
	b.handleErrors()
	return c.Dir, err
}

// FinishMove puts the future log in the current one's place, which is marked for removal.
//
// Kafka: LogManager.replaceCurrentWithFutureLog.
func (b *Broker) FinishMove(p Partition) error {
	if !b.begin() {
		return errDown
	}
	if _, ok := b.current[p]; !ok {
		return refuse(storageException, "The current replica for", "The current replica for %s is offline", p)
	}
	to, ok := b.future[p]
	if !ok {
		return refuse(storageException, "The future replica for", "The future replica for %s is offline", p)
	}
	b.mark(p, false)
	delete(b.future, p)
	delete(b.disks[to].future, p)
	b.current[p] = to
	b.disks[to].live[p] = true
	return nil
}

// CancelMove marks the future log for removal.
func (b *Broker) CancelMove(p Partition) error { return b.asyncDelete(p, true, "future ") }

// Stray marks a partition's log as one that is not this broker's. It stays on the disk for ever, and counts no more.
func (b *Broker) Stray(p Partition) error { return b.asyncDelete(p, false, "") }

// asyncDelete takes one log away; the future one is removed, the current one becomes stray.
//
// Kafka: LogManager.asyncDelete.
func (b *Broker) asyncDelete(p Partition, future bool, which string) error {
	if !b.begin() {
		return errDown
	}
	_, logs := b.side(b.known[0], future)
	dir, ok := logs[p]
	if !ok {
		if offline := b.offline(); len(offline) > 0 {
			return refuse(storageException, "may be in one of the offline directories", "Failed to delete log for %s%s because it may be in one of the offline directories %s",
				which, p, strings.Join(offline, ", "))
		}
		return nil
	}
	if future {
		b.mark(p, true)
		return nil
	}
	delete(logs, p)
	b.counts[dir]--
	b.setStray(dir, p, false)
	return nil
}

// setStray renames a log on the disk.
func (b *Broker) setStray(dir string, p Partition, future bool) {
	on, _ := b.side(dir, future)
	delete(on, p)
	b.removed++
	b.disks[dir].stray = append(b.disks[dir].stray, suffixedName(p, hexID(b.removed), straySuffix))
}

// mark renames a log for its removal and takes it out of the counts.
func (b *Broker) mark(p Partition, future bool) {
	logs := b.current
	if future {
		logs = b.future
	}
	dir, ok := logs[p]
	if !ok {
		return
	}
	on, _ := b.side(dir, future)
	delete(logs, p)
	delete(on, p)
	b.counts[dir]--
	b.removed++
	b.disks[dir].deleted[b.removed] = suffixedName(p, hexID(b.removed), deleteSuffix)
	b.queue = append(b.queue, removal{b.now, dir, b.removed})
}

// hexID stands for the random id in a name.
func hexID(n int) string { return fmt.Sprintf("%0*x", idLength, n) }

// FailDir handles an I/O error in a directory: it goes offline, and its logs out of the counts. The error is a [*Refusal]
// when it was the last one and the broker halts.
//
// Kafka: LogManager.handleLogDirFailure.
func (b *Broker) FailDir(dir string) error {
	if !b.begin() {
		return errDown
	}
	b.fail(dir)
	if !b.running {
		return refuse(illegalState, "halt", "halt 1: the last log directory failed")
	}
	return nil
}

func (b *Broker) fail(dir string) {
	if i := slices.Index(b.live, dir); i >= 0 {
		b.live = slices.Delete(slices.Clone(b.live), i, i+1)
	}
	if len(b.live) == 0 {
		b.running = false
		return
	}
	for _, logs := range []map[Partition]string{b.current, b.future} {
		for p, at := range logs {
			if at == dir {
				delete(logs, p)
			}
		}
	}
	delete(b.counts, dir)
}

// Cordon keeps new logs out of a directory. The text is compared with the paths of the directories as it is.
//
// Kafka: LogManager.updateCordonedLogDirs, from 4.3 on.
func (b *Broker) Cordon(text string) error { return b.setCordon(text, true) }

// Uncordon takes [Broker.Cordon] back.
func (b *Broker) Uncordon(text string) error { return b.setCordon(text, false) }

func (b *Broker) setCordon(text string, on bool) error {
	if !b.begin() {
		return errDown
	}
	if b.version < firstCordon {
		return refuse(unsupported, "", "no cordoned.log.dirs in this release")
	}
	if on {
		b.cordoned[text] = true
	} else {
		delete(b.cordoned, text)
	}
	return nil
}

// Block puts a plain file where the partition's directory would be, so that it cannot be made in dir.
func (b *Broker) Block(p Partition, dir string) {
	b.begin()
	b.blocked[blockedName{p, dir}] = true
}

// Unblock takes the file away.
func (b *Broker) Unblock(p Partition, dir string) {
	b.begin()
	delete(b.blocked, blockedName{p, dir})
}

// Advance lets time pass, ≥ 0. -delete directories go in the order in which they were marked, each once it has waited; the
// first that must wait holds up the others.
//
// Kafka: LogManager.deleteLogs.
func (b *Broker) Advance(wait calc.Millis) {
	b.begin()
	end := b.now + wait
	for b.task <= end && len(b.queue) > 0 {
		first := b.queue[0]
		if due := first.marked + b.deleteWait; due > b.task {
			b.task = due
			continue
		}
		if slices.Contains(b.live, first.dir) {
			delete(b.disks[first.dir].deleted, first.id)
		}
		b.queue = b.queue[1:]
		if len(b.queue) == 0 {
			b.task += max(b.deleteWait, 1)
		}
	}
	if period := max(b.deleteWait, 1); b.task <= end {
		b.task += ((end-b.task)/period + 1) * period
	}
	b.now = end
}

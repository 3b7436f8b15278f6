package placement

import (
	"errors"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
)

// Config is what a broker is started with.
type Config struct {
	Version          calc.Version
	LogDirs          []string    // paths in configuration order, as in [LogDirs].Paths
	Cordoned         []string    // texts that are compared with the paths; before 4.3 without effect
	DeleteDelay      calc.Millis // log.segment.delete.delay.ms, ≥ 0
	InitialTaskDelay calc.Millis // log.initial.task.delay.ms, ≥ 0
}

// Defaults of [Config].
const (
	DefaultDeleteDelay      = calc.Minute
	DefaultInitialTaskDelay = 30 * calc.Second
)

// Broker is a broker's LogManager: which partition's log is in which directory, and what waits there to be removed. Its
// clock stands still but for [Broker.Advance].
//
// Methods that Kafka refuses return a [*Refusal]. A broker whose last directory failed does not run any more; none of its
// methods may be called then but those that look.
type Broker struct {
	version    calc.Version
	deleteWait calc.Millis
	taskWait   calc.Millis

	configured []string
	live       []string // in configuration order
	cordoned   map[string]bool
	running    bool
	now        calc.Millis

	known []string // every directory ever named, in order
	disks map[string]*disk

	current, future map[Partition]string
	counts          map[string]int
	preferred       map[Partition]string
	blocked         map[blockedName]bool
	failing         []string // directories with an error that is not handled yet
	failed          []string // taken offline by the last call

	queue   []removal
	task    calc.Millis // when the removal task runs next
	removed int         // directories that were ever renamed, which is the id of the next

	among []string
}

type blockedName struct {
	p   Partition
	dir string
}

// disk is what a directory holds, whether it can be used or not.
type disk struct {
	live, future map[Partition]bool
	deleted      map[int]string // by their id, the names of -delete directories
	stray        []string
}

func newDisk() *disk {
	return &disk{live: map[Partition]bool{}, future: map[Partition]bool{}, deleted: map[int]string{}}
}

// removal is a -delete directory in the queue.
type removal struct {
	marked calc.Millis
	dir    string
	id     int
}

// errDown is returned for a step of a broker that does not run.
var errDown = errors.New("the broker does not run")

// NewBroker starts a broker on empty directories. The error is a [*Refusal]: no directory, or one twice.
func NewBroker(c Config) (*Broker, error) {
	b := &Broker{
		version: c.Version, deleteWait: c.DeleteDelay, taskWait: c.InitialTaskDelay,
		configured: slices.Clone(c.LogDirs), cordoned: map[string]bool{}, disks: map[string]*disk{},
		blocked: map[blockedName]bool{}, preferred: map[Partition]string{},
	}
	for _, text := range c.Cordoned {
		b.cordoned[text] = true
	}
	for _, dir := range c.LogDirs {
		b.know(dir)
	}
	return b, b.start(Start{})
}

func (b *Broker) know(dir string) {
	if b.disks[dir] == nil {
		b.known = append(b.known, dir)
		b.disks[dir] = newDisk()
	}
}

// Start is with what a broker starts again.
type Start struct {
	Offline []string    // directories that cannot be used
	Stray   []Partition // partitions that are no longer this broker's
}

// start loads what the directories hold.
func (b *Broker) start(s Start) error {
	b.live, b.queue, b.failing, b.failed = nil, nil, nil, nil
	b.current, b.future, b.counts = map[Partition]string{}, map[Partition]string{}, map[string]int{}
	clear(b.preferred)
	b.running = false
	for i, dir := range b.configured {
		if slices.Contains(b.configured[:i], dir) {
			return refuse(kafkaException, "Duplicate log directory found", "Duplicate log directory found: %s", strings.Join(b.configured, ", "))
		}
		if !slices.Contains(s.Offline, dir) {
			b.live = append(b.live, dir)
		}
	}
	if len(b.live) == 0 {
		return refuse(illegalState, "halt", "halt 1: none of the log directories can be used")
	}
	b.task = b.now + b.taskWait
	for _, dir := range b.live {
		if err := b.load(dir, s.Stray); err != nil {
			return err
		}
	}
	b.running = true
	return nil
}

// load reads one directory.
func (b *Broker) load(dir string, stray []Partition) error {
	d := b.disks[dir]
	ids := make([]int, 0, len(d.deleted))
	for id := range d.deleted {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		b.queue = append(b.queue, removal{b.now, dir, id})
	}
	for _, p := range d.partitions() {
		for _, future := range []bool{false, true} {
			on, logs := b.side(dir, future)
			switch at, there := logs[p]; {
			case !on[p]:
			case slices.Contains(stray, p):
				b.setStray(dir, p, future)
			case there:
				return refuse(illegalState, "Duplicate log directories",
					"Duplicate log directories for %s are found in both %s and %s", p, at, dir)
			default:
				logs[p] = dir
				b.counts[dir]++
			}
		}
	}
	return nil
}

// partitions is the partitions of a directory, in order.
func (d *disk) partitions() []Partition {
	all := make([]Partition, 0, len(d.live)+len(d.future))
	for p := range d.live {
		all = append(all, p)
	}
	for p := range d.future {
		if !d.live[p] {
			all = append(all, p)
		}
	}
	order.Sort(all, func(a, b *Partition) int { return comparePartitions(*a, *b) })
	return all
}

// side is the current or the future logs: those on a directory's disk, and where the broker has each.
func (b *Broker) side(dir string, future bool) (on map[Partition]bool, logs map[Partition]string) {
	if future {
		return b.disks[dir].future, b.future
	}
	return b.disks[dir].live, b.current
}

// Restart stops the broker cleanly and starts it again. Preferences are forgotten, what waits for removal waits anew. The
// error is a [*Refusal]: all directories offline, or a log in two of them.
func (b *Broker) Restart(s Start) error { return b.start(s) }

// AddDir restarts the broker with a directory more, at a place in the configuration; a negative place is the last.
func (b *Broker) AddDir(dir string, at int, s Start) error {
	if at < 0 || at > len(b.configured) {
		at = len(b.configured)
	}
	b.know(dir)
	b.configured = slices.Insert(b.configured, at, dir)
	return b.start(s)
}

// RemoveDir restarts the broker without a directory. Its logs stay there, and come back with it. The error says that the
// directory is not configured, or is a [*Refusal].
func (b *Broker) RemoveDir(dir string, s Start) error {
	at := slices.Index(b.configured, dir)
	if at < 0 {
		return errors.New(dir + " is not in log.dirs")
	}
	b.configured = slices.Delete(b.configured, at, at+1)
	return b.start(s)
}

// Running is false when the last directory failed or a start did not succeed.
func (b *Broker) Running() bool { return b.running }

// Now is the clock, from the first start on.
func (b *Broker) Now() calc.Millis { return b.now }

// Configured is the directories in configuration order.
func (b *Broker) Configured() []string { return slices.Clone(b.configured) }

// Live is the directories that can be used, in configuration order.
func (b *Broker) Live() []string { return slices.Clone(b.live) }

// Known is every directory that was ever named, in order of appearance.
func (b *Broker) Known() []string { return slices.Clone(b.known) }

// Failed is the directories that the last call took offline, in configuration order.
func (b *Broker) Failed() []string { return b.failed }

// Count is the logs in a directory as Kafka counts them: current and future, whatever their size.
func (b *Broker) Count(dir string) int { return b.counts[dir] }

// Log is where a partition's current log is.
func (b *Broker) Log(p Partition) (dir string, ok bool) { dir, ok = b.current[p]; return dir, ok }

// FutureLog is where a partition's future log is.
func (b *Broker) FutureLog(p Partition) (dir string, ok bool) { dir, ok = b.future[p]; return dir, ok }

// Among says in which order to take directories whose paths have equal hash codes, which is not modelled. It matters
// before 4.4 only.
func (b *Broker) Among(order []string) { b.among = order }

// Next is all directories that may take the next log, best first.
func (b *Broker) Next() []string {
	return nextDirs(b.version, b.live, b.isCordoned, b.Count, b.among)
}

// isCordoned reports whether a live directory takes new logs only when it is asked to.
func (b *Broker) isCordoned(dir string) bool { return b.version >= firstCordon && b.cordoned[dir] }

// offline is the configured directories that cannot be used.
func (b *Broker) offline() []string {
	var dirs []string
	for _, dir := range b.configured {
		if !slices.Contains(b.live, dir) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// Holdings is how many partition directories of each kind a directory has on its disk. __cluster_metadata-0 is in none.
type Holdings struct{ Logs, Future, Deleted, Stray int }

// Holds is what a directory has on its disk, whether it can be used or not.
func (b *Broker) Holds(dir string) Holdings {
	d := b.disks[dir]
	if d == nil {
		return Holdings{}
	}
	return Holdings{len(d.live), len(d.future), len(d.deleted), len(d.stray)}
}

// Names is the names of a directory's partition directories, in order. Where Kafka puts a random id in a name, this has a
// number of 32 hexadecimal digits instead.
func (b *Broker) Names(dir string) []string {
	d := b.disks[dir]
	if d == nil {
		return nil
	}
	var names []string
	for p := range d.live {
		names = append(names, p.String())
	}
	for p := range d.future {
		names = append(names, p.String()+"."+hexID(0)+futureSuffix)
	}
	for _, name := range d.deleted {
		names = append(names, name)
	}
	names = append(names, d.stray...)
	order.Sort(names, func(a, b *string) int { return compareUTF16(*a, *b) })
	return names
}

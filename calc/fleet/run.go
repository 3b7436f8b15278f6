package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
	"github.com/partsize/partsize/calc/placement"
)

// Levels are the parts of a directory's size whose day is told, in percent.
var Levels = [...]int64{75, 85, 90, 100}

// Course is bytes over time, in spans of equal length: at least, and at most.
type Course struct{ Low, High []calc.Bytes }

// Peak is the most, and in which span it first is.
func (c *Course) Peak() (span int, most calc.Bytes) {
	for i, b := range c.High {
		if b > most {
			span, most = i, b
		}
	}
	return span, most
}

func (c *Course) add(other *Course) {
	if c.High == nil {
		c.Low, c.High = make([]calc.Bytes, len(other.Low)), make([]calc.Bytes, len(other.High))
	}
	for i := range other.High {
		c.Low[i] += other.Low[i]
		c.High[i] += other.High[i]
	}
}

// Share is what a topic has of a directory.
type Share struct {
	Topic    string
	Replicas int
	Bytes    calc.Bytes
}

// Dir is a directory over time.
type Dir struct {
	placement.Directory // at the end; Load is what its replicas reach
	Course
	Start    placement.Load // of the replicas that it begins with: their peaks
	Crosses  [len(Levels)]calc.Millis
	Filling  []Share    // at its peak, the largest first
	Internal calc.Bytes // bound of the internal topics' replicas, which Course leaves out
}

// Broker is a broker over time.
type Broker struct {
	ID         int32
	OpenFiles  int64 // at most
	MemoryMaps int64
	Course
}

// Choice is what a policy makes of the same topics: where the fullest directory stands.
type Choice struct {
	Policy placement.Policy
	Bytes  placement.Imbalance // of what the replicas reach, after all changes
	Rate   placement.Imbalance
	Full   calc.Millis // when the first directory is full; Never
	Fulls  int         // directories that get full
}

// Copy is how long the copies of a change take.
type Copy struct {
	Change   int
	Replicas int
	Bytes    calc.Bytes
	Takes    calc.Millis // 0: no throttle is given
}

// Result is a cluster over time.
type Result struct {
	Version  calc.Version
	Horizon  calc.Millis
	Span     calc.Millis // of time in a course
	Topics   int
	Replicas int // at the start
	Classes  int // partitions that differ, each simulated once
	Dirs     []Dir
	Brokers  []Broker
	Cluster  Course
	Limits   Limits
	Choices  []Choice
	Moves    []placement.LevelMove // that level what Kafka's policy made, brokers by themselves; the smallest first
	Changes  []Change              // in order of time
	Copies   []Copy
	Returns  []TopicReturn
	Internal calc.Bytes // bound of all internal topics
	Policy   placement.Policy

	plays *player
}

// TopicReturn is when space comes back to a topic's replicas after a change of settings.
type TopicReturn struct {
	Topic       string
	Change      int
	Replicas    int
	First, Last calc.Millis // from the change until the first files of a replica are gone; Never when nothing goes within 2 hours
	Freed       calc.Bytes  // of all replicas
}

// runner works a description out.
type runner struct {
	d       *Description
	version calc.Version
	horizon calc.Millis

	topics   []*Topic // one by one, the numbered ones too
	byName   map[string]int32
	classes  []class
	index    map[string]int
	events   int64
	tooLong  bool
	problems []error

	spent     *calc.Timeline // of the simulation before, whose memory is used again
	progress  func(done, all int) bool
	done, all int
	stopped   bool
}

// ref is where a replica is.
type ref struct {
	dir, topic, class, number int32
	leader, copying           bool
}

// period is where everything is from one change to the next.
type period struct {
	from, to calc.Millis
	refs     []ref // by directory, class, topic and number
	dirs     int
}

// tick notes that so much is done.
func (r *runner) tick(n int) {
	r.done += n
	if r.progress != nil && !r.progress(min(r.done, r.all), r.all) {
		r.stopped = true
	}
}

// maxProblems is how many problems are told.
const maxProblems = 100

func (r *runner) problem(place, format string, args ...any) {
	if len(r.problems) == maxProblems {
		r.problems = append(r.problems, errors.New("and more of the kind"))
	}
	if len(r.problems) > maxProblems {
		return
	}
	text := fmt.Sprintf(format, args...)
	if place != "" {
		text = place + ": " + text
	}
	r.problems = append(r.problems, errors.New(text))
}

// Run works a description out. progress, which may be nil, is told how much of the work is done, and stops the run when it
// returns false; the error is then [ErrStopped]. Any other error joins everything that is wrong with the description, named
// by its place and key.
func Run(d *Description, progress func(done, all int) bool) (*Result, error) {
	own := *d
	own.Topics = slices.Clone(d.Topics)
	own.Changes = sortChanges(d.Changes)
	r := &runner{d: &own, version: d.Version, horizon: d.Horizon, index: map[string]int{}, byName: map[string]int32{}, progress: progress}
	r.complete()
	r.prepare()
	if err := r.err(); err != nil {
		return nil, err
	}
	// A simulation takes about as long as placing and adding up 200 replicas.
	r.all = len(r.classes) + len(placement.Policies())*len(r.topics) + len(own.Brokers)
	for i := range r.classes {
		r.simulate(&r.classes[i])
		if r.tick(1); r.stopped {
			return nil, ErrStopped
		}
	}
	r.loads()
	result, err := r.result(placement.FewestLogs)
	if err != nil {
		return nil, err
	}
	r.compare(result)
	r.returns(result)
	return result, r.err()
}

// Under is what becomes of the same description when directories are chosen by another policy.
func (r *Result) Under(policy placement.Policy) (*Result, error) {
	run := r.plays.runner
	if policy == r.Policy {
		return r, nil
	}
	run.progress = nil
	other, err := run.result(policy)
	if err != nil {
		run.problems = nil
		return nil, err
	}
	other.Choices, other.Returns = r.Choices, r.Returns
	return other, nil
}

// result plays the description under a policy and adds up.
func (r *runner) result(policy placement.Policy) (*Result, error) {
	result := &Result{
		Version: r.version, Horizon: r.horizon, Span: max(1, (r.horizon+envelopeSpans)/envelopeSpans), Topics: len(r.topics),
		Classes: len(r.classes), Limits: r.d.Limits, Changes: r.d.Changes, Policy: policy,
	}
	p, good := r.play(policy, result)
	if !good {
		return nil, r.err()
	}
	result.plays = p
	p.sum(result)
	return result, r.err()
}

func (r *runner) err() error {
	if r.stopped {
		return ErrStopped
	}
	return errors.Join(r.problems...)
}

// ErrStopped is returned when progress said so.
var ErrStopped = errors.New("stopped")

// complete fills in defaults and adds the internal topics.
func (r *runner) complete() {
	if r.version == 0 {
		row, _, _ := calc.SettingOf("kafka.version")
		r.version, _ = calc.ParseVersion(row.Default)
	}
	if r.horizon == 0 {
		r.horizon = 30 * calc.Day
	}
	if len(r.d.Brokers) == 0 {
		r.problem("", "there is no broker; describe brokers, or give the output of kafka-log-dirs")
	}
	if len(r.d.Topics) == 0 {
		r.problem("", "there is no topic")
	}
	dirs := 0
	for _, b := range r.d.Brokers {
		dirs += len(b.Dirs)
	}
	if dirs > MaxDirs {
		r.problem("brokers", "%d directories, and at most %d are taken", dirs, MaxDirs)
	}
	for _, c := range r.d.Changes {
		if c.At < 0 || c.At > r.horizon {
			r.problem(c.Place, "at=%s is after the horizon, %s", c.At.Text(), r.horizon.Text())
		}
	}
	if r.d.Internal && !slices.ContainsFunc(r.d.Topics, func(t Topic) bool { return t.Present != nil || t.Dirs != nil }) {
		r.addInternal()
	}
}

// internalTopics are the topics that brokers make for themselves, with their defaults.
//
// Kafka: GroupCoordinatorConfig, TransactionLogConfig.
var internalTopics = []struct {
	name       string
	partitions int
	segment    calc.Bytes
}{
	{"__consumer_offsets", 50, 100 * calc.MiB},
	{"__transaction_state", 50, 100 * calc.MiB},
}

// The bound of a replica of an internal topic: its active segment, and one that waits to be compacted, or is being written
// anew. What compaction keeps is not in it. And the files and maps of three segments.
const (
	internalSegments = 2
	internalFiles    = 3
	internalMaps     = 6
)

// internalClass is the class of internal topics.
const internalClass = -1

func (r *runner) addInternal() {
	replication := min(3, len(r.d.Brokers))
	for i := len(internalTopics) - 1; i >= 0; i-- {
		t := internalTopics[i]
		if slices.ContainsFunc(r.d.Topics, func(o Topic) bool { return o.Name == t.name }) {
			continue
		}
		own := Topic{Name: t.name, Count: 1, Partitions: t.partitions, Replication: replication, classes: slices.Repeat([]int{internalClass}, t.partitions)}
		r.d.Topics = slices.Insert(r.d.Topics, 0, own)
	}
}

// prepare checks the topics and finds the classes of their partitions.
func (r *runner) prepare() {
	replicas := 0
	for i := range r.d.Topics {
		t := &r.d.Topics[i]
		t.Count = max(t.Count, 1)
		if t.Partitions < 1 {
			r.problem(t.Place, "topic %q: no partition", t.Name)
			continue
		}
		if each := t.Partitions * max(t.Replication, 1); each > MaxReplicas || t.Count > MaxReplicas/each || replicas+t.Count*each > MaxReplicas {
			r.problem(t.Place, "topic %q: more than %d replicas in all", t.Name, MaxReplicas)
			return
		} else {
			replicas += t.Count * each
		}
		r.prepareTopic(t)
	}
	if replicas*(len(r.d.Changes)+1) > 10*MaxReplicas {
		r.problem("", "%d replicas times %d steps are too many; give fewer steps", replicas, len(r.d.Changes))
	}
	for t := range r.d.each {
		if _, again := r.byName[t.Name]; again {
			r.problem(t.Place, "topic %q is given twice", t.Name)
		}
		r.byName[t.Name] = int32(len(r.topics))
		r.topics = append(r.topics, t)
	}
	for _, c := range r.d.Changes {
		name := ""
		switch do := c.Do.(type) {
		case Traffic:
			name = do.Topic
		case Set:
			name = do.Topic
		}
		about := func(t Topic) bool { return names(name, &t) }
		if name != "" && !slices.ContainsFunc(r.d.Topics, about) {
			r.problem(c.Place, "there is no topic %q", name)
		}
	}
}

func (r *runner) prepareTopic(t *Topic) {
	if t.classes != nil {
		return
	}
	rates, err := r.rates(t)
	if err != nil {
		r.problem(t.Place, "topic %q: %v", t.Name, err)
		return
	}
	t.classes = make([]int, t.Partitions)
	for i, rate := range rates {
		present := calc.Bytes(0)
		if i < len(t.Present) {
			present = t.Present[i]
		}
		if i > 0 && rate == rates[i-1] && (t.Present == nil || i < len(t.Present) && present == t.Present[i-1]) {
			t.classes[i] = t.classes[i-1]
			continue
		}
		t.classes[i] = r.classOf(t, rate, present)
	}
}

// loads tells the topics what their partitions reach.
func (r *runner) loads() {
	for _, t := range r.topics {
		t.loads = make([]placement.Load, len(t.classes))
		for i, c := range t.classes {
			if c != internalClass {
				t.loads[i] = r.classes[c].load
			}
		}
	}
}

// specs gives the topics as the cluster takes them.
func (r *runner) specs(yield func(placement.TopicSpec) bool) {
	for _, t := range r.topics {
		spec := placement.TopicSpec{Name: t.Name, Partitions: t.loads, ReplicationFactor: t.Replication, Assignment: t.Assignment, Dirs: t.Dirs}
		if !yield(spec) {
			return
		}
	}
}

// player plays a description under a policy.
type player struct {
	*runner
	policy   placement.Policy
	topics   []*Topic // the runner's, with what changes add
	cluster  *placement.Cluster
	snapshot []period
}

// moves reports whether anything is placed after the start, or is where a file says.
func (r *runner) moves() bool {
	return slices.ContainsFunc(r.d.Changes, func(c Change) bool {
		_, places := c.Do.(placement.Change)
		_, adds := c.Do.(addPartitions)
		return places || adds
	}) || slices.ContainsFunc(r.d.Topics, func(t Topic) bool { return t.Dirs != nil })
}

// newCluster places the topics.
func (p *player) newCluster() bool {
	found := placement.NewCluster
	if !p.moves() {
		found = placement.NewCounted
	}
	c, err := found(p.version, p.policy, p.d.Seed, p.d.Brokers)
	if err != nil {
		p.problem("brokers", "%v", err)
		return false
	}
	p.cluster = c
	i := 0
	for spec := range p.specs {
		if err := c.Apply(placement.CreateTopic{Topic: spec}); err != nil {
			p.problem(p.topics[i].Place, "%v", err)
		}
		i++
		if p.tick(1); p.stopped {
			return false
		}
	}
	return len(p.problems) == 0
}

// play plays the changes, and notes where everything is between them.
func (r *runner) play(policy placement.Policy, result *Result) (*player, bool) {
	p := &player{runner: r, policy: policy, topics: slices.Clone(r.topics)}
	if !p.newCluster() {
		return nil, false
	}
	c := p.cluster
	p.checkSizes()
	start := slices.Clone(c.Dirs())
	p.note(0)
	result.Replicas = len(p.snapshot[0].refs)
	result.Moves = c.Level(placement.ByBytes)
	var pending []Change // ends of copies, in order of time
	finish := func(until calc.Millis) {
		for len(pending) > 0 && pending[0].At <= until {
			if err := c.Apply(pending[0].Do.(placement.Change)); err != nil {
				p.problem(pending[0].Place, "%v", err)
			}
			p.note(pending[0].At)
			pending = pending[1:]
		}
	}
	for i, change := range p.d.Changes {
		finish(change.At)
		do, ok := change.Do.(placement.Change)
		if add, adds := change.Do.(addPartitions); adds {
			do, ok = p.added(add, change.At)
		}
		if !ok {
			continue
		}
		before := p.copying()
		if err := c.Apply(do); err != nil {
			p.problem(change.Place, "%v", err)
			return nil, false
		}
		p.note(change.At)
		made := p.copying()
		copied := Copy{Change: i, Replicas: made.Replicas - before.Replicas, Bytes: made.Load.Bytes - before.Load.Bytes}
		if copied.Replicas <= 0 {
			continue
		}
		end := placement.FinishCopies{}
		switch do := do.(type) {
		case placement.MoveLog:
			end.Partition = do.Partition
		case placement.Reassign:
			end.Partition = do.Partition
		}
		if change.Throttle > 0 {
			copied.Takes = placement.CopyTime(copied.Bytes, change.Throttle)
		}
		result.Copies = append(result.Copies, copied)
		if copied.Takes < p.horizon {
			pending = append(pending, Change{At: change.At + copied.Takes, Do: end, Place: change.Place})
			order.Sort(pending, func(a, b *Change) int { return cmp.Compare(a.At, b.At) })
		}
		finish(change.At)
	}
	finish(p.horizon)
	p.snapshot[len(p.snapshot)-1].to = p.horizon + 1
	for i, d := range c.Dirs() {
		dir := Dir{Directory: d}
		if i < len(start) {
			dir.Start = start[i].Load
		}
		result.Dirs = append(result.Dirs, dir)
	}
	return p, len(p.problems) == 0
}

// copying is how many copies are being made.
func (p *player) copying() (sum placement.Directory) {
	for r := range p.cluster.Replicas {
		if r.Copying {
			sum.Replicas++
			sum.Load.Bytes += r.Load.Bytes
		}
	}
	return sum
}

// added makes the change of partitions that are added to a topic, and simulates one of them. They get what an even share of
// the topic's traffic was; what the others get does not become less.
func (p *player) added(add addPartitions, at calc.Millis) (placement.Change, bool) {
	i, ok := p.byName[add.topic]
	if !ok {
		p.problem("", "there is no topic %q", add.topic)
		return nil, false
	}
	t := p.topics[i]
	rate, fits := scale(t.Produce, 1, int64(t.Partitions))
	if !fits {
		p.problem(t.Place, "topic %q: an even share of its traffic is no rate that fits", t.Name)
		return nil, false
	}
	late := *t
	late.at = at
	class := p.classOf(&late, rate, 0)
	if len(p.problems) > 0 {
		return nil, false
	}
	if p.classes[class].high == nil {
		p.simulate(&p.classes[class])
	}
	own := *t // its kind may share it
	own.classes = append(slices.Clone(t.classes), slices.Repeat([]int{class}, add.n)...)
	p.topics[i] = &own
	return placement.AddPartitions{Topic: t.Name, Partitions: slices.Repeat([]placement.Load{p.classes[class].load}, add.n)}, true
}

// checkSizes finds directories that are smaller than what they hold already.
func (p *player) checkSizes() {
	if p.policy != placement.FewestLogs {
		return // it is no other policy's fault
	}
	present := make([]calc.Bytes, len(p.cluster.Dirs()))
	for r := range p.cluster.Replicas {
		t := p.topics[p.byName[r.Partition.Topic]]
		if int(r.Partition.Number) < len(t.Present) {
			present[r.Dir] += t.Present[r.Partition.Number]
		}
	}
	for i, d := range p.cluster.Dirs() {
		if d.Size > 0 && present[i] > d.Size {
			p.problem("", "broker %d: %s holds %s of records, more than its size, %s", d.Broker, d.Path, present[i], d.Size)
		}
	}
}

// note keeps where everything is from a time on.
func (p *player) note(at calc.Millis) {
	if n := len(p.snapshot); n > 0 {
		last := &p.snapshot[n-1]
		if last.from == at {
			p.snapshot = p.snapshot[:n-1] // nothing lies between
		} else {
			last.to = at
		}
	}
	now := period{from: at, dirs: len(p.cluster.Dirs())}
	if n := len(p.snapshot); n > 0 {
		now.refs = make([]ref, 0, len(p.snapshot[n-1].refs))
	}
	i, name := int32(-1), ""
	for c := range p.cluster.Replicas {
		if i < 0 || c.Partition.Topic != name {
			i, name = p.byName[c.Partition.Topic], c.Partition.Topic
		}
		now.refs = append(now.refs, ref{int32(c.Dir), i, int32(p.topics[i].classes[c.Partition.Number]), c.Partition.Number, c.Leader, c.Copying})
	}
	now.refs = byDir(now.refs, now.dirs)
	for dir := range now.dirs {
		sortRefs(now.of(dir))
	}
	p.snapshot = append(p.snapshot, now)
}

// byDir is replicas directory by directory.
func byDir(refs []ref, dirs int) []ref {
	next := make([]int, dirs+1)
	for i := range refs {
		next[refs[i].dir+1]++
	}
	for i := range dirs {
		next[i+1] += next[i]
	}
	sorted := make([]ref, len(refs))
	for i := range refs {
		at := &next[refs[i].dir]
		sorted[*at] = refs[i]
		*at++
	}
	return sorted
}

// sortRefs puts the replicas of a directory in order.
func sortRefs(refs []ref) {
	order.Sort(refs, func(a, b *ref) int {
		if a.class != b.class {
			return int(a.class - b.class)
		}
		if a.topic != b.topic {
			return int(a.topic - b.topic)
		}
		return int(a.number - b.number)
	})
}

// of is a directory's replicas in a period.
func (p *period) of(dir int) []ref {
	from, _ := slices.BinarySearchFunc(p.refs, int32(dir), func(r ref, dir int32) int { return cmp.Compare(r.dir, dir) })
	to := from
	for to < len(p.refs) && p.refs[to].dir == int32(dir) {
		to++
	}
	return p.refs[from:to]
}

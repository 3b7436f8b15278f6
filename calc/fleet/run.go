package fleet

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	Start    placement.Load           // of the replicas that it begins with: their peaks
	Crosses  [len(Levels)]calc.Millis // at the earliest: the start of the span in which it may be; Never
	Surely   [len(Levels)]calc.Millis // at the latest: the start of the first span in which it never holds less; Never
	Filling  []Share                  // at its peak, the largest first
	Internal calc.Bytes               // bound of the internal topics' replicas, which Course leaves out
	Joined   calc.Millis              // when it came
	Gone     calc.Millis              // when it went offline; Never
}

// There reports whether a directory is there at a time.
func (d *Dir) There(at calc.Millis) bool { return d.Joined <= at && at < d.Gone }

// Broker is a broker over time.
type Broker struct {
	ID         int32
	OpenFiles  int64 // at most
	MemoryMaps int64
	Course
}

// Choice is what a policy, or a seed, makes of the same topics. Directories that are offline at the end do not count.
type Choice struct {
	Policy placement.Policy
	Seed   int64
	Bytes  placement.Imbalance // of the directories' peaks
	Rate   placement.Imbalance // of what is written to their replicas a second, before any change of traffic
	Full   calc.Millis         // when the first directory is full, at the earliest; Never
	Fulls  int                 // directories that get full
}

// Copy is how long the copies of a change take. What is written meanwhile is copied, too, and takes its part of the throttle:
// where that is no more than what is written, the copies never catch up (KIP-73). Later changes of traffic are not in it.
type Copy struct {
	Change   int
	Replicas int
	Bytes    calc.Bytes    // at the time of the change, at most; of internal topics their bound
	Written  calc.ByteRate // to all of them
	Takes    calc.Millis   // 0: no throttle is given; Never
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
	Seed     int64
	Draws    []Choice // see [Result.Draw]

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
	huge     bool // more replicas than are placed
	problems Problems

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

func (r *runner) problem(at Place, format string, args ...any) { r.problems.add(at, format, args...) }

func newRunner(d *Description, progress func(done, all int) bool) *runner {
	own := *d
	own.Topics = slices.Clone(d.Topics)
	own.Changes = sortChanges(d.Changes)
	for i, c := range own.Changes {
		if make, ok := c.Do.(Create); ok {
			t := make.Topic
			t.at, t.born = c.At, i+1
			own.Topics = append(own.Topics, t)
		}
	}
	return &runner{d: &own, version: d.Version, horizon: d.Horizon, index: map[string]int{}, byName: map[string]int32{}, progress: progress}
}

// check completes the description, and finds everything that is wrong with it before anything is simulated.
func (r *runner) check() error {
	r.complete()
	r.prepare()
	r.rehearse()
	return r.err()
}

// Run works a description out. progress, which may be nil, is told how much of the work is done, and stops the run when it
// returns false; the error is then [ErrStopped]. Any other error joins a [*Problem] for everything that is wrong with the
// description.
func Run(d *Description, progress func(done, all int) bool) (*Result, error) {
	r := newRunner(d, progress)
	if err := r.check(); err != nil {
		return nil, err
	}
	// A simulation takes about as long as placing and adding up 200 replicas.
	r.all = len(r.classes) + len(placement.Policies())*len(r.topics) + len(r.d.Brokers)
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
	if policy == r.Policy {
		return r, nil
	}
	other, err := r.plays.again(r.plays.d.Seed).result(policy)
	if err != nil {
		return nil, err
	}
	other.Choices, other.Returns = r.Choices, r.Returns
	return other, nil
}

// again is a runner that plays what is simulated once more, with a seed.
func (r *runner) again(seed int64) *runner {
	own, d := *r, *r.d
	d.Seed = seed
	own.d, own.problems, own.progress = &d, Problems{}, nil
	return &own
}

// result plays the description under a policy and adds up.
func (r *runner) result(policy placement.Policy) (*Result, error) {
	result := &Result{
		Version: r.version, Horizon: r.horizon, Span: max(1, (r.horizon+envelopeSpans)/envelopeSpans), Topics: len(r.topics),
		Classes: len(r.classes), Limits: r.d.Limits, Changes: r.d.Changes, Policy: policy, Seed: r.d.Seed,
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
	return r.problems.err()
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
	if len(r.d.Brokers) == 0 && !r.d.partial {
		r.problem(Place{}, "there is no broker; describe brokers, or give the output of kafka-log-dirs")
	}
	if len(r.d.Topics) == 0 {
		r.problem(Place{}, "there is no topic; describe topics, or give the output of kafka-topics")
	}
	dirs := 0
	for _, b := range r.d.Brokers {
		dirs += len(b.Dirs)
	}
	if dirs > MaxDirs {
		r.problem(Place{}, "brokers: %d directories, and at most %d are taken", dirs, MaxDirs)
	}
	for _, c := range r.d.Changes {
		if c.At < 0 || c.At > r.horizon {
			r.problem(c.Place, "at=%s is not within the horizon, %s", c.At.Text(), r.horizon.Text())
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
			if !t.partial {
				r.problem(t.Place, "topic %q: no partition", t.Name)
			}
			continue
		}
		if each := t.Partitions * max(t.Replication, 1); each > MaxReplicas || t.Count > MaxReplicas/each || replicas+t.Count*each > MaxReplicas {
			r.problem(t.Place, "topic %q: more than %d replicas in all", t.Name, MaxReplicas)
			r.huge = true
			return
		} else {
			replicas += t.Count * each
		}
		r.checkName(t)
		r.prepareTopic(t)
	}
	if replicas = r.addAdded(replicas); r.huge {
		return
	}
	if replicas*(len(r.d.Changes)+1) > 10*MaxReplicas {
		r.problem(Place{}, "%d replicas times %d steps are too many; give fewer steps", replicas, len(r.d.Changes))
		r.huge = true
	}
	for t := range r.d.each {
		if first, again := r.byName[t.Name]; again {
			r.problems.put(&Problem{t.Place.Key("name"), fmt.Sprintf("topic %q is given twice", t.Name), r.topics[first].Place.Line})
			t.partial = true
		} else {
			r.byName[t.Name] = int32(len(r.topics))
		}
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
		at := slices.IndexFunc(r.d.Topics, func(t Topic) bool { return names(name, &t) })
		switch {
		case name == "":
		case at < 0:
			r.problem(c.Place.Key("topic"), "there is no topic %q; %s", name, r.theTopics())
		case c.At < r.d.Topics[at].at:
			r.problem(c.Place.Key("topic"), "topic %q is not there yet, but after %s", name, r.d.Topics[at].at)
		case r.deletedBefore(name, c.At):
			r.problem(c.Place.Key("topic"), "topic %q is deleted before", name)
		}
	}
}

// deletedBefore reports whether a topic is gone at a time.
func (r *runner) deletedBefore(name string, at calc.Millis) bool {
	return slices.ContainsFunc(r.d.Changes, func(c Change) bool {
		gone, deletes := c.Do.(placement.DeleteTopic)
		return deletes && gone.Topic == name && c.At < at
	})
}

// checkName holds the name of a topic that is described, or the last of numbered ones, against what Kafka takes. Those that
// Kafka's tools list it has taken.
func (r *runner) checkName(t *Topic) {
	name := t.Name
	if t.Place.Path == "" || t.partial && name == "" {
		return
	}
	if t.Count > 1 {
		name = fmt.Sprintf("%s-%d", t.Name, t.Count)
	}
	if err := calc.CheckTopicName(name); err != nil {
		r.problem(t.Place.Key("name"), "topic %v", err)
	}
}

// addAdded is the replicas with those of partitions that are added, which count from the start for the limit.
func (r *runner) addAdded(replicas int) int {
	for _, c := range r.d.Changes {
		add, ok := c.Do.(AddPartitions)
		if !ok {
			continue
		}
		each := 1
		for i := range r.d.Topics {
			if t := &r.d.Topics[i]; names(add.Topic, t) {
				each = max(t.Replication, 1)
			}
		}
		if replicas += add.N * each; replicas > MaxReplicas {
			r.problem(c.Place, "topic %q: %d partitions more make more than %d replicas in all", add.Topic, add.N, MaxReplicas)
			r.huge = true
			break
		}
	}
	return replicas
}

// theTopics says which topics there are.
func (r *runner) theTopics() string {
	const most = 5
	var all []string
	for _, t := range r.topics {
		if t.classes == nil || len(t.classes) > 0 && t.classes[0] == internalClass {
			continue
		}
		if len(all) == most {
			return "there are " + strings.Join(all, ", ") + " and others"
		}
		all = append(all, t.Name)
	}
	if all == nil {
		return "there is none"
	}
	return "there is " + strings.Join(all, ", ")
}

func (r *runner) prepareTopic(t *Topic) {
	if t.classes != nil || t.partial {
		return
	}
	rates, key, err := r.rates(t)
	if err != nil {
		r.problem(t.Place.Key(key), "topic %q: %v", t.Name, err)
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

// specs gives the topics as the cluster takes them; before the simulations, without loads.
func (r *runner) specs(yield func(int, placement.TopicSpec) bool) {
	var none []placement.Load
	for i, t := range r.topics {
		loads := t.loads
		if loads == nil {
			if t.Partitions > len(none) {
				none = make([]placement.Load, t.Partitions)
			}
			loads = none[:max(t.Partitions, 0)]
		}
		spec := placement.TopicSpec{Name: t.Name, Partitions: loads, ReplicationFactor: t.Replication, Assignment: t.Assignment, Dirs: t.Dirs}
		if !yield(i, spec) {
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
	joined   []calc.Millis // of each directory
	gone     []calc.Millis // of each directory; Never
}

// moves reports whether anything is placed after the start, or is where a file says.
func (r *runner) moves() bool {
	return slices.ContainsFunc(r.d.Changes, func(c Change) bool {
		switch c.Do.(type) {
		case Traffic, Set:
			return false
		}
		return true
	}) || slices.ContainsFunc(r.d.Topics, func(t Topic) bool { return t.Dirs != nil })
}

// newCluster is the brokers, with nothing on them.
func (r *runner) newCluster(policy placement.Policy) (*placement.Cluster, error) {
	if r.moves() {
		return placement.NewCluster(r.version, policy, r.d.Seed, r.d.Brokers)
	}
	return placement.NewCounted(r.version, policy, r.d.Seed, r.d.Brokers)
}

// place makes the topics that are there from the start, or that a change makes.
func (r *runner) place(c *placement.Cluster, born int) (good bool) {
	good = true
	for i, spec := range r.specs {
		t := r.topics[i]
		if t.born != born || t.partial {
			continue
		}
		if err := c.Apply(placement.CreateTopic{Topic: spec}); err != nil {
			r.problem(t.placeOf(err), "%v%s", err, t.wayOut())
			good, t.partial = false, true
			// It is somewhere for what happens to it later, which is rehearsed, too.
			spec.Assignment, spec.Dirs, spec.ReplicationFactor = nil, nil, 1
			_ = c.Apply(placement.CreateTopic{Topic: spec})
		}
		if born == 0 {
			r.tick(1)
		}
		if r.stopped {
			return false
		}
	}
	return good
}

// wayOut is what to do where Kafka's tools say where a topic is: what they list, there is.
func (t *Topic) wayOut() string {
	if t.Assignment == nil || t.Place.Path != "" {
		return ""
	}
	return "; give what kafka-log-dirs.sh says without --broker-list, or describe the broker"
}

// placeOf is the place of what cannot be placed.
func (t *Topic) placeOf(err error) Place {
	var refused *placement.Refusal
	switch {
	case t.Assignment != nil:
		return t.Place.Key("assignment")
	case errors.As(err, &refused):
		return t.Place.Key("replication.factor")
	}
	return t.Place
}

// rehearse places the topics and makes the changes without bytes, so that what is wrong with them is known before anything is
// simulated.
func (r *runner) rehearse() {
	if len(r.d.Brokers) == 0 || r.d.partial || r.huge {
		return // there is nowhere to place anything, or too much of it
	}
	c, err := r.newCluster(placement.FewestLogs)
	if err != nil {
		for _, p := range ProblemsOf(err) {
			r.problem(Place{}, "brokers: %s", p.Text)
		}
		return
	}
	progress := r.progress
	r.progress = nil
	r.place(c, 0)
	r.checkSizes(c)
	for i, change := range r.d.Changes {
		switch do := change.Do.(type) {
		case placement.MoveLog:
			if t := r.topicOf(change, do.Partition.Topic); t != nil && !t.partial {
				r.try(c, change, do)
			}
		case placement.Reassign:
			if r.topicOf(change, do.Partition.Topic) != nil {
				r.try(c, change, do)
			}
		case Create:
			r.place(c, i+1)
		case AddPartitions:
			if r.topicOf(change, do.Topic) != nil {
				r.try(c, change, placement.AddPartitions{Topic: do.Topic, Partitions: make([]placement.Load, do.N)})
			}
		case placement.DeleteTopic:
			if r.topicOf(change, do.Topic) != nil {
				r.try(c, change, do)
			}
		case placement.Change:
			r.try(c, change, do)
		}
	}
	r.progress, r.done = progress, 0
}

// try makes a change of the rehearsal, and ends its copies.
func (r *runner) try(c *placement.Cluster, change Change, do placement.Change) {
	if err := c.Apply(do); err != nil {
		r.problem(change.Place, "%v", err)
		return
	}
	if end, copies := endOf(do); copies {
		if err := c.Apply(end); err != nil {
			r.problem(change.Place, "%v", err)
		}
	}
}

// endOf is what ends the copies of a change; ok is false for one that copies nothing.
func endOf(do placement.Change) (end placement.FinishCopies, ok bool) {
	switch do := do.(type) {
	case placement.MoveLog:
		return placement.FinishCopies{Partition: do.Partition}, true
	case placement.Reassign:
		return placement.FinishCopies{Partition: do.Partition}, true
	case placement.LoseBroker:
		return end, true // all there are
	}
	return end, false
}

// topicOf is the topic that a change is about; nil, and a problem, when there is none.
func (r *runner) topicOf(change Change, name string) *Topic {
	if i, ok := r.byName[name]; ok {
		return r.topics[i]
	}
	r.problem(change.Place, "there is no topic %q; %s", name, r.theTopics())
	return nil
}

// play plays the changes, and notes where everything is between them.
func (r *runner) play(policy placement.Policy, result *Result) (*player, bool) {
	p := &player{runner: r, policy: policy, topics: slices.Clone(r.topics)}
	c, err := r.newCluster(policy)
	if err != nil || !r.place(c, 0) {
		return nil, false // the rehearsal told what is wrong
	}
	p.cluster = c
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
		switch own := change.Do.(type) {
		case AddPartitions:
			do, ok = p.added(own, change)
		case Create:
			r.place(c, i+1)
			p.note(change.At)
		}
		if !ok {
			continue
		}
		before := p.copying(change.At, result.Span)
		if err := c.Apply(do); err != nil {
			p.problem(change.Place, "%v", err)
			return nil, false
		}
		p.note(change.At)
		made := p.copying(change.At, result.Span)
		copied := Copy{Change: i, Replicas: made.Replicas - before.Replicas, Bytes: made.Bytes - before.Bytes, Written: made.Written - before.Written}
		if copied.Replicas <= 0 {
			continue
		}
		end, _ := endOf(do)
		if change.Throttle > 0 {
			copied.Takes = placement.CopyTime(copied.Bytes, max(0, change.Throttle-copied.Written))
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
		dir := Dir{Directory: d, Joined: p.joined[i], Gone: p.gone[i]}
		if i < len(start) {
			dir.Start = start[i].Load
		}
		result.Dirs = append(result.Dirs, dir)
	}
	return p, p.problems.all == nil
}

// copying is the copies that are being made, with what they hold and what is written to them at a time.
func (p *player) copying(at, span calc.Millis) (sum Copy) {
	for r := range p.cluster.Replicas {
		if !r.Copying {
			continue
		}
		sum.Replicas++
		if n := p.topics[p.byName[r.Partition.Topic]].classes[r.Partition.Number]; n == internalClass {
			sum.Bytes += p.internalBound(p.byName[r.Partition.Topic])
		} else {
			sum.Bytes += p.classes[n].high[at/span]
			sum.Written += p.classes[n].rateAt(at)
		}
	}
	return sum
}

// added makes the change of partitions that are added to a topic, and simulates one of them.
func (p *player) added(add AddPartitions, change Change) (placement.Change, bool) {
	t := p.topics[p.byName[add.Topic]]
	rate, fits := scale(t.Produce, 1, int64(t.Partitions))
	if !fits {
		p.problem(change.Place, "topic %q: an even share of its traffic is no rate that fits", t.Name)
		return nil, false
	}
	late := *t
	late.at = change.At
	class := p.classOf(&late, rate, 0)
	if p.problems.all != nil {
		return nil, false
	}
	if p.classes[class].high == nil {
		p.simulate(&p.classes[class])
	}
	own := *t // its kind may share it
	own.classes = append(slices.Clone(t.classes), slices.Repeat([]int{class}, add.N)...)
	p.topics[p.byName[add.Topic]] = &own
	return placement.AddPartitions{Topic: t.Name, Partitions: slices.Repeat([]placement.Load{p.classes[class].load}, add.N)}, true
}

// checkSizes finds directories that are smaller than what they hold already.
func (r *runner) checkSizes(c *placement.Cluster) {
	if !slices.ContainsFunc(r.d.Topics, func(t Topic) bool { return t.Present != nil }) {
		return
	}
	present := make([]calc.Bytes, len(c.Dirs()))
	for one := range c.Replicas {
		t := r.topics[r.byName[one.Partition.Topic]]
		if int(one.Partition.Number) < len(t.Present) {
			present[one.Dir] += t.Present[one.Partition.Number]
		}
	}
	for i, d := range c.Dirs() {
		if d.Size > 0 && present[i] > d.Size {
			r.problem(r.d.placeOf(d.Broker).Key("size"), "broker %d: %s holds %s of records, more than its size, %s", d.Broker, d.Path, present[i], d.Size)
		}
	}
}

// note keeps where everything is from a time on.
func (p *player) note(at calc.Millis) {
	for i, d := range p.cluster.Dirs() {
		if i == len(p.joined) {
			p.joined, p.gone = append(p.joined, at), append(p.gone, calc.Never)
		}
		if d.Offline {
			p.gone[i] = min(p.gone[i], at)
		}
	}
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

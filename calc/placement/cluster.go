package placement

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Policy is how a broker chooses among its directories.
type Policy uint8

// The policies. Only the first is Kafka's; the others know of each replica what it will hold, and choose the directory that
// has least of it, then Kafka's.
const (
	FewestLogs Policy = iota
	LeastBytes
	LeastLoad
)

var policyNames = [...]string{FewestLogs: "fewest-logs", LeastBytes: "least-bytes", LeastLoad: "least-load"}

// String is the policy's name.
func (p Policy) String() string { return policyNames[p] }

// Policies is all of them, Kafka's first.
func Policies() []Policy { return []Policy{FewestLogs, LeastBytes, LeastLoad} }

// Load is what one replica puts on its directory.
type Load struct {
	Bytes calc.Bytes    // on the disk, ≥ 0
	Rate  calc.ByteRate // written a second, ≥ 0
}

func (l *Load) add(other Load) { l.Bytes += other.Bytes; l.Rate += other.Rate }
func (l *Load) sub(other Load) { l.Bytes -= other.Bytes; l.Rate -= other.Rate }

// DirSpec is a log directory and the size of its disk.
type DirSpec struct {
	Path string
	Size calc.Bytes // 0: not known
}

// BrokerSpec is a broker of a cluster.
type BrokerSpec struct {
	ID     int32
	Rack   string
	Racked bool // false: broker.rack is not set
	Fenced bool
	Dirs   []DirSpec // in configuration order
}

// TopicSpec is a topic with all its partitions.
type TopicSpec struct {
	Name              string
	ID                TopicID
	Partitions        []Load // of one replica of each
	ReplicationFactor int
	Assignment        [][]int32 // brokers of each partition, the first leads; nil: the controller places them
	// Dirs is where the replicas of Assignment are, "" where that is not known. Kafka's policy keeps them; the others choose.
	Dirs [][]string
}

// Replica is a replica of a partition, or a copy that is being made.
type Replica struct {
	Partition Partition
	Broker    int32
	Dir       int // index of the broker's directory in Cluster.Dirs
	Leader    bool
	Copying   bool // the copy of a move or a reassignment; the other one counts, too
	Load      Load
}

// Directory is a log directory with what it holds.
type Directory struct {
	Broker   int32
	Path     string
	Size     calc.Bytes // 0: not known
	Offline  bool       // it failed, or its broker was lost
	Replicas int        // copies included
	Load     Load       // of all of them
}

// Cluster is brokers, their directories and the replicas in them. Replicas have a size, not a history: the cluster says
// where bytes are after each [Change], and fleets add the time.
//
// The order of everything in it is fixed, so the same changes with the same seed give the same cluster everywhere.
type Cluster struct {
	version calc.Version
	policy  Policy
	draws   Draws
	counted func(dir int, p Partition) // not nil: logs are only counted, not remembered; topics can be created, and nothing else

	brokers []*member // in order of their ids
	dirs    []Directory
	topics  map[string]*topic
	names   []string // of topics, in order of creation
}

// member is a broker of a cluster.
type member struct {
	spec BrokerSpec
	log  *Broker
	dirs map[string]int // index in Cluster.dirs, by path
	lost bool

	order []int // the directories as they come when all hold the same, from the start
}

// topic is a topic of a cluster.
type topic struct {
	spec       TopicSpec
	partitions [][]placed // of each partition, leader first
}

// placed is a replica.
type placed struct {
	broker  int32
	dir     int
	copying bool
	leaving bool // goes when the copies are made
}

// NewCluster makes a cluster without topics. Random numbers of the controller are drawn from a seed. The error joins
// everything that is wrong: no broker, a broker twice, a broker without a directory or with one twice.
func NewCluster(version calc.Version, policy Policy, seed int64, brokers []BrokerSpec) (*Cluster, error) {
	c := &Cluster{version: version, policy: policy, draws: NewRandom(seed), topics: map[string]*topic{}}
	if len(brokers) == 0 {
		return nil, errors.New("there is no broker")
	}
	var problems []error
	for _, b := range brokers {
		problems = append(problems, c.join(b))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, err
	}
	return c, nil
}

// NewCounted is [NewCluster] for topics that are created and then stay where they are: their logs are only counted, which is
// quicker. A topic's Dirs have no place in it.
func NewCounted(version calc.Version, policy Policy, seed int64, brokers []BrokerSpec) (*Cluster, error) {
	c, err := NewCluster(version, policy, seed, brokers)
	if err == nil {
		c.counted = func(int, Partition) {}
	}
	return c, err
}

// DirsBy is the directories after topics were created under a policy. It is quicker than a cluster, and gives the same.
// A topic's Dirs are not kept, for the policy chooses anew. put, which may be nil, is told each replica's directory.
func DirsBy(version calc.Version, policy Policy, seed int64, brokers []BrokerSpec, topics iter.Seq[TopicSpec], put func(dir int, p Partition)) ([]Directory, error) {
	c, err := NewCounted(version, policy, seed, brokers)
	if err != nil {
		return nil, err
	}
	if put != nil {
		c.counted = put
	}
	for t := range topics {
		t.Dirs = nil
		if err := c.Apply(CreateTopic{t}); err != nil {
			return nil, err
		}
	}
	return c.dirs, nil
}

// join adds a broker.
func (c *Cluster) join(spec BrokerSpec) error {
	at, found := slices.BinarySearchFunc(c.brokers, spec.ID, func(m *member, id int32) int { return cmp.Compare(m.spec.ID, id) })
	if found {
		return fmt.Errorf("broker %d is given twice", spec.ID)
	}
	if len(spec.Dirs) == 0 {
		return fmt.Errorf("broker %d has no log directory", spec.ID)
	}
	m := &member{spec: spec, dirs: map[string]int{}}
	var paths []string
	for _, d := range spec.Dirs {
		paths = append(paths, d.Path)
	}
	var err error
	m.log, err = NewBroker(Config{Version: c.version, LogDirs: paths, DeleteDelay: DefaultDeleteDelay, InitialTaskDelay: DefaultInitialTaskDelay})
	if err != nil {
		return fmt.Errorf("broker %d: %w", spec.ID, err)
	}
	for _, d := range spec.Dirs {
		c.addDir(m, d)
	}
	for _, path := range m.log.Next() { // all are empty: the order of the tie
		m.order = append(m.order, m.dirs[path])
	}
	c.brokers = slices.Insert(c.brokers, at, m)
	return nil
}

func (c *Cluster) addDir(m *member, d DirSpec) {
	m.dirs[d.Path] = len(c.dirs)
	c.dirs = append(c.dirs, Directory{Broker: m.spec.ID, Path: d.Path, Size: d.Size})
}

// broker finds a broker that is there.
func (c *Cluster) broker(id int32) (*member, error) {
	at, err := c.at(id)
	if err != nil {
		return nil, err
	}
	return c.brokers[at], nil
}

// at is the index of a broker that is there.
func (c *Cluster) at(id int32) (int, error) {
	at, found := slices.BinarySearchFunc(c.brokers, id, func(m *member, id int32) int { return cmp.Compare(m.spec.ID, id) })
	switch {
	case !found:
		return 0, fmt.Errorf("there is no broker %d; %s", id, c.theBrokers())
	case c.brokers[at].lost:
		return 0, fmt.Errorf("broker %d is lost", id)
	}
	return at, nil
}

// theBrokers says which brokers there are, runs of ids as such: "there are 1 to 3 and 7".
func (c *Cluster) theBrokers() string {
	const most = 6
	var runs []string
	for i := 0; i < len(c.brokers); {
		from := c.brokers[i].spec.ID
		to := from
		for i++; i < len(c.brokers) && c.brokers[i].spec.ID == to+1; i++ {
			to++
		}
		switch {
		case from == to:
			runs = append(runs, fmt.Sprint(from))
		case to == from+1:
			runs = append(runs, fmt.Sprint(from), fmt.Sprint(to))
		default:
			runs = append(runs, fmt.Sprintf("%d to %d", from, to))
		}
	}
	if len(runs) > most {
		runs = append(runs[:most], "others")
	}
	if len(c.brokers) == 1 {
		return "the only one is " + runs[0]
	}
	if last := len(runs) - 1; last > 0 {
		return "there are " + strings.Join(runs[:last], ", ") + " and " + runs[last]
	}
	return "there are " + runs[0]
}

// noDir is the error about a directory that a broker does not have.
func (m *member) noDir(path string) error {
	var paths []string
	for _, d := range m.spec.Dirs {
		paths = append(paths, d.Path)
	}
	const most = 6
	if len(paths) > most {
		paths = append(paths[:most:most], "others")
	}
	return fmt.Errorf("broker %d has no directory %q; it has %s", m.spec.ID, path, strings.Join(paths, ", "))
}

// share is the partitions of a topic that a broker gets, leaders and followers apart.
type share struct{ leads, follows []int32 }

// Dirs is the directories: broker by broker as they joined, each broker's in configuration order, later ones behind.
func (c *Cluster) Dirs() []Directory { return c.dirs }

// Replicas gives every replica, topic by topic in order of creation, partition by partition, the leader first.
func (c *Cluster) Replicas(yield func(Replica) bool) {
	for _, name := range c.names {
		t := c.topics[name]
		for number, replicas := range t.partitions {
			for i, r := range replicas {
				if !yield(Replica{
					Partition: Partition{name, int32(number)}, Broker: r.broker, Dir: r.dir, Leader: i == 0, Copying: r.copying,
					Load: t.spec.Partitions[number],
				}) {
					return
				}
			}
		}
	}
}

// createTopic places a topic's partitions from first on and makes their logs.
func (c *Cluster) create(t *topic, first int) error {
	count := len(t.spec.Partitions) - first
	assignment := t.spec.Assignment
	if assignment == nil {
		candidates := make([]Candidate, 0, len(c.brokers))
		for _, m := range c.brokers {
			if !m.lost {
				candidates = append(candidates, Candidate{m.spec.ID, m.spec.Rack, m.spec.Racked, m.spec.Fenced})
			}
		}
		var err error
		if assignment, err = Place(candidates, count, t.spec.ReplicationFactor, c.draws); err != nil {
			return err
		}
	} else {
		assignment = assignment[first:]
	}
	// Which partitions each broker gets, leaders and followers apart, in ascending order.
	shares := make([]share, len(c.brokers))
	all := 0
	for _, replicas := range assignment {
		all += len(replicas)
	}
	room := make([]placed, all)
	for i, replicas := range assignment {
		for k, id := range replicas {
			at, err := c.at(id)
			if err != nil {
				return fmt.Errorf("%s-%d: %w", t.spec.Name, first+i, err)
			}
			if slices.Contains(replicas[:k], id) {
				return fmt.Errorf("%s-%d: broker %d is given twice", t.spec.Name, first+i, id)
			}
			s := &shares[at]
			if k == 0 {
				s.leads = append(s.leads, int32(first+i))
			} else {
				s.follows = append(s.follows, int32(first+i))
			}
		}
		n := len(replicas)
		t.partitions = append(t.partitions, room[:n:n])
		room = room[n:]
	}
	for k, m := range c.brokers {
		s := &shares[k]
		for _, numbers := range [][]int32{s.leads, s.follows} {
			for _, number := range createdOrder(t.spec.Name, numbers) {
				at := slices.Index(assignment[int(number)-first], m.spec.ID)
				here := ""
				if t.spec.Dirs != nil && first == 0 {
					here = t.spec.Dirs[number][at]
				}
				dir, err := c.makeLog(m, Partition{t.spec.Name, number}, t.spec.Partitions[number], here)
				if err != nil {
					return err
				}
				t.partitions[number][at] = placed{broker: m.spec.ID, dir: dir}
			}
		}
	}
	return nil
}

// createdOrder is the order in which a broker makes the logs of some partitions of one topic, which are ascending.
func createdOrder(topic string, numbers []int32) []int32 {
	if len(numbers) <= 1 {
		return numbers
	}
	base := javaHash(topic) + 31*31
	own := newJavaMap(func(number int32) uint32 { return base + 31*uint32(number) })
	for _, number := range numbers {
		own.put(number)
	}
	all := newJavaMap(own.hash)
	all.putAll(own.keys())
	return all.keys()
}

// makeLog makes a log where it is already, or else where the policy says, and gives its directory.
func (c *Cluster) makeLog(m *member, p Partition, load Load, here string) (int, error) {
	if c.counted != nil {
		dir := c.pick(m)
		c.put(dir, load)
		c.counted(dir, p)
		return dir, nil
	}
	r := Request{Prefer: here}
	if c.policy != FewestLogs {
		r.Prefer = c.best(m)
	}
	made, err := m.log.Create(p, r)
	if err != nil {
		return 0, fmt.Errorf("broker %d: %w", m.spec.ID, err)
	}
	dir := m.dirs[made.Dir]
	c.put(dir, load)
	return dir, nil
}

func (c *Cluster) put(dir int, load Load) {
	c.dirs[dir].Replicas++
	c.dirs[dir].Load.add(load)
}

func (c *Cluster) take(dir int, load Load) {
	c.dirs[dir].Replicas--
	c.dirs[dir].Load.sub(load)
}

// pick is the directory of a broker that takes the next log, where logs are only counted.
func (c *Cluster) pick(m *member) int {
	// By what the policy looks at, then by the number of logs; m.order is the order of the rest.
	best := -1
	for _, dir := range m.order {
		d := &c.dirs[dir]
		if best < 0 {
			best = dir
			continue
		}
		least := &c.dirs[best]
		by := cmp.Compare(d.Replicas, least.Replicas)
		switch c.policy {
		case LeastBytes:
			by = cmp.Or(cmp.Compare(d.Load.Bytes, least.Load.Bytes), by)
		case LeastLoad:
			by = cmp.Or(cmp.Compare(d.Load.Rate, least.Load.Rate), by)
		}
		if by < 0 {
			best = dir
		}
	}
	return best
}

// best is the directory of a broker that a policy other than Kafka's chooses: of those with the least load, Kafka's first.
func (c *Cluster) best(m *member) string {
	var room [8]string
	least, even := room[:0], int64(0)
	for _, path := range m.log.live {
		load := c.dirs[m.dirs[path]].Load
		v := int64(load.Bytes)
		if c.policy == LeastLoad {
			v = int64(load.Rate)
		}
		switch {
		case m.log.isCordoned(path):
		case len(least) == 0 || v < even:
			least, even = append(least[:0], path), v
		case v == even:
			least = append(least, path)
		}
	}
	if len(least) == 1 {
		return least[0]
	}
	for _, path := range m.log.Next() { // no order is needed but among equals
		if len(least) == 0 || slices.Contains(least, path) {
			return path
		}
	}
	return ""
}

// find is a partition of the cluster.
func (c *Cluster) find(p Partition) (*topic, []placed, error) {
	t := c.topics[p.Topic]
	if t == nil {
		return nil, nil, fmt.Errorf("there is no topic %q", p.Topic)
	}
	if int(p.Number) >= len(t.partitions) || p.Number < 0 {
		return nil, nil, fmt.Errorf("topic %q has no partition %d, but 0 to %d", p.Topic, p.Number, len(t.partitions)-1)
	}
	return t, t.partitions[p.Number], nil
}

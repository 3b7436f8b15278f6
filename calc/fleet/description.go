package fleet

import (
	"math"
	"slices"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/placement"
)

// Description is a cluster and what happens to it. It may have mistakes; [Run] finds them all.
type Description struct {
	Version  calc.Version // 0: the table's default
	Horizon  calc.Millis  // 0: 30 days
	Seed     int64        // of the controller's random numbers
	Settings []calc.Pair  // of every topic that has none of its own
	Brokers  []placement.BrokerSpec
	Limits   Limits
	Topics   []Topic
	Changes  []Change
	Internal bool // with the internal topics

	settings     Place // of Settings
	brokerPlaces []brokerPlace
	partial      bool // brokers were given that could not be read, so where replicas go cannot be said
}

// brokerPlace is where some brokers, by their ids, are described.
type brokerPlace struct {
	first, count int32
	Place
}

// placeOf is where a broker is described.
func (d *Description) placeOf(id int32) Place {
	for _, p := range d.brokerPlaces {
		if p.first <= id && id-p.first < p.count {
			return p.Place
		}
	}
	return Place{}
}

// Limits are those of a broker's process. 0: not known.
type Limits struct {
	OpenFiles  int64 // ulimit -n
	MemoryMaps int64 // vm.max_map_count
}

// Topic is a topic, or several of the same kind.
type Topic struct {
	Name        string
	Count       int // of topics like this one, which are then numbered; ≥ 1
	Partitions  int
	Replication int
	Produce     calc.Rate // of all its partitions together
	Skew        Skew
	Settings    []calc.Pair
	Assignment  [][]int32    // of each partition; nil: the controller places them
	Dirs        [][]string   // with Assignment; "" where that is not known
	Present     []calc.Bytes // bytes that each partition has at the start; nil: none
	Place       Place
	partial     bool        // part of it could not be read; it has a name, and no more
	at          calc.Millis // when it is created
	born        int         // by which change, counted from 1; 0: it is there from the start
	classes     []int       // of each partition
	loads       []placement.Load
}

// Change is something that happens at a time. Do is a [placement.Change], [Traffic], [Set], [Create] or [AddPartitions].
type Change struct {
	At       calc.Millis
	Do       any
	Throttle calc.ByteRate // of what copies, bytes a second; 0: the copy is there at once
	Place    Place
}

// Create makes a topic, or several of the same kind.
type Create struct{ Topic Topic }

// AddPartitions adds partitions to a topic, each with the traffic that an even share of the topic's was at the start. What the
// others get does not become less.
type AddPartitions struct {
	Topic string
	N     int // ≥ 1
}

// Traffic multiplies the traffic of a topic, or of all, by Num/Den from a time on.
type Traffic struct {
	Topic    string // "": all
	Num, Den int64  // ≥ 0, ≥ 1
}

// Set gives a topic, or all, other settings from a time on.
type Set struct {
	Topic    string // "": all
	Settings []calc.Pair
}

// Limits of a description.
const (
	MaxReplicas   = 2_000_000
	MaxClasses    = 50_000
	MaxDirs       = 10_000
	MaxChanges    = 200
	maxPartitions = 1_000_000
	maxEvents     = 200_000_000 // of all simulations together
)

// AddTopics takes what kafka-topics.sh --describe says. A topic that is there already, by its name, gets the partitions,
// the replicas and the settings that are listed, and keeps its traffic.
func (d *Description) AddTopics(topics []kafkaconf.Topic, file string) error {
	var problems Problems
	known := d.numbers()
	for i := range topics {
		read := &topics[i]
		t := d.topic(known, read.Name)
		if t.Place.File == "" {
			t.Place = Place{File: file}
		}
		if read.Partitions != nil {
			t.Partitions = int(*read.Partitions)
		}
		if read.Replication != nil {
			t.Replication = int(*read.Replication)
		}
		for _, key := range sortedKeys(read.Config) {
			t.Settings = append(t.Settings, calc.Pair{Key: key, Value: read.Config[key].String()})
		}
		if len(read.Replicas) == 0 {
			continue
		}
		for number := range read.Replicas {
			t.Partitions = max(t.Partitions, int(number)+1)
		}
		if t.Partitions > maxPartitions {
			problems.add(Place{File: file}, "topic %q: partition %d, and at most %d are taken", t.Name, t.Partitions-1, maxPartitions)
			continue
		}
		t.Assignment = make([][]int32, t.Partitions)
		t.Dirs = nil
		for number, ids := range read.Replicas {
			t.Assignment[number] = ids
		}
	}
	return problems.err()
}

func sortedKeys(values map[string]kafkaconf.Value) []string {
	keys := make([]string, 0, len(values))
	for key := range values {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// numbers is the topics by name.
func (d *Description) numbers() map[string]int {
	known := make(map[string]int, len(d.Topics))
	for i := range d.Topics {
		if t := &d.Topics[i]; t.Count <= 1 {
			known[t.Name] = i
		}
	}
	return known
}

// topic finds a topic or adds it.
func (d *Description) topic(known map[string]int, name string) *Topic {
	i, ok := known[name]
	if !ok {
		i = len(d.Topics)
		known[name] = i
		d.Topics = append(d.Topics, Topic{Name: name, Count: 1, Replication: 1})
	}
	return &d.Topics[i]
}

// AddLogDirs takes what kafka-log-dirs.sh --describe says: directories, disks where they are given, where each replica is
// and what it holds. Bytes are those of the largest replica of a partition. Call it after [Description.AddTopics], which
// knows the leaders.
func (d *Description) AddLogDirs(read *kafkaconf.Read, file string) error {
	var problems Problems
	for _, dir := range read.LogDirs {
		d.addDir(dir)
	}
	topics := map[string]*sized{}
	var order []string
	for i := range read.Sizes {
		s := &read.Sizes[i]
		t := topics[s.Topic]
		if t == nil {
			t = &sized{}
			topics[s.Topic] = t
			order = append(order, s.Topic)
		}
		if s.Partition >= maxPartitions {
			problems.add(Place{File: file}, "topic %q: partition %d, and at most %d are taken", s.Topic, s.Partition, maxPartitions)
			continue
		}
		t.add(s)
	}
	known := d.numbers()
	for _, name := range order {
		topics[name].fill(d.topic(known, name), file)
	}
	return problems.err()
}

// addDir adds a directory that a file names. What is known of its size already goes before.
func (d *Description) addDir(dir kafkaconf.LogDir) {
	if dir.Error != "" {
		return
	}
	at := slices.IndexFunc(d.Brokers, func(b placement.BrokerSpec) bool { return b.ID == dir.Broker })
	if at < 0 {
		at = len(d.Brokers)
		d.Brokers = append(d.Brokers, placement.BrokerSpec{ID: dir.Broker})
	}
	b := &d.Brokers[at]
	for i := range b.Dirs {
		if b.Dirs[i].Path == dir.Path {
			if b.Dirs[i].Size == 0 {
				b.Dirs[i].Size = calc.Bytes(dir.Total)
			}
			return
		}
	}
	b.Dirs = append(b.Dirs, placement.DirSpec{Path: dir.Path, Size: calc.Bytes(dir.Total)})
}

// sized is a topic in a list of sizes.
type sized struct {
	brokers [][]int32
	dirs    [][]string
	present []calc.Bytes
}

func (t *sized) add(s *kafkaconf.Size) {
	for int(s.Partition) >= len(t.present) {
		t.brokers, t.dirs, t.present = append(t.brokers, nil), append(t.dirs, nil), append(t.present, 0)
	}
	n := s.Partition
	t.present[n] = max(t.present[n], calc.Bytes(s.Size))
	if s.Broker == nil || s.Future || slices.Contains(t.brokers[n], *s.Broker) {
		return
	}
	t.brokers[n] = append(t.brokers[n], *s.Broker)
	t.dirs[n] = append(t.dirs[n], s.Dir)
}

// fill gives a topic what the sizes say. Where the topic's replicas are known, their order stays.
func (t *sized) fill(to *Topic, file string) {
	if to.Place.File == "" {
		to.Place = Place{File: file}
	}
	to.Partitions = max(to.Partitions, len(t.present))
	to.Present = make([]calc.Bytes, to.Partitions)
	copy(to.Present, t.present)
	if to.Assignment == nil {
		if !slices.ContainsFunc(t.brokers, func(ids []int32) bool { return len(ids) > 0 }) {
			return // the file does not say where; the controller places them
		}
		to.Assignment = slices.Clone(t.brokers)
		for _, ids := range t.brokers {
			to.Replication = max(to.Replication, len(ids))
		}
	}
	for len(to.Assignment) < to.Partitions {
		to.Assignment = append(to.Assignment, nil)
	}
	to.Dirs = make([][]string, to.Partitions)
	for n, ids := range to.Assignment {
		to.Dirs[n] = make([]string, len(ids))
		if n >= len(t.brokers) {
			continue
		}
		for i, id := range ids {
			if at := slices.Index(t.brokers[n], id); at >= 0 {
				to.Dirs[n][i] = t.dirs[n][at]
			}
		}
	}
}

// century is the longest time in which a rate may be given.
const century = 100 * 365 * int64(calc.Day)

// scale is a rate times num/den; ok is false when that does not fit.
func scale(r calc.Rate, num, den int64) (calc.Rate, bool) {
	if r.Zero() || num == 0 {
		return calc.Rate{}, true
	}
	amount, per := r.Ratio()
	reduce := func(a, b *int64) {
		g := gcd(*a, *b)
		*a, *b = *a/g, *b/g
	}
	p := int64(per)
	reduce(&num, &den)
	reduce(&amount, &den)
	reduce(&num, &p)
	if amount > math.MaxInt64/num || p > century/den {
		return calc.Rate{}, false
	}
	if r.Records() {
		return calc.RecordRateOf(amount*num, calc.Millis(p*den)), true
	}
	return calc.RateOf(calc.Bytes(amount*num), calc.Millis(p*den)), true
}

func gcd(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return max(a, 1)
}

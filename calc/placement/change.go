package placement

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
)

// Change is something that happens to a cluster: [CreateTopic], [AddPartitions], [DeleteTopic], [AddBroker], [AddDir],
// [FailDir], [LoseBroker], [MoveLog], [Reassign] or [FinishCopies].
type Change interface{ apply(c *Cluster) error }

// CreateTopic creates a topic.
type CreateTopic struct{ Topic TopicSpec }

// AddPartitions adds partitions to a topic, placed as those of a new one are.
type AddPartitions struct {
	Topic      string
	Partitions []Load
}

// DeleteTopic deletes a topic. Its bytes go after the broker's log.segment.delete.delay.ms, and are gone here at once.
type DeleteTopic struct{ Topic string }

// AddBroker adds a broker. Nothing moves to it.
type AddBroker struct{ Broker BrokerSpec }

// AddDir adds a directory to a broker, which starts again. Nothing moves to it, but the next logs will.
type AddDir struct {
	Broker int32
	Dir    DirSpec
}

// FailDir takes a directory offline. Its replicas are gone from the counts; nothing is made again elsewhere.
type FailDir struct {
	Broker int32
	Path   string
}

// LoseBroker takes a broker away for ever. With Move each replica that it had is made again on the broker with the fewest
// replicas, in a rack that the partition is not in if there is one: Kafka does not do that by itself, an operator does. A
// partition that every other broker has a replica of stays with one less.
type LoseBroker struct {
	Broker int32
	Move   bool
}

// MoveLog moves a replica to another directory of its broker. Both copies count until [FinishCopies].
type MoveLog struct {
	Partition Partition
	Broker    int32
	Path      string
}

// Reassign gives a partition other replicas, the first of which leads. New and old ones count until [FinishCopies].
type Reassign struct {
	Partition Partition
	Replicas  []int32
}

// FinishCopies ends the moves and reassignments of one partition; of the zero Partition: all.
type FinishCopies struct{ Partition Partition }

// Apply makes a change. The error says what is wrong with it, by the names of what it is about; the cluster may then have
// half of it.
func (c *Cluster) Apply(change Change) error { return change.apply(c) }

func (s CreateTopic) apply(c *Cluster) error {
	t := s.Topic
	switch {
	case c.topics[t.Name] != nil:
		return fmt.Errorf("topic %q is given twice", t.Name)
	case t.Dirs != nil && len(t.Dirs) != len(t.Assignment):
		return fmt.Errorf("topic %q: an assignment of %d, but directories of %d", t.Name, len(t.Assignment), len(t.Dirs))
	case t.Assignment != nil && len(t.Assignment) != len(t.Partitions):
		return fmt.Errorf("topic %q: %d partitions, but an assignment of %d", t.Name, len(t.Partitions), len(t.Assignment))
	}
	t.Partitions = slices.Clone(t.Partitions)
	made := &topic{spec: t}
	c.topics[t.Name] = made
	c.names = append(c.names, t.Name)
	if err := c.create(made, 0); err != nil {
		delete(c.topics, t.Name)
		c.names = c.names[:len(c.names)-1]
		return fmt.Errorf("topic %q: %w", t.Name, err)
	}
	return nil
}

func (s AddPartitions) apply(c *Cluster) error {
	t := c.topics[s.Topic]
	if t == nil {
		return fmt.Errorf("there is no topic %q", s.Topic)
	}
	first := len(t.spec.Partitions)
	t.spec.Partitions = append(t.spec.Partitions, s.Partitions...)
	t.spec.Assignment, t.spec.Dirs = nil, nil
	return c.create(t, first)
}

func (s DeleteTopic) apply(c *Cluster) error {
	t := c.topics[s.Topic]
	if t == nil {
		return fmt.Errorf("there is no topic %q", s.Topic)
	}
	for number := range t.partitions {
		for len(t.partitions[number]) > 0 {
			if err := c.drop(Partition{s.Topic, int32(number)}, 0); err != nil {
				return err
			}
		}
	}
	delete(c.topics, s.Topic)
	c.names = slices.DeleteFunc(c.names, func(name string) bool { return name == s.Topic })
	return nil
}

// drop takes a replica away.
func (c *Cluster) drop(p Partition, at int) error {
	t, replicas, err := c.find(p)
	if err != nil {
		return err
	}
	r := replicas[at]
	c.take(r.dir, t.spec.Partitions[p.Number])
	t.partitions[p.Number] = slices.Delete(replicas, at, at+1)
	if m, err := c.broker(r.broker); err == nil && !c.dirs[r.dir].Offline {
		if r.copying && at > 0 && slices.ContainsFunc(t.partitions[p.Number], func(o placed) bool { return o.broker == r.broker }) {
			return m.log.CancelMove(p)
		}
		return m.log.Delete(p)
	}
	return nil
}

func (s AddBroker) apply(c *Cluster) error { return c.join(s.Broker) }

func (s AddDir) apply(c *Cluster) error {
	m, err := c.broker(s.Broker)
	if err != nil {
		return err
	}
	if _, there := m.dirs[s.Dir.Path]; there {
		return fmt.Errorf("broker %d has the directory %q already", s.Broker, s.Dir.Path)
	}
	var offline []string
	for path, dir := range m.dirs {
		if c.dirs[dir].Offline {
			offline = append(offline, path)
		}
	}
	if err := m.log.AddDir(s.Dir.Path, -1, Start{Offline: offline}); err != nil {
		return fmt.Errorf("broker %d: %w", s.Broker, err)
	}
	m.spec.Dirs = append(slices.Clone(m.spec.Dirs), s.Dir)
	c.addDir(m, s.Dir)
	return nil
}

func (s FailDir) apply(c *Cluster) error {
	m, err := c.broker(s.Broker)
	if err != nil {
		return err
	}
	dir, there := m.dirs[s.Path]
	if !there {
		return m.noDir(s.Path)
	}
	if err := m.log.FailDir(s.Path); err != nil { // the last one: the broker halts
		return c.lose(m, false)
	}
	c.dirs[dir].Offline = true
	c.forget(func(r placed) bool { return r.dir == dir })
	return nil
}

// forget takes away the replicas that are gone with their directory, and gives each one's partition.
func (c *Cluster) forget(gone func(placed) bool) (partitions []Partition) {
	for _, name := range c.names {
		t := c.topics[name]
		for number := range t.partitions {
			kept := t.partitions[number][:0]
			for _, r := range t.partitions[number] {
				if !gone(r) {
					kept = append(kept, r)
					continue
				}
				c.take(r.dir, t.spec.Partitions[number])
				partitions = append(partitions, Partition{name, int32(number)})
			}
			t.partitions[number] = kept
		}
	}
	return partitions
}

func (s LoseBroker) apply(c *Cluster) error {
	m, err := c.broker(s.Broker)
	if err != nil {
		return err
	}
	return c.lose(m, s.Move)
}

func (c *Cluster) lose(m *member, move bool) error {
	m.lost = true
	for i := range c.dirs {
		if c.dirs[i].Broker == m.spec.ID {
			c.dirs[i].Offline = true
		}
	}
	partitions := c.forget(func(r placed) bool { return r.broker == m.spec.ID })
	if !move {
		return nil
	}
	counts := map[int32]int{}
	for _, d := range c.dirs {
		counts[d.Broker] += d.Replicas
	}
	for _, p := range partitions {
		to := c.refuge(p, counts)
		if to == nil {
			continue // every broker that is left has one already: the partition stays with a replica less
		}
		t := c.topics[p.Topic]
		dir, err := c.makeLog(to, p, t.spec.Partitions[p.Number], "")
		if err != nil {
			return err
		}
		counts[to.spec.ID]++
		t.partitions[p.Number] = append(t.partitions[p.Number], placed{broker: to.spec.ID, dir: dir, copying: true})
	}
	return nil
}

// refuge is the broker that takes a lost replica: of those in racks without the partition the one with the fewest replicas,
// else of all; nil when none is left.
func (c *Cluster) refuge(p Partition, counts map[int32]int) *member {
	here := map[int32]bool{}
	racks := map[rack]bool{}
	for _, r := range c.topics[p.Topic].partitions[p.Number] {
		here[r.broker] = true
		if m, err := c.broker(r.broker); err == nil {
			racks[rack{m.spec.Rack, m.spec.Racked}] = true
		}
	}
	var best *member
	worse := func(m *member) (crowded bool, count int) {
		return racks[rack{m.spec.Rack, m.spec.Racked}], counts[m.spec.ID]
	}
	for _, m := range c.brokers {
		if m.lost || m.spec.Fenced || here[m.spec.ID] {
			continue
		}
		if best == nil {
			best = m
			continue
		}
		crowded, count := worse(m)
		bestCrowded, bestCount := worse(best)
		if !crowded && bestCrowded || crowded == bestCrowded && count < bestCount {
			best = m
		}
	}
	return best
}

func (s MoveLog) apply(c *Cluster) error {
	t, replicas, err := c.find(s.Partition)
	if err != nil {
		return err
	}
	m, err := c.broker(s.Broker)
	if err != nil {
		return err
	}
	dir, there := m.dirs[s.Path]
	if !there {
		return m.noDir(s.Path)
	}
	at := slices.IndexFunc(replicas, func(r placed) bool { return r.broker == s.Broker && !r.copying })
	if at < 0 {
		var have []string
		for _, r := range replicas {
			have = append(have, fmt.Sprint(r.broker))
		}
		return fmt.Errorf("broker %d has no replica of %s; its replicas are on %s", s.Broker, s.Partition, strings.Join(have, ", "))
	}
	made, err := m.log.Move(s.Partition, s.Path)
	if err != nil {
		return fmt.Errorf("broker %d: %w", s.Broker, err)
	}
	if made == "" {
		return nil // it is there already
	}
	t.partitions[s.Partition.Number][at].leaving = true
	c.put(dir, t.spec.Partitions[s.Partition.Number])
	t.partitions[s.Partition.Number] = append(replicas, placed{broker: s.Broker, dir: dir, copying: true})
	return nil
}

func (s Reassign) apply(c *Cluster) error {
	t, replicas, err := c.find(s.Partition)
	if err != nil {
		return err
	}
	if len(s.Replicas) == 0 {
		return fmt.Errorf("%s: a reassignment to no broker", s.Partition)
	}
	for i, id := range s.Replicas {
		if _, err := c.broker(id); err != nil {
			return fmt.Errorf("%s: %w", s.Partition, err)
		}
		if slices.Contains(s.Replicas[:i], id) {
			return fmt.Errorf("%s: broker %d is given twice", s.Partition, id)
		}
	}
	for i := range replicas {
		replicas[i].leaving = !slices.Contains(s.Replicas, replicas[i].broker)
	}
	for _, id := range s.Replicas {
		if slices.ContainsFunc(replicas, func(r placed) bool { return r.broker == id }) {
			continue
		}
		m, err := c.broker(id)
		if err != nil {
			return err
		}
		dir, err := c.makeLog(m, s.Partition, t.spec.Partitions[s.Partition.Number], "")
		if err != nil {
			return err
		}
		replicas = append(replicas, placed{broker: id, dir: dir, copying: true})
	}
	// The order of the new assignment; what leaves comes last.
	place := func(r placed) int {
		if i := slices.Index(s.Replicas, r.broker); i >= 0 {
			return i
		}
		return len(s.Replicas)
	}
	order.Sort(replicas, func(a, b *placed) int { return cmp.Compare(place(*a), place(*b)) })
	t.partitions[s.Partition.Number] = replicas
	return nil
}

func (s FinishCopies) apply(c *Cluster) error {
	if s.Partition != (Partition{}) {
		t, _, err := c.find(s.Partition)
		if err != nil {
			return err
		}
		return c.finish(t, s.Partition)
	}
	for _, name := range c.names {
		t := c.topics[name]
		for number := range t.partitions {
			if err := c.finish(t, Partition{name, int32(number)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// finish ends what is being copied of one partition.
func (c *Cluster) finish(t *topic, p Partition) error {
	replicas := t.partitions[p.Number]
	load := t.spec.Partitions[p.Number]
	kept := replicas[:0:0]
	for _, r := range replicas {
		if !r.leaving {
			r.copying = false
			kept = append(kept, r)
			continue
		}
		c.take(r.dir, load)
		m, err := c.broker(r.broker)
		if err != nil {
			return err
		}
		moved := slices.IndexFunc(replicas, func(o placed) bool { return o.broker == r.broker && o.copying })
		if moved < 0 {
			err = m.log.Delete(p)
		} else {
			err = m.log.FinishMove(p)
		}
		if err != nil {
			return err
		}
	}
	t.partitions[p.Number] = kept
	return nil
}

// CopyTime is how long it takes to copy so many bytes at a rate ≥ 1, rounded up; nothing at no rate takes for ever.
func CopyTime(bytes calc.Bytes, rate calc.ByteRate) calc.Millis {
	if bytes <= 0 {
		return 0
	}
	if rate <= 0 {
		return calc.Never
	}
	whole, rest := int64(bytes)/int64(rate), int64(bytes)%int64(rate)
	if whole > int64(calc.Never)/1000-1 {
		return calc.Never
	}
	// rest·1000/rate without overflow, for any rate.
	ms := rest / max(int64(rate)/1000, 1)
	if rest < 1<<53 {
		ms = (rest*1000 + int64(rate) - 1) / int64(rate)
	}
	return calc.Millis(whole*1000 + min(ms, 1000))
}

package placement

import (
	"slices"

	"github.com/partsize/partsize/calc/internal/order"
)

// Candidate is a broker that the controller knows.
type Candidate struct {
	ID     int32
	Rack   string
	Racked bool // false: broker.rack is not set; an empty rack is another one
	Fenced bool // it takes no leaders, and followers only when no other broker of its rack can
}

// rack is the name of a rack; no rack is one too.
type rack struct {
	name  string
	named bool
}

func (r rack) hash() uint32 {
	if !r.named {
		return 0
	}
	return javaHash(r.name)
}

// ring is brokers taken in turn.
//
// Kafka: StripedReplicaPlacer.BrokerList.
type ring struct {
	ids                  []int32
	index, offset, epoch int
}

// next is the next broker of an epoch; ok is false when all were taken.
func (r *ring) next(epoch int) (id int32, ok bool) {
	n := len(r.ids)
	if n == 0 {
		return 0, false
	}
	if r.epoch != epoch {
		r.epoch, r.index, r.offset = epoch, 0, (r.offset+1)%n
	}
	if r.index >= n {
		return 0, false
	}
	r.index++
	return r.ids[(r.index-1+r.offset)%n], true
}

// rackRings is the brokers of a rack.
type rackRings struct{ fenced, unfenced ring }

// Place is the replicas of each new partition as the controller chooses them: round the racks, and within a rack round its
// brokers, from a random start, in another random order each time that every broker has led once. The first replica is the
// preferred leader. brokers are in the order in which the controller has them, which matters only for racks of one bucket.
//
// The error is a [*Refusal]: InvalidReplicationFactorException, or that Kafka does not return.
//
// Kafka: StripedReplicaPlacer.place.
func Place(brokers []Candidate, partitions, replicationFactor int, draws Draws) ([][]int32, error) {
	p := newPlacer(brokers, draws)
	switch {
	case replicationFactor <= 0:
		return nil, refuse(invalidFactor, "must be positive", "Invalid replication factor %d: the replication factor must be positive.", replicationFactor)
	case p.unfenced == 0:
		return nil, refuse(invalidFactor, "All brokers are currently fenced", "All brokers are currently fenced, or have all their log directories cordoned.")
	case replicationFactor > len(brokers):
		return nil, refuse(invalidFactor, "cannot be reached because only",
			"The target replication factor of %d cannot be reached because only %d broker(s) are registered or some brokers have all their log directories cordoned.",
			replicationFactor, len(brokers))
	}
	out := make([][]int32, 0, partitions)
	for range partitions {
		replicas, err := p.partition(replicationFactor)
		if err != nil {
			return nil, err
		}
		out = append(out, replicas)
	}
	return out, nil
}

// placer is the state of one call; nothing but the random numbers outlives it.
type placer struct {
	draws    Draws
	rings    map[rack]*rackRings
	mapOrder []rack // as Java's HashMap gives them
	racks    []rack // in the order in which they take turns
	unfenced int
	offset   int // whose turn it is, in racks
	epoch    int
}

func newPlacer(brokers []Candidate, draws Draws) *placer {
	p := &placer{draws: draws, rings: make(map[rack]*rackRings)}
	byHash := newJavaMap(rack.hash)
	for _, b := range brokers {
		r := rack{b.Rack, b.Racked}
		rings := p.rings[r]
		if rings == nil {
			rings = &rackRings{}
			p.rings[r] = rings
			byHash.put(r)
			p.racks = append(p.racks, r)
		}
		if b.Fenced {
			rings.fenced.ids = append(rings.fenced.ids, b.ID)
		} else {
			rings.unfenced.ids = append(rings.unfenced.ids, b.ID)
			p.unfenced++
		}
	}
	p.mapOrder = byHash.keys()
	for _, r := range p.mapOrder {
		for _, ring := range []*ring{&p.rings[r].fenced, &p.rings[r].unfenced} {
			if n := len(ring.ids); n > 0 {
				slices.Sort(ring.ids)
				ring.offset = int(draws.Below(int32(n)))
			}
		}
	}
	order.Sort(p.racks, func(a, b *rack) int {
		if a.named != b.named {
			if a.named {
				return 1
			}
			return -1
		}
		return compareUTF16(a.name, b.name)
	})
	if len(p.racks) > 0 {
		p.offset = int(draws.Below(int32(len(p.racks))))
	}
	return p
}

// shuffle orders everything anew. The rings go on where they were.
func (p *placer) shuffle() {
	shuffle(p.racks, p.draws)
	for _, r := range p.mapOrder {
		shuffle(p.rings[r].fenced.ids, p.draws)
		shuffle(p.rings[r].unfenced.ids, p.draws)
	}
}

// shuffle is java.util.Collections.shuffle.
func shuffle[T any](items []T, draws Draws) {
	for k := len(items); k > 1; k-- {
		j := draws.Below(int32(k))
		items[k-1], items[j] = items[j], items[k-1]
	}
}

// patience is how many times round the racks without a broker it takes to know that there will be none.
const patience = 4

// partition is the replicas of the next partition.
func (p *placer) partition(replicationFactor int) ([]int32, error) {
	if p.epoch == p.unfenced && p.unfenced > 1 {
		p.shuffle()
		p.epoch = 0
	}
	if p.offset == len(p.racks) {
		p.offset = 0
	}
	replicas := make([]int32, 0, replicationFactor)
	turn, tries := p.offset, 0
	for {
		if id, ok := p.rings[p.racks[turn]].unfenced.next(p.epoch); ok {
			replicas = append(replicas, id)
			break
		}
		turn = (turn + 1) % len(p.racks)
		if tries++; tries > patience*len(p.racks) {
			return nil, errNoReturn()
		}
	}
	leader := turn
	turn, tries = p.offset, 0
	for len(replicas) < replicationFactor {
		rings := p.rings[p.racks[turn]]
		var id int32
		var ok bool
		if turn == leader {
			leader = -1
		} else if id, ok = rings.unfenced.next(p.epoch); !ok {
			id, ok = rings.fenced.next(p.epoch)
		}
		turn = (turn + 1) % len(p.racks)
		tries++
		if ok {
			replicas = append(replicas, id)
			tries = 0
		} else if tries > patience*len(p.racks) {
			return nil, errNoReturn()
		}
	}
	p.epoch++
	p.offset++
	return replicas, nil
}

func errNoReturn() error {
	return refuse("", "does not return", "Kafka does not return: it finds no broker for a replica, for ever")
}

package placement

import (
	"cmp"
	"slices"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
)

// Measure is what is to be spread evenly.
type Measure uint8

// The measures.
const (
	ByBytes Measure = iota
	ByRate
)

func (m Measure) of(l Load) int64 {
	if m == ByRate {
		return int64(l.Rate)
	}
	return int64(l.Bytes)
}

// Imbalance is how far the fullest directory is above its even share.
type Imbalance struct {
	Most, Least int   // directories, as indexes
	Largest     int64 // bytes, or bytes a second, of the fullest
	Smallest    int64
	Even        int64 // what each would have, rounded down
}

// Permille is the fullest over the even share, in thousandths, rounded up; 1000 is even.
func (i Imbalance) Permille() int64 {
	if i.Largest == 0 || i.Even == 0 {
		return 1000
	}
	whole, rest := i.Largest/i.Even, i.Largest%i.Even
	if whole > 1<<40 {
		return 1 << 50
	}
	for rest > 1<<52 {
		rest, i.Even = rest>>1, i.Even>>1
	}
	return whole*1000 + (rest*1000+i.Even-1)/max(i.Even, 1)
}

// Spread is the imbalance among the directories that can be used; ok is false when there are none. The first of equals
// counts.
func Spread(dirs []Directory, by Measure) (im Imbalance, ok bool) {
	sum, n := int64(0), int64(0)
	for i := range dirs {
		if dirs[i].Offline {
			continue
		}
		v := by.of(dirs[i].Load)
		if n == 0 || v > im.Largest {
			im.Most, im.Largest = i, v
		}
		if n == 0 || v < im.Smallest {
			im.Least, im.Smallest = i, v
		}
		sum += v
		n++
	}
	if n == 0 {
		return Imbalance{}, false
	}
	im.Even = sum / n
	return im, true
}

// LevelMove is a move that evens a broker's directories.
type LevelMove struct {
	Partition Partition
	Broker    int32
	From, To  string
	Bytes     calc.Bytes
}

// What [Cluster.Level] does at most, and when it is content: at most so many thousandths between fullest and emptiest.
const (
	maxLevelMoves  = 10_000
	levelTolerance = 20
)

// Level is the moves between directories of one broker that even them, the smallest first; every order of them leads there.
// Each takes from the fullest directory the largest replica that fits in half the gap to the emptiest, or the smallest
// that still makes it smaller. A replica is moved once. Brokers are evened one by one: between brokers nothing moves.
func (c *Cluster) Level(by Measure) []LevelMove {
	held := make([][]Replica, len(c.dirs))
	for r := range c.Replicas {
		if !r.Copying && by.of(r.Load) > 0 {
			held[r.Dir] = append(held[r.Dir], r)
		}
	}
	for i := range held {
		order.Sort(held[i], func(a, b *Replica) int { return cmp.Compare(by.of(a.Load), by.of(b.Load)) })
	}
	var moves []LevelMove
	for _, m := range c.brokers {
		if !m.lost {
			moves = c.levelBroker(m, by, held, moves)
		}
	}
	order.Sort(moves, func(a, b *LevelMove) int { return cmp.Compare(a.Bytes, b.Bytes) })
	return moves
}

func (c *Cluster) levelBroker(m *member, by Measure, held [][]Replica, moves []LevelMove) []LevelMove {
	var dirs []int
	load := map[int]int64{}
	total := int64(0)
	for _, path := range m.log.Live() {
		dir := m.dirs[path]
		dirs = append(dirs, dir)
		load[dir] = by.of(c.dirs[dir].Load)
		total += load[dir]
	}
	if len(dirs) < 2 {
		return moves
	}
	moved := map[Partition]bool{}
	for len(moves) < maxLevelMoves {
		from := slices.MaxFunc(dirs, func(a, b int) int { return cmp.Compare(load[a], load[b]) })
		to := slices.MinFunc(dirs, func(a, b int) int { return cmp.Compare(load[a], load[b]) })
		gap := load[from] - load[to]
		if gap <= total/int64(len(dirs))/1000*levelTolerance {
			return moves
		}
		best := -1
		for i, r := range held[from] {
			size := by.of(r.Load)
			if moved[r.Partition] {
				continue
			}
			if size <= gap/2 || best < 0 && size < gap {
				best = i
			}
			if size > gap/2 {
				break
			}
		}
		if best < 0 {
			return moves
		}
		r := held[from][best]
		held[from] = slices.Delete(held[from], best, best+1)
		moved[r.Partition] = true
		load[from] -= by.of(r.Load)
		load[to] += by.of(r.Load)
		moves = append(moves, LevelMove{r.Partition, m.spec.ID, c.dirs[from].Path, c.dirs[to].Path, r.Load.Bytes})
	}
	return moves
}

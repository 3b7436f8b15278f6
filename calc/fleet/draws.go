package fleet

import (
	"cmp"
	"slices"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
	"github.com/partsize/partsize/calc/placement"
)

// Another start of the controller places the same topics otherwise, for it draws the brokers at random. A reader sees by how
// much when several seeds are tried.

// MaxDraws is the most seeds that are tried.
const MaxDraws = 1000

// drawnReplicas is how many replicas are placed again without being asked to.
const drawnReplicas = 400_000

// usualDraws is how many seeds are tried unless something else is asked for; fewer where replicas are many, and below
// leastDraws none.
const (
	usualDraws = 20
	leastDraws = 5
)

// UsualDraws is how many seeds are tried when nobody says how many.
func (r *Result) UsualDraws() int {
	most := max(1, r.Replicas)
	for i := range r.plays.snapshot {
		most = max(most, len(r.plays.snapshot[i].refs))
	}
	n := min(usualDraws, drawnReplicas/(most*(len(r.Changes)+1)))
	if n < leastDraws || !r.Drawn() {
		return 0
	}
	return n
}

// Drawn reports whether the controller draws brokers for any topic but its own; where all are given, every seed is the same.
func (r *Result) Drawn() bool {
	p := r.plays
	for _, t := range p.topics {
		if t.Assignment == nil && (len(t.classes) == 0 || t.classes[0] != internalClass) {
			return true
		}
	}
	return slices.ContainsFunc(r.Changes, func(c Change) bool { _, adds := c.Do.(AddPartitions); return adds })
}

// Draw places the same topics as Kafka does with n seeds, from the description's own on, and notes how each stands in
// r.Draws. progress is as in [Run].
func (r *Result) Draw(n int, progress func(done, all int) bool) error {
	n = max(0, min(n, MaxDraws))
	var all []Choice
	for i := range n {
		if progress != nil && !progress(i, n) {
			return ErrStopped
		}
		seed := r.plays.d.Seed + int64(i)
		if c, ok := r.plays.again(seed).choice(placement.FewestLogs, seed, r.Span); ok {
			all = append(all, c)
		}
	}
	r.Draws = all
	return nil
}

// Spread is how far draws differ: the most even one, one in the middle and the least even one, by bytes; ok is false when
// there are none.
func Spread(draws []Choice) (most, middle, least Choice, ok bool) {
	if len(draws) == 0 {
		return most, middle, least, false
	}
	sorted := slices.Clone(draws)
	order.Sort(sorted, func(a, b *Choice) int {
		return cmp.Or(cmp.Compare(a.Bytes.Permille(), b.Bytes.Permille()), cmp.Compare(a.Seed, b.Seed))
	})
	return sorted[0], sorted[(len(sorted)-1)/2], sorted[len(sorted)-1], true
}

// Fulls is how many draws fill a directory, and when the first does in the draw where that is first and last.
func Fulls(draws []Choice) (n int, first, last calc.Millis) {
	first = calc.Never
	for _, c := range draws {
		if c.Full != calc.Never {
			n++
			first, last = min(first, c.Full), max(last, c.Full)
		}
	}
	return n, first, last
}

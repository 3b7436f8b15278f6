package provider

import (
	"fmt"

	"github.com/partsize/partsize/calc"
)

// inUse is the most that the topics have on one disk: of the fullest broker, of the instance, or of a volume.
func (r *Request) inUse(l *Ladder) (b calc.Bytes, how string, ok bool) {
	sum := int64(0)
	for i := range r.Topics {
		t := &r.Topics[i]
		one, why, known := r.occupied(t)
		if !known {
			return 0, why, false
		}
		how = why
		sum = plus(sum, times(int64(one), r.onDisk(l, t)))
	}
	return calc.Bytes(sum), how, len(r.Topics) > 0
}

// onDisk is how many replicas of a topic are on the ladder's disk: of the fullest broker, when they are spread evenly and
// what is left over is on the same broker; or, of an instance, its copies.
func (r *Request) onDisk(l *Ladder, t *Topic) int64 {
	if l.Whose == "instance" {
		copies, _ := r.option("copies")
		return times(t.partitions(), max(copies, 1))
	}
	brokers, _ := r.option("brokers")
	return ratio(times(t.partitions(), r.replicas(t)), 1, max(brokers, 1))
}

// least is the smallest disk on which so much does not reach the rung.
func (g *Rung) least(b calc.Bytes) calc.Bytes {
	if g.Free > 0 {
		return calc.Bytes(plus(int64(b), int64(g.Free)))
	}
	return calc.Bytes(plus(ratio(int64(b), 100, g.Percent), 1))
}

// reached reports whether so much on a disk reaches the rung.
func (g *Rung) reached(b, disk calc.Bytes) bool {
	if g.Free > 0 {
		return disk-b < g.Free
	}
	return int64(b) >= ratio(int64(disk), g.Percent, 100)
}

// does is what the rung does, and how often.
func (g *Rung) does() string {
	if g.Beat == "" {
		return g.Action
	}
	return g.Action + "; " + g.Beat
}

// at is where the rung is, in words.
func (g *Rung) at() string {
	if g.Free > 0 {
		return "with less than " + g.Free.String() + " free"
	}
	return fmt.Sprintf("from %d %% of the disk on", g.Percent)
}

// resolved is a ladder with the rungs whose height is an option's.
func (r *Request) resolved(l *Ladder) *Ladder {
	c := Ladder{Whose: l.Whose}
	for _, g := range l.Rungs {
		if g.FreeOption != "" {
			free, known := r.option(g.FreeOption)
			if !known {
				continue
			}
			g.Free = calc.Bytes(free)
		}
		c.Rungs = append(c.Rungs, g)
	}
	return &c
}

// climbLadder is which rung the topics reach.
func (r *Request) climbLadder(rule *Rule) *Verdict {
	if r.service().Cleans && r.timed() {
		return r.cleaned(rule)
	}
	l := r.resolved(rule.Ladder)
	if len(l.Rungs) == 0 {
		return nil
	}
	b, how, ok := r.inUse(l)
	if !ok {
		if len(r.Topics) == 0 {
			return nil
		}
		return &Verdict{Effect: Unknown, Sentence: "How far the disk fills cannot be said: " + how + ". Give the traffic" + r.without() + ", as in produce=5MiB/s, or retention.bytes."}
	}
	first := &l.Rungs[0]
	disk, known := r.option("disk")
	if !known {
		disk, known = r.option("storage")
	}
	whose := "the fullest " + l.Whose + "'s disk"
	if l.Whose == "instance" {
		whose = "the instance's disk"
	}
	if !known {
		return &Verdict{Effect: Unknown, Sentence: fmt.Sprintf("%s takes %s, %s. %s, %s; give disk=1TiB to have it checked. At least %s are needed to stay below.",
			capital(whose), size(b), how, capital(first.at()), first.Action, size(first.least(b))), Fixes: []Fix{set("disk", roundUp(first.least(b)).Text())}}
	}
	if grown, ok := r.grown(); ok {
		disk = int64(grown)
	}
	var top *Rung
	for i := range l.Rungs {
		if l.Rungs[i].reached(b, calc.Bytes(disk)) {
			top = &l.Rungs[i]
		}
	}
	if top == nil {
		return nil
	}
	v := &Verdict{Effect: top.Effect, Sentence: fmt.Sprintf("%s takes %s of %s, %s %% (%s). %s, %s.",
		capital(whose), size(b), size(calc.Bytes(disk)), percent(int64(b), disk), how, capital(top.at()), top.does())}
	if top.Effect == Advised && int64(b) > disk {
		// Nothing that the service does keeps it from being full.
		v.Effect = Blocked
		v.Sentence += " It does not fit at all."
	}
	if need := roundUp(first.least(b)); int64(need) <= r.mostDisk() {
		v.Fixes = append(v.Fixes, set("disk", need.Text()))
	}
	v.Fixes = append(v.Fixes, r.moreBrokers(l, func(b calc.Bytes) bool { return !first.reached(b, calc.Bytes(disk)) })...)
	r.shrinkToFit(v, l, disk)
	return v
}

// shrinkToFit adds the fix of a smaller retention.bytes, for a single topic whose use follows from it.
func (r *Request) shrinkToFit(v *Verdict, l *Ladder, disk int64) {
	if len(r.Topics) != 1 {
		return
	}
	t := &r.Topics[0]
	if _, del := r.policy(t); !del {
		return
	}
	one, _, _ := r.occupied(t)
	all, _, _ := r.inUse(l)
	if one == 0 || all == 0 {
		return
	}
	copies := max(int64(all/one), 1)
	room := calc.Bytes(disk)
	if first := &l.Rungs[0]; first.Free > 0 {
		room -= first.Free
	} else {
		room = calc.Bytes(ratioDown(disk, first.Percent, 100) - 1)
	}
	if left := r.keeps(t, int64(room)/copies); left > 0 {
		v.Fixes = append(v.Fixes, set("retention.bytes", roundDown(left).Text()))
	}
}

// roundUp is a size at least b that is short to write: at most a sixteenth larger.
func roundUp(b calc.Bytes) calc.Bytes {
	unit := grain(b)
	return calc.Bytes(plus(int64(b), int64(unit)-1)) / unit * unit
}

func roundDown(b calc.Bytes) calc.Bytes {
	unit := grain(b)
	return b / unit * unit
}

// grain is the power of 1024, or a part of it, in which a size is written without many digits.
func grain(b calc.Bytes) calc.Bytes {
	for _, unit := range [...]calc.Bytes{calc.TiB, calc.GiB, calc.MiB, calc.KiB} {
		if b >= 16*unit {
			return unit
		}
	}
	return 1
}

// percent is 100·part/whole with one digit after the point, rounded down.
func percent(part, whole int64) string {
	tenths := ratioDown(part, 1000, max(whole, 1))
	return fmt.Sprintf("%d.%d", tenths/10, tenths%10)
}

// capital is a clause with a capital.
func capital(text string) string {
	if text == "" || text[0] < 'a' || text[0] > 'z' {
		return text
	}
	return string(text[0]-'a'+'A') + text[1:]
}

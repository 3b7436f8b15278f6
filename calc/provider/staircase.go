package provider

import (
	"fmt"
	"math"

	"github.com/partsize/partsize/calc"
)

// Growth is a broker's disk that grows by steps, and what is on it.
type Growth struct {
	Steps []GrowthStep
	// Keeps says that the disk is never full.
	Keeps  bool
	FullAt calc.Millis // when it is, if not
	Disk   calc.Bytes  // at the end
	Use    calc.Bytes  // at the end
	// Pace is how fast the first disk can grow for good: a step in each time to wait, rounded down.
	Pace calc.ByteRate
}

// GrowthStep is one enlargement.
type GrowthStep struct {
	At       calc.Millis
	From, To calc.Bytes
}

// maxSteps bounds a staircase: 6 hours apart they are more than ten years.
const maxSteps = 16_000

// Climb plays a disk that grows by steps while rate comes to it, until most is on it, it is full, or the horizon is
// reached. It starts with stored on it; target is the use in percent from which on it grows, limit the size up to which;
// most is what is on the disk when retention deletes as much as comes, or -1 when nothing limits it.
//
// The use is looked at each [Staircase.Look]; a step is taken as done at once, which is the best case.
func (s *Staircase) Climb(disk, stored, most, limit calc.Bytes, rate calc.ByteRate, target int64, horizon calc.Millis) Growth {
	g := Growth{Keeps: true, Disk: disk, Pace: calc.ByteRate(ratioDown(int64(s.step(disk)), 1000, int64(s.CoolDown)))}
	if limit <= 0 || limit > s.Most {
		limit = s.Most
	}
	use := func(at calc.Millis) calc.Bytes {
		b := calc.Bytes(plus(int64(stored), ratioDown(int64(rate), int64(at), 1000)))
		if most >= 0 {
			b = min(b, max(most, stored))
		}
		return b
	}
	// when is the first look at which at least so much is on the disk; never if it is not reached.
	when := func(b calc.Bytes) calc.Millis {
		switch {
		case b <= stored:
			return 0
		case rate <= 0, most >= 0 && b > most:
			return math.MaxInt64
		}
		return calc.Millis(ratio(int64(b-stored), 1000, int64(rate)))
	}
	next := calc.Millis(0)
	for range maxSteps {
		full := when(g.Disk + 1)
		at := max(next, up(when(calc.Bytes(ratio(int64(g.Disk), target, 100))), s.Look))
		if g.Disk >= limit || at > horizon || at >= full {
			if full <= horizon {
				g.Keeps, g.FullAt = false, full
			}
			break
		}
		to := min(g.Disk+s.step(g.Disk), limit)
		g.Steps = append(g.Steps, GrowthStep{at, g.Disk, to})
		g.Disk, next = to, at+s.CoolDown
	}
	g.Use = use(horizon)
	if !g.Keeps {
		g.Use = g.Disk
	}
	return g
}

func up(at, every calc.Millis) calc.Millis {
	if at > math.MaxInt64-every {
		return math.MaxInt64
	}
	return (at + every - 1) / every * every
}

// step is how much a disk of a size grows by at once.
func (s *Staircase) step(disk calc.Bytes) calc.Bytes {
	return max(s.Least, calc.Bytes(ratio(int64(disk), s.Percent, 100)))
}

// chase is whether the disk's growth keeps up with the topics.
func (r *Request) chase(rule *Rule) *Verdict {
	s := rule.Staircase
	if len(r.Topics) == 0 {
		return nil
	}
	each, ok := r.brokerRate()
	disk, known := r.option("disk")
	target, chosen := r.option("auto.scaling.target")
	if !chosen {
		if _, wanted := r.option("disk.max"); !wanted {
			return nil // the disk does not grow by itself unless that is asked for
		}
		target = s.Target
	}
	if target < s.From || target > s.To {
		return &Verdict{Effect: Refused, Sentence: fmt.Sprintf("auto.scaling.target=%d is not between %d and %d %%, which %s takes.", target, s.From, s.To, r.who()),
			Fixes: []Fix{set("auto.scaling.target", fmt.Sprint(min(max(target, s.From), s.To)))}}
	}
	if !ok || !known {
		return &Verdict{Effect: Unknown, Sentence: "Whether the disk grows fast enough cannot be said: give the traffic, as in produce=5MiB/s, and disk=1TiB."}
	}
	limit, _ := r.option("disk.max")
	most := calc.Bytes(-1)
	if b, _, ok := r.inUse(&Ladder{Whose: "broker"}); ok {
		most = b
	}
	stored, _ := r.option("stored")
	g := s.Climb(calc.Bytes(disk), r.brokerShare(calc.Bytes(stored)), most, calc.Bytes(limit), each, target, 3650*calc.Day)
	if g.Keeps {
		return nil
	}
	v := &Verdict{Sentence: fmt.Sprintf("The disk does not grow fast enough: %s come to each broker, and from %s it grows by %s at most every %s, which is %s. After %s it is full at %s, %s after the start.",
		rate(each), size(calc.Bytes(disk)), size(s.step(calc.Bytes(disk))), s.CoolDown, rate(g.Pace), numberOf(int64(len(g.Steps)), "step"), size(g.Disk), g.FullAt)}
	if g.Disk >= s.Most || limit > 0 && g.Disk >= calc.Bytes(limit) {
		v.Sentence += " It had reached the size up to which it grows."
	}
	if most >= 0 {
		v.Fixes = append(v.Fixes, set("disk", roundUp(most+1).Text()))
	}
	return v
}

// brokerRate is how many bytes a second come to the fullest broker, on the mean.
func (r *Request) brokerRate() (calc.ByteRate, bool) {
	sum := int64(0)
	for i := range r.Topics {
		t := &r.Topics[i]
		if t.Traffic == nil {
			return 0, false
		}
		sum = plus(sum, times(int64(t.Traffic.Mean), times(t.partitions(), r.replicas(t))))
	}
	brokers, _ := r.option("brokers")
	return calc.ByteRate(ratio(sum, 1, max(brokers, 1))), true
}

// brokerShare is what a broker holds when each partition holds so much.
func (r *Request) brokerShare(each calc.Bytes) calc.Bytes {
	sum := int64(0)
	for i := range r.Topics {
		t := &r.Topics[i]
		sum = plus(sum, times(int64(each), times(t.partitions(), r.replicas(t))))
	}
	brokers, _ := r.option("brokers")
	return calc.Bytes(ratio(sum, 1, max(brokers, 1)))
}

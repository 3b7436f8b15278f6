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

// chased is a broker's disk that grows by itself while the request's topics fill it.
type chased struct {
	Growth
	rate   calc.ByteRate // that comes to the broker
	disk   calc.Bytes    // at the start
	stored calc.Bytes    // on it at the start
	most   calc.Bytes    // on it when retention deletes as much as comes; -1: nothing limits it
	limit  calc.Bytes    // up to which it grows; 0: as the service says
}

// chase plays the growth. why says what keeps it from that, nil when the disk does not grow by itself.
func (r *Request) chase(rule *Rule) (c chased, why *Verdict, ok bool) {
	s := rule.Staircase
	if len(r.Topics) == 0 {
		return c, nil, false
	}
	target, chosen := r.option("auto.scaling.target")
	if !chosen {
		if _, wanted := r.option("disk.max"); !wanted {
			return c, nil, false // the disk does not grow by itself unless that is asked for
		}
		target = s.Target
	}
	if target < s.From || target > s.To {
		return c, &Verdict{Effect: Refused, Sentence: fmt.Sprintf("auto.scaling.target=%d is not between %d and %d %%, which %s takes.", target, s.From, s.To, r.who()),
			Fixes: []Fix{set("auto.scaling.target", fmt.Sprint(min(max(target, s.From), s.To)))}}, false
	}
	each, timed := r.brokerRate()
	disk, known := r.option("disk")
	if !timed || !known {
		return c, &Verdict{Effect: Unknown, Sentence: "Whether the disk grows fast enough cannot be said: give the traffic, as in produce=5MiB/s, and disk=1TiB."}, false
	}
	c = chased{rate: each, disk: calc.Bytes(disk), most: -1}
	if b, _, ok := r.inUse(&Ladder{Whose: "broker"}); ok {
		c.most = b
	}
	limit, _ := r.option("disk.max")
	stored, _ := r.option("stored")
	c.limit, c.stored = calc.Bytes(limit), r.brokerShare(calc.Bytes(stored))
	c.Growth = s.Climb(c.disk, c.stored, c.most, c.limit, each, target, 3650*calc.Day)
	return c, nil, true
}

// grown is the size that a disk reaches that grows by itself; false: it does not.
func (r *Request) grown() (calc.Bytes, bool) {
	for i := range r.service().Rules {
		if rule := &r.service().Rules[i]; rule.Staircase != nil && rule.holdsFor(r.Plan().ID) {
			if c, _, ok := r.chase(rule); ok {
				return c.Disk, true
			}
		}
	}
	return 0, false
}

// outgrown is whether the disk's growth keeps up with the topics.
func (r *Request) outgrown(rule *Rule) *Verdict {
	c, why, ok := r.chase(rule)
	if !ok || c.Keeps {
		return why
	}
	s := rule.Staircase
	v := &Verdict{Sentence: fmt.Sprintf("The disk does not grow fast enough: %s come to each broker, and from %s it grows by %s at most every %s, which is %s. After %s it is full at %s, %s after the start.",
		rate(c.rate), size(c.disk), size(s.step(c.disk)), s.CoolDown, rate(c.Pace), numberOf(int64(len(c.Steps)), "step"), size(c.Disk), c.FullAt)}
	if c.Disk >= s.Most || c.limit > 0 && c.Disk >= c.limit {
		v.Sentence += " It had reached the size up to which it grows."
	}
	if c.most >= 0 {
		if need := roundUp(c.most + 1); need <= s.Most {
			v.Fixes = append(v.Fixes, set("disk", need.Text()))
		}
		v.Fixes = append(v.Fixes, r.moreBrokers(&Ladder{Whose: "broker"}, func(b calc.Bytes) bool { return b < c.disk })...)
		r.shrinkToFit(v, &Ladder{Whose: "broker", Rungs: []Rung{{Percent: 100}}}, int64(c.disk))
	}
	return v
}

// Chase is a broker's disk that grows by itself, and what is on it, over time.
type Chase struct {
	Growth
	First calc.Bytes    // the disk at the start
	Rate  calc.ByteRate // that comes to the fullest broker, on the mean
	Until calc.Millis   // when there is nothing more to see: it is full, or all that is kept is on it
	chased
}

// ChaseOf plays the growth of the request's disk, by the first rule of its service that lets one grow. ok is false where
// there is none, where it was not asked for, or where the disk or the traffic is not known.
func ChaseOf(r Request) (c Chase, ok bool) {
	for i := range r.service().Rules {
		rule := &r.service().Rules[i]
		if rule.Staircase == nil || !rule.holdsFor(r.Plan().ID) {
			continue
		}
		played, _, ok := r.chase(rule)
		if !ok {
			return c, false
		}
		c = Chase{Growth: played.Growth, First: played.disk, Rate: played.rate, chased: played}
		c.Until = 7 * calc.Day
		if n := len(c.Steps); n > 0 {
			c.Until = max(c.Until, min(c.Steps[n-1].At+rule.Staircase.CoolDown, 60*calc.Day))
		}
		if !c.Keeps {
			c.Until = c.FullAt + c.FullAt/10 + 1
		}
		return c, true
	}
	return c, false
}

// Use is what is on the disk at a time, no more than it holds then.
func (c *Chase) Use(at calc.Millis) calc.Bytes {
	b := calc.Bytes(plus(int64(c.stored), ratioDown(int64(c.rate), int64(at), 1000)))
	if c.most >= 0 {
		b = min(b, max(c.most, c.stored))
	}
	return min(b, c.Size(at))
}

// Size is the size of the disk at a time.
func (c *Chase) Size(at calc.Millis) calc.Bytes {
	b := c.First
	for _, s := range c.Steps {
		if s.At > at {
			break
		}
		b = s.To
	}
	return b
}

// brokerRate is how many bytes a second come to the fullest broker, on the mean.
func (r *Request) brokerRate() (calc.ByteRate, bool) {
	sum := int64(0)
	for i := range r.Topics {
		t := &r.Topics[i]
		if t.Traffic == nil {
			return 0, false
		}
		sum = plus(sum, times(int64(t.Traffic.Mean), r.onDisk(&Ladder{Whose: "broker"}, t)))
	}
	return calc.ByteRate(sum), true
}

// brokerShare is what the fullest broker holds when each partition holds so much.
func (r *Request) brokerShare(each calc.Bytes) calc.Bytes {
	sum := int64(0)
	for i := range r.Topics {
		sum = plus(sum, times(int64(each), r.onDisk(&Ladder{Whose: "broker"}, &r.Topics[i])))
	}
	return calc.Bytes(sum)
}

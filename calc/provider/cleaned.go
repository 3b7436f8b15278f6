package provider

import (
	"fmt"

	"github.com/partsize/partsize/calc"
)

// timed reports whether the disk can be played: it is known, and so is the traffic of every topic.
func (r *Request) timed() bool {
	_, known := r.option("disk")
	for i := range r.Topics {
		if r.Topics[i].Traffic == nil {
			return false
		}
	}
	return (known || r.Plan().ID == "serverless") && len(r.Topics) > 0
}

// Horizon is how long the request's traffic is known for; 30 days where that is not said.
func (r *Request) Horizon() calc.Millis {
	h := calc.Millis(0)
	for i := range r.Topics {
		if tr := r.Topics[i].Traffic; tr != nil && len(tr.Course) > 0 {
			h = max(h, tr.Course[len(tr.Course)-1].At)
		}
	}
	if h == 0 {
		h = 30 * calc.Day
	}
	return h
}

// CheckAndPlay is [Check], with the disk that it played for a service that deletes by disk use. The error is that of
// [PlayDisk]; of a service that does not delete so, there is neither.
func CheckAndPlay(r Request) (all []Verdict, d *Disk, err error) {
	r.play = new(play)
	all = Check(r)
	if r.service().Cleans {
		d, err = r.played()
	}
	return all, d, err
}

// played is the disk of the request up to its horizon.
func (r *Request) played() (*Disk, error) {
	if r.play == nil {
		return PlayDisk(*r, r.Horizon())
	}
	if r.play.disk == nil && r.play.err == nil {
		r.play.disk, r.play.err = PlayDisk(*r, r.Horizon())
	}
	return r.play.disk, r.play.err
}

// cleaned is the verdict of a played disk.
func (r *Request) cleaned(rule *Rule) *Verdict {
	d, err := r.played()
	if err != nil {
		return nil
	}
	early := int64(0)
	least, worst := calc.Never, Kept{}
	for _, k := range d.Kept {
		early += k.Forced
		if k.Forced > 0 && k.Least < least {
			least, worst = k.Least, k
		}
	}
	peak := fmt.Sprintf("The disk peaks at %s of %s, %s %%, at %s.", size(d.Peak.Bytes), size(d.Size), percent(int64(d.Peak.Bytes), int64(d.Size)), d.Peak.At)
	if d.Size == 0 {
		return nil
	}
	v := &Verdict{Sentence: peak}
	rungs := rule.Ladder.Rungs
	var top *Rung
	for i := range rungs {
		if rungs[i].reached(d.Peak.Bytes, d.Size) {
			top = &rungs[i]
		}
	}
	switch {
	case d.Counts[Protected] > 0:
		v.Effect = Blocked
		v.Sentence += fmt.Sprintf(" It is write-protected %s.", numberOf(d.Counts[Protected], "time"))
	case early > 0:
		v.Effect = Lost
		of := fmt.Sprintf("of the %s that are configured", worst.Configured)
		if worst.Configured < 0 {
			of = "though no limit by time is configured"
		}
		v.Sentence += fmt.Sprintf(" %s go before their time: readers of %s get as little as %s %s.",
			capital(numberOf(early, "segment")), named(worst.Topic), worst.Least, of)
	case top != nil:
		v.Effect = top.Effect
		v.Sentence += " " + capital(top.at()) + ", " + top.Action + "."
	default:
		return nil
	}
	v.Fixes = r.cleanedFixes(d)
	return v
}

func numberOf(n int64, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// cleanedFixes is the disk, and the retention, with which nothing goes before its time.
func (r *Request) cleanedFixes(d *Disk) []Fix {
	var all []Fix
	free := *r
	free.options = append([]calc.Pair(nil), r.options...)
	_ = free.Set("disk", calc.Bytes(maxDisk).Text())
	if roomy, err := PlayDisk(free, d.Until); err == nil {
		low := d.Lines[0].Percent
		all = append(all, set("disk", roundUp(calc.Bytes(plus(ratio(int64(roomy.Peak.Bytes), 100, low), 1))).Text()))
	}
	if len(r.Topics) > 1 {
		return all
	}
	now, _ := r.number(&r.Topics[0], "retention.ms")
	hours, ok := largest(24, now/int64(calc.Hour), func(h int64) bool {
		c := *r
		c.Topics = append([]Topic(nil), r.Topics...)
		_ = c.Topics[0].Config.Set("retention.ms", (calc.Millis(h) * calc.Hour).Text())
		p, err := PlayDisk(c, d.Until)
		return err == nil && !d.Lines[0].reachedBy(p)
	})
	if ok && hours < now/int64(calc.Hour) {
		all = append(all, set("retention.ms", fmt.Sprintf("%dh", hours)))
	}
	return all
}

func (l *Line) reachedBy(d *Disk) bool { return d.Peak.Bytes >= l.Bytes }

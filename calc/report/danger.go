package report

import (
	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
)

// Danger is which remote segments of a partition dangle, as the check of the metadata topic found it. The zero Danger is that
// nothing is known.
type Danger struct {
	Windows []calc.Window
	// Restart is when all brokers restart: what it catches dangles from then on, for good. [calc.Never]: a segment counts
	// while a restart would leave it dangling.
	Restart calc.Millis
	Until   calc.Millis // what comes later is not known
}

// DangerOf is what a finding knows of partition 0 of the first topic.
func DangerOf(f *calc.MetadataFinding) Danger {
	if f == nil {
		return Danger{}
	}
	d := Danger{Windows: f.Windows, Restart: calc.Never, Until: f.Horizon}
	if f.Chosen {
		d.Restart = f.Restart.At
	}
	if f.Short {
		d.Until = f.Windows[len(f.Windows)-1].Lost
	}
	return d
}

// Chosen reports whether the time of the restart is chosen.
func (d *Danger) Chosen() bool { return len(d.Windows) > 0 && d.Restart != calc.Never }

// span is when a segment dangles: from a time on, to another at which it does not any more. ok is false where it never does.
func (d *Danger) span(v *calc.Window) (from, to calc.Millis, ok bool) {
	switch {
	case !d.Chosen():
		return v.Lost, v.Deleted, true
	case v.Lost <= d.Restart && d.Restart < v.Deleted:
		return d.Restart, calc.Never, true
	}
	return 0, 0, false
}

// dangerStep is a change of what dangles at a time.
type dangerStep struct {
	at       calc.Millis
	dangling calc.Bytes // more, or less
	stays    calc.Bytes // more that the store holds although it would have been deleted
}

// steps are the changes in order of time, one for each time.
func (d *Danger) steps() []dangerStep {
	var all []dangerStep
	for i := range d.Windows {
		v := &d.Windows[i]
		from, to, ok := d.span(v)
		if !ok {
			continue
		}
		all = append(all, dangerStep{at: from, dangling: v.Log})
		if to != calc.Never {
			all = append(all, dangerStep{at: to, dangling: -v.Log})
		} else if v.Deleted != calc.Never {
			all = append(all, dangerStep{at: v.Deleted, stays: v.Log})
		}
	}
	order.Sort(all, func(a, b *dangerStep) int { return int(min(max(a.at-b.at, -1), 1)) })
	joined := all[:0]
	for _, s := range all {
		if n := len(joined); n > 0 && joined[n-1].at == s.at {
			joined[n-1].dangling += s.dangling
			joined[n-1].stays += s.stays
		} else {
			joined = append(joined, s)
		}
	}
	return joined
}

// at is what dangles at a time, and how much of it the store holds beyond what the simulation has there.
func (d *Danger) at(t calc.Millis) (dangling, stays calc.Bytes) {
	for i := range d.Windows {
		v := &d.Windows[i]
		from, to, ok := d.span(v)
		if ok && from <= t && t < to {
			dangling += v.Log
			if v.Deleted <= t {
				stays += v.Log
			}
		}
	}
	return dangling, stays
}

// mark adds what dangles to samples, and samples where that changes.
func (d *Danger) mark(all []laneSample) []laneSample {
	steps := d.steps()
	if len(steps) == 0 || len(all) == 0 {
		return all
	}
	out := make([]laneSample, 0, len(all)+2*len(steps))
	var now dangerStep
	put := func(s laneSample) {
		s.remote += now.stays
		s.dangling = min(now.dangling, s.remote)
		out = append(out, s)
	}
	k := 0
	happens := func() {
		now.dangling += steps[k].dangling
		now.stays += steps[k].stays
		k++
	}
	for i := range all {
		s := &all[i]
		for k < len(steps) && (steps[k].at < s.at || i == 0 && steps[k].at == s.at) {
			if i == 0 {
				happens()
				continue
			}
			there := between(&all[i-1], s, steps[k].at)
			put(there)
			happens()
			put(there)
		}
		// Of several samples of a time the last is after what happens then.
		if last := i+1 == len(all) || all[i+1].at > s.at; last && k < len(steps) && steps[k].at == s.at {
			if all[i-1].at < s.at {
				put(*s)
			}
			happens()
		}
		put(*s)
	}
	return out
}

// between is a sample on the way from one to the next.
func between(a, b *laneSample, at calc.Millis) laneSample {
	s := *a
	part := float64(at-a.at) / float64(max(b.at-a.at, 1))
	on := func(to *calc.Bytes, next calc.Bytes) { *to += calc.Bytes(float64(next-*to) * part) }
	s.at = at
	on(&s.log, b.log)
	on(&s.rest, b.rest)
	on(&s.wait, b.wait)
	on(&s.alone, b.alone)
	on(&s.past, b.past)
	on(&s.remote, b.remote)
	return s
}

// verb is what dangling segments do, in words.
func (d *Danger) verb() string {
	if d.Chosen() {
		return "dangles since all brokers restarted"
	}
	return "would dangle if all brokers restarted then"
}

// left is the segments that dangle although the simulation has deleted them before a window, oldest first.
func (d *Danger) left(w Window) []laneLife {
	var all []laneLife
	for i := range d.Windows {
		v := &d.Windows[i]
		if _, to, ok := d.span(v); ok && v.Deleted <= w.From && to > w.From {
			before := w.From - 1
			all = append(all, laneLife{base: v.Base, bytes: v.Log, begin: before, closed: before, deleted: before, gone: before,
				copied: v.Started, expired: v.Deleted})
		}
	}
	order.Sort(all, func(a, b *laneLife) int { return int(min(max(a.base-b.base, -1), 1)) })
	return all
}

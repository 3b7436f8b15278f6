package provider

import (
	"fmt"

	"github.com/partsize/partsize/calc"
)

// ChartLine is a level on the chart of one replica's log: what the service reserves for it, or from where on it does
// something, with all replicas on the disk alike.
type ChartLine struct {
	Bytes  calc.Bytes
	Name   string // a word or two
	Label  string // what happens there, a clause
	Effect Effect // 0: nothing comes of it by itself
	Rule   string // ID
}

// ChartLines is the levels for the request's first topic, from low to high by rule. With more topics a level depends on the
// others, and only what is reserved for this one is left; so it is where the storage or the disk is not known.
func ChartLines(r Request) []ChartLine {
	if len(r.Topics) == 0 {
		return nil
	}
	t, alone := &r.Topics[0], len(r.Topics) == 1
	var all []ChartLine
	s, plan := r.service(), r.Plan()
	for i := range s.Rules {
		rule := &s.Rules[i]
		if !rule.holdsFor(plan.ID) {
			continue
		}
		switch {
		case rule.Reservation != nil && rule.Reservation.Retention:
			a := r.account(rule)
			if each := a.Topics[0].Each; each < calc.Bytes(noMost) {
				all = append(all, ChartLine{each, "reserved", "the service sets so much aside for the partition", 0, rule.ID})
			}
			if a.Known && alone {
				all = append(all, ChartLine{a.Limit / calc.Bytes(t.partitions()), fmt.Sprintf("%d\u00a0%%", rule.Reservation.Percent),
					fmt.Sprintf("the partition's part of the %d %% of the storage that may be set aside", rule.Reservation.Percent), rule.Effect, rule.ID})
			}
		case rule.Ladder != nil && alone:
			disk, known := r.option("disk")
			if !known {
				continue
			}
			replicas := r.onDisk(rule.Ladder, t)
			for _, g := range r.resolved(rule.Ladder).Rungs {
				level := calc.Bytes(ratio(disk, g.Percent, 100))
				if g.Free > 0 {
					level = max(calc.Bytes(disk)-g.Free, 0)
				}
				all = append(all, ChartLine{level / calc.Bytes(replicas), g.where(), g.Action, g.Effect, rule.ID})
			}
		}
	}
	return all
}

// where is the rung's height in a word or two.
func (g *Rung) where() string {
	if g.Free > 0 {
		return g.Free.String() + " free"
	}
	return fmt.Sprintf("%d\u00a0%%", g.Percent)
}

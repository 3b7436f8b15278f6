package provider

import (
	"fmt"

	"github.com/partsize/partsize/calc"
)

// Use is what a service reserves for topics against what they have on disk, each partition counted once in both.
type Use struct {
	Reserved  calc.Bytes
	Simulated calc.Bytes // at the peak of each topic
	Percent   string     // of Reserved, with one digit after the point
	Sentence  string
}

// ReservedUse compares the reservation with the simulation. ok is false for a service that reserves nothing, and while the
// traffic of a topic is not known.
func ReservedUse(r Request) (u Use, ok bool) {
	a, ok := NewAccount(r)
	if !ok || len(r.Topics) == 0 || !a.Admits() || a.Endless {
		return u, false
	}
	sum, most := int64(0), "At its peak"
	for i := range r.Topics {
		t := &r.Topics[i]
		if t.Traffic == nil || t.Traffic.Peak == 0 {
			return u, false
		}
		if t.Traffic.Worst {
			most = "At worst"
		}
		sum = plus(sum, times(int64(t.Traffic.Peak), t.partitions()))
	}
	u.Reserved, u.Simulated = a.Reserved, calc.Bytes(sum)
	u.Percent = percent(sum, int64(a.Reserved))
	switch {
	case u.Simulated <= u.Reserved:
		u.Sentence = fmt.Sprintf("%s this traffic takes %s, %s %% of what is reserved, %s.", most, size(u.Simulated), u.Percent, size(u.Reserved))
	default:
		u.Sentence = fmt.Sprintf("%s this traffic takes %s, which is %s more than is reserved: the formula leaves out what comes between two checks.",
			most, size(u.Simulated), size(u.Simulated-u.Reserved))
	}
	return u, true
}

package provider

import (
	"math"

	"github.com/partsize/partsize/calc"
)

// TieredUse is about what tiered topics take: on all disks together, and in the remote store, which holds one copy. It is
// reckoned by the limits and the mean of the traffic, for a store that is always there, with every closed segment copied
// at once. What comes between two checks is not in it.
//
// Source: the services' pages named in their tier rules; cases R44, R45, R47.
type TieredUse struct{ Local, Remote calc.Range[calc.Bytes] }

// TieredUseOf is what the request's tiered topics take. ok is false when there are none, or when nothing limits one of
// them: neither a size nor a time with known traffic.
func TieredUseOf(r Request) (u TieredUse, ok bool) {
	for i := range r.Topics {
		t := &r.Topics[i]
		if !r.tiered(t) {
			continue
		}
		segment, _ := r.number(t, "segment.bytes")
		if closes, known := r.closes(t); known {
			segment = min(segment, ratio(int64(closes), int64(t.Traffic.Mean), 1000))
		}
		local, limited := r.kept(t, "local.retention.ms", "local.retention.bytes")
		whole, also := r.kept(t, "retention.ms", "retention.bytes")
		if !limited || !also {
			return TieredUse{}, false
		}
		ok = true
		all := times(t.partitions(), r.replicas(t))
		u.Local.Low = calc.Bytes(plus(int64(u.Local.Low), times(local, all)))
		u.Local.High = calc.Bytes(plus(int64(u.Local.High), times(plus(local, segment), all)))
		u.Remote.Low = calc.Bytes(plus(int64(u.Remote.Low), times(max(whole-segment, 0), t.partitions())))
		u.Remote.High = calc.Bytes(plus(int64(u.Remote.High), times(whole, t.partitions())))
	}
	return u, ok
}

// kept is what two limits keep of a partition: the lower of them.
func (r *Request) kept(t *Topic, byTime, bySize string) (int64, bool) {
	n := int64(math.MaxInt64)
	if ms, ok := r.number(t, byTime); ok && ms >= 0 && t.Traffic != nil {
		n = ratio(ms, int64(t.Traffic.Mean), 1000)
	}
	if b, ok := r.number(t, bySize); ok && b >= 0 {
		n = min(n, b)
	}
	return n, n < math.MaxInt64
}

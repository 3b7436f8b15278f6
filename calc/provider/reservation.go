package provider

import (
	"fmt"

	"github.com/partsize/partsize/calc"
)

// each is what the reservation takes for one partition of a topic.
func (v *Reservation) each(r *Request, t *Topic) calc.Bytes {
	if v.flat(r, t) {
		return v.OnlyKeys
	}
	segment, _ := r.number(t, "segment.bytes")
	if v.Segment > 0 {
		segment = int64(v.Segment)
	}
	sum := times(v.Segments, segment)
	retention := int64(0)
	if v.Retention {
		retention, _ = r.number(t, "retention.bytes")
		if retention < 0 {
			return calc.Bytes(noMost)
		}
		sum = plus(sum, retention)
	}
	if v.Indexes > 0 {
		index, _ := r.number(t, "segment.index.bytes")
		sum = plus(sum, times(times(v.Indexes, index), retention/max(segment, 1)+1))
	}
	if v.Copies {
		sum = times(sum, r.replicas(t))
	}
	return calc.Bytes(sum)
}

// limit is how much of a storage may be reserved.
func (v *Reservation) limit(storage calc.Bytes) calc.Bytes {
	return calc.Bytes(ratioDown(int64(max(storage-v.Less, 0)), v.Percent, 100))
}

// reserve is whether the topics fit in the storage.
func (r *Request) reserve(rule *Rule) *Verdict {
	v := rule.Reservation
	if len(r.Topics) == 0 {
		return nil
	}
	account := r.account(rule)
	if !account.Known && account.Endless {
		return &Verdict{Sentence: account.endless(r)}
	}
	if !account.Known {
		return &Verdict{Effect: Unknown, Sentence: fmt.Sprintf("%s reserves %s for these topics; give %s to have it checked. At least %s are needed.",
			r.who(), size(account.Reserved), v.Of+"=2TB", size(account.Needed())), Fixes: account.buy(r)}
	}
	if account.Over() == 0 {
		return nil
	}
	says := &Verdict{Sentence: account.sentence(r)}
	says.Fixes = account.waysOut(r)
	if before := r.Before; before != nil && len(before.Topics) > 0 {
		was := before.account(rule)
		switch {
		case account.Reserved <= was.Reserved:
			says.Effect = Advised
			says.Sentence += " That is no more than before, so this change is not refused; the next topic is, or the next partition."
		case !r.grows():
			says.Sentence += " " + configDoubt
		}
	}
	return says
}

// configDoubt is what is not verified about the reservation, see [Admission.Unverified].
const configDoubt = "This is not verified: the page says that storage is looked at when a configuration changes, too, but its sentence about refusals names only new topics and partitions."

// grows reports whether a topic is new, or has more partitions than before.
func (r *Request) grows() bool {
	were := map[string]int64{}
	for i := range r.Before.Topics {
		were[r.Before.Topics[i].Name] = r.Before.Topics[i].partitions()
	}
	for i := range r.Topics {
		if n, ok := were[r.Topics[i].Name]; !ok || n < r.Topics[i].partitions() {
			return true
		}
	}
	return false
}

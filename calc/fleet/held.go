package fleet

import (
	"slices"

	"github.com/partsize/partsize/calc"
)

// Held is a replica, or a copy that is being made, in a directory.
type Held struct {
	Topic           string
	Partition       int32
	Leader, Copying bool
	Internal        bool       // of an internal topic; Bytes is then its bound
	Bytes           calc.Bytes // the most in the span of time
	topic, class    int32
}

// during is where everything is at a time.
func (p *player) during(at calc.Millis) *period {
	now := &p.snapshot[0]
	for i := range p.snapshot {
		if p.snapshot[i].from <= at {
			now = &p.snapshot[i]
		}
	}
	return now
}

// Held is what a directory holds in the span of time that a moment is in; where something changes in that span, as it is at
// the moment itself. Replicas of one topic that are alike come together.
func (r *Result) Held(dir int, at calc.Millis) []Held {
	p := r.plays
	at = max(0, min(at, r.Horizon))
	span := int(at / r.Span)
	refs := p.during(at).of(dir)
	all := make([]Held, 0, len(refs))
	for _, ref := range refs {
		h := Held{Topic: p.topics[ref.topic].Name, Partition: ref.number, Leader: ref.leader, Copying: ref.copying, topic: ref.topic, class: ref.class}
		if h.Internal = ref.class == internalClass; h.Internal {
			h.Bytes = p.internalBound(ref.topic)
		} else {
			h.Bytes = p.classes[ref.class].high[span]
		}
		all = append(all, h)
	}
	return all
}

// Rate is what is written to a replica a second at a time.
func (r *Result) Rate(h Held, at calc.Millis) calc.ByteRate {
	if h.Internal {
		return 0
	}
	return r.plays.classes[h.class].rateAt(at)
}

// Input is what was simulated for a replica: its settings, later ones before earlier ones of the same key.
func (r *Result) Input(h Held) []calc.Pair {
	if h.Internal {
		return nil
	}
	p := r.plays
	return slices.Concat(p.d.Settings, p.topics[h.topic].Settings, p.classes[h.class].own)
}

package calc

import (
	"fmt"
	"math"
	"strconv"
)

// MaxEvents is the most events that a scenario may have.
const MaxEvents = 50_000_000

// checkEvents estimates the number of events and refuses too many.
func (r *resolver) checkEvents(s *Scenario) int64 {
	load := s.eventLoad()
	total, worst := int64(0), 0
	for i, l := range load {
		total = add(total, l.events)
		if l.events > load[worst].events {
			worst = i
		}
	}
	if total <= MaxEvents {
		return total
	}
	w := load[worst]
	e := bad("", fmt.Sprintf("makes about %s events within horizon=%s, above the %d that are simulated", roundCount(total), s.horizon.Text(), MaxEvents))
	if enough := mulDivUp(max(w.value, 1), total, MaxEvents/2); w.value > 0 && w.value <= math.MaxInt64/2 && enough < w.most {
		row := &settings[slotRow(w.key)]
		e.Nearest = row.rounded(enough)
		e.Hint = fmt.Sprintf("write %s or more, or shorten the horizon", e.Nearest)
	} else {
		e.Hint = "shorten the horizon, or lower the rate"
	}
	r.addTo(w.key, e)
	return total
}

// rounded is a round number at least n, as one would write it.
func (s *Setting) rounded(n int64) string {
	switch s.Kind {
	case KindSize:
		return Bytes(ceilPow2(n)).Text()
	case KindDuration:
		for _, u := range [...]Millis{Day, Hour, Minute, Second} {
			if n > 2*int64(u) {
				return (Millis(mulDivUp(n, 1, int64(u))) * u).Text()
			}
		}
	}
	return s.text(n)
}

func ceilPow2(n int64) int64 {
	p := int64(1)
	for p < n && p < 1<<62 {
		p *= 2
	}
	return p
}

// roundCount is a number to two digits.
func roundCount(n int64) string {
	scale := int64(1)
	for n/scale >= 100 {
		scale *= 10
	}
	return strconv.FormatInt(n/scale*scale, 10)
}

// eventShare is a part of the events, and the setting that makes them fewer when it is larger.
type eventShare struct {
	key    string
	events int64
	value  int64 // of the setting; 0: making it larger does not help
	most   int64
}

// eventLoad estimates where events come from.
func (s *Scenario) eventLoad() []eventShare {
	w, c := s.work, &s.log
	horizon := int64(s.horizon)
	bytes, calls := w.total()
	call := max(1, bytes/max(calls, 1))
	const perSegment = 3 // roll, deletion, removal

	bySize := mulDivUp(calls, 1, max(1, int64(c.SegmentBytes)/call))
	segMs := max(1, c.maxSegmentMs()-min(c.SegmentJitterMs, c.SegmentMs)/2)
	byTime := min(calls, horizon/int64(segMs))
	perEntry := int64(c.IndexIntervalBytes)/call + 1
	entries := max(1, min(int64(c.SegmentIndexBytes)/8, int64(c.SegmentIndexBytes)/12-1))
	byIndex := calls / max(1, mulDiv(entries, perEntry, 1))
	runs, from := w.runs()
	return []eventShare{
		{"segment.bytes", bySize * perSegment, int64(c.SegmentBytes), maxInt},
		{"segment.ms", byTime * perSegment, int64(c.SegmentMs), math.MaxInt64},
		{"segment.index.bytes", byIndex * perSegment, int64(c.SegmentIndexBytes), maxInt},
		{"log.retention.check.interval.ms", horizon / int64(s.broker.RetentionCheckInterval), int64(s.broker.RetentionCheckInterval), math.MaxInt64},
		{"producer.id.expiration.check.interval.ms", horizon / int64(s.broker.ProducerExpirationCheck), int64(s.broker.ProducerExpirationCheck), maxInt},
		from.with(runs * 10), // each takes as long as several events
	}
}

func (e eventShare) with(events int64) eventShare {
	e.events = events
	return e
}

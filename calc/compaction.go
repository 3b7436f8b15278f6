package calc

import (
	"math"
	"strconv"
)

// cleaner is what decides how often a compacted log is cleaned. It is not simulated: [CompactedOf] reckons with it.
type cleaner struct {
	keys    int64 // different keys; 0: not given
	ratio   int64 // min.cleanable.dirty.ratio, in 1/wholeRatio
	minLag  Millis
	backoff Millis
	off     bool // log.cleaner.enable=false
}

// wholeRatio is the ratio 1 as a [KindFraction] counts it.
const wholeRatio = 1_000_000_000

func (r *resolver) cleaner() cleaner {
	return cleaner{
		keys: r.number("record.keys"), ratio: r.number("min.cleanable.dirty.ratio"), minLag: Millis(r.number("min.compaction.lag.ms")),
		backoff: Millis(r.number("log.cleaner.backoff.ms")), off: !r.flag("log.cleaner.enable"),
	}
}

// CompactedOf is the closed worst case of a compacted log while its cleaner keeps up; OK is false for a log that is not
// compacted, or where it is not known.
//
// A log is cleaned when its closed, dirty part is more than min.cleanable.dirty.ratio of it, or older than
// max.compaction.lag.ms. What is clean has at most one record of each key, alone in its batch at the worst. The open segment is
// never cleaned, the dirty part grows by whole segments, and the cleaned copy stands beside the old files until those go.
//
// Not counted: what comes while a cleaning runs; tombstones, which may stay beside the newest record of their key; and index files.
//
// Source: kafka-measured 6.2 to 6.8 and 6.11; LogCleanerManager.cleanableOffsets, Cleaner.cleanSegments.
func CompactedOf(s Scenario) Bound {
	c, clean := s.log, s.cleaner
	switch {
	case !c.Compact:
		return Bound{}
	case clean.off:
		return Bound{Why: "log.cleaner.enable is false, so nothing is ever cleaned"}
	case clean.keys == 0:
		return Bound{Why: "how many different keys there are is not given, in record.keys"}
	case len(s.steps) > 0:
		return Bound{Why: "the scenario changes midway"}
	case clean.ratio == wholeRatio && c.MaxCompactionLagMs == Never:
		return Bound{Why: "a dirty part is never more than min.cleanable.dirty.ratio = 1 of the log, so nothing is ever cleaned"}
	}
	live := s.liveBytes()
	segment, key := c.SegmentBytes, "segment.bytes"
	span := c.maxSegmentMs()
	if n := s.MostBytes(span); s.evenTimestamps() && n < segment {
		segment, key = n, "segment.ms"
	}
	b := Bound{OK: true, Limit: "record.keys"}
	term := func(bytes Bytes, formula string, keys ...string) {
		if bytes > 0 {
			b.Terms = append(b.Terms, Term{Bytes: bytes, Formula: formula, Keys: keys})
		}
	}
	one := strconv.FormatInt(int64(s.loneBytes()), 10) + " B"
	term(live, "record.keys = "+strconv.FormatInt(clean.keys, 10)+", the newest record of each, "+one+" in a batch of its own", "record.keys")
	dirty := s.dirty(live)
	term(dirty.Bytes, dirty.Formula, dirty.Keys...)
	young := Bytes(0)
	if clean.minLag > 0 {
		young = s.MostBytes(clean.minLag)
	}
	term(young, "what comes in min.compaction.lag.ms = "+clean.minLag.String()+", too young to be cleaned", "min.compaction.lag.ms")
	term(bytesTimes(segment, 2), "the segment that makes it too much, and the open one, each up to "+segment.String(), key)
	wait := add(clean.backoff, c.FileDeleteDelayMs)
	come := s.MostBytes(wait)
	term(come, "what comes until the cleaner looks, log.cleaner.backoff.ms = "+clean.backoff.String()+", and while old files wait", "log.cleaner.backoff.ms")
	copies := add(add(1, int64(come/max(segment, 1))), int64(wait/max(span, 1)))
	b.Terms = append(b.Terms, Term{
		Bytes: bytesTimes(live, copies), Keys: []string{"file.delete.delay.ms"}, Removed: true,
		Formula: "what is cleaned, beside the old files until file.delete.delay.ms = " + c.FileDeleteDelayMs.String(),
	})
	for _, t := range b.Terms {
		b.OnDisk = add(b.OnDisk, t.Bytes)
		if !t.Removed {
			b.Log = add(b.Log, t.Bytes)
		}
	}
	return b
}

// dirty is the most of closed segments that is not cleaned yet, as far as whole segments matter not.
func (s *Scenario) dirty(live Bytes) Term {
	ratio, lag := s.cleaner.ratio, s.log.MaxCompactionLagMs
	byRatio := Bytes(math.MaxInt64)
	if ratio < wholeRatio {
		byRatio = Bytes(mulDivUp(int64(live), ratio, wholeRatio-ratio))
	}
	if byLag := s.MostBytes(lag); lag < s.horizon && s.evenTimestamps() && byLag < byRatio {
		return Term{Bytes: byLag, Formula: "what comes in max.compaction.lag.ms = " + lag.String() + ", not cleaned before", Keys: []string{"max.compaction.lag.ms"}}
	}
	return Term{
		Bytes: byRatio, Keys: []string{"min.cleanable.dirty.ratio"},
		Formula: "dirty, until it is more than min.cleanable.dirty.ratio = " + settings[slotRow("min.cleanable.dirty.ratio")].text(ratio) + " of all that is closed",
	}
}

// liveBytes is the most that the newest records of all keys take, with an empty batch for each producer, which Kafka keeps.
func (s *Scenario) liveBytes() Bytes {
	return add(bytesTimes(s.loneBytes(), s.cleaner.keys), bytesTimes(BatchHeader, s.work.batching.producers+1))
}

// loneBytes is a record in a batch of its own, at the place that it had in the batch that it came in. It is reckoned
// uncompressed: there is little to compress in one.
func (s *Scenario) loneBytes() Bytes {
	b := &s.work.batching
	return BatchHeader + b.shape.RecordBytes(0, max(b.fixed, b.most, 1)-1)
}

// bytesTimes is b × n, held at the most that fits.
func bytesTimes(b Bytes, n int64) Bytes {
	if n > 0 && b > Bytes(math.MaxInt64/n) {
		return math.MaxInt64
	}
	return b * Bytes(n)
}

package calc

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// Where a run of appends is cut, and whether a step ends with a roll, changes nothing: Reference: [Simulation.StepBefore].
func TestSplitsChangeNothing(t *testing.T) {
	check(t, 3_000, func(t *rapid.T, p Plan) {
		alone := rapid.Bool().Draw(t, "alone")
		sim, o := NewSimulation(p), newOracle(p)
		play(t, sim, o, func(t *rapid.T) (Millis, bool) {
			next, _ := sim.Next()
			return plus(next, near(t, "limit", p.Until/7+1, 2)), alone
		})
	})
}

// A clone goes on as the original would have, and the original goes on as if there were no clone.
func TestCloneGoesOn(t *testing.T) {
	check(t, 3_000, func(t *rapid.T, p Plan) {
		sim, o, twin := NewSimulation(p), newOracle(p), newOracle(p)
		for range rapid.IntRange(0, 20).Draw(t, "steps before") {
			if _, ok := sim.Next(); !ok {
				break
			}
			playStep(t, sim, o, Never, false)
		}
		for twin.count < o.count {
			twin.step()
		}
		clone := sim.Clone()
		play(t, clone, twin, whole)
		play(t, sim, o, whole)
	})
}

// The same plan gives the same timeline, whatever is done with the steps of the first.
func TestEqualPlansEqualTimelines(t *testing.T) {
	check(t, 1_000, func(t *rapid.T, p Plan) {
		a, b := RunPlan(p, Regular{0, 1, true}, nil), RunPlan(p, Regular{0, 1, true}, nil)
		if !reflect.DeepEqual(a.Peak(), b.Peak()) || !reflect.DeepEqual(a.Envelope(), b.Envelope()) ||
			!reflect.DeepEqual(a.Counts(), b.Counts()) || !reflect.DeepEqual(a.Ages(), b.Ages()) || !reflect.DeepEqual(a.band, b.band) {
			t.Fatal("two runs of one plan differ")
		}
	})
}

// Gliding over what is usual gives the same timeline as going step by step: of the plans of the other tests, and of plans
// of one run that goes on for long.
func TestGlidingChangesNothing(t *testing.T) {
	check(t, 6_000, func(t *rapid.T, p Plan) {
		if oneIn(t, "any plan", 4) {
			sameTimeline(t, p)
			return
		}
		p.Log = usualLog(t)
		p.Version = V4_3
		unit := p.Broker.RetentionCheckInterval
		p.Until = unit * Millis(rapid.IntRange(1, 300).Draw(t, "until, in checks"))
		run := Append{
			Count: rapid.Int64Range(1, 3000).Draw(t, "count"), IntervalNum: rapid.Int64Range(1, 30).Draw(t, "interval"),
			IntervalDen: rapid.Int64Range(1, 30).Draw(t, "interval den"), Batch: 100, Records: 2, Batches: 1, Offset: -1, Producer: -1,
			Producers: 1,
		}
		if oneIn(t, "producers", 2) {
			run.Producer, run.Producers = 0, rapid.Int64Range(1, 20).Draw(t, "producers")
		}
		list := StepList{{0, run}}
		if oneIn(t, "two runs", 3) {
			run.Count = 5
			list = append(StepList{{0, run}}, Step{rapid.Just(Millis(7)).Draw(t, "later"), list[0].Do})
		}
		if oneIn(t, "steps", 3) {
			for _, step := range listed(p) {
				list = append(list, Step{step.At + 8, step.Do})
			}
		}
		p.Steps = &list
		sameTimeline(t, p)
	})
}

// usualLog is a configuration under which segments are even: of some batches of 100 bytes, and gone after some.
func usualLog(t *rapid.T) LogConfig {
	c := DefaultLogConfig()
	c.SegmentBytes = Bytes(rapid.IntRange(100, 3000).Draw(t, "segment.bytes"))
	c.IndexIntervalBytes = Bytes(rapid.IntRange(0, 1000).Draw(t, "index.interval.bytes"))
	c.RetentionMs = Millis(rapid.IntRange(-1, 2000).Draw(t, "retention.ms"))
	if oneIn(t, "by size", 3) {
		c.RetentionBytes = Bytes(rapid.IntRange(0, 20000).Draw(t, "retention.bytes"))
	}
	c.FileDeleteDelayMs = Millis(rapid.IntRange(0, 500).Draw(t, "file.delete.delay.ms"))
	c.Preallocate = oneIn(t, "preallocate", 5)
	if oneIn(t, "jitter", 5) {
		c.SegmentJitterMs = Hour
	}
	return c
}

// sameTimeline plays a plan both ways.
func sameTimeline(t *rapid.T, p Plan) {
	regular := Regular{rapid.SampledFrom([]Millis{0, 100}).Draw(t, "regular from"), 1, rapid.Bool().Draw(t, "regular")}
	glided := RunPlan(p, regular, nil)
	walker := runner{t: &Timeline{plan: p}, sim: NewSimulation(p), regular: regular, walk: true}
	walker.run()
	walked := walker.t
	assert.Equal(t, walked.Peak(), glided.Peak())
	assert.Equal(t, walked.Counts(), glided.Counts())
	assert.Equal(t, walked.Ages(), glided.Ages())
	assert.Equal(t, walked.band, glided.band)
	if !slices.Equal(walked.envelope, glided.envelope) {
		for i := range walked.envelope {
			assert.Equal(t, walked.envelope[i], glided.envelope[i])
		}
	}
	a, b := walked.end.state(), glided.end.state()
	if walked.Err() == nil && !a.equal(&b) {
		t.Fatalf("at the end:\nstep by step %+v\ngliding %+v", a, b)
	}
	if walked.Err() == nil {
		sameLog(t, walked.end.log, glided.end.log)
	}
	if t.Failed() {
		t.Log("\n" + describe(p))
	}
}

// sameLog compares what cannot be seen of two logs, but decides what happens later.
func sameLog(t *rapid.T, a, b *log) {
	assert.Equal(t, a.segments.all(), b.segments.all())
	assert.Equal(t, a.deleted.all(), b.deleted.all())
	assert.Equal(t, a.closedSum, b.closedSum)
	assert.Equal(t, a.waitSum, b.waitSum)
	assert.Equal(t, a.random, b.random)
	x, y := a.producers, b.producers
	x.oldest, y.oldest = 0, 0 // a bound, which is looked at anew from time to time
	assert.Equal(t, x, y)
}

// The totals, which are kept as files come and go, are the sums of what the directory lists; base offsets rise from the
// log's start to its end; no byte is lost.
func TestTotalsAreSums(t *testing.T) {
	check(t, 5_000, func(t *rapid.T, p Plan) {
		for i, step := range listed(p) {
			if c, ok := step.Do.(Configure); ok {
				c.Log.Preallocate = false
				(*p.Steps.(*StepList))[i].Do = c
			}
		}
		p.Log.Preallocate = false
		sim, o := NewSimulation(p), newOracle(p)
		sizes := map[Offset]Bytes{}
		var deleted, removed Bytes
		replaced := false
		for {
			before := sim.Now()
			if _, ok := sim.Next(); !ok {
				break
			}
			events := slices.Clone(sim.Step())
			if sim.Err() != nil {
				return
			}
			u, dir := sim.Usage(), sim.Directory()
			for _, e := range events {
				if e.At < before || e.At > sim.Now() {
					t.Fatalf("event at %d in a step from %d to %d", e.At, before, sim.Now())
				}
				switch e.Kind {
				case Replace:
					replaced = true
				case Delete:
					deleted += sizes[e.Base]
				case Remove:
					removed += sizes[e.Base]
				}
			}
			if dir.Gone {
				assert.Equal(t, Usage{}, u)
				return
			}
			var sum Usage
			add := func(f Files) Bytes {
				return max(f.Log, 0) + max(f.Index, 0) + max(f.TimeIndex, 0) + max(f.TxnIndex, 0) + max(f.Snapshot, 0)
			}
			last := Offset(-1)
			for _, f := range dir.Segments {
				sum.Apparent += add(f)
				if f.Base <= last {
					t.Fatalf("base %d after %d", f.Base, last)
				}
				last = f.Base
				if f.Log < 0 {
					continue // a snapshot
				}
				sizes[f.Base] = f.Log
				sum.Log += f.Log
				sum.Segments++
				sum.Indexes += max(f.Index, 0) + max(f.TimeIndex, 0) + max(f.TxnIndex, 0)
			}
			sum.OpenFiles = sum.Segments
			for _, f := range dir.Deleted {
				sum.Awaiting += add(f)
				sum.AwaitingLog += max(f.Log, 0)
				if f.Log >= 0 {
					sum.OpenFiles++
				}
			}
			sum.MemoryMaps = 2 * sum.OpenFiles
			sum.Apparent += sum.Awaiting + dir.LeaderEpochCheckpoint + dir.PartitionMetadata
			sum.Allocated, sum.AwaitingAllocated = u.Allocated, u.AwaitingAllocated // blocks are the oracle's matter
			assert.Equal(t, sum, u)
			var apparent, allocated Bytes
			parts := sim.Parts()
			for _, part := range parts.All() {
				apparent += part.Apparent
				allocated += part.Allocated
			}
			assert.Equal(t, u.Apparent-u.Awaiting, apparent, "by kind of file")
			assert.Equal(t, u.Allocated-u.AwaitingAllocated, allocated, "by kind of file")
			start, localStart, end, high := sim.Offsets()
			first := dir.Segments[0].Base
			if start > localStart && p.Log.RemoteStorage || high > end || start > high || first > max(start, localStart) || last > end {
				t.Fatalf("log from %d (locally %d) to %d, high watermark %d, segments from %d to %d", start, localStart, end, high,
					first, last)
			}
			for o.logEnd < end {
				o.step()
			}
			if replaced {
				removed = deleted - u.AwaitingLog // files of one name: not each removal has its event
			}
			if o.accepted != u.Log+u.AwaitingLog+removed || deleted != u.AwaitingLog+removed {
				t.Fatalf("%d bytes appended, %d deleted; %d in the log, %d awaiting removal, %d removed", o.accepted, deleted, u.Log,
					u.AwaitingLog, removed)
			}
		}
	})
}

// A peak is the most at any instant; the envelope holds every instant; a moment and a window are what was at that time.
func TestTimelineIsOracle(t *testing.T) {
	check(t, 4_000, func(t *rapid.T, p Plan) {
		line, o := RunPlan(p, Regular{}, nil), newOracle(p)
		if line.Err() != nil {
			return
		}
		at := rapid.Int64Range(0, int64(p.Until)).Draw(t, "at")
		from, to := rapid.Int64Range(0, int64(p.Until)).Draw(t, "from"), rapid.Int64Range(0, int64(p.Until)).Draw(t, "to")
		envelope := line.Envelope()
		var want, all []Event
		var then *state
		// Log bytes rise with every append. The other two rise by blocks and files, and the engine may give a later time at
		// which they are still the same.
		atPeak := [2]bool{}
		inBucket := func() {
			u := o.usage()
			atPeak[0] = atPeak[0] || line.Peak().Apparent == Moment{o.now, u.Apparent}
			atPeak[1] = atPeak[1] || line.Peak().Allocated == Moment{o.now, u.Allocated}
			i := int(o.now / (envelope[0].To - envelope[0].From))
			b := envelope[i]
			for _, x := range []struct {
				in Range[Bytes]
				is Bytes
			}{{b.Log, u.Log}, {b.Indexes, u.Indexes}, {b.Awaiting, u.Awaiting}, {b.Apparent, u.Apparent}, {b.Allocated, u.Allocated}} {
				if x.is < x.in.Low || x.is > x.in.High {
					t.Fatalf("at %d ms %+v is not in the envelope %+v", o.now, u, b)
				}
			}
		}
		inBucket()
		for {
			next, ok := o.next()
			if then == nil && (!ok || next > Millis(at)) {
				x := o.state()
				then = &x
			}
			if !ok {
				break
			}
			events := o.step()
			inBucket()
			all = append(all, events...)
			for _, e := range events {
				if e.At >= Millis(from) && e.At <= Millis(to) {
					want = append(want, e)
				}
			}
		}
		if got := line.At(Millis(at)).state(); !got.equal(then) {
			t.Fatalf("At(%d):\nengine %+v\noracle %+v", at, got, *then)
		}
		if got := slices.Collect(line.Events(Millis(from), Millis(to))); !slices.Equal(got, want) {
			t.Fatalf("Events(%d, %d):\nengine %v\noracle %v", from, to, got, want)
		}
		peak := line.Peak()
		if peak.Log != o.peak.Log || peak.Apparent.Bytes != o.peak.Apparent.Bytes || peak.Allocated.Bytes != o.peak.Allocated.Bytes ||
			peak.Apparent.At < o.peak.Apparent.At || peak.Allocated.At < o.peak.Allocated.At || !atPeak[0] || !atPeak[1] {
			t.Fatalf("peak:\nengine %+v\noracle %+v", peak, o.peak)
		}
		if line.Counts().Events != int64(len(all)) {
			t.Fatalf("%d events counted of %d", line.Counts().Events, len(all))
		}
		end := Millis(0)
		for _, b := range envelope {
			if b.From != end || b.To <= b.From {
				t.Fatalf("bucket from %d to %d after %d", b.From, b.To, end)
			}
			end = b.To
		}
		if end <= p.Until {
			t.Fatalf("the envelope ends at %d, before %d", end, p.Until)
		}
	})
}

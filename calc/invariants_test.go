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

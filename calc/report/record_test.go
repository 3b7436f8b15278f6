package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

// A record is readable from when it is written until just before the instant that is said, and its segment's files are there
// until just before theirs, as the timeline says when it is played to each of these instants.
func TestRecordAgreesWithTheTimeline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := random(t)
		look := NewLook(a.Timeline)
		for range rapid.IntRange(0, 3).Draw(t, "looks") {
			look.At(calc.Millis(rapid.Int64Range(0, int64(a.Timeline.Until())).Draw(t, "look")))
		}
		_, _, end, _ := a.Timeline.End().Offsets()
		o := calc.Offset(rapid.Int64Range(-1, int64(end)).Draw(t, "offset"))
		r, ok := RecordOf(&a, look, o, nil)
		if o < 0 || o >= end {
			require.False(t, ok)
			return
		}
		if !ok {
			_, gone := a.Scenario.TopicDeleted()
			require.True(t, gone)
			return
		}
		topic, gone := a.Scenario.TopicDeleted()
		readable := func(at calc.Millis) bool {
			start, _, end, _ := a.Timeline.At(at).Offsets()
			return start <= o && o < end && !(gone && topic <= at)
		}
		if r.Appended > 0 {
			require.False(t, readable(r.Appended-1))
		}
		for i, at := range []calc.Millis{r.Appended, r.Unreadable.At - 1, a.Timeline.Until()} {
			if at >= r.Appended && at <= a.Timeline.Until() {
				require.Equal(t, at < r.Unreadable.At, readable(at), "at %d, %d: %+v", at, i, r)
			}
		}
		if r.Unreadable.At != calc.Never {
			require.False(t, readable(r.Unreadable.At), "%+v", r)
		}
		files := func(at calc.Millis) bool {
			for _, l := range a.Timeline.At(at).Lives() {
				if l.Base == r.Base && (l.Deleted || l.First <= r.Appended) {
					return true
				}
			}
			return false
		}
		require.LessOrEqual(t, r.Unreadable.At, r.Back.At)
		if back := r.Back.At; back != calc.Never {
			require.False(t, files(back), "%+v", r)
			require.True(t, back-1 < r.Appended || files(back-1), "%+v", r)
		} else {
			require.True(t, files(a.Timeline.Until()), "%+v", r)
		}
		for _, p := range []Phased{r.Deleted, r.Unreadable, r.Back} {
			if p.Bounds && p.At != calc.Never {
				require.LessOrEqual(t, p.Early, p.At, "%+v", r)
				require.LessOrEqual(t, p.At, p.Late, "%+v", r)
			}
		}
	})
}

// Whatever the phase of the checks, a record becomes unreadable between the earliest and the latest instant; a check that
// comes just at the earliest, or that missed it by a millisecond, reaches the two.
func TestRecordBoundsHoldForEveryPhase(t *testing.T) {
	reached := 0
	rapid.Check(t, func(t *rapid.T) {
		in := calc.Defaults()
		draw := func(key string, values ...string) string {
			v := rapid.SampledFrom(values).Draw(t, key)
			require.NoError(t, in.Set(key, v))
			return v
		}
		draw("produce", "10KiB/s", "1MiB/s", "3 records/s", "1 records/min")
		draw("horizon", "2h", "9h")
		draw("retention.ms", "-1", "1min", "30min", "2h")
		draw("retention.bytes", "-1", "3MiB", "700MiB")
		draw("segment.bytes", "1MiB", "100MiB")
		draw("segment.ms", "7min", "1d")
		draw("timestamp.shift", "-10min", "0", "30min")
		every, err := calc.ParseMillis(draw("log.retention.check.interval.ms", "5min", "13min", "1h"))
		require.NoError(t, err)
		draw("steps", "", "1h record-timestamp 30min", "3h delete-records 500", "1h retention.ms=10min", "2h retention.ms=5h retention.bytes=-1",
			"4h restart 10min", "5h delete-topic", "1h file.delete.delay.ms=3min")
		run := func(delay calc.Millis) (calc.Answer, bool) {
			in := in
			require.NoError(t, in.Set("log.initial.task.delay.ms", delay.Text()))
			s, err := calc.NewScenario(in)
			if err != nil || s.EventBound() > 100_000 {
				return calc.Answer{}, false
			}
			return calc.Run(s), true
		}
		a, ok := run(calc.Millis(rapid.Int64Range(0, int64(every)-1).Draw(t, "delay")))
		if !ok {
			return
		}
		_, _, end, _ := a.Timeline.End().Offsets()
		if end == 0 {
			return
		}
		o := calc.Offset(rapid.Int64Range(0, int64(end)-1).Draw(t, "offset"))
		r, ok := RecordOf(&a, NewLook(a.Timeline), o, nil)
		if !ok || !r.Unreadable.Bounds {
			return
		}
		phases := []calc.Millis{calc.Millis(rapid.Int64Range(0, int64(every)-1).Draw(t, "phase"))}
		if r.Past != calc.Never {
			phases = append(phases, r.Past%every, (r.Past+every-1)%every)
		}
		for i, delay := range phases {
			b, _ := run(delay)
			q, ok := RecordOf(&b, NewLook(b.Timeline), o, nil)
			require.True(t, ok)
			until := a.Timeline.Until()
			for name, pair := range map[string][2]Phased{"unreadable": {r.Unreadable, q.Unreadable}, "back": {r.Back, q.Back}} {
				want, got := pair[0], pair[1].At
				if !want.Bounds {
					continue
				}
				require.GreaterOrEqual(t, got, min(want.Early, until+1), "%s %d: %+v %+v", name, i, r, q)
				if got == calc.Never {
					require.Greater(t, want.Late, until, "%s %d: %+v %+v", name, i, r, q)
				} else {
					require.LessOrEqual(t, got, want.Late, "%s %d: %+v %+v", name, i, r, q)
				}
			}
			if len(a.Scenario.Steps()) > 0 || r.Past == calc.Never || q.Unreadable.At == calc.Never || r.Past < every {
				continue
			}
			switch i {
			case 1:
				require.Equal(t, r.Unreadable.Early, q.Unreadable.At, "%+v %+v", r, q)
				reached++
			case 2:
				require.Equal(t, r.Unreadable.Late, q.Unreadable.At, "%+v %+v", r, q)
			}
		}
	})
	if !testing.Short() { // the few draws of the short tests may reach none
		assert.Positive(t, reached, "no phase was tried")
	}
}

// Records whose fate is known by hand: 1 MiB/s in segments of 1 GiB, of which each takes 1024 s but for the last batch, kept
// for an hour; checks every five minutes from 30 s on, files gone a minute later.
func TestRecordByHand(t *testing.T) {
	a := defaults(t, "retention.ms", "1h", "horizon", "3h")
	look := NewLook(a.Timeline)
	r, ok := RecordOf(&a, look, 0, nil)
	require.True(t, ok)
	assert.Equal(t, calc.Offset(0), r.Base)
	assert.InDelta(t, 1024*int64(calc.Second), int64(r.Closed), 1000)
	assert.Equal(t, calc.Reason("segment.bytes"), r.ClosedBy)
	assert.InDelta(t, int64(r.Closed+calc.Hour), int64(r.Past), 1000, "its newest record is an hour old")
	// The next check after 4624 s: 30 s + 16 × 300 s.
	assert.Equal(t, calc.Millis(4830_000), r.Unreadable.At)
	assert.Equal(t, r.Past, r.Unreadable.Early)
	assert.Equal(t, r.Past+300_000-1, r.Unreadable.Late)
	assert.Equal(t, calc.Millis(4890_000), r.Back.At)
	assert.Equal(t, r.Unreadable.Late+calc.Minute, r.Back.Late)
	assert.Equal(t, calc.ByTime, r.DeletedBy)
	assert.InDelta(t, int64(calc.GiB), int64(r.Freed), float64(4*calc.MiB))

	// A record ahead of the clock keeps its segment, and every younger one behind it.
	a = defaults(t, "retention.ms", "1h", "horizon", "6h", "steps", "1min record-timestamp +30min")
	before := r
	r, ok = RecordOf(&a, NewLook(a.Timeline), 0, nil)
	require.True(t, ok)
	assert.Equal(t, calc.Minute+30*calc.Minute+calc.Hour+1, r.Past)
	next, ok := RecordOf(&a, NewLook(a.Timeline), calc.Offset(1_200_000), nil)
	require.True(t, ok)
	assert.Greater(t, next.Base, calc.Offset(0))
	assert.GreaterOrEqual(t, next.Unreadable.Early, r.Past)
	assert.Greater(t, r.Unreadable.At, before.Unreadable.At)

	// What is deleted by offset goes at that instant, its bytes with the next check.
	a = defaults(t, "horizon", "3h", "steps", "2h delete-records 2000000")
	r, ok = RecordOf(&a, NewLook(a.Timeline), 5, nil)
	require.True(t, ok)
	assert.Equal(t, fixed(2*calc.Hour), r.Unreadable)
	assert.Equal(t, 2*calc.Hour+30*calc.Second, r.Deleted.At)
	assert.Equal(t, 2*calc.Hour+90*calc.Second, r.Back.At)
	assert.Equal(t, 2*calc.Hour+1, r.Deleted.Early)

	// An offset that is never written, and an end of patience.
	_, ok = RecordOf(&a, look, 1<<60, nil)
	assert.False(t, ok)
	a = defaults(t, "produce", "50MiB/s", "segment.bytes", "10MiB", "horizon", "1d")
	_, ok = RecordOf(&a, NewLook(a.Timeline), 1, func() bool { return false })
	assert.False(t, ok)
}

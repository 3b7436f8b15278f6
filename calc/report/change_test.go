package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

// A change is the same as a step of the scenario that makes it: the same segments go at the same instants, and the disk is as
// full.
func TestChangeIsAStep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := calc.Defaults()
		draw := func(key string, values ...string) {
			require.NoError(t, in.Set(key, rapid.SampledFrom(values).Draw(t, key)))
		}
		draw("produce", "10KiB/s", "1MiB/s", "3 records/s", "0/s")
		draw("horizon", "3h", "2d")
		draw("retention.ms", "-1", "30min", "7d")
		draw("retention.bytes", "-1", "300MiB")
		draw("segment.bytes", "1MiB", "100MiB", "1GiB")
		draw("segment.ms", "7min", "7d")
		draw("file.delete.delay.ms", "0", "1min", "20min")
		draw("steps", "", "1h restart 10min", "1min record-timestamp +1h")
		s, err := calc.NewScenario(in)
		require.NoError(t, err)
		a := calc.Run(s)
		at := calc.Millis(rapid.Int64Range(0, int64(a.Timeline.Until())).Draw(t, "at"))
		steps, _ := in.Given("steps")
		set := rapid.SampledFrom([]string{"retention.ms=1min", "retention.ms=1h", "retention.ms=-1 retention.bytes=-1", "retention.bytes=2MiB", "retention.bytes=5GiB"}).Draw(t, "set")
		require.NoError(t, in.Set("steps", steps+"; "+at.Text()+" "+set))
		with, err := calc.NewScenario(in)
		require.NoError(t, err)
		var to calc.LogConfig
		for _, step := range with.Steps() {
			if do, ok := step.Do.(calc.Configure); ok {
				to = do.Log
			}
		}
		c, ok := ChangeOf(&a, NewLook(a.Timeline), at, to, nil)
		require.True(t, ok)
		b := calc.Run(with)
		var deleted []calc.Event
		down := false
		for e := range b.Timeline.Events(0, b.Timeline.Until()) {
			if e.At <= at {
				down = e.Kind == calc.Stop || down && e.Kind != calc.Start
				continue
			}
			if e.Kind == calc.Delete && (len(deleted) == 0 || deleted[0].At == e.At) {
				deleted = append(deleted, e)
			}
		}
		if down {
			return // a broker that is down does not take a step
		}
		if len(deleted) == 0 {
			require.Equal(t, calc.Never, c.Deleted)
			return
		}
		require.Equal(t, deleted[0].At, c.Deleted)
		require.Equal(t, int64(len(deleted)), c.Segments)
		if c.Back != calc.Never {
			// Traffic is cut at a step, so that calls may come a millisecond earlier or later.
			call := float64(a.Scenario.LargestAppend() + 3*4096)
			require.InDelta(t, int64(b.Timeline.At(c.Back).Usage().Allocated), int64(c.then.Allocated), call)
			require.Equal(t, a.Timeline.At(c.Back).Usage().Allocated-c.then.Allocated, c.Freed)
			left := map[calc.Offset]bool{}
			for _, l := range b.Timeline.At(c.Back).Lives() {
				if l.Deleted {
					left[l.Base] = true
				}
			}
			for _, e := range deleted {
				require.False(t, left[e.Base])
			}
		}
		require.NotEmpty(t, c.Answer)
	})
}

// 1 MiB/s for two days, kept for a week: at a day 84 segments of 1 GiB are closed. An hour of retention leaves those whose
// newest record is younger.
func TestChangeByHand(t *testing.T) {
	a := defaults(t, "horizon", "2d")
	to := a.Scenario.Log()
	to.RetentionMs = calc.Hour
	c, ok := ChangeOf(&a, NewLook(a.Timeline), calc.Day, to, nil)
	require.True(t, ok)
	assert.True(t, c.AtOnce)
	// 23 h of 1024 s each are 80 segments and some; the check comes 30 s later.
	assert.Equal(t, int64(80), c.Segments)
	assert.Equal(t, calc.Day+30*calc.Second, c.Deleted)
	assert.Equal(t, calc.Day+90*calc.Second, c.Back)
	assert.InDelta(t, int64(80*calc.GiB), int64(c.Freed), float64(calc.GiB))
	assert.Equal(t, Phased{c.Back, calc.Day + 1 + calc.Minute, calc.Day + 6*calc.Minute, true}, c.Phases)
	assert.Equal(t, calc.Never, c.Before)
	assert.Contains(t, plainSpaces(c.Answer.String()), "80 segments, 80.0 GiB, can go at once. The check after 30 s deletes them, and after 1 min 30 s the disk has 80")

	// Of a trickle nothing can go before the active segment closes, which segment.ms decides.
	a = defaults(t, "produce", "1KiB/s", "horizon", "10d")
	to.RetentionMs = calc.Hour
	c, ok = ChangeOf(&a, NewLook(a.Timeline), calc.Day, to, nil)
	require.True(t, ok)
	assert.False(t, c.AtOnce)
	assert.Equal(t, "segment.ms", c.Steps[0].Key)
	assert.Greater(t, c.Deleted, 7*calc.Day)
	assert.Contains(t, c.Answer.String(), "Nothing can go at once.")

	// Longer retention frees nothing.
	a = defaults(t, "retention.ms", "6h", "horizon", "2d")
	to.RetentionMs = calc.Day
	c, ok = ChangeOf(&a, NewLook(a.Timeline), 12*calc.Hour, to, nil)
	require.True(t, ok)
	assert.Contains(t, plainSpaces(c.Answer.String()), "Nothing is freed: the next segment goes at 1 d")
	to.RetentionMs = -1
	c, _ = ChangeOf(&a, NewLook(a.Timeline), 12*calc.Hour, to, nil)
	assert.Contains(t, c.Answer.String(), "Nothing is deleted any more")
}

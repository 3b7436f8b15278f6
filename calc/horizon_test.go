package calc

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// The last millisecond is played whole: calls, checks and steps at the horizon itself happen. Traffic of one record a batch, in
// records a second, makes a call whenever a record is due, the first at once, each at the millisecond in which it falls.
func TestTheHorizonIsPlayedWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Int64Range(1, 2000).Draw(t, "rate")
		horizon := rapid.OneOf(rapid.Int64Range(1, 20_000), rapid.Map(rapid.Int64Range(0, 100), func(n int64) int64 { return n*1000/rate + 1 })).Draw(t, "horizon")
		due := rate * (horizon + 1) // thousandths of a record by the end of the horizon's millisecond
		settings := []string{"batch.records", "1", "horizon", fmt.Sprint(horizon)}
		switch change := rapid.Int64Range(1, horizon).Draw(t, "change"); rapid.IntRange(0, 4).Draw(t, "as") {
		case 0:
			settings = append(settings, "produce", fmt.Sprint(rate, "/s"))
		case 1:
			settings = append(settings, "produce", fmt.Sprint(rate, "/s"), "produce.daily", "100,100,100")
		case 2: // a change of rate to the same rate
			settings = append(settings, "produce.series", fmt.Sprint("0:", rate, "/s,", change, ":", rate, "/s"))
		case 3: // a step that changes nothing
			settings = append(settings, "produce", fmt.Sprint(rate, "/s"), "steps", fmt.Sprint(change, "ms retention.ms=7d"))
		case 4:
			later := rapid.Int64Range(1, 2000).Draw(t, "later")
			due = rate*change + later*(horizon+1-change)
			settings = append(settings, "produce.series", fmt.Sprint("0:", rate, "/s,", change, ":", later, "/s"))
		}
		s := scenarioOf(t, settings...)
		sim := NewSimulation(s.Plan())
		for _, ok := sim.Next(); ok; _, ok = sim.Next() {
			sim.Step()
		}
		_, _, end, _ := sim.Offsets()
		assert.Equal(t, Offset((due-1)/1000+1), end, "%v", settings)
	})
}

// Checks and steps at the horizon happen too, and what they do is in the answer.
func TestTasksAtTheHorizon(t *testing.T) {
	deleted := func(horizon string) int64 {
		return Run(scenarioOf(t, "produce", "1/s", "timestamp.shift", "-8d", "horizon", horizon)).Timeline.Counts().Deletions
	}
	assert.EqualValues(t, 0, deleted("29999"), "the first check is after 30 s")
	assert.EqualValues(t, 1, deleted("30s"))
	assert.EqualValues(t, 1, deleted("329999"))
	assert.EqualValues(t, 2, deleted("330s"))
	peak := Run(scenarioOf(t, "produce", "0/s", "horizon", "10s", "steps", "10s record-timestamp 0")).Timeline.Peak().Log
	assert.Positive(t, peak.Bytes)
	assert.Equal(t, 10*Second, peak.At)
}

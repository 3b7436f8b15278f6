package calc_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// What has arrived agrees with what the log holds when nothing is ever deleted.
func TestArrivalsAreWhatIsAppended(t *testing.T) {
	in := calc.Defaults()
	for _, p := range []calc.Pair{{Key: "produce", Value: "100KiB/s"}, {Key: "horizon", Value: "10h"}, {Key: "retention.ms", Value: "-1"},
		{Key: "produce.daily", Value: "50,150,20,300"}} {
		require.NoError(t, in.Set(p.Key, p.Value))
	}
	s, err := calc.NewScenario(in)
	require.NoError(t, err)
	every := 37 * calc.Minute
	all := s.Arrivals(every)
	require.Len(t, all, 18)
	timeline := calc.Run(s).Timeline
	for i, n := range all[:17] {
		sim := timeline.At(calc.Millis(i) * every)
		assert.InDelta(t, int64(sim.Usage().Log), int64(n), float64(2*s.LargestAppend()), "at %d", i)
	}
	assert.Equal(t, timeline.At(s.Horizon()).Usage().Log, all[17])
	assert.Len(t, s.Arrivals(10*calc.Hour), 2)
}

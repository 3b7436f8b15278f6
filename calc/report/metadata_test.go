package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

func metadataFinding(t *testing.T, pairs ...string) calc.MetadataFinding {
	t.Helper()
	in := calc.Defaults()
	all := append([]string{"remote.storage.enable", "true", "produce", "100KiB/s", "segment.bytes", "16MiB", "horizon", "20d", "log.roll.ms", "1h"}, pairs...)
	for i := 0; i < len(all); i += 2 {
		require.NoError(t, in.Set(all[i], all[i+1]))
	}
	c, err := calc.NewMetadataCheck([]calc.TopicInput{{Input: in}}, nil)
	require.NoError(t, err)
	f, err := c.Run(nil)
	require.NoError(t, err)
	return f
}

const metadataRetention = "rlmm.config.remote.log.metadata.topic.retention.ms"

// At risk, the records' bar ends where the segment begins to dangle, and both bars are within the drawing.
func TestLivesShowWhy(t *testing.T) {
	f := metadataFinding(t, "retention.ms", "5d", metadataRetention, "1d")
	says, bad, _ := MetadataVerdict(&f)
	assert.True(t, bad)
	assert.Contains(t, says, "At risk from")
	l := LivesOf(&f)
	require.True(t, l.OK)
	require.Len(t, l.Segment, 2)
	last := l.Records[len(l.Records)-1]
	assert.Equal(t, LifeDangling, l.Segment[1].State)
	assert.InDelta(t, last.X+last.Width, l.Segment[1].X, 0.001)
	assert.InDelta(t, l.Marks[0].X, l.Segment[1].X, 0.001)
	for _, b := range append(l.Segment, l.Records...) {
		assert.Positive(t, b.Width)
		assert.LessOrEqual(t, b.X+b.Width, 100.001)
	}
	var now int
	steps := MetadataSteps(&f)
	for _, s := range steps {
		if s.Now {
			now++
			assert.Contains(t, s.Words.String(), "does not know segment")
		}
	}
	assert.Equal(t, 1, now)
	assert.Contains(t, RestartWords(&f).String(), "the worst time played")

	c, ok := CurveOf(&f)
	assert.True(t, ok)
	assert.Equal(t, f.Restart.Stored, c.Max, "the worst time is the highest")
}

func TestLivesThatAreSafe(t *testing.T) {
	f := metadataFinding(t, "retention.ms", "1d", metadataRetention, "4d")
	says, bad, costs := MetadataVerdict(&f)
	assert.Equal(t, "Safe", says)
	assert.False(t, bad || costs)
	l := LivesOf(&f)
	require.Len(t, l.Segment, 1)
	assert.Less(t, l.Segment[0].X+l.Segment[0].Width, l.Records[1].X+l.Records[1].Width, "the metadata lives longer")
	steps := MetadataSteps(&f)
	assert.Contains(t, steps[len(steps)-1].Words.String(), "Nobody needs it")
	_, ok := CurveOf(&f)
	assert.False(t, ok)

	f = metadataFinding(t, "retention.ms", "1d")
	says, _, costs = MetadataVerdict(&f)
	assert.Equal(t, "Unbounded growth", says)
	assert.True(t, costs)
	l = LivesOf(&f)
	require.Len(t, l.Records, 1)
	assert.Equal(t, "kept for ever", l.Records[0].Label)
	assert.Contains(t, MetadataLede(&f).String(), "a year")
}

// Nothing that costs something costs 0.00.
func TestMoney(t *testing.T) {
	for amount, want := range map[int64]string{0: "0.00", 1: "0.01", 10_000_000: "0.01", 10_000_001: "0.02", 1_230_000_000: "1.23", 12_345_000_000_000: "12\u202f345.00"} {
		assert.Equal(t, want, Money(amount))
	}
}

func TestTrapsInWords(t *testing.T) {
	f := metadataFinding(t, "retention.ms", "1d", metadataRetention, "4d", "log.retention.bytes", "1GiB")
	assert.Contains(t, MetadataLede(&f).String(), "keeps only 1\u00a0GiB", "it is the size that is not safe, not the retention")
	traps := MetadataTraps(&f)
	require.Len(t, traps, 2)
	assert.Equal(t, "Size limit on the metadata topic", traps[0].Title)
	assert.True(t, traps[0].Warn)
	assert.Contains(t, traps[0].Words.String(), "__remote_log_metadata: log.retention.bytes=1GiB.")
	assert.False(t, traps[1].Warn, "MSK")
}

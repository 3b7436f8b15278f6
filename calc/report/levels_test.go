package report

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/provider"
)

func levelled(t *testing.T, service, options string) (provider.Request, LevelPlot) {
	t.Helper()
	s, err := provider.ServiceOf(service)
	require.NoError(t, err)
	r, err := provider.Parse(s, options)
	require.NoError(t, err)
	scenario, err := calc.NewScenario(r.Input(0))
	require.NoError(t, err)
	a := calc.Run(scenario)
	return r, PartitionLevels(&a, provider.ChartLines(r))
}

// A level is drawn where its bytes are on the axis; one that is far above everything is listed instead.
func TestPartitionLevels(t *testing.T) {
	_, p := levelled(t, "aiven", "disk=600GiB brokers=3 produce=1MB/s retention.ms=2d partitions=3 replication.factor=3")
	require.Len(t, p.Levels, 2)
	assert.Empty(t, p.Above)
	for _, l := range p.Levels {
		assert.InDelta(t, float64(p.scale.high-l.Bytes)/float64(p.scale.high)*LevelHeight, l.Y, 0.01)
	}
	assert.Equal(t, []string{"95\u00a0%", "90\u00a0%"}, []string{p.Levels[0].Name, p.Levels[1].Name}, "from the top")
	assert.True(t, p.Levels[0].Breach)
	assert.False(t, p.Levels[1].Breach, "a notice is no breach")
	assert.NotEqual(t, p.Levels[0].Side, p.Levels[1].Side, "their names do not meet")
	assert.Contains(t, p.Summary, "stays below every level")

	_, p = levelled(t, "aiven", "disk=60TiB brokers=3 produce=1MB/s retention.ms=1d partitions=3 replication.factor=3")
	assert.Empty(t, p.Levels)
	assert.Len(t, p.Above, 2)

	_, p = levelled(t, "aiven", "disk=100GiB brokers=3 produce=1MB/s retention.ms=7d partitions=3 replication.factor=3")
	assert.Contains(t, p.Summary, "it reaches 95")
}

// The disk's drawing has a lane for each kind of cleaning that there was, with as many as were counted.
func TestDiskLevels(t *testing.T) {
	s, err := provider.ServiceOf("apsaramq")
	require.NoError(t, err)
	for options, lanes := range map[string]string{
		"disk=900GB produce=1MB/s retention.ms=72h horizon=10d":                       "04:00",
		"disk=300GB produce=1MB/s retention.ms=72h horizon=10d":                       "forced",
		"disk=10GiB produce=10MB/s retention.ms=72h segment.bytes=1GiB partitions=12": "no writes",
	} {
		r, err := provider.Parse(s, options)
		require.NoError(t, err)
		d, err := provider.PlayDisk(r, r.Horizon())
		require.NoError(t, err)
		p := DiskLevels(d)
		var names []string
		for _, l := range p.Lanes {
			names = append(names, l.Name)
			assert.NotEmpty(t, l.Bars)
			assert.LessOrEqual(t, len(l.Bars), int(math.Ceil(100/tooClose))+1)
			last := -1.0
			for _, bar := range l.Bars {
				assert.Greater(t, bar[0], last, "in order, and apart")
				assert.LessOrEqual(t, bar[0]+bar[1], 100.0)
				last = bar[0] + bar[1]
			}
		}
		for name := range strings.SplitSeq(lanes, ", ") {
			assert.Contains(t, names, name, options)
		}
		assert.Len(t, p.Levels, 4)
		assert.LessOrEqual(t, p.High, d.Peak.Bytes)
	}
}

// A disk that grows by steps is above what is on it, until it is full.
func TestChaseLevels(t *testing.T) {
	s, err := provider.ServiceOf("amazon-msk")
	require.NoError(t, err)
	r, err := provider.Parse(s, "disk=1000GiB auto.scaling.target=60 produce=10MiB/s partitions=4 replication.factor=1 brokers=1 retention.ms=7d")
	require.NoError(t, err)
	c, ok := provider.ChaseOf(r)
	require.True(t, ok)
	p := ChaseLevels(&c)
	assert.NotEmpty(t, p.Stairs)
	assert.Contains(t, p.Summary, "it is full at")
	assert.LessOrEqual(t, p.High, c.Disk)
}

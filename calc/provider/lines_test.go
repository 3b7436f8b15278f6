package provider

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

func TestChartLines(t *testing.T) {
	r := ibm(t, "storage=2TB partitions=36 retention.bytes=50GiB segment.bytes=1GiB")
	assert.Equal(t, []ChartLine{
		{55_830_380_544, "reserved", "the service sets so much aside for the partition", 0, "reserved"},
		{50 * gb, "90\u00a0%", "the partition's part of the 90 % of the storage that may be set aside", Refused, "reserved"},
	}, ChartLines(r))

	// Redpanda: of a disk of 1,000 GiB logs may take 600 GiB, and the rest of the share is for the cache.
	r, err := Parse(&redpanda, "disk=1000GiB partitions=10 replication.factor=3 brokers=3 retention.bytes=10GiB")
	require.NoError(t, err)
	lines := ChartLines(r)
	require.Len(t, lines, 4)
	assert.Equal(t, 60*calc.GiB, lines[0].Bytes, "600 GiB over ten replicas")
	assert.Equal(t, calc.Bytes((1000-5)*calc.GiB/10), lines[3].Bytes)
	assert.Equal(t, "5 GiB free", lines[3].Name)
	assert.Equal(t, Blocked, lines[3].Effect)

	r.Topics = append(r.Topics, Topic{})
	assert.Empty(t, ChartLines(r))
	assert.Empty(t, ChartLines(Request{Topics: []Topic{{}}}))
}

// A line is where the verdict turns: a replica just below it passes, one on it does not.
func TestLinesAgreeWithVerdicts(t *testing.T) {
	for _, s := range []*Service{&aiven, &selectel, &redpanda, &hdInsight} {
		r, err := Parse(s, "disk=1TiB partitions=7 replication.factor=3 brokers=3")
		require.NoError(t, err)
		lines := ChartLines(r)
		for i, line := range lines {
			if i > 0 && lines[i-1].Effect <= line.Effect {
				continue // the verdict does not turn here
			}
			for _, c := range []struct {
				peak   calc.Bytes
				passes bool
			}{{line.Bytes - 1, true}, {line.Bytes + 1, false}} {
				r.Topics[0].Traffic = &Traffic{Peak: c.peak}
				reached := false
				for _, v := range Check(r) {
					reached = reached || v.Rule == line.Rule && v.Effect <= line.Effect
				}
				assert.Equal(t, !c.passes, reached, "%s, %s: %d", s.ID, line.Label, c.peak)
			}
		}
	}
}

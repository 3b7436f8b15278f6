package calc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The worst case of a log that is cleaned holds for what Kafka 4.3.1 had on disk in recordings 15a to 15g, and is not far
// above it: 1 record of 1000 B each 100 ms, ten in a batch.
func TestCompactedBoundHoldsForRecordings(t *testing.T) {
	for _, c := range []struct {
		name   string
		keys   string
		most   Bytes // of .log files, deleted ones counted, at any of the recorded instants
		given  []string
		factor Bytes // by which the bound may be above it
	}{
		{"15a, 200 keys in turn", "200", 2_066_662, nil, 2},
		{"15b, 20 keys often and 5000 rarely", "5020", 15_734_648, nil, 2},
		{"15c, nothing younger than 10 min is cleaned", "200", 8_021_104, []string{"min.compaction.lag.ms", "10min"}, 2},
		{"15f, all is cleaned after 5 min", "200", 3_621_774, []string{"segment.bytes", "16MiB", "max.compaction.lag.ms", "5min"}, 3},
		{"15g, cleaned when a tenth is dirty", "5020", 11_406_935, []string{"min.cleanable.dirty.ratio", "0.1"}, 2},
	} {
		s := scenario(t, append([]string{
			"cleanup.policy", "compact", "segment.bytes", "1MiB", "produce", "10/s", "batch.records", "10", "record.key", "8", "record.value", "1000",
			"record.keys", c.keys, "horizon", "1d",
		}, c.given...)...)
		b := CompactedOf(s)
		require.True(t, b.OK, c.name)
		assert.GreaterOrEqual(t, b.OnDisk, c.most, c.name)
		assert.LessOrEqual(t, b.OnDisk, c.most*c.factor, c.name)
		sum := Bytes(0)
		for _, term := range b.Terms {
			sum += term.Bytes
		}
		assert.Equal(t, b.OnDisk, sum, c.name)
	}
}

// Each part by hand: 1000 keys of 61 + 1 + 1 + 1 + 1 + (1 + 8) + (2 + 1000) + 1 and its own length of 2.
func TestCompactedBoundByHand(t *testing.T) {
	given := []string{"cleanup.policy", "compact", "produce", "1MiB/s", "batch.records", "1", "record.key", "8", "record.value", "1000", "record.keys", "1000",
		"segment.bytes", "100MiB", "min.compaction.lag.ms", "1h"}
	b := CompactedOf(scenario(t, given...))
	require.True(t, b.OK)
	const live = 1000*(61+2+1+1+1+1+8+2+1000+1) + 2*61
	want := []Bytes{live, live, 3600 << 20, 200 << 20, 75 << 20, live}
	require.Len(t, b.Terms, len(want))
	for i, term := range b.Terms {
		assert.InDelta(t, int64(want[i]), int64(term.Bytes), 3000, term.Formula) // a batch more or less
	}
	assert.Contains(t, b.Terms[1].Formula, "min.cleanable.dirty.ratio = 0.5")
	assert.Less(t, b.Log, b.OnDisk)

	// ρ/(1−ρ): three times the clean part at 0.75.
	b = CompactedOf(scenario(t, append(given, "min.cleanable.dirty.ratio", "0.75")...))
	assert.Equal(t, int64(b.Terms[0].Bytes)*3, int64(b.Terms[1].Bytes))
}

func TestNoCompactedBound(t *testing.T) {
	for _, c := range []struct {
		why   string
		given []string
	}{
		{"", nil},
		{"record.keys", []string{"cleanup.policy", "compact"}},
		{"log.cleaner.enable", []string{"cleanup.policy", "compact", "record.keys", "9", "log.cleaner.enable", "false"}},
		{"midway", []string{"cleanup.policy", "compact", "record.keys", "9", "steps", "1d segment.bytes=512MiB"}},
		{"never more than", []string{"cleanup.policy", "compact", "record.keys", "9", "min.cleanable.dirty.ratio", "1"}},
	} {
		b := CompactedOf(scenario(t, c.given...))
		assert.False(t, b.OK, "%v", c.given)
		assert.Contains(t, b.Why, c.why)
	}
	// The most that can be given stays countable.
	b := CompactedOf(scenario(t, "cleanup.policy", "compact", "record.keys", "1000000000000", "record.value", "1MB", "max.message.bytes", "2MB",
		"min.cleanable.dirty.ratio", "0.999999999", "min.compaction.lag.ms", "9223372036854775806"))
	assert.True(t, b.OK)
	assert.Positive(t, b.OnDisk)
}

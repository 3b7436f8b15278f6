package calc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The disk is full at the first millisecond at which what is on it reaches its size, and not a millisecond before.
func TestDiskUse(t *testing.T) {
	for _, c := range []struct {
		settings []string
		from, to Millis // full between them
		before   bool
	}{
		// A MiB a second: 100 GiB come in 102,400 s, a little less with the indexes.
		{[]string{"disk", "100GiB"}, 101_500 * Second, 102_400 * Second, true},
		// Ten of them share it.
		{[]string{"disk", "100GiB", "partitions", "10"}, 10_100 * Second, 10_240 * Second, true},
		{[]string{"disk", "100GiB", "partitions", "10", "replication.factor", "3"}, 10_100 * Second, 10_240 * Second, true},
		// A log that is steady at an hour grows beyond that once bursts begin.
		{[]string{"disk", "8GiB", "retention.ms", "1h", "segment.bytes", "64MiB", "burst.rate", "9MiB/s", "burst.start", "1d", "horizon", "3d"},
			Day, Day + 10*Minute, false},
		// Nothing is on a disk that is full from the start but what an empty partition takes: two files of a block each.
		{[]string{"disk", "4096", "produce", "0/s", "horizon", "1h"}, 0, 0, true},
		{[]string{"disk", "700GiB"}, Never, Never, false},
		{[]string{"disk", "10GiB", "retention.ms", "-1", "horizon", "1h"}, Never, Never, false},
		{[]string{"disk", "8GiB", "remote.storage.enable", "true", "local.retention.ms", "1h", "segment.bytes", "64MiB", "steps", "10h remote-down 3h", "horizon", "2d"},
			10 * Hour, 13 * Hour, false},
	} {
		s := scenario(t, c.settings...)
		a := Run(s)
		u := a.Disk
		require.NotNil(t, u, c.settings)
		assert.Equal(t, s.Partitions(), u.Replicas)
		assert.Equal(t, a.Timeline.Peak().Allocated.Bytes*Bytes(u.Replicas), u.Most.Bytes)
		within(t, c.from, u.Full.At, c.to, "full")
		assert.Equal(t, c.before, u.Before, c.settings)
		if u.Full.At == Never {
			assert.Less(t, u.Most.Bytes, u.Size, c.settings)
			continue
		}
		now := a.Timeline.At(u.Full.At).Usage().Allocated * Bytes(u.Replicas)
		assert.Equal(t, now, u.Full.Bytes)
		assert.GreaterOrEqual(t, now, u.Size, c.settings)
		if u.Full.At > 0 {
			assert.Less(t, a.Timeline.At(u.Full.At-1).Usage().Allocated*Bytes(u.Replicas), u.Size, c.settings)
		}
	}
	assert.Nil(t, Run(scenario(t, "horizon", "1h")).Disk)
	assert.Nil(t, Run(scenario(t, "horizon", "1h", "disk", "unlimited")).Disk)
}

func TestDoubled(t *testing.T) {
	in := Defaults()
	set(&in, "produce", "3 records/min", "burst.rate", "1kB/s", "retention.ms", "1h")
	twice := in.Doubled()
	assert.Equal(t, "6 records/min", twice.Get("produce"))
	assert.Equal(t, "2000B/s", twice.Get("burst.rate"))
	assert.Equal(t, "1h", twice.Get("retention.ms"))
	assert.Equal(t, "3 records/min", in.Get("produce"), "the original stays")
	set(&in, "produce.series", "0:1MiB/s, 1h:91B/61000ms; 2h:0/s")
	twice = in.Doubled()
	assert.Equal(t, "0:2MiB/s,1h:91B/30500ms,2h:0/s", twice.Get("produce.series"))
	none := Defaults()
	none = none.Doubled()
	assert.Equal(t, "2MiB/s", none.Get("produce"))
	_, given := none.Given("burst.rate")
	assert.False(t, given)
}

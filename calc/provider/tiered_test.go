package provider

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

func tieredUse(t *testing.T, s *Service, text string) TieredUse {
	t.Helper()
	r, err := Parse(s, text)
	require.NoError(t, err)
	u, ok := TieredUseOf(r)
	require.True(t, ok)
	return u
}

// Case R44: 7 days in all, 12 hours locally, 100 partitions of 1 MB/s with 3 replicas: 12.96 to 13.4 TB on disks, and one
// copy of 60.48 TB remotely.
func TestMSKTiered(t *testing.T) {
	u := tieredUse(t, &amazonMSK, "remote.storage.enable=true retention.ms=7d local.retention.ms=12h segment.bytes=1GiB produce=1MB/s partitions=100 replication.factor=3")
	assert.GreaterOrEqual(t, u.Local.Low, calc.Bytes(12_960_000_000_000))
	assert.LessOrEqual(t, u.Local.High, calc.Bytes(13_400_000_000_000))
	assert.InDelta(t, 60_480_000_000_000, int64(u.Remote.High), 110e9, "but for open segments")
	assert.Equal(t, calc.Bytes(60_480_000_000_000), u.Remote.High)
	// With little traffic a segment closes after 7 days only, and so long it is local.
	r, err := Parse(&amazonMSK, "remote.storage.enable=true retention.ms=7d local.retention.ms=12h produce=1kB/s")
	require.NoError(t, err)
	v := Decide(Check(r))
	assert.Equal(t, Noted, v.Effect)
	assert.Contains(t, v.Sentence, "nothing is copied before")
}

// Case R45: the remote store holds all closed segments, not only what left the disk.
func TestAivenTiered(t *testing.T) {
	u := tieredUse(t, &aiven, "remote.storage.enable=true retention.ms=-1 retention.bytes=40TB local.retention.bytes=10TB segment.bytes=1GiB")
	assert.Equal(t, calc.Bytes(40_000_000_000_000), u.Remote.High)
	assert.Equal(t, calc.Bytes(10_000_000_000_000), u.Local.Low)
	u = tieredUse(t, &aiven, "remote.storage.enable=true retention.bytes=1000000000000 local.retention.bytes=200000000000")
	assert.Equal(t, calc.Bytes(200_000_000_000), u.Local.Low)
	assert.Equal(t, calc.Bytes(200_000_000_000)+calc.GiB, u.Local.High)
	assert.Equal(t, calc.Bytes(1_000_000_000_000), u.Remote.High)
}

// Case R47: local.retention.bytes=1 leaves the open segment, and retention.bytes needs more than 32 bits.
func TestLocalOfOneByte(t *testing.T) {
	u := tieredUse(t, nil, "remote.storage.enable=true segment.bytes=1048576 local.retention.bytes=1 retention.bytes=10000000000000")
	assert.LessOrEqual(t, u.Local.High, 1+calc.MiB)
	assert.Equal(t, calc.Bytes(10_000_000_000_000), u.Remote.High)
	_, ok := TieredUseOf(Request{Topics: []Topic{{}}})
	assert.False(t, ok)
}

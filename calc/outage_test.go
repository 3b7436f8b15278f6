package calc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// While the store is down the disk takes all that is produced; after it is back one check frees what was copied.
func TestOutageEffect(t *testing.T) {
	s := scenario(t, "remote.storage.enable", "true", "produce", "1MiB/s", "retention.ms", "1d", "local.retention.ms", "1h",
		"segment.bytes", "64MiB", "horizon", "2d", "steps", "10h remote-down 3h")
	line := Run(s).Timeline
	require.Equal(t, []Outage{{10 * Hour, 13 * Hour}}, s.Outages())
	e := line.OutageEffect(s.Outages()[0])
	within(t, 3600*MiB, e.Healthy, 4200*MiB, "healthy: an hour, and what waits")
	within(t, 3*3600*MiB, e.Peak.Bytes, 3*3700*MiB, "peak: three hours, for what was copied before goes on expiring")
	within(t, 13*Hour, e.Peak.At, 13*Hour+15*Minute, "peak")
	within(t, 13*Hour, e.Back, 13*Hour+20*Minute, "back, once 10 GiB are uploaded, a check has come, and the files are gone")
	full := line.FullAt(8 * GiB)
	within(t, 10*Hour+8100*Second, full, 10*Hour+8192*Second, "full")
	assert.GreaterOrEqual(t, line.At(full).Usage().Allocated, 8*GiB)
	assert.Equal(t, Never, line.FullAt(100*GiB))

	// One that never ends: the disk grows to the end, past retention.ms.
	s = scenario(t, "remote.storage.enable", "true", "produce", "1MiB/s", "retention.ms", "6h", "local.retention.ms", "1h",
		"segment.bytes", "64MiB", "horizon", "2d", "steps", "10h remote-down")
	line = Run(s).Timeline
	require.Equal(t, []Outage{{10 * Hour, Never}}, s.Outages())
	e = line.OutageEffect(s.Outages()[0])
	assert.Equal(t, Never, e.Back)
	assert.Greater(t, e.Peak.Bytes, 38*3500*MiB)
}

// What the store holds of a segment is all its files, the producers' snapshot at its end, and the leader epochs.
//
// Reference: 16a, whose first segment is 1047916 + 1784 + 2688 + 56 + 8 bytes.
func TestStoredBytes(t *testing.T) {
	s := scenario(t, "remote.storage.enable", "true", "produce", "1MiB/s", "segment.bytes", "16MiB", "horizon", "1min", "record.value", "1000")
	sim := NewSimulation(s.Plan())
	for {
		if _, ok := sim.Next(); !ok {
			break
		}
		sim.Step()
	}
	files, remote := sim.Directory().Segments, sim.RemoteSegments()
	require.NotEmpty(t, remote)
	for i, g := range remote {
		f := files[i]
		require.Equal(t, f.Base, g.Base)
		assert.Equal(t, f.Log+f.Index+f.TimeIndex+files[i+1].Snapshot+8, g.Stored)
		assert.EqualValues(t, 56, files[i+1].Snapshot)
	}
}

// The oldest record of a tiered topic that can be read is in the remote store: retention.ms old, and a segment and a beat.
func TestReadableInTheRemoteStore(t *testing.T) {
	line := Run(scenario(t, "remote.storage.enable", "true", "produce", "1MiB/s", "retention.ms", "1d", "local.retention.ms", "1h",
		"segment.bytes", "64MiB", "horizon", "3d")).Timeline
	ages := line.Ages()
	within(t, Day-Minute, ages.Readable.Low, Day+Second, "youngest")
	within(t, Day, ages.Readable.High, Day+64*Second+31*Second, "oldest")
	within(t, Hour, ages.OnDisk.High, Hour+10*Minute, "on disk")
}

// An outage is changed in the text of the steps, and nothing else is.
func TestOutageInTheSteps(t *testing.T) {
	for steps, want := range map[string][]Outage{
		"":                                   nil,
		"1h remote-down 2h":                  {{Hour, 3 * Hour}},
		"1h remote-down; 5h remote-up":       {{Hour, 5 * Hour}},
		"1h remote-down":                     {{Hour, Never}},
		"6h remote-down 1h; 1h remote-down;": {{6 * Hour, 7 * Hour}, {Hour, Never}},
		"soon remote-down; 1d restart":       nil,
	} {
		assert.Equal(t, want, GivenOutages(steps), steps)
	}
	for _, c := range []struct {
		steps string
		i     int
		to    Outage
		want  string
	}{
		{"", 0, Outage{Hour, 3 * Hour}, "1h remote-down 2h"},
		{"5h restart 60s; 1h remote-down 2h", 0, Outage{90 * Minute, Never}, "5h restart 60s; 90min remote-down"},
		{"1h remote-down; 5h remote-up; 6h restart", 0, Outage{Hour, 7 * Hour}, "1h remote-down 6h; 6h restart"},
		{"1h remote-down; 5h remote-up", 0, Outage{Hour, 3 * Hour}, "1h remote-down 2h"},
		{"1h remote-down 2h; 8h remote-up; 9h remote-down 1h", 1, Outage{10 * Hour, 11 * Hour}, "1h remote-down 2h; 8h remote-up; 10h remote-down 1h"},
		{"1h remote-down 2h", 1, Outage{5 * Hour, 6 * Hour}, "1h remote-down 2h; 5h remote-down 1h"},
		{"what ever;1h remote-down 2h", 0, Outage{Hour, Hour}, "what ever"},
	} {
		got := WithOutage(c.steps, c.i, c.to)
		assert.Equal(t, c.want, got, c.steps)
		if all := GivenOutages(got); c.to.To > c.to.From && assert.Greater(t, len(all), c.i) {
			assert.Equal(t, c.to, all[c.i], c.steps)
		}
	}
}

// Nobody waits for an effect that is no longer wanted.
func TestOutageEffectStops(t *testing.T) {
	s := scenario(t, "remote.storage.enable", "true", "produce", "1MiB/s", "segment.bytes", "1MiB", "horizon", "1d", "steps", "1h remote-down")
	asked := 0
	e := Run(s).Timeline.OutageEffectWith(s.Outages()[0], func(at Millis) bool { asked++; return asked < 3 })
	assert.Equal(t, 3, asked)
	assert.Less(t, e.Peak.At, 3*Hour)
}

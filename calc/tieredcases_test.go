package calc

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The public reports of testdata/cases whose class is tiered, each with the right value, from the report's "asserts". The
// one of class metadata, R49, is with the check of the metadata topic.

// tieredRun plays a tiered scenario.
func tieredRun(t *testing.T, pairs ...string) *Timeline {
	t.Helper()
	line := Run(scenario(t, append([]string{"remote.storage.enable", "true"}, pairs...)...)).Timeline
	require.NoError(t, line.Err())
	return line
}

// R39: a local limit is a cap of 4 to 5 GiB for each of 24 replicas, reached when so much was written; not a reservation.
func TestR39LocalLimitIsACap(t *testing.T) {
	r := openReport(t, "R39")
	line := tieredRun(t, "local.retention.bytes", "4GiB", "produce", "2MiB/s", "horizon", "2d")
	band, ok := line.Band()
	require.True(t, ok)
	inflow := 5 * 60 * 2 * MiB
	within(t, r.bytes("cap_min")-24*inflow, 24*band.Log.Low, r.bytes("cap_max"), "just after a check")
	within(t, r.bytes("cap_min"), 24*band.Log.High, r.bytes("cap_max")+24*(inflow+2*GiB), "just before one")
	assert.Less(t, 24*line.At(20*Minute).Usage().Log, r.bytes("cap_min"), "not there before it is written")
}

// R41: at 4.2 to 5 MB/s, 36 min of local retention are 9 to 11 segments, and 3 h are 45 to 54 GB in the remote store.
func TestR41SegmentsOfThirtySixMinutes(t *testing.T) {
	r := openReport(t, "R41")
	low, high := r.between("rate_Bps_range")
	for _, rate := range []float64{low, high} {
		line := tieredRun(t, "retention.ms", "10800000", "local.retention.ms", "2160000", "produce", Bytes(rate).Text()+"B/s", "horizon", "12h")
		for at := 6 * Hour; at < 12*Hour; at += 97 * Second {
			u := line.At(at).Usage()
			within(t, 9, u.Segments, 13, "segments")
			within(t, Bytes(3*3600*rate*0.95), u.Remote, Bytes(3*3600*rate*1.03), "remote bytes")
		}
	}
}

// R42: 100 MiB locally with segments of 1 GiB: a healthy partition has at most both, and what comes until the next check;
// 12 GB are copies that do not finish.
func TestR42HealthyPeak(t *testing.T) {
	r := openReport(t, "R42")
	line := tieredRun(t, "local.retention.bytes", "104857600", "produce", "500KiB/s", "horizon", "3d", "kafka.version", "3.6")
	peak := line.Peak().Log.Bytes
	inflow := (5*60 + 60) * 500 * KiB
	within(t, GiB, peak, r.bytes("healthy_peak_excl_inflow")+inflow, "healthy")
	stuck := tieredRun(t, "local.retention.bytes", "104857600", "produce", "500KiB/s", "horizon", "3d", "steps", "1h remote-down", "kafka.version", "3.6")
	assert.Greater(t, stuck.Peak().Log.Bytes, 12*GiB)
}

// R44: 12 h locally and 7 d in all at 1 MB/s, 100 partitions, three replicas; at 1 kB/s nothing is tiered for 7 d.
func TestR44TwelveHoursOfSevenDays(t *testing.T) {
	r := openReport(t, "R44")
	line := tieredRun(t, "retention.ms", "604800000", "local.retention.ms", "43200000", "produce", "1MB/s", "horizon", "12d")
	low, high := r.between("local_total_TB")
	const tb = 1e12
	for at := 9 * Day; at < 12*Day; at += 7*Hour + 13*Minute {
		u := line.At(at).Usage()
		within(t, Bytes(low*tb*0.999), 300*u.Log, Bytes(high*tb), "local")
		within(t, Bytes(r.number("remote_total_TB")*tb*0.99), 100*u.Remote, Bytes(r.number("remote_total_TB")*tb*1.01), "remote")
	}
	slow := tieredRun(t, "retention.ms", "604800000", "local.retention.ms", "43200000", "produce", "1kB/s", "horizon", "6d", "record.value", "100B")
	assert.Zero(t, slow.Counts().Copied)
}

// R45: the remote store has all closed segments, not only what left the local disk: 40 TB, not 30.
func TestR45RemoteHoldsAllClosedSegments(t *testing.T) {
	r := openReport(t, "R45")
	const tb, gb = 1e12, 1e9
	line := tieredRun(t, "retention.ms", "-1", "retention.bytes", "40000000000000", "local.retention.bytes", "10000000000000",
		"produce", "500MB/s", "horizon", "2d", "remote.upload.rate", "2GB/s", "batch.records", "1000")
	u := line.At(2 * Day).Usage()
	within(t, Bytes(r.number("A_remote_TB")*tb*0.99), u.Remote, Bytes(r.number("A_remote_TB")*tb*1.001), "remote of A")
	line = tieredRun(t, "retention.ms", "-1", "retention.bytes", "1000000000000", "local.retention.bytes", "200000000000",
		"produce", "50MB/s", "horizon", "12h", "batch.records", "100")
	u = line.At(12 * Hour).Usage()
	inflow := Bytes(50e6 * 300)
	within(t, Bytes(990*gb), u.Remote, Bytes(1000*gb)+GiB, "remote of B")
	within(t, Bytes(r.number("B_local_per_replica_GB")*gb)-GiB, u.Log, Bytes(r.number("B_local_per_replica_GB")*gb)+2*GiB+inflow, "local of B")
}

// R47: with local.retention.bytes=1 only the active segment is left once all is quiet.
func TestR47OneByteLocally(t *testing.T) {
	r := openReport(t, "R47")
	line := tieredRun(t, "retention.ms", "-1", "segment.bytes", "1048576", "local.retention.bytes", "1", "retention.bytes", "10000000000000",
		"log.retention.check.interval.ms", "10s", "produce", "1MiB/s", "produce.stop", "100s", "horizon", "10min")
	u := line.At(10 * Minute).Usage()
	within(t, 1, u.Log, r.bytes("local_after_quiet_max"), "the active segment")
	assert.Greater(t, u.Remote, 98*MiB)
	assert.EqualValues(t, 1, u.Segments)
}

// Every report of these classes has its test, here or with the check.
func TestEveryTieredCase(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "cases", "*.json"))
	require.NoError(t, err)
	var found []string
	for _, file := range files {
		id := strings.TrimSuffix(filepath.Base(file), ".json")
		if class := openReport(t, id).Class; class == "tiered" || class == "metadata" {
			found = append(found, id)
		}
	}
	assert.Equal(t, []string{"R39", "R41", "R42", "R44", "R45", "R47", "R49"}, found)
}

package calc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/trace"
)

// The workloads on which calculators were compared, with the most that is on disk at any instant: of recorded ones between
// the samples too. Reference: peers 2, without the rows of compaction.
func TestAccuracyOfRecordedWorkloads(t *testing.T) {
	for _, c := range []struct {
		file           string
		log, allocated calc.Bytes
	}{
		{"05a_retention_ms_steady", 10_209_996, 11_001_856},
		{"06a_retention_bytes_steady", 9_348_912, 10_125_312},
		{"06b_retention_bytes_less_than_segment", 2_152_710, 2_818_048},
		{"07_retention_ms_and_bytes", 8_028_180, 8_220_672},
		{"08a_retention_future_timestamp", 21_527_100, 21_856_256},
		{"09a_file_delete_delay_10min", 6_827_166, 12_812_288},
		{"11a_one_record_per_batch", 1_080_000, 1_110_016},
		{"11b_many_records_per_batch", 719_820, 737_280},
		{"14a_low_throughput_1h_vs_7d", 10_233_230, 10_280_960},
		{"16d_local_retention_ms_mock", 5_289_516, 6_004_736},
		{"16e_local_retention_remote_outage", 18_697_824, 19_611_648},
		{"26_empty_partition", 0, 8_192},
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "golden", "traces", c.file+".json"))
		require.NoError(t, err)
		recorded, err := trace.Decode(data)
		require.NoError(t, err)
		peak := calc.RunPlan(recorded.Plan(), calc.Regular{}, nil).Peak()
		assert.Equal(t, []calc.Bytes{c.log, c.allocated}, []calc.Bytes{peak.Log.Bytes, peak.Allocated.Bytes}, c.file)
		most := calc.Bytes(0)
		for _, s := range recorded.Samples {
			most = max(most, s.Size)
		}
		assert.LessOrEqual(t, most, peak.Log.Bytes, "%s: Kafka had more", c.file)
	}
}

// The reports' workloads as the comparison played them: steady batches of one size, checks 30 s after the start and every
// 5 minutes.
func TestAccuracyOfReportedWorkloads(t *testing.T) {
	defaults := func(change func(*calc.LogConfig)) calc.LogConfig {
		c := calc.DefaultLogConfig()
		change(&c)
		return c
	}
	for _, c := range []struct {
		name           string
		rate           int64 // bytes a second
		batch          calc.Bytes
		until          calc.Millis
		config         calc.LogConfig
		log, allocated calc.Bytes
	}{
		{"R07", 1_000, 10_000, 21 * calc.Day, defaults(func(c *calc.LogConfig) { c.RetentionMs = calc.Hour }),
			608_430_000, 609_734_656},
		{"R09", 3_000, 30_000, 28 * calc.Day, defaults(func(*calc.LogConfig) {}), 2_889_000_000, 2_891_141_120},
		{"R23", 100_000, 100_000, 2 * calc.Day,
			defaults(func(c *calc.LogConfig) { c.RetentionMs, c.RetentionBytes = calc.Hour, 50_000_000 }),
			1_152_300_000, 1_158_557_696},
		{"R25", 50_000_000, 500_000, 20 * calc.Minute,
			defaults(func(c *calc.LogConfig) { c.RetentionBytes = 8 * calc.GiB }), 23_985_500_000, 26_986_856_448},
		{"R44", 1_000_000, 1_000_000, 3 * calc.Day,
			defaults(func(c *calc.LogConfig) { c.RemoteStorage, c.LocalRetentionMs = true, 12*calc.Hour }),
			44_572_000_000, 44_633_391_104},
		{"R55", 160_000, 320_000, 30 * calc.Day, defaults(func(*calc.LogConfig) {}), 97_888_000_000, 97_904_574_464},
	} {
		run := calc.Append{Count: 1 << 40, IntervalNum: int64(c.batch) * 1000, IntervalDen: c.rate, Batch: c.batch, Records: 1,
			Batches: 1, Offset: -1, Producer: -1, Producers: 1}
		steps := calc.StepList{{At: 0, Do: run}}
		if c.config.RemoteStorage {
			steps = calc.StepList{{At: 0, Do: calc.CopyEvery{Period: 30 * calc.Second}}, steps[0]}
		}
		peak := calc.RunPlan(calc.Plan{Log: c.config, Broker: calc.DefaultBrokerConfig(), Version: calc.V4_3,
			Epoch: 1_700_000_000_000, Until: c.until, Steps: &steps}, calc.Regular{}, nil).Peak()
		assert.Equal(t, []calc.Bytes{c.log, c.allocated}, []calc.Bytes{peak.Log.Bytes, peak.Allocated.Bytes}, c.name)
	}
}

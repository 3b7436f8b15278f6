package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

func TestNudgedGoesByRoundNumbers(t *testing.T) {
	for _, c := range []struct {
		key, from string
		steps     int
		want      string
	}{
		{"partitions", "12", 1, "13"}, {"partitions", "1", -3, "1"}, {"partitions", "20", 2, "30"}, {"partitions", "97", 1, "100"},
		{"partitions", "20", -1, "19"}, {"replication.factor", "3", -1, "2"}, {"partitions", "1000000", 5, "1000000"},
		{"retention.ms", "7d", 1, "8d"}, {"retention.ms", "7d", -5, "2d"}, {"retention.ms", "2d", -1, "45h"}, {"retention.ms", "1h", 1, "65min"},
		{"retention.ms", "36h", 1, "40h"}, {"retention.ms", "0", -1, "0"}, {"retention.ms", "7d", 0, "7d"}, {"retention.ms", "168h", 0, "168h"},
		{"segment.bytes", "1GiB", 1, "1280MiB"}, {"segment.bytes", "1GiB", 4, "1792MiB"}, {"segment.bytes", "1GiB", -1, "896MiB"},
		{"retention.bytes", "50GiB", 1, "56GiB"}, {"retention.bytes", "50GiB", -1, "48GiB"}, {"segment.bytes", "1MiB", -9, "1MiB"},
		{"produce", "1MiB/s", 1, "1280KiB/s"}, {"produce", "5 records/s", 2, "7 records/s"},
	} {
		row, _, ok := calc.SettingOf(c.key)
		require.True(t, ok)
		got, ok := Nudged(&row, c.from, c.steps)
		require.True(t, ok, c)
		assert.Equal(t, c.want, got, "%v", c)
	}
	row, _, _ := calc.SettingOf("retention.bytes")
	for _, text := range []string{"-1", "x", "", "unlimited"} {
		_, ok := Nudged(&row, text, 1)
		assert.False(t, ok, text)
	}
}

// What a drag gives, Kafka takes, and further is more.
func TestNudgedStaysWithinBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.SampledFrom([]string{"partitions", "replication.factor", "retention.ms", "retention.bytes", "segment.bytes", "segment.ms", "produce",
			"file.delete.delay.ms", "log.retention.check.interval.ms"}).Draw(t, "key")
		row, _, _ := calc.SettingOf(key)
		text := calc.Defaults().Get(key)
		if text == "-1" {
			text = "50GiB"
		}
		last, ok := Nudged(&row, text, rapid.IntRange(-500, 500).Draw(t, "first"))
		require.True(t, ok)
		in := calc.Defaults()
		require.NoError(t, in.Set(key, last))
		up, ok := Nudged(&row, last, 1)
		require.True(t, ok)
		_ = in.Set(key, up)
		_, err := calc.NewScenario(in)
		for _, p := range calc.Problems(err) {
			if !strings.Contains(p.Problem, "simulated") { // too much of it is another matter
				require.NotEqual(t, key, p.Key, "%s: %s", up, p)
			}
		}
	})
}

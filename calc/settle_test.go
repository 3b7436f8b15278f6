package calc

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// badTexts are values that are wrong for most settings, each in a way of its own.
var badTexts = []string{
	"", " ", "-1", "-2", "-3", "−1", "0", "1", "2", "5", "13", "9223372036854775807", "9223372036854775808", "-9223372036854775808",
	"99999999999999999999999", "2147483647", "2147483648", "1.5", "0.5", ".5", "5.", "1e9", "1e3", "1,000", "1 000 000", "1.000.000",
	"1.000,5", "١٢٣", "７", "²", "0x10", "+5", "7d", "7 sek", "-1d", "3 months", "1M", "1us", "101y", "51y", "-51y", "1GiB", "1G", "5k",
	"1GB", "1Mb", "8EiB", "true", "yes", "off", "abc", "dlete", "compact,delet", "creattime", "leadr", "null", "unlimited", "forever",
	"200%", "-200%", "10001%", "1000000%", "2TiB/s", "1TiB/s", "5 MB", "5MB/m", "1/s", "0/s", "5.0", "2.7", "4", "4.3.1.1", "100,100", "8",
	"8:16:2", "1001x1:1", "5d", "1h:2", "a/b", "..", strings.Repeat("a", 300), "my topic",
}

// What is offered in place of a wrong value is taken: whatever is given, for whatever setting, on its own or beside others.
func TestNearestIsTaken(t *testing.T) {
	offered := 0
	bases := [][]string{
		{}, {"kafka.version", "2.8"}, {"kafka.version", "3.9"}, {"role", "follower"}, {"remote.storage.enable", "true"},
		{"timestamps", "fixed"}, {"timestamps", "none"}, {"produce", "100/s"}, {"burst.rate", "1MiB/s"}, {"backlog", "1GiB"},
		{"batch.records", "3"}, {"cleanup.policy", "compact"}, {"retention.bytes", "10GiB"}, {"produce.series", "0:1MiB/s,1h:2MiB/s"},
		{"message.timestamp.before.max.ms", "1h"}, {"max.message.bytes", "20000"},
	}
	if testing.Short() {
		bases = bases[:3]
	}
	for _, base := range bases {
		start := given(t, base...)
		for _, s := range slots {
			for _, text := range badTexts {
				in := start
				_ = in.Set(s.key, text)
				_, err := NewScenario(in)
				problems := Problems(err)
				for _, p := range problems {
					assert.NotEmpty(t, p.WayOut(), "%v: %v", base, p)
					if p.Nearest == "" {
						continue
					}
					offered++
					mended := in
					assert.NoError(t, mended.Set(p.Key, p.Nearest), "%v: %v", base, p)
					_, err := NewScenario(mended)
					for _, still := range Problems(err) {
						_, other := in.Given(still.Key)
						if still.Key == p.Key || len(problems) == 1 && !other {
							require.NoError(t, err, "%v: %s=%s: offers %s=%s", base, s.key, text, p.Key, p.Nearest)
						}
					}
				}
			}
		}
	}
	assert.Greater(t, offered, 500*len(bases))
}

// Of several mistakes each offer is taken in its turn.
func TestNearestOfSeveralIsTaken(t *testing.T) {
	in := Defaults()
	for _, s := range [][2]string{{"record.value", longMax}, {"segment.ms", "0"}, {"fetch.batches", "20000"}, {"produce.stop", "-1"},
		{"retention.ms", "-7"}, {"segment.bytes", "5"}, {"batch.records", longMax}} {
		_ = in.Set(s[0], s[1])
	}
	for range 10 {
		_, err := NewScenario(in)
		problems := Problems(err)
		if len(problems) == 0 {
			return
		}
		for _, p := range problems {
			require.NotEmpty(t, p.Nearest, "%v", p)
			_ = in.Set(p.Key, p.Nearest)
		}
	}
	t.Error("what was offered does not end in something right")
}

func TestKeysByOtherNames(t *testing.T) {
	for name, want := range map[string]string{
		"replicas": "replication.factor", "rf": "replication.factor", "partition": "partitions", "rate": "produce", "traffic": "produce",
		"retention": "retention.ms", "segment.size": "segment.bytes", "message.size": "record.value", "duration": "horizon",
		"segment_bytes": "segment.bytes", "KAFKA_LOG_RETENTION_HOURS": "log.retention.hours", "retention-ms": "retention.ms",
		"throughput": "produce", "version": "kafka.version", "replication-factor": "replication.factor", "roll.ms": "log.roll.ms",
	} {
		assert.Equal(t, want, NearestKey(name), name)
	}
	words := strings.Fields(aliases)
	for i := 0; i < len(words); i += 2 {
		assert.Contains(t, slotOf, words[i+1], "what %s stands for", words[i])
		assert.NotContains(t, slotOf, words[i])
	}
}

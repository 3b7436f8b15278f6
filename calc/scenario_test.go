package calc

import (
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBadInput has the mistakes that an error must name and show a way out of: what is given, and the start of each
// problem, in order.
func TestBadInput(t *testing.T) {
	const v39 = "kafka.version=3.9 "
	for _, c := range []struct{ input, want string }{
		{"retention.ms=-2", "retention.ms=-2: is below -1, which is the least: −1 is no limit; write -1"},
		{"retention.ms=", `retention.ms="": is empty; leave it out for 7d, or give a duration`},
		{"retention.ms=1.5", "retention.ms=1.5: is a fraction without a unit"},
		{"retention.ms=1e9", "retention.ms=1e9: has an exponent; write 1000000000"},
		{"retention.ms=604,800,000", "retention.ms=604,800,000: has thousands separators (','); write 604800000"},
		{"retention.ms=604_800_000", "retention.ms=604_800_000: has thousands separators ('_'); write 604800000"},
		{"retention.ms=٦٠٤", "retention.ms=٦٠٤: has the character '٦', which is not a digit from 0 to 9; write 604"},
		{"retention.ms=7sek", "retention.ms=7sek: sek is not a unit of time; write 7sec"},
		{"retention.ms=9223372036854775808", "retention.ms=9223372036854775808: is too large by 1"},
		{"segment.bytes=1.5", "segment.bytes=1.5: is a fraction without a unit: there is no part of a byte; write 1MiB"},
		{"segment.bytes=1,024", "segment.bytes=1,024: has thousands separators (','); write 1MiB"},
		{"partitions=1e9", "partitions=1e9: has an exponent; write 1000000"},
		{"retention.bytes=many", "retention.bytes=many: does not begin with a number but with many; give a size, as in 1GiB"},
		{"preallocate=maybe", "preallocate=maybe: is neither true nor false; give true or false, as in false"},
		{"retention.ms=soon", "retention.ms=soon: does not begin with a number but with soon; give a duration, as in 7d"},
		{"segment.bytes=2147483648", "segment.bytes=2147483648: is above 2147483647, the most that Kafka's 32 bits hold; write 2147483647"},
		{"segment.bytes=2GiB", "segment.bytes=2GiB: is above 2147483647"},
		{"segment.bytes=1048575", "segment.bytes=1048575: is below 1048576 (1MiB), the least from Kafka 4.1 on; write 1MiB"},
		{"segment.bytes=-1", "segment.bytes=-1: is negative; write 1MiB"},
		{v39 + "segment.bytes=13", "segment.bytes=13: is below 14, the least there is; write 2MiB, since 14 makes about"},
		{"kafka.version=4.0 log.segment.bytes=100000", "log.segment.bytes=100000: is below 1048576 (1MiB), the least from Kafka 4.0 on; write 1MiB"},
		{"kafka.version=4.1 log.segment.bytes=100000", "log.segment.bytes=100000: is below 1048576 (1MiB), the least from Kafka 4.0 on; write 1MiB"},
		{"segment.index.bytes=4", "segment.index.bytes=4: is less than one entry of the time index, 12 bytes: Kafka fails to create the log; write 4KiB, since 12 makes about"},
		{"segment.index.bytes=11", "segment.index.bytes=11: is less than one entry"},
		{"log.index.size.max.bytes=8", "log.index.size.max.bytes=8: is less than one entry"},
		{"index.interval.bytes=-1", "index.interval.bytes=-1: is negative; write 0"},
		{"log.retention.ms=0", "log.retention.ms=0: is 0, which a broker refuses: it must be −1 or at least 1; write 1"},
		{"log.retention.hours=0", "log.retention.hours=0: is 0"},
		{"log.retention.hours=2147483648", "log.retention.hours=2147483648: is above 2147483647"},
		{"log.retention.hours=90min", "log.retention.hours=90min: is not a whole number of hours, in which Kafka holds it; write 2"},
		{"log.roll.hours=0", "log.roll.hours=0: is below 1, the least there is; write 1"},
		{"segment.ms=0", "segment.ms=0: is below 1, the least there is; write 1"},
		{"cleanup.policy=delet", "cleanup.policy=delet: is not one of delete, compact; write delete"},
		{"cleanup.policy=,", "cleanup.policy=,: "}, // right from 4.2 on; see below
		{"preallocate=yes", "preallocate=yes: is neither true nor false; write true"},
		{"message.timestamp.type=createtim", "message.timestamp.type=createtim: is not one of CreateTime, LogAppendTime; write CreateTime"},
		{"kafka.version=5.0", "kafka.version=5.0: is newer than 4.4, the newest that the model knows; write 4.4"},
		{v39 + "message.timestamp.difference.max.ms=1h remote.copy.lag.ms=5", "remote.copy.lag.ms=5: Kafka 3.9 does not have it, only from 4.4 on; leave it out, or change kafka.version"},
		{"message.timestamp.difference.max.ms=1h", "message.timestamp.difference.max.ms=1h: Kafka 4.3 does not have it, only before 4.0; use message.timestamp.before.max.ms"},
		{"min.cleanable.dirty.ratio=1.5", "min.cleanable.dirty.ratio=1.5: is above"},

		{"record.value=2MiB", "record.value=2MiB: makes batches of 2097226 bytes, above max.message.bytes=1048588: Kafka refuses them (RecordTooLargeException)"},
		{"record.value=2MiB max.message.bytes=10MiB segment.bytes=1MiB", "record.value=2MiB: makes batches of 2097226 bytes, above segment.bytes=1048576: Kafka refuses them (RecordBatchTooLargeException)"},
		{"batch.records=2000", "batch.records=2000: makes batches of "},
		{"record.key=2147483647", "record.key=2147483647: makes a batch larger than 2147483647 bytes"},
		{"batch.size=2MiB linger.ms=1h produce=100MiB/s", "batch.size=2MiB: makes batches of "},
		{"role=follower fetch.batches=1000 segment.bytes=1MiB linger.ms=1s", "fetch.batches=1000: makes fetches of "},
		{"fetch.batches=10", "fetch.batches=10: is for a follower"},
		{"timestamp.shift=+2h", "timestamp.shift=+2h: is further ahead than message.timestamp.after.max.ms=1h: Kafka refuses the records"},
		{"timestamp.shift=-2h message.timestamp.before.max.ms=1h", "timestamp.shift=-2h: makes records older than"},
		{"timestamps=fixed message.timestamp.before.max.ms=1h", "timestamps=fixed: makes records older than"},
		{"timestamps=none timestamp.shift=1h", "timestamp.shift=1h: has nothing to shift"},
		{"backlog=1GiB backlog.age=2d message.timestamp.before.max.ms=1d", "backlog.age=2d: is above message.timestamp.before.max.ms=1d"},
		{"backlog=1GiB backlog.rate=0", "backlog.rate=0: is zero"},
		{"produce=1MiB/s burst.rate=5/s", "burst.rate=5/s: does not count what produce counts; give it in bytes, as in 5MiB/s"},
		{"burst.rate=1MiB/s burst.for=2d", "burst.for=2d: is longer than burst.every=1d; write 1d"},
		{"produce.start=2d produce.stop=1d", "produce.stop=1d: is not after produce.start=2d"},
		{"produce=1MiB", "produce=1MiB: does not say in what time; write 1MiB/s"},
		{"produce=2TiB/s", "produce=2TiB/s: is above 1 TiB/s"},
		{"produce.daily=1,2,3,4,5,6,7", "produce.daily=1,2,3,4,5,6,7: has 7 percents; give 1 to 24"},
		{"produce.daily=50,x", "produce.daily=50,x: entry 2, x, does not begin with a number but with x"},
		{"produce.weekly=1,2", "produce.weekly=1,2: has 2 percents; give 7"},
		{"produce.growth=10%|horizon=100y", "produce.growth=10%: grows the rate above the most that is simulated"},
		{"produce.series=0:1MiB/s,1h:2MiB/s,1h:3MiB/s", "produce.series=0:1MiB/s,1h:2MiB/s,1h:3MiB/s: entry 3, 1h:3MiB/s, is not later than the one before it, 1h; sort"},
		{"produce.series=0:1MiB/s,1h:2/s", "produce.series=0:1MiB/s,1h:2/s: entry 2, 1h:2/s, mixes bytes and records"},
		{"produce.series=1h", "produce.series=1h: entry 1, 1h, has no colon"},
		{"produce.series=0:1MiB/s|produce=2MiB/s", "produce=2MiB/s: does not go with produce.series"},
		{"record.headers=8", "record.headers=8: entry 1, 8, has no colon; write the lengths"},
		{"compression.ratio=4", "compression.ratio=4: says that records grow"},
		{"horizon=101y", "horizon=101y: is above 3153600000000 (36500d), the most there is; write 36500d"},
		{"horizon=0", "horizon=0: is below 1"},
		{"steps=5d", "steps=5d: entry 1, 5d, does not say what happens then"},
		{"steps=5d|explode", "steps=5d explode: entry 1, 5d explode, has explode, which is nothing that can happen"},
		{"steps=5d|restart|1m|2m", "steps=5d restart 1m 2m: entry 1, 5d restart 1m 2m, has more after restart than it takes: 2m"},
		{"steps=5d|restrat", "steps=5d restrat: entry 1, 5d restrat, has restrat, which is nothing that can happen; write restart there"},
		{"steps=5d|retention.ms=-5", "steps=5d retention.ms=-5: retention.ms=-5 is below -1, which is the least: −1 is no limit; write -1"},
		{"steps=5d|retnetion.ms=5", "steps=5d retnetion.ms=5: retnetion.ms is no setting; did you mean retention.ms?"},
		{"steps=5d|log.retention.ms=5", "steps=5d log.retention.ms=5: log.retention.ms is a broker's setting; use the topic's, retention.ms"},
		{"steps=5d|max.message.bytes=100", "batch"}, // see below
		{"remote.storage.enable=true local.retention.ms=8d", "local.retention.ms=8d: is above retention.ms=7d: Kafka refuses it; write 7d"},
		{"remote.storage.enable=true local.retention.ms=-1", "local.retention.ms=-1: keeps more locally than retention.ms=7d keeps in all: Kafka refuses it; write -2"},
		{"remote.storage.enable=true retention.bytes=1GiB local.retention.bytes=2GiB", "local.retention.bytes=2GiB: is above retention.bytes=1GiB: Kafka refuses it; write 1GiB"},
		{"remote.storage.enable=true cleanup.policy=compact", "remote.storage.enable=true: a tiered topic cannot be compacted: Kafka refuses it"},
		{"min.compaction.lag.ms=2h max.compaction.lag.ms=1h", "min.compaction.lag.ms=2h: is above max.compaction.lag.ms; write 1h"},

		{"log.retention.check.interval.ms=1", "log.retention.check.interval.ms=1: makes about 2590000000 events within horizon=30d, above the 50000000 that are simulated"},
		{"segment.ms=1 produce=1000/s linger.ms=0 horizon=1y", "segment.ms=1: makes about "},
		{"burst.rate=1KiB/s burst.every=10 burst.for=5 horizon=1y", "burst.every=10: makes about "},
		{"retention.ms=-1 horizon=10y produce=100MiB/s segment.bytes=10MiB", "segment.bytes=10MiB: makes about "},
		{"retention.ms=-1 horizon=1y produce=100MiB/s segment.bytes=1GiB", "segment.bytes=1GiB: makes about 3320000 segments at a time"},
		{"steps=1d|segment.bytes=1MiB horizon=1y produce=100MiB/s", "steps=1d segment.bytes=1MiB: with segment.bytes makes about "},
	} {
		in := Defaults()
		for pair := range strings.FieldsSeq(c.input) {
			for part := range strings.SplitSeq(pair, "|") { // a space in a value, or a further pair
				key, value, ok := strings.Cut(part, "=")
				if steps, given := in.Given("steps"); given && strings.HasPrefix(pair, "steps") {
					key, value = "steps", steps+" "+part
				} else if !ok {
					key, value = "steps", part
				}
				_ = in.Set(key, value)
			}
		}
		_, err := NewScenario(in)
		switch c.input {
		case "cleanup.policy=,":
			require.NoError(t, err)
			require.NoError(t, in.Set("kafka.version", "4.1"))
			_, err = NewScenario(in)
			require.ErrorContains(t, err, "is empty, which Kafka takes only from 4.2 on")
			continue
		case "steps=5d|max.message.bytes=100":
			require.ErrorContains(t, err, "at 5d makes Kafka refuse the traffic: ")
			continue
		}
		require.Error(t, err, c.input)
		problems := Problems(err)
		require.Len(t, problems, 1, "%s: %v", c.input, err)
		assert.True(t, strings.HasPrefix(problems[0].Error(), c.want), "%s:\ngot  %s\nwant %s", c.input, problems[0], c.want)
		assert.NotEmpty(t, problems[0].WayOut(), "%s has no way out: %s", c.input, problems[0])
	}
}

// Each wrong entry of a list is told, with the way out, and those that can be read are looked at with them.
func TestEveryEntryOfAList(t *testing.T) {
	for _, c := range []struct {
		key, text string
		want      []string // words of each problem
	}{
		{"steps", "1x retention.ms=1h; 5d boom; 6d retention.ms=2h; 7d restart 5q; 8d retension.ms=1h; 9d retention.ms=-7",
			[]string{"entry 1, 1x", "entry 2, 5d boom", "entry 4, 7d restart 5q", "8d retension.ms=1h: ", "9d retention.ms=-7: "}},
		{"produce.series", "0:1MiB/s,1x:2MiB/s,2h,1h:zzz,3h:5rec/s,0:1kB/s,4h:2MiB/s",
			[]string{"entry 2, 1x", "entry 3, 2h, has no colon", "entry 4, 1h:zzz", "entry 5, 3h:5rec/s, mixes", "entry 6, 0:1kB/s, is not later"}},
		{"produce.daily", "100,x,-1,99999999", []string{"entry 2, x", "entry 3, -1", "entry 4, 99999999, is above"}},
		{"record.headers", "8:16,x:1,3", []string{"entry 2, x:1", "entry 3, 3, has no colon"}},
		{"cleanup.policy", "delete,keep,compat", []string{"entry 2, keep", "entry 3, compat"}},
		{"steps", strings.Repeat("1x restart;", 500), append(slices.Repeat([]string{"1x restart"}, 20), "has 480 more entries that are wrong, the first of them entry 21")},
	} {
		in := Defaults()
		require.Error(t, in.Set(c.key, c.text), c.text)
		_, err := NewScenario(in)
		problems := Problems(err)
		require.Len(t, problems, len(c.want), c.text)
		for i, p := range problems {
			assert.Contains(t, p.Problem, c.want[i])
			assert.Equal(t, c.key, p.Key)
			assert.Equal(t, c.text, p.Value, "nothing of it is lost")
			assert.NotEmpty(t, p.WayOut(), p.Problem)
		}
	}
	large := strings.Repeat("0:x         ,", 90_000)
	in := Defaults()
	require.Error(t, in.Set("produce.series", large))
	_, err := NewScenario(in)
	assert.Len(t, Problems(err), 2, "of a long text little is told")
}

// TestAllAtOnce checks that problems of several settings are all reported, in the order of the table.
func TestAllAtOnce(t *testing.T) {
	in := Defaults()
	set(&in, "segment.bytes", "5", "retention.ms", "-7", "produce", "fast", "log.retention.hours", "0", "record.value", "x", "steps", "1d restrat; 2d boom")
	_, err := NewScenario(in)
	var keys []string
	for _, p := range Problems(err) {
		keys = append(keys, p.Key)
	}
	assert.Equal(t, []string{"produce", "record.value", "retention.ms", "log.retention.hours", "segment.bytes", "steps", "steps"}, keys)
}

// TestLargestValues checks that the largest values that are allowed neither overflow nor take long.
func TestLargestValues(t *testing.T) {
	start := time.Now()
	for _, pairs := range [][]string{
		{"retention.ms", longMax, "retention.bytes", longMax, "file.delete.delay.ms", longMax, "segment.ms", longMax},
		{"segment.bytes", "2147483647", "segment.index.bytes", "2147483647", "index.interval.bytes", "2147483647"},
		{"log.retention.check.interval.ms", longMax, "log.initial.task.delay.ms", longMax},
		{"horizon", "100y", "produce", "1KiB/s"}, {"linger.ms", longMax, "produce", "1TiB/s", "horizon", "1s"},
		{"produce", "1/365d", "horizon", "100y"}, {"burst.every", longMax, "burst.rate", "1MiB/s"}, {"backlog", "100TiB", "backlog.rate", "1TiB/s"},
		{"produce.growth", "-99.99%", "horizon", "100y"}, {"compression.ratio", "0.000000001", "horizon", "1h"}, {"produce.daily", "10000%", "produce.weekly", "10000%", "horizon", "1d"},
		{"producers", "10000"}, {"retention.bytes", "-9223372036854775808"}, {"produce.stop", longMax}, {"segment.jitter.ms", longMax},
	} {
		s := scenario(t, pairs...)
		for _, window := range []Millis{0, Day, math.MaxInt64} {
			assert.GreaterOrEqual(t, s.MostBytes(window), Bytes(0), "%v", pairs)
		}
		src := s.Plan().Steps
		for range 1000 {
			if _, ok := src.Next(); !ok {
				break
			}
		}
	}
	for key := range allKeys() {
		for _, text := range []string{longMax, "9223372036854775808", "-9223372036854775808", strings.Repeat("9", 1<<20), strings.Repeat("1,", 1<<20), strings.Repeat("x", 1<<20)} {
			in := Defaults()
			if err := in.Set(key, text); err != nil {
				assert.Less(t, len(err.Error()), 1000, key)
			}
			_, err := NewScenario(in)
			for _, p := range Problems(err) {
				assert.Less(t, len(p.Error()), 1000, key)
			}
		}
	}
	assert.Less(t, time.Since(start), 20*time.Second)
}

func TestNotFollowed(t *testing.T) {
	s := scenario(t, "cleanup.policy", "compact,delete", "flush.ms", "1s", "compression.type", "zstd", "min.insync.replicas", "2", "log.cleaner.threads", "4",
		"retention.ms", "1d", "min.cleanable.dirty.ratio", "0.5")
	var keys []string
	for _, n := range s.NotFollowed() {
		keys = append(keys, n.Key)
		assert.NotEmpty(t, n.Why)
	}
	assert.Equal(t, []string{"cleanup.policy", "log.cleaner.threads", "compression.type", "flush.ms", "min.insync.replicas"}, keys)

	s = scenario(t, "horizon", "30d", "steps", "60d retention.ms=1h; 5d restart 1s")
	require.Len(t, s.NotFollowed(), 1)
	assert.Equal(t, "what comes at 60d is after the end, horizon=30d", s.NotFollowed()[0].Why)

	// Steps that copy do so where there is a remote store.
	s = scenario(t, "steps", "1h copied-to 5")
	require.Len(t, s.NotFollowed(), 1)
	assert.Equal(t, "copied-to and copy-every do nothing without remote.storage.enable=true", s.NotFollowed()[0].Why)
	s = scenario(t, "steps", "1h remote.storage.enable=true; 2h copied-to 5")
	assert.Empty(t, s.NotFollowed())
}

// What is refused or accepted at the last millisecond, and many producers in a follower's fetches, must not make the model
// go call by call.
func TestCostIsPerSegment(t *testing.T) {
	for _, pairs := range [][]string{
		{"timestamps", "fixed", "message.timestamp.after.max.ms", "0"},
		{"timestamps", "fixed", "message.timestamp.before.max.ms", "36500d"},
		{"timestamp.shift", "1h", "retention.ms", "-1"},
		{"timestamps", "none", "role", "follower", "fetch.batches", "2", "producers", "1000"},
		{"kafka.version", "3.0", "role", "follower", "fetch.batches", "10", "index.interval.bytes", "1", "record.value", "1KiB"},
	} {
		s := scenario(t, append(pairs, "horizon", "100d", "produce", "1000/s", "linger.ms", "0", "record.value", "0")...)
		sim := NewSimulation(s.Plan())
		steps := int64(0)
		for _, ok := sim.Next(); ok && steps <= 2*s.EventBound(); _, ok = sim.Next() {
			sim.Step()
			steps++
		}
		assert.LessOrEqual(t, steps, 2*s.EventBound(), "%v", pairs) // appends between events
	}
}

// TestEventsAreBounded checks the estimate of events against those that happen.
func TestEventsAreBounded(t *testing.T) {
	for _, pairs := range [][]string{
		{}, {"segment.bytes", "1MiB", "retention.ms", "1h"}, {"segment.ms", "1min"}, {"segment.index.bytes", "12KiB", "horizon", "3d"},
		{"burst.rate", "100MiB/s", "burst.for", "1min", "burst.every", "1h"}, {"produce.growth", "50%", "horizon", "300d"},
		{"produce.daily", "0,400", "retention.ms", "1h"}, {"backlog", "100GiB", "backlog.age", "30d", "segment.bytes", "10MiB"},
		{"segment.jitter.ms", "1h", "segment.ms", "1h"}, {"produce", "100/s", "linger.ms", "0", "segment.bytes", "1MiB"},
		{"retention.bytes", "10MiB", "retention.ms", "-1", "segment.bytes", "1MiB"},
		{"segment.index.bytes", "12", "produce", "1/s", "horizon", "3d", "retention.ms", "1d"},
		{"retention.ms", "1", "produce", "1/s", "log.retention.check.interval.ms", "2s", "file.delete.delay.ms", "1d", "horizon", "3d"},
		{"retention.bytes", "0", "log.retention.check.interval.ms", "10s", "file.delete.delay.ms", "1d", "horizon", "3d"},
		{"timestamps", "fixed", "retention.ms", "1h", "log.retention.check.interval.ms", "10s", "file.delete.delay.ms", "1d", "horizon", "3d"},
		{"timestamp.shift", "-2h", "retention.ms", "1h", "log.retention.check.interval.ms", "10s", "file.delete.delay.ms", "1d", "horizon", "3d"},
		{"cleanup.policy", "compact", "retention.bytes", "10MiB", "segment.bytes", "1MiB", "horizon", "1d"},
		{"retention.bytes", "1MiB", "steps", "1h hold-high-watermark", "horizon", "2d"},
		{"retention.bytes", "1MiB", "log.initial.task.delay.ms", "1d", "horizon", "2d"},
		{"compression.ratio", "1000:1", "record.value", "1", "horizon", "3d"},
		{"remote.storage.enable", "true", "produce", "50MiB/s", "remote.upload.rate", "10MiB/s", "segment.bytes", "100MiB", "local.retention.ms", "1h", "horizon", "2d"},
	} {
		s := scenario(t, pairs...)
		sim := NewSimulation(s.Plan())
		events, segments := int64(0), int64(0)
		for _, ok := sim.Next(); ok; _, ok = sim.Next() {
			events += int64(len(sim.Step()))
			segments = max(segments, int64(sim.log.segments.len()+sim.log.deleted.len()))
		}
		assert.GreaterOrEqual(t, s.EventBound(), events, "%v", pairs)
		live := int64(2)
		for _, l := range s.eventLoad(&s.log) {
			live += l.live
		}
		assert.GreaterOrEqual(t, live, segments*9/10, "%v", pairs)
	}
}

// What is written instead of a setting that makes too much does for all limits at once: of events, which is told first, and
// of segments.
func TestNearestDoesForEveryLimit(t *testing.T) {
	for _, input := range []string{"segment.ms=5", "segment.ms=1 retention.ms=0", "segment.index.bytes=12", "log.retention.check.interval.ms=1"} {
		in := Defaults()
		var key string
		for pair := range strings.FieldsSeq(input) {
			k, value, _ := strings.Cut(pair, "=")
			require.NoError(t, in.Set(k, value))
			if key == "" {
				key = k
			}
		}
		_, err := NewScenario(in)
		problems := Problems(err)
		require.Len(t, problems, 1, input)
		require.Equal(t, key, problems[0].Key)
		require.NotEmpty(t, problems[0].Nearest, "%s: %s", input, err)
		require.NoError(t, in.Set(key, problems[0].Nearest))
		_, err = NewScenario(in)
		assert.NoError(t, err, "%s, mended", input)
	}
}

// A backlog counts for what of it comes before the end: one without end is no more than its rate.
func TestBacklogBeyondTheHorizon(t *testing.T) {
	in := Defaults()
	require.NoError(t, in.Set("produce", "0/s"))
	require.NoError(t, in.Set("backlog", "9223372036854775807"))
	s, err := NewScenario(in)
	require.NoError(t, err)
	in = Defaults()
	require.NoError(t, in.Set("produce", "100MiB/s"))
	steady, err := NewScenario(in)
	require.NoError(t, err)
	backlog, _ := s.work.total()
	rate, _ := steady.work.total()
	assert.InEpsilon(t, rate, backlog, 0.001, "30 days of backlog.rate, 100 MiB/s")
}

package calc

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// set gives an input keys and values in turn, and is its errors.
func set(in *Input, pairs ...string) (errs []*FieldError) {
	for i := 0; i < len(pairs); i += 2 {
		if err := in.Set(pairs[i], pairs[i+1]); err != nil {
			errs = append(errs, err.(*FieldError))
		}
	}
	return errs
}

// given is an input with keys and values in turn.
func given(t require.TestingT, pairs ...string) Input {
	in := Defaults()
	require.Empty(t, set(&in, pairs...))
	return in
}

// scenario is the scenario of keys and values in turn.
func scenario(t require.TestingT, pairs ...string) Scenario {
	s, err := NewScenario(given(t, pairs...))
	require.NoError(t, err)
	return s
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range slots {
		assert.False(t, seen[s.key], "%s is twice in the table", s.key)
		seen[s.key] = true
	}
	for i, row := range settings {
		for _, v := range []Version{V2_8, 30600, 30902, V4_0, V4_1, V4_3, V4_4} {
			in := row.In(v)
			if in.Default == "" || row.Kind == KindSteps {
				continue
			}
			assert.Nil(t, slot{row.Key, i, -1}.check(in.Default, v), "the default of %s in %s", row.Key, v)
		}
		assert.NotEmpty(t, row.Label, row.Key)
		assert.True(t, strings.HasSuffix(row.Doc, "."), row.Key)
		assert.NotEmpty(t, row.Source, row.Key)
		assert.NotEmpty(t, row.Group, row.Key)
		assert.Equal(t, row.Followed, row.Why == "", row.Key)
		assert.NotEqual(t, "", row.Kind.String(), row.Key)
	}
}

// TestDefaultsAgree checks the table against the defaults of the log and the broker, which are those of 4.3.
func TestDefaultsAgree(t *testing.T) {
	s := scenario(t)
	assert.Equal(t, DefaultLogConfig(), s.Log())
	assert.Equal(t, DefaultBrokerConfig(), s.Broker())
}

func TestVersionDefaults(t *testing.T) {
	for _, c := range []struct{ version, key, want string }{
		{"4.3", "linger.ms", "5"}, {"3.9", "linger.ms", "0"}, {"2.8", "enable.idempotence", "false"}, {"3.0", "enable.idempotence", "true"},
		{"3.9.2", "message.timestamp.after.max.ms", longMax}, {"4.0", "message.timestamp.after.max.ms", "1h"},
		{"3.3", "producer.id.expiration.ms", "7d"}, {"3.4", "producer.id.expiration.ms", "1d"},
	} {
		assert.Equal(t, c.want, given(t, "kafka.version", c.version).Get(c.key), "%s in %s", c.key, c.version)
	}
}

// TestPrecedence checks that what is given for the topic wins over the broker, and ms over minutes over hours, in every
// order of giving them.
func TestPrecedence(t *testing.T) {
	all := [][2]string{{"retention.ms", "1000"}, {"log.retention.ms", "2000"}, {"log.retention.minutes", "3"}, {"log.retention.hours", "4"}}
	want := []Millis{1000, 2000, 3 * Minute, 4 * Hour}
	for first := range all {
		for _, order := range [][]int{{0, 1, 2, 3}, {3, 2, 1, 0}, {2, 0, 3, 1}, {1, 3, 0, 2}} {
			in := Defaults()
			for _, i := range order {
				if i >= first {
					require.NoError(t, in.Set(all[i][0], all[i][1]))
				}
			}
			s, err := NewScenario(in)
			require.NoError(t, err)
			assert.Equal(t, want[first], s.Log().RetentionMs)
		}
	}
	assert.Equal(t, "4h", given(t, "log.retention.hours", "4").Get("retention.ms"), "what the topic inherits")
}

func TestBrokerValues(t *testing.T) {
	for _, c := range []struct {
		key, text string
		want      Millis
	}{
		{"log.retention.hours", "-1", Unlimited}, {"log.retention.hours", "-7", Unlimited}, {"log.retention.ms", "-5", Unlimited},
		{"log.retention.minutes", "90", 90 * Minute}, {"log.retention.hours", "7d", 7 * Day}, {"log.retention.ms", "1", 1},
	} {
		assert.Equal(t, c.want, scenario(t, c.key, c.text).Log().RetentionMs, "%s=%s", c.key, c.text)
	}
	s := scenario(t, "log.roll.hours", "2", "log.segment.bytes", "100MiB", "log.index.size.max.bytes", "4096", "message.max.bytes", "2MiB",
		"log.cleanup.policy", "delete", "log.segment.delete.delay.ms", "5s", "log.roll.jitter.hours", "1", "log.preallocate", "TRUE",
		"num.partitions", "12", "default.replication.factor", "3")
	assert.Equal(t, 2*Hour, s.Log().SegmentMs)
	assert.Equal(t, 100*MiB, s.Log().SegmentBytes)
	assert.Equal(t, Bytes(4096), s.Log().SegmentIndexBytes)
	assert.Equal(t, 2*MiB, s.Log().MaxMessageBytes)
	assert.Equal(t, Hour, s.Log().SegmentJitterMs)
	assert.Equal(t, 5*Second, s.Log().FileDeleteDelayMs)
	assert.Equal(t, 5*Second, s.Broker().SegmentDeleteDelay)
	assert.True(t, s.Log().Preallocate)
	assert.Equal(t, int64(12), s.Partitions())
	assert.Equal(t, int64(3), s.ReplicationFactor())
}

func TestUnknownKey(t *testing.T) {
	in := Defaults()
	for key, want := range map[string]string{
		"retnetion.ms": "retention.ms", "log.segment.ms": "log.retention.ms", "segment.byte": "segment.bytes", "Retention.ms": "retention.ms",
		"completely.different": "", "log.retention.hour": "log.retention.hours",
	} {
		err := in.Set(key, "5")
		require.Error(t, err, key)
		field := err.(*FieldError)
		if key == "log.segment.ms" {
			assert.NotEmpty(t, field.Nearest, key)
			continue
		}
		assert.Equal(t, want, field.Nearest, key)
		text, ok := in.Given(key)
		assert.True(t, ok && text == "5", "what was typed is kept")
	}
	assert.Equal(t, 6, len(maps.Collect(in.Changed())))
	s, err := NewScenario(in)
	require.NoError(t, err)
	assert.Len(t, s.NotFollowed(), 6)
}

func TestTypedTextIsKept(t *testing.T) {
	in := Defaults()
	before := in
	require.Error(t, in.Set("retention.ms", " 1,000 "))
	assert.Equal(t, " 1,000 ", in.Get("retention.ms"))
	assert.Equal(t, "7d", before.Get("retention.ms"), "a copy does not change")
	in.Reset("retention.ms")
	assert.Equal(t, before, in)
}

func TestChanged(t *testing.T) {
	in := given(t, "segment.bytes", "1GiB", "retention.ms", "1d", "horizon", "720h", "linger.ms", "5", "kafka.version", "4.3")
	assert.Equal(t, map[string]string{"retention.ms": "1d", "horizon": "720h"}, maps.Collect(in.Changed()))
	in = given(t, "retention.ms", "7d", "log.retention.hours", "1")
	assert.Equal(t, map[string]string{"retention.ms": "7d", "log.retention.hours": "1"}, maps.Collect(in.Changed()))
}

// someText draws a text for a setting: often right, sometimes not.
func someText(t *rapid.T, row *Setting) string {
	if rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
		return rapid.SampledFrom([]string{"", " ", "abc", "-1", "1,000", "9223372036854775808", "1e9", "true", "7 sek", "null", row.Default}).Draw(t, "text")
	}
	switch row.Kind {
	case KindSize, KindLength:
		return Bytes(rapid.Int64Range(0, 1<<31-1).Draw(t, "bytes")).Text()
	case KindDuration:
		return Millis(rapid.Int64Range(0, int64(100*Day)).Draw(t, "ms")).Text()
	case KindShift:
		return rapid.SampledFrom([]string{"0", "-10min", "+1h", "5s"}).Draw(t, "shift")
	case KindCount:
		return Bytes(rapid.Int64Range(0, 100).Draw(t, "count")).Text()
	case KindFlag:
		return rapid.SampledFrom([]string{"true", "false"}).Draw(t, "flag")
	case KindWord, KindWords:
		return rapid.SampledFrom(row.Words).Draw(t, "word")
	case KindRate:
		return rapid.SampledFrom([]string{"1MiB/s", "100/s", "5 MB/s", "0/s", "10 records/min"}).Draw(t, "rate")
	case KindRatio:
		return rapid.SampledFrom([]string{"1", "4:1", "25%"}).Draw(t, "ratio")
	case KindVersion:
		return rapid.SampledFrom([]string{"2.8", "3.3", "3.6", "3.9", "4.0", "4.1", "4.3", "4.4"}).Draw(t, "version")
	case KindHeaders:
		return rapid.SampledFrom([]string{"", "8:16", "3x4:null"}).Draw(t, "headers")
	case KindWeights:
		return rapid.SampledFrom([]string{"100", "50,150", "100,100,100,100,100,50,50"}).Draw(t, "weights")
	case KindPercent:
		return rapid.SampledFrom([]string{"0%", "5%", "-10%"}).Draw(t, "percent")
	case KindSeries:
		return rapid.SampledFrom([]string{"", "0:1MiB/s,1h:2MiB/s", "1h:100/s"}).Draw(t, "series")
	case KindSteps:
		return rapid.SampledFrom([]string{"", "5d retention.ms=1h", "1d restart 60s; 2d delete-records 100"}).Draw(t, "steps")
	}
	return row.Default
}

// someInput draws an input with any settings given.
func someInput(t *rapid.T) Input {
	in := Defaults()
	for range rapid.IntRange(0, 12).Draw(t, "settings") {
		s := rapid.SampledFrom(slots).Draw(t, "key")
		text := someText(t, &settings[s.row])
		if s.synonym >= 0 && rapid.Bool().Draw(t, "plain") {
			text = "3"
		}
		_ = in.Set(s.key, text)
	}
	if rapid.IntRange(0, 4).Draw(t, "unknown") == 0 {
		_ = in.Set("no.such.key", "x")
	}
	return in
}

// TestChangedGivesTheSame checks that what differs from the defaults, set on the defaults, in any order, is the same input:
// it reads the same everywhere, and makes the same scenario or the same problems.
func TestChangedGivesTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := someInput(t)
		type pair struct{ k, v string }
		var pairs []pair
		for k, v := range in.Changed() {
			pairs = append(pairs, pair{k, v})
		}
		same := Defaults()
		for _, p := range rapid.Permutation(pairs).Draw(t, "order") {
			_ = same.Set(p.k, p.v)
		}
		for _, s := range slots {
			require.Equal(t, in.Get(s.key), same.Get(s.key), s.key)
		}
		require.Equal(t, maps.Collect(in.Changed()), maps.Collect(same.Changed()))
		a, errA := NewScenario(in)
		b, errB := NewScenario(same)
		require.Equal(t, errA, errB)
		if errA == nil {
			require.Equal(t, a.Plan(), b.Plan())
		}
	})
}

// TestProblemsAreInOrder checks that every problem names its key, keeps what was given, and comes in the order of the table.
func TestProblemsAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		_, err := NewScenario(someInput(t))
		if err == nil {
			return
		}
		problems := Problems(err)
		require.NotEmpty(t, problems)
		require.True(t, slices.IsSortedFunc(problems, func(a, b *FieldError) int { return slotOf[a.Key] - slotOf[b.Key] }))
		for _, p := range problems {
			require.Contains(t, slotOf, p.Key)
			require.NotEmpty(t, p.Problem)
			require.True(t, strings.HasPrefix(p.Error(), p.Key+"="))
		}
	})
}

func FuzzSet(f *testing.F) {
	for _, row := range settings {
		f.Add(row.Key, row.Default)
	}
	f.Add("steps", "5d retention.ms=1h; 2d record-timestamp +10y")
	f.Add("produce.series", "0:1MiB/s,1h:2MiB/s")
	f.Fuzz(func(t *testing.T, key, text string) {
		in := Defaults()
		err := in.Set(key, text)
		if got, ok := in.Given(key); !ok || got != text {
			t.Errorf("%q is not kept", text)
		}
		if err != nil && len(err.Error()) > 4000 {
			t.Errorf("the error is %d bytes long", len(err.Error()))
		}
		if s, err := NewScenario(in); err == nil {
			p := s.Plan()
			for range 100 {
				if _, ok := p.Steps.Next(); !ok {
					break
				}
			}
		}
	})
}

// What is offered instead of a wrong text is right: whatever the setting and the mistake, writing it ends the complaint.
func TestWaysOutAreRight(t *testing.T) {
	mistakes := []string{
		"-5", "-1d", "-1.5", "-7MiB", "-2", "", "9223372036854775807", "9223372036854775808", "18446744073709551616", "1.5", "0.0001", "1e3", "1e400", "1,000", "1 000", "1.000.000", "1_000",
		"٧", "１MiB/s", "१२", "7MiB", "5min", "5x", "0x10", "+5", "NaN", "null", "2147483648", "0", "11", "5/s", "9223372036854775808B/s", "1PiB/s", "5MiB", "-3/s", "1/4", "150%", "true", "yes", "9.9", "4", "2.0",
	}
	for _, s := range slots {
		for _, text := range mistakes {
			err := s.check(text, anyVersion)
			if err == nil {
				continue
			}
			assert.NotEmpty(t, err.WayOut(), "%s=%s: %s", s.key, text, err.Problem)
			if err.Nearest != "" {
				assert.Nil(t, s.check(err.Nearest, anyVersion), "%s=%s: %s; nearest %s", s.key, text, err.Problem, err.Nearest)
			}
		}
	}
}

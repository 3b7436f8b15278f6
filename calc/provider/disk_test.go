package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

const gb = calc.Bytes(1_000_000_000)

// even is a topic with even traffic, in bytes a second for each partition.
func even(name string, partitions int64, rate calc.ByteRate, settings ...string) Topic {
	t := Topic{Name: name, Partitions: partitions, Traffic: &Traffic{Mean: rate, Busiest: rate}}
	for i := 0; i < len(settings); i += 2 {
		if err := t.Set(settings[i], settings[i+1]); err != nil {
			panic(err)
		}
	}
	return t
}

func apsara(t *testing.T, options string, topics ...Topic) Request {
	t.Helper()
	r, err := Parse(&apsaraMQ, options)
	require.NoError(t, err)
	r.Topics = topics
	return r
}

func days(m calc.Millis) float64 { return float64(m) / float64(calc.Day) }

// Case R37: from 83 % on one purge takes up to 10 % of each partition, in whole segments: 756 GB become 680.4 to 684 GB.
func TestLocalStoragePurges(t *testing.T) {
	r := apsara(t, "plan=local-storage disk=900GB stored=31500MB", even("t", 24, 0, "segment.bytes", "1GB", "retention.ms", "168h"))
	d, err := PlayDisk(r, calc.Hour)
	require.NoError(t, err)
	require.Len(t, d.Marks, 1)
	m := d.Marks[0]
	assert.Equal(t, Purge, m.Kind)
	assert.Equal(t, calc.Millis(0), m.At)
	assert.Equal(t, int64(72), m.Segments, "three of each of 24 partitions")
	assert.GreaterOrEqual(t, m.Used, calc.Bytes(680_400_000_000))
	assert.LessOrEqual(t, m.Used, 684*gb)
	assert.Equal(t, "76.0", percent(int64(m.Used), int64(d.Size)))
	// The source does not say how a tenth is rounded: both ends are told.
	assert.Equal(t, 72*gb, m.Freed)
	assert.Equal(t, calc.Bytes(75_600_000_000), m.FreedMost, "a tenth of 756 GB")
	assert.Equal(t, calc.Bytes(680_400_000_000), m.Used-(m.FreedMost-m.Freed))
	assert.Contains(t, strings.Join(d.Assumed, "\n"), "so that 634 GiB (680 GB) to 637 GiB (684 GB) stay in use")
	// The cloud's thresholds are others, and are not mixed in.
	r = apsara(t, "plan=cloud-storage disk=900GB stored=31500MB", even("t", 24, 0, "segment.bytes", "1GB", "retention.ms", "168h"))
	d, err = PlayDisk(r, calc.Hour)
	require.NoError(t, err)
	assert.Empty(t, d.Marks, "84 % is below 85, and nothing has expired")
}

// Case R38: with 1 kB/s a segment of 1 GB takes 11.6 days to fill, so the oldest record gets fill + 72 h + the wait for
// 04:00. Kafka itself would expire the idle segment by time.
func TestLowRateKeepsExpired(t *testing.T) {
	for _, c := range []struct {
		segment     string
		least, most float64
	}{{"1GB", 14.57, 15.58}, {"1GiB", 15.4, 16.44}} {
		r := apsara(t, "disk=900GB", even("t", 1, 1000, "segment.bytes", c.segment))
		d, err := PlayDisk(r, 17*calc.Day)
		require.NoError(t, err)
		require.NotEmpty(t, d.Marks)
		assert.Equal(t, Daily, d.Marks[0].Kind)
		age := d.Marks[0].At // of the record that came first
		assert.GreaterOrEqual(t, days(age), c.least)
		assert.LessOrEqual(t, days(age), c.most)
		assert.Equal(t, age-1, d.Kept[0].Most, "the first byte came within the first millisecond")

		// Why is it still there?
		why, err := d.Why("t", 1, 5*calc.Day)
		require.NoError(t, err)
		assert.True(t, why.Still)
		assert.Contains(t, why.Because, "still open")
		why, err = d.Why("t", 1, why.Closes+calc.Hour)
		require.NoError(t, err)
		assert.Contains(t, why.Because, "the newest record in it is older than retention.ms=3d from")
		why, err = d.Why("t", 1, why.Expires+calc.Minute)
		require.NoError(t, err)
		assert.Contains(t, why.Because, "waits for the next cleaning: it goes at")
		assert.Equal(t, age, why.Gone)
		// The source does not say in which time zone 04:00 is: whichever it is, the record goes in this range, which is the case's.
		assert.InDelta(t, c.least, days(why.Between.Low), 0.03)
		assert.InDelta(t, c.most, days(why.Between.High), 0.03)
		assert.Contains(t, why.Because, "wherever 04:00 is, it goes between")
		assert.Equal(t, [3]int64{1, 0, 1}, [3]int64{why.Open, why.Closed, why.Eligible})
		assert.Equal(t, "Of the topic's segments 1 is open then, 0 are closed and not expired, and one is closed and expired: a cleaning may delete it.", why.Segments())
		utc := apsara(t, "disk=900GB time.zone=0", even("t", 1, 1000, "segment.bytes", c.segment))
		known, err := PlayDisk(utc, 17*calc.Day)
		require.NoError(t, err)
		sure, err := known.Why("t", 1, why.Expires+calc.Minute)
		require.NoError(t, err)
		assert.True(t, sure.Between.Empty(), "the zone is given")
		assert.NotContains(t, sure.Because, "wherever")
		why, err = d.Why("t", 1, age)
		require.NoError(t, err)
		assert.False(t, why.Still)
		assert.Contains(t, why.Because, "(daily)")
	}
}

// Below 75 % expired messages go once a day, at 04:00 in the zone.
func TestDailyAtFour(t *testing.T) {
	for _, zone := range []string{"0", "8h", "-3h30min"} {
		r := apsara(t, "disk=10TB time.zone="+zone, even("t", 2, 5_000_000))
		d, err := PlayDisk(r, 10*calc.Day)
		require.NoError(t, err)
		require.NotEmpty(t, d.Marks)
		shift, _ := r.option("time.zone")
		for _, m := range d.Marks {
			assert.Equal(t, Daily, m.Kind)
			assert.Equal(t, 4*calc.Hour, (calc.Epoch+calc.Millis(shift)+m.At)%calc.Day)
		}
		assert.Len(t, d.Marks, 7, "from the fourth day on")
		assert.GreaterOrEqual(t, d.Kept[0].Least, 72*calc.Hour)
		assert.LessOrEqual(t, d.Kept[0].Most, 97*calc.Hour)
		assert.Zero(t, d.Kept[0].Forced)
		assert.Zero(t, Decide(Check(r)).Error)
	}
}

// From 85 % on the oldest go, so readers get less than is configured: about what fits.
func TestForcedDeletes(t *testing.T) {
	r := apsara(t, "disk=1000GB", even("a", 4, 1_000_000, "segment.bytes", "1GB"), even("b", 2, 2_000_000, "segment.bytes", "1GB"))
	d, err := PlayDisk(r, 6*calc.Day)
	require.NoError(t, err)
	assert.Positive(t, d.Counts[Forced])
	assert.Zero(t, d.Counts[Protected])
	assert.LessOrEqual(t, d.Peak.Bytes, 851*gb)
	// 8 MB/s fill 850 GB in 29.5 h, and a segment of each partition is always open.
	for _, k := range d.Kept {
		assert.Positive(t, k.Forced)
		assert.Greater(t, k.Least, 27*calc.Hour)
		assert.Less(t, k.Least, 30*calc.Hour, k.Topic)
	}
	v := Decide(Check(r))
	assert.Equal(t, Lost, v.Effect)
	assert.Equal(t, "cloud", v.Rule)
	assert.Contains(t, v.Sentence, "go before their time")
	require.NotEmpty(t, v.Fixes)
	assert.Equal(t, "disk", v.Fixes[0].Key)
	require.NoError(t, r.Set(v.Fixes[0].Key, v.Fixes[0].Value))
	assert.Equal(t, Accepted, Decide(Check(r)).Effect, "the disk that is offered is enough")
}

// Many open segments cannot be deleted: at 90 % writes are refused, for good.
func TestOpenSegmentsFillTheDisk(t *testing.T) {
	r := apsara(t, "disk=100GB", even("t", 200, 100_000, "segment.bytes", "1GB"))
	d, err := PlayDisk(r, 5*calc.Day)
	require.NoError(t, err)
	assert.Equal(t, int64(1), d.Counts[Protected])
	assert.Zero(t, d.Counts[Released])
	assert.Equal(t, 90*gb, d.Peak.Bytes)
	assert.Equal(t, Blocked, Decide(Check(r)).Effect)
	why, err := d.Why("t", calc.Hour, 4*calc.Day)
	require.NoError(t, err)
	assert.Contains(t, why.Because, "never full")
}

// Serverless deletes by time only, and needs no disk.
func TestServerless(t *testing.T) {
	r := apsara(t, "plan=serverless", even("t", 10, 10_000_000))
	d, err := PlayDisk(r, 5*calc.Day)
	require.NoError(t, err)
	assert.Zero(t, d.Counts[Forced]+d.Counts[Daily]+d.Counts[Purge]+d.Counts[Protected])
	assert.Positive(t, d.Counts[Expired])
	assert.Empty(t, d.Lines)
	assert.GreaterOrEqual(t, d.Kept[0].Least, 72*calc.Hour)
	assert.Less(t, d.Kept[0].Least, 72*calc.Hour+11*calc.Minute)
}

func TestDiskErrors(t *testing.T) {
	_, err := PlayDisk(apsara(t, "", even("t", 1, 1)), calc.Day)
	assert.ErrorContains(t, err, "disk=")
	_, err = PlayDisk(apsara(t, "disk=1TB", Topic{Name: "t"}), calc.Day)
	assert.ErrorContains(t, err, "traffic fills the disk")
	_, err = PlayDisk(Request{}, calc.Day)
	assert.ErrorContains(t, err, "does not delete by disk use")
	d, err := PlayDisk(apsara(t, "disk=1TB", even("t", 1, 1)), calc.Day)
	require.NoError(t, err)
	assert.Len(t, d.Assumed, 5)
	_, err = d.Why("x", 0, 1)
	assert.ErrorContains(t, err, "is no topic")
	_, err = d.Why("t", 2, 1)
	assert.ErrorContains(t, err, "is not between")
}

// slowDisk plays the cloud's rules second by second, each partition for itself: an obvious model that shares nothing with
// the fast one but the rules.
func slowDisk(disk int64, topics []Topic, segment, retention int64, until calc.Millis) (peak int64, freed int64) {
	type part struct {
		rate, written, gone int64
		closed              []calc.Millis
	}
	var parts []*part
	for _, t := range topics {
		for range t.Partitions {
			parts = append(parts, &part{rate: int64(t.Traffic.Mean)})
		}
	}
	used := func() (sum int64) {
		for _, p := range parts {
			sum += p.written - p.gone*segment
		}
		return sum
	}
	for at := calc.Second; at < until; at += calc.Second {
		for _, p := range parts {
			for p.written += p.rate; p.written/segment > int64(len(p.closed)); {
				p.closed = append(p.closed, at)
			}
		}
		peak = max(peak, used())
		if (calc.Epoch+at)%calc.Day == 4*calc.Hour && used()*100 < disk*75 {
			for _, p := range parts {
				for p.gone < int64(len(p.closed)) && p.closed[p.gone]+calc.Millis(retention) <= at {
					p.gone++
					freed += segment
				}
			}
		}
		for used()*100 >= disk*85 {
			var oldest *part
			for _, p := range parts {
				if p.gone < int64(len(p.closed)) && (oldest == nil || p.closed[p.gone] < oldest.closed[oldest.gone]) {
					oldest = p
				}
			}
			if oldest == nil {
				break
			}
			oldest.gone++
			freed += segment
		}
	}
	return peak, freed
}

func TestDiskAgreesWithASlowModel(t *testing.T) {
	if testing.Short() {
		t.Skip("the slow model is slow")
	}
	rapid.Check(t, func(t *rapid.T) {
		segment := rapid.Int64Range(20, 400).Draw(t, "segment, MB") * 1_000_000
		disk := rapid.Int64Range(20, 200).Draw(t, "disk, GB") * 1_000_000_000
		var topics []Topic
		for i := range rapid.IntRange(1, 3).Draw(t, "topics") {
			topics = append(topics, even(fmt.Sprint("t", i), rapid.Int64Range(1, 4).Draw(t, "partitions"),
				calc.ByteRate(rapid.Int64Range(10, 400).Draw(t, "kB/s")*1000), "segment.bytes", fmt.Sprint(segment), "retention.ms", "24h"))
		}
		r, err := Parse(&apsaraMQ, "disk="+fmt.Sprint(disk)+" cleanup.period=1d")
		if err != nil {
			t.Fatal(err)
		}
		r.Topics = topics
		until := calc.Millis(rapid.Int64Range(30, 70).Draw(t, "hours")) * calc.Hour
		d, err := PlayDisk(r, until)
		if err != nil {
			t.Fatal(err)
		}
		if d.Counts[Periodic] > 0 || d.Counts[Protected] > 0 {
			t.Skip("the slow model does not play these")
		}
		peak, freed := slowDisk(disk, topics, segment, int64(24*calc.Hour), until)
		var fast int64
		for i := range d.topics {
			fast += d.topics[i].deleted * segment
		}
		assert.InDelta(t, peak, int64(d.Peak.Bytes), 10e6, "a second's worth")
		assert.InDelta(t, freed, fast, float64(2*segment))
	})
}

// The envelope holds every mark, and time goes on without a gap.
func TestEnvelope(t *testing.T) {
	r := apsara(t, "disk=1000GB", even("a", 4, 1_000_000, "segment.bytes", "1GB"))
	d, err := PlayDisk(r, 9*calc.Day)
	require.NoError(t, err)
	at := calc.Millis(0)
	var peak calc.Bytes
	for _, s := range d.Spans {
		assert.Equal(t, at, s.From)
		assert.LessOrEqual(t, s.Used.Low, s.Used.High)
		peak = max(peak, s.Used.High)
		at = s.To
	}
	assert.Equal(t, d.Until, at)
	assert.Equal(t, d.Peak.Bytes, peak)
	assert.LessOrEqual(t, len(d.Spans), diskBuckets)
	require.Len(t, d.Lines, 4)
	assert.Equal(t, 850*gb, d.Lines[2].Bytes)
}

// A curve of traffic comes through: what a topic was given is what arrived.
func TestCourseFollowsTraffic(t *testing.T) {
	r, err := Parse(&apsaraMQ, "disk=2TB produce=1MB/s produce.daily=50,200,50,100 horizon=8d partitions=3")
	require.NoError(t, err)
	d, err := PlayDisk(r, r.Horizon())
	require.NoError(t, err)
	assert.Equal(t, 8*calc.Day, r.Horizon())
	s, err := calc.NewScenario(r.Topics[0].Config)
	require.NoError(t, err)
	arrived := s.Arrivals(calc.Day)
	for i, b := range arrived {
		assert.InDelta(t, int64(b), d.topics[0].by(calc.Millis(i)*calc.Day), float64(b)/500+2e6)
	}
}

func BenchmarkThousandTopics(b *testing.B) {
	r := Request{Service: &apsaraMQ}
	_ = r.Set("disk", "50TB")
	for i := range 1000 {
		r.Topics = append(r.Topics, even(fmt.Sprint("t", i), 3, 50_000))
	}
	for b.Loop() {
		if _, err := PlayDisk(r, 30*calc.Day); err != nil {
			b.Fatal(err)
		}
	}
}

// A tenth is rounded down to whole segments: of 29 GB two go, of 9 GB none.
func TestPurgeRoundsDown(t *testing.T) {
	for stored, want := range map[string]int64{"29GB": 2, "30GB": 3, "9GB": 0, "10GB": 1} {
		// 84 % of the disk, whatever is stored.
		b, err := calc.ParseBytes(stored)
		require.NoError(t, err)
		disk := b * 100 / 84
		r := apsara(t, fmt.Sprintf("plan=local-storage disk=%d stored=%s", disk, stored), even("t", 1, 0, "segment.bytes", "1GB", "retention.ms", "168h"))
		d, err := PlayDisk(r, calc.Second)
		require.NoError(t, err)
		assert.Equal(t, want, d.topics[0].deleted, stored)
	}
}

// What is forced takes the oldest segments of all topics, and no more than is needed.
func TestForcedTakesTheOldest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var topics []Topic
		sum := int64(0)
		stored := rapid.Int64Range(1, 50).Draw(t, "stored, GB")
		for i := range rapid.IntRange(2, 6).Draw(t, "topics") {
			partitions := rapid.Int64Range(1, 5).Draw(t, "partitions")
			segment := rapid.Int64Range(100, 1500).Draw(t, "segment, MB") * 1_000_000
			sum += partitions * stored * 1e9
			topics = append(topics, even(fmt.Sprint("t", i), partitions, calc.ByteRate(rapid.Int64Range(1, 3000).Draw(t, "kB/s")*1000),
				"segment.bytes", fmt.Sprint(segment), "retention.ms", "480h"))
		}
		disk := sum * 100 / rapid.Int64Range(70, 300).Draw(t, "percent")
		r, err := Parse(&apsaraMQ, fmt.Sprintf("disk=%d stored=%dGB", disk, stored))
		if err != nil && len(r.Problems()) == 0 {
			t.Fatal(err)
		}
		r.Topics = topics
		d, err := PlayDisk(r, 1)
		if err != nil {
			t.Fatal(err)
		}
		line := ratio(disk, 85, 100)
		used, last, closed := int64(0), calc.Millis(-1<<62), false
		var smallest int64 = 1 << 62
		for i := range d.topics {
			one := &d.topics[i]
			used += one.parts*one.by(0) - one.deleted*one.segment
			if one.deleted > 0 && d.Counts[Forced] > 0 {
				last = max(last, one.when((one.deleted+one.parts-1)/one.parts*one.segment))
				smallest = min(smallest, one.segment)
			}
		}
		for i := range d.topics {
			one := &d.topics[i]
			if one.deleted < one.closed(0) {
				closed = true
				if d.Counts[Forced] > 0 && one.newest() < last {
					t.Fatalf("%s has a segment of %d, and one of %d was deleted", one.name, one.newest(), last)
				}
			}
		}
		if used >= line && closed {
			t.Fatalf("%d of %d are in use, and there is more to delete", used, disk)
		}
		if d.Counts[Forced] > 0 && used < line && used+3*1_500_000_000 < line {
			t.Fatalf("%d are in use, far below %d", used, line)
		}
	})
}

// A thousand topics on a disk that is far too small: forced deletes all the time.
func BenchmarkThousandForced(b *testing.B) {
	r := Request{Service: &apsaraMQ}
	_ = r.Set("disk", "10TB")
	for i := range 1000 {
		r.Topics = append(r.Topics, even(fmt.Sprint("t", i), 3, calc.ByteRate(40_000+20*i)))
	}
	for b.Loop() {
		if _, err := PlayDisk(r, 30*calc.Day); err != nil {
			b.Fatal(err)
		}
	}
}

// Writes stop at 88 % of a local disk, and go on when messages expire; what was refused did not come.
func TestProtectedAndReleased(t *testing.T) {
	r := apsara(t, "plan=local-storage disk=12GB", even("t", 2, 60_000, "segment.bytes", "1GB", "retention.ms", "24h"))
	d, err := PlayDisk(r, 10*calc.Day)
	require.NoError(t, err)
	assert.Positive(t, d.Counts[Protected])
	assert.Positive(t, d.Counts[Released])
	assert.Zero(t, d.Counts[Purge], "a tenth of 5 GB is no whole segment")
	assert.LessOrEqual(t, d.Peak.Bytes, calc.Bytes(10_560_000_000+120), "a millisecond more")
	refused := int64(0)
	for i, m := range d.Marks {
		if m.Kind == Released {
			refused += int64(m.At - d.Marks[i-2].At)
			assert.Equal(t, Protected, d.Marks[i-2].Kind, "protected, expired, released")
		}
	}
	came := d.topics[0].by(d.Until)
	assert.Less(t, came, int64(60_000*864_000))
	if last := d.Marks[len(d.Marks)-1]; last.Kind != Protected {
		assert.InDelta(t, 60*(864_000_000-refused), came, 1000)
	}
}

// A retention without a limit by time is told in words, not as -1 ms.
func TestEndlessRetentionOnADisk(t *testing.T) {
	r := apsara(t, "disk=100GB", even("t", 1, 1_000_000, "segment.bytes", "1GB", "retention.ms", "-1"))
	v := Decide(Check(r))
	for _, v := range Check(r) {
		assert.NotContains(t, v.Sentence, "-1 ms")
	}
	assert.Equal(t, Refused, v.Effect, "480 h are the most")
}

// The disk that a check plays is the one that is drawn, and what ends early gives none.
func TestCheckAndPlay(t *testing.T) {
	r := apsara(t, "disk=300GB", even("t", 2, 1_000_000))
	all, d, err := CheckAndPlay(r)
	require.NoError(t, err)
	assert.Equal(t, Check(r), all)
	alone, err := PlayDisk(r, r.Horizon())
	require.NoError(t, err)
	assert.Equal(t, alone, d)
	calls := 0
	r.Yield = func() bool { calls++; return true }
	_, again, err := CheckAndPlay(r)
	require.NoError(t, err)
	assert.Equal(t, alone, again)
	assert.Greater(t, calls, 5, "others may go first")
	r.Yield = func() bool { return false }
	_, none, err := CheckAndPlay(r)
	assert.Error(t, err)
	assert.Nil(t, none)
}

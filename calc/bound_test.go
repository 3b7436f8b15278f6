package calc

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// scenarioOf is a scenario of the given settings, which must be right.
func scenarioOf(t require.TestingT, settings ...string) Scenario {
	in := Defaults()
	for i := 0; i < len(settings); i += 2 {
		require.NoError(t, in.Set(settings[i], settings[i+1]))
	}
	s, err := NewScenario(in)
	require.NoError(t, err)
	return s
}

// drawScenario is a random scenario whose log fills and empties within its horizon, with traffic and settings of all
// kinds. Draws that the model refuses are drawn again.
func drawScenario(t *rapid.T) Scenario {
	in := Defaults()
	set := func(key string, value any) { _ = in.Set(key, fmt.Sprint(value)) }
	maybe := func(key string, value func() any) {
		if rapid.IntRange(0, 3).Draw(t, "give "+key) == 0 {
			set(key, value())
		}
	}
	span := func(name string, low, high int64) func() any {
		return func() any { return rapid.Int64Range(low, high).Draw(t, name) }
	}
	set("kafka.version", rapid.SampledFrom([]string{"2.8", "3.9.0", "3.9.1", "4.0.0", "4.3", "4.4"}).Draw(t, "version"))
	set("segment.bytes", rapid.Int64Range(1<<20, 64<<20).Draw(t, "segment.bytes"))
	set("produce", fmt.Sprint(rapid.Int64Range(1, 2<<20).Draw(t, "produce"), "B/s"))
	set("horizon", fmt.Sprint(rapid.Int64Range(1, 96).Draw(t, "horizon"), "h"))
	maybe("segment.ms", span("segment.ms", 1000, 2*int64(Day)))
	maybe("segment.jitter.ms", span("segment.jitter.ms", 0, int64(Hour)))
	maybe("segment.index.bytes", span("segment.index.bytes", 12, 4096))
	maybe("index.interval.bytes", span("index.interval.bytes", 0, 100000))
	maybe("preallocate", func() any { return "true" })
	set("retention.ms", rapid.OneOf(rapid.Int64Range(0, int64(2*Day)), rapid.Int64Range(0, int64(Hour)), rapid.Just[int64](-1)).Draw(t, "retention.ms"))
	set("retention.bytes", rapid.OneOf(rapid.Int64Range(0, 1<<30), rapid.Just[int64](-1)).Draw(t, "retention.bytes"))
	maybe("file.delete.delay.ms", span("file.delete.delay.ms", 0, int64(Day)))
	maybe("log.retention.check.interval.ms", span("check", 1000, int64(3*Hour)))
	for _, key := range []string{"retention.ms", "retention.bytes", "file.delete.delay.ms", "log.retention.check.interval.ms", "segment.ms"} {
		if rapid.IntRange(0, 30).Draw(t, "largest "+key) == 0 {
			set(key, rapid.Int64Range(math.MaxInt64-100, math.MaxInt64).Draw(t, key))
		}
	}
	maybe("log.initial.task.delay.ms", span("initial", 0, int64(5*Hour)))
	drawTimestamps(t, in.version(), set)
	maybe("batch.records", span("batch.records", 1, 100))
	maybe("record.value", span("record.value", 0, 5000))
	maybe("role", func() any { return "follower" })
	maybe("produce.daily", func() any { return "20,100,300,80" })
	maybe("produce.growth", func() any { return "50%" })
	maybe("burst.rate", func() any {
		set("burst.every", "5h")
		set("burst.for", "20m")
		return "3MiB/s"
	})
	maybe("backlog", func() any {
		set("backlog.age", rapid.SampledFrom([]string{"3h", "0", "60d", "18250d"}).Draw(t, "backlog.age"))
		return rapid.SampledFrom([]string{"1MiB", "300MiB"}).Draw(t, "backlog")
	})
	maybe("steps", func() any {
		return rapid.SampledFrom([]string{
			"3h retention.ms=1h", "3h restart 60s", "2h restart 10s; 3h restart 2h", "5h segment.bytes=2MiB", "5h retention.bytes=1MiB; 9h retention.bytes=2GiB",
			"4h file.delete.delay.ms=5h", "3h delete-records 1000; 5h restart 1min", "2h record-timestamp -18250d", "2h record-timestamp +30min",
			"4h message.timestamp.type=LogAppendTime; 8h message.timestamp.type=CreateTime", "1h retention.ms=0; 9h retention.ms=9h",
			"2h hold-high-watermark; 3h follow-high-watermark", "3h cleanup.policy=compact", "4h retention.ms=-1 retention.bytes=1MiB",
		}).Draw(t, "steps")
	})
	return scenarioDrawn(t, in, 100_000)
}

// drawTimestamps chooses how records are stamped: often with the clock, else behind it or ahead of it by up to the most that is
// taken, all alike, by the log, or not at all.
func drawTimestamps(t *rapid.T, v Version, set func(key string, value any)) {
	longest := int64(longestShift)
	behind := rapid.OneOf(rapid.Int64Range(0, int64(3*Hour)), rapid.Int64Range(0, int64(3*Day)), rapid.Int64Range(0, longest),
		rapid.SampledFrom([]int64{longest, longest - 1}))
	switch kind := rapid.IntRange(0, 11).Draw(t, "stamps"); kind {
	case 0, 1, 2:
		set("timestamp.shift", -behind.Draw(t, "behind"))
	case 3:
		set("timestamps", "none")
	case 4:
		set("timestamps", "fixed")
		set("timestamp.shift", -behind.Draw(t, "behind"))
	case 5, 6:
		if v >= 30600 {
			set("message.timestamp.after.max.ms", longMax)
		}
		ahead := rapid.OneOf(rapid.Int64Range(0, int64(Day)), rapid.Int64Range(0, 2*longest), rapid.Just(2*longest))
		set("timestamp.shift", ahead.Draw(t, "ahead"))
		if kind == 6 {
			set("timestamps", "fixed")
		}
	case 7:
		set("message.timestamp.type", "LogAppendTime")
		set("timestamp.shift", -behind.Draw(t, "behind"))
	}
}

// longestShift is the furthest behind the clock that timestamps may be; they may be twice as far ahead.
const longestShift = Millis(century / 2)

// scenarioDrawn is the scenario of a drawn input. One that is refused, or would take more events, is drawn again: rapid does not
// count it.
func scenarioDrawn(t *rapid.T, in Input, most int64) Scenario {
	s, err := NewScenario(in)
	if err != nil || s.EventBound() > most {
		t.SkipNow()
	}
	return s
}

// withinBound demands that a simulation went well and stayed within its bound.
func withinBound(t *rapid.T, sim *Simulation, log, onDisk Bytes, bound Bound) {
	require.NoError(t, sim.Err())
	assert.LessOrEqual(t, int64(log), int64(bound.Log), "log, against %+v", bound)
	assert.LessOrEqual(t, int64(onDisk), int64(bound.OnDisk), "on disk, against %+v", bound)
}

// The peak of no scenario is above its bound, and the bound is not idle: it is reached to a tenth by some scenario.
func TestPeakIsNeverAboveTheBound(t *testing.T) {
	bounded, near, late, nearLate := 0, 0, 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawScenario(t)
		bound := BoundOf(s)
		if !bound.OK {
			return
		}
		bounded++
		sim := NewSimulation(s.Plan())
		var log, onDisk Bytes
		for {
			if _, ok := sim.Next(); !ok {
				break
			}
			sim.Step()
			u := sim.Usage()
			log = max(log, u.Log)
			onDisk = max(onDisk, u.Log+u.AwaitingLog)
		}
		withinBound(t, sim, log, onDisk, bound)
		emptied := s.lead() < -s.Log().RetentionMs
		if emptied {
			late++
		}
		if log > bound.Log/10*9 {
			near++
			if emptied {
				nearLate++
			}
		}
	})
	assert.Positive(t, bounded)
	assert.Positive(t, near, "of %d scenarios", bounded)
	assert.Positive(t, nearLate, "of %d scenarios whose records are too old when they come", late)
}

// Where all records are too old when they come, each check empties the log, and the bound is what comes between two checks:
// the peak is that, but for the batch with which a closed interval begins.
func TestBoundOfRecordsTooOldWhenTheyCome(t *testing.T) {
	for _, settings := range [][]string{
		{"timestamp.shift", "-8d"},
		{"timestamp.shift", "-18250d"},
		{"timestamp.shift", "-18250d", "retention.ms", "18249d"},
		{"timestamps", "fixed", "timestamp.shift", "-8d"},
		{"retention.bytes", "0", "retention.ms", "-1"},
		{"retention.ms", "1h", "timestamp.shift", "-2h", "steps", "5d retention.ms=90min; 9d retention.ms=0"},
		{"timestamp.shift", "-8d", "role", "follower", "fetch.batches", "7"},
	} {
		s := scenarioOf(t, append(settings, "horizon", "15d")...)
		b, peak := BoundOf(s), Run(s).Timeline.Peak()
		require.True(t, b.OK, "%v", settings)
		within(t, b.Log-3*s.LargestAppend(), peak.Log.Bytes, b.Log, strings.Join(settings, " "))
		within(t, 6*60*MiB, b.OnDisk, 6*60*MiB+3*s.LargestAppend(), "five minutes, and one in which files wait")
	}
}

// A restart puts the next check off, and what comes until then is in the bound; the first check of a log may be later still.
func TestBoundOfLateRecordsWithRestarts(t *testing.T) {
	s := scenarioOf(t, "timestamp.shift", "-8d", "horizon", "3d", "log.initial.task.delay.ms", "4min",
		"steps", "1d4min30s restart 1s; 1d8min restart 1h; 1d9h59min restart 0")
	b, peak := BoundOf(s), Run(s).Timeline.Peak().Log.Bytes
	within(t, 5*MiB*60+1, peak, b.Log, "more than comes between two checks")
	assert.Less(t, b.Log, 20*60*MiB, "three starts, each with a first check after four minutes")
}

// A stop may come at the end of a burst and a start at the beginning of another: files of the first wait while the second comes,
// although the broker runs for less time between than bursts are apart.
func TestBoundOfBurstsBesideARestart(t *testing.T) {
	s := scenarioOf(t, "produce", "255B/s", "burst.rate", "100KiB/s", "burst.every", "6323312", "burst.for", "2075999", "segment.bytes", "16MB",
		"retention.bytes", "0", "log.retention.check.interval.ms", "5318903", "file.delete.delay.ms", "448937", "horizon", "1d",
		"steps", "40806648ms restart 10h")
	bound, sim := BoundOf(s), NewSimulation(s.Plan())
	var onDisk Bytes
	for {
		if _, ok := sim.Next(); !ok {
			break
		}
		sim.Step()
		u := sim.Usage()
		onDisk = max(onDisk, u.Log+u.AwaitingLog)
	}
	within(t, bound.Log, onDisk, bound.OnDisk, "a burst that waits, and what comes of the next")
}

// What keeps records that are too old: the high watermark, and a copy that is still to come.
func TestBoundOfLateRecordsThatStay(t *testing.T) {
	held := BoundOf(scenarioOf(t, "timestamp.shift", "-8d", "steps", "1h hold-high-watermark; 2d follow-high-watermark"))
	assert.False(t, held.OK)
	tiered := scenarioOf(t, "timestamp.shift", "-8d", "remote.storage.enable", "true", "horizon", "2d")
	b, peak := BoundOf(tiered), Run(tiered).Timeline.Peak().Log.Bytes
	if b.OK {
		assert.LessOrEqual(t, peak, b.Log)
	}
	endless := BoundOf(scenarioOf(t, "timestamp.shift", "-8d", "retention.ms", "-1"))
	assert.False(t, endless.OK)
}

// Timestamps that are behind by less than retention.ms shorten it.
func TestBoundOfRecordsHalfTooOld(t *testing.T) {
	late := BoundOf(scenarioOf(t, "timestamp.shift", "-6d", "horizon", "30d"))
	prompt := BoundOf(scenarioOf(t, "retention.ms", "1d", "horizon", "30d"))
	assert.Equal(t, prompt.OnDisk, late.OnDisk)
}

// The largest legal values add up to more than 64 bits hold, and the bound is what can come in the scenario.
func TestBoundOfTheLargestValues(t *testing.T) {
	const largest = "9223372036854775807"
	for _, settings := range [][]string{
		{"retention.ms", largest},
		{"retention.ms", "9223372036854775806", "produce.daily", "50,150"},
		{"retention.ms", "1h", "log.retention.check.interval.ms", largest, "produce.daily", "50,150"},
		{"retention.ms", "1h", "log.initial.task.delay.ms", largest, "burst.rate", "1MiB/s"},
		{"retention.bytes", largest, "retention.ms", "-1"},
		{"retention.bytes", "1GiB", "file.delete.delay.ms", largest, "produce.growth", "10%"},
		{"retention.ms", largest, "log.retention.check.interval.ms", largest, "file.delete.delay.ms", largest, "segment.ms", largest, "backlog", "1GiB"},
	} {
		s := scenarioOf(t, append(settings, "horizon", "2d")...)
		b, peak := BoundOf(s), Run(s).Timeline.Peak().Log.Bytes
		require.True(t, b.OK, "%v", settings)
		assert.LessOrEqual(t, peak, b.Log, "%v", settings)
		for _, term := range b.Terms {
			assert.GreaterOrEqual(t, term.Bytes, Bytes(0), "%v: %s", settings, term.Formula)
		}
	}
}

// Without timestamps the time of a segment counts from the broker's last start.
func TestBoundOfARestartedSegment(t *testing.T) {
	s := scenarioOf(t, "produce", "1/min", "timestamps", "none", "retention.ms", "1h", "horizon", "10d", "steps", "1h restart 60s; 5d restart 60s")
	assert.LessOrEqual(t, Run(s).Timeline.Peak().Log.Bytes, BoundOf(s).Log)
}

func TestBoundIsTheSumOfItsTerms(t *testing.T) {
	s := scenarioOf(t, "produce", "5MiB/s", "retention.bytes", "50GiB", "horizon", "1d")
	b := BoundOf(s)
	require.True(t, b.OK)
	assert.Equal(t, "retention.bytes", b.Limit)
	var sum Bytes
	for _, term := range b.Terms {
		sum += term.Bytes
	}
	assert.Equal(t, sum, b.OnDisk)
	// retention.bytes + a segment + 300 s of traffic, and one batch that a closed interval may hold more.
	want := 50*GiB + GiB + 300*5*MiB
	assert.InDelta(t, int64(want), int64(b.Log), 2*float64(s.LargestBatch()))
}

// drawTiered is a random tiered scenario with a copy task that may be slow.
func drawTiered(t *rapid.T) Scenario {
	in := Defaults()
	set := func(key string, value any) { _ = in.Set(key, fmt.Sprint(value)) }
	number := func(key string, low, high int64) { set(key, rapid.Int64Range(low, high).Draw(t, key)) }
	set("remote.storage.enable", "true")
	set("kafka.version", rapid.SampledFrom([]string{"3.6.2", "3.9.1", "4.3", "4.4"}).Draw(t, "version"))
	number("segment.bytes", 1<<20, 32<<20)
	set("produce", fmt.Sprint(rapid.Int64Range(1, 2<<20).Draw(t, "produce"), "B/s"))
	set("horizon", fmt.Sprint(rapid.Int64Range(1, 72).Draw(t, "horizon"), "h"))
	number("log.retention.check.interval.ms", 1000, int64(Hour))
	number("remote.log.manager.task.interval.ms", 1, int64(Hour))
	set("remote.upload.rate", fmt.Sprint(rapid.Int64Range(1<<19, 64<<20).Draw(t, "upload"), "B/s"))
	number("remote.upload.latency", 0, int64(2*Minute))
	number("file.delete.delay.ms", 0, int64(Hour))
	set("local.retention.ms", rapid.OneOf(rapid.Int64Range(1, int64(6*Hour)), rapid.Int64Range(1, int64(5*Minute))).Draw(t, "local.retention.ms"))
	if rapid.Bool().Draw(t, "by size") {
		number("local.retention.bytes", 1, 1<<28)
	}
	if rapid.Bool().Draw(t, "rolls") {
		number("segment.ms", 10_000, int64(Day))
		number("segment.jitter.ms", 0, int64(Hour))
	}
	switch rapid.IntRange(0, 3).Draw(t, "traffic") {
	case 0:
		set("produce.daily", "20,100,300,80")
	case 1:
		set("burst.rate", "3MiB/s")
		set("burst.every", "5h")
		set("burst.for", "20min")
	case 2:
		set("timestamp.shift", "30min")
	}
	return scenarioDrawn(t, in, 200_000)
}

// No tiered log is above its bound, however its copy task and its checks fall, and some come near it.
func TestTieredPeakIsNeverAboveTheBound(t *testing.T) {
	bounded, near := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := drawTiered(t)
		bound := BoundOf(s)
		if !bound.OK {
			return
		}
		bounded++
		wait, _ := s.waitForCopy()
		sim := NewSimulation(s.Plan())
		var log, onDisk Bytes
		closed := map[Offset]Millis{}
		for {
			if _, ok := sim.Next(); !ok {
				break
			}
			for _, e := range sim.Step() {
				switch e.Kind {
				case Roll:
					for _, l := range sim.Lives() {
						if _, known := closed[l.Base]; !known && !l.Active && !l.Deleted {
							closed[l.Base] = e.At
						}
					}
				case CopyFinished:
					assert.LessOrEqual(t, e.At-closed[e.Base], wait, "segment %d waits for its copy", e.Base)
				}
			}
			u := sim.Usage()
			log, onDisk = max(log, u.Log), max(onDisk, u.Log+u.AwaitingLog)
		}
		withinBound(t, sim, log, onDisk, bound)
		if log > bound.Log/10*7 {
			near++
		}
	})
	assert.Positive(t, bounded)
	assert.Positive(t, near, "of %d scenarios", bounded)
}

// At the defaults of the copy task the bound of a tiered log is that of its local retention, and little more.
func TestTieredBound(t *testing.T) {
	s := scenarioOf(t, "remote.storage.enable", "true", "local.retention.ms", "6h", "horizon", "3d")
	b := BoundOf(s)
	require.True(t, b.OK, b.Why)
	peak := Run(s).Timeline.Peak().Log.Bytes
	within(t, peak, b.Log, peak+peak/10, "six hours, a segment, and five minutes")
	// One that can hardly copy what comes has a bound as long as that takes, and one that cannot has none.
	assert.False(t, BoundOf(scenarioOf(t, "remote.storage.enable", "true", "remote.upload.rate", "512KiB/s", "horizon", "3d")).OK)
}

func TestNoBoundSaysWhy(t *testing.T) {
	for _, settings := range [][]string{
		{"remote.storage.enable", "true", "steps", "1h remote-down 1h"},
		{"retention.ms", "-1"},
		{"steps", "1h hold-high-watermark"},
	} {
		b := BoundOf(scenarioOf(t, settings...))
		assert.False(t, b.OK, "%v", settings)
		assert.NotEmpty(t, b.Why, "%v", settings)
	}
}

// Reference: peers.md, accuracy table: H is within a tenth for steady traffic and says why where it is not.
func TestShortFormulaSaysWhyItDiffers(t *testing.T) {
	steady := Run(scenarioOf(t, "produce", "3kB/s", "horizon", "60d"))
	assert.False(t, steady.Short.Differs, "%+v", steady.Short)
	for _, settings := range [][]string{
		{"produce", "100kB/s", "horizon", "1h"},                                                     // short run
		{"produce", "100kB/s", "retention.ms", "1h", "timestamp.shift", "-2h", "horizon", "10d"},    // late
		{"produce", "10kB/s", "retention.ms", "1d", "produce.daily", "1,1,1,397", "horizon", "10d"}, // uneven
		{"produce", "100B/s", "retention.ms", "5m", "segment.ms", "5m", "horizon", "1d"},            // tiny
	} {
		f := Run(scenarioOf(t, settings...)).Short
		if f.Differs {
			assert.NotEmpty(t, f.Why, "%v: %+v", settings, f)
		}
	}
	short := Run(scenarioOf(t, "produce", "100kB/s", "horizon", "1h")).Short
	assert.True(t, short.Differs)
	assert.Contains(t, short.Why[0], "ends before the log is full")
}

// No worst case is above all that comes within the horizon.
func TestBoundOfAShortTime(t *testing.T) {
	for _, settings := range [][]string{
		{"horizon", "1s"},
		{"horizon", "1h", "retention.bytes", "50GiB"},
		{"horizon", "1h", "retention.bytes", "50GiB", "retention.ms", "-1"},
		{"horizon", "10y", "produce.stop", "1h"},
		{"horizon", "1h", "retention.ms", "1min", "log.retention.check.interval.ms", "1h"},
	} {
		s := scenarioOf(t, settings...)
		b, peak := BoundOf(s), Run(s).Timeline.Peak()
		all := s.MostBytes(s.Horizon())
		require.True(t, b.OK, "%v", settings)
		within(t, peak.Log.Bytes, b.Log, all, strings.Join(settings, " "))
		within(t, b.Log, b.OnDisk, all, strings.Join(settings, " "))
		var sum Bytes
		for _, term := range b.Terms {
			assert.GreaterOrEqual(t, term.Bytes, Bytes(0), term.Formula)
			sum += term.Bytes
		}
		assert.Equal(t, sum, b.OnDisk)
	}
}

// The calculation by hand of little traffic has digits: of an hour or a day, where a second has too few.
func TestShortFormulaOfLittleTraffic(t *testing.T) {
	hourly := Run(scenarioOf(t, "produce", "1/h", "retention.ms", "30d", "horizon", "5y"))
	assert.Contains(t, hourly.Short.Formula, "1.07 KiB/h × (30 d 0 h + 5 min + 1 min) + ")
	within(t, hourly.Short.OnDisk*9/10, hourly.Timeline.Peak().Log.Bytes, hourly.Short.OnDisk*11/10, "all but files and blocks")
	assert.NotContains(t, strings.Join(hourly.Short.Why, " "), "even")
	assert.Contains(t, strings.Join(hourly.Short.Why, " "), "index files, snapshots")
	assert.Contains(t, Run(scenarioOf(t, "produce", "1/d", "batch.records", "1", "record.value", "10", "horizon", "5y")).Short.Formula, "B/d × (")
	stopped := Run(scenarioOf(t, "produce.stop", "1h", "horizon", "30d")).Short
	require.True(t, stopped.Differs)
	assert.Contains(t, stopped.Why[0], "only 3.52 GiB come in all")
}

// Where what looked like a steady state is none, the ages are those from the first deletion on.
func TestAgesWithoutASteadyState(t *testing.T) {
	a := Run(scenarioOf(t, "produce", "0/s", "backlog", "50GiB", "backlog.age", "10d", "horizon", "20d")).Timeline
	_, steady := a.Band()
	assert.False(t, steady)
	ages := a.Ages()
	// The newest part of the backlog is stamped with its append, and stays for retention.ms and a check.
	within(t, 7*Day-Hour, ages.Readable.High, 7*Day+Hour, "oldest readable")
	within(t, 7*Day-Hour, ages.OnDisk.High, 7*Day+Hour, "oldest on disk")
	assert.Equal(t, a.Counts().FirstDeletion, ages.Since)
}

package calc

import (
	"fmt"
	"math/big"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// runsOf reads a scenario's steps.
func runsOf(s Scenario) []Step {
	src := s.Plan().Steps
	var steps []Step
	for step, ok := src.Next(); ok; step, ok = src.Next() {
		steps = append(steps, step)
	}
	return steps
}

// call is one call to append.
type call struct {
	at      Millis
	bytes   Bytes
	records int64
	ahead   Millis // of the timestamp
	batch   Bytes
}

// callsOf lists every call of a small scenario.
func callsOf(s Scenario) []call {
	var calls []call
	for _, step := range runsOf(s) {
		run, ok := step.Do.(Append)
		if !ok {
			continue
		}
		for i := range run.Count {
			c := call{at: step.At + Millis(mulDiv(i, run.IntervalNum, run.IntervalDen)), bytes: run.Batch * Bytes(run.Batches),
				records: run.Records * run.Batches, batch: run.Batch}
			switch t := run.Timestamp; t.Kind {
			case AppendTimestamp:
				c.ahead = t.Shift
			case FixedTimestamp:
				c.ahead = t.From + t.Step*Millis(i) - c.at
			}
			calls = append(calls, c)
		}
	}
	return calls
}

// someTraffic draws the settings of a workload of which every call can be looked at.
func someTraffic(t *rapid.T) []string {
	pairs := []string{"horizon", rapid.SampledFrom([]string{"1h", "1d", "3d", "8d"}).Draw(t, "horizon")}
	give := func(key string, values ...string) {
		if v := rapid.SampledFrom(append(values, "")).Draw(t, key); v != "" {
			pairs = append(pairs, key, v)
		}
	}
	records := rapid.Bool().Draw(t, "records")
	rate := func(texts ...string) []string {
		if records {
			for i := range texts {
				texts[i] = strings.ReplaceAll(texts[i], "KiB", " records")
			}
		}
		return texts
	}
	produce := rapid.SampledFrom(rate("3KiB/min", "100KiB/h", "7KiB/h", "0KiB/s", "1KiB/130s", "1000KiB/d")).Draw(t, "produce")
	series := rapid.IntRange(0, 5).Draw(t, "series") == 0
	if series {
		pairs = append(pairs, "produce.series", strings.Join(rate("5min:3KiB/min", "1h:1KiB/7min", "5h:0KiB/s", "7h:50KiB/h"), ","))
	} else {
		pairs = append(pairs, "produce", produce)
		give("produce.daily", "50,150", "0,100,300", "10,20,30,40,50,60,70,80,90,100,110,120,120,110,100,90,80,70,60,50,40,30,20,10", "33.33")
		give("produce.weekly", "100,100,100,100,100,20,0", "200")
		give("produce.growth", "10%", "-30%", "200.01%")
	}
	give("produce.start", "1min", "90min", "1d")
	give("produce.stop", "2d", "7d", "100min")
	if rapid.Bool().Draw(t, "bursts") {
		pairs = append(pairs, "burst.rate", rapid.SampledFrom(rate("9KiB/min", "100KiB/h")).Draw(t, "burst"), "burst.for", rapid.SampledFrom([]string{"1min", "10min", "1h"}).Draw(t, "for"))
		give("burst.every", "1h", "7h", "never")
		give("burst.start", "30min", "2h")
	}
	if rapid.IntRange(0, 2).Draw(t, "backlogged") == 0 {
		pairs = append(pairs, "backlog", rapid.SampledFrom([]string{"1B", "100KiB", "5MiB"}).Draw(t, "backlog"))
		give("backlog.rate", "1MiB/s", "10 records/s", "1KiB/s")
		give("backlog.age", "7d", "1h", "1")
	}
	give("record.value", "0", "100", "5000", "null")
	give("record.key", "8")
	give("batch.records", "1", "7", "64")
	give("linger.ms", "0", "1s", "1min")
	give("batch.size", "1000", "0")
	give("compression.ratio", "4:1", "0.333")
	give("producers", "3", "17")
	give("timestamp.shift", "-1h", "10min")
	give("timestamps", "none", "fixed")
	if rapid.IntRange(0, 3).Draw(t, "follow") == 0 {
		pairs = append(pairs, "role", "follower")
		give("fetch.batches", "3", "10")
	}
	give("steps", "10min restart 5min; 50min retention.ms=1h", "1h hold-high-watermark; 3h record-timestamp +59min; 1d follow-high-watermark")
	return pairs
}

// someScenario draws a scenario of which every call can be looked at.
func someScenario(t *rapid.T) (Scenario, []string) {
	pairs := someTraffic(t)
	in := Defaults()
	for i := 0; i < len(pairs); i += 2 {
		if err := in.Set(pairs[i], pairs[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	s, err := NewScenario(in)
	if err != nil {
		t.Skip(err)
	}
	return s, pairs
}

// TestRunsAreInOrder checks that runs follow one another without overlapping, that steps come before the calls of their
// millisecond, and that nothing comes after the horizon.
func TestRunsAreInOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, pairs := someScenario(t)
		var last Millis
		for _, step := range runsOf(s) {
			run, ok := step.Do.(Append)
			require.GreaterOrEqual(t, step.At, last, "%v", pairs)
			if !ok {
				last = step.At
				continue
			}
			require.Positive(t, run.Count)
			require.Positive(t, run.IntervalDen)
			require.GreaterOrEqual(t, run.IntervalNum, int64(0))
			require.Positive(t, run.Batch)
			require.Positive(t, run.Records)
			last = newRunAt(step.At, run).last
			require.LessOrEqual(t, last, s.Horizon(), "%v", pairs)
		}
	})
}

// TestCloneGoesOnAlone checks that a clone of a source gives what the source gives, and leaves it alone.
func TestCloneGoesOnAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, _ := someScenario(t)
		src := s.Plan().Steps
		for range rapid.IntRange(0, 50).Draw(t, "before") {
			src.Next()
		}
		clone := src.Clone()
		var a, b []Step
		for step, ok := src.Next(); ok; step, ok = src.Next() {
			a = append(a, step)
		}
		for step, ok := clone.Next(); ok; step, ok = clone.Next() {
			b = append(b, step)
		}
		require.Equal(t, a, b)
	})
}

// amountBy is the traffic of a workload's producers up to a time, minute by minute, straight from the meaning of the
// settings. Boundaries are whole minutes in the scenarios of these tests.
func amountBy(w *workload, until Millis) []*big.Rat {
	sum := new(big.Rat)
	sums := []*big.Rat{new(big.Rat)}
	grown := func(t Millis) *big.Rat {
		f := big.NewRat(1, 1)
		for range t / month {
			f.Mul(f, big.NewRat(10_000+w.growth, 10_000))
		}
		hour := int64(t % month / Hour)
		next := new(big.Rat).Mul(f, big.NewRat(10_000+w.growth, 10_000))
		next.Sub(next, f).Mul(next, big.NewRat(hour, 720))
		return f.Add(f, next)
	}
	ratio := func(r Rate) *big.Rat {
		amount, per := r.Ratio()
		return big.NewRat(amount, int64(per))
	}
	for t := Millis(0); t < until; t += Minute {
		rate := new(big.Rat)
		if t >= w.start && t < w.stop {
			if len(w.series) > 0 {
				for _, p := range w.series {
					if p.at <= t {
						rate = ratio(p.rate)
					}
				}
			} else {
				rate = ratio(w.rate)
				rate.Mul(rate, big.NewRat(w.daily[int64(t%Day)*int64(len(w.daily))/int64(Day)], 10_000))
				rate.Mul(rate, big.NewRat(w.weekly[int64(t/Day)%7%int64(len(w.weekly))], 10_000))
				rate.Mul(rate, grown(t))
			}
			if since := t - w.first; since >= 0 {
				if w.every != Never {
					since %= w.every
				}
				if since < w.lasts {
					rate.Add(rate, ratio(w.burst))
				}
			}
		}
		sum = new(big.Rat).Add(sum, rate.Mul(rate, big.NewRat(int64(Minute), 1)))
		sums = append(sums, sum)
	}
	return sums
}

// TestAmountIsRight checks that after every minute as much was appended as came in, and at most one call more.
func TestAmountIsRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, pairs := someScenario(t)
		w := s.work
		if w.backlog.calls > 0 || strings.Contains(strings.Join(pairs, " "), "record-timestamp") {
			t.Skip("traffic of other kinds")
		}
		sums := amountBy(w, s.Horizon())
		calls := callsOf(s)
		peak, per := w.peak().Ratio()
		taken, largest := int64(0), int64(0)
		i := 0
		for minute, want := range sums {
			for i < len(calls) && calls[i].at < Millis(minute)*Minute {
				amount := int64(calls[i].bytes)
				if w.records {
					amount = calls[i].records
				}
				taken += amount
				largest = max(largest, amount)
				i++
			}
			// Growth is held to a billionth, and a call comes up to two milliseconds before its time.
			slack := new(big.Rat).Mul(want, big.NewRat(1, 1e8))
			slack.Add(slack, big.NewRat(2*peak, int64(per)))
			over := new(big.Rat).Sub(big.NewRat(taken, 1), want)
			if new(big.Rat).Add(over, slack).Sign() < 0 || new(big.Rat).Sub(over, slack).Cmp(big.NewRat(largest, 1)) > 0 {
				t.Fatalf("after %d min %d was appended, and %s came in: %v", minute, taken, want.FloatString(3), pairs)
			}
		}
	})
}

// TestBoundsOfTraffic checks what a scenario says about its traffic against every call: most bytes in a time, largest
// batch, timestamps ahead.
func TestBoundsOfTraffic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, pairs := someScenario(t)
		calls := callsOf(s)
		if len(calls) == 0 {
			require.Zero(t, s.MostBytes(s.Horizon()))
			return
		}
		batch, largest, ahead := s.LargestBatch(), s.LargestAppend(), s.MostAhead()
		for i, c := range calls {
			accepted := s.work.stamp.Kind != AbsentTimestamp && c.ahead <= s.Log().TimestampAfterMax
			if c.batch > batch || c.bytes > largest || accepted && c.ahead > ahead {
				t.Fatalf("call %d, %+v, is beyond %s, %s, %s: %v", i, c, batch, largest, ahead, pairs)
			}
		}
		window := Millis(rapid.SampledFrom([]int64{0, 1, 999, 60_000, 3_600_000, 86_400_000, 777_777_777}).Draw(t, "window"))
		var in, most Bytes
		from := 0
		for _, c := range calls {
			in += c.bytes
			for calls[from].at < c.at-window {
				in -= calls[from].bytes
				from++
			}
			most = max(most, in)
		}
		bound := s.MostBytes(window)
		require.GreaterOrEqual(t, bound, most, "in %s of %v", window, pairs)
		require.LessOrEqual(t, bound, most+2*s.LargestAppend(), "in %s of %v", window, pairs)
		require.GreaterOrEqual(t, s.mostAtPeak(window), most, "in %s of %v", window, pairs)
	})
}

// TestSteadyRepeats checks that traffic said to repeat itself brings as much in every period, but for one call.
func TestSteadyRepeats(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pairs := []string{"horizon", "22d", "record.value", "100"}
		for _, c := range []struct {
			key    string
			values []string
		}{
			{"produce", []string{"3KiB/min", "7KiB/h", "1KiB/130s"}},
			{"produce.daily", []string{"100", "50,150", "10,20,30,400"}},
			{"produce.weekly", []string{"100", "100,100,100,100,100,20,0"}},
			{"burst.rate", []string{"0", "9KiB/min"}},
			{"burst.every", []string{"1h", "7h", "1d", "never"}},
			{"burst.start", []string{"0", "13h"}},
			{"produce.start", []string{"0", "5h"}},
			{"backlog", []string{"0", "1MiB"}},
			{"backlog.rate", []string{"1KiB/s"}},
		} {
			pairs = append(pairs, c.key, rapid.SampledFrom(c.values).Draw(t, c.key))
		}
		s := scenario(t, pairs...)
		from, period, ok := s.Steady()
		require.True(t, ok)
		if period < Minute {
			period = period * (1 + Hour/period) // a few hours of equal calls
		}
		whole := int((s.Horizon() - from) / period)
		sums := make([]Bytes, whole)
		for _, c := range callsOf(s) {
			if i := int((c.at - from) / period); c.at >= from && i < whole {
				sums[i] += c.bytes
			}
		}
		spread := slices.Max(sums) - slices.Min(sums)
		require.LessOrEqual(t, spread, 2*s.LargestAppend(), "%v: %v", pairs, sums)
	})
}

// TestConstantIsOneRun checks that traffic at one rate is one run with the exact interval.
func TestConstantIsOneRun(t *testing.T) {
	s := scenario(t, "batch.records", "16", "record.value", "1000", "produce", "1MiB/s")
	steps := runsOf(s)
	require.Len(t, steps, 1)
	run := steps[0].Do.(Append)
	assert.Equal(t, Bytes(16205), run.Batch)
	assert.Equal(t, int64(16205)*1000*run.IntervalDen, run.IntervalNum<<20)
	assert.Equal(t, 30*int64(Day)*1048576/1000/16205+1, run.Count)

	s = scenario(t, "produce", "10/s", "record.value", "1000", "record.key", "10", "linger.ms", "0")
	run = runsOf(s)[0].Do.(Append)
	assert.Equal(t, [2]int64{100, 1}, [2]int64{run.IntervalNum, run.IntervalDen})
	assert.Equal(t, int64(1), run.Records)
	assert.Equal(t, Bytes(1080), run.Batch)
	from, period, ok := s.Steady()
	assert.Equal(t, "0 ms 100 ms true", fmt.Sprint(from, period, ok))
	assert.Equal(t, 10*Bytes(1080), s.MostBytes(999))
	assert.Equal(t, 11*Bytes(1080), s.MostBytes(1000))
}

// TestWorkloadState checks that ten years of an hourly curve are made as they are asked for.
func TestWorkloadState(t *testing.T) {
	s := scenario(t, "produce.daily", "10,20,30,40,50,60,70,80,90,100,110,120,120,110,100,90,80,70,60,50,40,30,20,10",
		"produce.growth", "1%", "produce", "100KiB/s", "horizon", "10y", "retention.ms", "1d")
	src := s.Plan().Steps
	n := 0
	for _, ok := src.Next(); ok; _, ok = src.Next() {
		n++
	}
	assert.Equal(t, 10*365*24, n)
	src = s.Plan().Steps
	// An Append in a Step is the only thing that is allocated.
	assert.LessOrEqual(t, testing.AllocsPerRun(1000, func() { src.Next() }), 1.0)
}

// TestProducersTakeTurns checks that every producer writes, also when runs are shorter than a round.
func TestProducersTakeTurns(t *testing.T) {
	s := scenario(t, "producers", "10", "produce", "4/h", "produce.growth", "1%", "horizon", "1d", "linger.ms", "0")
	seen := map[int64]int{}
	next := int64(0)
	for _, step := range runsOf(s) {
		run := step.Do.(Append)
		for i := range run.Count {
			p := run.Producer + i%run.Producers
			require.Equal(t, next, p)
			next = (next + 1) % 10
			seen[p]++
		}
	}
	assert.Len(t, seen, 10)
}

func TestBacklog(t *testing.T) {
	s := scenario(t, "backlog", "1GiB", "backlog.rate", "100MiB/s", "backlog.age", "10d", "produce", "1MiB/s")
	calls := callsOf(scenario(t, "backlog", "1GiB", "backlog.rate", "100MiB/s", "backlog.age", "10d", "produce", "0/s", "horizon", "1d"))
	var sum Bytes
	before := -11 * Day
	for _, c := range calls {
		sum += c.bytes
		ts := c.at + c.ahead
		require.GreaterOrEqual(t, ts, before, "timestamps do not fall")
		require.LessOrEqual(t, ts, c.at)
		before = ts
	}
	assert.Equal(t, -10*Day, calls[0].ahead)
	assert.InDelta(t, 0, float64(calls[len(calls)-1].ahead), float64(15*Minute))
	assert.InDelta(t, float64(GiB), float64(sum), 16384)
	assert.InDelta(t, 10240, float64(calls[len(calls)-1].at), 5)
	from, _, ok := s.Steady()
	assert.True(t, ok)
	assert.InDelta(t, 10240, float64(from), 5)
	assert.Zero(t, s.MostAhead())
}

func TestSteps(t *testing.T) {
	s := scenario(t, "steps", `5d retention.ms=1h segment.bytes=100MiB; 6d delete-records 1000
		7d restart 60s; 8d hold-high-watermark; 9d follow-high-watermark; 2d record-timestamp +10min; 10d high-watermark 5;
		11d copied-to 7; 12d copy-every 30s; 13d delete-topic; 5d retention.bytes=1GiB`)
	var got []string
	for _, step := range runsOf(s) {
		switch do := step.Do.(type) {
		case Append:
			if do.Count == 1 {
				got = append(got, fmt.Sprintf("%s record %s", step.At.Text(), do.Timestamp.Shift))
			}
		case Configure:
			got = append(got, fmt.Sprintf("%s %s %s %s", step.At.Text(), do.Log.RetentionMs, do.Log.SegmentBytes, do.Log.RetentionBytes))
		default:
			got = append(got, fmt.Sprintf("%s %T%v", step.At.Text(), do, do))
		}
	}
	assert.Equal(t, []string{
		"2d record 10 min", "5d 1 h 100 MiB unlimited", "5d 1 h 100 MiB 1 GiB", "6d calc.DeleteRecords{1000}", "7d calc.Restart{1 min}",
		"8d calc.HighWatermark{-2}", "9d calc.HighWatermark{-1}", "10d calc.HighWatermark{5}", "11d calc.CopiedTo{7}",
		"12d calc.CopyEvery{30 s}", "13d calc.DeleteTopic{}"}, got)
}

func TestTieredCopies(t *testing.T) {
	s := scenario(t, "remote.storage.enable", "true", "local.retention.ms", "12h", "steps", "5d remote.log.copy.disable=true")
	steps := runsOf(s)
	assert.Equal(t, Step{0, CopyEvery{30 * Second}}, steps[0])
	assert.Contains(t, steps, Step{5 * Day, CopyEvery{}})
	require.Len(t, s.NotFollowed(), 1)
}

func BenchmarkSource(b *testing.B) {
	s := scenario(b, "produce.daily", "10,20,30,40,50,60,70,80,90,100,110,120,120,110,100,90,80,70,60,50,40,30,20,10",
		"produce.growth", "1%", "horizon", "10y", "produce", "100KiB/s", "retention.ms", "1d")
	src := s.Plan().Steps
	for b.Loop() {
		if _, ok := src.Next(); !ok {
			src = s.Plan().Steps
		}
	}
}

func BenchmarkNewScenario(b *testing.B) {
	in := given(b, "retention.ms", "3d", "segment.bytes", "512MiB", "produce", "5MiB/s")
	for b.Loop() {
		_, _ = NewScenario(in)
	}
}

func BenchmarkMostBytes(b *testing.B) {
	s := scenario(b, "produce.daily", "10,20,30,40,50,60,70,80,90,100,110,120,120,110,100,90,80,70,60,50,40,30,20,10")
	for b.Loop() {
		s.MostBytes(7 * Day)
	}
}

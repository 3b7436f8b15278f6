package report

import (
	"flag"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

// receipts are the figures that have one.
var receipts = []string{
	OfPeak, OfLow, OfHigh, OfYoungest, OfOldest, OfAll, OfSegments, OfFiles, OfMaps, OfIndexes, OfLengths, OfBound,
}

// figureOf is what a receipt must come to, and whether there is such a figure.
func figureOf(a *calc.Answer, of string) (int64, bool) {
	peak, ages, counts := a.Timeline.Peak(), a.Timeline.Ages(), a.Timeline.Counts()
	band, steady := a.Timeline.Band()
	copies := Times(peak.Allocated.Bytes, a.Scenario.Partitions()*a.Scenario.ReplicationFactor())
	at, u := AtPeak(a.Timeline)
	rest := sampleOf(at, u).rest
	switch of {
	case OfPeak:
		return int64(peak.Allocated.Bytes), true
	case OfLow:
		return int64(band.Allocated.Low), steady
	case OfHigh:
		return int64(band.Allocated.High), steady
	case OfYoungest:
		return int64(ages.Readable.Low), !ages.Readable.Empty()
	case OfOldest:
		return int64(ages.Readable.High), !ages.Readable.Empty()
	case OfAll:
		return int64(copies), true
	case OfSegments:
		return counts.Segments, true
	case OfFiles:
		return counts.OpenFiles, true
	case OfMaps:
		return counts.MemoryMaps, true
	case OfIndexes:
		return int64(rest), true
	case OfLengths:
		return int64(peak.Apparent.Bytes), true
	case OfBound:
		if a.Scenario.Log().Compact {
			return int64(a.Compacted.OnDisk), a.Compacted.OK
		}
		return int64(a.Bound.OnDisk), a.Bound.OK
	}
	panic(of)
}

// The lines of every receipt come to its figure, to the last byte, millisecond or file, and what is shown of sizes adds up as
// well. A receipt without lines says why.
func TestReceiptsComeToTheirFigures(t *testing.T) {
	if !testing.Short() {
		given := false
		flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
		if checks := flag.Lookup("rapid.checks").Value; !given {
			defer checks.Set(checks.String())
			require.NoError(t, checks.Set("2000"))
		}
	}
	closed, open := map[string]int{}, map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		a := random(t)
		for _, of := range receipts {
			r := ReceiptOf(&a, of)
			figure, there := figureOf(&a, of)
			require.NotEmpty(t, r.Title, of)
			if len(r.Lines) == 0 {
				require.NotEmpty(t, r.Notes, of)
				require.True(t, !there || figure == 0 || figure == 1<<63-1, "%s: no lines", of)
				open[of]++
				continue
			}
			require.True(t, there, of)
			require.Equal(t, figure, r.Total.Value, "%s: %+v", of, r)
			require.Equal(t, figure, r.sum(), "%s: %+v", of, r)
			if len(r.Notes) > 0 && strings.Contains(r.Notes[0].String(), "cannot be put into a sum") {
				open[of]++
			} else {
				closed[of]++
			}
			if r.of == ofBytes {
				r.shownAddsUp(t, of)
			}
			for _, l := range r.Lines {
				require.NotEmpty(t, l.What, of)
				require.NotEmpty(t, l.Amount, of)
				if l.Key != "" {
					_, _, known := calc.SettingOf(l.Key)
					require.True(t, known, "%s: %s", of, l.Key)
				}
			}
		}
	})
	t.Logf("with a sum: %v; without: %v", closed, open)
	for _, of := range receipts {
		assert.Positive(t, closed[of], "%s was never put into a sum", of)
	}
}

// sum is what the lines come to.
func (r *Receipt) sum() (sum int64) {
	for _, l := range r.Lines {
		if l.Times {
			sum *= l.Value
		} else {
			sum += l.Value
		}
	}
	return sum
}

func (r *Receipt) shownAddsUp(t *rapid.T, of string) {
	shown := 0.0
	for _, l := range r.Lines {
		n, err := strconv.ParseFloat(strings.ReplaceAll(l.Amount, "\u202f", ""), 64)
		if err != nil {
			return // less than can be shown, or a factor
		}
		shown += n
	}
	total, err := strconv.ParseFloat(strings.ReplaceAll(r.Total.Amount, "\u202f", ""), 64)
	require.NoError(t, err, of)
	require.InDelta(t, total, shown, 1e-6, of)
}

// At the default scenario, by hand: 1 MiB/s fills a segment of 1 GiB in 17 min, it is kept for 7 d from its newest record, and
// a check comes every 5 min.
func TestAgeOfTheDefaults(t *testing.T) {
	a := defaults(t)
	r := ReceiptOf(&a, OfOldest)
	require.Len(t, r.Lines, 3)
	assert.InDelta(t, 1024_000, r.Lines[0].Value, 100, "1 GiB at 1 MiB/s")
	assert.Equal(t, "segment.bytes", r.Lines[0].Key)
	assert.EqualValues(t, 7*calc.Day, r.Lines[1].Value)
	assert.Equal(t, Rule("UnifiedLog.deleteRetentionMsBreachedSegments"), r.Lines[1].Rule)
	assert.Positive(t, r.Lines[2].Value)
	assert.LessOrEqual(t, r.Lines[2].Value, int64(5*calc.Minute))
	assert.Equal(t, "https://github.com/apache/kafka/blob/4.3.1/core/src/main/scala/kafka/log/LogManager.scala", r.Lines[2].Rule.Source())
}

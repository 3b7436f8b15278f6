package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// tieredAnswer is a tiered log with an outage.
func tieredAnswer(t *testing.T, pairs ...string) calc.Answer {
	t.Helper()
	in := calc.Defaults()
	all := append([]string{"remote.storage.enable", "true", "produce", "1MiB/s", "retention.ms", "1d", "local.retention.ms", "1h", "segment.bytes", "64MiB",
		"horizon", "2d", "steps", "30h remote-down 3h"}, pairs...)
	for i := 0; i < len(all); i += 2 {
		require.NoError(t, in.Set(all[i], all[i+1]))
	}
	s, err := calc.NewScenario(in)
	require.NoError(t, err)
	return calc.Run(s)
}

// Every sample of the lanes is what the simulation says at that time: on disk, not copied, in the store. A sample may be taken
// before the batches of its own millisecond, a few KiB, and their blocks.
func TestLanesAgreeWithTheSimulation(t *testing.T) {
	for _, pairs := range [][]string{nil, {"local.retention.bytes", "1GiB", "local.retention.ms", "-2"}, {"upload", ""}, {"steps", "10h remote-down 30min; 20h restart 10min; 40h delete-topic"}} {
		if len(pairs) == 2 && pairs[0] == "upload" {
			pairs = []string{"remote.upload.rate", "2MiB/s", "remote.upload.latency", "20s"}
		}
		a := tieredAnswer(t, pairs...)
		for _, w := range []Window{{0, a.Timeline.Until()}, {29 * calc.Hour, 35 * calc.Hour}} {
			all, lives, ok := playLanes(&a, w, nil)
			require.True(t, ok)
			require.NotEmpty(t, lives)
			for i := 0; i < len(all); i += 37 {
				if i+1 < len(all) && all[i+1].at == all[i].at {
					continue // more happens in this millisecond
				}
				sim := a.Timeline.At(all[i].at)
				u := sim.Usage()
				want := sampleOf(all[i].at, u)
				assert.InDelta(t, int64(want.total()), int64(all[i].total()), 64<<10, "at %v", all[i].at)
				assert.InDelta(t, int64(sim.NotCopied()), int64(all[i].alone), 64<<10, "at %v", all[i].at)
				assert.Equal(t, u.Remote, all[i].remote, "at %v", all[i].at)
				assert.LessOrEqual(t, all[i].past, all[i].alone)
			}
		}
	}
}

// In an outage what is past local retention waits; in a healthy time nothing does for longer than a copy takes.
func TestPastLocalRetentionWaits(t *testing.T) {
	a := tieredAnswer(t)
	l := PlayLanes(&a, Window{0, a.Timeline.Until()}).Lanes(Danger{})
	require.NotEmpty(t, l.Past)
	w := l.Window
	for _, b := range l.Past {
		assert.GreaterOrEqual(t, b.X, w.percent(31*calc.Hour-7*calc.Minute), "an hour after the last copy, which was two minutes before; a column is 5 min")
		assert.LessOrEqual(t, b.X+b.Width, w.percent(33*calc.Hour+10*calc.Minute))
		assert.Greater(t, b.Height, 0.0)
	}
	require.Len(t, l.Outages, 1)
	assert.InDelta(t, w.percent(30*calc.Hour), l.Outages[0].X, 0.001)
	assert.Contains(t, l.Outages[0].Label, "3\u00a0h")
	assert.Contains(t, l.Summary, SizeText(l.High))
}

// The film has each state with its own place, and a segment that a restart loses is marked from then on.
func TestLaneFilm(t *testing.T) {
	a := tieredAnswer(t)
	whole := Window{0, a.Timeline.Until()}
	f := PlayLanes(&a, whole).Lanes(Danger{}).Lives
	require.NotNil(t, f)
	assert.LessOrEqual(t, len(f.Rows), mostLaneRows)
	assert.True(t, f.Active && f.Alone && f.Both && f.Remote)
	assert.False(t, f.Dangling)
	first := f.Rows[0]
	f = PlayLanes(&a, whole).Lanes(Danger{Windows: []calc.Window{{Base: first.Base, Lost: 10 * calc.Hour, Deleted: 24 * calc.Hour}}, Restart: calc.Never}).Lives
	assert.True(t, f.Dangling)
	for _, row := range f.Rows {
		for i, b := range row.Bars {
			assert.GreaterOrEqual(t, b.Width, 0.0)
			assert.LessOrEqual(t, b.X+b.Width, 100.001)
			if b.State == LaneDangling {
				assert.InDelta(t, whole.percent(10*calc.Hour), b.X, 0.001)
				assert.Equal(t, LaneRemote, row.Bars[i-1].State)
			}
		}
	}
}

func TestLaneTable(t *testing.T) {
	a := tieredAnswer(t)
	rows := PlayLanes(&a, Window{0, a.Timeline.Until()}).Table(Danger{})
	var what []string
	for _, r := range rows {
		if r.What != "" {
			what = append(what, r.What)
		}
	}
	assert.Equal(t, "the remote store goes down, the remote store is back, the local peak", strings.Join(what, ", "), "what was copied since goes at the next check")
}

func TestTieredSentence(t *testing.T) {
	a := tieredAnswer(t)
	e := a.Timeline.OutageEffect(a.Scenario.Outages()[0])
	says := TieredSentence(&a, &e).String()
	assert.Contains(t, says, "down for 3\u00a0h")
	assert.Contains(t, says, "times its most before, and is back to that")
	assert.Contains(t, TieredSentence(&a, nil).String(), "a record can be read for")
	a = tieredAnswer(t, "steps", "30h remote-down")
	e = a.Timeline.OutageEffect(a.Scenario.Outages()[0])
	assert.Contains(t, TieredSentence(&a, &e).String(), "by the end of 2\u00a0d")
}

// A disk is a line across the local half; how long it holds in an outage is said.
func TestDiskInTheLanes(t *testing.T) {
	a := tieredAnswer(t, "disk", "80GiB", "partitions", "10")
	l := PlayLanes(&a, Window{0, a.Timeline.Until()}).Lanes(Danger{})
	require.NotNil(t, l.Disk)
	assert.Equal(t, "disk ÷ 10", l.Disk.Key)
	assert.Equal(t, 8*calc.GiB, l.Disk.Bytes)
	says := OutageDisk(a.Disk.Size, 30*calc.Hour, a.Disk.Full.At, false, a.Timeline.Until()).String()
	assert.Contains(t, says, "is full 2\u00a0h")
	assert.Contains(t, OutageDisk(a.Disk.Size, 0, calc.Never, true, calc.Day).String(), "even if the store stays down")
	assert.Contains(t, OutageDisk(a.Disk.Size, calc.Day, calc.Hour, false, calc.Day).String(), "before that")
}

// Too much to play again is drawn from the envelope, without parts and without lives.
func TestLanesOfALongTime(t *testing.T) {
	a := tieredAnswer(t, "segment.bytes", "1MiB", "steps", "")
	l := PlayLanes(&a, Window{0, a.Timeline.Until()}).Lanes(Danger{})
	assert.Nil(t, l.Lives)
	assert.Positive(t, l.Column)
	assert.NotEmpty(t, l.Down.Alone)
	l = PlayLanes(&a, Window{0, calc.Hour}).Lanes(Danger{})
	assert.NotNil(t, l.Lives)
}

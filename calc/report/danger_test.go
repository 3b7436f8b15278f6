package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// endangered is a tiered log whose metadata is kept too short, and the check of it.
func endangered(t *testing.T, pairs ...string) (calc.Answer, calc.MetadataFinding) {
	t.Helper()
	in := calc.Defaults()
	all := append([]string{"remote.storage.enable", "true", "produce", "100KiB/s", "segment.bytes", "16MiB", "horizon", "20d", "log.roll.ms", "1h",
		"retention.ms", "5d", "local.retention.ms", "6h", metadataRetention, "1d"}, pairs...)
	for i := 0; i < len(all); i += 2 {
		require.NoError(t, in.Set(all[i], all[i+1]))
	}
	s, err := calc.NewScenario(in)
	require.NoError(t, err)
	c, err := calc.NewMetadataCheck([]calc.TopicInput{{Input: in}}, nil)
	require.NoError(t, err)
	f, err := c.Run(nil)
	require.NoError(t, err)
	require.NotEmpty(t, f.Windows)
	return calc.Run(s), f
}

// stored is the batches of segments that the store holds at a time, of those whose first offset is one of some.
func stored(a *calc.Answer, at calc.Millis, some func(base calc.Offset) bool) (sum calc.Bytes) {
	for _, g := range a.Timeline.At(at).RemoteSegments() {
		if !g.Failed && g.Finished != calc.Never && some(g.Base) {
			sum += g.Log
		}
	}
	return sum
}

// What is drawn as dangling is what the store holds, by the simulation, of the segments whose metadata is lost; it never is more
// than what the store has.
func TestDanglingIsDrawn(t *testing.T) {
	a, f := endangered(t)
	d := DangerOf(&f)
	assert.False(t, d.Chosen())
	for at := calc.Millis(0); at < 20*calc.Day; at += 7*calc.Hour + 13 {
		lost := map[calc.Offset]bool{}
		for _, v := range f.Windows {
			lost[v.Base] = v.Lost <= at
		}
		dangling, stays := d.at(at)
		assert.Equal(t, stored(&a, at, func(base calc.Offset) bool { return lost[base] }), dangling, "at %v", at)
		assert.Zero(t, stays)
	}
	w := Window{0, a.Timeline.Until()}
	l := PlayLanes(&a, w).Lanes(d)
	assert.NotEmpty(t, l.Down.Dangling)
	assert.Contains(t, l.Summary, "would dangle if all brokers restarted then")
	assert.Greater(t, l.Dangling, f.Windows[0].Log)
	assert.LessOrEqual(t, l.Dangling, l.Stored)
	assert.Equal(t, PlayLanes(&a, w).Lanes(Danger{}).Stored, l.Stored, "the same is in the store")
	assert.Empty(t, PlayLanes(&a, w).Lanes(Danger{}).Down.Dangling)
	rows := PlayLanes(&a, w).Table(d)
	assert.Equal(t, "0\u00a0B", rows[0].Dangling)
	assert.NotEqual(t, "0\u00a0B", rows[len(rows)-1].Dangling)
}

// What a restart at a chosen time catches dangles from then on, and stays when it would have been deleted.
func TestDanglingStays(t *testing.T) {
	const restart = 10 * calc.Day
	a, f := endangered(t, "restart.all", "10d")
	d := DangerOf(&f)
	require.True(t, d.Chosen())
	caught, sum := int64(0), calc.Bytes(0)
	for i := range f.Windows {
		if _, _, ok := d.span(&f.Windows[i]); ok {
			caught++
			sum += f.Windows[i].Log
		}
	}
	assert.Equal(t, f.Restart.Segments, caught)
	dangling, _ := d.at(restart - 1)
	assert.Zero(t, dangling)
	dangling, stays := d.at(restart)
	assert.Equal(t, sum, dangling)
	assert.Zero(t, stays, "what is caught was still there")
	dangling, stays = d.at(20 * calc.Day)
	assert.Equal(t, sum, dangling)
	assert.Equal(t, sum, stays, "ten days later all of it should be gone")

	w := Window{0, a.Timeline.Until()}
	l := PlayLanes(&a, w).Lanes(d)
	healthy := PlayLanes(&a, w).Lanes(Danger{})
	assert.InDelta(t, int64(healthy.Stored+sum), int64(l.Stored), float64(32*calc.MiB), "what is written meanwhile comes on top")
	assert.Contains(t, l.Summary, "dangles since all brokers restarted")
	rows := PlayLanes(&a, w).Table(d)
	assert.Equal(t, SizeText(sum), rows[len(rows)-1].Dangling)
	assert.Equal(t, SizeText(a.Timeline.At(w.To).Usage().Remote+sum), rows[len(rows)-1].Remote)
	// Later, when all of it would have been deleted, it still has its rows.
	late := PlayLanes(&a, Window{16 * calc.Day, 20 * calc.Day}).Lanes(d).Lives
	require.NotNil(t, late)
	assert.True(t, late.Dangling)
	assert.Equal(t, f.Windows[0].Base <= late.Rows[0].Base, true)
	assert.Equal(t, LaneBar{0, 100, LaneDangling}, late.Rows[0].Bars[0])
}

// Samples are added where what dangles changes, and none is lost or put out of order.
func TestDangerMarksSamples(t *testing.T) {
	at := func(t calc.Millis, remote calc.Bytes) laneSample {
		return laneSample{sample: sample{at: t}, remote: remote}
	}
	d := Danger{Restart: 15, Windows: []calc.Window{{Log: 10, Lost: 5, Deleted: 20}, {Log: 7, Lost: 16, Deleted: 30}}}
	var got [][3]int64
	for _, s := range d.mark([]laneSample{at(0, 0), at(10, 100), at(20, 100), at(20, 90), at(30, 90)}) {
		got = append(got, [3]int64{int64(s.at), int64(s.remote), int64(s.dangling)})
	}
	assert.Equal(t, [][3]int64{{0, 0, 0}, {10, 100, 0}, {15, 100, 0}, {15, 100, 10}, {20, 100, 10}, {20, 100, 10}, {30, 100, 10}}, got)
	d.Restart = calc.Never
	got = nil
	for _, s := range d.mark([]laneSample{at(5, 50), at(20, 50), at(20, 40)}) {
		got = append(got, [3]int64{int64(s.at), int64(s.remote), int64(s.dangling)})
	}
	assert.Equal(t, [][3]int64{{5, 50, 10}, {16, 50, 10}, {16, 50, 17}, {20, 50, 17}, {20, 40, 7}}, got)
}

package report

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// What is offered against a full disk helps: pressed one after the other, the log fits with some room.
func TestDiskFixesFit(t *testing.T) {
	for _, settings := range [][]string{
		{"disk=100GiB"},
		{"disk=2GiB"},
		{"disk=100GiB", "partitions=20", "replication.factor=3"},
		{"disk=1TiB", "produce=20MiB/s", "produce.daily=50,150,200,100"},
		{"disk=20GiB", "retention.bytes=20GiB", "retention.ms=-1"},
		{"disk=20GiB", "retention.ms=-1", "burst.rate=5MiB/s"},
		{"disk=20GiB", "remote.storage.enable=true", "local.retention.ms=1d"},
	} {
		a, o := run(t, settings...)
		first := found(a, "The disk is full before anything is deleted", "The disk is full although retention deletes")
		require.NotNil(t, first, settings)
		assert.True(t, first.Warn)
		larger := first.Fixes[len(first.Fixes)-1]
		require.Equal(t, "disk", larger.Key)

		in := o.Input
		require.NoError(t, in.Set("disk", larger.Value))
		b := play(t, in)
		assert.Equal(t, calc.Never, b.Disk.Full.At, "%s with %s", settings, larger)
		assert.LessOrEqual(t, b.Disk.Most.Bytes, b.Disk.Size/100*91, "%s with %s", settings, larger)

		in = o.Input
		for range 3 {
			f := found(play(t, in), "The disk is full before anything is deleted", "The disk is full although retention deletes")
			if f == nil {
				break
			}
			require.NotEqual(t, "disk", f.Fixes[0].Key, "%v", settings)
			require.NoError(t, in.Set(f.Fixes[0].Key, f.Fixes[0].Value))
		}
		assert.Equal(t, calc.Never, play(t, in).Disk.Full.At, "%v", settings)
	}
}

func play(t *testing.T, in calc.Input) *calc.Answer {
	t.Helper()
	s, err := calc.NewScenario(in)
	require.NoError(t, err)
	a := calc.Run(s)
	return &a
}

func found(a *calc.Answer, titles ...string) *Finding {
	for _, f := range Findings(a) {
		for _, title := range titles {
			if f.Title == title {
				return &f
			}
		}
	}
	return nil
}

// Before or after the first deletion, with room or hardly any: each is said.
func TestDiskIsSaid(t *testing.T) {
	for _, c := range []struct {
		settings              []string
		sentence, title, text string
	}{
		{[]string{"disk=100GiB"}, "A disk of 100 GiB is full after 1 d 4 h, before anything is deleted.", "The disk is full before anything is deleted",
			"the disk                  full at 107 374 182 400 B, after 1 d 4 h 21 min 12 s\n                          903 ms, before the first deletion\n"},
		{[]string{"disk=700GiB"}, "A disk of 700 GiB has 106 GiB to spare.", "", "the disk                  not full: 594 GiB of 700 GiB at the most\n"},
		{[]string{"disk=620GiB"}, "A disk of 620 GiB has 26.1 GiB to spare.", "Hardly anything of the disk is left", ""},
		{[]string{"disk=1TiB", "horizon=1d"}, "A disk of 1 TiB is not full by then.", "", ""},
		{[]string{"disk=8GiB", "retention.ms=1h", "segment.bytes=64MiB", "burst.rate=9MiB/s", "burst.start=1d", "horizon=3d"},
			"A disk of 8 GiB is full after 1 d.", "The disk is full although retention deletes", "the disk                  full at 8 589 938 688 B, after 1 d 0 h 08 min 10 s\n                          259 ms, after the first deletion\n"},
	} {
		a, o := run(t, c.settings...)
		assert.Contains(t, plainSpaces(Sentence(a).String()), c.sentence)
		if c.title != "" {
			assert.NotNil(t, found(a, c.title), c.title)
		} else {
			for _, f := range Findings(a) {
				assert.NotContains(t, f.Title, "disk", "%v", c.settings)
			}
		}
		assert.Contains(t, string(Text(a, o)), c.text)
	}
	a, o := run(t, "disk=100GiB", "partitions=2")
	data, err := JSON(a, o)
	require.NoError(t, err)
	var got struct{ Disk *jsonDisk }
	require.NoError(t, json.Unmarshal(data, &got))
	assert.Equal(t, a.Disk.Full.At, *got.Disk.FullAt)
	assert.Equal(t, a.Disk.Full.Bytes, *got.Disk.Full)
	assert.True(t, got.Disk.Before)
	// Twice the traffic takes half the time, but for a segment's index files and the rounding to blocks.
	assert.InEpsilon(t, int64(*got.Disk.FullAt)/2, int64(*got.Disk.Doubled.FullAt), 0.01)
	a, o = run(t, "horizon=1h")
	data, err = JSON(a, o)
	require.NoError(t, err)
	assert.NotContains(t, string(data), `"disk"`)
}

// 100 GiB at 2 MiB/s are 51 200 s, 14 h 13 min; indexes and blocks come on top.
func TestWithTwice(t *testing.T) {
	run := func(s calc.Scenario) (calc.Answer, bool) { return calc.Run(s), true }
	var in calc.Input
	require.NoError(t, in.Set("disk", "100GiB"))
	says := plainSpaces(WithTwice(in, run).String())
	assert.Regexp(t, `^With twice the traffic a disk of 100 GiB is full after 14 h.*, before anything is deleted\.$`, says)

	assert.Empty(t, WithTwice(calc.Input{}, run), "no disk")
	assert.Empty(t, WithTwice(in, func(calc.Scenario) (calc.Answer, bool) { return calc.Answer{}, false }), "stopped")
}

// A reserve is a tenth of the disk, or what a start sets aside for the indexes of many partitions: 20 MiB for each.
func TestReserve(t *testing.T) {
	for _, c := range []struct {
		settings []string
		reserve  calc.Bytes
	}{
		{[]string{"disk=100GiB"}, 10 * calc.GiB},
		{[]string{"disk=100GiB", "partitions=1000", "produce=10B/s"}, 20_000 * calc.MiB},
		{[]string{"disk=10GiB", "partitions=1000", "produce=10B/s"}, 10 * calc.GiB},
	} {
		a, _ := run(t, c.settings...)
		assert.Equal(t, c.reserve, reserveOf(a), "%v", c.settings)
	}
}

// The disk and its reserve are lines of the drawing: of one replica, the share of one.
func TestDiskIsDrawn(t *testing.T) {
	lines := func(settings ...string) (all []string) {
		a, _ := run(t, settings...)
		w, _ := WindowFor(a, FocusAll)
		for _, l := range drawn(a, w).Detail.Limits {
			all = append(all, plainSpaces(l.Key)+" "+l.Bytes.String())
		}
		return all
	}
	assert.Equal(t, []string{"disk 100 GiB", "reserve from 90 GiB"}, lines("disk=100GiB"))
	assert.Equal(t, []string{"disk ÷ 10 = 100 GiB", "reserve from 90 GiB"}, lines("disk=1000GiB", "partitions=10"))
	assert.Empty(t, lines("disk=10TiB"), "far above what is drawn")
	assert.Empty(t, lines())
}

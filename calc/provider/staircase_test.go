package provider

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

func mskStairs(t *testing.T) *Staircase {
	t.Helper()
	r, ok := amazonMSK.RuleOf("growth")
	require.True(t, ok)
	return r.Staircase
}

// From 1,000 GiB the staircase gives 100 GiB in 6 hours, 4.7 MiB/s for each broker; faster growth outruns it.
func TestStaircasePace(t *testing.T) {
	s := mskStairs(t)
	pace := s.Climb(1000*calc.GiB, 0, -1, 0, 0, 60, calc.Day).Pace
	assert.Equal(t, calc.ByteRate(100*int64(calc.GiB)/21600), pace)
	assert.Equal(t, "4.74 MiB/s", pace.String())
	// A small disk grows by 10 GiB.
	assert.Equal(t, calc.ByteRate(10*int64(calc.GiB)/21600), s.Climb(50*calc.GiB, 0, -1, 0, 0, 60, calc.Day).Pace)

	slow := s.Climb(1000*calc.GiB, 590*calc.GiB, 5000*calc.GiB, 0, pace, 60, 365*calc.Day)
	assert.True(t, slow.Keeps, "the steps grow with the disk")
	assert.Equal(t, 5000*calc.GiB, slow.Use)
	fast := s.Climb(1000*calc.GiB, 590*calc.GiB, 5000*calc.GiB, 0, 4*pace, 60, 365*calc.Day)
	assert.False(t, fast.Keeps)
	for i, step := range fast.Steps {
		assert.Less(t, step.From, step.To)
		if i > 0 {
			assert.Equal(t, fast.Steps[i-1].To, step.From)
			assert.GreaterOrEqual(t, step.At-fast.Steps[i-1].At, 6*calc.Hour, "the time to wait")
		}
		assert.Less(t, step.At, fast.FullAt)
	}
	// It is full when what came no longer fits.
	came := 590*calc.GiB + calc.Bytes(int64(4*pace)*int64(fast.FullAt)/1000)
	assert.InDelta(t, int64(fast.Disk), int64(came), float64(4*pace))
}

func TestStaircaseEnds(t *testing.T) {
	s := mskStairs(t)
	g := s.Climb(15*calc.TiB, 10*calc.TiB, -1, 0, calc.ByteRate(calc.MiB), 60, 3650*calc.Day)
	assert.False(t, g.Keeps, "16 TiB is the most")
	assert.Equal(t, 16*calc.TiB, g.Disk)
	g = s.Climb(calc.TiB, 0, -1, 2*calc.TiB, calc.ByteRate(calc.MiB), 60, 3650*calc.Day)
	assert.Equal(t, 2*calc.TiB, g.Disk)
	assert.False(t, g.Keeps)
	g = s.Climb(calc.TiB, 0, 500*calc.GiB, 0, calc.ByteRate(calc.GiB), 60, 3650*calc.Day)
	assert.True(t, g.Keeps)
	assert.Empty(t, g.Steps, "below the target nothing grows")
}

// Whatever comes, a disk that keeps up is never below its use, and one that does not is full when it says.
func TestStaircaseHolds(t *testing.T) {
	if testing.Short() {
		t.Skip("it looks every 20 minutes for 400 days")
	}
	s := mskStairs(t)
	rapid.Check(t, func(t *rapid.T) {
		disk := calc.Bytes(rapid.Int64Range(1, 4000).Draw(t, "GiB")) * calc.GiB
		most := calc.Bytes(rapid.Int64Range(1, 20_000).Draw(t, "most, GiB")) * calc.GiB
		rate := calc.ByteRate(rapid.Int64Range(1, 200_000_000).Draw(t, "B/s"))
		target := rapid.Int64Range(10, 80).Draw(t, "target")
		g := s.Climb(disk, 0, most, 0, rate, target, 400*calc.Day)
		size, next := disk, 0
		for at := calc.Millis(0); at <= 400*calc.Day; at += 20 * calc.Minute {
			for next < len(g.Steps) && g.Steps[next].At <= at {
				size = g.Steps[next].To
				next++
			}
			use := min(most, calc.Bytes(int64(rate)*int64(at)/1000))
			if !g.Keeps && at >= g.FullAt {
				return
			}
			if use > size {
				t.Fatalf("at %s %s are in use of %s", at, use, size)
			}
		}
		if !g.Keeps {
			t.Fatalf("it was said to be full at %s", g.FullAt)
		}
	})
}

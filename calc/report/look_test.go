package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// With anchors the first drawing of a long scenario, and the receipt of its peak, are near; nothing that is said changes.
func TestAnchors(t *testing.T) {
	in := calc.Defaults()
	for key, value := range map[string]string{"produce": "4MiB/s", "produce.daily": "50,100,150,100", "segment.bytes": "256MiB", "horizon": "400d"} {
		require.NoError(t, in.Set(key, value))
	}
	s, err := calc.NewScenario(in)
	require.NoError(t, err)
	plain, anchored := calc.Run(s), calc.Run(s)
	require.True(t, Anchor(&anchored, nil))
	assert.False(t, Anchor(&plain, func() bool { return false }))
	plain = calc.Run(s)

	far, near := NewLook(plain.Timeline), NewLook(anchored.Timeline)
	w, ok := WindowFor(&plain, FocusPeak)
	require.True(t, ok)
	assert.Greater(t, far.Cost(w.From), int64(anchorWithin), "so that the test proves something")
	assert.LessOrEqual(t, near.Cost(w.From), int64(anchorWithin))
	assert.LessOrEqual(t, near.Cost(plain.Timeline.Peak().Allocated.At), int64(2*anchorWithin))

	for _, at := range []calc.Millis{0, w.From, w.To, plain.Timeline.Peak().Allocated.At, 100 * calc.Day, plain.Timeline.Until()} {
		assert.Equal(t, plain.Timeline.At(at).Directory(), anchored.Timeline.At(at).Directory())
	}
	assert.Equal(t, ReceiptOf(&plain, OfPeak), ReceiptOf(&anchored, OfPeak))
	one, _ := ChartWith(&plain, far, w, nil)
	two, _ := ChartWith(&anchored, near, w, nil)
	assert.Equal(t, one, two)
}

// A scenario in which nothing is deleted at most of its checks has few events and many steps: what is far in it is known to be far.
func TestChecksThatDeleteNothingAreCounted(t *testing.T) {
	a, _ := run(t, "horizon=10y", "produce=10KiB/s", "retention.bytes=50GiB")
	look := NewLook(a.Timeline)
	whole := Window{0, a.Timeline.Until()}
	assert.Less(t, a.Timeline.Counts().Events, int64(10_000), "so that the test proves something")
	// A check every 5 min makes 288 steps a day, and as many for what comes between; two count as an event.
	assert.InEpsilon(t, 3650*288, look.effort(whole), 0.1)
	assert.True(t, look.tooMany(whole))

	b, _ := run(t)
	look = NewLook(b.Timeline)
	assert.InEpsilon(t, b.Timeline.Counts().Events, look.effort(Window{0, b.Timeline.Until()}), 0.3, "all goes evenly")
}

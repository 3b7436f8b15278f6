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

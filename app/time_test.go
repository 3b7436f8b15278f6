package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// A record and a change are in the link with the moment that they are about; without them the moment is not.
func TestMomentIsInTheLink(t *testing.T) {
	s := newState()
	s.moveTo(12 * calc.Hour)
	assert.Empty(t, s.fragment())
	s.put(recordKey, "2h ago")
	assert.Equal(t, "v=1&record=2h%20ago&at=12h", s.fragment())

	again := newState()
	require.True(t, again.follow("#"+s.fragment()))
	assert.Equal(t, 12*calc.Hour, again.at)
	assert.Equal(t, s.fragment(), again.fragment())
	known, ok := again.think(nil)
	require.True(t, ok)
	assert.Empty(t, known.stay.Problem)
	assert.Equal(t, calc.Offset(-1), again.asked)
	_, _, end, _ := again.answer.Timeline.At(10 * calc.Hour).Offsets()
	assert.Equal(t, end-1, known.stay.Stay.Record)

	// What a link says for a moment, a record or a change may be anything.
	for _, link := range []string{"#v=1&at=soon&record=x&change=y", "#v=1&at=-1&record=-&change=retention.ms", "#v=1&at=9999999d&record=%00&change=retention.ms%3D%00", "#v=1&change=segment.bytes%3D1"} {
		s := newState()
		require.True(t, s.follow(link))
		known, ok := s.think(nil)
		require.True(t, ok, link)
		require.NotNil(t, known.stay.Stay, link)
		assert.Contains(t, s.fragment(), "change=", link)
	}
}

// A change that is tried can be kept: it becomes a step, after those that are there.
func TestChangeBecomesAStep(t *testing.T) {
	s := newState()
	s.replace(inputOf("steps", "5d restart 60s; "))
	s.moveTo(12 * calc.Hour)
	assert.Equal(t, "5d restart 60s; 12h retention.ms=1h", s.withStep("retention.ms=1h"))
	s.put(changeKey, "retention.ms=1h retention.bytes=lots")
	known, ok := s.think(nil)
	require.True(t, ok)
	assert.Contains(t, known.change.Problem, "lots")
	assert.Equal(t, [2]string{"1h", "lots"}, known.change.Texts)
	assert.Nil(t, known.change.Change)
}

// What is far is drawn from the envelope first, and the moment's directory stays as it was; in the end both are what they
// would have been at once.
func TestFarIsRoughFirst(t *testing.T) {
	run := func(patient bool) *state {
		s := newState()
		in := inputOf("produce", "50MiB/s")
		_ = in.Set("horizon", "60d")
		scenario, err := calc.NewScenario(in)
		require.NoError(t, err)
		s.show(in, calc.Run(scenario))
		s.instant()
		s.patient = patient
		s.own(report.Window{From: 40 * calc.Day, To: 40*calc.Day + 3*calc.Hour})
		return s
	}
	s, at := run(true), run(false)
	require.True(t, s.farWindow())
	was := s.lastInstant
	assert.NotEmpty(t, s.drawing().Detail.Swing)
	assert.True(t, s.rough)
	assert.True(t, s.film().Wait)
	assert.Same(t, was, s.instant())
	c, ok := report.ChartWith(&s.answer, s.looks, s.window, nil)
	require.True(t, ok)
	assert.Equal(t, *at.drawing(), c)
	s.looks.Approach(s.at, nil)
	assert.False(t, s.farMoment())
	assert.Equal(t, at.instant(), s.instant())
}

// Two fingers and dragging keep what is under them where it is.
func TestHand(t *testing.T) {
	s := newState()
	s.own(report.Window{From: 10 * calc.Day, To: 20 * calc.Day})
	h := hand{window: s.window, times: 0.5, about: 0.5, pan: 0.1, panned: true}
	h.catchUp(s)
	assert.Equal(t, report.Window{From: 13 * calc.Day, To: 18 * calc.Day}, s.window)
	assert.Zero(t, h.times)
	h.catchUp(s)
	assert.Equal(t, 13*calc.Day, s.window.From, "nothing happens twice")
	h = hand{window: s.window, pan: -10, panned: true}
	h.catchUp(s)
	assert.Equal(t, report.Window{From: 0, To: 5 * calc.Day}, s.window, "time begins at 0")
}

package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// A place is kept in the link beside the scenario; the engine does not see it, and undo goes back to it.
func TestPlaceIsInTheLink(t *testing.T) {
	s := newState()
	assert.True(t, s.follow("#v=1&view=elsewhere&retention.ms=1d"))
	assert.Equal(t, "elsewhere", s.place.of(viewKey))
	assert.Empty(t, s.linkSays)
	for key := range s.input.Unknown() {
		assert.Fail(t, "the engine sees "+key)
	}
	assert.Equal(t, "v=1&view=elsewhere&retention.ms=1d", s.fragment())
	assert.Empty(t, s.place.view().name, "a view that this version does not have is kept, and the partition is shown")

	s.put(viewKey, "")
	assert.Equal(t, "v=1&retention.ms=1d", s.fragment())
	s.undo()
	assert.Equal(t, "v=1&view=elsewhere&retention.ms=1d", s.fragment())
	s.redo()
	assert.Equal(t, "v=1&retention.ms=1d", s.fragment())
}

// Another view of the same scenario leaves the reader at the same moment.
func TestViewKeepsTheMoment(t *testing.T) {
	s := newState()
	s.moveTo(12345)
	assert.True(t, s.follow("#v=1&view=elsewhere"))
	assert.EqualValues(t, 12345, s.at)
	assert.True(t, s.moved)
}

func TestPlaceIsNeverChangedInPlace(t *testing.T) {
	var none place
	one := none.with("a", "1")
	two := one.with("a", "2").with("b", "3")
	assert.Empty(t, none)
	assert.Equal(t, place{{Key: "a", Value: "1"}}, one)
	assert.Equal(t, place{{Key: "b", Value: "3"}}, two.with("a", ""))
	assert.Equal(t, one, one.with("b", ""))
}

package app

import (
	"os"
	"regexp"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
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

// web/program.js decides before this program runs; it knows the views by their names.
func TestProgramIsChosenByTheView(t *testing.T) {
	script, err := os.ReadFile("../web/program.js")
	require.NoError(t, err)
	chosen := regexp.MustCompile(`const whole = /(.*)/\.test`).FindSubmatch(script)
	require.NotNil(t, chosen)
	whole, err := regexp.Compile(string(chosen[1]))
	require.NoError(t, err)
	for _, v := range allViews() {
		assert.Equal(t, v.name != "", whole.MatchString("#v=1&view="+v.name), v.label)
		assert.Equal(t, v.name != "", whole.MatchString("#view="+v.name+"&retention.ms=1d"), v.label)
	}
	for _, link := range []string{"", "#v=1", "#v=1&view=answer,chart", "#v=1&retention.ms=1d"} {
		assert.False(t, whole.MatchString(link), link)
	}
}

// The smaller program has the same tabs, draws the partition for all of them, and knows which lead elsewhere.
func TestSmallerProgramKnowsTheViews(t *testing.T) {
	all := allViews()
	defer AllViews()
	otherViews, viewList = nil, nil
	for i, v := range allViews() {
		assert.Equal(t, all[i].name, v.name)
		assert.Equal(t, all[i].label, v.label)
		link := "#v=1&view=" + v.name
		assert.Equal(t, v.draw == nil, elsewhere(link) != "", link)
		assert.Empty(t, place{{Key: viewKey, Value: v.name}}.view().name)
	}
	assert.Len(t, allViews(), len(all))
	assert.Empty(t, elsewhere(""))
}

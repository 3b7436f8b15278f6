package report

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// What a reader types to pick a record: an offset, a time, an age.
func TestAsked(t *testing.T) {
	a := defaults(t, "horizon", "10h")
	look := NewLook(a.Timeline)
	at := 5 * calc.Hour
	offset := func(at calc.Millis) calc.Offset {
		_, _, end, _ := a.Timeline.At(at).Offsets()
		return end - 1
	}
	for text, want := range map[string]calc.Offset{
		"0": 0, " 12 345 ": 12345, "12,345": 12345, Number(4199168): 4199168,
		"3h": offset(3 * calc.Hour), Clock(3*calc.Hour+6*calc.Minute+10*calc.Second, calc.Second): offset(3*calc.Hour + 6*calc.Minute + 10*calc.Second),
		"2h ago": offset(3 * calc.Hour), "2h old": offset(3 * calc.Hour), "-2h": offset(3 * calc.Hour), "0s ago": offset(at),
	} {
		o, problem := Asked(&a, look, at, text)
		assert.Empty(t, problem, text)
		assert.Equal(t, want, o, text)
	}
	for text, want := range map[string]string{
		"": "Give an offset", "soon": "Give an offset", "6h ago": "before the scenario", "11h": "ends at", "99999999999": "the log ends at", "1e999": "Give an offset",
		"9223372036854775808": "Give an offset", "\x00": "Give an offset", "1.5": "Give an offset",
	} {
		_, problem := Asked(&a, look, at, text)
		assert.Contains(t, problem, want, text)
	}
	a = defaults(t, "produce", "0/s", "horizon", "10h")
	_, problem := Asked(&a, NewLook(a.Timeline), at, "1h")
	assert.Contains(t, problem, "Nothing is written")
}

// What keeps a record is named: the open segment, an older neighbour, the check, the removal.
func TestStayNamesWhatKeepsARecord(t *testing.T) {
	a := defaults(t, "retention.ms", "1h", "horizon", "6h", "steps", "1min record-timestamp +30min")
	look := NewLook(a.Timeline)
	now := func(at calc.Millis, o calc.Offset) (string, string) {
		s, ok := StayOf(&a, look, at, -1, o, nil)
		require.True(t, ok)
		for _, step := range s.Steps {
			if step.Now {
				return plainSpaces(step.Words.String()), step.Key
			}
		}
		t.Fatal("nothing is said of now")
		return "", ""
	}
	const later = 1_200_000 // in the second segment, whose newest record is of about 34 min
	says, _ := now(10*calc.Minute, later)
	assert.Contains(t, says, "not written yet")
	says, key := now(25*calc.Minute, later)
	assert.Contains(t, says, "still open")
	assert.Equal(t, "segment.bytes", key)
	says, key = now(80*calc.Minute, later)
	assert.Contains(t, says, "within 1 h")
	assert.Equal(t, "retention.ms", key)

	// The first segment has a record of 31 min, stamped ahead: past retention at 91 min, and deleted with the check after.
	says, _ = now(90*calc.Minute, 5)
	assert.Contains(t, says, "within 1 h")
	says, _ = now(20*calc.Minute, 5)
	assert.Contains(t, says, "ahead of the clock")
	says, key = now(91*calc.Minute+10*calc.Second+1, 5)
	assert.Contains(t, says, "past retention, since 10 s")
	assert.Equal(t, checkInterval, key)
	says, key = now(96*calc.Minute, 5)
	assert.Contains(t, says, "named .deleted")
	assert.Equal(t, "file.delete.delay.ms", key)
	says, _ = now(100*calc.Minute, 5)
	assert.Contains(t, says, "gone")

	// A neighbour that is stamped two hours ahead keeps those behind it that are old enough.
	a = defaults(t, "retention.ms", "1h", "horizon", "6h", "message.timestamp.after.max.ms", "1d", "steps", "1min record-timestamp +2h")
	look = NewLook(a.Timeline)
	says, _ = now(100*calc.Minute, later)
	assert.Contains(t, says, "before it comes segment 0, whose newest record is stamped 21 min ahead of the clock")
}

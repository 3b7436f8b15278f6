package app

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

func (s *state) peakBytes() calc.Bytes { return s.answer.Timeline.Peak().Allocated.Bytes }

// fieldOf is what the form shows of a setting.
func (s *state) fieldOf(key string) *fieldView {
	s.form()
	return s.views.fields[key]
}

func TestSetChangesTheAnswer(t *testing.T) {
	s := newState()
	before := s.peakBytes()
	s.set("retention.ms", "1d")
	assert.Less(t, s.peakBytes(), before/6)
	f := s.fieldOf("retention.ms")
	assert.True(t, f.Changed)
	assert.Equal(t, "changed from 7d ", f.Mark)
	assert.Equal(t, "v=1&retention.ms=1d", s.fragment())

	s.set("retention.ms", "7d")
	assert.Equal(t, before, s.peakBytes())
	assert.False(t, s.fieldOf("retention.ms").Changed, "typed back to the default")
	assert.Equal(t, "", s.fragment())
}

// A wrong field does not stop the others: its last good value stands in for it.
func TestWrongFieldKeepsTheLastGoodValue(t *testing.T) {
	s := newState()
	s.set("retention.ms", "1d")
	good := s.peakBytes()
	s.set("retention.ms", "1dd")
	assert.Equal(t, good, s.peakBytes())
	assert.False(t, s.stale)
	f := s.fieldOf("retention.ms")
	assert.Equal(t, "1dd", f.Text, "what was typed stays")
	assert.Contains(t, f.Problem, "1dd")
	assert.Contains(t, s.answerView().Notices[0].Words.String(), "retention.ms = 1d")

	s.set("produce", "2MiB/s")
	assert.Greater(t, s.peakBytes(), good*3/2, "the other field counts")
	s.set("retention.ms", "2d")
	assert.Greater(t, s.peakBytes(), good*3)
	assert.Empty(t, s.problems)
}

func TestBrokersSettingIsShownWhereItCounts(t *testing.T) {
	s := newState()
	s.replace(inputOf("log.retention.hours", "24"))
	f := s.fieldOf("retention.ms")
	assert.Equal(t, "1d", f.Text)
	assert.True(t, f.Inherited)
	assert.Equal(t, "from log.retention.hours = 24 ", f.Mark)
	s.replace(inputOf("log.retention.hours", "soon"))
	assert.Contains(t, s.fieldOf("retention.ms").Problem, "log.retention.hours")
	s.reset("retention.ms")
	assert.Empty(t, s.problems)
	assert.Equal(t, "7d", s.fieldOf("retention.ms").Text)
}

func TestUnknownKeysAreKeptAndReported(t *testing.T) {
	s := newState()
	s.follow("v=1&retention.mss=1d&retention.ms=2d")
	n := s.answerView().Notices[0]
	assert.Contains(t, n.Words.String(), "retention.mss")
	assert.Equal(t, action{"Use retention.ms", "rename", "retention.mss", "retention.ms"}, n.Actions[0])
	assert.Contains(t, s.fragment(), "retention.mss=1d")
	s.reset("retention.mss")
	assert.Equal(t, "v=1&retention.ms=2d", s.fragment())
}

// While somebody types, what is read waits, and follows.
func TestDetailsFollow(t *testing.T) {
	s := newState()
	receipt, table, instant := s.receipt(report.OfPeak), s.table(), s.instant()
	s.hasty = true
	s.set("retention.ms", "1d")
	s.prepare()
	assert.Same(t, receipt, s.receipt(report.OfPeak))
	assert.Same(t, table, s.table())
	assert.Same(t, instant, s.instant())
	s.detail()
	assert.NotEqual(t, receipt.Exactly, s.receipt(report.OfPeak).Exactly)
	assert.NotSame(t, instant, s.instant())
}

// Fields and sections that did not change are the same ones, so that they are not drawn again.
func TestUnchangedFieldsAreTheSame(t *testing.T) {
	s := newState()
	a := s.form()
	s.set("retention.ms", "1d")
	b := s.form()
	require.Len(t, b.Sections, len(a.Sections))
	changed := 0
	for i := range a.Sections {
		if a.Sections[i] != b.Sections[i] {
			changed++
			for j := range a.Sections[i].Main {
				if a.Sections[i].Main[j].Key != "retention.ms" {
					assert.Same(t, a.Sections[i].Main[j], b.Sections[i].Main[j])
				}
			}
		}
	}
	assert.Equal(t, 1, changed)
}

// Every setting of the table has a field, once.
func TestEverySettingHasAField(t *testing.T) {
	s := newState()
	seen := map[string]int{}
	for _, section := range s.form().Sections {
		for _, f := range append(section.Main, section.More...) {
			seen[f.Key]++
		}
	}
	for _, row := range calc.Settings() {
		if row.Known(s.answer.Scenario.Version()) {
			assert.Equal(t, 1, seen[row.Key], row.Key)
		}
	}
}

func TestMomentStaysInTheWindow(t *testing.T) {
	s := newState()
	assert.Equal(t, s.answer.Timeline.Peak().Allocated.At, s.at)
	s.focusOn(report.FocusFirst)
	assert.Equal(t, s.answer.Timeline.Counts().FirstDeletion, s.at)
	s.step(true)
	s.step(false)
	assert.Equal(t, s.answer.Timeline.Counts().FirstDeletion, s.at)
	s.zoom(0.1)
	assert.Equal(t, report.FocusOwn, s.focus)
	s.moveTo(0)
	assert.Equal(t, calc.Millis(0), s.window.From, "the window follows")
	s.set("horizon", "1h")
	assert.LessOrEqual(t, s.window.To, calc.Hour)
	assert.LessOrEqual(t, s.at, calc.Hour)
}

func TestPaste(t *testing.T) {
	s := newState()
	s.takePaste("log.retention.hours=24\nlog.segment.bytes=104857600\nnonsense\n")
	assert.Equal(t, []string{"log.retention.hours", "log.segment.bytes"}, s.paste.set)
	assert.NotEmpty(t, s.paste.look)
	assert.Equal(t, "100MiB", s.fieldOf("segment.bytes").Text)

	s.takePaste("")
	assert.Equal(t, text.pasteEmpty, s.paste.wrong)
	s.takePaste("\x00\x01\x02")
	assert.NotEmpty(t, s.paste.wrong)

	two := "Dynamic configs for topic a are:\n  retention.ms=3600000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=3600000}\n" +
		"Dynamic configs for topic b are:\n  retention.ms=7200000 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=7200000}\n"
	s.takePaste(two)
	assert.Equal(t, []string{"a", "b"}, s.pasteView().Topics)
	assert.Equal(t, "3600000", s.fieldOf("retention.ms").Text)
	s.paste.topic = "b"
	s.applyPaste()
	assert.Equal(t, "7200000", s.fieldOf("retention.ms").Text)
}

// A scenario that takes long is not simulated at once.
func TestLongWorkWaits(t *testing.T) {
	s := newState()
	before := s.peakBytes()
	s.set("horizon", "365d")
	s.set("produce", "100MiB/s")
	require.NotNil(t, s.work)
	assert.True(t, s.behind())
	s.show(s.work.shown, calc.Run(s.work.scenario))
	assert.False(t, s.behind())
	assert.Greater(t, s.peakBytes(), before*50)
}

func TestUndoAndRedo(t *testing.T) {
	s := newState()
	start := s.peakBytes()
	s.set("retention.ms", "1")
	s.set("retention.ms", "1d") // typed on: one change
	s.set("segment.bytes", "100MiB")
	s.undo()
	assert.Equal(t, "1GiB", s.fieldOf("segment.bytes").Text)
	assert.Equal(t, "1d", s.fieldOf("retention.ms").Text)
	s.undo()
	assert.Equal(t, start, s.peakBytes())
	s.undo() // nothing more
	s.redo()
	s.redo()
	s.redo()
	assert.Equal(t, "v=1&retention.ms=1d&segment.bytes=100MiB", s.fragment())
	s.undo()
	s.set("horizon", "10d")
	assert.Empty(t, s.history.future, "a new change ends what could be redone")
}

// Each preset is a scenario without problems that is simulated at once, and is what its name says.
func TestPresets(t *testing.T) {
	for _, p := range presets {
		s := newState()
		s.take(p.name)
		assert.Empty(t, s.problems, p.name)
		assert.Nil(t, s.work, p.name)
		read, _ := readLink(p.link)
		assert.Empty(t, read.problems)
		for key := range read.input.Changed() {
			_, _, ok := calc.SettingOf(key)
			assert.True(t, ok, key)
		}
	}
}

func TestCopiedLinksAreKept(t *testing.T) {
	s := newState()
	for _, link := range []string{"v=1&retention.ms=1d", "v=1&retention.ms=2d", "v=1&retention.ms=1d", ""} {
		s.keep(link)
	}
	assert.Equal(t, []string{"v=1&retention.ms=1d", "v=1&retention.ms=2d"}, s.recent)
	s.take("retention.ms=2d")
	assert.Equal(t, "2d", s.fieldOf("retention.ms").Text)
}

// The other program can undo what this one did.
func TestUndoIsHandedOn(t *testing.T) {
	s := newState()
	s.set("retention.ms", "soon") // wrong, and kept
	s.set("not.a key", "1\n2")
	s.set("partitions", "3")
	next := newState()
	next.follow("#" + s.linkAt(s.place.with(viewKey, tieredView)))
	next.takeOver(s.handOn())
	for _, want := range []string{s.fragment(), "v=1&retention.ms=soon&not.a%20key=1%0A2", "v=1&retention.ms=soon", ""} {
		next.undo()
		assert.Equal(t, want, next.fragment())
	}
	next.undo()
	assert.Equal(t, "", next.fragment(), "it begins there")
	next.takeOver("")
	assert.Empty(t, next.history.past)

	for range 3000 { // no more than a tab's storage takes, the newest kept
		s.remember("")
		s.input = inputOf("topic.name", strings.Repeat("x", 5000))
	}
	assert.Less(t, len(s.handOn()), maxHanded)
	next.takeOver(s.handOn())
	assert.Greater(t, len(next.history.past), 20)
}

// Undo that leads to another view aims the chart at what that view shows.
func TestUndoAcrossViewsAimsAgain(t *testing.T) {
	s := newState()
	window := s.window
	s.follow("#v=1&view=tiered&remote.storage.enable=true&local.retention.ms=1h")
	require.Equal(t, report.Window{To: s.until()}, s.window, "a tiered topic is seen whole")
	s.undo()
	assert.Equal(t, window, s.window)
	s.redo()
	assert.Equal(t, report.Window{To: s.until()}, s.window)
}

// What is wrong with a change of retention is said as its field would say it.
func TestWrongChangeIsSaid(t *testing.T) {
	for sets, want := range map[string]string{
		"zzz":                                 "“zzz” changes neither retention.ms nor retention.bytes.",
		"retention.ms=soon":                   "“soon” does not begin with a number",
		"retention.ms=1h retention.bytes=-5x": "“-5x”",
		"retention.ms=<script>":               "“<script>”",
	} {
		s := newState()
		s.place = s.place.with(changeKey, sets)
		v, ok := s.changed(nil)
		require.True(t, ok)
		assert.Contains(t, v.Problem, want)
		assert.NotContains(t, v.Problem, "entry")
		assert.Nil(t, v.Change)
	}
	s := newState()
	require.True(t, s.follow("#v=1&record=5&at=soon"))
	assert.Contains(t, s.linkSays[0], "“soon” for the time shown")
	assert.Equal(t, "v=1&record=5", s.fragment())
}

// Who stops a long simulation is told so, not that it cannot be done, and can begin it again.
func TestStoppedSimulation(t *testing.T) {
	s := newState()
	said := func() (all string) {
		for _, n := range s.notices() {
			all += n.Words.String()
			for _, a := range n.Actions {
				all += " [" + a.Act + "]"
			}
		}
		return all
	}
	s.set("retention.ms", "1d")
	s.set("segment.bytes", "256MiB")
	s.set("produce", "4MiB/s")
	s.set("produce.daily", "50,100,150,100")
	s.set("horizon", "3650d")
	require.NotNil(t, s.work, "it takes long")
	assert.Equal(t, "Simulating: 0\u00a0ms of 3650\u00a0d. What is shown is the answer before. [stop]", said())
	s.halt()
	assert.Equal(t, "Stopped. What is shown is the answer before. [again]", said())
	s.settle()
	require.NotNil(t, s.work, "it begins again")
	assert.Equal(t, "Simulating: 0\u00a0ms of 3650\u00a0d. What is shown is the answer before. [stop]", said())
	s.halt()
	s.set("produce", "1MiB/s")
	s.set("horizon", "30d")
	assert.NotContains(t, said(), "Stopped")
	assert.False(t, s.behind())
}

// A mark after a field stays on the field's line; the sentence says the same.
func TestMarksStayWithTheirNumbers(t *testing.T) {
	s := newState()
	var marks, says string
	for _, c := range s.clauses() {
		marks += c.Mark
		says += c.Words.String()
		if c.Num != nil && !c.Num.Hidden {
			says += c.Num.Text + c.Mark
		}
	}
	assert.Equal(t, ",", marks)
	assert.Contains(t, says, "retention.ms\u00a07d, and peaks at ")
}

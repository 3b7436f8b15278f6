package app

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// tieredState is the Tiered view of a link.
func tieredState(t *testing.T, link string) *state {
	t.Helper()
	s := newState()
	require.True(t, s.follow("#v=1&view=tiered&"+link))
	require.Nil(t, s.work)
	return s
}

// The view of a topic that is not tiered says so, offers to tier it, and says what the metadata topic would do.
func TestNotTiered(t *testing.T) {
	page := rendered(t, func(r *Root) { r.state.follow("#v=1&view=tiered") })
	assert.Contains(t, page, textTiered.turnOn)
	assert.Contains(t, page, textTiered.metaIf)
	assert.Contains(t, page, "Unbounded growth")
	assert.NotContains(t, page, " style=")

	s := tieredState(t, "produce=1MiB/s")
	s.turnOn("1d")
	assert.Equal(t, "v=1&view=tiered&remote.storage.enable=true&local.retention.ms=1d", s.fragment())
	_, played := s.answer.Scenario.Remote()
	assert.True(t, played)
	s.undo()
	assert.Equal(t, "v=1&view=tiered", s.fragment())

	s = tieredState(t, "kafka.version=2.8")
	assert.Contains(t, s.notTiered().Says, "3.6")
	s = tieredState(t, "remote.storage.enable=true&steps=1h%20copied-to%205")
	assert.Contains(t, s.notTiered().Says, "copied-to")
}

// All of the time is shown at first, in the partition's view the peak; a moment that the reader chose is in both.
func TestTieredWindow(t *testing.T) {
	s := newState()
	peak := s.window
	s.follow("#v=1&view=tiered")
	assert.Equal(t, report.Window{To: 30 * calc.Day}, s.window)
	s.moveTo(5 * calc.Day)
	s.follow("#v=1")
	assert.Equal(t, 5*calc.Day, s.at)
	assert.Less(t, s.window.To-s.window.From, calc.Day)
	assert.NotEqual(t, peak, s.window)
}

// What is taken back across views shows what the view that comes shows, even where the answer stays the same.
func TestTieredWindowIsUndone(t *testing.T) {
	s := newState()
	peak, whole := s.window, report.Window{To: 30 * calc.Day}
	require.NotEqual(t, peak, whole)
	s.follow("#v=1&view=tiered")
	s.undo()
	assert.False(t, s.isTiered())
	assert.Equal(t, peak, s.window)
	s.redo()
	assert.True(t, s.isTiered())
	assert.Equal(t, whole, s.window)
	s.take(presets[0].name)
	assert.Equal(t, peak, s.window)
}

// What dangles is a part of its own in the drawing, in its key and in the table: what a restart at any time would catch, or what
// one at a chosen time did.
func TestDanglingHasItsPart(t *testing.T) {
	link := "remote.storage.enable=true&produce=100KiB/s&segment.bytes=64MiB&retention.ms=5d&log.roll.ms=1h&horizon=20d&rlmm.config.remote.log.metadata.topic.retention.ms=1d"
	labels := func(v *lanesView) (all []string) {
		for _, k := range v.Key {
			all = append(all, k.Label)
		}
		return all
	}
	s := tieredState(t, link)
	assert.NotContains(t, s.lanes().Drawing, "dangling-all", "nothing is known yet")
	play := s.tiered.play
	s.checkNow()
	v := s.lanes()
	assert.Same(t, play, s.tiered.play, "it is not played again for the check")
	assert.Contains(t, v.Drawing, "dangling-all")
	assert.Contains(t, labels(v), textTiered.keyDangling)
	assert.NotEqual(t, "0\u00a0B", v.Table[len(v.Table)-1].Dangling)
	s.moveTo(19 * calc.Day)
	assert.Contains(t, s.laneCursor().Readout.String(), "would dangle if all brokers restarted then")

	s = tieredState(t, link+"&restart.all=10d")
	s.checkNow()
	assert.Contains(t, labels(s.lanes()), "dangles since all brokers restarted at 10\u00a0d")
	s = tieredState(t, strings.Replace(link, "retention.ms=1d", "retention.ms=9d", 1))
	s.checkNow()
	assert.NotContains(t, s.lanes().Drawing, "dangling-all")
	assert.NotContains(t, labels(s.lanes()), textTiered.keyDangling)
}

// In the browser a long window is drawn from the envelope at first, and nothing of it is played while the page waits.
func TestLongLanesAreSketched(t *testing.T) {
	s := tieredState(t, "remote.storage.enable=true&retention.ms=3d&local.retention.ms=6h")
	s.client = true
	v := s.lanes()
	assert.Nil(t, s.tiered.play)
	assert.Equal(t, textTiered.filmWait, v.Film)
	assert.Empty(t, v.Table)
	assert.Contains(t, v.Drawing, "<path")
	assert.NotEmpty(t, s.laneCursor().Readout.String())
	assert.Same(t, v, s.lanes(), "it is not drawn again")
	stopped := 0
	_, ok := report.PlayLanesWith(&s.answer, s.window, func() bool { stopped++; return stopped < 3 })
	assert.False(t, ok)
	assert.Equal(t, 3, stopped)
	sketch := v.Height
	s.tiered.play, ok = report.PlayLanesWith(&s.answer, s.window, func() bool { return true })
	require.True(t, ok)
	v = s.lanes()
	assert.NotEmpty(t, v.Table)
	assert.Contains(t, v.Film, textTiered.filmSays)
	assert.Greater(t, v.Height, sketch)
	played := v.Height

	// Another answer over the same time has the drawing of the one before until it is played; another window has room for the
	// segments' rows, so that nothing below it moves.
	s.set("retention.ms", "4d")
	assert.Equal(t, v.Drawing, s.lanes().Drawing)
	s.zoom(0.9)
	assert.Equal(t, textTiered.filmWait, s.lanes().Film)
	assert.InDelta(t, played, s.lanes().Height, 0.001)
	s.zoom(0.02)
	assert.NotSame(t, v, s.lanes())
	assert.Contains(t, s.lanes().Film, textTiered.filmSays, "a short window is played at once")
}

// The words at the instants of the two lives stay within the drawing: near its end they stand before their line, and where two
// are close they stand on its outer sides.
func TestInstantsOfLivesHaveRoom(t *testing.T) {
	anchors := func(xs ...float64) (all []string) {
		l := report.MetadataLives{}
		for _, x := range xs {
			l.Marks = append(l.Marks, report.LifeMark{X: x, Label: "L", What: "what"})
		}
		for _, part := range strings.Split(livesSVG(&l), ">L<")[:len(xs)] {
			_, side, _ := strings.Cut(part[strings.LastIndex(part, "<text"):], `text-anchor="`)
			all = append(all, strings.TrimSuffix(side, `"`))
		}
		return all
	}
	assert.Equal(t, []string{"middle", "middle"}, anchors(30, 70))
	assert.Equal(t, []string{"end", "start"}, anchors(40, 48))
	assert.Equal(t, []string{"end", "end"}, anchors(74, 92))
	assert.Equal(t, []string{"end", "start"}, anchors(88, 92))
	assert.Equal(t, []string{"end", "end"}, anchors(92, 74), "safe: the segment goes first, and its mark comes second")
}

// What the two lives are drawn with is said below them, each part that is there and no other.
func TestLivesHaveAKey(t *testing.T) {
	labels := func(link string) (all []string) {
		s := tieredState(t, "remote.storage.enable=true&produce=100KiB/s&segment.bytes=64MiB&log.roll.ms=1h&horizon=20d&"+link)
		s.checkNow()
		for _, k := range s.metadata().LivesKey {
			all = append(all, k.Label)
		}
		return all
	}
	x := textTiered
	assert.Equal(t, []string{x.lifeStored, x.lifeDangling, x.lifeOpen, x.lifeKept}, labels("retention.ms=5d&rlmm.config.remote.log.metadata.topic.retention.ms=1d"))
	assert.Equal(t, []string{x.lifeStored, x.lifeOpen, x.lifeKept}, labels("retention.ms=1d&rlmm.config.remote.log.metadata.topic.retention.ms=3d"))
	assert.Equal(t, []string{x.lifeStored, x.lifeKept}, labels("retention.ms=1d"))
}

// An outage is typed, dragged, and taken out; the steps in the link follow, and other steps stay.
func TestOutageIsEdited(t *testing.T) {
	s := tieredState(t, "remote.storage.enable=true&local.retention.ms=6h&horizon=12d&steps=1d%20restart%2060s")
	s.addOutage()
	i, o, ok := s.chosenOutage()
	require.True(t, ok)
	assert.Zero(t, i)
	assert.InDelta(t, int64(12*calc.Day)*4/10, int64(o.From), float64(10*calc.Minute))
	assert.InDelta(t, int64(12*calc.Day)/10, int64(o.To-o.From), float64(20*calc.Minute))
	assert.Contains(t, s.input.Get("steps"), "1d restart 60s; ")
	require.NotNil(t, s.outageEffect())
	assert.Greater(t, s.outageEffect().Peak.Bytes, 3*s.outageEffect().Healthy)

	s.typeOutage("10d", "soon")
	assert.Contains(t, s.outageView().Problem, "soon")
	assert.Equal(t, "10d", s.outageView().From, "what was typed stays")
	_, same, _ := s.chosenOutage()
	assert.Equal(t, o, same)
	s.typeOutage("10d", "9d")
	assert.Equal(t, textTiered.badOrder, s.outageView().Problem)
	s.typeOutage("99d", "100d")
	assert.NotEmpty(t, s.outageView().Problem)
	s.typeOutage("240h", "never")
	_, o, _ = s.chosenOutage()
	assert.Equal(t, calc.Outage{From: 10 * calc.Day, To: calc.Never}, o)
	assert.Equal(t, "240h", s.outageView().From, "as it was typed")
	assert.Contains(t, s.tieredAnswer().Sentence.String(), "down from 10")

	d := &bandDrag{part: "to", old: o}
	assert.InDelta(t, int64(12*calc.Day)*9/10, int64(s.dragOutage(d, -0.1).To), float64(10*calc.Minute), "an end beyond the scenario is dragged from its end")
	d = &bandDrag{part: "move", old: calc.Outage{From: calc.Day, To: 2 * calc.Day}}
	assert.Equal(t, calc.Outage{From: 0, To: calc.Day}, s.dragOutage(d, -1))
	assert.Less(t, s.dragOutage(d, 1).From, 12*calc.Day)
	d.part = "from"
	assert.Less(t, s.dragOutage(d, 1).From, 2*calc.Day, "it keeps some length")

	s.putOutage(0, calc.Outage{})
	assert.Equal(t, "1d restart 60s", s.input.Get("steps"))
	assert.Nil(t, s.outageEffect())
}

// The panel says what the engine found, and its buttons lead to safety.
func TestMetadataPanel(t *testing.T) {
	link := "remote.storage.enable=true&produce=100KiB/s&segment.bytes=64MiB&retention.ms=5d&log.roll.ms=1h&horizon=20d&rlmm.config.remote.log.metadata.topic.retention.ms=1d"
	s := tieredState(t, link)
	s.checkNow()
	v := s.metadata()
	require.True(t, v.There)
	assert.True(t, v.Bad)
	assert.Contains(t, v.Verdict, "At risk from")
	assert.NotEmpty(t, v.Lives)
	assert.NotEmpty(t, v.Curve)
	assert.Len(t, v.Terms, 6)
	assert.Len(t, v.Disks, 3)
	assert.Same(t, v, s.metadata(), "it is not made again")
	require.NotEmpty(t, v.Actions)
	s.set(v.Actions[0].Key, v.Actions[0].Value)
	assert.True(t, s.metadata().Old)
	s.checkNow()
	assert.Equal(t, "Safe", s.metadata().Verdict, "the recommendation is safe")
	assert.Empty(t, s.metadata().Curve)

	// The lanes show which segments a restart loses.
	s = tieredState(t, link)
	s.checkNow()
	s.lanes()
	require.NotNil(t, s.tiered.lanes.Lives)
	assert.True(t, s.tiered.lanes.Lives.Dangling)
	s.set("retention.ms", "4d")
	s.lanes()
	assert.False(t, s.tiered.lanes.Lives.Dangling, "another scenario's windows are not drawn")
}

// Several topics are checked together; what is wrong with one is said beside it.
func TestSeveralTopics(t *testing.T) {
	s := tieredState(t, "remote.storage.enable=true&produce=100KiB/s&horizon=60d&rlmm.config.remote.log.metadata.topic.retention.ms=9d&tiered.topics=long,retention.ms:30d;short,retention.ms:1d")
	s.checkNow()
	v := s.metadata()
	require.Len(t, v.Risks, 3)
	assert.Equal(t, "long", v.Risks[0].Topic)
	assert.True(t, v.Risks[0].AtRisk)
	assert.Equal(t, textTiered.topicSafe, v.Risks[2].First)

	s.putTopic(0, "retention.ms", "soon")
	s.checkNow()
	assert.False(t, s.metadata().There)
	assert.Contains(t, strings.Join(s.topics().Rows[0].Problems, " "), "soon")
	assert.Empty(t, s.topics().Rows[1].Problems)
	assert.Equal(t, "soon", s.topics().Rows[0].Fields[3].Text)
	s.undo()
	s.checkNow()
	assert.True(t, s.metadata().There)

	s.addTopic()
	s.addTopic()
	rows := s.topicRows()
	assert.NotEqual(t, rows[2].Name, rows[3].Name)
	s.dropTopic(0)
	assert.Equal(t, "short", s.topicRows()[0].Name)
	s.useText("a retention.ms=2d\nb produce=1KiB/s\n")
	assert.Equal(t, "v=1&view=tiered&tiered.topics=a,retention.ms:2d;b,produce:1KiB/s", s.fragment()[:len("v=1&view=tiered&tiered.topics=a,retention.ms:2d;b,produce:1KiB/s")])
}

// The list of bad input: nothing panics, each is named, and what was typed stays.
func TestBadTieredInput(t *testing.T) {
	for _, c := range []struct{ link, says string }{
		{"remote.storage.enable=true&cleanup.policy=compact", "compact"},
		{"remote.storage.enable=true&local.retention.ms=8d", "local.retention.ms"},
		{"remote.storage.enable=true&local.retention.ms=-1", "local.retention.ms"},
		{"remote.storage.enable=true&remote.log.manager.task.interval.ms=0", "task.interval"},
		{"remote.storage.enable=true&remote.price=0", "remote.price"},
		{"remote.storage.enable=true&remote.price=cheap", "remote.price"},
		{"remote.storage.enable=true&rlmm.config.remote.log.metadata.topic.retention.ms=0", "0"},
		{"remote.storage.enable=true&topic.name=a%20b", "name"},
		{"remote.storage.enable=true&topic.id=short", "id"},
	} {
		s := tieredState(t, c.link)
		s.checkNow()
		says := s.metadata().Problems
		for _, p := range s.problems {
			says = append(says, report.ProblemText(p))
		}
		assert.Contains(t, strings.Join(says, " "), c.says, c.link)
		for pair := range strings.SplitSeq(c.link, "&") {
			key, value, _ := strings.Cut(pair, "=")
			typed, _ := s.input.Given(key)
			want, _ := unescapeLink(value)
			assert.Equal(t, want, typed, c.link)
		}
		page := rendered(t, func(r *Root) { r.state.follow("#v=1&view=tiered&" + c.link) })
		assert.Contains(t, page, `id="sentence"`)
	}

	// An outage that never ends, and two hundred topics with every letter that a name may have.
	s := tieredState(t, "remote.storage.enable=true&retention.ms=2d&horizon=12d&steps=10d%20remote-down")
	s.checkNow()
	assert.Contains(t, s.tieredAnswer().Sentence.String(), "down from 10")
	s = tieredState(t, "remote.storage.enable=true&produce=1KiB/s")
	var rows []topicRow
	for i := range 200 {
		rows = append(rows, topicRow{Name: "aZ09._-" + digits(int64(i)) + strings.Repeat("x", 249-10), Pairs: []calc.Pair{{Key: "partitions", Value: "3"}}})
	}
	s.putTopics(rows)
	s.checkNow()
	require.Empty(t, s.tiered.problems)
	assert.Len(t, s.tiered.finding.Topics, 201)
	assert.Len(t, s.topics().Rows, mostTopicRows)
	assert.Contains(t, s.topics().More, "180")
}

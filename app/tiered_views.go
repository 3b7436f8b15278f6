package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// tieredAnswer is the sentence and the figures of the Tiered view.
func (s *state) tieredAnswer() *answerView {
	v := &answerView{Notices: s.notices(), Stale: s.behind()}
	t := s.answer.Timeline
	peak := t.Peak()
	number, unit := report.Size(peak.Allocated.Bytes)
	v.Figures = append(v.Figures, figure{Lead: true, Label: textTiered.peak, Value: number, Unit: unit,
		Caption: plain(text.firstAt, report.Clock(peak.Allocated.At, calc.Minute))})
	if !s.answer.Scenario.Log().RemoteStorage {
		v.Sentence = plain("%s. ", textTiered.off)
		v.Sentence = append(v.Sentence, report.Sentence(&s.answer)...)
	} else {
		e := s.outageEffect()
		v.Sentence = report.TieredSentence(&s.answer, e)
		if e != nil {
			number, unit = report.Size(e.Healthy)
			v.Figures = append(v.Figures, figure{Label: textTiered.healthy, Value: number, Unit: unit, Caption: plain("%s", textTiered.healthyCap)})
		} else if band, ok := t.Band(); ok {
			numbers, unit := report.SizeRange(band.Allocated.Low, band.Allocated.High)
			v.Figures = append(v.Figures, figure{Label: textTiered.steady, Value: numbers, Unit: unit, Caption: plain(text.from, report.Span(band.Since))})
		}
		if f, ok := s.fullDisk(); ok && e != nil {
			v.Sentence = append(v.Sentence, report.OutageDisk(s.answer.Disk.Size, e.From, f.at, f.stays, t.Until())...)
		}
		number, unit = report.Size(peak.Remote.Bytes)
		v.Figures = append(v.Figures, figure{Label: textTiered.remote, Value: number, Unit: unit,
			Caption: plain(textTiered.remoteCap, report.Number(t.Counts().Copied))})
	}
	return v
}

// lanesView is the drawing of both places, and what is about it.
type lanesView struct {
	Drawing  string
	Height   float64 // of all drawings, in pixels
	Overview string
	Key      []keyView
	Says     []string
	Film     string // what the segments' rows are
	Stale    bool
	All      string // label of the button for everything
	Whole    bool   // everything is shown
	Table    []report.LaneTableRow
}

// bandsView is the outages as they can be dragged.
type bandsView struct {
	Height float64
	Bands  []bandView
}

// bandView is an outage that can be dragged.
type bandView struct {
	I        int
	X, Width float64 // in percent
	Chosen   bool
}

// lanes is the drawing.
func (s *state) lanes() *lanesView {
	play := s.lanePlay()
	key := lanesKey{s.answer.Timeline, s.window, s.tiered.finding, play, s.behind()}
	if s.tiered.of != s.checkKey() || key.finding != nil && len(key.finding.Windows) == 0 {
		key.finding = nil // its windows are of another scenario, or it has none
	}
	if s.tiered.lanesView != nil && s.tiered.lanesOf == key {
		return s.tiered.lanesView
	}
	danger := report.DangerOf(key.finding)
	l := play.Lanes(danger)
	v := &lanesView{Stale: key.stale, All: fmt.Sprintf(textTiered.focusAll, report.Span(s.until())), Whole: s.window == report.Window{To: s.until()}}
	if s.tiered.sketch == play {
		v.Drawing, v.Height = lanesSVG(&l, s.tiered.filmHeight)
	} else {
		v.Drawing, v.Height = lanesSVG(&l, 0)
		s.tiered.filmHeight = laneFilmHeight(l.Lives)
	}
	v.Overview = overviewSVG(&report.Chart{Overview: l.Overview, Brush: l.Brush})
	v.Key, v.Says = lanesKeyOf(&l)
	v.Film = textTiered.filmNone
	if s.tiered.sketch == play {
		v.Film = textTiered.filmWait
	} else if l.Lives != nil {
		v.Film = textTiered.filmSays
		if l.Lives.Every > 1 {
			v.Film += fmt.Sprintf(textTiered.filmRow, report.Number(l.Lives.Every))
		}
	}
	v.Table = play.Table(danger)
	s.tiered.lanes, s.tiered.lanesView, s.tiered.lanesOf = &l, v, key
	return v
}

// lanePlay is the window as it was played. What takes long in a browser is played beside the page; until then the same window
// of the answer before is shown, else a sketch.
func (s *state) lanePlay() *report.LanePlay {
	t := &s.tiered
	switch {
	case t.play.Is(&s.answer, s.window):
		return t.play
	case !s.farLanes():
		t.play = report.PlayLanes(&s.answer, s.window)
		return t.play
	case t.play.Shows(&s.answer, s.window):
		return t.play
	case !t.sketch.Is(&s.answer, s.window):
		t.sketch = report.SketchLanes(&s.answer, s.window)
	}
	return t.sketch
}

// farLanes reports whether much is to be played for the window.
func (s *state) farLanes() bool {
	return s.client && report.LaneEvents(&s.answer, s.window) > nearLanes
}

// nearLanes is up to how many events of a window are played at once, each twice: for the drawing and for the table.
const nearLanes = 6_000

// bands is the outages over the drawing.
func (s *state) bands() *bandsView {
	v := &bandsView{Height: s.lanes().Height}
	chosen, _, _ := s.chosenOutage()
	for i, o := range s.outages() {
		if o.From <= s.window.To && o.To >= s.window.From {
			x := s.window.X(o.From)
			v.Bands = append(v.Bands, bandView{i, x, s.window.X(o.To) - x, i == chosen})
		}
	}
	if old := s.tiered.bands; old != nil && old.Height == v.Height && slices.Equal(old.Bands, v.Bands) {
		return old
	}
	s.tiered.bands = v
	return v
}

// lanesKeyOf says what the drawing's parts mean.
func lanesKeyOf(l *report.Lanes) (all []keyView, says []string) {
	add := func(there bool, class, label string) {
		if there {
			all = append(all, keyView{box(class), label})
		}
	}
	parts := l.Up.Both != "" && l.Lives != nil
	add(parts, "a-log", textTiered.keyBoth)
	add(parts, "closed", textTiered.keyAlone)
	add(len(l.Past) > 0, "hatch", textTiered.keyPast)
	add(parts && l.Up.Rest != "", "a-index", text.keyIndexes)
	add(parts && l.Up.Awaiting != "", "a-wait", textTiered.keyWait)
	add(!parts, "closed", textTiered.local)
	add(l.Stored > 0 && parts, "a-remote", textTiered.keyRemoteBoth)
	add(l.Stored > 0, "remote", textTiered.keyRemote)
	add(l.Dangling > 0 || l.Lives != nil && l.Lives.Dangling, "dangling", danglingKey(&l.Danger))
	add(len(l.Outages) > 0, "outage", textTiered.keyDown)
	all = append(all, keyView{line("l-total"), textTiered.keyTotal})
	if f := l.Lives; f != nil {
		add(f.Active, "active", textTiered.stateActive)
		add(f.Waiting, "waiting", textTiered.stateWait)
	}
	says = append(says, textTiered.scales)
	if l.Column > 0 {
		says = append(says, fmt.Sprintf(textTiered.keyColumn, report.Span(l.Column)))
	}
	if d := &l.Danger; len(d.Windows) > 0 && d.Until < l.Window.To {
		says = append(says, fmt.Sprintf(textTiered.keyUntil, report.Span(d.Until)))
	}
	return all, says
}

// danglingKey says what is drawn as dangling.
func danglingKey(d *report.Danger) string {
	if d.Chosen() {
		return fmt.Sprintf(textTiered.keyDangles, report.Span(d.Restart))
	}
	return textTiered.keyDangling
}

// laneCursor is the moment in the lanes.
func (s *state) laneCursor() *cursorView {
	v := s.lanes()
	w, c := s.window, report.LaneCursorOf(s.looks, s.tiered.lanes, s.at)
	return &cursorView{
		Min: digits(int64(w.From)), Max: digits(int64(w.To)), At: digits(int64(s.at)), Step: digits(int64(w.Step())),
		X: c.X, Y: c.Y, Height: v.Height, Clock: c.Clock, Readout: c.Readout,
	}
}

// outageView is the fields of the outage that is looked at.
type outageView struct {
	There    bool
	I        int
	Names    []string // of all outages, to choose from
	From, To string
	Reading  string
	Problem  string
}

func (s *state) outageView() *outageView {
	i, o, ok := s.chosenOutage()
	if !ok {
		return &outageView{}
	}
	v := &outageView{There: true, I: i, Problem: s.outageProblem()}
	v.From, v.To = s.outageTexts(o)
	if all := s.outages(); len(all) > 1 {
		for k, one := range all {
			v.Names = append(v.Names, fmt.Sprintf(textTiered.whichOne, k+1, report.Span(one.From)))
		}
	}
	if o.To != calc.Never {
		v.Reading = report.Span(o.To - o.From)
	}
	return v
}

// metadataView is the check of the metadata topic.
type metadataView struct {
	If       bool // the topic is not tiered
	Old      bool // what is shown is of another scenario
	Problems []string

	There       bool
	Verdict     string
	Bad, Costs  bool
	Lede        report.Words
	Lives       string
	LivesKey    []keyView
	Steps       []report.MetadataStep
	Fields      []*fieldView
	Disks       []diskRow
	DiskCaption string
	Actions     []action
	LeastNone   string
	Terms       []termRow
	Sum         string
	SumExact    string
	Advised     string
	Without     []termRow
	Restart     report.Words
	Curve       string
	RestartAt   string // of the slider
	RestartSays string
	Until, Step string
	Traps       []findingView
	Risks       []riskRow
}

type diskRow struct{ Name, Kept, Broker, All string }

type termRow struct{ Name, Time, Why, Keys string }

type riskRow struct {
	Topic, Partitions, Segments, Bytes, First string
	AtRisk                                    bool
}

// The settings that have a field in the panel as well.
var metadataFields = [...]string{
	"rlmm.config.remote.log.metadata.topic.retention.ms", "restart.all", "remote.price", "remote.outage.tolerated",
}

// metaKey is what the panel depends on.
type metaKey struct {
	finding *calc.MetadataFinding
	of, key string
	fields  [len(metadataFields)]*fieldView
	off     bool
}

// metadata is the panel.
func (s *state) metadata() *metadataView {
	key := metaKey{finding: s.tiered.finding, of: s.tiered.of, key: s.checkKey(), off: !s.answer.Scenario.Log().RemoteStorage}
	for i, name := range metadataFields {
		key.fields[i] = s.panelField(name)
	}
	if s.tiered.metadata != nil && s.tiered.metaKey == key {
		return s.tiered.metadata
	}
	v := &metadataView{If: key.off, Old: key.of != key.key, Fields: key.fields[:]}
	for _, p := range s.tiered.problems {
		v.Problems = append(v.Problems, report.ProblemText(p))
	}
	if f := key.finding; f != nil && len(v.Problems) == 0 {
		v.finding(f)
	}
	s.tiered.metadata, s.tiered.metaKey = v, key
	return v
}

// checking says how far a check under way is; "" without one.
func (s *state) checking() string {
	job := s.tiered.check
	if job == nil {
		return ""
	}
	says := fmt.Sprintf(textTiered.checking, digits(job.done/10))
	if s.tiered.finding != nil {
		says += " " + textTiered.checkedBefore
	}
	return says
}

// panelField is a setting's field with an id of its own, the same one while it is unchanged.
func (s *state) panelField(key string) *fieldView {
	s.form() // fills the fields
	row, _, _ := calc.SettingOf(key)
	v := *s.field(&row)
	v.ID = "m-" + strings.TrimPrefix(v.ID, "f-")
	name := "panel " + key
	f := kept(s.views.fields[name], &v)
	s.views.fields[name] = f
	return f
}

// finding fills the panel.
func (v *metadataView) finding(f *calc.MetadataFinding) {
	v.There = true
	v.Verdict, v.Bad, v.Costs = report.MetadataVerdict(f)
	v.Lede = report.MetadataLede(f)
	if lives := report.LivesOf(f); lives.OK {
		v.Lives, v.LivesKey = livesSVG(&lives), livesKey(&lives)
	}
	v.Steps = report.MetadataSteps(f)
	v.DiskCaption = fmt.Sprintf(textTiered.colDisk, report.Span(f.Horizon))
	disk := func(name string, d calc.MetadataDisk) {
		v.Disks = append(v.Disks, diskRow{name, report.RetentionText(d.Retention), report.SizeText(d.PerBroker), report.SizeText(d.Total)})
	}
	disk(textTiered.rowNow, f.Disk)
	disk(textTiered.rowAdvised, f.Advised)
	disk(textTiered.rowDefault, f.Default)
	key := metadataFields[0]
	if f.Least.OK && f.Retention != f.Least.Advised {
		v.Actions = append(v.Actions, action{fmt.Sprintf(textTiered.setTo, report.RetentionText(f.Least.Advised)), "set", key, f.Least.Advised.Text()})
	}
	if f.Retention >= 0 {
		v.Actions = append(v.Actions, action{textTiered.setNever, "set", key, "-1"})
	}
	v.sum(&f.Least)
	v.Restart = report.RestartWords(f)
	if c, ok := report.CurveOf(f); ok {
		v.Curve = curveSVG(&c, f.Restart.At)
		v.RestartAt, v.RestartSays = digits(int64(min(f.Restart.At, f.Horizon))), report.Span(f.Restart.At)
		v.Until, v.Step = digits(int64(f.Horizon)), digits(int64(c.Window.Step()))
	}
	for _, trap := range report.MetadataTraps(f) {
		v.Traps = append(v.Traps, findingView{Warn: trap.Warn, Title: trap.Title, Words: trap.Words})
	}
	if len(f.Topics) > 1 {
		v.risks(f)
	}
}

// sum is the terms of the least retention.
func (v *metadataView) sum(l *calc.LeastRetention) {
	if !l.OK {
		v.LeastNone = fmt.Sprintf(textTiered.leastNone, l.Why)
	} else {
		up := (l.Time + calc.Second - 1) / calc.Second * calc.Second // never less than what is safe
		v.Sum, v.SumExact = strings.ReplaceAll(report.RetentionText(up), "\u00a0", " "), strings.ReplaceAll(l.Time.Exact(), " ", "\u00a0")
		v.Advised = fmt.Sprintf(textTiered.advised, report.RetentionText(l.Advised))
	}
	for _, t := range l.Terms {
		time := report.Span(t.Time)
		switch t.Time {
		case calc.Never:
			time = textTiered.never
		case 0:
			time = "0"
		}
		v.Terms = append(v.Terms, termRow{upper(t.Name), time, upper(t.Why) + ".", strings.Join(t.Keys, ", ")})
	}
	for _, t := range l.Without {
		v.Without = append(v.Without, termRow{upper(t.Name), "", upper(t.Why) + ".", strings.Join(t.Keys, ", ")})
	}
}

// formGroup is a group of the form: its heading, and the settings that matter most.
type formGroup struct {
	group calc.Group
	main  []string
}

// tieredGroup is on top of the form in the Tiered view.
var tieredGroup = formGroup{calc.Tiering, []string{"remote.storage.enable", "local.retention.ms", "local.retention.bytes", "remote.upload.rate"}}

// formGroups is the form's order in the view that is shown.
func (s *state) formGroups() []formGroup {
	if !s.isTiered() {
		return formOrder
	}
	all := []formGroup{tieredGroup}
	for _, g := range formOrder {
		if g.group != calc.Tiering {
			all = append(all, g)
		}
	}
	return all
}

// mostRisks is how many topics are listed.
const mostRisks = 25

// risks lists the topics, those that are at risk first, the earliest of them on top.
func (v *metadataView) risks(f *calc.MetadataFinding) {
	left := make([]*calc.TopicRisk, 0, len(f.Topics))
	for i := range f.Topics {
		left = append(left, &f.Topics[i])
	}
	for len(left) > 0 && len(v.Risks) < mostRisks {
		best := 0
		for i, t := range left {
			if t.First.Lost < left[best].First.Lost {
				best = i
			}
		}
		t := left[best]
		row := riskRow{Topic: t.Name, Partitions: report.Number(t.Partitions), Segments: report.Number(t.Segments), Bytes: report.SizeText(t.Stored),
			First: textTiered.topicSafe, AtRisk: t.AtRisk()}
		if t.AtRisk() {
			row.First = report.Span(t.First.Lost)
		}
		v.Risks = append(v.Risks, row)
		left = append(left[:best], left[best+1:]...)
	}
}

// tieredTopicsView is the further topics.
type tieredTopicsView struct {
	Rows []topicFields
	More string // how many more there are
	Many string
	Text string // all of them, a line each
	Says string // what became of topics given as text
}

// topicFields is a row of fields.
type topicFields struct {
	I        int
	Name     string
	Fields   []topicField
	Problems []string
}

type topicField struct{ Key, Label, Text string }

// mostTopicRows is how many topics have fields.
const mostTopicRows = 20

func (s *state) topics() *tieredTopicsView {
	rows := s.topicRows()
	v := &tieredTopicsView{Says: s.tiered.textSays}
	if len(rows) > 0 {
		v.Many = fmt.Sprintf(textTiered.topicsMany, report.Number(int64(len(rows)+1)))
	}
	var b strings.Builder
	for i := range rows {
		r := &rows[i]
		b.WriteString(r.line() + "\n")
		if i >= mostTopicRows {
			continue
		}
		f := topicFields{I: i, Name: r.Name}
		f.Fields = []topicField{{"", textTiered.name, r.Name}, {"partitions", textTiered.partitions, r.of("partitions")},
			{"produce", textTiered.traffic, r.of("produce")}, {"retention.ms", textTiered.keep, r.of("retention.ms")}, {rawKey, textTiered.others, r.others()}}
		if r.Name == "" {
			f.Problems = append(f.Problems, textTiered.noName)
		}
		for _, p := range r.settings() {
			if _, _, known := calc.SettingOf(p.Key); !known {
				f.Problems = append(f.Problems, fmt.Sprintf(textTiered.unknownKey, shorten(p.Key)))
			}
		}
		for _, p := range s.tiered.problems {
			if strings.HasPrefix(p.Key, r.Name+":") {
				f.Problems = append(f.Problems, report.ProblemText(p))
			}
		}
		v.Rows = append(v.Rows, f)
	}
	if n := len(rows) - mostTopicRows; n > 0 {
		v.More = fmt.Sprintf(textTiered.moreTopics, report.Number(int64(n)))
	}
	v.Text = b.String()
	return v
}

// putTopic takes what was typed for a topic: its name ("" as key), a setting, or all the others ([rawKey]).
func (s *state) putTopic(i int, key, value string) {
	rows := s.topicRows()
	if i < 0 || i >= len(rows) {
		return
	}
	switch key {
	case "":
		rows[i].Name = value
	case rawKey:
		rows[i].putOthers(value)
	default:
		rows[i].put(key, value)
	}
	s.tiered.textSays = ""
	s.putTopics(rows)
}

// addTopic adds a topic with a name that none has.
func (s *state) addTopic() {
	rows := s.topicRows()
	name := ""
	for n := len(rows) + 2; name == ""; n++ {
		name = "topic-" + digits(int64(n))
		for i := range rows {
			if rows[i].Name == name {
				name = ""
				break
			}
		}
	}
	s.tiered.textSays = ""
	s.putTopics(append(rows, topicRow{Name: name}))
}

func (s *state) dropTopic(i int) {
	rows := s.topicRows()
	if i >= 0 && i < len(rows) {
		s.putTopics(append(rows[:i], rows[i+1:]...))
	}
}

// useText takes topics given as text.
func (s *state) useText(content string) {
	switch {
	case strings.TrimSpace(content) == "":
		s.tiered.textSays = textTiered.textEmpty
		s.putTopics(nil)
		return
	case len(content) > pasteLimit:
		s.tiered.textSays = fmt.Sprintf(text.pasteTooLong, report.Number(int64(len(content))), report.Number(pasteLimit))
		return
	}
	rows, left, err := topicsOfText(content, s.answer.Scenario.Version())
	switch {
	case err != nil:
		s.tiered.textSays = fmt.Sprintf(textTiered.textNone, err)
		return
	case len(rows) == 0:
		s.tiered.textSays = textTiered.textEmpty
	default:
		s.tiered.textSays = fmt.Sprintf(textTiered.textRead, len(rows))
		s.putTopics(rows)
	}
	if left > 0 {
		s.tiered.textSays += fmt.Sprintf(textTiered.textLeft, left)
	}
}

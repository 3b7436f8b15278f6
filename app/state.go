package app

import (
	"fmt"
	"maps"
	"slices"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// state is what the page knows: what was typed, the answer that is shown, and where the reader looks. It does not know
// the browser; [Root] tells it what happened and draws what it says.
type state struct {
	input    calc.Input // as typed, right or wrong
	home     calc.Input // what everything is reset to
	locked   []string   // keys that the reader cannot change
	shown    calc.Input // what the answer is for
	problems []*calc.FieldError
	place    place
	stale    bool // nothing of what was typed can be shown: the answer is that of an earlier input
	stopped  bool // the reader did not wait for what was typed; stale, too

	answer  calc.Answer
	looks   *report.Look // at the answer
	focus   report.Focus
	window  report.Window
	chart   *report.Chart // of the window; nil: to be made
	at      calc.Millis
	moved   bool // the reader chose the moment; else it is the peak
	listAll bool
	patient bool // a reader waits, so that nothing may take long
	hasty   bool // the reader types: details come when there is time
	noFilm  bool // no film is shown below the chart
	noForm  bool // no fields are shown
	playing bool // the moment goes on by itself
	moving  bool // the reader moves the moment: what takes long comes when it rests

	linkSays    []string // what is wrong with the link
	refused     bool     // the link was not read at all
	edited      bool     // the reader changed something since the address was written
	paste       pasted
	work        *work        // a long simulation under way
	rough       bool         // the chart is drawn from the envelope, until its window was played
	reel        *reel        // the film of the window; nil: to be made
	approaching bool         // what is far is being played
	lastInstant *instantView // shown until the moment's is there
	lastReadout report.Words
	filmHeight  float64     // of the last film
	thinks      *thought    // what was known last, shown until more is
	thinking    bool        // more is being found out
	asked       calc.Offset // the segment that the reader asked about; −1: the oldest
	history     history
	sensitive   sensitive
	runway      runway
	tiered      tiered
	recent      []string // links that the reader copied
	simulated   simulated
	serving     serving
	topicList   *[]idName // of an instance, to choose from
	client      bool      // it is in a browser, where nothing may take long
	services    services
	levelRows   levelRows

	shut    bool            // receipts are made when they are opened
	opened  map[string]bool // those that are
	cluster cluster

	views views
}

// work is a simulation that takes long.
type work struct {
	input    calc.Input // as typed
	shown    calc.Input // what is simulated
	scenario calc.Scenario
	at       calc.Millis
	started  bool
	stopped  bool
}

// longWork is how many events a scenario may have to be simulated at once.
const longWork = 100_000

// newState is the state of the defaults.
func newState() *state {
	s := &state{asked: -1, opened: map[string]bool{}}
	s.settle()
	return s
}

// set takes what was typed for a setting.
func (s *state) set(key, value string) {
	if old, ok := s.input.Given(key); ok && old == value || s.isLocked(key) {
		return
	}
	s.edited = true
	s.remember(key)
	_ = s.input.Set(key, value)
	if standard, _ := s.standard(key); value == standard {
		s.input.Reset(key)
	}
	s.settle()
}

// standard is what holds for a key without a text of its own, and whether it is the default of the service that is shown.
func (s *state) standard(key string) (standard string, service bool) {
	if v := s.place.view(); v.standard != nil {
		if text, ok := v.standard(s, key); ok {
			return text, true
		}
	}
	return defaultText(s.input, key), false
}

// defaultText is what holds for a key without a text of its own.
func defaultText(in calc.Input, key string) string {
	in.Reset(key)
	return in.Get(key)
}

// reset takes back what was given for a setting, by its own key or by the broker's.
func (s *state) reset(key string) {
	if s.isLocked(key) {
		return
	}
	s.edited = true
	s.remember("")
	s.input.Reset(key)
	if row, synonym, ok := calc.SettingOf(key); ok && synonym == nil {
		for _, syn := range row.Inherits {
			s.input.Reset(syn.Key)
		}
	}
	s.settle()
}

// clear goes back to the defaults, or to what a frame began with.
func (s *state) clear() {
	s.edited, s.linkSays = true, nil
	s.remember("")
	s.replace(s.home)
}

// replace takes a whole input, as from a link.
func (s *state) replace(in calc.Input) {
	s.input = in
	s.moved, s.listAll = false, false
	if s.focus == report.FocusOwn {
		s.focus = report.FocusPeak
	}
	s.settle()
}

// settle finds the scenario for what was typed and simulates it. Where a field is wrong, its last value that was right
// stands in for it, so that the others still count.
func (s *state) settle() {
	s.work, s.stale, s.stopped = nil, false, false
	scenario, err := calc.NewScenario(s.input)
	s.problems = calc.Problems(err)
	shown := s.input
	if err != nil {
		shown = s.repaired(s.input, s.problems)
		if scenario, err = calc.NewScenario(shown); err != nil {
			s.stale = true
			s.drop()
			return
		}
	}
	if sameInput(shown, s.shown) && s.answer.Timeline != nil {
		s.shown = shown // a default that is given says nothing to Kafka, and something to a service
		s.drop()
		return
	}
	if scenario.EventBound() > longWork {
		s.work = &work{input: s.input, shown: shown, scenario: scenario}
		s.drop()
		return
	}
	s.show(shown, calc.Run(scenario))
}

// repaired is an input without its problems: the last good text of each key that has one.
func (s *state) repaired(in calc.Input, problems []*calc.FieldError) calc.Input {
	for _, p := range problems {
		if last, ok := s.shown.Given(p.Key); ok && last != p.Value {
			_ = in.Set(p.Key, last)
		} else {
			in.Reset(p.Key)
		}
	}
	return in
}

// show makes an answer the one that is shown.
func (s *state) show(in calc.Input, a calc.Answer) {
	s.shown, s.answer, s.stale, s.stopped, s.work = in, a, false, false, nil
	s.looks = report.NewLook(a.Timeline)
	s.drop()
	s.aim()
}

// aim chooses the window and the moment for the answer.
func (s *state) aim() {
	until := s.answer.Timeline.Until()
	switch {
	case s.focus == report.FocusOwn:
		s.window = s.window.Move(0, until)
	case s.focus == report.FocusPeak && s.isTiered():
		s.window = report.Window{To: until} // what is remote takes longer than the peak's cycle
	default:
		w, ok := report.WindowFor(&s.answer, s.focus)
		if !ok {
			w, _ = report.WindowFor(&s.answer, report.FocusPeak)
		}
		s.window = w
	}
	if !s.moved {
		s.at = s.answer.Timeline.Peak().Allocated.At
	}
	s.at = max(0, min(s.at, until))
	switch inside := max(s.window.From, min(s.at, s.window.To)); {
	case inside == s.at:
	case s.focus == report.FocusOwn:
		s.at = inside // it goes along
	default:
		s.moved = false
		s.at = s.window.Middle()
	}
	s.dropWindow()
}

// aimAgain chooses the window of another view, in which the moment that the reader chose is seen.
func (s *state) aimAgain() {
	at, moved := s.at, s.moved
	if s.aim(); moved {
		s.moveTo(at)
	}
}

// look looks at the moment again.
func (s *state) look() { s.dropMoment() }

// moveTo looks at another moment.
func (s *state) moveTo(at calc.Millis) {
	s.at, s.moved = max(0, min(at, s.answer.Timeline.Until())), true
	if s.at < s.window.From || s.at > s.window.To {
		s.focus, s.window = report.FocusOwn, s.window.Around(s.at, s.answer.Timeline.Until())
		s.aim()
		return
	}
	s.look()
}

// focusOn shows another part of the time.
func (s *state) focusOn(f report.Focus) {
	s.focus = f
	s.moved = f == report.FocusAll && s.moved
	s.aim()
	if f == report.FocusFirst {
		if first := s.answer.Timeline.Counts().FirstDeletion; first != calc.Never {
			s.moveTo(first)
		}
	}
}

// zoom makes the window so many times as long.
func (s *state) zoom(times float64) { s.own(s.window.Zoom(s.at, times, s.answer.Timeline.Until())) }

// own shows a window that the reader chose.
func (s *state) own(w report.Window) {
	s.focus, s.window = report.FocusOwn, w
	s.aim()
}

// step goes to the next event, or to the one before.
func (s *state) step(forward bool) {
	find := report.EventBefore
	if forward {
		find = report.EventAfter
	}
	if at, ok := find(&s.answer, s.at); ok {
		s.moveTo(at)
	}
}

// fragment is the link of what was typed.
func (s *state) fragment() string {
	p := s.place.with(atKey, "")
	if s.moved && s.momentLinked() {
		p = p.with(atKey, s.at.Text())
	}
	return s.linkAt(p)
}

// follow takes the scenario of a link; false if the fragment is none of ours or says what is there already.
func (s *state) follow(fragment string) bool {
	read, own := readLink(fragment)
	if !own {
		return false
	}
	s.linkSays, s.refused, s.edited = read.problems, read.refused, false
	if read.refused {
		s.drop()
		return true
	}
	s.remember("")
	tiered := s.isTiered()
	s.place = read.place
	if sameInput(read.input, s.input) {
		s.input = read.input
		s.settle() // another view of the same: the moment stays
		if s.isTiered() != tiered {
			s.aimAgain()
		}
	} else {
		s.replace(read.input)
	}
	if s.work == nil {
		s.goToLinked()
	}
	return true
}

// goToLinked looks at the moment that a link names, once.
func (s *state) goToLinked() {
	if text := s.place.of(atKey); text != "" {
		if at, err := calc.ParseMillis(text); err == nil {
			s.moveTo(at)
		} else {
			s.linkSays = append(s.linkSays, fmt.Sprintf(timeText.linkNoTime, shorten(text)))
			s.drop()
		}
	}
	s.place = s.place.with(atKey, "")
}

// momentLinked reports whether the moment belongs to the link.
func (s *state) momentLinked() bool {
	return s.place.of(recordKey) != "" || s.place.of(changeKey) != ""
}

// sameInput reports whether two inputs say the same.
func sameInput(a, b calc.Input) bool {
	return maps.Equal(maps.Collect(a.Changed()), maps.Collect(b.Changed()))
}

// problemOf is what is wrong with a setting, under its own key or the broker's.
func (s *state) problemOf(row *calc.Setting) *calc.FieldError {
	for _, p := range s.problems {
		if p.Key == row.Key || slices.ContainsFunc(row.Inherits, func(syn calc.Synonym) bool { return syn.Key == p.Key }) {
			return p
		}
	}
	return nil
}

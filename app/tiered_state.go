package app

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// tieredView is the name of the view in the link.
const tieredView = "tiered"

// tiered is what the Tiered view knows beside the answer.
type tiered struct {
	outage           int // which of the outages in the steps is looked at
	fromText, toText string

	effect     *calc.OutageEffect // of that outage
	effectOf   effectKey
	playing    effectKey        // for which it is being found
	full       diskFull         // when the disk is full, if the store stays down
	play       *report.LanePlay // of a window, where it was played
	sketch     *report.LanePlay // of a window that is played beside the page
	aside      bool             // that is under way
	filmHeight float64          // of the segments' rows that were drawn last
	lanes      *report.Lanes
	lanesView  *lanesView
	lanesOf    lanesKey
	bands      *bandsView

	check    *metadataJob // under way
	finding  *calc.MetadataFinding
	problems []*calc.FieldError // why it cannot be checked
	of       string             // what the finding, or the problems, are of
	metadata *metadataView
	metaKey  metaKey

	textSays string // what became of topics given as text
}

// effectKey is what an outage's effect depends on.
type effectKey struct {
	t *calc.Timeline
	o calc.Outage
}

// lanesKey is what the lanes' drawing depends on.
type lanesKey struct {
	t       *calc.Timeline
	window  report.Window
	finding *calc.MetadataFinding
	play    *report.LanePlay
	stale   bool
}

// isTiered reports whether the Tiered view is the one that is shown.
func (s *state) isTiered() bool { return s.place.of(viewKey) == tieredView }

// outages are those that the steps give: as typed, if they can be used, else as shown.
func (s *state) outages() []calc.Outage { return calc.GivenOutages(s.steps()) }

// steps is the text of the steps that is shown, or is about to be.
func (s *state) steps() string {
	if row, _, _ := calc.SettingOf("steps"); s.problemOf(&row) != nil {
		return s.shown.Get("steps")
	}
	return s.input.Get("steps")
}

// chosenOutage is the outage that is looked at; ok is false without one.
func (s *state) chosenOutage() (i int, o calc.Outage, ok bool) {
	all := s.outages()
	if len(all) == 0 {
		return 0, calc.Outage{}, false
	}
	i = min(s.tiered.outage, len(all)-1)
	return i, all[i], true
}

// putOutage changes the outage in the steps; with no time it is taken out.
func (s *state) putOutage(i int, o calc.Outage) { s.set("steps", calc.WithOutage(s.steps(), i, o)) }

// wantedEffect is what outage of what answer is looked at; ok is false without one that the scenario plays.
func (s *state) wantedEffect() (key effectKey, ok bool) {
	t := s.answer.Timeline
	all := calc.GivenOutages(s.shown.Get("steps"))
	if _, played := s.answer.Scenario.Remote(); len(all) == 0 || !played {
		return effectKey{}, false
	}
	o := all[min(s.tiered.outage, len(all)-1)]
	if o.From > t.Until() {
		return effectKey{}, false
	}
	for _, whole := range s.answer.Scenario.Outages() { // outages that meet are one
		if whole.From <= o.From && o.From < whole.To {
			o = whole
		}
	}
	return effectKey{t, o}, true
}

// outageEffect is what the outage does that is looked at; nil without one, or while a long scenario is played for it.
func (s *state) outageEffect() *calc.OutageEffect {
	key, ok := s.wantedEffect()
	switch {
	case !ok:
		return nil
	case s.tiered.effect != nil && s.tiered.effectOf == key:
	case s.answer.Scenario.EventBound() > longWork:
		return nil
	default:
		e := key.t.OutageEffect(key.o)
		s.tiered.effect, s.tiered.effectOf = &e, key
	}
	return s.tiered.effect
}

// playOutage finds the effect of an outage in a long scenario, in slices.
func (r *Root) playOutage(ctx app.Context) {
	s := r.state
	key, ok := s.wantedEffect()
	if !ok || s.outageEffect() != nil || s.tiered.playing == key {
		return
	}
	s.tiered.playing = key
	ctx.Async(func() {
		wait := newPause()
		e := key.t.OutageEffectWith(key.o, func(calc.Millis) bool {
			wait.now(nil)
			return s.tiered.playing == key
		})
		ctx.Dispatch(func(app.Context) {
			if s.tiered.playing == key {
				s.tiered.effect, s.tiered.effectOf, s.tiered.playing = &e, key, effectKey{}
			}
		})
	})
}

// diskFull is when the disk is full in an outage, or would be if that did not end.
type diskFull struct {
	of    effectKey
	busy  bool
	known bool
	at    calc.Millis // Never: not within the scenario
	stays bool        // if the outage did not end
}

// fullDisk is what is known of when the disk is full; ok is false without a disk or an outage, and until it is known.
func (s *state) fullDisk() (f diskFull, ok bool) {
	key, wanted := s.wantedEffect()
	u := s.answer.Disk
	if !wanted || u == nil {
		return diskFull{}, false
	}
	if at := u.Full.At; at != calc.Never && at <= key.o.To {
		return diskFull{of: key, known: true, at: at}, true
	}
	return s.tiered.full, s.tiered.full.known && s.tiered.full.of == key
}

// playStay finds when the disk would be full if the outage did not end: a scenario of its own, in slices.
func (r *Root) playStay(ctx app.Context) {
	s := r.state
	key, wanted := s.wantedEffect()
	if _, known := s.fullDisk(); !wanted || known || s.answer.Disk == nil || s.tiered.full.of == key && s.tiered.full.busy {
		return
	}
	s.tiered.full = diskFull{of: key, busy: true, stays: true}
	in, all := s.shown, calc.GivenOutages(s.shown.Get("steps"))
	i := min(s.tiered.outage, len(all)-1)
	_ = in.Set("steps", calc.WithOutage(in.Get("steps"), i, calc.Outage{From: key.o.From, To: calc.Never}))
	scenario, err := calc.NewScenario(in)
	if err != nil {
		return // an outage that long is more than is played
	}
	ctx.Async(func() {
		wait := newPause()
		current := func() bool { return s.tiered.full.of == key && s.tiered.full.busy }
		a := calc.RunWith(scenario, func(calc.Millis) bool { wait.now(nil); return current() })
		at := calc.Never
		if current() && a.Disk != nil {
			at = a.Disk.Full.At
		}
		ctx.Dispatch(func(app.Context) {
			if current() {
				s.tiered.full = diskFull{of: key, known: true, at: at, stays: true}
			}
		})
	})
}

// playLanes plays the window beside the page where that takes long. What was begun for an answer is shown even if there is
// another by then, so that the drawing follows an outage that is dragged.
func (r *Root) playLanes() {
	s := r.state
	t := &s.tiered
	if !r.here || t.aside || !s.farLanes() || t.play.Is(&s.answer, s.window) {
		return
	}
	t.aside = true
	a, w := s.answer, s.window
	r.aside(func() bool { return s.isTiered() && s.window == w }, func(yield func() bool) func() {
		play, ok := report.PlayLanesWith(&a, w, yield)
		return func() {
			if t.aside = false; ok {
				t.play, t.sketch = play, nil
			}
		}
	})
}

// metadataJob is a check of the metadata topic under way.
type metadataJob struct {
	of   string
	done int64 // thousandths
}

// checkKey is what a check is of.
func (s *state) checkKey() string {
	return writeLink(s.shown.Changed()) + " " + s.place.of(tieredTopicsKey)
}

// checkNow checks while everything waits: when the page is rendered before there is a browser.
func (s *state) checkNow() {
	if key := s.checkKey(); s.tiered.of != key {
		f, err := s.checked(nil)
		s.takeFinding(key, f, err)
	}
}

// checked runs the check.
func (s *state) checked(progress calc.Progress) (*calc.MetadataFinding, error) {
	inputs, own := s.topicInputs()
	check, err := calc.NewMetadataCheckWith(inputs, own, func() bool { return progress == nil || progress(0) })
	if err != nil {
		return nil, err
	}
	f, err := check.Run(progress)
	return &f, err
}

// takeFinding shows what came of a check.
func (s *state) takeFinding(key string, f *calc.MetadataFinding, err error) {
	s.tiered.of, s.tiered.problems = key, calc.Problems(err)
	if err == nil {
		s.tiered.finding = f
	} else if len(s.tiered.problems) == 0 {
		s.tiered.problems = []*calc.FieldError{{Problem: err.Error()}}
	}
}

// checkMetadata starts the check that the Tiered view waits for, if there is one. It runs beside the page in slices, and ends
// early when another takes its place.
func (r *Root) checkMetadata(ctx app.Context) {
	s := r.state
	if !r.client || !s.isTiered() || s.work != nil || s.stale {
		return
	}
	r.playOutage(ctx)
	r.playStay(ctx)
	key := s.checkKey()
	if s.tiered.of == key || s.tiered.check != nil && s.tiered.check.of == key {
		if s.tiered.of == key {
			s.tiered.check = nil
		}
		return
	}
	job := &metadataJob{of: key}
	s.tiered.check = job
	ctx.Async(func() {
		wait := newPause()
		f, err := s.checked(func(done int64) bool {
			job.done = done
			wait.now(func() { ctx.Dispatch(func(app.Context) {}) })
			return s.tiered.check == job
		})
		ctx.Dispatch(func(app.Context) {
			if s.tiered.check != job {
				return
			}
			s.tiered.check = nil
			s.takeFinding(key, f, err)
			if says := s.metadataSpoken(); s.isTiered() && says != "" && r.announced != "" {
				r.announced = says
			}
		})
	})
}

// metadataSpoken is the verdict as it is read aloud; "" where there is none.
func (s *state) metadataSpoken() string {
	if s.tiered.finding == nil || len(s.tiered.problems) > 0 {
		return ""
	}
	says, _, _ := report.MetadataVerdict(s.tiered.finding)
	return fmt.Sprintf(textTiered.spokenMeta, says)
}

// tieredSpoken is what is read aloud after a change.
func (s *state) tieredSpoken() string {
	if !s.answer.Scenario.Log().RemoteStorage {
		return textTiered.off + "."
	}
	return report.TieredSentence(&s.answer, s.outageEffect()).String()
}

// turnOn tiers the topic, and keeps a part of it on the disk where a time is given.
func (s *state) turnOn(local string) {
	s.edited = true
	s.remember("")
	_ = s.input.Set("remote.storage.enable", "true")
	if local != "" {
		_ = s.input.Set("local.retention.ms", local)
	}
	s.settle()
}

// addOutage adds an outage in the middle of what is shown, a tenth of it long.
func (s *state) addOutage() {
	w := s.window
	span := w.To - w.From
	from := snapped(w.From+span*2/5, w)
	s.tiered.outage = len(s.outages())
	s.tiered.fromText, s.tiered.toText = "", ""
	s.putOutage(s.tiered.outage, calc.Outage{From: from, To: max(snapped(from+span/10, w), from+w.Step())})
}

// snapped is a time on the fine steps of a window.
func snapped(at calc.Millis, w report.Window) calc.Millis {
	step := w.Step()
	return (at + step/2) / step * step
}

// keepWindow lets what is shown stay where it is while the scenario changes.
func (s *state) keepWindow() { s.focus = report.FocusOwn }

// bandDrag is a drag of an outage, or of one of its ends.
type bandDrag struct {
	part  string // move, from, to
	i     int
	at    float64 // where it began, as a part of the width
	old   calc.Outage
	steps string
}

// dragOutage is the outage dragged to a part of the width. It stays within the scenario, and keeps a step of length.
func (s *state) dragOutage(d *bandDrag, part float64) calc.Outage {
	w, until := s.window, s.until()
	by := calc.Millis((part - d.at) * float64(w.To-w.From))
	o, step := d.old, w.Step()
	end := min(o.To, until)
	switch d.part {
	case "from":
		o.From = max(0, min(snapped(o.From+by, w), end-step))
	case "to":
		o.To = max(o.From+step, min(snapped(end+by, w), until))
	default:
		o.From = max(0, min(snapped(o.From+by, w), until-step))
		if o.To != calc.Never {
			o.To = o.From + d.old.To - d.old.From
		}
	}
	return o
}

// typeOutage takes a typed end of the outage that is looked at. What is wrong with it is said beside it.
func (s *state) typeOutage(from, to string) {
	i, o, ok := s.chosenOutage()
	if !ok {
		return
	}
	s.tiered.fromText, s.tiered.toText = from, to
	if s.outageProblem() != "" {
		return
	}
	o.From, o.To = outageTime(from), outageTime(to)
	s.putOutage(i, o)
}

// outageTime reads an end of an outage; −1 where it is none.
func outageTime(text string) calc.Millis {
	if text == textTiered.never {
		return calc.Never
	}
	m, err := calc.ParseMillis(text)
	if err != nil || m < 0 {
		return -1
	}
	return m
}

// outageProblem is what is wrong with what was typed for an outage; "" if nothing is.
func (s *state) outageProblem() string {
	from, to := s.tiered.fromText, s.tiered.toText
	if from == "" && to == "" {
		return ""
	}
	for _, text := range [...]string{from, to} {
		if outageTime(text) < 0 {
			return fmt.Sprintf(textTiered.badTime, shorten(text))
		}
	}
	switch {
	case outageTime(from) == calc.Never:
		return fmt.Sprintf(textTiered.badTime, from)
	case outageTime(from) > s.until():
		return fmt.Sprintf(textTiered.badAfter, report.Span(s.until()))
	case outageTime(to) <= outageTime(from):
		return textTiered.badOrder
	}
	return ""
}

// outageTexts are the ends as the fields show them: as typed, where that says the same or is wrong.
func (s *state) outageTexts(o calc.Outage) (from, to string) {
	from, to = o.From.Text(), textTiered.never
	if o.To != calc.Never {
		to = o.To.Text()
	}
	t := &s.tiered
	if t.fromText != "" || t.toText != "" {
		if s.outageProblem() != "" || outageTime(t.fromText) == o.From && outageTime(t.toText) == o.To {
			return t.fromText, t.toText
		}
	}
	return from, to
}

package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// views are what the components draw, made when they are asked for and kept until something changes. A component whose view
// is the same as before is not drawn again.
type views struct {
	answer   *reckoning
	pin      *pinnedView
	chart    *chartView
	cursor   *cursorView
	form     *formView
	fields   map[string]*fieldView
	nums     map[string]*numView
	sections map[string]*sectionView
	foot     *footView
	paste    *pasteView
	details  details

	service *atService
}

// details are the views that may follow the others a moment later.
type details struct {
	receipts map[string]*receiptView
	table    *tableView
	film     *filmView
	findings *findingsView
	instant  *instantView
	service  *serviceDetails
	thought  *thought
}

// drop lets all be made again. While the reader types, the details stay until there is time for them.
func (s *state) drop() {
	v := &s.views
	*v = views{fields: v.fields, nums: v.nums, sections: v.sections, details: v.details}
	s.chart = nil // a service may have drawn on it
	if !s.hasty {
		v.details = details{}
	}
}

// dropMoment lets what belongs to the moment be made again.
func (s *state) dropMoment() {
	s.views.cursor = nil
	if s.hasty {
		return
	}
	s.views.details.instant = nil
	if !s.moving {
		s.views.details.thought = nil
	}
}

// dropWindow lets what belongs to the window be made again, and to the moment in it.
func (s *state) dropWindow() {
	s.chart, s.views.chart, s.reel, s.rough = nil, nil, nil, false
	if !s.hasty {
		s.views.details.table, s.views.details.film = nil, nil
	}
	s.dropMoment()
}

// prepare makes what the next drawing shows first.
func (s *state) prepare() {
	s.answerView()
	s.charts()
	s.cursor()
}

// rest makes what waits for a moment that moves follow.
func (s *state) rest() {
	s.moving = false
	s.views.details.thought = nil
}

// detail makes the details follow.
func (s *state) detail() {
	if s.hasty {
		s.hasty = false
		s.views.details, s.views.cursor, s.views.pin = details{}, nil, nil // the bar at the top has the number of findings
	}
}

// kept is the old one where the new one says the same.
func kept[T comparable](old, new *T) *T {
	if old != nil && *old == *new {
		return old
	}
	return new
}

func plain(format string, v ...any) report.Words {
	return report.Words{{Text: fmt.Sprintf(format, v...)}}
}

func (s *state) answerView() *reckoning {
	if s.views.answer == nil {
		s.views.answer = &reckoning{
			Sentence: s.clauses(), Figures: s.figures(), Binds: s.bindsView(), Notices: s.notices(), Stale: s.behind(),
		}
	}
	return s.views.answer
}

// behind reports whether the answer is that of an earlier input.
func (s *state) behind() bool { return s.stale || s.work != nil }

// before says what the answer is that is shown while there is none to what was typed. Who opens a link saw none before it.
func (s *state) before() string {
	for range s.shown.Changed() {
		return text.computed
	}
	return text.computedHome
}

// notices are what is wrong or left out, under the answer.
func (s *state) notices() (all []notice) {
	// The way on is where the way out was, so that the keyboard stays on it.
	switch {
	case s.work != nil:
		all = append(all, notice{Class: "you", Words: plain(text.computing+s.before(), report.Span(s.work.at), report.Span(s.work.scenario.Horizon())),
			Actions: []action{{Label: text.stop, Act: "stop"}}})
	case s.stopped:
		all = append(all, notice{Class: "you", Words: plain("%s", text.stopped+s.before()), Actions: []action{{Label: text.again, Act: "again"}}})
	}
	for _, says := range s.linkSays {
		all = append(all, notice{Class: "warn", Words: plain("%s", says), Actions: []action{{Label: text.dismiss, Act: "forget"}}})
	}
	unknown := 0
	for key, value := range s.input.Unknown() {
		if unknown++; unknown > 10 {
			all = append(all, notice{Class: "warn", Words: plain("%s", text.linkMore)})
			break
		}
		n := notice{Class: "warn", Words: plain(text.linkUnknown, shorten(key), shorten(value))}
		if near := calc.NearestKey(strings.ToLower(key)); near != "" {
			n.Actions = append(n.Actions, action{fmt.Sprintf(text.linkMeant, near), "rename", key, near})
		}
		n.Actions = append(n.Actions, action{Label: text.linkDrop, Act: "reset", Key: key})
		all = append(all, n)
	}
	if w := s.runway; w.answer == s.answer.Timeline && len(w.says) > 0 && !s.behind() {
		all = append(all, notice{Words: w.says})
	}
	if s.stale && !s.stopped {
		all = append(all, notice{Class: "bad", Words: plain("%s", text.staleAnswer)})
	}
	for i, p := range s.problems {
		if i == 3 && len(s.problems) > 4 {
			all = append(all, notice{Class: "err-line", Words: plain(text.moreProblems, len(s.problems)-i)})
			break
		}
		n := notice{Class: "err-line", Actions: []action{{Label: text.goTo, Act: "go", Key: rowKey(p.Key)}}}
		last, _ := s.shown.Given(p.Key)
		if last == "" {
			last = s.shown.Get(rowKey(p.Key))
		}
		if s.stale {
			n.Words = report.Words{{Text: p.Key, Code: true}, {Text: " " + p.Problem + "."}}
		} else {
			n.Words = report.Words{{Text: text.shownWith}, {Text: p.Key, Code: true}, {Text: " = " + shorten(last) + "."}}
		}
		all = append(all, n)
	}
	for _, n := range s.answer.NotFollowed {
		if _, _, known := calc.SettingOf(n.Key); !known {
			continue // said above
		}
		all = append(all, notice{Class: "warn", Words: report.Words{{Text: text.notFollowed}, {Text: n.Key + "=" + shorten(n.Value), Code: true}, {Text: ": " + n.Why + "."}}})
	}
	return all
}

// rowKey is the topic's key where a broker's is given.
func rowKey(key string) string {
	if row, _, ok := calc.SettingOf(key); ok {
		return row.Key
	}
	return key
}

// spoken is what a screen reader hears after a change.
func (s *state) spoken() string {
	view := s.place.view()
	if view.tells != nil {
		return view.tells(s)
	}
	if s.work != nil {
		return ""
	}
	says := report.FullSentence(&s.answer).String()
	if view.says != nil {
		says = view.says(s)
	}
	switch n := len(s.problems); {
	case n == 1:
		says += " " + text.spokenProblem
	case n > 1:
		says += " " + fmt.Sprintf(text.spokenProblems, n)
	}
	return says
}

func (s *state) pinned() *pinnedView {
	if pin := s.place.view().pinned; pin != nil {
		return pin(s)
	}
	if s.views.pin == nil {
		v := &pinnedView{Peak: report.SizeText(s.answer.Timeline.Peak().Allocated.Bytes), Of: " " + text.pinnedPeak, Findings: s.findings().Title}
		if band, ok := s.answer.Timeline.Band(); ok {
			numbers, unit := report.SizeRange(band.Allocated.Low, band.Allocated.High)
			v.Band = fmt.Sprintf(text.pinnedBand, numbers+" "+unit)
		}
		s.views.pin = v
	}
	return s.views.pin
}

func (s *state) charts() *chartView {
	if s.views.chart == nil {
		s.views.chart = s.chartView()
	}
	return s.views.chart
}

func (s *state) cursor() *cursorView {
	if s.views.cursor == nil {
		w, c := s.window, report.Cursor{}
		if s.farMoment() {
			c = report.CursorAt(s.drawing(), s.at)
			c.Readout = s.lastReadout
		} else {
			c = report.CursorOf(s.looks, s.drawing(), s.at)
			s.lastReadout = c.Readout
		}
		s.views.cursor = &cursorView{
			Min: digits(int64(w.From)), Max: digits(int64(w.To)), At: digits(int64(s.at)), Step: digits(int64(w.Step())),
			X: c.X, Y: c.Y, Height: s.drawnHeight(), Clock: c.Clock, Readout: c.Readout,
			Playing: s.playing, Zoomed: w != report.Window{To: s.until()},
		}
	}
	return s.views.cursor
}

// drawnHeight is how high the drawing and the film below it are.
func (s *state) drawnHeight() float64 {
	height := float64(plotTop + report.DetailHeight + plotBottom)
	if !s.noFilm {
		height += s.film().Height
	}
	return height
}

func (s *state) film() *filmView {
	d := &s.views.details
	base := s.askedBase()
	if d.film != nil && (d.film.Base == base || s.hasty) {
		return d.film
	}
	f := s.filmReel()
	switch {
	case f == nil:
		return &filmView{Says: timeText.working, Height: s.filmHeight, Wait: true}
	case !f.ok:
		d.film = &filmView{Says: text.filmTooMany, Base: base}
		return d.film
	}
	d.film = &filmView{Base: base}
	d.film.Drawing, d.film.Height = filmSVG(s.drawing(), &f.Film, base), filmTop+f.Height+filmBottom
	s.filmHeight, d.film.Rows = d.film.Height, f.Rows
	for _, k := range []struct {
		class, label string
		there        bool
	}{
		{"active", text.keyActive, f.Active != ""}, {"closed", text.keyClosed, f.Closed != ""},
		{"past", text.keyPast, f.Past != "" || len(f.PastBars) > 0}, {"waiting", text.keyWaiting, f.Waiting != "" || len(f.WaitingBars) > 0},
	} {
		if k.there {
			d.film.Key = append(d.film.Key, keyView{box(k.class), k.label})
		}
	}
	if f.Every > 1 {
		d.film.Says = fmt.Sprintf(text.filmEvery, f.Every)
	}
	return d.film
}

func (s *state) table() *tableView {
	d := &s.views.details
	if d.table == nil {
		if s.reel == nil && s.farWindow() {
			return &tableView{}
		}
		rows, _ := report.TableWith(&s.answer, s.looks, s.window, nil)
		d.table = &tableView{rows}
	}
	return d.table
}

func (s *state) chartView() *chartView {
	c := s.drawing()
	v := &chartView{Overview: overviewSVG(c), Detail: detailSVG(c), Stale: s.behind()}
	for _, f := range []focusView{
		{Label: fmt.Sprintf(text.all, report.Span(s.answer.Timeline.Until())), Focus: report.FocusAll},
		{Label: text.first, Focus: report.FocusFirst},
		{Label: text.around, Focus: report.FocusPeak},
	} {
		grows := s.answer.Timeline.Counts().Deletions == 0 // then around the peak is everything
		if _, ok := report.WindowFor(&s.answer, f.Focus); ok && !(grows && f.Focus == report.FocusPeak) {
			f.Pressed = f.Focus == s.focus || grows && s.focus != report.FocusOwn
			v.Focuses = append(v.Focuses, f)
		}
	}
	d := &c.Detail
	if d.Swing != "" {
		v.Key = append(v.Key, keyView{box("a-log"), text.keyLeast}, keyView{box("a-swing"), fmt.Sprintf(text.keySwing, report.Span(d.Column))})
	} else {
		v.Key = append(v.Key, keyView{box("a-log"), text.keyLog}, keyView{box("a-index"), text.keyIndexes})
		if d.Awaiting != "" {
			v.Key = append(v.Key, keyView{box("a-wait"), text.keyGone})
		}
	}
	v.Key = append(v.Key, keyView{line("l-total"), text.keyTotal})
	if len(d.Limits) > 0 {
		v.Key = append(v.Key, keyView{line("limit"), text.keyLimit})
	}
	if d.Broken {
		v.Key = append(v.Key, keyView{
			`<svg class="sw" aria-hidden="true"><path class="l-total" d="M2 0l6 4-5 4 6 4"></path></svg>`,
			fmt.Sprintf(text.keyBroken, report.SizeText(d.Floor())),
		})
	}
	return v
}

// line is a sample of a line.
func line(class string) string {
	return `<svg aria-hidden="true"><line class="` + class + `" x2="20" y1="6" y2="6"></line></svg>`
}

// box is a sample of a colour.
func box(class string) string {
	return `<svg class="sw" aria-hidden="true"><rect class="` + class + `" x=".5" y=".5" width="11" height="11"></rect></svg>`
}

func (s *state) instant() *instantView {
	d := &s.views.details
	if d.instant == nil {
		if s.lastInstant != nil && s.farMoment() {
			return s.lastInstant
		}
		m := report.MomentOf(s.looks, s.window, s.at, s.listAll)
		d.instant = &instantView{Moment: &m, All: s.listAll}
		s.lastInstant = d.instant
	}
	return d.instant
}

func (s *state) foot() *footView {
	if s.views.foot == nil {
		s.views.foot = &footView{Model: fmt.Sprintf(text.foot, report.Model, s.answer.Scenario.Version())}
	}
	return s.views.foot
}

// The form's order: groups of the table, and in each the settings that matter most first; the rest behind a press.
var formOrder = []formGroup{
	{calc.Traffic, []string{"produce"}},
	{calc.Retaining, []string{"retention.ms", "retention.bytes", "file.delete.delay.ms"}},
	{calc.Segmenting, []string{"segment.bytes", "segment.ms"}},
	{calc.Brokers, []string{"log.retention.check.interval.ms"}},
	{calc.Records, []string{"record.value"}},
	{calc.Scenarios, []string{"partitions", "replication.factor", "disk", "horizon", "kafka.version"}},
	{calc.Timestamps, nil},
	{calc.Tiering, nil},
	{calc.Compacting, nil},
	{calc.NoEffect, nil},
}

// table is the table of settings.
var table = calc.Settings()

// flagWords are what a flag may be.
var flagWords = []string{"true", "false"}

func (s *state) form() *formView {
	if s.views.form != nil {
		return s.views.form
	}
	if s.views.fields == nil {
		s.views.fields, s.views.sections = map[string]*fieldView{}, map[string]*sectionView{}
	}
	changed := 0
	for range s.input.Changed() {
		changed++
	}
	v := &formView{Changed: changed > 0}
	version := s.answer.Scenario.Version()
	defaults := fmt.Sprintf(text.defaultsOf, report.VersionLine(version))
	if s.place.view().standard != nil && slices.IndexFunc(table, func(row calc.Setting) bool { _, own := s.standard(row.Key); return own }) >= 0 {
		defaults = fmt.Sprintf(text.defaultsService, report.VersionLine(version))
	}
	switch changed {
	case 0:
		v.Summary = text.noneChanged + defaults
	case 1:
		v.Summary = text.oneChanged + defaults
	default:
		v.Summary = fmt.Sprintf(text.changed, digits(int64(changed))) + defaults
	}
	for _, link := range s.recent {
		v.Recent = append(v.Recent, recentName(link))
	}
	for _, order := range s.formGroups() {
		v.Sections = append(v.Sections, s.section(order.group, order.main, version))
	}
	s.views.form = v
	return v
}

func (s *state) section(group calc.Group, main []string, version calc.Version) *sectionView {
	v := &sectionView{ID: "more-" + strings.ReplaceAll(strings.ToLower(string(group)), " ", "-"), Title: string(group)}
	changed := 0
	hides := s.place.view().hides
	for _, key := range main {
		if hides != nil && hides(s, key) {
			continue
		}
		i := slices.IndexFunc(table, func(row calc.Setting) bool { return row.Key == key })
		v.Main = append(v.Main, s.field(&table[i]))
	}
	for i := range table {
		row := &table[i]
		if row.Group != group || slices.Contains(main, row.Key) || hides != nil && hides(s, row.Key) {
			continue
		}
		f := s.field(row)
		if !row.Known(version) && !f.Changed && f.Problem == "" {
			continue
		}
		v.More = append(v.More, f)
		if f.Changed || f.Inherited {
			changed++
		}
		v.Open = v.Open || f.Changed || f.Problem != ""
	}
	v.MoreSays = fmt.Sprintf(text.moreN, len(v.More))
	if len(v.More) == 1 {
		v.MoreSays = text.more1
	}
	if changed > 0 {
		v.MoreSays += fmt.Sprintf(text.moreChanged, changed)
	}
	if old := s.views.sections[v.ID]; old != nil && old.Title == v.Title && old.MoreSays == v.MoreSays && old.Open == v.Open &&
		slices.Equal(old.Main, v.Main) && slices.Equal(old.More, v.More) {
		return old
	}
	s.views.sections[v.ID] = v
	return v
}

func (s *state) field(row *calc.Setting) *fieldView {
	v := &fieldView{Key: row.Key, ID: fieldID(row.Key), Label: row.Label, Text: s.input.Get(row.Key), Dead: !row.Followed, Mark: text.byDefault}
	standard, service := s.standard(row.Key)
	if service {
		v.Mark = serviceText.byService
		if _, given := s.input.Given(row.Key); !given {
			v.Text = standard
		}
	}
	if _, given := s.input.Given(row.Key); given && v.Text != standard {
		v.Changed, v.Reset = true, true
		shown := standard
		if shown == "" {
			shown = text.defaultNothing
		}
		v.Mark = fmt.Sprintf(text.isReset, minus(shown))
	} else {
		for _, syn := range row.Inherits {
			if value, ok := s.input.Given(syn.Key); ok {
				v.Inherited, v.Reset = true, true
				v.Mark = fmt.Sprintf(text.inherited, syn.Key, shorten(value))
				break
			}
		}
	}
	if c := s.answer.Scenario.Log(); c.Compact && !c.Delete && (row.Key == "retention.ms" || row.Key == "retention.bytes") {
		v.Dead, v.Mark = true, text.noEffect // and how it came to be what it is says nothing
	}
	switch row.Kind {
	case calc.KindFlag:
		v.Options = &flagWords
	case calc.KindWord:
		v.Options = &row.Words
	}
	if v.Options != nil && !slices.Contains(*v.Options, v.Text) {
		words := append(slices.Clone(*v.Options), v.Text)
		v.Options = &words
	}
	if p := s.problemOf(row); p != nil {
		v.Problem, v.Use = sentence(p, row.Key), p.Nearest
		if p.Key != row.Key {
			v.Use = ""
		}
	} else {
		v.Reading = report.Reading(row, v.Text)
	}
	if s.isLocked(row.Key) {
		v.Locked, v.Reset, v.Use, v.Mark = true, false, "", embedText.locked
	}
	v = kept(s.views.fields[row.Key], v)
	s.views.fields[row.Key] = v
	return v
}

// sentence is what is wrong, as a sentence under the field.
func sentence(p *calc.FieldError, key string) string {
	var b strings.Builder
	if p.Key != key {
		b.WriteString(p.Key + "=")
	}
	value := shorten(p.Value)
	if value == "" {
		value = text.defaultNothing
	}
	b.WriteString("“" + value + "”")
	if !verb(p.Problem) {
		b.WriteByte(':')
	}
	b.WriteString(" " + p.Problem)
	if p.Hint != "" {
		b.WriteString("; " + p.Hint)
	}
	b.WriteString(".")
	return b.String()
}

// verb reports whether a problem goes on a sentence that begins with the value: is below 1, has no unit.
func verb(problem string) bool {
	first, _, _ := strings.Cut(problem, " ")
	return len(first) > 2 && strings.HasSuffix(first, "s") || first == "is"
}

func useLabel(value string) string { return fmt.Sprintf(text.use, value) }
func helpLabel(key string) string  { return fmt.Sprintf(text.about, key) }

// helpOf is what is to know about a setting.
func helpOf(key string) *helpView {
	i := slices.IndexFunc(table, func(row calc.Setting) bool { return row.Key == key })
	if i < 0 {
		for _, v := range allViews() {
			if v.help != nil {
				return v.help(key)
			}
		}
		return &helpView{}
	}
	row := &table[i]
	v := &helpView{Label: row.Label, Key: row.Key, Doc: row.Doc}
	standard := row.Default
	if standard == "" {
		standard = text.defaultNothing
	}
	for _, f := range []fact{
		{text.factDefault, standard},
		{text.factBounds, report.Bounds(row)},
		{text.factBroker, report.Synonyms(row)},
		{text.factSince, report.Versions(row)},
		{text.factSource, row.Source},
	} {
		if f.Value != "" {
			v.Facts = append(v.Facts, f)
		}
	}
	v.Link = report.Documentation(row)
	switch {
	case row.Own:
		v.Facts = append(v.Facts, fact{text.factKind, text.own})
	case row.Broker:
		v.Facts = append(v.Facts, fact{text.factKind, text.broker})
	}
	if !row.Followed {
		v.Facts = append(v.Facts, fact{text.factModel, fmt.Sprintf(text.followsNot, row.Why)})
	}
	return v
}

// minus is a number with a minus instead of a hyphen.
func minus(value string) string {
	if after, ok := strings.CutPrefix(value, "-"); ok {
		return "−" + after
	}
	return value
}

func digits(n int64) string { return strconv.FormatInt(n, 10) }

func number(s string) (calc.Millis, bool) {
	n, err := strconv.ParseInt(s, 10, 64)
	return calc.Millis(n), err == nil
}

// stepped is the next value that a setting may sensibly have.
func stepped(key, value string, up bool) (string, bool) {
	row, _, ok := calc.SettingOf(key)
	if !ok {
		return "", false
	}
	return report.Stepped(&row, value, up)
}

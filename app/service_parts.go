package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/provider"
	"github.com/partsize/partsize/calc/report"
)

// drawingView is a drawing with levels, what it means, and its table.
type drawingView struct {
	Drawing string
	Key     []keyView
	Levels  []levelView // low ones last
	Notes   []string
	Heads   []string // of the table
	Rows    [][]string
}

type levelView struct {
	Icon, Name, Bytes, Says string
}

// levelViews lists the levels of a drawing, and those that lie far above it.
func levelViews(p *report.LevelPlot) (all []levelView) {
	for i, l := range append(slices.Clone(p.Above), p.Levels...) {
		v := levelView{Name: l.Name, Bytes: both(l.Bytes), Says: l.Says}
		if l.Breach {
			v.Icon = iconOf(provider.Refused)
		}
		if i < len(p.Above) {
			v.Says += "; " + serviceText.above
		}
		all = append(all, v)
	}
	return all
}

// serviceChart is one replica on its disk with the service's levels.
func (s *state) serviceChart() *drawingView {
	a := s.atService()
	if a.nothing || a.answer == nil || a.disk != nil { // the disk that is played has the levels
		return nil
	}
	p := report.PartitionLevels(a.answer, provider.ChartLines(a.request))
	v := &drawingView{Drawing: levelsSVG(&p), Levels: levelViews(&p), Heads: []string{text.colTime, text.colLog, text.colTotal, text.colWhat}}
	v.Key = []keyView{{box("a-log"), text.keyLeast}, {box("a-swing"), fmt.Sprintf(text.keySwing, report.Span(p.Column))}}
	if len(p.Levels) > 0 {
		v.Key = append(v.Key, keyView{line("limit"), serviceText.levels})
	} else if len(p.Above) == 0 && !a.plain() {
		v.Notes = append(v.Notes, serviceText.belowAll)
	}
	v.Rows = s.levelTable(a.answer, p.Window)
	return v
}

// levelRows is the table of a service's chart, and what it is of. It plays all of the time, so in a browser it follows a
// moment later; until then the last one stays.
type levelRows struct {
	of, busy *calc.Timeline
	rows     [][]string
}

func (s *state) levelTable(a *calc.Answer, w report.Window) [][]string {
	if !app.IsClient && s.levelRows.of != a.Timeline {
		s.levelRows = levelRows{of: a.Timeline, rows: levelTable(report.Table(a, w))}
	}
	return s.levelRows.rows
}

func levelTable(table []report.Row) (rows [][]string) {
	for _, row := range table {
		rows = append(rows, []string{row.Clock, row.Log, row.Total, row.What})
	}
	return rows
}

// askLevels makes the table of the chart beside the page.
func (r *Root) askLevels() {
	s := r.state
	a := s.atService()
	if a.nothing || a.answer == nil || a.disk != nil || s.levelRows.of == a.answer.Timeline || s.levelRows.busy == a.answer.Timeline {
		return
	}
	answer := *a.answer
	s.levelRows.busy = answer.Timeline
	wanted := func() bool { return s.levelRows.busy == answer.Timeline }
	r.aside(wanted, func(yield func() bool) func() {
		table, ok := report.TableWith(&answer, report.NewLook(answer.Timeline), report.Window{To: answer.Timeline.Until()}, yield)
		return func() {
			if ok && wanted() {
				s.levelRows = levelRows{of: answer.Timeline, rows: levelTable(table)}
				s.views.details.service = nil
			}
		}
	})
}

// accountView is what is reserved.
type accountView struct {
	Bars    string // the drawing
	Key     []keyView
	Says    []string
	Terms   []report.ReceiptLine
	Total   report.ReceiptLine
	Topics  []reservedView
	More    string
	Assumed string // what the question mark at a number of partitions means
	Daily   string
	Actions []action
	Metric  string // under which the service shows the percentage
}

type reservedView struct {
	Name, Partitions, Each, Total, Percent, Fit string
	Ignored                                     string
}

// mostReserved is how many topics are listed, those that reserve the most.
const mostReserved = 20

func (s *state) accountView() *accountView {
	a := s.atService()
	if !a.reserves || !a.account.Admits() {
		return nil
	}
	c := &a.account
	v := &accountView{}
	if c.Endless {
		v.Says = append(v.Says, serviceText.unlimited)
	} else {
		v.Bars, v.Key = s.bars(a)
	}
	if use, ok := provider.ReservedUse(a.request); ok {
		v.Says = append(v.Says, use.Sentence)
	}
	v.Metric = "ibm_eventstreams_instance_reserved_disk_space_percent"
	one := c.Topics[0]
	for _, t := range one.Terms {
		v.Terms = append(v.Terms, report.ReceiptLine{What: t.Formula, Amount: t.Bytes.String()})
	}
	v.Total = report.ReceiptLine{What: serviceText.each, Amount: one.Each.String(), Note: one.Each.Exact()}
	if one.Each >= endless {
		v.Total.Amount, v.Total.Note = serviceText.noLimit, ""
	}
	v.topics(c)
	s.dailyView(a, v)
	return v
}

func (v *accountView) topics(c *provider.Account) {
	all := slices.Clone(c.Topics)
	slices.SortStableFunc(all, func(a, b provider.Reserved) int { return int(min(max(b.Total-a.Total, -1), 1)) })
	rest := calc.Bytes(0)
	for i, d := range all {
		if i >= mostReserved {
			rest += d.Total
			continue
		}
		row := reservedView{Name: topicName(d.Topic), Partitions: report.Number(d.Partitions), Each: amount(d.Each), Total: amount(d.Total), Percent: "–", Fit: "–"}
		if c.Known && d.Each < endless {
			row.Percent, row.Fit = c.PercentOf(d), report.Number(c.Fit(d.Each))
		}
		if len(d.Ignored) > 0 {
			row.Ignored = serviceText.ignored + strings.Join(d.Ignored, ", ")
		}
		if d.Assumed {
			row.Partitions += "?"
			v.Assumed = serviceText.uncounted
		}
		v.Topics = append(v.Topics, row)
	}
	if n := len(all) - mostReserved; n > 0 {
		v.More = fmt.Sprintf(serviceText.moreTopics, report.Number(int64(n)), both(rest))
	}
}

// endless is what stands for no limit.
const endless = calc.Bytes(1<<63 - 1)

// amount is a size in both kinds of units, or that there is no limit.
func amount(b calc.Bytes) string {
	if b >= endless {
		return serviceText.noLimit
	}
	return both(b)
}

func topicName(name string) string {
	if name == "" {
		return serviceText.thisTopic
	}
	return shorten(name)
}

// dailyView is a day's volume as retention.bytes.
func (s *state) dailyView(a *atService, v *accountView) {
	volume, err := calc.ParseBytes(s.place.of("daily.volume"))
	keep, err2 := calc.ParseMillis(s.place.of("keep"))
	if err != nil || err2 != nil {
		return
	}
	n := max(a.request.Topics[0].Partitions, 1)
	each := provider.RetentionBytes(volume, keep, n)
	v.Daily = fmt.Sprintf(serviceText.dailyIs, both(volume), report.Span(keep), partitions(n), both(each))
	if given, ok := s.shown.Given("retention.bytes"); ok && !sameSize(given, each) {
		v.Daily += " " + fmt.Sprintf(serviceText.dailyGiven, given)
	} else if ok {
		return
	}
	v.Actions = []action{{fmt.Sprintf(serviceText.dailyUse, provider.SizeText(each)), "set", "retention.bytes", provider.SizeText(each)}}
}

// sameSize reports whether a text is a size.
func sameSize(text string, b calc.Bytes) bool {
	n, err := calc.ParseBytes(text)
	return err == nil && n == b
}

func partitions(n int64) string {
	if n == 1 {
		return serviceText.partition1
	}
	return fmt.Sprintf(serviceText.partitionN, report.Number(n))
}

// bars draws what is reserved against what is simulated, and the limit.
func (s *state) bars(a *atService) (string, []keyView) {
	c := &a.account
	simulated, of := calc.Bytes(0), serviceText.barPeak
	if use, ok := provider.ReservedUse(a.request); ok {
		simulated = use.Simulated
	} else if tr := a.request.Topics[0].Traffic; tr != nil {
		simulated, of = report.Times(tr.Peak, max(a.request.Topics[0].Partitions, 1)), serviceText.barOne
	}
	b := bars{limit: c.Limit, whole: c.Storage, known: c.Known, high: max(c.Storage, c.Reserved, simulated, 1)}
	// This topic's partitions one by one while they can be told apart, then the other topics.
	first := c.Topics[0]
	if first.Partitions <= 60 {
		for range first.Partitions {
			b.reserved = append(b.reserved, first.Each)
		}
	} else {
		b.reserved = append(b.reserved, first.Total)
	}
	rest := calc.Bytes(0)
	for i, d := range c.Topics[1:] {
		if i < 100 {
			b.reserved = append(b.reserved, d.Total)
		} else {
			rest += d.Total
		}
	}
	if rest > 0 {
		b.reserved = append(b.reserved, rest)
	}
	b.simulated, b.of, b.total = simulated, of, c.Reserved
	key := []keyView{{box("part b"), serviceText.keyReserved}}
	if c.Over() > 0 && c.Known {
		key = append(key, keyView{box("part hot"), serviceText.keyRefused})
	}
	key = append(key, keyView{box("part"), serviceText.keySimulated})
	if c.Known {
		key = append(key, keyView{line("limit"), fmt.Sprintf(serviceText.keyLimit, both(c.Limit))})
	}
	return b.svg(), key
}

// mostNamed is how many topics there are to choose from.
const mostNamed = 1000

// topicNames is the topics to choose from: the same list as before where they are the same.
func (s *state) topicNames(a *atService) *[]idName {
	var all []idName
	for _, t := range a.request.Topics[:min(len(a.request.Topics), mostNamed)] {
		all = append(all, idName{t.Name, topicName(t.Name)})
	}
	if s.topicList == nil || !slices.Equal(*s.topicList, all) {
		s.topicList = &all
	}
	return s.topicList
}

// askView is what the service would say to an operation.
type askView struct {
	Topics                   *[]idName
	Topic, Create, Add, Set  string
	Created, Added, Answered *admissionView
}

type admissionView struct {
	Icon, Title string
	Words       report.Words
	Actions     []action
	Ways        []string
	Problem     string
}

func (s *state) askView() *askView {
	a := s.atService()
	if !a.reserves || !a.account.Admits() || a.account.Endless {
		return nil
	}
	v := &askView{Topic: s.place.of(askTopicKey), Create: s.place.of(askCreateKey), Add: s.place.of(askAddKey), Set: s.place.of(askSetKey), Topics: s.topicNames(a)}
	if v.Add == "" {
		v.Add = "1"
	}
	if v.Create != "" {
		v.Created = v.create(a)
	}
	if n, ok := number(strings.TrimSpace(v.Add)); ok {
		d, err := a.account.AddPartitions(v.Topic, int64(n))
		v.Added = v.admission(a, d, err, func(f provider.Fix) (action, bool) {
			all, whole := number(f.Value)
			if f.Key != "partitions" || !whole {
				return action{}, false
			}
			more := digits(int64(all) - v.partitions(a))
			return action{fmt.Sprintf(serviceText.askFewer, more), "set", askAddKey, more}, true
		})
	} else {
		v.Added = &admissionView{Problem: "“" + shorten(v.Add) + "” " + serviceText.askNoNumber + "."}
	}
	if v.Set != "" {
		key, value, ok := strings.Cut(strings.TrimSpace(v.Set), "=")
		if !ok {
			v.Answered = &admissionView{Problem: "“" + shorten(v.Set) + "” " + serviceText.askNoPair + "."}
		} else {
			key = strings.TrimSpace(key)
			d, err := a.account.Configure(v.Topic, key, strings.TrimSpace(value))
			v.Answered = v.admission(a, d, err, func(f provider.Fix) (action, bool) {
				if f.Key != provider.KafkasName(key) {
					return action{}, false
				}
				return action{fmt.Sprintf(serviceText.askInstead, f.Key, f.Value), "set", askSetKey, f.Key + "=" + f.Value}, true
			})
		}
	}
	return v
}

// partitions is how many the topic has that is asked about.
func (v *askView) partitions(a *atService) int64 {
	for _, d := range a.account.Topics {
		if d.Topic == v.Topic {
			return d.Partitions
		}
	}
	return 0
}

// create is what the service says to a new topic, written as a line of the list.
func (v *askView) create(a *atService) *admissionView {
	topics, problems := provider.ParseTopics(v.Create)
	switch {
	case len(problems) > 0:
		p := problems[0]
		return &admissionView{Problem: "“" + shorten(p.Value) + "” " + strings.TrimPrefix(p.Problem, "in line 1: ") + "."}
	case len(topics) == 0:
		return nil
	}
	t := topics[0]
	if slices.ContainsFunc(a.request.Topics, func(o provider.Topic) bool { return o.Name == t.Name }) {
		return &admissionView{Problem: "“" + shorten(t.Name) + "”: " + serviceText.askExists + "."}
	}
	return v.admission(a, a.account.Create(t), nil, func(f provider.Fix) (action, bool) {
		if f.Key == "" {
			return action{}, false
		}
		return action{fmt.Sprintf(serviceText.askInstead, f.Key, f.Value), "set", askCreateKey, withSetting(strings.Fields(v.Create), f.Key, f.Value)}, true
	})
}

// admission is an answer. asked is a way out that changes the question, if it is one.
func (v *askView) admission(a *atService, d provider.Admission, err error, asked func(provider.Fix) (action, bool)) *admissionView {
	if err != nil {
		p := calc.Problems(err)
		if len(p) == 0 {
			return &admissionView{Problem: err.Error()}
		}
		return &admissionView{Problem: sentence(p[0], p[0].Key)}
	}
	said := &admissionView{Icon: iconOf(provider.Accepted), Title: serviceText.allowed, Words: withKeys(d.Sentence)}
	switch {
	case !a.account.Known:
		said.Icon, said.Title = iconOf(provider.Unknown), serviceText.unknownYet
	case !d.Allowed:
		said.Icon, said.Title = iconOf(provider.Refused), serviceText.refused
	}
	for _, f := range d.Fixes {
		if _, option := provider.OptionOf(f.Key); !option && len(f.Delete) == 0 {
			if one, ok := asked(f); ok {
				said.Actions = append(said.Actions, one)
				continue
			}
			if v.Topic != "" && f.Key != "" {
				f.Key = v.Topic + ":" + f.Key
			}
		}
		actions, ways := fixActions([]provider.Fix{f})
		said.Actions, said.Ways = append(said.Actions, actions...), append(said.Ways, ways...)
	}
	return said
}

// diskView is the disk of an instance as it is played.
type diskView struct {
	drawingView
	Missing []action // what is needed to play it
	Needs   string
	Kept    [][]string
	Assumed []string
	Why     *whyView
}

type whyView struct {
	Topics            *[]idName
	Topic, Record, At string
	Answer            string
	Segments          string // of the topic, then
	Problem           string
}

func (s *state) diskView() *diskView {
	a := s.atService()
	if !a.service.Cleans || a.nothing {
		return nil
	}
	v := &diskView{}
	if a.disk == nil {
		v.Needs = serviceText.needDisk
		for _, verdict := range a.verdicts {
			actions, _ := fixActions(verdict.Fixes)
			for _, one := range actions {
				if one.Key == "disk" && len(v.Missing) == 0 {
					v.Missing = append(v.Missing, one)
				}
			}
		}
		if p := calc.Problems(a.diskErr); len(p) > 0 && len(v.Missing) == 0 {
			v.Needs = upper(p[0].Key+" "+p[0].Problem) + "; " + p[0].Hint + "."
		}
		return v
	}
	d := a.disk
	p := report.DiskLevels(d)
	v.drawingView = drawingView{Drawing: levelsSVG(&p), Levels: levelViews(&p), Heads: []string{serviceText.colTime, serviceText.colWhat, serviceText.colFreed, serviceText.colAfter}}
	v.Key = []keyView{{box("a-log"), text.keyLeast}, {box("a-swing"), serviceText.keyUse}, {line("limit"), serviceText.levels}}
	for i, m := range d.Marks {
		if i == 100 {
			break
		}
		freed := "–"
		if m.Segments > 0 {
			freed = report.SizeText(m.Freed)
		}
		used := report.SizeText(m.Used)
		if m.FreedMost > m.Freed { // the source leaves it open
			freed = fmt.Sprintf(serviceText.between, freed, report.SizeText(m.FreedMost))
			used = fmt.Sprintf(serviceText.between, report.SizeText(m.Used-(m.FreedMost-m.Freed)), used)
		}
		v.Rows = append(v.Rows, []string{report.Clock(m.At, calc.Minute), m.Kind.String(), freed, used})
	}
	marks := int64(0)
	for _, n := range d.Counts {
		marks += n
	}
	if marks > 100 {
		v.Notes = append(v.Notes, fmt.Sprintf(serviceText.moreMarks, 100, report.Number(marks)))
	}
	if d.Cut {
		v.Notes = append(v.Notes, fmt.Sprintf(serviceText.cut, report.Span(d.Until)))
	}
	for i, k := range d.Kept {
		if i == mostReserved {
			break
		}
		kept := fmt.Sprintf(serviceText.keptAll, report.Span(k.Most))
		if k.Least != calc.Never {
			low, high := report.Spans(k.Least, k.Most)
			kept = fmt.Sprintf(serviceText.keptTo, low, high, configured(k.Configured))
		}
		v.Kept = append(v.Kept, []string{topicName(k.Topic), kept, report.Number(k.Forced)})
	}
	v.Assumed = d.Assumed
	v.Why = s.whyView(a)
	return v
}

// whyView is why a record is still there.
func (s *state) whyView(a *atService) *whyView {
	v := &whyView{Topic: s.place.of(whyTopicKey), Record: s.place.of(whyRecordKey), At: s.place.of(whyAtKey), Topics: s.topicNames(a)}
	if v.Record == "" {
		v.Record = "0"
	}
	record, err := calc.ParseMillis(v.Record)
	if err != nil {
		v.Problem = "“" + shorten(v.Record) + "” " + serviceText.whyBad + "."
		return v
	}
	at := record
	if v.At == "" {
		// The first hour in which it has expired, or the end.
		kept := a.disk.Until
		for _, k := range a.disk.Kept {
			if k.Topic == v.Topic && k.Configured >= 0 {
				kept = min(kept, k.Configured)
			}
		}
		at = min(record+kept+calc.Hour, a.disk.Until)
		v.At = at.Text()
	} else if at, err = calc.ParseMillis(v.At); err != nil {
		v.Problem = "“" + shorten(v.At) + "” " + serviceText.whyBad + "."
		return v
	}
	stay, err := a.disk.Why(v.Topic, record, at)
	if err != nil {
		p := calc.Problems(err)[0]
		v.Problem = sentence(p, p.Key)
		return v
	}
	v.Answer, v.Segments = stay.Because, stay.Segments()
	return v
}

// growthView is a disk that grows by steps.
type growthView struct {
	drawingView
	Ask  []action // to let it grow
	Says string
}

func (s *state) growthView() *growthView {
	a := s.atService()
	var stairs *provider.Staircase
	for i := range a.service.Rules {
		if r := &a.service.Rules[i]; r.Staircase != nil && slices.Contains(r.Plans, a.request.Plan().ID) {
			stairs = r.Staircase
		}
	}
	if stairs == nil {
		return nil
	}
	if a.nothing {
		return nil
	}
	c, ok := provider.ChaseOf(a.request)
	if !ok {
		n := digits(stairs.Target)
		return &growthView{Says: serviceText.growthAsk, Ask: []action{{fmt.Sprintf(serviceText.growthUse, n), "set", "auto.scaling.target", n}}}
	}
	p := report.ChaseLevels(&c)
	v := &growthView{Says: fmt.Sprintf(serviceText.growthPace, calc.Bytes(c.Rate).Decimal()+"/s", calc.Bytes(c.Pace).Decimal()+"/s") + " " + p.Summary}
	v.drawingView = drawingView{Drawing: levelsSVG(&p), Heads: []string{serviceText.colTime, serviceText.colWhat, serviceText.colAfter}}
	v.Key = []keyView{{line("l-total"), serviceText.keyDisk}, {box("a-log"), serviceText.use}}
	for i, step := range c.Steps {
		if i == 100 {
			break
		}
		v.Rows = append(v.Rows, []string{report.Clock(step.At, calc.Minute),
			fmt.Sprintf(serviceText.growthStep, report.SizeText(step.From), report.SizeText(step.To)), report.SizeText(c.Use(step.At))})
	}
	return v
}

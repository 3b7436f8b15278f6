package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/provider"
	"github.com/partsize/partsize/calc/report"
)

// What the view of a service keeps in the link beside the options of an instance, whose keys are provider's.
const (
	serviceView = "service"

	serviceKey   = "service"
	planKey      = "plan"
	topicsKey    = "topics" // the other topics of the instance; see packTopics
	askTopicKey  = "ask.topic"
	askCreateKey = "ask.create"
	askAddKey    = "ask.add"
	askSetKey    = "ask.set"
	whyTopicKey  = "why.topic"
	whyRecordKey = "why.record"
	whyAtKey     = "why.at"
)

// serviceKeys is all of them.
func serviceKeys() []string {
	keys := []string{serviceKey, topicsKey, askTopicKey, askCreateKey, askAddKey, askSetKey, whyTopicKey, whyRecordKey, whyAtKey}
	for _, o := range provider.Options() {
		if _, _, setting := calc.SettingOf(o.Key); !setting {
			keys = append(keys, o.Key)
		}
	}
	return keys
}

// optionText is what was given for an option. One that is a setting, too, is the scenario's.
func (s *state) optionText(key string) string {
	if text, given := s.input.Given(key); given {
		return text
	}
	return s.place.of(key)
}

// picked is the service of the place, plain Kafka if there is none.
func (s *state) picked() (*provider.Service, *calc.FieldError) {
	id := s.place.of(serviceKey)
	if id == "" {
		return provider.Services()[0], nil
	}
	service, err := provider.ServiceOf(id)
	if err != nil {
		return provider.Services()[0], calc.Problems(err)[0]
	}
	return service, nil
}

// name is the service with its plan.
func (a *atService) name() string {
	if p := a.request.Plan(); p.Name != "" {
		return a.service.Name + " " + p.Name
	}
	return a.service.Name
}

// plain reports whether there is no service to ask.
func (a *atService) plain() bool { return len(a.service.Rules) == 0 }

// givenDefaults is what was given and is Kafka's default, where a service was picked, which may have another one.
func (s *state) givenDefaults(p place) (given []calc.Pair) {
	if p.of(serviceKey) == "" {
		return nil
	}
	for i := range table {
		key := table[i].Key
		if value, ok := s.input.Given(key); ok && value == defaultText(s.input, key) {
			given = append(given, calc.Pair{Key: key, Value: value})
		}
	}
	return given
}

// serviceDefault is what the service that is shown has for a setting when nothing is given.
func (s *state) serviceDefault(key string) (string, bool) {
	if provider.ByBroker(&s.input, key) {
		return "", false
	}
	service, _ := s.picked()
	r := provider.Request{Service: service}
	if plan := s.place.of(planKey); plan != "" {
		_ = r.Set(planKey, plan)
	}
	return r.Default(key)
}

// serviceFinding is what the picked service makes of the partition that is shown; none for plain Kafka.
func (s *state) serviceFinding() (n findingView, ok bool) {
	if s.place.of(serviceKey) == "" {
		return n, false
	}
	a := s.atService()
	if a.plain() || a.nothing {
		return n, false
	}
	v := &a.decides
	n = findingView{Warn: v.Effect <= provider.Advised, Title: fmt.Sprintf(serviceText.findTitle, a.name(), v.Effect), Words: withKeys(short(v.Sentence))}
	n.Actions, _ = fixActions(v.Fixes)
	n.Actions = append(n.Actions, action{serviceText.findShow, "view", serviceView, ""})
	return n, true
}

// serviceLines is the picked service's levels for the partition's chart, where the partition is the same there.
func (s *state) serviceLines() []provider.ChartLine {
	if s.place.of(serviceKey) == "" {
		return nil
	}
	if a := s.atService(); a.own && len(a.defaults) == 0 && !a.wait {
		return provider.ChartLines(a.request)
	}
	return nil
}

// pick is a place with another service; the plan is the old one's and goes.
func (s *state) pick(service, plan string) {
	if service == provider.Services()[0].ID {
		service = ""
	}
	s.edited = true
	s.remember("")
	s.place = s.place.with(serviceKey, service).with(planKey, plan)
	s.drop()
}

// withKeys is a sentence of the rules, with the settings in it as keys.
func withKeys(sentence string) (w report.Words) {
	for i, word := range strings.Split(sentence, " ") {
		if i > 0 {
			w = append(w, report.Word{Text: " "})
		}
		bare := strings.TrimRight(word, ".,;:)")
		key, _, _ := strings.Cut(strings.TrimLeft(bare, "("), "=")
		if strings.Contains(key, ".") && isKey(key) {
			open := word[:strings.Index(word, key)]
			w = append(w, report.Word{Text: open}, report.Word{Text: bare[len(open):], Code: true}, report.Word{Text: word[len(bare):]})
			continue
		}
		w = append(w, report.Word{Text: word})
	}
	return joined(w)
}

// joined has plain pieces that follow each other as one.
func joined(w report.Words) (all report.Words) {
	for _, p := range w {
		if n := len(all); p.Text == "" {
			continue
		} else if n > 0 && !p.Code && !all[n-1].Code && !p.Strong && !all[n-1].Strong {
			all[n-1].Text += p.Text
			continue
		}
		all = append(all, p)
	}
	return all
}

func isKey(word string) bool {
	_, _, ok := calc.SettingOf(word)
	if !ok {
		_, ok = provider.OptionOf(word)
	}
	return ok
}

// fixActions are the ways out that a press can apply, and the words of the others.
func fixActions(fixes []provider.Fix) (all []action, words []string) {
	for _, f := range fixes {
		switch {
		case len(f.Delete) > 0 && len(f.Delete) <= mostDeleted:
			all = append(all, action{upper(f.Text), deleteTopics, strings.Join(f.Delete, " "), ""})
		case f.Key == "":
			words = append(words, upper(f.Text)+".")
		case strings.Contains(f.Key, ":"):
			all = append(all, action{upper(f.Text), setTopic, f.Key, f.Value})
		default:
			all = append(all, action{upper(f.Text), "set", f.Key, f.Value})
		}
	}
	return all, words
}

// What buttons of the view do beside those that all views have.
const (
	pickService  = "pick"
	setTopic     = "topic"  // sets NAME:key of another topic
	deleteTopics = "delete" // takes topics from the list
)

// mostDeleted is how many topics one press takes from the list.
const mostDeleted = 50

// serviceHeadView is the top of the view: which service, what is given about the instance, and what comes of it.
type serviceHeadView struct {
	ID, Plan string
	Names    []idName
	Plans    []idName
	Fields   []*fieldView
	Notices  []notice
	Icon     string
	Words    report.Words
	Figures  []figure
	Stale    bool
}

type idName struct{ ID, Name string }

func (s *state) serviceHead() *serviceHeadView {
	a := s.atService()
	v := &serviceHeadView{ID: a.service.ID, Plan: a.request.Plan().ID, Stale: s.behind() || a.wait}
	for _, one := range provider.Services() {
		v.Names = append(v.Names, idName{one.ID, one.Name})
	}
	for _, p := range a.service.Plans {
		v.Plans = append(v.Plans, idName{p.ID, p.Name})
	}
	for _, o := range a.relevant {
		v.Fields = append(v.Fields, s.optionField(a, &o))
	}
	if p := a.unknown; p != nil {
		n := notice{Class: "warn", Words: withKeys(fmt.Sprintf(serviceText.unknown, shorten(p.Value)))}
		if p.Nearest != "" {
			n.Actions = append(n.Actions, action{fmt.Sprintf(serviceText.unknownUse, p.Nearest), "pick", p.Nearest, ""})
		}
		n.Actions = append(n.Actions, action{text.linkDrop, "pick", "", ""})
		v.Notices = append(v.Notices, n)
	}
	if p := a.problems[planKey]; p != nil {
		n := notice{Class: "err-line", Words: report.Words{{Text: planKey, Code: true}, {Text: " " + sentence(p, planKey)}}}
		if p.Nearest != "" {
			n.Actions = append(n.Actions, action{useLabel(p.Nearest), "set", planKey, p.Nearest})
		}
		v.Notices = append(v.Notices, n)
	}
	switch {
	case a.nothing:
	case a.answer == nil:
		v.Notices = append(v.Notices, notice{Class: "warn", Words: plain("%s", serviceText.long)})
	case len(a.defaults) > 0:
		w := report.Words{{Text: serviceText.defaults}}
		for i, d := range a.defaults {
			if i > 0 {
				w = append(w, report.Word{Text: ", "})
			}
			w = append(w, report.Word{Text: d.Key + "=" + d.Value, Code: true})
		}
		v.Notices = append(v.Notices, notice{Words: append(w, report.Word{Text: "."})})
	}
	if a.plain() {
		v.Icon = iconOf(provider.Accepted)
		v.Words = report.Words{{Text: serviceText.none, Strong: true}, {Text: serviceText.noneSays}}
		return v
	}
	if a.nothing {
		v.Icon, v.Words = iconOf(provider.Unknown), plain(serviceText.asking, a.name())
		return v
	}
	v.Icon = iconOf(a.decides.Effect)
	v.Words = append(report.Words{{Text: a.name() + ": " + a.decides.Effect.String() + ".", Strong: true}, {Text: " "}}, withKeys(short(a.decides.Sentence))...)
	v.Figures = s.serviceFigures(a)
	return v
}

// enough is how many bytes of sentences are enough for a head.
const enough = 100

// short is the first sentence, and the second after a short one; the finding has all of them.
func short(sentences string) string {
	end := 0
	for n := 0; n < 2 && end < enough; n++ {
		i := strings.Index(sentences[end:], ". ")
		if i < 0 {
			return sentences
		}
		end += i + 2
	}
	return strings.TrimSpace(sentences[:end])
}

// optionField is the field of an option of the instance.
func (s *state) optionField(a *atService, o *provider.Option) *fieldView {
	v := &fieldView{Key: o.Key, ID: optionID(o.Key), Label: o.Label, Text: s.optionText(o.Key), Mark: text.byDefault}
	standard := o.Default
	for _, p := range a.request.Plan().Options {
		if p.Key == o.Key {
			standard = p.Value
		}
	}
	switch {
	case v.Text != "" && v.Text != standard:
		v.Changed, v.Reset = true, true
		v.Mark = fmt.Sprintf(text.isReset, orNothing(minus(standard)))
	case o.Assumed != "":
		v.Mark = serviceText.unverified
	case standard == "":
		v.Mark = text.defaultNothing
	}
	if v.Text == "" {
		v.Text = standard
	}
	if len(o.Words) > 0 {
		words := o.Words
		if !slices.Contains(words, v.Text) {
			words = append(slices.Clone(words), v.Text)
		}
		v.Options = &words
	}
	if p := a.problems[o.Key]; p != nil {
		v.Problem, v.Use = sentence(p, o.Key), p.Nearest
	} else {
		v.Reading = o.Reading(v.Text)
	}
	return v
}

// optionID is the id of an option's field; the settings beside it may have one of the same key.
func optionID(key string) string { return "o" + fieldID(key) }

// optionHelp is what is to know about an option of an instance.
func optionHelp(key string) *helpView {
	o, ok := provider.OptionOf(key)
	if !ok {
		return &helpView{}
	}
	v := &helpView{Label: o.Label, Key: key, Doc: o.Doc}
	v.Facts = append(v.Facts, fact{text.factDefault, orNothing(o.Default)})
	if o.Assumed != "" {
		v.Facts = append(v.Facts, fact{serviceText.unverified, upper(o.Assumed) + "."})
	}
	return v
}

func orNothing(t string) string {
	if t == "" {
		return text.defaultNothing
	}
	return t
}

// serviceFigures are the numbers that matter at the service.
func (s *state) serviceFigures(a *atService) (all []figure) {
	add := func(label string, b calc.Bytes, format string, v ...any) {
		number, unit := report.Size(b)
		all = append(all, figure{Lead: len(all) == 0, Label: label, Value: number, Unit: unit, Caption: plain(format, v...)})
	}
	switch {
	case a.reserves && a.account.Admits() && !a.account.Endless:
		c := &a.account
		caption := c.Reserved.Decimal()
		if c.Known {
			caption = fmt.Sprintf(serviceText.reservedOf, c.Percent(), both(c.Storage))
		}
		add(serviceText.reserved, c.Reserved, "%s", caption)
		if c.Known {
			add(serviceText.limit, c.Limit, "%s", c.Limit.Decimal())
		}
		one := c.Topics[0]
		add(serviceText.each, one.Each, "%s", one.Each.Decimal())
		if c.Known {
			all = append(all, figure{Label: serviceText.fit, Value: report.Number(c.Fit(one.Each)), Caption: plain("%s", serviceText.fitCap)})
		}
	case a.disk != nil:
		d := a.disk
		caption := report.Clock(d.Peak.At, calc.Minute)
		if d.Size > 0 {
			caption = fmt.Sprintf(serviceText.peakCap, d.PeakPercent(), both(d.Size), caption)
		}
		add(serviceText.peak, d.Peak.Bytes, "%s", caption)
		k := d.Kept[0]
		f := figure{Label: serviceText.kept, Value: report.Span(k.Most), Caption: plain("%s", serviceText.keptNone)}
		if k.Least != calc.Never {
			low, high := report.Spans(k.Least, k.Most)
			f.Value, f.Caption = low, plain(serviceText.keptCap, high, configured(k.Configured))
		}
		early := int64(0)
		for _, k := range d.Kept {
			early += k.Forced
		}
		all = append(all, f, figure{Label: serviceText.early, Value: report.Number(early), Caption: plain("%s", serviceText.earlyCap)})
	case a.answer != nil:
		peak := a.answer.Timeline.Peak().Allocated
		add(serviceText.replica, peak.Bytes, text.firstAt, report.Clock(peak.At, calc.Minute))
		sc := a.answer.Scenario
		add(serviceText.replicas, report.Times(peak.Bytes, sc.Partitions()*sc.ReplicationFactor()), "%s", report.Copies(sc))
	}
	return all
}

// configured is a retention by time in words.
func configured(m calc.Millis) string {
	if m < 0 {
		return serviceText.noLimit
	}
	return report.Span(m)
}

// both is a size in both kinds of units.
func both(b calc.Bytes) string { return report.SizeText(b) + " (" + b.Decimal() + ")" }

// serviceFind is a verdict of the picked service.
type serviceFind struct {
	Icon, Title string
	Words       report.Words
	Error       string
	Actions     []action
	Ways        []string
	Source      *provider.Source
	Doubt       bool
}

type serviceFindsView struct {
	Title string
	List  []serviceFind
}

func (s *state) serviceFinds() *serviceFindsView {
	a := s.atService()
	v := &serviceFindsView{}
	if a.nothing {
		v.Title = fmt.Sprintf(serviceText.asking, a.name())
		return v
	}
	for _, verdict := range a.verdicts {
		if verdict.Effect == provider.Accepted {
			continue
		}
		v.List = append(v.List, findOf(&verdict))
	}
	v.Title = findingsTitle(len(v.List))
	return v
}

func findOf(v *provider.Verdict) serviceFind {
	f := serviceFind{Icon: iconOf(v.Effect), Title: upper(v.Effect.String()), Words: withKeys(v.Sentence), Error: v.Error,
		Doubt: v.Source.Confidence == provider.Unverified}
	if v.Topic != "" {
		f.Title += ": " + shorten(v.Topic)
	}
	f.Actions, f.Ways = fixActions(v.Fixes)
	if v.Rule != "" {
		f.Source = &v.Source
	}
	return f
}

// iconOf is a sign for an effect. It stands beside the effect's words, which say the same.
func iconOf(e provider.Effect) string {
	const open = `<svg viewBox="0 0 20 20" aria-hidden="true">`
	switch {
	case e == provider.Unknown:
		return open + `<circle class="l-wait" cx="10" cy="10" r="8"></circle></svg>`
	case e == provider.Accepted:
		return iconOK
	case e == provider.Noted:
		return open + `<circle class="i-info" cx="10" cy="10" r="9"></circle><path class="i-line" d="M10 9v6M10 5v2"></path></svg>`
	case e.Breach() && e != provider.Changed && e != provider.Slowed:
		return iconBad
	}
	return iconHm
}

// isOption reports whether an option of the instance that is asked for has the key of a setting, and stands for it.
func (s *state) isOption(key string) bool {
	return slices.ContainsFunc(s.atService().relevant, func(o provider.Option) bool { return o.Key == key })
}

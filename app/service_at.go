package app

import (
	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/provider"
)

// atService is the scenario at the service that was picked.
type atService struct {
	service  *provider.Service
	unknown  *calc.FieldError // the link names another one
	problems map[string]*calc.FieldError
	others   int                // topics beside the scenario's
	listed   []*calc.FieldError // of the list of topics
	internal []string           // Kafka's own of them, which are set apart
	relevant []provider.Option  // that the view asks for

	request  provider.Request // the scenario's topic, then the others
	answer   *calc.Answer     // of the scenario's topic with the service's defaults; nil: it would take too long
	own      bool             // it is the partition's
	defaults []calc.Pair      // those that made it another
	verdicts []provider.Verdict
	decides  provider.Verdict
	account  provider.Account
	reserves bool
	disk     *provider.Disk
	diskErr  error

	wait      bool // what follows from the request is not there yet: it is that of an earlier one, or none
	nothing   bool // it is none
	partition calc.Answer
	simulated simulated
}

// simulated is the last simulation with a service's defaults: options change more often than what is simulated.
type simulated struct {
	in     calc.Input
	answer *calc.Answer
}

// serving is what was found out last, and what is being found out.
type serving struct {
	key   string // of what it is about
	at    *atService
	busy  string
	next  *atService // what is asked, and not answered yet
	draws *serviceDetails
}

// serviceKey is everything that the answer of a service depends on: not what is asked of the answer.
func (s *state) serviceKey() string {
	p := s.place
	for _, key := range [...]string{viewKey, askTopicKey, askCreateKey, askAddKey, askSetKey, whyTopicKey, whyRecordKey, whyAtKey} {
		p = p.with(key, "")
	}
	return s.linkAt(p) + " " + writeLink(s.shown.Changed())
}

// atService is made when it is asked for, and kept until something changes. What takes long is found out beside the page;
// until then what was there before stands for it.
func (s *state) atService() *atService {
	if s.views.service != nil {
		return s.views.service
	}
	key := s.serviceKey()
	if s.serving.at == nil || s.serving.key != key {
		a := s.asking()
		if s.client && a.takesLong() {
			s.serving.next = a
			s.views.service = s.serving.at.until(a)
			return s.views.service
		}
		s.serve(key, a, nil)
	}
	s.views.service = s.serving.at
	return s.views.service
}

// serve finds out what the service makes of it; false: it was ended.
func (s *state) serve(key string, a *atService, yield func() bool) bool {
	if !a.finish(yield) {
		return false
	}
	s.simulated = a.simulated
	s.serving = serving{key: key, at: a}
	return true
}

// proceedService begins what takes long.
func (r *Root) proceedService() {
	s := r.state
	if !r.client || !r.here || s.place.view().name != serviceView && s.place.of(serviceKey) == "" || !s.atService().wait {
		return
	}
	key := s.serviceKey()
	if s.serving.busy == key {
		return
	}
	s.serving.busy = key
	a := s.serving.next
	wanted := func() bool { return s.serving.busy == key }
	r.aside(wanted, func(yield func() bool) func() {
		stopped := false
		ok := a.finish(func() bool {
			stopped = stopped || !yield()
			return !stopped
		})
		return func() {
			if !ok || !wanted() {
				return
			}
			s.simulated, s.serving = a.simulated, serving{key: key, at: a}
			if s.serviceKey() == key {
				s.drop()
				r.after(r.ctx)
			}
		}
	})
}

// asking is what the service is asked: the request, and what is wrong with it. It takes no time.
func (s *state) asking() *atService {
	a := &atService{problems: map[string]*calc.FieldError{}, partition: s.answer, simulated: s.simulated}
	a.service, a.unknown = s.picked()
	r := provider.Request{Service: a.service, Topics: []provider.Topic{{Config: s.shown, Partitions: s.answer.Scenario.Partitions()}}}
	for _, o := range provider.Options() {
		if text := s.optionText(o.Key); text != "" {
			a.note(calc.Problems(r.Set(o.Key, text))...)
		}
	}
	var others []provider.Topic
	others, a.listed = provider.ParseTopics(unpackTopics(s.place.of(topicsKey)))
	others, a.internal = provider.Apart(others)
	for i := range others { // all are simulated for as long as this topic
		if _, given := others[i].Config.Given("horizon"); !given {
			_ = others[i].Config.Set("horizon", s.shown.Get("horizon"))
		}
	}
	r.Topics = append(r.Topics, others...)
	a.others = len(others)
	a.request = r
	a.own = sameInput(r.Input(0), s.shown)
	a.note(r.Problems()...)
	a.relevant = r.Relevant()
	return a
}

// note keeps the first problem of each key.
func (a *atService) note(problems ...*calc.FieldError) {
	for _, p := range problems {
		if a.problems[p.Key] == nil {
			a.problems[p.Key] = p
		}
	}
}

// takesLong reports whether it may take longer than a reader who types should wait: a disk is played, or topics are
// simulated.
func (a *atService) takesLong() bool {
	if a.service.Cleans || a.others > 100 {
		return true
	}
	for i := range a.request.Topics[1:] {
		if a.request.Topics[i+1].HasTraffic() {
			return true
		}
	}
	in := a.request.Input(0)
	if a.own || a.simulated.answer != nil && sameInput(in, a.simulated.in) {
		return false
	}
	scenario, err := calc.NewScenario(in)
	return err == nil && scenario.EventBound() > nearEvents
}

// until is what stands for an answer that is not there yet: the last one, with what is asked now, or none where that was
// about something else.
func (old *atService) until(a *atService) *atService {
	if old == nil || old.service != a.service || old.request.Plan().ID != a.request.Plan().ID {
		b := *a
		b.wait, b.nothing = true, true
		return &b
	}
	b := *old
	b.unknown, b.problems, b.others, b.listed, b.internal, b.relevant = a.unknown, a.problems, a.others, a.listed, a.internal, a.relevant
	b.wait = true
	return &b
}

// finish finds out what the service makes of what it is asked; false: yield, which may be nil, ended it.
func (a *atService) finish(yield func() bool) bool {
	r := &a.request
	r.Yield = yield
	a.measure(r)
	a.note(calc.Problems(r.Measure())...)
	a.verdicts, a.disk, a.diskErr = provider.CheckAndPlay(*r)
	a.decides = provider.Decide(a.verdicts)
	a.account, a.reserves = provider.NewAccount(*r)
	r.Yield = nil
	return yield == nil || yield()
}

// measure simulates the scenario's topic with the service's defaults.
func (a *atService) measure(r *provider.Request) {
	in := r.Input(0)
	if a.own {
		a.answer = &a.partition
		r.Topics[0].Follow(a.answer)
		return
	}
	shown := r.Topics[0].Config
	for key, value := range in.Changed() {
		if old, given := shown.Given(key); !given || old != value {
			a.defaults = append(a.defaults, calc.Pair{Key: key, Value: value})
		}
	}
	if a.simulated.answer != nil && sameInput(in, a.simulated.in) {
		a.answer = a.simulated.answer
		r.Topics[0].Follow(a.answer)
		return
	}
	scenario, err := calc.NewScenario(in)
	switch {
	case err != nil: // the service's own check says why
		a.answer, a.own, a.defaults = &a.partition, true, nil
		r.Topics[0].Follow(a.answer)
	case scenario.EventBound() > longWork:
		r.Topics[0].FollowScenario(scenario)
	default:
		answer := calc.RunWith(scenario, func(calc.Millis) bool { return r.Yield == nil || r.Yield() })
		a.answer = &answer
		a.simulated = simulated{in, &answer}
		r.Topics[0].Follow(a.answer)
	}
}

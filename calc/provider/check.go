package provider

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Verdict is what a service makes of a request by one of its rules.
type Verdict struct {
	Service  string // ID
	Plan     string // ID; "" where there is one only
	Rule     string // ID; "" when no rule is broken
	Topic    string // its name; "" when it is about the instance, or the topic has no name
	Effect   Effect
	Error    string // what a client gets, in the service's own terms
	Sentence string // a sentence or two
	Fixes    []Fix  // ways out, each enough by itself
	Source   Source // the rule's
}

// Breach reports whether the request breaks the rule, see [Effect.Breach].
func (v Verdict) Breach() bool { return v.Effect.Breach() }

// Fix is a way out.
type Fix struct {
	Text string // an imperative clause: "set retention.bytes to 44GiB"
	// Key and Value are what [Request.Set] would be given, NAME:key for one of several topics; Key is "" where there is no
	// such thing.
	Key, Value string
	Delete     []string // topics to delete, where that is the way
}

// of is the fix of one topic's setting, where there are several topics and it has a name.
func (f Fix) of(t *Topic) Fix {
	if _, option := OptionOf(f.Key); f.Key != "" && t.Name != "" && !option {
		f.Key = t.Name + ":" + f.Key
	}
	return f
}

func set(key, value string) Fix {
	return Fix{Text: "set " + key + " to " + value, Key: key, Value: value}
}

// mostVerdicts is how many verdicts by one rule are given; of more, the last one says how many there are.
const mostVerdicts = 20

// Check holds a request against the rules of its service, in their order. When no rule is broken and nothing is to be
// noted, the first verdict is about all of them, unless no rule at all can be decided: [Accepted], or [Unknown] where a rule
// that may be broken needs more input, as [Decide] has it. A rule that cannot be decided without more input gives [Unknown].
func Check(r Request) []Verdict {
	s := r.service()
	plan := r.Plan()
	var all []Verdict
	rules := 0
	for i := range s.Rules {
		rule := &s.Rules[i]
		if !rule.holdsFor(plan.ID) || rule.If.Key != "" && r.amountOf(&Topic{}, rule.If.Key).text != rule.If.Value {
			continue
		}
		rules++
		all = append(all, r.hold(rule)...)
	}
	if v, full := r.full(); full {
		all = append(all, v)
	}
	if slices.ContainsFunc(all, func(v Verdict) bool { return v.Effect < Accepted }) || len(all) > 0 && len(all) == rules {
		return all
	}
	accepted := Verdict{Service: s.ID, Plan: plan.ID, Effect: Accepted}
	switch {
	case rules == 0:
		accepted.Sentence = "No limit but Kafka's own; the disk is yours to watch."
	case len(all) == 0:
		accepted.Sentence = r.who() + " takes it: none of its rules that are known here is broken."
	case slices.ContainsFunc(all, Verdict.mayBreach):
		accepted.Effect = Unknown
		accepted.Sentence = fmt.Sprintf("Whether %s takes it is not known yet: of its rules that are known here none is broken, and %s more input to be decided.", r.who(), needs(len(all)))
	default:
		accepted.Sentence = fmt.Sprintf("%s takes it: of its rules that are known here none is broken, and %s more input to be decided.", r.who(), needs(len(all)))
	}
	return append([]Verdict{accepted}, all...)
}

func needs(rules int) string {
	if rules == 1 {
		return "one needs"
	}
	return fmt.Sprintf("%d need", rules)
}

// hold is a request against one rule.
func (r *Request) hold(rule *Rule) []Verdict {
	var all []Verdict
	more := 0
	add := func(t *Topic, v *Verdict) {
		if v == nil {
			return
		}
		if len(all) >= mostVerdicts {
			more++
			return
		}
		v.Service, v.Plan, v.Rule, v.Source = r.service().ID, r.Plan().ID, rule.ID, rule.Source
		if v.Effect == 0 {
			v.Effect = rule.Effect
		}
		// What a ladder's error is, is that of its last rung.
		if v.Effect == Blocked || rule.Ladder == nil && v.Effect.Breach() {
			v.Error = rule.Error
		}
		if t != nil {
			v.Topic = t.Name
			for i := range v.Fixes {
				if len(r.Topics) > 1 {
					v.Fixes[i] = v.Fixes[i].of(t)
				}
			}
		}
		if rule.Source.Confidence == Unverified && v.Effect < Accepted {
			v.Sentence += " This is not verified: " + rule.Doubt + "."
		}
		all = append(all, *v)
	}
	switch {
	case rule.Reservation != nil:
		add(nil, r.reserve(rule))
	case rule.Ladder != nil:
		add(nil, r.climbLadder(rule))
	case rule.Staircase != nil:
		add(nil, r.outgrown(rule))
	case r.ofInstance(rule):
		if len(r.Topics) > 0 || rule.Fixed == nil {
			add(nil, r.single(rule, &Topic{}))
		}
	default:
		for i := range r.Topics {
			if i%64 == 63 {
				r.goOn()
			}
			if t := &r.Topics[i]; r.about(rule.When, t) {
				add(t, r.single(rule, t))
			}
		}
	}
	if more > 0 {
		all[len(all)-1].Sentence += fmt.Sprintf(" So it is for %d more topics.", more)
	}
	return all
}

// key is what the rule is about, where that is one thing.
func (r *Rule) key() string {
	switch {
	case r.Bound != nil:
		return r.Bound.Key
	case r.Fixed != nil:
		return r.Fixed.Key
	}
	return ""
}

// ofInstance reports whether a rule is about the instance and not about each topic.
func (r *Request) ofInstance(rule *Rule) bool {
	if _, ok := OptionOf(rule.key()); ok {
		return true
	}
	f, ok := factOf(rule.key())
	return ok && f.Instance
}

// single is the verdict on one topic, or on the instance where t has nothing in it.
func (r *Request) single(rule *Rule, t *Topic) *Verdict {
	switch {
	case rule.Bound != nil:
		return r.bound(rule, t)
	case rule.Tier != nil:
		return r.tier(rule, t)
	}
	return r.fixed(rule, t)
}

// who is the service with its plan, for a sentence.
func (r *Request) who() string {
	s, p := r.service(), r.Plan()
	if p.Name == "" {
		return s.Name
	}
	return s.Name + " " + p.Name
}

// bound is what is wrong with a value.
func (r *Request) bound(rule *Rule, t *Topic) *Verdict {
	b := rule.Bound
	a := r.amountOf(t, b.Key)
	if !a.known {
		if f, ok := factOf(b.Key); ok {
			return &Verdict{Effect: Unknown, Sentence: fmt.Sprintf("%s limits %s, which is not known here: %s", r.who(), f.Label, r.missing(b.Key))}
		}
		return nil
	}
	name := r.label(b.Key, a)
	switch {
	case a.word:
		return r.words(rule, a, name)
	case len(b.OneOf) > 0 && !slices.Contains(b.OneOf, strconv.FormatInt(a.n, 10)):
		v := &Verdict{Sentence: fmt.Sprintf("%s not one of %s, which %s offers.", name, strings.Join(b.OneOf, ", "), r.who())}
		// The list is in order: the first that is enough, else the most there is.
		i := slices.IndexFunc(b.OneOf, func(text string) bool { n, _ := strconv.ParseInt(text, 10, 64); return n >= a.n })
		if i < 0 {
			i = len(b.OneOf) - 1
		}
		v.Fixes = []Fix{set(b.Key, b.OneOf[i])}
		return v
	case len(b.With) > 0:
		return r.paired(b, a, name)
	}
	n := a.n
	if r.endless(b.Key, n) {
		n = noMost
		if limit, ok := r.number(t, b.EndlessWith); ok && limit >= 0 {
			return nil
		}
	}
	v := &Verdict{}
	takes := "takes"
	if rule.Effect == Advised {
		takes = "advises"
	}
	switch {
	case n > b.Most:
		v.Sentence = fmt.Sprintf("%s above %s, the most that %s %s.", name, quantity(a.kind, b.Most), r.who(), takes)
		r.offer(v, t, rule, a.kind, b.Most)
	case n < b.Least:
		v.Sentence = fmt.Sprintf("%s below %s, the least that %s %s.", name, quantity(a.kind, b.Least), r.who(), takes)
		r.offer(v, t, rule, a.kind, b.Least)
	case b.Step > 1 && n%b.Step != 0:
		v.Sentence = fmt.Sprintf("%s not a multiple of %s, as %s wants it.", name, quantity(a.kind, b.Step), r.who())
		r.offer(v, t, rule, a.kind, (n/b.Step+1)*b.Step)
	default:
		return nil
	}
	if rule.Effect == Changed {
		v.Sentence += " It takes that value instead, without a word."
	}
	return v
}

// endless reports whether a number stands for no limit.
func (r *Request) endless(key string, n int64) bool {
	row, _, ok := calc.SettingOf(key)
	return ok && n == calc.Unlimited && len(row.Names) > 0
}

// label is a key with its value, or a fact in words.
func (r *Request) label(key string, a amount) string {
	if f, ok := factOf(key); ok {
		return fmt.Sprintf("%s is %s,", capital(f.Label), quantity(a.kind, a.n))
	}
	text := key + "=" + a.text
	if !a.given {
		text += " (the default)"
	}
	return text + " is"
}

// words is what is wrong with a value that is made of words.
func (r *Request) words(rule *Rule, a amount, name string) *Verdict {
	b := rule.Bound
	words := strings.Split(a.text, ",")
	if b.Without != "" && slices.Contains(words, b.Without) {
		v := &Verdict{Sentence: fmt.Sprintf("%s not taken by %s here: it contains %s.", name, r.who(), b.Without)}
		if rule.Effect == Noted {
			return &Verdict{Sentence: rule.Says}
		}
		if rest := slices.DeleteFunc(words, func(w string) bool { return w == b.Without }); len(rest) > 0 {
			v.Fixes = []Fix{set(b.Key, strings.Join(rest, ","))}
		} else if b.Key == "cleanup.policy" {
			v.Fixes = []Fix{set(b.Key, "delete")}
		}
		return v
	}
	if len(b.OneOf) > 0 && !slices.Contains(b.OneOf, a.text) {
		return &Verdict{Sentence: fmt.Sprintf("%s not one of %s, which %s takes.", name, strings.Join(b.OneOf, "; "), r.who()), Fixes: []Fix{set(b.Key, b.OneOf[0])}}
	}
	return nil
}

// paired is what is wrong with a value that must go with another one.
func (r *Request) paired(b *Bound, a amount, name string) *Verdict {
	for _, p := range b.With {
		other := r.amountOf(&Topic{}, p.Key)
		if !other.known || other.text != p.Value && strconv.FormatInt(other.n, 10) != p.Value {
			continue
		}
		for _, text := range p.Values {
			if readings(text, a.n) {
				return nil
			}
		}
		v := &Verdict{Sentence: fmt.Sprintf("%s not offered with %s=%s: %s has %s there.", name, p.Key, p.Value, r.who(), strings.Join(p.Values, ", "))}
		for _, text := range p.Values {
			if n, err := calc.ParseBytes(text); err == nil && int64(n) >= a.n {
				v.Fixes = []Fix{set(b.Key, text)}
				break
			}
		}
		return v
	}
	return nil
}

// readings reports whether n is the size that a text with a decimal unit means, or the same with the binary one, or 1024
// for each 1000 as in IBM's storage_size, where 2048 GB stand for 2 TB.
func readings(text string, n int64) bool {
	_, meant, otherwise, ok := OtherReading(text)
	return n == int64(meant) || ok && n == int64(otherwise) || n == int64(meant)/1000*1024
}

// fixed is what is wrong with a setting, or with its change.
func (r *Request) fixed(rule *Rule, t *Topic) *Verdict {
	f := rule.Fixed
	a := r.amountOf(t, f.Key)
	switch {
	case f.Unset:
		if !a.given {
			return nil
		}
		says := fmt.Sprintf("%s=%s cannot be set at %s.", f.Key, a.text, r.who())
		if rule.Effect == Ignored {
			says = fmt.Sprintf("%s=%s has no effect at %s: %s", f.Key, a.text, r.who(), uncapital(rule.Says))
		}
		return &Verdict{Sentence: says, Fixes: []Fix{{Text: "leave " + f.Key + " out"}}}
	case f.Value != "":
		if !a.given || a.text == f.Value {
			return nil
		}
		return &Verdict{Sentence: fmt.Sprintf("%s=%s cannot be chosen at %s: it is always %s.", f.Key, a.text, r.who(), f.Value), Fixes: []Fix{set(f.Key, f.Value)}}
	case r.Before == nil:
		return nil
	}
	old := &Topic{}
	for i := range r.Before.Topics {
		if r.Before.Topics[i].Name == t.Name {
			old = &r.Before.Topics[i]
		}
	}
	was := r.Before.amountOf(old, f.Key)
	switch {
	case !was.known || !a.known || was.text == a.text || !a.word && was.n == a.n || f.May == OnlyUp && a.n > was.n:
		return nil
	case f.From != "" && sorted(was.text) == sorted(f.From) && sorted(a.text) == sorted(f.To):
		return &Verdict{Sentence: rule.Says}
	case f.From != "":
		return nil
	}
	verb := "cannot be changed"
	switch {
	case f.May == OnlyUp && a.word:
		verb = "cannot be turned off"
	case f.May == OnlyUp:
		verb = "cannot be made smaller"
	}
	if rule.Effect != Refused {
		return &Verdict{Sentence: fmt.Sprintf("%s=%s was %s. %s", f.Key, a.text, was.text, rule.Says)}
	}
	return &Verdict{Sentence: fmt.Sprintf("%s %s at %s: it was %s, and %s is asked for.", f.Key, verb, r.who(), was.text, a.text), Fixes: []Fix{set(f.Key, was.text)}}
}

// uncapital is a sentence as it goes on after a colon, unless it begins with a name.
func uncapital(text string) string {
	if len(text) > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a' && text[1] <= 'z' {
		return strings.ToLower(text[:1]) + text[1:]
	}
	return text
}

// sorted is a list of words in order, so that delete,compact is compact,delete.
func sorted(words string) string {
	list := strings.Split(words, ",")
	slices.Sort(list)
	return strings.Join(list, ",")
}

// tier is what is to be said about a tiered topic.
func (r *Request) tier(rule *Rule, t *Topic) *Verdict {
	if !r.tiered(t) {
		return nil
	}
	says := &Verdict{Sentence: rule.Says}
	local, _ := r.number(t, "local.retention.ms")
	localBytes, _ := r.number(t, "local.retention.bytes")
	switch rule.Tier.If {
	case IfSlow:
		closes, ok := r.closes(t)
		if !ok || local < 0 || closes <= calc.Millis(local) {
			return nil
		}
		says.Sentence = fmt.Sprintf("%s Here a segment takes %s to close, which is longer than local.retention.ms=%s: nothing is copied before, and the disk holds that long.",
			rule.Says, closes, calc.Millis(local).Text())
		says.Fixes = []Fix{set("segment.ms", calc.Millis(local).Text())}
	case IfLocalWhole:
		whole, _ := r.number(t, "retention.ms")
		wholeBytes, _ := r.number(t, "retention.bytes")
		if local != whole || localBytes != wholeBytes {
			return nil
		}
	case IfLocalRaised:
		if r.Before == nil {
			return nil
		}
		for i := range r.Before.Topics {
			if old := &r.Before.Topics[i]; old.Name == t.Name {
				was, _ := r.Before.number(old, "local.retention.ms")
				wasBytes, _ := r.Before.number(old, "local.retention.bytes")
				if more(local, was) || more(localBytes, wasBytes) {
					return says
				}
			}
		}
		return nil
	}
	return says
}

// more reports whether a limit is higher than another; a negative one is the highest.
func more(a, b int64) bool { return a != b && b >= 0 && (a < 0 || a > b) }

// closes is how long a segment of the topic is open: until it is full, or segment.ms.
func (r *Request) closes(t *Topic) (calc.Millis, bool) {
	if t.Traffic == nil || t.Traffic.Mean <= 0 {
		return 0, false
	}
	segment, _ := r.number(t, "segment.bytes")
	ms, _ := r.number(t, "segment.ms")
	return min(calc.Millis(ratio(segment, 1000, int64(t.Traffic.Mean))), calc.Millis(ms)), true
}

// Decide is the verdict that decides of those that [Check] gives: the gravest, of equals the first. Where no rule is
// broken, and one that may be cannot be held against what is known, it is [Unknown]: nobody should read "accepted" there.
func Decide(all []Verdict) Verdict {
	worst := slices.MinFunc(all, func(a, b Verdict) int { return cmp.Compare(a.Effect, b.Effect) })
	if worst.Effect < Noted {
		return worst
	}
	for _, v := range all {
		if v.mayBreach() {
			return v
		}
	}
	return worst
}

// mayBreach reports whether a verdict that is not known is about a rule that may be broken.
func (v Verdict) mayBreach() bool {
	if v.Effect != Unknown {
		return false
	}
	s, err := ServiceOf(v.Service)
	if err != nil {
		return false
	}
	rule, ok := s.RuleOf(v.Rule)
	return ok && rule.mayBreach()
}

// mayBreach reports whether the rule may refuse a topic, block writes to it, delete of it, or let its disk become full: who
// plans must know. What only slows producers down is left to be said among the rest.
func (r *Rule) mayBreach() bool {
	grave := func(e Effect) bool { return e <= Outgrown }
	if r.Ladder == nil {
		return grave(r.Effect)
	}
	return slices.ContainsFunc(r.Ladder.Rungs, func(g Rung) bool { return grave(g.Effect) })
}

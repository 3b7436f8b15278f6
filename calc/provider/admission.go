package provider

import (
	"fmt"
	"strconv"

	"github.com/partsize/partsize/calc"
)

// Admission is what a service that reserves says to one operation on an instance.
type Admission struct {
	Allowed bool
	// Unverified says that the refusal is implied by the page and not said by it: of a changed configuration.
	Unverified    bool
	Error         string // PolicyViolation when it is refused
	Sentence      string
	Before, After calc.Bytes // reserved
	Limit         calc.Bytes
	Over          calc.Bytes // by how much After is above Limit
	Fit           int64      // how many more partitions like these fit before the operation
	Fixes         []Fix      // each enough by itself
}

// Create is whether a topic may be created.
func (a *Account) Create(t Topic) Admission {
	more := a.rule.Reservation.of(a.req, &t)
	after := *a.req
	after.Topics = append(append([]Topic(nil), a.req.Topics...), t)
	return a.admit(after, t, operation{each: more.Each, least: 1, what: fmt.Sprintf("Creating %s with %s", named(t.Name), numberOf(t.partitions(), "partition"))})
}

// AddPartitions is whether a topic may have n more partitions. The error is a [*calc.FieldError] for a topic that does not
// exist, or n below 1.
func (a *Account) AddPartitions(topic string, n int64) (Admission, error) {
	i, err := a.find(topic)
	if err != nil {
		return Admission{}, err
	}
	if n < 1 {
		return Admission{}, &calc.FieldError{Key: "partitions", Value: strconv.FormatInt(n, 10), Problem: "is no number of partitions to add", Nearest: "1"}
	}
	after := *a.req
	after.Topics = append([]Topic(nil), a.req.Topics...)
	t := after.Topics[i]
	least := t.partitions() + 1
	t.Partitions = plus(t.partitions(), n)
	_ = t.Config.Set("partitions", strconv.FormatInt(t.Partitions, 10))
	after.Topics[i] = t
	return a.admit(after, t, operation{each: a.Topics[i].Each, least: least, what: fmt.Sprintf("Adding %s to %s", numberOf(n, "partition"), named(topic))}), nil
}

// Configure is whether a topic's setting may be changed. The error is a [*calc.FieldError].
func (a *Account) Configure(topic, key, value string) (Admission, error) {
	i, err := a.find(topic)
	if err != nil {
		return Admission{}, err
	}
	after := *a.req
	after.Topics = append([]Topic(nil), a.req.Topics...)
	t := after.Topics[i]
	if err := t.Set(key, value); err != nil {
		return Admission{}, err
	}
	after.Topics[i] = t
	return a.admit(after, t, operation{each: a.rule.Reservation.each(&after, &t), config: true,
		what: fmt.Sprintf("Setting %s=%s of %s", KafkasName(key), value, named(topic))}), nil
}

func (a *Account) find(topic string) (int, error) {
	for i := range a.Topics {
		if a.Topics[i].Topic == topic {
			return i, nil
		}
	}
	return 0, &calc.FieldError{Key: "topic", Value: topic, Problem: "is no topic of the instance"}
}

func named(topic string) string {
	if topic == "" {
		return "the topic"
	}
	return "topic " + topic
}

// operation is what is asked of an instance.
type operation struct {
	what   string     // the beginning of a sentence
	each   calc.Bytes // a partition of its topic
	least  int64      // partitions with which it would still be the operation; 0: their number is not asked about
	config bool       // it changes a configuration alone
}

// admit is the service's answer to an instance as it would be after an operation on the topic t.
func (a *Account) admit(after Request, t Topic, o operation) Admission {
	b := after.account(a.rule)
	d := Admission{Before: a.Reserved, After: b.Reserved, Limit: a.Limit, Over: b.Over(), Fit: a.Fit(o.each), Unverified: o.config}
	d.Allowed = !a.Known || d.Over == 0 || d.After <= d.Before
	share := fmt.Sprintf("%s %% of %s reserved, %s", b.Percent(), size(b.Storage), size(d.After))
	switch {
	case !a.Known:
		d.Sentence = fmt.Sprintf("%s leaves %s reserved; how much there is is not known.", o.what, size(d.After))
		return d
	case d.Allowed:
		d.Unverified = false
		d.Sentence = fmt.Sprintf("%s is allowed: it leaves %s. After it, %d more partitions like these fit.", o.what, share, b.Fit(o.each))
		return d
	}
	d.Error = a.rule.Error
	d.Sentence = fmt.Sprintf("%s is refused with %s: the limit on reserved storage is reached, as it would leave %s, and at most %d %% may be.",
		o.what, d.Error, share, a.rule.Reservation.Percent)
	if o.config {
		d.Sentence += " " + configDoubt
	}
	d.Sentence += fmt.Sprintf(" %d more partitions like these fit.", d.Fit)
	d.Fixes = b.waysFor(&after, &t, o.least)
	return d
}

// waysFor is how to make an operation fit: smaller, with another topic gone, or with more storage. least is how many
// partitions it takes at least; 0: their number stays.
func (a *Account) waysFor(r *Request, t *Topic, least int64) []Fix {
	var all []Fix
	others := a.Reserved
	for i := range r.Topics {
		if r.Topics[i].Name == t.Name {
			others -= a.Topics[i].Total
		}
	}
	each := a.rule.Reservation.each(r, t)
	if n := int64(max(a.Limit-others, 0) / max(each, 1)); least > 0 && n >= least && n < t.partitions() {
		all = append(all, set("partitions", strconv.FormatInt(n, 10)))
	}
	room := int64(a.Limit-others) / t.partitions()
	now, _ := r.number(t, "retention.bytes")
	if compact, del := r.policy(t); now < 0 || !(compact && !del) {
		if now < 0 {
			now = 1 << 60
		}
		n, ok := largest(0, now, func(n int64) bool {
			c := *t
			_ = c.Config.Set("retention.bytes", strconv.FormatInt(n, 10))
			return int64(a.rule.Reservation.each(r, &c)) <= room
		})
		if ok && n >= int64(100*calc.KiB) {
			all = append(all, set("retention.bytes", roundDown(calc.Bytes(n)).Text()))
		}
	}
	if f, ok := a.delete(a.Over(), t.Name); ok {
		all = append(all, f)
	}
	return append(all, a.buy(r)...)
}

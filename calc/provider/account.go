package provider

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Account is what a service reserves for the topics of an instance.
//
// Source: for IBM Event Streams its page on reserved disk usage.
type Account struct {
	Known    bool       // Storage is known
	Storage  calc.Bytes // of the instance
	Limit    calc.Bytes // of it that may be reserved; a sum above it is refused
	Reserved calc.Bytes // by all topics
	Endless  bool       // a topic has no limit by size, so that no storage is enough; Reserved is the largest number there is
	Topics   []Reserved // in the request's order
	// Other is the same storage with its unit taken the other way, as 2 TiB for 2 TB; 0: the text has no such unit.
	Other     calc.Bytes
	OtherText string

	rule *Rule
	req  *Request
}

// Reserved is what is reserved for a topic.
type Reserved struct {
	Topic      string
	Partitions int64
	Assumed    bool       // nothing says how many there are
	Each       calc.Bytes // a partition; replicas are not counted where the service does not count them
	Total      calc.Bytes
	Flat       bool        // the same for every compacted topic, whatever its settings
	Ignored    []string    // settings that were given and that have no effect on the reservation
	Terms      []calc.Term // what adds up to Each; of the first topic alone
}

// NewAccount reckons what the request's service reserves for its topics. ok is false for a service that reserves nothing.
func NewAccount(r Request) (a Account, ok bool) {
	s, plan := r.service(), r.Plan()
	for i := range s.Rules {
		rule := &s.Rules[i]
		if rule.Reservation != nil && rule.holdsFor(plan.ID) {
			return r.account(rule), true
		}
	}
	return Account{}, false
}

func (r *Request) account(rule *Rule) Account {
	v := rule.Reservation
	a := Account{rule: rule, req: r}
	storage, known := r.option(v.Of)
	if v.Of == "disk" {
		brokers, _ := r.option("brokers")
		less := times(int64(v.Less), max(brokers, 1))
		storage = times(storage, max(brokers, 1))
		a.Limit = calc.Bytes(ratioDown(max(storage-less, 0), v.Percent, 100))
	} else {
		a.Limit = v.limit(calc.Bytes(storage))
	}
	a.Known, a.Storage = known, calc.Bytes(storage)
	if other, _, otherwise, ok := OtherReading(r.text(v.Of)); ok && v.Of == "storage" {
		a.Other, a.OtherText = otherwise, other
	}
	a.Topics = make([]Reserved, len(r.Topics))
	sum := int64(0)
	for i := range r.Topics {
		a.Topics[i] = v.of(r, &r.Topics[i])
		sum = plus(sum, int64(a.Topics[i].Total))
		a.Endless = a.Endless || a.Topics[i].Each == noMost
	}
	if len(a.Topics) > 0 {
		a.Topics[0].Terms = v.terms(r, &r.Topics[0])
	}
	a.Reserved = calc.Bytes(sum)
	return a
}

// of is what is reserved for a topic, without its terms.
func (v *Reservation) of(r *Request, t *Topic) Reserved {
	each := v.each(r, t)
	d := Reserved{Topic: t.Name, Partitions: t.partitions(), Assumed: t.Uncounted(), Each: each, Total: calc.Bytes(times(int64(each), t.partitions()))}
	if d.Flat = v.flat(r, t); d.Flat {
		for _, key := range []string{"retention.ms", "retention.bytes", "segment.bytes", "segment.index.bytes"} {
			if _, given := t.Config.Given(key); given {
				d.Ignored = append(d.Ignored, key)
			}
		}
	}
	return d
}

// flat reports whether the reservation of a topic is the same whatever its settings are.
func (v *Reservation) flat(r *Request, t *Topic) bool {
	compact, del := r.policy(t)
	return compact && !del && v.OnlyKeys > 0
}

// terms is what adds up to the reservation of a partition of a topic.
func (v *Reservation) terms(r *Request, t *Topic) (all []calc.Term) {
	if v.flat(r, t) {
		return []calc.Term{{Bytes: v.OnlyKeys, Formula: "always, with cleanup.policy=compact", Keys: []string{"cleanup.policy"}}}
	}
	segment, _ := r.number(t, "segment.bytes")
	key := "segment.bytes"
	if v.Segment > 0 {
		segment, key = int64(v.Segment), "a segment"
	}
	retention := int64(0)
	if v.Retention {
		retention, _ = r.number(t, "retention.bytes")
		all = append(all, calc.Term{Bytes: calc.Bytes(retention), Formula: "retention.bytes = " + calc.Bytes(retention).Text(), Keys: []string{"retention.bytes"}})
	}
	if retention < 0 {
		return all
	}
	if v.Segments > 0 {
		formula := key + " = " + calc.Bytes(segment).Text()
		if v.Segments > 1 {
			formula = fmt.Sprintf("%d × %s", v.Segments, formula)
		}
		all = append(all, calc.Term{Bytes: calc.Bytes(times(v.Segments, segment)), Formula: formula, Keys: []string{"segment.bytes"}})
	}
	if v.Indexes > 0 {
		index, _ := r.number(t, "segment.index.bytes")
		n := retention/max(segment, 1) + 1
		all = append(all, calc.Term{Bytes: calc.Bytes(times(times(v.Indexes, index), n)),
			Formula: fmt.Sprintf("%d × segment.index.bytes = %s × %d segments, ⌊retention.bytes ÷ segment.bytes⌋ + 1", v.Indexes, calc.Bytes(index).Text(), n),
			Keys:    []string{"segment.index.bytes", "retention.bytes", "segment.bytes"}})
	}
	if v.Copies {
		all = append(all, calc.Term{Formula: fmt.Sprintf("all of it × %d replicas", r.replicas(t)), Keys: []string{"replication.factor"}})
	}
	return all
}

// Admits reports whether the service sets storage aside for what topics may keep, and says no to operations by it, as IBM
// Event Streams does; others only count what can never be deleted.
func (a *Account) Admits() bool { return a.rule.Reservation.Retention }

// Over is how much is reserved beyond the limit, or 0.
func (a *Account) Over() calc.Bytes { return max(a.Reserved-a.Limit, 0) }

// Free is how much may be reserved in addition.
func (a *Account) Free() calc.Bytes { return max(a.Limit-a.Reserved, 0) }

// Percent is the share of the storage that is reserved, with one digit after the point: what IBM's metric
// ibm_eventstreams_instance_reserved_disk_space_percent shows.
func (a *Account) Percent() string { return percent(int64(a.Reserved), int64(a.Storage)) }

// PercentOf is a topic's part of the storage.
func (a *Account) PercentOf(d Reserved) string { return percent(int64(d.Total), int64(a.Storage)) }

// Needed is the least storage that the topics take.
func (a *Account) Needed() calc.Bytes {
	v := a.rule.Reservation
	n := ratio(int64(a.Reserved), 100, v.Percent)
	if v.Of == "disk" {
		brokers, _ := a.req.option("brokers")
		return calc.Bytes(plus(ratio(n, 1, max(brokers, 1)), int64(v.Less)))
	}
	return calc.Bytes(plus(n, int64(v.Less)))
}

// Fit is how many more partitions fit that take each bytes.
func (a *Account) Fit(each calc.Bytes) int64 {
	if each <= 0 {
		return 0
	}
	return int64(a.Free() / each)
}

// sentence says how far the topics are over the limit.
func (a *Account) sentence(r *Request) string {
	v := a.rule.Reservation
	if a.Endless {
		return a.endless(r)
	}
	text := fmt.Sprintf("%s reserves %s for these topics, %s %% of %s, and at most %d %% may be reserved, %s.",
		r.who(), size(a.Reserved), a.Percent(), size(a.Storage), v.Percent, size(a.Limit))
	if v.Less > 0 {
		text = fmt.Sprintf("These topics take %s that cannot be deleted, and of the disks %s are free for data.", size(a.Reserved), size(a.Limit))
	}
	if len(a.Topics) == 1 {
		one := a.Topics[0]
		text += fmt.Sprintf(" A partition takes %s, so %s of %d fit.", size(one.Each), strconv.FormatInt(int64(a.Limit/max(one.Each, 1)), 10), one.Partitions)
	}
	return text + a.otherReading()
}

// endless says that no storage is enough.
func (a *Account) endless(r *Request) string {
	return fmt.Sprintf("%s reserves retention.bytes for each partition, and retention.bytes=-1 is no limit: no storage is enough.", r.who())
}

// otherReading says what changes when the storage's unit is taken the other way.
func (a *Account) otherReading() string {
	if a.Other == 0 {
		return ""
	}
	limit := a.rule.Reservation.limit(a.Other)
	fits := "would not fit, either"
	switch {
	case a.Reserved <= limit && a.Over() == 0:
		fits = "would fit, too"
	case a.Reserved <= limit:
		fits = "would fit"
	case a.Over() == 0:
		fits = "would not fit"
	}
	text := fmt.Sprintf(" Storage is taken as %s; were it %s, or %s, the limit would be %s, and they %s.", size(a.Storage), a.OtherText, a.Other.Exact(), size(limit), fits)
	return strings.NewReplacer("\u202f", " ", "\u00a0", " ").Replace(text)
}

// waysOut is how to come below the limit: each way is enough by itself.
func (a *Account) waysOut(r *Request) []Fix {
	over := a.Over()
	var all []Fix
	all = append(all, a.fewer(r)...)
	all = append(all, a.shrink(r)...)
	if f, ok := a.delete(over, ""); ok {
		all = append(all, f)
	}
	return append(all, a.buy(r)...)
}

// fewer is the fix of fewer partitions, for a single topic; Kafka takes none away that is there.
func (a *Account) fewer(r *Request) []Fix {
	if len(a.Topics) != 1 {
		return nil
	}
	one, least := a.Topics[0], int64(1)
	if r.Before != nil {
		for i := range r.Before.Topics {
			if old := &r.Before.Topics[i]; old.Name == one.Topic {
				least = old.partitions()
			}
		}
	}
	if n := int64(a.Limit / max(one.Each, 1)); n >= least && n < one.Partitions {
		return []Fix{set("partitions", strconv.FormatInt(n, 10))}
	}
	return nil
}

// shrink is the fix of a smaller retention.bytes: of the single topic, or of the one of many that has the most to give.
func (a *Account) shrink(r *Request) []Fix {
	if !a.rule.Reservation.Retention || len(a.Topics) == 0 {
		return nil
	}
	order := make([]int, len(a.Topics))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return compare(int64(a.Topics[y].Total), int64(a.Topics[x].Total)) })
	i := order[0]
	t := &r.Topics[i]
	if a.Topics[i].Flat {
		return nil
	}
	room := int64(a.Limit-(a.Reserved-a.Topics[i].Total)) / t.partitions()
	now, _ := r.number(t, "retention.bytes")
	if now < 0 {
		now = 1 << 60
	}
	n, ok := largest(0, now, func(n int64) bool {
		c := *t
		_ = c.Config.Set("retention.bytes", strconv.FormatInt(n, 10))
		return int64(a.rule.Reservation.each(r, &c)) <= room
	})
	if !ok || n < int64(100*calc.KiB) {
		return nil
	}
	f := set("retention.bytes", roundDown(calc.Bytes(n)).Text())
	if len(a.Topics) > 1 {
		f = f.of(t)
		f.Text += ofTopic(t)
	}
	return []Fix{f}
}

// largest is the largest n from low to high for which ok holds, if it holds for low; ok must not hold again after it does
// not.
func largest(low, high int64, ok func(int64) bool) (int64, bool) {
	if !ok(low) {
		return 0, false
	}
	for low < high {
		mid := low + (high-low+1)/2
		if ok(mid) {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return low, true
}

func compare(a, b int64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// delete is which topics to delete so that over bytes are freed: the smallest one that is enough, else the largest ones.
// The topic named keep stays, and so does one without a name: it is the one that is asked about.
func (a *Account) delete(over calc.Bytes, keep string) (Fix, bool) {
	if len(a.Topics) < 2 {
		return Fix{}, false
	}
	var others []Reserved
	for _, d := range a.Topics {
		if d.Topic != "" && d.Topic != keep {
			others = append(others, d)
		}
	}
	slices.SortStableFunc(others, func(x, y Reserved) int { return compare(int64(x.Total), int64(y.Total)) })
	for _, d := range others {
		if d.Total >= over {
			return Fix{Text: fmt.Sprintf("delete topic %s, which frees %s", d.Topic, size(d.Total)), Delete: []string{d.Topic}}, true
		}
	}
	sum, n := calc.Bytes(0), 0
	var names, all []string
	for i := len(others) - 1; i >= 0 && sum < over; i-- {
		sum += others[i].Total
		all = append(all, others[i].Topic)
		if n++; n <= 5 {
			names = append(names, others[i].Topic)
		}
	}
	if sum < over {
		return Fix{}, false
	}
	list := strings.Join(names, ", ")
	if n > len(names) {
		list += fmt.Sprintf(" and %d more", n-len(names))
	}
	return Fix{Text: fmt.Sprintf("delete the %d topics %s, which frees %s", n, list, size(sum)), Delete: all}, true
}

// buy is the smallest storage that is offered and enough.
func (a *Account) buy(r *Request) []Fix {
	if a.Endless {
		return nil
	}
	need := a.Needed()
	of := a.rule.Reservation.Of
	if r.service() != &ibmEventStreams || r.Plan().ID != "enterprise" {
		return []Fix{set(of, roundUp(need).Text())}
	}
	now, _ := r.option("throughput")
	for _, p := range ibmPairs {
		throughput, _ := strconv.ParseInt(p.Value, 10, 64)
		if throughput < now {
			continue
		}
		for _, text := range p.Values {
			if n, err := calc.ParseBytes(text); err == nil && n >= need && n > a.Storage {
				f := set("storage", text)
				f.Text = fmt.Sprintf("buy %s of storage with %s MB/s", text, p.Value)
				return []Fix{f}
			}
		}
	}
	return []Fix{{Text: fmt.Sprintf("ask IBM: %s of storage are needed, more than any pair offers", size(need))}}
}

package provider

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// offer adds the fixes that bring a key to the nearest value that would do: of a fact, by what it follows from.
func (r *Request) offer(v *Verdict, t *Topic, rule *Rule, kind calc.Kind, n int64) {
	key := rule.Bound.Key
	if _, ok := factOf(key); !ok {
		v.Fixes = append(v.Fixes, set(key, show(kind, n)))
		return
	}
	var all []Fix
	now, _ := r.fact(t, key)
	switch key {
	case "partitions.total", "partitions.unit":
		if units, _ := r.option("units"); key == "partitions.unit" {
			all = append(all, r.atLeast("units", ratio(times(now, max(units, 1)), 1, n))...)
		} else if len(r.Topics) == 1 {
			all = append(all, set("partitions", strconv.FormatInt(n, 10)))
		}
	case "partitions.broker":
		brokers, _ := r.option("brokers")
		all = r.atLeast("brokers", ratio(times(now, max(brokers, 1)), 1, n))
	case "traffic.unit", "stored.unit":
		units, _ := r.option("units")
		all = r.atLeast("units", ratio(times(now, max(units, 1)), 1, n))
		if key == "stored.unit" {
			all = append(all, r.keepLess(times(n, max(units, 1)))...)
		}
	case "stored.total":
		all = r.keepLess(n)
	case "traffic.total", "traffic.total.mean":
		all = r.largerThroughput(now, n)
	case "disk.vcpu":
		vcpus, _ := r.option("vcpus")
		brokers, _ := r.option("brokers")
		all = []Fix{set("disk", roundUp(calc.Bytes(ratio(n, max(vcpus, 1), max(brokers, 1)))).Text())}
	}
	if len(all) == 0 {
		all = []Fix{{Text: "bring it to " + quantity(kind, n)}}
	}
	v.Fixes = append(v.Fixes, all...)
}

// atLeast is the fix of a higher number of an option, where there are so many.
func (r *Request) atLeast(key string, n int64) []Fix {
	if o, ok := OptionOf(key); !ok || n > o.Most {
		return nil
	}
	return []Fix{set(key, strconv.FormatInt(n, 10))}
}

// keepLess is the fix of a smaller retention.bytes with which all partitions of a single topic store no more than most
// together, each counted once.
func (r *Request) keepLess(most int64) []Fix {
	if len(r.Topics) != 1 {
		return nil
	}
	t := &r.Topics[0]
	if _, del := r.policy(t); !del {
		return nil
	}
	if left := r.keeps(t, most/t.partitions()); left >= calc.MiB {
		return []Fix{set("retention.bytes", roundDown(left).Text())}
	}
	return nil
}

// keeps is the retention.bytes with which a replica of the topic has no more than room on its disk: less a segment, the
// indexes of the open one, and what comes until the next check; and a closed segment has indexes of 20 bytes, an offset's and
// a time's entry, for each index.interval.bytes.
func (r *Request) keeps(t *Topic, room int64) calc.Bytes {
	segment, _ := r.number(t, "segment.bytes")
	index, _ := r.number(t, "segment.index.bytes")
	extra := plus(segment, times(2, index))
	if t.Traffic == nil {
		return calc.Bytes(room - extra)
	}
	extra = plus(extra, times(int64(t.Traffic.Busiest), int64(6*calc.Minute/calc.Second)))
	interval, _ := r.number(t, "index.interval.bytes")
	return calc.Bytes(ratioDown(max(room-extra, 0), max(interval, 1), max(interval, 1)+20))
}

// largerThroughput is the fix of more throughput, of which a rule lets n in for what was bought.
func (r *Request) largerThroughput(now, n int64) []Fix {
	bought, known := r.option("throughput")
	if !known || r.service() != &ibmEventStreams || r.Plan().ID != "enterprise" {
		return nil
	}
	for _, p := range ibmPairs {
		more, _ := strconv.ParseInt(p.Value, 10, 64)
		if more > bought && ratioDown(n, more, bought) >= now {
			f := set("throughput", p.Value)
			f.Text = fmt.Sprintf("buy %s MB/s, which comes with %s of storage", p.Value, orList(p.Values))
			return []Fix{f}
		}
	}
	return nil
}

// orList is words with "or" before the last.
func orList(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

// missing says what to give so that a fact is known.
func (r *Request) missing(key string) string {
	switch {
	case strings.HasPrefix(key, "traffic"):
		return "give the traffic" + r.without() + ", as in produce=5MiB/s."
	case key == "disk.vcpu":
		var words []string
		for _, p := range [...]calc.Pair{{Key: "disk", Value: "1TiB"}, {Key: "vcpus", Value: "12"}} {
			if _, known := r.option(p.Key); !known {
				words = append(words, p.Key+"="+p.Value)
			}
		}
		return "give " + strings.Join(words, " and ") + "."
	}
	return "give the traffic" + r.without() + ", as in produce=5MiB/s, or retention.bytes."
}

// without names the topics without traffic, where there are several topics.
func (r *Request) without() string {
	const most = 3
	var names []string
	n := 0
	for i := range r.Topics {
		if t := &r.Topics[i]; t.Traffic == nil {
			if n++; n <= most && t.Name != "" {
				names = append(names, t.Name)
			}
		}
	}
	if len(r.Topics) < 2 || len(names) == 0 {
		return ""
	}
	text := " of " + strings.Join(names, ", ")
	if n > len(names) {
		text += fmt.Sprintf(" and %d more", n-len(names))
	}
	return text
}

// full is the verdict on topics that do not fit on the disk that was given, for a service that does nothing against that and
// has no rule about it: no disk holds more than it has.
func (r *Request) full() (v Verdict, full bool) {
	if !r.service().Fills {
		return v, false
	}
	disk, known := r.option("disk")
	l := Ladder{Whose: "broker"}
	b, how, ok := r.inUse(&l)
	if !known || !ok || int64(b) <= disk {
		return v, false
	}
	v = Verdict{Service: r.service().ID, Plan: r.Plan().ID, Effect: Blocked,
		Sentence: fmt.Sprintf("The fullest broker's disk takes %s of %s, %s %% (%s): it does not fit. When a disk is full, Kafka takes its log directory offline.",
			size(b), size(calc.Bytes(disk)), percent(int64(b), disk), how)}
	v.Fixes = append([]Fix{set("disk", roundUp(b).Text())}, r.moreBrokers(&l, func(b calc.Bytes) bool { return int64(b) <= disk })...)
	return v, true
}

// moreBrokers is the fix of more brokers with disks as they are, where so many are enough.
func (r *Request) moreBrokers(l *Ladder, enough func(calc.Bytes) bool) []Fix {
	if l.Whose == "instance" {
		return nil
	}
	o, _ := OptionOf("brokers")
	now, _ := r.option("brokers")
	c := *r
	c.options = append([]calc.Pair(nil), r.options...)
	holds := func(n int64) bool {
		_ = c.Set("brokers", strconv.FormatInt(n, 10))
		b, _, ok := c.inUse(l)
		return ok && enough(b)
	}
	if !holds(o.Most) {
		return nil
	}
	few, ok := largest(now, o.Most, func(n int64) bool { return !holds(n) })
	if !ok {
		return nil
	}
	return []Fix{set("brokers", strconv.FormatInt(few+1, 10))}
}

// mostDisk is the largest disk that the service's rules take.
func (r *Request) mostDisk() int64 {
	most := int64(noMost)
	for i := range r.service().Rules {
		if rule := &r.service().Rules[i]; rule.Bound != nil && rule.Bound.Key == "disk" && rule.holdsFor(r.Plan().ID) {
			most = min(most, rule.Bound.Most)
		}
	}
	return most
}

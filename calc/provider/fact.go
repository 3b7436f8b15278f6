package provider

import (
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Fact is something about an instance with its topics that a rule may limit, and that is no setting.
type Fact struct {
	Key, Label string
	Kind       calc.Kind // KindCount, KindSize or KindRate
	Instance   bool      // of the whole instance, not of a topic
}

// facts is the table.
var facts = []Fact{
	{"partitions.total", "the number of partitions, of all topics,", calc.KindCount, true},
	{"partitions.unit", "the number of partitions for each unit", calc.KindCount, true},
	{"partitions.broker", "the number of replicas on the fullest broker", calc.KindCount, true},
	{"traffic.total", "what comes to the instance in the busiest minute", calc.KindRate, true},
	{"traffic.total.mean", "what comes to the instance on the mean", calc.KindRate, true},
	{"traffic.partition", "what comes to a partition in the busiest minute", calc.KindRate, false},
	{"traffic.unit", "what comes for each unit in the busiest minute", calc.KindRate, true},
	{"stored.total", "what is stored, each partition counted once", calc.KindSize, true},
	{"stored.unit", "what is stored for each unit, each partition counted once", calc.KindSize, true},
	{"disk.vcpu", "the disk for each vCPU", calc.KindSize, true},
}

func factOf(key string) (*Fact, bool) {
	for i := range facts {
		if facts[i].Key == key {
			return &facts[i], true
		}
	}
	return nil, false
}

// amount is the value of a key for a rule.
type amount struct {
	n     int64
	text  string // the value as it was given, or written
	given bool
	known bool
	kind  calc.Kind
	word  bool // it is a text and n says nothing
}

// amountOf is the value of an option, a fact, or a topic's setting.
func (r *Request) amountOf(t *Topic, key string) amount {
	if o, ok := OptionOf(key); ok {
		n, known := r.option(key)
		text := r.text(key)
		if o.Kind == calc.KindWord {
			word := strings.ToLower(text)
			switch {
			case key == "plan":
				word = r.Plan().ID
			case word == "":
				word = o.Default
			}
			return amount{text: word, given: text != "", known: true, word: true}
		}
		if text == "" {
			text = show(o.Kind, n)
		}
		return amount{n: n, text: text, given: r.text(key) != "", known: known, kind: o.Kind}
	}
	if f, ok := factOf(key); ok {
		n, known := r.fact(t, key)
		return amount{n: n, text: show(f.Kind, n), given: true, known: known, kind: f.Kind}
	}
	row, _, ok := calc.SettingOf(key)
	if !ok {
		text, given := t.Config.Given(key)
		return amount{text: strings.ToLower(strings.TrimSpace(text)), given: given, known: given, word: true}
	}
	text, given := r.setting(t, key)
	switch row.Kind {
	case calc.KindFlag:
		n, _ := r.number(t, key)
		return amount{n: n, text: strings.ToLower(strings.TrimSpace(text)), given: given, known: true, word: true}
	case calc.KindWord, calc.KindWords, calc.KindText:
		return amount{text: strings.ToLower(strings.ReplaceAll(text, " ", "")), given: given, known: true, word: true}
	}
	n, known := r.number(t, key)
	return amount{n: n, text: show(row.Kind, n), given: given, known: known, kind: row.Kind}
}

// fact is the value of a fact.
func (r *Request) fact(t *Topic, key string) (n int64, known bool) {
	switch key {
	case "partitions.total", "partitions.unit":
		for i := range r.Topics {
			n = plus(n, r.Topics[i].partitions())
		}
		if key == "partitions.unit" {
			units, _ := r.option("units")
			n = ratio(n, 1, max(units, 1))
		}
		return n, true
	case "partitions.broker":
		for i := range r.Topics {
			n = plus(n, times(r.Topics[i].partitions(), r.replicas(&r.Topics[i])))
		}
		brokers, _ := r.option("brokers")
		return ratio(n, 1, max(brokers, 1)), true
	case "traffic.partition":
		if t == nil || t.Traffic == nil {
			return 0, false
		}
		return int64(t.Traffic.Busiest), true
	case "traffic.total", "traffic.total.mean", "traffic.unit":
		for i := range r.Topics {
			one := &r.Topics[i]
			if one.Traffic == nil {
				return 0, false
			}
			each := one.Traffic.Busiest
			if key == "traffic.total.mean" {
				each = one.Traffic.Mean
			}
			n = plus(n, times(int64(each), one.partitions()))
		}
		if key == "traffic.unit" {
			units, _ := r.option("units")
			n = ratio(n, 1, max(units, 1))
		}
		return n, len(r.Topics) > 0
	case "stored.total", "stored.unit":
		for i := range r.Topics {
			b, _, ok := r.occupied(&r.Topics[i])
			if !ok {
				return 0, false
			}
			n = plus(n, times(int64(b), r.Topics[i].partitions()))
		}
		if key == "stored.unit" {
			units, _ := r.option("units")
			n = ratio(n, 1, max(units, 1))
		}
		return n, true
	case "disk.vcpu":
		disk, ok := r.option("disk")
		brokers, _ := r.option("brokers")
		vcpus, also := r.option("vcpus")
		if !ok || !also {
			return 0, false
		}
		return times(disk, brokers) / max(vcpus, 1), true
	}
	return 0, false
}

// rate is bytes a second in decimal units, as the services write them.
func rate(r calc.ByteRate) string { return calc.Bytes(r).Decimal() + "/s" }

// quantity is a number with its unit, for a sentence.
func quantity(kind calc.Kind, n int64) string {
	switch kind {
	case calc.KindSize:
		return size(calc.Bytes(n))
	case calc.KindDuration:
		return calc.Millis(n).String()
	case calc.KindRate:
		return rate(calc.ByteRate(n))
	}
	return strconv.FormatInt(n, 10)
}

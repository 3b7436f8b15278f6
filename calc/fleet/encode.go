package fleet

import (
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/placement"
)

// AppendJSON appends the description as [Decode] reads it, an object a line. What kafka-log-dirs says about where replicas are
// and what they hold has no place in it.
func (d *Description) AppendJSON(b []byte) []byte {
	w := writer{b: b}
	w.open('{')
	w.text("format", Format)
	if d.Version != 0 {
		w.text("kafka.version", d.Version.String())
	}
	if d.Horizon != 0 {
		w.text("horizon", d.Horizon.Text())
	}
	w.number("seed", d.Seed)
	if !d.Internal {
		w.word("internal", "false")
	}
	w.pairs("settings", d.Settings)
	w.limit("ulimit", d.Limits.OpenFiles)
	w.limit("max_map_count", d.Limits.MemoryMaps)
	w.list("brokers", len(d.Brokers) > 0, func() {
		for from := 0; from < len(d.Brokers); {
			to := from + 1
			for to < len(d.Brokers) && like(&d.Brokers[from], &d.Brokers[to]) && d.Brokers[to].ID == d.Brokers[to-1].ID+1 {
				to++
			}
			w.brokers(&d.Brokers[from], to-from)
			from = to
		}
	})
	w.list("topics", len(d.Topics) > 0, func() {
		for i := range d.Topics {
			w.line()
			w.topic(&d.Topics[i])
		}
	})
	w.list("steps", len(d.Changes) > 0, func() {
		for i := range d.Changes {
			w.change(&d.Changes[i])
		}
	})
	w.close('}')
	return append(w.b, '\n')
}

// like reports whether brokers differ in their ids alone.
func like(a, b *placement.BrokerSpec) bool {
	return a.Rack == b.Rack && a.Racked == b.Racked && a.Fenced == b.Fenced && slices.Equal(a.Dirs, b.Dirs)
}

func (w *writer) brokers(s *placement.BrokerSpec, count int) {
	w.line()
	w.open('{')
	w.number("id", int64(s.ID))
	if count > 1 {
		w.number("count", int64(count))
	}
	if s.Racked {
		w.text("rack", s.Rack)
	}
	if s.Fenced {
		w.word("fenced", "true")
	}
	w.dirs(s.Dirs)
	w.close('}')
}

// dirs are directories with their sizes: one, when they are equal.
func (w *writer) dirs(dirs []placement.DirSpec) {
	w.list("log.dirs", true, func() {
		for _, d := range dirs {
			w.item(d.Path)
		}
	})
	differ := slices.ContainsFunc(dirs, func(d placement.DirSpec) bool { return d.Size != dirs[0].Size })
	w.list("size", differ, func() {
		for _, d := range dirs {
			w.item(d.Size.Text())
		}
	})
	if !differ && len(dirs) > 0 && dirs[0].Size > 0 {
		w.text("size", dirs[0].Size.Text())
	}
}

func (w *writer) topic(t *Topic) {
	w.open('{')
	w.text("name", t.Name)
	if t.Count > 1 {
		w.number("count", int64(t.Count))
	}
	if t.Assignment == nil {
		w.number("partitions", int64(t.Partitions))
		w.number("replication.factor", int64(t.Replication))
	}
	if !t.Produce.Zero() {
		w.text("produce", t.Produce.Text())
	}
	switch t.Skew.Kind {
	case Zipf:
		hundredths := t.Skew.Exponent
		w.text("skew", "zipf "+strconv.FormatInt(hundredths/100, 10)+"."+strconv.FormatInt(100+hundredths%100, 10)[1:])
	case Weights:
		w.list("weights", true, func() {
			for _, n := range t.Skew.Weights {
				w.digits(n)
			}
		})
	case Keyed:
		w.key("keys")
		w.open('{')
		for _, k := range t.Skew.Keys {
			w.number(k.Text, k.Weight)
		}
		w.close('}')
	}
	w.pairs("settings", t.Settings)
	w.list("assignment", t.Assignment != nil, func() {
		for _, ids := range t.Assignment {
			w.comma()
			w.ids(ids)
		}
	})
	w.close('}')
}

func (w *writer) ids(ids []int32) {
	w.open('[')
	for _, id := range ids {
		w.digits(int64(id))
	}
	w.close(']')
}

func (w *writer) change(c *Change) {
	w.line()
	w.open('{')
	w.text("at", c.At.Text())
	about := func(topic string) {
		if topic != "" {
			w.text("topic", topic)
		}
	}
	switch do := c.Do.(type) {
	case Traffic:
		w.text("traffic", strconv.FormatInt(do.Num, 10)+"/"+strconv.FormatInt(do.Den, 10))
		about(do.Topic)
	case Set:
		w.key("settings")
		w.object(do.Settings)
		about(do.Topic)
	case Create:
		w.key("create")
		w.topic(&do.Topic)
	case AddPartitions:
		w.number("add_partitions", int64(do.N))
		about(do.Topic)
	case placement.DeleteTopic:
		w.text("delete", do.Topic)
	case placement.LoseBroker:
		w.number("lose_broker", int64(do.Broker))
		if !do.Move {
			w.word("replace", "false")
		}
	case placement.FailDir:
		w.text("fail_dir", do.Path)
		w.number("broker", int64(do.Broker))
	case placement.AddBroker:
		w.number("add_broker", int64(do.Broker.ID))
		if do.Broker.Racked {
			w.text("rack", do.Broker.Rack)
		}
		w.dirs(do.Broker.Dirs)
	case placement.AddDir:
		w.text("add_dir", do.Dir.Path)
		w.number("broker", int64(do.Broker))
		if do.Dir.Size > 0 {
			w.text("size", do.Dir.Size.Text())
		}
	case placement.MoveLog:
		w.text("move", do.Partition.String())
		w.number("broker", int64(do.Broker))
		w.text("dir", do.Path)
	case placement.Reassign:
		w.text("reassign", do.Partition.String())
		w.key("to")
		w.ids(do.Replicas)
	}
	if c.Throttle > 0 {
		w.text("throttle", calc.RateOf(calc.Bytes(c.Throttle), calc.Second).Text())
	}
	w.close('}')
}

// writer writes JSON.
type writer struct {
	b     []byte
	fresh bool // nothing stands yet in what is open
}

func (w *writer) open(bracket byte) { w.b, w.fresh = append(w.b, bracket), true }

func (w *writer) close(bracket byte) { w.b, w.fresh = append(w.b, bracket), false }

func (w *writer) comma() {
	if !w.fresh {
		w.b = append(w.b, ',')
	}
	w.fresh = false
}

// line begins an object of a list in a line of its own.
func (w *writer) line() {
	w.comma()
	w.b = append(w.b, '\n')
}

func (w *writer) key(key string) {
	w.comma()
	w.b = append(quoted(w.b, key), ':')
}

func (w *writer) text(key, value string) {
	w.key(key)
	w.b = quoted(w.b, value)
}

func (w *writer) word(key, value string) {
	w.key(key)
	w.b = append(w.b, value...)
}

func (w *writer) number(key string, n int64) { w.word(key, strconv.FormatInt(n, 10)) }

// limit is a number that may be not known.
func (w *writer) limit(key string, n int64) {
	if n > 0 {
		w.number(key, n)
	}
}

func (w *writer) digits(n int64) {
	w.comma()
	w.b = strconv.AppendInt(w.b, n, 10)
}

func (w *writer) item(text string) {
	w.comma()
	w.b = quoted(w.b, text)
}

// list is a list, if there is one.
func (w *writer) list(key string, there bool, items func()) {
	if there {
		w.key(key)
		w.open('[')
		items()
		w.close(']')
	}
}

func (w *writer) pairs(key string, pairs []calc.Pair) {
	if len(pairs) > 0 {
		w.key(key)
		w.object(pairs)
	}
}

func (w *writer) object(pairs []calc.Pair) {
	w.open('{')
	for _, p := range pairs {
		w.text(p.Key, p.Value)
	}
	w.close('}')
}

// quoted appends a text as JSON has it.
func quoted(b []byte, text string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range strings.ToValidUTF8(text, "\ufffd") {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < ' ':
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}

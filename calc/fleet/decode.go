package fleet

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/strictjson"
	"github.com/partsize/partsize/calc/placement"
)

// Format is the first field of a description.
const Format = "partsize-cluster/1"

// MaxSize is the most bytes of a description.
const MaxSize = 64 << 20

// maxListed is the most brokers, topics, keys and so on of one list.
const maxListed = 1_000_000

// IsDescription reports whether a file is a description, by its first bytes.
func IsDescription(data []byte) bool {
	return strings.Contains(string(data[:min(len(data), 4096)]), `"`+Format+`"`)
}

// Decode reads a description; docs/cluster-json.md says what is in it. The error is a [*strictjson.Error] with line and key.
func Decode(data []byte) (*Description, error) {
	if len(data) > MaxSize {
		return nil, &strictjson.Error{Problem: "more than 64 MiB"}
	}
	if !utf8.Valid(data) {
		return nil, &strictjson.Error{Problem: "not UTF-8 text"}
	}
	d := decoder{Reader: strictjson.NewReader(data), out: &Description{Internal: true, Seed: 1}}
	format := false
	d.Object(func(key string) bool {
		if key == "format" {
			format = true
			if text := d.Text(); text != Format {
				d.Fail("expected %q", Format)
			}
			return true
		}
		return d.field(key)
	})
	d.End()
	d.Path = d.Path[:0]
	if !format {
		d.Fail("%q is missing", "format")
	}
	if d.Err != nil {
		return nil, d.Err
	}
	return d.out, nil
}

type decoder struct {
	strictjson.Reader
	out  *Description
	dirs int64 // of all brokers
}

func (d *decoder) field(key string) bool {
	out := d.out
	switch key {
	case "kafka.version":
		out.Version = quantity(d, calc.ParseVersion)
	case "horizon":
		if out.Horizon = quantity(d, calc.ParseMillis); out.Horizon == 0 {
			d.Fail("nothing is simulated in no time")
		}
	case "seed":
		out.Seed = d.Number(math.MinInt64, math.MaxInt64)
	case "internal":
		out.Internal = d.flag()
	case "settings":
		out.Settings = d.settings()
	case "ulimit":
		out.Limits.OpenFiles = d.Number(1, math.MaxInt64)
	case "max_map_count":
		out.Limits.MemoryMaps = d.Number(1, math.MaxInt64)
	case "brokers":
		d.Array(maxListed, func(int) { d.brokers() })
	case "topics":
		d.Array(maxListed, func(int) { d.topic() })
	case "steps":
		d.Array(MaxChanges, func(int) { d.step() })
	default:
		return false
	}
	return true
}

// quantity reads a text by the rules of the settings.
func quantity[T any](d *decoder, parse func(string) (T, error)) (v T) {
	text := d.textOrNumber()
	if d.Err != nil {
		return v
	}
	v, err := parse(text)
	if err != nil {
		d.Fail("%v", err)
	}
	return v
}

func (d *decoder) textOrNumber() string {
	switch c := d.Peek(); {
	case c == '-' || '0' <= c && c <= '9':
		return d.Digits()
	case d.Word("true"):
		return "true"
	case d.Word("false"):
		return "false"
	}
	return d.Text()
}

func (d *decoder) flag() bool {
	switch {
	case d.Word("true"):
		return true
	case !d.Word("false"):
		d.Fail("expected true or false")
	}
	return false
}

// settings reads an object of Kafka's own keys.
func (d *decoder) settings() (pairs []calc.Pair) {
	d.Object(func(key string) bool {
		value := d.textOrNumber()
		d.checkSetting(key, value)
		pairs = append(pairs, calc.Pair{Key: key, Value: value})
		return true
	})
	return pairs
}

// ownKeys are settings that a fleet decides itself.
var ownKeys = map[string]string{
	"kafka.version": "give kafka.version beside brokers and topics", "horizon": "give horizon beside brokers and topics",
	"partitions": "give partitions of the topic", "replication.factor": "give replication.factor of the topic",
	"produce": "give produce of the topic", "produce.series": "give produce of the topic, and steps with traffic",
	"steps": "give steps beside brokers and topics", "role": "leaders and followers are both counted",
	"backlog": "the bytes at the start come from kafka-log-dirs", "backlog.rate": "the bytes at the start come from kafka-log-dirs",
	"backlog.age": "the bytes at the start come from kafka-log-dirs",
}

// checkSetting refuses what has no place among settings.
func (d *decoder) checkSetting(key, value string) {
	if hint, own := ownKeys[key]; own {
		d.Fail("has no place here; %s", hint)
		return
	}
	var in calc.Input
	if err := in.Set(key, value); err != nil {
		d.Fail("%v", err)
	}
}

// brokers reads a broker, or several of the same kind.
func (d *decoder) brokers() {
	b := placement.BrokerSpec{}
	count, racks := int64(1), []string(nil)
	var dirs []string
	var size calc.Bytes
	given := map[string]bool{}
	d.Object(func(key string) bool {
		given[key] = true
		switch key {
		case "id":
			b.ID = int32(d.Number(0, math.MaxInt32))
		case "count":
			count = d.Number(1, 100_000)
		case "rack":
			b.Rack, b.Racked = d.Text(), true
		case "racks":
			d.Array(maxListed, func(int) { racks = append(racks, d.Text()) })
		case "fenced":
			b.Fenced = d.flag()
		case "log.dirs":
			dirs = d.logDirs()
		case "size":
			size = quantity(d, calc.ParseBytes)
		default:
			return false
		}
		return true
	})
	if !given["log.dirs"] && d.Err == nil {
		d.Fail("%q is missing: a broker without a directory", "log.dirs")
	}
	if !given["id"] {
		b.ID = 1
		for _, other := range d.out.Brokers {
			b.ID = max(b.ID, other.ID+1)
		}
	}
	if count-1 > math.MaxInt32-int64(b.ID) {
		d.Fail("%d brokers from id %d on: ids go up to %d", count, b.ID, math.MaxInt32)
		return
	}
	if d.dirs += int64(len(dirs)) * count; d.dirs > MaxDirs {
		d.Fail("%d directories in all, and at most %d are taken", d.dirs, MaxDirs)
		return
	}
	for i := range count {
		next := b
		next.ID += int32(i)
		if len(racks) > 0 {
			next.Rack, next.Racked = racks[int(i)%len(racks)], true
		}
		next.Dirs = make([]placement.DirSpec, 0, len(dirs))
		for _, path := range dirs {
			next.Dirs = append(next.Dirs, placement.DirSpec{Path: path, Size: size})
		}
		d.out.Brokers = append(d.out.Brokers, next)
	}
}

// logDirs reads directories as server.properties has them, or a list of paths.
func (d *decoder) logDirs() []string {
	text := ""
	if d.Peek() == '[' {
		var list []string
		d.Array(MaxDirs, func(int) { list = append(list, d.Text()) })
		text = strings.Join(list, ",")
	} else {
		text = d.Text()
	}
	if d.Err != nil {
		return nil
	}
	version := d.out.Version
	if version == 0 {
		version = calc.V4_3
	}
	dirs, err := placement.ParseLogDirs(version, &text, nil, "")
	if err != nil {
		d.Fail("%v", err)
	}
	return dirs.Paths
}

// topic reads a topic, or several of the same kind.
func (d *decoder) topic() {
	t := Topic{Count: 1, Partitions: 1, Replication: 1}
	d.Object(func(key string) bool {
		switch key {
		case "name":
			if t.Name = d.Text(); t.Name == "" {
				d.Fail("is empty")
			}
		case "count":
			t.Count = int(d.Number(1, maxListed))
		case "partitions":
			t.Partitions = int(d.Number(1, maxPartitions))
		case "replication.factor":
			t.Replication = int(d.Number(1, math.MaxInt16))
		case "produce":
			t.Produce = quantity(d, calc.ParseRate)
		case "skew":
			t.Skew.Kind, t.Skew.Exponent = d.skew()
		case "weights":
			t.Skew.Kind = Weights
			d.Array(maxPartitions, func(int) { t.Skew.Weights = append(t.Skew.Weights, d.Number(0, maxWeight)) })
		case "keys":
			t.Skew.Kind = Keyed
			d.Object(func(key string) bool {
				t.Skew.Keys = append(t.Skew.Keys, Key{key, d.Number(0, maxWeight)})
				return true
			})
		case "settings":
			t.Settings = d.settings()
		case "assignment":
			t.Assignment = [][]int32{}
			d.Array(maxPartitions, func(int) { t.Assignment = append(t.Assignment, d.replicas()) })
		default:
			return false
		}
		return true
	})
	if t.Name == "" {
		d.Fail("%q is missing", "name")
	}
	if t.Assignment != nil {
		t.Partitions = len(t.Assignment)
	}
	t.Place = "topics[" + strconv.Itoa(len(d.out.Topics)) + "]"
	d.out.Topics = append(d.out.Topics, t)
}

func (d *decoder) replicas() (ids []int32) {
	d.Array(maxListed, func(int) { ids = append(ids, int32(d.Number(0, math.MaxInt32))) })
	return ids
}

// skew reads "even", "zipf" or "zipf 1.2".
func (d *decoder) skew() (kind SkewKind, exponent int64) {
	text := d.Text()
	word, rest, _ := strings.Cut(strings.ReplaceAll(text, ":", " "), " ")
	switch {
	case word == "even" && rest == "":
		return Even, 0
	case word == "zipf" && rest == "":
		return Zipf, 100
	case word == "zipf":
		whole, frac, _ := strings.Cut(strings.TrimSpace(rest), ".")
		if n, err := strconv.ParseUint(whole+(frac + "00")[:2], 10, 16); err == nil && len(frac) <= 2 && n <= maxExponent {
			return Zipf, int64(n)
		}
	}
	d.Fail(`%q is no skew; write even, zipf, zipf 1.2 (0 to 10, two digits), or give weights or keys`, strictjson.Shorten(text))
	return Even, 0
}

// step reads a change: its time, its kind, and what the kind has.
func (d *decoder) step() {
	c := Change{Place: "steps[" + strconv.Itoa(len(d.out.Changes)) + "]", At: -1}
	kind, topic, dir, ids := "", "", "", []int32(nil)
	broker, number := int64(-1), int64(1)
	var size calc.Bytes
	var settings []calc.Pair
	factor := Traffic{Num: 1, Den: 1}
	move := true
	given := map[string]bool{}
	kinds := []string{"traffic", "settings", "lose_broker", "fail_dir", "add_broker", "add_dir", "add_partitions", "delete", "move", "reassign"}
	setKind := func(k string) {
		if kind != "" {
			d.Fail("a step is one of %s, not two", strings.Join(kinds, ", "))
		}
		kind = k
	}
	d.Object(func(key string) bool {
		given[key] = true
		switch key {
		case "at":
			c.At = quantity(d, calc.ParseMillis)
		case "topic":
			topic = d.Text()
		case "broker":
			broker = d.Number(0, math.MaxInt32)
		case "dir":
			dir = d.Text()
		case "size":
			size = quantity(d, calc.ParseBytes)
		case "to":
			ids = d.replicas()
		case "throttle":
			c.Throttle = calc.ByteRate(quantity(d, calc.ParseRate).PerSecond())
		case "replace":
			move = d.flag()
		case "traffic":
			setKind(key)
			factor.Num, factor.Den = d.factor()
		case "settings":
			setKind(key)
			settings = d.settings()
		case "lose_broker", "add_broker":
			setKind(key)
			broker = d.Number(0, math.MaxInt32)
		case "fail_dir", "add_dir":
			setKind(key)
			dir = d.Text()
		case "add_partitions":
			setKind(key)
			number = d.Number(1, maxPartitions)
		case "delete":
			setKind(key)
			topic = d.Text()
		case "move", "reassign":
			setKind(key)
			topic = d.Text()
		default:
			return false
		}
		return true
	})
	need := func(keys ...string) {
		for _, key := range keys {
			if !given[key] {
				d.Fail("%q is missing", key)
			}
		}
	}
	need("at")
	partition := func() placement.Partition {
		p, ok := placement.ParsePartition(topic)
		if !ok {
			d.Fail("%s: %q is no partition such as orders-0", kind, strictjson.Shorten(topic))
		}
		return p
	}
	id := int32(broker)
	switch kind {
	case "traffic":
		factor.Topic = topic
		c.Do = factor
	case "settings":
		c.Do = Set{topic, settings}
	case "lose_broker":
		c.Do = placement.LoseBroker{Broker: id, Move: move}
	case "fail_dir":
		need("broker")
		c.Do = placement.FailDir{Broker: id, Path: dir}
	case "add_broker":
		need("dir")
		c.Do = placement.AddBroker{Broker: placement.BrokerSpec{ID: id, Dirs: []placement.DirSpec{{Path: dir, Size: size}}}}
	case "add_dir":
		need("broker")
		c.Do = placement.AddDir{Broker: id, Dir: placement.DirSpec{Path: dir, Size: size}}
	case "add_partitions":
		need("topic")
		c.Do = addPartitions{topic, int(number)}
	case "delete":
		c.Do = placement.DeleteTopic{Topic: topic}
	case "move":
		need("broker", "dir")
		c.Do = placement.MoveLog{Partition: partition(), Broker: id, Path: dir}
	case "reassign":
		need("to")
		c.Do = placement.Reassign{Partition: partition(), Replicas: ids}
	default:
		d.Fail("a step is one of %s", strings.Join(kinds, ", "))
	}
	d.out.Changes = append(d.out.Changes, c)
}

// addPartitions adds partitions to a topic, each with the traffic that an even share of the topic's was at the start.
type addPartitions struct {
	topic string
	n     int
}

// factor reads 2, "0.5" or "3/2".
func (d *decoder) factor() (num, den int64) {
	text := d.textOrNumber()
	fail := func() (int64, int64) {
		d.Fail("%q is no factor; write 2, \"0.5\" or \"3/2\"", strictjson.Shorten(text))
		return 1, 1
	}
	if a, b, ok := strings.Cut(text, "/"); ok {
		n, err := strconv.ParseInt(a, 10, 32)
		m, err2 := strconv.ParseInt(b, 10, 32)
		if err != nil || err2 != nil || n < 0 || m < 1 {
			return fail()
		}
		return n, m
	}
	whole, frac, _ := strings.Cut(text, ".")
	n, err := strconv.ParseInt(whole+frac, 10, 32)
	if err != nil || n < 0 || len(frac) > 6 || whole == "" {
		return fail()
	}
	den = 1
	for range frac {
		den *= 10
	}
	return n, den
}

// each gives the topics one by one, the numbered ones too.
func (d *Description) each(yield func(*Topic) bool) {
	for i := range d.Topics {
		t := &d.Topics[i]
		if t.Count <= 1 {
			if !yield(t) {
				return
			}
			continue
		}
		for k := range t.Count {
			one := *t
			one.Name, one.Count = fmt.Sprintf("%s-%d", t.Name, k+1), 1
			if !yield(&one) {
				return
			}
		}
	}
}

// OwnKey reports whether a setting is one that a fleet decides itself, so that it has no place among those of topics.
func OwnKey(key string) bool {
	_, own := ownKeys[key]
	return own
}

package fleet

import (
	"bytes"
	"fmt"
	"math"
	"slices"
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

// IsDescription reports whether a file is a description, or is meant to be one, by its first bytes: JSON that is not what
// kafka-log-dirs prints, and not a recording.
func IsDescription(data []byte) bool {
	data = bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\ufeff")), " \t\r\n")
	head := string(data[:min(len(data), 4096)])
	if strings.Contains(head, `"`+Format+`"`) {
		return true
	}
	return strings.HasPrefix(head, "{") && !strings.Contains(head, `"logDirs"`) && !strings.Contains(head, `"logDir"`) && !strings.Contains(head, `-trace/`)
}

// Decode reads a description; docs/cluster-json.md says what is in it. The error joins a [*Problem] for everything that is
// wrong, each with line and key.
func Decode(data []byte) (*Description, error) {
	d, _, problems := decodeAll("", data)
	if err := problems.err(); err != nil {
		return nil, err
	}
	return d, nil
}

// decodeAll reads a description. When there are problems it has what is right; whole is false when reading ended before the
// end, so that what comes behind is not known.
func decodeAll(name string, data []byte) (out *Description, whole bool, problems Problems) {
	note := func(e *strictjson.Error) {
		problems.put(&Problem{Place: Place{File: name, Path: e.Place, Line: e.Line}, Text: e.Problem})
	}
	switch {
	case len(data) > MaxSize:
		note(&strictjson.Error{Problem: "more than 64 MiB"})
		return nil, false, problems
	case !utf8.Valid(data):
		note(&strictjson.Error{Problem: "not UTF-8 text", Line: 1 + bytes.Count(data[:validUTF8(data)], []byte("\n"))})
		return nil, false, problems
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	d := decoder{Reader: strictjson.NewReader(data), file: name, out: &Description{Internal: true, Seed: 1}, ids: map[int32]int{}}
	d.Most = maxProblems
	format := false
	d.Object(func(key string) bool {
		if key == "format" {
			format = true
			if before := len(d.Noted); d.Text() != Format && before == len(d.Noted) {
				d.Note("expected %q", Format)
			}
			return true
		}
		return d.field(key)
	})
	d.End()
	if !format && d.Err == nil {
		d.NoteAt("", 1, `"format" is missing; a description begins with {"format": %q`, Format)
	}
	for _, e := range d.Noted {
		note(e)
	}
	if d.Err != nil {
		note(d.Err)
		return nil, false, problems
	}
	return d.out, true, problems
}

// validUTF8 is how much of a text is UTF-8.
func validUTF8(data []byte) (n int) {
	for n < len(data) {
		r, size := utf8.DecodeRune(data[n:])
		if r == utf8.RuneError && size <= 1 {
			break
		}
		n += size
	}
	return n
}

type decoder struct {
	strictjson.Reader
	file string
	out  *Description
	dirs int64         // of all brokers
	ids  map[int32]int // of brokers that are read, and in which line
	at   *Place        // the object whose keys are noted
}

// object reads an object, and notes where it and its keys are; is is false for anything else.
func (d *decoder) object(field func(key string) bool) (p Place, is bool) {
	is = d.Peek() == '{'
	p = d.here()
	outer := d.at
	d.at = &p
	d.Object(func(key string) bool {
		d.noteLine(key)
		return field(key)
	})
	d.at = outer
	return p, is && d.Err == nil
}

func (d *decoder) here() Place { return Place{File: d.file, Path: string(d.Path), Line: d.Line()} }

// noteLine notes the line of a key where it is not that of its object.
func (d *decoder) noteLine(key string) {
	if line := d.Line(); line != d.at.Line {
		d.at.keys = append(d.at.keys, keyLine{key, line})
	}
}

// wrong notes a problem with what was read before.
func (d *decoder) wrong(at Place, format string, args ...any) {
	d.NoteAt(at.Path, at.Line, format, args...)
}

func (d *decoder) field(key string) bool {
	out := d.out
	switch key {
	case "kafka.version":
		out.Version = quantity(d, calc.ParseVersion)
	case "horizon":
		before := len(d.Noted)
		if out.Horizon = quantity(d, calc.ParseMillis); out.Horizon == 0 && before == len(d.Noted) {
			d.Note("nothing is simulated in no time")
		} else if before == len(d.Noted) {
			var in calc.Input
			if err := in.Set("horizon", out.Horizon.Text()); err != nil {
				d.Note("%v", err)
				out.Horizon = 0 // told once
			}
		}
	case "seed":
		out.Seed = d.Number(math.MinInt64, math.MaxInt64)
	case "internal":
		out.Internal = d.flag()
	case "settings":
		out.settings = d.here()
		d.at = &out.settings
		out.Settings = d.settings("")
	case "ulimit":
		out.Limits.OpenFiles = d.Number(1, math.MaxInt64)
	case "max_map_count":
		out.Limits.MemoryMaps = d.Number(1, math.MaxInt64)
	case "brokers":
		d.Array(maxListed, func(int) { d.brokers() })
	case "topics":
		d.Array(maxListed, func(int) { out.Topics = append(out.Topics, d.topic()) })
	case "steps":
		d.Array(MaxChanges, func(int) { d.step() })
	default:
		return false
	}
	return true
}

// quantity reads a text by the rules of the settings.
func quantity[T any](d *decoder, parse func(string) (T, error)) (v T) {
	before := len(d.Noted)
	text := d.textOrNumber()
	if d.Err != nil || len(d.Noted) > before {
		return v
	}
	v, err := parse(text)
	if err != nil {
		d.Note("%v", err)
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
	switch text := d.textOrNumber(); text {
	case "true":
		return true
	case "false", "":
	default:
		d.Note("expected true or false")
	}
	return false
}

// settings reads an object of Kafka's own keys, which lies under such a key of its own object.
func (d *decoder) settings(under string) (pairs []calc.Pair) {
	d.Object(func(key string) bool {
		d.noteLine(under + key)
		before := len(d.Noted)
		if value := d.textOrNumber(); before == len(d.Noted) {
			d.checkSetting(key, value)
			pairs = append(pairs, calc.Pair{Key: key, Value: value})
		}
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
		d.Note("has no place here; %s", hint)
		return
	}
	var in calc.Input
	if err := in.Set(key, value); err != nil {
		d.Note("%v", err)
	}
}

// brokers reads a broker, or several of the same kind.
func (d *decoder) brokers() {
	b := placement.BrokerSpec{}
	count, racks := int64(1), []string(nil)
	var dirs []string
	var sizes []calc.Bytes
	given := map[string]bool{}
	before := len(d.Noted)
	place, is := d.object(func(key string) bool {
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
			sizes = d.sizes()
		default:
			return false
		}
		return true
	})
	d.checkSizes(place, dirs, sizes)
	if is && !given["log.dirs"] {
		d.wrong(place, "%q is missing: a broker without a directory", "log.dirs")
	}
	if d.out.partial = d.out.partial || len(d.Noted) > before; d.out.partial {
		return // who goes where cannot be said
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
		if line, again := d.ids[next.ID]; again {
			d.wrong(place.Key("id"), "broker %d is given twice; it was in line %d", next.ID, line)
			d.out.partial = true
			return
		}
		d.ids[next.ID] = place.Line
		if len(racks) > 0 {
			next.Rack, next.Racked = racks[int(i)%len(racks)], true
		}
		next.Dirs = specsOf(dirs, sizes)
		d.out.Brokers = append(d.out.Brokers, next)
	}
	d.out.brokerPlaces = append(d.out.brokerPlaces, brokerPlace{b.ID, int32(count), place})
}

// sizes reads the size of every directory, or a list with one for each.
func (d *decoder) sizes() (all []calc.Bytes) {
	if d.Peek() != '[' {
		before := len(d.Noted)
		size := quantity(d, calc.ParseBytes)
		if size == 0 && before == len(d.Noted) && d.Err == nil {
			d.Note("no disk holds nothing; leave it out where it is not known")
		}
		return []calc.Bytes{size}
	}
	d.Array(MaxDirs, func(int) { all = append(all, quantity(d, calc.ParseBytes)) })
	return all
}

func (d *decoder) checkSizes(at Place, dirs []string, sizes []calc.Bytes) {
	if len(sizes) > 1 && dirs != nil && len(sizes) != len(dirs) {
		d.wrong(at.Key("size"), "%d sizes for %d directories; give one, or one for each", len(sizes), len(dirs))
	}
}

// specsOf is directories with their sizes.
func specsOf(dirs []string, sizes []calc.Bytes) []placement.DirSpec {
	specs := make([]placement.DirSpec, len(dirs))
	for i, path := range dirs {
		specs[i].Path = path
		switch {
		case len(sizes) == 1:
			specs[i].Size = sizes[0]
		case i < len(sizes):
			specs[i].Size = sizes[i]
		}
	}
	return specs
}

// logDirs reads directories as server.properties has them, or a list of paths.
func (d *decoder) logDirs() []string {
	text, before := "", len(d.Noted)
	if d.Peek() == '[' {
		var list []string
		d.Array(MaxDirs, func(int) { list = append(list, d.Text()) })
		text = strings.Join(list, ",")
	} else {
		text = d.Text()
	}
	if d.Err != nil || len(d.Noted) > before {
		return nil
	}
	version := d.out.Version
	if version == 0 {
		version = calc.V4_3
	}
	dirs, err := placement.ParseLogDirs(version, &text, nil, "")
	if err != nil {
		d.Note("%v", err)
	}
	return dirs.Paths
}

// topic reads a topic, or several of the same kind.
func (d *decoder) topic() Topic {
	t := Topic{Count: 1, Partitions: 1, Replication: 1}
	before, named, is := len(d.Noted), false, false
	partitions, skewed := 0, ""
	t.Place, is = d.object(func(key string) bool {
		switch key {
		case "skew", "weights", "keys":
			if skewed != "" {
				d.Note("%s says already how traffic is spread; give one of skew, weights and keys", skewed)
			}
			skewed = key
		}
		switch key {
		case "name":
			named = true
			noted := len(d.Noted)
			if t.Name = d.Text(); t.Name == "" && noted == len(d.Noted) {
				d.Note("is empty")
			}
		case "count":
			t.Count = int(d.Number(1, maxListed))
		case "partitions":
			partitions = int(d.Number(1, maxPartitions))
			t.Partitions = max(partitions, 1)
		case "replication.factor":
			t.Replication = int(d.Number(1, math.MaxInt16))
		case "produce":
			t.Produce = quantity(d, calc.ParseRate)
		case "skew":
			t.Skew = d.skew()
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
			t.Settings = d.settings("settings.")
		case "assignment":
			t.Assignment = [][]int32{}
			d.Array(maxPartitions, func(int) {
				noted, ids := len(d.Noted), d.replicas()
				if len(ids) == 0 && noted == len(d.Noted) {
					d.Note("a partition without a broker")
				}
				t.Assignment = append(t.Assignment, ids)
			})
		default:
			return false
		}
		return true
	})
	if is && !named {
		d.wrong(t.Place, "%q is missing", "name")
	}
	if t.Assignment != nil {
		if t.Partitions = len(t.Assignment); partitions > 0 && partitions != t.Partitions {
			d.wrong(t.Place.Key("assignment"), "it has %s, and partitions is %d", counted(t.Partitions, "partition", "partitions"), partitions)
		}
	}
	t.partial = len(d.Noted) > before
	return t
}

func (d *decoder) replicas() (ids []int32) {
	d.Array(maxListed, func(int) { ids = append(ids, int32(d.Number(0, math.MaxInt32))) })
	return ids
}

// skew reads how traffic spreads, as a text.
func (d *decoder) skew() Skew {
	before := len(d.Noted)
	text := d.Text()
	if len(d.Noted) > before || d.Err != nil {
		return Skew{}
	}
	skew, err := ParseSkew(text)
	if err != nil {
		d.Note("%v", err)
	}
	return skew
}

// stepKinds are the keys that say what happens.
const stepKinds = "traffic, settings, create, add_partitions, delete, lose_broker, fail_dir, add_broker, add_dir, move, reassign"

// stepFields is a step as it stands there.
type stepFields struct {
	kind, topic, dir, rack string
	ids                    []int32
	broker, number         int64
	sizes                  []calc.Bytes
	settings               []calc.Pair
	factor                 Traffic
	stay, racked           bool
	dirs                   []string
	created                Topic
}

// step reads a change: its time, its kind, and what the kind has.
func (d *decoder) step() {
	f := stepFields{broker: -1, number: 1, factor: Traffic{Num: 1, Den: 1}}
	c := Change{At: -1}
	before := len(d.Noted)
	given := map[string]bool{}
	var keys []string
	is := false
	if c.Place, is = d.object(func(key string) bool {
		given[key] = true
		keys = append(keys, key)
		return d.stepField(&c, &f, key)
	}); !is {
		return
	}
	for _, key := range append([]string{"at"}, stepNeeds(f.kind)...) {
		if !given[key] && !(key == "dir" && given["log.dirs"]) {
			d.wrong(c.Place, "%q is missing", key)
		}
	}
	if len(d.Noted) == before && f.kind != "" {
		d.checkPlace(c.Place, f.kind, keys)
	}
	d.checkSizes(c.Place, f.allDirs(), f.sizes)
	if (f.kind == "add_dir" || f.kind == "fail_dir" || f.kind == "move") && f.dir == "" && len(d.Noted) == before {
		d.wrong(c.Place, "the path of the directory is empty")
	}
	if f.kind == "" {
		d.wrong(c.Place, "a step is one of %s", stepKinds)
	}
	if f.kind == "move" || f.kind == "reassign" {
		if _, ok := placement.ParsePartition(f.topic); !ok && len(d.Noted) == before {
			d.wrong(c.Place.Key(f.kind), "%s: %q is no partition such as orders-0", f.kind, strictjson.Shorten(f.topic))
		}
	}
	if len(d.Noted) > before || d.Err != nil {
		return
	}
	c.Do = f.change()
	if k := stepNamer(f.kind); k != "" {
		c.Place = c.Place.Key(k)
	}
	d.out.Changes = append(d.out.Changes, c)
}

// stepNeeds is what a kind of step has to have beside its own key.
func stepNeeds(kind string) []string {
	switch kind {
	case "fail_dir", "add_dir":
		return []string{"broker"}
	case "add_broker":
		return []string{"dir"}
	case "add_partitions":
		return []string{"topic"}
	case "move":
		return []string{"broker", "dir"}
	case "reassign":
		return []string{"to"}
	}
	return nil
}

// stepTakes is what a kind of step may have beside its own key and its time.
func stepTakes(kind string) []string {
	switch kind {
	case "traffic", "settings", "add_partitions":
		return []string{"topic"}
	case "lose_broker":
		return []string{"throttle", "replace"}
	case "fail_dir":
		return []string{"broker"}
	case "add_broker":
		return []string{"dir", "log.dirs", "size", "rack"}
	case "add_dir":
		return []string{"broker", "size"}
	case "move":
		return []string{"broker", "dir", "throttle"}
	case "reassign":
		return []string{"to", "throttle"}
	}
	return nil
}

// checkPlace refuses keys that a kind of step would pass over.
func (d *decoder) checkPlace(at Place, kind string, keys []string) {
	takes := append([]string{"at", kind}, stepTakes(kind)...)
	for _, key := range keys {
		if !slices.Contains(takes, key) {
			d.wrong(at.Key(key), "has no place beside %s, which takes %s", kind, strings.Join(takes, ", "))
		}
	}
}

// stepNamer is the key of a step whose value most often is what is wrong with it; "" for none.
func stepNamer(kind string) string {
	switch kind {
	case "add_partitions":
		return "topic"
	case "reassign":
		return "to"
	case "traffic", "settings":
		return ""
	}
	return kind
}

// stepField reads a field of a step.
func (d *decoder) stepField(c *Change, f *stepFields, key string) bool {
	if strings.Contains(", "+stepKinds+",", ", "+key+",") {
		if f.kind != "" {
			d.Note("a step is one of %s, not two", stepKinds)
		}
		f.kind = key
	}
	switch key {
	case "at":
		c.At = quantity(d, calc.ParseMillis)
	case "topic", "delete", "move", "reassign":
		f.topic = d.Text()
	case "broker", "lose_broker", "add_broker":
		f.broker = d.Number(0, math.MaxInt32)
	case "dir", "fail_dir", "add_dir":
		f.dir = d.Text()
	case "log.dirs":
		f.dirs = d.logDirs()
	case "rack":
		f.rack, f.racked = d.Text(), true
	case "size":
		f.sizes = d.sizes()
	case "to":
		f.ids = d.replicas()
	case "throttle":
		before := len(d.Noted)
		c.Throttle = calc.ByteRate(quantity(d, calc.ParseRate).PerSecond())
		if c.Throttle == 0 && before == len(d.Noted) && d.Err == nil {
			d.Note("nothing is ever copied at no rate; leave it out for copies that are there at once")
		}
	case "replace":
		f.stay = !d.flag()
	case "traffic":
		f.factor.Num, f.factor.Den = d.factor()
	case "settings":
		f.settings = d.settings("settings.")
	case "add_partitions":
		f.number = d.Number(1, maxPartitions)
	case "create":
		f.created = d.topic()
	default:
		return false
	}
	return true
}

// allDirs is the directories of a step.
func (f *stepFields) allDirs() []string {
	if f.dir != "" {
		return append([]string{f.dir}, f.dirs...)
	}
	return f.dirs
}

// change is what the fields say, which are all there.
func (f *stepFields) change() any {
	id := int32(f.broker)
	partition, _ := placement.ParsePartition(f.topic)
	switch f.kind {
	case "traffic":
		f.factor.Topic = f.topic
		return f.factor
	case "settings":
		return Set{f.topic, f.settings}
	case "create":
		return Create{f.created}
	case "lose_broker":
		return placement.LoseBroker{Broker: id, Move: !f.stay}
	case "fail_dir":
		return placement.FailDir{Broker: id, Path: f.dir}
	case "add_broker":
		return placement.AddBroker{Broker: placement.BrokerSpec{ID: id, Rack: f.rack, Racked: f.racked, Dirs: specsOf(f.allDirs(), f.sizes)}}
	case "add_dir":
		return placement.AddDir{Broker: id, Dir: specsOf(f.allDirs(), f.sizes)[0]}
	case "add_partitions":
		return AddPartitions{f.topic, int(f.number)}
	case "delete":
		return placement.DeleteTopic{Topic: f.topic}
	case "move":
		return placement.MoveLog{Partition: partition, Broker: id, Path: f.dir}
	default:
		return placement.Reassign{Partition: partition, Replicas: f.ids}
	}
}

// factor reads 2, "0.5" or "3/2".
func (d *decoder) factor() (num, den int64) {
	before := len(d.Noted)
	text := d.textOrNumber()
	if len(d.Noted) > before || d.Err != nil {
		return 1, 1
	}
	num, den, err := ParseFactor(text)
	if err != nil {
		d.Note("%v", err)
	}
	return num, den
}

// ParseFactor reads 2, 0.5 or 3/2. The error is a clause.
func ParseFactor(text string) (num, den int64, err error) {
	err = fmt.Errorf(`%q is no factor; write 2, "0.5" or "3/2"`, strictjson.Shorten(text))
	if a, b, ok := strings.Cut(text, "/"); ok {
		n, wrong := strconv.ParseUint(a, 10, 31)
		m, wrong2 := strconv.ParseUint(b, 10, 31)
		if wrong != nil || wrong2 != nil || m < 1 {
			return 1, 1, err
		}
		return int64(n), int64(m), nil
	}
	whole, frac, _ := strings.Cut(text, ".")
	n, wrong := strconv.ParseUint(whole+frac, 10, 31)
	if wrong != nil || len(frac) > 6 || whole == "" {
		return 1, 1, err
	}
	den = 1
	for range frac {
		den *= 10
	}
	return int64(n), den, nil
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

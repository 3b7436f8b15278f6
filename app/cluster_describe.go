package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/fleet"
	"github.com/partsize/partsize/calc/placement"
)

// formReader reads the form into a description. What is wrong is named by the fields' names; what is read of such a field is
// of no use.
type formReader struct {
	*state
	problems map[string]string
}

// description is what the form says; with pasted files only what they do not say.
func (s *state) description(pasted bool) (*fleet.Description, map[string]string) {
	f := formReader{s, map[string]string{}}
	size := f.bytes(keySize)
	brokers, dirs := f.whole(keyBrokers, f.clusterText(keyBrokers), 1, 2000), f.whole(keyDirs, f.clusterText(keyDirs), 1, 100)
	d := &fleet.Description{
		Version: s.answer.Scenario.Version(), Horizon: s.answer.Scenario.Horizon(), Internal: true, Settings: f.defaults(),
		Seed: f.whole(keySeed, f.clusterText(keySeed), 0, 1<<53),
		Limits: fleet.Limits{
			OpenFiles: f.whole(keyFiles, f.clusterText(keyFiles), 1, 1<<53), MemoryMaps: f.whole(keyMaps, f.clusterText(keyMaps), 1, 1<<53),
		},
	}
	if len(f.problems) == 0 && !pasted {
		specs := dirSpecs(int(dirs), size)
		for id := range int32(brokers) {
			d.Brokers = append(d.Brokers, placement.BrokerSpec{ID: id + 1, Dirs: specs})
		}
	}
	if !pasted {
		for i, row := range s.fleetRows() {
			d.Topics = append(d.Topics, f.topic(i, row))
		}
	}
	for i, row := range s.stepRows() {
		d.Changes = append(d.Changes, f.step(i, row, int(dirs), size))
	}
	return d, f.problems
}

// dirSpecs is a broker's directories.
func dirSpecs(n int, size calc.Bytes) (specs []placement.DirSpec) {
	for i := range n {
		specs = append(specs, placement.DirSpec{Path: dirPath(i), Size: size})
	}
	return specs
}

// defaults are the settings that every topic has.
func (f *formReader) defaults() (pairs []calc.Pair) {
	in := f.clusterDefaults()
	for key, value := range in.Changed() {
		_, _, known := calc.SettingOf(key)
		wrong := slices.ContainsFunc(f.state.problems, func(p *calc.FieldError) bool { return p.Key == key })
		if known && !wrong && !fleet.OwnKey(key) {
			pairs = append(pairs, calc.Pair{Key: key, Value: value})
		}
	}
	return pairs
}

func (f *formReader) wrong(field, format string, args ...any) {
	if f.problems[field] == "" {
		f.problems[field] = fmt.Sprintf(format, args...)
	}
}

func (f *formReader) whole(field, text string, least, most int64) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
	if err != nil || n < least || n > most {
		f.wrong(field, clusterText.notNumber, shorten(text), least, most)
		return least
	}
	return n
}

func (f *formReader) bytes(key string) calc.Bytes {
	size, err := calc.ParseBytes(f.clusterText(key))
	if err != nil {
		f.wrong(key, clusterText.needsUnit, shorten(f.clusterText(key)), err)
	}
	return size
}

func (f *formReader) rate(field, text string) calc.Rate {
	rate, err := calc.ParseRate(text)
	if err != nil {
		f.wrong(field, clusterText.needsUnit, shorten(text), err)
	}
	return rate
}

// pairs reads key=value, apart by spaces.
func (f *formReader) pairs(field string, words []string) (pairs []calc.Pair) {
	for _, word := range words {
		key, value, ok := strings.Cut(word, "=")
		if !ok {
			f.wrong(field, clusterText.notPair, shorten(word))
			continue
		}
		if fleet.OwnKey(key) {
			f.wrong(field, clusterText.notHere, shorten(key))
			continue
		}
		var in calc.Input
		if err := in.Set(key, value); err != nil {
			f.wrong(field, "%v", err)
			continue
		}
		pairs = append(pairs, calc.Pair{Key: key, Value: value})
	}
	return pairs
}

// topic reads a row of the list of topics.
func (f *formReader) topic(i int, row fleetRow) fleet.Topic {
	at := func(column int) string { return fieldName(keyTopics, i, column) }
	t := fleet.Topic{
		Name: f.name(at(0), row[0]), Count: 1, Partitions: int(f.whole(at(1), row[1], 1, 1_000_000)), Replication: int(f.whole(at(2), row[2], 1, 1000)),
		Produce: f.rate(at(3), row[3]), Settings: f.pairs(at(5), strings.Fields(row[5])),
	}
	if skew := strings.TrimSpace(row[4]); skew != "" {
		var err error
		if t.Skew, err = fleet.ParseSkew(skew); err != nil {
			f.wrong(at(4), "%v.", err)
		}
	}
	return t
}

func (f *formReader) name(field, text string) string {
	name := strings.TrimSpace(text)
	if name == "" {
		f.wrong(field, "%s", clusterText.noName)
	}
	return name
}

// step reads a row of the list of what happens.
func (f *formReader) step(i int, row stepRow, dirs int, size calc.Bytes) fleet.Change {
	field := fieldName(keySteps, i, 2)
	when := strings.TrimSpace(row[1])
	if _, err := strconv.Atoi(when); err == nil {
		when += "d"
	}
	at, err := calc.ParseMillis(when)
	if err != nil {
		f.wrong(fieldName(keySteps, i, 1), clusterText.needsUnit, shorten(row[1]), err)
	}
	w := stepWords{f: f, field: field, left: strings.Fields(row[2]), form: clusterText.help[max(0, slices.Index(stepKinds, row[0]))]}
	c := fleet.Change{At: at}
	switch row[0] {
	case "traffic":
		t := fleet.Traffic{Topic: w.topicBefore(1)}
		if t.Num, t.Den, err = fleet.ParseFactor(w.next()); err != nil {
			f.wrong(field, "%v.", err)
		}
		c.Do = t
	case "set":
		set := fleet.Set{}
		if len(w.left) > 0 && !strings.Contains(w.left[0], "=") {
			set.Topic = w.next()
		}
		if set.Settings, w.left = f.pairs(field, w.left), nil; set.Settings == nil {
			w.bad()
		}
		c.Do = set
	case "dir":
		id, path := w.broker(), dirPath(dirs+i)
		if len(w.left) > 0 {
			path = w.next()
		}
		c.Do = placement.AddDir{Broker: id, Dir: placement.DirSpec{Path: path, Size: size}}
	case "broker":
		c.Do = placement.AddBroker{Broker: placement.BrokerSpec{ID: w.broker(), Dirs: dirSpecs(dirs, size)}}
	case "partitions":
		c.Do = fleet.AddPartitions{Topic: w.next(), N: int(f.whole(field, w.next(), 1, 100_000))}
	case "create":
		t := fleet.Topic{Name: w.next(), Count: 1}
		t.Partitions, t.Replication = int(f.whole(field, w.next(), 1, 1_000_000)), int(f.whole(field, w.next(), 1, 1000))
		t.Produce = f.rate(field, w.next())
		c.Do = fleet.Create{Topic: t}
	case "delete":
		c.Do = placement.DeleteTopic{Topic: w.next()}
	case "fail":
		c.Do = placement.FailDir{Broker: w.broker(), Path: w.next()}
	case "move":
		m := placement.MoveLog{Partition: w.partition(), Broker: w.broker(), Path: w.next()}
		c.Do, c.Throttle = m, w.throttle()
	case "reassign":
		m := placement.Reassign{Partition: w.partition()}
		for id := range strings.SplitSeq(w.next(), ",") {
			m.Replicas = append(m.Replicas, int32(f.whole(field, id, 0, 1<<31-1)))
		}
		c.Do, c.Throttle = m, w.throttle()
	default:
		c.Do, c.Throttle = placement.LoseBroker{Broker: w.broker(), Move: true}, w.throttle()
	}
	w.end()
	return c
}

// stepWords are those of a step's value, from left to right.
type stepWords struct {
	f     *formReader
	field string
	left  []string
	form  string // how a value looks
}

// bad says how a value looks.
func (w *stepWords) bad() { w.f.wrong(w.field, clusterText.notStep, w.form) }

func (w *stepWords) next() string {
	if len(w.left) == 0 {
		w.bad()
		return ""
	}
	word := w.left[0]
	w.left = w.left[1:]
	return word
}

// topicBefore is a topic's name where more than n words are left, else "": all.
func (w *stepWords) topicBefore(n int) string {
	if len(w.left) > n {
		return w.next()
	}
	return ""
}

func (w *stepWords) broker() int32 { return int32(w.f.whole(w.field, w.next(), 0, 1<<31-1)) }

func (w *stepWords) partition() placement.Partition {
	p, ok := placement.ParsePartition(w.next())
	if !ok {
		w.bad()
	}
	return p
}

// throttle is a rate at the end; 0 where there is none.
func (w *stepWords) throttle() calc.ByteRate {
	if len(w.left) == 0 {
		return 0
	}
	rate := calc.ByteRate(w.f.rate(w.field, w.next()).PerSecond())
	if rate == 0 {
		w.bad() // nothing would ever be copied
	}
	return rate
}

func (w *stepWords) end() {
	if len(w.left) > 0 {
		w.bad()
	}
}

// fieldOf is the field that a place of the form's description is about; "" for none.
func fieldOf(path string) string {
	list, rest, ok := strings.Cut(path, "[")
	number, key, closed := strings.Cut(rest, "]")
	i, err := strconv.Atoi(number)
	if !ok || !closed || err != nil {
		return map[string]string{"brokers": keyBrokers, "seed": keySeed}[path]
	}
	key = strings.TrimPrefix(key, ".")
	switch list {
	case "topics":
		for column, name := range []string{"name", "partitions", "replication.factor", "produce", "skew", "settings"} {
			if key == name || strings.HasPrefix(key, name+".") {
				return fieldName(keyTopics, i, column)
			}
		}
		return map[string]string{"weights": fieldName(keyTopics, i, 4), "keys": fieldName(keyTopics, i, 4)}[key]
	case "steps":
		if key == "at" {
			return fieldName(keySteps, i, 1)
		}
		return fieldName(keySteps, i, 2)
	}
	return ""
}

package fleet

import (
	"bytes"
	"fmt"
	"math/bits"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
)

// File is a text with its name, which messages give: a description, or what kafka-topics.sh --describe or
// kafka-log-dirs.sh --describe says.
type File struct {
	Name string
	Data []byte
}

// wanted is the way out where a file is something else.
const wanted = "give a description, or the output of kafka-topics or kafka-log-dirs --describe"

// ReadFiles reads files, in any order and number, into one description: first what is described, then topics, then what they
// hold. The error joins a [*Problem] for everything that is wrong; warnings are what was passed over. What would be wrong with
// a description that is only partly read is told, too, as far as it can be known.
func ReadFiles(files []File) (d *Description, warnings []string, err error) {
	type read struct {
		name string
		kafkaconf.Read
	}
	var topics, dirs []read
	var problems Problems
	partial := false // something was not read, so what follows from it is not told
	for _, f := range files {
		at := Place{File: f.Name}
		if len(f.Data) > MaxSize {
			problems.add(at, "more than 64 MiB")
			partial = true
			continue
		}
		if IsDescription(f.Data) {
			described, whole, wrong := decodeAll(f.Name, f.Data)
			problems.join(wrong.err())
			switch {
			case !whole:
				partial = true
			case d != nil:
				problems.add(at, "a second description")
			default:
				d = described
			}
			continue
		}
		r, err := kafkaconf.Parse(f.Data, kafkaconf.Options{Name: f.Name})
		if err != nil {
			partial = true
			switch {
			case len(bytes.TrimSpace(f.Data)) == 0:
				problems.add(at, "is empty; %s", wanted)
			case kafkaconf.Detect(f.Data, f.Name) == kafkaconf.FormatUnknown:
				problems.add(at, "is none of what is read here; %s", wanted)
			default:
				problems.add(at, "%v", err)
			}
			continue
		}
		passed := r.Warnings
		if r.Format == kafkaconf.FormatTopics { // a line that is no topic may have been one; kafka-log-dirs says words before its JSON
			passed = append(passed, r.Notes...)
		}
		for _, w := range passed {
			at := f.Name
			if w.Line > 0 {
				at = fmt.Sprintf("%s:%d", f.Name, w.Line)
			}
			warnings = append(warnings, at+": "+w.Text)
		}
		switch r.Format {
		case kafkaconf.FormatTopics:
			topics = append(topics, read{f.Name, r.Read})
		case kafkaconf.FormatLogDirs:
			dirs = append(dirs, read{f.Name, r.Read})
		default:
			problems.add(at, "is %s; %s", r.Format, wanted)
			partial = true
		}
	}
	if d == nil {
		d = &Description{Internal: true, Seed: 1}
	}
	for _, f := range topics {
		problems.join(d.AddTopics(f.Topics, f.name))
	}
	for i := range dirs {
		problems.join(d.AddLogDirs(&dirs[i].Read, dirs[i].name))
	}
	if problems.all != nil && !partial {
		problems.join(newRunner(d, nil).check())
	}
	return d, warnings, problems.err()
}

// SizeDirs gives directories of unknown size one.
func (d *Description) SizeDirs(size calc.Bytes) {
	for i := range d.Brokers {
		for k := range d.Brokers[i].Dirs {
			if dir := &d.Brokers[i].Dirs[k]; dir.Size == 0 {
				dir.Size = size
			}
		}
	}
}

// FeedPresent spreads traffic over the partitions that have bytes and no traffic, in proportion to those bytes: what fills
// at the same rate for as long holds as much.
func (d *Description) FeedPresent(produce calc.Rate) error {
	var all calc.Bytes
	fed := func(t *Topic) bool {
		return t.Present != nil && t.Produce.Zero() && t.Skew.Kind == Even && t.Count <= 1
	}
	sum := func(t *Topic) (bytes calc.Bytes) {
		for _, b := range t.Present {
			bytes += max(b, 0)
		}
		return bytes
	}
	for i := range d.Topics {
		if fed(&d.Topics[i]) {
			all += sum(&d.Topics[i])
		}
	}
	for i := range d.Topics {
		t := &d.Topics[i]
		own := calc.Bytes(0)
		if fed(t) {
			own = sum(t)
		}
		if own == 0 {
			continue
		}
		// Shares of at most 2^30, so that rates stay exact; a topic that would have none gets none.
		shift := max(0, bits.Len64(uint64(all))-30)
		rate, ok := scale(produce, int64(own>>shift), max(int64(all>>shift), 1))
		if !ok {
			return fmt.Errorf("produce=%s: topic %q gets %s of %s of it, which is no rate that fits; write it in bytes a second", produce.Text(), t.Name, own, all)
		}
		if rate.Zero() {
			continue
		}
		t.Produce, t.Skew = rate, Skew{Kind: Weights, Weights: make([]int64, t.Partitions)}
		shift, some := max(0, bits.Len64(uint64(own))-30), false
		for n, b := range t.Present {
			t.Skew.Weights[n] = int64(max(b, 0) >> shift)
			some = some || t.Skew.Weights[n] > 0
		}
		if !some {
			t.Skew = Skew{}
		}
	}
	return nil
}

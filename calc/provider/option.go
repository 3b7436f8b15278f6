package provider

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Option is something about an instance that can be given, beside the topics' settings.
type Option struct {
	Key, Label string
	Kind       calc.Kind // KindSize, KindDuration, KindShift, KindCount or KindWord
	Default    string    // "": it is not known unless it is given
	Least      int64     // in the kind's unit
	Most       int64
	Words      []string // of a KindWord; none: they depend on the service
	Doc        string
	// Assumed is why the default is only an assumption; "" if it is not.
	Assumed string
}

// Options is the table of options, in the order in which they are shown.
func Options() []Option { return slices.Clone(options) }

const maxDisk = int64(1) << 60

var options = []Option{
	{Key: "plan", Label: "Plan", Kind: calc.KindWord, Doc: "The plan of the service; the first of its plans when nothing is given."},
	{Key: "storage", Label: "Storage of the instance", Kind: calc.KindSize, Least: 1, Most: maxDisk,
		Doc: "Bytes that the instance has for data. For IBM Event Streams the usable storage: replicas are not counted."},
	{Key: "throughput", Label: "Throughput in MB/s", Kind: calc.KindCount, Least: 1, Most: 1_000_000,
		Doc: "What was bought, in and out together, in MB/s: 150, 300 or 450 at IBM Event Streams."},
	{Key: "units", Label: "Units", Kind: calc.KindCount, Default: "1", Least: 1, Most: 1000,
		Doc: "Throughput, processing or capacity units of an Event Hubs namespace."},
	{Key: "disk", Label: "Disk", Kind: calc.KindSize, Least: 1, Most: maxDisk,
		Doc: "Bytes of the disk of each broker; of the whole instance at ApsaraMQ."},
	{Key: "disk.max", Label: "Disk grows up to", Kind: calc.KindSize, Least: 1, Most: maxDisk,
		Doc: "Up to which size a disk grows by itself, for each broker."},
	{Key: "brokers", Label: "Brokers", Kind: calc.KindCount, Default: "3", Least: 1, Most: 10_000, Doc: "Brokers of the cluster."},
	{Key: "vcpus", Label: "vCPUs", Kind: calc.KindCount, Least: 1, Most: 100_000, Doc: "vCPUs of the whole cluster."},
	{Key: "auto.scaling.target", Label: "Grows at, in percent", Kind: calc.KindCount, Least: 1, Most: 100,
		Doc: "From which use of the disk on, in percent, it grows by itself."},
	{Key: "min.free", Label: "Free at least", Kind: calc.KindSize, Least: 1, Most: maxDisk,
		Doc: "With Strimzi's quotas plugin: how much a volume must have free, else producers are throttled."},
	{Key: "broker.size", Label: "Size of the brokers", Kind: calc.KindWord, Default: "large", Words: []string{"small", "large", "2xlarge", "4xlarge"},
		Doc: "The size of Amazon MSK's brokers: small (t3.small), large (large and xlarge), 2xlarge, 4xlarge (and larger)."},
	{Key: "copies", Label: "Copies on the disk", Kind: calc.KindCount, Default: "1", Least: 1, Most: 10,
		Doc: "How many times a record counts in the disk use of an ApsaraMQ instance.", Assumed: "the source does not say whether replicas count in the disk use"},
	{Key: "stored", Label: "In each partition at the start", Kind: calc.KindSize, Default: "0", Most: maxDisk,
		Doc: "Bytes that each partition holds already when the simulation begins."},
	{Key: "time.zone", Label: "Time zone of 04:00", Kind: calc.KindShift, Default: "0", Least: -int64(calc.Day), Most: int64(calc.Day),
		Doc: "How far the zone in which ApsaraMQ's 04:00 falls is ahead of UTC, as in 8h.", Assumed: "the source does not say in which time zone 04:00 is; UTC is taken"},
	{Key: "cleanup.period", Label: "Period of the cleanup", Kind: calc.KindDuration, Default: "10min", Least: int64(calc.Second), Most: int64(calc.Day),
		Doc: "How often ApsaraMQ deletes while the disk is above its thresholds.", Assumed: "the source says periodically, without the period"},
	{Key: "daily.volume", Label: "Comes in a day", Kind: calc.KindSize, Least: 0, Most: maxDisk,
		Doc: "Bytes that come to the whole topic in a day; with keep it gives retention.bytes."},
	{Key: "keep", Label: "Days to keep it", Kind: calc.KindDuration, Least: 1, Most: int64(36500 * calc.Day),
		Doc: "How long a day's volume is kept; with daily.volume it gives retention.bytes."},
}

// OptionOf finds an option.
func OptionOf(key string) (*Option, bool) {
	for i := range options {
		if options[i].Key == key {
			return &options[i], true
		}
	}
	return nil, false
}

// parse reads the text of an option as a number; words are not parsed.
func (o *Option) parse(text string) (int64, error) {
	var n int64
	var err error
	switch o.Kind {
	case calc.KindWord:
		word := strings.ToLower(strings.TrimSpace(text))
		if len(o.Words) > 0 && !slices.Contains(o.Words, word) {
			return 0, &calc.FieldError{Key: o.Key, Value: text, Problem: "is not one of " + strings.Join(o.Words, ", "), Nearest: closest(word, slices.Values(o.Words))}
		}
		return 0, nil
	case calc.KindSize:
		n, err = number(calc.ParseBytes(text))
	case calc.KindDuration:
		n, err = number(calc.ParseMillis(text))
	case calc.KindShift:
		sign, rest := int64(1), strings.TrimSpace(text)
		if after, ok := strings.CutPrefix(rest, "-"); ok {
			sign, rest = -1, after
		} else {
			rest = strings.TrimPrefix(rest, "+")
		}
		n, err = number(calc.ParseMillis(rest))
		n *= sign
	default:
		n, err = o.count(text)
	}
	if err != nil {
		err = at(err, o.Key, text)
		var wrong *calc.FieldError
		if errors.As(err, &wrong) && wrong.WayOut() == "" {
			wrong.Hint = o.example()
		}
		return 0, err
	}
	switch {
	case n == 0 && o.Least > 0:
		return 0, &calc.FieldError{Key: o.Key, Value: text, Problem: "is 0, and nothing fits in that", Hint: "leave it out if it is not known"}
	case n < o.Least:
		return 0, &calc.FieldError{Key: o.Key, Value: text, Problem: "is below " + show(o.Kind, o.Least) + ", the least there is", Nearest: show(o.Kind, o.Least)}
	case n > o.Most:
		return 0, &calc.FieldError{Key: o.Key, Value: text, Problem: "is above " + show(o.Kind, o.Most) + ", the most that is reckoned with", Nearest: show(o.Kind, o.Most)}
	}
	return n, nil
}

// example is how to write a value of the option's kind.
func (o *Option) example() string {
	switch o.Kind {
	case calc.KindSize:
		return "give a size, as in 2TB"
	case calc.KindDuration, calc.KindShift:
		return "give a duration, as in 1h"
	}
	return "give a number, as in 3"
}

// count reads a whole number, for throughput also a rate and for a percent its sign.
func (o *Option) count(text string) (int64, error) {
	trimmed := strings.TrimSpace(text)
	if n, err := strconv.ParseInt(strings.TrimSuffix(trimmed, "%"), 10, 64); err == nil {
		return n, nil
	}
	if o.Key == "throughput" {
		r, err := calc.ParseRate(text)
		if err != nil {
			return 0, err
		}
		return r.PerSecond() / 1e6, nil
	}
	return 0, &calc.FieldError{Value: text, Problem: "is not a whole number"}
}

func number[T ~int64](n T, err error) (int64, error) { return int64(n), err }

// at is an error about a key, whatever it was about before.
func at(err error, key, value string) error {
	if err == nil {
		return nil
	}
	problems := calc.Problems(err)
	if len(problems) == 0 {
		return err
	}
	e := *problems[0]
	e.Key, e.Value = key, value
	return &e
}

// show writes a number of a kind so that it is exact and can be given again.
func show(kind calc.Kind, n int64) string {
	switch {
	case n < 0:
		return strconv.FormatInt(n, 10)
	case kind == calc.KindSize:
		return SizeText(calc.Bytes(n))
	case kind == calc.KindDuration, kind == calc.KindShift:
		return calc.Millis(n).Text()
	case kind == calc.KindRate:
		return rateText(n)
	}
	return strconv.FormatInt(n, 10)
}

// SizeText is the shortest way to write a size exactly, with a binary or a decimal unit: 1GiB, 50GB.
func SizeText(b calc.Bytes) string {
	text := b.Text()
	for _, u := range [...]calc.Pair{{Key: "1TB", Value: "TB"}, {Key: "1GB", Value: "GB"}, {Key: "1MB", Value: "MB"}, {Key: "1kB", Value: "kB"}} {
		unit, _ := calc.ParseBytes(u.Key)
		if other := strconv.FormatInt(int64(b/unit), 10) + u.Value; b%unit == 0 && len(other) < len(text) {
			return other
		}
	}
	return text
}

// rateText writes bytes a second in decimal units, as the services do, where that is exact.
func rateText(n int64) string {
	for _, u := range [...]struct {
		size int64
		name string
	}{{1e9, " GB/s"}, {1e6, " MB/s"}, {1e3, " kB/s"}} {
		if n >= u.size && n%(u.size/1000) == 0 {
			return trimZeros(n/u.size, n%u.size, u.size) + u.name
		}
	}
	return calc.ByteRate(n).String()
}

func trimZeros(whole, part, size int64) string {
	if part == 0 {
		return strconv.FormatInt(whole, 10)
	}
	digits := len(strconv.FormatInt(size, 10)) - 1
	return strings.TrimRight(fmt.Sprintf("%d.%0*d", whole, digits, part), "0")
}

// size writes bytes for a sentence, in both kinds of units: a reader of a price list has decimal ones.
func size(b calc.Bytes) string {
	if b < 1000 {
		return b.String()
	}
	return b.String() + " (" + b.Decimal() + ")"
}

// OtherReading is what a size is when its unit is taken the other way: 2 TB for 2 TiB and the reverse. ok is false for a
// text without such a unit, or one that cannot be read.
func OtherReading(text string) (other string, meant, otherwise calc.Bytes, ok bool) {
	meant, err := calc.ParseBytes(text)
	if err != nil {
		return "", 0, 0, false
	}
	trimmed := strings.TrimSpace(text)
	low := strings.ToLower(trimmed)
	for _, p := range "kmgtpe" {
		unit := string(p)
		up := strings.ToUpper(unit)
		switch {
		case strings.HasSuffix(low, unit+"ib"):
			other = trimmed[:len(trimmed)-3] + up + "B"
		case strings.HasSuffix(low, unit+"i"):
			other = trimmed[:len(trimmed)-2] + up + "B"
		case strings.HasSuffix(low, unit+"b"):
			other = trimmed[:len(trimmed)-2] + up + "iB"
		default:
			continue
		}
		if p == 'k' {
			other = strings.Replace(other, "KB", "kB", 1)
		}
		otherwise, err = calc.ParseBytes(other)
		return other, meant, otherwise, err == nil && otherwise != meant
	}
	return "", 0, 0, false
}

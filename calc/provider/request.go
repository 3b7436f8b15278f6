package provider

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// MaxTopics is the most topics of a [Request].
const MaxTopics = 100_000

// Request is an instance of a service and the topics that it has, or is to have. The zero Request is plain Apache Kafka
// without topics.
type Request struct {
	Service *Service // nil: plain Apache Kafka
	Topics  []Topic
	// Before is what was there before a change; nil: nothing is changed.
	Before *Request
	// Yield is called now and then by what takes long, so that others go first; after false it ends early, and what it gave is
	// not to be used. nil: nobody waits.
	Yield func() bool

	options []calc.Pair // as given, in the order given
	play    *play       // where the disk is kept once it was played; nil: nowhere
}

// play is the disk of a request.
type play struct {
	disk *Disk
	err  error
}

// goOn reports whether what takes long should go on.
func (r *Request) goOn() bool { return r.Yield == nil || r.Yield() }

// Topic is a topic and what is known of its traffic.
type Topic struct {
	Name       string
	Partitions int64 // at least 1; 0: not given, and taken for 1
	Replicas   int64 // of each partition; 0: as the service has it
	Config     calc.Input
	Traffic    *Traffic // nil: not known
}

// Traffic is what is known of a topic's traffic: that of one partition.
type Traffic struct {
	Mean    calc.ByteRate
	Busiest calc.ByteRate // in the busiest minute, to within three calls to append
	Peak    calc.Bytes    // the most that one replica has on disk; 0: not known
	Worst   bool          // Peak is the worst case, and was not simulated
	Course  []Arrived     // how bytes come, in order of time; empty: at Mean, for 30 days
}

// Arrived is how many bytes have come to a partition up to a time.
type Arrived struct {
	At    calc.Millis
	Bytes calc.Bytes
}

// Parse reads an instance and one topic from texts such as "retention.bytes=50GiB partitions=36 storage=2TB". A key that
// begins with "was:" is about what there was before a change. The error joins a [*calc.FieldError] for everything that is
// wrong; the request holds the rest all the same.
func Parse(s *Service, text string) (Request, error) {
	r := Request{Service: s}
	var all []error
	for pair := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(pair, "=")
		if err := r.Set(key, value); err != nil {
			all = append(all, err)
		}
	}
	for _, p := range r.Problems() {
		all = append(all, p)
	}
	if err := r.Measure(); err != nil {
		all = append(all, err)
	}
	return r, errors.Join(all...)
}

// Set gives an option of the instance or, for all its topics, a setting: Kafka's key, a name under which a service's pages
// write it, partitions or replication.factor; NAME:key is for one topic, was:key for what there was before a change. Without
// a topic it makes one. The value is kept even if it is wrong. The
// error is a [*calc.FieldError].
func (r *Request) Set(key, value string) error {
	if after, ok := strings.CutPrefix(key, "was:"); ok {
		if r.Before == nil {
			r.Before = &Request{Service: r.Service}
		}
		return r.Before.Set(after, value)
	}
	if name, rest, ok := strings.Cut(key, ":"); ok {
		i := slices.IndexFunc(r.Topics, func(t Topic) bool { return t.Name == name })
		if i < 0 {
			return &calc.FieldError{Key: key, Value: value, Problem: "there is no topic " + name}
		}
		return at(r.Topics[i].Set(rest, value), key, value)
	}
	if o, ok := OptionOf(key); ok {
		i := slices.IndexFunc(r.options, func(p calc.Pair) bool { return p.Key == key })
		if i < 0 {
			r.options = append(r.options, calc.Pair{Key: key, Value: value})
		} else {
			r.options[i].Value = value
		}
		_, err := o.parse(value)
		return err
	}
	if len(r.Topics) == 0 {
		r.Topics = []Topic{{}}
	}
	var err error
	for i := range r.Topics {
		err = r.Topics[i].Set(key, value)
	}
	if _, _, known := calc.SettingOf(KafkasName(key)); known || err == nil {
		return err
	}
	// A key that nobody knows may be meant for an option.
	if near := closest(strings.ToLower(key), optionKeys()); near != "" && calc.NearestKey(strings.ToLower(key)) == "" {
		return &calc.FieldError{Key: key, Value: value, Problem: "there is no such setting or option", Nearest: near, Hint: "did you mean " + near + "?"}
	}
	return err
}

func optionKeys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, o := range options {
			if !yield(o.Key) {
				return
			}
		}
	}
}

// Set gives a setting, see [Request.Set].
func (t *Topic) Set(key, value string) error {
	key = KafkasName(key)
	err := t.Config.Set(key, value)
	n, failed := strconv.ParseInt(strings.TrimSpace(value), 10, 64)
	if err == nil && failed == nil {
		switch key {
		case "partitions":
			t.Partitions = n
		case "replication.factor":
			t.Replicas = n
		}
	}
	return err
}

// KafkasName is Kafka's key for a name that a service's pages use for it, such as log.segment.size; else the name itself.
func KafkasName(name string) string {
	for _, s := range services {
		for _, a := range s.Aliases {
			if a.Key == name {
				return a.Value
			}
		}
	}
	return name
}

// Names is every name under which a service's pages write a setting, and Kafka's key for it: for readers of files.
func Names() map[string]string {
	all := map[string]string{}
	for _, s := range services {
		for _, a := range s.Aliases {
			all[a.Key] = a.Value
		}
	}
	return all
}

// Given is the options that were given, as they were given.
func (r *Request) Given() []calc.Pair { return slices.Clone(r.options) }

// service is the service, plain Kafka if there is none.
func (r *Request) service() *Service {
	if r.Service == nil {
		return &apacheKafka
	}
	return r.Service
}

// Plan is the plan that holds: the one given, or the service's first.
func (r *Request) Plan() *Plan {
	p, _ := r.service().plan(r.text("plan"))
	return p
}

// text is what was given for an option, or "".
func (r *Request) text(key string) string {
	for _, p := range r.options {
		if p.Key == key {
			return p.Value
		}
	}
	return ""
}

// option is an option's number: what was given, what the plan has, or the default. known is false where none of them says.
func (r *Request) option(key string) (n int64, known bool) {
	o, ok := OptionOf(key)
	if !ok {
		return 0, false
	}
	if text := r.text(key); text != "" {
		if n, err := o.parse(text); err == nil {
			return n, true
		}
	}
	text := o.Default
	for _, p := range r.Plan().Options {
		if p.Key == key {
			text = p.Value
		}
	}
	if text == "" {
		return 0, false
	}
	n, err := o.parse(text)
	return n, err == nil
}

// Problems is what is wrong with the request as a whole, beyond what [Request.Set] found: a plan that does not exist, too
// many topics, storage that is smaller than one segment.
func (r *Request) Problems() []*calc.FieldError {
	var all []*calc.FieldError
	if text := r.text("plan"); text != "" {
		if _, err := r.service().plan(text); err != nil {
			all = append(all, calc.Problems(err)...)
		}
	}
	if len(r.Topics) > MaxTopics {
		all = append(all, &calc.FieldError{Key: "topics", Value: strconv.Itoa(len(r.Topics)), Problem: fmt.Sprintf("are more than %d topics", MaxTopics), Hint: "leave some out"})
	}
	for _, key := range []string{"storage", "disk"} {
		text := r.text(key)
		n, known := r.option(key)
		if text == "" || !known {
			continue
		}
		for i := range r.Topics {
			if segment, ok := r.number(&r.Topics[i], "segment.bytes"); ok && n < segment {
				all = append(all, &calc.FieldError{Key: key, Value: text,
					Problem: fmt.Sprintf("is smaller than one segment%s, which is segment.bytes=%s", ofTopic(&r.Topics[i]), calc.Bytes(segment).Text()),
					Hint:    "give all of the instance's bytes, with their unit"})
				break
			}
		}
	}
	_, volume := r.option("daily.volume")
	_, keep := r.option("keep")
	switch {
	case volume && !keep:
		all = append(all, &calc.FieldError{Key: "daily.volume", Value: r.text("daily.volume"), Problem: "says how much comes in a day, not how long it is kept", Hint: "give keep=5d, too"})
	case keep && !volume:
		all = append(all, &calc.FieldError{Key: "keep", Value: r.text("keep"), Problem: "says how long it is kept, not how much comes", Hint: "give daily.volume=200MB, too"})
	}
	return all
}

func ofTopic(t *Topic) string {
	if t.Name == "" {
		return ""
	}
	return " of topic " + t.Name
}

// RetentionBytes is retention.bytes for a volume a day that is kept for a time, spread evenly over partitions: rounded up
// to a byte.
//
// Source: the first example of IBM's page on reserved disk usage, 200 MB a day for 5 days are 1 GB, over 10 partitions
// 100 MB each.
func RetentionBytes(daily calc.Bytes, keep calc.Millis, partitions int64) calc.Bytes {
	total := ratio(int64(daily), int64(keep), int64(calc.Day))
	return calc.Bytes((total + max(partitions, 1) - 1) / max(partitions, 1))
}

// ratio is a·b/c rounded up, held at the largest int64, for a, b ≥ 0 and c > 0.
func ratio(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(c-1), 0)
	if hi += carry; hi >= uint64(c) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, math.MaxInt64))
}

// ratioDown is a·b/c rounded down, with the limits of ratio.
func ratioDown(a, b, c int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi >= uint64(c) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, math.MaxInt64))
}

// times is a·b for numbers ≥ 0, held at the largest int64.
func times(a, b int64) int64 {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi != 0 || lo > math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(lo)
}

// plus is a+b for numbers ≥ 0, held at the largest int64.
func plus(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// Uncounted reports whether nothing says how many partitions the topic has, so that one is taken.
func (t *Topic) Uncounted() bool { return t.Partitions == 0 }

// CountBy lets a topic of which nothing says how many partitions it has have as many as a broker's setting says that new
// topics get, where that is given.
func (t *Topic) CountBy(key string) {
	if _, given := t.Config.Given(key); !given || !t.Uncounted() {
		return
	}
	if n, err := strconv.ParseInt(strings.TrimSpace(t.Config.Get("partitions")), 10, 64); err == nil && n > 0 {
		t.Partitions = n
	}
}

// partitions is how many partitions the topic has.
func (t *Topic) partitions() int64 { return max(t.Partitions, 1) }

// replicas is how many replicas each partition has.
func (r *Request) replicas(t *Topic) int64 {
	if t.Replicas > 0 {
		return t.Replicas
	}
	if n, ok := r.number(t, "replication.factor"); ok {
		return n
	}
	return 1
}

// setting is the text of a topic's setting: given, the volume and time to keep where retention.bytes was not, the
// service's default, or Kafka's.
func (r *Request) setting(t *Topic, key string) (text string, given bool) {
	if text, ok := t.Config.Given(key); ok {
		return text, true
	}
	if key == "retention.bytes" && r.daily(t) {
		volume, ok := r.option("daily.volume")
		keep, also := r.option("keep")
		if ok && also {
			return RetentionBytes(calc.Bytes(volume), calc.Millis(keep), t.partitions()).Text(), true
		}
	}
	if key == "partitions" {
		return strconv.FormatInt(t.partitions(), 10), t.Partitions > 0
	}
	if key == "replication.factor" && t.Replicas > 0 {
		return strconv.FormatInt(t.Replicas, 10), true
	}
	if text, ok := r.Default(key); ok && !ByBroker(&t.Config, key) {
		return text, false
	}
	return t.Config.Get(key), false
}

// ByBroker reports whether a broker's setting is given that a topic has its own from. It goes before a service's default, as
// it says what topics are to have.
func ByBroker(in *calc.Input, key string) bool {
	row, synonym, ok := calc.SettingOf(key)
	return ok && synonym == nil && slices.ContainsFunc(row.Inherits, func(syn calc.Synonym) bool { _, given := in.Given(syn.Key); return given })
}

// Defaults is what topics have when nothing is given, where that is not Kafka's: the plan's, then the service's.
func (r *Request) Defaults() []calc.Pair {
	if p := r.Plan(); len(p.Defaults) > 0 {
		return append(slices.Clone(p.Defaults), r.service().Defaults...)
	}
	return r.service().Defaults
}

// daily reports whether a day's volume is about a topic: about the one without a name where there is one, else about all.
func (r *Request) daily(t *Topic) bool {
	return t.Name == "" || len(r.Topics) == 0 || r.Topics[0].Name != ""
}

// Default is what a topic has for a setting when nothing is given, where that is the service's and not Kafka's.
func (r *Request) Default(key string) (text string, ok bool) {
	for _, d := range r.Defaults() {
		if d.Key == key {
			return d.Value, true
		}
	}
	return "", false
}

// number is a topic's setting as a number. A local limit of −2 is that of the whole log; unlimited is −1. ok is false
// where the text cannot be read.
func (r *Request) number(t *Topic, key string) (n int64, ok bool) {
	row, _, known := calc.SettingOf(key)
	if !known {
		return 0, false
	}
	text, given := r.setting(t, key)
	n, err := parseSetting(&row, text)
	if err != nil && given {
		// What is wrong was said when it was given; the rules go on with what would hold without it.
		standard, ok := r.Default(key)
		if !ok {
			standard = row.Default
		}
		n, err = parseSetting(&row, standard)
	}
	if whole, local := strings.CutPrefix(key, "local."); local && n == -2 && err == nil {
		return r.number(t, whole)
	}
	return n, err == nil
}

func parseSetting(row *calc.Setting, text string) (int64, error) {
	trimmed := strings.ToLower(strings.TrimSpace(text))
	for _, w := range row.Names {
		if trimmed == w.Word {
			return w.Value, nil
		}
	}
	if n, err := strconv.ParseInt(trimmed, 10, 64); err == nil {
		return n, nil
	}
	switch row.Kind {
	case calc.KindSize, calc.KindLength:
		return number(calc.ParseBytes(text))
	case calc.KindDuration, calc.KindShift:
		return number(calc.ParseMillis(text))
	case calc.KindFlag:
		switch trimmed {
		case "true":
			return 1, nil
		case "false":
			return 0, nil
		}
	}
	return 0, errNoNumber
}

var errNoNumber = errors.New("not a number")

// policy is what the topic's cleanup.policy contains.
func (r *Request) policy(t *Topic) (compact, del bool) {
	text, _ := r.setting(t, "cleanup.policy")
	for word := range strings.SplitSeq(strings.ToLower(text), ",") {
		switch strings.TrimSpace(word) {
		case "compact":
			compact = true
		case "delete":
			del = true
		}
	}
	return compact, del
}

// tiered reports whether the topic's closed segments are copied to a remote store.
func (r *Request) tiered(t *Topic) bool {
	n, _ := r.number(t, "remote.storage.enable")
	return n == 1
}

// about reports whether a rule is about a topic.
func (r *Request) about(w When, t *Topic) bool {
	compact, del := r.policy(t)
	switch w {
	case Tiered:
		return r.tiered(t)
	case Compacting:
		return compact
	case OnlyKeys:
		return compact && !del
	case Deleting:
		return del
	}
	return true
}

// occupied is the most that one replica of the topic has on its disk: as simulated, or as its configuration allows when
// nothing is known of its traffic. how says which, as a clause; ok is false where nothing limits it.
func (r *Request) occupied(t *Topic) (b calc.Bytes, how string, ok bool) {
	if t.Traffic != nil && t.Traffic.Peak > 0 {
		how = "as simulated"
		if t.Traffic.Worst {
			how = "at worst, as it was not simulated"
		}
		return t.Traffic.Peak, how, true
	}
	_, del := r.policy(t)
	key := "retention.bytes"
	if r.tiered(t) {
		key = "local.retention.bytes"
	}
	retention, _ := r.number(t, key)
	segment, _ := r.number(t, "segment.bytes")
	index, _ := r.number(t, "segment.index.bytes")
	if !del || retention < 0 {
		return 0, "nothing limits it by size, and its traffic is not known", false
	}
	b = calc.Bytes(plus(retention, plus(segment, 2*index)))
	return b, key + " + segment.bytes + 2 × segment.index.bytes, as its traffic is not known", true
}

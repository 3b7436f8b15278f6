package calc

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
)

// Epoch is the wall clock at the start of every scenario, in milliseconds since the Unix epoch: 2023-11-14 22:13:20 UTC.
const Epoch Millis = 1_700_000_000_000

// Scenario is a checked, complete and bounded description of what is simulated. It does not change. [NewScenario] is the
// only way to one; the zero Scenario is not usable.
type Scenario struct {
	version     Version
	horizon     Millis
	partitions  int64
	replicas    int64
	seed        uint64
	log         LogConfig
	broker      BrokerConfig
	work        *workload
	steps       []Step // in order of time
	events      int64
	notFollowed []NotFollowed
}

// NotFollowed is a setting that was given and that the model does not follow.
type NotFollowed struct {
	Key, Value string
	Why        string // a clause
}

// NewScenario checks an input and completes it: defaults of the version, the broker's settings where the topic has none.
// The error joins a [*FieldError] for every problem, in the order of the table of settings; [Problems] takes it apart.
func NewScenario(in Input) (Scenario, error) {
	r := newResolver(in)
	s := Scenario{version: r.version}
	s.horizon = Millis(r.number("horizon"))
	s.partitions = r.number("partitions")
	s.replicas = r.number("replication.factor")
	s.seed = uint64(r.number("seed"))
	s.log, s.broker = r.log(), r.broker()
	r.crossChecks(&s.log)
	s.work = r.workload(&s)
	s.steps = r.steps(&s)
	if len(r.problems) == 0 {
		r.checkBatch(&s)
		s.events = r.checkEvents(&s)
	}
	s.notFollowed = r.notFollowed(&s)
	if len(r.problems) > 0 {
		return Scenario{}, r.err()
	}
	return s, nil
}

// Problems is the [*FieldError]s that an error of this package joins.
func Problems(err error) []*FieldError {
	var one *FieldError
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var all []*FieldError
		for _, e := range many.Unwrap() {
			all = append(all, Problems(e)...)
		}
		return all
	}
	if errors.As(err, &one) {
		return []*FieldError{one}
	}
	return nil
}

// Plan is what a [Simulation] plays.
func (s Scenario) Plan() Plan {
	return Plan{
		Log: s.log, Broker: s.broker, Version: s.version, Epoch: Epoch, Until: s.horizon, Seed: s.seed,
		Steps: s.work.newSource(s.steps),
	}
}

// Version is the release of Kafka.
func (s Scenario) Version() Version { return s.version }

// Horizon is how long the log is played.
func (s Scenario) Horizon() Millis { return s.horizon }

// Partitions is how many partitions like this one there are, at least one.
func (s Scenario) Partitions() int64 { return s.partitions }

// ReplicationFactor is how many replicas each partition has, at least one.
func (s Scenario) ReplicationFactor() int64 { return s.replicas }

// Log is the log's configuration at the start.
func (s Scenario) Log() LogConfig { return s.log }

// Broker is the broker's configuration.
func (s Scenario) Broker() BrokerConfig { return s.broker }

// NotFollowed is each setting that was given and that the model does not follow, in the order of the table.
func (s Scenario) NotFollowed() []NotFollowed { return slices.Clone(s.notFollowed) }

// EventBound is about how many events the simulation has; [NewScenario] refuses more than [MaxEvents].
func (s Scenario) EventBound() int64 { return s.events }

// resolver takes what was given for each setting, or what holds without, and collects what is wrong.
type resolver struct {
	in       Input
	version  Version
	problems []problem
}

// problem is an error with its place in the table.
type problem struct {
	slot int
	err  *FieldError
}

func newResolver(in Input) *resolver {
	r := &resolver{in: in, version: in.version()}
	for _, g := range in.given {
		s := slots[g.slot]
		row := &settings[s.row]
		if err := s.check(g.text, r.version); err != nil {
			r.add(s.key, g.text, err)
			continue
		}
		if !row.Known(r.version) {
			r.add(s.key, g.text, row.unknownIn(r.version))
		}
	}
	return r
}

// unknownIn is the error that a version does not have the setting.
func (s *Setting) unknownIn(v Version) *FieldError {
	e := &FieldError{Problem: fmt.Sprintf("Kafka %s does not have it", v.line())}
	switch {
	case v < s.Since:
		e.Problem += fmt.Sprintf(", only from %s on", s.Since.line())
	case s.Key == "message.timestamp.difference.max.ms":
		e.Problem += ", only before 4.0"
		e.Hint = "use message.timestamp.before.max.ms and message.timestamp.after.max.ms"
		return e
	default:
		e.Problem += fmt.Sprintf(", only before %s", s.Until.line())
	}
	e.Hint = "leave it out, or change kafka.version"
	return e
}

// add notes a problem of a setting; of each the first, of steps all.
func (r *resolver) add(key, value string, err *FieldError) {
	slot := slotOf[key]
	if key != "steps" && slices.ContainsFunc(r.problems, func(p problem) bool { return p.slot == slot }) {
		return
	}
	r.problems = append(r.problems, problem{slot, err.at(key, value)})
}

// addTo notes a problem of the setting whose text decides over a row: the topic's own, or the broker's.
func (r *resolver) addTo(key string, err *FieldError) {
	from, text := r.source(key)
	r.add(from, text, err)
}

// err is all problems, in the order of the table.
func (r *resolver) err() error {
	slices.SortStableFunc(r.problems, func(a, b problem) int { return a.slot - b.slot })
	all := make([]error, len(r.problems))
	for i, p := range r.problems {
		all[i] = p.err
	}
	return errors.Join(all...)
}

// source is the key whose text decides over a row, and the text: the row's own if given, the first synonym that is given,
// else the row's own with its default.
func (r *resolver) source(key string) (from, text string) {
	if text, ok := r.in.Given(key); ok {
		return key, text
	}
	row := &settings[slotRow(key)]
	for _, syn := range row.Inherits {
		if text, ok := r.in.Given(syn.Key); ok {
			return syn.Key, text
		}
	}
	return key, row.In(r.version).Default
}

// given reports whether a row has a text of its own or of a synonym.
func (r *resolver) given(key string) bool {
	from, _ := r.source(key)
	_, ok := r.in.Given(from)
	return ok
}

// sound reports whether nothing is wrong with a row's text.
func (r *resolver) sound(keys ...string) bool {
	for _, key := range keys {
		from, _ := r.source(key)
		if slices.ContainsFunc(r.problems, func(p problem) bool { return p.slot == slotOf[from] }) {
			return false
		}
	}
	return true
}

// usable is the text that decides over a row, or its default where that text is wrong, with the slot that reads it.
func (r *resolver) usable(key string) (slot, string) {
	from, text := r.source(key)
	s := slots[slotOf[from]]
	if s.check(text, r.version) != nil {
		return slots[slotOf[key]], settings[s.row].In(r.version).Default
	}
	return s, text
}

// number is the value of a row that is one number.
func (r *resolver) number(key string) int64 {
	s, text := r.usable(key)
	n, _ := s.number(text)
	return n
}

func (r *resolver) flag(key string) bool {
	_, text := r.usable(key)
	b, _ := parseFlag(text)
	return b
}

func (r *resolver) word(key string) string {
	s, text := r.usable(key)
	w, _ := settings[s.row].word(text)
	return w
}

func (r *resolver) rate(key string) Rate {
	_, text := r.usable(key)
	rate, _ := parseRate(text)
	return rate
}

// logKeys are the topic's settings that a [LogConfig] holds.
var logKeys = [...]string{
	"segment.bytes", "segment.ms", "segment.jitter.ms", "segment.index.bytes", "index.interval.bytes", "retention.bytes",
	"retention.ms", "local.retention.bytes", "local.retention.ms", "file.delete.delay.ms", "max.message.bytes",
	"message.timestamp.before.max.ms", "message.timestamp.after.max.ms", "max.compaction.lag.ms", "message.timestamp.type",
	"preallocate", "cleanup.policy", "remote.storage.enable", "remote.log.copy.disable",
}

// log is the log's configuration.
func (r *resolver) log() LogConfig {
	c := DefaultLogConfig()
	for _, key := range logKeys {
		s, text := r.usable(key)
		row := &settings[s.row]
		switch {
		case row.number():
			n, _ := s.number(text)
			text = strconv.FormatInt(n, 10)
		case row.Kind == KindFlag:
			b, _ := parseFlag(text)
			text = strconv.FormatBool(b)
		case row.Kind == KindWord:
			text, _ = row.word(text)
		case row.Kind == KindWords:
			text = row.list(text)
		}
		if _, err := c.Set(key, text); err != nil {
			r.addTo(key, bad(text, err.Error()))
		}
	}
	if c.RetentionBytes < 0 {
		c.RetentionBytes = Unlimited
	}
	if r.given("internal.segment.bytes") && r.sound("internal.segment.bytes") {
		c.SegmentBytes = Bytes(r.number("internal.segment.bytes"))
	}
	if r.given("message.timestamp.difference.max.ms") {
		difference := Millis(r.number("message.timestamp.difference.max.ms"))
		if !r.given("message.timestamp.before.max.ms") {
			c.TimestampBeforeMax = difference
		}
		if !r.given("message.timestamp.after.max.ms") {
			c.TimestampAfterMax = difference
		}
	}
	return c
}

// list is a list of words as Kafka writes them.
func (s *Setting) list(text string) string {
	var joined string
	for part := range splitList(text) {
		word, _ := s.word(part)
		if joined != "" {
			joined += ","
		}
		joined += word
	}
	return joined
}

// broker is the broker's configuration.
func (r *resolver) broker() BrokerConfig {
	b := BrokerConfig{
		RetentionCheckInterval:  Millis(r.number("log.retention.check.interval.ms")),
		InitialTaskDelay:        Millis(r.number("log.initial.task.delay.ms")),
		ProducerExpiration:      Millis(r.number("producer.id.expiration.ms")),
		ProducerExpirationCheck: Millis(r.number("producer.id.expiration.check.interval.ms")),
		SegmentDeleteDelay:      Minute,
	}
	if text, ok := r.in.Given("log.segment.delete.delay.ms"); ok {
		if n, err := parsed(ParseMillis(text)); err == nil {
			b.SegmentDeleteDelay = Millis(n)
		}
	}
	return b
}

// crossChecks finds what is wrong between settings of the log.
func (r *resolver) crossChecks(c *LogConfig) {
	if c.RemoteStorage && c.Compact {
		r.addTo("remote.storage.enable", bad("", "a tiered topic cannot be compacted").hint("set cleanup.policy=delete"))
	}
	if c.RemoteStorage && !c.Delete && !c.Compact && r.version < 40200 {
		r.addTo("remote.storage.enable", bad("", "a tiered topic needs a cleanup policy before Kafka 4.2").hint("set cleanup.policy=delete"))
	}
	if !c.Delete && !c.Compact && r.version < 40200 {
		r.addTo("cleanup.policy", badNearest("", "is empty, which Kafka takes only from 4.2 on", "delete"))
	}
	if c.RemoteStorage {
		r.local("local.retention.ms", "retention.ms", int64(c.LocalRetentionMs), int64(c.RetentionMs))
		r.local("local.retention.bytes", "retention.bytes", int64(c.LocalRetentionBytes), int64(c.RetentionBytes))
	}
	if lag := r.number("min.compaction.lag.ms"); lag > int64(c.MaxCompactionLagMs) && r.sound("min.compaction.lag.ms", "max.compaction.lag.ms") {
		r.addTo("min.compaction.lag.ms", badNearest("", "is above max.compaction.lag.ms", c.MaxCompactionLagMs.Text()))
	}
}

// local checks that a limit of the local log is not above that of the whole.
//
// Kafka: LogConfig.validateRemoteStorageRetentionSize, validateRemoteStorageRetentionTime.
func (r *resolver) local(key, total string, local, whole int64) {
	if local == -2 || whole < 0 || !r.sound(key, total) {
		return
	}
	row := &settings[slotRow(key)]
	switch {
	case local < 0:
		r.addTo(key, badNearest("", fmt.Sprintf("keeps more locally than %s=%s keeps in all", total, row.text(whole)), "-2").
			hint(fmt.Sprintf("write -2 for as much as %s, or at most %s", total, row.text(whole))))
	case local > whole:
		r.addTo(key, badNearest("", fmt.Sprintf("is above %s=%s", total, row.text(whole)), row.text(whole)))
	}
}

// workload is the traffic.
func (r *resolver) workload(s *Scenario) *workload {
	w := &workload{
		until: s.horizon, start: Millis(r.number("produce.start")), stop: Millis(r.number("produce.stop")),
		rate: r.rate("produce"), growth: r.number("produce.growth"),
		burst: r.rate("burst.rate"), every: Millis(r.number("burst.every")), lasts: Millis(r.number("burst.for")),
		first: Millis(r.number("burst.start")), perCall: 1, idempotent: r.flag("enable.idempotence"),
		follower: r.word("role") == "follower",
	}
	_, text := r.usable("produce.daily")
	w.daily, _ = parseWeights(text, false)
	_, text = r.usable("produce.weekly")
	w.weekly, _ = parseWeights(text, true)
	_, text = r.usable("produce.series")
	w.series, _ = parseSeries(text)
	_, text = r.usable("record.headers")
	headers, _ := parseHeaders(text)
	_, text = r.usable("compression.ratio")
	ratio, _ := parseRatio(text)
	w.batching = batching{
		shape: RecordShape{Key: Bytes(r.number("record.key")), Value: Bytes(r.number("record.value")), Headers: headers},
		ratio: ratio, fixed: r.number("batch.records"), batchSize: Bytes(r.number("batch.size")),
		linger: Millis(r.number("linger.ms")), producers: r.number("producers"),
	}
	w.stamp = r.timestamp(s)
	if n := r.number("fetch.batches"); w.follower {
		w.perCall = n
	} else if n > 1 {
		r.addTo("fetch.batches", bad("", "is for a follower; a leader appends one batch a call").hint("set role=follower"))
	}
	r.checkTraffic(w)
	if len(r.problems) > 0 {
		return w
	}
	w.records = w.kind().records
	w.batching.fill()
	r.fillBacklog(w)
	w.setUnit()
	return w
}

// kind is a rate of the producers that is not nothing, if there is one.
func (w *workload) kind() Rate {
	switch {
	case len(w.series) > 0 && !seriesKind(w.series).Zero():
		return seriesKind(w.series)
	case len(w.series) == 0 && !w.rate.Zero():
		return w.rate
	}
	return w.burst
}

// timestamp is how batches are stamped.
func (r *resolver) timestamp(s *Scenario) Timestamp {
	shift := Millis(r.number("timestamp.shift"))
	given := r.given("timestamp.shift") && r.sound("timestamp.shift", "timestamps")
	switch r.word("timestamps") {
	case "none":
		if given && shift != 0 {
			r.addTo("timestamp.shift", bad("", "has nothing to shift with timestamps=none").hint("leave one of them out"))
		}
		return Timestamp{Kind: AbsentTimestamp}
	case "fixed":
		return Timestamp{Kind: FixedTimestamp, From: shift}
	}
	if given && !s.log.LogAppendTime && r.word("role") == "leader" {
		switch {
		case shift > s.log.TimestampAfterMax:
			r.addTo("timestamp.shift", bad("", fmt.Sprintf("is further ahead than message.timestamp.after.max.ms=%s: Kafka refuses every record",
				s.log.TimestampAfterMax.Text())).hint("raise that setting, or shift less"))
		case -shift > s.log.TimestampBeforeMax:
			r.addTo("timestamp.shift", bad("", fmt.Sprintf("is older than message.timestamp.before.max.ms=%s: Kafka refuses every record",
				s.log.TimestampBeforeMax.Text())).hint("raise that setting, or shift less"))
		}
	}
	return Timestamp{Kind: AppendTimestamp, Shift: shift}
}

// checkTraffic finds what is wrong between settings of the traffic.
func (r *resolver) checkTraffic(w *workload) {
	kind := w.rate
	from := "produce"
	if len(w.series) > 0 {
		kind, from = seriesKind(w.series), "produce.series"
		for _, key := range [...]string{"produce", "produce.daily", "produce.weekly", "produce.growth"} {
			if text, ok := r.in.Given(key); ok && text != settings[slotRow(key)].Default {
				r.addTo(key, bad("", "does not go with produce.series, which says the rate").hint("leave one of them out"))
			}
		}
		for _, p := range w.series {
			if p.rate.PerSecond() > settings[slotRow("produce")].Max {
				r.addTo("produce.series", bad("", fmt.Sprintf("has %s, above the most that is simulated, 1 TiB/s", p.rate)))
				break
			}
		}
	}
	if !w.burst.Zero() && !kind.Zero() && w.burst.records != kind.records {
		want := "bytes, as in 5MiB/s"
		if kind.records {
			want = "records, as in 100 records/s"
		}
		r.addTo("burst.rate", bad("", fmt.Sprintf("does not count what %s counts", from)).hint("give it in "+want))
	}
	if w.stop != Never && w.stop <= w.start && r.sound("produce.start", "produce.stop") {
		r.addTo("produce.stop", bad("", fmt.Sprintf("is not after produce.start=%s", w.start.Text())).hint("give a later time"))
	}
	if w.lasts > w.every && !w.burst.Zero() && r.sound("burst.for", "burst.every") {
		r.addTo("burst.for", badNearest("", fmt.Sprintf("is longer than burst.every=%s", w.every.Text()), w.every.Text()))
	}
	if r.number("backlog") > 0 && r.rate("backlog.rate").Zero() {
		r.addTo("backlog.rate", bad("", "is zero: the backlog never comes").hint("give a rate, as in 100MiB/s"))
	}
	shape := w.batching.shape
	if n := max(w.batching.fixed, 1); shape.BatchBytes(n, 0) > maxBatch || shape.BatchBytes(n, 0) < 0 {
		key := "record.value"
		if w.batching.fixed > 1 {
			key = "batch.records"
		}
		r.addTo(key, bad("", "makes a batch larger than 2147483647 bytes, the most that Kafka's 32 bits hold").
			hint("give smaller records, or fewer in a batch"))
	}
	if w.growth > 0 && r.sound("produce.growth") {
		most := settings[slotRow("produce")].Max
		if w.peak().PerSecond() > most {
			r.addTo("produce.growth", bad("", fmt.Sprintf("grows the rate above the most that is simulated, 1 TiB/s, within horizon=%s", w.until.Text())).
				hint("give less growth, or a shorter horizon"))
		}
	}
}

// fillBacklog works out the backlog's calls.
func (r *resolver) fillBacklog(w *workload) {
	size, rate := r.number("backlog"), r.rate("backlog.rate")
	if size == 0 {
		return
	}
	b := &w.backlog
	b.records = w.batching.records(rate)
	call := int64(w.batching.size(b.records)) * w.perCall
	b.calls = mulDivUp(size, 1, call)
	amount, per := rate.Ratio()
	took := call // what a call takes in the rate's kind
	if rate.Records() {
		took = b.records * w.perCall
	}
	g := gcd(took, amount)
	b.num, b.den = mulDiv(took/g, int64(per), 1), amount/g
	b.end = Millis(mulDivUp(b.calls, b.num, b.den))
	b.age = Millis(r.number("backlog.age"))
}

// topicKey is what is wrong with a key for a step, if anything.
func topicKey(key string) *FieldError {
	i, ok := slotOf[key]
	if !ok {
		e := bad("", fmt.Sprintf("%s is no setting", shown(key)))
		if near := NearestKey(key); near != "" {
			e.Hint = fmt.Sprintf("did you mean %s?", near)
		}
		return e
	}
	row := &settings[slots[i].row]
	switch {
	case slots[i].synonym >= 0 && !row.Own:
		return bad("", fmt.Sprintf("%s is a broker's setting", key)).hint("use the topic's, " + row.Key)
	case !slices.Contains(logKeys[:], key) && key != "internal.segment.bytes":
		return bad("", fmt.Sprintf("%s cannot change while the log runs, or has no effect on it", key))
	}
	return nil
}

// steps is what happens meanwhile, and the copying of tiered storage.
func (r *resolver) steps(s *Scenario) []Step {
	_, text := r.usable("steps")
	texts, _ := parseSteps(text)
	var steps []Step
	period := Millis(r.number("remote.log.manager.task.interval.ms"))
	tiered := s.log.tieredCopy()
	if tiered {
		steps = append(steps, Step{0, CopyEvery{period}})
	}
	now := r.in
	for _, t := range texts {
		switch {
		case t.record:
			run := s.work.calls(1, 1)
			run.Batches = 1
			run.Timestamp = Timestamp{Kind: AppendTimestamp, Shift: t.shift}
			steps = append(steps, Step{t.at, run})
		case t.do != nil:
			steps = append(steps, Step{t.at, t.do})
		default:
			for _, p := range t.sets {
				if err := topicKey(p.Key); err != nil {
					r.inStep(t, err)
					continue
				}
				if err := now.Set(p.Key, p.Value); err != nil {
					r.inStep(t, err.(*FieldError))
				}
			}
			later := newResolver(now)
			c := later.log()
			later.crossChecks(&c)
			for _, p := range later.problems {
				if !slices.ContainsFunc(r.problems, func(q problem) bool { return q.slot == p.slot }) {
					r.inStep(t, p.err)
				}
			}
			steps = append(steps, Step{t.at, Configure{c}})
			if c.tieredCopy() != tiered {
				tiered = !tiered
				every := CopyEvery{}
				if tiered {
					every.Period = period
				}
				steps = append(steps, Step{t.at, every})
			}
		}
	}
	return steps
}

// inStep notes a problem within a step.
func (r *resolver) inStep(t stepText, err *FieldError) {
	what := err.Problem
	if err.Key != "" {
		what = err.Key + "=" + shown(err.Value) + " " + what
	}
	if way := err.WayOut(); way != "" {
		what += "; " + way
	}
	r.addTo("steps", bad("", fmt.Sprintf("%s: %s", shown(t.text), what)))
}

// checkBatch finds a batch that Kafka refuses, so that nothing ever gets into the log.
func (r *resolver) checkBatch(s *Scenario) {
	batch := s.LargestBatch()
	key := "batch.size"
	switch {
	case s.work.batching.fixed > 0:
		key = "batch.records"
	case s.work.batching.size(1) == batch:
		key = "record.value"
	}
	segment := "segment.bytes"
	if r.given("internal.segment.bytes") {
		segment = "internal.segment.bytes"
	}
	switch {
	case !s.work.follower && batch > s.log.MaxMessageBytes:
		r.addTo(key, bad("", fmt.Sprintf("makes batches of %d bytes, above max.message.bytes=%d: Kafka refuses them (RecordTooLargeException)",
			batch, s.log.MaxMessageBytes)).hint("make batches smaller, or raise max.message.bytes"))
	case batch > s.log.SegmentBytes:
		r.addTo(key, bad("", fmt.Sprintf("makes batches of %d bytes, above %s=%d: Kafka refuses them (RecordBatchTooLargeException)",
			batch, segment, s.log.SegmentBytes)).hint("make batches smaller, or raise "+segment))
	case batch*Bytes(s.work.perCall) > s.log.SegmentBytes:
		r.addTo("fetch.batches", bad("", fmt.Sprintf("makes fetches of %d bytes, above %s=%d: Kafka refuses them (RecordBatchTooLargeException)",
			batch*Bytes(s.work.perCall), segment, s.log.SegmentBytes)).hint("fetch fewer batches at once, or raise "+segment))
	}
}

// notFollowed is each setting that was given and that the model does not follow.
func (r *resolver) notFollowed(s *Scenario) []NotFollowed {
	var all []NotFollowed
	for _, g := range r.in.given {
		row := &settings[slots[g.slot].row]
		key := slots[g.slot].key
		switch {
		case row.Key == "cleanup.policy" && s.log.Compact:
			all = append(all, NotFollowed{key, g.text, "compaction is not simulated: the log is as large as if the cleaner never ran"})
		case row.Key == "remote.storage.enable" && s.log.RemoteStorage:
			all = append(all, NotFollowed{key, g.text, "of tiered storage only the local log is simulated, with a remote store that is always there"})
		case !row.Followed && g.text != row.In(r.version).Default:
			all = append(all, NotFollowed{key, g.text, row.Why})
		}
	}
	for key, value := range r.in.Unknown() {
		all = append(all, NotFollowed{key, value, "there is no such setting"})
	}
	return all
}

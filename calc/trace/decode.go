package trace

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/strictjson"
)

// What [Decode] takes at most.
const (
	MaxSize = 64 << 20 // bytes of a file

	maxSteps   = 100_000
	maxCycle   = 100_000           // values or shifts that are used in turn
	maxOffset  = 1 << 62           // offsets that a scenario may reach
	maxSpread  = 1 << 55           // milliseconds from the first to the last record of a batch
	maxCall    = math.MaxInt32     // bytes of one append call; Kafka holds it in one buffer
	maxRepeats = 100_000_000       // periodic tasks of one kind until the end
	maxSamples = 1_000_000         // periodic samples until the end
	defaultNow = 1_700_000_000_000 // epoch_ms
)

// Decode reads a scenario or a trace. It accepts what the recorder accepts and writes, nothing else; an error is an
// [*Error] with the place of the mistake. It fills in the defaults, so that what it returns can be played and written
// as a trace.
func Decode(data []byte) (*Trace, error) {
	if len(data) > MaxSize {
		return nil, &Error{Problem: fmt.Sprintf("more than %d bytes", MaxSize)}
	}
	if !utf8.Valid(data) {
		return nil, &Error{Problem: "not UTF-8 text"}
	}
	d := decoder{Reader: strictjson.NewReader(data)}
	t := d.document()
	if d.Err != nil {
		return nil, d.Err
	}
	if err := complete(t); err != nil {
		return nil, err
	}
	return t, nil
}

// Error is what is wrong with a file, and where.
type Error = strictjson.Error

type decoder struct {
	strictjson.Reader
	given map[string]bool // the document's fields
}

// document reads the whole file. Its fields may come in any order, so what depends on others is left to [complete].
func (d *decoder) document() *Trace {
	t := &Trace{Scenario: Scenario{Epoch: defaultNow, StopAfterEvents: -1, RowLimit: -1}, Order: Order}
	format := ""
	d.given = make(map[string]bool)
	d.Object(func(key string) bool {
		d.given[key] = true
		switch key {
		case "format":
			format = d.Text()
			if format != ScenarioFormat && format != TraceFormat {
				d.Fail("expected %q or %q", ScenarioFormat, TraceFormat)
			}
		case "name":
			t.Name = d.name()
		case "description":
			t.Description = d.Text()
		case "epoch_ms":
			t.Epoch = d.millis(0, math.MaxInt64)
		case "topic":
			t.Topic = d.settings()
		case "broker":
			t.Broker = d.settings()
		case "sample_every_ms":
			t.SampleEvery = d.millis(0, math.MaxInt64)
		case "until_ms":
			t.Until = d.millis(0, math.MaxInt64)
		case "steps":
			d.Array(maxSteps, func(int) { t.Steps = append(t.Steps, d.step()) })
		case "stop_after_events":
			t.StopAfterEvents = d.Number(1, math.MaxInt64)
		case "row_limit":
			t.RowLimit = d.Number(0, math.MaxInt64)
		case "kafka_version":
			t.KafkaVersion = d.version()
		case "order":
			t.Order = d.Text()
		case "events":
			d.Array(MaxSize, func(i int) { t.Events = append(t.Events, d.event()) })
		case "samples":
			d.Array(MaxSize, func(i int) { t.Samples = append(t.Samples, d.sample()) })
		default:
			return false
		}
		return true
	})
	d.End()
	d.fields(format)
	return t
}

// fields checks that the document has the fields of its format and no others.
func (d *decoder) fields(format string) {
	required := []string{"format", "name", "until_ms", "steps"}
	foreign := []string{"kafka_version", "order", "events", "samples"}
	if format == TraceFormat {
		required = append(required, "kafka_version", "topic", "events", "samples")
		foreign = []string{"stop_after_events", "row_limit"}
	}
	d.Path = d.Path[:0]
	d.require(d.given, required...)
	for _, key := range foreign {
		if d.given[key] && d.Err == nil {
			d.Err = &Error{Place: key, Problem: "has no place in " + format}
		}
	}
}

// require fails unless all keys are given.
func (d *decoder) require(given map[string]bool, keys ...string) {
	for _, key := range keys {
		if !given[key] {
			d.Fail("%q is missing", key)
		}
	}
}

func (d *decoder) millis(least, most int64) calc.Millis { return calc.Millis(d.Number(least, most)) }

func (d *decoder) name() string {
	name := d.Text()
	for _, c := range []byte(name) {
		letter := 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && !('0' <= c && c <= '9') && c != '.' && c != '_' && c != '-' {
			d.Fail("use letters, digits, '.', '_' and '-' only")
			return ""
		}
	}
	if name == "" {
		d.Fail("is empty")
	}
	return name
}

func (d *decoder) version() string {
	version := d.Text()
	if _, ok := parseVersion(version); !ok {
		d.Fail("%q is not a Kafka release such as 4.3.1", strictjson.Shorten(version))
	}
	return version
}

// settings reads an object of plain values.
func (d *decoder) settings() Settings {
	var settings Settings
	d.Object(func(key string) bool {
		text := ""
		switch c := d.Peek(); {
		case c == '"':
			text = d.Text()
		case d.Word("true"):
			text = "true"
		case d.Word("false"):
			text = "false"
		case c == '-' || '0' <= c && c <= '9':
			text = d.Digits()
		default:
			d.Fail("expected a number, true, false or text")
		}
		settings = append(settings, Setting{key, text})
		return true
	})
	return settings
}

// step reads {"at": time, KIND: …}.
func (d *decoder) step() Step {
	var s Step
	at, kinds := false, 0
	d.Object(func(key string) bool {
		kinds++
		switch key {
		case "at":
			at = true
			kinds--
			s.At = d.millis(0, math.MaxInt64)
		case "append":
			d.append(&s)
		case "configure":
			s.Changed = d.settings()
			s.Do = calc.Configure{} // [complete] fills it in
		case "delete_records":
			s.Do = calc.DeleteRecords{Before: calc.Offset(d.only("before"))}
		case "restart":
			s.Do = d.restart()
		case "high_watermark":
			s.Do = d.highWatermark()
		case "copied_to":
			s.Do = calc.CopiedTo{Offset: calc.Offset(d.Number(0, math.MaxInt64))}
		case "copy_every":
			s.Do = calc.CopyEvery{Period: d.millis(0, math.MaxInt64)}
		case "delete_topic":
			if !d.Word("true") {
				d.Fail("expected true")
			}
			s.Do = calc.DeleteTopic{}
		default:
			return false
		}
		return true
	})
	if !at || kinds != 1 {
		d.Fail("a step has \"at\" and exactly one thing to do")
	}
	return s
}

// only reads an object with one field, a number that is not negative.
func (d *decoder) only(field string) (n int64) {
	given := false
	d.Object(func(key string) bool {
		if key != field {
			return false
		}
		given = true
		n = d.Number(0, math.MaxInt64)
		return true
	})
	if !given {
		d.Fail("%q is missing", field)
	}
	return n
}

func (d *decoder) restart() calc.Restart {
	var r calc.Restart
	given := false
	d.Object(func(key string) bool {
		switch key {
		case "down_ms":
			given = true
			r.Down = d.millis(0, math.MaxInt64)
		case "clean":
			if !d.Word("true") {
				d.Fail("only clean restarts can be recorded")
			}
		default:
			return false
		}
		return true
	})
	if !given {
		d.Fail("%q is missing", "down_ms")
	}
	return r
}

// What [calc.HighWatermark] means by these offsets.
const (
	followLogEnd = -1
	freezeHere   = -2
)

func (d *decoder) highWatermark() calc.HighWatermark {
	if d.Peek() != '"' {
		return calc.HighWatermark{Offset: calc.Offset(d.Number(0, math.MaxInt64))}
	}
	switch d.Text() {
	case "follow":
		return calc.HighWatermark{Offset: followLogEnd}
	case "freeze":
		return calc.HighWatermark{Offset: freezeHere}
	}
	d.Fail("expected \"follow\", \"freeze\" or an offset")
	return calc.HighWatermark{}
}

// append reads a row of append calls. The sizes of the batches are those that the file states, or else follow from the
// records.
func (d *decoder) append(s *Step) {
	a := calc.Append{Count: 1, IntervalDen: 1, Records: 1, Batches: 1, Offset: -1, Producer: -1, Producers: 1}
	s.Key = -1
	every, values := false, false
	var stated []int64
	d.Object(func(key string) bool {
		switch key {
		case "every":
			every = true
			a.IntervalNum = d.Number(0, math.MaxInt64)
		case "count":
			a.Count = d.Number(1, math.MaxInt32)
		case "records":
			a.Records = d.Number(1, 1_000_000)
		case "key":
			s.Key = d.Number(-1, math.MaxInt32)
		case "value":
			values = true
			s.Values = d.numbers(-1, math.MaxInt32)
		case "batch":
			stated = d.numbers(int64(calc.BatchHeader), maxCall)
		case "timestamp":
			a.Timestamp = d.timestamp()
		case "spread":
			a.Spread = d.millis(0, math.MaxInt64)
		case "role":
			a.Follower = d.role()
		case "batches":
			a.Batches = d.Number(1, 100_000)
		case "producer":
			a.Producer = d.Number(-1, math.MaxInt64)
		case "producers":
			a.Producers = d.Number(1, math.MaxInt32)
		case "offset":
			a.Offset = calc.Offset(d.Number(-1, math.MaxInt64))
		default:
			return false
		}
		return true
	})
	switch {
	case !values:
		d.Fail("%q is missing", "value")
	case !every && a.Count > 1:
		d.Fail("%q is missing", "every")
	case !a.Follower && (a.Batches > 1 || a.Offset >= 0):
		d.Fail("\"batches\" and \"offset\" are for followers")
	case stated != nil && len(stated) != len(s.Values):
		d.Fail("%d sizes of batches for %d values", len(stated), len(s.Values))
	case a.Records > 1 && int64(a.Spread) > maxSpread/(a.Records-1):
		d.Fail("a spread of %d over %d records is more than %d", a.Spread, a.Records, int64(maxSpread))
	}
	if d.Err != nil {
		return
	}
	sizes := make([]calc.Bytes, len(s.Values))
	for i := range sizes {
		if stated != nil {
			sizes[i] = calc.Bytes(stated[i])
		} else {
			sizes[i] = batchBytes(&a, s.Key, s.Values[i])
		}
	}
	if len(sizes) == 1 {
		a.Batch = sizes[0]
	} else {
		a.Cycle = sizes
	}
	if a.Producer < 0 {
		a.Producers = 1
	}
	s.Do = a
}

// batchBytes is the size of a batch as the producer makes it. The records of a batch without timestamps all have -1.
func batchBytes(a *calc.Append, key, value int64) calc.Bytes {
	spread := a.Spread
	if a.Timestamp.Kind == calc.AbsentTimestamp {
		spread = 0
	}
	return calc.RecordShape{Key: calc.Bytes(key), Value: calc.Bytes(value)}.BatchBytes(a.Records, spread)
}

func (d *decoder) role() (follower bool) {
	switch d.Text() {
	case "leader":
		return false
	case "follower":
		return true
	}
	d.Fail("expected \"leader\" or \"follower\"")
	return false
}

// timestamp reads "append", "none", {"fixed": x}, {"shift": x}, {"shift": [x, …]} or {"from": x, "step": y}.
func (d *decoder) timestamp() calc.Timestamp {
	var t calc.Timestamp
	if d.Peek() == '"' {
		switch d.Text() {
		case "append":
		case "none":
			t.Kind = calc.AbsentTimestamp
		default:
			d.Fail("expected \"append\", \"none\" or an object")
		}
		return t
	}
	fields := ""
	d.Object(func(key string) bool {
		switch key {
		case "fixed", "from":
			t.Kind = calc.FixedTimestamp
			t.From = d.millis(math.MinInt64, math.MaxInt64)
		case "step":
			t.Step = d.millis(math.MinInt64, math.MaxInt64)
		case "shift":
			shifts := d.numbers(math.MinInt64, math.MaxInt64)
			if len(shifts) == 1 {
				t.Shift = calc.Millis(shifts[0])
				break
			}
			t.Kind = calc.CycledTimestamp
			for _, shift := range shifts {
				t.Shifts = append(t.Shifts, calc.Millis(shift))
			}
		default:
			return false
		}
		fields += key + " "
		return true
	})
	switch fields {
	case "fixed ", "shift ", "from step ", "step from ":
	default:
		d.Fail("expected \"fixed\", \"shift\", or \"from\" and \"step\"")
	}
	return t
}

var eventKinds = map[string]bool{"roll": true, "replace": true, "delete": true, "removed": true, "reject": true,
	"copied": true, "stop": true, "start": true, "delete_topic": true}

func (d *decoder) event() Event {
	var e Event
	t := false
	d.Object(func(key string) bool {
		switch key {
		case "t":
			t = true
			e.T = d.millis(0, math.MaxInt64)
		case "kind":
			if e.Kind = d.Text(); !eventKinds[e.Kind] {
				d.Fail("%q is no kind of event", strictjson.Shorten(e.Kind))
			}
		case "base":
			e.HasBase = true
			e.Base = calc.Offset(d.Number(0, math.MaxInt64))
		case "reason":
			e.Reason = d.Text()
		default:
			return false
		}
		return true
	})
	if !t || e.Kind == "" {
		d.Fail("an event has \"t\" and \"kind\"")
	}
	return e
}

// sampleKinds are what a sample's "why" may be.
var sampleKinds = map[string]bool{"periodic": true, "events": true, "step": true, "end": true}

func (d *decoder) sample() Sample {
	s := Sample{LocalStart: -1}
	given := make(map[string]bool, 11)
	d.Object(func(key string) bool {
		given[key] = true
		switch key {
		case "t":
			s.T = d.millis(0, math.MaxInt64)
		case "why":
			if s.Why = d.Text(); !sampleKinds[s.Why] {
				d.Fail("%q is no kind of sample", strictjson.Shorten(s.Why))
			}
		case "log_start":
			s.LogStart = calc.Offset(d.Number(0, math.MaxInt64))
		case "local_start":
			s.LocalStart = calc.Offset(d.Number(0, math.MaxInt64))
		case "log_end":
			s.LogEnd = calc.Offset(d.Number(0, math.MaxInt64))
		case "size":
			s.Size = calc.Bytes(d.Number(0, math.MaxInt64))
		case "apparent":
			s.Apparent = calc.Bytes(d.Number(0, math.MaxInt64))
		case "allocated":
			s.Allocated = calc.Bytes(d.Number(0, math.MaxInt64))
		case "segments":
			s.Segments = d.rows()
		case "deleted":
			s.Deleted = d.rows()
		case "other":
			s.Other = d.files()
		default:
			return false
		}
		return true
	})
	d.require(given, "t", "why", "log_start", "log_end", "size", "apparent", "allocated")
	s.HasRows = given["segments"]
	if given["deleted"] != s.HasRows || given["other"] != s.HasRows {
		d.Fail("\"segments\", \"deleted\" and \"other\" come together")
	}
	return s
}

// rows reads a table of files, in ascending order of base offset.
func (d *decoder) rows() []Row {
	var rows []Row
	d.Array(MaxSize, func(int) {
		var row Row
		n := 0
		d.Array(len(row), func(i int) {
			least := int64(-1)
			if i == 0 {
				least = 0
			}
			row[i] = d.Number(least, math.MaxInt64)
			n++
		})
		if n < len(row) {
			d.Fail("expected %d numbers", len(row))
		}
		if len(rows) > 0 && rows[len(rows)-1][0] >= row[0] {
			d.Fail("base offset %d comes after %d", row[0], rows[len(rows)-1][0])
		}
		rows = append(rows, row)
	})
	return rows
}

func (d *decoder) files() []File {
	var files []File
	d.Object(func(name string) bool {
		files = append(files, File{name, calc.Bytes(d.Number(0, math.MaxInt64))})
		return true
	})
	return files
}

// complete fills in what depends on several fields, and checks what the whole may not be: anything that would make
// playing it overflow or take for ever.
func complete(t *Trace) error {
	t.Topic, t.Broker = filledTopic(t.Topic), filledBroker(t.Broker)
	t.Log, t.Server = calc.DefaultLogConfig(), calc.DefaultBrokerConfig()
	if key, err := configureLog(&t.Log, t.Topic); err != nil {
		return &Error{Place: "topic." + key, Problem: err.Error()}
	}
	if key, err := configureBroker(&t.Server, t.Broker); err != nil {
		return &Error{Place: "broker." + key, Problem: err.Error()}
	}
	if err := bounded(t); err != nil {
		return err
	}
	log := t.Log
	var last, down calc.Millis
	deleted := false
	var offsets int64
	for i := range t.Steps {
		step := &t.Steps[i]
		place := "steps[" + strconv.Itoa(i) + "]"
		if step.At < last {
			return &Error{Place: place + ".at", Problem: fmt.Sprintf("steps must be in time order, %d comes after %d", step.At, last)}
		}
		last = step.At
		_, appends := step.Do.(calc.Append)
		switch {
		case step.At > t.Until && t.KafkaVersion == "":
			return &Error{Place: place + ".at", Problem: fmt.Sprintf("%d is after the end at %d", step.At, t.Until)}
		case deleted:
			return &Error{Place: place, Problem: "the topic is deleted"}
		case step.At < down && !appends:
			return &Error{Place: place, Problem: fmt.Sprintf("the broker is down until %d", down)}
		}
		switch do := step.Do.(type) {
		case calc.Configure:
			place += ".configure"
			if key, err := configureLog(&log, step.Changed); err != nil {
				return &Error{Place: place + "." + key, Problem: err.Error()}
			}
			step.Do = calc.Configure{Log: log}
		case calc.Append:
			if problem := checkAppend(&do, step.At, t, &offsets); problem != "" {
				return &Error{Place: place + ".append", Problem: problem}
			}
		case calc.Restart:
			// A trace that stopped early goes on with steps that were not played.
			if do.Down > calc.Never-1-step.At || step.At <= t.Until && do.Down > t.Until-step.At {
				return &Error{Place: place + ".restart.down_ms", Problem: fmt.Sprintf("%d is more than is left until the end", do.Down)}
			}
			down = step.At + do.Down
		case calc.DeleteTopic:
			deleted = true
		case calc.CopyEvery:
			if do.Period > 0 && t.Until/do.Period > maxRepeats {
				return &Error{Place: place + ".copy_every", Problem: tooOften(t.Until, do.Period, maxRepeats)}
			}
		}
	}
	return inOrder(t)
}

// bounded checks that periodic things do not happen too often.
func bounded(t *Trace) error {
	if t.Until > calc.Never-1-t.Epoch {
		return &Error{Place: "until_ms", Problem: "ends after the last time there is"}
	}
	if t.SampleEvery > 0 && t.Until/t.SampleEvery > maxSamples {
		return &Error{Place: "sample_every_ms", Problem: tooOften(t.Until, t.SampleEvery, maxSamples)}
	}
	if n := t.Server.RetentionCheckInterval; t.Until/n > maxRepeats {
		return &Error{Place: "broker.log.retention.check.interval.ms", Problem: tooOften(t.Until, n, maxRepeats)}
	}
	if n := t.Server.ProducerExpirationCheck; t.Until/n > maxRepeats {
		return &Error{Place: "broker.producer.id.expiration.check.interval.ms", Problem: tooOften(t.Until, n, maxRepeats)}
	}
	return nil
}

func tooOften(until, period calc.Millis, most int64) string {
	return fmt.Sprintf("%d ms come %d times until %d ms; at most %d times", period, until/period, until, most)
}

// checkAppend says what is wrong with a row of calls, "" for nothing. It adds the offsets that the row may use.
func checkAppend(a *calc.Append, at calc.Millis, t *Trace, offsets *int64) string {
	if a.IntervalNum > 0 && a.Count-1 > (math.MaxInt64-int64(at))/a.IntervalNum {
		return "the last call comes after the last time there is"
	}
	if a.Offset >= 0 {
		*offsets = max(*offsets, int64(a.Offset))
	}
	call := a.Batches * a.Records // at most 10^11
	if *offsets > maxOffset || a.Count > (maxOffset-*offsets)/call {
		return "more records than there are offsets"
	}
	*offsets += a.Count * call
	if bytes := largestCall(a); bytes > maxCall {
		return fmt.Sprintf("a call of %d bytes; Kafka takes at most %d", bytes, maxCall)
	}
	return checkTimestamps(a, at, t)
}

// largestCall is the most bytes that one call has: any of the windows of Batches batches.
func largestCall(a *calc.Append) calc.Bytes {
	n := int64(len(a.Cycle))
	if n == 0 {
		return a.Batch * calc.Bytes(a.Batches)
	}
	var whole calc.Bytes
	for _, size := range a.Cycle {
		whole += size
	}
	window := calc.Bytes(0)
	for i := range a.Batches % n {
		window += a.Cycle[i]
	}
	largest := window
	for i := range n {
		window += a.Cycle[(i+a.Batches)%n] - a.Cycle[i]
		largest = max(largest, window)
	}
	return whole*calc.Bytes(a.Batches/n) + largest
}

// checkTimestamps says whether a batch that is appended until the end gets a timestamp that Kafka cannot store.
func checkTimestamps(a *calc.Append, at calc.Millis, t *Trace) string {
	if at > t.Until {
		return ""
	}
	calls := a.Count
	if a.IntervalNum > 0 {
		calls = min(calls, int64(t.Until-at)/a.IntervalNum+1)
	}
	call := func(i int64) calc.Millis { return t.Epoch + at + calc.Millis(i*a.IntervalNum) }
	first, last := call(0), call(calls-1)
	records := a.Spread * calc.Millis(a.Records-1)
	fits := func(base, shift calc.Millis) bool {
		sum := base + shift
		if (sum < base) != (shift < 0) {
			return false
		}
		return sum >= -1 && sum <= math.MaxInt64-records
	}
	const problem = "batch %d gets the timestamp %d%+d; it must be at least -1 and fit in 64 bits"
	switch a.Timestamp.Kind {
	case calc.AppendTimestamp:
		if !fits(first, a.Timestamp.Shift) || !fits(last, a.Timestamp.Shift) {
			return fmt.Sprintf(problem, 0, first, a.Timestamp.Shift)
		}
	case calc.CycledTimestamp:
		n := int64(len(a.Timestamp.Shifts))
		for i, shift := range a.Timestamp.Shifts {
			i := int64(i)
			if i >= calls*a.Batches {
				break
			}
			end := (calls*a.Batches-1-i)/n*n + i // the last batch with this shift
			if !fits(call(i/a.Batches), shift) || !fits(call(end/a.Batches), shift) {
				return fmt.Sprintf(problem, i, call(i/a.Batches), shift)
			}
		}
	case calc.FixedTimestamp:
		end := calls*a.Batches - 1
		step := int64(a.Timestamp.Step)
		if end > 0 && (step > math.MaxInt64/2/end || step < -math.MaxInt64/2/end) {
			return fmt.Sprintf("a step of %d ms over %d batches does not fit in 64 bits", step, end+1)
		}
		if !fits(t.Epoch, a.Timestamp.From) {
			return fmt.Sprintf(problem, 0, t.Epoch, a.Timestamp.From)
		}
		if start := t.Epoch + a.Timestamp.From; !fits(start, calc.Millis(step*end)) {
			return fmt.Sprintf(problem, end, start, step*end)
		}
	}
	return ""
}

// inOrder checks that events and samples are in time order.
func inOrder(t *Trace) error {
	const problem = "%d comes after %d"
	for i := 1; i < len(t.Events); i++ {
		if now, last := t.Events[i].T, t.Events[i-1].T; now < last {
			return &Error{Place: "events[" + strconv.Itoa(i) + "].t", Problem: fmt.Sprintf(problem, now, last)}
		}
	}
	for i := 1; i < len(t.Samples); i++ {
		if now, last := t.Samples[i].T, t.Samples[i-1].T; now < last {
			return &Error{Place: "samples[" + strconv.Itoa(i) + "].t", Problem: fmt.Sprintf(problem, now, last)}
		}
	}
	return nil
}

// numbers reads a whole number or a non-empty array of them.
func (d *decoder) numbers(least, most int64) []int64 {
	if d.Peek() != '[' {
		n := d.Number(least, most)
		return []int64{n}
	}
	var list []int64
	d.Array(maxCycle, func(int) { list = append(list, d.Number(least, most)) })
	if len(list) == 0 {
		d.Fail("expected at least one number")
	}
	return list
}

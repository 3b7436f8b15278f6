package calc

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"pgregory.net/rapid"
)

// anyPlan draws a plan of a few hundred calls at most. Its times are multiples of one unit and its sizes of one batch, and
// a millisecond or a byte more or less, so that conditions are often met exactly; among them come the least and the
// largest legal values.
func anyPlan(t *rapid.T) Plan {
	d := drawing{t: t, unit: pick(t, "unit", Millis(1), 2, 7, 100, 1000)}
	d.batch = pick(t, "batch", Bytes(68), 100, 300, 1000, 4096, 5000, 1<<20, 700<<20)
	d.epoch = pick(t, "epoch", Millis(1_700_000_000_000), 1_700_000_000_000, 0, 1<<40)
	d.until = d.unit * Millis(rapid.IntRange(1, 120).Draw(t, "until"))
	d.remote = oneIn(t, "remote storage", 5)
	d.calls = pick(t, "calls", int64(20), 60, 100, 200)
	p := Plan{
		Log: d.log(), Broker: d.broker(), Epoch: d.epoch, Until: d.until,
		Version: pick(t, "version", V4_3, V4_3, V4_3, V4_3, V4_4, 30901, 30900, V4_0, V2_8, 30600, V3_7),
		Seed:    rapid.Uint64().Draw(t, "seed"),
	}
	d.base = p.Log
	if p.Log.SegmentBytes > 100*d.batch {
		d.calls *= 10 // of which segments are few
	}
	list := d.steps()
	p.Steps = &list
	return p
}

// drawing is a plan that is being drawn.
type drawing struct {
	t      *rapid.T
	unit   Millis // of time
	batch  Bytes  // of size
	epoch  Millis
	until  Millis
	remote bool
	calls  int64     // that are left
	offset Offset    // about how many records were appended
	base   LogConfig // the first configuration
}

func pick[T any](t *rapid.T, label string, from ...T) T {
	return rapid.SampledFrom(from).Draw(t, label)
}

func oneIn(t *rapid.T, label string, n int) bool { return rapid.IntRange(1, n).Draw(t, label) == n }

// near is a few units, and often one more or less.
func near[T ~int64](t *rapid.T, label string, unit T, most int) T {
	return max(0, unit*T(rapid.IntRange(0, most).Draw(t, label))+pick(t, label+" off", T(0), 0, 0, 1, -1))
}

// millis is a duration of at least least: a few units, a boundary, or one of others.
func (d *drawing) millis(label string, least Millis, others ...Millis) Millis {
	if oneIn(d.t, label+" rare", 4) {
		return pick(d.t, label, append(others, math.MaxInt64, math.MaxInt64-1, least)...)
	}
	return max(least, near(d.t, label, d.unit, 20))
}

// bytes is a size, likewise.
func (d *drawing) bytes(label string, least Bytes, others ...Bytes) Bytes {
	if oneIn(d.t, label+" rare", 4) {
		return pick(d.t, label, append(others, least)...)
	}
	return max(least, near(d.t, label, d.batch, 8))
}

func (d *drawing) log() LogConfig {
	c := DefaultLogConfig()
	least := 2 * d.batch
	if oneIn(d.t, "small segments", 8) {
		least = 14 // most calls are refused
	}
	c.SegmentBytes = min(d.bytes("segment.bytes", least, math.MaxInt32, math.MaxInt32, 3*d.batch), math.MaxInt32)
	c.SegmentMs = d.millis("segment.ms", 1, 7*Day)
	if oneIn(d.t, "jitter", 8) {
		c.SegmentJitterMs = d.millis("segment.jitter.ms", 0)
	}
	c.SegmentIndexBytes = pick(d.t, "segment.index.bytes", Bytes(10<<20), 10<<20, 12, 16, 23, 24, 35, 36, 40, 48, 60, 96, 100, 1000, 4096)
	c.IndexIntervalBytes = min(d.bytes("index.interval.bytes", 0, 0, 1, 4096, math.MaxInt32), math.MaxInt32)
	c.RetentionMs = d.millis("retention.ms", 0, Unlimited, Unlimited, 7*Day)
	c.RetentionBytes = Unlimited
	if oneIn(d.t, "size retention", 2) {
		c.RetentionBytes = d.bytes("retention.bytes", 0, math.MaxInt64, d.batch)
	}
	if d.remote {
		c.RemoteStorage = true
		c.RemoteCopyDisable = oneIn(d.t, "remote.log.copy.disable", 5)
		c.LocalRetentionMs = d.millis("local.retention.ms", 0, -2, -2, Unlimited)
		c.LocalRetentionBytes = pick(d.t, "local.retention.bytes", Bytes(-2), -1, 0, d.batch, 3*d.batch)
	}
	c.FileDeleteDelayMs = d.millis("file.delete.delay.ms", 0, 0, Minute)
	c.MaxMessageBytes = math.MaxInt32
	if oneIn(d.t, "max.message.bytes", 10) {
		c.MaxMessageBytes = min(near(d.t, "max.message.bytes", d.batch, 2), math.MaxInt32)
	}
	c.TimestampAfterMax, c.TimestampBeforeMax = Never, Never
	if oneIn(d.t, "timestamps refused", 6) {
		c.TimestampAfterMax = d.millis("message.timestamp.after.max.ms", 0)
		c.TimestampBeforeMax = d.millis("message.timestamp.before.max.ms", 0)
	}
	c.LogAppendTime = oneIn(d.t, "LogAppendTime", 8)
	c.Preallocate = oneIn(d.t, "preallocate", 6)
	switch rapid.IntRange(0, 20).Draw(d.t, "cleanup.policy") {
	case 20:
		c.Delete = false
	case 19:
		c.Compact = true
		c.MaxCompactionLagMs = d.millis("max.compaction.lag.ms", 1)
	}
	return c
}

func (d *drawing) broker() BrokerConfig {
	b := DefaultBrokerConfig()
	b.RetentionCheckInterval = max(1, d.unit*Millis(rapid.IntRange(1, 10).Draw(d.t, "check interval")))
	b.InitialTaskDelay = d.unit * Millis(rapid.IntRange(0, 4).Draw(d.t, "initial delay"))
	b.ProducerExpirationCheck = max(1, d.unit*Millis(rapid.IntRange(1, 10).Draw(d.t, "expiry check")))
	b.ProducerExpiration = d.millis("producer.id.expiration.ms", 1, Day)
	b.SegmentDeleteDelay = d.millis("log.segment.delete.delay.ms", 0, Minute)
	return b
}

// steps are in order of time, some at the same.
func (d *drawing) steps() StepList {
	var steps StepList
	at := Millis(0)
	for i := range rapid.IntRange(1, 8).Draw(d.t, "steps") {
		if i > 0 {
			at += pick(d.t, "later", 0, d.unit, near(d.t, "later", d.unit, 20))
		}
		if at > d.until {
			break
		}
		var do Action
		switch pick(d.t, "step", "append", "append", "append", "append", "append", "configure", "delete records", "restart", "restart", "hold",
			"copied to", "copy every", "delete topic") {
		case "append":
			do = d.append()
		case "configure":
			c := d.log()
			if oneIn(d.t, "little", 2) {
				// Little changes, so that what was learnt of the log stays of use.
				few := d.base
				few.SegmentBytes, few.SegmentMs, few.RetentionMs = c.SegmentBytes, c.SegmentMs, c.RetentionMs
				c = few
			}
			do = Configure{c}
		case "delete records":
			do = DeleteRecords{near(d.t, "before", max(1, d.offset/4), 5)}
		case "restart":
			down := pick(d.t, "down", 0, 1, near(d.t, "down", d.unit, 20))
			do = Restart{down}
			steps = append(steps, Step{at, do})
			at = plus(at, down) // other steps than appends have no place while the broker is down
			continue
		case "hold":
			do = HighWatermark{pick(d.t, "high watermark", Offset(-2), -2, -1, -1, near(d.t, "high watermark", max(1, d.offset/4), 5))}
		case "copied to":
			do = CopiedTo{near(d.t, "copied", max(1, d.offset/4), 5)}
		case "copy every":
			do = CopyEvery{d.unit * Millis(rapid.IntRange(0, 5).Draw(d.t, "copy every"))}
		case "delete topic":
			if i == 0 || oneIn(d.t, "topic goes", 2) {
				continue
			}
			return append(steps, Step{at, DeleteTopic{}})
		}
		steps = append(steps, Step{at, do})
	}
	return steps
}

func (d *drawing) append() Append {
	t := d.t
	a := Append{Count: 1, IntervalDen: 1, Batch: d.size(), Batches: 1, Offset: -1, Producer: -1, Producers: 1}
	if most := min(d.calls, max(120, d.calls/2)); most > 0 {
		a.Count = rapid.Int64Range(1, most).Draw(t, "count")
		d.calls -= a.Count
	}
	if a.Count > 1 {
		a.IntervalNum = int64(pick(t, "interval", 0, 1, 2, d.unit-1, d.unit, d.unit, d.unit+1, 5*d.unit, math.MaxInt64))
		a.IntervalDen = pick(t, "interval den", int64(1), 1, 1, 2, 3, 7, 10, int64(d.unit)+1)
	}
	if oneIn(t, "cycle", 8) {
		for range rapid.IntRange(2, 4).Draw(t, "cycle length") {
			a.Cycle = append(a.Cycle, d.size())
		}
	}
	a.Records = pick(t, "records", int64(1), 1, 1, 2, 3, 10)
	if oneIn(t, "many records", 15) {
		a.Records = pick(t, "records", int64(math.MaxInt32), math.MaxInt32+1, math.MaxInt32/2, 1<<29)
	}
	if oneIn(t, "follower", 4) {
		a.Follower = true
		a.Batches = rapid.Int64Range(1, 5).Draw(t, "batches")
		if oneIn(t, "gap", 4) {
			a.Offset = max(0, d.offset+pick(t, "offset", Offset(0), 1, 5, math.MaxInt32-1, math.MaxInt32, math.MaxInt32+1))
		}
	}
	d.offset += Offset(a.Count * a.Batches * a.Records)
	if oneIn(t, "spread", 8) {
		a.Spread = pick(t, "spread", 1, d.unit, 5*d.unit)
		a.Records = min(a.Records, 10)
	}
	if oneIn(t, "producers", 3) {
		a.Producer = pick(t, "producer", int64(0), 1, 3, 1000)
		a.Producers = pick(t, "producers", int64(1), 2, 3, 7, 300)
	}
	a.Aborts = oneIn(t, "aborts", 15)
	a.Timestamp = d.timestamp(a.Count * a.Batches)
	return a
}

func (d *drawing) size() Bytes {
	return pick(d.t, "size", d.batch, d.batch, d.batch, d.batch+1, d.batch-1, 2*d.batch, 61)
}

// timestamp stamps batches of which there are n. None is before 1970.
func (d *drawing) timestamp(n int64) (s Timestamp) {
	t := d.t
	now := d.epoch
	shift := func() Millis {
		x := d.unit*Millis(rapid.IntRange(-10, 10).Draw(t, "shift")) + pick(t, "shift off", Millis(0), 0, 1, -1)
		if oneIn(t, "far shift", 8) {
			x = pick(t, "shift", -now, 1<<61, 3650*Day, -3650*Day)
		}
		return max(x, -now)
	}
	switch pick(t, "timestamp", "append", "append", "append", "shift", "cycle", "fixed", "step", "none") {
	case "shift":
		s.Shift = shift()
	case "cycle":
		s.Kind = CycledTimestamp
		for range rapid.IntRange(2, 5).Draw(t, "shifts") {
			s.Shifts = append(s.Shifts, shift())
		}
	case "fixed":
		s.Kind, s.From = FixedTimestamp, shift()
	case "step":
		s.Kind, s.From = FixedTimestamp, shift()
		s.Step = pick(t, "stamp step", 1, -1, 0, d.unit, 3*d.unit, 1<<40)
		if s.Step < 0 {
			s.From = max(s.From, Millis(n)-now)
		}
	case "none":
		s.Kind = AbsentTimestamp
	}
	return s
}

// describe is the plan in the words of Go, but for fields that have their usual value.
func describe(p Plan) string {
	var b strings.Builder
	fields := func(value, usual any) {
		v, u := reflect.ValueOf(value), reflect.ValueOf(usual)
		fmt.Fprintf(&b, "%s{", v.Type().Name())
		for i := range v.NumField() {
			f := v.Field(i)
			if !u.IsValid() || !reflect.DeepEqual(f.Interface(), u.Field(i).Interface()) {
				fmt.Fprintf(&b, " %s:%s", v.Type().Field(i).Name, strings.TrimPrefix(fmt.Sprintf("%#v", f.Interface()), "calc."))
			}
		}
		b.WriteString(" }\n")
	}
	fmt.Fprintf(&b, "version %d, epoch %d, until %d, seed %d\n", int(p.Version), int64(p.Epoch), int64(p.Until), p.Seed)
	fields(p.Log, DefaultLogConfig())
	fields(p.Broker, DefaultBrokerConfig())
	for _, step := range listed(p) {
		fmt.Fprintf(&b, "%6d ", int64(step.At))
		switch do := step.Do.(type) {
		case Configure:
			fields(do.Log, p.Log)
		case Append:
			fields(do, Append{Count: 1, IntervalDen: 1, Records: 1, Batches: 1, Offset: -1, Producer: -1, Producers: 1})
		default:
			fmt.Fprintf(&b, "%#v\n", do)
		}
	}
	return b.String()
}

// listed are the steps of a plan.
func listed(p Plan) []Step {
	source := p.Steps.Clone()
	var steps []Step
	for step, ok := source.Next(); ok; step, ok = source.Next() {
		steps = append(steps, step)
	}
	return slices.Clip(steps)
}

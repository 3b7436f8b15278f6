package trace

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"

	"github.com/partsize/partsize/calc"
)

// Generate draws a scenario: a topic whose settings are near each other's edges, one to five rows of appends, and now
// and then something else that happens. The same seed gives the same scenario everywhere and always: draws are whole
// numbers from PCG, which Go specifies, and no floating point is used.
//
// The settings are drawn together so that most scenarios do something: the batch size gives a few to a hundred rolls
// by size, and periods, retention and delays follow the time that the appends take.
func Generate(seed uint64) *Scenario {
	g := generator{draw: newDraw(seed)}
	g.shape()
	s := g.scenario()
	s.Name = fmt.Sprintf("random-%04d", seed)
	s.Description = fmt.Sprintf("conformance -seeds %d", seed)
	t := Trace{Scenario: s}
	if err := complete(&t); err != nil {
		panic(fmt.Sprintf("trace: seed %d draws a scenario that cannot be: %v", seed, err))
	}
	return &t.Scenario
}

// generator draws one scenario.
type generator struct {
	draw
	appends      int64 // calls, about
	period       int64 // milliseconds between calls, mostly
	span         int64 // milliseconds that the appends take, about
	segmentBytes int64
	batch        int64 // bytes of a batch, about
	check        int64 // milliseconds between retention checks
	tiered       bool
	ahead        bool  // whether timestamps may be far ahead
	end          int64 // records appended so far, when none is refused

	// Kafka tests for a full index once per append and fails when the batches of one append then fill it. So several
	// batches in a call and small indexes mostly go into different scenarios.
	chunks bool

	localMs, localBytes int64 // local retention at the start
}

const (
	second = int64(calc.Second)
	minute = int64(calc.Minute)
	hour   = int64(calc.Hour)
	day    = int64(calc.Day)
)

// shape draws what all else depends on.
func (g *generator) shape() {
	g.appends = g.logUniform(40, 6000)
	g.period = g.pick(
		option{3, func() int64 { return g.logUniform(1, second) }},
		option{4, func() int64 { return g.logUniform(second, minute) }},
		option{3, func() int64 { return g.logUniform(minute, hour) }})
	g.span = g.appends * g.period
	g.segmentBytes = g.logUniform(1024, 4<<20)
	rolls := g.logUniform(3, 120)
	g.batch = max(70, min(g.part(g.segmentBytes, 200, 1000), g.segmentBytes*rolls/g.appends))
	g.check = g.pick(
		option{4, func() int64 { return g.span / g.between(3, 60) }},
		just(1, 5*minute), just(1, minute), just(1, second))
	g.check = max(g.check, g.span/1500, 1)
	if rounded := (g.check + 500) / 1000 * 1000; g.chance(400) && rounded > 0 {
		g.check = rounded
	}
	g.tiered = g.chance(120)
	g.ahead = g.chance(500)
	g.chunks = g.chance(300)
}

func (g *generator) topic() Settings {
	var t Settings
	number := func(key string, n int64) { t = append(t, Setting{key, strconv.FormatInt(n, 10)}) }
	number("segment.bytes", g.segmentBytes)
	number("segment.ms", g.pick(
		just(4, 7*day),
		option{5, func() int64 { return max(1, g.period*g.logUniform(2, 400)+g.between(-1, 1)) }},
		just(1, g.period)))
	indexBytes := int64(10 << 20)
	if !g.chunks || g.chance(50) {
		indexBytes = g.pick(
			just(3, 10<<20),
			option{3, func() int64 { return g.logUniform(100, 1<<20) }},
			option{2, func() int64 { return g.between(24, 200) }},
			option{1, func() int64 { return g.one(12, 13, 23, 24, 35, 36, 47, 48) }})
	}
	number("segment.index.bytes", indexBytes)
	number("index.interval.bytes", g.pick(
		just(4, 4096), just(2, 0), just(1, 1),
		option{3, func() int64 { return g.near(g.batch * g.between(0, 5)) }},
		just(1, math.MaxInt32),
		option{2, func() int64 { return g.logUniform(10, 1<<20) }}))
	retentionMs, retentionBytes := g.retentionMs(), g.retentionBytes()
	number("retention.ms", retentionMs)
	number("retention.bytes", retentionBytes)
	number("file.delete.delay.ms", g.deleteDelay())
	t = append(t, Setting{"preallocate", strconv.FormatBool(g.chance(200))})
	if g.chance(100) {
		t = append(t, Setting{"message.timestamp.type", "LogAppendTime"})
	}
	if g.ahead {
		number("message.timestamp.after.max.ms", math.MaxInt64)
	}
	if g.chance(40) {
		number("message.timestamp.before.max.ms", g.part(g.span, 100, 2000))
	}
	if g.tiered {
		t = append(t, Setting{"remote.storage.enable", "true"})
		local := func(retention int64, again func() int64) int64 {
			n := g.pick(just(1, -2), option{3, func() int64 { return max(0, again()) }})
			if retention >= 0 {
				n = min(n, retention)
			}
			return n
		}
		g.localMs, g.localBytes = local(retentionMs, g.retentionMs), local(retentionBytes, g.retentionBytes)
		number("local.retention.ms", g.localMs)
		number("local.retention.bytes", g.localBytes)
	}
	return t
}

func (g *generator) broker() Settings {
	number := func(key string, n int64) Setting { return Setting{key, strconv.FormatInt(n, 10)} }
	b := Settings{
		number("log.retention.check.interval.ms", g.check),
		number("log.initial.task.delay.ms", g.pick(
			just(4, 30*second), just(1, 0), option{2, func() int64 { return g.between(0, g.check) }})),
	}
	if g.chance(150) { // producers that expire while the scenario lasts
		interval := max(g.span/g.between(3, 60), g.span/1500, 1)
		b = append(b,
			number("producer.id.expiration.ms", min(math.MaxInt32, max(1, g.part(g.span, 10, 600)))),
			number("producer.id.expiration.check.interval.ms", min(math.MaxInt32, interval)))
	}
	return b
}

func (g *generator) retentionMs() int64 {
	return g.pick(
		just(3, -1), just(1, 0),
		option{1, func() int64 { return g.check * g.between(1, 3) }},
		option{8, func() int64 { return g.part(g.span, 20, 600) }},
		just(1, 7*day))
}

func (g *generator) retentionBytes() int64 {
	return g.pick(
		just(5, -1), just(1, 0), just(1, 1),
		option{3, func() int64 { return g.near(g.segmentBytes * g.between(1, 6)) }},
		option{3, func() int64 { return g.near(g.batch * g.between(1, 60)) }},
		option{4, func() int64 { return g.logUniform(100, g.segmentBytes*10) }})
}

func (g *generator) deleteDelay() int64 {
	return g.pick(just(4, minute), just(2, 0), just(1, 1), just(2, g.check), just(2, g.check/2), just(2, g.check*3+1))
}

func (g *generator) timestamp() calc.Timestamp {
	far := max(2, g.span)
	most := far
	if !g.ahead && !g.chance(80) {
		most = min(far, hour)
	}
	past := -min(far*3, defaultNow/2)
	millis := func() calc.Millis { return calc.Millis(g.between(past, most)) }
	t := calc.Timestamp{}
	switch g.weighted(9, 2, 2, 2, 3, 2) {
	case 0:
	case 1:
		t.Kind = calc.AbsentTimestamp
	case 2:
		t.Kind = calc.FixedTimestamp
		if g.chance(500) {
			t.From = millis()
		}
	case 3:
		t.Shift = millis()
		if g.chance(200) { // at the edge of message.timestamp.after.max.ms
			t.Shift = calc.Millis(hour + g.one(-1, 0, 1))
		}
	case 4:
		t.Kind = calc.CycledTimestamp
		for range g.between(2, 9) {
			shift := calc.Millis(0)
			switch g.below(4) {
			case 0:
				shift = millis()
			case 1:
				shift = -calc.Millis(g.period)
			}
			t.Shifts = append(t.Shifts, shift)
		}
	case 5:
		t.Kind = calc.FixedTimestamp
		t.From = calc.Millis(g.between(past, 0))
		t.Step = calc.Millis(g.one(0, 1, g.period, g.between(1, g.period*3), -g.between(1, g.period)))
	}
	return t
}

// row is a row of appends.
func (g *generator) row(at, count, every int64) Step {
	records := g.pick(just(6, 1), option{3, func() int64 { return g.between(2, 5) }},
		option{2, func() int64 { return g.between(6, 30) }})
	key := g.pick(just(2, -1), just(1, 0), option{4, func() int64 { return g.between(1, 40) }})
	value := func() int64 {
		size := g.part(g.batch, 500, 1500)
		if g.chance(200) {
			size = g.logUniform(62, g.segmentBytes)
		}
		if g.chance(980) { // the others may be larger than a segment
			size = min(size, g.segmentBytes-20*records-20)
		}
		return max(g.pick(just(20, 0), just(1, -1)), (size-61)/records-9-max(0, key))
	}
	values := []int64{value()}
	if g.chance(400) {
		for range g.between(1, 6) {
			values = append(values, value())
		}
	}
	a := calc.Append{
		Count: count, IntervalNum: every, IntervalDen: 1, Records: records, Batches: 1,
		Timestamp: g.timestamp(), Offset: -1, Producer: -1, Producers: 1,
	}
	if g.chance(200) {
		a.Spread = calc.Millis(g.one(1, 63, 64, 65, g.period))
	}
	if g.chance(400) {
		a.Follower = true
		if g.chunks {
			a.Batches = g.between(1, 9)
		}
		a.Count = max(1, count/a.Batches)
	}
	if g.chance(150) {
		a.Producer = g.between(0, 20)
		a.Producers = g.one(1, 1, 3, 20)
	}
	g.end += a.Count * a.Batches * records
	return appendStep(at, a, key, values)
}

// appendStep is a step of append calls; the sizes of its batches follow from the records.
func appendStep(at int64, a calc.Append, key int64, values []int64) Step {
	sizes := make([]calc.Bytes, len(values))
	for i, value := range values {
		sizes[i] = batchBytes(&a, key, value)
	}
	if len(sizes) == 1 {
		a.Batch = sizes[0]
	} else {
		a.Cycle = sizes
	}
	return Step{Step: calc.Step{At: calc.Millis(at), Do: a}, Key: key, Values: values}
}

// change draws a setting that changes while the log runs.
func (g *generator) change() Settings {
	keys := []string{"retention.ms", "retention.bytes", "segment.bytes", "segment.ms", "index.interval.bytes",
		"file.delete.delay.ms", "preallocate"}
	if !g.chunks {
		keys = append(keys, "segment.index.bytes")
	}
	key := keys[g.below(int64(len(keys)))]
	var n int64
	switch key {
	case "retention.ms":
		n = g.notBelowLocal(g.retentionMs(), g.localMs)
	case "retention.bytes":
		n = g.notBelowLocal(g.retentionBytes(), g.localBytes)
	case "segment.bytes":
		n = max(1024, min(4<<20, g.part(g.segmentBytes, 300, 3000)))
	case "segment.ms":
		n = max(1, g.period*g.logUniform(2, 100))
	case "index.interval.bytes":
		n = g.one(0, 100, 4096, g.batch)
	case "file.delete.delay.ms":
		n = g.deleteDelay()
	case "segment.index.bytes":
		n = g.logUniform(24, 1<<20)
	case "preallocate":
		return Settings{{key, strconv.FormatBool(g.chance(500))}}
	}
	return Settings{{key, strconv.FormatInt(n, 10)}}
}

// notBelowLocal keeps a tiered topic's retention from falling below its local retention, which Kafka refuses.
func (g *generator) notBelowLocal(retention, local int64) int64 {
	if g.tiered && retention >= 0 {
		return max(retention, local)
	}
	return retention
}

// rows draws the rows of appends, and the time of the last one's end.
func (g *generator) rows() (steps []Step, last int64) {
	number := g.between(1, 5)
	at := int64(0)
	if g.below(3) == 0 {
		at = g.between(0, g.check*2)
	}
	parts, sum := make([]int64, number), int64(0)
	for i := range parts {
		parts[i] = g.between(100, 1100)
		sum += parts[i]
	}
	for _, part := range parts {
		count := max(1, g.appends*part/sum)
		every := g.pick(just(5, g.period), option{2, func() int64 { return max(1, g.part(g.period, 200, 3000)) }}, just(1, 0))
		if every == 0 {
			count = min(count, 30)
		}
		step := g.row(at, count, every)
		steps = append(steps, step)
		last = max(last, at+every*step.Do.(calc.Append).Count)
		at += g.pick(just(5, count*every), just(2, 0), just(1, count*every/2),
			option{2, func() int64 { return count*every + g.part(g.span, 0, 500) }})
	}
	return steps, last
}

// jumps draws a follower's appends at offsets that are far apart, all within one millisecond.
func (g *generator) jumps(last int64) []Step {
	var steps []Step
	offset := g.end + g.between(0, 10)
	at := g.one(last, g.between(0, last))
	for range g.between(2, 4) {
		steps = append(steps, appendStep(at, calc.Append{
			Count: 1, IntervalDen: 1, Records: g.between(1, 3), Batches: 1,
			Follower: true, Offset: calc.Offset(offset), Producer: -1, Producers: 1,
		}, 1, []int64{10}))
		offset += g.one(1<<31-3, 1<<31-1, 1<<31, 10)
	}
	return steps
}

// others draws what else happens until last.
func (g *generator) others(last int64) []Step {
	var steps []Step
	add := func(perMille, most int64, draw func() (calc.Action, Settings)) {
		if !g.chance(perMille) {
			return
		}
		for range g.between(1, most) {
			at := g.between(0, last)
			if g.chance(500) {
				at = at / g.period * g.period
			}
			do, changed := draw()
			steps = append(steps, Step{Step: calc.Step{At: calc.Millis(at), Do: do}, Changed: changed})
		}
	}
	add(350, 3, func() (calc.Action, Settings) { return calc.Configure{}, g.change() })
	add(250, 3, func() (calc.Action, Settings) {
		return calc.DeleteRecords{Before: calc.Offset(g.part(g.end, 0, 1000))}, nil
	})
	add(300, 2, func() (calc.Action, Settings) {
		return calc.Restart{Down: calc.Millis(g.one(0, 1, 10*second, g.period*g.between(1, 5)))}, nil
	})
	add(120, 4, func() (calc.Action, Settings) {
		return calc.HighWatermark{Offset: calc.Offset(g.one(followLogEnd, freezeHere))}, nil
	})
	return steps
}

func (g *generator) scenario() Scenario {
	topic := g.topic()
	steps, last := g.rows()
	if g.chance(150) {
		steps = append(steps, g.jumps(last)...)
	}
	steps = append(steps, g.others(last)...)
	if g.tiered {
		period := max(1, g.one(30*second, g.check/3, g.check, g.span/50), g.span/2000)
		steps = append(steps, Step{Step: calc.Step{Do: calc.CopyEvery{Period: calc.Millis(period)}}})
	}
	slices.SortStableFunc(steps, func(a, b Step) int { return int(min(1, max(-1, a.At-b.At))) })
	steps, down := whileUp(steps)
	until := max(last, down) + g.pick(
		just(1, 0),
		option{3, func() int64 { return g.check * g.between(1, 4) }},
		option{2, func() int64 { return g.untilEmpty(topic) }})
	if !g.tiered && g.chance(40) { // the recorder would go on copying
		deleted := g.one(until, max(last, down))
		steps = append(steps, Step{Step: calc.Step{At: calc.Millis(deleted), Do: calc.DeleteTopic{}}})
		until = deleted + g.one(0, minute-1, minute, 2*minute)
	}
	return Scenario{
		Epoch: defaultNow, Topic: topic, Broker: g.broker(), Steps: steps, Until: calc.Millis(until),
		SampleEvery: calc.Millis(max(1, until/g.between(5, 25))), StopAfterEvents: 250, RowLimit: 1200,
	}
}

// untilEmpty is how long it takes until retention has deleted and removed everything, within bounds.
func (g *generator) untilEmpty(topic Settings) int64 {
	number := func(key string) int64 {
		text, _ := topic.Get(key)
		n, _ := strconv.ParseInt(text, 10, 64)
		return n
	}
	return min(g.check*40, max(0, number("retention.ms"))+number("file.delete.delay.ms")+2*g.check)
}

// whileUp leaves out what is not an append and falls while the broker is down. It says when the last restart ends.
func whileUp(steps []Step) (kept []Step, down int64) {
	down = -1
	for _, step := range steps {
		_, appends := step.Do.(calc.Append)
		if !appends && int64(step.At) < down {
			continue
		}
		kept = append(kept, step)
		if restart, ok := step.Do.(calc.Restart); ok {
			down = int64(step.At + restart.Down)
		}
	}
	return kept, down
}

// draw draws whole numbers. It does not use rand.Rand, which does not promise the same numbers on every platform.
type draw struct{ source *rand.PCG }

func newDraw(seed uint64) draw { return draw{rand.NewPCG(seed, 0x70617274_73697a65)} }

// below is from 0 to n−1.
func (d draw) below(n int64) int64 {
	high, _ := bits.Mul64(d.source.Uint64(), uint64(n))
	return int64(high)
}

// between is from low to high.
func (d draw) between(low, high int64) int64 { return low + d.below(high-low+1) }

// chance is true so many times in a thousand.
func (d draw) chance(perMille int64) bool { return d.below(1000) < perMille }

// one is one of the numbers.
func (d draw) one(numbers ...int64) int64 { return numbers[d.below(int64(len(numbers)))] }

// near is x or next to it, but not negative.
func (d draw) near(x int64) int64 { return max(0, x+d.one(-1, 0, 0, 1)) }

// part is from low to high thousandths of x ≥ 0.
func (d draw) part(x, low, high int64) int64 {
	hi, lo := bits.Mul64(uint64(x), uint64(d.between(low*1000, high*1000)))
	q, _ := bits.Div64(hi, lo, 1_000_000)
	return int64(q)
}

// weighted is the index of one of the weights, each as likely as its weight.
func (d draw) weighted(weights ...int64) int {
	sum := int64(0)
	for _, w := range weights {
		sum += w
	}
	n := d.below(sum)
	for i, w := range weights {
		if n < w {
			return i
		}
		n -= w
	}
	panic("trace: no weight drawn")
}

// option is a number that is drawn once it is picked.
type option struct {
	weight int64
	value  func() int64
}

func just(weight, n int64) option { return option{weight, func() int64 { return n }} }

// pick is one of the options, each as likely as its weight.
func (d draw) pick(options ...option) int64 {
	weights := make([]int64, len(options))
	for i, o := range options {
		weights[i] = o.weight
	}
	return options[d.weighted(weights...)].value()
}

// logUniform is from low ≥ 1 to high, each power of two as likely as any other.
func (d draw) logUniform(low, high int64) int64 {
	from, to := log2(low), log2(high+1)
	exponent := from + d.below(to-from)
	// The largest number whose logarithm is not above: found bit by bit.
	n := int64(0)
	for bit := int64(1) << 61; bit > 0; bit >>= 1 {
		if log2(n|bit) <= exponent {
			n |= bit
		}
	}
	return max(low, min(high, n))
}

// log2 is the binary logarithm of x ≥ 1 with 32 binary digits after the point, rounded down.
func log2(x int64) int64 {
	whole := bits.Len64(uint64(x)) - 1
	// The rest, from 1 to 2, with 31 digits after the point. Squaring it brings out one digit of its logarithm.
	rest := uint64(x) << (63 - whole) >> 32
	log := int64(whole)
	for range 32 {
		rest = rest * rest >> 31
		log <<= 1
		if rest >= 1<<32 {
			rest >>= 1
			log |= 1
		}
	}
	return log
}

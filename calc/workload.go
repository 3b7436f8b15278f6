package calc

import (
	"math"
	"math/bits"
)

// workload is the traffic of a scenario: first the backlog, then what the producers write, and among it the steps of the
// scenario. It does not change once made; a [source] goes through it.
//
// Traffic is counted in units, of which a byte (or a record, when the rates count records) has many, so that every rate is
// a whole number of units in a millisecond. A call to append is made whenever all that the calls before it took has come
// in, the first one at once; so after any time the calls took what came in by then, and at most one call more. Nothing is
// lost where the rate changes. A run of calls begins at a whole millisecond, so that a call may come up to two milliseconds
// early.
type workload struct {
	until       Millis // the last millisecond with traffic
	start, stop Millis // the producers write in start ≤ t < stop

	rate    Rate    // before weights
	daily   []int64 // hundredths of a percent for equal parts of the day
	weekly  []int64 // hundredths of a percent for each day of a week
	growth  int64   // hundredths of a percent every 30 days
	series  []ratePoint
	burst   Rate
	every   Millis // Never: one burst
	lasts   Millis
	first   Millis // start of the first burst
	records bool   // rates count records
	unit    uint64 // units in a byte or record

	batching   batching
	stamp      Timestamp
	follower   bool
	perCall    int64 // batches in a call
	idempotent bool

	backlog backlog

	few   []runAt // all runs of appends, when isFew
	isFew bool
}

// backlog is what is appended before the producers begin.
type backlog struct {
	calls    int64
	num, den int64 // milliseconds between calls
	records  int64 // in a batch
	age      Millis
	end      Millis // when the producers may begin
}

// Limits of the arithmetic: amounts of a call and of a millisecond stay below 2^62 units.
const maxUnits = 1 << 62

// growthOne is the factor 1 of growth.
const growthOne = 1 << 30

// month is the time in which the traffic grows once.
const month = 30 * Day

// setUnit chooses how many units a byte or record has: such that every rate is exact if that can be, else as many as the
// limits allow.
func (w *workload) setUnit() {
	peak := w.peak()
	amount, per := peak.Ratio()
	weights := mulDivUp(maxOf(w.daily), 1, 10_000) * mulDivUp(maxOf(w.weekly), 1, 10_000) // [source.curve] applies them first
	limit := uint64(maxUnits) / uint64(max(w.callAmount(w.batching.records(peak)), mulDivUp(amount, 1, int64(per)), weights, 1))
	exact := uint64(1)
	widen := func(by int64) {
		if hi, lo := bits.Mul64(exact, uint64(by)/gcdU(exact, uint64(by))); hi == 0 && exact > 0 {
			exact = lo
		} else {
			exact = 0
		}
	}
	if len(w.series) > 0 {
		for _, p := range w.series {
			widen(int64(max(p.rate.per, 1)))
		}
	} else {
		divisor := uint64(w.divisor(w.daily) * w.divisor(w.weekly))
		if hi, lo := bits.Mul64(divisor, uint64(max(w.rate.per, 1))); hi == 0 {
			exact = lo
		} else {
			exact = 0
		}
	}
	widen(int64(max(w.burst.per, 1)))
	switch {
	case exact == 0 || exact > limit:
		w.unit = limit
	case w.growth != 0:
		w.unit = limit / exact * exact
	default:
		w.unit = exact
	}
}

// divisor is what the unit must be divisible by so that each weight times it is whole.
func (w *workload) divisor(weights []int64) int64 {
	g := int64(10_000)
	for _, x := range weights {
		g = gcd(g, x)
	}
	return 10_000 / g
}

// callAmount is what a call takes, in bytes or records, when its batches have n records.
func (w *workload) callAmount(n int64) int64 {
	if w.records {
		return n * w.perCall
	}
	return int64(w.batching.size(n)) * w.perCall
}

// peak is a rate that the producers never exceed.
func (w *workload) peak() Rate {
	base := w.rate
	if len(w.series) > 0 {
		base = Rate{}
		for _, p := range w.series {
			if p.rate.above(base) {
				base = p.rate
			}
		}
	} else {
		weight := mulDivUp(maxOf(w.daily)*maxOf(w.weekly), 1, 10_000) // hundredths of a percent
		base = base.scaled(weight, 10_000)
		if w.growth > 0 {
			base = base.scaled(w.grown(w.until), growthOne)
		}
	}
	return base.plus(w.burst)
}

// mean is the rate of the producers while they write, without growth and bursts.
func (w *workload) mean() Rate {
	sum := func(weights []int64) (s int64) {
		for _, x := range weights {
			s += x
		}
		return s
	}
	r := w.rate.scaled(sum(w.daily), 10_000*int64(max(len(w.daily), 1)))
	return r.scaled(sum(w.weekly), 10_000*int64(max(len(w.weekly), 1)))
}

func maxOf(weights []int64) int64 {
	most := int64(0)
	for _, x := range weights {
		most = max(most, x)
	}
	return most
}

// above reports whether r is more than s.
func (r Rate) above(s Rate) bool {
	ah, al := bits.Mul64(uint64(r.amount), uint64(max(s.per, 1)))
	bh, bl := bits.Mul64(uint64(s.amount), uint64(max(r.per, 1)))
	return ah > bh || ah == bh && al > bl
}

// scaled is r·a/b; rounded up to a whole amount in 2^20 ms where it cannot be held exactly.
func (r Rate) scaled(a, b int64) Rate {
	if r.Zero() || a == 0 {
		return Rate{}
	}
	g := gcd(a, b)
	a, b = a/g, b/g
	g = gcd(r.amount, b)
	amount, b := r.amount/g, b/g
	g = gcd(a, int64(r.per))
	a, per := a/g, int64(r.per)/g
	hi, lo := bits.Mul64(uint64(amount), uint64(a))
	perHi, perLo := bits.Mul64(uint64(per), uint64(b))
	if hi == 0 && lo <= math.MaxInt64 && perHi == 0 && perLo <= math.MaxInt64 {
		return newRate(int64(lo), int64(perLo), r.records)
	}
	const long = 1 << 20
	return newRate(mulDivUp(mulDivUp(amount, long, per), a, b), long, r.records)
}

// plus is r+s, both of one kind, with the rounding of scaled.
func (r Rate) plus(s Rate) Rate {
	switch {
	case s.Zero():
		return r
	case r.Zero():
		return s
	}
	g := gcd(int64(r.per), int64(s.per))
	if hi, per := bits.Mul64(uint64(r.per), uint64(int64(s.per)/g)); hi == 0 && per <= math.MaxInt64 {
		a := mulDivUp(r.amount, int64(per), int64(r.per))
		b := mulDivUp(s.amount, int64(per), int64(s.per))
		if sum := add(a, b); sum < math.MaxInt64 {
			return newRate(sum, int64(per), r.records)
		}
	}
	const long = 1 << 20
	return newRate(add(mulDivUp(r.amount, long, int64(r.per)), mulDivUp(s.amount, long, int64(s.per))), long, r.records)
}

// grown is the factor of growth at a time, in growthOne: compounding every month, even over the hours between.
func (w *workload) grown(t Millis) int64 {
	if w.growth == 0 {
		return growthOne
	}
	now := int64(growthOne)
	for range t / month {
		now = mulDiv(now, 10_000+w.growth, 10_000)
	}
	return w.between(now, t)
}

// between is the factor at a time in a month that began with the factor now.
func (w *workload) between(now int64, t Millis) int64 {
	next := mulDiv(now, 10_000+w.growth, 10_000)
	hour := int64(t % month / Hour)
	const hours = int64(month / Hour)
	if next >= now {
		return now + mulDiv(next-now, hour, hours)
	}
	return now - mulDiv(now-next, hour, hours)
}

// units is a rate in units a millisecond, rounded down.
func (w *workload) units(r Rate) uint64 {
	if r.Zero() {
		return 0
	}
	return uint64(mulDiv(int64(w.unit), r.amount, int64(r.per)))
}

// source goes through a workload and the steps of a scenario. It is a [StepSource].
type source struct {
	w       *workload
	steps   []Step // that are still to come
	pos     Millis // all traffic before it is done
	due     uint64 // units to come in before the next call
	piled   int64  // calls of the backlog that are done
	stamped Millis // timestamp of the last of them, when they have an age
	turn    int64  // producer whose turn it is
	at      int    // place in the series: entries before it are past
	month   Millis // the month, counted from 0, for which grown is known; −1: none
	grown   int64  // factor of growth at its start
	rest    Step   // second part of a run, when held is set
	held    bool
}

// newSource is a source of the traffic and of steps in order of time.
func (w *workload) newSource(steps []Step) *source { return &source{w: w, steps: steps, month: -1} }

// Clone is a source of the steps that are left.
func (s *source) Clone() StepSource {
	c := *s
	return &c
}

// Next is the next run of appends, or the next step of the scenario, whichever comes first; at one time the step.
func (s *source) Next() (Step, bool) {
	if s.held {
		s.held = false
		return s.rest, true
	}
	w := s.w
	for {
		until := w.until + 1
		if len(s.steps) > 0 {
			if s.steps[0].At <= s.pos && s.steps[0].At <= w.until {
				step := s.steps[0]
				s.steps = s.steps[1:]
				return step, true
			}
			until = min(until, s.steps[0].At)
		}
		if s.pos >= until {
			return Step{}, false
		}
		if s.piled < w.backlog.calls {
			if step, ok := s.nextBacklog(until); ok {
				return step, true
			}
			continue
		}
		rate, end := s.span(until)
		if step, ok := s.run(rate, end); ok {
			return step, true
		}
	}
}

// backlogCuts is in how many parts a backlog is cut whose timestamps advance.
const backlogCuts = 1024

// nextBacklog is the next run of the backlog before a time. Not ok: there is none, and the time is come.
func (s *source) nextBacklog(until Millis) (Step, bool) {
	b := &s.w.backlog
	at := Millis(mulDiv(s.piled, b.num, b.den))
	if at >= until {
		s.pos = until
		return Step{}, false
	}
	end := min(b.calls, firstAt(int64(until), b.num, b.den))
	if b.age > 0 {
		end = min(end, s.piled+(b.calls+backlogCuts-1)/backlogCuts)
	}
	run := s.w.calls(end-s.piled, b.records)
	run.IntervalNum, run.IntervalDen = b.num, b.den
	if b.age > 0 && run.Timestamp.Kind == AppendTimestamp {
		span := int64(b.age) + mulDiv(b.calls-1, b.num, b.den)
		from := Millis(mulDiv(span, s.piled, b.calls)) - b.age
		if s.piled > 0 {
			from = max(from-1, s.stamped) // a call comes up to a millisecond before its time
		}
		shift := run.Timestamp.Shift
		run.Timestamp = Timestamp{Kind: FixedTimestamp, From: from + shift}
		if s.w.perCall == 1 {
			run.Timestamp.Step = Millis(span / b.calls)
		}
		s.stamped = from + run.Timestamp.Step*Millis(run.Count-1)
	}
	s.piled = end
	s.pos = max(at, Millis(mulDiv(end-1, b.num, b.den)))
	if s.piled == b.calls {
		s.pos = max(s.pos, min(b.end, until))
	}
	return s.turned(Step{at, run}), true
}

// calls is a run of so many calls whose batches have n records each, all at once.
func (w *workload) calls(count, n int64) Append {
	run := Append{
		Count: count, IntervalDen: 1, Batch: w.batching.size(n), Records: n, Batches: w.perCall,
		Timestamp: w.stamp, Follower: w.follower, Offset: -1, Producer: -1, Producers: 1,
	}
	if w.idempotent {
		run.Producer, run.Producers = 0, w.batching.producers
	}
	return run
}

// turned lets the producers take turns across runs. A run that begins in the middle of them is cut where they begin anew.
func (s *source) turned(step Step) Step {
	run := step.Do.(Append)
	if run.Producer < 0 || run.Producers == 1 || run.Batches > 1 {
		return step
	}
	turn := s.turn
	s.turn = (turn + run.Count%run.Producers) % run.Producers
	if turn == 0 {
		return step
	}
	left := run.Producers - turn
	first := run
	first.Producer, first.Producers = turn, left
	if run.Count <= left {
		step.Do = first
		return step
	}
	first.Count = left
	rest := Step{step.At + Millis(mulDiv(left, run.IntervalNum, run.IntervalDen)), nil}
	run.Count -= left
	if run.Timestamp.Kind == FixedTimestamp {
		run.Timestamp.From += run.Timestamp.Step * Millis(left)
	}
	rest.Do = run
	s.rest, s.held = rest, true
	step.Do = first
	return step
}

// span is the rate from the present position on, in units a millisecond, and the time until which it lasts, at most until.
func (s *source) span(until Millis) (rate uint64, end Millis) {
	rate, end = s.rateAt(s.pos)
	for end < until {
		next, after := s.rateAt(end)
		if next != rate {
			break
		}
		end = after
	}
	return rate, min(end, until)
}

// rateAt is the rate at a time not before that of the last call, and a later time until which it certainly lasts.
func (s *source) rateAt(t Millis) (rate uint64, end Millis) {
	w := s.w
	begin := max(w.start, w.backlog.end)
	switch {
	case t < begin:
		return 0, begin
	case t >= w.stop:
		return 0, Never
	}
	end = w.stop
	if len(w.series) > 0 {
		for s.at < len(w.series) && w.series[s.at].at <= t {
			s.at++
		}
		if s.at > 0 {
			rate = w.units(w.series[s.at-1].rate)
		}
		if s.at < len(w.series) {
			end = min(end, w.series[s.at].at)
		}
	} else {
		rate = s.curve(t, &end)
	}
	if !w.burst.Zero() {
		rate += s.bursting(t, &end)
	}
	return rate, end
}

// curve is the rate of the curves at a time; it lowers end to where they may change.
func (s *source) curve(t Millis, end *Millis) uint64 {
	w := s.w
	unit := int64(w.unit)
	if len(w.daily) > 1 {
		part := Day / Millis(len(w.daily))
		unit = mulDiv(unit, w.daily[t%Day/part], 10_000)
		*end = min(*end, t-t%part+part)
	} else {
		unit = mulDiv(unit, w.daily[0], 10_000)
	}
	if len(w.weekly) > 1 {
		unit = mulDiv(unit, w.weekly[t/Day%7], 10_000)
		*end = min(*end, t-t%Day+Day)
	} else {
		unit = mulDiv(unit, w.weekly[0], 10_000)
	}
	if w.rate.Zero() {
		return 0
	}
	rate := mulDiv(unit, w.rate.amount, int64(w.rate.per))
	if w.growth != 0 {
		if s.month != t/month {
			s.month = t / month
			s.grown = w.grown(s.month * month)
		}
		rate = mulDiv(rate, w.between(s.grown, t), growthOne)
		*end = min(*end, t-t%Hour+Hour)
	}
	return uint64(rate)
}

// bursting is the rate that a burst adds at a time; it lowers end to where that may change.
func (s *source) bursting(t Millis, end *Millis) uint64 {
	w := s.w
	if t < w.first {
		*end = min(*end, w.first)
		return 0
	}
	since := t - w.first
	if w.every != Never {
		since %= w.every
		if w.lasts < w.every {
			*end = min(*end, add(t-since, w.every))
		}
	}
	if since >= w.lasts {
		return 0
	}
	if w.lasts < w.every {
		*end = min(*end, add(t-since, w.lasts))
	}
	return w.units(w.burst)
}

// run is the calls between the present position and end, at a rate in units a millisecond, and moves there. Not ok: there
// is none.
func (s *source) run(rate uint64, end Millis) (Step, bool) {
	from := s.pos
	s.pos = end
	if rate == 0 {
		return Step{}, false
	}
	w := s.w
	n := w.batching.records(newRate(int64(rate), int64(w.unit), w.records))
	call := uint64(w.callAmount(n)) * w.unit
	// Calls i with (due + i·call)/rate < end − from.
	hi, lo := bits.Mul64(rate, uint64(end-from))
	rest, borrow := bits.Sub64(lo, s.due, 0)
	more, borrow := bits.Sub64(hi, 0, borrow)
	if borrow != 0 || more|rest == 0 {
		s.due -= lo // due ≥ what came in, which has less than 64 bits
		return Step{}, false
	}
	up, carry := bits.Add64(rest, call-1, 0)
	more += carry
	count := uint64(math.MaxInt64)
	if more < call {
		count, _ = bits.Div64(more, up, call)
	}
	at := from + Millis(s.due/rate)
	s.due += count*call - lo // the true value is from 0 to call−1, so that wrapping around does no harm
	run := w.calls(int64(min(count, math.MaxInt64)), n)
	g := gcd(int64(call), int64(rate))
	run.IntervalNum, run.IntervalDen = int64(call)/g, int64(rate)/g
	return s.turned(Step{at, run}), true
}

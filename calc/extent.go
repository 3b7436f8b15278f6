package calc

import "math"

// total is about how much the traffic is: bytes, and calls to append.
func (w *workload) total() (bytes, calls int64) {
	add2 := func(r Rate, time Millis) {
		if r.Zero() || time <= 0 {
			return
		}
		n := w.batching.records(r)
		amount, per := r.Ratio()
		count := mulDivUp(mulDivUp(amount, int64(time), int64(per)), 1, w.callAmount(n))
		calls = add(calls, count)
		bytes = add(bytes, mulDiv(count, int64(w.batching.size(n))*w.perCall, 1))
	}
	if b := w.backlog; b.calls > 0 {
		calls = min(b.calls, firstAt(int64(w.until)+1, b.num, b.den)) // what does not come before the end is nothing
		bytes = mulDiv(calls, int64(w.batching.size(b.records))*w.perCall, 1)
	}
	begin := max(w.start, w.backlog.end)
	end := min(w.stop, w.until+1)
	if begin >= end {
		return bytes, calls
	}
	switch {
	case len(w.series) > 0:
		for i, p := range w.series {
			till := end
			if i+1 < len(w.series) {
				till = min(till, w.series[i+1].at)
			}
			add2(p.rate, till-max(p.at, begin))
		}
	case w.growth == 0:
		add2(w.mean(), end-begin)
	default:
		now := w.grown(begin / month * month)
		for t := begin / month * month; t < end; t += month {
			next := mulDiv(now, 10_000+w.growth, 10_000)
			add2(w.mean().scaled((now+next)/2, growthOne), min(end, t+month)-max(begin, t))
			now = next
		}
	}
	if !w.burst.Zero() && w.first < end {
		times := int64(1)
		if w.every != Never {
			times += int64((end - w.first) / w.every)
		}
		add2(w.burst, Millis(min(mulDiv(times, int64(w.lasts), 1), int64(end-w.first))))
	}
	return bytes, calls
}

// runs is about how many runs of equal calls the traffic is made of, and the setting that most of them come from.
func (w *workload) runs() (int64, eventShare) {
	span := max(0, min(w.stop, w.until+1)-max(w.start, w.backlog.end))
	most, from := int64(1), eventShare{key: "horizon"}
	note := func(key string, n, value int64) {
		if n > most {
			most, from = n, eventShare{key: key, value: value, most: math.MaxInt64}
		}
	}
	note("produce.daily", int64(span/Day)*int64(len(w.daily)), 0)
	if w.growth != 0 {
		note("produce.growth", int64(span/Hour), 0)
	}
	note("produce.series", int64(len(w.series)), 0)
	if !w.burst.Zero() && w.every != Never {
		note("burst.every", 2*int64(span/w.every), int64(w.every))
	}
	return most, from
}

// LargestBatch is the size of the largest batch that the producers may make, or slightly more when a burst and the peak of
// a curve never meet.
func (s Scenario) LargestBatch() Bytes {
	w := s.work
	size := w.batching.size(w.batching.records(w.peak()))
	if w.backlog.calls > 0 {
		size = max(size, w.batching.size(w.backlog.records))
	}
	return size
}

// LargestAppend is the most bytes of one call to append: the largest batch, or for a follower as many as it fetches.
func (s Scenario) LargestAppend() Bytes { return s.LargestBatch() * Bytes(s.work.perCall) }

// MostAhead is the most by which a timestamp that the log accepts is ahead of the time of its append; 0 when none is.
func (s Scenario) MostAhead() Millis {
	if s.log.LogAppendTime && !s.work.follower {
		return s.tamed(0)
	}
	var ahead Millis
	if s.work.stamp.Kind != AbsentTimestamp {
		ahead = max(0, s.work.stamp.Shift, s.work.stamp.From)
	}
	return s.tamed(ahead)
}

// MostBehind is the most by which a timestamp of the traffic is behind the time of its append; 0 when none is.
func (s Scenario) MostBehind() Millis {
	w := s.work
	if s.log.LogAppendTime && !w.follower || w.stamp.Kind == AbsentTimestamp {
		return 0
	}
	behind := max(0, -w.stamp.Shift)
	if w.stamp.Kind == FixedTimestamp {
		behind = max(0, min(w.until, w.stop)-w.stamp.From)
	}
	if w.backlog.calls > 0 {
		behind = max(behind, w.backlog.age)
	}
	return behind
}

// tamed is the larger of ahead and what steps stamp ahead, at most what the leader accepts.
func (s *Scenario) tamed(ahead Millis) Millis {
	limit := s.log.TimestampAfterMax
	appendTime := s.log.LogAppendTime
	for _, step := range s.steps {
		switch do := step.Do.(type) {
		case Append:
			if !appendTime || s.work.follower {
				ahead = max(ahead, do.Timestamp.Shift)
			}
		case Configure:
			limit = max(limit, do.Log.TimestampAfterMax)
			if appendTime && !do.Log.LogAppendTime && s.work.stamp.Kind != AbsentTimestamp {
				ahead = max(ahead, s.work.stamp.Shift, s.work.stamp.From)
			}
			appendTime = do.Log.LogAppendTime
		}
	}
	if s.work.follower {
		return ahead
	}
	return min(ahead, limit)
}

// Steady is from when on the traffic repeats itself, and with which period, rounded up to a millisecond. Not ok: it never
// does within the horizon.
func (s Scenario) Steady() (from, period Millis, ok bool) {
	w := s.work
	if len(w.series) > 0 || w.growth != 0 || w.stop <= w.until {
		return 0, 0, false
	}
	from = max(w.start, w.backlog.end)
	for _, step := range s.steps {
		from = max(from, step.At)
		if r, ok := step.Do.(Restart); ok {
			from = max(from, add(step.At, r.Down))
		}
	}
	period = 1
	if uneven(w.weekly) {
		period = 7 * Day
	} else if uneven(w.daily) {
		period = Day
	}
	if !w.burst.Zero() {
		if w.every == Never {
			from = max(from, add(w.first, w.lasts))
		} else if w.lasts < w.every {
			from = max(from, w.first)
			p := mulDiv(int64(w.every)/gcd(int64(w.every), int64(period)), int64(period), 1)
			period = Millis(p)
		} else {
			from = max(from, w.first)
		}
	}
	if period == 1 {
		period = w.interval()
	}
	return from, period, from < w.until && period <= w.until-from
}

// interval is the time between calls of even traffic, rounded up; a second when there is none.
func (w *workload) interval() Millis {
	rate := w.mean()
	if !w.burst.Zero() && w.every != Never && w.lasts >= w.every {
		rate = rate.plus(w.burst)
	}
	if rate.Zero() {
		return Second
	}
	amount, per := rate.Ratio()
	return max(1, Millis(mulDivUp(w.callAmount(w.batching.records(rate)), int64(per), amount)))
}

func uneven(weights []int64) bool {
	for _, x := range weights {
		if x != weights[0] {
			return true
		}
	}
	return false
}

// manyRuns is how many runs of appends [Scenario.MostBytes] looks at one by one.
const manyRuns = 300_000

// MostBytes is the most bytes of batches that are appended within any closed interval of a length ≥ 0, in milliseconds:
// exact for traffic at one rate, at most two calls above that for other traffic, and more only where the rate changes more
// than 300,000 times.
func (s Scenario) MostBytes(window Millis) Bytes {
	if window < 0 {
		return 0
	}
	window = min(window, s.horizon) // a longer one would hold no more, and its ends would not be numbers
	if runs, _ := s.work.runs(); runs > manyRuns {
		return s.mostAtPeak(window)
	}
	if first := s.cursor(); first.only() {
		return first.runAt.most(window)
	}
	// Where neither end of the window passes the first or last millisecond of a run, what the window gains and loses as it
	// moves on is each as even as calls of one size at a regular interval: at most a call from a straight line. So the most
	// is at one of these places, but for two calls.
	gains, loses := s.edges(), s.edges()
	ahead, behind := s.cursor(), s.cursor()
	var most Bytes
	for !ahead.done {
		t := gains.next - window // the window begins
		if loses.next != Never && loses.next+1 <= t {
			t = loses.next + 1
			loses.advance()
		} else {
			gains.advance()
		}
		most = max(most, ahead.upTo(t+window)-behind.upTo(t-1))
	}
	return add(most, 2*ahead.largest)
}

// edges goes through the first and last milliseconds of the runs of a scenario, and the ones before them, in order.
type edges struct {
	runs *cursor
	next Millis // Never after the last
	left int    // edges of the run that are still to come after next
}

func (s *Scenario) edges() *edges {
	e := &edges{runs: s.cursor(), left: 4, next: -1}
	e.advance()
	return e
}

func (e *edges) advance() {
	if e.left == 0 {
		e.runs.advance()
		e.left = 4
	}
	if e.runs.done {
		e.next = Never
		return
	}
	e.left--
	edge := e.runs.last
	if e.left >= 2 {
		edge = e.runs.at
	}
	e.next = max(e.next, edge-Millis(e.left%2))
}

// most is the most bytes of the run in a closed interval.
func (r *runAt) most(window Millis) Bytes {
	calls := r.count
	if r.num > 0 {
		calls = min(calls, mulDivUp(add(int64(window), 1), r.den, r.num))
	}
	return Bytes(calls) * r.bytes
}

// mostAtPeak is a bound on what comes in a closed interval: as if the highest rate held all the time.
func (s *Scenario) mostAtPeak(window Millis) Bytes {
	w := s.work
	in := int64(add(window, 3)) // the interval is closed, and a call comes up to two milliseconds early
	call := int64(s.LargestAppend())
	bytes := int64(0)
	if amount, per := w.peak().Ratio(); amount > 0 {
		bytes = mulDivUp(amount, in, int64(per))
		if w.records {
			bytes = mulDiv(bytes, int64(w.batching.size(1)), 1) // no record takes more than one alone
		}
		bytes = add(bytes, call)
	}
	if b := w.backlog; b.calls > 0 {
		calls := b.calls
		if b.num > 0 {
			calls = min(calls, add(mulDivUp(in, b.den, b.num), 1))
		}
		bytes = add(bytes, mulDiv(calls, call, 1))
	}
	for _, step := range s.steps {
		if run, ok := step.Do.(Append); ok {
			bytes = add(bytes, int64(run.Batch))
		}
	}
	return Bytes(bytes)
}

// runAt is a run of appends as far as its bytes and its times matter.
type runAt struct {
	at, last Millis // of its first and last call
	bytes    Bytes  // of a call
	count    int64
	num, den int64 // milliseconds between calls
}

func newRunAt(at Millis, a Append) runAt {
	last := at + Millis(mulDiv(a.Count-1, a.IntervalNum, a.IntervalDen))
	return runAt{at, last, a.Batch * Bytes(a.Batches), a.Count, a.IntervalNum, a.IntervalDen}
}

// fewRuns is how many runs of appends a workload keeps, so that bounds need not make them again and again. It holds an
// hourly curve of ten years, in 4 MiB.
const fewRuns = 100_000

// keepRuns notes the runs among the steps of a scenario if they are few.
func (w *workload) keepRuns(steps []Step) {
	var few []runAt
	c := cursor{src: w.newSource(steps)}
	for run, ok := c.take(); ok; run, ok = c.take() {
		if len(few) == fewRuns {
			return
		}
		few = append(few, run)
	}
	w.few, w.isFew = few, true
}

// cursor goes through the runs of a scenario and adds up their bytes.
type cursor struct {
	src     *source // nil: the rest is few
	few     []runAt
	runAt         // where it is
	done    bool  // there is no run
	passed  Bytes // in runs before this one
	largest Bytes // call so far
}

func (s *Scenario) cursor() *cursor {
	c := &cursor{few: s.work.few}
	if !s.work.isFew {
		c.src = s.work.newSource(s.steps)
	}
	c.advance()
	return c
}

// advance goes to the next run.
func (c *cursor) advance() {
	c.passed += Bytes(c.count) * c.bytes
	next, ok := c.take()
	c.runAt, c.done = next, !ok
	c.largest = max(c.largest, next.bytes)
}

// take is the next run.
func (c *cursor) take() (next runAt, ok bool) {
	if c.src == nil {
		if len(c.few) == 0 {
			return next, false
		}
		next, c.few = c.few[0], c.few[1:]
		return next, true
	}
	for step, ok := c.src.Next(); ok; step, ok = c.src.Next() {
		if run, ok := step.Do.(Append); ok {
			return newRunAt(step.At, run), true
		}
	}
	return next, false
}

// only reports whether the run is the only one. It uses the cursor up.
func (c *cursor) only() bool {
	if c.done {
		return true
	}
	_, more := c.take()
	return !more
}

// upTo is the bytes of all calls up to a time, which is not before that of the last question.
func (c *cursor) upTo(t Millis) Bytes {
	for !c.done && c.last <= t {
		c.advance()
	}
	if c.done || t < c.at {
		return c.passed
	}
	return c.passed + Bytes(min(c.count, firstAt(int64(t-c.at)+1, c.num, c.den)))*c.bytes
}

package calc

import (
	"fmt"
	"slices"
	"strings"
)

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
		r.addTo("fetch.batches", bad("", "is for a follower; a leader appends one batch a call").hint("set role=follower, or write 1").near("1"))
	}
	r.checkTraffic(w)
	if !r.soundGroups(Traffic, Records) {
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
	switch r.word("timestamps") {
	case "none":
		if shift != 0 {
			r.addTo("timestamp.shift", bad("", "has nothing to shift with timestamps=none").hint("leave one of them out"))
		}
		return Timestamp{Kind: AbsentTimestamp}
	case "fixed":
		return Timestamp{Kind: FixedTimestamp, From: shift}
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
		r.addTo("produce.stop", bad("", fmt.Sprintf("is not after produce.start=%s", w.start.Text())).hint("give a later time, or never").near("never"))
	}
	if w.lasts > w.every && !w.burst.Zero() && r.sound("burst.for", "burst.every") {
		r.addTo("burst.for", badNearest("", fmt.Sprintf("is longer than burst.every=%s", w.every.Text()), w.every.Text()))
	}
	if r.number("backlog") > 0 && r.rate("backlog.rate").Zero() {
		r.addTo("backlog.rate", bad("", "is zero: the backlog never comes").hint("give a rate, as in 100MiB/s"))
	}
	if b := &w.batching; !b.within(maxBatch) {
		key := b.blamed(maxBatch)
		e := bad("", "makes a batch larger than 2147483647 bytes, the most that Kafka's 32 bits hold").
			hint("give smaller records, or fewer in a batch")
		r.addTo(key, e.near(b.fitting(key, maxBatch)))
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
	texts := r.stepTexts()
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
			before := now
			for _, p := range t.sets {
				if err := topicKey(p.Key); err != nil {
					r.inStep(t, err)
					continue
				}
				_ = now.Set(p.Key, p.Value) // the resolver finds what is wrong
			}
			later := newResolver(now, ofLog)
			c := later.log()
			later.crossChecks(&c)
			for _, p := range later.problems {
				if !slices.ContainsFunc(r.problems, func(q problem) bool { return q.slot == p.slot }) {
					r.inStep(t, p.err)
					now = before
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
	if r.soundGroups(Traffic, Records, Scenarios) && !r.trial {
		s.work.keepRuns(steps)
	}
	return steps
}

// stepTexts is the steps that can be read; the others are problems already.
func (r *resolver) stepTexts() []stepText {
	_, text := r.source("steps")
	if len(text) > KindSteps.longest() {
		return nil
	}
	texts, _ := parseSteps(text)
	return texts
}

// inStep notes a problem within a step.
func (r *resolver) inStep(t stepText, err *FieldError) {
	what := err.Problem
	if err.Key != "" {
		what = err.Key + "=" + shown(err.Value) + " " + what
	}
	if _, all := r.source("steps"); strings.TrimSpace(all) != t.text {
		what = shown(t.text) + ": " + what
	}
	r.addTo("steps", bad("", what).hint(err.WayOut()))
}

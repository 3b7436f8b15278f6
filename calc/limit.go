package calc

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// checkRefusals finds traffic that Kafka refuses again and again, from the start or after a step.
func (r *resolver) checkRefusals(s *Scenario) {
	if key, e := r.refused(s, &s.log); e != nil {
		r.addTo(key, e)
		return
	}
	for _, step := range s.steps {
		if c, ok := step.Do.(Configure); ok {
			if key, e := r.refused(s, &c.Log); e != nil {
				e.Problem = fmt.Sprintf("at %s makes Kafka refuse the traffic: %s %s", step.At.Text(), key, e.Problem)
				r.addTo("steps", e)
				return
			}
		}
	}
}

// refused is why Kafka refuses the traffic with a configuration of the log, and the setting that is to blame.
func (r *resolver) refused(s *Scenario, c *LogConfig) (key string, e *FieldError) {
	w := s.work
	batch := s.LargestBatch()
	key = "batch.size"
	if w.batching.fixed > 0 || w.batching.size(1) == batch {
		key = w.batching.blamed(min(c.MaxMessageBytes, c.SegmentBytes))
	}
	// smaller says which value makes batches of a limit, where one does.
	smaller := func(e *FieldError, limit Bytes, limitKey string) *FieldError {
		if e.Nearest = w.batching.fitting(key, limit); e.Nearest == "" {
			return e.hint("make batches smaller, or raise " + limitKey)
		}
		return e.hint("write " + e.Nearest + " or less, or raise " + limitKey)
	}
	segment := "segment.bytes"
	if r.given("internal.segment.bytes") {
		segment = "internal.segment.bytes"
	}
	call := batch * Bytes(w.perCall)
	leader := !w.follower
	stamped := leader && !c.LogAppendTime && w.stamp.Kind != AbsentTimestamp
	ahead, behind := w.stamp.Shift, -w.stamp.Shift
	if w.stamp.Kind == FixedTimestamp {
		ahead, behind = w.stamp.From, min(w.until, w.stop)-w.stamp.From
	}
	switch {
	case leader && batch > c.MaxMessageBytes:
		return key, smaller(bad("", fmt.Sprintf("makes batches of %d bytes, above max.message.bytes=%d: Kafka refuses them (RecordTooLargeException)",
			batch, c.MaxMessageBytes)), c.MaxMessageBytes, "max.message.bytes")
	case batch > c.SegmentBytes:
		return key, smaller(bad("", fmt.Sprintf("makes batches of %d bytes, above %s=%d: Kafka refuses them (RecordBatchTooLargeException)",
			batch, segment, c.SegmentBytes)), c.SegmentBytes, segment)
	case call > c.SegmentBytes:
		return "fetch.batches", bad("", fmt.Sprintf("makes fetches of %d bytes, above %s=%d: Kafka refuses them (RecordBatchTooLargeException)",
			call, segment, c.SegmentBytes)).hint("fetch fewer batches at once, or raise " + segment).
			near(strconv.FormatInt(int64(c.SegmentBytes/batch), 10))
	case stamped && ahead > c.TimestampAfterMax:
		return "timestamp.shift", bad("", fmt.Sprintf("is further ahead than message.timestamp.after.max.ms=%s: Kafka refuses the records",
			c.TimestampAfterMax.Text())).hint("shift less, or raise message.timestamp.after.max.ms").near(c.TimestampAfterMax.Text())
	case stamped && behind > c.TimestampBeforeMax:
		key, nearest := "timestamp.shift", "-"+c.TimestampBeforeMax.Text()
		if w.stamp.Kind == FixedTimestamp {
			key, nearest = "timestamps", "create"
		}
		return key, bad("", fmt.Sprintf("makes records older than message.timestamp.before.max.ms=%s: Kafka refuses them",
			c.TimestampBeforeMax.Text())).hint("make them younger, or raise message.timestamp.before.max.ms").near(nearest)
	case stamped && w.backlog.calls > 0 && w.backlog.age > c.TimestampBeforeMax:
		return "backlog.age", bad("", fmt.Sprintf("is above message.timestamp.before.max.ms=%s: Kafka refuses the records",
			c.TimestampBeforeMax.Text())).hint("make the backlog younger, or raise message.timestamp.before.max.ms").
			near(c.TimestampBeforeMax.Text())
	}
	return "", nil
}

// Limits of what is simulated.
const (
	MaxEvents   = 50_000_000 // events of a scenario
	MaxSegments = 1_000_000  // segments on disk at a time, those that wait for removal counted
)

// checkEvents estimates the number of events and of segments, and refuses too many.
func (r *resolver) checkEvents(s *Scenario) int64 {
	most := int64(0)
	refuse := func(key string, share eventShare, what string, n, limit int64) {
		e := bad("", fmt.Sprintf("makes about %s %s within horizon=%s, above the %d that are simulated", roundCount(n), what,
			s.horizon.Text(), limit))
		// What is written does for both limits, of which one is told.
		enough := mulDivUp(max(share.value, 1), max(n, share.free), limit/2)
		if live := max(share.live, share.freeLive); live > MaxSegments {
			enough = max(enough, mulDivUp(max(share.value, 1), live, MaxSegments/2))
		}
		if share.value > 0 && share.value <= math.MaxInt64/2 && enough <= share.most {
			nearest := settings[slotRow(share.key)].rounded(enough)
			e.Hint = fmt.Sprintf("write %s or more, or shorten the horizon", nearest)
			if key == share.key {
				e.Nearest = nearest
			}
		} else {
			e.Hint = "shorten the horizon, or lower the rate"
		}
		if key != share.key {
			e.Problem = "with " + share.key + " " + e.Problem
		}
		r.addTo(key, e)
	}
	check := func(c *LogConfig, step bool) bool {
		load := s.eventLoad(c)
		total, live := int64(0), int64(0)
		var worst, longest eventShare
		for _, l := range load {
			total, live = add(total, l.events), add(live, l.live)
			if l.events > worst.events {
				worst = l
			}
			if l.live > longest.live {
				longest = l
			}
		}
		most = max(most, total)
		key := func(l eventShare) string {
			if step {
				return "steps"
			}
			return l.key
		}
		switch {
		case total > MaxEvents:
			what := "events"
			if worst.key == "fetch.batches" {
				what = "index entries, each of which a follower's calls decide by itself,"
			}
			refuse(key(worst), worst, what, total, MaxEvents)
		case live > MaxSegments:
			refuse(key(longest), longest, "segments at a time", live, MaxSegments)
		default:
			return true
		}
		return false
	}
	if !check(&s.log, false) {
		return most
	}
	for _, step := range s.steps {
		if c, ok := step.Do.(Configure); ok && !check(&c.Log, true) {
			break
		}
	}
	return most
}

// rounded is a round number at least n, as one would write it.
func (s *Setting) rounded(n int64) string {
	switch s.Kind {
	case KindSize:
		return Bytes(ceilPow2(n)).Text()
	case KindDuration:
		for _, u := range [...]Millis{Day, Hour, Minute, Second} {
			if n > 2*int64(u) {
				return (Millis(mulDivUp(n, 1, int64(u))) * u).Text()
			}
		}
	}
	return s.text(n)
}

func ceilPow2(n int64) int64 {
	p := int64(1)
	for p < n && p < 1<<62 {
		p *= 2
	}
	return p
}

// roundCount is a number to three digits.
func roundCount(n int64) string {
	scale := int64(1)
	for n/scale >= 1000 {
		scale *= 10
	}
	return strconv.FormatInt(n/scale*scale, 10)
}

// eventShare is a part of the events, and the setting that makes them fewer when it is larger.
type eventShare struct {
	key    string
	events int64
	live   int64 // segments of this origin that are on disk at a time
	value  int64 // of the setting; 0: making it larger does not help

	// As many as there were if a call came whenever one is waited for; these fall as the value grows. 0: those above do.
	free, freeLive int64

	most int64
}

// eventLoad estimates from above where events come from when the log has a configuration all the time.
func (s *Scenario) eventLoad(c *LogConfig) []eventShare {
	perSegment := int64(3) // roll, deletion, removal
	if s.remote != nil {
		perSegment = 14 // to the remote store and out of it, two events each, that take twice as long
	}
	w := s.work
	perRun := 10 + w.batching.producers/2 // a run of appends takes as long as several events, and lists its producers
	horizon := int64(s.horizon)
	bytes, calls := w.total()
	call := max(1, bytes/max(calls, 1))

	// calls that a segment takes at least when it rolls for its size, or for its indexes; time that it takes
	bySize := max(1, int64(c.SegmentBytes)/call)
	byIndex := int64(1) // an index without room for an entry is full from the start
	if entries := min(int64(c.SegmentIndexBytes/indexSlot), int64(c.SegmentIndexBytes/timeSlot)-1); entries > 0 {
		byIndex = mulDiv(entries, int64(c.IndexIntervalBytes)/call+1, 1)
	}
	byTime := int64(max(1, c.maxSegmentMs()-min(c.SegmentJitterMs, c.SegmentMs)/2))

	kept := s.kept(c, min(c.SegmentBytes, Bytes(mulDiv(byIndex, call, 1)), max(Bytes(call), s.mostAtPeak(Millis(byTime)))))
	peak := int64(s.mostAtPeak(kept)) / call
	shares := []eventShare{
		{key: "segment.bytes", events: calls / bySize, live: min(calls, peak) / bySize, value: int64(c.SegmentBytes), most: maxInt},
		{key: "segment.ms", events: min(calls, horizon/byTime), live: min(calls, peak, int64(kept)/byTime), value: int64(c.SegmentMs), most: math.MaxInt64,
			free: mulDiv(horizon/byTime, perSegment, 1), freeLive: int64(kept) / byTime},
		{key: "segment.index.bytes", events: calls / byIndex, live: min(calls, peak) / byIndex, value: int64(c.SegmentIndexBytes), most: maxInt},
	}
	if limit := c.RetentionBytes; limit >= 0 && bytes > 0 && c.Delete && !c.Compact && !c.tieredCopy() && !s.held() {
		// What retention.bytes leaves, in segments of their mean size, and what comes until the next check and removal.
		until := add(max(s.broker.RetentionCheckInterval, s.broker.InitialTaskDelay), c.FileDeleteDelayMs)
		soon := int64(s.mostAtPeak(until)) / call
		for i, more := range [...]int64{soon / bySize, min(soon, int64(until)/byTime), soon / byIndex} {
			shares[i].live = min(shares[i].live, add(mulDivUp(int64(limit), shares[i].events, bytes), more))
		}
	}
	for i := range shares {
		shares[i].events = mulDiv(shares[i].events, perSegment, 1)
	}
	runs, from := w.runs()
	from.events = mulDiv(runs, perRun, 1)
	check, expiry := int64(s.broker.RetentionCheckInterval), int64(s.broker.ProducerExpirationCheck)
	byOffset := max(1, (maxRelativeOffset+1)/max(1, w.batching.records(w.peak())*w.perCall))
	shares = append(shares,
		eventShare{key: "record.value", events: mulDiv(calls/byOffset, perSegment, 1), live: min(calls, peak) / byOffset},
		eventShare{key: "fetch.batches", events: s.entryByEntry(c, bytes, calls)})
	shares = append(shares, s.remoteLoad(c, calls/bySize)...)
	checks := eventShare{key: "log.retention.check.interval.ms", events: horizon / check, value: check, most: math.MaxInt64}
	if s.emptied(c) {
		n := min(calls, checks.events)
		checks.events = max(checks.events, mulDiv(n, perSegment, 1))
		checks.live = min(n, add(int64(c.FileDeleteDelayMs), check)/check)
	}
	return append(shares, checks,
		eventShare{key: "producer.id.expiration.check.interval.ms", events: horizon / expiry, value: expiry, most: maxInt},
		from)
}

// emptied reports whether check after check may find everything expired, so that each rolls and deletes what came since the
// one before.
func (s *Scenario) emptied(c *LogConfig) bool {
	w := s.work
	ms, bytes := c.localRetention()
	old := w.stamp.Kind == FixedTimestamp || w.stamp.Shift < 0 || w.backlog.age > 0
	for _, step := range s.steps {
		if a, ok := step.Do.(Append); ok {
			old = old || a.Timestamp.Kind == FixedTimestamp || a.Timestamp.Shift < 0
		}
	}
	return c.Delete && !c.Compact && (bytes == 0 || ms >= 0 && (old || ms/100 <= w.interval()))
}

// kept is how long a segment of a size stays on disk at most after it is closed, were it not for retention.bytes.
func (s *Scenario) kept(c *LogConfig, segment Bytes) Millis {
	ms, _ := c.localRetention()
	if ms < 0 || !c.Delete || c.Compact || s.work.stamp.Kind == FixedTimestamp && ms > 0 {
		return s.horizon
	}
	kept := add(ms, add(c.FileDeleteDelayMs, s.broker.RetentionCheckInterval))
	kept = add(kept, add(s.broker.InitialTaskDelay, s.MostAhead()))
	if s.held() {
		return s.horizon
	}
	if c.tieredCopy() && s.remote != nil {
		if s.outpaced(segment) {
			return s.horizon
		}
		for _, o := range s.Outages() {
			kept = add(kept, o.To-o.From)
		}
	}
	return min(kept, s.horizon)
}

// held reports whether a step holds the high watermark, above which nothing is deleted.
func (s *Scenario) held() bool {
	return slices.ContainsFunc(s.steps, func(step Step) bool {
		hw, ok := step.Do.(HighWatermark)
		return ok && hw.Offset != -1
	})
}

// outpaced reports whether more than a segment may come in the time that the remote store takes for one, so that those that
// wait to be copied become more and more.
func (s *Scenario) outpaced(segment Bytes) bool {
	took := s.remote.UploadLatency
	if amount, per := s.remote.Upload.Ratio(); amount > 0 {
		took = add(took, Millis(mulDivUp(int64(segment), int64(per), amount)))
	}
	return s.mostAtPeak(took) > segment || s.mostAtPeak(Second) > s.remote.CopyQuota
}

// entryByEntry is about how many index entries have to be looked at one by one: where a follower's calls with several
// batches come at less than a millisecond, and entries now within one, now beyond; see [segment.timeGain].
func (s *Scenario) entryByEntry(c *LogConfig, bytes, calls int64) int64 {
	w := s.work
	if w.perCall == 1 || calls == 0 || s.version.indexesByCall() {
		return 0
	}
	gap := int64(c.IndexIntervalBytes)/max(1, bytes/calls/w.perCall) + 1
	least, most := gap/w.perCall, (gap+w.perCall-1)/w.perCall
	amount, per := w.peak().Ratio()
	took := w.callAmount(w.batching.records(w.peak()))
	if least == 0 || least == most || amount == 0 || mulDiv(took*least, int64(per), amount) >= 1 {
		return 0
	}
	if _, _, ok := s.Steady(); ok && w.burst.Zero() && !uneven(w.daily) && !uneven(w.weekly) && mulDivUp(took*most, int64(per), amount) <= 1 {
		return 0
	}
	return mulDiv(calls, w.perCall, gap)
}

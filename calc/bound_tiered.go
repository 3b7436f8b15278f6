package calc

import "math"

// The worst case of a tiered log. A segment leaves the local log once retention gives it up and its copy is finished, so the
// worst case knows how long a closed segment waits for its copy at most, W.
//
// Let o be the oldest segment at a time t, closed at c, and a the time of its newest record. What is in the log is o and what
// came after a. Either a record came at c and o was rolled for it, then nothing came between, and o goes at the first check
// at which it is copied and too old: t ≤ max(c + W, a + retention) + a check, so what came after a came within
// max(W, retention) + a check. Or a check at c closed o, since it was too old, and t ≤ c + W + a check. By size: at a check
// that leaves o there, what comes after it is less than the limit, or o is not copied and all else came within W.
//
// W: one run of the copy task may be under way when a segment is closed, then comes the interval, then the run that copies
// it. A run copies what was closed since the run before began, so its length D is at most what it takes to copy what can be
// closed in D and an interval: the least D for which that holds is found by going up from 0.
//
// Source: rules 7.1 to 7.4.

// whyNoTieredBound is why most tiered scenarios that change have no closed worst case.
const whyNoTieredBound = "remote.storage.enable keeps what is not copied yet, and with steps, a lag, a quota or a backlog there is no closed limit on how long a copy takes"

// waitForCopy is how long a closed segment waits at most until its copy is finished; ok is false where that is not known.
func (s Scenario) waitForCopy() (wait Millis, ok bool) {
	r, c := s.remote, &s.log
	if r == nil || r.CopyQuota != math.MaxInt64 || s.work.follower || !s.evenTimestamps() || c.MaxCompactionLagMs < c.SegmentMs {
		return 0, false
	}
	if ms, bytes := c.copyLag(); ms != 0 && bytes != 0 {
		return 0, false
	}
	for _, step := range s.steps {
		if _, beat := step.Do.(CopyEvery); !beat {
			return 0, false
		}
	}
	if !s.rollsAreFew() {
		return 0, false
	}
	run := Millis(0)
	for {
		next := s.longestRun(add(add(run, r.TaskInterval), 1))
		if next <= run {
			break
		}
		if run = next; run > s.horizon {
			return 0, false
		}
	}
	return add(add(add(run, run), r.TaskInterval), 2), true
}

// rollsAreFew reports whether segments are closed by their size, their time and checks alone, not for full indexes or
// offsets.
func (s Scenario) rollsAreFew() bool {
	c := &s.log
	entries := int64(c.SegmentBytes/s.perEntry()) + 3
	records := s.work.batching.records(s.work.peak())
	offsets := add(mulDivUp(int64(c.SegmentBytes), records, int64(s.work.batching.size(records))), records)
	return c.SegmentBytes > s.LargestAppend() && entries < int64(c.SegmentIndexBytes)/12 && offsets < maxRelativeOffset
}

// perEntry is the least bytes of batches between two entries of an index.
func (s Scenario) perEntry() Bytes { return max(s.log.IndexIntervalBytes+1, BatchHeader) }

// longestRun is the most time that it takes to copy what can be closed within a time.
func (s Scenario) longestRun(span Millis) Millis {
	r, c := s.remote, &s.log
	come := s.MostBytes(span)
	closed := int64(come/(c.SegmentBytes-s.LargestAppend()+1)) + int64(span/(max(c.SegmentMs-c.SegmentJitterMs, 0)+1)) +
		int64(span/s.broker.RetentionCheckInterval) + 3
	took := Millis(mulDiv(closed, int64(add(r.UploadLatency, 1)), 1))
	amount, per := r.Upload.Ratio()
	if amount == 0 {
		return took
	}
	// Beside the batches: 8 and 12 bytes an index entry, the producers' snapshot, and the leader epochs.
	const perProducer, others = 64, 256
	batches := add(c.SegmentBytes, come)
	stored := add(batches, Bytes(mulDivUp(int64(batches), 20, int64(s.perEntry()))))
	stored = add(stored, Bytes(mulDiv(closed, 60+others+perProducer*s.work.batching.producers, 1)))
	return add(took, Millis(mulDivUp(int64(stored), int64(per), amount)))
}

// waiting is the term of what waits for its copy.
func (w *worst) waiting() Term {
	return Term{Bytes: w.s.MostBytes(w.waits), Keys: []string{"remote.log.manager.task.interval.ms", "remote.upload.rate"},
		Formula: "what comes until a closed segment is copied, at most " + w.waits.String()}
}

// byCopy is the bound of a log whose segments are too old before they are copied.
func (w *worst) byCopy() Bound {
	kept := w.waiting()
	toCheck := w.sinceCheck(add(w.waits, w.check))
	toRemoval := w.sinceCheck(add(add(w.waits, w.check), w.delay))
	return w.sum("retention.ms", w.oldest(false), kept, toCheck-kept.Bytes, toRemoval-toCheck)
}

package calc

import "slices"

// whyOneLeader is what the model leaves out of tiered storage.
const whyOneLeader = "of the remote half one leader's copying and deleting is simulated, not changes of the leader nor the cache of remote indexes"

// remoteHalf says how the remote half is played: where the log is tiered at any time, unless the steps themselves say what
// is copied.
func (r *resolver) remoteHalf(s *Scenario) {
	tiered := s.tieredEver()
	var alone []stepText // steps that make sense with a remote half only
	byHand := slices.ContainsFunc(r.stepTexts(), func(t stepText) bool {
		switch t.do.(type) {
		case RemoteStore, LastStable:
			alone = append(alone, t)
		case CopiedTo, CopyEvery:
			return true
		}
		return false
	})
	switch {
	case byHand && len(alone) > 0:
		r.inStep(alone[0], bad("", "does not go with copied-to and copy-every, which say themselves what is copied").hint("leave one of them out"))
	case !tiered && len(alone) > 0:
		r.inStep(alone[0], bad("", "is about tiered storage").hint("set remote.storage.enable=true"))
	}
	rate := r.rate("remote.upload.rate")
	if tiered && rate.Records() {
		r.addTo("remote.upload.rate", bad("", "counts records, and segments are uploaded by their bytes").hint("give bytes, as in 100MiB/s"))
	}
	if tiered && rate.Zero() {
		r.addTo("remote.upload.rate", bad("", "is zero: nothing ever reaches the remote store").
			hint("give a rate; a store that is down is a step, as in 1h remote-down 2h"))
	}
	if !tiered || byHand {
		return
	}
	s.remote = &RemoteConfig{
		TaskInterval: Millis(r.number("remote.log.manager.task.interval.ms")), Upload: rate,
		UploadLatency: Millis(r.number("remote.upload.latency")), DeleteLatency: Millis(r.number("remote.delete.latency")),
		CopyQuota: Bytes(r.number("remote.log.manager.copy.max.bytes.per.second")),
	}
}

// tieredEver reports whether the log is tiered at any time.
func (s *Scenario) tieredEver() bool {
	return s.log.RemoteStorage || slices.ContainsFunc(s.steps, func(step Step) bool {
		c, ok := step.Do.(Configure)
		return ok && c.Log.RemoteStorage
	})
}

// copiesByHand reports whether a step says what is copied.
func copiesByHand(step Step) bool {
	switch step.Do.(type) {
	case CopiedTo, CopyEvery:
		return true
	}
	return false
}

// Remote is how the remote half is played; ok is false where it is not.
func (s Scenario) Remote() (c RemoteConfig, ok bool) {
	if s.remote == nil {
		return RemoteConfig{}, false
	}
	return *s.remote, true
}

// Outage is a time in which the remote store is down; To is [Never] when that does not end within the scenario.
type Outage struct{ From, To Millis }

// Outages are the times in which the remote store is down, in order.
func (s Scenario) Outages() []Outage {
	var all []Outage
	for _, step := range s.steps {
		do, ok := step.Do.(RemoteStore)
		if !ok {
			continue
		}
		if n := len(all); n > 0 && all[n-1].To > step.At {
			if do.Down == 0 {
				all[n-1].To = step.At
			} else {
				all[n-1].To = add(step.At, do.Down)
			}
		} else if do.Down > 0 {
			all = append(all, Outage{step.At, add(step.At, do.Down)})
		}
	}
	for i := range all {
		if all[i].To > s.horizon {
			all[i].To = Never
		}
	}
	return all
}

// remoteLoad estimates from above the events of the remote half beyond those of each segment, and how many segments the
// store holds.
func (s *Scenario) remoteLoad(c *LogConfig, segments int64) []eventShare {
	if s.remote == nil {
		return nil
	}
	down := Millis(0)
	for _, o := range s.Outages() {
		down = add(down, min(o.To, s.horizon)-o.From)
	}
	_, lag := c.copyLag()
	if lag > 0 && c.CopyLagMs != 0 {
		down = s.horizon // every beat looks whether enough has come
	}
	const perBeat = 4
	interval := int64(s.remote.TaskInterval)
	live := segments
	if c.RetentionMs >= 0 && c.RetentionMs < s.horizon {
		live = min(segments, add(mulDivUp(segments, int64(c.RetentionMs), int64(s.horizon)), 1)*2)
	}
	return []eventShare{
		{key: "remote.log.manager.task.interval.ms", events: mulDiv(int64(down), perBeat, interval), value: interval, most: maxLong},
		{key: "segment.bytes", live: live, value: int64(c.SegmentBytes), most: maxInt},
	}
}

package calc

// OutageEffect is what an outage of the remote store does to the local disk: nothing that is not copied is deleted.
type OutageEffect struct {
	Outage
	Healthy Bytes  // the most blocks on disk at any time before it
	Peak    Moment // the most from its start on until Back
	Back    Millis // when no more than Healthy is on disk again, after its end; [Never] within the plan
}

// OutageEffect plays an outage of the plan again and says what it does.
func (t *Timeline) OutageEffect(o Outage) OutageEffect {
	e := OutageEffect{Outage: o, Back: Never}
	for _, b := range t.envelope {
		if b.To > o.From {
			break
		}
		e.Healthy = max(e.Healthy, b.Allocated.High)
	}
	sim := t.At(o.From)
	e.Healthy = max(e.Healthy, sim.Usage().Allocated)
	e.Peak = Moment{o.From, sim.Usage().Allocated}
	for {
		next, ok := sim.Next()
		if !ok {
			return e
		}
		limit := Never
		if next < o.To {
			limit = o.To // an append may go on beyond its end
		}
		sim.StepBefore(limit, false)
		now, used := sim.Now(), sim.Usage().Allocated
		e.Peak.reach(now, used)
		if now >= o.To && used <= e.Healthy {
			e.Back = now
			return e
		}
	}
}

// FullAt is when so many bytes of blocks are first on disk, to the step of the simulation; [Never] within the plan.
func (t *Timeline) FullAt(disk Bytes) Millis {
	for _, b := range t.envelope {
		if b.Allocated.High < disk {
			continue
		}
		sim := t.At(b.From)
		for sim.Usage().Allocated < disk {
			if _, ok := sim.Next(); !ok {
				return Never
			}
			sim.StepBefore(b.To, false)
		}
		return max(b.From, sim.Now())
	}
	return Never
}

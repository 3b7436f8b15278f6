package calc

// DiskUse is how the disk of a scenario fills. It holds one replica of each of the partitions, and all of them grow alike.
// Blocks are counted, as du counts them. What Kafka does without space is not played: it takes the log directory offline, and
// a broker without another one stops.
type DiskUse struct {
	Size     Bytes  // of the disk
	Replicas int64  // on it, one of each partition
	Most     Moment // the most that is on it at any instant, were it large enough
	Full     Moment // when no less than Size is on it for the first time, and how much; At is [Never] within the horizon
	Before   bool   // it is full before the first deletion, or without one
}

// Disk is the size of the disk; ok is false when none was given.
func (s Scenario) Disk() (size Bytes, ok bool) { return s.disk, s.disk > 0 }

// diskUse is how the disk fills, nil when none was given.
func diskUse(s *Scenario, t *Timeline) *DiskUse {
	if s.disk == 0 {
		return nil
	}
	all := func(m Moment) Moment { return Moment{m.At, Bytes(mulDiv(int64(m.Bytes), s.partitions, 1))} }
	u := DiskUse{Size: s.disk, Replicas: s.partitions, Most: all(t.peak.Allocated), Full: Moment{At: Never}}
	share := Bytes(mulDivUp(int64(s.disk), 1, s.partitions))
	if t.peak.Allocated.Bytes < share {
		return &u
	}
	u.Full.At = t.FullAt(share)
	u.Full = all(Moment{u.Full.At, t.At(u.Full.At).Usage().Allocated})
	u.Before = u.Full.At <= t.counts.FirstDeletion
	return &u
}

// Doubled is the input with twice the traffic: produce, its series and its bursts.
func (in Input) Doubled() Input {
	for _, key := range [...]string{"produce", "burst.rate"} {
		if r, err := parseRate(in.Get(key)); err == nil && !r.Zero() {
			_ = in.Set(key, r.scaled(2, 1).Text()) // one above the limit is what NewScenario refuses
		}
	}
	text, given := in.Given("produce.series")
	if points, err := parseSeries(text); given && err == nil {
		series := []byte{}
		for i, p := range points {
			if i > 0 {
				series = append(series, ',')
			}
			series = append(series, p.at.Text()+":"+p.rate.scaled(2, 1).Text()...)
		}
		_ = in.Set("produce.series", string(series))
	}
	return in
}

// FullAt is the first millisecond after which no less than so many bytes of blocks are on disk; [Never] within the plan.
func (t *Timeline) FullAt(disk Bytes) Millis {
	for _, b := range t.envelope {
		if b.Allocated.High < disk {
			continue
		}
		sim, before := t.At(b.From), b.From
		for sim.Usage().Allocated < disk {
			if _, ok := sim.Next(); !ok {
				return Never
			}
			before = max(b.From, sim.Now())
			sim.StepBefore(b.To, false)
		}
		return t.reached(disk, before, max(b.From, sim.Now()))
	}
	return Never
}

// reached is the first millisecond after which no less than so many bytes of blocks are on disk, at to at the latest. After
// from nothing but appends happens.
func (t *Timeline) reached(disk Bytes, from, to Millis) Millis {
	sim := t.At(from)
	if sim.Usage().Allocated >= disk {
		return from
	}
	for from+1 < to {
		mid := from + (to-from)/2
		later := sim.Clone()
		for {
			if next, ok := later.Next(); !ok || next > mid {
				break
			}
			later.StepBefore(mid+1, false)
		}
		if later.Usage().Allocated >= disk {
			to = mid
		} else {
			sim, from = later, mid
		}
	}
	return to
}

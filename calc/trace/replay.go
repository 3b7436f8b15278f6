package trace

import "github.com/partsize/partsize/calc"

// Replay plays the steps of a scenario or a trace with the model and returns the trace that results, in the same terms.
// Rows are left out of the samples that have none in t, if t has samples. It fails where Kafka itself would.
func Replay(t *Trace) (*Trace, error) {
	r := replay{sim: calc.NewSimulation(t.Plan()), given: t}
	got := *t
	got.Events, got.Samples = nil, nil
	r.out = &got
	if got.KafkaVersion == "" {
		got.KafkaVersion = "4.3.1"
	}
	if got.Order == "" {
		got.Order = ""
	}
	err := r.play()
	return r.out, err
}

// replay is a simulation whose events and samples are written down as the recorder does.
type replay struct {
	sim        *calc.Simulation
	given, out *Trace
	nextSample calc.Millis
	down       bool // the broker is down
}

func (r *replay) play() error {
	until := r.out.Until
	for r.sim.Err() == nil {
		task, step := r.sim.Due()
		switch next := min(task, step); {
		case !r.down && r.nextSample < task && r.nextSample <= min(step, until) && r.nextSample <= until:
			r.sample(r.nextSample, "periodic")
			r.nextSample = r.after(r.nextSample)
		case next > until:
			r.sample(until, "end")
			return nil
		default:
			r.events(r.sim.StepBefore(r.nextSample, true))
		}
	}
	return r.sim.Err()
}

// after is the time of the periodic sample after the one at t.
func (r *replay) after(t calc.Millis) calc.Millis {
	if r.out.SampleEvery == 0 {
		return calc.Never
	}
	return t + r.out.SampleEvery
}

// events writes down what a step of the simulation did.
func (r *replay) events(events []calc.Event) {
	for _, e := range events {
		r.out.Events = append(r.out.Events, Event{
			T: e.At, Kind: e.Kind.String(), Base: max(e.Base, 0), HasBase: e.Base >= 0, Reason: string(e.Reason),
		})
	}
	switch r.sim.Turn() {
	case calc.TaskTurn, calc.CallTurn:
		if len(events) > 0 {
			r.sample(r.sim.Now(), "events")
		}
	case calc.StopTurn:
		r.down = true
		r.sample(r.sim.Now(), "events")
	case calc.StartTurn:
		r.down = false
		for r.nextSample < r.sim.Now() {
			r.nextSample = r.after(r.nextSample)
		}
		r.sample(r.sim.Now(), "step")
	case calc.OtherTurn:
		r.sample(r.sim.Now(), "step")
	}
}

// sample writes down what is on disk.
func (r *replay) sample(at calc.Millis, why string) {
	start, localStart, end, _ := r.sim.Offsets()
	usage := r.sim.Usage()
	s := Sample{
		T: at, Why: why, LogStart: start, LocalStart: -1, LogEnd: end,
		Size: usage.Log, Apparent: usage.Apparent, Allocated: usage.Allocated, HasRows: true,
	}
	if r.sim.Config().RemoteStorage {
		s.LocalStart = localStart
	}
	if n := len(r.out.Samples); n < len(r.given.Samples) {
		s.HasRows = r.given.Samples[n].HasRows
	}
	if s.HasRows {
		dir := r.sim.Directory()
		s.Segments, s.Deleted = rowsOf(dir.Segments), rowsOf(dir.Deleted)
		if !dir.Gone {
			s.Other = []File{{"leader-epoch-checkpoint", dir.LeaderEpochCheckpoint}, {"partition.metadata", dir.PartitionMetadata}}
		}
	}
	r.out.Samples = append(r.out.Samples, s)
}

func rowsOf(files []calc.Files) []Row {
	var rows []Row
	for _, f := range files {
		rows = append(rows, Row{
			int64(f.Base), int64(f.Log), int64(f.Index), int64(f.TimeIndex), int64(f.TxnIndex), int64(f.Snapshot),
		})
	}
	return rows
}

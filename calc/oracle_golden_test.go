package calc_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/trace"
)

// The oracle does what Kafka was recorded to do, so that what the engine is compared with is right where Kafka was asked.
func TestOracleReplaysGolden(t *testing.T) {
	files, _ := filepath.Glob("testdata/golden/*/*.json")
	played := 0
	for _, file := range files {
		if filepath.Base(filepath.Dir(file)) == "recorded" {
			continue // tables in another format
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		want, err := trace.Decode(data)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		played++
		for i, difference := range trace.Compare(want, replayOracle(want)) {
			if i == 3 {
				break
			}
			t.Errorf("%s: %v", file, difference)
		}
	}
	if played < 168 {
		t.Errorf("%d traces, want at least 168", played)
	}
}

// replayOracle plays a trace's steps with the oracle and writes down what happens as the recorder does (FORMAT.md).
func replayOracle(given *trace.Trace) *trace.Trace {
	got := *given
	got.Events, got.Samples = nil, nil
	o := calc.NewOracle(given.Plan())
	next, down := calc.Millis(0), false
	later := func() {
		if next += given.SampleEvery; given.SampleEvery == 0 {
			next = calc.Never
		}
	}
	sample := func(at calc.Millis, why string) {
		u, dir := o.Usage(), o.Directory()
		s := trace.Sample{T: at, Why: why, Size: u.Log, Apparent: u.Apparent, Allocated: u.Allocated, LocalStart: -1}
		var local calc.Offset
		if s.LogStart, local, s.LogEnd = o.Offsets(); o.Tiered() {
			s.LocalStart = local
		}
		s.HasRows = len(got.Samples) >= len(given.Samples) || given.Samples[len(got.Samples)].HasRows
		if s.HasRows {
			s.Segments, s.Deleted = rows(dir.Segments), rows(dir.Deleted)
			if !dir.Gone {
				s.Other = []trace.File{
					{Name: "leader-epoch-checkpoint", Size: dir.LeaderEpochCheckpoint},
					{Name: "partition.metadata", Size: dir.PartitionMetadata},
				}
			}
		}
		got.Samples = append(got.Samples, s)
	}
	for !o.Failed() {
		task, step := o.Due()
		at := min(task, step)
		switch {
		case !down && next < task && next <= min(step, given.Until):
			sample(next, "periodic")
			later()
		case at > given.Until:
			sample(given.Until, "end")
			return &got
		default:
			turn, events := o.Step()
			for _, e := range events {
				got.Events = append(got.Events, trace.Event{
					T: e.At, Kind: e.Kind.String(), Base: max(e.Base, 0), HasBase: e.Base >= 0, Reason: string(e.Reason),
				})
			}
			switch {
			case turn == calc.StopTurn:
				down = true
				sample(o.Now(), "events")
			case turn == calc.StartTurn:
				down = false
				for next < o.Now() {
					later()
				}
				sample(o.Now(), "step")
			case turn == calc.OtherTurn:
				sample(o.Now(), "step")
			case len(events) > 0:
				sample(o.Now(), "events")
			}
		}
	}
	return &got
}

func rows(files []calc.Files) (rows []trace.Row) {
	for _, f := range files {
		rows = append(rows, trace.Row{
			int64(f.Base), int64(f.Log), int64(f.Index), int64(f.TimeIndex), int64(f.TxnIndex), int64(f.Snapshot),
		})
	}
	return rows
}

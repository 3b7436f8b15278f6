package calc

import (
	"flag"
	"runtime"
	"slices"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// check checks a property for n drawn plans, or as many as -rapid.checks says.
func check(t *testing.T, n int, property func(t *rapid.T, p Plan)) {
	t.Helper()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "rapid.checks" })
	if !given {
		if testing.Short() || runtime.GOARCH == "wasm" {
			n /= 20
		}
		checks := flag.Lookup("rapid.checks").Value
		defer checks.Set(checks.String())
		checks.Set(strconv.Itoa(n))
	}
	rapid.Check(t, func(t *rapid.T) {
		p := anyPlan(t)
		defer func() {
			if t.Failed() {
				t.Log("\n" + describe(p))
			}
		}()
		property(t, p)
	})
}

// state is what can be seen of a log.
type state struct {
	usage                        Usage
	dir                          Directory
	logStart, localStart, logEnd Offset
	highWatermark                Offset
}

func (a *state) equal(b *state) bool {
	return a.usage == b.usage && slices.Equal(a.dir.Segments, b.dir.Segments) && slices.Equal(a.dir.Deleted, b.dir.Deleted) &&
		a.dir.LeaderEpochCheckpoint == b.dir.LeaderEpochCheckpoint && a.dir.Gone == b.dir.Gone &&
		(a.dir.Gone || a.logStart == b.logStart && a.localStart == b.localStart && a.logEnd == b.logEnd &&
			a.highWatermark == b.highWatermark)
}

func (s *Simulation) state() (x state) {
	x.usage, x.dir = s.Usage(), s.Directory()
	x.logStart, x.localStart, x.logEnd, x.highWatermark = s.Offsets()
	return x
}

func (o *oracle) state() state {
	return state{o.usage(), o.directory(), o.logStart, o.localStart, o.logEnd, o.highWatermark}
}

// The engine, which makes as many appends together as it can, does the same as the oracle, which makes one at a time:
// the same events in the same order, and after each of its steps the same files.
func TestEngineIsOracle(t *testing.T) {
	check(t, 20_000, func(t *rapid.T, p Plan) {
		play(t, NewSimulation(p), newOracle(p), whole)
	})
}

// FuzzEngineIsOracle is the same for plans that a fuzzer finds by the code they reach.
func FuzzEngineIsOracle(f *testing.F) {
	f.Fuzz(rapid.MakeFuzz(func(t *rapid.T) {
		p := anyPlan(t)
		defer func() {
			if t.Failed() {
				t.Log("\n" + describe(p))
			}
		}()
		play(t, NewSimulation(p), newOracle(p), whole)
	}))
}

// whole lets the engine make its longest steps.
func whole(*rapid.T) (limit Millis, alone bool) { return Never, false }

// play plays the engine step by step, each up to a limit, to the end, and the oracle along with it.
func play(t *rapid.T, sim *Simulation, o *oracle, limit func(*rapid.T) (Millis, bool)) {
	for {
		if _, ok := sim.Next(); !ok {
			break
		}
		before, alone := limit(t)
		playStep(t, sim, o, before, alone)
	}
	for {
		if next, ok := o.next(); !ok || sim.Err() != nil && next > sim.Now() {
			break
		}
		if events := o.step(); len(events) > 0 && sim.Err() == nil {
			t.Fatalf("after the engine's end %v", events)
		}
	}
	if o.failed != (sim.Err() != nil) {
		t.Fatalf("Kafka fails: engine %v, oracle %v", sim.Err(), o.failed)
	}
	if was, is := o.state(), sim.state(); sim.Err() == nil && !was.equal(&is) {
		t.Fatalf("at the end:\nengine %+v\noracle %+v", is, was)
	}
}

// playStep makes one step of the engine, and those of the oracle that it stands for. The oracle is stopped where it is as
// the engine is: what does nothing the engine may leave out, and of the engine's last instant some may still come.
func playStep(t *rapid.T, sim *Simulation, o *oracle, limit Millis, alone bool) {
	if at, _ := sim.Next(); at < sim.Now() {
		t.Fatalf("time goes back from %d to %d", sim.Now(), at)
	}
	events := slices.Clone(sim.StepBefore(limit, alone))
	if sim.Err() != nil {
		return // what is on disk is not known
	}
	now := sim.Now()
	next, more := sim.Next()
	is := sim.state()
	var want []Event
	for {
		was := o.state()
		due, ok := o.next()
		due = max(due, 0)
		if slices.Equal(events, want) && was.equal(&is) && (!ok || due > now || due == now && more && next == now) {
			return
		}
		if !ok || due > now {
			t.Fatalf("after %d ms:\nengine %+v\noracle %+v\nengine's events %v\noracle's events %v", now, is, was, events, want)
		}
		want = append(want, o.step()...)
	}
}

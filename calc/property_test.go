package calc

import (
	"flag"
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
		if testing.Short() {
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
		sim, o := NewSimulation(p), newOracle(p)
		play(t, sim, o, func(*rapid.T) Millis { return Never })
	})
}

// play plays the engine step by step, each up to a limit, and the oracle along with it.
func play(t *rapid.T, sim *Simulation, o *oracle, limit func(*rapid.T) Millis) {
	var events, want []Event
	for {
		at, ok := sim.Next()
		if !ok {
			break
		}
		if at < sim.Now() {
			t.Fatalf("time goes back from %d to %d", sim.Now(), at)
		}
		got := sim.StepBefore(limit(t), false)
		if sim.Err() != nil {
			break
		}
		events = append(events, got...)
		now := sim.Now()
		next, ok := sim.Next()
		done := !ok || next > now // with this instant
		// The oracle goes on until it is where the engine is: some of this instant may still come.
		is := sim.state()
		var was state
		for {
			was = o.state()
			next, ok := o.next()
			if len(want) >= len(events) && was.equal(&is) && (!ok || next >= now) && (!done || !ok || next > now) {
				break
			}
			if !ok || next > now {
				t.Fatalf("after %d ms:\nengine %+v\noracle %+v\nengine's events %v\noracle's events %v", now, is, was,
					tail(events), tail(want))
			}
			want = append(want, o.step()...)
		}
		if !slices.Equal(events, want) {
			t.Fatalf("after %d ms:\nengine's events %v\noracle's events %v", now, tail(events), tail(want))
		}
	}
	for {
		if next, ok := o.next(); !ok || sim.Err() != nil && next > sim.Now() {
			break
		}
		o.step()
	}
	if o.failed != (sim.Err() != nil) {
		t.Fatalf("Kafka fails: engine %v, oracle %v", sim.Err(), o.failed)
	}
	if was, is := o.state(), sim.state(); sim.Err() == nil && !was.equal(&is) {
		t.Fatalf("at the end:\nengine %+v\noracle %+v", is, was)
	}
}

func tail(events []Event) []Event { return events[max(0, len(events)-12):] }

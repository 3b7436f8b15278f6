package calc

import "testing"

// tenMiB is a partition at Kafka's defaults under 10 MiB/s of 16205-byte batches.
func tenMiB(until Millis) Plan {
	return Plan{
		Log: DefaultLogConfig(), Broker: DefaultBrokerConfig(), Version: V4_3, Epoch: 1_700_000_000_000, Until: until,
		Steps: &StepList{{At: 0, Do: Append{
			Count: 1 << 40, IntervalNum: 16205 * 1000, IntervalDen: int64(10 * MiB), Batch: 16205, Records: 16, Batches: 1,
			Producer: 0, Producers: 4, Offset: -1,
		}}},
	}
}

// BenchmarkYear is a year of 10 MiB/s at the defaults: it is to take less than 100 ms, with 5 million
// segment lifetimes a second, from roll to removal.
func BenchmarkYear(b *testing.B) {
	b.ReportAllocs()
	var removals int64
	for b.Loop() {
		removals += RunPlan(tenMiB(365*Day), Regular{OK: true}, nil).Counts().Removals
	}
	b.ReportMetric(float64(removals)/b.Elapsed().Seconds(), "lifetimes/s")
}

// BenchmarkSteps plays the same year without the books, step by step, so that every event is told.
func BenchmarkSteps(b *testing.B) {
	plan := tenMiB(365 * Day)
	var removals int64
	for b.Loop() {
		sim := NewSimulation(plan)
		for {
			if _, ok := sim.Next(); !ok {
				break
			}
			for _, e := range sim.Step() {
				if e.Kind == Remove {
					removals++
				}
			}
		}
	}
	b.ReportMetric(float64(removals)/b.Elapsed().Seconds(), "lifetimes/s")
}

// BenchmarkMonth is 30 days of 1 MiB/s at the defaults, the page's measure.
func BenchmarkMonth(b *testing.B) {
	plan := tenMiB(30 * Day)
	steps := plan.Steps.(*StepList)
	run := (*steps)[0].Do.(Append)
	run.IntervalDen = int64(MiB)
	plan.Steps = &StepList{{Do: run}}
	for b.Loop() {
		RunPlan(plan, Regular{OK: true}, nil)
	}
}

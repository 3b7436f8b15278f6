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

// BenchmarkYear is a year of 10 MiB/s at the defaults: the issue wants it under 100 ms.
func BenchmarkYear(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		RunPlan(tenMiB(365*Day), Regular{OK: true}, nil)
	}
}

// BenchmarkLifetimes plays a year without the books and reports segment lifetimes a second.
func BenchmarkLifetimes(b *testing.B) {
	plan := tenMiB(365 * Day)
	var rolls int64
	for b.Loop() {
		sim := NewSimulation(plan)
		for {
			if _, ok := sim.Next(); !ok {
				break
			}
			sim.Step()
		}
		rolls += int64(sim.log.logEnd) / 16 * 16205 / int64(GiB)
	}
	b.ReportMetric(float64(rolls)/b.Elapsed().Seconds(), "lifetimes/s")
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

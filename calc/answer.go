package calc

// Answer is everything that a scenario's simulation says, for the page and the terminal alike.
type Answer struct {
	Scenario    Scenario
	Timeline    *Timeline
	Bound       Bound
	Compacted   Bound // of a compacted log while its cleaner keeps up; the timeline is as if it never ran
	Short       ShortFormula
	NotFollowed []NotFollowed
	Disk        *DiskUse // nil: no disk was given
}

// Run plays a scenario to its horizon.
func Run(s Scenario) Answer { return RunWith(s, nil) }

// RunWith is [Run] with progress: it is told how far the clock is about a thousand times, and stops the run when it
// returns false.
func RunWith(s Scenario, progress func(at Millis) bool) Answer {
	var r Regular
	r.From, r.Period, r.OK = s.Steady()
	t := RunPlan(s.Plan(), r, progress)
	return Answer{
		Scenario: s, Timeline: t, Bound: BoundOf(s), Compacted: CompactedOf(s), Short: ShortFormulaOf(s, t), NotFollowed: s.NotFollowed(),
		Disk: diskUse(&s, t),
	}
}

package calc

import (
	"errors"
	"slices"
)

// Epoch is the wall clock at the start of every scenario, in milliseconds since the Unix epoch: 2023-11-14 22:13:20 UTC.
const Epoch Millis = 1_700_000_000_000

// Scenario is a checked, complete and bounded description of what is simulated. It does not change. [NewScenario] is the
// only way to one; the zero Scenario is not usable.
type Scenario struct {
	input       Input
	version     Version
	horizon     Millis
	partitions  int64
	replicas    int64
	disk        Bytes // 0: none was given
	seed        uint64
	log         LogConfig
	broker      BrokerConfig
	remote      *RemoteConfig // nil: the remote half is not played
	cleaner     cleaner
	work        *workload
	steps       []Step // in order of time
	events      int64
	notFollowed []NotFollowed
}

// NotFollowed is a setting that was given and that the model does not follow.
type NotFollowed struct {
	Key, Value string
	Why        string // a clause
}

// NewScenario checks an input and completes it: defaults of the version, the broker's settings where the topic has none.
// The error joins a [*FieldError] for every problem, in the order of the table of settings; [Problems] takes it apart.
func NewScenario(in Input) (Scenario, error) {
	r := newResolver(in, every)
	if s := r.scenario(); len(r.problems) == 0 {
		return s, nil
	}
	r.settle()
	return Scenario{}, r.err()
}

// scenario is what all settings make together, if there are no problems.
func (r *resolver) scenario() Scenario {
	s := Scenario{input: r.in, version: r.version}
	s.horizon = Millis(r.number("horizon"))
	s.partitions = r.number("partitions")
	s.replicas = r.number("replication.factor")
	if disk := Bytes(r.number("disk")); disk != maxLong {
		s.disk = disk
	}
	s.seed = uint64(r.number("seed"))
	s.log, s.broker, s.cleaner = r.log(), r.broker(), r.cleaner()
	r.crossChecks(&s.log)
	s.work = r.workload(&s)
	s.steps = r.steps(&s)
	r.remoteHalf(&s)
	if r.soundGroups(Traffic, Records, Segmenting, Timestamps) && r.sound("fetch.batches", "role") {
		r.checkRefusals(&s)
		if r.soundGroups(Brokers, Retaining, Tiering) && r.sound("horizon", "steps") {
			s.events = r.checkEvents(&s)
		}
	}
	s.notFollowed = r.notFollowed(&s)
	return s
}

// Problems is the [*FieldError]s that an error of this package joins.
func Problems(err error) []*FieldError {
	var one *FieldError
	if many, ok := err.(interface{ Unwrap() []error }); ok {
		var all []*FieldError
		for _, e := range many.Unwrap() {
			all = append(all, Problems(e)...)
		}
		return all
	}
	if errors.As(err, &one) {
		return []*FieldError{one}
	}
	return nil
}

// Plan is what a [Simulation] plays.
func (s Scenario) Plan() Plan {
	return Plan{
		Log: s.log, Broker: s.broker, Version: s.version, Epoch: Epoch, Until: s.horizon, Seed: s.seed,
		Steps: s.work.newSource(s.steps), Remote: s.remote,
	}
}

// Input is what the scenario was made of.
func (s Scenario) Input() Input { return s.input }

// Version is the release of Kafka.
func (s Scenario) Version() Version { return s.version }

// Horizon is how long the log is played.
func (s Scenario) Horizon() Millis { return s.horizon }

// TopicDeleted is when a step deletes the topic; ok is false when none does within the horizon.
func (s Scenario) TopicDeleted() (at Millis, ok bool) {
	for _, step := range s.steps {
		if _, ok := step.Do.(DeleteTopic); ok && step.At <= s.horizon {
			return step.At, true
		}
	}
	return 0, false
}

// Steps are the steps that the settings name, in order of time; the traffic is not among them.
func (s Scenario) Steps() []Step { return slices.Clone(s.steps) }

// Partitions is how many partitions like this one there are, at least one.
func (s Scenario) Partitions() int64 { return s.partitions }

// ReplicationFactor is how many replicas each partition has, at least one.
func (s Scenario) ReplicationFactor() int64 { return s.replicas }

// Log is the log's configuration at the start.
func (s Scenario) Log() LogConfig { return s.log }

// Broker is the broker's configuration.
func (s Scenario) Broker() BrokerConfig { return s.broker }

// NotFollowed is each setting that was given and that the model does not follow, in the order of the table.
func (s Scenario) NotFollowed() []NotFollowed { return slices.Clone(s.notFollowed) }

// EventBound is about how many events the simulation has; [NewScenario] refuses more than [MaxEvents].
func (s Scenario) EventBound() int64 { return s.events }

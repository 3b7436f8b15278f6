// Package trace reads and plays recorded placement traces (kafka-placement-trace/1, kafka-replica-trace/1, kafka-creation-trace/1)
// with package placement and compares every row. Their format is described with the traces, in testdata.
package trace

import (
	"encoding/json"
	"strconv"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/placement"
)

// The formats, and those of scenarios that were not recorded yet.
const (
	LogDirsFormat  = "kafka-placement-trace/1"
	ReplicasFormat = "kafka-replica-trace/1"
	CreationFormat = "kafka-creation-trace/1"

	logDirsScenario  = "kafka-placement-scenario/1"
	replicasScenario = "kafka-replica-scenario/1"
	creationScenario = "kafka-creation-scenario/1"
)

// Trace is a recorded trace, or one that was computed. Of Rows, Replicas and Creation only that of the format is used.
type Trace struct {
	Format       string
	KafkaVersion string // "" for a scenario
	JavaVersion  string // of creation traces
	Name         string
	Description  string

	LogDirs
	Rows []Row

	Replicas []ReplicaCase
	Creation []CreationCase
}

// Recorded is false for a scenario, which has nothing to compare.
func (t *Trace) Recorded() bool { return t.KafkaVersion != "" }

// LogDirs is the scenario of a broker's directories.
type LogDirs struct {
	Prefix           string
	LogDirs          []string
	Cordoned         []string
	Metadata         bool // the first directory holds a __cluster_metadata-0
	DeleteDelay      calc.Millis
	InitialTaskDelay calc.Millis
	Dirs, Paths      []string // every directory named, in order of appearance
}

// Step is a step of a scenario. Which fields are used follows from Kind, its first key.
type Step struct {
	Kind      string
	Partition placement.Partition
	Dir       string   // the step's own, or that of its key dir or to
	Target    string   // of create
	IsNew     bool     // of create
	At        int      // of add_dir
	Offline   []string // of a restart
	Stray     []placement.Partition
	Wait      calc.Millis // of advance_ms
	given     map[string]bool
}

// Row is a step and what came of it. Directories are as the scenario names them.
type Row struct {
	Step     Step
	T        calc.Millis
	Dir      string // where the log is; "" for none
	Existing bool
	Error    string
	Failed   []string
	Halt     bool
	Up       bool // Live, Next and Counted are given
	Live     []string
	Next     []string
	Counted  []int
	Disk     [][4]int
	Names    []string

	refusal *placement.Refusal // of a computed row
}

// ReplicaCase is topics that are placed one after the other.
type ReplicaCase struct {
	Name    string
	Seed    int64
	Brokers []placement.Candidate
	Topics  []ReplicaTopic
	Results []ReplicaResult
}

// ReplicaTopic is a topic or an addition of partitions.
type ReplicaTopic struct{ Start, Partitions, ReplicationFactor int }

// ReplicaResult is where a topic's replicas went.
type ReplicaResult struct {
	Draws       [][2]int32 // bound and value of each random number
	Assignments [][]int32
	Error       string

	refusal *placement.Refusal
}

// CreationCase is topics that reach a broker in one update.
type CreationCase struct {
	Broker             int32
	Topics             []placement.NewTopic
	Leaders, Followers []string
}

// stepKey is the name of the directory's key in a step, "" when the directory is the value of the kind itself.
func stepKey(kind string) (own, key string) {
	switch kind {
	case "create", "prefer", "block", "unblock":
		return "partition", "dir"
	case "move":
		return "partition", "to"
	case "delete", "future", "finish_move", "cancel_move", "stray":
		return "partition", ""
	case "fail_dir", "cordon", "uncordon", "add_dir", "remove_dir", "names":
		return "dir", ""
	case "restart", "start":
		return "true", ""
	case "advance_ms":
		return "ms", ""
	}
	return "", ""
}

// MarshalJSON writes the step with its kind first.
func (s Step) MarshalJSON() ([]byte, error) {
	own, key := stepKey(s.Kind)
	var value any
	switch own {
	case "partition":
		value = s.Partition.String()
	case "dir":
		value = s.Dir
	case "ms":
		value = s.Wait
	default:
		value = true
	}
	out := append([]byte{'{'}, quoted(s.Kind)...)
	out = append(append(out, ':'), quoted(value)...)
	field := func(name string, value any) {
		if s.given[name] {
			out = append(append(append(append(out, ','), quoted(name)...), ':'), quoted(value)...)
		}
	}
	if key != "" {
		field(key, s.Dir)
	}
	field("target", s.Target)
	field("is_new", s.IsNew)
	field("at", s.At)
	field("offline", s.Offline)
	field("stray", partitionNames(s.Stray))
	return append(out, '}'), nil
}

func partitionNames(partitions []placement.Partition) []string {
	names := make([]string, len(partitions))
	for i, p := range partitions {
		names[i] = p.String()
	}
	return names
}

// quoted is JSON of a value that cannot fail.
func quoted(value any) []byte {
	text, err := json.Marshal(value)
	if err != nil {
		panic("trace: " + err.Error())
	}
	return text
}

// Extent is how much a trace has, in words.
func (t *Trace) Extent() string {
	n, what := len(t.Rows), "step"
	if t.Replicas != nil || t.Creation != nil {
		n, what = len(t.Replicas)+len(t.Creation), "case"
	}
	if n != 1 {
		what += "s"
	}
	return strconv.Itoa(n) + " " + what
}

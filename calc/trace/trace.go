// Package trace reads, writes, compares and draws the scenarios and traces by which the model is judged: what Apache
// Kafka's own log layer was recorded to do to one partition's files.
//
// A scenario (kafka-log-scenario/1) says what to do; a trace (kafka-log-trace/1) says it again with everything filled in,
// and what happened. The recorder in calc/testdata/recorder makes a trace of a scenario, and describes both formats in
// FORMAT.md. [Decode] reads either; [Replay] plays one with this module's model; [Compare] finds where the two differ;
// [Generate] draws a random scenario.
//
// The package reads and writes no files.
package trace

import (
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// The formats that [Decode] reads.
const (
	ScenarioFormat = "kafka-log-scenario/1"
	TraceFormat    = "kafka-log-trace/1"
)

// Order is the rule for what comes first within a millisecond, as the recorder states it in a trace.
const Order = "At each millisecond: (1) the scheduled tasks that are due (retention check, removal " +
	"of deleted files, producer id expiry, copy_every), in the order in which they were scheduled, a periodic task being " +
	"scheduled again when its run ends; together they give at most one sample; (2) the periodic sample; (3) the steps in " +
	"list order, an append step with all its calls of this millisecond; tasks that a call or step makes due at once run " +
	"right after it and belong to it."

// Scenario is what happens to one partition's log: settings, and steps in time order. Times are milliseconds since its
// start.
type Scenario struct {
	Name        string // letters, digits, '.', '_' and '-'
	Description string
	Epoch       calc.Millis // the wall clock at time 0, since the Unix epoch
	Topic       Settings    // by Kafka's names, the ones that matter for files filled in
	Broker      Settings    // the same for the broker
	Steps       []Step
	Until       calc.Millis // the end; what is due at the end still happens
	SampleEvery calc.Millis // period of the periodic samples; 0: only the one at 0

	// StopAfterEvents ends a recording before the first step that comes later than the last one and finds more events
	// than this; RowLimit is about how many rows its samples may hold together. A negative number is no limit. A trace
	// does not state them: its Until is the true end.
	StopAfterEvents, RowLimit int64

	Log    calc.LogConfig    // Topic, as the model takes it
	Server calc.BrokerConfig // Broker, as the model takes it
}

// Trace is a scenario and what happened when it was played. One that [Decode] read from a scenario has no events and no
// samples yet, and an empty KafkaVersion.
type Trace struct {
	Scenario
	KafkaVersion string // "4.3.1"
	Order        string // [Order], or what the file says
	Events       []Event
	Samples      []Sample
}

// Step is something that happens, as the model takes it (At, Do), with what the file says beyond that.
type Step struct {
	calc.Step

	// Key and Values are the bytes of a record's key and value in a [calc.Append], -1 for null. The batches use the
	// values in turn. The model takes the size of the batch only.
	Key    int64
	Values []int64

	// Changed are the settings that a [calc.Configure] gives, in the order of the file; its Log is all of them.
	Changed Settings
}

// Event is something that happened to a segment or to the log.
type Event struct {
	T       calc.Millis
	Kind    string      // roll, replace, delete, removed, reject, copied, stop, start, delete_topic
	Base    calc.Offset // the segment's base offset; what it means for the other kinds is in FORMAT.md
	HasBase bool        // whether the event has a Base
	Reason  string      // the settings that caused it, or the exception; "" for none
}

// Sample is what was on disk at a time.
type Sample struct {
	T          calc.Millis
	Why        string      // periodic, events, step, end
	LogStart   calc.Offset // the log start offset
	LocalStart calc.Offset // the local log start offset; -1 for a log that is not tiered
	LogEnd     calc.Offset // the log end offset
	Size       calc.Bytes  // Kafka's own size of the log: bytes in the live segments' batches
	Apparent   calc.Bytes  // sum of the sizes of all files in the partition's directory
	Allocated  calc.Bytes  // sum of their blocks

	// HasRows is false when the row limit left the rows out. Rows and files are in ascending order.
	HasRows  bool
	Segments []Row
	Deleted  []Row  // the same for the files with the suffix .deleted
	Other    []File // the other files
}

// Row is the sizes of one base offset's files: base, .log, .index, .timeindex, .txnindex, .snapshot; -1 for no file.
type Row [6]int64

// Suffixes are the files of a [Row], from its second number on.
var Suffixes = [...]string{".log", ".index", ".timeindex", ".txnindex", ".snapshot"}

// File is a file that belongs to no segment.
type File struct {
	Name string
	Size calc.Bytes
}

// Setting is a setting by Kafka's name and the text Kafka would parse.
type Setting struct{ Key, Text string }

// Settings are settings in the order of their file.
type Settings []Setting

// Get is the text of a setting.
func (s Settings) Get(key string) (text string, ok bool) {
	for _, setting := range s {
		if setting.Key == key {
			return setting.Text, true
		}
	}
	return "", false
}

// Ignored are the keys of the topic's and the broker's settings, changed ones included, that the model does not know:
// it plays the scenario as if they were not there.
func (s *Scenario) Ignored() []string {
	var keys []string
	add := func(settings Settings, known func(*Setting) bool) {
		for i := range settings {
			key := settings[i].Key
			if !known(&settings[i]) && !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	topic := func(setting *Setting) bool {
		var scratch calc.LogConfig
		known, _ := scratch.Set(setting.Key, setting.Text)
		return known
	}
	add(s.Topic, topic)
	add(s.Broker, func(setting *Setting) bool { return brokerSetting(setting.Key) != nil })
	for i := range s.Steps {
		add(s.Steps[i].Changed, topic)
	}
	return keys
}

// Plan is the scenario as a [calc.Simulation] takes it.
func (t *Trace) Plan() calc.Plan {
	steps := make(calc.StepList, len(t.Steps))
	for i := range t.Steps {
		steps[i] = t.Steps[i].Step
	}
	return calc.Plan{
		Log:     t.Log,
		Broker:  t.Server,
		Version: t.version(),
		Epoch:   t.Epoch,
		Until:   t.Until,
		Steps:   &steps,
	}
}

// version is the release that recorded the trace, or for a scenario the one whose defaults are filled in.
func (t *Trace) version() calc.Version {
	v, ok := parseVersion(t.KafkaVersion)
	if !ok {
		return calc.V4_3
	}
	return v
}

// parseVersion reads a release such as 4.3.1 or 4.4.0-SNAPSHOT.
func parseVersion(text string) (v calc.Version, ok bool) {
	release, _, _ := strings.Cut(text, "-")
	parts := strings.Split(release, ".")
	if len(parts) == 2 {
		parts = append(parts, "0")
	}
	if len(parts) != 3 {
		return 0, false
	}
	for _, part := range parts {
		n, err := strconv.ParseUint(part, 10, 64)
		if err != nil || n > 99 {
			return 0, false
		}
		v = v*100 + calc.Version(n)
	}
	return v, true
}

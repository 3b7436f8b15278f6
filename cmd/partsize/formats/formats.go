// Package formats reads files in which people keep what they know of a Kafka cluster beside Kafka's own: manifests of Kubernetes,
// compose files, environment variables, answers of REST APIs, and what ls and du print. It is the command's alone: the page does
// not carry its libraries.
package formats

import (
	"errors"
	"fmt"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
)

// Reading is what was read from one file.
type Reading struct {
	// Config has the settings of brokers and topics; nil when a file of this kind has none.
	Config   *kafkaconf.Result
	Shape    Shape
	Warnings []kafkaconf.Notice // beside those of Config

	filled bool // there are more topics than are read
}

// Shape is the content of a file, as partsize read --json shows it. A part is nil when the file has no such part.
type Shape struct {
	kafkaconf.Read
	Topics   []Topic   `json:"topics,omitempty"`
	Cluster  *Cluster  `json:"cluster,omitempty"`
	Segments []Segment `json:"segments,omitempty"`
	Log      *int64    `json:"log_bytes,omitempty"`      // of all .log files, unless a size is rounded
	Apparent *int64    `json:"apparent_total,omitempty"` // of all files, unless a size is rounded
	Sizes    []Size    `json:"sizes,omitempty"`
	Ignored  []string  `json:"ignored,omitempty"` // names of files that are no partition
	Brokers  []Broker  `json:"brokers,omitempty"`
}

// Topic is a topic, and what a service sets aside for it.
type Topic struct {
	kafkaconf.Topic
	Reserved *calc.Bytes `json:"reserved_bytes,omitempty"` // of IBM Event Streams
}

// Cluster is what a manifest says about the brokers and their disks.
type Cluster struct {
	Brokers *int64   `json:"brokers,omitempty"`
	Version string   `json:"kafka.version,omitempty"`
	Volumes []Volume `json:"volumes,omitempty"` // of each broker
}

// Volume is a disk of a broker.
type Volume struct {
	ID    *int64     `json:"id,omitempty"`
	Bytes calc.Bytes `json:"bytes"`
}

// Size is a replica's, as du prints it.
type Size struct {
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Bytes     int64  `json:"size"`
}

// Broker is a broker in the answer of Cruise Control.
type Broker struct {
	ID       int64               `json:"id"`
	State    string              `json:"state"`
	Disk     float64             `json:"disk_mb"`
	Capacity float64             `json:"capacity_mb"`
	Replicas int64               `json:"replicas"`
	Dirs     map[string]*float64 `json:"dirs"` // megabytes in each directory; nil: it is dead
}

// errUnknown is the error about a file of a known form that holds nothing about Kafka.
var errUnknown = errors.New("there is nothing about Kafka in it that is understood")

// maxLines is the most lines that are read of what ls and du print.
const maxLines = 500_000

// mostBytes is the most that is read of a format: as much as is worked out in about a second.
func mostBytes(format kafkaconf.Format) int {
	switch format {
	case kafkaconf.FormatTerraform:
		return 1 << 20 // ten thousand topics
	case kafkaconf.FormatYAML, kafkaconf.FormatJSON, kafkaconf.FormatEnv:
		return 16 << 20
	}
	return kafkaconf.MaxSize
}

// Reads reports whether [Read] reads a format.
func Reads(format kafkaconf.Format) bool {
	switch format {
	case kafkaconf.FormatListing, kafkaconf.FormatDiskUsage, kafkaconf.FormatEnv, kafkaconf.FormatYAML, kafkaconf.FormatJSON,
		kafkaconf.FormatTerraform:
		return true
	}
	return false
}

// Read reads a file of a format for which [Reads] is true.
func Read(data []byte, format kafkaconf.Format, options kafkaconf.Options) (*Reading, error) {
	if most := mostBytes(format); len(data) > most {
		return nil, fmt.Errorf("it has more than %s; keep the part that matters", calc.Bytes(most))
	}
	options.Format = format
	switch format {
	case kafkaconf.FormatListing:
		return readListing(string(data))
	case kafkaconf.FormatDiskUsage:
		return readDiskUsage(string(data))
	case kafkaconf.FormatEnv:
		return readEnvironment(string(data), options)
	case kafkaconf.FormatYAML:
		return readYAML(data, options)
	case kafkaconf.FormatTerraform:
		return readTerraform(data, options)
	default:
		return readJSON(data, options)
	}
}

// warn adds a warning about a line, 0 for the file as a whole.
func (r *Reading) warn(line int, format string, args ...any) {
	const most = 100
	if len(r.Warnings) < most {
		r.Warnings = append(r.Warnings, kafkaconf.Notice{Line: int64(line), Text: fmt.Sprintf(format, args...)})
	}
}

// full says, once, that there are more topics than are read.
func (r *Reading) full() {
	if !r.filled {
		r.filled = true
		r.warn(0, "there are more than %d topics, and those after them are left out; give them in files of their own", maxTopics)
	}
}

// assemble puts settings into the reading.
func (r *Reading) assemble(format kafkaconf.Format, broker []kafkaconf.Setting, topics []kafkaconf.TopicSettings, options kafkaconf.Options) {
	if options.Version == 0 && r.Shape.Cluster != nil {
		options.Version, _ = calc.ParseVersion(r.Shape.Cluster.Version) // what the model does not know is held to the newest
	}
	broker = r.withoutTopicNames(broker)
	r.Config = kafkaconf.Assemble(format, broker, topics, options)
	r.Shape.Read = r.Config.Read
	for _, t := range r.Config.Read.Topics {
		r.Shape.Topics = append(r.Shape.Topics, Topic{Topic: t})
	}
}

// withoutTopicNames takes topics' names out of a broker's settings, and says in one warning what the broker's names are.
func (r *Reading) withoutTopicNames(broker []kafkaconf.Setting) []kafkaconf.Setting {
	kept := broker[:0:0]
	var topics, brokers string
	line := 0
	for _, s := range broker {
		row, synonym, ok := calc.SettingOf(s.Key)
		if !ok || synonym != nil || row.Own || row.Broker || len(row.Inherits) == 0 || row.Inherits[0].Key == s.Key {
			kept = append(kept, s)
			continue
		}
		if topics != "" {
			topics, brokers = topics+" / ", brokers+" / "
		} else {
			line = s.Line
		}
		topics, brokers = topics+s.Key, brokers+row.Inherits[0].Key
	}
	if topics != "" {
		r.warn(line, "%s are topic names; a broker uses %s, and ignores those", topics, brokers)
	}
	if broker != nil && kept == nil {
		kept = []kafkaconf.Setting{}
	}
	return kept
}

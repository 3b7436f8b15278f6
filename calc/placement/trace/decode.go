package trace

import (
	"math"
	"strings"
	"unicode/utf8"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/strictjson"
	"github.com/partsize/partsize/calc/placement"
)

// What [Decode] takes at most.
const (
	MaxSize = 64 << 20 // bytes of a file

	maxSteps      = 100_000
	maxDirs       = 10_000
	maxCases      = 10_000
	maxBrokers    = 100_000
	maxPartitions = 1_000_000     // of a case, times their replicas
	maxWait       = 1_000_000_000 // seconds, of one step or delay
	maxCells      = 20_000_000    // rows times directories
)

// Error is what is wrong with a file, and where.
type Error = strictjson.Error

// Decode reads a trace or a scenario of one of the three formats. It accepts what the recorder accepts and writes, nothing
// else; an error is an [*Error] with the place of the mistake.
func Decode(data []byte) (*Trace, error) {
	if len(data) > MaxSize {
		return nil, &Error{Problem: "more than 64 MiB"}
	}
	if !utf8.Valid(data) {
		return nil, &Error{Problem: "not UTF-8 text"}
	}
	d := decoder{Reader: strictjson.NewReader(data)}
	t := d.document()
	if d.Err != nil {
		return nil, d.Err
	}
	return t, nil
}

// IsPlacement reports whether a file is of one of this package's formats, by its first bytes.
func IsPlacement(data []byte) bool {
	head := string(data[:min(len(data), 4096)])
	for _, format := range []string{LogDirsFormat, ReplicasFormat, CreationFormat, logDirsScenario, replicasScenario, creationScenario} {
		if strings.Contains(head, `"`+format+`"`) {
			return true
		}
	}
	return false
}

type decoder struct {
	strictjson.Reader
	cells int
}

func (d *decoder) document() *Trace {
	t := &Trace{LogDirs: LogDirs{Prefix: "/var/lib/kafka", DeleteDelay: placement.DefaultDeleteDelay, InitialTaskDelay: placement.DefaultInitialTaskDelay}}
	given := map[string]bool{}
	d.Object(func(key string) bool {
		given[key] = true
		if key != "format" && t.Format == "" {
			d.Fail("the file must begin with its format")
			return true
		}
		switch key {
		case "format":
			t.Format = d.format()
		case "kafka_version":
			t.KafkaVersion = d.Text()
			if _, err := calc.ParseVersion(t.KafkaVersion); err != nil {
				d.Fail("%q is not a Kafka release such as 4.3.1", strictjson.Shorten(t.KafkaVersion))
			}
		case "java_version":
			t.JavaVersion = d.Text()
		case "name":
			t.Name = d.Text()
		case "description":
			t.Description = d.Text()
		default:
			return d.body(t, key)
		}
		return true
	})
	d.End()
	d.Path = d.Path[:0]
	required := []string{"format", "name", "cases"}
	if isLogDirs(t.Format) {
		required = []string{"format", "name", "log.dirs", "steps"}
	}
	if strings.HasSuffix(t.Format, "-trace/1") {
		required = append(required, "kafka_version")
	} else if given["kafka_version"] {
		d.Fail("a scenario has no kafka_version")
	}
	for _, key := range required {
		if !given[key] {
			d.Fail("%q is missing", key)
		}
	}
	if d.Err == nil && isLogDirs(t.Format) {
		d.completeDirs(t)
	}
	return t
}

func isLogDirs(format string) bool { return format == LogDirsFormat || format == logDirsScenario }

func (d *decoder) format() string {
	format := d.Text()
	switch format {
	case LogDirsFormat, ReplicasFormat, CreationFormat, logDirsScenario, replicasScenario, creationScenario:
	default:
		d.Fail("%q is no format of a placement trace; expected %q, %q or %q", strictjson.Shorten(format), LogDirsFormat, ReplicasFormat, CreationFormat)
	}
	return format
}

// body reads what one of the formats has of its own.
func (d *decoder) body(t *Trace, key string) bool {
	switch t.Format {
	case ReplicasFormat, replicasScenario:
		if key != "cases" {
			return false
		}
		d.Array(maxCases, func(int) { t.Replicas = append(t.Replicas, d.replicaCase(t.Recorded())) })
		return true
	case CreationFormat, creationScenario:
		if key != "cases" {
			return false
		}
		d.Array(maxCases, func(int) { t.Creation = append(t.Creation, d.creationCase(t.Recorded())) })
		return true
	}
	switch key {
	case "prefix":
		t.Prefix = d.Text()
	case "log.dirs":
		t.LogDirs.LogDirs = d.texts(maxDirs)
	case "cordoned":
		t.Cordoned = d.texts(maxDirs)
	case "metadata":
		t.Metadata = d.flag()
	case "delete_delay_ms":
		t.DeleteDelay = d.millis()
	case "initial_task_delay_ms":
		t.InitialTaskDelay = d.millis()
	case "dirs":
		t.Dirs = d.texts(maxDirs)
	case "paths":
		t.Paths = d.texts(maxDirs)
	case "steps":
		d.Array(maxSteps, func(int) {
			if t.Recorded() {
				t.Rows = append(t.Rows, d.row())
			} else {
				t.Rows = append(t.Rows, Row{Step: d.step()})
			}
		})
	default:
		return false
	}
	return true
}

func (d *decoder) millis() calc.Millis { return calc.Millis(d.Number(0, maxWait*1000)) }

func (d *decoder) flag() bool {
	switch {
	case d.Word("true"):
		return true
	case !d.Word("false"):
		d.Fail("expected true or false")
	}
	return false
}

func (d *decoder) texts(most int) []string {
	list := []string{}
	d.Array(most, func(int) { list = append(list, d.Text()) })
	return list
}

func (d *decoder) partition() placement.Partition {
	text := d.Text()
	p, ok := placement.ParsePartition(text)
	if !ok {
		d.Fail("%q is no partition such as orders-0", strictjson.Shorten(text))
	}
	return p
}

// step reads a step, whose first key is its kind.
func (d *decoder) step() Step {
	s := Step{IsNew: true, At: -1, given: map[string]bool{}}
	dirKey := ""
	d.Object(func(key string) bool {
		if s.Kind == "" {
			s.Kind = key
			var own string
			own, dirKey = stepKey(key)
			switch own {
			case "partition":
				s.Partition = d.partition()
			case "dir":
				s.Dir = d.Text()
			case "ms":
				s.Wait = d.millis()
			case "true":
				if !d.flag() {
					d.Fail("expected true")
				}
			default:
				return false
			}
			return true
		}
		s.given[key] = true
		restarts := s.Kind == "restart" || s.Kind == "add_dir" || s.Kind == "remove_dir"
		switch {
		case key == dirKey && key != "":
			s.Dir = d.Text()
		case key == "target" && s.Kind == "create":
			s.Target = d.Text()
		case key == "is_new" && s.Kind == "create":
			s.IsNew = d.flag()
		case key == "at" && s.Kind == "add_dir":
			s.At = int(d.Number(-1, maxDirs))
		case key == "offline" && restarts:
			s.Offline = d.texts(maxDirs)
		case key == "stray" && restarts:
			d.Array(maxSteps, func(int) { s.Stray = append(s.Stray, d.partition()) })
		default:
			return false
		}
		return true
	})
	if s.Kind == "" {
		d.Fail("a step without a kind")
	}
	if dirKey != "" && s.Kind != "create" && !s.given[dirKey] {
		d.Fail("%q is missing", dirKey)
	}
	return s
}

// row reads a step and what came of it.
func (d *decoder) row() Row {
	var r Row
	d.Object(func(key string) bool {
		switch key {
		case "step":
			r.Step = d.step()
		case "t":
			r.T = calc.Millis(d.Number(0, math.MaxInt64))
		case "dir":
			if !d.Word("null") {
				r.Dir = d.Text()
			}
		case "existing":
			r.Existing = d.flag()
		case "error":
			r.Error = d.Text()
		case "failed":
			r.Failed = d.texts(maxDirs)
		case "halt":
			r.Halt = d.flag()
		case "live":
			r.Live = d.texts(maxDirs)
			r.Up = true
		case "next":
			r.Next = d.texts(maxDirs)
		case "counted":
			d.Array(maxDirs, func(int) { r.Counted = append(r.Counted, int(d.Number(0, math.MaxInt32))) })
		case "disk":
			d.Array(maxDirs, func(int) { r.Disk = append(r.Disk, d.holdings()) })
		case "names":
			r.Names = d.texts(math.MaxInt32)
		default:
			return false
		}
		return true
	})
	if r.Step.Kind == "" {
		d.Fail("%q is missing", "step")
	}
	return r
}

func (d *decoder) holdings() (row [4]int) {
	n := 0
	d.Array(len(row), func(i int) { row[i] = int(d.Number(0, math.MaxInt32)); n++ })
	if n != len(row) {
		d.Fail("expected four numbers")
	}
	return row
}

// completeDirs checks the directories, and finds every one that is named.
func (d *decoder) completeDirs(t *Trace) {
	if len(t.LogDirs.LogDirs) == 0 {
		d.Fail("log.dirs: no directory")
	}
	configured := map[string]bool{}
	for _, dir := range t.LogDirs.LogDirs {
		if configured[dir] {
			d.Fail("log.dirs: %q is given twice", strictjson.Shorten(dir))
		}
		configured[dir] = true
	}
	all := len(configured)
	for i := range t.Rows {
		s := &t.Rows[i].Step
		d.cells += all
		switch {
		case s.Kind == "start" && (i > 0 || !t.Recorded()):
			d.Fail("steps[%d]: only a trace's first row is the start", i)
		case s.Kind == "add_dir" && !configured[s.Dir]:
			configured[s.Dir] = true
			all++
		case s.Kind == "remove_dir" && !configured[s.Dir]:
			d.Fail("steps[%d].remove_dir: %q is not in log.dirs", i, strictjson.Shorten(s.Dir))
		case s.Kind == "remove_dir":
			delete(configured, s.Dir)
		}
		if s.Kind == "add_dir" && s.At > len(configured)-1 {
			d.Fail("steps[%d].at: there are only %d directories", i, len(configured)-1)
		}
	}
	if t.Recorded() && len(t.Rows) > 0 && t.Rows[0].Step.Kind != "start" {
		d.Fail("steps[0]: a trace begins with the start")
	}
	if d.cells > maxCells {
		d.Fail("more than %d steps times directories", maxCells)
	}
}

func (d *decoder) replicaCase(recorded bool) ReplicaCase {
	var c ReplicaCase
	results := false
	d.Object(func(key string) bool {
		switch key {
		case "name":
			c.Name = d.Text()
		case "seed":
			c.Seed = d.Number(math.MinInt64, math.MaxInt64)
		case "brokers":
			d.Array(maxBrokers, func(int) { c.Brokers = append(c.Brokers, d.broker()) })
		case "topics":
			d.Array(maxCases, func(int) { c.Topics = append(c.Topics, d.replicaTopic()) })
		case "results":
			results = true
			d.Array(maxCases, func(int) { c.Results = append(c.Results, d.replicaResult()) })
			return recorded
		default:
			return false
		}
		return true
	})
	if recorded && !results {
		d.Fail("%q is missing", "results")
	}
	if len(c.Results) > len(c.Topics) {
		d.Fail("%d topics, but %d results", len(c.Topics), len(c.Results))
	}
	ids := map[int32]bool{}
	for _, b := range c.Brokers {
		if ids[b.ID] {
			d.Fail("broker %d is given twice", b.ID)
		}
		ids[b.ID] = true
	}
	return c
}

func (d *decoder) broker() placement.Candidate {
	var b placement.Candidate
	d.Object(func(key string) bool {
		switch key {
		case "id":
			b.ID = int32(d.Number(0, math.MaxInt32))
		case "rack":
			if !d.Word("null") {
				b.Rack, b.Racked = d.Text(), true
			}
		case "fenced":
			b.Fenced = d.flag()
		default:
			return false
		}
		return true
	})
	return b
}

func (d *decoder) replicaTopic() ReplicaTopic {
	var t ReplicaTopic
	d.Object(func(key string) bool {
		switch key {
		case "start":
			t.Start = int(d.Number(0, math.MaxInt32))
		case "partitions":
			t.Partitions = int(d.Number(0, maxPartitions))
		case "rf":
			t.ReplicationFactor = int(d.Number(math.MinInt16, math.MaxInt16))
		default:
			return false
		}
		return true
	})
	if d.cells += t.Partitions * max(t.ReplicationFactor, 1); d.cells > maxCells {
		d.Fail("more than %d replicas", maxCells)
	}
	return t
}

func (d *decoder) ids() []int32 {
	list := []int32{}
	d.Array(maxBrokers, func(int) { list = append(list, int32(d.Number(0, math.MaxInt32))) })
	return list
}

func (d *decoder) replicaResult() ReplicaResult {
	var r ReplicaResult
	d.Object(func(key string) bool {
		switch key {
		case "draws":
			d.Array(math.MaxInt32, func(int) {
				var draw [2]int32
				d.Array(2, func(i int) { draw[i] = int32(d.Number(0, math.MaxInt32)) })
				r.Draws = append(r.Draws, draw)
			})
		case "assignments":
			r.Assignments = [][]int32{}
			d.Array(maxPartitions, func(int) { r.Assignments = append(r.Assignments, d.ids()) })
		case "error":
			r.Error = d.Text()
		default:
			return false
		}
		return true
	})
	return r
}

func (d *decoder) creationCase(recorded bool) CreationCase {
	var c CreationCase
	names := map[string]bool{}
	d.Object(func(key string) bool {
		switch key {
		case "broker":
			c.Broker = int32(d.Number(0, math.MaxInt32))
		case "topics":
			d.Array(maxCases, func(i int) {
				t := d.creationTopic()
				// The recorder's topic ids.
				t.ID = placement.TopicID{Most: 0x5000, Least: uint64(i) + 1}
				if names[t.Name] {
					d.Fail("topic %q is given twice", strictjson.Shorten(t.Name))
				}
				names[t.Name] = true
				c.Topics = append(c.Topics, t)
			})
		case "leaders":
			c.Leaders = d.texts(maxPartitions)
			return recorded
		case "followers":
			c.Followers = d.texts(maxPartitions)
			return recorded
		default:
			return false
		}
		return true
	})
	return c
}

func (d *decoder) creationTopic() placement.NewTopic {
	var t placement.NewTopic
	d.Object(func(key string) bool {
		switch key {
		case "name":
			t.Name = d.Text()
		case "replicas":
			d.Array(maxPartitions, func(int) {
				ids := d.ids()
				if len(ids) == 0 {
					d.Fail("a partition without replicas")
				}
				t.Replicas = append(t.Replicas, ids)
			})
		default:
			return false
		}
		return true
	})
	return t
}

package trace

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/placement"
)

// scenarioVersion is the release that a scenario is played with.
const scenarioVersion = "4.3.1"

// Replay plays a trace's steps and gives what this model makes of them. Of the recorded rows it uses one thing: the order
// of directories whose paths have equal hash codes. The error says which step cannot be played.
func Replay(t *Trace) (*Trace, error) {
	out := *t
	if !t.Recorded() {
		out.KafkaVersion = scenarioVersion
		out.Format = strings.Replace(t.Format, "-scenario/", "-trace/", 1)
	}
	version, err := calc.ParseVersion(out.KafkaVersion)
	if err != nil {
		return nil, err
	}
	switch out.Format {
	case LogDirsFormat:
		err = playLogDirs(&out, version, t.Rows)
	case ReplicasFormat:
		out.Replicas = playReplicas(t.Replicas)
	default:
		out.Creation = playCreation(t.Creation)
	}
	return &out, err
}

// path is the path of a directory that a scenario names.
func (l *LogDirs) path(dir string) string {
	if strings.HasPrefix(dir, "/") {
		return dir
	}
	return l.Prefix + "/" + dir
}

// logDirsPlayer plays a scenario of one broker's directories.
type logDirsPlayer struct {
	t      *Trace
	broker *placement.Broker
	names  map[string]string // of directories, by path
}

func playLogDirs(t *Trace, version calc.Version, recorded []Row) error {
	p := logDirsPlayer{t: t, names: map[string]string{}}
	config := placement.Config{Version: version, DeleteDelay: t.DeleteDelay, InitialTaskDelay: t.InitialTaskDelay}
	for _, dir := range t.LogDirs.LogDirs {
		config.LogDirs = append(config.LogDirs, p.path(dir))
	}
	for _, text := range t.Cordoned {
		config.Cordoned = append(config.Cordoned, t.path(text))
	}
	var err error
	p.broker, err = placement.NewBroker(config)
	t.Rows = nil
	steps := recorded
	if len(recorded) == 0 || recorded[0].Step.Kind != "start" {
		steps = append([]Row{{Step: Step{Kind: "start"}}}, recorded...)
	}
	for i, r := range steps {
		row := Row{Step: r.Step}
		if i > 0 {
			err = p.step(&row)
		}
		if err != nil && !errors.As(err, &row.refusal) {
			return fmt.Errorf("steps[%d] %s: %w", i, quoted(r.Step), err)
		}
		p.broker.Among(p.paths(r.Next))
		p.result(&row)
		t.Rows = append(t.Rows, row)
		if !p.broker.Running() {
			break
		}
	}
	t.Dirs, t.Paths = nil, p.broker.Known()
	for _, path := range t.Paths {
		t.Dirs = append(t.Dirs, p.names[path])
	}
	return nil
}

// path is a directory's path; it remembers the name.
func (p *logDirsPlayer) path(dir string) string {
	path := p.t.path(dir)
	p.names[path] = dir
	return path
}

func (p *logDirsPlayer) paths(dirs []string) []string {
	paths := make([]string, len(dirs))
	for i, dir := range dirs {
		paths[i] = p.path(dir)
	}
	return paths
}

// name is the name of a path as the scenario has it.
func (p *logDirsPlayer) name(path string) string { return p.names[path] }

func (p *logDirsPlayer) nameAll(paths []string) []string {
	names := make([]string, len(paths))
	for i, path := range paths {
		names[i] = p.names[path]
	}
	return names
}

// step makes a step.
func (p *logDirsPlayer) step(row *Row) error {
	s, b := &row.Step, p.broker
	start := placement.Start{Offline: p.paths(s.Offline), Stray: s.Stray}
	switch s.Kind {
	case "create":
		r := placement.Request{NotNew: !s.IsNew, Target: p.target(s.Target)}
		if s.given["dir"] {
			r.Prefer = p.path(s.Dir)
		}
		c, err := b.Create(s.Partition, r)
		if err == nil {
			row.Dir, row.Existing = p.name(c.Dir), c.Existed
		}
		return err
	case "move", "future":
		var to string
		var err error
		if s.Kind == "move" {
			to, err = b.Move(s.Partition, p.path(s.Dir))
		} else {
			to, err = b.Future(s.Partition)
		}
		if err == nil {
			row.Dir = p.name(to)
		}
		return err
	case "prefer":
		b.Prefer(s.Partition, p.path(s.Dir))
	case "delete":
		return b.Delete(s.Partition)
	case "finish_move":
		return b.FinishMove(s.Partition)
	case "cancel_move":
		return b.CancelMove(s.Partition)
	case "stray":
		return b.Stray(s.Partition)
	case "fail_dir":
		return b.FailDir(p.path(s.Dir))
	case "cordon":
		return b.Cordon(p.t.path(s.Dir))
	case "uncordon":
		return b.Uncordon(p.t.path(s.Dir))
	case "block":
		b.Block(s.Partition, p.path(s.Dir))
	case "unblock":
		b.Unblock(s.Partition, p.path(s.Dir))
	case "restart":
		return b.Restart(start)
	case "add_dir":
		return b.AddDir(p.path(s.Dir), s.At, start)
	case "remove_dir":
		return b.RemoveDir(p.path(s.Dir), start)
	case "advance_ms":
		b.Advance(s.Wait)
	case "names":
		row.Names = b.Names(p.path(s.Dir))
		if p.t.Metadata && s.Dir == p.t.LogDirs.LogDirs[0] {
			row.Names = append(row.Names, "__cluster_metadata-0")
			slices.Sort(row.Names)
		}
	}
	return nil
}

// target is the directory id that the controller gives. Its words go before a directory of that name.
func (p *logDirsPlayer) target(target string) placement.Target {
	switch target {
	case "", "UNASSIGNED", "LOST", "MIGRATING", "unknown":
		return placement.Target{}
	}
	return placement.Target{Kind: placement.TargetLogDir, Dir: p.path(target)}
}

// result notes the state after a step.
func (p *logDirsPlayer) result(row *Row) {
	b := p.broker
	row.T = b.Now()
	if row.refusal != nil {
		row.Error = row.refusal.Error()
	}
	row.Up = b.Running()
	if failed := p.nameAll(b.Failed()); len(failed) > 0 && row.Up {
		row.Failed = failed
	} else {
		row.Halt = len(failed) > 0
	}
	if row.Up {
		row.Live, row.Next = p.nameAll(b.Live()), p.nameAll(b.Next())
	}
	for _, dir := range b.Known() {
		if row.Up {
			row.Counted = append(row.Counted, b.Count(dir))
		}
		h := b.Holds(dir)
		row.Disk = append(row.Disk, [4]int{h.Logs, h.Future, h.Deleted, h.Stray})
	}
}

// drawn writes down the random numbers that are drawn.
type drawn struct {
	random *placement.Random
	draws  [][2]int32
}

func (d *drawn) Below(bound int32) int32 {
	value := d.random.Below(bound)
	d.draws = append(d.draws, [2]int32{bound, value})
	return value
}

func playReplicas(cases []ReplicaCase) []ReplicaCase {
	cases = slices.Clone(cases)
	for i := range cases {
		c := &cases[i]
		c.Results = nil
		random := placement.NewRandom(c.Seed)
		for _, t := range c.Topics {
			d := drawn{random: random}
			var r ReplicaResult
			var err error
			r.Assignments, err = placement.Place(c.Brokers, t.Partitions, t.ReplicationFactor, &d)
			if errors.As(err, &r.refusal) {
				r.Error = strings.TrimPrefix(r.refusal.Error(), ": ")
			}
			r.Draws = d.draws
			c.Results = append(c.Results, r)
			if r.refusal != nil && r.refusal.Class == "" {
				break // Kafka does not return from it
			}
		}
	}
	return cases
}

func playCreation(cases []CreationCase) []CreationCase {
	cases = slices.Clone(cases)
	for i := range cases {
		c := &cases[i]
		leaders, followers := placement.CreationOrder(c.Broker, c.Topics)
		c.Leaders, c.Followers = partitionNames(leaders), partitionNames(followers)
	}
	return cases
}

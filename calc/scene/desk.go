package scene

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/fleet"
	"github.com/partsize/partsize/calc/placement"
	"github.com/partsize/partsize/calc/report"
)

// Job is a cluster to work out.
type Job struct {
	Files []fleet.File
	Form  string // the name of the one that a form made; places in it say a reader nothing
	Size  string // of directories that say none; "": not known
	Feed  string // traffic for what has bytes and none, all together; "": none
}

// Look is what is asked about the cluster that was worked out.
type Look struct {
	Where  string // "": the cluster; "3": broker 3; "3:/data/a": a directory
	Policy string // by which directories are chosen; "": Kafka's
	At     calc.Millis
	From   int // of the rows
}

// AtPeak as the time of a [Look] is when the first directory is full, or else when most is on disk.
const AtPeak calc.Millis = -1

// tints are told apart; the last is for all topics that have none of their own.
const (
	tints    = 6
	others   = tints - 1
	maxBars  = 40 // rows with a bar for each directory; above, brokers
	maxRows  = 20 // brokers or directories that are shown at once
	maxHeld  = 50 // replicas
	maxTable = 12
)

// Desk keeps the last cluster that was worked out and answers looks at it. The zero Desk has none.
type Desk struct {
	by    []*fleet.Result // by policy; nil until it is looked at
	notes []string
	wrong []Problem      // of the last job
	tint  map[string]int // of the largest topics
	names []string       // of the topics with a tint
}

// maxNotes is how many warnings or problems are told.
const maxNotes = 8

// Work works a cluster out. Until that is done, and when progress stops it, the desk keeps the last one; when something is
// wrong it says what, beside the last one.
func (d *Desk) Work(job Job, progress func(done, all int) bool) {
	described, notes, err := read(job)
	var result *fleet.Result
	if err == nil {
		result, err = fleet.Run(described, progress)
	}
	if err == nil {
		err = result.Draw(result.UsualDraws(), progress)
	}
	if err == fleet.ErrStopped {
		return
	}
	if d.wrong = problems(err, job.Form); err != nil {
		return
	}
	d.notes = few(notes)
	d.by = make([]*fleet.Result, len(placement.Policies()))
	d.by[result.Policy] = result
	d.pickTints(result)
}

func read(job Job) (*fleet.Description, []string, error) {
	d, notes, err := fleet.ReadFiles(job.Files)
	if err != nil {
		return nil, nil, err
	}
	if job.Size != "" {
		size, err := calc.ParseBytes(job.Size)
		if err != nil {
			return nil, nil, fmt.Errorf("size: %w", err)
		}
		d.SizeDirs(size)
	}
	if job.Feed != "" {
		rate, err := calc.ParseRate(job.Feed)
		if err == nil {
			err = d.FeedPresent(rate)
		}
		if err != nil {
			return nil, nil, fmt.Errorf("traffic: %w", err)
		}
	}
	return d, notes, nil
}

// problems is each of the errors that one joins.
func problems(err error, form string) (all []Problem) {
	for _, p := range fleet.ProblemsOf(err) {
		one := Problem{Text: p.Error()}
		if p.File == form && form != "" {
			one = Problem{p.Text, p.Path}
		}
		all = append(all, one)
	}
	if more := len(all) - maxNotes; more > 0 {
		all = append(all[:maxNotes], Problem{Text: fmt.Sprintf("and %d more of the kind", more)})
	}
	return all
}

func few(lines []string) []string {
	if more := len(lines) - maxNotes; more > 0 {
		return append(slices.Clone(lines[:maxNotes]), fmt.Sprintf("and %d more of the kind", more))
	}
	return lines
}

// pickTints gives the topics that are largest when most is on disk a tint each.
func (d *Desk) pickTints(r *fleet.Result) {
	bytes := map[string]calc.Bytes{}
	at, _ := r.Cluster.Peak()
	for dir := range r.Dirs {
		for _, h := range r.Held(dir, calc.Millis(at)*r.Span) {
			if !h.Internal {
				bytes[h.Topic] += h.Bytes
			}
		}
	}
	d.tint, d.names = map[string]int{}, nil
	for range others {
		best := ""
		for name, b := range bytes {
			if best == "" || b > bytes[best] || b == bytes[best] && name < best {
				best = name
			}
		}
		if best == "" || bytes[best] == 0 {
			return
		}
		delete(bytes, best)
		d.tint[best] = len(d.names)
		d.names = append(d.names, best)
	}
}

func (d *Desk) tintOf(topic string) int {
	if t, ok := d.tint[topic]; ok {
		return t
	}
	return others
}

// under is the cluster by a policy; ok is false when there is none yet.
func (d *Desk) under(name string) (r *fleet.Result, ok bool) {
	if d.by == nil {
		return nil, false
	}
	kafka := d.by[placement.FewestLogs]
	for _, p := range placement.Policies() {
		if p.String() != name {
			continue
		}
		if d.by[p] == nil {
			other, err := kafka.Under(p)
			if err != nil {
				return kafka, true
			}
			d.by[p] = other
		}
		return d.by[p], true
	}
	return kafka, true
}

// view is a look at a result.
type view struct {
	*fleet.Result
	desk   *Desk
	at     calc.Millis
	span   int
	broker int // index; -1: all
	dir    int // index; -1: all of the broker
	from   int
}

// Look answers a look.
func (d *Desk) Look(l Look) *Scene {
	r, ok := d.under(l.Policy)
	if !ok {
		return &Scene{Problems: d.wrong}
	}
	v := view{Result: r, desk: d, at: l.At, from: max(0, l.From)}
	if v.at == AtPeak {
		v.at = v.moment()
	}
	v.at = max(0, min(v.at, r.Horizon))
	v.span = int(v.at / r.Span)
	v.broker, v.dir = v.find(l.Where)
	s := &Scene{
		Problems: d.wrong, Notes: d.notes, At: v.at, Span: r.Span, Horizon: r.Horizon, Policy: r.Policy.String(),
		Clock: clockOf(v.at),
	}
	v.answer(s)
	v.rows(s)
	v.tables(s)
	return s
}

// clockOf is a moment as a day and a time.
func clockOf(at calc.Millis) string {
	if at%calc.Day < calc.Minute {
		return fmt.Sprintf("day %d", at/calc.Day)
	}
	return fmt.Sprintf("day %d, %s", at/calc.Day, report.Clock(at%calc.Day, calc.Minute))
}

// moment is the time that a cluster is first looked at.
func (v *view) moment() calc.Millis {
	first := calc.Never
	for i := range v.Dirs {
		first = min(first, v.full(i))
	}
	if first != calc.Never {
		return first
	}
	span, _ := v.Cluster.Peak()
	return calc.Millis(span) * v.Span
}

// full is when a directory is full.
func (v *view) full(dir int) calc.Millis { return v.Dirs[dir].Crosses[len(fleet.Levels)-1] }

// find is a place by its name; what is not there is the cluster, or the broker.
func (v *view) find(where string) (broker, dir int) {
	broker, dir = -1, -1
	id, path, deep := strings.Cut(where, ":")
	n, err := strconv.ParseInt(id, 10, 32)
	if err != nil {
		return broker, dir
	}
	for i := range v.Brokers {
		if v.Brokers[i].ID == int32(n) {
			broker = i
		}
	}
	if broker < 0 || !deep {
		return broker, dir
	}
	for i := range v.Dirs {
		if v.Dirs[i].Broker == int32(n) && v.Dirs[i].Path == path {
			dir = i
		}
	}
	return broker, dir
}

func brokerWhere(id int32) string { return strconv.Itoa(int(id)) }
func (v *view) dirWhere(dir int) string {
	return brokerWhere(v.Dirs[dir].Broker) + ":" + v.Dirs[dir].Path
}

// dirsOf is the directories of a broker, as indexes; of −1, all.
func (v *view) dirsOf(broker int) (dirs []int) {
	for i := range v.Dirs {
		if broker < 0 || v.Dirs[i].Broker == v.Brokers[broker].ID {
			dirs = append(dirs, i)
		}
	}
	return dirs
}

// day is when, in days, or how long after the start on the first; a dash for never.
func day(at calc.Millis) string {
	if at == calc.Never {
		return "–"
	}
	if at < calc.Day {
		return report.Span(at)
	}
	return "day " + strconv.FormatInt(int64(at/calc.Day), 10)
}

package app

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/fleet"
	"github.com/partsize/partsize/calc/scene"
)

// What the cluster's view keeps in the link. What is as in the example is left out.
const (
	clusterView = "cluster"

	keyBrokers = "c-brokers"
	keyDirs    = "c-dirs"
	keySize    = "c-size"
	keyTopics  = "c-topics"
	keySteps   = "c-if"
	keyFiles   = "c-ulimit"
	keyMaps    = "c-maps"
	keySeed    = "c-seed"
	keyFeed    = "c-feed"
	keyWhere   = "c-where" // what is looked at
	keyWhen    = "c-at"    // the moment, in milliseconds
	keyPlaced  = "c-by"    // the policy
	keyFrom    = "c-from"  // of the rows
	keyReplica = "c-of"    // in the partition's view: the replica that it was opened from
	keyBase    = "c-base"  // with it, what every topic of the cluster has
)

var clusterKeys = []string{keyBrokers, keyDirs, keySize, keyTopics, keySteps, keyFiles, keyMaps, keySeed, keyFeed, keyWhere, keyWhen,
	keyPlaced, keyFrom, keyReplica, keyBase}

// The example: four brokers, whose directories Kafka fills unevenly.
var clusterExample = map[string]string{
	keyBrokers: "4", keyDirs: "3", keySize: "600GiB", keyFiles: "100000", keyMaps: "65530", keySeed: "1",
	keyTopics: "orders,12,3,2.4MiB/s,zipf 0.6,;metrics,16,2,1.2MiB/s,even,;audit,24,3,60KiB/s,even,retention.ms=30d",
}

// cluster is the state of the cluster's view: what was sent to the worker, and what came back.
type cluster struct {
	link    *workerLink // nil until it is open
	opening bool
	files   []workFile // pasted, or read from files
	loads   int        // how often files changed

	sent      string // what the last job was made of
	turn      int
	working   bool
	stopped   bool
	done, all int

	scene  *scene.Scene
	tables []scene.Table // of the scene, or of one a moment ago
	shown  scene.Look    // what the scene answers, or what is asked
	asking bool
	at     calc.Millis // the moment while it moves; else the place says it
	moving bool
	focus  bool // the next scene is another place, which the reader went to

	typed    calc.Pair // the field that was typed into last, and what
	problem  string    // with a file
	typing   int       // turns of what comes a moment later
	telling  int
	tabling  int
	resting  int
	problems map[string]string // of fields
}

// says is what is read aloud of the cluster.
func (c *cluster) says() string {
	if c.scene == nil || c.working {
		return ""
	}
	return c.scene.Sentence.String()
}

// pinned is the answer in a line.
func (c *cluster) pinned() *pinnedView {
	v := &pinnedView{}
	if c.scene == nil || len(c.scene.Figures) < 3 {
		return v
	}
	f := c.scene.Figures
	v.Peak, v.Band, v.Findings = f[0].Value, f[1].Label+" "+f[1].Value, f[2].Label+" "+f[2].Value
	v.Of = " " + clusterText.full
	return v
}

// ownOfPartition reports whether a setting of the partition's view has no part in a cluster.
func ownOfPartition(key string) bool { return fleet.OwnKey(key) }

// cutWhere is the broker and the directory of a place.
func cutWhere(where string) (id, path string, ok bool) { return strings.Cut(where, ":") }

// clusterText is what the place says, or the example.
func (s *state) clusterText(key string) string {
	if v := s.place.of(key); v != "" {
		return v
	}
	return clusterExample[key]
}

// fleetRow is a topic of the form: name, partitions, replication factor, traffic, skew, settings.
type fleetRow [6]string

// stepRow is a step: kind, day, value.
type stepRow [3]string

// emptyList is a list from which everything was taken.
const emptyList = "-"

func readRows(text string) (rows [][]string) {
	if text == "" || text == emptyList {
		return nil
	}
	for row := range strings.SplitSeq(text, ";") {
		var fields []string
		for field := range strings.SplitSeq(row, ",") {
			plain, ok := unescapeLink(field)
			if !ok {
				plain = field
			}
			fields = append(fields, plain)
		}
		rows = append(rows, fields)
	}
	return rows
}

func writeRows(rows [][]string) string {
	var all []string
	for _, row := range rows {
		var fields []string
		for _, field := range row {
			fields = append(fields, strings.NewReplacer("%", "%25", ",", "%2C", ";", "%3B").Replace(field))
		}
		all = append(all, strings.Join(fields, ","))
	}
	if all == nil {
		return emptyList
	}
	return strings.Join(all, ";")
}

func (s *state) fleetRows() (rows []fleetRow) {
	for _, fields := range readRows(s.clusterText(keyTopics)) {
		var row fleetRow
		copy(row[:], fields)
		rows = append(rows, row)
	}
	return rows
}

func (s *state) stepRows() (rows []stepRow) {
	for _, fields := range readRows(s.place.of(keySteps)) {
		var row stepRow
		copy(row[:], fields)
		rows = append(rows, row)
	}
	return rows
}

// putCluster changes what the form says.
func (s *state) putCluster(key, value string) {
	if value == clusterExample[key] || key == keySteps && value == emptyList {
		value = ""
	}
	s.put(key, value)
}

// clusterDefaults is the input whose settings every topic has: the page's own, or, where that is a replica's, the one
// before.
func (s *state) clusterDefaults() calc.Input {
	if s.place.of(keyReplica) == "" {
		return s.input
	}
	read, _ := readLink(s.place.of(keyBase))
	return read.input
}

// dirPath is the path of a directory of the form.
func dirPath(i int) string {
	if i < 26 {
		return "/data/" + string(rune('a'+i))
	}
	return "/data/" + strconv.Itoa(i+1)
}

// fieldName is the name of a field of a row.
func fieldName(list string, row, column int) string {
	return fmt.Sprintf("%s.%d.%d", list, row, column)
}

// stepKinds are what may happen, as the link has it, in the order of the choice.
var stepKinds = []string{"lose", "traffic", "set", "dir", "broker", "partitions", "create", "delete", "fail", "move", "reassign"}

// clusterLook is what the reader looks at.
func (s *state) clusterLook() scene.Look {
	l := scene.Look{Where: s.place.of(keyWhere), Policy: s.place.of(keyPlaced), At: scene.AtPeak}
	if at, ok := number(s.place.of(keyWhen)); ok {
		l.At = at
	}
	if s.cluster.moving {
		l.At = s.cluster.at
	}
	l.From, _ = strconv.Atoi(s.place.of(keyFrom))
	return l
}

// inCluster reports whether the cluster's view is shown.
func (s *state) inCluster() bool { return s.place.view().name == clusterView }

// formFile is the name of the description that the form makes.
const formFile = "the form"

// job is what is to be worked out now; what names it. ok is false while a field is wrong.
func (s *state) job() (files []workFile, what string, ok bool) {
	c := &s.cluster
	described := slices.ContainsFunc(c.files, func(f workFile) bool { return fleet.IsDescription([]byte(f.head())) })
	d, problems := s.description(len(c.files) > 0)
	c.problems = problems
	if len(problems) > 0 {
		return nil, "", false
	}
	text := string(d.AppendJSON(nil))
	files = slices.Clone(c.files)
	if !described {
		files = append(files, workFile{name: formFile, text: text})
	}
	return files, text + "\n" + digits(int64(c.loads)) + s.clusterText(keySize) + s.clusterText(keyFeed), true
}

// head is how a file begins.
func (f *workFile) head() string {
	if f.own != nil {
		return app.Window().Get("Object").Invoke(f.own).Call("slice", 0, 4096).String()
	}
	return f.text
}

// proceedCluster sends the worker what it does not know yet: the cluster that is typed now, and the look at it.
func (r *Root) proceedCluster(ctx app.Context) {
	s := r.state
	c := &s.cluster
	if !s.inCluster() || !r.client {
		return
	}
	if c.link == nil {
		if !c.opening {
			if c.opening = true; c.problem == clusterText.lost {
				c.problem = ""
			}
			openWorker(ctx, func(l *workerLink) { c.link = l; r.proceedCluster(r.ctx) }, r.fromWorker, r.lostWorker)
		}
		return
	}
	if files, what, ok := s.job(); ok && what != c.sent {
		c.sent, c.working, c.stopped, c.done, c.all = what, true, false, 0, 0
		c.turn++
		c.link.work(c.turn, files, s.clusterText(keySize), s.clusterText(keyFeed))
	}
	r.lookCluster()
}

// lookCluster asks for what the reader looks at. One question is under way at a time; the last one wins.
func (r *Root) lookCluster() {
	c := &r.state.cluster
	l := r.state.clusterLook()
	if c.link == nil || c.asking || c.scene == nil && c.working || c.scene != nil && l == c.shown {
		return
	}
	c.shown, c.asking = l, true
	c.link.look(c.turn, l)
}

// fromWorker takes a reply.
func (r *Root) fromWorker(m reply) {
	c := &r.state.cluster
	if m.scene != "" {
		c.asking = false
		if got, ok := scene.Decode(m.scene); ok {
			c.scene = got
			r.later(&c.tabling, tablesAfter, func() { c.tables = c.scene.Tables })
		}
		if c.focus && c.shown == r.state.clusterLook() {
			c.focus = false
			r.ctx.Defer(func(app.Context) { focusOn("cluster-title") })
		}
		r.lookCluster()
		return
	}
	if m.turn != c.turn {
		return
	}
	c.working, c.done, c.all = m.working, m.done, m.all
	if m.working {
		return
	}
	if c.stopped = m.stopped; !m.stopped {
		c.shown = scene.Look{From: -1} // of another cluster
		r.lookCluster()
		r.later(&c.telling, announceAfter, func() { r.announced = r.state.spoken() })
	}
}

// stopCluster ends the work; what was shown stays.
func (r *Root) stopCluster() {
	if c := &r.state.cluster; c.link != nil && c.working {
		c.link.stop(c.turn)
	}
}

// scrubCluster looks at another moment. The link follows when it rests.
func (r *Root) scrubCluster(at calc.Millis) {
	c := &r.state.cluster
	c.at, c.moving = at, true
	r.lookCluster()
	r.later(&c.resting, addressAfter, func() {
		c.moving = false
		r.state.place = r.state.place.with(keyWhen, digits(int64(c.at)))
		r.state.edited = true
		r.writeAddress()
	})
}

// tablesAfter is how long the bars rest before the tables follow, so that neither holds up the other.
const tablesAfter = 40 * time.Millisecond

// typeAfter is how long nothing is typed before a cluster is worked out.
const typeAfter = 120 * time.Millisecond

// typedCluster takes what was typed into a field of the form.
func (r *Root) typedCluster(ctx app.Context, name, value string) {
	s := r.state
	s.cluster.typed = calc.Pair{Key: name, Value: value}
	list, rest, inRow := strings.Cut(name, ".")
	if !inRow {
		s.putCluster(name, value)
	} else {
		row, column, _ := strings.Cut(rest, ".")
		i, _ := strconv.Atoi(row)
		k, _ := strconv.Atoi(column)
		rows := s.rowsOf(list)
		if i < len(rows) && k < len(rows[i]) {
			rows[i][k] = value
			if fresh := newSteps[value]; list == keySteps && k == 0 && fresh != nil {
				rows[i][2] = fresh[2] // what the old kind had is nothing to the new one
			}
			s.putCluster(list, writeRows(rows))
		}
	}
	_, s.cluster.problems = s.description(len(s.cluster.files) > 0)
	r.later(&s.cluster.typing, typeAfter, func() { r.changed(r.ctx) })
}

// rowsOf is a list of the form, each row with all its fields.
func (s *state) rowsOf(list string) (rows [][]string) {
	if list == keyTopics {
		for _, row := range s.fleetRows() {
			rows = append(rows, slices.Clone(row[:]))
		}
		return rows
	}
	for _, row := range s.stepRows() {
		rows = append(rows, slices.Clone(row[:]))
	}
	return rows
}

// newTopic and newSteps are what is added.
var (
	newTopic = []string{"", "6", "3", "1MiB/s", "even", ""}
	newSteps = map[string][]string{
		"lose": {"lose", "10", "2"}, "traffic": {"traffic", "10", "2"}, "set": {"set", "10", "retention.ms=1d"}, "dir": {"dir", "5", "1"},
		"broker": {"broker", "5", "5"}, "partitions": {"partitions", "5", "orders 12"}, "create": {"create", "5", "clicks 12 3 2MiB/s"},
		"delete": {"delete", "10", "metrics"}, "fail": {"fail", "10", "1 /data/a"}, "move": {"move", "10", "orders-0 1 /data/b 50MiB/s"},
		"reassign": {"reassign", "10", "orders-0 2,3,4 50MiB/s"},
	}
)

// actCluster does what a pressed button of the cluster's view says; false for one that is not of it.
func (r *Root) actCluster(ctx app.Context, act, key, value string) bool {
	s := r.state
	switch act {
	case "add":
		rows := s.rowsOf(key)
		added := newSteps["lose"]
		if key == keyTopics {
			added = slices.Clone(newTopic)
			added[0] = "topic-" + strconv.Itoa(len(rows)+1)
		}
		s.putCluster(key, writeRows(append(rows, added)))
		ctx.Defer(func(app.Context) { focusOn(clusterID(fieldName(key, len(rows), 0))) })
	case "remove":
		rows := s.rowsOf(key)
		if i, err := strconv.Atoi(value); err == nil && i < len(rows) {
			s.putCluster(key, writeRows(slices.Delete(rows, i, i+1)))
			focusOn("cluster-add-" + key)
		}
	case "stop-cluster":
		r.stopCluster()
		return true
	case "place":
		s.put(keyPlaced, value)
	case "drop":
		if i, err := strconv.Atoi(value); err == nil && i < len(s.cluster.files) {
			s.cluster.files = slices.Delete(s.cluster.files, i, i+1)
			s.cluster.loads++
		}
	case "example":
		for _, k := range clusterKeys {
			s.place = s.place.with(k, "")
		}
		s.cluster.files = nil
		s.cluster.loads++
		s.edited = true
	default:
		return false
	}
	r.changed(ctx)
	return true
}

// addFile takes a text that was pasted, or read from a file.
func (r *Root) addFile(name string, text app.Value) {
	c := &r.state.cluster
	if n := length(text); n > fleet.MaxSize {
		c.problem = fmt.Sprintf(clusterText.tooLarge, name, calc.Bytes(n), calc.Bytes(fleet.MaxSize))
		return
	}
	c.problem = ""
	if name == "" {
		name = fmt.Sprintf(clusterText.pastedName, len(c.files)+1)
	}
	c.files = append(c.files, workFile{name: name, own: text})
	c.loads++
	r.changed(r.ctx)
}

// replicaLink is the partition's view of a replica; the way back is in it.
func (s *state) replicaLink(name, settings string) string {
	var in calc.Input
	for line := range strings.Lines(settings) {
		key, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		_ = in.Set(key, value)
		if value == defaultText(in, key) {
			in.Reset(key)
		}
	}
	p := s.place.with(viewKey, "").with(keyReplica, name).with(keyBase, linkTo(nil, s.clusterDefaults()))
	return linkTo(p, in)
}

// clusterLink is a place within the cluster.
func (s *state) clusterLink(where string, from int) string {
	p := s.place.with(viewKey, clusterView).with(keyReplica, "").with(keyBase, "").with(keyWhere, where).with(keyFrom, "")
	if from > 0 {
		p = p.with(keyFrom, strconv.Itoa(from))
	}
	return linkTo(p, s.clusterDefaults())
}

package calc

import (
	"math"
	"slices"
)

// The check of the retention of __remote_log_metadata (KAFKA-15682): brokers keep what they know of remote segments in
// memory, and read it again from that topic when they start. When the topic loses the event COPY_SEGMENT_STARTED of a
// segment before that is deleted, then from a restart of all brokers on nobody knows the segment: it cannot be read, is
// never deleted, and is paid for for ever. It dangles.
//
// A segment can be made to dangle from the time at which a retention check of the metadata topic's leader deletes the
// metadata segment with its event (lost) until DELETE_SEGMENT_FINISHED is written (deleted): rules 8.6 to 8.8.

// Verdict is what the check says.
type Verdict uint8

// The verdicts.
const (
	VerdictSafe      Verdict = iota // every segment is deleted before its metadata is lost
	VerdictAtRisk                   // from some time on a restart makes segments dangle
	VerdictUnbounded                // nothing is ever lost, and the metadata topic grows without limit
)

var verdictNames = [...]string{VerdictSafe: "safe", VerdictAtRisk: "at risk", VerdictUnbounded: "unbounded growth"}

// String is the verdict in words.
func (v Verdict) String() string { return verdictNames[v] }

// Window is a time in which a restart makes a segment dangle: from Lost on, until before Deleted.
type Window struct {
	Topic             string
	Partition         int64 // of the topic
	MetadataPartition int64 // of __remote_log_metadata
	Base              Offset
	Log               Bytes  // of the segment's batches
	Stored            Bytes  // of all its objects
	Newest            Millis // its newest record, in time of the scenario
	Started           Millis // COPY_SEGMENT_STARTED was written
	MetadataNewest    Millis // the newest event of the metadata segment with it
	Lost              Millis // the metadata segment was deleted
	Deleted           Millis // the segment was; [Never] within the check's horizon
	LostBy            Reason // [ByTime] or [BySize]
}

// TopicRisk is what the check found for one topic.
type TopicRisk struct {
	Name       string
	Partitions int64
	Segments   int64 // that can be made to dangle at some time within the horizon
	Stored     Bytes // of them
	First      Window
	Copied     int64 // segments copied within the horizon
}

// AtRisk reports whether there is a window.
func (t *TopicRisk) AtRisk() bool { return t.Segments > 0 }

// Dangling is what dangles when all brokers restart at a time.
type Dangling struct {
	At       Millis
	Segments int64
	Stored   Bytes
	Cost     int64 // of them for a month, in billionths of the price's currency
}

// MetadataDisk is what the metadata topic takes with a retention: batches, without index files (some 20 MiB a partition by
// their length, next to nothing by their blocks).
type MetadataDisk struct {
	Retention Millis // of the metadata topic; [Unlimited]
	PerBroker Bytes  // the most at any of the check's sample times, on each of the brokers when replicas are spread evenly
	Total     Bytes  // the same of all replicas
}

// MetadataFinding is the check's answer.
type MetadataFinding struct {
	Verdict   Verdict
	From      Millis // at risk from; [Never]
	Covered   bool   // the retention is at least Least.Time and no limit on size holds: safe whatever the traffic
	Horizon   Millis
	Retention Millis // of the metadata topic; [Unlimited]
	Config    MetadataConfig

	Topics  []TopicRisk // in the order given
	Example Window      // see [MetadataFinding.Lives]
	Windows []Window    // of partition 0 of the first topic, the first of them, as they come
	Short   bool        // there are more of them
	Restart Dangling    // at the chosen time, or at the worst of the sample times
	Chosen  bool        // the time was chosen
	Price   int64       // of a GiB for a month, in billionths of its currency
	Curve   []Dangling  // by time of the restart, at 513 sample times
	Least   LeastRetention
	Disk    MetadataDisk // as it is
	Advised MetadataDisk // with Least.Advised
	Default MetadataDisk // with Kafka's default, unlimited
	Events  int64        // in a year of 365 days, at the pace of the horizon
	PerYear Bytes        // the same, of all replicas
	Traps   []Trap
	Outages []Outage // of all topics' stores
}

// mostWindows is how many windows a finding has.
const mostWindows = 10_000

// curvePoints is how many spans of time the curve of a finding has.
const curvePoints = 512

// Progress is told what part of the check is done, in thousandths; false stops it.
type Progress func(thousandths int64) bool

// Lives is the lives of one segment and of its metadata, to show how they lie. At risk it is the first segment that can
// dangle; else the one whose metadata is lost soonest after it is deleted; else, where nothing is lost within the horizon,
// the first that is deleted, with [Never] for Lost. ok is false where no segment is copied.
func (f *MetadataFinding) Lives() (w Window, ok bool) { return f.Example, f.Example.Topic != "" }

// Run plays all topics and the metadata topic, and says what comes of it. progress, which may be nil, is told every
// millisecond or two; where it returns false the finding is of no use.
func (c MetadataCheck) Run(progress Progress) (MetadataFinding, error) {
	f := MetadataFinding{
		From: Never, Horizon: c.horizon, Retention: c.config.Log.RetentionMs, Config: c.config,
		Chosen: c.restart != Never, Restart: Dangling{At: c.restart}, Price: c.price, Traps: slices.Clone(c.traps),
	}
	topics, err := c.play(progress)
	if err != nil || topics == nil {
		return f, err
	}
	r := riskRun{check: &c, finding: &f, topics: topics}
	for i := range c.topics {
		t := &c.topics[i]
		f.Topics = append(f.Topics, TopicRisk{
			Name: t.Name, Partitions: t.Scenario.partitions, Copied: int64(len(topics[i].all)), First: Window{Lost: Never},
		})
		f.Outages = append(f.Outages, t.Scenario.Outages()...)
	}
	f.Least = c.least(topics)
	r.run(progress)
	r.example()
	f.Covered = f.Retention < 0 || f.Least.OK && f.Retention >= f.Least.Time
	f.Covered = f.Covered && c.config.Log.RetentionBytes < 0
	switch {
	case f.From != Never:
		f.Verdict = VerdictAtRisk
	case f.Retention < 0 && c.config.Log.RetentionBytes < 0:
		f.Verdict = VerdictUnbounded
	}
	return f, nil
}

// play plays each topic; topics that differ in name and partitions only are played once.
func (c *MetadataCheck) play(progress Progress) ([]*RemoteCourse, error) {
	type played struct {
		course *RemoteCourse
		shape  EventShape
	}
	known := map[string]played{}
	all := make([]*RemoteCourse, len(c.topics))
	for i := range c.topics {
		t := &c.topics[i]
		shape := t.shape()
		p, ok := known[t.same]
		if !ok {
			course, err := playRemote(t.Scenario.Plan(), shape, func(at Millis) bool {
				part := mulDiv(int64(at), 1000, int64(max(c.horizon, 1)))
				return progress == nil || progress((int64(i)*1000+part)/2/int64(len(c.topics)))
			})
			if err != nil || course == nil {
				return nil, err
			}
			p = played{course, shape}
			known[t.same] = p
		}
		all[i] = p.course.reshaped(p.shape, shape)
		if progress != nil && !progress(int64(i+1)*500/int64(len(c.topics))) {
			return nil, nil
		}
	}
	return all, nil
}

// shape is the shape of the topic's events.
func (t *TieredTopic) shape() EventShape {
	return EventShape{Topic: len(t.Name), Epochs: 1, TxnTag: t.Scenario.version >= V4_0}
}

// riskRun goes through the metadata partitions.
type riskRun struct {
	check   *MetadataCheck
	finding *MetadataFinding
	topics  []*RemoteCourse

	samples  []Millis
	live     []Bytes // at each sample, of one replica
	advised  []Bytes
	segments []int64 // change at each sample
	stored   []Bytes

	closest Window // of the segments deleted before their metadata is lost: the one with the least time between
}

// member is a partition whose events are in the metadata partition at hand.
type member struct {
	topic     int
	partition int64
}

func (r *riskRun) run(progress Progress) {
	c, f := r.check, r.finding
	n := curvePoints + 1
	r.live, r.advised, r.segments, r.stored = make([]Bytes, n), make([]Bytes, n), make([]int64, n+1), make([]Bytes, n+1)
	for i := range n {
		r.samples = append(r.samples, Millis(mulDiv(int64(c.horizon), int64(i), curvePoints)))
	}
	members := make([][]member, c.config.Partitions)
	for i := range c.topics {
		t := &c.topics[i]
		for p := range t.Scenario.partitions {
			m := MetadataPartition(t.ID, int32(p), c.config.Partitions)
			members[m] = append(members[m], member{i, p})
		}
	}
	var events int64
	var bytes Bytes
	for p, in := range members {
		streams := make([]*RemoteCourse, len(in))
		for i, m := range in {
			streams[i] = r.topics[m.topic]
			count, sum := streams[i].Events()
			events, bytes = add(events, count), add(bytes, sum)
		}
		wanted := func() bool { return progress == nil || progress(500+int64(p)*500/c.config.Partitions) }
		if len(in) > 0 {
			r.partition(int64(p), in, streams, wanted)
		}
		if !wanted() {
			return
		}
	}
	r.close()
	all := func(b Bytes) Bytes { return Bytes(mulDiv(int64(b), c.config.Replicas, 1)) }
	disk := func(retention Millis, live []Bytes) MetadataDisk {
		d := MetadataDisk{Retention: retention, Total: all(slices.Max(live))}
		d.PerBroker = Bytes(mulDivUp(int64(d.Total), 1, max(c.brokers, c.config.Replicas)))
		return d
	}
	f.Disk = disk(f.Retention, r.live)
	f.Advised = disk(f.Least.Advised, r.advised)
	f.Default = disk(Unlimited, []Bytes{bytes})
	const year = 365 * Day
	f.Events = mulDiv(events, int64(year), int64(c.horizon))
	f.PerYear = all(Bytes(mulDiv(int64(bytes), int64(year), int64(c.horizon))))
}

// partition plays a partition of the metadata topic.
func (r *riskRun) partition(number int64, in []member, streams []*RemoteCourse, wanted func() bool) {
	c := r.check
	m := metadataLog{
		config: c.config, streams: streams, until: c.horizon, samples: r.samples, wanted: wanted,
		sample: func(i int, live Bytes) { r.live[i] += live },
	}
	m.gone = func(g *metadataSegment, from []int32) {
		for i, course := range streams {
			first, _ := slices.BinarySearch(course.started, from[i])
			for s := first; s < len(course.started) && course.started[s] < g.ends[i]; s++ {
				switch u := &course.all[s]; {
				case u.Failed:
				case u.Deleted > g.lost:
					r.risk(number, in[i], u, g)
				case r.closest.Topic == "" || g.lost-u.Deleted < r.closest.Lost-r.closest.Deleted:
					r.closest = r.window(number, in[i], u, g)
				}
			}
		}
	}
	m.play()
	advised := r.finding.Least.Advised
	if advised == c.config.Log.RetentionMs && c.config.Log.RetentionBytes < 0 {
		return // the same again; close copies it
	}
	other := metadataLog{
		config: c.config, streams: streams, until: c.horizon, samples: r.samples, wanted: wanted,
		sample: func(i int, live Bytes) { r.advised[i] += live },
	}
	other.config.Log.RetentionMs, other.config.Log.RetentionBytes = advised, Unlimited
	other.play()
}

// risk notes a segment that is deleted after its metadata is lost.
func (r *riskRun) risk(number int64, m member, u *RemoteSegment, g *metadataSegment) {
	f := r.finding
	t := &f.Topics[m.topic]
	t.Segments++
	t.Stored = add(t.Stored, u.Stored)
	if g.lost < t.First.Lost {
		t.First = r.window(number, m, u, g)
	}
	if m == (member{}) {
		if f.Short = len(f.Windows) >= mostWindows; !f.Short {
			f.Windows = append(f.Windows, r.window(number, m, u, g))
		}
	}
	f.From = min(f.From, g.lost)
	if at := f.Restart.At; f.Chosen && g.lost <= at && at < u.Deleted {
		f.Restart.Segments++
		f.Restart.Stored += u.Stored
	}
	from, _ := slices.BinarySearch(r.samples, g.lost)
	to, _ := slices.BinarySearch(r.samples, u.Deleted)
	r.segments[from]++
	r.segments[to]--
	r.stored[from] += u.Stored
	r.stored[to] -= u.Stored
}

// window is a segment's life against that of the metadata segment with its first event.
func (r *riskRun) window(number int64, m member, u *RemoteSegment, g *metadataSegment) Window {
	return Window{
		Topic: r.check.topics[m.topic].Name, Partition: m.partition, MetadataPartition: number, Base: u.Base, Log: u.Log, Stored: u.Stored,
		Newest: u.Newest - Epoch, Started: u.Started, MetadataNewest: g.last, Lost: g.lost, Deleted: u.Deleted, LostBy: g.lostBy,
	}
}

// example chooses the segment of [MetadataFinding.Lives].
func (r *riskRun) example() {
	f := r.finding
	for i := range f.Topics {
		if t := &f.Topics[i]; t.AtRisk() && t.First.Lost == f.From {
			f.Example = t.First
			return
		}
	}
	if f.Example = r.closest; f.Example.Topic != "" {
		return
	}
	none := metadataSegment{last: Never, lost: Never}
	for i, course := range r.topics {
		t := &r.check.topics[i]
		for s := range course.all {
			u := &course.all[s]
			if u.Failed || f.Example.Topic != "" && u.Deleted == Never {
				continue
			}
			f.Example = r.window(MetadataPartition(t.ID, 0, r.check.config.Partitions), member{i, 0}, u, &none)
			if u.Deleted != Never {
				return
			}
		}
	}
}

// close adds up the curve, and finds the worst time where none was chosen.
func (r *riskRun) close() {
	f := r.finding
	if f.Least.Advised == f.Retention && f.Config.Log.RetentionBytes < 0 {
		copy(r.advised, r.live)
	}
	var d Dangling
	for i, at := range r.samples {
		d.At = at
		d.Segments += r.segments[i]
		d.Stored += r.stored[i]
		d.Cost = r.check.cost(d.Stored)
		f.Curve = append(f.Curve, d)
		if !f.Chosen && (f.Restart.At == Never || d.Stored > f.Restart.Stored) {
			f.Restart = d
		}
	}
	if !f.Chosen && f.From != Never && f.Restart.Segments == 0 {
		f.Restart.At = f.From // the windows are shorter than the samples are apart
		for i := range f.Topics {
			if t := &f.Topics[i]; t.First.Lost == f.From {
				f.Restart.Segments++
				f.Restart.Stored += t.First.Stored
			}
		}
	}
	f.Restart.Cost = r.check.cost(f.Restart.Stored)
}

// cost is what bytes cost a month, in billionths.
func (c *MetadataCheck) cost(b Bytes) int64 { return mulDiv(c.price, int64(b), int64(GiB)) }

// LeastRetention is the least retention.ms of the metadata topic with which no restart makes a segment dangle, whatever the
// traffic: a sum of terms.
type LeastRetention struct {
	OK      bool   // false: only an unlimited retention is safe
	Why     string // why, then: a clause
	Time    Millis // the sum; [Unlimited] when not OK
	Advised Millis // with a margin of a day, rounded up to whole days; [Unlimited] when not OK
	Terms   []TimeTerm
	Without []TimeTerm // what does not count, with the reason; their Time is 0
}

// TimeTerm is a part of a sum of times.
type TimeTerm struct {
	Name string
	Time Millis
	Why  string // a sentence without full stop
	Keys []string
}

// least reckons the least retention.
//
// A segment whose newest record has timestamp m is deleted by a run that begins after m + retention.ms; its event was
// written at s, and is lost after s + the metadata topic's retention.ms. So the latter must be at least m − s +
// retention.ms + how long deletion takes. Rules 8.9.
func (c *MetadataCheck) least(topics []*RemoteCourse) LeastRetention {
	l := LeastRetention{OK: true}
	var longest, ahead, beat, runs Millis
	name := ""
	for i := range c.topics {
		t := &c.topics[i]
		s := &t.Scenario
		kept, off := s.log.RetentionMs, t.ahead()
		for _, step := range s.steps {
			if do, ok := step.Do.(Configure); ok && kept >= 0 {
				kept = max(kept, do.Log.RetentionMs)
				if do.Log.RetentionMs < 0 {
					kept = Unlimited
				}
			}
		}
		if kept < 0 && l.OK {
			l.OK, l.Why = false, t.Name+" has no limit in time: retention.ms=-1"
		}
		if name == "" || add(kept, off) > add(longest, ahead) {
			longest, ahead, name = kept, off, t.Name
		}
		beat = max(beat, s.remote.TaskInterval)
		runs = max(runs, topics[i].runs)
		for _, o := range s.Outages() {
			if o.To == Never && l.OK {
				l.OK, l.Why = false, "the remote store of "+t.Name+" is down to the end, and nothing is deleted"
			}
		}
	}
	if c.outage == Never && l.OK {
		l.OK, l.Why = false, "no time is long enough for an outage that never ends: remote.outage.tolerated"
	}
	l.Terms = []TimeTerm{
		{"the longest retention", max(longest, 0), "a segment of " + name + " stays until its newest record is older", []string{"retention.ms"}},
		{"timestamps ahead of the clock", ahead, "a record may be stamped so far ahead, and ages from there", []string{"message.timestamp.after.max.ms"}},
		{"the wait for the expiration task", beat, "it runs so often", []string{"remote.log.manager.task.interval.ms"}},
		{"deletion and a retry", add(add(runs, runs), beat), "a run under way, the run itself, and one more beat when a deletion fails", []string{"remote.delete.latency"}},
		{"an outage of the remote store", c.outage, "while it is down nothing is deleted", []string{"remote.outage.tolerated"}},
		{"clocks that differ", c.skew, "one broker deletes metadata, another the segment", []string{"clock.skew"}},
	}
	l.Without = []TimeTerm{
		{Name: "the age of a segment", Why: "the event is written after the segment's newest record came, which is time gained", Keys: []string{"segment.ms"}},
		{Name: "the metadata topic's own segments", Why: "an event is lost only with its whole segment, once the newest event there is old enough: later, never earlier", Keys: []string{"log.roll.ms", "log.segment.bytes"}},
		{Name: "the metadata topic's check", Why: "it can only make the loss later", Keys: []string{"log.retention.check.interval.ms"}},
		{Name: "the delay of file removal", Why: "readers lose a segment when it is renamed; how long its files stay does not matter", Keys: []string{"file.delete.delay.ms"}},
	}
	for _, t := range l.Terms {
		l.Time = add(l.Time, t.Time)
	}
	l.Advised = l.Time
	if l.Time > math.MaxInt64-2*Day && l.OK {
		l.OK, l.Why = false, "the sum is more than Kafka can hold"
	}
	if !l.OK {
		l.Time, l.Advised = Unlimited, Unlimited
		return l
	}
	l.Advised = Millis(mulDivUp(int64(l.Time+Day), 1, int64(Day))) * Day
	return l
}

// ahead is how far ahead of the clock a record's timestamp may be: what the broker lets in, or where that has no limit what
// the topic's traffic has.
func (t *TieredTopic) ahead() Millis {
	c := &t.Scenario.log
	switch {
	case c.LogAppendTime:
		return 0
	case c.TimestampAfterMax == Never:
		return t.Scenario.MostAhead()
	}
	return c.TimestampAfterMax
}

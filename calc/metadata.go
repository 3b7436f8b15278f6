package calc

import (
	"math"
	"math/bits"
	"slices"
)

// The topic __remote_log_metadata: what is written to it, where, how large that is, and when it is lost again.
//
// Not modelled: events that share a batch because they came within the producer's linger.ms (a deleted topic's do: 812 B for
// ten events instead of 1320), leader changes, segment.jitter.ms of the broker, and index files that are full before a
// segment is.
//
// Kafka: TopicBasedRemoteLogMetadataManager, RemoteLogMetadataSerde; rules 8.

// MetadataTopicName is the topic's name.
const MetadataTopicName = "__remote_log_metadata"

// EventShape is what the size of an event in __remote_log_metadata depends on.
type EventShape struct {
	Topic  int   // bytes of the topic's name: 1 to 249
	Epochs int   // leader epochs in the segment, ≥ 1
	Custom Bytes // of custom metadata that the plugin for the store gives; 0: none
	// TxnTag: COPY_SEGMENT_STARTED says that there is no transaction index. From Kafka 4.0 on, for a segment without one.
	TxnTag bool
}

// Value is the length of the event's value.
//
// Kafka: RemoteLogSegmentMetadataRecord, RemoteLogSegmentMetadataUpdateRecord; rules 8.3, 16t.
func (e EventShape) Value(s RemoteState) Bytes {
	name := compactLength(Bytes(e.Topic)) - 1 + Bytes(e.Topic)
	if s != CopySegmentStarted {
		n := 57 + name + e.Custom
		if e.Custom > 0 {
			n += compactLength(e.Custom) - 1
		}
		return n
	}
	n := 86 + name + 13*Bytes(e.Epochs) + compactLength(Bytes(e.Epochs)) - 1
	if e.TxnTag {
		n += 3
	}
	return n
}

// Batch is the size of the batch that holds the event alone.
func (e EventShape) Batch(s RemoteState) Bytes { return eventBatch(e.Value(s)) }

// PartitionEventValue is the length of a DELETE_PARTITION event's value, for a topic's name of so many bytes.
func PartitionEventValue(name int) Bytes { return 39 + Bytes(name) + compactLength(Bytes(name)) - 1 }

// eventBatch is the size of a batch of one record without key.
func eventBatch(value Bytes) Bytes { return RecordShape{Key: Null, Value: value}.BatchBytes(1, 0) }

// compactLength is the bytes of the length n before a compact string or array: n+1 as an unsigned varint.
func compactLength(n Bytes) Bytes {
	size := Bytes(1)
	for n++; n >= 128; n >>= 7 {
		size++
	}
	return size
}

// TopicID is the id that Kafka gives a topic. The zero TopicID is none.
type TopicID [16]byte

// ParseTopicID reads an id as Kafka's tools print it: 22 letters of base64 for URLs.
func ParseTopicID(text string) (id TopicID, ok bool) {
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	if len(text) != 22 {
		return id, false
	}
	var bits, have, n int
	for i := range len(text) {
		v := slices.Index([]byte(letters), text[i])
		if v < 0 {
			return TopicID{}, false
		}
		bits, have = bits<<6|v, have+6
		if have >= 8 {
			have -= 8
			id[n] = byte(bits >> have)
			n++
		}
		bits &= 1<<have - 1
	}
	return id, true
}

// TopicIDOf is a made-up id for a topic whose id is not known: always the same for a name. Kafka draws ids, so which
// metadata partition a partition really has depends on the draw; how they spread is alike.
func TopicIDOf(name string) (id TopicID) {
	h := uint64(14695981039346656037)
	for i := range len(name) {
		h = (h ^ uint64(name[i])) * 1099511628211
	}
	for i := range 2 {
		h += 0x9e3779b97f4a7c15
		z := h
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		z ^= z >> 31
		for j := range 8 {
			id[8*i+j] = byte(z >> (56 - 8*j))
		}
	}
	return id
}

// MetadataPartition is the partition of __remote_log_metadata, out of so many, in which the events of a partition are.
//
// Kafka: RemoteLogMetadataTopicPartitioner.metadataPartition, Utils.murmur2.
func MetadataPartition(id TopicID, partition int32, of int64) int64 {
	long := func(b []byte) int32 {
		v := uint64(0)
		for _, x := range b[:8] {
			v = v<<8 | uint64(x)
		}
		return int32(uint32(v ^ v>>32))
	}
	hash := int32(1)
	for _, h := range [...]int32{long(id[8:]), long(id[:8]), partition} {
		hash = 31*hash + h
	}
	return int64(murmur2(uint32(hash))&math.MaxInt32) % of
}

// murmur2 is the hash of four bytes, the highest of n first.
//
// Kafka: Utils.murmur2.
func murmur2(n uint32) uint32 {
	const m = 0x5bd1e995
	k := bits.ReverseBytes32(n) * m
	k = (k ^ k>>24) * m
	h := uint32(0x9747b28c ^ 4) // the seed, and the length
	h = h*m ^ k
	h = (h ^ h>>13) * m
	return h ^ h>>15
}

// MetadataConfig is the configuration of __remote_log_metadata.
type MetadataConfig struct {
	Partitions int64 // remote.log.metadata.topic.num.partitions, ≥ 1
	Replicas   int64 // remote.log.metadata.topic.replication.factor, ≥ 1
	Log        LogConfig
	Broker     BrokerConfig
	Version    Version
}

// Plan is one partition of the topic as a [Simulation] plays it, whose events are those of the given partitions' courses,
// one after the other where they fall into one millisecond. It shows every file; [RemoteCourse] gives the courses.
func (c MetadataConfig) Plan(streams []*RemoteCourse, epoch, until Millis) Plan {
	return Plan{Log: c.Log, Broker: c.Broker, Version: c.Version, Epoch: epoch, Until: until,
		Steps: &eventSource{streams, make([]int, len(streams))}}
}

// eventSource is the events of several partitions in order of time.
type eventSource struct {
	streams []*RemoteCourse
	next    []int
}

func (s *eventSource) Next() (Step, bool) {
	best := -1
	for i, c := range s.streams {
		if s.next[i] < len(c.at) && (best < 0 || c.at[s.next[i]] < s.streams[best].at[s.next[best]]) {
			best = i
		}
	}
	if best < 0 {
		return Step{}, false
	}
	c, i := s.streams[best], s.next[best]
	s.next[best]++
	return Step{c.at[i], Append{
		Count: 1, IntervalDen: 1, Batch: c.sum[i+1] - c.sum[i], Records: 1, Batches: 1, Offset: -1, Producer: 0, Producers: 1,
	}}, true
}

func (s *eventSource) Clone() StepSource { return &eventSource{s.streams, slices.Clone(s.next)} }

// RemoteCourse is what one tiered partition did to the remote store from the start to the end of its plan: the events that
// it wrote to __remote_log_metadata, and what became of each segment. It does not change.
type RemoteCourse struct {
	at      []Millis        // of event i
	sum     []Bytes         // of the batches of the events before i
	started []int32         // the event COPY_SEGMENT_STARTED of segment i, ascending
	all     []RemoteSegment // in order of their first event
	until   Millis
	runs    Millis // the longest time from a segment's expiry to its deletion, the wait for the beat left out
}

// stepsBetween is how many steps of a simulation lie between two looks at whether it is still wanted: half a millisecond in
// a browser.
const stepsBetween = 256

// playRemote plays a tiered partition and keeps what concerns the remote store. The plan must have a remote half. shape gives
// the sizes of its events; wanted is told now and then how far the clock is, and where it returns false there is no course.
// The error is a failure of Kafka itself.
func playRemote(p Plan, shape EventShape, wanted func(at Millis) bool) (*RemoteCourse, error) {
	s := NewSimulation(p)
	course := &remoteCourse{}
	s.remote.course = course
	for n := 1; ; n++ {
		at, ok := s.Next()
		if !ok {
			break
		}
		if n%stepsBetween == 0 && !wanted(at) {
			return nil, nil
		}
		s.Step()
	}
	return course.done(shape, p.Until), s.Err()
}

// done turns what was taken down into a course.
func (c *remoteCourse) done(shape EventShape, until Millis) *RemoteCourse {
	out := &RemoteCourse{all: c.segments, until: until, sum: make([]Bytes, 1, len(c.events)+1), at: make([]Millis, 0, len(c.events))}
	var sizes [4]Bytes
	for s := range RemoteState(4) {
		sizes[s] = shape.Batch(s)
	}
	deleting := Never
	for i, e := range c.events {
		out.at = append(out.at, e.at)
		out.sum = append(out.sum, out.sum[i]+sizes[e.state])
		switch {
		case e.state == CopySegmentStarted:
			out.started = append(out.started, int32(i))
		case e.copy: // it waits for no one, and what is left of it is nothing that dangles
		case e.state == DeleteSegmentStarted:
			deleting = min(deleting, e.at)
		case e.state == DeleteSegmentFinished:
			out.runs = max(out.runs, e.at-deleting)
			if !c.goesOn(i) {
				deleting = Never
			}
		}
	}
	return out
}

// reshaped is the same course with events of another shape.
func (c *RemoteCourse) reshaped(from, to EventShape) *RemoteCourse {
	if from == to {
		return c
	}
	d := *c
	d.sum = make([]Bytes, 1, len(c.sum))
	var old, now [4]Bytes
	for s := range RemoteState(4) {
		old[s], now[s] = from.Batch(s), to.Batch(s)
	}
	for i := range c.at {
		size := now[CopySegmentFinished]
		if c.sum[i+1]-c.sum[i] == old[CopySegmentStarted] {
			size = now[CopySegmentStarted]
		}
		d.sum = append(d.sum, d.sum[i]+size)
	}
	return &d
}

// Segments are the segments that were copied or begun to be copied, in order.
func (c *RemoteCourse) Segments() []RemoteSegment { return slices.Clone(c.all) }

// Events is how many events were written, and their bytes.
func (c *RemoteCourse) Events() (count int64, bytes Bytes) { return int64(len(c.at)), c.sum[len(c.at)] }

// from is the first event at or after a time, looked for from event i on.
func (c *RemoteCourse) from(i int, t Millis) int {
	step := 1
	for i+step < len(c.at) && c.at[i+step] < t {
		i += step
		step *= 2
	}
	high := min(i+step, len(c.at))
	for i < high {
		mid := int(uint(i+high) / 2)
		if c.at[mid] < t {
			i = mid + 1
		} else {
			high = mid
		}
	}
	return i
}

// metadataSegment is a segment of a partition of __remote_log_metadata.
type metadataSegment struct {
	first, last Millis // timestamps of its first and last event
	bytes       Bytes
	ends        []int32 // of each stream: the first event that is not in it nor before it
	lost        Millis  // when retention deleted it; [Never]
	lostBy      Reason
}

func (g *metadataSegment) empty() bool { return g.bytes == 0 }

// metadataLog plays a partition of the topic segment by segment, by the engine's rules for a log of single records whose
// timestamps are the clock. A property test compares it with the engine.
type metadataLog struct {
	config  MetadataConfig
	streams []*RemoteCourse
	until   Millis
	pos     []int // events of each stream that are appended
	live    []metadataSegment
	total   Bytes
	gone    func(g *metadataSegment, from []int32) // told of a segment that retention deleted
	wanted  func() bool                            // asked before each check that may delete; false ends it. nil: to the end

	front   []int32 // where the oldest live segment begins
	samples []Millis
	sample  func(i int, live Bytes) // told how much is live at each of the samples
	sampled int
}

// play plays the log to its end.
func (m *metadataLog) play() {
	m.pos = make([]int, len(m.streams))
	m.front = make([]int32, len(m.streams))
	m.live = []metadataSegment{m.newSegment()}
	last := Millis(-1)
	for {
		tick := m.tickFrom(max(m.nextLoss(), last+1))
		if m.wanted != nil && !m.wanted() {
			return
		}
		m.takeSamples(tick)
		if tick > m.until {
			m.advance(add(m.until, 1))
			return
		}
		m.advance(tick)
		m.retain(tick)
		last = tick
	}
}

func (m *metadataLog) newSegment() metadataSegment { return metadataSegment{lost: Never} }

// takeSamples says how much is live at the samples before a check.
func (m *metadataLog) takeSamples(tick Millis) {
	for m.sampled < len(m.samples) && m.samples[m.sampled] < tick {
		live := m.total
		for i, c := range m.streams {
			live += c.sum[c.from(m.pos[i], m.samples[m.sampled]+1)] - c.sum[m.pos[i]]
		}
		m.sample(m.sampled, live)
		m.sampled++
	}
}

// tickFrom is the first retention check at or after a time.
func (m *metadataLog) tickFrom(t Millis) Millis {
	at, period := m.config.Broker.InitialTaskDelay, m.config.Broker.RetentionCheckInterval
	if t <= at {
		return at
	}
	if t == Never {
		return Never
	}
	n := (t - at - 1) / period
	if n >= (Never-at)/period {
		return Never
	}
	return at + (n+1)*period
}

// nextEvent is when the next event comes that is not appended.
func (m *metadataLog) nextEvent() Millis {
	at := Never
	for i, c := range m.streams {
		if m.pos[i] < len(c.at) {
			at = min(at, c.at[m.pos[i]])
		}
	}
	return at
}

// nextLoss is a time before which no check deletes anything.
func (m *metadataLog) nextLoss() Millis {
	oldest, alone := &m.live[0], len(m.live) == 1
	next := Never
	last := oldest.last
	if oldest.empty() {
		if last = m.nextEvent(); last == Never {
			return Never
		}
	}
	if ms := m.config.Log.RetentionMs; ms >= 0 {
		next = add(last+1, ms)
	}
	limit := m.config.Log.RetentionBytes
	switch {
	case limit < 0:
	case alone && limit > 0:
		// It goes by size only once it is closed.
		next = min(next, max(add(m.firstOf(oldest)+1, m.config.Log.maxSegmentMs()), 0),
			m.bytesAt(m.config.Log.SegmentBytes-oldest.bytes-8192))
	default:
		next = min(next, m.bytesAt(add(limit, max(oldest.bytes, 1))-m.total))
	}
	return next
}

// firstOf is the timestamp that starts a segment's clock, now or to come.
func (m *metadataLog) firstOf(g *metadataSegment) Millis {
	if g.empty() {
		return min(m.nextEvent(), Never-1)
	}
	return g.first
}

// bytesAt is the time just after which so many more bytes have been appended.
func (m *metadataLog) bytesAt(b Bytes) Millis {
	if b <= 0 {
		return 0
	}
	sum := func(t Millis) (n Bytes) {
		for i, c := range m.streams {
			n += c.sum[c.from(m.pos[i], t)] - c.sum[m.pos[i]]
		}
		return n
	}
	low, high := Millis(0), add(m.until, 1)
	if sum(high) < b {
		return Never
	}
	for low < high {
		if mid := low + (high-low)/2; sum(mid) >= b {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low
}

// advance appends all events before a time.
func (m *metadataLog) advance(t Millis) {
	for {
		next := m.nextEvent()
		if next >= t {
			return
		}
		g := &m.live[len(m.live)-1]
		if g.empty() {
			g.first = next
		} else if next-g.first > m.config.Log.maxSegmentMs() {
			m.roll()
			continue
		}
		if m.fill(g, min(t, add(g.first+1, m.config.Log.maxSegmentMs()))) {
			m.roll()
		}
	}
}

// fill appends the events before a time that fit in the active segment, at least one if it is empty. full reports that one
// did not fit.
func (m *metadataLog) fill(g *metadataSegment, t Millis) (full bool) {
	room := m.config.Log.SegmentBytes - g.bytes
	sum := func(t Millis) (n Bytes) {
		for i, c := range m.streams {
			n += c.sum[c.from(m.pos[i], t)] - c.sum[m.pos[i]]
		}
		return n
	}
	fit := t
	if sum(t) > room {
		low, high := Millis(0), t // sum(low) fits
		for low+1 < high {
			if mid := low + (high-low)/2; sum(mid) <= room {
				low = mid
			} else {
				high = mid
			}
		}
		fit = low
	}
	for i, c := range m.streams {
		end := c.from(m.pos[i], fit)
		m.take(g, i, end)
	}
	if fit == t {
		return false
	}
	for i, c := range m.streams { // one by one in the millisecond that does not fit as a whole
		for m.pos[i] < len(c.at) && c.at[m.pos[i]] == fit {
			if size := c.sum[m.pos[i]+1] - c.sum[m.pos[i]]; size > m.config.Log.SegmentBytes-g.bytes && !g.empty() {
				return true
			}
			m.take(g, i, m.pos[i]+1)
		}
	}
	return false
}

// take appends a stream's events before event end.
func (m *metadataLog) take(g *metadataSegment, stream, end int) {
	c, from := m.streams[stream], m.pos[stream]
	if end <= from {
		return
	}
	n := c.sum[end] - c.sum[from]
	g.bytes += n
	m.total += n
	g.last = max(g.last, c.at[end-1])
	m.pos[stream] = end
}

// roll closes the active segment.
func (m *metadataLog) roll() {
	g := &m.live[len(m.live)-1]
	g.ends = make([]int32, len(m.pos))
	for i, p := range m.pos {
		g.ends[i] = int32(p)
	}
	m.live = append(m.live, m.newSegment())
}

// retain deletes by size, then by time, as a check does.
func (m *metadataLog) retain(now Millis) {
	excess := m.total - m.config.Log.RetentionBytes
	if m.config.Log.RetentionBytes >= 0 && excess >= 0 {
		m.drop(now, BySize, func(g *metadataSegment) bool {
			if excess < g.bytes {
				return false
			}
			excess -= g.bytes
			return true
		})
	}
	if ms := m.config.Log.RetentionMs; ms >= 0 {
		m.drop(now, ByTime, func(g *metadataSegment) bool { return now-g.last > ms })
	}
}

// drop deletes the oldest segments that a rule gives up.
func (m *metadataLog) drop(now Millis, reason Reason, rule func(g *metadataSegment) bool) {
	n := 0
	for n < len(m.live) && !m.live[n].empty() && rule(&m.live[n]) {
		n++
	}
	if n == len(m.live) {
		m.roll()
	}
	for i := range n {
		g := &m.live[i]
		g.lost, g.lostBy = now, reason
		m.total -= g.bytes
		if m.gone != nil {
			m.gone(g, m.front)
		}
		m.front = g.ends
	}
	m.live = slices.Delete(m.live, 0, n)
}

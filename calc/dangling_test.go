package calc

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// lossOf is when the first event of a course is lost.
func lossOf(c MetadataConfig, until Millis, streams ...*RemoteCourse) (lost Millis) {
	lost = Never
	m := metadataLog{config: c, streams: streams, until: until}
	m.gone = func(g *metadataSegment, from []int32) {
		if from[0] == 0 && g.ends[0] > 0 {
			lost = g.lost
		}
	}
	m.play()
	return lost
}

// eventsAt is a course of one copy begun at a time, and of others later.
func eventsAt(at ...Millis) *RemoteCourse {
	c := &remoteCourse{}
	for i, t := range at {
		c.events = append(c.events, remoteEvent{at: t, state: CopySegmentStarted, id: int32(i)})
	}
	return c.done(EventShape{Topic: 10, Epochs: 1, TxnTag: true}, at[len(at)-1])
}

// Reference: rules E37: R_u = R_m = 7 d, the event is written at 10 s and is the last in its metadata segment. It is lost at
// 7 d + 10.001 s; the expiration task ran at 7 d, when the segment was not yet older than 7 d, and runs again at 7 d + 30 s.
func TestE37TheWindow(t *testing.T) {
	c := defaultMetadataConfig()
	c.Broker.InitialTaskDelay = 10_001
	c.Log.RetentionMs = 7 * Day
	last, first := eventsAt(10*Second), eventsAt(10*Second, 7*Day)
	assert.Equal(t, 7*Day+10_001, lossOf(c, 30*Day, last))
	assert.GreaterOrEqual(t, lossOf(c, 30*Day, first), 14*Day, "the first event of a segment of 7 d")
	c.Log.RetentionMs = 7*Day + Hour
	assert.Greater(t, lossOf(c, 30*Day, last), 7*Day+30*Second, "with an hour more it is safe")

	s := small(func(p *Plan) {
		p.Remote = &RemoteConfig{TaskInterval: 30 * Second, DeleteLatency: 100, CopyQuota: 1 << 62}
		p.Log.RetentionMs, p.Log.LocalRetentionMs, p.Until = 7*Day, Hour, 10*Day
	}, 0, 1)
	events := playTo(s, 7*Day+31*Second)
	assert.Contains(t, events, "604830000 remote_delete_started 0 retention.ms")
	assert.Contains(t, events, "604830100 remote_delete_finished 0 ")
}

// run checks one topic.
func runCheck(t *testing.T, own []Pair, pairs ...string) MetadataFinding {
	t.Helper()
	c, err := NewMetadataCheck([]TopicInput{{Input: given(t, append([]string{"remote.storage.enable", "true"}, pairs...)...)}}, own)
	require.NoError(t, err)
	f, err := c.Run(nil)
	require.NoError(t, err)
	return f
}

// Reference: rules E38: R_u = 30 d, R_m = 7 d, a metadata segment lasts 7 d: events are lost 7 to 14 days (and a check) after
// they are written, and segments dangle from then until they are 30 days old.
func TestE38ShortMetadataRetention(t *testing.T) {
	f := runCheck(t, nil, "retention.ms", "30d", metadataRetention, "7d", "produce", "100KiB/s", "partitions", "50")
	assert.Equal(t, VerdictAtRisk, f.Verdict)
	assert.False(t, f.Covered)
	w := f.Topics[0].First
	within(t, 7*Day, w.Lost-w.Started, 14*Day+5*Minute+1, "lost")
	within(t, 30*Day, w.Deleted-w.Newest, 30*Day+31*Second, "deleted")
	assert.Equal(t, f.From, w.Lost)
	assert.Equal(t, ByTime, w.LostBy)
	assert.Positive(t, f.Restart.Segments)
	assert.Positive(t, f.Restart.Cost)
}

// Reference: case R49: A the default, B a week against six months, C six months and 5.19 days.
func TestR49MetadataMustOutliveEveryTopic(t *testing.T) {
	pairs := []string{"retention.ms", "15552000000", "produce", "20KiB/s", "partitions", "10"}
	a := runCheck(t, nil, pairs...)
	assert.Equal(t, VerdictUnbounded, a.Verdict)
	assert.True(t, a.Covered)
	b := runCheck(t, nil, append(pairs, metadataRetention, "604800000")...)
	assert.Equal(t, VerdictAtRisk, b.Verdict)
	c := runCheck(t, nil, append(pairs, metadataRetention, "16000000000")...)
	assert.Equal(t, VerdictSafe, c.Verdict)
	assert.True(t, c.Covered)
	margin := 16_000_000_000 - c.Least.Terms[0].Time
	assert.Equal(t, "5.19", fmt.Sprintf("%.2f", float64(margin)/float64(Day)))

	// A topic for ever needs metadata for ever; the metadata topic itself cannot be tiered, nor a compacted topic.
	f := runCheck(t, nil, "retention.ms", "-1", "produce", "20KiB/s", metadataRetention, "30d")
	assert.Equal(t, VerdictAtRisk, f.Verdict)
	assert.Equal(t, Millis(Unlimited), f.Least.Time)
	assert.Equal(t, TrapForever, f.Traps[0].Kind)
	for _, in := range []TopicInput{
		{Name: MetadataTopicName, Input: given(t, "remote.storage.enable", "true")},
		{Name: "__consumer_offsets", Input: given(t, "remote.storage.enable", "true", "cleanup.policy", "compact")},
	} {
		_, err := NewMetadataCheck([]TopicInput{in}, nil)
		assert.Error(t, err)
	}
}

// ofRecording is what was measured of a metadata topic: the segments that the remote store held, and the bytes of the events,
// at a time.
type ofRecording struct {
	at       Millis
	segments int64
	events   Bytes
}

// measured is the samples of a recording in which something had changed. before is the bytes of other topics' events.
func measured(r recording, before Bytes) (all []ofRecording) {
	for _, tick := range r.Ticks {
		now := ofRecording{tick.T, tick.RemoteSegments, tick.Metadata - before}
		if n := len(all); n == 0 || all[n-1].segments != now.segments || all[n-1].events != now.events {
			all = append(all, now)
		}
	}
	return all
}

// statesOf is a course as a recorder would have measured it that looked all the time.
func statesOf(c *RemoteCourse) (all []ofRecording) {
	now := ofRecording{}
	all = append(all, now)
	for i, at := range c.at {
		now.at, now.events = at, c.sum[i+1]
		now.segments = 0
		for _, g := range c.all {
			if g.Finished <= at && at < g.Deleted {
				now.segments++
			}
		}
		all = append(all, now)
	}
	return all
}

// asMeasured asserts that a course comes to each measured state, in the same order, in time within a beat of the tasks and
// what lies between two samples of the recorder.
func asMeasured(t *testing.T, want []ofRecording, got []ofRecording, within Millis) {
	t.Helper()
	i := 0
	for _, w := range want {
		for i < len(got) && (got[i].segments != w.segments || got[i].events != w.events) {
			i++
		}
		if !assert.Less(t, i, len(got), "%+v never comes", w) {
			return
		}
		until := Never
		if i+1 < len(got) {
			until = got[i+1].at
		}
		assert.LessOrEqual(t, got[i].at, w.at+within, "%+v", w)
		assert.GreaterOrEqual(t, until, w.at-within, "%+v", w)
	}
}

// Reference: 16c, KAFKA-15682 itself: after the metadata log was emptied all brokers restart, and all seven segments dangle;
// 16i, its control: with metadata kept they are deleted in time. In both what is written to the metadata topic is the
// recording's, to the byte, in its order, and in time within a beat (5 s) and the 5 s or 10 s between two samples.
func TestRecordedDangling(t *testing.T) {
	pairs := func(more ...string) []string {
		return append([]string{"topic.name", "dang", "horizon", "480s", "record.value", "1000",
			"segment.bytes", "1MiB", "local.retention.ms", "15s", "file.delete.delay.ms", "5s", "log.retention.check.interval.ms", "10s",
			"remote.log.manager.task.interval.ms", "5s", "remote.storage.enable", "true"}, more...)
	}
	course := func(pairs []string) *RemoteCourse {
		c, err := NewMetadataCheck([]TopicInput{{Input: given(t, pairs...)}}, nil)
		require.NoError(t, err)
		courses, err := c.play(nil)
		require.NoError(t, err)
		return courses[0]
	}
	short := pairs("produce", "100 records/s", "produce.stop", "60s", "retention.ms", "4min",
		metadataRetention, "30s", metadataPartitions, "5", "restart.all", "136539", "batch.records", "1")
	f := runCheck(t, nil, short...)
	assert.Equal(t, VerdictAtRisk, f.Verdict)
	r := record(t, "16c_rlmm_retention_dangling")
	want := measured(r, 0)
	end := want[len(want)-1]
	assert.Equal(t, end.segments, f.Restart.Segments, "seven, for ever")
	require.Zero(t, end.events, "the metadata log was emptied")
	assert.InDelta(t, int64(end.at), int64(f.Topics[0].First.Lost), 10_000+5_000, "within a check of the metadata, and a beat")
	asMeasured(t, want[:len(want)-1], statesOf(course(short)), 10_000)

	// At 200 records a second some share a batch: of 4,000 alone a fifth segment would have begun.
	kept := pairs("produce", "200 records/s", "produce.stop", "20s", "retention.ms", "2min", "batch.records", "4")
	assert.Equal(t, VerdictUnbounded, runCheck(t, nil, kept...).Verdict)
	r = record(t, "16i_rlmm_retention_control")
	copied := r.Ticks[0].RemoteSegments
	events := EventShape{Topic: len("ctrl"), Epochs: 1, TxnTag: true}
	before := r.Ticks[0].Metadata - Bytes(copied)*(events.Batch(CopySegmentStarted)+events.Batch(CopySegmentFinished))
	want = measured(r, before)
	assert.Zero(t, want[len(want)-1].segments, "all were deleted")
	asMeasured(t, want, statesOf(course(kept)), 15_000)
}

// Reference: 16b: with the topic its remote segments go at once, and the directory after the broker's delay.
func TestRecordedTopicDeletion(t *testing.T) {
	s := small(func(p *Plan) {
		p.Remote = &RemoteConfig{TaskInterval: 1000, CopyQuota: 1 << 62}
		p.Log.FileDeleteDelayMs = 5000
		p.Steps = &StepList{{1, one300}, {2, one300}, {3, one300}, {4, one300}, {5, one300}, {6, one300}, {46_000, DeleteTopic{}}}
	})
	playTo(s, 45_999)
	assert.EqualValues(t, 5, s.Usage().RemoteSegments)
	events := playTo(s, 46_000)
	assert.Len(t, events, 11)
	assert.Zero(t, s.Usage().Remote)
	assert.Equal(t, []string{"106000 removed -1 topic"}, playTo(s, 200_000))
}

// Each trap is found, and says the way out.
func TestTraps(t *testing.T) {
	for _, c := range []struct {
		want  TrapKind
		own   []Pair
		pairs []string
	}{
		{TrapSize, nil, []string{"log.retention.bytes", "1GiB", metadataRetention, "60d"}},
		{TrapSize, []Pair{{"retention.bytes", "1000000"}}, []string{metadataRetention, "60d"}},
		{TrapForever, nil, []string{"retention.ms", "-1", metadataRetention, "60d"}},
		{TrapSizeOnly, nil, []string{"retention.ms", "-1", "retention.bytes", "50GiB", metadataRetention, "60d"}},
		{TrapRaised, nil, []string{"retention.ms", "7d", "steps", "20d retention.ms=50d", metadataRetention, "30d"}},
		{TrapAhead, nil, []string{"kafka.version", "3.9", metadataRetention, "60d"}},
		{TrapMSK, nil, []string{"retention.ms", "1d", metadataRetention, "60d"}},
		{TrapOutage, nil, []string{"retention.ms", "4d", "steps", "5d remote-down", metadataRetention, "60d", "remote.log.manager.task.interval.ms", "5min"}},
		{TrapCompacted, []Pair{{"cleanup.policy", "compact"}}, []string{metadataRetention, "60d"}},
	} {
		f := runCheck(t, c.own, append([]string{"produce", "50KiB/s"}, c.pairs...)...)
		var kinds []TrapKind
		for _, trap := range f.Traps {
			kinds = append(kinds, trap.Kind)
			assert.NotEmpty(t, trap.Why)
			assert.NotEmpty(t, trap.Way)
			assert.NotEmpty(t, trap.Key)
		}
		assert.Contains(t, kinds, c.want, "%v", c.pairs)
	}
	assert.Empty(t, runCheck(t, nil, "produce", "50KiB/s", metadataRetention, "60d").Traps)

	// Those of a kind are together, some by name and the others by number.
	g := MetadataFinding{Traps: []Trap{{Kind: TrapMSK, Topic: "a", Key: "k", Found: "1"}, {Kind: TrapSize, Key: "s", Found: "x"},
		{Kind: TrapMSK, Topic: "b", Key: "k", Found: "2"}, {Kind: TrapMSK, Topic: "c", Key: "k"}, {Kind: TrapMSK, Topic: "d", Key: "k"}}}
	groups := g.TrapGroups()
	require.Len(t, groups, 2)
	some, more := groups[0].Where()
	assert.Equal(t, []Pair{{"a", "k=1"}, {"b", "k=2"}, {"c", "k="}}, some)
	assert.Equal(t, 1, more)
	some, more = groups[1].Where()
	assert.Equal(t, []Pair{{MetadataTopicName, "s=x"}}, some)
	assert.Zero(t, more)

	// What a trap costs: a limit on size loses metadata although retention.ms is unlimited.
	f := runCheck(t, []Pair{{"retention.bytes", "10000"}, {"segment.ms", "1d"}}, "produce", "50KiB/s", "partitions", "200", "retention.ms", "60d")
	assert.Equal(t, VerdictAtRisk, f.Verdict)
	assert.Equal(t, BySize, f.Topics[0].First.LostBy)
	assert.False(t, f.Covered)

	// Raised later: the segments that were there already live longer than their metadata.
	raised := []string{"produce", "50KiB/s", "retention.ms", "7d", metadataRetention, "10d", "horizon", "60d", "partitions", "50"}
	assert.Equal(t, VerdictSafe, runCheck(t, nil, raised...).Verdict)
	f = runCheck(t, nil, append(raised, "steps", "20d retention.ms=30d")...)
	assert.Equal(t, VerdictAtRisk, f.Verdict)
	assert.Greater(t, f.From, 20*Day)
}

// What the metadata topic says of itself goes before what brokers are told to create it with; what is wrong with it is said,
// and what is no setting of a topic is left alone.
func TestMetadataTopicItself(t *testing.T) {
	check := func(own ...Pair) (MetadataCheck, error) {
		in := given(t, "remote.storage.enable", "true", "produce", "50KiB/s", metadataRetention, "7d", metadataPartitions, "10", metadataReplicas, "2")
		return NewMetadataCheck([]TopicInput{{Input: in}}, own)
	}
	c, err := check()
	require.NoError(t, err)
	assert.EqualValues(t, []int64{10, 2, int64(7 * Day)}, []int64{c.config.Partitions, c.config.Replicas, int64(c.config.Log.RetentionMs)})
	c, err = check(Pair{"retention.ms", "259200000"}, Pair{"partitions", "5"}, Pair{"replication.factor", "1"}, Pair{"min.insync.replicas", "1"}, Pair{"what.ever", "x"})
	require.NoError(t, err)
	assert.EqualValues(t, []int64{5, 1, int64(3 * Day)}, []int64{c.config.Partitions, c.config.Replicas, int64(c.config.Log.RetentionMs)})
	for _, wrong := range []Pair{{"retention.ms", "soon"}, {"retention.ms", ""}, {"segment.bytes", "1"}, {"partitions", "0"}, {"replication.factor", "two"}} {
		_, err = check(wrong)
		all := Problems(err)
		if assert.Len(t, all, 1, "%v", wrong) {
			assert.Equal(t, MetadataTopicName+":"+wrong.Key, all[0].Key)
			assert.Equal(t, wrong.Value, all[0].Value)
			assert.NotEmpty(t, all[0].WayOut(), "%v", wrong)
		}
	}
}

// The terms add up, each named and explained; the others say why they are none.
func TestLeastRetention(t *testing.T) {
	f := runCheck(t, nil, "produce", "100KiB/s", metadataRetention, "9d", "remote.outage.tolerated", "2h")
	sum := Millis(0)
	for _, term := range f.Least.Terms {
		sum += term.Time
		assert.NotEmpty(t, term.Why)
		assert.NotEmpty(t, term.Keys)
	}
	assert.Len(t, f.Least.Terms, 6)
	assert.Len(t, f.Least.Without, 4)
	assert.Equal(t, f.Least.Time, sum)
	assert.Equal(t, 7*Day+Hour+2*Hour+30*Second+30*Second+2*100+Second, f.Least.Time)
	assert.Equal(t, 9*Day, f.Least.Advised)
	assert.True(t, f.Covered)
	assert.Greater(t, f.Default.Total, f.Disk.Total, "what it saves")
	assert.Equal(t, f.Disk.PerBroker, f.Advised.PerBroker, "nine days are nine days")

	f = runCheck(t, nil, "produce", "100KiB/s", metadataRetention, "9d", "remote.outage.tolerated", "never")
	assert.False(t, f.Least.OK)
	assert.Contains(t, f.Least.Why, "remote.outage.tolerated")
}

// An outage in which nothing is to be deleted does not make deletion long: what attempts to copy then left waits in the store
// for the segments before it, 24 days, and holds up nobody. Deleting it takes as long as it takes.
func TestLeastRetentionAfterAnOutageOfCopies(t *testing.T) {
	deletion := func(pairs ...string) TimeTerm {
		f := runCheck(t, nil, append([]string{"produce", "100KiB/s", "retention.ms", "30d", "remote.delete.latency", "0"}, pairs...)...)
		return f.Least.Terms[3]
	}
	assert.Equal(t, deletion(), deletion("steps", "6d remote-down 18h"))
	attempts := deletion("steps", "6d remote-down 18h", "remote.delete.latency", "100")
	most := 18 * Hour / (30 * Second) // attempts; there are fewer, since the first segment closes some time into the outage
	assert.LessOrEqual(t, attempts.Time, 2*100*most+30*Second)
	assert.Greater(t, attempts.Time, 100*most+30*Second)
	assert.Equal(t, []string{"remote.delete.latency"}, attempts.Keys)
	assert.Greater(t, deletion("steps", "36d remote-down 18h").Time, 18*Hour, "one in which segments expire does")
}

// A list of topics, each with its own verdict.
func TestManyTopics(t *testing.T) {
	var topics []TopicInput
	for i := range 200 {
		topics = append(topics, TopicInput{Name: fmt.Sprintf("topic-%d", i), Input: given(t, "remote.storage.enable", "true", "produce", "20KiB/s",
			"retention.ms", fmt.Sprintf("%dd", 3+20*(i%2)), metadataRetention, "10d", "partitions", "2")})
	}
	c, err := NewMetadataCheck(topics, nil)
	require.NoError(t, err)
	f, err := c.Run(nil)
	require.NoError(t, err)
	require.Len(t, f.Topics, 200)
	for i := range f.Topics {
		assert.Equal(t, i%2 == 1, f.Topics[i].AtRisk(), "%s", f.Topics[i].Name)
	}
}

// Bad input: the setting is named, and what Kafka would say; nothing is lost.
func TestBadTieredInput(t *testing.T) {
	for _, c := range []struct{ key, problem, pairs string }{
		{"remote.storage.enable", "cannot be compacted", "cleanup.policy=compact"},
		{"remote.storage.enable", "cannot be compacted", "cleanup.policy=compact,delete kafka.version=4.2"},
		{"local.retention.ms", "is above retention.ms=1d", "retention.ms=1d local.retention.ms=2d"},
		{"local.retention.bytes", "is above retention.bytes=1GiB", "retention.bytes=1GiB local.retention.bytes=2GiB"},
		{"local.retention.ms", "keeps more locally", "retention.ms=1d local.retention.ms=-1"},
		{"remote.log.manager.task.interval.ms", "is below 1", "remote.log.manager.task.interval.ms=0"},
		{"log.retention.check.interval.ms", "is below 1", "log.retention.check.interval.ms=0"},
		{"remote.price", "is zero", "remote.price=0"},
		{"remote.price", "number", "remote.price=cheap"},
		{metadataRetention, "is 0", metadataRetention + "=0"},
		{metadataRetention, "is below -1", metadataRetention + "=-2"},
		{"remote.upload.rate", "is zero", "remote.upload.rate=0/s"},
		{"steps", "outage of no time", "steps=1d;remote-down;0s"},
		{"topic.name", "other letters", "topic.name=a/b"},
		{"topic.name", "longer than the 249", "topic.name=" + strings.Repeat("a", 250)},
		{"topic.name", "does not take", "topic.name=.."},
		{"topic.id", "not the id", "topic.id=abc"},
		{"partitions", "20000 tiered partitions", "partitions=30000"},
		{"remote.storage.enable", "is not tiered", "remote.storage.enable=false"},
	} {
		in := given(t, "remote.storage.enable", "true", "horizon", "1d")
		for _, pair := range strings.Fields(c.pairs) {
			key, value, _ := strings.Cut(pair, "=")
			_ = in.Set(key, strings.ReplaceAll(value, ";", " "))
		}
		_, err := NewMetadataCheck([]TopicInput{{Input: in}}, nil)
		var found bool
		for _, p := range Problems(err) {
			found = found || p.Key == c.key && strings.Contains(p.Problem, c.problem) && p.WayOut() != ""
		}
		assert.True(t, found, "%s: %v", c.pairs, err)
	}
	_, err := NewMetadataCheck(nil, nil)
	assert.Error(t, err)

	legal := "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-"
	f := runCheck(t, nil, "topic.name", legal, "produce", "50KiB/s", "horizon", "10d")
	assert.Equal(t, legal, f.Topics[0].Name)

	// Of several topics each problem names its topic.
	_, err = NewMetadataCheck([]TopicInput{{Name: "good", Input: given(t, "remote.storage.enable", "true")},
		{Name: "bad", Input: given(t, "remote.storage.enable", "true", "retention.ms", "1d", "local.retention.ms", "2d")}}, nil)
	require.Len(t, Problems(err), 1)
	assert.Equal(t, "bad:local.retention.ms", Problems(err)[0].Key)
}

// The lives that are shown: at risk those of the first segment in danger, else of the closest call, else of one whose
// metadata stays.
func TestLivesToShow(t *testing.T) {
	short := []string{"produce", "100KiB/s", "segment.bytes", "16MiB", "horizon", "20d"}
	f := runCheck(t, nil, append(short, "retention.ms", "5d", metadataRetention, "1d", "log.roll.ms", "1h")...)
	w, ok := f.Lives()
	assert.True(t, ok)
	assert.Equal(t, f.Topics[0].First, w)
	assert.Less(t, w.Lost, w.Deleted)

	f = runCheck(t, nil, append(short, "retention.ms", "1d", metadataRetention, "3d", "log.roll.ms", "1h")...)
	w, ok = f.Lives()
	assert.True(t, ok)
	require.Equal(t, VerdictSafe, f.Verdict)
	within(t, 2*Day-2*Minute, w.Lost-w.Deleted, 2*Day+Hour+5*Minute, "two days between, and what a metadata segment and a check add")
	within(t, 3*Day, w.Lost-w.MetadataNewest, 3*Day+5*Minute, "lost")

	f = runCheck(t, nil, append(short, "retention.ms", "1d")...)
	w, ok = f.Lives()
	assert.True(t, ok)
	assert.Equal(t, Never, w.Lost)
	within(t, Day, w.Deleted-w.Newest, Day+31*Second, "deleted")

	f = runCheck(t, nil, "produce", "1KiB/s", "horizon", "1h")
	_, ok = f.Lives()
	assert.False(t, ok, "nothing is copied")
}

// A check is asked often whether it is still wanted, and ends at once when it is not.
func TestCheckIsInSlices(t *testing.T) {
	c, err := NewMetadataCheck(twenty(t), nil)
	require.NoError(t, err)
	asked, last := 0, int64(0)
	_, err = c.Run(func(done int64) bool {
		asked++
		assert.GreaterOrEqual(t, done, last)
		last = done
		return true
	})
	require.NoError(t, err)
	assert.Greater(t, asked, 2_000)
	asked = 0
	_, err = c.Run(func(int64) bool { asked++; return asked < 10 })
	require.NoError(t, err)
	assert.Equal(t, 10, asked)
}

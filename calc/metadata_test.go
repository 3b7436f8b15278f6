package calc

import (
	"encoding/json"
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Reference: 16t: sizes of events and batches as Kafka 4.3.1 serialized them.
func TestEventSizes(t *testing.T) {
	data, err := os.ReadFile("testdata/golden/recorded/16t_rlmm_event_size_table.json")
	require.NoError(t, err)
	var table struct {
		Rows []struct {
			Event  string `json:"event"`
			Name   int    `json:"topic_name_length"`
			Epochs int    `json:"leader_epochs"`
			Custom Bytes  `json:"custom_metadata_bytes"`
			Value  Bytes  `json:"value_bytes"`
			One    Bytes  `json:"single_record_batch_bytes"`
			Five   Bytes  `json:"five_record_batch_bytes"`
		} `json:"rows"`
	}
	require.NoError(t, json.Unmarshal(data, &table))
	require.NotEmpty(t, table.Rows)
	for _, r := range table.Rows {
		value := PartitionEventValue(r.Name)
		for s, name := range stateNames {
			if name == r.Event {
				value = EventShape{Topic: r.Name, Epochs: r.Epochs, Custom: r.Custom, TxnTag: true}.Value(RemoteState(s))
			}
		}
		assert.Equal(t, r.Value, value, "%+v", r)
		assert.Equal(t, r.One, eventBatch(value), "%+v", r)
		assert.Equal(t, r.Five, RecordShape{Key: Null, Value: value}.BatchBytes(5, 0), "%+v", r)
	}
}

// Reference: rules E36, 8.3.
func TestE36EventSizes(t *testing.T) {
	e := EventShape{Topic: 10, Epochs: 1, TxnTag: true}
	assert.EqualValues(t, 112, e.Value(CopySegmentStarted))
	assert.EqualValues(t, 182, e.Batch(CopySegmentStarted))
	for s := CopySegmentFinished; s <= DeleteSegmentFinished; s++ {
		assert.EqualValues(t, 67, e.Value(s))
		assert.EqualValues(t, 137, e.Batch(s))
	}
	e.TxnTag = false
	assert.EqualValues(t, 109, e.Value(CopySegmentStarted), "up to 3.9")
}

// Reference: the dump of a real topic, whose file is __remote_log_metadata-44.
func TestMetadataPartition(t *testing.T) {
	id, ok := ParseTopicID("7jsGjfntQ7aS8l-AMti45g")
	require.True(t, ok)
	assert.EqualValues(t, 44, MetadataPartition(id, 0, 50))
	for _, wrong := range []string{"", "7jsGjfntQ7aS8l-AMti45", "7jsGjfntQ7aS8l-AMti45g=", "7jsGjfntQ7aS8l+AMti45g"} {
		_, ok := ParseTopicID(wrong)
		assert.False(t, ok, wrong)
	}
	assert.NotEqual(t, TopicIDOf("a"), TopicIDOf("b"))
	seen := map[int64]bool{}
	for p := range int32(500) {
		seen[MetadataPartition(TopicIDOf("orders"), p, 50)] = true
	}
	assert.Len(t, seen, 50)
}

// anyStreams draws courses of a few partitions: events at times that are often equal.
func anyStreams(t *rapid.T) (streams []*RemoteCourse, until Millis) {
	shape := EventShape{Topic: rapid.IntRange(1, 249).Draw(t, "name"), Epochs: 1, TxnTag: true}
	for range rapid.IntRange(1, 4).Draw(t, "streams") {
		c := &remoteCourse{}
		at := Millis(0)
		for i := range rapid.IntRange(0, 60).Draw(t, "events") {
			at += Millis(rapid.SampledFrom([]int{0, 0, 1, 2, 5, 30}).Draw(t, "gap"))
			c.events = append(c.events, remoteEvent{at: at, state: RemoteState(rapid.IntRange(0, 3).Draw(t, "state")), id: int32(i)})
		}
		until = max(until, at)
		streams = append(streams, c.done(shape, at))
	}
	return streams, until + 100
}

// The metadata topic, which is played segment by segment, does the same as the engine, event by event.
func TestMetadataTopicIsTheEngine(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		streams, until := anyStreams(t)
		c := defaultMetadataConfig()
		c.Log.SegmentBytes = Bytes(rapid.SampledFrom([]int{500, 700, 1500, 4000, 1 << 30}).Draw(t, "segment.bytes"))
		c.Log.SegmentMs = Millis(rapid.SampledFrom([]int{1, 5, 20, 100, 1 << 30}).Draw(t, "segment.ms"))
		c.Log.RetentionMs = Millis(rapid.SampledFrom([]int{-1, 0, 1, 10, 50, 200}).Draw(t, "retention.ms"))
		c.Log.RetentionBytes = Bytes(rapid.SampledFrom([]int{-1, -1, 0, 1, 500, 1000, 3000, 10000}).Draw(t, "retention.bytes"))
		c.Broker.InitialTaskDelay = Millis(rapid.IntRange(0, 20).Draw(t, "delay"))
		c.Broker.RetentionCheckInterval = Millis(rapid.IntRange(1, 40).Draw(t, "check"))

		var got, want []string
		live := map[Millis]Bytes{}
		m := metadataLog{config: c, streams: streams, until: until}
		base := 0
		m.gone = func(g *metadataSegment, from []int32) {
			got = append(got, fmt.Sprintf("%d lost %d %s", g.lost, base, g.lostBy))
			for i := range from {
				base += int(g.ends[i] - from[i])
			}
		}
		for at := Millis(0); at <= until; at += 7 {
			m.samples = append(m.samples, at)
		}
		m.sample = func(i int, b Bytes) { live[m.samples[i]] = b }
		m.play()

		sim := NewSimulation(c.Plan(streams, Epoch, until))
		sampled := Millis(0)
		sample := func(before Millis) {
			for ; sampled < before && sampled <= until; sampled += 7 {
				assert.Equal(t, sim.Usage().Log, live[sampled], "at %d", int64(sampled))
			}
		}
		for {
			at, ok := sim.Next()
			if !ok {
				break
			}
			sample(at)
			for _, e := range sim.StepBefore(at+1, false) {
				if e.Kind == Delete {
					want = append(want, fmt.Sprintf("%d lost %d %s", e.At, e.Base, e.Reason))
				}
			}
		}
		sample(until + 1)
		if !assert.Equal(t, want, got) || t.Failed() {
			t.FailNow()
		}
	})
}

// defaultMetadataConfig is what Kafka makes of it when nothing is set.
//
// Source: Kafka 4.3.1, TopicBasedRemoteLogMetadataManagerConfig.
func defaultMetadataConfig() MetadataConfig {
	c := MetadataConfig{Partitions: 50, Replicas: 3, Log: DefaultLogConfig(), Broker: DefaultBrokerConfig(), Version: V4_3}
	c.Log.RetentionMs = Unlimited
	return c
}

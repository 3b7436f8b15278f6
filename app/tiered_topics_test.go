package app

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

// Whatever is typed for topics comes back from the link as it was.
func TestTopicsInTheLink(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var rows []topicRow
		text := rapid.StringOfN(rapid.RuneFrom([]rune(`a,;:\=& é-_.%9`)), 0, 12, -1)
		for range rapid.IntRange(1, 4).Draw(t, "topics") {
			row := topicRow{Name: text.Draw(t, "name")}
			for range rapid.IntRange(0, 3).Draw(t, "pairs") {
				row.Pairs = append(row.Pairs, calc.Pair{Key: "retention.ms", Value: text.Draw(t, "value")})
			}
			rows = append(rows, row)
		}
		s := newState()
		s.putTopics(rows)
		other := newState()
		require.True(t, other.follow("#"+s.fragment()))
		assert.Equal(t, rows, other.topicRows())
	})
	assert.Equal(t, "orders,retention.ms:30d,produce:5MiB/s;clicks", writeTopics([]topicRow{
		{"orders", []calc.Pair{{Key: "retention.ms", Value: "30d"}, {Key: "produce", Value: "5MiB/s"}}}, {"clicks", nil}}))
	assert.Len(t, readTopics(writeTopics([]topicRow{{}})), 1)
}

func TestTopicsOfText(t *testing.T) {
	rows, left, err := topicsOfText("orders partitions=50 produce=5MiB/s\n\nclicks retention.ms=3d\n", calc.V4_3)
	require.NoError(t, err)
	assert.Zero(t, left)
	assert.Equal(t, "orders partitions=50 produce=5MiB/s", rows[0].line())
	assert.Equal(t, "clicks", rows[1].Name)

	rows, left, err = topicsOfText("Topic: orders\tTopicId: Xn3xq1eqQ1y4kX1e3Yw8tA\tPartitionCount: 12\tReplicationFactor: 3\tConfigs: remote.storage.enable=true,retention.ms=604800000\n"+
		"\tTopic: orders\tPartition: 0\tLeader: 1\tReplicas: 1,2,3\tIsr: 1,2,3\n"+
		"Topic: plain\tTopicId: Xn3xq1eqQ1y4kX1e3Yw8tB\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: retention.ms=1000\n", calc.V4_3)
	require.NoError(t, err)
	assert.Equal(t, 1, left, "the one that is not tiered")
	require.Len(t, rows, 1)
	assert.Equal(t, "12", rows[0].of("partitions"))
	assert.Equal(t, "604800000", rows[0].of("retention.ms"))

	_, _, err = topicsOfText("apiVersion: v1\nkind: Pod\n", calc.V4_3)
	assert.Error(t, err)
}

// A row's fields and the text of its other settings are one thing.
func TestTopicRow(t *testing.T) {
	var r topicRow
	r.put("retention.ms", "3d")
	r.putOthers("segment.bytes=1GiB local.retention.ms=1h")
	r.put("partitions", "12")
	assert.Equal(t, "segment.bytes=1GiB local.retention.ms=1h", r.others())
	assert.Equal(t, "3d", r.of("retention.ms"))
	r.putOthers("segment.bytes=1GiB local")
	assert.Equal(t, "segment.bytes=1GiB local", r.others(), "while it is being typed")
	r.putOthers("segment.bytes=1GiB local.retention.ms=1h")
	r.put("retention.ms", "")
	assert.Equal(t, " partitions=12 segment.bytes=1GiB local.retention.ms=1h", r.line())
}

// Other topics have the settings of the page where they have none of their own, and are tiered.
func TestTopicInputs(t *testing.T) {
	s := newState()
	s.follow("#v=1&produce=1KiB/s&topic.id=Xn3xq1eqQ1y4kX1e3Yw8tA&segment.bytes=64MiB&tiered.topics=orders,retention.ms:3d;;__remote_log_metadata,retention.bytes:1GiB;x,retention.msx:1")
	all, own := s.topicInputs()
	require.Len(t, all, 3, "one without a name is left out")
	assert.Equal(t, "orders", all[1].Name)
	for _, in := range all {
		assert.Equal(t, "true", in.Input.Get("remote.storage.enable"))
		assert.Equal(t, "64MiB", in.Input.Get("segment.bytes"))
	}
	assert.Equal(t, "3d", all[1].Input.Get("retention.ms"))
	_, given := all[1].Input.Given("topic.id")
	assert.False(t, given)
	assert.Equal(t, []calc.Pair{{Key: "retention.bytes", Value: "1GiB"}}, own)
}

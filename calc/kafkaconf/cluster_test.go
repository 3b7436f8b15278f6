package kafkaconf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parseText(t *testing.T, text string) *Result {
	t.Helper()
	r, err := Parse([]byte(text), Options{})
	require.NoError(t, err)
	return r
}

// Tabs turn into blanks in a terminal; old releases have no blank after a colon, new ones more columns.
func TestTopicsForms(t *testing.T) {
	for _, text := range []string{
		"Topic: t\tTopicId: x\tPartitionCount: 2\tReplicationFactor: 2\tConfigs: retention.ms=5,cleanup.policy=compact,delete\n\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1,2\tIsr: 1\n\tTopic: t\tPartition: 1\tLeader: none\tReplicas: 2,1\tIsr: 1\tAdding Replicas: 3\tRemoving Replicas: 4\n",
		"Topic:t PartitionCount:2 ReplicationFactor:2 Configs:retention.ms=5,cleanup.policy=compact,delete\r\n  Topic: t  Partition: 0  Leader: 1  Replicas: 1, 2  Isr: 1\r\n  Topic: t  Partition: 1  Leader: 2  Replicas: 2,1  Isr: 2,1  Elr:   LastKnownElr: \r\n",
	} {
		r := parseText(t, text)
		assert.Equal(t, FormatTopics, r.Format)
		assert.Empty(t, r.Warnings)
		require.Len(t, r.Read.Topics, 1)
		topic := r.Read.Topics[0]
		assert.Equal(t, int64(2), *topic.Partitions)
		assert.Equal(t, int64(2), *topic.Replication)
		assert.Equal(t, map[int32][]int32{0: {1, 2}, 1: {2, 1}}, topic.Replicas)
		assert.Equal(t, "compact,delete", topic.Config["cleanup.policy"].String())
	}
}

// What is wrong in a list of topics is named with line and key.
func TestTopicsMistakes(t *testing.T) {
	head := "Topic: t\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n"
	for text, want := range map[string]string{
		head + "\tTopic: t\tPartition: 0\tReplicas: 1\n" + head + "\tTopic: t\tPartition: 0\tReplicas: 2\n": "topic t is given twice: it was in line 1",
		head + "\tTopic: t\tPartition: x\tReplicas: 1\n":                                                    "partition 'x' is no number",
		head + "\tTopic: t\tPartition: 0\tReplicas: 1,a\n":                                                  "are no list of brokers",
		head + "\tTopic: t\tPartition: 0\tReplicas: 1\n\tTopic: t\tPartition: 0\tReplicas: 2\n":             "partition 0 is given twice",
		head + "\tTopic: t\tPartition: 0\tReplicas: 1\n\tTopic: t\tPartition: 1\tReplicas: 2\n":             "PartitionCount is 1, but 2 partitions listed",
		"Topic: t\tPartitionCount: many\tConfigs: \n":                                                       "PartitionCount 'many' is no number",
		"Topic: t\tPartitionCount: 1\tConfigs: retention.ms=week\n":                                         "topic t: retention.ms",
	} {
		r := parseText(t, text)
		if assert.NotEmpty(t, r.Warnings, text) {
			assert.Contains(t, r.Warnings[0].Text, want)
			assert.Positive(t, r.Warnings[0].Line)
		}
	}
}

// Directories, disks and copies of moves are read; jq may have cut the JSON to pieces.
func TestLogDirs(t *testing.T) {
	r := parseText(t, `Querying brokers for log directories information
{"version":1,"brokers":[{"broker":3,"logDirs":[
 {"logDir":"/a","error":null,"totalBytes":1000,"usableBytes":400,"isCordoned":false,"partitions":[{"partition":"t-0","size":5,"offsetLag":0,"isFuture":false}]},
 {"logDir":"/b","error":"KafkaStorageException","partitions":[{"partition":"t-0","size":2,"offsetLag":7,"isFuture":true}]}]}]}`)
	assert.Equal(t, FormatLogDirs, r.Format)
	three := int32(3)
	assert.Equal(t, []Size{
		{Broker: &three, Topic: "t", Size: 5, Dir: "/a"},
		{Broker: &three, Topic: "t", Size: 2, OffsetLag: 7, Future: true, Dir: "/b"},
	}, r.Read.Sizes)
	assert.Equal(t, []LogDir{{3, "/a", "", 1000, 400}, {3, "/b", "KafkaStorageException", 0, 0}}, r.Read.LogDirs)
	require.Len(t, r.Warnings, 1)
	assert.Contains(t, r.Warnings[0].Text, "broker 3: /b has an error: 'KafkaStorageException'")

	pretty := parseText(t, "{\n  \"broker\": 1,\n  \"logDirs\": [\n    {\"logDir\": \"/x\", \"partitions\": {\"b-1\": {\"size\": 1}, \"a-0\": {\"size\": 2}}}\n  ]\n}\n")
	require.Len(t, pretty.Read.Sizes, 2)
	assert.Equal(t, "b", pretty.Read.Sizes[0].Topic, "in the order of the file")
}

// Broken JSON is refused with its line, what makes no sense in it is named; nothing hangs.
func TestLogDirsMistakes(t *testing.T) {
	for text, want := range map[string]string{
		"{\"version\":1,\"brokers\":[\n{\"broker\":1,\n":                       "line 3: the JSON ends before its last bracket",
		"{\"version\":1,\"brokers\":[\n{]}":                                    "line 2: is not JSON",
		"{\"version\":1,\"brokers\":[]}":                                       "no log directory",
		"{\"partition\":\"t-0\",\"size\":\"5\"}":                               "line 1: size: a string where a whole number of 64 bits belongs",
		"{\"partition\":\"t-0\",\"size\":1.5}":                                 "line 1: size",
		"{\"partition\":\"t-0\",\"size\":1}\n{\"partition\":\"t-1\",\"size\":": "line 2: the JSON ends",
	} {
		_, err := Parse([]byte(text), Options{Format: FormatLogDirs})
		assert.ErrorIs(t, err, ErrFormat, text)
		assert.ErrorContains(t, err, want, text)
	}
	r := parseText(t, `{"partition":"t-0","size":1}
{"partition":"nothing","size":1}
{"partition":"t-1"}
{"partition":"t-0","size":2}`)
	require.Len(t, r.Warnings, 3)
	assert.Equal(t, int64(2), r.Read.Sizes[0].Size)
	assert.Equal(t, int64(2), r.Warnings[0].Line)
}

// A large cluster is read in a moment.
func TestLargeCluster(t *testing.T) {
	var b strings.Builder
	b.WriteString(`{"version":1,"brokers":[{"broker":1,"logDirs":[{"logDir":"/a","error":null,"partitions":[`)
	for i := range 100_000 {
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"partition":"t-%d","size":%d,"offsetLag":0,"isFuture":false}`, i, i)
	}
	b.WriteString("]}]}]}")
	assert.Len(t, parseText(t, b.String()).Read.Sizes, 100_000)
	b.Reset()
	for i := range 100_000 {
		fmt.Fprintf(&b, "Topic: t%d\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n\tTopic: t%d\tPartition: 0\tLeader: 1\tReplicas: 1\n", i, i)
	}
	assert.Len(t, parseText(t, b.String()).Read.Topics, 100_000)
}

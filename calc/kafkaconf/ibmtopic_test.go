package kafkaconf

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// Several topics after each other, in any order of their parts; what makes no sense is skipped or named.
func TestIBMTopics(t *testing.T) {
	text := `Details for topic a
Topic name   Internal?   Partition count   Replication factor
a            false       4                 3

Configuration parameters for topic a
Name                  Value
log.segment.size      134217728
retention.ms          12 hours

Details for topic b
Topic name   Internal?   Partition count   Replication factor
b            false       x                 3
short

Partition details for topic b
Partition ID   Leader   Replicas   In-sync
0              2        [2 0 4]    [2 0 4]
y              0        [0 4 2]    [0 2]
1              0        [0 z 2]    [0 2]
2              0
`
	r, err := Parse([]byte(text), Options{Names: map[string]string{"log.segment.size": "segment.bytes"}})
	require.NoError(t, err)
	require.Len(t, r.Read.Topics, 2)
	a, b := r.Read.Topics[0], r.Read.Topics[1]
	assert.Equal(t, int64(4), *a.Partitions)
	assert.Equal(t, int64(3), *a.Replication)
	n, _ := a.Config["segment.bytes"].Int64()
	assert.Equal(t, int64(134217728), n)
	assert.Nil(t, b.Partitions)
	assert.Equal(t, map[int32][]int32{0: {2, 0, 4}}, b.Replicas)
	var all []string
	for _, w := range append(r.Warnings, r.Notes...) {
		all = append(all, w.String())
	}
	report := strings.Join(all, "\n")
	for _, want := range []string{"retention.ms", "'x' is no number of partitions", "partition 'y' is no number", "'0 z 2' are no list of brokers",
		"log.segment.size is taken as Kafka's segment.bytes", "2 lines that are no setting skipped"} {
		assert.Contains(t, report, want)
	}
	// Without the names, the page's key is left out with a note.
	r, err = Parse([]byte(text), Options{})
	require.NoError(t, err)
	assert.Empty(t, r.Read.Topics[0].Config)
}

package calc

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// Reference: kafka-rules 1.4, sizes written by the classes of Kafka 4.3.1 and 4.4.0.
func TestBatchBytesAsKafkaWritesThem(t *testing.T) {
	for _, c := range []struct {
		key, value Bytes
		records    int64
		want       Bytes
	}{
		{Null, 0, 1, 68}, {Null, 57, 1, 125}, {Null, 58, 1, 127}, {Null, 100, 1, 170},
		{Null, 100, 64, 7037}, {Null, 100, 65, 7147}, {10, 1000, 10, 10251}, {1, 1, 1, 70},
		{1, Null, 1, 69}, {Null, 1000, 16, 16205}, {Null, 1000, 17, 17214}, {10, 1000, 1, 1080},
		{Null, 230, 1, 300},
	} {
		got := RecordShape{Key: c.key, Value: c.value}.BatchBytes(c.records, 0)
		assert.Equal(t, c.want, got, "key %d, value %d, %d records", c.key, c.value, c.records)
	}
}

// Two records of 10 bytes stamped 1000 ms apart in reverse: the delta −1000 takes two bytes. Reference: kafka-rules 1.4.
func TestNegativeTimestampDelta(t *testing.T) {
	r := RecordShape{Key: Null, Value: 10}
	assert.Equal(t, Bytes(96), BatchHeader+r.RecordBytes(0, 0)+r.RecordBytes(-1000, 1))
}

func TestBatchBytesIsTheSumOfItsRecords(t *testing.T) {
	for _, spread := range []Millis{0, 1, 63, 64, 65, 8191, 8192, 1 << 30, 1 << 40} {
		for _, value := range []Bytes{Null, 0, 1, 56, 57, 58, 8100, 8190} {
			r := RecordShape{Key: 3, Value: value, Headers: []Header{{Key: 4, Value: Null}, {Key: 0, Value: 70}}}
			sum := BatchHeader
			for n := int64(1); n < 200; n++ {
				sum += r.RecordBytes(spread*Millis(n-1), n-1)
				assert.Equal(t, sum, r.BatchBytes(n, spread), "spread %d, value %d, %d records", spread, value, n)
			}
		}
	}
}

func TestVarintWidths(t *testing.T) {
	for _, c := range []struct {
		x    int64
		want Bytes
	}{
		{0, 1}, {63, 1}, {-64, 1}, {64, 2}, {-65, 2}, {8191, 2}, {8192, 3}, {-8192, 2}, {1<<20 - 1, 3}, {1 << 20, 4},
		{1<<27 - 1, 4}, {1 << 27, 5}, {1<<63 - 1, 10}, {-1 << 63, 10},
	} {
		assert.Equal(t, c.want, varint(c.x), "%d", c.x)
	}
}

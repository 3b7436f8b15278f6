package calc

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"pgregory.net/rapid"
)

// TestMostRecords has how many records a producer puts into a batch.
//
// Reference: rules 1.7, recorded: 1000-byte values and null keys make batches of 16 records and 16205 bytes.
func TestMostRecords(t *testing.T) {
	for _, c := range []struct {
		batching
		records int64
		bytes   Bytes
	}{
		{batching{shape: RecordShape{Key: Null, Value: 1000}, batchSize: 16384}, 16, 16205},
		{batching{shape: RecordShape{Key: Null, Value: 20000}, batchSize: 16384}, 1, 20072},
		{batching{shape: RecordShape{Key: Null, Value: 1000}, batchSize: 0}, 1, 1070},
		{batching{shape: RecordShape{Key: Null, Value: 1000}, batchSize: 16205}, 16, 16205},
		{batching{shape: RecordShape{Key: Null, Value: 1000}, batchSize: 16204}, 15, 15196},
		// (16384−61)/(1009·0.25·1.05) is 61.6: the last record needs room uncompressed.
		{batching{shape: RecordShape{Key: Null, Value: 1000}, batchSize: 16384, ratio: Ratio{1, 4}}, 58, 14692},
	} {
		b := c.batching
		b.fill()
		assert.Equal(t, c.records, b.most)
		assert.Equal(t, c.bytes, b.size(b.most))
	}
}

// TestRecordsByRate has how many records come together within linger.ms.
func TestRecordsByRate(t *testing.T) {
	for _, c := range []struct {
		rate      Rate
		linger    Millis
		producers int64
		want      int64
	}{
		{RecordRateOf(1000, Second), 5, 1, 6}, {RecordRateOf(1000, Second), 0, 1, 1}, {RecordRateOf(1000, Second), 5, 2, 3},
		{RecordRateOf(1000, Second), Second, 1, 16}, {RecordRateOf(1, Second), 999, 1, 1}, {RecordRateOf(1, Second), 1000, 1, 2},
		{RateOf(MiB, Second), 5, 1, 6}, {RateOf(MiB, Second), Never, 1, 16}, {RateOf(1, Day), Second, 1, 1}, {Rate{}, Second, 1, 1},
	} {
		b := batching{shape: RecordShape{Key: Null, Value: 1000}, batchSize: 16384, linger: c.linger, producers: c.producers}
		b.fill()
		assert.Equal(t, c.want, b.records(c.rate), "%+v", c)
	}
}

// TestBatchingIsOrdered checks that more traffic, longer linger and larger batch.size never make smaller batches, and that
// a batch is within batch.size or alone.
func TestBatchingIsOrdered(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b := batching{
			shape:     RecordShape{Key: Bytes(rapid.Int64Range(-1, 100).Draw(t, "key")), Value: Bytes(rapid.Int64Range(-1, 5000).Draw(t, "value"))},
			batchSize: Bytes(rapid.Int64Range(0, 1<<20).Draw(t, "batch.size")), linger: Millis(rapid.Int64Range(0, 10_000).Draw(t, "linger")),
			producers: rapid.Int64Range(1, 100).Draw(t, "producers"),
		}
		if rapid.Bool().Draw(t, "compressed") {
			b.ratio = Ratio{rapid.Int64Range(1, 100).Draw(t, "num"), 100}
		}
		b.fill()
		slow := newRate(rapid.Int64Range(1, 1<<30).Draw(t, "amount"), rapid.Int64Range(1, 100_000).Draw(t, "per"), rapid.Bool().Draw(t, "records"))
		fast := slow.scaled(rapid.Int64Range(1, 50).Draw(t, "faster"), 1)
		n := b.records(slow)
		if n > b.records(fast) || n < 1 || n > b.most {
			t.Fatalf("%d records at %s, %d at %s", n, slow, b.records(fast), fast)
		}
		if c, u := b.ratio.Terms(); c == u && n > 1 && b.size(n) > b.batchSize {
			t.Fatalf("%d records are %d bytes, above batch.size", n, b.size(n))
		}
		larger := b
		larger.batchSize += 1000
		larger.fill()
		if larger.most < b.most {
			t.Fatalf("%d records with a larger batch.size, %d with the smaller", larger.most, b.most)
		}
	})
}

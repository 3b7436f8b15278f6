package calc

import "sort"

// batching is how producers put records into batches.
//
// Not modelled: the records of a batch all carry one timestamp; a batch's compression ratio does not depend on its size; a
// producer is never held back, so that its batches fill only by size and by time.
//
// Kafka: RecordAccumulator, MemoryRecordsBuilder.hasRoomFor, CompressionRatioEstimator.
type batching struct {
	shape     RecordShape
	ratio     Ratio
	fixed     int64 // records in every batch; 0: as many as come together
	batchSize Bytes // the producer's batch.size
	linger    Millis
	producers int64
	most      int64 // the most records that a producer puts into a batch
}

// maxBatch is the largest batch that Kafka's 32 bits hold.
const maxBatch Bytes = 1<<31 - 1

// size is the bytes of a batch of n records as it is written: the header, and the records compressed, rounded up.
func (b *batching) size(n int64) Bytes {
	records := b.shape.BatchBytes(n, 0) - BatchHeader
	compressed, uncompressed := b.ratio.Terms()
	return BatchHeader + Bytes(mulDivUp(int64(records), compressed, uncompressed))
}

// within reports whether the smallest batch that there can be is within a limit: of one record, or of as many as there
// always are.
func (b *batching) within(limit Bytes) bool {
	n := b.shape.BatchBytes(max(b.fixed, 1), 0)
	return n >= 0 && n <= maxBatch && (limit == maxBatch || b.size(max(b.fixed, 1)) <= limit)
}

// blamed is the setting that makes the smallest batch larger than a limit.
func (b *batching) blamed(limit Bytes) string {
	headers := Bytes(0)
	for _, h := range b.shape.Headers {
		headers += field(h.Key) + field(h.Value)
	}
	one := *b
	one.fixed = 1
	switch most := max(b.shape.Key, b.shape.Value); {
	case b.fixed > 1 && one.within(limit):
		return "batch.records"
	case headers > most:
		return "record.headers"
	case b.shape.Key > b.shape.Value:
		return "record.key"
	}
	return "record.value"
}

// fitting is the most that a setting may be for batches within a limit, as it is written; "" when nothing is small enough.
func (b *batching) fitting(key string, limit Bytes) string {
	c := *b
	var value *int64
	switch key {
	case "batch.size":
		return limit.Text()
	case "batch.records":
		value = &c.fixed
	case "record.key":
		value = (*int64)(&c.shape.Key)
	case "record.value":
		value = (*int64)(&c.shape.Value)
	default:
		return ""
	}
	most := sort.Search(int(maxBatch), func(i int) bool {
		*value = int64(i) + 1
		return !c.within(limit)
	})
	if *value = int64(most); !c.within(limit) || most == 0 && key == "batch.records" {
		return ""
	}
	return settings[slotRow(key)].text(int64(most))
}

// fits reports whether a producer adds an nth record to a batch, n ≥ 2, once its estimate of the compression ratio is what
// records really compress to; above that it still leaves room of 5 %.
func (b *batching) fits(n int64) bool {
	if b.shape.BatchBytes(n, 0) > maxBatch {
		return false
	}
	before := b.shape.BatchBytes(n-1, 0) - BatchHeader
	compressed, uncompressed := b.ratio.Terms()
	if compressed != uncompressed {
		before = Bytes(mulDiv(mulDiv(int64(before), compressed, uncompressed), 105, 100))
	}
	return BatchHeader+before+b.shape.RecordBytes(0, n-1) <= b.batchSize
}

// fill finds the most records that a batch takes, at least one: the first always goes in.
func (b *batching) fill() {
	limit := min(int64(maxBatch/b.shape.RecordBytes(0, 0)), 1<<31-2)
	b.most = 1 + int64(sort.Search(int(limit), func(i int) bool { return !b.fits(int64(i) + 2) }))
}

// records is how many records a batch has when traffic comes at a rate: those that come to one producer within linger.ms of
// the first, and at most as many as batch.size takes.
func (b *batching) records(r Rate) int64 {
	if b.fixed > 0 {
		return b.fixed
	}
	if b.linger == 0 || r.Zero() {
		return 1
	}
	amount, per := r.Ratio()
	lingered := mulDiv(amount, int64(b.linger), int64(per)) // bytes or records that come while a batch waits
	if r.Records() {
		return 1 + min(b.most-1, lingered/b.producers)
	}
	// With more records in a batch less goes into headers, and more records come in the same bytes: the largest n whose
	// other n−1 records come in time.
	return 1 + int64(sort.Search(int(b.most-1), func(i int) bool {
		n := int64(i) + 2
		return n-1 > mulDiv(lingered, n, b.producers*int64(b.size(n)))
	}))
}

package calc

import "math/bits"

// Sizes of record batches, format v2. Kafka: DefaultRecordBatch and DefaultRecord.
const (
	// BatchHeader is the size of a record batch without its records. It is never compressed.
	//
	// Kafka: DefaultRecordBatch.RECORD_BATCH_OVERHEAD.
	BatchHeader Bytes = 61
	// ControlBatch is the size of a batch that holds one transaction marker.
	ControlBatch Bytes = 78
	// Null is the length of a key or value that is not there; it takes one byte like an empty one.
	Null Bytes = -1
)

// Header is one header of a record by the lengths of its parts in UTF-8 bytes; a value may be [Null].
type Header struct{ Key, Value Bytes }

// RecordShape is a record by the lengths of its parts.
type RecordShape struct {
	Key, Value Bytes // bytes, or Null
	Headers    []Header
}

// varint is the number of bytes of x as a zig-zag variable length integer: 1 for −64 to 63, 2 for −8192 to 8191, …
//
// Kafka: ByteUtils.sizeOfVarlong.
func varint(x int64) Bytes {
	zigzag := uint64(x)<<1 ^ uint64(x>>63)
	return Bytes(bits.Len64(zigzag|1)+6) / 7
}

// field is the size of a length and as many bytes, or of the length −1.
func field(length Bytes) Bytes {
	return varint(int64(length)) + max(length, 0)
}

// RecordBytes is the size of a record in a batch before compression. tsDelta is its timestamp less the batch's first
// record's, offsetDelta its place in the batch.
//
// Kafka: DefaultRecord.sizeInBytes, sizeOfBodyInBytes.
func (r RecordShape) RecordBytes(tsDelta Millis, offsetDelta int64) Bytes {
	body := 1 + varint(int64(tsDelta)) + varint(offsetDelta) + r.fixed()
	return varint(int64(body)) + body
}

// fixed is the part of a record's body that does not depend on its place in the batch.
func (r RecordShape) fixed() Bytes {
	n := field(r.Key) + field(r.Value) + varint(int64(len(r.Headers)))
	for _, h := range r.Headers {
		n += field(h.Key) + field(h.Value)
	}
	return n
}

// BatchBytes is the size of an uncompressed batch of n equal records, header included, whose timestamps are spread
// milliseconds apart. n ≥ 1.
//
// Records are counted by the widths of their varints, so that the cost does not grow with n for spread 0.
func (r RecordShape) BatchBytes(n int64, spread Millis) Bytes {
	size := BatchHeader
	for i := int64(0); i < n; {
		// All records up to the next offset or timestamp delta that needs one more byte are equal.
		end := min(n, nextWidth(i))
		if spread > 0 {
			ts := int64(spread) * i
			end = min(end, max(i+1, (nextWidth(ts)+int64(spread)-1)/int64(spread)))
		}
		size += Bytes(end-i) * r.RecordBytes(spread*Millis(i), i)
		i = end
	}
	return size
}

// nextWidth is the least number above x ≥ 0 whose varint is longer than that of x.
func nextWidth(x int64) int64 {
	width := varint(x)
	if width >= 9 {
		return 1<<63 - 1
	}
	return 1 << (7*width - 1)
}

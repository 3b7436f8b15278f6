package calc

import (
	"math"
	"math/bits"
)

// Bytes is a number of bytes, never negative unless it is [Unlimited].
type Bytes int64

// Millis is a time or a duration in milliseconds. Times are counted from the start of the scenario, except record
// timestamps, which are counted from the Unix epoch as Kafka does; [NoTimestamp] is a batch without one.
type Millis int64

// Offset is the offset of a record in its partition.
type Offset int64

// ByteRate is bytes a second.
type ByteRate int64

// Unlimited is Kafka's value of retention.bytes and retention.ms for a limit that is off.
const Unlimited = -1

// NoTimestamp is Kafka's RecordBatch.NO_TIMESTAMP: the timestamp of a batch that carries none.
const NoTimestamp Millis = -1

// Never is a time that does not come.
const Never Millis = math.MaxInt64

// Units of size and of time.
const (
	KiB Bytes = 1 << 10
	MiB Bytes = 1 << 20
	GiB Bytes = 1 << 30
	TiB Bytes = 1 << 40

	Second Millis = 1000
	Minute        = 60 * Second
	Hour          = 60 * Minute
	Day           = 24 * Hour
)

// mulDiv is a·b/c rounded down, for a, b ≥ 0 and c > 0. The product may exceed 64 bits; a quotient above
// math.MaxInt64 becomes math.MaxInt64.
func mulDiv(a, b, c int64) int64 {
	if fits(a, b) {
		return int64(uint64(a*b) / uint64(c)) // unsigned: wasm has no signed division that Go can use as it is
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if hi == 0 {
		return int64(min(lo/uint64(c), math.MaxInt64))
	}
	if hi >= uint64(c) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, math.MaxInt64))
}

// fits reports whether the product of a, b ≥ 0 is below 2^62 for sure. It is there for wasm, which has no 128-bit product.
func fits(a, b int64) bool {
	return bits.LeadingZeros64(uint64(a))+bits.LeadingZeros64(uint64(b)) >= 66
}

// mulDivUp is a·b/c rounded up, with the limits of [mulDiv].
func mulDivUp(a, b, c int64) int64 {
	if fits(a, b) {
		return int64((uint64(a*b) + uint64(c-1)) / uint64(c))
	}
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	lo, carry := bits.Add64(lo, uint64(c-1), 0)
	hi += carry
	if hi >= uint64(c) {
		return math.MaxInt64
	}
	q, _ := bits.Div64(hi, lo, uint64(c))
	return int64(min(q, math.MaxInt64))
}

// add is a+b, held at the limits of int64 instead of wrapping.
func add[T ~int64](a, b T) T {
	c := a + b
	if (c > a) == (b > 0) {
		return c
	}
	if b > 0 {
		return math.MaxInt64
	}
	if b < 0 {
		return math.MinInt64
	}
	return a
}

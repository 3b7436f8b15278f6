package placement

// Draws gives random numbers from 0 to below bound, which is ≥ 1, as Java's Random.nextInt(bound) does.
type Draws interface{ Below(bound int32) int32 }

// Random is java.util.Random. The zero Random is not seeded; use [NewRandom].
type Random struct{ state uint64 }

const (
	randomFactor = 0x5DEECE66D
	randomMask   = 1<<48 - 1
)

// NewRandom is new Random(seed).
func NewRandom(seed int64) *Random {
	return &Random{(uint64(seed) ^ randomFactor) & randomMask}
}

func (r *Random) bits31() int32 {
	r.state = (r.state*randomFactor + 11) & randomMask
	return int32(r.state >> 17)
}

// Below is nextInt(bound).
func (r *Random) Below(bound int32) int32 {
	if bound&-bound == bound {
		return int32(int64(bound) * int64(r.bits31()) >> 31)
	}
	for {
		u := r.bits31()
		v := u % bound
		if u-v+bound-1 >= 0 { // int32 wraps as Java's int
			return v
		}
	}
}

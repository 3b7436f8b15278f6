package fleet

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc/internal/strictjson"
)

// SkewKind is how traffic spreads over a topic's partitions.
type SkewKind uint8

// The kinds.
const (
	Even    SkewKind = iota
	Zipf             // partition i gets a share ∝ 1/(i+1)^s
	Weights          // explicit
	Keyed            // by the frequencies of keys, which Kafka's default partitioner spreads
)

// key is where a description gives it.
func (k SkewKind) key() string { return [...]string{"skew", "skew", "weights", "keys"}[k] }

// Skew is how traffic spreads over a topic's partitions.
type Skew struct {
	Kind     SkewKind
	Exponent int64   // of Zipf, in hundredths: 100 is 1/i
	Weights  []int64 // one a partition
	Keys     []Key
}

// Key is a record key and how often it comes.
type Key struct {
	Text   string
	Weight int64 // ≥ 0, of the sum of all
}

// ParseSkew reads even, zipf, "zipf 1.2", "weights 8 1 1" (one a partition) or "keys a:5 b:1". The error is a clause.
func ParseSkew(text string) (Skew, error) {
	words := strings.Fields(strings.Replace(text, "zipf:", "zipf ", 1))
	bad := fmt.Errorf("%q is no skew; write even, zipf, zipf 1.2 (0 to 10, two digits), weights 8 1 1 (one a partition), or keys a:5 b:1", strictjson.Shorten(text))
	if len(words) == 0 {
		return Skew{}, bad
	}
	kind, rest := words[0], words[1:]
	switch {
	case kind == "even" && len(rest) == 0:
		return Skew{}, nil
	case kind == "zipf" && len(rest) == 0:
		return Skew{Kind: Zipf, Exponent: 100}, nil
	case kind == "zipf" && len(rest) == 1:
		whole, frac, _ := strings.Cut(rest[0], ".")
		if n, err := strconv.ParseUint(whole+(frac + "00")[:2], 10, 16); err == nil && len(frac) <= 2 && n <= maxExponent {
			return Skew{Kind: Zipf, Exponent: int64(n)}, nil
		}
	case kind == "weights" && len(rest) > 0:
		s := Skew{Kind: Weights}
		for _, word := range rest {
			n, err := strconv.ParseUint(word, 10, 31)
			if err != nil || n > maxWeight {
				return Skew{}, fmt.Errorf("weight %q is not a whole number from 0 to %d", strictjson.Shorten(word), maxWeight)
			}
			s.Weights = append(s.Weights, int64(n))
		}
		return s, nil
	case kind == "keys" && len(rest) > 0:
		s := Skew{Kind: Keyed}
		for _, word := range rest {
			at := max(0, strings.LastIndexByte(word, ':'))
			n, err := strconv.ParseUint(strings.TrimPrefix(word[at:], ":"), 10, 31)
			if err != nil || at == 0 || n > maxWeight {
				return Skew{}, fmt.Errorf("%q is not a key with its weight, such as a:5", strictjson.Shorten(word))
			}
			s.Keys = append(s.Keys, Key{word[:at], int64(n)})
		}
		return s, nil
	}
	return Skew{}, bad
}

// What weights may be. Their sum stays below 2^31, so that rates stay exact.
const (
	maxWeight   = 1 << 30
	maxExponent = 1000 // hundredths
	zipfSum     = 1 << 22
)

// weights is the share of each partition and the sum of all. The error is a clause.
func (s Skew) weights(partitions int) (shares []int64, sum int64, err error) {
	switch s.Kind {
	case Zipf:
		shares = zipf(partitions, s.Exponent)
	case Weights:
		if len(s.Weights) != partitions {
			return nil, 0, fmt.Errorf("%d weights for %d partitions", len(s.Weights), partitions)
		}
		shares = s.Weights
	case Keyed:
		shares = make([]int64, partitions)
		for _, k := range s.Keys {
			shares[partitionOf(k.Text, partitions)] += k.Weight
		}
	default:
		return slices.Repeat([]int64{1}, partitions), int64(partitions), nil
	}
	for _, w := range shares {
		if sum += w; sum > 1<<31 {
			return nil, 0, fmt.Errorf("the weights add up to more than 2^31")
		}
	}
	if sum == 0 && partitions > 0 {
		return nil, 0, fmt.Errorf("all weights are 0")
	}
	return shares, sum, nil
}

// partitionOf is the partition of a key by Kafka's default partitioner.
//
// Kafka: BuiltInPartitioner.partitionForKey, Utils.murmur2, Utils.toPositive.
func partitionOf(key string, partitions int) int {
	return int(murmur2(key)&0x7fffffff) % partitions
}

// murmur2 is Kafka's hash of a key.
func murmur2(key string) uint32 {
	const m = 0x5bd1e995
	h := uint32(0x9747b28c) ^ uint32(len(key))
	for ; len(key) >= 4; key = key[4:] {
		k := uint32(key[0]) | uint32(key[1])<<8 | uint32(key[2])<<16 | uint32(key[3])<<24
		k *= m
		k ^= k >> 24
		k *= m
		h = h*m ^ k
	}
	for i := len(key) - 1; i >= 0; i-- {
		h ^= uint32(key[i]) << (8 * i)
		if i == 0 {
			h *= m
		}
	}
	h ^= h >> 13
	h *= m
	return h ^ h>>15
}

// zipf is weights ∝ 1/i^(s/100) for i from 1, each at least 1; they add up to about 2^22, so that the rates are exact.
func zipf(n int, s int64) []int64 {
	raw := make([]uint64, n)
	var sum uint64
	for i := range raw {
		raw[i] = inversePower(uint64(i+1), uint64(s))
		sum += raw[i] >> 24 // n ≤ 2^20 of at most 2^62
	}
	weights := make([]int64, n)
	for i, w := range raw {
		hi, lo := bits.Mul64(w, zipfSum)
		q, _ := bits.Div64(hi>>24, hi<<40|lo>>24, max(sum, 1))
		weights[i] = max(int64(q), 1)
	}
	return weights
}

// inversePower is 2^62 / i^(s/100), from a logarithm with 40 binary places; whole numbers only, so that it is the same on
// every platform.
func inversePower(i, s uint64) uint64 {
	// log2 of i, with 40 places.
	whole := uint64(bits.Len64(i) - 1)
	x := i << (62 - whole) // 1 ≤ x < 2, with 62 places
	var frac uint64
	for range 40 {
		hi, lo := bits.Mul64(x, x)
		x = hi<<2 | lo>>62
		frac <<= 1
		if x >= 1<<63 {
			frac |= 1
			x >>= 1
		}
	}
	exponent := (whole<<40 | frac) * s / 100 // fits: 20·2^40·1000
	shift, places := exponent>>40, exponent&(1<<40-1)
	if shift > 61 {
		return 1
	}
	// 2^62 / 2^places by square roots of two, one a place.
	value := uint64(1) << 62
	root := uint64(1) << 62 // 2^-1, 2^-1/2, … with 63 places
	for k := 39; k >= 0; k-- {
		// root becomes its own square root: √(root/2^63)·2^63 = √(root·2^63).
		root = squareRoot(root)
		if places&(1<<k) != 0 {
			hi, lo := bits.Mul64(value, root)
			value = hi<<1 | lo>>63
		}
	}
	return max(value>>shift, 1)
}

// squareRoot is √(x·2^63) rounded down, for x < 2^63.
func squareRoot(x uint64) uint64 {
	hi, lo := x>>1, x<<63
	least, most := uint64(0), uint64(1)<<63
	for least < most {
		middle := least + (most-least+1)/2
		h, l := bits.Mul64(middle, middle)
		if cmp.Or(cmp.Compare(h, hi), cmp.Compare(l, lo)) <= 0 {
			least = middle
		} else {
			most = middle - 1
		}
	}
	return least
}

package main

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// maxSeeds is how many scenarios one run may have.
const maxSeeds = 1_000_000

// parseSeeds reads numbers and ranges with commas between, "1-50,77"; nothing is no seeds.
func parseSeeds(text string) ([]uint64, error) {
	if text == "" {
		return nil, nil
	}
	var seeds []uint64
	for part := range strings.SplitSeq(text, ",") {
		low, high, isRange := strings.Cut(strings.TrimSpace(part), "-")
		first, err := parseSeed(low)
		if err != nil {
			return nil, err
		}
		last := first
		if isRange {
			if last, err = parseSeed(high); err != nil {
				return nil, err
			}
		}
		switch {
		case last < first:
			return nil, fmt.Errorf("%d comes after %d", first, last)
		case last-first >= maxSeeds-uint64(len(seeds)):
			return nil, fmt.Errorf("more than %d seeds", maxSeeds)
		}
		for i := range last - first + 1 {
			seeds = append(seeds, first+i)
		}
	}
	return seeds, nil
}

func parseSeed(text string) (uint64, error) {
	seed, err := strconv.ParseUint(text, 10, 64)
	switch {
	case errors.Is(err, strconv.ErrRange):
		return 0, fmt.Errorf("%s does not fit in 64 bits", text)
	case err != nil:
		return 0, fmt.Errorf("%q is not a number; write 1-50 or 3,7,9", text)
	}
	return seed, nil
}

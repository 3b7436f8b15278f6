package calc

// Arrivals is the bytes of record batches that are appended up to each multiple of a time, from 0 to the horizon: element
// i is what has come before or at i × every. every is at least 1 ms; the last element is at the first multiple that is not
// before the horizon.
//
// It is what the batches bring, whatever the log does with them, so that other models of a disk can be fed with the same
// traffic. A scenario whose horizon is more than a million times as long as every gives only the first million and one.
func (s Scenario) Arrivals(every Millis) []Bytes {
	const most = 1_000_001
	every = max(every, 1)
	n := min(int64(s.horizon/every)+2, most)
	if s.horizon%every == 0 {
		n = min(int64(s.horizon/every)+1, most)
	}
	all := make([]Bytes, n)
	c := s.cursor()
	for i := range all {
		all[i] = c.upTo(min(Millis(i)*every, s.horizon))
	}
	return all
}

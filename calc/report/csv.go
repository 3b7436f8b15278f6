package report

import (
	"strconv"

	"github.com/partsize/partsize/calc"
)

// CSV is bytes over time as a table: the simulated time in at most 1025 equal spans, with the least and the most of each
// total in each. The first line names the columns.
func CSV(a *calc.Answer) []byte {
	b := []byte("from_ms,to_ms,log_low,log_high,indexes_low,indexes_high,awaiting_low,awaiting_high,apparent_low,apparent_high,allocated_low,allocated_high\n")
	until := a.Timeline.Until()
	for _, s := range a.Timeline.Envelope() {
		b = strconv.AppendInt(b, int64(s.From), 10)
		b = append(b, ',')
		b = strconv.AppendInt(b, int64(min(s.To, until)), 10)
		for _, r := range []calc.Range[calc.Bytes]{s.Log, s.Indexes, s.Awaiting, s.Apparent, s.Allocated} {
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(r.Low), 10)
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(r.High), 10)
		}
		b = append(b, '\n')
	}
	return b
}

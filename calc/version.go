package calc

// Version is a release line of Apache Kafka, as major·10000 + minor·100 + patch: 4.3.1 is 40301.
type Version int32

// The releases at which a rule of the local log changes.
const (
	V2_8 Version = 20800
	V3_0 Version = 30000
	V3_7 Version = 30700
	V4_0 Version = 40000
	V4_1 Version = 40100
	V4_3 Version = 40300
	V4_4 Version = 40400
)

// indexesByCall reports whether an index gets at most one entry for each append call, and the first call's largest
// timestamp starts a segment's clock, instead of the first batch's.
//
// Kafka: LogSegment.append up to 3.9.0 and in 4.0.0.
func (v Version) indexesByCall() bool {
	return v < 30901 || v == 40000
}

// rollsBreachedActive reports whether a tiered log's active segment is rolled when local retention reaches it.
func (v Version) rollsBreachedActive() bool { return v >= V3_7 }

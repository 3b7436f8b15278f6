package calc

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// One test for each sentence of Kafka's rules about the local log, and for each worked example of it. References are to
// kafka-rules; R marks those that were run with Kafka's own classes. Time 0 is also the timestamp 0 unless a test says
// otherwise, and a batch is one record of 300 bytes, as there.

// setting changes a plan.
type setting func(*Plan)

// setLog is a setting of the log's configuration.
func setLog(change func(*LogConfig)) setting { return func(p *Plan) { change(&p.Log) } }

func segmentBytes(b Bytes) setting   { return setLog(func(c *LogConfig) { c.SegmentBytes = b }) }
func segmentMs(m Millis) setting     { return setLog(func(c *LogConfig) { c.SegmentMs = m }) }
func indexBytes(b Bytes) setting     { return setLog(func(c *LogConfig) { c.SegmentIndexBytes = b }) }
func indexInterval(b Bytes) setting  { return setLog(func(c *LogConfig) { c.IndexIntervalBytes = b }) }
func retentionMs(m Millis) setting   { return setLog(func(c *LogConfig) { c.RetentionMs = m }) }
func retentionBytes(b Bytes) setting { return setLog(func(c *LogConfig) { c.RetentionBytes = b }) }
func deleteDelay(m Millis) setting   { return setLog(func(c *LogConfig) { c.FileDeleteDelayMs = m }) }
func localMs(m Millis) setting       { return setLog(func(c *LogConfig) { c.LocalRetentionMs = m }) }
func preallocate(p *Plan)            { p.Log.Preallocate = true }
func appendTime(p *Plan)             { p.Log.LogAppendTime = true }
func tiered(p *Plan)                 { p.Log.RemoteStorage = true }
func version(v Version) setting      { return func(p *Plan) { p.Version = v } }
func expiration(m Millis) setting    { return func(p *Plan) { p.Broker.ProducerExpiration = m } }
func expiryCheck(m Millis) setting   { return func(p *Plan) { p.Broker.ProducerExpirationCheck = m } }
func checks(first, then Millis) setting {
	return func(p *Plan) { p.Broker.InitialTaskDelay, p.Broker.RetentionCheckInterval = first, then }
}

// story is a plan on Kafka's defaults, but without retention.
func story(settings []setting, steps ...Step) Plan {
	p := Plan{Log: DefaultLogConfig(), Broker: DefaultBrokerConfig(), Version: V4_3, Until: 365 * Day}
	p.Log.RetentionMs = Unlimited
	for _, s := range settings {
		s(&p)
	}
	list := StepList(steps)
	p.Steps = &list
	return p
}

// played is the story of steps, played up to the end of a time.
func played(until Millis, settings []setting, steps ...Step) *Simulation {
	sim, _ := told(until, settings, steps...)
	return sim
}

// told is the same with the events.
func told(until Millis, settings []setting, steps ...Step) (sim *Simulation, events []Event) {
	sim = NewSimulation(story(settings, steps...))
	for {
		if next, ok := sim.Next(); !ok || next > until {
			return sim, events
		}
		events = append(events, sim.StepBefore(until+1, false)...)
	}
}

// one is a batch stamped at a time.
func one(stamp Millis) Append {
	return Append{Count: 1, IntervalDen: 1, Batch: 300, Records: 1, Batches: 1, Offset: -1, Producer: -1, Producers: 1,
		Timestamp: Timestamp{Kind: FixedTimestamp, From: stamp}}
}

// times is a row of batches stamped when they are appended.
func times(n int64, every Millis) Append {
	a := one(0)
	a.Count, a.IntervalNum, a.Timestamp = n, int64(every), Timestamp{}
	return a
}

func sized(a Append, batch Bytes) Append { a.Batch = batch; return a }
func unstamped(a Append) Append          { a.Timestamp = Timestamp{Kind: AbsentTimestamp}; return a }
func of(a Append, producer, producers int64) Append {
	a.Producer, a.Producers = producer, producers
	return a
}
func fetched(a Append, batches int64, offset Offset) Append {
	a.Follower, a.Batches, a.Offset = true, batches, offset
	return a
}

func at(t Millis, do Action) Step { return Step{t, do} }

// listing is the directory in short: base:log/index/timeindex of each segment, the transaction index after an x, the
// snapshot after a +, and ~ before deleted ones; a file that is not there is -.
func listing(s *Simulation) string {
	var rows []string
	add := func(mark string, files []Files) {
		for _, f := range files {
			name := func(b Bytes) string {
				if b < 0 {
					return "-"
				}
				return fmt.Sprint(int64(b))
			}
			row := fmt.Sprintf("%s%d:%s/%s/%s", mark, f.Base, name(f.Log), name(f.Index), name(f.TimeIndex))
			if f.TxnIndex >= 0 {
				row += "x" + name(f.TxnIndex)
			}
			if f.Snapshot >= 0 {
				row += "+" + name(f.Snapshot)
			}
			rows = append(rows, row)
		}
	}
	add("", s.Directory().Segments)
	add("~", s.Directory().Deleted)
	return strings.Join(rows, " ")
}

// logs is the live segments as base:bytes.
func logs(s *Simulation) string {
	var rows []string
	for _, f := range s.Directory().Segments {
		if f.Log >= 0 {
			rows = append(rows, fmt.Sprintf("%d:%d", f.Base, int64(f.Log)))
		}
	}
	return strings.Join(rows, " ")
}

// tale is what happened, in short: time kind base (reason).
func tale(events []Event) string {
	var rows []string
	for _, e := range events {
		row := fmt.Sprintf("%d %s", int64(e.At), e.Kind)
		if e.Base >= 0 {
			row += fmt.Sprintf(" %d", e.Base)
		}
		if e.Reason != "" {
			row += " (" + string(e.Reason) + ")"
		}
		rows = append(rows, row)
	}
	return strings.Join(rows, ", ")
}

// later is the events without those of time 0, where a story makes its segments.
func later(events []Event) []Event {
	return slices.DeleteFunc(events, func(e Event) bool { return e.At == 0 })
}

type list = []setting

// Reference: kafka-rules 2, examples E1 to E7, E22, E23, E25 and E31.
func TestRoll(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings list
		steps    []Step
		want     string
	}{
		{"E1 R: by size, before the append that does not fit", list{segmentBytes(1000)}, []Step{at(0, times(8, 0))},
			"0:900 3:900 6:600"},
		{"E2 R: an exact fit stays", list{segmentBytes(900)}, []Step{at(0, times(7, 0))}, "0:900 3:900 6:300"},
		{"E2 R: one byte less does not fit", list{segmentBytes(899)}, []Step{at(0, times(7, 0))}, "0:600 2:600 4:600 6:300"},
		{"E3 R: each batch its own segment, but the first append does not roll", list{segmentBytes(300)},
			[]Step{at(0, times(3, 0))}, "0:300 1:300 2:300"},
		{"E4 R: segment.ms later is not yet", list{segmentMs(1000)}, []Step{at(0, one(0)), at(0, one(1000))}, "0:600"},
		{"E4 R: one millisecond more is", list{segmentMs(1000)}, []Step{at(0, one(0)), at(0, one(1000)), at(0, one(1001))},
			"0:600 2:300"},
		{"E5 R, 2.9: older timestamps never roll; the next segment counts from its own first", list{segmentMs(1000)},
			[]Step{at(0, one(0)), at(0, one(1001)), at(0, one(500)), at(0, one(2001))}, "0:300 1:900"},
		{"E5 R", list{segmentMs(1000)},
			[]Step{at(0, one(0)), at(0, one(1001)), at(0, one(500)), at(0, one(2001)), at(0, one(2002))}, "0:300 1:900 4:300"},
		{"E6 R: the wall clock does not matter", list{segmentMs(1000)}, []Step{at(0, one(0)), at(10_000_000, one(5))}, "0:600"},
		{"E7 R, 2.1: without timestamps the wall clock since creation counts", list{segmentMs(1000)},
			[]Step{at(0, unstamped(one(0))), at(1000, unstamped(one(0)))}, "0:600"},
		{"E7 R", list{segmentMs(1000)}, []Step{at(0, unstamped(one(0))), at(1001, unstamped(one(0)))}, "0:300 1:300"},
		{"E7 R: LogAppendTime is the wall clock", list{segmentMs(1000), appendTime}, []Step{at(0, one(0)), at(1001, one(0))},
			"0:300 1:300"},
		{"2.1: creation, not the first append", list{segmentMs(1000)},
			[]Step{at(500, unstamped(one(0))), at(1001, unstamped(one(0)))}, "0:300 1:300"},
		{"2.1: without timestamps onto a segment with them never by time", list{segmentMs(1000)},
			[]Step{at(0, one(0)), at(5000, unstamped(one(0)))}, "0:600"},
		{"2.1: the timestamp 0 is one", list{segmentMs(1000)}, []Step{at(5000, one(0)), at(5000, one(1000))}, "0:600"},
		{"2(b): an empty segment does not roll by time", list{segmentMs(1000)}, []Step{at(5000, unstamped(one(0)))}, "0:300"},
		{"2.8: time passing does not roll", list{segmentMs(1000)}, []Step{at(0, one(0))}, "0:300"},
		{"2.8: a changed segment.bytes holds from the next append on", list{}, []Step{at(0, times(2, 0)),
			at(0, Configure{changed(segmentBytes(300))}), at(0, one(0))}, "0:600 2:300"},
		{"2.8: and a larger one too", list{segmentBytes(600)}, []Step{at(0, times(2, 0)),
			at(0, Configure{changed(segmentBytes(900))}), at(0, one(0))}, "0:900"},
		{"2.8: a changed segment.ms likewise", list{}, []Step{at(0, one(0)), at(0, Configure{changed(segmentMs(10))}),
			at(20, one(11))}, "0:300 1:300"},
		{"2.9: a timestamp far ahead rolls, and the next one behind it does not", list{segmentMs(1000)},
			[]Step{at(0, one(0)), at(0, one(Hour)), at(0, one(2)), at(0, one(Hour))}, "0:300 1:900"},
		{"2.2, E31 R: max.compaction.lag.ms caps segment.ms on compacted topics", list{segmentMs(100_000), compact(1000)},
			[]Step{at(0, one(0)), at(0, one(1000)), at(0, one(1001))}, "0:600 2:300"},
		{"2.2: and on no other", list{segmentMs(100_000), setLog(func(c *LogConfig) { c.MaxCompactionLagMs = 1000 })},
			[]Step{at(0, one(0)), at(0, one(1001))}, "0:600"},
		{"2.11, E22 R: a follower tests the bytes of the whole fetch", list{segmentBytes(1000)},
			[]Step{at(0, fetched(times(2, 0), 2, -1))}, "0:600 2:600"},
		{"E22 R: the leader each batch", list{segmentBytes(1000)}, []Step{at(0, times(4, 0))}, "0:900 3:300"},
		{"2(e), E23 R: an offset 2^31-1 above the base fits", list{}, []Step{at(0, one(0)),
			at(0, fetched(one(0), 1, 1<<31-1))}, "0:600"},
		{"E23 R: one more does not", list{}, []Step{at(0, one(0)), at(0, fetched(one(0), 1, 1<<31))}, "0:300 2147483648:300"},
		{"2(e): the last offset of a batch counts", list{}, []Step{at(0, one(0)), at(0, records(fetched(one(0), 1, 1<<31-1), 2))},
			"0:300 2147483647:300"},
		{"2(e): leaders too", list{}, []Step{at(0, records(one(0), 1<<31)), at(0, one(0))}, "0:300 2147483648:300"},
		{"2.4: the new base is the first offset of a follower's fetch, above the log's end", list{segmentBytes(300)},
			[]Step{at(0, one(0)), at(0, fetched(one(0), 1, 70))}, "0:300 70:300"},
		{"2.4: never below the log's end", list{segmentBytes(300)}, []Step{at(0, records(one(0), 50)),
			at(0, fetched(one(0), 1, 7))}, "0:300 50:300"},
		{"E25 R: 64 of the producer's default batches fill 1 MiB", list{segmentBytes(MiB)},
			[]Step{at(0, sized(times(65, 0), 16205))}, "0:1037120 64:16205"},
		{"2: size and time at once make one roll", list{segmentBytes(300), segmentMs(10)},
			[]Step{at(0, one(0)), at(0, one(11))}, "0:300 1:300"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, logs(played(365*Day, c.settings, c.steps...))) })
	}
}

// changed is the configuration of a story without settings, but for one.
func changed(s ...setting) LogConfig { return story(s).Log }

func compact(lag Millis) setting {
	return setLog(func(c *LogConfig) { c.Compact, c.Delete, c.MaxCompactionLagMs = true, false, lag })
}

func records(a Append, n int64) Append { a.Records = n; return a }

// Each cause is named by its setting, all that hold at once in Kafka's order. Reference: kafka-rules 2(a) to (e).
func TestRollReasons(t *testing.T) {
	for _, c := range []struct {
		settings list
		steps    []Step
		want     string
	}{
		{list{segmentBytes(300)}, []Step{at(0, times(2, 0))}, "0 roll 1 (segment.bytes)"},
		{list{segmentMs(10)}, []Step{at(0, one(0)), at(0, one(11))}, "0 roll 1 (segment.ms)"},
		{list{segmentBytes(300), segmentMs(10)}, []Step{at(0, one(0)), at(0, one(11))}, "0 roll 1 (segment.bytes + segment.ms)"},
		{list{indexBytes(24), indexInterval(0)}, []Step{at(0, times(3, 0))}, "0 roll 2 (segment.index.bytes (time))"},
		{list{indexBytes(36), indexInterval(0)}, []Step{at(0, times(6, 0))}, "0 roll 5 (segment.index.bytes (offset))"},
		{list{indexBytes(24), indexInterval(0)}, []Step{at(0, times(4, 0))}, "0 roll 2 (segment.index.bytes (time))"},
		{list{}, []Step{at(0, one(0)), at(0, fetched(one(0), 1, 1<<31))}, "0 roll 2147483648 (offset overflow)"},
		{list{indexBytes(12)}, []Step{at(0, one(0))}, "0 replace 0 (segment.index.bytes (time)), 60000 removed 0"},
		{list{retentionBytes(0)}, []Step{at(0, one(0))}, "30000 roll 1 (retention), 30000 delete 0 (retention.bytes), " +
			"90000 removed 0"},
		{list{segmentBytes(300), segmentMs(10), indexBytes(12)}, []Step{at(0, one(0)), at(0, fetched(one(11), 1, 1<<31))},
			"0 replace 0 (segment.index.bytes (time)), 0 roll 2147483648 (segment.bytes + segment.ms + " +
				"segment.index.bytes (time) + offset overflow), 60000 removed 0"},
	} {
		_, events := told(Day, c.settings, c.steps...)
		assert.Equal(t, c.want, tale(events))
	}
}

// Reference: kafka-rules 2(c), 2(d), 2.7, 3.2 to 3.4, 18.9, examples E8 to E14, E25; measured 15 and 16.
func TestIndexes(t *testing.T) {
	rising := func(n int64, size Bytes) Append { return sized(times(n, 1), size) }
	level := func(n int64, size Bytes) Append { return sized(times(n, 0), size) }
	falling := func(n int64, size Bytes) Append {
		a := sized(one(0), size)
		a.Count, a.Timestamp.From, a.Timestamp.Step = n, 1000, -1
		return a
	}
	roll := at(Second, Configure{changed(segmentBytes(5000), indexBytes(10<<20))})
	next := at(Second, sized(one(Second), 5000))
	for _, c := range []struct {
		name     string
		settings list
		steps    []Step
		want     string
	}{
		{"E8 R, 3.3: a new log has both indexes at once, at their maximum rounded down to whole entries", list{}, nil,
			"0:0/10485760/10485756"},
		{"E9 R: closed segments are cut to what is used", list{segmentBytes(1000)}, []Step{at(0, times(8, 0))},
			"0:900/0/12 3:900/0/12+10 6:600/10485760/10485756+10"},
		{"E10 R: entries after more than the interval; the last one holds the largest timestamp already", list{},
			[]Step{at(0, rising(21, 1000)), roll, next}, "0:21000/32/48 21:5000/10485760/10485756+10"},
		{"E12 R: one batch more, one time entry more at the roll", list{}, []Step{at(0, rising(22, 1000)), roll, next},
			"0:22000/32/60 22:5000/10485760/10485756+10"},
		{"E11 R: a batch of exactly the interval is not more", list{}, []Step{at(0, rising(10, 4096)), roll, next},
			"0:40960/32/60 10:5000/10485760/10485756+10"},
		{"E11 R: each but the first when it is more", list{}, []Step{at(0, rising(10, 4097)), roll, next},
			"0:40970/72/108 10:5000/10485760/10485756+10"},
		{"E11 R: the same timestamp gets one entry", list{}, []Step{at(0, level(10, 4097)), roll, next},
			"0:40970/72/12 10:5000/10485760/10485756+10"},
		{"measured 16: falling timestamps one", list{}, []Step{at(0, falling(10, 4097)), roll, next},
			"0:40970/72/12 10:5000/10485760/10485756+10"},
		{"3.4: none without timestamps", list{}, []Step{at(0, unstamped(level(10, 4097))), roll, next},
			"0:40970/72/0 10:5000/10485760/10485756+10"},
		{"3.4: one batch, then a roll", list{}, []Step{at(0, level(1, 1000)), roll, next},
			"0:1000/0/12 1:5000/10485760/10485756+10"},
		{"E13 R: X=24 has one usable time entry", list{indexBytes(24), indexInterval(0)}, []Step{at(0, times(5, 1))},
			"0:600/8/12 2:600/8/12+10 4:300/24/24+10"},
		{"3.2: X of 35 likewise", list{indexBytes(35), indexInterval(0)}, []Step{at(0, times(3, 1))}, "0:600/8/12 2:300/32/24+10"},
		{"3.2: X of 36 has two", list{indexBytes(36), indexInterval(0)}, []Step{at(0, times(4, 1))}, "0:900/16/24 3:300/32/36+10"},
		{"2(c): the offset index is full first when timestamps stand", list{indexBytes(24), indexInterval(0)},
			[]Step{at(0, one(5)), at(0, unstamped(times(4, 0)))}, "0:600/8/12 2:900/24/24+10"},
		{"E14 R, 2.7: with X=12 the first append makes the empty segment again", list{indexBytes(12)},
			[]Step{at(0, times(2, 1))}, "0:300/0/12 1:300/8/12+10 ~0:0/8/12"},
		{"18.9: at any base, and the snapshot stays", list{indexBytes(23), retentionMs(1000)},
			[]Step{at(0, one(0)), at(40_000, one(40_000))}, "1:300/16/12+10 ~0:300/0/12 ~1:0/16/12"},
		{"E25 R", list{segmentBytes(MiB)}, []Step{at(0, sized(times(65, 1), 16205))},
			"0:1037120/504/756 64:16205/10485760/10485756+10"},
		{"3.3: after a retention roll the time index comes with the next check of time, the index with the next append",
			list{retentionMs(1000), checks(20_000, 31_000)}, []Step{at(0, one(0))}, "1:0/-/-+10 ~0:300/0/12"},
		{"3.3: at once when the check of size made it", list{retentionMs(7 * Day), retentionBytes(0)}, []Step{at(0, one(0))},
			"1:0/-/10485756+10 ~0:300/0/12"},
		{"3.3: not without retention by time", list{retentionBytes(0)}, []Step{at(0, one(0))}, "1:0/-/-+10 ~0:300/0/12"},
		{"3.3: then", list{retentionMs(1000), checks(10_000, 30_000)}, []Step{at(0, one(0))}, "1:0/-/10485756+10 ~0:300/0/12"},
		{"3.3: and then", list{retentionMs(1000), checks(10_000, 30_000)}, []Step{at(0, one(0)), at(45_000, one(45_000))},
			"1:300/10485760/10485756+10 ~0:300/0/12"},
		{"18.3: the interval is that of the segment's making", list{indexInterval(10_000)}, []Step{at(0, rising(2, 4097)),
			at(10, Configure{changed(indexInterval(0))}), at(20, rising(2, 4097)), roll, next},
			"0:16388/8/12 4:5000/10485760/10485756+10"},
		{"18.3: and the size of the indexes", list{indexBytes(100)}, []Step{at(0, one(0)), at(10, Configure{changed()}),
			at(20, one(0))}, "0:600/96/96"},
	} {
		t.Run(c.name, func(t *testing.T) {
			assert.Equal(t, c.want, listing(played(50_000, c.settings, c.steps...)))
		})
	}
}

// Up to 3.9.0, and in 4.0.0, an index gets at most one entry for a call. Reference: kafka-rules 3.4, 2.1 and 12.
func TestIndexesByCall(t *testing.T) {
	for v, byCall := range map[Version]bool{
		V2_8: true, 30600: true, 30900: true, 30901: false, 30902: false, 40000: true, 40001: false, V4_1: false, V4_3: false, V4_4: false,
	} {
		// Five calls of three batches: every batch but the first has an entry, or every call.
		sim := played(Minute, list{version(v), segmentBytes(30_000), indexInterval(0)}, at(0, fetched(sized(times(5, 1), 2000), 3, -1)),
			at(10, sized(one(10), 2000)))
		// The first call's largest timestamp starts the clock, or the first batch's.
		late := fetched(one(0), 2, -1)
		late.Timestamp = Timestamp{Kind: FixedTimestamp, Step: 50}
		clock := played(Minute, list{version(v), segmentMs(100)}, at(0, late), at(0, one(140)))
		again := played(Minute, list{version(v), segmentMs(100)}, at(0, late), at(0, Restart{1}), at(1, one(140)))
		want, rolls := "0:30000/112/60", "0:600 2:300"
		if byCall {
			want, rolls = "0:30000/32/48", "0:900"
		}
		assert.Equal(t, want, strings.Fields(listing(sim))[0], "%d", v)
		assert.Equal(t, rolls, logs(clock), "%d", v)
		assert.Equal(t, "0:600 2:300", logs(again), "%d: a restart reads the first batch", v)
	}
}

// A follower's call whose batches need more entries than are left makes Kafka itself fail. Reference: kafka-rules 18.10.
func TestFullIndexWithinACall(t *testing.T) {
	sim := played(Minute, list{indexBytes(24), indexInterval(0)}, at(0, fetched(one(0), 5, -1)))
	assert.ErrorContains(t, sim.Err(), "full time index")
	sim = played(Minute, list{indexBytes(60), indexInterval(0)}, at(0, fetched(unstamped(one(0)), 9, -1)))
	assert.ErrorContains(t, sim.Err(), "full index")
	sim = played(Minute, list{indexBytes(60), indexInterval(0)}, at(0, fetched(unstamped(one(0)), 8, -1)))
	assert.NoError(t, sim.Err())
}

// Reference: kafka-rules 1.8, 4.5, 18.2 and 18.11, example E3; measured 7.
func TestRefusals(t *testing.T) {
	maxMessage := func(b Bytes) setting { return setLog(func(c *LogConfig) { c.MaxMessageBytes = b }) }
	before := func(m Millis) setting { return setLog(func(c *LogConfig) { c.TimestampBeforeMax = m }) }
	after := func(m Millis) setting { return setLog(func(c *LogConfig) { c.TimestampAfterMax = m }) }
	spread := func(a Append, n int64, s Millis) Append { a.Records, a.Spread = n, s; return a }
	for _, c := range []struct {
		name     string
		settings list
		do       Append
		want     Reason
	}{
		{"E3 R", list{segmentBytes(299)}, one(0), RecordBatchTooLarge},
		{"E3 R", list{segmentBytes(300)}, one(0), ""},
		{"1.8: by the whole fetch on a follower", list{segmentBytes(599)}, fetched(one(0), 2, -1), RecordBatchTooLarge},
		{"1.8", list{segmentBytes(600)}, fetched(one(0), 2, -1), ""},
		{"1.8: max.message.bytes on a leader", list{maxMessage(299)}, one(0), RecordTooLarge},
		{"1.8", list{maxMessage(300)}, one(0), ""},
		{"1.8: not on a follower", list{maxMessage(299)}, fetched(one(0), 1, -1), ""},
		{"18.11: that before the timestamp", list{maxMessage(299), after(0)}, one(Day), RecordTooLarge},
		{"18.11: and before the segment", list{maxMessage(299), segmentBytes(299)}, one(0), RecordTooLarge},
		{"18.11: the timestamp before the segment", list{segmentBytes(299), after(0)}, one(Day), InvalidTimestamp},
		{"4.5, measured 7: an hour ahead is accepted", list{}, one(1000 + Hour), ""},
		{"4.5: not a millisecond more", list{}, one(1001 + Hour), InvalidTimestamp},
		{"4.5: as old as it may be", list{before(1000)}, one(0), ""},
		{"4.5: older", list{before(999)}, one(0), InvalidTimestamp},
		{"4.5: any age by default", list{}, one(0), ""},
		{"4.5: none at all", list{before(0), after(0)}, unstamped(one(0)), ""},
		{"4.5: the last record counts", list{after(0)}, spread(one(999), 3, 1), InvalidTimestamp},
		{"4.5: and the first", list{before(0), after(9)}, spread(one(999), 3, 1), InvalidTimestamp},
		{"4.5: LogAppendTime is now", list{appendTime, before(0), after(0)}, one(Day), ""},
		{"4.5: a follower takes what it gets", list{after(0)}, fetched(one(Day), 1, -1), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sim, events := told(Minute, c.settings, at(1000, c.do))
			if c.want == "" {
				assert.Empty(t, events)
				assert.Positive(t, sim.Usage().Log)
				return
			}
			assert.Equal(t, []Event{{1000, Reject, 0, c.want}}, events)
			assert.Equal(t, "0:0/10485760/10485756", listing(sim), "a refusal changes no file")
		})
	}
	t.Run("18.11: no refusal rolls", func(t *testing.T) {
		sim := played(Minute, list{segmentBytes(900), segmentMs(10)}, at(0, one(0)), at(5000, sized(one(5000), 901)))
		assert.Equal(t, "0:300", logs(sim))
	})
	t.Run("1.9: LogAppendTime on the leader only", func(t *testing.T) {
		sim := played(Minute, list{appendTime, segmentMs(10)}, at(0, fetched(one(0), 1, -1)), at(50, fetched(one(11), 1, -1)))
		assert.Equal(t, "0:300 1:300", logs(sim))
		sim = played(Minute, list{appendTime, segmentMs(10)}, at(0, one(0)), at(5, one(90)))
		assert.Equal(t, "0:600", logs(sim))
	})
}

// Reference: kafka-rules 3.1, 3.7 and 18.1, 18.2, 18.8, example E21; measured 15, 17, 21 and 22.
func TestFiles(t *testing.T) {
	t.Run("E8 R, measured 17: an empty partition", func(t *testing.T) {
		u := played(0, nil).Usage()
		assert.Equal(t, Usage{Apparent: 20971567, Allocated: 8192, Indexes: 20971516, Segments: 1, OpenFiles: 1, MemoryMaps: 2}, u)
		dir := played(0, nil).Directory()
		assert.Equal(t, []Bytes{8, 43}, []Bytes{dir.LeaderEpochCheckpoint, dir.PartitionMetadata})
	})
	t.Run("3.1: blocks of 4096 bytes", func(t *testing.T) {
		for size, want := range map[Bytes]Bytes{61: 4096, 170: 4096, 4096: 4096, 4097: 8192, 21000: 24576} {
			assert.Equal(t, 8192+want, played(0, nil, at(0, sized(one(0), size))).Usage().Allocated, "%d", size)
		}
	})
	t.Run("3.2: of an index those that have entries", func(t *testing.T) {
		// 513 entries of the offset index and 342 of the time index are the first to need a second block.
		for batches, want := range map[int64]Bytes{1: 0, 2: 8192, 342: 8192, 343: 12288, 513: 12288, 514: 16384} {
			u := played(Minute, list{indexInterval(0)}, at(0, sized(times(batches, 1), 4096))).Usage()
			assert.Equal(t, 8192+4096*Bytes(batches)+want, u.Allocated, "%d batches", batches)
		}
	})
	t.Run("E21 R: preallocate", func(t *testing.T) {
		sim := played(Minute, list{segmentBytes(1000), preallocate}, at(0, one(0)))
		assert.Equal(t, "0:1000/10485760/10485756", listing(sim))
		assert.Equal(t, Bytes(300), sim.Usage().Log)
		assert.Equal(t, Bytes(8192+4096), sim.Usage().Allocated)
		sim = played(Minute, list{segmentBytes(1000), preallocate}, at(0, times(4, 0)))
		assert.Equal(t, "0:900/0/12 3:1000/10485760/10485756+10", listing(sim), "cut when it is closed")
		sim = played(Minute, list{segmentBytes(1000), preallocate}, at(0, one(0)), at(1, Restart{1}))
		assert.Equal(t, "0:300/10485760/10485756 1:-/-/-+10", listing(sim), "and at a clean stop")
		sim = played(Minute, list{segmentBytes(1000)}, at(0, one(0)), at(0, Configure{changed(segmentBytes(500), preallocate)}),
			at(0, one(0)))
		assert.Equal(t, "0:300/0/12 1:500/10485760/10485756+10", listing(sim), "18.3: new segments only")
	})
	t.Run("3.5: 34 bytes for each aborted transaction", func(t *testing.T) {
		abort := sized(times(3, 1), ControlBatch)
		abort.Aborts = true
		assert.Equal(t, "0:234/10485760/10485756x102", listing(played(Minute, nil, at(0, abort))))
		sim := played(Minute, list{segmentBytes(78)}, at(0, abort))
		assert.Equal(t, "0:78/0/12x34 1:78/0/12x34+10 2:78/10485760/10485756x34+10", listing(sim))
		assert.Equal(t, Bytes(8192+3*8192+2*4096+2*4096), sim.Usage().Allocated)
	})
	t.Run("18.1: the epoch's start follows the log's", func(t *testing.T) {
		for before, want := range map[Offset]Bytes{0: 8, 9: 8, 10: 9, 99: 9, 100: 10, 3060: 11} {
			sim := played(Minute, nil, at(0, records(one(0), 4000)), at(1, DeleteRecords{before}))
			assert.Equal(t, want, sim.Directory().LeaderEpochCheckpoint, "%d", before)
		}
		sim := played(Minute, list{retentionMs(0)}, at(0, records(one(0), 4000)))
		assert.Equal(t, Bytes(11), sim.Directory().LeaderEpochCheckpoint, "by deletion too")
		sim = played(Minute, list{retentionMs(0), tiered}, at(0, records(one(0), 4000)), at(1, CopiedTo{3999}))
		assert.Equal(t, Bytes(8), sim.Directory().LeaderEpochCheckpoint, "but not when only the local start moves")
	})
	t.Run("18.2: an empty log has no epoch after a restart, until the next append", func(t *testing.T) {
		checkpoint := func(steps ...Step) Bytes { return played(Minute, nil, steps...).Directory().LeaderEpochCheckpoint }
		stop := at(10, Restart{5})
		assert.Equal(t, Bytes(4), checkpoint(stop))
		assert.Equal(t, Bytes(8), checkpoint(stop, at(20, one(0))))
		assert.Equal(t, Bytes(4), checkpoint(stop, at(20, one(Day))), "InvalidTimestampException")
		assert.Equal(t, Bytes(4), checkpoint(stop, at(20, sized(one(0), 1<<21))), "RecordTooLargeException")
		assert.Equal(t, Bytes(8), checkpoint(stop, at(20, fetched(sized(one(0), 1<<20), 1025, -1))), "RecordBatchTooLargeException")
		assert.Equal(t, Bytes(9), checkpoint(at(0, records(one(0), 12)), at(5, DeleteRecords{12}), stop, at(20, one(0))))
		assert.Equal(t, Bytes(8), checkpoint(at(0, one(0)), stop), "a log with records keeps it")
		far := fetched(sized(one(0), 1<<20), 1025, 123456)
		assert.Equal(t, Bytes(13), checkpoint(stop, at(20, far)), "where the refused call would have begun")
		far.Count = 2
		assert.Equal(t, Bytes(8), checkpoint(stop, at(20, far)), "and back with the next call (LeaderEpochFileCache.assign)")
	})
}

// Reference: kafka-rules 3.6, 18.4 to 18.7, example E24; measured 18.
func TestProducerSnapshots(t *testing.T) {
	for _, c := range []struct {
		name     string
		settings list
		until    Millis
		steps    []Step
		want     string
	}{
		{"E24 R: 10 bytes and 46 for each producer", list{segmentBytes(234)}, Minute,
			[]Step{at(0, of(sized(times(4, 0), 78), 7, 3))}, "0:234/0/12 3:78/10485760/10485756+148"},
		{"none for the log's first segment; one at each roll", list{segmentBytes(300)}, Minute, []Step{at(0, times(3, 0))},
			"0:300/0/12 1:300/0/12+10 2:300/10485760/10485756+10"},
		{"removed with its segment", list{segmentBytes(300), retentionBytes(600)}, 2 * Minute, []Step{at(0, times(4, 0))},
			"2:300/0/12+10 3:300/10485760/10485756+10"},
		{"renamed with it before", list{segmentBytes(300), retentionBytes(600)}, Minute, []Step{at(0, times(4, 0))},
			"2:300/0/12+10 3:300/10485760/10485756+10 ~0:300/0/12 ~1:300/0/12+10"},
		{"producers of all runs, each once", list{segmentBytes(1200)}, Minute,
			[]Step{at(0, of(times(2, 0), 5, 2)), at(0, of(times(2, 0), 6, 2)), at(0, one(0))},
			"0:1200/0/12 4:300/10485760/10485756+148"},
		{"14.1: a clean stop writes one at the log's end, which stays astray", list{}, Minute,
			[]Step{at(0, of(one(0), 1, 1)), at(10, Restart{5})}, "0:300/10485760/10485756 1:-/-/-+56"},
		{"only the newest astray stays, above the last segment's base", list{}, Minute,
			[]Step{at(0, one(0)), at(10, Restart{5}), at(20, one(0)), at(30, Restart{5})}, "0:600/10485760/10485756 2:-/-/-+10"},
		{"one astray below the last segment's base goes", list{tiered, localMs(1000), checks(2000, 10_000)}, 3500,
			[]Step{at(0, one(0)), at(100, Restart{5}), at(200, one(0)), at(3000, Restart{5})}, "0:600/0/12 2:0/10485760/10485756+10"},
		{"one at a base stays; a roll there writes nothing new", list{segmentBytes(300)}, Minute,
			[]Step{at(0, of(one(0), 1, 1)), at(10, Restart{5}), at(20, of(one(0), 2, 1)), at(20, of(one(0), 3, 1))},
			"0:300/0/12 1:300/0/12+56 2:300/10485760/10485756+102"},
		{"at a load those up to the log's start go", list{segmentBytes(300)}, 100,
			[]Step{at(0, times(3, 0)), at(5, DeleteRecords{1}), at(10, Restart{5})},
			"0:300/0/12 1:300/0/12 2:300/10485760/10485756+10 3:-/-/-+10"},
		{"18.6: a log that is empty when it is loaded loses its snapshot", list{retentionMs(0)}, Minute,
			[]Step{at(0, of(one(0), 1, 1)), at(31_000, Restart{10})}, "1:0/10485760/10485756"},
		{"18.7: and gets it back at the second restart", list{retentionMs(0)}, 32_000,
			[]Step{at(0, of(one(0), 1, 1)), at(31_000, Restart{10}), at(31_100, Restart{10})}, "1:0/10485760/10485756+10"},
		{"18.7: and so on", list{retentionMs(0)}, 32_000, []Step{at(0, of(one(0), 1, 1)), at(31_000, Restart{10}),
			at(31_100, Restart{10}), at(31_200, Restart{10})}, "1:0/10485760/10485756"},
		{"18.6: the producers are lost with it", list{retentionMs(0), segmentBytes(300)}, 32_000,
			[]Step{at(0, of(one(0), 1, 1)), at(31_000, Restart{10}), at(31_500, of(times(2, 0), 9, 1))},
			"1:300/0/12 2:300/10485760/10485756+56"},
		{"18.5: dropped when as old as producer.id.expiration.ms", list{segmentBytes(600), expiration(500), expiryCheck(1000)},
			Minute, []Step{at(500, of(one(500), 1, 1)), at(501, of(one(501), 2, 1)), at(1000, one(1000))},
			"0:600/0/12 2:300/10485760/10485756+56"},
		{"18.4: by the record's timestamp", list{segmentBytes(600), expiration(500), expiryCheck(1000)}, Minute,
			[]Step{at(900, of(one(400), 1, 1)), at(900, of(unstamped(one(0)), 2, 1)), at(1000, one(1000))},
			"0:600/0/12 2:300/10485760/10485756+10"},
		{"18.4: that of its last batch, not the largest", list{segmentBytes(600), expiration(500), expiryCheck(1000)}, Minute,
			[]Step{at(900, of(one(900), 1, 1)), at(900, of(one(400), 1, 1)), at(1000, one(1000))},
			"0:600/0/12 2:300/10485760/10485756+10"},
		{"18.4: the time of the append with LogAppendTime", list{appendTime, segmentBytes(600), expiration(500), expiryCheck(1000)},
			Minute, []Step{at(900, of(one(400), 1, 1)), at(900, one(400)), at(1000, one(1000))},
			"0:600/0/12 2:300/10485760/10485756+56"},
		{"18.5: at a load too", list{segmentBytes(600), expiration(500)}, Minute,
			[]Step{at(0, of(one(0), 1, 1)), at(1, of(one(1), 2, 1)), at(300, Restart{200}), at(500, times(3, 0))},
			"0:600/0/12 2:600/0/12+102 4:300/10485760/10485756+56"},
		{"18.5: a check does not matter before it is due", list{segmentBytes(600), expiration(500), expiryCheck(1001)}, Minute,
			[]Step{at(0, of(one(0), 1, 1)), at(0, one(0)), at(1000, one(1000))}, "0:600/0/12 2:300/10485760/10485756+56"},
		{"without a snapshot yet, none at or below where deleteRecords put the log's start (onLogStartOffsetIncremented)",
			list{segmentBytes(300)}, 100, []Step{at(0, one(0)), at(1, DeleteRecords{1}), at(2, times(2, 0))},
			"0:300/0/12 1:300/0/12 2:300/10485760/10485756+10"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, listing(played(c.until, c.settings, c.steps...))) })
	}
}

// Reference: kafka-rules 4, examples E15, E16, E18 to E20; measured 8 to 11.
func TestRetention(t *testing.T) {
	one300 := segmentBytes(300)
	hour := func(a Append) Append { a.Timestamp.From = 50 * Day; return a }
	for _, c := range []struct {
		name     string
		settings list
		until    Millis
		steps    []Step
		want     string
	}{
		{"E15 R: what is left is at least retention.bytes", list{one300, retentionBytes(900)}, Minute, []Step{at(0, times(4, 0))},
			"1:300 2:300 3:300"},
		{"E15 R", list{one300, retentionBytes(899)}, Minute, []Step{at(0, times(4, 0))}, "1:300 2:300 3:300"},
		{"E15 R", list{one300, retentionBytes(901)}, Minute, []Step{at(0, times(4, 0))}, "0:300 1:300 2:300 3:300"},
		{"4.3: less than the limit in all", list{one300, retentionBytes(1201)}, Minute, []Step{at(0, times(4, 0))},
			"0:300 1:300 2:300 3:300"},
		{"E16 R: 0 takes the active segment too", list{one300, retentionBytes(0)}, Minute, []Step{at(0, times(4, 0))}, "4:0"},
		{"E16 R: an empty active segment is never deleted", list{one300, retentionBytes(0)}, Hour, []Step{at(0, times(4, 0))},
			"4:0"},
		{"4.3: 1 does not reach it", list{retentionBytes(1)}, Hour, []Step{at(0, times(4, 0))}, "0:1200"},
		{"measured 11: a large oldest segment holds back small ones", list{retentionBytes(900)}, Minute,
			[]Step{at(0, sized(one(0), 800)), at(0, Configure{changed(one300, retentionBytes(900))}), at(0, times(2, 0))},
			"0:800 1:300 2:300"},
		{"E18 R: retention.ms old is not yet", list{one300, retentionMs(1000), checks(1000, Day)}, 1000,
			[]Step{at(0, one(0)), at(0, one(100)), at(0, one(200))}, "0:300 1:300 2:300"},
		{"E18 R: one millisecond more is", list{one300, retentionMs(1000), checks(1001, Day)}, 1001,
			[]Step{at(0, one(0)), at(0, one(100)), at(0, one(200))}, "1:300 2:300"},
		{"E18 R: the active one too", list{one300, retentionMs(1000), checks(1001, 200)}, 1201,
			[]Step{at(0, one(0)), at(0, one(100)), at(0, one(200))}, "3:0"},
		{"E19 R: the scan stops at the first that is young", list{one300, retentionMs(1000), checks(3000, 3001)}, 3000,
			[]Step{at(0, one(0)), at(0, one(5000)), at(0, one(0))}, "1:300 2:300"},
		{"E19 R", list{one300, retentionMs(1000), checks(3000, 3001)}, 6001,
			[]Step{at(0, one(0)), at(0, one(5000)), at(0, one(0))}, "3:0"},
		{"E20 R: nothing above the high watermark", list{one300, retentionMs(0)}, Minute,
			[]Step{at(0, times(2, 0)), at(0, HighWatermark{-2}), at(0, one(0))}, "2:300"},
		{"4.3: the segment that holds it stays", list{one300, retentionMs(0)}, Minute,
			[]Step{at(0, records(one(0), 2)), at(0, HighWatermark{-2}), at(0, records(one(0), 2)), at(0, HighWatermark{3}),
				at(0, one(0))}, "2:300 4:300"},
		{"4.3: and goes when the high watermark follows again", list{one300, retentionMs(0)}, Minute,
			[]Step{at(0, HighWatermark{-2}), at(0, times(3, 0)), at(1000, HighWatermark{-1})}, "3:0"},
		{"4.3: off", list{one300}, 300 * Day, []Step{at(0, times(4, 0))}, "0:300 1:300 2:300 3:300"},
		{"4.3: the largest timestamp counts, not the last", list{retentionMs(40_000)}, Minute,
			[]Step{at(0, one(10_000)), at(0, one(0))}, "0:600"},
		{"measured 10: one record far ahead holds all that follow", list{one300, retentionMs(0),
			setLog(func(c *LogConfig) { c.TimestampAfterMax = Never })}, 40 * Day,
			[]Step{at(0, one(0)), at(1, hour(one(0))), at(2, times(3, 0))}, "1:300 2:300 3:300 4:300"},
		{"4.5: old records go at the next check, the active segment too", list{retentionMs(7 * Day)}, 31 * Day,
			[]Step{at(30*Day, one(0))}, "1:0"},
		{"4.3: without timestamps by when it was written", list{retentionMs(20_000), checks(30_000, Second)}, 30_000,
			[]Step{at(10_000, unstamped(one(0)))}, "0:300"},
		{"4.3", list{retentionMs(20_000), checks(30_000, Second)}, 31_000, []Step{at(10_000, unstamped(one(0)))}, "1:0"},
		{"18.8: with preallocate by when it was closed", list{one300, retentionMs(20_000), checks(30_000, Second), preallocate,
			segmentBytes(301)}, 31_000, []Step{at(5000, unstamped(one(0))), at(11_000, unstamped(one(0)))}, "0:300 1:301"},
		{"18.8: without by its last append", list{one300, retentionMs(20_000), checks(30_000, Second)}, 31_000,
			[]Step{at(5000, unstamped(one(0))), at(11_000, unstamped(one(0)))}, "1:300"},
		{"18.8: a stop cuts a preallocated one too", list{retentionMs(20_000), preallocate, checks(10_000, Second)}, 30_000,
			[]Step{at(5000, unstamped(one(0))), at(10_990, Restart{5})}, "0:300"},
		{"18.8: but not a full one", list{retentionMs(20_000), preallocate, one300, checks(10_000, Second)}, 30_000,
			[]Step{at(5000, unstamped(one(0))), at(10_990, Restart{5})}, "1:300"}, // preallocated
		{"4.1: compacted logs are the cleaner's", list{one300, retentionMs(0), compact(Never),
			setLog(func(c *LogConfig) { c.Delete = true })}, Hour, []Step{at(0, times(3, 0))}, "0:300 1:300 2:300"},
		{"6.9: without a policy only what deleteRecords gave up", list{one300, retentionMs(0),
			setLog(func(c *LogConfig) { c.Delete = false })}, Hour, []Step{at(0, times(3, 0)), at(5, DeleteRecords{1})},
			"1:300 2:300"},
		{"6.9: and on a tiered log what is copied", list{one300, retentionMs(0), tiered,
			setLog(func(c *LogConfig) { c.Delete = false })}, Hour, []Step{at(0, times(3, 0)), at(5, CopiedTo{1})}, "2:300 3:0"},
		{"14.6 R: deleteRecords: segments below at the next check, never the active", list{segmentBytes(600)}, Minute,
			[]Step{at(0, times(7, 0)), at(5, DeleteRecords{3})}, "2:600 4:600 6:300"},
		{"14.6 R", list{segmentBytes(600)}, Minute, []Step{at(0, times(7, 0)), at(5, DeleteRecords{7})}, "6:300"},
		{"14.6: not before", list{segmentBytes(600)}, 29_999, []Step{at(0, times(7, 0)), at(5, DeleteRecords{7})},
			"0:600 2:600 4:600 6:300"},
		{"18.3: a changed retention holds from the next check on", list{one300}, Minute,
			[]Step{at(0, times(3, 0)), at(5, Configure{changed(retentionMs(0))})}, "3:0"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, logs(played(c.until, c.settings, c.steps...))) })
	}
}

// Reference: kafka-rules 4.1, 4.2, 4.4, 14.6, 18.12; measured 8.
func TestRetentionEvents(t *testing.T) {
	one300 := segmentBytes(300)
	for _, c := range []struct {
		name     string
		settings list
		steps    []Step
		want     string
	}{
		{"4.1: first after the initial delay, then at each interval", list{retentionMs(10_000), checks(30_000, 60_000)},
			[]Step{at(0, one(0)), at(31_000, one(31_000))}, "30000 roll 1 (retention), 30000 delete 0 (retention.ms), " +
				"90000 roll 2 (retention), 90000 delete 1 (retention.ms), 90000 removed 0, 150000 removed 1"},
		{"14.3: anew from each start", list{retentionMs(10_000), checks(30_000, 60_000)},
			[]Step{at(0, one(0)), at(25_000, Restart{1000})}, "25000 stop (clean), 26000 start (clean), " +
				"56000 roll 1 (retention), 56000 delete 0 (retention.ms), 116000 removed 0"},
		{"4.2: size before time", list{one300, retentionBytes(300), retentionMs(0)}, []Step{at(0, times(3, 0))},
			"30000 roll 3 (retention), 30000 delete 0 (retention.bytes), 30000 delete 1 (retention.bytes), " +
				"30000 delete 2 (retention.ms), 90000 removed 0, 90000 removed 1, 90000 removed 2"},
		{"4.2: start before size", list{one300, retentionBytes(300)}, []Step{at(0, times(3, 0)), at(0, DeleteRecords{1})},
			"30000 delete 0 (log start), 30000 delete 1 (retention.bytes), 90000 removed 0, 90000 removed 1"},
		{"4.2: time first up to 2.8", list{one300, retentionBytes(300), retentionMs(0), version(V2_8)}, []Step{at(0, times(3, 0))},
			"30000 roll 3 (retention), 30000 delete 0 (retention.ms), 30000 delete 1 (retention.ms), " +
				"30000 delete 2 (retention.ms), 90000 removed 0, 90000 removed 1, 90000 removed 2"},
		{"measured 20: the reason names the file's time", list{retentionMs(0)}, []Step{at(0, unstamped(one(0)))},
			"30000 roll 1 (retention), 30000 delete 0 (retention.ms (mtime)), 90000 removed 0"},
		{"18.12: deleteRecords above the high watermark is refused", list{}, []Step{at(0, times(3, 0)), at(5, DeleteRecords{4})},
			"5 reject 4 (OffsetOutOfRangeException)"},
		{"18.12: also above one that is held", list{}, []Step{at(0, one(0)), at(1, HighWatermark{-2}), at(2, one(0)),
			at(5, DeleteRecords{2})}, "5 reject 2 (OffsetOutOfRangeException)"},
		{"18.12: below the start it does nothing", list{}, []Step{at(0, times(3, 0)), at(5, DeleteRecords{2}),
			at(6, DeleteRecords{1})}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, events := told(3*Minute, c.settings, c.steps...)
			assert.Equal(t, c.want, tale(later(events)))
		})
	}
}

// Reference: kafka-rules 5, 14.3, 18.13, example E17; measured 12 to 14.
func TestRemoval(t *testing.T) {
	four := at(0, times(4, 0))
	all := list{segmentBytes(300), retentionBytes(0), retentionMs(7 * Day)}
	t.Run("E17 R", func(t *testing.T) {
		waiting := "4:0/-/10485756+10 ~0:300/0/12 ~1:300/0/12+10 ~2:300/0/12+10 ~3:300/0/12+10"
		assert.Equal(t, waiting, listing(played(89_999, all, four)))
		assert.Equal(t, "4:0/-/10485756+10", listing(played(90_000, all, four)))
	})
	t.Run("10.3: the log's size does not count them, the disk does", func(t *testing.T) {
		u := played(30_000, all, four).Usage()
		assert.Equal(t, Bytes(0), u.Log)
		assert.Equal(t, Bytes(1200), u.AwaitingLog)
		assert.Equal(t, Bytes(1200+4*12+3*10), u.Awaiting)
		assert.Equal(t, Bytes(4*2*4096+3*4096), u.AwaitingAllocated)
		assert.Equal(t, int64(1), u.Segments)
		assert.Equal(t, int64(5), u.OpenFiles)
		assert.Equal(t, int64(10), u.MemoryMaps)
	})
	t.Run("18.3: the delay is that of the deletion", func(t *testing.T) {
		_, events := told(Hour, list{segmentBytes(300), retentionBytes(300), deleteDelay(1000)}, at(0, times(2, 0)),
			at(30_500, Configure{changed(segmentBytes(300), retentionBytes(0), deleteDelay(0))}))
		assert.Equal(t, "30000 delete 0 (retention.bytes), 31000 removed 0, 330000 roll 2 (retention), "+
			"330000 delete 1 (retention.bytes), 330000 removed 1", tale(later(events)))
		_, events = told(Hour, list{segmentBytes(300), retentionBytes(300), deleteDelay(600_000)}, at(0, times(2, 0)),
			at(30_500, Configure{changed(segmentBytes(300), retentionBytes(0), deleteDelay(1000))}))
		assert.Equal(t, "30000 delete 0 (retention.bytes), 330000 roll 2 (retention), 330000 delete 1 (retention.bytes), "+
			"331000 removed 1, 630000 removed 0", tale(later(events)))
	})
	t.Run("14.2: a start removes what waits", func(t *testing.T) {
		_, events := told(Hour, all, four, at(40_000, Restart{7}))
		assert.Equal(t, "30000 roll 4 (retention), 30000 delete 0 (retention.bytes), 30000 delete 1 (retention.bytes), "+
			"30000 delete 2 (retention.bytes), 30000 delete 3 (retention.bytes), 40000 stop (clean), 40007 start (clean), "+
			"40007 removed 0 (start), 40007 removed 1 (start), 40007 removed 2 (start), 40007 removed 3 (start)", tale(later(events)))
	})
	t.Run("5: files of one name that wait twice go with the first task, the snapshot with its own", func(t *testing.T) {
		settings := list{indexBytes(12), retentionMs(1000), deleteDelay(400_000)}
		steps := []Step{at(0, times(2, 0)), at(40_000, times(2, 100))}
		sim, events := told(1_400_000, settings, steps...)
		assert.Contains(t, tale(later(events)), "430000 removed 1, 730000 removed 2, 730000 removed 3")
		assert.Equal(t, "4:0/-/12+10", listing(sim))
		assert.Equal(t, "4:0/-/-+10 ~2:-/-/-+10 ~3:300/0/12+10", listing(played(440_000, settings, steps...)))
		assert.Equal(t, int64(2), played(440_000, settings, steps...).Usage().OpenFiles)
	})
	t.Run("5, measured 14: a deleted topic's directory waits for the broker's delay", func(t *testing.T) {
		sim, events := told(Hour, list{deleteDelay(5000)}, four, at(100_000, DeleteTopic{}))
		assert.Equal(t, "100000 delete_topic, 160000 removed (topic)", tale(later(events)))
		assert.Equal(t, Directory{Gone: true}, sim.Directory())
		assert.Equal(t, Usage{}, sim.Usage())
		sim = played(159_999, list{deleteDelay(5000)}, four, at(100_000, DeleteTopic{}))
		assert.Equal(t, "0:1200/10485760/10485756", listing(sim))
	})
	t.Run("5: or for the first run of the task that removes directories", func(t *testing.T) {
		short := func(p *Plan) { p.Broker.SegmentDeleteDelay = 1000 }
		_, events := told(Hour, list{short}, at(100, DeleteTopic{}))
		assert.Equal(t, "100 delete_topic, 30000 removed (topic)", tale(later(events)))
		_, events = told(Hour, list{short}, at(20_000, Restart{5000}), at(26_000, DeleteTopic{}))
		assert.Equal(t, "20000 stop (clean), 25000 start (clean), 26000 delete_topic, 55000 removed (topic)", tale(later(events)))
	})
	t.Run("5: nothing else happens to it", func(t *testing.T) {
		_, events := told(Hour, all, four, at(10, DeleteTopic{}), at(20, times(5, 1)))
		assert.Equal(t, "10 delete_topic, 60010 removed (topic)", tale(later(events)))
	})
}

// Reference: kafka-rules 14.1 to 14.3, 18.2, 18.3, example E26; measured 18.
func TestRestart(t *testing.T) {
	rising := func(n int64, size Bytes) Append { return sized(times(n, 1), size) }
	for _, c := range []struct {
		name     string
		settings list
		until    Millis
		steps    []Step
		want     string
	}{
		{"E26 R: a clean stop cuts the active indexes and saves the producers", list{}, 200,
			[]Step{at(0, rising(57, 5000)), at(100, Restart{1000})}, "0:285000/448/672 57:-/-/-+10"},
		{"E26 R: a start makes them full size again", list{}, 2000,
			[]Step{at(0, rising(57, 5000)), at(100, Restart{1000})}, "0:285000/10485760/10485756 57:-/-/-+10"},
		{"3.4 R: the count of bytes to the next entry begins anew", list{}, Minute, []Step{at(0, rising(8, 1000)),
			at(100, Restart{1}), at(101, rising(8, 1000)), at(200, Configure{changed(segmentBytes(500))}), at(200, sized(one(200), 500))},
			"0:16000/16/48 8:-/-/-+10 16:500/10485760/10485756+10"},
		{"3.4 R: without a restart", list{}, Minute, []Step{at(0, rising(8, 1000)), at(101, rising(8, 1000)),
			at(200, Configure{changed(segmentBytes(500))}), at(200, sized(one(200), 500))}, "0:16000/24/36 16:500/10485760/10485756+10"},
		{"18.3: the indexes get the size of that moment", list{}, Minute, []Step{at(0, one(0)),
			at(1, Configure{changed(indexBytes(100))}), at(10, Restart{5})}, "0:300/96/96 1:-/-/-+10"},
		{"18.3: and the interval", list{indexInterval(10_000)}, Minute, []Step{at(0, rising(2, 4097)),
			at(5, Configure{changed(indexInterval(0))}), at(10, Restart{5}), at(20, rising(2, 4097)), at(30, Restart{1})},
			"0:16388/10485760/10485756 4:-/-/-+10"},
		{"2.1, 14.3: without timestamps the wait begins anew", list{segmentMs(1000)}, Minute,
			[]Step{at(0, unstamped(one(0))), at(500, Restart{500}), at(2000, unstamped(one(0)))}, "0:600/10485760/10485756 1:-/-/-+10"},
		{"2.1: from the start", list{segmentMs(1000)}, Minute,
			[]Step{at(0, unstamped(one(0))), at(500, Restart{500}), at(2001, unstamped(one(0)))}, "0:300/0/0 1:300/10485760/10485756+10"},
		{"2.1: with timestamps it does not", list{segmentMs(1000)}, Minute,
			[]Step{at(0, one(0)), at(500, Restart{500}), at(1001, one(1001))}, "0:300/0/12 1:300/10485760/10485756+10"},
		{"2.8: a restart does not roll", list{}, Minute, []Step{at(0, one(0)), at(500, Restart{500})},
			"0:300/10485760/10485756 1:-/-/-+10"},
		{"calls while the broker is down do not happen", list{}, Minute, []Step{at(0, times(10, 100)), at(250, Restart{300})},
			"0:2100/10485760/10485756 3:-/-/-+10"},
		{"nor a run that begins then", list{}, Minute, []Step{at(250, Restart{300}), at(250, times(10, 100))},
			"0:2100/10485760/10485756"},
		{"a start at once", list{}, Minute, []Step{at(0, times(3, 100)), at(200, Restart{0}), at(200, one(0))},
			"0:1200/10485760/10485756 3:-/-/-+10"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, listing(played(c.until, c.settings, c.steps...))) })
	}
	t.Run("18.3: Kafka does not start with less than is used", func(t *testing.T) {
		steps := func(x Bytes) []Step {
			return []Step{at(0, unstamped(sized(times(30, 1), 5000))), at(40, Configure{changed(indexBytes(x))}), at(50, Restart{5})}
		}
		assert.NoError(t, played(Minute, nil, steps(232)...).Err())
		assert.ErrorContains(t, played(Minute, nil, steps(231)...).Err(), "does not start")
		stamped := []Step{at(0, one(0)), at(5, Configure{changed(indexBytes(12))}), at(10, Restart{5})}
		assert.NoError(t, played(Minute, nil, stamped...).Err(), "one entry at the stop fits")
		stamped = []Step{at(0, sized(times(3, 1), 5000)), at(5, Configure{changed(indexBytes(24))}), at(10, Restart{5})}
		assert.NoError(t, played(Minute, nil, stamped...).Err())
		stamped = []Step{at(0, sized(times(3, 1), 5000)), at(5, Configure{changed(indexBytes(23))}), at(10, Restart{5})}
		assert.ErrorContains(t, played(Minute, nil, stamped...).Err(), "does not start", "of the time index")
	})
	t.Run("the high watermark is the log's end again, or where it was held", func(t *testing.T) {
		_, _, _, high := played(Minute, nil, at(0, times(3, 0)), at(5, Restart{1})).Offsets()
		assert.Equal(t, Offset(3), high)
		_, _, _, high = played(Minute, nil, at(0, one(0)), at(1, HighWatermark{-2}), at(2, one(0)), at(5, Restart{1})).Offsets()
		assert.Equal(t, Offset(1), high)
	})
}

// Reference: kafka-rules 7.3, 7.4, 18.1, 18.14, examples E32 to E34; measured 31 and 32.
func TestTieredLocal(t *testing.T) {
	four := at(0, times(4, 0))
	old := list{segmentBytes(300), tiered, localMs(1000), checks(5000, 5000), retentionMs(7 * Day)}
	for _, c := range []struct {
		name     string
		settings list
		until    Millis
		steps    []Step
		want     string
	}{
		{"E32 R: nothing copied: nothing goes, no roll", old, 5000, []Step{four}, "0:300 1:300 2:300 3:300"},
		{"E32 R: up to 1 copied", old, 5000, []Step{four, at(1, CopiedTo{1})}, "2:300 3:300"},
		{"E32 R: up to 2: the active one is reached and rolled", old, 5000, []Step{four, at(1, CopiedTo{2})}, "3:300 4:0"},
		{"E32 R: up to 3: it goes at a later check", old, 10_000, []Step{four, at(1, CopiedTo{2}), at(6000, CopiedTo{3})}, "4:0"},
		{"E33 R: a single active one is rolled before it is copied", old, 5000, []Step{at(0, one(0))}, "0:300 1:0"},
		{"7.4: not before 3.7", append(old, version(30600)), 5000, []Step{at(0, one(0))}, "0:300"},
		{"7.4: 3.7 does", append(old, version(V3_7)), 5000, []Step{at(0, one(0))}, "0:300 1:0"},
		{"7.4: once", old, 20_000, []Step{at(0, one(0))}, "0:300 1:0"},
		{"E34 R: by size", list{segmentBytes(300), tiered, setLog(func(c *LogConfig) { c.LocalRetentionBytes = 300 })}, Minute,
			[]Step{four, at(1, CopiedTo{2})}, "3:300"},
		{"7.3: -2 is retention.ms and retention.bytes", list{segmentBytes(300), tiered, retentionBytes(300)}, Minute,
			[]Step{four, at(1, CopiedTo{2})}, "3:300"},
		{"7.3: -1 is no limit", list{segmentBytes(300), tiered, retentionMs(0), localMs(-1)}, Minute,
			[]Step{four, at(1, CopiedTo{2})}, "0:300 1:300 2:300 3:300"},
		{"7.3: with remote.log.copy.disable as if not tiered", append(old, retentionMs(0), localMs(-1),
			setLog(func(c *LogConfig) { c.RemoteCopyDisable = true })), 5000, []Step{four}, "4:0"},
		{"7.3: below the log's start without being copied", old, 5000, []Step{four, at(1, DeleteRecords{2})}, "2:300 3:300"},
		{"copy_every: all below the newest segment below the high watermark", old, 5000, []Step{four, at(1, CopyEvery{10})},
			"3:300 4:0"},
		{"copy_every 0 stops it", old, 5000, []Step{four, at(1, CopyEvery{10}), at(5, CopyEvery{0})}, "0:300 1:300 2:300 3:300"},
		{"what is in the remote store stays there", old, 5000, []Step{four, at(1, CopiedTo{2}), at(2, CopiedTo{0})}, "3:300 4:0"},
	} {
		t.Run(c.name, func(t *testing.T) { assert.Equal(t, c.want, logs(played(c.until, c.settings, c.steps...))) })
	}
	offsets := func(s *Simulation) []Offset {
		start, local, _, _ := s.Offsets()
		return []Offset{start, local}
	}
	t.Run("E32 R: the log's start stays, the local one moves", func(t *testing.T) {
		assert.Equal(t, []Offset{0, 4}, offsets(played(10_000, old, four, at(1, CopiedTo{2}), at(6000, CopiedTo{3}))))
		assert.Equal(t, []Offset{4, 4}, offsets(played(10_000, append(old, retentionMs(0),
			setLog(func(c *LogConfig) { c.RemoteCopyDisable = true })), four)), "with copy disabled both do")
	})
	t.Run("18.14: deleteRecords moves both", func(t *testing.T) {
		assert.Equal(t, []Offset{3, 3}, offsets(played(4000, old, four, at(1, DeleteRecords{3}))))
		assert.Equal(t, []Offset{1, 2}, offsets(played(8000, old, four, at(1, CopiedTo{1}), at(6000, DeleteRecords{1}))))
	})
	t.Run("18.14: reasons in Kafka's words", func(t *testing.T) {
		_, events := told(5000, old, four, at(1, CopiedTo{1}))
		assert.Equal(t, "1 copied 1, 5000 delete 0 (local.retention.ms), 5000 delete 1 (local.retention.ms)", tale(later(events)))
		_, events = told(5000, old, at(0, unstamped(times(4, 0))), at(1, CopiedTo{0}))
		assert.Equal(t, "1 copied 0, 5000 delete 0 (local.retention.ms (mtime))", tale(later(events)))
		_, events = told(5000, append(old, localMs(-1), setLog(func(c *LogConfig) { c.LocalRetentionBytes = 0 })), four,
			at(1, CopiedTo{0}))
		assert.Equal(t, "1 copied 0, 5000 delete 0 (local.retention.bytes)", tale(later(events)))
		_, events = told(5000, append(old, localMs(-1)), four, at(1, DeleteRecords{1}))
		assert.Equal(t, "5000 delete 0 (log start)", tale(later(events)))
	})
	t.Run("copy_every: not above a high watermark that is held", func(t *testing.T) {
		_, events := told(50, list{segmentBytes(300), tiered}, at(0, times(2, 0)), at(0, HighWatermark{-2}), at(0, times(2, 0)),
			at(1, CopyEvery{10}), at(25, HighWatermark{-1}))
		assert.Equal(t, "11 copied 1, 31 copied 2", tale(later(events)))
	})
	t.Run("a restart begins a new period of copy_every", func(t *testing.T) {
		_, events := told(120, list{segmentBytes(300), tiered}, at(0, times(2, 0)), at(1, CopyEvery{50}), at(40, Restart{7}))
		assert.Equal(t, "40 stop (clean), 47 start (clean), 97 copied 0", tale(later(events)))
	})
}

// Within a millisecond tasks come before steps, in the order in which they were scheduled, and steps in theirs; the events
// of a group are rolls, deletions and removals, each by base. Reference: the recorder's FORMAT, order within a millisecond.
func TestOrderWithinAMillisecond(t *testing.T) {
	t.Run("a check comes before an append of its time", func(t *testing.T) {
		sim := played(30_000, list{retentionMs(0)}, at(0, one(0)), at(30_000, one(30_000)))
		assert.Equal(t, "1:300", logs(sim))
	})
	t.Run("a run makes all its calls of a millisecond before the next step", func(t *testing.T) {
		start, _, end, _ := played(Minute, nil, at(0, times(6, 1)), at(2, DeleteRecords{3}), at(2, DeleteRecords{4})).Offsets()
		assert.Equal(t, []Offset{3, 6}, []Offset{start, end})
		fraction := times(6, 1)
		fraction.IntervalDen = 3
		_, events := told(Minute, nil, at(0, fraction), at(0, DeleteRecords{3}), at(0, DeleteRecords{4}))
		assert.Equal(t, "0 reject 4 (OffsetOutOfRangeException)", tale(events))
	})
	t.Run("a removal without delay belongs to what made it due", func(t *testing.T) {
		sim, events := told(Minute, list{segmentBytes(300), retentionBytes(300), deleteDelay(0)}, at(0, times(3, 0)))
		assert.Equal(t, "30000 delete 0 (retention.bytes), 30000 delete 1 (retention.bytes), 30000 removed 0, 30000 removed 1",
			tale(events[2:]))
		assert.Equal(t, "2:300/10485760/10485756+10", listing(sim))
	})
	t.Run("expiry and retention of one time go in the order of their last runs", func(t *testing.T) {
		// At 0 the check is scheduled before the producers' expiry: the snapshot of its roll still has the producer. After a
		// restart the log is loaded first, and the expiry scheduled before the check.
		settings := list{retentionMs(0), expiration(5), checks(10, 10), expiryCheck(10)}
		assert.Equal(t, "1:0/-/-+56 ~0:300/0/12", listing(played(10, settings, at(1, of(one(1), 1, 1)))))
		assert.Equal(t, "1:0/-/-+10 ~0:300/0/12",
			listing(played(12, settings, at(1, Restart{1}), at(3, of(one(3), 1, 1)))))
	})
	t.Run("two runs in the order of their steps", func(t *testing.T) {
		sim := played(Minute, list{segmentBytes(900)}, at(0, sized(times(3, 10), 200)), at(0, sized(times(3, 10), 500)))
		assert.Equal(t, "0:900 3:700 5:500", logs(sim))
	})
}

// Jitter is taken off segment.ms, drawn for each segment below the lesser of segment.jitter.ms and segment.ms, again at a
// start. Reference: kafka-rules 2.3 and 14.3; measured 4.
func TestJitter(t *testing.T) {
	jitter := func(m Millis) setting { return setLog(func(c *LogConfig) { c.SegmentJitterMs = m }) }
	drawn := func(settings list, until Millis, steps ...Step) (all []Millis) {
		sim := played(until, settings, steps...)
		for _, s := range sim.log.segments.all() {
			all = append(all, s.jitter)
		}
		return all
	}
	many := at(0, times(2000, 0))
	one300 := segmentBytes(300)
	draws := drawn(list{one300, segmentMs(1000), jitter(100)}, 0, many)
	assert.Equal(t, Millis(0), slices.Min(draws))
	assert.Equal(t, Millis(99), slices.Max(draws))
	assert.Equal(t, Millis(49), slices.Max(drawn(list{one300, segmentMs(50), jitter(100)}, 0, many)))
	assert.Equal(t, Millis(0), slices.Max(drawn(list{one300, jitter(0)}, 0, many)))
	assert.Equal(t, Millis(0), slices.Max(drawn(list{one300, jitter(1)}, 0, many)))
	assert.NotEqual(t, draws, drawn(list{one300, segmentMs(1000), jitter(100)}, 2, many, at(1, Restart{1})))
	assert.Equal(t, draws, drawn(list{one300, segmentMs(1000), jitter(100)}, 2, many))

	// A segment rolls at the first append that waited more than segment.ms less its draw.
	p := story(list{segmentMs(1000), jitter(100)}, at(0, times(5000, 1)))
	p.Seed = 7
	sim := NewSimulation(p)
	for range 3 {
		sim.Step()
	}
	for i, s := range sim.log.segments.all()[:sim.log.segments.len()-1] {
		next := sim.log.segments.at(i + 1)
		assert.Equal(t, s.base+Offset(1001-s.jitter), next.base)
	}
}

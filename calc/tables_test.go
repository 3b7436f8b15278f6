package calc

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// recorded reads a table or trace that was recorded from Kafka 4.3.1.
func recorded(t *testing.T, name string, to any) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "golden", "recorded", name+".json"))
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, to))
}

// Reference: recording 11t, batches as Kafka's clients make them.
func TestBatchSizeTable(t *testing.T) {
	var table struct {
		Rows []struct {
			Records     int64
			Key         Bytes  `json:"key_bytes"`
			Value       Bytes  `json:"value_bytes"`
			Step        Millis `json:"ts_step_ms"`
			Headers     int
			HeaderKey   Bytes `json:"header_key_bytes"`
			HeaderValue Bytes `json:"header_value_bytes"`
			Batch       Bytes `json:"batch_bytes"`
		}
	}
	recorded(t, "11t_batch_size_table", &table)
	require.Len(t, table.Rows, 144)
	for _, r := range table.Rows {
		shape := RecordShape{Key: r.Key, Value: r.Value}
		for range r.Headers {
			shape.Headers = append(shape.Headers, Header{r.HeaderKey, r.HeaderValue})
		}
		assert.Equal(t, r.Batch, shape.BatchBytes(r.Records, r.Step), "%+v", r)
	}
}

// Reference: recording 10, the first segment of one-record batches, before its roll and after it.
func TestIndexTable(t *testing.T) {
	var table struct {
		Rows []struct {
			Interval Bytes  `json:"index_interval_bytes"`
			Batch    Bytes  `json:"batch_bytes"`
			Segment  Bytes  `json:"segment_bytes"`
			Stamps   string `json:"timestamps"`
			Batches  int64  `json:"batches_in_segment"`
			Log      Bytes  `json:"log_bytes"`
			Entries  int64  `json:"offset_entries_before_roll"`
			Times    int64  `json:"time_entries_before_roll"`
			Index    Bytes  `json:"index_bytes_after_roll"`
			TimeIdx  Bytes  `json:"timeindex_bytes_after_roll"`
		}
	}
	recorded(t, "10_index_table", &table)
	require.Len(t, table.Rows, 67)
	steps := map[string]Millis{"advancing per batch": 1, "constant": 0, "descending": -1}
	for _, r := range table.Rows {
		step, known := steps[r.Stamps]
		require.True(t, known, r.Stamps)
		run := sized(one(0), r.Batch)
		run.Count, run.Timestamp.From, run.Timestamp.Step = r.Batches, 20_000, step
		sim := played(Second, list{segmentBytes(r.Segment), indexInterval(r.Interval)}, at(0, run))
		s := sim.log.active()
		assert.Equal(t, []int64{0, r.Entries, r.Times}, []int64{int64(s.base), s.entries, s.times}, "before the roll: %+v", r)
		run.Count++
		sim = played(Second, list{segmentBytes(r.Segment), indexInterval(r.Interval)}, at(0, run))
		first := sim.Directory().Segments[0]
		assert.Equal(t, Files{0, r.Log, r.Index, r.TimeIdx, noFile, noFile}, first, "after the roll: %+v", r)
	}
}

// Reference: recording 10b, the indexes of an empty log by segment.index.bytes.
func TestIndexPreallocationTable(t *testing.T) {
	var table struct {
		Rows []struct {
			X       Bytes  `json:"segment_index_bytes"`
			Error   string `json:"error"`
			Index   Bytes  `json:"index_file_length_when_active_empty"`
			TimeIdx Bytes  `json:"timeindex_file_length_when_active_empty"`
			Entries int64  `json:"offset_max_entries"`
			Times   int64  `json:"time_max_entries"`
		}
	}
	recorded(t, "10b_index_prealloc_table", &table)
	require.Len(t, table.Rows, 15)
	refused := 0
	for _, r := range table.Rows {
		if r.Error != "" {
			// Kafka accepts the setting and cannot make the log; the model refuses the setting.
			refused++
			in := Defaults()
			problem := in.Set("segment.index.bytes", r.X.Text())
			if problem == nil {
				_, problem = NewScenario(in)
			}
			assert.ErrorContains(t, problem, "segment.index.bytes", "%d", r.X)
			continue
		}
		sim := played(0, list{indexBytes(r.X)})
		assert.Equal(t, Files{0, 0, r.Index, r.TimeIdx, noFile, noFile}, sim.Directory().Segments[0], "%d", r.X)
		s := sim.log.active()
		s.entries, s.times = r.Entries-1, r.Times-2
		assert.False(t, s.indexFull() || s.timesFull(), "%d: one entry less than full", r.X)
		s.entries, s.times = r.Entries, r.Times-1
		assert.True(t, s.indexFull() && s.timesFull(), "%d: full, with a slot of the time index kept", r.X)
	}
	assert.Equal(t, 3, refused)
}

// Reference: recording 12. Kafka's draws cannot be repeated: each recorded roll is the first append that waited more than
// segment.ms less the recorded draw, and so is each of the model's with its own draw, which is as evenly spread.
func TestSegmentJitterByRule(t *testing.T) {
	const (
		every, segMs, limit = 10 * Second, Hour, 600 * Second
	)
	var trace struct {
		Events []struct {
			At     Millis `json:"t_ms"`
			Base   Offset `json:"base_offset"`
			Old    Offset `json:"old_base_offset"`
			Kind   string `json:"kind"`
			Reason string `json:"reason"`
			Waited Millis `json:"time_waited_ms"`
			Jitter Millis `json:"old_roll_jitter_ms"`
		}
	}
	recorded(t, "12_segment_jitter", &trace)
	require.Len(t, trace.Events, 32)
	for _, e := range trace.Events {
		assert.Equal(t, []string{"roll", "time"}, []string{e.Kind, e.Reason})
		assert.True(t, 0 <= e.Jitter && e.Jitter < limit, "Kafka drew %d", e.Jitter)
		assert.True(t, e.Waited > segMs-e.Jitter && e.Waited-every <= segMs-e.Jitter, "Kafka rolled after %d with %d", e.Waited, e.Jitter)
		assert.Equal(t, every*Millis(e.Base-e.Old), e.Waited)
	}

	jitter := setLog(func(c *LogConfig) { c.SegmentJitterMs = limit })
	var draws []Millis
	for seed := range uint64(40) {
		p := story(list{segmentBytes(MiB), segmentMs(segMs), jitter}, at(0, sized(times(10_800, every), 180)))
		p.Seed, p.Until = seed, 30*Hour
		sim := NewSimulation(p)
		for _, ok := sim.Next(); ok; _, ok = sim.Next() {
			sim.Step()
		}
		segments := sim.log.segments.all()
		require.InDelta(t, len(trace.Events), len(segments), 3)
		for i := range segments[:len(segments)-1] {
			waited := every * Millis(segments[i+1].base-segments[i].base)
			j := segments[i].jitter
			assert.True(t, waited > segMs-j && waited-every <= segMs-j, "rolled after %d with %d", waited, j)
			draws = append(draws, j)
		}
	}
	// A tenth of the draws in each tenth of the range: 5 standard deviations are about 0.04.
	var tenths [10]int
	for _, j := range draws {
		require.True(t, 0 <= j && j < limit, "drew %d", j)
		tenths[j/(limit/10)]++
	}
	for i, n := range tenths {
		assert.InDelta(t, 0.1, float64(n)/float64(len(draws)), 5*math.Sqrt(0.09/float64(len(draws))), "tenth %d", i)
	}
}

// Reference: recording 19. Each second a batch of a transaction and its marker, every third transaction aborted: 34 bytes in
// the .txnindex for each of those, none for the others; a marker is a batch of 78 bytes and an offset of its own.
func TestTransactions(t *testing.T) {
	var trace struct {
		Ticks []struct {
			At       Millis `json:"t_ms"`
			Why      string `json:"why"`
			End      Offset `json:"log_end_offset"`
			Size     Bytes  `json:"size"`
			Apparent Bytes  `json:"total_dir_bytes_apparent"`
			Alloc    Bytes  `json:"total_dir_bytes_allocated"`
			Segments []struct {
				Base     Offset `json:"base_offset"`
				Log      Bytes  `json:"log_bytes"`
				Index    Bytes  `json:"index_bytes"`
				TimeIdx  Bytes  `json:"timeindex_bytes"`
				Txn      Bytes  `json:"txnindex_bytes"`
				Snapshot Bytes  `json:"snapshot_bytes"`
			}
		}
	}
	recorded(t, "19_transactions_txnindex", &trace)
	data := records(sized(of(times(300, 1000), 0, 1), RecordShape{Key: 10, Value: 1000}.BatchBytes(10, 0)), 10)
	require.Equal(t, Bytes(10251), data.Batch)
	marker := sized(of(times(100, 3000), 0, 1), ControlBatch)
	abort := marker
	abort.Aborts = true
	steps := []Step{at(0, data), at(0, marker), at(1000, marker), at(2000, abort)}
	compared := 0
	for _, tick := range trace.Ticks {
		if tick.Why == "start" {
			continue // partition.metadata is not yet there
		}
		until := tick.At
		if tick.Why == "periodic" {
			until-- // before the appends of its time
		}
		sim := played(until, list{segmentBytes(MiB)}, steps...)
		u, rows := sim.Usage(), sim.Directory().Segments
		_, _, end, _ := sim.Offsets()
		assert.Equal(t, []Bytes{tick.Size, tick.Apparent, tick.Alloc}, []Bytes{u.Log, u.Apparent, u.Allocated}, "at %d", tick.At)
		assert.Equal(t, tick.End, end)
		require.Len(t, rows, len(tick.Segments))
		for i, s := range tick.Segments {
			// The recording has 0 for a file that is not there.
			want := Files{s.Base, s.Log, s.Index, s.TimeIdx, s.Txn, s.Snapshot}
			got := rows[i]
			got.TxnIndex, got.Snapshot = max(got.TxnIndex, 0), max(got.Snapshot, 0)
			assert.Equal(t, want, got, "at %d", tick.At)
			compared++
		}
	}
	assert.Equal(t, 12, compared)
}

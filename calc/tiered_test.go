package calc

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// small is a tiered log whose batches of 300 bytes, a record each, make a segment of their own, as in the examples of
// rules 13, with a batch at each of some times; the remote half is played when remote is not nil.
func small(change func(p *Plan), at ...Millis) *Simulation {
	p := Plan{Log: DefaultLogConfig(), Broker: DefaultBrokerConfig(), Version: V4_3, Epoch: Epoch, Until: Day}
	p.Log.SegmentBytes, p.Log.RemoteStorage = 300, true
	p.Broker.InitialTaskDelay, p.Broker.RetentionCheckInterval = Second, Second
	steps := StepList{}
	for _, t := range at {
		steps = append(steps, Step{t, one300})
	}
	p.Steps = &steps
	if change != nil {
		change(&p)
	}
	return NewSimulation(p)
}

var one300 = Append{Count: 1, IntervalDen: 1, Batch: 300, Records: 1, Batches: 1, Offset: -1, Producer: -1, Producers: 1}

// playTo plays a simulation up to a time, that included, and returns what happened as text.
func playTo(s *Simulation, until Millis) (events []string) {
	for {
		at, ok := s.Next()
		if !ok || at > until {
			return events
		}
		for _, e := range s.StepBefore(until+1, false) {
			events = append(events, fmt.Sprintf("%d %s %d %s", e.At, e.Kind, e.Base, e.Reason))
		}
	}
}

// bases are the base offsets of the local log's segments.
func bases(s *Simulation) (b []Offset) {
	for _, f := range s.Directory().Segments {
		if f.Log >= 0 {
			b = append(b, f.Base)
		}
	}
	return b
}

// Reference: rules E32, E33, E34: local retention with what is said to be copied, and no remote half.
func TestE32LocalRetentionOfWhatIsCopied(t *testing.T) {
	for _, c := range []struct {
		copied Offset
		after  []Offset
	}{{-1, []Offset{0, 1, 2, 3}}, {1, []Offset{2, 3}}, {2, []Offset{3, 4}}, {3, []Offset{4}}} {
		s := small(func(p *Plan) {
			p.Log.LocalRetentionMs = 1000
			p.Broker.InitialTaskDelay, p.Broker.RetentionCheckInterval = 10_000, Day
			p.Steps = &StepList{{0, one300}, {0, one300}, {0, one300}, {0, one300}, {1, CopiedTo{c.copied}}}
		})
		playTo(s, 10_000)
		assert.Equal(t, c.after, bases(s), "copied %d", c.copied)
		start, _, _, _ := s.Offsets()
		assert.Zero(t, start)
	}
}

func TestE33LoneActiveSegmentIsRolled(t *testing.T) {
	s := small(func(p *Plan) { p.Log.LocalRetentionMs = 1000 }, 0)
	playTo(s, 3000)
	assert.Equal(t, []Offset{0, 1}, bases(s))
}

func TestE34LocalRetentionBySize(t *testing.T) {
	s := small(func(p *Plan) {
		p.Log.LocalRetentionBytes = 300
		p.Steps = &StepList{{0, one300}, {0, one300}, {0, one300}, {0, one300}, {1, CopiedTo{2}}}
	})
	playTo(s, 1000)
	assert.Equal(t, []Offset{3}, bases(s))
	assert.EqualValues(t, 300, s.Usage().Log)
}

// Reference: rules E35: up to 4.3 the last copied segment counts as only local when it has one record.
func TestE35OnlyLocalBytes(t *testing.T) {
	for version, want := range map[Version]Bytes{V4_3: 600, V4_4: 300} {
		s := small(func(p *Plan) {
			p.Version, p.Remote = version, &RemoteConfig{TaskInterval: Day, CopyQuota: math.MaxInt64}
		}, 0, 0, 0)
		playTo(s, 0)
		s.log.copied = 1
		assert.Equal(t, want, s.onlyLocal(), "%v", version)
	}
}

// The copy task takes closed segments at its beat, oldest first, one after the other, and its next beat comes an interval
// after it is done.
func TestCopyTaskBeats(t *testing.T) {
	s := small(func(p *Plan) {
		p.Remote = &RemoteConfig{TaskInterval: 100, UploadLatency: 30, CopyQuota: math.MaxInt64}
	}, 10, 20, 30, 40, 250)
	assert.Equal(t, []string{
		"20 roll 1 segment.bytes", "30 roll 2 segment.bytes", "40 roll 3 segment.bytes",
		"100 copy_started 0 ", "130 copy_finished 0 ", "130 copy_started 1 ", "160 copy_finished 1 ", "160 copy_started 2 ",
		"190 copy_finished 2 ", "250 roll 4 segment.bytes",
		"290 copy_started 3 ", "320 copy_finished 3 ",
	}, playTo(s, 500))
	assert.EqualValues(t, 1200, s.Usage().Remote)
}

// Nothing at or above the last stable offset is copied, and so nothing of it is deleted locally.
func TestHangingTransaction(t *testing.T) {
	s := small(func(p *Plan) {
		p.Remote = &RemoteConfig{TaskInterval: 100, CopyQuota: math.MaxInt64}
		p.Log.LocalRetentionMs = 0
		p.Steps = &StepList{{10, one300}, {20, one300}, {25, LastStable{-2}}, {30, one300}, {40, one300}, {5000, LastStable{-1}}}
	})
	playTo(s, 4999)
	assert.EqualValues(t, 2, s.LastStable())
	assert.Len(t, s.RemoteSegments(), 2)
	assert.Equal(t, []Offset{2, 3}, bases(s))
	playTo(s, 7000)
	assert.Len(t, s.RemoteSegments(), 4)
	assert.Equal(t, []Offset{4}, bases(s))
}

// A store that is down: each beat tries the oldest segment once, and fails; what is not copied stays, past retention.ms.
// When it is back all is copied in one run, and the failed attempts are deleted in their turn.
func TestOutage(t *testing.T) {
	s := small(func(p *Plan) {
		p.Remote = &RemoteConfig{TaskInterval: 1000, CopyQuota: math.MaxInt64}
		p.Log.RetentionMs, p.Log.LocalRetentionMs = 10_000, 2_000
		p.Steps = &StepList{{10, one300}, {20, one300}, {1500, RemoteStore{Never}}, {1600, one300}, {1700, one300}, {20_500, RemoteStore{}}}
	})
	events := playTo(s, 2000)
	assert.Equal(t, []string{
		"20 roll 1 segment.bytes", "1000 copy_started 0 ", "1000 copy_finished 0 ", "1500 remote_down -1 ", "1600 roll 2 segment.bytes",
		"1700 roll 3 segment.bytes", "2000 copy_started 1 ", "2000 remote_delete_started 1 copy failed",
	}, events)
	playTo(s, 20_000)
	assert.Equal(t, []Offset{1, 2, 3}, bases(s))
	assert.EqualValues(t, 300, s.Usage().Remote, "past retention.ms, for its deletion fails")
	playTo(s, 40_000)
	assert.Zero(t, s.Usage().Remote)
	assert.Empty(t, s.RemoteSegments())
	assert.Equal(t, []Offset{4}, bases(s))
}

// In an outage that never ends every beat fails once more; no run of the expiration task lists what failed before, which would
// take a time that grows with the square of the outage's. When the store is back all of it is deleted.
func TestOutageThatNeverEndsIsQuick(t *testing.T) {
	failed := func(s *Simulation) (n int) {
		for _, g := range s.RemoteSegments() {
			if g.Failed {
				n++
			}
		}
		return n
	}
	s := NewSimulation(scenario(t, "remote.storage.enable", "true", "retention.ms", "2d", "horizon", "16d", "steps", "1d remote-down; 10d remote-up").Plan())
	most, looked := 0, false
	for {
		at, ok := s.Next()
		if !ok {
			break
		}
		s.Step()
		if at >= 9*Day && !looked {
			looked = true
			assert.Equal(t, failed(s), s.remote.failures)
			assert.Greater(t, s.remote.failures, 8*2800)
		}
		if at < 10*Day {
			most = max(most, len(s.remote.doomed))
		}
	}
	assert.True(t, looked)
	assert.Less(t, most, 100, "the segments of a day")
	assert.Zero(t, failed(s), "deleted, 100 ms for each")
}

// Reference: rules 7.2: of 4.4 the lags by time and by size; the first segment that is not eligible stops the run.
func TestCopyLag(t *testing.T) {
	for _, c := range []struct {
		ms    Millis
		bytes Bytes
		local Millis
		at    string
	}{
		{0, -1, -2, "100 copy_started 0 "}, {5000, 0, -2, "100 copy_started 0 "}, {5000, -1, 7000, "5100 copy_started 0 "},
		{-1, -1, 7000, "7100 copy_started 0 "}, {5000, 900, -2, "3100 copy_started 0 "},
	} {
		s := small(func(p *Plan) {
			p.Version, p.Log.CopyLagMs, p.Log.CopyLagBytes, p.Log.LocalRetentionMs = V4_4, c.ms, c.bytes, c.local
			p.Remote = &RemoteConfig{TaskInterval: 100, CopyQuota: math.MaxInt64}
			p.Broker.InitialTaskDelay = Day
		}, 10, 20, 1000, 3050)
		var first string
		for _, e := range playTo(s, 9000) {
			var at Millis
			var kind string
			if _, _ = fmt.Sscanf(e, "%d %s", &at, &kind); kind == "copy_started" {
				first = e
				break
			}
		}
		assert.Equal(t, c.at, first, "%+v", c)
	}
}

// Reference: rules 7.2, RLMQuotaManager: a copy waits while the mean of the last seconds is over the quota.
func TestCopyQuota(t *testing.T) {
	s := small(func(p *Plan) { p.Remote = &RemoteConfig{TaskInterval: 100, CopyQuota: 20} }, 10, 20, 30, 40)
	got := playTo(s, 60_000)
	var started []string
	for _, e := range got {
		var at Millis
		var kind string
		if _, _ = fmt.Sscanf(e, "%d %s", &at, &kind); kind == "copy_started" {
			started = append(started, fmt.Sprint(int64(at)))
		}
	}
	assert.Equal(t, []string{"100", "11100", "22100"}, started)
}

// Reference: rules 7.5: the log start offset moves before the deletions, which come one by one.
func TestRemoteExpiryByTime(t *testing.T) {
	s := small(func(p *Plan) {
		p.Remote = &RemoteConfig{TaskInterval: 1000, DeleteLatency: 10, CopyQuota: math.MaxInt64}
		p.Log.RetentionMs, p.Log.LocalRetentionMs = 5000, 1000
	}, 0, 1, 2, 8000)
	events := playTo(s, 6000)
	assert.Equal(t, "6000 remote_delete_started 0 retention.ms", events[len(events)-1], "not at 5000: the comparison is strict")
	start, _, _, _ := s.Offsets()
	assert.EqualValues(t, 3, start)
	events = playTo(s, 6100)
	assert.Equal(t, []string{
		"6010 remote_delete_finished 0 ", "6010 remote_delete_started 1 retention.ms", "6020 remote_delete_finished 1 ",
		"6020 remote_delete_started 2 retention.ms", "6030 remote_delete_finished 2 ",
	}, events)
}

// recording is a recording of a real broker.
type recording struct {
	Config   map[string]any `json:"config"`
	Workload struct {
		Records int64 `json:"records"`
		Rate    int64 `json:"throughput_rec_s"`
	} `json:"workload"`
	Events []struct {
		T    Millis `json:"t_ms"`
		Kind string `json:"kind"`
		Base Offset `json:"base_offset"`
	} `json:"events"`
	Ticks []struct {
		T        Millis `json:"t_ms"`
		Size     Bytes  `json:"size"`
		Segments []struct {
			Base    Offset `json:"base_offset"`
			Log     Bytes  `json:"log_bytes"`
			Deleted bool   `json:"deleted_suffix"`
		} `json:"segments"`
		RemoteSegments int64 `json:"remote_segments"`
		Remote         Bytes `json:"remote_log_bytes"`
		RemoteStored   Bytes `json:"remote_total_bytes"`
		Metadata       Bytes `json:"rlmm_log_bytes"`
	} `json:"ticks"`
}

func record(t *testing.T, name string) (r recording) {
	t.Helper()
	data, err := os.ReadFile("testdata/golden/recorded/" + name + ".json")
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &r))
	return r
}

// asRecorded plays a recording: segments of the bytes and offsets that were measured, each as one batch that comes when the
// broker rolled, with timestamps from then to the next roll. The checks are put to the phase of the recording.
func asRecorded(r recording, check, beat, last, gone Millis) (*Simulation, *remoteCourse) {
	p := Plan{Log: DefaultLogConfig(), Broker: DefaultBrokerConfig(), Version: V4_3, Epoch: Epoch, Until: 500_000}
	for key, v := range r.Config {
		text := fmt.Sprint(v)
		if n, ok := v.(float64); ok {
			text = fmt.Sprint(int64(n))
		}
		_, _ = p.Log.Set(key, text)
	}
	p.Broker.InitialTaskDelay, p.Broker.RetentionCheckInterval = check, 10_000
	p.Remote = &RemoteConfig{TaskInterval: 5000, UploadLatency: 100, DeleteLatency: 50, CopyQuota: math.MaxInt64}
	sizes := map[Offset]Bytes{}
	for _, tick := range r.Ticks {
		for _, g := range tick.Segments {
			sizes[g.Base] = max(sizes[g.Base], g.Log)
		}
	}
	rolls := []Offset{0}
	at := []Millis{1000}
	for _, e := range r.Events {
		if e.Kind == "roll" {
			rolls, at = append(rolls, e.Base), append(at, e.T)
		}
	}
	steps := StepList{{beat, CopyEvery{5000}}}
	for i, base := range rolls {
		end, until := Offset(r.Workload.Records), last
		if i+1 < len(rolls) {
			end, until = rolls[i+1], min(at[i+1], last)
		}
		if end == base {
			continue
		}
		a := one300
		a.Batch, a.Records = sizes[base], int64(end-base)
		a.Timestamp = Timestamp{Kind: FixedTimestamp, From: until}
		a.Producer = 0
		steps = append(steps, Step{at[i], a})
	}
	if gone > 0 {
		steps = append(steps, Step{gone, DeleteTopic{}})
	}
	p.Log.TimestampAfterMax, p.Log.MaxMessageBytes = Never, math.MaxInt32
	p.Log.SegmentBytes = 1 << 20
	p.Steps = &steps
	s := NewSimulation(p)
	course := &remoteCourse{}
	s.remote.course = course
	return s, course
}

// Recordings of real brokers agree in what happens to each segment, in which order, and in time within a beat of the tasks
// (5 s) and the half second in which the recorder looks; in the bytes of segments, local and remote; in the bytes of events.
//
// Reference: 16a, 16b up to the deletion of its topic, 16j.
func TestRecordedBrokers(t *testing.T) {
	for _, c := range []struct {
		name        string
		check, beat Millis
		last        Millis // of the newest record
		topic       int
		before      Bytes  // in the metadata topic when it began
		gone        Millis // when the topic was deleted; 0: not
	}{
		{"16a_tiered_broker", 37_300, 2900, 201_000, len("tiered"), 0, 0},
		{"16b_tiered_topic_delete", 24_600, 3900, 21_000, 4, 6314, 46_500},
		{"16j_tiered_retention_bytes", 30_000, 4900, 101_500, len("tbytes"), 10_920, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := record(t, c.name)
			s, course := asRecorded(r, c.check, c.beat, c.last, c.gone)
			type what struct {
				kind string
				base Offset
			}
			got, order := map[what]Millis{}, map[string][]Offset{}
			names := map[EventKind]string{Delete: "retention_delete", Remove: "file_deleted", CopyFinished: "remote_copy_visible",
				RemoteDeleteFinished: "remote_delete", Roll: "roll"}
			for {
				if _, ok := s.Next(); !ok {
					break
				}
				for _, e := range s.Step() {
					if n := names[e.Kind]; n != "" {
						got[what{n, e.Base}] = e.At
						order[n] = append(order[n], e.Base)
					}
				}
			}
			const sampling = 600
			recorded := map[string][]Offset{}
			for _, e := range r.Events {
				if c.gone > 0 && e.T > c.gone && e.Kind != "remote_delete" {
					continue // the directory is renamed
				}
				recorded[e.Kind] = append(recorded[e.Kind], e.Base)
				at, ok := got[what{e.Kind, e.Base}]
				if assert.True(t, ok, "%s %d", e.Kind, e.Base) {
					assert.InDelta(t, int64(e.T), int64(at), 5000+sampling, "%s %d", e.Kind, e.Base)
				}
			}
			assert.Equal(t, recorded, order)

			end := r.Ticks[len(r.Ticks)-1]
			assert.Equal(t, end.Size, s.Usage().Log)
			assert.Equal(t, end.Remote, s.Usage().Remote)
			assert.Equal(t, end.RemoteSegments, s.Usage().RemoteSegments)
			if c.name[:3] == "16j" {
				// Its 128 or so batches a segment make index files that the one batch here does not.
				assert.Less(t, s.Usage().RemoteStored, end.RemoteStored)
			}
			_, events := course.done(EventShape{Topic: c.topic, Epochs: 1, TxnTag: true}, s.plan.Until).Events()
			if c.gone > 0 {
				// The ten events of the deletion came within the producer's linger, and share batches.
				events += 812 - 10*EventShape{Topic: c.topic}.Batch(DeleteSegmentStarted)
			}
			assert.Equal(t, end.Metadata-c.before, events)
		})
	}
}

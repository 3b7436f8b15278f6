package trace

import (
	"strings"
	"testing"

	"github.com/partsize/partsize/calc"
)

// Each kind of value that differs is found, once, and nothing else is.
func TestCompareFindsEachMutation(t *testing.T) {
	files := golden(t)
	type mutation struct {
		name   string
		file   string
		change func(*Trace)
		want   string
	}
	tiered, plain := "random-0001.json", "25_clean_restart.json"
	mutations := []mutation{
		{"description", plain, func(x *Trace) { x.Description = "other" }, ""},
		{"version", plain, func(x *Trace) { x.KafkaVersion = "4.4.0" }, ""},
		{"until", plain, func(x *Trace) { x.Until++ }, "t=0 scenario until_ms: want 520000, got 520001"},
		{"topic", plain, func(x *Trace) { x.Topic[0].Text = "7" }, `t=0 scenario topic segment.bytes: want "1048576", got "7"`},
		{"topic missing", plain, func(x *Trace) { x.Topic = x.Topic[1:] }, `t=0 scenario topic segment.bytes: want "1048576", got nothing`},
		{"broker", plain, func(x *Trace) { x.Broker[1].Text = "7" }, `t=0 scenario broker log.initial.task.delay.ms: want "30000", got "7"`},
		{"step", plain, func(x *Trace) { x.Steps[1].Do = calc.Restart{Down: 7} },
			`t=250000 steps[1]: want {"at":250000,"restart":{"down_ms":10000,"clean":true}}, got {"at":250000,"restart":{"down_ms":7,"clean":true}}`},
		{"step missing", plain, func(x *Trace) { x.Steps = without(x.Steps, 2) },
			`t=260000 steps[2]: want {"at":260000,"append":{"every":1000,"count":240,"records":10,"key":10,"value":1000,"batch":10251,"timestamp":"append","role":"leader"}}, got nothing`},

		{"event time", tiered, func(x *Trace) { x.Events[4].T++ }, "t=3300000 events[4] roll 12 t: want 3300000, got 3300001"},
		{"event kind", tiered, func(x *Trace) { x.Events[4].Kind = "delete" }, `t=3300000 events[4] roll 12 kind: want "roll", got "delete"`},
		{"event base", tiered, func(x *Trace) { x.Events[4].Base++ }, "t=3300000 events[4] roll 12 base: want 12, got 13"},
		{"event without base", tiered, func(x *Trace) { x.Events[4].Base, x.Events[4].HasBase = 0, false },
			"t=3300000 events[4] roll 12 base: want 12, got nothing"},
		{"event reason", tiered, func(x *Trace) { x.Events[4].Reason = "segment.ms" },
			`t=3300000 events[4] roll 12 reason: want "retention", got "segment.ms"`},
		{"event missing", tiered, func(x *Trace) { x.Events = without(x.Events, 4) },
			`t=3300000 events[4]: want {"t":3300000,"kind":"roll","base":12,"reason":"retention"}, got nothing`},
		{"first event missing", tiered, func(x *Trace) { x.Events = x.Events[1:] },
			`t=300000 events[0]: want {"t":300000,"kind":"roll","base":6,"reason":"retention"}, got nothing`},
		{"event too many", tiered, func(x *Trace) { x.Events = append(x.Events[:4:4], x.Events[3:]...) },
			`t=900000 events: want nothing, got {"t":900000,"kind":"removed","base":0}`},
		{"events out of order", tiered, func(x *Trace) { x.Events[0], x.Events[1] = x.Events[1], x.Events[0] }, "*"},

		{"sample time", tiered, func(x *Trace) { x.Samples[4].T++ }, "t=600000 samples[4] events t: want 600000, got 600001"},
		{"sample why", tiered, func(x *Trace) { x.Samples[4].Why = "step" }, `t=600000 samples[4] events why: want "events", got "step"`},
		{"sample missing", tiered, func(x *Trace) { x.Samples = without(x.Samples, 4) },
			"t=600000 samples[4]: want a sample, events, got nothing"},
		{"last sample missing", plain, func(x *Trace) { x.Samples = x.Samples[:len(x.Samples)-1] },
			"t=520000 samples[17]: want a sample, end, got nothing"},
		{"log start", tiered, func(x *Trace) { x.Samples[4].LogStart++ }, "t=600000 samples[4] events log_start: want 0, got 1"},
		{"local start", tiered, func(x *Trace) { x.Samples[4].LocalStart++ }, "t=600000 samples[4] events local_start: want 6, got 7"},
		{"local start missing", tiered, func(x *Trace) { x.Samples[4].LocalStart = -1 },
			"t=600000 samples[4] events local_start: want 6, got -1"},
		{"log end", tiered, func(x *Trace) { x.Samples[4].LogEnd++ }, "t=600000 samples[4] events log_end: want 6, got 7"},
		{"size", tiered, func(x *Trace) { x.Samples[4].Size++ }, "t=600000 samples[4] events size: want 0, got 1"},
		{"apparent", tiered, func(x *Trace) { x.Samples[4].Apparent++ }, "t=600000 samples[4] events apparent: want 2378, got 2379"},
		{"allocated", tiered, func(x *Trace) { x.Samples[4].Allocated++ }, "t=600000 samples[4] events allocated: want 20480, got 20481"},
		{"allocated less", tiered, func(x *Trace) { x.Samples[4].Allocated -= 4096 },
			"t=600000 samples[4] events allocated: want 20480, got 16384"},
		{"no rows", tiered, func(x *Trace) { x.Samples[4].HasRows = false },
			"t=600000 samples[4] events rows: want the files of each segment, got nothing"},
		{"log", tiered, func(x *Trace) { x.Samples[4].Segments[0][1]++ },
			"t=600000 samples[4] events segment 6 .log: want 0 bytes, got 1 bytes"},
		{"index", tiered, func(x *Trace) { x.Samples[4].Deleted[0][2]++ },
			"t=600000 samples[4] events deleted segment 0 .index: want 0 bytes, got 1 bytes"},
		{"time index", tiered, func(x *Trace) { x.Samples[4].Segments[0][3] = -1 },
			"t=600000 samples[4] events segment 6 .timeindex: want 84 bytes, got no file"},
		{"transaction index", tiered, func(x *Trace) { x.Samples[4].Segments[0][4] = 34 },
			"t=600000 samples[4] events segment 6 .txnindex: want no file, got 34 bytes"},
		{"snapshot", tiered, func(x *Trace) { x.Samples[4].Segments[0][5] = -1 },
			"t=600000 samples[4] events segment 6 .snapshot: want 10 bytes, got no file"},
		{"segment base", tiered, func(x *Trace) { x.Samples[4].Segments[0][0]++ }, "*"},
		{"segment missing", tiered, func(x *Trace) { x.Samples[4].Segments = nil },
			"t=600000 samples[4] events segment 6: want .log 0, .timeindex 84, .snapshot 10, got nothing"},
		{"segment too many", tiered, func(x *Trace) { x.Samples[4].Segments = append(x.Samples[4].Segments, Row{9, 1, -1, -1, -1, -1}) },
			"t=600000 samples[4] events segment 9: want nothing, got .log 1"},
		{"deleted missing", tiered, func(x *Trace) { x.Samples[4].Deleted = nil },
			"t=600000 samples[4] events deleted segment 0: want .log 2221, .index 0, .timeindex 12, got nothing"},
		{"other", tiered, func(x *Trace) { x.Samples[4].Other[0].Size++ },
			"t=600000 samples[4] events leader-epoch-checkpoint: want 8 bytes, got 9 bytes"},
		{"other missing", tiered, func(x *Trace) { x.Samples[4].Other = x.Samples[4].Other[:1] },
			"t=600000 samples[4] events partition.metadata: want 43 bytes, got no file"},
		{"other too many", tiered, func(x *Trace) { x.Samples[4].Other = append(x.Samples[4].Other, File{"x.tmp", 1}) },
			"t=600000 samples[4] events x.tmp: want no file, got 1 bytes"},
	}
	for _, m := range mutations {
		want, got := decode(t, files[m.file]), decode(t, files[m.file])
		m.change(got)
		found := Compare(want, got)
		switch {
		case m.want == "*":
			if len(found) == 0 {
				t.Errorf("%s: not found", m.name)
			}
		case m.want == "":
			if len(found) > 0 {
				t.Errorf("%s: found %v", m.name, found)
			}
		case len(found) != 1 || found[0].String() != m.want:
			t.Errorf("%s:\nfound %v\nwant  %v", m.name, found, m.want)
		}
		m.change(want)
		if found := Compare(want, got); m.want != "*" && len(found) > 0 {
			t.Errorf("%s, in both: found %v", m.name, found)
		}
	}
}

func without[T any](list []T, i int) []T { return append(list[:i:i], list[i+1:]...) }

// Rows that the recorder left out are not compared; totals are.
func TestCompareWithoutRows(t *testing.T) {
	files := golden(t)
	want, got := decode(t, files["random-0001.json"]), decode(t, files["random-0001.json"])
	want.Samples[4].HasRows = false
	got.Samples[4].Segments = nil
	if found := Compare(want, got); len(found) > 0 {
		t.Error(found)
	}
	got.Samples[4].Size++
	if found := Compare(want, got); len(found) != 1 {
		t.Error(found)
	}
}

// Allocated bytes may be more than computed by one block for each .log above 512 MiB, in whole blocks, and never less.
func TestCompareExtentBlocks(t *testing.T) {
	const large, small = 512<<20 + 1, 512 << 20
	tests := []struct {
		excess         calc.Bytes
		large, deleted int
		ok             bool
	}{
		{0, 0, 0, true},
		{4096, 0, 0, false},
		{4096, 1, 0, true},
		{4096, 0, 1, true},
		{8192, 1, 0, false},
		{8192, 1, 1, true},
		{8192, 2, 0, true},
		{12288, 1, 1, false},
		{4095, 1, 0, false},
		{1, 1, 0, false},
		{-4096, 2, 2, false},
	}
	for _, test := range tests {
		want := Sample{Allocated: 1<<30 + test.excess, HasRows: true, Segments: []Row{{0, small, 0, 0, -1, -1}}}
		for i := range test.large {
			want.Segments = append(want.Segments, Row{int64(i) + 1, large, 0, 0, -1, -1})
		}
		for i := range test.deleted {
			want.Deleted = append(want.Deleted, Row{int64(i) + 1, large, 0, 0, -1, -1})
		}
		got := want
		got.Allocated = 1 << 30
		w, g := &Trace{Samples: []Sample{want}}, &Trace{Samples: []Sample{got}}
		if found := Compare(w, g); (len(found) == 0) != test.ok {
			t.Errorf("%+v: %v", test, found)
		}
		w.Samples[0].HasRows = false
		if found := Compare(w, g); (len(found) == 0) != test.ok {
			t.Errorf("%+v without rows: %v", test, found)
		}
		if found := CompareFiles(w, g); len(found) > 0 {
			t.Errorf("%+v: %v although blocks are not compared", test, found)
		}
	}
}

// A trace that goes wrong early is compared to its end, and the list of differences does not grow without limit.
func TestCompareManyDifferences(t *testing.T) {
	files := golden(t)
	want, got := decode(t, files["05a_retention_ms_steady.json"]), decode(t, files["05a_retention_ms_steady.json"])
	for i := range got.Events {
		got.Events[i].T += 7
	}
	found := Compare(want, got)
	if len(found) != len(want.Events) || !strings.Contains(found[0].String(), " t: want ") {
		t.Errorf("%d differences for %d events, first %v", len(found), len(want.Events), found[0])
	}
	for len(want.Events) < 5000 {
		want.Events = append(want.Events, want.Events...)
	}
	if n := len(Compare(want, &Trace{})); n < 1000 || n > 1100 {
		t.Errorf("%d differences", n)
	}
}

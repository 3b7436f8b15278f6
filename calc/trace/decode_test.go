package trace

import (
	"fmt"
	"strings"
	"testing"

	"github.com/partsize/partsize/calc"
)

// document is a scenario with other fields in place of some of its own; "" leaves one out.
func document(fields map[string]string) string {
	own := map[string]string{
		"format": `"kafka-log-scenario/1"`, "name": `"x"`, "until_ms": `100000`, "steps": `[]`,
	}
	for key, value := range fields {
		own[key] = value
	}
	var parts []string
	for _, key := range []string{"format", "kafka_version", "name", "description", "epoch_ms", "topic", "broker", "order",
		"sample_every_ms", "until_ms", "stop_after_events", "row_limit", "steps", "events", "samples", "extra"} {
		if own[key] != "" {
			parts = append(parts, fmt.Sprintf("%q: %s", key, own[key]))
		}
	}
	return "{" + strings.Join(parts, ",\n") + "}"
}

func steps(list ...string) string {
	return document(map[string]string{"steps": "[" + strings.Join(list, ",\n") + "]"})
}

func topic(settings string) string { return document(map[string]string{"topic": settings}) }

// traceWith is a trace with these events and samples.
func traceWith(events, samples string) string {
	return document(map[string]string{"format": `"kafka-log-trace/1"`, "kafka_version": `"4.3.1"`, "topic": `{}`,
		"events": events, "samples": samples})
}

func TestDecodeErrors(t *testing.T) {
	const sample = `"t":0,"why":"end","log_start":0,"log_end":0,"size":0,"apparent":0,"allocated":0`
	tests := []struct{ name, text, want string }{
		{"nothing", "", "expected an object (line 1)"},
		{"not an object", "[]", "expected an object (line 1)"},
		{"cut off", `{"format": "kafka-log-scen`, "format: text without its closing quote (line 1)"},
		{"more after it", document(nil) + "{}", "more text after the end (line 4)"},
		{"a zero byte after it", document(nil) + "\x00", "more text after the end (line 4)"},
		{"not UTF-8", "{\"\xff", "not UTF-8 text"},
		{"a comma too many", `{"name": "x",}`, "expected a field name in quotes (line 1)"},
		{"no colon", `{"name" "x"}`, "name: expected ':' after the field name (line 1)"},
		{"no comma", `{"name": "x" "y"}`, "expected ',' or '}' (line 1)"},
		{"control character", "{\"name\": \"x\ty\"}", "name: a control character in text (line 1)"},
		{"unknown escape", `{"name": "\x41"}`, "name: an escape that JSON does not have (line 1)"},
		{"half a surrogate", `{"description": "\ud800x"}`, "description: an escape that JSON does not have (line 1)"},
		{"other format", document(map[string]string{"format": `"other/1"`}),
			`format: expected "kafka-log-scenario/1" or "kafka-log-trace/1" (line 1)`},
		{"no format", document(map[string]string{"format": ""}), `"format" is missing (line 3)`},
		{"no name", document(map[string]string{"name": ""}), `"name" is missing (line 3)`},
		{"no steps", document(map[string]string{"steps": ""}), `"steps" is missing (line 3)`},
		{"no end", document(map[string]string{"until_ms": ""}), `"until_ms" is missing (line 3)`},
		{"name", document(map[string]string{"name": `"a/b"`}), "name: use letters, digits, '.', '_' and '-' only (line 2)"},
		{"empty name", document(map[string]string{"name": `""`}), "name: is empty (line 2)"},
		{"twice", `{"name": "x", "name": "x"}`, "name: given twice (line 1)"},
		{"unknown field", document(map[string]string{"extra": "1"}), "extra: unknown field (line 5)"},
		{"field of a trace", document(map[string]string{"events": "[]"}), "events: has no place in kafka-log-scenario/1"},
		{"fraction", document(map[string]string{"until_ms": "1.5"}), "until_ms: expected a whole number (line 3)"},
		{"exponent", document(map[string]string{"until_ms": "1e3"}), "until_ms: expected a whole number (line 3)"},
		{"leading zero", document(map[string]string{"until_ms": "01"}), "until_ms: expected a whole number (line 3)"},
		{"text for a number", document(map[string]string{"until_ms": `"1"`}), "until_ms: expected a whole number (line 3)"},
		{"null", document(map[string]string{"until_ms": "null"}), "until_ms: expected a whole number (line 3)"},
		{"negative", document(map[string]string{"until_ms": "-1"}), "until_ms: -1 is not between 0 and 9223372036854775807 (line 3)"},
		{"2^63", document(map[string]string{"until_ms": "9223372036854775808"}), "until_ms: 9223372036854775808 does not fit in 64 bits (line 3)"},
		{"many digits", document(map[string]string{"until_ms": strings.Repeat("9", 1000)}),
			"until_ms: 9999999999999999999999999999…9999999999999999999999999999 does not fit in 64 bits (line 3)"},
		{"end of time", document(map[string]string{"until_ms": "9223372036854775807"}), "until_ms: ends after the last time there is"},
		{"samples for ever", document(map[string]string{"sample_every_ms": "1", "until_ms": "1000000000"}),
			"sample_every_ms: 1 ms come 1000000000 times until 1000000000 ms; at most 1000000 times"},
		{"checks for ever", document(map[string]string{"broker": `{"log.retention.check.interval.ms": 1}`, "until_ms": "1000000000"}),
			"broker.log.retention.check.interval.ms: 1 ms come 1000000000 times until 1000000000 ms; at most 100000000 times"},

		{"nested setting", topic(`{"segment.bytes": {}}`), "topic.segment.bytes: expected a number, true, false or text (line 3)"},
		{"setting null", topic(`{"segment.bytes": null}`), "topic.segment.bytes: expected a number, true, false or text (line 3)"},
		{"setting fraction", topic(`{"segment.bytes": 1.5}`), "topic.segment.bytes: expected a whole number (line 3)"},
		{"setting twice", topic(`{"segment.bytes": 1, "segment.bytes": 2}`), "topic.segment.bytes: given twice (line 3)"},
		{"setting text", topic(`{"segment.bytes": "1 GiB"}`), `topic.segment.bytes: "1 GiB" is not a whole number`},
		{"setting below", topic(`{"segment.bytes": 0}`), "topic.segment.bytes: 0 is not between 1 and 2147483647"},
		{"setting above", topic(`{"segment.bytes": 2147483648}`), "topic.segment.bytes: 2147483648 is not between 1 and 2147483647"},
		{"setting too long", topic(`{"retention.ms": 9223372036854775808}`), "topic.retention.ms: 9223372036854775808 does not fit in 64 bits"},
		{"retention.ms", topic(`{"retention.ms": -2}`), "topic.retention.ms: -2 is not between -1 and 9223372036854775807"},
		{"flag", topic(`{"preallocate": "yes"}`), `topic.preallocate: "yes" is neither true nor false`},
		{"policy", topic(`{"cleanup.policy": "shred"}`), `topic.cleanup.policy: "shred" is neither compact nor delete`},
		{"timestamp type", topic(`{"message.timestamp.type": 1}`), `topic.message.timestamp.type: "1" is neither CreateTime nor LogAppendTime`},
		{"broker setting", document(map[string]string{"broker": `{"log.retention.check.interval.ms": 0}`}),
			"broker.log.retention.check.interval.ms: 0 is not between 1 and 9223372036854775807"},

		{"nothing to do", steps(`{"at": 0}`), `steps[0]: a step has "at" and exactly one thing to do (line 4)`},
		{"two things to do", steps(`{"at": 0, "copied_to": 1, "copy_every": 1}`), `steps[0]: a step has "at" and exactly one thing to do (line 4)`},
		{"no time", steps(`{"copied_to": 1}`), `steps[0]: a step has "at" and exactly one thing to do (line 4)`},
		{"unknown step", steps(`{"at": 0, "explode": true}`), "steps[0].explode: unknown field (line 4)"},
		{"out of order", steps(`{"at": 7, "copied_to": 1}`, `{"at": 5, "copied_to": 1}`),
			"steps[1].at: steps must be in time order, 5 comes after 7"},
		{"after the end", steps(`{"at": 100001, "copied_to": 1}`), "steps[0].at: 100001 is after the end at 100000"},
		{"unclean", steps(`{"at": 0, "restart": {"down_ms": 1, "clean": false}}`),
			"steps[0].restart.clean: only clean restarts can be recorded (line 4)"},
		{"down beyond the end", steps(`{"at": 1, "restart": {"down_ms": 100000}}`),
			"steps[0].restart.down_ms: 100000 is more than is left until the end"},
		{"step while down", steps(`{"at": 0, "restart": {"down_ms": 10}}`, `{"at": 9, "copied_to": 1}`),
			"steps[1]: the broker is down until 10"},
		{"no down time", steps(`{"at": 0, "restart": {}}`), `steps[0].restart: "down_ms" is missing (line 4)`},
		{"after the topic", steps(`{"at": 0, "delete_topic": true}`, `{"at": 9, "copied_to": 1}`), "steps[1]: the topic is deleted"},
		{"delete not", steps(`{"at": 0, "delete_topic": false}`), "steps[0].delete_topic: expected true (line 4)"},
		{"before what", steps(`{"at": 0, "delete_records": {}}`), `steps[0].delete_records: "before" is missing (line 4)`},
		{"high watermark", steps(`{"at": 0, "high_watermark": "low"}`),
			`steps[0].high_watermark: expected "follow", "freeze" or an offset (line 4)`},
		{"copies for ever", document(map[string]string{"until_ms": "1000000000", "steps": `[{"at": 0, "copy_every": 1}]`}),
			"steps[0].copy_every: 1 ms come 1000000000 times until 1000000000 ms; at most 100000000 times"},
		{"changed setting", steps(`{"at": 0, "configure": {"segment.ms": 0}}`),
			"steps[0].configure.segment.ms: 0 is not between 1 and 9223372036854775807"},

		{"no value", steps(`{"at": 0, "append": {}}`), `steps[0].append: "value" is missing (line 4)`},
		{"no interval", steps(`{"at": 0, "append": {"value": 1, "count": 2}}`), `steps[0].append: "every" is missing (line 4)`},
		{"no calls", steps(`{"at": 0, "append": {"value": 1, "count": 0}}`), "steps[0].append.count: 0 is not between 1 and 2147483647 (line 4)"},
		{"no values", steps(`{"at": 0, "append": {"value": []}}`), "steps[0].append.value: expected at least one number (line 4)"},
		{"bad value", steps(`{"at": 0, "append": {"value": [1, -2]}}`), "steps[0].append.value[1]: -2 is not between -1 and 2147483647 (line 4)"},
		{"role", steps(`{"at": 0, "append": {"value": 1, "role": "king"}}`), `steps[0].append.role: expected "leader" or "follower" (line 4)`},
		{"leader's batches", steps(`{"at": 0, "append": {"value": 1, "batches": 2}}`),
			`steps[0].append: "batches" and "offset" are for followers (line 4)`},
		{"leader's offset", steps(`{"at": 0, "append": {"value": 1, "offset": 2}}`),
			`steps[0].append: "batches" and "offset" are for followers (line 4)`},
		{"sizes and values", steps(`{"at": 0, "append": {"value": [1, 2], "batch": 70}}`),
			"steps[0].append: 1 sizes of batches for 2 values (line 4)"},
		{"tiny batch", steps(`{"at": 0, "append": {"value": 1, "batch": 60}}`),
			"steps[0].append.batch: 60 is not between 61 and 2147483647 (line 4)"},
		{"large call", steps(`{"at": 0, "append": {"value": 2000000000, "role": "follower", "batches": 2}}`),
			"steps[0].append: a call of 4000000152 bytes; Kafka takes at most 2147483647"},
		{"large call of a cycle", steps(`{"at": 0, "append": {"value": [1, 1, 2000000000], "batch": [100, 200, 2000000000], "role": "follower", "batches": 5}}`),
			"steps[0].append: a call of 4000000500 bytes; Kafka takes at most 2147483647"},
		{"too many records", steps(`{"at": 0, "append": {"value": 1, "role": "follower", "offset": 4611686018427387904}}`),
			"steps[0].append: more records than there are offsets"},
		{"last call", steps(`{"at": 1, "append": {"value": 1, "count": 3, "every": 4611686018427387904}}`),
			"steps[0].append: the last call comes after the last time there is"},
		{"spread", steps(`{"at": 0, "append": {"value": 1, "records": 3, "spread": 9223372036854775807}}`),
			"steps[0].append: a spread of 9223372036854775807 over 3 records is more than 36028797018963968 (line 4)"},
		{"timestamp word", steps(`{"at": 0, "append": {"value": 1, "timestamp": "now"}}`),
			`steps[0].append.timestamp: expected "append", "none" or an object (line 4)`},
		{"timestamp nothing", steps(`{"at": 0, "append": {"value": 1, "timestamp": {}}}`),
			`steps[0].append.timestamp: expected "fixed", "shift", or "from" and "step" (line 4)`},
		{"timestamp half", steps(`{"at": 0, "append": {"value": 1, "timestamp": {"from": 1}}}`),
			`steps[0].append.timestamp: expected "fixed", "shift", or "from" and "step" (line 4)`},
		{"timestamp both", steps(`{"at": 0, "append": {"value": 1, "timestamp": {"from": 1, "step": 1, "fixed": 2}}}`),
			`steps[0].append.timestamp: expected "fixed", "shift", or "from" and "step" (line 4)`},
		{"timestamp before 1970", steps(`{"at": 0, "append": {"value": 1, "timestamp": {"fixed": -1700000000002}}}`),
			"steps[0].append: batch 0 gets the timestamp 1700000000000-1700000000002; it must be at least -1 and fit in 64 bits"},
		{"timestamp too late", steps(`{"at": 0, "append": {"value": 1, "timestamp": {"shift": 9223372036854775807}}}`),
			"steps[0].append: batch 0 gets the timestamp 1700000000000+9223372036854775807; it must be at least -1 and fit in 64 bits"},
		{"timestamp too late in turn", steps(`{"at": 0, "append": {"value": 1, "count": 3, "every": 5, "timestamp": {"shift": [0, -1700000000007]}}}`),
			"steps[0].append: batch 1 gets the timestamp 1700000000005-1700000000007; it must be at least -1 and fit in 64 bits"},
		{"timestamp steps", steps(`{"at": 0, "append": {"value": 1, "count": 3, "every": 5, "timestamp": {"from": 0, "step": -850000000001}}}`),
			"steps[0].append: batch 2 gets the timestamp 1700000000000-1700000000002; it must be at least -1 and fit in 64 bits"},
		{"timestamp large steps", steps(`{"at": 0, "append": {"value": 1, "count": 3, "every": 5, "timestamp": {"from": 0, "step": 9223372036854775807}}}`),
			"steps[0].append: a step of 9223372036854775807 ms over 3 batches does not fit in 64 bits"},

		{"version", strings.Replace(traceWith("[]", "[]"), "4.3.1", "four", 1), `kafka_version: "four" is not a Kafka release such as 4.3.1 (line 2)`},
		{"no samples", traceWith("[]", ""), `"samples" is missing (line 7)`},
		{"field of a scenario", strings.Replace(traceWith("[]", "[]"), `"kafka_version"`, `"row_limit": 1, "kafka_version"`, 1),
			"row_limit: has no place in kafka-log-trace/1"},
		{"event", traceWith(`[{"t": 0}]`, "[]"), `events[0]: an event has "t" and "kind" (line 7)`},
		{"event kind", traceWith(`[{"t": 0, "kind": "party"}]`, "[]"), `events[0].kind: "party" is no kind of event (line 7)`},
		{"event base", traceWith(`[{"t": 0, "kind": "roll", "base": -1}]`, "[]"),
			"events[0].base: -1 is not between 0 and 9223372036854775807 (line 7)"},
		{"events out of order", traceWith(`[{"t": 7, "kind": "stop"}, {"t": 5, "kind": "start"}]`, "[]"), "events[1].t: 5 comes after 7"},
		{"sample", traceWith("[]", `[{"t": 0}]`), `samples[0]: "why" is missing (line 8)`},
		{"sample why", traceWith("[]", `[{"why": "fun"}]`), `samples[0].why: "fun" is no kind of sample (line 8)`},
		{"sample with some rows", traceWith("[]", `[{`+sample+`, "segments": []}]`),
			`samples[0]: "segments", "deleted" and "other" come together (line 8)`},
		{"short row", traceWith("[]", `[{`+sample+`, "segments": [[0, 1, 2, 3, 4]]}]`), "samples[0].segments[0]: expected 6 numbers (line 8)"},
		{"long row", traceWith("[]", `[{`+sample+`, "segments": [[0, 1, 2, 3, 4, 5, 6]]}]`), "samples[0].segments[0]: more than 6 of them (line 8)"},
		{"negative base", traceWith("[]", `[{`+sample+`, "segments": [[-1, 1, 2, 3, 4, 5]]}]`),
			"samples[0].segments[0][0]: -1 is not between 0 and 9223372036854775807 (line 8)"},
		{"negative size", traceWith("[]", `[{`+sample+`, "segments": [[0, -2, 2, 3, 4, 5]]}]`),
			"samples[0].segments[0][1]: -2 is not between -1 and 9223372036854775807 (line 8)"},
		{"rows out of order", traceWith("[]", `[{`+sample+`, "segments": [[7, 1, 2, 3, 4, 5], [7, 1, 2, 3, 4, 5]]}]`),
			"samples[0].segments[1]: base offset 7 comes after 7 (line 8)"},
		{"samples out of order", traceWith("[]", `[{`+strings.Replace(sample, ":0", ":7", 1)+`}, {`+sample+`}]`), "samples[1].t: 0 comes after 7"},
		{"too deep", traceWith("[]", strings.Repeat("[", 100_000)), "samples[0]: expected an object (line 8)"},
		{"too many fields", topic("{" + manySettings(10_001) + "}"), "topic: more than 10000 fields (line 3)"},
		{"too many steps", steps(strings.Repeat(`{"at":0,"copied_to":1},`, 100_000) + `{"at":0,"copied_to":1}`), "steps: more than 100000 of them"},
	}
	for _, test := range tests {
		_, err := Decode([]byte(test.text))
		switch {
		case err == nil:
			t.Errorf("%s: no error, want %s", test.name, test.want)
		case !strings.HasPrefix(err.Error(), test.want):
			t.Errorf("%s:\n got %v\nwant %s", test.name, err, test.want)
		}
	}
}

func manySettings(n int) string {
	var parts []string
	for i := range n {
		parts = append(parts, fmt.Sprintf(`"key%d": %d`, i, i))
	}
	return strings.Join(parts, ",")
}

// What Decode fills in is what FORMAT.md says.
func TestDecodeDefaults(t *testing.T) {
	got := decode(t, []byte(steps(`{"at": 5, "append": {"value": 10}}`)))
	if got.Log != calc.DefaultLogConfig() || got.Server != calc.DefaultBrokerConfig() {
		t.Errorf("settings are not Kafka's defaults: %+v, %+v", got.Log, got.Server)
	}
	if got.Epoch != 1_700_000_000_000 || got.SampleEvery != 0 || got.StopAfterEvents >= 0 || got.RowLimit >= 0 {
		t.Errorf("%+v", got.Scenario)
	}
	const want = `{"at":5,"append":{"every":0,"count":1,"records":1,"key":-1,"value":10,"batch":78,"timestamp":"append","role":"leader"}}`
	if step := string(got.Steps[0].appendJSON(nil)); step != want {
		t.Errorf("\n got %s\nwant %s", step, want)
	}
	if got.Order != Order {
		t.Error("no order")
	}
}

// A changed setting applies to the settings before it, not to the first ones.
func TestDecodeConfigure(t *testing.T) {
	got := decode(t, []byte(steps(
		`{"at": 1, "configure": {"segment.bytes": 100, "preallocate": true}}`,
		`{"at": 2, "configure": {"segment.bytes": "200", "flush.ms": 7}}`)))
	want := calc.DefaultLogConfig()
	want.Preallocate = true
	want.SegmentBytes = 100
	if log := got.Steps[0].Do.(calc.Configure).Log; log != want {
		t.Errorf("\n got %+v\nwant %+v", log, want)
	}
	want.SegmentBytes = 200
	if log := got.Steps[1].Do.(calc.Configure).Log; log != want {
		t.Errorf("\n got %+v\nwant %+v", log, want)
	}
	if changed := string(got.Steps[1].appendJSON(nil)); changed != `{"at":2,"configure":{"segment.bytes":200,"flush.ms":7}}` {
		t.Error(changed)
	}
	if ignored := got.Ignored(); len(ignored) != 1 || ignored[0] != "flush.ms" {
		t.Errorf("ignored: %q", ignored)
	}
}

// Settings that the model does not know are kept, last, and reported.
func TestDecodeUnknownSettings(t *testing.T) {
	got := decode(t, []byte(document(map[string]string{
		"topic": `{"compression.type": "zstd", "segment.ms": 7}`, "broker": `{"num.io.threads": 8, "log.segment.delete.delay.ms": 9}`})))
	if ignored := strings.Join(got.Ignored(), " "); ignored != "compression.type num.io.threads" {
		t.Errorf("ignored: %s", ignored)
	}
	if last := got.Topic[len(got.Topic)-1]; last != (Setting{"compression.type", "zstd"}) {
		t.Errorf("the last topic setting is %v", last)
	}
	if got.Log.SegmentMs != 7 || got.Server.SegmentDeleteDelay != 9 {
		t.Errorf("%+v %+v", got.Log, got.Server)
	}
}

// Text comes through whatever it holds, with the escapes that the recorder writes.
func TestTextRoundTrip(t *testing.T) {
	for text, want := range map[string]string{
		`"a\/b"`:               `"a/b"`,
		`"\b\f\n\r\t\"\\"`:     `"\b\f\n\r\t\"\\"`,
		`"\u0000\u001f\u007f"`: `"\u0000\u001F` + "\u007f" + `"`,
		`"\u00e9\u20ac é€ 日本"`: `"é€ é€ 日本"`,
		`"\ud83d\ude00😀"`:      `"😀😀"`,
		`"\u2028"`:             "\"\u2028\"",
	} {
		got := decode(t, []byte(document(map[string]string{"description": text})))
		if written := string(appendText(nil, got.Description)); written != want {
			t.Errorf("%s is written as %s, want %s", text, written, want)
		}
	}
}

func TestParseVersion(t *testing.T) {
	for text, want := range map[string]calc.Version{
		"4.3.1": 40301, "4.4.0": calc.V4_4, "3.9": 30900, "4.4.0-SNAPSHOT": 40400, "2.8.2": 20802,
		"": 0, "4": 0, "4.3.1.2": 0, "4..1": 0, "4.x.1": 0, "4.100.1": 0, "-4.3.1": 0,
	} {
		if got, ok := parseVersion(text); got != want && ok || ok != (want != 0) {
			t.Errorf("%q is %d, %t; want %d", text, got, ok, want)
		}
	}
}

// Whatever the bytes, Decode returns; what it accepts can be written, read again, and is then the same.
func FuzzDecode(f *testing.F) {
	files := golden(f)
	for _, name := range []string{"26_empty_partition.json", "20_topic_delete.json", "04_roll_offset_overflow.json", "31_rejects.json",
		"22_follower_multi_batch.json", "45_tiered_delete_records.json"} {
		f.Add(files[name])
	}
	for seed := range uint64(5) {
		f.Add(Generate(seed).AppendJSON(nil))
	}
	f.Add([]byte(steps(`{"at": 0, "append": {"value": [1, -1], "count": 2, "every": 3, "timestamp": {"shift": [1, -2]}, "spread": 9}}`,
		`{"at": 1, "configure": {"segment.bytes": 100, "flush.ms": "x"}}`, `{"at": 2, "high_watermark": 0}`, `{"at": 2, "copied_to": 0}`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		read, err := Decode(data)
		if err != nil {
			if len(err.Error()) > 1000 {
				t.Errorf("an error of %d bytes", len(err.Error()))
			}
			return
		}
		write := (*Trace).AppendJSON
		if read.KafkaVersion == "" {
			write = func(t *Trace, b []byte) []byte { return t.Scenario.AppendJSON(b) }
		}
		first := write(read, nil)
		again, err := Decode(first)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v\n%s", err, first)
		}
		if second := write(again, nil); string(second) != string(first) {
			t.Errorf("written as\n%s\nand then as\n%s", first, second)
		}
		read.Ignored()
	})
}

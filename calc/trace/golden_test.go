package trace

import (
	"os"
	"strings"
	"testing"
)

// The model does what Kafka did: every event, every file of every sample.
func TestReplayGolden(t *testing.T) {
	for name, data := range golden(t) {
		want := decode(t, data)
		got, err := Replay(want)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		for i, difference := range Compare(want, got) {
			if i == 3 {
				break
			}
			t.Errorf("%s: %v", name, difference)
		}
		if want.Order != Order {
			t.Errorf("%s states another order", name)
		}
	}
}

// Settings that a trace states only when they are given: recorded from Kafka 4.3.1 with this project's recorder.
func TestReplayOtherSettings(t *testing.T) {
	for file, setting := range map[string]string{"compaction-lag.json": "max.compaction.lag.ms", "copy-disable.json": "remote.log.copy.disable"} {
		data, err := os.ReadFile("testdata/" + file)
		if err != nil {
			t.Fatal(err)
		}
		want := decode(t, data)
		if _, ok := want.Topic.Get(setting); !ok {
			t.Errorf("%s does not state %s", file, setting)
		}
		got, err := Replay(want)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, difference := range Compare(want, got) {
			t.Errorf("%s: %v", file, difference)
		}
	}
}

// Where Kafka itself fails, so does the model. The recorder ends these two scenarios with "Attempt to append to a full
// index" and with "newPosition > limit: (232 > 48)" at the start.
func TestReplayFails(t *testing.T) {
	const index = `{"segment.index.bytes": 1200, "index.interval.bytes": 0}`
	tests := map[string]string{
		"full index": `{"at": 0, "append": {"every": 1, "count": 30, "value": 100, "role": "follower", "batches": 67}}`,
		"does not start": `{"at": 0, "append": {"every": 1, "count": 30, "value": 100}},
			{"at": 50, "configure": {"segment.index.bytes": 48}}, {"at": 60, "restart": {"down_ms": 10}}`,
	}
	for want, steps := range tests {
		given := decode(t, []byte(document(map[string]string{"topic": index, "steps": "[" + steps + "]"})))
		if _, err := Replay(given); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

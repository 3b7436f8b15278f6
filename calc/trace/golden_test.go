package trace

import "testing"

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

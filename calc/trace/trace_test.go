package trace

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/partsize/partsize/calc"
)

var batchField = regexp.MustCompile(`,"batch":(\d+|\[[^]]*\])`)

// golden are the recorded traces, by name: fixed scenarios, random ones, and those in which the model once differed.
func golden(t testing.TB) map[string][]byte {
	t.Helper()
	files := make(map[string][]byte)
	for _, directory := range []string{"traces", "random", "found"} {
		paths, err := filepath.Glob(filepath.Join("..", "testdata", "golden", directory, "*.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			files[filepath.Base(path)] = data
		}
	}
	if len(files) != 168 {
		t.Fatalf("%d recorded traces, want 168", len(files))
	}
	return files
}

func decode(t testing.TB, data []byte) *Trace {
	t.Helper()
	trace, err := Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	return trace
}

// What is read can be written again, to the byte.
func TestRoundTrip(t *testing.T) {
	for name, data := range golden(t) {
		trace := decode(t, data)
		if got := trace.AppendJSON(nil); !bytes.Equal(got, data) {
			t.Errorf("%s is written differently, from byte %d on", name, commonPrefix(got, data))
		}
		if ignored := trace.Ignored(); len(ignored) > 0 {
			t.Errorf("%s: the model does not know %q", name, ignored)
		}
	}
}

// A scenario of the trace says as much as the trace: batch sizes and defaults follow from it.
func TestScenarioOfTrace(t *testing.T) {
	for name, data := range golden(t) {
		trace := decode(t, data)
		again := *trace
		for i := range again.Steps {
			// The steps of a trace that stopped early go on after its end.
			again.Until = max(again.Until, again.Steps[i].At)
			if restart, ok := again.Steps[i].Do.(calc.Restart); ok {
				again.Until = max(again.Until, again.Steps[i].At+restart.Down)
			}
		}
		scenario := again.Scenario.AppendJSON(nil)
		scenario = batchField.ReplaceAll(scenario, nil)
		read := decode(t, scenario)
		if read.KafkaVersion != "" || read.Events != nil {
			t.Errorf("%s: a scenario with a version or events", name)
		}
		for i := range trace.Steps {
			got, want := read.Steps[i].appendJSON(nil), trace.Steps[i].appendJSON(nil)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: step %d\n got %s\nwant %s", name, i, got, want)
			}
		}
		if read.Log != trace.Log || read.Server != trace.Server {
			t.Errorf("%s: other settings", name)
		}
	}
}

func commonPrefix(a, b []byte) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

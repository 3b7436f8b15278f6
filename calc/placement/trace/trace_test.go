package trace

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const golden = "../testdata/golden"

// traces is every recorded trace, by its path.
func traces(t *testing.T) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	require.NoError(t, filepath.WalkDir(golden, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".json") || filepath.Base(path) == "vectors.json" {
			return err
		}
		all[path], err = os.ReadFile(path)
		return err
	}))
	require.Greater(t, len(all), 150)
	return all
}

// The model does what Kafka did: every row of every trace.
func TestReplayGolden(t *testing.T) {
	for path, data := range traces(t) {
		want, err := Decode(data)
		if !assert.NoError(t, err, path) {
			continue
		}
		got, err := Replay(want)
		if !assert.NoError(t, err, path) {
			continue
		}
		for i, difference := range Compare(want, got) {
			if i == 3 {
				break
			}
			t.Errorf("%s: %v", path, difference)
		}
	}
}

// What was computed, written and read again, agrees with itself.
func TestWritten(t *testing.T) {
	for path, data := range traces(t) {
		want, err := Decode(data)
		require.NoError(t, err, path)
		got, err := Replay(want)
		require.NoError(t, err, path)
		again, err := Decode(got.AppendJSON(nil))
		require.NoError(t, err, path)
		assert.Empty(t, Compare(again, got), path)
	}
}

// A trace that differs in one place is found out there, whatever the place is.
func TestDifferences(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(filepath.Join(golden, "4.3.1", name))
		require.NoError(t, err)
		return string(data)
	}
	for _, c := range []struct{ file, old, changed, where string }{
		{"fixed/r01_counts.json", `"create":"t-0"},"dir":"d2"`, `"create":"t-0"},"dir":"d3"`, `steps[5] {"create":"t-0"} dir: want "d3", got "d2"`},
		{"fixed/r01_counts.json", `"next":["d2","d3","d1"],"counted":[1,0,0]`, `"next":["d3","d2","d1"],"counted":[1,0,0]`, "steps[1]"},
		{"fixed/r01_counts.json", `"counted":[2,2,1]`, `"counted":[2,1,2]`, "counted: want [2,1,2], got [2,2,1]"},
		{"fixed/r01_counts.json", `"disk":[[2,0,0,0],[2,0,0,0],[1,0,0,0]]`, `"disk":[[2,0,0,0],[2,0,1,0],[1,0,0,0]]`, " disk: "},
		{"fixed/r09_existing.json", `"existing":true`, `"existing":false`, " existing: "},
		{"fixed/r08_failed.json", `KafkaStorageException`, `KafkaException`, " error: "},
		{"fixed/r12_blocked.json", `"failed":["z"]`, `"failed":["m"]`, " failed: "},
		{"fixed/r18_halt.json", `"error":"java.lang.IllegalStateException: halt 1",`, ``, `error: want "", got`},
		{"fixed/r10_names.json", `-delete"`, `-stray"`, " names: "},
		{"fixed/r03_delete.json", `"t":59999`, `"t":60000`, " t: "},
		{"replicas/replicas.json", `"assignments":[[2,3,1]`, `"assignments":[[3,2,1]`, `cases[1] "three brokers" topics[0] assignments`},
		{"replicas/replicas.json", `"draws":[[3,1],[1,0]`, `"draws":[[3,2],[1,0]`, " draws: "},
		{"replicas/replicas.json", "Invalid replication factor 0: the replication factor must be positive.", "All brokers are currently fenced", " error: "},
		{"creation/creation.json", `"leaders":["orders-0","orders-1"]`, `"leaders":["orders-1","orders-0"]`, "cases[1] leaders: "},
	} {
		text := read(c.file)
		changed := strings.Replace(text, c.old, c.changed, 1)
		require.NotEqual(t, text, changed, c.old)
		want, err := Decode([]byte(changed))
		require.NoError(t, err, c.old)
		got, err := Replay(want)
		require.NoError(t, err, c.old)
		found := Compare(want, got)
		if assert.NotEmpty(t, found, c.old) {
			assert.Contains(t, found[0].String(), c.where, c.old)
		}
	}
}

// A file that is no trace is refused with the place.
func TestDecodeRefuses(t *testing.T) {
	head := `{"format":"kafka-placement-scenario/1","name":"x","log.dirs":["d1","d2"],"steps":[`
	for _, c := range []struct{ text, problem string }{
		{``, "expected an object (line 1)"},
		{`{"format":"kafka-log-trace/1"}`, `"kafka-log-trace/1" is no format of a placement trace`},
		{`{"name":"x"}`, "the file must begin with its format"},
		{head + `{"create":"t-0"}`, "expected ',' or ']'"},
		{head + `{"create":"t0"}]}`, `"t0" is no partition`},
		{head + `{"create":"t-0","dir":"d1","dir":"d2"}]}`, "steps[0].dir: given twice"},
		{head + `{"move":"t-0"}]}`, `"to" is missing`},
		{head + `{"jump":"t-0"}]}`, "steps[0].jump: unknown field"},
		{head + `{}]}`, "a step without a kind"},
		{head + `{"advance_ms":-1}]}`, "-1 is not between"},
		{head + `{"remove_dir":"d3"}]}`, `steps[0].remove_dir: "d3" is not in log.dirs`},
		{head + `{"add_dir":"d3","at":3}]}`, "steps[0].at: there are only 2 directories"},
		{head + `{"restart":false}]}`, "expected true"},
		{`{"format":"kafka-placement-scenario/1","name":"x","log.dirs":[],"steps":[]}`, "log.dirs: no directory"},
		{`{"format":"kafka-placement-scenario/1","name":"x","log.dirs":["a","a"],"steps":[]}`, `log.dirs: "a" is given twice`},
		{`{"format":"kafka-placement-scenario/1","name":"x","log.dirs":["a"]}`, `"steps" is missing`},
		{`{"format":"kafka-placement-trace/1","name":"x","log.dirs":["a"],"steps":[]}`, `"kafka_version" is missing`},
		{`{"format":"kafka-replica-scenario/1","name":"x","cases":[{"brokers":[{"id":1},{"id":1}],"topics":[]}]}`, "broker 1 is given twice"},
		{`{"format":"kafka-replica-scenario/1","name":"x","cases":[{"brokers":[],"topics":[{"partitions":1000000,"rf":32767}]}]}`, "more than"},
		{`{"format":"kafka-creation-scenario/1","name":"x","cases":[{"broker":1,"topics":[{"name":"a","replicas":[[1],[]]}]}]}`, "without replicas"},
		{`{"format":"kafka-creation-scenario/1","name":"x","cases":[{"broker":1,"topics":[{"name":"a","replicas":[]},{"name":"a","replicas":[]}]}]}`, `topic "a" is given twice`},
	} {
		_, err := Decode([]byte(c.text))
		assert.ErrorContains(t, err, c.problem, c.text)
	}
}

// A scenario is played, and makes a trace.
func TestScenario(t *testing.T) {
	s, err := Decode([]byte(`{"format":"kafka-placement-scenario/1","name":"x","log.dirs":["d1","d2"],"steps":[{"create":"t-0"},{"create":"t-1"},{"move":"t-0","to":"d1"},{"add_dir":"d3"}]}`))
	require.NoError(t, err)
	assert.False(t, s.Recorded())
	got, err := Replay(s)
	require.NoError(t, err)
	require.Len(t, got.Rows, 5)
	assert.Equal(t, "d2", got.Rows[2].Dir)
	assert.Equal(t, []string{"d3", "d1", "d2"}, got.Rows[4].Next)
	again, err := Decode(got.AppendJSON(nil))
	require.NoError(t, err)
	assert.True(t, again.Recorded())
	assert.Empty(t, Compare(again, got))
}

// A wait of centuries with a delay of nothing takes no time.
func TestLongWait(t *testing.T) {
	s, err := Decode([]byte(`{"format":"kafka-placement-scenario/1","name":"x","log.dirs":["d1"],"delete_delay_ms":0,"steps":[{"create":"t-0"},{"delete":"t-0"},{"advance_ms":1000000000000}]}`))
	require.NoError(t, err)
	got, err := Replay(s)
	require.NoError(t, err)
	assert.Equal(t, [][4]int{{}}, got.Rows[3].Disk)
}

func FuzzDecode(f *testing.F) {
	for _, name := range []string{"fixed/r20_moves.json", "replicas/replicas.json", "creation/creation.json"} {
		data, err := os.ReadFile(filepath.Join(golden, "4.3.1", name))
		require.NoError(f, err)
		f.Add(data[:min(len(data), 5000)])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		want, err := Decode(data)
		if err != nil {
			return
		}
		if got, err := Replay(want); err == nil {
			Compare(want, got)
			_, err = Decode(got.AppendJSON(nil))
			require.NoError(t, err)
		}
	})
}

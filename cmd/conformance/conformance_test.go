package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/partsize/partsize/calc/trace"
)

func TestParseSeeds(t *testing.T) {
	tests := []struct {
		text string
		want []uint64
		err  string
	}{
		{"", nil, ""},
		{"7", []uint64{7}, ""},
		{"1-3", []uint64{1, 2, 3}, ""},
		{"1-2, 9,4-4", []uint64{1, 2, 9, 4}, ""},
		{"18446744073709551615", []uint64{1<<64 - 1}, ""},
		{"18446744073709551614-18446744073709551615", []uint64{1<<64 - 2, 1<<64 - 1}, ""},
		{"18446744073709551616", nil, "18446744073709551616 does not fit in 64 bits"},
		{"3-1", nil, "3 comes after 1"},
		{"0-18446744073709551615", nil, "more than 1000000 seeds"},
		{"1-1000000,2", nil, "more than 1000000 seeds"},
		{"-1", nil, `"" is not a number; write 1-50 or 3,7,9`},
		{"1-", nil, `"" is not a number; write 1-50 or 3,7,9`},
		{"1,,2", nil, `"" is not a number; write 1-50 or 3,7,9`},
		{"one", nil, `"one" is not a number; write 1-50 or 3,7,9`},
		{"1.5", nil, `"1.5" is not a number; write 1-50 or 3,7,9`},
	}
	for _, test := range tests {
		got, err := parseSeeds(test.text)
		if test.err != "" {
			if err == nil || err.Error() != test.err {
				t.Errorf("%q: error %v, want %s", test.text, err, test.err)
			}
		} else if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q: %v, %v; want %v", test.text, got, err, test.want)
		}
	}
}

// command runs the command as from a shell.
func command(t *testing.T, args ...string) (status int, stdout, stderr string) {
	t.Helper()
	var out, problems bytes.Buffer
	status = run(t.Context(), args, &out, &problems)
	return status, out.String(), problems.String()
}

func TestCommandLine(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	tests := []struct {
		args []string
		want string
	}{
		{nil, "nothing to do: give -seeds, for example -seeds 1-50, or scenario files"},
		{[]string{"-seeds", "x"}, `-seeds x: "x" is not a number; write 1-50 or 3,7,9`},
		{[]string{"-seeds", "1", "-kafka", "latest"}, "-kafka latest: not a release such as 4.3.1"},
		{[]string{"-seeds", "1", "-jobs", "0"}, "-jobs 0: not between 1 and 64"},
		{[]string{"-seeds", "1,1"}, "-seeds 1 and -seeds 1 are both called random-0001"},
		{[]string{"-colour"}, "flag provided but not defined: -colour"},
		{[]string{"absent.json"}, "absent.json"},
		{[]string{"main.go"}, "main.go: expected an object (line 1)"},
		{[]string{"-seeds", "1"}, "java is missing: the recorder needs a Java 17 runtime; nothing was compared"},
	}
	for _, test := range tests {
		status, _, stderr := command(t, test.args...)
		if status != noSetUp || !strings.Contains(stderr, test.want) {
			t.Errorf("%q: exit status %d, %s, want %s", test.args, status, stderr, test.want)
		}
	}
	if status, _, _ := command(t, "-help"); status != agree {
		t.Errorf("-help: exit status %d", status)
	}
}

// stand is a stand-in for the recorder: a java that hands out what a directory has as "recorded".
const stand = `#!/bin/bash
while [ "$1" != -o ]; do shift; done
out=$2; shift 4
for file; do
  name=$(basename "$file" .json)
  if [ -f "$RECORDED/$name.json" ]; then
    cp "$RECORDED/$name.json" "$out/"
    echo "$name kafka=4.3.1 appends=1 events=1 samples=1 bytes=1 span_ms=1 kafka_ms=5.0 total_ms=6.0"
  else
    echo "$file: $(cat "$RECORDED/$name.txt")" >&2
    status=1
  fi
done
exit $status
`

// withStand makes the stand-in the java to use, and gives the directory of what it hands out.
func withStand(t *testing.T) (recorded string, o options) {
	t.Helper()
	if runtime.GOOS == "windows" || runtime.GOOS == "js" {
		t.Skip("the stand-in for Java is a shell script")
	}
	programs := t.TempDir()
	recorded = t.TempDir()
	write := func(path, text string, mode os.FileMode) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(programs, "java"), stand, 0o777)
	t.Setenv("PATH", programs+string(os.PathListSeparator)+os.Getenv("PATH"))
	t.Setenv("RECORDED", recorded)
	o = options{kafka: "4.3.1", jobs: 2, keep: t.TempDir(), build: t.TempDir(), recorder: t.TempDir()}
	write(filepath.Join(o.build, "kafka-log-recorder.jar"), "", 0o666)
	write(filepath.Join(o.build, "lib-4.3.1", "kafka_2.13-4.3.1.jar"), "", 0o666)
	return recorded, o
}

// record puts a golden trace, changed, among what the stand-in hands out, and gives its scenario's file.
func record(t *testing.T, recorded, name string, change func(*trace.Trace)) (scenario string) {
	t.Helper()
	path := filepath.Join("..", "..", "calc", "testdata", "golden", "traces", name+".json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	want, err := trace.Decode(data)
	if err != nil {
		t.Fatal(err)
	}
	change(want)
	if err := os.WriteFile(filepath.Join(recorded, name+".json"), want.AppendJSON(nil), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestConform(t *testing.T) {
	recorded, o := withStand(t)
	o.files = []string{
		record(t, recorded, "25_clean_restart", func(*trace.Trace) {}),
		record(t, recorded, "26_empty_partition", func(*trace.Trace) {}),
	}
	var out, problems bytes.Buffer
	status, err := conform(t.Context(), o, &out, &problems)
	if err != nil || status != agree || !strings.HasPrefix(out.String(), "2 scenarios with Kafka 4.3.1: 2 agree, 0 differ.\n") {
		t.Errorf("exit status %d, %v\n%s", status, err, &out)
	}
	if !strings.Contains(out.String(), "Kafka's log layer took 0.0 s, the model ") {
		t.Errorf("no times in\n%s", &out)
	}
	if problems.Len() > 0 {
		t.Errorf("progress in a pipe: %q", &problems)
	}
	for _, name := range []string{"25_clean_restart.scenario.json", "25_clean_restart.kafka.json", "26_empty_partition.model.json"} {
		if _, err := os.Stat(filepath.Join(o.keep, name)); err != nil {
			t.Error(err)
		}
	}
}

func TestConformDiffers(t *testing.T) {
	recorded, o := withStand(t)
	path := record(t, recorded, "25_clean_restart", func(want *trace.Trace) {
		want.Events[0].Base += 7
		want.Samples[3].Size++
	})
	o.files = []string{path}
	var out bytes.Buffer
	status, err := conform(t.Context(), o, &out, &bytes.Buffer{})
	if err != nil || status != differ {
		t.Errorf("exit status %d, %v", status, err)
	}
	for _, want := range []string{
		"25_clean_restart differs:\n  t=", " base: want ", " size: want ",
		"  scenario: " + filepath.Join(o.keep, "25_clean_restart.scenario.json") + "\n",
		"  again:    go run ./cmd/conformance -kafka 4.3.1 " + path + "\n",
		"1 scenarios with Kafka 4.3.1: 0 agree, 1 differ.",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in\n%s", want, &out)
		}
	}
	// What was kept plays again.
	o.files = []string{filepath.Join(o.keep, "25_clean_restart.scenario.json")}
	if status, err := conform(t.Context(), o, &out, &bytes.Buffer{}); err != nil || status != differ {
		t.Errorf("again: exit status %d, %v", status, err)
	}
}

// fullIndex is a scenario at which Kafka fails: the batches of one call fill the index. Three entries fit, each batch
// but the first of all adds one.
const fullIndex = `{"format": "kafka-log-scenario/1", "name": "full", "until_ms": 100,
"topic": {"segment.index.bytes": 24, "index.interval.bytes": 0},
"steps": [{"at": 5, "append": {"value": 100, "role": "follower", "batches": 9}}]}`

func TestConformKafkaFails(t *testing.T) {
	tests := []struct {
		name, scenario, says string
		status               int
		want                 string
	}{
		{"both fail", fullIndex, "scenario.steps[0]: Kafka itself fails at 5 ms: java.lang.IllegalArgumentException: full", agree,
			"1 agree, 0 differ; at 1 of those that agree Kafka itself fails, and the model"},
		{"the model does not", strings.Replace(fullIndex, "24", "2400", 1),
			"scenario.steps[0]: Kafka itself fails at 5 ms: full", differ,
			"the model does not fail. scenario.steps[0]: Kafka itself fails at 5 ms: full"},
		{"not recorded", fullIndex, "scenario.steps[0]: the disk is full", noSetUp, "cannot be recorded: scenario.steps[0]: the disk is full"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			recorded, o := withStand(t)
			if err := os.WriteFile(filepath.Join(recorded, "full.txt"), []byte(test.says), 0o666); err != nil {
				t.Fatal(err)
			}
			path := filepath.Join(t.TempDir(), "full.json")
			if err := os.WriteFile(path, []byte(test.scenario), 0o666); err != nil {
				t.Fatal(err)
			}
			o.files = []string{path}
			var out bytes.Buffer
			status, err := conform(t.Context(), o, &out, &bytes.Buffer{})
			text := out.String()
			if err != nil {
				text += err.Error()
			}
			if status != test.status || !strings.Contains(text, test.want) {
				t.Errorf("exit status %d, want %d and %q in\n%s", status, test.status, test.want, text)
			}
		})
	}
}

func TestFailedAt(t *testing.T) {
	events := []trace.Event{{T: 3, Kind: "roll"}, {T: 5, Kind: "kafka_fails"}}
	if at, ok := failedAt(&trace.Trace{Events: events}); at != 5 || !ok {
		t.Errorf("%d, %t", at, ok)
	}
	if _, ok := failedAt(&trace.Trace{Events: events[:1]}); ok {
		t.Error("fails without an event that says so")
	}
}

// A recorder that says nothing of a scenario is a problem, not an agreement.
func TestConformWithoutTrace(t *testing.T) {
	recorded, o := withStand(t)
	o.files = []string{record(t, recorded, "26_empty_partition", func(*trace.Trace) {})}
	t.Setenv("RECORDED", filepath.Join(recorded, "absent"))
	status, err := conform(t.Context(), o, &bytes.Buffer{}, &bytes.Buffer{})
	if status != noSetUp || err == nil {
		t.Errorf("exit status %d, %v", status, err)
	}
}

// A recorder with other jars than asked for is a problem, too.
func TestConformOtherVersion(t *testing.T) {
	recorded, o := withStand(t)
	o.files = []string{record(t, recorded, "26_empty_partition", func(want *trace.Trace) { want.KafkaVersion = "4.4.0" })}
	status, err := conform(t.Context(), o, &bytes.Buffer{}, &bytes.Buffer{})
	if status != noSetUp || err == nil || !strings.Contains(err.Error(), "asked for Kafka 4.3.1, the recorder has 4.4.0") {
		t.Errorf("exit status %d, %v", status, err)
	}
}

// The scenario of a trace that stopped early ends where the trace does.
func TestPlayed(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("..", "..", "calc", "testdata", "golden", "random", "*.json"))
	if err != nil || len(paths) == 0 {
		t.Fatal(err)
	}
	cut := 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := trace.Decode(data)
		if err != nil {
			t.Fatal(err)
		}
		scenario := played(whole)
		if len(scenario.Steps) < len(whole.Steps) {
			cut++
		}
		if _, err := trace.Decode(scenario.AppendJSON(nil)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
	if cut == 0 {
		t.Error("no trace stopped early")
	}
}

func TestProbeBlocks(t *testing.T) {
	directory := t.TempDir()
	reason, err := probeBlocks(directory)
	if err != nil {
		t.Fatal(err)
	}
	t.Log(reason)
	left, err := os.ReadDir(directory)
	if err != nil || len(left) > 0 {
		t.Errorf("the probe leaves %v, %v", left, err)
	}
	if _, err := probeBlocks(filepath.Join(directory, "absent")); err == nil && countsBlocks {
		t.Error("no error for a directory that is not there")
	}
}

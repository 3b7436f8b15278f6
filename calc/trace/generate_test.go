package trace

import (
	"bytes"
	"hash/fnv"
	"math"
	"runtime"
	"testing"

	"github.com/partsize/partsize/calc"
)

// What is drawn can be read, and reads back the same.
func TestGenerateRoundTrip(t *testing.T) {
	for seed := range uint64(500) {
		scenario := Generate(seed)
		data := scenario.AppendJSON(nil)
		read := decode(t, data)
		if again := read.Scenario.AppendJSON(nil); !bytes.Equal(again, data) {
			t.Fatalf("seed %d is written differently, from byte %d on", seed, commonPrefix(again, data))
		}
		if ignored := read.Ignored(); len(ignored) > 0 {
			t.Fatalf("seed %d: the model does not know %q", seed, ignored)
		}
		if read.Log != scenario.Log || read.Server != scenario.Server {
			t.Fatalf("seed %d: other settings", seed)
		}
	}
	Generate(math.MaxUint64)
}

// A seed means the same scenario on every platform and in every version of this program, so that a difference that was
// reported once can be found again. If the generator must change, the number here changes with it.
func TestGenerateIsFixed(t *testing.T) {
	hash := fnv.New64a()
	for seed := range uint64(200) {
		hash.Write(Generate(seed).AppendJSON(nil))
	}
	if got, want := hash.Sum64(), uint64(0x51b76c38172a1408); got != want {
		t.Errorf("the scenarios of seeds 0 to 199 have the hash %#x, want %#x", got, want)
	}
}

// The seeds that CI plays hold every kind of step, event and reason that random scenarios are there for.
func TestGenerateCoverage(t *testing.T) {
	if testing.Short() || runtime.GOOS == "js" {
		t.Skip("it takes seconds, and is about the generator only")
	}
	seen := make(map[string]int)
	for seed := uint64(1); seed <= 300; seed++ {
		trace := &Trace{Scenario: *Generate(seed), KafkaVersion: "4.3.1"}
		for _, step := range trace.Steps {
			seen["step "+stepKind(step)]++
		}
		got, _ := Replay(trace)
		kinds := make(map[string]bool)
		for _, event := range got.Events {
			kinds[event.Kind+" "+event.Reason] = true
		}
		for kind := range kinds {
			seen[kind]++
		}
	}
	for _, kind := range []string{
		"append leader", "append follower", "configure", "delete_records", "restart", "high_watermark", "copy_every", "delete_topic",
	} {
		if seen["step "+kind] == 0 {
			t.Errorf("no seed from 1 to 300 has a step %q", kind)
		}
	}
	for _, kind := range []string{
		"roll segment.bytes", "roll segment.ms", "roll segment.index.bytes (offset)", "roll segment.index.bytes (time)",
		"roll offset overflow", "roll retention", "roll segment.bytes + segment.ms", "roll segment.ms + segment.index.bytes (time)",
		"roll segment.bytes + segment.index.bytes (time)", "replace segment.index.bytes (time)",
		"delete retention.ms", "delete retention.ms (mtime)", "delete retention.bytes", "delete local.retention.ms",
		"delete local.retention.ms (mtime)", "delete local.retention.bytes", "delete log start",
		"removed ", "removed start", "removed topic", "copied ", "stop clean", "start clean", "delete_topic ",
		"reject RecordTooLargeException", "reject RecordBatchTooLargeException", "reject InvalidTimestampException",
		"reject OffsetOutOfRangeException",
	} {
		if seen[kind] == 0 {
			t.Errorf("no seed from 1 to 300 has %q", kind)
		}
	}
}

func stepKind(step Step) string {
	switch do := step.Do.(type) {
	case calc.Append:
		if do.Follower {
			return "append follower"
		}
		return "append leader"
	case calc.Configure:
		return "configure"
	case calc.DeleteRecords:
		return "delete_records"
	case calc.Restart:
		return "restart"
	case calc.HighWatermark:
		return "high_watermark"
	case calc.CopyEvery:
		return "copy_every"
	case calc.DeleteTopic:
		return "delete_topic"
	}
	return "other"
}

func TestLog2(t *testing.T) {
	for _, x := range []int64{1, 2, 3, 5, 7, 100, 1 << 20, 1<<32 + 1, 1e15, 1 << 62, math.MaxInt64} {
		got := float64(log2(x)) / (1 << 32)
		if math.Abs(got-math.Log2(float64(x))) > 1e-6 {
			t.Errorf("log2(%d) = %f", x, got)
		}
	}
}

// Each power of two is as likely as any other, and the ends are within reach.
func TestLogUniform(t *testing.T) {
	d := newDraw(1)
	counts := make(map[int64]int)
	octaves := make([]int, 10)
	for range 20_000 {
		n := d.logUniform(3, 1023)
		if n < 3 || n > 1023 {
			t.Fatalf("%d is not between 3 and 1023", n)
		}
		counts[n]++
		for o := range octaves {
			if n >= 1<<o && n < 2<<o {
				octaves[o]++
			}
		}
	}
	if counts[3] == 0 || counts[1023] == 0 {
		t.Errorf("%d times 3, %d times 1023", counts[3], counts[1023])
	}
	for o := 2; o < 10; o++ {
		if octaves[o] < 2100 || octaves[o] > 2700 {
			t.Errorf("%d numbers from %d to %d", octaves[o], 1<<o, 2<<o-1)
		}
	}
}

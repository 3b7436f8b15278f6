package report

import (
	"encoding/json"
	"math"
	"os"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/partsize/partsize/calc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func run(t *testing.T, settings ...string) (*calc.Answer, Options) {
	t.Helper()
	in := calc.Defaults()
	for _, s := range settings {
		key, value, _ := strings.Cut(s, "=")
		require.NoError(t, in.Set(key, value))
	}
	s, err := calc.NewScenario(in)
	require.NoError(t, err)
	a := calc.Run(s)
	return &a, Options{Input: in, Events: Outline}
}

// scenarios are of every kind that a report has words for.
var scenarios = map[string][]string{
	"steady":       {"retention.ms=1h", "segment.bytes=16MiB", "horizon=1d"},
	"by size":      {"retention.bytes=1GiB", "retention.ms=-1", "segment.bytes=16MiB", "horizon=1d"},
	"unlimited":    {"retention.ms=-1", "horizon=1d"},
	"nothing":      {"produce=0/s", "horizon=1d"},
	"short":        {"horizon=1h"},
	"compact":      {"cleanup.policy=compact", "horizon=1d"},
	"many":         {"partitions=1000000", "replication.factor=3", "retention.ms=1h", "segment.bytes=1MiB", "horizon=2h"},
	"no delay":     {"retention.ms=1h", "segment.bytes=16MiB", "file.delete.delay.ms=0", "horizon=1d"},
	"long text":    {"horizon=1h", "steps=" + strings.Repeat("5min retention.ms=1h; ", 40)},
	"restart":      {"retention.ms=1h", "segment.bytes=16MiB", "horizon=1d", "steps=5h restart 60s"},
	"large bounds": {"retention.bytes=9223372036854775807", "retention.ms=9223372036854775807", "horizon=1d"},
}

func TestTextFitsATerminal(t *testing.T) {
	for name, settings := range scenarios {
		a, o := run(t, settings...)
		text := string(Text(a, o))
		for line := range strings.SplitSeq(text, "\n") {
			assert.LessOrEqual(t, utf8.RuneCountInString(line), width, "%s: %s", name, line)
		}
		assert.NotContains(t, text, "\u202f", name)
		assert.NotContains(t, text, "\u00a0", name)
		assert.NotContains(t, text, "%!", name)
	}
}

func TestTextSaysWhatIsWorthKnowing(t *testing.T) {
	a, o := run(t, "produce=1kB/s", "retention.ms=1h")
	text := string(Text(a, o))
	assert.Contains(t, text, "\nlog                                 3.46 MiB     580 MiB\n")
	assert.Contains(t, text, "worth knowing\n  ! Records outlive retention.ms by far. ")
	assert.Contains(t, text, "segment.ms=5min.\n")
	a, o = run(t, "steps=1h delete-topic", "horizon=1d")
	assert.Contains(t, string(Text(a, o)), "The topic is deleted after 1 h: each partition grows to 3.53 GiB on disk until\nthen.\n")
	a, o = run(t, "produce=0/s", "partitions=1000")
	text = string(Text(a, o))
	assert.Contains(t, text, "1000 partitions × 1 replica need 7.81 MiB and\nseem to take 19.5 GiB.\n")
	assert.Contains(t, text, "at the most               1 segment, 1 open file, 2 memory maps\n")
	assert.NotContains(t, text, "oldest record")
}

// Whatever the scenario, the JSON is whole: figures agree with the answer, lists are never null.
func TestJSON(t *testing.T) {
	for name, settings := range scenarios {
		a, o := run(t, settings...)
		o.Events = 5
		text, err := JSON(a, o)
		require.NoError(t, err)
		var out jsonAnswer
		require.NoError(t, json.Unmarshal(text, &out), name)
		peak := a.Timeline.Peak()
		assert.Equal(t, peak.Log.Bytes, out.Peak.Log, name)
		assert.Equal(t, peak.Allocated.At, out.Peak.AllocatedAt, name)
		_, steady := a.Timeline.Band()
		assert.Equal(t, steady, out.Band != nil, name)
		assert.LessOrEqual(t, len(out.Events), 5, name)
		assert.Equal(t, a.Bound.OK, out.Bound.Log != nil, name)
		assert.NotContains(t, string(text), "null", name)
		if a.Bound.OK {
			assert.LessOrEqual(t, out.Peak.Log, *out.Bound.Log, name)
		}
	}
}

// The document names every field.
func TestJSONIsDocumented(t *testing.T) {
	doc, err := os.ReadFile("../../docs/simulate-json.md")
	require.NoError(t, err)
	var fields func(reflect.Type)
	fields = func(typ reflect.Type) {
		switch typ.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			fields(typ.Elem())
		case reflect.Struct:
			for i := range typ.NumField() {
				name, _, _ := strings.Cut(typ.Field(i).Tag.Get("json"), ",")
				assert.Regexp(t, "[`.]"+name+"[`.]", string(doc))
				fields(typ.Field(i).Type)
			}
		}
	}
	fields(reflect.TypeFor[jsonAnswer]())
	fields(reflect.TypeFor[jsonProblem]())
}

func TestCSV(t *testing.T) {
	a, _ := run(t, "retention.ms=1h", "segment.bytes=16MiB", "horizon=1d")
	lines := strings.Split(strings.TrimSpace(string(CSV(a))), "\n")
	columns := strings.Count(lines[0], ",")
	assert.LessOrEqual(t, len(lines), 1026)
	last := "0"
	for _, line := range lines[1:] {
		assert.Equal(t, columns, strings.Count(line, ","))
		cells := strings.Split(line, ",")
		assert.Equal(t, last, cells[0], "the spans meet")
		last = cells[1]
	}
	assert.Equal(t, "86400000", last)
}

// What people ask and no figure says.
func TestFindingsForQuestions(t *testing.T) {
	for title, settings := range map[string][]string{
		"A compacted topic ignores retention":           {"cleanup.policy=compact", "retention.bytes=1536MiB"},
		"Records are past retention when they arrive":   {"timestamp.shift=-17000d"}, // seconds taken for milliseconds
		"Timestamps from the future hold segments back": {"timestamp.shift=30min"},
		"More memory maps than Linux allows by default": {"partitions=60"},
	} {
		a, _ := run(t, settings...)
		var titles []string
		for _, f := range Findings(a) {
			titles = append(titles, f.Title)
		}
		assert.Contains(t, titles, title)
	}
	a, _ := run(t)
	assert.Empty(t, Findings(a), "the defaults")
}

// A sum that no 64-bit number holds is told as more than the most that one holds, not as if it were that.
func TestSentenceOfMoreThanFits(t *testing.T) {
	a, _ := run(t, "partitions=1000000", "replication.factor=32767")
	assert.Contains(t, Sentence(a).String(), "need more than "+SizeText(math.MaxInt64)+".")
}

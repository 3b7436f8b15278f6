package formats

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// expected is what must be read from a file of testdata/inputs.
type expected struct {
	File     string
	Expect   map[string]any
	Warnings []string          `json:"warnings_expected"`
	Rejected map[string]string `json:"rejected_values"`
}

// Files as people paste them: every part is as expected, and there is no other; of what topics get from a broker more may be
// read than is listed.
func TestInputs(t *testing.T) {
	files, err := filepath.Glob("testdata/inputs/*.expected.json")
	require.NoError(t, err)
	require.Len(t, files, 14)
	for _, file := range files {
		var want expected
		data, err := os.ReadFile(file)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(data, &want))
		t.Run(want.File, func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join("testdata/inputs", want.File))
			require.NoError(t, err)
			format := kafkaconf.Detect(data, want.File)
			require.True(t, Reads(format), "%q", format)
			got, err := Read(data, format, kafkaconf.Options{Name: want.File})
			require.NoError(t, err)
			text, err := json.Marshal(got.Shape)
			require.NoError(t, err)
			var read map[string]any
			require.NoError(t, json.Unmarshal(text, &read))
			for part, value := range want.Expect {
				if part == "effective" {
					for key, v := range value.(map[string]any) {
						assert.Equal(t, v, read[part].(map[string]any)[key], "effective %s", key)
					}
					continue
				}
				assert.Equal(t, withoutNull(value, part), withoutNull(read[part], part), part)
			}
			for part := range read {
				if _, ok := want.Expect[part]; !ok && part != "effective" {
					assert.Fail(t, "read and not expected", part)
				}
			}
			rejected := map[string]string{}
			var warnings []kafkaconf.Notice
			if got.Config != nil {
				for key, v := range got.Config.Rejected {
					rejected[key] = v
				}
				warnings = got.Config.Warnings
			}
			assert.Equal(t, want.Rejected, rejected)
			assertWarnings(t, want.Warnings, append(warnings, got.Warnings...))
		})
	}
}

// assertWarnings asks for each expected warning one that has all its words, apart from the small ones.
func assertWarnings(t *testing.T, want []string, got []kafkaconf.Notice) {
	t.Helper()
	if len(want) == 0 {
		assert.Empty(t, got)
	}
	for _, w := range want {
		best, words := 0, strings.FieldsFunc(w, func(c rune) bool { return strings.ContainsRune(" :;(),?'\"", c) })
		for _, g := range got {
			n := 0
			for _, word := range words {
				if strings.Contains(g.Text, word) {
					n++
				}
			}
			best = max(best, n)
		}
		assert.GreaterOrEqual(t, 10*best, 9*len(words), "%q in %q", w, got)
	}
}

// withoutNull takes keys with null out of maps, but for the directories of a broker, where it means dead.
func withoutNull(v any, of string) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			if value != nil || of == "dirs" {
				out[key] = withoutNull(value, key)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, value := range v {
			out = append(out, withoutNull(value, of))
		}
		return out
	}
	return v
}

func readText(t *testing.T, text string, format kafkaconf.Format) *Reading {
	t.Helper()
	r, err := Read([]byte(text), format, kafkaconf.Options{})
	require.NoError(t, err)
	return r
}

func TestComposeMergesAndLists(t *testing.T) {
	r := readText(t, `
x-env: &env
  KAFKA_LOG_RETENTION_HOURS: 24
  KAFKA_LOG_SEGMENT_BYTES: 1048576
services:
  kafka-1:
    environment:
      <<: *env
      KAFKA_LOG_RETENTION_HOURS: ${HOURS:-48}
  kafka-2:
    environment:
      - KAFKA_LOG_RETENTION_HOURS=72
      - KAFKA_LOG_RETENTION_BYTES=$BYTES
`, kafkaconf.FormatYAML)
	broker := r.Config.Read.Broker
	assert.Equal(t, "48", broker["log.retention.hours"].String())
	assert.Equal(t, "1048576", broker["log.segment.bytes"].String())
	require.Len(t, r.Config.Refused, 1)
	assert.Equal(t, "log.retention.bytes", r.Config.Refused[0].Problem.Key)
	assertWarnings(t, []string{"KAFKA_LOG_RETENTION_HOURS is 48 unless HOURS set elsewhere", "service kafka-2 has KAFKA_LOG_RETENTION_HOURS=72"}, r.Warnings)
}

func TestNodePoolsAndLists(t *testing.T) {
	r := readText(t, `
kind: List
items:
- {kind: KafkaNodePool, spec: {replicas: 3, roles: [controller], storage: {type: persistent-claim, size: 1Gi}}}
- {kind: KafkaNodePool, spec: {replicas: 4, roles: [broker], storage: {type: jbod, volumes: [{id: 0, size: 100G}, {id: 1, size: 2Ti}]}}}
- {kind: Kafka, spec: {kafka: {version: 4.1.0, config: {log.retention.hours: 5, log.dirs: [a, b]}}}}
`, kafkaconf.FormatYAML)
	require.NotNil(t, r.Shape.Cluster)
	assert.EqualValues(t, 4, *r.Shape.Cluster.Brokers)
	require.Len(t, r.Shape.Cluster.Volumes, 2)
	assert.EqualValues(t, 100_000_000_000, r.Shape.Cluster.Volumes[0].Bytes)
	assert.Equal(t, "a,b", r.Config.Read.Broker["log.dirs"].String())
}

func TestTerraformOfOtherProviders(t *testing.T) {
	r := readText(t, `
resource "aiven_kafka_topic" "a" {
  topic_name  = "a"
  partitions  = 2 * 3
  replication = 3
  config {
    retention_ms = 24 * 60 * 60 * 1000
    preallocate  = true
  }
}
resource "google_managed_kafka_topic" "b" {
  topic_id = "b"
  configs  = merge(local.all, { "retention.ms" = "1" })
}
resource "kafka_topic" "c" {
  name   = "c"
  config = { "retention.ms" = var.days, "segment.bytes" = "1e9" }
}
`, kafkaconf.FormatTerraform)
	topics := r.Shape.Topics
	require.Len(t, topics, 3)
	assert.EqualValues(t, 6, *topics[0].Partitions)
	assert.EqualValues(t, 3, *topics[0].Replication)
	assert.Equal(t, "86400000", topics[0].Config["retention.ms"].String())
	assert.Equal(t, "true", topics[0].Config["preallocate"].String())
	var refused []string
	for _, f := range r.Config.Refused {
		refused = append(refused, f.Topic+":"+f.Problem.Key+"="+f.Problem.Value)
	}
	assert.ElementsMatch(t, []string{"c:retention.ms=var.days", "c:segment.bytes=1e9"}, refused)
	assertWarnings(t, []string{"merge local.all unresolved", "retention.ms: var.days unresolved"}, r.Warnings)
}

// What cannot be read says so, whatever it is, and nothing hangs: aliases that stand for endlessly many values, too.
func TestNothingToRead(t *testing.T) {
	bomb := "a: &a {logX: 1}\n"
	for c := byte('b'); c <= 'z'; c++ {
		bomb += string(c) + ": &" + string(c) + " {"
		for i := range 10 {
			bomb += string(rune('0'+i)) + ": *" + string(c-1) + ", "
		}
		bomb += "}\n"
	}
	for text, format := range map[string]kafkaconf.Format{
		bomb: kafkaconf.FormatYAML, "": kafkaconf.FormatYAML, "a: [": kafkaconf.FormatYAML, "\t\t- :": kafkaconf.FormatYAML,
		"a: &a\n  b: *a\n": kafkaconf.FormatYAML, "kind: Kafka\n": kafkaconf.FormatYAML,
		"{": kafkaconf.FormatJSON, "[]": kafkaconf.FormatJSON, `{"a":1}`: kafkaconf.FormatJSON, `{"brokers":[{}]}`: kafkaconf.FormatJSON,
		"A=1": kafkaconf.FormatEnv, "total 5": kafkaconf.FormatListing, "5M\t/etc": kafkaconf.FormatDiskUsage,
		`resource "x" "y" {}`: kafkaconf.FormatTerraform, `resource "kafka_topic" "y" {`: kafkaconf.FormatTerraform,
		"a = " + strings.Repeat("[", 1<<20-10): kafkaconf.FormatTerraform, "a = " + strings.Repeat("-", 1<<20-10): kafkaconf.FormatTerraform,
		"a = 1" + strings.Repeat("+1", 1<<19-10): kafkaconf.FormatTerraform, "a = b" + strings.Repeat("[*]", 300_000): kafkaconf.FormatTerraform,
		`a = "` + strings.Repeat("%{if true}", 100_000) + `"`: kafkaconf.FormatTerraform, "a = <<X\n" + strings.Repeat("y\n", 500_000): kafkaconf.FormatTerraform,
		`{"brokers":[]}`: kafkaconf.FormatJSON, `{"brokers":[{"Broker":1,"DiskMB":"NaN"}]}`: kafkaconf.FormatJSON,
		`{"brokers":[{"Broker":1,"DiskMB":1e400}]}`: kafkaconf.FormatJSON, `{"brokers":[{"Broker":1,"DiskMB":1,"Replicas":1e300}]}`: kafkaconf.FormatJSON,
	} {
		_, err := Read([]byte(text), format, kafkaconf.Options{})
		assert.Error(t, err, "%.40q", text)
	}
}

// Anchors let a short text contain itself, or stand for endlessly many topics; both are refused, in JSON's reader, too.
func TestAnchors(t *testing.T) {
	many := "kind: List\nitems:\n- &a {kind: KafkaTopic, metadata: {name: x}}\n"
	for c := byte('b'); c <= 'z'; c++ {
		many += "- &" + string(c) + " {kind: List, items: [" + strings.Repeat("*"+string(c-1)+", ", 10) + "]}\n"
	}
	for text, why := range map[string]string{
		many: "stands for more than", "kind: List\nitems: &a\n- kind: List\n  items: *a\n": "contains itself", "&r {kind: List, items: [*r]}": "contains itself",
		"kind: Kafka\nspec: &s\n  kafka: *s\n": "contains itself", "services: {k: {environment: &e {<<: *e}}}": "contains itself",
	} {
		for _, format := range []kafkaconf.Format{kafkaconf.FormatYAML, kafkaconf.FormatJSON} {
			_, err := Read([]byte(text), format, kafkaconf.Options{})
			assert.ErrorContains(t, err, why, "%.40q", text)
		}
	}
	twice := readText(t, "kind: List\nitems:\n- &a {kind: KafkaTopic, metadata: {name: x}}\n- *a\n", kafkaconf.FormatYAML)
	assert.NotEmpty(t, twice.Shape.Topics, "an alias that is used twice is nothing bad")
}

// What a file of topics says beyond the limits is not passed over.
func TestMoreThanIsRead(t *testing.T) {
	_, err := Read([]byte(strings.Repeat("---\nkind: KafkaTopic\nmetadata: {name: x}\n", maxDocuments+1)), kafkaconf.FormatYAML, kafkaconf.Options{})
	assert.ErrorContains(t, err, "more than 10000 documents")
	topics := readText(t, "kind: Kafka\nspec: {topics: ["+strings.Repeat("{name: x},", maxTopics+2)+"]}\n", kafkaconf.FormatYAML)
	assertWarnings(t, []string{"there are more than 100000 topics, and those after them are left out"}, topics.Warnings)
	for _, format := range []kafkaconf.Format{kafkaconf.FormatYAML, kafkaconf.FormatTerraform} {
		_, err := Read(make([]byte, mostBytes(format)+1), format, kafkaconf.Options{})
		assert.ErrorContains(t, err, "it has more than")
	}
}

// Only values and reckoning are worked out: a list of lists of lists, a text that doubles and a number of a million digits are
// not.
func TestTerraformThatNeverEnds(t *testing.T) {
	list, double := "1", "c"
	for range 40 {
		list = "[for x in [1,2,3,4,5,6,7,8,9,10]: " + list + "]"
		double = `[for c in ["${c}${c}"]: ` + double + "][0]"
	}
	for _, value := range []string{list, `[for c in ["c"]: ` + double + "][0]", "1e100000000", "-1e2000000000", `"x${1e100000000}"`} {
		r := readText(t, "resource \"kafka_topic\" \"a\" {\n config = { \"retention.ms\" = "+value+" }\n}\n", kafkaconf.FormatTerraform)
		require.Len(t, r.Config.Refused, 1, "%.40s", value)
		assert.Equal(t, "retention.ms", r.Config.Refused[0].Problem.Key)
	}
	r := readText(t, "resource \"kafka_topic\" \"a\" {\n config = { \"retention.ms\" = \"${7 * 24 * (60 * 60) * 1000}\", \"preallocate\" = !false, \"segment.bytes\" = true ? 1048576 : 2 }\n}\n", kafkaconf.FormatTerraform)
	assert.Empty(t, r.Config.Refused)
	assert.Equal(t, "604800000", r.Shape.Topics[0].Config["retention.ms"].String())
	assert.Equal(t, "1048576", r.Shape.Topics[0].Config["segment.bytes"].String())
}

// Sizes whose sum no 64 bits hold have none.
func TestSizesBeyondAllSums(t *testing.T) {
	const line = "-rw-r--r-- 1 k k 9223372036854775807 Nov 30 12:00 0000000000000000000"
	files := line + "0.log\n" + line + "1.log\n" + strings.ReplaceAll(line, "9223372036854775807", "4104") + "1.index\n" +
		strings.ReplaceAll(line, "9223372036854775807", "4104") + "1.timeindex\n"
	r := readText(t, files, kafkaconf.FormatListing)
	require.Len(t, r.Shape.Segments, 2)
	assert.Nil(t, r.Shape.Log)
	assert.Nil(t, r.Shape.Apparent)
	assertWarnings(t, []string{"the sizes add up to more than 9223372036854775807 bytes"}, r.Warnings[:1])
}

func FuzzRead(f *testing.F) {
	files, _ := filepath.Glob("testdata/inputs/*")
	for _, file := range files {
		data, _ := os.ReadFile(file)
		f.Add(data, uint8(0))
	}
	all := []kafkaconf.Format{kafkaconf.FormatYAML, kafkaconf.FormatJSON, kafkaconf.FormatEnv, kafkaconf.FormatListing, kafkaconf.FormatDiskUsage, kafkaconf.FormatTerraform}
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		r, err := Read(data, all[int(format)%len(all)], kafkaconf.Options{})
		if err == nil {
			_, err = json.Marshal(r.Shape)
			require.NoError(t, err)
		}
	})
}

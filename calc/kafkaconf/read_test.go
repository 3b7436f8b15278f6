package kafkaconf

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// expected is what must be read from a file of testdata/inputs.
type expected struct {
	File     string
	Quirks   []string
	Expect   map[string]any
	Warnings []string          `json:"warnings_expected"`
	Rejected map[string]string `json:"rejected_values"`
}

// TestInputs reads files as people paste them. Of the parts topics and broker everything must be as expected and nothing
// more; effective may hold more than is listed.
func TestInputs(t *testing.T) {
	files, err := filepath.Glob("testdata/inputs/*.expected.json")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		var want expected
		decodeJSON(t, readFile(t, file), &want)
		t.Run(want.File, func(t *testing.T) {
			got, err := Parse(readFile(t, filepath.Join("testdata/inputs", want.File)), Options{})
			require.NoError(t, err)
			var read map[string]any
			text, err := json.Marshal(got.Read)
			require.NoError(t, err)
			decodeJSON(t, text, &read)
			for part, value := range want.Expect {
				if part == "reserved_bytes_total" {
					continue // what a service makes of it: calc/provider
				}
				if part == "effective" {
					for key, v := range value.(map[string]any) {
						assert.Equal(t, v, read[part].(map[string]any)[key], "effective %s", key)
					}
					continue
				}
				assert.Equal(t, withoutNull(value), withoutNull(read[part]), part)
			}
			for _, part := range []string{"topics", "broker"} {
				if _, ok := want.Expect[part]; !ok {
					assert.Nil(t, read[part], part)
				}
			}
			if want.Rejected == nil {
				want.Rejected = map[string]string{}
			}
			if got.Rejected == nil {
				got.Rejected = map[string]string{}
			}
			assert.Equal(t, want.Rejected, got.Rejected)
			assertWarnings(t, want.Warnings, got.Warnings)
		})
	}
}

// assertWarnings asks for each expected warning one that has all its words, apart from the small ones.
func assertWarnings(t *testing.T, want []string, got []Notice) {
	t.Helper()
	if len(want) == 0 {
		assert.Empty(t, got)
	}
	for _, w := range want {
		best := 0
		words := words(w)
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

func words(text string) []string {
	return strings.FieldsFunc(text, func(c rune) bool { return strings.ContainsRune(" :;(),?'\"", c) })
}

func withoutNull(v any) any {
	switch v := v.(type) {
	case map[string]any:
		out := map[string]any{}
		for key, value := range v {
			if value != nil {
				out[key] = withoutNull(value)
			}
		}
		return out
	case []any:
		out := []any{}
		for _, value := range v {
			out = append(out, withoutNull(value))
		}
		return out
	}
	return v
}

func readFile(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	return data
}

// decodeJSON keeps numbers as they are written: 2^63−1 does not survive a float.
func decodeJSON(t *testing.T, data []byte, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(data)))
	d.UseNumber()
	require.NoError(t, d.Decode(into))
}

// TestSamples reads the output of Kafka 4.3.1's own tools: nothing of it may be odd to us.
func TestSamples(t *testing.T) {
	for file, check := range map[string]func(*Result){
		"configs_describe_broker_1.txt": func(r *Result) {
			assert.Empty(t, r.Read.Broker)
			assert.Equal(t, "604800000", r.Read.Effective["retention.ms"].String())
		},
		"configs_describe_broker_default.txt": func(r *Result) { assert.Equal(t, map[string]string{"min.insync.replicas": "1"}, plain(r.Read.Broker)) },
		"configs_describe_broker1_all.txt": func(r *Result) {
			assert.Equal(t, "10000", r.Read.Broker["log.retention.check.interval.ms"].String())
			assert.NotContains(t, r.Read.Broker, "log.retention.ms")
			assert.Equal(t, "604800000", r.Read.Effective["retention.ms"].String())
			assert.Equal(t, "1.7976931348623157E308", r.Read.Broker["log.cleaner.io.max.bytes.per.second"].String())
			assert.Equal(t, []string{"/var/lib/kafka/b1-data"}, r.Read.Broker["log.dirs"].list)
		},
		"configs_describe_topic_perf.txt": func(r *Result) {
			assert.Equal(t, map[string]string{"retention.bytes": "3145728", "segment.bytes": "1048576"}, plain(r.Read.Topics[0].Config))
		},
		"configs_describe_topic_perf_all.txt": func(r *Result) {
			assert.Equal(t, "9223372036854775807", r.Read.Topics[0].Config["max.compaction.lag.ms"].String())
			assert.Equal(t, "0.5", r.Read.Topics[0].Config["min.cleanable.dirty.ratio"].String())
			assert.Equal(t, "false", r.Read.Topics[0].Config["preallocate"].String())
		},
		"configs_describe_topic_tiered.txt":                  func(r *Result) { assert.Equal(t, "40000", r.Read.Topics[0].Config["local.retention.ms"].String()) },
		"configs_describe_topic_tiered_all.txt":              func(r *Result) { assert.Equal(t, "true", r.Read.Topics[0].Config["remote.storage.enable"].String()) },
		"configs_describe_topic_remote_log_metadata_all.txt": func(r *Result) { assert.Equal(t, "__remote_log_metadata", r.Read.Topics[0].Name) },
		"configs_describe_topics.txt":                        func(r *Result) { assert.Len(t, r.Read.Topics, 4) },
	} {
		r, err := Parse(readFile(t, "testdata/inputs/"+file), Options{})
		require.NoError(t, err, file)
		assert.Equal(t, FormatDescribe, r.Format, file)
		assert.Empty(t, r.Warnings, file)
		assert.Empty(t, r.Notes, file)
		assert.Empty(t, r.Rejected, file)
		check(r)
	}
}

func plain(values map[string]Value) map[string]string {
	out := map[string]string{}
	for key, v := range values {
		out[key] = v.String()
	}
	return out
}

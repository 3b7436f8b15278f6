package kafkaconf

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/partsize/partsize/calc"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func parse(t *testing.T, text string, name string) *Result {
	t.Helper()
	r, err := Parse([]byte(text), Options{Name: name})
	require.NoError(t, err)
	_, err = json.Marshal(r.Read)
	require.NoError(t, err)
	return r
}

func texts(notices []Notice) string {
	var lines []string
	for _, n := range notices {
		lines = append(lines, n.String())
	}
	return strings.Join(lines, "\n")
}

// TestServerProperties holds single lines, and what Kafka makes of them.
func TestServerProperties(t *testing.T) {
	const retention, roll = "retention.ms", "segment.ms"
	for _, c := range []struct {
		name, text string
		key, want  string // of effective
		warnings   []string
		rejected   map[string]string
	}{
		{"ms over minutes over hours", "log.retention.hours=1\nlog.retention.minutes=2\nlog.retention.ms=3", retention, "3", nil, nil},
		{"whatever the order", "log.retention.ms=3\nlog.retention.hours=1", retention, "3", nil, nil},
		{"minutes", "log.retention.minutes=2\nlog.retention.hours=1", retention, "120000", nil, nil},
		{"roll", "log.roll.hours=1\nlog.roll.ms=5000", roll, "5000", nil, nil},
		{"jitter", "log.roll.jitter.hours=2", "segment.jitter.ms", "7200000", nil, nil},
		{"negative is no limit", "log.retention.hours=-1", retention, "-1", nil, nil},
		{"any negative", "log.retention.minutes=-7", retention, "-1", nil, nil},
		{"ms=-1 and hours", "log.retention.ms=-1\nlog.retention.hours=24", retention, "-1",
			[]string{"line 1: log.retention.ms=-1 disables time retention even though hours is set"}, nil},
		{"a plus sign", "log.retention.ms=+5", retention, "5", nil, nil},
		{"blanks around", "log.retention.ms =  5 \t", retention, "5", nil, nil},
		{"escapes", `log.retention.\u006ds=\u0035`, retention, "5", nil, nil},
		{"continued with Windows line ends", "log.retention.ms=12\\\r\n  34\r\n", retention, "1234", nil, nil},
		{"zero", "log.retention.ms=0", retention, "0", []string{"is 0, which a broker refuses"}, nil},
		{"zero hours, but minutes", "log.retention.hours=0\nlog.retention.minutes=1", retention, "60000", nil, nil},
		{"empty", "log.retention.ms=", retention, "604800000", []string{"log.retention.ms is empty"}, map[string]string{"log.retention.ms": ""}},
		{"no separator", "log.retention.ms", retention, "604800000", []string{"log.retention.ms is empty"}, map[string]string{"log.retention.ms": ""}},
		{"quotes", `log.retention.hours="24"`, retention, "604800000", []string{"quotes are part of a value"}, map[string]string{"log.retention.hours": `"24"`}},
		{"days", "log.retention.hours=7d", retention, "604800000", []string{"unit suffix 7d invalid (hours expected; 168?)"}, map[string]string{"log.retention.hours": "7d"}},
		{"binary unit", "log.segment.bytes=512MiB", "segment.bytes", "1073741824", []string{"(bytes expected; 536870912?)"}, map[string]string{"log.segment.bytes": "512MiB"}},
		{"one letter", "log.retention.bytes=10g", "retention.bytes", "-1", []string{"(bytes expected; 10000000000 or 10737418240?)"}, map[string]string{"log.retention.bytes": "10g"}},
		{"thousands", "log.retention.bytes=1,073,741,824", "retention.bytes", "-1", []string{"has thousands separators", "write 1073741824"}, map[string]string{"log.retention.bytes": "1,073,741,824"}},
		{"exponent", "log.retention.bytes=1e9", "retention.bytes", "-1", []string{"has an exponent", "write 1000000000"}, map[string]string{"log.retention.bytes": "1e9"}},
		{"fraction", "log.retention.hours=1.5", retention, "604800000", []string{"log.retention.hours value '1.5'"}, map[string]string{"log.retention.hours": "1.5"}},
		{"words", "log.retention.ms=forever", retention, "604800000", []string{"log.retention.ms value 'forever'"}, map[string]string{"log.retention.ms": "forever"}},
		{"filled in elsewhere", "log.retention.ms=${env:RETENTION}", retention, "604800000", []string{"is filled in elsewhere"}, map[string]string{"log.retention.ms": "${env:RETENTION}"}},
		{"other digits", "log.retention.ms=٥", retention, "604800000", []string{"is not a digit from 0 to 9"}, map[string]string{"log.retention.ms": "٥"}},
		{"a blank that does not break", "log.retention.hours=24\u00a0", retention, "604800000", []string{"log.retention.hours value"}, map[string]string{"log.retention.hours": "24\u00a0"}},
		{"hours beyond an int", "log.retention.hours=2147483648", retention, "604800000", []string{"does not fit: the largest number is 2147483647"}, map[string]string{"log.retention.hours": "2147483648"}},
		{"the largest long", "log.retention.ms=9223372036854775807", retention, "9223372036854775807", nil, nil},
		{"one more", "log.retention.ms=9223372036854775808", retention, "604800000", []string{"the largest number is 9223372036854775807"}, map[string]string{"log.retention.ms": "9223372036854775808"}},
		{"segments are ints", "log.segment.bytes=4294967296", "segment.bytes", "1073741824", []string{"does not fit"}, map[string]string{"log.segment.bytes": "4294967296"}},
		{"too small since 4.0", "log.segment.bytes=1000000", "segment.bytes", "1000000", []string{"log.segment.bytes 1000000 below the minimum 1048576 of Kafka 4.0 and later"}, nil},
		{"index too small", "log.index.size.max.bytes=8", "segment.index.bytes", "8", []string{"log.index.size.max.bytes 8 is less than one entry of the time index"}, nil},
		{"flag in capitals", "log.preallocate=TRUE", "preallocate", "true", nil, nil},
		{"no flag", "log.preallocate=yes", "preallocate", "false", []string{"log.preallocate value 'yes' is neither true nor false"}, map[string]string{"log.preallocate": "yes"}},
		{"both policies", "log.cleanup.policy= compact , delete", "cleanup.policy", "compact,delete", nil, nil},
		{"no policy", "log.cleanup.policy=keep", "cleanup.policy", "delete", []string{"is not made of delete, compact"}, map[string]string{"log.cleanup.policy": "keep"}},
		{"misspelt", "log.retension.hours=5", retention, "604800000", []string{"log.retension.hours unknown: did you mean log.retention.hours?"}, nil},
		{"misspelt with capitals", "Log.Retention.Hours=5", retention, "604800000", []string{"did you mean log.retention.hours?"}, nil},
		{"misspelt with underscores", "log_retention_hours=5", retention, "604800000", []string{"did you mean log.retention.hours?"}, nil},
		{"a topic's name", "segment.ms=5", roll, "604800000", []string{"segment.ms is a topic setting; broker name is log.roll.ms"}, nil},
		{"a topic's name without a broker's", "remote.storage.enable=true", "local.retention.ms", "-2", []string{"there is none for all topics of a broker"}, nil},
		{"log. before a topic's name", "log.file.delete.delay.ms=5", "file.delete.delay.ms", "60000", []string{"did you mean log.segment.delete.delay.ms?"}, nil},
		{"twice", "log.retention.ms=1\nlog.retention.ms=2", retention, "2", []string{"line 2: duplicate key log.retention.ms: it was '1' in line 1"}, nil},
		{"twice, then wrong", "log.retention.ms=1\nlog.retention.ms=x", retention, "604800000", []string{"duplicate key", "'x'"}, map[string]string{"log.retention.ms": "x"}},
		{"bad escape", `log.retention.ms=\u12`, retention, "604800000", []string{"needs four hexadecimal digits"}, map[string]string{"log.retention.ms": `\u12`}},
		{"a mark before the first key", "\ufefflog.retention.ms=5", retention, "604800000", []string{"byte order mark", "log.retention.ms is not set"}, nil},
		{"a mark before a comment", "\ufeff# x\nlog.retention.ms=5", retention, "5", nil, nil},
		{"settings of others", "listeners=PLAINTEXT://:9092\nzookeeper.connect=z:2181\nssl.keystore.password=s3cret#1\nlistener.name.x.ssl.y=1\nprocess.roles=broker", retention, "604800000", nil, nil},
		{"comment behind a flag", "auto.create.topics.enable=true # no", retention, "604800000", []string{"part of auto.create.topics.enable"}, nil},
		{"comment behind a list", "log.dirs=/a,/b # disks", retention, "604800000", []string{"part of log.dirs"}, nil},
		{"a path with backslashes", `log.dirs=C:\kafka\temp`, retention, "604800000", []string{`log.dirs: a backslash alone is dropped, so Kafka sees "C:kafka\temp"; write \\ or /`}, nil},
		{"a path with two", `log.dirs=C:\\kafka\\temp`, retention, "604800000", nil, nil},
		{"ratio", "log.cleaner.min.cleanable.ratio=.25", "min.cleanable.dirty.ratio", "0.25", nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := parse(t, c.text, "server.properties")
			assert.Equal(t, FormatProperties, r.Format)
			assert.Equal(t, c.want, r.Read.Effective[c.key].String())
			for _, w := range c.warnings {
				assert.Contains(t, texts(r.Warnings), w)
			}
			if c.warnings == nil {
				assert.Empty(t, r.Warnings)
			}
			assert.Equal(t, c.rejected, r.Rejected)
			assert.NotContains(t, texts(r.Warnings)+texts(r.Notes), "s3cret", "a value that may be a password")
		})
	}
}

func TestServerPropertiesOfAnOldVersion(t *testing.T) {
	r, err := Parse([]byte("log.segment.bytes=50\n"), Options{Version: calc.V3_7})
	require.NoError(t, err)
	assert.Empty(t, r.Warnings)
}

func TestDescribe(t *testing.T) {
	const tail = " sensitive=false synonyms={DEFAULT_CONFIG:log.retention.bytes=-1}"
	for _, c := range []struct {
		name, text string
		topics     string // as JSON
		broker     string
		warnings   []string
	}{
		{"dynamic", "Dynamic configs for topic a.b-c_1 are:\n  retention.ms=5" + tail, `a.b-c_1 retention.ms=5`, "", nil},
		{"before 2.5", "Configs for broker 1 are:\n  log.retention.ms=5" + tail, "", "log.retention.ms=5", nil},
		{"with ZooKeeper", "Configs for topic 'a.b' are retention.ms=5,cleanup.policy=compact,delete,segment.bytes=2000000", `a.b cleanup.policy=compact,delete retention.ms=5 segment.bytes=2000000`, "", nil},
		{"with ZooKeeper, nothing set", "Configs for topic 'x' are ", `x`, "", nil},
		{"quoted", "Dynamic configs for topic 'a.b' are:\nretention.ms=5", `a.b retention.ms=5`, "", nil},
		{"cluster default", "Default configs for brokers in the cluster are:\n  log.retention.ms=5" + tail, "", "log.retention.ms=5", nil},
		{"cluster default before 2.5", "Default config for brokers in the cluster are:\n  log.retention.ms=5" + tail, "", "log.retention.ms=5", nil},
		{"a broker's own first", "Dynamic configs for broker 1 are:\n log.retention.ms=5" + tail + "\nDefault configs for brokers in the cluster are:\n log.retention.ms=6" + tail + "\n log.segment.bytes=2000000" + tail,
			"", "log.retention.ms=5 log.segment.bytes=2000000", nil},
		{"brokers that differ", "Dynamic configs for broker 1 are:\n log.retention.ms=5" + tail + "\nDynamic configs for broker 2 are:\n log.retention.ms=6" + tail, "", "log.retention.ms=5",
			[]string{"line 4: broker 2 has log.retention.ms='6', broker 1 has '5'; broker 1 is taken"}},
		{"not set", "All configs for broker 1 are:\n log.retention.ms=null sensitive=false synonyms={}\n log.retention.hours=5" + tail, "", "log.retention.hours=5", nil},
		{"passwords", "All configs for broker 1 are:\n ssl.key.password=null sensitive=true synonyms={}\n log.retention.hours=5" + tail, "", "log.retention.hours=5", nil},
		{"empty synonyms", "Dynamic configs for topic x are:\n retention.ms=5 sensitive=false synonyms={}", "x retention.ms=5", "", nil},
		{"empty values", "Dynamic configs for topic x are:\n leader.replication.throttled.replicas= sensitive=false synonyms={}\n retention.ms=", "x", "", nil},
		{"no policy", "Dynamic configs for topic x are:\n cleanup.policy= sensitive=false synonyms={}", "x cleanup.policy=", "", nil},
		{"wrapped lines", "Dynamic configs for topic x are:\n  retention.ms=5 sensitive=false\n  synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=7,\n DEFAULT_CONFIG:log.retention.ms=8}", "x retention.ms=5", "", nil},
		{"warnings of others", "[2026-01-01 10:00:00,1] WARN a=b (x.y)\nPicked up JAVA_TOOL_OPTIONS: -Dretention.ms=9\nSLF4J: x\n$ kafka-configs.sh --describe\nDynamic configs for topic x are:\nretention.ms=5", "x retention.ms=5", "", nil},
		{"topic twice", "Dynamic configs for topic x are:\nretention.ms=5\nDynamic configs for topic y are:\nDynamic configs for topic x are:\nsegment.ms=6", "x retention.ms=5 segment.ms=6|y", "", nil},
		{"key twice", "Dynamic configs for topic x are:\nretention.ms=5\nretention.ms=6", "x retention.ms=6", "", []string{"duplicate key retention.ms"}},
		{"topics and brokers", "Dynamic configs for topic x are:\nretention.ms=5\nDynamic configs for broker 1 are:\nlog.retention.ms=6", "x retention.ms=5", "log.retention.ms=6", nil},
		{"quotas, loggers", "Quota configs for user-principal 'a' are producer_byte_rate=1.0\nDynamic configs for broker-logger 1 are:\n root=INFO sensitive=false synonyms={}\nDynamic configs for topic x are:", "x", "", nil},
		{"no header", "  retention.ms=5" + tail + "\n  segment.ms=6" + tail, " retention.ms=5 segment.ms=6", "", nil},
		{"a broker's name", "Dynamic configs for topic x are:\nlog.retention.ms=5", "x", "", []string{"log.retention.ms is a broker's name; a topic's is retention.ms"}},
		{"misspelt", "Dynamic configs for topic x are:\nretention.mss=5", "x", "", []string{"retention.mss unknown: did you mean retention.ms?"}},
		{"of another product", "Dynamic configs for topic x are:\nconfluent.tier.enable=true sensitive=false synonyms={}", "x", "", nil},
		{"bounds", "Dynamic configs for topic x are:\nretention.ms=-5\nsegment.ms=0\nsegment.index.bytes=4", "x retention.ms=-5 segment.index.bytes=4 segment.ms=0", "",
			[]string{"retention.ms -5 is below -1", "segment.ms 0 is below", "segment.index.bytes 4 is less than one entry"}},
		{"CRLF and a mark", "\ufeffDynamic configs for topic x are:\r\n  retention.ms=5" + tail + "\r\n", "x retention.ms=5", "", nil},
		{"UTF-16", "\xff\xfe" + wide("Dynamic configs for topic x are:\r\n  retention.ms=5\r\n"), "x retention.ms=5", "", nil},
		{"compression", "Dynamic configs for topic x are:\ncompression.type=lz4\n", "x compression.type=lz4", "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := parse(t, c.text, "")
			assert.Equal(t, FormatDescribe, r.Format)
			var topics []string
			for _, topic := range r.Read.Topics {
				topics = append(topics, strings.TrimRight(topic.Name+" "+listing(topic.Config), " "))
			}
			assert.Equal(t, c.topics, strings.Join(topics, "|"))
			assert.Equal(t, c.broker, listing(r.Read.Broker))
			for _, w := range c.warnings {
				assert.Contains(t, texts(r.Warnings), w)
			}
			if c.warnings == nil {
				assert.Empty(t, r.Warnings)
			}
		})
	}
}

// listing writes values in the order of their keys.
func listing(values map[string]Value) string {
	var pairs []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		pairs = append(pairs, key+"="+values[key].String())
	}
	return strings.Join(pairs, " ")
}

func TestDetect(t *testing.T) {
	for text, want := range map[string]Format{
		"":                             FormatUnknown,
		"hello world":                  FormatUnknown,
		"\x00\x01\x02":                 FormatUnknown,
		"log.retention.hours=168\n":    FormatProperties,
		"# x\nbroker.id=1\n":           FormatProperties,
		"retention.ms=5\nsegment.ms=6": FormatDescribe,
		"time,bytes/s\n0,1\n":          FormatSeries,
		"time;bytes/s\n0;1,5\n":        FormatSeries,
		"apiVersion: kafka.strimzi.io/v1beta2\nkind: Kafka\n":                             FormatYAML,
		"services:\n  kafka:\n":                                                           FormatYAML,
		" Details for topic ledger\nretention.ms   5\nmin.insync.replicas   2\n":          FormatIBMTopic,
		`{"version":1,"brokers":[]}`:                                                      FormatLogDirs,
		"resource \"kafka_topic\" \"x\" {":                                                FormatTerraform,
		"KAFKA_LOG_RETENTION_HOURS=1\n":                                                   FormatEnv,
		"Topic: orders\tTopicId: x\tPartitionCount: 3\tReplicationFactor: 2\tConfigs: \n": FormatTopics,
		"-rw-r--r-- 1 k k 10 Mar 2 09:15 00000000000000000000.index\n":                    FormatListing,
		"72M     /var/lib/kafka/x-9\n":                                                    FormatDiskUsage,
	} {
		assert.Equal(t, want, Detect([]byte(text), ""), "%q", text)
	}
	assert.Equal(t, FormatProperties, Detect([]byte("retention.ms=5\n"), "server.properties"))
	assert.Equal(t, FormatYAML, Detect([]byte("\n# values\nkafka:\n  logRetentionHours: 24\n"), "values.yaml"))
	assert.Equal(t, FormatDescribe, Detect([]byte("Dynamic configs for topic x are:\n"), "pasted.yaml"), "the content goes first")
	for _, text := range []string{"", "apiVersion: v1\n", "\x00", "nothing here"} {
		_, err := Parse([]byte(text), Options{})
		assert.ErrorIs(t, err, ErrFormat)
	}
}

func TestApply(t *testing.T) {
	in := calc.Defaults()
	broker := parse(t, "log.retention.hours=24\nlog.segment.bytes=536870912\nbroker.id=1\nlog.dirs=/a\nlog.roll.ms=5", "server.properties")
	require.NoError(t, broker.Apply(&in, "orders"), "a file about brokers alone has no topic to choose")
	assert.Equal(t, "1d", in.Get("retention.ms"))
	topics := parse(t, "Dynamic configs for topic orders are:\nretention.ms=3600000\nDynamic configs for topic other are:\n", "")
	assert.ErrorContains(t, topics.Apply(&in, ""), "there are 2 topics: choose one of orders, other")
	assert.ErrorContains(t, topics.Apply(&in, "x"), "there is no topic 'x': choose one of orders, other")
	require.NoError(t, topics.Apply(&in, "orders"))
	assert.Equal(t, "3600000", in.Get("retention.ms"))
	assert.Equal(t, "512MiB", in.Get("segment.bytes"))
	assert.Equal(t, "5", in.Get("segment.ms"))
	for key := range in.Unknown() {
		assert.Fail(t, "unknown key", key)
	}
}

func TestSeriesText(t *testing.T) {
	s := readSeries(t, "time,bytes/s\n0,1.5\n61,0\n3600,1048576\n7200,3\n")
	in := calc.Defaults()
	s.Apply(&in)
	text, _ := in.Given("produce.series")
	assert.Equal(t, "0:91B/61000ms,61s:0/s,1h:1MiB/s,2h:3B/s", text)
	assert.NoError(t, in.Set("produce.series", text))
	horizon, _ := in.Given("horizon")
	assert.Equal(t, "10739s", horizon, "the last row lasts for the usual step, 3539 s")
	require.NoError(t, in.Set("produce.series", readSeries(t, "time,records/s\n0,1.5\n61,0\n").Text()))
}

// A paste of 50 MB is answered within a second, whatever is in it.
func TestLargeInput(t *testing.T) {
	size := 50 << 20
	if runtime.GOARCH == "wasm" {
		size = 5 << 20
	}
	for name, line := range map[string]string{
		"properties":       "log.retention.hours=168\n",
		"unknown keys":     "log.retension.hours.%d=168\n",
		"comments":         "# log.retention.hours=168\n",
		"topics":           "Dynamic configs for topic t%d are:\n  retention.ms=5 sensitive=false synonyms={DYNAMIC_TOPIC_CONFIG:retention.ms=5}\n",
		"continued":        "\\\n",
		"continued values": "a\\\n",
		"returns":          "a\r",
		"equals signs":     "=",
		"noise":            "\x80\xff\xfe",
		"long topics":      "Dynamic configs for topic t%d are:\n  retention.ms=5 sensitive=false synonyms={" + strings.Repeat("DYNAMIC_TOPIC_CONFIG:retention.ms=5, ", 6) + "}\n",
		"unknown topic":    "Dynamic configs for topic x are:\nretention.m%d=1\n",
		"quotes":           "\"",
	} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			for i := 0; b.Len() < size; i++ {
				if strings.Contains(line, "%d") {
					fmt.Fprintf(&b, line, i)
				} else {
					b.WriteString(line)
				}
			}
			data := b.Bytes()[:size]
			for _, format := range []Format{FormatUnknown, FormatProperties} {
				start := time.Now()
				r, err := Parse(data, Options{Format: format})
				took := time.Since(start)
				t.Logf("%s as %q: %v", name, format, took)
				if !raceEnabled {
					assert.Less(t, took, 10*time.Second, format) // half a second on a machine of its own
				}
				if err == nil {
					assert.LessOrEqual(t, len(r.Warnings), maxWarnings+1)
				}
			}
		})
	}
	_, err := Parse(make([]byte, MaxSize+1), Options{})
	assert.ErrorContains(t, err, "more than 67,108,864 bytes")
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("log.retention.hours=168 # x\nlog.segment.ms=5\n\\\n"), uint8(0))
	f.Add([]byte("Dynamic configs for topic x are:\n  a.b=c sensitive=false synonyms={}\n"), uint8(1))
	f.Add([]byte("Configs for topic 'x' are a=b,c\n"), uint8(2))
	f.Add([]byte("\xff\xfea\x00=\x00"), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		r, err := Parse(data, Options{Format: []Format{FormatUnknown, FormatProperties, FormatDescribe}[format%3]})
		if err != nil {
			return
		}
		if _, err := json.Marshal(r.Read); err != nil {
			t.Fatal(err)
		}
		for _, n := range append(r.Warnings, r.Notes...) {
			if len(n.Text) > 1000 {
				t.Fatalf("a message of %d bytes", len(n.Text))
			}
		}
		in := calc.Defaults()
		_ = r.Apply(&in, "")
	})
}

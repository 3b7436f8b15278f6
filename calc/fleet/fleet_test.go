package fleet

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
)

func decode(t *testing.T, text string) *Description {
	t.Helper()
	d, err := Decode([]byte(text))
	require.NoError(t, err)
	return d
}

func run(t *testing.T, text string) *Result {
	t.Helper()
	r, err := Run(decode(t, text), nil)
	require.NoError(t, err)
	return r
}

// describe is a description of three brokers with two directories each, with more fields.
func describe(topics, more string) string {
	return `{"format":"partsize-cluster/1","horizon":"10d","internal":false,
"brokers":[{"count":3,"log.dirs":"/a,/b","size":"100GiB"}],"topics":[` + topics + `]` + more + `}`
}

// A directory with one partition has what the simulation of that partition has.
func TestOnePartition(t *testing.T) {
	r := run(t, describe(`{"name":"t","produce":"1MiB/s","settings":{"retention.ms":"1d"}}`, ""))
	in := calc.Defaults()
	for _, p := range []calc.Pair{{Key: "produce", Value: "1MiB/s"}, {Key: "retention.ms", Value: "1d"}, {Key: "horizon", Value: "10d"}} {
		require.NoError(t, in.Set(p.Key, p.Value))
	}
	s, err := calc.NewScenario(in)
	require.NoError(t, err)
	one := calc.Run(s).Timeline
	_, peak := r.Cluster.Peak()
	assert.Equal(t, one.Peak().Allocated.Bytes, peak)
	require.Len(t, r.Cluster.High, len(one.Envelope()))
	for i, b := range one.Envelope() {
		assert.Equal(t, b.Allocated.High, r.Cluster.High[i])
		assert.Equal(t, b.Allocated.Low, r.Cluster.Low[i])
		assert.Equal(t, b.From, calc.Millis(i)*r.Span)
	}
	assert.Equal(t, 1, r.Classes)
	assert.Equal(t, 1, r.Replicas)
	assert.Equal(t, one.Counts().OpenFiles, r.Brokers[0].OpenFiles+r.Brokers[1].OpenFiles+r.Brokers[2].OpenFiles)
}

// Equal partitions are simulated once, and each replica counts.
func TestReplicasCount(t *testing.T) {
	one := run(t, describe(`{"name":"t","produce":"1MiB/s"}`, ""))
	many := run(t, describe(`{"name":"t","count":2,"partitions":5,"replication.factor":3,"produce":"5MiB/s"}`, ""))
	_, a := one.Cluster.Peak()
	_, b := many.Cluster.Peak()
	assert.Equal(t, 30*a, b)
	assert.Equal(t, 1, many.Classes)
	assert.Equal(t, 30, many.Replicas)
	assert.Equal(t, 2, many.Topics)
	for _, d := range many.Dirs {
		assert.Equal(t, 5, d.Replicas, "counts are even")
	}
}

// The day on which a directory crosses a part of its size follows from its rate.
func TestCrossings(t *testing.T) {
	r := run(t, `{"format":"partsize-cluster/1","horizon":"10d","internal":false,"brokers":[{"log.dirs":"/a","size":"84375MiB"}],
"topics":[{"name":"t","produce":"1MiB/s","settings":{"retention.ms":"-1"}}]}`)
	d := r.Dirs[0]
	for i, hours := range []int64{75 * 84375 / 100, 85 * 84375 / 100, 90 * 84375 / 100, 84375} { // seconds
		assert.InDelta(t, hours*1000, int64(d.Crosses[i]), float64(r.Span)+3e6, "%d %%", Levels[i])
	}
	assert.Equal(t, []Share{{"t", 1, d.High[len(d.High)-1]}}, d.Filling)
	assert.True(t, r.Full())
	assert.Contains(t, r.Sentence(), "/a of broker 1 gets full on day 0, between 23:12 and 23:27", "84,375 MiB at 1 MiB/s take 23:26:15")
}

// What a lost broker had is on the others, from that day on.
func TestLostBroker(t *testing.T) {
	topic := `{"name":"t","partitions":6,"replication.factor":2,"produce":"6MiB/s","settings":{"retention.ms":"1d"}}`
	before := run(t, describe(topic, ""))
	r := run(t, describe(topic, `,"steps":[{"at":"5d","lose_broker":2}]`))
	last := len(r.Cluster.High) - 1
	for i := range r.Dirs {
		if r.Dirs[i].Broker == 2 {
			assert.Zero(t, r.Dirs[i].High[last])
			assert.True(t, r.Dirs[i].Offline)
			assert.Equal(t, before.Dirs[i].High[last/4], r.Dirs[i].High[last/4])
		}
	}
	assert.Equal(t, before.Cluster.High[last], r.Cluster.High[last], "nothing is lost")
	require.Len(t, r.Copies, 1)
	assert.Equal(t, 4, r.Copies[0].Replicas)
}

// While a reassignment copies, both copies count.
func TestReassignment(t *testing.T) {
	topic := `{"name":"t","assignment":[[1]],"produce":"1MiB/s","settings":{"retention.ms":"1d"}}`
	r := run(t, describe(topic, `,"steps":[{"at":"5d","reassign":"t-0","to":[2],"throttle":"2MiB/s"}]`))
	require.Len(t, r.Copies, 1)
	assert.Equal(t, calc.ByteRate(calc.MiB), r.Copies[0].Written)
	assert.InDelta(t, 86*1024, int64(r.Copies[0].Takes/calc.Second), 600, "some 86 GiB at 2 MiB/s, of which 1 is new")
	at := int((5*calc.Day + r.Copies[0].Takes/2) / r.Span)
	assert.Equal(t, r.Cluster.High[at], 2*r.Brokers[1].High[at])
	after := int((5*calc.Day+r.Copies[0].Takes)/r.Span) + 2
	assert.Zero(t, r.Brokers[0].High[after])
	assert.Equal(t, r.Cluster.High[after], r.Brokers[1].High[after])
}

// What is copied is what is there at the time, not what there will be; and a throttle that new data fills never gets there.
func TestCopiesAreOfTheirTime(t *testing.T) {
	topic := `{"name":"t","assignment":[[1]],"produce":"1MiB/s","settings":{"retention.ms":"1d"}}`
	move := func(at, throttle string) Copy {
		r := run(t, describe(topic, `,"steps":[{"at":"6d","traffic":3},{"at":"`+at+`","move":"t-0","broker":1,"dir":"/b","throttle":"`+throttle+`"}]`))
		require.Len(t, r.Copies, 1)
		return r.Copies[0]
	}
	assert.InEpsilon(t, float64(86*calc.GiB), float64(move("5d", "2MiB/s").Bytes), 0.02)
	assert.InEpsilon(t, float64(3*86*calc.GiB), float64(move("9d", "4MiB/s").Bytes), 0.02, "three times as much is written since a day and more")
	assert.Equal(t, calc.Never, move("5d", "1MiB/s").Takes)
	assert.Equal(t, calc.Never, move("9d", "2MiB/s").Takes)
	r := run(t, describe(topic, `,"steps":[{"at":"5d","move":"t-0","broker":1,"dir":"/b","throttle":"1MiB/s"}]`))
	last := len(r.Cluster.High) - 1
	assert.Equal(t, 2*r.Dirs[1].High[last], r.Cluster.High[last], "both stay")
}

// Retention that is cut frees space after the next check and the delay of deleted files.
func TestSpaceReturns(t *testing.T) {
	r := run(t, describe(`{"name":"t","partitions":4,"produce":"40MiB/s"},{"name":"u","produce":"1MiB/s"}`, `,"steps":[{"at":"5d","topic":"t","settings":{"retention.ms":"1h"}}]`))
	require.Len(t, r.Returns, 1)
	got := r.Returns[0]
	assert.Equal(t, "t", got.Topic)
	assert.Equal(t, 4, got.Replicas)
	assert.Greater(t, got.First, calc.Minute)
	assert.LessOrEqual(t, got.First, 6*calc.Minute, "a check every 5 minutes, and a delay of one")
	assert.Greater(t, got.Freed, 15*calc.TiB)
}

// Traffic that doubles fills twice as fast.
func TestTrafficDoubled(t *testing.T) {
	topic := `{"name":"t","produce":"1MiB/s","settings":{"retention.ms":"1d"}}`
	one, two := run(t, describe(topic, "")), run(t, describe(topic, `,"steps":[{"at":"5d","traffic":2}]`))
	last := len(one.Cluster.High) - 1
	assert.InDelta(t, 2, float64(two.Cluster.High[last])/float64(one.Cluster.High[last]), 0.05)
	assert.Equal(t, one.Cluster.High[last/3], two.Cluster.High[last/3])
	half := run(t, describe(topic, `,"steps":[{"at":"5d","traffic":"1/2"}]`))
	assert.InDelta(t, 0.5, float64(half.Cluster.High[last])/float64(one.Cluster.High[last]), 0.05)
}

// Other changes are played, and the directories know it.
func TestChanges(t *testing.T) {
	topic := `{"name":"t","partitions":6,"produce":"6MiB/s","settings":{"retention.ms":"1d"}}`
	r := run(t, describe(topic, `,"steps":[{"at":"1d","add_dir":"/c","broker":1,"size":"1TiB"},{"at":"1d","add_broker":9,"dir":"/x"},
{"at":"2d","add_partitions":20,"topic":"t"},{"at":"3d","fail_dir":"/a","broker":1},{"at":"9d","delete":"t"}]`))
	require.Len(t, r.Dirs, 8)
	assert.Equal(t, "/c", r.Dirs[6].Path)
	assert.Equal(t, int32(9), r.Dirs[7].Broker)
	middle, last := len(r.Cluster.High)/2, len(r.Cluster.High)-1
	assert.Positive(t, r.Dirs[6].High[middle], "new partitions go to the new directory")
	assert.Zero(t, r.Dirs[0].High[middle])
	assert.Zero(t, r.Cluster.High[last])
}

// Kafka's own tests of its hash. Reference: UtilsTest.testMurmur2.
func TestMurmur2(t *testing.T) {
	for key, want := range map[string]int32{
		"21": -973932308, "foobar": -790332482, "a-little-bit-long-string": -985981536, "a-little-bit-longer-string": -1486304829,
		"lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8": -58897971,
	} {
		assert.Equal(t, want, int32(murmur2(key)), key)
	}
}

func TestZipf(t *testing.T) {
	w := zipf(4, 100)
	for i, part := range []float64{1, 2, 3, 4} {
		assert.InDelta(t, float64(w[0])/part, w[i], 2, "1/%v", part)
	}
	w = zipf(3, 200)
	assert.InDelta(t, float64(w[0])/9, w[2], 2)
	w = zipf(3, 0)
	assert.Equal(t, w[0], w[2])
	w = zipf(100_000, 150)
	assert.Positive(t, w[99_999])
	for i := range w[1:] {
		require.LessOrEqual(t, w[i+1], w[i])
	}
}

// The parts of a topic's traffic add up to the whole.
func TestRatesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		topic := Topic{Name: "t", Partitions: rapid.IntRange(1, 200).Draw(t, "partitions"), Produce: calc.RateOf(calc.Bytes(rapid.Int64Range(1, 1<<40).Draw(t, "bytes")), calc.Second)}
		switch rapid.IntRange(0, 2).Draw(t, "skew") {
		case 1:
			topic.Skew = Skew{Kind: Zipf, Exponent: rapid.Int64Range(0, 300).Draw(t, "exponent")}
		case 2:
			topic.Skew = Skew{Kind: Keyed, Keys: []Key{{"a", 3}, {"b", 1}, {"c", rapid.Int64Range(0, 1000).Draw(t, "weight")}}}
		}
		rates, _, err := (&runner{}).rates(&topic)
		require.NoError(t, err)
		var sum float64
		for _, r := range rates {
			amount, per := r.Ratio()
			sum += float64(amount) / float64(per)
		}
		amount, per := topic.Produce.Ratio()
		require.InEpsilon(t, float64(amount)/float64(per), sum, 1e-9)
	})
}

// What Kafka's tools print about a cluster is its start.
func TestFromTools(t *testing.T) {
	var d Description
	for _, name := range []string{"kafka-topics-1.txt", "log-dirs-1.txt"} {
		data, err := os.ReadFile("../kafkaconf/testdata/inputs/" + name)
		require.NoError(t, err)
		r, err := kafkaconf.Parse(data, kafkaconf.Options{})
		require.NoError(t, err)
		require.NoError(t, d.AddTopics(r.Read.Topics, name))
		require.NoError(t, d.AddLogDirs(&r.Read, name))
	}
	_, err := Run(&d, nil)
	assert.ErrorContains(t, err, "there is no broker 2", "orders has replicas on brokers that kafka-log-dirs did not ask")
	d = Description{Horizon: calc.Day}
	data, err := os.ReadFile("../kafkaconf/testdata/inputs/log-dirs-1.txt")
	require.NoError(t, err)
	parsed, err := kafkaconf.Parse(data, kafkaconf.Options{})
	require.NoError(t, err)
	require.NoError(t, d.AddLogDirs(&parsed.Read, "log-dirs-1.txt"))
	r, err := Run(&d, nil)
	require.NoError(t, err)
	require.Len(t, r.Dirs, 2)
	assert.Equal(t, "/data/k", r.Dirs[0].Path)
	assert.Equal(t, []int{2, 1}, []int{r.Dirs[0].Replicas, r.Dirs[1].Replicas})
	_, peak := r.Dirs[1].Peak()
	assert.InEpsilon(t, 415_000_000_000, int64(peak), 0.01, "present bytes, with the indexes")
}

// Everything that is wrong is named, all at once.
func TestMistakes(t *testing.T) {
	topic := `{"name":"t","produce":"1MiB/s"}`
	for text, problem := range map[string]string{
		describe(topic+","+topic, ""):                                                       `topics[1].name: topic "t" is given twice; it was in line 2 (line 2)`,
		describe(`{"name":"t","replication.factor":4}`, ""):                                 "replication factor of 4 cannot be reached because only 3 broker(s)",
		describe(`{"name":"t","assignment":[[1],[7]]}`, ""):                                 `topics[0].assignment: topic "t": t-1: there is no broker 7; there are 1 to 3 (line 2)`,
		describe(topic, `,"steps":[{"at":"1d","reassign":"t-0","to":[8]}]`):                 "steps[0].to: t-0: there is no broker 8; there are 1 to 3 (line 2)",
		describe(topic, `,"steps":[{"at":"11d","traffic":2}]`):                              "steps[0]: at=11d is not within the horizon, 10d",
		describe(topic, `,"steps":[{"at":"1d","topic":"x","traffic":2}]`):                   `steps[0].topic: there is no topic "x"; there is t`,
		describe(topic, `,"steps":[{"at":"1d","lose_broker":4}]`):                           "there is no broker 4",
		describe(`{"name":"t","partitions":3,"weights":[1,2]}`, ""):                         "2 weights for 3 partitions",
		describe(`{"name":"t","partitions":2,"weights":[0,0]}`, ""):                         "all weights are 0",
		describe(`{"name":"t","produce":"100 records/s"}`, ""):                              "give bytes",
		describe(`{"name":"t","produce":"1GiB/s","settings":{"segment.bytes":"1MiB"}}`, ""): `topic "t"`,
		describe("", ""): "there is no topic",
		`{"format":"partsize-cluster/1","topics":[` + topic + `]}`:                                                                          "there is no broker",
		`{"format":"partsize-cluster/1","brokers":[{"id":1,"log.dirs":"/a"},{"id":1,"log.dirs":"/a"}],"topics":[` + topic + `]}`:            "broker 1 is given twice",
		`{"format":"partsize-cluster/1","brokers":[{"log.dirs":"/a"}],"topics":[{"name":"t","partitions":1000000,"replication.factor":3}]}`: "more than 2000000 replicas",
	} {
		d, err := Decode([]byte(text))
		if err == nil {
			_, err = Run(d, nil)
		}
		assert.ErrorContains(t, err, problem, text)
	}
	_, err := Run(decode(t, describe(`{"name":"t","partitions":2,"weights":[0,0]},{"name":"u","produce":"1 record/s"}`, "")), nil)
	assert.ErrorContains(t, err, `topic "t"`)
	assert.ErrorContains(t, err, `topic "u"`)
}

// A directory that is smaller than what it holds is named.
func TestTooSmall(t *testing.T) {
	d := decode(t, describe("", ""))
	r, err := kafkaconf.Parse([]byte(`{"broker":1,"logDirs":[{"logDir":"/a","partitions":[{"partition":"t-0","size":200000000000}]}]}`), kafkaconf.Options{})
	require.NoError(t, err)
	require.NoError(t, d.AddLogDirs(&r.Read, "x"))
	_, err = Run(d, nil)
	assert.ErrorContains(t, err, "broker 1: /a holds 186 GiB of records, more than its size, 100 GiB")
}

// A file that is no description is refused with line and key.
func TestDecodeRefuses(t *testing.T) {
	head := `{"format":"partsize-cluster/1",`
	for text, problem := range map[string]string{
		`{`:                                      "expected a field name",
		`{"brokers":[]}`:                         `"format" is missing`,
		`{"format":"x"}`:                         `format: expected "partsize-cluster/1"`,
		head + "\n\"brokers\":[{}]}":             `brokers[0]: "log.dirs" is missing: a broker without a directory (line 2)`,
		head + `"brokers":[{"log.dirs":"/a,"}]}`: "values must not be empty",
		head + `"brokers":[{"log.dirs":"/a,/a/"}]}`:                       "Duplicate log directory",
		head + `"brokers":[{"log.dirs":"/a","size":"big"}]}`:              "brokers[0].size",
		head + `"brokers":[{"id":2147483647,"count":2,"log.dirs":"/a"}]}`: "2 brokers from id 2147483647 on: ids go up to 2147483647",
		head + `"topics":[{"partitions":1}]}`:                             `"name" is missing`,
		head + `"topics":[{"name":"t","produce":"fast"}]}`:                "topics[0].produce",
		head + `"topics":[{"name":"t","skew":"steep"}]}`:                  `"steep" is no skew`,
		head + `"topics":[{"name":"t","settings":{"produce":1}}]}`:        "has no place here",
		head + `"topics":[{"name":"t","settings":{"retention.msx":1}}]}`:  "retention.msx",
		head + `"topics":[{"name":"t","settings":{"retention.ms":"x"}}]}`: "topics[0].settings.retention.ms",
		head + `"steps":[{"at":"1d"}]}`:                                   "a step is one of",
		head + `"steps":[{"at":"1d","traffic":2,"delete":"t"}]}`:          "not two",
		head + `"steps":[{"traffic":2}]}`:                                 `"at" is missing`,
		head + `"steps":[{"at":"1d","traffic":"-2"}]}`:                    "is no factor",
		head + `"steps":[{"at":"1d","move":"t","broker":1,"dir":"/a"}]}`:  `"t" is no partition`,
		head + `"steps":[{"at":"1d","move":"t-0","broker":1}]}`:           `"dir" is missing`,
		head + `"topics":[{"name":"t","partitions":1}`:                    "expected ',' or ']'",
		strings.Repeat("[", 1000):                                         "expected an object",
	} {
		_, err := Decode([]byte(text))
		assert.ErrorContains(t, err, problem, text)
	}
}

// Whatever a file says, it is read or refused.
func FuzzDecode(f *testing.F) {
	for _, text := range []string{
		describe(`{"name":"t","count":2,"partitions":3,"replication.factor":2,"produce":"1MiB/s","skew":"zipf 0.5","settings":{"retention.ms":1}}`,
			`,"kafka.version":"4.3","seed":-5,"ulimit":9,"max_map_count":9,"settings":{"segment.bytes":"1MiB"}`),
		describe(`{"name":"t","assignment":[[1,2],[3]],"weights":[1,0]},{"name":"u","keys":{"a":1}}`,
			`,"steps":[{"at":"1d","traffic":"3/2"},{"at":1,"move":"t-0","broker":1,"dir":"/a","throttle":"1MiB/s"},{"at":2,"reassign":"t-0","to":[1]},{"at":3,"add_dir":"/c","broker":1,"size":5}]`),
		`{"format":"partsize-cluster/1","brokers":[{"id":2147483647,"count":1,"racks":["a","b"],"fenced":true,"log.dirs":["/a","/b"]}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Decode(data)
		if (d == nil) == (err == nil) {
			t.Errorf("%v, %v", d, err)
		}
		if d == nil {
			return
		}
		for i := range d.Topics { // a small one is worked out
			if d.Topics[i].Partitions > 50 || d.Topics[i].Count > 5 {
				return
			}
		}
		if d.Horizon = min(d.Horizon, calc.Day); len(d.Topics) < 5 && len(d.Brokers) < 20 {
			_, _ = Run(d, nil)
		}
	})
}

// The same description gives the same text, JSON and CSV; a stopped run says so.
func TestDeterminism(t *testing.T) {
	text := describe(`{"name":"t","partitions":7,"replication.factor":2,"produce":"7MiB/s","skew":"zipf 0.8"},{"name":"u","count":5,"produce":"1MiB/s"}`,
		`,"steps":[{"at":"2d","lose_broker":1},{"at":"5d","settings":{"retention.ms":"1h"}}]`)
	a, b := run(t, text), run(t, text)
	assert.Equal(t, string(a.Text()), string(b.Text()))
	assert.Equal(t, string(a.CSV()), string(b.CSV()))
	x, err := a.JSON(nil)
	require.NoError(t, err)
	y, err := b.JSON(nil)
	require.NoError(t, err)
	assert.Equal(t, string(x), string(y))
	_, err = Run(decode(t, text), func(int, int) bool { return false })
	assert.ErrorIs(t, err, ErrStopped)
	for line := range strings.SplitSeq(string(a.Text()), "\n") {
		assert.LessOrEqual(t, len([]rune(line)), 80, line)
	}
}

// Total bytes are the sum of the directories, whatever happens, and at most what each partition's peak is.
func TestSums(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred clusters")
	}
	rapid.Check(t, func(t *rapid.T) {
		steps := ""
		for range rapid.IntRange(0, 2).Draw(t, "steps") {
			steps += rapid.SampledFrom([]string{
				`{"at":"1d","lose_broker":2},`, `{"at":"2d","traffic":2},`, `{"at":"1d","move":"t-0","broker":1,"dir":"/b","throttle":"1MiB/s"},`, `{"at":"1d","delete":"u"},`,
			}).Draw(t, "step")
		}
		text := fmt.Sprintf(`{"format":"partsize-cluster/1","horizon":"3d","brokers":[{"count":4,"log.dirs":"/a,/b"}],
"topics":[{"name":"t","assignment":[[1,2],[2,3],[3,1]],"produce":"%dKiB/s"},{"name":"u","partitions":3,"produce":"1MiB/s"}],"steps":[%s]}`,
			rapid.IntRange(0, 5000).Draw(t, "rate"), strings.TrimSuffix(steps, ","))
		d, err := Decode([]byte(text))
		require.NoError(t, err)
		r, err := Run(d, nil)
		if err != nil {
			return // the same broker lost twice, the same topic deleted twice
		}
		for s := range r.Cluster.High {
			var low, high calc.Bytes
			for _, dir := range r.Dirs {
				low += dir.Low[s]
				high += dir.High[s]
				require.LessOrEqual(t, dir.Low[s], dir.High[s])
			}
			require.Equal(t, r.Cluster.Low[s], low)
			require.Equal(t, r.Cluster.High[s], high)
		}
	})
}

// Another policy's standing is the same whether its replicas are only counted or played, and what it holds adds up.
func TestUnderOtherPolicies(t *testing.T) {
	topics := `{"name":"x","partitions":9,"replication.factor":2,"produce":"9MiB/s","skew":"zipf"},{"name":"y","partitions":5,"produce":"1MiB/s"}`
	for _, steps := range []string{"", `,"steps":[{"at":"3d","traffic":2}]`, `,"steps":[{"at":"3d","add_dir":"/c","broker":1,"size":"100GiB"},{"at":"4d","add_partitions":6,"topic":"x"}]`} {
		r := run(t, describe(topics, steps))
		require.Len(t, r.Choices, 3)
		for _, c := range r.Choices {
			other, err := r.Under(c.Policy)
			require.NoError(t, err)
			assert.Equal(t, choiceOf(other), c, "%s %s", c.Policy, steps)
			for i := range other.Dirs {
				for _, at := range []calc.Millis{0, 2 * calc.Day, 9 * calc.Day} {
					var sum calc.Bytes
					for _, h := range other.Held(i, at) {
						sum += h.Bytes
					}
					assert.Equal(t, other.Dirs[i].High[at/r.Span], sum, "%s at %s of directory %d", c.Policy, at, i)
				}
			}
		}
		assert.LessOrEqual(t, r.Choices[1].Bytes.Largest, r.Choices[0].Bytes.Largest)
		assert.LessOrEqual(t, r.Choices[2].Rate.Largest, r.Choices[0].Rate.Largest)
	}
}

// Directories of all broker objects together are limited, and nobody waits for what is above.
func TestManyBrokerObjects(t *testing.T) {
	one := `{"count":5000,"log.dirs":"/a,/b"},`
	_, err := Decode([]byte(`{"format":"partsize-cluster/1","brokers":[` + strings.Repeat(one, 3) + `{"log.dirs":"/a"}],"topics":[]}`))
	assert.ErrorContains(t, err, "brokers[1]: 20000 directories in all, and at most 10000 are taken")
	var d Description
	for i := range int32(MaxDirs + 1) {
		d.addDir(kafkaconf.LogDir{Broker: i, Path: "/a"})
	}
	d.Topics = []Topic{{Name: "t", Partitions: 1, Replication: 1}}
	_, err = Run(&d, nil)
	assert.ErrorContains(t, err, "10001 directories, and at most 10000 are taken")
}

// Traffic of what has bytes and none is spread in proportion to the bytes.
func TestFeedPresent(t *testing.T) {
	d := Description{Topics: []Topic{
		{Name: "a", Count: 1, Partitions: 2, Replication: 1, Present: []calc.Bytes{300 * calc.GiB, 100 * calc.GiB}},
		{Name: "b", Count: 1, Partitions: 1, Replication: 1, Present: []calc.Bytes{400 * calc.GiB}},
		{Name: "c", Count: 1, Partitions: 1, Replication: 1, Produce: calc.RateOf(calc.MiB, calc.Second), Present: []calc.Bytes{calc.TiB}},
		{Name: "d", Count: 1, Partitions: 1, Replication: 1},
	}}
	require.NoError(t, d.FeedPresent(calc.RateOf(8*calc.MiB, calc.Second)))
	var got []int64
	for i := range d.Topics {
		if d.Topics[i].Produce.Zero() {
			got = append(got, 0)
			continue
		}
		rates, _, err := (&runner{}).rates(&d.Topics[i])
		require.NoError(t, err)
		for _, r := range rates {
			got = append(got, int64(r.PerSecond())/int64(calc.MiB/1024))
		}
	}
	assert.Equal(t, []int64{3 * 1024, 1024, 4 * 1024, 1024, 0}, got)
}

// Files are named with what is wrong in them, all at once.
func TestReadFiles(t *testing.T) {
	_, _, err := ReadFiles([]File{
		{"a.json", []byte(`{"format":"partsize-cluster/1","brokers":[{}]}`)}, {"b.txt", []byte("log.retention.ms=1\n")},
		{"c.json", []byte(describe(`{"name":"t"}`, ""))}, {"d.json", []byte(describe(`{"name":"t"}`, ""))},
	})
	for _, part := range []string{`a.json: brokers[0]: "log.dirs" is missing`, "b.txt: is ", "d.json: a second description"} {
		assert.ErrorContains(t, err, part)
	}
	// A million lines that are none: nothing hangs.
	_, _, err = ReadFiles([]File{{"long", []byte(strings.Repeat("Topic: t\n", 1_000_000))}})
	assert.Error(t, err)
}

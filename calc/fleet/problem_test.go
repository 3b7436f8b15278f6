package fleet

import (
	"cmp"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/placement"
)

// texts is what is wrong, a line each.
func texts(err error) (all []string) {
	for _, p := range ProblemsOf(err) {
		all = append(all, p.Error())
	}
	return all
}

// What is wrong with values, with names and with places is told at once, with file, key and line.
func TestAllAtOnce(t *testing.T) {
	_, _, err := ReadFiles([]File{{"c.json", []byte(`{
"format": "partsize-cluster/1", "horizon": "soon",
"brokers": [{"count": 3, "log.dirs": "/a,/b", "size": "1TiB"}],
"topics": [
  {"name": "t",
   "partitions": "six",
   "skew": "steep"},
  {"name": "u", "replication.factor": 4},
  {"name": "u", "unknown": [{"x": "]}"}, 1.5, null]},
  {"name": "v", "settings": {
     "retention.ms": "-2",
     "nonsense": true}},
  7
],
"steps": [
  {"at": "1d", "lose_broker": 9},
  {"at": "1d", "move": "v-0", "broker": 1},
  {"traffic": "-1"}
]}`)}})
	got := texts(err)
	for _, want := range []string{
		`c.json: horizon: soon: `, `c.json: topics[0].partitions: expected a whole number (line 6)`, `c.json: topics[0].skew: "steep" is no skew`,
		`c.json: topics[1].replication.factor: topic "u": `, `c.json: topics[2].unknown: unknown field (line 9)`,
		`c.json: topics[2].name: topic "u" is given twice; it was in line 8 (line 9)`, `c.json: topics[3].settings.retention.ms: retention.ms=-2: `,
		`c.json: topics[3].settings.nonsense: `, `c.json: topics[4]: expected an object (line 13)`,
		`c.json: steps[0].lose_broker: there is no broker 9; there are 1 to 3 (line 16)`, `c.json: steps[1]: "dir" is missing (line 17)`,
		`c.json: steps[2].traffic: "-1" is no factor`, `c.json: steps[2]: "at" is missing (line 18)`,
	} {
		found := false
		for _, one := range got {
			found = found || strings.HasPrefix(one, want)
		}
		assert.True(t, found, "%s\nis not among\n%s", want, strings.Join(got, "\n"))
	}
	assert.Len(t, got, 13, "nothing else: %s", strings.Join(got, "\n"))
}

// Nothing is simulated for a description that has something wrong.
func TestFoundBeforeSimulations(t *testing.T) {
	for _, step := range []string{
		`{"at":"1d","reassign":"t-0","to":[8]}`, `{"at":"1d","fail_dir":"/x","broker":1}`, `{"at":"1d","delete":"x"}`, `{"at":"1d","add_partitions":2,"topic":"x"}`,
		`{"at":"1d","create":{"name":"t"}}`, `{"at":"1d","create":{"name":"n","replication.factor":9}}`, `{"at":"1d","move":"t-7","broker":1,"dir":"/a"}`,
	} {
		_, err := Run(decode(t, describe(`{"name":"t","produce":"1MiB/s"}`, `,"steps":[`+step+`]`)), func(int, int) bool {
			assert.Fail(t, "there is work", step)
			return false
		})
		if assert.Len(t, ProblemsOf(err), 1, "%s: %v", step, err) {
			assert.True(t, strings.HasPrefix(err.Error(), "steps[0]"), err)
			assert.Contains(t, err.Error(), "(line 2)")
		}
	}
}

// A reader that knows only what is there can tell what to write instead.
func TestWaysOut(t *testing.T) {
	topics := `{"name":"a","assignment":[[1,2]]},{"name":"b"}`
	for step, way := range map[string]string{
		`{"at":"1d","reassign":"a-0","to":[1,9]}`:                `there is no broker 9; there are 1 to 3`,
		`{"at":"1d","fail_dir":"/c","broker":2}`:                 `broker 2 has no directory "/c"; it has /a, /b`,
		`{"at":"1d","delete":"c"}`:                               `there is no topic "c"; there is a, b`,
		`{"at":"1d","move":"a-0","broker":3,"dir":"/a"}`:         `broker 3 has no replica of a-0; its replicas are on 1, 2`,
		`{"at":"1d","move":"a-4","broker":1,"dir":"/a"}`:         `topic "a" has no partition 4, but 0 to 0`,
		`{"at":"1d","settings":{"retention.ms":1},"topic":"cc"}`: `there is no topic "cc"; there is a, b`,
	} {
		_, err := Run(decode(t, describe(topics, `,"steps":[`+step+`]`)), nil)
		assert.ErrorContains(t, err, way, step)
	}
}

// A directory that is smaller than what it holds is named where its size is given.
func TestTooSmallIsNamedByKey(t *testing.T) {
	_, _, err := ReadFiles([]File{
		{"dirs.txt", []byte(`{"broker":1,"logDirs":[{"logDir":"/a","partitions":[{"partition":"t-0","size":200000000000}]}]}`)},
		{"c.json", []byte("{\"format\":\"partsize-cluster/1\",\"brokers\":[{\"log.dirs\":\"/a\",\n\"size\":\"100GiB\"}],\"topics\":[{\"name\":\"u\",\"replication.factor\":2}]}")},
	})
	require.NoError(t, err, "reading alone does not place anything")
	d, _, _ := ReadFiles([]File{
		{"dirs.txt", []byte(`{"broker":1,"logDirs":[{"logDir":"/a","partitions":[{"partition":"t-0","size":200000000000}]}]}`)},
		{"c.json", []byte("{\"format\":\"partsize-cluster/1\",\"brokers\":[{\"log.dirs\":\"/a\",\n\"size\":\"100GiB\"}],\"topics\":[{\"name\":\"u\",\"replication.factor\":2}]}")},
	})
	_, err = Run(d, nil)
	assert.Equal(t, []string{
		`c.json: topics[0].replication.factor: topic "u": InvalidReplicationFactorException: The target replication factor of 2 cannot be reached because only 1 broker(s) are registered or some brokers have all their log directories cordoned. (line 2)`,
		`c.json: brokers[0].size: broker 1: /a holds 186 GiB of records, more than its size, 100 GiB (line 2)`,
	}, texts(err))
}

// A file that is something else is named with what would do; one that only begins late is read.
func TestOtherFiles(t *testing.T) {
	for text, want := range map[string]string{
		" \n": "f: is empty; give a description, or", "hello": "f: is none of what is read here; give a description, or", "log.dirs=/a\n": "f: is server.properties; give",
		strings.Repeat("\n", 9000) + `{"brokers":[]}`: `f: "format" is missing`,
		`{"a":` + strings.Repeat("[", 100_000):        "f: a: expected a value (line 1)",
	} {
		_, _, err := ReadFiles([]File{{"f", []byte(text)}})
		assert.Contains(t, strings.Join(texts(err), "\n"), want)
	}
}

// A line among those of kafka-topics that is no topic is told; words before the JSON of kafka-log-dirs are as they should be. A
// name that Kafka would not take, but has, stands.
func TestPassedOverLines(t *testing.T) {
	_, warnings, err := ReadFiles([]File{
		{"topics.txt", []byte("Topic: t\tPartitionCount: 1\tReplicationFactor: 1\tConfigs: \n\tTopic: t\tPartition: 0\tLeader: 1\tReplicas: 1\tIsr: 1\n\tTopi\n")},
		{"dirs.txt", []byte("Querying brokers for log directories information\nReceived log directory information from brokers 1\n" + `{"broker":1,"logDirs":[{"logDir":"/a","partitions":[{"partition":"a b-0","size":1}]}]}`)},
	})
	require.NoError(t, err)
	assert.Equal(t, []string{"topics.txt:3: one line that is no topic skipped"}, warnings)
	d, _, _ := ReadFiles([]File{{"dirs.txt", []byte(`{"broker":1,"logDirs":[{"logDir":"/a","partitions":[{"partition":"a b-0","size":1}]}]}`)}})
	_, err = Run(d, nil)
	assert.NoError(t, err)
}

// Sizes may differ among the directories of a broker.
func TestSizes(t *testing.T) {
	d := decode(t, `{"format":"partsize-cluster/1","brokers":[{"log.dirs":"/a,/b","size":["1TiB","2TiB"]}],"topics":[]}`)
	assert.Equal(t, []placement.DirSpec{{Path: "/a", Size: calc.TiB}, {Path: "/b", Size: 2 * calc.TiB}}, d.Brokers[0].Dirs)
	_, err := Decode([]byte(`{"format":"partsize-cluster/1","brokers":[{"log.dirs":"/a,/b","size":[1,2,3]}]}`))
	assert.ErrorContains(t, err, "brokers[0].size: 3 sizes for 2 directories")
}

// Whatever bytes come, reading ends, and what is wrong has a line.
func TestAnyText(t *testing.T) {
	whole := describe(`{"name":"t","partitions":3,"weights":[1,2,3],"settings":{"retention.ms":"1d"}},{"name":"u","keys":{"a":1}}`,
		`,"steps":[{"at":"1d","traffic":2},{"at":"2d","create":{"name":"n"}},{"at":"3d","reassign":"t-0","to":[2]}]`)
	rapid.Check(t, func(t *rapid.T) {
		text := whole
		for range rapid.IntRange(1, 4).Draw(t, "edits") {
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			to := min(len(text), at+rapid.IntRange(0, 12).Draw(t, "cut"))
			text = text[:at] + rapid.StringOfN(rapid.RuneFrom([]rune("{}[]\",:0123456789aetl \n\\é")), 0, 6, -1).Draw(t, "put") + text[to:]
		}
		d, err := Decode([]byte(text))
		if err == nil {
			_, err = Run(d, nil)
			for _, p := range ProblemsOf(err) {
				require.NotEmpty(t, p.Text)
			}
			return
		}
		for _, p := range ProblemsOf(err) {
			require.Positive(t, p.Line, p)
		}
	})
}

// A description is read again as it was written.
func TestAppendJSON(t *testing.T) {
	text := `{"format":"partsize-cluster/1","kafka.version":"4.2","horizon":"12d","seed":7,"internal":false,"settings":{"retention.ms":"2d"},"ulimit":1000,
"brokers":[{"id":3,"count":2,"racks":["x","y"],"log.dirs":"/a,/b","size":["1TiB","2TiB"]},{"id":9,"log.dirs":"/c"},{"id":10,"count":3,"fenced":true,"log.dirs":"/c","size":"5GiB"}],
"topics":[{"name":"a \"b\"\n","count":2,"partitions":3,"replication.factor":2,"produce":"3MiB/s","skew":"zipf 1.05"},{"name":"w","partitions":2,"weights":[3,1]},
{"name":"k","keys":{"a":5,"é":1}},{"name":"x","assignment":[[3,4],[4]],"settings":{"segment.bytes":"1MiB"}}],
"steps":[{"at":"1d","traffic":"3/2","topic":"w"},{"at":"2d","settings":{"retention.ms":"1d"}},{"at":"3d","create":{"name":"n","partitions":4,"produce":"1MiB/s","skew":"zipf"}},
{"at":"3d","add_partitions":2,"topic":"w"},{"at":"4d","delete":"k"},{"at":"5d","lose_broker":9,"replace":false},{"at":"5d","lose_broker":4,"throttle":"5MiB/s"},{"at":"6d","fail_dir":"/a","broker":3},
{"at":"6d","add_broker":20,"rack":"z","log.dirs":"/a,/b","size":"1TiB"},{"at":"7d","add_dir":"/z","broker":3,"size":"2TiB"},{"at":"8d","move":"x-0","broker":3,"dir":"/b","throttle":"1MiB/s"},{"at":"9d","reassign":"x-1","to":[3,20]}]}`
	d := decode(t, text)
	written := d.AppendJSON(nil)
	again := decode(t, string(written))
	assert.Equal(t, string(written), string(again.AppendJSON(nil)))
	plain := func(d *Description) *Description {
		d.settings, d.brokerPlaces = Place{}, nil
		for i := range d.Topics {
			d.Topics[i].Place = Place{}
		}
		for i := range d.Changes {
			d.Changes[i].Place = Place{}
			if c, ok := d.Changes[i].Do.(Create); ok {
				c.Topic.Place = Place{}
				d.Changes[i].Do = c
			}
		}
		return d
	}
	assert.Equal(t, plain(d), plain(again))
}

// A topic that is created later takes its place among those there are, and its bytes come from then on.
func TestCreate(t *testing.T) {
	old := `{"name":"t","partitions":6,"produce":"6MiB/s","settings":{"retention.ms":"1d"}}`
	r := run(t, describe(old, `,"steps":[{"at":"5d","create":{"name":"n","count":2,"partitions":3,"produce":"3MiB/s","settings":{"retention.ms":"1d"}}}]`))
	without := run(t, describe(old, ""))
	first, last := int(5*calc.Day/r.Span), len(r.Cluster.High)-1
	assert.Equal(t, without.Cluster.High[:first], r.Cluster.High[:first])
	for _, d := range r.Dirs {
		assert.Equal(t, 2, d.Replicas)
	}
	assert.InEpsilon(t, float64(2*without.Cluster.High[last]), float64(r.Cluster.High[last]), 0.02, "as much again")
	assert.Equal(t, 1+1, r.Classes)
}

// Other seeds place the same topics otherwise; the description's own seed is the first, and stands as the result does.
func TestDraw(t *testing.T) {
	for _, steps := range []string{"", `,"steps":[{"at":"5d","lose_broker":2}]`} {
		r := run(t, describe(`{"name":"t","partitions":13,"replication.factor":2,"produce":"40MiB/s","skew":"zipf 0.8"}`, `,"seed":5`+steps))
		require.NoError(t, r.Draw(12, nil))
		require.Len(t, r.Draws, 12)
		assert.Equal(t, choiceOf(r), r.Draws[0])
		assert.Equal(t, int64(16), r.Draws[11].Seed)
		most, middle, least, ok := Spread(r.Draws)
		require.True(t, ok)
		assert.Less(t, most.Bytes.Permille(), least.Bytes.Permille())
		assert.LessOrEqual(t, most.Bytes.Permille(), middle.Bytes.Permille())
		other := run(t, describe(`{"name":"t","partitions":13,"replication.factor":2,"produce":"40MiB/s","skew":"zipf 0.8"}`, fmt.Sprintf(`,"seed":%d`, least.Seed)+steps))
		assert.Equal(t, choiceOf(other), least, "the seed alone makes the difference")
		assert.ErrorIs(t, r.Draw(3, func(int, int) bool { return false }), ErrStopped)
	}
	given := run(t, describe(`{"name":"t","assignment":[[1],[2]],"produce":"1MiB/s"}`, ""))
	assert.Zero(t, given.UsualDraws(), "nothing is drawn")
}

// What would be passed over without a word is refused, each with its key and line; and what would take hours is.
func TestNothingIsPassedOver(t *testing.T) {
	for _, one := range []struct{ topics, more, want, horizon string }{
		{`{"name":"a b"}`, "", `topics[0].name: topic a b: has other letters than Kafka takes`, ""},
		{`{"name":".."}`, "", `topics[0].name: topic ..: is a name that Kafka does not take`, ""},
		{`{"name":"a\u001b[31m"}`, "", `topics[0].name: topic "a\x1b[31m": has other letters`, ""},
		{`{"name":"` + strings.Repeat("x", 248) + `","count":2}`, "", "is longer than the 249 letters", ""},
		{`{"name":"t","skew":"zipf","weights":[1]}`, "", `topics[0].weights: skew says already how traffic is spread`, ""},
		{`{"name":"t","partitions":4,"assignment":[[1],[2]]}`, "", `topics[0].assignment: it has 2 partitions, and partitions is 4`, ""},
		{`{"name":"t","assignment":[[1],[]]}`, "", `topics[0].assignment[1]: a partition without a broker`, ""},
		{`{"name":"t","produce":"9TiB/s"}`, "", `topics[0].produce: topic "t": produce=9TiB/s: a partition's part is above 1 TiB/s`, ""},
		{`{"name":"t"}`, `,"steps":[{"at":"1d","settings":{},"throttle":"1MiB/s"}]`, `steps[0].throttle: has no place beside settings, which takes at, settings, topic`, ""},
		{`{"name":"t"}`, `,"steps":[{"at":"1d","delete":"t","topic":"u"}]`, `steps[0].topic: has no place beside delete`, ""},
		{`{"name":"t"}`, `,"steps":[{"at":"1d","lose_broker":1,"throttle":"0B/s"}]`, `steps[0].throttle: nothing is ever copied at no rate`, ""},
		{`{"name":"t"}`, `,"steps":[{"at":"1d","add_dir":"/n","broker":1,"size":0}]`, `steps[0].size: no disk holds nothing`, ""},
		{`{"name":"t"},{"name":"u"}`, `,"steps":[{"at":"1d","delete":"t"},{"at":"2d","traffic":2,"topic":"t"}]`, `steps[1].topic: topic "t" is deleted before`, ""},
		{`{"name":"t"}`, `,"steps":[{"at":"2d","create":{"name":"n"}},{"at":"1d","traffic":2,"topic":"n"}]`, `steps[1].topic: topic "n" is not there yet, but after 2 d 0 h`, ""},
		{`{"name":"t","replication.factor":3}`, `,"steps":[{"at":"1d","add_partitions":700000,"topic":"t"}]`, `steps[0].topic: topic "t": 700000 partitions more make more than 2000000 replicas`, ""},
		{`{"name":"t"}`, "", `horizon: horizon=99999d: is above`, `"99999d"`},
	} {
		d, err := Decode([]byte(strings.Replace(describe(one.topics, one.more), `"10d"`, cmp.Or(one.horizon, `"10d"`), 1)))
		if err == nil {
			_, err = Run(d, nil)
		}
		all := ProblemsOf(err)
		require.NotEmpty(t, all, one.want)
		assert.Contains(t, all[0].Error(), one.want)
		assert.Positive(t, all[0].Line)
	}
}

// Of changes of traffic at one time each multiplies, as those of different times do, and one may be at the very start.
func TestTrafficAtOneTime(t *testing.T) {
	topic := `{"name":"t","partitions":6,"produce":"6MiB/s","settings":{"retention.ms":"1d"}}`
	want := run(t, describe(topic, `,"steps":[{"at":"5d","traffic":6}]`))
	got := run(t, describe(topic, `,"steps":[{"at":"5d","traffic":2},{"at":"5d","traffic":3}]`))
	assert.Equal(t, want.Cluster, got.Cluster)
	double := strings.Replace(topic, "6MiB/s", "12MiB/s", 1)
	assert.Equal(t, run(t, describe(double, "")).Cluster, run(t, describe(topic, `,"steps":[{"at":0,"traffic":2}]`)).Cluster)
}

// Partitions that are added bring traffic of their own; with a factor at the same time a topic's traffic is spread over more.
func TestAddedPartitionsShareTraffic(t *testing.T) {
	topic := `{"name":"t","partitions":6,"produce":"6MiB/s","settings":{"retention.ms":"1d","segment.bytes":"16MiB"}}`
	rate := func(steps string) float64 {
		c := run(t, describe(topic, steps)).Cluster
		return float64(c.High[len(c.High)-1])
	}
	alone := rate("")
	assert.InEpsilon(t, 2*alone, rate(`,"steps":[{"at":"5d","add_partitions":6,"topic":"t"}]`), 0.02)
	assert.InEpsilon(t, alone, rate(`,"steps":[{"at":"5d","add_partitions":6,"topic":"t"},{"at":"5d","traffic":"1/2","topic":"t"}]`), 0.02)
}

// A path is printed as a terminal takes it.
func TestPrinted(t *testing.T) {
	r := run(t, `{"format":"partsize-cluster/1","brokers":[{"log.dirs":["/a\u001b[31m","/b\nc"],"size":"1MiB"}],"topics":[{"name":"t","partitions":2,"produce":"1MiB/s"}]}`)
	text := string(r.Text())
	assert.NotContains(t, text, "\x1b")
	assert.Contains(t, text, `1 /a\x1b[31m`)
	assert.Contains(t, text, `1 /b\nc  `)
}

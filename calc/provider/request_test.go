package provider

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// Every bad input of a kind is named and explained, and nothing of the rest is lost.
func TestBadInput(t *testing.T) {
	for _, c := range []struct{ text, key, problem, way string }{
		{"storage=0", "storage", "is 0, and nothing fits in that", "leave it out"},
		{"storage=100MiB", "storage", "is smaller than one segment, which is segment.bytes=512MiB", "with their unit"},
		{"storage=2T", "storage", "T may be decimal or binary", "2TiB for powers of 1024, or 2TB"},
		{"storage=-1", "storage", "", ""},
		{"storage=", "storage", "is empty", ""},
		{"storage=2EiB", "storage", "is above 1EiB", "write 1EiB"},
		{"plan=gold", "plan", "is no plan of IBM Event Streams", "enterprise, standard, lite, gen2"},
		{"throughput=fast", "throughput", "", ""},
		{"broker.size=large-ish", "broker.size", "is not one of small, large, 2xlarge, 4xlarge", "write large"},
		{"brokers=0", "brokers", "is 0", ""},
		{"daily.volume=200MB", "daily.volume", "not how long it is kept", "keep=5d"},
		{"keep=5d", "keep", "not how much comes", "daily.volume"},
		{"retention.byte=1GiB", "retention.byte", "there is no such setting", "retention.bytes"},
		{"retention.bytes=1 GB extra", "", "", ""},
	} {
		r, err := Parse(&ibmEventStreams, c.text+" partitions=3")
		if c.key == "" {
			require.Error(t, err)
			continue
		}
		problems := calc.Problems(err)
		require.NotEmpty(t, problems, c.text)
		p := problems[0]
		assert.Equal(t, c.key, p.Key, c.text)
		assert.Contains(t, p.Problem, c.problem)
		assert.Contains(t, p.WayOut(), c.way, c.text)
		_, value, _ := strings.Cut(c.text, "=")
		assert.Equal(t, value, p.Value)
		assert.Equal(t, int64(3), r.Topics[0].partitions(), "the rest holds")
		assert.NotEmpty(t, Check(r))
	}
	// A retention outside the service's range is a verdict, and names the range.
	r, err := Parse(&apsaraMQ, "retention.ms=12h")
	require.NoError(t, err)
	v := Decide(Check(r))
	assert.Equal(t, "retention.ms=12h is below 1 d 0 h, the least that ApsaraMQ for Kafka with cloud storage takes.", v.Sentence)
	assert.Equal(t, []Fix{{Text: "set retention.ms to 1d", Key: "retention.ms", Value: "1d"}}, v.Fixes)
}

func TestUnknownService(t *testing.T) {
	for given, near := range map[string]string{"ibm": "ibm-event-streams", "msk": "amazon-msk", "event-hubs": "azure-event-hubs", "confluent": "confluent-cloud", "apsara": "apsaramq"} {
		_, err := ServiceOf(given)
		problems := calc.Problems(err)
		require.Len(t, problems, 1)
		assert.Equal(t, near, problems[0].Nearest, given)
		assert.Contains(t, problems[0].WayOut(), "the services are apache-kafka, ibm-event-streams")
	}
	_, err := ServiceOf("zzz")
	assert.ErrorContains(t, err, "is no service that is known here")
	s, err := ServiceOf("IBM Event Streams")
	require.NoError(t, err)
	assert.Same(t, &ibmEventStreams, s)
}

// The page's names are Kafka's.
func TestAliases(t *testing.T) {
	a, err := Parse(&ibmEventStreams, "log.segment.size=128MiB segment.index.size=1MiB retention.bytes=1GiB")
	require.NoError(t, err)
	b, err := Parse(&ibmEventStreams, "segment.bytes=128MiB segment.index.bytes=1MiB retention.bytes=1GiB")
	require.NoError(t, err)
	one, _ := NewAccount(a)
	two, _ := NewAccount(b)
	assert.Equal(t, two.Reserved, one.Reserved)
	assert.Equal(t, calc.GiB+128*calc.MiB+18*calc.MiB, one.Reserved)
}

// A thousand topics are checked at once; what is wrong with many of them is said once.
func TestThousandTopics(t *testing.T) {
	r := Request{Service: &ibmEventStreams}
	require.NoError(t, r.Set("storage", "2TB"))
	for i := range 1000 {
		topic := Topic{Name: fmt.Sprintf("topic-%04d", i), Partitions: 3}
		require.NoError(t, topic.Set("retention.bytes", "3TiB"))
		r.Topics = append(r.Topics, topic)
	}
	all := Check(r)
	bounds := 0
	for _, v := range all {
		if v.Rule == "retention.bytes" {
			bounds++
		}
	}
	assert.Equal(t, mostVerdicts, bounds)
	assert.Contains(t, all[mostVerdicts-1].Sentence, "So it is for 980 more topics.")
	assert.Len(t, Table(r), len(Table(Request{})))
	r.Topics = make([]Topic, MaxTopics+1)
	assert.NotEmpty(t, r.Problems())
}

// The mock's rows: what a request says is the same whatever comes first, and the request does not change.
func TestCheckIsPure(t *testing.T) {
	r, err := Parse(&amazonMSK, "produce=1MiB/s partitions=6 replication.factor=3 disk=1TiB auto.scaling.target=60 retention.ms=7d")
	require.NoError(t, err)
	first := Check(r)
	Table(r)
	assert.Equal(t, first, Check(r))
}

// A key may be for one topic; what is wrong with it is named as it was given.
func TestOneTopic(t *testing.T) {
	r := Request{Service: &ibmEventStreams, Topics: []Topic{{Name: "a"}, {Name: "b"}}}
	require.NoError(t, r.Set("b:retention.bytes", "10GiB"))
	require.NoError(t, r.Set("b:partitions", "7"))
	a, _ := NewAccount(r)
	assert.Equal(t, 1596*calc.MiB, a.Topics[0].Each)
	assert.Equal(t, int64(7), a.Topics[1].Partitions)
	assert.Greater(t, a.Topics[1].Each, 10*calc.GiB)
	assert.ErrorContains(t, r.Set("c:retention.bytes", "1"), "c:retention.bytes=1: there is no topic c")
	assert.ErrorContains(t, r.Set("a:retention.bytes", "x"), "a:retention.bytes=x: ")
}

// Of several topics a way out says which one it is about, so that it can be given again.
func TestWaysOutOfOneTopic(t *testing.T) {
	topics, problems := ParseTopics("small 1 retention.bytes=1GiB\nlarge 10 retention.bytes=3TiB\nmiddle 4 retention.bytes=100GiB")
	require.Empty(t, problems)
	r := Request{Service: &ibmEventStreams, Topics: topics}
	require.NoError(t, r.Set("storage", "2TB"))
	all := Check(r)
	require.Equal(t, "retention.bytes", all[0].Rule)
	assert.Equal(t, []Fix{{Text: "set retention.bytes to 2TiB", Key: "large:retention.bytes", Value: "2TiB"}}, all[0].Fixes)
	require.Equal(t, "reserved", all[1].Rule)
	keys := map[string]bool{}
	for _, f := range all[1].Fixes {
		keys[f.Key] = true
		if len(f.Delete) > 0 {
			assert.Equal(t, []string{"large"}, f.Delete)
		}
		if f.Key == "" {
			continue
		}
		fixed := Request{Service: &ibmEventStreams, Topics: slices.Clone(topics)}
		require.NoError(t, fixed.Set("storage", "2TB"))
		require.NoError(t, fixed.Set(f.Key, f.Value), f.Text)
		for _, v := range Check(fixed) {
			assert.False(t, v.Rule == "reserved" && v.Breach(), f.Text)
		}
	}
	assert.True(t, keys["large:retention.bytes"], "%v", keys)
}

// Kafka takes no partitions away: no way out says so where they are there already.
func TestPartitionsAreNotTakenAway(t *testing.T) {
	r, err := Parse(&ibmEventStreams, "storage=2TB partitions=40 retention.bytes=50GiB was:partitions=36 was:retention.bytes=1GiB")
	require.NoError(t, err)
	for _, f := range Decide(Check(r)).Fixes {
		assert.NotEqual(t, "partitions", f.Key)
	}
	a := ibmAccount(t, "storage=2TB partitions=30 retention.bytes=50GiB segment.bytes=1GiB")
	d, err := a.Configure("", "retention.bytes", "100GiB")
	require.NoError(t, err)
	assert.False(t, d.Allowed)
	for _, f := range d.Fixes {
		assert.NotEqual(t, "partitions", f.Key)
	}
}

// Kafka's own topics are set apart, and how many partitions a topic has is taken only where nothing says it.
func TestInternalAndUncountedTopics(t *testing.T) {
	users, internal := Apart([]Topic{{Name: "orders"}, {Name: "__consumer_offsets"}, {Name: "__remote_log_metadata"}, {Name: "__mine"}})
	assert.Equal(t, []Topic{{Name: "orders"}, {Name: "__mine"}}, users)
	assert.Equal(t, []string{"__consumer_offsets", "__remote_log_metadata"}, internal)

	r, err := Parse(&ibmEventStreams, "produce=1kB/s")
	require.NoError(t, err)
	assert.True(t, r.Topics[0].Uncounted(), "a simulation takes one, too")
	require.NoError(t, r.Set("partitions", "1"))
	assert.False(t, r.Topics[0].Uncounted())
	var byBroker Topic
	require.NoError(t, byBroker.Config.Set("num.partitions", "6"))
	byBroker.CountBy("num.partitions")
	assert.Equal(t, int64(6), byBroker.Partitions)
}

// What needs more input is not called accepted, neither by the list nor by what decides.
func TestNotKnownIsNotAccepted(t *testing.T) {
	for _, c := range []struct {
		text  string
		first Effect
	}{
		{"partitions=1", Unknown},              // it may be refused
		{"storage=2TB partitions=1", Accepted}, // the traffic may be too much: that slows down, and no more
		{"storage=2TB partitions=1 produce=1kB/s retention.ms=1d", Accepted},
	} {
		r, err := Parse(&ibmEventStreams, c.text)
		require.NoError(t, err)
		all := Check(r)
		assert.Equal(t, c.first, all[0].Effect, c.text)
		assert.Equal(t, c.first, Decide(all).Effect, c.text)
	}
}

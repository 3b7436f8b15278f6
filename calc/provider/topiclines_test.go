package provider

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

func TestParseTopics(t *testing.T) {
	topics, problems := ParseTopics("orders 12 retention.bytes=10GiB log.segment.size=1GiB\n\n# a word\naudit; keys 5 cleanup.policy=compact,delete")
	require.Empty(t, problems)
	require.Len(t, topics, 3)
	assert.Equal(t, "orders", topics[0].Name)
	assert.Equal(t, int64(12), topics[0].Partitions)
	segment, _ := topics[0].Config.Given("segment.bytes")
	assert.Equal(t, "1GiB", segment, "IBM's name of it")
	assert.Equal(t, Topic{Name: "audit"}, topics[1])
	policy, _ := topics[2].Config.Given("cleanup.policy")
	assert.Equal(t, "compact,delete", policy)

	for _, topic := range topics {
		again, problems := ParseTopics(TopicLine(&topic))
		require.Empty(t, problems)
		require.Len(t, again, 1)
		assert.Equal(t, topic.Name, again[0].Name)
		assert.Equal(t, topic.Partitions, again[0].Partitions)
		assert.Equal(t, TopicLine(&topic), TopicLine(&again[0]))
	}
}

// Everything wrong is named with its line, and the rest is read.
func TestParseTopicsSaysWhatIsWrong(t *testing.T) {
	topics, problems := ParseTopics("a 3 retention.bytes=x\nretention.ms=1d\na\nb 0 many\nc segmnt.bytes=1GiB")
	assert.Len(t, topics, 3)
	var says []string
	for _, p := range problems {
		assert.Equal(t, "topics", p.Key)
		says = append(says, p.Value+": "+p.Problem)
	}
	require.Len(t, says, 6, strings.Join(says, "\n"))
	for i, want := range []string{"retention.bytes=x: in line 1: ", "retention.ms=1d: in line 2: begins with a setting", "a: in line 3: the topic is there already",
		"0: in line 4: ", "many: in line 4: ", "segmnt.bytes=1GiB: in line 5: there is no such setting"} {
		assert.Contains(t, says[i], want)
	}
	assert.Equal(t, "segment.bytes", problems[5].Nearest)

	var b strings.Builder
	for i := range 50 {
		fmt.Fprintf(&b, "=%d\n", i)
	}
	_, problems = ParseTopics(b.String())
	assert.Len(t, problems, mostLineProblems)
	assert.Contains(t, problems[mostLineProblems-1].Problem, "and 42 more")
}

// What a plan asks about is what its rules are about.
func TestRelevant(t *testing.T) {
	for _, c := range []struct {
		service *Service
		plan    string
		want    string
	}{
		{&apacheKafka, "", ""},
		{&ibmEventStreams, "enterprise", "storage throughput daily.volume keep"},
		{&ibmEventStreams, "lite", ""},
		{&apsaraMQ, "cloud-storage", "disk copies stored time.zone cleanup.period"},
		{&apsaraMQ, "local-storage", "disk copies stored cleanup.period"},
		{&amazonMSK, "provisioned", "disk disk.max brokers auto.scaling.target broker.size stored"},
		{&amazonMSK, "serverless", ""},
		{&aiven, "", "disk brokers"},
	} {
		r := Request{Service: c.service}
		if c.plan != "" {
			require.NoError(t, r.Set("plan", c.plan))
		}
		var keys []string
		for _, o := range r.Relevant() {
			keys = append(keys, o.Key)
		}
		assert.Equal(t, c.want, strings.Join(keys, " "), c.service.ID+" "+c.plan)
	}
	// No option is there for nothing.
	asked := map[string]bool{"plan": true}
	for _, s := range services {
		for _, p := range append(s.Plans, Plan{}) {
			r := Request{Service: s}
			if p.ID != "" {
				_ = r.Set("plan", p.ID)
			}
			for _, o := range r.Relevant() {
				asked[o.Key] = true
			}
		}
	}
	for _, o := range options {
		assert.True(t, asked[o.Key], o.Key)
	}
}

func TestReadingOfOptions(t *testing.T) {
	for key, c := range map[string][2]string{
		"storage": {"2TB", "1.82 TiB (2 TB)"}, "disk": {"2TiB", "2 TiB (2.20 TB)"}, "time.zone": {"8h", "UTC +8 h"}, "cleanup.period": {"", "10 min"},
		"brokers": {"3", ""}, "keep": {"nonsense", ""},
	} {
		o, ok := OptionOf(key)
		require.True(t, ok)
		assert.Equal(t, c[1], o.Reading(c[0]), key)
	}
}

// A rule that may refuse and cannot be decided is not passed over as accepted; one that only advises is.
func TestDecideIsNotKnownBeforeItIsKnown(t *testing.T) {
	r, err := Parse(&ibmEventStreams, "retention.bytes=50GiB partitions=36")
	require.NoError(t, err)
	v := Decide(Check(r))
	assert.Equal(t, Unknown, v.Effect)
	assert.Equal(t, "reserved", v.Rule)
	require.NotEmpty(t, v.Fixes, "what to give so that it is known")
	assert.Equal(t, "storage", v.Fixes[0].Key)
	require.NoError(t, r.Set(v.Fixes[0].Key, v.Fixes[0].Value))
	assert.NotEqual(t, "reserved", Decide(Check(r)).Rule)

	r, err = Parse(&amazonMSK, "retention.bytes=50GiB partitions=3")
	require.NoError(t, err)
	assert.Equal(t, Accepted, Decide(Check(r)).Effect, "alerts of one's own refuse nothing")
}

// From 1,000 GiB a step is 100 GiB in 6 hours, 4.97 MB/s: faster growth outruns it, and slower growth does not.
func TestChase(t *testing.T) {
	chase := func(produce string) Chase {
		r, err := Parse(&amazonMSK, "disk=1000GiB auto.scaling.target=60 brokers=1 retention.ms=30d produce="+produce)
		require.NoError(t, err)
		c, ok := ChaseOf(r)
		require.True(t, ok)
		return c
	}
	fast := chase("20MB/s")
	assert.False(t, fast.Keeps)
	assert.Equal(t, fast.Size(fast.FullAt), fast.Use(fast.FullAt), "it is full")
	assert.Greater(t, fast.Until, fast.FullAt)
	slow := chase("4MB/s")
	assert.True(t, slow.Keeps)
	for at := calc.Millis(0); at < slow.Until; at += calc.Hour {
		assert.LessOrEqual(t, slow.Use(at), slow.Size(at))
	}
	assert.Equal(t, 1000*calc.GiB, slow.Size(0))

	r, err := Parse(&amazonMSK, "disk=1000GiB produce=1MB/s")
	require.NoError(t, err)
	_, ok := ChaseOf(r)
	assert.False(t, ok, "a disk grows only where that is asked for")
}

// A day's volume is about the topic without a name where there is one.
func TestDailyVolumeIsOfOneTopic(t *testing.T) {
	r := Request{Service: &ibmEventStreams, Topics: []Topic{{Partitions: 10}, {Name: "keys"}}}
	require.NoError(t, r.Set("daily.volume", "200MB"))
	require.NoError(t, r.Set("keep", "5d"))
	a, ok := NewAccount(r)
	require.True(t, ok)
	assert.Equal(t, 100_000_000+512*calc.MiB+20*calc.MiB, a.Topics[0].Each)
	assert.Equal(t, calc.GiB+512*calc.MiB+20*3*calc.MiB, a.Topics[1].Each, "IBM's default of 1 GiB")
}

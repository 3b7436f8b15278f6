package app

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/fleet"
	"github.com/partsize/partsize/calc/placement"
	"github.com/partsize/partsize/calc/scene"
)

// The page is rendered with the example worked out, without a worker.
func TestClusterIsRendered(t *testing.T) {
	page := rendered(t, func(r *Root) { r.state.follow("#v=1&view=cluster") })
	for _, part := range []string{"The first directory to fill is", "/data/c", `class="tint t0"`} {
		assert.True(t, strings.Contains(page, part), part)
	}
}

// Keys of the cluster's view are no settings, and no other view's.
func TestClusterKeys(t *testing.T) {
	for _, key := range clusterKeys {
		_, _, setting := calc.SettingOf(key)
		assert.False(t, setting, key)
		owners := 0
		for _, v := range allViews() {
			for _, k := range v.keys {
				if k == key {
					owners++
				}
			}
		}
		assert.Equal(t, 1, owners, key)
	}
}

// What the form says is a description that can be read, whatever was typed; what is wrong is named by its field.
func TestClusterDescription(t *testing.T) {
	s := newState()
	d, problems := s.description(false)
	require.Empty(t, problems)
	assert.Len(t, d.Brokers, 4)
	assert.Len(t, d.Topics, 3)
	require.NoError(t, s.input.Set("retention.ms", "2d"))
	require.NoError(t, s.input.Set("partitions", "7"))
	require.NoError(t, s.input.Set("log.index.interval.bytes", "8192"))
	s.settle()
	d, _ = s.description(false)
	assert.ElementsMatch(t, []calc.Pair{{Key: "retention.ms", Value: "2d"}, {Key: "log.index.interval.bytes", Value: "8192"}}, d.Settings)

	for field, change := range map[string][2]string{
		keyBrokers:                 {keyBrokers, "0"},
		keySize:                    {keySize, "big"},
		fieldName(keyTopics, 0, 1): {keyTopics, "a,0,3,1MiB/s,even,"},
		fieldName(keyTopics, 0, 3): {keyTopics, "a,1,3,fast,even,"},
		fieldName(keyTopics, 0, 4): {keyTopics, "a,1,3,1MiB/s,steep,"},
		fieldName(keyTopics, 0, 5): {keyTopics, "a,1,3,1MiB/s,even,retention.ms"},
		fieldName(keyTopics, 0, 0): {keyTopics, ",1,3,1MiB/s,even,"},
		fieldName(keySteps, 0, 1):  {keySteps, "lose,soon,2"},
		fieldName(keySteps, 0, 2):  {keySteps, "lose,10,two"},
		fieldName(keySteps, 1, 2):  {keySteps, "lose,10,2;set,10,x"},
		fieldName(keyTopics, 1, 1): {keyTopics, "a,1,3,1MiB/s,even,;b,x"},
		fieldName(keySteps, 2, 2):  {keySteps, "lose,1,1;lose,2,2;partitions,5,orders"},
	} {
		s := newState()
		s.put(change[0], change[1])
		_, problems := s.description(false)
		assert.Contains(t, problems, field, change)
	}

	rapid.Check(t, func(t *rapid.T) {
		s := newState()
		for _, key := range []string{keyTopics, keySteps, keyBrokers, keySize, keySeed} {
			s.place = s.place.with(key, rapid.String().Draw(t, key))
		}
		d, problems := s.description(rapid.Bool().Draw(t, "pasted"))
		if len(problems) == 0 {
			_, err := fleet.Decode(d.AppendJSON(nil))
			require.NoError(t, err)
		}
		s.clusterForm()
	})
}

// Every kind of step is what the engine plays; what a new one says is right for the example, but for the replica's place.
func TestClusterSteps(t *testing.T) {
	require.Len(t, newSteps, len(stepKinds))
	for value, want := range map[string]any{
		"lose,1,2 50MiB/s":                           placement.LoseBroker{Broker: 2, Move: true},
		"traffic,1,orders 3/2":                       fleet.Traffic{Topic: "orders", Num: 3, Den: 2},
		"set,1,orders retention.ms=1d":               fleet.Set{Topic: "orders", Settings: []calc.Pair{{Key: "retention.ms", Value: "1d"}}},
		"set,1,retention.ms=1d retention.bytes=1GiB": fleet.Set{Settings: []calc.Pair{{Key: "retention.ms", Value: "1d"}, {Key: "retention.bytes", Value: "1GiB"}}},
		"dir,1,1":                               placement.AddDir{Broker: 1, Dir: placement.DirSpec{Path: "/data/d", Size: 600 * calc.GiB}},
		"dir,1,1 /z":                            placement.AddDir{Broker: 1, Dir: placement.DirSpec{Path: "/z", Size: 600 * calc.GiB}},
		"broker,1,5":                            placement.AddBroker{Broker: placement.BrokerSpec{ID: 5, Dirs: dirSpecs(3, 600*calc.GiB)}},
		"partitions,1,orders 12":                fleet.AddPartitions{Topic: "orders", N: 12},
		"create,1,clicks 12 3 2MiB/s":           fleet.Create{Topic: fleet.Topic{Name: "clicks", Count: 1, Partitions: 12, Replication: 3, Produce: calc.RateOf(2*calc.MiB, calc.Second)}},
		"delete,1,metrics":                      placement.DeleteTopic{Topic: "metrics"},
		"fail,1,1 /data/a":                      placement.FailDir{Broker: 1, Path: "/data/a"},
		"move,1,orders-0 1 /data/b":             placement.MoveLog{Partition: placement.Partition{Topic: "orders"}, Broker: 1, Path: "/data/b"},
		"reassign,1,orders-0 2%2C3%2C4 50MiB/s": placement.Reassign{Partition: placement.Partition{Topic: "orders"}, Replicas: []int32{2, 3, 4}},
	} {
		s := newState()
		s.put(keySteps, value)
		d, problems := s.description(false)
		require.Empty(t, problems, value)
		assert.Equal(t, want, d.Changes[0].Do, value)
		assert.Equal(t, calc.Day, d.Changes[0].At)
		if strings.HasSuffix(value, "MiB/s") && !strings.HasPrefix(value, "create") {
			assert.Equal(t, calc.ByteRate(50*calc.MiB), d.Changes[0].Throttle)
		}
	}
	for _, value := range []string{"lose,1,", "lose,1,2 fast", "lose,1,2 1MiB/s x", "lose,1,2 0B/s", "traffic,1,a b c", "set,1,orders", "dir,1,x", "broker,1,5 6", "partitions,1,orders",
		"create,1,clicks 12 3", "delete,1,", "fail,1,1", "move,1,orders 1 /a", "move,1,orders-0 1", "reassign,1,orders-0", "reassign,1,orders-0 two", "set,1,produce=1MiB/s"} {
		s := newState()
		s.put(keySteps, value)
		_, problems := s.description(false)
		assert.NotEmpty(t, problems[fieldName(keySteps, 0, 2)], value)
	}
	for _, kind := range stepKinds {
		s := newState()
		s.put(keySteps, writeRows([][]string{newSteps[kind]}))
		d, problems := s.description(false)
		require.Empty(t, problems, kind)
		if kind == "move" {
			continue // where the replica is, the seed says
		}
		_, err := fleet.Run(d, nil)
		assert.NoError(t, err, kind)
	}
}

// What the engine finds is told at the field that it is about.
func TestClusterFieldOf(t *testing.T) {
	for path, field := range map[string]string{
		"topics[0].replication.factor": "c-topics.0.2", "topics[3].name": "c-topics.3.0", "topics[1].settings.retention.ms": "c-topics.1.5", "topics[1].weights": "c-topics.1.4",
		"steps[2].to": "c-if.2.2", "steps[0].at": "c-if.0.1", "topics": "", "": "", "topics[x].name": "", "brokers": keyBrokers,
	} {
		assert.Equal(t, field, fieldOf(path), path)
	}
	s := newState()
	s.put(keyBrokers, "2")
	s.cluster.scene = s.clusterScene()
	assert.Contains(t, s.fieldProblems()["c-topics.0.2"], "replication factor of 3 cannot be reached")
	assert.NotContains(t, s.fieldProblems()["c-topics.0.2"], "orders")
	assert.Empty(t, s.fieldProblems()["c-topics.1.2"], "two replicas are possible")
}

// A list of rows is read as it was written.
func TestClusterRows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.SliceOfN(rapid.SliceOfN(rapid.StringMatching(`[ -~é]{1,9}`), 3, 3), 0, 4).Draw(t, "rows")
		got := readRows(writeRows(rows))
		require.Equal(t, len(rows), len(got))
		for i := range rows {
			require.Equal(t, rows[i], got[i])
		}
	})
}

// A replica's link is its scenario with the way back, and the settings of the cluster's topics stay as they were.
func TestReplicaLink(t *testing.T) {
	s := newState()
	require.True(t, s.follow("#v=1&view=cluster&retention.ms=2d&c-where=1:/data/a"))
	before, _ := readLink(s.clusterLink("1:/data/a", 0))
	require.True(t, s.follow(s.replicaLink("orders-0", "produce=3MiB/s\nretention.ms=1d\nhorizon=30d\n")))
	assert.Empty(t, s.place.view().name)
	assert.Equal(t, "1d", s.input.Get("retention.ms"))
	after, _ := readLink(s.clusterLink("1:/data/a", 0))
	assert.ElementsMatch(t, before.place, after.place)
	assert.True(t, sameInput(before.input, after.input))
	in := s.clusterDefaults()
	assert.Equal(t, "2d", in.Get("retention.ms"))
	require.True(t, s.follow(s.clusterLink("", 0)))
	assert.Equal(t, "2d", s.input.Get("retention.ms"))
	assert.True(t, s.inCluster())
}

// A clerk answers looks while it works, and a newer job or a stop ends the work.
func TestClerk(t *testing.T) {
	s := newState()
	d, _ := s.description(false)
	job := &scene.Job{Files: []fleet.File{{Name: "form", Data: d.AppendJSON(nil)}}}
	replies := make(chan reply, 1000)
	c := newClerk(0, func(r reply) { replies <- r })
	next := func() reply {
		select {
		case r := <-replies:
			return r
		case <-time.After(20 * time.Second):
			require.Fail(t, "no reply")
			return reply{}
		}
	}
	go c.serve()
	c.put(errand{turn: 1, job: job})
	for r := next(); r.working; r = next() {
		assert.Equal(t, 1, r.turn)
		assert.LessOrEqual(t, r.done, r.all)
	}
	c.put(errand{turn: 1, look: &scene.Look{At: scene.AtPeak}})
	first, ok := scene.Decode(next().scene)
	require.True(t, ok)
	assert.NotEmpty(t, first.Rows)

	c.put(errand{turn: 2, job: job})
	c.put(errand{turn: 2, look: &scene.Look{At: scene.AtPeak}})
	c.put(errand{turn: 2})
	looked, stopped := false, false
	for !stopped {
		r := next()
		looked = looked || r.scene == first.Encode()
		stopped = r.stopped
		require.False(t, !r.working && !r.stopped && r.scene == "", "it was to be stopped")
	}
	assert.True(t, looked, "the last result is still there")
}

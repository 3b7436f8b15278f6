package placement

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

func cluster(t require.TestingT, policy Policy, brokers, dirs int) *Cluster {
	var specs []BrokerSpec
	for id := range brokers {
		b := BrokerSpec{ID: int32(id + 1), Rack: fmt.Sprintf("r%d", id%3), Racked: true}
		for d := range dirs {
			b.Dirs = append(b.Dirs, DirSpec{Path: fmt.Sprintf("/data%d", d+1), Size: calc.TiB})
		}
		specs = append(specs, b)
	}
	c, err := NewCluster(calc.V4_3, policy, 1, specs)
	require.NoError(t, err)
	return c
}

func loads(n int, bytes calc.Bytes, rate calc.ByteRate) []Load {
	return slices.Repeat([]Load{{bytes, rate}}, n)
}

func total(c *Cluster) (sum Load) {
	for _, d := range c.Dirs() {
		sum.add(d.Load)
	}
	return sum
}

func apply(t require.TestingT, c *Cluster, changes ...Change) {
	for _, change := range changes {
		require.NoError(t, c.Apply(change), "%T", change)
	}
}

// The flaw: a directory gets as many large partitions as another gets small ones, and an added directory gets all new
// logs. Least-bytes placement of the same steps is even.
func TestPoliciesSideBySide(t *testing.T) {
	imbalance := map[Policy]int64{}
	for _, policy := range Policies() {
		c := cluster(t, policy, 1, 2)
		for i := range 8 {
			size := calc.GiB
			if i%2 == 0 {
				size = 100 * calc.GiB
			}
			apply(t, c, CreateTopic{TopicSpec{Name: fmt.Sprintf("t%d", i), Partitions: loads(1, size, 1), ReplicationFactor: 1}})
		}
		im, ok := Spread(c.Dirs(), ByBytes)
		require.True(t, ok)
		imbalance[policy] = im.Permille()
	}
	assert.Equal(t, int64(1981), imbalance[FewestLogs], "400 GiB where the even share is 202 GiB")
	assert.Equal(t, int64(1000), imbalance[LeastBytes])
}

// Counting alone gives the same directories as remembering every log.
func TestDirsBy(t *testing.T) {
	for _, policy := range Policies() {
		c := cluster(t, policy, 5, 6)
		var topics []TopicSpec
		for i := range 20 {
			topics = append(topics, TopicSpec{Name: fmt.Sprint("t", i), Partitions: loads(i+1, calc.Bytes(i*i), calc.ByteRate(i%7)), ReplicationFactor: 3})
			apply(t, c, CreateTopic{topics[i]})
		}
		var brokers []BrokerSpec
		for _, m := range c.brokers {
			brokers = append(brokers, m.spec)
		}
		dirs, err := DirsBy(calc.V4_3, policy, 1, brokers, slices.Values(topics), nil)
		require.NoError(t, err)
		assert.Equal(t, c.Dirs(), dirs)
	}
}

// The moves that level are the smallest first, and making them levels.
func TestLevel(t *testing.T) {
	c := cluster(t, FewestLogs, 1, 2)
	for i := range 8 {
		size := calc.GiB
		if i%2 == 0 {
			size = 100 * calc.GiB
		}
		apply(t, c, CreateTopic{TopicSpec{Name: fmt.Sprintf("t%d", i), Partitions: loads(1, size, 1), ReplicationFactor: 1}})
	}
	before := total(c)
	moves := c.Level(ByBytes)
	require.Len(t, moves, 2)
	for _, m := range moves {
		assert.Equal(t, "/data1", m.From)
		apply(t, c, MoveLog{m.Partition, m.Broker, m.To}, FinishCopies{})
	}
	im, _ := Spread(c.Dirs(), ByBytes)
	assert.LessOrEqual(t, im.Permille(), int64(1020))
	assert.Equal(t, before, total(c))
}

// Both copies count while a replica moves or is reassigned, and total bytes are conserved in the end.
func TestMovesConserveBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		brokers, dirs := rapid.IntRange(2, 5).Draw(t, "brokers"), rapid.IntRange(1, 5).Draw(t, "dirs")
		c := cluster(t, rapid.SampledFrom(Policies()).Draw(t, "policy"), brokers, dirs)
		partitions := rapid.IntRange(1, 20).Draw(t, "partitions")
		apply(t, c, CreateTopic{TopicSpec{Name: "t", Partitions: loads(partitions, 7, 3), ReplicationFactor: rapid.IntRange(1, brokers).Draw(t, "rf")}})
		want := total(c)
		for range rapid.IntRange(0, 10).Draw(t, "moves") {
			p := Partition{"t", rapid.Int32Range(0, int32(partitions-1)).Draw(t, "p")}
			_, replicas, err := c.find(p)
			require.NoError(t, err)
			r := replicas[rapid.IntRange(0, len(replicas)-1).Draw(t, "replica")]
			to := fmt.Sprintf("/data%d", rapid.IntRange(1, dirs).Draw(t, "to"))
			apply(t, c, MoveLog{p, r.broker, to})
			if c.Dirs()[r.dir].Path != to {
				require.Equal(t, Load{want.Bytes + 7, want.Rate + 3}, total(c), "both copies count")
			}
			apply(t, c, FinishCopies{})
			require.Equal(t, want, total(c))
			other := make([]int32, 0, len(replicas))
			for i := range replicas {
				other = append(other, int32((int(r.broker)+i)%brokers+1))
			}
			apply(t, c, Reassign{p, other})
			require.GreaterOrEqual(t, total(c).Bytes, want.Bytes)
			apply(t, c, FinishCopies{})
			require.Equal(t, want, total(c))
			for _, m := range c.brokers {
				for path, dir := range m.dirs {
					require.Equal(t, m.log.Count(path), c.Dirs()[dir].Replicas, "the cluster and the broker agree")
				}
			}
		}
		apply(t, c, DeleteTopic{"t"})
		require.Zero(t, total(c))
	})
}

// A lost broker's replicas go to other racks, and nothing is lost.
func TestLoseBroker(t *testing.T) {
	c := cluster(t, FewestLogs, 6, 2)
	apply(t, c, CreateTopic{TopicSpec{Name: "t", Partitions: loads(30, calc.GiB, 10), ReplicationFactor: 3}})
	before := total(c)
	apply(t, c, LoseBroker{Broker: 1, Move: true})
	assert.Equal(t, before, total(c))
	for r := range c.Replicas {
		assert.NotEqual(t, int32(1), r.Broker)
	}
	for number := range 30 {
		racks := map[int32]bool{}
		_, replicas, err := c.find(Partition{"t", int32(number)})
		require.NoError(t, err)
		require.Len(t, replicas, 3)
		for _, r := range replicas {
			racks[(r.broker-1)%3] = true
		}
		assert.Len(t, racks, 3)
	}
	c = cluster(t, FewestLogs, 3, 1)
	apply(t, c, CreateTopic{TopicSpec{Name: "t", Partitions: loads(3, 1, 1), ReplicationFactor: 3}})
	require.NoError(t, c.Apply(LoseBroker{Broker: 2, Move: true}))
	for r := range c.Replicas {
		assert.NotEqual(t, int32(2), r.Broker, "nowhere to go: a replica less")
	}
	apply(t, c, FailDir{Broker: 1, Path: "/data1"}) // its last: the broker halts
	assert.Equal(t, calc.Bytes(3), total(c).Bytes)
}

// An added directory is empty, and the next logs all go there.
func TestAddDir(t *testing.T) {
	c := cluster(t, FewestLogs, 1, 2)
	apply(t, c, CreateTopic{TopicSpec{Name: "t", Partitions: loads(10, 1, 1), ReplicationFactor: 1}},
		AddDir{1, DirSpec{Path: "/new"}}, AddPartitions{"t", loads(5, 1, 1)})
	assert.Equal(t, []int{5, 5, 5}, []int{c.Dirs()[0].Replicas, c.Dirs()[1].Replicas, c.Dirs()[2].Replicas})
}

// What is wrong is named.
func TestBadChanges(t *testing.T) {
	c := cluster(t, FewestLogs, 3, 1)
	apply(t, c, CreateTopic{TopicSpec{Name: "t", Partitions: loads(3, 1, 1), ReplicationFactor: 1}})
	for _, x := range []struct {
		change  Change
		problem string
	}{
		{CreateTopic{TopicSpec{Name: "t"}}, `topic "t" is given twice`},
		{CreateTopic{TopicSpec{Name: "u", Partitions: loads(1, 1, 1), ReplicationFactor: 4}}, "replication factor of 4 cannot be reached because only 3 broker(s)"},
		{CreateTopic{TopicSpec{Name: "v", Partitions: loads(1, 1, 1), Assignment: [][]int32{{9}}}}, `topic "v": v-0: there is no broker 9`},
		{CreateTopic{TopicSpec{Name: "w", Partitions: loads(1, 1, 1), Assignment: [][]int32{{1, 1}}}}, "broker 1 is given twice"},
		{Reassign{Partition{"t", 0}, []int32{7}}, "t-0: there is no broker 7"},
		{Reassign{Partition{"t", 9}, []int32{1}}, `topic "t" has no partition 9`},
		{Reassign{Partition{"t", 0}, nil}, "a reassignment to no broker"},
		{MoveLog{Partition{"t", 0}, 1, "/x"}, `broker 1 has no directory "/x"`},
		{MoveLog{Partition{"x", 0}, 1, "/data1"}, `there is no topic "x"`},
		{AddBroker{BrokerSpec{ID: 1, Dirs: []DirSpec{{Path: "/a"}}}}, "broker 1 is given twice"},
		{AddBroker{BrokerSpec{ID: 5}}, "broker 5 has no log directory"},
		{AddDir{1, DirSpec{Path: "/data1"}}, `broker 1 has the directory "/data1" already`},
		{FailDir{2, "/x"}, `broker 2 has no directory "/x"`},
		{LoseBroker{Broker: 8}, "there is no broker 8"},
		{DeleteTopic{"x"}, `there is no topic "x"`},
	} {
		assert.ErrorContains(t, c.Apply(x.change), x.problem, "%T", x.change)
	}
	_, err := NewCluster(calc.V4_3, FewestLogs, 1, nil)
	assert.ErrorContains(t, err, "there is no broker")
}

func TestCopyTime(t *testing.T) {
	assert.Equal(t, calc.Second, CopyTime(10, 10))
	assert.Equal(t, calc.Millis(1), CopyTime(1, 1000))
	assert.Equal(t, 2*calc.Second, CopyTime(19999, 10_000))
	assert.Equal(t, calc.Never, CopyTime(1, 0))
	assert.Equal(t, calc.Millis(0), CopyTime(0, 0))
	assert.Positive(t, CopyTime(1<<62, 1))
}

// The order within one topic is that of CreationOrder.
func TestCreatedOrder(t *testing.T) {
	for _, n := range []int{1, 3, 7, 12, 24, 50, 100} {
		replicas := slices.Repeat([][]int32{{1}}, n)
		want, _ := CreationOrder(1, []NewTopic{{Name: "orders", Replicas: replicas}})
		var got []Partition
		numbers := make([]int32, n)
		for i := range numbers {
			numbers[i] = int32(i)
		}
		for _, number := range createdOrder("orders", numbers) {
			got = append(got, Partition{"orders", number})
		}
		assert.Equal(t, want, got)
	}
}

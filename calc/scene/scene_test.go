package scene

import (
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/fleet"
	"github.com/partsize/partsize/calc/placement"
)

func work(t *testing.T, text string) *Desk {
	t.Helper()
	var d Desk
	d.Work(Job{Files: []fleet.File{{Name: "x", Data: []byte(text)}}}, nil)
	require.Empty(t, d.wrong)
	return &d
}

// three is three brokers with two directories each, and two topics of which one is large.
const three = `{"format":"partsize-cluster/1","horizon":"10d","ulimit":100,"max_map_count":100000,
"brokers":[{"count":3,"log.dirs":"/a,/b","size":"200GiB"}],"topics":[
{"name":"large","partitions":4,"replication.factor":2,"produce":"1MiB/s"},{"name":"small","partitions":5,"produce":"1KiB/s"}]`

// What is written is read again, whatever it is; and no text does harm.
func TestCode(t *testing.T) {
	d := work(t, three+`,"steps":[{"at":"5d","lose_broker":2},{"at":"6d","settings":{"retention.ms":"1h"}}]}`)
	for _, look := range []Look{{At: AtPeak}, {Where: "1", At: calc.Day}, {Where: "3:/b", Policy: "least-bytes", At: 10 * calc.Day}, {Where: "9:/x", At: calc.Never}} {
		s := d.Look(look)
		read, ok := Decode(s.Encode())
		require.True(t, ok)
		assert.Equal(t, s.Encode(), read.Encode())
		assert.Equal(t, s.Sentence, read.Sentence)
		assert.True(t, reflect.DeepEqual(s.Rows, read.Rows))
	}
	whole := d.Look(Look{At: AtPeak}).Encode()
	rapid.Check(t, func(t *rapid.T) {
		cut := rapid.IntRange(0, len(whole)-1).Draw(t, "cut")
		_, ok := Decode(whole[:cut] + rapid.StringN(0, 5, 20).Draw(t, "junk") + whole[min(len(whole), cut+rapid.IntRange(1, 9).Draw(t, "skip")):])
		_ = ok
		_, ok = Decode(whole[:cut])
		require.False(t, ok, "half a scene")
	})
}

// The bytes of a row are those of the replicas that it draws, and a table has the same.
func TestRows(t *testing.T) {
	d := work(t, three+"}")
	s := d.Look(Look{At: 8 * calc.Day})
	require.Len(t, s.Rows, 6)
	r := d.by[placement.FewestLogs]
	for i, row := range s.Rows {
		var held calc.Bytes
		for _, h := range r.Held(i, 8*calc.Day) {
			if !h.Internal {
				held += h.Bytes
			}
		}
		assert.Equal(t, r.Dirs[i].High[int(8*calc.Day/r.Span)], held, "nothing is drawn that the engine did not say")
		assert.Equal(t, along(held, 200*calc.GiB+min(200*calc.GiB/8, most(r)-200*calc.GiB)), row.Bar.End)
		assert.Contains(t, s.Twin.Rows[i][0].Text, row.Label)
	}
	assert.Equal(t, "large", d.names[0], "the largest topic has the first tint")
	assert.Equal(t, []string{"Broker 1", "", "Broker 2", "", "Broker 3", ""}, []string{s.Rows[0].Group, s.Rows[1].Group, s.Rows[2].Group, s.Rows[3].Group, s.Rows[4].Group, s.Rows[5].Group})
}

func peakOf(r *fleet.Result, dir int) calc.Bytes {
	_, peak := r.Dirs[dir].Peak()
	return peak
}

func most(r *fleet.Result) (most calc.Bytes) {
	for i := range r.Dirs {
		_, peak := r.Dirs[i].Peak()
		most = max(most, peak)
	}
	return max(most, 200*calc.GiB)
}

// The way from the cluster to a replica's settings.
func TestDrillDown(t *testing.T) {
	d := work(t, three+"}")
	s := d.Look(Look{At: AtPeak})
	assert.Len(t, s.Crumbs, 1)
	s = d.Look(Look{Where: s.Rows[3].Where, At: AtPeak})
	assert.Equal(t, []Crumb{{"Cluster", ""}, {"Broker 2", "2"}, {"/b", "2:/b"}}, s.Crumbs)
	require.Len(t, s.Rows, 1)
	replicas := s.Tables[0]
	require.Equal(t, "Replicas", replicas.Name)
	require.NotEmpty(t, replicas.Rows)
	var in calc.Input
	for line := range strings.Lines(replicas.Rows[0][0].Input) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), "=")
		require.NoError(t, in.Set(key, value))
	}
	scenario, err := calc.NewScenario(in)
	require.NoError(t, err)
	at := int(s.At / s.Span)
	high := calc.Run(scenario).Timeline.Envelope()[at].Allocated.High
	found := false
	for _, h := range d.by[0].Held(3, s.At) {
		found = found || h.Bytes == high
	}
	assert.True(t, found, "the replica's own simulation has the bytes that the table says")
	broker := d.Look(Look{Where: "2", At: AtPeak})
	assert.Len(t, broker.Rows, 2)
	assert.Contains(t, broker.Tables[1].Rows[0][2].Text, "⚠", "above 100 open files")
}

// A large cluster is shown in few rows, and every directory is in the skyline.
func TestManyBrokers(t *testing.T) {
	d := work(t, strings.Replace(three, `"count":3`, `"count":50`, 1)+"}")
	s := d.Look(Look{At: AtPeak})
	require.NotNil(t, s.Skyline)
	assert.Len(t, s.Skyline.Wheres, 100)
	assert.Len(t, s.Rows, maxRows)
	assert.Equal(t, 50, s.All)
	s = d.Look(Look{At: AtPeak, From: 40})
	assert.Len(t, s.Rows, 10)
	assert.Equal(t, 40, d.Look(Look{At: AtPeak, From: 1 << 40}).From)
}

// Policies differ where Kafka's is blind, and the table says it side by side.
func TestPolicies(t *testing.T) {
	d := work(t, `{"format":"partsize-cluster/1","horizon":"10d","internal":false,"brokers":[{"log.dirs":"/a,/b","size":"400GiB"}],"topics":[
{"name":"x","partitions":4,"produce":"1MiB/s","weights":[8,1,8,1]}]}`)
	kafka, bytes := d.Look(Look{At: AtPeak}), d.Look(Look{At: AtPeak, Policy: "least-bytes"})
	assert.Equal(t, "fewest-logs", kafka.Policy)
	assert.Equal(t, "least-bytes", bytes.Policy)
	r, other := d.by[placement.FewestLogs], d.by[placement.LeastBytes]
	assert.NotEqual(t, calc.Never, r.Choices[0].Full, "16/18 of the traffic is in one directory")
	assert.Equal(t, calc.Never, r.Choices[1].Full)
	assert.Equal(t, r.Choices[1].Bytes.Largest, int64(max(peakOf(other, 0), peakOf(other, 1))), "counted as played")
	assert.Equal(t, "never full", kafka.Figures[3].Value)
	full, surely := r.Dirs[1].Crosses[3], r.Dirs[1].Surely[3]
	assert.Less(t, surely-full, 2*r.Span)
	assert.Contains(t, kafka.Figures[0].Caption, "at the earliest "+clockOf(full)+", at the latest "+clockOf(surely))
}

// The spread over seeds is a table, the first of them what is shown; and what is written at the moment is that of its replicas.
func TestSeedsAndRates(t *testing.T) {
	d := work(t, three+`,"steps":[{"at":"5d","traffic":2,"topic":"large"}]}`)
	find := func(s *Scene, name string) *Table {
		for i := range s.Tables {
			if s.Tables[i].Name == name {
				return &s.Tables[i]
			}
		}
		return nil
	}
	seeds := find(d.Look(Look{At: AtPeak}), "Other seeds")
	require.NotNil(t, seeds)
	require.Len(t, seeds.Rows, 4)
	assert.Equal(t, d.Look(Look{At: AtPeak}).Figures[1].Value, seeds.Rows[0][3].Text)
	before, after := d.Look(Look{At: 4 * calc.Day}), d.Look(Look{At: 6 * calc.Day})
	assert.Contains(t, before.Readout, "2.00\u00a0MiB/s written", "two replicas of 1 MiB/s, one of 1 KiB/s")
	assert.Contains(t, after.Readout, "4.00\u00a0MiB/s written")
	assert.Equal(t, "Written", before.Twin.Columns[5].Label)
}

// What is wrong is told beside the last cluster; a job that is stopped leaves everything as it was.
func TestMistakesAndStops(t *testing.T) {
	d := work(t, three+"}")
	before := d.Look(Look{At: AtPeak})
	d.Work(Job{Files: []fleet.File{{Name: "x", Data: []byte(three + "}")}}}, func(int, int) bool { return false })
	assert.Equal(t, before, d.Look(Look{At: AtPeak}))
	d.Work(Job{Files: []fleet.File{{Name: "x", Data: []byte(`{"format":"partsize-cluster/1","brokers":[{`)}}}, nil)
	after := d.Look(Look{At: AtPeak})
	require.Len(t, after.Problems, 1)
	assert.Contains(t, after.Problems[0].Text, "x: brokers[0]")
	assert.Equal(t, before.Sentence, after.Sentence)
	d.Work(Job{Files: []fleet.File{{Name: "x", Data: []byte(three + "}")}}, Size: "large"}, nil)
	assert.Contains(t, d.Look(Look{}).Problems[0].Text, "size")
	d.Work(Job{}, nil)
	assert.Contains(t, d.Look(Look{}).Problems[0].Text, "there is no broker")
	assert.Equal(t, "there is no broker; describe brokers, or give the output of kafka-log-dirs", (func() string {
		var none Desk
		none.Work(Job{}, nil)
		return none.Look(Look{}).Problems[0].Text
	})())
}

// A broker that comes later, or is lost, is not compared with what fills while it is not there, and its directories say so.
func TestBrokersComeAndGo(t *testing.T) {
	d := work(t, `{"format":"partsize-cluster/1","horizon":"10d","internal":false,"brokers":[{"count":3,"log.dirs":"/a","size":"50GiB"}],
"topics":[{"name":"t","partitions":3,"produce":"3MiB/s"}],"steps":[{"at":"4d","add_broker":4,"dir":"/a","size":"50GiB"},{"at":"5d","lose_broker":2}]}`)
	early := d.Look(Look{At: 0})
	var sentence string
	for _, w := range early.Sentence {
		sentence += w.Text
	}
	assert.Contains(t, sentence, "of broker 1, after 14")
	assert.NotContains(t, sentence, "broker 4")
	right := func(at calc.Millis) (all []string) {
		for _, row := range d.Look(Look{At: at}).Rows {
			all = append(all, row.GroupCap+": "+row.Right+", "+row.Cap)
		}
		return all
	}
	rows := right(0)
	assert.Equal(t, "not there: from day 4, not there yet", rows[3])
	assert.NotContains(t, rows[1], "offline")
	rows = right(6 * calc.Day)
	assert.Contains(t, rows[1], "not there: offline")
	assert.NotContains(t, rows[3], "not there")
}

package fleet

import (
	"fmt"
	"testing"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/placement"
)

// large is a cluster with so many replicas of topics of 67 partitions with three replicas each, every topic with a rate of
// its own, on a broker with four directories for every 1000 replicas.
func large(replicas int) *Description {
	d := &Description{Seed: 1}
	for id := range max(3, replicas/1000) {
		b := placement.BrokerSpec{ID: int32(id), Rack: fmt.Sprint("r", id%3), Racked: true}
		for k := range 4 {
			b.Dirs = append(b.Dirs, placement.DirSpec{Path: fmt.Sprintf("/data%d", k), Size: 4 * calc.TiB})
		}
		d.Brokers = append(d.Brokers, b)
	}
	for i := range max(1, replicas/200) {
		d.Topics = append(d.Topics, Topic{
			Name: fmt.Sprint("topic-", i), Partitions: 67, Replication: 3, Produce: calc.RateOf(calc.Bytes(i%500+1)*calc.MiB/4, calc.Second),
		})
	}
	return d
}

// BenchmarkFleet is 30 days of clusters of growing size; the issue wants 100,000 replicas of 500 topics on 100 brokers in
// less than a second.
func BenchmarkFleet(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Run(large(n), nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

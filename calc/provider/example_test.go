package provider_test

import (
	"fmt"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/provider"
)

// What a page does: it has an answer, asks for a service, and shows what comes of it.
func ExampleCheck() {
	in := calc.Defaults()
	for _, p := range []calc.Pair{{Key: "produce", Value: "5MB/s"}, {Key: "retention.bytes", Value: "50GiB"}, {Key: "partitions", Value: "33"}, {Key: "horizon", Value: "1d"}} {
		if err := in.Set(p.Key, p.Value); err != nil {
			fmt.Println(err)
		}
	}
	scenario, err := calc.NewScenario(in)
	if err != nil {
		fmt.Println(err)
		return
	}
	answer := calc.Run(scenario)
	service, _ := provider.ServiceOf("ibm-event-streams")
	r := provider.OfAnswer(service, in, &answer)
	_ = r.Set("storage", "2TB")
	for _, v := range provider.Check(r) {
		fmt.Println(v.Effect, "by", v.Rule)
		for _, f := range v.Fixes {
			fmt.Println("  way out:", f.Text)
		}
		fmt.Println(" ", v.Source.URL)
	}
	// Output:
	// refused by reserved
	//   way out: set partitions to 31
	//   way out: set retention.bytes to 48GiB
	//   way out: buy 4TB of storage with 150 MB/s
	//   https://cloud.ibm.com/docs/EventStreams?topic=EventStreams-ES_understanding_reserved_disk_usage
	// slowed down by traffic.150
	//   way out: buy 450 MB/s, which comes with 6TB or 12TB of storage
	//   https://cloud.ibm.com/docs/EventStreams?topic=EventStreams-kafka_quotas
	// advised against by traffic.150.advised
	//   way out: bring it to 50 MB/s
	//   https://cloud.ibm.com/docs/EventStreams?topic=EventStreams-kafka_quotas
}

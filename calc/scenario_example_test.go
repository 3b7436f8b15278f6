package calc_test

import (
	"fmt"

	"github.com/partsize/partsize/calc"
)

// An Input holds what was typed; a Scenario is what it means, once nothing is wrong.
func ExampleNewScenario() {
	in := calc.Defaults()
	for _, pair := range [][2]string{{"retention.ms", "3 days"}, {"segment.bytes", "512MiB"}, {"produce", "10 MB/s"}} {
		if err := in.Set(pair[0], pair[1]); err != nil {
			fmt.Println(err)
		}
	}
	s, err := calc.NewScenario(in)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(s.Log().RetentionMs, "in segments of", s.Log().SegmentBytes)
	fmt.Println("batches of", s.LargestBatch().Exact())
	fmt.Println("in a day at most", s.MostBytes(calc.Day))
	// Output:
	// 3 d 0 h in segments of 512 MiB
	// batches of 15 556 B
	// in a day at most 805 GiB
}

// Every problem is reported at once, each under its key, with the way out.
func ExampleNewScenario_problems() {
	in := calc.Defaults()
	_ = in.Set("retention.ms", "604,800,000")
	_ = in.Set("segment.bytes", "2GiB")
	_ = in.Set("log.roll.hours", "0")
	_, err := calc.NewScenario(in)
	fmt.Println(err)
	// Output:
	// retention.ms=604,800,000: has thousands separators (','); write 604800000
	// segment.bytes=2GiB: is above 2147483647, the most that Kafka's 32 bits hold; write 2147483647
	// log.roll.hours=0: is below 1, the least there is; write 1
}

// The topic's settings win over the broker's; there, ms win over minutes over hours, in whatever order they were given.
func ExampleInput_Set() {
	in := calc.Defaults()
	_ = in.Set("log.retention.minutes", "90")
	_ = in.Set("log.retention.hours", "24")
	fmt.Println(in.Get("retention.ms"))
	_ = in.Set("retention.ms", "7d")
	fmt.Println(in.Get("retention.ms"))
	fmt.Println(in.Set("retention.hours", "24"))
	// Output:
	// 90min
	// 7d
	// retention.hours=24: there is no such setting; did you mean log.retention.hours?
}

// What differs from the defaults is all that a link needs.
func ExampleInput_Changed() {
	in := calc.Defaults()
	_ = in.Set("produce", "5MiB/s")
	_ = in.Set("retention.ms", "7d")
	_ = in.Set("segment.bytes", "256MiB")
	for key, value := range in.Changed() {
		fmt.Println(key + "=" + value)
	}
	// Output:
	// produce=5MiB/s
	// segment.bytes=256MiB
}

func ExampleParseBytes() {
	for _, text := range []string{"1GiB", "1 GB", "1.5 GiB", "1,000"} {
		b, err := calc.ParseBytes(text)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Println(b, b.Decimal(), b.Text())
	}
	// Output:
	// 1 GiB 1.07 GB 1GiB
	// 954 MiB 1 GB 1000000000
	// 1.5 GiB 1.61 GB 1536MiB
	// 1,000: has thousands separators (','); write 1000
}

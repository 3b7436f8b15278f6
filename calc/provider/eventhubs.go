package provider

import "github.com/partsize/partsize/calc"

var (
	hubsTiers   = page("Microsoft: Event Hubs quotas by tier (azure-docs, event-hubs-tier-limits)", "https://learn.microsoft.com/azure/event-hubs/event-hubs-quotas", "2022")
	hubsStorage = excerpt("Microsoft: Event Hubs quotas by tier, storage", "https://learn.microsoft.com/azure/event-hubs/event-hubs-quotas")
)

// A throughput unit also takes at most 1,000 events a second, which is not checked here.
var eventHubs = Service{
	ID:   "azure-event-hubs",
	Name: "Azure Event Hubs",
	Plans: []Plan{
		{ID: "standard", Name: "Standard"},
		{ID: "basic", Name: "Basic"},
		{ID: "premium", Name: "Premium"},
		{ID: "dedicated", Name: "Dedicated"},
	},
	Rules: []Rule{
		hubsRetention("basic", 1), hubsRetention("standard", 7), hubsRetention("premium", 90), hubsRetention("dedicated", 90),
		hubsPartitions("basic", 32), hubsPartitions("standard", 32), hubsPartitions("premium", 100), hubsPartitions("dedicated", 1024),
		hubsUnits("premium", 200), hubsUnits("dedicated", 2000),
		hubsTraffic("basic"), hubsTraffic("standard"),
		hubsStored("basic", 84), hubsStored("standard", 84), hubsStored("premium", 1000), hubsStored("dedicated", 10_000),
	},
}

func hubsRetention(plan string, days int64) Rule {
	b := atMost("retention.ms", days*int64(calc.Day))
	says := "Events are kept for " + show(0, days) + " days at most."
	if days == 90 {
		b.EndlessWith = "retention.bytes"
		says += " −1 is taken only together with a limit by size."
	}
	return Rule{ID: plan + ".retention.ms", Says: says, Plans: []string{plan}, Effect: Refused, Bound: b, Source: hubsTiers,
		Pass: "plan=" + plan + " retention.ms=1d", Break: "plan=" + plan + " retention.ms=100d"}
}

func hubsPartitions(plan string, n int64) Rule {
	return Rule{ID: plan + ".partitions", Says: "An event hub has " + show(0, n) + " partitions at most.", Plans: []string{plan}, Effect: Refused,
		Bound: atMost("partitions", n), Source: hubsTiers,
		Pass: "plan=" + plan + " partitions=" + show(0, n), Break: "plan=" + plan + " partitions=" + show(0, n+1)}
}

func hubsUnits(plan string, n int64) Rule {
	return Rule{ID: plan + ".partitions.unit", Says: "There are " + show(0, n) + " partitions for each unit at most.", Plans: []string{plan}, Effect: Refused,
		Bound: atMost("partitions.unit", n), Source: hubsTiers,
		Pass: "plan=" + plan + " units=2 partitions=" + show(0, n), Break: "plan=" + plan + " units=1 partitions=" + show(0, n+1)}
}

func hubsTraffic(plan string) Rule {
	return Rule{ID: plan + ".traffic", Says: "1 MB/s comes in for each throughput unit.", Plans: []string{plan}, Effect: Slowed,
		Bound: atMost("traffic.unit", mb), Source: hubsTiers,
		Pass: "plan=" + plan + " units=2 produce=900kB/s retention.ms=1h", Break: "plan=" + plan + " units=1 produce=2MB/s retention.ms=1h"}
}

func hubsStored(plan string, gb int64) Rule {
	return Rule{ID: plan + ".storage", Says: "A unit stores " + show(0, gb) + " GB.", Plans: []string{plan}, Effect: Refused,
		Bound: atMost("stored.unit", gb*1_000_000_000), Source: hubsStorage,
		Pass: "plan=" + plan + " retention.bytes=10GB segment.bytes=1GiB", Break: "plan=" + plan + " retention.bytes=20TB segment.bytes=1GiB"}
}

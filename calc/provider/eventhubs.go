package provider

import "github.com/partsize/partsize/calc"

var (
	hubsTiers   = Source{Title: "Microsoft: Event Hubs quotas by tier (azure-docs, event-hubs-tier-limits)", URL: "https://learn.microsoft.com/azure/event-hubs/event-hubs-quotas", Edition: "2022", Read: ReadOn, Confidence: PageRead}
	hubsStorage = Source{Title: "Microsoft: Event Hubs quotas by tier, storage", URL: "https://learn.microsoft.com/azure/event-hubs/event-hubs-quotas", Read: ReadOn, Confidence: ExcerptRead}
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
		{ID: "basic.retention.ms", Says: "Events are kept for 1 days at most.", Plans: []string{"basic"}, Effect: Refused,
			Bound: &Bound{Key: "retention.ms", Least: noLeast, Most: 1 * int64(calc.Day)}, Source: hubsTiers,
			Pass: "plan=basic retention.ms=1d", Break: "plan=basic retention.ms=100d"},
		{ID: "standard.retention.ms", Says: "Events are kept for 7 days at most.", Plans: []string{"standard"}, Effect: Refused,
			Bound: &Bound{Key: "retention.ms", Least: noLeast, Most: 7 * int64(calc.Day)}, Source: hubsTiers,
			Pass: "plan=standard retention.ms=1d", Break: "plan=standard retention.ms=100d"},
		{ID: "premium.retention.ms", Says: "Events are kept for 90 days at most. −1 is taken only together with a limit by size.", Plans: []string{"premium"}, Effect: Refused,
			Bound: &Bound{Key: "retention.ms", Least: noLeast, Most: 90 * int64(calc.Day), EndlessWith: "retention.bytes"}, Source: hubsTiers,
			Pass: "plan=premium retention.ms=1d", Break: "plan=premium retention.ms=100d"},
		{ID: "dedicated.retention.ms", Says: "Events are kept for 90 days at most. −1 is taken only together with a limit by size.", Plans: []string{"dedicated"}, Effect: Refused,
			Bound: &Bound{Key: "retention.ms", Least: noLeast, Most: 90 * int64(calc.Day), EndlessWith: "retention.bytes"}, Source: hubsTiers,
			Pass: "plan=dedicated retention.ms=1d", Break: "plan=dedicated retention.ms=100d"},
		{ID: "basic.partitions", Says: "An event hub has 32 partitions at most.", Plans: []string{"basic"}, Effect: Refused,
			Bound: &Bound{Key: "partitions", Least: noLeast, Most: 32}, Source: hubsTiers,
			Pass: "plan=basic partitions=32", Break: "plan=basic partitions=33"},
		{ID: "standard.partitions", Says: "An event hub has 32 partitions at most.", Plans: []string{"standard"}, Effect: Refused,
			Bound: &Bound{Key: "partitions", Least: noLeast, Most: 32}, Source: hubsTiers,
			Pass: "plan=standard partitions=32", Break: "plan=standard partitions=33"},
		{ID: "premium.partitions", Says: "An event hub has 100 partitions at most.", Plans: []string{"premium"}, Effect: Refused,
			Bound: &Bound{Key: "partitions", Least: noLeast, Most: 100}, Source: hubsTiers,
			Pass: "plan=premium partitions=100", Break: "plan=premium partitions=101"},
		{ID: "dedicated.partitions", Says: "An event hub has 1024 partitions at most.", Plans: []string{"dedicated"}, Effect: Refused,
			Bound: &Bound{Key: "partitions", Least: noLeast, Most: 1024}, Source: hubsTiers,
			Pass: "plan=dedicated partitions=1024", Break: "plan=dedicated partitions=1025"},
		{ID: "premium.partitions.unit", Says: "There are 200 partitions for each unit at most.", Plans: []string{"premium"}, Effect: Refused,
			Bound: &Bound{Key: "partitions.unit", Least: noLeast, Most: 200}, Source: hubsTiers,
			Pass: "plan=premium units=2 partitions=200", Break: "plan=premium units=1 partitions=201"},
		{ID: "dedicated.partitions.unit", Says: "There are 2000 partitions for each unit at most.", Plans: []string{"dedicated"}, Effect: Refused,
			Bound: &Bound{Key: "partitions.unit", Least: noLeast, Most: 2000}, Source: hubsTiers,
			Pass: "plan=dedicated units=2 partitions=2000", Break: "plan=dedicated units=1 partitions=2001"},
		{ID: "basic.traffic", Says: "1 MB/s comes in for each throughput unit.", Plans: []string{"basic"}, Effect: Slowed,
			Bound: &Bound{Key: "traffic.unit", Least: noLeast, Most: 1 * mb}, Source: hubsTiers,
			Pass: "plan=basic units=2 produce=900kB/s retention.ms=1h", Break: "plan=basic units=1 produce=2MB/s retention.ms=1h"},
		{ID: "standard.traffic", Says: "1 MB/s comes in for each throughput unit.", Plans: []string{"standard"}, Effect: Slowed,
			Bound: &Bound{Key: "traffic.unit", Least: noLeast, Most: 1 * mb}, Source: hubsTiers,
			Pass: "plan=standard units=2 produce=900kB/s retention.ms=1h", Break: "plan=standard units=1 produce=2MB/s retention.ms=1h"},
		{ID: "basic.storage", Says: "A unit stores 84 GB.", Plans: []string{"basic"}, Effect: Refused,
			Bound: &Bound{Key: "stored.unit", Least: noLeast, Most: 84 * gigabyte}, Source: hubsStorage,
			Pass: "plan=basic retention.bytes=10GB segment.bytes=1GiB", Break: "plan=basic retention.bytes=20TB segment.bytes=1GiB"},
		{ID: "standard.storage", Says: "A unit stores 84 GB.", Plans: []string{"standard"}, Effect: Refused,
			Bound: &Bound{Key: "stored.unit", Least: noLeast, Most: 84 * gigabyte}, Source: hubsStorage,
			Pass: "plan=standard retention.bytes=10GB segment.bytes=1GiB", Break: "plan=standard retention.bytes=20TB segment.bytes=1GiB"},
		{ID: "premium.storage", Says: "A unit stores 1000 GB.", Plans: []string{"premium"}, Effect: Refused,
			Bound: &Bound{Key: "stored.unit", Least: noLeast, Most: 1000 * gigabyte}, Source: hubsStorage,
			Pass: "plan=premium retention.bytes=10GB segment.bytes=1GiB", Break: "plan=premium retention.bytes=20TB segment.bytes=1GiB"},
		{ID: "dedicated.storage", Says: "A unit stores 10000 GB.", Plans: []string{"dedicated"}, Effect: Refused,
			Bound: &Bound{Key: "stored.unit", Least: noLeast, Most: 10000 * gigabyte}, Source: hubsStorage,
			Pass: "plan=dedicated retention.bytes=10GB segment.bytes=1GiB", Break: "plan=dedicated retention.bytes=20TB segment.bytes=1GiB"},
	},
}

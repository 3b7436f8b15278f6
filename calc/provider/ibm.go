package provider

import "github.com/partsize/partsize/calc"

// Sources: the service's documentation, whose source is public in the repository ibm-cloud-docs/EventStreams.
var (
	ibmReserved = Source{Title: "IBM Cloud: Understanding reserved disk usage", URL: "https://cloud.ibm.com/docs/EventStreams?topic=EventStreams-ES_understanding_reserved_disk_usage", Edition: "2024-03-15", Read: ReadOn, Confidence: PageRead}
	ibmQuotas   = Source{Title: "IBM Cloud: How Event Streams uses limits and quotas", URL: "https://cloud.ibm.com/docs/EventStreams?topic=EventStreams-kafka_quotas", Edition: "2025-03-11", Read: ReadOn, Confidence: PageRead}
	// ibmQuotasUnclear is for what that page says twice, and not alike.
	ibmQuotasUnclear = Source{Title: "IBM Cloud: How Event Streams uses limits and quotas", URL: "https://cloud.ibm.com/docs/EventStreams?topic=EventStreams-kafka_quotas", Edition: "2025-03-11", Read: ReadOn, Confidence: Unverified}
	ibmScaling       = Source{Title: "IBM Cloud: Scaling Enterprise plan capacity", URL: "https://cloud.ibm.com/docs/EventStreams?topic=EventStreams-ES_scaling_capacity", Edition: "2025-11-07", Read: ReadOn, Confidence: PageRead}
	ibmFAQ           = Source{Title: "IBM Cloud: Event Streams FAQs", URL: "https://cloud.ibm.com/docs/EventStreams?topic=EventStreams-faqs", Edition: "2025-02-28", Read: ReadOn, Confidence: PageRead}
	ibmGen2          = Source{Title: "IBM Cloud: How Event Streams Gen2 uses limits and quotas", URL: "https://cloud.ibm.com/docs/EventStreams-gen2?topic=EventStreams-gen2-kafka_quotas", Read: ReadOn, Confidence: ExcerptRead}
)

// ibmPairs is which storage goes with which throughput.
//
// The page writes storage in TB and the value to give as 2048 for 2 TB; it does not say whether 2 TB are 2×10¹² bytes or
// 2 TiB. Both are taken as the pair's; a limit is reckoned from what was given.
var ibmPairs = []Pairing{
	{"throughput", "150", []string{"2TB", "4TB", "6TB", "8TB", "10TB", "12TB"}},
	{"throughput", "300", []string{"4TB", "8TB", "12TB"}},
	{"throughput", "450", []string{"6TB", "12TB"}},
}

// mb is a decimal megabyte, in which IBM writes throughput.
const mb = 1_000_000

const gigabyte = 1000 * mb

var ibmEventStreams = Service{
	ID:   "ibm-event-streams",
	Name: "IBM Event Streams",
	Plans: []Plan{
		{ID: "enterprise", Name: "Enterprise", Options: []calc.Pair{{Key: "throughput", Value: "150"}}},
		{ID: "standard", Name: "Standard"},
		{ID: "lite", Name: "Lite"},
		{ID: "gen2", Name: "Enterprise Gen2"},
	},
	Defaults: []calc.Pair{
		{Key: "retention.bytes", Value: "1GiB"}, {Key: "segment.bytes", Value: "512MiB"}, {Key: "segment.index.bytes", Value: "10MiB"},
		{Key: "retention.ms", Value: "24h"}, {Key: "segment.ms", Value: "7d"}, {Key: "replication.factor", Value: "3"},
	},
	Aliases: []calc.Pair{
		{Key: "log.segment.size", Value: "segment.bytes"}, {Key: "segment.size", Value: "segment.bytes"},
		{Key: "segment.index.size", Value: "segment.index.bytes"}, {Key: "log.segment.index.size", Value: "segment.index.bytes"},
	},
	Rules: []Rule{
		{ID: "retention.bytes", Says: "retention.bytes is from 100 KiB to 2 TiB.", Plans: []string{"enterprise", "gen2"}, When: Deleting, Effect: Refused,
			Bound: &Bound{Key: "retention.bytes", Least: int64(100 * calc.KiB), Most: int64(2 * calc.TiB)}, Source: ibmFAQ,
			Pass: "retention.bytes=50GiB", Break: "retention.bytes=3TiB"},
		{ID: "segment.bytes", Says: "segment.bytes is from 100 KiB to 2 TiB; Kafka itself takes at most 2147483647 bytes.", Plans: []string{"enterprise", "gen2"}, Effect: Refused,
			Bound: &Bound{Key: "segment.bytes", Least: int64(100 * calc.KiB), Most: int64(2 * calc.TiB)}, Source: ibmFAQ,
			Pass: "kafka.version=3.9 segment.bytes=1GiB", Break: "kafka.version=3.9 segment.bytes=50KiB"},
		{ID: "segment.index.bytes", Says: "segment.index.bytes is from 100 KiB to 1 TiB; Kafka itself takes at most 2147483647 bytes.", Plans: []string{"enterprise", "gen2"}, Effect: Refused,
			Bound: &Bound{Key: "segment.index.bytes", Least: int64(100 * calc.KiB), Most: int64(calc.TiB)}, Source: ibmFAQ,
			Pass: "segment.index.bytes=1MiB", Break: "segment.index.bytes=50KiB"},
		{ID: "segment.ms", Says: "segment.ms is from 5 minutes to 30 days.", Effect: Refused,
			Bound: &Bound{Key: "segment.ms", Least: int64(5 * calc.Minute), Most: int64(30 * calc.Day)}, Source: ibmFAQ,
			Pass: "segment.ms=1d", Break: "segment.ms=1min"},
		{ID: "standard.retention.bytes", Says: "retention.bytes is from 100 KiB to 1 GiB in the Standard plan.", Plans: []string{"standard"}, When: Deleting, Effect: Refused,
			Bound: &Bound{Key: "retention.bytes", Least: int64(100 * calc.KiB), Most: int64(calc.GiB)}, Source: ibmFAQ,
			Pass: "plan=standard retention.bytes=1GiB", Break: "plan=standard retention.bytes=2GiB"},
		{ID: "standard.segment.bytes", Says: "segment.bytes is from 100 KiB to 512 MiB in the Standard plan.", Plans: []string{"standard"}, Effect: Refused,
			Bound: &Bound{Key: "segment.bytes", Least: int64(100 * calc.KiB), Most: int64(512 * calc.MiB)}, Source: ibmFAQ,
			Pass: "plan=standard segment.bytes=512MiB", Break: "plan=standard segment.bytes=1GiB"},
		{ID: "standard.segment.index.bytes", Says: "segment.index.bytes is from 100 KiB to 100 MiB in the Standard plan.", Plans: []string{"standard"}, Effect: Refused,
			Bound: &Bound{Key: "segment.index.bytes", Least: int64(100 * calc.KiB), Most: int64(100 * calc.MiB)}, Source: ibmFAQ,
			Pass: "plan=standard segment.index.bytes=10MiB", Break: "plan=standard segment.index.bytes=200MiB"},
		{ID: "standard.retention.ms", Says: "retention.ms is from 1 hour to 30 days in the Standard plan, in whole hours.", Plans: []string{"standard"}, When: Deleting, Effect: Refused,
			Bound: &Bound{Key: "retention.ms", Least: int64(calc.Hour), Most: int64(30 * calc.Day), Step: int64(calc.Hour)}, Source: ibmFAQ,
			Pass: "plan=standard retention.ms=36h", Break: "plan=standard retention.ms=90min"},
		{ID: "replication.factor", Says: "replication.factor is 3 and cannot be chosen.", Effect: Refused,
			Fixed: &Fixed{Key: "replication.factor", Value: "3"}, Source: ibmReserved,
			Pass: "replication.factor=3", Break: "replication.factor=2"},
		{ID: "compact.retention", Says: "With cleanup.policy=compact, 1 GB is reserved for each partition, and the settings of retention have no effect on it.", When: OnlyKeys, Effect: Ignored,
			Fixed: &Fixed{Key: "retention.bytes", Unset: true}, Source: ibmReserved,
			Pass: "cleanup.policy=compact,delete retention.bytes=50GiB", Break: "cleanup.policy=compact retention.bytes=50GiB"},
		{ID: "compact.retention.ms", Says: "With cleanup.policy=compact, retention.ms has no effect.", When: OnlyKeys, Effect: Ignored,
			Fixed: &Fixed{Key: "retention.ms", Unset: true}, Source: ibmReserved,
			Pass: "cleanup.policy=delete retention.ms=1d", Break: "cleanup.policy=compact retention.ms=1d"},
		{ID: "reserved", Says: "For each partition retention.bytes + segment.bytes + 2 × segment.index.bytes × (⌊retention.bytes ÷ segment.bytes⌋ + 1) is reserved, or 1 GB, taken as 1 GiB, with cleanup.policy=compact; replicas are not counted. " +
			"A topic, or partitions, that would bring the sum above 90 % of the instance's storage are refused.", Plans: []string{"enterprise", "gen2", "standard"}, Effect: Refused, Error: "PolicyViolation",
			Reservation: &Reservation{Retention: true, Segments: 1, Indexes: 2, OnlyKeys: calc.GiB, Of: "storage", Percent: 90}, Source: ibmReserved,
			Pass: "storage=2TB partitions=32 retention.bytes=50GiB segment.bytes=1GiB", Break: "storage=2TB partitions=33 retention.bytes=50GiB segment.bytes=1GiB"},
		{ID: "pair", Says: "Storage goes with throughput in fixed pairs: 150 MB/s with 2, 4, 6, 8, 10 or 12 TB, 300 with 4, 8 or 12, 450 with 6 or 12.", Plans: []string{"enterprise"}, Effect: Refused,
			Bound: &Bound{Key: "storage", Least: noLeast, Most: noMost, With: ibmPairs}, Source: ibmScaling,
			Pass: "throughput=300 storage=8TB", Break: "throughput=300 storage=6TB"},
		{ID: "throughput", Says: "Throughput is 150, 300 or 450 MB/s.", Plans: []string{"enterprise"}, Effect: Refused,
			Bound: &Bound{Key: "throughput", Least: noLeast, Most: noMost, OneOf: []string{"150", "300", "450"}}, Source: ibmScaling,
			Pass: "throughput=450", Break: "throughput=200"},
		{ID: "storage.shrink", Says: "Storage cannot be made smaller.", Plans: []string{"enterprise"}, Effect: Refused,
			Fixed: &Fixed{Key: "storage", May: OnlyUp}, Source: ibmScaling,
			Pass: "was:storage=2TB storage=4TB partitions=1", Break: "was:storage=4TB storage=2TB partitions=1"},
		{ID: "throughput.shrink", Says: "Throughput cannot be made smaller.", Plans: []string{"enterprise"}, Effect: Refused,
			Fixed: &Fixed{Key: "throughput", May: OnlyUp}, Source: ibmScaling,
			Pass: "was:throughput=150 throughput=300 storage=4TB partitions=1", Break: "was:throughput=300 throughput=150 storage=4TB partitions=1"},
		{ID: "traffic.150", Says: "Of 150 MB/s half is for what comes in.", Plans: []string{"enterprise"}, If: calc.Pair{Key: "throughput", Value: "150"}, Effect: Slowed,
			Bound: &Bound{Key: "traffic.total", Least: noLeast, Most: 75 * mb}, Source: ibmQuotas,
			Pass: "throughput=150 produce=1MB/s retention.ms=1h partitions=67", Break: "throughput=150 produce=1MB/s retention.ms=1h partitions=82"},
		{ID: "traffic.300", Says: "Of 300 MB/s half is for what comes in.", Plans: []string{"enterprise"}, If: calc.Pair{Key: "throughput", Value: "300"}, Effect: Slowed,
			Bound: &Bound{Key: "traffic.total", Least: noLeast, Most: 150 * mb}, Source: ibmQuotas,
			Pass: "throughput=300 produce=1MB/s retention.ms=1h partitions=135", Break: "throughput=300 produce=1MB/s retention.ms=1h partitions=165"},
		{ID: "traffic.450", Says: "Of 450 MB/s half is for what comes in.", Plans: []string{"enterprise"}, If: calc.Pair{Key: "throughput", Value: "450"}, Effect: Slowed,
			Bound: &Bound{Key: "traffic.total", Least: noLeast, Most: 225 * mb}, Source: ibmQuotas,
			Pass: "throughput=450 produce=1MB/s retention.ms=1h partitions=202", Break: "throughput=450 produce=1MB/s retention.ms=1h partitions=247"},
		{ID: "traffic.150.advised", Says: "Of 150 MB/s two thirds are advised for good, half of that in.", Plans: []string{"enterprise"}, If: calc.Pair{Key: "throughput", Value: "150"}, Effect: Advised,
			Bound: &Bound{Key: "traffic.total.mean", Least: noLeast, Most: 50 * mb}, Source: ibmQuotas,
			Pass: "throughput=150 produce=1MB/s retention.ms=1h partitions=45", Break: "throughput=150 produce=1MB/s retention.ms=1h partitions=55"},
		{ID: "traffic.300.advised", Says: "Of 300 MB/s two thirds are advised for good, half of that in.", Plans: []string{"enterprise"}, If: calc.Pair{Key: "throughput", Value: "300"}, Effect: Advised,
			Bound: &Bound{Key: "traffic.total.mean", Least: noLeast, Most: 100 * mb}, Source: ibmQuotas,
			Pass: "throughput=300 produce=1MB/s retention.ms=1h partitions=90", Break: "throughput=300 produce=1MB/s retention.ms=1h partitions=110"},
		{ID: "traffic.450.advised", Says: "Of 450 MB/s two thirds are advised for good, half of that in.", Plans: []string{"enterprise"}, If: calc.Pair{Key: "throughput", Value: "450"}, Effect: Advised,
			Bound: &Bound{Key: "traffic.total.mean", Least: noLeast, Most: 150 * mb}, Source: ibmQuotas,
			Pass: "throughput=450 produce=1MB/s retention.ms=1h partitions=135", Break: "throughput=450 produce=1MB/s retention.ms=1h partitions=165"},
		{ID: "partitions.150", Says: "With 150 MB/s there are 3000 partitions.", Plans: []string{"enterprise"}, If: calc.Pair{Key: "throughput", Value: "150"}, Effect: Advised,
			Bound: &Bound{Key: "partitions.total", Least: noLeast, Most: 3000}, Source: ibmQuotasUnclear,
			Doubt: "a footnote of the page says 3,000 for each 2 TB of storage instead, up to 18,000 at 12 TB, and the two statements differ",
			Pass:  "throughput=150 partitions=3000", Break: "throughput=150 partitions=3001"},
		{ID: "partitions.300", Says: "With 300 MB/s there are 6000 partitions.", Plans: []string{"enterprise"}, If: calc.Pair{Key: "throughput", Value: "300"}, Effect: Advised,
			Bound: &Bound{Key: "partitions.total", Least: noLeast, Most: 6000}, Source: ibmQuotasUnclear,
			Doubt: "a footnote of the page says 3,000 for each 2 TB of storage instead, up to 18,000 at 12 TB, and the two statements differ",
			Pass:  "throughput=300 partitions=6000", Break: "throughput=300 partitions=6001"},
		{ID: "partitions.450", Says: "With 450 MB/s there are 9000 partitions.", Plans: []string{"enterprise"}, If: calc.Pair{Key: "throughput", Value: "450"}, Effect: Advised,
			Bound: &Bound{Key: "partitions.total", Least: noLeast, Most: 9000}, Source: ibmQuotasUnclear,
			Doubt: "a footnote of the page says 3,000 for each 2 TB of storage instead, up to 18,000 at 12 TB, and the two statements differ",
			Pass:  "throughput=450 partitions=9000", Break: "throughput=450 partitions=9001"},
		{ID: "partitions", Says: "There are at most 18,000 partitions, whatever is bought.", Plans: []string{"enterprise"}, Effect: Refused,
			Bound: &Bound{Key: "partitions.total", Least: noLeast, Most: 18_000}, Source: ibmQuotas,
			Pass: "throughput=450 partitions=9000", Break: "throughput=450 partitions=18001"},
		{ID: "gen2.partitions", Says: "Gen2 has 3,000 partitions.", Plans: []string{"gen2"}, Effect: Refused,
			Bound: &Bound{Key: "partitions.total", Least: noLeast, Most: 3000}, Source: ibmGen2,
			Pass: "plan=gen2 partitions=3000", Break: "plan=gen2 partitions=3001"},
		{ID: "gen2.traffic", Says: "Gen2 has 100 MB/s, half in and half out, available all the time.", Plans: []string{"gen2"}, Effect: Slowed,
			Bound: &Bound{Key: "traffic.total", Least: noLeast, Most: 50 * mb}, Source: ibmGen2,
			Pass: "plan=gen2 produce=1MB/s partitions=40 retention.ms=1h", Break: "plan=gen2 produce=1MB/s partitions=60 retention.ms=1h"},
		{ID: "standard.partitions", Says: "The Standard plan has 100 partitions.", Plans: []string{"standard"}, Effect: Refused,
			Bound: &Bound{Key: "partitions.total", Least: noLeast, Most: 100}, Source: ibmQuotas,
			Pass: "plan=standard partitions=100", Break: "plan=standard partitions=101"},
		{ID: "standard.traffic", Says: "The Standard plan takes 20 MB/s in all.", Plans: []string{"standard"}, Effect: Slowed,
			Bound: &Bound{Key: "traffic.total", Least: noLeast, Most: 20 * mb}, Source: ibmQuotas,
			Pass: "plan=standard produce=500kB/s partitions=30 retention.ms=1h", Break: "plan=standard produce=900kB/s partitions=30 retention.ms=1h"},
		{ID: "standard.traffic.partition", Says: "The Standard plan takes 1 MB/s for each partition, over all of them.", Plans: []string{"standard"}, Effect: Slowed,
			Bound: &Bound{Key: "traffic.partition", Least: noLeast, Most: 1 * mb}, Source: ibmQuotas,
			Pass: "plan=standard produce=900kB/s retention.ms=1h", Break: "plan=standard produce=2MB/s retention.ms=1h"},
		{ID: "lite.partitions", Says: "The Lite plan has one partition.", Plans: []string{"lite"}, Effect: Refused,
			Bound: &Bound{Key: "partitions.total", Least: noLeast, Most: 1}, Source: ibmQuotas,
			Pass: "plan=lite partitions=1", Break: "plan=lite partitions=2"},
		{ID: "lite.retention.bytes", Says: "The Lite plan keeps at most 100 MB in its partition.", Plans: []string{"lite"}, When: Deleting, Effect: Refused,
			Bound: &Bound{Key: "retention.bytes", Least: noLeast, Most: 100 * mb}, Source: ibmQuotas,
			Pass: "plan=lite retention.bytes=100MB", Break: "plan=lite retention.bytes=1GB"},
		{ID: "lite.traffic", Says: "For the Lite plan at most 100 KB/s are advised.", Plans: []string{"lite"}, Effect: Advised,
			Bound: &Bound{Key: "traffic.total", Least: noLeast, Most: 100_000}, Source: ibmQuotas,
			Pass: "plan=lite produce=50kB/s retention.ms=1h", Break: "plan=lite produce=200kB/s retention.ms=1h"},
	},
}

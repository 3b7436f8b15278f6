package provider

import "github.com/partsize/partsize/calc"

var (
	redpandaProps = Source{Title: "Redpanda: cluster properties", URL: "https://docs.redpanda.com/current/reference/properties/cluster-properties/", Edition: "v26.2.1, docs 3e7b662", Read: ReadOn, Confidence: PageRead}
	redpandaDisk  = Source{Title: "Redpanda: manage disk space", URL: "https://docs.redpanda.com/current/manage/cluster-maintenance/disk-utilization/", Edition: "docs 3e7b662", Read: ReadOn, Confidence: PageRead}
)

// The pages disagree about the default of a segment's size: the one on disks says 1 GiB, the reference 128 MiB. The
// reference's is taken.
var redpanda = Service{
	ID:       "redpanda",
	Name:     "Redpanda",
	Defaults: []calc.Pair{{Key: "segment.bytes", Value: "128MiB"}, {Key: "segment.ms", Value: "14d"}},
	Rules: []Rule{
		{ID: "segment.bytes", Says: "segment.bytes is 1 MiB at least; a smaller one is raised to it.", Effect: Changed,
			Bound: &Bound{Key: "segment.bytes", Least: int64(calc.MiB), Most: noMost}, Source: redpandaProps,
			Pass: "segment.bytes=1MiB", Break: "kafka.version=3.9 segment.bytes=100KiB"},
		{ID: "segment.ms", Says: "segment.ms is from 10 minutes to a year.", Effect: Changed,
			Bound: &Bound{Key: "segment.ms", Least: int64(10 * calc.Minute), Most: int64(365 * calc.Day)}, Source: redpandaProps,
			Pass: "segment.ms=14d", Break: "segment.ms=1min"},
		{ID: "disk.use", Says: "A quarter of the disk is reserved, and logs may take 80 % of the rest: above that, 60 % of the disk, tiered topics are trimmed in five phases down to the active segment. Partitions are moved from 80 % on, an alert comes with 5 % free, and with less than 5 GiB free all brokers reject what producers send.",
			Ladder: &Ladder{Whose: "broker", Rungs: []Rung{
				{Percent: 60, Effect: Noted, Action: "what is on the disk of tiered topics is trimmed, down to the active segment", Beat: "the use is looked at every 30 s"},
				{Percent: 80, Effect: Advised, Action: "the balancer moves partitions to other brokers"},
				{Percent: 95, Effect: Advised, Action: "an alert says that the disk is nearly full"},
				{Free: 5 * calc.GiB, Effect: Blocked, Action: "all brokers reject what producers send"},
			}}, Source: redpandaProps,
			Pass: "disk=1000GiB retention.bytes=100GiB partitions=3 replication.factor=3", Break: "disk=1000GiB retention.bytes=100GiB partitions=10 replication.factor=3"},
		{ID: "tiered.local", Says: "Local retention is a target: the disk may hold more for as long as there is room (retention_local_strict is false). What is in the open segment is copied each hour.", When: Tiered, Effect: Noted,
			Tier: &Tier{If: IfTiered}, Source: redpandaDisk,
			Pass: "retention.ms=7d", Break: "remote.storage.enable=true retention.ms=7d"},
	},
}

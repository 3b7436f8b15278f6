package provider

import "github.com/partsize/partsize/calc"

var (
	apsaraDeleted = Source{Title: "Alibaba Cloud: When are old messages deleted from ApsaraMQ for Kafka?", URL: "https://www.alibabacloud.com/help/faq-detail/154480.htm", Read: ReadOn, Confidence: ExcerptRead}
	apsaraKept    = Source{Title: "Alibaba Cloud: Why is an expired message retained?", URL: "https://www.alibabacloud.com/help/en/apsaramq-for-kafka/why-is-an-expired-message-retained", Read: ReadOn, Confidence: ExcerptRead}
)

var apsaraMQ = Service{
	ID:   "apsaramq",
	Name: "ApsaraMQ for Kafka",
	Plans: []Plan{
		{ID: "cloud-storage", Name: "with cloud storage"},
		{ID: "local-storage", Name: "with local storage"},
		{ID: "serverless", Name: "Serverless"},
	},
	// 1 GB is taken as 2^30 bytes, Kafka's own default; segment.bytes=1GB asks for the decimal reading.
	Defaults: []calc.Pair{{Key: "retention.ms", Value: "72h"}, {Key: "segment.bytes", Value: "1GiB"}},
	Cleans:   true,
	Rules: []Rule{
		{ID: "retention.ms", Says: "Messages are kept for 24 to 480 hours, 72 when nothing is said. It is the most, and no promise.", Effect: Refused,
			Bound: &Bound{Key: "retention.ms", Least: int64(24 * calc.Hour), Most: int64(480 * calc.Hour)}, Source: apsaraKept,
			Pass: "retention.ms=72h", Break: "retention.ms=30d"},
		{ID: "segment.bytes", Says: "A segment has at most 1 GB, and only closed segments are deleted: a record stays at least until its segment is full, even when it has expired.", Effect: Advised,
			Bound: &Bound{Key: "segment.bytes", Least: noLeast, Most: int64(calc.GiB)}, Source: apsaraKept,
			Pass: "segment.bytes=1GiB", Break: "segment.bytes=1500MiB"},
		{ID: "cloud", Says: "Below 75 % of the disk, expired messages are deleted once a day at 04:00; from 75 % on periodically until less is in use; from 85 % on the oldest messages go whatever their age; from 90 % on nothing can be written. At most 70 % are advised.",
			Plans: []string{"cloud-storage"}, Error: "Queue full",
			Ladder: &Ladder{Whose: "instance", Rungs: []Rung{
				{Percent: 70, Effect: Advised, Action: "the service advises a larger disk"},
				{Percent: 75, Effect: Advised, Action: "expired messages are deleted until less than 75 % is in use", Beat: "periodically; the source does not say how often"},
				{Percent: 85, Effect: Lost, Action: "the oldest messages are deleted, whatever their age", Beat: "at once"},
				{Percent: 90, Effect: Blocked, Action: "nothing can be written"},
			}}, Source: apsaraDeleted,
			Pass: "disk=900GB produce=1MB/s retention.ms=72h", Break: "disk=300GB produce=1MB/s retention.ms=72h"},
		{ID: "local", Says: "Below 83 % of the disk, messages are deleted when they expire; from 83 % on up to 10 % of each partition goes, the oldest first, whatever its age; from 88 % on nothing can be written. At most 70 % are advised.",
			Plans: []string{"local-storage"}, Error: "Queue full",
			Ladder: &Ladder{Whose: "instance", Rungs: []Rung{
				{Percent: 70, Effect: Advised, Action: "the service advises a larger disk"},
				{Percent: 83, Effect: Lost, Action: "up to 10 % of each partition is deleted, the oldest first, whatever its age", Beat: "the source does not say how often"},
				{Percent: 88, Effect: Blocked, Action: "nothing can be written"},
			}}, Source: apsaraDeleted,
			Pass: "plan=local-storage disk=900GB produce=1MB/s retention.ms=72h", Break: "plan=local-storage disk=300GB produce=1MB/s retention.ms=72h"},
	},
}

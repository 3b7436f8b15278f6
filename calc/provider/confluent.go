package provider

var (
	confluentSegment = Source{Title: "ThingsBoard issue with Confluent Cloud's error", URL: "https://github.com/thingsboard/thingsboard/issues/10757", Read: ReadOn, Confidence: ExcerptRead}
	confluentTypes   = Source{Title: "Confluent: cluster types", URL: "https://docs.confluent.io/cloud/current/clusters/cluster-types.html", Read: ReadOn, Confidence: ExcerptRead}
	confluentTopics  = Source{Title: "Confluent: manage topics", URL: "https://docs.confluent.io/cloud/current/topics/manage.html", Read: ReadOn, Confidence: ExcerptRead}
)

// The least segment.ms is not here: it was not read.
var confluentCloud = Service{
	ID:   "confluent-cloud",
	Name: "Confluent Cloud",
	Plans: []Plan{
		{ID: "basic", Name: "Basic"},
		{ID: "standard", Name: "Standard, Enterprise, Dedicated"},
	},
	Rules: []Rule{
		{ID: "segment.bytes", Says: "segment.bytes is 52,428,800 at least.", Effect: Refused, Error: "PolicyViolationException",
			Bound: &Bound{Key: "segment.bytes", Least: 52_428_800, Most: noMost}, Source: confluentSegment,
			Pass: "segment.bytes=52428800", Break: "segment.bytes=26214400"},
		{ID: "delete.retention.ms", Says: "delete.retention.ms is 60,566,400,000 at most.", Effect: Refused,
			Bound: &Bound{Key: "delete.retention.ms", Least: noLeast, Most: 60_566_400_000}, Source: confluentTopics,
			Pass: "delete.retention.ms=1d", Break: "delete.retention.ms=800d"},
		{ID: "cleanup.policy.both", Says: "cleanup.policy cannot go from delete to compact,delete: it goes to compact first.", Effect: Refused,
			Fixed: &Fixed{Key: "cleanup.policy", From: "delete", To: "compact,delete"}, Source: confluentTopics,
			Pass: "was:cleanup.policy=compact cleanup.policy=compact,delete", Break: "was:cleanup.policy=delete cleanup.policy=compact,delete"},
		{ID: "cleanup.policy.compact", Says: "When cleanup.policy goes from delete to compact, records without a key are deleted.", Effect: Lost,
			Fixed: &Fixed{Key: "cleanup.policy", From: "delete", To: "compact"}, Source: confluentTopics,
			Pass: "was:cleanup.policy=compact cleanup.policy=compact", Break: "was:cleanup.policy=delete cleanup.policy=compact"},
		{ID: "basic.storage", Says: "A Basic cluster stores 5 TB, counted before replication; others have no such limit.", Plans: []string{"basic"}, Effect: Refused,
			Bound: &Bound{Key: "stored.total", Least: noLeast, Most: 5_000_000_000_000}, Source: confluentTypes,
			Pass: "retention.bytes=100GiB partitions=10", Break: "retention.bytes=100GiB partitions=60"},
	},
}

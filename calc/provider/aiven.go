package provider

var (
	aivenFull  = Source{Title: "Aiven: prevent full disks", URL: "https://aiven.io/docs/products/kafka/howto/prevent-full-disks", Edition: "aiven-docs 073a07fc", Read: ReadOn, Confidence: PageRead}
	aivenTiers = Source{Title: "Aiven: how tiered storage works", URL: "https://aiven.io/docs/products/kafka/concepts/tiered-storage-how-it-works", Edition: "aiven-docs 073a07fc", Read: ReadOn, Confidence: PageRead}
	aivenGives = Source{Title: "Aiven: limitations of tiered storage", URL: "https://aiven.io/docs/products/kafka/concepts/tiered-storage-limitations", Edition: "aiven-docs 073a07fc", Read: ReadOn, Confidence: PageRead}
)

var aiven = Service{
	ID:   "aiven",
	Name: "Aiven for Apache Kafka",
	Rules: []Rule{
		{ID: "tiered.compact", Says: "A compacted topic cannot be tiered.", When: Tiered, Effect: Refused,
			Bound: &Bound{Key: "cleanup.policy", Least: noLeast, Most: noMost, Without: "compact"}, Source: aivenGives,
			Pass: "remote.storage.enable=true cleanup.policy=delete", Break: "remote.storage.enable=true cleanup.policy=compact"},
		{ID: "tiered.off", Says: "Tiered storage cannot be disabled once it is enabled for a topic.", Effect: Refused,
			Fixed: &Fixed{Key: "remote.storage.enable", May: OnlyUp}, Source: aivenGives,
			Pass: "was:remote.storage.enable=false remote.storage.enable=true", Break: "was:remote.storage.enable=true remote.storage.enable=false"},
		{ID: "disk.use", Says: "Above 90 % of a disk a notice is sent; with any node above 95 % an ACL stops Write, IdempotentWrite and CreateTopics on all nodes.", Error: "error 29, TopicAuthorizationFailed",
			Ladder: &Ladder{Whose: "broker", Rungs: []Rung{
				{Percent: 90, Effect: Advised, Action: "a notice is sent"},
				{Percent: 95, Effect: Blocked, Action: "nothing can be written on any node, nor a topic created"},
			}}, Source: aivenFull,
			Pass: "disk=1TiB retention.bytes=100GiB partitions=3 replication.factor=3", Break: "disk=1TiB retention.bytes=100GiB partitions=12 replication.factor=3"},
		{ID: "tiered.all", Says: "Every closed segment is copied, whatever local retention says, so the remote store holds all of the retention; it is billed by the hourly peak, what is also on the disk included.", When: Tiered, Effect: Noted,
			Tier: &Tier{If: IfTiered}, Source: aivenTiers,
			Pass: "retention.ms=7d", Break: "remote.storage.enable=true retention.ms=7d"},
		{ID: "tiered.slow", Says: "Local data stays until it is copied, and only closed segments are: the disk may hold more than local retention says.", When: Tiered, Effect: Noted,
			Tier: &Tier{If: IfSlow}, Source: aivenTiers,
			Pass: "remote.storage.enable=true retention.ms=7d local.retention.ms=1d produce=1MB/s", Break: "remote.storage.enable=true retention.ms=7d local.retention.ms=1h produce=1kB/s"},
		{ID: "tiered.twice", Says: "With local retention as long as the whole, everything is held twice: on the disk and remotely.", When: Tiered, Effect: Noted,
			Tier: &Tier{If: IfLocalWhole}, Source: aivenTiers,
			Pass: "remote.storage.enable=true retention.ms=7d local.retention.ms=1d", Break: "remote.storage.enable=true retention.ms=7d"},
		{ID: "tiered.raise", Says: "Raising local retention does not bring segments back to the disk.", When: Tiered, Effect: Noted,
			Tier: &Tier{If: IfLocalRaised}, Source: aivenTiers,
			Pass: "was:remote.storage.enable=true was:local.retention.ms=2d remote.storage.enable=true local.retention.ms=1d", Break: "was:remote.storage.enable=true was:local.retention.ms=1d remote.storage.enable=true local.retention.ms=2d"},
	},
}

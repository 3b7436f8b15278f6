package provider

import "github.com/partsize/partsize/calc"

var (
	mskStorage    = Source{Title: "AWS: managing Amazon MSK, storage (agent-toolkit-for-aws)", URL: "https://github.com/aws/agent-toolkit-for-aws", Edition: "managing-amazon-msk/references/manage-storage.md", Read: ReadOn, Confidence: PageRead}
	mskExpand     = Source{Title: "AWS: automatic scaling of an MSK cluster's storage", URL: "https://docs.aws.amazon.com/msk/latest/developerguide/msk-autoexpand-details.html", Read: ReadOn, Confidence: ExcerptRead}
	mskTiered     = Source{Title: "AWS: tiered storage, topic-level configuration", URL: "https://docs.aws.amazon.com/msk/latest/developerguide/msk-guidelines-tiered-storage-topic-level-config.html", Read: ReadOn, Confidence: ExcerptRead}
	mskServerless = Source{Title: "AWS: configuration of MSK Serverless", URL: "https://docs.aws.amazon.com/msk/latest/developerguide/serverless-config.html", Read: ReadOn, Confidence: ExcerptRead}
	mskPractices  = Source{Title: "AWS: best practices for Amazon MSK", URL: "https://docs.aws.amazon.com/msk/latest/developerguide/bestpractices.html", Read: ReadOn, Confidence: ExcerptRead}
)

var amazonMSK = Service{
	ID:   "amazon-msk",
	Name: "Amazon MSK",
	Plans: []Plan{
		{ID: "provisioned", Name: "Provisioned"},
		{ID: "serverless", Name: "Serverless", Defaults: []calc.Pair{{Key: "retention.bytes", Value: "250GiB"}}},
		{ID: "express", Name: "Express"},
	},
	Rules: []Rule{
		{ID: "tiered.retention.ms", Says: "A tiered topic needs retention.ms, of 3 days at least.", Plans: []string{"provisioned"}, When: Tiered, Effect: Refused,
			Bound: &Bound{Key: "retention.ms", Least: int64(3 * calc.Day), Most: noMost}, Source: mskTiered,
			Pass: "remote.storage.enable=true retention.ms=7d local.retention.ms=12h", Break: "remote.storage.enable=true retention.ms=2d"},
		{ID: "tiered.segment.bytes", Says: "A tiered topic's segment.bytes is 48 MiB at least.", Plans: []string{"provisioned"}, When: Tiered, Effect: Refused,
			Bound: &Bound{Key: "segment.bytes", Least: int64(48 * calc.MiB), Most: noMost}, Source: mskTiered,
			Pass: "remote.storage.enable=true segment.bytes=128MiB", Break: "remote.storage.enable=true segment.bytes=32MiB"},
		{ID: "tiered.segment.ms", Says: "A tiered topic's segment.ms is 10 minutes at least.", Plans: []string{"provisioned"}, When: Tiered, Effect: Refused,
			Bound: &Bound{Key: "segment.ms", Least: int64(10 * calc.Minute), Most: noMost}, Source: mskTiered,
			Pass: "remote.storage.enable=true segment.ms=1h", Break: "remote.storage.enable=true segment.ms=5min"},
		{ID: "tiered.compact", Says: "A compacted topic cannot be tiered.", Plans: []string{"provisioned"}, When: Tiered, Effect: Refused,
			Bound: &Bound{Key: "cleanup.policy", Least: noLeast, Most: noMost, Without: "compact"}, Source: mskTiered,
			Pass: "remote.storage.enable=true cleanup.policy=delete", Break: "remote.storage.enable=true cleanup.policy=compact"},
		{ID: "tiered.off", Says: "Once tiered storage is off for a topic, it cannot be enabled for it again.", Plans: []string{"provisioned"}, Effect: Advised,
			Fixed: &Fixed{Key: "remote.storage.enable", May: OnlyUp}, Source: mskTiered,
			Pass: "was:remote.storage.enable=false remote.storage.enable=true", Break: "was:remote.storage.enable=true remote.storage.enable=false"},
		{ID: "tiered.closed", Says: "Only closed segments are tiered, and they are at once: the remote copy holds all of the retention, and the disk as much as local retention says in addition.", Plans: []string{"provisioned"}, When: Tiered, Effect: Noted,
			Tier: &Tier{If: IfSlow}, Source: mskTiered,
			Pass: "remote.storage.enable=true retention.ms=7d local.retention.ms=12h produce=1MB/s", Break: "remote.storage.enable=true retention.ms=7d local.retention.ms=12h produce=1kB/s"},
		{ID: "serverless.segment.bytes", Says: "segment.bytes cannot be set.", Plans: []string{"serverless"}, Effect: Refused,
			Fixed: &Fixed{Key: "segment.bytes", Unset: true}, Source: mskServerless,
			Pass: "plan=serverless retention.ms=7d", Break: "plan=serverless segment.bytes=1GiB"},
		{ID: "express.replicas", Says: "replication.factor is 3 and cannot be chosen; there is no disk to manage.", Plans: []string{"express"}, Effect: Refused,
			Fixed: &Fixed{Key: "replication.factor", Value: "3"}, Source: mskStorage,
			Pass: "plan=express replication.factor=3", Break: "plan=express replication.factor=2"},
		{ID: "disk", Says: "A broker's disk has 1 GiB to 16 TiB.", Plans: []string{"provisioned"}, Effect: Refused,
			Bound: &Bound{Key: "disk", Least: int64(calc.GiB), Most: int64(16 * calc.TiB)}, Source: mskStorage,
			Pass: "disk=1TiB", Break: "disk=20TiB"},
		{ID: "disk.shrink", Says: "A disk cannot be made smaller; after a change 6 hours pass before the next, and it takes up to 24 hours.", Plans: []string{"provisioned"}, Effect: Refused,
			Fixed: &Fixed{Key: "disk", May: OnlyUp}, Source: mskStorage,
			Pass: "was:disk=1TiB disk=2TiB partitions=1", Break: "was:disk=2TiB disk=1TiB partitions=1"},
		{ID: "growth", Says: "A disk that grows by itself grows by 10 % or 10 GiB, whichever is more, once in 6 hours at most, from a use of 10 to 80 % on, as chosen, up to 16 TiB; the use is looked at each minute. 50 to 60 % are advised.",
			Plans: []string{"provisioned"}, Effect: Outgrown,
			Staircase: &Staircase{Least: 10 * calc.GiB, Percent: 10, CoolDown: 6 * calc.Hour, Look: calc.Minute, From: 10, To: 80, Target: 60, Most: 16 * calc.TiB}, Source: mskExpand,
			Pass: "disk=1000GiB auto.scaling.target=60 produce=1MiB/s partitions=4 retention.ms=7d", Break: "disk=1000GiB auto.scaling.target=60 produce=10MiB/s partitions=4 retention.ms=7d"},
		{ID: "disk.use", Says: "An alarm at 85 % of KafkaDataLogsDiskUsed is advised, and alerts at 60 and 80 %.", Plans: []string{"provisioned"},
			Ladder: &Ladder{Whose: "broker", Rungs: []Rung{
				{Percent: 60, Effect: Noted, Action: "a first alert of your own is advised"},
				{Percent: 80, Effect: Advised, Action: "a second alert of your own is advised"},
				{Percent: 85, Effect: Advised, Action: "the alarm on KafkaDataLogsDiskUsed is advised"},
			}}, Source: mskStorage,
			Pass: "disk=1TiB retention.bytes=100GiB partitions=3", Break: "disk=1TiB retention.bytes=300GiB partitions=9"},
		{ID: "partitions.small", Says: "On brokers of size t3.small at most 300 replicas of partitions each are advised.", Plans: []string{"provisioned"}, If: calc.Pair{Key: "broker.size", Value: "small"}, Effect: Advised,
			Bound: &Bound{Key: "partitions.broker", Least: noLeast, Most: 300}, Source: mskPractices,
			Pass: "broker.size=small partitions=300", Break: "broker.size=small replication.factor=3 partitions=301"},
		{ID: "partitions.large", Says: "On brokers of size m5 and m7g large and xlarge at most 1000 replicas of partitions each are advised.", Plans: []string{"provisioned"}, If: calc.Pair{Key: "broker.size", Value: "large"}, Effect: Advised,
			Bound: &Bound{Key: "partitions.broker", Least: noLeast, Most: 1000}, Source: mskPractices,
			Pass: "broker.size=large partitions=1000", Break: "broker.size=large replication.factor=3 partitions=1001"},
		{ID: "partitions.2xlarge", Says: "On brokers of size 2xlarge at most 2000 replicas of partitions each are advised.", Plans: []string{"provisioned"}, If: calc.Pair{Key: "broker.size", Value: "2xlarge"}, Effect: Advised,
			Bound: &Bound{Key: "partitions.broker", Least: noLeast, Most: 2000}, Source: mskPractices,
			Pass: "broker.size=2xlarge partitions=2000", Break: "broker.size=2xlarge replication.factor=3 partitions=2001"},
		{ID: "partitions.4xlarge", Says: "On brokers of size 4xlarge and larger at most 4000 replicas of partitions each are advised.", Plans: []string{"provisioned"}, If: calc.Pair{Key: "broker.size", Value: "4xlarge"}, Effect: Advised,
			Bound: &Bound{Key: "partitions.broker", Least: noLeast, Most: 4000}, Source: mskPractices,
			Pass: "broker.size=4xlarge partitions=4000", Break: "broker.size=4xlarge replication.factor=3 partitions=4001"},
	},
}

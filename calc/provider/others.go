package provider

import "github.com/partsize/partsize/calc"

// Services of which a few rules were read. Each is a variable of its own, and becomes a file when it grows.

var googleDisk = Source{Title: "Google Cloud: configure the disk size of brokers", URL: "https://docs.cloud.google.com/managed-service-for-apache-kafka/docs/brokers/configure-disk-size", Read: ReadOn, Confidence: ExcerptRead}

var googleKafka = Service{
	ID:   "google-managed-kafka",
	Name: "Google Cloud Managed Service for Apache Kafka",
	Rules: []Rule{
		{ID: "disk", Says: "There are 100 GiB of local disk at least for each vCPU; they are not lowered when vCPUs are.", Effect: Refused,
			Bound: &Bound{Key: "disk.vcpu", Least: int64(100 * calc.GiB), Most: noMost}, Source: googleDisk,
			Pass: "disk=400GiB brokers=3 vcpus=12", Break: "disk=200GiB brokers=3 vcpus=12"},
		{ID: "compact", Says: "Topics are always tiered, but compacted ones are on the local disk alone.", When: Compacting, Effect: Noted,
			Bound: &Bound{Key: "cleanup.policy", Least: noLeast, Most: noMost, Without: "compact"}, Source: googleDisk,
			Pass: "cleanup.policy=delete", Break: "cleanup.policy=compact"},
	},
}

var ociLimits = Source{Title: "Oracle: limits on streaming resources", URL: "https://docs.oracle.com/iaas/Content/Streaming/Concepts/streamingoverview_topic-Limits_on_Streaming_Resources.htm", Read: ReadOn, Confidence: ExcerptRead}
var ociLimitsUnclear = Source{Title: "Oracle: limits on streaming resources", URL: "https://docs.oracle.com/iaas/Content/Streaming/Concepts/streamingoverview_topic-Limits_on_Streaming_Resources.htm", Read: ReadOn, Confidence: Unverified}

var ociStreaming = Service{
	ID:       "oci-streaming",
	Name:     "OCI Streaming",
	Defaults: []calc.Pair{{Key: "retention.ms", Value: "24h"}},
	Rules: []Rule{
		{ID: "retention.ms", Says: "Records are kept for 24 hours to 7 days.", Effect: Refused,
			Bound: &Bound{Key: "retention.ms", Least: int64(calc.Day), Most: int64(7 * calc.Day)}, Source: ociLimits,
			Pass: "retention.ms=3d", Break: "retention.ms=30d"},
		{ID: "retention.change", Says: "The retention of a stream cannot be changed.", Effect: Refused,
			Fixed: &Fixed{Key: "retention.ms"}, Source: ociLimits,
			Pass: "was:retention.ms=3d retention.ms=3d", Break: "was:retention.ms=3d retention.ms=5d"},
		{ID: "partitions.change", Says: "The number of a stream's partitions cannot be changed.", Effect: Refused,
			Fixed: &Fixed{Key: "partitions"}, Source: ociLimits,
			Pass: "was:partitions=3 partitions=3", Break: "was:partitions=3 partitions=6"},
		{ID: "partitions", Says: "A tenancy has 200 partitions at most; some have fewer.", Effect: Refused,
			Bound: &Bound{Key: "partitions.total", Least: noLeast, Most: 200}, Source: ociLimitsUnclear, Doubt: "editions of the page say 200, 50 and 15, and it can be raised on request",
			Pass: "partitions=200", Break: "partitions=201"},
		{ID: "traffic", Says: "1 MB/s comes to each partition at most.", Effect: Slowed,
			Bound: &Bound{Key: "traffic.partition", Least: noLeast, Most: mb}, Source: ociLimits,
			Pass: "produce=500kB/s retention.ms=24h", Break: "produce=2MB/s retention.ms=24h"},
		{ID: "max.message.bytes", Says: "A message has 1 MB at most.", Effect: Refused,
			Bound: &Bound{Key: "max.message.bytes", Least: noLeast, Most: int64(calc.MiB) + 64}, Source: ociLimitsUnclear, Doubt: "the page does not say whether 1 MB is 10⁶ or 2²⁰ bytes; the larger is taken",
			Pass: "max.message.bytes=1000000", Break: "max.message.bytes=2MiB"},
	},
}

var instaclustrTiered = Source{Title: "Instaclustr: using Kafka tiered storage", URL: "https://www.instaclustr.com/support/documentation/kafka-add-ons/using-kafka-tiered-storage/", Read: ReadOn, Confidence: ExcerptRead}

// No rule about the use of disks was found.
var instaclustr = Service{
	ID:   "instaclustr",
	Name: "Instaclustr for Apache Kafka",
	Rules: []Rule{
		{ID: "tiered", Says: "Tiered storage takes Kafka 3.9.1 or later, production nodes, and a bucket in an account of your own in the same cloud; on Google Cloud it is a preview.", When: Tiered, Effect: Noted,
			Tier: &Tier{If: IfTiered}, Source: instaclustrTiered,
			Pass: "retention.ms=7d", Break: "remote.storage.enable=true retention.ms=7d"},
	},
}

var (
	strimziStorage = Source{Title: "Strimzi: Kafka storage", URL: "https://strimzi.io/docs/operators/latest/deploying", Edition: "operator 8541da1", Read: ReadOn, Confidence: PageRead}
	strimziQuotas  = Source{Title: "Red Hat: setting limits on brokers with the quotas plugin", URL: "https://docs.redhat.com/ko/documentation/red_hat_streams_for_apache_kafka/2.9/html/using_streams_for_apache_kafka_on_rhel_with_zookeeper/proc-setting-broker-limits-str", Read: ReadOn, Confidence: ExcerptRead}
)

var strimzi = Service{
	ID:    "strimzi",
	Name:  "Strimzi",
	Fills: true,
	Rules: []Rule{
		{ID: "volume.shrink", Says: "A volume can be made larger, not smaller; the brokers are restarted one by one.", Effect: Refused,
			Fixed: &Fixed{Key: "disk", May: OnlyUp}, Source: strimziStorage,
			Pass: "was:disk=20GiB disk=40GiB partitions=1", Break: "was:disk=40GiB disk=20GiB partitions=1"},
		{ID: "quotas", Says: "With the quotas plugin producers are throttled when a volume of any broker has less free than min.free, which is chosen.", Effect: Slowed,
			Ladder: &Ladder{Whose: "volume", Rungs: []Rung{{FreeOption: "min.free", Effect: Slowed, Action: "producers are throttled, on all brokers"}}}, Source: strimziQuotas,
			Pass: "min.free=5GiB disk=100GiB retention.bytes=10GiB partitions=3", Break: "min.free=5GiB disk=100GiB retention.bytes=100GiB partitions=3"},
	},
}

var hdInsightDisks = Source{Title: "Microsoft: HDInsight Kafka disks cannot be added after creation", URL: "https://github.com/MicrosoftDocs/azure-docs/issues/82123", Read: ReadOn, Confidence: ExcerptRead}

var hdInsight = Service{
	ID:   "hdinsight",
	Name: "Azure HDInsight Kafka",
	Rules: []Rule{
		{ID: "disk.change", Says: "Disks cannot be added or enlarged after the cluster is made.", Effect: Refused,
			Fixed: &Fixed{Key: "disk"}, Source: hdInsightDisks,
			Pass: "was:disk=1TiB disk=1TiB partitions=1", Break: "was:disk=1TiB disk=2TiB partitions=1"},
		{ID: "disk.use", Says: "Ambari alerts from 60 % of a disk on.",
			Ladder: &Ladder{Whose: "broker", Rungs: []Rung{{Percent: 60, Effect: Advised, Action: "Ambari alerts"}}}, Source: hdInsightDisks,
			Pass: "disk=1TiB retention.bytes=100GiB partitions=3", Break: "disk=1TiB retention.bytes=300GiB partitions=9"},
	},
}

var (
	huaweiFull    = Source{Title: "Huawei Cloud: which capacity threshold policy should I use?", URL: "https://support.huaweicloud.com/eu/kafka_faq/kafka-faq-200426007.html", Read: ReadOn, Confidence: ExcerptRead}
	huaweiSegment = Source{Title: "Huawei Cloud: why is the disk full although messages are deleted?", URL: "https://support.huaweicloud.com/eu/kafka_faq/kafka-faq-0070.html", Read: ReadOn, Confidence: ExcerptRead}
)

// segment500 is Huawei's 500 MB of a segment, taken as decimal, with which the page's own figures come out.
const segment500 calc.Bytes = 500_000_000

var huaweiDMS = Service{
	ID:       "huawei-dms",
	Name:     "Huawei Cloud DMS for Kafka",
	Defaults: []calc.Pair{{Key: "retention.ms", Value: "72h"}},
	Rules: []Rule{
		{ID: "segments", Says: "Segments have 500 MB, one of each partition is never deleted, and 33 GB of a node are taken by the service: with enough partitions a disk fills with what cannot be deleted, 66 GB with 132 of them.", Effect: Blocked,
			Reservation: &Reservation{Segments: 1, Segment: segment500, Copies: true, Of: "disk", Less: 33_000_000_000, Percent: 100}, Source: huaweiSegment,
			Pass: "disk=99GB brokers=1 partitions=132 replication.factor=1", Break: "disk=99GB brokers=1 partitions=133 replication.factor=1"},
		{ID: "disk.use", Says: "At 95 % of the disk the oldest 10 % of the messages are deleted, or producers are stopped, as was chosen.",
			Ladder: &Ladder{Whose: "broker", Rungs: []Rung{{Percent: 95, Effect: Lost, Action: "the oldest 10 % of the messages are deleted, or producers are stopped, as was chosen"}}}, Source: huaweiFull,
			Pass: "disk=1TiB retention.bytes=100GiB partitions=3", Break: "disk=1TiB retention.bytes=400GiB partitions=9"},
	},
}

var (
	tencentDynamic = Source{Title: "Tencent Cloud: CKafka dynamic message retention", URL: "https://intl.cloud.tencent.com/document/product/597/40211", Read: ReadOn, Confidence: ExcerptRead}
	tencentTopics  = Source{Title: "Tencent Cloud: CKafka topics", URL: "https://intl.cloud.tencent.com/document/product/597/47584", Read: ReadOn, Confidence: ExcerptRead}
)

var tencentCKafka = Service{
	ID:       "tencent-ckafka",
	Name:     "Tencent Cloud CKafka",
	Defaults: []calc.Pair{{Key: "retention.ms", Value: "3d"}, {Key: "replication.factor", Value: "2"}},
	Rules: []Rule{
		{ID: "retention.ms", Says: "Messages are kept for a minute to 90 days, 3 days when nothing is said.", Effect: Refused,
			Bound: &Bound{Key: "retention.ms", Least: int64(calc.Minute), Most: int64(90 * calc.Day)}, Source: tencentTopics,
			Pass: "retention.ms=3d", Break: "retention.ms=100d"},
		{ID: "disk.use", Says: "With dynamic retention, the time of retention is cut by 10 % when 90 % of the disk are in use; the disk may grow by itself instead.",
			Ladder: &Ladder{Whose: "broker", Rungs: []Rung{{Percent: 90, Effect: Lost, Action: "the time of retention is cut by 10 %"}}}, Source: tencentDynamic,
			Pass: "disk=1TiB retention.bytes=100GiB partitions=3", Break: "disk=1TiB retention.bytes=400GiB partitions=9"},
	},
}

var yandexStorage = Source{Title: "Yandex Cloud: storage in Managed Service for Apache Kafka", URL: "https://yandex.cloud/en/docs/managed-kafka/concepts/storage", Edition: "an old version", Read: ReadOn, Confidence: PageRead}

// There is a read-only mode, too; from which use on was not found.
var yandexKafka = Service{
	ID:    "yandex",
	Name:  "Yandex Managed Service for Apache Kafka",
	Fills: true,
	Rules: []Rule{
		{ID: "storage", Says: "A topic is created only if the storage holds two segments of every replica of its partitions.", Effect: Refused,
			Reservation: &Reservation{Segments: 2, Copies: true, Of: "disk", Percent: 100}, Source: yandexStorage,
			Pass: "disk=100GiB partitions=10 replication.factor=3", Break: "disk=100GiB partitions=100 replication.factor=3"},
	},
}

var selectelDisk = Source{Title: "Selectel: monitoring of Kafka clusters", URL: "https://docs.selectel.ru/en/cloud/managed-databases/kafka/monitoring/", Read: ReadOn, Confidence: ExcerptRead}

var selectel = Service{
	ID:   "selectel",
	Name: "Selectel Managed Kafka",
	Rules: []Rule{
		{ID: "disk.use", Says: "At 80 % of the disk a mail is sent; from 95 % on the cluster is read-only, DISK_FULL.", Error: "DISK_FULL",
			Ladder: &Ladder{Whose: "broker", Rungs: []Rung{
				{Percent: 80, Effect: Advised, Action: "a mail is sent"},
				{Percent: 95, Effect: Blocked, Action: "the cluster is read-only, DISK_FULL"},
			}}, Source: selectelDisk,
			Pass: "disk=1TiB retention.bytes=100GiB partitions=3", Break: "disk=1TiB retention.bytes=400GiB partitions=9"},
	},
}

var doubleCloudGrows = Source{Title: "DoubleCloud: storage autoscaling", URL: "https://double.cloud/docs/managed-kafka/concepts/autoscaling", Read: ReadOn, Confidence: ExcerptRead}

// By how much the disks grow was not found.
var doubleCloud = Service{
	ID:   "doublecloud",
	Name: "DoubleCloud Managed Kafka",
	Rules: []Rule{
		{ID: "disk.use", Says: "When a host's disk reaches 95 %, the disks of all hosts grow, 6 hours apart at least.",
			Ladder: &Ladder{Whose: "broker", Rungs: []Rung{{Percent: 95, Effect: Noted, Action: "the disks of all hosts grow", Beat: "6 hours apart at least"}}}, Source: doubleCloudGrows,
			Pass: "disk=1TiB retention.bytes=100GiB partitions=3", Break: "disk=1TiB retention.bytes=400GiB partitions=9"},
	},
}

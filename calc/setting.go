package calc

import (
	"iter"
	"math"
	"slices"
	"strings"
)

// Kind is how a setting's text is read.
type Kind uint8

// The kinds of settings.
const (
	KindSize     Kind = iota + 1 // [ParseBytes]
	KindDuration                 // [ParseMillis]
	KindShift                    // a duration that may have a sign
	KindCount                    // a plain whole number
	KindFlag                     // true or false
	KindWord                     // one of Words
	KindWords                    // any of Words with commas between, or nothing
	KindRate                     // [ParseRate]
	KindRatio                    // [ParseRatio]
	KindFraction                 // 0 to 1, with up to 9 digits after the point
	KindVersion                  // [ParseVersion]
	KindLength                   // a size or null
	KindHeaders                  // lengths of record headers: key:value, key:value, …
	KindWeights                  // percents with commas between
	KindPercent                  // a percent that may have a sign
	KindSeries                   // times and rates: 0:1MiB/s, 1h:2MiB/s, …
	KindSteps                    // things that happen: 5d retention.ms=1h; 6d restart 60s
	KindText                     // anything
)

var kindNouns = [...]string{
	KindSize: "size", KindDuration: "duration", KindShift: "signed duration", KindCount: "number", KindFlag: "true or false",
	KindWord: "word", KindWords: "list of words", KindRate: "rate", KindRatio: "ratio", KindFraction: "fraction",
	KindVersion: "version", KindLength: "size or null", KindHeaders: "headers", KindWeights: "percents",
	KindPercent: "percent", KindSeries: "times and rates", KindSteps: "steps", KindText: "text",
}

// String is a noun for what the kind holds.
func (k Kind) String() string { return kindNouns[k] }

// Group is a heading under which settings are shown. Groups come in the order of the table.
type Group string

// The groups.
const (
	Traffic    Group = "Traffic"
	Records    Group = "Records and batches"
	Retaining  Group = "Retention"
	Segmenting Group = "Segments"
	Timestamps Group = "Timestamps"
	Brokers    Group = "Broker"
	Tiering    Group = "Tiered storage"
	Compacting Group = "Compaction"
	NoEffect   Group = "No effect on size"
	Scenarios  Group = "Scenario"
)

// Setting is a row of the table of settings.
type Setting struct {
	Key      string    // Kafka's topic key; for broker-only and producer settings Kafka's key there; else the model's own
	Label    string    // a few plain words
	Group    Group     //
	Kind     Kind      //
	Default  string    // text as one would write it, as of the latest version; "" is nothing
	Min, Max int64     // bounds in the kind's unit (bytes, milliseconds, plain), as of the latest version
	Words    []string  // what a KindWord or KindWords takes
	Names    []Named   // words that stand for a number
	Older    []Older   // earlier versions in which Default or Min is another, oldest first
	Inherits []Synonym // the broker's keys, the first that is given wins
	Since    Version   // first version with the setting; 0: all
	Until    Version   // first version without it; 0: none
	Own      bool      // the key is the model's own, not Kafka's
	Broker   bool      // Kafka knows the key as a broker's only
	Doc      string    // a sentence or two
	Source   string    // Kafka's class, KIP, or the section of the rules
	Followed bool      // the model follows it
	Why      string    // if not: why
}

// Named is a word for a number.
type Named struct {
	Word  string
	Value int64
}

// Older is what holds in versions before one.
type Older struct {
	Before  Version
	Default string
	Min     int64
}

// Synonym is a broker's setting from which a topic's setting takes its value when it has none of its own.
type Synonym struct {
	Key       string
	Unit      int64   // what its plain number counts, in the unit of the topic's setting: 3,600,000 for .hours
	Max       int64   // of the plain number
	Min       int64   // of the plain number, from version MinSince on
	MinSince  Version //
	Retention bool    // any negative number means unlimited, and 0 is refused
}

const (
	maxInt  = math.MaxInt32
	maxLong = math.MaxInt64
	century = 100 * 365 * int64(Day)
)

const longMax = "9223372036854775807"

var unlimited = []Named{{"unlimited", Unlimited}, {"infinite", Unlimited}, {"forever", Unlimited}}

var unlimitedMax = []Named{{"unlimited", maxLong}, {"never", maxLong}}

// same is a synonym that counts in the same unit.
func same(key string, most int64) []Synonym { return []Synonym{{Key: key, Unit: 1, Max: most}} }

const (
	whyCompaction = "the log cleaner is not simulated"
	whyCleaner    = "the log cleaner is not simulated; it counts in the worst case of a compacted log alone"
	whyRemote     = "what is in the remote store when tiered storage is switched off is not simulated"
	whyRatio      = "how far records compress is compression.ratio"
	whyNoEffect   = "it has no effect on the size of the log"
)

// settings is the table. Everything that is known about a setting is in its row.
var settings = []Setting{
	// What is asked
	{Key: "kafka.version", Label: "Kafka version", Group: Scenarios, Kind: KindVersion, Default: "4.3", Own: true, Followed: true,
		Doc: "The release of Apache Kafka, 2.8 to 4.4, as in 4.3 or 4.3.1. A release line without a patch is its last patch.", Source: "rules 12"},
	{Key: "horizon", Label: "Simulated time", Group: Scenarios, Kind: KindDuration, Default: "30d", Min: 1, Max: century, Own: true, Followed: true,
		Doc: "How long the log is played.", Source: "model"},
	{Key: "partitions", Label: "Partitions", Group: Scenarios, Kind: KindCount, Default: "1", Min: 1, Max: 1_000_000, Own: true, Followed: true,
		Inherits: same("num.partitions", maxInt), Doc: "Partitions like this one. The rates are those of one partition.", Source: "ServerLogConfigs"},
	{Key: "replication.factor", Label: "Replicas of each", Group: Scenarios, Kind: KindCount, Default: "1", Min: 1, Max: 32767, Own: true, Followed: true,
		Inherits: same("default.replication.factor", 32767), Doc: "Replicas of each partition, the leader counted.", Source: "ReplicationConfigs"},
	{Key: "disk", Label: "Size of the disk", Group: Scenarios, Kind: KindSize, Default: "unlimited", Min: 1, Max: maxLong, Names: unlimitedMax[:1], Own: true, Followed: true,
		Doc: "When will it be full? It holds one replica of each of the partitions; give what the file system has, or what is free on it for them.", Source: "model"},

	// Traffic
	{Key: "produce", Label: "Traffic of the partition", Group: Traffic, Kind: KindRate, Default: "1MiB/s", Max: 1 << 40, Own: true, Followed: true,
		Doc:    "Bytes of record batches as they are appended, as the broker's BytesInPerSec counts them, or records a second.",
		Source: "BrokerTopicMetrics"},
	{Key: "produce.daily", Label: "Curve over the day", Group: Traffic, Kind: KindWeights, Default: "100", Own: true, Followed: true,
		Doc: "Percents of the rate, for equal parts of a day from the start: 24 are hours, 4 are 6 hours each.", Source: "model"},
	{Key: "produce.weekly", Label: "Curve over the week", Group: Traffic, Kind: KindWeights, Default: "100", Own: true, Followed: true,
		Doc: "Percents of the rate for each of seven days from the start.", Source: "model"},
	{Key: "produce.growth", Label: "Growth a month", Group: Traffic, Kind: KindPercent, Default: "0%", Min: -9999, Max: 100_000, Own: true, Followed: true,
		Doc: "Growth of the rate every 30 days, on top of what has grown before; even between.", Source: "model"},
	{Key: "produce.start", Label: "First record after", Group: Traffic, Kind: KindDuration, Default: "0", Max: century, Own: true, Followed: true,
		Doc: "When the producers begin.", Source: "model"},
	{Key: "produce.stop", Label: "No records after", Group: Traffic, Kind: KindDuration, Default: "never", Max: maxLong, Names: []Named{{"never", maxLong}}, Own: true, Followed: true,
		Doc: "When the producers stop.", Source: "model"},
	{Key: "produce.series", Label: "Measured traffic", Group: Traffic, Kind: KindSeries, Own: true, Followed: true,
		Doc: "Times and the rate from each on, as in 0:1MiB/s,1h:2MiB/s. Takes the place of produce and its curves.", Source: "model"},
	{Key: "burst.rate", Label: "Added in a burst", Group: Traffic, Kind: KindRate, Default: "0/s", Max: 1 << 40, Own: true, Followed: true,
		Doc: "Traffic that comes on top of produce while a burst lasts.", Source: "model"},
	{Key: "burst.every", Label: "A burst every", Group: Traffic, Kind: KindDuration, Default: "1d", Min: 1, Max: maxLong, Names: []Named{{"never", maxLong}}, Own: true, Followed: true,
		Doc: "From the start of a burst to the start of the next; never: one burst only.", Source: "model"},
	{Key: "burst.for", Label: "A burst lasts", Group: Traffic, Kind: KindDuration, Default: "1h", Min: 1, Max: century, Own: true, Followed: true,
		Doc: "How long a burst lasts.", Source: "model"},
	{Key: "burst.start", Label: "First burst after", Group: Traffic, Kind: KindDuration, Default: "0", Max: century, Own: true, Followed: true,
		Doc: "When the first burst begins.", Source: "model"},
	{Key: "backlog", Label: "Backlog at the start", Group: Traffic, Kind: KindSize, Default: "0", Max: maxLong, Own: true, Followed: true,
		Doc: "Bytes of record batches that are appended first, before produce begins: a copy of another log, or what producers held back.", Source: "model"},
	{Key: "backlog.rate", Label: "Backlog comes at", Group: Traffic, Kind: KindRate, Default: "100MiB/s", Max: 1 << 40, Own: true, Followed: true,
		Doc: "How fast the backlog is appended.", Source: "model"},
	{Key: "backlog.age", Label: "Age of the backlog", Group: Traffic, Kind: KindDuration, Default: "0", Max: century / 2, Own: true, Followed: true,
		Doc: "How old the first record of the backlog is; timestamps advance evenly from there to the clock.", Source: "model"},

	// Records
	{Key: "record.key", Label: "Key", Group: Records, Kind: KindLength, Default: "null", Min: -1, Max: maxInt, Own: true, Followed: true,
		Doc: "Bytes of a record's key, or null.", Source: "DefaultRecord; rules 1.3"},
	{Key: "record.value", Label: "Value", Group: Records, Kind: KindLength, Default: "1KiB", Min: -1, Max: maxInt, Own: true, Followed: true,
		Doc: "Bytes of a record's value before compression, or null.", Source: "DefaultRecord; rules 1.3"},
	{Key: "record.headers", Label: "Headers", Group: Records, Kind: KindHeaders, Own: true, Followed: true,
		Doc: "Lengths of key and value of each header, as in 8:16,12:null or 3x10:20; nothing: none.", Source: "DefaultRecord; rules 1.3"},
	{Key: "batch.records", Label: "Records in a batch", Group: Records, Kind: KindCount, Default: "0", Max: maxInt, Own: true, Followed: true,
		Doc: "Records in each batch; 0: what batch.size, linger.ms, the rate and the producers make of it.", Source: "rules 1.7"},
	{Key: "batch.size", Label: "Producer's batch.size", Group: Records, Kind: KindSize, Default: "16384", Max: maxInt, Followed: true,
		Doc: "How large a producer lets a batch become.", Source: "ProducerConfig; rules 1.7"},
	{Key: "linger.ms", Label: "Producer's linger.ms", Group: Records, Kind: KindDuration, Default: "5", Max: maxLong, Older: []Older{{V4_0, "0", 0}}, Followed: true,
		Doc: "How long a producer waits for a batch to fill.", Source: "ProducerConfig; KIP-1030; rules 1.7"},
	{Key: "producers", Label: "Producers", Group: Records, Kind: KindCount, Default: "1", Min: 1, Max: 10_000, Own: true, Followed: true,
		Doc: "Producers that share the traffic of this partition evenly.", Source: "rules 1.7, 3.6"},
	{Key: "enable.idempotence", Label: "Idempotent producers", Group: Records, Kind: KindFlag, Default: "true", Older: []Older{{V3_0, "false", 0}}, Followed: true,
		Doc: "Idempotent producers are remembered in the .snapshot files, 46 bytes each.", Source: "ProducerConfig; KIP-679; rules 3.6"},
	{Key: "compression.ratio", Label: "Compressed to", Group: Records, Kind: KindRatio, Default: "1", Own: true, Followed: true,
		Doc: "Bytes of a batch's records after compression to before: 0.25, 25% and 4:1 are the same. The header of a batch is never compressed.", Source: "rules 1.6"},

	// Retention
	{Key: "cleanup.policy", Label: "Cleanup policy", Group: Retaining, Kind: KindWords, Default: "delete", Words: []string{"delete", "compact"}, Inherits: same("log.cleanup.policy", 0), Followed: true,
		Doc: "delete, compact, or both.", Source: "LogConfig; rules 4.1"},
	{Key: "retention.ms", Label: "Keep for", Group: Retaining, Kind: KindDuration, Default: "7d", Min: -1, Max: maxLong, Names: unlimited, Followed: true,
		Inherits: []Synonym{
			{Key: "log.retention.ms", Unit: 1, Max: maxLong, Retention: true},
			{Key: "log.retention.minutes", Unit: int64(Minute), Max: maxInt, Retention: true},
			{Key: "log.retention.hours", Unit: int64(Hour), Max: maxInt, Retention: true}},
		Doc: "A segment goes when its newest record is older; −1: never.", Source: "LogConfig, UnifiedLog.deleteRetentionMsBreachedSegments; rules 4.3"},
	{Key: "retention.bytes", Label: "Keep at most", Group: Retaining, Kind: KindSize, Default: "-1", Min: math.MinInt64, Max: maxLong, Names: unlimited, Inherits: same("log.retention.bytes", maxLong), Followed: true,
		Doc: "Oldest segments go while that leaves at least so many bytes; −1: no limit. Of one partition's replica.", Source: "LogConfig, UnifiedLog.deleteRetentionSizeBreachedSegments; rules 4.3"},
	{Key: "file.delete.delay.ms", Label: "Files go after", Group: Retaining, Kind: KindDuration, Default: "1min", Max: maxLong, Inherits: same("log.segment.delete.delay.ms", maxLong), Followed: true,
		Doc: "How long the files of a deleted segment stay on disk.", Source: "LogConfig, LocalLog.deleteSegmentFiles; rules 5"},

	// Segments
	{Key: "segment.bytes", Label: "Segment size", Group: Segmenting, Kind: KindSize, Default: "1GiB", Min: 1 << 20, Max: maxInt, Older: []Older{{V4_1, "1GiB", 14}}, Followed: true,
		Inherits: []Synonym{{Key: "log.segment.bytes", Unit: 1, Max: maxInt, Min: 1 << 20, MinSince: V4_0}},
		Doc:      "A segment rolls before it would become larger.", Source: "LogConfig, LogSegment.shouldRoll; KIP-1030; rules 2"},
	{Key: "segment.ms", Label: "Segment lasts", Group: Segmenting, Kind: KindDuration, Default: "7d", Min: 1, Max: maxLong, Followed: true,
		Inherits: []Synonym{{Key: "log.roll.ms", Unit: 1, Max: maxLong, Min: 1}, {Key: "log.roll.hours", Unit: int64(Hour), Max: maxInt, Min: 1}},
		Doc:      "A segment rolls at the first record that is later than its first one by more.", Source: "LogConfig, LogSegment.timeWaitedForRoll; rules 2.1"},
	{Key: "segment.jitter.ms", Label: "Jitter of segment.ms", Group: Segmenting, Kind: KindDuration, Default: "0", Max: maxLong, Followed: true,
		Inherits: []Synonym{{Key: "log.roll.jitter.ms", Unit: 1, Max: maxLong}, {Key: "log.roll.jitter.hours", Unit: int64(Hour), Max: maxInt}},
		Doc:      "Each segment lasts shorter by a random part of it.", Source: "LogConfig.randomSegmentJitter; rules 2.3"},
	{Key: "segment.index.bytes", Label: "Index size", Group: Segmenting, Kind: KindSize, Default: "10MiB", Min: 12, Max: maxInt, Inherits: same("log.index.size.max.bytes", maxInt), Followed: true,
		Doc: "Length of each index file of the active segment; a full index rolls the segment.", Source: "LogConfig, AbstractIndex; rules 2.7, 3.2"},
	{Key: "index.interval.bytes", Label: "Bytes between index entries", Group: Segmenting, Kind: KindSize, Default: "4096", Max: maxInt, Inherits: same("log.index.interval.bytes", maxInt), Followed: true,
		Doc: "An index entry is added for the first batch after more than so many bytes.", Source: "LogConfig, LogSegment.append; rules 3.4"},
	{Key: "preallocate", Label: "Preallocate", Group: Segmenting, Kind: KindFlag, Default: "false", Inherits: same("log.preallocate", 0), Followed: true,
		Doc: "A new segment's file is made as long as segment.bytes at once.", Source: "LogConfig, FileRecords.open; rules 3.1"},
	{Key: "max.message.bytes", Label: "Largest batch", Group: Segmenting, Kind: KindSize, Default: "1048588", Max: maxInt, Inherits: same("message.max.bytes", maxInt), Followed: true,
		Doc: "The leader refuses a larger batch.", Source: "LogConfig, UnifiedLog.analyzeAndValidateRecords; rules 1.8"},
	{Key: "internal.segment.bytes", Label: "Segment size in Kafka's tests", Group: Segmenting, Kind: KindSize, Min: 14, Max: maxInt, Since: V4_1, Followed: true,
		Doc: "Kafka's own tests set a segment size below the minimum with it; takes the place of segment.bytes.", Source: "LogConfig; KIP-1030; rules 11"},

	// Timestamps
	{Key: "message.timestamp.type", Label: "Timestamp", Group: Timestamps, Kind: KindWord, Default: "CreateTime", Words: []string{"CreateTime", "LogAppendTime"}, Inherits: same("log.message.timestamp.type", 0), Followed: true,
		Doc: "Whether the producer or the leader stamps records.", Source: "LogConfig; rules 1.9, 4.5"},
	{Key: "message.timestamp.before.max.ms", Label: "Oldest accepted", Group: Timestamps, Kind: KindDuration, Default: longMax, Max: maxLong, Names: unlimitedMax, Since: 30600, Inherits: same("log.message.timestamp.before.max.ms", maxLong), Followed: true,
		Doc: "The leader refuses records older than this.", Source: "LogConfig; KIP-937; rules 4.5"},
	{Key: "message.timestamp.after.max.ms", Label: "Furthest ahead accepted", Group: Timestamps, Kind: KindDuration, Default: "1h", Max: maxLong, Names: unlimitedMax, Older: []Older{{V4_0, longMax, 0}}, Since: 30600, Inherits: same("log.message.timestamp.after.max.ms", maxLong), Followed: true,
		Doc: "The leader refuses records further ahead of its clock than this.", Source: "LogConfig; KIP-937, KIP-1030; rules 4.5"},
	{Key: "message.timestamp.difference.max.ms", Label: "Furthest from the clock accepted", Group: Timestamps, Kind: KindDuration, Default: longMax, Max: maxLong, Names: unlimitedMax, Until: V4_0, Inherits: same("log.message.timestamp.difference.max.ms", maxLong), Followed: true,
		Doc: "The leader refuses records further from its clock than this, either way, where the two settings that replaced it are not given.", Source: "LogConfig; rules 4.5"},
	{Key: "timestamps", Label: "Records are stamped", Group: Timestamps, Kind: KindWord, Default: "create", Words: []string{"create", "none", "fixed"}, Own: true, Followed: true,
		Doc: "create: with the time they are appended; none: not at all; fixed: all with the time at which the scenario starts.", Source: "rules 2.1, 4.3"},
	{Key: "timestamp.shift", Label: "Timestamps are off by", Group: Timestamps, Kind: KindShift, Default: "0", Min: -century / 2, Max: century, Own: true, Followed: true,
		Doc: "Added to every timestamp: −10min is late, +1h is ahead.", Source: "rules 4.5"},

	// Broker
	{Key: "log.retention.check.interval.ms", Label: "Check every", Group: Brokers, Kind: KindDuration, Default: "5min", Min: 1, Max: maxLong, Broker: true, Followed: true,
		Doc: "How often the broker looks for segments to delete.", Source: "LogManager, ServerLogConfigs; rules 4.1"},
	{Key: "log.initial.task.delay.ms", Label: "First check after", Group: Brokers, Kind: KindDuration, Default: "30s", Max: maxLong, Since: 30800, Broker: true, Followed: true,
		Doc: "From the start of the broker to the first check.", Source: "LogManager, ServerLogConfigs; rules 4.1"},
	{Key: "producer.id.expiration.ms", Label: "Producers forgotten after", Group: Brokers, Kind: KindDuration, Default: "1d", Min: 1, Max: maxInt, Older: []Older{{30400, "7d", 1}}, Since: 30400, Broker: true, Followed: true,
		Doc: "An idempotent producer whose last record is older leaves the .snapshot files.", Source: "TransactionLogConfig; KIP-854; rules 3.6, 18.4"},
	{Key: "producer.id.expiration.check.interval.ms", Label: "Producers checked every", Group: Brokers, Kind: KindDuration, Default: "10min", Min: 1, Max: maxInt, Broker: true, Followed: true,
		Doc: "How often the broker forgets producers.", Source: "TransactionLogConfig; rules 3.6"},
	{Key: "role", Label: "This replica is", Group: Brokers, Kind: KindWord, Default: "leader", Words: []string{"leader", "follower"}, Own: true, Followed: true,
		Doc: "A follower appends what it fetches, several batches at once, and so may roll at other places than the leader.", Source: "rules 2.11"},
	{Key: "fetch.batches", Label: "Batches in a fetch", Group: Brokers, Kind: KindCount, Default: "1", Min: 1, Max: 10_000, Own: true, Followed: true,
		Doc: "Batches that a follower appends in one call.", Source: "rules 1.8, 2.11"},
	{Key: "steps", Label: "What happens meanwhile", Group: Scenarios, Kind: KindSteps, Own: true, Followed: true,
		Doc:    "Things that happen at a time, with ; between: 5d retention.ms=1h; 6d delete-records 1000; 7d restart 60s; 8d hold-high-watermark; 9d follow-high-watermark; 2d record-timestamp +10y; 3d copied-to 5000; 4d copy-every 30s; 20d delete-topic.",
		Source: "rules 14"},
	{Key: "seed", Label: "Seed of the jitter", Group: Scenarios, Kind: KindCount, Default: "1", Max: maxLong, Own: true, Followed: true,
		Doc: "Chooses the random numbers of segment.jitter.ms.", Source: "rules 2.3"},

	// Tiered storage
	{Key: "remote.storage.enable", Label: "Tiered storage", Group: Tiering, Kind: KindFlag, Default: "false", Since: 30600, Followed: true,
		Doc: "Closed segments are copied to a remote store, and local.retention.* says what stays on disk.", Source: "LogConfig; KIP-405; rules 7"},
	{Key: "local.retention.ms", Label: "Keep locally for", Group: Tiering, Kind: KindDuration, Default: "-2", Min: -2, Max: maxLong, Names: unlimited, Since: 30600, Inherits: same("log.local.retention.ms", maxLong), Followed: true,
		Doc: "Retention of the local log of a tiered topic; −2: as retention.ms.", Source: "LogConfig; KIP-405; rules 7.3"},
	{Key: "local.retention.bytes", Label: "Keep locally at most", Group: Tiering, Kind: KindSize, Default: "-2", Min: -2, Max: maxLong, Names: unlimited, Since: 30600, Inherits: same("log.local.retention.bytes", maxLong), Followed: true,
		Doc: "Retention of the local log of a tiered topic; −2: as retention.bytes.", Source: "LogConfig; KIP-405; rules 7.3"},
	{Key: "remote.log.copy.disable", Label: "Stop copying", Group: Tiering, Kind: KindFlag, Default: "false", Since: 30900, Followed: true,
		Doc: "Nothing more is copied, and retention.* holds for the local log.", Source: "LogConfig; KIP-950; rules 7.3"},
	{Key: "remote.log.manager.task.interval.ms", Label: "Copied every", Group: Tiering, Kind: KindDuration, Default: "30s", Min: 1, Max: maxLong, Since: 30600, Broker: true, Followed: true,
		Doc: "How often closed segments are copied.", Source: "RemoteLogManagerConfig; rules 7.1"},
	{Key: "remote.log.delete.on.disable", Label: "Delete when disabled", Group: Tiering, Kind: KindFlag, Default: "false", Since: 30900, Why: whyRemote,
		Doc: "Whether the remote log is deleted when tiered storage is switched off.", Source: "LogConfig; KIP-950"},
	{Key: "remote.copy.lag.ms", Label: "Copied later by", Group: Tiering, Kind: KindDuration, Default: "0", Min: -1, Max: maxLong, Since: V4_4, Inherits: same("log.remote.copy.lag.ms", maxLong), Followed: true,
		Doc: "How old a segment becomes before it is copied; −1: as local.retention.ms. It counts only where remote.copy.lag.bytes is not 0.", Source: "LogConfig; rules 7.2"},
	{Key: "remote.copy.lag.bytes", Label: "Copied after", Group: Tiering, Kind: KindSize, Default: "-1", Min: -1, Max: maxLong, Since: V4_4, Inherits: same("log.remote.copy.lag.bytes", maxLong), Followed: true,
		Doc: "How much comes after a segment before it is copied; −1: as local.retention.bytes. With remote.copy.lag.ms=0 it does not count.", Source: "LogConfig; rules 7.2"},
	{Key: "remote.log.manager.copy.max.bytes.per.second", Label: "Copy quota", Group: Tiering, Kind: KindSize, Default: longMax, Min: 1, Max: maxLong, Names: unlimitedMax, Since: 30800, Broker: true, Followed: true,
		Doc: "Bytes that the broker copies to the remote store in a second; here of one partition alone.", Source: "RemoteLogManagerConfig; KIP-956; rules 7.2"},
	{Key: "remote.upload.rate", Label: "Upload of a partition", Group: Tiering, Kind: KindRate, Default: "100MiB/s", Max: 1 << 40, Own: true, Followed: true,
		Doc: "How fast one partition's segments reach the remote store.", Source: "model"},
	{Key: "remote.upload.latency", Label: "Each copy takes also", Group: Tiering, Kind: KindDuration, Default: "100", Max: int64(Day), Own: true, Followed: true,
		Doc: "What copying a segment takes besides the upload of its bytes.", Source: "model"},
	{Key: "remote.delete.latency", Label: "Each deletion takes", Group: Tiering, Kind: KindDuration, Default: "100", Max: int64(Day), Own: true, Followed: true,
		Doc: "What deleting a segment from the remote store takes.", Source: "model"},
	{Key: "rlmm.config.remote.log.metadata.topic.retention.ms", Label: "Metadata kept for", Group: Tiering, Kind: KindDuration, Default: "-1", Min: -1, Max: maxLong, Names: unlimited, Since: 30600, Broker: true, Followed: true,
		Doc: "retention.ms of __remote_log_metadata, without which remote segments cannot be found; −1: for ever, as the topic grows.", Source: "TopicBasedRemoteLogMetadataManagerConfig; KAFKA-15682; rules 8"},
	{Key: "rlmm.config.remote.log.metadata.topic.num.partitions", Label: "Partitions of the metadata", Group: Tiering, Kind: KindCount, Default: "50", Min: 1, Max: 10_000, Since: 30600, Broker: true, Followed: true,
		Doc: "Partitions of __remote_log_metadata; all events of a partition are in one of them.", Source: "TopicBasedRemoteLogMetadataManagerConfig; rules 8.1"},
	{Key: "rlmm.config.remote.log.metadata.topic.replication.factor", Label: "Replicas of the metadata", Group: Tiering, Kind: KindCount, Default: "3", Min: 1, Max: 32767, Since: 30600, Broker: true, Followed: true,
		Doc: "Replicas of each partition of __remote_log_metadata.", Source: "TopicBasedRemoteLogMetadataManagerConfig; rules 8.1"},
	{Key: "topic.name", Label: "Name of the topic", Group: Tiering, Kind: KindText, Default: "topic", Own: true, Followed: true,
		Doc: "Its length is part of every event in __remote_log_metadata.", Source: "rules 8.3"},
	{Key: "topic.id", Label: "Id of the topic", Group: Tiering, Kind: KindText, Own: true, Followed: true,
		Doc: "As kafka-topics.sh --describe prints it: it decides which partition of __remote_log_metadata has the events. Without it one is made up from the name.", Source: "RemoteLogMetadataTopicPartitioner; rules 8.2"},
	{Key: "brokers", Label: "Brokers", Group: Tiering, Kind: KindCount, Default: "3", Min: 1, Max: 100_000, Own: true, Followed: true,
		Doc: "Brokers over which __remote_log_metadata is spread.", Source: "model"},
	{Key: "restart.all", Label: "All brokers restart at", Group: Tiering, Kind: KindDuration, Default: "never", Max: maxLong, Names: []Named{{"never", maxLong}}, Own: true, Followed: true,
		Doc: "What dangles when every broker restarts at that time, one after the other or at once; never: at the worst time.", Source: "rules 8.8"},
	{Key: "remote.price", Label: "Price of the remote store", Group: Tiering, Kind: KindFraction, Default: "0.023", Min: 1, Max: 1_000_000_000_000, Own: true, Followed: true,
		Doc: "Of a GiB for a month of 30 days, in any currency, up to 1000.", Source: "model"},
	{Key: "remote.outage.tolerated", Label: "Outage to survive", Group: Tiering, Kind: KindDuration, Default: "0", Max: maxLong, Names: []Named{{"never", maxLong}, {"forever", maxLong}}, Own: true, Followed: true,
		Doc: "The longest time in which the remote store may be down, and deletions wait, without a segment dangling.", Source: "rules 8.9"},
	{Key: "clock.skew", Label: "Clocks differ by", Group: Tiering, Kind: KindDuration, Default: "1s", Max: century, Own: true, Followed: true,
		Doc: "How far the clocks of two brokers are apart at most.", Source: "rules 8.9"},
	{Key: "remote.log.storage.system.enable", Label: "Tiered storage on the broker", Group: Tiering, Kind: KindFlag, Default: "false", Since: 30600, Broker: true, Why: "remote.storage.enable alone decides here",
		Doc: "Whether the broker can do tiered storage.", Source: "RemoteLogManagerConfig"},

	// Compaction
	{Key: "record.keys", Label: "Different keys", Group: Compacting, Kind: KindCount, Default: "0", Max: 1_000_000_000_000, Own: true, Followed: true,
		Doc: "How many different keys the partition's records have: how much is left of a compacted log follows from it. 0: not known.", Source: "kafka-measured 6.11"},
	{Key: "max.compaction.lag.ms", Label: "Compacted at the latest after", Group: Compacting, Kind: KindDuration, Default: longMax, Min: 1, Max: maxLong, Names: unlimitedMax, Inherits: same("log.cleaner.max.compaction.lag.ms", maxLong), Followed: true,
		Doc: "Rolls the segments of a compacted topic like segment.ms.", Source: "LogConfig.maxSegmentMs; KIP-354; rules 2.2"},
	{Key: "min.compaction.lag.ms", Label: "Not compacted before", Group: Compacting, Kind: KindDuration, Default: "0", Max: maxLong, Inherits: same("log.cleaner.min.compaction.lag.ms", maxLong), Why: whyCleaner,
		Doc: "How long a record stays uncompacted at least.", Source: "LogConfig; rules 6"},
	{Key: "delete.retention.ms", Label: "Tombstones stay for", Group: Compacting, Kind: KindDuration, Default: "1d", Max: maxLong, Inherits: same("log.cleaner.delete.retention.ms", maxLong), Why: whyCompaction,
		Doc: "How long a tombstone stays in a compacted log.", Source: "LogConfig; rules 6"},
	{Key: "min.cleanable.dirty.ratio", Label: "Dirty part at least", Group: Compacting, Kind: KindFraction, Default: "0.5", Max: 1_000_000_000, Inherits: same("log.cleaner.min.cleanable.ratio", 0), Why: whyCleaner,
		Doc: "What part of a log is dirty before it is cleaned.", Source: "LogConfig; rules 6"},
	{Key: "log.cleaner.enable", Label: "Cleaner runs", Group: Compacting, Kind: KindFlag, Default: "true", Broker: true, Why: whyCleaner,
		Doc: "Whether the broker compacts at all.", Source: "CleanerConfig; rules 6"},
	{Key: "log.cleaner.threads", Label: "Cleaner threads", Group: Compacting, Kind: KindCount, Default: "1", Max: maxInt, Broker: true, Why: whyCompaction,
		Doc: "Threads that compact.", Source: "CleanerConfig"},
	{Key: "log.cleaner.backoff.ms", Label: "Cleaner sleeps", Group: Compacting, Kind: KindDuration, Default: "15s", Max: maxLong, Broker: true, Why: whyCleaner,
		Doc: "How long the cleaner sleeps when there is nothing to clean.", Source: "CleanerConfig; rules 6"},
	{Key: "log.cleaner.dedupe.buffer.size", Label: "Cleaner's buffer", Group: Compacting, Kind: KindSize, Default: "128MiB", Max: maxLong, Broker: true, Why: whyCompaction,
		Doc: "Memory in which the cleaner remembers keys.", Source: "CleanerConfig"},
	{Key: "log.cleaner.io.buffer.size", Label: "Cleaner's buffer for files", Group: Compacting, Kind: KindSize, Default: "512KiB", Max: maxInt, Broker: true, Why: whyCompaction,
		Doc: "Memory in which the cleaner reads and writes.", Source: "CleanerConfig"},
	{Key: "log.cleaner.io.buffer.load.factor", Label: "Cleaner's load factor", Group: Compacting, Kind: KindFraction, Default: "0.9", Max: 1_000_000_000, Broker: true, Why: whyCompaction,
		Doc: "How full the cleaner's buffer becomes.", Source: "CleanerConfig"},

	// No effect on size
	{Key: "compression.type", Label: "Compression", Group: NoEffect, Kind: KindWord, Default: "producer", Words: []string{"producer", "uncompressed", "zstd", "lz4", "snappy", "gzip"}, Why: whyRatio,
		Doc: "What the leader compresses batches with.", Source: "LogConfig, BrokerCompressionType; rules 1.6"},
	{Key: "compression.gzip.level", Label: "gzip level", Group: NoEffect, Kind: KindCount, Default: "-1", Min: -1, Max: 9, Since: 30800, Why: whyRatio,
		Doc: "Level of gzip where the leader compresses again.", Source: "LogConfig; KIP-390"},
	{Key: "compression.lz4.level", Label: "lz4 level", Group: NoEffect, Kind: KindCount, Default: "9", Min: 1, Max: 17, Since: 30800, Why: whyRatio,
		Doc: "Level of lz4 where the leader compresses again.", Source: "LogConfig; KIP-390"},
	{Key: "compression.zstd.level", Label: "zstd level", Group: NoEffect, Kind: KindCount, Default: "3", Min: -131072, Max: 22, Since: 30800, Why: whyRatio,
		Doc: "Level of zstd where the leader compresses again.", Source: "LogConfig; KIP-390"},
	{Key: "max.decompressed.message.bytes", Label: "Largest batch, decompressed", Group: NoEffect, Kind: KindSize, Default: "2147483639", Min: 1, Max: maxInt, Since: V4_4, Why: "batches are taken to be within it",
		Doc: "The leader refuses a batch that is larger when decompressed.", Source: "LogConfig; rules 11"},
	{Key: "flush.messages", Label: "Flush after records", Group: NoEffect, Kind: KindCount, Default: longMax, Min: 1, Max: maxLong, Inherits: same("log.flush.interval.messages", maxLong), Why: whyNoEffect,
		Doc: "When the log is forced to the disk.", Source: "LogConfig"},
	{Key: "flush.ms", Label: "Flush after", Group: NoEffect, Kind: KindDuration, Default: longMax, Max: maxLong, Why: whyNoEffect,
		Inherits: []Synonym{{Key: "log.flush.interval.ms", Unit: 1, Max: maxLong}, {Key: "log.flush.scheduler.interval.ms", Unit: 1, Max: maxLong}},
		Doc:      "When the log is forced to the disk.", Source: "LogConfig"},
	{Key: "min.insync.replicas", Label: "Least replicas in sync", Group: NoEffect, Kind: KindCount, Default: "1", Min: 1, Max: maxInt, Why: whyNoEffect,
		Doc: "How many replicas must have a record before it is acknowledged.", Source: "LogConfig"},
	{Key: "unclean.leader.election.enable", Label: "Unclean election", Group: NoEffect, Kind: KindFlag, Default: "false", Why: whyNoEffect,
		Doc: "Whether a replica out of sync may become leader.", Source: "LogConfig"},
	{Key: "leader.replication.throttled.replicas", Label: "Throttled at the leader", Group: NoEffect, Kind: KindText, Why: whyNoEffect,
		Doc: "Replicas whose replication is throttled at the leader.", Source: "QuotaConfig"},
	{Key: "follower.replication.throttled.replicas", Label: "Throttled at the follower", Group: NoEffect, Kind: KindText, Why: whyNoEffect,
		Doc: "Replicas whose replication is throttled at the follower.", Source: "QuotaConfig"},
	{Key: "message.format.version", Label: "Message format", Group: NoEffect, Kind: KindText, Until: V4_0, Why: "all batches have format v2",
		Doc: "The version whose message format is written.", Source: "LogConfig"},
	{Key: "message.downconversion.enable", Label: "Down-conversion", Group: NoEffect, Kind: KindFlag, Default: "true", Until: V4_0, Why: whyNoEffect,
		Doc: "Whether old consumers are served.", Source: "LogConfig"},
}

// Settings is the table, in its order.
func Settings() []Setting { return slices.Clone(settings) }

// SettingOf is the row of a key. For a broker's key from which a topic's setting inherits it is that setting's row, and
// synonym is its entry there; else synonym is nil.
func SettingOf(key string) (row Setting, synonym *Synonym, ok bool) {
	i, ok := slotOf[key]
	if !ok {
		return Setting{}, nil, false
	}
	s := slots[i]
	row = settings[s.row]
	if s.synonym >= 0 {
		syn := row.Inherits[s.synonym]
		return row, &syn, true
	}
	return row, nil, true
}

// NearestKey is the key of the table that is probably meant by key: one of another name, or the one that is spelled most like
// it; "" when there is none.
func NearestKey(key string) string {
	if len(key) <= longestKey {
		plain := pointed(key)
		if _, ok := slotOf[plain]; ok {
			return plain
		}
		if other := meant(plain); other != "" {
			return other
		}
	}
	for _, same := range [...]string{key, "log." + key, strings.TrimPrefix(key, "log.")} {
		if _, ok := slotOf[same]; ok {
			return same
		}
	}
	return nearest(key, allKeys())
}

// longestKey is longer than any key that someone may have meant.
const longestKey = 80

// In is the row as of a version: its default and its least value there.
func (s Setting) In(v Version) Setting {
	for _, o := range s.Older {
		if v < o.Before {
			s.Default, s.Min = o.Default, o.Min
			break
		}
	}
	return s
}

// Known reports whether Kafka has the setting in a version.
func (s Setting) Known(v Version) bool { return v >= s.Since && (s.Until == 0 || v < s.Until) }

// slot is a key under which a value can be given.
type slot struct {
	key     string
	row     int
	synonym int // −1: the row's own key
}

// slots are all keys: each row's, then those it inherits from.
var slots = func() (all []slot) {
	for i, s := range settings {
		all = append(all, slot{s.Key, i, -1})
		for j, syn := range s.Inherits {
			all = append(all, slot{syn.Key, i, j})
		}
	}
	return all
}()

// slotOf finds a key.
var slotOf = func() map[string]int {
	m := make(map[string]int, len(slots))
	for i, s := range slots {
		m[s.key] = i
	}
	return m
}()

// allKeys are the keys in the order of the table.
func allKeys() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range slots {
			if !yield(s.key) {
				return
			}
		}
	}
}

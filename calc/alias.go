package calc

import "strings"

// aliases are names that people use for settings and that are spelled too differently for [nearest]: pairs of a name and
// the key that is meant.
const aliases = "replicas replication.factor replica replication.factor replication replication.factor rf replication.factor " +
	"replicationfactor replication.factor partition.count partitions partition partitions " +
	"rate produce traffic produce throughput produce ingress produce bandwidth produce load produce produce.rate produce " +
	"bytes.in.per.sec produce bytesinpersec produce messages produce write.rate produce " +
	"retention retention.ms retention.time retention.ms retention.days retention.ms retention.period retention.ms ttl retention.ms " +
	"keep retention.ms retention.size retention.bytes max.size retention.bytes log.retention log.retention.ms log.retention.days log.retention.hours " +
	"segment segment.bytes segment.size segment.bytes log.segment.size log.segment.bytes segment.time segment.ms segment.hours log.roll.hours " +
	"roll segment.ms roll.time segment.ms jitter segment.jitter.ms index.size segment.index.bytes index segment.index.bytes " +
	"version kafka.version kafka kafka.version release kafka.version " +
	"duration horizon time horizon period horizon days horizon length horizon for horizon until horizon " +
	"message.size record.value record.size record.value msg.size record.value avg.message.size record.value value.size record.value " +
	"value record.value message record.value record.bytes record.value size record.value key record.key key.size record.key " +
	"headers record.headers batch batch.size linger linger.ms compression compression.ratio ratio compression.ratio " +
	"max.message.size max.message.bytes capacity disk disk.size disk volume disk storage disk " +
	"check.interval log.retention.check.interval.ms retention.check.interval log.retention.check.interval.ms " +
	"delete.delay file.delete.delay.ms policy cleanup.policy cleanup cleanup.policy growth produce.growth daily produce.daily " +
	"weekly produce.weekly series produce.series burst burst.rate tiered remote.storage.enable tiering remote.storage.enable " +
	"tiered.storage remote.storage.enable remote.storage remote.storage.enable local.retention local.retention.ms " +
	"topic topic.name name topic.name follower role leader role idempotence enable.idempotence"

// meant is the key that people mean by a name in small letters, or "".
func meant(name string) string {
	words := strings.Fields(aliases)
	for i := 0; i < len(words); i += 2 {
		if words[i] == name {
			return words[i+1]
		}
	}
	return ""
}

// pointed is a key as Kafka spells it, from the spellings of flags, variables and code: segment-bytes, SEGMENT_BYTES.
func pointed(key string) string {
	return strings.TrimPrefix(strings.Map(func(r rune) rune {
		if r == '_' || r == '-' || r == ' ' {
			return '.'
		}
		return r
	}, strings.ToLower(key)), "kafka.")
}

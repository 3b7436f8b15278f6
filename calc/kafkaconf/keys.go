package kafkaconf

import (
	"strings"
	"sync"

	"github.com/partsize/partsize/calc"
)

// field is how the value of a key is read.
type field struct {
	typ     fieldType
	words   []string
	row     calc.Setting  // of the table; zero for a key of [clusterFields]
	synonym *calc.Synonym // set when the key is a broker's from which a topic's setting inherits
	matters bool          // for disks, placement or the shape of the cluster
}

func fieldOf(row calc.Setting, synonym *calc.Synonym) field {
	return field{typeOf(row, synonym), row.Words, row, synonym, row.Group != calc.NoEffect}
}

// clusterFields are the broker's settings that matter for disks, placement or the shape of the cluster and are not in the
// table of one log's settings.
var clusterFields = map[string]fieldType{
	"broker.id":         intType,
	"node.id":           intType,
	"log.dirs":          listType,
	"log.dir":           stringType,
	"cordoned.log.dirs": listType,
	"metadata.log.dir":  stringType,

	"offsets.topic.num.partitions":                             intType,
	"offsets.topic.replication.factor":                         intType,
	"offsets.topic.segment.bytes":                              intType,
	"transaction.state.log.num.partitions":                     intType,
	"transaction.state.log.replication.factor":                 intType,
	"transaction.state.log.segment.bytes":                      intType,
	"share.coordinator.state.topic.num.partitions":             intType,
	"share.coordinator.state.topic.replication.factor":         intType,
	"share.coordinator.state.topic.segment.bytes":              intType,
	"rlmm.config.remote.log.metadata.topic.num.partitions":     intType,
	"rlmm.config.remote.log.metadata.topic.replication.factor": intType,
	"rlmm.config.remote.log.metadata.topic.retention.ms":       longType,
	"rlmm.config.remote.log.metadata.topic.min.isr":            intType,
	"remote.log.index.file.cache.total.size.bytes":             longType,
	"remote.log.metadata.custom.metadata.max.bytes":            intType,
	"replica.fetch.max.bytes":                                  intType,
	"metadata.log.segment.bytes":                               intType,
	"metadata.log.segment.ms":                                  longType,
	"metadata.max.retention.bytes":                             longType,
	"metadata.max.retention.ms":                                longType,
	"log.cleaner.io.max.bytes.per.second":                      doubleType,
}

// keyFields is how a key is read where it is a broker's and where it is a topic's; nil: its value does not matter there.
type keyFields struct {
	broker, topic *field
}

// maxRemembered bounds what a reader remembers about keys and values, since a pasted text may have millions.
const maxRemembered = 10_000

// known looks a key up.
func (r *reader) known(key string) keyFields {
	k, ok := r.fields[key]
	if ok {
		return k
	}
	if f, ok := brokerField(key); ok {
		k.broker = &f
	}
	if f, ok := topicField(key); ok {
		k.topic = &f
	}
	if len(r.fields) < maxRemembered {
		r.fields[key] = k
	}
	return k
}

// brokerField is how a broker's key is read, if its value matters here at all.
func brokerField(key string) (field, bool) {
	if t, ok := clusterFields[key]; ok {
		return field{typ: t, matters: true}, true
	}
	row, synonym, ok := calc.SettingOf(key)
	if !ok || synonym == nil && !row.Broker && !isSharedName(key) {
		return field{}, false
	}
	return fieldOf(row, synonym), true
}

// isSharedName reports whether a topic's setting has the same name on the broker.
func isSharedName(key string) bool {
	switch key {
	case "min.insync.replicas", "unclean.leader.election.enable", "compression.type", "compression.gzip.level",
		"compression.lz4.level", "compression.zstd.level", "max.decompressed.message.bytes":
		return true
	}
	return false
}

// topicField is how a topic's key is read.
func topicField(key string) (field, bool) {
	row, synonym, ok := calc.SettingOf(key)
	if !ok || synonym != nil || row.Own || row.Broker || row.Group == calc.Records {
		return field{}, false
	}
	return fieldOf(row, nil), true
}

// isTopicOnly reports whether a key is a topic's and not also a broker's.
func isTopicOnly(key string) bool {
	_, ok := topicField(key)
	return ok && !isSharedName(key)
}

// isBrokerKey reports whether Kafka's broker knows a key, or may: plugins read keys of their own.
func isBrokerKey(key string) bool {
	if _, ok := brokerField(key); ok || brokerNames()[key] {
		return true
	}
	return hasPluginPrefix(key)
}

// hasPluginPrefix reports whether a key begins as those do that plugins and other products read from the same file.
func hasPluginPrefix(key string) bool {
	for _, prefix := range []string{"listener.name.", "sasl.", "ssl.", "security.", "zookeeper.", "rsm.config.", "rlmm.config.",
		"confluent.", "cruise.control.", "strimzi.", "config.providers.", "metric.", "metrics.", "kafka.metrics.", "authorizer.",
		"principal.builder.", "group.coordinator.", "group.share.", "group.consumer.", "group.streams.", "controller.quorum.",
		"socket.", "quota.", "password.encoder.", "delegation.token.", "oauth.", "unstable."} {
		if strings.HasPrefix(key, prefix) {
			return true
		}
	}
	return false
}

// keep reports whether a value that was read is worth showing: not lists of replicas, and not what says "as it comes".
func (f *field) keep(v Value) bool {
	if f.matters || f.row.Key == "" {
		return true
	}
	return f.typ != stringType && (f.typ != wordType || v.text != f.row.Default)
}

// longestKey is longer than any key that someone may have meant.
const longestKey = 100

// similarBrokerKey is the broker's key that was probably meant, or "".
func similarBrokerKey(key string) string {
	if len(key) > longestKey {
		return ""
	}
	plain := strings.ReplaceAll(strings.ToLower(key), "_", ".")
	if _, ok := brokerField(plain); ok {
		return plain
	}
	// log.segment.ms does not exist, but a topic's segment.ms inherits from log.roll.ms.
	if row, synonym, ok := calc.SettingOf(strings.TrimPrefix(plain, "log.")); ok && synonym == nil && len(row.Inherits) > 0 && !row.Own {
		return row.Inherits[0].Key
	}
	near := calc.NearestKey(plain)
	if _, ok := brokerField(near); ok {
		return near
	}
	if row, _, ok := calc.SettingOf(near); ok && len(row.Inherits) > 0 && !row.Own {
		return row.Inherits[0].Key
	}
	return ""
}

// similarTopicKey is the topic's key that was probably meant, or "".
func similarTopicKey(key string) string {
	if len(key) > longestKey {
		return ""
	}
	plain := strings.ReplaceAll(strings.ToLower(key), "_", ".")
	if _, ok := topicField(plain); ok {
		return plain
	}
	if near := calc.NearestKey(plain); near != "" {
		row, _, _ := calc.SettingOf(near)
		if _, ok := topicField(row.Key); ok {
			return row.Key
		}
	}
	return ""
}

// brokerNames are the broker's settings that say nothing about a log.
var brokerNames = sync.OnceValue(func() map[string]bool {
	names := map[string]bool{}
	for name := range strings.FieldsSeq(otherBrokerNames) {
		names[name] = true
	}
	return names
})

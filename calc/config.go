package calc

import (
	"fmt"
	"strconv"
)

// LogConfig is the effective configuration of one log: topic settings over broker defaults, already resolved. Its fields
// are named for Kafka's topic keys and hold plain numbers in Kafka's units.
//
// Kafka: LogConfig.
type LogConfig struct {
	SegmentBytes        Bytes  // segment.bytes
	SegmentMs           Millis // segment.ms
	SegmentJitterMs     Millis // segment.jitter.ms
	SegmentIndexBytes   Bytes  // segment.index.bytes
	IndexIntervalBytes  Bytes  // index.interval.bytes
	RetentionBytes      Bytes  // retention.bytes; negative: no limit
	RetentionMs         Millis // retention.ms; negative: no limit
	LocalRetentionBytes Bytes  // local.retention.bytes; -2: as retention.bytes
	LocalRetentionMs    Millis // local.retention.ms; -2: as retention.ms
	FileDeleteDelayMs   Millis // file.delete.delay.ms
	MaxMessageBytes     Bytes  // max.message.bytes
	TimestampBeforeMax  Millis // message.timestamp.before.max.ms
	TimestampAfterMax   Millis // message.timestamp.after.max.ms
	MaxCompactionLagMs  Millis // max.compaction.lag.ms
	LogAppendTime       bool   // message.timestamp.type is LogAppendTime
	Preallocate         bool   // preallocate
	Compact             bool   // cleanup.policy contains compact
	Delete              bool   // cleanup.policy contains delete
	RemoteStorage       bool   // remote.storage.enable
	RemoteCopyDisable   bool   // remote.log.copy.disable
	CopyLagMs           Millis // remote.copy.lag.ms; -1: as local.retention.ms
	CopyLagBytes        Bytes  // remote.copy.lag.bytes; -1: as local.retention.bytes
}

// BrokerConfig holds the broker's settings that matter for a log and have no topic key.
type BrokerConfig struct {
	RetentionCheckInterval  Millis // log.retention.check.interval.ms
	InitialTaskDelay        Millis // log.initial.task.delay.ms
	ProducerExpiration      Millis // producer.id.expiration.ms
	ProducerExpirationCheck Millis // producer.id.expiration.check.interval.ms
	SegmentDeleteDelay      Millis // log.segment.delete.delay.ms: when a deleted topic's directory goes
}

// Kafka's defaults of a topic, as of 4.3.
//
// Source: Kafka 4.3.1, LogConfig and ServerLogConfigs.
func DefaultLogConfig() LogConfig {
	return LogConfig{
		SegmentBytes:        1 << 30,
		SegmentMs:           7 * Day,
		SegmentIndexBytes:   10 << 20,
		IndexIntervalBytes:  4096,
		RetentionBytes:      Unlimited,
		RetentionMs:         7 * Day,
		LocalRetentionBytes: -2,
		LocalRetentionMs:    -2,
		FileDeleteDelayMs:   Minute,
		MaxMessageBytes:     1048588,
		TimestampBeforeMax:  Never,
		TimestampAfterMax:   Hour,
		MaxCompactionLagMs:  Never,
		Delete:              true,
		CopyLagBytes:        -1,
	}
}

// DefaultBrokerConfig is Kafka's defaults of a broker, as of 4.3.
//
// Source: Kafka 4.3.1, ServerLogConfigs and TransactionLogConfig.
func DefaultBrokerConfig() BrokerConfig {
	return BrokerConfig{
		RetentionCheckInterval:  5 * Minute,
		InitialTaskDelay:        30 * Second,
		ProducerExpiration:      Day,
		ProducerExpirationCheck: 10 * Minute,
		SegmentDeleteDelay:      Minute,
	}
}

// Set gives the setting with Kafka's topic key the value that Kafka would parse from text: a plain whole number, true or
// false, or a word. It checks no bounds; [NewScenario] does. A key that has no effect on the files of a log is accepted
// and ignored when known is false for it.
func (c *LogConfig) Set(key, text string) (known bool, err error) {
	number := func(to *int64) { *to, err = strconv.ParseInt(text, 10, 64) }
	flag := func(to *bool) { *to, err = strconv.ParseBool(text) }
	switch key {
	case "segment.bytes":
		number((*int64)(&c.SegmentBytes))
	case "segment.ms":
		number((*int64)(&c.SegmentMs))
	case "segment.jitter.ms":
		number((*int64)(&c.SegmentJitterMs))
	case "segment.index.bytes":
		number((*int64)(&c.SegmentIndexBytes))
	case "index.interval.bytes":
		number((*int64)(&c.IndexIntervalBytes))
	case "retention.bytes":
		number((*int64)(&c.RetentionBytes))
	case "retention.ms":
		number((*int64)(&c.RetentionMs))
	case "local.retention.bytes":
		number((*int64)(&c.LocalRetentionBytes))
	case "local.retention.ms":
		number((*int64)(&c.LocalRetentionMs))
	case "file.delete.delay.ms":
		number((*int64)(&c.FileDeleteDelayMs))
	case "max.message.bytes":
		number((*int64)(&c.MaxMessageBytes))
	case "message.timestamp.before.max.ms":
		number((*int64)(&c.TimestampBeforeMax))
	case "message.timestamp.after.max.ms":
		number((*int64)(&c.TimestampAfterMax))
	case "max.compaction.lag.ms":
		number((*int64)(&c.MaxCompactionLagMs))
	case "message.timestamp.type":
		switch text {
		case "CreateTime":
			c.LogAppendTime = false
		case "LogAppendTime":
			c.LogAppendTime = true
		default:
			err = fmt.Errorf("%q is neither CreateTime nor LogAppendTime", text)
		}
	case "preallocate":
		flag(&c.Preallocate)
	case "cleanup.policy":
		c.Compact, c.Delete, err = parseCleanupPolicy(text)
	case "remote.storage.enable":
		flag(&c.RemoteStorage)
	case "remote.log.copy.disable":
		flag(&c.RemoteCopyDisable)
	case "remote.copy.lag.ms":
		number((*int64)(&c.CopyLagMs))
	case "remote.copy.lag.bytes":
		number((*int64)(&c.CopyLagBytes))
	default:
		return false, nil
	}
	return true, err
}

// maxSegmentMs is the time after which a segment rolls at an append, before jitter.
//
// Kafka: LogConfig.maxSegmentMs.
func (c *LogConfig) maxSegmentMs() Millis {
	if c.Compact {
		return min(c.SegmentMs, c.MaxCompactionLagMs)
	}
	return c.SegmentMs
}

// tieredCopy reports whether closed segments are copied to a remote store and local retention applies.
//
// Kafka: UnifiedLog.remoteLogEnabledAndRemoteCopyEnabled.
func (c *LogConfig) tieredCopy() bool { return c.RemoteStorage && !c.RemoteCopyDisable }

// localRetention is the retention that the broker's own check applies to local segments.
//
// Kafka: UnifiedLog.localRetentionMs, localRetentionSize.
func (c *LogConfig) localRetention() (ms Millis, bytes Bytes) {
	ms, bytes = c.RetentionMs, c.RetentionBytes
	if c.tieredCopy() {
		if c.LocalRetentionMs != -2 {
			ms = c.LocalRetentionMs
		}
		if c.LocalRetentionBytes != -2 {
			bytes = c.LocalRetentionBytes
		}
	}
	return ms, bytes
}

// LocalRetention is the retention that holds for the local log: local.retention.* of a tiered topic, else retention.*.
// Negative is no limit.
func (c LogConfig) LocalRetention() (ms Millis, bytes Bytes) { return c.localRetention() }

// parseCleanupPolicy reads cleanup.policy: compact, delete, both with a comma between, or nothing.
func parseCleanupPolicy(text string) (compact, del bool, err error) {
	for word := range splitList(text) {
		switch word {
		case "compact":
			compact = true
		case "delete":
			del = true
		default:
			return compact, del, fmt.Errorf("%q is neither compact nor delete", word)
		}
	}
	return compact, del, nil
}

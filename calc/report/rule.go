package report

import (
	"strings"

	"github.com/partsize/partsize/calc"
)

// Rule is where Kafka decides: a class and its method, as in Kafka 4.3.1.
type Rule string

// The rules that receipts name.
const (
	ruleNone       Rule = ""
	ruleAppend     Rule = "UnifiedLog.append"
	ruleRoll       Rule = "LogSegment.shouldRoll"
	ruleOpen       Rule = "LogSegment.open"
	ruleNewest     Rule = "LogSegment.largestTimestamp"
	ruleDeletable  Rule = "UnifiedLog.deletableSegments"
	ruleBySize     Rule = "UnifiedLog.deleteRetentionSizeBreachedSegments"
	ruleByTime     Rule = "UnifiedLog.deleteRetentionMsBreachedSegments"
	ruleByStart    Rule = "UnifiedLog.deleteLogStartOffsetBreachedSegments"
	ruleCheck      Rule = "LogManager.cleanupLogs"
	rulePerLog     Rule = "LogManager.getOrCreateLog"
	ruleRemove     Rule = "LocalLog.deleteSegmentFiles"
	ruleIndex      Rule = "LogSegment.append"
	ruleSetAside   Rule = "AbstractIndex.createAndAssignMmap"
	ruleTimes      Rule = "TimeIndex.maybeAppend"
	ruleOffsets    Rule = "OffsetIndex.append"
	ruleAborted    Rule = "TransactionIndex.append"
	ruleSnapshot   Rule = "ProducerStateManager.takeSnapshot"
	ruleCheckpoint Rule = "PartitionMetadataFile.write"
	ruleValidate   Rule = "UnifiedLog.analyzeAndValidateRecords"
	ruleOffline    Rule = "LogManager.handleLogDirFailure"
	ruleCleaner    Rule = "LogCleaner.CleanerThread"
	ruleCleanable  Rule = "LogCleanerManager.cleanableOffsets"
	ruleCleaned    Rule = "Cleaner.cleanSegments"
	ruleSwap       Rule = "LocalLog.replaceSegments"
)

// Source is the address of the class in Kafka's source.
func (r Rule) Source() string {
	class, _, _ := strings.Cut(string(r), ".")
	path := "storage/src/main/java/org/apache/kafka/storage/internals/log/" + class + ".java"
	if class == "LogManager" {
		path = "core/src/main/scala/kafka/log/LogManager.scala"
	}
	return "https://github.com/apache/kafka/blob/4.3.1/" + path
}

// Name is the class and the method as readers of Kafka's source write them.
func (r Rule) Name() string { return strings.Replace(string(r), ".", "#", 1) }

// Documentation is where Kafka's documentation has a setting; "" for one that is not Kafka's own or a producer's.
func Documentation(row *calc.Setting) string {
	switch {
	case row.Own, row.Group == calc.Records:
		return ""
	case row.Broker:
		return "https://kafka.apache.org/documentation/#brokerconfigs_" + row.Key
	}
	return "https://kafka.apache.org/documentation/#topicconfigs_" + row.Key
}

// ruleOf is where a reason to delete comes from.
func ruleOf(r calc.Reason) Rule {
	switch keyOf(r) {
	case "retention.bytes", "local.retention.bytes":
		return ruleBySize
	case "retention.ms", "local.retention.ms":
		return ruleByTime
	}
	return ruleByStart
}

package placement

import (
	"cmp"
	"strconv"
	"strings"
)

// Partition is a topic's partition.
type Partition struct {
	Topic  string
	Number int32 // ≥ 0
}

// String is the name of the partition's directory: topic-number.
func (p Partition) String() string { return p.Topic + "-" + strconv.Itoa(int(p.Number)) }

// ParsePartition reads topic-number. The last dash parts them; a topic may have dashes and digits of its own.
func ParsePartition(name string) (p Partition, ok bool) {
	dash := strings.LastIndexByte(name, '-')
	if dash < 1 || dash == len(name)-1 {
		return Partition{}, false
	}
	digits := name[dash+1:]
	n, err := strconv.ParseInt(digits, 10, 32)
	if err != nil || n < 0 || digits != strconv.FormatInt(n, 10) {
		return Partition{}, false
	}
	return Partition{name[:dash], int32(n)}, true
}

// comparePartitions orders by topic, then number.
func comparePartitions(a, b Partition) int {
	return cmp.Or(strings.Compare(a.Topic, b.Topic), cmp.Compare(a.Number, b.Number))
}

// maxName is the longest name of a file on the file systems that brokers use, in bytes.
const maxName = 255

// The ends of the names of directories that hold no current log, as Kafka writes them.
const (
	deleteSuffix = "-delete"
	straySuffix  = "-stray"
	futureSuffix = "-future"
)

// idLength is the hexadecimal digits of the random id in such a name.
const idLength = 32

// suffixedName is T-P.h-suffix, T being the topic cut so that the whole fits in 255 characters.
//
// Kafka: UnifiedLog.logDirNameWithSuffixCappedLength.
func suffixedName(p Partition, id, suffix string) string {
	end := "-" + strconv.Itoa(int(p.Number)) + "." + id + suffix
	topic := p.Topic
	if len(topic)+len(end) > maxName {
		topic = topic[:maxName-len(end)]
	}
	return topic + end
}

// futureLength is the length of a future log's name, which is not cut.
//
// Kafka: UnifiedLog.logFutureDirName.
func futureLength(p Partition) int {
	return len(p.String()) + len(".") + idLength + len(futureSuffix)
}

package kafkaconf

import (
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
)

// topicLabels are the names of the fields that kafka-topics.sh --describe prints, those first that contain others.
var topicLabels = []string{
	"Adding Replicas:", "Removing Replicas:", "LastKnownElr:", "PartitionCount:", "ReplicationFactor:", "MarkedForDeletion:",
	"Partition:", "Replicas:", "TopicId:", "Configs:", "Leader:", "Topic:", "Isr:", "Elr:", "Offline:",
}

// topicFields parts a line of kafka-topics.sh --describe; ok is false when it is none. The fields are parted by tabs, which
// are blanks in what was pasted from a terminal. Configs: comes last and may hold anything.
func topicFields(line string) (fields map[string]string, ok bool) {
	line = strings.TrimSpace(line)
	if !strings.HasPrefix(line, "Topic:") {
		return nil, false
	}
	configs := ""
	head, configs, hasConfigs := strings.Cut(line, "Configs:")
	type mark struct{ from, to int }
	var marks []mark
	for _, label := range topicLabels {
		for from := 0; ; {
			at := strings.Index(head[from:], label)
			if at < 0 {
				break
			}
			at += from
			from = at + len(label)
			inside := slices.ContainsFunc(marks, func(m mark) bool { return m.from <= at && at < m.to })
			if !inside && (at == 0 || head[at-1] == '\t' || head[at-1] == ' ') {
				marks = append(marks, mark{at, from})
			}
		}
	}
	order.Sort(marks, func(a, b *mark) int { return a.from - b.from })
	fields = map[string]string{}
	for i, m := range marks {
		end := len(head)
		if i+1 < len(marks) {
			end = marks[i+1].from
		}
		fields[strings.TrimSuffix(head[m.from:m.to], ":")] = strings.TrimSpace(head[m.to:end])
	}
	if hasConfigs {
		fields["Configs"] = strings.TrimSpace(configs)
	}
	return fields, fields["Topic"] != ""
}

// readTopics reads the output of kafka-topics.sh --describe. Of a partition the replicas count as they are now: those that
// are being added too, those that are being removed still.
func (r *reader) readTopics(text string) {
	r.places = map[string]int{}
	d := describeReader{reader: r, brokers: map[string][]given{}, topic: -1, lines: map[string]int{}, several: true}
	first := map[string]int{} // line of a topic's header
	number, skipped, at := 0, 0, 0
	for line := range naturalLines(strings.TrimPrefix(text, byteOrderMark)) {
		number++
		if strings.TrimSpace(line) == "" {
			continue
		}
		fields, ok := topicFields(line)
		if !ok {
			if skipped++; skipped == 1 {
				at = number
			}
			continue
		}
		d.openTopic(fields["Topic"])
		if _, partition := fields["Partition"]; partition {
			d.partitionLine(fields, number)
			continue
		}
		if before := first[fields["Topic"]]; before > 0 {
			r.warn(number, "topic %s is given twice: it was in line %d; what the last one says counts", clip(fields["Topic"], 80), before)
			r.result.Read.Topics[d.topic].Replicas = nil
		}
		first[fields["Topic"]] = number
		d.topicLine(fields, number)
	}
	for i := range r.result.Read.Topics {
		t := &r.result.Read.Topics[i]
		if t.Partitions != nil && len(t.Replicas) > 0 && int64(len(t.Replicas)) != *t.Partitions {
			r.warn(first[t.Name], "topic %s: PartitionCount is %d, but %s listed", clip(t.Name, 80), *t.Partitions, plural(len(t.Replicas), "partition"))
		}
	}
	if skipped > 0 {
		r.note(at, "%s that %s no topic skipped", plural(skipped, "line"), isOrAre(skipped))
	}
}

// topicLine reads the line about a whole topic.
func (d *describeReader) topicLine(fields map[string]string, number int) {
	t := &d.result.Read.Topics[d.topic]
	if _, ok := calc.ParseTopicID(fields["TopicId"]); ok {
		t.ID = fields["TopicId"]
	}
	for _, f := range []struct {
		label string
		into  **int64
	}{{"PartitionCount", &t.Partitions}, {"ReplicationFactor", &t.Replication}} {
		text, given := fields[f.label]
		if !given {
			continue
		}
		n, err := strconv.ParseInt(text, 10, 32)
		if err != nil || n < 0 {
			d.warn(number, "topic %s: %s %s is no number", clip(t.Name, 80), f.label, quote(text))
			continue
		}
		*f.into = &n
	}
	for _, pair := range splitPairs(fields["Configs"]) {
		if key, value, ok := parseSetting(pair); ok {
			d.topicSetting(given{key: key, value: value, line: number})
		}
	}
}

// maxReplicas is the most replicas of one partition that are read.
const maxReplicas = 1000

// partitionLine reads the line about a partition.
func (d *describeReader) partitionLine(fields map[string]string, number int) {
	t := &d.result.Read.Topics[d.topic]
	partition, err := strconv.ParseInt(fields["Partition"], 10, 32)
	if err != nil || partition < 0 {
		d.warn(number, "topic %s: partition %s is no number", clip(t.Name, 80), quote(fields["Partition"]))
		return
	}
	var ids []int32
	for text := range strings.SplitSeq(fields["Replicas"], ",") {
		id, err := strconv.ParseInt(strings.TrimSpace(text), 10, 32)
		if err != nil || id < 0 || len(ids) == maxReplicas {
			d.warn(number, "topic %s: replicas %s of partition %d are no list of brokers", clip(t.Name, 80), quote(fields["Replicas"]), partition)
			return
		}
		ids = append(ids, int32(id))
	}
	if _, again := t.Replicas[int32(partition)]; again {
		d.warn(number, "topic %s: partition %d is given twice; the last one counts", clip(t.Name, 80), partition)
	}
	if t.Replicas == nil {
		t.Replicas = map[int32][]int32{}
	}
	t.Replicas[int32(partition)] = ids
}

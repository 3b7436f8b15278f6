package kafkaconf

import (
	"strconv"
	"strings"
)

// Headings of what IBM's command prints about a topic. After each comes a line with the names of columns, then rows.
const (
	ibmDetails    = "Details for topic "
	ibmPartitions = "Partition details for topic "
	ibmConfig     = "Configuration parameters for topic "
)

// isIBMTopic recognises a heading.
func isIBMTopic(line string) bool {
	return strings.HasPrefix(line, ibmDetails) || strings.HasPrefix(line, ibmConfig)
}

// readIBMTopic reads the output of "ibmcloud es topic NAME", of one topic or of several after each other: its partitions,
// the brokers of each, and its settings.
//
// Source: the FAQ of IBM Event Streams shows the output.
func (r *reader) readIBMTopic(text string) {
	d := describeReader{reader: r, topic: -1, lines: map[string]int{}}
	d.several = strings.Count(text, ibmDetails) > 1 || strings.Count(text, ibmConfig) > 1
	r.places = map[string]int{}
	at, names := "", false // the heading, and whether its columns have been named
	number := 0
	for line := range naturalLines(strings.TrimPrefix(text, byteOrderMark)) {
		number++
		line = strings.TrimSpace(line)
		if heading := ibmHeading(line); heading != "" {
			at, names = heading, false
			d.openTopic(strings.TrimSpace(line[len(heading):]))
			continue
		}
		switch {
		case line == "" || at == "":
		case !names:
			names = true
		case at == ibmConfig:
			key, value, _ := strings.Cut(line, " ")
			if !isSettingName(key) {
				d.skip(number)
				continue
			}
			d.topicSetting(given{key: key, value: strings.TrimSpace(value), line: number})
		case at == ibmDetails:
			d.ibmRow(strings.Fields(line), number)
		case at == ibmPartitions:
			d.ibmReplicas(line, number)
		}
	}
	d.noteSkipped()
}

// ibmHeading is the heading that a line begins with, or "".
func ibmHeading(line string) string {
	for _, heading := range []string{ibmDetails, ibmPartitions, ibmConfig} {
		if strings.HasPrefix(line, heading) {
			return heading
		}
	}
	return ""
}

// ibmRow takes the row of a topic: name, whether it is internal, partitions, replicas.
func (d *describeReader) ibmRow(fields []string, number int) {
	if len(fields) < 4 {
		d.skip(number)
		return
	}
	topic := &d.result.Read.Topics[d.topic]
	for i, into := range []**int64{&topic.Partitions, &topic.Replication} {
		n, err := strconv.ParseInt(fields[len(fields)-2+i], 10, 32)
		if err != nil || n < 1 {
			d.warn(number, "%s is no number of %s", quote(fields[len(fields)-2+i]), [...]string{"partitions", "replicas"}[i])
			continue
		}
		*into = &n
	}
}

// ibmReplicas takes the row of a partition: its number, the leader, the brokers of its replicas, and those in sync.
func (d *describeReader) ibmReplicas(line string, number int) {
	before, rest, _ := strings.Cut(line, "[")
	list, _, ok := strings.Cut(rest, "]")
	fields := strings.Fields(before)
	if !ok || len(fields) == 0 {
		d.skip(number)
		return
	}
	var ids []int32
	for text := range strings.FieldsSeq(list) {
		id, err := strconv.ParseInt(text, 10, 32)
		if err != nil || id < 0 || len(ids) == maxReplicas {
			d.warn(number, "replicas %s are no list of brokers", quote(list))
			return
		}
		ids = append(ids, int32(id))
	}
	partition, err := strconv.ParseInt(fields[0], 10, 32)
	if err != nil || partition < 0 {
		d.warn(number, "partition %s is no number", quote(fields[0]))
		return
	}
	topic := &d.result.Read.Topics[d.topic]
	if topic.Replicas == nil {
		topic.Replicas = map[int32][]int32{}
	}
	topic.Replicas[int32(partition)] = ids
}

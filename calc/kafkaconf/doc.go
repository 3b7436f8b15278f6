// Package kafkaconf reads what people paste or export: a broker's server.properties, the output of
// kafka-configs.sh --describe, kafka-topics.sh --describe and kafka-log-dirs.sh --describe, and a traffic series as CSV.
//
// [Detect] tells the format from the content, [Parse] reads it ([ReadSeries] a traffic series), and [Result.Apply] puts one topic and its broker's defaults
// into a [calc.Input]. Values are read as Kafka reads them, which is not as people type them: a size has no unit, and a #
// after a value belongs to it. What could not be taken is in the result with the way out; a file that makes no sense gives
// an error. Nothing panics, whatever the bytes.
//
// What is not read: settings that say nothing about disks, placement or the shape of the cluster. Their values are never
// repeated in a message, since they may be passwords. The other formats that Kafka's users have (YAML of several kinds,
// Terraform, ls, du) are recognised and refused by name.
package kafkaconf

// Package placement says where Kafka puts replicas: on which brokers, in which of a broker's log directories, and in which
// order. It plays what happens to them afterwards: moves, failures, deletions.
//
// [Broker] is a broker's LogManager: partitions, directories and a clock, no bytes. [Place] is the controller's
// StripedReplicaPlacer, [CreationOrder] the order in which a broker makes the logs of new partitions, and [ParseLogDirs]
// what Kafka reads in log.dirs. All were recorded from Kafka 4.3.1 and 4.4.0; testdata holds the traces.
//
// Not modelled: the order of directories whose paths have equal hash codes before 4.4, the directory ids that a restart
// reports to the controller, and HashMap buckets that have become trees (more than eight racks or partitions in one bucket).
package placement

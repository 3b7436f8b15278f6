// Package fleet says how full the directories of a whole cluster get, and when: many topics with their own settings and
// traffic, on brokers with directories of given size.
//
// A [Description] is what the cluster is and what happens to it. [Run] simulates one partition for each distinct
// combination of settings and rate (package calc), places all replicas as Kafka does (package placement), and adds up.
//
// What is exact: which replica is where, for the seed; the bytes of each partition. What is a bound: the sum of partitions
// that differ, for their peaks within one of the about thousand spans of time are added as if they fell together; a copy,
// which counts whole from its beginning; followers, which are taken to be as large as their leaders; internal topics, whose
// compaction is not modelled.
package fleet

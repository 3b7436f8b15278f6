// Package provider says what managed Kafka services reserve, refuse and delete, whatever Kafka itself would do.
//
// Each service is a file of rules as data. A rule has one of six shapes:
//
//	bound        a key, or a fact such as the number of partitions, has a least, a most, a step, or words
//	reservation  a formula reserves bytes for each partition, and the sum may take a share of the storage
//	ladder       the share of a disk that is in use decides what is done, and how often
//	staircase    the disk grows by steps, with a time to wait between them
//	tier         what a remote copy means here
//	fixed        what cannot be set, or cannot be changed
//
// and says where it was read, when, and how well. Facts that were read nowhere are not here; what a source implies without
// saying it is a rule of confidence [Unverified], and is shown as such.
//
// [Check] holds a [Request] (an instance and its topics) against the rules of one service, [Table] against all of them.
// [NewAccount] reckons what IBM Event Streams reserves, [PlayDisk] what ApsaraMQ deletes, [Climb] whether a disk that grows
// by steps keeps up.
//
// Everything is whole numbers; the same request gives the same answer everywhere. What is not modelled: prices, and any
// service's behaviour that its pages do not tell.
package provider

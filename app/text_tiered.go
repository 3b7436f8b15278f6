package app

// textTiered is every word of the Tiered view that is not Kafka's, a setting's row or the engine's answer.
var textTiered = struct {
	view, heading, peak, healthy, healthyCap, steady, remote, remoteCap, metadata                                               string
	lanes, focusAll, focusOutage, focusPeak, downFrom, downTo, add, remove, which, whichOne, never                              string
	badTime, badOrder, badAfter                                                                                                 string
	local, store, keyBoth, keyAlone, keyPast, keyWait, keyRemote, keyRemoteBoth, keyDown, keyTotal, keyColumn, keyUntil, scales string
	film, filmSays, filmRow, filmNone, filmWait, stateActive, stateWait, keyDangling, keyDangles                                string
	table, colTime, colLocal, colAlone, colRemote, colDangling, colSegments, colWhat                                            string
	off, offWhat, turnOn, turnOnKeep, offOld, useVersion, byHand, byHandDrop                                                    string
	meta, metaIf, checking, checkedBefore, noCheck, segment, records, lifeStored, lifeDangling, lifeOpen, lifeKept              string
	card, setTo, setNever, rowNow, rowAdvised, rowDefault, colWhich, colRetention, colBroker, colAll, colDisk                   string
	least, leastNone, term, termTime, leastSum, advised, notCounted                                                             string
	restart, curve, restartAt, trap1, trapN                                                                                     string
	topics, topicsSays, topicsMany, name, partitions, traffic, keep, others, addTopic, dropTopic, noName, blank                 string
	asText, asTextSays, useText, textEmpty, textRead, textLeft, textNone, moreTopics                                            string
	topicSafe, riskTopic, riskParts, riskSegments, riskBytes, riskFirst, risks, unknownKey, spokenMeta                          string
}{
	view: "Tiered", heading: "Tiered storage of one partition",
	peak: "Local peak on disk", healthy: "Most before the outage", healthyCap: "on disk, in a healthy time", steady: "Local steady band",
	remote: "Most in the remote store", remoteCap: "of records; %s segments copied", metadata: "Metadata",

	lanes: "Local above, remote below", focusAll: "All %s", focusOutage: "The outage", focusPeak: "Around the peak",
	downFrom: "Remote store down from", downTo: "to", add: "Add an outage", remove: "Remove the outage", which: "Outage", whichOne: "%d: from %s",
	never:   "never",
	badTime: "“%s” is no time; write it as in 36h, 90min or 6d.", badOrder: "An outage ends after it begins.", badAfter: "The simulated time ends at %s.",

	local: "Local disk", store: "Remote store", keyBoth: "local, copied", keyAlone: "local, not copied", keyPast: "of that, past local retention",
	keyWait: "files of deleted segments", keyRemote: "in the remote store only", keyRemoteBoth: "in both places",
	keyDown: "remote store down", keyTotal: "all on disk", keyColumn: "the most in each %s", scales: "The two scales differ.",
	film: "Where each segment is", filmSays: "A row is a segment, the oldest on top: its upper half is the local disk, its lower half the remote store.",
	filmRow: " A row stands for one of %s.", filmWait: "Where each segment is: being worked out …", filmNone: "Zoom in to see where each segment is: too much happens in this time.",
	stateActive: "being written", stateWait: "deleted, file waits",
	keyDangling: "would dangle if all brokers restarted then", keyDangles: "dangles since all brokers restarted at %s",
	keyUntil: "What dangles is known up to %s.",
	table:    "The lanes as a table", colTime: "Time", colLocal: "On the local disk", colAlone: "Not copied", colRemote: "In the remote store", colDangling: "Dangling",
	colSegments: "Segments, local / remote", colWhat: "What happens",

	off: "This topic is not tiered", offWhat: "All of it, up to %s, is on the broker's disk. Tiered, closed segments are copied to a remote store, and local.retention.* says how much stays on the disk.",
	turnOn: "Turn on tiered storage", turnOnKeep: "… and keep 1 day on the disk", offOld: "Kafka has tiered storage from 3.6 on; this is %s.", useVersion: "Use Kafka 4.3",
	byHand: "The steps say themselves what is copied (copied-to, copy-every), so what is in the remote store is not simulated.", byHandDrop: "Leave the steps out",

	meta: "Does the metadata outlive the data?", metaIf: "If this topic were tiered:", checking: "Checking: %s %%", checkedBefore: "What is shown is the finding before.",
	noCheck: "It cannot be checked:", segment: "Segment", records: "Metadata",
	lifeStored: "in the remote store, and known", lifeDangling: "there still: a restart of all brokers leaves it dangling",
	lifeOpen: "the file with its metadata is written to", lifeKept: "that file is kept, until its newest event is too old",
	card: "Retention of __remote_log_metadata", setTo: "Set it to %s", setNever: "Set it to −1, for ever",
	rowNow: "As it is", rowAdvised: "Recommended", rowDefault: "Kafka's default", colWhich: "Retention", colRetention: "Kept for", colBroker: "Each broker", colAll: "All replicas",
	colDisk: "Disk of the metadata topic, the most in %s",
	least:   "Least retention that is safe in any traffic", leastNone: "Only an unlimited retention is safe: %s.", term: "Term", termTime: "Time",
	leastSum: "Least that is safe", advised: "With a day's margin, in whole days: %s", notCounted: "Not in the sum",
	restart: "If all brokers restart", curve: "Bytes that dangle, by the time of the restart: at most %s.", restartAt: "All brokers restart at",
	trap1: "1 trap", trapN: "%d traps",

	topics: "Topics checked together", topicsSays: "They share the metadata topic. A blank field is as in the settings.", topicsMany: "%s topics are checked together.",
	name: "Topic", partitions: "Partitions", traffic: "Traffic of one", keep: "Keep for", others: "Other settings", addTopic: "Add a topic", dropTopic: "Remove %s",
	noName: "A topic needs a name; this one is left out.", blank: "as set",
	asText: "As text, or paste topics", asTextSays: "A topic a line, as in “orders partitions=50 produce=5MiB/s retention.ms=30d”; or what kafka-topics.sh or kafka-configs.sh --describe prints. It stays in this browser.",
	useText: "Use these topics", textEmpty: "There is no topic in it.", textRead: "%d topics taken.", textLeft: " %d are not tiered and left out.", textNone: "It cannot be read: %s",
	moreTopics: "%s more topics, in the text below.",
	topicSafe:  "no risk", riskTopic: "Topic", riskParts: "Partitions", riskSegments: "Segments at risk", riskBytes: "Bytes", riskFirst: "First at",
	risks: "Topics and their risk", unknownKey: "%s is not a setting.", spokenMeta: "Metadata: %s.",
}

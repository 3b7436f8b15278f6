package app

// clusterText is every word of the cluster's view that is not Kafka's, the engine's or the scene's.
var clusterText = struct {
	view, heading, answer, settings, working, stop, stopped, old, waits                        string
	where, placement, timeShown, twin, key, keyFree, keyOver, keyBlock, skyHow                 string
	kafka, byBytes, byLoad                                                                     string
	brokers, dirs, size, topics, name, partitions, replicas, traffic, skew, own                string
	topicsHelp, add, remove, whatIf, day, what, value, addStep                                 string
	steps, help                                                                                [11]string
	limits, ulimit, maps, seed, seedHelp                                                       string
	defaults, defaultsNone, defaultsWhere                                                      string
	paste, pasteHelp, pasteLabel, pasteUse, pasteFile, pasted, pastedNot, drop, feed           string
	feedHelp, pastedName, tooLarge, unreadable, lost                                           string
	notNumber, noName, needsUnit, notStep, notPair, notHere, hasProblems, from, earlier, later string
	reset, broker, cameFrom, even, full                                                        string
}{
	view: "Cluster", heading: "Disk use of a Kafka cluster", answer: "Answer", settings: "The cluster",
	working: "Working it out: %d %%.", stop: "Stop", stopped: "Stopped. ", old: "What is shown is the answer before.", waits: "Starting …",
	where: "Where you are", placement: "Placement", timeShown: "Time shown", twin: "The bars as a table", key: "Key", keyFree: "free",
	keyOver: "more than the disk has", keyBlock: "a block is one replica; its length is its bytes",
	skyHow: "The dashed line is the even share. Press a bar to open its directory, or use the list below.",
	kafka:  "As Kafka", byBytes: "By bytes", byLoad: "By load",
	brokers: "Brokers", dirs: "Directories", size: "Size of each", topics: "Topics", name: "Topic", partitions: "Partitions",
	replicas: "Replicas", traffic: "Traffic", skew: "Skew", own: "Own settings",
	topicsHelp: "Traffic is the whole topic's; its skew over the partitions is even, zipf 1.2, weights 8 1 1 (one a partition), or keys a:5 b:1. Own settings are as retention.ms=3d, apart by spaces.", add: "Add a topic", remove: "Remove",
	whatIf: "What if …", day: "on day", what: "what happens", value: "value", addStep: "Add a step",
	steps: [11]string{"a broker is lost", "traffic is multiplied", "settings change", "a directory is added", "a broker is added", "partitions are added",
		"a topic is created", "a topic is deleted", "a directory fails", "a replica is moved", "a partition is reassigned"},
	help: [11]string{"2, or 2 50MiB/s: its id, and at what rate copies are made", "2, 0.5 or 3/2; orders 2: of one topic", "retention.ms=1d; orders retention.ms=1d: of one topic",
		"1, or 1 /data/z: to a broker, its path", "5: its id", "orders 12: how many more", "clicks 12 3 2MiB/s: partitions, replicas, traffic", "orders",
		"1 /data/a: broker and directory", "orders-0 1 /data/b 50MiB/s: on a broker, to a directory, throttled", "orders-0 2,3,4 50MiB/s: to brokers, throttled"},
	limits: "Limits", ulimit: "Open files", maps: "Memory maps", seed: "Seed",
	seedHelp: "of the controller's random numbers: another seed, another spread",
	defaults: "Every topic has ", defaultsNone: "Every topic has Kafka's defaults", defaultsWhere: " as set in the Partition view.",
	paste: "From a real cluster", pasteLabel: "Output of Kafka's tools",
	pasteHelp: "The output of kafka-topics.sh --describe and of kafka-log-dirs.sh --describe, or a description as partsize cluster reads it. It stays in this browser, is not stored, and is not in the link.",
	pasteUse:  "Use it", pasteFile: "Choose files", pasted: "%s, %s", pastedNot: "What was pasted is not in the link: who opens it sees the form's cluster.",
	drop: "Drop", feed: "Traffic of all", feedHelp: "spread over what has bytes, in proportion", pastedName: "pasted %d", tooLarge: "%s has %s; at most %s are read.", unreadable: "%s cannot be read.",
	lost:      "What works it out has ended, maybe for want of memory. Change something to try again.",
	notNumber: "“%s” is not a whole number from %d to %d.", needsUnit: "“%s”: %s.", notStep: "Write as in %s.",
	notPair: "“%s” is not key=value.", notHere: "“%s” has a field of its own.", noName: "A topic needs a name.",
	hasProblems: "Shown is the last cluster that could be worked out.", from: "%d to %d of %d", earlier: "Previous", later: "Next",
	reset: "Start again with the example", broker: "Broker %s", cameFrom: "Where this replica is", even: "even share", full: "first full",
}

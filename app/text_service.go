package app

// serviceText is the words of the view of a managed service that are not the rules' own.
var serviceText = struct {
	view, heading, pick, plan, unknown, unknownUse                      string
	none, noneSays, allRules, stored, defaults                          string
	reserved, reservedOf, limit, each, each2, fit, fitCap               string
	peak, peakCap, kept, keptCap, keptNone, early                       string
	earlyCap, replica, replicas, error, unverified, waysOut             string
	chart, levels, above, belowAll, tableOf, use                        string
	long, byService                                                     string
	account, barReserved, barSimulated, barService, barPeak, barOne     string
	keyReserved, keyRefused, keySimulated, keyLimit, unlimited, noLimit string
	adds, perTopic, topic, partitions, percent, total, more, moreTopics string
	thisTopic, ignored, metric                                          string
	others, othersHelp, othersRead, othersRead1, othersNone, tooLong    string
	ask, askTopic, askCreate, askCreateHelp, askAdd, askSet, askSetHelp string
	askExists, askNoPair, askNoNumber, allowed, refused, unknownYet     string
	dailyIs, dailyUse, dailyGiven                                       string
	disk, keyUse, keyDisk, assumed                                      string
	colTime, colWhat, colFreed, colAfter, colKept, colForced, keptTo    string
	keptAll, between, uncounted, internal, askFewer, askInstead, asking string
	moreMarks, cut, why, whyRecord, whyAt, whyBad, needDisk             string
	growth, growthAsk, growthUse, growthStep, growthPace                string
	all, allCap, colService, colVerdict, colRule, colChange, colSource  string
	wait, moreRules, none2, rulesPage                                   string
	readOn, partition1, partitionN, findTitle, findShow                 string
}{
	view: "Service", heading: "A managed service", pick: "Service", plan: "Plan",
	unknown: "The link names a service that is not known here: %s.", unknownUse: "Use %s",
	none:     "Apache Kafka on your own brokers",
	noneSays: " has no limit but its own: nothing is reserved, and nothing is deleted but what the partition's view shows. Pick a service to see what it reserves, refuses and deletes.",
	allRules: "All rules of all services, with their sources", defaults: "Simulated with the service's own defaults: ",
	stored: "What the instance has",

	reserved: "Reserved", reservedOf: "%s %% of the storage, %s", limit: "May be reserved",
	each: "A partition of this topic", each2: "A partition", fit: "More partitions fit", fitCap: "like this topic's",
	peak: "Peak of the disk", peakCap: "%s %% of %s, at %s",
	kept: "Readers get at least", keptCap: "at most %s; configured %s", keptNone: "nothing is deleted", early: "Deleted before their time", earlyCap: "segments",
	replica: "One replica at its peak", replicas: "All replicas", error: "The client gets ",
	unverified: "not verified", waysOut: "A way out: ",

	chart:  "One replica on its disk, and the service's levels",
	levels: "Levels of the service", above: "far above the drawing", belowAll: "No level of this service can be drawn: it has none, or the storage or the disk is not given.",
	tableOf: "The drawing as a table", use: "in use",
	byService: "the service's default",
	long:      "This topic takes too long to be simulated with the service's defaults; what it has on disk is the worst case.",

	account: "Reserved against simulated", barReserved: "Reserved", barSimulated: "Simulated",
	barService: "by the service", barPeak: "peak, each partition once", barOne: "peak of this topic",
	keyReserved: "reserved", keyRefused: "above the limit", keySimulated: "simulated peak", keyLimit: "limit: %s",
	noLimit:   "no limit",
	unlimited: "A partition without retention.bytes would reserve without limit; the service wants a number.",
	adds:      "How the reservation of a partition adds up", perTopic: "Reserved for each topic", topic: "Topic", partitions: "Partitions",
	percent: "Percent", total: "Reserved", more: "More fit", moreTopics: "%s more topics take %s.", thisTopic: "this topic",
	ignored: "no effect: ", metric: "The service shows the percentage as ",

	others: "Other topics of the instance", othersHelp: "One a line: its name, its partitions, its settings, as in “orders 12 retention.bytes=10GiB”. The output of kafka-topics.sh or kafka-configs.sh --describe is read, too.",
	othersRead: "%s topics beside this one.", othersRead1: "One topic beside this one.", othersNone: "This topic is the only one.",
	tooLong: "With these topics the link has %s bytes; at most %s are read, so it cannot be shared.",

	ask: "What would the service say?", askTopic: "To which topic", askCreate: "Create a topic", askCreateHelp: "name, partitions, settings: audit 6 retention.bytes=5GiB",
	askAdd: "Add partitions", askSet: "Change a setting", askSetHelp: "a setting with its new value: retention.bytes=20GiB",
	askExists: "there is such a topic already", askNoPair: "is no setting with a value, such as retention.bytes=20GiB",
	askNoNumber: "is no whole number",
	allowed:     "Allowed", refused: "Refused", unknownYet: "Not known",

	dailyIs: "%s a day, kept for %s, over %s: %s for each partition.", dailyUse: "Set retention.bytes to %s",
	dailyGiven: "retention.bytes=%s is given and holds instead.",

	disk: "The disk of the instance", keyUse: "between the least and the most in use", keyDisk: "size of the disk",
	assumed: "Assumed, because the source does not say: ",
	colTime: "Time", colWhat: "What", colFreed: "Freed", colAfter: "In use after it", colKept: "Kept", colForced: "Segments before their time", keptTo: "%s to %s; configured: %s", keptAll: "nothing is deleted; the oldest record gets %s", between: "%s to %s",
	asking: "%s is being asked …", askFewer: "Add %s instead", askInstead: "Ask with %s=%s",
	uncounted: "1?: how many partitions the topic has is not given, and one is taken. Write it after the name, as in “orders 12”.",
	internal:  "Kafka’s own, and set apart: %s. No rule is held against them, and no sum has them.",
	moreMarks: "The table has the first %d of %s cleanings.", cut: "The play ends early, at %s: there is too much to do.",
	why: "Why is an expired message still there?", whyRecord: "A record that came at", whyAt: "looked at", whyBad: "is no time, such as 3d 4h",
	needDisk: "Give the size of the disk to have the instance played: ",

	growth: "Does the disk grow fast enough?", growthAsk: "The disk grows by itself only when that is set. ", growthUse: "Let it grow from %s %% of use on",
	growthStep: "enlarged from %s to %s", growthPace: "%s come to the fullest broker; its first disk can grow by %s for good.",

	all: "This topic at every service", allCap: "Verdict of each service for this topic", colService: "Service", colVerdict: "Verdict",
	colRule: "Rule that decides", colChange: "What to change", colSource: "Source, day read",
	wait: "Asking all services …", moreRules: "and %s more", none2: "none needed", rulesPage: "services.html",
	readOn: "read %s · %s", partition1: "1 partition", partitionN: "%s partitions",
	findTitle: "%s: %s", findShow: "Show the service",
}

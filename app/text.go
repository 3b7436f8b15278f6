package app

// text is every word of the page that is not Kafka's, a setting's row or the engine's answer. Other languages can follow;
// Kafka's keys are never translated.
var text = struct {
	brand, tag, views, pinnedPeak, skip, view, themeDark, themeLight, share                   string
	heading, answer, settings, paste, resetAll, noneChanged, oneChanged, changed              string
	peak, steady, oldest, noSteady, neverDeleted                                              string
	firstAt, from                                                                             string
	receiptIn, exactly, notSteady, leastAge, inAll, segments                                  string
	sensitive, sensitiveKey, sensitiveHalf, sensitiveDouble, sensitiveWait                    string
	stay, stayWhich, stayNone                                                                 string
	undo, redo, presets, recent, scenarios                                                    string
	dismiss, linkMore, moreProblems, spokenProblem, spokenProblems, pinnedBand, zoom          string
	filmOldest, filmNewest, filmTooMany, filmEvery, keyActive, keyClosed, keyPast, keyGone    string
	keyLeast, help, kafkaDocs, colBytes, colFile, colState, pasteSeries                       string
	factDefault, factBounds, factBroker, factSince, factSource, factKind, factModel           string
	shownWith, goTo, staleAnswer, notFollowed                                                 string
	overview, warning, note, time, focus, all, first, around, zoomIn, zoomOut, earlier, later string
	timeShown, event, eventBack, eventOn, toPeak, key, keyLog, keyIndexes, keyWaiting         string
	keyTotal, keySwing, keyLimit, keyBroken, table, tableAll                                  string
	colTime, colLog, colIndexes, colWaiting, colTotal, colWhat                                string
	filesAt, filesCommand, filesTotal, more, showAll, showFew, tools, next, noNext            string
	about, byDefault, isReset, reset, use, inherited, more1, moreN, moreChanged               string
	broker, own, followsNot                                                                   string
	defaultNothing                                                                            string
	pasteTitle, pasteHelp, pasteLabel, pasteFill, pasteClose, pasteTooLong                    string
	pasteEmpty, pasteRead, pasteRead1, pasteNothing, pasteUnknown, pasteTopic                 string
	pasteNotes, pasteMore                                                                     string
	linkTooLong, linkBroken, linkNoValue, linkNewer, linkNoVersion, linkUnknown               string
	linkMeant, linkDrop                                                                       string
	computing, stop, stopped, again, computed, computedHome                                   string
	updated, reload                                                                           string
	explained, give, peakStalled, defaultsOf, defaultsService, noEffect                       string
	setTo, noneFound, finding1, findingN, noFindings                                          string
	foot, licences, departs                                                                   string
}{
	brand: "Partsize", views: "Views", tag: "bytes of a Kafka partition on disk", pinnedPeak: "peak", skip: "Skip to the answer", view: "Partition",
	themeDark: "Theme: dark. Use light", themeLight: "Theme: light. Use dark",
	share: "Share…",

	heading: "Disk use of one Kafka partition", answer: "Answer", settings: "Settings", paste: "Paste…",
	resetAll: "Reset all", noneChanged: "All at ", oneChanged: "1 differs from ", changed: "%s differ from ",
	defaultsOf: "the defaults of Kafka %s.", defaultsService: "the service's own defaults, and those of Kafka %s where it has none.",

	peak: "Peak on disk", steady: "Steady band", oldest: "Oldest record",
	noSteady: "none", neverDeleted: "nothing is deleted", firstAt: "first at %s", from: "from %s on",

	notSteady: "no steady state in the simulated time", leastAge: "at least ", inAll: "on all brokers together",
	segments:  "Segments",
	sensitive: "What would change the peak most?", sensitiveKey: "Setting", sensitiveHalf: "Halved", sensitiveDouble: "Doubled",
	sensitiveWait: "Trying each setting at half and at twice its value …",
	stay:          "Why is it still here?", stayWhich: "Segment on disk at the time shown", stayNone: "There is no segment.",
	undo: "Undo", redo: "Redo", presets: "Presets", recent: "Links you copied", scenarios: "Scenarios",
	dismiss: "Dismiss", linkMore: "More keys of the link are unknown.", moreProblems: "and %d more settings with a problem.",
	spokenProblem: "One setting has a problem.", spokenProblems: "%d settings have a problem.", pinnedBand: "%s steady", zoom: "Zoom",
	filmOldest: "oldest", filmNewest: "newest", filmTooMany: "Zoom in to see each segment's life: too much happens in this time.",
	filmEvery: "a row stands for one of %d segments", keyActive: "segment being written", keyClosed: "closed", keyPast: "past retention, waits for a check",
	keyGone: "files of deleted segments", keyLeast: "at least", help: "Help", kafkaDocs: "Kafka documentation", colBytes: "Bytes", colFile: "File", colState: "State",
	pasteSeries: "Read %s rows as measured traffic over %s: ",
	factDefault: "Default", factBounds: "Takes", factBroker: "Inherits", factSince: "Versions", factSource: "Source", factKind: "Kind", factModel: "Model",
	receiptIn: ", in %s", exactly: "%s exactly",

	shownWith: "Shown with the last valid ", goTo: "Go to the field",
	staleAnswer: "This is still the answer to an earlier scenario: what is typed now cannot be simulated.",
	notFollowed: "Not modelled: ",

	overview: "Overview of all the time, from zero to %s on disk. The part shown below is framed.", warning: "Warning", note: "Note",
	time: "Disk over time", focus: "Part of the time shown", all: "All %s", first: "First delete", around: "Around the peak",
	zoomIn: "Zoom in", zoomOut: "Zoom out", earlier: "Earlier", later: "Later",
	timeShown: "Time shown", event: "Event", eventBack: "Previous event", eventOn: "Next event", toPeak: "To the peak",
	key: "Key", keyLog: "log: live segments", keyIndexes: "indexes, snapshots, blocks", keyWaiting: "deleted, waits for removal",
	keyTotal: "all on disk", keySwing: "between least and most in each %s", keyLimit: "limit", keyBroken: "axis starts at %s",
	table: "The chart as a table", tableAll: "Disk use in the part of the time shown",
	colTime: "Time", colLog: "Log", colIndexes: "Indexes", colWaiting: "Awaiting removal", colTotal: "On disk", colWhat: "What happens",

	filesAt: "Files at %s", filesCommand: "$ ls -l", filesTotal: "total %s", more: "%s more closed segments. ",
	showAll: "Show all %s files", showFew: "Show fewer", tools: "What the tools report", next: "Next events",
	noNext: "Nothing more happens until the end of the simulated time.",

	about: "About %s", byDefault: "default", isReset: "changed from %s ", reset: "reset", use: "Use %s",
	inherited: "from %s = %s ", more1: "1 more", moreN: "%d more", moreChanged: ", %d changed",
	broker: "A setting of the broker.", own: "A setting of this model, not of Kafka.",
	followsNot:     "Not followed by the model: %s.",
	defaultNothing: "nothing",

	pasteTitle: "Paste a configuration", pasteLabel: "Configuration",
	pasteHelp: "A server.properties, the output of kafka-configs.sh --describe, or a traffic series as CSV. It stays in this browser.",
	pasteFill: "Fill the form", pasteClose: "Close",
	pasteTooLong: "The text has %s characters; at most %s are read here. Keep the part about the broker or the topic that matters.",
	pasteEmpty:   "There is nothing to read yet.", pasteRead: "Read %d settings as %s: ", pasteRead1: "Read 1 setting as %s: ",
	pasteNothing: "Read as %s: it sets nothing that decides over disk use.", pasteUnknown: "Not understood, or to look at:",
	pasteTopic: "Topic", pasteNotes: "Notes", pasteMore: "and %d more",

	linkTooLong: "This link has %d bytes; at most %d are read. What you see is not its scenario.",
	linkBroken:  "The link breaks off at “%s”: a part of it is missing, or was changed on the way.",
	linkNoValue: "The link has “%s” without a value; it may have been cut.", linkNewer: "This link is of version %d, newer than this page (%d). Reload for the newest page; what is understood is shown.",
	linkNoVersion: "The link gives “%s” for its version, which is not a number from 1 on.",
	linkUnknown:   "%s = %s is not a setting; it is kept in the link.", linkMeant: "Use %s", linkDrop: "Drop it",

	computing: "Simulating: %s of %s. ", stop: "Stop", stopped: "Stopped. ", again: "Simulate",
	computed: "What is shown is the answer before.", computedHome: "What is shown is the answer at Kafka's defaults.",
	updated: "A new version of this page is ready.", reload: "Use it",

	explained: "Explained in ", give: "Give %s", peakStalled: "Peak, never cleaned",
	noEffect: "no effect: cleanup.policy is compact ",
	setTo:    "Set %s to %s", noneFound: "No findings", finding1: "1 finding", findingN: "%d findings", noFindings: "Nothing in this scenario is likely to surprise you.",
	foot:     "Model %s of Apache Kafka %s. Everything is computed in this browser; nothing is sent.",
	licences: "Licences", departs: "Where the model departs from Kafka",
}

// departures is where the model departs from Kafka.
var departures = []string{
	"Compaction is not simulated: a compacted topic is shown as if nothing was ever compacted.",
	"Of a tiered topic one leader's copying and deleting is simulated, not changes of the leader nor the cache of remote indexes.",
	"Checks run on time: a busy broker's scheduler may be late, and its log then grows for that long.",
	"Allocated sizes are those of a file system with 4096-byte blocks and sparse files, as ext4 and xfs are.",
	"Traffic is even between the instants that the settings name; real producers are not.",
	"Leader epochs do not change, and transactions are never aborted.",
}

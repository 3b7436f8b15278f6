package app

// embedText is the words of frames in other pages, and of what is copied for them.
var embedText = struct {
	linkTwice                                string
	noPart, noLock, whole, locked, home      string
	title, copy, copyWhat, done, byHand      string
	inPages, pickParts, pickLocks, pickTheme string
	frameTitle                               string
	parts, themes                            map[string]string
	copies                                   [3]struct{ label, help string }
}{
	linkTwice: "The link gives “%s” twice; the last one counts.",

	noPart: "There is no part “%s” to show; there are %s.", noLock: "“%s” cannot be locked: it is not a setting.",
	whole: "Open in Partsize", locked: "fixed by this page", home: "Back to the values of this page",

	title: "Share", copy: "Copy", copyWhat: "Copy: %s", done: "%s: copied.",
	byHand:  "This browser does not let the page copy. The text is selected: copy it with Ctrl+C, or ⌘C.",
	inPages: "In another page", pickParts: "Shows", pickTheme: "Theme", pickLocks: "Readers cannot change",
	frameTitle: "Disk use of a Kafka partition",
	parts: map[string]string{partAnswer: "Answer", partChart: "Chart", partFilm: "Segments", partTable: "Table", partForm: "Settings",
		"": "The whole view", partLanes: "Both places over time", partMetadata: "The metadata check"},
	themes: map[string]string{"auto": "The reader's, on its own ground", "light": "Light, on the page's ground", "dark": "Dark, on the page's ground"},
	copies: [3]struct{ label, help string }{
		{"Link", "The scenario is in the part after the #, which reaches no server."},
		{"Frame", "Works in every page that takes an iframe. Its height is fixed; what is higher scrolls."},
		{"Element", "Fits its height to what it shows, and shows the answer as a link where scripts do not run."},
	},
}

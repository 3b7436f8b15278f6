package app

// embedText is the words of frames in other pages, and of what is copied for them.
var embedText = struct {
	noPart, noLock, whole, locked, home string
}{
	noPart: "There is no part “%s” to show; there are %s.", noLock: "“%s” cannot be locked: it is not a setting.",
	whole: "Open in Partsize", locked: "fixed by this page", home: "Back to the values of this page",
}

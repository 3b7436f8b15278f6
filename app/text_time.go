package app

// timeText is the words of the moment: a record that is picked, a change of retention that is tried, the film.
var timeText = struct {
	record, recordHint, recordNow, working                                 string
	phases, phaseEarly, phaseAt, phaseLate                                 string
	change, changeHint, changeMs, changeBytes, changeKeep, changeForget    string
	play, pause, gestures, filmTable                                       string
	colSegment, colSize, colFirst, colClosed, colPast, colDeleted, colGone string
	changeIn, changeNow, changeNone, linkNoTime                            string
}{
	record: "Record", recordHint: "An offset as 4199168, a time as 3h 6min, or an age as 2h ago.", recordNow: "Written at the time shown",
	working: "Working it out …",
	phases:  "With the checks at other times", phaseEarly: "Earliest", phaseAt: "As simulated", phaseLate: "Latest",

	play: "Play", pause: "Pause", filmTable: "The segments as a table",
	gestures:   "Drag the chart to move the time shown, the segments to move the part of the time; press a segment to ask about it. Ctrl or ⌘ with the wheel, or two fingers, zoom.",
	colSegment: "Segment", colSize: "Size", colFirst: "First record", colClosed: "Closed", colPast: "Past retention", colDeleted: "Deleted", colGone: "Files gone",

	change: "If retention changed now", changeHint: "At %s. What would go, and when is the space back?",
	changeMs: "New retention.ms", changeBytes: "New retention.bytes", changeKeep: "Keep it in the scenario", changeForget: "Forget it",
	changeIn: "after %s", changeNow: "now: %s",
	changeNone: "“%s” changes neither retention.ms nor retention.bytes.", linkNoTime: "The link gives “%s” for the time shown, which is no time; it is left out.",
}

package app

// answerText is the words of the answer; see [text].
var answerText = struct {
	how, drag, binds, still, rest    string
	worst, indexes, allFiles         string
	openFiles, maps, noBound, record string
	cleaned                          string
}{
	how: "How the figure comes about", drag: "%s, %s: drag it, step it with the arrow keys, or type", binds: "What binds:", rest: "What binds, and more figures",
	still: "Half or twice the value changes nothing for ",
	worst: "Worst case", indexes: "Indexes, snapshots", allFiles: "as ls counts, all files: ",
	openFiles: " open files", maps: " memory maps, at most", noBound: "none", record: "of records, whenever checks fall",
	cleaned: "of records, while the cleaner keeps up",
}

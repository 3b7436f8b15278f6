package calc

import (
	"fmt"
	"strconv"
	"strings"
)

// releaseLines are the release lines that the rules cover, with the last patch of each that they were checked against.
var releaseLines = []struct {
	line  Version
	patch Version
}{
	{V2_8, 2}, {V3_0, 2}, {30100, 2}, {30200, 3}, {30300, 2}, {30400, 1}, {30500, 2}, {30600, 2}, {V3_7, 2}, {30800, 1},
	{30900, 2}, {V4_0, 2}, {V4_1, 2}, {40200, 1}, {V4_3, 1}, {V4_4, 0},
}

// ParseVersion reads a release of Apache Kafka from 2.8 to 4.4: 4.3 or 4.3.1. A release line without a patch is its last
// patch. The error is a [*FieldError] without key.
func ParseVersion(text string) (Version, error) {
	v, err := parseVersion(text)
	if err != nil {
		return 0, err
	}
	return v, nil
}

func parseVersion(text string) (Version, *FieldError) {
	s := strings.TrimSpace(text)
	if s == "" {
		return 0, bad(text, "is empty")
	}
	var parts [3]Version
	n := 0
	for part := range strings.SplitSeq(s, ".") {
		value, err := strconv.ParseUint(part, 10, 7)
		if n == len(parts) || err != nil || value > 99 {
			return 0, bad(text, "is not a version of Kafka").hint("write it as in 4.3 or 4.3.1")
		}
		parts[n] = Version(value)
		n++
	}
	first, last := releaseLines[0].line, releaseLines[len(releaseLines)-1].line
	line := parts[0]*10000 + parts[1]*100
	for _, r := range releaseLines {
		if r.line != line || n < 2 {
			continue
		}
		if n == 2 {
			return line + r.patch, nil
		}
		return line + parts[2], nil
	}
	switch {
	case n < 2:
		return 0, bad(text, "has no minor version").hint("write it as in 4.3 or 4.3.1")
	case line < first:
		return 0, badNearest(text, fmt.Sprintf("is older than %s, the oldest that the model knows", first.line()), first.line())
	case line > last:
		return 0, badNearest(text, fmt.Sprintf("is newer than %s, the newest that the model knows", last.line()), last.line())
	}
	return 0, bad(text, "is not a release of Kafka").hint("write it as in 4.3 or 4.3.1")
}

// String is the version with its patch: 4.3.1.
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v/10000, v/100%100, v%100) }

// line is the version without its patch: 4.3.
func (v Version) line() string { return fmt.Sprintf("%d.%d", v/10000, v/100%100) }

package placement

import (
	"slices"

	"github.com/partsize/partsize/calc"
)

// hashedFrom is from how many live directories on releases before 4.4 give ties in the order of a hash map: Scala's maps
// of up to four entries keep the order in which they were filled.
const hashedFrom = 5

// The releases at which a rule changes.
const (
	firstCordon   = calc.V4_3 // KIP-1066, cordoned.log.dirs
	firstUnhashed = calc.V4_4 // LogManager in Java, with a LinkedHashMap
)

// nextDirs is the live directories that may take the next log, best first: fewest logs, then the order of the tie.
//
// Kafka: LogManager.nextLogDirs.
func nextDirs(version calc.Version, live []string, cordoned func(dir string) bool, count func(dir string) int, among []string) []string {
	if len(live) == 1 {
		return slices.Clone(live)
	}
	open := make([]string, 0, len(live))
	for _, dir := range live {
		if !cordoned(dir) {
			open = append(open, dir)
		}
	}
	if len(open) == 0 {
		return slices.Clone(live[:1])
	}
	if version < firstUnhashed && len(live) >= hashedFrom {
		open = hashOrder(open, among)
	}
	// By insertion: directories are few, and every new log asks.
	for i := 1; i < len(open); i++ {
		for k := i; k > 0 && count(open[k-1]) > count(open[k]); k-- {
			open[k-1], open[k] = open[k], open[k-1]
		}
	}
	return open
}

package trace

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc/placement"
)

// Difference is one value in which two traces differ.
type Difference struct {
	Place string // "steps[12] {"create":"t-0"}", "cases[3] topics[0]"
	What  string // the field
	Want  string // as Kafka recorded it
	Got   string // as computed
}

// String is the difference in one line.
func (d Difference) String() string {
	return fmt.Sprintf("%s %s: want %s, got %s", d.Place, d.What, d.Want, d.Got)
}

// maxDifferences is after how many differences a comparison ends.
const maxDifferences = 1000

const nothing = "nothing"

// Compare finds the differences between a recorded trace and what [Replay] made of it: every field of every row, of an
// error its class and the words that are the same in every release, of random ids in names that there is one. Not many
// more than the first 1000.
func Compare(want, got *Trace) []Difference {
	var c comparison
	switch got.Format {
	case LogDirsFormat:
		c.logDirs(want, got)
	case ReplicasFormat:
		c.replicas(want.Replicas, got.Replicas)
	default:
		c.creation(want.Creation, got.Creation)
	}
	return c.found
}

type comparison struct {
	place string
	found []Difference
}

func (c *comparison) full() bool { return len(c.found) >= maxDifferences }

func compareValue[T any](c *comparison, what string, want, got T, same bool) {
	if !same {
		c.found = append(c.found, Difference{c.place, what, string(quoted(want)), string(quoted(got))})
	}
}

func compareList[T comparable](c *comparison, what string, want, got []T) {
	compareValue(c, what, want, got, slices.Equal(want, got))
}

func compareOne[T comparable](c *comparison, what string, want, got T) {
	compareValue(c, what, want, got, want == got)
}

func (c *comparison) logDirs(want, got *Trace) {
	for i := range want.Rows {
		w := &want.Rows[i]
		c.place = fmt.Sprintf("steps[%d] %s", i, quoted(w.Step))
		if i >= len(got.Rows) {
			c.found = append(c.found, Difference{c.place, "", "a row", "nothing: the broker does not run"})
			return
		}
		c.row(w, &got.Rows[i])
		if c.full() {
			return
		}
	}
	if len(got.Rows) > len(want.Rows) {
		c.place = fmt.Sprintf("steps[%d]", len(want.Rows))
		c.found = append(c.found, Difference{c.place, "", nothing, string(quoted(got.Rows[len(want.Rows)].Step))})
	}
	c.place = "the trace"
	if want.Dirs != nil {
		compareList(c, "dirs", want.Dirs, got.Dirs)
	}
	if want.Paths != nil {
		compareList(c, "paths", want.Paths, got.Paths)
	}
}

func (c *comparison) row(want, got *Row) {
	compareOne(c, "dir", want.Dir, got.Dir)
	compareOne(c, "existing", want.Existing, got.Existing)
	c.refusal(want.Error, got.Error, got.refusal)
	compareList(c, "failed", want.Failed, got.Failed)
	compareOne(c, "halt", want.Halt, got.Halt)
	compareOne(c, "t", want.T, got.T)
	compareList(c, "live", want.Live, got.Live)
	compareList(c, "next", want.Next, got.Next)
	compareList(c, "counted", want.Counted, got.Counted)
	compareList(c, "disk", want.Disk, got.Disk)
	compareList(c, "names", plainNames(want.Names), plainNames(got.Names))
}

// refusal compares an error by its class and by what does not change with the release.
func (c *comparison) refusal(want, got string, refusal *placement.Refusal) {
	same := (want == "") == (got == "")
	if same && refusal != nil {
		same = strings.Contains(want, refusal.Phrase) && (refusal.Class == "" || strings.HasPrefix(want, refusal.Class))
	}
	compareValue(c, "error", want, got, same)
}

// idDigits is the length of the random id in a directory's name.
const idDigits = 32

// plainName is a name without the random id in it: T-P.<id>-delete.
func plainName(name string) string {
	for _, suffix := range []string{"-delete", "-stray", "-future"} {
		rest, ok := strings.CutSuffix(name, suffix)
		cut := len(rest) - idDigits
		if ok && cut > 0 && rest[cut-1] == '.' && strings.Trim(rest[cut:], "0123456789abcdef") == "" {
			return rest[:cut] + "<id>" + suffix
		}
	}
	return name
}

// plainNames is names without what is random in them, in order.
func plainNames(names []string) []string {
	plain := make([]string, len(names))
	for i, name := range names {
		plain[i] = plainName(name)
	}
	slices.Sort(plain)
	return plain
}

func (c *comparison) replicas(want, got []ReplicaCase) {
	for i := range want {
		w, g := &want[i], &got[i]
		for k := range max(len(w.Results), len(g.Results)) {
			c.place = fmt.Sprintf("cases[%d] %q topics[%d]", i, w.Name, k)
			if k >= len(w.Results) || k >= len(g.Results) {
				compareOne(c, "results", len(w.Results), len(g.Results))
				break
			}
			c.result(&w.Results[k], &g.Results[k])
			if c.full() {
				return
			}
		}
	}
}

func (c *comparison) result(want, got *ReplicaResult) {
	c.refusal(want.Error, got.Error, got.refusal)
	same := slices.EqualFunc(want.Assignments, got.Assignments, slices.Equal[[]int32])
	compareValue(c, "assignments", want.Assignments, got.Assignments, same)
	if got.refusal == nil || got.refusal.Class != "" { // where Kafka does not return it may have drawn on
		compareList(c, "draws", want.Draws, got.Draws)
	}
}

func (c *comparison) creation(want, got []CreationCase) {
	for i := range want {
		c.place = fmt.Sprintf("cases[%d]", i)
		compareList(c, "leaders", want[i].Leaders, got[i].Leaders)
		compareList(c, "followers", want[i].Followers, got[i].Followers)
		if c.full() {
			return
		}
	}
}

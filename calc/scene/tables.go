package scene

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/fleet"
	"github.com/partsize/partsize/calc/internal/order"
	"github.com/partsize/partsize/calc/placement"
	"github.com/partsize/partsize/calc/report"
)

// tables is what else is to know: of a directory its replicas, of the cluster when each fills, how else it could stand, and
// what would level it.
func (v *view) tables(s *Scene) {
	if v.dir >= 0 {
		s.Tables = append(s.Tables, v.replicas(s))
	}
	s.Tables = append(s.Tables, v.fills())
	if v.dir < 0 {
		s.Tables = append(s.Tables, v.limits())
	}
	if v.broker >= 0 {
		return
	}
	s.Tables = append(s.Tables, v.choices())
	if t := v.draws(); t.Rows != nil {
		s.Tables = append(s.Tables, t)
	}
	if t := v.moves(); t.Rows != nil {
		s.Tables = append(s.Tables, t)
	}
	if len(v.Copies) > 0 {
		s.Tables = append(s.Tables, v.copies())
	}
	if len(v.Returns) > 0 {
		s.Tables = append(s.Tables, v.returns())
	}
}

// replicas is what a directory holds, the largest first.
func (v *view) replicas(s *Scene) Table {
	held := v.Held(v.dir, v.at)
	order.Sort(held, func(a, b *fleet.Held) int {
		return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), strings.Compare(a.Topic, b.Topic), cmp.Compare(a.Partition, b.Partition))
	})
	t := Table{
		Name: "Replicas", Caption: "Replicas in " + v.Dirs[v.dir].Path + ", the largest first",
		Columns: []Column{{"Replica", false}, {"On disk", true}, {"Written", true}, {"Role", false}},
	}
	s.All, s.From = len(held), min(v.from, max(0, len(held)-1)/maxHeld*maxHeld)
	for _, h := range held[s.From:min(len(held), s.From+maxHeld)] {
		role := "follower"
		switch {
		case h.Copying:
			role = "being copied"
		case h.Leader:
			role = "leader"
		}
		name := Cell{Text: fmt.Sprintf("%s-%d", h.Topic, h.Partition)}
		size, rate := report.SizeText(h.Bytes), rateText(v.Rate(h, v.at))
		if h.Internal {
			size, rate = "≤ "+size, "–"
		} else {
			name.Input = inputText(v.Input(h))
		}
		t.Rows = append(t.Rows, []Cell{name, {Text: size}, {Text: rate}, {Text: role}})
	}
	return t
}

// inputText is settings as lines of key=value; of each key the last counts.
func inputText(pairs []calc.Pair) string {
	var b strings.Builder
	for i, p := range pairs {
		if !slices.ContainsFunc(pairs[i+1:], func(later calc.Pair) bool { return later.Key == p.Key }) {
			b.WriteString(p.Key + "=" + p.Value + "\n")
		}
	}
	return b.String()
}

// fills is when each directory crosses the parts of its size, those that are full first before the others.
func (v *view) fills() Table {
	t := Table{Name: "When they fill", Caption: "When directories cross parts of their size",
		Says:    "The first day on which each part may be crossed.",
		Columns: []Column{{"Directory", false}, {"Written", true}, {"Peak", true}}}
	for _, l := range fleet.Levels {
		t.Columns = append(t.Columns, Column{fmt.Sprintf("%d %%", l), true})
	}
	t.Columns = append(t.Columns, Column{"Filled by", false})
	if len(v.Changes) > 0 {
		t.Says += " Written is what goes to the replicas that are there at the end, before any change of traffic."
	}
	dirs := v.dirsOf(v.broker)
	if v.dir >= 0 {
		dirs = []int{v.dir}
	}
	order.Sort(dirs, func(a, b *int) int {
		x, y := &v.Dirs[*a], &v.Dirs[*b]
		for i := len(fleet.Levels) - 1; i >= 0; i-- {
			if c := cmp.Compare(x.Crosses[i], y.Crosses[i]); c != 0 {
				return c
			}
		}
		_, xPeak := x.Peak()
		_, yPeak := y.Peak()
		return cmp.Compare(yPeak, xPeak)
	})
	if more := len(dirs) - maxTable; more > 0 {
		t.More = fmt.Sprintf("and %d more directories, which fill later or less", more)
		dirs = dirs[:maxTable]
	}
	for _, i := range dirs {
		d := &v.Dirs[i]
		_, peak := d.Peak()
		row := []Cell{{Text: fmt.Sprintf("broker %d, %s", d.Broker, d.Path), Where: v.dirWhere(i)}, {Text: rateText(d.Rate())}, {Text: report.SizeText(peak)}}
		for _, at := range d.Crosses {
			row = append(row, Cell{Text: day(at)})
		}
		var parts []string
		for _, f := range d.Filling[:min(len(d.Filling), 2)] {
			parts = append(parts, f.Topic+" "+report.SizeText(f.Bytes))
		}
		t.Rows = append(t.Rows, append(row, Cell{Text: strings.Join(parts, ", ")}))
	}
	return t
}

func rateText(r calc.ByteRate) string { return report.SizeText(calc.Bytes(r)) + "/s" }

// limits is the brokers' files and maps against their limits.
func (v *view) limits() Table {
	t := Table{Name: "Open files and memory maps", Caption: "Open files and memory maps of brokers, at most",
		Columns: []Column{{"Broker", false}, {"Peak", true}, {"Open files", true}, {"Memory maps", true}}}
	brokers := make([]int, 0, len(v.Brokers))
	for i := range v.Brokers {
		if v.broker < 0 || i == v.broker {
			brokers = append(brokers, i)
		}
	}
	order.Sort(brokers, func(a, b *int) int { return cmp.Compare(v.Brokers[*b].OpenFiles, v.Brokers[*a].OpenFiles) })
	if more := len(brokers) - maxTable; more > 0 {
		t.More = fmt.Sprintf("and %d more brokers with fewer", more)
		brokers = brokers[:maxTable]
	}
	for _, i := range brokers {
		b := &v.Brokers[i]
		_, peak := b.Peak()
		t.Rows = append(t.Rows, []Cell{
			{Text: fmt.Sprintf("broker %d", b.ID), Where: brokerWhere(b.ID)}, {Text: report.SizeText(peak)},
			{Text: against(b.OpenFiles, v.Limits.OpenFiles)}, {Text: against(b.MemoryMaps, v.Limits.MemoryMaps)},
		})
	}
	return t
}

// against is a number with its limit.
func against(n, limit int64) string {
	switch {
	case limit == 0:
		return report.Number(n)
	case n > limit:
		return "⚠ " + report.Number(n) + " > " + report.Number(limit)
	}
	return report.Number(n) + " of " + report.Number(limit)
}

// policyNames are what policies are called.
var policyNames = [...]string{
	placement.FewestLogs: "fewest partitions, as Kafka", placement.LeastBytes: "fewest bytes", placement.LeastLoad: "least load",
}

// choices is the same steps under each policy, side by side.
func (v *view) choices() Table {
	t := Table{Name: "The same steps, placed otherwise", Caption: "The fullest and the busiest directory by how directories are chosen",
		Says:    "The peak of the fullest directory, and what is written to the busiest, against the even share of those that are not offline.",
		Columns: []Column{{"Directory with the", false}, {"Fullest", true}, {"× even share", true}, {"Busiest", true}, {"× even share", true}, {"First full", true}}}
	for _, c := range v.Choices {
		full := day(c.Full)
		if c.Fulls > 1 {
			full += fmt.Sprintf(", %d in all", c.Fulls)
		}
		t.Rows = append(t.Rows, []Cell{
			{Text: policyNames[c.Policy]}, {Text: report.SizeText(calc.Bytes(c.Bytes.Largest))}, {Text: times(c.Bytes.Permille())},
			{Text: rateText(calc.ByteRate(c.Rate.Largest))}, {Text: times(c.Rate.Permille())}, {Text: full},
		})
	}
	return t
}

// draws is the same with other seeds.
func (v *view) draws() Table {
	most, middle, least, ok := fleet.Spread(v.Draws)
	if !ok {
		return Table{}
	}
	n := len(v.Draws)
	t := Table{Name: "Other seeds", Caption: "The fullest and the busiest directory by the seed of the controller's random numbers",
		Says:    fmt.Sprintf("The controller draws the brokers of a new topic at random. The same topics with %d seeds, from %d on:", n, v.Draws[0].Seed),
		Columns: []Column{{"Draw", false}, {"Seed", true}, {"Fullest", true}, {"× even share", true}, {"Busiest", true}, {"× even share", true}, {"First full", true}}}
	for _, one := range []struct {
		name string
		fleet.Choice
	}{{"shown here", v.Draws[0]}, {"most even", most}, {"in the middle", middle}, {"least even", least}} {
		c := one.Choice
		t.Rows = append(t.Rows, []Cell{
			{Text: one.name}, {Text: strconv.FormatInt(c.Seed, 10)}, {Text: report.SizeText(calc.Bytes(c.Bytes.Largest))}, {Text: times(c.Bytes.Permille())},
			{Text: rateText(calc.ByteRate(c.Rate.Largest))}, {Text: times(c.Rate.Permille())}, {Text: day(c.Full)},
		})
	}
	fulls, first, last := fleet.Fulls(v.Draws)
	switch {
	case fulls > 0 && first == last:
		t.More = fmt.Sprintf("A directory gets full with %d of %d, the first on %s.", fulls, n, day(first))
	case fulls > 0:
		t.More = fmt.Sprintf("A directory gets full with %d of %d, the first on %s to %s.", fulls, n, day(first), day(last))
	}
	return t
}

// moves is what would level the directories of each broker.
func (v *view) moves() Table {
	var sum calc.Bytes
	for _, m := range v.Moves {
		sum += m.Bytes
	}
	t := Table{Name: "Moves that would level it", Caption: "Moves between directories of one broker, the smallest first",
		Says:    fmt.Sprintf("%s of %s in all even out the directories of each broker. While one moves, both copies are on disk.", plural(len(v.Moves), "move", "moves"), report.SizeText(sum)),
		Columns: []Column{{"Replica", false}, {"Bytes", true}, {"Broker", true}, {"From", false}, {"To", false}}}
	for _, m := range v.Moves[:min(len(v.Moves), maxTable)] {
		t.Rows = append(t.Rows, []Cell{
			{Text: m.Partition.String()}, {Text: report.SizeText(m.Bytes)}, {Text: strconv.Itoa(int(m.Broker))}, {Text: m.From}, {Text: m.To},
		})
	}
	if more := len(v.Moves) - maxTable; more > 0 {
		t.More = fmt.Sprintf("and %d larger ones", more)
	}
	return t
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return report.Number(int64(n)) + " " + many
}

// copies is what is copied after changes.
func (v *view) copies() Table {
	t := Table{Name: "What is copied", Caption: "Copies that steps make",
		Columns: []Column{{"At", false}, {"Replicas", true}, {"Bytes", true}, {"Takes", true}}}
	for _, c := range v.Copies {
		takes := "no throttle"
		switch {
		case c.Takes == calc.Never:
			takes = "for ever: " + rateText(c.Written) + " are written meanwhile"
		case c.Takes > 0:
			takes = report.Span(c.Takes)
		}
		t.Rows = append(t.Rows, []Cell{
			{Text: clockOf(v.Changes[c.Change].At)}, {Text: report.Number(int64(c.Replicas))}, {Text: report.SizeText(c.Bytes)}, {Text: takes},
		})
	}
	return t
}

// returns is when space comes back after settings change.
func (v *view) returns() Table {
	t := Table{Name: "When space returns", Caption: "After a change of settings, until the first files are gone",
		Columns: []Column{{"Topic", false}, {"Changed", false}, {"First files gone after", true}, {"Freed then", true}}}
	for _, r := range v.Returns[:min(len(v.Returns), maxTable)] {
		after, freed := "not within 2 h", "–"
		if r.First != calc.Never {
			after, freed = report.Span(r.First), report.SizeText(r.Freed)
			if r.Last > r.First {
				after += " to " + report.Span(r.Last)
			}
		}
		t.Rows = append(t.Rows, []Cell{{Text: r.Topic}, {Text: clockOf(v.Changes[r.Change].At)}, {Text: after}, {Text: freed}})
	}
	if more := len(v.Returns) - maxTable; more > 0 {
		t.More = fmt.Sprintf("and %d more topics", more)
	}
	return t
}

package fleet

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/placement"
)

// How many rows a table of the text has at most; JSON and CSV have all.
const (
	maxRows     = 12
	maxMoveRows = 8
)

// Text is the result for a terminal of 80 columns.
func (r *Result) Text() []byte {
	var b bytes.Buffer
	b.WriteString(strings.ReplaceAll(r.Sentence(), ". ", ".\n") + "\n\n")
	fmt.Fprintf(&b, "%s, %s; %s simulated for %s\n", counted(r.Topics, "topic", "topics"), counted(r.Replicas, "replica", "replicas"),
		counted(r.Classes, "kind of partition was", "kinds of partitions were"), r.Horizon)
	r.textDirs(&b)
	r.textBrokers(&b)
	r.textChoices(&b)
	r.textDraws(&b)
	r.textMoves(&b)
	r.textChanges(&b)
	if r.Internal > 0 {
		fmt.Fprintf(&b, "\ninternal topics are not in these bytes: at most %s more in all,\nbesides what compaction keeps; a controller's metadata log takes about 1.1 GiB\n", r.Internal)
	}
	b.WriteString("\nbytes are blocks on the disk (du); a sum counts each partition's peak within a\nspan of " + r.Span.String() + ", so it is an upper bound, and a directory may cross a part\nof its size from the start of that span on\n")
	return b.Bytes()
}

// Sentence is the answer in a sentence or two.
func (r *Result) Sentence() string {
	_, most := r.Cluster.Peak()
	first, at := -1, calc.Never
	for i := range r.Dirs {
		if t := r.Dirs[i].Crosses[len(Levels)-1]; t < at {
			first, at = i, t
		}
	}
	text := "The cluster peaks at " + most.String() + " on disk."
	if first >= 0 {
		d := &r.Dirs[first]
		fulls := 0
		for i := range r.Dirs {
			if r.Dirs[i].Crosses[len(Levels)-1] != calc.Never {
				fulls++
			}
		}
		text += fmt.Sprintf(" %s of broker %d ", printed(d.Path), d.Broker)
		switch surely := d.Surely[len(Levels)-1]; {
		case surely == 0:
			text += "is full from the start"
		case surely == calc.Never:
			text += "may get full from " + clock(at) + " on"
		default:
			text += "gets full " + between(at, surely+calc.Minute-1)
		}
		if fulls > 1 {
			text += fmt.Sprintf("; %d more may follow", fulls-1)
		}
		return text + "."
	}
	if slices.ContainsFunc(r.Dirs, func(d Dir) bool { return d.Size > 0 }) {
		text += " No directory gets full."
	}
	return text
}

// clock is a time as a day and a clock's time, down to the minute.
func clock(at calc.Millis) string {
	return fmt.Sprintf("day %d, %02d:%02d", at/calc.Day, at%calc.Day/calc.Hour, at%calc.Hour/calc.Minute)
}

// between is two times, the second after the first.
func between(from, to calc.Millis) string {
	day, hour, _ := strings.Cut(clock(from), ", ")
	if later, then, _ := strings.Cut(clock(to), ", "); later == day {
		return "on " + day + ", between " + hour + " and " + then
	}
	return "between " + clock(from) + " and " + clock(to)
}

// byUrgency is the directories, those that fill first before those that are largest.
func (r *Result) byUrgency() []int {
	order := make([]int, len(r.Dirs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		x, y := &r.Dirs[a], &r.Dirs[b]
		_, xPeak := x.Peak()
		_, yPeak := y.Peak()
		for i := len(Levels) - 1; i >= 0; i-- {
			if c := cmp.Compare(x.Crosses[i], y.Crosses[i]); c != 0 {
				return c
			}
		}
		return cmp.Compare(yPeak, xPeak)
	})
	return order
}

func (r *Result) textDirs(b *bytes.Buffer) {
	fmt.Fprintf(b, "\ndirectory                  peak      size       rate   75 %%   85 %%   90 %%  100 %%\n")
	order := r.byUrgency()
	for _, i := range order[:min(len(order), maxRows)] {
		d := &r.Dirs[i]
		_, peak := d.Peak()
		size := "?"
		if d.Size > 0 {
			size = d.Size.String()
		}
		name := fmt.Sprintf("%d %s", d.Broker, printed(d.Path))
		if d.Offline {
			name += " (offline)"
		}
		fmt.Fprintf(b, "%-21s %9s %9s %10s", shortName(name, 21), peak, size, shortRate(d.Rate()))
		for _, at := range d.Crosses {
			fmt.Fprintf(b, " %6s", day(at))
		}
		b.WriteByte('\n')
		var parts []string
		for _, s := range d.Filling[:min(len(d.Filling), 3)] {
			parts = append(parts, fmt.Sprintf("%s %s", s.Topic, s.Bytes))
		}
		line := counted(d.Replicas, "replica", "replicas")
		if len(r.Changes) > 0 {
			line += " at the end; at the peak"
		}
		if len(parts) > 0 {
			line += ": " + strings.Join(parts, ", ")
		}
		b.WriteString("  " + shortName(line, 76) + "\n")
	}
	if more := len(order) - maxRows; more > 0 {
		fmt.Fprintf(b, "  … %d more, see --format json or csv\n", more)
	}
}

// Rate is what is written to a directory's replicas a second, before any change of traffic.
func (d *Dir) Rate() calc.ByteRate { return d.Load.Rate }

func shortRate(r calc.ByteRate) string { return calc.Bytes(r).String() + "/s" }

// day is when in days, within the first day in hours, "-" for never.
func day(at calc.Millis) string {
	if at == calc.Never {
		return "-"
	}
	if at < calc.Day {
		return strconv.FormatInt(int64(at/calc.Hour), 10) + " h"
	}
	return "d " + strconv.FormatInt(int64(at/calc.Day), 10)
}

// counted is a number with what it counts.
func counted(n int, one, more string) string {
	if n == 1 {
		more = one
	}
	return strconv.Itoa(n) + " " + more
}

// printed is a path as a terminal takes it: what is no letter or sign, as the escape of a colour, is written out.
func printed(path string) string {
	if !strings.ContainsFunc(path, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return path
	}
	quoted := strconv.Quote(path)
	return quoted[1 : len(quoted)-1]
}

func shortName(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

func (r *Result) textBrokers(b *bytes.Buffer) {
	fmt.Fprintf(b, "\nbroker      peak on disk   open files, at most   memory maps, at most\n")
	order := make([]int, len(r.Brokers))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int {
		_, a := r.Brokers[x].Peak()
		_, c := r.Brokers[y].Peak()
		return cmp.Compare(c, a)
	})
	for _, i := range order[:min(len(order), maxRows)] {
		broker := &r.Brokers[i]
		_, peak := broker.Peak()
		fmt.Fprintf(b, "%-10d %13s %21s %22s\n", broker.ID, peak, against(broker.OpenFiles, r.Limits.OpenFiles), against(broker.MemoryMaps, r.Limits.MemoryMaps))
	}
	if more := len(order) - maxRows; more > 0 {
		fmt.Fprintf(b, "  … %d more\n", more)
	}
}

// against is a number with its limit, and a mark when it is above.
func against(n, limit int64) string {
	switch {
	case limit == 0:
		return strconv.FormatInt(n, 10)
	case n > limit:
		return fmt.Sprintf("%d > %d !", n, limit)
	}
	return fmt.Sprintf("%d of %d", n, limit)
}

func (r *Result) textChoices(b *bytes.Buffer) {
	if len(r.Dirs) < 2 {
		return
	}
	fmt.Fprintf(b, "\nthe same steps by how directories are chosen: peak of the fullest directory and\nrate into the busiest, against the even share of those that are not offline\n")
	fmt.Fprintf(b, "                 peak       even                rate       even\n")
	for _, c := range r.Choices {
		fmt.Fprintf(b, "%-12s %9s  %9s %6s %11s %10s %6s\n", c.Policy,
			calc.Bytes(c.Bytes.Largest), calc.Bytes(c.Bytes.Even), times(c.Bytes.Permille()),
			shortRate(calc.ByteRate(c.Rate.Largest)), shortRate(calc.ByteRate(c.Rate.Even)), times(c.Rate.Permille()))
	}
	for _, c := range r.Choices {
		if c.Full != calc.Never {
			fmt.Fprintf(b, "%-12s the first directory is full at %s, %d in all\n", c.Policy, day(c.Full), c.Fulls)
		}
	}
	b.WriteString("Kafka's is fewest-logs; the others know what each partition will hold\n")
}

func (r *Result) textDraws(b *bytes.Buffer) {
	most, middle, least, ok := Spread(r.Draws)
	if !ok {
		return
	}
	n := len(r.Draws)
	if most.Bytes.Permille() == least.Bytes.Permille() && !slices.ContainsFunc(r.Draws, func(c Choice) bool { return c.Full != most.Full || c.Rate.Permille() != most.Rate.Permille() }) {
		fmt.Fprintf(b, "\nthe controller draws brokers at random: the same with each of %s\n", counted(n, "seed", "seeds"))
		return
	}
	fmt.Fprintf(b, "\nthe controller draws brokers at random: the same with %s\n", counted(n, "seed", "seeds"))
	fmt.Fprintf(b, "               seed       peak         rate         first full\n")
	for _, c := range []struct {
		name string
		Choice
	}{{"most even", most}, {"middle", middle}, {"least even", least}} {
		fmt.Fprintf(b, "%-12s %6d %10s %6s %6s %10s\n", c.name, c.Seed, calc.Bytes(c.Bytes.Largest), times(c.Bytes.Permille()), times(c.Rate.Permille()), day(c.Full))
	}
	if fulls, first, last := Fulls(r.Draws); fulls > 0 {
		fmt.Fprintf(b, "a directory gets full with %d of %d, the first at %s to %s\n", fulls, n, day(first), day(last))
	} else if slices.ContainsFunc(r.Dirs, func(d Dir) bool { return d.Size > 0 }) {
		fmt.Fprintf(b, "no directory gets full with any of them\n")
	}
}

// times is thousandths as a factor, with two digits: ×1.98.
func times(permille int64) string {
	hundredths := (permille + 5) / 10
	return fmt.Sprintf("×%d.%02d", hundredths/100, hundredths%100)
}

func (r *Result) textMoves(b *bytes.Buffer) {
	if len(r.Moves) == 0 {
		return
	}
	var sum calc.Bytes
	for _, m := range r.Moves {
		sum += m.Bytes
	}
	fmt.Fprintf(b, "\n%s of %s in all would level the directories of each broker, the\nsmallest first; while one moves, both copies are on disk\n", counted(len(r.Moves), "move", "moves"), sum)
	for _, m := range r.Moves[:min(len(r.Moves), maxMoveRows)] {
		fmt.Fprintf(b, "  %10s  %s, broker %d, %s to %s\n", m.Bytes, shortName(m.Partition.String(), 40), m.Broker, printed(m.From), printed(m.To))
	}
	if more := len(r.Moves) - maxMoveRows; more > 0 {
		fmt.Fprintf(b, "  … %d more\n", more)
	}
}

func (r *Result) textChanges(b *bytes.Buffer) {
	if len(r.Copies) > 0 {
		b.WriteString("\ncopies\n")
	}
	for _, c := range r.Copies {
		takes := "without a throttle"
		switch {
		case c.Takes == calc.Never:
			takes = "never ends: " + shortRate(c.Written) + " are written meanwhile"
		case c.Takes > 0:
			takes = "takes " + c.Takes.String()
		}
		fmt.Fprintf(b, "  after %s: %s, %s, %s\n", r.Changes[c.Change].At, counted(c.Replicas, "replica", "replicas"), c.Bytes, takes)
	}
	if len(r.Returns) > 0 {
		b.WriteString("\nspace returns after a change of settings\n")
	}
	for _, t := range r.Returns[:min(len(r.Returns), maxRows)] {
		if t.First == calc.Never {
			fmt.Fprintf(b, "  after %s, %s: nothing within %s\n", r.Changes[t.Change].At, t.Topic, returnWindow)
			continue
		}
		span := t.First.String()
		if t.Last > t.First {
			span += " to " + t.Last.String()
		}
		fmt.Fprintf(b, "  after %s, %s: %s later, %s in all replicas\n", r.Changes[t.Change].At, t.Topic, span, t.Freed)
	}
	if more := len(r.Returns) - maxRows; more > 0 {
		fmt.Fprintf(b, "  … %d more\n", more)
	}
}

// CSV is bytes over time: for each span and each directory the least and the most. The first line names the columns.
func (r *Result) CSV() []byte {
	b := []byte("from_ms,to_ms,broker,dir,low,high\n")
	for s := range r.Cluster.High {
		from := calc.Millis(s) * r.Span
		for i := range r.Dirs {
			d := &r.Dirs[i]
			b = strconv.AppendInt(b, int64(from), 10)
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(min(from+r.Span, r.Horizon)), 10)
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(d.Broker), 10)
			b = append(append(append(b, ','), csvText(d.Path)...), ',')
			b = strconv.AppendInt(b, int64(d.Low[s]), 10)
			b = append(b, ',')
			b = strconv.AppendInt(b, int64(d.High[s]), 10)
			b = append(b, '\n')
		}
	}
	return b
}

// csvText quotes a text that has what parts rows and fields.
func csvText(text string) string {
	if strings.ContainsAny(text, ",\"\r\n") {
		return `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	}
	return text
}

// jsonFormat is the first field of the JSON. A change that breaks readers raises its number.
const jsonFormat = "partsize-cluster-answer/1"

// JSON is the result for programs; docs/cluster-json.md describes it. Times are milliseconds, sizes bytes; null is never.
func (r *Result) JSON(warnings []string) ([]byte, error) {
	type course struct {
		Low  []calc.Bytes `json:"low"`
		High []calc.Bytes `json:"high"`
	}
	type crossing struct {
		Percent int64        `json:"percent"`
		At      *calc.Millis `json:"t_ms"`
		Surely  *calc.Millis `json:"surely_t_ms"`
	}
	type share struct {
		Topic    string     `json:"topic"`
		Replicas int        `json:"replicas"`
		Bytes    calc.Bytes `json:"bytes"`
	}
	type dir struct {
		Broker   int32         `json:"broker"`
		Path     string        `json:"dir"`
		Size     *calc.Bytes   `json:"size"`
		Offline  bool          `json:"offline"`
		Replicas int           `json:"replicas"`
		Rate     calc.ByteRate `json:"bytes_per_second"`
		Peak     calc.Bytes    `json:"peak_bytes"`
		PeakAt   calc.Millis   `json:"peak_t_ms"`
		Crosses  []crossing    `json:"crosses"`
		Filling  []share       `json:"filling"`
		Internal calc.Bytes    `json:"internal_bound_bytes"`
		Course   course        `json:"allocated"`
	}
	type broker struct {
		ID         int32      `json:"broker"`
		Peak       calc.Bytes `json:"peak_bytes"`
		OpenFiles  int64      `json:"open_files"`
		MemoryMaps int64      `json:"memory_maps"`
	}
	type imbalance struct {
		Largest  int64 `json:"largest"`
		Smallest int64 `json:"smallest"`
		Even     int64 `json:"even"`
		Permille int64 `json:"permille"`
	}
	type choice struct {
		Policy string       `json:"policy"`
		Seed   int64        `json:"seed"`
		Bytes  imbalance    `json:"bytes"`
		Rate   imbalance    `json:"bytes_per_second"`
		Full   *calc.Millis `json:"first_full_t_ms"`
		Fulls  int          `json:"full_dirs"`
	}
	type move struct {
		Partition string     `json:"partition"`
		Broker    int32      `json:"broker"`
		From      string     `json:"from"`
		To        string     `json:"to"`
		Bytes     calc.Bytes `json:"bytes"`
	}
	type copied struct {
		At       calc.Millis  `json:"t_ms"`
		Replicas int          `json:"replicas"`
		Bytes    calc.Bytes   `json:"bytes"`
		Written  int64        `json:"bytes_per_second"`
		Takes    *calc.Millis `json:"takes_ms"`
	}
	type returned struct {
		At       calc.Millis  `json:"t_ms"`
		Topic    string       `json:"topic"`
		Replicas int          `json:"replicas"`
		First    *calc.Millis `json:"first_after_ms"`
		Last     *calc.Millis `json:"last_after_ms"`
		Freed    calc.Bytes   `json:"freed_bytes"`
	}
	out := struct {
		Format   string      `json:"format"`
		Version  string      `json:"kafka_version"`
		Sentence string      `json:"sentence"`
		Horizon  calc.Millis `json:"horizon_ms"`
		Span     calc.Millis `json:"span_ms"`
		Topics   int         `json:"topics"`
		Replicas int         `json:"replicas"`
		Classes  int         `json:"simulated"`
		Peak     calc.Bytes  `json:"peak_bytes"`
		PeakAt   calc.Millis `json:"peak_t_ms"`
		Cluster  course      `json:"allocated"`
		Internal calc.Bytes  `json:"internal_bound_bytes"`
		Dirs     []dir       `json:"dirs"`
		Brokers  []broker    `json:"brokers"`
		Files    *int64      `json:"ulimit"`
		Maps     *int64      `json:"max_map_count"`
		Choices  []choice    `json:"placement"`
		Seeds    []choice    `json:"seeds"`
		Moves    []move      `json:"moves"`
		Copies   []copied    `json:"copies"`
		Returns  []returned  `json:"returns"`
		Warnings []string    `json:"warnings"`
	}{
		Format: jsonFormat, Version: r.Version.String(), Sentence: r.Sentence(), Horizon: r.Horizon, Span: r.Span, Topics: r.Topics,
		Replicas: r.Replicas, Classes: r.Classes, Internal: r.Internal, Cluster: course(r.Cluster),
		Dirs: []dir{}, Brokers: []broker{}, Choices: []choice{}, Seeds: []choice{}, Moves: []move{}, Copies: []copied{}, Returns: []returned{}, Warnings: append([]string{}, warnings...),
	}
	span, most := r.Cluster.Peak()
	out.Peak, out.PeakAt = most, calc.Millis(span)*r.Span
	orNull := func(at calc.Millis) *calc.Millis {
		if at == calc.Never {
			return nil
		}
		return &at
	}
	for i := range r.Dirs {
		d := &r.Dirs[i]
		span, most := d.Peak()
		row := dir{
			Broker: d.Broker, Path: d.Path, Offline: d.Offline, Replicas: d.Replicas, Rate: d.Load.Rate, Peak: most,
			PeakAt: calc.Millis(span) * r.Span, Crosses: []crossing{}, Filling: []share{}, Internal: d.Internal, Course: course(d.Course),
		}
		if d.Size > 0 {
			row.Size = &d.Size
			for k, at := range d.Crosses {
				row.Crosses = append(row.Crosses, crossing{Levels[k], orNull(at), orNull(d.Surely[k])})
			}
		}
		for _, s := range d.Filling {
			row.Filling = append(row.Filling, share(s))
		}
		out.Dirs = append(out.Dirs, row)
	}
	for i := range r.Brokers {
		b := &r.Brokers[i]
		_, most := b.Peak()
		out.Brokers = append(out.Brokers, broker{b.ID, most, b.OpenFiles, b.MemoryMaps})
	}
	of := func(i placement.Imbalance) imbalance { return imbalance{i.Largest, i.Smallest, i.Even, i.Permille()} }
	choices := func(all []Choice, to *[]choice) {
		for _, c := range all {
			*to = append(*to, choice{c.Policy.String(), c.Seed, of(c.Bytes), of(c.Rate), orNull(c.Full), c.Fulls})
		}
	}
	choices(r.Choices, &out.Choices)
	choices(r.Draws, &out.Seeds)
	limit := func(n int64) *int64 {
		if n == 0 {
			return nil
		}
		return &n
	}
	out.Files, out.Maps = limit(r.Limits.OpenFiles), limit(r.Limits.MemoryMaps)
	for _, m := range r.Moves {
		out.Moves = append(out.Moves, move{m.Partition.String(), m.Broker, m.From, m.To, m.Bytes})
	}
	for _, c := range r.Copies {
		out.Copies = append(out.Copies, copied{r.Changes[c.Change].At, c.Replicas, c.Bytes, int64(c.Written), orNull(c.Takes)})
	}
	for _, t := range r.Returns {
		out.Returns = append(out.Returns, returned{r.Changes[t.Change].At, t.Topic, t.Replicas, orNull(t.First), orNull(max(t.Last, t.First)), t.Freed})
	}
	return plainJSON(out)
}

// ProblemsJSON is the JSON of what could not be worked out: what is wrong, and nothing else.
func ProblemsJSON(err error, warnings []string) ([]byte, error) {
	type problem struct {
		File string `json:"file"`
		Line *int   `json:"line"`
		Key  string `json:"key"`
		Text string `json:"problem"`
	}
	out := struct {
		Format   string    `json:"format"`
		Problems []problem `json:"problems"`
		Warnings []string  `json:"warnings"`
	}{jsonFormat, []problem{}, append([]string{}, warnings...)}
	for _, p := range ProblemsOf(err) {
		one := problem{File: p.File, Key: p.Path, Text: p.Says()}
		if p.Line > 0 {
			one.Line = &p.Line
		}
		out.Problems = append(out.Problems, one)
	}
	return plainJSON(out)
}

func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return b.Bytes(), err
}

// Full reports whether a directory gets full.
func (r *Result) Full() bool {
	return slices.ContainsFunc(r.Dirs, func(d Dir) bool { return d.Crosses[len(Levels)-1] != calc.Never })
}

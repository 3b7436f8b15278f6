package main

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/provider"
	"github.com/partsize/partsize/calc/report"
)

// serviceCheck is what check --service was asked.
type serviceCheck struct {
	all      bool
	request  provider.Request
	internal []string // Kafka's own topics of the files, which are set apart
	warnings []string
	problems []*calc.FieldError
	places   map[*calc.FieldError]report.Place // of problems in files
}

// checkService holds the topics of files and of key=value against a service, or all of them.
func (t *terminal) checkService(service string, args []string, before list, asJSON bool) error {
	var c serviceCheck
	if c.all = service == "all"; !c.all {
		s, err := provider.ServiceOf(service)
		if err != nil {
			p := calc.Problems(err)[0]
			return bad(p.WayOut(), "there is no service %q", service)
		}
		c.request.Service = s
	}
	pairs, files := splitPairs(args)
	read, err := t.readConfigs(files, provider.Names(), pairs)
	if err != nil {
		return err
	}
	c.warnings, c.problems, c.places = read.warnings, read.refused, read.places
	c.request.Topics, c.internal = provider.Apart(topicsToCheck(read.results))
	if len(before) > 0 {
		old, err := t.readConfigs(before, provider.Names(), nil)
		if err != nil {
			return err
		}
		c.warnings, c.problems = append(c.warnings, old.warnings...), append(c.problems, old.refused...)
		maps.Copy(c.places, old.places)
		topics, _ := provider.Apart(topicsToCheck(old.results))
		c.request.Before = &provider.Request{Service: c.request.Service, Topics: topics}
	}
	for _, p := range pairs {
		if c.all && p.Key == "plan" {
			c.problems = append(c.problems, &calc.FieldError{Key: p.Key, Value: p.Value, Problem: "is of one service, and every plan of all of them is checked", Hint: "leave it out, or name the service"})
			continue
		}
		if name, _, one := strings.Cut(p.Key, ":"); one && slices.Contains(c.internal, name) {
			c.problems = append(c.problems, &calc.FieldError{Key: p.Key, Value: p.Value, Problem: name + " is Kafka's own topic, and no rule is held against it", Hint: "leave it out"})
			continue
		}
		if err := c.request.Set(p.Key, p.Value); err != nil {
			c.problems = append(c.problems, calc.Problems(err)...)
		}
	}
	for _, p := range c.request.Problems() {
		if !slices.ContainsFunc(c.problems, func(q *calc.FieldError) bool { return q.Key == p.Key }) {
			c.problems = append(c.problems, p)
		}
	}
	if len(c.request.Topics) == 0 && len(c.internal) > 0 && len(c.problems) == 0 {
		return bad("give a file with topics of your own, or settings such as retention.bytes=50GiB", "all topics of the files are Kafka's own: %s", strings.Join(c.internal, ", "))
	}
	if len(c.request.Topics) == 0 && len(c.problems) == 0 {
		return bad("give files, or settings such as retention.bytes=50GiB", "there is no topic to check")
	}
	if len(c.problems) == 0 {
		c.problems = calc.Problems(c.request.Measure())
	}
	for _, w := range c.warnings {
		t.report("warning: %s", w)
	}
	if len(c.problems) > 0 {
		return t.refuse(c.problems, report.Options{Warnings: c.warnings, Places: c.places}, asJSON)
	}
	if c.all {
		return c.answerAll(t, asJSON)
	}
	return c.answer(t, asJSON)
}

// splitPairs parts key=value from files. A file whose name has an equals sign is given as ./a=b.
func splitPairs(args []string) (pairs []calc.Pair, files []string) {
	for _, arg := range args {
		key, value, ok := strings.Cut(arg, "=")
		if ok && !strings.ContainsAny(key, `/\`) {
			pairs = append(pairs, calc.Pair{Key: key, Value: value})
		} else {
			files = append(files, arg)
		}
	}
	return pairs, files
}

// topicsToCheck is the topics of files. Files about brokers alone are one topic without settings of its own.
func topicsToCheck(results []*kafkaconf.Result) []provider.Topic {
	topics, brokers := topicsOf(results), brokersOf(results)
	if len(topics) == 0 && brokers.Read.Broker != nil {
		topics = []provider.Topic{{}}
		_ = brokers.Apply(&topics[0].Config, "")
	}
	for i := range topics {
		topics[i].CountBy("num.partitions")
	}
	return topics
}

// checkJSON is the answer for programs. Sizes are bytes.
type checkJSON struct {
	Format  string `json:"format"`
	Service string `json:"service"`
	Plan    string `json:"plan,omitempty"`
	Verdict string `json:"verdict"` // the effect of the verdict that decides
	Breach  bool   `json:"breach"`
	subjectJSON
	Reserved *reservedJSON `json:"reserved,omitempty"`
	Disk     *diskJSON     `json:"disk,omitempty"`
	Verdicts []verdictJSON `json:"verdicts"`
	Warnings []string      `json:"warnings"`
}

// subjectJSON is what is checked.
type subjectJSON struct {
	Topics     int      `json:"topics"`
	Partitions int64    `json:"partitions"`
	Assumed    []string `json:"partitions_assumed"` // topics of which one partition is taken, as nothing says how many
	Internal   []string `json:"internal"`           // Kafka's own topics, set apart
}

type reservedJSON struct {
	Storage   *calc.Bytes         `json:"storage_bytes"` // null: not known
	Limit     *calc.Bytes         `json:"limit_bytes"`
	Reserved  calc.Bytes          `json:"reserved_bytes"`
	Percent   string              `json:"percent,omitempty"`
	Simulated *calc.Bytes         `json:"simulated_bytes,omitempty"`
	Topics    []reservedTopicJSON `json:"topics"`
}

type reservedTopicJSON struct {
	Topic      string     `json:"topic"`
	Partitions int64      `json:"partitions"`
	Assumed    bool       `json:"partitions_assumed,omitempty"`
	Each       calc.Bytes `json:"partition_bytes"`
	Total      calc.Bytes `json:"bytes"`
	Percent    string     `json:"percent,omitempty"`
	Fit        *int64     `json:"more_partitions_fit,omitempty"`
	Ignored    []string   `json:"ignored,omitempty"`
}

type diskJSON struct {
	Size     calc.Bytes       `json:"bytes"`
	Peak     calc.Bytes       `json:"peak_bytes"`
	PeakAt   calc.Millis      `json:"peak_at_ms"`
	Cleaning map[string]int64 `json:"cleanings"`
	Kept     []keptJSON       `json:"topics"`
	Assumed  []string         `json:"assumed"`
}

type keptJSON struct {
	Topic      string       `json:"topic"`
	Configured calc.Millis  `json:"retention_ms"`
	Least      *calc.Millis `json:"kept_at_least_ms"` // null: nothing was deleted
	Most       calc.Millis  `json:"kept_at_most_ms"`
	Forced     int64        `json:"segments_before_their_time"`
}

type verdictJSON struct {
	Service  string           `json:"service"`
	Plan     string           `json:"plan,omitempty"`
	Rule     string           `json:"rule,omitempty"`
	Topic    string           `json:"topic,omitempty"`
	Effect   provider.Effect  `json:"effect"`
	Breach   bool             `json:"breach"`
	Error    string           `json:"error,omitempty"`
	Sentence string           `json:"sentence"`
	Fixes    []fixJSON        `json:"fixes,omitempty"`
	Others   int              `json:"more_rules,omitempty"`
	Source   *provider.Source `json:"source,omitempty"`
}

type fixJSON struct {
	Text   string   `json:"text"`
	Key    string   `json:"key,omitempty"`
	Value  string   `json:"value,omitempty"`
	Delete []string `json:"delete,omitempty"`
}

func verdictOf(v provider.Verdict) verdictJSON {
	j := verdictJSON{Service: v.Service, Plan: v.Plan, Rule: v.Rule, Topic: v.Topic, Effect: v.Effect, Breach: v.Breach(), Error: v.Error, Sentence: v.Sentence}
	for _, f := range v.Fixes {
		j.Fixes = append(j.Fixes, fixJSON(f))
	}
	if v.Rule != "" {
		j.Source = &v.Source
	}
	return j
}

func reservedOf(a *provider.Account, r provider.Request) *reservedJSON {
	j := &reservedJSON{Reserved: a.Reserved, Topics: []reservedTopicJSON{}}
	if a.Known {
		j.Storage, j.Limit, j.Percent = &a.Storage, &a.Limit, a.Percent()
	}
	if u, ok := provider.ReservedUse(r); ok {
		j.Simulated = &u.Simulated
	}
	for _, d := range a.Topics {
		one := reservedTopicJSON{Topic: d.Topic, Partitions: d.Partitions, Assumed: d.Assumed, Each: d.Each, Total: d.Total, Ignored: d.Ignored}
		if a.Known {
			fit := a.Fit(d.Each)
			one.Fit, one.Percent = &fit, a.PercentOf(d)
		}
		j.Topics = append(j.Topics, one)
	}
	return j
}

func diskOf(d *provider.Disk) *diskJSON {
	j := &diskJSON{Size: d.Size, Peak: d.Peak.Bytes, PeakAt: d.Peak.At, Cleaning: map[string]int64{}, Assumed: d.Assumed}
	for kind, n := range d.Counts {
		if n > 0 {
			j.Cleaning[provider.Cleaning(kind).String()] = n
		}
	}
	for _, k := range d.Kept {
		one := keptJSON{Topic: k.Topic, Configured: k.Configured, Most: k.Most, Forced: k.Forced}
		if k.Least != calc.Never {
			one.Least = &k.Least
		}
		j.Kept = append(j.Kept, one)
	}
	return j
}

// answer writes the verdicts of one service.
func (c *serviceCheck) answer(t *terminal, asJSON bool) error {
	verdicts := provider.Check(c.request)
	decides := provider.Decide(verdicts)
	breach := slices.ContainsFunc(verdicts, provider.Verdict.Breach)
	account, reserves := provider.NewAccount(c.request)
	var disk *provider.Disk
	if c.request.Service.Cleans {
		// What is missing for it is among the verdicts.
		disk, _ = provider.PlayDisk(c.request, c.request.Horizon())
	}
	var err error
	if asJSON {
		j := checkJSON{Format: "partsize-check/1", Service: c.request.Service.ID, Plan: c.request.Plan().ID, Verdict: decides.Effect.String(), Breach: breach, subjectJSON: c.subject(), Verdicts: []verdictJSON{}, Warnings: append([]string{}, c.warnings...)}
		if reserves {
			j.Reserved = reservedOf(&account, c.request)
		}
		if disk != nil {
			j.Disk = diskOf(disk)
		}
		for _, v := range verdicts {
			j.Verdicts = append(j.Verdicts, verdictOf(v))
		}
		err = writeJSON(t.out, j)
	} else {
		var b strings.Builder
		c.head(&b, decides.Effect)
		if reserves {
			printReserved(&b, &account, c.request)
		}
		if disk != nil {
			printDisk(&b, disk)
		}
		printVerdicts(&b, verdicts)
		_, err = io.WriteString(t.out, b.String())
	}
	if err != nil {
		return err
	}
	if breach {
		return errFindings
	}
	return nil
}

func writeJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// subject is what is checked. A topic without a name is told as "".
func (c *serviceCheck) subject() subjectJSON {
	s := subjectJSON{Topics: len(c.request.Topics), Assumed: []string{}, Internal: append([]string{}, c.internal...)}
	for i := range c.request.Topics {
		t := &c.request.Topics[i]
		s.Partitions += max(t.Partitions, 1)
		if t.Uncounted() {
			s.Assumed = append(s.Assumed, t.Name)
		}
	}
	return s
}

// head is the verdict, and what it is about.
func (c *serviceCheck) head(b *strings.Builder, decides provider.Effect) {
	name := c.request.Service.Name
	if p := c.request.Plan(); p.Name != "" {
		name += " " + p.Name
	}
	fmt.Fprintf(b, "%s: %s\n", name, decides)
	c.about(b)
}

// mostNamed is how many topics are named in a line.
const mostNamed = 5

// about says how many topics and partitions are checked, and what of that was not given.
func (c *serviceCheck) about(b *strings.Builder) {
	s := c.subject()
	fmt.Fprintf(b, "%s, %s\n", count(int64(s.Topics), "topic"), count(s.Partitions, "partition"))
	switch n := len(s.Assumed); {
	case n == 1 && s.Topics == 1:
		fmt.Fprintln(b, "  how many partitions it has is not given, and one is taken: give partitions=12")
	case n > 0 && n == s.Topics:
		fmt.Fprintf(b, "  how many partitions each has is not given, and one each is taken: give %s:partitions=12, or what kafka-topics.sh --describe prints\n", s.Assumed[0])
	case n > 0:
		fmt.Fprintf(b, "  how many partitions %s is not given, and one is taken (1?): give %s:partitions=12\n", names(s.Assumed)+has(n), s.Assumed[0])
	}
	if n := len(s.Internal); n > 0 {
		fmt.Fprintf(b, "  Kafka's own, and set apart: %s; no rule is held against them, and no sum has them\n", names(s.Internal))
	}
}

func has(n int) string {
	if n == 1 {
		return " has"
	}
	return " have"
}

// names lists names, the first few of many.
func names(all []string) string {
	var list []string
	for _, name := range all[:min(len(all), mostNamed)] {
		list = append(list, shorten(name))
	}
	text := strings.Join(list, ", ")
	if more := len(all) - mostNamed; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func count(n int64, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// mostListed is how many topics are listed in text, those that take the most.
const mostListed = 20

func printReserved(b *strings.Builder, a *provider.Account, r provider.Request) {
	if a.Endless {
		b.WriteString("reserved without limit\n")
		return
	}
	if a.Known {
		fmt.Fprintf(b, "reserved %s of %s, %s %%; at most %s\n", both(a.Reserved), both(a.Storage), a.Percent(), both(a.Limit))
	} else {
		fmt.Fprintf(b, "reserved %s\n", both(a.Reserved))
	}
	if u, ok := provider.ReservedUse(r); ok {
		fmt.Fprintln(b, u.Sentence)
	}
	topics := slices.Clone(a.Topics)
	slices.SortStableFunc(topics, func(x, y provider.Reserved) int {
		switch {
		case x.Total > y.Total:
			return -1
		case x.Total < y.Total:
			return 1
		}
		return 0
	})
	width := len("topic")
	for _, d := range topics[:min(len(topics), mostListed)] {
		width = max(width, utf8.RuneCountInString(shorten(d.Topic)))
	}
	fmt.Fprintf(b, "  %-*s  %10s  %12s  %12s  %7s  %8s\n", width, "topic", "partitions", "a partition", "reserved", "percent", "more fit")
	for _, d := range topics[:min(len(topics), mostListed)] {
		share, fit := "-", "-"
		if a.Known {
			share, fit = a.PercentOf(d), fmt.Sprint(a.Fit(d.Each))
		}
		name := shorten(d.Topic)
		if name == "" {
			name = "-"
		}
		partitions := fmt.Sprint(d.Partitions)
		if d.Assumed {
			partitions += "?"
		}
		fmt.Fprintf(b, "  %-*s  %10s  %12s  %12s  %7s  %8s\n", width, name, partitions, d.Each, d.Total, share, fit)
	}
	if more := len(topics) - mostListed; more > 0 {
		fmt.Fprintf(b, "  and %s more\n", count(int64(more), "topic"))
	}
	if len(topics) == 1 {
		for _, term := range topics[0].Terms {
			fmt.Fprintf(b, "  a partition: %12s  %s\n", term.Bytes, term.Formula)
		}
	}
}

// shorten is a name that fits a column.
func shorten(name string) string {
	const most = 40
	if utf8.RuneCountInString(name) <= most {
		return name
	}
	return string([]rune(name)[:most-1]) + "…"
}

// both is a size in both kinds of units.
func both(b calc.Bytes) string {
	if b < 1000 {
		return b.String()
	}
	return b.String() + " (" + b.Decimal() + ")"
}

func printDisk(b *strings.Builder, d *provider.Disk) {
	fmt.Fprintf(b, "in %s the disk peaks at %s, at %s\n", d.Until, both(d.Peak.Bytes), d.Peak.At)
	for _, l := range d.Lines {
		fmt.Fprintf(b, "  %3d %%  %-22s %s\n", l.Percent, both(l.Bytes), l.Action)
	}
	for kind, n := range d.Counts {
		if n > 0 {
			fmt.Fprintf(b, "  %s: %s\n", provider.Cleaning(kind), count(n, "time"))
		}
	}
	for i, k := range d.Kept {
		if i == mostListed {
			fmt.Fprintf(b, "  and %s more\n", count(int64(len(d.Kept)-i), "topic"))
			break
		}
		name := k.Topic
		if name == "" {
			name = "the topic"
		}
		if k.Least == calc.Never {
			fmt.Fprintf(b, "  %s: nothing is deleted; the oldest record gets %s\n", name, k.Most)
			continue
		}
		configured := "configured are " + k.Configured.String()
		if k.Configured < 0 {
			configured = "no limit by time is configured"
		}
		fmt.Fprintf(b, "  %s: records are kept for %s to %s; %s\n", name, k.Least, k.Most, configured)
	}
	for _, a := range d.Assumed {
		fmt.Fprintf(b, "  assumed: %s\n", a)
	}
}

func printVerdicts(b *strings.Builder, verdicts []provider.Verdict) {
	for _, v := range verdicts {
		topic := ""
		if v.Topic != "" {
			topic = v.Topic + ": "
		}
		what := v.Effect.String()
		if v.Error != "" {
			what += " (" + v.Error + ")"
		}
		fmt.Fprintf(b, "\n%s: %s%s\n", what, topic, v.Sentence)
		for _, f := range v.Fixes {
			fmt.Fprintf(b, "  way out: %s\n", f.Text)
		}
		if v.Rule != "" && v.Effect != provider.Unknown {
			fmt.Fprintf(b, "  source: %s\n          %s (read %s, %s)\n", v.Source.Title, v.Source.URL, v.Source.Read, v.Source.Confidence)
		}
	}
}

// answerAll writes one row for each service.
func (c *serviceCheck) answerAll(t *terminal, asJSON bool) error {
	rows := provider.Table(c.request)
	breach := slices.ContainsFunc(rows, func(r provider.Row) bool { return r.Verdict.Breach() })
	var err error
	if asJSON {
		var all []verdictJSON
		for _, row := range rows {
			j := verdictOf(row.Verdict)
			j.Others = row.Others
			all = append(all, j)
		}
		err = writeJSON(t.out, struct {
			Format string `json:"format"`
			Breach bool   `json:"breach"`
			subjectJSON
			Services []verdictJSON `json:"services"`
			Warnings []string      `json:"warnings"`
		}{"partsize-check-all/1", breach, c.subject(), all, append([]string{}, c.warnings...)})
	} else {
		var b strings.Builder
		c.about(&b)
		for _, row := range rows {
			name := row.Service.Name
			if row.Plan != "" {
				name += " " + row.Plan
			}
			v := row.Verdict
			fmt.Fprintf(&b, "%s: %s\n", name, v.Effect)
			if v.Effect == provider.Accepted && v.Rule == "" {
				continue
			}
			topic := ""
			if v.Topic != "" {
				topic = v.Topic + ": "
			}
			fmt.Fprintf(&b, "  %s%s\n", topic, v.Sentence)
			for _, f := range v.Fixes {
				fmt.Fprintf(&b, "  way out: %s\n", f.Text)
			}
			if row.Others > 0 {
				fmt.Fprintf(&b, "  and %s more: --service %s\n", count(int64(row.Others), "rule"), v.Service)
			}
			if v.Rule != "" {
				fmt.Fprintf(&b, "  source: %s (read %s)\n", v.Source.URL, v.Source.Read)
			}
		}
		_, err = io.WriteString(t.out, b.String())
	}
	if err != nil {
		return err
	}
	if breach {
		return errFindings
	}
	return nil
}

package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/report"
)

// metadataCheck is what check without a service was asked.
type metadataCheck struct {
	topics   []calc.TopicInput
	own      []calc.Pair // of the metadata topic itself
	ownFile  string      // that says so
	without  bool        // that file has the topic, and no retention.ms of its own for it
	warnings []string
	problems []*calc.FieldError
}

// checkMetadata holds tiered topics against the retention of __remote_log_metadata.
func (t *terminal) checkMetadata(args []string, asJSON bool) error {
	pairs, files := splitPairs(args)
	read, err := t.readConfigs(files, nil, pairs)
	if err != nil {
		return err
	}
	c := metadataCheck{warnings: read.warnings, problems: read.refused}
	c.takeTopics(read.results, files)
	for _, p := range pairs {
		c.set(p)
	}
	c.explainOwn()
	c.topics = slices.DeleteFunc(c.topics, func(in calc.TopicInput) bool { return in.Input.Get("remote.storage.enable") != "true" })
	for _, w := range c.warnings {
		t.report("warning: %s", w)
	}
	if len(c.topics) == 0 && len(c.problems) == 0 {
		return c.nothing(t, asJSON)
	}
	check, err := calc.NewMetadataCheck(c.topics, c.own)
	for _, p := range calc.Problems(err) {
		key := strings.TrimPrefix(p.Key, "rlmm.config.") // which may be left out
		known := func(q *calc.FieldError) bool {
			own := strings.TrimPrefix(q.Key, "rlmm.config.")
			return key == own || strings.HasSuffix(key, ":"+own)
		}
		if !slices.ContainsFunc(c.problems, known) && len(c.topics) > 0 {
			c.problems = append(c.problems, p)
		}
	}
	if len(c.problems) > 0 {
		return t.refuse(c.problems, report.Options{Warnings: c.warnings, Places: read.places}, asJSON)
	}
	p := t.progress("simulating")
	f, err := check.Run(func(done int64) bool {
		p.show(fmt.Sprintf("%d %%", done/10))
		return true
	})
	p.end()
	if err != nil {
		return bad("", "%v", err)
	}
	if asJSON {
		err = writeJSON(t.out, metadataJSONOf(&f, c.warnings))
	} else {
		var b strings.Builder
		printMetadata(&b, &f, c.traffic())
		_, err = io.WriteString(t.out, b.String())
	}
	if err != nil {
		return err
	}
	if unsafe(&f) {
		return errFindings
	}
	return nil
}

// traffic is what is produced to each partition, in words: what is said depends on it.
func (c *metadataCheck) traffic() string {
	rates := map[string]bool{}
	one := ""
	for i := range c.topics {
		one = c.topics[i].Input.Get("produce")
		rates[one] = true
	}
	if len(rates) > 1 {
		return "as given for each topic with produce"
	}
	for i := range c.topics {
		if _, given := c.topics[i].Input.Given("produce"); given {
			return one
		}
	}
	return one + ", as no other is given with produce"
}

// unsafe reports whether the finding is one.
func unsafe(f *calc.MetadataFinding) bool { return f.Verdict == calc.VerdictAtRisk || !f.Covered }

// nothing says that no topic is tiered, which is no finding.
func (c *metadataCheck) nothing(t *terminal, asJSON bool) error {
	if asJSON {
		return writeJSON(t.out, metadataJSON{Format: metadataFormat, Verdict: "nothing to check", Topics: []metadataTopicJSON{},
			Traps: []trapJSON{}, Warnings: append([]string{}, c.warnings...)})
	}
	_, err := io.WriteString(t.out, "nothing to check: no topic has remote.storage.enable=true\n")
	return err
}

// takeTopics takes the topics of files. Without a topic there is one, which is tiered.
func (c *metadataCheck) takeTopics(results []*kafkaconf.Result, files []string) {
	ids := map[string]string{}
	for i, r := range results {
		c.readOwn(files[i], r)
		for _, read := range r.Read.Topics {
			if read.ID != "" {
				ids[read.Name] = read.ID
			}
		}
	}
	for _, topic := range topicsOf(results) {
		if topic.Name != calc.MetadataTopicName {
			c.topics = append(c.topics, calc.TopicInput{Name: topic.Name, ID: ids[topic.Name], Input: topic.Config})
		}
	}
	in, brokers := calc.Defaults(), brokersOf(results)
	_ = brokers.Apply(&in, "")
	if c.without {
		c.own = append(c.own, calc.Pair{Key: "retention.ms", Value: in.Get("retention.ms")})
	}
	if len(c.topics) == 0 {
		if len(files) > 0 {
			c.warnings = append(c.warnings, "no file says what topics there are: one is taken, with a single partition, remote.storage.enable=true and the brokers' settings; give what kafka-topics.sh --describe prints, too")
		}
		_ = in.Set("remote.storage.enable", "true")
		c.topics = []calc.TopicInput{{Input: in}}
	}
}

// readOwn takes what a file says of the metadata topic itself. What Kafka's tools print has each setting that the topic does
// not inherit; brokers give it retention.ms when they create it.
func (c *metadataCheck) readOwn(name string, r *kafkaconf.Result) {
	for i := range r.Read.Topics {
		read := &r.Read.Topics[i]
		if read.Name != calc.MetadataTopicName {
			continue
		}
		c.ownFile = name
		for _, key := range slices.Sorted(maps.Keys(read.Config)) {
			c.own = append(c.own, calc.Pair{Key: key, Value: read.Config[key].String()})
		}
		if n := read.Partitions; n != nil {
			c.own = append(c.own, calc.Pair{Key: "partitions", Value: strconv.FormatInt(*n, 10)})
		}
		if n := read.Replication; n != nil {
			c.own = append(c.own, calc.Pair{Key: "replication.factor", Value: strconv.FormatInt(*n, 10)})
		}
		printed := r.Format == kafkaconf.FormatTopics || r.Format == kafkaconf.FormatDescribe
		c.without = printed && !slices.ContainsFunc(c.own, func(p calc.Pair) bool { return p.Key == "retention.ms" })
	}
}

// ownOf is what the metadata topic itself says for a key, the last time.
func (c *metadataCheck) ownOf(key string) (value string, ok bool) {
	for _, p := range c.own {
		if p.Key == key {
			value, ok = p.Value, true
		}
	}
	return value, ok
}

// explainOwn warns where what brokers are told to create the metadata topic with is not what it has.
func (c *metadataCheck) explainOwn() {
	if c.ownFile == "" {
		return
	}
	if value, _ := c.ownOf("retention.ms"); c.without {
		c.warnings = append(c.warnings, fmt.Sprintf("%s: %s has no retention.ms of its own, so that the brokers' holds: %s. Kafka gives it one when it creates the topic; give it %s:retention.ms=-1, or as long as is recommended",
			c.ownFile, calc.MetadataTopicName, value, calc.MetadataTopicName))
	}
	const prefix = "rlmm.config.remote.log.metadata.topic."
	for _, k := range [...]struct{ brokers, own string }{{"retention.ms", "retention.ms"}, {"num.partitions", "partitions"}, {"replication.factor", "replication.factor"}} {
		own, said := c.ownOf(k.own)
		if !said || len(c.topics) == 0 {
			continue
		}
		given, ok := c.topics[0].Input.Given(prefix + k.brokers)
		if ok && !sameNumber(own, given) {
			c.warnings = append(c.warnings, fmt.Sprintf("%s%s=%s does not count: brokers read it only when they create %s, which has %s=%s; to check another value give %s:%s=%s",
				prefix, k.brokers, shorten(given), calc.MetadataTopicName, k.own, shorten(own), calc.MetadataTopicName, k.own, shorten(given)))
		}
	}
}

// sameNumber reports whether two texts are the same time or count.
func sameNumber(a, b string) bool {
	x, errX := calc.ParseMillis(a)
	y, errY := calc.ParseMillis(b)
	return a == b || errX == nil && errY == nil && x == y
}

// set gives a setting for all topics, or as NAME:key=value for one; what is wrong with it is reported with all the rest.
func (c *metadataCheck) set(p calc.Pair) {
	name, key, one := strings.Cut(p.Key, ":")
	if !one {
		key = p.Key
	}
	if strings.HasPrefix(key, "remote.log.metadata.topic.") {
		key = "rlmm.config." + key // the brokers' plugin reads it under that name
	}
	if one && name == calc.MetadataTopicName {
		c.setOwn(p, key)
		return
	}
	found := false
	var wrong error
	for i := range c.topics {
		if !one || c.topics[i].Name == name {
			found = true
			if err := c.topics[i].Input.Set(key, p.Value); err != nil {
				wrong = err
			}
		}
	}
	switch {
	case !found && one:
		c.problems = append(c.problems, &calc.FieldError{Key: p.Key, Value: p.Value, Problem: "there is no topic of that name", Hint: "give the file with it"})
	case wrong != nil:
		for _, e := range calc.Problems(wrong) {
			e.Key = p.Key
			c.problems = append(c.problems, e)
		}
	}
}

// setOwn gives a setting of the metadata topic itself.
func (c *metadataCheck) setOwn(p calc.Pair, key string) {
	c.own = append(c.own, calc.Pair{Key: key, Value: p.Value})
	if key == "retention.ms" {
		c.without = false
	}
	row, _, known := calc.SettingOf(key)
	var wrong *calc.FieldError
	var in calc.Input
	switch err := in.Set(key, p.Value); {
	case errors.As(err, &wrong):
	case !known || row.Broker || row.Own && key != "partitions" && key != "replication.factor":
		wrong = &calc.FieldError{Value: p.Value, Problem: "is no setting of a topic", Hint: "leave the topic's name out"}
	default:
		return
	}
	wrong.Key = p.Key
	c.problems = append(c.problems, wrong)
}

const metadataFormat = "partsize-metadata-check/1"

// metadataJSON is the answer for programs. Times are milliseconds from the start, sizes bytes; null is never, unlimited or
// not known.
type metadataJSON struct {
	Format    string              `json:"format"`
	Verdict   string              `json:"verdict"`
	Unsafe    bool                `json:"unsafe"`
	From      *calc.Millis        `json:"at_risk_from_ms"`
	Covered   bool                `json:"safe_in_any_traffic"`
	Retention *calc.Millis        `json:"retention_ms"`
	Horizon   calc.Millis         `json:"horizon_ms"`
	Topics    []metadataTopicJSON `json:"topics"`
	Restart   *restartJSON        `json:"restart,omitempty"`
	Least     *leastJSON          `json:"least_safe,omitempty"`
	Disk      *metadataDisksJSON  `json:"disk,omitempty"`
	Traps     []trapJSON          `json:"traps"`
	Warnings  []string            `json:"warnings"`
}

type metadataTopicJSON struct {
	Topic      string      `json:"topic"`
	Partitions int64       `json:"partitions"`
	AtRisk     bool        `json:"at_risk"`
	Segments   int64       `json:"segments_at_risk"`
	Stored     calc.Bytes  `json:"bytes_at_risk"`
	First      *windowJSON `json:"first,omitempty"`
}

type windowJSON struct {
	Partition int64        `json:"partition"`
	Metadata  int64        `json:"metadata_partition"`
	Base      calc.Offset  `json:"base"`
	Stored    calc.Bytes   `json:"bytes"`
	Newest    calc.Millis  `json:"newest_record_ms"`
	Started   calc.Millis  `json:"copy_started_ms"`
	Lost      calc.Millis  `json:"lost_ms"`
	By        calc.Reason  `json:"lost_by"`
	Deleted   *calc.Millis `json:"deleted_ms"`
}

type restartJSON struct {
	At       calc.Millis `json:"t_ms"`
	Chosen   bool        `json:"chosen"`
	Segments int64       `json:"segments"`
	Stored   calc.Bytes  `json:"bytes"`
	Cost     string      `json:"cost_a_month"`
	Price    string      `json:"price"` // of a GiB for a month
}

type leastJSON struct {
	Retention *calc.Millis   `json:"retention_ms"`
	Why       string         `json:"why,omitempty"`
	Advised   *calc.Millis   `json:"recommended_ms"`
	Terms     []timeTermJSON `json:"terms"`
	Without   []timeTermJSON `json:"not_counted"`
}

type timeTermJSON struct {
	Name string       `json:"name"`
	Time *calc.Millis `json:"ms,omitempty"`
	Why  string       `json:"why"`
	Keys []string     `json:"keys"`
}

type metadataDisksJSON struct {
	Now       metadataDiskJSON `json:"now"`
	Advised   metadataDiskJSON `json:"recommended"`
	Unlimited metadataDiskJSON `json:"unlimited"`
	PerYear   calc.Bytes       `json:"bytes_written_a_year"`
	Events    int64            `json:"events_a_year"`
}

type metadataDiskJSON struct {
	Retention *calc.Millis `json:"retention_ms"`
	PerBroker calc.Bytes   `json:"bytes_a_broker"`
	Total     calc.Bytes   `json:"bytes"`
}

type trapJSON struct {
	Kind  calc.TrapKind `json:"kind"`
	Topic string        `json:"topic,omitempty"`
	Key   string        `json:"key"`
	Value string        `json:"value"`
	Why   string        `json:"why"`
	Way   string        `json:"fix"`
}

// some is a time, null where it never comes or has no limit.
func some(m calc.Millis) *calc.Millis {
	if m == calc.Never || m < 0 {
		return nil
	}
	return &m
}

func metadataJSONOf(f *calc.MetadataFinding, warnings []string) metadataJSON {
	j := metadataJSON{
		Format: metadataFormat, Verdict: f.Verdict.String(), Unsafe: unsafe(f), From: some(f.From), Covered: f.Covered,
		Retention: some(f.Retention), Horizon: f.Horizon, Topics: []metadataTopicJSON{}, Traps: []trapJSON{},
		Restart: &restartJSON{f.Restart.At, f.Chosen, f.Restart.Segments, f.Restart.Stored, money(f.Restart.Cost), price(f.Price)},
		Least:   &leastJSON{Retention: some(f.Least.Time), Why: f.Least.Why, Advised: some(f.Least.Advised)},
		Disk: &metadataDisksJSON{diskOfMetadata(f.Disk), diskOfMetadata(f.Advised), diskOfMetadata(f.Default),
			f.PerYear, f.Events},
		Warnings: append([]string{}, warnings...),
	}
	for i := range f.Topics {
		t := &f.Topics[i]
		one := metadataTopicJSON{Topic: t.Name, Partitions: t.Partitions, AtRisk: t.AtRisk(), Segments: t.Segments, Stored: t.Stored}
		if w := t.First; t.AtRisk() {
			one.First = &windowJSON{w.Partition, w.MetadataPartition, w.Base, w.Stored, w.Newest, w.Started, w.Lost, w.LostBy, some(w.Deleted)}
		}
		j.Topics = append(j.Topics, one)
	}
	for _, term := range f.Least.Terms {
		j.Least.Terms = append(j.Least.Terms, timeTermJSON{term.Name, &term.Time, term.Why, term.Keys})
	}
	for _, term := range f.Least.Without {
		j.Least.Without = append(j.Least.Without, timeTermJSON{term.Name, nil, term.Why, term.Keys})
	}
	for _, trap := range f.Traps {
		j.Traps = append(j.Traps, trapJSON{trap.Kind, trap.Topic, trap.Key, trap.Found, trap.Why, trap.Way})
	}
	return j
}

func diskOfMetadata(d calc.MetadataDisk) metadataDiskJSON {
	return metadataDiskJSON{some(d.Retention), d.PerBroker, d.Total}
}

// money is an amount in billionths with two digits, rounded up.
func money(billionths int64) string {
	cents := billionths / 10_000_000
	if billionths%10_000_000 > 0 {
		cents++
	}
	return fmt.Sprintf("%d.%02d", cents/100, cents%100)
}

// price is an amount in billionths with all its digits.
func price(billionths int64) string {
	text := fmt.Sprintf("%d.%09d", billionths/1_000_000_000, billionths%1_000_000_000)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}

// limit is a retention in words.
func limit(m calc.Millis) string {
	if m < 0 {
		return "unlimited"
	}
	return m.String()
}

func printMetadata(b *strings.Builder, f *calc.MetadataFinding, traffic string) {
	switch {
	case f.Verdict == calc.VerdictAtRisk:
		fmt.Fprintf(b, "at risk from %s: when all brokers have restarted after that, remote\nsegments are left that nobody can read or delete (KAFKA-15682)\n", f.From)
	case f.Verdict == calc.VerdictUnbounded:
		fmt.Fprintf(b, "unbounded growth: nothing dangles, and %s grows by\n%s a year, replicas included\n", calc.MetadataTopicName, both(f.PerYear))
	case f.Covered:
		b.WriteString("safe: every remote segment is deleted before its metadata is lost\n")
	case f.Config.Log.RetentionBytes >= 0:
		fmt.Fprintf(b, "not safe in any traffic: in the %s played nothing dangles, but a\npartition of %s keeps only %s, and drops older\nevents whatever its retention.ms says\n", f.Horizon, calc.MetadataTopicName, f.Config.Log.RetentionBytes)
	default:
		fmt.Fprintf(b, "not safe in any traffic: in the %s played nothing dangles, but\n%s keeps less than the least that is safe\n", f.Horizon, calc.MetadataTopicName)
	}
	fmt.Fprintf(b, "\n%-24s %s\n", "metadata is kept for", limit(f.Retention))
	if size := f.Config.Log.RetentionBytes; size >= 0 {
		fmt.Fprintf(b, "%-24s %s a partition\n", "and at most", size)
	}
	fmt.Fprintf(b, "%-24s %s\n", "traffic of a partition", traffic)
	if f.Least.OK {
		fmt.Fprintf(b, "%-24s %s (%d ms)\n", "least that is safe", f.Least.Time, int64(f.Least.Time))
		fmt.Fprintf(b, "%-24s %s (%d ms)\n", "recommended", f.Least.Advised, int64(f.Least.Advised))
	} else {
		fmt.Fprintf(b, "%-24s unlimited: %s\n", "least that is safe", f.Least.Why)
	}
	for _, term := range f.Least.Terms {
		if term.Time > 0 {
			fmt.Fprintf(b, "    %14s  %s (%s)\n", term.Time, term.Name, strings.Join(term.Keys, ", "))
		}
	}
	names := make([]string, len(f.Least.Without))
	for i, term := range f.Least.Without {
		names[i] = term.Name
	}
	fold(b, "       not counted  ", strings.Join(names, ", "))
	if r := f.Restart; f.Verdict == calc.VerdictAtRisk || f.Chosen {
		worst := ", the worst time played"
		if f.Chosen {
			worst = ""
		}
		fmt.Fprintf(b, "\nwhen all brokers restart at %s%s:\n    %s, %s, dangle: %s a month for good\n    (a GiB for %s a month)\n", r.At, worst,
			count(r.Segments, "segment"), both(r.Stored), money(r.Cost), price(f.Price))
	}
	fmt.Fprintf(b, "\n%-24s %12s %12s  most within %s\n", "metadata on disk", "a broker", "all", f.Horizon)
	for _, d := range []struct {
		name string
		disk calc.MetadataDisk
	}{{"as it is", f.Disk}, {"recommended", f.Advised}, {"by default", f.Default}} {
		fmt.Fprintf(b, "%-24s %12s %12s\n", d.name+", "+limit(d.disk.Retention), d.disk.PerBroker, d.disk.Total)
	}
	printMetadataTopics(b, f)
	printWindow(b, f)
	for i, trap := range f.TrapGroups() {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(b, "trap: %s\n", trap.Kind)
		some, more := trap.Where()
		for _, p := range some {
			fmt.Fprintf(b, "  %s: %s\n", shorten(p.Key), p.Value)
		}
		if more > 0 {
			fmt.Fprintf(b, "  and %s more\n", count(int64(more), "topic"))
		}
		fold(b, "  ", trap.Why)
		fold(b, "  ", trap.Way)
	}
}

// printWindow says why the first segment is at risk: the lives of the segment and of its metadata.
func printWindow(b *strings.Builder, f *calc.MetadataFinding) {
	var first *calc.TopicRisk
	for i := range f.Topics {
		if t := &f.Topics[i]; t.AtRisk() && (first == nil || t.First.Lost < first.First.Lost) {
			first = t
		}
	}
	if first == nil {
		return
	}
	w := first.First
	fmt.Fprintf(b, "\nsegment %d of %s-%d, whose events are in partition %d\n", w.Base, w.Topic, w.Partition, w.MetadataPartition)
	fmt.Fprintf(b, "  %22s  its newest record came\n", w.Newest)
	fmt.Fprintf(b, "  %22s  its copy began: COPY_SEGMENT_STARTED is written\n", w.Started)
	fmt.Fprintf(b, "  %22s  the newest event in that segment of the metadata topic\n", w.MetadataNewest)
	fmt.Fprintf(b, "  %22s  that segment is deleted, by %s: from here on a\n  %22s  broker that starts does not know segment %d\n", w.Lost, w.LostBy, "", w.Base)
	if w.Deleted != calc.Never {
		fmt.Fprintf(b, "  %22s  segment %d would be deleted\n", w.Deleted, w.Base)
	}
}

// fold writes a text in lines of 80 letters, the first after a head and the others as far in.
func fold(b *strings.Builder, head, text string) {
	const most = 80
	line := head
	for word := range strings.FieldsSeq(text) {
		if len(line) > len(head) && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > most {
			b.WriteString(line + "\n")
			line = strings.Repeat(" ", len(head))
		}
		if len(line) > len(head) {
			line += " "
		}
		line += word
	}
	b.WriteString(line + "\n")
}

// printMetadataTopics lists the topics, those first that are at risk first.
func printMetadataTopics(b *strings.Builder, f *calc.MetadataFinding) {
	topics := slices.Clone(f.Topics)
	slices.SortStableFunc(topics, func(x, y calc.TopicRisk) int {
		switch {
		case x.First.Lost < y.First.Lost:
			return -1
		case x.First.Lost > y.First.Lost:
			return 1
		}
		return 0
	})
	width := len("topic")
	for _, t := range topics[:min(len(topics), mostListed)] {
		width = max(width, utf8.RuneCountInString(shorten(t.Name)))
	}
	fmt.Fprintf(b, "\n%-*s  %10s  %s\n", width, "topic", "partitions", "first segment at risk, and when")
	for _, t := range topics[:min(len(topics), mostListed)] {
		what := "none"
		if w := t.First; t.AtRisk() {
			until := "for good"
			if w.Deleted != calc.Never {
				until = "to " + w.Deleted.String()
			}
			what = fmt.Sprintf("%d of partition %d, from %s %s", w.Base, w.Partition, w.Lost, until)
		}
		fmt.Fprintf(b, "%-*s  %10d  %s\n", width, shorten(t.Name), t.Partitions, what)
	}
	if more := len(topics) - mostListed; more > 0 {
		risks := 0
		for i := range topics {
			if topics[i].AtRisk() {
				risks++
			}
		}
		fmt.Fprintf(b, "and %s more; %d of all %d are at risk\n", count(int64(more), "topic"), risks, len(topics))
	}
}

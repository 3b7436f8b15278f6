package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/provider"
	"github.com/partsize/partsize/cmd/partsize/formats"
)

const readHelp = `usage: partsize read FILE … [--json]

Says what is read from each file: a broker's server.properties, what
kafka-configs.sh, kafka-topics.sh or kafka-log-dirs.sh --describe prints, or a
traffic series in CSV; manifests of Strimzi and of other operators, compose
files, values of a Helm chart, variables such as KAFKA_LOG_RETENTION_HOURS;
topics in Terraform, and from Confluent's REST API; what ls -l and du print, and
Cruise Control's broker statistics. Says what was not understood, and what Kafka
would not take.
"-" is standard input. The format is found out from the content.

  --json   in JSON, which docs/read-json.md describes

Exit codes: 0 read, 2 a file that cannot be read.
`

// reading is what was read from one file.
type reading struct {
	File     string            `json:"file"`
	Format   kafkaconf.Format  `json:"format"`
	Read     any               `json:"read"`
	Warnings []string          `json:"warnings"`
	Rejected map[string]string `json:"rejected_values"`
	Notes    []string          `json:"notes"`
	Error    string            `json:"error,omitempty"`

	result *kafkaconf.Result
	shape  *formats.Shape // of a format that only the command reads
	series *kafkaconf.Series
}

// seriesRead is a traffic series as read --json shows it.
type seriesRead struct {
	Series struct {
		Unit   kafkaconf.RateUnit `json:"unit"`
		Epoch  *calc.Millis       `json:"epoch_ms"` // null: the file has no dates
		Length calc.Millis        `json:"length_ms"`
		Rows   int64              `json:"rows"`
		Total  int64              `json:"total"`
		Pieces [][3]int64         `json:"pieces"` // start, length in ms, amount
	} `json:"series"`
}

// ibmRead is what the IBM Cloud command says about topics, and what IBM Event Streams sets aside for them.
type ibmRead struct {
	kafkaconf.Read
	Reserved calc.Bytes `json:"reserved_bytes_total"`
}

func reservedAtIBM(r *kafkaconf.Result) calc.Bytes {
	ibm, err := provider.ServiceOf("ibm-event-streams")
	if err != nil {
		panic("partsize: " + err.Error())
	}
	account, _ := provider.NewAccount(provider.Request{Service: ibm, Topics: topicsOf([]*kafkaconf.Result{r})})
	return account.Reserved
}

func read(t *terminal, args []string) error {
	flags := flag.NewFlagSet("read", flag.ContinueOnError)
	asJSON := flags.Bool("json", false, "")
	names, err := parseArguments(flags, args)
	if err != nil {
		return t.asked(err, readHelp)
	}
	if len(names) == 0 {
		return bad(`give files, or "-" for standard input`, "read needs at least one file")
	}
	var all []reading
	var failed error
	for _, name := range names {
		r, err := t.readOne(name)
		if err != nil {
			r.Error = err.Error()
			failed = &usageError{}
			t.code(err)
		}
		all = append(all, r)
	}
	if *asJSON {
		err = writeReadings(t.out, all)
	} else {
		err = printReadings(t.out, all)
	}
	if err != nil {
		return err
	}
	return failed
}

// readOne reads a file of any format.
func (t *terminal) readOne(name string) (reading, error) {
	r := reading{File: name, Warnings: []string{}, Rejected: map[string]string{}, Notes: []string{}}
	file, err := t.open(name)
	if err != nil {
		return r, err
	}
	defer file.Close()
	head := make([]byte, 1<<20)
	n, err := io.ReadFull(file, head)
	head = head[:n]
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return r, unreadable(name, err)
	}
	r.Format = kafkaconf.Detect(head, name)
	whole := io.MultiReader(bytes.NewReader(head), file)
	if r.Format == kafkaconf.FormatSeries {
		return r, r.readSeries(t, whole)
	}
	data, err := io.ReadAll(io.LimitReader(whole, kafkaconf.MaxSize+1))
	if err != nil {
		return r, unreadable(name, err)
	}
	if formats.Reads(r.Format) {
		return r, r.readOther(data)
	}
	result, err := kafkaconf.Parse(data, kafkaconf.Options{Format: r.Format, Name: name, Names: provider.Names()})
	if err != nil {
		return r, bad(configHint(err), "%s: %v", name, err)
	}
	r.take(result)
	if r.Format == kafkaconf.FormatIBMTopic {
		r.Read = ibmRead{result.Read, reservedAtIBM(result)}
	}
	return r, nil
}

// take takes what was read of a configuration.
func (r *reading) take(result *kafkaconf.Result) {
	r.result, r.Read = result, result.Read
	if result.Rejected != nil {
		r.Rejected = result.Rejected
	}
	for _, w := range result.Warnings {
		r.Warnings = append(r.Warnings, w.String())
	}
	for _, w := range result.Notes {
		r.Notes = append(r.Notes, w.String())
	}
}

// readOther reads a file of a format that only the command reads.
func (r *reading) readOther(data []byte) error {
	read, err := formats.Read(data, r.Format, kafkaconf.Options{Name: r.File, Names: provider.Names()})
	if err != nil {
		return bad(configHint(err), "%s: looks like %s, and %v", r.File, r.Format, err)
	}
	if read.Config != nil {
		r.take(read.Config)
	}
	r.shape, r.Read = &read.Shape, read.Shape
	for _, w := range read.Warnings {
		r.Warnings = append(r.Warnings, w.String())
	}
	return nil
}

func (r *reading) readSeries(t *terminal, file io.Reader) error {
	p := t.progress("reading " + r.File)
	series, err := kafkaconf.ReadSeries(file, kafkaconf.SeriesOptions{Progress: func(n int64) { p.show(calc.Bytes(n).String()) }})
	p.end()
	if err != nil {
		return bad(seriesHint, "%s: %v", r.File, plainError(err))
	}
	r.series = series
	var s seriesRead
	s.Series.Unit, s.Series.Length = series.Unit, series.Length()
	s.Series.Rows, s.Series.Total = series.Rows, series.Total()
	if series.Absolute {
		s.Series.Epoch = &series.Epoch
	}
	for _, p := range series.Pieces {
		s.Series.Pieces = append(s.Series.Pieces, [3]int64{int64(p.At), int64(p.Length), p.Amount})
	}
	r.Read = s
	for _, n := range series.Notices {
		r.Warnings = append(r.Warnings, n.String())
	}
	return nil
}

func writeReadings(w io.Writer, all []reading) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if len(all) == 1 {
		return e.Encode(all[0])
	}
	return e.Encode(all)
}

func printReadings(w io.Writer, all []reading) error {
	var b strings.Builder
	for i, r := range all {
		if r.Error != "" {
			continue
		}
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s: %s\n", r.File, r.Format)
		if r.result != nil {
			printResult(&b, r.result)
		}
		if r.shape != nil {
			printShape(&b, r.shape)
		}
		if r.series != nil {
			printSeries(&b, r.series)
		}
		for _, warning := range r.Warnings {
			fmt.Fprintf(&b, "  warning: %s\n", warning)
		}
		for _, note := range r.Notes {
			fmt.Fprintf(&b, "  note: %s\n", note)
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func printResult(b *strings.Builder, r *kafkaconf.Result) {
	for _, topic := range r.Read.Topics {
		name := topic.Name
		if name == "" {
			name = "without a name"
		}
		fmt.Fprintf(b, "  topic %s%s\n", name, shapeOf(topic))
		printValues(b, topic.Config)
		if len(topic.Config) == 0 {
			b.WriteString("    no settings of its own\n")
		}
		if len(topic.Replicas) > 0 {
			fmt.Fprintf(b, "    %s with their replicas\n", count(int64(len(topic.Replicas)), "partition"))
		}
	}
	if n := len(r.Read.Sizes); n > 0 {
		var sum calc.Bytes
		for _, s := range r.Read.Sizes {
			sum += min(calc.Bytes(s.Size), math.MaxInt64-sum)
		}
		fmt.Fprintf(b, "  %d replicas in %d log directories: %s of records (%s)\n", n, len(r.Read.LogDirs), sum, sum.Exact())
	}
	if r.Read.Broker != nil {
		b.WriteString("  broker\n")
		printValues(b, r.Read.Broker)
		b.WriteString("  what a topic without settings of its own gets\n")
		printValues(b, r.Read.Effective)
	}
}

// shapeOf is how many partitions and replicas a topic has, as far as the file says.
func shapeOf(t kafkaconf.Topic) (text string) {
	if t.Partitions != nil {
		text = ", " + count(*t.Partitions, "partition")
	}
	if t.Replication != nil {
		text += ", " + count(*t.Replication, "replica") + " of each"
	}
	return text
}

// printShape says what a file has beside settings.
func printShape(b *strings.Builder, s *formats.Shape) {
	if c := s.Cluster; c != nil {
		b.WriteString("  cluster\n")
		if c.Brokers != nil {
			fmt.Fprintf(b, "    %d brokers\n", *c.Brokers)
		}
		if c.Version != "" {
			fmt.Fprintf(b, "    Kafka %s\n", c.Version)
		}
		for _, v := range c.Volumes {
			fmt.Fprintf(b, "    a volume of %s (%s, %s) for each\n", v.Bytes, v.Bytes.Decimal(), v.Bytes.Exact())
		}
	}
	for _, g := range s.Segments {
		name := fmt.Sprintf("%020d", g.Base)
		if g.Dir != "" {
			name = g.Dir + "/" + name
		}
		fmt.Fprintf(b, "  segment %s ", name)
		for _, file := range []struct {
			of   string
			size *int64
		}{{".log", g.Log}, {".index", g.Index}, {".timeindex", g.Times}} {
			if file.size != nil {
				fmt.Fprintf(b, " %s %d", file.of, *file.size)
			}
		}
		if g.Active != nil && *g.Active {
			b.WriteString("  active")
		}
		b.WriteByte('\n')
	}
	if s.Log != nil {
		fmt.Fprintf(b, "  %s of records, %s in all files\n", calc.Bytes(*s.Log).Exact(), calc.Bytes(*s.Apparent).Exact())
	}
	for _, size := range s.Sizes {
		fmt.Fprintf(b, "  %-40s %s (%s)\n", fmt.Sprintf("%s-%d", size.Topic, size.Partition), calc.Bytes(size.Bytes), calc.Bytes(size.Bytes).Exact())
	}
	if len(s.Ignored) > 0 {
		fmt.Fprintf(b, "  no partitions: %s\n", strings.Join(s.Ignored[:min(len(s.Ignored), 10)], ", "))
	}
	for _, broker := range s.Brokers {
		fmt.Fprintf(b, "  broker %d %s: %.0f of %.0f MB, %d replicas\n", broker.ID, broker.State, broker.Disk, broker.Capacity, broker.Replicas)
	}
}

func printValues(b *strings.Builder, values map[string]kafkaconf.Value) {
	for _, key := range slices.Sorted(maps.Keys(values)) {
		v := values[key]
		fmt.Fprintf(b, "    %-36s %s%s\n", key, v, inWords(key, v))
	}
}

// inWords is a size or a duration in units.
func inWords(key string, v kafkaconf.Value) string {
	n, whole := v.Int64()
	row, synonym, ok := calc.SettingOf(key)
	if !whole || !ok || n < 1000 {
		return ""
	}
	switch {
	case row.Kind == calc.KindSize:
		return fmt.Sprintf("  (%s, %s)", calc.Bytes(n), calc.Bytes(n).Decimal())
	case row.Kind == calc.KindDuration && (synonym == nil || synonym.Unit <= 1):
		return fmt.Sprintf("  (%s)", calc.Millis(n))
	}
	return ""
}

func printSeries(b *strings.Builder, s *kafkaconf.Series) {
	what := strings.TrimSuffix(string(s.Unit), "/s")
	total := fmt.Sprintf("%d %s", s.Total(), what)
	if s.Unit == kafkaconf.BytesPerSecond {
		total = fmt.Sprintf("%s (%s, %s)", total, calc.Bytes(s.Total()), calc.Bytes(s.Total()).Decimal())
	}
	fmt.Fprintf(b, "  %d rows, %d pieces, %s\n  %s\n", s.Rows, len(s.Pieces), s.Length(), total)
}

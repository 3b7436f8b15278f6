package main

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/provider"
)

const readHelp = `usage: partsize read FILE … [--json]

Says what is read from each file: a broker's server.properties, what
kafka-configs.sh, kafka-topics.sh or kafka-log-dirs.sh --describe prints, or a
traffic series in CSV; what was not understood, and what Kafka would not take.
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
		return r, bad("", "%s: %v", name, plainError(err))
	}
	r.Format = kafkaconf.Detect(head, name)
	whole := io.MultiReader(bytes.NewReader(head), file)
	if r.Format == kafkaconf.FormatSeries {
		return r, r.readSeries(t, whole)
	}
	data, err := io.ReadAll(io.LimitReader(whole, kafkaconf.MaxSize+1))
	if err != nil {
		return r, bad("", "%s: %v", name, plainError(err))
	}
	result, err := kafkaconf.Parse(data, kafkaconf.Options{Format: r.Format, Name: name, Names: provider.Names()})
	if err != nil {
		return r, bad(configHint(err), "%s: %v", name, err)
	}
	r.result, r.Read = result, result.Read
	if r.Format == kafkaconf.FormatIBMTopic {
		r.Read = ibmRead{result.Read, reservedAtIBM(result)}
	}
	if result.Rejected != nil {
		r.Rejected = result.Rejected
	}
	for _, w := range result.Warnings {
		r.Warnings = append(r.Warnings, w.String())
	}
	for _, w := range result.Notes {
		r.Notes = append(r.Notes, w.String())
	}
	return r, nil
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
		} else {
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
		fmt.Fprintf(b, "  topic %s\n", name)
		printValues(b, topic.Config)
		if len(topic.Config) == 0 {
			b.WriteString("    no settings of its own\n")
		}
		if len(topic.Replicas) > 0 {
			fmt.Fprintf(b, "    %d partitions with their replicas\n", len(topic.Replicas))
		}
	}
	if n := len(r.Read.Sizes); n > 0 {
		var sum calc.Bytes
		for _, s := range r.Read.Sizes {
			sum += calc.Bytes(s.Size)
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

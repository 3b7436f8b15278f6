package main

import (
	"errors"
	"flag"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/provider"
	"github.com/partsize/partsize/calc/report"
)

const simulateHelp = `usage: partsize simulate [key=value …] [--config FILE …] [FLAGS]

Plays the log of one partition's replica and says what it puts on disk: the
peak, what it swings between, how old records get, the worst case, and why.

  partsize simulate produce=5MiB/s retention.ms=1d segment.bytes=256MiB
  partsize simulate --config server.properties topics.txt --topic orders
  partsize simulate --series traffic.csv retention.bytes=50GiB
  partsize simulate produce=5MiB/s partitions=12 disk=500GiB
  partsize simulate produce=5MiB/s 'steps=8d retention.ms=1d'

produce is the traffic of one partition. With disk=SIZE, which holds one replica
of each partition, it says when that is full; with steps, which are changes at a
time, what a lower retention frees, and when.

Keys are Kafka's own; "partsize settings" lists them. The names that IBM's
pages write, log.segment.size and segment.index.size, are understood. Sizes are
1GiB, 1GB (decimal) or 1073741824; times 7d, 168h or 604800000. What is given
as key=value goes before what a file says, and a topic's before a broker's.

  --config FILE …   server.properties, or what kafka-topics.sh or
                    kafka-configs.sh --describe prints; the latter does not
                    say how many partitions there are; "-" is standard input;
                    manifests, compose files and what else "read" reads
  --topic NAME      which topic of the file, when it has several
  --series FILE     measured traffic: CSV with a time and a rate in each row
  --horizon TIME    how long to play, 30d if not given (also horizon=TIME)
  --format FORMAT   text, json or csv (bytes over time)
  --events N        the first N events, or all; a few in text, 100,000 in JSON

The JSON is described in docs/simulate-json.md. Exit codes: 0 done, 2 bad
input; what is wrong is then named by its key, all of it at once.
`

// How many events are listed when nothing is said.
const (
	eventsInText = report.Outline
	eventsInJSON = 100_000
)

// simulation is what simulate was asked.
type simulation struct {
	input    calc.Input
	format   string
	events   int64
	warnings []warning
	problems []*calc.FieldError

	broken  []broken                          // arguments and files that cannot be used at all
	refused []*calc.FieldError                // values of files that Kafka does not take
	lines   map[string]report.Place           // where the settings of files stand, by key
	places  map[*calc.FieldError]report.Place // where problems stand
}

// broken is an argument or a file that cannot be used at all.
type broken struct {
	flag, value string // flag is "" for an argument without one
	err         error
}

// broke notes that an argument cannot be used. What else is wrong is still looked for.
func (s *simulation) broke(flag, value string, err error) {
	s.broken = append(s.broken, broken{flag, value, err})
}

// fieldError is the argument as a problem among others.
func (b broken) fieldError() *calc.FieldError {
	e := &calc.FieldError{Key: b.flag, Value: b.value, Problem: b.err.Error()}
	var usage *usageError
	if errors.As(b.err, &usage) {
		e.Hint = usage.hint
	}
	for _, said := range [...]string{b.value + ": ", strconv.Quote(b.value) + " ", b.flag + " " + strconv.Quote(b.value) + " ", b.flag + " "} {
		if after, ok := strings.CutPrefix(e.Problem, said); ok {
			e.Problem = after
			break
		}
	}
	return e
}

// fieldErrors is what is broken, as problems.
func (s *simulation) fieldErrors() (all []*calc.FieldError) {
	for _, b := range s.broken {
		all = append(all, b.fieldError())
	}
	return all
}

// reportBroken says what is broken.
func (s *simulation) reportBroken(t *terminal) {
	for _, b := range s.broken {
		t.code(b.err)
	}
}

// warning is something that one should know about what was given; file is "" for the command line.
type warning struct {
	file string
	kafkaconf.Notice
}

func (w warning) String() string {
	if w.file == "" {
		return w.Text
	}
	return place(w.file, w.Notice)
}

func simulate(t *terminal, args []string) error {
	flags := flag.NewFlagSet("simulate", flag.ContinueOnError)
	var configs list
	flags.Var(&configs, "config", "")
	topic := flags.String("topic", "", "")
	series := flags.String("series", "", "")
	horizon := flags.String("horizon", "", "")
	format := flags.String("format", "text", "")
	events := flags.String("events", "", "")
	others, err := parseArguments(flags, args)
	if err != nil {
		return t.asked(err, simulateHelp)
	}
	s := simulation{
		input: calc.Defaults(), format: *format,
		lines: map[string]report.Place{}, places: map[*calc.FieldError]report.Place{},
	}
	if err := s.setFormat(); err != nil {
		return err
	}
	s.emptyFlags(flags)
	s.setEvents(*events)
	pairs, files := s.partArguments(others, configs)
	for i := range pairs { // a service's name is Kafka's
		pairs[i].Key = provider.KafkasName(pairs[i].Key)
	}
	if *topic != "" && len(files) == 0 {
		s.broke("--topic", *topic, bad("give the file with --config FILE", "--topic chooses a topic of a file, and there is none"))
	}
	s.readConfigs(t, files, *topic, pairs)
	if *series != "" {
		s.readSeries(t, *series, pairs, *horizon)
	}
	if *horizon != "" {
		s.set("horizon", *horizon)
	}
	for i, p := range pairs {
		before := slices.IndexFunc(pairs[:i], func(q calc.Pair) bool { return q.Key == p.Key })
		if before >= 0 && pairs[before].Value != p.Value {
			s.warn("%s is given more than once: %s counts, not %s", p.Key, p.Value, pairs[before].Value)
		}
		s.set(p.Key, p.Value)
	}
	if *horizon != "" && slices.ContainsFunc(pairs, func(p calc.Pair) bool { return p.Key == "horizon" && p.Value != *horizon }) {
		s.warn("horizon is given twice: horizon=… counts, not --horizon %s", *horizon)
	}
	return s.answer(t)
}

// emptyFlags finds flags that were given without a value, as a script does whose variable is not set.
func (s *simulation) emptyFlags(flags *flag.FlagSet) {
	flags.Visit(func(f *flag.Flag) {
		if f.Value.String() == "" {
			s.broke("--"+f.Name, "", bad("leave it out, or give it a value", "--%s is empty", f.Name))
		}
	})
}

// setFormat checks the format.
func (s *simulation) setFormat() error {
	switch s.format {
	case "text":
		s.events = eventsInText
	case "json":
		s.events = eventsInJSON
	case "csv":
	default:
		return bad("the formats are text, json and csv", "there is no format %q", s.format)
	}
	return nil
}

// setEvents takes the number of events.
func (s *simulation) setEvents(events string) {
	if events == "all" {
		s.events = report.AllEvents
	} else if events != "" {
		n, err := strconv.ParseInt(events, 10, 64)
		if err != nil || n < 0 {
			s.broke("--events", events, bad("write a number such as 20, or all", "--events %q is not a number of events", events))
			return
		}
		s.events = n
	}
}

// partArguments parts settings from further files after --config.
func (s *simulation) partArguments(others []string, configs list) (pairs []calc.Pair, files []string) {
	files = slices.DeleteFunc(configs, func(name string) bool { return name == "" })
	for _, arg := range others {
		key, value, ok := strings.Cut(arg, "=")
		switch {
		case ok && key == "":
			s.broke("", arg, bad("settings are written retention.ms=7d", "%q has no key", arg))
		case ok:
			pairs = append(pairs, calc.Pair{Key: key, Value: value})
		case len(configs) > 0:
			files = append(files, arg)
		default:
			s.broke("", arg, bad("settings are written retention.ms=7d; files are given with --config FILE", "%q is no setting", arg))
		}
	}
	return pairs, files
}

// readConfigs applies files in their order.
func (s *simulation) readConfigs(t *terminal, files []string, topic string, pairs []calc.Pair) {
	options := kafkaconf.Options{Names: provider.Names()}
	for _, p := range pairs {
		if p.Key == "kafka.version" {
			options.Version, _ = calc.ParseVersion(p.Value) // what is wrong with it is reported with all the rest
		}
	}
	found := topic == ""
	for _, name := range files {
		topics, err := s.readConfig(t, name, topic, options, pairs)
		if err != nil {
			s.broke("--config", name, err)
		}
		found = found || topics || err != nil
	}
	if !found && len(files) > 0 {
		s.broke("--topic", topic, bad("", "there is no topic %q: the files are about brokers only", topic))
	}
}

// readConfig applies a file, and says whether it is about topics.
func (s *simulation) readConfig(t *terminal, name, topic string, options kafkaconf.Options, pairs []calc.Pair) (topics bool, err error) {
	data, err := t.readFile(name, kafkaconf.MaxSize)
	if err != nil {
		return false, err
	}
	options.Name = name
	r, err := parseConfig(data, options)
	if err != nil {
		return false, err
	}
	if r.version != "" {
		s.set("kafka.version", r.version)
	}
	if err := r.Apply(&s.input, topic); err != nil {
		return false, bad("choose one with --topic NAME", "%s: %v", name, err)
	}
	for _, w := range r.Warnings {
		s.warnings = append(s.warnings, warning{name, w})
	}
	for key, line := range r.Lines(topic) {
		s.lines[key] = report.Place{File: name, Line: line}
	}
	s.refuseFrom(name, r.RefusedFor(topic), pairs)
	return len(r.Read.Topics) > 0, nil
}

// refuseFrom takes the values of a file that Kafka does not take, but for keys that are given on the command line: those
// are mended.
func (s *simulation) refuseFrom(name string, refused []kafkaconf.Refusal, pairs []calc.Pair) {
	for _, r := range refused {
		if slices.ContainsFunc(pairs, func(p calc.Pair) bool { return p.Key == r.Problem.Key }) {
			continue
		}
		wrong := &r.Problem
		s.refused = append(s.refused, wrong)
		s.places[wrong] = report.Place{File: name, Line: r.Line}
	}
}

func (s *simulation) warn(format string, args ...any) {
	s.warnings = append(s.warnings, warning{Notice: kafkaconf.Notice{Text: fmt.Sprintf(format, args...)}})
}

// place is a notice with its file and line.
func place(name string, n kafkaconf.Notice) string {
	if n.Line == 0 {
		return fmt.Sprintf("%s: %s", name, n.Text)
	}
	return fmt.Sprintf("%s:%d: %s", name, n.Line, n.Text)
}

// readSeries makes measured traffic the produce.series of the input.
func (s *simulation) readSeries(t *terminal, name string, pairs []calc.Pair, horizon string) {
	series, err := t.series(name)
	if err != nil {
		s.broke("--series", name, err)
		return
	}
	given := horizon != ""
	for _, p := range pairs {
		given = given || p.Key == "horizon"
	}
	if given {
		_ = s.input.Set("horizon", series.Length().Text()) // so that the series leaves it alone; replaced by what was given
	}
	series.Apply(&s.input)
	for _, n := range series.Notices {
		s.warnings = append(s.warnings, warning{name, n})
	}
}

const seriesHint = "give CSV that begins with a line such as time,bytes/s, and has a time and a rate in each row"

// configHint is the way out of a file that is no configuration, unless the error says it.
func configHint(err error) string {
	if strings.Contains(err.Error(), ";") {
		return ""
	}
	return "give a server.properties, or what kafka-topics.sh, kafka-configs.sh or kafka-log-dirs.sh --describe prints"
}

// series reads a traffic series.
func (t *terminal) series(name string) (*kafkaconf.Series, error) {
	r, err := t.open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	p := t.progress("reading " + name)
	defer p.end()
	series, err := kafkaconf.ReadSeries(r, kafkaconf.SeriesOptions{Progress: func(n int64) {
		p.show(calc.Bytes(n).String())
	}})
	if err != nil {
		return nil, bad(seriesHint, "%s: %v", name, plainError(err))
	}
	return series, nil
}

// set gives a setting; what is wrong with it is reported with everything else.
func (s *simulation) set(key, value string) {
	delete(s.lines, key)
	var wrong *calc.FieldError
	if err := s.input.Set(key, value); errors.As(err, &wrong) {
		s.problems = append(s.problems, wrong)
	}
}

// answer plays the scenario and writes the answer.
func (s *simulation) answer(t *terminal) error {
	scenario, err := calc.NewScenario(s.input)
	problems := s.merge(calc.Problems(err))
	warnings := s.listed(problems)
	for _, w := range warnings {
		t.report("warning: %s", w)
	}
	if len(problems)+len(s.broken) > 0 {
		if s.format == "json" {
			problems = slices.Concat(s.fieldErrors(), problems)
		} else {
			s.reportBroken(t)
		}
		return t.refuse(problems, report.Options{Input: s.input, Warnings: warnings, Places: s.places}, s.format == "json")
	}
	p := t.progress("simulating")
	a := calc.RunWith(scenario, func(at calc.Millis) bool {
		p.show(percent(at, scenario.Horizon()))
		return true
	})
	p.end()
	var out []byte
	switch s.format {
	case "json":
		out, err = report.JSON(&a, report.Options{Input: s.input, Events: s.events, Warnings: warnings})
	case "csv":
		out = report.CSV(&a)
	default:
		out = report.Text(&a, report.Options{Input: s.input, Events: s.events})
	}
	if err != nil {
		return err
	}
	_, err = t.out.Write(out)
	return err
}

// merge is everything that is wrong, each with its place: values of files that Kafka does not take, what was wrong already
// when it was given, such as keys that do not exist, and what the scenario has against the input.
func (s *simulation) merge(problems []*calc.FieldError) []*calc.FieldError {
	all := s.refused
	for _, early := range s.problems {
		same := func(p *calc.FieldError) bool { return p.Key == early.Key }
		text, given := s.input.Given(early.Key)
		if given && text == early.Value && !slices.ContainsFunc(problems, same) && !slices.ContainsFunc(all, same) {
			all = append(all, early)
		}
	}
	for _, p := range problems {
		if at, ok := s.lines[p.Key]; ok {
			s.places[p] = at
		}
	}
	return append(all, problems...)
}

// listed is the warnings, without those that a problem says too.
func (s *simulation) listed(problems []*calc.FieldError) []string {
	var all []string
	for _, w := range s.warnings {
		said := func(p *calc.FieldError) bool {
			return p.Key == w.Key && s.places[p] == report.Place{File: w.file, Line: w.Line}
		}
		if w.Key == "" || !slices.ContainsFunc(problems, said) {
			all = append(all, w.String())
		}
	}
	return all
}

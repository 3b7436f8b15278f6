package main

import (
	"maps"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/provider"
	"github.com/partsize/partsize/calc/report"
)

// configs is what files of configuration say together, as check reads them: all topics of all files.
type configs struct {
	results  []*kafkaconf.Result
	warnings []string
	refused  []*calc.FieldError                // values that Kafka does not take
	places   map[*calc.FieldError]report.Place // where those stand
}

// readConfigs reads files. names are other names of topics' settings that are understood; pairs are the settings on the
// command line, which mend what a file has wrong.
func (t *terminal) readConfigs(files []string, names map[string]string, pairs []calc.Pair) (configs, error) {
	c := configs{places: map[*calc.FieldError]report.Place{}}
	for _, name := range files {
		data, err := t.readFile(name, kafkaconf.MaxSize)
		if err != nil {
			return c, err
		}
		file, err := parseConfig(data, kafkaconf.Options{Name: name, Names: names})
		if err != nil {
			return c, err
		}
		r := file.Result
		c.results = append(c.results, r)
		told := map[kafkaconf.Notice]bool{} // by line and key: a problem says it
		for i := range r.Refused {
			if f := &r.Refused[i]; !mended(f, r, pairs) {
				c.refused = append(c.refused, &f.Problem)
				c.places[&f.Problem] = report.Place{File: name, Line: f.Line}
				told[kafkaconf.Notice{Line: f.Line, Key: f.Problem.Key}] = true
			}
		}
		for _, w := range r.Warnings {
			if !told[kafkaconf.Notice{Line: w.Line, Key: w.Key}] {
				c.warnings = append(c.warnings, place(name, w))
			}
		}
	}
	return c, nil
}

// mended reports whether the command line gives a setting anew whose value in a file Kafka does not take.
func mended(f *kafkaconf.Refusal, r *kafkaconf.Result, pairs []calc.Pair) bool {
	topic := f.Topic
	if topic == "" && len(r.Read.Topics) == 1 {
		topic = r.Read.Topics[0].Name
	}
	return slices.ContainsFunc(pairs, func(p calc.Pair) bool {
		name, key, one := strings.Cut(p.Key, ":")
		if !one {
			name, key = topic, p.Key
		}
		return name == topic && provider.KafkasName(key) == f.Problem.Key
	})
}

// brokersOf is what files say about brokers, together: of a setting that several have, the last one counts.
func brokersOf(results []*kafkaconf.Result) (brokers kafkaconf.Result) {
	for _, r := range results {
		if r.Read.Broker == nil {
			continue
		}
		if brokers.Read.Broker == nil {
			brokers.Read.Broker = map[string]kafkaconf.Value{}
		}
		maps.Copy(brokers.Read.Broker, r.Read.Broker)
	}
	return brokers
}

// topicsOf puts together what several files say about topics. A broker's settings hold for the topics of all files; a topic
// that is in several has the settings of all of them, the last one's before the others'.
func topicsOf(results []*kafkaconf.Result) []provider.Topic {
	brokers := brokersOf(results)
	var topics []provider.Topic
	places := map[string]int{}
	for _, r := range results {
		for _, read := range r.Read.Topics {
			i, again := places[read.Name]
			if !again {
				i = len(topics)
				places[read.Name] = i
				topics = append(topics, provider.Topic{Name: read.Name})
				_ = brokers.Apply(&topics[i].Config, "") // it has no topic that could be missing
			}
			one := kafkaconf.Result{Read: kafkaconf.Read{Topics: []kafkaconf.Topic{read}}}
			_ = one.Apply(&topics[i].Config, "")
			if read.Partitions != nil {
				topics[i].Partitions = *read.Partitions
			}
			if read.Replication != nil {
				topics[i].Replicas = *read.Replication
			}
		}
	}
	return topics
}

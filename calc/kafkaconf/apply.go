package kafkaconf

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Apply gives the input one topic's settings and the broker's defaults, by Kafka's own keys, so that the input's
// precedence is Kafka's: topic over broker, milliseconds over minutes over hours. Settings that the table does not have are
// left out. The values are not checked again; [calc.NewScenario] does that.
//
// The topic is the one so named, or with an empty name the only one of the file. A file about brokers alone has none, and
// needs none. The error says which topics there are.
func (r *Result) Apply(in *calc.Input, topic string) error {
	chosen, err := r.topic(topic)
	if err != nil {
		return err
	}
	applyValues(in, r.Read.Broker)
	if chosen == nil {
		return nil
	}
	applyValues(in, chosen.Config)
	if chosen.Partitions != nil {
		set(in, "partitions", fmt.Sprint(*chosen.Partitions))
	}
	if chosen.Replication != nil {
		set(in, "replication.factor", fmt.Sprint(*chosen.Replication))
	}
	return nil
}

// Lines is where the settings that [Result.Apply] gives stand in the file, by their keys.
func (r *Result) Lines(topic string) map[string]int64 {
	lines := map[string]int64{}
	for key, v := range r.Read.Broker {
		lines[key] = v.Line()
	}
	if chosen, err := r.topic(topic); err == nil && chosen != nil {
		for key, v := range chosen.Config {
			lines[key] = v.Line()
		}
	}
	return lines
}

// RefusedFor is the values that Kafka does not take, without those of topics other than the one that [Result.Apply] gives.
func (r *Result) RefusedFor(topic string) []Refusal {
	chosen, err := r.topic(topic)
	if err != nil {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(r.Refused), func(f Refusal) bool {
		return f.Topic != "" && (chosen == nil || f.Topic != chosen.Name)
	})
}

// topic finds the topic to apply, nil when the file has none.
func (r *Result) topic(name string) (*Topic, error) {
	topics := r.Read.Topics
	for i := range topics {
		if topics[i].Name == name && name != "" {
			return &topics[i], nil
		}
	}
	switch {
	case name == "" && len(topics) == 1, len(topics) == 1 && topics[0].Name == "":
		return &topics[0], nil
	case name == "" && len(topics) > 1:
		return nil, fmt.Errorf("there are %s topics: choose one of %s", grouped(int64(len(topics))), topicNames(topics))
	case name != "" && len(topics) > 0:
		return nil, fmt.Errorf("there is no topic %s: choose one of %s", quote(name), topicNames(topics))
	}
	return nil, nil
}

// topicNames lists the names of topics, the first few of many.
func topicNames(topics []Topic) string {
	const most = 10
	var names []string
	for _, t := range topics[:min(len(topics), most)] {
		names = append(names, clip(t.Name, 60))
	}
	list := strings.Join(names, ", ")
	if len(topics) > most {
		list += ", …"
	}
	return list
}

func applyValues(in *calc.Input, values map[string]Value) {
	for key, v := range values {
		if row, _, ok := calc.SettingOf(key); ok && !row.Own || ok && row.Inherits != nil {
			set(in, key, v.String())
		}
	}
}

// set gives a value that may be out of bounds: it is kept with its problem, and the scenario reports that.
func set(in *calc.Input, key, value string) {
	_ = in.Set(key, value)
}

// Text is the series as the setting produce.series takes it: times and the rate from each on. Rates are exact ratios, so
// no byte is lost.
func (s *Series) Text() string {
	var b strings.Builder
	for i, p := range s.Pieces {
		if i > 0 {
			b.WriteByte(',')
		}
		rate := calc.RateOf(calc.Bytes(p.Amount), p.Length)
		if s.Unit == RecordsPerSecond {
			rate = calc.RecordRateOf(p.Amount, p.Length)
		}
		b.WriteString(p.At.Text())
		b.WriteByte(':')
		b.WriteString(strings.ReplaceAll(rate.Text(), " ", ""))
	}
	return b.String()
}

// Apply makes the series the input's traffic. Where no horizon was given, it becomes the length of the series.
func (s *Series) Apply(in *calc.Input) {
	set(in, "produce.series", s.Text())
	if _, given := in.Given("horizon"); !given {
		set(in, "horizon", s.Length().Text())
	}
}

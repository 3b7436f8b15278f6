package kafkaconf

// Setting is a setting as a file of another format gives it.
type Setting struct {
	Key, Value string
	Line       int // from 1; 0: unknown
}

// TopicSettings is what a file of another format says about a topic.
type TopicSettings struct {
	Name                    string // "" when the file does not say
	Partitions, Replication *int64 // nil: the file does not say
	Settings                []Setting
}

// Assemble reads settings that stand in another format than Kafka's own: a broker's, nil where the file has none, and topics'.
// Values are held to what Kafka takes as those of a server.properties are. Keys that no broker has and that are spelled like
// none are left out without a word: such files hold other programs' settings too.
func Assemble(format Format, broker []Setting, topics []TopicSettings, options Options) *Result {
	r := reader{options: options, result: Result{Format: format}, fields: map[string]keyFields{}, bounds: map[boundsOf]string{}}
	if broker != nil {
		r.assembleBroker(broker)
	}
	d := describeReader{reader: &r, topic: -1, lines: map[string]int{}, several: len(topics) > 1}
	r.places = map[string]int{}
	for _, t := range topics {
		d.openTopic(t.Name)
		into := &r.result.Read.Topics[d.topic]
		into.Partitions, into.Replication = t.Partitions, t.Replication
		for _, s := range t.Settings {
			d.topicSetting(given{key: s.Key, value: s.Value, line: s.Line})
		}
	}
	return r.finish()
}

// assembleBroker takes a broker's settings; of one that comes twice the last counts.
func (r *reader) assembleBroker(all []Setting) {
	const mostUnknown = 10_000 // unknown keys for which similar ones are looked for, which takes time
	var settings []given
	places, unknown := map[string]int{}, 0
	for _, s := range all {
		if r.known(s.Key).broker == nil {
			unknown++
			if r.known(s.Key).topic != nil || unknown <= mostUnknown && similarBrokerKey(s.Key) != "" {
				r.otherKey(property{line: s.Line, key: s.Key, value: s.Value})
			}
			continue
		}
		g := given{key: s.Key, value: s.Value, line: s.Line}
		if i, again := places[s.Key]; again {
			r.warn(s.Line, "%s is given twice: it was %s before; the last one counts", s.Key, quote(settings[i].value))
			settings[i] = g
			continue
		}
		places[s.Key] = len(settings)
		settings = append(settings, g)
	}
	r.takeBroker(settings)
}

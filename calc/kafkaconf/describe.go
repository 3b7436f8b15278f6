package kafkaconf

import (
	"slices"
	"strings"
)

// section is whose settings follow in the output of kafka-configs.sh --describe.
type section struct {
	kind sectionKind
	name string // of the topic or broker
	rest string // settings in the line itself, as Kafka before 2.5 wrote them with --zookeeper
}

type sectionKind uint8

const (
	noSection sectionKind = iota
	topicSection
	brokerSection
	clusterSection // the default of all brokers
	otherSection   // loggers, quotas, client metrics, groups
)

// parseHeader reads a line such as "Dynamic configs for topic orders are:".
//
// Kafka: ConfigCommand.describeResourceConfig, describeQuotaConfigs; before 2.5 describeBrokerConfig and, with ZooKeeper,
// describeConfig.
func parseHeader(line string) (section, bool) {
	line = strings.TrimSpace(line)
	if len(line) > 2000 {
		line = line[:2000]
	}
	before, after, ok := strings.Cut(line, "onfigs for ")
	if !ok {
		if before, after, ok = strings.Cut(line, "onfig for "); !ok {
			return section{}, false
		}
	}
	switch before {
	case "C", "c", "Dynamic c", "All c", "Default c", "Static c", "All default c":
	case "Quota c", "SCRAM credential c":
		return section{kind: otherSection}, strings.Contains(after, " are")
	default:
		return section{}, false
	}
	entity, rest, ok := strings.Cut(after, " are")
	if !ok || rest != "" && rest[0] != ':' && rest[0] != ' ' {
		return section{}, false
	}
	s := section{kind: otherSection, rest: strings.TrimSpace(strings.TrimPrefix(rest, ":"))}
	kind, name, _ := strings.Cut(entity, " ")
	s.name = strings.Trim(name, `'"`)
	switch {
	case kind == "topic":
		s.kind = topicSection
	case kind == "brokers", entity == "the default broker", kind == "broker" && (s.name == "" || s.name == "<default>"):
		s.kind, s.name = clusterSection, ""
	case kind == "broker":
		s.kind = brokerSection
	}
	return s, true
}

// describeReader reads the output of kafka-configs.sh --describe.
type describeReader struct {
	*reader
	at      section
	skipped int // lines that are no settings
	first   int // the first of them

	cluster []given            // the default of all brokers
	brokers map[string][]given // by id
	order   []string           // of brokers
	several bool               // topics
	topic   int                // whose settings are being read, in the result
	lines   map[string]int     // of the topic's settings
}

// readDescribe reads the output of kafka-configs.sh --describe for topics or brokers, with or without --all, whole or
// stripped of "sensitive=" and "synonyms=". What is listed as synonyms is where a value comes from; it sets nothing.
func (r *reader) readDescribe(text string) {
	d := describeReader{reader: r, brokers: map[string][]given{}, topic: -1, lines: map[string]int{}}
	d.several = strings.Count(text, "onfigs for topic ") > 1
	r.places = map[string]int{}
	number := 0
	for line := range naturalLines(strings.TrimPrefix(text, byteOrderMark)) {
		number++
		d.line(line, number)
	}
	d.finishBrokers()
	d.noteSkipped()
}

// skip counts a line that is no setting.
func (d *describeReader) skip(number int) {
	if d.skipped++; d.skipped == 1 {
		d.first = number
	}
}

func (d *describeReader) noteSkipped() {
	if d.skipped > 0 {
		d.note(d.first, "%s that %s no setting skipped", plural(d.skipped, "line"), isOrAre(d.skipped))
	}
}

func plural(n int, noun string) string {
	if n == 1 {
		return "one " + noun
	}
	return grouped(int64(n)) + " " + noun + "s"
}

func isOrAre(n int) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

func (d *describeReader) line(line string, number int) {
	trimmed := strings.TrimSpace(line)
	if trimmed == "" {
		return
	}
	if strings.Contains(trimmed, "onfig") { // most lines have none
		if s, ok := parseHeader(trimmed); ok {
			d.begin(s, number)
			return
		}
	}
	key, value, ok := parseSetting(strings.TrimLeft(line, " \t"))
	if !ok {
		d.skip(number)
		return
	}
	d.setting(given{key: key, value: value, line: number})
}

// parseSetting reads a line such as "retention.ms=1000 sensitive=false synonyms={…}".
func parseSetting(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, "=")
	if !ok || !isSettingName(key) {
		return "", "", false
	}
	for _, mark := range []string{" sensitive=false", " sensitive=true"} {
		if before, _, found := strings.Cut(value, mark); found {
			return key, before, true
		}
	}
	return key, strings.TrimRight(value, " \t"), true
}

// isSettingName reports whether a text is a key, rather than the end of a wrapped line or a word of a warning.
func isSettingName(key string) bool {
	if key == "" || key == "synonyms" || key == "sensitive" {
		return false
	}
	lower := false
	for _, c := range []byte(key) {
		switch {
		case c >= 'a' && c <= 'z':
			lower = true
		case c >= 'A' && c <= 'Z', c >= '0' && c <= '9', c == '.', c == '_', c == '-':
		default:
			return false
		}
	}
	return lower && key[0] != '-' && key[0] != '.'
}

func (d *describeReader) begin(s section, number int) {
	d.at = s
	switch s.kind {
	case topicSection:
		d.openTopic(s.name)
	case brokerSection:
		if _, ok := d.brokers[s.name]; !ok {
			d.brokers[s.name] = nil
			d.order = append(d.order, s.name)
		}
	case clusterSection:
		if d.cluster == nil {
			d.cluster = []given{}
		}
	case otherSection:
		d.note(number, "settings of something else than a topic or a broker left out")
		return
	}
	if s.rest != "" && !strings.HasPrefix(s.rest, "{") {
		for _, pair := range splitPairs(s.rest) {
			if key, value, ok := parseSetting(pair); ok {
				d.setting(given{key: key, value: value, line: number})
			}
		}
	}
}

// splitPairs parts "a=1,b=x,y,c=2" before each name with an equals sign, since a value may have commas of its own.
func splitPairs(text string) []string {
	var pairs []string
	for part := range strings.SplitSeq(text, ",") {
		if key, _, ok := strings.Cut(strings.TrimSpace(part), "="); ok && isSettingName(key) || len(pairs) == 0 {
			pairs = append(pairs, strings.TrimSpace(part))
		} else {
			pairs[len(pairs)-1] += "," + strings.TrimSpace(part)
		}
	}
	return pairs
}

// openTopic makes a topic the one whose settings are read. A topic that comes twice is one topic.
func (d *describeReader) openTopic(name string) {
	topics := &d.result.Read.Topics
	i, ok := d.places[name]
	if !ok {
		i = len(*topics)
		d.places[name] = i
		*topics = append(*topics, Topic{Name: name, Config: map[string]Value{}})
	}
	d.topic = i
	clear(d.lines)
}

// setting takes a line of a section. Lines before the first header are put where their key belongs.
func (d *describeReader) setting(g given) {
	if g.value == "null" {
		return // not set
	}
	if d.at.kind == noSection {
		if _, named := d.options.Names[g.key]; named || isTopicOnly(g.key) {
			d.at = section{kind: topicSection}
			d.openTopic("")
			d.note(g.line, "no line says whose settings these are; they are taken as one topic's")
		} else if isBrokerKey(g.key) {
			d.at = section{kind: clusterSection}
			d.note(g.line, "no line says whose settings these are; they are taken as the brokers'")
		}
	}
	switch d.at.kind {
	case topicSection:
		d.topicSetting(g)
	case brokerSection:
		d.brokers[d.at.name] = append(d.brokers[d.at.name], g)
	case clusterSection:
		d.cluster = append(d.cluster, g)
	}
}

func (d *describeReader) topicSetting(g given) {
	if key, ok := d.options.Names[g.key]; ok {
		d.reader.note(g.line, "%s is taken as Kafka's %s", g.key, key)
		g.key = key
	}
	topic := &d.result.Read.Topics[d.topic]
	if d.several {
		g.topic = topic.Name
	}
	f := d.known(g.key).topic
	if f == nil {
		d.unknownTopicKey(g)
		return
	}
	if javaTrim(g.value) == "" && f.typ != wordsType {
		return // as kafka-configs writes an empty list
	}
	before, had := topic.Config[g.key]
	first := d.lines[g.key]
	d.lines[g.key] = g.line
	v, kept := d.evaluate(topic.Config, f, g)
	if had && first > 0 && before.String() != v.String() {
		d.warn(g.line, "duplicate key %s: it was %s in line %d; the last one counts", g.name(), quote(before.String()), first)
	}
	if kept {
		d.checkVersion(f, g)
		d.checkBounds(f, v, g)
	}
}

func (d *describeReader) unknownTopicKey(g given) {
	if d.full() {
		d.warned++
		return
	}
	name := g.name()
	if f := d.known(g.key).broker; f != nil {
		if f.synonym != nil {
			d.warn(g.line, "%s is a broker's name; a topic's is %s. It is left out", name, f.row.Key)
		} else {
			d.warn(g.line, "%s is a broker's setting, not a topic's. It is left out", name)
		}
		return
	}
	if d.asked++; d.asked > maxSuggestions {
		return
	}
	if similar := similarTopicKey(g.key); similar != "" {
		d.warn(g.line, "%s unknown: did you mean %s? It is left out", clip(name, 160), similar)
	} else {
		d.note(g.line, "%s is no setting of Apache Kafka's topics, and left out", quote(clip(name, 160)))
	}
}

// finishBrokers puts the brokers' settings together: a broker's own go before the default of all.
func (d *describeReader) finishBrokers() {
	if d.cluster == nil && len(d.order) == 0 {
		return
	}
	settings := slices.Clone(d.cluster)
	if len(d.order) > 0 {
		first := d.order[0]
		settings = append(settings, d.brokers[first]...)
		for _, other := range d.order[1:] {
			d.compareBrokers(first, other)
		}
	}
	places := map[string]int{}
	merged := settings[:0]
	for _, g := range settings {
		if d.known(g.key).broker == nil || g.value == "" {
			d.unknownBrokerKey(g)
			continue
		}
		if i, again := places[g.key]; again {
			merged[i] = g
			continue
		}
		places[g.key] = len(merged)
		merged = append(merged, g)
	}
	d.takeBroker(merged)
}

func (d *describeReader) unknownBrokerKey(g given) {
	if g.value == "" || isBrokerKey(g.key) {
		return
	}
	if d.asked++; d.asked > maxSuggestions {
		return
	}
	if similar := similarBrokerKey(g.key); similar != "" {
		d.warn(g.line, "%s unknown: did you mean %s? It is left out", clip(g.key, 160), similar)
	}
}

// compareBrokers warns of settings in which a broker differs from the first one.
func (d *describeReader) compareBrokers(first, other string) {
	values := map[string]string{}
	for _, g := range d.brokers[first] {
		values[g.key] = g.value
	}
	for _, g := range d.brokers[other] {
		f := d.known(g.key).broker
		if f == nil || !f.matters || g.key == "broker.id" || g.key == "node.id" || strings.HasPrefix(g.key, "log.dir") {
			continue
		}
		if value, ok := values[g.key]; ok && value != g.value {
			d.warn(g.line, "broker %s has %s=%s, broker %s has %s; broker %s is taken", other, g.key, quote(g.value), first, quote(value), first)
		}
	}
}

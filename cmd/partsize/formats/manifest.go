package formats

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"unicode"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"go.yaml.in/yaml/v3"
)

// manifest is what is collected while the documents of a file are read.
type manifest struct {
	r       *Reading
	broker  []kafkaconf.Setting // nil: none was found
	topics  []kafkaconf.TopicSettings
	refused []kafkaconf.Refusal
	found   bool
}

// Limits on what is read of a file.
const (
	maxDocuments = 10_000
	maxTopics    = 100_000 // further ones are left out, and that is said
	maxDepth     = 12      // of values in which settings are looked for
)

// readYAML reads manifests of Kubernetes, compose files, and values of Helm charts, one document or many.
func readYAML(data []byte, options kafkaconf.Options) (*Reading, error) {
	m := manifest{r: &Reading{}}
	documents := yaml.NewDecoder(bytes.NewReader(data))
	var size measure
	for n := 0; ; n++ {
		var document yaml.Node
		err := documents.Decode(&document)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("is not YAML: %s", strings.TrimPrefix(err.Error(), "yaml: "))
		}
		if n == maxDocuments {
			return nil, fmt.Errorf("it has more than %d documents; keep those that matter", maxDocuments)
		}
		if len(document.Content) != 1 {
			continue
		}
		if err := size.check(document.Content[0]); err != nil {
			return nil, err
		}
		m.document(document.Content[0])
	}
	if !m.found {
		return nil, errUnknown
	}
	m.r.assemble(options.Format, m.broker, m.topics, options)
	if m.refused != nil {
		m.r.refuse(m.refused)
	}
	return m.r, nil
}

// readJSON reads answers of REST APIs, manifests, and maps of settings, as YAML, which JSON is a part of.
func readJSON(data []byte, options kafkaconf.Options) (*Reading, error) {
	m := manifest{r: &Reading{}}
	var document yaml.Node
	if err := yaml.Unmarshal(bytes.ReplaceAll(data, []byte("\t"), []byte(" ")), &document); err != nil {
		return nil, fmt.Errorf("is not JSON: %s", strings.TrimPrefix(err.Error(), "yaml: "))
	}
	if len(document.Content) == 0 {
		return nil, errUnknown
	}
	root := document.Content[0]
	if err := new(measure).check(root); err != nil {
		return nil, err
	}
	switch kind := text(child(root, "kind")); {
	case strings.HasPrefix(kind, "KafkaTopicConfig"):
		m.cloudSettings(child(root, "data"))
	case child(root, "brokers") != nil && child(root, "brokers").Kind == yaml.SequenceNode && child(root, "apiVersion") == nil:
		if err := m.r.loads(child(root, "brokers")); err != nil {
			return nil, err
		}
		return m.r, nil
	case kind != "" || child(root, "services") != nil:
		m.document(root)
	default:
		m.settingsMap(root)
	}
	if !m.found {
		return nil, errUnknown
	}
	m.r.assemble(options.Format, m.broker, m.topics, options)
	return m.r, nil
}

// document reads one document.
func (m *manifest) document(root *yaml.Node) {
	spec := child(root, "spec")
	switch kind := text(child(root, "kind")); {
	case strings.HasSuffix(kind, "List") && child(root, "items") != nil:
		for _, item := range items(child(root, "items")) {
			m.document(item)
		}
	case kind == "KafkaTopic":
		name := text(child(spec, "topicName"))
		if name == "" {
			name = text(child(root, "metadata", "name"))
		}
		m.topic(name, spec)
	case kind == "Kafka" && spec != nil:
		m.kafka(spec)
	case kind == "KafkaNodePool" && spec != nil:
		m.found = true
		if c := m.cluster(); strings.Contains(list(child(spec, "roles")), "broker") {
			c.Brokers = sum(c.Brokers, m.whole(child(spec, "replicas")))
			m.storage(child(spec, "storage"))
		}
	case child(root, "services") != nil:
		m.compose(child(root, "services"))
	case kind == "":
		m.values(root, 0)
	}
}

// kafka reads the description of a cluster, of Strimzi or of another operator.
func (m *manifest) kafka(spec *yaml.Node) {
	kafka := child(spec, "kafka")
	m.found = true
	c := m.cluster()
	c.Brokers = sum(c.Brokers, m.whole(child(kafka, "replicas")))
	c.Version = text(child(kafka, "version"))
	m.storage(child(kafka, "storage"))
	if size := child(kafka, "size"); size != nil {
		m.volume(nil, size)
	}
	if config := child(kafka, "config"); config != nil {
		m.broker = append(m.known(), settings(config)...)
	}
	m.list(child(spec, "topics"))
}

// known is the broker's settings so far, not nil.
func (m *manifest) known() []kafkaconf.Setting {
	m.found = true
	if m.broker == nil {
		return []kafkaconf.Setting{}
	}
	return m.broker
}

func (m *manifest) cluster() *Cluster {
	if m.r.Shape.Cluster == nil {
		m.r.Shape.Cluster = &Cluster{}
	}
	return m.r.Shape.Cluster
}

// storage reads Strimzi's storage: one volume, or several of type jbod.
func (m *manifest) storage(storage *yaml.Node) {
	if size := child(storage, "size"); size != nil {
		m.volume(child(storage, "id"), size)
	}
	for _, v := range items(child(storage, "volumes")) {
		if size := child(v, "size"); size != nil {
			m.volume(child(v, "id"), size)
		}
	}
}

func (m *manifest) volume(id, size *yaml.Node) {
	bytes, ok := quantity(text(size))
	if !ok {
		m.r.warn(size.Line, "%s is no size of a volume", text(size))
		return
	}
	v := Volume{Bytes: bytes}
	if id != nil {
		v.ID = m.whole(id)
	}
	m.cluster().Volumes = append(m.cluster().Volumes, v)
}

// quantity reads a size as Kubernetes writes it: 20Gi, 100G, 1Ti.
func quantity(text string) (calc.Bytes, bool) {
	text = strings.TrimSpace(text)
	if n := len(text); n > 1 && strings.IndexByte("kKMGTPE", text[n-1]) >= 0 {
		text += "B"
	}
	b, err := calc.ParseBytes(text)
	return b, err == nil
}

// list reads a list of topics.
func (m *manifest) list(topics *yaml.Node) {
	for _, t := range items(topics) {
		if name := text(child(t, "name")); name != "" {
			m.topic(name, t)
		}
	}
}

// topic reads a topic: partitions, replicas, and its settings under config.
func (m *manifest) topic(name string, spec *yaml.Node) {
	if len(m.topics) == maxTopics {
		m.r.full()
		return
	}
	m.found = true
	t := kafkaconf.TopicSettings{Name: name, Partitions: m.whole(child(spec, "partitions")), Settings: settings(child(spec, "config"))}
	for _, key := range [...]string{"replicas", "replicationFactor"} {
		if n := m.whole(child(spec, key)); n != nil {
			t.Replication = n
		}
	}
	m.topics = append(m.topics, t)
}

// whole reads a count; nil where there is none.
func (m *manifest) whole(n *yaml.Node) *int64 {
	if n == nil || text(n) == "" {
		return nil
	}
	x, err := strconv.ParseInt(text(n), 10, 32)
	if err != nil || x < 0 {
		m.r.warn(n.Line, "%q is no count", text(n))
		return nil
	}
	return &x
}

// compose reads the services of a compose file: those that get a broker's settings as variables. Of several that differ the
// first counts.
func (m *manifest) compose(services *yaml.Node) {
	first := map[string]variable{}
	for name, service := range pairs(services) {
		var all []variable
		for _, v := range environment(child(service, "environment")) {
			if _, ok := settingOf(v.name); !ok {
				continue
			}
			before, again := first[v.name]
			switch key, _ := settingOf(v.name); {
			case !again:
				first[v.name] = v
				all = append(all, v)
			case before.value != v.value && matters(key):
				m.r.warn(v.line, "service %s has %s=%s; the %s of the service before it counts", name.Value, v.name, v.value, before.value)
			}
		}
		if found, refused := m.r.settings(all); found != nil {
			m.broker = append(m.known(), found...)
			m.refused = append(m.refused, refused...)
		}
	}
}

// matters reports whether a key is about a log.
func matters(key string) bool {
	_, _, ok := calc.SettingOf(key)
	return ok
}

// environment reads the variables of a service: a map, or a list of NAME=VALUE.
func environment(n *yaml.Node) (all []variable) {
	for key, value := range pairs(n) {
		all = append(all, variable{key.Value, text(value), key.Line})
	}
	for _, item := range items(n) {
		if name, value, ok := strings.Cut(text(item), "="); ok {
			all = append(all, variable{name, value, item.Line})
		}
	}
	return all
}

// values reads the values of a Helm chart: keys such as logRetentionHours, wherever they stand.
func (m *manifest) values(n *yaml.Node, depth int) {
	if depth > maxDepth {
		return
	}
	kafkas := sync.OnceValue(func() bool { return aboutKafka(n) })
	for key, value := range pairs(n) {
		value = target(value)
		switch {
		case key.Value == "persistence":
			if size := child(value, "size"); size != nil && text(child(value, "enabled")) != "false" && kafkas() {
				m.volume(nil, size)
			}
		case key.Value == "topics" && value.Kind == yaml.SequenceNode:
			m.list(value)
		case value.Kind == yaml.MappingNode:
			m.values(value, depth+1)
		case value.Kind == yaml.ScalarNode:
			if name, ok := brokersKey(dotted(key.Value)); ok && text(value) != "" {
				m.broker = append(m.known(), kafkaconf.Setting{Key: name, Value: withoutScores(value.Value), Line: key.Line})
			}
		}
	}
}

// aboutKafka reports whether a map of values has a setting of Kafka's.
func aboutKafka(n *yaml.Node) bool {
	for key := range pairs(n) {
		if _, ok := brokersKey(dotted(key.Value)); ok {
			return true
		}
	}
	return false
}

// dotted is a key as Kafka writes it: log.retention.hours for logRetentionHours.
func dotted(camel string) string {
	var b strings.Builder
	for i, c := range camel {
		if i > 0 && unicode.IsUpper(c) {
			b.WriteByte('.')
		}
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}

// brokersKey is the broker's key of a setting, from it or from the topic's.
func brokersKey(key string) (string, bool) {
	row, synonym, ok := calc.SettingOf(key)
	switch {
	case !ok || !strings.Contains(key, "."):
		return "", false
	case synonym != nil || row.Broker:
		return key, true
	case len(row.Inherits) > 0 && !row.Own:
		return row.Inherits[0].Key, true
	}
	return "", false
}

// withoutScores takes the underscores away with which charts keep numbers from being written as 1.073741824e+09: _1073741824,
// _15_000_000.
func withoutScores(value string) string {
	if plain := strings.ReplaceAll(value, "_", ""); plain != "" && strings.Trim(plain, "-0123456789") == "" {
		return plain
	}
	return value
}

// settingsMap reads a map of settings alone: a broker's, or where no key is one, a topic's.
func (m *manifest) settingsMap(root *yaml.Node) {
	all := settings(root)
	brokers, topics := 0, 0
	for _, s := range all {
		row, synonym, ok := calc.SettingOf(s.Key)
		switch {
		case ok && (synonym != nil || row.Broker):
			brokers++
		case ok && !row.Own:
			topics++
		}
	}
	switch {
	case brokers > 0:
		m.broker = append(m.known(), all...)
	case topics > 0:
		m.found = true
		m.topics = append(m.topics, kafkaconf.TopicSettings{Settings: all})
	}
}

// cloudSettings reads the settings of topics in an answer of Confluent's REST API.
func (m *manifest) cloudSettings(data *yaml.Node) {
	at := map[string]int{}
	for _, item := range items(data) {
		topic, name, value := text(child(item, "topic_name")), text(child(item, "name")), child(item, "value")
		if name == "" || strings.HasPrefix(name, "confluent.") || value == nil || value.Tag == "!!null" {
			continue
		}
		i, ok := at[topic]
		if !ok {
			if len(m.topics) == maxTopics {
				m.r.full()
				return
			}
			i = len(m.topics)
			at[topic] = i
			m.topics = append(m.topics, kafkaconf.TopicSettings{Name: topic})
			m.found = true
		}
		m.topics[i].Settings = append(m.topics[i].Settings, kafkaconf.Setting{Key: name, Value: text(value), Line: value.Line})
	}
}

// loads reads Cruise Control's broker statistics. Its hosts repeat what the brokers have.
func (r *Reading) loads(brokers *yaml.Node) error {
	var wrong error
	number := func(n *yaml.Node) float64 {
		x, ok := amount(n)
		if !ok && text(n) != "" && wrong == nil {
			wrong = fmt.Errorf("line %d: %q is no amount; give a number from 0 on", n.Line, text(n))
		}
		return x
	}
	for _, n := range items(brokers) {
		if child(n, "Broker") == nil || child(n, "DiskMB") == nil {
			return errUnknown
		}
		id, err := strconv.ParseInt(text(child(n, "Broker")), 10, 32)
		if err != nil {
			return fmt.Errorf("line %d: %q is no broker's id", n.Line, text(child(n, "Broker")))
		}
		b := Broker{
			ID: id, State: text(child(n, "BrokerState")), Disk: number(child(n, "DiskMB")), Capacity: number(child(n, "DiskCapacityMB")),
			Replicas: int64(number(child(n, "Replicas"))), Dirs: map[string]*float64{},
		}
		for dir, state := range pairs(child(n, "DiskState")) {
			b.Dirs[dir.Value] = nil
			if used, ok := amount(child(state, "DiskMB")); ok {
				b.Dirs[dir.Value] = &used
			} else {
				r.warn(dir.Line, "broker %d: %s dead: it has no size", id, dir.Value)
			}
		}
		r.Shape.Brokers = append(r.Shape.Brokers, b)
	}
	if r.Shape.Brokers == nil {
		return errUnknown
	}
	return wrong
}

// amount reads a number of megabytes or of replicas: none is near what a disk cannot hold.
func amount(n *yaml.Node) (x float64, ok bool) {
	x, err := strconv.ParseFloat(text(n), 64)
	if err != nil || !(x >= 0 && x < 1<<53) {
		return 0, false
	}
	return x, true
}

// settings are the scalars and lists of a map.
func settings(n *yaml.Node) []kafkaconf.Setting {
	var all []kafkaconf.Setting
	for key, value := range pairs(n) {
		if value = target(value); value.Tag == "!!null" || value.Kind == yaml.MappingNode {
			continue
		}
		s := kafkaconf.Setting{Key: key.Value, Value: text(value), Line: key.Line}
		if value.Kind == yaml.SequenceNode {
			s.Value = list(value)
		}
		all = append(all, s)
	}
	return all
}

// list is the items of a sequence with commas between.
func list(n *yaml.Node) string {
	var texts []string
	for _, item := range items(n) {
		texts = append(texts, text(item))
	}
	return strings.Join(texts, ",")
}

// sum adds a count to one that may not be known yet.
func sum(a, b *int64) *int64 {
	if a == nil || b == nil {
		if a == nil {
			return b
		}
		return a
	}
	c := *a + *b
	return &c
}

package app

import (
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
)

// tieredTopicsKey is the key of the link that holds the topics which are checked beside the settings' own:
// orders,retention.ms:30d,produce:5MiB/s;clicks,retention.ms:3d. Names and keys have none of , ; : and a value's are written
// after a backslash.
const tieredTopicsKey = "tiered.topics"

// topicRow is a further topic: its name, and what is given for it, as typed.
type topicRow struct {
	Name  string
	Pairs []calc.Pair
}

// of is what is given for a key.
func (r *topicRow) of(key string) string {
	for _, p := range r.Pairs {
		if p.Key == key {
			return p.Value
		}
	}
	return ""
}

// put gives another value for a key; "" takes it out.
func (r *topicRow) put(key, value string) {
	var pairs []calc.Pair
	found := false
	for _, p := range r.Pairs {
		if p.Key == key {
			found = true
			p.Value = value
		}
		if p.Value != "" {
			pairs = append(pairs, p)
		}
	}
	if !found && value != "" {
		pairs = append(pairs, calc.Pair{Key: key, Value: value})
	}
	r.Pairs = pairs
}

// columnsOfTopics are the keys with a field of their own.
var columnsOfTopics = [...]string{"partitions", "produce", "retention.ms"}

// rawKey stands for other settings as they are being typed, where they are not yet words of key=value with a space between.
const rawKey = "*"

// others is what is given beside the fields, as text.
func (r *topicRow) others() string {
	var words []string
	for _, p := range r.Pairs {
		switch {
		case p.Key == rawKey:
			words = append(words, p.Value)
		case !hasColumn(p.Key):
			words = append(words, p.Key+"="+p.Value)
		}
	}
	return strings.Join(words, " ")
}

// putOthers takes that text.
func (r *topicRow) putOthers(text string) {
	given := topicRow{}
	for _, p := range r.Pairs {
		if hasColumn(p.Key) {
			given.Pairs = append(given.Pairs, p)
		}
	}
	r.Pairs = append(given.Pairs, wordPairs(text)...)
	if r.others() != text {
		r.Pairs = append(given.Pairs, calc.Pair{Key: rawKey, Value: text})
	}
}

// wordPairs are words of key=value.
func wordPairs(text string) (pairs []calc.Pair) {
	for word := range strings.FieldsSeq(text) {
		key, value, _ := strings.Cut(word, "=")
		pairs = append(pairs, calc.Pair{Key: key, Value: value})
	}
	return pairs
}

// settings are the pairs of a row, with those that are being typed.
func (r *topicRow) settings() (pairs []calc.Pair) {
	for _, p := range r.Pairs {
		if p.Key == rawKey {
			pairs = append(pairs, wordPairs(p.Value)...)
		} else {
			pairs = append(pairs, p)
		}
	}
	return pairs
}

func hasColumn(key string) bool {
	for _, c := range columnsOfTopics {
		if c == key {
			return true
		}
	}
	return false
}

// line is the topic as a line of text.
func (r *topicRow) line() string {
	var b strings.Builder
	b.WriteString(r.Name)
	for _, p := range r.settings() {
		b.WriteString(" " + p.Key + "=" + p.Value)
	}
	return b.String()
}

// readTopics reads the value of the link.
func readTopics(value string) (rows []topicRow) {
	if value == "" {
		return nil
	}
	for _, one := range splitLink(value, ';') {
		parts := splitLink(one, ',')
		row := topicRow{Name: plainLink(parts[0])}
		for _, pair := range parts[1:] {
			key, text, _ := strings.Cut(pair, ":")
			if pair != "" {
				row.Pairs = append(row.Pairs, calc.Pair{Key: plainLink(key), Value: plainLink(text)})
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// writeTopics is the reverse. One without a name and without settings is kept, too, while it is being written.
func writeTopics(rows []topicRow) string {
	var b strings.Builder
	for i := range rows {
		if i > 0 {
			b.WriteByte(';')
		}
		quoteLink(&b, rows[i].Name)
		for _, p := range rows[i].Pairs {
			b.WriteByte(',')
			quoteLink(&b, p.Key)
			b.WriteByte(':')
			quoteLink(&b, p.Value)
		}
	}
	if b.Len() == 0 && len(rows) > 0 {
		return ","
	}
	return b.String()
}

// splitLink parts a text at a separator that no backslash is before.
func splitLink(text string, at byte) (parts []string) {
	from := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '\\':
			i++
		case at:
			parts = append(parts, text[from:i])
			from = i + 1
		}
	}
	return append(parts, text[from:])
}

func quoteLink(b *strings.Builder, text string) {
	for i := range len(text) {
		if strings.IndexByte(`\,;`, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
}

func plainLink(text string) string {
	if !strings.Contains(text, `\`) {
		return text
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] == '\\' && i+1 < len(text) {
			i++
		}
		b = append(b, text[i])
	}
	return string(b)
}

// topicsOfText reads topics as lines of our own or in a format of Kafka's tools. left is how many of the latter are not tiered.
func topicsOfText(text string, version calc.Version) (rows []topicRow, left int, err error) {
	if rows, ok := topicLines(text); ok {
		return rows, 0, nil
	}
	r, err := kafkaconf.Parse([]byte(text), kafkaconf.Options{Version: version})
	if err != nil {
		return nil, 0, err
	}
	for i := range r.Read.Topics {
		t := &r.Read.Topics[i]
		row := topicRow{Name: t.Name}
		var in calc.Input
		one := kafkaconf.Result{Read: kafkaconf.Read{Topics: r.Read.Topics[i : i+1]}}
		_ = one.Apply(&in, "")
		tiered := t.Name == calc.MetadataTopicName
		for key, value := range in.Changed() {
			switch key {
			case "remote.storage.enable":
				tiered = tiered || value == "true"
			case "replication.factor":
			default:
				row.Pairs = append(row.Pairs, calc.Pair{Key: key, Value: value})
			}
		}
		if tiered {
			rows = append(rows, row)
		} else {
			left++
		}
	}
	return rows, left, nil
}

// topicLines reads a topic a line; ok is false for any other text.
func topicLines(text string) (rows []topicRow, ok bool) {
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) == 0 {
			continue
		}
		if strings.ContainsAny(words[0], "=:#") {
			return nil, false
		}
		row := topicRow{Name: words[0]}
		for _, word := range words[1:] {
			key, value, found := strings.Cut(word, "=")
			if !found || key == "" {
				return nil, false
			}
			row.Pairs = append(row.Pairs, calc.Pair{Key: key, Value: value})
		}
		rows = append(rows, row)
	}
	return rows, len(rows) > 0
}

// topicInputs is what is checked: the settings' topic first, tiered whether or not it is, then the others, which have its
// settings where they have none of their own. own are settings of the metadata topic.
func (s *state) topicInputs() (all []calc.TopicInput, own []calc.Pair) {
	in := s.shown
	_ = in.Set("remote.storage.enable", "true")
	all = append(all, calc.TopicInput{Input: in})
	for _, row := range s.topicRows() {
		switch row.Name {
		case "":
			continue
		case calc.MetadataTopicName:
			own = append(own, row.settings()...)
			continue
		}
		t := in
		t.Reset("topic.id")
		for _, p := range row.settings() {
			if _, _, known := calc.SettingOf(p.Key); known {
				_ = t.Set(p.Key, p.Value)
			}
		}
		_ = t.Set("remote.storage.enable", "true")
		all = append(all, calc.TopicInput{Name: row.Name, Input: t})
	}
	return all, own
}

func (s *state) topicRows() []topicRow { return readTopics(s.place.of(tieredTopicsKey)) }

// putTopics keeps other topics.
func (s *state) putTopics(rows []topicRow) { s.put(tieredTopicsKey, writeTopics(rows)) }

package kafkaconf

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
)

// Format is a kind of file.
type Format string

// The formats. Those after [FormatSeries] are recognised but not read here; the command reads most of them.
const (
	FormatUnknown    Format = ""
	FormatProperties Format = "server.properties"
	FormatDescribe   Format = "kafka-configs --describe"
	FormatTopics     Format = "kafka-topics --describe"
	FormatLogDirs    Format = "kafka-log-dirs --describe"
	FormatIBMTopic   Format = "a topic of the IBM Cloud command"
	FormatSeries     Format = "traffic series (CSV)"

	FormatYAML       Format = "YAML"
	FormatJSON       Format = "JSON"
	FormatTerraform  Format = "Terraform"
	FormatEnv        Format = "environment variables"
	FormatListing    Format = "ls -l"
	FormatDiskUsage  Format = "du"
	FormatKafkaTrace Format = "a recorded trace"
)

// Result is what was read from one file.
type Result struct {
	Format   Format
	Read     Read
	Warnings []Notice          // what the reader should look at, in the order of the file
	Notes    []Notice          // what was done with things that are in order
	Rejected map[string]string // values that Kafka would not take where it matters for disks, by key, as they stand in the file
	Refused  []Refusal         // values that Kafka does not take, of keys that it knows, in the order of the file
}

// Refusal is a value that Kafka does not take: a broker does not start with it, a topic does not get it.
type Refusal struct {
	Line    int64
	Topic   string // whose setting it is; "" for a broker's, and where the file has no more than one topic
	Problem calc.FieldError
}

// Read is the content of a file: a part is nil when the format has no such part.
type Read struct {
	Topics    []Topic          `json:"topics,omitempty"`
	Broker    map[string]Value `json:"broker,omitzero"`    // the broker's settings, by the broker's keys
	Effective map[string]Value `json:"effective,omitzero"` // what a topic without settings of its own gets, by the topic's keys
	Sizes     []Size           `json:"sizes,omitempty"`    // of replicas
	LogDirs   []LogDir         `json:"-"`                  // of the brokers that the sizes are about
}

// Topic is what a file says about one topic.
type Topic struct {
	Name        string           `json:"name"`        // "" when the file does not say
	Partitions  *int64           `json:"partitions"`  // nil: the file does not say
	Replication *int64           `json:"replication"` // nil: the file does not say
	Config      map[string]Value `json:"config"`      // never nil
	// ID is what Kafka calls the topic, as its tools print it; "": the file does not say.
	ID string `json:"-"`
	// Replicas is the brokers of each partition, the preferred leader first; nil: the file does not say.
	Replicas map[int32][]int32 `json:"replicas,omitempty"`
}

// Options says how to read. The zero value is useful.
type Options struct {
	Format  Format       // [FormatUnknown]: found out from the content
	Name    string       // of the file: one that ends in .properties is not taken for anything else
	Version calc.Version // whose bounds are held against the values; 0: the newest
	// Names are names under which a topic's settings may be written in the file, and Kafka's keys for them: a service's
	// pages may have their own. In a file about a broker they stand for its default of the setting. nil: none.
	Names map[string]string
}

// MaxSize is the most bytes that [Parse] takes. A describe of 10,000 topics with all their settings fits.
const MaxSize = 64 << 20

// maxLines is the most lines that [Parse] takes: a describe of 12,000 topics with all their settings.
const maxLines = 500_000

// ErrFormat is what every error of [Parse] wraps.
var ErrFormat = errors.New("cannot be read as Kafka configuration")

// ErrIsSeries is the error of [Parse] for a traffic series, which [ReadSeries] reads.
var ErrIsSeries = fmt.Errorf("%w: it is a traffic series, which is read elsewhere", ErrFormat)

// Parse reads a file.
func Parse(data []byte, options Options) (*Result, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%w: it has more than %s bytes; keep the part about the broker or the topic that matters", ErrFormat, grouped(MaxSize))
	}
	text, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	format := options.Format
	if format == FormatUnknown {
		format = detect(text, options.Name, options.Names)
	}
	if max(strings.Count(text, "\n"), strings.Count(text, "\r")) > maxLines {
		return nil, fmt.Errorf("%w: it has more than %s lines; keep the part about the broker or the topic that matters", ErrFormat, grouped(maxLines))
	}
	r := reader{options: options, result: Result{Format: format}, fields: map[string]keyFields{}, bounds: map[boundsOf]string{}}
	switch format {
	case FormatProperties:
		r.readProperties(text)
	case FormatDescribe:
		r.readDescribe(text)
	case FormatTopics:
		r.readTopics(text)
	case FormatLogDirs:
		if err := r.readLogDirs(text); err != nil {
			return nil, fmt.Errorf("%w: %w", ErrFormat, err)
		}
	case FormatIBMTopic:
		r.readIBMTopic(text)
	case FormatUnknown:
		return nil, fmt.Errorf("%w: it has no line like log.retention.hours=168 and none like \"Dynamic configs for topic orders are:\"", ErrFormat)
	case FormatSeries:
		return nil, ErrIsSeries
	default:
		return nil, fmt.Errorf("%w: it looks like %s, which is not read here; give a server.properties, or what kafka-configs.sh or kafka-topics.sh --describe prints", ErrFormat, format)
	}
	return r.finish(), nil
}

// Detect tells the format from the content and, where that leaves a doubt, from the file's name, which may be empty.
func Detect(data []byte, name string) Format {
	if len(data) > 1<<20 { // a format shows in its first lines
		data = data[:1<<20]
	}
	text, err := decode(data)
	if err != nil {
		return FormatUnknown
	}
	return detect(text, name, nil)
}

// decode turns the bytes of a file into text. A byte order mark stays where it is in UTF-8, since Kafka sees it.
func decode(data []byte) (string, error) {
	switch {
	case bytes.HasPrefix(data, []byte("\xff\xfe")), bytes.HasPrefix(data, []byte("\xfe\xff")):
		units := make([]uint16, 0, len(data)/2)
		for i := 2; i+1 < len(data); i += 2 {
			low, high := data[i], data[i+1]
			if data[0] == 0xfe {
				low, high = high, low
			}
			units = append(units, uint16(high)<<8|uint16(low))
		}
		return string(utf16.Decode(units)), nil
	case bytes.IndexByte(data, 0) >= 0:
		return "", errBinary
	}
	return string(data), nil
}

const byteOrderMark = "\ufeff"

// detect looks at the first lines that say something. names are a topic's settings, too.
func detect(text, name string, names map[string]string) Format {
	text = strings.TrimPrefix(text, byteOrderMark)
	lines, began := 0, false
	brokers, topics, others := 0, 0, 0
	for line := range naturalLines(text) {
		if lines++; lines > 2000 {
			break
		}
		if _, ok := parseHeader(line); ok || strings.Contains(line, " sensitive=false synonyms={") || strings.Contains(line, " sensitive=true synonyms={") {
			return FormatDescribe
		}
		f := foreignLine(line, lines)
		if f == FormatUnknown && !began && strings.TrimSpace(line) != "" {
			f, began = foreignName(name), true
		}
		if f != FormatUnknown && !isPropertiesName(name) {
			if f == FormatJSON && strings.Contains(text, `"logDirs"`) {
				return FormatLogDirs
			}
			return f
		}
		line = strings.TrimLeft(line, propertyBlanks)
		if line == "" || line[0] == '#' || line[0] == '!' {
			continue
		}
		key := splitProperty(line).key
		_, named := names[key]
		switch {
		case isSharedName(key):
			// says nothing
		case isTopicOnly(key), named:
			if strings.HasPrefix(line, key+"=") { // as kafka-configs writes it
				topics++
			}
		case isBrokerKey(key):
			brokers++
		case isKeyLike(key):
			others++
		}
	}
	switch {
	case topics > 0 && brokers == 0 && others == 0 && !isBrokerName(name):
		return FormatDescribe // a list of a topic's settings, as kafka-configs.sh --add-config-file takes it
	case isPropertiesName(name), brokers > 0, topics == 0 && others > 0 && 2*others >= lines:
		return FormatProperties
	case topics > 0:
		return FormatDescribe
	}
	return FormatUnknown
}

func isPropertiesName(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".properties") || strings.HasSuffix(name, ".properties.txt")
}

// isBrokerName reports whether a file is named as Kafka's own that a broker or a controller is started with.
func isBrokerName(name string) bool {
	name = strings.ToLower(name[strings.LastIndexAny(name, `/\`)+1:])
	return name == "server.properties" || name == "broker.properties" || name == "controller.properties"
}

// foreignName tells a format that is not read here from a file's name, "" when the name says nothing.
func foreignName(name string) Format {
	name = strings.ToLower(name)
	for _, f := range []struct {
		ending string
		format Format
	}{{".yaml", FormatYAML}, {".yml", FormatYAML}, {".tf", FormatTerraform}, {".env", FormatEnv}} {
		if strings.HasSuffix(name, f.ending) {
			return f.format
		}
	}
	return FormatUnknown
}

// isKeyLike reports whether a text could be a Kafka key: words of small letters with points between, at least two.
func isKeyLike(key string) bool {
	if len(key) > 100 || strings.Count(key, ".") == 0 {
		return false
	}
	for _, c := range []byte(key) {
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_' {
			return false
		}
	}
	return key[0] != '.' && key[len(key)-1] != '.'
}

// foreignLine recognises a line of a format that is not read here.
func foreignLine(line string, number int) Format {
	trimmed := strings.TrimSpace(line)
	switch {
	case trimmed == "":
	case strings.HasPrefix(trimmed, "resource \""):
		return FormatTerraform
	case strings.HasPrefix(trimmed, "Topic:") && (strings.Contains(trimmed, "PartitionCount:") || strings.Contains(trimmed, "Partition:")):
		return FormatTopics
	case strings.HasPrefix(trimmed, `{"partition":"`), strings.HasPrefix(trimmed, `{"version":1,"brokers"`),
		strings.HasPrefix(trimmed, "Querying brokers for log directories"), strings.HasPrefix(trimmed, "Received log directory information"):
		return FormatLogDirs
	case isIBMTopic(trimmed):
		return FormatIBMTopic
	case strings.HasPrefix(trimmed, `{"format":"kafka-log-`), strings.HasPrefix(trimmed, `"format": "kafka-log-`):
		return FormatKafkaTrace
	case number == 1 && isJSON(trimmed):
		return FormatJSON
	case strings.HasPrefix(trimmed, "apiVersion:"), line == "services:", line == "---", strings.HasPrefix(line, "kind: "):
		return FormatYAML
	case strings.HasPrefix(strings.TrimPrefix(trimmed, "export "), "KAFKA_"):
		return FormatEnv
	case isListing(trimmed):
		return FormatListing
	case isDiskUsage(trimmed):
		return FormatDiskUsage
	case number == 1:
		if i := strings.IndexAny(trimmed, ",;\t"); i > 0 && isTimeName(trimmed[:i]) && trimmed[i+1:] != "" {
			return FormatSeries
		}
	}
	return FormatUnknown
}

// isJSON reports whether a first line begins an object or an array.
func isJSON(line string) bool {
	rest := strings.TrimLeft(line[1:], " \t")
	return line[0] == '{' && (rest == "" || rest[0] == '"' || rest[0] == '}') || line[0] == '[' && (rest == "" || rest[0] == '{' || rest[0] == '"')
}

// isListing recognises a line of ls -l by its mode.
func isListing(line string) bool {
	if len(line) < 20 || line[0] != '-' && line[0] != 'd' {
		return false
	}
	for _, c := range []byte(line[1:10]) {
		if strings.IndexByte("rwxsStT-", c) < 0 {
			return false
		}
	}
	return true
}

// isDiskUsage recognises a line of du: a size and a path of a partition.
func isDiskUsage(line string) bool {
	size, path, ok := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
	path = strings.TrimSpace(path)
	if !ok || size == "" || size[0] < '0' || size[0] > '9' {
		return false
	}
	return strings.HasPrefix(path, "/") || strings.HasPrefix(path, "./")
}

// naturalLines yields the lines of a text, without what ends them.
func naturalLines(text string) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		l := logicalLines{text: text}
		for l.text != "" {
			if line, _ := l.natural(); !yield(line) {
				return
			}
		}
	}
}

// reader collects a result. Warnings are limited: a pasted text of 50 MB can have a million of them.
type reader struct {
	options Options
	result  Result
	warned  int
	asked   int            // unknown keys for which a similar one was looked for
	places  map[string]int // of topics in the result, by name
	fields  map[string]keyFields
	bounds  map[boundsOf]string
}

const (
	maxWarnings    = 100
	maxSuggestions = 50
	maxRejected    = 1000
)

func (r *reader) warn(line int, format string, args ...any) {
	if r.warned++; r.warned <= maxWarnings {
		r.result.Warnings = append(r.result.Warnings, Notice{Line: int64(line), Text: fmt.Sprintf(format, args...)})
	}
}

// warnOf warns of a setting's value.
func (r *reader) warnOf(g given, format string, args ...any) {
	if r.warn(g.line, format, args...); r.warned <= maxWarnings {
		r.result.Warnings[len(r.result.Warnings)-1].Key = g.key
	}
}

// full reports whether further warnings would only be counted.
func (r *reader) full() bool { return r.warned >= maxWarnings }

func (r *reader) note(line int, format string, args ...any) {
	if len(r.result.Notes) < maxWarnings {
		r.result.Notes = append(r.result.Notes, Notice{Line: int64(line), Text: fmt.Sprintf(format, args...)})
	}
}

func (r *reader) reject(key, value string) {
	if r.result.Rejected == nil {
		r.result.Rejected = map[string]string{}
	}
	if len(r.result.Rejected) < maxRejected {
		r.result.Rejected[key] = value
	}
}

// version is the version whose bounds hold.
func (r *reader) version() calc.Version {
	if r.options.Version != 0 {
		return r.options.Version
	}
	row, _, _ := calc.SettingOf("kafka.version")
	v, err := calc.ParseVersion(row.Default)
	if err != nil {
		panic("kafkaconf: the table's default version is wrong: " + err.Error())
	}
	return v
}

func (r *reader) finish() *Result {
	order.Sort(r.result.Warnings, func(a, b *Notice) int { return int(a.Line - b.Line) })
	order.Sort(r.result.Refused, func(a, b *Refusal) int { return int(a.Line - b.Line) })
	if more := r.warned - maxWarnings; more > 0 {
		r.result.Warnings = append(r.result.Warnings, Notice{Text: fmt.Sprintf("and %s more of the kind", grouped(int64(more)))})
	}
	return &r.result
}

// quote puts quotes around a value in a message, and shortens it.
func quote(value string) string {
	value = clip(value, 60)
	if !utf8.ValidString(value) || strings.ContainsFunc(value, func(c rune) bool { return c < ' ' || c == 0x7f || c == 0xa0 }) {
		return fmt.Sprintf("%q", value)
	}
	return "'" + value + "'"
}

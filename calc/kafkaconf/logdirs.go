package kafkaconf

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Size is the size of a replica, as kafka-log-dirs.sh --describe gives it: bytes of the .log files, no indexes.
type Size struct {
	Broker    *int32 `json:"broker"` // nil: the file does not say
	Topic     string `json:"topic"`
	Partition int32  `json:"partition"`
	Size      int64  `json:"size"`
	OffsetLag int64  `json:"offsetLag,omitempty"` // records that it is behind
	Future    bool   `json:"isFuture,omitempty"`  // the copy of a move between directories
	Dir       string `json:"-"`                   // "": the file does not say
}

// LogDir is a log directory in the output of kafka-log-dirs.sh --describe.
type LogDir struct {
	Broker        int32
	Path          string
	Error         string // "" for none
	Total, Usable int64  // bytes of its disk; 0: the file does not say
}

// logDirsJSON is any object of the output: the whole, a broker, a directory, or one partition, as jq cuts them out.
type logDirsJSON struct {
	Brokers []logDirsJSON `json:"brokers"`

	Broker  *int32        `json:"broker"`
	LogDirs []logDirsJSON `json:"logDirs"`

	LogDir     string          `json:"logDir"`
	Error      *string         `json:"error"`
	Partitions json.RawMessage `json:"partitions"`
	Total      int64           `json:"totalBytes"`
	Usable     int64           `json:"usableBytes"`

	Partition string `json:"partition"`
	Size      *int64 `json:"size"`
	OffsetLag int64  `json:"offsetLag"`
	IsFuture  bool   `json:"isFuture"`
}

// maxSizes is the most replicas that are read from one file.
const maxSizes = 2_000_000

// logDirsReader reads the output of kafka-log-dirs.sh --describe.
type logDirsReader struct {
	*reader
	text string
	line int // of the value being read
	seen map[sizeKey]int
}

// sizeKey is what there is once.
type sizeKey struct {
	broker int32
	name   string
	future bool
}

// readLogDirs reads JSON values with other lines around them, as the tool prints them. The error is that of the first value
// that is no JSON; nothing is taken then.
func (r *reader) readLogDirs(text string) error {
	l := logDirsReader{reader: r, text: strings.TrimPrefix(text, byteOrderMark), line: 1, seen: map[sizeKey]int{}}
	skipped, first := 0, 0
	pos, counted := 0, 0
	for {
		rest := strings.TrimLeft(l.text[pos:], " \t\r\n")
		pos = len(l.text) - len(rest)
		if rest == "" {
			break
		}
		l.line += strings.Count(l.text[counted:pos], "\n")
		counted = pos
		if rest[0] != '{' && rest[0] != '[' {
			if skipped++; skipped == 1 {
				first = l.line
			}
			end := strings.IndexByte(rest, '\n')
			if end < 0 {
				break
			}
			pos += end
			continue
		}
		n, err := l.value(rest)
		if err != nil {
			return err
		}
		pos += n
	}
	if skipped > 0 {
		r.note(first, "%s that %s no JSON skipped", plural(skipped, "line"), isOrAre(skipped))
	}
	if len(r.result.Read.Sizes) == 0 && len(r.result.Read.LogDirs) == 0 {
		return errors.New("there is no log directory and no partition in it")
	}
	return nil
}

// value reads one JSON value, and gives its length.
func (l *logDirsReader) value(rest string) (int, error) {
	d := json.NewDecoder(strings.NewReader(rest))
	var raw json.RawMessage
	if err := d.Decode(&raw); err != nil {
		return 0, l.problem(err, rest, d.InputOffset())
	}
	length := int(d.InputOffset())
	var all []logDirsJSON
	var err error
	if raw[0] == '[' {
		err = json.Unmarshal(raw, &all)
	} else {
		all = make([]logDirsJSON, 1)
		err = json.Unmarshal(raw, &all[0])
	}
	if err != nil {
		return 0, l.problem(err, rest, 0)
	}
	for i := range all {
		if err := l.object(&all[i], nil, ""); err != nil {
			return 0, err
		}
	}
	return length, nil
}

// problem is an error about JSON with its line and key.
func (l *logDirsReader) problem(err error, rest string, offset int64) error {
	var syntax *json.SyntaxError
	var typed *json.UnmarshalTypeError
	what := err.Error()
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		what, offset = "the JSON ends before its last bracket", int64(len(rest))
	case errors.As(err, &syntax):
		what, offset = "is not JSON: "+syntax.Error(), syntax.Offset
	case errors.As(err, &typed):
		what, offset = fmt.Sprintf("%s: a %s where a %s belongs", typed.Field, typed.Value, typed.Type), typed.Offset
	}
	line := l.line + strings.Count(rest[:min(max(offset, 0), int64(len(rest)))], "\n")
	return fmt.Errorf("line %d: %s", line, what)
}

// object takes what is in an object, with the broker and the directory around it.
func (l *logDirsReader) object(o *logDirsJSON, broker *int32, dir string) error {
	if o.Broker != nil {
		broker = o.Broker
	}
	for _, list := range [][]logDirsJSON{o.Brokers, o.LogDirs} {
		for i := range list {
			if err := l.object(&list[i], broker, dir); err != nil {
				return err
			}
		}
	}
	if o.LogDir != "" {
		dir = o.LogDir
		l.directory(o, broker)
	}
	if err := l.partitions(o.Partitions, broker, dir); err != nil {
		return err
	}
	if o.Partition != "" {
		return l.partition(o, broker, dir)
	}
	return nil
}

func (l *logDirsReader) directory(o *logDirsJSON, broker *int32) {
	found := LogDir{Path: o.LogDir, Total: max(o.Total, 0), Usable: max(o.Usable, 0)}
	name := clip(o.LogDir, 80)
	if broker != nil {
		found.Broker = *broker
		name = fmt.Sprintf("broker %d: %s", *broker, name)
	}
	if o.Error != nil {
		found.Error = *o.Error
		l.warn(l.line, "%s has an error: %s", name, quote(*o.Error))
	}
	dirs := &l.result.Read.LogDirs
	if broker != nil && slices.ContainsFunc(*dirs, func(d LogDir) bool { return d.Broker == found.Broker && d.Path == found.Path }) {
		l.warn(l.line, "%s is given twice", name)
		return
	}
	if broker != nil {
		*dirs = append(*dirs, found)
	}
}

// partitions reads a list, or an object by names.
func (l *logDirsReader) partitions(raw json.RawMessage, broker *int32, dir string) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) == 0 || string(raw) == "null" {
		return nil
	}
	if raw[0] == '[' {
		var list []logDirsJSON
		if err := json.Unmarshal(raw, &list); err != nil {
			return l.problem(err, "", 0)
		}
		for i := range list {
			if err := l.partition(&list[i], broker, dir); err != nil {
				return err
			}
		}
		return nil
	}
	d := json.NewDecoder(bytes.NewReader(raw)) // in the order of the file
	if _, err := d.Token(); err != nil {
		return l.problem(err, "", 0)
	}
	for d.More() {
		name, err := d.Token()
		if err != nil {
			return l.problem(err, "", 0)
		}
		var o logDirsJSON
		if err := d.Decode(&o); err != nil {
			return l.problem(err, "", 0)
		}
		o.Partition, _ = name.(string)
		if err := l.partition(&o, broker, dir); err != nil {
			return err
		}
	}
	return nil
}

func (l *logDirsReader) partition(o *logDirsJSON, broker *int32, dir string) error {
	topic, number, ok := cutPartition(o.Partition)
	switch {
	case !ok:
		l.warn(l.line, "%s is no partition such as orders-0, and left out", quote(o.Partition))
		return nil
	case o.Size == nil || *o.Size < 0:
		l.warn(l.line, "partition %s has no size, and is left out", quote(o.Partition))
		return nil
	case len(l.result.Read.Sizes) == maxSizes:
		return fmt.Errorf("line %d: more than %s partitions", l.line, grouped(maxSizes))
	}
	key := sizeKey{broker: -1, name: o.Partition, future: o.IsFuture}
	if broker != nil {
		key.broker = *broker
	}
	if at, again := l.seen[key]; again {
		l.warn(l.line, "partition %s is given twice on one broker; the last one counts", quote(o.Partition))
		s := &l.result.Read.Sizes[at]
		s.Size, s.OffsetLag, s.Dir = *o.Size, o.OffsetLag, dir
		return nil
	}
	l.seen[key] = len(l.result.Read.Sizes)
	l.result.Read.Sizes = append(l.result.Read.Sizes, Size{
		Broker: broker, Topic: topic, Partition: number, Size: *o.Size, OffsetLag: o.OffsetLag, Future: o.IsFuture, Dir: dir,
	})
	return nil
}

// cutPartition parts topic-number at the last dash: topics have dashes and digits of their own.
func cutPartition(name string) (topic string, number int32, ok bool) {
	dash := strings.LastIndexByte(name, '-')
	if dash < 1 {
		return "", 0, false
	}
	n, err := strconv.ParseUint(name[dash+1:], 10, 31)
	return name[:dash], int32(n), err == nil
}

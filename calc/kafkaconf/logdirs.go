package kafkaconf

import (
	"errors"
	"fmt"
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

// logDirsObject is any object of the output: the whole, a broker, a directory, or one partition, as jq cuts them out.
type logDirsObject struct {
	brokers []logDirsObject

	broker  *int32
	logDirs []logDirsObject

	logDir        string
	err           *string
	partitions    jsonValue // a list, or an object by names; no text: none
	total, usable int64

	partition string
	size      *int64
	offsetLag int64
	isFuture  bool
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
		var err error
		if pos, err = l.value(pos); err != nil {
			return err
		}
	}
	if skipped > 0 {
		r.note(first, "%s that %s no JSON skipped", plural(skipped, "line"), isOrAre(skipped))
	}
	if len(r.result.Read.Sizes) == 0 && len(r.result.Read.LogDirs) == 0 {
		return errors.New("there is no log directory and no partition in it")
	}
	return nil
}

// value reads the JSON value that begins at a place, and gives its end.
func (l *logDirsReader) value(at int) (int, error) {
	v, err := findJSON(l.text, at)
	if err != nil {
		return 0, l.problem(err)
	}
	all := []jsonValue{v}
	if v.isList() {
		all = nil
		v.each(func(_ string, one jsonValue) error { all = append(all, one); return nil })
	}
	objects := make([]logDirsObject, len(all))
	for i, one := range all {
		if err := objects[i].read(one); err != nil {
			return 0, l.problem(err)
		}
	}
	for i := range objects {
		if err := l.object(&objects[i], nil, ""); err != nil {
			return 0, err
		}
	}
	return v.end, nil
}

// problem is an error about JSON with its line.
func (l *logDirsReader) problem(err error) error {
	var in *jsonError
	if !errors.As(err, &in) {
		return err
	}
	return fmt.Errorf("line %d: %s", 1+strings.Count(l.text[:in.at], "\n"), in)
}

// read takes the fields of an object. As in encoding/json upper and lower case are one in a name, of two the last one counts,
// null says nothing, and other names are passed over.
func (o *logDirsObject) read(v jsonValue) error {
	if v.isNull() {
		return nil
	}
	if !v.isObject() {
		return v.wanted("an object")
	}
	return v.each(func(name string, value jsonValue) error {
		return inJSON(name, o.set(name, value))
	})
}

func (o *logDirsObject) set(name string, v jsonValue) error {
	switch strings.ToLower(name) {
	case "brokers":
		return readObjects(&o.brokers, v)
	case "broker":
		return readOptional(&o.broker, v, jsonValue.int32)
	case "logdirs":
		return readObjects(&o.logDirs, v)
	case "logdir":
		return readJSON(&o.logDir, v, jsonValue.string)
	case "error":
		return readOptional(&o.err, v, jsonValue.string)
	case "partitions":
		o.partitions = v
	case "totalbytes":
		return readJSON(&o.total, v, jsonValue.int64)
	case "usablebytes":
		return readJSON(&o.usable, v, jsonValue.int64)
	case "partition":
		return readJSON(&o.partition, v, jsonValue.string)
	case "size":
		return readOptional(&o.size, v, jsonValue.int64)
	case "offsetlag":
		return readJSON(&o.offsetLag, v, jsonValue.int64)
	case "isfuture":
		return readJSON(&o.isFuture, v, jsonValue.bool)
	}
	return nil
}

func readObjects(to *[]logDirsObject, v jsonValue) error {
	*to = nil
	if v.isNull() {
		return nil
	}
	if !v.isList() {
		return v.wanted("a list")
	}
	return v.each(func(_ string, one jsonValue) error {
		*to = append(*to, logDirsObject{})
		return (*to)[len(*to)-1].read(one)
	})
}

// object takes what is in an object, with the broker and the directory around it.
func (l *logDirsReader) object(o *logDirsObject, broker *int32, dir string) error {
	if o.broker != nil {
		broker = o.broker
	}
	for _, list := range [][]logDirsObject{o.brokers, o.logDirs} {
		for i := range list {
			if err := l.object(&list[i], broker, dir); err != nil {
				return err
			}
		}
	}
	if o.logDir != "" {
		dir = o.logDir
		l.directory(o, broker)
	}
	if err := l.partitions(o.partitions, broker, dir); err != nil {
		return err
	}
	if o.partition != "" {
		return l.partition(o, broker, dir)
	}
	return nil
}

func (l *logDirsReader) directory(o *logDirsObject, broker *int32) {
	found := LogDir{Path: o.logDir, Total: max(o.total, 0), Usable: max(o.usable, 0)}
	name := clip(o.logDir, 80)
	if broker != nil {
		found.Broker = *broker
		name = fmt.Sprintf("broker %d: %s", *broker, name)
	}
	if o.err != nil {
		found.Error = *o.err
		l.warn(l.line, "%s has an error: %s", name, quote(*o.err))
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
func (l *logDirsReader) partitions(v jsonValue, broker *int32, dir string) error {
	if v.text == "" || !v.isList() && !v.isObject() {
		return nil
	}
	return v.each(func(name string, value jsonValue) error {
		var o logDirsObject
		if err := o.read(value); err != nil {
			return l.problem(err)
		}
		if v.isObject() {
			o.partition = name
		}
		return l.partition(&o, broker, dir)
	})
}

func (l *logDirsReader) partition(o *logDirsObject, broker *int32, dir string) error {
	topic, number, ok := cutPartition(o.partition)
	switch {
	case !ok:
		l.warn(l.line, "%s is no partition such as orders-0, and left out", quote(o.partition))
		return nil
	case o.size == nil || *o.size < 0:
		l.warn(l.line, "partition %s has no size, and is left out", quote(o.partition))
		return nil
	case len(l.result.Read.Sizes) == maxSizes:
		return fmt.Errorf("line %d: more than %s partitions", l.line, grouped(maxSizes))
	}
	key := sizeKey{broker: -1, name: o.partition, future: o.isFuture}
	if broker != nil {
		key.broker = *broker
	}
	if at, again := l.seen[key]; again {
		l.warn(l.line, "partition %s is given twice on one broker; the last one counts", quote(o.partition))
		s := &l.result.Read.Sizes[at]
		s.Size, s.OffsetLag, s.Dir = *o.size, o.offsetLag, dir
		return nil
	}
	l.seen[key] = len(l.result.Read.Sizes)
	l.result.Read.Sizes = append(l.result.Read.Sizes, Size{
		Broker: broker, Topic: topic, Partition: number, Size: *o.size, OffsetLag: o.offsetLag, Future: o.isFuture, Dir: dir,
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

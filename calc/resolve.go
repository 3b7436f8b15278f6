package calc

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc/internal/order"
)

// resolver takes what was given for each setting, or what holds without, and collects what is wrong.
type resolver struct {
	in       Input
	version  Version
	problems []problem
	wrong    []int // slots whose text cannot be read or is out of bounds
	trial    bool  // nothing will be played
}

// problem is an error with its place in the table.
type problem struct {
	slot int
	err  *FieldError
}

// newResolver looks at what was given for the settings of which about says so, each for itself.
func newResolver(in Input, about func(row *Setting) bool) *resolver {
	r := &resolver{in: in, version: in.version()}
	for _, g := range in.given {
		s := slots[g.slot]
		row := &settings[s.row]
		if !about(row) {
			continue
		}
		if err := s.check(g.text, r.version); err != nil {
			r.add(s.key, g.text, err)
			for _, more := range err.more {
				r.problems = append(r.problems, problem{g.slot, more.at(s.key, g.text)})
			}
			r.wrong = append(r.wrong, g.slot)
		} else if !row.Known(r.version) && g.text != in.otherwise(g.slot) {
			r.add(s.key, g.text, row.unknownIn(r.version))
		}
	}
	return r
}

// every is all settings, for [newResolver].
func every(*Setting) bool { return true }

// ofLog is the settings that a [LogConfig] holds, for [newResolver].
func ofLog(row *Setting) bool {
	return slices.Contains(logKeys[:], row.Key) || row.Key == "internal.segment.bytes" || row.Key == "kafka.version"
}

// unknownIn is the error that a version does not have the setting.
func (s *Setting) unknownIn(v Version) *FieldError {
	e := &FieldError{Problem: fmt.Sprintf("Kafka %s does not have it", v.line())}
	switch {
	case v < s.Since:
		e.Problem += fmt.Sprintf(", only from %s on", s.Since.line())
	case s.Key == "message.timestamp.difference.max.ms":
		e.Problem += ", only before 4.0"
		e.Hint = "use message.timestamp.before.max.ms and message.timestamp.after.max.ms"
		return e
	default:
		e.Problem += fmt.Sprintf(", only before %s", s.Until.line())
	}
	e.Hint = "leave it out, or change kafka.version"
	return e
}

// add notes a problem of a setting; of each the first, of steps all.
func (r *resolver) add(key, value string, err *FieldError) {
	slot := slotOf[key]
	if key != "steps" && slices.ContainsFunc(r.problems, func(p problem) bool { return p.slot == slot }) {
		return
	}
	r.problems = append(r.problems, problem{slot, err.at(key, value)})
}

// addTo notes a problem of the setting whose text decides over a row: the topic's own, or the broker's.
func (r *resolver) addTo(key string, err *FieldError) {
	from, text := r.source(key)
	r.add(from, text, err)
}

// err is all problems, in the order of the table.
func (r *resolver) err() error {
	order.Sort(r.problems, func(a, b *problem) int { return a.slot - b.slot })
	all := make([]error, len(r.problems))
	for i, p := range r.problems {
		all[i] = p.err
	}
	return errors.Join(all...)
}

// Limits on the work of [resolver.settle].
const (
	maxTrials    = 200
	maxTrialText = 64 << 10 // of all that was given
)

// settle makes the nearest value of each problem one that is accepted: what a setting's own bounds offer may be wrong beside
// the other settings, such as a record that no batch takes.
func (r *resolver) settle() {
	size := 0
	for _, g := range r.in.given {
		size += len(g.text)
	}
	if size > maxTrialText {
		return
	}
	trials := maxTrials
	for _, p := range r.problems {
		if p.err.Nearest != "" {
			r.settleOne(p.err, &trials)
		}
	}
}

// settleOne tries what one problem offers, and what is offered then.
func (r *resolver) settleOne(e *FieldError, trials *int) {
	first, because := e.Nearest, ""
	for range 6 {
		if *trials--; *trials < 0 {
			break
		}
		next := r.tried(e.Key, e.Nearest)
		if next == nil {
			if because != "" {
				e.Hint = "write " + e.Nearest + ", since " + first + " " + because
			}
			return
		}
		if because == "" {
			because = next.Problem
		}
		if strings.Contains(e.Hint, e.Nearest) {
			e.Hint = ""
		}
		if e.Nearest = next.Nearest; e.Nearest == "" {
			if e.Hint == "" {
				e.Hint = next.Hint
			}
			break
		}
	}
	if e.Nearest = ""; e.Hint == "" {
		row := &settings[slotRow(e.Key)]
		e.Hint = fmt.Sprintf("give %s, as in %s", row.Kind.some(), row.example())
	}
}

// tried is what is wrong once a setting has another value: with it, or where nothing else was wrong, with one that has its
// default. nil: nothing.
func (r *resolver) tried(key, text string) *FieldError {
	in := r.in
	_ = in.Set(key, text)
	later := newResolver(in, every)
	later.trial = true
	later.scenario()
	for _, p := range later.problems {
		if p.err.Key == key {
			return p.err
		}
	}
	if len(later.problems) == 0 || len(r.problems) > 1 {
		return nil
	}
	other := later.problems[0].err
	if _, given := r.in.Given(other.Key); given {
		return nil // a mistake of its own
	}
	return &FieldError{Problem: "is too much for " + other.Key} // nothing that would do is known
}

// source is the key whose text decides over a row, and the text: the row's own if given, the first synonym that is given,
// else the row's own with its default.
func (r *resolver) source(key string) (from, text string) {
	if text, ok := r.in.Given(key); ok {
		return key, text
	}
	row := &settings[slotRow(key)]
	for _, syn := range row.Inherits {
		if text, ok := r.in.Given(syn.Key); ok {
			return syn.Key, text
		}
	}
	return key, row.In(r.version).Default
}

// given reports whether a row has a text of its own or of a synonym.
func (r *resolver) given(key string) bool {
	from, _ := r.source(key)
	_, ok := r.in.Given(from)
	return ok
}

// sound reports whether nothing is wrong with what decides over the rows of keys.
func (r *resolver) sound(keys ...string) bool {
	for _, key := range keys {
		from, _ := r.source(key)
		if slices.ContainsFunc(r.problems, func(p problem) bool { return p.slot == slotOf[from] }) {
			return false
		}
	}
	return true
}

// soundGroups reports whether nothing is wrong in groups of settings.
func (r *resolver) soundGroups(groups ...Group) bool {
	return !slices.ContainsFunc(r.problems, func(p problem) bool {
		return slices.Contains(groups, settings[slots[p.slot].row].Group)
	})
}

// usable is the text that decides over a row, or its default where that text is wrong, with the slot that reads it.
func (r *resolver) usable(key string) (slot, string) {
	from, text := r.source(key)
	i := slotOf[from]
	if slices.Contains(r.wrong, i) {
		i = slotOf[key]
		text = settings[slots[i].row].In(r.version).Default
	}
	return slots[i], text
}

// number is the value of a row that is one number.
func (r *resolver) number(key string) int64 {
	s, text := r.usable(key)
	n, _ := s.number(text)
	return n
}

func (r *resolver) flag(key string) bool {
	_, text := r.usable(key)
	b, _ := parseFlag(text)
	return b
}

func (r *resolver) word(key string) string {
	s, text := r.usable(key)
	w, _ := settings[s.row].word(text)
	return w
}

func (r *resolver) rate(key string) Rate {
	_, text := r.usable(key)
	rate, _ := parseRate(text)
	return rate
}

// logKeys are the topic's settings that a [LogConfig] holds.
var logKeys = [...]string{
	"segment.bytes", "segment.ms", "segment.jitter.ms", "segment.index.bytes", "index.interval.bytes", "retention.bytes",
	"retention.ms", "local.retention.bytes", "local.retention.ms", "file.delete.delay.ms", "max.message.bytes",
	"message.timestamp.before.max.ms", "message.timestamp.after.max.ms", "max.compaction.lag.ms", "message.timestamp.type",
	"preallocate", "cleanup.policy", "remote.storage.enable", "remote.log.copy.disable", "remote.copy.lag.ms",
	"remote.copy.lag.bytes",
}

// log is the log's configuration.
func (r *resolver) log() LogConfig {
	c := DefaultLogConfig()
	for _, key := range logKeys {
		s, text := r.usable(key)
		row := &settings[s.row]
		switch {
		case row.number():
			n, _ := s.number(text)
			text = strconv.FormatInt(n, 10)
		case row.Kind == KindFlag:
			b, _ := parseFlag(text)
			text = strconv.FormatBool(b)
		case row.Kind == KindWord:
			text, _ = row.word(text)
		case row.Kind == KindWords:
			text = row.list(text)
		}
		if _, err := c.Set(key, text); err != nil {
			r.addTo(key, bad(text, err.Error()))
		}
	}
	if c.RetentionBytes < 0 {
		c.RetentionBytes = Unlimited
	}
	if r.given("internal.segment.bytes") && r.sound("internal.segment.bytes") {
		c.SegmentBytes = Bytes(r.number("internal.segment.bytes"))
	}
	if r.version < V4_0 {
		// Kafka: LogConfig.getMessageTimestampBeforeMaxMs of 3.6 to 3.9: the old setting counts where the new has its default.
		difference := Millis(r.number("message.timestamp.difference.max.ms"))
		if c.TimestampBeforeMax == Never {
			c.TimestampBeforeMax = difference
		}
		if c.TimestampAfterMax == Never {
			c.TimestampAfterMax = difference
		}
	}
	return c
}

// list is a list of words as Kafka writes them.
func (s *Setting) list(text string) string {
	var joined string
	for part := range splitList(text) {
		word, _ := s.word(part)
		if joined != "" {
			joined += ","
		}
		joined += word
	}
	return joined
}

// broker is the broker's configuration.
func (r *resolver) broker() BrokerConfig {
	b := BrokerConfig{
		RetentionCheckInterval:  Millis(r.number("log.retention.check.interval.ms")),
		InitialTaskDelay:        Millis(r.number("log.initial.task.delay.ms")),
		ProducerExpiration:      Millis(r.number("producer.id.expiration.ms")),
		ProducerExpirationCheck: Millis(r.number("producer.id.expiration.check.interval.ms")),
		SegmentDeleteDelay:      Minute,
	}
	if text, ok := r.in.Given("log.segment.delete.delay.ms"); ok {
		if n, err := parsed(ParseMillis(text)); err == nil {
			b.SegmentDeleteDelay = Millis(n)
		}
	}
	return b
}

// crossChecks finds what is wrong between settings of the log.
func (r *resolver) crossChecks(c *LogConfig) {
	if c.RemoteStorage && c.Compact {
		r.addTo("remote.storage.enable", bad("", "a tiered topic cannot be compacted: Kafka refuses it").hint("set cleanup.policy=delete"))
	}
	if c.RemoteStorage && !c.Delete && !c.Compact && r.version < 40200 {
		r.addTo("remote.storage.enable", bad("", "a tiered topic needs a cleanup policy before Kafka 4.2: Kafka refuses it").hint("set cleanup.policy=delete"))
	}
	if !c.Delete && !c.Compact && r.version < 40200 {
		r.addTo("cleanup.policy", badNearest("", "is empty, which Kafka takes only from 4.2 on", "delete"))
	}
	if c.RemoteStorage {
		r.local("local.retention.ms", "retention.ms", int64(c.LocalRetentionMs), int64(c.RetentionMs))
		r.local("local.retention.bytes", "retention.bytes", int64(c.LocalRetentionBytes), int64(c.RetentionBytes))
	}
	if lag := r.number("min.compaction.lag.ms"); lag > int64(c.MaxCompactionLagMs) && r.sound("min.compaction.lag.ms", "max.compaction.lag.ms") {
		r.addTo("min.compaction.lag.ms", badNearest("", "is above max.compaction.lag.ms", c.MaxCompactionLagMs.Text()))
	}
}

// local checks that a limit of the local log is not above that of the whole.
//
// Kafka: LogConfig.validateRemoteStorageRetentionSize, validateRemoteStorageRetentionTime.
func (r *resolver) local(key, total string, local, whole int64) {
	if local == -2 || whole < 0 || !r.sound(key, total) {
		return
	}
	row := &settings[slotRow(key)]
	switch {
	case local < 0:
		r.addTo(key, badNearest("", fmt.Sprintf("keeps more locally than %s=%s keeps in all: Kafka refuses it", total, row.text(whole)), "-2").
			hint(fmt.Sprintf("write -2 for as much as %s, or at most %s", total, row.text(whole))))
	case local > whole:
		r.addTo(key, badNearest("", fmt.Sprintf("is above %s=%s: Kafka refuses it", total, row.text(whole)), row.text(whole)))
	}
}

// notFollowed is each setting that was given and that the model does not follow.
func (r *resolver) notFollowed(s *Scenario) []NotFollowed {
	var all []NotFollowed
	for _, g := range r.in.given {
		row := &settings[slots[g.slot].row]
		key := slots[g.slot].key
		switch {
		case row.Key == "cleanup.policy" && s.log.Compact:
			all = append(all, NotFollowed{key, g.text, "compaction is not simulated: the log is as large as if the cleaner never ran"})
		case row.Key == "remote.storage.enable" && s.log.RemoteStorage:
			all = append(all, NotFollowed{key, g.text, whyOneLeader})
		case row.Key == "steps" && len(s.steps) > 0 && s.steps[len(s.steps)-1].At > s.horizon:
			all = append(all, NotFollowed{key, g.text, fmt.Sprintf("what comes at %s is after the end, horizon=%s",
				s.steps[len(s.steps)-1].At.Text(), s.horizon.Text())})
		case row.Key == "steps" && !s.tieredEver() && slices.ContainsFunc(s.steps, copiesByHand):
			all = append(all, NotFollowed{key, g.text, "copied-to and copy-every do nothing without remote.storage.enable=true"})
		case !row.Followed && g.text != row.In(r.version).Default:
			all = append(all, NotFollowed{key, g.text, row.Why})
		}
	}
	for key, value := range r.in.Unknown() {
		all = append(all, NotFollowed{key, value, "there is no such setting"})
	}
	return all
}

package calc

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// MetadataCheck is a check of the retention of __remote_log_metadata against tiered topics. It does not change.
// [NewMetadataCheck] is the only way to one.
type MetadataCheck struct {
	topics  []TieredTopic
	config  MetadataConfig
	horizon Millis
	restart Millis // Never: the worst time
	price   int64  // of a GiB for a month, in billionths
	outage  Millis
	skew    Millis
	brokers int64
	traps   []Trap
}

// TieredTopic is a tiered topic of a check.
type TieredTopic struct {
	Name     string
	ID       TopicID
	Scenario Scenario

	same string // what its course depends on
}

// TopicInput is what is given for a tiered topic. Its Input has the broker's settings, too.
type TopicInput struct {
	Name  string // "": topic.name of the input
	ID    string // "": topic.id of the input
	Input Input
}

// Limits of a check.
const (
	MaxCheckedTopics     = 2_000
	MaxCheckedPartitions = 20_000
)

// The keys of the metadata topic's settings.
const (
	metadataRetention  = "rlmm.config.remote.log.metadata.topic.retention.ms"
	metadataPartitions = "rlmm.config.remote.log.metadata.topic.num.partitions"
	metadataReplicas   = "rlmm.config.remote.log.metadata.topic.replication.factor"
)

// notOfCourse are the settings on which what happens to one partition does not depend.
var notOfCourse = map[string]bool{
	"topic.name": true, "topic.id": true, "partitions": true, "replication.factor": true, "brokers": true, "restart.all": true,
	"remote.price": true, "remote.outage.tolerated": true, "clock.skew": true, metadataRetention: true,
	metadataPartitions: true, metadataReplicas: true,
}

// NewMetadataCheck checks what is given for one topic or many. own are settings of the topic __remote_log_metadata itself,
// where they are known: they go before the broker's. What concerns the metadata topic, and the horizon, price, outage and
// restart, is taken from the first topic's input. Without a horizon the check plays as long as a segment and its metadata
// can live, 30 days at least and five years at most; less when that is more events than are simulated.
//
// The error joins a [*FieldError] for every problem; its key begins with the topic's name and a colon where there are
// several.
func NewMetadataCheck(topics []TopicInput, own []Pair) (MetadataCheck, error) {
	return NewMetadataCheckWith(topics, own, func() bool { return true })
}

// NewMetadataCheckWith is [NewMetadataCheck], asked before each topic whether it is still wanted. Where wanted returns false
// what comes is of no use.
func NewMetadataCheckWith(topics []TopicInput, own []Pair, wanted func() bool) (MetadataCheck, error) {
	if len(topics) == 0 {
		return MetadataCheck{}, (&FieldError{Problem: "there is no tiered topic to check", Hint: "set remote.storage.enable=true"}).at("remote.storage.enable", "false")
	}
	if len(topics) > MaxCheckedTopics {
		return MetadataCheck{}, &FieldError{Key: "topic.name", Value: strconv.Itoa(len(topics)) + " topics",
			Problem: fmt.Sprintf("are above the %d that are checked at once", MaxCheckedTopics), Hint: "check them in parts"}
	}
	c := MetadataCheck{}
	var problems []error
	first := newResolver(topics[0].Input, every)
	c.restart, c.price = Millis(first.number("restart.all")), first.number("remote.price")
	c.outage, c.skew = Millis(first.number("remote.outage.tolerated")), Millis(first.number("clock.skew"))
	c.brokers = first.number("brokers")
	config, wrong := metadataConfig(first, own)
	problems = append(problems, wrong...)
	c.config = config
	var given bool
	c.horizon, given = c.spanOf(topics, first)
	for {
		found, partitions, events := c.checkTopics(topics, wanted)
		if given || c.horizon < leastSpan || events <= fewEvents {
			problems = append(problems, found...)
			if partitions > MaxCheckedPartitions {
				problems = append(problems, &FieldError{Key: "partitions", Value: strconv.FormatInt(partitions, 10),
					Problem: fmt.Sprintf("are in all above the %d tiered partitions that are checked at once", MaxCheckedPartitions), Hint: "check topics in parts"})
			}
			break
		}
		c.horizon /= 2 // many small segments: less time shows the same
	}
	if len(problems) > 0 {
		return MetadataCheck{}, errors.Join(problems...)
	}
	c.traps = c.findTraps(own)
	return c, nil
}

// A check shortens its horizon by itself until its topics have so few events, which take a second or two, but not below
// an hour.
const (
	fewEvents = 10_000_000
	leastSpan = Hour
)

// checkTopics checks the topics over the check's horizon. events is about how many their simulations have together.
func (c *MetadataCheck) checkTopics(topics []TopicInput, wanted func() bool) (problems []error, partitions, events int64) {
	c.topics = nil
	counted := map[string]bool{}
	seen := map[string]bool{}
	for i := range topics {
		if !wanted() {
			break
		}
		t, err := c.topic(topics[i])
		for _, p := range Problems(err) {
			if strings.Contains(p.Problem, "within horizon=") {
				events = add(events, fewEvents+1)
			}
			if len(topics) > 1 {
				e := *p
				e.Key = t.Name + ":" + e.Key
				p = &e
			}
			problems = append(problems, p)
		}
		if seen[t.Name] {
			problems = append(problems, &FieldError{Key: "topic.name", Value: t.Name, Problem: "is there twice", Hint: "leave one of them out"})
		}
		seen[t.Name] = true
		if err == nil {
			partitions = add(partitions, t.Scenario.partitions)
			if !counted[t.same] {
				counted[t.same] = true
				events = add(events, t.Scenario.events)
			}
			c.topics = append(c.topics, t)
		}
	}
	return problems, partitions, events
}

// topic checks one topic.
func (c *MetadataCheck) topic(given TopicInput) (TieredTopic, error) {
	in := given.Input
	t := TieredTopic{Name: given.Name}
	if t.Name == "" {
		t.Name = in.Get("topic.name")
	}
	if err := tieredName(t.Name); err != nil {
		return t, err.at("topic.name", t.Name)
	}
	text := given.ID
	if text == "" {
		text = in.Get("topic.id")
	}
	t.ID = TopicIDOf(t.Name)
	if text != "" {
		if err := topicID(text); err != nil {
			return t, err.at("topic.id", text)
		}
		t.ID, _ = ParseTopicID(text)
	}
	if on, _ := parseFlag(in.Get("remote.storage.enable")); !on {
		return t, bad("", "is not tiered, and has no metadata to lose").hint("set remote.storage.enable=true").at("remote.storage.enable", in.Get("remote.storage.enable"))
	}
	var same strings.Builder
	for key, value := range in.Changed() {
		if !notOfCourse[key] {
			fmt.Fprintf(&same, "%q=%q\n", key, value)
		}
	}
	t.same = same.String()
	_ = in.Set("horizon", c.horizon.Text())
	s, err := NewScenario(in)
	if err != nil {
		return t, err
	}
	if s.remote == nil {
		return t, bad("", "says itself what is copied, so that the check has nothing to play").hint("leave copied-to and copy-every out").at("steps", in.Get("steps"))
	}
	t.Scenario = s
	return t, nil
}

// tieredName is what is wrong with the name of a tiered topic.
func tieredName(name string) *FieldError {
	if name == MetadataTopicName {
		return bad(name, "is the metadata topic itself, which Kafka does not tier").hint("give the topic that it has the metadata of")
	}
	return topicName(name)
}

// metadataConfig is the configuration of the metadata topic: what it says itself, else what the brokers' plugin gives it when
// it is created, else the broker's defaults.
func metadataConfig(r *resolver, own []Pair) (c MetadataConfig, problems []error) {
	c = MetadataConfig{Partitions: r.number(metadataPartitions), Replicas: r.number(metadataReplicas), Broker: r.broker(), Version: r.version}
	var in Input
	for _, g := range r.in.given {
		if s := slots[g.slot]; s.synonym >= 0 || s.key == "kafka.version" {
			_ = in.Set(s.key, g.text)
		}
	}
	_ = in.Set("cleanup.policy", "delete")
	_ = in.Set("retention.ms", strconv.FormatInt(r.number(metadataRetention), 10))
	itself := map[string]bool{}
	for _, p := range own {
		switch {
		case p.Key == "partitions":
			problems = append(problems, ownCount(&c.Partitions, metadataPartitions, p)...)
		case p.Key == "replication.factor":
			problems = append(problems, ownCount(&c.Replicas, metadataReplicas, p)...)
		case topicKey(p.Key) == nil && p.Key != "remote.storage.enable" && p.Key != "cleanup.policy":
			itself[p.Key] = true
			_ = in.Set(p.Key, p.Value) // the resolver finds what is wrong
		}
	}
	m := newResolver(in, ofLog)
	c.Log = m.log()
	c.Log.RemoteStorage = false
	for _, p := range m.problems {
		if itself[p.err.Key] {
			problems = append(problems, ofMetadataTopic(p.err))
		}
	}
	if !itself["retention.ms"] && r.sound(metadataRetention) && r.number(metadataRetention) == 0 {
		text := r.in.Get(metadataRetention)
		problems = append(problems, bad(text, "is 0: Kafka wants −1 or more than 0, and its brokers do not start").hint("write -1 for no limit").at(metadataRetention, text))
	}
	return c, problems
}

// ownCount takes a number that the metadata topic says of itself, within the bounds of the setting that it stands for.
func ownCount(to *int64, key string, p Pair) []error {
	var in Input
	if err := in.Set(key, p.Value); err != nil {
		for _, e := range Problems(err) {
			own := *e
			own.Key = p.Key
			return []error{ofMetadataTopic(&own)}
		}
	}
	*to = newResolver(in, every).number(key)
	return nil
}

// ofMetadataTopic is a problem of a setting of the metadata topic itself.
func ofMetadataTopic(e *FieldError) *FieldError {
	own := *e
	own.Key = MetadataTopicName + ":" + e.Key
	return &own
}

// spanOf is how long the check plays: as given, or until a segment that was copied and the metadata about it have both
// lived their lives.
func (c *MetadataCheck) spanOf(topics []TopicInput, first *resolver) (span Millis, given bool) {
	if _, given := first.in.Given("horizon"); given && first.sound("horizon") {
		return Millis(first.number("horizon")), true
	}
	longest := Millis(0)
	for _, t := range topics {
		r := newResolver(t.Input, every)
		longest = max(longest, Millis(r.number("retention.ms")))
	}
	const least, most = 30 * Day, 5 * 365 * Day
	span = add(longest, max(c.config.Log.RetentionMs, 0))
	if c.config.Log.RetentionMs < 0 {
		span = max(span, 365*Day)
	}
	span = add(span, add(min(c.config.Log.SegmentMs, 14*Day)*2, 2*Day))
	return min(max(span, least), most), false
}

// TrapKind is a thing that makes a retention unsafe which looks safe.
type TrapKind string

// The traps.
const (
	TrapSize      TrapKind = "size limit on the metadata topic"
	TrapForever   TrapKind = "topic kept for ever"
	TrapSizeOnly  TrapKind = "topic limited by size only"
	TrapRaised    TrapKind = "retention raised later"
	TrapAhead     TrapKind = "timestamps without limit"
	TrapMSK       TrapKind = "Amazon MSK's least retention"
	TrapOutage    TrapKind = "outage that does not end"
	TrapCompacted TrapKind = "compacted metadata topic"
)

// Trap is a trap that was found.
type Trap struct {
	Kind  TrapKind
	Topic string // "": the metadata topic
	Key   string // the setting that makes it
	Found string // its value
	Why   string // what it does, a sentence
	Way   string // the way out, a sentence
}

// TrapGroup is traps of one kind that differ in nothing but their topics and values.
type TrapGroup struct {
	Trap        // the first of them
	All  []Trap // never empty
}

// TrapGroups are the traps, those of one kind together, in the order of the first of each.
func (f *MetadataFinding) TrapGroups() (groups []TrapGroup) {
	for _, t := range f.Traps {
		i := slices.IndexFunc(groups, func(g TrapGroup) bool { return g.Kind == t.Kind && g.Key == t.Key && g.Why == t.Why && g.Way == t.Way })
		if i < 0 {
			i = len(groups)
			groups = append(groups, TrapGroup{Trap: t})
		}
		groups[i].All = append(groups[i].All, t)
	}
	return groups
}

// Where is in which topics, and with which values, the trap was found: some of them, as they are written, and how many more
// there are.
func (g *TrapGroup) Where() (some []Pair, more int) {
	const most = 3
	for _, t := range g.All[:min(len(g.All), most)] {
		topic := t.Topic
		if topic == "" {
			topic = MetadataTopicName
		}
		some = append(some, Pair{topic, t.Key + "=" + t.Found})
	}
	return some, max(len(g.All)-most, 0)
}

// findTraps looks for settings that make a retention unsafe which looks safe.
func (c *MetadataCheck) findTraps(own []Pair) (traps []Trap) {
	meta := &c.config.Log
	finite := meta.RetentionMs >= 0
	if meta.RetentionBytes >= 0 {
		traps = append(traps, Trap{TrapSize, "", "log.retention.bytes", meta.RetentionBytes.Text(),
			"The metadata topic has no limit on its size of its own, so the brokers' holds for each of its partitions, and drops events whatever retention.ms says.",
			"Set retention.bytes=-1 on " + MetadataTopicName + "."})
	}
	for _, p := range own {
		if p.Key == "cleanup.policy" && strings.Contains(strings.ToLower(p.Value), "compact") {
			traps = append(traps, Trap{TrapCompacted, "", p.Key, p.Value,
				"Its events have no keys: a compacted topic refuses them, and so every copy fails.", "Set cleanup.policy=delete on " + MetadataTopicName + "."})
		}
	}
	for i := range c.topics {
		t := &c.topics[i]
		s := &t.Scenario
		found := func(kind TrapKind, key, value, why, way string) {
			traps = append(traps, Trap{kind, t.Name, key, value, why, way})
		}
		switch {
		case s.log.RetentionMs >= 0 || !finite:
		case s.log.RetentionBytes < 0:
			found(TrapForever, "retention.ms", "-1", "Its segments are never deleted, and their metadata is lost one day.",
				"Give the topic a limit in time, or the metadata topic none.")
		default:
			found(TrapSizeOnly, "retention.bytes", s.log.RetentionBytes.Text(),
				"How old its segments become depends on its traffic; when that stops they stay for ever.",
				"Give the topic retention.ms as well, or the metadata topic no limit.")
		}
		kept := s.log.RetentionMs
		for _, step := range s.steps {
			do, ok := step.Do.(Configure)
			if !ok {
				continue
			}
			if finite && kept >= 0 && (do.Log.RetentionMs > kept || do.Log.RetentionMs < 0) {
				found(TrapRaised, "steps", step.At.Text()+" retention.ms="+settings[slotRow("retention.ms")].text(int64(do.Log.RetentionMs)),
					"Segments that are copied already live longer from then on, and their events are as old as they are.",
					"Raise the metadata topic's retention first, by as much, and wait for as long as the topic kept its records before.")
			}
			kept = do.Log.RetentionMs
		}
		if finite && !s.log.LogAppendTime && s.log.TimestampAfterMax == Never {
			value := longMax
			if s.version < V4_0 {
				value += ", the default before Kafka 4.0"
			}
			found(TrapAhead, "message.timestamp.after.max.ms", value,
				"One record from a producer whose clock is ahead keeps its segment until then, long after the metadata is lost.",
				"Set message.timestamp.after.max.ms=1h, or message.timestamp.type=LogAppendTime.")
		}
		if finite && s.log.RetentionMs >= 0 && s.log.RetentionMs < 3*Day {
			found(TrapMSK, "retention.ms", s.log.RetentionMs.Text(),
				"On Amazon MSK a tiered topic keeps records for 3 days at least, so that there 3 d count.",
				"On MSK reckon with retention.ms=3d.")
		}
		for _, o := range s.Outages() {
			if o.To == Never {
				found(TrapOutage, "steps", o.From.Text()+" remote-down", "While the remote store is down nothing there is deleted, and nothing here that is not copied.",
					"Say when it is back, as in remote-down 2h.")
			}
		}
	}
	return traps
}

package trace

import (
	"errors"
	"math"
	"strconv"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/strictjson"
)

// topicSetting is a topic setting that matters for files: Kafka's default, and the bounds of a number.
//
// Kafka: LogConfig.SERVER_CONFIG_DEF.
type topicSetting struct {
	key, otherwise string
	stated         bool // whether a trace states it, given or not
	least, most    int64
}

// topicSettings are in the order in which a trace states them. segment.bytes has the least value that the recorder can
// give Kafka by its internal key.
var topicSettings = []topicSetting{
	{"segment.bytes", "1073741824", true, 1, math.MaxInt32},
	{"segment.ms", "604800000", true, 1, math.MaxInt64},
	{"segment.jitter.ms", "0", true, 0, math.MaxInt64},
	{"segment.index.bytes", "10485760", true, 4, math.MaxInt32},
	{"index.interval.bytes", "4096", true, 0, math.MaxInt32},
	{"retention.ms", "604800000", true, -1, math.MaxInt64},
	{"retention.bytes", "-1", true, math.MinInt64, math.MaxInt64},
	{"file.delete.delay.ms", "60000", true, 0, math.MaxInt64},
	{"cleanup.policy", "delete", true, 0, 0},
	{"preallocate", "false", true, 0, 0},
	{"message.timestamp.type", "CreateTime", true, 0, 0},
	{"message.timestamp.before.max.ms", "9223372036854775807", true, 0, math.MaxInt64},
	{"message.timestamp.after.max.ms", "3600000", true, 0, math.MaxInt64},
	{"max.message.bytes", "1048588", true, 0, math.MaxInt32},
	{"remote.storage.enable", "false", true, 0, 0},
	{"local.retention.ms", "-2", true, -2, math.MaxInt64},
	{"local.retention.bytes", "-2", true, -2, math.MaxInt64},
	{"max.compaction.lag.ms", "9223372036854775807", false, 1, math.MaxInt64},
	{"remote.log.copy.disable", "false", false, 0, 0},
}

// brokerDefault is a broker setting that matters for a log.
type brokerDefault struct {
	key, otherwise string
	stated         bool
	least, most    int64
	field          func(*calc.BrokerConfig) *calc.Millis
}

var brokerSettings = []brokerDefault{
	{"log.retention.check.interval.ms", "300000", true, 1, math.MaxInt64,
		func(b *calc.BrokerConfig) *calc.Millis { return &b.RetentionCheckInterval }},
	{"log.initial.task.delay.ms", "30000", true, 0, math.MaxInt64,
		func(b *calc.BrokerConfig) *calc.Millis { return &b.InitialTaskDelay }},
	{"producer.id.expiration.ms", "86400000", true, 1, math.MaxInt32,
		func(b *calc.BrokerConfig) *calc.Millis { return &b.ProducerExpiration }},
	{"producer.id.expiration.check.interval.ms", "600000", true, 1, math.MaxInt32,
		func(b *calc.BrokerConfig) *calc.Millis { return &b.ProducerExpirationCheck }},
	{"log.segment.delete.delay.ms", "60000", false, 0, math.MaxInt64,
		func(b *calc.BrokerConfig) *calc.Millis { return &b.SegmentDeleteDelay }},
}

func brokerSetting(key string) *brokerDefault {
	for i := range brokerSettings {
		if brokerSettings[i].key == key {
			return &brokerSettings[i]
		}
	}
	return nil
}

// filledTopic are the settings as a trace states them: Kafka's defaults for what is not given, then the keys that a
// trace does not state.
func filledTopic(given Settings) Settings {
	var filled Settings
	for _, s := range topicSettings {
		text, ok := given.Get(s.key)
		if s.stated && !ok {
			text, ok = s.otherwise, true
		}
		if ok {
			filled = append(filled, Setting{s.key, text})
		}
	}
	return filled.withOthers(given)
}

// filledBroker is [filledTopic] for the broker's settings.
func filledBroker(given Settings) Settings {
	var filled Settings
	for _, s := range brokerSettings {
		text, ok := given.Get(s.key)
		if s.stated && !ok {
			text, ok = s.otherwise, true
		}
		if ok {
			filled = append(filled, Setting{s.key, text})
		}
	}
	return filled.withOthers(given)
}

// withOthers adds what is in given only.
func (s Settings) withOthers(given Settings) Settings {
	for _, setting := range given {
		if _, ok := s.Get(setting.Key); !ok {
			s = append(s, setting)
		}
	}
	return s
}

// configureLog applies topic settings; on a mistake it says at which key. Keys that the model does not know change
// nothing.
func configureLog(c *calc.LogConfig, settings Settings) (key string, err error) {
	for _, s := range settings {
		known, err := c.Set(s.Key, s.Text)
		if err != nil {
			return s.Key, plainError(err, s.Text)
		}
		if !known {
			continue
		}
		for i := range topicSettings {
			if t := &topicSettings[i]; t.key == s.Key && t.least < t.most {
				if err := inBounds(s.Text, t.least, t.most); err != nil {
					return s.Key, err
				}
			}
		}
	}
	return "", nil
}

// configureBroker is [configureLog] for the broker's settings.
func configureBroker(b *calc.BrokerConfig, settings Settings) (key string, err error) {
	for _, s := range settings {
		known := brokerSetting(s.Key)
		if known == nil {
			continue
		}
		if err := inBounds(s.Text, known.least, known.most); err != nil {
			return s.Key, err
		}
		n, _ := strconv.ParseInt(s.Text, 10, 64)
		*known.field(b) = calc.Millis(n)
	}
	return "", nil
}

func inBounds(text string, least, most int64) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return plainError(err, text)
	}
	if n < least || n > most {
		return errors.New(strconv.FormatInt(n, 10) + " is not between " + strconv.FormatInt(least, 10) + " and " +
			strconv.FormatInt(most, 10))
	}
	return nil
}

// plainError says what is wrong with a setting's text without naming functions of strconv.
func plainError(err error, text string) error {
	var parse *strconv.NumError
	if !errors.As(err, &parse) {
		return err
	}
	switch {
	case parse.Func == "ParseBool":
		return errors.New(strconv.Quote(strictjson.Shorten(text)) + " is neither true nor false")
	case errors.Is(parse, strconv.ErrRange):
		return errors.New(strictjson.Shorten(text) + " does not fit in 64 bits")
	}
	return errors.New(strconv.Quote(strictjson.Shorten(text)) + " is not a whole number")
}

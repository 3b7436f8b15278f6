package kafkaconf

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/partsize/partsize/calc"
)

// A value that Kafka refuses is told with its line and the way out, whatever the setting; a key that Kafka does not know is
// not among them, and of several topics only the chosen one counts.
func TestRefused(t *testing.T) {
	r := parse(t, "log.retension.ms=7d\nmin.insync.replicas=two\nlog.retention.hours=7d\nlog.segment.bytes=9223372036854775808 ", "server.properties")
	assert.Equal(t, []Refusal{
		{2, "", calc.FieldError{Key: "min.insync.replicas", Value: "two", Problem: "does not begin with a number but with two: Kafka takes digits only", Hint: "write a whole number"}},
		{3, "", calc.FieldError{Key: "log.retention.hours", Value: "7d", Problem: "has a unit, and Kafka takes digits only: a number of hours", Hint: "write 168", Nearest: "168"}},
		{4, "", calc.FieldError{Key: "log.segment.bytes", Value: "9223372036854775808", Problem: "does not fit: the largest number is 2147483647", Hint: "write 2147483647 or less", Nearest: "2147483647"}},
	}, r.Refused)
	assert.NotContains(t, r.Rejected, "min.insync.replicas", "no size depends on it")

	r = parse(t, "Dynamic configs for topic a are:\nretention.ms=1h\nDynamic configs for topic b are:\nsegment.ms=1h\nDynamic configs for broker 1 are:\nlog.roll.ms=x\n", "")
	var lines []int64
	for _, f := range r.RefusedFor("b") {
		lines = append(lines, f.Line)
	}
	assert.Equal(t, []int64{4, 6}, lines)
	assert.Empty(t, r.RefusedFor("c"), "there is no such topic, which Apply says")
}

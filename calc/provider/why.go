package provider

import (
	"fmt"
	"math"
	"sort"

	"github.com/partsize/partsize/calc"
)

// Stay is why a record is still there, or when it went.
type Stay struct {
	Still   bool
	Because string // a sentence
	Closes  calc.Millis
	Expires calc.Millis // when the newest record of its segment is older than the retention; [calc.Never] without one
	Gone    calc.Millis // when the last partition's segment is deleted; [calc.Never] if it is not, up to the end of the play
	// Between is when it is deleted in whichever time zone 04:00 is, where that was not given and a daily cleaning deletes it;
	// else empty.
	Between calc.Range[calc.Millis]

	// The topic's segments at that time, of all its partitions.
	Open, Closed, Eligible int64 // Closed ones have not expired
}

// Why says why a record that came at a time is still on the disk at another, or when it went. The error is a
// [*calc.FieldError] for a topic that does not exist, or a time that is not in the play.
func (d *Disk) Why(topic string, record, at calc.Millis) (Stay, error) {
	var t *diskTopic
	for i := range d.topics {
		if d.topics[i].name == topic {
			t = &d.topics[i]
		}
	}
	switch {
	case t == nil:
		return Stay{}, &calc.FieldError{Key: "topic", Value: topic, Problem: "is no topic of the instance"}
	case at < record || at > d.Until:
		return Stay{}, &calc.FieldError{Key: "at", Value: at.Text(), Problem: fmt.Sprintf("is not between the record's time and the end, %s", d.Until)}
	}
	segment := max(t.by(record)-1, 0) / t.segment
	s := Stay{Closes: t.when((segment + 1) * t.segment), Expires: calc.Never, Gone: calc.Never}
	if t.retention >= 0 && s.Closes < math.MaxInt64-t.retention {
		s.Expires = s.Closes + t.retention
	}
	i := sort.Search(len(t.history), func(i int) bool { return t.history[i].deleted >= (segment+1)*t.parts })
	by := Cleaning(0)
	if i < len(t.history) {
		s.Gone, by = t.history[i].at, t.history[i].kind
	}
	s.Still = at < s.Gone
	s.Between = calc.Range[calc.Millis]{Low: 1}
	if d.anywhere && by == Daily && s.Gone-s.Expires <= calc.Day {
		s.Between = calc.Range[calc.Millis]{Low: s.Expires, High: s.Expires + calc.Day}
	}
	switch {
	case !s.Still:
		s.Because = fmt.Sprintf("It went at %s, %s after it came (%s).", s.Gone, s.Gone-record, by)
	case at < s.Closes && s.Closes == math.MaxInt64:
		s.Because = "Its segment is still open, and with this traffic it is never full: only closed segments are deleted."
	case at < s.Closes:
		s.Because = fmt.Sprintf("Its segment is still open: it is full, and closed, at %s. Only closed segments are deleted.", s.Closes)
	case at < s.Expires && s.Expires == calc.Never:
		s.Because = "The topic has no retention by time."
	case at < s.Expires:
		s.Because = fmt.Sprintf("Its segment was closed at %s; the newest record in it is older than retention.ms=%s from %s on.", s.Closes, t.retention.Text(), s.Expires)
	case s.Gone == calc.Never:
		s.Because = fmt.Sprintf("It has expired at %s and waits for the next cleaning, which does not come before the end.", s.Expires)
	default:
		s.Because = fmt.Sprintf("It has expired at %s and waits for the next cleaning: it goes at %s (%s).", s.Expires, s.Gone, by)
	}
	s.count(t, at)
	if !s.Between.Empty() && at >= s.Expires {
		s.Because += fmt.Sprintf(" That is for 04:00 UTC; wherever 04:00 is, it goes between %s and %s.", s.Between.Low, s.Between.High)
	}
	return s, nil
}

// count counts the topic's segments at a time.
func (s *Stay) count(t *diskTopic, at calc.Millis) {
	gone := int64(0)
	if i := sort.Search(len(t.history), func(i int) bool { return t.history[i].at > at }); i > 0 {
		gone = t.history[i-1].deleted
	}
	expired := max(t.expired(at), gone)
	s.Open, s.Closed, s.Eligible = t.parts, t.closed(at)-expired, expired-gone
}

// Segments says how many there are of each kind, in a sentence.
func (s *Stay) Segments() string {
	text := fmt.Sprintf("Of the topic's segments %d %s open then, %d %s closed and not expired, and ", s.Open, isOrAre(s.Open), s.Closed, isOrAre(s.Closed))
	switch s.Eligible {
	case 0:
		return text + "none waits for a cleaning."
	case 1:
		return text + "one is closed and expired: a cleaning may delete it."
	}
	return text + fmt.Sprintf("%d are closed and expired: a cleaning may delete them.", s.Eligible)
}

func isOrAre(n int64) string {
	if n == 1 {
		return "is"
	}
	return "are"
}

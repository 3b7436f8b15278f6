package report

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
)

// Stay is why a segment, or a record of it, is still on disk at an instant, and when it goes.
type Stay struct {
	Choices []Choice // the segments that one may ask about
	Base    calc.Offset
	Record  calc.Offset // −1: none was asked about
	Fate    Record
	Answer  Words // in a sentence
	Facts   Words // about the segment, while it is on disk
	Steps   []StayStep
	Phases  []PhaseRow // over the phase of the checks; none where it does not matter, or changes more than that
}

// PhaseRow is an instant over the phase of the checks.
type PhaseRow struct{ Label, Early, At, Late string }

// Choice is a segment to ask about.
type Choice struct {
	Base  calc.Offset
	Label string
}

// StayStep is something that keeps the segment, or that happens to it.
type StayStep struct {
	At    calc.Millis
	Now   bool
	Words Words
	Key   string // the setting that decides
}

// asked is how many of the oldest segments can be asked about.
const asked = 6

// StayOf explains the segment of a record at an instant; with record −1 the segment with a base offset, or the oldest one of
// the log if it is not there. ok is false when there is none, or when yield, which is called now and then and may be nil,
// returns false.
func StayOf(a *calc.Answer, look *Look, at calc.Millis, base, record calc.Offset, yield func() bool) (s Stay, ok bool) {
	at = max(0, min(at, a.Timeline.Until()))
	s.Record = record
	if record >= 0 {
		if s.Fate, ok = RecordOf(a, look, record, yield); !ok {
			return s, false
		}
		base = s.Fate.Base
	}
	sim := look.At(at).Clone()
	lives := sim.Lives()
	if len(lives) == 0 && record < 0 && base < 0 {
		return s, false
	}
	it := s.choose(lives, base)
	switch {
	case record >= 0:
	case base >= 0 && it.Base != base:
		// A segment that is not there yet, or no more, is told by its first record; one that never is by the oldest.
		if s.Fate, ok = RecordOf(a, look, base, yield); ok && s.Fate.Base == base {
			break
		}
		fallthrough
	default:
		if len(lives) == 0 {
			return s, false
		}
		if s.Fate, ok = fateOf(a, look, sim, it, yield); !ok {
			return s, false
		}
	}
	s.Base = s.Fate.Base
	there := it.Base == s.Base && len(lives) > 0
	if there {
		s.facts(it)
	} else {
		s.Choices = append(s.Choices, Choice{s.Base, Number(int64(s.Base)) + ", not on disk then"})
	}
	s.answer(at, a.Timeline.Until())
	s.now(a, sim, at, lives, it, there)
	s.foresee(at)
	return s, true
}

// choose lists what one may ask about, and finds what was asked.
func (s *Stay) choose(lives []calc.Life, base calc.Offset) (it calc.Life) {
	listed, waiting, found := 0, 0, false
	for _, l := range lives {
		if l.Deleted {
			if waiting++; waiting > asked && l.Base != base {
				continue
			}
		}
		label := "closed"
		switch {
		case l.Deleted:
			label = "deleted, files wait"
		case l.Active:
			label = "active"
		case listed == 0:
			label = "closed, the oldest"
		}
		if !l.Deleted && !l.Active && listed >= asked && l.Base != base {
			continue
		}
		if !l.Deleted {
			if listed == 0 && !found {
				it = l
			}
			listed++
		}
		if l.Base == base && (!found || !l.Deleted) {
			it, found = l, true
		}
		s.Choices = append(s.Choices, Choice{l.Base, Number(int64(l.Base)) + ", " + label})
	}
	return it
}

// fateOf is what becomes of a segment that is on disk, told as of its first record.
func fateOf(a *calc.Answer, look *Look, sim *calc.Simulation, it calc.Life, yield func() bool) (r Record, ok bool) {
	r = Record{Offset: it.Base, Appended: it.First, Base: it.Base, Closed: it.First, Past: calc.Never, Deleted: fixed(calc.Never)}
	p := newPursuit(a, look, &r, yield)
	if it.Active {
		r.Closed = calc.Never
		if !p.close(sim) {
			return r, false
		}
	}
	if it.Deleted {
		r.Deleted = fixed(it.Gone)
		p.delay = it.Due - it.Gone
	}
	if !p.delete(sim) {
		return r, false
	}
	if it.Deleted {
		r.Unreadable, r.Back = r.Deleted, fixed(p.gone)
		return r, true
	}
	ok = p.bound()
	return r, ok
}

// facts says what the segment is.
func (s *Stay) facts(it calc.Life) {
	s.Facts.say("Segment " + Number(int64(it.Base)) + ": " + SizeText(it.Bytes) + " of records")
	if it.First != calc.Never {
		s.Facts.say(", the first written at " + Clock(it.First, calc.Second))
		if !it.Deleted {
			s.Facts.say(", the newest stamped " + Clock(it.Newest, calc.Second))
		}
	}
	s.Facts.say(".")
}

// name is what was asked about.
func (s *Stay) name() string {
	if s.Record >= 0 {
		return "Record " + Number(int64(s.Record))
	}
	return "Segment " + Number(int64(s.Base))
}

// answer says when it goes, in a sentence, and what that depends on.
func (s *Stay) answer(at, until calc.Millis) {
	r, w := &s.Fate, &s.Answer
	w.say(s.name())
	if r.Unreadable.At == calc.Never {
		w.say(" is still there at the end of the simulated time, " + Span(until) + ".")
	} else {
		switch {
		case at >= r.Unreadable.At:
			w.say(" cannot be read any more, since ")
		case r.Appended != calc.Never && at < r.Appended:
			w.say(" is not written yet. It can be read until ")
		default:
			w.say(" can be read until ")
		}
		w.figure(Clock(r.Unreadable.At, calc.Second))
		w.say(", and its bytes " + [...]string{"come", "came"}[when(at >= r.Back.At)] + " back ")
		if r.Back.At == calc.Never {
			w.say("after the end of the simulated time.")
		} else {
			w.say("at ")
			w.figure(Clock(r.Back.At, calc.Second))
			if at < r.Back.At {
				w.say(", in " + Span(r.Back.At-at))
			}
			w.say(".")
		}
	}
	for _, p := range []struct {
		label string
		Phased
	}{{"Unreadable", r.Unreadable}, {"Bytes back", r.Back}} {
		if p.Bounds && p.Early < p.Late {
			s.Phases = append(s.Phases, PhaseRow{p.label, Clock(p.Early, calc.Second), Clock(p.At, calc.Second), Clock(p.Late, calc.Second)})
		}
	}
}

func when(yes bool) int {
	if yes {
		return 1
	}
	return 0
}

// now says what keeps it at the instant.
func (s *Stay) now(a *calc.Answer, sim *calc.Simulation, at calc.Millis, lives []calc.Life, it calc.Life, there bool) {
	step := StayStep{At: at, Now: true}
	r, w := &s.Fate, &step.Words
	w.say("Now: ")
	switch {
	case r.Appended != calc.Never && at < r.Appended:
		w.say("it is not written yet.")
	case at >= r.Back.At || !there:
		w.say("it is gone.")
	case it.Deleted:
		w.say("a check deleted its segment " + Span(at-it.Gone) + " ago. Consumers cannot read it any more; its files stay, named .deleted.")
		step.Key = "file.delete.delay.ms"
	case at >= r.Unreadable.At:
		w.say("it is below the log start offset. Its bytes stay until a check finds its whole segment there.")
		step.Key = checkInterval
	case it.Active && it.First == calc.Never:
		w.say("it is the active segment, and empty. Kafka keeps one.")
	case sim.CheckAt(at+1) > it.Base:
		w.say("it is past retention")
		if r.Past <= at {
			w.say(", since " + Span(at-r.Past))
		}
		w.say(". Kafka looks every " + Span(a.Scenario.Broker().RetentionCheckInterval) + ".")
		step.Key = checkInterval
	case it.Active:
		w.say("its segment is still open, written since " + Clock(it.First, calc.Second) + ". It goes only once it is closed, or all of it is past retention.")
		step.Key = "segment.bytes"
		if r.Closed != calc.Never && keyOf(r.ClosedBy) != "" {
			step.Key = keyOf(r.ClosedBy)
		}
	default:
		s.kept(&step, at, lives, it, sim.Usage(), sim.Config())
	}
	s.Steps = append(s.Steps, step)
}

const checkInterval = "log.retention.check.interval.ms"

// kept says which retention keeps a closed segment.
func (s *Stay) kept(step *StayStep, at calc.Millis, lives []calc.Life, it calc.Life, u calc.Usage, c calc.LogConfig) {
	w := &step.Words
	ms, bytes := localRetention(c)
	switch {
	case !c.Delete:
		w.say("nothing deletes it, since ")
		w.key("cleanup.policy")
		w.say(" has no delete.")
		step.Key = "cleanup.policy"
		return
	case ms < 0 && bytes < 0:
		w.say("neither ")
		w.key("retention.ms")
		w.say(" nor ")
		w.key("retention.bytes")
		w.say(" is set, so nothing deletes it.")
		return
	}
	if ms >= 0 {
		step.Key = "retention.ms"
		if first, blocked := blocker(at, ms, lives, it); blocked {
			w.say("it is old enough, but Kafka deletes from the oldest on, and before it comes segment " + Number(int64(first.Base)) + ", whose newest record ")
			s.young(w, at-first.Newest, ms)
		} else {
			w.say("the newest record of its segment ")
			s.young(w, at-it.Newest, ms)
		}
	}
	if bytes >= 0 {
		if ms >= 0 {
			w.say(" And without")
		} else {
			w.say("without")
			step.Key = "retention.bytes"
		}
		w.say(" it, and those before it, the log would be under " + SizeText(bytes) + ": it is " + SizeText(u.Log) + ".")
	}
}

// young says why a newest record keeps its segment.
func (s *Stay) young(w *Words, age, limit calc.Millis) {
	switch {
	case age < 0:
		w.say("is stamped " + Span(-age) + " ahead of the clock, so it is young until then and " + Span(limit) + " more.")
	case age > limit:
		w.say("is old enough; what keeps it is the high watermark, or a copy to the remote store that is not done.")
	default:
		is, limit := Spans(age, limit)
		w.say("is " + is + " old, within " + limit + ".")
	}
}

// blocker is the oldest segment that retention.ms keeps before one that it does not keep.
func blocker(at, ms calc.Millis, lives []calc.Life, it calc.Life) (first calc.Life, blocked bool) {
	if at-it.Newest <= ms {
		return first, false
	}
	for _, l := range lives {
		if !l.Deleted && l.Base < it.Base && at-l.Newest <= ms {
			return l, true
		}
	}
	return first, false
}

// localRetention is what the broker's own check applies.
func localRetention(c calc.LogConfig) (ms calc.Millis, bytes calc.Bytes) {
	ms, bytes = c.RetentionMs, c.RetentionBytes
	if c.RemoteStorage && !c.RemoteCopyDisable {
		if c.LocalRetentionMs != -2 {
			ms = c.LocalRetentionMs
		}
		if c.LocalRetentionBytes != -2 {
			bytes = c.LocalRetentionBytes
		}
	}
	return ms, bytes
}

// foresee adds what happens to it, in order; of a segment only what is still to come.
func (s *Stay) foresee(at calc.Millis) {
	r := &s.Fate
	add := func(when calc.Millis, says, key string) {
		if when == calc.Never || s.Record < 0 && when <= at {
			return
		}
		step := StayStep{At: when, Key: key}
		step.Words.figure(Clock(when, calc.Second))
		step.Words.say(": " + says)
		s.Steps = append(s.Steps, step)
	}
	if s.Record >= 0 {
		add(r.Appended, "it is written, into segment "+Number(int64(r.Base))+".", "")
	}
	if r.ClosedBy != "" {
		add(r.Closed, "its segment is closed, and the next one begins.", keyOf(r.ClosedBy))
	}
	if r.Unreadable.At < r.Deleted.At && r.Unreadable.At < r.Back.At {
		add(r.Unreadable.At, "consumers cannot read it any more: the log starts after it, or the topic is deleted.", "")
	}
	if r.Past < r.Deleted.At {
		add(r.Past, "it is past retention; the next check deletes it.", keyOf(r.DeletedBy))
	}
	says := "a check deletes its segment: consumers cannot read it any more, and the files are renamed to .deleted."
	if r.Unreadable.At != r.Deleted.At {
		says = "a check deletes its segment, and the files are renamed to .deleted."
	}
	add(r.Deleted.At, says, checkInterval)
	says = "its files are removed"
	if r.Freed > 0 {
		says += "; with what goes at the same time the disk has " + SizeText(r.Freed) + " more"
	}
	add(r.Back.At, says+".", "file.delete.delay.ms")
	order.Sort(s.Steps, func(a, b *StayStep) int { return cmp.Compare(a.At, b.At) })
}

// Asked is the record that a text asks about at an instant: an offset; a time of the scenario, whose newest record is meant;
// or an age, as in 2h ago. problem is what is wrong with the text, "" when nothing is.
func Asked(a *calc.Answer, look *Look, at calc.Millis, text string) (o calc.Offset, problem string) {
	_, _, end, _ := a.Timeline.End().Offsets()
	text = strings.TrimSpace(text)
	digits := strings.NewReplacer(space, "", "\u202f", "", " ", "", ",", "").Replace(text)
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil && n >= 0 {
		if calc.Offset(n) >= end {
			return -1, fmt.Sprintf("Offset %s is not written within the simulated time: the log ends at %s.", Number(n), Number(int64(end)))
		}
		return calc.Offset(n), ""
	}
	when, age := text, false
	for _, word := range [...]string{"ago", "old"} {
		if before, ok := strings.CutSuffix(when, word); ok {
			when, age = before, true
		}
	}
	if after, ok := strings.CutPrefix(when, "-"); ok {
		when, age = after, true
	}
	t, err := calc.ParseMillis(when)
	if err != nil {
		return -1, "Give an offset as 4199168, a time as 3h 6min, or an age as 2h ago."
	}
	if age {
		t = at - t
	}
	switch {
	case t < 0:
		return -1, "That is before the scenario begins."
	case t > a.Timeline.Until():
		return -1, "The simulated time ends at " + Clock(a.Timeline.Until(), calc.Second) + "."
	}
	_, _, last, _ := look.At(t).Offsets()
	if last == 0 {
		return -1, "Nothing is written by then."
	}
	return last - 1, ""
}

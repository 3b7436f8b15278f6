package report

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/partsize/partsize/calc"
)

// What is said can be read aloud: of one thing as of one, without names from the code, and without what was left over.
func TestWordsCanBeReadAloud(t *testing.T) {
	more := []string{
		"produce=1B/s record.value=10 horizon=1h", "horizon=1ms", "retention.ms=0 horizon=1d", "retention.bytes=0 horizon=1d", "disk=1GiB produce=0/s", "disk=1B",
		"segment.ms=1min retention.ms=5min horizon=1d produce=1KiB/s", "file.delete.delay.ms=0 horizon=9d", "produce.stop=1h retention.ms=2h horizon=1d",
		"remote.storage.enable=true local.retention.ms=1h retention.ms=3h horizon=1d",
		"produce=100B/s segment.bytes=1MiB retention.ms=1d",
	}
	steps := []string{"", "1h delete-topic", "1h remote-down 2h", "1h restart 1min", "2h retention.ms=1h"}
	for i, given := range append(append([]string{}, surprising...), more...) {
		in := calc.Defaults()
		for _, pair := range strings.Fields(given) {
			key, value, _ := strings.Cut(pair, "=")
			_ = in.Set(key, value)
		}
		_ = in.Set("steps", steps[i%len(steps)])
		if strings.HasPrefix(given, "remote") {
			_ = in.Set("steps", steps[2])
		}
		s, err := calc.NewScenario(in)
		if err != nil {
			_ = in.Set("steps", "")
			s, err = calc.NewScenario(in)
		}
		if !assert.NoError(t, err, given) {
			continue
		}
		a := calc.Run(s)
		check := func(says string) {
			says = plainSpaces(says)
			assert.NotRegexp(t, `\b1 (segments|partitions|replicas|open files|memory maps|appends|keys|files|closed segments|deleted segments)\b|[a-z]_[a-z]|\.\.|%!| ,| ;|\b0 ms to|after 0 ms`, says, given)
		}
		check(strings.ReplaceAll(FullSentence(&a).String(), "vm.max_map_count", ""))
		b := BindsOf(&a)
		check(b.By.String())
		for _, f := range Findings(&a) {
			check(strings.ReplaceAll(f.Title+". "+f.Words.String(), "max_map_count", ""))
		}
		look := NewLook(a.Timeline)
		w, _ := WindowFor(&a, FocusAll)
		for _, at := range []calc.Millis{0, a.Timeline.Until() / 3, a.Timeline.Peak().Allocated.At, a.Timeline.Until()} {
			m := MomentOf(look, w, at, false)
			for _, e := range m.Next {
				check(e.In + ": " + e.What)
				assert.Regexp(t, `^[A-Z]`, e.What, given)
			}
			if stay, ok := StayOf(&a, look, at, -1, -1, nil); ok {
				check(stay.Answer.String())
				check(stay.Facts.String())
				for _, step := range stay.Steps {
					check(step.Words.String())
				}
			}
		}
	}
	a, _ := run(t, "disk=1B")
	assert.Contains(t, plainSpaces(Sentence(a).String()), "A disk of 1 B is full from the start, before anything is deleted.")
	a, _ = run(t, "retention.ms=0", "horizon=1d")
	assert.Contains(t, plainSpaces(Sentence(a).String()), "Each partition keeps up to 5 min of data")
	a, _ = run(t, "produce=0/s", "disk=1GiB")
	assert.Contains(t, plainSpaces(FullSentence(a).String()), "1 partition × 1 replica needs 8 KiB and seems to take 20.0 MiB. A disk of 1 GiB has 1.00 GiB to spare.")
}

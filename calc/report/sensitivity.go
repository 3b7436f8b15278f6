package report

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
)

// Variant is the scenario with one setting halved or doubled, and what that does to the peak.
type Variant struct {
	Value string     // of the setting
	Peak  calc.Bytes // on disk; −1: Kafka or the model refuses the value
	Text  string     // the peak
	Delta string     // against the present one: −12 %
}

// Sensitivity is what halving and doubling a setting does.
type Sensitivity struct {
	Key          string
	Half, Double Variant
	most         float64
}

// sensitive are the settings that are tried whatever that takes.
var sensitive = []string{
	"produce", "retention.ms", "retention.bytes", "segment.bytes", "segment.ms", "log.retention.check.interval.ms", "file.delete.delay.ms",
	"index.interval.bytes", "record.value",
}

// Limits of what is tried: events of a variant, and of a scenario of which every setting is tried.
const (
	mostTried  = 2_000_000
	mostForAll = 200_000
)

// tried are the settings that may decide over the peak of a scenario and have a value to take half of.
func tried(in calc.Input) (keys []string) {
	keys = append(keys, sensitive...)
	scenario, err := calc.NewScenario(in)
	if err != nil || scenario.EventBound() > mostForAll {
		return keys
	}
	for _, row := range calc.Settings() {
		switch row.Group {
		case calc.Traffic, calc.Records, calc.Retaining, calc.Segmenting, calc.Timestamps, calc.Brokers:
		case calc.Tiering:
			if !scenario.Log().RemoteStorage {
				continue
			}
		default:
			if row.Key != "horizon" {
				continue
			}
		}
		if row.Followed && row.Known(scenario.Version()) && !slices.Contains(keys, row.Key) {
			keys = append(keys, row.Key)
		}
	}
	return keys
}

// Sensitivities tries the settings of an input one by one, and puts those first that change the peak most. still are those of
// which neither half nor twice the value changes anything. run plays a scenario, or reports that it should stop.
func Sensitivities(in calc.Input, peak calc.Bytes, run func(calc.Scenario) (calc.Answer, bool)) (all []Sensitivity, still []string, ok bool) {
	for _, key := range tried(in) {
		row, _, _ := calc.SettingOf(key)
		text := in.Get(key)
		s := Sensitivity{Key: key}
		for _, v := range []struct {
			to       *Variant
			num, den int64
		}{{&s.Half, 1, 2}, {&s.Double, 2, 1}} {
			v.to.Peak = -1
			value, fine := scaled(&row, text, v.num, v.den)
			if !fine {
				continue
			}
			changed := in
			if changed.Set(key, value) != nil {
				continue
			}
			scenario, err := calc.NewScenario(changed)
			if err != nil || scenario.EventBound() > mostTried {
				continue
			}
			a, more := run(scenario)
			if !more {
				return nil, nil, false
			}
			v.to.tell(value, a.Timeline.Peak().Allocated.Bytes, peak)
			s.most = max(s.most, share(v.to.Peak, peak))
		}
		switch {
		case s.Half.Peak < 0 && s.Double.Peak < 0:
		case s.most == 0:
			still = append(still, key)
		default:
			all = append(all, s)
		}
	}
	order.Sort(all, func(a, b *Sensitivity) int { return cmp.Compare(b.most, a.most) })
	return all, still, true
}

func (v *Variant) tell(value string, peak, before calc.Bytes) {
	v.Value, v.Peak, v.Text = value, peak, SizeText(peak)
	percent := 0.0
	if before > 0 {
		percent = (float64(peak)/float64(before) - 1) * 100
	}
	places := 0
	if percent > -10 && percent < 10 {
		places = 1
	}
	number := strconv.FormatFloat(max(percent, -percent), 'f', places, 64)
	switch {
	case peak == before:
		v.Delta = "same"
	case number == "0.0":
		v.Delta = "hardly"
	case percent < 0:
		v.Delta = "−" + number + space + "%"
	default:
		v.Delta = "+" + number + space + "%"
	}
}

// share is by how much of the one before a peak differs.
func share(peak, before calc.Bytes) float64 {
	if before == 0 {
		return 0
	}
	d := float64(peak)/float64(before) - 1
	return max(d, -d)
}

// scaled is a value times num/den; ok is false for a value that has no such multiple, like no limit.
func scaled(s *calc.Setting, text string, num, den int64) (value string, ok bool) {
	switch s.Kind {
	case calc.KindDuration:
		m, err := calc.ParseMillis(text)
		if err != nil || m <= 0 || m > calc.Never/4 {
			return "", false
		}
		return (m * calc.Millis(num) / calc.Millis(den)).Text(), true
	case calc.KindSize, calc.KindLength:
		b, err := calc.ParseBytes(text)
		if err != nil || b <= 0 || b > 1<<60 {
			return "", false
		}
		return (b * calc.Bytes(num) / calc.Bytes(den)).Text(), true
	}
	return Stepped(s, text, num > den)
}

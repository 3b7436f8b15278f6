package fleet

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
	"github.com/partsize/partsize/calc/placement"
)

// class is partitions that are alike: the same settings, rate, bytes at the start and changes. One of them is simulated.
type class struct {
	scenario calc.Scenario
	low      []calc.Bytes // blocks on the disk in each span of time
	high     []calc.Bytes
	load     placement.Load // most blocks at any instant, bytes a second at the start
	files    int64          // most at any instant
	maps     int64
	returns  []Return
	rates    []rateStep
	own      []calc.Pair // of its input, beside the settings of its topic
}

// Return is when space comes back after a change of settings.
type Return struct {
	Change int         // index of the change
	After  calc.Millis // from the change until the first files are gone; Never when nothing goes within [returnWindow]
	Freed  calc.Bytes  // of one partition, what is on the disk then against what was at the change
}

// returnWindow is how long after a change of settings its first deletion is waited for.
const returnWindow = 2 * calc.Hour

// presentRate is how fast the bytes at the start are put in place.
const presentRate = "1TiB/s"

// classOf finds or makes the class of a partition.
func (r *runner) classOf(t *Topic, rate calc.Rate, present calc.Bytes) int {
	var key strings.Builder
	for _, pairs := range [][]calc.Pair{r.d.Settings, t.Settings} {
		for _, p := range pairs {
			key.WriteString(p.Key)
			key.WriteByte('=')
			key.WriteString(p.Value)
			key.WriteByte('\n')
		}
	}
	rates, err := r.course(t, rate)
	if err != nil {
		r.problem(t.Place, "topic %q: %v", t.Name, err)
		return 0
	}
	extra := r.inputOf(t, rate, rates, present)
	for _, p := range extra {
		key.WriteString(p.Value)
		key.WriteByte('\n')
	}
	if at, ok := r.index[key.String()]; ok {
		return at
	}
	at := len(r.classes)
	r.index[key.String()] = at
	if at >= MaxClasses {
		if at == MaxClasses {
			r.problem(Place{}, "more than %d partitions that differ in settings, traffic or size; give topics an even skew, or fewer of them", MaxClasses)
		}
		r.classes = append(r.classes, class{})
		return 0
	}
	in := calc.Defaults()
	for _, pairs := range [][]calc.Pair{r.d.Settings, t.Settings, extra} {
		for _, p := range pairs {
			if _, _, known := calc.SettingOf(p.Key); known {
				_ = in.Set(p.Key, p.Value) // the scenario reports what is wrong
			}
		}
	}
	c := class{own: extra, rates: rates}
	c.scenario, err = calc.NewScenario(in)
	for _, p := range calc.Problems(err) {
		r.settingProblem(t, p)
	}
	if err == nil {
		if r.events += c.scenario.EventBound(); r.events > maxEvents && !r.tooLong {
			r.tooLong = true
			r.problem(Place{}, "more than %d events in all; shorten horizon, or give topics larger segments", maxEvents)
		}
	}
	c.load.Rate = calc.ByteRate(rate.PerSecond())
	r.classes = append(r.classes, c)
	return at
}

// settingProblem tells what is wrong with a setting where it is given: by the topic, by all, or by a step.
func (r *runner) settingProblem(t *Topic, p *calc.FieldError) {
	has := func(pairs []calc.Pair) bool {
		return slices.ContainsFunc(pairs, func(o calc.Pair) bool { return o.Key == p.Key })
	}
	switch {
	case has(t.Settings):
		r.problem(t.Place.Key("settings."+p.Key), "topic %q: %v", t.Name, p)
	case has(r.d.Settings):
		r.problem(r.d.settings.Key(p.Key), "%v", p)
	case p.Key == "produce":
		r.problem(t.Place.Key("produce"), "topic %q: produce=%s: a partition's part %s; %s", t.Name, t.Produce.Text(), p.Problem, p.WayOut())
	case p.Key == "steps":
		r.problem(Place{File: t.Place.File, Path: "steps"}, "topic %q: %v", t.Name, p)
	default:
		r.problem(t.Place, "topic %q: %v", t.Name, p)
	}
}

// inputOf is what a partition's input has beside the settings of its topic.
func (r *runner) inputOf(t *Topic, rate calc.Rate, rates []rateStep, present calc.Bytes) []calc.Pair {
	pairs := []calc.Pair{{Key: "kafka.version", Value: r.version.String()}, {Key: "horizon", Value: r.horizon.Text()}}
	series := seriesText(rates)
	if strings.Contains(series, ",") || !strings.HasPrefix(series, "0:") {
		pairs = append(pairs, calc.Pair{Key: "produce.series", Value: series})
	} else {
		pairs = append(pairs, calc.Pair{Key: "produce", Value: strings.TrimPrefix(series, "0:")})
	}
	var steps []string
	for _, c := range r.d.Changes {
		s, ok := c.Do.(Set)
		if !ok || s.Topic != "" && !names(s.Topic, t) {
			continue
		}
		for _, p := range s.Settings {
			steps = append(steps, fmt.Sprintf("%s %s=%s", c.At.Text(), p.Key, p.Value))
		}
	}
	if steps != nil {
		pairs = append(pairs, calc.Pair{Key: "steps", Value: strings.Join(steps, "; ")})
	}
	if present > 0 {
		pairs = append(pairs, calc.Pair{Key: "backlog", Value: present.Text()}, calc.Pair{Key: "backlog.rate", Value: presentRate})
		// As old as it takes to write at this rate.
		if amount, per := rate.Ratio(); amount > 0 {
			age := calc.Millis(century / 2)
			if hi, lo := bits.Mul64(uint64(present), uint64(per)); hi < uint64(amount) {
				if q, _ := bits.Div64(hi, lo, uint64(amount)); q < uint64(age) {
					age = calc.Millis(q)
				}
			}
			pairs = append(pairs, calc.Pair{Key: "backlog.age", Value: age.Text()})
		}
	}
	return pairs
}

// names reports whether a name is that of a topic, or of the topics of a kind.
func names(name string, t *Topic) bool {
	return name == t.Name || t.Count > 1 && strings.HasPrefix(name, t.Name+"-")
}

// rateStep is a rate from a time on.
type rateStep struct {
	at   calc.Millis
	rate calc.Rate
}

// course is a partition's traffic over time.
func (r *runner) course(t *Topic, rate calc.Rate) (steps []rateStep, err error) {
	if t.at > 0 {
		steps = append(steps, rateStep{})
	}
	steps = append(steps, rateStep{t.at, rate})
	for _, c := range r.d.Changes {
		f, ok := c.Do.(Traffic)
		if !ok || f.Topic != "" && !names(f.Topic, t) || c.At < t.at {
			continue
		}
		if rate, ok = scale(rate, f.Num, f.Den); !ok {
			return nil, fmt.Errorf("its traffic times %d/%d is not a rate that fits", f.Num, f.Den)
		}
		if last := &steps[len(steps)-1]; last.at == c.At {
			last.rate = rate // at one time the last counts
			continue
		}
		steps = append(steps, rateStep{c.At, rate})
	}
	return steps, nil
}

// seriesText is rates over time as produce.series has them.
func seriesText(steps []rateStep) string {
	var all []string
	for _, s := range steps {
		all = append(all, s.at.Text()+":"+strings.ReplaceAll(s.rate.Text(), " ", ""))
	}
	return strings.Join(all, ",")
}

// rateAt is what is written to a partition a second at a time.
func (c *class) rateAt(at calc.Millis) (rate calc.ByteRate) {
	for _, s := range c.rates {
		if s.at <= at {
			rate = calc.ByteRate(s.rate.PerSecond())
		}
	}
	return rate
}

// rates is the traffic of each partition of a topic; an error is about the key.
func (r *runner) rates(t *Topic) (rates []calc.Rate, key string, err error) {
	shares, sum, err := t.Skew.weights(t.Partitions)
	if err != nil {
		return nil, t.Skew.Kind.key(), err
	}
	if t.Produce.Records() {
		return nil, "produce", fmt.Errorf("produce=%s: give bytes, such as 5MiB/s; records have no size here", t.Produce.Text())
	}
	rates = make([]calc.Rate, t.Partitions)
	for i, w := range shares {
		rate, ok := scale(t.Produce, w, sum)
		if !ok {
			return nil, "produce", fmt.Errorf("produce=%s: partition %d gets %d/%d of it, which is no rate that fits; write it in bytes a second", t.Produce.Text(), i, w, sum)
		}
		rates[i] = rate
	}
	return rates, "", nil
}

// simulate plays a class.
func (r *runner) simulate(c *class) {
	t := calc.Survey(c.scenario.Plan(), r.spent)
	r.spent = t
	envelope := t.Envelope()
	c.low, c.high = make([]calc.Bytes, len(envelope)), make([]calc.Bytes, len(envelope))
	for i := range envelope {
		c.low[i], c.high[i] = envelope[i].Allocated.Low, envelope[i].Allocated.High
	}
	c.load.Bytes = t.Peak().Allocated.Bytes
	c.files, c.maps = t.Counts().OpenFiles, t.Counts().MemoryMaps
	for i, change := range r.d.Changes {
		if _, ok := change.Do.(Set); ok {
			c.returns = append(c.returns, returnOf(t, i, change.At))
		}
	}
}

// returnOf finds when the space of a change of settings comes back.
func returnOf(t *calc.Timeline, change int, at calc.Millis) Return {
	r := Return{Change: change, After: calc.Never}
	deleted := map[calc.Offset]bool{}
	for e := range t.Events(at, min(at+returnWindow, t.Until())) {
		switch {
		case e.Kind == calc.Delete:
			deleted[e.Base] = true
		case e.Kind == calc.Remove && deleted[e.Base]:
			r.After = e.At - at
			before, after := t.At(at), t.At(e.At)
			r.Freed = max(0, before.Usage().Allocated-after.Usage().Allocated)
			return r
		}
	}
	return r
}

// sortChanges puts changes in order of time; those of one time stay in order.
func sortChanges(changes []Change) []Change {
	sorted := slices.Clone(changes)
	order.Sort(sorted, func(a, b *Change) int {
		switch {
		case a.At < b.At:
			return -1
		case a.At > b.At:
			return 1
		}
		return 0
	})
	return sorted
}

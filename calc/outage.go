package calc

import (
	"slices"
	"strings"
)

// OutageEffect is what an outage of the remote store does to the local disk: nothing that is not copied is deleted.
type OutageEffect struct {
	Outage
	Healthy Bytes  // the most blocks on disk at any time before it
	Peak    Moment // the most from its start on until Back
	Back    Millis // when no more than Healthy is on disk again, after its end; [Never] within the plan
}

// OutageEffect plays an outage of the plan again and says what it does.
func (t *Timeline) OutageEffect(o Outage) OutageEffect {
	return t.OutageEffectWith(o, func(Millis) bool { return true })
}

// OutageEffectWith is OutageEffect, told now and then how far the clock is. Where wanted returns false the effect is of no
// use.
func (t *Timeline) OutageEffectWith(o Outage, wanted func(at Millis) bool) OutageEffect {
	e := OutageEffect{Outage: o, Back: Never}
	for _, b := range t.envelope {
		if b.To > o.From {
			break
		}
		e.Healthy = max(e.Healthy, b.Allocated.High)
	}
	sim := t.At(o.From)
	e.Healthy = max(e.Healthy, sim.Usage().Allocated)
	e.Peak = Moment{o.From, sim.Usage().Allocated}
	for n := 1; ; n++ {
		next, ok := sim.Next()
		if !ok || n%stepsBetween == 0 && !wanted(next) {
			return e
		}
		limit := Never
		if next < o.To {
			limit = o.To // an append may go on beyond its end
		}
		sim.StepBefore(limit, false)
		now, used := sim.Now(), sim.Usage().Allocated
		e.Peak.reach(now, used)
		if now >= o.To && used <= e.Healthy {
			e.Back = now
			return e
		}
	}
}

// GivenOutages are the outages that a text of steps gives, in the order of the text, whether or not they lie within a
// scenario, and whether they meet or not. A text that cannot be read as steps has none.
func GivenOutages(steps string) (all []Outage) {
	entries := outageEntries(steps)
	for i := range entries {
		if entries[i].down {
			all = append(all, entries.outage(i))
		}
	}
	return all
}

// WithOutage is a text of steps with its i-th outage, as [GivenOutages] counts them, changed to another; with i beyond them
// it is added. An outage with To at From or before is taken out. The other entries stay as they are; a remote-up that ended
// the old outage, or that would cut the new one short, goes.
func WithOutage(steps string, i int, to Outage) string {
	entries := outageEntries(steps)
	at, old := -1, Outage{Never, Never}
	for k, n := range entries.downs() {
		if k == i {
			at, old = n, entries.outage(n)
		}
	}
	var parts []string
	written := to.text()
	for k := range entries {
		e := &entries[k]
		switch {
		case k == at:
			parts = append(parts, written)
			written = ""
		case e.up && (e.at == old.To || e.at > to.From && e.at <= to.To):
		default:
			parts = append(parts, e.text)
		}
	}
	if written != "" {
		parts = append(parts, written)
	}
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), "; ")
}

// text is the outage as a step; "" where it takes no time.
func (o Outage) text() string {
	switch {
	case o.To <= o.From:
		return ""
	case o.To == Never:
		return o.From.Text() + " remote-down"
	}
	return o.From.Text() + " remote-down " + (o.To - o.From).Text()
}

// outageEntry is an entry of a text of steps.
type outageEntry struct {
	text     string
	at       Millis
	down, up bool   // it is about the remote store
	lasts    Millis // of an outage
}

type outageText []outageEntry

// outageEntries parts a text of steps. Entries that cannot be read are kept as they are.
func outageEntries(steps string) (all outageText) {
	for part := range strings.FieldsFuncSeq(steps, func(r rune) bool { return r == ';' || r == '\n' }) {
		e := outageEntry{text: strings.TrimSpace(part)}
		if e.text == "" {
			continue
		}
		if step, err := parseStep(part); err == nil {
			if do, ok := step.do.(RemoteStore); ok {
				e.at, e.lasts, e.down, e.up = step.at, do.Down, do.Down > 0, do.Down == 0
			}
		}
		all = append(all, e)
	}
	return all
}

// downs are the places of the outages.
func (t outageText) downs() (places []int) {
	for i := range t {
		if t[i].down {
			places = append(places, i)
		}
	}
	return places
}

// outage is the outage of an entry: it ends by itself, or with the next remote-up.
func (t outageText) outage(i int) Outage {
	o := Outage{t[i].at, add(t[i].at, t[i].lasts)}
	for k := range t {
		if t[k].up && t[k].at >= o.From {
			o.To = min(o.To, t[k].at)
		}
	}
	return o
}

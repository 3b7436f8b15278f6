package provider

import "github.com/partsize/partsize/calc"

// Relevant is the options that the rules of the request's service and plan ask about, in the order of the table: what there
// is to give about an instance of it. The plan itself is not among them.
func (r *Request) Relevant() []Option {
	s, plan := r.service(), r.Plan().ID
	want := map[string]bool{}
	for i := range s.Rules {
		rule := &s.Rules[i]
		if !rule.holdsFor(plan) {
			continue
		}
		want[rule.key()], want[rule.If.Key] = true, true
		for _, key := range neededBy(rule.key()) {
			want[key] = true
		}
		switch {
		case rule.Reservation != nil:
			want[rule.Reservation.Of] = true
			want["brokers"] = want["brokers"] || rule.Reservation.Of == "disk"
			for _, key := range [...]string{"daily.volume", "keep"} {
				want[key] = want[key] || rule.Reservation.Retention
			}
		case rule.Ladder != nil:
			want["disk"] = true
			want["brokers"] = want["brokers"] || rule.Ladder.Whose != "instance"
			for _, g := range rule.Ladder.Rungs {
				want[g.FreeOption] = true
			}
		case rule.Staircase != nil:
			for _, key := range [...]string{"disk", "brokers", "disk.max", "auto.scaling.target", "stored"} {
				want[key] = true
			}
		}
	}
	if s.Cleans {
		for _, key := range [...]string{"copies", "stored", "cleanup.period"} {
			want[key] = true
		}
		want["time.zone"] = plan == "cloud-storage"
	}
	var all []Option
	for _, o := range options {
		if want[o.Key] && o.Key != "plan" {
			all = append(all, o)
		}
	}
	return all
}

// neededBy is the options from which a fact follows.
func neededBy(fact string) []string {
	switch fact {
	case "partitions.unit", "traffic.unit", "stored.unit":
		return []string{"units"}
	case "partitions.broker":
		return []string{"brokers"}
	case "disk.vcpu":
		return []string{"disk", "brokers", "vcpus"}
	}
	return nil
}

// Reading is how the text of an option was read, in other words: a size in both kinds of units. It is "" where there is
// nothing to add.
func (o *Option) Reading(text string) string {
	if text == "" {
		text = o.Default
	}
	n, err := o.parse(text)
	if err != nil || text == "" {
		return ""
	}
	switch o.Kind {
	case calc.KindSize:
		if n == 0 {
			return ""
		}
		return size(calc.Bytes(n))
	case calc.KindDuration:
		return calc.Millis(n).String()
	case calc.KindShift:
		switch {
		case n == 0:
			return "UTC"
		case n < 0:
			return "UTC −" + calc.Millis(-n).String()
		}
		return "UTC +" + calc.Millis(n).String()
	}
	return ""
}

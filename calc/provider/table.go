package provider

// Row is what one service, in one of its plans, makes of a request.
type Row struct {
	Service *Service
	Plan    string // its name; "" where there is one only
	Verdict Verdict
	// Others is how many more rules are broken, or have something to say.
	Others int
}

// Table holds a request against every service in every plan. Each row has the verdict that decides, see [Decide]. The
// options that were given hold for all services; the request's own service and plan do not matter.
func Table(r Request) []Row {
	var all []Row
	for _, s := range services {
		all = append(all, Rows(r, s)...)
	}
	return all
}

// Rows is the part of [Table] about one service: a row for each of its plans.
func Rows(r Request, s *Service) []Row {
	plans := s.Plans
	if len(plans) == 0 {
		plans = []Plan{{}}
	}
	var all []Row
	var measured []Topic // with the service's defaults; a plan may have its own
	for _, p := range plans {
		one := Request{Service: s, Topics: r.Topics, Yield: r.Yield}
		for _, o := range r.options {
			if o.Key != "plan" {
				one.options = append(one.options, o)
			}
		}
		if p.ID != "" {
			_ = one.Set("plan", p.ID)
		}
		if b := r.Before; b != nil {
			before := Request{Service: s, Topics: b.Topics, options: b.options}
			one.Before = &before
		}
		switch {
		case len(p.Defaults) > 0 || measured == nil:
			one.measureAgain()
			if len(p.Defaults) == 0 {
				measured = one.Topics
			}
		default:
			one.Topics = measured
		}
		verdicts := Check(one)
		row := Row{Service: s, Plan: p.Name, Verdict: Decide(verdicts)}
		for _, v := range verdicts {
			if v.Effect < Accepted {
				row.Others++
			}
		}
		if row.Verdict.Effect < Accepted {
			row.Others--
		}
		all = append(all, row)
	}
	return all
}

// mostAgain is how many topics are simulated anew for a service.
const mostAgain = 3

// measureAgain simulates topics with the service's defaults where these are not Kafka's. What cannot be simulated with
// them keeps what was known.
func (r *Request) measureAgain() {
	if len(r.Defaults()) == 0 || len(r.Topics) > mostAgain {
		return
	}
	topics := append([]Topic(nil), r.Topics...)
	for i := range topics {
		if topics[i].HasTraffic() {
			topics[i].Traffic = nil
		}
	}
	again := *r
	again.Topics = topics
	_ = again.Measure()
	for i := range topics {
		if topics[i].Traffic == nil {
			topics[i].Traffic = r.Topics[i].Traffic
		}
	}
	r.Topics = topics
}

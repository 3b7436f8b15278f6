package provider

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Service is a managed Kafka, or a product that is run as one, and its rules.
type Service struct {
	ID       string
	Name     string
	Plans    []Plan      // none: there is one
	Defaults []calc.Pair // settings that a topic has there when nothing is given, where they are not Kafka's
	Aliases  []calc.Pair // other names under which its pages write Kafka's keys: name, key
	Rules    []Rule
	// Fills says that a disk of it can become full, and that no rule says what then happens: what Kafka does.
	Fills bool
	// Cleans says that the service deletes by disk use in a way that [PlayDisk] plays.
	Cleans bool
}

// Plan is a way to buy a service.
type Plan struct {
	ID, Name string
	Options  []calc.Pair // what an instance of it has when nothing is given
	Defaults []calc.Pair // as [Service.Defaults], and before them
}

// Services are all services, plain Kafka first.
func Services() []*Service { return slices.Clone(services) }

var services = []*Service{
	&apacheKafka, &ibmEventStreams, &apsaraMQ, &amazonMSK, &confluentCloud, &aiven, &redpanda, &eventHubs, &googleKafka,
	&ociStreaming, &instaclustr, &strimzi, &hdInsight, &huaweiDMS, &tencentCKafka, &yandexKafka, &selectel, &doubleCloud,
}

// apacheKafka is the default: nothing is reserved or deleted but what the simulation shows.
var apacheKafka = Service{ID: "apache-kafka", Name: "Own brokers, Apache Kafka", Fills: true}

// ServiceOf finds a service by its ID, in any letters. The error is a [*calc.FieldError] that names the nearest one.
func ServiceOf(id string) (*Service, error) {
	low := strings.ToLower(strings.TrimSpace(id))
	low = strings.NewReplacer(" ", "-", "_", "-").Replace(low)
	for _, s := range services {
		if s.ID == low {
			return s, nil
		}
	}
	e := &calc.FieldError{Key: "service", Value: id, Problem: "is no service that is known here", Hint: "the services are " + ids()}
	if near := closest(low, names()); near != "" {
		e.Nearest, e.Hint = near, fmt.Sprintf("did you mean %s? the services are %s", near, ids())
	}
	return nil, e
}

func names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, s := range services {
			if !yield(s.ID) {
				return
			}
		}
	}
}

func ids() string { return strings.Join(slices.Collect(names()), ", ") }

// closest is the candidate that shares the most with a word: one that contains it, or begins alike; "" if none does.
func closest(word string, candidates iter.Seq[string]) string {
	best, most := "", 2
	for c := range candidates {
		same := 0
		for same < min(len(c), len(word)) && c[same] == word[same] {
			same++
		}
		if len(word) > 2 && strings.Contains(c, word) {
			same = len(word) + 1
		}
		for part := range strings.SplitSeq(c, "-") {
			if len(part) > 3 && strings.Contains(word, part) {
				same = max(same, len(part))
			}
		}
		if same > most {
			best, most = c, same
		}
	}
	return best
}

// plan finds a plan by its ID; the first one if id is empty.
func (s *Service) plan(id string) (*Plan, error) {
	if len(s.Plans) == 0 {
		if id == "" {
			return &Plan{}, nil
		}
		return &Plan{}, &calc.FieldError{Key: "plan", Value: id, Problem: s.Name + " has no plans here", Hint: "leave it out"}
	}
	var all []string
	for i := range s.Plans {
		if p := &s.Plans[i]; id == "" || strings.EqualFold(p.ID, strings.TrimSpace(id)) {
			return p, nil
		}
		all = append(all, s.Plans[i].ID)
	}
	e := &calc.FieldError{Key: "plan", Value: id, Problem: "is no plan of " + s.Name, Hint: "the plans are " + strings.Join(all, ", ")}
	e.Nearest = closest(strings.ToLower(id), slices.Values(all))
	return &s.Plans[0], e
}

// RuleOf finds a rule by its ID.
func (s *Service) RuleOf(id string) (*Rule, bool) {
	i := slices.IndexFunc(s.Rules, func(r Rule) bool { return r.ID == id })
	if i < 0 {
		return nil, false
	}
	return &s.Rules[i], true
}

func (r *Rule) holdsFor(plan string) bool { return len(r.Plans) == 0 || slices.Contains(r.Plans, plan) }

package provider

import (
	"errors"

	"github.com/partsize/partsize/calc"
)

// trafficKeys are the settings that say what comes: a topic for which none is given is checked by its configuration alone.
var trafficKeys = []string{"produce", "produce.series", "backlog", "burst.rate"}

// mostMeasured is how many topics are simulated; of more, the worst case is taken, which needs no simulation.
const mostMeasured = 50

// longestMeasured is how many events a topic may have to be simulated; of a longer one the worst case is taken.
const longestMeasured = 200_000

// mostEvents is how many events all topics together may have to be simulated.
const mostEvents = 500_000

// HasTraffic reports whether something is given of the topic's traffic.
func (t *Topic) HasTraffic() bool {
	for _, key := range trafficKeys {
		if _, given := t.Config.Given(key); given {
			return true
		}
	}
	return false
}

// Measure simulates the topics of whose traffic something is given, and notes what one replica of each has on disk. The
// settings that a service has by default hold. With more than 50 such topics it takes the worst case instead, which needs
// no simulation. The error joins what is wrong with the settings of topics that cannot be simulated; their traffic stays
// unknown.
func (r *Request) Measure() error {
	var all []error
	with, events := 0, int64(0)
	for i := range r.Topics {
		if r.Topics[i].HasTraffic() {
			with++
		}
	}
	for i := range r.Topics {
		t := &r.Topics[i]
		if i%64 == 63 {
			r.goOn()
		}
		if t.Traffic != nil || !t.HasTraffic() {
			continue
		}
		s, err := calc.NewScenario(r.Input(i))
		if err != nil {
			all = append(all, err)
			continue
		}
		if events += s.EventBound(); with > mostMeasured || s.EventBound() > longestMeasured || events > mostEvents {
			t.FollowScenario(s)
			continue
		}
		a := calc.RunWith(s, func(calc.Millis) bool { return r.goOn() })
		if !r.goOn() {
			break
		}
		t.Follow(&a)
	}
	return errors.Join(all...)
}

// Input is a topic's settings with those that the service has by default: what is to be simulated for it there.
func (r *Request) Input(topic int) calc.Input {
	t := &r.Topics[topic]
	in := t.Config
	for _, d := range r.Defaults() {
		if _, given := in.Given(d.Key); !given && !ByBroker(&in, d.Key) {
			_ = in.Set(d.Key, d.Value)
		}
	}
	if text, given := r.setting(t, "retention.bytes"); given {
		_ = in.Set("retention.bytes", text)
	}
	return in
}

// Follow takes a topic's traffic from an answer.
func (t *Topic) Follow(a *calc.Answer) {
	t.FollowScenario(a.Scenario)
	t.Traffic.Peak, t.Traffic.Worst = a.Timeline.Peak().Allocated.Bytes, false
}

// FollowScenario takes a topic's traffic from a scenario that was not played. What it has on disk is the worst case then,
// where there is one.
func (t *Topic) FollowScenario(s calc.Scenario) {
	const points = 1000
	every := max(calc.Hour, (s.Horizon()+points-1)/points)
	arrived := s.Arrivals(every)
	tr := &Traffic{Mean: s.MeanRate()}
	// MostBytes counts the calls at both ends of a minute, and up to two more where traffic is not even.
	minute := s.MostBytes(calc.Minute-1) - 3*s.LargestAppend()
	tr.Busiest = max(tr.Mean, calc.ByteRate(minute/60))
	for i, b := range arrived {
		at := min(calc.Millis(i)*every, s.Horizon())
		// Three points on a line are two.
		if n := len(tr.Course); n >= 2 && straight(tr.Course[n-2], tr.Course[n-1], Arrived{at, b}) {
			tr.Course[n-1] = Arrived{at, b}
			continue
		}
		tr.Course = append(tr.Course, Arrived{at, b})
	}
	if bound := calc.BoundOf(s); bound.OK {
		tr.Peak, tr.Worst = bound.OnDisk, true
	}
	t.Traffic = tr
	if n := s.Partitions(); n > 1 { // one may be what holds when nothing is given
		t.Partitions = n
	}
	if _, given := t.Config.Given("replication.factor"); given {
		t.Replicas = s.ReplicationFactor()
	}
}

// straight reports whether b is on the line from a to c, to within a part in a thousand of what comes between: batches do
// not come evenly.
func straight(a, b, c Arrived) bool {
	line := int64(a.Bytes) + ratioDown(int64(c.Bytes-a.Bytes), int64(b.At-a.At), max(int64(c.At-a.At), 1))
	off := int64(b.Bytes) - line
	return max(off, -off) <= int64(c.Bytes-a.Bytes)/1000
}

// OfAnswer is a request about the one topic of an answer, for a service that may be nil. in is the input of the answer's
// scenario. Options are given with [Request.Set].
func OfAnswer(s *Service, in calc.Input, a *calc.Answer) Request {
	t := Topic{Config: in}
	t.Follow(a)
	return Request{Service: s, Topics: []Topic{t}}
}

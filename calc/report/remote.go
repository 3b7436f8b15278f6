package report

import (
	"fmt"

	"github.com/partsize/partsize/calc"
)

// jsonRemote is the remote half of a tiered log.
type jsonRemote struct {
	PeakAt   calc.Millis  `json:"peak_t_ms"`
	Peak     calc.Bytes   `json:"peak_bytes"`
	End      calc.Bytes   `json:"end_bytes"`
	Stored   calc.Bytes   `json:"end_stored_bytes"`
	Segments int64        `json:"end_segments"`
	Copied   int64        `json:"segments_copied"`
	Deleted  int64        `json:"segments_deleted"`
	Outages  []jsonOutage `json:"outages"`
}

type jsonOutage struct {
	From    calc.Millis  `json:"from_ms"`
	To      *calc.Millis `json:"to_ms"` // null: it does not end
	Healthy calc.Bytes   `json:"allocated_before_bytes"`
	PeakAt  calc.Millis  `json:"peak_t_ms"`
	Peak    calc.Bytes   `json:"peak_allocated_bytes"`
	Back    *calc.Millis `json:"back_ms"` // null: not within the horizon
}

// mostOutages is how many outages are played again for a report.
const mostOutages = 10

func outagesOf(a *calc.Answer) (all []calc.OutageEffect) {
	outages := a.Scenario.Outages()
	for _, o := range outages[:min(len(outages), mostOutages)] {
		if o.From <= a.Timeline.Until() {
			all = append(all, a.Timeline.OutageEffect(o))
		}
	}
	return all
}

func remoteOf(a *calc.Answer) *jsonRemote {
	if _, ok := a.Scenario.Remote(); !ok {
		return nil
	}
	t := a.Timeline
	u, peak, counts := t.At(t.Until()).Usage(), t.Peak().Remote, t.Counts()
	r := &jsonRemote{peak.At, peak.Bytes, u.Remote, u.RemoteStored, u.RemoteSegments, counts.Copied, counts.RemoteDeletions, []jsonOutage{}}
	some := func(m calc.Millis) *calc.Millis {
		if m == calc.Never {
			return nil
		}
		return &m
	}
	for _, e := range outagesOf(a) {
		r.Outages = append(r.Outages, jsonOutage{e.From, some(e.To), e.Healthy, e.Peak.At, e.Peak.Bytes, some(e.Back)})
	}
	return r
}

// remote shows what is in the remote store, and what outages of it do to the disk.
func (p *printer) remote(a *calc.Answer) {
	if _, ok := a.Scenario.Remote(); !ok {
		return
	}
	t := a.Timeline
	counts := t.Counts()
	p.line("")
	p.line("%s%s copied, %d deleted; at the end %s", pad("remote store", 26), segments(counts.Copied), counts.RemoteDeletions, t.At(t.Until()).Usage().Remote)
	for _, e := range outagesOf(a) {
		p.line("%sdown %s", pad("", 26), during(e))
		p.line("%sdisk to %s after %s, before it %s", pad("", 26), e.Peak.Bytes, Span(e.Peak.At), e.Healthy)
		if e.Back == calc.Never {
			p.line("%snot back to that within the horizon", pad("", 26))
		} else {
			p.line("%sback to that after %s", pad("", 26), Span(e.Back))
		}
	}
}

func during(e calc.OutageEffect) string {
	if e.To == calc.Never {
		return fmt.Sprintf("from %s on", Span(e.From))
	}
	return fmt.Sprintf("from %s to %s", Span(e.From), Span(e.To))
}

func segments(n int64) string {
	if n == 1 {
		return "1 segment"
	}
	return fmt.Sprintf("%d segments", n)
}

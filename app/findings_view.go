package app

import (
	"fmt"

	"github.com/partsize/partsize/calc/report"
)

// findings are what the report found, with a button for each way out.
func (s *state) findings() *findingsView {
	d := &s.views.details
	if d.findings != nil {
		return d.findings
	}
	v := &findingsView{}
	for _, f := range report.Findings(&s.answer) {
		n := findingView{Warn: f.Warn, Title: f.Title, Words: f.Words, Links: f.Links}
		if f.Ask != "" && !s.noForm {
			n.Actions = append(n.Actions, action{fmt.Sprintf(text.give, f.Ask), "go", f.Ask, ""})
		}
		for _, fix := range f.Fixes {
			n.Actions = append(n.Actions, action{fmt.Sprintf(text.setTo, fix.Key, fix.Value), "set", fix.Key, fix.Value})
		}
		v.List = append(v.List, n)
	}
	for _, other := range allViews() {
		if other.finding == nil {
			continue
		}
		if n, ok := other.finding(s); ok {
			v.List = append(v.List, n)
		}
	}
	v.Title = findingsTitle(len(v.List))
	d.findings = v
	return v
}

// findingsTitle says how many findings there are.
func findingsTitle(n int) string {
	switch n {
	case 0:
		return text.noneFound
	case 1:
		return text.finding1
	}
	return fmt.Sprintf(text.findingN, n)
}

package app

import "github.com/partsize/partsize/calc/report"

// findings are made by the report package; here they get their buttons.
func (s *session) findings() *findingsView {
	if s.views.findings == nil {
		v := &findingsView{Title: text.findings}
		_ = report.Model
		s.views.findings = v
	}
	return s.views.findings
}

package app

import (
	"fmt"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/provider"
	"github.com/partsize/partsize/calc/report"
)

// ServiceTable is the scenario at every service.
type ServiceTable struct {
	app.Compo
	Page *Root
	View *servicesView
}

// servicesView is the rows. They take a simulation or more for each service, so they follow the rest, in slices.
type servicesView struct {
	Rows []serviceRow
	Wait bool // they are those of an earlier scenario, or not there yet
}

type serviceRow struct {
	Name, ID, Plan string
	Icon, Verdict  string
	Words          report.Words
	More           string
	Actions        []action
	Ways           []string
	Source         *provider.Source
}

// services is what is known of it.
type services struct {
	of   *provider.Request // that the rows are for
	busy *provider.Request
	view *servicesView
}

// servicesView is the table for what is shown; without a browser it is made at once.
func (s *state) servicesView() *servicesView {
	t := &s.services
	if a := s.atService(); !s.hasty && !a.wait {
		r := &a.request
		if t.of == r {
			return t.view
		}
		if !app.IsClient {
			rows := []serviceRow{}
			for _, one := range provider.Services() {
				rows = append(rows, serviceRows(*r, one)...)
			}
			*t = services{of: r, view: &servicesView{Rows: rows}}
			return t.view
		}
	}
	switch {
	case t.view == nil:
		t.view = &servicesView{Wait: true}
	case !t.view.Wait:
		t.of, t.view = nil, &servicesView{Rows: t.view.Rows, Wait: true}
	}
	return t.view
}

// askAll makes the table, if it is to be seen and not there.
func (r *Root) askAll(ctx app.Context) {
	s := r.state
	if !r.client || s.place.view().name != serviceView {
		return
	}
	r.askLevels()
	if s.atService().wait {
		return
	}
	request := &s.atService().request
	if s.services.of == request || s.services.busy == request {
		return
	}
	s.services.busy = request
	wanted := func() bool { return s.services.busy == request }
	r.aside(wanted, func(yield func() bool) func() {
		asked, stopped := *request, false
		asked.Yield = func() bool {
			stopped = stopped || !yield()
			return !stopped
		}
		rows := []serviceRow{}
		for _, one := range provider.Services() {
			if !asked.Yield() {
				break
			}
			rows = append(rows, serviceRows(asked, one)...)
		}
		return func() {
			if !stopped && wanted() {
				s.services = services{of: request, view: &servicesView{Rows: rows}}
			}
		}
	})
}

func serviceRows(r provider.Request, one *provider.Service) (all []serviceRow) {
	for _, row := range provider.Rows(r, one) {
		v := row.Verdict
		one := serviceRow{Name: row.Service.Name, ID: row.Service.ID, Plan: v.Plan, Icon: iconOf(v.Effect), Verdict: upper(v.Effect.String()), Words: withKeys(v.Sentence)}
		if row.Plan != "" {
			one.Name += " " + row.Plan
		}
		if v.Topic != "" {
			one.Words = append(report.Words{{Text: shorten(v.Topic) + ": "}}, one.Words...)
		}
		one.Actions, one.Ways = fixActions(v.Fixes)
		if row.Others > 0 {
			one.More = report.Number(int64(row.Others))
		}
		if v.Rule != "" {
			one.Source = &v.Source
		}
		all = append(all, one)
	}
	return all
}

// Render draws it.
func (t *ServiceTable) Render() app.UI {
	v := t.View
	var wait any
	if v.Wait {
		wait = el("p", at{"class=small"}, serviceText.wait)
	}
	heads := []string{serviceText.colService, serviceText.colVerdict, serviceText.colRule, serviceText.colChange, serviceText.colSource}
	return el("section", at{"class=block", "id=services", "aria-labelledby=h-all"},
		el("div", at{"class=row split"}, el("h2", at{"id=h-all"}, serviceText.all), rulesLink()),
		wait,
		el("table", at{"class=data lines-up svc"},
			el("caption", at{"class=vh"}, serviceText.allCap),
			el("thead", nil, el("tr", nil, each(heads, func(h *string) app.UI { return el("th", at{"scope=col"}, *h) }))),
			el("tbody", nil, each(v.Rows, t.row)),
		),
	).On("click", t.onClick)
}

func (t *ServiceTable) onClick(ctx app.Context, e app.Event) { t.Page.act(ctx, e) }

func (t *ServiceTable) row(r *serviceRow) app.UI {
	var more, source any
	if r.More != "" {
		more = el("span", at{"class=cap"}, " "+fmt.Sprintf(serviceText.moreRules, r.More))
	}
	if s := r.Source; s != nil {
		source = []app.UI{outside(s.URL, s.Title), app.Text(", " + s.Read), el("span", at{"class=cap"}, " "+string(s.Confidence))}
	} else {
		source = serviceText.none2
	}
	return el("tr", nil,
		el("th", at{"scope=row"}, action{r.Name, "pick", r.ID, r.Plan}.button("bare")),
		el("td", nil, el("span", at{"class=verdict"}, app.Raw(r.Icon), r.Verdict)),
		el("td", nil, r.Words, more),
		el("td", nil, actionButtons(r.Actions, "bare"), each(r.Ways, func(w *string) app.UI { return el("span", nil, *w+" ") })),
		el("td", nil, source),
	)
}

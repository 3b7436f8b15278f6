package app

import (
	"fmt"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// The keys that the partition's view keeps in the link: a record that was picked, a change of retention that is tried, and
// the moment that both are about.
const (
	atKey     = "at"
	recordKey = "record"
	changeKey = "change"
)

var partitionKeys = []string{atKey, recordKey, changeKey}

// changeRows are the settings that a change may set.
var changeRows = [...]struct{ key, id string }{{"retention.ms", "change-ms"}, {"retention.bytes", "change-bytes"}}

// changeView is a change of retention at the moment.
type changeView struct {
	Clock   string
	Texts   [2]string // as typed
	Now     [2]string // what holds at the moment
	Problem string
	Change  *report.Change // nil: none is tried, or it is wrong
}

// WhatIf tries a change of retention at the moment.
type WhatIf struct {
	app.Compo
	Page *Root
	View *changeView
}

// Render draws it.
func (c *WhatIf) Render() app.UI {
	v := c.View
	var fields []app.UI
	for i, row := range changeRows {
		invalid := ""
		if v.Problem != "" && v.Texts[i] != "" {
			invalid = "aria-invalid=true"
		}
		fields = append(fields, el("div", nil,
			el("label", at{"class=small", "for=" + row.id}, [...]string{timeText.changeMs, timeText.changeBytes}[i]),
			el("input", at{"id=" + row.id, "class=text", "type=text", "autocomplete=off", "autocapitalize=off", "spellcheck=false",
				"data-key=" + row.key, attrValue + v.Texts[i], "aria-describedby=change-now-" + row.id + " change-bad", invalid}).On("change", c.onChange),
			el("span", at{"class=cap", "id=change-now-" + row.id}, fmt.Sprintf(timeText.changeNow, v.Now[i])),
		))
	}
	body := []any{
		el("h2", at{"id=h-change"}, timeText.change),
		el("p", at{"class=small"}, fmt.Sprintf(timeText.changeHint, v.Clock)),
		el("div", at{"class=halves"}, fields),
		el("p", at{"class=err", "id=change-bad"}, v.Problem),
	}
	if v.Change != nil {
		body = append(body,
			el("p", at{"id=change-says"}, v.Change.Answer),
			el("ol", at{"class=events"}, each(v.Change.Steps, changeStep)),
			el("div", at{"class=row"}, button(timeText.changeKeep, c.onKeep), button(timeText.changeForget, c.onForget, "class=bare")),
		)
	}
	return el("section", at{"class=block", "id=change", "aria-labelledby=h-change"}, body...).On("click", c.onClick)
}

func changeStep(s *report.ChangeStep) app.UI {
	var key any
	if s.Key != "" {
		key = action{Label: s.Key, Act: "go", Key: s.Key}.button("bare mono")
	}
	return el("li", nil, el("span", at{"class=at"}, fmt.Sprintf(timeText.changeIn, s.In)), el("span", nil, app.Raw(swatch(s.State)), s.What+" ", key))
}

// OnUpdate lets the fields say what the view says.
func (c *WhatIf) OnUpdate(ctx app.Context) {
	ctx.Defer(func(app.Context) {
		for i, row := range changeRows {
			setValue(row.id, c.View.Texts[i])
		}
	})
}

func (c *WhatIf) onClick(ctx app.Context, e app.Event) { c.Page.act(ctx, e) }

func (c *WhatIf) onChange(ctx app.Context, _ app.Event) {
	texts := changeTexts(c.Page.state.place.of(changeKey))
	input := ctx.JSSrc()
	for i, row := range changeRows {
		if row.key == input.Get("dataset").Get("key").String() {
			texts[i] = strings.ReplaceAll(strings.TrimSpace(input.Get("value").String()), " ", "")
		}
	}
	var sets []string
	for i, row := range changeRows {
		if texts[i] != "" {
			sets = append(sets, row.key+"="+texts[i])
		}
	}
	c.Page.put(ctx, changeKey, strings.Join(sets, " "))
}

func (c *WhatIf) onForget(ctx app.Context, _ app.Event) { c.Page.put(ctx, changeKey, "") }

// onKeep makes the change a step of the scenario.
func (c *WhatIf) onKeep(ctx app.Context, _ app.Event) {
	s := c.Page.state
	steps := s.withStep(s.place.of(changeKey))
	s.place = s.place.with(changeKey, "")
	c.Page.set(ctx, "steps", steps)
}

// withStep is the scenario's steps with one more, at the moment.
func (s *state) withStep(sets string) string {
	steps, _ := s.shown.Given("steps")
	if steps = strings.Trim(steps, "; \n"); steps != "" {
		steps += "; "
	}
	return steps + s.at.Text() + " " + sets
}

// changeTexts are the values that a change sets, as typed.
func changeTexts(sets string) (texts [2]string) {
	for pair := range strings.FieldsSeq(sets) {
		key, value, _ := strings.Cut(pair, "=")
		for i, row := range changeRows {
			if row.key == key {
				texts[i] = value
			}
		}
	}
	return texts
}

// changed is the change that is tried.
func (s *state) changed(yield func() bool) (v *changeView, ok bool) {
	config := s.looks.At(s.at).Config()
	v = &changeView{Clock: report.Clock(s.at, calc.Second), Now: [2]string{minus(config.RetentionMs.Text()), minus(config.RetentionBytes.Text())}}
	sets := s.place.of(changeKey)
	v.Texts = changeTexts(sets)
	if sets == "" {
		return v, true
	}
	if v.Problem = wrongChange(s.shown, sets, v.Texts); v.Problem != "" {
		return v, true
	}
	in := s.shown
	_ = in.Set("steps", s.withStep(sets))
	scenario, err := calc.NewScenario(in)
	if wrong := calc.Problems(err); len(wrong) > 0 {
		v.Problem = wrong[0].Problem
		if hint := wrong[0].WayOut(); hint != "" {
			v.Problem += "; " + hint
		}
		return v, true
	}
	for _, step := range scenario.Steps() {
		if do, is := step.Do.(calc.Configure); is && step.At == s.at {
			c, ok := report.ChangeOf(&s.answer, s.looks, s.at, do.Log, yield)
			if !ok {
				return v, false
			}
			v.Change = &c
		}
	}
	return v, true
}

// wrongChange is what is wrong with a change by itself, as its fields would have it.
func wrongChange(in calc.Input, sets string, texts [2]string) string {
	if texts == [2]string{} {
		return fmt.Sprintf(timeText.changeNone, shorten(sets))
	}
	for i, row := range changeRows {
		if texts[i] == "" {
			continue
		}
		if err := calc.Problems(in.Set(row.key, texts[i])); len(err) > 0 {
			return sentence(err[0], row.key)
		}
	}
	return ""
}

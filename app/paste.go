package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/report"
)

// pasteLimit is how much text is read in the page, in bytes. Larger files are for the command, which does not hold up a
// page meanwhile.
const pasteLimit = 4 << 20

// pasted is what became of a pasted text.
type pasted struct {
	result *kafkaconf.Result
	topic  string
	wrong  string   // why nothing was read
	read   string   // what was read
	set    []string // the keys that were set
	look   []string // what was not understood, or is odd
	notes  []string
}

// takePaste reads a text and fills the form with it.
func (s *state) takePaste(content string) {
	s.paste = pasted{}
	defer s.drop()
	switch {
	case strings.TrimSpace(content) == "":
		s.paste.wrong = text.pasteEmpty
		return
	case len(content) > pasteLimit:
		s.tooLong(len(content))
		return
	}
	data := []byte(content)
	if kafkaconf.Detect(data, "") == kafkaconf.FormatSeries {
		s.takeSeries(content)
		return
	}
	r, err := kafkaconf.Parse(data, kafkaconf.Options{Version: s.answer.Scenario.Version(), Names: serviceNames})
	if err != nil {
		s.paste.wrong = upper(err.Error()) + "."
		return
	}
	s.paste.result = r
	if len(r.Read.Topics) > 1 {
		s.paste.topic = r.Read.Topics[0].Name
	}
	s.applyPaste()
}

func (s *state) tooLong(n int) {
	s.paste = pasted{wrong: fmt.Sprintf(text.pasteTooLong, report.Number(int64(n)), report.Number(pasteLimit))}
	s.drop()
}

// takeSeries reads a traffic series.
func (s *state) takeSeries(content string) {
	series, err := kafkaconf.ReadSeries(strings.NewReader(content), kafkaconf.SeriesOptions{})
	if err != nil {
		s.paste.wrong = upper(err.Error()) + "."
		return
	}
	in := s.input
	for _, key := range []string{"produce", "produce.daily", "produce.weekly", "produce.growth"} {
		in.Reset(key)
	}
	series.Apply(&in)
	s.paste.read = fmt.Sprintf(text.pasteSeries, report.Number(series.Rows), report.Span(series.Length()))
	s.paste.set = []string{"produce.series"}
	for _, n := range series.Notices {
		s.paste.look = append(s.paste.look, n.String())
	}
	keep := s.paste
	s.edited = true
	s.remember("")
	s.replace(in)
	s.paste = keep
}

// applyPaste puts what was read into the form, for the chosen topic.
func (s *state) applyPaste() {
	r := s.paste.result
	in := s.input
	if err := r.Apply(&in, s.paste.topic); err != nil {
		s.paste.wrong = upper(err.Error()) + "."
		return
	}
	s.paste.set = nil
	for key, value := range in.Changed() {
		if old, ok := s.input.Given(key); !ok || old != value {
			s.paste.set = append(s.paste.set, key)
		}
	}
	switch n := len(s.paste.set); n {
	case 0:
		s.paste.read = fmt.Sprintf(text.pasteNothing, r.Format)
	case 1:
		s.paste.read = fmt.Sprintf(text.pasteRead1, r.Format)
	default:
		s.paste.read = fmt.Sprintf(text.pasteRead, n, r.Format)
	}
	s.paste.look, s.paste.notes = nil, nil
	for _, n := range r.Warnings {
		s.paste.look = append(s.paste.look, n.String())
	}
	for _, n := range r.Notes {
		s.paste.notes = append(s.paste.notes, n.String())
	}
	keep := s.paste
	s.edited = true
	s.remember("")
	s.replace(in)
	s.paste = keep
}

func upper(sentence string) string {
	if sentence == "" {
		return ""
	}
	return strings.ToUpper(sentence[:1]) + sentence[1:]
}

// pasteView is the dialog.
type pasteView struct {
	Wrong, Read string
	Set         []string
	Look, Notes []string
	Topics      []string
	Topic       string
}

// maxTopics is how many topics of a file are offered.
const maxTopics = 2000

func (s *state) pasteView() *pasteView {
	if s.views.paste == nil {
		p := &s.paste
		v := &pasteView{Wrong: p.wrong, Read: p.read, Set: p.set, Look: p.look, Notes: p.notes, Topic: p.topic}
		if p.result != nil && len(p.result.Read.Topics) > 1 {
			for _, t := range p.result.Read.Topics[:min(len(p.result.Read.Topics), maxTopics)] {
				v.Topics = append(v.Topics, t.Name)
			}
			slices.Sort(v.Topics)
		}
		s.views.paste = v
	}
	return s.views.paste
}

// Paste is the dialog that takes a configuration.
type Paste struct {
	app.Compo
	Page *Root
	View *pasteView
}

// Render draws it.
func (p *Paste) Render() app.UI {
	v := p.View
	var topics, wrong, read any
	if len(v.Topics) > 0 {
		topics = el("span", at{"class=row"},
			el("label", at{"for=paste-topic"}, text.pasteTopic),
			el("select", at{"id=paste-topic"}, each(v.Topics, func(name *string) app.UI { return option(*name, v.Topic) })).On("input", p.onTopic),
		)
	}
	if v.Wrong != "" {
		wrong = el("p", at{"class=notice err-line", "id=paste-wrong"}, v.Wrong)
	}
	if v.Read != "" {
		read = el("p", at{"class=small", "id=paste-read"}, v.Read, each(v.Set, func(key *string) app.UI { return el("code", nil, *key+" ") }))
	}
	return el("dialog", at{"id=paste", "class=paste", "aria-labelledby=h-paste"},
		el("div", at{"class=row split"},
			el("h2", at{"id=h-paste"}, text.pasteTitle),
			button(text.pasteClose, p.onClose),
		),
		el("p", at{"class=small", "id=paste-help"}, text.pasteHelp),
		el("label", at{"class=vh", "for=paste-text"}, text.pasteLabel),
		el("textarea", at{"id=paste-text", "class=text mono", "rows=10", "spellcheck=false", "autocapitalize=off", "aria-describedby=paste-help"}).
			On("paste", p.onPaste),
		el("div", at{"class=row"}, button(text.pasteFill, p.onFill, "class=solid", "id=paste-fill"), topics),
		el("div", at{"role=status", "class=paste-says"},
			wrong, read, listOf(text.pasteUnknown, "paste-look", v.Look), listOf(text.pasteNotes, "paste-notes", v.Notes)),
	)
}

// maxLines is how many lines of a kind the dialog shows.
const maxLines = 30

func listOf(title, id string, lines []string) any {
	if len(lines) == 0 {
		return nil
	}
	var more any
	if len(lines) > maxLines {
		more = el("p", at{"class=cap"}, fmt.Sprintf(text.pasteMore, len(lines)-maxLines))
	}
	return el("div", at{"id=" + id},
		el("h3", nil, title),
		el("ul", at{"class=lines"}, each(lines[:min(len(lines), maxLines)], func(line *string) app.UI { return el("li", nil, *line) })),
		more,
	)
}

func (p *Paste) onClose(app.Context, app.Event) { closeDialog("paste") }

// onPaste keeps a text that is far too long out of the field, where it would hold up the browser, not us.
func (p *Paste) onPaste(ctx app.Context, e app.Event) {
	data := e.Get("clipboardData")
	if !data.Truthy() {
		return
	}
	content := data.Call("getData", "text")
	if n := length(content); n > pasteLimit {
		e.PreventDefault()
		p.Page.state.tooLong(n)
	}
}

func (p *Paste) onFill(ctx app.Context, _ app.Event) {
	if e, ok := element("paste-text"); ok {
		value := e.Get("value")
		if n := length(value); n > pasteLimit {
			p.Page.state.tooLong(n)
			return
		}
		p.Page.state.takePaste(value.String())
		p.Page.changed(ctx)
	}
}

func (p *Paste) onTopic(ctx app.Context, _ app.Event) {
	p.Page.state.paste.topic = ctx.JSSrc().Get("value").String()
	p.Page.state.applyPaste()
	p.Page.changed(ctx)
}

func (r *Root) openPaste() {
	r.state.paste = pasted{}
	r.state.drop()
	showDialog("paste")
	focusOn("paste-text")
}

package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
)

// ClusterForm is the cluster's description.
type ClusterForm struct {
	app.Compo
	Page *Root
	View *clusterFormView
}

type clusterFormView struct {
	Brokers, Limits []*clusterField
	Topics, Steps   [][]*clusterField
	Files           []string
	Defaults        []calc.Pair
	Changed         bool
}

// clusterField is a field of the form.
type clusterField struct {
	Name, ID, Label string
	Text, Problem   string
	Typed           bool // Text is what was typed into it; it may hold more by now
	Hint            string
	Words, Says     []string // of a choice
}

// clusterID is the id of a field.
func clusterID(name string) string { return strings.ReplaceAll(name, ".", "-") }

func (s *state) clusterForm() *clusterFormView {
	c := &s.cluster
	if c.problems == nil {
		_, c.problems = s.description(len(c.files) > 0)
	}
	problems := s.fieldProblems()
	field := func(name, label, value, hint string) *clusterField {
		return &clusterField{Name: name, ID: clusterID(name), Label: label, Text: value, Problem: problems[name], Hint: hint, Typed: c.typed == calc.Pair{Key: name, Value: value}}
	}
	get := func(key, label, hint string) *clusterField { return field(key, label, s.clusterText(key), hint) }
	v := &clusterFormView{Limits: []*clusterField{
		get(keyFiles, clusterText.ulimit, "ulimit -n"), get(keyMaps, clusterText.maps, "vm.max_map_count"), get(keySeed, clusterText.seed, ""),
	}}
	if len(c.files) > 0 {
		v.Brokers = []*clusterField{get(keySize, clusterText.size, ""), get(keyFeed, clusterText.feed, clusterText.feedHelp)}
	} else {
		v.Brokers = []*clusterField{get(keyBrokers, clusterText.brokers, ""), get(keyDirs, clusterText.dirs, ""), get(keySize, clusterText.size, "")}
		labels := fleetRow{clusterText.name, clusterText.partitions, clusterText.replicas, clusterText.traffic, clusterText.skew, clusterText.own}
		for i, t := range s.fleetRows() {
			var row []*clusterField
			for k := range t {
				row = append(row, field(fieldName(keyTopics, i, k), labels[k], t[k], ""))
			}
			v.Topics = append(v.Topics, row)
		}
	}
	for i, t := range s.stepRows() {
		kind := field(fieldName(keySteps, i, 0), clusterText.what, t[0], "")
		kind.Words, kind.Says = stepKinds, clusterText.steps[:]
		k := max(0, slices.Index(stepKinds, t[0]))
		v.Steps = append(v.Steps, []*clusterField{kind, field(fieldName(keySteps, i, 1), clusterText.day, t[1], ""),
			field(fieldName(keySteps, i, 2), clusterText.value, t[2], clusterText.help[k])})
	}
	for _, f := range c.files {
		n := len(f.text)
		if f.own != nil {
			n = length(f.own)
		}
		v.Files = append(v.Files, fmt.Sprintf(clusterText.pasted, f.name, calc.Bytes(n)))
	}
	in := s.clusterDefaults()
	for key, value := range in.Changed() {
		if _, _, known := calc.SettingOf(key); known && !ownOfPartition(key) {
			v.Defaults = append(v.Defaults, calc.Pair{Key: key, Value: shorten(value)})
		}
	}
	v.Changed = slices.ContainsFunc(s.place, func(p calc.Pair) bool { return p.Key != viewKey && slices.Contains(clusterKeys, p.Key) }) || len(c.files) > 0
	return v
}

// fieldProblems is what is wrong with fields, by itself or, once that is worked out, in the whole.
func (s *state) fieldProblems() map[string]string {
	c := &s.cluster
	if c.scene == nil || c.working || len(c.problems) > 0 {
		return c.problems
	}
	all := map[string]string{}
	for _, p := range c.scene.Problems {
		if name := fieldOf(p.Path); all[name] == "" {
			all[name] = ofItself(p.Text)
		}
	}
	return all
}

// ofItself is a problem without the name of its topic, which stands above the field.
func ofItself(text string) string {
	if rest, ok := strings.CutPrefix(text, `topic "`); ok {
		if _, after, ok := strings.Cut(rest, `": `); ok {
			return after
		}
	}
	return text
}

// longProblem is from how many bytes on what is wrong has the width of its row.
const longProblem = 60

// Render draws it. Events are heard here for all fields.
func (f *ClusterForm) Render() app.UI {
	v := f.View
	var reset any
	if v.Changed {
		reset = action{Label: clusterText.reset, Act: "example"}.button("bare cap")
	}
	var topics any
	if len(v.Files) == 0 {
		topics = el("fieldset", at{"id=cluster-topics"}, el("legend", nil, clusterText.topics),
			el("p", at{"class=cap", "id=cluster-topics-help"}, clusterText.topicsHelp), f.cards(v.Topics, keyTopics, "topic"),
			el("p", at{"class=row"}, el("button", at{"type=button", "id=cluster-add-" + keyTopics, "data-act=add", "data-key=" + keyTopics}, clusterText.add)))
	}
	return el("section", at{"class=settings", "id=settings", "aria-label=" + clusterText.settings},
		el("div", at{"class=row split"}, el("h2", nil, clusterText.settings), reset),
		el("fieldset", nil, el("legend", nil, clusterText.brokers), el("div", at{"class=cells"}, fields(v.Brokers))),
		topics,
		f.defaults(),
		el("fieldset", at{"id=cluster-steps"}, el("legend", nil, clusterText.whatIf), f.cards(v.Steps, keySteps, "step"),
			el("p", at{"class=row"}, el("button", at{"type=button", "id=cluster-add-" + keySteps, "data-act=add", "data-key=" + keySteps}, clusterText.addStep))),
		el("fieldset", nil, el("legend", nil, clusterText.limits), el("div", at{"class=cells"}, fields(v.Limits)), el("p", at{"class=cap"}, clusterText.seed+" "+clusterText.seedHelp)),
		f.paste(),
	).On("input", f.onInput).On("click", f.onClick)
}

func fields(all []*clusterField) []app.UI {
	return each(all, func(f **clusterField) app.UI { return &ClusterField{View: *f} })
}

// cards are the rows of a list, each with its fields and a way to remove it.
func (f *ClusterForm) cards(rows [][]*clusterField, list, class string) []app.UI {
	var all []app.UI
	for i, row := range rows {
		name := row[0].Text
		if row[0].Says != nil {
			name = row[0].Says[max(0, slices.Index(row[0].Words, name))]
		}
		all = append(all, el("div", at{"class=cells " + class, "role=group", "aria-label=" + attrText(name)}, fields(row[:1]),
			el("button", at{"type=button", "class=bare remove", "aria-label=" + clusterText.remove + " " + attrText(name), "data-act=remove", "data-key=" + list, "data-value=" + digits(int64(i))}, clusterText.remove),
			fields(row[1:])))
	}
	return all
}

// defaults says what topics have that say nothing themselves.
func (f *ClusterForm) defaults() app.UI {
	link := linkTo(f.Page.state.place.with(viewKey, ""), f.Page.state.input)
	where := el("a", at{"href=#" + link}, text.view).On("click", func(_ app.Context, e app.Event) { goTo(e, link) }, app.EventScope(link))
	if len(f.View.Defaults) == 0 {
		return el("p", at{"class=cap"}, clusterText.defaultsNone+", ", where, ".")
	}
	var codes []app.UI
	for _, p := range f.View.Defaults {
		codes = append(codes, el("code", nil, p.Key+"="+p.Value+" "))
	}
	return el("p", at{"class=cap"}, clusterText.defaults, codes, clusterText.defaultsWhere+" ", where)
}

// paste takes what Kafka's tools print.
func (f *ClusterForm) paste() app.UI {
	var files []app.UI
	for i, name := range f.View.Files {
		files = append(files, el("li", nil, name+" ", action{clusterText.drop, "drop", "", digits(int64(i))}.button("bare")))
	}
	return el("details", at{"class=twin", "id=cluster-paste"},
		el("summary", nil, clusterText.paste),
		el("p", at{"class=cap", "id=cluster-paste-help"}, clusterText.pasteHelp),
		el("label", at{"class=vh", "for=cluster-text"}, clusterText.pasteLabel),
		el("textarea", at{"id=cluster-text", "class=text mono", "rows=6", "spellcheck=false", "autocapitalize=off", "aria-describedby=cluster-paste-help"}).
			On("paste", f.onPaste),
		el("p", at{"class=row"}, button(clusterText.pasteUse, f.onUse, "class=solid", "id=cluster-use"),
			el("label", at{"class=file", "for=cluster-file"}, clusterText.pasteFile),
			el("input", at{"type=file", "id=cluster-file", "multiple=multiple"}).On("change", f.onFile)),
		el("ul", at{"class=lines", "id=cluster-files"}, files),
	)
}

func (f *ClusterForm) onClick(ctx app.Context, e app.Event) { f.Page.act(ctx, e) }

func (f *ClusterForm) onInput(ctx app.Context, e app.Event) {
	if name := e.Get("target").Get("name"); name.Truthy() {
		f.Page.typedCluster(ctx, name.String(), e.Get("target").Get("value").String())
	}
}

func (f *ClusterForm) onUse(ctx app.Context, _ app.Event) {
	if e, ok := element("cluster-text"); ok && length(e.Get("value")) > 0 {
		f.Page.addFile("", e.Get("value"))
		e.Set("value", "")
	}
}

// longPaste is from how many characters on a pasted text is taken at once: a field with it would hold up the browser.
const longPaste = 200_000

func (f *ClusterForm) onPaste(ctx app.Context, e app.Event) {
	data := e.Get("clipboardData")
	if !data.Truthy() {
		return
	}
	if content := data.Call("getData", "text"); length(content) > longPaste {
		e.PreventDefault()
		f.Page.addFile("", content)
	}
}

// onFile reads the chosen files.
func (f *ClusterForm) onFile(ctx app.Context, _ app.Event) {
	chosen := ctx.JSSrc().Get("files")
	for i := range chosen.Length() {
		file := chosen.Index(i)
		name := file.Get("name").String()
		await(file.Call("text"), func(content app.Value) {
			ctx.Dispatch(func(app.Context) { f.Page.addFile(name, content) })
		}, func() { // it was moved or changed since it was chosen
			ctx.Dispatch(func(app.Context) { f.Page.state.cluster.problem = fmt.Sprintf(clusterText.unreadable, name) })
		})
	}
	ctx.JSSrc().Set("value", "")
}

// ClusterField is a field with its label, and what is wrong with it.
type ClusterField struct {
	app.Compo
	View *clusterField

	shown string // what the field was last made to hold
	set   bool   // it was made to hold something
}

// Render draws it.
func (f *ClusterField) Render() app.UI {
	v := f.View
	described := ""
	var says any
	switch {
	case v.Problem != "":
		described = "aria-describedby=" + v.ID + "-err"
		says = el("span", at{"class=err", "id=" + v.ID + "-err"}, v.Problem)
	case v.Hint != "":
		described = "aria-describedby=" + v.ID + "-hint"
		says = el("span", at{"class=cap", "id=" + v.ID + "-hint"}, v.Hint)
	}
	class := "class=cell"
	if v.Problem != "" {
		class += " error"
	}
	if len(v.Problem) > longProblem {
		class += " long"
	}
	common := at{"id=" + v.ID, "name=" + v.Name, described, "aria-invalid=" + onOff(v.Problem != "")}
	var input app.UI
	if v.Words != nil {
		var options []any
		for i, word := range v.Words {
			selected := ""
			if word == v.Text {
				selected = "SELECTED=selected"
			}
			options = append(options, el("option", at{attrValue + word, selected}, v.Says[i]))
		}
		input = el("select", common, options...)
	} else {
		input = el("input", append(common, "class=text", "type=text", "spellcheck=false", "autocomplete=off", "autocapitalize=off", attrValue+v.Text))
	}
	return el("div", at{class}, el("label", at{"for=" + v.ID}, v.Label), input, says)
}

// OnMount and OnUpdate set what the field holds, as [Field] does.
func (f *ClusterField) OnMount(app.Context) { f.sync() }

// OnUpdate follows the view.
func (f *ClusterField) OnUpdate(ctx app.Context) { ctx.Defer(func(app.Context) { f.sync() }) }

// sync leaves alone what is as it was, or was typed: what is typed next may be in the field before it is heard of.
func (f *ClusterField) sync() {
	if v := f.View; v.Text != f.shown || !f.set {
		if f.shown, f.set = v.Text, true; !v.Typed {
			setValue(v.ID, v.Text)
		}
	}
}

package app

import (
	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// Form is the settings.
type Form struct {
	app.Compo
	Page *Root
	View *formView
}

type formView struct {
	Summary  string
	Changed  bool
	Recent   []string
	Sections []*sectionView
}

// sectionView is a group of settings: those that matter most, and the rest.
type sectionView struct {
	ID, Title string
	Main      []*fieldView
	More      []*fieldView
	MoreSays  string
	Open      bool // something in the rest needs to be seen
}

// fieldView is a setting's field.
type fieldView struct {
	Key, ID, Label string
	Text           string
	Options        *[]string // of a choice; nil: any text
	Changed        bool
	Mark           string // "default", or what it was
	Inherited      bool
	Reset          bool
	Reading        string
	Problem        string
	Use            string
	Dead           bool // the model does not follow it
	Locked         bool // the reader cannot change it
}

// Render draws it. Events are heard here for all fields.
func (f *Form) Render() app.UI {
	v := f.View
	var reset any
	fills, label := el("div", at{"class=row"}, button(text.paste, f.onPaste, "id=paste-open"), f.presets()), text.resetAll
	if f.Page.embedded != nil { // there it is the author who fills it
		fills, label = nil, embedText.home
	}
	if v.Changed {
		reset = action{Label: label, Act: "reset"}.button("bare cap")
	}
	return el("section", at{"class=settings", "id=settings", "aria-label=" + text.settings},
		el("div", at{"class=row split"},
			el("h2", nil, text.settings),
			fills,
		),
		el("p", at{"class=cap"}, v.Summary+" ", reset),
		each(v.Sections, func(s **sectionView) app.UI { return &Section{View: *s} }),
	).On("input", f.onInput).On("click", f.onClick).On("keydown", f.onKey)
}

// presets are scenarios to start from.
func (f *Form) presets() app.UI {
	var recent any
	if len(f.View.Recent) > 0 {
		recent = el("optgroup", at{"label=" + text.recent}, each(f.View.Recent, func(name *string) app.UI { return option(*name, "") }))
	}
	return el("select", at{"id=presets", "aria-label=" + text.presets},
		el("option", at{attrValue, "SELECTED=selected"}, text.presets+"…"),
		el("optgroup", at{"label=" + text.scenarios}, each(presets, func(p *preset) app.UI { return option(p.name, "") })),
		recent,
	)
}

func (f *Form) onInput(ctx app.Context, e app.Event) {
	field := e.Get("target")
	if field.Get("id").String() == "presets" {
		f.Page.take(ctx, field.Get("value").String())
		field.Set("value", "")
		return
	}
	if name := field.Get("name"); name.Truthy() {
		f.Page.typed(ctx, name.String(), field.Get("value").String())
	}
}

func (f *Form) onClick(ctx app.Context, e app.Event) { f.Page.act(ctx, e) }

func (f *Form) onPaste(app.Context, app.Event) { f.Page.openPaste() }

// onKey steps a value up or down.
func (f *Form) onKey(ctx app.Context, e app.Event) {
	key := e.Get("key").String()
	if key != "ArrowUp" && key != "ArrowDown" {
		return
	}
	field := e.Get("target")
	if field.Get("id").String() == "presets" && field.Get("showPicker").Truthy() {
		// It holds none of its choices, so an arrow would always take the first: it opens the list instead.
		e.PreventDefault()
		field.Call("showPicker")
		return
	}
	if field.Get("tagName").String() != "INPUT" {
		return
	}
	name, old := field.Get("name").String(), field.Get("value").String()
	if to, ok := stepped(name, old, key == "ArrowUp"); ok {
		e.PreventDefault()
		f.Page.typed(ctx, name, to)
	}
}

// Section is a group of settings.
type Section struct {
	app.Compo
	View *sectionView
}

// Render draws it.
func (s *Section) Render() app.UI {
	v := s.View
	field := func(f **fieldView) app.UI { return &Field{View: *f} }
	var more any
	if len(v.More) > 0 {
		more = el("details", at{"class=twin", "id=" + v.ID}, el("summary", nil, v.MoreSays), each(v.More, field))
	}
	return el("fieldset", nil, el("legend", nil, v.Title), each(v.Main, field), more)
}

// OnMount opens what needs to be seen.
func (s *Section) OnMount(app.Context) { s.open() }

// OnUpdate does too. It never closes: that is the reader's.
func (s *Section) OnUpdate(app.Context) { s.open() }

func (s *Section) open() {
	if s.View.Open {
		openDetails(s.View.ID)
	}
}

// Field is a setting: what it is called, what Kafka calls it, its value, how that was read, and what is wrong with it.
type Field struct {
	app.Compo
	View *fieldView
}

// Render draws it.
func (f *Field) Render() app.UI {
	v := f.View
	class := "class=field"
	if v.Changed {
		class += " changed"
	}
	if v.Inherited {
		class += " inherited"
	}
	if v.Problem != "" {
		class += " error"
	}
	if v.Dead {
		class += " dead"
	}
	if v.Locked {
		class += " locked"
	}
	key, id := "data-key="+v.Key, v.ID
	var reset, err any
	if v.Reset {
		reset = el("button", at{"type=button", "class=bare", "aria-label=" + text.reset + " " + v.Key, "data-act=reset", key}, text.reset)
	}
	if v.Problem != "" {
		var use any
		if v.Use != "" {
			use = action{useLabel(v.Use), "set", v.Key, v.Use}.button("bare")
		}
		err = el("p", at{"class=err", "id=" + id + "-err"}, v.Problem+" ", use)
	}
	return el("div", at{class, "id=" + id + "-field"},
		el("div", at{"class=name"},
			el("label", at{"for=" + id}, v.Label),
			el("button", at{"type=button", "class=help", "aria-label=" + helpLabel(v.Key), "data-act=help", key}, "?"),
			keyCode(v.Key),
		),
		f.input(),
		el("div", at{"class=says", "id=" + id + "-says"},
			el("span", at{"class=mark"}, v.Mark, reset),
			el("output", at{"for=" + id}, v.Reading),
		),
		err,
	)
}

func (f *Field) input() app.UI {
	v := f.View
	described := v.ID + "-says"
	if v.Problem != "" {
		described = v.ID + "-err " + described
	}
	common := at{"id=" + v.ID, "name=" + v.Key, "aria-describedby=" + described, "aria-invalid=" + onOff(v.Problem != "")}
	if v.Locked {
		return el("input", append(common, "type=text", "readonly=true", attrValue+v.Text))
	}
	if v.Options != nil {
		return el("select", common, each(*v.Options, func(word *string) app.UI { return option(*word, v.Text) }))
	}
	return el("input", append(common, "type=text", "spellcheck=false", "autocomplete=off", "autocapitalize=off", attrValue+v.Text))
}

func option(word, chosen string) app.UI {
	selected := ""
	if word == chosen {
		selected = "SELECTED=selected"
	}
	return el("option", at{attrValue + word, selected}, word)
}

// OnMount and OnUpdate set what the field holds, where the reader has not just typed it: browsers do not follow the
// attribute once somebody typed.
func (f *Field) OnMount(app.Context) { f.sync() }

// OnUpdate follows the view.
func (f *Field) OnUpdate(ctx app.Context) { ctx.Defer(func(app.Context) { f.sync() }) }

func (f *Field) sync() { setValue(f.View.ID, f.View.Text) }

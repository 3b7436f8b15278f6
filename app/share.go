package app

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// sharing is what the reader chose in the dialog that gives the scenario to others.
type sharing struct {
	open   bool
	parts  []string // of [allParts], in that order
	locked []string // keys
	tiered string   // of [tieredParts]; "": that view, whole
	theme  string   // auto, light, dark
	said   string   // what was copied, and how that went
}

var themes = []string{"auto", "light", "dark"}

// Share is the dialog.
type Share struct {
	app.Compo
	Page *Root
	View *shareView // nil: it is closed
}

type shareView struct {
	Parts  []choice // none for a view of the page that is shared whole
	One    bool     // one of the parts
	Locks  []choice // none without a form
	Themes []choice
	Copies []copied
	Said   string
}

type choice struct {
	Name, Label string
	On          bool
}

// copied is a text to copy.
type copied struct {
	ID, Label, Help, Text string
	Lines                 int
}

// The texts that are copied, by their fields.
const (
	shareLink    = "share-link"
	shareFrame   = "share-frame"
	shareElement = "share-element"
)

// openShare opens the dialog.
func (r *Root) openShare(ctx app.Context) {
	r.writeAddress()
	r.share.open, r.share.said = true, ""
	if len(r.share.parts) == 0 {
		r.share.parts, r.share.theme = defaultParts, themes[0]
	}
	ctx.Defer(func(app.Context) { showDialog("sharing") })
}

func (r *Root) shareView() *shareView {
	if !r.share.open {
		return nil
	}
	s, c := r.state, &r.share
	v := &shareView{Said: c.said}
	switch s.place.view().name {
	case "":
		for _, part := range allParts {
			v.Parts = append(v.Parts, choice{part, embedText.parts[part], slices.Contains(c.parts, part)})
		}
	case tieredView:
		v.One = true
		for _, part := range append([]string{""}, tieredParts...) {
			v.Parts = append(v.Parts, choice{part, embedText.parts[part], c.tiered == part})
		}
	}
	for _, theme := range themes {
		v.Themes = append(v.Themes, choice{theme, embedText.themes[theme], theme == c.theme})
	}
	if slices.Contains(c.parts, partForm) {
		for _, key := range s.lockable() {
			v.Locks = append(v.Locks, choice{key, key, slices.Contains(c.locked, key)})
		}
	}
	at := s.placed(*c, sitePath())
	for i, id := range []string{shareLink, shareFrame, shareElement} {
		t := embedText.copies[i]
		v.Copies = append(v.Copies, copied{id, t.label, t.help, []string{at.link(), at.frame(), at.element()}[i], []int{2, 4, 7}[i]})
	}
	return v
}

// lockable is the settings that an author may want to fix: those of the scenario, then those that matter most.
func (s *state) lockable() (keys []string) {
	for key := range s.input.Changed() {
		if row, _, ok := calc.SettingOf(key); ok && !slices.Contains(keys, row.Key) {
			keys = append(keys, row.Key)
		}
	}
	for _, group := range formOrder {
		for _, key := range group.main {
			if !slices.Contains(keys, key) {
				keys = append(keys, key)
			}
		}
	}
	return keys
}

// placed is the scenario as other pages show it.
type placed struct {
	site     string // where the page is, with a slash at its end
	scenario string // the link, without #
	whole    string // that of the page with the same scenario, where it is another
	own      [][2]string
	theme    string
	height   int
	sentence string
}

// placed is the scenario as it was chosen to be shown.
func (s *state) placed(c sharing, site string) placed {
	p := placed{site: site, scenario: s.fragment(), theme: c.theme, height: s.heightOf(c.parts), sentence: report.Sentence(&s.answer).String()}
	if view := s.place.view().name; view == tieredView && c.tiered != "" {
		p.scenario = s.linkAt(s.place.with(viewKey, ""))
		p.own = append(p.own, [2]string{viewKey, c.tiered})
		p.whole, p.height = s.fragment(), s.heightOf([]string{c.tiered})
		if says := s.metadataSpoken(); c.tiered == partMetadata && says != "" {
			p.sentence = says
		}
	} else if view != "" {
		p.height = 800
	} else if !slices.Equal(c.parts, defaultParts) {
		p.own = append(p.own, [2]string{viewKey, strings.Join(c.parts, ",")})
	}
	if len(c.locked) > 0 && slices.Contains(c.parts, partForm) {
		p.own = append(p.own, [2]string{lockKey, strings.Join(c.locked, ",")})
	}
	if c.theme != themes[0] {
		p.own = append(p.own, [2]string{embedThemeKey, c.theme})
	}
	return p
}

// heightOf is how high parts are in a column of 640 pixels. What is higher scrolls within the frame.
func (s *state) heightOf(parts []string) int {
	height := 48
	for _, part := range parts {
		switch part {
		case partAnswer:
			height += 270
		case partChart:
			height += 490
		case partFilm:
			height += int(s.film().Height) + 80
		case partTable:
			height += 400
		case partForm:
			height += 560
		case partLanes:
			height += 620
		case partMetadata:
			height += 1900
		}
	}
	return height
}

func (p placed) link() string {
	if p.whole != "" {
		return p.site + fragmentOf(p.whole)
	}
	return p.site + fragmentOf(p.scenario)
}

// address is where the frame is.
func (p placed) address() string {
	var pairs []string
	if p.scenario != "" {
		pairs = append(pairs, p.scenario)
	}
	for _, own := range p.own {
		pairs = append(pairs, own[0]+"="+own[1])
	}
	return p.site + "embed/" + fragmentOf(strings.Join(pairs, "&"))
}

// frame is an <iframe>.
func (p placed) frame() string {
	style := "border:0"
	if p.theme != themes[0] {
		style += ";color-scheme:" + p.theme // else browsers put a ground of their own below it
	}
	return fmt.Sprintf(`<iframe src="%s" width="100%%" height="%d" style="%s" loading="lazy" title="%s"></iframe>`,
		html.EscapeString(p.address()), p.height, style, html.EscapeString(embedText.frameTitle))
}

// element is a <partsize-embed> with the answer and the link in it, for where it does not run.
func (p placed) element() string {
	var b strings.Builder
	fmt.Fprintf(&b, "<script async src=\"%s\"></script>\n<partsize-embed", html.EscapeString(p.site+"web/embed.js"))
	pairs := p.own
	if p.scenario != "" {
		pairs = append([][2]string{{"scenario", p.scenario}}, p.own...)
	}
	for _, pair := range pairs {
		fmt.Fprintf(&b, ` %s="%s"`, pair[0], html.EscapeString(pair[1]))
	}
	fmt.Fprintf(&b, ">\n  <a href=\"%s\">%s</a>\n</partsize-embed>", html.EscapeString(p.link()), html.EscapeString(p.sentence))
	return b.String()
}

// Render draws it.
func (d *Share) Render() app.UI {
	head := []any{el("div", at{"class=row split"},
		el("h2", at{"id=h-sharing"}, embedText.title),
		button(text.pasteClose, d.onClose),
	)}
	dialog := func(body ...any) app.UI {
		return el("dialog", at{"id=sharing", "class=paste", "aria-labelledby=h-sharing"}, append(head, body...)...).
			On("close", d.onClosed).On("input", d.onInput).On("click", d.onClick)
	}
	v := d.View
	if v == nil {
		return dialog()
	}
	var body []any
	for i := range v.Copies {
		if i == 1 {
			body = append(body, d.choices())
		}
		body = append(body, &Copied{Text: v.Copies[i], First: i == 0})
	}
	return dialog(append(body, el("p", at{"role=status", "class=small", "id=share-said"}, v.Said))...)
}

// choices are what can be chosen for other pages.
func (d *Share) choices() app.UI {
	v := d.View
	group := func(legend, kind, name string, of []choice) any {
		if len(of) == 0 {
			return nil
		}
		return el("fieldset", at{"class=picks"}, el("legend", nil, legend), each(of, func(c *choice) app.UI {
			on := ""
			if c.On {
				on = "checked=true"
			}
			return el("label", nil, el("input", at{"type=" + kind, "name=" + name, attrValue + c.Name, on}), el("span", nil, c.Label))
		}))
	}
	kind := "checkbox"
	if v.One {
		kind = "radio"
	}
	return el("div", at{"class=choices"},
		el("h3", nil, embedText.inPages),
		group(embedText.pickParts, kind, "share-part", v.Parts),
		group(embedText.pickLocks, "checkbox", "share-lock", v.Locks),
		group(embedText.pickTheme, "radio", "share-theme", v.Themes),
	)
}

func (d *Share) onClose(app.Context, app.Event) { closeDialog("sharing") }

func (d *Share) onClosed(app.Context, app.Event) { d.Page.share.open = false }

func (d *Share) onInput(_ app.Context, e app.Event) {
	field := e.Get("target")
	value := field.Get("value").String()
	c := &d.Page.share
	c.said = ""
	switch field.Get("name").String() {
	case "share-part":
		if d.View.One {
			c.tiered = value
		} else if toggled := toggled(c.parts, value, allParts); len(toggled) > 0 {
			c.parts = toggled
		} else {
			field.Set("checked", true) // something has to be shown
		}
	case "share-lock":
		c.locked = toggled(c.locked, value, d.Page.state.lockable())
	case "share-theme":
		c.theme = value
	}
}

// toggled is a list with a name taken in or out, in the order of all.
func toggled(list []string, name string, all []string) (to []string) {
	for _, one := range all {
		if slices.Contains(list, one) != (one == name) {
			to = append(to, one)
		}
	}
	return to
}

func (d *Share) onClick(ctx app.Context, e app.Event) {
	act, id, _ := pressed(e)
	if act != "copy" {
		return
	}
	for _, c := range d.View.Copies {
		if c.ID != id {
			continue
		}
		if id == shareLink {
			d.Page.keepLink()
		}
		copyText(c.Text, func(ok bool) {
			ctx.Dispatch(func(app.Context) {
				d.Page.share.said = fmt.Sprintf(embedText.done, c.Label)
				if !ok {
					selectText(id)
					d.Page.share.said = embedText.byHand
				}
			})
		})
	}
}

// Copied is a text and the button that copies it.
type Copied struct {
	app.Compo
	Text  copied
	First bool
}

// Render draws it.
func (c *Copied) Render() app.UI {
	t, first := c.Text, ""
	if c.First {
		first = "autofocus=true"
	}
	return el("div", at{"class=copied"},
		el("label", at{"for=" + t.ID}, t.Label),
		el("p", at{"class=cap", "id=" + t.ID + "-help"}, t.Help),
		el("textarea", at{"id=" + t.ID, "class=text mono", "readonly=true", "rows=" + digits(int64(t.Lines)), "spellcheck=false", "aria-describedby=" + t.ID + "-help"}),
		el("button", at{"type=button", "data-act=copy", "data-key=" + t.ID, "aria-label=" + fmt.Sprintf(embedText.copyWhat, t.Label), first}, embedText.copy),
	)
}

// OnMount fills the field: what stands between a textarea's tags is only where it begins.
func (c *Copied) OnMount(app.Context) { c.fill() }

// OnUpdate follows the choices.
func (c *Copied) OnUpdate(ctx app.Context) { ctx.Defer(func(app.Context) { c.fill() }) }

func (c *Copied) fill() { setValue(c.Text.ID, c.Text.Text) }

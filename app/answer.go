package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/report"
)

// Answer is the sentence, the figures, and what is wrong.
type Answer struct {
	app.Compo
	Page    *Root
	View    *reckoning
	Receipt *receiptView // the peak's
}

// answerView is a sentence and figures of another view.
type answerView struct {
	Sentence report.Words
	Figures  []figure
	Notices  []notice
	Stale    bool
}

// reckoning is the answer for one partition.
type reckoning struct {
	Sentence []clause
	Figures  []reckoned
	Binds    bindsView
	Notices  []notice
	Stale    bool
}

// clause is words and the number that stands after them; the last has none.
type clause struct {
	Words report.Words
	Num   *numView
	Mark  string // right after the number, on its line
}

// figure is a number that matters.
type figure struct {
	Lead               bool
	Label, Value, Unit string
	Caption            report.Words
}

func (f *figure) draw() app.UI {
	class, id := "", ""
	if f.Lead {
		class, id = "class=lead", "id=peak"
	}
	return el("div", at{class},
		el("dt", nil, f.Label),
		el("dd", at{id}, f.Value+" ", el("span", at{"class=u"}, f.Unit)),
		el("dd", at{"class=cap"}, f.Caption),
	)
}

// reckoned is a figure that opens how it comes about.
type reckoned struct {
	ID             string
	Lead           bool
	Label          string
	Value, Caption []part
	Unit           string
}

// part is a piece of a figure: plain, or one that opens its receipt.
type part struct {
	Text, Why string
	Code      bool
}

// bindsView is what decides over the size.
type bindsView struct {
	By    report.Words
	Terms []bindsTerm
}

type bindsTerm struct {
	Amount, What string
	Nums         []*numView
}

// notice is a line under the answer, with what can be done about it.
type notice struct {
	Class   string
	Words   report.Words
	Actions []action
}

// Render draws it.
func (a *Answer) Render() app.UI {
	v := a.View
	class := "class=answer split-2"
	if v.Stale {
		class += " old"
	}
	return el("section", at{class, "aria-label=" + text.answer},
		a.Page.sentence(v),
		a.Page.figures(v),
		el("div", at{"class=notices", "id=notices"}, each(v.Notices, (*notice).draw)),
		&Receipt{View: a.Receipt},
		a.Page.whys(),
	).On("click", a.onClick)
}

func (a *Answer) onClick(ctx app.Context, e app.Event) { a.Page.act(ctx, e) }

// sentence is the answer as one would say it. A number has its place among the elements whatever the words around it are, so
// that one which is being dragged is never another's.
func (r *Root) sentence(v *reckoning) app.UI {
	var body []any
	for i := range v.Sentence {
		c := &v.Sentence[i]
		body = append(body, el("span", nil, c.Words))
		if c.Num != nil {
			body = append(body, el("span", at{"class=whole"}, &Num{Page: r, View: c.Num}, c.Mark))
		}
	}
	return el("p", at{"class=sentence", "id=sentence"}, body...)
}

func (r *Root) figures(v *reckoning) app.UI {
	all := each(v.Figures, (*reckoned).draw)
	return el("div", at{"class=figures reckoned"},
		el("dl", nil, all[:1]),
		// On a phone the chart comes first: what this holds is asked for there. Where there is room it is always open.
		el("details", nil,
			el("summary", nil, answerText.rest),
			el("dl", nil, r.binds(&v.Binds), all[1:]),
		),
	)
}

func (r *Root) whys() []app.UI {
	return each(whys[:], func(of *string) app.UI { return &Why{Page: r, Of: *of, View: r.state.why(*of)} })
}

func (f *reckoned) draw() app.UI {
	class := ""
	if f.Lead {
		class = "class=lead"
	}
	return el("div", at{class},
		el("dt", nil, f.Label),
		el("dd", at{"id=" + f.ID}, each(f.Value, f.part), " ", el("span", at{"class=u"}, f.Unit)),
		el("dd", at{"class=cap"}, each(f.Caption, f.part)),
	)
}

// part is a piece of the figure. A number that opens its receipt is told with what it is the number of.
func (f *reckoned) part(p *part) app.UI {
	switch {
	case p.Why != "":
		return whyButton(p.Text, p.Text+" "+f.Unit+", "+f.Label, p.Why)
	case p.Code:
		return el("code", nil, p.Text)
	}
	return el("span", nil, p.Text)
}

func (r *Root) binds(v *bindsView) app.UI {
	return el("div", at{"class=binds"},
		el("dt", nil, answerText.binds, " ", el("span", at{"id=binds"}, v.By)),
		el("dd", nil, el("ul", nil, each(v.Terms, func(t *bindsTerm) app.UI {
			nums := each(t.Nums, func(n **numView) app.UI {
				return el("span", at{"class=set"}, el("code", nil, (*n).Key), " ", &Num{Page: r, View: *n})
			})
			return el("li", nil, el("b", nil, t.Amount), el("span", nil, t.What), el("span", nil, nums))
		}))),
	)
}

func (n *notice) draw() app.UI {
	return el("p", at{"class=notice " + n.Class}, el("span", nil, n.Words), actionButtons(n.Actions, "bare"))
}

// inPlace are the settings that the sentence may name, in the order in which it does.
var inPlace = [...]string{"retention.ms", "retention.bytes", "partitions", "replication.factor"}

// clauses parts the sentence at its numbers.
func (s *state) clauses() (all []clause) {
	words := report.FullSentence(&s.answer)
	for _, key := range inPlace {
		n := s.num("s", key)
		i := slices.IndexFunc(words, func(w report.Word) bool { return w.Key == key })
		if i < 0 {
			n.Hidden = true
			all = append(all, clause{Num: s.kept(n)})
			continue
		}
		c := clause{Words: words[:i], Num: s.kept(n)}
		if words[i].Code { // the key, and its value after it
			c.Words = append(slices.Clone(words[:i+1]), report.Word{Text: "\u00a0"})
		}
		c.Mark, words = mark(words[i+1:])
		all = append(all, c)
	}
	return append(all, clause{Words: words})
}

// mark parts words from the comma, semicolon or full stop that they begin with: after a field, a browser would begin a line
// with it.
func mark(words report.Words) (string, report.Words) {
	if len(words) == 0 || words[0].Strong || words[0].Code || !strings.HasPrefix(words[0].Text, ",") &&
		!strings.HasPrefix(words[0].Text, ";") && !strings.HasPrefix(words[0].Text, ".") {
		return "", words
	}
	words = slices.Clone(words)
	first := words[0].Text
	words[0].Text = first[1:]
	return first[:1], words
}

// num is a setting's value within a text; where tells apart those of one setting.
func (s *state) num(where, key string) *numView {
	row, _, _ := calc.SettingOf(key)
	v := &numView{ID: where + fieldID(key)[1:], Key: key, Text: s.input.Get(key), Locked: s.isLocked(key)}
	v.Label = fmt.Sprintf(answerText.drag, row.Label, key)
	if v.Says = report.Reading(&row, v.Text); v.Says == "" {
		v.Says = v.Text
	}
	v.Wrong = s.problemOf(&row) != nil
	return v
}

// kept is the view as it was, if it says the same.
func (s *state) kept(n *numView) *numView {
	if s.views.nums == nil {
		s.views.nums = map[string]*numView{}
	}
	n = kept(s.views.nums[n.ID], n)
	s.views.nums[n.ID] = n
	return n
}

func (s *state) bindsView() (v bindsView) {
	b := report.BindsOf(&s.answer)
	v.By = b.By
	for _, t := range b.Terms {
		term := bindsTerm{Amount: t.Amount, What: t.What}
		for _, key := range t.Keys {
			term.Nums = append(term.Nums, s.kept(s.num("b", key)))
		}
		v.Terms = append(v.Terms, term)
	}
	return v
}

func says(text string) part { return part{Text: text} }

// ends are a range's two numbers, each of which opens its receipt.
func ends(numbers, low, high string) []part {
	a, b, two := strings.Cut(numbers, "–")
	if !two {
		return []part{{Text: numbers, Why: high}}
	}
	return []part{{Text: strings.TrimSpace(a), Why: low}, says("–"), {Text: strings.TrimSpace(b), Why: high}}
}

func (s *state) figures() []reckoned {
	a, t := &s.answer, s.answer.Timeline
	peak, counts := t.Peak(), t.Counts()
	number, unit := report.Size(peak.Allocated.Bytes)
	all := []reckoned{{ID: "peak", Lead: true, Label: text.peak, Value: []part{says(number)}, Unit: unit,
		Caption: []part{says(fmt.Sprintf(text.firstAt, report.Clock(peak.Allocated.At, calc.Minute)))}}}
	if a.Scenario.Log().Compact {
		all[0].Label = text.peakStalled
	}

	steady := reckoned{ID: "steady", Label: text.steady, Value: []part{{Text: text.noSteady, Why: report.OfLow}}, Caption: []part{says(text.notSteady)}}
	if band, ok := t.Band(); ok {
		numbers, unit := report.SizeRange(band.Allocated.Low, band.Allocated.High)
		steady.Value, steady.Unit = ends(numbers, report.OfLow, report.OfHigh), unit
		steady.Caption = []part{says(fmt.Sprintf(text.from, report.Span(band.Since)))}
	}
	oldest := reckoned{ID: "oldest", Label: text.oldest, Value: []part{says("–")}, Caption: []part{says(text.neverDeleted)}}
	if ages := t.Ages(); !ages.Readable.Empty() {
		low, high := report.Spans(ages.Readable.Low, ages.Readable.High)
		oldest.Value = []part{{Text: high, Why: report.OfOldest}}
		if counts.Deletions > 0 {
			oldest.Caption = []part{says(text.leastAge), {Text: low, Why: report.OfYoungest}}
		}
	}
	copies := a.Scenario.Partitions() * a.Scenario.ReplicationFactor()
	number, unit = report.Size(report.Times(peak.Allocated.Bytes, copies))
	total := reckoned{ID: "all", Label: report.Copies(a.Scenario), Value: []part{{Text: number, Why: report.OfAll}}, Unit: unit, Caption: []part{says(text.inAll)}}

	worst := reckoned{ID: "worst", Label: answerText.worst, Value: []part{{Text: answerText.noBound, Why: report.OfBound}}, Caption: []part{says(answerText.record)}}
	bound := a.Bound
	if a.Scenario.Log().Compact {
		bound, worst.Caption = a.Compacted, []part{says(answerText.cleaned)}
	}
	if bound.OK {
		number, unit = report.Size(bound.OnDisk)
		worst.Value, worst.Unit = []part{{Text: number, Why: report.OfBound}}, unit
	}
	files := reckoned{ID: "segments", Label: text.segments, Value: []part{{Text: report.Number(counts.Segments), Why: report.OfSegments}},
		Caption: []part{{Text: report.Number(counts.OpenFiles), Why: report.OfFiles}, says(answerText.openFiles + ", "),
			{Text: report.Number(counts.MemoryMaps), Why: report.OfMaps}, says(answerText.maps)}}
	u := t.AtPeak()
	number, unit = report.Size(max(u.Allocated-u.AwaitingAllocated-u.Log, 0))
	indexes := reckoned{ID: "indexes", Label: answerText.indexes, Value: []part{{Text: number, Why: report.OfIndexes}}, Unit: unit,
		Caption: []part{says(answerText.allFiles), {Text: report.SizeText(peak.Apparent.Bytes), Why: report.OfLengths}}}
	return append(all, steady, oldest, total, worst, files, indexes)
}

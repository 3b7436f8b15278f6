package report

import (
	"bytes"
	"encoding/json"
	"math"

	"github.com/partsize/partsize/calc"
)

// JSONFormat is the first field of the JSON of an answer. A change that breaks readers raises its number.
const JSONFormat = "partsize-answer/1"

// AllEvents is a number of events that no scenario has.
const AllEvents = math.MaxInt64

// Options is what a report says beside the answer.
type Options struct {
	Input    calc.Input // what was given, as it was given
	Events   int64      // how many events are listed, from the first on
	Warnings []string   // about the files that were read

	// Places is where problems stand in the files that were read; nil: none does.
	Places map[*calc.FieldError]Place
}

// Place is a line of a file, from 1.
type Place struct {
	File string
	Line int64
}

// JSON is the answer for programs, as docs/simulate-json.md describes it.
func JSON(a *calc.Answer, o Options) ([]byte, error) { return indented(answerOf(a, o)) }

// ProblemsJSON is the JSON of an input that is no scenario: what is wrong with it, and nothing else.
func ProblemsJSON(problems []*calc.FieldError, o Options) ([]byte, error) {
	return indented(struct {
		Format   string            `json:"format"`
		Scenario map[string]string `json:"scenario"`
		Problems []jsonProblem     `json:"problems"`
		Warnings []string          `json:"warnings"`
	}{JSONFormat, scenarioOf(o.Input), problemsOf(problems, o.Places), append([]string{}, o.Warnings...)})
}

func indented(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.Bytes(), err
}

// jsonAnswer is the JSON of an answer. All times are milliseconds from the start of the scenario, all sizes bytes.
type jsonAnswer struct {
	Format            string            `json:"format"`
	KafkaVersion      string            `json:"kafka_version"`
	Sentence          string            `json:"sentence"`
	Scenario          map[string]string `json:"scenario"`
	HorizonMs         int64             `json:"horizon_ms"`
	Partitions        int64             `json:"partitions"`
	ReplicationFactor int64             `json:"replication_factor"`
	Peak              jsonPeak          `json:"peak"`
	Band              *jsonBand         `json:"band,omitempty"`
	OldestReadable    *jsonSpan         `json:"oldest_readable_ms,omitempty"`
	OldestOnDisk      *jsonSpan         `json:"oldest_on_disk_ms,omitempty"`
	AtDeletion        *jsonSpan         `json:"age_at_deletion_ms,omitempty"`
	AtRemoval         *jsonSpan         `json:"age_at_removal_ms,omitempty"`
	Segments          jsonMost          `json:"segments"`
	OpenFiles         jsonMost          `json:"open_files"`
	MemoryMaps        jsonMost          `json:"memory_maps"`
	Counts            jsonCounts        `json:"counts"`
	Disk              *jsonDisk         `json:"disk,omitempty"`
	Remote            *jsonRemote       `json:"remote,omitempty"`
	Bound             jsonBound         `json:"bound"`
	Compacted         *jsonBound        `json:"compacted,omitempty"`
	Short             jsonShort         `json:"short_formula"`
	Findings          []jsonFinding     `json:"findings"`
	Changes           []jsonChange      `json:"changes"`
	EventCount        int64             `json:"event_count"`
	Events            []jsonEvent       `json:"events"`
	KafkaFails        string            `json:"kafka_fails,omitempty"`
	Problems          []jsonProblem     `json:"problems"`
	NotFollowed       []jsonNotFollowed `json:"not_followed"`
	Warnings          []string          `json:"warnings"`
}

type jsonPeak struct {
	At          calc.Millis `json:"t_ms"`
	Log         calc.Bytes  `json:"log_bytes"`
	ApparentAt  calc.Millis `json:"apparent_t_ms"`
	Apparent    calc.Bytes  `json:"apparent_bytes"`
	AllocatedAt calc.Millis `json:"allocated_t_ms"`
	Allocated   calc.Bytes  `json:"allocated_bytes"`
}

type jsonTotals struct {
	Log       calc.Bytes `json:"log_bytes"`
	Apparent  calc.Bytes `json:"apparent_bytes"`
	Allocated calc.Bytes `json:"allocated_bytes"`
}

type jsonBand struct {
	Since calc.Millis `json:"since_ms"`
	Low   jsonTotals  `json:"low"`
	High  jsonTotals  `json:"high"`
}

type jsonSpan struct {
	Low  calc.Millis `json:"low"`
	High calc.Millis `json:"high"`
}

type jsonMost struct {
	Max int64 `json:"max"`
}

type jsonCounts struct {
	Rolls         int64            `json:"rolls"`
	RollsBy       map[string]int64 `json:"rolls_by"`
	Deletions     int64            `json:"deletions"`
	DeletionsBy   map[string]int64 `json:"deletions_by"`
	Removals      int64            `json:"removals"`
	Rejected      int64            `json:"rejected"`
	FirstDeletion *calc.Millis     `json:"first_deletion_ms,omitempty"`
}

type jsonBound struct {
	Log     *calc.Bytes `json:"log_bytes,omitempty"`
	OnDisk  *calc.Bytes `json:"on_disk_bytes,omitempty"`
	Limit   string      `json:"limit,omitempty"`
	Formula string      `json:"formula,omitempty"`
	Terms   []jsonTerm  `json:"terms,omitempty"`
	Why     string      `json:"why,omitempty"`
}

type jsonTerm struct {
	Bytes   calc.Bytes `json:"bytes"`
	Formula string     `json:"formula"`
	Keys    []string   `json:"keys"`
	Removed bool       `json:"awaiting_removal"`
}

type jsonShort struct {
	OnDisk  *calc.Bytes `json:"on_disk_bytes,omitempty"`
	Formula string      `json:"formula,omitempty"`
	Differs bool        `json:"differs"`
	Why     []string    `json:"why,omitempty"`
}

type jsonFinding struct {
	Warning bool      `json:"warning"`
	Title   string    `json:"title"`
	Text    string    `json:"text"`
	Try     []jsonFix `json:"try"`
	Links   []string  `json:"links"`
}

type jsonFix struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

type jsonEvent struct {
	At     calc.Millis  `json:"t_ms"`
	Kind   string       `json:"kind"`
	Base   *calc.Offset `json:"base,omitempty"`
	Reason string       `json:"reason,omitempty"`
}

type jsonProblem struct {
	Key     string `json:"key"`
	Value   string `json:"value"`
	Problem string `json:"problem"`
	Hint    string `json:"hint,omitempty"`
	Nearest string `json:"nearest,omitempty"`
	File    string `json:"file,omitempty"`
	Line    int64  `json:"line,omitempty"`
}

type jsonNotFollowed struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Why   string `json:"why"`
}

func answerOf(a *calc.Answer, o Options) jsonAnswer {
	t := a.Timeline
	p, c, ages := t.Peak(), t.Counts(), t.Ages()
	out := jsonAnswer{
		Format: JSONFormat, KafkaVersion: a.Scenario.Version().String(), Sentence: plainSpaces(Sentence(a).String()), Scenario: scenarioOf(o.Input),
		HorizonMs: int64(a.Scenario.Horizon()), Partitions: a.Scenario.Partitions(), ReplicationFactor: a.Scenario.ReplicationFactor(),
		Peak: jsonPeak{p.Log.At, p.Log.Bytes, p.Apparent.At, p.Apparent.Bytes, p.Allocated.At, p.Allocated.Bytes},
		Band: bandOf(t), OldestReadable: spanOf(ages.Readable), OldestOnDisk: spanOf(ages.OnDisk),
		AtDeletion: spanOf(ages.AtDeletion), AtRemoval: spanOf(ages.AtRemoval),
		Segments: jsonMost{c.Segments}, OpenFiles: jsonMost{c.OpenFiles}, MemoryMaps: jsonMost{c.MemoryMaps},
		Counts: countsOf(c), Remote: remoteOf(a), Bound: boundOf(a.Bound), Short: shortOf(a.Short), Findings: findingsOf(a),
		Changes: changesOf(a), Disk: diskOf(a.Disk, o.Input), EventCount: c.Events, Events: eventsOf(t, o.Events),
		Problems: []jsonProblem{}, NotFollowed: []jsonNotFollowed{}, Warnings: append([]string{}, o.Warnings...),
	}
	if a.Scenario.Log().Compact {
		cleaned := boundOf(a.Compacted)
		out.Compacted = &cleaned
	}
	if err := t.Err(); err != nil {
		out.KafkaFails = err.Error()
	}
	for _, n := range a.NotFollowed {
		out.NotFollowed = append(out.NotFollowed, jsonNotFollowed(n))
	}
	return out
}

// scenarioOf is what was given and differs from the defaults.
func scenarioOf(in calc.Input) map[string]string {
	out := map[string]string{}
	for key, text := range in.Changed() {
		out[key] = text
	}
	return out
}

// jsonChange is a change of retention by a step.
type jsonChange struct {
	At             calc.Millis  `json:"t_ms"`
	RetentionMs    calc.Millis  `json:"retention_ms"`
	RetentionBytes calc.Bytes   `json:"retention_bytes"`
	Segments       int64        `json:"segments"`
	Log            calc.Bytes   `json:"log_bytes"`
	Deleted        *calc.Millis `json:"deleted_ms,omitempty"`
	Removed        *calc.Millis `json:"removed_ms,omitempty"`
	Freed          calc.Bytes   `json:"freed_bytes"`
	AtOnce         bool         `json:"at_once"`
}

func changesOf(a *calc.Answer) []jsonChange {
	when := func(at calc.Millis) *calc.Millis {
		if at == calc.Never {
			return nil
		}
		return &at
	}
	out := []jsonChange{}
	for _, c := range ChangesOf(a) {
		out = append(out, jsonChange{c.At, c.To.RetentionMs, c.To.RetentionBytes, c.Segments, c.Log, when(c.Deleted), when(c.Back), c.Freed, c.AtOnce})
	}
	return out
}

func bandOf(t *calc.Timeline) *jsonBand {
	b, ok := t.Band()
	if !ok {
		return nil
	}
	return &jsonBand{
		Since: b.Since,
		Low:   jsonTotals{b.Log.Low, b.Apparent.Low, b.Allocated.Low},
		High:  jsonTotals{b.Log.High, b.Apparent.High, b.Allocated.High},
	}
}

func spanOf(r calc.Range[calc.Millis]) *jsonSpan {
	if r.Empty() {
		return nil
	}
	return &jsonSpan{r.Low, r.High}
}

func countsOf(c calc.Counts) jsonCounts {
	by := func(t calc.Tally) map[string]int64 {
		m := map[string]int64{}
		for _, r := range t {
			m[string(r.Reason)] = r.Count
		}
		return m
	}
	out := jsonCounts{
		Rolls: c.Rolls, RollsBy: by(c.RollsBy), Deletions: c.Deletions, DeletionsBy: by(c.DeletionsBy),
		Removals: c.Removals, Rejected: c.Rejected,
	}
	if c.FirstDeletion != calc.Never {
		out.FirstDeletion = &c.FirstDeletion
	}
	return out
}

func boundOf(b calc.Bound) jsonBound {
	if !b.OK {
		return jsonBound{Why: plainSpaces(b.Why)}
	}
	out := jsonBound{Log: &b.Log, OnDisk: &b.OnDisk, Limit: b.Limit, Formula: plainSpaces(boundFormula(b))}
	for _, t := range b.Terms {
		out.Terms = append(out.Terms, jsonTerm{t.Bytes, plainSpaces(t.Formula), t.Keys, t.Removed})
	}
	return out
}

// boundFormula is the worst case as a sum with the scenario's numbers.
func boundFormula(b calc.Bound) string {
	text := b.OnDisk.String() + " ="
	for i, t := range b.Terms {
		if i > 0 {
			text += " +"
		}
		text += " " + t.Bytes.String() + " (" + t.Formula + ")"
	}
	return text
}

func shortOf(f calc.ShortFormula) jsonShort {
	if !f.OK {
		return jsonShort{}
	}
	out := jsonShort{OnDisk: &f.OnDisk, Formula: plainSpaces(f.Formula), Differs: f.Differs}
	for _, why := range f.Why {
		out.Why = append(out.Why, plainSpaces(why))
	}
	return out
}

func findingsOf(a *calc.Answer) []jsonFinding {
	out := []jsonFinding{}
	for _, f := range Findings(a) {
		j := jsonFinding{Warning: f.Warn, Title: f.Title, Text: plainSpaces(f.Words.String()), Try: []jsonFix{}, Links: []string{}}
		for _, fix := range f.Fixes {
			j.Try = append(j.Try, jsonFix(fix))
		}
		for _, link := range f.Links {
			j.Links = append(j.Links, link.URL)
		}
		out = append(out, j)
	}
	return out
}

// eventsOf is the first events.
func eventsOf(t *calc.Timeline, limit int64) []jsonEvent {
	out := []jsonEvent{}
	if limit <= 0 {
		return out
	}
	for e := range t.Events(0, t.Until()) {
		j := jsonEvent{At: e.At, Kind: e.Kind.String(), Reason: string(e.Reason)}
		if hasBase(e) {
			j.Base = &e.Base
		}
		if out = append(out, j); int64(len(out)) >= limit {
			break
		}
	}
	return out
}

// hasBase reports whether an event is about an offset.
func hasBase(e calc.Event) bool {
	switch e.Kind {
	case calc.Stop, calc.Start, calc.TopicGone, calc.DirGone, calc.KafkaFails:
		return false
	}
	return e.Base >= 0
}

func problemsOf(problems []*calc.FieldError, places map[*calc.FieldError]Place) []jsonProblem {
	out := []jsonProblem{}
	for _, p := range problems {
		at := places[p]
		out = append(out, jsonProblem{p.Key, p.Value, p.Problem, p.WayOut(), p.Nearest, at.File, at.Line})
	}
	return out
}

// plainSpaces turns the spaces that do not break a line into plain ones: programs and terminals have no use for them.
func plainSpaces(text string) string {
	out := make([]rune, 0, len(text))
	for _, c := range text {
		switch c {
		case '\u00a0', '\u202f':
			c = ' '
		case '−':
			c = '-'
		}
		out = append(out, c)
	}
	return string(out)
}

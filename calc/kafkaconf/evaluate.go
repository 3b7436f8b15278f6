package kafkaconf

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// given is a setting as a file gives it.
type given struct {
	key, value string
	line       int
	topic      string // named in messages when the file has several
}

// name is the key as messages write it.
func (g given) name() string {
	if g.topic == "" {
		return g.key
	}
	return "topic " + clip(g.topic, 80) + ": " + g.key
}

// evaluate reads one value into a part of the result, and says what is wrong with it.
func (r *reader) evaluate(into map[string]Value, f *field, g given) (v Value, kept bool) {
	v, problem := parseValue(f.typ, f.words, g.value)
	if problem != "" {
		r.refuse(f, g, f.explain(g.name(), g.value, problem))
		return v, false
	}
	v.line = g.line
	if kept = f.keep(v); kept {
		into[g.key] = v
	}
	if f.typ == listType || f.typ == stringType {
		if _, comment := cutComment(g.value); comment {
			r.warnOf(g, "'#' after a value is not a comment in .properties: it is part of %s; put the comment on a line of its own", g.name())
		}
	}
	return v, kept
}

// refuse notes a value that Kafka does not take, whether or not a size depends on it: with such a file no broker starts, and
// no topic is made.
func (r *reader) refuse(f *field, g given, t trouble) {
	if v, wrong := parseValue(f.typ, f.words, t.nearest); t.nearest != "" && wrong == "" && f.row.Key != "" {
		if problem := r.outOfBounds(f, g.key, v); problem != "" {
			t.way += ", but " + t.nearest + " is " + strings.TrimPrefix(problem, "is ")
			t.nearest = ""
		}
	}
	for _, says := range t.says {
		r.warnOf(g, "%s", says)
	}
	if f.matters {
		r.reject(g.key, g.value)
	}
	if len(r.result.Refused) < maxRejected {
		wrong := calc.FieldError{Key: g.key, Value: javaTrim(g.value), Problem: t.problem, Hint: t.way, Nearest: t.nearest}
		r.result.Refused = append(r.result.Refused, Refusal{int64(g.line), g.topic, wrong})
	}
}

// cutComment finds what looks like a comment behind a value.
func cutComment(value string) (before string, found bool) {
	before, _, found = strings.Cut(value, "#")
	return javaTrim(before), found
}

// trouble is what is wrong with a value that Kafka does not take.
type trouble struct {
	problem string   // a clause that goes on after the value
	way     string   // what to do, a clause
	nearest string   // the value that was meant, or ""
	says    []string // warnings that say it
}

// explain says what is wrong with a value that Kafka does not take, and the way out.
func (f *field) explain(name, value, problem string) trouble {
	plain := javaTrim(value)
	if _, comment := cutComment(plain); comment {
		return f.explainComment(name, value, problem)
	}
	t := trouble{problem: problem}
	switch {
	case plain == "":
		t.problem = "is empty, and Kafka takes no empty " + f.noun() + " there"
		t.way = "leave the line out for the default"
		t.says = []string{name + " " + t.problem + "; " + t.way}
	case strings.Contains(plain, "${") || strings.Contains(plain, "{{"):
		t.problem, t.way = "is filled in elsewhere", "give the value itself"
	case strings.ContainsAny(plain[:1], `"'`):
		t.problem, t.way = "has quotes, and quotes are part of a value in .properties", "leave them out"
		t.nearest = strings.Trim(plain, `"'`)
		if _, still := parseValue(f.typ, f.words, t.nearest); still != "" {
			inner := f.explain(name, t.nearest, still)
			t.way, t.nearest = "leave them out, and "+inner.way, inner.nearest
		}
	case f.typ.numeric():
		t = f.explainNumber(name, plain, problem)
	case f.nearestWord(plain) != "":
		t.nearest = f.nearestWord(plain)
		t.way = "write " + t.nearest
	case f.typ == boolType:
		t.way = "write true or false"
	default:
		t.way = "write one of them"
	}
	if t.says == nil {
		t.says = []string{name + " value " + quote(value) + " " + t.problem + "; " + t.way}
	}
	return t
}

// explainComment says that there are no comments behind values, and what else is wrong with the value.
func (f *field) explainComment(name, value, problem string) trouble {
	const alone = "put the comment on a line of its own"
	t := trouble{
		problem: problem + ", since '#' after a value is not a comment in .properties", way: alone,
		says: []string{"'#' after a value is not a comment in .properties: " + name + " value " + quote(value) + " " + problem + "; " + alone},
	}
	before, _ := cutComment(javaTrim(value))
	if before == "" {
		return t
	}
	t.nearest = before
	if _, still := parseValue(f.typ, f.words, before); still != "" {
		inner := f.explain(name, before, still)
		t.way, t.nearest = inner.way+", and "+alone, inner.nearest
		t.says = append(t.says, inner.says...)
	}
	return t
}

func (f *field) noun() string {
	switch {
	case f.typ.numeric():
		return "number"
	case f.typ == boolType:
		return "flag"
	}
	return "word"
}

// explainNumber explains a text that is not a number, or too large.
func (f *field) explainNumber(name, plain, problem string) trouble {
	if _, most, ok := strings.Cut(problem, tooLarge); ok {
		return trouble{problem: problem, way: "write " + most + " or less", nearest: most}
	}
	if unit, meant := f.withoutUnit(plain); meant != "" {
		t := trouble{problem: "has a unit, and Kafka takes digits only: a number of " + unit, way: "write " + meant}
		if !strings.Contains(meant, " ") {
			t.nearest = meant
		}
		t.says = []string{fmt.Sprintf("%s: unit suffix %s invalid (%s expected; %s?)", name, clip(plain, 40), unit, meant)}
		return t
	}
	t := trouble{problem: "is not a number: Kafka takes digits only", way: "write " + f.wanted()}
	if wrong := new(calc.FieldError); errors.As(f.trouble(plain), &wrong) {
		t.problem = wrong.Problem + ": Kafka takes digits only"
		if wrong.Nearest != "" && strings.Trim(wrong.Nearest, "0123456789") == "" {
			t.way, t.nearest = "write "+wrong.Nearest, wrong.Nearest
		}
	}
	return t
}

// nearestWord is the word that was probably meant, or "".
func (f *field) nearestWord(plain string) string {
	in := calc.Defaults()
	wrong := new(calc.FieldError)
	if f.row.Key == "" || !errors.As(in.Set(f.row.Key, plain), &wrong) {
		return ""
	}
	return wrong.Nearest
}

// wanted is what to write where a number belongs.
func (f *field) wanted() string {
	switch {
	case f.row.Kind == calc.KindSize, f.row.Kind == calc.KindDuration:
		return "a whole number of " + f.unit()
	case f.typ == doubleType:
		return "a number, such as 0.5"
	}
	return "a whole number"
}

// unit is what a plain number of a size or a duration counts.
func (f *field) unit() string {
	switch {
	case f.row.Kind == calc.KindSize:
		return "bytes"
	case f.synonym != nil && f.synonym.Unit == int64(calc.Hour):
		return "hours"
	case f.synonym != nil && f.synonym.Unit == int64(calc.Minute):
		return "minutes"
	}
	return "milliseconds"
}

// trouble is what the calculator itself has against a text, which knows more forms than Kafka.
func (f *field) trouble(plain string) error {
	if f.row.Kind == calc.KindDuration {
		_, err := calc.ParseMillis(plain)
		return err
	}
	_, err := calc.ParseBytes(plain)
	return err
}

// withoutUnit is the plain number that a text with a unit may stand for, and the unit that Kafka counts in. A size with
// one of the units that have two meanings gives both.
func (f *field) withoutUnit(plain string) (unit, meant string) {
	number, _ := cutDigits(plain)
	rest := strings.TrimLeft(plain[len(number):], " ")
	if number == "" || rest == "" {
		return "", ""
	}
	if f.row.Kind != calc.KindDuration {
		return "bytes", sizesMeant(number, plain, rest)
	}
	n, err := calc.ParseMillis(plain)
	if err != nil {
		return "", ""
	}
	step := calc.Millis(1)
	if f.synonym != nil && f.synonym.Unit > 1 {
		step = calc.Millis(f.synonym.Unit)
	}
	if n%step != 0 {
		return "", ""
	}
	return f.unit(), strconv.FormatInt(int64(n/step), 10)
}

// sizesMeant is "1000000000 or 1073741824" for 1GB.
func sizesMeant(number, plain, unit string) string {
	if len(unit) <= 2 && strings.ContainsRune("kKmMgGtT", rune(unit[0])) && (len(unit) == 1 || unit[1] == 'b' || unit[1] == 'B') {
		prefix := strings.ToUpper(unit[:1])
		decimal, err1 := calc.ParseBytes(number + prefix + "B")
		binary, err2 := calc.ParseBytes(number + prefix + "iB")
		if err1 != nil || err2 != nil {
			return ""
		}
		return fmt.Sprintf("%d or %d", int64(decimal), int64(binary))
	}
	n, err := calc.ParseBytes(plain)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(int64(n), 10)
}

// checkBounds warns of a value outside what Kafka takes in the version, which the file's own Kafka may still have taken.
func (r *reader) checkBounds(f *field, v Value, g given) {
	if f.row.Key == "" || !f.matters {
		return
	}
	known := boundsOf{f, v.text}
	problem, again := r.bounds[known]
	if !again {
		problem = r.outOfBounds(f, g.key, v)
		if len(r.bounds) < maxRemembered {
			r.bounds[known] = problem
		}
	}
	if problem != "" {
		r.warnOf(g, "%s %s %s", g.name(), v, problem)
	}
}

// boundsOf is a value whose bounds have been looked at: topics of one file often have the same.
type boundsOf struct {
	field *field
	text  string
}

// outOfBounds is what is wrong with a value, and the way out, or "".
func (r *reader) outOfBounds(f *field, key string, v Value) string {
	if problem := r.belowMinimum(f, v); problem != "" {
		return problem
	}
	in := calc.Defaults()
	if wrong := new(calc.FieldError); errors.As(in.Set(key, v.String()), &wrong) {
		switch way := wrong.WayOut(); {
		case f.row.Kind == calc.KindFraction && strings.ContainsAny(v.text, "eE"):
			return "" // a form that Kafka takes and the calculator does not
		case way != "":
			return wrong.Problem + "; " + way
		}
		return wrong.Problem
	}
	return ""
}

// belowMinimum says that a value is below the least of a version that takes less than those before it.
func (r *reader) belowMinimum(f *field, v Value) string {
	n, whole := v.Int64()
	if !whole {
		return ""
	}
	if s := f.synonym; s != nil {
		if s.MinSince > 0 && r.version() >= s.MinSince && n < s.Min {
			return fmt.Sprintf("below the minimum %d of Kafka %s and later; write %d", s.Min, line(s.MinSince), s.Min)
		}
		return ""
	}
	now := f.row.In(r.version())
	if n >= now.Min || len(f.row.Older) == 0 || now.Min == f.row.Older[0].Min {
		return ""
	}
	since := f.row.Older[len(f.row.Older)-1].Before
	problem := fmt.Sprintf("below the minimum %d of Kafka %s and later", now.Min, line(since))
	for _, synonym := range f.row.Inherits {
		if synonym.MinSince > 0 && synonym.MinSince < since {
			problem += fmt.Sprintf(" (for the broker's %s the %s minimum is %d)", synonym.Key, line(synonym.MinSince), synonym.Min)
		}
	}
	return fmt.Sprintf("%s; write %d", problem, now.Min)
}

// line is a version's release line, such as 4.1.
func line(v calc.Version) string { return fmt.Sprintf("%d.%d", v/10000, v/100%100) }

// checkVersion notes a setting that the version does not have.
func (r *reader) checkVersion(f *field, g given) {
	if f.row.Key == "" || !f.matters || f.row.Known(r.version()) {
		return
	}
	if f.row.Until != 0 && r.version() >= f.row.Until {
		r.note(g.line, "%s is gone since Kafka %s", g.name(), line(f.row.Until))
	} else {
		r.note(g.line, "%s exists from Kafka %s on", g.name(), line(f.row.Since))
	}
}

// takeBroker evaluates a broker's settings, and works out what its topics get.
func (r *reader) takeBroker(settings []given) {
	r.result.Read.Broker = map[string]Value{}
	present := map[string]given{}
	for _, g := range settings {
		r.evaluate(r.result.Read.Broker, r.known(g.key).broker, g)
		present[g.key] = g
	}
	for _, g := range settings {
		v, ok := r.result.Read.Broker[g.key]
		if !ok {
			continue
		}
		f := r.known(g.key).broker
		r.checkVersion(f, g)
		if winner := r.winner(f); winner == "" || winner == g.key {
			r.checkBounds(f, v, g)
			r.reportPrecedence(f, v, g, present)
		}
	}
	r.result.Read.Effective = r.effective()
}

// winner is the key of a group of synonyms in several units whose value counts; "" when there are no such synonyms.
func (r *reader) winner(f *field) string {
	if f.synonym == nil || len(f.row.Inherits) < 2 {
		return ""
	}
	for _, s := range f.row.Inherits {
		if _, ok := r.result.Read.Broker[s.Key]; ok {
			return s.Key
		}
	}
	return ""
}

// reportPrecedence says which of several synonyms counts: milliseconds before minutes before hours.
//
// Kafka: AbstractKafkaConfig.logRetentionTimeMillis, logRollTimeMillis.
func (r *reader) reportPrecedence(f *field, v Value, g given, present map[string]given) {
	if f.synonym == nil {
		return
	}
	passed := false
	for _, s := range f.row.Inherits {
		other, ok := present[s.Key]
		if s.Key == g.key {
			passed = true
			continue
		}
		if !passed || !ok {
			continue
		}
		if f.synonym.Retention && strings.HasPrefix(v.text, "-") {
			r.warn(g.line, "%s=%s disables time retention even though %s is set", g.key, v, s.Key[strings.LastIndexByte(s.Key, '.')+1:])
			continue
		}
		r.note(g.line, "%s=%s counts; it goes before %s=%s", g.key, v, s.Key, clip(javaTrim(other.value), 40))
	}
}

// effective is what a topic without settings of its own gets from the broker.
func (r *reader) effective() map[string]Value {
	in := calc.Defaults()
	if r.options.Version != 0 {
		set(&in, "kafka.version", r.options.Version.String())
	}
	for key, v := range r.result.Read.Broker {
		if f := r.known(key).broker; f != nil && f.row.Key != "" {
			set(&in, key, v.String())
		}
	}
	out := map[string]Value{}
	for _, row := range calc.Settings() {
		if row.Own || len(row.Inherits) == 0 || !row.Known(r.version()) {
			continue
		}
		if v, ok := plainValue(row, in.Get(row.Key)); ok {
			out[row.Key] = v
		}
	}
	return out
}

// plainValue turns the calculator's way to write a value, such as 7d, into Kafka's.
func plainValue(row calc.Setting, text string) (Value, bool) {
	if _, err := strconv.ParseInt(text, 10, 64); err != nil {
		switch row.Kind {
		case calc.KindDuration:
			if n, err := calc.ParseMillis(text); err == nil {
				text = strconv.FormatInt(int64(n), 10)
			}
		case calc.KindSize:
			if n, err := calc.ParseBytes(text); err == nil {
				text = strconv.FormatInt(int64(n), 10)
			}
		}
	}
	v, problem := parseValue(typeOf(row, nil), row.Words, text)
	return v, problem == ""
}

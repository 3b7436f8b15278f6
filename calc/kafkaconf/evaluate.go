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
		if !f.matters {
			if _, comment := cutComment(g.value); comment {
				r.warnComment(g, problem)
			}
			return v, false
		}
		r.explain(f, g, problem)
		r.reject(g.key, g.value)
		return v, false
	}
	if kept = f.keep(v); kept {
		into[g.key] = v
	}
	if f.typ == listType || f.typ == stringType {
		if _, comment := cutComment(g.value); comment {
			r.warn(g.line, "'#' after a value is not a comment in .properties: it is part of %s; put the comment on a line of its own", g.name())
		}
	}
	return v, kept
}

// cutComment finds what looks like a comment behind a value.
func cutComment(value string) (before string, found bool) {
	before, _, found = strings.Cut(value, "#")
	return javaTrim(before), found
}

func (r *reader) warnComment(g given, problem string) {
	r.warn(g.line, "'#' after a value is not a comment in .properties: %s value %s %s; put the comment on a line of its own",
		g.name(), quote(g.value), problem)
}

// explain warns of a value that Kafka does not take, and names the way out.
func (r *reader) explain(f *field, g given, problem string) {
	name := g.name()
	plain := javaTrim(g.value)
	if before, comment := cutComment(plain); comment {
		r.warnComment(g, problem)
		if plain = before; plain == "" {
			return
		}
		if _, p := parseValue(f.typ, f.words, plain); p == "" {
			return
		}
		problem = ""
	}
	switch {
	case plain == "":
		r.warn(g.line, "%s is empty, and Kafka takes no empty %s there; leave the line out for the default", name, f.noun())
	case strings.Contains(plain, "${") || strings.Contains(plain, "{{"):
		r.warn(g.line, "%s value %s is filled in elsewhere; give the value itself", name, quote(g.value))
	case strings.ContainsAny(plain[:1], `"'`):
		r.warn(g.line, "%s value %s: quotes are part of a value in .properties; leave them out", name, quote(g.value))
	case f.typ.numeric():
		r.explainNumber(f, g, plain, problem)
	case problem != "":
		r.warn(g.line, "%s value %s %s", name, quote(g.value), problem)
	}
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
func (r *reader) explainNumber(f *field, g given, plain, problem string) {
	name := g.name()
	if strings.HasPrefix(problem, "does not fit") {
		r.warn(g.line, "%s value %s %s", name, quote(g.value), problem)
		return
	}
	if unit, meant := f.withoutUnit(plain); meant != "" {
		r.warn(g.line, "%s: unit suffix %s invalid (%s expected; %s?)", name, clip(plain, 40), unit, meant)
		return
	}
	why, way := "is not a number", ""
	if wrong := new(calc.FieldError); errors.As(f.trouble(plain), &wrong) {
		why = wrong.Problem
		if wrong.Nearest != "" && strings.Trim(wrong.Nearest, "0123456789") == "" {
			way = "; write " + wrong.Nearest
		}
	}
	if problem == "" && why == "is not a number" {
		return // the comment behind it has been reported already
	}
	r.warn(g.line, "%s value %s %s: Kafka takes digits only%s", name, quote(g.value), why, way)
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
	step, unit := calc.Millis(1), "milliseconds"
	if f.synonym != nil && f.synonym.Unit > 1 {
		step, unit = calc.Millis(f.synonym.Unit), "hours"
		if step == calc.Minute {
			unit = "minutes"
		}
	}
	if n%step != 0 {
		return "", ""
	}
	return unit, strconv.FormatInt(int64(n/step), 10)
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
		r.warn(g.line, "%s %s %s", g.name(), v, problem)
	}
}

// boundsOf is a value whose bounds have been looked at: topics of one file often have the same.
type boundsOf struct {
	field *field
	text  string
}

// outOfBounds is what is wrong with a value, and the way out, or "".
func (r *reader) outOfBounds(f *field, key string, v Value) string {
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
	n, whole := v.Int64()
	if !whole {
		return ""
	}
	if f.synonym != nil {
		if f.synonym.MinSince > 0 && r.version() >= f.synonym.MinSince && n < f.synonym.Min {
			return fmt.Sprintf("below the minimum %d of Kafka %s and later", f.synonym.Min, line(f.synonym.MinSince))
		}
		return ""
	}
	now := f.row.In(r.version())
	if n >= now.Min || len(f.row.Older) == 0 {
		return ""
	}
	since := f.row.Older[len(f.row.Older)-1].Before
	problem := fmt.Sprintf("below the minimum %d of Kafka %s and later", now.Min, line(since))
	for _, synonym := range f.row.Inherits {
		if synonym.MinSince > 0 && synonym.MinSince < since {
			problem += fmt.Sprintf(" (for the broker's %s the %s minimum is %d)", synonym.Key, line(synonym.MinSince), synonym.Min)
		}
	}
	return problem
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

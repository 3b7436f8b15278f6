package kafkaconf

import (
	"strings"

	"github.com/partsize/partsize/calc"
)

// readProperties reads a server.properties. Kafka ignores a key that it does not know, so a topic's name or a misspelt one
// has no effect there; each is reported.
func (r *reader) readProperties(text string) {
	var settings []given
	places := map[string]int{}
	for p := range properties(text) {
		key := p.key
		if after, marked := strings.CutPrefix(key, byteOrderMark); marked && p.line == 1 {
			if after != "" && after[0] != '#' && after[0] != '!' {
				r.warn(1, "the file begins with a byte order mark, which Kafka takes for a part of the first key: %s is not set; save the file without one", after)
			}
			continue
		}
		if own := r.serviceName(key); own != "" {
			r.warn(p.line, "%s is a managed service's name, and taken as %s; a broker of your own ignores it", key, own)
			key = own
		}
		f := r.known(key).broker
		if f == nil {
			r.otherKey(p)
			continue
		}
		g := given{key: key, value: p.value, line: p.line}
		if p.malformed {
			r.refuse(f, g, trouble{problem: "has a \\u without four hexadecimal digits", way: "write four, or two backslashes",
				says: []string{key + ": a \\u needs four hexadecimal digits; Kafka does not start with this file"}})
			continue
		}
		if p.slipped && (f.typ == listType || f.typ == stringType) {
			r.warn(p.line, "%s: a backslash alone is dropped, so Kafka sees %s; write \\\\ or /", key, quote(p.value))
		}
		if i, again := places[key]; again {
			r.warn(p.line, "duplicate key %s: it was %s in line %d; the last one counts", key, quote(javaTrim(settings[i].value)), settings[i].line)
			settings[i] = g
			continue
		}
		places[key] = len(settings)
		settings = append(settings, g)
	}
	r.takeBroker(settings)
}

// otherKey reports a key whose value has no effect on a log, when it looks as if it should have one.
func (r *reader) otherKey(p property) {
	if f := r.known(p.key).topic; f != nil {
		if len(f.row.Inherits) > 0 {
			r.warn(p.line, "%s is a topic setting; broker name is %s. Kafka ignores it here", p.key, f.row.Inherits[0].Key)
		} else {
			r.warn(p.line, "%s is a topic setting, and there is none for all topics of a broker. Kafka ignores it here", p.key)
		}
		return
	}
	if isBrokerKey(p.key) {
		if _, comment := cutComment(p.value); comment && strings.Contains(p.value, " #") {
			r.warn(p.line, "'#' after a value is not a comment in .properties: it is part of %s; put the comment on a line of its own", p.key)
		}
		return
	}
	name := clip(p.key, 80)
	if r.asked++; r.asked > maxSuggestions {
		if r.full() {
			return
		}
		r.warn(p.line, "%s unknown: Kafka ignores it", quote(name))
		return
	}
	similar := similarBrokerKey(p.key)
	if similar == "" {
		r.warn(p.line, "%s unknown: no broker setting has a name like it. Kafka ignores it", quote(name))
		return
	}
	r.warn(p.line, "%s unknown: did you mean %s? Kafka ignores it", name, similar)
	// Where a number is meant, one that Kafka could not read would be wrong under the right name too.
	f := r.known(similar).broker
	if _, problem := parseValue(f.typ, f.words, p.value); problem != "" && f.typ.numeric() {
		r.reject(p.key, p.value)
	}
}

// serviceName is the broker's key of a setting for which a service's pages have another name, or "".
func (r *reader) serviceName(name string) string {
	key, ok := r.options.Names[name]
	if !ok {
		return ""
	}
	row, _, ok := calc.SettingOf(key)
	if !ok || len(row.Inherits) == 0 {
		return ""
	}
	return row.Inherits[0].Key
}

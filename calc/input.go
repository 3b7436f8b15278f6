package calc

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Input is what was given for each setting, word for word, right or wrong. The zero Input is the defaults. It is a value:
// a copy is independent of the original.
type Input struct {
	given   []givenText // by slot, ascending; never changed in place
	unknown []Pair      // keys that are in no table, in the order given; never changed in place
}

// givenText is the text given for a slot.
type givenText struct {
	slot int
	text string
}

// Pair is a key and a value.
type Pair struct{ Key, Value string }

// Limits on keys that nobody knows, so that a pasted text cannot ask for endless work.
const (
	maxUnknown     = 1000
	maxSuggestions = 100
)

// Defaults is the Input with nothing given.
func Defaults() Input { return Input{} }

// Set gives a setting a value. The key is one of the table, or a broker's key from which a topic's setting inherits; what
// is given for a topic's setting wins over the broker's, and there the first of [Setting.Inherits] wins, in whatever order
// they come.
//
// The error is a [*FieldError]: the key is unknown, or the value cannot be right in any version of Kafka. The value is kept
// all the same. [NewScenario] finds what is wrong between settings and with the version.
func (in *Input) Set(key, value string) error {
	i, ok := slotOf[key]
	if !ok {
		return in.setUnknown(key, value)
	}
	at, found := in.find(i)
	given := make([]givenText, 0, len(in.given)+1)
	given = append(given, in.given[:at]...)
	given = append(given, givenText{i, value})
	if found {
		at++
	}
	in.given = append(given, in.given[at:]...)
	if err := slots[i].check(value, anyVersion); err != nil {
		return err.at(key, value)
	}
	return nil
}

// setUnknown keeps a key that is in no table and says which was meant.
func (in *Input) setUnknown(key, value string) error {
	i := slices.IndexFunc(in.unknown, func(p Pair) bool { return p.Key == key })
	switch {
	case i >= 0:
		in.unknown = slices.Clone(in.unknown)
		in.unknown[i].Value = value
	case len(in.unknown) < maxUnknown:
		in.unknown = append(slices.Clone(in.unknown), Pair{key, value})
	}
	e := &FieldError{Key: key, Value: value, Problem: "there is no such setting"}
	if len(in.unknown) <= maxSuggestions {
		e.Nearest = NearestKey(strings.ToLower(strings.TrimSpace(key)))
	}
	if e.Nearest != "" {
		e.Hint = "did you mean " + e.Nearest + "?"
	}
	return e
}

// Reset takes back what was given for a key.
func (in *Input) Reset(key string) {
	if i, ok := slotOf[key]; ok {
		if at, found := in.find(i); found {
			in.given = slices.Concat(in.given[:at], in.given[at+1:]) // nil when none is left
		}
		return
	}
	in.unknown = slices.DeleteFunc(slices.Clone(in.unknown), func(p Pair) bool { return p.Key == key })
}

// Get is the text given for a key, or else the text that holds without it: what the setting inherits from the broker, or
// its default in the version that is given. It is "" for an unknown key that was not given.
func (in Input) Get(key string) string {
	if text, ok := in.Given(key); ok {
		return text
	}
	if i, ok := slotOf[key]; ok {
		return in.otherwise(i)
	}
	return ""
}

// Given is the text given for a key, if any.
func (in Input) Given(key string) (text string, ok bool) {
	if i, known := slotOf[key]; known {
		if at, found := in.find(i); found {
			return in.given[at].text, true
		}
		return "", false
	}
	for _, p := range in.unknown {
		if p.Key == key {
			return p.Value, true
		}
	}
	return "", false
}

// Changed is every key that was given and its text, in the order of the table, without those whose text is the one that
// holds anyway. Unknown keys come last. Set on the defaults with these gives the same Input.
func (in Input) Changed() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, g := range in.given {
			s := slots[g.slot]
			if s.synonym < 0 && g.text == in.otherwise(g.slot) && s.check(g.text, in.version()) == nil {
				continue
			}
			if !yield(s.key, g.text) {
				return
			}
		}
		for _, p := range in.unknown {
			if !yield(p.Key, p.Value) {
				return
			}
		}
	}
}

// Unknown is the keys that are in no table, in the order given.
func (in Input) Unknown() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, p := range in.unknown {
			if !yield(p.Key, p.Value) {
				return
			}
		}
	}
}

// find is where a slot is, or would be, among the given ones.
func (in Input) find(slot int) (at int, found bool) {
	return slices.BinarySearchFunc(in.given, slot, func(g givenText, s int) int { return g.slot - s })
}

// version is the version given, or the default one where that text is wrong.
func (in Input) version() Version {
	text, _ := in.Given("kafka.version")
	v, err := parseVersion(text)
	if err != nil {
		v, _ = parseVersion(settings[slotRow("kafka.version")].Default)
	}
	return v
}

// otherwise is the text that holds for a slot without its own.
func (in Input) otherwise(i int) string {
	s := slots[i]
	if s.synonym >= 0 {
		return ""
	}
	row := &settings[s.row]
	for j := range row.Inherits {
		text, ok := in.Given(row.Inherits[j].Key)
		if !ok {
			continue
		}
		syn := slot{row.Inherits[j].Key, s.row, j}
		if row.number() {
			if n, err := syn.number(text); err == nil {
				return row.text(n)
			}
		} else if syn.check(text, anyVersion) == nil {
			return text
		}
		break
	}
	if len(row.Older) == 0 {
		return row.Default
	}
	return row.In(in.version()).Default
}

// anyVersion asks [slot.check] for what is wrong in every version.
const anyVersion Version = 0

// number reports whether the setting is one whole number.
func (s *Setting) number() bool {
	switch s.Kind {
	case KindSize, KindDuration, KindShift, KindCount, KindLength, KindFraction, KindPercent:
		return true
	}
	return false
}

// text is how a number of the setting is written.
func (s *Setting) text(n int64) string {
	switch {
	case n < 0 && s.Kind != KindPercent || s.Kind == KindCount:
		return strconv.FormatInt(n, 10)
	case s.Kind == KindSize || s.Kind == KindLength:
		return Bytes(n).Text()
	case s.Kind == KindDuration || s.Kind == KindShift:
		return Millis(n).Text()
	case s.Kind == KindPercent:
		sign := ""
		if n < 0 {
			sign, n = "-", -n
		}
		text := sign + strconv.FormatInt(n/100, 10)
		if n%100 != 0 {
			text += strings.TrimRight(fmt.Sprintf(".%02d", n%100), "0")
		}
		return text + "%"
	case s.Kind == KindFraction && 0 <= n && n < 1_000_000_000:
		return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("0.%09d", n), "0"), ".")
	case s.Kind == KindFraction && n >= 1_000_000_000:
		return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%09d", n/1_000_000_000, n%1_000_000_000), "0"), ".")
	}
	return strconv.FormatInt(n, 10)
}

// check is what is wrong with a text in a version of Kafka, or in all.
func (s slot) check(text string, v Version) *FieldError {
	row := &settings[s.row]
	if most := row.Kind.longest(); len(text) > most {
		return bad(text, fmt.Sprintf("is %d bytes long, above the %d that it may have", len(text), most)).hint("make it shorter")
	}
	err := s.misread(text, v)
	if err == nil {
		return nil
	}
	for _, more := range err.more {
		if more.WayOut() == "" {
			more.Hint = fmt.Sprintf("give %s, as in %s", row.Kind.some(), row.example())
		}
	}
	if err.WayOut() == "" {
		switch empty := strings.TrimSpace(text) == ""; {
		case empty && row.Default != "":
			err.Hint = fmt.Sprintf("leave it out for %s, or give %s", row.Default, row.Kind.some())
		case empty:
			err.Hint = "leave it out"
		case err.Problem == negative && row.Min < 0 && (row.Kind == KindSize || row.Kind == KindDuration):
			err.Nearest, err.Hint = "-1", "write -1 for no limit, or how much without a sign"
		case err.Problem == negative && row.number():
			err.Nearest = row.text(max(row.Min, 0))
		default:
			err.Hint = fmt.Sprintf("give %s, as in %s", row.Kind.some(), row.example())
		}
	}
	s.settle(err, v)
	return err
}

// settle makes the nearest value one that is right: what was meant may be wrong itself, such as out of bounds.
func (s slot) settle(err *FieldError, v Version) {
	row := &settings[s.row]
	for range 4 {
		if err.Nearest == "" {
			break
		}
		other := s.misread(err.Nearest, v)
		if other == nil {
			return
		}
		if strings.Contains(err.Hint, err.Nearest) {
			err.Hint = ""
		}
		err.Nearest = other.Nearest
	}
	if err.Nearest = ""; err.Hint == "" {
		err.Hint = fmt.Sprintf("give %s, as in %s", row.Kind.some(), row.example())
	}
}

// some is the noun with its article.
func (k Kind) some() string {
	switch noun := k.String(); k {
	case KindFlag, KindHeaders, KindWeights, KindSeries, KindSteps:
		return noun
	default:
		return "a " + noun
	}
}

// example is a text that would do, and that says what the kind is: neither 0 nor −1, which may stand for anything.
func (s *Setting) example() string {
	named := slices.ContainsFunc(s.Names, func(n Named) bool { return n.Word == s.Default })
	if n, err := strconv.Atoi(s.Default); s.Default != "" && !named && (err != nil || n > 0) {
		return s.Default
	}
	switch s.Kind {
	case KindSize:
		return "1GiB"
	case KindDuration:
		return "1h"
	case KindShift:
		return "-30s"
	case KindCount:
		return "10"
	case KindHeaders:
		return "8:16"
	case KindSeries:
		return "0:1MiB/s,1h:2MiB/s"
	case KindSteps:
		return "5d retention.ms=1h; 6d restart 60s"
	}
	return "text"
}

// longest is the most bytes that a text of the kind may have.
func (k Kind) longest() int {
	switch k {
	case KindSeries:
		return 8 << 20
	case KindSteps, KindHeaders:
		return 64 << 10
	case KindText:
		return 1 << 20
	}
	return 1 << 10
}

// misread is what is wrong with a text, where it can be said without knowing what else there is.
func (s slot) misread(text string, v Version) *FieldError {
	row := &settings[s.row]
	if row.number() {
		n, err := s.number(text)
		if err != nil {
			return err
		}
		return s.bounds(n, text, v)
	}
	trimmed := strings.TrimSpace(text)
	switch row.Kind {
	case KindText:
		switch row.Key {
		case "topic.name":
			return topicName(text)
		case "topic.id":
			return topicID(text)
		}
		return nil
	case KindFlag:
		_, err := parseFlag(text)
		return err
	case KindWord:
		_, err := row.word(text)
		return err
	case KindWords:
		wrong := partErrors{text: text}
		i := 0
		for word := range splitList(trimmed) {
			_, err := row.word(word)
			wrong.add(i, word, err)
			i++
		}
		if len(wrong.told) == 1 && i == 1 {
			_, err := row.word(trimmed)
			return err
		}
		return wrong.err()
	case KindRate:
		r, err := parseRate(text)
		if err == nil && r.PerSecond() > row.Max {
			return badNearest(text, fmt.Sprintf("is above %s/s, the most that is simulated", Bytes(row.Max)), Bytes(row.Max).Text()+"/s")
		}
		return err
	case KindRatio:
		_, err := parseRatio(text)
		return err
	case KindVersion:
		_, err := parseVersion(text)
		return err
	case KindHeaders:
		_, err := parseHeaders(text)
		return err
	case KindWeights:
		_, err := parseWeights(text, row.Key == "produce.weekly")
		return err
	case KindSeries:
		_, err := parseSeries(text)
		return err
	case KindSteps:
		_, err := parseSteps(text)
		return err
	}
	return nil
}

// number reads a text as the whole number that the topic's setting holds, in its unit, without looking at bounds.
func (s slot) number(text string) (int64, *FieldError) {
	row := &settings[s.row]
	trimmed := strings.TrimSpace(text)
	low := strings.ToLower(trimmed)
	for _, w := range row.Names {
		if low == w.Word {
			return w.Value, nil
		}
	}
	unit := int64(1)
	if s.synonym >= 0 {
		unit = max(row.Inherits[s.synonym].Unit, 1)
	}
	if n, err := strconv.ParseInt(asciiMinus(trimmed), 10, 64); err == nil && n < 0 && row.negatives(s) {
		if s.synonym >= 0 && row.Inherits[s.synonym].Retention {
			return Unlimited, nil
		}
		return n, nil
	}
	switch row.Kind {
	case KindSize:
		return parsed(ParseBytes(text))
	case KindDuration:
		if unit > 1 {
			return s.wholeUnits(text, unit)
		}
		return parsed(ParseMillis(text))
	case KindShift:
		n, err := parseSigned(text)
		return int64(n), err
	case KindLength:
		if low == "null" || low == "none" {
			return int64(Null), nil
		}
		return parsed(ParseBytes(text))
	case KindFraction:
		return parseScaled(text, 1_000_000_000, false)
	case KindPercent:
		return parsePercent(text)
	}
	return parseCount(text)
}

// asciiMinus is a text with the sign that keyboards have.
func asciiMinus(text string) string {
	if after, ok := strings.CutPrefix(text, "−"); ok {
		return "-" + after
	}
	return text
}

// negatives reports whether a plain negative number means something here.
func (s *Setting) negatives(sl slot) bool {
	if sl.synonym >= 0 && s.Inherits[sl.synonym].Retention {
		return true
	}
	return s.Min < 0 && s.Kind != KindShift && s.Kind != KindPercent && s.Kind != KindLength
}

// parsed turns the result of an exported parser back.
func parsed[T ~int64](n T, err error) (int64, *FieldError) {
	if err != nil {
		return 0, err.(*FieldError)
	}
	return int64(n), nil
}

// wholeUnits reads a duration that Kafka holds in whole hours or minutes.
func (s slot) wholeUnits(text string, unit int64) (int64, *FieldError) {
	dim := timeDimension
	dim.smaller = "hour"
	if unit == int64(Minute) {
		dim.smaller = "minute"
	}
	n, err := dim.parse(text, uint64(unit))
	if err != nil {
		return 0, err
	}
	if n%unit != 0 {
		up := n/unit + 1
		return 0, badNearest(text, fmt.Sprintf("is not a whole number of %ss, in which Kafka holds it", dim.smaller),
			strconv.FormatInt(up, 10))
	}
	return n, nil
}

// bounds is what is wrong with a number of the right form.
func (s slot) bounds(n int64, text string, v Version) *FieldError {
	row := settings[s.row]
	if s.synonym >= 0 {
		return row.Inherits[s.synonym].bounds(&row, n, text, v)
	}
	latest := row.Min
	if v == anyVersion {
		for _, o := range row.Older {
			row.Min = min(row.Min, o.Min)
		}
	} else {
		row = row.In(v)
	}
	switch {
	case row.Key == "remote.price" && n == 0:
		return bad(text, "is zero, and then nothing costs anything").hint("leave it out, or give what a GiB costs a month")
	case row.Key == "segment.index.bytes" && 0 <= n && n < row.Min:
		return badNearest(text, "is less than one entry of the time index, 12 bytes: Kafka fails to create the log", "12")
	case n < row.Min && row.Min < 0 && row.Kind != KindShift && row.Kind != KindPercent:
		meaning := "−1 is no limit"
		if row.Min == -2 {
			meaning = "−2 is as for the whole log"
		}
		return badNearest(text, fmt.Sprintf("is below %d, which is the least: %s", row.Min, meaning), strconv.FormatInt(row.Min, 10))
	case n < row.Min:
		problem := fmt.Sprintf("is below %s, the least there is", row.exact(row.Min))
		if row.Min == latest && len(row.Older) > 0 && v != anyVersion && row.Older[len(row.Older)-1].Min < row.Min {
			problem = fmt.Sprintf("is below %s, the least from Kafka %s on", row.exact(row.Min), row.Older[len(row.Older)-1].Before.line())
		}
		return badNearest(text, problem, row.text(row.Min))
	case n > row.Max && row.Max == maxInt:
		return badNearest(text, "is above 2147483647, the most that Kafka's 32 bits hold", "2147483647")
	case n > row.Max:
		return badNearest(text, fmt.Sprintf("is above %s, the most there is", row.exact(row.Max)), row.text(row.Max))
	}
	return nil
}

// bounds is what is wrong with n, in the unit of the topic's setting, given for the broker's.
func (syn *Synonym) bounds(row *Setting, n int64, text string, v Version) *FieldError {
	plain := n / max(syn.Unit, 1)
	switch {
	case syn.Retention && n < 0, row.Kind == KindFraction:
		return nil
	case syn.Retention && n == 0:
		return badNearest(text, "is 0, which a broker refuses: it must be −1 or at least 1", "1")
	case syn.Max > 0 && plain > syn.Max && syn.Max == maxInt:
		return badNearest(text, "is above 2147483647, the most that Kafka's 32 bits hold", "2147483647")
	case syn.MinSince > 0 && v >= syn.MinSince && plain < syn.Min:
		return badNearest(text, fmt.Sprintf("is below %s, the least from Kafka %s on", row.exact(syn.Min), syn.MinSince.line()), row.text(syn.Min))
	case syn.MinSince == 0 && syn.Min > 0 && plain < syn.Min:
		return badNearest(text, fmt.Sprintf("is below %d, the least there is", syn.Min), strconv.FormatInt(syn.Min, 10))
	}
	own := slot{row.Key, slotRow(row.Key), -1}
	return own.bounds(n, text, v)
}

func slotRow(key string) int { return slots[slotOf[key]].row }

// exact is a number as an error states it, with its unit where that says more.
func (s *Setting) exact(n int64) string {
	plain := strconv.FormatInt(n, 10)
	switch text := s.text(n); {
	case s.Kind == KindPercent:
		return text
	case text != plain && n < math.MaxInt64:
		return plain + " (" + text + ")"
	}
	return plain
}

// parseFlag reads true or false in any letters, as Kafka does.
func parseFlag(text string) (bool, *FieldError) {
	switch strings.ToLower(strings.TrimSpace(text)) {
	case "true":
		return true, nil
	case "false":
		return false, nil
	case "yes", "on", "1":
		return false, badNearest(text, "is neither true nor false", "true")
	case "no", "off", "0":
		return false, badNearest(text, "is neither true nor false", "false")
	}
	return false, bad(text, "is neither true nor false")
}

// word reads one of the setting's words in any letters.
func (s *Setting) word(text string) (string, *FieldError) {
	trimmed := strings.TrimSpace(text)
	for _, w := range s.Words {
		if strings.EqualFold(w, trimmed) {
			return w, nil
		}
	}
	e := bad(text, fmt.Sprintf("is not one of %s", strings.Join(s.Words, ", ")))
	low := func(yield func(string) bool) {
		for _, w := range s.Words {
			if !yield(strings.ToLower(w)) {
				return
			}
		}
	}
	if near := nearest(strings.ToLower(trimmed), low); near != "" {
		e.Nearest, _ = s.word(near)
	}
	return "", e
}

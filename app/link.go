package app

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/partsize/partsize/calc"
)

// A link holds the scenario in its fragment, so that it reaches no server: #v=1&retention.ms=7d&produce=5MiB/s. The keys
// are Kafka's; what is at its default is left out; v is the version of this format. Keys that this version does not know
// are kept and reported.
const (
	linkVersion = 1
	linkLimit   = 64 << 10 // bytes of a fragment that are read

	// lost stands for what was half an escape; see web/host.js.
	lost = "\ufffd"
)

// linkRead is what a link says, and what is wrong with it.
type linkRead struct {
	input    calc.Input
	place    place
	problems []string // sentences
	refused  bool     // nothing was read
}

// migrations bring the pairs of a link from one version of the format to the next: the first one from version 1 to 2. What
// a version's links mean is pinned in testdata/links; a key that is renamed, or whose default changes, needs a version and
// a migration, so that a link that somebody keeps says the same for ever.
var migrations = [linkVersion - 1]migration{}

// migration takes the pairs of a link, none of them v, and returns what they are in the next version.
type migration func([]calc.Pair) []calc.Pair

// readLink reads a fragment, with or without its #. own is false for a fragment that is not a scenario, such as the name of
// a place in the page.
func readLink(fragment string) (read linkRead, own bool) {
	fragment = strings.TrimPrefix(fragment, "#")
	if len(fragment) > linkLimit {
		return linkRead{refused: true, problems: []string{fmt.Sprintf(text.linkTooLong, len(fragment), linkLimit)}}, true
	}
	if fragment != "" && !strings.Contains(fragment, "=") {
		return linkRead{}, false
	}
	pairs, version := read.pairs(fragment)
	seen := map[string]bool{}
	for _, p := range migrated(pairs, version, migrations[:]) {
		if seen[p.Key] {
			read.complain(embedText.linkTwice, shorten(p.Key))
		}
		seen[p.Key] = true
		if placeKey(p.Key) {
			read.place = read.place.with(p.Key, p.Value)
			continue
		}
		// A wrong value is kept and shown under its field; an unknown key is kept and reported. A service's own name of a
		// setting is Kafka's.
		_ = read.input.Set(kafkasName(p.Key), p.Value)
	}
	return read, true
}

// serviceNames are the names under which services' pages write settings, and Kafka's keys for them. They are provider's, which
// the smaller program does not have; a test holds the two against each other.
var serviceNames = map[string]string{
	"log.segment.size": "segment.bytes", "segment.size": "segment.bytes",
	"segment.index.size": "segment.index.bytes", "log.segment.index.size": "segment.index.bytes",
}

func kafkasName(key string) string {
	if name, ok := serviceNames[key]; ok {
		return name
	}
	return key
}

// migrated is the pairs of a link of a version as the newest version has them. What is newer than that stays as it is.
func migrated(pairs []calc.Pair, version int, all []migration) []calc.Pair {
	for ; version <= len(all); version++ {
		pairs = all[version-1](pairs)
	}
	return pairs
}

func (read *linkRead) complain(format string, v ...any) {
	if len(read.problems) < 8 {
		read.problems = append(read.problems, fmt.Sprintf(format, v...))
	}
}

// pairs is the keys and values of a fragment, and the version of its format. A link without one is of the first: so are the
// presets, and what people write by hand.
func (read *linkRead) pairs(fragment string) (pairs []calc.Pair, version int) {
	version = 1
	for pair := range strings.SplitSeq(fragment, "&") {
		pair = strings.TrimPrefix(pair, "amp;") // a link copied from a page's source
		if pair == "" {
			continue
		}
		key, value, found := strings.Cut(pair, "=")
		key, okKey := unescapeLink(key)
		value, okValue := unescapeLink(value)
		switch {
		case !found:
			read.complain(text.linkNoValue, shorten(key))
		case !okKey || !okValue || strings.Contains(key+value, lost):
			read.complain(text.linkBroken, shorten(strings.ReplaceAll(pair, "%EF%BF%BD", "…")))
		case key == "v":
			n, err := strconv.Atoi(value)
			switch {
			case err != nil || n < 1:
				read.complain(text.linkNoVersion, shorten(value))
				continue
			case n > linkVersion:
				read.complain(text.linkNewer, n, linkVersion)
			}
			version = n
		default:
			pairs = append(pairs, calc.Pair{Key: key, Value: value})
		}
	}
	return pairs, version
}

// writeLink is the fragment of an input, without #; "" for the defaults.
func writeLink(changed iter.Seq2[string, string]) string {
	var b strings.Builder
	for key, value := range changed {
		if b.Len() == 0 {
			b.WriteString("v=" + strconv.Itoa(linkVersion))
		}
		b.WriteByte('&')
		escapeLink(&b, key)
		b.WriteByte('=')
		escapeLink(&b, value)
	}
	return b.String()
}

// escapeLink writes text with only those bytes escaped that would end a pair, that a fragment may not hold, or that get
// lost where people paste links.
func escapeLink(b *strings.Builder, text string) {
	const plain = "-._~!$'()*,;:@/?+"
	for _, c := range []byte(text) {
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', strings.IndexByte(plain, c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(b, "%%%02X", c)
		}
	}
}

// unescapeLink is the reverse; ok is false for half an escape, or bytes that are no text.
func unescapeLink(text string) (plain string, ok bool) {
	if !strings.Contains(text, "%") {
		return text, utf8.ValidString(text)
	}
	b := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		if text[i] != '%' {
			b = append(b, text[i])
			continue
		}
		if i+2 >= len(text) {
			return text, false
		}
		n, err := strconv.ParseUint(text[i+1:i+3], 16, 8)
		if err != nil {
			return text, false
		}
		b = append(b, byte(n))
		i += 2
	}
	return string(b), utf8.Valid(b)
}

// shorten is text as a message repeats it.
func shorten(text string) string {
	const most = 40
	text = strings.ToValidUTF8(text, "�")
	if len(text) <= most {
		return alone(text)
	}
	n := most
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return alone(text[:n]) + "…"
}

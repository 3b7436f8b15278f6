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
	complain := func(format string, v ...any) {
		if len(read.problems) < 8 {
			read.problems = append(read.problems, fmt.Sprintf(format, v...))
		}
	}
	for pair := range strings.SplitSeq(fragment, "&") {
		if pair == "" {
			continue
		}
		key, value, found := strings.Cut(pair, "=")
		key, okKey := unescapeLink(key)
		value, okValue := unescapeLink(value)
		switch {
		case !found:
			complain(text.linkNoValue, shorten(key))
			continue
		case !okKey || !okValue || strings.Contains(key+value, lost):
			complain(text.linkBroken, shorten(pair))
			continue
		case key == "v":
			if n, err := strconv.Atoi(value); err != nil || n < 1 {
				complain(text.linkNoVersion, shorten(value))
			} else if n > linkVersion {
				complain(text.linkNewer, n, linkVersion)
			}
			continue
		}
		if placeKey(key) {
			read.place = read.place.with(key, value)
			continue
		}
		// A wrong value is kept and shown under its field; an unknown key is kept and reported.
		_ = read.input.Set(key, value)
	}
	return read, true
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
		return text
	}
	n := most
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n] + "…"
}

package app

import (
	"fmt"
	"slices"
	"strings"

	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/provider"
	"github.com/partsize/partsize/calc/report"
)

// A list of topics is kept in the link with ; ! : for the ends of lines, spaces and equals signs, which would be three bytes
// each: orders!12!retention.bytes:10GiB;audit!3. None of these can be in a topic's name, nor in a setting's value; a text
// that has one of them all the same is kept as it is.

// packTopics is a list as the link has it.
func packTopics(list string) string {
	if strings.ContainsAny(list, "!:;") {
		return list
	}
	return strings.NewReplacer("\n", ";", " ", "!", "=", ":").Replace(list)
}

// unpackTopics is the reverse.
func unpackTopics(packed string) string {
	if strings.ContainsAny(packed, "\n =") {
		return packed
	}
	return strings.NewReplacer(";", "\n", "!", " ", ":", "=").Replace(packed)
}

// toolTopics is the topics of what Kafka's or IBM's tools print, as lines of a list. ok is false for what is none of that.
func toolTopics(content string) (lines string, ok bool) {
	switch kafkaconf.Detect([]byte(content), "") {
	case kafkaconf.FormatTopics, kafkaconf.FormatDescribe, kafkaconf.FormatIBMTopic:
	default:
		return "", false
	}
	r, err := kafkaconf.Parse([]byte(content), kafkaconf.Options{Names: provider.Names()})
	if err != nil || len(r.Read.Topics) == 0 {
		return "", false
	}
	var b strings.Builder
	for _, read := range r.Read.Topics {
		t := provider.Topic{Name: read.Name}
		one := kafkaconf.Result{Read: kafkaconf.Read{Topics: []kafkaconf.Topic{read}}}
		if t.Name == "" || one.Apply(&t.Config, "") != nil {
			continue
		}
		if read.Partitions != nil {
			t.Partitions = *read.Partitions
		}
		b.WriteString(provider.TopicLine(&t) + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n"), b.Len() > 0
}

// list takes a list of topics as it was typed or pasted.
func (s *state) list(content string) {
	if lines, ok := toolTopics(content); ok {
		content = lines
	}
	s.put(topicsKey, packTopics(content))
}

// others is the lines of the list of other topics.
func (s *state) others() []string {
	return strings.Split(strings.ReplaceAll(unpackTopics(s.place.of(topicsKey)), ";", "\n"), "\n")
}

// setOther gives another topic of the list a setting, or a number of partitions.
func (s *state) setOther(name, key, value string) {
	lines := s.others()
	for i, line := range lines {
		if words := strings.Fields(line); len(words) > 0 && words[0] == name {
			lines[i] = withSetting(words, key, value)
			break
		}
	}
	s.put(topicsKey, packTopics(strings.Join(lines, "\n")))
}

// withSetting is a line of the list with another value of a key. A number by itself is the partitions'.
func withSetting(words []string, key, value string) string {
	text := key + "=" + value
	if key == "partitions" {
		text = value
	}
	for i := range words[1:] {
		has, _, pair := strings.Cut(words[i+1], "=")
		if !pair {
			has = "partitions"
		}
		if provider.KafkasName(has) == key {
			words[i+1] = text
			return strings.Join(words, " ")
		}
	}
	if key == "partitions" {
		return strings.Join(append([]string{words[0], text}, words[1:]...), " ")
	}
	return strings.Join(append(words, text), " ")
}

// deleteOthers takes topics from the list.
func (s *state) deleteOthers(names []string) {
	lines := slices.DeleteFunc(s.others(), func(line string) bool {
		words := strings.Fields(line)
		return len(words) > 0 && slices.Contains(names, words[0])
	})
	s.put(topicsKey, packTopics(strings.Join(lines, "\n")))
}

// topicsView is the field of the other topics.
type topicsView struct {
	Text     string
	Says     string
	Internal string // which of them are Kafka's own
	Problems []string
	TooLong  string
}

func (s *state) topicsView() *topicsView {
	a := s.atService()
	v := &topicsView{Text: unpackTopics(s.place.of(topicsKey)), Says: serviceText.othersNone}
	switch n := a.others; {
	case n == 1:
		v.Says = serviceText.othersRead1
	case n > 1:
		v.Says = fmt.Sprintf(serviceText.othersRead, report.Number(int64(n)))
	}
	if n := len(a.internal); n > 0 {
		v.Internal = fmt.Sprintf(serviceText.internal, strings.Join(a.internal[:min(n, 5)], ", "))
	}
	for _, p := range a.listed {
		says := "“" + shorten(p.Value) + "” " + p.Problem
		if p.Hint != "" {
			says += "; " + p.Hint
		}
		v.Problems = append(v.Problems, says+".")
	}
	if n := len(s.fragment()); n > linkLimit {
		v.TooLong = fmt.Sprintf(serviceText.tooLong, report.Number(int64(n)), report.Number(linkLimit))
	}
	return v
}

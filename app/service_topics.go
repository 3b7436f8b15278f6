package app

import (
	"fmt"
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

// topicsView is the field of the other topics.
type topicsView struct {
	Text     string
	Says     string
	Problems []string
	TooLong  string
}

func (s *state) topicsView() *topicsView {
	a := s.atService()
	v := &topicsView{Text: unpackTopics(s.place.of(topicsKey)), Says: serviceText.othersNone}
	switch n := len(a.request.Topics) - 1; {
	case n == 1:
		v.Says = serviceText.othersRead1
	case n > 1:
		v.Says = fmt.Sprintf(serviceText.othersRead, report.Number(int64(n)))
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

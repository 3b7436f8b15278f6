package provider

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// mostLineProblems is how many problems of a list of topics are told; the last one says how many more there are.
const mostLineProblems = 8

// ParseTopics reads topics as a reader types them, one a line or parted by semicolons:
//
//	NAME [PARTITIONS] [key=value …]
//
// A line that is empty or begins with # is passed over. What is wrong is told with the number of its line, and the rest is
// read all the same; a topic that comes twice counts once.
func ParseTopics(text string) (topics []Topic, problems []*calc.FieldError) {
	more := 0
	complain := func(line int, value, problem, hint, nearest string) {
		if len(problems) == mostLineProblems {
			more++
			return
		}
		problems = append(problems, &calc.FieldError{Key: "topics", Value: value, Problem: fmt.Sprintf("in line %d: %s", line, problem), Hint: hint, Nearest: nearest})
	}
	names := map[string]bool{}
	number := 0
	for line := range strings.SplitSeq(strings.ReplaceAll(text, ";", "\n"), "\n") {
		number++
		words := strings.Fields(line)
		if len(words) == 0 || words[0][0] == '#' {
			continue
		}
		t := Topic{Name: words[0]}
		if strings.Contains(t.Name, "=") {
			complain(number, t.Name, "begins with a setting", "begin with the topic's name, as in orders 12 retention.bytes=10GiB", "")
			continue
		}
		if names[t.Name] {
			complain(number, t.Name, "the topic is there already", "leave one of them out", "")
			continue
		}
		if len(topics) == MaxTopics {
			complain(number, t.Name, fmt.Sprintf("there are more than %d topics", MaxTopics), "leave some out", "")
			break
		}
		for _, word := range words[1:] {
			key, value, pair := strings.Cut(word, "=")
			if !pair {
				key, value = "partitions", word
			}
			if err := t.Set(key, value); err != nil {
				p := calc.Problems(err)[0]
				complain(number, word, p.Problem, p.Hint, p.Nearest)
			}
		}
		names[t.Name] = true
		topics = append(topics, t)
	}
	if more > 0 {
		problems[mostLineProblems-1].Problem += fmt.Sprintf(" (and %d more problems)", more)
	}
	return topics, problems
}

// TopicLine is a topic as [ParseTopics] reads it.
func TopicLine(t *Topic) string {
	line := t.Name
	if t.Partitions > 0 {
		line += " " + strconv.FormatInt(t.Partitions, 10)
	}
	for key, value := range t.Config.Changed() {
		if key != "partitions" && !strings.ContainsAny(key+value, " \t\n;") {
			line += " " + key + "=" + value
		}
	}
	return line
}

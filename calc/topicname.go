package calc

import "strings"

// longestName is the most letters that the name of a topic has.
//
// Kafka: Topic.MAX_NAME_LENGTH.
const longestName = 249

// topicName is what Kafka would say of a topic's name.
//
// Kafka: Topic.validate.
func topicName(name string) *FieldError {
	var e *FieldError
	switch {
	case name == "":
		e = bad(name, "is empty, and a topic must have a name")
	case name == "." || name == "..":
		e = bad(name, "is a name that Kafka does not take")
	case len(name) > longestName:
		e = bad(name, "is longer than the 249 letters that Kafka takes")
	case strings.Map(nameLetter, name) != name:
		e = badNearest(name, "has other letters than Kafka takes in a topic's name: a to z, A to Z, 0 to 9, ., _ and -",
			strings.Map(nameLetter, strings.TrimSpace(name)))
	default:
		return nil
	}
	return e.hint("write the name as kafka-topics.sh --list prints it")
}

// CheckTopicName is what Kafka would say of a topic's name; nil where it takes it.
func CheckTopicName(name string) error {
	if e := topicName(name); e != nil {
		return e
	}
	return nil
}

// nameLetter is a letter where the name of a topic may have it, else a dash.
func nameLetter(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-' {
		return r
	}
	return '-'
}

// topicID is what is wrong with a topic's id; nothing is none.
//
// Kafka: Uuid.fromString.
func topicID(text string) *FieldError {
	if _, ok := ParseTopicID(text); ok || text == "" {
		return nil
	}
	return bad(text, "is not the id of a topic, which has 22 letters, digits, - and _").
		hint("copy TopicId from kafka-topics.sh --describe, or leave it out")
}

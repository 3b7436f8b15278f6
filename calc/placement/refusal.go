package placement

import "fmt"

// Refusal is an error that Kafka itself gives.
type Refusal struct {
	Class   string // Java's name of the exception
	Problem string // what Kafka says, nearly in its words
	Phrase  string // a part of Kafka's message that is the same in every release; may be empty
}

// Error is Kafka's message with the exception before it.
func (r *Refusal) Error() string { return r.Class + ": " + r.Problem }

// The exceptions.
const (
	kafkaErrors       = "org.apache.kafka.common.errors."
	storageException  = kafkaErrors + "KafkaStorageException"
	dirNotFound       = kafkaErrors + "LogDirNotFoundException"
	invalidTopic      = kafkaErrors + "InvalidTopicException"
	invalidAssignment = kafkaErrors + "InvalidReplicaAssignmentException"
	kafkaException    = "org.apache.kafka.common.KafkaException"
	configException   = "org.apache.kafka.common.config.ConfigException"
	illegalState      = "java.lang.IllegalStateException"
	noSuchElement     = "java.util.NoSuchElementException"
	unsupported       = "java.lang.UnsupportedOperationException"
	invalidFactor     = "InvalidReplicationFactorException"
)

func refuse(class, phrase, format string, args ...any) error {
	return &Refusal{Class: class, Phrase: phrase, Problem: fmt.Sprintf(format, args...)}
}

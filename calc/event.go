package calc

// EventKind is what happened to a segment or to the log.
type EventKind uint8

// The kinds of events.
const (
	Roll       EventKind = iota + 1 // a new active segment at Base
	Replace                         // the empty active segment, its index full, was deleted and made again at Base
	Delete                          // the segment at Base left the log; its files wait for removal
	Remove                          // the files of the deleted segment at Base are gone
	Reject                          // an append, or deleteRecords, was refused
	Copied                          // the remote store holds everything up to Base
	Stop                            // the broker stopped
	Start                           // the broker started
	TopicGone                       // the topic was deleted; its directory waits for removal
	DirGone                         // the directory of the deleted topic is gone
	KafkaFails                      // Kafka itself fails here; the simulation ends

	CopyStarted          // the copy of the segment at Base began: COPY_SEGMENT_STARTED
	CopyFinished         // the remote store has it: COPY_SEGMENT_FINISHED
	RemoteDeleteStarted  // its deletion from the remote store began, or was tried again: DELETE_SEGMENT_STARTED
	RemoteDeleteFinished // it is gone there: DELETE_SEGMENT_FINISHED
	RemoteDown           // the remote store is down
	RemoteUp             // the remote store is there again
)

var kindNames = [...]string{
	Roll: "roll", Replace: "replace", Delete: "delete", Remove: "removed", Reject: "reject", Copied: "copied",
	Stop: "stop", Start: "start", TopicGone: "delete_topic", DirGone: "removed", KafkaFails: "kafka_fails",
	CopyStarted: "copy_started", CopyFinished: "copy_finished", RemoteDeleteStarted: "remote_delete_started",
	RemoteDeleteFinished: "remote_delete_finished", RemoteDown: "remote_down", RemoteUp: "remote_up",
}

// String is the name that traces use.
func (k EventKind) String() string { return kindNames[k] }

// Reason is the setting, or the few words, that say why an event happened.
type Reason string

// The reasons that do not come from [rollReasons].
const (
	ByRetention  Reason = "retention"
	ByLogStart   Reason = "log start"
	ByTime       Reason = "retention.ms"
	ByMtime      Reason = "retention.ms (mtime)"
	BySize       Reason = "retention.bytes"
	ByLocalTime  Reason = "local.retention.ms"
	ByLocalMtime Reason = "local.retention.ms (mtime)"
	ByLocalSize  Reason = "local.retention.bytes"
	ByStart      Reason = "start"
	ByTopic      Reason = "topic"
	Clean        Reason = "clean"

	CopyFails Reason = "copy failed"

	RecordTooLarge      Reason = "RecordTooLargeException"
	InvalidTimestamp    Reason = "InvalidTimestampException"
	RecordBatchTooLarge Reason = "RecordBatchTooLargeException"
	OffsetOutOfRange    Reason = "OffsetOutOfRangeException"
)

// Event is something that happened at a time. Base is the base offset of the segment it is about; for [Copied] the last
// offset in the remote store, for [Reject] the log end offset or the offset asked for, −1 where there is none.
type Event struct {
	At     Millis
	Kind   EventKind
	Base   Offset
	Reason Reason
}

package calc

import (
	"iter"
	"strings"
)

// Plan is what a [Simulation] plays: a log's first configuration, its broker, and what happens to it.
type Plan struct {
	Log     LogConfig
	Broker  BrokerConfig
	Version Version
	Epoch   Millis // the wall clock at time 0, in milliseconds since the Unix epoch
	Until   Millis // the end; what is due at the end still happens
	Seed    uint64 // of the jitter that segment.jitter.ms draws for each segment
	Steps   StepSource

	// Remote is the remote half of a tiered log; nil: it is not played, and CopiedTo and CopyEvery say what is copied.
	Remote *RemoteConfig
}

// StepSource gives the steps of a plan in order of their time; steps of one time happen in the order given. A source is
// used up by reading it, so a reader takes a Clone first. It holds little state: the steps of ten years are made as they
// are asked for.
type StepSource interface {
	Next() (step Step, ok bool)
	Clone() StepSource
}

// StepList is a [StepSource] of steps that are known one by one.
type StepList []Step

// Next takes the first step off the list.
func (l *StepList) Next() (Step, bool) {
	if len(*l) == 0 {
		return Step{}, false
	}
	step := (*l)[0]
	*l = (*l)[1:]
	return step, true
}

// Clone is a source of the steps that are left.
func (l *StepList) Clone() StepSource {
	rest := *l
	return &rest
}

// Step is something that happens to the log at a time.
type Step struct {
	At Millis
	Do Action
}

// Action is what a [Step] does: [Append], [Configure], [DeleteRecords], [Restart], [HighWatermark], [CopiedTo],
// [CopyEvery], [RemoteStore], [LastStable] or [DeleteTopic].
type Action interface{ action() }

// Append is a run of append calls at a regular interval. Call i comes floor(i·IntervalNum/IntervalDen) milliseconds
// after the step's time.
type Append struct {
	Count       int64 // calls; ≥ 1
	IntervalNum int64 // milliseconds between calls, as the ratio IntervalNum/IntervalDen; 0: all in one millisecond
	IntervalDen int64 // ≥ 1

	Batch   Bytes   // bytes of a batch, header included
	Cycle   []Bytes // sizes of the batches in turn, when they differ; Batch is then not used
	Records int64   // records in a batch, ≥ 1
	Batches int64   // batches in a call, ≥ 1; more than one for followers only

	Timestamp Timestamp
	Spread    Millis // a batch's last record is Spread·(Records-1) later than its first

	Follower  bool
	Offset    Offset // offset of the first batch, for followers; -1: the log end offset
	Producer  int64  // producer id of the first batch's idempotent producer, or -1
	Producers int64  // batch i is of producer Producer + i mod Producers
	Aborts    bool   // the batches are the markers of aborted transactions
}

// Configure changes the log's settings while it runs.
type Configure struct{ Log LogConfig }

// DeleteRecords moves the log start offset (AdminClient.deleteRecords).
type DeleteRecords struct{ Before Offset }

// Restart stops the broker cleanly and starts it Down milliseconds later.
type Restart struct{ Down Millis }

// HighWatermark sets the high watermark. Offset −1 lets it follow the log end again, −2 freezes it where it is.
type HighWatermark struct{ Offset Offset }

// CopiedTo says that everything up to Offset is in the remote store.
type CopiedTo struct{ Offset Offset }

// CopyEvery copies closed segments below the high watermark at every Period from the step on; 0 stops it. With
// [Plan.Remote] it sets the interval of the tasks, and 0 changes nothing: there the log's configuration decides.
type CopyEvery struct{ Period Millis }

// RemoteStore lets the remote store be down for a time, [Never] for good; 0 lets it be there again. It needs [Plan.Remote].
type RemoteStore struct{ Down Millis }

// LastStable sets the last stable offset, as a transaction does that hangs. Offset −1 lets it follow the high watermark
// again, −2 freezes it where it is. It needs [Plan.Remote].
type LastStable struct{ Offset Offset }

// DeleteTopic deletes the topic.
type DeleteTopic struct{}

func (Append) action()        {}
func (Configure) action()     {}
func (DeleteRecords) action() {}
func (Restart) action()       {}
func (HighWatermark) action() {}
func (CopiedTo) action()      {}
func (CopyEvery) action()     {}
func (DeleteTopic) action()   {}
func (RemoteStore) action()   {}
func (LastStable) action()    {}

// TimestampKind is how a run stamps its batches.
type TimestampKind uint8

const (
	AppendTimestamp TimestampKind = iota // the time of the call, plus Shift
	CycledTimestamp                      // the time of the call, plus Shifts in turn
	FixedTimestamp                       // From + Step·i, relative to the plan's Epoch
	AbsentTimestamp                      // none
)

// Timestamp is how batch i of a run is stamped, i counted over all batches of the run.
type Timestamp struct {
	Kind   TimestampKind
	Shift  Millis
	Shifts []Millis
	From   Millis
	Step   Millis
}

// splitList yields the trimmed, non-empty parts of a comma separated list.
func splitList(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" && !yield(part) {
				return
			}
		}
	}
}

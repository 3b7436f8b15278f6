package provider

import (
	"math"

	"github.com/partsize/partsize/calc"
)

// Confidence is how well the source of a rule was read.
type Confidence string

// The confidences.
const (
	PageRead    Confidence = "page read"    // the whole page or source file
	ExcerptRead Confidence = "excerpt read" // the passage that says it
	Unverified  Confidence = "unverified"   // implied by the source, not said by it
)

// ReadOn is the day on which the sources were read, as ISO 8601 writes it.
const ReadOn = "2026-11-30"

// Source is where a rule was read.
type Source struct {
	Title      string     `json:"title"`
	URL        string     `json:"url"`
	Edition    string     `json:"edition,omitempty"` // of the page, where it says: a date or a commit
	Read       string     `json:"read"`              // the day, as ISO 8601 writes it
	Confidence Confidence `json:"confidence"`
}

// Effect is what comes of a rule that is broken. The gravest come first.
type Effect uint8

// The effects.
const (
	Refused  Effect = iota + 1 // the service says no
	Blocked                    // nothing more can be written
	Lost                       // records go before their time
	Outgrown                   // the disk does not grow fast enough
	Slowed                     // producers are throttled
	Changed                    // the service takes another value instead
	Ignored                    // the setting has no effect
	Advised                    // against the service's advice, or a notice is sent
	Noted                      // worth knowing
	Accepted                   // no rule is broken
	Unknown                    // it cannot be said without more input
)

var effectNames = [...]string{Refused: "refused", Blocked: "writes blocked", Lost: "deleted early", Outgrown: "outgrown",
	Slowed: "slowed down", Changed: "changed", Ignored: "ignored", Advised: "advised against", Noted: "note",
	Unknown: "not known", Accepted: "accepted"}

// String is a word or two for the effect.
func (e Effect) String() string { return effectNames[e] }

// MarshalText writes the effect's words.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// Breach reports whether a topic does not work as its settings say: all from [Refused] to [Changed].
func (e Effect) Breach() bool { return Refused <= e && e <= Changed }

// When is which topics a rule is about.
type When uint8

// The topics.
const (
	Always     When = iota
	Tiered          // remote.storage.enable=true
	Compacting      // cleanup.policy contains compact
	OnlyKeys        // cleanup.policy is compact alone
	Deleting        // cleanup.policy contains delete
)

var whenNames = [...]string{Always: "all", Tiered: "tiered", Compacting: "compacted", OnlyKeys: "compacted, without delete",
	Deleting: "with delete"}

// String says which topics.
func (w When) String() string { return whenNames[w] }

// Rule is one thing that a service does. Exactly one of its shapes is set.
type Rule struct {
	ID     string    // in its service
	Says   string    // what the service does, in a sentence
	Plans  []string  // for which it holds; none: for all
	When   When      // for which topics it holds
	If     calc.Pair // an option and the value with which alone it holds; "" for any
	Effect Effect    // when it is broken; a ladder's rungs have their own
	Error  string    // what a client gets, in the service's own terms; "" if not known

	Bound       *Bound
	Reservation *Reservation
	Ladder      *Ladder
	Staircase   *Staircase
	Tier        *Tier
	Fixed       *Fixed

	Source Source
	Doubt  string // why the source's confidence is [Unverified]; else ""

	// Pass and Break are a request each, as [Parse] reads it: one that keeps the rule and one that breaks it.
	Pass, Break string
}

// Shape is the name of the rule's shape.
func (r *Rule) Shape() string {
	switch {
	case r.Bound != nil:
		return "bound"
	case r.Reservation != nil:
		return "reservation"
	case r.Ladder != nil:
		return "ladder"
	case r.Staircase != nil:
		return "staircase"
	case r.Tier != nil:
		return "tier"
	case r.Fixed != nil:
		return "fixed"
	}
	return ""
}

// No bound on this side.
const (
	noLeast = math.MinInt64
	noMost  = math.MaxInt64
)

// Bound limits a key: a topic's setting, an [Option], or a [Fact].
type Bound struct {
	Key         string
	Least, Most int64    // in the key's unit: bytes, milliseconds, plain; noLeast and noMost: none. Unlimited counts as the most there is
	Step        int64    // the value is a multiple of it; 0: any
	Without     string   // a word that the value must not contain
	OneOf       []string // values that are taken, numbers from low to high; none: all
	With        []Pairing
	EndlessWith string // no limit is taken if this other key has one
}

// Pairing is the values of a key that go with one value of another.
type Pairing struct {
	Key    string // of the other
	Value  string
	Values []string // of the bound's own key
}

// Reservation is bytes set aside by a formula, and the share of the storage that they may take.
//
//	a partition = retention.bytes (with Retention) + Segments × segment + Indexes × segment.index.bytes × (⌊retention.bytes ÷ segment⌋ + 1)
type Reservation struct {
	Retention bool
	Segments  int64
	Indexes   int64
	Segment   calc.Bytes // size of a segment; 0: segment.bytes
	OnlyKeys  calc.Bytes // of a partition with cleanup.policy=compact, instead of the formula; 0: by the formula
	Copies    bool       // each replica counts
	Of        string     // the option that is the storage: "storage", of the instance, or "disk", of each broker
	Less      calc.Bytes // of the storage, that the service takes for itself
	Percent   int64      // of the rest that may be reserved
}

// Ladder is what a service does by the share of a disk that is in use.
type Ladder struct {
	Whose string // "broker", "instance" or "volume"
	Rungs []Rung // from low to high
}

// Rung is a step of a ladder.
type Rung struct {
	Percent int64      // of the disk, from which on it holds
	Free    calc.Bytes // instead of Percent: it holds with less free than this
	// FreeOption is an option that says Free; without it the rung is not there.
	FreeOption string
	Effect     Effect
	Action     string // what is done, a clause
	Beat       string // how often; "" where nothing is done
}

// Staircase is a disk that grows by steps and never shrinks.
type Staircase struct {
	Least    calc.Bytes  // of a step
	Percent  int64       // of the disk, a step; the larger of the two
	CoolDown calc.Millis // between two steps
	Look     calc.Millis // how often the use is looked at
	From, To int64       // percent of use that may be chosen as the target
	Target   int64       // percent, when none is chosen
	Most     calc.Bytes  // of a disk
}

// Tier is what a remote copy means.
type Tier struct {
	If TierIf
}

// TierIf is when a tier rule has something to say about a tiered topic.
type TierIf uint8

// The conditions.
const (
	IfTiered      TierIf = iota + 1 // always
	IfSlow                          // a segment takes longer to close than local retention is: nothing is copied before
	IfLocalWhole                    // no local limit: everything is held twice
	IfLocalRaised                   // local retention is raised
)

// Fixed is what cannot be chosen.
type Fixed struct {
	Key   string
	Value string // the only value; "": see Unset and May
	Unset bool   // the key cannot be set at all
	May   Change // what a change may do
	// From and To are the one change that is not possible; "": see May.
	From, To string
}

// Change is how a value may be changed.
type Change uint8

// The changes.
const (
	NoChange Change = iota // not at all
	OnlyUp
)

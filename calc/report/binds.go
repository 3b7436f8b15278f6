package report

import (
	"github.com/partsize/partsize/calc"
)

// Binds is what decides over the size of a log: the limit that deletes, and what comes on top of it.
type Binds struct {
	By    Words // in a few words
	Terms []BindsTerm
}

// BindsTerm is a part of the worst case and the settings that it comes from.
type BindsTerm struct {
	What   string
	Keys   []string
	Amount string
}

// BindsOf is what decides over the size of a scenario's log.
func BindsOf(a *calc.Answer) (b Binds) {
	t := a.Timeline
	c := a.Scenario.Log()
	by := MainReason(t.Counts().DeletionsBy)
	key := keyOf(calc.Reason(by))
	cleaned := a.Scenario.Log().Compact && a.Compacted.OK
	switch {
	case cleaned:
		b.By.figure("the keys")
		b.By.say(", while the cleaner keeps up")
	case key == "retention.bytes" || key == "local.retention.bytes":
		b.By.figure("size")
		b.By.say(", by ")
		b.By.key(key)
	case key == "retention.ms" || key == "local.retention.ms":
		b.By.figure("time")
		b.By.say(", by ")
		b.By.key(key)
	case by != "":
		b.By.figure(by)
	case c.RetentionMs < 0 && c.RetentionBytes < 0 || !c.Delete:
		b.By.figure("nothing")
		b.By.say(": the log grows for ever")
	default:
		b.By.figure("nothing yet")
		b.By.say(": no segment is deleted in " + Span(t.Until()))
	}
	if cleaned {
		for _, term := range a.Compacted.Terms {
			_, short, _ := cleanedPart(term.Keys[0])
			b.Terms = append(b.Terms, BindsTerm{short, term.Keys[:1], SizeText(term.Bytes)})
		}
	}
	if !a.Bound.OK {
		return b
	}
	for i, term := range a.Bound.Terms {
		what := [...]string{"kept", "oldest segment, whole", "until the next check", "until deleted files go"}[i]
		keys := []string{term.Keys[0]}
		if keys[0] == "retention.ms" {
			keys = []string{"retention.ms", "produce"}
		}
		b.Terms = append(b.Terms, BindsTerm{what, keys, SizeText(term.Bytes)})
	}
	return b
}

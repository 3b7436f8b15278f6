package calc

import (
	"fmt"
	"strings"
)

// partErrors collects what is wrong with the parts of a text that is a list.
type partErrors struct {
	text string
	told []*FieldError
	more int // parts that are wrong and not told one by one
	from int // the first of them, counted from 1
}

// Limits of what is told of one list: how many parts, and bytes of its text, which each error repeats.
const (
	maxPartErrors = 20
	maxPartText   = 1 << 20
)

// add notes what is wrong with part i, counted from 0; nil: nothing.
func (p *partErrors) add(i int, part string, err *FieldError) {
	n := len(p.told)
	switch {
	case err == nil:
	case p.more == 0 && (n == 0 || n < maxPartErrors && (n+1)*len(p.text) <= maxPartText):
		p.told = append(p.told, err.inPart(p.text, i, part))
	default:
		if p.more++; p.more == 1 {
			p.from = i + 1
		}
	}
}

// err is the first error, which has the others with it; nil: nothing is wrong.
func (p *partErrors) err() *FieldError {
	if len(p.told) == 0 {
		return nil
	}
	all := p.told
	if p.more > 0 {
		all = append(all, bad(p.text, fmt.Sprintf("has %d more entries that are wrong, the first of them entry %d", p.more, p.from)).
			hint("mend those above, and see what is left"))
	}
	all[0].more = all[1:]
	return all[0]
}

// inPart is the error about a part of a list as an error about the whole text.
func (e *FieldError) inPart(text string, i int, part string) *FieldError {
	c := *e
	c.Value = text
	c.Problem = fmt.Sprintf("entry %d, %s, %s", i+1, shown(strings.TrimSpace(part)), e.Problem)
	if e.Hint == "" && e.Nearest != "" {
		c.Hint = "write " + e.Nearest + " there"
	}
	c.Nearest = ""
	return &c
}

package fleet

import (
	"errors"
	"fmt"
	"strings"
)

// Place is where in what was read something stands, for messages. The zero Place is nowhere in particular.
type Place struct {
	File string
	Path string // as "topics[3].replication.factor"
	Line int    // from 1; 0: not known

	keys []keyLine // below it, those that are in another line
}

// keyLine is a key and the line that it is in.
type keyLine struct {
	key  string
	line int
}

// Key is the place of a key below a place.
func (p Place) Key(key string) Place {
	if p.Path == "" {
		return p // a whole file; its keys have no paths
	}
	under := Place{File: p.File, Path: p.Path + "." + key, Line: p.Line}
	for _, k := range p.keys { // what is inside comes behind what it is in
		if rest, ok := strings.CutPrefix(key, k.key); ok && (rest == "" || rest[0] == '.' || rest[0] == '[') {
			under.Line = k.line
		}
	}
	return under
}

// Problem is one thing that is wrong with what was read.
type Problem struct {
	Place
	Text   string // a clause without capital and full stop
	Before int    // the line of what it is at odds with; 0: none
}

// Says is the text with the line of what it is at odds with.
func (p *Problem) Says() string {
	if p.Before > 0 {
		return fmt.Sprintf("%s; it was in line %d", p.Text, p.Before)
	}
	return p.Text
}

// Error is the place, the problem and the line.
func (p *Problem) Error() string {
	text := p.Says()
	for _, before := range []string{p.Path, p.File} {
		if before != "" {
			text = before + ": " + text
		}
	}
	if p.Line > 0 {
		text += fmt.Sprintf(" (line %d)", p.Line)
	}
	return text
}

// maxProblems is how many problems are told.
const maxProblems = 100

// Problems are what is wrong, each once.
type Problems struct {
	all  []error
	seen map[string]bool
}

func (p *Problems) add(at Place, format string, args ...any) {
	p.put(&Problem{Place: at, Text: fmt.Sprintf(format, args...)})
}

func (p *Problems) put(one *Problem) {
	text := one.Error()
	if p.seen[text] || len(p.all) > maxProblems {
		return
	}
	if p.seen == nil {
		p.seen = map[string]bool{}
	}
	p.seen[text] = true
	if len(p.all) == maxProblems {
		one = &Problem{Text: "and more of the kind"}
	}
	p.all = append(p.all, one)
}

// join adds those that an error joins.
func (p *Problems) join(err error) {
	for _, one := range ProblemsOf(err) {
		p.put(one)
	}
}

// err joins them; nil for none.
func (p *Problems) err() error { return errors.Join(p.all...) }

// ProblemsOf is the problems that an error of this package joins; any other error is one without a place.
func ProblemsOf(err error) (all []*Problem) {
	var one *Problem
	many, joined := err.(interface{ Unwrap() []error })
	switch {
	case err == nil:
	case joined:
		for _, e := range many.Unwrap() {
			all = append(all, ProblemsOf(e)...)
		}
	case errors.As(err, &one):
		all = append(all, one)
	default:
		all = append(all, &Problem{Text: err.Error()})
	}
	return all
}

package main

import (
	"errors"
	"flag"
	"fmt"
)

// comparison is what replay and place were asked, and what came of it: both play recorded traces and compare.
type comparison struct {
	t    *terminal
	json bool
	most int // differences of each trace that are shown

	compared, differing int
	bad                 error // a file that is no trace
	unsaid              error // what could not be written
}

// parse reads the command line and gives the files to compare, those of directories among them.
func (c *comparison) parse(flags *flag.FlagSet, args []string) (named, files []string, err error) {
	flags.BoolVar(&c.json, "json", false, "")
	flags.IntVar(&c.most, "differences", 5, "")
	named, err = parseArguments(flags, args)
	switch {
	case err != nil:
		return nil, nil, err
	case c.most < 0:
		return nil, nil, bad("write how many to show, from 0 on", "--differences %d is no number of differences", c.most)
	case len(named) == 0:
		return nil, nil, bad(`give files, directories, or "-" for standard input`, "%s needs at least one trace", flags.Name())
	}
	files, err = traceFiles(named)
	return named, files, err
}

// run compares the files one by one, and says how many agree.
func (c *comparison) run(files []string, file func(name string) error) error {
	p := c.t.progress("replaying")
	for i, name := range files {
		p.show(fmt.Sprintf("%d of %d traces", i, len(files)))
		if err := file(name); err != nil {
			p.end()
			return err
		}
	}
	p.end()
	if c.compared > 1 && !c.json {
		c.say("%d of %d traces agree\n", c.compared-c.differing, c.compared)
	}
	switch {
	case c.unsaid != nil:
		return c.unsaid
	case c.bad != nil:
		return c.bad
	case c.differing > 0:
		return errFindings
	}
	return nil
}

// noTrace reports a file that cannot be played; the others still are.
func (c *comparison) noTrace(name string, err error) error {
	var usage *usageError
	if !errors.As(err, &usage) {
		err = bad("give a trace as --json or a recorder writes it; one that was cut off must be copied again", "%s: is no trace: %v", name, err)
	}
	c.t.code(err)
	c.bad = &usageError{}
	return nil
}

// tell reports how a trace of some extent compares.
func tell[D any](c *comparison, name, extent string, differences []D) {
	c.compared++
	if len(differences) == 0 {
		c.say("%s: agrees, %s\n", name, extent)
		return
	}
	c.differing++
	c.say("%s: %s\n", name, count(int64(len(differences)), "difference"))
	for _, d := range differences[:min(len(differences), c.most)] {
		c.say("  %v\n", d)
	}
	if more := len(differences) - c.most; more > 0 {
		c.say("  … %d more\n", more)
	}
}

// say writes to standard output, or beside it where that holds the computed traces.
func (c *comparison) say(format string, args ...any) {
	w := c.t.out
	if c.json {
		w = c.t.err
	}
	if _, err := fmt.Fprintf(w, format, args...); c.unsaid == nil {
		c.unsaid = err
	}
}

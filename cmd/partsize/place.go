package main

import (
	"flag"
	"fmt"
	"slices"

	"github.com/partsize/partsize/calc/placement/trace"
)

const placeHelp = `usage: partsize place TRACE … [--json] [--differences N]

Plays recorded placement traces with this model and compares every row:
directory, candidates in their order, counts, what is on the disk, errors
(kafka-placement-trace/1); random numbers and assignments
(kafka-replica-trace/1); the order in which a broker makes logs
(kafka-creation-trace/1). A directory stands for the traces in it, "-" for
standard input. A scenario has nothing to compare.

  --json            write what was computed, in the format of the traces
  --differences N   show the first N differences of each trace, 5 if not given

Exit codes: 0 all agree, 1 there are differences, 2 bad input.
`

// placing is what place was asked.
type placing struct {
	t    *terminal
	json bool
	most int

	compared, differing int
	bad                 error // a file that is no trace
}

func replayPlacements(t *terminal, args []string) error {
	flags := flag.NewFlagSet("place", flag.ContinueOnError)
	p := placing{t: t}
	flags.BoolVar(&p.json, "json", false, "")
	flags.IntVar(&p.most, "differences", 5, "")
	names, err := parseArguments(flags, args)
	if err != nil {
		return t.asked(err, placeHelp)
	}
	if len(names) == 0 {
		return bad(`give files, directories, or "-" for standard input`, "place needs at least one trace")
	}
	files, err := traceFiles(names)
	if err != nil {
		return err
	}
	progress := t.progress("replaying")
	for i, name := range files {
		progress.show(fmt.Sprintf("%d of %d traces", i, len(files)))
		if err := p.file(name, slices.Contains(names, name)); err != nil {
			progress.end()
			return err
		}
	}
	progress.end()
	if p.compared > 1 && !p.json {
		fmt.Fprintf(t.out, "%d of %d traces agree\n", p.compared-p.differing, p.compared)
	}
	switch {
	case p.bad != nil:
		return p.bad
	case p.differing > 0:
		return errFindings
	}
	return nil
}

// file replays one file. A file that is no trace is reported, and the others are still replayed; one that was not named,
// but lies in a directory with traces, is left out.
func (p *placing) file(name string, named bool) error {
	data, err := p.t.readFile(name, trace.MaxSize)
	if err != nil {
		return err
	}
	if !named && !trace.IsPlacement(data) {
		p.t.report("%s: is no placement trace, and left out", name)
		return nil
	}
	want, err := trace.Decode(data)
	var got *trace.Trace
	if err == nil {
		got, err = trace.Replay(want)
	}
	if err != nil {
		p.t.report("%s: %v", name, err)
		p.bad = &usageError{}
		return nil
	}
	if p.json {
		if _, err := p.t.out.Write(got.AppendJSON(nil)); err != nil {
			return err
		}
	}
	if !want.Recorded() {
		p.say("%s: a scenario, with nothing to compare: %s\n", name, got.Extent())
		return nil
	}
	p.compared++
	differences := trace.Compare(want, got)
	if len(differences) == 0 {
		p.say("%s: agrees, %s\n", name, want.Extent())
		return nil
	}
	p.differing++
	p.say("%s: %d differences\n", name, len(differences))
	for _, d := range differences[:min(len(differences), max(p.most, 0))] {
		p.say("  %v\n", d)
	}
	if more := len(differences) - p.most; more > 0 {
		p.say("  … %d more\n", more)
	}
	return nil
}

// say writes to standard output, or beside it where that holds the computed traces.
func (p *placing) say(format string, args ...any) {
	w := p.t.out
	if p.json {
		w = p.t.err
	}
	fmt.Fprintf(w, format, args...)
}

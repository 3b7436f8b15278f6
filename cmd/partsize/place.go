package main

import (
	"flag"
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

func replayPlacements(t *terminal, args []string) error {
	c := comparison{t: t}
	named, files, err := c.parse(flag.NewFlagSet("place", flag.ContinueOnError), args)
	if err != nil {
		return t.asked(err, placeHelp)
	}
	return c.run(files, func(name string) error { return c.placement(name, slices.Contains(named, name)) })
}

// placement replays one file. A file that is no trace is reported, and the others are still replayed; one that was not
// named, but lies in a directory with traces, is left out.
func (c *comparison) placement(name string, named bool) error {
	data, err := c.t.readFile(name, trace.MaxSize)
	if err != nil {
		return c.noTrace(name, err)
	}
	if !named && !trace.IsPlacement(data) {
		c.t.report("%s: is no placement trace, and left out", name)
		return nil
	}
	want, err := trace.Decode(data)
	var got *trace.Trace
	if err == nil {
		got, err = trace.Replay(want)
	}
	if err != nil {
		return c.noTrace(name, err)
	}
	if c.json {
		if _, err := c.t.out.Write(got.AppendJSON(nil)); err != nil {
			return err
		}
	}
	if !want.Recorded() {
		c.say("%s: a scenario, with nothing to compare: %s\n", name, got.Extent())
		return nil
	}
	tell(c, name, want.Extent(), trace.Compare(want, got))
	return nil
}

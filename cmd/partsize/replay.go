package main

import (
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/partsize/partsize/calc/trace"
)

const replayHelp = `usage: partsize replay TRACE … [--json] [--differences N] [--any-blocks]

Plays the steps of recorded traces (kafka-log-trace/1) with this model and
compares every event and every sample: log start and end, size, the totals, each
file of each segment. A directory stands for the .json files in it, "-" for
standard input. A scenario (kafka-log-scenario/1) has nothing to compare.

  --json            write what was computed, in the format of the traces
  --differences N   show the first N differences of each trace, 5 if not given
  --any-blocks      do not compare allocated bytes: the trace was recorded on
                    another file system than ext4 with blocks of 4096 bytes

Exit codes: 0 all agree, 1 there are differences, 2 bad input.
`

// replaying is what replay was asked.
type replaying struct {
	t         *terminal
	json      bool
	most      int
	anyBlocks bool

	compared, differing int
	bad                 error // the first file that is no trace
}

func replay(t *terminal, args []string) error {
	flags := flag.NewFlagSet("replay", flag.ContinueOnError)
	r := replaying{t: t}
	flags.BoolVar(&r.json, "json", false, "")
	flags.IntVar(&r.most, "differences", 5, "")
	flags.BoolVar(&r.anyBlocks, "any-blocks", false, "")
	names, err := parseArguments(flags, args)
	if err != nil {
		return t.asked(err, replayHelp)
	}
	if len(names) == 0 {
		return bad(`give files, directories, or "-" for standard input`, "replay needs at least one trace")
	}
	files, err := traceFiles(names)
	if err != nil {
		return err
	}
	p := t.progress("replaying")
	for i, name := range files {
		p.show(fmt.Sprintf("%d of %d traces", i, len(files)))
		if err := r.file(name); err != nil {
			p.end()
			return err
		}
	}
	p.end()
	if r.compared > 1 && !r.json {
		fmt.Fprintf(t.out, "%d of %d traces agree\n", r.compared-r.differing, r.compared)
	}
	switch {
	case r.bad != nil:
		return r.bad
	case r.differing > 0:
		return errFindings
	}
	return nil
}

// traceFiles is the files that were named, and those of the directories.
func traceFiles(names []string) ([]string, error) {
	var files []string
	for _, name := range names {
		if info, err := os.Stat(name); name == "-" || err != nil || !info.IsDir() {
			files = append(files, name) // a missing file is reported when it is opened
			continue
		}
		before := len(files)
		err := filepath.WalkDir(name, func(path string, entry fs.DirEntry, err error) error {
			if err == nil && !entry.IsDir() && strings.HasSuffix(path, ".json") {
				files = append(files, path)
			}
			return err
		})
		if err != nil {
			return nil, bad("", "%s: %v", name, plainError(err))
		}
		if len(files) == before {
			return nil, bad("", "%s: there is no .json file in it", name)
		}
	}
	return files, nil
}

// file replays one file. A file that is no trace is reported, and the others are still replayed.
func (r *replaying) file(name string) error {
	data, err := r.t.readFile(name, trace.MaxSize)
	if err != nil {
		return err
	}
	want, err := trace.Decode(data)
	if err != nil {
		r.t.report("%s: %v", name, err)
		r.bad = &usageError{}
		return nil
	}
	got, err := trace.Replay(want)
	if err != nil {
		r.compared++
		r.differing++
		r.say("%s: Kafka itself fails here: %v\n", name, err)
		return nil
	}
	if r.json {
		if _, err := r.t.out.Write(append(got.AppendJSON(nil), '\n')); err != nil {
			return err
		}
	}
	if want.KafkaVersion == "" && len(want.Samples) == 0 {
		r.say("%s: a scenario, with nothing to compare: %d events, %d samples\n", name, len(got.Events), len(got.Samples))
		return nil
	}
	compare := trace.Compare
	if r.anyBlocks {
		compare = trace.CompareFiles
	}
	r.compare(name, want, compare(want, got))
	return nil
}

// compare reports the differences of one trace.
func (r *replaying) compare(name string, want *trace.Trace, differences []trace.Difference) {
	r.compared++
	if len(differences) == 0 {
		r.say("%s: agrees, %d events, %d samples\n", name, len(want.Events), len(want.Samples))
		return
	}
	r.differing++
	r.say("%s: %d differences\n", name, len(differences))
	for _, d := range differences[:min(len(differences), r.most)] {
		r.say("  %v\n", d)
	}
	if more := len(differences) - r.most; more > 0 {
		r.say("  … %d more\n", more)
	}
}

// say writes to standard output, or beside it where that holds the computed traces.
func (r *replaying) say(format string, args ...any) {
	w := r.t.out
	if r.json {
		w = r.t.err
	}
	fmt.Fprintf(w, format, args...)
}

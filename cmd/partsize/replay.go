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

func replay(t *terminal, args []string) error {
	flags := flag.NewFlagSet("replay", flag.ContinueOnError)
	anyBlocks := flags.Bool("any-blocks", false, "")
	c := comparison{t: t}
	_, files, err := c.parse(flags, args)
	if err != nil {
		return t.asked(err, replayHelp)
	}
	compare := trace.Compare
	if *anyBlocks {
		compare = trace.CompareFiles
	}
	return c.run(files, func(name string) error { return c.log(name, compare) })
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
			return nil, bad("give a directory of traces alone", "%s: %v", name, err)
		}
		if len(files) == before {
			return nil, bad("give files, or a directory with traces", "%s: there is no .json file in it", name)
		}
	}
	return files, nil
}

// log replays one file. A file that is no trace is reported, and the others are still replayed.
func (c *comparison) log(name string, compare func(want, got *trace.Trace) []trace.Difference) error {
	data, err := c.t.readFile(name, trace.MaxSize)
	if err != nil {
		return c.noTrace(name, err)
	}
	want, err := trace.Decode(data)
	if err != nil {
		return c.noTrace(name, err)
	}
	got, err := trace.Replay(want)
	if err != nil {
		c.compared++
		c.differing++
		c.say("%s: Kafka itself fails here: %v\n", name, err)
		return nil
	}
	if c.json {
		if _, err := c.t.out.Write(append(got.AppendJSON(nil), '\n')); err != nil {
			return err
		}
	}
	if want.KafkaVersion == "" && len(want.Samples) == 0 {
		c.say("%s: a scenario, with nothing to compare: %d events, %d samples\n", name, len(got.Events), len(got.Samples))
		return nil
	}
	tell(c, name, fmt.Sprintf("%d events, %d samples", len(want.Events), len(want.Samples)), compare(want, got))
	return nil
}

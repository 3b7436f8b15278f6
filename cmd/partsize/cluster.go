package main

import (
	"errors"
	"flag"
	"fmt"

	"github.com/partsize/partsize/calc/fleet"
)

const clusterHelp = `usage: partsize cluster FILE … [--format FORMAT]

Says how full each log directory of a cluster gets, and when: every topic's
partitions on every broker, placed as Kafka does, over time. Files are

  a description (partsize-cluster/1, see docs/cluster-json.md): brokers with
  their directories, topics with their traffic, and what happens when
  the output of kafka-topics.sh --describe: topics with their replicas
  the output of kafka-log-dirs.sh --describe: what each replica holds now

in any order and number; topics of the same name are one. Without a description
nothing is produced. "-" is standard input.

  --format FORMAT   text, json, or csv (bytes of each directory over time)
  --seeds N         place the topics with N seeds of the controller's random
                    numbers, and show the spread; 20 if not given, fewer or none
                    where replicas are many, 0 for none

Exit codes: 0 done, 1 a directory gets full, 2 bad input; what is wrong is then
named by file, key and line, all of it at once.
`

func cluster(t *terminal, args []string) error {
	flags := flag.NewFlagSet("cluster", flag.ContinueOnError)
	format := flags.String("format", "text", "")
	seeds := flags.Int("seeds", -1, "")
	names, err := parseArguments(flags, args)
	if err != nil {
		return t.asked(err, clusterHelp)
	}
	if *format != "text" && *format != "json" && *format != "csv" {
		return bad("the formats are text, json and csv", "there is no format %q", *format)
	}
	if *seeds < -1 || *seeds > fleet.MaxDraws {
		return bad("", "--seeds %d: give a number from 0 to %d", *seeds, fleet.MaxDraws)
	}
	if len(names) == 0 {
		return bad(`give files, or "-" for standard input`, "cluster needs at least one file")
	}
	description, warnings, err := t.description(names)
	if err != nil {
		return t.refuseCluster(err, warnings, *format)
	}
	result, err := t.workOut(description, *seeds)
	if err != nil {
		return t.refuseCluster(err, warnings, *format)
	}
	var out []byte
	switch *format {
	case "json":
		out, err = result.JSON(warnings)
	case "csv":
		out = result.CSV()
	default:
		out = result.Text()
	}
	if err != nil {
		return err
	}
	if _, err := t.out.Write(out); err != nil {
		return err
	}
	if result.Full() {
		return errFindings
	}
	return nil
}

// workOut plays a cluster, and places its topics with other seeds; with −1 seeds as many as are usual.
func (t *terminal) workOut(d *fleet.Description, seeds int) (*fleet.Result, error) {
	p := t.progress("simulating")
	defer p.end()
	result, err := fleet.Run(d, func(done, all int) bool {
		p.show(fmt.Sprintf("%d of %d kinds of partitions", done, all))
		return true
	})
	if err != nil {
		return nil, err
	}
	if seeds < 0 {
		seeds = result.UsualDraws()
	}
	return result, result.Draw(seeds, func(done, all int) bool {
		p.show(fmt.Sprintf("%d of %d seeds", done, all))
		return true
	})
}

// refuseCluster says everything that is wrong, for programs on standard output.
func (t *terminal) refuseCluster(err error, warnings []string, format string) error {
	if format == "json" {
		out, err := fleet.ProblemsJSON(err, warnings)
		if err != nil {
			return err
		}
		if _, err := t.out.Write(out); err != nil {
			return err
		}
		return &usageError{}
	}
	for _, one := range fleet.ProblemsOf(err) {
		t.report("%v", one)
	}
	var unread *usageError
	if errors.As(err, &unread) && unread.hint != "" {
		t.report("hint: %s", unread.hint)
	}
	return &usageError{}
}

// description reads the files into one description. A file that cannot be read is a problem like others.
func (t *terminal) description(names []string) (d *fleet.Description, warnings []string, err error) {
	var files []fleet.File
	var unread []error
	for _, name := range names {
		data, err := t.readFile(name, fleet.MaxSize)
		if err != nil {
			unread = append(unread, err)
			continue
		}
		files = append(files, fleet.File{Name: name, Data: data})
	}
	d, warnings, err = fleet.ReadFiles(files)
	for _, w := range warnings {
		t.report("warning: %s", w)
	}
	return d, warnings, errors.Join(append(unread, err)...)
}

package main

import (
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

Exit codes: 0 done, 1 a directory gets full, 2 bad input; what is wrong is then
named by file and key, all of it at once.
`

func cluster(t *terminal, args []string) error {
	flags := flag.NewFlagSet("cluster", flag.ContinueOnError)
	format := flags.String("format", "text", "")
	names, err := parseArguments(flags, args)
	if err != nil {
		return t.asked(err, clusterHelp)
	}
	if *format != "text" && *format != "json" && *format != "csv" {
		return bad("the formats are text, json and csv", "there is no format %q", *format)
	}
	if len(names) == 0 {
		return bad(`give files, or "-" for standard input`, "cluster needs at least one file")
	}
	description, err := t.description(names)
	if err != nil {
		return err
	}
	p := t.progress("simulating")
	result, err := fleet.Run(description, func(done, all int) bool {
		p.show(fmt.Sprintf("%d of %d kinds of partitions", done, all))
		return true
	})
	p.end()
	if err != nil {
		return t.joined(err)
	}
	var out []byte
	switch *format {
	case "json":
		out, err = result.JSON()
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

// joined reports each of the errors that one joins.
func (t *terminal) joined(err error) error {
	many, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	for _, one := range many.Unwrap() {
		t.report("%v", one)
	}
	return &usageError{}
}

// description reads the files into one description.
func (t *terminal) description(names []string) (*fleet.Description, error) {
	var files []fleet.File
	for _, name := range names {
		data, err := t.readFile(name, fleet.MaxSize)
		if err != nil {
			return nil, err
		}
		files = append(files, fleet.File{Name: name, Data: data})
	}
	d, warnings, err := fleet.ReadFiles(files)
	for _, w := range warnings {
		t.report("warning: %s", w)
	}
	if err != nil {
		return nil, t.joined(err)
	}
	return d, nil
}

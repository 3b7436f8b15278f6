package main

import (
	"flag"
)

const checkHelp = `usage: partsize check [FILE …] [key=value …] [--json]
       partsize check --service NAME [FILE …] [key=value …] [FLAGS]

Without a service: does what brokers know of remote segments outlive them? Holds
tiered topics against the retention of __remote_log_metadata, which is too short
when a segment can be left that nobody can read or delete (KAFKA-15682).

  partsize check server.properties topics.txt
  partsize check topics.txt __remote_log_metadata:retention.ms=30d
  partsize check topics.txt orders:produce=5MiB/s partitions=50 restart.all=20d

All topics of the files that have remote.storage.enable=true are checked
together, under the traffic given by produce and its like; NAME:key=value is for
one topic, __remote_log_metadata included. restart.all is when all brokers
restart, remote.price what a GiB costs a month, remote.outage.tolerated an
outage of the store to survive, brokers how many share the metadata's disk.

With a service: holds topics against what it reserves, refuses and deletes.

  partsize check --service ibm-event-streams topics.txt storage=2TB
  partsize check --service amazon-msk retention.ms=2d remote.storage.enable=true
  partsize check --service all retention.bytes=50GiB partitions=36 storage=2TB

Files are those that "partsize read" reads: all topics of all of them are
checked together. key=value is an option of the instance, such as storage=2TB,
or a setting for all topics, such as segment.bytes=1GiB; NAME:key=value is for
one topic. The names that a service's pages use for settings are understood.
Where traffic is given, as in produce=5MiB/s, the topics are simulated.
docs/services.md lists the services, their rules with sources, and the options.

  --service NAME   the service, or all: one line for each
  --before FILE    what there was before a change: what cannot be changed is
                   then checked, too (also was:key=value); may come twice
  --json           in JSON

Exit codes: 0 no rule is broken, 1 a breach, or a retention that is not safe in
any traffic, 2 bad input. What is advised against, noted, or not known without
more input is no breach.
`

// check holds files against limits: with a service against its rules, without one by themselves.
func check(t *terminal, args []string) error {
	flags := flag.NewFlagSet("check", flag.ContinueOnError)
	var before list
	flags.Var(&before, "before", "")
	service := flags.String("service", "", "")
	asJSON := flags.Bool("json", false, "")
	others, err := parseArguments(flags, args)
	if err != nil {
		return t.asked(err, checkHelp)
	}
	if *service == "" {
		named := false
		flags.Visit(func(f *flag.Flag) { named = named || f.Name == "service" })
		switch {
		case named: // a variable of a pipeline that is not set must not pass another check
			return bad("give one with --service NAME, or all of them with --service all", "--service has no name")
		case len(before) > 0:
			return bad("give one with --service NAME, or all of them with --service all", "--before needs a service")
		case len(others) == 0:
			return bad("give files, or settings such as retention.ms=30d; a service with --service NAME", "check needs something to check")
		}
		return t.checkMetadata(others, *asJSON)
	}
	return t.checkService(*service, others, before, *asJSON)
}

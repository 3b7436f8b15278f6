// Command conformance compares the model with Apache Kafka on random scenarios.
//
//	conformance -seeds 1-50 -kafka 4.3.1
//	conformance -kafka 4.4.0 scenario.json trace.json …
//	conformance -placement -seeds 1-50
//
// It draws a scenario for each seed, has Kafka's own log classes play it (the recorder in calc/testdata/recorder, built
// with Maven), plays it with the model, and compares every event and every file of every sample. Scenarios at which
// Kafka itself fails must fail in the model too. A scenario that differs is kept, with Kafka's trace and the model's.
//
// The exit status is 0 when all agree, 1 when any differs, 2 when it could not be found out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"syscall"
)

// Exit statuses.
const (
	agree = iota
	differ
	noSetUp
)

// options are what the command line asks for.
type options struct {
	seeds    []uint64
	kafka    string
	keep     string // where the scenarios that differ go
	work     string // where Kafka keeps its files
	jobs     int    // Java processes at a time
	placing  bool   // placement of replicas instead of logs
	recorder string // the recorder's sources
	build    string // where the recorder is built
	jar      string // its name there
	files    []string
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	status := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(status)
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return agree
	}
	var status int
	switch {
	case err != nil:
	case o.placing:
		status, err = conformPlacement(ctx, o, stdout, stderr)
	default:
		status, err = conform(ctx, o, stdout, stderr)
	}
	if err != nil {
		fmt.Fprintln(stderr, "conformance:", err)
		return noSetUp
	}
	return status
}

var release = regexp.MustCompile(`^\d+\.\d+\.\d+$`)

func parse(args []string, stderr io.Writer) (options, error) {
	var o options
	var seeds string
	flags := flag.NewFlagSet("conformance", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&seeds, "seeds", "", "the `SEEDS` to draw scenarios of, for example 1-50 or 3,7,100-120")
	flags.StringVar(&o.kafka, "kafka", "4.3.1", "the Kafka `VERSION` to compare with, 4.1 to 4.4")
	flags.StringVar(&o.keep, "keep", "", "keep every scenario and both traces in `DIR` (default: those that differ, in build/conformance)")
	flags.StringVar(&o.work, "work", "", "where Kafka keeps its files, `DIR` (default: a temporary directory)")
	flags.IntVar(&o.jobs, "jobs", min(4, runtime.NumCPU()), "how many Java processes record at a time, `N`")
	flags.BoolVar(&o.placing, "placement", false, "compare which directory and which brokers replicas go to, not logs")
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: conformance -seeds 1-50 [-placement] [-kafka 4.3.1] [-keep DIR] [-work DIR] [-jobs N] [SCENARIO or TRACE …]")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.files = flags.Args()
	var err error
	if o.seeds, err = parseSeeds(seeds); err != nil {
		return o, fmt.Errorf("-seeds %s: %w", seeds, err)
	}
	if len(o.seeds) == 0 && len(o.files) == 0 {
		return o, errors.New("nothing to do: give -seeds, for example -seeds 1-50, or scenario files")
	}
	if o.jobs < 1 || o.jobs > 64 {
		return o, fmt.Errorf("-jobs %d: not between 1 and 64", o.jobs)
	}
	if !release.MatchString(o.kafka) {
		return o, fmt.Errorf("-kafka %s: not a release such as 4.3.1", o.kafka)
	}
	root, err := moduleRoot()
	if err != nil {
		return o, err
	}
	o.recorder = filepath.Join(root, "calc", "testdata", "recorder")
	o.build, o.jar = filepath.Join(root, "build", "recorder-"+o.kafka), "kafka-log-recorder.jar"
	if o.placing {
		o.recorder = filepath.Join(root, "calc", "placement", "testdata", "recorder")
		o.build, o.jar = filepath.Join(root, "build", "placement-recorder-"+o.kafka), "kafka-placement-recorder.jar"
	}
	return o, nil
}

// moduleRoot is the directory of the module, from any directory in it.
func moduleRoot() (string, error) {
	directory, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if data, err := os.ReadFile(filepath.Join(directory, "go.mod")); err == nil &&
			strings.HasPrefix(string(data), "module github.com/partsize/partsize\n") {
			return directory, nil
		}
		parent := filepath.Dir(directory)
		if parent == directory {
			return "", errors.New("run it in Partsize's source tree: it builds the recorder from there")
		}
		directory = parent
	}
}

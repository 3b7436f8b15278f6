package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"

	"github.com/partsize/partsize/calc/placement/trace"
)

// placementRun is one run over placement: scenarios, and the counts of what became of them.
type placementRun struct {
	options
	recorder      *recorder
	directory     string // of scenarios and traces
	stdout        io.Writer
	agree, differ int
	rows          int
}

// conformPlacement compares where replicas go. An error is about the set-up: nothing is known of the model then.
func conformPlacement(ctx context.Context, o options, stdout, stderr io.Writer) (status int, err error) {
	c := placementRun{options: o, stdout: stdout}
	if c.directory, err = os.MkdirTemp("", "conformance"); err != nil {
		return noSetUp, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(c.directory)) }()
	p := newProgress(stderr)
	p.show("building the recorder with Kafka %s", o.kafka)
	if c.recorder, err = buildRecorder(ctx, &c.options); err != nil {
		return noSetUp, err
	}
	again := map[string]string{}
	var paths []string
	for _, seed := range o.seeds {
		name := "random-" + strconv.FormatUint(seed, 10)
		// One scenario about directories, and one about brokers or the order of creation.
		for _, text := range []string{dirsScenario(name, filepath.Join(c.directory, "kafka"), seed), brokersScenario(name+"-brokers", seed), creationScenario(name+"-order", seed)} {
			path := filepath.Join(c.directory, strconv.Itoa(len(paths))+".json")
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				return noSetUp, err
			}
			paths = append(paths, path)
			again[path] = "-placement -seeds " + strconv.FormatUint(seed, 10)
		}
	}
	for _, path := range o.files {
		paths = append(paths, path)
		again[path] = "-placement " + path
	}
	p.show("recording %d scenarios", len(paths))
	if err := c.record(ctx, paths); err != nil {
		return noSetUp, err
	}
	p.clear()
	for _, path := range paths {
		if err := c.compare(path, again[path]); err != nil {
			return noSetUp, err
		}
	}
	fmt.Fprintf(stdout, "%d placement scenarios with Kafka %s: %d agree, %d differ.\n%d steps and cases compared.\n", len(paths), o.kafka, c.agree, c.differ, c.rows)
	if c.differ > 0 {
		return differ, nil
	}
	return agree, nil
}

// record has Kafka's classes play the scenarios, all in one process: they use the same directories.
func (c *placementRun) record(ctx context.Context, paths []string) error {
	arguments := []string{"-cp", c.recorder.classPath, "placement.Main", "-o", filepath.Join(c.directory, "traces")}
	command := exec.CommandContext(ctx, c.recorder.java, append(arguments, paths...)...)
	var problems bytes.Buffer
	command.Stderr = &problems
	if err := command.Run(); err != nil {
		return fmt.Errorf("the recorder: %w\n%s", err, lastLines(problems.Bytes(), 15))
	}
	return nil
}

// compare plays a scenario that was recorded, and reports what differs.
func (c *placementRun) compare(path, again string) error {
	scenario, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	given, err := trace.Decode(scenario)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	data, err := os.ReadFile(filepath.Join(c.directory, "traces", given.Name+".json"))
	if err != nil {
		return err
	}
	want, err := trace.Decode(data)
	if err != nil {
		return fmt.Errorf("the recorder's trace of %s: %w", again, err)
	}
	if want.KafkaVersion != c.options.kafka {
		return fmt.Errorf("asked for Kafka %s, the recorder has %s", c.options.kafka, want.KafkaVersion)
	}
	c.rows += len(want.Rows) + len(want.Replicas) + len(want.Creation)
	got, err := trace.Replay(want)
	var found []string
	if err != nil {
		found = []string{"the model fails, Kafka does not: " + err.Error()}
	} else {
		for _, d := range trace.Compare(want, got) {
			found = append(found, fmt.Sprint(d))
		}
	}
	if found == nil {
		c.agree++
		return c.keepFiles(c.keep, given.Name, scenario, data)
	}
	c.differ++
	keep := c.keep
	if keep == "" {
		keep = filepath.Join(filepath.Dir(c.build), "conformance")
	}
	fmt.Fprintf(c.stdout, "%s differs:\n", given.Name)
	for i, line := range found {
		if i == shownEach {
			fmt.Fprintf(c.stdout, "  and %d more\n", len(found)-i)
			break
		}
		fmt.Fprintf(c.stdout, "  %s\n", line)
	}
	fmt.Fprintf(c.stdout, "  scenario: %s\n  again:    go run ./cmd/conformance -kafka %s %s\n", filepath.Join(keep, given.Name+".scenario.json"), c.options.kafka, again)
	return c.keepFiles(keep, given.Name, scenario, data)
}

// keepFiles writes a scenario and Kafka's trace where they stay; nowhere keeps nothing.
func (c *placementRun) keepFiles(directory, name string, scenario, kafka []byte) error {
	if directory == "" {
		return nil
	}
	return errors.Join(os.MkdirAll(directory, 0o777),
		os.WriteFile(filepath.Join(directory, name+".scenario.json"), scenario, 0o666),
		os.WriteFile(filepath.Join(directory, name+".kafka.json"), kafka, 0o666))
}

package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/trace"
)

const (
	// atOnce is how many scenarios one Java process records; Kafka's classes leave threads behind.
	atOnce = 200
	// shown is how many differing scenarios are shown, and shownEach how many differences of each.
	shown, shownEach = 10, 3
)

// conformance is one run: scenarios, and the counts of what became of them.
type conformance struct {
	options
	recorder  *recorder
	directory string // of scenarios and traces
	noBlocks  string // why allocated bytes are not compared
	stdout    io.Writer
	progress  progress
	scenarios []scenario

	mutex           sync.Mutex // of what follows
	done            int
	agree, differ   int
	fail            int // at which Kafka fails, and the model too
	unusable        []string
	events, samples int
	kafka, model    time.Duration
}

// scenario is one scenario to compare.
type scenario struct {
	trace.Scenario
	again string // the argument that plays it again
}

// conform compares all scenarios. An error is about the set-up: nothing is known of the model then.
func conform(ctx context.Context, o options, stdout, stderr io.Writer) (status int, err error) {
	c := conformance{options: o, stdout: stdout, progress: newProgress(stderr)}
	if c.scenarios, err = o.scenarios(); err != nil {
		return noSetUp, err
	}
	if c.directory, err = os.MkdirTemp("", "conformance"); err != nil {
		return noSetUp, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(c.directory)) }()
	if c.work == "" {
		c.work = filepath.Join(c.directory, "work")
	}
	for _, directory := range []string{c.work, c.path("scenarios"), c.path("traces")} {
		if err := os.MkdirAll(directory, 0o777); err != nil {
			return noSetUp, err
		}
	}
	c.progress.show("building the recorder with Kafka %s", c.options.kafka)
	if c.recorder, err = buildRecorder(ctx, &c.options); err != nil {
		return noSetUp, err
	}
	if c.noBlocks, err = probeBlocks(c.work); err != nil {
		return noSetUp, err
	}
	if err := c.playAll(ctx); err != nil {
		return noSetUp, err
	}
	c.progress.clear()
	c.summary()
	switch {
	case len(c.unusable) > 0:
		return noSetUp, errors.New(strings.Join(c.unusable, "\n"))
	case c.differ > 0:
		return differ, nil
	}
	return agree, nil
}

func (c *conformance) path(parts ...string) string {
	return filepath.Join(append([]string{c.directory}, parts...)...)
}

// scenarios draws those of the seeds and reads those of the files.
func (o *options) scenarios() ([]scenario, error) {
	var all []scenario
	names := make(map[string]string)
	add := func(s scenario) error {
		if other, ok := names[s.Name]; ok {
			return fmt.Errorf("%s and %s are both called %s", other, s.again, s.Name)
		}
		names[s.Name] = s.again
		all = append(all, s)
		return nil
	}
	for _, seed := range o.seeds {
		if err := add(scenario{*trace.Generate(seed), "-seeds " + strconv.FormatUint(seed, 10)}); err != nil {
			return nil, err
		}
	}
	for _, path := range o.files {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		t, err := trace.Decode(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if err := add(scenario{played(t), path}); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// played is the scenario of a trace, without the steps that come after the end of a recording that stopped early.
func played(t *trace.Trace) trace.Scenario {
	s := t.Scenario
	for i := range s.Steps {
		if s.Steps[i].At > s.Until {
			s.Steps = s.Steps[:i]
			break
		}
	}
	return s
}

// playAll records and compares all scenarios, in several Java processes at a time.
func (c *conformance) playAll(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	size := max(1, min(atOnce, (len(c.scenarios)+c.jobs-1)/c.jobs))
	chunks := make(chan []scenario)
	var workers sync.WaitGroup
	for range c.jobs {
		workers.Go(func() {
			for some := range chunks {
				if err := c.play(ctx, some); err != nil {
					cancel(err)
				}
			}
		})
	}
	for some := range slices.Chunk(c.scenarios, size) {
		chunks <- some
	}
	close(chunks)
	workers.Wait()
	if err := context.Cause(ctx); !errors.Is(err, context.Canceled) {
		return err
	}
	return errors.New("interrupted")
}

// play records some scenarios and compares each.
func (c *conformance) play(ctx context.Context, some []scenario) error {
	byName := make(map[string]*scenario)
	var paths []string
	for i := range some {
		s := &some[i]
		path := c.path("scenarios", s.Name+".json")
		if err := os.WriteFile(path, s.AppendJSON(nil), 0o666); err != nil {
			return err
		}
		byName[s.Name] = s
		paths = append(paths, path)
	}
	var problem error
	err := c.recorder.record(ctx, paths, c.path("traces"), func(name string, r recording) {
		c.mutex.Lock()
		defer c.mutex.Unlock()
		if problem == nil {
			problem = c.compare(byName[name], r)
		}
		c.done++
		c.progress.show("%d of %d, %d differ", c.done, len(c.scenarios), c.differ)
	})
	return cmp.Or(problem, err)
}

// compare plays a scenario that was recorded, and notes what differs.
func (c *conformance) compare(s *scenario, r recording) error {
	if r.trace == "" {
		return c.compareFailure(s, r.failure)
	}
	data, err := os.ReadFile(r.trace)
	if err != nil {
		return err
	}
	want, err := trace.Decode(data)
	if err != nil {
		return fmt.Errorf("the recorder's trace of %s: %w", s.again, err)
	}
	if want.KafkaVersion != c.options.kafka {
		return fmt.Errorf("asked for Kafka %s, the recorder has %s", c.options.kafka, want.KafkaVersion)
	}
	start := time.Now()
	got, err := trace.Replay(want)
	c.model += time.Since(start)
	c.kafka += r.kafka
	c.events += len(want.Events)
	c.samples += len(want.Samples)
	if err != nil {
		return c.differs(s, want, got, []string{"the model fails, Kafka does not: " + err.Error()})
	}
	found := trace.Compare(want, got)
	if c.noBlocks != "" {
		found = trace.CompareFiles(want, got)
	}
	if len(found) > 0 {
		lines := make([]string, len(found))
		for i, difference := range found {
			lines[i] = difference.String()
		}
		return c.differs(s, want, got, lines)
	}
	c.agree++
	if c.keep != "" {
		return c.keepFiles(c.keep, s, want, got)
	}
	return nil
}

var failureTime = regexp.MustCompile(kafkaFails + ` at (\d+) ms`)

// compareFailure is [conformance.compare] for a scenario without a trace. Where Kafka fails the model must, at the same
// time if it says when; any other failure is a scenario that cannot be recorded.
func (c *conformance) compareFailure(s *scenario, failure string) error {
	m := failureTime.FindStringSubmatch(failure)
	if m == nil {
		c.unusable = append(c.unusable, s.again+" cannot be recorded: "+failure)
		return nil
	}
	given := &trace.Trace{Scenario: s.Scenario, KafkaVersion: c.options.kafka, Order: trace.Order}
	got, err := trace.Replay(given)
	if err == nil {
		return c.differs(s, nil, got, []string{"the model does not fail. " + failure})
	}
	if at, ok := failedAt(got); ok && strconv.FormatInt(int64(at), 10) != m[1] {
		return c.differs(s, nil, got, []string{fmt.Sprintf("the model fails at %d ms. %s", at, failure)})
	}
	c.fail++
	if c.keep != "" {
		return c.keepFiles(c.keep, s, nil, got)
	}
	return nil
}

// failedAt is when the model says that Kafka fails.
func failedAt(got *trace.Trace) (at calc.Millis, ok bool) {
	for _, event := range got.Events {
		if event.Kind == calc.KafkaFails.String() {
			return event.T, true
		}
	}
	return 0, false
}

// differs reports the first differences of a scenario, and keeps its files.
func (c *conformance) differs(s *scenario, want, got *trace.Trace, differences []string) error {
	c.differ++
	keep := c.keep
	if keep == "" {
		keep = filepath.Join(filepath.Dir(c.build), "conformance")
	}
	if err := c.keepFiles(keep, s, want, got); err != nil || c.differ > shown {
		return err
	}
	c.progress.clear()
	fmt.Fprintf(c.stdout, "%s differs:\n", s.Name)
	for i, difference := range differences {
		if i == shownEach {
			fmt.Fprintf(c.stdout, "  and %d more\n", len(differences)-i)
			break
		}
		fmt.Fprintf(c.stdout, "  %s\n", difference)
	}
	fmt.Fprintf(c.stdout, "  scenario: %s\n", filepath.Join(keep, s.Name+".scenario.json"))
	fmt.Fprintf(c.stdout, "  again:    go run ./cmd/conformance -kafka %s %s\n", c.options.kafka, s.again)
	return nil
}

// keepFiles writes a scenario, and what Kafka and the model made of it, where they stay.
func (c *conformance) keepFiles(directory string, s *scenario, want, got *trace.Trace) error {
	if err := os.MkdirAll(directory, 0o777); err != nil {
		return err
	}
	write := func(what string, data []byte) error {
		return os.WriteFile(filepath.Join(directory, s.Name+"."+what+".json"), data, 0o666)
	}
	err := write("scenario", s.AppendJSON(nil))
	if want != nil {
		err = errors.Join(err, write("kafka", want.AppendJSON(nil)))
	}
	if got != nil {
		err = errors.Join(err, write("model", got.AppendJSON(nil)))
	}
	return err
}

// summary says what was compared, and how long it took.
func (c *conformance) summary() {
	out := c.stdout
	fmt.Fprintf(out, "%d scenarios with Kafka %s: %d agree, %d differ", len(c.scenarios), c.options.kafka, c.agree+c.fail, c.differ)
	if c.fail > 0 {
		fmt.Fprintf(out, "; at %d of those that agree Kafka itself fails, and the model", c.fail)
	}
	fmt.Fprintf(out, ".\n%d events and %d samples compared", c.events, c.samples)
	if c.noBlocks != "" {
		fmt.Fprintf(out, ", but not the allocated bytes: %s", c.noBlocks)
	}
	fmt.Fprintln(out, ".")
	if c.model > 0 {
		fmt.Fprintf(out, "Kafka's log layer took %.1f s, the model %.3f s: %.0f times as long.\n",
			c.kafka.Seconds(), c.model.Seconds(), c.kafka.Seconds()/c.model.Seconds())
	}
	if c.differ > shown {
		fmt.Fprintf(out, "%d more differ; their files are kept beside the others.\n", c.differ-shown)
	}
}

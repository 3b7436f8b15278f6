package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// recorder plays scenarios against Kafka's own log classes.
type recorder struct {
	java      string // the program
	classPath string
	work      string // where Kafka keeps its files
}

// recording is what became of one scenario: a trace, or why there is none.
type recording struct {
	trace   string        // the trace's file; "" when there is none
	failure string        // what the recorder said instead
	kafka   time.Duration // how long Kafka's classes worked
}

// kafkaFails is what the recorder says of a scenario at which Kafka itself fails.
const kafkaFails = "Kafka itself fails"

// buildRecorder builds the recorder for a Kafka release, unless that is done.
func buildRecorder(ctx context.Context, o *options) (*recorder, error) {
	r := recorder{
		classPath: filepath.Join(o.build, o.jar) + string(os.PathListSeparator) +
			filepath.Join(o.build, "lib-"+o.kafka, "*"),
		work: o.work,
	}
	var err error
	if r.java, err = program("java", "a Java 17 runtime"); err != nil {
		return nil, err
	}
	for _, needed := range []string{"bash", "find"} {
		if _, err := program(needed, "GNU bash and findutils"); err != nil {
			return nil, err
		}
	}
	if built(o) {
		return &r, nil
	}
	maven, err := program("mvn", "Apache Maven and a Java 17 development kit")
	if err != nil {
		return nil, err
	}
	build := exec.CommandContext(ctx, maven, "-q", "-B", "package", "-Dkafka.version="+o.kafka, "-Drecorder.build="+o.build)
	build.Dir = o.recorder
	if output, err := build.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("the recorder does not build with Kafka %s: %w\n%s", o.kafka, err, lastLines(output, 15))
	}
	return &r, nil
}

// program finds a program, or says what to install.
func program(name, whatFor string) (string, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return "", fmt.Errorf("%s is missing: the recorder needs %s; nothing was compared", name, whatFor)
	}
	return path, nil
}

// built reports whether the recorder is newer than its sources.
func built(o *options) bool {
	jar, err := os.Stat(filepath.Join(o.build, o.jar))
	if err != nil {
		return false
	}
	libraries, err := filepath.Glob(filepath.Join(o.build, "lib-"+o.kafka, "kafka_*-"+o.kafka+".jar"))
	if err != nil || len(libraries) == 0 {
		return false
	}
	current := true
	err = filepath.WalkDir(o.recorder, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.ModTime().After(jar.ModTime()) {
			current = false
		}
		return err
	})
	return err == nil && current
}

var recorded = regexp.MustCompile(`^(\S+) kafka=(\S+) .* kafka_ms=([0-9.]+) `)

// record plays scenario files, and gives what became of each as soon as it is known. Names are those in the files, which
// are called <name>.json. Traces go to the directory traces.
func (r *recorder) record(ctx context.Context, scenarios []string, traces string, done func(name string, recording recording)) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	arguments := []string{"-cp", r.classPath, "recorder.Main", "-o", traces, "-w", r.work}
	command := exec.CommandContext(ctx, r.java, append(arguments, scenarios...)...)
	var problems bytes.Buffer
	command.Stderr = &problems
	output, err := command.StdoutPipe()
	if err != nil {
		return err
	}
	if err := command.Start(); err != nil {
		return err
	}
	left := make(map[string]bool)
	for _, path := range scenarios {
		left[strings.TrimSuffix(filepath.Base(path), ".json")] = true
	}
	for lines := bufio.NewScanner(output); lines.Scan(); {
		m := recorded.FindStringSubmatch(lines.Text())
		if m == nil || !left[m[1]] {
			continue
		}
		delete(left, m[1])
		ms, err := strconv.ParseFloat(m[3], 64)
		if err != nil {
			ms = 0
		}
		done(m[1], recording{
			trace: filepath.Join(traces, m[1]+".json"),
			kafka: time.Duration(ms * float64(time.Millisecond)),
		})
	}
	_, _ = io.Copy(io.Discard, output) // after a line that is too long the recorder still has to end
	err = command.Wait()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for _, path := range scenarios {
		name := strings.TrimSuffix(filepath.Base(path), ".json")
		if !left[name] {
			continue
		}
		failure := problemOf(problems.String(), path)
		if failure == "" {
			return fmt.Errorf("the recorder ends without a trace of %s: %w\n%s", path, err, lastLines(problems.Bytes(), 15))
		}
		done(name, recording{failure: failure})
	}
	return nil
}

// problemOf is what the recorder says about a scenario file, without the file's name.
func problemOf(output, path string) string {
	for line := range strings.Lines(output) {
		if problem, ok := strings.CutPrefix(strings.TrimRight(line, "\r\n"), path+": "); ok {
			return problem
		}
	}
	return ""
}

// lastLines is the end of a program's output.
func lastLines(output []byte, most int) string {
	lines := strings.Split(strings.TrimSpace(string(output)), "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// probeBlocks says why allocated bytes cannot be compared in a directory, "" when they can: the model counts as ext4
// does, whole blocks of 4096 bytes and none for holes.
func probeBlocks(directory string) (string, error) {
	if !countsBlocks {
		return "this program cannot count blocks on " + runtime.GOOS, nil
	}
	probes := []struct{ written, length, want int64 }{
		{0, 0, 0}, {1, 1, 4096}, {4096, 4096, 4096}, {4097, 4097, 8192}, {0, 10 << 20, 0}, {4097, 10 << 20, 8192},
	}
	for _, probe := range probes {
		got, err := blocksOf(filepath.Join(directory, "probe"), probe.written, probe.length)
		if err != nil {
			return "", err
		}
		if got != probe.want {
			return fmt.Sprintf("a file of %d bytes, %d of them written, takes %d and not %d there", probe.length, probe.written, got, probe.want), nil
		}
	}
	return "", nil
}

// blocksOf is how much of the disk a file takes that holds so many bytes and is then made so long.
func blocksOf(path string, written, length int64) (blocks int64, err error) {
	file, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	defer func() {
		err = errors.Join(err, file.Close(), os.Remove(path))
	}()
	if _, err := file.Write(bytes.Repeat([]byte{1}, int(written))); err != nil {
		return 0, err
	}
	if err := file.Truncate(length); err != nil {
		return 0, err
	}
	info, err := file.Stat()
	if err != nil {
		return 0, err
	}
	return allocated(info), nil
}

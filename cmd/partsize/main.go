// Partsize says how many bytes one Kafka partition puts on disk, when, and why.
//
//	partsize simulate [key=value …] [--config FILE …]
//	partsize replay   TRACE …
//	partsize place    TRACE …
//	partsize cluster  FILE …
//	partsize read     FILE …
//	partsize check    [--service NAME] [FILE …] [key=value …]
//	partsize settings [KEY …]
//	partsize version
//
// partsize help COMMAND says more about each. Exit codes: 0 done, 1 a finding or difference, 2 bad input.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/kafkaconf"
	"github.com/partsize/partsize/calc/report"
)

// Exit codes.
const (
	exitDone    = 0
	exitFinding = 1
	exitBad     = 2
)

// command is a subcommand.
type command struct {
	name, line string // what it does, in a line
	help       string
	run        func(*terminal, []string) error
}

func commands() []command {
	return []command{
		{"simulate", "play a partition's log and say what it puts on disk", simulateHelp, simulate},
		{"replay", "play recorded traces and compare every byte", replayHelp, replay},
		{"place", "play recorded placements and compare every row", placeHelp, replayPlacements},
		{"cluster", "say how full the directories of a whole cluster get, and when", clusterHelp, cluster},
		{"read", "say what is read from a configuration or a traffic series", readHelp, read},
		{"check", "hold topics against what a service allows, or against their metadata's life", checkHelp, check},
		{"settings", "list the settings", settingsHelp, settings},
		{"version", "say which version this is", versionHelp, version},
	}
}

const about = `partsize says how many bytes one Kafka partition puts on disk, when, and why

usage: partsize COMMAND [ARGUMENTS]

%s
"partsize help COMMAND" says more. Exit codes: 0 done, 1 a finding or
difference, 2 bad input.
`

func main() {
	t := &terminal{in: os.Stdin, out: os.Stdout, err: os.Stderr}
	os.Exit(t.run(os.Args[1:]))
}

// terminal is where a command reads and writes. Answers go to out, everything else to err.
type terminal struct {
	in       io.Reader
	out, err *os.File
	taken    bool // standard input is read already
}

// errFindings is returned by a command that did its work and found something.
var errFindings = errors.New("findings")

// usageError is a mistake on the command line, or in what was given.
type usageError struct {
	problem string
	hint    string // what to do; may be empty
}

func (e *usageError) Error() string { return e.problem }

func bad(hint, format string, args ...any) error {
	return &usageError{problem: fmt.Sprintf(format, args...), hint: hint}
}

// run runs a command line and gives the exit code.
func (t *terminal) run(args []string) int {
	if len(args) == 0 {
		_ = t.help(t.err, nil)
		return exitBad
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) > 0 && strings.HasPrefix(rest[0], "-") {
			rest = nil
		}
		return t.code(t.help(t.out, rest))
	case "-version", "--version":
		name = "version"
	}
	var names []string
	for _, c := range commands() {
		if c.name == name {
			return t.code(c.run(t, rest))
		}
		names = append(names, c.name)
	}
	return t.code(bad(`the commands are `+strings.Join(names, ", ")+`; "partsize help" says more`, "there is no command %q", name))
}

// code reports an error and gives its exit code. Messages have no capital and no full stop; what to do comes on a line of
// its own.
func (t *terminal) code(err error) int {
	var usage *usageError
	switch {
	case err == nil:
		return exitDone
	case errors.Is(err, errFindings):
		return exitFinding
	case errors.As(err, &usage):
		if usage.problem != "" {
			t.report("%s", usage.problem)
		}
		if usage.hint != "" {
			t.report("hint: %s", usage.hint)
		}
	default:
		t.report("%v", err)
	}
	return exitBad
}

// refuse says everything that is wrong with an input, each with its place where a file has it.
func (t *terminal) refuse(problems []*calc.FieldError, o report.Options, asJSON bool) error {
	for _, p := range problems {
		if p.WayOut() == "" && strings.HasPrefix(p.Problem, "there is no such setting") {
			p.Hint = `"partsize settings" lists them`
		}
	}
	if asJSON {
		out, err := report.ProblemsJSON(problems, o)
		if err != nil {
			return err
		}
		if _, err := t.out.Write(out); err != nil {
			return err
		}
		return &usageError{}
	}
	for _, p := range problems {
		text := report.ProblemText(p)
		if at, ok := o.Places[p]; ok {
			text = place(at.File, kafkaconf.Notice{Line: at.Line, Text: text})
		}
		t.report("%s", text)
	}
	return &usageError{}
}

func (t *terminal) report(format string, args ...any) {
	fmt.Fprintf(t.err, "partsize: "+format+"\n", args...)
}

// help writes the help of a command, or of all.
func (t *terminal) help(w io.Writer, args []string) error {
	all := commands()
	if len(args) == 0 {
		var list strings.Builder
		for _, c := range all {
			fmt.Fprintf(&list, "  %-9s %s\n", c.name, c.line)
		}
		_, err := fmt.Fprintf(w, about, list.String())
		return err
	}
	for _, c := range all {
		if c.name == args[0] {
			_, err := io.WriteString(w, c.help)
			return err
		}
	}
	return bad(`"partsize help" lists the commands`, "there is no command %q", args[0])
}

// readFile reads a file, or standard input where the name is "-". More than limit bytes are not read.
func (t *terminal) readFile(name string, limit int64) ([]byte, error) {
	r, err := t.open(name)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return nil, unreadable(name, err)
	}
	return data, nil
}

// open opens a file, or standard input where the name is "-".
func (t *terminal) open(name string) (io.ReadCloser, error) {
	if name == "-" {
		if t.taken {
			return nil, bad("give - once, and the rest as files", "-: standard input can be read only once")
		}
		t.taken = true
		return io.NopCloser(t.in), nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, unreadable(name, err)
	}
	return f, nil
}

// unreadable is the error about a file that is missing, closed to us, or no file.
func unreadable(name string, err error) error {
	return bad("give the name of a file that can be read, or - for standard input", "%s: %v", name, plainError(err))
}

// plainError is an error without the operation and the path, which the message has already.
func plainError(err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		return path.Err
	}
	return err
}

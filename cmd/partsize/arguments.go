package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"
)

// parseArguments parses flags and other arguments in any order. After "--" there are no more flags. It returns
// flag.ErrHelp where help was asked for.
func parseArguments(flags *flag.FlagSet, args []string) (others []string, err error) {
	flags.SetOutput(io.Discard)
	flags.Usage = func() {}
	for len(args) > 0 {
		if args[0] == "--" {
			return append(others, args[1:]...), nil
		}
		if !strings.HasPrefix(args[0], "-") || args[0] == "-" {
			others = append(others, args[0])
			args = args[1:]
			continue
		}
		if err := flags.Parse(args); err != nil {
			return nil, flagError(flags, err)
		}
		rest := flags.Args()
		// Parse takes "--" away, and stops there as at any argument.
		if used := len(args) - len(rest); used > 0 && args[used-1] == "--" {
			return append(others, rest...), nil
		}
		args = rest
	}
	return others, nil
}

// flagError says what is wrong with a flag in the words of this command.
func flagError(flags *flag.FlagSet, err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return err
	}
	text := err.Error()
	if name, ok := strings.CutPrefix(text, "flag provided but not defined: "); ok {
		text = fmt.Sprintf("there is no flag -%s", name)
	}
	if name, ok := strings.CutPrefix(text, "flag needs an argument: "); ok {
		text = fmt.Sprintf("-%s needs a value", name)
	}
	if value, rest, ok := strings.Cut(strings.TrimPrefix(text, "invalid value "), " for flag "); ok {
		name, _, _ := strings.Cut(rest, ":")
		text = fmt.Sprintf("-%s does not take %s", name, value)
	}
	var names []string
	flags.VisitAll(func(f *flag.Flag) { names = append(names, "--"+f.Name) })
	hint := "the flags are " + strings.Join(names, ", ")
	if len(names) == 0 {
		hint = "it takes none"
	}
	return bad(hint, "%s: %s", flags.Name(), text)
}

// list is a flag that may be given several times.
type list []string

func (l *list) String() string     { return strings.Join(*l, ",") }
func (l *list) Set(s string) error { *l = append(*l, s); return nil }

// asked prints the help of a command where it was asked for.
func (t *terminal) asked(err error, help string) error {
	if errors.Is(err, flag.ErrHelp) {
		_, err = io.WriteString(t.out, help)
	}
	return err
}

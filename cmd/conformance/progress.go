package main

import (
	"fmt"
	"io"
	"os"
)

// progress is a line that is written over on a terminal, and nothing in a pipe.
type progress struct {
	out   io.Writer // nil in a pipe
	shown *bool     // whether the line is there
}

func newProgress(out io.Writer) progress {
	if file, ok := out.(*os.File); ok {
		if info, err := file.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
			return progress{file, new(bool)}
		}
	}
	return progress{nil, new(bool)}
}

func (p progress) show(format string, args ...any) {
	if p.out != nil {
		fmt.Fprintf(p.out, "\r\x1b[K"+format, args...)
		*p.shown = true
	}
}

func (p progress) clear() {
	if p.out != nil && *p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
		*p.shown = false
	}
}

package main

import (
	"fmt"
	"os"
	"time"

	"github.com/partsize/partsize/calc"
)

// progress is a line on a terminal that says how far long work is. In a pipe or a file it says nothing.
type progress struct {
	out   *os.File // nil: nobody looks
	what  string
	began time.Time
	last  time.Time
	shown bool
}

// Work that takes less is not reported; then the line changes so often.
const (
	progressAfter = 400 * time.Millisecond
	progressEvery = 100 * time.Millisecond
)

func (t *terminal) progress(what string) *progress {
	p := &progress{what: what, began: time.Now()}
	if info, err := t.err.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 && os.Getenv("TERM") != "dumb" {
		p.out = t.err
	}
	return p
}

// show says how far the work is.
func (p *progress) show(far string) {
	if p.out == nil {
		return
	}
	now := time.Now()
	if now.Sub(p.began) < progressAfter || now.Sub(p.last) < progressEvery {
		return
	}
	p.last, p.shown = now, true
	fmt.Fprintf(p.out, "\r\x1b[Kpartsize: %s, %s", p.what, far)
}

// end takes the line away.
func (p *progress) end() {
	if p.shown {
		fmt.Fprint(p.out, "\r\x1b[K")
	}
}

func percent(at, of calc.Millis) string {
	if of < 100 {
		return "0 %"
	}
	return fmt.Sprintf("%d %%", min(at/(of/100), 100))
}

package kafkaconf

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf16"
	"unicode/utf8"
)

// errLongLine is given for a line that does not fit in the buffer; the line is skipped.
var errLongLine = errors.New("line too long")

// errBinary is given for a file that is not text.
var errBinary = errors.New("the file is not text (it has zero bytes)")

// lineReader gives the lines of a text file of any size, with bounded memory. Lines end in \n or \r\n, or in \r in a file
// that begins so; a byte order mark is left out and UTF-16 is read as such.
type lineReader struct {
	source io.Reader
	buffer []byte
	start  int // of what has not been given yet
	end    int // of what has been read
	ending byte
	err    error

	number int64 // of the line given last
	read   int64 // bytes given so far
}

func newLineReader(r io.Reader) *lineReader {
	return &lineReader{source: r, buffer: make([]byte, seriesBuffer)}
}

// next gives a line, without what ends it. It is valid until the next call.
func (l *lineReader) next() ([]byte, error) {
	if l.ending == 0 {
		if err := l.begin(); err != nil {
			return nil, err
		}
	}
	tooLong := false
	for {
		if i := bytes.IndexByte(l.buffer[l.start:l.end], l.ending); i >= 0 {
			line := l.buffer[l.start : l.start+i]
			l.start += i + 1
			return l.give(line, i+1, tooLong)
		}
		if l.err != nil {
			line := l.buffer[l.start:l.end]
			if len(line) == 0 && !tooLong {
				return nil, l.err
			}
			l.start = l.end
			return l.give(line, len(line), tooLong)
		}
		if l.end-l.start > seriesLineLimit {
			tooLong = true
			l.read += int64(l.end - l.start)
			l.start = l.end
		}
		l.fill()
	}
}

func (l *lineReader) give(line []byte, size int, tooLong bool) ([]byte, error) {
	l.number++
	l.read += int64(size)
	if tooLong || len(line) > seriesLineLimit {
		return nil, errLongLine
	}
	if n := len(line); n > 0 && line[n-1] == '\r' {
		line = line[:n-1]
	}
	return line, nil
}

// begin reads the first buffer and finds out what kind of text it is.
func (l *lineReader) begin() error {
	l.fill()
	for l.err == nil && l.end < 4096 {
		l.fill()
	}
	head := l.buffer[:l.end]
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		l.start = 3
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		rest := bytes.Clone(head[2:])
		source := &utf16Reader{source: io.MultiReader(bytes.NewReader(rest), l.source), big: head[0] == 0xfe}
		if l.err != nil {
			source.source = bytes.NewReader(rest)
		}
		*l = lineReader{source: source, buffer: l.buffer}
		l.fill()
	case bytes.IndexByte(head, 0) >= 0:
		return errBinary
	}
	l.ending = '\n'
	if head = l.buffer[l.start:l.end]; bytes.IndexByte(head, '\n') < 0 && bytes.IndexByte(head, '\r') >= 0 {
		l.ending = '\r'
	}
	return nil
}

// fill reads more behind what is in the buffer, after moving that to the front.
func (l *lineReader) fill() {
	if l.start > 0 {
		l.end = copy(l.buffer, l.buffer[l.start:l.end])
		l.start = 0
	}
	for range 100 { // as many empty reads as bufio allows
		n, err := l.source.Read(l.buffer[l.end:])
		l.end += n
		if l.err = err; n > 0 || err != nil {
			return
		}
	}
	l.err = io.ErrNoProgress
}

// utf16Reader turns UTF-16 into UTF-8.
type utf16Reader struct {
	source io.Reader
	big    bool
	in     [4096]byte
	have   int    // bytes of in that are not decoded yet
	out    []byte // decoded, not yet given
	err    error
}

func (u *utf16Reader) Read(p []byte) (int, error) {
	for len(u.out) == 0 {
		if u.err != nil {
			return 0, u.err
		}
		n, err := u.source.Read(u.in[u.have:])
		u.have += n
		u.err = err
		u.decode()
	}
	n := copy(p, u.out)
	u.out = u.out[n:]
	return n, nil
}

func (u *utf16Reader) decode() {
	unit := func(i int) rune {
		if u.big {
			return rune(u.in[i])<<8 | rune(u.in[i+1])
		}
		return rune(u.in[i+1])<<8 | rune(u.in[i])
	}
	u.out = u.out[:0]
	i := 0
	for ; i+1 < u.have; i += 2 {
		r := unit(i)
		if utf16.IsSurrogate(r) {
			if i+3 >= u.have && u.err == nil {
				break // its other half has not been read yet
			}
			if i+3 < u.have {
				if pair := utf16.DecodeRune(r, unit(i+2)); pair != utf8.RuneError {
					r = pair
					i += 2
				}
			}
		}
		u.out = utf8.AppendRune(u.out, r)
	}
	u.have = copy(u.in[:], u.in[i:u.have])
}

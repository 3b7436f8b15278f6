package app

import (
	"strings"

	"github.com/partsize/partsize/calc"
)

// history is what was before and what was taken back.
type history struct {
	past, future []was
	last         string // the key that the last change was about
}

// was is what the reader can go back to.
type was struct {
	input calc.Input
	place place
}

const maxHistory = 200

// remember keeps the present input before a change; changes of one setting in a row are one.
func (s *state) remember(key string) {
	h := &s.history
	if key != "" && key == h.last && len(h.past) > 0 {
		return
	}
	h.last, h.future = key, nil
	h.past = append(h.past, was{s.input, s.place})
	if len(h.past) > maxHistory {
		h.past = h.past[1:]
	}
}

func (s *state) undo() { s.swap(&s.history.past, &s.history.future) }
func (s *state) redo() { s.swap(&s.history.future, &s.history.past) }

// swap takes the last input of one list and puts the present one on the other.
func (s *state) swap(from, to *[]was) {
	n := len(*from)
	if n == 0 {
		return
	}
	old := (*from)[n-1]
	*from, *to = (*from)[:n-1], append(*to, was{s.input, s.place})
	s.history.last, s.edited = "", true
	s.goTo(old)
}

// goTo shows another scenario from another place.
func (s *state) goTo(to was) {
	tiered := s.isTiered()
	s.place = to.place
	s.replace(to.input)
	if s.isTiered() != tiered {
		s.aimAgain()
	}
}

// maxHanded is how many bytes of links are handed on from one program to the other.
const maxHanded = 256 << 10

// handOn is what can be undone from another place, as links, the newest first: for the other program, which draws that place.
func (s *state) handOn() string {
	var b strings.Builder
	for i := len(s.history.past); i >= 0; i-- {
		one := was{s.input, s.place}
		if i < len(s.history.past) {
			one = s.history.past[i]
		}
		link := linkTo(one.place, one.input)
		if b.Len()+len(link) >= maxHanded {
			break
		}
		b.WriteString(link + "\n")
	}
	return b.String()
}

// takeOver takes what the other program handed on.
func (s *state) takeOver(links string) {
	s.history = history{}
	for links != "" {
		link, rest, _ := strings.Cut(links, "\n")
		links = rest
		read, _ := readLink(link)
		s.history.past = append([]was{{read.input, read.place}}, s.history.past...)
	}
}

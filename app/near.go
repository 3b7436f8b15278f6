package app

import (
	"github.com/partsize/partsize/calc/report"
)

// The states of a log are at hand only at some times; what lies far from them is played beside the page, in slices. Until
// then the chart is drawn from the envelope, and what belongs to the moment stays as it was.

// nearEvents is up to how many events are played at once: a few milliseconds.
const nearEvents = 20_000

// farMoment and farWindow report whether much is to be played for the moment, and for the window.
func (s *state) farMoment() bool { return s.patient && s.looks.Cost(s.at) > nearEvents }
func (s *state) farWindow() bool { return s.patient && s.looks.WindowCost(s.window) > nearEvents }

// drawing is the chart of the window.
func (s *state) drawing() *report.Chart {
	if s.chart != nil {
		return s.chart
	}
	var c report.Chart
	if s.rough = s.farWindow(); s.rough {
		c = report.RoughChart(&s.answer, s.looks, s.window)
	} else {
		c, _ = report.ChartWith(&s.answer, s.looks, s.window, nil)
	}
	s.setChart(&c)
	return s.chart
}

func (s *state) setChart(c *report.Chart) {
	for _, v := range allViews() {
		if v.lines != nil {
			v.lines(s, c)
		}
	}
	s.chart = c
}

// reel is the film of the window; nil: it is not there yet.
func (s *state) filmReel() *reel {
	if s.reel == nil && !s.farWindow() {
		f, ok := report.FilmWith(s.looks, s.window, nil)
		s.reel = &reel{f, ok}
	}
	return s.reel
}

// reel is a film, if there is one.
type reel struct {
	report.Film
	ok bool
}

// approach plays beside the page what the page waits for.
func (r *Root) approach() {
	s := r.state
	window := s.rough || s.reel == nil && s.farWindow()
	if !r.client || s.approaching || !window && !s.farMoment() {
		return
	}
	s.approaching = true
	answer, at, w, a := s.answer.Timeline, s.at, s.window, s.answer
	same := func() bool { return s.answer.Timeline == answer && s.window == w && (s.at == at || window) }
	r.aside(same, func(yield func() bool) func() {
		var c report.Chart
		var f report.Film
		var rows []report.Row
		looks := s.looks
		ok, film := true, false
		if window {
			if c, ok = report.ChartWith(&a, looks, w, yield); ok {
				f, film = report.FilmWith(looks, w, yield)
				rows, ok = report.TableWith(&a, looks, w, yield)
			}
		}
		near := looks.Approach(at, yield)
		return func() {
			s.approaching = false
			if s.answer.Timeline != answer {
				return
			}
			if window && ok && s.window == w {
				s.setChart(&c)
				s.rough, s.reel = false, &reel{f, film}
				s.views.chart = nil
				s.views.details.film, s.views.details.table = nil, &tableView{rows}
			}
			if near && s.at == at || window {
				s.views.cursor, s.views.details.instant = nil, nil
			}
		}
	})
}

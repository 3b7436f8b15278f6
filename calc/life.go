package calc

import (
	"cmp"
	"slices"
)

// Life is where a segment stands in its life at an instant, for those who draw or explain it.
type Life struct {
	Base    Offset
	Bytes   Bytes  // of its batches
	First   Millis // when its first batch was appended; [Never] while it is empty
	Newest  Millis // its largest timestamp, or without one when its file was last written; counted from the start of the scenario
	Active  bool
	Deleted bool
	Gone    Millis // when its files were renamed, if it is deleted
	Due     Millis // when its files are to be removed, if it is deleted
}

// Lives are the segments whose files are on disk: those that wait for removal first, then the log's, oldest first.
func (s *Simulation) Lives() []Life {
	l := s.log
	all := make([]Life, 0, l.deleted.len()+l.segments.len())
	for _, d := range l.deleted.all() {
		all = append(all, Life{Base: d.base, Bytes: d.size, First: d.firstAt, Deleted: true, Gone: d.made, Due: d.due})
	}
	for i := range l.segments.len() {
		all = append(all, l.life(i))
	}
	return all
}

// LifeOf is the segment of the log with a base offset; ok is false when there is none.
func (s *Simulation) LifeOf(base Offset) (life Life, ok bool) {
	l := s.log
	i, ok := slices.BinarySearchFunc(l.segments.all(), base, func(g segment, o Offset) int { return cmp.Compare(g.base, o) })
	if !ok {
		return Life{}, false
	}
	return l.life(i), true
}

// life is where the i-th segment stands.
func (l *log) life(i int) Life {
	g := l.segments.at(i)
	life := Life{Base: g.base, Bytes: g.size, First: g.firstAt, Newest: g.mtime, Active: i == l.segments.len()-1}
	if g.maxTs >= 0 {
		life.Newest = g.maxTs - l.epoch
	}
	if g.empty() {
		life.First = Never
	}
	return life
}

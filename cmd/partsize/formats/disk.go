package formats

import (
	"fmt"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
)

// Segment is a segment of a partition by the lengths of its files; a file that was not listed is nil.
type Segment struct {
	Dir   string `json:"dir,omitempty"` // "": one directory was listed
	Base  int64  `json:"base"`
	Log   *int64 `json:"log,omitempty"`
	Index *int64 `json:"index,omitempty"`
	Times *int64 `json:"timeindex,omitempty"`
	// Active says which segment is appended to; nil where the files do not tell.
	Active *bool `json:"active,omitempty"`
	// Entries of the indexes, where the time index has fewer: batches had equal timestamps.
	OffsetEntries *int64 `json:"offset_entries,omitempty"`
	TimeEntries   *int64 `json:"time_entries,omitempty"`
	Approx        bool   `json:"approx,omitempty"` // the size of the .log file is rounded
}

// listing is what is known while the lines of ls -l are read.
type listing struct {
	r        *Reading
	dir      string
	dirs     int
	segments map[string]map[int64]*Segment // by directory and base offset
	log, all int64
	rounded  bool // no sum is known
}

// readListing reads what ls -l prints of a partition's directory, or of several.
func readListing(text string) (*Reading, error) {
	l := listing{r: &Reading{}, segments: map[string]map[int64]*Segment{}}
	number := 0
	for line := range strings.Lines(text) {
		if number++; number > maxLines {
			return nil, fmt.Errorf("it has more than %d lines; keep the directories that matter", maxLines)
		}
		line = strings.TrimSpace(line)
		if dir, ok := strings.CutSuffix(line, ":"); ok && !strings.ContainsAny(dir, " \t") {
			l.dir = dir
			l.dirs++
			continue
		}
		l.line(line, number)
	}
	if len(l.segments) == 0 {
		return nil, fmt.Errorf("%w: no line is about a file such as 00000000000000000000.log", errUnknown)
	}
	l.finish()
	return l.r, nil
}

// line takes the line of a file: mode, links, owner, group, size, date, name.
func (l *listing) line(line string, number int) {
	fields := strings.Fields(line)
	if len(fields) < 6 || len(fields[0]) < 10 || fields[0][0] != '-' {
		return
	}
	name := fields[len(fields)-1]
	size, off, ok := listedSize(fields[4])
	if !ok {
		l.r.warn(number, "%q is no size; the line was left out", fields[4])
		return
	}
	if off > 0 {
		l.r.warn(number, "%s is rounded (+-%s)", fields[4], kilobytes(off))
		l.rounded = true
	}
	if size > math.MaxInt64-l.all {
		l.r.warn(number, "the sizes add up to more than %d bytes", int64(math.MaxInt64))
		l.rounded, l.all, l.log = true, 0, 0
	}
	l.all += size
	stem, kind, _ := strings.Cut(name, ".")
	base, err := strconv.ParseInt(stem, 10, 64)
	if err != nil || len(stem) != 20 || base < 0 {
		return
	}
	if kind != "log" && kind != "index" && kind != "timeindex" {
		return // a snapshot belongs to the segment after it, and what is .deleted to none
	}
	s := l.segment(base)
	switch kind {
	case "log":
		s.Log, s.Approx = &size, off > 0
		l.log += size
	case "index":
		s.Index = &size
	case "timeindex":
		s.Times = &size
	}
}

// segment is the segment of the directory with a base offset.
func (l *listing) segment(base int64) *Segment {
	of := l.segments[l.dir]
	if of == nil {
		of = map[int64]*Segment{}
		l.segments[l.dir] = of
	}
	if of[base] == nil {
		of[base] = &Segment{Base: base}
	}
	return of[base]
}

// finish puts the segments in order and says what their files tell.
func (l *listing) finish() {
	dirs := make([]string, 0, len(l.segments))
	for dir := range l.segments {
		dirs = append(dirs, dir)
	}
	slices.Sort(dirs)
	for _, dir := range dirs {
		var all []Segment
		for _, s := range l.segments[dir] {
			if len(dirs) > 1 {
				s.Dir = dir
			}
			s.entries()
			all = append(all, *s)
		}
		slices.SortFunc(all, func(a, b Segment) int {
			if a.Base < b.Base {
				return -1
			}
			return 1
		})
		if newest := &all[len(all)-1]; newest.setAside() {
			for i := range all {
				active := &all[i] == newest
				all[i].Active = &active
			}
		}
		l.r.Shape.Segments = append(l.r.Shape.Segments, all...)
	}
	if !l.rounded && l.activeKnown() {
		l.r.Shape.Log, l.r.Shape.Apparent = &l.log, &l.all
	}
}

// activeKnown reports whether the listing is whole: of each directory it tells which segment is the active one.
func (l *listing) activeKnown() bool {
	return !slices.ContainsFunc(l.r.Shape.Segments, func(s Segment) bool { return s.Active == nil })
}

// Lengths of an entry of the offset index and of the time index.
//
// Kafka: OffsetIndex.ENTRY_SIZE, TimeIndex.ENTRY_SIZE.
const indexEntry, timeEntry = 8, 12

// entries counts the entries of indexes that were cut to what is used, where the time index has fewer.
func (s *Segment) entries() {
	if s.Index == nil || s.Times == nil || s.setAside() {
		return
	}
	offsets, times := *s.Index/indexEntry, *s.Times/timeEntry
	if times < offsets {
		s.OffsetEntries, s.TimeEntries = &offsets, &times
	}
}

// setAside reports whether both indexes have their full length, as those of the active segment do: segment.index.bytes rounded
// down to whole entries.
func (s *Segment) setAside() bool {
	const least = 4096 // shorter ones may be full of entries by chance
	return s.Index != nil && s.Times != nil && *s.Index >= least && *s.Times == *s.Index/timeEntry*timeEntry
}

// listedSize reads a size: bytes, or with ls -h a number with K, M, G, T, rounded up to what it shows; off is then by how much it
// may be wrong, half of its last digit.
func listedSize(text string) (size, off int64, ok bool) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, 0, n >= 0
	}
	size, step, ok := humanSize(text)
	return size, step / 2, ok
}

// humanSize reads a number with K, M, G, T or P, powers of 1024; step is what its last digit counts.
func humanSize(text string) (size, step int64, ok bool) {
	if text == "" {
		return 0, 0, false
	}
	power := strings.IndexByte("KMGTP", text[len(text)-1])
	if power < 0 {
		return 0, 0, false
	}
	unit := int64(1) << (10 * (power + 1))
	number := text[:len(text)-1]
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || n < 0 || n*float64(unit) > math.MaxInt64/2 || strings.Trim(number, "0123456789.") != "" {
		return 0, 0, false
	}
	step = unit
	if _, digits, point := strings.Cut(number, "."); point {
		for range digits {
			step /= 10
		}
	}
	return int64(math.Round(n * float64(unit))), step, true
}

// kilobytes is a small amount in kB, as 52 KB.
func kilobytes(n int64) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%d MB", n/1_000_000)
	}
	return fmt.Sprintf("%d KB", n/1000)
}

// readDiskUsage reads what du prints of a log directory's partitions.
func readDiskUsage(text string) (*Reading, error) {
	r := &Reading{}
	number, plain := 0, int64(1024) // du counts in 1024 bytes unless it is told otherwise
	bare, rounded := 0, false
	for line := range strings.Lines(text) {
		if number++; number > maxLines {
			return nil, fmt.Errorf("it has more than %d lines; keep the partitions that matter", maxLines)
		}
		line = strings.TrimSpace(line)
		if unit, command := duUnit(line); command {
			plain = unit
			continue
		}
		size, name, ok := strings.Cut(strings.ReplaceAll(line, "\t", " "), " ")
		if name = strings.TrimSpace(name); !ok || size == "" || size[0] < '0' || size[0] > '9' {
			continue
		}
		bytes, _, human := humanSize(size)
		if !human {
			n, err := strconv.ParseInt(size, 10, 64)
			if err != nil || n > math.MaxInt64/plain {
				r.warn(number, "%q is no size; the line was left out", size)
				continue
			}
			bytes = n * plain
			if n > 0 && plain == 1024 {
				bare++
			}
		}
		rounded = rounded || human
		base := path.Base(name)
		topic, partition, ok := partitionOf(base)
		if !ok {
			r.Shape.Ignored = append(r.Shape.Ignored, base)
			continue
		}
		r.Shape.Sizes = append(r.Shape.Sizes, Size{topic, partition, bytes})
	}
	if len(r.Shape.Sizes) == 0 {
		return nil, fmt.Errorf("%w: no line is about a directory such as orders-0", errUnknown)
	}
	if rounded {
		r.warn(0, "du sizes are rounded up; they are allocated blocks, not apparent size, and count indexes and files that wait for removal")
	} else {
		r.warn(0, "du sizes are allocated blocks, not apparent size, and count indexes and files that wait for removal")
	}
	if bare > 0 {
		r.warn(0, "numbers without a unit are taken as blocks of 1024 bytes, as du prints them; du -b prints bytes: keep the line with the command then")
	}
	return r, nil
}

// duUnit is what a number without a unit counts, in bytes, from the line on which du was called.
func duUnit(line string) (unit int64, command bool) {
	_, after, ok := strings.Cut(line, "du -")
	if !ok || line[0] >= '0' && line[0] <= '9' {
		return 0, false
	}
	flags, _, _ := strings.Cut(after, " ")
	switch {
	case strings.Contains(flags, "b"):
		return 1, true
	case strings.Contains(flags, "m"):
		return 1 << 20, true
	}
	return 1024, true
}

// partitionOf takes the name of a partition's directory apart.
//
// Kafka: UnifiedLog.parseTopicPartitionName.
func partitionOf(name string) (topic string, partition int32, ok bool) {
	i := strings.LastIndexByte(name, '-')
	if i <= 0 || strings.HasSuffix(name, "-delete") || strings.HasSuffix(name, "-future") || strings.HasSuffix(name, "-stray") {
		return "", 0, false
	}
	n, err := strconv.ParseInt(name[i+1:], 10, 32)
	if err != nil || n < 0 || strings.Trim(name[i+1:], "0123456789") != "" {
		return "", 0, false
	}
	return name[:i], int32(n), true
}

package trace

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
)

// Difference is one value in which two traces differ.
type Difference struct {
	T     calc.Millis
	Place string // "events[12] roll", "samples[3] periodic", "topic"
	What  string // the field or file: "log_end", "segment 2000 .index", "base"
	Want  string // as Kafka recorded it, or "nothing"
	Got   string // as computed
}

// String is the difference in one line.
func (d Difference) String() string {
	what := d.Place
	if d.What != "" {
		what += " " + d.What
	}
	return fmt.Sprintf("t=%d %s: want %s, got %s", d.T, what, d.Want, d.Got)
}

const nothing = "nothing"

// maxDifferences is after how many differences a comparison ends.
const maxDifferences = 1000

// Compare finds the differences between two traces of one scenario: settings and steps, then events, then samples, each
// in order of time; not many more than the first 1000. Of a sample that want has no rows of, only the totals are compared. The Kafka version, the
// description and the text of the order are not compared.
//
// Allocated may be more in want by the extent blocks of large files, see [extentBlocks]; nothing else is tolerated.
func Compare(want, got *Trace) []Difference {
	return compare(want, got, false)
}

// CompareFiles is [Compare] without the allocated bytes, for a trace that was recorded on another file system than ext4
// with blocks of 4096 bytes.
func CompareFiles(want, got *Trace) []Difference {
	return compare(want, got, true)
}

func compare(want, got *Trace, anyBlocks bool) []Difference {
	c := comparison{anyBlocks: anyBlocks}
	c.scenario(want, got)
	c.events(want.Events, got.Events)
	c.samples(want.Samples, got.Samples)
	return c.found
}

type comparison struct {
	anyBlocks bool // do not compare allocated bytes
	found     []Difference
	t         calc.Millis
	place     string
}

func (c *comparison) add(what, want, got string) {
	c.found = append(c.found, Difference{c.t, c.place, what, want, got})
}

func compareNumber[T ~int64](c *comparison, what string, want, got T) {
	if want != got {
		c.add(what, strconv.FormatInt(int64(want), 10), strconv.FormatInt(int64(got), 10))
	}
}

func compareText(c *comparison, what, want, got string) {
	if want != got {
		c.add(what, strconv.Quote(want), strconv.Quote(got))
	}
}

// scenario compares what was played.
func (c *comparison) scenario(want, got *Trace) {
	c.place = "scenario"
	compareText(c, "name", want.Name, got.Name)
	compareNumber(c, "epoch_ms", want.Epoch, got.Epoch)
	compareNumber(c, "sample_every_ms", want.SampleEvery, got.SampleEvery)
	compareNumber(c, "until_ms", want.Until, got.Until)
	compareSettings(c, "topic", want.Topic, got.Topic)
	compareSettings(c, "broker", want.Broker, got.Broker)
	for i := range max(len(want.Steps), len(got.Steps)) {
		c.place = "steps[" + strconv.Itoa(i) + "]"
		w, g := []byte(nothing), []byte(nothing)
		if i < len(got.Steps) {
			c.t = got.Steps[i].At
			g = got.Steps[i].appendJSON(nil)
		}
		if i < len(want.Steps) {
			c.t = want.Steps[i].At
			w = want.Steps[i].appendJSON(nil)
		}
		if !bytes.Equal(w, g) {
			c.add("", string(w), string(g))
		}
	}
}

func compareSettings(c *comparison, what string, want, got Settings) {
	for _, s := range want {
		text, ok := got.Get(s.Key)
		switch {
		case !ok:
			c.add(what+" "+s.Key, strconv.Quote(s.Text), nothing)
		case text != s.Text:
			compareText(c, what+" "+s.Key, s.Text, text)
		}
	}
	for _, s := range got {
		if _, ok := want.Get(s.Key); !ok {
			c.add(what+" "+s.Key, nothing, strconv.Quote(s.Text))
		}
	}
}

func (c *comparison) events(want, got []Event) {
	same := func(w, g int) bool {
		return want[w].T == got[g].T && want[w].Kind == got[g].Kind && want[w].Base == got[g].Base
	}
	c.align(len(want), len(got), same, func(w, g int) {
		switch {
		case w < 0:
			c.t, c.place = got[g].T, "events"
			c.add("", nothing, string(got[g].appendJSON(nil)))
		case g < 0:
			c.t, c.place = want[w].T, "events["+strconv.Itoa(w)+"]"
			c.add("", string(want[w].appendJSON(nil)), nothing)
		default:
			c.event(w, &want[w], &got[g])
		}
	})
}

func (c *comparison) event(i int, want, got *Event) {
	c.t, c.place = want.T, "events["+strconv.Itoa(i)+"] "+want.Kind
	if want.HasBase {
		c.place += " " + strconv.FormatInt(int64(want.Base), 10)
	}
	compareNumber(c, "t", want.T, got.T)
	compareText(c, "kind", want.Kind, got.Kind)
	if want.HasBase != got.HasBase || want.Base != got.Base {
		c.add("base", baseText(want), baseText(got))
	}
	compareText(c, "reason", want.Reason, got.Reason)
}

func baseText(e *Event) string {
	if !e.HasBase {
		return nothing
	}
	return strconv.FormatInt(int64(e.Base), 10)
}

func (c *comparison) samples(want, got []Sample) {
	same := func(w, g int) bool { return want[w].T == got[g].T && want[w].Why == got[g].Why }
	c.align(len(want), len(got), same, func(w, g int) {
		switch {
		case w < 0:
			c.t, c.place = got[g].T, "samples"
			c.add("", nothing, "a sample, "+got[g].Why)
		case g < 0:
			c.t, c.place = want[w].T, "samples["+strconv.Itoa(w)+"]"
			c.add("", "a sample, "+want[w].Why, nothing)
		default:
			c.sample(w, &want[w], &got[g])
		}
	})
}

func (c *comparison) sample(i int, want, got *Sample) {
	c.t, c.place = want.T, "samples["+strconv.Itoa(i)+"] "+want.Why
	compareNumber(c, "t", want.T, got.T)
	compareText(c, "why", want.Why, got.Why)
	compareNumber(c, "log_start", want.LogStart, got.LogStart)
	compareNumber(c, "local_start", want.LocalStart, got.LocalStart)
	compareNumber(c, "log_end", want.LogEnd, got.LogEnd)
	compareNumber(c, "size", want.Size, got.Size)
	compareNumber(c, "apparent", want.Apparent, got.Apparent)
	if excess := want.Allocated - got.Allocated; !c.anyBlocks && !extentBlocks(excess, want, got) {
		compareNumber(c, "allocated", want.Allocated, got.Allocated)
	}
	if !want.HasRows {
		return
	}
	if !got.HasRows {
		c.add("rows", "the files of each segment", nothing)
		return
	}
	c.rows("segment", want.Segments, got.Segments)
	c.rows("deleted segment", want.Deleted, got.Deleted)
	c.others(want.Other, got.Other)
}

// What ext4 keeps of a file's place on the disk.
const (
	// An inode holds four extents of at most 128 MiB; a larger file needs a block outside for more of them.
	inodeExtents calc.Bytes = 4 * 128 << 20
	extentBlock  calc.Bytes = 4096
)

// extentBlocks reports whether Kafka's files may take so much more than computed because of blocks that hold no data:
// one for each .log above [inodeExtents]. Whether ext4 needs it depends on how the disk was filled. For a sample whose
// rows the trace left out, the computed rows say how large the files are.
func extentBlocks(excess calc.Bytes, want, got *Sample) bool {
	if excess <= 0 || excess%extentBlock != 0 {
		return excess == 0
	}
	sample := want
	if !want.HasRows {
		sample = got
	}
	var most calc.Bytes
	for _, rows := range [][]Row{sample.Segments, sample.Deleted} {
		for _, row := range rows {
			if calc.Bytes(row[1]) > inodeExtents {
				most += extentBlock
			}
		}
	}
	return excess <= most
}

// rows compares two tables of files, both in ascending order of base offset.
func (c *comparison) rows(what string, want, got []Row) {
	for len(want) > 0 || len(got) > 0 {
		switch {
		case len(got) == 0 || len(want) > 0 && want[0][0] < got[0][0]:
			c.add(what+" "+strconv.FormatInt(want[0][0], 10), filesText(want[0]), nothing)
			want = want[1:]
		case len(want) == 0 || want[0][0] > got[0][0]:
			c.add(what+" "+strconv.FormatInt(got[0][0], 10), nothing, filesText(got[0]))
			got = got[1:]
		default:
			for i, suffix := range Suffixes {
				if w, g := want[0][i+1], got[0][i+1]; w != g {
					c.add(what+" "+strconv.FormatInt(want[0][0], 10)+" "+suffix, sizeText(w), sizeText(g))
				}
			}
			want, got = want[1:], got[1:]
		}
	}
}

// others compares the files that belong to no segment, both in ascending order of name.
func (c *comparison) others(want, got []File) {
	for len(want) > 0 || len(got) > 0 {
		switch {
		case len(got) == 0 || len(want) > 0 && want[0].Name < got[0].Name:
			c.add(want[0].Name, sizeText(int64(want[0].Size)), "no file")
			want = want[1:]
		case len(want) == 0 || want[0].Name > got[0].Name:
			c.add(got[0].Name, "no file", sizeText(int64(got[0].Size)))
			got = got[1:]
		default:
			if want[0].Size != got[0].Size {
				c.add(want[0].Name, sizeText(int64(want[0].Size)), sizeText(int64(got[0].Size)))
			}
			want, got = want[1:], got[1:]
		}
	}
}

func sizeText(size int64) string {
	if size < 0 {
		return "no file"
	}
	return strconv.FormatInt(size, 10) + " bytes"
}

// filesText lists the files of a row.
func filesText(row Row) string {
	var files []string
	for i, suffix := range Suffixes {
		if row[i+1] >= 0 {
			files = append(files, suffix+" "+strconv.FormatInt(row[i+1], 10))
		}
	}
	return strings.Join(files, ", ")
}

// resync is how far align looks ahead on either side.
const resync = 32

// align pairs the items of two lists in order, by what they are about, so that one item too many does not make all that
// follow it different. It gives each pair, and -1 for what the other list lacks. Where the lists agree again soon, the
// items before that are paired as they come.
func (c *comparison) align(want, got int, same func(w, g int) bool, pair func(w, g int)) {
	w, g := 0, 0
	// agree reports whether both lists go on alike, or end, after so many more items.
	agree := func(skipWant, skipGot int) bool {
		nextWant, nextGot := w+skipWant, g+skipGot
		if nextWant >= want || nextGot >= got {
			return nextWant == want && nextGot == got
		}
		return same(nextWant, nextGot)
	}
	for w < want && g < got && len(c.found) < maxDifferences {
		skipWant, skipGot := nearest(agree)
		for range min(skipWant, skipGot) {
			pair(w, g)
			w, g, skipWant, skipGot = w+1, g+1, skipWant-1, skipGot-1
		}
		for range skipWant {
			pair(w, -1)
			w++
		}
		for range skipGot {
			pair(-1, g)
			g++
		}
		if w < want && g < got {
			pair(w, g)
			w, g = w+1, g+1
		}
	}
	for ; w < want && len(c.found) < maxDifferences; w++ {
		pair(w, -1)
	}
	for ; g < got && len(c.found) < maxDifferences; g++ {
		pair(-1, g)
	}
}

// nearest is the least number of items to skip on both sides until they agree; when they do not within [resync], one on
// each.
func nearest(agree func(skipWant, skipGot int) bool) (skipWant, skipGot int) {
	for total := range 2 * resync {
		for skipWant := max(0, total-resync); skipWant <= min(total, resync); skipWant++ {
			if agree(skipWant, total-skipWant) {
				return skipWant, total - skipWant
			}
		}
	}
	return 0, 0
}

package fleet

import (
	"cmp"
	"slices"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/internal/order"
	"github.com/partsize/partsize/calc/placement"
)

// maxFilling is how many topics are told that fill a directory.
const maxFilling = 5

// sum adds the partitions' courses up.
func (r *player) sum(result *Result) {
	spans := int(r.horizon/result.Span) + 1
	at := map[int32]int{}
	for i := range result.Dirs {
		d := &result.Dirs[i]
		r.sumDir(i, d, spans, result.Span)
		r.fill(i, d, result.Span)
		k, there := at[d.Broker]
		if !there {
			k = len(result.Brokers)
			at[d.Broker] = k
			result.Brokers = append(result.Brokers, Broker{ID: d.Broker})
			if r.tick(1); r.stopped {
				return
			}
		}
		result.Brokers[k].add(&d.Course)
		result.Internal += d.Internal
	}
	for i := range result.Brokers {
		result.Cluster.add(&result.Brokers[i].Course)
	}
	r.files(result, at)
}

// envelopeSpans is the most spans of an envelope, less one; see calc.Timeline.
const envelopeSpans = 1024

// sumDir adds up one directory. In a span with a change, what was before and what is after it are told apart: the least of
// the one or the other, and the most.
func (r *player) sumDir(dir int, d *Dir, spans int, span calc.Millis) {
	d.Low, d.High = make([]calc.Bytes, spans), make([]calc.Bytes, spans)
	low, high := d.Low, d.High // of one period; all the time is one
	if len(r.snapshot) > 1 {
		low, high = make([]calc.Bytes, spans), make([]calc.Bytes, spans)
	}
	for n := range r.snapshot {
		p := &r.snapshot[n]
		first, last := int(p.from/span), min(int((p.to-1)/span), spans-1)
		clear(low)
		clear(high)
		refs := p.of(dir)
		for i := 0; i < len(refs); {
			k := i + 1
			for k < len(refs) && refs[k].class == refs[i].class {
				k++
			}
			if refs[i].class != internalClass {
				c, count := &r.classes[refs[i].class], calc.Bytes(k-i)
				addTimes(low[first:last+1], c.low[first:last+1], count)
				addTimes(high[first:last+1], c.high[first:last+1], count)
			}
			i = k
		}
		if len(r.snapshot) == 1 {
			break
		}
		for s := first; s <= last; s++ {
			d.High[s] = max(d.High[s], high[s])
			if s > first || n == 0 || p.from%span == 0 {
				d.Low[s] = low[s]
			} else {
				d.Low[s] = min(d.Low[s], low[s])
			}
		}
	}
	for i, percent := range Levels {
		d.Crosses[i], d.Surely[i] = calc.Never, calc.Never
		if d.Size == 0 {
			continue
		}
		mark := d.Size/100*calc.Bytes(percent) + d.Size%100*calc.Bytes(percent)/100
		d.Crosses[i], d.Surely[i] = crossing(d.High, mark, span), crossing(d.Low, mark, span)
	}
}

// addTimes adds count times a course to a sum of the same length.
func addTimes(sum, course []calc.Bytes, count calc.Bytes) {
	course = course[:len(sum)]
	if count == 1 {
		for i := range sum {
			sum[i] += course[i]
		}
		return
	}
	for i := range sum {
		sum[i] += count * course[i]
	}
}

// crossing is when a course first reaches a mark; Never.
func crossing(high []calc.Bytes, mark calc.Bytes, span calc.Millis) calc.Millis {
	for s, b := range high {
		if b >= mark {
			return calc.Millis(s) * span
		}
	}
	return calc.Never
}

// fill finds what fills a directory at its peak, and the bound of its internal topics.
func (r *player) fill(dir int, d *Dir, span calc.Millis) {
	at, _ := d.Peak()
	// The last period that the peak may be in: its copies count.
	var best []Share
	var most calc.Bytes
	for n := range r.snapshot {
		p := &r.snapshot[n]
		refs := p.of(dir)
		var internal calc.Bytes
		for _, ref := range refs {
			if ref.class == internalClass {
				internal += r.internalBound(ref.topic)
			}
		}
		d.Internal = max(d.Internal, internal)
		if int(p.from/span) > at || int((p.to-1)/span) < at {
			continue
		}
		byTopic := map[int32]*Share{}
		var sum calc.Bytes
		for _, ref := range refs {
			if ref.class == internalClass {
				continue
			}
			s := byTopic[ref.topic]
			if s == nil {
				s = &Share{Topic: r.topics[ref.topic].Name}
				byTopic[ref.topic] = s
			}
			b := r.classes[ref.class].high[at]
			s.Replicas++
			s.Bytes += b
			sum += b
		}
		if sum < most || best != nil && sum == most {
			continue
		}
		most = sum
		best = make([]Share, 0, len(byTopic))
		for _, s := range byTopic {
			best = append(best, *s)
		}
		order.Sort(best, func(a, b *Share) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Topic, b.Topic)) })
	}
	d.Filling = slices.Clone(best[:min(len(best), maxFilling)])
}

func (r *player) internalBound(topic int32) calc.Bytes {
	for _, t := range internalTopics {
		if t.name == r.topics[topic].Name {
			return internalSegments * t.segment
		}
	}
	return 0
}

// files adds up open files and memory maps of each broker: the most of any period.
func (r *player) files(result *Result, at map[int32]int) {
	for n := range r.snapshot {
		files, maps := make([]int64, len(result.Brokers)), make([]int64, len(result.Brokers))
		for _, ref := range r.snapshot[n].refs {
			k := at[result.Dirs[ref.dir].Broker]
			if ref.class == internalClass {
				files[k] += internalFiles
				maps[k] += internalMaps
				continue
			}
			files[k] += r.classes[ref.class].files
			maps[k] += r.classes[ref.class].maps
		}
		for k := range result.Brokers {
			b := &result.Brokers[k]
			b.OpenFiles, b.MemoryMaps = max(b.OpenFiles, files[k]), max(b.MemoryMaps, maps[k])
		}
	}
}

// compare plays the same description under each policy.
func (r *runner) compare(result *Result) {
	for _, policy := range placement.Policies() {
		if policy == result.Policy {
			result.Choices = append(result.Choices, choiceOf(result))
		} else if choice, ok := r.choice(policy, r.d.Seed, result.Span); ok {
			result.Choices = append(result.Choices, choice)
		}
		if r.stopped {
			return
		}
	}
}

// choice is how a policy stands with a seed. Where a change cannot be made under it, which nobody asked for, ok is false.
func (r *runner) choice(policy placement.Policy, seed int64, span calc.Millis) (c Choice, ok bool) {
	if !r.moves() {
		return r.counted(policy, seed, span), true
	}
	again := r.again(seed)
	result, err := again.result(policy)
	if r.tick(len(r.topics)); err != nil {
		return Choice{}, false
	}
	return choiceOf(result), true
}

// choiceOf is how a result stands.
func choiceOf(result *Result) Choice {
	c := Choice{Policy: result.Policy, Seed: result.Seed, Full: calc.Never}
	dirs := make([]placement.Directory, len(result.Dirs))
	for i := range result.Dirs {
		dirs[i] = result.Dirs[i].Directory
		_, dirs[i].Load.Bytes = result.Dirs[i].Peak()
		c.full(result.Dirs[i].Crosses[len(Levels)-1])
	}
	c.spread(dirs)
	return c
}

func (c *Choice) full(at calc.Millis) {
	if at != calc.Never {
		c.Fulls++
		c.Full = min(c.Full, at)
	}
}

func (c *Choice) spread(dirs []placement.Directory) {
	c.Bytes, _ = placement.Spread(dirs, placement.ByBytes)
	c.Rate, _ = placement.Spread(dirs, placement.ByRate)
}

// counted is how a policy stands where nothing moves: replicas are only counted.
func (r *runner) counted(policy placement.Policy, seed int64, span calc.Millis) Choice {
	c := Choice{Policy: policy, Seed: seed, Full: calc.Never}
	var held [][]int32 // the class of each replica in a directory
	topic, i := "", int32(-1)
	put := func(dir int, p placement.Partition) {
		if i < 0 || p.Topic != topic {
			topic, i = p.Topic, r.byName[p.Topic]
			r.tick(1)
		}
		if class := r.topics[i].classes[p.Number]; class != internalClass {
			for dir >= len(held) {
				held = append(held, nil)
			}
			held[dir] = append(held[dir], int32(class))
		}
	}
	plain := func(yield func(placement.TopicSpec) bool) {
		for _, spec := range r.specs {
			if !yield(spec) {
				return
			}
		}
	}
	dirs, err := placement.DirsBy(r.version, policy, seed, r.d.Brokers, plain, put)
	if err != nil {
		return c // what was wrong was found in the rehearsal
	}
	course := Course{High: make([]calc.Bytes, int(r.horizon/span)+1)}
	for dir := range dirs {
		var classes []int32
		if dir < len(held) {
			classes = held[dir]
		}
		clear(course.High)
		slices.Sort(classes)
		for i := 0; i < len(classes); {
			k := i + 1
			for k < len(classes) && classes[k] == classes[i] {
				k++
			}
			addTimes(course.High, r.classes[classes[i]].high, calc.Bytes(k-i))
			i = k
		}
		d := &dirs[dir]
		if _, d.Load.Bytes = course.Peak(); d.Size > 0 {
			c.full(crossing(course.High, d.Size, span))
		}
	}
	c.spread(dirs)
	return c
}

// returns tells for each change of settings when space comes back, the topics with most of it first.
func (r *runner) returns(result *Result) {
	type about struct {
		change int
		topic  int32
	}
	at := map[about]int{}
	for change := range r.d.Changes {
		set, ok := r.d.Changes[change].Do.(Set)
		if !ok {
			continue
		}
		for _, ref := range result.plays.during(r.d.Changes[change].At).refs {
			if ref.class == internalClass || ref.copying {
				continue
			}
			if set.Topic != "" && set.Topic != r.topics[ref.topic].Name && !names(set.Topic, r.topics[ref.topic]) {
				continue
			}
			k, there := at[about{change, ref.topic}]
			if !there {
				k = len(result.Returns)
				at[about{change, ref.topic}] = k
				result.Returns = append(result.Returns, TopicReturn{Topic: r.topics[ref.topic].Name, Change: change, First: calc.Never})
			}
			t := &result.Returns[k]
			t.Replicas++
			for _, ret := range r.classes[ref.class].returns {
				if ret.Change == change && ret.After != calc.Never {
					t.First, t.Last = min(t.First, ret.After), max(t.Last, ret.After)
					t.Freed += ret.Freed
				}
			}
		}
	}
	order.Sort(result.Returns, func(a, b *TopicReturn) int {
		return cmp.Or(cmp.Compare(a.Change, b.Change), cmp.Compare(b.Freed, a.Freed), cmp.Compare(a.Topic, b.Topic))
	})
}

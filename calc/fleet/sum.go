package fleet

import (
	"cmp"
	"slices"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/placement"
)

// maxFilling is how many topics are told that fill a directory.
const maxFilling = 5

// sum adds the partitions' courses up.
func (r *runner) sum(result *Result) {
	spans := 0
	for i := range r.classes {
		spans = max(spans, len(r.classes[i].high))
	}
	if spans == 0 {
		return
	}
	result.Span = max(1, (r.horizon+envelopeSpans)/envelopeSpans)
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
func (r *runner) sumDir(dir int, d *Dir, spans int, span calc.Millis) {
	d.Low, d.High = make([]calc.Bytes, spans), make([]calc.Bytes, spans)
	low, high := make([]calc.Bytes, spans), make([]calc.Bytes, spans)
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
				for s := first; s <= last; s++ {
					low[s] += count * c.low[s]
					high[s] += count * c.high[s]
				}
			}
			i = k
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
		d.Crosses[i] = calc.Never
		if d.Size == 0 {
			continue
		}
		mark := d.Size/100*calc.Bytes(percent) + d.Size%100*calc.Bytes(percent)/100
		for s, b := range d.High {
			if b >= mark {
				d.Crosses[i] = calc.Millis(s) * span
				break
			}
		}
	}
}

// fill finds what fills a directory at its peak, and the bound of its internal topics.
func (r *runner) fill(dir int, d *Dir, span calc.Millis) {
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
		slices.SortFunc(best, func(a, b Share) int { return cmp.Or(cmp.Compare(b.Bytes, a.Bytes), cmp.Compare(a.Topic, b.Topic)) })
	}
	d.Filling = slices.Clone(best[:min(len(best), maxFilling)])
}

func (r *runner) internalBound(topic int32) calc.Bytes {
	for _, t := range internalTopics {
		if t.name == r.topics[topic].Name {
			return internalSegments * t.segment
		}
	}
	return 0
}

// files adds up open files and memory maps of each broker: the most of any period.
func (r *runner) files(result *Result, at map[int32]int) {
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

// compare places the same topics by each policy. start is the directories as they are at the start.
func (r *runner) compare(result *Result, start []placement.Directory) {
	for _, policy := range placement.Policies() {
		dirs := start
		if policy != placement.FewestLogs {
			var err error
			if dirs, err = placement.DirsBy(r.version, policy, r.d.Seed, r.d.Brokers, r.specs); err != nil {
				return // what was wrong was found when Kafka's was played
			}
		}
		choice := Choice{Policy: policy}
		choice.Bytes, _ = placement.Spread(dirs, placement.ByBytes)
		choice.Rate, _ = placement.Spread(dirs, placement.ByRate)
		result.Choices = append(result.Choices, choice)
	}
}

// returns tells for each change of settings when space comes back, the topics with most of it first.
func (r *runner) returns(result *Result) {
	type about struct {
		change int
		topic  int32
	}
	at := map[about]int{}
	for _, ref := range r.snapshot[0].refs {
		if ref.class == internalClass {
			continue
		}
		for _, ret := range r.classes[ref.class].returns {
			if s := r.d.Changes[ret.Change].Do.(Set); s.Topic != "" && s.Topic != r.topics[ref.topic].Name && !names(s.Topic, r.topics[ref.topic]) {
				continue
			}
			k, there := at[about{ret.Change, ref.topic}]
			if !there {
				k = len(result.Returns)
				at[about{ret.Change, ref.topic}] = k
				result.Returns = append(result.Returns, TopicReturn{Topic: r.topics[ref.topic].Name, Change: ret.Change, First: calc.Never})
			}
			t := &result.Returns[k]
			if t.Replicas++; ret.After == calc.Never {
				continue
			}
			t.First, t.Last = min(t.First, ret.After), max(t.Last, ret.After)
			t.Freed += ret.Freed
		}
	}
	slices.SortFunc(result.Returns, func(a, b TopicReturn) int {
		return cmp.Or(cmp.Compare(a.Change, b.Change), cmp.Compare(b.Freed, a.Freed), cmp.Compare(a.Topic, b.Topic))
	})
}

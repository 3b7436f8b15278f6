package scene

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/fleet"
	"github.com/partsize/partsize/calc/internal/order"
	"github.com/partsize/partsize/calc/report"
)

// rows is what is drawn, and the way here.
func (v *view) rows(s *Scene) {
	s.Crumbs = []Crumb{{"Cluster", ""}}
	s.Title = fmt.Sprintf("Directories of %d brokers", len(v.Brokers))
	if v.broker >= 0 {
		id := v.Brokers[v.broker].ID
		s.Title = fmt.Sprintf("Broker %d", id)
		s.Crumbs = append(s.Crumbs, Crumb{s.Title, brokerWhere(id)})
	}
	if v.dir >= 0 {
		s.Crumbs = append(s.Crumbs, Crumb{v.Dirs[v.dir].Path, v.dirWhere(v.dir)})
		s.Title += ", " + v.Dirs[v.dir].Path
	}
	var total calc.Bytes
	dirs := v.dirsOf(v.broker)
	if v.dir >= 0 {
		dirs = []int{v.dir}
	}
	for _, i := range dirs {
		total += v.Dirs[i].High[v.span]
	}
	s.Readout = report.SizeText(total) + " on disk"
	if len(dirs) <= maxBars {
		var written calc.ByteRate
		for _, i := range dirs {
			written += v.written(v.Held(i, v.at))
		}
		s.Readout += ", " + rateText(written) + " written"
	}
	if v.broker < 0 && len(v.Dirs) > maxBars {
		s.Skyline = v.skyline()
		v.brokerRows(s)
	} else {
		v.dirRows(s, dirs)
	}
	v.key(s, dirs)
}

// first is the directory that is full before all others; −1: none.
func (v *view) first() int {
	first := -1
	for i := range v.Dirs {
		if v.full(i) != calc.Never && (first < 0 || v.full(i) < v.full(first)) {
			first = i
		}
	}
	return first
}

// page is the part of so many rows that is shown.
func (v *view) page(s *Scene, all int) (from, to int) {
	s.All, s.From = all, min(v.from, max(0, all-1)/maxRows*maxRows)
	return s.From, min(all, s.From+maxRows)
}

// dirRows is a row for each directory.
func (v *view) dirRows(s *Scene, dirs []int) {
	order.Sort(dirs, func(a, b *int) int { return int(v.Dirs[*a].Broker) - int(v.Dirs[*b].Broker) })
	scale := v.scale(dirs)
	s.All = len(dirs)
	if len(dirs) > maxBars {
		from, to := v.page(s, len(dirs))
		dirs = dirs[from:to]
	}
	group, first := int32(-1), v.first()
	s.Twin = Table{Caption: "Directories at " + s.Clock, Columns: []Column{{"Directory", false}, {"Replicas", true}, {"On disk", true}, {"Size", true}, {"Used", true}, {"Written", true}}}
	for _, i := range dirs {
		d := &v.Dirs[i]
		held := v.Held(i, v.at)
		row := Row{Where: v.dirWhere(i), Label: d.Path, First: i == first}
		if v.broker < 0 && d.Broker != group {
			group = d.Broker
			row.Group, row.GroupCap = fmt.Sprintf("Broker %d", group), v.brokerCap(group)
		}
		var used calc.Bytes
		row.Bar, used = v.bar(held, d.Size, scale)
		row.Right, row.Cap = day(v.full(i)), report.SizeText(used)
		size, share := "not known", "–"
		if d.Size > 0 {
			size, share = report.SizeText(d.Size), percentOf(used, d.Size)
			row.Cap = share + " used"
		} else {
			row.Right = report.SizeText(used)
			row.Cap = ""
		}
		if v.full(i) == calc.Never && d.Size > 0 {
			row.Right = "never full"
		}
		full := row.Right
		if d.Gone <= v.at {
			row.Right = "offline"
			full += ", offline"
		} else if !d.There(v.at) {
			row.Right = "from " + day(d.Joined)
			row.Cap = "not there yet"
			full += ", not there yet"
		}
		row.Says = fmt.Sprintf("%s of broker %d: %d replicas, %s of %s; full: %s", d.Path, d.Broker, len(held), report.SizeText(used), size, full)
		s.Rows = append(s.Rows, row)
		s.Twin.Rows = append(s.Twin.Rows, []Cell{
			{Text: fmt.Sprintf("broker %d, %s", d.Broker, d.Path)}, {Text: strconv.Itoa(len(held))}, {Text: report.SizeText(used)}, {Text: size}, {Text: share}, {Text: rateText(v.written(held))},
		})
	}
}

// written is what is written a second to replicas at the moment.
func (v *view) written(held []fleet.Held) (sum calc.ByteRate) {
	for _, h := range held {
		sum += v.Rate(h, v.at)
	}
	return sum
}

func percentOf(b, of calc.Bytes) string { return fmt.Sprintf("%d %%", part(b, of)/10) }

// brokerCap is what a broker's directories hold together.
func (v *view) brokerCap(id int32) string {
	var used, size calc.Bytes
	known, there := true, false
	for i := range v.Dirs {
		if d := &v.Dirs[i]; d.Broker == id && d.There(v.at) {
			there = true
			used += d.High[v.span]
			size += d.Size
			known = known && d.Size > 0
		}
	}
	switch {
	case !there:
		return "not there"
	case !known:
		return report.SizeText(used)
	}
	return report.SizeText(used) + " of " + report.SizeText(size)
}

// scale is how many bytes the width of a bar stands for: the largest size, and a little more where something is larger.
func (v *view) scale(dirs []int) (scale calc.Bytes) {
	var most calc.Bytes
	for _, i := range dirs {
		_, peak := v.Dirs[i].Peak()
		scale, most = max(scale, v.Dirs[i].Size), max(most, peak)
	}
	if scale == 0 {
		return max(most, 1)
	}
	// What is over the size is shown to be over; how much, the text says.
	return max(scale, min(most, scale+scale/8))
}

// along is bytes as a part of the width.
func along(b, scale calc.Bytes) int {
	for scale >= 1<<48 {
		b, scale = b>>1, scale>>1
	}
	return int(min(b*Width/scale, Width))
}

// Lines between replicas are drawn where they stand apart so far, and labels where there is so much room.
const (
	minBlock = 18
	minLabel = 700
)

// bar draws the replicas of a directory, the topics with a tint first.
func (v *view) bar(held []fleet.Held, size, scale calc.Bytes) (bar Bar, used calc.Bytes) {
	byTint := make([][]fleet.Held, tints)
	for _, h := range held {
		if h.Internal {
			continue // a bound, not bytes that are there
		}
		t := v.desk.tintOf(h.Topic)
		byTint[t] = append(byTint[t], h)
	}
	bar.Room = along(size, scale)
	for t, all := range byTint {
		var lines strings.Builder
		from := used
		last := along(used, scale)
		for _, h := range all {
			used += h.Bytes
			if x := along(used, scale); x-last >= minBlock {
				fmt.Fprintf(&lines, "M%d 0v%d", x, BarHeight*10)
				last = x
			}
		}
		x, to := along(from, scale), along(used, scale)
		if to <= x {
			continue
		}
		run := Run{Tint: t, Shape: fmt.Sprintf("M%d 0h%dv%dh-%dz", x, to-x, BarHeight*10, to-x), X: x}
		if name := v.desk.name(t); to-x >= minLabel && len([]rune(name))*130 < to-x {
			run.Label = name
		}
		run.Lines = lines.String()
		bar.Runs = append(bar.Runs, run)
	}
	bar.End = along(used, scale)
	if size > 0 && used > size {
		bar.Over = bar.Room
	}
	return bar, used
}

// name is what a tint is called.
func (d *Desk) name(tint int) string {
	if tint < len(d.names) {
		return d.names[tint]
	}
	return "other topics"
}

// key is what the tints stand for, with what each topic has here.
func (v *view) key(s *Scene, dirs []int) {
	if s.Skyline != nil {
		return
	}
	var bytes [tints]calc.Bytes
	for _, i := range dirs {
		for _, h := range v.Held(i, v.at) {
			if !h.Internal {
				bytes[v.desk.tintOf(h.Topic)] += h.Bytes
			}
		}
	}
	for t, b := range bytes {
		if b > 0 {
			s.Key = append(s.Key, Key{t, v.desk.name(t) + ", " + report.SizeText(b)})
		}
	}
}

// brokerRows is a row for each broker of a large cluster, with its directories as lanes; those that fill first come first.
func (v *view) brokerRows(s *Scene) {
	dirs := make([][]int, len(v.Brokers))
	index := map[int32]int{}
	for i := range v.Brokers {
		index[v.Brokers[i].ID] = i
	}
	fulls, most := make([]calc.Millis, len(v.Brokers)), make([]int64, len(v.Brokers))
	for i := range fulls {
		fulls[i] = calc.Never
	}
	for i := range v.Dirs {
		b := index[v.Dirs[i].Broker]
		dirs[b] = append(dirs[b], i)
		fulls[b] = min(fulls[b], v.full(i))
		_, peak := v.Dirs[i].Peak()
		most[b] = max(most[b], part(peak, max(v.Dirs[i].Size, 1)))
	}
	urgent := order.By(len(v.Brokers), func(a, b int) int { return cmp.Or(cmp.Compare(fulls[a], fulls[b]), cmp.Compare(most[b], most[a])) })
	scale, first := v.scale(v.dirsOf(-1)), v.first()
	from, to := v.page(s, len(urgent))
	s.Twin = Table{Caption: "Brokers at " + s.Clock, Columns: []Column{{"Broker", false}, {"Directories", true}, {"On disk", true}, {"Fullest", true}, {"First full", true}}}
	for _, b := range urgent[from:to] {
		id := v.Brokers[b].ID
		row := Row{Where: brokerWhere(id), Label: fmt.Sprintf("Broker %d", id), Right: day(fulls[b])}
		if fulls[b] == calc.Never {
			row.Right = "never full"
		}
		height := BarHeight * 10 / max(len(dirs[b]), 1)
		var shape strings.Builder
		fullest := int64(0)
		for k, i := range dirs[b] {
			row.First = row.First || i == first
			used := v.Dirs[i].High[v.span]
			x := along(used, scale)
			fullest = max(fullest, part(used, max(v.Dirs[i].Size, 1)))
			fmt.Fprintf(&shape, "M0 %dh%dv%dh-%dz", k*height+4, x, max(height-8, 4), x)
			row.Bar.Room = max(row.Bar.Room, along(v.Dirs[i].Size, scale))
			row.Bar.End = max(row.Bar.End, x)
			if used > v.Dirs[i].Size && v.Dirs[i].Size > 0 {
				row.Bar.Over = along(v.Dirs[i].Size, scale)
			}
		}
		row.Bar.Runs = []Run{{Shape: shape.String()}}
		row.Cap = fmt.Sprintf("fullest %d %%", fullest/10)
		row.Says = fmt.Sprintf("Broker %d: %d directories, %s, the fullest %d %% used; first full: %s", id, len(dirs[b]), v.brokerCap(id), fullest/10, row.Right)
		s.Rows = append(s.Rows, row)
		s.Twin.Rows = append(s.Twin.Rows, []Cell{
			{Text: row.Label}, {Text: strconv.Itoa(len(dirs[b]))}, {Text: v.brokerCap(id)}, {Text: fmt.Sprintf("%d %%", fullest/10)}, {Text: row.Right},
		})
	}
}

// skyline is every directory as an upright bar, broker by broker.
func (v *view) skyline() *Skyline {
	dirs := v.dirsOf(-1)
	order.Sort(dirs, func(a, b *int) int { return int(v.Dirs[*a].Broker) - int(v.Dirs[*b].Broker) })
	scale := v.scale(dirs)
	var free, used, over strings.Builder
	var total calc.Bytes
	live, above := 0, 0
	k := Skyline{Even: -1}
	const high = SkylineHeight * 10
	for n, i := range dirs {
		d := &v.Dirs[i]
		x, to := n*Width/len(dirs), (n+1)*Width/len(dirs)
		width := max(to-x-max((to-x)/6, 2), 2)
		draw := func(b *strings.Builder, from, until calc.Bytes) {
			y, h := along(from, scale)*high/Width, along(until, scale)*high/Width
			if h > y {
				fmt.Fprintf(b, "M%d %dh%dv%dh-%dz", x, high-h, width, h-y, width)
			}
		}
		now := d.High[v.span]
		draw(&free, 0, d.Size)
		if d.Size > 0 && now > d.Size {
			draw(&used, 0, d.Size)
			draw(&over, d.Size, now)
			above++
		} else {
			draw(&used, 0, now)
		}
		if !d.Offline {
			total += now
			live++
		}
		k.Wheres = append(k.Wheres, v.dirWhere(i))
	}
	if live > 0 {
		k.Even = SkylineHeight - along(total/calc.Bytes(live), scale)*SkylineHeight/Width
	}
	k.Free, k.Used, k.Over = free.String(), used.String(), over.String()
	k.Summary = fmt.Sprintf("%d directories of %d brokers: %s on average, %d above their size", len(dirs), len(v.Brokers), report.SizeText(total/calc.Bytes(max(live, 1))), above)
	return &k
}

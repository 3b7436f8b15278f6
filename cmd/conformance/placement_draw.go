package main

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/placement"
)

// history draws the life of a broker's directories. The model goes along, so that most steps are about what is there; what
// it gets wrong shows in the comparison.
type history struct {
	rnd    *rand.Rand
	broker *placement.Broker
	prefix string
	bad    []string // directories that failed and are not back
	names  []placement.Partition
	steps  []string
	added  int
}

// dirsScenario draws a scenario about the directories of one broker under a prefix.
func dirsScenario(name, prefix string, seed uint64) string {
	h := history{rnd: rand.New(rand.NewPCG(seed, 1)), prefix: prefix}
	var dirs, paths []string
	for i := range 1 + h.rnd.IntN(9) {
		dirs = append(dirs, fmt.Sprintf("%s%d", pick(h.rnd, []string{"d", "data", "disk-", "Z"}), i))
		paths = append(paths, prefix+"/"+dirs[i])
	}
	var err error
	h.broker, err = placement.NewBroker(placement.Config{Version: calc.V4_3, LogDirs: paths, DeleteDelay: placement.DefaultDeleteDelay, InitialTaskDelay: placement.DefaultInitialTaskDelay})
	if err != nil {
		panic("conformance: " + err.Error()) // the names differ
	}
	growing := 0.4 + 0.5*h.rnd.Float64()
	for range 40 + h.rnd.IntN(200) {
		if h.step(growing); !h.broker.Running() {
			break
		}
	}
	return fmt.Sprintf(`{"format":"kafka-placement-scenario/1","name":%q,"description":"drawn from seed %d","prefix":%q,"log.dirs":%s,"metadata":%t,"steps":[
%s]}`, name, seed, prefix, quoted(dirs), h.rnd.IntN(4) == 0, strings.Join(h.steps, ",\n"))
}

func pick[T any](rnd *rand.Rand, items []T) T { return items[rnd.IntN(len(items))] }

func quoted(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		panic("conformance: " + err.Error())
	}
	return string(text)
}

// name is a directory's name in the scenario.
func (h *history) name(path string) string { return strings.TrimPrefix(path, h.prefix+"/") }

// add notes a step as text, from names and values in turn.
func (h *history) add(pairs ...any) {
	var fields []string
	for i := 0; i < len(pairs); i += 2 {
		fields = append(fields, quoted(pairs[i])+":"+quoted(pairs[i+1]))
	}
	h.steps = append(h.steps, "{"+strings.Join(fields, ",")+"}")
}

// held is the partitions that have a log now, or a future one.
func (h *history) held(future bool) (held []placement.Partition) {
	for _, p := range h.names {
		_, there := h.broker.Log(p)
		if future {
			_, there = h.broker.FutureLog(p)
		}
		if there {
			held = append(held, p)
		}
	}
	return held
}

func (h *history) fresh() placement.Partition {
	p := placement.Partition{Topic: pick(h.rnd, []string{"t", "orders", "__consumer_offsets", "a.b_c"}), Number: int32(len(h.names))}
	h.names = append(h.names, p)
	return p
}

// step draws a step and makes it. What the model refuses, Kafka must refuse.
func (h *history) step(growing float64) {
	b, rnd := h.broker, h.rnd
	have := h.held(false)
	if len(have) == 0 || rnd.Float64() < growing {
		h.create(have)
		return
	}
	p, live := pick(rnd, have), b.Live()
	switch r := rnd.IntN(100); {
	case r < 30:
		h.add("delete", p.String())
		_ = b.Delete(p)
	case r < 46 && len(h.bad) == 0:
		to := pick(rnd, live)
		h.add("move", p.String(), "to", h.name(to))
		_, _ = b.Move(p, to)
	case r < 60:
		if moving := h.held(true); len(moving) > 0 {
			p := pick(rnd, moving)
			if rnd.IntN(4) == 0 {
				h.add("cancel_move", p.String())
				_ = b.CancelMove(p)
			} else {
				h.add("finish_move", p.String())
				_ = b.FinishMove(p)
			}
		}
	case r < 63:
		dir := pick(rnd, b.Configured())
		h.add("prefer", p.String(), "dir", h.name(dir))
		b.Prefer(p, dir)
	case r < 70:
		dir := pick(rnd, b.Configured())
		if rnd.IntN(2) == 0 {
			h.add("cordon", h.name(dir))
			_ = b.Cordon(dir)
		} else {
			h.add("uncordon", h.name(dir))
			_ = b.Uncordon(dir)
		}
	case r < 73 && len(live) > 2:
		dir := pick(rnd, live)
		h.add("fail_dir", h.name(dir))
		_ = b.FailDir(dir)
		h.bad = append(h.bad, dir)
	case r < 78 && len(h.bad) == 0:
		h.add("restart", true)
		_ = b.Restart(placement.Start{})
	case r < 80 && len(h.bad) == 0 && h.added < 4:
		h.added++
		dir := fmt.Sprintf("added%d", h.added)
		h.add("add_dir", dir)
		_ = b.AddDir(h.prefix+"/"+dir, -1, placement.Start{})
	default:
		wait := pick(rnd, []calc.Millis{1, 500, 30_000, 60_000, 90_000, 300_000})
		h.add("advance_ms", int64(wait))
		b.Advance(wait)
	}
}

func (h *history) create(have []placement.Partition) {
	p := placement.Partition{}
	if len(have) > 0 && len(h.bad) == 0 && h.rnd.IntN(15) == 0 {
		p = pick(h.rnd, have)
	} else {
		p = h.fresh()
	}
	pairs, r := []any{"create", p.String()}, placement.Request{}
	switch q := h.rnd.IntN(100); {
	case q < 8:
		r.Prefer = pick(h.rnd, h.broker.Configured())
		pairs = append(pairs, "dir", h.name(r.Prefer))
	case q < 14:
		r.Target = placement.Target{Kind: placement.TargetLogDir, Dir: pick(h.rnd, h.broker.Live())}
		pairs = append(pairs, "target", h.name(r.Target.Dir))
	case q < 18:
		pairs = append(pairs, "target", pick(h.rnd, []string{"UNASSIGNED", "LOST", "MIGRATING"}))
	case q < 21:
		r.NotNew = true
		pairs = append(pairs, "is_new", false)
	}
	h.add(pairs...)
	_, _ = h.broker.Create(p, r)
}

// brokersScenario draws topics that are placed on brokers, one after the other, with the controller's random numbers.
func brokersScenario(name string, seed uint64) string {
	rnd := rand.New(rand.NewPCG(seed, 2))
	var cases []string
	for i := range 5 {
		var racks []string
		for k := range rnd.IntN(6) {
			racks = append(racks, fmt.Sprintf("%s%d", pick(rnd, []string{"az", "rack-", "use1-az", "R"}), k))
		}
		n := 1 + rnd.IntN(14)
		var brokers, topics []string
		for _, id := range rnd.Perm(200)[:n] {
			rack := "null"
			if len(racks) > 0 && rnd.IntN(20) > 0 {
				rack = quoted(pick(rnd, racks))
			}
			brokers = append(brokers, fmt.Sprintf(`{"id":%d,"rack":%s,"fenced":%t}`, id, rack, rnd.IntN(5) == 0))
		}
		for range 1 + rnd.IntN(4) {
			topics = append(topics, fmt.Sprintf(`{"start":0,"partitions":%d,"rf":%d}`, 1+rnd.IntN(40), 1+rnd.IntN(min(n+1, 5))))
		}
		cases = append(cases, fmt.Sprintf(`{"name":"case %d","seed":%d,"brokers":[%s],"topics":[%s]}`, i, rnd.Int64N(1<<40), strings.Join(brokers, ","), strings.Join(topics, ",")))
	}
	return fmt.Sprintf(`{"format":"kafka-replica-scenario/1","name":%q,"cases":[
%s]}`, name, strings.Join(cases, ",\n"))
}

// creationScenario draws topics that reach a broker at once.
func creationScenario(name string, seed uint64) string {
	rnd := rand.New(rand.NewPCG(seed, 3))
	var cases []string
	for range 5 {
		brokers := 2 + rnd.IntN(5)
		var topics []string
		for k := range 1 + rnd.IntN(3) {
			var replicas [][]int
			for range pick(rnd, []int{1, 3, 6, 12, 30, 60}) {
				var ids []int
				for _, id := range rnd.Perm(brokers)[:1+rnd.IntN(min(3, brokers))] {
					ids = append(ids, id+1)
				}
				replicas = append(replicas, ids)
			}
			topics = append(topics, fmt.Sprintf(`{"name":"%s%d","replicas":%s}`, pick(rnd, []string{"t", "orders", "log.", "Z"}), k, quoted(replicas)))
		}
		cases = append(cases, fmt.Sprintf(`{"broker":1,"topics":[%s]}`, strings.Join(topics, ",")))
	}
	return fmt.Sprintf(`{"format":"kafka-creation-scenario/1","name":%q,"cases":[
%s]}`, name, strings.Join(cases, ",\n"))
}

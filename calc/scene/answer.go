package scene

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/partsize/partsize/calc"
	"github.com/partsize/partsize/calc/fleet"
	"github.com/partsize/partsize/calc/placement"
	"github.com/partsize/partsize/calc/report"
)

// answer is the sentence and the figures. They are the whole cluster's, wherever the reader looks.
func (v *view) answer(s *Scene) {
	first, emptiest := v.first(), -1
	sized := slices.ContainsFunc(v.Dirs, func(d fleet.Dir) bool { return d.Size > 0 })
	peakSpan, peak := v.Cluster.Peak()
	var w report.Words
	say := func(text string) { w = append(w, report.Word{Text: text}) }
	strong := func(text string) { w = append(w, report.Word{Text: text, Strong: true}) }
	lead := Figure{Label: "First directory full", Value: "never", Caption: "within " + report.Span(v.Horizon)}
	switch {
	case first >= 0:
		d := &v.Dirs[first]
		at := int(v.full(first) / v.Span)
		for i := range v.Dirs {
			o := &v.Dirs[i]
			if i != first && o.There(v.full(first)) && o.Size > 0 && (emptiest < 0 || part(o.High[at], o.Size) < part(v.Dirs[emptiest].High[at], v.Dirs[emptiest].Size)) {
				emptiest = i
			}
		}
		say("The first directory to fill is ")
		strong(fmt.Sprintf("%s of broker %d", d.Path, d.Broker))
		if v.full(first) < calc.Day {
			say(", after ")
		} else {
			say(", on ")
		}
		strong(day(v.full(first)))
		if emptiest >= 0 {
			o := &v.Dirs[emptiest]
			say(", while ")
			say(fmt.Sprintf("%s of broker %d is ", o.Path, o.Broker))
			strong(fmt.Sprintf("%d %% used", part(o.High[at], o.Size)/10))
		}
		say(".")
		lead.Value, lead.Caption = day(v.full(first)), fmt.Sprintf("broker %d, %s; %s", d.Broker, d.Path, v.when(first))
	default:
		say("The cluster peaks at ")
		strong(report.SizeText(peak))
		if say(" on disk"); sized {
			say(", and no directory gets full within " + report.Span(v.Horizon))
		}
		say(".")
		if !sized {
			number, unit := report.Size(peak)
			lead = Figure{"Peak of the cluster", number, unit, clockOf(calc.Millis(peakSpan) * v.Span)}
		}
	}
	s.Sentence = w
	s.Figures = append(s.Figures, lead)
	here, best := v.choice(v.Policy), v.choice(placement.LeastBytes)
	s.Figures = append(s.Figures,
		Figure{"Uneven bytes", times(here.Bytes.Permille()), "× even share",
			fmt.Sprintf("%s in the fullest directory; Kafka counts partitions, not bytes", report.SizeText(calc.Bytes(here.Bytes.Largest)))},
		Figure{"Uneven load", times(here.Rate.Permille()), "× even share",
			fmt.Sprintf("%s/s into the busiest directory; Kafka does not look at load", report.SizeText(calc.Bytes(here.Rate.Largest)))})
	placed := Figure{"If placed by bytes", "never full", "", "the same steps, the directory with the fewest bytes"}
	if best.Full != calc.Never {
		placed.Value = day(best.Full)
	}
	if !sized {
		placed.Value, placed.Unit = times(best.Bytes.Permille()), "× even share"
	}
	s.Figures = append(s.Figures, placed)
}

// when is between which times a directory gets full; its bytes are known for spans of time.
func (v *view) when(dir int) string {
	text := "at the earliest " + clockOf(v.full(dir))
	if surely := v.Dirs[dir].Surely[len(fleet.Levels)-1]; surely != calc.Never {
		text += ", at the latest " + clockOf(surely)
	}
	return text
}

// choice is how a policy stands.
func (v *view) choice(p placement.Policy) fleet.Choice {
	for _, one := range v.Choices {
		if one.Policy == p {
			return one
		}
	}
	return fleet.Choice{Policy: p, Full: calc.Never}
}

// part is a share in thousandths.
func part(b, of calc.Bytes) int64 {
	for of >= 1<<52 || b >= 1<<52 {
		b, of = b>>1, of>>1
	}
	return int64(b * 1000 / max(of, 1))
}

// times is thousandths as a factor with two digits: 1.31.
func times(permille int64) string {
	hundredths := (permille + 5) / 10
	return strconv.FormatInt(hundredths/100, 10) + "." + strconv.FormatInt(100+hundredths%100, 10)[1:]
}

package report

import (
	"testing"

	"github.com/partsize/partsize/calc"
)

func defaults(tb testing.TB, pairs ...string) calc.Answer {
	tb.Helper()
	in := calc.Defaults()
	for i := 0; i < len(pairs); i += 2 {
		_ = in.Set(pairs[i], pairs[i+1])
	}
	s, err := calc.NewScenario(in)
	if err != nil {
		tb.Fatal(err)
	}
	return calc.Run(s)
}

// BenchmarkPage is what a change of a setting costs in parts.
func BenchmarkPage(b *testing.B) {
	a := defaults(b)
	w, _ := WindowFor(&a, FocusPeak)
	c := ChartOf(&a, w)
	at := a.Timeline.Peak().Allocated.At
	b.Run("Run", func(b *testing.B) {
		for b.Loop() {
			calc.Run(a.Scenario)
		}
	})
	b.Run("Chart", func(b *testing.B) {
		for b.Loop() {
			ChartOf(&a, w)
		}
	})
	b.Run("Moment", func(b *testing.B) {
		for b.Loop() {
			MomentOf(&a, w, at, false)
		}
	})
	b.Run("Cursor", func(b *testing.B) {
		for b.Loop() {
			CursorOf(&a, &c, at)
		}
	})
	b.Run("Receipt", func(b *testing.B) {
		for b.Loop() {
			ReceiptOf(&a)
		}
	})
	b.Run("Table", func(b *testing.B) {
		for b.Loop() {
			Table(&a, w)
		}
	})
	b.Run("Sentence", func(b *testing.B) {
		for b.Loop() {
			Sentence(&a)
		}
	})
}

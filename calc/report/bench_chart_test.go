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
	c := drawn(&a, w)
	at := a.Timeline.Peak().Allocated.At
	b.Run("Run", func(b *testing.B) {
		for b.Loop() {
			calc.Run(a.Scenario)
		}
	})
	b.Run("Chart", func(b *testing.B) {
		for b.Loop() {
			drawn(&a, w)
		}
	})
	b.Run("Moment", func(b *testing.B) {
		for b.Loop() {
			MomentOf(NewLook(a.Timeline), w, at, false)
		}
	})
	b.Run("Cursor", func(b *testing.B) {
		for b.Loop() {
			CursorOf(NewLook(a.Timeline), &c, at)
		}
	})
	b.Run("Receipt", func(b *testing.B) {
		for b.Loop() {
			ReceiptOf(&a, OfPeak)
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

// BenchmarkScrub is what a moved moment costs over a year at 10 MiB/s.
func BenchmarkScrub(b *testing.B) {
	a := defaults(b, "produce", "10MiB/s", "horizon", "365d")
	w, _ := WindowFor(&a, FocusAll)
	c := drawn(&a, w)
	until := a.Timeline.Until()
	n := calc.Millis(0)
	at := func() calc.Millis { n++; return until / 1001 * (n % 1000) } // a pixel each
	l := NewLook(a.Timeline)
	b.Run("At", func(b *testing.B) {
		for b.Loop() {
			l.At(at())
		}
	})
	b.Run("Cursor", func(b *testing.B) {
		for b.Loop() {
			CursorOf(l, &c, at())
		}
	})
	b.Run("Moment", func(b *testing.B) {
		for b.Loop() {
			MomentOf(l, w, at(), false)
		}
	})
	b.Run("Stay", func(b *testing.B) {
		for b.Loop() {
			StayOf(&a, l, at(), -1, -1, nil)
		}
	})
}

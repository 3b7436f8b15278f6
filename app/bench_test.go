package app

import (
	"strconv"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// BenchmarkChange is a change of a setting, from the handler to the drawn tree, without the browser.
func BenchmarkChange(b *testing.B) {
	r := &Root{}
	engine := app.NewTestEngine()
	if err := engine.Load(r); err != nil {
		b.Fatal(err)
	}
	engine.ConsumeAll()
	n := 0
	b.Run("state", func(b *testing.B) {
		for b.Loop() {
			n++
			r.state.hasty = true
			r.state.set("retention.ms", strconv.Itoa(8000+n%1000)+"min")
			r.state.prepare()
		}
	})
	b.Run("form", func(b *testing.B) {
		for b.Loop() {
			r.state.views.form = nil
			r.state.form()
		}
	})
	b.Run("svg", func(b *testing.B) {
		for b.Loop() {
			r.state.chartView()
		}
	})
	b.Run("render", func(b *testing.B) {
		for b.Loop() {
			r.Render()
		}
	})
}

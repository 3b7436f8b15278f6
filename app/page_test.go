package app

import (
	"regexp"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// rendered is the page as cmd/site writes it, before that mends it.
func rendered(t *testing.T, change func(r *Root)) string {
	t.Helper()
	r := &Root{}
	engine := app.NewTestEngine()
	require.NoError(t, engine.Load(r))
	engine.ConsumeAll()
	if change != nil {
		change(r)
	}
	return app.HTMLString(r.Render())
}

// The page says the answer to the defaults before any program runs, and draws it.
func TestRenderedPageHasTheAnswer(t *testing.T) {
	page := strings.ReplaceAll(rendered(t, nil), "<wbr>", "")
	s := newState()
	number := strings.Fields(s.peakBytes().String())[0]
	assert.Contains(t, page, number)
	assert.Regexp(t, `<path class="a-log" d="M0 `, page)
	for _, row := range calc.Settings() {
		if row.Known(s.answer.Scenario.Version()) {
			assert.Contains(t, page, "<code>"+row.Key+"</code>")
		}
	}
	assert.NotContains(t, page, " style=", "the policy refuses it")
	assert.NotContains(t, page, "<script")
}

// What people type, paste or link is text everywhere.
func TestTypedMarkupIsText(t *testing.T) {
	evil := `"><script>alert(1)</script><img src=x onerror=alert(2)>` + "\u202e"
	page := rendered(t, func(r *Root) {
		for _, row := range calc.Settings() {
			_ = r.state.input.Set(row.Key, evil)
		}
		_ = r.state.input.Set(evil, evil)
		r.state.linkSays = []string{evil}
		r.state.paste = pasted{wrong: evil, read: evil, set: []string{evil}, look: []string{evil}, notes: []string{evil}}
		r.state.settle()
	})
	text := regexp.MustCompile(`"(?:[^"\\]|\\.)*"`).ReplaceAllString(page, `""`) // attributes; cmd/site escapes them
	assert.NotContains(t, text, "<script")
	assert.NotContains(t, text, "<img src=x")
}

// A page in any state is drawn without a panic.
func TestEveryStateIsDrawn(t *testing.T) {
	for name, pairs := range map[string][]string{
		"empty": {"produce", "0/s"}, "wrong": {"retention.ms", "x"}, "all wrong": {"horizon", "x", "produce", "x"}, "instant": {"horizon", "1"},
		"deleted": {"steps", "1h delete-topic"}, "tiered": {"remote.storage.enable", "true"}, "compacted": {"cleanup.policy", "compact"},
		"old": {"kafka.version", "2.8"}, "refused": {"max.message.bytes", "0"}, "cross": {"remote.storage.enable", "true", "cleanup.policy", "compact"},
	} {
		page := rendered(t, func(r *Root) { r.state.replace(inputOf(pairs...)) })
		assert.Contains(t, page, `id="sentence"`, name)
	}
}

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// aPage is an object of a page in a PDF.
var aPage = regexp.MustCompile(`/Type\s*/Page[^s]`)

// print prints the page on A4, and keeps it in build/shots for a person to look at.
func (p *tab) print(name string) (pages int) {
	p.t.Helper()
	no := false
	printed, err := chromedp.Call(p.ctx, page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69, GenerateTaggedPDF: &no})
	require.NoError(p.t, err)
	require.True(p.t, bytes.HasPrefix(printed.Data, []byte("%PDF")))
	dir := filepath.Join(repo, "build", "shots")
	require.NoError(p.t, os.MkdirAll(dir, 0o755))
	require.NoError(p.t, os.WriteFile(filepath.Join(dir, name+".pdf"), printed.Data, 0o644))
	return len(aPage.FindAll(printed.Data, -1))
}

// On paper the page is a report of one page: light, without controls, the
// receipt open, with the chart, what was set, and the link in full.
func TestPrintedReport(t *testing.T) {
	s := serve(t, "/x/")
	for name, fragment := range map[string]string{
		"defaults": "",
		"by size":  "#v=1&produce=5MiB/s&retention.bytes=50GiB&horizon=4h&partitions=12&replication.factor=3&log.roll.hours=24",
		"trickle":  "#v=1&produce=5KiB/s&retention.ms=1h",
	} {
		t.Run(name, func(t *testing.T) {
			p := open(t, s.url+fragment)
			p.ready()
			eval[bool](p, `document.documentElement.dataset.theme = "dark", true`)
			if pages := p.print("print-" + name); name == "defaults" {
				assert.Equal(t, 1, pages)
			} else {
				assert.LessOrEqual(t, pages, 2, "findings take room")
			}

			p.size(718, 1020) // what 186 mm are
			_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
			require.NoError(t, err)
			seen := `(css) => [...document.querySelectorAll(css)].filter((e) => e.checkVisibility({contentVisibilityAuto: true}))`
			assert.Empty(t, eval[[]string](p, `(`+seen+`)("button:not(.fig,.bare), select, input[type=range], .pinned, dialog").map((e) => e.outerHTML.slice(0, 80))`))
			assert.Equal(t, 1, eval[int](p, `(`+seen+`)("#receipt tfoot").length`), "the receipt is open")
			assert.Equal(t, "light", eval[string](p, `getComputedStyle(document.documentElement).colorScheme`))
			assert.NotZero(t, eval[int](p, `(`+seen+`)("figure .plot path.l-total").length`), "the chart")
			assert.Equal(t, eval[string](p, `location.href`), p.text("#printed-link"))
			shown := eval[[]string](p, `(`+seen+`)(".settings .field").map((f) => f.querySelector("code").textContent).sort()`)
			want := map[string][]string{
				"defaults": {},
				"by size":  {"horizon", "partitions", "produce", "replication.factor", "retention.bytes", "segment.ms"},
				"trickle":  {"produce", "retention.ms"},
			}[name]
			assert.Equal(t, want, shown, "what differs from the defaults")
			p.screenshot("print-" + name)
		})
	}
}

package e2e

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// axeVersion of axe-core is fetched for the tests alone, and kept in build/.
const axeVersion = "4.14.1"

// axeSource is the script of axe-core. Without npm the test is left out,
// loudly; in CI that is a failure.
func axeSource(t *testing.T) string {
	t.Helper()
	source, err := fetchAxe()
	if err == nil {
		return source
	}
	if os.Getenv("CI") != "" {
		t.Fatalf("accessibility is not checked: %v", err)
	}
	t.Skipf("SKIPPED: accessibility is not checked: %v", err)
	return ""
}

var fetchAxe = sync.OnceValues(func() (string, error) {
	kept := filepath.Join(repo, "build", "axe-"+axeVersion+".js")
	if source, err := os.ReadFile(kept); err == nil {
		return string(source), nil
	}
	if _, err := exec.LookPath("npm"); err != nil {
		return "", errors.New("npm is not installed (apt-get install npm)")
	}
	dir, err := os.MkdirTemp("", "axe")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	pack := exec.Command("npm", "pack", "axe-core@"+axeVersion, "--silent")
	pack.Dir = dir
	if out, err := pack.CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm pack: %w: %s", err, out)
	}
	source, err := fromPack(filepath.Join(dir, "axe-core-"+axeVersion+".tgz"), "package/axe.min.js")
	if err != nil {
		return "", err
	}
	return source, os.WriteFile(kept, []byte(source), 0o644)
})

// fromPack is the content of a file in a package of npm.
func fromPack(pack, name string) (string, error) {
	f, err := os.Open(pack)
	if err != nil {
		return "", err
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		return "", err
	}
	files := tar.NewReader(unzipped)
	for {
		header, err := files.Next()
		if err != nil {
			return "", fmt.Errorf("%s: %s: %w", pack, name, err)
		}
		if header.Name == name {
			content, err := io.ReadAll(files)
			return string(content), err
		}
	}
}

// axe returns what axe-core finds wrong with the page as it is.
func (p *tab) axe(source string) []string {
	p.t.Helper()
	if !eval[bool](p, `"axe" in window`) {
		p.do(chromedp.Evaluate[chromedp.Void](source))
	}
	return eval[[]string](p, `(async () => {
		const found = await axe.run(document, {runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]});
		return found.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + " — " + n.failureSummary.replaceAll("\n", " ")));
	})()`)
}

// Nothing is wrong with the page by WCAG 2.2 AA and by best practice as far as
// axe-core sees it, in both themes, in each state that it has.
func TestAccessibility(t *testing.T) {
	source := axeSource(t)
	s := serve(t, "/x/")
	states := map[string]func(p *tab){
		"defaults": func(*tab) {},
		"errors": func(p *tab) {
			p.fill("retention.ms", "soon")
			p.fill("segment.bytes", "1")
			p.fill("record.headers", "x")
			p.waitFor(`document.querySelectorAll(".field.error").length === 3`)
		},
		"everything open": func(p *tab) {
			p.fill("retention.bytes", "10GiB")
			eval[bool](p, `document.querySelectorAll("details").forEach((d) => { d.open = true; }), true`)
		},
		"refused": func(p *tab) {
			p.fill("produce", "1TiB/s")
			p.fill("horizon", "10y")
			p.waitFor(`!!document.querySelector(".answer.old")`)
		},
		"receipt": func(p *tab) {
			p.fill("retention.bytes", "10GiB")
			p.click("[popovertarget=why-oldest]")
			p.waitFor(`document.querySelector("#why-oldest tfoot")`)
		},
		"number": func(p *tab) {
			eval[bool](p, `document.querySelector("#s-partitions").focus(), true`)
			p.press("x")
			p.waitFor(`document.querySelector("#s-partitions").getAttribute("aria-invalid") === "true"`)
		},
		"help": func(p *tab) {
			p.click("#f-retention-ms-field .help")
			p.waitFor(`document.querySelector("#help").matches(":popover-open")`)
		},
		"a record and a change": func(p *tab) {
			p.enter("#record", "2h ago")
			p.enter("#change-ms", "1h")
			p.enter("#change-bytes", "much")
			p.waitFor(`document.querySelector("#change-bad").textContent !== ""`)
			p.enter("#change-bytes", "1GiB")
			p.waitFor(`!!document.querySelector("#change-says") && document.querySelector("#stay-says").textContent.startsWith("Record")`)
		},
		"paste": func(p *tab) {
			p.pasteText("log.retention.hours=24\nlog.retention.byts=5\n")
			p.waitFor(`!!document.querySelector("#paste-look")`)
		},
		"cluster": func(p *tab) {
			p.goTo(p.address() + "#v=1&view=cluster")
			p.clusterDone()
			eval[bool](p, `document.querySelectorAll("details").forEach((d) => { d.open = true; }), true`)
		},
		"cluster of many": func(p *tab) {
			p.goTo(p.address() + "#v=1&view=cluster&c-brokers=30&c-if=lose,10,2")
			p.clusterDone()
			p.waitFor(`!!document.querySelector("#skyline svg")`)
		},
		"cluster with errors": func(p *tab) {
			p.goTo(p.address() + "#v=1&view=cluster&c-where=1:/data/a")
			p.clusterDone()
			p.typeCluster("c-topics-0-3", "fast")
			p.typeCluster("c-topics-0-1", "0")
			p.waitFor(`!!document.querySelector("#c-topics-0-3-err")`)
		},
	}
	for name, enter := range states {
		t.Run(name, func(t *testing.T) {
			p := open(t, s.url)
			p.ready()
			enter(p)
			for _, theme := range []string{"light", "dark"} {
				p.media("prefers-color-scheme", theme, "prefers-reduced-motion", "reduce")
				for _, width := range []int64{360, 1440} {
					p.size(width, 900)
					assert.Empty(t, p.axe(source), "%s, %d px", theme, width)
				}
			}
			p.screenshot("state-" + strings.ReplaceAll(name, " ", "-"))
		})
	}
	require.NotEmpty(t, source)
}

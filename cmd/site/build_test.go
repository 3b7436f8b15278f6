package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/partsize/partsize/app"
)

// site builds the site with empty modules in place of the programs.
func site(t *testing.T, o options) (dir, version string) {
	t.Helper()
	for _, name := range []*string{&o.wasm, &o.all} {
		if *name == "" {
			*name = filepath.Join(t.TempDir(), "empty.wasm")
			require.NoError(t, os.WriteFile(*name, []byte(wasmHeader), 0o644))
		}
	}
	if o.web == "" {
		o.web = filepath.Join("..", "..", "web")
	}
	if o.out == "" {
		o.out = filepath.Join(t.TempDir(), "dist")
	}
	version, err := build(o)
	require.NoError(t, err)
	return o.out, version
}

func read(t *testing.T, dir, name string) string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
	require.NoError(t, err)
	return string(content)
}

// files returns the content of every file in dir.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			rel, _ := filepath.Rel(dir, name)
			all[filepath.ToSlash(rel)] = read(t, dir, rel)
		}
		return err
	}))
	return all
}

// Pitfall 8: two builds of one commit are equal, byte for byte.
func TestTwoBuildsAreEqual(t *testing.T) {
	one, v1 := site(t, options{})
	two, v2 := site(t, options{})
	assert.Equal(t, v1, v2)
	assert.Equal(t, files(t, one), files(t, two))
}

// Pitfall 21: the version is the content, so that it changes with it and with
// nothing else.
func TestVersionFollowsTheContent(t *testing.T) {
	_, before := site(t, options{})

	web := filepath.Join(t.TempDir(), "web")
	require.NoError(t, os.CopyFS(web, os.DirFS(filepath.Join("..", "..", "web"))))
	css := filepath.Join(web, "style.css")
	require.NoError(t, os.WriteFile(css, []byte(read(t, web, "style.css")+"/* */"), 0o644))
	dir, after := site(t, options{web: web})
	assert.NotEqual(t, before, after, "a style")
	assert.Contains(t, read(t, dir, "app.js"), after)
	assert.Contains(t, read(t, dir, workerFile), after)
	assert.NotContains(t, read(t, dir, "app.js"), versionMark)

	wasm := filepath.Join(t.TempDir(), "app.wasm")
	require.NoError(t, os.WriteFile(wasm, []byte(wasmHeader+"\x00\x02\x01x"), 0o644))
	_, after = site(t, options{wasm: wasm})
	assert.NotEqual(t, before, after, "the program")
}

// The service worker keeps every file that the page uses, and only those that
// exist.
func TestWorkerListsTheFiles(t *testing.T) {
	dir, _ := site(t, options{})
	list := regexp.MustCompile(`(?s)const files = (\{.*?\});`).FindStringSubmatch(read(t, dir, workerFile))
	require.NotNil(t, list)
	var kept map[string]string
	require.NoError(t, json.Unmarshal([]byte(list[1]), &kept))

	all := files(t, dir)
	for name := range all {
		switch {
		case name == "index.html":
			assert.Contains(t, kept, "./")
		case uncached[name], onDemand[name]:
			assert.NotContains(t, kept, name)
		default:
			assert.Contains(t, kept, name)
		}
	}
	assert.Contains(t, kept, appWasm)
	list = regexp.MustCompile(`(?s)const later = (\{.*?\});`).FindStringSubmatch(read(t, dir, workerFile))
	require.NotNil(t, list)
	var later map[string]string
	require.NoError(t, json.Unmarshal([]byte(list[1]), &later))
	assert.Len(t, later, len(onDemand))
	for name := range onDemand {
		assert.Contains(t, all, name)
		assert.Contains(t, later, strings.TrimSuffix(name, "index.html"))
	}
	assert.NotContains(t, all, "web/"+workerTemplate)
}

// Pitfall 1 and 5: each location in the page and in the manifest is relative,
// and is a file of the site.
func TestEveryLocationExists(t *testing.T) {
	dir, _ := site(t, options{})
	all := files(t, dir)
	// The page in frames lies one directory down, and says so in its <base>.
	pages := map[string]string{"index.html": "", "embed/index.html": "../"}
	for view := range app.Pages() {
		pages[view+".html"] = ""
	}
	for page, base := range pages {
		doc, err := html.Parse(strings.NewReader(read(t, dir, page)))
		require.NoError(t, err)
		n := 0
		for e := range doc.Descendants() {
			switch to := attr(e, "src") + attr(e, "href"); {
			case e.Data == "base":
				assert.Equal(t, base, to)
				base = ""
			case to != "" && e.Data != "a":
				n++
				assert.Contains(t, all, to, "<%s>", e.Data)
			case strings.Contains(to, ".html#"): // another view
				assert.Contains(t, all, to[:strings.IndexByte(to, '#')])
			}
		}
		assert.Greater(t, n, 5)
		assert.Empty(t, base, page)
	}

	var manifest struct {
		ID       *string
		Scope    string `json:"scope"`
		StartURL string `json:"start_url"`
		Icons    []struct{ Src string }
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, dir, "manifest.webmanifest")), &manifest))
	assert.Nil(t, manifest.ID, "it would be the whole host's")
	assert.Equal(t, "./", manifest.Scope)
	assert.Equal(t, "./", manifest.StartURL)
	assert.Len(t, manifest.Icons, 4)
	for _, icon := range manifest.Icons {
		assert.Contains(t, all, icon.Src)
	}
	assert.Contains(t, read(t, dir, "app.js"), `fetchWithProgress(document.documentElement.dataset.program`)
	for _, program := range []string{appWasm, allWasm} {
		assert.Contains(t, all, program)
		assert.Contains(t, read(t, dir, "app.js"), fmt.Sprintf("%q: %d", program, len(wasmHeader)))
		assert.Contains(t, read(t, dir, "web/program.js"), fmt.Sprintf("%q", program))
	}
	assert.Contains(t, read(t, dir, "app.js"), `"app-worker.js"`)
}

// Pitfall 9: go-app prints a float with four digits, so 0.00001 becomes 0.0000.
// Components give strings; such a number in the page is a float that slipped in.
func TestNoFloatInAnAttribute(t *testing.T) {
	dir, _ := site(t, options{})
	doc, err := html.Parse(strings.NewReader(read(t, dir, "index.html")))
	require.NoError(t, err)
	float := regexp.MustCompile(`^-?\d+\.\d{4}$`)
	for e := range doc.Descendants() {
		for _, a := range e.Attr {
			assert.NotRegexp(t, float, a.Val, "<%s %s>", e.Data, a.Key)
		}
	}
}

// The loader of the wasm belongs to the toolchain that built it; go-app brings
// its own copy.
func TestWasmExecIsTheToolchains(t *testing.T) {
	dir, _ := site(t, options{})
	goroot, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	want := read(t, strings.TrimSpace(string(goroot)), "lib/wasm/wasm_exec.js")
	assert.True(t, want == read(t, dir, "wasm_exec.js"), "go-app's wasm_exec.js is not that of %s", runtime.Version())
}

// What is deleted to make room for the site must be a site.
func TestOutIsNotJustDeleted(t *testing.T) {
	dir := t.TempDir()
	precious := filepath.Join(dir, "thesis.txt")
	require.NoError(t, os.WriteFile(precious, []byte("10 years"), 0o644))
	wasm := filepath.Join(t.TempDir(), "app.wasm")
	require.NoError(t, os.WriteFile(wasm, []byte(wasmHeader), 0o644))
	_, err := build(options{wasm: wasm, all: wasm, web: filepath.Join("..", "..", "web"), out: dir})
	require.ErrorContains(t, err, "something else than a site")
	assert.FileExists(t, precious)

	again, _ := site(t, options{})
	_, _ = site(t, options{out: again}) // over an old one
}

func TestMissingWasmSaysHowToBuildIt(t *testing.T) {
	_, err := build(options{wasm: "no/such.wasm", web: "x", out: "y"})
	assert.ErrorContains(t, err, "make site")
}

// Pitfall 18, and the weight of the page: what would add a megabyte, or what is
// only for tests, is not in the program. The Makefile checks net/http, which
// only the slim build leaves out.
func TestProgramLinksOnlyWhatItNeeds(t *testing.T) {
	list := exec.Command("go", "list", "-deps", "./cmd/wasm")
	list.Dir = filepath.Join("..", "..")
	list.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	out, err := list.Output()
	require.NoError(t, err)
	heavy := regexp.MustCompile(`^(text/template|html/template|testing|go/.*|.*/yaml.*|github.com/stretchr/.*)$`)
	for _, pkg := range strings.Fields(string(out)) {
		assert.NotRegexp(t, heavy, pkg)
	}
}

// The table of go-app's pitfalls names tests that there are.
func TestPitfallsAreTested(t *testing.T) {
	root := filepath.Join("..", "..")
	var sources strings.Builder
	for _, dir := range []string{"app", "cmd/site", "e2e"} {
		tests, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(dir), "*_test.go"))
		require.NoError(t, err)
		for _, name := range tests {
			sources.WriteString(read(t, ".", name))
		}
	}
	table := read(t, root, "docs/decisions/0004-go-app-mended-from-outside.md")
	names := regexp.MustCompile(`\bTest[A-Z]\w+`).FindAllString(table, -1)
	assert.Greater(t, len(names), 20)
	for _, name := range names {
		assert.True(t, strings.Contains(sources.String(), "func "+name+"("), "there is no %s", name)
	}
}

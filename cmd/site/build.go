package main

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	goapp "github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/partsize/partsize/app"
)

// options says what goes into the site, and where it goes.
type options struct {
	wasm string // the program for the browser, with the partition's view
	all  string // the one with all views
	web  string // what is copied to web/, and the service worker's template
	out  string // the directory that becomes the site
}

const (
	title       = "Partsize: disk use of a Kafka partition"
	description = "How many bytes an Apache Kafka partition puts on disk, when, and why."
	ground      = "#fbfbf9" // --ground of web/style.css in light, for the frame of an installed page

	templateExt = ".tmpl"        // files of web/ that are not copied
	appWasm     = "web/app.wasm" // the program with the partition's view
	allWasm     = "web/all.wasm" // the one with all views

	workerTemplate = "sw.js.tmpl"
	workerFile     = "app-worker.js" // the name under which app.js registers the service worker
)

// notFoundPage is what GitHub Pages answers with for an unknown path. It stands
// alone, since it cannot know how deep that path is.
//
//go:embed 404.html
var notFoundPage []byte

// build writes the site to o.out and returns its version.
//
// It writes to a directory beside it and renames that at the end, so that
// o.out never holds half a site.
func build(o options) (version string, err error) {
	programs := map[string][]byte{}
	for name, from := range map[string]string{appWasm: o.wasm, allWasm: o.all} {
		if programs[name], err = program(from); err != nil {
			return "", err
		}
	}
	worker, err := os.ReadFile(filepath.Join(o.web, workerTemplate))
	if err != nil {
		return "", fmt.Errorf("-web: %w", err)
	}
	if err := replaceable(o.out); err != nil {
		return "", err
	}

	tmp := filepath.Clean(o.out) + ".new"
	if err := os.RemoveAll(tmp); err != nil {
		return "", err
	}
	defer os.RemoveAll(tmp)

	if err := generate(tmp, programs); err != nil {
		return "", err
	}
	if err := copyWeb(filepath.Join(tmp, "web"), o.web); err != nil {
		return "", err
	}
	if err := writeServices(tmp); err != nil {
		return "", err
	}
	files := map[string][]byte{
		"404.html":   notFoundPage,
		"robots.txt": []byte("User-agent: *\nAllow: /\n"),
		".nojekyll":  nil, // GitHub Pages: publish the files as they are
	}
	for name, picture := range icons() {
		files["web/"+name] = picture
	}
	maps.Copy(files, programs)
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(tmp, name), content, 0o644); err != nil {
			return "", err
		}
	}

	site, err := seal(tmp, string(worker))
	if err != nil {
		return "", err
	}
	if err := os.RemoveAll(o.out); err != nil {
		return "", err
	}
	return site, os.Rename(tmp, o.out)
}

// program reads a program for the browser and packs it.
func program(name string) ([]byte, error) {
	module, err := os.ReadFile(name)
	if err == nil {
		module, err = packData(module)
	}
	if err != nil {
		return nil, fmt.Errorf("-wasm, -all: %s: %w; make site builds both", name, err)
	}
	return module, nil
}

// replaceable refuses a directory that does not look like a site written
// before: build deletes it.
func replaceable(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".nojekyll")); err != nil {
		return fmt.Errorf("-out %s: the directory holds something else than a site; give another one or empty it", dir)
	}
	return nil
}

// generate lets go-app write its files, with the page already rendered, and
// then mends them.
func generate(dir string, programs map[string][]byte) error {
	app.AllViews()
	app.Routes()
	err := goapp.GenerateStaticWebsite(dir, &goapp.Handler{
		Name:        "Partsize",
		Title:       title,
		Description: description,
		Author:      "The Partsize authors",
		Lang:        "en",
		Icon: goapp.Icon{
			Default:  "/web/" + iconSmall,
			Large:    "/web/" + iconLarge,
			Maskable: "/web/" + iconMaskable,
			SVG:      "/web/" + iconSVG,
		},
		BackgroundColor: ground,
		ThemeColor:      ground,
		LoadingLabel:    "Starting the engine: {progress} %",
		Resources:       relative{},
		Styles:          []string{"/web/style.css"},
		Scripts:         []string{"/web/theme.js", "/web/program.js", "/web/host.js defer"},
		Version:         versionMark,
		// The host compresses the wasm, and then Content-Length is not its
		// size: progress would run to 400 %.
		WasmContentLength: strconv.Itoa(len(programs[appWasm])),
	})
	if err != nil {
		return err
	}
	// Ours replace them: web/style.css has the loader, web/sw.js.tmpl is the
	// service worker.
	for _, name := range []string{"app.css", workerFile} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	if err := rewrite(filepath.Join(dir, "index.html"), fixPage); err != nil {
		return err
	}
	if err := rewrite(filepath.Join(dir, "app.js"), func(script []byte) ([]byte, error) { return fixScript(script, programs) }); err != nil {
		return err
	}
	for view, label := range app.Pages() {
		if err := rewrite(filepath.Join(dir, view+".html"), func(page []byte) ([]byte, error) { return fixView(page, view, label) }); err != nil {
			return err
		}
	}
	if err := moveEmbed(dir); err != nil {
		return err
	}
	return rewrite(filepath.Join(dir, "manifest.webmanifest"), fixManifest)
}

// moveEmbed gives the page for frames of other pages a directory of its own, so that its address needs no .html.
func moveEmbed(dir string) error {
	from, to := filepath.Join(dir, app.EmbedPath+".html"), filepath.Join(dir, app.EmbedPath, "index.html")
	if err := os.Mkdir(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	return rewrite(to, fixEmbed)
}

// rewrite replaces the content of a file by what fix makes of it.
func rewrite(name string, fix func([]byte) ([]byte, error)) error {
	content, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	content, err = fix(content)
	if err != nil {
		return fmt.Errorf("%s: %w", filepath.Base(name), err)
	}
	return os.WriteFile(name, content, 0o644)
}

// copyWeb copies the files of web, but for the templates. Directories in it are
// copied with what they hold.
func copyWeb(to, web string) error {
	return filepath.WalkDir(web, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(web, name)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			return os.MkdirAll(filepath.Join(to, rel), 0o755)
		}
		if strings.HasSuffix(name, templateExt) {
			return nil
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, rel), content, 0o644)
	})
}

package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// blue gives every page of this version a blue outline, to tell it by.
func blue(t *testing.T) string {
	return variant(t, func(web string) {
		name := filepath.Join(web, "style.css")
		css, err := os.ReadFile(name)
		require.NoError(t, err)
		css = append(css, "\nhtml{outline-color:rgb(0, 0, 255)}\n"...)
		require.NoError(t, os.WriteFile(name, css, 0o644))
	})
}

const isBlue = `getComputedStyle(document.documentElement).outlineColor === "rgb(0, 0, 255)"`

// Pitfalls 3 and 21: a cache on the way holds files for ten minutes
// (max-age=600), and still the new version is whole, comes without waiting for
// that, and comes when the reader says so.
func TestUpdate(t *testing.T) {
	two := blue(t)
	s := serve(t, "/x/")
	p := open(t, s.url)
	p.ready()
	p.installed()

	s.deploy(two)
	p.reload()
	p.ready()
	assert.False(t, eval[bool](p, isBlue), "offered, not forced")
	p.waitFor(`navigator.serviceWorker.getRegistration().then((r) => { window.waits = !!r.waiting; }) && window.waits`)

	// A second tab of the old version stays as it is.
	other := p.another(s.url)
	other.ready()
	assert.False(t, eval[bool](other, isBlue))

	eval[any](p, `window.before = true`)
	eval[any](p, `void partsize.update()`)
	p.waitFor(`!window.before && ` + isBlue)
	p.ready()

	eval[any](other, `window.before = true`)
	eval[any](other, `void partsize.update()`)
	other.waitFor(`!window.before && ` + isBlue)

	s.offline()
	p.reload()
	p.ready()
	assert.True(t, eval[bool](p, isBlue), "the new version is offline too")
}

// A reader who has the old files in the browser's cache, but no service worker
// yet, gets the new version whole: no file of the old one is kept in it.
func TestOldFilesInTheHTTPCacheDoNotMix(t *testing.T) {
	two := blue(t)
	s := serve(t, "/x/")
	s.hold("app-worker.js") // the first visit ends before it
	p := open(t, s.url)
	p.ready()

	s.deploy(two)
	s.open()
	p.installed()
	for name, want := range map[string]string{"./": "index.html", "web/style.css": "web/style.css", "app.js": "app.js"} {
		content, err := os.ReadFile(filepath.Join(two, want))
		require.NoError(t, err)
		assert.Equal(t, string(content), eval[string](p, `(async () => {
			const [ours] = (await caches.keys()).filter((n) => n.startsWith("partsize"));
			return (await (await caches.open(ours)).match("`+name+`")).text();
		})()`), name)
	}
}

// A host that changes files, or a deployment that is half done, gets no
// service worker at all; the page works as before.
func TestFilesOfNoVersionAreNotKept(t *testing.T) {
	s := serve(t, "/x/")
	css, err := os.ReadFile(filepath.Join(s.dir, "web", "style.css"))
	require.NoError(t, err)
	css = bytes.Replace(css, []byte("--ground"), []byte("--grOund"), 1)
	require.NoError(t, os.WriteFile(filepath.Join(s.dir, "web", "style.css"), css, 0o644))

	p := open(t, s.url)
	p.ready()
	p.waitFor(`navigator.serviceWorker.getRegistration().then((r) => { window.none = !r || !(r.installing || r.waiting || r.active); }) && window.none`)
	assert.Nil(t, eval[*string](p, `navigator.serviceWorker.controller && "controlled"`))
}

package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"
	"sync"
	"time"
)

// host answers as GitHub Pages does, so that what works here works there:
//   - /dir is redirected to /dir/, and /dir/ is dir/index.html; /name is
//     name.html when there is one;
//   - an unknown path is 404 with the site's 404.html;
//   - text and wasm go out as gzip to those who take it;
//   - anybody may read (Access-Control-Allow-Origin: *), which a sandboxed
//     frame needs, and a cache may keep a file for ten minutes (max-age=600),
//     which is what updates have to survive.
//
// Files are read again when they change, so that a new site can be put into
// the same directory.
type host struct {
	files  fs.FS
	prefix string // begins and ends with /

	mu    sync.Mutex
	ready map[string]*file // by path in files
}

// file is a file ready to go out.
type file struct {
	changed time.Time
	plain   []byte
	zipped  []byte // nil: not worth it
	etag    string // without quotes
}

func newHost(dir, prefix string) *host {
	return &host{files: os.DirFS(dir), prefix: prefix, ready: map[string]*file{}}
}

// warm reads and compresses every file, so that no visitor waits for it.
func (h *host) warm() error {
	return fs.WalkDir(h.files, ".", func(name string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			_, err = h.file(name)
		}
		return err
	})
}

func (h *host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Access-Control-Allow-Origin", "*")
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		http.Error(w, "only GET and HEAD", http.StatusMethodNotAllowed)
		return
	}
	if r.URL.Path+"/" == h.prefix {
		h.redirect(w, r, h.prefix)
		return
	}
	name, ok := strings.CutPrefix(r.URL.Path, h.prefix)
	if !ok {
		http.Error(w, "the site is at "+h.prefix, http.StatusNotFound)
		return
	}
	name = path.Clean("/" + name)[1:] // never above the site
	if name == "" {
		name = "."
	}

	info, err := fs.Stat(h.files, name)
	switch {
	case err == nil && info.IsDir() && !strings.HasSuffix(r.URL.Path, "/"):
		h.redirect(w, r, h.prefix+name+"/") // not what was asked for, in which // may begin another host's name
		return
	case err == nil && info.IsDir():
		name = path.Join(name, "index.html")
	case err != nil:
		name += ".html"
	}
	if f, err := h.file(name); err == nil {
		h.send(w, r, name, f, http.StatusOK)
		return
	}
	if f, err := h.file("404.html"); err == nil {
		h.send(w, r, "404.html", f, http.StatusNotFound)
		return
	}
	http.NotFound(w, r)
}

// redirect leads to a path with the slash that relative locations count on. The
// query stays; the browser keeps the fragment.
func (h *host) redirect(w http.ResponseWriter, r *http.Request, to string) {
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	http.Redirect(w, r, to, http.StatusMovedPermanently)
}

func (h *host) send(w http.ResponseWriter, r *http.Request, name string, f *file, status int) {
	header := w.Header()
	header.Set("Content-Type", contentType(name))
	header.Set("Cache-Control", "max-age=600")
	header.Set("Vary", "Accept-Encoding")
	body, etag := f.plain, `"`+f.etag+`"`
	if f.zipped != nil && strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		header.Set("Content-Encoding", "gzip")
		body, etag = f.zipped, `W/"`+f.etag+`"`
		r.Header.Del("Range") // of what is inside, and that is compressed
	}
	header.Set("ETag", etag)
	if status != http.StatusOK {
		w.WriteHeader(status)
		if r.Method != http.MethodHead {
			w.Write(body)
		}
		return
	}
	if header.Get("Content-Encoding") != "" {
		// ServeContent leaves the length out of encoded answers.
		header.Set("Content-Length", fmt.Sprint(len(body)))
	}
	http.ServeContent(w, r, "", f.changed, bytes.NewReader(body))
}

// file returns a file ready to go out, compressed once for each change.
func (h *host) file(name string) (*file, error) {
	info, err := fs.Stat(h.files, name)
	if err != nil {
		return nil, err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if f := h.ready[name]; f != nil && f.changed.Equal(info.ModTime()) && len(f.plain) == int(info.Size()) {
		return f, nil
	}
	plain, err := fs.ReadFile(h.files, name)
	if err != nil {
		return nil, err
	}
	f := &file{changed: info.ModTime(), plain: plain, etag: fmt.Sprintf("%x", sha256.Sum256(plain))[:16]}
	if !strings.HasPrefix(contentType(name), "image/png") {
		f.zipped = zip(plain)
	}
	h.ready[name] = f
	return f, nil
}

func zip(plain []byte) []byte {
	var b bytes.Buffer
	// The level is one that there is, and a buffer does not fail.
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	z.Write(plain)
	z.Close()
	return b.Bytes()
}

// contentType is our own list, because mime's depends on the machine.
func contentType(name string) string {
	switch path.Ext(name) {
	case ".html":
		return "text/html; charset=utf-8"
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "application/javascript; charset=utf-8"
	case ".wasm":
		return "application/wasm"
	case ".webmanifest":
		return "application/manifest+json"
	case ".json":
		return "application/json"
	case ".svg":
		return "image/svg+xml"
	case ".png":
		return "image/png"
	case ".txt":
		return "text/plain; charset=utf-8"
	}
	return "application/octet-stream"
}

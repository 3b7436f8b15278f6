package main

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestHostAnswersLikeGitHubPages(t *testing.T) {
	dir := t.TempDir()
	for name, content := range map[string]string{
		"index.html": "the page", "404.html": "nothing here", "help.html": "help",
		"web/app.wasm": "wasm", "web/icon.png": "png", "sub/index.html": "below",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644))
	}
	require.NoError(t, os.WriteFile(filepath.Join(filepath.Dir(dir), "secret"), []byte("secret"), 0o644))
	h := newHost(dir, "/x/")
	require.NoError(t, h.warm())

	for _, c := range []struct {
		method, path string
		status       int
		kind, body   string
	}{
		{"GET", "/x/", 200, "text/html; charset=utf-8", "the page"},
		{"GET", "/x/?embed=1", 200, "text/html; charset=utf-8", "the page"},
		{"GET", "/x/help", 200, "text/html; charset=utf-8", "help"},
		{"GET", "/x/sub/", 200, "text/html; charset=utf-8", "below"},
		{"GET", "/x/web/app.wasm", 200, "application/wasm", "wasm"},
		{"GET", "/x/web/icon.png", 200, "image/png", "png"},
		{"HEAD", "/x/", 200, "text/html; charset=utf-8", ""},
		{"GET", "/x/nope/", 404, "text/html; charset=utf-8", "nothing here"},
		{"GET", "/x/web/", 404, "text/html; charset=utf-8", "nothing here"},
		{"GET", "/x/../secret", 404, "", ""},
		{"GET", "/x/%2e%2e/secret", 404, "", ""},
		{"GET", "/", 404, "", ""},
		{"POST", "/x/", 405, "", ""},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(c.method, c.path, nil))
		assert.Equal(t, c.status, w.Code, c.path)
		if c.kind != "" {
			assert.Equal(t, c.kind, w.Header().Get("Content-Type"), c.path)
			assert.Equal(t, c.body, w.Body.String(), c.path)
			assert.Equal(t, "max-age=600", w.Header().Get("Cache-Control"))
		}
		assert.Equal(t, "*", w.Header().Get("Access-Control-Allow-Origin"), "a sandboxed frame reads its own files from here")
	}

	for from, to := range map[string]string{"/x": "/x/", "/x/sub": "/x/sub/", "/x/sub?a=b": "/x/sub/?a=b", "/x//sub": "/x/sub/"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest("GET", from, nil))
		assert.Equal(t, http.StatusMovedPermanently, w.Code, from)
		assert.Equal(t, to, w.Header().Get("Location"))
	}
}

func TestHostCompressesAndRevalidates(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "index.html")
	require.NoError(t, os.WriteFile(name, []byte("one"), 0o644))
	h := newHost(dir, "/")

	get := func(pairs ...string) *httptest.ResponseRecorder {
		r := httptest.NewRequest("GET", "/", nil)
		for i := 0; i < len(pairs); i += 2 {
			r.Header.Set(pairs[i], pairs[i+1])
		}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		return w
	}
	w := get("Accept-Encoding", "gzip, br")
	assert.Equal(t, "gzip", w.Header().Get("Content-Encoding"))
	z, err := gzip.NewReader(w.Body)
	require.NoError(t, err)
	plain, err := io.ReadAll(z)
	require.NoError(t, err)
	assert.Equal(t, "one", string(plain))

	assert.Equal(t, http.StatusNotModified, get("Accept-Encoding", "gzip", "If-None-Match", w.Header().Get("ETag")).Code)
	assert.Equal(t, "ne", get("Range", "bytes=1-2").Body.String())

	require.NoError(t, os.WriteFile(name, []byte("two"), 0o644))
	require.NoError(t, os.Chtimes(name, time.Time{}, time.Now().Add(time.Second)))
	assert.Equal(t, "two", get().Body.String(), "a new site in the same directory")
}

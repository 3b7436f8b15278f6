package e2e

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// site is the static site on a port of its own: cmd/site serves it, and in
// front of that is a door that a test can close, hold, and count at.
type site struct {
	t      *testing.T
	url    string // where the page is, through the door
	direct string // the same page without the door, for measuring
	dir    string // what is served

	mu       sync.Mutex
	closed   bool
	held     map[string]chan struct{} // by the end of a path
	requests []request
}

// request is one answered request.
type request struct {
	method string
	path   string // within the site
	status int
	bytes  int64  // of the body, as sent
	by     string // Sec-Fetch-Dest: document, script, …; serviceworker's own are "empty"
}

// serve serves a copy of the site under prefix, "/x/".
func serve(t *testing.T, prefix string) *site {
	t.Helper()
	return serveDir(t, dist, prefix)
}

// serveDir serves a copy of another version of the site.
func serveDir(t *testing.T, from, prefix string) *site {
	t.Helper()
	s := &site{t: t, dir: filepath.Join(t.TempDir(), "dist"), held: map[string]chan struct{}{}}
	require.NoError(t, os.CopyFS(s.dir, os.DirFS(from)))

	var out syncBuffer
	process := exec.Command(tool, "-out", s.dir, "-serve", "127.0.0.1:0", "-prefix", prefix)
	process.Stdout, process.Stderr = &out, &out
	require.NoError(t, process.Start())
	t.Cleanup(func() {
		process.Process.Kill()
		process.Wait()
	})
	said := regexp.MustCompile(`serving (http://\S+)\n`)
	require.Eventually(t, func() bool { return said.MatchString(out.String()) }, 20*time.Second, 10*time.Millisecond,
		"cmd/site does not serve: %s", &out)
	s.direct = said.FindStringSubmatch(out.String())[1]

	behind, err := url.Parse(s.direct)
	require.NoError(t, err)
	pass := httputil.NewSingleHostReverseProxy(&url.URL{Scheme: "http", Host: "127.0.0.1:" + behind.Port()})
	pass.Transport = &http.Transport{DisableCompression: true} // what the browser takes, as it takes it
	pass.ErrorHandler = func(http.ResponseWriter, *http.Request, error) {
		panic(http.ErrAbortHandler) // the browser has left, or the test is over
	}
	door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.pass(pass, w, r, prefix)
	}))
	t.Cleanup(door.Close)
	t.Cleanup(s.open) // before Close: it waits for what is held
	s.url = strings.Replace(door.URL, "127.0.0.1", "localhost", 1) + prefix
	return s
}

func (s *site) pass(to http.Handler, w http.ResponseWriter, r *http.Request, prefix string) {
	s.mu.Lock()
	var hold chan struct{}
	for end, c := range s.held {
		if strings.HasSuffix(r.URL.Path, end) {
			hold = c
		}
	}
	s.mu.Unlock()
	if hold != nil {
		<-hold
	}

	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	if closed {
		panic(http.ErrAbortHandler) // the connection just ends
	}
	counted := &counter{ResponseWriter: w, status: http.StatusOK}
	to.ServeHTTP(counted, r)

	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, request{
		method: r.Method,
		path:   strings.TrimPrefix(r.URL.Path, prefix),
		status: counted.status,
		bytes:  counted.bytes,
		by:     r.Header.Get("Sec-Fetch-Dest"),
	})
}

// offline ends every connection without an answer, as from now.
func (s *site) offline() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
}

// hold makes requests for a path with this end wait until release or open.
func (s *site) hold(end string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held[end] = make(chan struct{})
}

// release answers what waits for this end.
func (s *site) release(end string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.held[end]; c != nil {
		close(c)
		delete(s.held, end)
	}
}

// open lets everything through again.
func (s *site) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = false
	for end, c := range s.held {
		close(c)
		delete(s.held, end)
	}
}

// take returns the requests since the last call.
func (s *site) take() []request {
	s.mu.Lock()
	defer s.mu.Unlock()
	taken := s.requests
	s.requests = nil
	return taken
}

// deploy puts another version into the place of this one.
func (s *site) deploy(from string) {
	s.t.Helper()
	require.NoError(s.t, os.RemoveAll(s.dir))
	require.NoError(s.t, os.CopyFS(s.dir, os.DirFS(from)))
}

// counter counts what is sent.
type counter struct {
	http.ResponseWriter
	status int
	bytes  int64
}

func (c *counter) WriteHeader(status int) {
	c.status = status
	c.ResponseWriter.WriteHeader(status)
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.ResponseWriter.Write(p)
	c.bytes += int64(n)
	return n, err
}

// Unwrap lets the proxy flush.
func (c *counter) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// variant builds another version of the site, from the same wasm and from the
// files of web/ after edit has changed them. It returns its directory.
func variant(t *testing.T, edit func(web string)) string {
	t.Helper()
	dir := t.TempDir()
	web := filepath.Join(dir, "web")
	require.NoError(t, os.CopyFS(web, os.DirFS(filepath.Join(repo, "web"))))
	edit(web)
	out := filepath.Join(dir, "dist")
	require.NoError(t, command(tool, "-wasm", filepath.Join(repo, "build", "app.wasm"), "-all", filepath.Join(repo, "build", "all.wasm"), "-web", web, "-out", out))
	return out
}

// host serves one HTML page from another site, 127.0.0.1 instead of localhost,
// for a page that embeds ours.
func host(t *testing.T, html string) (url string) {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			w.WriteHeader(http.StatusNoContent) // the browser asks for an icon
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.Write([]byte("<!DOCTYPE html><html lang=en><title>Host</title>" + html))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

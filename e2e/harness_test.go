package e2e

import (
	"bytes"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
)

var (
	repo string // the root of the repository
	dist string // the site that make site wrote
	tool string // cmd/site, built

	// chromium is the browser that all tests share; each tab has a profile of
	// its own.
	chromium context.Context

	foreign foreignHosts
)

func TestMain(m *testing.M) {
	os.Exit(run(m))
}

// run builds the site once, starts the browser once, and runs the tests.
func run(m *testing.M) int {
	fail := func(err error) int {
		fmt.Fprintln(os.Stderr, "e2e:", err)
		return 1
	}
	var err error
	if repo, err = filepath.Abs(".."); err != nil {
		return fail(err)
	}
	temp, err := os.MkdirTemp("", "partsize-e2e")
	if err != nil {
		return fail(err)
	}
	defer os.RemoveAll(temp)

	dist, tool = filepath.Join(repo, "dist"), filepath.Join(temp, "site")
	if err := command("make", "site"); err != nil {
		return fail(err)
	}
	if err := command("go", "build", "-o", tool, "./cmd/site"); err != nil {
		return fail(err)
	}

	path, err := browserPath()
	if err != nil {
		return fail(err)
	}
	if err := foreign.listen(); err != nil {
		return fail(err)
	}
	// Frames of other sites get no storage at all, as readers can have it set;
	// that needs the feature below off too, which would give them one of their own.
	profile := filepath.Join(temp, "profile")
	if err := os.MkdirAll(filepath.Join(profile, "Default"), 0o755); err != nil {
		return fail(err)
	}
	preferences := `{"profile": {"block_third_party_cookies": true, "cookie_controls_mode": 1}}`
	if err := os.WriteFile(filepath.Join(profile, "Default", "Preferences"), []byte(preferences), 0o644); err != nil {
		return fail(err)
	}
	opts := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path),
		chromedp.UserDataDir(profile),
		chromedp.DisableGPU,
		chromedp.Flag("disable-features", "Translate,ThirdPartyStoragePartitioning"),
		chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true),
		// Loopback goes around the proxy, everything else ends in it.
		chromedp.ProxyServer("http://"+foreign.address),
		chromedp.WindowSize(1280, 900),
	)
	if os.Getenv("CI") != "" {
		// Containers often allow no sandbox, and every page here is ours.
		opts = append(opts, chromedp.NoSandbox)
	}
	ctx, stop := chromedp.NewExecAllocator(context.Background(), opts...)
	defer stop()
	ctx, closeBrowser := chromedp.NewContext(ctx)
	defer closeBrowser()
	if err := chromedp.Do(ctx); err != nil {
		return fail(fmt.Errorf("%s does not start: %w", path, err))
	}
	chromium = ctx
	return m.Run()
}

// command runs a command in the repository, and shows what it says only when it
// fails.
func command(name string, arg ...string) error {
	c := exec.Command(name, arg...)
	c.Dir = repo
	// A make around us has its own flags and its own idea of levels.
	for _, v := range os.Environ() {
		if !strings.HasPrefix(v, "MAKE") && !strings.HasPrefix(v, "MFLAGS") {
			c.Env = append(c.Env, v)
		}
	}
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", strings.Join(c.Args, " "), err, out)
	}
	return nil
}

// browserPath finds Chromium: CHROMIUM first, then what systems call it.
func browserPath() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path, nil
	}
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no browser: none of %s is installed; install chromium, or set CHROMIUM to its path",
		strings.Join(names, ", "))
}

// foreignHosts is the proxy for all that is not on this machine: it refuses
// and remembers. The tabs see what pages ask; this sees what workers ask too.
type foreignHosts struct {
	address string

	mu    sync.Mutex
	asked []string
}

func (f *foreignHosts) listen() error {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	f.address = l.Addr().String()
	go http.Serve(l, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !browsersOwn.MatchString(r.URL.Hostname()) {
			f.mu.Lock()
			f.asked = append(f.asked, r.Method+" "+r.URL.String())
			f.mu.Unlock()
		}
		http.Error(w, "no other host", http.StatusBadGateway)
	}))
	return nil
}

// browsersOwn are hosts that Chromium asks by itself, whatever the page does.
var browsersOwn = regexp.MustCompile(`^(accounts|clients\d*|update|optimizationguide-pa|content-autofill|safebrowsing|redirector)\.(google|googleapis|gvt1)\.com$`)

// take returns what was asked since the last call.
func (f *foreignHosts) take() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	asked := f.asked
	f.asked = nil
	return asked
}

// syncBuffer is a buffer for the output of a process.
type syncBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *syncBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *syncBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// patience is how long a test waits for something to become true, on a machine
// that does other things too.
const patience = 30 * time.Second

// tab is a tab of the browser, or a frame of another site in one.
type tab struct {
	t    *testing.T
	ctx  context.Context
	mu   sync.Mutex
	said []string // errors on the console, requests that should not be
	may  []string // parts of errors that this test expects

	traced func(any) // hears what a trace holds; nil: none is taken
}

// open opens an address in a tab with a profile of its own: no cache, no
// storage, no service worker of another test.
func open(t *testing.T, url string) *tab {
	t.Helper()
	return openIn(t, chromium, url, chromium != nil)
}

// another opens an address in another tab of the same profile.
func (p *tab) another(url string) *tab {
	p.t.Helper()
	return openIn(p.t, p.ctx, url, false)
}

func openIn(t *testing.T, parent context.Context, url string, ownProfile bool) *tab {
	t.Helper()
	p := &tab{t: t}
	opts := []chromedp.ContextOption{chromedp.WithListener(p.hear)}
	if ownProfile {
		opts = append(opts, chromedp.WithNewBrowserContext())
	}
	p.attach(parent, opts...)
	if url != "" {
		p.goTo(url)
	}
	return p
}

// attach connects p to its target and checks at the end of the test that it
// was quiet.
func (p *tab) attach(parent context.Context, opts ...chromedp.ContextOption) {
	p.t.Helper()
	ctx, cancel := chromedp.NewContext(parent, opts...)
	p.ctx = ctx
	p.t.Cleanup(func() {
		p.t.Helper()
		cancel()
		if got := p.errors(); len(got) > 0 {
			p.t.Errorf("the page says:\n  %s", strings.Join(got, "\n  "))
		}
		if asked := foreign.take(); len(asked) > 0 {
			p.t.Errorf("the browser asked other hosts:\n  %s", strings.Join(asked, "\n  "))
		}
	})
	require.NoError(p.t, chromedp.Do(ctx)) // without a timeout: it would be the tab's
}

// here are the addresses that a page of a test may ask.
var here = regexp.MustCompile(`^(http://(localhost|127\.0\.0\.1):\d+/|data:|blob:|about:)`)

// hear notes what the page says of itself.
func (p *tab) hear(event any) {
	var says string
	if p.traced != nil {
		p.traced(event)
	}
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		says = e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			says += " " + x.Description
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type != runtime.ConsoleAPICalledTypeError && e.Type != runtime.ConsoleAPICalledTypeWarning {
			return
		}
		for _, arg := range e.Args {
			says += string(arg.Value) + arg.Description + " "
		}
	case *log.EventEntryAdded:
		if e.Entry.Level != log.EntryLevelError && e.Entry.Level != log.EntryLevelWarning {
			return
		}
		says = e.Entry.Text + " " + e.Entry.URL
	case *network.EventRequestWillBeSent:
		if here.MatchString(e.Request.URL) {
			return
		}
		says = "asks another host: " + e.Request.URL
	default:
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.said = append(p.said, strings.TrimSpace(says))
}

// withoutProgram is the query that leaves the page as cmd/site rendered it; the
// browser then says that the wasm was loaded for nothing.
const (
	withoutProgram = "?wasm=false"
	unusedPreload  = "preloaded using link preload"
)

// anything is part of every message.
const anything = ""

// expect lets messages with this text pass.
func (p *tab) expect(part string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.may = append(p.may, part)
}

// errors returns the messages that nobody expects.
func (p *tab) errors() (unexpected []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
next:
	for _, says := range p.said {
		for _, part := range p.may {
			if strings.Contains(says, part) {
				continue next
			}
		}
		unexpected = append(unexpected, says)
	}
	return unexpected
}

// do runs browser actions, within patience.
func (p *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	require.NoError(p.t, chromedp.Do(ctx, steps...))
}

// goTo loads an address and waits for its load event.
func (p *tab) goTo(url string) {
	p.t.Helper()
	p.do(chromedp.Navigate(url))
}

func (p *tab) reload() {
	p.t.Helper()
	p.do(chromedp.Reload())
}

// ready waits until the Go program has drawn the page and can be used.
func (p *tab) ready() {
	p.t.Helper()
	p.waitFor(`document.readyState === "complete" && !document.getElementById("app-wasm-loader")`)
	if eval[bool](p, `!!document.getElementById("crash")`) {
		p.t.Fatalf("the program has ended: %s\n%s", eval[string](p, `document.getElementById("crash").textContent`),
			strings.Join(p.errors(), "\n"))
	}
}

// installed waits until the service worker has the page and all that it needs.
func (p *tab) installed() {
	p.t.Helper()
	p.waitFor(`!!navigator.serviceWorker.controller`)
}

// waitFor waits until an expression is true. A page that is just being left
// has no answer; that is not an error.
func (p *tab) waitFor(js string) {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	var last error
	for time.Now().Before(deadline) {
		ctx, cancel := context.WithTimeout(p.ctx, patience)
		ok, err := chromedp.Run(ctx, chromedp.Evaluate[bool](`!!(`+js+`)`))
		cancel()
		if ok {
			return
		}
		last = err
		time.Sleep(20 * time.Millisecond)
	}
	p.t.Fatalf("never true: %s (%v)\nconsole: %s", js, last, strings.Join(p.errors(), "\n"))
}

// eval returns the value of an expression; a promise is waited for.
func eval[T any](p *tab, js string) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
	require.NoError(p.t, err, js)
	return v
}

// frame waits for the frame of another site whose address has this part, and
// returns it.
func (p *tab) frame(part string) *tab {
	p.t.Helper()
	var found *target.Info
	require.Eventually(p.t, func() bool {
		infos, err := chromedp.Targets(p.ctx)
		if err != nil {
			return false
		}
		for _, info := range infos {
			if info.Type == "iframe" && strings.Contains(info.URL, part) {
				found = info
			}
		}
		return found != nil
	}, patience, 20*time.Millisecond, "no frame with %s", part)
	f := &tab{t: p.t}
	f.attach(p.ctx, chromedp.WithTargetID(found.TargetID), chromedp.WithListener(f.hear))
	return f
}

// slow makes the processor so many times slower.
func (p *tab) slow(times float64) {
	p.t.Helper()
	_, err := chromedp.Call(p.ctx, emulation.SetCPUThrottlingRate, emulation.SetCPUThrottlingRateParams{Rate: times})
	require.NoError(p.t, err)
}

// media emulates media features, "prefers-color-scheme", "dark".
func (p *tab) media(pairs ...string) {
	p.t.Helper()
	var features []*emulation.MediaFeature
	for i := 0; i < len(pairs); i += 2 {
		features = append(features, &emulation.MediaFeature{Name: pairs[i], Value: pairs[i+1]})
	}
	_, err := chromedp.Call(p.ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features})
	require.NoError(p.t, err)
}

// typeInto puts the cursor into a field and types.
func (p *tab) typeInto(css, text string) {
	p.t.Helper()
	p.do(chromedp.SendKeys(chromedp.CSS(css), text))
}

func (p *tab) click(css string) {
	p.t.Helper()
	p.do(chromedp.Click(chromedp.CSS(css)))
}

// press presses keys in whatever has the focus.
func (p *tab) press(keys string) {
	p.t.Helper()
	p.do(chromedp.KeyEvent(keys))
}

// text is what an element shows.
func (p *tab) text(css string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf(`document.querySelector(%q).textContent`, css))
}

// value is what a field holds.
func (p *tab) value(css string) string {
	p.t.Helper()
	return eval[string](p, fmt.Sprintf(`document.querySelector(%q).value`, css))
}

// size makes the window so large.
func (p *tab) size(width, height int64) {
	p.t.Helper()
	p.do(chromedp.EmulateViewport(width, height))
}

// screenshot writes the whole page to build/shots/name.png, for a person to
// look at.
func (p *tab) screenshot(name string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	png, err := chromedp.Run(ctx, chromedp.FullScreenshot(100))
	require.NoError(p.t, err)
	dir := filepath.Join(repo, "build", "shots")
	require.NoError(p.t, os.MkdirAll(dir, 0o755))
	require.NoError(p.t, os.WriteFile(filepath.Join(dir, name+".png"), png, 0o644))
}

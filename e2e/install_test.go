package e2e

import (
	"encoding/json"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// The browser finds nothing in the way of installing the page, and takes it for an application of its own, which is its own
// directory and no other site's of the host.
func TestInstallable(t *testing.T) {
	for _, prefix := range []string{"/x/", "/other/deep/calc/"} {
		s := serve(t, prefix)
		p := open(t, s.url)
		p.ready()
		p.installed()
		found, err := chromedp.Call(p.ctx, page.GetAppManifest, page.GetAppManifestParams{})
		require.NoError(t, err)
		assert.Empty(t, found.Errors)
		assert.Equal(t, s.url+"manifest.webmanifest", found.URL)
		var manifest struct {
			Name, Display string
			Icons         []struct{ Src, Sizes, Purpose string }
		}
		require.NoError(t, json.Unmarshal([]byte(found.Data), &manifest))
		assert.Equal(t, "Partsize", manifest.Name)
		assert.Equal(t, "standalone", manifest.Display)
		purposes := map[string]bool{}
		for _, icon := range manifest.Icons {
			purposes[icon.Purpose+" "+icon.Sizes] = true
			assert.Equal(t, 200, eval[int](p, `(async () => (await fetch(`+quote(icon.Src)+`)).status)()`), icon.Src)
		}
		for _, need := range []string{"any 192x192", "any 512x512", "maskable 512x512"} {
			assert.True(t, purposes[need], need)
		}
		errors, err := chromedp.Call(p.ctx, page.GetInstallabilityErrors, cdp.Empty{})
		require.NoError(t, err)
		for _, e := range errors.InstallabilityErrors {
			if e.ErrorID != "in-incognito" { // each test has a profile of its own, which counts as one
				assert.Fail(t, e.ErrorID)
			}
		}
		id, err := chromedp.Call(p.ctx, page.GetAppID, cdp.Empty{})
		require.NoError(t, err)
		assert.Equal(t, s.url, id.AppID)
	}
}

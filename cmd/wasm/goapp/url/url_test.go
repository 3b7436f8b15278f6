package url_test

import (
	neturl "net/url"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/cmd/wasm/goapp/url"
)

// What go-app looks at in an address is as in net/url, of addresses that have nothing to decode.
func TestURL(t *testing.T) {
	for _, address := range []string{
		"https://example.org", "https://example.org/", "http://localhost:8080/partsize/", "http://[::1]:8080/x", "HTTPS://example.org/a?b=c#d",
		"https://name:word@example.org/x/index.html?q=1&r=2", "https://example.org/#retention.ms=7d&x=1/2", "https://example.org?q#f",
		"/", "", "x/y", "./", "../x?y#z", "#fragment", "?query", "//example.org/x", "mailto:someone@example.org?subject=x", "about:srcdoc", "about:blank#x",
		"file:///web/index.html", "1:2/", "blob:https://example.org/0",
	} {
		want, err := neturl.Parse(address)
		if err != nil { // "1:2/"
			continue
		}
		got, err := url.Parse(address)
		require.NoError(t, err)
		assert.Equal(t, want.Scheme, got.Scheme, address)
		assert.Equal(t, want.Host, got.Host, address)
		assert.Equal(t, want.Path, got.Path, address)
		assert.Equal(t, want.RawQuery, got.RawQuery, address)
		assert.Equal(t, want.Fragment, got.Fragment, address)
		assert.Equal(t, want.Hostname(), got.Hostname(), address)
		assert.Equal(t, want.String(), got.String(), address)

		want.Scheme, want.Host = "https", "other.example" // as go-app does before it adds to the history
		got.Scheme, got.Host = "https", "other.example"
		assert.Equal(t, want.String(), got.String(), address)
	}
}

// An address that is no good stays as it is: net/url refuses it, and go-app then ends the program.
func TestBadAddresses(t *testing.T) {
	for _, address := range []string{"https://example.org/#%zz", "https://example.org/%zz?%#ä\x00", "https://[::1/x"} {
		u, err := url.Parse(address)
		require.NoError(t, err)
		assert.Equal(t, address, u.String())
	}
}

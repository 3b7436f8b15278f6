package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"github.com/partsize/partsize/calc/provider"
)

// The page of rules has every rule with its source, needs no program, and is kept for offline use.
func TestServicesPage(t *testing.T) {
	dir, _ := site(t, options{})
	page := read(t, dir, servicesFile)
	doc, err := html.Parse(strings.NewReader(page))
	require.NoError(t, err)
	rows := 0
	for n := range doc.Descendants() {
		for _, a := range n.Attr {
			assert.NotEqual(t, "style", a.Key)
			assert.False(t, strings.HasPrefix(a.Key, "on"), a.Key)
		}
		switch n.DataAtom {
		case atom.Script:
			assert.Equal(t, "web/theme.js", attr(n, "src"))
		case atom.Tr:
			rows++
		}
	}
	rules := 0
	for _, s := range provider.Services() {
		assert.Contains(t, page, `<h2 id="`+provider.Anchor(s.Name)+`">`+html.EscapeString(s.Name)+"</h2>")
		for _, r := range s.Rules {
			rules++
			assert.Contains(t, page, "<code>"+html.EscapeString(r.ID)+"</code>")
			assert.Contains(t, page, `href="`+html.EscapeString(r.Source.URL)+`"`)
		}
	}
	assert.Greater(t, rows, rules)
	assert.NotContains(t, page, "](", "Markdown that was not understood")
	assert.Contains(t, read(t, dir, workerFile), `"`+servicesFile+`"`)
}

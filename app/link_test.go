package app

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

func inputOf(pairs ...string) calc.Input {
	in := calc.Defaults()
	for i := 0; i < len(pairs); i += 2 {
		_ = in.Set(pairs[i], pairs[i+1])
	}
	return in
}

func TestLinkIsReadable(t *testing.T) {
	for _, c := range []struct {
		pairs []string
		want  string
	}{
		{nil, ""},
		{[]string{"retention.ms", "7d"}, ""}, // the default
		{[]string{"segment.bytes", "512MiB", "retention.ms", "1d", "produce", "5MiB/s"}, "v=1&produce=5MiB/s&retention.ms=1d&segment.bytes=512MiB"},
		{[]string{"steps", "5d retention.ms=1h; 7d restart 60s"}, "v=1&steps=5d%20retention.ms%3D1h;%207d%20restart%2060s"},
		{[]string{"x&y", "#1%"}, "v=1&x%26y=%231%25"},
	} {
		assert.Equal(t, c.want, writeLink(inputOf(c.pairs...).Changed()))
	}
}

// Whatever is typed, the link reproduces it.
func TestLinkReproducesTheInput(t *testing.T) {
	keys := []string{"a b", "é", "x"}
	for _, s := range calc.Settings() {
		keys = append(keys, s.Key)
	}
	rapid.Check(t, func(t *rapid.T) {
		in := calc.Defaults()
		for range rapid.IntRange(0, 6).Draw(t, "n") {
			_ = in.Set(rapid.SampledFrom(keys).Draw(t, "key"), strings.ReplaceAll(rapid.String().Draw(t, "value"), lost, ""))
		}
		link := writeLink(in.Changed())
		for _, c := range []byte(link) {
			require.True(t, c > ' ' && c < 0x7f && !strings.ContainsRune(`"<>\^`+"`{|}", rune(c)), "%q in a fragment", c)
		}
		read, own := readLink("#" + link)
		require.True(t, own)
		require.False(t, read.refused)
		require.Equal(t, maps.Collect(in.Changed()), maps.Collect(read.input.Changed()))
	})
}

// No fragment does harm.
func FuzzReadLink(f *testing.F) {
	for _, s := range []string{"", "#", "v=1", "v=2&a=b", "retention.ms=7d&segm", "retention.ms=%", "a=%2", "=%00", "answer", "a=b=c&&"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, fragment string) {
		read, own := readLink(fragment)
		if !own {
			return
		}
		again, _ := readLink(writeLink(read.input.Changed()))
		if strings.Contains(fragment, lost) {
			return
		}
		if !maps.Equal(maps.Collect(read.input.Changed()), maps.Collect(again.input.Changed())) {
			t.Errorf("%q is not kept", fragment)
		}
	})
}

// Whatever a link says, the page is drawn in the view that it names. A cluster is not worked out here: it may take long, and
// has its own tests.
func FuzzFollow(f *testing.F) {
	for _, c := range corpus(f) {
		f.Add(c.link)
	}
	for _, link := range []string{
		"#view=service&service=apsaramq&disk=300GB&topics=a!3!produce:1MB/s;b&why.topic=a&why.record=1h&why.at=9d",
		"#view=service&service=ibm-event-streams&storage=2TB&ask.create=x%203&ask.add=5&ask.set=retention.bytes=1GiB&daily.volume=1GB&keep=2d",
		"#view=service&service=amazon-msk&plan=serverless&auto.scaling.target=50&disk=1TiB&partitions=9",
		"#view=tiered&remote.storage.enable=true&tiered.topics=a,retention.ms:1d;b,produce:5MiB/s&steps=1h%20remote-down%202h&restart.all=9d",
		"#at=1h&record=2h%20ago&change=retention.ms=1h%20retention.bytes=1GiB",
	} {
		f.Add(link)
	}
	f.Fuzz(func(t *testing.T, fragment string) {
		if strings.Contains(fragment, clusterView) || strings.Contains(fragment, "%") && strings.Contains(fragment, "c-") {
			return
		}
		rendered(t, func(r *Root) { r.state.follow(fragment) })
	})
}

func TestBadLinksSaySo(t *testing.T) {
	for fragment, says := range map[string]string{
		"v=1&retention.ms=1d&segment.by":          "segment.by",
		"v=1&retention.ms=%2":                     "breaks off",
		"v=1&retention.ms=%EF%BF%BD":              "breaks off", // as web/host.js hands it over
		"v=3&retention.ms=1d":                     "newer",
		"v=one":                                   "version",
		strings.Repeat("x", linkLimit) + "=1&y=2": "bytes",
	} {
		read, own := readLink(fragment)
		require.True(t, own, fragment)
		assert.Contains(t, strings.Join(read.problems, "\n"), says)
	}
	_, own := readLink("#answer")
	assert.False(t, own, "a place in the page")
	read, _ := readLink("v=1&produce.growth=5%25")
	assert.Empty(t, read.problems, "a percent sign at the end is none that was cut")
}

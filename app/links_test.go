package app

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/partsize/partsize/calc"
)

// oldLink is a link of the corpus and what it means; see testdata/links/README.md.
type oldLink struct {
	where, link string
	given       []calc.Pair
	place       place
	says        []string
	again       string
}

// corpus is every form that a link ever had.
func corpus(t testing.TB) (all []oldLink) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join("testdata", "links", "*.txt"))
	require.NoError(t, err)
	for _, name := range names {
		content, err := os.ReadFile(name)
		require.NoError(t, err)
		for i, line := range strings.Split(string(content), "\n") {
			if line == "#" || strings.HasPrefix(line, "#") && line[1] != ' ' {
				all = append(all, oldLink{where: name + ":" + strconv.Itoa(i+1), link: line, again: line[1:]})
				continue
			}
			if line == "" || line[0] == '#' {
				continue
			}
			require.NotEmpty(t, all, line)
			c := &all[len(all)-1]
			if again, ok := strings.CutPrefix(line, "again:"); ok {
				c.again = strings.TrimSpace(again)
			} else if says, ok := strings.CutPrefix(line, "says: "); ok {
				c.says = append(c.says, says)
			} else {
				rest, inPlace := strings.CutPrefix(line, "place: ")
				key, value, ok := strings.Cut(rest, " =")
				require.True(t, ok, line)
				pair := calc.Pair{Key: plainText(t, key), Value: plainText(t, strings.TrimPrefix(value, " "))}
				if inPlace {
					c.place = append(c.place, pair)
				} else {
					c.given = append(c.given, pair)
				}
			}
		}
	}
	require.Greater(t, len(all), 25)
	return all
}

// plainText reads the escapes of Go.
func plainText(t testing.TB, escaped string) string {
	t.Helper()
	plain, err := strconv.Unquote(`"` + strings.ReplaceAll(escaped, `"`, `\"`) + `"`)
	require.NoError(t, err, escaped)
	return plain
}

func pairsOf(in calc.Input) (all []calc.Pair) {
	for key, value := range in.Changed() {
		all = append(all, calc.Pair{Key: key, Value: value})
	}
	return all
}

// Every link that was ever given out means what it meant.
func TestOldLinks(t *testing.T) {
	for _, c := range corpus(t) {
		s := newState()
		require.True(t, s.follow(c.link), c.where)
		assert.Equal(t, c.given, pairsOf(s.input), c.where)
		assert.Equal(t, c.place, s.place, c.where)
		assert.Len(t, s.linkSays, len(c.says), "%s: %q", c.where, s.linkSays)
		for _, says := range c.says {
			assert.Contains(t, strings.Join(s.linkSays, "\n"), says, c.where)
		}
		assert.Equal(t, c.again, s.fragment(), c.where)

		// What the page writes means the same, and says nothing any more.
		again := newState()
		again.follow("#" + s.fragment())
		assert.Equal(t, c.given, pairsOf(again.input), c.where)
		assert.Empty(t, again.linkSays, c.where)
	}
}

// A link that is cut anywhere says of what is whole what the whole one says, and never anything else of the rest than the
// last pair, shorter.
func TestLinksCutAnywhere(t *testing.T) {
	for _, c := range corpus(t) {
		for n := range len(c.link) {
			read, own := readLink(c.link[:n])
			if !own {
				continue
			}
			whole, last := c.link[:n], ""
			if i := strings.LastIndexByte(whole, '&'); i >= 0 {
				whole, last = whole[:i], whole[i+1:]
			} else {
				continue
			}
			before, _ := readLink(whole)
			lastKey, _, _ := strings.Cut(strings.TrimPrefix(last, "amp;"), "=")
			lastKey, _ = unescapeLink(lastKey)
			for _, p := range pairsOf(before.input) {
				if p.Key != lastKey {
					assert.Contains(t, pairsOf(read.input), p, "%s: %q", c.where, c.link[:n])
				}
			}
			assert.LessOrEqual(t, len(pairsOf(read.input)), len(pairsOf(before.input))+1, "%s: %q", c.where, c.link[:n])
			if !strings.Contains(last, "=") && strings.TrimPrefix(last, "amp;") != "" {
				assert.NotEmpty(t, read.problems, "%s: %q", c.where, c.link[:n])
			}
		}
	}
}

// The version that comes after this one migrates links in steps; a newer link than the page's is left as it is.
func TestMigrations(t *testing.T) {
	rename := func(from, to string) migration {
		return func(pairs []calc.Pair) (all []calc.Pair) {
			for _, p := range pairs {
				if p.Key == from {
					p.Key = to
				}
				all = append(all, p)
			}
			return all
		}
	}
	// In version 2 a became b and a default moved, which older links have to spell out; in version 3 b became c.
	steps := []migration{
		func(pairs []calc.Pair) []calc.Pair {
			return append(rename("a", "b")(pairs), calc.Pair{Key: "horizon", Value: "28d"})
		},
		rename("b", "c"),
	}
	pair := func(key string) calc.Pair { return calc.Pair{Key: key, Value: "1"} }
	spelled := calc.Pair{Key: "horizon", Value: "28d"}
	given := []calc.Pair{pair("a"), pair("b"), pair("x")}
	assert.Equal(t, []calc.Pair{pair("c"), pair("c"), pair("x"), spelled}, migrated(given, 1, steps))
	assert.Equal(t, []calc.Pair{pair("a"), pair("c"), pair("x")}, migrated(given, 2, steps))
	assert.Equal(t, given, migrated(given, 3, steps))
	assert.Equal(t, given, migrated(given, 7, steps))
	assert.Len(t, migrations, linkVersion-1, "each version has its migration from the one before")
	for i, m := range migrations {
		assert.NotNil(t, m, "from version %d", i+1)
	}
}

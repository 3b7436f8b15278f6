package placement

import (
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/partsize/partsize/calc"
)

// vector is the order of one list of directories, all counts equal, as Kafka gave it.
type vector struct {
	Name       string
	Paths      []string
	Order431   []string `json:"order_4.3.1"`
	Order440   []string `json:"order_4.4.0"`
	Cordoned   string
	Without431 []string `json:"order_cordoned_4.3.1"`
	Without440 []string `json:"order_cordoned_4.4.0"`
	HashCodes  []uint32 `json:"hash_codes"`
	Improved   []uint32
}

// The order of directories with equally many logs, and both hashes.
func TestTieVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/golden/vectors.json")
	require.NoError(t, err)
	var vectors []vector
	require.NoError(t, json.Unmarshal(data, &vectors))
	require.Len(t, vectors, 20)
	cordoned := 0
	for _, v := range vectors {
		for i, path := range v.Paths {
			assert.Equal(t, v.HashCodes[i], javaHash(path), path)
			assert.Equal(t, v.Improved[i], scalaHash(path), path)
		}
		for _, c := range []struct {
			version        calc.Version
			order, without []string
		}{{40301, v.Order431, v.Without431}, {40400, v.Order440, v.Without440}} {
			b := start(t, c.version, v.Paths...)
			assert.Equal(t, c.order, b.Next(), "%s %d", v.Name, c.version)
			if v.Cordoned != "" {
				cordoned++
				require.NoError(t, b.Cordon(v.Cordoned))
				assert.Equal(t, c.without, b.Next(), "%s %d", v.Name, c.version)
			}
		}
	}
	assert.Positive(t, cordoned)
}

func start(t require.TestingT, version calc.Version, dirs ...string) *Broker {
	b, err := NewBroker(Config{Version: version, LogDirs: dirs, DeleteDelay: DefaultDeleteDelay, InitialTaskDelay: DefaultInitialTaskDelay})
	require.NoError(t, err)
	return b
}

func TestJavaHash(t *testing.T) {
	assert.Equal(t, uint32(99162322), javaHash("hello"))
	assert.Equal(t, uint32(0), javaHash(""))
	assert.Equal(t, javaHash("Aa"), javaHash("BB"))
	assert.Equal(t, uint32(1772899), javaHash("\U0001F600"), "two units: 31·0xd83d + 0xde00")
}

// Reference: String.compareTo compares UTF-16 units: a pair of surrogates comes before U+FF5E.
func TestCompareUTF16(t *testing.T) {
	assert.Negative(t, compareUTF16("\U0001F600", "\uff5e"))
	assert.Positive(t, compareUTF16("\uff5e", "\U0001F600"))
	assert.Negative(t, compareUTF16("a", "ab"))
	assert.Positive(t, compareUTF16("b", "ab"))
	assert.Negative(t, compareUTF16("\ud7ff", "\U0001F600"))
	assert.Zero(t, compareUTF16("rack", "rack"))
}

func text(s string) *string { return &s }

// log.dirs as a broker reads it.
func TestParseLogDirs(t *testing.T) {
	for _, c := range []struct {
		version calc.Version
		dirs    *string
		dir     *string
		paths   string // with | between, or the error
		ignored string
	}{
		{40301, text("/a,/b"), text("/c"), "/a|/b", ""},
		{40301, nil, text("/c"), "/c", ""},
		{40301, nil, nil, "/tmp/kafka-logs", ""},
		{40301, nil, text("/c,/d"), "/c|/d", ""},
		{40301, text(" /a ,\t/b "), nil, "/a|/b", ""},
		{40301, text("/a/,//b///c//"), nil, "/a|/b/c", ""},
		{40301, text("logs,./x"), nil, "/opt/kafka/logs|/opt/kafka/./x", ""},
		{40301, text("/a,/b,"), nil, "!ConfigException: Configuration 'log.dirs' values must not be empty", ""},
		{40301, text("/a,,/b"), nil, "!values must not be empty", ""},
		{40301, text(""), nil, "!must not be empty", ""},
		{40301, text("/a,/b,/a"), nil, "/a|/b", "/a"},
		{40301, text("/a,/a/"), nil, "!KafkaException: Duplicate log directory found: /a, /a/", ""},
		{40301, text("/a,/x/../a"), nil, "!Duplicate log directory found", ""},
		{40301, text("logs,/opt/kafka/logs"), nil, "!Duplicate log directory found", ""},
		{40101, text("/a,/b,"), nil, "/a|/b", ""},
		{40101, text(",/a,, /b"), nil, "/a|/b", ""},
		{40101, text("/a, /b "), nil, "/a|/b ", ""},
		{40101, text("/a,/b,/a"), nil, "!Duplicate log directory found", ""},
		{40101, text(","), nil, "!At least one log directory must be defined", ""},
		{40101, text(""), text("/a"), "!At least one log directory must be defined", ""},
	} {
		given := "none"
		if c.dirs != nil {
			given = fmt.Sprintf("%q", *c.dirs)
		}
		got, err := ParseLogDirs(c.version, c.dirs, c.dir, "/opt/kafka")
		if problem, bad := strings.CutPrefix(c.paths, "!"); bad {
			var refusal *Refusal
			assert.ErrorAs(t, err, &refusal, given)
			assert.ErrorContains(t, err, problem, given)
			continue
		}
		require.NoError(t, err, given)
		assert.Equal(t, c.paths, strings.Join(got.Paths, "|"), given)
		assert.Equal(t, c.ignored, strings.Join(got.Ignored, "|"), given)
		assert.Len(t, got.Texts, len(got.Paths))
	}
}

func TestParsePartition(t *testing.T) {
	for text, want := range map[string]Partition{
		"orders-0": {"orders", 0}, "a-1-22": {"a-1", 22}, "__consumer_offsets-49": {"__consumer_offsets", 49}, "a--1": {"a-", 1},
	} {
		p, ok := ParsePartition(text)
		assert.True(t, ok, text)
		assert.Equal(t, want, p)
		assert.Equal(t, text, p.String())
	}
	for _, text := range []string{"", "orders", "orders-", "-1", "orders-01", "orders-x", "orders-99999999999", "orders-+1"} {
		_, ok := ParsePartition(text)
		assert.False(t, ok, text)
	}
}

// Names are cut so that they fit a file system; a future log's is not.
func TestNames(t *testing.T) {
	long := Partition{strings.Repeat("x", 249), 12345}
	assert.Len(t, suffixedName(long, hexID(1), deleteSuffix), 255)
	assert.True(t, strings.HasSuffix(suffixedName(long, hexID(1), straySuffix), "x-12345."+strings.Repeat("0", 31)+"1-stray"))
	b := start(t, 40301, "/a", "/b")
	_, err := b.Create(Partition{strings.Repeat("x", 213), 0}, Request{})
	require.NoError(t, err)
	_, err = b.Move(Partition{strings.Repeat("x", 213), 0}, "/b")
	assert.NoError(t, err, "T-P has 215 characters")
	_, err = b.Move(Partition{strings.Repeat("x", 214), 0}, "/b")
	assert.ErrorContains(t, err, "InvalidTopicException")
}

// A given seed gives the same numbers on every platform; those of nextInt(10) after new Random(42). The traces have others.
func TestRandom(t *testing.T) {
	r := NewRandom(42)
	var got []int32
	for _, bound := range []int32{10, 10} {
		got = append(got, r.Below(bound))
	}
	assert.Equal(t, []int32{0, 3}, got)
}

// No directory, one twice.
func TestBadConfiguration(t *testing.T) {
	_, err := NewBroker(Config{})
	assert.ErrorContains(t, err, "none of the log directories")
	_, err = NewBroker(Config{LogDirs: []string{"/a", "/a"}})
	assert.ErrorContains(t, err, "Duplicate log directory")
	b := start(t, 40301, "/a")
	require.Error(t, b.FailDir("/a"))
	assert.False(t, b.Running())
	_, err = b.Create(Partition{"t", 0}, Request{})
	assert.ErrorIs(t, err, errDown)
	_, err = b.Move(Partition{"t", 0}, "/a")
	assert.ErrorIs(t, err, errDown)
}

// Among directories that existed from the start and take new logs, counts never differ by more than one, as long as logs
// are only made where Kafka chooses.
func TestCountsStayEven(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		version := rapid.SampledFrom([]calc.Version{30900, 40101, 40301, 40400}).Draw(t, "version")
		var dirs []string
		for i := range rapid.IntRange(1, 40).Draw(t, "dirs") {
			dirs = append(dirs, fmt.Sprintf("/data/disk%d", i))
		}
		b := start(t, version, dirs...)
		for i := range rapid.IntRange(0, 200).Draw(t, "logs") {
			_, err := b.Create(Partition{"t", int32(i)}, Request{})
			require.NoError(t, err)
			least, most := b.Count(dirs[0]), b.Count(dirs[0])
			for _, dir := range dirs {
				least, most = min(least, b.Count(dir)), max(most, b.Count(dir))
			}
			require.LessOrEqual(t, most-least, 1)
		}
	})
}

// What the counts say is what is in the maps, after any steps.
func TestCountsAreRight(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dirs := []string{"/a", "/b", "/c", "/d", "/e", "/f"}[:rapid.IntRange(2, 6).Draw(t, "dirs")]
		b := start(t, rapid.SampledFrom([]calc.Version{40101, 40301, 40400}).Draw(t, "version"), dirs...)
		partition := rapid.Custom(func(t *rapid.T) Partition { return Partition{"t", rapid.Int32Range(0, 20).Draw(t, "p")} })
		dir := rapid.SampledFrom(dirs)
		for range rapid.IntRange(0, 100).Draw(t, "steps") {
			p := partition.Draw(t, "partition")
			switch rapid.IntRange(0, 11).Draw(t, "step") {
			case 0, 1, 2, 3:
				_, _ = b.Create(p, Request{})
			case 4:
				_, _ = b.Create(p, Request{Prefer: dir.Draw(t, "dir"), NotNew: true})
			case 5, 6:
				_, _ = b.Move(p, dir.Draw(t, "dir"))
			case 7:
				_ = b.FinishMove(p)
			case 8:
				_ = b.Delete(p)
			case 9:
				_ = b.Restart(Start{Stray: []Partition{p}})
			case 10:
				_ = b.CancelMove(p)
			case 11:
				if rapid.IntRange(0, 9).Draw(t, "fails") == 0 {
					_ = b.FailDir(dir.Draw(t, "dir"))
				}
			}
			if !b.Running() { // the last directory failed, or a log came back that was made again
				return
			}
			counted := map[string]int{}
			for _, logs := range []map[Partition]string{b.current, b.future} {
				for p, at := range logs {
					counted[at]++
					require.Contains(t, b.Live(), at, p)
				}
			}
			for _, d := range b.Live() {
				require.Equal(t, counted[d], b.Count(d), d)
				h := b.Holds(d)
				require.Equal(t, counted[d], h.Logs+h.Future, d)
			}
		}
	})
}

// Each partition's replicas are on different brokers and spread over the racks when these are equal, and the same seed
// gives the same.
func TestPlace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		racks, each := rapid.IntRange(1, 5).Draw(t, "racks"), rapid.IntRange(1, 5).Draw(t, "brokers a rack")
		var brokers []Candidate
		for i := range racks * each {
			brokers = append(brokers, Candidate{ID: int32(i + 1), Rack: fmt.Sprintf("r%d", i%racks), Racked: true})
		}
		rf := rapid.IntRange(1, len(brokers)).Draw(t, "rf")
		seed := rapid.Int64().Draw(t, "seed")
		partitions := rapid.IntRange(0, 60).Draw(t, "partitions")
		got, err := Place(brokers, partitions, rf, NewRandom(seed))
		require.NoError(t, err)
		again, err := Place(brokers, partitions, rf, NewRandom(seed))
		require.NoError(t, err)
		require.Equal(t, got, again)
		for _, replicas := range got {
			require.Len(t, replicas, rf)
			seen, inRack := map[int32]bool{}, map[int32]int{}
			for _, id := range replicas {
				require.False(t, seen[id])
				seen[id] = true
				inRack[(id-1)%int32(racks)]++
			}
			require.Len(t, inRack, min(racks, rf), "replicas go to as many racks as there are")
		}
	})
}

package main

import (
	"bytes"
	"compress/gzip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// deepProgram is a program as Go links it, and the same packed.
func deepProgram(t *testing.T) (plain, packed []byte) {
	t.Helper()
	out := filepath.Join(t.TempDir(), "deep.wasm")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", out, "./testdata/deep")
	build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm")
	said, err := build.CombinedOutput()
	require.NoError(t, err, string(said))
	plain, err = os.ReadFile(out)
	require.NoError(t, err)
	packed, err = packData(plain)
	require.NoError(t, err)
	return plain, packed
}

// begins is the memory that a program begins with.
func begins(t *testing.T, program []byte) []byte {
	t.Helper()
	for rest := program[len(wasmHeader):]; len(rest) > 0; {
		id := rest[0]
		content, after, err := cutBytes(rest[1:])
		require.NoError(t, err)
		if id == dataSection {
			segments, err := dataSegments(content)
			require.NoError(t, err)
			last := segments[len(segments)-1]
			return memory(segments, int(last.at)+len(last.bytes))
		}
		rest = after
	}
	t.Fatal("no data")
	return nil
}

// Nothing but lines goes: the rest of the memory is the same, and what is there of functions is found where it was. A
// program without lines stays as it is.
func TestOnlyLinesAreDropped(t *testing.T) {
	plain, packed := deepProgram(t)
	before, after := begins(t, plain), begins(t, packed)
	require.True(t, dropLines(before), "Go lays its tables out in another way: see lines.go")
	assert.True(t, bytes.Equal(before, after))
	again := bytes.Clone(after)
	require.True(t, dropLines(again))
	assert.True(t, bytes.Equal(after, again))

	assert.Contains(t, string(after), "main.deep")
	assert.NotContains(t, string(after), "runtime/proc.go")
	assert.Less(t, compressed(t, packed), compressed(t, plain)*9/10)

	assert.False(t, dropLines([]byte(tableMagic+strings.Repeat("\xff", 200))), "no such table")
	assert.False(t, dropLines([]byte(tableMagic)), "cut off")
}

func compressed(t *testing.T, content []byte) int {
	t.Helper()
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	require.NoError(t, err)
	_, err = w.Write(content)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	return b.Len()
}

// needNode is set by make test-wasm, which has seen to it that node is there.
const needNode = "PARTSIZE_NODE"

// The program runs: it collects garbage under deep stacks, unwinds them, and knows its functions; only lines are unknown.
// The browser tests run the page's own program, packed the same way.
func TestProgramWithoutLinesRuns(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		if os.Getenv(needNode) != "" {
			t.Fatal(err)
		}
		t.Skip("node is not installed: make test-wasm installs it and runs this test")
	}
	_, packed := deepProgram(t)
	program := filepath.Join(t.TempDir(), "packed.wasm")
	require.NoError(t, os.WriteFile(program, packed, 0o644))
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	said, err := exec.Command(node, "--stack-size=8192", filepath.Join(strings.TrimSpace(string(root)), "lib/wasm/wasm_exec_node.js"), program).CombinedOutput()
	require.NoError(t, err, string(said))
	assert.Equal(t, "at the bottom main.main.func1.1 0\n", string(said))
}

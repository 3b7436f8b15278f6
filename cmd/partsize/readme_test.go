package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const readme = "../../README.md"

// console is a block of the README: a command after "$ ", and below it what the command prints.
var console = regexp.MustCompile("(?s)```console\n\\$ partsize ([^\n]*)\n(.*?)```")

// The README's examples are run, and print what stands there. With -update they are written anew.
func TestREADME(t *testing.T) {
	text, err := os.ReadFile(readme)
	require.NoError(t, err)
	examples := 0
	fresh := console.ReplaceAllStringFunc(string(text), func(block string) string {
		examples++
		m := console.FindStringSubmatch(block)
		out, code := runCommand(t, strings.Fields(m[1]))
		require.Equal(t, exitDone, code, m[1])
		if !*update {
			assert.Equal(t, m[2], out, "partsize %s", m[1])
		}
		return "```console\n$ partsize " + m[1] + "\n" + out + "```"
	})
	assert.Positive(t, examples)
	if *update {
		require.NoError(t, os.WriteFile(readme, []byte(fresh), 0o644))
	}
}

// runCommand is what a command prints to standard output, and its exit code.
func runCommand(t *testing.T, args []string) (string, int) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "out")
	out, err := os.Create(path)
	require.NoError(t, err)
	defer out.Close()
	code := (&terminal{in: strings.NewReader(""), out: out, err: os.Stderr}).run(args)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(text), code
}

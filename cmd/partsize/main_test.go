package main

import (
	"bytes"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the expected output in testdata; commit only what you can explain")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"partsize": main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{Dir: "testdata", UpdateScripts: *update, RequireExplicitExec: true, Setup: traces})
}

// traces puts a trace of Kafka 4.3.1 into a script's directory, and the same with one size changed.
func traces(env *testscript.Env) error {
	good, err := os.ReadFile("../../calc/testdata/golden/traces/01a_roll_by_size.json")
	if err != nil {
		return err
	}
	wrong := bytes.Replace(good, []byte(`"size":0,`), []byte(`"size":999,`), 1)
	if bytes.Equal(good, wrong) {
		return errors.New("the trace has no sample of an empty log")
	}
	if err := os.WriteFile(env.WorkDir+"/good.json", good, 0o666); err != nil {
		return err
	}
	if err := os.WriteFile(env.WorkDir+"/wrong.json", wrong, 0o666); err != nil {
		return err
	}
	return placements(env)
}

// placements does the same with a trace of a broker's directories: a log goes elsewhere.
func placements(env *testscript.Env) error {
	good, err := os.ReadFile("../../calc/placement/testdata/golden/4.3.1/fixed/r01_counts.json")
	if err != nil {
		return err
	}
	wrong := bytes.Replace(good, []byte(`{"create":"t-0"},"dir":"d2"`), []byte(`{"create":"t-0"},"dir":"d3"`), 1)
	if bytes.Equal(good, wrong) {
		return errors.New("the trace does not make t-0 in d2")
	}
	if err := os.WriteFile(env.WorkDir+"/placed.json", good, 0o666); err != nil {
		return err
	}
	return os.WriteFile(env.WorkDir+"/misplaced.json", wrong, 0o666)
}

func TestParseArguments(t *testing.T) {
	for _, c := range []struct {
		args   []string
		others []string
		flag   string
	}{
		{[]string{"a=1", "--f", "x", "b=2"}, []string{"a=1", "b=2"}, "x"},
		{[]string{"--f=x", "a=-1"}, []string{"a=-1"}, "x"},
		{[]string{"-", "-f", "-"}, []string{"-"}, "-"},
		{[]string{"--", "--f", "x"}, []string{"--f", "x"}, ""},
		{[]string{"--f", "x", "--", "-y"}, []string{"-y"}, "x"},
		{[]string{"--f", "--", "a"}, []string{"a"}, "--"},
	} {
		flags := flag.NewFlagSet("x", flag.ContinueOnError)
		f := flags.String("f", "", "")
		others, err := parseArguments(flags, c.args)
		require.NoError(t, err, c.args)
		assert.Equal(t, c.others, others, c.args)
		assert.Equal(t, c.flag, *f, c.args)
	}
	flags := flag.NewFlagSet("x", flag.ContinueOnError)
	_, err := parseArguments(flags, []string{"--g"})
	assert.ErrorContains(t, err, "there is no flag --g")
}

// Every command has help that fits a terminal.
func TestHelpFits(t *testing.T) {
	for _, c := range commands() {
		for line := range strings.SplitSeq(c.help, "\n") {
			assert.LessOrEqual(t, len([]rune(line)), 80, "%s: %s", c.name, line)
		}
	}
	r, w, err := os.Pipe()
	require.NoError(t, err)
	assert.Equal(t, exitBad, (&terminal{out: w, err: w}).run([]string{"help", "nothing"}))
	w.Close()
	text, _ := io.ReadAll(r)
	assert.Contains(t, string(text), "partsize: there is no command \"nothing\"\npartsize: hint: ")
}

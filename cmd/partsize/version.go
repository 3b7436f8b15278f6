package main

import (
	"flag"
	"fmt"
	"runtime"
	"runtime/debug"
)

const versionHelp = `usage: partsize version

Says which version this is, and which Go built it.
`

func version(t *terminal, args []string) error {
	others, err := parseArguments(flag.NewFlagSet("version", flag.ContinueOnError), args)
	if err != nil {
		return t.asked(err, versionHelp)
	}
	if len(others) > 0 {
		return bad("leave it out", "version takes nothing, and %q was given", others[0])
	}
	_, err = fmt.Fprintf(t.out, "partsize %s, %s %s/%s\n", buildVersion(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

// buildVersion is the version of the module, or the commit that was built.
func buildVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "(unknown)"
	}
	if v := info.Main.Version; v != "" && v != "(devel)" {
		return v
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return "(devel) " + s.Value
		}
	}
	return "(devel)"
}

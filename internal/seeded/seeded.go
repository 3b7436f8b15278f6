// Package seeded runs a package's tests with property tests whose draws can be repeated.
package seeded

import (
	"flag"
	"os"
	"testing"
)

// seed is that of the property tests in CI.
const seed = "20261130"

// Main runs the tests of a package that has property tests, and ends the program. In CI those draw the same values every
// time, so that a change is judged by what it does; elsewhere each run draws new ones. -rapid.seed overrides both.
func Main(m *testing.M) {
	if os.Getenv("CI") != "" {
		if err := flag.Set("rapid.seed", seed); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

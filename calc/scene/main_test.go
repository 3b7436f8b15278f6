package scene

import (
	"flag"
	"os"
	"testing"
)

// In CI the property tests draw the same values every time, so that a change is judged by what it does; elsewhere each run
// draws new ones. -rapid.seed overrides both.
func TestMain(m *testing.M) {
	if os.Getenv("CI") != "" {
		if err := flag.Set("rapid.seed", "20261130"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

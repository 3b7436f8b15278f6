package app

import (
	"testing"

	"github.com/partsize/partsize/internal/seeded"
)

// All views are tested. Property tests draw as package seeded says.
func TestMain(m *testing.M) {
	AllViews()
	seeded.Main(m)
}

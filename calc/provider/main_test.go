package provider

import (
	"testing"

	"github.com/partsize/partsize/internal/seeded"
)

// Property tests draw as package seeded says.
func TestMain(m *testing.M) {
	seeded.Main(m)
}

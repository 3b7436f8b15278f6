package order

import (
	"cmp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// The order is that of the standard library's stable sort.
func TestSort(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		type item struct{ key, place int }
		var got []item
		for i, key := range rapid.SliceOfN(rapid.IntRange(0, 20), 0, 200).Draw(t, "keys") {
			got = append(got, item{key, i})
		}
		want := slices.Clone(got)
		slices.SortStableFunc(want, func(a, b item) int { return cmp.Compare(a.key, b.key) })
		Sort(got, func(a, b *item) int { return cmp.Compare(a.key, b.key) })
		require.Equal(t, want, got)
	})
}

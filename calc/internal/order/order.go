// Package order sorts. The sorts of package slices are compiled once for each type that is sorted, which together were a
// twentieth of what the browser downloads; here one sort of indexes serves all types.
package order

// By is the indexes from 0 to n−1 in order; equal ones stay as they are.
func By(n int, compare func(a, b int) int) []int32 {
	order, spare := make([]int32, n), make([]int32, n)
	for i := range order {
		order[i] = int32(i)
	}
	// Short runs by insertion, then runs merged pairwise.
	const run = 8
	for from := 0; from < n; from += run {
		for i := from + 1; i < min(from+run, n); i++ {
			for k := i; k > from && compare(int(order[k-1]), int(order[k])) > 0; k-- {
				order[k-1], order[k] = order[k], order[k-1]
			}
		}
	}
	for width := run; width < n; width *= 2 {
		for from := 0; from < n; from += 2 * width {
			middle, to := min(from+width, n), min(from+2*width, n)
			a, b := from, middle
			for k := from; k < to; k++ {
				if a < middle && (b >= to || compare(int(order[a]), int(order[b])) <= 0) {
					spare[k] = order[a]
					a++
				} else {
					spare[k] = order[b]
					b++
				}
			}
		}
		order, spare = spare, order
	}
	return order
}

// Sort puts items in order; equal ones stay as they are. Where they are in order already, as the segments of a log mostly are,
// nothing is copied.
func Sort[T any](items []T, compare func(a, b *T) int) {
	from := 1
	for from < len(items) && compare(&items[from-1], &items[from]) <= 0 {
		from++
	}
	if from >= len(items) {
		return
	}
	sorted := make([]T, len(items))
	for i, k := range By(len(items), func(a, b int) int { return compare(&items[a], &items[b]) }) {
		sorted[i] = items[k]
	}
	copy(items, sorted)
}

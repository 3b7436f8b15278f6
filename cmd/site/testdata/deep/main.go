// A program that needs what the runtime knows of functions: deep stacks that are moved and searched for pointers, panics
// that unwind them, names of functions.
package main

import (
	"fmt"
	"runtime"
)

type node struct {
	next  *node
	bytes []byte
}

//go:noinline
func deep(n int, list *node) (sum int) {
	defer func() { sum += len(list.bytes) }()
	if n%50 == 0 {
		runtime.GC()
	}
	if n == 0 {
		panic("at the bottom")
	}
	return deep(n-1, &node{list, make([]byte, n)})
}

func main() {
	func() {
		defer func() {
			pc, _, line, _ := runtime.Caller(0)
			fmt.Println(recover(), runtime.FuncForPC(pc).Name(), line)
		}()
		deep(2000, &node{})
	}()
}

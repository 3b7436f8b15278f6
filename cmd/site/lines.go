package main

import "encoding/binary"

// Sizes of what Go's linker writes for the runtime about functions. See cmd/link/internal/ld/pcln.go and _func in
// runtime/runtime2.go, of Go 1.26; the layout has been so since Go 1.20.
const (
	tableMagic  = "\xf1\xff\xff\xff\x00\x00\x01\x08" // of Go 1.20 and later; steps of one, eight bytes a pointer
	tableHeader = 8 + 8*8
	funcSize    = 44

	// Places in _func.
	funcName      = 4
	funcStack     = 16 // pcsp: how deep the stack is
	funcFile      = 20
	funcLine      = 24
	funcTables    = 28 // how many tables of its own
	funcUnit      = 32 // where its files are listed
	funcStartLine = 36
	funcPointers  = 43 // how many pointers, a byte
)

// dropLines takes the numbers of lines and the names of files out of the program: a seventh of what it weighs, which the
// runtime reads when it prints a stack, and never else. A table at 0 is how the linker says that there is none, so the
// runtime prints ?:0 and the distance from the function's start. The names of functions stay; with them and that
// distance, the same program built with its lines says where it was.
//
// A program whose tables are laid out otherwise stays as it is; false is returned.
func dropLines(memory []byte) bool {
	for at := range memory {
		if memory[at] == tableMagic[0] && len(memory)-at > tableHeader && string(memory[at:at+len(tableMagic)]) == tableMagic {
			if t, ok := readTable(memory[at:]); ok {
				t.dropLines()
				return true
			}
		}
	}
	return false
}

// table is the runtime's table of functions.
type table struct {
	steps []byte // values over the places of a function, one table after another
	files []byte // the lists of files, and their names
	funcs [][]byte
}

// readTable reads the table and checks that all of it is where it should be.
func readTable(b []byte) (t table, ok bool) {
	word := func(i int) int {
		n := binary.LittleEndian.Uint64(b[8+8*i:])
		return int(min(n, uint64(len(b))))
	}
	count, names, units, steps, funcs := word(0), word(3), word(4), word(6), word(7)
	if count == 0 || names != tableHeader || names >= units || units >= word(5) || word(5) >= steps || steps >= funcs {
		return t, false
	}
	t = table{steps: b[steps:funcs], files: b[units:steps]}
	list := b[funcs:]
	if len(list) < 8*count+4 {
		return t, false
	}
	next := 8*count + 4
	for i := range count {
		at := int(binary.LittleEndian.Uint32(list[8*i+4:]))
		if at < next || at > next+7 || at+funcSize > len(list) { // they follow each other
			return t, false
		}
		f := list[at:]
		size := funcSize + 4*(int(number32(f, funcTables))+int(f[funcPointers]))
		if size > len(f) || int(number32(f, funcName)) >= units-names {
			return t, false
		}
		next = at + size
		t.funcs = append(t.funcs, f[:size])
	}
	return t, true
}

func number32(f []byte, at int) uint32 { return binary.LittleEndian.Uint32(f[at:]) }

func (t table) dropLines() {
	used := make([]bool, len(t.steps))
	for _, f := range t.funcs {
		for _, at := range []int{funcFile, funcLine, funcUnit, funcStartLine} {
			binary.LittleEndian.PutUint32(f[at:], 0)
		}
		t.mark(used, number32(f, funcStack))
		for i := range int(number32(f, funcTables)) {
			t.mark(used, number32(f, funcSize+4*i))
		}
	}
	for i := range t.steps {
		if !used[i] {
			t.steps[i] = 0
		}
	}
	clear(t.files)
}

// mark marks the bytes of the table at a place: pairs of numbers, up to one that begins with 0, but for the first.
func (t table) mark(used []bool, from uint32) {
	if from == 0 || int(from) >= len(used) {
		return
	}
	i := int(from)
	skip := func() {
		for i < len(used) {
			used[i] = true
			i++
			if t.steps[i-1] < 0x80 {
				return
			}
		}
	}
	for first := true; i < len(used) && (first || t.steps[i] != 0); first = false {
		skip()
		skip()
	}
	if i < len(used) {
		used[i] = true
	}
}

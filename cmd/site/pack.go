package main

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

// Ids of a module's parts that matter here, and the bytes around a data segment's address. See the WebAssembly core
// specification, 5.5.
const (
	wasmHeader  = "\x00asm\x01\x00\x00\x00"
	dataSection = 11
	toMemory0   = 0x00 // an active segment of memory 0
	i32Const    = 0x41
	endOfExpr   = 0x0b

	// mergeGap is the widest run of zeros that is written out so that two segments become one. Beyond it nothing is won:
	// compressed, zeros cost next to nothing up to there.
	mergeGap = 1024
)

var errWasm = errors.New("not a WebAssembly module as Go links it")

// packData makes a program smaller by what it begins its memory with: the zeros between neighbouring data segments are
// written out, so that few segments are left, and the lines of the source are left out; see [dropLines]. But for those the
// memory stays the same, byte for byte.
//
// Go's linker leaves out runs of more than eight zeros and pays with a segment's header each time. In this program that is
// 85,000 headers that hardly compress: 147 kB of what a first visit downloads, and the browser copies each segment for itself.
func packData(module []byte) ([]byte, error) {
	rest, ok := bytes.CutPrefix(module, []byte(wasmHeader))
	if !ok {
		return nil, errWasm
	}
	packed := bytes.NewBuffer(make([]byte, 0, len(module)*5/4))
	packed.WriteString(wasmHeader)
	for len(rest) > 0 {
		id := rest[0]
		content, after, err := cutBytes(rest[1:])
		if err != nil {
			return nil, err
		}
		if id == dataSection {
			segments, err := dataSegments(content)
			if err != nil {
				return nil, err
			}
			segments = merged(segments)
			for _, s := range segments {
				dropLines(s.bytes)
			}
			content = writeSegments(segments)
		}
		packed.WriteByte(id)
		packed.Write(binary.AppendUvarint(nil, uint64(len(content))))
		packed.Write(content)
		rest = after
	}
	return packed.Bytes(), nil
}

// segment is bytes of the memory that the program begins with.
type segment struct {
	at    int32
	bytes []byte
}

// dataSegments reads the data section, in the order of addresses. Segments that overlap, or that are not copied to memory 0
// at a constant address, are none of Go's.
func dataSegments(section []byte) (all []segment, err error) {
	count, n := binary.Uvarint(section)
	if n <= 0 {
		return nil, errWasm
	}
	section = section[n:]
	for range count {
		if len(section) < 2 || section[0] != toMemory0 || section[1] != i32Const {
			return nil, fmt.Errorf("%w: a data segment that is not copied to a constant address", errWasm)
		}
		at, n := signed(section[2:])
		if n <= 0 || len(section) <= 2+n || section[2+n] != endOfExpr {
			return nil, errWasm
		}
		var content []byte
		if content, section, err = cutBytes(section[3+n:]); err != nil {
			return nil, err
		}
		if at < 0 || at+int64(len(content)) > math.MaxInt32 {
			return nil, errWasm
		}
		all = append(all, segment{int32(at), content})
	}
	if len(section) > 0 {
		return nil, errWasm
	}
	slices.SortFunc(all, func(a, b segment) int { return cmp.Compare(a.at, b.at) })
	for i := 1; i < len(all); i++ {
		if int(all[i].at) < int(all[i-1].at)+len(all[i-1].bytes) {
			return nil, fmt.Errorf("%w: data segments that overlap", errWasm)
		}
	}
	return all, nil
}

// merged is the same memory in fewer segments.
func merged(all []segment) (few []segment) {
	for _, s := range all {
		if n := len(few); n > 0 {
			last := &few[n-1]
			gap := int(s.at) - int(last.at) - len(last.bytes)
			if gap <= mergeGap {
				last.bytes = append(append(last.bytes, make([]byte, gap)...), s.bytes...)
				continue
			}
		}
		few = append(few, segment{s.at, bytes.Clone(s.bytes)})
	}
	return few
}

func writeSegments(all []segment) []byte {
	section := binary.AppendUvarint(nil, uint64(len(all)))
	for _, s := range all {
		section = append(section, toMemory0, i32Const)
		section = appendSigned(section, int64(s.at))
		section = append(section, endOfExpr)
		section = binary.AppendUvarint(section, uint64(len(s.bytes)))
		section = append(section, s.bytes...)
	}
	return section
}

// cutBytes cuts a length and as many bytes off.
func cutBytes(from []byte) (content, rest []byte, err error) {
	size, n := binary.Uvarint(from)
	if n <= 0 || size > uint64(len(from)-n) {
		return nil, nil, errWasm
	}
	end := n + int(size)
	return from[n:end:end], from[end:], nil
}

// signed reads a signed LEB128 number, which encoding/binary has not (its Varint is zigzag); n is 0 if there is none.
func signed(from []byte) (value int64, n int) {
	for shift := uint(0); n < len(from) && shift < 64; shift += 7 {
		b := from[n]
		n++
		value |= int64(b&0x7f) << shift
		if b < 0x80 {
			if b&0x40 != 0 && shift+7 < 64 {
				value |= -1 << (shift + 7)
			}
			return value, n
		}
	}
	return 0, 0
}

func appendSigned(to []byte, value int64) []byte {
	for {
		b := byte(value & 0x7f)
		value >>= 7
		if value == 0 && b&0x40 == 0 || value == -1 && b&0x40 != 0 {
			return append(to, b)
		}
		to = append(to, b|0x80)
	}
}

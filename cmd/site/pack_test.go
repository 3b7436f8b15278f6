package main

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// module is a module of other parts around a data section.
func module(data []byte) []byte {
	m := []byte(wasmHeader + "\x00\x02\x01x")
	m = append(m, dataSection)
	m = binary.AppendUvarint(m, uint64(len(data)))
	return append(append(m, data...), "\x00\x02\x01y"...)
}

// The memory that the program begins with stays the same, in fewer segments.
func TestPackKeepsTheMemory(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		gaps := rapid.SliceOf(rapid.IntRange(0, 3*mergeGap)).Draw(t, "gaps")
		var before []segment
		end := rapid.IntRange(0, 1<<20).Draw(t, "at")
		narrow := 0
		for i, gap := range gaps {
			if i > 0 && gap <= mergeGap {
				narrow++
			}
			content := rapid.SliceOfN(rapid.Byte(), 1, 20).Draw(t, "bytes")
			before = append(before, segment{int32(end + gap), content})
			end += gap + len(content)
		}
		shuffled := rapid.Permutation(before).Draw(t, "order")
		packed, err := packData(module(writeSegments(shuffled)))
		require.NoError(t, err)

		from := bytes.IndexByte(packed, dataSection)
		require.Equal(t, module(nil)[:from], packed[:from], "what stands before")
		data, rest, err := cutBytes(packed[from+1:])
		require.NoError(t, err)
		require.Equal(t, "\x00\x02\x01y", string(rest), "what stands after")
		after, err := dataSegments(data)
		require.NoError(t, err)
		require.Len(t, after, len(before)-narrow)
		require.Equal(t, memory(before, end), memory(after, end))
	})
}

func memory(segments []segment, size int) []byte {
	m := make([]byte, size)
	for _, s := range segments {
		copy(m[s.at:], s.bytes)
	}
	return m
}

func TestSignedNumbers(t *testing.T) {
	for value, want := range map[int64]string{
		0: "\x00", 63: "\x3f", 64: "\xc0\x00", -1: "\x7f", -64: "\x40", -65: "\xbf\x7f", 128: "\x80\x01", math.MaxInt32: "\xff\xff\xff\xff\x07",
	} {
		assert.Equal(t, want, string(appendSigned(nil, value)))
		back, n := signed([]byte(want))
		assert.Equal(t, value, back)
		assert.Equal(t, len(want), n)
	}
	_, n := signed([]byte("\x80"))
	assert.Zero(t, n, "cut off")
}

// What is no module, is cut off, or has data that cannot be merged is refused.
func TestPackRefuses(t *testing.T) {
	whole := module(writeSegments([]segment{{8, []byte("a")}, {20, []byte("b")}}))
	_, err := packData(whole)
	require.NoError(t, err)
	for n := range len(whole) {
		if n == len(wasmHeader) || n == len(wasmHeader)+4 || n == len(whole)-4 {
			continue // between two parts
		}
		_, err := packData(whole[:n])
		assert.ErrorIs(t, err, errWasm, "%d bytes", n)
	}
	for name, data := range map[string][]byte{
		"overlap":  writeSegments([]segment{{8, []byte("abc")}, {9, []byte("b")}}),
		"negative": writeSegments([]segment{{-8, []byte("a")}}),
		"passive":  []byte("\x01\x01\x01a"),
		"too many": []byte("\x02\x00\x41\x00\x0b\x01a"),
		"too few":  []byte("\x00\x00"),
	} {
		_, err := packData(module(data))
		assert.ErrorIs(t, err, errWasm, name)
	}
}

//go:build unix

package main

import (
	"io/fs"
	"syscall"
)

// countsBlocks is whether [allocated] knows.
const countsBlocks = true

// allocated is how many bytes of the disk a file takes.
func allocated(info fs.FileInfo) int64 {
	return int64(info.Sys().(*syscall.Stat_t).Blocks) * 512
}

module github.com/partsize/partsize

go 1.26

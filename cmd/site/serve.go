package main

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"strings"
	"time"
)

// serve serves dir on address under prefix, until it is ended. It prints the
// page's address once it answers, with every file compressed already.
func serve(dir, address, prefix string) error {
	if prefix = "/" + strings.Trim(prefix, "/") + "/"; prefix == "//" {
		prefix = "/"
	}
	if _, err := os.Stat(dir + "/index.html"); err != nil {
		return fmt.Errorf("-out %s: there is no site in it; give -wasm FILE to write one", dir)
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return fmt.Errorf("-serve %s: %w; give another port, or :0 for any free one", address, err)
	}
	h := newHost(dir, prefix)
	if err := h.warm(); err != nil {
		return err
	}
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		return err
	}
	fmt.Printf("serving http://localhost:%s%s\n", port, prefix)
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second}
	return server.Serve(listener)
}

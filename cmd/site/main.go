// Command site writes the static site, and serves it as GitHub Pages would.
//
//	site -wasm build/app.wasm -all build/all.wasm -out dist   write the site
//	site -out dist -serve :8080 -prefix /x/                   serve what is in dist
//
// The site is one page that runs unchanged at any address: every location in
// it is relative, and nothing in it depends on the time or on the machine, so
// two builds of one commit are equal, byte for byte.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	var (
		o      options
		listen string
		prefix string
	)
	flag.StringVar(&o.wasm, "wasm", "", "the program for the browser with the partition's view, `FILE`")
	flag.StringVar(&o.all, "all", "", "the program with all views, `FILE`")
	flag.StringVar(&o.web, "web", "web", "the `DIR` of styles, scripts and the service worker's template")
	flag.StringVar(&o.out, "out", "dist", "the `DIR` to write to, or to serve")
	flag.StringVar(&listen, "serve", "", "serve the site on `ADDRESS`, for example :8080; with -wasm, write it first")
	flag.StringVar(&prefix, "prefix", "/", "the `PATH` to serve the site under")
	flag.Parse()

	if err := run(o, listen, prefix, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
}

// run writes the site if there is a wasm, then serves it if there is an
// address.
func run(o options, listen, prefix string, rest []string) error {
	if len(rest) > 0 {
		return fmt.Errorf("argument %q: not expected; see site -help", rest[0])
	}
	if o.wasm == "" && listen == "" {
		return fmt.Errorf("nothing to do: give -wasm FILE to write the site, -serve ADDRESS to serve it, or both")
	}
	if o.wasm != "" {
		version, err := build(o)
		if err != nil {
			return err
		}
		fmt.Printf("wrote %s, version %s\n", o.out, version)
	}
	if listen != "" {
		return serve(o.out, listen, prefix)
	}
	return nil
}

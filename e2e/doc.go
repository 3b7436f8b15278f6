// Package e2e tests the site in Chromium. It is a module of its own, so that
// who imports partsize does not get a browser's driver; it knows the site only
// as the files that make site writes and as what cmd/site serves.
//
// A test starts with
//
//	s := serve(t, "/x/")     // the site under a path, as GitHub Pages serves it
//	p := open(t, s.url)      // a tab of its own, with storage of its own
//	p.ready()                // the Go program has drawn
//
// and then drives p. At its end the harness fails it if anything was written to
// the console as an error, or if the browser asked any other host.
package e2e

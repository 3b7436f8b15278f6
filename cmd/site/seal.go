package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// versionMark stands in app.js where the version goes, because the version is
// a hash of all files, app.js among them.
const versionMark = "@version@"

// uncached are the files that the service worker does not keep.
var uncached = map[string]bool{
	workerFile:   true, // the browser keeps it itself
	"404.html":   true, // answers for unknown paths, and those go to the host
	"robots.txt": true, // not for the page
	".nojekyll":  true,
}

// onDemand are the files that the service worker keeps once they have been asked for: what a first visit does not need.
var onDemand = map[string]bool{
	allWasm:            true,
	"cluster.html":     true,
	"service.html":     true,
	"services.html":    true,
	"tiered.html":      true,
	"embed/index.html": true,
	"web/embed.js":     true,
	"web/licences.txt": true,
	"web/frame.js":     true,
}

// seal names the version of the site in dir after its content, and writes the
// service worker with the hash of each file it keeps. A version is thus those
// bytes and no others: the worker refuses to mix them with files of another
// one that a cache on the way still holds.
func seal(dir, workerTemplate string) (version string, err error) {
	sums, err := hashes(dir)
	if err != nil {
		return "", err
	}
	// Maps are encoded in the order of their keys.
	all, err := json.Marshal(map[string]any{"files": sums, "worker": workerTemplate})
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(all)
	version = hex.EncodeToString(sum[:8])

	err = rewrite(filepath.Join(dir, "app.js"), func(content []byte) ([]byte, error) {
		if !bytes.Contains(content, []byte(versionMark)) {
			return nil, fmt.Errorf("go-app did not write the version %s", versionMark)
		}
		return bytes.ReplaceAll(content, []byte(versionMark), []byte(version)), nil
	})
	if err != nil {
		return "", err
	}

	if sums, err = hashes(dir); err != nil {
		return "", err
	}
	kept, later := map[string]string{}, map[string]string{}
	for name, sum := range sums {
		switch {
		case uncached[name]:
		case onDemand[name]:
			later[strings.TrimSuffix(name, "index.html")] = sum // the address under which it is asked for
		case name == "index.html":
			kept["./"] = sum
		default:
			kept[name] = sum
		}
	}
	lists := []string{"{{version}}", version}
	for mark, list := range map[string]map[string]string{"{{files}}": kept, "{{later}}": later} {
		text, err := json.MarshalIndent(list, "", "  ")
		if err != nil {
			return "", err
		}
		lists = append(lists, mark, string(text))
	}
	worker := strings.NewReplacer(lists...).Replace(workerTemplate)
	return version, os.WriteFile(filepath.Join(dir, workerFile), []byte(worker), 0o644)
}

// hashes returns the SHA-256 of every file in dir, by its slash-separated path.
func hashes(dir string) (map[string]string, error) {
	sums := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		sum := sha256.Sum256(content)
		sums[filepath.ToSlash(rel)] = base64.StdEncoding.EncodeToString(sum[:])
		return nil
	})
	return sums, err
}

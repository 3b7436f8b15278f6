# Partsize's tasks. CI runs the same ones.
#
#   make run           build the site and serve it; prints the address
#   make test          every test; says what it needs and does not find
#   make lint          gofmt, vet, staticcheck
#   make bench         the engine's benchmarks
#   make site          the static site, in dist/
#   make conformance   random scenarios against Kafka itself: SEEDS=1-50 KAFKA=4.3.1
#   make update        rewrite the golden files; commit only what you can explain

SEEDS  ?= 1-50
KAFKA  ?= 4.3.1
PORT   ?= 8080
PREFIX ?= /partsize/

GOAPP := github.com/maxence-charriere/go-app/v10
WASM  := GOOS=js GOARCH=wasm go
SLIM  := build/slim/go.mod

.PHONY: run test unit test-wasm test-site lint bench site conformance update FORCE

run: site
	go run ./cmd/site -out dist -serve :$(PORT) -prefix $(PREFIX)

site: build/app.wasm
	go run ./cmd/site -wasm build/app.wasm -out dist

# The program for the browser. The first line keeps what only a server needs
# out of it, see goappstub. No version control stamp: the same files give the
# same bytes, in a clone, in an archive, and before a commit.
build/app.wasm: $(SLIM) FORCE
	! $(WASM) list -modfile=$(SLIM) -deps ./cmd/wasm | grep -xE 'net/http|crypto/tls|(text|html)/template'
	$(WASM) build -modfile=$(SLIM) -buildvcs=false -trimpath -ldflags="-s -w" -o $@ ./cmd/wasm

# go-app without its server files: a copy in build/, never committed.
$(SLIM): go.mod go.sum goappstub/stub.go Makefile
	-chmod -R u+w build/slim 2>/dev/null; rm -rf build/slim; mkdir -p build/slim/goapp/pkg
	go mod download $(GOAPP)
	src=$$(go list -m -f '{{.Dir}}' $(GOAPP)) && cp "$$src/go.mod" build/slim/goapp/ && \
	  cp -R "$$src/pkg/app" "$$src/pkg/errors" build/slim/goapp/pkg/
	chmod -R u+w build/slim
	cd build/slim/goapp/pkg/app && rm http.go resource.go *_test.go
	cp goappstub/stub.go build/slim/goapp/pkg/app/
	cp go.sum build/slim/ && cp go.mod $@.tmp
	go mod edit -replace=$(GOAPP)=./build/slim/goapp $@.tmp && mv $@.tmp $@

FORCE:

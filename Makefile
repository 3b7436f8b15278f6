# Partsize's tasks. CI runs the same ones.
#
#   make run           build the site and serve it; prints the address
#   make test          every test; installs node and chromium through apt-get,
#                      or says that it cannot (test-native needs only Go)
#   make lint          gofmt, vet, staticcheck (pinned in go.mod as a tool)
#   make bench         the engine's benchmarks, and wasm against native
#   make site          the static site, in dist/
#   make conformance   random scenarios against Kafka itself: SEEDS=1-50 KAFKA=4.3.1
#   make update        rewrite the golden files; commit only what you can explain

SEEDS  ?= 1-50
KAFKA  ?= 4.3.1
PORT   ?= 8080
PREFIX ?= /partsize/

GOAPP  := github.com/maxence-charriere/go-app/v10
ENV    := GOOS=js GOARCH=wasm
WASM   := $(ENV) go
SLIM   := build/slim/go.mod
GODIRS := app calc cmd e2e

.PHONY: inline run test test-native test-wasm test-e2e lint bench site conformance update FORCE

run: site
	go run ./cmd/site -out dist -serve :$(PORT) -prefix $(PREFIX)

test: test-native test-wasm test-e2e

test-native:
	go test ./...

# The engine as the browser has it, without the long tests (-short): they prove
# the rules, and those are the same here. Without node it is left out, loudly;
# in CI that is a failure.
test-wasm:
	@if .ci/need.sh node >/dev/null; then \
	  echo "$(WASM) test -short ./calc/..."; \
	  $(WASM) test -exec "$$(go env GOROOT)/lib/wasm/go_js_wasm_exec" -short ./calc/... && \
	  PARTSIZE_NODE=1 go test -count=1 -run TestProgramWithoutLinesRuns ./cmd/site; \
	elif [ -n "$$CI" ]; then exit 1; \
	else echo "SKIPPED: the engine's tests in wasm"; fi

# The site in a browser; e2e builds it. Without a browser the same. npm brings
# axe-core; without it only the accessibility tests are left out, in CI nothing is.
test-e2e:
	@if chromium=$$(.ci/need.sh chromium); then \
	  if [ -n "$$CI" ]; then .ci/need.sh npm >/dev/null || exit 1; fi; \
	  echo "cd e2e && go test ./..."; \
	  cd e2e && CHROMIUM="$$chromium" go test -count=1 -timeout 30m ./...; \
	elif [ -n "$$CI" ]; then exit 1; \
	else echo "SKIPPED: the browser tests"; fi

# What the browser gets is looked at as the browser's, too.
lint:
	@unformatted=$$(gofmt -l $(GODIRS)); if [ -n "$$unformatted" ]; then \
	  echo "not as gofmt has it:"; echo "$$unformatted"; exit 1; fi
	go vet ./...
	$(WASM) vet ./cmd/wasm/... ./app
	cd e2e && go vet ./...
	go build -o build/staticcheck honnef.co/go/tools/cmd/staticcheck
	build/staticcheck ./...
	$(ENV) build/staticcheck ./cmd/wasm/... ./app
	cd e2e && ../build/staticcheck ./...

bench:
	go test -run '^$$' -bench . -benchmem ./calc/...
	if .ci/need.sh node >/dev/null; then .ci/ratio.sh; fi

conformance:
	go run ./cmd/conformance -seeds $(SEEDS) -kafka $(KAFKA)
	go run ./cmd/conformance -placement -seeds $(SEEDS) -kafka $(KAFKA)

update:
	go test ./calc/report ./calc/provider ./cmd/partsize -update

site: build/app.wasm build/all.wasm
	go run ./cmd/site -wasm build/app.wasm -all build/all.wasm -out dist

# Calls are inlined where the simulation spends its time, and nowhere else: the
# page is a twentieth lighter, and not slower. See docs/performance.md.
FAST   := $(shell go list -m)/calc $(addprefix internal/runtime/,maps math sys) internal/abi slices sort cmp iter math/...
INLINE := -gcflags=all=-l $(FAST:%=-gcflags=%=)

# For the test that measures the engine as the browser has it.
inline:
	@echo $(INLINE)

# The programs for the browser: the partition's view, and all views. The first
# line of each keeps out what only a server needs, see cmd/wasm/goapp. No version
# control stamp: the same files give the same bytes, in a clone, in an archive,
# and before a commit.
build/app.wasm: PROGRAM = ./cmd/wasm
build/all.wasm: PROGRAM = ./cmd/wasm/all
build/app.wasm build/all.wasm: $(SLIM) FORCE
	! $(WASM) list -modfile=$(SLIM) -deps $(PROGRAM) | grep -xE 'net/.*|crypto.*|regexp|(text|html)/template'
	$(WASM) build -modfile=$(SLIM) -buildvcs=false -trimpath -ldflags="-s -w" $(INLINE) -o $@ $(PROGRAM)

# go-app without its server files: a copy in build/, never committed.
$(SLIM): go.mod go.sum Makefile $(wildcard cmd/wasm/goapp/*.go cmd/wasm/goapp/*/*.go)
	-chmod -R u+w build/slim 2>/dev/null; rm -rf build/slim; mkdir -p build/slim/goapp/pkg
	go mod download $(GOAPP)
	src=$$(go list -m -f '{{.Dir}}' $(GOAPP)) && cp "$$src/go.mod" build/slim/goapp/ && \
	  cp -R "$$src/pkg/app" "$$src/pkg/errors" build/slim/goapp/pkg/
	chmod -R u+w build/slim
	cd build/slim/goapp/pkg/app && rm http.go resource.go route.go crypto.go state.go *_test.go
	cp cmd/wasm/goapp/stub.go cmd/wasm/goapp/pace.go build/slim/goapp/pkg/app/
	sed -i.old 's/engine\.Start(120)/engine.run()/' build/slim/goapp/pkg/app/app.go && \
	  grep -q 'engine\.run()' build/slim/goapp/pkg/app/app.go
	cp cmd/wasm/goapp/errors/plain.go build/slim/goapp/pkg/errors/
	cp -R cmd/wasm/goapp/json cmd/wasm/goapp/url cmd/wasm/goapp/uuid build/slim/goapp/pkg/
	sed -i.old -e 's|"encoding/json"|"$(GOAPP)/pkg/json"|' -e 's|"net/url"|"$(GOAPP)/pkg/url"|' \
	  -e 's|"github.com/google/uuid"|"$(GOAPP)/pkg/uuid"|' build/slim/goapp/pkg/app/*.go build/slim/goapp/pkg/errors/*.go
	cp go.sum build/slim/ && cp go.mod $@.tmp
	go mod edit -replace=$(GOAPP)=./build/slim/goapp $@.tmp && mv $@.tmp $@

FORCE:

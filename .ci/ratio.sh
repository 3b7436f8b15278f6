#!/usr/bin/env bash
# ratio.sh [ROUNDS] prints how much longer the engine takes in WebAssembly (Node)
# than native, for the benchmarks Year and Month of calc. It is processor time, so
# that a busy machine does little harm: of many passes less that of few, without
# the start and without what V8 takes to compile; the two in turn, the least of
# several rounds. It fails when wasm
# takes more than two and a half times as long. TestEngineIsHalfAsFastAsNative
# of e2e measures the same in Chromium, whose V8 is younger than Node's.
set -euo pipefail
cd "$(dirname "$0")/../calc"
rounds=${1:-3}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
go test -c -o "$dir/native" .
GOOS=js GOARCH=wasm go test -c -o "$dir/wasm.test" .
exec="$(go env GOROOT)/lib/wasm/go_js_wasm_exec"
native() { "$dir/native" "$@"; }
wasm() { "$exec" "$dir/wasm.test" "$@"; }
export GOMAXPROCS=1

# user HOW NAME PASSES prints seconds of processor time.
user() {
	local TIMEFORMAT=%U
	{ time "$1" -test.run '^$' -test.bench "$2\$" -test.benchtime "$3x" >/dev/null 2>&1; } 2>&1
}

for ((i = 0; i < rounds; i++)); do
	for how in native wasm; do
		for name in Year Month; do
			few=20 many=100
			if [ "$name" = Month ]; then few=1000 many=6000; fi
			echo "$how $name $((many - few)) $(user "$how" "$name" "$few") $(user "$how" "$name" "$many")"
		done
	done
done | awk '
	{
		key = $1 " " $2; passes[key] = $3
		if (!(key in few) || $4 < few[key]) few[key] = $4
		if (!(key in many) || $5 < many[key]) many[key] = $5
	}
	END {
		for (key in few) ms[key] = (many[key] - few[key]) / passes[key] * 1000
		split("Year Month", names)
		for (i = 1; i <= 2; i++) {
			n = ms["native " names[i]]; w = ms["wasm " names[i]]
			if (n <= 0 || w <= 0) { print "no result for " names[i]; exit 1 }
			printf "%-6s native %6.2f ms   wasm %6.2f ms   1/%.2f\n", names[i], n, w, w / n
			if (w > 2.5 * n) slow = 1
		}
		exit slow
	}'

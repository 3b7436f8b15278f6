#!/bin/sh
# need.sh TOOL prints the path of chromium, node or npm. If it is not there, it is
# installed with apt-get where that may be done; else it says what to do and
# fails. Everything but the path goes to standard error.
set -eu

say() { echo "need.sh: $*" >&2; }

find_chromium() {
	if [ -n "${CHROMIUM:-}" ]; then
		command -v "$CHROMIUM" && return
		say "CHROMIUM=$CHROMIUM: no such program"
		exit 1
	fi
	for name in chromium chromium-browser google-chrome google-chrome-stable; do
		command -v "$name" && return
	done
	return 1
}

find_node() {
	command -v node || command -v nodejs
}

find_npm() {
	command -v npm
}

case "${1:-}" in
chromium) package="chromium fonts-dejavu-core" what="the browser tests" hint="install Chromium or Chrome, or set CHROMIUM to its path" ;;
node) package=nodejs what="the engine's tests in wasm" hint="install Node.js 18 or later" ;;
npm) package=npm what="the accessibility tests" hint="install npm" ;;
*)
	say "usage: need.sh chromium|node|npm"
	exit 2
	;;
esac
"find_$1" && exit

say "$1 is not installed; $what need it"
if ! command -v apt-get >/dev/null; then
	say "there is no apt-get here: $hint"
	exit 1
fi
if [ "$(id -u)" = 0 ]; then
	root=
elif sudo -n true 2>/dev/null; then
	root="sudo -n"
else
	say "installing it needs root, and sudo asks for a password: $hint (apt-get install $package)"
	exit 1
fi

say "installing $package with apt-get"
export DEBIAN_FRONTEND=noninteractive
install() { $root apt-get install -y --no-install-recommends $package >&2; }
install </dev/null || { $root apt-get update >&2 && install </dev/null; } || {
	say "apt-get could not install $package: $hint"
	exit 1
}
"find_$1" && exit
say "$package is installed, but there is no $1 in PATH: $hint"
exit 1

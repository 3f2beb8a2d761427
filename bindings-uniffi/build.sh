#!/usr/bin/env bash
# Builds the library and writes the Kotlin and Swift sources for it into bindings-uniffi/build:
# kotlin/, swift/ and lib/. Needs Rust, nothing else.
#   build.sh            for tests: the profile everything else in the workspace is built in
#   build.sh release    for packages; further arguments go to cargo, such as --target TRIPLE
set -euo pipefail
cd "$(dirname "$0")/.."
profile="${1:-debug}"
[ $# -eq 0 ] || shift
out=bindings-uniffi/build
top="${CARGO_TARGET_DIR:-target}"

# The whole workspace: one choice of features, so that dependencies are compiled once. The sources
# are always written from this library: a release has no symbols left to read them from.
cargo build -q --workspace --lib --bin mcpbolt-bindgen

named() { # the library of that kind in a folder, by the name of the platform
  local file
  for file in libmcpbolt_uniffi.so libmcpbolt_uniffi.dylib mcpbolt_uniffi.dll; do
    if [ -f "$1/$file" ]; then echo "$1/$file"; return; fi
  done
  echo "no library in $1" >&2
  return 1
}

# A new file, and only for a new one: a process that has the old one loaded keeps it, and what is
# compiled from sources is not compiled again.
place() {
  mkdir -p "$(dirname "$2")"
  if ! cmp -s "$1" "$2"; then rm -f "$2"; cp "$1" "$2"; fi
}

read_from="$(named "$top/debug")"
fresh="$out/fresh"
rm -rf "$fresh"
"$top/debug/mcpbolt-bindgen" "$read_from" bindings-uniffi/uniffi.toml "$fresh"
(cd "$fresh" && find . -type f) | while read -r file; do place "$fresh/$file" "$out/$file"; done
rm -rf "$fresh"

case "$profile" in
  debug) built="$read_from" ;;
  release)
    # Of this crate alone: what only tests switch on does not belong into packages.
    cargo build -q --release --locked --lib -p mcpbolt-uniffi --target-dir "$top/packages" "$@"
    folder="$top/packages/release"
    while [ $# -gt 0 ]; do
      if [ "$1" = --target ]; then folder="$top/packages/$2/release"; fi
      shift
    done
    built="$(named "$folder")"
    ;;
  *) echo "usage: build.sh [debug | release [cargo's arguments]]" >&2; exit 2 ;;
esac
place "$built" "$out/lib/$(basename "$built")"

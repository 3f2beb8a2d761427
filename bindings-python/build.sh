#!/usr/bin/env bash
# Builds the extension into the package, so that PYTHONPATH=bindings-python/python works.
set -euo pipefail
cd "$(dirname "$0")/.."
# The whole workspace: one choice of features, so that dependencies are compiled once. Those
# without switch on no feature that the others do not.
cargo build -q --workspace --lib --exclude mcpbolt-attacks --exclude mcpbolt-generate --exclude mcpbolt-uniffi
target="${CARGO_TARGET_DIR:-target}/debug"
if [ -f "$target/lib_mcpbolt.dylib" ]; then built="$target/lib_mcpbolt.dylib"; else built="$target/lib_mcpbolt.so"; fi
placed=bindings-python/python/mcpbolt/_mcpbolt.abi3.so
# A new file, and only for a new build: a process that has the old one loaded keeps it.
if ! cmp -s "$built" "$placed"; then
  rm -f "$placed"
  cp "$built" "$placed"
fi

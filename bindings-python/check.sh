#!/usr/bin/env bash
# Builds the extension and runs check.py with the system's Python.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo build -q -p mcpbolt-python
target="${CARGO_TARGET_DIR:-target}/debug"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
if [ -f "$target/lib_mcpbolt.dylib" ]; then built="$target/lib_mcpbolt.dylib"; else built="$target/lib_mcpbolt.so"; fi
cp "$built" "$folder/_mcpbolt.abi3.so"
PYTHONPATH="$folder" timeout 120 python3 bindings-python/check.py

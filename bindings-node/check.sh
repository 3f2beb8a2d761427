#!/usr/bin/env bash
# Builds the addon and runs check.mjs with the system's Node.
set -euo pipefail
cd "$(dirname "$0")/.."
# The whole workspace: one choice of features, so that dependencies are compiled once.
cargo build -q --workspace --lib
target="${CARGO_TARGET_DIR:-target}/debug"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
if [ -f "$target/libmcpbolt_node.dylib" ]; then built="$target/libmcpbolt_node.dylib"; else built="$target/libmcpbolt_node.so"; fi
cp "$built" "$folder/mcpbolt.node"
MCPBOLT_ADDON="$folder/mcpbolt.node" timeout 120 node bindings-node/check.mjs

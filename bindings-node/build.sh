#!/usr/bin/env bash
# Builds the addon and the package into bindings-node/dist; programs anywhere in the checkout then
# import `mcpbolt`, and what the tests compare it with.
# MCPBOLT_NODE_TOOLS: a folder with what tools/package.json pins, installed; made in .cache otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
tools="${MCPBOLT_NODE_TOOLS:-}"
if [ -z "$tools" ]; then
  pin="$(cat bindings-node/tools/package.json bindings-node/tools/package-lock.json | cksum | cut -d ' ' -f 1)"
  tools="$PWD/.cache/node-tools-$pin"
  if [ ! -f "$tools/.done" ]; then
    mkdir -p "$tools"
    cp bindings-node/tools/package.json bindings-node/tools/package-lock.json bindings-node/tools/.npmrc "$tools"
    (cd "$tools" && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error)
    touch "$tools/.done"
  fi
fi
# Node looks for packages in the folders above a program, and so does the compiler.
ln -sfn "$PWD/bindings-node" "$tools/node_modules/mcpbolt"
ln -sfn "$tools/node_modules" node_modules
# The whole workspace: one choice of features, so that dependencies are compiled once. Those
# without switch on no feature that the others do not.
cargo build -q --workspace --lib --exclude mcpbolt-attacks --exclude mcpbolt-generate --exclude mcpbolt-uniffi
target="${CARGO_TARGET_DIR:-target}/debug"
if [ -f "$target/libmcpbolt_node.dylib" ]; then built="$target/libmcpbolt_node.dylib"; else built="$target/libmcpbolt_node.so"; fi
MCPBOLT_NODE_TOOLS="$tools" node bindings-node/build.mjs "$built"

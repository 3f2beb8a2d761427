#!/usr/bin/env bash
# Builds the addon and the package into bindings-node/dist; programs anywhere in the checkout then
# import `mcpbolt`, and what the tests compare it with.
#   build.sh            the addon in the release profile: optimised, stripped
#   build.sh --debug    for tests: the profile everything else in the workspace is built in
# MCPBOLT_NODE_TOOLS: a folder with what tools/package.json pins, installed; made in .cache otherwise.
set -euo pipefail
cd "$(dirname "$0")/.."
profile=release
case "${1:-}" in
  '' | --release) ;;
  --debug) profile=debug ;;
  *) echo "usage: build.sh [--release | --debug]" >&2; exit 2 ;;
esac
top="${CARGO_TARGET_DIR:-target}"
if [ "$profile" = release ]; then
  echo "Building mcpbolt for Node into bindings-node/dist: the engine in Rust (about 3 to 7 minutes on 2 cores, seconds when nothing changed), then the JavaScript package (10 seconds)." >&2
fi
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
if [ "$profile" = release ]; then
  # Of this crate alone: nothing is compiled that it does not need, and what only tests switch on
  # does not belong into it. In the folder where packages are built (pack.mjs), so that the
  # other choice of features is not compiled again for the next test.
  cargo build --release --locked --lib -p mcpbolt-node --target-dir "$top/bench"
  target="$top/bench/release"
else
  # The whole workspace: one choice of features, so that dependencies are compiled once. Those
  # without switch on no feature that the others do not.
  cargo build -q --workspace --lib --exclude mcpbolt-attacks --exclude mcpbolt-generate --exclude mcpbolt-uniffi
  target="$top/debug"
fi
if [ -f "$target/libmcpbolt_node.dylib" ]; then built="$target/libmcpbolt_node.dylib"; else built="$target/libmcpbolt_node.so"; fi
MCPBOLT_NODE_TOOLS="$tools" node bindings-node/build.mjs "$built"

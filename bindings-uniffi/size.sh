#!/usr/bin/env bash
# What a phone downloads: the library for clients (TLS inside, servers of the same process, no HTTP
# server), built for size and stripped. Fails when it is too large. Takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
most=4000000
target="${CARGO_TARGET_DIR:-target}/packages"
cargo build -q --locked --profile small --no-default-features --lib -p mcpbolt-uniffi --target-dir "$target"
bytes="$(wc -c < "$target/small/libmcpbolt_uniffi.so")"
echo "$bytes bytes, at most $most"
[ "$bytes" -lt "$most" ]

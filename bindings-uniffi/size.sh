#!/usr/bin/env bash
# What a phone downloads: the library for clients (TLS inside, servers of the same process, no HTTP
# server), built for size and stripped. 4,000,000 bytes are the aim; half of what is above it is
# JSON Schema with its regular expressions. Fails when it grows. Takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
aim=4000000 most=8000000
target="${CARGO_TARGET_DIR:-target}/packages"
cargo build -q --locked --profile small --no-default-features --lib -p mcpbolt-uniffi --target-dir "$target"
bytes="$(wc -c < "$target/small/libmcpbolt_uniffi.so")"
echo "$bytes bytes, at most $most, the aim is $aim"
[ "$bytes" -lt "$most" ]

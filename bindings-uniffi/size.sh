#!/usr/bin/env bash
# What a phone downloads: the library for clients (TLS inside, servers of the same process, no HTTP
# server, no stores in files), built for size and stripped. 8,000,000 bytes, and 4,000,000 as stores
# send it, deflated, are the aim; signing in, tasks and extensions have taken it beyond. A seventh of
# it is JSON Schema with its regular expressions, another what unwinding reads. Fails when it grows.
# Takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
most=9150000 most_sent=4100000
target="${CARGO_TARGET_DIR:-target}/packages"
cargo build -q --locked --profile small --no-default-features --features jni --lib -p mcpbolt-uniffi --target-dir "$target"
library="$target/small/libmcpbolt_uniffi.so"
bytes="$(wc -c < "$library")"
sent="$(gzip -9 -c "$library" | wc -c)"
echo "$bytes bytes, at most $most; deflated $sent, at most $most_sent"
[ "$bytes" -lt "$most" ] && [ "$sent" -lt "$most_sent" ]

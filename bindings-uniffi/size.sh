#!/usr/bin/env bash
# What a phone downloads: the library for clients (TLS inside, servers of the same process, no HTTP
# server), built for size and stripped. 4,000,000 bytes are what it may weigh as stores send it,
# deflated; unpacked it is twice that, a fifth of it JSON Schema with its regular expressions. Fails
# when either grows. Takes minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
most=8000000 most_sent=4000000
target="${CARGO_TARGET_DIR:-target}/packages"
cargo build -q --locked --profile small --no-default-features --lib -p mcpbolt-uniffi --target-dir "$target"
library="$target/small/libmcpbolt_uniffi.so"
bytes="$(wc -c < "$library")"
sent="$(gzip -9 -c "$library" | wc -c)"
echo "$bytes bytes, at most $most; deflated $sent, at most $most_sent"
[ "$bytes" -lt "$most" ] && [ "$sent" -lt "$most_sent" ]

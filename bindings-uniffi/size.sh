#!/usr/bin/env bash
# What a phone downloads: the library for clients (TLS inside, servers of the same process; no HTTP
# server, no stores in files, no JSON Schema), built for size and stripped. 8,000,000 bytes, and
# 4,000,000 as stores send it, deflated, are the aim; fails long before that, when it grows. Linked as for
# Android, which takes the compiler's own lld: on Linux on x86-64. Takes minutes.
source "$(dirname "$0")/packaging/common.sh"
most=6400000 most_sent=3150000
cargo rustc -q --locked --profile small --no-default-features --features jni --lib -p mcpbolt-uniffi \
  --target-dir "$target" --crate-type cdylib -- "${packed[@]}"
library="$target/small/libmcpbolt_uniffi.so"
bytes="$(wc -c < "$library")"
sent="$(gzip -9 -c "$library" | wc -c)"
echo "$bytes bytes, at most $most; deflated $sent, at most $most_sent"
[ "$bytes" -lt "$most" ] && [ "$sent" -lt "$most_sent" ]

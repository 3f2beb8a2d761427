#!/usr/bin/env bash
# Packs our jar and compiles the programs of this folder, ours and the official package's:
#   build.sh OUT LIBRARY OFFICIAL
# OUT: where jvm/ (the jar), mcpbolt/ and official/ (classes) come. LIBRARY: a folder with ours, named
# as JNA names this platform. OFFICIAL: a folder with the jars that pom.xml names. Needs Rust, a JDK.
here="$(cd "$(dirname "$0")" && pwd)"
source "$here/../../../bindings-uniffi/kotlin/common.sh"
[ $# -eq 3 ] || { echo "usage: build.sh OUT LIBRARY OFFICIAL" >&2; exit 2; }
facade="$out"
out="$1"
MCPBOLT_KOTLIN_JARS="$jars" ./build.sh
stamp="$(stamp_of "$here" "$facade/main.stamp" "$2")"
[ "$(cat "$out/stamp" 2> /dev/null)" != "$stamp" ] || exit 0
rm -rf "$out/mcpbolt" "$out/official"
MCPBOLT_PACKAGES="$out" bash ../packaging/jvm.sh "$facade/main" "$2" > /dev/null
compile -cp "$facade/main:$all" -d "$out/mcpbolt" "$here/shared" "$here/mcpbolt"
compile -cp "$(printf '%s:' "$3"/*.jar)" -d "$out/official" "$here/shared" "$here/official"
echo "$stamp" > "$out/stamp"

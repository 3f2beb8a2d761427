#!/usr/bin/env bash
# Compiles the facade, the types and the engine's sources into target/kotlin/main. Needs Rust, a JDK, Maven.
source "$(dirname "$0")/common.sh"
../build.sh
stamp="$(stamp_of src/main src/generated "$engine/kotlin" pom.xml)"
[ "$(cat "$out/main.stamp" 2> /dev/null)" != "$stamp" ] || exit 0
rm -rf "$out/main"
compile -cp "$all" -d "$out/main" src/main src/generated "$engine/kotlin"
echo "$stamp" > "$out/main.stamp"

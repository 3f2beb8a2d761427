#!/usr/bin/env bash
# Compiles what stands on Ktor into target/kotlin/ktor, beside the facade that build.sh makes. Needs what that needs.
source "$(dirname "$0")/common.sh"
MCPBOLT_KOTLIN_JARS="$jars" ./build.sh
ktor="${MCPBOLT_KTOR_JARS:-$(fetched ktor-jars ktor/pom.xml)}"
stamp="$(stamp_of src/main src/generated src/ktor "$engine/kotlin" pom.xml ktor/pom.xml)"
[ "$(cat "$out/ktor.stamp" 2> /dev/null)" != "$stamp" ] || exit 0
rm -rf "$out/ktor"
# Of one version with the facade, whose inner parts it may use.
compile -module-name mcpbolt-ktor -Xfriend-paths="$out/main" -cp "$out/main:$all$(printf '%s:' "$ktor"/*.jar)" -d "$out/ktor" src/ktor
echo "$stamp" > "$out/ktor.stamp"

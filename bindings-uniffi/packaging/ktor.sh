#!/usr/bin/env bash
# The jar of what stands on Ktor; maven.sh says of it what it needs:
#   ktor.sh CLASSES
# CLASSES: what kotlin/build-ktor.sh compiled (target/kotlin/ktor). Ends in build/ktor. Needs a JDK.
source "$(dirname "$0")/common.sh"
need jar "it is part of the JDK"
[ $# -eq 1 ] || { echo "usage: ktor.sh CLASSES" >&2; exit 2; }
out="$packages/ktor"
rm -rf "$out"
mkdir -p "$out"
manifest="$out/MANIFEST"
printf 'Implementation-Title: mcpbolt-ktor\nImplementation-Version: %s\nAutomatic-Module-Name: dev.mcpbolt.ktor\n' "$version" > "$manifest"
jar --create --file "$out/mcpbolt-ktor-$version.jar" --manifest "$manifest" -C "$1" . \
  -C bindings-uniffi LICENSE-MIT -C bindings-uniffi LICENSE-APACHE
echo "$out/mcpbolt-ktor-$version.jar"

#!/usr/bin/env bash
# The jar for the JVM, with native libraries inside where JNA looks for them:
#   jvm.sh CLASSES [LIBRARIES...]
# CLASSES: the compiled facade and generated sources. LIBRARIES: folders named as JNA names
# platforms (linux-x86-64, linux-aarch64, darwin-aarch64, darwin-x86-64, win32-x86-64), each with
# the library that `build.sh release` made there; without any, this platform's is built.
# Ends in build/jvm. Needs Rust and a JDK.
source "$(dirname "$0")/common.sh"
need jar "it is part of the JDK"
[ $# -ge 1 ] || { echo "usage: jvm.sh CLASSES [LIBRARIES...]" >&2; exit 2; }
classes="$1"
shift
stage="$packages/jvm/natives"
rm -rf "$packages/jvm"
mkdir -p "$stage"

if [ $# -eq 0 ]; then
  bash bindings-uniffi/build.sh release
  mkdir "$stage/$(platform)"
  cp "$built"/lib/*mcpbolt_uniffi.* "$stage/$(platform)/"
else
  cp -R "$@" "$stage/"
fi
manifest="$packages/jvm/MANIFEST"
printf 'Implementation-Title: mcpbolt\nImplementation-Version: %s\nAutomatic-Module-Name: dev.mcpbolt\n' \
  "$version" > "$manifest"
out="$packages/jvm/mcpbolt-$version.jar"
jar --create --file "$out" --manifest "$manifest" -C "$classes" . -C "$stage" . \
  -C bindings-uniffi LICENSE-MIT -C bindings-uniffi LICENSE-APACHE
echo "$out"

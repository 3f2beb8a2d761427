#!/usr/bin/env bash
# Compiles the facade, its tests, and programs as users compile theirs, and runs them.
# With MCPBOLT_TEST_FULL the tests for leaks make ten times the calls.
source "$(dirname "$0")/common.sh"
ktor="${MCPBOLT_KTOR_JARS:-$(fetched ktor-jars ktor/pom.xml)}"
MCPBOLT_KOTLIN_JARS="$jars" MCPBOLT_KTOR_JARS="$ktor" ./build-ktor.sh
# Ktor's first: the compiler's folder has an older kotlin-reflect, which is only the compiler's.
with_ktor="$out/ktor:$out/main:$(printf '%s:' "$ktor"/*.jar)$all"
rm -rf "$out/tests" "$out/text" "$out/programs"
mkdir -p "$out/text"
compile "$(serializers)" -Xfriend-paths="$out/main,$out/ktor" -cp "$with_ktor" -d "$out/tests" src/test src/ktor-test "$root/examples/kotlin/phone"
# Programs for the official package: other imports, else the same text.
for program in src/programs/*.kt.txt; do
  sed -e 's/^import io\.modelcontextprotocol\.kotlin\.sdk\..*\.\([A-Za-z]*\)$/import dev.mcpbolt.\1/' "$program" > "$out/text/$(basename "$program" .txt)"
done
# Each name of the official package that is here, imported.
awk -F: '/: / || !/^(type|fun|val) / { next } { split($1, words, " "); name = words[2]; n++
  if (name ~ /\./) print "private typealias N" n " = dev.mcpbolt." name; else print "import dev.mcpbolt." name " as N" n }' official-names.txt |
  { echo 'package program.names'; sort; } > "$out/text/names.kt"
# That they are programs for the official package, it says itself: a folder with its jar and what that needs.
official=''
if [ -n "${MCPBOLT_KOTLIN_OFFICIAL:-}" ]; then
  rm -rf "$out/official" "$out/official-text"
  mkdir -p "$out/official-text"
  for program in src/programs/*.kt.txt; do
    cp "$program" "$out/official-text/$(basename "$program" .txt)"
  done
  theirs="$(printf '%s:' "$MCPBOLT_KOTLIN_OFFICIAL"/*.jar)"
  compile -cp "$theirs" -d "$out/official" "$out/official-text"
  official="$out/official:$theirs"
fi
# The examples are compiled as by a program that has no kotlinx-io, no OpenTelemetry and no Ktor.
without="$(printf '%s:' "$jars"/*.jar | sed -E 's/[^:]*(kotlinx-io|opentelemetry)-[^:]*://g')"
compile -cp "$out/main:$without" -d "$out/programs" "$root/examples/kotlin"
compile -cp "$with_ktor" -d "$out/programs" "$out/text"
# All of the heap is there from the start and malloc's pools are few, so that what grows is a leak.
export MALLOC_ARENA_MAX=2
tests() { # options of Java's before --, of the runner's after it
  local options=()
  while [ "$1" != -- ]; do options+=("$1"); shift; done
  shift
  timeout "$([ -n "${MCPBOLT_TEST_FULL:-}" ] && echo 2400 || echo 600)" java -XX:TieredStopAtLevel=1 -Xms512m -Xmx512m -XX:+AlwaysPreTouch -XX:+UseSerialGC "-Djna.library.path=$engine/lib" "-Dmcpbolt.programs=$out/programs" "-Dmcpbolt.names=$PWD/official-names.txt" ${official:+"-Dmcpbolt.official=$official"} "${options[@]}" \
    -cp "$out/tests:$with_ktor" org.junit.platform.console.ConsoleLauncher execute "$@" \
    --disable-banner --disable-ansi-colors --details=summary --fail-if-no-tests
}
tests -- --scan-class-path "$out/tests"
# What a library without native methods is driven by.
tests -Ddev.mcpbolt.boundary=uniffi -- --select-class dev.mcpbolt.InboxCallsTest --select-class dev.mcpbolt.BoundaryTest

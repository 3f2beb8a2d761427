#!/usr/bin/env bash
# Compiles the facade, its tests, and programs as users compile theirs, and runs them.
# With MCPBOLT_TEST_FULL the tests for leaks make ten times the calls.
source "$(dirname "$0")/common.sh"
MCPBOLT_KOTLIN_JARS="$jars" ./build.sh
rm -rf "$out/tests" "$out/text" "$out/programs"
mkdir -p "$out/text"
compile "$(serializers)" -Xfriend-paths="$out/main" -cp "$out/main:$all" -d "$out/tests" src/test "$root/examples/kotlin/phone"
# Programs for the official package: other imports, else the same text. What they do with Ktor is in a file of their own.
for program in src/programs/*.kt.txt; do
  name="$(basename "$program" .kt.txt)"
  case "$name" in *_own) continue ;; esac
  {
    sed -e '/^import io\.ktor\./d' -e '/^import io\.modelcontextprotocol\..*\.mcpStreamableHttp$/d' \
      -e 's/^import io\.modelcontextprotocol\.kotlin\.sdk\..*\.\([A-Za-z]*\)$/import dev.mcpbolt.\1/' -e '/^\/\/ Ktor/,$d' "$program"
    [ ! -f "src/programs/${name}_own.kt.txt" ] || cat "src/programs/${name}_own.kt.txt"
  } > "$out/text/$name.kt"
done
# Each name of the official package that is here, imported.
awk -F: '/: / || !/^(type|fun|val) / { next } { split($1, words, " "); name = words[2]; n++
  if (name ~ /\./) print "private typealias N" n " = dev.mcpbolt." name; else print "import dev.mcpbolt." name " as N" n }' official-names.txt |
  { echo 'package program.names'; sort; } > "$out/text/names.kt"
# That they are programs for the official package, it says itself: a folder with its jar and what that needs.
if [ -n "${MCPBOLT_KOTLIN_OFFICIAL:-}" ]; then
  rm -rf "$out/official" "$out/official-text"
  mkdir -p "$out/official-text"
  for program in src/programs/*.kt.txt; do
    case "$program" in *_own.kt.txt) ;; *) cp "$program" "$out/official-text/$(basename "$program" .txt)" ;; esac
  done
  compile -cp "$(printf '%s:' "$MCPBOLT_KOTLIN_OFFICIAL"/*.jar)" -d "$out/official" "$out/official-text"
fi
# The examples are compiled as by a program that has no kotlinx-io.
without="$(printf '%s:' "$jars"/*.jar | sed 's/[^:]*kotlinx-io-[^:]*://g')"
compile -cp "$out/main:$without" -d "$out/programs" "$root/examples/kotlin"
compile -cp "$out/main:$all" -d "$out/programs" "$out/text"
# All of the heap is there from the start and malloc's pools are few, so that what grows is a leak.
export MALLOC_ARENA_MAX=2
timeout "$([ -n "${MCPBOLT_TEST_FULL:-}" ] && echo 2400 || echo 600)" java -XX:TieredStopAtLevel=1 -Xms512m -Xmx512m -XX:+AlwaysPreTouch -XX:+UseSerialGC "-Djna.library.path=$engine/lib" "-Dmcpbolt.programs=$out/programs" "-Dmcpbolt.names=$PWD/official-names.txt" \
  -cp "$out/tests:$out/main:$jars/*" org.junit.platform.console.ConsoleLauncher execute --scan-class-path "$out/tests" \
  --disable-banner --disable-ansi-colors --details=summary --fail-if-no-tests

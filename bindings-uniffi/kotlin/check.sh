#!/usr/bin/env bash
# Compiles the facade, its tests, and programs as users compile theirs, and runs them.
# With MCPBOLT_TEST_FULL the tests for leaks make ten times the calls.
source "$(dirname "$0")/common.sh"
MCPBOLT_KOTLIN_JARS="$jars" ./build.sh
rm -rf "$out/tests" "$out/text" "$out/programs"
mkdir -p "$out/text"
compile -Xfriend-paths="$out/main" -cp "$out/main:$all" -d "$out/tests" src/test
# A program for the official package: other imports, other transports, else the same text.
{
  sed -e '/^import kotlinx\.io\./d' -e 's/^import io\.modelcontextprotocol\.kotlin\.sdk\..*\.\([A-Za-z]*\)$/import dev.mcpbolt.\1/' \
    -e '/^\/\/ Transports/,$d' src/programs/official_program.kt.txt
  cat src/programs/own_transports.kt.txt
} > "$out/text/OfficialProgram.kt"
compile -cp "$out/main:$all" -d "$out/programs" "$out/text" "$root/examples/kotlin"
# All of the heap is there from the start and malloc's pools are few, so that what grows is a leak.
export MALLOC_ARENA_MAX=2
timeout "$([ -n "${MCPBOLT_TEST_FULL:-}" ] && echo 2400 || echo 600)" java -XX:TieredStopAtLevel=1 -Xms512m -Xmx512m -XX:+AlwaysPreTouch -XX:+UseSerialGC "-Djna.library.path=$engine/lib" "-Dmcpbolt.programs=$out/programs" \
  -cp "$out/tests:$out/main:$jars/*" org.junit.platform.console.ConsoleLauncher execute --scan-class-path "$out/tests" \
  --disable-banner --disable-ansi-colors --details=summary --fail-if-no-tests

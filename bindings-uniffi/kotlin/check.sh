#!/usr/bin/env bash
# Compiles the facade with its tests, then the programs as users compile theirs, and runs both.
# MCPBOLT_KOTLIN_JARS: a folder with what tools/pom.xml names; made in .cache otherwise.
# With MCPBOLT_TEST_FULL the tests for leaks make ten times the calls.
set -euo pipefail
cd "$(dirname "$0")"
root="$(cd ../.. && pwd)"
engine="$root/bindings-uniffi/build"
[ -n "${MCPBOLT_TEST_BUILT:-}" ] || ../build.sh
jars="${MCPBOLT_KOTLIN_JARS:-}"
if [ -z "$jars" ]; then
  jars="$root/.cache/kotlin-tools-$(cksum < tools/pom.xml | cut -d ' ' -f 1)"
  [ -f "$jars/.done" ] || { mvn -q -B -ntp -f tools/pom.xml dependency:copy-dependencies "-DoutputDirectory=$jars" && touch "$jars/.done"; }
fi
out="$root/target/kotlin"
rm -rf "$out"
mkdir -p "$out/text"
# Once a compiler runs at all, the second stage of the JIT costs more than it saves.
compile() { timeout 600 java -Xmx1500m -XX:TieredStopAtLevel=1 -cp "$jars/*" org.jetbrains.kotlin.cli.jvm.K2JVMCompiler -no-stdlib -no-reflect -Werror -jvm-target 11 "$@"; }
compile -cp "$(echo "$jars"/*.jar | tr ' ' ':')" -nowarn -d "$out/classes" src/main src/generated src/test "$engine/kotlin"
# A program for the official package: other imports, other transports, else the same text.
{
  sed -e '/^import kotlinx\.io\./d' -e 's/^import io\.modelcontextprotocol\.kotlin\.sdk\..*\.\([A-Za-z]*\)$/import dev.mcpbolt.\1/' \
    -e '/^\/\/ Transports/,$d' src/programs/official_program.kt.txt
  cat src/programs/own_transports.kt.txt
} > "$out/text/OfficialProgram.kt"
compile -cp "$out/classes:$(echo "$jars"/*.jar | tr ' ' ':')" -d "$out/programs" "$out/text" "$root/examples/kotlin"
timeout "$([ -n "${MCPBOLT_TEST_FULL:-}" ] && echo 1800 || echo 300)" java -Xmx512m "-Djna.library.path=$engine/lib" "-Dmcpbolt.programs=$out/programs" \
  -cp "$out/classes:$jars/*" org.junit.platform.console.ConsoleLauncher execute --scan-class-path "$out/classes" \
  --disable-banner --disable-ansi-colors --details=none --fail-if-no-tests

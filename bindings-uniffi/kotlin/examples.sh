#!/usr/bin/env bash
# Compiles the facade, the examples, the server of tests/attacks and the client of tests/auth, and writes a command for each
# large one into target/kotlin/bin: everything-server, everything-client, interop-client, notes-server, demo-client,
# attacked-server, auth-client, colours.
source "$(dirname "$0")/common.sh"
MCPBOLT_KOTLIN_JARS="$jars" ./build.sh
sources=("$root/examples/kotlin" "$root/tests/attacks/programs/kotlin" "$root/tests/auth/kotlin")
stamp="$(stamp_of "${sources[@]}" "$out/main.stamp")"
if [ "$(cat "$out/examples.stamp" 2> /dev/null)" != "$stamp" ]; then
  rm -rf "$out/examples" "$out/bin"
  compile -cp "$out/main:$all" -d "$out/examples" "${sources[@]}"
fi
mkdir -p "$out/bin"
# A program of its own for each, as packages have it: whoever starts a server hands down little of its environment. Without
# a locale Java would know no file name beyond ASCII.
for one in everything-server:everything.EverythingServerKt everything-client:everything.EverythingClientKt interop-client:interop.InteropClientKt \
  notes-server:notes.NotesServerKt demo-client:demo.DemoClientKt attacked-server:attacked.AttackedKt auth-client:auth.AuthClientKt colours:colours.ColoursKt; do
  {
    echo '#!/bin/sh'
    echo 'export LC_ALL=C.UTF-8'
    printf "exec java -XX:TieredStopAtLevel=1 -XX:+UseSerialGC '-Djna.library.path=%s' -cp '%s' examples.%s \"\$@\"\n" \
      "$engine/lib" "$out/examples:$out/main:$jars/*" "${one#*:}"
  } > "$out/bin/${one%%:*}"
  chmod +x "$out/bin/${one%%:*}"
done
echo "$stamp" > "$out/examples.stamp"

#!/usr/bin/env bash
# Uses the examples over both transports, where users would: use.sh FOLDER, with a command for each.
# MCPBOLT_TEST_COLOURS: the program of the same extension in another language.
set -euo pipefail
failed() { echo "    FAILED examples: $1"; exit 1; }

answer='answer: Rome: sun, 24 °C'
call=("$1/interop-client" --call get_forecast '{"city": "Rome"}')
[ "$("${call[@]}" -- "$1/weather-server")" = "$answer" ] || failed 'over stdio'
coproc SERVER { exec "$1/weather-server" --http 127.0.0.1:0 2>&1; }
# A handle of our own: bash lets go of its own when the server ends.
exec {said}<&"${SERVER[0]}"
server=$SERVER_PID
trap 'kill -9 $server 2> /dev/null || true' EXIT
read -r -t 20 line <&"$said" || failed 'a server does not say where it listens'
[ "$("${call[@]}" "${line#listening on }")" = "$answer" ] || failed 'over HTTP'
# The command is the program: who ends one ends the other.
kill "$server"
ended=0
read -r -t 20 line <&"$said" || ended=$?
[ $ended -eq 1 ] || failed 'a server that was told to end does not'

# The extension of the example, in one language and between two.
painted='depth 8: a purple sky, signed'
for peer in "$1/colours" ${MCPBOLT_TEST_COLOURS:+"$MCPBOLT_TEST_COLOURS"}; do
    [ "$("$1/colours" -- "$peer")" = "$painted" ] || failed "the extension, at $peer"
    [ "$("$peer" -- "$1/colours")" = "$painted" ] || failed "the extension, visited by $peer"
done

# What `cargo xtask demo` has them do, in either era.
folder=$(mktemp -d)
trap 'kill -9 $server 2> /dev/null || true; rm -rf "$folder" "$folder.log"' EXIT
for mode in 2026-07-28 legacy; do
    "$1/demo-client" --mode $mode --folder "$folder" -- "$1/notes-server" "$folder" > "$folder.log" 2>&1 \
        || { cat "$folder.log"; failed "notes, $mode"; }
done
echo "    examples: both transports"

#!/usr/bin/env bash
# Compiles the engine's module, the facade and the tests, and runs them. Called in a folder with
# `swift` (this package), `generated` and `lib` (of the engine) and `vectors`.
set -euo pipefail

out=$PWD/out
mkdir -p "$out"
clang=(-Xcc "-fmodule-map-file=$PWD/generated/MCPBoltEngineFFI.modulemap" -I generated -I "$out")
link=(-L lib -lmcpbolt_uniffi -Xlinker -rpath -Xlinker "$PWD/lib")
compile() { swiftc -parse-as-library "${clang[@]}" "$@"; }
module() { # NAME LANGUAGE-MODE FLAGS… -- SOURCES…
    compile -module-name "$1" -swift-version "$2" -wmo -emit-module -emit-module-path "$out/$1.swiftmodule" \
        -c -o "$out/$1.o" "${@:3}"
}

started=$SECONDS
# What is generated is not ready for the checks of Swift 6; what is written by hand is.
module MCPBoltEngine 5 -suppress-warnings generated/MCPBoltEngine.swift
module MCPBolt 6 -enable-testing -warnings-as-errors swift/Sources/MCPBolt/*.swift swift/Sources/MCPBolt/generated/*.swift
objects=("$out/MCPBolt.o" "$out/MCPBoltEngine.o")
compile -swift-version 6 -wmo -o "$out/tests" swift/Tests/*.swift "${objects[@]}" "${link[@]}"

sed -e 's/^import MCP$/import MCPBolt/' swift/Tests/official.swift.txt > "$out/official.swift"
compile -swift-version 6 -o "$out/official" "$out/official.swift" "${objects[@]}" "${link[@]}"
for example in examples/*.swift; do
    [ -e "$example" ] || continue
    name=$(basename "$example" .swift)
    compile -swift-version 6 -o "$out/$name" "$example" "${objects[@]}" "${link[@]}"
done
echo "    compiled in $((SECONDS - started)) s"

"$out/official" > "$out/official.txt" || { echo "    FAILED official_program: it ended with $?"; exit 1; }
if ! diff "$out/official.txt" swift/Tests/official.expected.txt; then
    echo "    FAILED official_program: it printed something else"
    exit 1
fi
MCPBOLT_VECTORS=vectors "$out/tests" "$@"

# The examples, over both transports.
answer='answer: Rome: sun, 24 °C'
call=("$out/interop-client" --call get_forecast '{"city": "Rome"}')
[ "$("${call[@]}" -- "$out/weather-server")" = "$answer" ] || { echo "    FAILED examples over stdio"; exit 1; }
"$out/weather-server" --http 127.0.0.1:0 2> "$out/weather.log" &
server=$!
trap 'kill $server' EXIT
for _ in $(seq 50); do grep -q listening "$out/weather.log" && break; sleep 0.1; done
url=$(sed -n 's/^listening on //p' "$out/weather.log")
[ "$("${call[@]}" "$url")" = "$answer" ] || { echo "    FAILED examples over HTTP"; exit 1; }
echo "    examples: both transports"

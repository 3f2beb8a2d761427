#!/usr/bin/env bash
# Takes the package for Linux, in the folder `linux`, into an empty SwiftPM project, as the README
# says, and runs the program that is printed there. Called in the folder that common.sh describes.
set -euo pipefail
readme=swift/README.md
wrong() { echo "    FAILED in an empty SwiftPM project: $1"; exit 1; }
printed() { # the indented block that begins with a line, without its indentation
    awk -v first="    $1" '$0 == first { on = 1 } on && !/^    / && NF { exit } on { sub(/^    /, ""); print }' "$readme"
}

project="$PWD/linux/app"
rm -rf "$project"
mkdir -p "$project/Sources/app"
printed '// swift-tools-version: 6.0' > "$project/Package.swift"
printed 'import MCPBolt' > "$project/Sources/app/main.swift"
says=$(sed -n 's/^`swift run` prints `\(.*\)`\.$/\1/p' "$readme")
cd "$project"
# The library of tests is not linked into programs.
export LD_LIBRARY_PATH="$PWD/../MCPBolt/lib"
swift build > build.log 2>&1 || { cat build.log; wrong 'it does not compile'; }
answer=$(timeout 60 .build/debug/app) || wrong 'the program fails'
[ "$answer" = "$says" ] || wrong "the program prints \"$answer\", and not \"$says\""
echo "    in an empty SwiftPM project: $answer"

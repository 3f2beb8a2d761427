#!/usr/bin/env bash
# Compiles the tests and runs them; the facade too, if it changed. See common.sh and readme.sh.
source "$(dirname "$0")/common.sh"

started=$SECONDS
program "$out/tests" swift/Tests/*.swift examples/phone/*.swift
sed -e 's/^import MCP$/import MCPBolt/' swift/Tests/official.swift.txt > "$out/official.swift"
program "$out/official" "$out/official.swift"
echo "    compiled in $((SECONDS - started)) s"

"$out/official" > "$out/official.txt" || { echo "    FAILED official_program: it ended with $?"; exit 1; }
if ! diff "$out/official.txt" swift/Tests/official.expected.txt; then
    echo "    FAILED official_program: it printed something else"
    exit 1
fi
bash swift/readme.sh
MCPBOLT_VECTORS=vectors "$out/tests" "$@"

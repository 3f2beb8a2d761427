#!/usr/bin/env bash
# Compiles the facade and each program of the examples into out/programs, where they changed. A
# program is examples/NAME.swift with a name in small letters, with the files of examples/NAME,
# if there are some, and with Common.swift. See common.sh.
source "$(dirname "$0")/common.sh"
mkdir -p "$out/programs"
for old in "$out/programs"/*; do
    [ -e "examples/$(basename "$old").swift" ] || rm -f "$old"
done
for example in examples/[a-z]*.swift; do
    name=$(basename "$example" .swift)
    sources=("$example" examples/Common.swift)
    [ ! -d "examples/$name" ] || sources+=("examples/$name"/*.swift)
    once "stamps/$name" "$facade $(stamp_of "${sources[@]}")" program "$out/programs/$name" "${sources[@]}"
done

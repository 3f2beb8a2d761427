#!/usr/bin/env bash
# Builds the programs of this folder in the release configuration into ../programs, if something of
# them, of the package in ../linux/MCPBolt or of the compiler has changed. Needs Swift.
set -euo pipefail
cd "$(dirname "$0")"
stamp="$(find . ../linux -type f -print0 | sort -z | xargs -0 cksum | cksum) $(swiftc --version 2> /dev/null | cksum)"
[ "$(cat ../stamp 2> /dev/null)" != "$stamp" ] || exit 0
rm -rf ../stamp ../programs
swift build -c release --scratch-path ../build > ../build.log 2>&1 || { cat ../build.log; exit 1; }
mkdir ../programs
cp ../build/release/server ../build/release/client ../programs/
echo "$stamp" > ../stamp

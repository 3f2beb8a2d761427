#!/usr/bin/env bash
# Compiles the programs of the official package's README against the facade: those of Tests/readme
# have to compile, those of Tests/readme/differs must not, for the reason that they name.
source "$(dirname "$0")/common.sh"
failed() { echo "    FAILED readme: $1"; exit 1; }
blocks() { cat "$@" | grep -c '^// block: '; }

texts=swift/Tests/readme
programs="$out/readme"
rm -rf "$programs"
mkdir -p "$programs/differs"
for text in "$texts"/*.swift.txt "$texts"/differs/*.swift.txt; do
    file=${text#"$texts"/}
    sed -e 's/^import MCP$/import MCPBolt/' "$text" > "$programs/${file%.txt}"
done
# What stands for other packages.
for package in Logging ServiceLifecycle; do
    module "$package" 6 "$programs/$package.swift"
    rm "$programs/$package.swift"
done

check() { compile -swift-version 6 -typecheck -suppress-warnings "$@"; }
check "$programs"/*.swift || failed 'a program of the README does not compile'
for program in "$programs"/differs/*.swift; do
    errors=$(check "$program" 2>&1) && failed "$(basename "$program") compiles: it belongs with the others"
    why=$(sed -n 's#^// differs: ##p' "$program")
    grep -qF "$why" <<< "$errors" || failed "$(basename "$program") fails for another reason: $errors"
done
compiled=$(blocks "$texts"/*.swift.txt)
echo "    readme: $compiled of $((compiled + $(blocks "$texts"/differs/*.swift.txt))) programs compile"

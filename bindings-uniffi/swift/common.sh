# What examples.sh and check.sh share: how Swift is compiled. They are called in a folder with
# `swift` (this package), `generated` and `lib` (of the engine), `examples` and `vectors`, and
# write into `out`.
set -euo pipefail

out=$PWD/out
mkdir -p "$out"
clang=(-Xcc "-fmodule-map-file=$PWD/generated/MCPBoltEngineFFI.modulemap" -I generated -I "$out")
objects=("$out/MCPBolt.o" "$out/MCPBoltEngine.o")
link=(-L lib -lmcpbolt_uniffi -Xlinker -rpath -Xlinker "$PWD/lib")
compile() { swiftc -parse-as-library "${clang[@]}" "$@"; }
program() { # FILE SOURCES…
    compile -swift-version 6 -wmo -o "$@" "${objects[@]}" "${link[@]}"
}
module() { # NAME LANGUAGE-MODE FLAGS… SOURCES…
    compile -module-name "$1" -swift-version "$2" -wmo -emit-module -emit-module-path "$out/$1.swiftmodule" \
        -c -o "$out/$1.o" "${@:3}"
}

# Changes with what the files of these places say.
stamp_of() {
    find "$@" -type f -print0 | sort -z | xargs -0 cksum | cksum
}

# Runs a command, unless that was done for this stamp: once NAME STAMP COMMAND…
once() {
    [ "$(cat "$out/$1.stamp" 2> /dev/null)" = "$2" ] && return
    rm -f "$out/$1.stamp"
    "${@:3}"
    mkdir -p "$(dirname "$out/$1")"
    echo "$2" > "$out/$1.stamp"
}

# What is generated is not ready for the checks of Swift 6; what is written by hand is.
modules() {
    module MCPBoltEngine 5 -suppress-warnings generated/MCPBoltEngine.swift
    module MCPBolt 6 -enable-testing -warnings-as-errors $(find swift/Sources/MCPBolt -name "*.swift" | sort)
}

facade="$(stamp_of swift/common.sh swift/Sources generated) $(swiftc --version 2> /dev/null | cksum)"
once facade "$facade" modules

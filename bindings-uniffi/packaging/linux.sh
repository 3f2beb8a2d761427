#!/usr/bin/env bash
# The SwiftPM package for Linux: the sources, and the engine as a library in it.
#   linux.sh [LIBRARY]
# LIBRARY: an engine that was built before; without it the one for programs is built, which is linked
# into them. Ends in build/linux. Needs Rust, no Swift.
source "$(dirname "$0")/common.sh"
library="${1:-}"
package="$packages/linux/MCPBolt"
if [ -z "$library" ]; then
  bash bindings-uniffi/build.sh debug
  cargo build -q --locked --release --no-default-features --features file-store,http-server --lib -p mcpbolt-uniffi
  library="${CARGO_TARGET_DIR:-target}/release/libmcpbolt_uniffi.a"
fi
rm -rf "$packages/linux"
sources "$package"
ffi="$package/Sources/MCPBoltEngineFFI"
mkdir -p "$ffi/include" "$package/lib"
cp "$built/swift/MCPBoltEngineFFI.h" "$ffi/include/"
cp "$built/swift/MCPBoltEngineFFI.modulemap" "$ffi/include/module.modulemap"
echo '// The engine is in lib; this makes its header a target.' > "$ffi/engine.c"
cp "$library" "$package/lib/"
echo "$package"

#!/usr/bin/env bash
# The package for Apple's systems: an XCFramework with the library for iOS, its simulator and macOS,
# and the SwiftPM package around it. Ends in build/apple. Needs a Mac with Xcode and the five
# Rust targets. With MCPBOLT_FEATURES=schema-validation the library for iOS checks values against
# their schemas. With MCPBOLT_RELEASE_URL the manifest names the archive under that address and its
# checksum, else the folder beside it.
source "$(dirname "$0")/common.sh"
need xcodebuild "XCFrameworks are made by Xcode"
need lipo "it comes with Xcode"
out="$packages/apple"
package="$out/package"
rm -rf "$out"
bash bindings-uniffi/build.sh debug
mkdir -p "$out/headers" "$package"
cp "$built/swift/MCPBoltEngineFFI.h" "$out/headers/"
cp "$built/swift/MCPBoltEngineFFI.modulemap" "$out/headers/module.modulemap"

export IPHONEOS_DEPLOYMENT_TARGET=16.0 MACOSX_DEPLOYMENT_TARGET=13.0
joined() { # one library with these features, out of those of several targets
  local name="$1" features="$2" libraries=() triple
  shift 2
  for triple in "$@"; do
    small "$triple" "$features"
    libraries+=("$target/$triple/small/libmcpbolt_uniffi.a")
  done
  mkdir -p "$out/$name"
  lipo -create "${libraries[@]}" -output "$out/$name/libmcpbolt_uniffi.a"
}
joined ios "$features" aarch64-apple-ios
joined simulator "$features" aarch64-apple-ios-sim x86_64-apple-ios
# A Mac is where servers run.
joined macos file-store,http-server,schema-validation aarch64-apple-darwin x86_64-apple-darwin

framework="$package/MCPBoltEngineFFI.xcframework"
arguments=()
for name in ios simulator macos; do
  arguments+=(-library "$out/$name/libmcpbolt_uniffi.a" -headers "$out/headers")
done
# Plain libraries: Xcode 27 does not take every layout of a framework.
xcodebuild -create-xcframework "${arguments[@]}" -output "$framework"

sources "$package"
if [ -n "${MCPBOLT_RELEASE_URL:-}" ]; then
  archive="$out/MCPBoltEngineFFI-$version.xcframework.zip"
  (cd "$package" && zip -qry "$archive" "$(basename "$framework")")
  checksum="$(swift package compute-checksum "$archive")"
  rm -rf "$framework"
  sed -i.bak -e "s|^let released = .*|let released = \"$MCPBOLT_RELEASE_URL/$(basename "$archive")\"|" \
    -e "s|^let checksum = .*|let checksum = \"$checksum\"|" "$package/Package.swift"
  rm "$package/Package.swift.bak"
fi
echo "$package"

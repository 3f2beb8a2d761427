#!/usr/bin/env bash
# The archive for Android (AAR): classes, four libraries, keep rules.
#   android.sh CLASSES [LIBRARIES]
# CLASSES: as for jvm.sh. LIBRARIES: a folder with one folder per ABI; without it they are built,
# which needs the NDK, cargo-ndk and the four Rust targets. Ends in build/android. With
# MCPBOLT_FEATURES=schema-validation they check values against their schemas.
# An AAR is a zip of known names; Gradle is not needed to make one.
source "$(dirname "$0")/common.sh"
need jar "it is part of the JDK"
need readelf "libraries are looked at (binutils)"
[ $# -ge 1 ] || { echo "usage: android.sh CLASSES [LIBRARIES]" >&2; exit 2; }
abis=(arm64-v8a armeabi-v7a x86_64 x86)
classes="$1"
libraries="${2:-}"
stage="$packages/android/aar"
rm -rf "$packages/android"
mkdir -p "$stage/META-INF/com/android/build/gradle"

if [ -z "$libraries" ]; then
  need cargo-ndk "cargo install cargo-ndk"
  libraries="$packages/android/libraries"
  # Newer NDKs do so by themselves; devices with pages of 16 KiB load nothing else.
  export RUSTFLAGS="${RUSTFLAGS:-} -C link-arg=-Wl,-z,max-page-size=16384 ${packed[*]}"
  cargo ndk --platform 26 "${abis[@]/#/--target=}" --output-dir "$libraries" -- \
    build --locked --profile small --no-default-features --features "jni,$features" --lib -p mcpbolt-uniffi --target-dir "$target"
fi
for abi in "${abis[@]}"; do
  library="$libraries/$abi/libmcpbolt_uniffi.so"
  [ -f "$library" ] || { echo "no $library" >&2; exit 1; }
  # The last column of each segment that is loaded: its alignment.
  readelf --program-headers --wide "$library" | awk '$1 == "LOAD" { print $NF }' | while read -r align; do
    [ $((align)) -ge 16384 ] || { echo "$library: segments are aligned to $align, 0x4000 is needed" >&2; exit 1; }
  done
  mkdir -p "$stage/jni/$abi"
  cp "$library" "$stage/jni/$abi/"
done
jar --create --file "$stage/classes.jar" -C "$classes" .
cp bindings-uniffi/packaging/AndroidManifest.xml "$stage/"
cp bindings-uniffi/packaging/keep-rules.pro "$stage/proguard.txt"
: > "$stage/R.txt"
printf 'aarFormatVersion=1.0\naarMetadataVersion=1.0\nminCompileSdk=26\n' \
  > "$stage/META-INF/com/android/build/gradle/aar-metadata.properties"
out="$packages/android/mcpbolt-android-$version.aar"
jar --create --no-manifest --file "$out" -C "$stage" .
echo "$out"

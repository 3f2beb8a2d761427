#!/usr/bin/env bash
# What can be known of the recipes without the tools they need: they are shell, they agree with each
# other, and an archive for Android is put together and looked at, from a library of this platform.
# Prints what it could not run. Needs what build.sh has made, and `jar` for the archives.
source "$(dirname "$0")/common.sh"
here=bindings-uniffi/packaging
wrong() { echo "$*" >&2; exit 1; }
same() { [ "$2" = "$3" ] || wrong "$1: $2, but $3 was expected"; }
setting() { sed -n "s/^$1 = \"\(.*\)\"/\1/p" bindings-uniffi/uniffi.toml; }

for script in bindings-uniffi/*.sh $here/*.sh; do
  bash -n "$script"
  [ -x "$script" ] || [ "$script" = $here/common.sh ] || wrong "$script cannot be executed"
done
[ -n "$version" ] || wrong "no version in Cargo.toml"
for pom in bindings-uniffi/kotlin/pom.xml bindings-uniffi/kotlin/ktor/pom.xml; do
  same "version of $pom" "$(sed -n 's|^  <version>\(.*\)</version>|\1|p' "$pom")" "$version"
done
for part in kotlin coroutines serialization io; do
  one="$(sed -n "s|.*<$part.version>\(.*\)</.*|\1|p" bindings-uniffi/kotlin/pom.xml)"
  same "$part in kotlin/ktor/pom.xml" "$(sed -n "s|.*<$part.version>\(.*\)</.*|\1|p" bindings-uniffi/kotlin/ktor/pom.xml)" "$one"
done
package="$(setting package_name)"
module="$(setting module_name)"
ffi="$(setting ffi_module_name)"
grep -q "^-keep class $package\.\*\* { \*; }" $here/keep-rules.pro || wrong "the keep rules forget $package"
grep -q '^-keepclasseswithmembers .*native <methods>' $here/keep-rules.pro || wrong "the keep rules forget native methods"
grep -q "name: \"$module\"" $here/Package.swift || wrong "Package.swift has no target $module"
grep -q "binaryTarget(name: \"$ffi\"" $here/Package.swift || wrong "Package.swift has no target $ffi"
[ -f "$built/kotlin/${package//.//}/mcpbolt.kt" ] || wrong "no Kotlin was generated in the package $package"
for file in "$module.swift" "$ffi.h" "$ffi.modulemap"; do
  [ -f "$built/swift/$file" ] || wrong "no $file was generated"
done

scratch="$(mktemp -d)"
trap 'rm -rf "$scratch"' EXIT
export MCPBOLT_PACKAGES="$scratch"
for part in main ktor; do
  mkdir -p "$scratch/made/$part/dev/mcpbolt"
  echo class > "$scratch/made/$part/dev/mcpbolt/Server.class"
done
mkdir "$scratch/libraries"
if command -v jar > /dev/null; then
  mkdir -p "$scratch/linux-x86-64"
  echo library > "$scratch/linux-x86-64/libmcpbolt_uniffi.so"
  jar --list --file "$($here/jvm.sh "$scratch/made/main" "$scratch/linux-x86-64")" > "$scratch/names"
  for name in dev/mcpbolt/Server.class linux-x86-64/libmcpbolt_uniffi.so LICENSE-MIT; do
    grep -qx "$name" "$scratch/names" || wrong "the jar has no $name"
  done
  $here/maven.sh "$scratch/repository" "$scratch/made/main" "$scratch/linux-x86-64" > /dev/null
  at="$scratch/repository/dev/mcpbolt/mcpbolt-ktor/$version/mcpbolt-ktor-$version"
  jar --list --file "$at.jar" | grep -qx dev/mcpbolt/Server.class || wrong "the jar for Ktor has no classes"
  for file in pom module; do
    for name in mcpbolt ktor-server-core-jvm ktor-server-sse-jvm ktor-client-core-jvm; do
      grep -q "[\">]$name[\"<]" "$at.$file" || wrong "the $file for Ktor does not name $name"
    done
    ! grep -q 'cio\|slf4j\|\${' "$at.$file" || wrong "the $file for Ktor names what is for tests, or no version"
  done
else
  echo "    the archives: not run (no jar)"
fi
if command -v jar > /dev/null && command -v readelf > /dev/null && command -v cc > /dev/null; then
  library() { # with segments aligned so, for all four ABIs
    local abi
    echo 'int mcpbolt;' > "$scratch/one.c"
    for abi in arm64-v8a armeabi-v7a x86_64 x86; do
      mkdir -p "$scratch/libraries/$abi"
      cc -shared -fPIC -Wl,-z,max-page-size="$1" "$scratch/one.c" -o "$scratch/libraries/$abi/libmcpbolt_uniffi.so"
    done
  }
  library 4096
  ! $here/android.sh "$scratch/made/main" "$scratch/libraries" 2> /dev/null || wrong "pages of 4 KiB were packed"
  library 16384
  jar --list --file "$($here/android.sh "$scratch/made/main" "$scratch/libraries")" > "$scratch/names"
  $here/maven.sh "$scratch/repository" "$scratch/made/main" "$scratch/linux-x86-64" > /dev/null
  for artifact in mcpbolt mcpbolt-ktor mcpbolt-android; do
    at="$scratch/repository/dev/mcpbolt/$artifact/$version/$artifact-$version"
    [ -s "$at.pom" ] || wrong "there is no POM of $artifact"
    ! command -v python3 > /dev/null || python3 -m json.tool "$at.module" > /dev/null || wrong "the module of $artifact is no JSON"
  done
  grep -q '<artifactId>kotlinx-coroutines-core-jvm</artifactId>' "$at.pom" || wrong "the POM for Android has no coroutines"
  grep -q '<type>aar</type>' "$at.pom" || wrong "the POM for Android has JNA without its libraries"
  for name in AndroidManifest.xml classes.jar proguard.txt R.txt jni/{arm64-v8a,armeabi-v7a,x86_64,x86}/libmcpbolt_uniffi.so; do
    grep -qx "$name" "$scratch/names" || wrong "the AAR has no $name"
  done
else
  echo "    the AAR: not run (jar, readelf and cc are needed)"
fi
if command -v swift > /dev/null; then
  mkdir "$scratch/package"
  cp $here/Package.swift "$scratch/package/"
  (cd "$scratch/package" && swift package dump-package > /dev/null) || wrong "SwiftPM does not read Package.swift"
else
  echo "    SwiftPM on Package.swift: not run (no swift)"
fi
for tool in cargo-ndk xcodebuild; do
  command -v "$tool" > /dev/null || echo "    what $tool builds: not run (it is not here)"
done

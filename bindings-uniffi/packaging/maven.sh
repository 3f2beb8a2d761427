#!/usr/bin/env bash
# Puts the packages for the JVM and for Android where Maven and Gradle look for them, with a POM and
# Gradle metadata:
#   maven.sh [REPOSITORY [CLASSES [LIBRARIES...]]]
# REPOSITORY: a folder laid out as a Maven repository; Maven's own on this machine if it is left out,
# which Gradle calls mavenLocal(). CLASSES and LIBRARIES: as for jvm.sh; built if they are left out. What
# build-ktor.sh has made beside CLASSES goes there too, and an archive of android.sh in build/android.
# Needs Rust, a JDK and Maven.
source "$(dirname "$0")/common.sh"
here=bindings-uniffi/packaging
repository="${1:-$HOME/.m2/repository}"
classes="${2:-}"
shift $(($# < 2 ? $# : 2))

if [ -z "$classes" ]; then
  bash bindings-uniffi/kotlin/build-ktor.sh
  classes=target/kotlin/main
fi

# What programs get by a pom.xml, as "group artifact version" a line: its dependencies without a scope.
dependencies_of() {
  awk -F '[<>]' '
    $2 ~ /\.version$/ { versions["${" $2 "}"] = $3 }
    $2 == "dependencyManagement" { managed = 1 }
    $2 == "/dependencyManagement" { managed = 0 }
    managed { next }
    $2 == "dependency" { group = artifact = which = scope = "" }
    $2 == "groupId" { group = $3 }
    $2 == "artifactId" { artifact = $3 }
    $2 == "version" { which = $3 }
    $2 == "scope" { scope = $3 }
    $2 == "/dependency" && scope == "" { print group, artifact, (which in versions) ? versions[which] : which }
  ' "$1"
}

# On Android the archive of JNA has its libraries.
aar_of() { [ "$packaging" = aar ] && [ "$1" = jna ]; }

digest() { # SHA-512 of a file; macOS has another program for it
  if command -v sha512sum > /dev/null; then sha512sum "$1"; else shasum -a 512 "$1"; fi | cut -d ' ' -f 1
}

pom() {
  cat << END
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <!-- Gradle reads the module beside it: do_not_remove: published-with-gradle-metadata -->
  <modelVersion>4.0.0</modelVersion>
  <groupId>dev.mcpbolt</groupId>
  <artifactId>$artifact</artifactId>
  <version>$version</version>
  <packaging>$packaging</packaging>
  <name>mcpbolt</name>
  <description>Servers and clients of the Model Context Protocol on one engine</description>
  <licenses>
    <license><name>MIT OR Apache-2.0</name></license>
  </licenses>
  <dependencies>
END
  while read -r group name number; do
    printf '    <dependency>\n      <groupId>%s</groupId>\n      <artifactId>%s</artifactId>\n      <version>%s</version>\n' \
      "$group" "$name" "$number"
    ! aar_of "$name" || echo '      <type>aar</type>'
    printf '      <scope>compile</scope>\n    </dependency>\n'
  done <<< "$dependencies"
  printf '  </dependencies>\n</project>\n'
}

# What Gradle reads instead of the POM: the same for compiling and for running.
module() {
  local usage platform environment comma=''
  if [ "$packaging" = aar ]; then platform=androidJvm environment=android; else platform=jvm environment=standard-jvm; fi
  printf '{\n  "formatVersion": "1.1",\n  "component": {"group": "dev.mcpbolt", "module": "%s", "version": "%s", "attributes": {"org.gradle.status": "release"}},\n  "variants": [' \
    "$artifact" "$version"
  for usage in api runtime; do
    printf '%s\n    {\n      "name": "%sElements",\n      "attributes": {\n' "$comma" "$usage"
    printf '        "org.gradle.category": "library",\n        "org.gradle.dependency.bundling": "external",\n'
    printf '        "org.gradle.jvm.environment": "%s",\n        "org.gradle.libraryelements": "%s",\n' "$environment" "$packaging"
    [ "$packaging" = aar ] || printf '        "org.gradle.jvm.version": 11,\n'
    printf '        "org.gradle.usage": "java-%s",\n        "org.jetbrains.kotlin.platform.type": "%s"\n      },\n' "$usage" "$platform"
    printf '      "dependencies": [\n%s\n      ],\n' "$(needed)"
    printf '      "files": [\n        {"name": "%s", "url": "%s", "size": %s, "sha512": "%s"}\n      ]\n    }' \
      "$file" "$file" "$(wc -c < "$folder/$file" | tr -d ' ')" "$(digest "$folder/$file")"
    comma=,
  done
  printf '\n  ]\n}\n'
}

needed() {
  local comma='' group name number strictly
  while read -r group name number; do
    # Its inner parts are used: of this version, and no other. A POM can say so only where a repository
    # lists its versions.
    strictly=''
    [ "$group" != dev.mcpbolt ] || strictly="\"strictly\": \"$number\", "
    printf '%s        {"group": "%s", "module": "%s", "version": {%s"requires": "%s"}' "$comma" "$group" "$name" "$strictly" "$number"
    ! aar_of "$name" || printf ', "thirdPartyCompatibility": {"artifactSelector": {"name": "jna", "type": "aar", "extension": "aar"}}'
    printf '}'
    comma=$',\n'
  done <<< "$dependencies"
}

publish() { # ARTIFACT ARCHIVE; `dependencies` are its own
  artifact="$1"
  packaging="${2##*.}"
  file="$artifact-$version.$packaging"
  folder="$repository/dev/mcpbolt/$artifact/$version"
  rm -rf "$folder"
  mkdir -p "$folder"
  cp "$2" "$folder/$file"
  pom > "$folder/$artifact-$version.pom"
  module > "$folder/$artifact-$version.module"
  echo "dev.mcpbolt:$artifact:$version in $repository"
}

dependencies="$(dependencies_of bindings-uniffi/kotlin/pom.xml)"
publish mcpbolt "$(bash $here/jvm.sh "$classes" "$@")"
aar="$packages/android/mcpbolt-android-$version.aar"
[ ! -f "$aar" ] || publish mcpbolt-android "$aar"
ktor="$(dirname "$classes")/ktor"
if [ -d "$ktor" ]; then
  dependencies="dev.mcpbolt mcpbolt $version
$(dependencies_of bindings-uniffi/kotlin/ktor/pom.xml)"
  publish mcpbolt-ktor "$(bash $here/ktor.sh "$ktor")"
fi

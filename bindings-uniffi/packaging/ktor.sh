#!/usr/bin/env bash
# The jar of what stands on Ktor, with the POM and the Gradle metadata that name what it needs, the main
# package of the same version first:
#   ktor.sh CLASSES
# CLASSES: what kotlin/build-ktor.sh compiled (target/kotlin/ktor). Ends in build/ktor. Needs a JDK.
source "$(dirname "$0")/common.sh"
need jar "it is part of the JDK"
need sha256sum "checksums are in the Gradle metadata (coreutils)"
[ $# -eq 1 ] || { echo "usage: ktor.sh CLASSES" >&2; exit 2; }
name="mcpbolt-ktor-$version"
out="$packages/ktor"
rm -rf "$out"
mkdir -p "$out"

manifest="$out/MANIFEST"
printf 'Implementation-Title: mcpbolt-ktor\nImplementation-Version: %s\nAutomatic-Module-Name: dev.mcpbolt.ktor\n' "$version" > "$manifest"
jar --create --file "$out/$name.jar" --manifest "$manifest" -C "$1" . \
  -C bindings-uniffi LICENSE-MIT -C bindings-uniffi LICENSE-APACHE
rm "$manifest"

needs() { # group, artifact and version of each, a line for each; what is for tests is left out
  echo "dev.mcpbolt mcpbolt $version"
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
  ' bindings-uniffi/kotlin/ktor/pom.xml
}

{
  cat << END
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <!-- do_not_remove: published-with-gradle-metadata -->
  <modelVersion>4.0.0</modelVersion>
  <groupId>dev.mcpbolt</groupId>
  <artifactId>mcpbolt-ktor</artifactId>
  <version>$version</version>
  <name>mcpbolt-ktor</name>
  <description>Servers and clients of the Model Context Protocol in Ktor applications</description>
  <licenses>
    <license><name>MIT OR Apache-2.0</name></license>
  </licenses>
  <dependencies>
END
  needs | while read -r group artifact which; do
    # The main package is used by its inner parts: of this version, and no other.
    [ "$group" != dev.mcpbolt ] || which="[$which]"
    echo "    <dependency><groupId>$group</groupId><artifactId>$artifact</artifactId><version>$which</version><scope>compile</scope></dependency>"
  done
  printf '  </dependencies>\n</project>\n'
} > "$out/$name.pom"

variant() { # its name, and its usage
  local between='' row
  cat << END
    {
      "name": "$1",
      "attributes": {
        "org.gradle.category": "library",
        "org.gradle.dependency.bundling": "external",
        "org.gradle.jvm.version": 11,
        "org.gradle.libraryelements": "jar",
        "org.gradle.usage": "$2"
      },
      "dependencies": [
END
  needs | while read -r group artifact which; do
    row="{ \"requires\": \"$which\" }"
    [ "$group" != dev.mcpbolt ] || row="{ \"strictly\": \"$which\", \"requires\": \"$which\" }"
    printf '%s        { "group": "%s", "module": "%s", "version": %s }' "$between" "$group" "$artifact" "$row"
    between=$',\n'
  done
  cat << END

      ],
      "files": [
        {
          "name": "$name.jar",
          "url": "$name.jar",
          "size": $(wc -c < "$out/$name.jar"),
          "sha256": "$(sha256sum "$out/$name.jar" | cut -d ' ' -f 1)"
        }
      ]
    }
END
}

{
  cat << END
{
  "formatVersion": "1.1",
  "component": { "group": "dev.mcpbolt", "module": "mcpbolt-ktor", "version": "$version" },
  "variants": [
END
  variant apiElements java-api | sed '$s/$/,/'
  variant runtimeElements java-runtime
  printf '  ]\n}\n'
} > "$out/$name.module"
echo "$out/$name.jar"
